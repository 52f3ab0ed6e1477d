// The keeper is told over a socket what there is to clear up; that it is closed tells it that this process has ended. A
// signal at the parent's death alone would reach children, not what these have started.
#include "engine/base/system/keeper.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::keeper {
namespace {

namespace fs = std::filesystem;

/// What is said: one of these, then a number or a path, then a byte 0.
constexpr char add_group = 'G', drop_group = 'g', add_path = 'P', drop_path = 'p';

/// Ends the keeper when this process ends by itself, and waits for it.
struct Keeper {
  pid_t process = 0;
  int line = -1;
  std::string name;  ///< of the variable that marks what was started
  ~Keeper() {
    if (line < 0) return;
    ::close(line);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};
Keeper keeper;

void say(char what, std::string_view text) {
  if (keeper.line < 0) return;
  std::string words = what + std::string(text);
  words += '\0';
  std::string_view left = words;
  while (!left.empty()) {
    const ssize_t said = ::send(keeper.line, left.data(), left.size(), MSG_NOSIGNAL);
    if (said < 0 && errno == EINTR) continue;
    if (said < 0) return;  // somebody has killed it
    left.remove_prefix(static_cast<std::size_t>(said));
  }
}

/// The rest is for the process of the keeper.
struct Kept {
  std::set<pid_t> groups;
  std::set<std::string> paths;

  void take(std::string_view words) {
    if (words.empty()) return;
    const std::string text(words.substr(1));
    switch (words.front()) {
      case add_group:
        groups.insert(std::stoi(text));
        break;
      case drop_group:
        groups.erase(std::stoi(text));
        break;
      case add_path:
        paths.insert(text);
        break;
      case drop_path:
        paths.erase(text);
        break;
      default:
        break;
    }
  }
};

Kept listen(int line) {
  Kept kept;
  std::string heard;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = ::read(line, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return kept;
    heard.append(part.data(), static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = heard.find('\0')) != std::string::npos; heard.erase(0, end + 1))
      kept.take(std::string_view(heard).substr(0, end));
  }
}

/// Kills what carries the mark; how many there were. What has ended and was not waited for carries nothing.
u32 kill_marked(const std::string& name) {
  u32 found = 0;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string number = entry.path().filename().string();
    if (!std::ranges::all_of(number, [](unsigned char letter) { return std::isdigit(letter) != 0; })) continue;
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string variables((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!variables.starts_with(name) && variables.find('\0' + name) == std::string::npos) continue;
    ++found;
    ::kill(static_cast<pid_t>(std::stoi(number)), SIGKILL);
  }
  return found;
}

/// Out of reach of what ends this process and its group, and with none of its files, which others wait to see closed.
void leave(int line) {
  ::setsid();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "weft-keeper");
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
  std::vector<int> others;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = std::stoi(entry.path().filename().string());
    if (descriptor > STDERR_FILENO && descriptor != line) others.push_back(descriptor);
  }
  for (const int descriptor : others) ::close(descriptor);
}

[[noreturn]] void keep(int line, const std::string& name) {
  try {
    leave(line);
    const Kept kept = listen(line);
    for (const pid_t group : kept.groups) ::kill(-group, SIGKILL);
    // What is killed may just have started another.
    constexpr int most_rounds = 100;
    for (int round = 0; round < most_rounds && kill_marked(name) > 0; ++round) ::usleep(1000);
    std::error_code ignored;
    for (const std::string& path : kept.paths) fs::remove_all(path, ignored);
  } catch (const std::exception&) {
    ::_exit(1);  // nobody is left to be told
  }
  ::_exit(0);
}

[[noreturn]] void fail(int error) {
  throw SystemError(fmt::format(
      "cannot start the process that clears up after this one ({}); check that the machine has room for another",
      std::strerror(error)));
}

}  // namespace

void start() {
  if (keeper.line >= 0) return;
  u64 number = 0;
  int line[2];
  if (::getrandom(&number, sizeof number, 0) != sizeof number ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0)
    fail(errno);
  const std::string name = fmt::format("WEFT_STARTED_{:016x}", number);
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(line[1]);
    keep(line[0], name + '=');
  }
  const int error = errno;
  ::close(line[0]);
  if (process < 0) {
    ::close(line[1]);
    fail(error);
  }
  keeper.process = process;
  keeper.line = line[1];
  keeper.name = name;
}

std::string mark() { return keeper.line < 0 ? "" : keeper.name + "=1"; }

void keep_group(pid_t leader) { say(add_group, std::to_string(leader)); }
void forget_group(pid_t leader) { say(drop_group, std::to_string(leader)); }
void keep_path(const std::string& path) { say(add_path, path); }
void forget_path(const std::string& path) { say(drop_path, path); }

std::string make_kept(const std::string& prefix, int (*make)(const char* path), std::error_code& error) {
  u64 number = 0;
  const bool is_drawn = ::getrandom(&number, sizeof number, 0) == sizeof number;
  std::string path = fmt::format("{}{:016x}", prefix, number);
  keep_path(path);
  if (is_drawn && make(path.c_str()) == 0) return path;
  error.assign(errno, std::generic_category());
  forget_path(path);
  return path;
}

}  // namespace weft::keeper
