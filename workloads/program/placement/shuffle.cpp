// Placement "shuffle": INSEE's, one node of each switch in turn.
#include <algorithm>

#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

/// [node]: how many nodes with smaller numbers its router has; without routers, as if all had two.
std::vector<u32> places_at_routers(const PlacementSpec& spec) {
  std::vector<u32> place(spec.nodes), taken;
  for (u32 node = 0; node < spec.nodes && spec.router_of; ++node) {
    const u32 router = spec.router_of(node);
    if (router >= taken.size()) taken.resize(router + std::size_t{1}, 0);
    place[node] = taken[router]++;
  }
  const bool one_each = std::ranges::all_of(place, [](u32 k) { return k == 0; });
  for (u32 node = 0; node < spec.nodes && one_each; ++node) place[node] = node % 2;
  return place;
}

std::vector<NodeId> shuffled(const PlacementSpec& spec) {
  const std::vector<u32> place = places_at_routers(spec);
  std::vector<NodeId> order;
  for (u32 node = 0; node < spec.nodes; ++node) order.emplace_back(node);
  std::ranges::stable_sort(order, {}, [&place](NodeId node) { return place[node.value()]; });
  return order;
}

[[maybe_unused]] const bool shuffle_registered = PlacementRegistry::instance().add(
    "shuffle",
    {.help = "one node of each router in turn; where routers have one node each, even nodes, then odd ones: a perfect "
             "shuffle of their numbers",
     .order = shuffled,
     .of_network = true});

}  // namespace
}  // namespace weft::workloads
