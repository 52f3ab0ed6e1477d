// Compute tasks that write files to, or read them from, tasks that serve them, as a program.
#pragma once

#include <memory>

#include "workloads/generator/storage_layout.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

struct StorageSpec {
  StorageLayout layout;
  bool reads = false;
  bool permission = false;  ///< of writes: data is sent when the server asks for it
  u64 window = 1;           ///< requests of a client that are not answered, at most
  u64 control_bytes = 64;   ///< of requests, acknowledgements and permissions
  u64 phase_ns = 0;         ///< computing before each burst
  u64 service_ns = 0;       ///< of a server for a request
  double storage_gbps = 0;  ///< of a server; 0: it takes no time to store
  u32 bursts = 1;

  /// Time of a server for a request of so many bytes.
  [[nodiscard]] u64 serving_ns(u64 bytes) const;
};

/// The program: see docs/storage.md. Throws ConfigError for messages or computations beyond `limits`.
[[nodiscard]] std::unique_ptr<Program> storage_program(const StorageSpec& spec, const TaskLimits& limits);

}  // namespace weft::workloads
