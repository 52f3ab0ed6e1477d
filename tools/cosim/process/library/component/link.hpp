// The process's end of its line to weft.
#pragma once

#include "tools/cosim/process/channel.hpp"

namespace weft::tools::cosim {

/// Finds the memory, and the channel of a task. False: this process does not run under weft.
bool attach(std::uint32_t task, std::uint32_t tasks);
[[nodiscard]] const Board& board();
/// The node of the network, from 0, at which this process is; waits until weft knows it.
[[nodiscard]] unsigned own_node();
/// Where a heap begins; mapped when it is asked for first.
std::byte* heap(std::uint32_t task);
/// Room for what a heap holds; ends the run if there is none.
void reserve(std::uint64_t at, std::uint64_t bytes);
/// What lies there is not needed any more.
void give_back(std::uint64_t at, std::uint64_t bytes);

/// Says what comes next. Waits only if weft is far behind.
void put(Command command);
/// Says it and waits for the answer; `complete` is called for each request that is.
Answer ask(const Command& command);
void complete(const Completion& completion);  ///< requests.cpp

void set_state(ProcessState state, int code = 0, const char* text = "");
/// The program ends; whether it has called MPI_Finalize is seen from the state.
void leave_unfinished();
/// Whether what the program has called is over when what it waits for is complete.
[[nodiscard]] bool is_message_call();
/// Whether it is between MPI_Init and MPI_Finalize.
[[nodiscard]] bool is_running();
/// The program has called MPI_Finalize: it sends nothing more.
void finish_program();
/// Has weft end the run with this message, and waits for that.
[[noreturn]] void refuse(const char* what);
[[noreturn]] void fail(const char* what);
/// Until weft ends this process.
[[noreturn]] void wait_for_the_end();

/// A call of the program begins, and ends. Only the outermost counts.
void enter_call(unsigned number);
void leave_call();
class Call {
 public:
  explicit Call(unsigned number = 0) { enter_call(number); }
  ~Call() { leave_call(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};
/// How many steps and completions there have been.
[[nodiscard]] std::uint64_t happened();
/// How many steps, but for ends of calls.
[[nodiscard]] std::uint64_t steps();

}  // namespace weft::tools::cosim
