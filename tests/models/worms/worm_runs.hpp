// Small networks of wormhole switches with random settings and traffic, each from a seed, as cases to run.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <random>
#include <string>
#include <vector>

#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// All that a run of wormhole switches is told; times in ticks, a cycle is one.
struct WormRun {
  u64 seed = 0;
  TopologySpec topology;
  std::string routing = "multistage", mode = "static";
  u32 buffer_cells = 64;
  u32 most_cells = 1;  ///< of a packet
  bool stop_go = false;
  u32 stop_cells = 0;
  i64 go_cells = -1;
  std::string scheduling = "islip";
  Tick cell = 1, routing_ticks = 0, switch_ticks = 0;  ///< C, R, S
  std::vector<Tick> latencies = {};                    ///< D [class], that of node links among them
  std::vector<Send> packets = {};

  [[nodiscard]] std::string describe() const {
    return fmt::format(
        "seed {}: {}, {} {}, {} of {} cells (stop {} go {}), {}, C {} R {} S {} D {}, {} packets of up to {} cells",
        seed, make_topology(topology)->name(), routing, mode, stop_go ? "stop-go" : "credits", buffer_cells, stop_cells,
        go_cells, scheduling, cell, routing_ticks, switch_ticks, fmt::join(latencies, " "), packets.size(), most_cells);
  }
  [[nodiscard]] Case setup() const {
    Case made{topology, {}};
    RouterSettings& s = made.router;
    s.kind = "wormhole";
    s.virtual_channels = 1;
    s.packet_phits = most_cells;
    s.packet_ticks = most_cells * cell;
    s.switch_ticks = switch_ticks;
    for (const char* kind : {routing.c_str(), "wormhole"}) {
      for (const Setting& row : router_kind(kind).settings) s.own.set(row.name(), row.fallback);
    }
    s.own.set("routing", routing);
    s.own.set("routing_mode", mode);
    s.own.set("buffer_cells", i64{buffer_cells});
    s.own.set("scheduling", scheduling);
    s.own.set("routing_cycles", static_cast<i64>(routing_ticks));
    s.own.set("flow_control", std::string(stop_go ? "stop-go" : "credits"));
    s.own.set("stop_cells", i64{stop_cells});
    s.own.set("go_cells", go_cells);
    s.own.set("injection_queue_packets", i64{1'000'000});
    s.class_link_ticks = latencies;
    s.class_cell_ticks.assign(latencies.size(), cell);
    s.link_ticks = *std::ranges::min_element(latencies);
    return made;
  }
};

inline WormRun random_worm_run(u64 seed) {
  std::mt19937_64 bits(seed);
  const auto between = [&bits](u64 low, u64 high) { return low + bits() % (high - low + 1); };
  const auto chance = [&bits](u32 percent) { return bits() % 100 < percent; };
  struct Pairing {
    TopologySpec topology;
    const char* routing;
    const char* mode;
  };
  const TopologySpec clos{"clos", {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{3}}}};
  const std::vector<Pairing> pairings = {{tree(2, 3), "multistage", "adaptive"},
                                         {tree(2, 3), "multistage", "static"},
                                         {thin_tree(3, 2, 2), "multistage", "adaptive"},
                                         {clos, "multistage", "adaptive"},
                                         {clos, "multistage", "static"},
                                         {crossbar(5), "multistage", "static"},
                                         {{"full-mesh", {{"nodes", i64{6}}}}, "full-mesh", "minimal"}};
  const Pairing& pairing = pairings[bits() % pairings.size()];
  WormRun made{.seed = seed, .topology = pairing.topology, .routing = pairing.routing, .mode = pairing.mode};
  const auto topology = make_topology(made.topology);
  made.most_cells = static_cast<u32>(chance(15) ? 1 : between(2, chance(50) ? 6 : 40));
  made.cell = chance(50) ? 1 : between(2, 4);
  made.routing_ticks = between(0, 5);
  made.switch_ticks = between(0, 3);
  made.scheduling = chance(50) ? "islip" : chance(50) ? "age" : "random";
  for (std::size_t c = 0; c < topology->link_classes().size(); ++c) made.latencies.push_back(between(1, 9));
  made.stop_go = chance(50);
  made.buffer_cells = static_cast<u32>(between(1, chance(30) ? 4 : 60));
  if (made.stop_go) {
    const Tick round_trip = 2 * *std::ranges::max_element(made.latencies) + made.switch_ticks;
    const u32 spare = made.buffer_cells;
    made.buffer_cells += static_cast<u32>((round_trip + made.cell - 1) / made.cell) + 1;
    if (chance(50)) made.stop_cells = static_cast<u32>(between(1, spare));
    if (made.stop_cells != 0 && chance(70)) made.go_cells = static_cast<i64>(between(0, made.stop_cells - 1));
  }
  const Tick span = between(1, 8) * made.most_cells * made.cell * 4;
  made.packets = random_traffic(topology->nodes(), static_cast<u32>(between(3, 14)), span, seed);
  for (Send& send : made.packets) {
    send.cells = static_cast<u32>(between(1, made.most_cells));
    if (seed % 4 == 0 && send.from != 0 && chance(60)) send.to = 0;
  }
  return made;
}

}  // namespace weft::models::testing
