// How wide the fields must be.
#include "models/routing/packed_record.hpp"

#include <cstdlib>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::models {

PackedRecord::PackedRecord(const Lattice& lattice)
    : PackedRecord(lattice.dimensions(), lattice.longest_record(), lattice.name()) {}

PackedRecord::PackedRecord(u32 dimensions, u32 longest, const std::string& name)
    : dimensions_(dimensions), bits_(static_cast<u32>(std::bit_width(longest)) + 1), bias_(1 << (bits_ - 1)) {
  if (dimensions_ * bits_ <= 64) return;
  throw ConfigError(
      fmt::format("a {} needs {} bits for the hops of a packet in {} dimensions (at most 64); use fewer or "
                  "shorter dimensions",
                  name, dimensions_ * bits_, dimensions_));
}

u32 PackedRecord::longest(u64 word) const {
  u32 best = 0;
  i32 most = 0;
  for (u32 d = 0; d < dimensions_; ++d) {
    const i32 to_go = hops(word, d);
    if (std::abs(to_go) <= most) continue;
    most = std::abs(to_go);
    best = port(d, to_go);
  }
  return best;
}

}  // namespace weft::models
