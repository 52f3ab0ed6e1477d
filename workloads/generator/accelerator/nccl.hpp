// Collective operations as the libraries of accelerators do them (NCCL, RCCL): an algorithm a file, found by operation
// and name. docs/accelerators.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

/// Parameters from the config.
struct NcclSpec {
  std::string operation, algorithm;
  u32 tasks = 0;
  u32 node_tasks = 1;     ///< tasks of a node, which are numbered in a row
  u64 message_bytes = 0;  ///< "size" of nccl-tests: the largest buffer of a task
  u32 repetitions = 1;
  u32 channels = 1;  ///< the data is divided among them
  bool pxn = false;  ///< all-to-all: to other nodes by the task of the same place as the receiver
  Transport transport = {};
  u32 reductions_in_flight = 0;  ///< in the network, of a channel, at a time; 0: any number
  u64 switch_latency_ns = 0;     ///< between nodes and switches; 0: as between nodes
  u32 repetition = 0;            ///< which one `open` is asked for
};

/// One algorithm of one operation.
struct NcclKind {
  std::string operation, algorithm;
  std::string help;           ///< one line
  double (*bus_factor)(u32);  ///< bandwidth of the bus over that of the algorithm, by tasks: as nccl-tests has it
  u32 lanes_of_channel = 1;   ///< and one more for all with PXN
  bool relays = false;        ///< PXN makes a difference
  bool chunks = true;         ///< data goes in chunks
  bool by_nodes = true;       ///< its ways go through nodes one by one
  OpGenerator (*open)(const NcclSpec& spec, u32 task, u32 lane);
  SwitchGroup (*switch_group)(const NcclSpec& spec) =
      nullptr;  ///< of algorithms that have switches combine or multiply
};
using NcclRegistry = Registry<NcclKind>;

/// Registers an algorithm; returns true.
bool add_nccl(NcclKind kind);

/// The algorithm of the operation, or null; "auto": the first by name of those without switches.
[[nodiscard]] const NcclKind* find_nccl(const std::string& operation, const std::string& algorithm);
/// The algorithm of the operation, as find_nccl finds it. Throws ConfigError that names what there is.
[[nodiscard]] const NcclKind& nccl_kind(const std::string& operation, const std::string& algorithm);

/// What is wrong with giving workload.NAME, if it changes nothing for that operation.
[[nodiscard]] std::optional<Complaint> unused_by_nccl(const NcclSpec& spec, const std::string& name);

/// What a channel moves of all data.
[[nodiscard]] Extent channel_share(const NcclSpec& spec, u32 channel);

/// Bytes on the wire for bytes of data, by the name of the protocol: "simple" 1, "ll" 2 (flags of 4 bytes beside 4 of
/// data), "ll128" 16/15 (8 bytes of each 128).
void set_protocol(Transport& transport, const std::string& name);
[[nodiscard]] std::vector<std::string> nccl_protocols();

/// Throws ConfigError for what does not fit, naming what would.
[[nodiscard]] std::unique_ptr<Program> make_nccl(const NcclSpec& spec);

}  // namespace weft::workloads
