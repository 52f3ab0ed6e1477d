// What is counted of single links, pairs of nodes and packets where a run asks for it. Apart from the network, so that
// it is compiled once, and a run that does not ask pays a branch where it could be asked for.
#pragma once

#include <compare>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

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
  [[nodiscard]] bool any() const { return links || distances || pairs || events; }
};

/// Packets that a channel of a link has taken. Entities are those of the whole network.
struct LinkCount {
  u32 entity = 0, output = 0;
  u64 packets = 0;
  u64 busy = 0;  ///< ticks that they took; of machines with packets of any length, else 0
};

/// Packets delivered from a node to another.
struct PairCount {
  u32 from = 0, to = 0;
  u64 packets = 0;
  u64 latency = 0;  ///< sum over them, ticks from generation
};

/// Something that happened to a packet.
struct PacketEvent {
  enum class Kind : u32 { generated, injected, arrived, delivered, dropped };
  Tick tick = 0;   ///< when the simulation came to it: of a delivery, the tick behind the last phit's
  u32 entity = 0;  ///< of the whole network
  Kind kind = Kind::generated;
  u32 input = 0;         ///< queue of the entity: where the packet is, or was
  u32 from = 0, to = 0;  ///< nodes
  u32 unused = 0;
  Tick generated_at = 0;  ///< with `from`, `to` and the queue it was generated in, the name of a packet
  friend auto operator<=>(const PacketEvent&, const PacketEvent&) = default;
};

/// How many queues had how many packets, added up over the samples; [packets].
struct QueueSizes {
  std::vector<u64> transit, injection;
  static void add(std::vector<u64>& counts, std::size_t value) {
    if (value >= counts.size()) counts.resize(value + 1);
    ++counts[value];
  }
};

/// The details of one process.
class Details {
 public:
  explicit Details(DetailSettings settings) : settings_(std::move(settings)) {}
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
  /// A packet was consumed. `latency` in ticks.
  void delivered(u32 from, u32 to, u32 distance, Tick latency);
  /// Whether `tell` tells of the packets of a node.
  [[nodiscard]] bool tells_of(u32 from) const {
    return settings_.events && (settings_.event_sources.empty() || settings_.event_sources[from]);
  }
  /// Something has happened to a packet, whose source says whether it is to be told.
  void tell(const PacketEvent& event) {
    if (tells_of(event.from)) events_.push_back(event);
  }

  /// What the local links of settings().watched have taken, in their order; 0 for others.
  [[nodiscard]] std::vector<LinkCount> watched() const;
  /// Channels that took a packet, in the order of entities.
  [[nodiscard]] std::vector<LinkCount> links() const;
  [[nodiscard]] const std::vector<u64>& distances() const { return distances_; }
  /// In no order; none if there are more than settings().most_pairs.
  [[nodiscard]] std::vector<PairCount> pairs() const;
  [[nodiscard]] bool too_many_pairs() const { return too_many_pairs_; }
  /// What happened since this was last asked, in no order.
  [[nodiscard]] std::vector<PacketEvent> take_events();

 private:
  struct Pair {
    u64 packets = 0, latency = 0;
  };
  DetailSettings settings_;
  std::vector<u32> globals_;                   ///< [entity]
  std::vector<std::size_t> first_channel_{0};  ///< [entity], and the end of the last
  std::vector<u64> link_packets_, link_busy_;
  std::vector<std::pair<std::size_t, std::size_t>> watched_;  ///< in settings().watched, in link_packets_
  std::vector<u64> distances_;                                ///< [links]
  std::unordered_map<u64, Pair> pairs_;                       ///< by source and destination
  bool too_many_pairs_ = false;
  std::vector<PacketEvent> events_;
};

}  // namespace weft::models
