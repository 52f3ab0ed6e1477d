// Kernel "stencil": iterations of halo exchange and computing, as stencil codes do them.
// After the motifs Halo2D, Halo3D and Halo3D26 of Ember (Sandia's library of communication patterns, in SST): faces of
// a block of elements, with `corners` its edges and corners as well.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/offsets.hpp"

namespace weft::workloads {
namespace {

/// A task sends to all its neighbours, then waits for all; it computes after that, or, if both overlap, before it
/// waits. Tag: the place of the direction in which a message goes among those of its sender.
struct StencilPlan {
  Grid grid;
  u32 neighbours = 0;
  std::array<Offset, 26> offsets{};  ///< faces first
  std::array<u64, 8> bytes{};        ///< by the dimensions in which an offset is not 0, a bit each
  u64 computing = 0;
  bool overlap = false;
  u32 repetitions = 1;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * neighbours + 2; }
  u64 bytes_to(const Offset& offset) const {
    return bytes[(offset[0] != 0 ? 1 : 0) | (offset[1] != 0 ? 2 : 0) | (offset[2] != 0 ? 4 : 0)];
  }
  /// The place of the opposite direction.
  u32 opposite(u32 index) const {
    const u32 faces = 2 * grid.dimensions;
    return index < faces ? index ^ 1 : faces + (neighbours - 1 - index);
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot);
    if (step == neighbours) return overlap ? compute_op(computing) : Op{};
    if (step == 2 * neighbours + 1) return overlap ? Op{} : compute_op(computing);
    const bool sending = step < neighbours;
    const u32 index = sending ? step : step - neighbours - 1;
    const auto peer = neighbour_at(grid, task, offsets[index]);
    if (!peer) return {};
    return sending ? send_op(*peer, bytes_to(offsets[index]), index)
                   : receive_op(*peer, bytes_to(offsets[index]), opposite(index));
  }
};

bool has_block(const Parameters& keys) { return !keys.integers("block").empty(); }

/// Bytes of the messages in all dimensions of `mask`: width in those, the block's side in the others.
u64 halo_bytes(const KernelSpec& spec, const std::vector<i64>& block, u32 mask) {
  std::vector<i64> factors{spec.keys.integer("element_bytes")};
  for (u32 d = 0; d < block.size(); ++d)
    factors.push_back((mask >> d & 1) != 0 ? spec.keys.integer("width") : block[d]);
  return product_bytes(spec, factors, "workload.block");
}

/// Keys of blocks, where messages have message_bytes.
void check_no_block(const KernelSpec& spec) {
  for (const auto& [name, usual] : {std::pair{"width", 1}, std::pair{"element_bytes", 8}}) {
    if (spec.keys.integer(name) == usual) continue;
    throw ConfigError(fmt::format(
        "workload.{} has no effect without workload.block (messages have workload.message_bytes); remove it, or give "
        "for example block = {}",
        name,
        spec.dimensions == 1   ? "[64]"
        : spec.dimensions == 2 ? "[64, 64]"
                               : "[64, 64, 64]"));
  }
}

std::unique_ptr<Program> make_stencil(const KernelSpec& spec) {
  StencilPlan plan;
  plan.grid = task_grid(spec);
  plan.neighbours = spec.keys.flag("corners") ? all_offsets(spec.dimensions) : 2 * spec.dimensions;
  for (u32 index = 0; index < plan.neighbours; ++index) plan.offsets[index] = any_offset(spec.dimensions, index);
  plan.bytes.fill(spec.message_bytes);
  if (has_block(spec.keys)) {
    const std::vector<i64> block = sides_of(spec, "block", spec.dimensions, 1);
    for (u32 mask = 1; mask < u32{1} << spec.dimensions; ++mask) plan.bytes[mask] = halo_bytes(spec, block, mask);
    for (u32 d = 0; d < spec.dimensions; ++d) {
      if (spec.keys.integer("width") <= block[d]) continue;
      throw ConfigError(
          fmt::format("workload.width = {} is more than a side of workload.block (a halo would reach beyond the "
                      "neighbour's block); use {} or less",
                      spec.keys.integer("width"), *std::ranges::min_element(block)));
    }
  } else {
    check_no_block(spec);
  }
  plan.computing = compute_ns(spec);
  plan.overlap = spec.keys.flag("overlap");
  plan.repetitions = spec.repetitions;
  return planned_program("stencil " + plan.grid.name(), spec.tasks, plan);
}

const bool stencil_registered = KernelRegistry::instance().add(
    "stencil",
    {.help = "iterations of halo exchange and computing; tasks: any shape of 1 to 3 dimensions",
     .make = make_stencil,
     .dimensions = {2, 1, 3},
     .wrap = true,
     .settings = {kernel_row::compute_ns("computing in each iteration."), kernel_row::overlap(),
                  row::boolean("workload.corners", false, "edges and corners are exchanged as well as faces."),
                  kernel_row::block(
                      "elements of a task in each dimension; sizes of messages follow from it. Not given: "
                      "all messages have workload.message_bytes."),
                  kernel_row::width("how many elements deep halos are."),
                  kernel_row::element_bytes("size of an element.")},
     .own_sizes = has_block});

}  // namespace
}  // namespace weft::workloads
