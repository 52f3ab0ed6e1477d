// Runs weft itself as a child process: its words, and the file through which its summary comes back.
#include "engine/base/system/run_weft.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/program_path.hpp"

namespace weft::process {
namespace {

namespace fs = std::filesystem;

/// A file of its own in the temporary directory, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    const std::string prefix = ((failed ? fs::path("/tmp") : folder) / "weft-summary-").string();
    failed.clear();
    path_ = keeper::make_kept(prefix, make_file, failed);
    if (failed) {
      throw SystemError(fmt::format("cannot make the temporary file '{}' ({}); free space there or set TMPDIR", path_,
                                    failed.message()));
    }
  }
  ~TemporaryFile() {
    ::unlink(path_.c_str());
    keeper::forget_path(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static int make_file(const char* path) {
    const int fd = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return fd < 0 ? fd : ::close(fd);
  }

  std::string path_;
};

/// The value of an environment variable, or `fallback` if it is not set or empty.
std::string variable(const char* name, const std::string& fallback) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : fallback;
}

std::vector<std::string> launcher_words() {
  if (variable("WEFT_LAUNCHER", "").empty()) return {variable("WEFT_MPIRUN", "mpirun")};
  std::istringstream text(variable("WEFT_LAUNCHER", ""));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// What tools/mpi-env.sh sets for ranks that share cores.
std::vector<std::string> mpi_variables(unsigned ranks) {
  if (ranks <= 1) return {};
  std::vector<std::string> variables{"OMPI_MCA_rmaps_base_oversubscribe=1",
                                     // Several runs on one machine would all be bound to the same first cores.
                                     "OMPI_MCA_hwloc_base_binding_policy=none"};
  if (ranks > usable_cores()) variables.emplace_back("OMPI_MCA_mpi_yield_when_idle=1");
  return variables;
}

std::vector<std::string> command_words(const std::string& weft, const RunRequest& request,
                                       const std::string& json_path) {
  std::vector<std::string> words;
  if (request.ranks > 1) {
    words = launcher_words();
    words.insert(words.end(), {"-n", std::to_string(request.ranks)});
  }
  words.insert(words.end(),
               {weft, "run", request.config, "--progress", request.progress ? "auto" : "never", "--json", json_path});
  for (const std::string& setting : request.settings) words.insert(words.end(), {"--set", setting});
  if (request.allow_unused) words.emplace_back("--allow-unused");
  if (request.threads > 1) words.insert(words.end(), {"--threads", std::to_string(request.threads)});
  if (!request.out.empty()) words.insert(words.end(), {"--out", request.out});
  if (!request.resume.empty()) words.insert(words.end(), {"--resume", request.resume});
  return words;
}

}  // namespace

RunOutcome run_weft(const std::string& weft, const RunRequest& request) {
  const TemporaryFile result;
  const std::vector<std::string> words = command_words(weft, request, result.path());
  if (request.ranks > 1 && program_path(words.front()).empty()) {
    throw SystemError(
        fmt::format("there is no '{}' to start {} ranks with; install the launcher of your MPI (openmpi-bin "
                    "on Debian), or name one in WEFT_MPIRUN or WEFT_LAUNCHER",
                    words.front(), request.ranks));
  }
  TakesLine takes;
  if (request.progress) {
    // What else a run says begins with its name; behind an error come its details.
    takes = [&request, failed = false](std::string_view line) mutable {
      failed = failed || line.starts_with("weft: error");
      const bool shows = line.find("  ") != std::string_view::npos && !line.starts_with("weft: ");
      return shows && !failed && request.progress(line);
    };
  }
  std::vector<std::string> variables = mpi_variables(request.ranks);
  if (std::string mark = keeper::mark(); !mark.empty()) variables.push_back(std::move(mark));
  ChildOutcome child =
      run_child(words, request.ranks > 1 ? StopWith::user_signal : StopWith::terminate, variables, takes);
  RunOutcome outcome;
  outcome.exit_code = child.exit_code;
  outcome.error = std::move(child.error);
  outcome.wall_s = child.wall_s;
  if (outcome.exit_code != 0) return outcome;
  std::ifstream file(result.path());
  outcome.summary = nlohmann::json::parse(file, nullptr, false);
  if (!outcome.summary.is_object()) {
    throw SystemError(fmt::format(
        "'{} run {}' ended well but left no summary in '{}' (the first rank may run on another machine); set TMPDIR to "
        "a directory that all share",
        weft, request.config, result.path()));
  }
  return outcome;
}

std::string this_program() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed);
  if (failed) throw SystemError(fmt::format("cannot find the weft program ({}); mount /proc", failed.message()));
  return path.string();
}

std::string own_script(const std::string& name) {
  const std::filesystem::path installed =
      (std::filesystem::path(this_program()).parent_path() / "../share/weft/tools" / name).lexically_normal();
  std::error_code error;
  return std::filesystem::exists(installed, error) ? installed.string() : "tools/" + name;
}

}  // namespace weft::process
