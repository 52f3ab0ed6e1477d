// Kernel "milc": conjugate gradients of lattice QCD with staggered fermions, on a lattice in 4 dimensions.
// Bernard et al.: Studying quarks and gluons on MIMD parallel computers, International Journal of Supercomputer
// Applications 5(4), 1991; the MILC collaboration's code (ks_congrad): even and odd sites in turn, two sums in an
// iteration. As in SWM's milc.
#include <algorithm>
#include <fmt/format.h>

#include "workloads/generator/kernel/composed_program.hpp"
#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {
namespace {

constexpr u32 lattice_dimensions = 4;
constexpr i64 reals_of_a_site = 6;  // a colour vector: three complex numbers

/// Rounds are iterations: twice (odd sites from even ones, even ones from odd ones) send to the 8 neighbours, receive
/// from them, compute; then two allreduces. Tag: half and direction.
struct MilcPlan {
  Grid grid;
  std::array<u64, lattice_dimensions> bytes{};  ///< half of the sites of a face
  u64 computing = 0;
  u32 iterations = 1;

  static constexpr u32 directions = 2 * lattice_dimensions;
  static constexpr u64 slots_of_half = u64{2} * directions + 1;
  u32 rounds() const { return iterations; }
  u64 slots() const { return 2 * slots_of_half + 2; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot >= 2 * slots_of_half) return collective_op();
    const auto half = static_cast<u32>(slot / slots_of_half), step = static_cast<u32>(slot % slots_of_half);
    if (step == 2 * directions) return compute_op(computing);
    const u32 direction = step % directions, dimension = direction / 2, tag = half * directions;
    const int to = direction % 2 == 0 ? 1 : -1;
    return step < directions ? grid.send(task, dimension, to, bytes[dimension], tag + direction)
                             : grid.receive(task, dimension, to, bytes[dimension], tag + (direction ^ 1));
  }
};

std::unique_ptr<Program> make_milc(const KernelSpec& spec) {
  constexpr i64 fallback = 8;
  const std::vector<i64> block = sides_of(spec, "block", lattice_dimensions, fallback);
  const i64 width = spec.keys.integer("width");
  if (const i64 least = *std::ranges::min_element(block); width > least) {
    throw ConfigError(
        fmt::format("workload.width = {} is more than a side of workload.block (a halo would reach beyond the "
                    "neighbour's block); use {} or less",
                    width, least));
  }
  MilcPlan plan;
  plan.grid = task_grid(spec);
  plan.grid.wrap = true;
  const i64 site = reals_of_a_site * spec.keys.integer("element_bytes");
  for (u32 d = 0; d < lattice_dimensions; ++d) {
    std::vector<i64> factors{width};
    for (u32 other = 0; other < lattice_dimensions; ++other) factors.push_back(other == d ? 1 : block[other]);
    const u64 sites = product_bytes(spec, factors, "workload.block");
    plan.bytes[d] = product_bytes(spec, {static_cast<i64>((sites + 1) / 2), site}, "workload.block");
  }
  plan.computing = compute_ns(spec);
  plan.iterations = spec.repetitions;
  return reducing_program("milc " + plan.grid.name(), spec, plan);
}

const bool milc_registered = KernelRegistry::instance().add(
    "milc",
    {.help = "conjugate gradients of lattice QCD: exchanges with 8 neighbours and two allreduces in each iteration; "
             "tasks: any shape of 4 dimensions, periodic",
     .make = make_milc,
     .dimensions = {lattice_dimensions},
     .settings = {kernel_row::compute_ns("computing after each of the two exchanges of an iteration."),
                  kernel_row::block("sites of a task in each dimension; 8 if not given."),
                  kernel_row::width("how many sites deep halos are: 3 for improved actions."),
                  kernel_row::element_bytes("size of a real number; a site has six."), kernel_row::reduction(),
                  kernel_row::reduction_bytes()},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
