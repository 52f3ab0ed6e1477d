// What happens to packets at the nodes of every machine: they come from a host, leave their queue for the network, and
// are handed to the host they are for.
#pragma once

#include <type_traits>

#include "engine/kernel.hpp"
#include "models/core/machine_statistics.hpp"
#include "models/core/packet.hpp"

namespace weft::models::endpoint {

/// Whether a host is worth compiling into one function with its network: unless it says that it is not.
template <class Host>
constexpr bool worth_one_loop() {
  if constexpr (requires { Host::one_loop; }) return Host::one_loop;
  return true;
}

/// The events of a machine with such a host: its own, then the host's. Hosts that act may ask for a tick by a Touch.
template <class Host, class... Own>
using EventsWith = std::conditional_t<Host::acts, engine::EventTypes<Own..., engine::Touch, typename Host::Event>,
                                      engine::EventTypes<Own..., typename Host::Event>>;

/// When a host is to be notified of free space in its node's queue: a packet of it was refused, and one has left
/// since, or injection has been opened. Plain bytes: checkpoints copy it.
class FreeSpace {
 public:
  /// The queue was full.
  void refuse() {
    if (notify_at_ == never) notify_at_ = owed;
  }
  /// A packet has left the queue: a host that was refused is notified at tick `at`. Whether it is.
  bool left(Tick at) {
    if (notify_at_ != owed) return false;
    notify_at_ = at;
    return true;
  }
  /// The host is to be notified at tick `at`, refused or not. False if it is notified earlier anyway.
  bool open(Tick at) {
    if (notify_at() != never) return false;
    notify_at_ = at;
    return true;
  }
  /// Never: the host need not be notified, or no packet has left yet.
  [[nodiscard]] Tick notify_at() const { return notify_at_ == owed ? never : notify_at_; }
  /// Whether the host has to be notified now; once.
  bool take(Tick now) {
    if (notify_at_ > now) return false;
    notify_at_ = never;
    return true;
  }

 private:
  static constexpr Tick owed = never - 1;
  Tick notify_at_ = never;
};

/// A packet at a node, in a tick.
struct AtNode {
  u32 entity, global;
  u32 queue;  ///< as reports number those of an entity
  Tick tick;
  u64 identity;   ///< of the packet, for the digest
  u32 cells = 0;  ///< on machines with packets of any length
};

/// Statistics of a machine with what its nodes do; `Numbers` decodes the addresses of its packets.
class Endpoints : public MachineStatistics {
 public:
  /// What is known of the path of a packet that has come.
  struct Travelled {
    Tick whole;    ///< when its last phit was consumed
    u32 distance;  ///< links, those of nodes in indirect networks included
    u32 hops;      ///< those of them between routers
  };

 protected:
  using MachineStatistics::MachineStatistics;
  ~Endpoints() = default;

  /// The node has taken a packet of its host.
  template <class Packet, class Numbers = NodeNumbers>
  [[gnu::always_inline]] void record_generated(const AtNode& at, u32 place, const Packet& packet,
                                               const Numbers& numbers = {}) {
    count_generated(at.entity, at.cells);
    note(at.global, place, at.tick, at.identity);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::generated, at, packet, numbers);
  }

  /// Its header leaves the node's queue.
  template <class Packet, class Numbers = NodeNumbers>
  [[gnu::always_inline]] void record_injected(const AtNode& at, const Packet& packet, const Numbers& numbers = {}) {
    record_injection(at.tick, packet.age(at.tick), at.cells);
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::injected, at, packet, numbers);
  }

  /// Records a packet that has come, and hands it over.
  template <class Net, class Packet, class Numbers = NodeNumbers>
  [[gnu::always_inline]] void hand_over(Net& net, typename Net::HostType& host, const AtNode& at, const Travelled& path,
                                        const Packet& packet, const Numbers& numbers = {}) {
    const Tick latency = packet.age(path.whole);
    record_delivery({.entity = at.entity,
                     .at = path.whole,
                     .latency = latency,
                     .distance = path.distance,
                     .hops = path.hops,
                     .cells = at.cells});
    note(at.global, Place::delivery, at.tick, at.identity);
    if (details_ != nullptr) [[unlikely]] {
      details_->delivered(numbers.decode(packet.from), numbers.decode(packet.to), path.distance, latency);
      tell(PacketEvent::Kind::delivered, at, packet, numbers, latency);
    }
    host.delivered(net, at.tick, path.whole, at.entity, packet);
  }

  /// A packet that is dropped counts for whom the host says that it is, where hosts do.
  template <class Host, class Packet>
  void count_drop(const Host& host, const Packet& packet) {
    if constexpr (requires { host.owner(packet); }) {
      const u32 owner = host.owner(packet);
      if (owner == no_owner) return;
      std::vector<u64>& counts = statistics_.dropped_of;
      if (counts.size() <= owner) counts.resize(std::size_t{owner} + 1);
      ++counts[owner];
    }
  }

  /// Tells the details what happens to a packet; `latency`: of one that has come.
  template <class Packet, class Numbers = NodeNumbers>
  [[gnu::noinline]] void tell(PacketEvent::Kind kind, const AtNode& at, const Packet& packet,
                              const Numbers& numbers = {}, Tick latency = 0) {
    details_->tell({at.tick, at.global, kind, at.queue, numbers.decode(packet.from), numbers.decode(packet.to),
                    at.cells, at.tick - packet.age(at.tick)},
                   latency);
  }
};

}  // namespace weft::models::endpoint
