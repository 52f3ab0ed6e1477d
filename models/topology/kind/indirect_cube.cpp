// Wiring and closed forms of indirect cubes.
#include "models/topology/kind/indirect_cube.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/topology/boxes.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {

IndirectCube::IndirectCube(std::vector<u32> dims, u32 nodes_per_switch, u32 parallel_links)
    : dims_(std::move(dims)), nodes_per_switch_(nodes_per_switch), parallel_links_(parallel_links) {
  for (const u32 k : dims_) {
    strides_.push_back(switches_);
    switches_ *= k;
  }
}

Peer IndirectCube::peer(RouterId router, u32 port) const {
  WEFT_ASSERT(router.value() < switches_ && port < ports(router));
  if (port >= first_node_port()) {
    return {Peer::Kind::node, router.value() * nodes_per_switch_ + port - first_node_port(), 0};
  }
  const u32 direction = port / parallel_links_, d = direction / 2, k = dims_[d];
  if (k == 1) return {};
  const bool down = direction % 2 != 0;
  const u32 at = coordinate(router, d), to = (at + (down ? k - 1 : 1)) % k;
  return {Peer::Kind::router, router.value() - at * strides_[d] + to * strides_[d],
          link_port(d, !down, port % parallel_links_)};
}

u32 IndirectCube::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  u32 hops = 2;
  for (u32 d = 0; d < dimensions(); ++d) {
    const u32 a = coordinate(router_of(from), d), b = coordinate(router_of(to), d);
    const u32 straight = a < b ? b - a : a - b;
    hops += std::min(straight, dims_[d] - straight);
  }
  return hops;
}

u32 IndirectCube::diameter() const {
  u32 hops = 2;
  for (const u32 k : dims_) hops += k / 2;
  return hops;
}

double IndirectCube::mean_hops(u32 d) const {
  const double k = dims_[d], all = nodes();
  const double of_all_pairs = dims_[d] % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
  return of_all_pairs * all / (all - 1);
}

double IndirectCube::mean_distance() const {
  double hops = 2;
  for (u32 d = 0; d < dimensions(); ++d) hops += mean_hops(d);
  return hops;
}

/// All links of a dimension are alike, 2m in each direction out of a switch, and share the hops of its c nodes.
double IndirectCube::uniform_load_bound() const {
  double bound = 1.0;
  for (u32 d = 0; d < dimensions(); ++d) {
    if (dims_[d] > 1) bound = std::min(bound, 2.0 * parallel_links_ / (nodes_per_switch_ * mean_hops(d)));
  }
  return bound;
}

u64 IndirectCube::router_links() const {
  u64 links = 0;
  for (const u32 k : dims_) links += k > 1 ? u64{switches_} * parallel_links_ : 0;
  return links;
}

std::string IndirectCube::name() const {
  return fmt::format("{} indirect cube of {} nodes a switch{}", dims_text(dims_), nodes_per_switch_,
                     parallel_links_ == 1 ? "" : fmt::format(", {} links to a neighbour", parallel_links_));
}

std::vector<std::pair<std::string, std::string>> IndirectCube::facts() const {
  const u64 plane = u64{switches_} / *std::ranges::max_element(dims_);
  return {{"diameter, mean distance, load bound", "closed forms"},
          {"links across the middle of the longest dimension", std::to_string(2 * plane * parallel_links_)}};
}

std::string IndirectCube::link_name(RouterId /*router*/, u32 port) const {
  if (port >= first_node_port()) return fmt::format("node port {}", port - first_node_port());
  const u32 direction = port / parallel_links_;
  return fmt::format("dimension {}{} link {}", direction / 2, direction % 2 == 0 ? "+" : "-", port % parallel_links_);
}

RegularPartition IndirectCube::regular_partition(u32 parts) const {
  return {"boxes", box_partition({dims_, true, false}, parts), true, "its dimensions cannot be cut into so many"};
}

namespace {

const std::string indirect_cube_in_words = "an indirect cube";
constexpr i64 most_nodes_a_switch = 65'536, most_parallel_links = 1024;

std::unique_ptr<Topology> make_indirect_cube(const Parameters& keys) {
  const std::vector<u32> dims = checked_dims(keys, {1, 16, indirect_cube_in_words});
  const u32 nodes = checked_count(keys, "nodes_per_switch", {1, most_nodes_a_switch}, indirect_cube_in_words, 4);
  const u32 links = keys.has("parallel_links")
                        ? checked_count(keys, "parallel_links", {1, most_parallel_links}, indirect_cube_in_words, 1)
                        : 1;
  u64 switches = 1;
  for (const u32 k : dims) switches *= k;
  if (switches * nodes > most_nodes) {
    refuse_shape("nodes_per_switch", std::to_string(nodes), fmt::format("more than {} nodes", most_nodes),
                 fmt::format("nodes_per_switch = {}", most_nodes / switches));
  }
  return std::make_unique<IndirectCube>(dims, nodes, links);
}

[[maybe_unused]] const bool indirect_cube_registered = TopologyRegistry::instance().add(
    "indirect-cube",
    {.help = "torus of switches with several nodes each; keys: dims, nodes_per_switch, parallel_links",
     .family = "indirect-cube",
     .router = "indirect-cube",
     .partition = "boxes",
     .settings = {dims_row("switches in each dimension, e.g. [4, 4]."),
                  row::integer("topology.nodes_per_switch", "nodes", std::nullopt, {1, most_nodes_a_switch},
                               "nodes of a switch, each with a link of its own."),
                  row::integer("topology.parallel_links", "links", 1, {1, most_parallel_links},
                               "links between neighbouring switches.")},
     .make = make_indirect_cube,
     .example = {{"dims", std::vector<i64>{3, 2}}, {"nodes_per_switch", i64{2}}, {"parallel_links", i64{4}}}});

}  // namespace
}  // namespace weft::models
