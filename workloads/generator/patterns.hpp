// Communication patterns as sets of pairs that send at the same time: what the bandwidth of a routed fabric is judged
// by, at flow level and by messages.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// A task and the one it sends to.
using TaskPair = std::pair<u32, u32>;

/// One round of a pattern, to be filled with pairs.
struct PatternRound {
  u32 tasks = 0;
  u32 round = 0;
  u32 argument = 0;                                       ///< N of neighbours:N
  u64 bits = 0;                                           ///< randomness of this pattern, the same in all of its rounds
  const std::vector<std::vector<u32>>* leaves = nullptr;  ///< hosts of each switch that has some
};

/// A kind of pattern as it registers itself.
struct FlowPattern {
  std::string help;
  std::string argument;  ///< "N": one follows the name after a colon; empty: none
  bool random = false;   ///< differs from one to the next by itself; the pairs of others do by their mapping only
  bool placed = false;   ///< the pairs are hosts, not tasks: no mapping
  std::function<u32(u32 tasks, u32 argument)> rounds;
  std::function<void(const PatternRound&, std::vector<TaskPair>&)> fill;
  /// Messages that every task sends at the same time: bandwidths are multiplied by it.
  std::function<u32(u32 argument)> scale = [](u32 /*argument*/) { return 1U; };
  /// The pairs of a round that a task is in, in the order in which `fill` has them; those of patterns of many rounds
  /// would take too much memory. Empty: only `fill` knows.
  std::function<void(const PatternRound&, u32 task, std::vector<TaskPair>&)> pairs_of_task = {};
  bool tasks_alike = false;  ///< in each round every task sends as many messages, and gets as many
};
using FlowPatternRegistry = Registry<FlowPattern>;

/// A pattern by its name as users write it: "bisect", "neighbours:6". Throws ConfigError for what is none, with those
/// there are, and what else the user may say.
struct PatternChoice {
  std::string name;
  const FlowPattern* pattern = nullptr;
  u32 argument = 0;
};
[[nodiscard]] PatternChoice pattern_named(const std::string& name, const std::string& besides = "file:PATH");

/// A random order of 0..count-1, a function of `bits`.
void random_order(u64 bits, u32 count, std::vector<u32>& order);

}  // namespace weft::workloads
