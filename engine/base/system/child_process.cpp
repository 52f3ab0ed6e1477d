// Child processes by posix_spawn; a fixed table of the running ones is all that the signal handler touches.
#include "engine/base/system/child_process.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"

extern char** environ;

namespace weft::process {
namespace {

constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

/// A place for a running child. Negative process ids mean StopWith::user_signal; 0 is free, -1 being filled.
std::array<std::atomic<pid_t>, 1024> running;
std::atomic<int> stops_received = 0;
std::atomic<i64> first_stop_ms = 0;  ///< 0: none has come
constexpr i64 patience_ms = 1000;
std::atomic<bool> stops_handled = false;

/// What was done about each of stop_signals before StopSignals; SIG_IGN (nohup, a job in the background) stays.
std::array<struct sigaction, stop_signals.size()> actions_before = {};

bool is_ignored(int signal) {
  struct sigaction action = {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void ask_to_stop(pid_t entry, bool insist) {
  if (entry == 0 || entry == -1) return;
  if (entry > 0) {
    ::kill(entry, insist ? SIGKILL : SIGTERM);
  } else {
    ::kill(-entry, insist ? SIGTERM : SIGUSR1);
  }
}

i64 now_ms() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return i64{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Only a person insists. Batch systems send several signals for one reason, at once or while checkpoints are written,
/// and so do programs that signal a process and then its group.
void handle_stop(int signal) {
  const int saved = errno;
  const i64 now = now_ms();
  i64 first = 0;
  const bool is_first = first_stop_ms.compare_exchange_strong(first, now);
  const bool insist = !is_first && signal == SIGINT && now - first >= patience_ms;
  ++stops_received;
  if (is_first || insist) {
    for (const std::atomic<pid_t>& entry : running) ask_to_stop(entry.load(), insist);
  }
  errno = saved;
}

[[noreturn]] void fail(const std::string& program, int error) {
  throw SystemError(fmt::format(
      "cannot start '{}' ({}); check that it is installed and that the machine has room for another process", program,
      std::strerror(error)));
}

/// Memory that a child writes to as to a file: unlike a pipe it never fills, and nobody has to read it meanwhile.
class Captured {
 public:
  explicit Captured(const std::string& program) : fd_(::memfd_create("weft-child", MFD_CLOEXEC)) {
    if (fd_ < 0) fail(program, errno);
  }
  ~Captured() { ::close(fd_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  /// From a byte on.
  [[nodiscard]] std::string text(off_t at = 0) const {
    std::string content;
    std::array<char, 4096> part;
    for (ssize_t got = 0; (got = ::pread(fd_, part.data(), part.size(), at)) > 0; at += got) {
      content.append(part.data(), static_cast<std::size_t>(got));
    }
    return content;
  }

 private:
  int fd_;
};

/// A place in `running`, taken before the child starts and free again before its process id can be used anew.
class Place {
 public:
  Place() {
    for (std::atomic<pid_t>& entry : running) {
      pid_t none = 0;
      if (entry.compare_exchange_strong(none, -1)) {
        entry_ = &entry;
        return;
      }
    }
    throw SystemError(fmt::format("too many processes at once ({}); start fewer jobs", running.size()));
  }
  ~Place() { entry_->store(0); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  void fill(pid_t child, StopWith stop) {
    entry_->store(stop == StopWith::terminate ? child : -child);
    // A signal that came before the child was known.
    if (stops_handled.load() && stops_received.load() > 0) ask_to_stop(entry_->load(), false);
  }

 private:
  std::atomic<pid_t>* entry_ = nullptr;
};

/// Whether a variable makes an MPI program believe that it is a rank of this process's launch. What users set to tune
/// their MPI (OMPI_MCA_..., OMPI_ALLOW_...) stays.
bool tells_of_a_launch(const std::string& variable) {
  for (const char* prefix : {"OMPI_COMM_", "OMPI_UNIVERSE_", "PMI_", "PMIX_", "MPI_LOCAL", "OMPI_MCA_orte_",
                             "OMPI_MCA_ess", "SLURM_STEP_NUM_TASKS="}) {
    if (variable.starts_with(prefix)) return true;
  }
  return false;
}

/// As C wants it; valid as long as `defaults` is.
std::vector<char*> child_environment(const std::vector<std::string>& defaults) {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!tells_of_a_launch(*variable)) variables.push_back(*variable);
  }
  for (const std::string& variable : defaults) {
    if (std::getenv(variable.substr(0, variable.find('=')).c_str()) == nullptr) {
      variables.push_back(const_cast<char*>(variable.c_str()));
    }
  }
  variables.push_back(nullptr);
  return variables;
}

/// The two structures of posix_spawn, freed however this ends.
struct SpawnPlan {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  SpawnPlan(const Captured& output, const Captured& error) {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output.fd(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, error.fd(), STDERR_FILENO);
    sigset_t none;
    sigset_t ours;
    sigemptyset(&none);
    sigemptyset(&ours);
    for (const int signal : stop_signals) {
      if (!is_ignored(signal)) sigaddset(&ours, signal);
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ours);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    // Out of reach of the terminal's Ctrl-C where that comes to us, so that it is handed on once and in the right form.
    if (stops_handled.load()) flags = static_cast<short>(flags | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setflags(&attributes, flags);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
};

/// Waits without reaping, so that the process id stays taken until nobody signals it any more.
void wait_for_end(pid_t child) {
  siginfo_t info;
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

/// Shows lines as they come until the child has ended; those that nobody took.
std::string watched_lines(pid_t child, const Captured& error, const TakesLine& takes) {
  constexpr auto pause = std::chrono::milliseconds(100);
  std::string left;
  std::size_t seen = 0;
  for (bool ended = false; !ended;) {
    siginfo_t info = {};
    ended = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid != 0;
    const std::string text = error.text(static_cast<off_t>(seen));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      if (!takes(line)) left.append(line) += '\n';
    }
    seen += begin;
    if (ended) left += text.substr(begin);
    if (!ended) std::this_thread::sleep_for(pause);
  }
  return left;
}

int reaped_exit_code(pid_t child, const std::string& program) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, errno);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ChildOutcome run_child(const std::vector<std::string>& command, StopWith stop, const std::vector<std::string>& defaults,
                       const TakesLine& takes) {
  const std::string& program = command.front();
  const Captured output(program);
  const Captured error(program);
  const SpawnPlan plan(output, error);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::vector<char*> environment = child_environment(defaults);

  ChildOutcome outcome;
  const double begin_s = wall_s();
  pid_t child = 0;
  {
    Place place;
    const int failure =
        ::posix_spawnp(&child, program.c_str(), &plan.files, &plan.attributes, arguments.data(), environment.data());
    if (failure != 0) fail(program, failure);
    place.fill(child, stop);
    outcome.error = takes ? watched_lines(child, error, takes) : "";
    wait_for_end(child);
  }
  outcome.exit_code = reaped_exit_code(child, program);
  outcome.wall_s = wall_s() - begin_s;
  outcome.output = output.text();
  if (!takes) outcome.error = error.text();
  return outcome;
}

std::vector<std::string> environment_of_children(const std::vector<std::string>& settings) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!tells_of_a_launch(*variable)) all.emplace_back(*variable);
  }
  for (const std::string& setting : settings) {
    const std::string name = setting.substr(0, setting.find('=') + 1);
    std::erase_if(all, [&](const std::string& variable) { return variable.starts_with(name); });
    all.push_back(setting);
  }
  return all;
}

ExitCode exit_code_of(int code) { return code >= 2 && code <= 5 ? static_cast<ExitCode>(code) : ExitCode::system; }

int run_in_front(const std::vector<std::string>& command, const std::vector<std::string>& settings, int output,
                 StopWith stop) {
  const std::string& program = command.front();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<std::string> variables = environment_of_children(settings);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  struct sigaction ignore = {}, interrupt = {}, quit = {};
  ignore.sa_handler = SIG_IGN;
  sigset_t usual;
  sigemptyset(&usual);
  ::sigaction(SIGINT, &ignore, &interrupt);
  ::sigaction(SIGQUIT, &ignore, &quit);
  if (interrupt.sa_handler != SIG_IGN) sigaddset(&usual, SIGINT);
  if (quit.sa_handler != SIG_IGN) sigaddset(&usual, SIGQUIT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  pid_t child = 0;
  int failure = 0;
  {
    Place place;
    failure = ::posix_spawnp(&child, program.c_str(), &files, &attributes, arguments.data(), environment.data());
    if (failure == 0) {
      place.fill(child, stop);
      wait_for_end(child);
    }
  }
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  const int code = failure == 0 ? reaped_exit_code(child, program) : 0;
  ::sigaction(SIGINT, &interrupt, nullptr);
  ::sigaction(SIGQUIT, &quit, nullptr);
  if (failure != 0) fail(program, failure);
  return code;
}

StopSignals::StopSignals() {
  WEFT_ASSERT(!stops_handled.load());
  stops_received = 0;
  first_stop_ms = 0;
  stops_handled = true;
  struct sigaction action = {};
  action.sa_handler = handle_stop;
  sigemptyset(&action.sa_mask);
  for (std::size_t ix = 0; ix < stop_signals.size(); ++ix) {
    const bool ignored = is_ignored(stop_signals[ix]);
    ::sigaction(stop_signals[ix], ignored ? nullptr : &action, &actions_before[ix]);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t ix = 0; ix < stop_signals.size(); ++ix) {
    ::sigaction(stop_signals[ix], &actions_before[ix], nullptr);
  }
  stops_handled = false;
}

int StopSignals::received() { return stops_received.load(); }

}  // namespace weft::process
