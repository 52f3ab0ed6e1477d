// Collective operations as programs of point-to-point messages: a file for each operation with its algorithms, found by
// operation and name.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

class PieceCounts;

/// Parameters from the config.
struct CollectiveSpec {
  std::string operation;           ///< "broadcast", "reduce", ...
  std::string algorithm = "auto";  ///< "auto": the operation's usual one
  u32 tasks = 0;
  /// Bytes of the data that each task has or gets (broadcast, reduce, allreduce, scans); of the piece of one task
  /// (allgather, gather, scatter, reduce-scatter); of what a task has for each other (all-to-all). A barrier has no
  /// data.
  u64 message_bytes = 0;
  u32 repetitions = 1;    ///< of the whole operation, without a barrier between
  u64 segment_bytes = 0;  ///< algorithms that cut messages: length of a segment; 0: the algorithm's usual one
  u32 radix = 0;          ///< algorithms along a tree of any width; 0: the algorithm's usual one
  u32 node_tasks = 0;     ///< algorithms that know nodes: tasks of each, in a row; 0: one
  u32 switch_tasks = 0;   ///< algorithms that know switches: tasks of each of the first level, in a row; 0: one
  /// A library whose rules choose the algorithm, its segments and radix where `algorithm` is "auto" (rules.hpp); empty:
  /// the usual one.
  std::string library = {};
  bool commutative = true;         ///< what combines data, for such rules
  double combine_ns_per_byte = 0;  ///< that a task computes after it has received data to be combined
  /// Bytes of each piece, for as many tasks, of operations whose pieces differ; none: message_bytes each.
  std::shared_ptr<const PieceCounts> counts = {};
  bool empty_messages = false;  ///< of those: pieces of no bytes are sent, too, where libraries send them
  bool self_messages = false;   ///< and what a task has for itself is a message, where it is one in libraries
  /// Sides (x fastest) of the grid of operations on one, none for a nearly square one; and whether it is a torus.
  std::vector<i64> shape = {};
  bool wrap = false;
};

/// A piece of data: what task `origin` has for task `target`; `target` is 0 where all get the same. Where message_bytes
/// is the length of all data (`whole`), its pieces are the bytes, numbered by `target`.
struct DataPiece {
  u32 origin = 0, target = 0;
  friend auto operator<=>(const DataPiece&, const DataPiece&) = default;
};

/// An operation: what tasks have before it and must have after it, whatever its algorithm. Tests hold all algorithms to
/// it, those of plug-ins too.
struct CollectiveOperation {
  std::string help;  ///< one line
  /// Whether `task` of `tasks` has a piece before the operation, and whether it must have it afterwards.
  using Has = bool (*)(const DataPiece& piece, u32 task, u32 tasks);
  Has before = nullptr, after = nullptr;
  bool to_each = false;  ///< pieces differ by target
  /// What several origins have for one target is combined: one piece of a message brings any number of them, and none
  /// may be combined twice.
  bool adds_up = false;
  bool whole = false;    ///< message_bytes is the length of all pieces together, not of one
  bool signals = false;  ///< no data: empty messages say who has come, as often as they like
  /// Whether pieces may differ in length (CollectiveSpec::counts), and by what.
  enum class Counts : u8 { none, by_origin, by_target, by_pair };
  Counts counts = Counts::none;
  /// In place of `after`, of operations on a grid: what a task must have follows from the spec.
  bool (*after_on_grid)(const DataPiece& piece, u32 task, const CollectiveSpec& spec) = nullptr;
};
using OperationRegistry = Registry<CollectiveOperation>;

/// One algorithm of one operation. Task 0 is the root.
struct CollectiveKind {
  std::string operation = {}, algorithm = {};
  std::string help = {};  ///< one line, with the task counts it accepts
  /// Makes the program of a resolved spec whose tasks, bytes and repetitions are not 0.
  std::function<std::unique_ptr<Program>(const CollectiveSpec&)> make = {};
  /// Length of the longest message in units of message_bytes; none: 1 at most.
  std::function<u64(u32 tasks)> longest = {};
  bool is_default = false;  ///< what "auto" stands for; one of each operation
  /// A message: who sends it, how often it has sent one of this tag before, and the operation in the sender's program.
  /// `spec` is resolved (resolved_collective).
  struct Message {
    const CollectiveSpec& spec;
    u32 from, nth;
    Op op;
  };
  /// Whether a piece that the sender has goes with the message; none: of an operation `to_each` those that the sender
  /// has for the receiver, else all. Of operations that add up it goes by the target only. For tests.
  bool (*carries)(const Message& message, const DataPiece& piece) = nullptr;
  /// Whether what a task receives is combined with what it has, of an operation that adds up; none: all of it.
  bool (*combines)(const CollectiveSpec& spec, const Op& receive) = nullptr;
  bool divides = false;          ///< messages are parts of message_bytes
  bool empties = false;          ///< some messages have no data, though the operation has
  u64 segment_bytes = 0;         ///< usual length of its segments; 0: it cuts nothing into segments
  u32 radix = 0;                 ///< usual radix of its tree; 0: its tree is as it is
  bool sends_empty = false;      ///< CollectiveSpec::empty_messages makes a difference
  bool sends_to_itself = false;  ///< CollectiveSpec::self_messages does
  bool by_nodes = false;         ///< it knows nodes (CollectiveSpec::node_tasks)
  bool even_nodes = false;       ///< all of which must have as many tasks
  bool by_switches = false;      ///< it knows switches (CollectiveSpec::switch_tasks)
  /// An operation as a part of an algorithm (composite.hpp).
  struct Part {
    enum class Among : u8 { all, node, leaders };
    std::string operation, algorithm;
    Among among = Among::all;                             ///< leaders: the first task of each node
    bool by_rules = false;                                ///< where a library is named, its rules choose the algorithm
    u64 (*bytes)(const CollectiveSpec& whole) = nullptr;  ///< its message_bytes; none: those of the whole
  };
  std::vector<Part> parts = {};
};
/// By "OPERATION ALGORITHM".
using CollectiveRegistry = Registry<CollectiveKind>;

/// Registers an algorithm; returns true.
bool add_collective(CollectiveKind kind);

/// Names of all operations that have an algorithm, in order.
[[nodiscard]] std::vector<std::string> collective_operations();

/// The algorithm that `spec` names. Throws ConfigError for an unknown operation or algorithm (with the nearest known
/// one).
[[nodiscard]] const CollectiveKind& collective_kind(const CollectiveSpec& spec);

/// `spec` with the algorithm, segments and radix that it leaves open. Throws like collective_kind.
[[nodiscard]] CollectiveSpec resolved_collective(const CollectiveSpec& spec);

/// Whether what is received is combined with what the receiver has; of a resolved spec.
[[nodiscard]] bool combines(const CollectiveSpec& spec, const Op& receive);

/// What is wrong with giving workload.NAME, if it changes nothing for that algorithm. Nothing, if there is no such
/// algorithm.
[[nodiscard]] std::optional<Complaint> unused_by_collective(const CollectiveSpec& spec, const std::string& name);

/// Bytes of the longest message. Throws like collective_kind, and ConfigError if it is 2^64 or more.
[[nodiscard]] u64 longest_message_bytes(const CollectiveSpec& spec);

/// Builds the operation. Throws like longest_message_bytes, and ConfigError for no tasks, or a count of them that the
/// algorithm does not take (with the nearest that it does), or segments or a radix that it has no use for.
[[nodiscard]] std::unique_ptr<Program> make_collective(const CollectiveSpec& spec);

}  // namespace weft::workloads
