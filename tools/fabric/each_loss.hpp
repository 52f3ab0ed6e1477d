// What every link, or every switch, of a fabric is worth: each is taken away in turn, what is left is routed anew, and
// the losses are ranked.
#pragma once

#include <string>
#include <vector>

#include "engine/transport.hpp"
#include "models/subnet/subnet.hpp"
#include "tools/fabric/routed_state.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {

enum class EachOf : u8 { link, of_switch };

/// The fabric without one link or switch, beside the whole one.
struct Loss {
  u32 element = 0;     ///< channel of the switch at one end of the link, or the switch
  bool routed = true;  ///< false: the engine refuses what is left, and only what is cut off is known
  bool judged = true;  ///< false: bandwidths are not known, since routes are lost or no two hosts are left
  u32 hosts_cut = 0;   ///< hosts that had a path to the largest part
  u64 pairs_lost = 0;  ///< pairs of hosts (each to the other is one) without a path, or a route, that had one
  u64 longest = 0;     ///< links of the longest route
  u64 most_routes = 0;
  /// Bisections of the hosts that remain, of the whole fabric and of what is left; the same patterns in both.
  double bandwidth_before = 0, bandwidth_after = 0;
  double bandwidth_loss = 0;  ///< 1 - after / before; below 0: what is left is better
  double loss_ci95 = 0;       ///< of that, by the differences of patterns
  double all_to_all_before = 0, all_to_all_after = 0;
  [[nodiscard]] double all_to_all_loss() const {
    return all_to_all_before > 0 ? 1 - all_to_all_after / all_to_all_before : 0;
  }
};

struct LossRanking {
  RoutedState before;        ///< of all hosts of the largest part
  std::vector<Loss> losses;  ///< the worst first
  std::string refusal;       ///< why the engine refuses the first that it does; empty: it refuses none
};

enum class LossOrder : u8 { bisection, all_to_all };

struct LossChoice {
  EachOf each = EachOf::link;
  std::string engine;
  LossOrder order = LossOrder::bisection;
  u64 patterns = 1000, seed = 1;
};

/// All links between switches, a cable each (that of a host cuts this host off and harms nobody else), or all switches.
/// The worst are those that cut off most pairs of hosts, then those that cost most bandwidth of the kind that `order`
/// says, then of the other. Shared out over the ranks, one loss at a time; the ranking is on rank 0 and the same for
/// any number of them. Throws ConfigError if the engine refuses the whole fabric or it has nothing to take away.
/// Collective.
[[nodiscard]] LossRanking rank_losses(const models::Subnet& subnet, const LossChoice& choice,
                                      engine::Transport& transport, Progress& progress);

/// "leaf 1 port 17 - spine 3 port 1", "spine 3".
[[nodiscard]] std::string loss_name(const models::Subnet& subnet, EachOf each, u32 element);

}  // namespace weft::tools
