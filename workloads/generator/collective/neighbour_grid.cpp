// The operations neighbour-allgather and neighbour-alltoall: MPI's neighbourhood collectives on a Cartesian grid.
#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {
namespace {

/// The grid of workload.shape, else the most nearly square one in two dimensions.
Grid grid_of(const CollectiveSpec& spec) {
  Grid grid;
  grid.wrap = spec.wrap;
  std::vector<i64> shape = spec.shape;
  const std::vector<u32> usual = nearest_square_factors(spec.tasks, 2);
  if (shape.empty()) shape.assign(usual.begin(), usual.end());
  if (shape.size() > Grid::most_dimensions) {
    throw ConfigError(fmt::format("workload.shape has {} dimensions for {} (a grid of tasks); give {} at most",
                                  shape.size(), spec.operation, Grid::most_dimensions));
  }
  u64 tasks = 1;
  for (const i64 side : shape) tasks = std::min<u64>(tasks * static_cast<u64>(side), u64{1} << 32);
  if (tasks != spec.tasks) {
    throw ConfigError(
        fmt::format("workload.shape = [{}] does not fit the {} tasks (of a communicator); give sides whose product is "
                    "{}, such as [{}]",
                    fmt::join(shape, ", "), spec.tasks, spec.tasks, fmt::join(usual, ", ")));
  }
  grid.dimensions = static_cast<u32>(shape.size());
  for (u32 d = 0; d < grid.dimensions; ++d) grid.sides[d] = static_cast<u32>(shape[d]);
  return grid;
}

bool are_neighbours(const CollectiveSpec& spec, u32 one, u32 other) {
  const Grid grid = grid_of(spec);
  for (u32 d = 0; d < grid.dimensions; ++d) {
    if (grid.neighbour(one, d, -1) == other || grid.neighbour(one, d, 1) == other) return true;
  }
  return false;
}

/// Sends to all neighbours, -x, +x, -y, +y ..., then receives from them in that order. The tag is the direction of the
/// message: on a torus, both neighbours along a side of 2 are the same task, which gets two.
struct NeighboursPlan {
  Grid grid;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{4} * grid.dimensions; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 ways = 2 * grid.dimensions, way = static_cast<u32>(slot) % ways;
    const int step = way % 2 == 0 ? -1 : 1;
    if (slot < ways) return grid.send(task, way / 2, step, bytes, way);
    return grid.receive(task, way / 2, step, bytes, way ^ 1U);
  }
};

std::unique_ptr<Program> make_neighbours(const CollectiveSpec& spec) {
  const Grid grid = grid_of(spec);
  return planned_program(fmt::format("{}, {}", collective_name(spec), grid.name()), spec.tasks,
                         NeighboursPlan{.grid = grid, .bytes = spec.message_bytes, .repetitions = spec.repetitions});
}

const bool neighbour_allgather_registered = OperationRegistry::instance().add(
    "neighbour-allgather", {.help = "each gets what its neighbours on a grid have (MPI_Neighbor_allgather)",
                            .before = Pieces::own,
                            .after_on_grid = [](const DataPiece& piece, u32 task, const CollectiveSpec& spec) {
                              return are_neighbours(spec, piece.origin, task);
                            }});

const bool neighbour_alltoall_registered = OperationRegistry::instance().add(
    "neighbour-alltoall", {.help = "each has a piece of its own for each neighbour on a grid (MPI_Neighbor_alltoall)",
                           .before = Pieces::own,
                           .to_each = true,
                           .after_on_grid = [](const DataPiece& piece, u32 task, const CollectiveSpec& spec) {
                             return piece.target == task && are_neighbours(spec, piece.origin, task);
                           }});

const std::string neighbours_help =
    "send to all neighbours, -x, +x, -y ..., then receive from all (MPICH, Open MPI: linear); any number of tasks";

const bool neighbour_allgather_linear_registered = add_collective(
    {.operation = "neighbour-allgather",
     .algorithm = "linear",
     .help = neighbours_help,
     .make = make_neighbours,
     .is_default = true,
     .carries = [](const CollectiveKind::Message& m, const DataPiece& p) { return p.origin == m.from; }});

const bool neighbour_alltoall_linear_registered = add_collective({.operation = "neighbour-alltoall",
                                                                  .algorithm = "linear",
                                                                  .help = neighbours_help,
                                                                  .make = make_neighbours,
                                                                  .is_default = true});

}  // namespace
}  // namespace weft::workloads
