// The patterns there are.
#include "workloads/generator/patterns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

using Pairs = std::vector<TaskPair>;

/// Smallest k with 2^k >= count.
u32 doublings(u32 count) {
  u32 k = 0;
  while ((u64{1} << k) < count) ++k;
  return k;
}

u32 one_round(u32 /*tasks*/, u32 /*argument*/) { return 1; }
u32 doubling_rounds(u32 tasks, u32 /*argument*/) { return doublings(tasks); }

void fill_bisect(const PatternRound& round, Pairs& pairs) {
  std::vector<u32> order;
  random_order(round.bits, round.tasks, order);
  const u32 half = round.tasks / 2;
  for (u32 k = 0; k < half; ++k) pairs.emplace_back(order[k], order[half + k]);
}

/// All pairs of a round, from those of each task: senders ascending.
template <void (*pairs_of_task)(const PatternRound&, u32 task, Pairs&)>
void fill_from(const PatternRound& round, Pairs& pairs) {
  Pairs of_task;
  for (u32 task = 0; task < round.tasks; ++task) {
    of_task.clear();
    pairs_of_task(round, task, of_task);
    for (const TaskPair& pair : of_task) {
      if (pair.first == task) pairs.push_back(pair);
    }
  }
}

/// Each task sends to the one `step` further on.
void shifted(const PatternRound& round, u32 task, u64 step, Pairs& pairs) {
  const u64 tasks = round.tasks;
  const u32 to = static_cast<u32>((task + step) % tasks),
            from = static_cast<u32>((task + tasks - step % tasks) % tasks);
  if (from < task) pairs.emplace_back(from, task);
  pairs.emplace_back(task, to);
  if (from > task) pairs.emplace_back(from, task);
}
void dissemination_of(const PatternRound& round, u32 task, Pairs& pairs) {
  shifted(round, task, u64{1} << round.round, pairs);
}
void ring_of(const PatternRound& round, u32 task, Pairs& pairs) { shifted(round, task, 1, pairs); }
void all_to_all_of(const PatternRound& round, u32 task, Pairs& pairs) {
  shifted(round, task, u64{round.round} + 1, pairs);
}

void tree_of(const PatternRound& round, u32 task, Pairs& pairs) {
  const u32 step = 1U << round.round;
  if (task < step && u64{task} + step < round.tasks) pairs.emplace_back(task, task + step);
  if (task >= step && task - step < step) pairs.emplace_back(task - step, task);
}

/// Two tasks send to each other.
void exchanged(u32 one, u32 other, Pairs& pairs) {
  pairs.emplace_back(std::min(one, other), std::max(one, other));
  pairs.emplace_back(std::max(one, other), std::min(one, other));
}

/// Tasks beyond the largest power of two hand over to a partner in a round before; each of them hears of it in one
/// after.
u32 recursive_rounds(u32 tasks, u32 /*argument*/) {
  const u32 whole = doublings(tasks + 1) - 1;
  return whole + ((1U << whole) < tasks ? 2 : 0);
}

void recursive_doubling_of(const PatternRound& round, u32 task, Pairs& pairs) {
  const u32 whole = doublings(round.tasks + 1) - 1, power = 1U << whole, over = round.tasks - power;
  const u32 first = over > 0 ? 1 : 0;
  if (over > 0 && (round.round == 0 || round.round == whole + 1)) {
    if (task >= over && task < power) return;
    const u32 inner = task < over ? task : task - power;
    round.round == 0 ? pairs.emplace_back(power + inner, inner) : pairs.emplace_back(inner, power + inner);
    return;
  }
  if (task >= power) return;
  const u32 other = task ^ (1U << (round.round - first));
  exchanged(task, other, pairs);
}

/// As MPICH exchanges pieces of an all-to-all: with a partner whose number differs in the bits of the round where tasks
/// are a power of two, else in shifts.
void pairwise_exchange_of(const PatternRound& round, u32 task, Pairs& pairs) {
  if (!std::has_single_bit(round.tasks)) {
    shifted(round, task, u64{round.round} + 1, pairs);
    return;
  }
  const u32 other = task ^ (round.round + 1);
  exchanged(task, other, pairs);
}

/// A chain whose tasks all have something to pass on.
void pipeline_of(const PatternRound& round, u32 task, Pairs& pairs) {
  if (task > 0) pairs.emplace_back(task - 1, task);
  if (task + 1 < round.tasks) pairs.emplace_back(task, task + 1);
}

/// All others send to task 0, or it to all others, at once: one round, as in ORCS.
void gather_of(const PatternRound& round, u32 task, Pairs& pairs) {
  if (task > 0) pairs.emplace_back(task, 0);
  for (u32 from = 1; task == 0 && from < round.tasks; ++from) pairs.emplace_back(from, 0);
}
void scatter_of(const PatternRound& round, u32 task, Pairs& pairs) {
  if (task > 0) pairs.emplace_back(0, task);
  for (u32 to = 1; task == 0 && to < round.tasks; ++to) pairs.emplace_back(0, to);
}

u32 shift_rounds(u32 tasks, u32 /*argument*/) { return tasks - 1; }

/// Smallest side of which `dimensions` make up `count` or more.
u64 side_of(u64 count, u32 dimensions) {
  const auto covers = [&](u64 side) {
    u64 product = 1;
    for (u32 d = 0; d < dimensions; ++d) product *= side;
    return product >= count;
  };
  u64 side = static_cast<u64>(std::pow(static_cast<double>(count), 1.0 / dimensions));
  while (!covers(side)) ++side;
  while (side > 1 && covers(side - 1)) --side;
  return side;
}

/// Adds those that a task on a torus of as equal sides as possible, the first coordinate fastest, sends to. The last
/// plane may have gaps, which are stepped over.
void add_neighbours(const PatternRound& round, u64 task, std::vector<u32>& neighbours) {
  u64 left = round.tasks, stride = 1;
  for (u32 d = round.argument / 2; d > 0; --d) {
    const u64 side = side_of(left, d);
    left = (left + side - 1) / side;
    const u64 place = task / stride % side, base = task - place * stride;
    for (const u64 step : {u64{1}, side - 1}) {
      u64 at = (place + step) % side;
      while (base + at * stride >= round.tasks) at = (at + step) % side;
      const u32 other = static_cast<u32>(base + at * stride);
      if (other != task && std::ranges::find(neighbours, other) == neighbours.end()) neighbours.push_back(other);
    }
    stride *= side;
  }
}

/// Whom a task sends to sends to it, too: the tasks of a line are a ring, whatever its gaps.
void neighbours_of(const PatternRound& round, u32 task, Pairs& pairs) {
  std::vector<u32> to;
  add_neighbours(round, task, to);
  std::vector<u32> from = to;
  std::ranges::sort(from);
  const auto behind = std::ranges::lower_bound(from, task);
  for (auto other = from.begin(); other != behind; ++other) pairs.emplace_back(*other, task);
  for (const u32 other : to) pairs.emplace_back(task, other);
  for (auto other = behind; other != from.end(); ++other) pairs.emplace_back(*other, task);
}

void fill_bridge(const PatternRound& round, Pairs& pairs) {
  const auto& leaves = *round.leaves;
  std::vector<u32> order, hosts;
  random_order(round.bits, static_cast<u32>(leaves.size()), order);
  for (u32 k = 0; k + 1 < order.size(); k += 2) {
    const auto& from = leaves[order[k]];
    const auto& to = leaves[order[k + 1]];
    random_order(engine::remix(round.bits, k), static_cast<u32>(to.size()), hosts);
    for (u32 h = 0; h < std::min(from.size(), to.size()); ++h) pairs.emplace_back(from[h], to[hosts[h]]);
  }
}

bool add(const std::string& name, FlowPattern pattern) {
  return FlowPatternRegistry::instance().add(name, std::move(pattern));
}

[[maybe_unused]] const bool patterns_registered[] = {
    add("bisect", {.help = "a random half sends to the other, each host to one",
                   .argument = "",
                   .random = true,
                   .rounds = one_round,
                   .fill = fill_bisect}),
    add("dissemination", {.help = "in round k each task sends to the one 2^k further on",
                          .argument = "",
                          .rounds = doubling_rounds,
                          .fill = fill_from<dissemination_of>,
                          .pairs_of_task = dissemination_of,
                          .tasks_alike = true}),
    add("tree", {.help = "binomial tree: in round k the first 2^k tasks send to the next 2^k",
                 .argument = "",
                 .rounds = doubling_rounds,
                 .fill = fill_from<tree_of>,
                 .pairs_of_task = tree_of}),
    add("neighbours",
        {.help = "2, 4 or 6 nearest neighbours in 1, 2 or 3 dimensions, all at once; bandwidths are multiplied by N",
         .argument = "N",
         .rounds = one_round,
         .fill = fill_from<neighbours_of>,
         .scale = [](u32 argument) { return argument; },
         .pairs_of_task = neighbours_of}),
    add("ring", {.help = "each task sends to the next",
                 .argument = "",
                 .rounds = one_round,
                 .fill = fill_from<ring_of>,
                 .pairs_of_task = ring_of,
                 .tasks_alike = true}),
    add("recursive-doubling", {.help = "in round k tasks exchange with those whose number differs in bit k",
                               .argument = "",
                               .rounds = recursive_rounds,
                               .fill = fill_from<recursive_doubling_of>,
                               .pairs_of_task = recursive_doubling_of}),
    add("all-to-all", {.help = "in round k each task sends to the one k further on, for every k",
                       .argument = "",
                       .rounds = shift_rounds,
                       .fill = fill_from<all_to_all_of>,
                       .pairs_of_task = all_to_all_of,
                       .tasks_alike = true}),
    add("pairwise-exchange", {.help = "in round k tasks exchange with the one whose number differs in the bits of k; "
                                      "with tasks that are no power of two, all-to-all",
                              .argument = "",
                              .rounds = shift_rounds,
                              .fill = fill_from<pairwise_exchange_of>,
                              .pairs_of_task = pairwise_exchange_of,
                              .tasks_alike = true}),
    add("pipeline", {.help = "each task but the last sends to the next, as in a chain that is filled",
                     .argument = "",
                     .rounds = one_round,
                     .fill = fill_from<pipeline_of>,
                     .pairs_of_task = pipeline_of}),
    add("gather", {.help = "all others send to task 0 at once",
                   .argument = "",
                   .rounds = one_round,
                   .fill = fill_from<gather_of>,
                   .pairs_of_task = gather_of}),
    add("scatter", {.help = "task 0 sends to all others at once",
                    .argument = "",
                    .rounds = one_round,
                    .fill = fill_from<scatter_of>,
                    .pairs_of_task = scatter_of}),
    add("bridge", {.help = "leaf switches in random pairs; all hosts of one send to those of the other",
                   .argument = "",
                   .random = true,
                   .placed = true,
                   .rounds = one_round,
                   .fill = fill_bridge}),
};

}  // namespace

PatternChoice pattern_named(const std::string& name, const std::string& besides) {
  const std::size_t colon = name.find(':');
  PatternChoice choice{name, FlowPatternRegistry::instance().find(name.substr(0, colon)), 0};
  if (choice.pattern == nullptr) {
    std::vector<std::string> names;
    for (const std::string& each : FlowPatternRegistry::instance().names()) {
      const std::string argument = FlowPatternRegistry::instance().find(each)->argument;
      names.push_back(argument.empty() ? each : each + ":" + argument);
    }
    throw ConfigError(
        fmt::format("there is no pattern '{}'; take one of {}, or {}", shown(name), fmt::join(names, ", "), besides));
  }
  const std::string argument = colon == std::string::npos ? "" : name.substr(colon + 1);
  if (choice.pattern->argument.empty()) {
    if (colon == std::string::npos) return choice;
    throw ConfigError(fmt::format("pattern '{}' has a number too many ({} takes none); write {}", shown(name),
                                  name.substr(0, colon), name.substr(0, colon)));
  }
  choice.argument = parsed<decltype(choice.argument)>(argument).value_or(0);
  if ((choice.argument != 2 && choice.argument != 4 && choice.argument != 6)) {
    throw ConfigError(
        fmt::format("pattern '{}' does not say how many neighbours (2, 4 or 6, in 1, 2 or 3 dimensions); "
                    "write for example neighbours:6",
                    shown(name)));
  }
  return choice;
}

void random_order(u64 bits, u32 count, std::vector<u32>& order) {
  order.resize(count);
  for (u32 k = 0; k < count; ++k) {  // inside out: no second pass
    const u32 at = engine::scale_to(engine::remix(bits, k), k + 1);
    order[k] = order[at];
    order[at] = k;
  }
}

}  // namespace weft::workloads
