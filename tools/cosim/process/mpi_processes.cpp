// mpirun with the libraries of weft in its processes, and what becomes of these; see the header.
#include "tools/cosim/process/mpi_processes.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/program_path.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::cosim {
namespace {

namespace fs = std::filesystem;

/// Version of the mpirun that processes would be started with, "5.0.3"; empty if there is none, or it is another MPI's.
std::string open_mpi_version() {
  for (const char* name : {"mpirun.openmpi", "mpirun"}) {
    const std::string path = process::program_path(name);
    if (path.empty()) continue;
    const std::string said = process::run_child({path, "--version"}).output, before = "(Open MPI) ";
    const std::size_t at = said.find(before);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + before.size();
    return said.substr(begin, said.find_first_not_of("0123456789.", begin) - begin);
  }
  return "";
}

/// Beside the program: bin/weft and lib/weft/openmpi/.
std::string library_folder() {
  const fs::path folder = fs::path(process::this_program()).parent_path().parent_path() / "lib" / "weft" / "openmpi";
  std::error_code error;
  if (fs::exists(folder / "mca_pml_weft.so", error) && fs::exists(folder / "libweft-cosim.so", error))
    return folder.string();
  const std::string part = shown((folder / "mca_pml_weft.so").string());
  if (const std::string version = open_mpi_version(); !version.empty() && !version.starts_with("4.")) {
    throw ConfigError(fmt::format(
        "this weft was built without its part for processes of Open MPI ('{}' is not there: it fits Open MPI "
        "4, whose components have another interface than those of Open MPI {}, which is installed here); "
        "configure and build weft with Open MPI 4 and compile the program with it, or record a trace with "
        "weft trace record and replay that",
        part, version));
  }
  throw ConfigError(
      fmt::format("this weft was built without its part for processes of Open MPI ('{}' is not there); install the "
                  "headers of Open MPI 4 with those of its components (libopenmpi-dev of Debian 12: "
                  "openmpi/ompi/mca/pml/pml.h), configure and build again",
                  part));
}

/// Refuses programs of other MPI libraries, as far as that can be seen.
void check_library(const std::string& program) {
  const std::string first = program.substr(0, program.find_first_of(" \t\n"));
  const std::string path = process::program_path(first);
  if (path.empty()) return;  // the shell has its own ways
  const std::string linked = process::run_child({"ldd", path}).output;
  if (linked.find("libmpich.so.12") != std::string::npos || linked.find("libmpi.so.12") != std::string::npos) {
    throw StuckError(
        fmt::format("'{}' is linked to MPICH, and processes under weft need Open MPI 4; compile it with "
                    "mpicc.openmpi",
                    shown(path)));
  }
}

std::string launcher() {
  for (const char* name : {"mpirun.openmpi", "mpirun"}) {
    std::string path = process::program_path(name);
    if (!path.empty()) return path;
  }
  throw SystemError("there is no mpirun to start processes with; install openmpi-bin");
}

/// Variables that users may have set stay as they are.
std::vector<std::string> unless_set(std::vector<std::string> settings) {
  std::erase_if(settings, [](const std::string& setting) {
    return std::getenv(setting.substr(0, setting.find('=')).c_str()) != nullptr;
  });
  return settings;
}

}  // namespace

MpiProcesses::~MpiProcesses() {
  if (launcher_ == nullptr) return;
  for (u32 task = 0; task < memory_.tasks(); ++task) {
    if (launcher_->runs() && memory_.channel(task).process > 0 && !is_dead(task))
      ::kill(memory_.channel(task).process, SIGKILL);
  }
}

void MpiProcesses::start(const ProcessSpec& spec) {
  check_library(spec.program);
  const std::string folder = library_folder();
  session_ = std::make_unique<files::TemporaryFolder>("program");
  std::vector<std::string> settings = {
      std::string(channel_variable) + "=" + memory_.path(),
      "OMPI_MCA_pml=weft",
      "OMPI_MCA_mca_base_component_path=" + folder + ":SYSTEM_DEFAULT:USER_DEFAULT",
      // Forked by the thread that lives on: processes end with it.
      "OMPI_MCA_odls_base_num_threads=0",
  };
  for (std::string& setting : unless_set({
           "OMPI_MCA_orte_tmpdir_base=" + session_->path(),
           // Collective calls as between nodes: by messages, through one layer.
           "OMPI_MCA_coll=tuned,basic,libnbc,inter,self",
           "OMPI_MCA_btl=self",
           "OMPI_MCA_rmaps_base_oversubscribe=1",
           "OMPI_MCA_mpi_yield_when_idle=1",  // in MPI_Init and MPI_Finalize; the component waits by itself
           "OMPI_ALLOW_RUN_AS_ROOT=1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
       }))
    settings.push_back(std::move(setting));
  const char* const preloaded = std::getenv("LD_PRELOAD");
  const std::string others = preloaded == nullptr || *preloaded == 0 ? "" : fmt::format(":{}", preloaded);
  launcher_ = std::make_unique<process::Companion>(
      std::vector<std::string>{launcher(), "-n", std::to_string(memory_.tasks()), "--bind-to", "none", "-x",
                               "LD_PRELOAD=" + folder + "/libweft-cosim.so" + others, "-x", channel_variable, "sh",
                               "-c", "exec " + spec.program},
      settings, spec.output);
}

/// Also of those that ended and that nobody has waited for.
bool MpiProcesses::is_dead(u32 task) const {
  const pid_t process = memory_.channel(task).process;
  if (process <= 0) return false;
  if (::kill(process, 0) != 0 && errno == ESRCH) return true;
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(stat, line);
  const std::size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && name_end + 2 < line.size() && line[name_end + 2] == 'Z';
}

void MpiProcesses::fail(u32 task, const std::string& what, const std::string& hint) const {
  throw StuckError(fmt::format("the process of task {} {}; {}", task, what, hint));
}

/// What a process says of its end.
void MpiProcesses::check_states() {
  for (u32 task = 0; task < memory_.tasks(); ++task) {
    const Channel& channel = memory_.channel(task);
    const std::string text(channel.text, ::strnlen(channel.text, sizeof channel.text));
    switch (channel.state.load()) {
      case ProcessState::missing:
      case ProcessState::running:
      case ProcessState::over:
        break;
      case ProcessState::unsupported:
        fail(task, fmt::format("needs what processes under weft do not have: {}", text),
             "docs/cosim-processes.md has what they do have");
      case ProcessState::aborted:
        fail(task, fmt::format("was ended with code {} (MPI_Abort, or an error of MPI)", channel.code),
             "see what it wrote");
      case ProcessState::left:
        fail(task, "has ended without MPI_Finalize", "see what it wrote");
      case ProcessState::failed:
        fail(task, fmt::format("cannot go on ({})", text), "run fewer processes, or on a larger machine");
    }
  }
}

void MpiProcesses::look(u32 task, double waited_s, double patience_s) {
  check_states();
  std::vector<u32> dead;
  for (u32 other = 0; other < memory_.tasks(); ++other) {
    if (memory_.channel(other).state.load() == ProcessState::running && is_dead(other)) dead.push_back(other);
  }
  if (!dead.empty()) {
    check_states();
    fail(dead.front(),
         dead.size() == 1
             ? "has died"
             : fmt::format("has died, as have those of tasks {}", fmt::join(dead.begin() + 1, dead.end(), ", ")),
         "see what mpirun wrote");
  }
  if (launcher_ != nullptr && !launcher_->runs()) {
    check_states();
    throw StuckError(fmt::format("the program ended ({}) {}; see what it wrote", launcher_->ending(),
                                 memory_.channel(task).state.load() == ProcessState::missing
                                     ? "before all of its processes had called MPI_Init under weft"
                                     : "before it was over"));
  }
  // They start together, and many take their time.
  constexpr double start_s = 2;  // of each
  const bool is_missing = memory_.channel(task).state.load() == ProcessState::missing;
  if (waited_s >= (is_missing ? std::max(patience_s, start_s * memory_.tasks()) : patience_s)) {
    fail(task,
         is_missing ? fmt::format("has not called MPI_Init for {:.0f} s", waited_s)
                    : fmt::format("has called nothing of MPI for {:.0f} s", waited_s),
         "mend the program, or raise cosim.patience_s if it computes for so long");
  }
}

std::string MpiProcesses::wait_for_end(double patience_s) {
  if (launcher_ == nullptr) return {};
  if (!launcher_->wait(patience_s)) {
    return fmt::format("still ran {:g} s after MPI_Finalize and was ended (cosim.patience_s says how long it may)",
                       patience_s);
  }
  return launcher_->went_well() ? "" : fmt::format("ended with {} after MPI_Finalize", launcher_->ending());
}

}  // namespace weft::tools::cosim
