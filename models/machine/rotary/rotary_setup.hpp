// A RotaryNetwork is set up, saved and restored, sampled for reports; its checks are in rotary_checks.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>

#include "engine/base/error.hpp"
#include "models/machine/rotary/rotary_network_class.hpp"
#include "models/topology/faulty.hpp"

namespace weft::models::rotary {

/// The lattice without its faults: what routes are worked out in. Throws ConfigError if faults cut nodes off: packets
/// to them would go round for ever.
[[nodiscard]] inline const Lattice& lattice_of(const Topology& topology) {
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  const auto* const faulty = dynamic_cast<const FaultyTopology*>(&topology);
  if (faulty != nullptr && !faulty->connectivity().connected()) {
    throw ConfigError(
        "faults cut nodes off from others (packets to them would go round in rotary routers for ever); "
        "name fewer links, or router.kind = \"bubble\", which drops such packets");
  }
  return *lattice;
}

template <class Host>
RotaryNetwork<Host>::RotaryNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout, Host& host)
    : Endpoints(topology, settings, layout),
      lattice_(lattice_of(topology)),
      record_(lattice_),
      circle_(lattice_.dimensions()),
      ring_(rings_of(settings)),
      most_in_ring_(most_in_ring(ring_, circle_.places())),
      most_entered_(ring_.rounds * circle_.places()),
      live_(settings.live_faults),
      parts_(live_ == nullptr ? nullptr : std::make_unique<KnownParts>(topology, *live_)),
      host_(host),
      shape_{circle_.places(), settings.queue_packets, settings.injection_capacity,
             ring_.buffer,     ring_.output,           sizeof(Packet)} {
  build();
}

template <class Host>
void RotaryNetwork<Host>::build() {
  static_assert(std::is_trivially_copyable_v<Packet> && alignof(Packet) <= alignof(RouterState));
  block_bytes_ = static_cast<u32>(shape_.bytes());
  const u32 entities = layout_.entities(), ports = circle_.places() - 1;
  memory_.allocate(std::size_t{block_bytes_} * entities);
  std::memset(memory_.get(), 0, memory_.bytes());
  peers_.resize(std::size_t{entities} * ports);
  if (live_ != nullptr)
    suspects_.emplace(topology_, *live_, layout_, ports, SuspectPorts::Ways{travel(), settings_.packet_ticks});
  for (u32 e = 0; e < entities; ++e) {
    const RouterId router = layout_.router(e);
    RouterState& s = *new (base_of(e)) RouterState{};
    s.global = router.value();
    for (u32 ring = 0; ring < rings; ++ring) s.free[ring] = circle_.places() * ring_.buffer;
    PortState& node = port(e, circle_.place(circle_.node()));
    node.there = topology_.works(NodeId(router.value())) ? 1 : 0;
    node.credits = node.there;
    for (u32 p = 0; p < ports; ++p) {
      const Peer peer = topology_.peer(router, p);
      if (peer.kind == Peer::Kind::none) continue;
      WEFT_ASSERT(peer.port == (p ^ 1U));
      peers_[e * ports + p] = layout_.address(peer);
      PortState& link = port(e, circle_.place(p));
      link.there = 1;
      link.credits = settings_.queue_packets;
    }
  }
}

template <class Host>
void RotaryNetwork<Host>::set_injection(bool open, Tick now) {
  MachineStatistics::allow_injection(open, [&](u32 entity) {
    if (state(entity).free_space.open(now)) wake_at(entity, now);
  });
}

template <class Host>
void RotaryNetwork<Host>::save(u32 entity, std::byte* to) const {
  save_record(entity, {base_of(entity), block_bytes_}, to);
}

template <class Host>
void RotaryNetwork<Host>::load(u32 entity, std::span<const std::byte> from) {
  load_record(entity, global_id(entity), from, {base_of(entity), block_bytes_});
  if (live_ == nullptr) return;
  static_cast<void>(parts_->update());
  suspects_->recall(entity);
}

template <class Host>
void RotaryNetwork<Host>::count_details(Details& details) {
  details_ = &details;
  for (u32 e = 0; e < layout_.entities(); ++e) details.add_entity(global_id(e), circle_.places() - 1);
}

/// Queues of links are input stages.
template <class Host>
void RotaryNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 p = 0; p + 1 < circle_.places(); ++p)
      sizes.see_transit(global_id(e), p, port(e, circle_.place(p)).in.count);
    sizes.see_injection(global_id(e), 0, port(e, circle_.place(circle_.node())).in.count);
  }
}

/// Packets in output stages that the far input stage has no place for.
template <class Host>
std::vector<Blocked> RotaryNetwork<Host>::blocked() const {
  std::vector<Blocked> found;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 p = 0; p + 1 < circle_.places(); ++p) {
      const u32 place = circle_.place(p);
      for (u32 ring = 0; ring < rings; ++ring) {
        const Fifo& out = port(e, place).out[ring];
        if (out.count == 0 || port(e, place).credits != 0) continue;
        const Peer far = lattice_.peer(RouterId(global_id(e)), p);
        found.push_back({global_id(e), p ^ 1U, far.id, far.port, out_packets(e, place, ring)[out.head].to});
      }
    }
  }
  return found;
}

template <class Host>
template <class F>
void RotaryNetwork<Host>::for_each_packet(u32 entity, F&& f) const {
  const auto all_of = [&](const Packet* packets, const Fifo& queue, u32 capacity, u32 place) {
    for (u32 k = 0; k < queue.count; ++k) f(packets[(queue.head + k) % capacity], place);
  };
  for (u32 place = 0; place < circle_.places(); ++place) {
    const PortState& p = port(entity, place);
    all_of(in_packets(entity, place), p.in, in_capacity(place), place);
    for (u32 ring = 0; ring < rings; ++ring) {
      all_of(out_packets(entity, place, ring), p.out[ring], ring_.output, nowhere);
      for (u32 lane = 0; lane < lanes; ++lane)
        all_of(lane_packets(entity, ring, place, lane), buffer(entity, ring, place).lane[lane].queue, ring_.buffer,
               nowhere);
    }
  }
}

template <class Host>
InFlight RotaryNetwork<Host>::in_flight(Tick now) const {
  InFlight found;
  const auto see = [&](const Packet& packet) { found.oldest_age = std::max(found.oldest_age, packet.age(now)); };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for_each_packet(e, [&](const Packet& packet, u32 place) {
      ++(place != nowhere && is_node(place) ? found.queued : found.network);
      see(packet);
    });
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival> || std::is_same_v<Event, Consumed>) {
      ++found.network;
      see(event.packet);
    }
  });
  return found;
}

}  // namespace weft::models::rotary
