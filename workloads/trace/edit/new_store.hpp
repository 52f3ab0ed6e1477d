// A store of events that are no file's: made by cutting or merging, or written by hand in tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/trace/store/store_writer.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// All that a trace is besides its events.
struct TraceFrame {
  std::string format = {};
  u32 tasks = 0;
  bool has_times = false, in_order = true;
  std::vector<TraceCommunicator> communicators = {{}};
  std::vector<TraceName> names = {};
};

/// Takes events in any order of tasks and parts, those of a task and part in their order, into temporary files.
class NewStore {
 public:
  /// Throws SystemError where temporary files cannot be.
  explicit NewStore(bool has_times) : file_(StoreFile::temporary("trace")), writer_(file_, 0, has_times) {}
  /// Events of a task with a lower part come before those with a higher one.
  void add(u32 task, const TraceEvent& event, u32 part = 0) { writer_.add({task, event}, part, 0); }
  /// The store, once. `frame.has_times` is as told when it was begun.
  [[nodiscard]] std::shared_ptr<const TraceStore> finish(TraceFrame frame);

 private:
  StoreFile file_;
  StoreWriter writer_;
};

}  // namespace weft::workloads
