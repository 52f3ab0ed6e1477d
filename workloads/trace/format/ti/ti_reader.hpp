// Reader of SimGrid's time-independent traces: lines RANK ACTION ARGUMENT..., with computation in flops, which count as
// nanoseconds.
#pragma once

#include <array>
#include <tuple>
#include <unordered_map>

#include "engine/base/text/line_reader.hpp"
#include "workloads/trace/format/pending_requests.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {

/// MPI_ANY_SOURCE, MPI_ANY_TAG and MPI_PROC_NULL of SMPI; -1 is any, too.
inline constexpr i64 ti_any_source = -555, ti_any_tag = -444, ti_proc_null = -666;
/// Bytes of data types by number; 0: not known.
inline constexpr std::array<u8, 62> ti_type_bytes = {
    8,  4,  1, 2, 8, 4,  1,  8, 1, 1, 2,  4, 8,  8,  16, 4, 1, 1, 2,  4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8,
    16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 32, 1,  2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 1,  0,  0, 0, 0};
inline constexpr u32 ti_double = 0, ti_byte = 6;

enum class TiAction : u8 {
  ignored,
  init,
  finalize,
  compute,
  sleep,
  send,
  isend,
  receive,
  ireceive,
  wait,
  test,
  waitall,
  waitany,
  sendrecv,
  collective,
  unknown
};
struct TiCall {
  TiAction action;
  Collective operation = Collective::barrier;  ///< collective
};
/// Names are of any case: SimGrid has changed them.
[[nodiscard]] TiCall ti_call(std::string_view name);
/// "bcast".
[[nodiscard]] std::string ti_name(Collective operation);

/// What must be known of a whole trace to read a line.
struct TiTrace {
  static constexpr u32 unknown_tasks = 0;
  u32 tasks = unknown_tasks;  ///< of a pipe not known: then calls with a count for each task are refused
  bool old = false;           ///< messages have no tags, waits are for the last request
};

class TiReader final : public QueueingReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  /// `own`: the only task that the text may be of, or any.
  TiReader(std::unique_ptr<ByteSource> source, TiTrace trace, u32 own = TraceEvent::any);
  [[nodiscard]] u64 position() const override { return lines_.number(); }
  [[nodiscard]] u32 tasks() const override { return tasks_; }

 private:
  bool read_more() override;
  using Kind = TraceEvent::Kind;
  using Requests = PendingRequests<std::tuple<i64, i64, i64>>;  // source, destination, tag, as written
  struct Task {
    u32 default_type = ti_byte;
    Requests requests;
    std::vector<u64> tested;  ///< numbers of some that were, each once; they may be over
  };

  bool take_line();
  void take(const TiCall& call);
  TraceEvent& add(Kind kind);
  void expect(std::size_t least, std::size_t most) const;
  [[nodiscard]] double number(std::size_t field, double least, double most, const char* what) const;
  [[nodiscard]] i64 integer(std::size_t field, i64 least, i64 most, const char* what) const;
  [[nodiscard]] u32 rank_at(std::size_t field, const char* what);
  [[nodiscard]] u64 type_bytes(std::size_t field) const;
  [[nodiscard]] u64 data_bytes(std::size_t count_field, u64 each) const;
  [[nodiscard]] std::vector<u64> counts(std::size_t first, u64 each) const;
  void compute(double nanoseconds);
  void flops(std::size_t field);
  void message(TiAction action);
  void send_receive();
  void wait(TiAction action);
  void end_request(u64 number, i64 source, i64 tag, bool continues);
  void end_tested();
  [[nodiscard]] u64 receive_of(i64 source, i64 tag) const;
  void collective(Collective operation);
  void list_collective(TraceEvent& event);
  [[nodiscard]] std::size_t listed_tasks(const char* name) const;

  LineReader lines_;
  TiTrace trace_;
  u32 own_;
  u32 tasks_ = 0;
  u32 task_ = 0;  ///< of the line
  Task* state_ = nullptr;
  std::unordered_map<u32, Task> states_;
  u64 pending_ = 0;                       ///< requests of all tasks
  std::vector<std::string_view> fields_;  ///< of the line; the first is the rank
  u32 ending_ = 0;                        ///< tasks whose tested requests have been ended, at the end of the text
  bool ended_ = false;
};

}  // namespace weft::workloads
