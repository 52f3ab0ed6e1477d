// Starts and ends QEMU; see the header.
#include "tools/cosim/guest/qemu.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/cosim/guest/plugin/wire.h"

extern char** environ;

namespace weft::tools::cosim::guest {
namespace {

/// Descriptors of the child.
enum : int {
  cable_fd = 3,
  cable_other_end_fd,
  monitor_fd,
  slices_fd,
  state_fd = Qemu::state_descriptor,
  first_free_fd
};

[[noreturn]] void fail_start(const std::string& who, const std::string& what, int error) {
  throw SystemError(fmt::format("{}: cannot start QEMU ({}: {}); check that the machine has room for another process",
                                who, what, std::strerror(error)));
}

struct Pair {
  Handle here;
  Handle there;
};

Pair socket_pair(const std::string& who, int type) {
  std::array<int, 2> ends = {};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) fail_start(who, "no socket", errno);
  return {Handle(ends[0]), Handle(ends[1])};
}

Handle open_file(const std::string& who, const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (fd < 0) fail_start(who, path, errno);
  return Handle(fd);
}

std::vector<std::string> arguments_of(const Installed& installed, const Machine& machine, const QemuStart& start) {
  std::vector<std::string> words = machine_arguments(installed, machine);
  const auto add = [&words](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  add({"-object", fmt::format("memory-backend-file,id=ram,size={}M,mem-path={},share={}", machine.memory_mib,
                              start.memory, start.shared ? "on" : "off")});
  add({"-fw_cfg", "name=opt/weft/job,file=" + start.job, "-serial", "file:" + start.console, "-S"});
  // Not to be served by a thread of its own, which would be woken at the end of each slice.
  add({"-chardev", fmt::format("socket,id=monitor,mux=on,fd={}", int{monitor_fd}), "-mon",
       "chardev=monitor,mode=control"});
  if (!start.state.empty()) add({"-incoming", "defer"});
  if (start.sliced) {
    add({"-plugin", fmt::format("{},weft={},cable={},version={}", installed.plugin, int{slices_fd}, int{cable_fd},
                                int{weft_guest_wire_version})});
  }
  return words;
}

std::vector<std::string> environment_of(const Installed& installed, bool sliced) {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    if (!std::string_view(*at).starts_with("LD_PRELOAD=")) variables.emplace_back(*at);
  }
  if (sliced) variables.push_back("LD_PRELOAD=" + installed.plugin);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// In the child, after fork: nothing but system calls. `files`: what becomes descriptors 0, 1, 2 and on; -1: none.
[[noreturn]] void become(pid_t parent, const std::array<int, first_free_fd>& files, const char* program,
                         char** arguments, char** variables) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE}) ::signal(signal, SIG_DFL);
  // First out of the way of each other.
  std::array<int, first_free_fd> kept = {};
  for (std::size_t k = 0; k < files.size(); ++k)
    kept[k] = files[k] < 0 ? -1 : ::fcntl(files[k], F_DUPFD_CLOEXEC, int{first_free_fd});
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (kept[k] >= 0) ::dup2(kept[k], static_cast<int>(k));
  }
  ::execve(program, arguments, variables);
  ::_exit(127);
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.fd_;
    other.fd_ = -1;
  }
  return *this;
}

void Handle::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::vector<std::string> machine_arguments(const Installed& installed, const Machine& machine) {
  return {installed.qemu, "-accel", "tcg,tb-size=32", "-smp", "1", "-m", fmt::format("{}M", machine.memory_mib),
          // The guest's memory is a file: all guests share what none of them has changed since the snapshot.
          "-M", "pc,memory-backend=ram",
          // Simulated time is instructions, and jumps where the processor waits.
          "-icount", fmt::format("shift={},sleep=off,align=off", machine.shift), "-rtc", "base=2020-01-01,clock=vm",
          "-display", "none", "-nodefaults", "-no-user-config", "-no-reboot", "-monitor", "none", "-kernel",
          installed.kernel, "-initrd", machine.initrd, "-append",
          "console=ttyS0 panic=-1 quiet rootfstype=ramfs tsc=reliable no_timer_check ipv6.disable=1 norandmaps "
          "random.trust_bootloader=off",
          // Frames leave at an instruction of the guest, not when another thread of QEMU comes to it.
          "-netdev", fmt::format("dgram,id=cable,local.type=fd,local.str={}", int{cable_fd}), "-device",
          "virtio-net-pci,netdev=cable,mac=52:54:00:ff:ff:ff,romfile=,ioeventfd=off,tx=timer,x-txtimer=1000,"
          "guest_announce=off"};
}

Qemu::Qemu(const Installed& installed, const Machine& machine, const QemuStart& start) {
  const std::string& who = start.who;
  const Handle nothing = open_file(who, "/dev/null", O_RDONLY);
  const Handle log = open_file(who, start.log, O_WRONLY | O_CREAT | O_TRUNC);
  const Pair cable = socket_pair(who, SOCK_DGRAM);
  Pair monitor = socket_pair(who, SOCK_STREAM);
  Pair slices = socket_pair(who, SOCK_STREAM);
  Handle state;
  if (!start.state.empty()) state = open_file(who, start.state, O_RDONLY);
  std::vector<std::string> words = arguments_of(installed, machine, start);
  std::vector<std::string> variables = environment_of(installed, start.sliced);
  const std::vector<char*> argument_pointers = pointers(words);
  const std::vector<char*> variable_pointers = pointers(variables);
  const std::array<int, first_free_fd> files = {nothing.fd(),      log.fd(),         log.fd(),
                                                cable.here.fd(),   cable.there.fd(), monitor.there.fd(),
                                                slices.there.fd(), state.fd()};
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) fail_start(who, "fork", errno);
  if (child_ == 0)
    become(parent, files, installed.qemu.c_str(), const_cast<char**>(argument_pointers.data()),
           const_cast<char**>(variable_pointers.data()));
  monitor_ = std::move(monitor.here);
  slices_ = std::move(slices.here);
}

std::string Qemu::ended() {
  if (child_ < 0) return how_;
  int status = 0;
  const pid_t done = ::waitpid(child_, &status, WNOHANG);
  if (done != child_) return {};
  child_ = -1;
  how_ = WIFSIGNALED(status) ? fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
  return how_;
}

void Qemu::end() {
  monitor_.close();
  slices_.close();
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
}

std::string last_lines(const std::string& path, std::size_t lines) {
  std::ifstream file(path);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) all.push_back(line);
  }
  std::string text;
  for (std::size_t k = all.size() > lines ? all.size() - lines : 0; k < all.size(); ++k) text += "  " + all[k] + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace weft::tools::cosim::guest
