// The inputs of a switch in the plain simulator, and the tick's matching of them.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <set>
#include <vector>

#include "tests/reference/cell_line.hpp"
#include "tests/reference/cell_matching.hpp"

namespace weft::reference {

/// A packet in an input, wholly or partly.
struct Visitor {
  u32 packet = 0, channel = 0;  ///< VC of the link that it came by
  Tick came = 0;                ///< its first cell
  Way way = {};                 ///< once it is routed; VC of the link
  bool decided = false;         ///< whether the rules have seen how full outputs are
  bool set_aside = false;       ///< whether it has its credits
  Tick ready = 0;
};

struct Input {
  std::vector<std::set<Cell>> buffer;  ///< [channel]
  std::list<Visitor> unrouted;
  std::map<QueueName, std::deque<Visitor>> queues;
  Tick busy = 0;            ///< ticks until it is idle
  std::map<u32, u32> told;  ///< cells that wait for an output of the switch that the link comes from, by its news
};

/// A switch without its lines.
struct Crossbar {
  Crossbar(u32 ports, const CellNetwork& net)
      : inputs(ports), matcher(ports, net.link_channels() + net.classes), said(ports, 0) {
    for (Input& input : inputs) input.buffer.resize(net.link_channels());
    if (net.lanes) lanes.assign(ports, {VlArbiter(*net.lanes), std::vector<u32>(net.channels, 0)});
  }

  /// Cells of packets that are routed to each output and not matched yet.
  [[nodiscard]] std::vector<u32> waiting(const std::vector<CellPacket>& packets) const {
    std::vector<u32> cells(said.size(), 0);
    for (const Input& input : inputs) {
      for (const auto& [name, queue] : input.queues) {
        for (const Visitor& visitor : queue) cells[visitor.way.port] += packets[visitor.packet].cells;
      }
    }
    return cells;
  }

  std::vector<Input> inputs;
  Matcher matcher;
  std::vector<u32> said;          ///< [output], what neighbours were told last
  std::vector<LaneOutput> lanes;  ///< [output], of InfiniBand
  u64 busy_ticks = 0;             ///< in which there was something to arbitrate
};

}  // namespace weft::reference
