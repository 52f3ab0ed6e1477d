// A sweep as a SLURM job array.
#include "tools/study/sweep_slurm.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/shell.hpp"
#include "job_functions.hpp"

namespace weft::tools::sweep {
namespace {

namespace fs = std::filesystem;

/// What the script does, below its options, the variables weft, study, tasks, ranks and points, and the job functions.
constexpr const char* script_body = R"sh(
clock_time() { printf '%d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60)); }

if ((ranks > 1)); then choose_launcher; fi

worst=0
ended=0
again=0
own=$(((${#points[@]} - SLURM_ARRAY_TASK_ID + tasks - 1) / tasks))
began=$SECONDS
for ((at = SLURM_ARRAY_TASK_ID; at < ${#points[@]}; at += tasks)); do
  eta=
  if ((ended > 0)); then eta="; ETA $(clock_time $(((SECONDS - began) * (own - ended) / ended)))"; fi
  say "$ended of $own points of this task ended$eta; now point ${points[at]}"
  if ((warned)); then again=$((ended > 0)); break; fi
  code=0
  run "$weft" sweep "$study" --point "${points[at]}" || code=$?
  if ((code == 75)); then again=1; break; fi
  if ((warned)); then again=$((ended > 0)); worst=$code; break; fi
  ended=$((ended + 1))
  if ((code > worst)); then worst=$code; fi
done

if ((again)); then
  requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" "stopped early" "submit again to go on with what is left"
  exit 75
fi
say "$ended of $own points of this task ended after $(clock_time $((SECONDS - began)))"
exit "$worst"
)sh";

/// Absolute, so that the job may start anywhere. A line break would end an #SBATCH line.
std::string job_path(const std::string& path) {
  const std::string absolute = fs::absolute(path).lexically_normal().string();
  if (process::has_control_character(absolute)) {
    throw ConfigError(fmt::format("{} has a control character in its name (a job script cannot hold it); rename it",
                                  value_text(absolute)));
  }
  return absolute;
}

/// The names of the logs. SLURM replaces %A and the like in them, unless there is a backslash.
std::string log_pattern(const std::string& folder) {
  std::string text;
  for (const char c : job_path(folder)) {
    if (c == '\\') {
      throw ConfigError(fmt::format(
          "'{}' has a backslash in its name (SLURM would take the names of the logs literally); choose another out",
          folder));
    }
    text += c == '%' ? "%%" : std::string(1, c);
  }
  return text + "/%A_%a.log";
}

std::string options(const SweepStudy& study, std::size_t tasks) {
  const SlurmChoice& slurm = study.slurm;
  std::string text;
  const auto add_line = [&text](const std::string& option) { text += fmt::format("#SBATCH {}\n", option); };
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) add_line(fmt::format("--{}={}", name, process::sbatch_quoted(value)));
  };
  add("job-name", study.name);
  add("array", fmt::format("0-{}{}", tasks - 1, slurm.at_once > 0 ? fmt::format("%{}", slurm.at_once) : ""));
  add("nodes", std::to_string(slurm.nodes));
  add("ntasks", std::to_string(slurm.ntasks > 0 ? slurm.ntasks : study.processes));
  if (study.threads > 1) add("cpus-per-task", std::to_string(study.threads));
  add("partition", slurm.partition);
  add("account", slurm.account);
  add("time", slurm.time);
  add("signal", fmt::format("B:USR1@{}", slurm.signal_seconds));
  add_line("--requeue");
  add("open-mode", "append");
  add("output", log_pattern(SweepFolder{study.out}.logs()));
  for (const std::string& option : slurm.extra) add_line(option);
  return text;
}

/// Whether squeue shows anything of the job; nothing where that cannot be known.
std::optional<bool> lives(const std::string& job) {
  // "123;cluster" where a site has several.
  const std::size_t mark = job.find(';');
  std::vector<std::string> command{"squeue", "--noheader", "--jobs=" + job.substr(0, mark), "--format=%T"};
  if (mark != std::string::npos) command.push_back("--clusters=" + job.substr(mark + 1));
  try {
    const process::ChildOutcome squeue = process::run_child(command);
    if (squeue.exit_code == 0) return squeue.output.find_first_not_of(" \n") != std::string::npos;
    // A job that has ended long ago is unknown.
    if (squeue.error.find("Invalid job id") != std::string::npos) return false;
    spdlog::warn("cannot ask SLURM whether job {} of this sweep still runs (squeue: {}); look yourself", job,
                 squeue.error.substr(0, squeue.error.find('\n')));
  } catch (const SystemError& error) {
    spdlog::warn("cannot ask SLURM whether job {} of this sweep still runs ({})", job, error.what());
  }
  return std::nullopt;
}

std::string jobs_path(const SweepStudy& study) { return study.out + "/jobs.json"; }

struct NotedJob {
  std::string job;                  ///< "123", or "123;cluster" where a site has several
  std::vector<std::string> points;  ///< hashes; none of a job that an older version submitted, which may have any

  [[nodiscard]] std::string number() const { return job.substr(0, job.find(';')); }
  [[nodiscard]] bool has(const SweepPoint& point) const {
    return points.empty() || std::ranges::find(points, point.hash()) != points.end();
  }
};

/// The jobs that were submitted and have not been seen to end; none if the file is damaged.
std::vector<NotedJob> noted_jobs(const SweepStudy& study) {
  std::ifstream file(jobs_path(study));
  const nlohmann::json list = nlohmann::json::parse(file, nullptr, false);
  std::vector<NotedJob> jobs;
  if (!list.is_array()) return jobs;
  for (const nlohmann::json& entry : list) {
    try {
      // Older versions noted the numbers alone.
      if (entry.is_string()) {
        jobs.push_back({entry.get<std::string>(), {}});
      } else {
        jobs.push_back({entry.at("job").get<std::string>(), entry.at("points").get<std::vector<std::string>>()});
      }
    } catch (const nlohmann::json::exception&) {
      continue;
    }
  }
  return jobs;
}

void write_jobs(const SweepStudy& study, const std::vector<NotedJob>& jobs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NotedJob& noted : jobs) list.push_back({{"job", noted.job}, {"points", noted.points}});
  files::write_file_atomically(jobs_path(study), list.dump() + "\n");
}

}  // namespace

std::string sweep_script(const std::string& weft, const FrozenSweep& sweep, const std::vector<SweepPoint>& points,
                         std::size_t most_tasks) {
  WEFT_ASSERT(!points.empty() && most_tasks > 0);
  const SweepStudy& study = sweep.study;
  const std::size_t tasks = std::min({points.size(), most_tasks, std::size_t{study.slurm.array_max}});
  std::string text = fmt::format(
      "#!/bin/bash\n"
      "# Written by weft sweep: a job array over the points that had no result then. Submit it with sbatch.\n"
      "{}\nset -uo pipefail\nwho=sweep\n# shellcheck disable=SC2016\nweft={}\n# shellcheck "
      "disable=SC2016\nstudy={}\ntasks={}\nranks={}\n",
      options(study, tasks), process::shell_quoted(job_path(weft)), process::shell_quoted(job_path(sweep.path)), tasks,
      study.processes);
  // By their hashes: short, and the same point whatever becomes of the study.
  text += "points=(";
  for (std::size_t ix = 0; ix < points.size(); ++ix) text += (ix > 0 ? " " : "") + points[ix].hash();
  return text + ")\n\n" + job_functions + script_body;
}

std::string sweep_script_path(const SweepStudy& study) { return study.out + "/" + study.name + ".sbatch"; }

std::string submit_script(const std::string& path, const FrozenSweep& sweep, const std::vector<SweepPoint>& points,
                          const std::function<void()>& accepted) {
  const process::ChildOutcome sbatch = process::run_child({"sbatch", "--parsable", path});
  if (sbatch.exit_code != 0) {
    throw SystemError(
        fmt::format("sbatch refused '{}' (exit code {}); correct [slurm] in the study, or edit and submit "
                    "the script by hand",
                    path, sbatch.exit_code),
        sbatch.error);
  }
  accepted();
  NotedJob noted{sbatch.output.substr(0, sbatch.output.find('\n')), {}};
  for (const SweepPoint& point : points) noted.points.push_back(point.hash());
  std::vector<NotedJob> jobs = noted_jobs(sweep.study);
  std::erase_if(jobs, [](const NotedJob& before) { return !lives(before.job).value_or(true); });
  jobs.push_back(noted);
  write_jobs(sweep.study, jobs);
  return noted.number();
}

void note_queued(const SweepStudy& study, const std::vector<SweepPoint>& points, std::vector<PointState>& states) {
  const bool all_done =
      std::ranges::all_of(states, [](const PointState& state) { return state.status == PointStatus::done; });
  if (all_done) return;
  for (const NotedJob& noted : noted_jobs(study)) {
    if (!lives(noted.job).value_or(false)) continue;
    for (std::size_t ix = 0; ix < points.size(); ++ix) {
      if (states[ix].status != PointStatus::done && noted.has(points[ix])) states[ix].job = noted.number();
    }
  }
}

void check_no_job_lives(const SweepStudy& study) {
  for (const NotedJob& noted : noted_jobs(study)) {
    if (!lives(noted.job).value_or(false)) continue;
    const std::string number = noted.number();
    throw ConfigError(fmt::format(
        "job {} of this sweep is still in the queue (its points would run twice); wait for its end, end it with "
        "scancel {}, or submit all the same with --force",
        number, number));
  }
}

}  // namespace weft::tools::sweep
