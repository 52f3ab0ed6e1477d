// Puts routers into racks and adds up what they and their cables cost; see the header.
#include "tools/report/cost/network_cost.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools::cost {
namespace {

using models::Peer;
using models::Topology;

constexpr u32 most_routers = 1U << 26;

double sum_of(const std::vector<Part>& parts, double Part::*figure) {
  double sum = 0;
  for (const Part& part : parts) sum += part.*figure;
  return sum;
}

/// The first kind that goes so far; none if there is none.
std::optional<std::size_t> kind_for(const std::vector<Item>& items, double units) {
  constexpr double rounding = 1e-9;
  const auto found = std::ranges::find_if(items, [units](const Item& one) { return units <= one.up_to + rounding; });
  return found == items.end() ? std::nullopt : std::optional<std::size_t>(found - items.begin());
}

/// Counts the things of one sort by their kinds.
class Bought {
 public:
  Bought(const char* what, const std::vector<Item>& items) : items_(items), parts_(items.size()) {
    for (std::size_t ix = 0; ix < items.size(); ++ix) {
      parts_[ix].what = what;
      parts_[ix].name = items[ix].name;
    }
  }
  void add(std::size_t kind, u64 count, double units) {
    Part& part = parts_[kind];
    const auto times = static_cast<double>(count);
    part.count += count;
    part.units += times * units;
    part.longest = std::max(part.longest, units);
    part.price += times * (items_[kind].price + units * items_[kind].price_per_unit);
    part.watts += times * (items_[kind].watts + units * items_[kind].watts_per_unit);
  }
  void move_to(std::vector<Part>& all) const {
    std::ranges::copy_if(parts_, std::back_inserter(all), [](const Part& part) { return part.count > 0; });
  }

 private:
  const std::vector<Item>& items_;
  std::vector<Part> parts_;
};

Bought switches_of(const Topology& topology, const CostTable& table) {
  Bought bought("switch", table.switches);
  const u32 most_ports = table.virtual_switches ? topology.most_ports() : 0;
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 count = topology.kind_routers(kind);
    if (count == 0) continue;
    const u32 one = topology.kind_ports(kind);
    // Several may be virtual switches of one: those of the top of a tree have no ports up (Navaridas et al., Parallel
    // Computing 2010, section 3).
    const u32 together = one > 0 ? std::max(1U, most_ports / one) : 1;
    const u32 ports = together * one;
    const auto item = kind_for(table.switches, ports);
    if (!item) {
      throw ConfigError(
          fmt::format("{}: no [[switch]] has {} ports, as those of the {} do; add one with up_to_ports = "
                      "{}, or leave that out of the last",
                      table.path, ports, topology.name(), ports));
    }
    bought.add(*item, (count + together - 1) / together, ports);
  }
  return bought;
}

/// Lengths of cables from rack to rack.
class Floorplan {
 public:
  Floorplan(const Topology& topology, const CostTable& table)
      : floor_(table.floor), routers_(topology.plane().routers()), racks_(racks_of(topology, table)) {}
  [[nodiscard]] u32 racks() const { return racks_.empty() ? 0 : *std::ranges::max_element(racks_) + 1; }
  [[nodiscard]] double length_m(u32 router, u32 other) const {
    const u32 a = racks_[router % routers_], b = racks_[other % routers_];
    if (a == b) return floor_.in_rack_m;
    const auto apart = [](u32 x, u32 y) { return static_cast<double>(x > y ? x - y : y - x); };
    const u32 row = floor_.racks_per_row;
    return apart(a % row, b % row) * floor_.rack_pitch_m + apart(a / row, b / row) * floor_.row_pitch_m +
           floor_.slack_m;
  }

 private:
  const Floor& floor_;
  u32 routers_;  ///< of a plane
  std::vector<u32> racks_;
};

Bought cables_of(const Topology& topology, const CostTable& table, const Floorplan& plan) {
  Bought bought("cable", table.cables);
  const auto add = [&](u32 router, u32 port, double length_m) {
    const auto item = kind_for(table.cables, length_m);
    if (!item) {
      throw ConfigError(
          fmt::format("{}: no [[cable]] is {} m long, as that at port {} of router {} of the {} would "
                      "be; leave up_to_m out of the last",
                      table.path, significant(length_m), port, router, topology.name()));
    }
    bought.add(*item, 1, length_m);
  };
  for (u32 router = 0; router < topology.routers(); ++router) {
    const u32 ports = topology.ports(RouterId(router));
    for (u32 port = 0; port < ports; ++port) {
      const Peer peer = topology.peer(RouterId(router), port);
      if (peer.kind == Peer::Kind::node) {
        add(router, port, table.floor.in_rack_m);
      } else if (peer.kind == Peer::Kind::router && std::pair(router, port) < std::pair(peer.id, peer.port)) {
        add(router, port, plan.length_m(router, peer.id));
      }
    }
  }
  return bought;
}

}  // namespace

Measures measures_of(const Topology& topology) {
  return {topology.routers(), topology.joins_all() ? 0 : topology.most_ports()};
}

double NetworkCost::price() const { return sum_of(parts, &Part::price); }
double NetworkCost::watts() const { return sum_of(parts, &Part::watts); }

double NetworkCost::cable_m() const {
  double sum = 0;
  for (const Part& part : parts) sum += part.what == "cable" ? part.units : 0;
  return sum;
}

std::vector<u32> racks_of(const Topology& topology, const CostTable& table) {
  const Topology& plane = topology.plane();
  const Floor& floor = table.floor;
  std::vector<u32> racks;
  racks.reserve(plane.routers());
  u32 rack = 0, switches = 0, nodes = 0;
  for (u32 router = 0; router < plane.routers(); ++router) {
    const u32 beside = plane.nodes_at(RouterId(router));
    if (floor.nodes_per_rack > 0 && beside > floor.nodes_per_rack) {
      throw ConfigError(
          fmt::format("{}: nodes_per_rack = {} is less than the {} nodes of router {} of the {} (they "
                      "stand beside it); give {} or more",
                      table.path, floor.nodes_per_rack, beside, router, topology.name(), beside));
    }
    const bool full = (floor.nodes_per_rack > 0 && nodes + beside > floor.nodes_per_rack) ||
                      (floor.switches_per_rack > 0 && switches == floor.switches_per_rack);
    if (full) {
      ++rack;
      switches = nodes = 0;
    }
    racks.push_back(rack);
    ++switches;
    nodes += beside;
  }
  return racks;
}

NetworkCost cost_of(const Topology& network, const CostTable& table) {
  const Topology& topology = network.whole();
  if (topology.joins_all()) {
    throw ConfigError(
        fmt::format("the {} has no price (it has neither switches nor cables); leave --cost out, or take "
                    "another topology.kind",
                    topology.name()));
  }
  if (topology.routers() > most_routers) {
    throw ConfigError(fmt::format("the {} has {} routers (a floor is planned for {} at most); leave --cost out",
                                  topology.name(), grouped(topology.routers()), grouped(most_routers)));
  }
  NetworkCost cost;
  cost.currency = table.currency;
  cost.racks_per_row = table.floor.racks_per_row;
  cost.rack_pitch_m = table.floor.rack_pitch_m;
  cost.row_pitch_m = table.floor.row_pitch_m;
  const Floorplan plan(topology, table);
  cost.racks = plan.racks();
  switches_of(topology, table).move_to(cost.parts);
  if (!topology.direct()) {
    const auto nics = static_cast<double>(topology.nodes());
    cost.parts.push_back({"nic", "", topology.nodes(), 0, 0, nics * table.nic.price, nics * table.nic.watts});
  }
  cables_of(topology, table, plan).move_to(cost.parts);
  return cost;
}

}  // namespace weft::tools::cost
