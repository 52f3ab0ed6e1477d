// What is counted of single links, pairs of nodes and packets where a run asks for it. Apart from the network, so that
// it is compiled once, and a run that does not ask pays a branch where it could be asked for.
#pragma once

#include <compare>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "models/core/interval_counts.hpp"

namespace weft::models {

class Topology;

/// A channel of a link by its sender, of the whole network.
struct WatchedChannel {
  u32 entity = 0, output = 0;
};

/// What a run wants to know besides Statistics.
struct DetailSettings {
  bool links = false;                        ///< packets of each channel of each link
  bool distances = false;                    ///< histogram of the distances travelled
  bool pairs = false;                        ///< packets from each source to each destination
  bool events = false;                       ///< what happens to single packets
  u64 most_pairs = 0;                        ///< beyond so many, pairs are given up
  std::vector<bool> event_sources = {};      ///< nodes whose packets `events` are of, [node]; empty: all
  std::vector<WatchedChannel> watched = {};  ///< of `links`, those that are looked at while the run goes on
  bool departures = false;                   ///< `events` has those of packets that leave queues of links
  bool passages = false;                     ///< when each packet was injected and delivered
  Tick interval_ticks = 0;                   ///< of what is counted by interval; 0: nothing
  /// Ticks that a packet takes from or to a node at the rate at which loads are counted: of a packet on machines whose
  /// packets are all of a length, else of a cell.
  Tick unit_ticks = 1;
  const Topology* topology = nullptr;  ///< of `distances`: of how far packets have to go when they are injected
  [[nodiscard]] bool any() const { return links || distances || pairs || events || passages || interval_ticks != 0; }
};

/// Packets that a channel of a link has taken. Entities are those of the whole network.
struct LinkCount {
  u32 entity = 0, output = 0;
  u64 packets = 0;
  u64 busy = 0;  ///< ticks that they took; of machines with packets of any length, else 0
};

/// Packets from a node to another.
struct PairCount {
  u32 from = 0, to = 0;
  u64 packets = 0;   ///< delivered
  u64 latency = 0;   ///< sum over them, ticks from generation
  u64 injected = 0;  ///< packets
};

/// A packet has left its injection queue, or been consumed. `from`, `to` and `generated_at` are its name; packets of
/// one name are alike.
struct Passage {
  Tick tick = 0;  ///< of a delivery, the tick behind that of the last phit
  u32 delivered = 0;
  u32 from = 0, to = 0, unused = 0;
  Tick generated_at = 0;
  friend auto operator<=>(const Passage&, const Passage&) = default;
};

/// Something that happened to a packet.
struct PacketEvent {
  /// `lost`: dropped in the queue of its source; `left`: its header leaves the queue of a link.
  enum class Kind : u32 { generated, injected, arrived, left, delivered, dropped, lost };
  Tick tick = 0;   ///< when the simulation came to it: of a delivery, the tick behind the last phit's
  u32 entity = 0;  ///< of the whole network
  Kind kind = Kind::generated;
  u32 input = 0;          ///< queue of the entity: where the packet is, or was
  u32 from = 0, to = 0;   ///< nodes
  u32 cells = 0;          ///< of the packet, on machines with packets of any length
  Tick generated_at = 0;  ///< with `from`, `to` and the queue it was generated in, the name of a packet
  friend auto operator<=>(const PacketEvent&, const PacketEvent&) = default;
};

/// What was seen of one queue.
struct QueueCount {
  u32 entity = 0, queue = 0;  ///< of the whole network; number among its transit queues, or its injection queues
  u32 injection = 0;          ///< 1: the latter
  u32 most = 0;               ///< packets at a time
  u64 packets = 0;            ///< sum over the samples
};

/// How many queues had how many packets, added up over the samples; [packets]. And, where it is wanted, each by itself.
struct QueueSizes {
  std::vector<u64> transit, injection;
  std::vector<QueueCount> queues;  ///< in the order in which they are looked at
  bool one_by_one = false;

  /// Before each sample of the queues of a process.
  void begin() { at_ = 0; }
  void see_transit(u32 entity, u32 queue, std::size_t packets) {
    add(transit, packets);
    if (one_by_one) [[unlikely]]
      see({entity, queue, 0, static_cast<u32>(packets), packets});
  }
  void see_injection(u32 entity, u32 queue, std::size_t packets) {
    add(injection, packets);
    if (one_by_one) [[unlikely]]
      see({entity, queue, 1, static_cast<u32>(packets), packets});
  }

 private:
  static void add(std::vector<u64>& counts, std::size_t value) {
    if (value >= counts.size()) counts.resize(value + 1);
    ++counts[value];
  }
  void see(const QueueCount& now);

  std::size_t at_ = 0;
};

/// The details of one process.
class Details {
 public:
  explicit Details(DetailSettings settings) : settings_(std::move(settings)), intervals_(settings_.interval_ticks) {}
  [[nodiscard]] const DetailSettings& settings() const { return settings_; }

  /// Call for each local entity in turn, before anything is counted.
  void add_entity(u32 global, u32 channels);

  /// A link took a packet. `entity`: the local one.
  void started(u32 entity, u32 output) {
    if (settings_.links) ++link_packets_[first_channel_[entity] + output];
  }
  /// A link took a packet, in machines with packets of any length; `busy`: ticks that it takes.
  void started(u32 entity, u32 output, Tick busy) {
    started(entity, output);
    if (settings_.links) link_busy_[first_channel_[entity] + output] += busy;
  }
  /// It is one that Counters::link_starts counts, and is taken from tick `at` on.
  void taken(Tick at, Tick busy) {
    if (intervals_.used()) intervals_.link(at, busy);
  }
  /// A packet was consumed. `latency` in ticks.
  void delivered(u32 from, u32 to, u32 distance, Tick latency);
  /// Something has happened to a packet, whose source says whether it is to be told. `latency`: of those delivered,
  /// ticks from generation.
  void tell(const PacketEvent& event, Tick latency = 0);

  /// What the local links of settings().watched have taken, in their order; 0 for others.
  [[nodiscard]] std::vector<LinkCount> watched() const;
  /// Channels that took a packet, in the order of entities.
  [[nodiscard]] std::vector<LinkCount> links() const;
  [[nodiscard]] const std::vector<u64>& distances() const { return distances_; }
  /// Histogram of the packets that were injected, by the links on minimal routes.
  [[nodiscard]] const std::vector<u64>& distances_ahead() const { return distances_ahead_; }
  /// In no order; none if there are more than settings().most_pairs.
  [[nodiscard]] std::vector<PairCount> pairs() const;
  [[nodiscard]] bool too_many_pairs() const { return too_many_pairs_; }
  /// What happened since this was last asked, in no order.
  [[nodiscard]] std::vector<PacketEvent> take_events();
  /// Likewise what was injected and delivered since.
  [[nodiscard]] std::vector<Passage> take_passages();
  /// By interval, from the begin of the process on.
  [[nodiscard]] const IntervalCounter& intervals() const { return intervals_; }

 private:
  struct Pair {
    u64 packets = 0, latency = 0, injected = 0;
  };
  [[nodiscard]] bool tells_of(const PacketEvent& event) const {
    return settings_.events && (settings_.event_sources.empty() || settings_.event_sources[event.from]) &&
           (event.kind != PacketEvent::Kind::left || settings_.departures);
  }
  /// Null if there are too many.
  [[nodiscard]] Pair* pair_of(u32 from, u32 to);
  void count_injected(const PacketEvent& event);
  void count_by_interval(const PacketEvent& event, Tick latency);

  DetailSettings settings_;
  IntervalCounter intervals_;
  std::vector<u32> globals_;                   ///< [entity]
  std::vector<std::size_t> first_channel_{0};  ///< [entity], and the end of the last
  std::vector<u64> link_packets_, link_busy_;
  std::vector<std::pair<std::size_t, std::size_t>> watched_;  ///< in settings().watched, in link_packets_
  std::vector<u64> distances_, distances_ahead_;              ///< [links]
  std::unordered_map<u64, Pair> pairs_;                       ///< by source and destination
  bool too_many_pairs_ = false;
  std::vector<PacketEvent> events_;
  std::vector<Passage> passages_;
};

}  // namespace weft::models
