// Counts the nodes at each distance of a source.
#include "workloads/traffic/pattern/by_distance.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/shares.hpp"

namespace weft::workloads {
namespace {

/// 512 MiB in all processes together.
constexpr u32 most_nodes_by_distance = 1 << 14;

}  // namespace

ByDistance::ByDistance(const PatternSpec& spec, const std::string& name, std::vector<double> weights, Weight weight)
    : nodes_(spec.nodes), distance_(spec.distance), weights_(std::move(weights)), weight_(weight) {
  const std::string pattern = fmt::format("workload.pattern \"{}\"", name);
  if (!distance_) {
    throw ConfigError(pattern +
                      " is not possible here (the network has no distances); use another one, e.g. \"uniform\", or a "
                      "network with links");
  }
  if (nodes_ > most_nodes_by_distance) {
    throw ConfigError(fmt::format(
        "{} is not possible with {} nodes (it sorts the nodes around each, for at most {} nodes); use a smaller "
        "network, or another pattern, e.g. \"stencil\"",
        pattern, nodes_, most_nodes_by_distance));
  }
  around_.resize(nodes_);
  for (u32 source = 0; source < nodes_; ++source) {
    if (sends(NodeId(source))) return;
  }
  throw ConfigError(pattern +
                    " sends nothing on this network (no node is at a distance with a weight above 0); use "
                    "weights of distances that there are, from 1 on");
}

bool ByDistance::sends(NodeId source) const {
  for (u32 node = 0; node < nodes_; ++node) {
    if (node == source.value()) continue;
    const u32 distance = distance_(source.value(), node);
    if (distance != 0 && weight_at(distance) > 0) return true;
  }
  return false;
}

const ByDistance::Around& ByDistance::around(u32 source) const {
  std::unique_ptr<const Around>& known = around_[source];
  if (known) return *known;
  std::vector<std::vector<u16>> at;  // [distance]
  for (u32 node = 0; node < nodes_; ++node) {
    const u32 distance = node == source ? 0 : distance_(source, node);
    if (distance == 0 || weight_at(distance) == 0) continue;
    if (distance >= at.size()) at.resize(distance + 1);
    at[distance].push_back(static_cast<u16>(node));
  }
  auto found = std::make_unique<Around>();
  std::vector<double> weights;
  for (u32 distance = 1; distance < at.size(); ++distance) {
    const std::vector<u16>& ring = at[distance];
    if (ring.empty()) continue;
    found->rings.push_back({static_cast<u32>(found->nodes.size()), static_cast<u32>(ring.size())});
    found->nodes.insert(found->nodes.end(), ring.begin(), ring.end());
    weights.push_back(weight_at(distance) * (weight_ == Weight::of_node ? static_cast<double>(ring.size()) : 1.0));
  }
  found->shares = shares_of(weights);
  known = std::move(found);
  return *known;
}

NodeId ByDistance::destination(NodeId source, const PacketDraw& packet) const {
  const Around& near = around(source.value());
  if (near.rings.empty()) return source;
  const Ring ring = near.rings[share_of(near.shares, engine::remix(packet.bits, draw_of_share))];
  return NodeId(near.nodes[ring.first + engine::scale_to(packet.bits, ring.count)]);
}

}  // namespace weft::workloads
