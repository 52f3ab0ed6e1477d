// Micro-kernels: the communication skeletons of parallel algorithms as programs, one file each, found by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

/// Parameters from the config. A kernel refuses a switch that it does not know, since it would do nothing silently.
struct KernelSpec {
  std::string name;
  u32 tasks = 0;
  u64 message_bytes = 0;        ///< of every message, unless sizes follow from the kernel's own keys
  u32 dimensions = 0;           ///< of the virtual mesh; 0 = the kernel's default; of no effect where there is no mesh
  std::vector<i64> shape = {};  ///< of the virtual mesh, tasks in each dimension; empty: as nearly square as possible
  bool return_sweep = false;
  bool wrap = false;       ///< torus in place of a mesh
  bool diagonals = false;  ///< neighbours that differ in several coordinates too
  u32 repetitions = 1;     ///< of the whole kernel; direction-distribution: messages in each direction
  u64 seed = 1;
  Parameters keys = {};    ///< the kernel's own keys, by name; those that are missing get their defaults
  TaskLimits limits = {};  ///< of single messages
};

struct KernelKind {
  static constexpr ChoiceKey choice{"workload.name", "workload.kind", "kernel"};

  std::string help;                                                 ///< one line, with the task counts it accepts
  std::function<std::unique_ptr<Program>(const KernelSpec&)> make;  ///< gets a spec with dimensions and keys filled in
  std::vector<u32> dimensions = {};                                 ///< accepted, the default first; empty: has no mesh
  bool return_sweep = false;                                        ///< knows these switches
  bool wrap = false;
  bool diagonals = false;
  std::vector<Setting> settings = {};  ///< its own keys, "workload.compute_ns"... (kernel_keys.hpp)
  /// Whether sizes of messages follow from its own keys, so that message_bytes has no effect; none: never.
  bool (*own_sizes)(const Parameters& keys) = nullptr;
};
using KernelRegistry = Registry<KernelKind>;

/// Builds the kernel that `spec` names. Throws ConfigError for an unknown name (with the nearest known one), a task
/// count or a shape that does not fit (with one that does), a switch or a number of dimensions that the kernel does
/// not know.
[[nodiscard]] std::unique_ptr<Program> make_kernel(const KernelSpec& spec);

/// Whether a kernel's messages have sizes that follow from its own keys; not if there is no such kernel.
[[nodiscard]] bool has_own_sizes(const std::string& name, const Parameters& keys);

/// Repetitions that the published studies use: 40 wave-fronts (of 1 KB) for the waterfall, one of any other kernel.
[[nodiscard]] inline u32 default_repetitions(const std::string& name) {
  return name == "waterfall" || name == "WF" ? 40 : 1;
}

}  // namespace weft::workloads
