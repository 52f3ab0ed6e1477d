// `weft sweep`: many runs of one config, here or as a SLURM job array, and what they say together.
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/files/output_path.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/process/child_process.hpp"
#include "tools/process/run_weft.hpp"
#include "tools/progress/progress.hpp"
#include "tools/sweep/point_time.hpp"
#include "tools/sweep/sweep_page.hpp"
#include "tools/sweep/sweep_run.hpp"
#include "tools/sweep/sweep_search.hpp"
#include "tools/sweep/sweep_slurm.hpp"
#include "tools/sweep/sweep_table.hpp"
#include "tools/text/numbers.hpp"
#include "tools/text/table.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/config_files.hpp"

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
  if (options.force && !options.submit) {
    throw ConfigError("--force without --submit (it submits although an earlier job is in the queue); leave it out");
  }
  if (options.collect && options.rerun) {
    throw ConfigError("--rerun with --collect (which runs nothing); leave one of them out");
  }
}

/// The sweep as far as it has come, with points.json brought up to date.
sweep::SweepTable current_table(const sweep::SweepStudy& study, const std::vector<sweep::SweepPoint>& points) {
  sweep::SweepTable table{study, points, sweep::SweepFolder{study.out}.states(points)};
  sweep::write_points_json(study, points, table.states);
  return table;
}

/// Places of the points that a run has to do.
std::vector<std::size_t> points_to_run(const std::vector<sweep::PointState>& states, bool rerun) {
  std::vector<std::size_t> chosen;
  for (std::size_t ix = 0; ix < states.size(); ++ix) {
    if (rerun || states[ix].status != sweep::PointStatus::done) chosen.push_back(ix);
  }
  return chosen;
}

std::vector<sweep::SweepPoint> points_at(const std::vector<sweep::SweepPoint>& points,
                                         const std::vector<std::size_t>& places) {
  std::vector<sweep::SweepPoint> chosen;
  for (const std::size_t ix : places) chosen.push_back(points[ix]);
  return chosen;
}

std::string stem_of(const sweep::SweepStudy& study) { return study.out + "/" + study.name; }

/// The files that a sweep writes beside those of its points, none of which may be one that it reads.
void check_sweep_files(const sweep::FrozenSweep& sweep) {
  const sweep::SweepStudy& study = sweep.study;
  files::CommandFiles files;
  files.reads("the study", study.path);
  reads_config(files, study.config);
  for (const sweep::SweepPoint& point : sweep.points) {
    for (const auto& [path, hash] : point.inputs) files.reads("an input of its points", path);
  }
  for (const std::string& path :
       {stem_of(study) + ".h5", stem_of(study) + ".csv", stem_of(study) + ".html", stem_of(study) + "-saturation.csv",
        sweep::sweep_script_path(study), sweep::SweepFolder{study.out}.points_json()}) {
    files.writes("out", path);
  }
}

/// Says why results that are there are made again.
void say_what_does_not_count(const std::vector<sweep::PointState>& states) {
  std::string first;
  std::size_t count = 0;
  for (const sweep::PointState& state : states) {
    if (state.status == sweep::PointStatus::failed || state.error.empty()) continue;
    if (count++ == 0) first = state.error;
  }
  if (count == 0) return;
  files::print(
      labelled("again", fmt::format("{} of results that are there; the first: {}", counted(count, "point"), first)));
}

void write_tables(const sweep::SweepTable& table) {
  const std::string stem = stem_of(table.study);
  sweep::write_sweep_hdf5(table, stem + ".h5");
  files::write_file_atomically(stem + ".csv", sweep::sweep_csv(table));
  if (table.study.search) files::write_file_atomically(stem + "-saturation.csv", sweep::saturation_csv(table));
  files::write_file_atomically(stem + ".html", sweep::sweep_page(table));
  const std::string saturation = sweep::saturation_text(table);
  files::print(sweep::sweep_text(table) + (saturation.empty() ? "" : saturation + "\n") +
               labelled("sweep", sweep::sweep_counts(table)) + labelled("tables", stem + ".h5, " + stem + ".csv") +
               labelled("report", stem + ".html"));
}

ExitCode exit_code_of(const sweep::PointState& state) {
  const bool documented = state.exit_code >= 2 && state.exit_code <= 5;
  return documented ? static_cast<ExitCode>(state.exit_code) : ExitCode::system;
}

/// Ends with the exit code of the first point that failed, or with that of runs that were stopped.
void fail_unless_done(const sweep::SweepTable& table) {
  const u32 failed = table.count(sweep::PointStatus::failed);
  if (table.count(sweep::PointStatus::done) == table.points.size()) return;
  if (failed == 0) {
    throw Error(ExitCode::stopped,
                sweep::sweep_counts(table) + " (runs were ended early); run the same command to go on",
                sweep::sweep_gaps(table));
  }
  for (const sweep::PointState& state : table.states) {
    if (state.status != sweep::PointStatus::failed) continue;
    throw Error(
        exit_code_of(state),
        fmt::format("{} of {} points failed (their reasons are below); run the same command again to retry them",
                    failed, table.points.size()),
        sweep::sweep_gaps(table));
  }
}

/// With the points that the results which are there ask for; whether there are any.
bool extend(sweep::FrozenSweep& sweep) {
  if (!sweep.study.search || !sweep.path.empty()) return false;
  const std::size_t before = sweep.points.size();
  while (true) {
    const auto states = sweep::SweepFolder{sweep.study.out}.states(sweep.points);
    const auto added = sweep::searched_points({sweep.study, sweep.points, states});
    if (added.empty()) return sweep.points.size() > before;
    sweep.study.added.insert(sweep.study.added.end(), added.begin(), added.end());
    sweep.points = sweep::sweep_points(sweep.study);
  }
}

/// The sweep that a study file or a frozen sweep stands for; with an empty path until it is frozen.
sweep::FrozenSweep opened(const SweepOptions& options) {
  if (sweep::is_frozen(options.study)) {
    if (options.quick || !options.set.empty()) {
      throw ConfigError("--set or --quick with a frozen sweep (nothing of it changes any more); give the study file");
    }
    return sweep::load_frozen(options.study);
  }
  sweep::FrozenSweep sweep;
  sweep.study = sweep::load_sweep(options.study, options.set, options.quick);
  sweep.points = sweep::sweep_points(sweep.study);
  extend(sweep);
  return sweep;
}

/// Nothing that is edited from here on reaches its runs.
sweep::FrozenSweep frozen(sweep::FrozenSweep sweep) {
  return sweep.path.empty() ? sweep::freeze(sweep.study, sweep.points) : sweep;
}

/// What a job of the array does: exit code 75 asks to be started again.
void run_single_points(const SweepOptions& options, const sweep::FrozenSweep& sweep) {
  const sweep::SweepStudy& study = sweep.study;
  const sweep::SweepFolder folder{study.out};
  std::vector<sweep::SweepPoint> points;
  for (const std::string& word : options.points) points.push_back(sweep::find_point(study, sweep.points, word));
  const std::string weft = process::this_program();
  const process::StopSignals signals;
  for (const sweep::SweepPoint& point : points) {
    const std::string name = fmt::format("point {} ({})", point.index, sweep::point_text(study, point));
    if (options.rerun) folder.clear(point, true);
    if (folder.state(point).status == sweep::PointStatus::done) {
      files::print(name + ": has a result already\n");
      continue;
    }
    switch (sweep::run_point(weft, sweep, point)) {
      case sweep::Attempt::done:
        files::print(fmt::format("{}: done, {}\n", name, folder.result(point)));
        break;
      case sweep::Attempt::failed: {
        const sweep::PointState state = folder.state(point);
        throw Error(
            exit_code_of(state),
            fmt::format("{} failed with exit code {}: {}", name, state.exit_code, sweep::error_line(state.error)),
            state.error);
      }
      case sweep::Attempt::checkpointed:
        throw Error(ExitCode::stopped,
                    name + " stopped early with a checkpoint; run the same command to go on with it");
      case sweep::Attempt::stopped:
        throw SystemError(name +
                          " was ended by a signal and left no checkpoint (nothing is left of it); give it more time");
    }
  }
}

/// Says how long the points will take, where that can be told.
void say_estimate(const sweep::FrozenSweep& sweep, const std::vector<sweep::PointState>& states,
                  const std::vector<std::size_t>& chosen, u32 jobs) {
  const sweep::SweepStudy& study = sweep.study;
  const auto sizes = sweep::network_sizes(study, sweep.points);
  sweep::check_ranks(study, sweep.points, sizes);
  if (chosen.empty()) return;
  const auto seconds = sweep::estimated_seconds(study, sweep.points, states, sizes);
  double total_s = 0;
  u64 unknown = 0;
  for (const std::size_t ix : chosen) {
    total_s += seconds[ix].value_or(0) * study.ranks;
    unknown += seconds[ix] ? 0 : 1;
  }
  if (unknown == chosen.size()) return;
  // A search will ask for as many points more as its curves are to have.
  const u64 later = sweep::points_to_come(study, sweep.points.size());
  const double points = static_cast<double>(chosen.size() - unknown);
  total_s *= (points + static_cast<double>(later)) / points;
  const std::string which =
      (later > 0 ? fmt::format("about {}", counted(chosen.size() + later, "point")) : counted(chosen.size(), "point")) +
      (unknown > 0 ? fmt::format(" ({} of unknown length not counted)", unknown) : "");
  const double at_once = study.ranks * std::min<double>(jobs, chosen.size());
  files::print(labelled("estimate", fmt::format("about {} of processor time for {}; {} with {} at once",
                                                duration(total_s), which, duration(total_s / at_once), jobs)));
}

/// Runs what has no result, and what these results ask for, until they ask for no more.
sweep::FrozenSweep run_rounds(const SweepOptions& options, sweep::FrozenSweep sweep) {
  const sweep::SweepFolder folder{sweep.study.out};
  const u32 jobs = options.jobs > 0 ? options.jobs : sweep::usual_jobs(sweep.study.ranks);
  for (bool first = true, more = true; more && process::StopSignals::received() == 0; first = false) {
    const std::vector<sweep::PointState> states = folder.states(sweep.points);
    const std::vector<std::size_t> places = points_to_run(states, options.rerun && first);
    const std::vector<sweep::SweepPoint> chosen = points_at(sweep.points, places);
    if (first) say_what_does_not_count(states);
    for (const sweep::SweepPoint& point : chosen) {
      if (options.rerun && first) folder.clear(point, true);
    }
    if (first && chosen.size() < sweep.points.size()) {
      files::print(labelled("sweep", fmt::format("{} of {} points have a result already",
                                                 sweep.points.size() - chosen.size(), sweep.points.size())));
    }
    if (first) say_estimate(sweep, states, places, jobs);
    const sweep::FrozenSweep runs = frozen(sweep);
    Progress progress(progress_mode(options.progress), std::cerr, ::isatty(STDERR_FILENO) == 1);
    sweep::run_points(process::this_program(), runs, points_at(runs.points, places), jobs, progress);
    more = extend(sweep);
  }
  return sweep;
}

void run_here(const SweepOptions& options, const sweep::FrozenSweep& sweep) {
  check_sweep_files(sweep);
  const process::StopSignals signals;
  const sweep::FrozenSweep all = run_rounds(options, sweep);
  const sweep::SweepTable table = current_table(all.study, all.points);
  if (process::StopSignals::received() > 0) {
    throw Error(ExitCode::stopped,
                fmt::format("stopped by a signal ({}); run the same command to go on", sweep::sweep_counts(table)));
  }
  write_tables(table);
  fail_unless_done(table);
}

/// What a job would only find out after hours in the queue.
void check_inputs_are_there(const sweep::FrozenSweep& sweep) {
  for (const auto& [path, hash] : sweep.inputs) {
    if (hash.empty()) {
      throw InputError(fmt::format("'{}', which the config names, cannot be read as a file; put it there", path));
    }
  }
}

void submit(const SweepOptions& options, const sweep::FrozenSweep& sweep) {
  const sweep::SweepStudy& study = sweep.study;
  check_sweep_files(sweep);
  check_inputs_are_there(sweep);
  if (!options.dry_run && !options.force) sweep::check_no_job_lives(study);
  const auto sizes = sweep::network_sizes(study, sweep.points);
  sweep::check_ranks(study, sweep.points, sizes);
  const std::vector<sweep::PointState> states = current_table(study, sweep.points).states;
  const bool rerun = options.rerun && !options.dry_run;
  const std::vector<std::size_t> chosen = points_to_run(states, rerun);
  say_what_does_not_count(states);
  if (chosen.empty()) {
    files::print(labelled("sweep", fmt::format("all {} points have a result; weft sweep {} --collect gathers them",
                                               sweep.points.size(), study.path)));
    return;
  }
  const std::string script = sweep::sweep_script_path(study);
  const auto seconds = sweep::estimated_seconds(study, sweep.points, states, sizes);
  std::vector<std::optional<double>> chosen_seconds;
  for (const std::size_t ix : chosen) chosen_seconds.push_back(seconds[ix]);
  const std::vector<sweep::SweepPoint> points = points_at(sweep.points, chosen);
  const std::size_t tasks =
      std::min<std::size_t>(sweep::tasks_for(chosen_seconds, study.slurm.task_seconds), study.slurm.array_max);
  files::write_file_atomically(script, sweep::sweep_script(process::this_program(), sweep, points, tasks));
  const std::string count = fmt::format("{} of {} points", chosen.size(), sweep.points.size()) +
                            (tasks < points.size() ? fmt::format(" in {}", counted(tasks, "array task")) : "");
  if (options.dry_run) {
    files::print(labelled("script", fmt::format("{}: {}; not submitted (sbatch {} would)", script, count, script)));
    return;
  }
  files::print(labelled("script", script + ": " + count));
  files::print(labelled("frozen", sweep.path + ": what the job runs, whatever is edited from now on"));
  // The job may start at once, and finds what is to be made anew gone; if it is refused, all is as it was.
  const process::StopSignals signals;
  sweep::SetAside old;
  for (const sweep::SweepPoint& point : points) {
    if (rerun) old.take(sweep::SweepFolder{study.out}, point);
  }
  const std::string job = sweep::submit_script(script, sweep, [&old] { old.forget(); });
  if (rerun) current_table(study, sweep.points);
  files::print(labelled("job", fmt::format("{}; when it has ended: weft sweep {} --collect", job, study.path)));
}

}  // namespace

void run_sweep(const SweepOptions& options) {
  check_choice(options);
  const sweep::FrozenSweep found = opened(options);
  const sweep::SweepStudy& study = found.study;
  if (options.dry_run && !options.submit) {
    files::print(sweep::sweep_text({study, found.points, sweep::SweepFolder{study.out}.states(found.points)}));
    return;
  }
  for (const std::string& word : options.points) static_cast<void>(sweep::find_point(study, found.points, word));
  sweep::SweepFolder{study.out}.create();
  if (options.collect) {
    check_sweep_files(found);
    const sweep::SweepTable table = current_table(study, found.points);
    write_tables(table);
    files::print(sweep::sweep_gaps(table));
    return;
  }
  if (!options.points.empty()) return run_single_points(options, frozen(found));
  if (options.submit) return submit(options, frozen(found));
  run_here(options, found);
}

}  // namespace weft::tools
