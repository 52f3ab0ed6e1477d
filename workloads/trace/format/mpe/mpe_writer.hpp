// The events of a trace as records of a log of MPE, in order of time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/mpe/mpe_log.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {

/// A state or an event (begin == end) that was written.
struct MpeWrittenState {
  std::string text;
  u32 number = 0;  ///< of the state
  i32 begin = 0, end = 0;
};

/// Makes records. A call is a state with its messages; of receives that do not block the message stands where they are
/// waited for. Memory: an event, and the requests that are open, of each task.
class MpeWriter {
 public:
  MpeWriter(std::shared_ptr<const TraceStore> store, MpeNumbering numbering);
  /// All records; may be asked again. MpeRecord::communicator is the number in the store.
  void write(const std::function<void(const MpeRecord&)>& put);
  /// What has been used by then, by number of state.
  [[nodiscard]] std::vector<MpeWrittenState> states() const;
  [[nodiscard]] std::vector<MpeWrittenState> moments() const;
  /// What the log has no word for, of the last pass.
  [[nodiscard]] std::vector<std::string> losses() const;
  [[nodiscard]] const StoreIndex& index() const { return store_->index(); }

 private:
  struct Task {
    std::unique_ptr<EventStream> events;
    std::vector<TraceEvent> group;  ///< of one call; the last one is the first of the next call, if there is one
    bool at_end = false;
    bool computed = false;  ///< since the last record
    u64 now_ns = 0;
    std::vector<MpeRecord> records;
    std::size_t at = 0;                           ///< in records
    std::unordered_map<u64, TraceEvent> started;  ///< receives, by request
  };
  bool fill(u32 number, Task& task);
  void add_call(u32 number, Task& task, std::size_t events);
  void add_single(u32 number, Task& task, const TraceEvent& event);
  void add_message(u32 number, Task& task, const TraceEvent& event);
  void add_event(u32 number, Task& task, i32 type, u32 communicator, u64 at_ns);
  i32 begin_of(const std::string& name, bool is_call);
  i32 moment_of(const std::string& name);
  i32 name_event(const TraceEvent& event);
  void lose(const char* what) { ++losses_[what]; }

  std::shared_ptr<const TraceStore> store_;
  MpeNumbering numbering_;
  std::map<std::string, MpeWrittenState> states_;
  std::map<std::string, i32> moments_;
  std::vector<i32> begin_of_name_;  ///< [TraceSource::names], or none yet
  std::vector<i32> moment_of_name_;
  u32 next_reserved_ = 0, next_free_ = 0;
  std::map<std::string, u64> losses_;
};

/// Writes formats; TraceFormat::write.
std::vector<std::string> write_clog2(const std::shared_ptr<const TraceStore>& store, const std::string& path);
std::vector<std::string> write_alog(const std::shared_ptr<const TraceStore>& store, const std::string& path);

}  // namespace weft::workloads
