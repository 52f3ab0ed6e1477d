// Groups of routers of which any two are joined: which of their ports lead to which other group, how many groups there
// may be, and how to share them out. What dragonflies of any kind have alike.
#pragma once

#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// G groups with so many global ports each, numbered from 0 in a group. Between any two there are L = ports / (G - 1)
/// links, rounded down; link l of a group is at its port l * (G - 1) + k, where k < G - 1 follows from the two groups
/// by the arrangement. Ports from L * (G - 1) on are not connected.
class GlobalLinks {
 public:
  /// Which group the k-th port of group g leads to, all modulo G, and to which port there (Hastings et al., CLUSTER
  /// 2015; palm-tree: Camarero, Vallejo, Beivide, ACM TACO 11(4), 2014).
  enum class Arrangement : u8 {
    relative,   ///< g + k + 1; port G - 2 - k
    absolute,   ///< k, port g - 1; for k >= g: k + 1, port g
    circulant,  ///< k even: g + k/2 + 1, odd: g - (k + 1)/2; port k xor 1, or k if that is the last and even
    palm_tree   ///< g - k - 1; port G - 2 - k
  };
  /// A port of a group.
  struct Port {
    u32 group, port;
  };
  /// Consecutive ones of the links between two groups, by number.
  struct Range {
    u32 first = 0, count = 0;
  };

  GlobalLinks(u32 groups, u32 ports, Arrangement arrangement)
      : groups_(groups), links_between_(ports / (groups - 1)), arrangement_(arrangement) {}

  [[nodiscard]] u32 groups() const { return groups_; }
  [[nodiscard]] u32 links_between() const { return links_between_; }
  [[nodiscard]] bool connected(u32 port) const { return port / (groups_ - 1) < links_between_; }
  /// Where a connected port leads.
  [[nodiscard]] Port far(Port near) const;
  /// Port of group `from` for the l-th link to group `to`.
  [[nodiscard]] u32 port(u32 from, u32 to, u32 l) const { return l * (groups_ - 1) + towards(from, to); }
  /// Links from one group to another that are at ports first..first + count - 1.
  [[nodiscard]] Range links_at(u32 from, u32 to, u32 first, u32 count) const;

 private:
  /// Where the k-th port of a group leads to, k below G - 1.
  [[nodiscard]] u32 far_group(u32 group, u32 k) const;
  /// The k of group `from` that leads to group `to`.
  [[nodiscard]] u32 towards(u32 from, u32 to) const;

  u32 groups_, links_between_;
  Arrangement arrangement_;
};

/// "relative", "palm-tree"
[[nodiscard]] std::string arrangement_name(GlobalLinks::Arrangement arrangement);
/// topology.arrangement, relative if it is not given.
[[nodiscard]] GlobalLinks::Arrangement arrangement_of(const Parameters& keys);

/// What a group has, for checks of topology.groups.
struct GroupSize {
  u32 nodes_per_router, routers_with_nodes, routers;
  u32 routers_with_links, global_links;
  std::string network;     ///< "a dragonfly"
  std::string with_links;  ///< what the routers with links to other groups are called: "routers"
};
/// How many groups there are to be: as many as links reach if topology.groups is not given. Throws ConfigError if there
/// would be less than two, more than links reach, or too many nodes or routers.
[[nodiscard]] u32 checked_groups(const Parameters& keys, const GroupSize& group);

/// Most of what topology keys count in a router or group.
inline constexpr i64 most_in_a_group = 65'536;
/// A key that counts something in a router or group.
[[nodiscard]] Setting count_row(const std::string& key, const std::string& unit, const std::string& help);
/// groups, arrangement, and the latency and rate of the links between groups; `all`: how many groups links reach.
[[nodiscard]] std::vector<Setting> global_link_rows(const std::string& all);

/// Whole groups, neighbours by number: only links between groups are cut. Routers are numbered group by group.
[[nodiscard]] RegularPartition group_partition(u32 groups, u32 routers_of_group, u32 parts);

}  // namespace weft::models
