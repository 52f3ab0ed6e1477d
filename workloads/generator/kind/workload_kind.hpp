// Kinds of workloads: what the nodes of a network do, each on its own or as tasks of an application; one file per kind,
// found by name. docs/adding-a-workload.md adds one.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"
#include "workloads/program/host/reactions.hpp"
#include "workloads/program/host/source_queue.hpp"
#include "workloads/program/process_group.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

class ExternalTasks;

/// What a program of tasks is made from.
struct WorkloadSpec {
  Parameters keys;                             ///< all of [workload], by name; names of files as they can be opened
  const models::Topology* topology = nullptr;  ///< the network; never null when a program is made
  u32 tasks = 0;           ///< workload.tasks, else one for each place on the nodes; 0 for kinds that count their tasks
  u32 tasks_per_node = 1;  ///< places for tasks on each node
  u64 seed = 1;            ///< simulation.seed
  TaskLimits limits = {};
  double cycle_ns = 0;     ///< length of a cycle; 0: it has none
  double cycle_bytes = 0;  ///< of messages that the NICs of a task send in a cycle; infinite: as many as there are
  double cpu_scale = 1;    ///< workload.cpu_scale, 1 unless it is given: for what is planned by times of computing
  /// Which tasks this process runs, of kinds that count their tasks; none: all.
  std::function<bool(u32 task)> keep = {};
  ExternalTasks* outside = nullptr;  ///< who else takes part in the run, if anybody does
};

/// What nodes generate, each on its own. Where to is the matter of workload.pattern, how long packets are that of
/// workload.packet_length.
struct SourceRules {
  double offered_load = 0;  ///< phits/node/cycle at random times; 0 for bursts
  SourceQueue queue = SourceQueue::bounded;
  u64 bursts = 0;                ///< one after the other, each when the network is empty; 0: no bursts
  u32 burst_packets = 0;         ///< of each node in a burst
  double burst_load = 0;         ///< phits/node/cycle at which a node generates them; 0: as fast as its NIC takes them
  ReactionRules reactions = {};  ///< what delivered packets make their destinations send

  /// Chance of a new packet of a node in a cycle, of packets of so many phits on average; 1 and more: one in each.
  [[nodiscard]] double packets_per_cycle(double mean_phits) const {
    return bursts != 0 && burst_load <= 0 ? 1 : (bursts != 0 ? burst_load : offered_load) / mean_phits;
  }
};

/// By what the time of an operation is turned into bandwidths: bytes over time, and times the factor that of the links
/// that it must use.
struct BusMeasure {
  u64 bytes = 0;
  double factor = 1;
};

/// A kind has `sources` or `make`.
struct WorkloadKind {
  std::string help;  ///< half a sentence: what nodes or tasks send
  u32 place = 100;   ///< in lists: those with less come first, then by name
  bool ends = true;  ///< the workload ends by itself; else it goes on until the run ends
  /// Its own keys, "workload.bursts"... Two kinds may have a key, with the same type, range and default. Those of
  /// all sources and of all tasks (tools/run/config/rows/rows_workload.cpp) it has besides. A key that names a file
  /// says so (row::path): it goes into checkpoints by its content, and the program is read once only.
  std::vector<Setting> settings = {};
  /// What is wrong with the keys, if anything is, before there is a network.
  std::function<std::optional<Complaint>(const Parameters& keys)> check = {};

  /// Why a key of the kind changes nothing while its other keys are as they are, and what to do; none: each of them
  /// always does.
  std::function<std::optional<Complaint>(const Parameters& keys, const std::string& name)> unused = {};

  /// The rules of a kind of independent sources.
  std::function<SourceRules(const Parameters& keys)> sources = {};

  /// Its key for times of computing, an integer in ns, of which more than 0 needs the length of a cycle. Empty: times
  /// were recorded, if there are any, and workload.cpu_scale multiplies them.
  std::string time_key = {};
  /// More of those, integers or reals.
  std::vector<std::string> more_time_keys = {};
  /// Makes the program of a kind of tasks. Throws ConfigError or InputError for what it cannot be made from.
  std::function<std::unique_ptr<Program>(const WorkloadSpec& spec)> make = {};
  bool has_lanes = false;  ///< its programs have lanes and say what they do (Program::activities)
  /// How many tasks the program will have: of kinds that make only the tasks of their own process (WorkloadSpec::keep),
  /// since where tasks are placed must be known before.
  std::function<u32(const WorkloadSpec& spec)> count_tasks = {};
  /// Files that it reads, where those that its keys name are folders, patterns, or list others.
  std::function<std::vector<std::string>(const Parameters& keys)> more_files = {};
  /// What all processes of a run do together before programs are made and tasks are counted: files are brought into a
  /// form that each can read its part of. Throws what `make` does, or leaves that to it.
  std::function<void(const Parameters& keys, const ProcessGroup& group)> prepare = {};
  /// Whether a program is one of nodes, not of tasks: placed elsewhere it would be another one. None: it is not.
  bool (*is_of_nodes)(const Program& program) = nullptr;
  /// Bytes that a task receives in all, where all tasks communicate all the time: the result has their bandwidths then.
  u64 (*received_bytes)(const Program& program, TaskId task) = nullptr;

  /// Measure of kinds that are one operation: the result has the bandwidths of algorithm and bus then.
  BusMeasure (*bus)(const Parameters& keys, u32 tasks) = nullptr;

  [[nodiscard]] bool runs_tasks() const { return static_cast<bool>(make); }
  [[nodiscard]] bool reads_files() const { return std::ranges::any_of(settings, &Setting::is_path); }
};
using WorkloadRegistry = Registry<WorkloadKind>;

/// Names of all kinds in the order of lists.
[[nodiscard]] std::vector<std::string> workload_kinds();
/// Names of the kinds whose nodes run tasks, or of those with independent sources.
[[nodiscard]] std::vector<std::string> workload_kinds(bool with_tasks);

/// Names of the kinds whose tasks have lanes.
[[nodiscard]] std::vector<std::string> kinds_with_lanes();

/// Throws ConfigError for a message that is beyond the limits of a run.
void check_longest_message(u64 bytes, const TaskLimits& limits);

/// The value of a key of which 0 stands for the usual one.
[[nodiscard]] u32 count_or(const Parameters& keys, const std::string& name, u32 fallback);

/// What a kind cannot do without: a complaint unless the text key "workload.NAME" is there. `what`: "the name of a
/// kernel"; `example`: what to add.
[[nodiscard]] std::optional<Complaint> unless_given(const Parameters& keys, const std::string& name,
                                                    const std::string& what, const std::string& example);

/// Rows of keys that several kinds have.
namespace row_of {
[[nodiscard]] Setting name();   ///< workload.name
[[nodiscard]] Setting tasks();  ///< workload.tasks; WorkloadSpec::tasks follows from it
[[nodiscard]] Setting message_bytes(std::string help);
[[nodiscard]] Setting repetitions(std::string help);
[[nodiscard]] Setting collectives();  ///< workload.collectives: whose rules choose algorithms
}  // namespace row_of

}  // namespace weft::workloads
