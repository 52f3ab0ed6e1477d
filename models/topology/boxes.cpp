// Recursive bisection of a box of coordinates.
#include "models/topology/boxes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace weft::models {
namespace {

/// Coordinates [from, from + size) in each dimension.
struct Box {
  std::vector<u32> from, size;
  [[nodiscard]] u64 routers() const { return std::accumulate(size.begin(), size.end(), u64{1}, std::multiplies<>()); }
};

/// What lies on a side of a cut: another cut, or a part.
struct Half {
  u32 index = 0;
  bool is_part = false;
};

/// A cut before `plane` of the dimension whose coordinate is router / stride % extent.
struct Cut {
  u32 stride, extent, plane;
  Half half[2];
};

struct Cuts {
  std::vector<Cut> cuts;
  Half whole;  ///< the first cut, or the only part

  [[nodiscard]] u32 part_of(u32 router) const {
    Half at = whole;
    while (!at.is_part) {
      const Cut& cut = cuts[at.index];
      at = cut.half[router / cut.stride % cut.extent < cut.plane ? 0 : 1];
    }
    return at.index;
  }
};

class Bisection {
 public:
  Bisection(const CubeGeometry& cube, std::vector<Cut>& cuts) : cube_(cube), cuts_(cuts) {}

  /// Gives the routers of `box` to parts [first, first + parts). Nothing if that is impossible.
  std::optional<Half> share_out(const Box& box, u32 first, u32 parts) {
    if (parts == 1) return Half{first, true};
    const u32 low_parts = parts / 2;
    const Plane cut = best_cut(box, low_parts, parts - low_parts);
    if (cut.planes == 0) return {};
    const std::size_t d = cut.dimension;
    Box low = box, high = box;
    low.size[d] = cut.planes;
    high.from[d] += cut.planes;
    high.size[d] -= cut.planes;
    const auto below = share_out(low, first, low_parts), above = share_out(high, first + low_parts, parts - low_parts);
    if (!below || !above) return {};
    const auto begin = cube_.dims.begin();
    const u32 stride = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(d), 1U, std::multiplies<>());
    cuts_.push_back({stride, cube_.dims[d], high.from[d], {*below, *above}});
    return Half{static_cast<u32>(cuts_.size() - 1)};
  }

 private:
  struct Plane {
    std::size_t dimension = 0;
    u32 planes = 0;  ///< on the low side; 0: there is no cut
  };

  /// The cut that comes out most even, among those the one across the fewest links, and then across the longest
  /// dimension.
  [[nodiscard]] Plane best_cut(const Box& box, u32 low_parts, u32 high_parts) const {
    Plane best;
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
      const bool ring = cube_.wraps(static_cast<u32>(d)) && extent == cube_.dims[d];
      const std::tuple cost{imbalance, plane * (ring ? 2 : 1), ~extent};
      if (best.planes != 0 && cost >= least) continue;
      best = {d, low};
      least = cost;
    }
    return best;
  }

  const CubeGeometry& cube_;
  std::vector<Cut>& cuts_;
};

}  // namespace

PartOf box_partition(const CubeGeometry& cube, u32 parts) {
  const Box all{std::vector<u32>(cube.dims.size(), 0), cube.dims};
  auto cuts = std::make_shared<Cuts>();
  const auto whole = Bisection(cube, cuts->cuts).share_out(all, 0, parts);
  if (!whole) return {};
  cuts->whole = *whole;
  return [cuts](u32 router) { return cuts->part_of(router); };
}

}  // namespace weft::models
