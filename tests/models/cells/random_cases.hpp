// Small networks of switches with random settings and traffic, each from a seed, for the model and its judge alike.
#pragma once

#include "tests/models/network/network_case.hpp"
#include "tests/reference/cell_network.hpp"

namespace weft::models::testing {

/// All that there is to know of a run. C is at most 3 (1 / link.phits_per_cycle) where crossbars are not faster.
struct SwitchCase : NetworkCase {
  bool fifo = false;
  bool store_and_forward = false;
  bool strict = false;     ///< lower classes of traffic go first
  bool shared = false;     ///< buffer_cells are of a whole input
  u32 reserved_cells = 0;  ///< of which, for each channel
  u32 speedup = 1;
  u32 output_cells = 0;
  u32 window_cells = 0;  ///< 0: any
  bool choice_in_turn = false;
  std::optional<reference::CellMarking> marking = {};
  u32 notice_cells = 0;  ///< 0: the usual ones, of the longest packet

  [[nodiscard]] std::string describe() const {
    return NetworkCase::describe() +
           fmt::format(", {}, {}, speed-up {}, output buffers {}, {}, classes of {}{}{}{}, window {}, {}",
                       fifo ? "fifo" : "voq", store_and_forward ? "store-and-forward" : "cut-through", speedup,
                       output_cells, shared ? fmt::format("{} reserved", reserved_cells) : "a buffer each",
                       shares.empty() ? "equal share" : fmt::format("{}", fmt::join(shares, ":")),
                       strict ? ", strict" : "", by_flow ? ", by flow" : "",
                       notice_cells != 0 ? fmt::format(", notices of {}", notice_cells) : "", window_cells,
                       marking ? "marking" : "no marking");
  }
};

/// A network, a routing of it that cannot deadlock, and the least VCs for it.
struct SwitchPairing {
  TopologySpec topology;
  std::string routing, mode;
  u32 channels = 1;
};

/// Not among them: what is free of deadlock only because of bubbles.
inline const std::vector<SwitchPairing>& switch_pairings() {
  using Dims = std::vector<i64>;
  static const TopologySpec trees[] = {
      {"tree", {{"arity", i64{2}}, {"levels", i64{2}}}},
      {"tree", {{"arity", i64{2}}, {"levels", i64{3}}}},
      {"thin-tree", {{"down", i64{3}}, {"up", i64{2}}, {"levels", i64{2}}}},
      {"clos", {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{3}}}},
      {"crossbar", {{"nodes", i64{5}}}},
      {"crossbar", {{"nodes", i64{8}}}}};
  static const TopologySpec fly{"dragonfly",
                                {{"nodes_per_router", i64{2}},
                                 {"routers_per_group", i64{2}},
                                 {"global_links", i64{1}},
                                 {"arrangement", std::string("relative")}}};
  static const TopologySpec cube{"indirect-cube",
                                 {{"dims", Dims{3, 2}}, {"nodes_per_switch", i64{2}}, {"parallel_links", i64{4}}}};
  static const std::vector<SwitchPairing> all = [] {
    std::vector<SwitchPairing> list;
    for (const Dims& dims : {Dims{5}, Dims{2}, Dims{4, 3}, Dims{3, 3}, Dims{2, 3, 2}}) {
      for (const char* mode : {"basic", "trc"}) {
        list.push_back({{"torus", {{"dims", dims}}}, "dally", mode, 2});
      }
      list.push_back({{"torus", {{"dims", dims}}}, "dally", "improved", 2});
      list.push_back({{"torus", {{"dims", dims}}}, "dally", "adaptive", 3});
      list.push_back({{"mesh", {{"dims", dims}}}, "dally", "basic", 2});
      // Without rings the escape channel of bubble routers is safe as it is.
      list.push_back({{"mesh", {{"dims", dims}}}, "bubble", "shortest", 2});
    }
    list.push_back({{"full-mesh", {{"nodes", i64{5}}}}, "full-mesh", "minimal", 1});
    list.push_back({{"full-mesh", {{"nodes", i64{6}}}}, "full-mesh", "valiant", 2});
    list.push_back({fly, "dragonfly", "minimal", 2});
    list.push_back({fly, "dragonfly", "valiant", 3});
    list.push_back({cube, "indirect-cube", "1mesh", 1});
    list.push_back({cube, "indirect-cube", "4mesh", 1});
    for (const TopologySpec& tree : trees) {
      for (const char* mode : {"adaptive", "static"}) list.push_back({tree, "multistage", mode, 1});
    }
    return list;
  }();
  return all;
}

/// A case of a pairing.
inline SwitchCase random_switch_case(Lottery& draw, u64 seed, const SwitchPairing& pairing) {
  SwitchCase made;
  made.seed = seed;
  made.topology = pairing.topology;
  made.routing = pairing.routing;
  made.modes = {pairing.mode};
  const auto topology = make_topology(made.topology);
  made.channels = pairing.channels + draw.below(3);
  const bool in_step = draw.chance(35);
  made.most_cells = draw.chance(20) ? 1 : draw.between(2, in_step ? 4 : 12);
  made.buffer_cells = made.most_cells + (draw.chance(30) ? 0 : draw.below((in_step ? 12 : 3) * made.most_cells));
  made.fifo = draw.chance(40);
  made.scheduling = draw.chance(50) ? "islip" : "age";
  made.iterations = draw.below(4);
  made.transit_first = draw.chance(20);
  made.store_and_forward = draw.chance(30);
  made.routing_ticks = draw.below(4);
  made.switch_ticks = draw.below(4);
  const auto link = [&draw] { return NetworkCase::Link{draw.between(1, 9), draw.between(1, 3)}; };
  for (std::size_t c = 0; c < topology->link_classes().size(); ++c) made.links.push_back(link());
  made.node_link = in_step ? made.links.front() : link();
  made.packets = random_packets(draw, topology->nodes(), made.most_cells, made.node_link.cell, in_step);
  made.choice_in_turn = Lottery(seed * 11 + 3).chance(25);
  return made;
}

/// One switch is like another: no classes of traffic, a buffer for each channel, crossbars as fast as links.
inline SwitchCase random_switch_case(u64 seed) {
  Lottery draw(seed);
  const SwitchPairing& pairing = draw.one_of(switch_pairings());
  return random_switch_case(draw, seed, pairing);
}

/// Modes of the same routing that are free of deadlock with the channels of a case.
inline std::vector<std::string> other_modes(const SwitchCase& given) {
  std::vector<std::string> modes;
  const std::string name = make_topology(given.topology)->name();
  for (const SwitchPairing& pairing : switch_pairings()) {
    if (pairing.routing == given.routing && pairing.channels <= given.channels &&
        make_topology(pairing.topology)->name() == name)
      modes.push_back(pairing.mode);
  }
  return modes;
}

/// Classes of traffic, each in one of the modes.
inline void add_classes(SwitchCase& made, Lottery& draw, const std::vector<std::string>& modes) {
  const u32 classes = draw.between(2, 4);
  const bool alike = draw.chance(50);
  while (made.modes.size() < classes) made.modes.push_back(alike ? made.modes.front() : draw.one_of(modes));
  if (draw.chance(60)) {
    for (u32 c = 0; c < classes; ++c) made.shares.push_back(draw.between(1, 5));
  }
  made.strict = draw.chance(60);
}
/// Links take `speedup` times as long for a cell, so that crossbars take what links did.
inline void add_speedup(SwitchCase& made, Lottery& draw) {
  made.speedup = draw.between(1, 3);
  made.output_cells = made.most_cells + (draw.chance(30) ? 0 : draw.below(3 * made.most_cells));
  for (NetworkCase::Link& link : made.links) link.cell *= made.speedup;
  made.node_link.cell *= made.speedup;
}
inline void share_buffers(SwitchCase& made, Lottery& draw) {
  made.shared = true;
  made.reserved_cells = made.most_cells + (draw.chance(50) ? 0 : draw.below(made.most_cells));
  made.buffer_cells = made.classes() * made.channels * made.reserved_cells;
  if (!draw.chance(25)) made.buffer_cells += draw.below(5 * made.most_cells);
}

/// At least one of those: classes of traffic, fast crossbars, shared buffers.
inline void make_richer(SwitchCase& made, Lottery& draw, const std::vector<std::string>& modes) {
  const u32 which = draw.between(1, 7);
  if ((which & 1) != 0) add_classes(made, draw, modes);
  if ((which & 2) != 0) add_speedup(made, draw);
  if ((which & 4) != 0) share_buffers(made, draw);
}
inline SwitchCase random_richer_switch_case(u64 seed) {
  Lottery draw(seed);
  const SwitchPairing& pairing = draw.one_of(switch_pairings());
  SwitchCase made = random_switch_case(draw, seed, pairing);
  make_richer(made, draw, other_modes(made));
  return made;
}

/// A case with windows, marking, or both.
inline SwitchCase controlled(SwitchCase made, u64 seed) {
  Lottery draw(seed ^ 0xc0f6);
  const u32 which = draw.between(1, 3);
  if ((which & 1) != 0) made.window_cells = made.most_cells + draw.below(3 * made.most_cells);
  if ((which & 2) == 0) return made;
  constexpr u32 whole = 1U << 24;
  reference::CellMarking m;
  m.above = draw.below(2 * made.most_cells);
  m.surely_above = m.above + 1 + draw.below(6 * made.most_cells);
  m.probability = (u64{1} << 32) / draw.between(1, 8);
  m.quiet = draw.between(1, 60);
  m.timer = draw.between(1, 80);
  m.counter = draw.between(1, 60);
  m.stages = draw.between(1, 5);
  m.gain = whole / draw.between(2, 256);
  m.step = whole / draw.between(3, 1000);
  m.fast_step = whole / draw.between(3, 100);
  m.least = whole / draw.between(10, 1000);
  if (draw.chance(50)) {
    m.quiet = 0;
    m.table = {0};
    while (m.table.size() < 2 + draw.below(12)) m.table.push_back(m.table.back() + draw.below(150));
    m.increase = draw.between(1, 3);
    m.spared = draw.chance(50) ? 0 : draw.between(1, 4);
    m.least_cells = draw.chance(50) ? 1 : draw.between(1, made.most_cells);
  }
  made.marking = m;
  return made;
}
inline SwitchCase random_controlled_switch_case(u64 seed) {
  return controlled(seed % 2 == 0 ? random_switch_case(seed) : random_richer_switch_case(seed), seed);
}

}  // namespace weft::models::testing
