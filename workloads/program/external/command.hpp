// What a process outside of the simulator tells of itself, and what it is told. Plain data: it lies in shared memory,
// and libraries that are preloaded into programs of others include this, so nothing of the project is included here.
#pragma once

#include <cstdint>

namespace weft::workloads {

enum class CommandKind : std::uint8_t {
  send,        ///< starts a send; it goes on at once
  receive,     ///< posts a receive; it goes on at once
  await,       ///< waits until a request is complete
  cancel,      ///< withdraws a receive, if no message has come for it yet
  tell,        ///< asks for the time and for what is complete
  listen,      ///< the same, but not before something is complete that it has not been told of
  probe,       ///< asks whether a message is there that a receive would take
  probe_wait,  ///< the same, but not before there is one
  returns,     ///< what it called is over: what comes next is computing
  end
};

/// A step of a process. Those from `tell` to `probe_wait` are answered, and the process waits for that.
struct Command {
  static constexpr std::uint32_t any = ~std::uint32_t{0};  ///< source or tag

  CommandKind kind = CommandKind::end;
  bool begins : 1 = false;       ///< the program has called something: it has been computing until here
  bool is_poll : 1 = false;      ///< it looks, and does not wait: takes the time that looking takes
  bool is_last : 1 = false;      ///< when this is answered, the program goes on computing
  bool is_blocking : 1 = false;  ///< send: the process does not go on before what it sends is its own again
  bool is_quiet : 1 = false;  ///< send: it is not awaited; await: when the request is complete, the process is not told
  bool is_synchronous : 1 = false;  ///< send: complete when a receive takes it
  std::uint16_t call = 0;           ///< what the program has called: number in `call_names`
  std::uint32_t request = 0;        ///< send, receive, await, cancel: a number of its own, until it is complete
  std::uint32_t peer = 0, tag = 0, communicator = 0, unused = 0;
  std::uint64_t bytes = 0;
  std::uint64_t computed_ns = 0;  ///< begins: for how long it has been computing, if that is measured
};
static_assert(sizeof(Command) == 40);

/// A request that is complete.
struct Completion {
  std::uint32_t request = 0;
  bool is_cancelled = false;
  std::uint8_t unused[3] = {};
  // For a receive: the message, by its number among all that its source sent.
  std::uint32_t source = 0, number = 0;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(Completion) == 24);

/// What a process is told.
struct Answer {
  std::uint64_t now_ps = 0;
  // For a probe: the message.
  std::uint32_t source = 0, number = 0, tag = 0;
  bool found = false;
  bool more = false;  ///< there are completions that it has not been told of: ask again
  std::uint16_t completions = 0;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(Answer) == 32);

}  // namespace weft::workloads
