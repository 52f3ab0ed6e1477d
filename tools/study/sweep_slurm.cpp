// A sweep as a SLURM job array.
#include "tools/study/sweep_slurm.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/error.hpp"
#include "tools/study/child_process.hpp"
#include "tools/study/sweep_folder.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

/// What the script does, below its options and the variables weft, study, tasks, ranks and points.
constexpr const char* script_body = R"sh(
# Whether srun can start MPI ranks depends on how the site built SLURM and MPI; mpirun reads the allocation by itself.
if ((ranks > 1)) && [[ -z ${WEFT_LAUNCHER:-} ]]; then
  if srun --mpi=list 2>&1 | grep -qw pmix; then
    export WEFT_LAUNCHER="srun --mpi=pmix"
  else
    export WEFT_LAUNCHER="mpirun"
  fi
fi

# SLURM warns this script (USR1 before the time limit, TERM at preemption); weft hands it on to the run, which writes
# its checkpoint. A wait that the warning breaks off is taken up again.
warned=0
broken=0
child=
trap 'warned=1; broken=1; if [[ -n $child ]]; then kill -USR1 "$child" 2>/dev/null; fi' USR1 TERM
run() {
  local code=0 again
  "$@" &
  child=$!
  wait "$child" || code=$?
  while ((broken)); do
    broken=0
    again=0
    wait "$child" || again=$?
    if ((again != 127)); then code=$again; fi
  done
  child=
  return "$code"
}

worst=0
ended=0
requeue=0
for ((at = SLURM_ARRAY_TASK_ID; at < ${#points[@]}; at += tasks)); do
  if ((warned)); then requeue=$((ended > 0)); break; fi
  code=0
  run "$weft" sweep "$study" --point "${points[at]}" || code=$?
  if ((code == 75)); then requeue=1; break; fi
  if ((warned)); then requeue=$((ended > 0)); worst=$code; break; fi
  ended=$((ended + 1))
  if ((code > worst)); then worst=$code; fi
done

# SLURM also says TERM to a job that was cancelled, or that it requeues itself: then it is not ours to requeue.
restarts=${SLURM_RESTART_COUNT:-0}
if ((requeue)) && [[ $(scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null) != *JobState=RUNNING* ]]; then exit 75; fi
if ((requeue)) && ((restarts < ${WEFT_MAX_RESTARTS:-100})); then
  echo "stopped early; requeued (restart $restarts)"
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && sleep 60
fi
if ((requeue)); then exit 75; fi
exit "$worst"
)sh";

/// A word that bash takes as it is.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Absolute, so that the job may start anywhere. A line break would end an #SBATCH line.
std::string job_path(const std::string& path) {
  const std::string absolute = fs::absolute(path).lexically_normal().string();
  if (absolute.find_first_of("\n\r") != std::string::npos) {
    throw ConfigError("'" + absolute + "' has a line break in its name (a job script cannot hold it); rename it");
  }
  return absolute;
}

std::string options(const SweepStudy& study, std::size_t tasks) {
  const SlurmChoice& slurm = study.slurm;
  std::string text;
  const auto add = [&text](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  add("--job-name=" + study.name);
  add("--array=0-" + std::to_string(tasks - 1) + (slurm.at_once > 0 ? "%" + std::to_string(slurm.at_once) : ""));
  add("--nodes=" + std::to_string(slurm.nodes));
  add("--ntasks=" + std::to_string(slurm.ntasks > 0 ? slurm.ntasks : study.ranks));
  if (!slurm.partition.empty()) add("--partition=" + slurm.partition);
  if (!slurm.account.empty()) add("--account=" + slurm.account);
  if (!slurm.time.empty()) add("--time=" + slurm.time);
  add("--signal=B:USR1@" + std::to_string(slurm.signal_seconds));
  add("--requeue");
  add("--open-mode=append");
  add("--output=\"" + job_path(SweepFolder{study.out}.logs()) + "/%A_%a.log\"");
  for (const std::string& option : slurm.extra) add(option);
  return text;
}

}  // namespace

std::string sweep_script(const std::string& weft, const SweepStudy& study, const std::vector<SweepPoint>& points) {
  WEFT_ASSERT(!points.empty());
  const std::size_t tasks = std::min<std::size_t>(points.size(), study.slurm.array_max);
  std::string text =
      "#!/bin/bash\n# Written by weft sweep: a job array over the points that had no result then. Submit it with "
      "sbatch.\n" +
      options(study, tasks) + "\nset -uo pipefail\nweft=" + quoted(weft) + "\nstudy=" + quoted(job_path(study.path)) +
      "\ntasks=" + std::to_string(tasks) + "\nranks=" + std::to_string(study.ranks) + "\npoints=(";
  for (std::size_t ix = 0; ix < points.size(); ++ix) text += (ix > 0 ? " " : "") + std::to_string(points[ix].index);
  return text + ")\n" + script_body;
}

std::string sweep_script_path(const SweepStudy& study) { return study.out + "/" + study.name + ".sbatch"; }

std::string submit_script(const std::string& path) {
  const ChildOutcome sbatch = run_child({"sbatch", "--parsable", path});
  if (sbatch.exit_code != 0) {
    throw SystemError("sbatch refused '" + path + "' (exit code " + std::to_string(sbatch.exit_code) +
                          "); correct [slurm] in the study, or edit and submit the script by hand",
                      sbatch.error);
  }
  return sbatch.output.substr(0, sbatch.output.find_first_of(";\n"));
}

}  // namespace weft::tools
