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
  Ways ways = {};               ///< once it is routed, ascending; VCs of the links
};

struct Input {
  std::vector<std::set<Cell>> buffer;  ///< [channel]
  std::list<Visitor> unrouted;
  std::map<QueueName, std::deque<Visitor>> queues;
  Tick busy = 0;  ///< ticks until it is idle
  std::map<u32, u32>
      remote_waiting;  ///< cells that wait for an output of the switch that the link comes from, by its updates
};

/// A switch without its lines.
struct Crossbar {
  Crossbar(u32 ports, const CellNetwork& net)
      : inputs(ports), matcher(ports, net.link_channels(), net.link_channels() + net.classes), sent(ports, 0) {
    for (Input& input : inputs) input.buffer.resize(net.link_channels());
    if (net.lanes) lanes.assign(ports, {VlArbiter(*net.lanes), std::vector<u32>(net.channels, 0)});
  }

  /// Cells of packets that are routed to each output and not matched yet. One with several outputs counts a part at
  /// each of them, rounded up; its escape only if there is nothing else.
  [[nodiscard]] std::vector<u32> waiting(const std::vector<CellPacket>& packets) const {
    std::vector<u32> cells(sent.size(), 0);
    for (const Input& input : inputs) {
      for (const auto& [name, queue] : input.queues) {
        for (const Visitor& visitor : queue) {
          std::set<u32> outputs;
          for (const Way way : visitor.ways.any) outputs.insert(way.port);
          if (outputs.empty()) outputs.insert(visitor.ways.escape->port);
          const u32 all = packets[visitor.packet].cells, parts = static_cast<u32>(outputs.size());
          for (const u32 output : outputs) cells[output] += (all + parts - 1) / parts;
        }
      }
    }
    return cells;
  }

  std::vector<Input> inputs;
  Matcher matcher;
  std::vector<u32> sent;          ///< [output], what neighbours were sent last
  std::vector<LaneOutput> lanes;  ///< [output], of InfiniBand
  u64 busy_ticks = 0;             ///< in which there was something to arbitrate
};

}  // namespace weft::reference
