// Micro-kernels: the communication skeletons of parallel algorithms as programs, one file each, found by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/registry.hpp"
#include "engine/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// Parameters from the config. A kernel refuses a switch that it does not know, since it would do nothing silently.
struct KernelSpec {
  std::string name;
  u32 tasks = 0;
  u64 message_bytes = 0;  ///< of every message
  u32 dimensions = 0;     ///< of the virtual mesh; 0 = the kernel's default; of no effect where there is no mesh
  bool return_sweep = false;
  bool wrap = false;       ///< torus in place of a mesh
  bool diagonals = false;  ///< neighbours that differ in several coordinates too
  u32 repetitions = 1;     ///< of the whole kernel; direction-distribution: messages in each direction
  u64 seed = 1;
};

struct KernelKind {
  std::string help;                                                 ///< one line, with the task counts it accepts
  std::function<std::unique_ptr<Program>(const KernelSpec&)> make;  ///< gets a spec with its dimensions filled in
  std::vector<u32> dimensions = {};                                 ///< accepted, the default first; empty: has no mesh
  bool return_sweep = false;                                        ///< knows these switches
  bool wrap = false;
  bool diagonals = false;
};
using KernelRegistry = Registry<KernelKind>;

/// Builds the kernel that `spec` names. Throws ConfigError for an unknown name (with the nearest known one), a task
/// count that does not fit (with the nearest that do), a switch or a number of dimensions that the kernel does not
/// know.
[[nodiscard]] std::unique_ptr<Program> make_kernel(const KernelSpec& spec);

/// Repetitions that the published studies use: 40 wave-fronts (of 1 KB) for the waterfall, one of any other kernel.
[[nodiscard]] inline u32 usual_repetitions(const std::string& name) {
  return name == "waterfall" || name == "WF" ? 40 : 1;
}

}  // namespace weft::workloads
