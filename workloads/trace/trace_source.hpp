// A trace of any format as lists of events: what it is called, how its format is found, how it is read.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/registry.hpp"
#include "engine/base/text/byte_source.hpp"
#include "workloads/program/keep_task.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"
#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// Ranks must be below this. Memory grows with the largest rank, so that one damaged digit must not ask for gigabytes.
inline constexpr u32 max_trace_tasks = u32{1} << 24;
/// Largest message in bytes and largest tag that a trace may hold.
inline constexpr u64 max_trace_bytes = u64{1} << 40;
inline constexpr u64 max_trace_tag = 0xFFFF'FFFF;
/// Longest compute record in nanoseconds (36 years).
inline constexpr u64 max_trace_compute_ns = u64{1} << 60;

/// Throws ConfigError if the program meets (Program::meets), which no format of programs can say.
void refuse_meetings(const Program& program);

/// What a user names as a trace: a file (or pipe), a directory, or a pattern with * and ?.
struct TraceInput {
  std::string path;                ///< as given
  std::vector<std::string> files;  ///< the file, or all plain files of the directory or pattern, numbers in names in
                                   ///< ascending order; never empty
  bool several = false;            ///< a directory or pattern
  /// A pipe, which is opened when it is first read, and can be read but once.
  struct Pipe {
    std::unique_ptr<ByteSource> bytes;
    bool open = false;
  };
  /// What open_input gives in place of the only file: of a pipe, once; of memory, as often as asked.
  std::shared_ptr<Pipe> once = {};
  std::shared_ptr<const std::string> memory = {};

  [[nodiscard]] bool is_file() const { return !once && !memory; }
};
/// Throws InputError if there is none.
[[nodiscard]] TraceInput find_trace(const std::string& path);
/// Bytes in memory as a trace; `name` stands for the file's in errors.
[[nodiscard]] TraceInput trace_in_memory(std::string bytes, const std::string& name);
/// The bytes of file `number`, decompressed. Throws InputError.
[[nodiscard]] std::unique_ptr<ByteSource> open_input(const TraceInput& input, std::size_t number = 0);

/// Events of one or several tasks, once, in the order in which they are stored. Each task's are in the order of its
/// program.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Puts the next event into `record` (all of it: what is not there has its default); false at the end. Throws
  /// InputError "FILE:LINE: problem (got ...); expected ..." or "FILE: byte OFFSET: ...".
  virtual bool next(TraceRecord& record) = 0;
  /// Place of the last event: line number from 1, or byte offset in a binary format.
  [[nodiscard]] virtual u64 position() const = 0;
  /// 1 + the largest rank that any event so far named, as task or as peer; or what the trace says of itself.
  [[nodiscard]] virtual u32 tasks() const = 0;
  /// Dropped so far: messages between a task and itself, in formats that say to drop them.
  [[nodiscard]] virtual u64 self_sends() const { return 0; }
  [[nodiscard]] virtual u64 self_receives() const { return 0; }
};

/// A trace that has been opened. Its parts may be read side by side, from several threads, each once or more often.
class TraceSource {
 public:
  virtual ~TraceSource() = default;
  /// Number of parts; the events of a task in part p come before those in p + 1. A format with a file for each task has
  /// a part for each; one file in which all tasks are mixed is one part (or several, cut where that is possible).
  [[nodiscard]] virtual u32 parts() const { return 1; }
  [[nodiscard]] virtual std::unique_ptr<TraceReader> open(u32 part) const = 0;
  /// "FILE:LINE" or "FILE: byte OFFSET", of a position in a part.
  [[nodiscard]] virtual std::string place(u32 part, u64 position) const = 0;
  /// Number 0 is all tasks. These and names are known when the trace is opened, or, of one with a single part, when
  /// that has been read.
  [[nodiscard]] virtual std::vector<TraceCommunicator> communicators() const { return {{}}; }
  [[nodiscard]] virtual std::vector<TraceName> names() const { return {}; }
  /// Whether events have begin_ns and end_ns.
  [[nodiscard]] virtual bool has_times() const { return false; }
  /// Whether times of different tasks can be compared: not those of clocks that count what each task has computed.
  [[nodiscard]] virtual bool has_common_clock() const { return true; }
  /// Whether receives are matched as MPI matches them (docs/programs.md), not by INSEE's rule, unless asked otherwise.
  [[nodiscard]] virtual bool in_order() const { return true; }
  /// What the trace says is missing of it, a line each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

class TraceStore;
/// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// A trace format, of lists of events or of programs of graphs. Its file registers it; `weft describe formats` lists
/// them.
struct TraceFormat {
  std::string help;  ///< one line
  /// Whether the trace is of this format, by the first bytes of its first file (at most 64 KiB, decompressed).
  std::function<bool(std::string_view head, const TraceInput& input)> recognises;
  /// All files that the trace lies in, where a file of the input only lists them; empty: those of the input.
  std::function<std::vector<std::string>(const TraceInput& input)> files = {};
  /// Opens lists of events; empty if it has none. Throws InputError.
  std::function<std::unique_ptr<TraceSource>(const TraceInput& input)> open = {};
  /// In place of `open`: reads the graphs of the tasks to keep. `name` stands for the file's, `library` is whose rules
  /// choose the algorithms of collective calls (empty: the format's usual ones). Throws InputError (also for an
  /// operation of a kept task beyond `limits`), SystemError (disk).
  std::function<std::unique_ptr<Program>(const TraceInput& input, const std::string& name, KeepTask keep,
                                         const TaskLimits& limits, const std::string& library)>
      program = {};
  /// Writes a trace at `path`, a file or a folder that is not there yet. What of it the format has no word for, each
  /// kind once ("tags of 3 messages beyond 2^31 - 1"). Throws ConfigError for what cannot be written at all,
  /// SystemError. Empty: it is not written.
  std::function<std::vector<std::string>(const std::shared_ptr<const TraceStore>& store, const std::string& path)>
      write = {};
  /// In place of `write`, of formats without collective calls: writes any application. Returns the number
  /// of operations.
  u64 (*write_program)(const Program& program, const TextSink& write) = nullptr;
  bool writes_requests = false;  ///< write_program takes programs with requests
  /// Its sends are blocking calls of MPI where they are not said to be non-blocking.
  bool tells_blocking_sends = true;
  std::string ending = {};  ///< of names of what is written: ".clog2"
  u32 place = 100;          ///< formats with less are asked first; those that recognise anything say more
};
using TraceFormats = Registry<TraceFormat>;

/// The name of the format of a trace. `format` is a registered name, or "auto": by content. Throws ConfigError (unknown
/// name), InputError (none recognises it).
[[nodiscard]] std::string find_trace_format(const TraceInput& input, const std::string& format = "auto");

/// All files that a trace lies in. `format`: a registered name.
[[nodiscard]] std::vector<std::string> files_of(const TraceInput& input, const std::string& format);

struct OpenedTrace {
  std::string format;
  std::unique_ptr<TraceSource> source;
};
/// Opens a trace of events. Throws what find_trace_format does, InputError too if it holds graphs.
[[nodiscard]] OpenedTrace open_trace(const TraceInput& input, const std::string& format = "auto");

}  // namespace weft::workloads
