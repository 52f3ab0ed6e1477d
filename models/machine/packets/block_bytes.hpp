// What the blocks of a network take, laid out as a Network does it, without being allocated.
#pragma once

#include <array>

#include "models/core/packet.hpp"
#include "models/machine/packets/block.hpp"
#include "models/machine/packets/policy.hpp"

namespace weft::models {

/// Bytes of the block of a router of this kind, or (shape.nic) of a NIC; ports and endpoint must be set.
template <class Policy, class HostPacket>
u64 block_bytes(const Policy& policy, Shape shape, u32 kind, const RouterSettings& settings) {
  shape.channels = shape.ports * settings.virtual_channels;
  shape.inputs = shape.channels + (shape.endpoint ? settings.injection_queues : 0);
  shape.queue_packets = settings.queue_packets;
  shape.injection_capacity = settings.injection_capacity;
  policy.describe(shape, kind);
  lay_out_outputs<Policy::words>(shape, policy.wants_count(shape));
  using Travelling = PacketWith<HostPacket, typename Policy::State>;
  Block<Policy::words, typename Policy::Route, Travelling>::lay_out_inputs(shape, policy.extra_bytes());
  return shape.bytes;
}

/// As long as the packets of tasks (workloads::ProgramPacket).
struct PacketOfAMessage : Packet {
  std::array<u32, 7> message;
};

/// Bytes of all blocks of a network and of what is kept beside them, all processes together, with packets of so many
/// bytes.
template <class Policy>
u64 network_bytes_of(const Policy& policy, const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  /// Marks, ids and links of an entity, its events in the wheels, its source: measured.
  constexpr u64 beside_a_block = 200;
  const auto one = [&](const Shape& shape, u32 kind) {
    return beside_a_block + (packet_bytes == sizeof(Packet)
                                 ? block_bytes<Policy, Packet>(policy, shape, kind, settings)
                                 : block_bytes<Policy, PacketOfAMessage>(policy, shape, kind, settings));
  };
  u64 bytes = 0;
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    Shape shape;
    shape.ports = topology.kind_ports(kind);
    shape.endpoint = topology.direct();
    bytes += topology.kind_routers(kind) * one(shape, kind);
  }
  if (topology.direct()) return bytes;
  Shape nic;
  nic.ports = 1;
  nic.endpoint = nic.nic = true;
  return bytes + topology.nodes() * one(nic, topology.kinds());
}

}  // namespace weft::models
