// A plain and slow simulator of docs/switch.md: tick by tick, cell by cell, every credit a message, every switch and
// node looked at in every tick. It shares no code with the model (models/switch) and is its judge.
#pragma once

#include "tests/reference/cell_state.hpp"

namespace weft::reference {

class CellSwitches : private CellState {
 public:
  using CellState::CellState;

  /// Until all packets are delivered, or so many ticks are done. With `checked` the invariants are looked at in every
  /// tick.
  CellOutcome run(Tick limit, bool checked = true) {
    for (now_ = 0; now_ < limit && delivered_ < packets_.size(); ++now_) {
      tick();
      if (checked) check();
      if (rules_.each_tick) rules_.each_tick(now_);
    }
    outcome_.ended = now_;
    return outcome_;
  }

 private:
  void tick() {
    for_each_line([this](Line& line) {
      if (line.busy > 0) --line.busy;
      arrive(line.wire, now_, [&](const Line::Flying& f) { come_in(line, f); });
      arrive(line.returning, now_, [&](const Line::Credit& c) { ++line.credits[c.channel]; });
    });
    for (Node& node : nodes_) inject(node);
    for (u32 s = 0; s < crossbars_.size(); ++s) {
      for (Input& input : crossbars_[s].inputs) input.busy -= input.busy > 0 ? 1 : 0;
      for (u32 i = 0; i < crossbars_[s].inputs.size(); ++i) route_newcomers(s, i);
      for (const Match& match : crossbars_[s].match(requests_of(s), net_, rules_)) begin_transfer(s, match);
    }
    for (Node& node : nodes_) send(node.line, false);
    for (auto& outputs : outputs_) {
      for (Line& line : outputs) send(line, true);
    }
  }

  void come_in(const Line& line, const Line::Flying& flying) {
    const u32 packet = flying.cell.packet;
    if (line.to_node) {
      if (packets_[packet].to != line.id) complain(fmt::format("packet {} came to node {}", packet, line.id));
      if (flying.cell.number != cells_at_[packet]++)
        complain(fmt::format("a cell of packet {} is out of order", packet));
      if (cells_at_[packet] < packets_[packet].cells) return;
      outcome_.delivered[packet] = now_;
      ++delivered_;
      return;
    }
    Input& input = crossbars_[line.id].inputs[line.port];
    input.buffer[flying.channel].insert(flying.cell);
    if (flying.cell.number == 0) input.unrouted.push_back({packet, flying.channel, now_});
  }

  void inject(Node& node) {
    while (!node.unborn.empty() && packets_[node.unborn.front()].birth <= now_) {
      node.waiting.push_back(node.unborn.front());
      node.unborn.pop_front();
    }
    if (node.waiting.empty() || !node.line.idle()) return;
    const u32 packet = node.waiting.front(), cells = packets_[packet].cells;
    std::pair<u32, u32> allowed{0, net_.channels};
    if (rules_.source_channels) allowed = rules_.source_channels(packet);
    std::optional<u32> best;
    for (u32 c = allowed.first; c < allowed.first + allowed.second && c < net_.channels; ++c) {
      if (node.line.credits[c] < cells) continue;
      if (!best || node.line.credits[c] > node.line.credits[*best]) best = c;
    }
    if (!best) return;
    node.waiting.pop_front();
    node.line.credits[*best] -= cells;
    node.line.begin({packet, cells, *best, {}});
  }

  void route_newcomers(u32 s, u32 i) {
    for (u32 channel = 0; channel < net_.channels; ++channel) {
      while (route_first(s, i, channel)) {
      }
    }
  }

  /// The first packet of a VC that is not routed yet; false if it is not routed now either.
  bool route_first(u32 s, u32 i, u32 channel) {
    Input& input = crossbars_[s].inputs[i];
    const auto first = std::ranges::find(input.unrouted, channel, &Visitor::channel);
    if (first == input.unrouted.end() || now_ < first->came + net_.routing) return false;
    if (net_.fifo && !input.queues[{0, channel}].empty()) return false;
    Visitor visitor = *first;
    if (!choose(visitor, s, i)) return false;
    input.unrouted.erase(first);
    const Tick cells = packets_[visitor.packet].cells;
    const Tick in = net_.switches[s][i].cell, out = net_.switches[s][visitor.way.port].cell;
    visitor.ready = now_;
    if (net_.store_and_forward) visitor.ready += (cells - 1) * in;
    if (!net_.store_and_forward && out < in) visitor.ready += (cells - 1) * (in - out);
    const u32 lane = visitor.set_aside ? net_.channels : visitor.way.channel;
    input.queues[net_.fifo ? QueueName{0, channel} : QueueName{visitor.way.port, lane}].push_back(visitor);
    return true;
  }

  /// False if a packet with a choice finds credits nowhere.
  bool choose(Visitor& visitor, u32 s, u32 i) {
    const Node& target = nodes_[packets_[visitor.packet].to];
    if (target.at == s) {
      visitor.way = {target.port, 0};
      return true;
    }
    Ways ways = rules_.route({s, i, visitor.channel}, visitor.packet);
    if (ways.any.empty() && !ways.escape) throw std::logic_error("a packet may go nowhere");
    std::ranges::sort(ways.any);
    if (ways.any.size() + (ways.escape ? 1 : 0) == 1) {
      visitor.way = ways.escape ? *ways.escape : ways.any.front();
      return true;
    }
    const auto credits = [&](Way way) { return outputs_[s][way.port].credits[way.channel]; };
    const i64 cells = packets_[visitor.packet].cells;
    std::optional<Way> best;
    for (const Way way : ways.any) {
      if (credits(way) >= cells && (!best || credits(way) > credits(*best))) best = way;
    }
    if (!best && ways.escape && credits(*ways.escape) >= cells) best = ways.escape;
    if (!best) return false;
    visitor.way = *best;
    visitor.set_aside = true;
    outputs_[s][best->port].credits[best->channel] -= cells;
    outputs_[s][best->port].set_aside[best->channel] += cells;
    return true;
  }

  [[nodiscard]] Crossbar::Requests requests_of(u32 s) const {
    const std::size_t ports = net_.switches[s].size();
    Crossbar::Requests requests(ports);
    for (u32 i = 0; i < ports; ++i) {
      const Input& input = crossbars_[s].inputs[i];
      if (input.busy > 0) continue;
      for (const auto& [name, queue] : input.queues) {
        if (queue.empty()) continue;
        const Visitor& first = queue.front();
        const Line& line = outputs_[s][first.way.port];
        const bool room =
            line.to_node || first.set_aside || line.credits[first.way.channel] >= i64{packets_[first.packet].cells};
        if (first.ready > now_ || !line.idle() || !room) continue;
        requests[first.way.port].push_back({i, name, name.channel, packets_[first.packet].birth});
      }
    }
    return requests;
  }

  void begin_transfer(u32 s, const Match& match) {
    Input& input = crossbars_[s].inputs[match.asking.input];
    std::deque<Visitor>& queue = input.queues[match.asking.queue];
    const Visitor visitor = queue.front();
    queue.pop_front();
    Line& line = outputs_[s][match.output];
    const u32 cells = packets_[visitor.packet].cells, channel = visitor.way.channel;
    if (!line.wired)
      complain(fmt::format("packet {} left through a port of switch {} that leads nowhere", visitor.packet, s));
    if (!line.to_node) (visitor.set_aside ? line.set_aside : line.credits)[channel] -= cells;
    const Place from{s, match.asking.input, visitor.channel};
    line.begin({visitor.packet, cells, channel, from});
    input.busy = cells * line.cell;
    if (rules_.leaves) rules_.leaves(from, visitor.packet, visitor.way);
  }

  /// The cell of this tick; one that leaves a buffer gives a credit back.
  void send(Line& line, bool from_switch) {
    const std::optional<Cell> cell = line.take_cell();
    if (!cell) return;
    if (from_switch) {
      const Place& from = line.sending->from;
      if (crossbars_[from.at].inputs[from.port].buffer[from.channel].erase(*cell) != 1) {
        complain(fmt::format("cell {} of packet {} has to leave switch {} before it came", cell->number, cell->packet,
                             from.at));
      }
      Line& behind = feeder(from);
      behind.returning.push_back({from.channel, now_ + behind.latency});
    } else {
      ++sent_by_nodes_;
    }
    line.put_on_wire(*cell, now_);
    line.end_if_sent();
  }
};

}  // namespace weft::reference
