// Sources behind the NICs: packets at random times, bursts of some packets, and packets that others trigger.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/random.hpp"
#include "models/core/packet.hpp"
#include "models/core/statistics.hpp"
#include "workloads/program/host/inject.hpp"
#include "workloads/program/host/reactions.hpp"
#include "workloads/program/host/source_queue.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/packet_lengths.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// What the sources do.
struct SyntheticSpec {
  double packets_per_cycle = 0;  ///< chance of a new packet per node and cycle
  PacketLengths cells{1, 1};     ///< of packets, in networks that take any length
  SourceQueue queue = SourceQueue::bounded;
  bool bursts = false;  ///< every node sends `burst_packets`, when told to
  u32 burst_packets = 0;
  ReactionRules reactions = {};  ///< of sources with bounded queues, not in bursts
  u32 nodes = 0;
  u64 seed = 1;
};

/// Every node draws in each cycle whether it generates a packet; the draws between two packets are skipped by drawing
/// the geometric gap at once. A packet that finds the injection queue full waits, and its source draws no other
/// meanwhile; it keeps its destination and its length, which are drawn from its number. From a lossy source it is gone.
/// Sources with unbounded queues go on: as all that a packet is follows from its number, a queue is the number and the
/// generation of its first packet, however many wait. Laws of arrivals other than Bernoulli trials are asked for each
/// gap.
class SyntheticHost {
 public:
  using Packet = models::Packet;
  static constexpr bool acts = false;
  struct Event {
    u32 entity;
    u32 triggered = 0;  ///< packets that the node is to send because of one that it got
  };

  /// `arrivals`: null for Bernoulli trials.
  SyntheticHost(const SyntheticSpec& spec, std::unique_ptr<Pattern> pattern, bool uniform,
                std::unique_ptr<const Arrivals> arrivals = nullptr)
      : spec_(spec),
        pattern_(std::move(pattern)),
        uniform_(uniform),
        arrivals_(std::move(arrivals)),
        reactions_(spec.reactions, spec.seed) {
    log_miss_ = spec.packets_per_cycle < 1 ? std::log1p(-spec.packets_per_cycle) : 0;
  }

  /// Makes the sources of the local endpoints, without scheduling anything.
  template <class Net>
  void prepare(Net& net) {
    sources_.resize(net.layout().entities());
    if (spec_.queue == SourceQueue::unbounded) generated_at_.resize(sources_.size());
    if (arrivals_) arrival_states_.resize(sources_.size());
    if (spec_.reactions.any()) reactions_.resize(sources_.size());
    cycle_ = net.settings().cycle_ticks;
    longest_gap_ = std::min<Tick>(most_gap, last_tick / cycle_);
  }
  /// Prepares, and schedules every source's first packet.
  template <class Net>
  void start(Net& net) {
    prepare(net);
    const u32 entities = net.layout().entities();
    if (spec_.bursts || spec_.packets_per_cycle <= 0) return;
    for (u32 e = 0; e < entities; ++e) {
      if (!net.is_endpoint(e) || !pattern_->sends(net.layout().node(e))) continue;
      const Tick first = (gap_to(net.layout().node(e).value(), e, 0) - 1) * cycle_;
      if (spec_.queue == SourceQueue::unbounded) generated_at_[e] = first;
      wake(net, first, e);
    }
  }

  /// State of an entity's source between runs of the kernel.
  void save(u32 entity, engine::ByteWriter& to) const {
    const Source& s = sources_[entity];
    to.put(s.count);
    to.put(s.left);
    to.put(static_cast<u32>(s.pending));
    if (spec_.queue == SourceQueue::unbounded) to.put(generated_at_[entity]);
    if (arrivals_) to.put(arrival_states_[entity]);
    if (!spec_.reactions.any()) return;
    const Reactions::Waiting& r = reactions_[entity];
    to.put(r.left);
    to.put(r.sent);
    to.put(r.own_due);
    to.put(r.due);
    to.put(r.taken);
    to.put(static_cast<u32>(r.pending));
    if (spec_.reactions.to_source) to.put_list(reactions_.unsent(entity));
  }
  void load(u32 entity, engine::ByteReader& from) {
    Source& s = sources_[entity];
    s.count = from.get<u32>();
    s.left = from.get<u32>();
    s.pending = from.get<u32>() != 0;
    if (spec_.queue == SourceQueue::unbounded) generated_at_[entity] = from.get<Tick>();
    if (arrivals_) arrival_states_[entity] = from.get<ArrivalState>();
    if (!spec_.reactions.any()) return;
    Reactions::Waiting& r = reactions_[entity];
    r.left = from.get<u32>();
    r.sent = from.get<u32>();
    r.own_due = from.get<Tick>();
    r.due = from.get<Tick>();
    r.taken = from.get<Tick>();
    r.pending = from.get<u32>() != 0;
    if (spec_.reactions.to_source) from.get_list(r.replies);
  }

  /// Packets that the source of a node generates before tick `end`, if nothing stops it, with cycles of so many ticks.
  [[nodiscard]] u64 generated_before(u32 node, Tick end, Tick cycle_ticks) const {
    if (spec_.bursts || spec_.packets_per_cycle <= 0 || !pattern_->sends(NodeId(node))) return 0;
    u64 packets = 0, count = 0;
    const u64 cycles = (end + cycle_ticks - 1) / cycle_ticks;
    ArrivalState state;
    const auto gap_of = [&] {
      return arrivals_ ? arrivals_->gap(node, count, state) : gap(draw(node, count, engine::Use::source_gap));
    };
    for (u64 at = gap_of() - 1; at < cycles;) {
      const u64 bits = draw(node, count, engine::Use::source_destination);
      if (destination(node, {bits, count, arrivals_ ? arrivals_->phase(state) : 0}) != node) ++packets;
      ++count;
      at += gap_of();
    }
    return packets;
  }

  /// Starts the next burst at `tick` on all local nodes.
  template <class Net>
  void start_burst(Net& net, Tick tick) {
    for (u32 e = 0; e < sources_.size(); ++e) {
      if (!net.is_endpoint(e) || !pattern_->sends(net.layout().node(e))) continue;
      Source& source = sources_[e];
      source.left = spec_.burst_packets;
      net.kernel().schedule(tick + (gap_to(net.layout().node(e).value(), e, source.count) - 1) * cycle_, Event{e});
    }
  }

  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    Source& source = sources_[e.entity];
    if (spec_.bursts && source.left == 0) return;
    if (spec_.queue == SourceQueue::unbounded) [[unlikely]]
      return offer_waiting(net, tick, e.entity, source);
    if (spec_.reactions.any()) [[unlikely]]
      return absorb_reactions(net, tick, e);
    offer(net, tick, e.entity, source);
  }

  template <class Net>
  void act(Net&, Tick, u32) {}

  template <class Net>
  void space(Net& net, Tick tick, u32 entity) {
    Source& source = sources_[entity];
    if (source.pending) {
      if (spec_.queue == SourceQueue::unbounded) [[unlikely]]
        return offer_waiting(net, tick, entity, source);
      models::Counters& counters = net.statistics().counters;
      offer(net, tick, entity, source);
      if (!source.pending && !spec_.bursts) {
        counters.source_hold += tick;
        --counters.sources_held;
      }
    }
    if (spec_.reactions.any() && reactions_[entity].pending) [[unlikely]] {
      reactions_[entity].pending = false;
      react(net, tick, entity);
    }
  }

  template <class Net>
  void delivered(Net& net, Tick tick, Tick whole, u32 entity, const Packet& packet) {
    if (spec_.reactions.any()) [[unlikely]]
      trigger(net, tick, whole, entity, packet);
  }

  /// Whether a source has a packet that the network has not let in.
  [[nodiscard]] bool waits() const {
    return std::ranges::any_of(sources_, &Source::pending) ||
           std::ranges::any_of(reactions_.all(), &Reactions::Waiting::pending);
  }

 private:
  static constexpr Tick most_gap = 1'000'000'000'000'000;

  struct Source {
    u32 count = 0;         ///< number of the packet to come, or that waits for free space
    u32 left = 0;          ///< packets left of the burst
    bool pending = false;  ///< a packet waits for free space
  };

  [[nodiscard]] u64 draw(u32 node, u64 count, engine::Use use) const {
    return engine::random_bits(spec_.seed, node, count, use);
  }

  /// Cycles to the next success of a Bernoulli trial per cycle, at least 1.
  [[nodiscard]] Tick gap(u64 bits) const {
    if (log_miss_ == 0) return 1;
    const double cycles = std::log(engine::to_unit(bits)) / log_miss_;
    return cycles < static_cast<double>(longest_gap_) ? 1 + static_cast<Tick>(cycles) : longest_gap_;
  }
  /// Cycles to the generation of packet `count` of a source from that of the one before.
  [[nodiscard]] Tick gap_to(u32 node, u32 entity, u64 count) {
    if (arrivals_) [[unlikely]]
      return gap_by_law(node, entity, count);
    return gap(draw(node, count, engine::Use::source_gap));
  }
  [[nodiscard, gnu::noinline]] Tick gap_by_law(u32 node, u32 entity, u64 count) {
    return std::min(arrivals_->gap(node, count, arrival_states_[entity]), longest_gap_);
  }
  /// The source of an entity itself is to be asked at that tick.
  template <class Net>
  void wake(Net& net, Tick tick, u32 entity) {
    if (spec_.reactions.any()) [[unlikely]]
      reactions_[entity].own_due = tick;
    net.kernel().schedule(tick, Event{entity});
  }
  /// Where a packet of a node goes; to the node itself: there is none.
  [[nodiscard]] u32 destination(u32 node, const PacketDraw& packet) const {
    return uniform_ ? uniform_destination(node, spec_.nodes, packet.bits)
                    : pattern_->destination(NodeId(node), packet).value();
  }
  /// The phase of the packet to come of an entity's source.
  [[nodiscard]] u32 phase_of(u32 entity) const { return arrivals_ ? arrivals_->phase(arrival_states_[entity]) : 0; }

  template <class Net>
  void offer(Net& net, Tick tick, u32 entity, Source& source) {
    if (!spec_.bursts && !source.pending &&
        !net.injection_open()) {  // congestion control: nodes make nothing meanwhile
      ++source.count;
      const Tick wait = gap_to(net.layout().node(entity).value(), entity, source.count) * cycle_;
      net.statistics().counters.source_hold += wait;
      return wake(net, tick + wait, entity);
    }
    const u32 node = net.layout().node(entity).value();
    const u64 bits = draw(node, source.count, engine::Use::source_destination);
    const u32 to = destination(node, {bits, source.count, phase_of(entity)});
    if (to != node) {
      const bool waited = source.pending;
      source.pending =
          !inject(net, entity, packet_of(net, node, to, bits), tick, bits, [&] { return spec_.cells.draw(bits); });
      if (source.pending && spec_.queue == SourceQueue::lossy) [[unlikely]] {
        lose(net, bits);
        source.pending = false;
      }
      if (source.pending) {
        if (!waited && !spec_.bursts) hold(net, tick);
        return;
      }
      if (spec_.reactions.any()) [[unlikely]]
        reactions_[entity].taken = tick;
    }
    ++source.count;
    if (spec_.bursts && --source.left == 0) return;
    wake(net, tick + gap_to(node, entity, source.count) * cycle_, entity);
  }

  /// With reactions: at most one packet in a cycle, that of the source itself first. Events of a tick may come in any
  /// order: each looks for all that is due.
  template <class Net>
  [[gnu::noinline]] void absorb_reactions(Net& net, Tick tick, const Event& e) {
    Reactions::Waiting& waiting = reactions_[e.entity];
    waiting.left += e.triggered;
    if (waiting.own_due == tick) {
      waiting.own_due = never;
      offer(net, tick, e.entity, sources_[e.entity]);
    }
    react(net, tick, e.entity);
  }

  /// A packet was delivered that may make its destination send others: the first in the cycle after.
  template <class Net>
  [[gnu::noinline]] void trigger(Net& net, Tick tick, Tick whole, u32 entity, const Packet& packet) {
    const u32 node = net.layout().node(entity).value();
    const bool back = spec_.reactions.to_source;
    if (back ? (packet.ties & Reactions::reply_bit) != 0 : !pattern_->sends(NodeId(node))) return;
    const u32 packets = reactions_.triggered(packet.from, node, packet.generated_at());
    if (packets == 0) return;
    const Tick due = (std::max(tick, whole) / cycle_ + 1) * cycle_;
    if (back) reactions_.reply(entity, {due, net.policy().decode(packet.from), packets, packet.generated_at()});
    net.kernel().schedule(due, Event{entity, packets});
  }

  /// Offers a triggered packet, if there is one and the NIC has taken none in this cycle.
  template <class Net>
  [[gnu::noinline]] void react(Net& net, Tick tick, u32 entity) {
    Reactions::Waiting& waiting = reactions_[entity];
    if (waiting.left == 0 || waiting.pending) return;
    if (waiting.taken != tick) {
      const u32 node = net.layout().node(entity).value();
      const u64 bits = reactions_.bits_of_next(node, entity);
      const bool back = spec_.reactions.to_source;
      const u32 to = back ? reactions_.next_reply(entity) : destination(node, {bits, waiting.sent, phase_of(entity)});
      if (to != node) {
        const u32 cells = spec_.reactions.cells;
        waiting.pending = !inject(net, entity, packet_of(net, node, to, bits, back), tick, bits,
                                  [&] { return cells != 0 ? cells : spec_.cells.draw(bits); });
        if (waiting.pending) return;
        waiting.taken = tick;
      }
      if (back) reactions_.sent_reply(entity);
      ++waiting.sent;
      if (--waiting.left == 0) return;
    }
    if (waiting.due == tick + cycle_) return;
    waiting.due = tick + cycle_;
    net.kernel().schedule(waiting.due, Event{entity});
  }

  /// A packet was refused that does not wait.
  template <class Net>
  [[gnu::noinline]] void lose(Net& net, u64 bits) const {
    models::Counters& counters = net.statistics().counters;
    ++counters.generated;
    if constexpr (TakesAnyLength<Net>) counters.generated_cells += spec_.cells.draw(bits);
    ++counters.dropped;
    ++counters.dropped_at_source;
    ++counters.dropped_at_full_nic;
  }

  /// A source has stopped at `tick`, which `space` ends.
  template <class Net>
  [[gnu::noinline]] static void hold(Net& net, Tick tick) {
    models::Counters& counters = net.statistics().counters;
    counters.source_hold -= tick;
    ++counters.sources_held;
  }

  template <class Net>
  [[nodiscard]] Packet packet_of(Net& net, u32 node, u32 to, u64 bits, bool reply = false) const {
    Packet packet;
    packet.to = net.policy().encode(NodeId(to));
    packet.from = net.policy().encode(NodeId(node));
    packet.ties = static_cast<u8>(engine::remix(bits, 1));
    if (spec_.reactions.to_source) [[unlikely]]
      packet.ties = static_cast<u8>((packet.ties & ~Reactions::reply_bit) | (reply ? Reactions::reply_bit : 0));
    return packet;
  }

  /// Hands over what an unbounded source has generated by now, as far as there is free space.
  template <class Net>
  [[gnu::noinline]] void offer_waiting(Net& net, Tick tick, u32 entity, Source& source) {
    const u32 node = net.layout().node(entity).value();
    Tick& generated_at = generated_at_[entity];
    source.pending = false;
    for (; generated_at <= tick; generated_at += gap_to(node, entity, source.count) * cycle_) {
      const u64 bits = draw(node, source.count, engine::Use::source_destination);
      const u32 to = destination(node, {bits, source.count, phase_of(entity)});
      if (to != node) {
        const Packet packet = packet_of(net, node, to, bits);
        source.pending =
            !inject_late(net, entity, packet, tick, generated_at, bits, [&] { return spec_.cells.draw(bits); });
        if (source.pending) return;
      }
      ++source.count;
    }
    net.kernel().schedule(generated_at, Event{entity});
  }

  SyntheticSpec spec_;
  std::unique_ptr<Pattern> pattern_;
  bool uniform_;
  std::unique_ptr<const Arrivals> arrivals_;  ///< null: Bernoulli trials
  std::vector<ArrivalState> arrival_states_;  ///< of sources with a law of arrivals
  Reactions reactions_;
  double log_miss_ = 0;
  Tick cycle_ = 1;
  Tick longest_gap_ = most_gap;  ///< cycles; longer than any run
  std::vector<Source> sources_;
  std::vector<Tick> generated_at_;  ///< of the packet to come, or of the first that waits; empty: queues are bounded
};

}  // namespace weft::workloads
