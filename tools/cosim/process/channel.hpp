// The memory that weft shares with the processes of a program: a line to each process, and what the processes send
// each other. A library that is preloaded into programs of others includes this: the C++ library's headers without
// code only.
//
//   Board, then a Channel for each task, then for each task a heap (Heap): an entry for each message that it has sent,
//   by its number, and the blocks that hold them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "workloads/program/external/command.hpp"

namespace weft::tools::cosim {

using workloads::Answer;
using workloads::Command;
using workloads::CommandKind;
using workloads::Completion;

/// Name of the variable by which processes find the memory: a path.
inline constexpr const char* channel_variable = "WEFT_COSIM_CHANNEL";
inline constexpr std::uint64_t channel_sign = 0x3274'6677'6D69'736F;  // of this version of the layout

/// How processes say for how long they computed.
enum class Measure : std::uint32_t {
  nothing,
  processor_time,  ///< of the calling thread
  instructions     ///< of the calling thread, outside of the kernel
};

struct Board {
  std::uint64_t sign = 0;
  std::uint32_t tasks = 0;
  Measure measure = Measure::nothing;
  double ns_per_instruction = 0;
  std::int32_t weft_process = 0;
  std::uint32_t short_wait_ns = 0;  ///< how long a process looks for an answer before it sleeps
};

enum class ProcessState : std::uint32_t {
  missing,  ///< MPI_Init has not been called
  running,
  over,         ///< MPI_Finalize has been called
  unsupported,  ///< it has called what is not supported: `text`
  aborted,      ///< MPI_Abort has been called, with `code`
  left,         ///< it has ended without MPI_Finalize
  failed        ///< the machine underneath failed: `text`
};

/// Between weft and a process. `written`, `taken` and `answered` count, and are what the other side sleeps on.
struct Channel {
  static constexpr std::uint32_t capacity = 1024;  ///< steps that a process may be ahead
  static constexpr std::uint32_t most_completions = 256;

  // Written by the process.
  alignas(64) std::atomic<std::uint32_t> written;
  std::atomic<std::uint32_t> process_sleeps;
  std::atomic<ProcessState> state;
  std::int32_t process;
  std::int32_t code;
  char text[236];
  // Written by weft.
  alignas(64) std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> answered;
  std::atomic<std::uint32_t> weft_sleeps;
  std::atomic<std::uint32_t> node;  ///< of the network, from 1; 0: not known yet
  Answer answer;
  Completion completions[most_completions];

  alignas(64) Command commands[capacity];
};

/// What a process has sent. The entry of message n holds where its block begins in the heap, from 1; 0 is none.
struct Heap {
  static constexpr std::uint64_t entry_bytes = std::uint64_t{8} << 32;
  static constexpr std::uint64_t bytes = 2 * entry_bytes;
};

/// Before the data of a message.
struct Block {
  std::atomic<std::uint32_t> is_taken;  ///< its receiver needs it no more
  std::uint32_t bucket;                 ///< its room is 2^bucket bytes, this included
  std::uint64_t bytes;                  ///< of data
  std::int32_t source, tag;             ///< as the receiver's communicator numbers them
  std::uint32_t number;
  std::uint32_t unused;
  std::uint64_t next;  ///< of its bucket, for the sender
};

[[nodiscard]] inline constexpr std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }
[[nodiscard]] inline constexpr std::uint64_t channel_at(std::uint32_t task) {
  return whole_pages(sizeof(Board)) + task * whole_pages(sizeof(Channel));
}
[[nodiscard]] inline constexpr std::uint64_t heap_at(std::uint32_t tasks, std::uint32_t task) {
  return channel_at(tasks) + task * Heap::bytes;
}
[[nodiscard]] inline constexpr std::uint64_t memory_bytes(std::uint32_t tasks) { return heap_at(tasks, tasks); }

/// Communicators of programs: messages of calls of the program, and those of collective calls, are two in weft.
[[nodiscard]] inline constexpr std::uint32_t communicator_of(std::uint32_t context, int tag) {
  return context * 2 + (tag < 0 ? 1 : 0);
}
[[nodiscard]] inline constexpr std::uint32_t tag_of(int tag) {
  return tag < 0 ? 0u - static_cast<std::uint32_t>(tag) : static_cast<std::uint32_t>(tag);
}

}  // namespace weft::tools::cosim
