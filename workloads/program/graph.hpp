// Programs as graphs: the operations of a task and what each requires of the others (docs/programs.md).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// An operation of a graph. Plain data: it lies in files.
struct GraphOp {
  enum class Kind : u8 { compute, send, receive, probe, join, until, pause, meet };
  static constexpr u32 any = ~u32{0};  ///< as peer or tag of a receive or probe
  /// As communicator: a switch combines what is sent, and sends what is received; peer is the group, tag the chunk.
  static constexpr u32 by_switch = ~u32{0};

  Kind kind = Kind::join;
  bool one_suffices : 1 = false;    ///< it may begin when one of what it requires is there, not all
  bool is_synchronous : 1 = false;  ///< send: by rendezvous, however short it is
  bool waits : 1 = false;           ///< send of a linear program: what comes next waits for its rendezvous
  u8 stream = 0;                    ///< compute stream that it holds
  u8 nic = 0;
  u32 peer = 0;  ///< send: destination task; receive, probe: source task
  u32 tag = 0, communicator = 0;
  u64 amount = 0;   ///< send, receive: bytes; compute, until, pause: ns; meet (of linear programs alone): ps
  u32 missing = 0;  ///< of what it requires, what is not there yet (one_suffices: 1 until one is)
  u32 first_dependent = 0, on_completion = 0, on_start = 0;  ///< in TaskGraph: where, and how many of each
  u32 line = 0;                                              ///< of the file, from 1; 0: it has none
  u32 state = 0;                                             ///< how far it has come, for who runs it (OpState)
};
static_assert(sizeof(GraphOp) == 48);

/// The operations of one task, numbered in the order of the file. `missing` is counted down as the task runs.
struct TaskGraph {
  std::span<GraphOp> ops;
  std::span<const u32> dependents;

  [[nodiscard]] std::span<const u32> on_completion(u32 op) const {
    return dependents.subspan(ops[op].first_dependent, ops[op].on_completion);
  }
  [[nodiscard]] std::span<const u32> on_start(u32 op) const {
    return dependents.subspan(ops[op].first_dependent + ops[op].on_completion, ops[op].on_start);
  }
};

/// Puts the graph of one task together.
class GraphBuilder {
 public:
  /// Most operations of a task; readers refuse more.
  static constexpr u32 most_ops = u32{1} << 31;
  /// The number of the operation.
  u32 add(const GraphOp& op);
  /// `op` requires that `on` is complete, or (`start`) has started. Both may be added later. The same twice is once.
  void require(u32 op, u32 on, bool start = false);
  [[nodiscard]] u32 size() const;
  [[nodiscard]] GraphOp& op(u32 number);

  struct Finished {
    std::vector<GraphOp> ops;
    std::vector<u32> dependents;  ///< of each operation in ascending number
  };
  /// The graph, with `missing` counted (all: the requirements; one_suffices: 1, or 0 if there are none); empties the
  /// builder. Throws InputError that names `where` ("file.goal: rank 3"), operations and lines if no order of the
  /// operations keeps what they require.
  [[nodiscard]] Finished finish(const std::string& where);

 private:
  struct Edge {
    u32 on = 0, op = 0;
    bool start = false;
  };
  std::vector<GraphOp> ops_;
  std::vector<Edge> edges_;
};

/// The graphs of the tasks of a process: in memory as long as they are small, then in a temporary file that is mapped,
/// so that what no task is at need not be in memory.
class GraphStore {
 public:
  static constexpr u64 default_memory_bytes = u64{64} << 20;
  /// Graphs that need no more than `memory_bytes` in all need no file.
  explicit GraphStore(u64 memory_bytes = default_memory_bytes);
  ~GraphStore();
  GraphStore(const GraphStore&) = delete;
  GraphStore& operator=(const GraphStore&) = delete;

  /// Tasks may come in any order, each once. Throws SystemError if the disk of TMPDIR (default /tmp) is full.
  void add(u32 task, const GraphBuilder::Finished& graph);
  /// Call once when all are there; then `graph` may be asked.
  void seal();
  /// Empty for tasks that were not added.
  [[nodiscard]] TaskGraph graph(u32 task) const;
  /// In memory, without what is mapped.
  [[nodiscard]] u64 bytes() const;
  /// Whether there is no file.
  [[nodiscard]] bool in_memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::workloads
