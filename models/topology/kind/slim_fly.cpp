// Wiring of Slim Flies, by arithmetic over their field, and what shortest paths in them are like.
#include "models/topology/kind/slim_fly.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/random.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

bool SlimFly::exists(u64 order) {
  return order > 2 && order <= ~u32{0} && order % 4 != 2 && prime_power(static_cast<u32>(order)).has_value();
}

SlimFly::SlimFly(u32 order, u32 nodes_per_router) : TwoHopNetwork(nodes_per_router), field_(order) {
  WEFT_ASSERT(exists(order));
  std::vector<u32> exponents;
  if (order % 4 == 3) {
    const u32 w = (order + 1) / 4;
    for (u32 e = 0; e < w; ++e) exponents.push_back(2 * e);
    for (u32 e = 0; e < w; ++e) exponents.push_back(2 * (w + e) - 1);
  } else {
    for (u32 e = 0; e < order / 2; ++e) exponents.push_back(2 * e);
  }
  for (u32 half = 0; half < 2; ++half) {
    port_of_generator_[half].assign(order, no_port);
    for (const u32 exponent : exponents) {
      const u32 generator = field_.power(exponent + half);
      port_of_generator_[half][generator] = static_cast<u32>(generators_[half].size());
      generators_[half].push_back(generator);
    }
  }
}

Peer SlimFly::peer(RouterId at, u32 port) const {
  WEFT_ASSERT(at.value() < routers() && port < ports(at));
  if (port >= degree()) return node_at(at, port);
  const Place here = place(at);
  if (port < inside()) {
    const u32 generator = generators_[here.half][port];
    const RouterId there = router({here.half, here.group, field_.sum(here.element, generator)});
    return {Peer::Kind::router, there.value(), port_of_generator_[here.half][field_.negative(generator)]};
  }
  const u32 group = port - inside();
  return {Peer::Kind::router, router({1 - here.half, group, across(here, group)}).value(), inside() + here.group};
}

u32 SlimFly::port_to(RouterId from, RouterId to) const {
  const Place here = place(from), there = place(to);
  if (here.half != there.half) return across(here, there.group) == there.element ? inside() + there.group : no_port;
  if (here.group != there.group) return no_port;
  return port_of_generator_[here.half][field_.difference(there.element, here.element)];
}

RouterId SlimFly::between(RouterId from, RouterId to, u64 bits) const {
  const Place here = place(from), there = place(to);
  if (here.half != there.half) {
    // In the group of the one or of the other, where a link leads across; D is what is missing.
    const u32 near_end = across(there, here.group), far_end = across(here, there.group);
    const bool near = port_of_generator_[here.half][field_.difference(near_end, here.element)] != no_port;
    const bool far = port_of_generator_[there.half][field_.difference(there.element, far_end)] != no_port;
    const bool by_near = near && (!far || (bits & 1) != 0);
    return by_near ? router({here.half, here.group, near_end}) : router({there.half, there.group, far_end});
  }
  if (here.group != there.group) {
    // On the line through both points, or where both lines meet: the slope, or the place, is a quotient.
    const u32 rise = field_.difference(there.element, here.element);
    const u32 run =
        here.half == 0 ? field_.difference(there.group, here.group) : field_.difference(here.group, there.group);
    const u32 group = field_.quotient(rise, run);
    return router({1 - here.half, group, across(here, group)});
  }
  // About half of all generators lead to a router that has a link on: they are drawn until one does.
  const u32 difference = field_.difference(there.element, here.element);
  for (u64 draw = 0;; ++draw) {
    const u32 generator = generators_[here.half][engine::scale_to(engine::remix(bits, draw), inside())];
    if (port_of_generator_[here.half][field_.difference(difference, generator)] == no_port) continue;
    return router({here.half, here.group, field_.sum(here.element, generator)});
  }
}

RouterId SlimFly::next_on_circle(RouterId at) const {
  const Place here = place(at);
  const u32 group = here.half == 0 ? here.group : field_.sum(here.group, 1);
  return router({1 - here.half, group, across(here, group)});
}

double SlimFly::mean_distance() const {
  const double p = nodes_per_router(), others = routers() - 1.0, near = degree();
  return 2 + p * (near + 2 * (others - near)) / (nodes() - 1.0);
}

double SlimFly::uniform_load_bound() const {
  const double p = nodes_per_router();
  return std::min(1.0, (nodes() - 1.0) / (p * p * pairs_over_link()));
}

std::string SlimFly::name() const { return fmt::format("Slim Fly {},{}", order(), nodes_per_router()); }

std::vector<std::pair<std::string, std::string>> SlimFly::facts() const {
  constexpr std::size_t most_shown = 16;
  const u64 moore = 1 + u64{degree()} * degree();
  std::vector<std::pair<std::string, std::string>> result{
      {"field", field_.name()},
      {"links of a router to others", std::to_string(degree())},
      {"routers, of the most that this degree and diameter 2 allow (Moore)",
       fmt::format("{} of {}, {:.1f} %", routers(), moore, 100.0 * routers() / static_cast<double>(moore))},
      {"racks of two groups, links between any two of them", fmt::format("{}, {}", order(), 2 * order())},
      {"pairs of routers over a link between the halves", std::to_string(pairs_over_link())}};
  if (inside() <= most_shown) {
    for (u32 half = 0; half < 2; ++half) {
      result.emplace_back(fmt::format("differences between neighbours of a group, half {}", half),
                          fmt::format("{}", fmt::join(generators_[half], ", ")));
    }
  }
  return result;
}

std::string SlimFly::link_name(RouterId at, u32 port) const {
  const Place here = place(at);
  if (port < inside()) return fmt::format("port to element + {} of its group", generators_[here.half][port]);
  if (port < degree()) return fmt::format("port to group {} of half {}", port - inside(), 1 - here.half);
  return fmt::format("node port {}", port - degree());
}

RegularPartition SlimFly::regular_partition(u32 parts) const {
  RegularPartition result{"groups", {}, order() % parts == 0, "it has fewer racks"};
  if (parts > order()) return result;
  result.part_of = [rack = 2 * order(), racks = order(), parts](u32 router) {
    return static_cast<u32>(u64{router / rack} * parts / racks);
  };
  return result;
}

namespace {

constexpr i64 most_slim_fly_nodes_per_router = 65'536;

/// Whether there is a Slim Fly of this q with so many nodes a router (0: as many as make it balanced) that can be
/// numbered.
bool fits_slim_fly(u64 order, u64 nodes_per_router) {
  if (order > most_nodes || !SlimFly::exists(order)) return false;
  const u64 routers = 2 * order * order;
  const u64 p = nodes_per_router != 0 ? nodes_per_router : (SlimFly::degree_of(static_cast<u32>(order)) + 1) / 2;
  return routers <= most_nodes / p;
}

/// The q that fits and is nearest to the one asked for, the lower of two.
u64 nearest_order(u64 asked, u64 nodes_per_router) {
  constexpr u64 least = 3, most = 32'768;  // with one node a router
  const u64 from = std::clamp(asked, least, most);
  for (u64 off = 0; off < most; ++off) {
    if (from >= off && fits_slim_fly(from - off, nodes_per_router)) return from - off;
    if (fits_slim_fly(from + off, nodes_per_router)) return from + off;
  }
  throw Bug("no Slim Fly fits");
}

std::unique_ptr<Topology> make_slim_fly(const Parameters& keys) {
  const u32 given = keys.has("nodes_per_router")
                        ? checked_count(keys, "nodes_per_router", {1, most_slim_fly_nodes_per_router}, "a Slim Fly", 3)
                        : 0;
  need_shape(keys, "q", "a Slim Fly", "it", "q = 5");
  const i64 asked = keys.integer("q");
  const u64 order = static_cast<u64>(std::max<i64>(asked, 0)), valid = nearest_order(order, given);
  if (order != valid || asked < 0) {
    refuse_shape("q", std::to_string(asked),
                 SlimFly::exists(order)
                     ? fmt::format("more than {} nodes", most_nodes)
                     : "a Slim Fly needs a power of a prime, 4w - 1, 4w or 4w + 1: 3, 4, 5, 7, 8, 9, "
                       "11, 13, 16, 17, 19, 23, 25, 27...",
                 fmt::format("q = {}", valid));
  }
  const u32 q = static_cast<u32>(order);
  return std::make_unique<SlimFly>(q, given != 0 ? given : (SlimFly::degree_of(q) + 1) / 2);
}

[[maybe_unused]] const bool slim_fly_registered = TopologyRegistry::instance().add(
    "slim-fly",
    {.help = "2 q^2 routers of which any two are 2 links apart at most (graphs of McKay, Miller and Siran); keys: q, "
             "nodes_per_router",
     .family = "two-hops",
     .router = "slim-fly",
     .partition = "groups",
     .settings =
         {row::integer("topology.q", "", std::nullopt, {0, i64{1} << 31}, "a power of a prime, 4w - 1, 4w or 4w + 1."),
          row::integer("topology.nodes_per_router", "nodes", std::nullopt, {1, most_slim_fly_nodes_per_router},
                       "p, nodes of a router; half the links to other routers, rounded up, if it is not given.")},
     .make = make_slim_fly,
     .example = {{"q", i64{3}}, {"nodes_per_router", i64{2}}}});

/// The orders round the wanted one, with the usual number of nodes a router and one less.
std::vector<Parameters> slim_flies_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  const double order = std::cbrt(wish.nodes / 1.5);  // 2 q^2 routers of about 3 q / 4 nodes
  for (const i64 q : numbers_near(order, std::max<i64>(3, static_cast<i64>(order / 5)))) {
    if (!SlimFly::exists(static_cast<u64>(q))) continue;
    const i64 nodes = (SlimFly::degree_of(static_cast<u32>(q)) + 1) / 2;
    for (const i64 some : {nodes, nodes - 1}) {
      if (some >= 1) shapes.push_back({{"q", q}, {"nodes_per_router", some}});
    }
  }
  return shapes;
}

[[maybe_unused]] const bool slim_flies_near_registered = add_shapes_near("slim-fly", slim_flies_near);

}  // namespace
}  // namespace weft::models
