// Kernel "lammps": time steps of molecular dynamics by spatial decomposition.
// Plimpton: Fast parallel algorithms for short-range molecular dynamics, Journal of Computational Physics 117(1), 1995:
// positions of atoms near the faces are swapped with the neighbours in x, then in y, then in z, each time with those
// that came before, so that six messages reach all 26 neighbours; forces on them come back the same way.
#include <algorithm>
#include <fmt/format.h>

#include "workloads/generator/kernel/composed_program.hpp"
#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {
namespace {

constexpr u32 swaps = 6;             // to -x, +x, -y, +y, -z, +z
constexpr i64 reals_of_an_atom = 3;  // position or force

/// Rounds are time steps: swaps of positions, computing, with `reverse` the swaps of forces backwards, and an allreduce
/// in every `reduction_steps`-th step. A swap: send, then wait for the one from the other side. Tag: the swap.
struct LammpsPlan {
  Grid grid;
  std::array<u64, 3> bytes{};  ///< of a swap, by dimension
  u64 computing = 0;
  bool reverse = true;
  u32 reduction_steps = 1, steps = 1;

  u32 rounds() const { return steps; }
  u64 slots() const { return (reverse ? 2 : 1) * u64{2} * swaps + 2; }
  Op swap(u32 task, u32 number, bool back, bool sending) const {
    const u32 dimension = number / 2, tag = number + (back ? swaps : 0);
    const int to = (number % 2 == 0) == back ? 1 : -1;
    return sending ? grid.send(task, dimension, to, bytes[dimension], tag)
                   : grid.receive(task, dimension, -to, bytes[dimension], tag);
  }
  Op op(u32 task, u32 round, u64 slot) const {
    const auto step = static_cast<u32>(slot);
    if (step < 2 * swaps) return swap(task, step / 2, false, step % 2 == 0);
    if (step == 2 * swaps) return compute_op(computing);
    if (slot + 1 == slots()) return (round + 1) % reduction_steps == 0 ? collective_op() : Op{};
    const u32 back = step - 2 * swaps - 1;
    return swap(task, swaps - 1 - back / 2, true, back % 2 == 0);
  }
};

std::unique_ptr<Program> make_lammps(const KernelSpec& spec) {
  constexpr i64 fallback = 32;
  const std::vector<i64> block = sides_of(spec, "block", 3, fallback);
  const i64 width = spec.keys.integer("width");
  if (const i64 least = *std::ranges::min_element(block); width > least) {
    throw ConfigError(
        fmt::format("workload.width = {} is more than a side of workload.block (atoms would go beyond the neighbour); "
                    "use {} or less",
                    width, least));
  }
  LammpsPlan plan;
  plan.grid = task_grid(spec);
  plan.grid.wrap = true;
  for (u32 d = 0; d < 3; ++d) {
    std::vector<i64> factors{width, reals_of_an_atom, spec.keys.integer("element_bytes")};
    for (u32 other = 0; other < 3; ++other) {
      if (other != d) factors.push_back(block[other] + (other < d ? 2 * width : 0));
    }
    plan.bytes[d] = product_bytes(spec, factors, "workload.block");
  }
  plan.computing = compute_ns(spec);
  plan.reverse = spec.keys.flag("reverse");
  plan.reduction_steps = static_cast<u32>(spec.keys.integer("reduction_steps"));
  plan.steps = spec.repetitions;
  return reducing_program("lammps " + plan.grid.name(), spec, plan);
}

const bool lammps_registered = KernelRegistry::instance().add(
    "lammps",
    {.help = "time steps of molecular dynamics: staged halo swaps of positions, and of forces backwards; tasks: any "
             "shape of 3 dimensions, periodic",
     .make = make_lammps,
     .dimensions = {3},
     .settings = {kernel_row::compute_ns("computing of forces in each step."),
                  kernel_row::block("atoms of a task in each dimension; 32 if not given."),
                  kernel_row::width("how many atoms deep halos are."),
                  kernel_row::element_bytes("size of a coordinate; an atom has three."),
                  row::boolean("workload.reverse", true, "forces on atoms of the halo are sent back (newton on)."),
                  row::integer("workload.reduction_steps", "steps", 10, {1, 1 << 30},
                               "an allreduce comes after so many steps."),
                  kernel_row::reduction(), kernel_row::reduction_bytes()},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
