// Directions of packets that are not in the network yet.
#include "models/router/lattice_routing.hpp"

#include "engine/error.hpp"

namespace weft::models {
namespace {

const Lattice& as_lattice(const Topology& topology) {
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  return *lattice;
}

}  // namespace

LatticeRouting::LatticeRouting(const Topology& topology, u32 virtual_channels, RingTies ties)
    : lattice_(as_lattice(topology)), record_(lattice_), channels_(virtual_channels), ties_(std::move(ties)) {}

u32 LatticeRouting::first_port(NodeId from, NodeId to, u64 bits) const {
  const u32 ports = static_cast<u32>(profitable_ports(from, to, bits));
  return ports == 0 ? 0 : static_cast<u32>(std::countr_zero(ports));
}
u32 LatticeRouting::longest_port(NodeId from, NodeId to, u64 bits) const {
  return record_.longest(record_.pack(lattice_.record(from, to, ties_.of(bits, from.value(), to.value()))));
}
u64 LatticeRouting::profitable_ports(NodeId from, NodeId to, u64 bits) const {
  return record_.profitable(record_.pack(lattice_.record(from, to, ties_.of(bits, from.value(), to.value()))));
}

}  // namespace weft::models
