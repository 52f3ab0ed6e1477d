// Sums over the ranks, and names of parts.
#include "tools/run/collect/fault_results.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "models/faults/separations.hpp"

namespace weft::tools {
namespace {

using models::FaultEvent;

std::string state_of(const FaultEvent& event) {
  switch (event.change) {
    case FaultEvent::Change::down:
      return "down";
    case FaultEvent::Change::up:
      return "up";
    case FaultEvent::Change::error_rate:
      return fmt::format("error {}", event.error_rate);
    case FaultEvent::Change::rate:
      break;
  }
  return fmt::format("rate {}", event.rate_factor);
}

}  // namespace

std::vector<models::FaultCost> fault_costs(const Context& context, const models::Statistics& mine) {
  u64 length = mine.fault_costs.size();
  context.transport.max({&length, 1});
  std::vector<u64> sums(2 * length, 0), last(length, 0);
  for (std::size_t k = 0; k < mine.fault_costs.size(); ++k) {
    sums[2 * k] = mine.fault_costs[k].lost;
    sums[2 * k + 1] = mine.fault_costs[k].rerouted;
    last[k] = mine.fault_costs[k].last_loss;
  }
  context.transport.sum(sums);
  context.transport.max(last);
  std::vector<models::FaultCost> all(length);
  for (std::size_t k = 0; k < length; ++k) all[k] = {sums[2 * k], sums[2 * k + 1], last[k]};
  return all;
}

std::string transition_text(const Context& context, const models::Statistics& mine) {
  if (mine.transition_loop.empty()) return {};
  return fmt::format(
      "the routes that were made in cycle {} and those before can close a cycle together, for packets that were in "
      "flight then ({})",
      context.cycles(mine.transition_at), mine.transition_loop);
}

namespace {

constexpr std::size_t most_cut_off = 1000;

void collect_cut_off(Context& context, Tick end) {
  models::Separations separations(*context.topology, most_cut_off);
  if (end != 0) separations.advance(context.faults->events(), end - 1);
  context.result.cut_offs = separations.count();
  for (const models::Separation& row : separations.rows()) {
    context.result.cut_off.push_back({.since_cycle = context.cycles(row.since),
                                      .until_cycle = row.until == never ? no_figure : context.cycles(row.until),
                                      .nodes = row.nodes,
                                      .node_count = row.node_count});
  }
}

}  // namespace

std::string cut_off_text(const Context& context, u32 from, u32 to, Tick now) {
  models::Separations separations(*context.topology, most_cut_off);
  separations.advance(context.faults->events(), now);
  const models::Separation* row = separations.of(NodeId(to));
  if (row == nullptr) row = separations.of(NodeId(from));
  if (row == nullptr && !context.faults->works(NodeId(to))) return fmt::format("node {} does not work", to);
  if (row == nullptr) return "links that work lead there, but no route that all routers know to work";
  const double cycle = context.cycles(row->since);
  const double cycle_ns = context.time.cycle_ns;
  return fmt::format("node{} {} cut off since {}", row->node_count == 1 ? "" : "s",
                     row->nodes + (row->node_count == 1 ? " is" : " are"),
                     cycle_ns > 0 ? fmt::format("{} ns", significant(cycle * cycle_ns, 9))
                                  : fmt::format("cycle {}", significant(cycle, 9)));
}

void collect_faults(Context& context, const models::Statistics& mine, Tick end) {
  if (context.faults == nullptr) return;
  const std::vector<models::FaultCost> costs = fault_costs(context, mine);
  RunResult& result = context.result;
  end = std::max(end, context.faults->last_change() + 1);  // behind which nothing may have been delivered
  result.availability = context.faults->availability(end);
  if (std::string text = transition_text(context, mine); !text.empty()) result.warnings.push_back(std::move(text));
  if (context.transport.rank() == 0) collect_cut_off(context, end);
  const auto& events = context.faults->events();
  for (std::size_t k = 0; k < events.size() && events[k].at < end; ++k) {
    const models::FaultCost cost = k < costs.size() ? costs[k] : models::FaultCost{};
    result.faults.push_back({.cycle = context.cycles(events[k].at),
                             .part = part_name(events[k]) + (events[k].one_way ? " one-way" : ""),
                             .state = state_of(events[k]),
                             .packets_lost = cost.lost,
                             .rerouted = cost.rerouted,
                             .recovered_cycles = cost.lost == 0 ? 0 : context.cycles(cost.last_loss - events[k].at)});
  }
}

}  // namespace weft::tools
