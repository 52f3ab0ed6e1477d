// .trc writer: plain text through one buffer, temporary name, rename.
#include "workloads/trace/trc_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <initializer_list>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "engine/error.hpp"
#include "workloads/trace/trace_reader.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;
constexpr std::size_t max_record_bytes = 128;

/// A file that exists under its name only once it is whole.
class WholeFile {
 public:
  explicit WholeFile(std::string path)
      : path_(std::move(path)), temporary_(path_ + ".tmp-" + std::to_string(::getpid())) {
    struct stat found {};
    if (::stat(path_.c_str(), &found) == 0 &&
        !S_ISREG(found.st_mode)) {  // a device or pipe is written to, not replaced
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      special_ = true;
    } else {
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (descriptor_ < 0) fail("create");
  }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!whole_ && !special_) ::unlink(temporary_.c_str());
  }

  void write(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  void commit() {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail("write");
    if (!special_ && ::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
    whole_ = true;
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    const std::string reason = std::strerror(errno);
    throw SystemError(fmt::format("cannot {} '{}' ({}); check that the folder exists, is writable and has space",
                                  action, path_, reason));
  }
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  bool whole_ = false, special_ = false;
};

class TrcWriter {
 public:
  explicit TrcWriter(const std::string& path) : file_(path) { buffer_.reserve(buffer_bytes); }

  void record(u32 task, const Op& op) {
    if (buffer_.size() + max_record_bytes > buffer_bytes) flush();
    if (op.kind == OpKind::compute) {
      line('c', {task, checked(op.amount, max_trace_compute_ns, "nanoseconds of computation")});
    } else {
      const bool sends = op.kind == OpKind::send;
      const u64 bytes = checked(op.amount, max_trace_bytes, "bytes in a message");
      line(sends ? 's' : 'r', {sends ? task : op.peer, sends ? op.peer : task, op.tag, bytes});
    }
    ++records_;
  }
  u64 finish() {
    flush();
    file_.commit();
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
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  WholeFile file_;
  std::string buffer_;
  u64 records_ = 0;
};

}  // namespace

u64 write_trc(const Program& program, const std::string& path) {
  const u32 tasks = program.tasks();
  if (tasks > max_trace_tasks) {
    throw ConfigError(
        fmt::format("{} tasks do not fit into a .trc file (at most {}); use fewer", tasks, max_trace_tasks));
  }
  TrcWriter writer(path);
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
  if (!any)
    throw ConfigError(
        fmt::format("'{}' has no operations (nothing to write to '{}'); give it some", program.name(), path));
  if (tasks_named < tasks) writer.record(tasks - 1, Op{OpKind::compute, 0, 0, 0});
  return writer.finish();
}

}  // namespace weft::workloads
