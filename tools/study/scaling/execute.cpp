// Runs the matrix of a study by child processes; see the header.
#include "tools/study/scaling/execute.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/base/system/load.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/run/config/output_keys.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

struct Missing {
  Cell cell;
  u32 repeat;
};

/// Hash of the program file: runs of two builds must not be compared as if they were one.
std::string fingerprint(const std::string& program) { return hex_digits(hash_file(program).value_or(0)); }

std::vector<Missing> missing_runs(const ScalingStudy& study, const RunLog& log) {
  std::vector<Missing> missing;
  const std::vector<Cell> cells = study_cells(study);
  for (u32 repeat = 0; repeat < study.repeats; ++repeat) {
    for (const Cell& cell : cells) {
      if (log.find(study, cell, repeat) == nullptr) missing.push_back({cell, repeat});
    }
  }
  return missing;
}

void check_same_machine(const RunLog& log, const RunLog& now, const std::string& path) {
  std::string other;
  if (log.host != now.host) other = "on host " + log.host + ", this is " + now.host;
  if (log.cores != now.cores) other = fmt::format("with {} cores, now there are {}", log.cores, now.cores);
  if (log.weft != now.weft || log.program != now.program) other = "by another build of weft";
  if (other.empty()) return;
  throw ConfigError(
      fmt::format("{}: its runs were made {} (times would not be comparable); remove the file to make all "
                  "runs again, or give the study another out",
                  path, other));
}

std::string described(const ScalingStudy& study, const Missing& run) {
  const Cell& cell = run.cell;
  const std::string how = cell.ranks == 1 ? "" : fmt::format(", {}, {}", cell.protocol, cell.partition);
  return fmt::format("{}, {}{}, repeat {}", study.sizes[cell.size_ix].name, counted(cell.ranks, "rank"), how,
                     run.repeat + 1);
}

[[noreturn]] void fail_run(const ScalingStudy& study, const Missing& run, const process::RunOutcome& outcome) {
  const std::string first = outcome.error.substr(0, outcome.error.find('\n'));
  const std::string line = fmt::format(
      "a run of the study failed ({}, exit code {}: {}); correct that and start the study again, it goes on where it "
      "stopped",
      described(study, run), outcome.exit_code, first.empty() ? "it said nothing" : first);
  const std::string detail = first.size() < outcome.error.size() ? outcome.error.substr(first.size() + 1) : "";
  switch (static_cast<ExitCode>(outcome.exit_code)) {
    case ExitCode::config:
      throw ConfigError(line, detail);
    case ExitCode::input:
      throw InputError(line, detail);
    case ExitCode::stuck:
      throw StuckError(line, detail);
    default:
      throw SystemError(line, detail);
  }
}

/// Where a run that is stopped leaves its state; as seen from anywhere.
fs::path checkpoint_path(const ScalingStudy& study) { return fs::absolute(fs::path(study.out) / "stopped.ckpt.h5"); }

/// Makes a run; nothing if it was stopped, from here or by a signal of its own.
std::optional<RunRecord> make_run(const ScalingStudy& study, const Missing& run, const std::string& weft) {
  const StudySize& size = study.sizes[run.cell.size_ix];
  const fs::path checkpoint = checkpoint_path(study);
  process::RunRequest request;
  request.config = study.base;
  request.settings = size.settings;
  request.ranks = run.cell.ranks;
  if (request.ranks > 1) {
    request.settings.push_back("parallel.protocol=" + run.cell.protocol);
    request.settings.push_back("parallel.partition=" + run.cell.partition);
  }
  request.settings.push_back("checkpoint.path=" + checkpoint.string());
  const std::string stem = fmt::format("size-{}-ranks-{}-{}-{}-repeat-{}", run.cell.size_ix + 1, run.cell.ranks,
                                       run.cell.protocol, run.cell.partition, run.repeat + 1);
  for (std::string& record : records_beside(study.config(size), (fs::absolute(study.out) / stem).string()))
    request.settings.push_back(std::move(record));
  const OtherLoad others;
  const process::RunOutcome outcome = process::run_weft(weft, request);
  const double other_cores = others.cores();
  if (outcome.exit_code == static_cast<int>(ExitCode::stopped) ||
      (outcome.exit_code != 0 && process::StopSignals::received() > 0)) {
    // The time of a run in two parts is no time of a run: it is made again from its start.
    std::error_code ignored;
    fs::remove(checkpoint, ignored);
    return std::nullopt;
  }
  if (outcome.exit_code != 0) fail_run(study, run, outcome);
  RunRecord record = run_record(outcome.summary);
  if (record.ranks != run.cell.ranks) {
    throw SystemError(fmt::format(
        "mpirun -n {} gave a run of {} (mpirun is of another MPI than weft); put the right one first in PATH",
        run.cell.ranks, counted(record.ranks, "rank")));
  }
  record.size = size.name;
  record.protocol = run.cell.protocol;
  record.partition = run.cell.partition;
  record.repeat = run.repeat;
  record.config_hash = size_hash(size);
  record.process_s = outcome.wall_s;
  record.other_cores = other_cores;
  return record;
}

}  // namespace

std::string runs_path(const ScalingStudy& study) { return (fs::path(study.out) / "runs.json").string(); }

u32 study_cores(const ScalingStudy& study) { return study.cores != 0 ? study.cores : usable_cores(); }

RunLog make_runs(const ScalingStudy& study, const std::string& weft, std::ostream& progress) {
  const std::string path = runs_path(study);
  RunLog log = load_runs(path);
  check_digests(log);
  const std::vector<Missing> missing = missing_runs(study, log);
  if (missing.empty()) return log;
  RunLog now{version, fingerprint(weft), host_name(), study_cores(study), {}};
  if (!log.runs.empty()) check_same_machine(log, now, path);
  now.runs = std::move(log.runs);
  std::error_code error;
  fs::create_directories(study.out, error);
  if (error) {
    throw SystemError(
        fmt::format("cannot make the folder '{}' ({}); choose another scaling.out", study.out, error.message()));
  }
  const std::size_t all = study_cells(study).size() * study.repeats;
  std::size_t kept = all - missing.size();
  const process::StopSignals signals;
  for (const Missing& run : missing) {
    progress << fmt::format("[{}/{}] {}", kept + 1, all, described(study, run)) << std::flush;
    const std::optional<RunRecord> record = make_run(study, run, weft);
    progress << (record ? fmt::format(": {}\n", duration(record->wall_s)) : ": stopped\n") << std::flush;
    if (record) {
      now.runs.push_back(*record);
      save_runs(now, path);
      check_digests(now);
      ++kept;
    }
    if (!record || (process::StopSignals::received() > 0 && kept < all)) {
      throw Stopped(fmt::format("stopped by a signal ({} of {} runs are kept in {}); run the same command to go on",
                                kept, all, path));
    }
  }
  return now;
}

}  // namespace weft::tools
