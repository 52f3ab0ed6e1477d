// Merging; see the header.
#include "workloads/trace/edit/merge.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include "engine/base/error.hpp"
#include "workloads/trace/edit/new_store.hpp"

namespace weft::workloads {
namespace {

class TraceMerger {
 public:
  explicit TraceMerger(TraceFrame frame) : frame_(std::move(frame)), to_(frame_.has_times) {}
  void add(const std::shared_ptr<const TraceStore>& store);
  std::shared_ptr<const TraceStore> finish() { return to_.finish(std::move(frame_)); }

 private:
  using Kind = TraceEvent::Kind;
  void add_communicators(const StoreIndex& index);
  void add_names(const StoreIndex& index);
  void translate(TraceEvent& event) const;

  TraceFrame frame_;
  NewStore to_;
  std::map<std::pair<std::string, bool>, u32> known_names_;
  // The trace that is added:
  u32 first_task_ = 0, first_communicator_ = 0;
  std::vector<u32> names_;  ///< [name]
};

void TraceMerger::add_communicators(const StoreIndex& index) {
  first_communicator_ = static_cast<u32>(frame_.communicators.size());
  for (const TraceCommunicator& communicator : index.communicators) {
    TraceCommunicator& added = frame_.communicators.emplace_back();
    added.is_internal = communicator.is_internal;
    if (communicator.members.empty()) {
      added.members.resize(index.tasks);
      std::iota(added.members.begin(), added.members.end(), first_task_);
    }
    for (const u32 member : communicator.members) added.members.push_back(first_task_ + member);
  }
}

void TraceMerger::add_names(const StoreIndex& index) {
  names_.clear();
  for (const TraceName& name : index.names) {
    const auto [at, is_new] =
        known_names_.try_emplace({name.text, name.is_call}, static_cast<u32>(frame_.names.size()));
    if (is_new) frame_.names.push_back(name);
    names_.push_back(at->second);
  }
}

void TraceMerger::translate(TraceEvent& event) const {
  const bool has_peer = event.kind != Kind::compute && event.kind < Kind::enter && event.kind != Kind::collective;
  if (has_peer && event.peer != TraceEvent::any) event.peer += first_task_;
  if (event.kind == Kind::collective && event.root != TraceEvent::no_root) event.root += first_task_;
  // A wait on number 0 does not say where its message came.
  const bool has_communicator = event.kind == Kind::wait ? event.communicator != 0 : has_peer;
  if (has_communicator || event.kind == Kind::collective) event.communicator += first_communicator_;
  if (event.kind >= Kind::enter && event.name < names_.size()) event.name = names_[event.name];
}

void TraceMerger::add(const std::shared_ptr<const TraceStore>& store) {
  const StoreIndex& index = store->index();
  add_communicators(index);
  add_names(index);
  TraceEvent event;
  for (u32 task = 0; task < index.tasks; ++task) {
    const auto events = TraceStore::events(store, task);
    u64 now_ns = 0;
    while (events->next(event)) {
      translate(event);
      if (frame_.has_times && !index.has_times) {
        event.begin_ns = now_ns;
        if (event.kind == Kind::compute) now_ns += event.bytes;
        event.end_ns = now_ns;
      }
      to_.add(first_task_ + task, event);
    }
  }
  first_task_ += index.tasks;
}

}  // namespace

std::shared_ptr<const TraceStore> merge_traces(const std::vector<std::shared_ptr<const TraceStore>>& traces) {
  if (traces.empty()) throw ConfigError("nothing is to be merged (no trace is given); name one or more");
  TraceFrame frame;
  frame.format = traces[0]->index().format;
  frame.in_order = traces[0]->index().in_order;
  u64 tasks = 0;
  for (const auto& trace : traces) {
    const StoreIndex& index = trace->index();
    tasks += index.tasks;
    frame.has_times = frame.has_times || index.has_times;
    if (index.in_order == frame.in_order) continue;
    throw ConfigError(
        fmt::format("traces of the formats {} and {} cannot be one (one says that messages are matched by their sizes, "
                    "as INSEE does, the other as MPI does); run them as jobs, for which --jobs prints the config",
                    frame.format, index.format));
  }
  if (tasks > max_trace_tasks)
    throw ConfigError(
        fmt::format("the traces have {} tasks (a trace holds at most {}); merge fewer", tasks, max_trace_tasks));
  frame.tasks = static_cast<u32>(tasks);
  TraceMerger merger(std::move(frame));
  for (const auto& trace : traces) merger.add(trace);
  return merger.finish();
}

}  // namespace weft::workloads
