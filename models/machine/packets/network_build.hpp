// Set-up of a Network's blocks, and the members that run once at the end of a run or for a report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/stop_look.hpp"
#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
void Network<Policy, Host>::build() {
  const bool direct = topology_.direct();
  describe_shapes();
  for (ShapeType& shape : shapes_) {
    shape.inputs = shape.channels + (shape.endpoint ? settings_.injection_queues : 0);
    if (shape.inputs > engine::BitSet<words>::capacity || shape.channels + 1 > engine::BitSet<words>::capacity) {
      throw ConfigError("a switch of " + std::to_string(shape.ports) + " ports with " +
                        std::to_string(settings_.virtual_channels) + " virtual channels has more than " +
                        std::to_string(engine::BitSet<words>::capacity - 1) +
                        " channels (the largest switch that can be simulated); use fewer ports or channels");
    }
    shape.queue_packets = settings_.queue_packets;
    shape.injection_capacity = settings_.injection_capacity;
    BlockType::lay_out_inputs(shape, policy_.extra_bytes());
  }
  std::size_t bytes = 0;
  const u32 entities = layout_.entities();
  if constexpr (Policy::one_shape) {
    shape_ = shapes_[0];
    bytes = static_cast<std::size_t>(shape_.bytes) * entities;
  } else {
    blocks_.resize(entities);
    for (u32 e = 0; e < entities; ++e) {
      const u64 shape = e < layout_.local_routers() ? topology_.kind(layout_.router(e)) : shapes_.size() - 1;
      blocks_[e] = bytes | shape;
      bytes += shapes_[shape].bytes;
    }
  }
  memory_.allocate(bytes);
  for (std::uintptr_t& block : blocks_) block += reinterpret_cast<std::uintptr_t>(memory_.get());
  for (u32 e = 0; e < entities; ++e) {
    engine::look_for_stop(e);
    if (e < layout_.local_routers()) {
      const RouterId router = layout_.router(e);
      build_entity(e, topology_.kind(router), router.value(), policy_.address(router), router);
    } else {
      const NodeId node = layout_.node(e);
      build_entity(e, static_cast<u32>(shapes_.size()) - 1, topology_.routers() + node.value(), node.value(),
                   topology_.router_of(node));
    }
  }
  large_ = memory_.bytes() > cached_bytes;
  huge_ = memory_.bytes() > shared_cached_bytes;
  immediate_consumption_ = settings_.multiple_consumption || !direct;
  if constexpr (Policy::knows_live_faults)
    slow_links_ = settings_.live_faults != nullptr && settings_.live_faults->slows_links();
  bubble_watch_ = policy_.watches_own_queues();
}

/// One shape for each kind of router, and the last for NICs.
template <class Policy, class Host>
void Network<Policy, Host>::describe_shapes() {
  if constexpr (!std::is_same_v<ShapeType, Shape>) {
    shapes_.emplace_back();
  } else {
    const bool direct = topology_.direct();
    if (topology_.kinds() + 1 > most_shapes) {
      throw ConfigError("a network of " + std::to_string(topology_.kinds()) + " kinds of routers has more than " +
                        std::to_string(most_shapes - 1) + " (the most that can be simulated); use fewer levels");
    }
    for (u32 kind = 0; kind < topology_.kinds(); ++kind) {
      Shape shape;
      shape.endpoint = direct;
      shape.ports = topology_.kind_ports(kind);
      shapes_.push_back(shape);
    }
    if (!direct) {
      Shape nic;
      nic.ports = 1;
      nic.endpoint = nic.nic = true;
      shapes_.push_back(nic);
    }
    std::size_t slots = 0;
    for (Shape& shape : shapes_) {
      shape.channels = shape.ports * settings_.virtual_channels;
      policy_.describe(shape, static_cast<u32>(&shape - shapes_.data()));
      lay_out_outputs<words>(shape, Policy::wants_count(shape));
      for (u32 c = static_cast<u32>(port_of_.size()); c < shape.channels; ++c) {
        port_of_.push_back(static_cast<u16>(c / settings_.virtual_channels));
      }
      slots += shape.channels + 1;
    }
    slot_of_.resize(slots);
    slots = 0;
    for (Shape& shape : shapes_) {
      shape.port_of = port_of_.data();
      shape.slot_of = slot_of_.data() + slots;
      for (u32 o = 0; o < shape.channels; ++o) slot_of_[slots++] = static_cast<u16>(policy_.slot(shape, o));
      slot_of_[slots++] = static_cast<u16>(shape.channels);
    }
  }
}

template <class Policy, class Host>
void Network<Policy, Host>::build_entity(u32 entity, u32 shape_ix, u32 global, u32 address, RouterId router) {
  const ShapeType& shape = shapes_[shape_ix];
  std::byte* const base = base_of(entity);
  std::memset(base, 0, shape.packets_at);  // packets are written before they are read: their pages may stay untouched
  const BlockType b{base, &shape};
  auto& head = *new (base) BlockHead<words>{};
  head.global = global;
  head.address = address;
  for (u32 i = 0; i < shape.inputs; ++i) new (&b.lane(i)) typename BlockType::Lane{};
  for (u32 o = 0; o <= shape.channels; ++o) {
    b.owner(o) = b.last_winner(o) = no_port<words>;
    head.free.set(o);
  }
  for (u32 p = 0; p < shape.ports; ++p) {
    OutputPort& port = *new (&b.port(p)) OutputPort{};
    const u32 channels = settings_.virtual_channels;
    Peer peer;
    if (shape.nic) {
      peer = {Peer::Kind::router, router.value(), topology_.port_of(NodeId(address))};
      port.link_ticks = settings_.link_ticks_of(topology_.node_link_class());
    } else {
      peer = topology_.peer(router, p);
      port.link_ticks = settings_.link_ticks_of(topology_.link_class(router, p));
    }
    if (peer.kind == Peer::Kind::node) peer.port = 0;
    if (peer.kind == Peer::Kind::none) {  // no free space there, ever
      for (u32 c = 0; c < channels; ++c) b.used(b.slot(p * channels + c)) = static_cast<u8>(settings_.queue_packets);
      continue;
    }
    port.peer = layout_.address(peer);
    port.arrive_base = static_cast<u16>(policy_.arrival_group(p, peer.port) * channels);
    port.credit_base = static_cast<u16>(policy_.credit_port(p, peer.port) * channels);
    for (u32 c = 0; c < channels; ++c) head.space.set(p * channels + c);
  }
}

template <class Policy, class Host>
u32 Network<Policy, Host>::pick_queue(const BlockType& b, const HostPacket& packet, u64 bits) const {
  const u32 queues = settings_.injection_queues, first = b.shape->channels, address = b.head().address;
  const auto shortest = [&] {
    const u32 start = engine::scale_to(engine::remix(bits, 7), queues);
    u32 best = start;
    for (u32 k = 1; k < queues; ++k) {
      const u32 q = (start + k) % queues;
      if (b.input(first + q).count < b.input(first + best).count) best = q;
    }
    return best;
  };
  u32 queue = 0;
  switch (settings_.injection) {
    case InjectionPolicy::shortest:
      queue = shortest();
      break;
    case InjectionPolicy::dor:
    case InjectionPolicy::dor_shortest:
      queue = policy_.direction_in_order(packet, address) % queues;
      if (settings_.injection == InjectionPolicy::dor_shortest &&
          b.input(first + queue).count >= settings_.injection_capacity) {
        queue = shortest();
      }
      break;
    case InjectionPolicy::shortest_profitable: {
      u32 least = ~u32{0};
      policy_.for_profitable(packet, address, [&](u32 direction) {
        const u32 q = direction % queues;
        if (b.input(first + q).count < least) {
          least = b.input(first + q).count;
          queue = q;
        }
      });
      break;
    }
    case InjectionPolicy::longest_path:
      queue = policy_.longest_direction(packet, address) % queues;
      break;
  }
  return queue;
}

template <class Policy, class Host>
void Network<Policy, Host>::set_injection(bool open, Tick now) {
  MachineStatistics::allow_injection(open, [&](u32 entity) {
    const BlockType b = block(entity);
    if (!b.shape->endpoint) return;
    b.set_injection_space();
    wake_at(b.head(), entity, now, now);
  });
}

template <class Policy, class Host>
void Network<Policy, Host>::save(u32 entity, std::byte* to) const {
  const BlockType b = block(entity);
  save_record(entity, {b.base, b.shape->bytes}, to);
  for (u32 p = 0; p < b.shape->ports; ++p) {
    std::memset(to + b.shape->ports_at + p * sizeof(OutputPort) + offsetof(OutputPort, peer), 0,
                sizeof(engine::Address));
  }
}

template <class Policy, class Host>
void Network<Policy, Host>::load(u32 entity, std::span<const std::byte> from) {
  const BlockType b = block(entity);
  std::vector<engine::Address> peers;
  for (u32 p = 0; p < b.shape->ports; ++p) peers.push_back(b.port(p).peer);
  load_record(entity, b.head().global, from, {b.base, b.shape->bytes});
  for (u32 p = 0; p < b.shape->ports; ++p) b.port(p).peer = peers[p];
  if constexpr (Policy::knows_live_faults) static_cast<void>(policy_.follow_sweeps());
}

template <class Policy, class Host>
void Network<Policy, Host>::count_details(Details& details) {
  details_ = &details;
  for (u32 e = 0; e < layout_.entities(); ++e) details.add_entity(block(e).head().global, block(e).shape->channels);
}

template <class Policy, class Host>
void Network<Policy, Host>::sample_queues(QueueSizes& sizes) const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->inputs; ++i) {
      const u32 channels = b.shape->channels, packets = b.input(i).count;
      if (i < channels) {
        sizes.see_transit(b.head().global, i, packets);
      } else {
        sizes.see_injection(b.head().global, i - channels, packets);
      }
    }
  }
}

template <class Policy, class Host>
std::vector<Blocked> Network<Policy, Host>::blocked() const {
  std::vector<Blocked> found;
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->inputs; ++i) {
      const auto& in = b.input(i);
      if (in.count == 0 || in.output != no_port<words>) continue;
      const Packet& packet = b.packet(i, in.head);
      const Peer wanted = policy_.wanted(b, i, topology_);
      found.push_back({b.head().global, i, wanted.id, wanted.port, policy_.decode(packet.to)});
    }
  }
  return found;
}

template <class Policy, class Host>
InFlight Network<Policy, Host>::in_flight(Tick now) const {
  InFlight found;
  const auto see = [&](const Packet& packet) { found.oldest_age = std::max(found.oldest_age, packet.age(now)); };
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->inputs; ++i) {
      const auto& in = b.input(i);
      (i < b.shape->channels ? found.network : found.queued) += in.count;
      const u32 capacity = i < b.shape->channels ? settings_.queue_packets : settings_.injection_capacity;
      for (u32 k = 0; k < in.count; ++k) see(b.packet(i, (in.head + k) % capacity));
    }
    // Who is on a link is still in the queue that it leaves, and is counted where it arrives.
    for (u32 o = 0; o < b.shape->channels; ++o) {
      if ((b.flags(b.slot(o)) & BlockType::sending) == 0) continue;
      --(b.owner(o) < b.shape->channels ? found.network : found.queued);
    }
  }
  kernel_->for_each_pending([&]<class Event>(Tick, const Event& event) {
    if constexpr (std::is_same_v<Event, Arrival>) {
      ++found.network;
      see(event.packet);
    }
  });
  return found;
}

template <class Policy, class Host>
void Network<Policy, Host>::check_drained() const {
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    for (u32 i = 0; i < b.shape->inputs; ++i) WEFT_ASSERT(b.input(i).count == 0);
    for (u32 o = 0; o < b.shape->channels; ++o) {
      const u32 slot = b.slot(o);
      WEFT_ASSERT(b.owner(o) == no_port<words> && (b.flags(slot) & BlockType::sending) == 0);
      const bool no_link =
          b.used(slot) == settings_.queue_packets && b.send_start(slot) == 0 && b.drain_base(slot) == 0;
      WEFT_ASSERT(no_link || b.used(slot) == ((b.flags(slot) & BlockType::draining) != 0 ? 1 : 0));
    }
    for (u32 p = 0; p < b.shape->ports; ++p) WEFT_ASSERT(b.port(p).granted == 0 && b.port(p).current == no_channel);
  }
}

}  // namespace weft::models
