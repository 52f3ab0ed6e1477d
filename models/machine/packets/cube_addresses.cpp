// Bit fields are laid out from dimension 0 up, each wide enough for the coordinates of its dimension.
#include "models/machine/packets/cube_addresses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "engine/base/error.hpp"

namespace weft::models {

CubeAddresses::CubeAddresses(const CubeGeometry& cube)
    : dimensions_(static_cast<u32>(cube.dims.size())), wraps_(cube.rings != 0) {
  u32 shift = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    const u32 bits = static_cast<u32>(std::bit_width(cube.dims[d] - 1));
    shift_[d] = bits == 0 ? 0 : shift;  // a field of 0 bits could sit at 32
    mask_[d] = static_cast<u32>((u64{1} << bits) - 1);
    size_[d] = cube.dims[d];
    around_[d] = cube.wraps(d) ? cube.dims[d] : endless;
    shift += bits;
    if (shift > Packet::address_bits) {
      throw ConfigError(
          fmt::format("topology.dims need more than {} bits of coordinates (each dimension is rounded up to a power of "
                      "two); use fewer "
                      "nodes or dimensions that are powers of two",
                      Packet::address_bits));
    }
  }
}

u32 CubeAddresses::encode(NodeId node) const {
  u32 rest = node.value(), address = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    address |= (rest % size_[d]) << shift_[d];
    rest /= size_[d];
  }
  return address;
}

u32 CubeAddresses::decode(u32 address) const {
  u32 node = 0;
  for (u32 d = dimensions_; d-- > 0;) node = node * size_[d] + coordinate(address, d);
  return node;
}

u32 CubeAddresses::hops(u32 from, u32 to, u32 d) const {
  const u32 a = coordinate(from, d), b = coordinate(to, d), gap = a > b ? a - b : b - a;
  return std::min(gap, around_[d] - gap);
}

u32 CubeAddresses::distance(u32 from, u32 to) const {
  u32 sum = 0;
  for (u32 d = 0; d < dimensions_; ++d) sum += hops(from, to, d);
  return sum;
}

u32 CubeAddresses::longest_direction(const Packet& packet, u32 place) const {
  u32 best = 0, most = 0;
  for (u32 left = profitable(packet, place); left != 0; left &= left - 1) {
    const u32 direction = static_cast<u32>(std::countr_zero(left)), to_go = hops(place, packet.to, direction / 2);
    if (to_go > most) {
      most = to_go;
      best = direction;
    }
  }
  return best;
}

}  // namespace weft::models
