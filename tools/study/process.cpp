// Child processes by posix_spawn; their output goes to files in a directory of its own that is removed at the end.
#include "tools/study/process.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/study/cores.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
  throw SystemError(what + " (" + std::strerror(error) + "); free what is short, or check the path");
}

/// A directory that goes with the object.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "weft-run-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a directory for the output of a run", errno);
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  return text.str();
}

std::vector<std::string> command(const std::string& weft, const RunRequest& request, const std::string& json) {
  std::vector<std::string> words;
  if (request.ranks > 1) {
    const char* launcher = std::getenv("WEFT_MPIRUN");
    words = {launcher != nullptr && *launcher != '\0' ? launcher : "mpirun", "-n", std::to_string(request.ranks)};
  }
  words.insert(words.end(), {weft, "run", request.config, "--progress", "never", "--json", json});
  for (const std::string& setting : request.settings) words.insert(words.end(), {"--set", setting});
  if (!request.out.empty()) words.insert(words.end(), {"--out", request.out});
  if (!request.resume.empty()) words.insert(words.end(), {"--resume", request.resume});
  return words;
}

/// This process's environment and, unless set there, what tools/mpi-env.sh sets for ranks that share cores.
std::vector<std::string> environment(unsigned ranks) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  const auto add = [&](const std::string& name, const std::string& value) {
    if (std::getenv(name.c_str()) == nullptr) variables.push_back(name + "=" + value);
  };
  if (ranks > 1) {
    add("OMPI_MCA_rmaps_base_oversubscribe", "1");
    // Several studies on one machine would all be bound to the same first cores.
    add("OMPI_MCA_hwloc_base_binding_policy", "none");
    if (ranks > usable_cores()) add("OMPI_MCA_mpi_yield_when_idle", "1");
  }
  return variables;
}

/// The words as C wants them; valid as long as `words` is.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

pid_t start(std::vector<std::string> words, std::vector<std::string> variables, const Scratch& scratch) {
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions); error != 0)
    fail("cannot start '" + words[0] + "'", error);
  const std::string out = scratch.file("out"), err = scratch.file("err");
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start '" + words[0] + "'", error);
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a run", errno);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

RunOutcome run_weft(const std::string& weft, const RunRequest& request) {
  const Scratch scratch;
  const std::string json = scratch.file("summary.json");
  RunOutcome outcome;
  const double begin = now_s();
  outcome.exit_code = wait_for(start(command(weft, request, json), environment(request.ranks), scratch));
  outcome.wall_s = now_s() - begin;
  outcome.error = content(scratch.file("err"));
  if (outcome.exit_code != 0) return outcome;
  outcome.summary = nlohmann::json::parse(content(json), nullptr, false);
  if (outcome.summary.is_discarded()) {
    throw SystemError("a run of '" + weft + "' ended well but left no summary (" + json +
                      " is missing or not JSON); check that the program is weft and that rank 0 runs on this machine");
  }
  return outcome;
}

std::string this_program() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) fail("cannot find the running program by /proc/self/exe", error.value());
  return path.string();
}

}  // namespace weft::tools
