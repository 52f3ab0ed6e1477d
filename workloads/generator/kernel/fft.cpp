// Kernel "fft": the transposes of a three-dimensional FFT by pencils, all-to-all in rows and in columns of the tasks.
// After the pencil decomposition of P3DFFT (Pekurovsky: P3DFFT: A framework for parallel computations of Fourier
// transforms in three dimensions, SIAM Journal on Scientific Computing 34(4), 2012) and Ember's motif FFT3D.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/kernel/grid.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"

namespace weft::workloads {
namespace {

/// Transforms along x, a transpose in each row, along y, a transpose in each column, along z; with the inverse back
/// again. In a transpose all tasks of a row (column) send to those behind it round the row, then wait for those before
/// it. Tag: the transpose.
struct FftPlan {
  Grid grid;
  std::array<u32, 3> points{1, 1, 1};
  u64 point_bytes = 1;
  u64 computing = 0;
  bool inverse = false;
  u32 repetitions = 1;

  u32 rounds() const { return repetitions; }
  u64 others(u32 dimension) const { return grid.sides[dimension] - u64{1}; }
  /// A transpose, and the transform before it.
  u64 slots_of(u32 dimension) const { return 2 * others(dimension) + 1; }
  u64 slots_forth() const { return slots_of(0) + slots_of(1) + 1; }
  u64 slots() const { return inverse ? 2 * slots_forth() : slots_forth(); }

  /// Bytes that `from` has for `to`, places in a row or column, in the transpose forth; `task` is one of the two.
  u64 bytes(u32 task, u32 dimension, u32 from, u32 to) const {
    const u32 row = grid.sides[0], column = grid.sides[1];
    const u64 count = dimension == 0 ? even_part(points[0], row, to) * even_part(points[1], row, from) *
                                           even_part(points[2], column, grid.place(task, 1))
                                     : even_part(points[0], row, grid.place(task, 0)) *
                                           even_part(points[1], column, to) * even_part(points[2], column, from);
    return count * point_bytes;
  }
  Op transpose(u32 task, u32 dimension, bool back, u64 step) const {
    const u32 side = grid.sides[dimension], here = grid.place(task, dimension);
    const bool sending = step < others(dimension);
    const u64 distance = sending ? step + 1 : step - others(dimension) + 1;
    const auto there = static_cast<u32>((here + (sending ? distance : side - distance)) % side);
    const u32 peer = task - here * grid.stride(dimension) + there * grid.stride(dimension);
    const u32 tag = dimension + (back ? 2 : 0);
    // Back goes what came.
    const u64 size = sending != back ? bytes(task, dimension, here, there) : bytes(task, dimension, there, here);
    return sending ? send_op(peer, size, tag) : receive_op(peer, size, tag);
  }
  Op op(u32 task, u32, u64 slot) const {
    const bool back = slot >= slots_forth();
    u64 step = back ? slot - slots_forth() : slot;
    const u32 first = back ? 1 : 0;
    for (const u32 dimension : {first, 1 - first}) {
      if (step == 0) break;
      if (step < slots_of(dimension)) return transpose(task, dimension, back, step - 1);
      step -= slots_of(dimension);
    }
    return compute_op(computing);
  }
};

/// Every task has points in each of the three decompositions.
void check_points(const KernelSpec& spec, const Grid& grid, const std::vector<i64>& points) {
  const i64 row = grid.sides[0], column = grid.sides[1];
  const std::vector<i64> least{row, std::max(row, column), column};
  std::vector<i64> enough;
  for (u32 d = 0; d < 3; ++d) enough.push_back(std::max(points[d], least[d]));
  if (enough == points) return;
  throw ConfigError(
      fmt::format("workload.points = {} are too few for {} tasks of kernel \"{}\" (some would have none); use for "
                  "example points = {}",
                  list_text(points), grid.name(), spec.name, list_text(enough)));
}

std::unique_ptr<Program> make_fft(const KernelSpec& spec) {
  constexpr i64 fallback = 128;
  FftPlan plan;
  plan.grid = task_grid(spec);
  std::vector<i64> points = sides_of(spec, "points", 3, fallback);
  check_points(spec, plan.grid, points);
  std::ranges::copy(points, plan.points.begin());
  constexpr i64 reals = 2;
  const i64 element = reals * spec.keys.integer("element_bytes");
  plan.point_bytes = static_cast<u64>(element);
  const auto part = [](i64 count, u32 parts) { return (count - 1) / parts + 1; };  // the largest
  const u32 row = plan.grid.sides[0], column = plan.grid.sides[1];
  for (const u32 side : {row, column}) {
    if (side == 1) continue;
    const std::vector<i64> factors{part(points[0], row), part(points[1], side), part(points[2], column), element};
    static_cast<void>(product_bytes(spec, factors, "workload.points"));
  }
  plan.computing = compute_ns(spec);
  plan.inverse = spec.keys.flag("inverse");
  plan.repetitions = spec.repetitions;
  return planned_program("fft " + plan.grid.name(), spec.tasks, plan);
}

const bool fft_registered = KernelRegistry::instance().add(
    "fft", {.help = "transposes of a 3D FFT by pencils: all-to-all in rows, then in columns; tasks: any shape of 2 "
                    "dimensions",
            .make = make_fft,
            .dimensions = {2},
            .settings = {kernel_row::compute_ns("transforms along one dimension, before and after each transpose."),
                         row::integers("workload.points", "points", {1, 1 << 24},
                                       "of the whole grid in x, y and z; 128 in each if not given."),
                         kernel_row::element_bytes("of a real number; a point is a complex one, of two."),
                         row::boolean("workload.inverse", false, "the inverse transform follows, back the same way.")},
            .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
