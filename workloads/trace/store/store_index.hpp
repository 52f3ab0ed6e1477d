// What a store knows of its trace: where the events of each task lie, and all that is not an event.
#pragma once

#include <string>
#include <vector>

#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// A piece of the events of one task in a data file, which can be read by itself. Plain data: it lies in files.
struct StoreBlock {
  u64 offset = 0;
  u32 bytes = 0, events = 0;
  u32 file = 0;  ///< number of the data file
  u32 part = 0;  ///< of the source
};

/// What a trace file was when it was imported.
struct TraceIdentity {
  u64 bytes = 0, modified_ns = 0;
  u64 hash = 0;  ///< of the begins and ends of its files
  friend bool operator==(const TraceIdentity&, const TraceIdentity&) = default;
};

/// The largest amount of its kind, and where in the trace it stands.
struct LargestAmount {
  u64 amount = 0;
  u64 position = 0;  ///< line or byte, as TraceReader::position
  u32 part = 0;
};

struct StoreIndex {
  std::string format;
  TraceIdentity identity;
  u32 tasks = 0;
  bool has_times = false, in_order = true;
  u64 events = 0, self_sends = 0, self_receives = 0;
  u64 requests = 0;  ///< sends and receives that were started, to be waited for
  u64 end_ns = 0;    ///< of the last event, if there are times
  LargestAmount message, computation;
  std::vector<TraceCommunicator> communicators = {{}};
  std::vector<TraceName> names;
  std::vector<std::string> notes;  ///< what the trace says is missing of it, a line each
  u32 files = 0;
  std::vector<StoreBlock> blocks;  ///< by task, then in order
  std::vector<u64> first_block;    ///< [task], and one more

  /// Whether what is called so is a call (TraceName::is_call).
  [[nodiscard]] bool is_call(u32 name) const { return name < names.size() && names[name].is_call; }
  /// A trace may have many more tasks than do anything: a short file can say that it has millions.
  [[nodiscard]] bool has_events(u32 task) const { return first_block[task] != first_block[task + std::size_t{1}]; }
  /// Throws SystemError. Whole or not at all is the matter of who calls.
  void save(const std::string& path) const;
  /// Throws InputError if it is no index, of another version, or damaged.
  [[nodiscard]] static StoreIndex load(const std::string& path);
};

}  // namespace weft::workloads
