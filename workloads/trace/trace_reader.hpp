// What a trace file of any format is to the rest of weft: records read once in file order, each of one task; and how a
// file's format is found from its content.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/registry.hpp"
#include "engine/types.hpp"
#include "workloads/program/keep_task.hpp"
#include "workloads/program/program.hpp"
#include "workloads/task_limits.hpp"
#include "workloads/trace/byte_source.hpp"

namespace weft::workloads {

/// Ranks must be below this. Memory grows with the largest rank, so that one damaged digit must not ask for gigabytes.
inline constexpr u32 max_trace_tasks = u32{1} << 24;
/// Largest message in bytes and largest tag that a trace may hold.
inline constexpr u64 max_trace_bytes = u64{1} << 40;
inline constexpr u64 max_trace_tag = 0xFFFF'FFFF;
/// Longest compute record in nanoseconds (36 years).
inline constexpr u64 max_trace_compute_ns = u64{1} << 60;

/// One operation and the task that executes it.
struct TraceRecord {
  u32 task = 0;
  Op op;
};

/// The records of a trace in file order.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Puts the next record into `record`; false at the end of the file. Throws InputError that names the place.
  virtual bool next(TraceRecord& record) = 0;
  /// Place of the last record: line number from 1, or byte offset in a binary format.
  [[nodiscard]] virtual u64 position() const = 0;
  /// 1 + the largest rank that any record so far named, as task or as peer.
  [[nodiscard]] virtual u32 tasks() const = 0;
  /// Sends and receives between a task and itself that were dropped so far.
  [[nodiscard]] virtual u64 self_sends() const = 0;
  [[nodiscard]] virtual u64 self_receives() const = 0;
};

/// A trace format: of linear records, or of programs of graphs. Its file registers it; `weft describe formats` lists
/// them.
struct TraceFormat {
  std::string help;  ///< one line
  /// Whether a file beginning with `head` (at most 64 KiB, decompressed) is of this format.
  std::function<bool(std::string_view head)> recognises;
  /// Opens the records; empty if it has none.
  std::function<std::unique_ptr<TraceReader>(std::unique_ptr<ByteSource>)> open;
  /// In place of `open`: reads the graphs of the tasks to keep. `name` stands for the file's. Throws InputError (also
  /// for an operation of a kept task beyond `limits`), SystemError (disk).
  std::unique_ptr<Program> (*program)(std::unique_ptr<ByteSource> bytes, const std::string& name, KeepTask keep,
                                      const TaskLimits& limits) = nullptr;
};
using TraceFormats = Registry<TraceFormat>;

/// The name of the format of a trace, whose bytes are still all there afterwards. `format` is a registered name, or
/// "auto": by content. Throws ConfigError (unknown name), InputError (a format that this version does not read).
[[nodiscard]] std::string find_trace_format(std::unique_ptr<ByteSource>& bytes, const std::string& format = "auto");

/// Opens a trace of records. Throws what find_trace_format does, InputError too if the file cannot be opened, or holds
/// graphs.
[[nodiscard]] std::unique_ptr<TraceReader> open_trace(const std::string& path, const std::string& format = "auto");
[[nodiscard]] std::unique_ptr<TraceReader> open_trace(std::unique_ptr<ByteSource> bytes,
                                                      const std::string& format = "auto");

}  // namespace weft::workloads
