// Independent sources behind the NICs: Bernoulli packet generation, or bursts of a fixed number of packets.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/bytes.hpp"
#include "engine/random.hpp"
#include "models/machine/packets/network.hpp"
#include "workloads/inject.hpp"
#include "workloads/length/packet_lengths.hpp"
#include "workloads/pattern/pattern.hpp"
#include "workloads/task_limits.hpp"

namespace weft::workloads {

/// What the sources do.
struct SyntheticSpec {
  double packets_per_cycle = 0;  ///< chance of a new packet per node and cycle; 1 in bursts
  PacketLengths cells{1, 1};     ///< of packets, in networks that take any length
  bool unbounded = false;        ///< sources go on generating while their NIC is full
  bool bursts = false;           ///< every node sends `burst_packets` as fast as its NIC takes them, when told to
  u32 burst_packets = 0;
  u32 nodes = 0;
  u64 seed = 1;
};

/// Every node draws in each cycle whether it generates a packet; the draws between two packets are skipped by drawing
/// the geometric gap at once. A packet that finds the injection queue full waits, and its source draws no other
/// meanwhile; it keeps its destination and its length, which are drawn from its number. Sources with unbounded queues
/// go on: as all that a packet is follows from its number, a queue is the number and the generation of its first
/// packet, however many wait.
class SyntheticHost {
 public:
  using Packet = models::Packet;
  static constexpr bool acts = false;
  struct Event {
    u32 entity;
  };

  SyntheticHost(const SyntheticSpec& spec, std::unique_ptr<Pattern> pattern, bool uniform)
      : spec_(spec), pattern_(std::move(pattern)), uniform_(uniform) {
    log_miss_ = spec.packets_per_cycle < 1 ? std::log1p(-spec.packets_per_cycle) : 0;
  }

  /// Makes the sources of the local endpoints, without scheduling anything.
  template <class Net>
  void prepare(Net& net) {
    sources_.resize(net.layout().entities());
    if (spec_.unbounded) generated_at_.resize(sources_.size());
    cycle_ = net.settings().cycle_ticks;
    longest_gap_ = std::min<Tick>(most_gap, last_tick / cycle_);
  }
  /// The same, and schedules every source's first packet.
  template <class Net>
  void start(Net& net) {
    prepare(net);
    const u32 entities = net.layout().entities();
    if (spec_.bursts || spec_.packets_per_cycle <= 0) return;
    for (u32 e = 0; e < entities; ++e) {
      if (!net.is_endpoint(e) || !pattern_->sends(net.layout().node(e))) continue;
      const Tick first = first_generated(net.layout().node(e).value());
      if (spec_.unbounded) generated_at_[e] = first;
      net.kernel().schedule(first, Event{e});
    }
  }

  /// State of an entity's source between runs of the kernel.
  void save(u32 entity, engine::ByteWriter& to) const {
    const Source& s = sources_[entity];
    to.put(s.count);
    to.put(s.left);
    to.put(static_cast<u32>(s.pending));
    if (spec_.unbounded) to.put(generated_at_[entity]);
  }
  void load(u32 entity, engine::ByteReader& from) {
    Source& s = sources_[entity];
    s.count = from.get<u32>();
    s.left = from.get<u32>();
    s.pending = from.get<u32>() != 0;
    if (spec_.unbounded) generated_at_[entity] = from.get<Tick>();
  }

  /// Packets that the source of a node generates before tick `end`, if nothing stops it, with cycles of so many ticks.
  [[nodiscard]] u64 generated_before(u32 node, Tick end, Tick cycle_ticks) const {
    if (spec_.bursts || spec_.packets_per_cycle <= 0 || !pattern_->sends(NodeId(node))) return 0;
    u64 packets = 0, count = 0;
    const u64 cycles = (end + cycle_ticks - 1) / cycle_ticks;
    for (u64 at = gap(draw(node, 0, engine::Use::source_gap)) - 1; at < cycles;) {
      const u64 bits = draw(node, count, engine::Use::source_destination);
      if (destination(node, bits) != node) ++packets;
      at += gap(draw(node, ++count, engine::Use::source_gap));
    }
    return packets;
  }

  /// Starts the next burst at `tick` on all local nodes.
  template <class Net>
  void start_burst(Net& net, Tick tick) {
    for (u32 e = 0; e < sources_.size(); ++e) {
      if (!net.is_endpoint(e) || !pattern_->sends(net.layout().node(e))) continue;
      sources_[e].left = spec_.burst_packets;
      net.kernel().schedule(tick, Event{e});
    }
  }

  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    Source& source = sources_[e.entity];
    if (spec_.bursts && source.left == 0) return;
    if (spec_.unbounded) [[unlikely]]
      return offer_waiting(net, tick, e.entity, source);
    offer(net, tick, e.entity, source);
  }

  template <class Net>
  void act(Net&, Tick, u32) {}

  template <class Net>
  void space(Net& net, Tick tick, u32 entity) {
    Source& source = sources_[entity];
    if (!source.pending) return;
    if (spec_.unbounded) [[unlikely]]
      return offer_waiting(net, tick, entity, source);
    models::Counters& counters = net.statistics().counters;
    offer(net, tick, entity, source);
    if (source.pending || spec_.bursts) return;
    counters.source_hold += tick;
    --counters.sources_held;
  }

  template <class Net>
  void delivered(Net&, Tick, Tick, u32, const Packet&) {}

  /// Whether a source has a packet that the network has not let in.
  [[nodiscard]] bool waits() const { return std::ranges::any_of(sources_, &Source::pending); }

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
  [[nodiscard]] Tick first_generated(u32 node) const {
    return (gap(draw(node, 0, engine::Use::source_gap)) - 1) * cycle_;
  }
  /// Where the packet of a node goes that these bits were drawn for; to the node itself: there is none.
  [[nodiscard]] u32 destination(u32 node, u64 bits) const {
    return uniform_ ? uniform_destination(node, spec_.nodes, bits) : pattern_->destination(NodeId(node), bits).value();
  }

  template <class Net>
  void offer(Net& net, Tick tick, u32 entity, Source& source) {
    if (!spec_.bursts && !source.pending &&
        !net.injection_open()) {  // congestion control: nodes make nothing meanwhile
      ++source.count;
      const u64 bits = draw(net.layout().node(entity).value(), source.count, engine::Use::source_gap);
      const Tick wait = gap(bits) * cycle_;
      net.statistics().counters.source_hold += wait;
      net.kernel().schedule(tick + wait, Event{entity});
      return;
    }
    const u32 node = net.layout().node(entity).value();
    const u64 bits = draw(node, source.count, engine::Use::source_destination);
    const u32 to = destination(node, bits);
    if (to != node) {
      const bool waited = source.pending;
      source.pending =
          !inject(net, entity, packet_of(net, node, to, bits), tick, bits, [&] { return spec_.cells.draw(bits); });
      if (source.pending) {
        if (!waited && !spec_.bursts) hold(net, tick);
        return;
      }
    }
    ++source.count;
    Tick wait = 1;
    if (spec_.bursts) {
      if (--source.left == 0) return;
    } else {
      wait = gap(draw(node, source.count, engine::Use::source_gap));
    }
    net.kernel().schedule(tick + wait * cycle_, Event{entity});
  }

  /// A source has stopped at `tick`, which `space` ends.
  template <class Net>
  [[gnu::noinline]] static void hold(Net& net, Tick tick) {
    models::Counters& counters = net.statistics().counters;
    counters.source_hold -= tick;
    ++counters.sources_held;
  }

  template <class Net>
  [[nodiscard]] static Packet packet_of(Net& net, u32 node, u32 to, u64 bits) {
    Packet packet;
    packet.to = net.policy().encode(NodeId(to));
    packet.from = net.policy().encode(NodeId(node));
    packet.ties = static_cast<u8>(engine::remix(bits, 1));
    return packet;
  }

  /// Of an unbounded source: hands over what has been generated by now, as far as there is free space.
  template <class Net>
  [[gnu::noinline]] void offer_waiting(Net& net, Tick tick, u32 entity, Source& source) {
    const u32 node = net.layout().node(entity).value();
    Tick& generated_at = generated_at_[entity];
    source.pending = false;
    for (; generated_at <= tick; generated_at += gap(draw(node, source.count, engine::Use::source_gap)) * cycle_) {
      const u64 bits = draw(node, source.count, engine::Use::source_destination);
      const u32 to = destination(node, bits);
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
  double log_miss_ = 0;
  Tick cycle_ = 1;
  Tick longest_gap_ = most_gap;  ///< cycles; longer than any run
  std::vector<Source> sources_;
  std::vector<Tick> generated_at_;  ///< of the packet to come, or of the first that waits; empty: queues are bounded
};

}  // namespace weft::workloads
