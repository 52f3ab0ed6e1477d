// Wiring of twin tori, and their distances in closed form.
#include "models/topology/kind/twin_torus.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "models/topology/boxes.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

/// Mean distance in a ring over all ordered pairs, equal ones included.
double mean_offset(u32 size) {
  const double k = size;
  return size % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
}

/// Turns a mean over all ordered pairs of nodes into the mean over pairs of different nodes.
double different_pairs(u32 nodes) { return static_cast<double>(nodes) / (static_cast<double>(nodes) - 1); }

}  // namespace

TwinTorus::TwinTorus(std::vector<u32> dims) : dims_(std::move(dims)) {
  for (const u32 size : dims_) {
    strides_.push_back(torus_nodes_);
    torus_nodes_ *= size;
  }
}

Peer TwinTorus::peer(RouterId router, u32 port) const {
  WEFT_ASSERT(router.value() < routers() && port <= internal_port());
  if (port == internal_port()) return {Peer::Kind::router, router.value() ^ 1U, port};
  const u32 ring_port = card(router.value()) * dimensions() + port, d = ring_port / 2;
  const u32 size = dims_[d], at = coordinate(router.value(), d);
  if (size == 1) return {};
  const u32 to = (at + (ring_port % 2 == 1 ? 1 : size - 1)) % size, back = ring_port ^ 1U;
  const u32 torus_node = router.value() / 2 - at * strides_[d] + to * strides_[d];
  return {Peer::Kind::router, 2 * torus_node + back / dimensions(), back % dimensions()};
}

u32 TwinTorus::middle_links(u32 up, u32 from_card, u32 to_card) const {
  // Upwards each hop leads from card 1 to card 0, and an internal link back before the next.
  const u32 down = dims_[middle()] - up;
  return std::min(2 * up - 1 + (from_card == 0 ? 1 : 0) + (to_card == 1 ? 1 : 0),
                  2 * down - 1 + (from_card == 1 ? 1 : 0) + (to_card == 0 ? 1 : 0));
}

u32 TwinTorus::distance(NodeId from, NodeId to) const {
  const u32 from_card = card(from.value()), to_card = card(to.value());
  u32 links = 0, up_the_middle = 0;
  std::array<bool, 2> visits{};  // cards whose ports the route takes
  for (u32 d = 0; d < dimensions(); ++d) {
    const u32 up = (coordinate(to.value(), d) + dims_[d] - coordinate(from.value(), d)) % dims_[d];
    if (d == middle()) {
      up_the_middle = up;
    } else if (up != 0) {
      links += std::min(up, dims_[d] - up);
      visits[card_towards(d, true)] = true;
    }
  }
  if (up_the_middle != 0) return links + middle_links(up_the_middle, from_card, to_card);
  if (from_card != to_card) return links + 1;
  return links + (visits[1 - from_card] ? 2 : 0);
}

u32 TwinTorus::diameter() const {
  u32 links = 0;
  u32 most = 1;  // with no hop in the middle dimension
  for (u32 d = 0; d < dimensions(); ++d) {
    if (d == middle()) continue;
    links += dims_[d] / 2;
    if (dims_[d] > 1) most = 2;
  }
  for (u32 up = 1; middle() < dimensions() && up < dims_[middle()]; ++up) {
    for (u32 cards = 0; cards < 4; ++cards) most = std::max(most, middle_links(up, cards % 2, cards / 2));
  }
  return links + most;
}

double TwinTorus::mean_middle_links() const {
  std::array<double, 2> stays{1, 1};  // chance that no dimension of a card differs
  for (u32 d = 0; d < dimensions(); ++d) {
    if (d != middle()) stays[card_towards(d, true)] /= dims_[d];
  }
  // Half of the pairs are on different cards; the others go to the other card and back if they need it.
  const double without = 0.5 + (1 - stays[0]) / 2 + (1 - stays[1]) / 2;
  if (middle() == dimensions()) return without;
  double sum = without;
  for (u32 up = 1; up < dims_[middle()]; ++up) {
    for (u32 cards = 0; cards < 4; ++cards) sum += middle_links(up, cards % 2, cards / 2) / 4.0;
  }
  return sum / dims_[middle()];
}

double TwinTorus::mean_distance() const {
  double links = mean_middle_links();
  for (u32 d = 0; d < dimensions(); ++d) links += d == middle() ? 0 : mean_offset(dims_[d]);
  return links * different_pairs(nodes());
}

double TwinTorus::uniform_load_bound() const {
  // There are as many links, counted in both directions, in each dimension as nodes, and as many internal ones.
  double internal = mean_middle_links(), load = 0;
  for (u32 d = 0; d < dimensions(); ++d) {
    load = std::max(load, mean_offset(dims_[d]));
    if (d == middle()) internal -= mean_offset(dims_[d]);
  }
  return std::min(1.0, 1 / (std::max(load, internal) * different_pairs(nodes())));
}

u64 TwinTorus::router_links() const {
  const auto rings = std::ranges::count_if(dims_, [](u32 size) { return size > 1; });
  return u64{torus_nodes_} * (1 + static_cast<u64>(rings));
}

std::string TwinTorus::name() const { return dims_text(dims_) + " twin torus"; }

std::vector<std::pair<std::string, std::string>> TwinTorus::facts() const {
  return {{"dimensions", std::to_string(dimensions())},
          {"nodes of the torus, of two cards each", std::to_string(torus_nodes_)},
          {"dimension split between the cards", middle() < dimensions() ? std::to_string(middle()) : "none"},
          {"diameter, mean distance, load bound",
           "of shortest routes, closed forms; routes in order of dimensions take more internal links"}};
}

std::vector<u32> TwinTorus::grid() const {
  std::vector<u32> sizes{2};
  sizes.insert(sizes.end(), dims_.begin(), dims_.end());
  return sizes;
}

std::string TwinTorus::link_name(RouterId router, u32 port) const {
  if (port == internal_port()) return "internal";
  const u32 ring_port = card(router.value()) * dimensions() + port;
  return fmt::format("d{}{}", ring_port / 2, ring_port % 2 == 1 ? "+" : "-");
}

RegularPartition TwinTorus::regular_partition(u32 parts) const {
  RegularPartition result{"boxes", {}, true, "its dimensions cannot be cut into so many"};
  const PartOf boxes = box_partition({.dims = dims_, .rings = CubeGeometry::every_dimension}, parts);
  if (boxes) result.part_of = [boxes](u32 router) { return boxes(router / 2); };
  return result;
}

namespace {

constexpr std::size_t most_dimensions = 16;

std::unique_ptr<Topology> make_twin_torus(const Parameters& keys) {
  const std::vector<u32> dims = checked_dims(keys, {2, most_dimensions, "a twin torus"});
  const std::vector<i64> asked(dims.begin(), dims.end());
  if (const auto valid = nearest_factors(asked, most_nodes / 2); valid != asked) {
    refuse_shape("dims", list_text(asked), fmt::format("more than {} nodes, two of each torus node", most_nodes),
                 "dims = " + list_text(valid));
  }
  return std::make_unique<TwinTorus>(dims);
}

[[maybe_unused]] const bool twin_torus_registered = TopologyRegistry::instance().add(
    "ndt-torus",
    {.help = "torus of n dimensions whose nodes are two cards of n + 1 ports, joined by an internal link; key: dims",
     .family = "ndt",
     .router = "ndt",
     .partition = "boxes",
     .settings = {dims_row("torus nodes in each dimension, e.g. [4, 4, 2, 2, 2]; each is two cards with a node."),
                  row::integer("link.internal.latency_cycles", "cycles", std::nullopt, {1, 1'000'000},
                               "latency of the links between the two cards of a torus node; that of all links if it is "
                               "not given."),
                  row::real("link.internal.phits_per_cycle", "phits/cycle", std::nullopt, row::link_rates,
                            "rate of the links between the two cards; that of all links if it is not given."),
                  row::real("link.internal.rate_gbps", "10^9 bit/s", std::nullopt, {0.0, 1e6},
                            "the same as a data rate, beside link.rate_gbps.")},
     .make = make_twin_torus,
     .example = {{"dims", std::vector<i64>{2, 3, 2}}}});

}  // namespace
}  // namespace weft::models
