// Buffers of threads, the clock, and the file of a rank.
#include "tools/tracer/recorder.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::tracer {

std::atomic<bool> started;
std::atomic<bool> switched_on{true};
bool has_window = false;
constinit thread_local Thread* own __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

using records::BlockHeader;
using records::FileHeader;
using records::State;

int file = -1;
pid_t process = 0;
FileHeader header = {};
std::atomic<std::uint64_t> file_end;
std::atomic<Thread*> threads;
std::atomic<std::uint32_t> thread_count, definition_count;
std::atomic<std::uint64_t> blocks_written, records_written, records_lost, last_written_ns;
std::atomic<int> write_error;
bool uses_cpu_clock = false;
std::uint64_t wall_begin_ns = 0, cpu_begin_ns = 0;
std::uint64_t from_call = 0, to_call = ~std::uint64_t{0}, from_ns = 0, to_ns = ~std::uint64_t{0};

/// Shorter times are taken from the wall clock, which takes a tenth of reading the processor's: a thread that loses its
/// core loses it for longer.
constexpr std::uint64_t trusted_ns = 5000;

std::uint64_t read_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}
/// The thread's, not the process's: helpers of the MPI library and threads beside this one compute at the same time.
std::uint64_t cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

bool write_at(const void* bytes, std::size_t count, std::uint64_t offset) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = pwrite(file, at, count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      if (written == 0) errno = EIO;
      return false;
    }
    at += written;
    count -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

void write_header(State state) {
  header.state = state;
  header.error = write_error;
  if (header.error != 0) header.state = State::cannot_write;
  header.threads = thread_count;
  header.blocks = blocks_written;
  header.records = records_written;
  header.lost = records_lost;
  header.end_ns = last_written_ns;
  header.checksum = records::sum_of(header);
  write_at(&header, sizeof header, 0);
}

/// `block` has room for the header in front of its bytes, so that both are written at once.
bool write_block(std::uint8_t* block, BlockHeader about) {
  about.magic = records::block_magic;
  about.checksum = records::sum_of(about, block + sizeof about);
  std::memcpy(block, &about, sizeof about);
  const std::size_t count = sizeof about + about.bytes;
  if (write_error == 0) {
    const std::uint64_t offset = file_end.fetch_add(count);
    if (write_at(block, count, offset)) {
      ++blocks_written;
      records_written += about.records;
      return true;
    }
    write_error = errno;
    std::fprintf(stderr,
                 "weft tracer: rank %u: cannot write more (%s); the program goes on, the trace has what was before\n",
                 header.rank, std::strerror(write_error));
    records_lost += about.records;
    write_header(State::cannot_write);
    return false;
  }
  records_lost += about.records;
  return false;
}

std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == 0 ? usual : std::strtoull(text, nullptr, 10);
}

void toggle(int /*signal*/) { switched_on = !switched_on.load(); }

/// Ends the recording of programs that end without MPI_Finalize.
__attribute__((destructor)) void end_of_process() { end_recording(State::exited); }

}  // namespace

void* Scratch::bytes(std::size_t wanted) {
  if (wanted > size_ || memory_ == nullptr) {
    std::free(memory_);
    size_ = wanted + wanted / 2 + 64;
    memory_ = std::malloc(size_);
    if (memory_ == nullptr) size_ = 0;
  }
  return memory_;
}

std::uint64_t Thread::tick() {
  const std::uint64_t wall = read_clock(CLOCK_MONOTONIC);
  const std::uint64_t passed = wall - wall_ns;
  wall_ns = wall;
  if (!uses_cpu_clock) {
    time_ns = wall - wall_begin_ns;
  } else if (passed < trusted_ns) {
    time_ns += passed;
  } else {
    const std::uint64_t cpu = cpu_ns() - cpu_begin_ns;
    if (cpu > time_ns) time_ns = cpu;
  }
  return time_ns;
}

Thread* new_thread() {
  // Never freed: MPI calls may come from destructors of anything.
  auto* const memory =
      static_cast<std::uint8_t*>(mmap(nullptr, sizeof(Thread) + sizeof(BlockHeader) + header.block_bytes,
                                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return nullptr;
  auto* const thread = ::new (memory) Thread;
  thread->begin = memory + sizeof(Thread) + sizeof(BlockHeader);
  thread->at = thread->begin;
  thread->full = thread->begin + header.block_bytes - Thread::slack;
  thread->number = thread_count.fetch_add(1);
  thread->tick();
  thread->next = threads.load();
  while (!threads.compare_exchange_weak(thread->next, thread)) {
  }
  own = thread;
  return thread;
}

bool in_window(const Thread& thread) {
  if (thread.calls < from_call || thread.calls > to_call) return false;
  if (from_ns == 0 && to_ns == ~std::uint64_t{0}) return true;
  const std::uint64_t now = read_clock(CLOCK_MONOTONIC) - wall_begin_ns;
  return now >= from_ns && now < to_ns;
}

void start_recording(int rank, int ranks, bool several_threads, bool has_inner, const char* version) {
  const char* const folder = std::getenv("WEFT_TRACE_DIR");
  if (folder == nullptr || started.load()) return;
  char path[4096];
  std::snprintf(path, sizeof path, "%s/rank-%d.weft", folder, rank);
  file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) {
    std::fprintf(stderr, "weft tracer: rank %d: cannot make '%s' (%s); nothing is recorded\n", rank, path,
                 std::strerror(errno));
    return;
  }
  const char* const clock = std::getenv("WEFT_TRACE_CLOCK");
  uses_cpu_clock = !several_threads && (clock == nullptr || std::strcmp(clock, "wall") != 0);
  std::memcpy(header.magic, records::file_magic, sizeof header.magic);
  header.header_bytes = sizeof header;
  header.rank = static_cast<std::uint32_t>(rank);
  header.ranks = static_cast<std::uint32_t>(ranks);
#ifdef OPEN_MPI
  header.library = records::Library::openmpi;
#else
  header.library = records::Library::mpich;
#endif
  header.clock = uses_cpu_clock ? records::Clock::cpu : records::Clock::wall;
  header.has_inner = has_inner ? 1 : 0;
  header.block_bytes = static_cast<std::uint32_t>(setting("WEFT_TRACE_BLOCK", records::default_block_bytes));
  if (header.block_bytes < records::least_block_bytes || header.block_bytes > records::most_block_bytes)
    header.block_bytes = records::default_block_bytes;
  std::snprintf(header.library_version, sizeof header.library_version, "%s", version);
  // "Open MPI v4.1.4, package: ..." or "MPICH Version: 4.0.2" and more lines.
  for (char* c = header.library_version; *c != 0; ++c) {
    if (*c == '\t') *c = ' ';
    if (*c == '\n' || *c == ',') *c = 0;
  }
  from_call = setting("WEFT_TRACE_FROM_CALL", 0);
  to_call = setting("WEFT_TRACE_TO_CALL", ~std::uint64_t{0});
  from_ns = setting("WEFT_TRACE_FROM_NS", 0);
  to_ns = setting("WEFT_TRACE_TO_NS", ~std::uint64_t{0});
  has_window = from_call > 0 || ~to_call != 0 || from_ns > 0 || ~to_ns != 0;
  switched_on = setting("WEFT_TRACE_OFF", 0) == 0;
  if (const auto number = static_cast<int>(setting("WEFT_TRACE_SIGNAL", 0)); number > 0) {
    struct sigaction action = {};
    action.sa_handler = toggle;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
  // A file that grows beyond what is allowed is an error of pwrite, as a full disk is, and no end of the program.
  struct sigaction usual = {};
  if (sigaction(SIGXFSZ, nullptr, &usual) == 0 && usual.sa_handler == SIG_DFL) {
    usual.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &usual, nullptr);
  }
  process = getpid();
  file_end = sizeof header;
  write_header(State::recording);
  wall_begin_ns = read_clock(CLOCK_MONOTONIC);
  cpu_begin_ns = cpu_ns();
  started = true;
}

void flush(Thread& thread) {
  if (thread.records == 0) return;
  BlockHeader about = {};
  about.kind = records::BlockKind::records;
  about.bytes = static_cast<std::uint32_t>(thread.at - thread.begin);
  about.records = thread.records;
  about.thread = thread.number;
  about.number = thread.blocks++;
  about.begin_ns = thread.block_ns;
  if (write_block(thread.begin - sizeof about, about)) {
    if (thread.last_ns > last_written_ns) last_written_ns = thread.last_ns;
  }
  thread.at = thread.begin;
  thread.records = 0;
  thread.block_ns = thread.last_ns;
  thread.last_request = 0;
}

void write_definition(const std::uint8_t* bytes, std::size_t count) {
  auto* const block = static_cast<std::uint8_t*>(std::malloc(sizeof(BlockHeader) + count));
  if (block == nullptr) return;
  std::memcpy(block + sizeof(BlockHeader), bytes, count);
  BlockHeader about = {};
  about.kind = records::BlockKind::definitions;
  about.bytes = static_cast<std::uint32_t>(count);
  about.number = definition_count++;
  write_block(block, about);
  std::free(block);
}

std::uint8_t* long_record_begin(Thread& thread, std::size_t most_bytes) {
  flush(thread);
  auto* const block = static_cast<std::uint8_t*>(std::malloc(sizeof(BlockHeader) + most_bytes));
  return block == nullptr ? nullptr : block + sizeof(BlockHeader);
}

void long_record_end(Thread& thread, const std::uint8_t* begin, std::uint8_t* end) {
  // A block of its own: the thread's buffer is empty, and takes its place for a moment.
  std::uint8_t* const usual = thread.begin;
  thread.begin = const_cast<std::uint8_t*>(begin);
  thread.at = end;
  thread.records = 1;
  flush(thread);
  std::free(thread.begin - sizeof(BlockHeader));
  thread.begin = thread.at = usual;
}

void record_polling(Thread& thread) {
  std::uint8_t* to = put_head(thread, thread.at, Kind::polled, 0, thread.polled_from);
  to = put_duration(thread, to, 0, thread.polled_to);
  thread.polled_to = 0;
  end_record(thread, to);
}

void end_recording(State state) {
  if (!started.exchange(false) || getpid() != process) return;
  for (Thread* thread = threads; thread != nullptr; thread = thread->next) {
    if (thread->polled_to != 0) record_polling(*thread);
    flush(*thread);
  }
  write_header(state);
  close(file);
}

}  // namespace weft::tracer
