// The walk: breadth first over the states that packets can be in, one destination at a time (no two have a state in
// common), so that what is kept of states stays small.
#include "models/routing/channel_search.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/bits.hpp"
#include "engine/base/error.hpp"
#include "engine/stop_look.hpp"
#include "models/routing/held_channels.hpp"

namespace weft::models {
namespace {

using Answer = ChannelFindings::Answer;

/// Where the outputs of all routers lead; an output's number is that of its port among all ports, times the virtual
/// channels, plus its channel.
class Wiring {
 public:
  Wiring(const Topology& topology, u32 virtual_channels) : channels_(virtual_channels) {
    for (u32 r = 0; r < topology.routers(); ++r) {
      first_port_.push_back(static_cast<u32>(far_.size()));
      for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
        far_.push_back(topology.carries(RouterId(r), p) ? topology.peer(RouterId(r), p) : Peer{});
      }
      most_ports_ = std::max(most_ports_, static_cast<u32>(far_.size()) - first_port_.back());
    }
  }
  [[nodiscard]] const Peer& far(u32 router, u32 port) const { return far_[first_port_[router] + port]; }
  [[nodiscard]] u32 number(u32 router, u32 output) const { return first_port_[router] * channels_ + output; }
  [[nodiscard]] u32 numbers() const { return static_cast<u32>(far_.size()) * channels_; }
  [[nodiscard]] u32 most_outputs() const { return most_ports_ * channels_; }
  [[nodiscard]] WaitingPacket packet(const ChannelGraph::Waiting& in) const {
    const u32 port = in.channel / channels_;
    const u32 router = static_cast<u32>(std::ranges::upper_bound(first_port_, port) - first_port_.begin()) - 1;
    return {router, port - first_port_[router], in.channel % channels_, in.from, in.to};
  }

 private:
  u32 channels_, most_ports_ = 0;
  std::vector<Peer> far_;        ///< [port of all]
  std::vector<u32> first_port_;  ///< [router]
};

/// A packet that has become first in a queue. What it does next follows from the place, the state and its nodes.
struct Stop {
  QueuePlace at;
  u32 channel = 0;  ///< number of the output that leads there; of nodes' links any number that no other has
  u32 from = 0;     ///< an example, where routes do not go by it
  RouteState state;

  [[nodiscard]] bool same_as(const Stop& other) const {
    return channel == other.channel && state.word() == other.state.word() && state.phase == other.state.phase &&
           state.spare == other.state.spare;
  }
  [[nodiscard]] u64 hash() const {
    return engine::remix(state.word() ^ (u64{state.phase} << 8 | state.spare) << 40, channel);
  }
};

/// Stops that a packet to one destination has been found to make, in the order in which they were.
class Stops {
 public:
  void clear() {
    stops_.clear();
    ++round_;
  }
  /// Its number; it is added if it is new.
  u32 add(const Stop& stop) {
    if (2 * stops_.size() >= slots_.size()) grow();
    u64 slot = stop.hash() & (slots_.size() - 1);
    for (; slots_[slot].round == round_; slot = (slot + 1) & (slots_.size() - 1)) {
      if (stops_[slots_[slot].stop].same_as(stop)) return slots_[slot].stop;
    }
    slots_[slot] = {round_, static_cast<u32>(stops_.size())};
    stops_.push_back(stop);
    return static_cast<u32>(stops_.size() - 1);
  }
  [[nodiscard]] std::size_t size() const { return stops_.size(); }
  [[nodiscard]] const Stop& operator[](std::size_t number) const { return stops_[number]; }

 private:
  struct Slot {
    u32 round = 0, stop = 0;
  };
  void grow() {
    slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), {});
    for (u32 k = 0; k < stops_.size(); ++k) {
      u64 slot = stops_[k].hash() & (slots_.size() - 1);
      while (slots_[slot].round == round_) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = {round_, k};
    }
  }

  std::vector<Stop> stops_;
  std::vector<Slot> slots_;
  u32 round_ = 1;  ///< slots of other rounds are free
};

/// Outputs of random occupancy: what `decide` may meet.
class DrawnOccupancy final : public Occupancy {
 public:
  /// The first are all empty, the second all alike.
  explicit DrawnOccupancy(u32 number) : number_(number) {}
  [[nodiscard]] u32 waiting(u32 port) const override { return draw(port, 0); }
  [[nodiscard]] u32 taken(u32 port, u32 channel) const override { return draw(port, 1 + channel); }
  [[nodiscard]] u32 load(u32 port) const override { return draw(port, ~u32{0}); }
  [[nodiscard]] u32 remote_waiting(u32 port, u32 far_port) const override { return draw(port, ~far_port); }

 private:
  [[nodiscard]] u32 draw(u32 port, u32 what) const {
    constexpr u32 same = 1000, most = 1'000'000;
    if (number_ < 2) return number_ * same;
    const u64 bits = engine::remix(u64{what} << 32 | port, number_);
    return (bits & 1) != 0 ? 0 : engine::scale_to(bits, most);
  }
  u32 number_;
};

class Walk {
 public:
  Walk(const Topology& topology, const Routing& routing, const ChannelSearch& search)
      : topology_(topology),
        routing_(routing),
        search_(search),
        wiring_(topology, search.virtual_channels),
        by_source_(routing.goes_by_source()),
        words_((wiring_.most_outputs() + 63) / 64) {}

  ChannelFindings run() {
    for (u32 to = 0; to < topology_.nodes(); ++to) findings_.all_destinations += topology_.works(NodeId(to)) ? 1 : 0;
    walk();
    if (findings_.answer == Answer::conditions) return findings_;
    // Worms hold channels far behind them: that one of several candidates drains is not enough.
    const bool worms = search_.holds_channels && search_.takes == TakesCandidate::any;
    const TakesCandidate takes = worms ? TakesCandidate::committed : search_.takes;
    // What is not tried can only add waits: a cycle of those that were is one in any case.
    const std::vector<ChannelGraph::Waiting> cycle = graph_.find_cycle(takes);
    if (cycle.empty() || (worms && escapes_are_safe())) return findings_;
    findings_.answer = Answer::cycle;
    for (const ChannelGraph::Waiting& in : cycle) findings_.cycle.push_back(wiring_.packet(in));
    return findings_;
  }

 private:
  /// Tries out all routes, as far as that goes.
  void walk() {
    for (u32 to = 0; to < topology_.nodes() && findings_.answer == Answer::free; ++to) {
      if (!topology_.works(NodeId(to))) continue;
      last_ = topology_.router_of(NodeId(to)).value();
      begin_stops();
      for (u32 from = 0; from < topology_.nodes(); ++from) {
        engine::look_for_stop(looked_++);
        if (from == to || !topology_.works(NodeId(from))) continue;
        if (by_source_) {
          end_stops();
          begin_stops();
        }
        begin(NodeId(from), NodeId(to));
        for (; followed_ < stops_.size() && findings_.answer == Answer::free; ++followed_) follow(NodeId(to));
        if (findings_.steps > search_.most_steps) findings_.answer = Answer::too_large;
        if (findings_.answer == Answer::conditions) return;
        if (findings_.answer == Answer::too_large) break;
      }
      end_stops();
      if (findings_.answer == Answer::too_large) break;
      ++findings_.destinations;
      if (search_.progress) search_.progress(findings_.destinations, findings_.all_destinations);
    }
  }
  void begin_stops() {
    stops_.clear();
    followed_ = 0;
    if (held_ != nullptr) held_->begin();
  }
  void end_stops() {
    if (held_ != nullptr) held_->end();
  }
  /// Whether worms that may take any of several candidates are free of deadlock, with some channels as escape channels:
  /// the routes are tried out once more for each set of those.
  bool escapes_are_safe() {
    const ChannelFindings found = findings_;
    bool safe = false;
    for (std::vector<bool>& escapes : safe_channels(waits_, wiring_.numbers(), search_.virtual_channels)) {
      HeldChannels held(waits_, std::move(escapes));
      if (!held.leads_everywhere()) continue;
      held_ = &held;
      findings_ = {};
      findings_.answer = Answer::free;
      walk();
      held_ = nullptr;
      if (safe = !held.has_cycle(); safe) break;
    }
    findings_ = found;
    return safe;
  }

  /// All stops at the source.
  void begin(NodeId from, NodeId to) {
    if (!routing_.serves(from)) return;
    const u64 pair = u64{from.value()} << 32 | to.value();
    const u32 listed = routing_.beginnings(from, to);
    const bool all = listed > 0 && listed <= search_.most_listed;
    ++findings_.pairs;
    findings_.sampled_pairs += all ? 0 : 1;
    begun_.clear();
    const u32 most = all ? listed : search_.most_draws;
    for (u32 k = 0, in_vain = 0; k < most && in_vain < search_.most_in_vain; ++k) {
      RouteState state;
      if (all) {
        routing_.begin_as(state, from, to, k);
      } else {
        routing_.begin(state, from, to, k == 0 ? 0 : k == 1 ? ~u64{0} : engine::remix(pair, k));
      }
      ++findings_.steps;
      const Stop stop{{}, 0, from.value(), state};
      if (all) {
        enter(from, state);
        continue;
      }
      if (std::ranges::any_of(begun_, [&](const Stop& other) { return other.same_as(stop); })) {
        ++in_vain;
        continue;
      }
      in_vain = 0;
      begun_.push_back(stop);
      enter(from, state);
    }
    findings_.most_beginnings = std::max(findings_.most_beginnings, all ? most : static_cast<u32>(begun_.size()));
  }
  void enter(NodeId from, const RouteState& state) {
    const u32 router = topology_.router_of(from).value(), channels = search_.virtual_channels;
    if (topology_.direct()) {
      stops_.add({{router, QueuePlace::injection, 0}, wiring_.numbers() + router, from.value(), state});
      return;
    }
    if (router == last_) return;
    const u32 port = topology_.port_of(from);
    const Routing::Channels some = routing_.node_link_channels(state, false);
    for (u32 vc = some.first; vc < some.first + std::min(some.count, channels - some.first); ++vc) {
      Stop stop{{router, port, vc}, wiring_.number(router, port * channels + vc), from.value(), state};
      ++stop.state.links;
      stops_.add(stop);
    }
  }

  /// Adds the stops behind the one whose turn it is, whatever is decided there.
  void follow(NodeId to) {
    const Stop stop = stops_[followed_];
    if (!routing_.decides() || stop.at.router == last_) return follow(stop, to);
    decided_.clear();
    findings_.sampled_decisions = true;
    for (u32 number = 0, in_vain = 0; number < search_.most_draws && in_vain < search_.most_in_vain; ++number) {
      Stop decided = stop;
      routing_.decide(decided.state, stop.at, NodeId(stop.from), to, DrawnOccupancy(number));
      ++findings_.steps;
      if (std::ranges::any_of(decided_, [&](const Stop& other) { return other.same_as(decided); })) {
        ++in_vain;
        continue;
      }
      in_vain = 0;
      decided_.push_back(decided);
      follow(decided, to);
      if (findings_.answer != Answer::free) return;
    }
  }
  /// Asks for the candidates of a stop, notes that it waits for them, and adds the stops behind.
  void follow(const Stop& stop, NodeId to) {
    const NodeId from(stop.from);
    std::ranges::fill(words_, 0);
    Candidates candidates{OutputSet(words_.data(), static_cast<u32>(words_.size()))};
    const Verdict verdict = routing_.route(stop.at, {from, to, stop.state}, candidates);
    ++findings_.steps;
    if (verdict != Verdict::waits) return;
    const bool escapes = candidates.escape != Candidates::none;
    if (!search_.ignores_conditions &&
        (candidates.near_packets > 0 ||
         (escapes && (candidates.escape_near_packets > 0 || candidates.escape_far_packets > 1)))) {
      findings_.answer = Answer::conditions;
      return;
    }
    if (escapes) candidates.outputs.add(candidates.escape);
    outputs_.clear();
    next_stops_.clear();
    engine::for_bits(words_.data(), static_cast<u32>(words_.size()), [&](u32 output) { take(stop, output); });
    note_choice(stop.at.router);
    if (outputs_.empty()) {
      throw ConfigError(fmt::format("the routes have no path from router {} on to node {}; use other routes or tables",
                                    stop.at.router, to.value()));
    }
    findings_.steps += outputs_.size();
    const bool from_node = stop.channel >= wiring_.numbers() || (!topology_.direct() && is_node_link(stop.at));
    if (held_ != nullptr) {
      held_->stop(static_cast<u32>(followed_), outputs_, next_stops_);
    } else if (!from_node) {
      graph_.add({stop.channel, stop.from, to.value()}, outputs_);
      if (search_.holds_channels) waits_.add(stop.channel, outputs_);
    }
    if (findings_.steps > search_.most_steps) findings_.answer = Answer::too_large;
  }
  /// Notes how many channels of each link between routers are among the candidates in `words_`.
  void note_choice(u32 router) {
    u32 port = ~u32{0}, channels = 0;
    const auto end_port = [&] {
      if (channels > 0) findings_.least_channels = std::min(findings_.least_channels, channels);
      channels = 0;
    };
    engine::for_bits(words_.data(), static_cast<u32>(words_.size()), [&](u32 output) {
      if (output / search_.virtual_channels != port) end_port();
      port = output / search_.virtual_channels;
      channels += wiring_.far(router, port).kind == Peer::Kind::router ? 1 : 0;
    });
    end_port();
  }
  [[nodiscard]] bool is_node_link(const QueuePlace& at) const {
    return wiring_.far(at.router, at.port).kind == Peer::Kind::node;
  }
  /// Notes an output as a candidate, and adds the stop behind it.
  void take(const Stop& stop, u32 output) {
    const u32 port = output / search_.virtual_channels, channel = output % search_.virtual_channels;
    const Peer& far = wiring_.far(stop.at.router, port);
    if (far.kind != Peer::Kind::router) return;
    const u32 number = wiring_.number(stop.at.router, output);
    outputs_.push_back(number);
    findings_.channels |= u64{1} << std::min(channel, 63U);
    if (!topology_.direct() && far.id == last_) return;
    Stop next{{far.id, far.port, channel}, number, stop.from, stop.state};
    ++next.state.links;
    routing_.leave(next.state, stop.at, port, channel);
    next_stops_.emplace_back(number, stops_.add(next));
  }

  const Topology& topology_;
  const Routing& routing_;
  ChannelSearch search_;
  Wiring wiring_;
  bool by_source_;
  u32 last_ = 0;  ///< router of the destination
  Stops stops_;
  std::size_t followed_ = 0;   ///< of `stops_`
  u64 looked_ = 0;             ///< pairs of nodes, for look_for_stop
  std::vector<Stop> begun_;    ///< different states of a pair's new packets
  std::vector<Stop> decided_;  ///< different decisions at a stop
  std::vector<u64> words_;
  std::vector<u32> outputs_;
  std::vector<std::pair<u32, u32>> next_stops_;  ///< the stops behind `outputs_`: output, and number of the stop
  ChannelGraph graph_;
  ChannelWaits waits_;            ///< the same, of worms
  HeldChannels* held_ = nullptr;  ///< null: waits are noted
  ChannelFindings findings_;
};

}  // namespace

u64 least_steps(const Topology& topology) {
  const u64 nodes = topology.nodes();
  constexpr u64 of_a_pair = 5;
  return of_a_pair * nodes * (nodes - 1);
}

ChannelFindings search_channels(const Topology& topology, const Routing& routing, const ChannelSearch& search) {
  return Walk(topology, routing, search).run();
}

std::string describe_cycle(const Topology& topology, const std::vector<WaitingPacket>& cycle) {
  const auto name = [&](const WaitingPacket& p) {
    return fmt::format("router {}, {}, VC {}", p.router, topology.port_name(RouterId(p.router), p.port), p.channel);
  };
  std::string text = fmt::format("cycle of waiting channels ({}):", cycle.size());
  for (std::size_t k = 0; k < cycle.size(); ++k) {
    text += fmt::format("\n  {}: a packet from node {} to node {} waits for free space in {}", name(cycle[k]),
                        cycle[k].from, cycle[k].to, name(cycle[(k + 1) % cycle.size()]));
  }
  return text;
}

}  // namespace weft::models
