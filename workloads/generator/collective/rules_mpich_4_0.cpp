// Rules "mpich-4.0": what MPICH 4.0.2 chooses where each task is on a node of its own.
#include <bit>

#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/collective/rules.hpp"

namespace weft::workloads {
namespace {

/// Its selection for communicators without a hierarchy (libmpich's generic table, MPIR_CVAR_DEVICE_COLLECTIVES=none).
/// Operations that do not commute are no built-in ones.
std::optional<CollectiveChoice> mpich_choice(const CollectiveSpec& spec) {
  const u64 bytes = spec.message_bytes, total = bytes * spec.tasks;
  const bool power = std::has_single_bit(spec.tasks);
  const auto& operation = spec.operation;
  const auto take = [](const char* algorithm) { return CollectiveChoice{algorithm}; };
  if (operation == "broadcast") {
    if (spec.tasks < 8 || bytes <= 12288) return take("binomial-halving");
    return take(power && bytes <= 524288 ? "scatter-doubling" : "scatter-allgather");
  }
  const bool cuts = spec.commutative && bytes >= std::bit_floor(spec.tasks);
  if (operation == "reduce") return take(bytes > 2048 && cuts ? "reduce-scatter-gather" : "binomial");
  if (operation == "allreduce") return take(bytes > 8 && cuts ? "reduce-scatter-allgather" : "recursive-doubling");
  if (operation == "allgather") {
    if (power) return take(total < 524288 ? "recursive-doubling" : "ring");
    return take(total < 81920 ? "bruck" : "ring");
  }
  if (operation == "all-to-all") {
    if (bytes > 32768) return take("pairwise");
    return take(spec.tasks > 8 && bytes <= 256 ? "bruck" : "linear");
  }
  if (operation == "allgatherv") {
    const u64 all = bytes_of_all(spec);
    if (power && all < 524288) return take("recursive-doubling");
    return take(all < 81920 ? "bruck" : "segmented-ring");
  }
  if (operation == "all-to-allv" || operation == "all-to-allw") return take("scattered");
  if (operation == "gatherv" || operation == "scatterv") return take("linear");
  if (operation == "reduce-scatter" || operation == "reduce-scatter-block") {
    if (spec.commutative) return take(total < 524288 ? "recursive-halving" : "pairwise");
    return take(power ? "mirrored-halving" : "recursive-doubling");
  }
  if (operation == "gather" || operation == "scatter") return take("binomial");
  if (operation == "scan" || operation == "exscan") return take("recursive-doubling");
  if (operation == "barrier") return take("dissemination");
  return {};
}

const bool mpich_registered = CollectiveRulesRegistry::instance().add(
    "mpich-4.0", {.help = "MPICH 4.0.2, each task on a node of its own", .choose = mpich_choice});

}  // namespace
}  // namespace weft::workloads
