// All that there is in the plain simulator of wormholes between two ticks, and what must hold of it.
#pragma once

#include <algorithm>
#include <fmt/format.h>

#include "tests/reference/cell_matching.hpp"
#include "tests/reference/worm_line.hpp"

namespace weft::reference {

class WormState {
 public:
  WormState(WormNetwork net, std::vector<CellPacket> packets, CellRules rules)
      : net_(std::move(net)), packets_(std::move(packets)), rules_(std::move(rules)), data_(packets_.size()) {
    for (u32 s = 0; s < net_.switches.size(); ++s) {
      const std::size_t ports = net_.switches[s].size();
      switches_.push_back({std::vector<Input>(ports), {}, Matcher(static_cast<u32>(ports), 0, 1), 0});
      for (u32 p = 0; p < ports; ++p) {
        switches_[s].outputs.push_back(line_of(net_.switches[s][p], net_.crossing));
        if (net_.switches[s][p].far == CellPort::Far::node) add_node(net_.switches[s][p], s, p);
      }
    }
    outcome_.delivered.assign(packets_.size(), never);
    cells_at_.assign(packets_.size(), 0);
    for (u32 p = 0; p < packets_.size(); ++p) nodes_.at(packets_[p].from).unborn.push_back(p);
    for (Node& node : nodes_) {
      std::ranges::stable_sort(node.unborn, {}, [&](u32 p) { return packets_[p].generated_at; });
    }
  }

 protected:
  /// A packet of which cells are, or were, in an input.
  struct Visitor {
    u32 packet = 0;
    Tick came = 0;                ///< its first cell
    std::optional<Way> way = {};  ///< once it has chosen
  };
  struct Input {
    std::deque<Cell> buffer;
    std::deque<Visitor> visitors;  ///< but for the one that is leaving
    bool sends = false;
    Tick rest = 0;              ///< ticks until it is idle after a packet
    u32 next_way = 0;           ///< output that is taken first of several that are equally good
    u32 to_come = 0, next = 0;  ///< cells of the packet that is coming in, and the number of the next one

    [[nodiscard]] bool idle() const { return !sends && rest == 0; }
  };
  struct Switch {
    std::vector<Input> inputs;
    std::vector<WormLine> outputs;
    Matcher matcher;
    u32 first_input;  ///< that gets its output first of those that do in a tick
  };
  struct Node {
    u32 at = 0, port = 0;
    WormLine line;
    std::deque<u32> unborn, waiting;  ///< packets
    // For nodes whose NICs choose routes.
    Nic nic;
    std::deque<u32> small;       ///< probes and answers that wait
    std::optional<u32> leaving;  ///< packet of data that is on the link, or was the last there
    bool held = false;           ///< since the NIC was told of the last
  };

  [[nodiscard]] WormLine line_of(const CellPort& port, Tick crossing) const {
    WormLine line;
    line.wired = port.far != CellPort::Far::nothing;
    line.to_node = port.far == CellPort::Far::node;
    line.stop_go = net_.stop_go;
    line.id = port.id;
    line.port = port.port;
    line.latency = port.latency;
    line.cell = port.cell;
    line.crossing = crossing;
    line.credits = net_.buffer_cells;
    return line;
  }
  void add_node(const CellPort& port, u32 at, u32 number) {
    if (nodes_.size() <= port.id) nodes_.resize(port.id + 1);
    nodes_[port.id].at = at;
    nodes_[port.id].port = number;
    nodes_[port.id].line = line_of({CellPort::Far::port, at, number, port.latency, port.cell}, 0);
  }

  template <class F>
  void for_each_line(F&& f) {
    for (Node& node : nodes_) f(node.line);
    for (Switch& one : switches_) {
      for (WormLine& line : one.outputs) f(line);
    }
  }
  /// The line that leads into an input.
  WormLine& feeder(u32 s, u32 i) {
    const CellPort& port = net_.switches[s][i];
    return port.far == CellPort::Far::node ? nodes_[port.id].line : switches_[port.id].outputs[port.port];
  }

  void complain(const std::string& what) {
    if (outcome_.complaints.size() < 10) outcome_.complaints.push_back(fmt::format("tick {}: {}", now_, what));
  }

  /// No buffer is too full, no credit is lost or made up, and every cell is somewhere.
  void check() {
    u64 cells = 0;
    for_each_line([&](const WormLine& line) {
      cells += line.wire.size();
      if (line.wired && !line.to_node) check_buffer(line);
    });
    for (const Switch& one : switches_) {
      for (const Input& input : one.inputs) cells += input.buffer.size();
    }
    for (const u32 at : cells_at_) cells += at;
    if (cells != sent_by_nodes_)
      complain(fmt::format("{} cells are in the network or out, {} came in", cells, sent_by_nodes_));
  }
  void check_buffer(const WormLine& line) {
    const std::size_t stored = switches_[line.id].inputs[line.port].buffer.size();
    if (stored > net_.buffer_cells) complain(fmt::format("{} cells are in a buffer of switch {}", stored, line.id));
    const i64 all = line.credits + static_cast<i64>(stored + line.wire.size() + line.said.size());
    if (!net_.stop_go && (all != i64{net_.buffer_cells} || line.credits < 0))
      complain(fmt::format("{} credits and cells at port {} of switch {}", all, line.port, line.id));
  }

  const WormNetwork net_;
  std::vector<CellPacket> packets_;  ///< those of data, then probes and answers
  const CellRules rules_;
  const std::size_t data_;  ///< packets of data
  std::vector<Switch> switches_;
  std::vector<Node> nodes_;
  Tick now_ = 0;
  std::vector<u32> cells_at_;  ///< [packet], at its node
  u64 sent_by_nodes_ = 0;      ///< cells
  u64 delivered_ = 0;          ///< packets
  CellOutcome outcome_;
};

}  // namespace weft::reference
