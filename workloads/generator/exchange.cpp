// Makes pairs of patterns, and the operations of their tasks.
#include "workloads/generator/exchange.hpp"

#include <fmt/format.h>
#include <numeric>
#include <span>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

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
  Stream(const ExchangeProgram& program, u32 task) : program_(program), task_(task) {}
  Op next() override {
    for (; round_ < program_.rounds_; ++round_, message_ = 0) {
      if (found_ == round_) program_.find_partners(task_, found_++, with_, pairs_);
      const std::size_t all = with_.to.size() + with_.from.size();
      if (all == 0) continue;
      for (; message_ < program_.spec_.messages; ++message_, step_ = 0) {
        if (step_ == all) continue;
        const std::size_t step = step_++;
        const u64 bytes = program_.spec_.message_bytes;
        return step < with_.to.size() ? send_op(with_.to[step], bytes, round_)
                                      : receive_op(with_.from[step - with_.to.size()], bytes, round_);
      }
    }
    return {};
  }

 private:
  const ExchangeProgram& program_;
  u32 task_;
  Partners with_;                ///< of round_, if that is less than found_
  std::vector<TaskPair> pairs_;  ///< scratch
  u32 round_ = 0, found_ = 0;
  std::size_t step_ = 0;
  u32 message_ = 0;
};

ExchangeProgram::ExchangeProgram(const ExchangeSpec& spec, const models::Topology& topology) : spec_(spec) {
  if (spec.name == "pairs") {
    keep_round(listed_pairs(spec.pairs, spec.tasks));
    return;
  }
  const PatternChoice choice = pattern_named(spec.name, "pairs");
  of_nodes_ = choice.pattern->placed;
  argument_ = choice.argument;
  const u32 rounds = choice.pattern->rounds(spec.tasks, choice.argument);
  bool some = false;
  if (choice.pattern->pairs_of_task) {
    pattern_ = choice.pattern;
    rounds_ = rounds;
    if (pattern_->tasks_alike) messages_to_each_ = spec.tasks == 0 ? 0 : messages_to(0);
    some = messages_to_each_ != 0;
    for (u32 task = 0; task < spec.tasks && !pattern_->tasks_alike && !some; ++task) some = messages_to(task) != 0;
  } else {
    const auto leaves = nodes_of_routers(topology, spec.tasks);
    PatternRound round = round_of(0);
    round.bits = engine::random_bits(spec.seed, 0, 0, engine::Use::source_destination);
    round.leaves = &leaves;
    for (; round.round < rounds; ++round.round) {
      std::vector<TaskPair> pairs;
      choice.pattern->fill(round, pairs);
      some |= !pairs.empty();
      keep_round(pairs);
    }
  }
  if (!some) {
    throw ConfigError(fmt::format(
        "workload.name = \"{}\" has no pair that communicates (too few tasks or switches for it: {} tasks); "
        "use more workload.tasks, or another pattern",
        spec.name, spec.tasks));
  }
}

PatternRound ExchangeProgram::round_of(u32 number) const {
  PatternRound round;
  round.tasks = spec_.tasks;
  round.round = number;
  round.argument = argument_;
  return round;
}

void ExchangeProgram::keep_round(const std::vector<TaskPair>& pairs) {
  Round round;
  round.begin.assign(spec_.tasks + std::size_t{1}, 0);
  const auto for_each_task = [&](auto&& f) {
    for (const TaskPair& pair : pairs) {
      f(pair.first, pair);
      if (pair.second != pair.first) f(pair.second, pair);
    }
  };
  for_each_task([&](u32 task, const TaskPair&) { ++round.begin[task + 1]; });
  std::partial_sum(round.begin.begin(), round.begin.end(), round.begin.begin());
  round.pairs.resize(round.begin.back());
  std::vector<u32> next(round.begin.begin(), round.begin.end() - 1);
  for_each_task([&](u32 task, const TaskPair& pair) { round.pairs[next[task]++] = pair; });
  kept_.push_back(std::move(round));
  rounds_ = static_cast<u32>(kept_.size());
}

void ExchangeProgram::find_partners(u32 task, u32 round, Partners& with, std::vector<TaskPair>& scratch) const {
  std::span<const TaskPair> pairs;
  if (pattern_ != nullptr) {
    scratch.clear();
    pattern_->pairs_of_task(round_of(round), task, scratch);
    pairs = scratch;
  } else {
    const Round& kept = kept_[round];
    pairs = std::span(kept.pairs).subspan(kept.begin[task], kept.begin[task + 1] - kept.begin[task]);
  }
  with.to.clear();
  with.from.clear();
  for (const auto& [from, to] : pairs) {
    if (from == task) {
      with.to.push_back(to);
      if (spec_.both_ways) with.from.push_back(to);
    }
    if (to == task) {
      with.from.push_back(from);
      if (spec_.both_ways) with.to.push_back(from);
    }
  }
}

std::unique_ptr<TaskStream> ExchangeProgram::open(TaskId task) const {
  WEFT_ASSERT(task.value() < spec_.tasks);
  return std::make_unique<Stream>(*this, task.value());
}

std::string ExchangeProgram::name() const { return fmt::format("{} of {}", spec_.name, spec_.tasks); }

u64 ExchangeProgram::messages_to(u32 task) const {
  Partners with;
  std::vector<TaskPair> pairs;
  u64 messages = 0;
  for (u32 round = 0; round < rounds_; ++round) {
    find_partners(task, round, with, pairs);
    messages += with.from.size();
  }
  return messages;
}

u64 ExchangeProgram::received_bytes(TaskId task) const {
  const u64 messages = messages_to_each_ != 0 ? messages_to_each_ : messages_to(task.value());
  return messages * spec_.messages * spec_.message_bytes;
}

u64 ExchangeProgram::bytes() const {
  u64 sum = 0;
  for (const Round& round : kept_) sum += round.begin.size() * sizeof(u32) + round.pairs.size() * sizeof(TaskPair);
  return sum;
}

}  // namespace weft::workloads
