// Small networks of wormhole switches whose NICs choose routes, with random settings and traffic, for the model and its
// judge (tests/reference/worm_nic.hpp).
#pragma once

#include "tests/models/worms/judge.hpp"
#include "tests/models/worms/worm_setup.hpp"

namespace weft::models::testing {

struct NicCase : WormCase {
  std::string scheme;
  reference::NicRules rules;  ///< without its functions

  [[nodiscard]] std::string describe() const {
    return WormCase::describe() + fmt::format(", {}: T {}, P {}, {}, probes of {}, travel {}, tries {}, factor {}",
                                              scheme, rules.threshold, rules.percent, rules.row ? "row" : "all",
                                              rules.probe_cells, rules.travel, rules.tries, rules.factor);
  }
};

/// Fat trees: their routes have numbers.
inline const std::vector<TopologySpec>& trees_of_nics() {
  using List = std::vector<i64>;
  static const std::vector<TopologySpec> all = {
      {"clos", {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{3}}}},
      {"clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{3}}, {"stages", i64{3}}}},
      {"clos", {{"leaf_down", i64{2}}, {"leaf_up", i64{3}}, {"leaves", i64{6}}, {"stages", i64{3}}}},
      {"clos",
       {{"leaf_down", i64{2}},
        {"leaf_up", i64{2}},
        {"leaves", i64{6}},
        {"stages", i64{5}},
        {"leaves_per_pod", i64{2}},
        {"spine_up", i64{3}}}},
      {"tree", {{"arity", i64{2}}, {"levels", i64{3}}}},
      {"thin-tree", {{"down", i64{3}}, {"up", i64{2}}, {"levels", i64{2}}}},
      {"pgft", {{"m", List{3, 2, 2}}, {"w", List{1, 2, 2}}, {"parallel", List{1, 2, 1}}}}};
  return all;
}

inline NicCase random_nic_case(u64 seed) {
  using Scheme = reference::NicRules::Scheme;
  NicCase made;
  static_cast<WormCase&>(made) = random_worm_case(seed);
  Lottery draw(seed * 7 + 1);
  made.topology = draw.one_of(trees_of_nics());
  made.routing = "fat-tree";
  made.modes = {"random"};
  made.routing_keys = {};
  const auto topology = make_topology(made.topology);
  const Tick cell = made.node_link.cell;
  made.links.clear();
  for (std::size_t c = 0; c < topology->link_classes().size(); ++c) made.links.push_back({draw.between(1, 7), cell});
  const u32 node_class = topology->node_link_class();
  if (node_class < made.links.size()) made.node_link = made.links[node_class];
  if (made.stop_go) {
    made.buffer_cells = made.stop_cells + cells_after_stop(made, node_class) + (draw.chance(50) ? 0 : draw.below(30));
  }
  made.usual_thresholds = false;
  const bool in_step = draw.chance(30);
  made.packets = random_packets(draw, topology->nodes(), made.most_cells, cell, in_step);
  if (draw.chance(50)) {  // long flows between few
    for (CasePacket& packet : made.packets) packet.to = (packet.from + topology->nodes() / 2) % topology->nodes();
  }
  static const std::vector<std::pair<Scheme, std::string>> schemes{{Scheme::fixed, "static"},
                                                                   {Scheme::random, "random"},
                                                                   {Scheme::adaptive, "adaptive"},
                                                                   {Scheme::probing, "probing"},
                                                                   {Scheme::probing, "probing"}};
  const auto& [scheme, name] = draw.one_of(schemes);
  made.scheme = name;
  reference::NicRules& rules = made.rules;
  rules.scheme = scheme;
  if (scheme == Scheme::fixed || scheme == Scheme::random) return made;
  rules.threshold = draw.between(1, 4) - 1;
  rules.percent = draw.chance(50) ? 100 : draw.between(1, 99);
  rules.row = draw.chance(40);
  if (scheme == Scheme::adaptive) return made;
  rules.probe_cells = draw.between(1, std::min(3U, made.most_cells));
  rules.travel = draw.between(1, 60);
  rules.tries = draw.between(1, 4);
  rules.factor = draw.one_of<double>({1.0, 1.5, 2.0});
  if (draw.chance(40)) rules.tries = 0, rules.rounds = draw.between(1, 2);
  return made;
}

inline Case setup_of_nics(const NicCase& given) {
  Case setup = setup_of_worms(given);
  Parameters& own = setup.router.own;
  const reference::NicRules& rules = given.rules;
  own.set("dispersion", given.scheme);
  if (given.scheme == "static" || given.scheme == "random") return setup;
  own.set("dispersion_threshold", i64{rules.threshold});
  own.set("dispersion_percent", i64{rules.percent});
  own.set("dispersion_count", std::string(rules.row ? "row" : "all"));
  if (given.scheme == "adaptive") return setup;
  own.set("probe_cells", i64{rules.probe_cells});
  own.set("probe_travel_cycles", static_cast<i64>(rules.travel));
  rules.tries != 0 ? own.set("probe_tries", i64{rules.tries}) : own.set("probe_rounds", i64{rules.rounds});
  own.set("threshold_factor", rules.factor);
  return setup;
}

/// The routing of fat trees as a judge asks it, by the numbers that NICs have chosen.
class RoutesByNumber {
 public:
  explicit RoutesByNumber(const NicCase& given)
      : topology_(make_topology(given.topology)),
        routing_(router_kind(given.routing).routing(*topology_, given.routing_settings())) {}
  [[nodiscard]] const Topology& topology() const { return *topology_; }
  [[nodiscard]] u32 routes(u32 from, u32 to) const { return routing_->routes(NodeId(from), NodeId(to)); }
  void take(u32 packet, u32 from, u32 to, u32 route) {
    if (packets_.size() <= packet) packets_.resize(packet + 1);
    packets_[packet] = {NodeId(from), NodeId(to), {}};
    routing_->take(packets_[packet].state, NodeId(from), NodeId(to), route);
  }
  [[nodiscard]] reference::Ways ways(const reference::Place& place, u32 packet) const {
    const Travelling& p = packets_[packet];
    const u32 ports = topology_->ports(RouterId(place.at));
    const reference::Ways ways = ways_from(*routing_, {place.at, place.port, 0}, {p.from, p.to, p.state}, ports, 1);
    EXPECT_FALSE(ways.any.empty());
    return ways;
  }

 private:
  struct Travelling {
    NodeId from, to;
    RouteState state;
  };
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<Routing> routing_;
  std::vector<Travelling> packets_;
};

inline reference::CellOutcome judge_nics(const NicCase& given, Tick limit = 300'000) {
  RoutesByNumber routes(given);
  reference::WormNetwork network = worm_network(given, routes.topology());
  network.nics = given.rules;
  network.nics->routes = [&](u32 from, u32 to) { return routes.routes(from, to); };
  network.nics->take = [&](u32 packet, u32 from, u32 to, u32 route) { routes.take(packet, from, to, route); };
  network.nics->draw = [](u32 node, u64 number, u32 below) {
    return engine::scale_to(engine::random_bits(RouterSettings{}.seed, node, number, engine::Use::dispersion), below);
  };
  const reference::CellRules rules{
      .route = [&](reference::Place place, u32 packet) { return routes.ways(place, packet); }};
  return reference::WormSwitches(network, cell_packets(given), rules).run(limit);
}

}  // namespace weft::models::testing
