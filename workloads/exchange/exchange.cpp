// Makes pairs of patterns, and the operations of their tasks.
#include "workloads/exchange/exchange.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/random.hpp"
#include "workloads/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// The nodes of each router that has some, among the first `count`.
std::vector<std::vector<u32>> nodes_of_routers(const models::Topology& topology, u32 count) {
  std::vector<std::vector<u32>> leaves;
  std::vector<u32> place(topology.routers(), ~u32{0});
  for (u32 node = 0; node < std::min(count, topology.nodes()); ++node) {
    u32& leaf = place[topology.router_of(NodeId(node)).value()];
    if (leaf == ~u32{0}) {
      leaf = static_cast<u32>(leaves.size());
      leaves.emplace_back();
    }
    leaves[leaf].push_back(node);
  }
  return leaves;
}

std::vector<TaskPair> listed_pairs(const std::vector<u32>& numbers, u32 tasks) {
  if (numbers.empty() || numbers.size() % 2 != 0) {
    throw ConfigError(
        fmt::format("workload.pairs has {} numbers (each pair has two, source and destination); write "
                    "for example pairs = [0, 8, 1, 9]",
                    numbers.size()));
  }
  std::vector<TaskPair> pairs;
  for (std::size_t k = 0; k < numbers.size(); k += 2) {
    const u32 from = numbers[k], to = numbers[k + 1];
    if (from >= tasks || to >= tasks || from == to) {
      throw ConfigError(
          fmt::format("workload.pairs has the pair {}, {}, which is none of {} tasks numbered from 0; "
                      "correct it, or use more workload.tasks",
                      from, to, tasks));
    }
    pairs.emplace_back(from, to);
  }
  return pairs;
}

}  // namespace

class ExchangeProgram::Stream final : public TaskStream {
 public:
  Stream(const ExchangeSpec& spec, const std::vector<Partners>& rounds) : spec_(spec), rounds_(rounds) {}
  Op next() override {
    for (; round_ < rounds_.size(); ++round_, message_ = 0) {
      const Partners& with = rounds_[round_];
      const std::size_t all = with.to.size() + with.from.size();
      if (all == 0) continue;
      for (; message_ < spec_.messages; ++message_, step_ = 0) {
        if (step_ == all) continue;
        const std::size_t step = step_++;
        const u32 tag = static_cast<u32>(round_);
        return step < with.to.size() ? send_op(with.to[step], spec_.message_bytes, tag)
                                     : receive_op(with.from[step - with.to.size()], spec_.message_bytes, tag);
      }
    }
    return {};
  }

 private:
  const ExchangeSpec& spec_;
  const std::vector<Partners>& rounds_;
  std::size_t round_ = 0, step_ = 0;
  u32 message_ = 0;
};

ExchangeProgram::ExchangeProgram(const ExchangeSpec& spec, const models::Topology& topology)
    : spec_(spec), partners_(spec.tasks) {
  if (spec.name == "pairs") {
    add_round(listed_pairs(spec.pairs, spec.tasks));
    return;
  }
  const PatternChoice choice = pattern_named(spec.name, "pairs");
  of_nodes_ = choice.pattern->placed;
  const auto leaves = nodes_of_routers(topology, spec.tasks);
  PatternRound round;
  round.tasks = spec.tasks;
  round.argument = choice.argument;
  round.bits = engine::random_bits(spec.seed, 0, 0, engine::Use::source_destination);
  round.leaves = &leaves;
  bool some = false;
  for (const u32 rounds = choice.pattern->rounds(spec.tasks, choice.argument); round.round < rounds; ++round.round) {
    std::vector<TaskPair> pairs;
    choice.pattern->fill(round, pairs);
    some |= !pairs.empty();
    add_round(pairs);
  }
  if (!some) {
    throw ConfigError(fmt::format(
        "workload.name = \"{}\" has no pair that communicates (too few tasks or switches for it: {} tasks); "
        "use more workload.tasks, or another pattern",
        spec.name, spec.tasks));
  }
}

void ExchangeProgram::add_round(const std::vector<TaskPair>& pairs) {
  for (std::vector<Partners>& rounds : partners_) rounds.emplace_back();
  for (const auto& [from, to] : pairs) {
    partners_[from].back().to.push_back(to);
    partners_[to].back().from.push_back(from);
    if (!spec_.both_ways) continue;
    partners_[to].back().to.push_back(from);
    partners_[from].back().from.push_back(to);
  }
}

std::unique_ptr<TaskStream> ExchangeProgram::open(TaskId task) const {
  WEFT_ASSERT(task.value() < spec_.tasks);
  return std::make_unique<Stream>(spec_, partners_[task.value()]);
}

std::string ExchangeProgram::name() const { return fmt::format("{} of {}", spec_.name, spec_.tasks); }

u64 ExchangeProgram::received_bytes(TaskId task) const {
  u64 messages = 0;
  for (const Partners& round : partners_[task.value()]) messages += round.from.size();
  return messages * spec_.messages * spec_.message_bytes;
}

}  // namespace weft::workloads
