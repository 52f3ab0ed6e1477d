// What the tracer records of a process: a buffer for each thread, from which blocks go to the file of the rank. On the
// way of a call there are no locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

#include "tools/tracer/library.hpp"
#include "workloads/trace/format/weft/weft_records.hpp"

namespace weft::tracer {

using records::Call;
using records::Kind;

/// Memory that grows and is used again.
class Scratch {
 public:
  /// Room for `count` things; null if there is no memory. What was there before is lost.
  template <class Thing>
  Thing* room(std::size_t count) {
    return static_cast<Thing*>(bytes(count * sizeof(Thing)));
  }

 private:
  void* bytes(std::size_t wanted);
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

/// A thread that makes calls.
struct Thread {
  static constexpr std::size_t slack = 256;  ///< no record without lists is longer
  std::uint8_t* at = nullptr;
  std::uint8_t* full = nullptr;            ///< no room for another record beyond this
  std::uint8_t* begin = nullptr;           ///< of the block's bytes
  std::uint64_t last_ns = 0;               ///< end of the last record
  std::uint64_t block_ns = 0;              ///< what the first record of the block counts from
  std::uint64_t wall_ns = 0, time_ns = 0;  ///< the last reading of the clock
  std::uint64_t last_request = 0;
  std::uint64_t calls = 0;
  std::uint64_t polled_from = 0, polled_to = 0;  ///< unsuccessful tests not yet recorded
  std::uint32_t records = 0, number = 0, blocks = 0;
  int depth = 0;             ///< calls of MPI inside of calls of MPI
  bool is_inside = false;    ///< of a call whose messages are recorded one by one
  bool has_paused = false;   ///< calls have not been recorded since the last record
  MPI_Comm comm = {};        ///< of that call
  bool knows_ranks = false;  ///< all messages of that call are between ranks of this communicator
  Scratch requests, statuses, inner_statuses;
  Thread* next = nullptr;

  /// Now, in nanoseconds since the begin of the trace.
  std::uint64_t tick();
};

/// Whether calls are recorded at all: between MPI_Init and MPI_Finalize.
extern std::atomic<bool> started;
/// Switched off and on by MPI_Pcontrol and by a signal.
extern std::atomic<bool> switched_on;
extern bool has_window;
extern constinit thread_local Thread* own __attribute__((tls_model("initial-exec")));

/// The thread that calls; null if there is no memory for it.
Thread* new_thread();
inline Thread* this_thread() { return own != nullptr ? own : new_thread(); }
/// Whether the next call of the thread is among those that were asked for.
bool in_window(const Thread& thread);

void start_recording(int rank, int ranks, bool several_threads, bool has_inner, const char* version);
/// Writes what is buffered. The last one.
void end_recording(records::State state);
/// A block of definitions. From any thread.
void write_definition(const std::uint8_t* bytes, std::size_t count);
/// The block of a thread, to make room.
void flush(Thread& thread);
/// A record that is longer than what is left of a block: room for it, to be given back by long_record_end.
std::uint8_t* long_record_begin(Thread& thread, std::size_t most_bytes);
void long_record_end(Thread& thread, const std::uint8_t* begin, std::uint8_t* end);
/// The times of unsuccessful tests.
void record_polling(Thread& thread);

/// Begins a record at `to`; times only if it is no continuation.
inline std::uint8_t* put_head(Thread& thread, std::uint8_t* to, Kind kind, std::uint8_t flags, std::uint64_t begin) {
  *to++ = static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | flags);
  if (flags & records::continues) return to;
  to = records::put(to, begin > thread.last_ns ? begin - thread.last_ns : 0);
  if (begin > thread.last_ns) thread.last_ns = begin;
  return to;
}
inline std::uint8_t* put_duration(Thread& thread, std::uint8_t* to, std::uint8_t flags, std::uint64_t end) {
  if (flags & records::continues) return to;
  to = records::put(to, end > thread.last_ns ? end - thread.last_ns : 0);
  if (end > thread.last_ns) thread.last_ns = end;
  return to;
}
inline std::uint8_t* put_request(Thread& thread, std::uint8_t* to, std::uint64_t request) {
  to = records::put(to, records::zigzag(static_cast<std::int64_t>(request - thread.last_request)));
  thread.last_request = request;
  return to;
}
inline std::uint8_t* put_message(std::uint8_t* to, std::uint64_t communicator, int peer, int tag, std::uint64_t bytes) {
  to = records::put(to, communicator);
  to = records::put(to, records::zigzag(peer == MPI_ANY_SOURCE ? records::any : peer));
  to = records::put(to, records::zigzag(tag == MPI_ANY_TAG ? records::any : tag));
  return records::put(to, bytes);
}
/// Puts the status of a message that came. After sends, statuses hold what was there before.
inline std::uint8_t* put_status(std::uint8_t* to, const MPI_Status& status) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  const std::uint64_t bytes = bytes_of(status);
  to = records::put(to, bytes > most_bytes ? 0 : bytes + 1);
  to = records::put(to, records::zigzag(is_cancelled(status) ? records::any : status.MPI_SOURCE));
  return records::put(to, records::zigzag(status.MPI_TAG));
}
inline void end_record(Thread& thread, std::uint8_t* to) {
  thread.at = to;
  ++thread.records;
  if (to > thread.full) flush(thread);
}

}  // namespace weft::tracer
