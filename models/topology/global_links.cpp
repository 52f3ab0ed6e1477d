// Arrangements of the links between groups, and the keys that go with them.
#include "models/topology/global_links.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

/// In the order of GlobalLinks::Arrangement. A function, since registrations of other files ask before main begins.
const std::vector<std::string>& arrangement_words() {
  static const std::vector<std::string> words{"relative", "absolute", "circulant", "palm-tree"};
  return words;
}

}  // namespace

u32 GlobalLinks::far_group(u32 group, u32 k) const {
  switch (arrangement_) {
    case Arrangement::relative:
      return (group + k + 1) % groups_;
    case Arrangement::absolute:
      return k < group ? k : k + 1;
    case Arrangement::circulant:
      return (k % 2 == 0 ? group + k / 2 + 1 : group + groups_ - (k + 1) / 2) % groups_;
    case Arrangement::palm_tree:
      return (group + groups_ - k - 1) % groups_;
  }
  throw Bug("arrangement of global links without a rule");
}

u32 GlobalLinks::towards(u32 from, u32 to) const {
  const u32 up = (to + groups_ - from) % groups_;
  switch (arrangement_) {
    case Arrangement::relative:
      return up - 1;
    case Arrangement::absolute:
      return to < from ? to : to - 1;
    case Arrangement::circulant:
      return 2 * up <= groups_ ? 2 * (up - 1) : 2 * (groups_ - up) - 1;
    case Arrangement::palm_tree:
      return groups_ - up - 1;
  }
  throw Bug("arrangement of global links without a rule");
}

GlobalLinks::Port GlobalLinks::far(Port near) const {
  WEFT_ASSERT(connected(near.port));
  const u32 others = groups_ - 1, there = far_group(near.group, near.port % others);
  return {there, port(there, near.group, near.port / others)};
}

GlobalLinks::Range GlobalLinks::links_at(u32 from, u32 to, u32 first, u32 count) const {
  const u32 others = groups_ - 1, k = towards(from, to);
  // The least l with l * others + k >= first, and the least with that >= first + count.
  const auto least = [&](u32 at) { return std::min(at <= k ? 0 : (at - k + others - 1) / others, links_between_); };
  return {least(first), least(first + count) - least(first)};
}

std::string arrangement_name(GlobalLinks::Arrangement arrangement) {
  return arrangement_words()[static_cast<u32>(arrangement)];
}

GlobalLinks::Arrangement arrangement_of(const Parameters& keys) {
  if (!keys.has("arrangement")) return GlobalLinks::Arrangement::relative;
  const auto& words = arrangement_words();
  const auto found = std::ranges::find(words, keys.text("arrangement"));
  WEFT_ASSERT(found != words.end());
  return static_cast<GlobalLinks::Arrangement>(found - words.begin());
}

u32 checked_groups(const Parameters& keys, const GroupSize& group) {
  const u64 p = group.nodes_per_router, a = group.routers_with_nodes, h = group.global_links;
  if (group.routers_with_links * h > most_nodes) {
    refuse_shape("global_links", std::to_string(h), fmt::format("a group would have more than {} of them", most_nodes),
                 fmt::format("global_links = {}", most_nodes / group.routers_with_links));
  }
  const u64 all = group.routers_with_links * h + 1;
  const u64 most = std::min({all, most_nodes / (p * a), most_nodes / group.routers});
  const u64 asked = keys.has("groups") ? static_cast<u64>(std::max<i64>(keys.integer("groups"), 0)) : all;
  if (most < 2) {
    refuse_shape("nodes_per_router", std::to_string(p), fmt::format("more than {} nodes", most_nodes),
                 fmt::format("nodes_per_router = {}", std::max<u64>(1, most_nodes / 2 / a)));
  }
  if (asked < 2 || asked > most) {
    refuse_shape("groups", std::to_string(asked),
                 asked < 2 ? fmt::format("{} has at least 2 groups", group.network)
                 : asked > all
                     ? fmt::format("{} {} of {} global links reach {} other groups", group.routers_with_links,
                                   group.with_links, h, all - 1)
                     : fmt::format("more than {} {}", most_nodes, p * a >= group.routers ? "nodes" : "routers"),
                 fmt::format("groups = {}", std::clamp<u64>(asked, 2, most)));
  }
  return static_cast<u32>(asked);
}

Setting count_row(const std::string& key, const std::string& unit, const std::string& help) {
  return row::integer("topology." + key, unit, std::nullopt, {1, most_in_a_group}, help);
}

std::vector<Setting> global_link_rows(const std::string& all) {
  return {row::integer("topology.groups", "groups", std::nullopt, {2, i64{1} << 31},
                       fmt::format("number of groups; as many as links reach, {}, if it is not given. With fewer, two "
                                   "groups have as many links as fit.",
                                   all)),
          row::integer("link.global.latency_cycles", "cycles", std::nullopt, {1, 1'000'000},
                       "latency of the links between groups; that of all links if it is not given."),
          row::real("link.global.phits_per_cycle", "phits/cycle", std::nullopt, row::link_rates,
                    "rate of the links between groups; that of all links if it is not given."),
          row::real("link.global.rate_gbps", "10^9 bit/s", std::nullopt, {0.0, 1e6},
                    "the same as a data rate, beside link.rate_gbps."),
          row::choice("topology.arrangement", "relative", arrangement_words(),
                      "which global port of a group leads to which other group: counted up from the group on, by the "
                      "number of the other group, in turn up and down from the group, or counted down from it.")};
}

RegularPartition group_partition(u32 groups, u32 routers_of_group, u32 parts) {
  RegularPartition result{"groups", {}, groups % parts == 0, "it has fewer groups"};
  if (parts > groups) return result;
  result.part_of = [groups, routers_of_group, parts](u32 router) {
    return static_cast<u32>(u64{router / routers_of_group} * parts / groups);
  };
  return result;
}

}  // namespace weft::models
