// `weft trace record`: finds which MPI library a program is linked to, and runs it with the tracer for that library.
#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/reserved_output.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/program_path.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "workloads/trace/format/weft/weft_trace_file.hpp"

namespace weft::tools {
namespace {

struct TraceRecordOptions {
  std::string out = "weft-trace";    ///< folder, made for the recording
  std::string clock = "cpu";         ///< or wall
  std::string library = "auto";      ///< or openmpi, mpich
  std::vector<std::string> command;  ///< launcher, program, arguments
  u64 from_call = 0, to_call = 0;    ///< of each rank, from 1; 0: all
  double from_s = 0, to_s = 0;       ///< since MPI_Init; 0: to the end
  std::string signal;                ///< name or number of the signal that switches off and on
  bool off = false;                  ///< nothing is recorded until it is switched on
  bool shortcuts = false;            ///< collective calls may use what ranks of a node share
  bool yields = false;               ///< ranks that wait give their core to others
  u32 block_bytes = 0;               ///< of records written at a time; 0: 64 KiB
};

namespace fs = std::filesystem;

/// The MPI library that a program is linked to; empty if it is to none.
std::string library_of(const std::string& program) {
  const process::ChildOutcome linked = process::run_child({"ldd", program});
  if (linked.output.find("libmpi.so.40") != std::string::npos) return "openmpi";
  for (const char* name : {"libmpich.so.12", "libmpi.so.12"}) {
    if (linked.output.find(name) != std::string::npos) return "mpich";
  }
  return "";
}

constexpr std::array launchers = {"mpirun", "mpiexec", "orterun", "prterun", "srun"};
bool is_launcher(const std::string& word) {
  const std::string name = fs::path(word).filename().string();
  return std::ranges::any_of(launchers, [&](const std::string& launcher) {
    return name == launcher || name.starts_with(launcher + ".") || name.starts_with(launcher + "-");
  });
}

std::string library_of_launcher(const std::string& launcher) {
  const std::string shown = process::run_child({launcher, "--version"}).output;
  if (shown.find("Open MPI") != std::string::npos || shown.find("open-mpi") != std::string::npos) return "openmpi";
  return shown.find("HYDRA") != std::string::npos || shown.find("mpich") != std::string::npos ? "mpich" : "";
}

/// By what the program is linked to; of scripts and the like, by the launcher.
std::string find_library(const std::vector<std::string>& command) {
  const bool launched = is_launcher(command[0]);
  for (std::size_t ix = launched ? 1 : 0; ix < command.size(); ++ix) {
    if (command[ix].starts_with('-')) continue;
    const std::string program = process::program_path(command[ix]);
    if (program.empty()) continue;
    if (const std::string library = library_of(program); !library.empty()) return library;
  }
  if (launched && fs::path(command[0]).filename() != "srun") {
    if (const std::string library = library_of_launcher(command[0]); !library.empty()) return library;
  }
  throw ConfigError(
      "cannot tell which MPI library the program uses (none of the words of the command is a program "
      "linked to one); say it with --library openmpi or --library mpich");
}

/// Beside the program: bin/weft and lib/weft/LIBRARY/libweft-trace.so.
std::string tracer_of(const std::string& library) {
  const fs::path folder = fs::path(process::this_program()).parent_path().parent_path();
  const fs::path tracer = folder / "lib" / "weft" / library / "libweft-trace.so";
  std::error_code error;
  if (fs::exists(tracer, error)) return tracer.string();
  throw ConfigError(
      fmt::format("this weft was built without its tracer for {0} ({1} is not there); install {2}, configure "
                  "and build again",
                  library == "mpich" ? "MPICH" : "Open MPI", tracer.string(),
                  library == "mpich" ? "libmpich-dev" : "libopenmpi-dev"));
}

int signal_number(const std::string& name) {
  if (name.empty()) return 0;
  const std::string bare = name.starts_with("SIG") ? name.substr(3) : name;
  if (bare == "USR1") return SIGUSR1;
  if (bare == "USR2") return SIGUSR2;
  int number = 0;
  const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), number);
  if (error == std::errc() && end == bare.data() + bare.size() && number > 0 && number < 65 && number != SIGKILL &&
      number != SIGSTOP)
    return number;
  throw ConfigError(
      fmt::format("'{}' is no signal that can be caught; use --toggle-signal USR1, USR2 or a number", name));
}

/// Makes the folder, or takes an empty one.
std::string new_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw ConfigError(fmt::format("--out {}: cannot make this folder ({}); give another", path, error.message()));
  if (!fs::is_empty(path, error) || error)
    throw ConfigError(
        fmt::format("--out {}: this folder is not empty (a trace is in it?); give another or delete it", path));
  return fs::absolute(path).string();
}

std::vector<std::string> variables_of(const TraceRecordOptions& options, const std::string& library,
                                      const std::string& folder) {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  const std::string others = preloaded == nullptr || *preloaded == 0 ? "" : fmt::format(":{}", preloaded);
  std::vector<std::string> variables = {"LD_PRELOAD=" + tracer_of(library) + others, "WEFT_TRACE_DIR=" + folder,
                                        "WEFT_TRACE_CLOCK=" + options.clock};
  const auto add = [&](const char* name, auto value) {
    if (value != 0) variables.push_back(fmt::format("WEFT_TRACE_{}={}", name, value));
  };
  add("FROM_CALL", options.from_call);
  add("TO_CALL", options.to_call);
  add("FROM_NS", static_cast<u64>(options.from_s * 1e9));
  add("TO_NS", static_cast<u64>(options.to_s * 1e9));
  add("SIGNAL", signal_number(options.signal));
  add("OFF", static_cast<int>(options.off));
  add("BLOCK", options.block_bytes);
  add("YIELD", static_cast<int>(options.yields));
  const auto unless_set = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr) variables.push_back(fmt::format("{}={}", name, value));
  };
  if (options.yields && library == "openmpi") unless_set("OMPI_MCA_mpi_yield_when_idle", "1");
  if (options.shortcuts) return variables;
  // Collective calls as between nodes: by messages, through one layer.
  if (library == "openmpi") {
    // A choice on mpirun's command line would lose against a variable.
    const auto chosen = std::ranges::find(options.command, "coll");
    if (chosen != options.command.end() && chosen != options.command.begin() && chosen[-1].ends_with("mca"))
      return variables;
    unless_set("OMPI_MCA_coll", "tuned,basic,libnbc,inter,self");
  } else {
    unless_set("MPIR_CVAR_NOLOCAL", "1");
    unless_set("MPIR_CVAR_DEVICE_COLLECTIVES", "none");
  }
  return variables;
}

/// The command with the variables as its launcher hands them on.
std::vector<std::string> with_variables(const std::vector<std::string>& command, const std::string& library,
                                        const std::vector<std::string>& variables) {
  std::vector<std::string> result;
  for (std::size_t ix = 0; ix < command.size(); ++ix) {
    result.push_back(command[ix]);
    // Open MPI: of each program of several.
    if (ix > 0 && (command[ix] != ":" || library != "openmpi")) continue;
    for (const std::string& variable : variables) {
      const std::size_t equals = variable.find('=');
      if (library == "openmpi") {
        result.insert(result.end(), {"-x", variable});
      } else {
        result.insert(result.end(), {"-genv", variable.substr(0, equals), variable.substr(equals + 1)});
      }
    }
  }
  return result;
}

void report(const std::string& folder, int code) {
  workloads::TraceInput input;
  try {
    input = workloads::find_trace(folder);
  } catch (const InputError&) {
    if (code != 0)
      throw SystemError(
          fmt::format("the program ended with exit code {} before it came to the end of MPI_Init (nothing "
                      "was recorded); see what it printed",
                      code));
    throw SystemError(
        fmt::format("nothing was recorded in '{}' (the program has not called MPI_Init with the tracer inside); "
                    "is it an MPI program, linked to a library that is not static?",
                    folder));
  }
  u64 records = 0, bytes = 0, end_ns = 0;
  u32 ranks = 0;
  std::string version, missing;
  bool has_inner = true;
  for (std::size_t number = 0; number < input.files.size(); ++number) {
    const workloads::RecordFile file = workloads::read_record_file(input, number);
    for (const workloads::RecordBlock& block : file.blocks) records += block.header.records;
    bytes += file.size;
    ranks = file.header.ranks;
    end_ns = std::max(end_ns, file.header.end_ns);
    has_inner = has_inner && file.header.has_inner != 0;
    version = std::string(file.header.library_version,
                          ::strnlen(file.header.library_version, sizeof file.header.library_version));
    if (!file.note.empty()) missing += labelled(missing.empty() ? "missing" : "", file.note);
  }
  std::string text = folder + "\n";
  text += labelled("recorded",
                   fmt::format("{} records of {} ranks, {}, {}", grouped(records), grouped(input.files.size()),
                               byte_size(static_cast<double>(bytes)), duration(static_cast<double>(end_ns) * 1e-9)));
  text += labelled("library", version);
  text += labelled("collectives", has_inner ? "as calls and as the messages of the library" : "as calls");
  if (input.files.size() < ranks)
    missing +=
        labelled(missing.empty() ? "missing" : "", fmt::format("{} of {} ranks", ranks - input.files.size(), ranks));
  text += missing;
  text += labelled("look at it", fmt::format("weft trace info {}", folder));
  files::print(text);
}

/// Runs a program with the tracer inside and says what was recorded. Throws ConfigError (no library found), SystemError
/// (the program could not be started, or failed).
void record_trace(const TraceRecordOptions& options) {
  if (process::program_path(options.command[0]).empty())
    throw ConfigError(
        fmt::format("'{}' is no program (it is not on PATH); give the command behind --", options.command[0]));
  if (options.to_s > 0 && options.to_s <= options.from_s)
    throw ConfigError("--to-seconds is not after --from-seconds (nothing would be recorded); give a later one");
  if (options.to_call > 0 && options.to_call < options.from_call)
    throw ConfigError("--to-call is before --from-call (nothing would be recorded); give a later one");
  const std::string library = options.library == "auto" ? find_library(options.command) : options.library;
  tracer_of(library);
  signal_number(options.signal);
  const std::string folder = new_folder(options.out);
  const std::vector<std::string> variables = variables_of(options, library, folder);
  // What srun and programs started without a launcher see is this process's environment.
  const bool hands_on = is_launcher(options.command[0]) && fs::path(options.command[0]).filename() != "srun";
  const int output = files::standard_output();
  std::vector<std::string> own;
  if (std::string mark = keeper::mark(); !mark.empty()) own.push_back(std::move(mark));
  if (!hands_on) own.insert(own.end(), variables.begin(), variables.end());
  const process::StopSignals stops;
  const int code =
      process::run_in_front(hands_on ? with_variables(options.command, library, variables) : options.command, own,
                            output, process::StopWith::terminate);
  report(folder, code);
  if (code != 0)
    throw SystemError(
        fmt::format("the program ended with exit code {} (see what it printed); the trace has what came before", code));
}

void add_trace_record(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceRecordOptions>();
  CLI::App* command = trace.add_subcommand("record", "run an MPI program, as it is, and record what it sends");
  command
      ->add_option("COMMAND", options->command, "behind --: the launcher with its options, the program, its arguments")
      ->required();
  command->add_option("-o,--out", options->out, "folder for the trace; it must not be there or be empty")
      ->type_name("FOLDER")
      ->capture_default_str();
  command
      ->add_option("--clock", options->clock,
                   "what computing is measured by: cpu (the processor's time of each rank; right even if ranks share "
                   "cores) or wall")
      ->check(CLI::IsMember({"cpu", "wall"}))
      ->capture_default_str();
  command->add_option("--library", options->library, "MPI library of the program; auto: what it is linked to")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  command->add_option("--from-call", options->from_call,
                      "of each rank, from 1: the first call of MPI that is recorded");
  command->add_option("--to-call", options->to_call, "the last one");
  command->add_option("--from-seconds", options->from_s, "since MPI_Init: nothing is recorded before")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--to-seconds", options->to_s, "nothing is recorded after that")->check(CLI::NonNegativeNumber);
  command->add_flag("--off", options->off, "nothing is recorded until MPI_Pcontrol(1) or the signal");
  command
      ->add_option("--toggle-signal", options->signal,
                   "signal that switches recording off and on: USR1, USR2, or a number")
      ->type_name("SIGNAL");
  command->add_flag("--node-shortcuts", options->shortcuts,
                    "collective calls may use what ranks of a node share; else they send messages as between nodes");
  command->add_flag("--yield", options->yields,
                    "ranks that wait give their core to others: for more ranks than there are cores");
  command->add_option("--block", options->block_bytes, "bytes of records of each thread that are written at a time")
      ->check(CLI::Range(4096, 1 << 20));
  command->footer(
      "Examples:\n"
      "  weft trace record --out ring -- mpirun -n 4 ./ring\n"
      "  weft trace record --out part --from-call 1000 --to-call 2000 -- mpirun.mpich -n 2 ./solver input.txt");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { record_trace(*options); }); });
}

[[maybe_unused]] const bool trace_record_registered =
    CommandRegistry::instance().add("trace record", {.place = 40, .add = add_trace_record, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
