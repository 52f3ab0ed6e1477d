// Numbers of calls, in the order of Extrae's table of events.
#include "workloads/trace/format/bsc/paraver_calls.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::workloads {
namespace {

using NumberedCollective = std::pair<u64, Collective>;
constexpr std::array<NumberedCollective, 14> blocking_calls = {{{7, Collective::broadcast},
                                                                {8, Collective::barrier},
                                                                {9, Collective::reduce},
                                                                {10, Collective::allreduce},
                                                                {11, Collective::all_to_all},
                                                                {12, Collective::all_to_allv},
                                                                {13, Collective::gather},
                                                                {14, Collective::gatherv},
                                                                {15, Collective::scatter},
                                                                {16, Collective::scatterv},
                                                                {17, Collective::allgather},
                                                                {18, Collective::allgatherv},
                                                                {30, Collective::scan},
                                                                {80, Collective::reduce_scatter}}};
constexpr u64 first_non_blocking = 154;
constexpr std::array<Collective, 14> non_blocking_calls = {
    Collective::reduce,         Collective::allreduce,   Collective::barrier,   Collective::broadcast,
    Collective::all_to_all,     Collective::all_to_allv, Collective::allgather, Collective::allgatherv,
    Collective::gather,         Collective::gatherv,     Collective::scatter,   Collective::scatterv,
    Collective::reduce_scatter, Collective::scan};

template <std::size_t count>
bool is_one_of(u64 number, const std::array<u64, count>& numbers) {
  return std::ranges::find(numbers, number) != numbers.end();
}

// Isend, Ibsend, Issend, Irsend, Start, Startall; Ssend, Issend; Recv, Sendrecv, Sendrecv_replace, waits and tests.
constexpr std::array<u64, 6> immediate_sends = {3, 36, 37, 38, 123, 124};
constexpr std::array<u64, 2> synchronous_sends = {34, 37};
constexpr std::array<u64, 3> receives = {2, 41, 42};
constexpr std::array<u64, 8> waits = {5, 6, 59, 60, 39, 125, 126, 128};
/// Calls that have sent or received a message when they are over.
struct MessageCall {
  u64 number;
  const char* name;
  bool sends, receives;
};
constexpr std::array<MessageCall, 11> message_calls = {{{1, "MPI_Send", true, false},
                                                        {2, "MPI_Recv", false, true},
                                                        {3, "MPI_Isend", true, false},
                                                        {33, "MPI_Bsend", true, false},
                                                        {34, "MPI_Ssend", true, false},
                                                        {35, "MPI_Rsend", true, false},
                                                        {36, "MPI_Ibsend", true, false},
                                                        {37, "MPI_Issend", true, false},
                                                        {38, "MPI_Irsend", true, false},
                                                        {41, "MPI_Sendrecv", true, true},
                                                        {42, "MPI_Sendrecv_replace", true, true}}};
constexpr u64 number_of_wait = 5, number_of_waitall = 6;

}  // namespace

ParaverCall paraver_call(u64 number) {
  ParaverCall call;
  call.immediate = is_one_of(number, immediate_sends);
  call.synchronous = is_one_of(number, synchronous_sends);
  call.receives = is_one_of(number, receives) || is_one_of(number, waits);
  const auto message = std::ranges::find(message_calls, number, &MessageCall::number);
  call.must_send = message != message_calls.end() && message->sends;
  call.must_receive = message != message_calls.end() && message->receives;
  call.waits = number == number_of_wait || number == number_of_waitall;
  call.waits_for_all = number == number_of_waitall;
  const auto found = std::ranges::find(blocking_calls, number, &NumberedCollective::first);
  if (found != blocking_calls.end()) {
    call.collective = true;
    call.operation = found->second;
  } else if (number >= first_non_blocking && number < first_non_blocking + non_blocking_calls.size()) {
    call.collective = call.non_blocking = true;
    call.operation = non_blocking_calls[number - first_non_blocking];
  }
  return call;
}

const char* paraver_name(u64 number) {
  const auto message = std::ranges::find(message_calls, number, &MessageCall::number);
  return message == message_calls.end() ? "a call" : message->name;
}

}  // namespace weft::workloads
