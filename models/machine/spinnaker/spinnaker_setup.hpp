// A SpinnakerNetwork is set up, saved and restored, sampled for reports; its checks are in spinnaker_checks.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>

#include "engine/base/error.hpp"
#include "models/machine/spinnaker/spinnaker_network_class.hpp"

namespace weft::models::spinnaker {

/// The lattice without its faults: what routes are worked out in.
[[nodiscard]] inline const Lattice& lattice_of(const Topology& topology) {
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr && lattice->ports(RouterId(0)) == links);
  return *lattice;
}

template <class Host>
SpinnakerNetwork<Host>::SpinnakerNetwork(const Topology& topology, const RouterSettings& settings, Layout& layout,
                                         Host& host)
    : Endpoints(topology, settings, layout),
      lattice_(lattice_of(topology)),
      record_(lattice_),
      patience_(patience_of(settings)),
      reinjection_(reinjection_of(settings)),
      live_(settings.live_faults),
      host_(host) {
  if (is_multicast(settings)) {
    if constexpr (!std::is_same_v<HostPacket, models::Packet>) {
      throw ConfigError(
          "router.routing = \"multicast\" sends each packet to all targets of its source (messages of tasks have "
          "one destination each); use synthetic traffic or another routing");
    }
    tables_ = std::make_unique<MulticastTables>(topology, settings, layout);
  }
  build();
}

template <class Host>
void SpinnakerNetwork<Host>::build() {
  static_assert(std::is_trivially_copyable_v<Packet> && alignof(Packet) <= alignof(RouterState));
  const BlockShape shape{settings_.queue_packets, settings_.injection_capacity, sizeof(Packet), reinjection_.packets};
  block_bytes_ = static_cast<u32>(shape.bytes());
  monitor_at_ = static_cast<u32>(shape.monitor_at());
  const u32 entities = layout_.entities();
  memory_.allocate(std::size_t{block_bytes_} * entities);
  std::memset(memory_.get(), 0, memory_.bytes());
  peers_.resize(std::size_t{entities} * links);
  if (live_ != nullptr)
    suspects_.emplace(topology_, *live_, layout_, links, SuspectPorts::Ways{travel(), settings_.packet_ticks});
  for (u32 e = 0; e < entities; ++e) {
    const RouterId router = layout_.router(e);
    RouterState& s = *new (base_of(e)) RouterState{};
    s.global = router.value();
    s.credits[local] = topology_.works(NodeId(router.value())) ? 1 : 0;
    for (u32 p = 0; p < links; ++p) {
      const Peer peer = topology_.peer(router, p);
      if (peer.kind == Peer::Kind::none) continue;
      WEFT_ASSERT(peer.port == opposite(p));
      peers_[e * links + p] = layout_.address(peer);
      s.credits[p] = static_cast<u8>(settings_.queue_packets);
    }
  }
}

template <class Host>
void SpinnakerNetwork<Host>::set_injection(bool open, Tick now) {
  MachineStatistics::allow_injection(open, [&](u32 entity) {
    if (state(entity).free_space.open(now)) wake_at(entity, now);
  });
}

template <class Host>
void SpinnakerNetwork<Host>::save(u32 entity, std::byte* to) const {
  save_record(entity, {base_of(entity), block_bytes_}, to);
}

template <class Host>
void SpinnakerNetwork<Host>::load(u32 entity, std::span<const std::byte> from) {
  load_record(entity, global_id(entity), from, {base_of(entity), block_bytes_});
  if (suspects_) suspects_->recall(entity);
}

template <class Host>
void SpinnakerNetwork<Host>::count_details(Details& details) {
  details_ = &details;
  for (u32 e = 0; e < layout_.entities(); ++e) details.add_entity(global_id(e), links);
}

template <class Host>
void SpinnakerNetwork<Host>::sample_queues(QueueSizes& sizes) const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    for (u32 i = 0; i < links; ++i) sizes.see_transit(global_id(e), i, state(e).count[i]);
    sizes.see_injection(global_id(e), 0, state(e).count[injection]);
  }
}

/// Packets in engines: whoever waits behind them waits for them.
template <class Host>
std::vector<Blocked> SpinnakerNetwork<Host>::blocked() const {
  std::vector<Blocked> found;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const RouterState& s = state(e);
    if (s.pending == 0) continue;
    const u32 output = static_cast<u32>(std::countr_zero(s.pending));
    const Peer far =
        output == local ? Peer{Peer::Kind::node, s.global, injection} : lattice_.peer(RouterId(s.global), output);
    found.push_back({s.global, s.input, far.id, far.port, engine_packet(e).to});
  }
  return found;
}

template <class Host>
InFlight SpinnakerNetwork<Host>::in_flight(Tick now) const {
  InFlight found;
  const auto see = [&](const Packet& packet) { found.oldest_age = std::max(found.oldest_age, packet.age(now)); };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const RouterState& s = state(e);
    for (u32 i = 0; i < ends; ++i) {
      (i == injection ? found.queued : found.network) += s.count[i];
      for (u32 k = 0; k < s.count[i]; ++k) see(queue(e, i)[(s.head[i] + k) % capacity(i)]);
    }
    if (reinjection_.any()) {
      const MonitorState& m = monitor_of(e);
      for (u32 k = 0; k < m.count; ++k) {
        const Packet& packet = kept(e)[(m.head + k) % reinjection_.packets];
        found.network += static_cast<u64>(std::popcount(packet.state.spare));
        see(packet);
      }
    }
    if (s.pending == 0) continue;
    found.network += static_cast<u64>(std::popcount(s.pending));
    see(engine_packet(e));
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival> || std::is_same_v<Event, Consumed>) {
      ++found.network;
      see(event.packet);
    }
  });
  return found;
}

}  // namespace weft::models::spinnaker
