// `weft sweep`: many runs of one config, here or as a SLURM job array, and what they say together.
#include <iostream>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/result/atomic_file.hpp"
#include "tools/study/child_process.hpp"
#include "tools/study/process.hpp"
#include "tools/study/sweep_page.hpp"
#include "tools/study/sweep_run.hpp"
#include "tools/study/sweep_slurm.hpp"
#include "tools/study/sweep_table.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {
namespace {

void check_choice(const SweepOptions& options) {
  const int ways = (options.points.empty() ? 0 : 1) + (options.submit ? 1 : 0) + (options.collect ? 1 : 0);
  if (ways > 1) {
    throw ConfigError("--point, --submit and --collect together (each says what is to be done); give one of them");
  }
  if (options.dry_run && (options.collect || !options.points.empty())) {
    throw ConfigError("--dry-run with --collect or --point (it is for whole sweeps that run); leave it out");
  }
  if (options.collect && options.rerun) {
    throw ConfigError("--rerun with --collect (which runs nothing); leave one of them out");
  }
}

/// The sweep as far as it has come, with points.json brought up to date.
SweepTable current_table(const SweepStudy& study, const std::vector<SweepPoint>& points) {
  SweepTable table{study, points, SweepFolder{study.out}.states(points)};
  write_points_json(study, points, table.states);
  return table;
}

/// Points that a run has to do, in the state it wants to find them.
std::vector<SweepPoint> points_to_run(const SweepStudy& study, const std::vector<SweepPoint>& points, bool rerun) {
  const SweepFolder folder{study.out};
  std::vector<SweepPoint> chosen;
  for (const SweepPoint& point : points) {
    if (rerun) folder.clear(point, true);
    if (rerun || folder.state(point).status != PointStatus::done) chosen.push_back(point);
  }
  return chosen;
}

void write_tables(const SweepTable& table) {
  const std::string stem = table.study.out + "/" + table.study.name;
  write_sweep_hdf5(table, stem + ".h5");
  write_file_atomically(stem + ".csv", sweep_csv(table));
  write_file_atomically(stem + ".html", sweep_page(table));
  print(sweep_text(table) + labelled("sweep", sweep_counts(table)) +
        labelled("tables", stem + ".h5, " + stem + ".csv") + labelled("report", stem + ".html"));
}

/// Ends with the exit code of the first point that failed, or with that of runs that were stopped.
void fail_unless_done(const SweepTable& table) {
  const u32 failed = table.count(PointStatus::failed);
  if (table.count(PointStatus::done) == table.points.size()) return;
  if (failed == 0) {
    throw Error(ExitCode::stopped, sweep_counts(table) + " (runs were ended early); run the same command to go on",
                sweep_gaps(table));
  }
  for (const PointState& state : table.states) {
    if (state.status != PointStatus::failed) continue;
    const bool documented = state.exit_code >= 2 && state.exit_code <= 5;
    throw Error(documented ? static_cast<ExitCode>(state.exit_code) : ExitCode::system,
                std::to_string(failed) + " of " + std::to_string(table.points.size()) +
                    " points failed (their reasons are below); run the same command again to retry them",
                sweep_gaps(table));
  }
}

/// What a job of the array does: exit code 75 asks to be started again.
void run_single_points(const SweepOptions& options, const SweepStudy& study, const std::vector<SweepPoint>& points) {
  const SweepFolder folder{study.out};
  for (const u32 index : options.points) {
    if (index >= points.size()) {
      throw ConfigError("--point " + std::to_string(index) + ": there is no such point (" + study.path + " has 0.." +
                        std::to_string(points.size() - 1) + "); weft sweep " + study.path + " --dry-run lists them");
    }
  }
  const std::string weft = this_program();
  const StopSignals signals;
  for (const u32 index : options.points) {
    const SweepPoint& point = points[index];
    const std::string name = "point " + std::to_string(index) + " (" + point_text(study, point) + ")";
    if (points_to_run(study, {point}, options.rerun).empty()) {
      print(name + ": has a result already\n");
      continue;
    }
    switch (run_point(weft, study, point)) {
      case Attempt::done:
        print(name + ": done, " + folder.result(point) + "\n");
        break;
      case Attempt::failed: {
        const PointState state = folder.state(point);
        const bool documented = state.exit_code >= 2 && state.exit_code <= 5;
        throw Error(documented ? static_cast<ExitCode>(state.exit_code) : ExitCode::system,
                    name + " failed with exit code " + std::to_string(state.exit_code) + ": " + error_line(state.error),
                    state.error);
      }
      case Attempt::checkpointed:
        throw Error(ExitCode::stopped,
                    name + " stopped early with a checkpoint; run the same command to go on with it");
      case Attempt::stopped:
        throw SystemError(name +
                          " was ended by a signal and left no checkpoint (nothing is left of it); give it more time");
    }
  }
}

void run_here(const SweepOptions& options, const SweepStudy& study, const std::vector<SweepPoint>& points) {
  const std::vector<SweepPoint> chosen = points_to_run(study, points, options.rerun);
  if (chosen.size() < points.size()) {
    print(labelled("sweep", std::to_string(points.size() - chosen.size()) + " of " + std::to_string(points.size()) +
                                " points have a result already"));
  }
  const StopSignals signals;
  {
    const auto mode = options.progress == "always"  ? Progress::Mode::always
                      : options.progress == "never" ? Progress::Mode::never
                                                    : Progress::Mode::automatic;
    Progress progress(mode, std::cerr, ::isatty(STDERR_FILENO) == 1);
    run_points(this_program(), study, chosen, options.jobs > 0 ? options.jobs : usual_jobs(study.ranks), progress);
  }
  const SweepTable table = current_table(study, points);
  if (StopSignals::received() > 0) {
    throw Error(ExitCode::stopped, "stopped by a signal (" + sweep_counts(table) + "); run the same command to go on");
  }
  write_tables(table);
  fail_unless_done(table);
}

void submit(const SweepOptions& options, const SweepStudy& study, const std::vector<SweepPoint>& points) {
  const std::vector<SweepPoint> chosen = points_to_run(study, points, options.rerun && !options.dry_run);
  current_table(study, points);
  if (chosen.empty()) {
    print(labelled("sweep", "all " + std::to_string(points.size()) + " points have a result; weft sweep " + study.path +
                                " --collect gathers them"));
    return;
  }
  const std::string script = sweep_script_path(study);
  write_file_atomically(script, sweep_script(this_program(), study, chosen));
  const std::string count = std::to_string(chosen.size()) + " of " + std::to_string(points.size()) + " points";
  if (options.dry_run) {
    print(labelled("script", script + ": " + count + "; not submitted (sbatch " + script + " would)"));
    return;
  }
  print(labelled("script", script + ": " + count));
  print(labelled("job", submit_script(script) + "; when it has ended: weft sweep " + study.path + " --collect"));
}

}  // namespace

void sweep(const SweepOptions& options) {
  check_choice(options);
  const SweepStudy study = load_sweep(options.study);
  const std::vector<SweepPoint> points = sweep_points(study);
  if (options.dry_run && !options.submit) {
    print(sweep_text({study, points, SweepFolder{study.out}.states(points)}));
    return;
  }
  SweepFolder{study.out}.create();
  if (!options.points.empty()) return run_single_points(options, study, points);
  if (options.submit) return submit(options, study, points);
  if (!options.collect) return run_here(options, study, points);
  const SweepTable table = current_table(study, points);
  write_tables(table);
  print(sweep_gaps(table));
}

}  // namespace weft::tools
