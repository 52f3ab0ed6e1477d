// Keys that several kernels have, and what follows from them: times of computing, blocks, sizes of messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/base/types.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kernel/offsets.hpp"

namespace weft::workloads {

/// Rows of keys, with the same type, range and default in all kernels.
namespace kernel_row {
[[nodiscard]] Setting compute_ns(std::string help);
[[nodiscard]] Setting overlap();
[[nodiscard]] Setting block(std::string help);
[[nodiscard]] Setting width(std::string help);
[[nodiscard]] Setting element_bytes(std::string help);
[[nodiscard]] Setting reduction();
[[nodiscard]] Setting reduction_bytes();
[[nodiscard]] Setting matrix_order();
[[nodiscard]] Setting panel();
[[nodiscard]] Setting stage_lengths();
[[nodiscard]] Setting diagonal_neighbours();
}  // namespace kernel_row

/// workload.compute_ns.
[[nodiscard]] u64 compute_ns(const KernelSpec& spec);

/// A list with a number for each of `sides` dimensions, or `usual` in each where the key is not given. Throws
/// ConfigError if it has another length.
[[nodiscard]] std::vector<i64> sides_of(const KernelSpec& spec, const std::string& name, std::size_t sides,
                                        i64 fallback);

/// Bytes of a message: the product of `factors`. Throws ConfigError if it is longer than a message may be; `keys` says
/// what to make smaller.
[[nodiscard]] u64 product_bytes(const KernelSpec& spec, const std::vector<i64>& factors, const std::string& keys);

/// Which diagonal neighbours workload.diagonals and diagonal_neighbours ask for.
[[nodiscard]] Diagonals diagonals_of(const KernelSpec& spec);

/// Sizes of messages stage by stage, in trees and butterflies.
struct StageLengths {
  enum class Law : u8 { fixed, doubling, halving } law = Law::fixed;
  u64 bytes = 0;   ///< of the shortest message
  u32 stages = 0;  ///< of a run through

  /// Bytes of a message of stage 0, 1 ...
  [[nodiscard]] u64 at(u32 stage) const {
    return law == Law::fixed ? bytes : bytes << (law == Law::doubling ? stage : stages - 1 - stage);
  }
};
/// The sizes that workload.stage_lengths asks for. Throws ConfigError where the longest is beyond the limits.
[[nodiscard]] StageLengths stage_lengths(const KernelSpec& spec, u32 stages);

/// The allreduce of workload.reduction_bytes over all tasks, by the algorithm workload.reduction. Throws ConfigError
/// for an algorithm that there is not, and for messages beyond the limits.
[[nodiscard]] std::unique_ptr<Program> reduction_of_all(const KernelSpec& spec);

}  // namespace weft::workloads
