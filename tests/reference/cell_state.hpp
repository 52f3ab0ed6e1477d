// All that there is in the plain simulator between two ticks, and what must hold of it.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "tests/reference/cell_crossbar.hpp"
#include "tests/reference/cell_flow.hpp"

namespace weft::reference {

class CellState {
 public:
  CellState(CellNetwork net, std::vector<CellPacket> packets, CellRules rules)
      : net_(std::move(net)), packets_(std::move(packets)), rules_(std::move(rules)) {
    for (u32 s = 0; s < net_.switches.size(); ++s) {
      crossbars_.emplace_back(static_cast<u32>(net_.switches[s].size()), net_);
      outputs_.emplace_back();
      for (u32 p = 0; p < net_.switches[s].size(); ++p) {
        outputs_.back().push_back(output_of(net_.switches[s][p]));
        if (net_.switches[s][p].far == CellPort::Far::node) add_node(net_.switches[s][p], s, p);
      }
    }
    outcome_.delivered.assign(packets_.size(), never);
    cells_at_.assign(packets_.size(), 0);
    marked_.assign(packets_.size(), false);
    for (u32 p = 0; p < packets_.size(); ++p) nodes_.at(packets_[p].from).unborn.push_back(p);
    for (Node& node : nodes_) {
      std::ranges::stable_sort(node.unborn, {}, [&](u32 p) { return packets_[p].generated_at; });
      node.waiting.resize(net_.lanes ? net_.channels : net_.classes);
      if (net_.lanes) node.arbiter.emplace(*net_.lanes);
    }
  }

 protected:
  struct Node {
    u32 at = 0, port = 0;
    Line line;
    std::deque<u32> unborn;                ///< packets
    std::vector<std::deque<u32>> waiting;  ///< [class, or virtual lane]
    std::optional<VlArbiter> arbiter;
    u32 turn = 0;                   ///< class that is asked first
    std::map<u32, CellFlow> flows;  ///< by destination
    std::map<u32, Tick> notified;   ///< when a source was notified last
  };

  [[nodiscard]] Line line_of(const CellPort& port) const {
    Line line;
    line.wired = port.far != CellPort::Far::nothing;
    line.to_node = port.far == CellPort::Far::node;
    line.id = port.id;
    line.port = port.port;
    line.latency = port.latency;
    line.cell = line.handing_over = port.cell;
    line.allowance = Allowance(net_);
    return line;
  }
  [[nodiscard]] Line output_of(const CellPort& port) const {
    Line line = line_of(port);
    line.crossing = net_.crossing;
    line.handing_over = crossing_time(port);
    return line;
  }
  void add_node(const CellPort& port, u32 at, u32 number) {
    if (nodes_.size() <= port.id) nodes_.resize(port.id + 1);
    Node& node = nodes_[port.id];
    node.at = at;
    node.port = number;
    node.line = line_of({CellPort::Far::port, at, number, port.latency, port.cell});
  }
  /// X.
  [[nodiscard]] Tick crossing_time(const CellPort& out) const {
    if (out.cell % net_.speedup != 0) throw std::logic_error("a cell does not cross in a whole number of ticks");
    return out.cell / net_.speedup;
  }

  template <class F>
  void for_each_line(F&& f) {
    for (Node& node : nodes_) f(node.line);
    for (auto& outputs : outputs_) {
      for (Line& line : outputs) f(line);
    }
  }
  /// The line that leads into an input.
  Line& feeder(const Place& place) {
    const CellPort& port = net_.switches[place.at][place.port];
    return port.far == CellPort::Far::node ? nodes_[port.id].line : outputs_[port.id][port.port];
  }

  void complain(const std::string& what) {
    if (outcome_.complaints.size() < 10) outcome_.complaints.push_back(fmt::format("tick {}: {}", now_, what));
  }

  /// Buffers hold what they may, no credit is lost or made up, and every cell is somewhere.
  void check() {
    u64 cells = 0;
    for_each_line([&](const Line& line) {
      cells += line.wire.size() + line.output.size();
      if (line.output.size() > net_.output_cells)
        complain(fmt::format("{} cells wait for a link to {}", line.output.size(), line.id));
      if (!line.wired || line.to_node) return;
      for (u32 c = 0; c < net_.link_channels(); ++c) check_credits(line, c);
      check_buffer(line);
    });
    for (const Crossbar& crossbar : crossbars_) {
      for (const Input& input : crossbar.inputs) {
        for (const auto& buffer : input.buffer) cells += buffer.size();
      }
    }
    for (const u32 at : cells_at_) cells += at;
    if (cells != sent_by_nodes_)
      complain(fmt::format("{} cells are in the network or out, {} came in", cells, sent_by_nodes_));
  }
  void check_credits(const Line& line, u32 c) {
    if (line.allowance.space(c) < 0)
      complain(fmt::format("VC {} has free space {} for switch {}", c, line.allowance.space(c), line.id));
    i64 all = line.owed(c) + static_cast<i64>(crossbars_[line.id].inputs[line.port].buffer[c].size());
    for (const auto& flying : line.wire) all += flying.channel == c ? 1 : 0;
    for (const auto& credit : line.returning) all += credit.channel == c ? 1 : 0;
    if (all != line.allowance.used(c)) {
      complain(fmt::format("{} cells and credits of VC {} at port {} of switch {}, and {} are said to be used", all, c,
                           line.port, line.id, line.allowance.used(c)));
    }
  }
  void check_buffer(const Line& line) {
    std::size_t stored = 0;
    for (const auto& buffer : crossbars_[line.id].inputs[line.port].buffer) {
      stored = net_.shared ? stored + buffer.size() : std::max(stored, buffer.size());
    }
    if (stored > net_.buffer_cells) complain(fmt::format("{} cells are in a buffer of switch {}", stored, line.id));
    if (net_.shared && line.allowance.common_space() < 0)
      complain(fmt::format("what VCs share at switch {} is overdrawn by {}", line.id, -line.allowance.common_space()));
  }

  const CellNetwork net_;
  const std::vector<CellPacket> packets_;
  const CellRules rules_;
  std::vector<Crossbar> crossbars_;
  std::vector<std::vector<Line>> outputs_;  ///< [switch][port]
  std::vector<Node> nodes_;
  Tick now_ = 0;
  std::vector<u32> cells_at_;  ///< [packet], at its node
  /// What a source is notified of.
  struct Answer {
    u32 packet;
    bool notified;
    Tick at;
  };
  std::list<Answer> answers_;  ///< in flight
  std::vector<bool> marked_;   ///< [packet]
  u64 sent_by_nodes_ = 0;      ///< cells
  u64 delivered_ = 0;          ///< packets
  CellOutcome outcome_;
};

}  // namespace weft::reference
