// Small networks of wormhole switches with random settings and traffic, each from a seed, for the model and its judge
// alike.
#pragma once

#include "tests/models/cells/random_cases.hpp"

namespace weft::models::testing {

/// All that there is to know of a run. C is the same of all links, and `modes` has one.
struct WormCase : NetworkCase {
  bool stop_go = false;
  u32 stop_cells = 0, go_cells = 0;
  bool usual_thresholds = false;  ///< they are what the keys stand for that are not given

  [[nodiscard]] std::string describe() const {
    return NetworkCase::describe() + (stop_go ? fmt::format(", STOP {}, GO {}", stop_cells, go_cells) : ", credits");
  }
};

/// A network, and a routing of it that leaves no cycle of links.
struct WormPairing {
  TopologySpec topology;
  std::string routing, mode;
  std::vector<std::pair<std::string, SettingValue>> routing_keys = {};
};

inline const std::vector<WormPairing>& worm_pairings() {
  using Dims = std::vector<i64>;
  using Text = std::string;
  static const std::vector<WormPairing> all = [] {
    std::vector<WormPairing> list;
    for (const SwitchPairing& pairing : switch_pairings()) {
      if (pairing.channels == 1) list.push_back({pairing.topology, pairing.routing, pairing.mode});
    }
    for (const Dims& dims : {Dims{5}, Dims{4, 3}, Dims{3, 3}, Dims{2, 3, 2}}) {
      list.push_back({{"mesh", {{"dims", dims}}}, "forwarding-table", "by-table", {{"engine", Text("dor")}}});
      for (const char* kind : {"mesh", "torus"})
        list.push_back({{kind, {{"dims", dims}}}, "forwarding-table", "by-table", {{"engine", Text("updn")}}});
    }
    const TopologySpec tree{"thin-tree", {{"down", i64{3}}, {"up", i64{2}}, {"levels", i64{2}}}};
    list.push_back({tree, "forwarding-table", "by-table", {{"engine", Text("updn")}}});
    const TopologySpec choices[] = {{"thin-tree", {{"down", i64{4}}, {"up", i64{3}}, {"levels", i64{2}}}},
                                    {"pgft", {{"m", Dims{3, 2, 2}}, {"w", Dims{1, 2, 2}}, {"parallel", Dims{1, 2, 1}}}},
                                    {"pgft", {{"m", Dims{4, 3}}, {"w", Dims{1, 1}}, {"parallel", Dims{1, 3}}}}};
    for (const TopologySpec& several : choices) list.push_back({several, "fat-tree", "adaptive-up"});
    return list;
  }();
  return all;
}

/// The least cells that buffers need above `stop_cells`: what comes in between a STOP's being said and obeyed.
inline u32 cells_after_stop(const WormCase& given, u32 node_class) {
  const Tick cell = given.node_link.cell;
  Tick longest = 2 * given.node_link.latency;
  for (u32 c = 0; c < given.links.size(); ++c)
    longest = std::max(longest, 2 * given.links[c].latency + (c == node_class ? 0 : given.switch_ticks));
  return static_cast<u32>((longest + cell - 1) / cell) + 1;
}

/// Node links of a case are as those of the first class of the topology that has some.
inline WormCase random_worm_case(u64 seed) {
  Lottery draw(seed);
  const WormPairing& pairing = draw.one_of(worm_pairings());
  WormCase made;
  made.seed = seed;
  made.topology = pairing.topology;
  made.routing = pairing.routing;
  made.modes = {pairing.mode};
  made.routing_keys = pairing.routing_keys;
  const auto topology = make_topology(made.topology);
  const bool in_step = draw.chance(35);
  made.most_cells = draw.chance(15) ? 1 : draw.between(2, in_step ? 4 : draw.chance(80) ? 12 : 40);
  made.scheduling = draw.chance(50) ? "islip" : "age";
  made.routing_ticks = draw.below(6);
  made.switch_ticks = draw.below(4);
  const Tick cell = draw.between(1, 3);
  for (std::size_t c = 0; c < topology->link_classes().size(); ++c) made.links.push_back({draw.between(1, 7), cell});
  const u32 node_class = topology->node_link_class();
  made.node_link =
      node_class < made.links.size() ? made.links[node_class] : NetworkCase::Link{draw.between(1, 7), cell};
  made.stop_go = draw.chance(50);
  made.buffer_cells = draw.chance(30) ? draw.between(1, 4) : draw.between(1, 2 * made.most_cells);
  if (made.stop_go) {
    made.usual_thresholds = draw.chance(30);
    made.stop_cells = made.usual_thresholds ? made.buffer_cells : draw.between(1, made.buffer_cells);
    made.go_cells = made.usual_thresholds ? made.stop_cells / 2 : draw.below(made.stop_cells);
    made.buffer_cells += cells_after_stop(made, node_class);
  }
  made.packets = random_packets(draw, topology->nodes(), made.most_cells, cell, in_step);
  made.start = random_start(draw);
  return made;
}

}  // namespace weft::models::testing
