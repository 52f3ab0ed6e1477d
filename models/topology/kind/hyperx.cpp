// Wiring and closed forms of HyperX networks.
#include "models/topology/kind/hyperx.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

HyperX::HyperX(std::vector<u32> dims, std::vector<u32> widths, u32 nodes_per_router)
    : dims_(std::move(dims)), widths_(std::move(widths)), first_ports_{0}, nodes_per_router_(nodes_per_router) {
  for (u32 d = 0; d < dimensions(); ++d) {
    strides_.push_back(routers_);
    routers_ *= dims_[d];
    first_ports_.push_back(first_ports_.back() + (dims_[d] - 1) * widths_[d]);
  }
}

u32 HyperX::dimension_of(u32 port) const {
  u32 d = 0;
  while (port >= first_ports_[d + 1]) ++d;
  return d;
}

u32 HyperX::hops(u32 from, u32 to) const {
  u32 differ = 0;
  for (u32 d = 0; d < dimensions(); ++d) differ += coordinate(from, d) != coordinate(to, d) ? 1 : 0;
  return differ;
}

Peer HyperX::peer(RouterId router, u32 port) const {
  WEFT_ASSERT(router.value() < routers_ && port < ports(router));
  const u32 here = router.value();
  if (port >= first_node_port()) return {Peer::Kind::node, here * nodes_per_router_ + port - first_node_port(), 0};
  const u32 d = dimension_of(port), number = port - first_ports_[d], at = coordinate(here, d);
  const u32 other = number / widths_[d], to = other < at ? other : other + 1;
  return {Peer::Kind::router, moved(here, d, to), this->port(d, to, at, number % widths_[d])};
}

u32 HyperX::diameter() const {
  return 2 + static_cast<u32>(std::ranges::count_if(dims_, [](u32 k) { return k > 1; }));
}

double HyperX::mean_distance() const {
  const double all = nodes();
  double hops = 0;
  for (const u32 k : dims_) hops += 1 - 1.0 / k;
  return 2 + hops * all / (all - 1);
}

double HyperX::uniform_load_bound() const {
  const double all = nodes();
  double bound = 1;
  for (u32 d = 0; d < dimensions(); ++d) {
    if (dims_[d] == 1) continue;
    // Each of the other k - 1 coordinates gets 1/k of the load of a router's p nodes, over the links to one router.
    const double load = nodes_per_router_ * all / (dims_[d] * (all - 1));
    bound = std::min(bound, widths_[d] / load);
  }
  return bound;
}

u64 HyperX::router_links() const {
  u64 ends = 0;
  for (u32 d = 0; d < dimensions(); ++d) ends += u64{routers_} * (dims_[d] - 1) * widths_[d];
  return ends / 2;
}

std::string HyperX::name() const {
  const bool alike = std::ranges::all_of(widths_, [](u32 w) { return w == 1; });
  return fmt::format("{} HyperX of {} node{} a router{}", dims_text(dims_), nodes_per_router_,
                     nodes_per_router_ == 1 ? "" : "s",
                     alike ? "" : fmt::format(", {} links to a neighbour", fmt::join(widths_, ":")));
}

std::vector<std::pair<std::string, std::string>> HyperX::facts() const {
  u64 least = ~u64{0};
  u32 across = 0, narrowest = ~u32{0};
  double per_node = 0;
  for (u32 d = 0; d < dimensions(); ++d) {
    if (dims_[d] == 1) continue;
    narrowest = std::min(narrowest, widths_[d]);
    const u64 lines = routers_ / dims_[d], half = dims_[d] / 2, rest = dims_[d] - half;
    if (half * rest * widths_[d] * lines >= least) continue;
    least = half * rest * widths_[d] * lines;
    across = d;
    per_node = static_cast<double>(rest * widths_[d]) / nodes_per_router_;
  }
  return {{"diameter, mean distance, load bound", "closed forms"},
          {"ports of a router, those of its nodes included", std::to_string(ports(RouterId{0}))},
          {"links across the middle", fmt::format("{} (dimension {})", least, across)},
          {"links across the middle for each node of the smaller half", fmt::format("{:.4g}", per_node)},
          {"load at which two routers' nodes fill the links between them",
           fmt::format("{:.4g}", std::min(1.0, static_cast<double>(narrowest) / nodes_per_router_))}};
}

std::string HyperX::link_name(RouterId router, u32 port) const {
  if (port >= first_node_port()) return fmt::format("node port {}", port - first_node_port());
  const u32 d = dimension_of(port), number = port - first_ports_[d], other = number / widths_[d];
  const std::string link = widths_[d] == 1 ? "" : fmt::format(" link {}", number % widths_[d]);
  return fmt::format("dimension {} to {}{}", d, other < coordinate(router.value(), d) ? other : other + 1, link);
}

RegularPartition HyperX::regular_partition(u32 parts) const {
  RegularPartition result{"slabs", {}, routers_ % parts == 0, "it has fewer routers"};
  if (parts > routers_) return result;
  result.part_of = [all = routers_, parts](u32 router) { return static_cast<u32>(u64{router} * parts / all); };
  return result;
}

namespace {

const std::string hyperx_in_words = "a HyperX";
constexpr i64 most_nodes_a_router = 65'536, most_width = 1024;
/// Most ports of all routers together.
constexpr u64 most_ports = u64{1} << 31;

/// Ports to other routers; fits 64 bits for whatever `checked_dims` lets pass.
u64 hyperx_ports(const std::vector<i64>& dims, const std::vector<i64>& widths) {
  u64 ports = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) ports += static_cast<u64>(dims[d] - 1) * static_cast<u64>(widths[d]);
  return ports;
}

std::vector<i64> checked_widths(const Parameters& keys, std::size_t dimensions) {
  const std::vector<i64> asked = keys.has("widths") ? keys.integers("widths") : std::vector<i64>{};
  if (asked.empty()) return std::vector<i64>(dimensions, 1);
  std::vector<i64> valid = asked;
  valid.resize(dimensions, 1);
  for (i64& w : valid) w = std::clamp<i64>(w, 1, most_width);
  if (valid != asked) {
    refuse_shape("widths", list_text(asked),
                 asked.size() != dimensions ? fmt::format("{} numbers for {} dimensions", asked.size(), dimensions)
                                            : fmt::format("1 to {} links join two routers of a dimension", most_width),
                 "widths = " + list_text(valid));
  }
  return valid;
}

/// Refuses more than `most_ports`: nodes if that is enough, else widths, else routers.
void check_ports(const std::vector<i64>& dims, const std::vector<i64>& widths, u64 nodes) {
  const auto fit = [&](const std::vector<i64>& sizes, const std::vector<i64>& links, u64 of_nodes) {
    return hyperx_ports(sizes, links) + of_nodes <= most_ports / product_up_to(sizes, most_nodes);
  };
  if (fit(dims, widths, nodes)) return;
  const std::string reason = fmt::format("more than {} ports in all routers together", most_ports);
  if (fit(dims, widths, 1)) {
    const u64 most = most_ports / product_up_to(dims, most_nodes) - hyperx_ports(dims, widths);
    refuse_shape("nodes_per_router", std::to_string(nodes), reason, fmt::format("nodes_per_router = {}", most));
  }
  if (fit(dims, std::vector<i64>(dims.size(), 1), nodes)) {
    std::vector<i64> fewer = widths;
    while (!fit(dims, fewer, nodes)) --*std::ranges::max_element(fewer);
    refuse_shape("widths", list_text(widths), reason, "widths = " + list_text(fewer));
  }
  std::vector<i64> smaller = dims;
  while (!fit(smaller, widths, nodes)) {
    i64& largest = *std::ranges::max_element(smaller);
    largest -= std::max<i64>(1, largest / 1024);
  }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    while (smaller[d] < dims[d] && fit(smaller, widths, nodes)) ++smaller[d];
    if (!fit(smaller, widths, nodes)) --smaller[d];
  }
  refuse_shape("dims", list_text(dims), reason, "dims = " + list_text(smaller));
}

std::unique_ptr<Topology> make_hyperx(const Parameters& keys) {
  const std::vector<u32> dims = checked_dims(keys, {1, 16, hyperx_in_words});
  const std::vector<i64> sizes(dims.begin(), dims.end());
  const std::vector<i64> widths = checked_widths(keys, dims.size());
  const u64 routers = product_up_to(sizes, most_nodes);
  const u32 nodes = checked_count(keys, "nodes_per_router", {1, most_nodes_a_router}, hyperx_in_words, 4);
  if (routers * nodes > most_nodes) {
    refuse_shape("nodes_per_router", std::to_string(nodes), fmt::format("more than {} nodes", most_nodes),
                 fmt::format("nodes_per_router = {}", most_nodes / routers));
  }
  check_ports(sizes, widths, nodes);
  return std::make_unique<HyperX>(dims, std::vector<u32>(widths.begin(), widths.end()), nodes);
}

[[maybe_unused]] const bool hyperx_registered = TopologyRegistry::instance().add(
    "hyperx",
    {.help = "routers on a grid, joined all to all along each line; flattened butterflies; keys: dims, "
             "nodes_per_router, widths",
     .family = "hyperx",
     .router = "hyperx",
     .partition = "slabs",
     .settings = {dims_row("routers in each dimension, e.g. [8, 8]."),
                  row::integer("topology.nodes_per_router", "nodes", std::nullopt, {1, most_nodes_a_router},
                               "nodes of a router, each with a link of its own."),
                  row::integers("topology.widths", "links", {1, most_width},
                                "links between two routers of a line, for each dimension, e.g. [1, 2]; one each if "
                                "the list is empty."),
                  row::integer("link.global.latency_cycles", "cycles", std::nullopt, {1, 1'000'000},
                               "latency of the links of all dimensions but the first; that of all links if it is not "
                               "given."),
                  row::real("link.global.phits_per_cycle", "phits/cycle", std::nullopt, row::link_rates,
                            "rate of the same links; that of all links if it is not given."),
                  row::real("link.global.rate_gbps", "10^9 bit/s", std::nullopt, {0.0, 1e6},
                            "the same as a data rate, beside link.rate_gbps.")},
     .make = make_hyperx,
     .example = {{"dims", std::vector<i64>{3, 2}}, {"nodes_per_router", i64{2}}, {"widths", std::vector<i64>{1, 2}}}});

/// Equal sides s in 1 to 3 dimensions; with s nodes a router its bisection is as wide as they can use.
std::vector<Parameters> hyperx_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  for (u32 dimensions = 1; dimensions <= 3; ++dimensions) {
    const double balanced = std::pow(wish.nodes, 1.0 / (dimensions + 1));
    for (const i64 side : numbers_near(balanced, 2)) {
      if (side < 2) continue;
      const double nodes = wish.nodes / std::pow(side, dimensions);
      shapes.push_back(
          {{"dims", std::vector<i64>(dimensions, side)}, {"nodes_per_router", std::max<i64>(1, std::llround(nodes))}});
    }
  }
  return shapes;
}

[[maybe_unused]] const bool hyperx_near_registered = add_shapes_near("hyperx", hyperx_near);

}  // namespace
}  // namespace weft::models
