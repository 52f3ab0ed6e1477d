// Writes the events of one task as records of OTF2: regions of MPI around what happens in them.
#pragma once

#include <map>
#include <otf2/otf2.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads::otf2 {

/// Communicators of a store as those of an archive: numbers stay, but a row {0}, {1}, ... of all tasks is one COMM_SELF
/// with the number of the first.
class WrittenCommunicators {
 public:
  explicit WrittenCommunicators(const StoreIndex& index);
  /// Rank of a task in a communicator, number 0 too. Throws ConfigError if the task is not in it or there is none such.
  [[nodiscard]] u32 rank_of(u32 communicator, u32 task) const;
  [[nodiscard]] u32 size_of(u32 communicator) const;
  /// What it is called in the archive.
  [[nodiscard]] u32 reference(u32 communicator) const;
  [[nodiscard]] bool is_self(u32 communicator) const {
    return communicator >= first_self_ && communicator - first_self_ < tasks_;
  }

 private:
  struct Group {
    u32 members = 0;
    std::vector<std::pair<u32, u32>> ranks;  ///< (task, rank), by task
  };
  [[nodiscard]] const Group& group(u32 communicator) const;
  u32 tasks_;
  u32 first_self_ = ~u32{0};
  std::vector<Group> groups_;
};

/// Regions that are used, in order of use, and what could not be written, how often.
struct Written {
  struct NamedRegion {
    std::string name;
    bool is_call = false;
    u32 number = 0;
  };
  std::vector<NamedRegion> regions;
  std::vector<std::string> counters;
  std::map<std::string, u64> losses;
  u64 end_ns = 0;

  [[nodiscard]] u32 region(const std::string& name, bool is_call);
  [[nodiscard]] u32 counter(const std::string& name);

 private:
  std::map<std::pair<std::string, bool>, u32> numbers_;
};

/// Writes the events of one task. `to` is open for its location.
class TaskWriter {
 public:
  TaskWriter(OTF2_EvtWriter* to, u32 task, const StoreIndex& index, const WrittenCommunicators& communicators,
             Written& written);
  /// Throws ConfigError, SystemError.
  void write(EventStream& events);

 private:
  void write_call(const TraceEvent& event, const TraceEvent* next);
  void write_record(const TraceEvent& event);
  void write_wait(const TraceEvent& event);
  void write_collective(const TraceEvent& event, bool is_wait);
  void write_region(const TraceEvent& event);
  void write_count(const TraceEvent& event);
  void end_call();
  void advance(u64 time);
  [[nodiscard]] std::string call_name(const TraceEvent& event, const TraceEvent* next) const;
  [[nodiscard]] u32 rank_or_any(u32 communicator, u32 peer) const;

  OTF2_EvtWriter* to_;
  u32 task_;
  const StoreIndex& index_;
  const WrittenCommunicators& communicators_;
  Written& written_;
  std::unordered_map<u64, TraceEvent> started_;  ///< by request
  std::unordered_map<u32, u64> counted_;         ///< by name of the counter
  u64 now_ = 0, call_end_ = 0;
  u32 call_ = 0;  ///< region that is entered
  bool in_call_ = false;
};

}  // namespace weft::workloads::otf2
