// Steps and answers in shared memory, from the process; see the header.
#include "tools/cosim/process/library/component/link.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/cosim/process/calls.hpp"
#include "tools/cosim/process/library/component/measure.hpp"
#include "tools/cosim/process/short_wait.hpp"

namespace weft::tools::cosim {
namespace {

int memory = -1;
const Board* shared_board = nullptr;
Channel* channel = nullptr;
std::byte** heaps = nullptr;
std::uint64_t events = 0, said = 0;
bool was_answered = false;  ///< and has not said since that it computes
// The calls that it is in.
unsigned depth = 0, call = 0;
bool is_new = false;  ///< no step of this call has been said
std::uint64_t computed_ns = 0;

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
  return ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

/// Sleeps while a word is `seen`. Ends if weft does.
void sleep_on(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  static ShortWait short_wait(shared_board->short_wait_ns);
  if (short_wait(word, seen)) return;
  while (word.load(std::memory_order_acquire) == seen) {
    channel->process_sleeps.store(1);
    if (word.load() == seen) {
      const timespec second = {1, 0};
      if (futex(word, FUTEX_WAIT, seen, &second) != 0 && errno == ETIMEDOUT &&
          ::kill(shared_board->weft_process, 0) != 0 && errno == ESRCH)
        ::_exit(1);
    }
    channel->process_sleeps.store(0);
  }
}

/// weft hears of what has been said at the end of a call, or when the process waits: not of each step by itself.
void wake_weft() {
  if (channel->weft_sleeps.load() != 0) futex(channel->written, FUTEX_WAKE, INT_MAX, nullptr);
}

void* map(std::uint64_t at, std::uint64_t bytes) {
  void* const mapped =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, static_cast<off_t>(at));
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

bool attach(std::uint32_t task, std::uint32_t tasks) {
  const char* const path = std::getenv(channel_variable);
  if (path == nullptr) return false;
  memory = ::open(path, O_RDWR | O_CLOEXEC);
  void* const front = memory < 0 ? nullptr : map(0, channel_at(0));
  if (front == nullptr || static_cast<Board*>(front)->sign != channel_sign) {
    std::fprintf(stderr, "weft: error: the process of task %u cannot open weft's memory (%s: %s)\n", task, path,
                 std::strerror(errno));
    ::_exit(1);
  }
  shared_board = static_cast<const Board*>(front);
  if (shared_board->tasks != tasks) {
    std::fprintf(stderr, "weft: error: there are %u processes, and weft expects %u\n", tasks, shared_board->tasks);
    ::_exit(1);
  }
  channel = static_cast<Channel*>(map(channel_at(task), whole_pages(sizeof(Channel))));
  heaps = static_cast<std::byte**>(std::calloc(tasks, sizeof(std::byte*)));
  if (channel == nullptr || heaps == nullptr) ::_exit(1);
  channel->process = ::getpid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!begin_measuring(*shared_board)) refuse("counting of instructions (perf_event_open) on this machine");
  set_state(ProcessState::running);
  return true;
}

const Board& board() { return *shared_board; }

unsigned own_node() {
  sleep_on(channel->node, 0);
  return channel->node.load() - 1;
}

std::byte* heap(std::uint32_t task) {
  if (heaps[task] == nullptr) {
    heaps[task] = static_cast<std::byte*>(map(heap_at(shared_board->tasks, task), Heap::bytes));
    if (heaps[task] == nullptr) fail("no room among its addresses for what other processes send");
  }
  return heaps[task];
}

void reserve(std::uint64_t at, std::uint64_t bytes) {
  if (::fallocate(memory, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at), static_cast<off_t>(bytes)) != 0)
    fail("no memory for messages that are sent and not received");
}

void give_back(std::uint64_t at, std::uint64_t bytes) {
  ::fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at), static_cast<off_t>(bytes));
}

void put(Command command) {
  if (!is_running()) refuse("messages after MPI_Finalize");
  ++events;
  if (command.kind != CommandKind::returns) ++said;
  command.call = static_cast<std::uint16_t>(call);
  if (is_new) {
    is_new = false;
    command.begins = true;
    command.computed_ns = computed_ns;
  }
  const std::uint32_t written = channel->written.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint32_t taken = channel->taken.load(std::memory_order_acquire);
    if (written - taken < Channel::capacity) break;
    wake_weft();
    sleep_on(channel->taken, taken);
  }
  channel->commands[written % Channel::capacity] = command;
  channel->written.store(written + 1);
}

Answer ask(const Command& command) {
  Answer first;
  for (bool is_first = true;; is_first = false) {
    const std::uint32_t before = channel->answered.load(std::memory_order_relaxed);
    Command next = command;
    if (!is_first) next = {.kind = CommandKind::tell};
    put(next);
    wake_weft();
    sleep_on(channel->answered, before);
    const Answer answer = channel->answer;
    was_answered = !command.is_last || answer.more;
    if (is_first) first = answer;
    Completion told[Channel::most_completions];
    std::memcpy(told, channel->completions, answer.completions * sizeof(Completion));
    for (unsigned ix = 0; ix < answer.completions; ++ix) {
      ++events;
      complete(told[ix]);
    }
    if (!answer.more) return first;
  }
}

void set_state(ProcessState state, int code, const char* text) {
  if (channel == nullptr) return;
  channel->code = code;
  std::snprintf(channel->text, sizeof channel->text, "%s", text);
  channel->state.store(state);
  futex(channel->written, FUTEX_WAKE, INT_MAX, nullptr);
}

bool is_running() {
  return channel != nullptr && channel->state.load(std::memory_order_relaxed) == ProcessState::running;
}

void leave_unfinished() {
  if (is_running()) set_state(ProcessState::left);
}

bool is_message_call() {
  switch (static_cast<MpiCall>(call)) {
    case MpiCall::Recv:
    case MpiCall::Sendrecv:
    case MpiCall::Sendrecv_replace:
    case MpiCall::Mrecv:
    case MpiCall::Wait:
    case MpiCall::Waitall:
      return true;
    default:
      return false;
  }
}

void finish_program() {
  put({.kind = CommandKind::end});
  wake_weft();
  channel->state.store(ProcessState::over);
}

void wait_for_the_end() {
  while (::kill(shared_board->weft_process, 0) == 0) ::sleep(1);
  ::_exit(1);
}

void refuse(const char* what) {
  set_state(ProcessState::unsupported, 0, what);
  wait_for_the_end();
}

void fail(const char* what) {
  set_state(ProcessState::failed, 0, what);
  wait_for_the_end();
}

void enter_call(unsigned number) {
  if (depth++ > 0) return;
  call = number;
  is_new = true;
  computed_ns = measured_ns();
}

void leave_call() {
  if (--depth > 0) return;
  if (is_new || channel == nullptr) {
    // It said nothing, so that the computing goes on.
    is_new = false;
    return;
  }
  if (was_answered && is_running()) {
    was_answered = false;
    put({.kind = CommandKind::returns});
  }
  wake_weft();
  start_measuring();
}

std::uint64_t happened() { return events; }
std::uint64_t steps() { return said; }

}  // namespace weft::tools::cosim
