// `weft sweep`: many runs of one config, here or as a SLURM job array, and what they say together.
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/load.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/run/progress.hpp"
#include "tools/study/point_time.hpp"
#include "tools/study/sweep_columns.hpp"
#include "tools/study/sweep_estimate.hpp"
#include "tools/study/sweep_page.hpp"
#include "tools/study/sweep_published.hpp"
#include "tools/study/sweep_run.hpp"
#include "tools/study/sweep_search.hpp"
#include "tools/study/sweep_slurm.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools {
namespace {

struct SweepOptions {
  std::string study;
  u32 jobs = 0;                     ///< processes at once; 0: as many as keep the processors busy
  std::vector<std::string> points;  ///< run these alone (name, hash or index), one after the other; empty: all
  std::vector<std::string> set;     ///< table.key=value for all points, after what the study sets
  bool quick = false;               ///< with what [sweep.quick] says
  bool rerun = false;               ///< points that have a result too
  bool submit = false;              ///< as a SLURM job array
  bool force = false;               ///< submit although an earlier job is still in the queue
  bool dry_run = false;             ///< list the points with an estimate, or write the job script, and run none
  bool collect = false;             ///< gather what is there
  std::string progress = "auto";    ///< auto, always or never
};

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
void check_sweep_files(const sweep::SweepTable& sweep) {
  const sweep::SweepStudy& study = sweep.study;
  files::CommandFiles files;
  files.reads("the study", study.path);
  reads_config(files, study.config);
  if (!study.cost.empty()) files.reads("cost", study.cost);
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

void write_tables(sweep::SweepTable& table, sweep::Networks& networks) {
  const std::string stem = stem_of(table.study);
  sweep::write_points_json(table.study, table.points, table.states);
  sweep::add_columns(table, networks);
  sweep::write_sweep_hdf5(table, stem + ".h5");
  files::write_file_atomically(stem + ".csv", sweep::sweep_csv(table));
  if (table.study.search) files::write_file_atomically(stem + "-saturation.csv", sweep::saturation_csv(table));
  files::write_file_atomically(stem + ".html", sweep::sweep_page(table));
  const std::string saturation = sweep::saturation_text(table), published = sweep::published_text(table);
  files::print(sweep::sweep_text(table) + (saturation.empty() ? "" : saturation + "\n") +
               (published.empty() ? "" : published + "\n") + labelled("sweep", sweep::sweep_counts(table)) +
               labelled("tables", stem + ".h5, " + stem + ".csv") + labelled("report", stem + ".html"));
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
        process::exit_code_of(state.exit_code),
        fmt::format("{} of {} points failed (their reasons are below); run the same command again to retry them",
                    failed, table.points.size()),
        sweep::sweep_gaps(table));
  }
}

/// With the points that the results which are there ask for; whether there are any.
bool extend(sweep::SweepTable& table) {
  const std::size_t before = table.points.size();
  while (true) {
    const auto added = sweep::searched_points(table);
    if (added.empty()) return table.points.size() > before;
    table.study.added.insert(table.study.added.end(), added.begin(), added.end());
    // Points that were there keep their places.
    table.points = sweep::sweep_points(table.study);
    const sweep::SweepFolder folder{table.study.out};
    for (std::size_t ix = table.states.size(); ix < table.points.size(); ++ix)
      table.states.push_back(folder.state(table.points[ix]));
  }
}

/// What a study file or a frozen sweep stands for, as far as it has come; `path`: of a frozen one, else empty.
struct Opened {
  std::string path;
  std::map<std::string, std::string> inputs;  ///< of a frozen one
  sweep::SweepTable table;

  /// Nothing that is edited from here on reaches the runs of this.
  [[nodiscard]] sweep::FrozenSweep frozen() const {
    return path.empty() ? sweep::freeze(table.study, table.points)
                        : sweep::FrozenSweep{path, table.study, table.points, inputs};
  }
  bool extend_search() { return path.empty() && extend(table); }
};

Opened opened(const SweepOptions& options) {
  if (sweep::is_frozen(options.study)) {
    if (options.quick || !options.set.empty()) {
      throw ConfigError("--set or --quick with a frozen sweep (nothing of it changes any more); give the study file");
    }
    const sweep::FrozenSweep sweep = sweep::load_frozen(options.study);
    // A task of a job array looks at its own points alone.
    if (!options.points.empty()) return {sweep.path, sweep.inputs, {sweep.study, sweep.points, {}}};
    return {sweep.path,
            sweep.inputs,
            {sweep.study, sweep.points, sweep::SweepFolder{sweep.study.out}.states(sweep.points)}};
  }
  Opened found;
  sweep::SweepTable& table = found.table;
  table.study = sweep::load_sweep(options.study, options.set, options.quick);
  table.points = sweep::sweep_points(table.study);
  // Points that are named are looked at by themselves; only a search must know all results to name them.
  if (options.points.empty() || table.study.search)
    table.states = sweep::SweepFolder{table.study.out}.states(table.points);
  found.extend_search();
  return found;
}

/// What a job of the array does: exit code 75 asks to be started again.
void run_single_points(const SweepOptions& options, const sweep::FrozenSweep& sweep) {
  const sweep::SweepStudy& study = sweep.study;
  const sweep::SweepFolder folder{study.out};
  std::vector<sweep::SweepPoint> points;
  for (const std::string& word : options.points) points.push_back(sweep::find_point(study, sweep.points, word));
  const std::string weft = process::this_program();
  process::TakesLine progress;
  if (options.progress != "never") {
    progress = [](std::string_view line) {
      std::cerr << line << std::endl;
      return true;
    };
  }
  const process::StopSignals signals;
  for (const sweep::SweepPoint& point : points) {
    const std::string name = fmt::format("point {} ({})", point.index, sweep::point_text(study, point));
    if (options.rerun) folder.clear(point, true);
    const sweep::PointState before = folder.state(point);
    sweep::check_versions(study.out, {before}, false);
    if (before.status == sweep::PointStatus::done) {
      files::print(name + ": has a result already\n");
      continue;
    }
    switch (sweep::run_point(weft, sweep, point, progress)) {
      case sweep::Attempt::done:
        files::print(fmt::format("{}: done, {}\n", name, folder.result(point)));
        break;
      case sweep::Attempt::failed: {
        const sweep::PointState state = folder.state(point);
        throw Error(
            process::exit_code_of(state.exit_code),
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
void say_estimate(const sweep::SweepTable& table, sweep::Networks& networks, const std::vector<std::size_t>& chosen,
                  u32 jobs) {
  const sweep::SweepStudy& study = table.study;
  if (chosen.empty() && study.ranks() == 1) return;
  const auto sizes = networks.of(study, table.points);
  sweep::check_ranks(study, table.points, sizes);
  if (chosen.empty()) return;
  const sweep::SweepEstimate estimate = sweep::estimate_of(table, sizes, chosen, process::this_program(), jobs);
  if (estimate.unknown == chosen.size()) {
    files::print(labelled("estimate",
                          "none (no config says how long runs of tasks take, and no point of the sweep has a result)"));
    return;
  }
  const std::string which =
      (estimate.later > 0 ? fmt::format("about {}", counted(chosen.size() + estimate.later, "point"))
                          : counted(chosen.size(), "point")) +
      (estimate.unknown > 0 ? fmt::format(" ({} of unknown length not counted)", estimate.unknown) : "");
  const double at_once = study.ranks() * std::min<double>(jobs, static_cast<double>(chosen.size()));
  files::print(
      labelled("estimate", fmt::format("about {} of processor time for {}; {} with {} at once",
                                       duration(estimate.cpu_s), which, duration(estimate.cpu_s / at_once), jobs)));
}

/// Runs what has no result, and what these results ask for, until they ask for no more.
void run_rounds(const SweepOptions& options, Opened& sweep, sweep::Networks& networks) {
  sweep::SweepTable& table = sweep.table;
  const sweep::SweepFolder folder{table.study.out};
  const u32 jobs = options.jobs > 0 ? options.jobs : sweep::default_jobs(table.study.ranks());
  double before_s = 0;
  std::size_t ran = 0, ended = 0;
  for (bool first = true, more = true; more && process::StopSignals::received() == 0; first = false) {
    const std::vector<std::size_t> places = points_to_run(table.states, options.rerun && first);
    if (first) {
      say_what_does_not_count(table.states);
      if (places.size() < table.points.size()) {
        files::print(labelled("sweep", fmt::format("{} of {} points have a result already",
                                                   table.points.size() - places.size(), table.points.size())));
      }
      say_estimate(table, networks, places, jobs);
      before_s = children_cpu_s();
    }
    for (const std::size_t ix : places) {
      if (options.rerun && first) folder.clear(table.points[ix], true);
    }
    const sweep::FrozenSweep runs = sweep.frozen();
    Progress progress(progress_mode(options.progress));
    sweep::run_points(process::this_program(), runs, points_at(runs.points, places), jobs, progress);
    for (const std::size_t ix : places) {
      table.states[ix] = folder.state(table.points[ix]);
      const sweep::PointStatus status = table.states[ix].status;
      ended += status == sweep::PointStatus::done || status == sweep::PointStatus::failed ? 1 : 0;
    }
    ran += places.size();
    more = sweep.extend_search();
  }
  if (ran > 0) {
    const std::string what =
        ended < ran ? fmt::format("{} of {}, others were stopped or not begun", ended, counted(ran, "point"))
                    : counted(ran, "point");
    files::print(
        labelled("took", fmt::format("{} of processor time for {}", duration(children_cpu_s() - before_s), what)));
  }
}

void run_here(const SweepOptions& options, Opened& sweep) {
  check_sweep_files(sweep.table);
  const process::StopSignals signals;
  sweep::Networks networks(sweep.table.study);
  run_rounds(options, sweep, networks);
  if (process::StopSignals::received() > 0) {
    sweep::write_points_json(sweep.table.study, sweep.table.points, sweep.table.states);
    throw Error(ExitCode::stopped, fmt::format("stopped by a signal ({}); run the same command to go on",
                                               sweep::sweep_counts(sweep.table)));
  }
  write_tables(sweep.table, networks);
  fail_unless_done(sweep.table);
}

/// What a job would only find out after hours in the queue.
void check_inputs_are_there(const sweep::FrozenSweep& sweep) {
  for (const auto& [path, hash] : sweep.inputs) {
    if (hash.empty()) {
      throw InputError(fmt::format("'{}', which the config names, cannot be read as a file; put it there", path));
    }
  }
}

void submit(const SweepOptions& options, const Opened& found) {
  const sweep::FrozenSweep sweep = found.frozen();
  const sweep::SweepStudy& study = sweep.study;
  check_sweep_files(found.table);
  check_inputs_are_there(sweep);
  if (!options.dry_run && !options.force) sweep::check_no_job_lives(study);
  const auto sizes = sweep::Networks(study).of(study, sweep.points);
  sweep::check_ranks(study, sweep.points, sizes);
  const std::vector<sweep::PointState>& states = found.table.states;
  sweep::write_points_json(study, sweep.points, states);
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
  const std::string job = sweep::submit_script(script, sweep, points, [&old] { old.forget(); });
  if (rerun) sweep::write_points_json(study, sweep.points, sweep::SweepFolder{study.out}.states(sweep.points));
  files::print(labelled("job", fmt::format("{}; when it has ended: weft sweep {} --collect", job, study.path)));
}

/// Runs, submits or gathers a parameter sweep. Throws what the study and its points throw, and an Error with the exit
/// code of the first failed point once all have ended.
void run_sweep(const SweepOptions& options) {
  check_choice(options);
  Opened found = opened(options);
  const sweep::SweepStudy& study = found.table.study;
  if (options.dry_run && !options.submit) {
    files::print(sweep::sweep_text(found.table));
    const process::StopSignals signals;
    sweep::Networks networks(study);
    const u32 jobs = options.jobs > 0 ? options.jobs : sweep::default_jobs(study.ranks());
    say_estimate(found.table, networks, points_to_run(found.table.states, options.rerun), jobs);
    return;
  }
  for (const std::string& word : options.points) static_cast<void>(sweep::find_point(study, found.table.points, word));
  sweep::SweepFolder{study.out}.create();
  if (options.points.empty() && !options.rerun) {
    sweep::check_versions(study.out, found.table.states, options.collect);
  }
  if (options.collect) {
    check_sweep_files(found.table);
    sweep::note_queued(study, found.table.points, found.table.states);
    sweep::Networks networks(study);
    write_tables(found.table, networks);
    files::print(sweep::sweep_gaps(found.table));
    return;
  }
  if (!options.points.empty()) return run_single_points(options, found.frozen());
  if (options.submit) return submit(options, found);
  run_here(options, found);
}

void add_sweep(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand("sweep", "a parameter sweep, on local processes or as SLURM job array");
  command->add_option("STUDY", options->study, "study file (TOML); see docs/sweeps.md")->required();
  command->add_option("--jobs", options->jobs, "processes at once; default: as many as keep the processors busy")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_option("--point", options->points, "run this point alone; may be repeated")
      ->type_name("NAME|INDEX")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--set", options->set, "a setting for all points, beside those of the study; may be repeated")
      ->type_name("TABLE.KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--quick", options->quick, "with what [sweep.quick] of the study says, into OUT-quick");
  command->add_flag("--rerun", options->rerun, "run points that have a result too");
  command->add_flag("--submit", options->submit, "run the points as SLURM job array, as they are in the study now");
  command->add_flag("--force", options->force, "submit although an earlier job of the sweep is in the queue");
  command->add_flag("--dry-run", options->dry_run,
                    "list the points and say how long they take; with --submit, write the job script only");
  command->add_flag("--collect", options->collect, "gather the results that are there, and say what is missing");
  add_progress(command, options->progress);
  command->footer(
      "What has a result is not run again: repeat the command to go on after Ctrl-C or to retry what failed.\n"
      "Examples:\n"
      "  weft sweep examples/studies/torus-load.toml --jobs 4\n"
      "  weft sweep examples/studies/torus-load.toml --submit\n"
      "  weft sweep examples/studies/torus-load.toml --collect");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { run_sweep(*options); }); });
}

[[maybe_unused]] const bool sweep_registered =
    CommandRegistry::instance().add("sweep", {.place = 100, .add = add_sweep, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
