// Who is in the communicators of a trace that records the calls that make them, but not their members: found from the
// calls of all tasks together, as MPI defines them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// A call of one task that makes a communicator or a group. Numbers of communicators and groups are the task's own.
struct CommunicatorCall {
  enum class Kind : u8 {
    dup,
    split,           ///< by `colour` (none if negative) and `key`
    create,          ///< of group `other`
    cartesian,       ///< of dimensions `list`
    cartesian_part,  ///< of the dimensions whose entry in `list` is not 0
    graph,           ///< of the first `colour` tasks
    inter,           ///< leaders are rank `colour` of `parent` and rank `key` of `other`; `tag`
    merge,           ///< of both sides of `parent`; `colour`: whether this one comes last
    group_of,        ///< group `result` of communicator `parent`
    remote_group_of,
    group_union,  ///< of groups `parent` and `other`
    group_intersection,
    group_difference,
    group_include,  ///< ranks `list` of group `parent`
    group_exclude,
    group_include_ranges,  ///< `list`: first, last, stride of each
    group_exclude_ranges,
    unknown  ///< a communicator with processes that are not in the trace
  };
  Kind kind = Kind::dup;
  u32 parent = 0, other = 0, result = 0;
  i32 colour = 0, key = 0, tag = 0;
  std::shared_ptr<const std::vector<i32>> list = {};
};
[[nodiscard]] constexpr bool makes_communicator(CommunicatorCall::Kind kind) {
  return kind < CommunicatorCall::Kind::group_of || kind == CommunicatorCall::Kind::unknown;
}

/// Communicators by number in the trace; number 0 is all tasks.
struct GatheredCommunicators {
  static constexpr u32 none = ~u32{0};         ///< the task is not in what its call made
  static constexpr u32 unknown = ~u32{0} - 1;  ///< the calls of other tasks do not fit, or are not in the trace
  struct Entry {
    std::vector<u32> members;  ///< of an inter-communicator: of both sides, one behind the other
    u32 first_side = 0;        ///< of an inter-communicator: how many the first has; else 0
    std::vector<i32> dims;     ///< of a Cartesian one
  };
  std::vector<Entry> communicators;
  std::vector<std::vector<u32>> made;  ///< [task]: number of what each of its calls that make communicators made
  [[nodiscard]] std::vector<TraceCommunicator> list() const;
};

/// Numbers that have a meaning before any call.
struct CommunicatorNames {
  u32 null = 1, world = 2, self = 3, empty_group = 2;
};

class CommunicatorGatherer {
 public:
  /// Members of all communicators together, at most.
  static constexpr u64 most_members = u64{1} << 28;
  static constexpr u64 most_calls = u64{1} << 24;  ///< of all tasks

  explicit CommunicatorGatherer(u32 tasks, CommunicatorNames names = {});
  /// Calls of a task come in its order. Lists are kept once, whoever gives them.
  void add(u32 task, CommunicatorCall call, const std::vector<i32>& list = {});
  /// Carries all calls out. Throws InputError: more than most_members.
  [[nodiscard]] GatheredCommunicators finish();

 private:
  using Kind = CommunicatorCall::Kind;
  using Members = std::shared_ptr<const std::vector<u32>>;
  struct TaskState {
    std::vector<CommunicatorCall> calls;
    std::size_t at = 0;
    std::unordered_map<u32, u32> communicators;  ///< own number to number in the trace
    std::unordered_map<u32, Members> groups;
  };
  struct Arrival {
    u32 task = 0;
    const CommunicatorCall* call = nullptr;
  };
  /// Tasks of a communicator that are at their next call on it.
  using Meeting = std::vector<Arrival>;
  struct HalfBridge {
    u32 local = 0;
    Meeting meeting;
  };

  void run(u32 task);
  void make_group(TaskState& state, const CommunicatorCall& call);
  [[nodiscard]] Members kept(std::vector<u32> members);
  void meet(u32 task, const CommunicatorCall& call);
  void resolve(u32 parent, Meeting meeting);
  void split(const Meeting& meeting);
  void create(const Meeting& meeting);
  void cartesian_part(u32 parent, const Meeting& meeting);
  void merge(u32 parent, const Meeting& meeting);
  /// Both sides go on when the second of them has arrived.
  void bridge(u32 local, Meeting& meeting);
  u32 define(GatheredCommunicators::Entry entry);
  void conclude(const Arrival& arrival, u32 number);
  void conclude_all(const Meeting& meeting, u32 number);

  u32 tasks_;
  CommunicatorNames names_;
  std::vector<TaskState> states_;
  std::set<std::shared_ptr<const std::vector<i32>>,
           bool (*)(const std::shared_ptr<const std::vector<i32>>&, const std::shared_ptr<const std::vector<i32>>&)>
      lists_;
  std::set<Members, bool (*)(const Members&, const Members&)> member_lists_;
  std::unordered_map<u32, Meeting> meetings_;
  std::map<std::pair<std::pair<u32, u32>, i32>, HalfBridge> bridges_;  ///< by leaders and tag
  std::vector<u32> ready_;
  u64 members_ = 0, calls_ = 0;
  GatheredCommunicators result_;
};

}  // namespace weft::workloads
