// Chips, cards and cables of clusters made of leaf and core switches.
#include "models/subnet/leaf_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/subnet/lids.hpp"

namespace weft::models {
namespace {

/// A core's chips with external ports, in order of its sockets; their first half of ports is external.
struct Core {
  std::vector<u32> outer;
};

u32 add_chip(Subnet& subnet, const std::string& name, u32 ports) {
  return subnet.add_switch({.name = name, .guid = 0x200000ULL + subnet.switches(), .lid = 0, .ports = ports});
}

/// Joins every chip of `below` (its ports from `port` up) once to every chip of `above` (its next free ports).
void join_all(Subnet& subnet, const std::vector<u32>& below, u32 port, const std::vector<u32>& above, u32 above_port) {
  for (u32 a = 0; a < above.size(); ++a) {
    for (u32 b = 0; b < below.size(); ++b) {
      const bool joined = subnet.connect_switches(below[b], port + a, above[a], above_port + b);
      WEFT_ASSERT(joined);
    }
  }
}

/// Line chips with half their ports outside, each joined to every spine chip.
Core add_three_stages(Subnet& subnet, const LeafCoreShape& shape, u32 core) {
  const u32 half = shape.chip_ports / 2;
  Core made;
  std::vector<u32> spines;
  for (u32 c = 0; c < shape.core_cards; ++c) {
    made.outer.push_back(add_chip(subnet, fmt::format("core {} line {}", core, c), shape.chip_ports));
  }
  for (u32 c = 0; c < half; ++c) {
    spines.push_back(add_chip(subnet, fmt::format("core {} spine {}", core, c), shape.chip_ports));
  }
  join_all(subnet, made.outer, half + 1, spines, 1);
  return made;
}

/// Cards of outer and inner chips, every outer joined to every inner one of its card; inner chip j of each card joined
/// to the same fabric chips, one link to each.
Core add_five_stages(Subnet& subnet, const LeafCoreShape& shape, u32 core) {
  const u32 half = shape.chip_ports / 2;
  Core made;
  std::vector<std::vector<u32>> inner(half);  // [j][card]
  for (u32 card = 0; card < shape.core_cards; ++card) {
    std::vector<u32> outer_here, inner_here;
    for (u32 c = 0; c < half; ++c) {
      outer_here.push_back(add_chip(subnet, fmt::format("core {} card {} outer {}", core, card, c), shape.chip_ports));
    }
    for (u32 c = 0; c < half; ++c) {
      inner_here.push_back(add_chip(subnet, fmt::format("core {} card {} inner {}", core, card, c), shape.chip_ports));
      inner[c].push_back(inner_here.back());
    }
    join_all(subnet, outer_here, half + 1, inner_here, 1);
    made.outer.insert(made.outer.end(), outer_here.begin(), outer_here.end());
  }
  if (shape.spread) {  // chip 0 of every card, chip 1 of every card...
    std::vector<u32> by_chip;
    for (u32 c = 0; c < half; ++c) {
      for (u32 card = 0; card < shape.core_cards; ++card) by_chip.push_back(made.outer[card * half + c]);
    }
    made.outer = by_chip;
  }
  for (u32 j = 0; j < half; ++j) {
    std::vector<u32> fabric;
    for (u32 c = 0; c < half; ++c) {
      fabric.push_back(add_chip(subnet, fmt::format("core {} fabric {}", core, j * half + c), shape.chip_ports));
    }
    join_all(subnet, inner[j], half + 1, fabric, 1);
  }
  return made;
}

void check(const LeafCoreShape& shape) {
  const auto refuse = [&shape](const std::string& problem) {
    throw ConfigError(fmt::format("the fabric {} cannot be built ({})", shape.name, problem));
  };
  if (shape.hosts == 0 || shape.leaves == 0 || shape.cores == 0 || shape.core_cards == 0)
    refuse("it has a count that is 0; give hosts, leaves, cores and core_cards");
  if (shape.core_stages != 3 && shape.core_stages != 5)
    refuse("cores have 3 or 5 stages; set core_stages to one of them");
  if (shape.chip_ports < 2 || shape.chip_ports % 2 != 0 || shape.chip_ports > Subnet::most_ports) {
    refuse(fmt::format("chips of {} ports; chip_ports is even and at most {}", shape.chip_ports, Subnet::most_ports));
  }
  if (shape.core_cards > shape.chip_ports) {
    refuse(fmt::format("{} cards in a core, more than the {} ports of a chip that joins them", shape.core_cards,
                       shape.chip_ports));
  }
  const u32 bundle = shape.cores * shape.cable_links;
  if (bundle == 0 || shape.leaf_uplinks % bundle != 0 || shape.leaf_uplinks == 0) {
    refuse(fmt::format("{} uplinks do not share out over {} cores by cables of {} links", shape.leaf_uplinks,
                       shape.cores, shape.cable_links));
  }
  const u32 half = shape.chip_ports / 2;
  if (half % shape.cable_links != 0)
    refuse(
        fmt::format("cables of {} links do not share out over the {} outer ports of a chip", shape.cable_links, half));
  const u64 outside = u64{shape.core_cards} * half * (shape.core_stages == 5 ? half : 1);
  const u64 needed = u64{shape.leaves} * (shape.leaf_uplinks / shape.cores);
  if (needed > outside)
    refuse(fmt::format("{} links for a core of {} ports; take more cores or cards", needed, outside));
  if ((shape.hosts + shape.leaves - 1) / shape.leaves + shape.leaf_uplinks > Subnet::most_ports) {
    refuse(fmt::format("more than {} ports at a leaf", Subnet::most_ports));
  }
}

}  // namespace

Subnet leaf_core_subnet(const LeafCoreShape& shape) {
  check(shape);
  Subnet subnet;
  const u32 leaf_hosts = (shape.hosts + shape.leaves - 1) / shape.leaves;
  for (u32 l = 0; l < shape.leaves; ++l) add_chip(subnet, fmt::format("leaf {}", l), leaf_hosts + shape.leaf_uplinks);
  std::vector<Core> cores;
  for (u32 c = 0; c < shape.cores; ++c) {
    cores.push_back(shape.core_stages == 3 ? add_three_stages(subnet, shape, c) : add_five_stages(subnet, shape, c));
  }
  for (u32 l = 0, h = 0; l < shape.leaves; ++l) {
    const u32 end = static_cast<u32>(u64{shape.hosts} * (l + 1) / shape.leaves);
    for (u32 port = 1; h < end; ++h, ++port) {
      subnet.add_host({.name = fmt::format("node {}", h),
                       .guid = 0x10000000ULL + 2 * u64{h},
                       .port_guid = 0x10000001ULL + 2 * u64{h}});
      subnet.connect_host(h, l, port);
    }
  }
  const u32 cables = shape.leaf_uplinks / shape.cores / shape.cable_links,
            sockets = shape.chip_ports / 2 / shape.cable_links;
  for (u32 l = 0; l < shape.leaves; ++l) {
    for (u32 up = 0; up < shape.leaf_uplinks; ++up) {
      const Core& core = cores[up / shape.cable_links % shape.cores];
      const u32 q = l * cables + up / shape.cable_links / shape.cores, chips = static_cast<u32>(core.outer.size());
      const u32 chip = shape.spread ? q % chips : q / sockets, socket = shape.spread ? q / chips : q % sockets;
      const bool joined = subnet.connect_switches(l, leaf_hosts + 1 + up, core.outer[chip],
                                                  socket * shape.cable_links + up % shape.cable_links + 1);
      WEFT_ASSERT(joined);
    }
  }
  if (shape.lid_seed != 0) {
    std::vector<u32> lids(shape.hosts);
    std::iota(lids.begin(), lids.end(), 1U);
    for (u32 k = shape.hosts; k-- > 1;) {
      std::swap(lids[k], lids[engine::scale_to(engine::remix(shape.lid_seed, k), k + 1)]);
    }
    for (u32 h = 0; h < shape.hosts; ++h) subnet.set_host_lid(h, lids[h], 0);
  }
  hand_out_lids(subnet);
  return subnet;
}

}  // namespace weft::models
