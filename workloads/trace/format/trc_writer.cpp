// .trc writer: plain text through one buffer.
#include "workloads/trace/format/trc_writer.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <initializer_list>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t write_buffer_bytes = 256 * 1024;
constexpr std::size_t max_line_bytes = 128;

class TrcWriter {
 public:
  explicit TrcWriter(const TextSink& write) : write_(write) { buffer_.reserve(write_buffer_bytes); }

  void record(u32 task, const Op& op) {
    if (buffer_.size() + max_line_bytes > write_buffer_bytes) flush();
    if (op.kind == OpKind::compute) {
      line('c', {task, checked(op.amount, max_trace_compute_ns, "nanoseconds of computation")});
    } else {
      const bool sends = op.kind == OpKind::send;
      if (op.peer == GraphOp::any) {
        throw ConfigError(fmt::format(
            "task {} receives from any task, and the trace does not say what came; write a .goal file", task));
      }
      const u64 bytes = checked(op.amount, max_trace_bytes, "bytes in a message");
      line(sends ? 's' : 'r', {sends ? task : op.peer, sends ? op.peer : task, op.tag, bytes});
    }
    ++records_;
  }
  u64 finish() {
    flush();
    return records_;
  }

 private:
  static u64 checked(u64 value, u64 max, const char* what) {
    if (value <= max) return value;
    throw ConfigError(
        fmt::format("{} {} do not fit into a .trc file (at most {}); use smaller amounts", value, what, max));
  }
  void line(char kind, std::initializer_list<u64> fields) {
    buffer_ += kind;
    for (const u64 field : fields) {
      char digits[24];
      const auto [end, error] = std::to_chars(digits, digits + sizeof digits, field);
      buffer_ += ' ';
      buffer_.append(digits, end);
    }
    buffer_ += '\n';
  }
  void flush() {
    write_(buffer_);
    buffer_.clear();
  }

  const TextSink& write_;
  std::string buffer_;
  u64 records_ = 0;
};

}  // namespace

u64 write_trc(const Program& program, const TextSink& write) {
  const u32 tasks = program.tasks();
  if (tasks > max_trace_tasks) {
    throw ConfigError(
        fmt::format("{} tasks do not fit into a .trc file (at most {}); use fewer", tasks, max_trace_tasks));
  }
  refuse_meetings(program);
  TrcWriter writer(write);
  bool any = false;
  u32 tasks_named = 0;
  for (u32 task = 0; task < tasks; ++task) {
    const auto stream = program.open(TaskId(task));
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      writer.record(task, op);
      any = true;
      tasks_named = std::max(tasks_named, 1 + (op.kind == OpKind::compute ? task : std::max(task, op.peer)));
    }
  }
  if (!any) throw ConfigError(fmt::format("'{}' has no operations (nothing to write); give it some", program.name()));
  if (tasks_named < tasks) writer.record(tasks - 1, Op{OpKind::compute, 0, 0, 0});
  return writer.finish();
}

}  // namespace weft::workloads
