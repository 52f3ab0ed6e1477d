// A routed fabric in figures that can be compared: with those of other engines, or of the fabric after a loss.
#pragma once

#include <vector>

#include "engine/transport.hpp"
#include "models/subnet/forwarding.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/subnet.hpp"
#include "tools/fabric/flow_runs.hpp"

namespace weft::tools {

struct RoutedState {
  u64 links = 0;             ///< between switches
  u64 routes = 0, lost = 0;  ///< between hosts of the set; those that do not arrive
  u64 lost_pairs = 0;        ///< pairs of hosts of the set whose route to the first address does not arrive
  u64 longest = 0;           ///< links of the longest route
  double mean_links = 0;     ///< of those that arrive
  u64 most_routes = 0;       ///< on any channel between switches, those of all hosts
  double mean_routes = 0;    ///< over the channels between switches that have some
  u32 tangles = 0;           ///< groups of channels in credit loops
  u64 looped_channels = 0;
  u32 layers = 1;      ///< virtual layers that the engine uses: credit loops of all together may be broken by them
  bool judged = true;  ///< false: bandwidths are not known since routes are lost, or there are no two hosts
  double bandwidth = 0, ci95 = 0;  ///< of random bisections, as `weft fabric ebb` measures them
  /// What every host sends if all send to all others at once, as fraction of the usual link's rate: (hosts - 1) * the
  /// least over all channels, hosts' own included, of its rate / the routes to first addresses on it.
  double all_to_all = 0;
  std::vector<double> bandwidths;  ///< [pattern] of the bisections
};

struct StateChoice {
  std::vector<u32> hosts;  ///< whose routes count and who send
  u64 patterns = 1000, seed = 1;
  u32 layers = 1;
  bool credit_loops = true;  ///< whether to look for them
  double usual_rate = 0;     ///< rate that fractions refer to, where it is not this fabric's own usual one; 0: it is
};
[[nodiscard]] RoutedState state_of(const models::Subnet& subnet, const models::ForwardingTables& tables,
                                   const StateChoice& choice);
/// The state with the patterns shared out over the ranks; the bandwidth is on rank 0 only. Collective.
[[nodiscard]] RoutedState state_of(const models::Subnet& subnet, const models::ForwardingTables& tables,
                                   const StateChoice& choice, engine::Transport& transport, Progress& progress);

/// An all-to-all in steps: in step k each of these hosts sends to the one k further on. What everyone gets of the usual
/// link's rate if each step waits for its slowest route. It takes hosts^2 routes: for most_shift_hosts at most.
[[nodiscard]] double shift_bandwidth(const models::Subnet& subnet, const models::ForwardingTables& tables,
                                     const StateChoice& choice);
constexpr std::size_t most_shift_hosts = 4096;

/// RoutedState::all_to_all of these hosts, two or more.
[[nodiscard]] double all_to_all_bandwidth(const models::Subnet& subnet, const models::ForwardingTables& tables,
                                          const std::vector<u32>& hosts);

/// Mean number of routes over the channels between switches that have some; 0 if none has.
[[nodiscard]] double mean_load(const models::Subnet& subnet, const models::RouteSurvey& survey);

/// The routes on each channel, counted by how much slower than usual its link is: on one of a quarter of the usual rate
/// a route counts as four.
[[nodiscard]] models::RouteSurvey routes_by_rates(const models::Subnet& subnet, const models::RouteSurvey& survey);

/// The hosts of the part of the fabric that has most of them; of several parts alike, the first.
[[nodiscard]] std::vector<u32> largest_part(const models::Subnet& subnet);

}  // namespace weft::tools
