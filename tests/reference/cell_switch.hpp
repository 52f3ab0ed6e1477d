// A plain and slow simulator of docs/switch.md: tick by tick, cell by cell, every credit a message, every switch and
// node looked at in every tick. It shares no code with the model (models/machine/cells) and is its judge.
#pragma once

#include "tests/reference/cell_nodes.hpp"

namespace weft::reference {

class CellSwitches : private CellNodes {
 public:
  using CellNodes::CellNodes;

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
  /// What is in the buffers and allowances of a switch, for a packet whose class has the VCs from `first_channel` on.
  class Outputs final : public Fullness {
   public:
    Outputs(const CellSwitches& all, u32 s, u32 first_channel) : all_(all), s_(s), first_channel_(first_channel) {}
    [[nodiscard]] u32 waiting(u32 port) const override { return all_.crossbars_[s_].waiting(all_.packets_)[port]; }
    [[nodiscard]] u32 taken(u32 port, u32 channel) const override { return used(port, first_channel_ + channel); }
    [[nodiscard]] u32 load(u32 port) const override {
      u32 cells = waiting(port);
      for (u32 c = 0; c < all_.net_.link_channels(); ++c) cells += used(port, c);
      return cells;
    }
    [[nodiscard]] u32 remote_waiting(u32 port, u32 far_port) const override {
      const std::map<u32, u32>& remote = all_.crossbars_[s_].inputs[port].remote_waiting;
      return remote.contains(far_port) ? remote.at(far_port) : 0;
    }

   private:
    [[nodiscard]] u32 used(u32 port, u32 channel) const {
      return static_cast<u32>(all_.outputs_[s_][port].allowance.used(channel));
    }
    const CellSwitches& all_;
    u32 s_, first_channel_;
  };

  void tick() {
    for_each_line([this](Line& line) {
      line.pass_tick();
      arrive(line.wire, now_, [&](const Line::Flying& f) { come_in(line, f); });
      arrive(line.returning, now_, [&](const Line::Credit& c) { line.allowance.use(c.channel, -1); });
      arrive(line.updates, now_, [&](const Line::OccupancyUpdate& update) {
        crossbars_[line.id].inputs[line.port].remote_waiting[update.output] = update.cells;
      });
    });
    for (Node& node : nodes_) {
      for (auto& [to, flow] : node.flows) flow.pass_tick(net_.marking.value_or(CellMarking{}));
    }
    arrive(answers_, now_, [&](const Answer& answer) {
      CellFlow& flow = nodes_[packets_[answer.packet].from].flows[packets_[answer.packet].to];
      flow.in_flight -= packets_[answer.packet].cells;
      if (answer.notified) flow.notified(*net_.marking);
    });
    for (Node& node : nodes_) inject(node);
    for (u32 s = 0; s < crossbars_.size(); ++s) {
      for (Input& input : crossbars_[s].inputs) input.busy -= input.busy > 0 ? 1 : 0;
      for (u32 i = 0; i < crossbars_[s].inputs.size(); ++i) route_newcomers(s, i);
      match(s);
    }
    for (Node& node : nodes_) send(node.line, false);
    for (auto& outputs : outputs_) {
      for (Line& line : outputs) send(line, true);
    }
    for (u32 s = 0; s < crossbars_.size() && rules_.decide; ++s) tell_neighbours(s);
  }

  /// What waits for each output, to all switches around if it is another number of whole steps than they were sent.
  void tell_neighbours(u32 s) {
    const std::vector<u32> waiting = crossbars_[s].waiting(packets_);
    for (u32 o = 0; o < waiting.size(); ++o) {
      const u32 cells = waiting[o] - waiting[o] % net_.notice_cells;
      if (cells == crossbars_[s].sent[o]) continue;
      crossbars_[s].sent[o] = cells;
      for (Line& line : outputs_[s]) {
        if (line.wired && !line.to_node) line.updates.push_back({o, cells, now_ + line.latency});
      }
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
      answer(packet);
      return;
    }
    Input& input = crossbars_[line.id].inputs[line.port];
    input.buffer[flying.channel].insert(flying.cell);
    if (flying.cell.number == 0) input.unrouted.push_back({packet, flying.channel, now_});
  }

  /// Outputs in turn, each for good; the first is another one in each tick in which there is something to do.
  void match_by_lane(u32 s) {
    Crossbar& crossbar = crossbars_[s];
    const u32 ports = static_cast<u32>(net_.switches[s].size());
    const Requests all = requests_of(s, {});
    if (std::ranges::all_of(all, [](const auto& asking) { return asking.empty(); })) return;
    const u32 first = static_cast<u32>(crossbar.busy_ticks++ % ports);
    for (u32 step = 0; step < ports; ++step) {
      const u32 o = (first + step) % ports;
      const std::vector<Asking> asking = requests_of(s, {})[o];
      if (asking.empty()) continue;
      const Asking won = arbitrate(s, o, asking);
      begin_transfers(s, {{won, won.open.front()}});
    }
  }
  /// The packet of the lane that wins whose queue is the next from the lane's pointer on.
  Asking arbitrate(u32 s, u32 o, const std::vector<Asking>& asking) {
    const auto lane_of = [](const Asking& one) { return one.open.front().channel; };
    const u32 queues = static_cast<u32>(net_.switches[s].size()) * net_.channels;
    LaneOutput& output = crossbars_[s].lanes[o];
    const auto next = [&](u32 lane) {
      const Asking* best = nullptr;
      u32 nearest = 0;
      for (const Asking& one : asking) {
        if (lane_of(one) != lane) continue;
        const u32 number = one.input * net_.channels + one.place;
        const u32 away = (number + queues - output.pointer[lane]) % queues;
        if (best != nullptr && nearest <= away) continue;
        best = &one;
        nearest = away;
      }
      return *best;
    };
    std::vector<bool> available(net_.channels, false);
    for (const Asking& one : asking) available[lane_of(one)] = true;
    const u32 lane = output.arbiter.arbitrate(available, [&](u32 l) { return packets_[next(l).packet].cells; });
    const Asking won = next(lane);
    output.pointer[lane] = (won.input * net_.channels + won.place + 1) % queues;
    return won;
  }

  void route_newcomers(u32 s, u32 i) {
    for (u32 channel = 0; channel < net_.link_channels(); ++channel) {
      while (route_first(s, i, channel)) {
      }
    }
  }

  /// The first packet of a VC that is not routed yet; false if it is not routed now either.
  bool route_first(u32 s, u32 i, u32 channel) {
    Input& input = crossbars_[s].inputs[i];
    const auto first = std::ranges::find(input.unrouted, channel, &Visitor::channel);
    if (first == input.unrouted.end() || now_ < first->came + net_.routing) return false;
    if (net_.fifo && !input.queues[fifo_of(channel)].empty()) return false;
    Visitor visitor = *first;
    input.unrouted.erase(first);
    const u32 first_channel = packets_[visitor.packet].traffic_class * net_.channels;
    if (rules_.decide && nodes_[packets_[visitor.packet].to].at != s)
      rules_.decide({s, i, channel - first_channel}, visitor.packet, Outputs(*this, s, first_channel));
    visitor.ways = ways_of(visitor, s, i);
    input.queues[net_.fifo ? fifo_of(channel) : QueueName{0, visitor.ways}].push_back(visitor);
    return true;
  }
  static QueueName fifo_of(u32 channel) { return {channel, {}}; }

  /// Where a packet may go, with VCs as links number them.
  [[nodiscard]] Ways ways_of(const Visitor& visitor, u32 s, u32 i) const {
    const Node& target = nodes_[packets_[visitor.packet].to];
    const u32 first_channel = packets_[visitor.packet].traffic_class * net_.channels;
    if (target.at == s && net_.lanes) {  // the node's link has lanes too
      const Ways ways = rules_.route({s, i, visitor.channel}, visitor.packet);
      return {
          {{target.port, ways.any.empty() ? rules_.source_channels(visitor.packet).first : ways.any.front().channel}}};
    }
    if (target.at == s) return {{{target.port, first_channel}}};
    Ways ways = rules_.route({s, i, visitor.channel - first_channel}, visitor.packet);
    if (ways.count() == 0) throw std::logic_error("a packet may go nowhere");
    for (Way& way : ways.any) way.channel += first_channel;
    if (ways.escape) ways.escape->channel += first_channel;
    std::ranges::sort(ways.any);
    if (ways.escape && std::ranges::find(ways.any, *ways.escape) != ways.any.end()) ways.escape.reset();
    return ways;
  }

  /// All classes at once, or, of strict ones, each among the inputs and outputs that those before it have left.
  void match(u32 s) {
    if (net_.lanes) return match_by_lane(s);
    const Scheduler how{net_.schedule, net_.iterations, rules_.draw,
                        [&](Way way) { return net_.choice_in_turn ? i64{0} : space(s, way); },
                        [&](u32 input) { return outputs_[s][input].to_node; }};
    if (!net_.strict) {
      begin_transfers(s, crossbars_[s].matcher.match(requests_of(s, {}), how));
      return;
    }
    for (u32 of_class = 0; of_class < net_.classes; ++of_class) {
      // Whoever is matched is busy from now on, and asks and is asked no more.
      begin_transfers(s, crossbars_[s].matcher.match(requests_of(s, of_class), how));
    }
  }

  [[nodiscard]] Requests requests_of(u32 s, std::optional<u32> of_class) const {
    const std::size_t ports = net_.switches[s].size();
    Requests requests(ports);
    for (u32 i = 0; i < ports; ++i) {
      const Input& input = crossbars_[s].inputs[i];
      if (input.busy > 0) continue;
      for (const auto& [name, queue] : input.queues) {
        if (queue.empty()) continue;
        const Visitor& first = queue.front();
        const CellPacket& packet = packets_[first.packet];
        if (of_class && packet.traffic_class != *of_class) continue;
        const Asking asking{.input = i,
                            .queue = name,
                            .place = place_of(first),
                            .packet = first.packet,
                            .came = first.came,
                            .age = age(packet),
                            .choice = first.ways.count() > 1,
                            .open = open_outputs(s, i, first)};
        std::set<u32> outputs;
        for (const Way way : asking.open) outputs.insert(way.port);
        for (const u32 output : outputs) requests[output].push_back(asking);
      }
    }
    if (net_.transit_first) leave_out_nodes(s, requests);
    return requests;
  }
  /// Nodes do not ask for outputs that inputs from switches ask for.
  void leave_out_nodes(u32 s, Requests& requests) const {
    const auto of_node = [&](const Asking& one) { return outputs_[s][one.input].to_node; };
    for (u32 o = 0; o < requests.size(); ++o) {
      if (std::ranges::all_of(requests[o], of_node)) continue;
      for (const Asking& one : std::vector<Asking>(requests[o])) {
        if (of_node(one)) std::erase_if(requests[o], [&](const Asking& other) { return other.packet == one.packet; });
      }
    }
    // What a packet may take is what it asks for.
    for (u32 o = 0; o < requests.size(); ++o) {
      for (Asking& one : requests[o]) {
        std::erase_if(one.open, [&](Way way) {
          return std::ranges::find(requests[way.port], one.packet, &Asking::packet) == requests[way.port].end();
        });
      }
    }
  }
  /// Ticks since a packet was generated, of which 40 bits are kept.
  [[nodiscard]] Tick age(const CellPacket& packet) const { return (now_ - packet.generated_at) % (Tick{1} << 40); }
  /// Place of a packet's queue in the round robin.
  [[nodiscard]] u32 place_of(const Visitor& visitor) const {
    if (net_.fifo) return visitor.channel;
    if (visitor.ways.count() > 1) return net_.link_channels() + packets_[visitor.packet].traffic_class;
    return visitor.ways.escape ? visitor.ways.escape->channel : visitor.ways.any.front().channel;
  }
  /// Outputs that a first packet may ask for in this tick, ascending; the escape alone.
  [[nodiscard]] std::vector<Way> open_outputs(u32 s, u32 i, const Visitor& first) const {
    std::vector<Way> open;
    bool credits = false;
    for (const Way way : first.ways.any) {
      if (!has_credits(s, way, first)) continue;
      credits = true;
      if (may_ask(s, i, way, first)) open.push_back(way);
    }
    if (!credits && first.ways.escape && has_credits(s, *first.ways.escape, first) &&
        may_ask(s, i, *first.ways.escape, first))
      open.push_back(*first.ways.escape);
    return open;
  }
  [[nodiscard]] i64 space(u32 s, Way way) const { return outputs_[s][way.port].allowance.space(way.channel); }
  [[nodiscard]] bool has_credits(u32 s, Way way, const Visitor& visitor) const {
    return outputs_[s][way.port].to_node || space(s, way) >= i64{packets_[visitor.packet].cells};
  }
  /// Whether a first packet is ready for an output, and that idle with free space in its own buffer.
  [[nodiscard]] bool may_ask(u32 s, u32 i, Way way, const Visitor& first) const {
    const Line& line = outputs_[s][way.port];
    const u32 cells = packets_[first.packet].cells;
    if (!line.idle() || now_ < ready(s, i, way, first)) return false;
    return net_.output_cells == 0 || line.backlog() + cells * line.cell <= net_.output_cells * line.cell;
  }
  [[nodiscard]] Tick ready(u32 s, u32 i, Way way, const Visitor& visitor) const {
    const Tick behind_first = packets_[visitor.packet].cells - 1;
    const Tick in = net_.switches[s][i].cell, out = crossing_time(net_.switches[s][way.port]);
    const Tick routed = visitor.came + net_.routing;
    if (net_.store_and_forward) return routed + behind_first * in;
    return out < in ? routed + behind_first * (in - out) : routed;
  }

  /// Sends matched packets off: of those matched together none waits any more when the first of them is marked.
  void begin_transfers(u32 s, const std::vector<Match>& matches) {
    std::vector<Visitor> visitors;
    for (const Match& match : matches) {
      std::deque<Visitor>& queue = crossbars_[s].inputs[match.asking.input].queues[match.asking.queue];
      visitors.push_back(queue.front());
      queue.pop_front();
    }
    for (std::size_t m = 0; m < matches.size(); ++m) begin_transfer(s, matches[m], visitors[m]);
  }
  void begin_transfer(u32 s, const Match& match, const Visitor& visitor) {
    Input& input = crossbars_[s].inputs[match.asking.input];
    Line& line = outputs_[s][match.way.port];
    const u32 cells = packets_[visitor.packet].cells, channel = match.way.channel;
    if (!line.wired)
      complain(fmt::format("packet {} left through a port of switch {} that leads nowhere", visitor.packet, s));
    if (!line.to_node) line.allowance.use(channel, cells);
    mark(s, match.way.port, visitor.packet, line.to_node || line.allowance.space(channel) >= i64{net_.longest});
    const Place from{s, match.asking.input, visitor.channel};
    line.begin({visitor.packet, cells, channel, from});
    input.busy = cells * line.handing_over;
    const u32 first_channel = packets_[visitor.packet].traffic_class * net_.channels;
    if (rules_.leaves) {
      rules_.leaves({s, from.port, from.channel - first_channel}, visitor.packet,
                    {match.way.port, channel - first_channel});
    }
  }

  /// By what is left of packets for an output when one leaves through it, and (InfiniBand) whether another one could.
  void mark(u32 s, u32 output, u32 packet, bool moves) {
    if (!net_.marking) return;
    const u64 cells = crossbars_[s].waiting(packets_)[output];
    const CellMarking& m = *net_.marking;
    if (cells <= m.above) return;
    const u64 drawn = rules_.marking_draw(s, output, now_);
    if (!m.table.empty()) {
      if (moves && packets_[packet].cells >= m.least_cells && drawn * (u64{m.spared} + 1) < u64{1} << 32)
        marked_[packet] = true;
      return;
    }
    const u64 share = m.probability * (cells - m.above);
    if (cells > m.surely_above || drawn * (m.surely_above - m.above) < share) marked_[packet] = true;
  }

  /// The cells of this tick, out of the crossbar and on to the link; one that leaves a buffer gives a credit back.
  void send(Line& line, bool from_switch) {
    if (const std::optional<Cell> cell = line.take_cell()) {
      if (from_switch) {
        give_back(line.sending->from, *cell);
      } else {
        ++sent_by_nodes_;
      }
      line.end_if_handed_over();
    }
    line.put_on_wire(now_);
  }
  void give_back(const Place& from, const Cell& cell) {
    if (crossbars_[from.at].inputs[from.port].buffer[from.channel].erase(cell) != 1) {
      complain(
          fmt::format("cell {} of packet {} has to leave switch {} before it came", cell.number, cell.packet, from.at));
    }
    Line& behind = feeder(from);
    behind.returning.push_back({from.channel, now_ + behind.latency});
  }
};

}  // namespace weft::reference
