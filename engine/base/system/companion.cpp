// Companions by fork and exec: posix_spawn cannot ask for a signal at the parent's death.
#include "engine/base/system/companion.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/program_path.hpp"

namespace weft::process {
namespace {

[[noreturn]] void fail_to_start(const std::string& program, int error) {
  throw SystemError(fmt::format(
      "cannot start '{}' ({}); check that it is installed and that the machine has room for another process", program,
      std::strerror(error)));
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child: they become 3, 4 and so on, first out of the way of each other. They are copied in place.
void hand_over(std::vector<int>& handed) {
  constexpr int first = STDERR_FILENO + 1;
  const int free = first + static_cast<int>(handed.size());
  for (int& descriptor : handed) descriptor = ::fcntl(descriptor, F_DUPFD_CLOEXEC, free);
  for (std::size_t k = 0; k < handed.size(); ++k) ::dup2(handed[k], first + static_cast<int>(k));
}

/// In the child, where only calls are allowed that a signal handler may make. Returns only if it fails.
void become(const char* program, char* const* arguments, char* const* environment, int output, std::vector<int>& handed,
            pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it has gone already
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE, SIGQUIT}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  hand_over(handed);
  ::execve(program, arguments, environment);
}

}  // namespace

Companion::Companion(const std::vector<std::string>& command, const std::vector<std::string>& settings,
                     const std::string& log, const std::vector<int>& handed) {
  std::vector<int> descriptors = handed;
  std::vector<std::string> words = command, marked = settings;
  if (const std::string mark = keeper::mark(); !mark.empty()) marked.push_back(mark);
  std::vector<std::string> variables = environment_of_children(marked);
  const std::string program = program_path(words.front());
  if (program.empty()) fail_to_start(words.front(), ENOENT);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  int output = STDERR_FILENO, failure[2];
  if (!log.empty()) {
    output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (output < 0)
      throw SystemError(fmt::format("cannot write '{}' ({}); name another folder", log, std::strerror(errno)));
  }
  if (::pipe2(failure, O_CLOEXEC) != 0) fail_to_start(program, errno);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    become(program.c_str(), arguments.data(), environment.data(), output, descriptors, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = ::write(failure[1], &error, sizeof error);
    ::_exit(127);
  }
  int error = pid_ < 0 ? errno : 0;
  if (pid_ > 0) keeper::keep_group(pid_);
  if (output != STDERR_FILENO) ::close(output);
  ::close(failure[1]);
  if (pid_ > 0 && ::read(failure[0], &error, sizeof error) == sizeof error) {
    keeper::forget_group(pid_);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(failure[0]);
  if (error != 0) fail_to_start(program, error);
}

Companion::~Companion() {
  // The leader is a zombie at most until it is reaped, so its group is still its own.
  if (!reaped_) end_group();
  while (!reaped_ && ::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
}

/// Before it is reaped.
void Companion::end_group() const {
  ::kill(-pid_, SIGKILL);
  keeper::forget_group(pid_);
}

bool Companion::runs() {
  if (reaped_) return false;
  siginfo_t info = {};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return true;
  end_group();  // what it left behind
  reaped_ = ::waitpid(pid_, &status_, 0) == pid_;
  return !reaped_;
}

bool Companion::was_killed() const { return WIFSIGNALED(status_); }

std::string Companion::ending() const {
  if (!was_killed()) return fmt::format("exit code {}", WEXITSTATUS(status_));
  return fmt::format("signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)));
}

bool Companion::wait(double seconds) {
  const double end_s = wall_s() + seconds;
  constexpr timespec pause = {0, 2'000'000};
  while (runs()) {
    if (wall_s() >= end_s) return false;
    ::nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace weft::process
