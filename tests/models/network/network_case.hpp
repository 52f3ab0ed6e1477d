// Networks with random settings and traffic, each from a seed, for models of packets of any length and their judges
// alike: what those of all kinds have in common.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/random.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// A packet to be put into the FIFO of its node at `generated_at`; the FIFO has free space for all. No two of a node
/// have one tick of generation.
struct CasePacket {
  Tick generated_at = 0;
  u32 from = 0, to = 0, cells = 1;
  u64 bits = 0;  ///< random ones, and `ties` in place of the lowest 8 when the routing begins (PlainPolicy::begin)
  u8 ties = 0;
  [[nodiscard]] u64 random_bits() const { return (bits & ~u64{0xff}) | ties; }
};

/// Times in ticks, of which a cycle is one.
struct NetworkCase {
  struct Link {
    Tick latency = 1;  ///< D
    Tick cell = 1;     ///< C
  };

  u64 seed = 0;
  TopologySpec topology;
  std::string routing;                                                  ///< of RouterRegistry
  std::vector<std::string> modes;                                       ///< of that, for each class of traffic
  std::vector<std::pair<std::string, SettingValue>> routing_keys = {};  ///< other than the usual values
  std::vector<u32> shares = {};                                         ///< of the classes of traffic; empty: equal
  u32 channels = 1;                                                     ///< of each class
  u32 buffer_cells = 64;
  u32 most_cells = 1;                        ///< of a packet (packet.phits)
  std::string scheduling = "islip";          ///< or "age"
  u32 iterations = 1;                        ///< 0: as many as find a pair
  bool transit_first = false;                ///< router.ipr_fraction = 1
  Tick routing_ticks = 0, switch_ticks = 0;  ///< R, S
  std::vector<Link> links = {};              ///< [class of the topology]
  Link node_link = {};                       ///< class `node`, also where nodes sit inside
  std::vector<CasePacket> packets = {};      ///< by generation, then by node
  bool by_flow = false;                      ///< routes are drawn for each pair of nodes
  Tick start = 0;                            ///< first tick of the model, from which generations count

  [[nodiscard]] u32 classes() const { return static_cast<u32>(modes.size()); }
  /// The class of traffic of a packet, drawn from its bits.
  [[nodiscard]] u32 class_of(const CasePacket& packet) const {
    u32 sum = 0, below = 0;
    for (u32 c = 0; c < classes(); ++c) sum += share(c);
    const u32 drawn = engine::scale_to(engine::remix(packet.bits, 0x63'6c'61'73'73), sum);
    for (u32 c = 0; c + 1 < classes(); ++c) {
      below += share(c);
      if (drawn < below) return c;
    }
    return classes() - 1;
  }
  /// The random bits that the route of a packet begins with.
  [[nodiscard]] u64 random_bits(const CasePacket& packet) const {
    return by_flow ? engine::remix(RouterSettings{}.seed, u64{packet.from} << 32 | packet.to) : packet.random_bits();
  }
  /// What the plain routing of a class is made with.
  [[nodiscard]] RouterSettings routing_settings(u32 of_class = 0) const {
    RouterSettings settings;
    settings.kind = routing;
    settings.mode = modes[of_class];
    settings.virtual_channels = channels;
    add_routing_keys(settings.own);
    return settings;
  }
  /// The own keys of the routing, each with its value.
  void add_routing_keys(Parameters& keys) const {
    for (const Setting& row : router_kind(routing).settings) keys.set(row.name(), row.fallback);
    for (const auto& [name, value] : routing_keys) keys.set(name, value);
  }
  [[nodiscard]] std::string describe() const {
    std::string text = fmt::format(
        "seed {}: {}, {} {}, {} VCs, buffers of {} cells, {} x {}{}, R {}, S {}, node link D {} C {}, links", seed,
        make_topology(topology)->name(), routing, fmt::join(modes, "/"), channels, buffer_cells, scheduling, iterations,
        transit_first ? ", transit first" : "", routing_ticks, switch_ticks, node_link.latency, node_link.cell);
    for (const Link& link : links) text += fmt::format(" D {} C {}", link.latency, link.cell);
    return text + fmt::format(", {} packets of up to {} cells from tick {} on", packets.size(), most_cells, start);
  }

 private:
  [[nodiscard]] u32 share(u32 c) const { return shares.empty() ? 1 : shares[c]; }
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

/// A first tick, often one shortly before the generations that packets carry begin at 0 again.
inline Tick random_start(Lottery& draw) {
  constexpr Tick ticks_wrap = Tick{1} << 40;
  return draw.chance(60) ? 0 : ticks_wrap - draw.below(400);
}

/// Traffic at some load, light or far too much, sometimes mostly for one node. Packets in step are alike and come all
/// at once, so that many inputs and outputs become idle in the same tick.
inline std::vector<CasePacket> random_packets(Lottery& draw, u32 nodes, u32 most_cells, Tick cell, bool in_step) {
  const u32 per_node = in_step ? draw.between(10, 30) : draw.between(3, 14), favourite = draw.below(nodes);
  const u32 hot_percent = draw.chance(30) && !in_step ? draw.between(20, 90) : 0;
  const u32 load_percent = in_step ? 10'000 : draw.one_of<u32>({5, 30, 60, 100, 300, 2000});
  const u32 fixed_cells = in_step ? most_cells : draw.chance(25) ? draw.between(1, most_cells) : 0;
  const Tick span = std::max<Tick>(per_node, Tick{per_node} * most_cells * cell * 50 / load_percent);
  std::vector<CasePacket> packets;
  for (u32 node = 0; node < nodes; ++node) {
    std::set<Tick> generated_ticks;
    while (generated_ticks.size() < per_node) generated_ticks.insert(draw.bits() % span);
    for (const Tick generated_at : generated_ticks) {
      u32 to = draw.chance(hot_percent) ? favourite : draw.below(nodes);
      if (to == node) to = (to + 1 + draw.below(nodes - 1)) % nodes;
      const u32 cells = fixed_cells != 0 ? fixed_cells : draw.between(1, most_cells);
      packets.push_back({generated_at, node, to, cells, draw.bits(), static_cast<u8>(draw.bits())});
    }
  }
  std::ranges::sort(packets, {}, [](const CasePacket& p) { return std::pair{p.generated_at, p.from}; });
  return packets;
}

}  // namespace weft::models::testing
