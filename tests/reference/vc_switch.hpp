// A plain and slow simulator of wormhole switches with several virtual channels (docs/wormhole.md): tick by tick, cell
// by cell, every switch and node looked at in every tick. It shares no code with the model (models/machine/worms) and
// is its judge.
#pragma once

#include <deque>
#include <fmt/format.h>

#include "tests/reference/vc_match.hpp"
#include "tests/reference/vc_network.hpp"

namespace weft::reference {

class VcSwitches {
 public:
  VcSwitches(VcWormNetwork net, std::vector<CellPacket> packets, CellRules rules)
      : net_(std::move(net)), packets_(std::move(packets)), rules_(std::move(rules)) {
    for (u32 s = 0; s < net_.switches.size(); ++s) {
      const u32 ports = static_cast<u32>(net_.switches[s].size());
      Switch& one = switches_.emplace_back();
      one.inputs.resize(ports * net_.channels);
      one.outputs.resize(ports * net_.channels, Output{net_.buffer_cells});
      one.feed_until.resize(ports * net_.input_speedup);
      one.feed_turn.resize(ports * net_.input_speedup);
      one.output_until.resize(ports);
      one.link_until.resize(ports);
      for (u32 p = 0; p < ports; ++p) {
        const CellPort& port = net_.switches[s][p];
        if (port.far != CellPort::Far::node) continue;
        if (nodes_.size() <= port.id) nodes_.resize(port.id + 1);
        nodes_[port.id] = {s, p, {}, std::vector<Output>(net_.channels, Output{net_.buffer_cells}), {}, 0, 0, 0};
      }
    }
    outcome_.delivered.assign(packets_.size(), never);
    for (u32 p = 0; p < packets_.size(); ++p) nodes_.at(packets_[p].from).queue.push_back(p);
    for (Node& node : nodes_) std::ranges::stable_sort(node.queue, {}, [&](u32 p) { return packets_[p].generated_at; });
  }

  /// Until all packets are delivered, or so many ticks are done.
  CellOutcome run(Tick limit) {
    for (now_ = 0; now_ < limit && delivered_ < packets_.size(); ++now_) {
      for (const auto& come : take(coming_)) come();
      for (u32 n = 0; n < nodes_.size(); ++n) send_from(nodes_[n]);
      for (u32 s = 0; s < switches_.size(); ++s) {
        route(s);
        allocate_channels(s);
        allocate_crossbar(s);
      }
    }
    outcome_.ended = now_;
    return outcome_;
  }

 private:
  struct Flit {
    u32 packet = 0, number = 0;
  };
  struct Input {  ///< a virtual channel of an input
    std::deque<Flit> buffer;
    bool begun = false;  ///< a packet is the first in it, or has begun to leave
    Tick routes_at = 0;
    std::optional<std::vector<Way>> ways = {};
    std::optional<Way> way = {};
    Tick crosses_at = 0;
    u32 turn = 0;  ///< the channel of an output that it prefers
  };
  struct Output {  ///< a virtual channel of an output or of a node's link
    u32 credits = 0;
    bool held = false, draining = false;
    Tick free_at = 0;
  };
  struct Switch {
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    VcTurns channel_turns, crossbar_turns;
    std::vector<Tick> feed_until;
    std::vector<u32> feed_turn;  ///< the channel that a feed looks at first
    std::vector<Tick> output_until, link_until;
  };
  struct Node {
    u32 at = 0, port = 0;
    std::deque<u32> queue;
    std::vector<Output> outputs;
    std::optional<u32> channel;
    u32 sent = 0;
    Tick idle_at = 0;
    u32 turn = 0;
  };
  using Coming = std::map<Tick, std::vector<std::function<void()>>>;

  std::vector<std::function<void()>> take(Coming& coming) {
    auto node = coming.extract(now_);
    return node.empty() ? std::vector<std::function<void()>>{} : node.mapped();
  }
  void complain(const std::string& what) {
    if (outcome_.complaints.size() < 10) outcome_.complaints.push_back(fmt::format("tick {}: {}", now_, what));
  }
  [[nodiscard]] bool is_tail(const Flit& flit) const { return flit.number + 1 == packets_[flit.packet].cells; }
  [[nodiscard]] Tick age(u32 packet) const { return (now_ - packets_[packet].generated_at) % (Tick{1} << 40); }

  void come_in(u32 s, u32 port, u32 channel, Flit flit) {
    Input& input = switches_[s].inputs[port * net_.channels + channel];
    input.buffer.push_back(flit);
    if (input.buffer.size() > net_.buffer_cells) complain(fmt::format("a buffer of switch {} is too full", s));
    if (input.begun) return;
    if (flit.number != 0) complain(fmt::format("packet {} comes without its header", flit.packet));
    input.begun = true;
    input.routes_at = now_ + net_.routing;
  }
  void come_out(u32 node, Flit flit) {
    if (packets_[flit.packet].to != node) complain(fmt::format("packet {} came to node {}", flit.packet, node));
    if (!is_tail(flit)) return;
    outcome_.delivered[flit.packet] = now_;
    ++delivered_;
  }
  void give_back(Output& output) {
    ++output.credits;
    if (output.draining && output.credits == net_.buffer_cells) output.held = output.draining = false;
  }

  void send_from(Node& node) {
    if (node.queue.empty() || node.idle_at > now_) return;
    const u32 packet = node.queue.front();
    if (packets_[packet].generated_at > now_) return;
    if (!node.channel) {
      const auto [first, count] =
          rules_.source_channels ? rules_.source_channels(packet) : std::pair<u32, u32>{0, net_.channels};
      u32 turn = node.turn;
      if (turn < first || turn >= first + count) turn = first;
      for (u32 k = 0; k < count && !node.channel; ++k) {
        const u32 channel = first + (turn - first + k) % count;
        if (!node.outputs[channel].held && node.outputs[channel].credits > 0) node.channel = channel;
      }
      if (!node.channel) return;
      node.outputs[*node.channel].held = true;
      node.turn = (*node.channel + 1) % net_.channels;
      node.sent = 0;
    }
    Output& output = node.outputs[*node.channel];
    if (output.credits == 0) return;
    --output.credits;
    const CellPort& port = net_.switches[node.at][node.port];
    const Flit flit{packet, node.sent++};
    coming_[now_ + port.latency].push_back(
        [this, at = node.at, p = node.port, c = *node.channel, flit] { come_in(at, p, c, flit); });
    node.idle_at = now_ + port.cell;
    if (!is_tail(flit)) return;
    if (net_.release_on_credit) {
      output.draining = true;
    } else {
      output.held = false;
    }
    node.channel.reset();
    node.queue.pop_front();
  }

  void route(u32 s) {
    for (u32 i = 0; i < switches_[s].inputs.size(); ++i) {
      Input& input = switches_[s].inputs[i];
      if (!input.begun || input.ways || input.buffer.empty() || input.routes_at > now_) continue;
      const u32 packet = input.buffer.front().packet;
      const Node& target = nodes_[packets_[packet].to];
      input.ways.emplace();
      if (target.at == s) {
        const auto [first, count] =
            rules_.sink_channels ? rules_.sink_channels(packet) : std::pair<u32, u32>{0, net_.channels};
        for (u32 c = first; c < first + count; ++c) input.ways->push_back({target.port, c});
        continue;
      }
      const Ways ways = rules_.route({s, i / net_.channels, i % net_.channels}, packet);
      *input.ways = ways.any;
      if (ways.escape) input.ways->push_back(*ways.escape);
      if (input.ways->empty()) throw std::logic_error("a packet may go nowhere");
    }
  }

  [[nodiscard]] bool is_free(const Output& output) const { return !output.held && output.free_at <= now_; }
  /// The free channels of the output that a packet asks for.
  [[nodiscard]] std::vector<u32> asked_for(const Switch& one, const Input& input) const {
    const u32 all = static_cast<u32>(one.outputs.size());
    std::optional<u32> best;
    double best_space = 0;
    u32 best_turn = 0;
    std::map<u32, std::set<u32>> of_port;
    for (const Way& way : *input.ways) of_port[way.port].insert(way.port * net_.channels + way.channel);
    for (const auto& [port, channels] : of_port) {
      double space = 0;
      u32 turn = all;
      for (const u32 o : channels) {
        space += one.outputs[o].credits;
        if (is_free(one.outputs[o])) turn = std::min(turn, (o + all - input.turn) % all);
      }
      if (turn == all) continue;
      space /= static_cast<double>(channels.size());
      if (best && (space < best_space || (space == best_space && turn > best_turn))) continue;
      best = port;
      best_space = space;
      best_turn = turn;
    }
    std::vector<u32> asked;
    if (!best) return asked;
    for (const u32 o : of_port[*best]) {
      if (is_free(one.outputs[o])) asked.push_back(o);
    }
    return asked;
  }

  void allocate_channels(u32 s) {
    Switch& one = switches_[s];
    std::vector<VcAsk> asks;
    for (u32 i = 0; i < one.inputs.size(); ++i) {
      const Input& input = one.inputs[i];
      if (!input.ways || input.way) continue;
      for (const u32 o : asked_for(one, input)) asks.push_back({i, o, age(input.buffer.front().packet), i});
    }
    const u32 all = static_cast<u32>(one.inputs.size());
    const std::vector<VcAsk> matched = net_.schedule == Schedule::age
                                           ? match_by_age(asks)
                                           : match_by_turns(asks, one.channel_turns, all, all, net_.iterations);
    if (net_.schedule != Schedule::age) {
      for (u32 i = 0; i < all; ++i) one.inputs[i].turn = one.channel_turns.of_in[i];
    }
    for (const VcAsk& ask : matched) {
      Input& input = one.inputs[ask.in];
      input.way = Way{ask.out / net_.channels, ask.out % net_.channels};
      input.crosses_at = now_ + net_.allocation;
      if (net_.schedule == Schedule::age) input.turn = (ask.out + 1) % all;
      one.outputs[ask.out].held = true;
      if (rules_.leaves)
        rules_.leaves({s, ask.in / net_.channels, ask.in % net_.channels}, input.buffer.front().packet, *input.way);
    }
  }

  [[nodiscard]] bool may_cross(const Switch& one, const std::vector<CellPort>& ports, const Input& input) const {
    if (!input.way || input.buffer.empty() || input.crosses_at > now_) return false;
    const u32 port = input.way->port;
    if (ports[port].far != CellPort::Far::node && one.outputs[port * net_.channels + input.way->channel].credits == 0)
      return false;
    if (one.output_until[port] > now_) return false;
    if (net_.output_cells == 0) return true;
    const Tick there = now_ + net_.crossing;
    const Tick queued = one.link_until[port] > there ? one.link_until[port] - there : 0;
    return queued + ports[port].cell <= net_.output_cells * ports[port].cell;
  }

  void allocate_crossbar(u32 s) {
    Switch& one = switches_[s];
    const std::vector<CellPort>& ports = net_.switches[s];
    std::vector<VcAsk> asks;
    for (u32 i = 0; i < one.inputs.size(); ++i) {
      const Input& input = one.inputs[i];
      const u32 port = i / net_.channels, channel = i % net_.channels;
      const u32 feed = port * net_.input_speedup + channel % net_.input_speedup;
      if (!may_cross(one, ports, input) || one.feed_until[feed] > now_) continue;
      const VcAsk ask{feed, input.way->port, age(input.buffer.front().packet), i};
      const auto other = std::ranges::find_if(asks, [&](const VcAsk& a) { return a.in == ask.in && a.out == ask.out; });
      if (net_.schedule == Schedule::age || other == asks.end()) {
        asks.push_back(ask);
        continue;
      }
      const auto turn = [&](u32 lane) {
        return (lane % net_.channels + net_.channels - one.feed_turn[feed]) % net_.channels;
      };
      if (turn(i) < turn(other->lane)) *other = ask;
    }
    const u32 count = static_cast<u32>(ports.size());
    const std::vector<VcAsk> matched =
        net_.schedule == Schedule::age
            ? match_by_age(asks)
            : match_by_turns(asks, one.crossbar_turns, count * net_.input_speedup, count, net_.iterations);
    for (const VcAsk& ask : matched) cross(s, ask);
  }

  void cross(u32 s, const VcAsk& ask) {
    Switch& one = switches_[s];
    Input& input = one.inputs[ask.lane];
    const u32 port = ask.lane / net_.channels, channel = ask.lane % net_.channels;
    const Way way = *input.way;
    const CellPort& out = net_.switches[s][way.port];
    Output& output = one.outputs[way.port * net_.channels + way.channel];
    const Flit flit = input.buffer.front();
    input.buffer.pop_front();
    const Tick taken = out.cell / net_.speedup;
    one.feed_until[ask.in] = one.output_until[way.port] = now_ + taken;
    one.feed_turn[ask.in] = (channel + net_.input_speedup) % net_.channels;
    const Tick begins = std::max(now_ + net_.crossing, one.link_until[way.port]), there = begins + out.latency;
    one.link_until[way.port] = begins + out.cell;
    if (out.far == CellPort::Far::node) {
      coming_[there].push_back([this, node = out.id, flit] { come_out(node, flit); });
    } else {
      --output.credits;
      coming_[there].push_back([this, id = out.id, p = out.port, c = way.channel, flit] { come_in(id, p, c, flit); });
    }
    const CellPort& in = net_.switches[s][port];
    Output& before = in.far == CellPort::Far::node ? nodes_[in.id].outputs[channel]
                                                   : switches_[in.id].outputs[in.port * net_.channels + channel];
    coming_[now_ + in.latency + net_.credit].push_back([this, &before] { give_back(before); });
    if (!is_tail(flit)) return;
    if (!net_.release_on_credit) {
      output.held = false;
    } else if (out.far == CellPort::Far::node) {
      output.held = false;
      output.free_at = there + out.latency + net_.credit;
    } else {
      output.draining = true;
    }
    input.ways.reset();
    input.way.reset();
    input.begun = !input.buffer.empty();
    input.routes_at = now_ + taken + net_.routing;
  }

  VcWormNetwork net_;
  std::vector<CellPacket> packets_;
  CellRules rules_;
  std::vector<Switch> switches_;
  std::vector<Node> nodes_;
  Coming coming_;
  Tick now_ = 0;
  std::size_t delivered_ = 0;
  CellOutcome outcome_;
};

}  // namespace weft::reference
