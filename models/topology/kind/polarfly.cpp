// Wiring of PolarFlies, by arithmetic over their field.
#include "models/topology/kind/polarfly.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

bool PolarFly::exists(u64 order) {
  return order >= 2 && order <= ~u32{0} && prime_power(static_cast<u32>(order)).has_value();
}

PolarFly::PolarFly(u32 order, u32 nodes_per_router) : TwoHopNetwork(nodes_per_router), field_(order) {
  WEFT_ASSERT(exists(order));
}

PolarFly::Point PolarFly::point(RouterId router) const {
  const u32 id = router.value(), q = order();
  if (id == 0) return {0, 0, 1};
  if (id <= q) return {0, 1, id - 1};
  return {1, (id - 1 - q) / q, (id - 1 - q) % q};
}

RouterId PolarFly::router(const Point& point) const {
  if (point[0] != 0) return RouterId{1 + order() + order() * point[1] + point[2]};
  return point[1] != 0 ? RouterId{1 + point[2]} : RouterId{0};
}

u32 PolarFly::dot(const Point& a, const Point& b) const {
  u32 sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = field_.sum(sum, field_.product(a[i], b[i]));
  return sum;
}

PolarFly::Point PolarFly::normal(Point vector) const {
  const auto first = std::ranges::find_if(vector, [](u32 element) { return element != 0; });
  WEFT_ASSERT(first != vector.end());
  const u32 scale = *first;
  for (u32& element : vector) element = field_.quotient(element, scale);
  return vector;
}

// The line a x + b y + c z = 0. With c it has one point (0, 1, z) and one (1, y, z) of each y; without c it has
// (0, 0, 1) and, for the only y (b) or for x = 0 (a alone), all z.
RouterId PolarFly::on_line(const Point& line, u32 place) const {
  const auto [a, b, c] = line;
  if (c != 0) {
    if (place == 0) return router({0, 1, field_.quotient(field_.negative(b), c)});
    const u32 y = place - 1;
    return router({1, y, field_.quotient(field_.negative(field_.sum(a, field_.product(b, y))), c)});
  }
  if (place == 0) return RouterId{0};
  if (b != 0) return router({1, field_.quotient(field_.negative(a), b), place - 1});
  return router({0, 1, place - 1});
}

u32 PolarFly::place_on(const Point& line, RouterId router) const {
  const Point there = point(router);
  if (line[2] != 0) return there[0] == 0 ? 0 : 1 + there[1];
  return router.value() == 0 ? 0 : 1 + there[2];
}

u32 PolarFly::port_to(RouterId from, RouterId to) const {
  const Point here = point(from);
  if (from == to || dot(here, point(to)) != 0) return no_port;
  const u32 place = place_on(here, to);
  return place - (quadric(from) && place > place_on(here, from) ? 1 : 0);
}

RouterId PolarFly::between(RouterId from, RouterId to, u64 /*bits*/) const {
  const Point a = point(from), b = point(to);
  const auto minor = [&](std::size_t i, std::size_t j) {
    return field_.difference(field_.product(a[i], b[j]), field_.product(a[j], b[i]));
  };
  return router(normal({minor(1, 2), minor(2, 0), minor(0, 1)}));
}

Peer PolarFly::peer(RouterId at, u32 port) const {
  WEFT_ASSERT(at.value() < routers() && port < ports(at));
  if (port >= links_of(at)) return node_at(at, port);
  const Point here = point(at);
  const u32 place = port + (quadric(at) && port >= place_on(here, at) ? 1 : 0);
  const RouterId there = on_line(here, place);
  return {Peer::Kind::router, there.value(), port_to(there, at)};
}

double PolarFly::mean_distance() const {
  const double p = nodes_per_router(), n = routers(), near = 2.0 * static_cast<double>(router_links());
  return 2 + p * (near + 2 * (n * (n - 1) - near)) / n / (nodes() - 1.0);
}

double PolarFly::uniform_load_bound() const {
  const double p = nodes_per_router();
  return std::min(1.0, (nodes() - 1.0) / (p * p * 2 * order()));
}

std::string PolarFly::name() const { return fmt::format("PolarFly {},{}", order(), nodes_per_router()); }

std::vector<std::pair<std::string, std::string>> PolarFly::facts() const {
  const u64 degree = order() + 1, moore = 1 + degree * degree;
  return {{"field", field_.name()},
          {"links of a router to others", fmt::format("{}, of {} routers (quadrics) {}", degree, order() + 1, order())},
          {"routers, of the most that this degree and diameter 2 allow (Moore)",
           fmt::format("{} of {}, {:.1f} %", routers(), moore, 100.0 * routers() / static_cast<double>(moore))}};
}

namespace {

constexpr i64 most_polarfly_nodes_per_router = 65'536;
/// Half the links to other routers, rounded up.
u32 usual_nodes(u32 order) { return (order + 2) / 2; }

bool fits_polarfly(u64 order, u64 nodes_per_router) {
  if (order > 32'768 || !PolarFly::exists(order)) return false;
  const u64 p = nodes_per_router != 0 ? nodes_per_router : usual_nodes(static_cast<u32>(order));
  return order * order + order + 1 <= most_nodes / p;
}

/// The q that fits and is nearest to the one asked for, the lower of two.
u64 nearest_polarfly(u64 asked, u64 nodes_per_router) {
  constexpr u64 least = 2, most = 32'768;
  const u64 from = std::clamp(asked, least, most);
  for (u64 off = 0; off < most; ++off) {
    if (from >= off && fits_polarfly(from - off, nodes_per_router)) return from - off;
    if (fits_polarfly(from + off, nodes_per_router)) return from + off;
  }
  throw Bug("no PolarFly fits");
}

std::unique_ptr<Topology> make_polarfly(const Parameters& keys) {
  const u32 given = keys.has("nodes_per_router")
                        ? checked_count(keys, "nodes_per_router", {1, most_polarfly_nodes_per_router}, "a PolarFly", 4)
                        : 0;
  need_shape(keys, "q", "a PolarFly", "it", "q = 7");
  const i64 asked = keys.integer("q");
  const u64 order = static_cast<u64>(std::max<i64>(asked, 0)), valid = nearest_polarfly(order, given);
  if (order != valid || asked < 0) {
    refuse_shape("q", std::to_string(asked),
                 PolarFly::exists(order)
                     ? fmt::format("more than {} nodes", most_nodes)
                     : "a PolarFly needs a power of a prime: 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17...",
                 fmt::format("q = {}", valid));
  }
  const u32 q = static_cast<u32>(order);
  return std::make_unique<PolarFly>(q, given != 0 ? given : usual_nodes(q));
}

[[maybe_unused]] const bool polarfly_registered = TopologyRegistry::instance().add(
    "polarfly",
    {.help =
         "q^2 + q + 1 routers of which any two are 2 links apart at most (polarity graphs of Erdos, Renyi and Brown); "
         "keys: q, nodes_per_router",
     .family = "two-hops",
     .router = "slim-fly",
     .partition = "",
     .settings =
         {row::integer("topology.q", "", std::nullopt, {0, i64{1} << 31}, "a power of a prime."),
          row::integer("topology.nodes_per_router", "nodes", std::nullopt, {1, most_polarfly_nodes_per_router},
                       "p, nodes of a router; half the links to other routers, rounded up, if it is not given.")},
     .make = make_polarfly,
     .example = {{"q", i64{3}}, {"nodes_per_router", i64{2}}}});

/// The orders round the wanted one, with the usual number of nodes a router and one less.
std::vector<Parameters> polarflies_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  const double order = std::cbrt(2.0 * static_cast<double>(wish.nodes));  // q^2 routers of about q / 2 nodes
  for (const i64 q : numbers_near(order, std::max<i64>(3, static_cast<i64>(order / 5)))) {
    if (!PolarFly::exists(static_cast<u64>(q))) continue;
    const i64 nodes = usual_nodes(static_cast<u32>(q));
    for (const i64 some : {nodes, nodes - 1}) {
      if (some >= 1) shapes.push_back({{"q", q}, {"nodes_per_router", some}});
    }
  }
  return shapes;
}

[[maybe_unused]] const bool polarflies_near_registered = add_shapes_near("polarfly", polarflies_near);

}  // namespace
}  // namespace weft::models
