// Which part of each task's events a cut keeps: between two times, between two marks, or inside a region.
#pragma once

#include <string>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

struct CutWindow {
  enum class Kind : u8 { all, times, marks, region };
  Kind kind = Kind::all;
  /// Times since the begin of the trace: events that end from `from_ns` on and before `to_ns`.
  u64 from_ns = 0, to_ns = ~u64{0};
  std::string first = {};  ///< name of the mark, or of the region
  std::string last = {};   ///< of the mark that ends it; both marks are within
  u64 occurrence = 1;      ///< which of the marks or regions (outermost ones, of each task)
};

/// "A,B" or "A:n,B": from the n-th mark A of each task to the next B. Throws ConfigError if the trace has no such name.
[[nodiscard]] CutWindow window_between(const std::string& text, const std::vector<TraceName>& names);
/// "NAME" or "NAME:n": the n-th region NAME of each task, from its enter to its leave.
[[nodiscard]] CutWindow window_of_region(const std::string& text, const std::vector<TraceName>& names);

enum class Where : u8 { before, within, after };

/// Follows the events of a task and says where each of them is.
class WindowTracker {
 public:
  WindowTracker(const CutWindow& window, const std::vector<TraceName>& names);
  Where step(const TraceEvent& event);

 private:
  Where step_in_times(const TraceEvent& event);
  Where step_in_marks(const TraceEvent& event);
  Where step_in_region(const TraceEvent& event);
  [[nodiscard]] bool is(const std::vector<bool>& names, const TraceEvent& event) const {
    return event.name < names.size() && names[event.name];
  }

  CutWindow::Kind kind_;
  u64 from_ns_, to_ns_, occurrence_;
  std::vector<bool> first_, last_;  ///< [name]: called so
  u64 seen_ = 0, depth_ = 0;
  Where where_ = Where::before;
  bool ends_ = false;  ///< the last event was the last within
};

}  // namespace weft::workloads
