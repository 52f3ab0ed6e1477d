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
  bool set_aside = false;       ///< whether it has its credits
  Tick ready = 0;
};

struct Input {
  std::vector<std::set<Cell>> buffer;  ///< [channel]
  std::list<Visitor> unrouted;
  std::map<QueueName, std::deque<Visitor>> queues;
  Tick busy = 0;  ///< ticks until it is idle
};

/// A switch without its lines.
struct Crossbar {
  Crossbar(u32 ports, const CellNetwork& net) : inputs(ports), matcher(ports, net.link_channels() + net.classes) {
    for (Input& input : inputs) input.buffer.resize(net.link_channels());
  }
  std::vector<Input> inputs;
  Matcher matcher;
};

}  // namespace weft::reference
