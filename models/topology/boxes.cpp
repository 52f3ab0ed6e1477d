// Recursive bisection of a box of coordinates.
#include "models/topology/boxes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace weft::models {
namespace {

/// Coordinates [from, from + size) in each dimension.
struct Box {
  std::vector<u32> from, size;
  [[nodiscard]] u64 routers() const { return std::accumulate(size.begin(), size.end(), u64{1}, std::multiplies<>()); }
};

class Bisection {
 public:
  Bisection(const CubeGeometry& cube, std::vector<u32>& part) : cube_(cube), part_(part) {}

  /// Gives the routers of `box` to parts [first, first + parts). False if that is impossible.
  bool share_out(const Box& box, u32 first, u32 parts) {
    if (parts == 1) {
      mark(box, first);
      return true;
    }
    const u32 low_parts = parts / 2;
    const Cut cut = best_cut(box, low_parts, parts - low_parts);
    if (cut.planes == 0) return false;
    Box low = box, high = box;
    low.size[cut.dimension] = cut.planes;
    high.from[cut.dimension] += cut.planes;
    high.size[cut.dimension] -= cut.planes;
    return share_out(low, first, low_parts) && share_out(high, first + low_parts, parts - low_parts);
  }

 private:
  struct Cut {
    std::size_t dimension = 0;
    u32 planes = 0;  ///< on the low side; 0: there is no cut
  };

  /// The cut that comes out most even, among those the one across the fewest links, and then across the longest dimension.
  [[nodiscard]] Cut best_cut(const Box& box, u32 low_parts, u32 high_parts) const {
    Cut best;
    std::tuple<u64, u64, u32> least;
    const u32 parts = low_parts + high_parts;
    for (std::size_t d = 0; d < box.size.size(); ++d) {
      const u32 extent = box.size[d];
      const u64 plane = box.routers() / extent;
      const u32 low = static_cast<u32>((u64{extent} * low_parts + parts / 2) / parts), high = extent - low;
      if (low == 0 || high == 0 || low * plane < low_parts || high * plane < high_parts) continue;
      const double even = static_cast<double>(extent) / parts;
      // In millionths, so that rounding decides nothing.
      const u64 imbalance =
          static_cast<u64>(1e6 * std::max(low / (even * low_parts), high / (even * high_parts)) + 0.5);
      const bool ring = cube_.wraps && extent == cube_.dims[d];
      const std::tuple cost{imbalance, plane * (ring ? 2 : 1), ~extent};
      if (best.planes != 0 && cost >= least) continue;
      best = {d, low};
      least = cost;
    }
    return best;
  }

  void mark(const Box& box, u32 part) {
    std::vector<u32> at = box.from;
    for (u64 left = box.routers(); left > 0; --left) {
      u32 router = 0;
      for (std::size_t d = at.size(); d-- > 0;) router = router * cube_.dims[d] + at[d];
      part_[router] = part;
      for (std::size_t d = 0; d < at.size() && ++at[d] == box.from[d] + box.size[d]; ++d) at[d] = box.from[d];
    }
  }

  const CubeGeometry& cube_;
  std::vector<u32>& part_;
};

}  // namespace

std::vector<u32> box_partition(const CubeGeometry& cube, u32 parts) {
  const Box all{std::vector<u32>(cube.dims.size(), 0), cube.dims};
  std::vector<u32> part(all.routers());
  if (!Bisection(cube, part).share_out(all, 0, parts)) return {};
  return part;
}

}  // namespace weft::models
