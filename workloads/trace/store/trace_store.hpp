// The store of a trace: its events by task, in few bytes, to be read from any number of places at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/program/process_group.hpp"
#include "workloads/program/store_file.hpp"
#include "workloads/trace/store/packing.hpp"
#include "workloads/trace/store/store_index.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// The events of a task, in order.
class EventStream {
 public:
  virtual ~EventStream() = default;
  /// Puts the next event into `event`; false at the end, for ever. Throws InputError, SystemError (a damaged file).
  virtual bool next(TraceEvent& event) = 0;
};

class TraceStore {
 public:
  /// Memory for reading, of all streams together, if they are opened for `tasks` tasks at a time (least 512 bytes each,
  /// most 64 KiB).
  static constexpr u64 default_buffering_bytes = u64{64} << 20;

  TraceStore(StoreIndex index, std::vector<StoreFile> files);
  /// A store in a directory. Throws InputError (damaged), SystemError.
  [[nodiscard]] static std::shared_ptr<const TraceStore> open(const std::string& directory);

  [[nodiscard]] const StoreIndex& index() const { return index_; }
  [[nodiscard]] u64 stored_bytes() const;
  /// Events of a task below index().tasks. `streams`: about how many there will be at a time. The store stays alive as
  /// long as its streams. From any thread.
  [[nodiscard]] static std::unique_ptr<EventStream> events(std::shared_ptr<const TraceStore> store, u32 task,
                                                           u64 streams = 1);

 private:
  friend class StoreStream;
  StoreIndex index_;
  std::vector<StoreFile> files_;
};

/// Where the store of a trace lies, if it is kept: "NAME.weft-store" beside the trace, or in the folder `cache`.
[[nodiscard]] std::string store_directory(const TraceInput& input, const std::string& cache);

/// What an import tells of how far it is, and is told.
struct ImportWatch {
  /// Called now and then, from one thread: events so far.
  std::function<void(u64 events)> progress = {};
};

/// How the store of a trace is found or made.
struct StoreChoice {
  std::string format = "auto";
  bool kept = true;        ///< in store_directory; if that cannot be written, or if false, in temporary files
  std::string cache = {};  ///< folder for stores; empty: beside the trace
  KeepTask keep = {};      ///< tasks to keep in temporary files
  u32 threads = 1;
  ProcessGroup group = {};
  ImportWatch watch = {};
};

/// The store of a trace of events: the one that is there, if it is of these files as they are, else a new one. Throws
/// what readers throw, and SystemError if there is no space anywhere.
[[nodiscard]] std::shared_ptr<const TraceStore> store_of(const TraceInput& input, const StoreChoice& choice);

/// Makes the store of a trace of events where it is kept, by all processes of the group, unless it is there or cannot
/// be made; errors are left to who opens it.
void prepare_store(const TraceInput& input, const StoreChoice& choice);

}  // namespace weft::workloads
