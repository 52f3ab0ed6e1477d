// Puts graphs together: who depends on whom, what each operation misses, and whether there is an order at all.
#include "workloads/program/graph.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_named = 6;

std::string op_name(const std::vector<GraphOp>& ops, u32 number) {
  const u32 line = ops[number].line;
  return line > 0 ? fmt::format("operation {} (line {})", number, line) : fmt::format("operation {}", number);
}

/// Operations of which each requires the next and the last the first; `left` is not 0 for those that never begin.
std::vector<u32> find_cycle(const GraphBuilder::Finished& graph, const std::vector<u32>& left) {
  std::vector<u32> required(graph.ops.size());  // one that never begins, of each that never begins
  u32 at = 0;
  for (u32 on = 0; on < graph.ops.size(); ++on) {
    const GraphOp& op = graph.ops[on];
    if (left[on] == 0) continue;
    at = on;
    for (u32 ix = 0; ix < op.on_completion + op.on_start; ++ix)
      required[graph.dependents[op.first_dependent + ix]] = on;
  }
  // Whoever goes on for long enough from one to what it requires is in a cycle.
  for (std::size_t step = 0; step < graph.ops.size(); ++step) at = required[at];
  std::vector<u32> cycle = {at};
  for (u32 next = required[at]; next != at; next = required[next]) cycle.push_back(next);
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

/// Throws InputError if there are operations that never begin, whatever the messages do.
void check_order(const GraphBuilder::Finished& graph, const std::string& where) {
  std::vector<u32> left, ready;
  left.reserve(graph.ops.size());
  for (u32 number = 0; number < graph.ops.size(); ++number) {
    left.push_back(graph.ops[number].missing);
    if (left.back() == 0) ready.push_back(number);
  }
  std::size_t reached = 0;
  while (!ready.empty()) {
    const GraphOp& op = graph.ops[ready.back()];
    ready.pop_back();
    ++reached;
    for (u32 ix = 0; ix < op.on_completion + op.on_start; ++ix) {
      const u32 dependent = graph.dependents[op.first_dependent + ix];
      if (left[dependent] > 0 && --left[dependent] == 0) ready.push_back(dependent);
    }
  }
  if (reached == graph.ops.size()) return;
  const std::vector<u32> cycle = find_cycle(graph, left);
  std::string names;
  for (std::size_t ix = 0; ix < std::min(cycle.size(), most_named); ++ix)
    names += (ix == 0 ? "" : " requires ") + op_name(graph.ops, cycle[ix]);
  if (cycle.size() > most_named) names += fmt::format(" requires ... ({} more)", cycle.size() - most_named);
  throw InputError(
      fmt::format("{}: {} requires {} (a cycle: none of them can ever begin); take away one of these "
                  "requirements",
                  where, names, op_name(graph.ops, cycle.front())));
}

}  // namespace

u32 GraphBuilder::add(const GraphOp& op) {
  WEFT_ASSERT(ops_.size() < most_ops);
  ops_.push_back(op);
  return static_cast<u32>(ops_.size() - 1);
}

void GraphBuilder::require(u32 op, u32 on, bool start) { edges_.push_back({on, op, start}); }

u32 GraphBuilder::size() const { return static_cast<u32>(ops_.size()); }

GraphOp& GraphBuilder::op(u32 number) { return ops_[number]; }

GraphBuilder::Finished GraphBuilder::finish(const std::string& where) {
  Finished graph{std::move(ops_), {}};
  std::vector<Edge> edges = std::move(edges_);
  ops_.clear();
  edges_.clear();
  if (edges.size() > ~u32{0}) {
    throw InputError(fmt::format("{}: {} requirements (a task has at most 2^32 - 1); split it", where, edges.size()));
  }

  const auto known = [&graph](const Edge& edge) { return edge.op < graph.ops.size() && edge.on < graph.ops.size(); };
  WEFT_ASSERT(std::ranges::all_of(edges, known));

  // By what is required, completions before starts.
  std::vector<u32> begin(2 * graph.ops.size() + 1, 0);
  for (const Edge& edge : edges) ++begin[2 * std::size_t{edge.on} + edge.start + 1];
  for (std::size_t ix = 1; ix < begin.size(); ++ix) begin[ix] += begin[ix - 1];
  std::vector<u32> sorted(edges.size());
  std::vector<u32> at(begin.begin(), begin.end() - 1);
  for (const Edge& edge : edges) sorted[at[2 * std::size_t{edge.on} + edge.start]++] = edge.op;
  edges = std::vector<Edge>();  // {} would keep its memory

  for (GraphOp& op : graph.ops) op.missing = 0;
  u32* out = sorted.data();
  for (u32 on = 0; on < graph.ops.size(); ++on) {
    GraphOp& op = graph.ops[on];
    op.first_dependent = static_cast<u32>(out - sorted.data());
    for (const bool start : {false, true}) {
      u32* const first = sorted.data() + begin[2 * std::size_t{on} + start];
      u32* const last = sorted.data() + begin[2 * std::size_t{on} + start + 1];
      std::sort(first, last);
      u32* const from = out;
      out = std::copy(first, std::unique(first, last), out);
      for (const u32* dependent = from; dependent < out; ++dependent) ++graph.ops[*dependent].missing;
      (start ? op.on_start : op.on_completion) = static_cast<u32>(out - from);
    }
  }
  sorted.resize(static_cast<std::size_t>(out - sorted.data()));
  graph.dependents = std::move(sorted);
  for (GraphOp& op : graph.ops) {
    if (op.one_suffices) op.missing = std::min(op.missing, u32{1});
  }
  check_order(graph, where);
  return graph;
}

}  // namespace weft::workloads
