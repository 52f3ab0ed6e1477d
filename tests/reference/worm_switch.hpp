// A plain and slow simulator of docs/wormhole.md: tick by tick, cell by cell, every credit and every STOP a message,
// every switch and node looked at in every tick. It shares no code with the model
// (models/machine/worms) and is its judge.
#pragma once

#include "tests/reference/worm_state.hpp"

namespace weft::reference {

class WormSwitches : private WormState {
 public:
  using WormState::WormState;

  /// Until all packets are delivered, or so many ticks are done. With `checked` the invariants are looked at in every
  /// tick.
  CellOutcome run(Tick limit, bool checked = true) {
    for (now_ = 0; now_ < limit && delivered_ < data_; ++now_) {
      tick();
      if (checked) check();
      if (rules_.each_tick) rules_.each_tick(now_);
    }
    outcome_.ended = now_;
    return outcome_;
  }

 private:
  void tick() {
    for_each_line([this](WormLine& line) {
      line.rest -= line.rest > 0 ? 1 : 0;
      arrive(line.wire, now_, [&](const WormLine::Flying& f) { come_in(line, f.cell); });
      arrive(line.said, now_, [&](const WormLine::Saying& s) { line.hear(s.word); });
    });
    for (Node& node : nodes_) inject(node);
    for (u32 s = 0; s < switches_.size(); ++s) {
      for (Input& input : switches_[s].inputs) input.rest -= input.rest > 0 ? 1 : 0;
      const u32 inputs = static_cast<u32>(switches_[s].inputs.size());
      bool some = false;
      for (u32 k = 0; k < inputs; ++k) some = choose(s, (switches_[s].first_input + k) % inputs) || some;
      if (some) switches_[s].first_input = (switches_[s].first_input + 1) % inputs;
      const Scheduler how{net_.schedule, 1, rules_.draw, {}};
      for (const Match& match : switches_[s].matcher.match(requests_of(s), how)) begin_transfer(s, match);
    }
    for (Node& node : nodes_) {
      if (node.line.worm && node.line.rest == 0 && !node.line.lets_go()) node.held = true;
      send_from_node(node.line);
    }
    for (Switch& one : switches_) {
      for (WormLine& line : one.outputs) send_from_switch(line);
    }
    if (!net_.stop_go) return;
    for_each_line([this](WormLine& line) {
      if (line.wired && !line.to_node) stop_or_go(line);
    });
  }

  void come_in(const WormLine& line, const Cell& cell) {
    if (line.to_node) {
      come_out(line.id, cell);
      return;
    }
    Input& input = switches_[line.id].inputs[line.port];
    input.buffer.push_back(cell);
    if (cell.number == 0) {
      if (input.to_come > 0) complain(fmt::format("packet {} came into the midst of another", cell.packet));
      input.visitors.push_back({cell.packet, now_});
      input.to_come = packets_[cell.packet].cells;
      input.next = 0;
    }
    if (cell.number != input.next++) complain(fmt::format("a cell of packet {} is out of order", cell.packet));
    --input.to_come;
  }
  void come_out(u32 node, const Cell& cell) {
    if (packets_[cell.packet].to != node) complain(fmt::format("packet {} came to node {}", cell.packet, node));
    if (cell.number != cells_at_[cell.packet]++)
      complain(fmt::format("a cell of packet {} is out of order", cell.packet));
    if (cells_at_[cell.packet] < packets_[cell.packet].cells) return;
    if (cell.packet >= data_) return take_small(node, smalls_[cell.packet - data_]);
    outcome_.delivered[cell.packet] = now_;
    ++delivered_;
  }

  void inject(Node& node) {
    while (!node.unborn.empty() && packets_[node.unborn.front()].generated_at <= now_) {
      node.waiting.push_back(node.unborn.front());
      node.unborn.pop_front();
    }
    if (net_.nics) return inject_chosen(node);
    if (node.waiting.empty() || !node.line.idle() || !node.line.lets_go()) return;
    const u32 packet = node.waiting.front();
    node.waiting.pop_front();
    node.line.worm = {packet, packets_[packet].cells};
  }

  /// Injects from a NIC that chooses routes: first it hears of the packet that has left.
  void inject_chosen(Node& node) {
    if (!node.line.idle()) return;
    const u32 here = net_.switches[node.at][node.port].id;
    if (node.leaving) {
      const u32 to = packets_[*node.leaving].to;
      const auto candidate = node.nic.left(*net_.nics, here, to, std::exchange(node.held, false));
      node.leaving.reset();
      if (candidate) send_small({false, here, to, *candidate, 0, 0});
    }
    const bool small = !node.small.empty();
    if (!small && (node.waiting.empty() || node.nic.waits_for(packets_[node.waiting.front()].to))) return;
    if (!node.line.lets_go()) {
      node.held = true;
      return;
    }
    std::deque<u32>& queue = small ? node.small : node.waiting;
    const u32 packet = queue.front();
    queue.pop_front();
    if (small) {
      smalls_[packet - data_].began = now_;
      packets_[packet].generated_at = now_;
    } else {
      const u32 to = packets_[packet].to;
      net_.nics->take(packet, here, to, node.nic.route_to(*net_.nics, here, to));
      node.leaving = packet;
    }
    node.line.worm = {packet, packets_[packet].cells};
  }
  /// A probe, or the answer to one.
  struct Small {
    bool answer;
    u32 from, to, route;
    Tick began;
    Tick travelled;  ///< answers: by the probe
  };
  void send_small(const Small& small) {
    const u32 packet = static_cast<u32>(packets_.size());
    packets_.push_back({now_, small.from, small.to, net_.nics->probe_cells});
    cells_at_.push_back(0);
    smalls_.push_back(small);
    net_.nics->take(packet, small.from, small.to, small.route);
    nodes_[small.from].small.push_back(packet);
  }
  void take_small(u32 node, const Small small) {
    if (small.answer) {
      const auto next = nodes_[node].nic.answered(*net_.nics, node, small.from, small.travelled);
      if (next) send_small({false, node, small.from, *next, 0, 0});
      return;
    }
    const u32 route = small.route % std::max(1U, net_.nics->routes(node, small.from));
    send_small({true, node, small.from, route, 0, now_ - small.began});
  }

  /// The first packet of an idle input, once it is ready, takes an output, and keeps to it. Whether it has done so.
  bool choose(u32 s, u32 i) {
    Input& input = switches_[s].inputs[i];
    if (!input.idle() || input.visitors.empty()) return false;
    Visitor& first = input.visitors.front();
    if (first.way || now_ < first.came + net_.routing) return false;
    const Node& target = nodes_[packets_[first.packet].to];
    if (target.at == s) {
      first.way = {target.port, 0};
      return true;
    }
    Ways ways = rules_.route({s, i, 0}, first.packet);
    if (ways.escape) ways.any.push_back(*ways.escape);
    if (ways.any.empty()) throw std::logic_error("a packet may go nowhere");
    std::ranges::sort(ways.any);
    const auto next = std::ranges::lower_bound(ways.any, Way{input.next_way, 0});
    std::ranges::rotate(ways.any, next);
    Way best = ways.any.front();
    for (const Way way : ways.any) {
      if (disadvantage(s, way) < disadvantage(s, best)) best = way;
    }
    if (ways.any.size() > 1) input.next_way = best.port + 1;
    first.way = best;
    return true;
  }
  /// Inputs whose packets wait for an output or hold it, and whether flow control holds its link.
  [[nodiscard]] std::pair<u32, bool> disadvantage(u32 s, Way way) const {
    const WormLine& line = switches_[s].outputs[way.port];
    u32 inputs = line.idle() ? 0 : 1;
    for (const Input& input : switches_[s].inputs) {
      if (!input.visitors.empty() && input.visitors.front().way == way) ++inputs;
    }
    return {inputs, !line.lets_go()};
  }
  /// Whether an output is idle, and a cell may leave by it.
  [[nodiscard]] bool open(u32 s, Way way) const {
    const WormLine& line = switches_[s].outputs[way.port];
    return line.idle() && line.lets_go();
  }

  [[nodiscard]] Requests requests_of(u32 s) const {
    Requests requests(switches_[s].outputs.size());
    for (u32 i = 0; i < switches_[s].inputs.size(); ++i) {
      const Input& input = switches_[s].inputs[i];
      if (!input.idle() || input.visitors.empty()) continue;
      const Visitor& first = input.visitors.front();
      if (!first.way || !open(s, *first.way)) continue;
      const Tick age = (now_ - packets_[first.packet].generated_at) % (Tick{1} << 40);
      requests[first.way->port].push_back({.input = i,
                                           .queue = {},
                                           .place = 0,
                                           .packet = first.packet,
                                           .came = first.came,
                                           .age = age,
                                           .choice = false,
                                           .open = {*first.way}});
    }
    return requests;
  }

  void begin_transfer(u32 s, const Match& match) {
    const u32 i = match.asking.input;
    Input& input = switches_[s].inputs[i];
    const Visitor visitor = input.visitors.front();
    input.visitors.pop_front();
    input.sends = true;
    WormLine& line = switches_[s].outputs[match.way.port];
    if (!line.wired)
      complain(fmt::format("packet {} left through a port of switch {} that leads nowhere", visitor.packet, s));
    const Place from{s, i, 0};
    line.worm = {visitor.packet, packets_[visitor.packet].cells, from};
    if (rules_.leaves) rules_.leaves(from, visitor.packet, *visitor.way);
  }

  void send_from_node(WormLine& line) {
    if (!line.worm || line.rest > 0 || !line.lets_go()) return;
    ++sent_by_nodes_;
    line.carry(now_);
  }
  /// The cell of this tick, if it is there and may go; with credits it gives one back.
  void send_from_switch(WormLine& line) {
    if (!line.worm || line.rest > 0 || !line.lets_go()) return;
    const Place from = line.worm->from;
    Input& input = switches_[from.at].inputs[from.port];
    if (input.buffer.empty()) return;
    if (input.buffer.front() != Cell{line.worm->packet, line.worm->next})
      complain(fmt::format("cell {} of packet {} is not the first in its input", line.worm->next, line.worm->packet));
    input.buffer.pop_front();
    if (!net_.stop_go) feeder(from.at, from.port).say(Word::credit, now_);
    line.carry(now_);
    if (line.worm) return;
    input.sends = false;
    input.rest = line.cell;
  }

  /// What the far end says when a tick is done.
  void stop_or_go(WormLine& line) {
    const std::size_t stored = switches_[line.id].inputs[line.port].buffer.size();
    const bool stops = line.far_end_stops ? stored > net_.go_cells : stored >= net_.stop_cells;
    if (stops == line.far_end_stops) return;
    line.far_end_stops = stops;
    line.say(stops ? Word::stop : Word::go, now_);
  }

  std::vector<Small> smalls_;  ///< [packet less those of data]
};

}  // namespace weft::reference
