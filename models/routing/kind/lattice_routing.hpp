// What plain routers of lattices share: the record of hops in the packet, used up on the way.
#pragma once

#include "models/routing/packed_record.hpp"
#include "models/routing/ring_ties.hpp"
#include "models/routing/routing.hpp"

namespace weft::models {

/// Keeps the hops to go in RouteState::word, and knows the directions that injection queues go by.
class LatticeRouting : public Routing {
 public:
  explicit LatticeRouting(const Topology& topology, u32 virtual_channels, RingTies ties = {});

  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const override {
    state.set_word(record_.pack(lattice_.record(from, to, ties_.of(bits, from.value(), to.value()))));
  }
  /// The ways round rings of grids; other lattices draw from whole routes.
  [[nodiscard]] u32 beginnings(NodeId /*from*/, NodeId /*to*/) const override { return beginnings_; }
  void leave(RouteState& state, const QueuePlace& /*at*/, u32 port, u32 /*channel*/) const override {
    state.set_word(record_.after(state.word(), port));
  }
  [[nodiscard]] u32 first_port(NodeId from, NodeId to, u64 bits) const override;
  [[nodiscard]] u32 longest_port(NodeId from, NodeId to, u64 bits) const override;
  [[nodiscard]] u64 profitable_ports(NodeId from, NodeId to, u64 bits) const override;

 protected:
  [[nodiscard]] u32 output(u32 port, u32 channel) const { return port * channels_ + channel; }
  [[nodiscard]] const PackedRecord& record() const { return record_; }
  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] u32 channels() const { return channels_; }
  /// Port of dimension order of a packet that has not arrived.
  [[nodiscard]] u32 port_in_order(const PacketOnRoute& packet) const {
    return static_cast<u32>(std::countr_zero(record_.profitable(packet.state.word())));
  }

 private:
  const Lattice& lattice_;
  PackedRecord record_;
  u32 channels_;
  RingTies ties_;
  u32 beginnings_;
};

}  // namespace weft::models
