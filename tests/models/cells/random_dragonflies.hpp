// Small dragonflies, and dragonflies+, of switches whose packets go by output occupancy, busy enough that they go
// round: each from a seed, for the model and its judge alike.
#pragma once

#include <functional>

#include "tests/models/cells/random_cases.hpp"

namespace weft::models::testing {

inline std::string random_arrangement(Lottery& draw) {
  return draw.one_of<std::string>({"relative", "absolute", "circulant", "palm-tree"});
}
/// A dragonfly of any arrangement; with fewer groups than links reach it may have parallel links, and open ports.
inline TopologySpec random_dragonfly(Lottery& draw) {
  const u32 a = draw.between(1, 4), h = draw.between(a == 1 ? 2 : 1, a == 4 ? 1 : 2), p = draw.between(1, 2);
  const u32 groups = std::min(draw.between(3, 7), a * h + 1);
  return {"dragonfly",
          {{"nodes_per_router", i64{p}},
           {"routers_per_group", i64{a}},
           {"global_links", i64{h}},
           {"groups", i64{groups}},
           {"arrangement", random_arrangement(draw)}}};
}

/// Modes of dragonflies by the channels that they need.
inline std::vector<std::string> dragonfly_modes(u32 channels) {
  std::vector<std::string> modes{"minimal"};
  if (channels >= 3) modes.insert(modes.end(), {"valiant", "ugal-l", "ugal-g"});
  if (channels >= 4) modes.emplace_back("par");
  return modes;
}

/// Sends some of the packets to the group behind that of their source, which one link or few lead to.
inline void send_to_next_group(SwitchCase& made, Lottery& draw, u32 percent) {
  const auto topology = make_topology(made.topology);
  const u32 nodes = topology->nodes(), of_group = topology->group_nodes();
  for (CasePacket& packet : made.packets) {
    if (draw.chance(percent)) packet.to = ((packet.from / of_group + 1) * of_group + draw.below(of_group)) % nodes;
  }
}

/// A case of a pairing whose packets decide by output occupancy; of several classes of traffic each in one of the
/// modes.
inline SwitchCase random_busy_case(Lottery& draw, u64 seed, const SwitchPairing& pairing,
                                   const std::function<std::vector<std::string>(u32 channels)>& modes) {
  SwitchCase made = random_switch_case(draw, seed, pairing);
  send_to_next_group(made, draw, draw.one_of<u32>({0, 40, 80, 100}));
  if (draw.chance(40)) made.routing_keys.emplace_back("ugal_bias_cells", i64{draw.below(4 * made.most_cells)});
  if (draw.chance(40)) made.routing_keys.emplace_back("ugal_threshold_cells", i64{draw.below(3 * made.most_cells)});
  if (draw.chance(70)) made.notice_cells = draw.between(1, 2 * made.most_cells);
  made.by_flow = draw.chance(15);
  if (draw.chance(50)) make_richer(made, draw, modes(made.channels));
  return made;
}
inline SwitchCase random_dragonfly_case(u64 seed, const std::string& mode) {
  Lottery draw(seed);
  const TopologySpec topology = random_dragonfly(draw);
  return random_busy_case(draw, seed, {topology, "dragonfly", mode, mode == "par" ? 4U : 3U}, dragonfly_modes);
}

/// A busy dragonfly+, some of whose modes leave a choice of ways besides.
inline SwitchCase random_dragonfly_plus_case(u64 seed, const std::string& mode) {
  Lottery draw(seed);
  const u32 spines = draw.between(1, 3), h = draw.between(spines == 1 ? 2 : 1, 2);
  const TopologySpec topology{"dragonfly-plus",
                              {{"nodes_per_router", i64{draw.between(1, 2)}},
                               {"leaves", i64{draw.between(1, 3)}},
                               {"spines", i64{spines}},
                               {"global_links", i64{h}},
                               {"parallel_links", i64{draw.between(1, 2)}},
                               {"groups", i64{std::min(draw.between(3, 5), spines * h + 1)}},
                               {"arrangement", random_arrangement(draw)}}};
  const auto modes = [](u32) {
    return std::vector<std::string>{"minimal", "adaptive", "valiant", "ugal-l", "ugal-g", "fpar"};
  };
  return random_busy_case(draw, seed, {topology, "dragonfly-plus", mode, 2}, modes);
}

}  // namespace weft::models::testing
