// Reader of liballprof's text: a line for each call of MPI, its arguments as C has them between colons.
#pragma once

#include <array>
#include <map>
#include <unordered_map>

#include "engine/base/text/line_reader.hpp"
#include "workloads/trace/format/gathered_communicators.hpp"
#include "workloads/trace/format/pending_requests.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {

/// A call and how its arguments are written, a letter for each: b any, n t d g count, type, partner and tag of what is
/// sent (or of all), N T D G of what is received, l L lists of counts, x another list, R root, c communicator, r a
/// request or the first of several.
struct LiballprofCall {
  enum class Kind : u8 {
    send,
    isend,
    receive,
    ireceive,
    persistent_send,
    persistent_receive,
    start,
    sendrecv,
    wait,
    wait_one,
    test,
    probe,
    collective,
    split,
    free,
    other
  };
  std::string_view name;
  Kind kind;
  std::string_view arguments;
};
/// Null for a call that is not in the table.
[[nodiscard]] const LiballprofCall* liballprof_call(std::string_view name);

struct LiballprofTrace {
  u32 tasks = 0;
  bool alone = false;
  GatheredCommunicators gathered;
};

/// A line in parts.
struct LiballprofLine {
  struct Communicator {
    u64 handle = 0;
    u32 rank = 0, size = 0;
  };
  std::string_view name;
  const LiballprofCall* call = nullptr;
  bool has_begin = false, has_end = false;
  double begin_us = 0, end_us = 0;
  std::array<i64, 128> numbers{};  ///< by letter; of types their sizes
  std::vector<i64> sent, received;
  bool lists = false;  ///< whether lists of counts are there
  Communicator communicator;
  [[nodiscard]] i64 at(char letter) const { return numbers[static_cast<std::size_t>(letter)]; }
};

/// Lines of a file, parsed. Throws InputError.
class LiballprofLines {
 public:
  explicit LiballprofLines(std::unique_ptr<ByteSource> source);
  bool next(LiballprofLine& line);
  [[nodiscard]] u64 number() const { return lines_.number(); }
  [[noreturn]] void reject(const std::string& problem, std::string_view got, const std::string& expected) const {
    lines_.reject(problem, got, expected);
  }

 private:
  [[nodiscard]] i64 integer(std::string_view text, const char* what) const;
  void arguments(LiballprofLine& line);
  LineReader lines_;
  std::vector<std::string_view> fields_, parts_;
};

/// Times begin with the first one of the file. Which request a waitany or waitsome met is not in the trace: the oldest
/// of those it names is taken; whether a test was met, neither: its request is waited for where it is used again, or at
/// the end.
class LiballprofReader final : public QueueingReader {
 public:
  LiballprofReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const LiballprofTrace> trace, u32 task);
  [[nodiscard]] u64 position() const override { return lines_.number(); }
  [[nodiscard]] u32 tasks() const override { return trace_->tasks; }

 private:
  bool read_more() override;
  using Kind = TraceEvent::Kind;
  using Requests = PendingRequests<u64>;  // by address
  struct Group {
    u32 number = 0, ranks = 0;
    bool all = false, self = false;
  };
  struct Persistent {
    bool sends = false;
    TraceEvent event;
  };

  void take();
  void other_call();
  TraceEvent& add(Kind kind);
  Group group();
  [[nodiscard]] u32 task_of(const Group& group, i64 rank) const;
  [[nodiscard]] u64 bytes(i64 count, i64 size) const;
  [[nodiscard]] bool is_null(i64 partner, bool sends) const;
  bool message(Kind kind, char count, char type, char partner, char tag);
  void start(u64 address, const TraceEvent& event, bool sends);
  [[nodiscard]] u64 end_of_requests(u64 first) const;
  void wait();
  void end_request(u64 number, bool continues);
  void collective();
  void collective_sizes(TraceEvent& event, bool at_root);

  LiballprofLines lines_;
  std::shared_ptr<const LiballprofTrace> trace_;
  u32 task_;
  LiballprofLine line_;
  Requests requests_;
  std::map<u64, Persistent> persistent_;
  std::unordered_map<u64, u32> handles_;  ///< communicators that were used, by handle
  std::vector<u32> made_;                 ///< communicators that no handle is known of yet
  std::size_t calls_made_ = 0;
  bool mpich_ = false;
  bool began_ = false, ended_ = false;
  double zero_us_ = 0;
  u64 begin_ns_ = 0, end_ns_ = 0;
};

/// Names of enter and leave events.
[[nodiscard]] std::vector<TraceName> liballprof_names();

}  // namespace weft::workloads
