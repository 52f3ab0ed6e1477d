// What patterns of communication get from a routed fabric: one pattern after the other, each a function of its number
// alone.
#pragma once

#include <array>
#include <vector>

#include "models/subnet/congestion.hpp"
#include "workloads/generator/patterns.hpp"

namespace weft::tools {

enum class Mapping : u8 { random, linear, listed };
/// Which address of a host with several is sent to: the first; each in turn, and the mean of all or the best counts; or
/// the k-th route of a round goes to address k modulo their number.
enum class LidChoice : u8 { first, average, best, round_robin };

struct FlowSettings {
  workloads::PatternChoice pattern;        ///< none if `pairs` are given
  std::vector<workloads::TaskPair> pairs;  ///< hosts
  Mapping mapping = Mapping::random;
  std::vector<u32> hosts;  ///< of the tasks, if listed
  LidChoice lid = LidChoice::first;
  u64 seed = 1;
  bool both_ways = false;  ///< the second of each pair sends to the first as well
};

/// One round of a pattern: who sends to whom, and how congested that route is, [route].
struct RoutedRound {
  std::vector<workloads::TaskPair> hosts;
  std::vector<double> congestion;
};

/// One pattern. Bandwidths are fractions of that of a link.
struct FlowResult {
  double bandwidth = 0;  ///< mean of 1 / congestion over the routes of all rounds, times the pattern's scale
  /// Mean over the rounds of the mean and of the largest congestion of their routes: pi_sum_avg and pi_sum_max of the
  /// paper.
  double pi_avg = 0, pi_max = 0;
  /// Mean over tasks and rounds of what a task gets that sends its messages of a round side by side and waits for the
  /// last word of all: their number / the sum of their congestions. With one message each it is `bandwidth`.
  double task_avg = 0;
  double sum_avg = 0;            ///< optimistic, as the paper has it: scale / pi_avg
  double sum_max = 0;            ///< pessimistic, all wait for the slowest in each round: scale / pi_max
  std::vector<u64> congestions;  ///< routes by their congestion, [models::congestion_bin]
};
/// All of a result but its counts, in the order in which they are sent.
inline constexpr std::array flow_figures = {&FlowResult::bandwidth, &FlowResult::task_avg, &FlowResult::sum_avg,
                                            &FlowResult::sum_max,   &FlowResult::pi_avg,   &FlowResult::pi_max};

/// Adds counts place by place; either may have fewer.
void add_to(std::vector<u64>& counts, const std::vector<u64>& more);

class FlowExperiment {
 public:
  /// Keeps references to both. Throws ConfigError if there are fewer than two hosts.
  FlowExperiment(const models::Subnet& subnet, const models::ForwardingTables& tables, FlowSettings settings);

  /// Whether all patterns are the same: one says it all.
  [[nodiscard]] bool same_each_time() const;
  [[nodiscard]] u32 tasks() const { return static_cast<u32>(hosts_.size()); }
  [[nodiscard]] u32 scale() const;
  [[nodiscard]] const FlowSettings& settings() const { return settings_; }
  /// The pattern of this number, and its rounds if they are wanted. Throws StuckError for a route that does not arrive.
  [[nodiscard]] FlowResult measure(u64 index, std::vector<RoutedRound>* rounds = nullptr);
  /// Congestion of the last round measured, [route].
  [[nodiscard]] const std::vector<double>& last_congestion() const { return congestion_; }

 private:
  [[nodiscard]] FlowResult measure_at(u64 index, u32 address, std::vector<RoutedRound>* rounds);
  void fill_routes(const workloads::PatternRound& round, u32 address);
  void keep_round(std::vector<RoutedRound>& rounds) const;
  /// Mean fraction of a link of all routes of a pattern; `shares`: their sum where congestions are no whole numbers.
  void take_mean(double shares, FlowResult& result) const;

  const models::Subnet& subnet_;
  const models::ForwardingTables& tables_;
  FlowSettings settings_;
  models::CongestionCounter counter_;
  std::vector<u32> hosts_;                ///< [task]
  std::vector<u32> order_;                ///< [task]: index into hosts_, if the mapping is random
  std::vector<std::vector<u32>> leaves_;  ///< hosts of each switch with some
  u32 addresses_ = 1;                     ///< most that a host has
  std::vector<workloads::TaskPair> pairs_;
  std::vector<models::FlowRoute> routes_;
  std::vector<double> congestion_;
};

}  // namespace weft::tools
