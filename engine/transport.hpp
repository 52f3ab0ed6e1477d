// The ranks of a run and how they talk: the only door to MPI. With one process nothing is sent and nothing waits.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Bytes for or from one rank.
struct Batch {
  u32 rank = 0;
  std::vector<std::byte> bytes;
};

/// Communication between the ranks of a run. All members but `rank`, `size`, `threads`, `post`, `advance`, `receive`,
/// `complete_sends`, `blocked_s`, `exchange_s` and `abort` are collective.
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual u32 rank() const = 0;
  [[nodiscard]] virtual u32 size() const = 0;
  /// Ranks that are threads of this process, at least 1.
  [[nodiscard]] virtual u32 threads() const { return 1; }
  /// Sends out[i].bytes to out[i].rank and receives exactly one batch from each of these ranks into in[i] (same
  /// order). Every rank must list the ranks that list it. Buffers are reused.
  virtual void exchange(std::span<const Batch> out, std::span<Batch> in) = 0;
  /// Sends `bytes` to `rank` and does not wait. Takes the bytes; leaves an empty buffer that was used before.
  virtual void post(u32 rank, std::vector<std::byte>& bytes) = 0;
  /// Helps what this rank has posted on its way, without waiting; call now and then. Cheap if nothing is left to be
  /// done.
  virtual void advance() = 0;
  /// Waits for the next batch posted by batch.rank and receives it, reusing the buffer. The batches of a rank come in
  /// the order in which it posted them.
  virtual void receive(Batch& batch) = 0;
  /// Waits until all that this rank has posted is on its way; the others must receive it.
  virtual void complete_sends() = 0;
  /// Element-wise reductions over the ranks, in place; integers, so the result cannot depend on their order.
  virtual void sum(std::span<u64> values) = 0;
  virtual void min(std::span<u64> values) = 0;
  virtual void max(std::span<u64> values) = 0;
  /// All ranks' bytes on rank 0, in rank order; empty elsewhere.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) = 0;
  /// Replaces `bytes` on every rank by rank 0's.
  virtual void broadcast(std::vector<std::byte>& bytes) = 0;
  virtual void barrier() = 0;
  /// Seconds this rank has spent waiting for others, in exchanges and reductions.
  [[nodiscard]] virtual double blocked_s() const = 0;
  /// Seconds this rank has spent sending and receiving the events that cross, without waiting for them.
  [[nodiscard]] virtual double exchange_s() const = 0;
  /// Ends every rank with this exit code; does not return.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// All ranks' values on rank 0, [rank]; empty elsewhere. T is copied byte by byte. Collective.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> gather_values(Transport& transport, std::span<const T> mine) {
  std::vector<std::vector<T>> values;
  for (const auto& bytes : transport.gather(std::as_bytes(mine))) {
    values.emplace_back(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(static_cast<void*>(values.back().data()), bytes.data(), bytes.size());
  }
  return values;
}

/// Starts MPI if the program was launched by mpirun (or srun), else gives a single-process transport. One per program.
/// `for_threads`: so that several threads may talk through MPI at once, if it can (see on_threads). Throws SystemError
/// if MPI fails to start.
[[nodiscard]] std::unique_ptr<Transport> open_transport(int* argc, char*** argv, bool for_threads = false);

/// A transport for one process that never touches MPI (tests, tools that simulate nothing).
[[nodiscard]] std::unique_ptr<Transport> single_process();

}  // namespace weft::engine
