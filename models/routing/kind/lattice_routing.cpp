// Directions of packets that are not in the network yet.
#include "models/routing/kind/lattice_routing.hpp"

#include "engine/base/error.hpp"
#include "models/topology/grid.hpp"

namespace weft::models {
namespace {

const Lattice& as_lattice(const Topology& topology) {
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  return *lattice;
}

/// Random bits, from 0 up, that say all there is to say of equally short paths; 0: they are more than those round
/// rings.
u32 directions_of_lattice(const Lattice& lattice) {
  const auto* const grid = dynamic_cast<const Grid*>(&lattice);
  if (grid == nullptr) return 0;
  const CubeGeometry& geometry = grid->geometry();
  bool ties = false;
  for (u32 d = 0; d < geometry.dims.size(); ++d)
    ties = ties || (geometry.wraps(d) && !geometry.one_way && geometry.dims[d] % 2 == 0);
  return ties ? ring_directions(lattice.dimensions()) : 1;
}

}  // namespace

LatticeRouting::LatticeRouting(const Topology& topology, u32 virtual_channels, RingTies ties)
    : lattice_(as_lattice(topology)),
      record_(lattice_),
      channels_(virtual_channels),
      ties_(std::move(ties)),
      beginnings_(directions_of_lattice(lattice_)) {}

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
