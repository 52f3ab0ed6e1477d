// Small networks of switches with random settings and traffic, each from a seed, for the model and its judge alike.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/router/router_kind.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// A packet to be put into the FIFO of its node at `birth`; the FIFO has room for all. No two of a node have one birth.
struct SwitchPacket {
  Tick birth = 0;
  u32 from = 0, to = 0, cells = 1;
  u64 bits = 0;  ///< random ones, and `ties` in place of the lowest 8 when the routing begins (PlainPolicy::begin)
  u8 ties = 0;
  [[nodiscard]] u64 lot() const { return (bits & ~u64{0xff}) | ties; }
};

/// All that there is to know of a run. Times in ticks, of which a cycle is one.
struct SwitchCase {
  struct Link {
    Tick latency = 1;  ///< D
    Tick cell = 1;     ///< C, at most 3: 1 / link.phits_per_cycle
  };

  u64 seed = 0;
  TopologySpec topology;
  std::string routing, mode;  ///< of RouterRegistry
  u32 channels = 1;
  u32 buffer_cells = 64;
  u32 most_cells = 1;  ///< of a packet (packet.phits)
  bool fifo = false;
  std::string scheduling = "islip";  ///< or "age"
  u32 iterations = 1;
  bool store_and_forward = false;
  Tick routing_ticks = 0, switch_ticks = 0;  ///< R, S
  std::vector<Link> links = {};              ///< [class of the topology]
  Link node_link = {};                       ///< class `node`, also where nodes sit inside
  std::vector<SwitchPacket> packets = {};    ///< by birth, then by node

  /// What the plain routing is made with.
  [[nodiscard]] RouterSettings routing_settings() const {
    RouterSettings settings;
    settings.kind = routing;
    settings.mode = mode;
    settings.virtual_channels = channels;
    for (const Setting& row : router_kind(routing).settings) settings.own.set(row.name(), row.fallback);
    return settings;
  }
  [[nodiscard]] std::string describe() const {
    std::string text =
        fmt::format("seed {}: {}, {} {}, {} VCs of {} cells, {}, {} x {}, {}, R {}, S {}, node link D {} C {}, links",
                    seed, make_topology(topology)->name(), routing, mode, channels, buffer_cells, fifo ? "fifo" : "voq",
                    scheduling, iterations, store_and_forward ? "store-and-forward" : "cut-through", routing_ticks,
                    switch_ticks, node_link.latency, node_link.cell);
    for (const Link& link : links) text += fmt::format(" D {} C {}", link.latency, link.cell);
    return text + fmt::format(", {} packets of up to {} cells", packets.size(), most_cells);
  }
};

/// Draws that are the same everywhere.
class Lottery {
 public:
  explicit Lottery(u64 seed) : bits_(seed) {}
  u64 bits() { return bits_(); }
  u32 below(u32 bound) { return static_cast<u32>(bits_() % bound); }
  u32 between(u32 low, u32 high) { return low + below(high - low + 1); }
  bool chance(u32 percent) { return below(100) < percent; }
  template <class Thing>
  const Thing& one_of(const std::vector<Thing>& things) {
    return things[below(static_cast<u32>(things.size()))];
  }

 private:
  std::mt19937_64 bits_;
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

/// Traffic at some load, light or far too much, sometimes mostly for one node. Packets in step are alike and come all
/// at once, so that many inputs and outputs become idle in the same tick.
inline std::vector<SwitchPacket> random_packets(Lottery& draw, u32 nodes, u32 most_cells, Tick cell, bool in_step) {
  const u32 per_node = in_step ? draw.between(10, 30) : draw.between(3, 14), favourite = draw.below(nodes);
  const u32 hot_percent = draw.chance(30) && !in_step ? draw.between(20, 90) : 0;
  const u32 load_percent = in_step ? 10'000 : draw.one_of<u32>({5, 30, 60, 100, 300, 2000});
  const u32 fixed_cells = in_step ? most_cells : draw.chance(25) ? draw.between(1, most_cells) : 0;
  const Tick span = std::max<Tick>(per_node, Tick{per_node} * most_cells * cell * 50 / load_percent);
  std::vector<SwitchPacket> packets;
  for (u32 node = 0; node < nodes; ++node) {
    std::set<Tick> births;
    while (births.size() < per_node) births.insert(draw.bits() % span);
    for (const Tick birth : births) {
      u32 to = draw.chance(hot_percent) ? favourite : draw.below(nodes);
      if (to == node) to = (to + 1 + draw.below(nodes - 1)) % nodes;
      const u32 cells = fixed_cells != 0 ? fixed_cells : draw.between(1, most_cells);
      packets.push_back({birth, node, to, cells, draw.bits(), static_cast<u8>(draw.bits())});
    }
  }
  std::ranges::sort(packets, {}, [](const SwitchPacket& p) { return std::pair{p.birth, p.from}; });
  return packets;
}

inline SwitchCase random_switch_case(u64 seed) {
  Lottery draw(seed);
  const SwitchPairing& pairing = draw.one_of(switch_pairings());
  SwitchCase made{.seed = seed, .topology = pairing.topology, .routing = pairing.routing, .mode = pairing.mode};
  const auto topology = make_topology(made.topology);
  made.channels = pairing.channels + draw.below(3);
  const bool in_step = draw.chance(35);
  made.most_cells = draw.chance(20) ? 1 : draw.between(2, in_step ? 4 : 12);
  made.buffer_cells = made.most_cells + (draw.chance(30) ? 0 : draw.below((in_step ? 12 : 3) * made.most_cells));
  made.fifo = draw.chance(40);
  made.scheduling = draw.chance(50) ? "islip" : "age";
  made.iterations = draw.between(1, 3);
  made.store_and_forward = draw.chance(30);
  made.routing_ticks = draw.below(4);
  made.switch_ticks = draw.below(4);
  const auto link = [&draw] { return SwitchCase::Link{draw.between(1, 9), draw.between(1, 3)}; };
  for (std::size_t c = 0; c < topology->link_classes().size(); ++c) made.links.push_back(link());
  made.node_link = in_step ? made.links.front() : link();
  made.packets = random_packets(draw, topology->nodes(), made.most_cells, made.node_link.cell, in_step);
  return made;
}

}  // namespace weft::models::testing
