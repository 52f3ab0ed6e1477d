"""Sweeps on this machine: what runs, what is kept, what happens to points that fail or are interrupted, and the scripts
for SLURM as far as they can be tried without it.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

from harness import ROOT  # noqa: E402

WEFT, MPIRUN = harness.weft(), harness.mpirun()

BASE = 'format = 1\n[topology]\nkind = "torus"\ndims = [6, 6]\n[simulation]\ncycles = 1500\n'
STUDY = """format = 1
[sweep]
base = "base.toml"
name = "s"
ranks = {ranks}
{more}
[[sweep.axis]]
key = "workload.pattern"
values = ["uniform", "{pattern}"]
[[sweep.axis]]
key = "workload.offered_load"
values = [0.1, 0.4]
"""


class Sweep(harness.Scratch):
    def setUp(self):
        super().setUp()
        self.write("base.toml", BASE)
        self.study = self.make_study()

    def make_study(self, pattern="tornado", ranks=1, more=""):
        return self.write("study.toml", STUDY.format(pattern=pattern, ranks=ranks, more=more))

    def command(self, *arguments):
        return harness.with_mpi([WEFT, "sweep", self.study, "--progress", "never", *arguments])

    def sweep(self, *arguments, code=0, **environment):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, WEFT_RANKS="4", **environment), stdin=subprocess.DEVNULL, timeout=100,
                              check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def points(self):
        return json.loads((self.folder / "s" / "points.json").read_text(encoding="utf-8"))["points"]

    def results(self):
        return sorted((self.folder / "s" / "points").glob("*.h5"))

    def result_times(self):
        return {path.name: path.stat().st_mtime_ns for path in self.results()}


class Local(Sweep):
    def test_every_point_has_the_digest_of_a_run_by_hand(self):
        text = self.sweep("--jobs", 2)
        self.assertIn("4 points: 4 done", text)
        points = self.points()
        self.assertEqual([p["settings"] for p in points], [
            {"workload.pattern": pattern, "workload.offered_load": load}
            for pattern in ("uniform", "tornado") for load in (0.1, 0.4)])
        for point in points:
            sets = [word for key, value in point["settings"].items() for word in ("--set", f"{key}={value}")]
            done = subprocess.run([WEFT, "run", "base.toml", *sets, "--json", "-"], cwd=self.folder, text=True,
                                  capture_output=True, check=True)
            summary = json.loads(done.stdout)
            self.assertEqual(point["digest"], summary["digest"])
            self.assertEqual(point["load_accepted"], summary["load"]["accepted"])
            self.assertEqual(point["latency_p99"], summary["latency"]["p99"])

    def test_tables_and_page_hold_all_points(self):
        self.sweep()
        with open(self.folder / "s" / "s.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["digest"] for row in rows], [point["digest"] for point in self.points()])
        self.assertEqual([float(row["workload.offered_load"]) for row in rows], [0.1, 0.4, 0.1, 0.4])
        listed = subprocess.run(["h5dump", "-d", "/settings/workload.offered_load", "-d", "/points/digest",
                                 str(self.folder / "s" / "s.h5")], capture_output=True, text=True, check=True).stdout
        for row in rows:
            self.assertIn(row["digest"], listed)
        page = (self.folder / "s" / "s.html").read_text(encoding="utf-8")
        tree = xml.fromstring(page.split("\n", 1)[1].replace('<meta charset="utf-8"/>', ""))
        self.assertEqual(len(list(tree.iter("svg"))), 3, "accepted load, mean latency, 99th percentile")
        self.assertEqual(sum("pattern = " in (title.text or "") for title in tree.iter("title")), 6)

    def test_what_is_there_is_not_run_again_unless_asked_for(self):
        self.sweep()
        before = self.result_times()
        self.assertIn("4 of 4 points have a result already", self.sweep())
        self.assertEqual(self.result_times(), before)
        damaged = self.results()[0]
        damaged.write_bytes(damaged.read_bytes()[:-100])
        self.assertIn("3 of 4 points", self.sweep())
        self.assertEqual([name for name, at in self.result_times().items() if at != before[name]], [damaged.name])
        self.sweep("--rerun")
        self.assertFalse(set(self.result_times().values()) & set(before.values()))

    def test_a_longer_axis_keeps_the_points_that_are_there(self):
        self.sweep()
        digests = {point["digest"] for point in self.points()}
        text = self.study.read_text(encoding="utf-8").replace("[0.1, 0.4]", "[0.05, 0.1, 0.4]")
        self.study.write_text(text, encoding="utf-8")
        self.assertIn("4 of 6 points have a result already", self.sweep())
        self.assertLess(digests, {point["digest"] for point in self.points()})

    def test_a_failing_point_is_named_with_its_reason_and_retried(self):
        self.make_study(pattern="butterfly")  # 36 nodes are no power of two
        error = self.sweep(code=2)
        self.assertIn("2 of 4 points failed", error)
        self.assertRegex(error, r"point 2 \(workload.pattern=\"butterfly\", workload.offered_load=0.1\): failed with exit "
                                r"code 2: .*power of two")
        states = [point["status"] for point in self.points()]
        self.assertEqual(states, ["done", "done", "failed", "failed"])
        self.assertIn("4 points: 2 done, 2 failed", self.sweep("--collect"))
        self.write("base.toml", BASE.replace("[6, 6]", "[4, 4]"))
        self.assertIn("4 points: 4 done", self.sweep())

    def test_repetitions_have_seeds_of_their_own(self):
        self.make_study(more="repeat = 3")
        self.sweep()
        points = self.points()
        self.assertEqual([point["settings"]["simulation.seed"] for point in points], [1, 2, 3] * 4)
        self.assertEqual(len({point["digest"] for point in points}), 12)

    def test_wrong_studies_are_refused_before_anything_runs(self):
        self.study.write_text(self.study.read_text(encoding="utf-8").replace("0.4]", "0.4, 1.5]"), encoding="utf-8")
        error = self.sweep(code=2)
        self.assertIn("point 2 (workload.pattern=\"uniform\", workload.offered_load=1.5)", error)
        self.assertFalse((self.folder / "s").exists())
        self.make_study()
        self.assertIn("no such point", self.sweep("--point", 4, code=2))
        self.assertIn("give one of them", self.sweep("--point", 1, "--collect", code=2))

    def test_a_dry_run_lists_the_points_and_leaves_nothing(self):
        text = self.sweep("--dry-run")
        self.assertEqual(len(text.splitlines()), 5)
        self.assertFalse((self.folder / "s").exists())


class Interrupted(Sweep):
    def test_whole_results_stay_and_the_next_start_goes_on(self):
        # One short point, then those that outlast the test.
        self.write("base.toml", BASE.replace("cycles = 1500", ""))
        axis = '[[sweep.axis]]\nkey = "simulation.cycles"\nvalues = [500, 100000000000, 200000000000]\n'
        self.study.write_text(f'format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\n{axis}', encoding="utf-8")
        process = subprocess.Popen(self.command("--jobs", 1), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while len(self.results()) < 1:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        time.sleep(0.5)  # into the second point
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 75, err)
        self.assertIn("stopped by a signal", err)
        self.assertEqual([point["status"] for point in self.points()][0], "done")
        self.assertNotIn("failed", [point["status"] for point in self.points()])
        self.assertEqual([path.name for path in self.results() if ".ckpt" not in path.name],
                         [self.points()[0]["name"] + ".h5"])
        self.assertEqual(list((self.folder / "s" / "points").glob("*.tmp")), [])
        self.assertEqual(self.left_over(), [], "no child runs on")

    def left_over(self):
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if str(self.folder) in (entry / "cmdline").read_text(errors="replace") and entry.name.isdigit():
                    found.append(entry.name)
            except OSError:
                continue
        return found


class Parallel(Sweep):
    def test_several_ranks_give_the_same_digests(self):
        self.sweep()
        alone = [point["digest"] for point in self.points()]
        self.make_study(ranks=2)
        self.sweep("--rerun", "--jobs", 2)
        self.assertEqual([point["digest"] for point in self.points()], alone)

    def test_another_launcher_gets_the_number_of_ranks(self):
        launcher = self.write("launch", '#!/bin/sh\necho "$1 $2" >>"$0.log"\nshift 2\nexec "$@"\n')
        launcher.chmod(0o755)
        self.make_study(ranks=7)
        self.sweep(WEFT_LAUNCHER=str(launcher))
        self.assertEqual((self.folder / "launch.log").read_text(encoding="utf-8"), "-n 7\n" * 4)

    def test_a_launcher_that_does_not_exist_is_a_system_error(self):
        self.make_study(ranks=2)
        self.assertIn("cannot start '/no/such/mpirun'", self.sweep(code=5, WEFT_LAUNCHER="/no/such/mpirun"))


class Submission(Sweep):
    def sbatch(self, text):
        """A stand-in for sbatch on PATH."""
        (self.folder / "bin").mkdir()
        self.write("bin/sbatch", f"#!/bin/sh\n{text}\n").chmod(0o755)
        return {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def script(self):
        return (self.folder / "s" / "s.sbatch").read_text(encoding="utf-8")

    def test_the_script_has_the_points_without_result_and_the_options(self):
        self.study.write_text(self.study.read_text(encoding="utf-8") +
                              '[slurm]\npartition = "p"\ntime = "1:00"\naccount = "a"\nnodes = 2\nntasks = 4\n'
                              'array_max = 2\nat_once = 1\nextra = ["--mem=1G"]\n', encoding="utf-8")
        self.sweep("--point", 1)
        self.assertIn("3 of 4 points; not submitted", self.sweep("--submit", "--dry-run"))
        script = self.script()
        self.assertIn("\npoints=(0 2 3)\n", script)
        for option in ("--array=0-1%1", "--nodes=2", "--ntasks=4", "--partition=p", "--account=a", "--time=1:00",
                       "--signal=B:USR1@120", "--requeue", "--open-mode=append", "--mem=1G"):
            self.assertIn(f"\n#SBATCH {option}\n", script)

    def test_the_job_number_and_the_refusals_of_sbatch_are_handed_on(self):
        environment = self.sbatch("echo '123;cluster'")
        self.assertIn("job         123; when", self.sweep("--submit", **environment))
        self.write("bin/sbatch", "#!/bin/sh\necho 'invalid partition' >&2; exit 1\n")
        self.assertIn("invalid partition", self.sweep("--submit", code=5, **environment))

    def test_the_tasks_of_an_array_share_the_points(self):
        self.study.write_text(self.study.read_text(encoding="utf-8") + "[slurm]\narray_max = 3\n", encoding="utf-8")
        self.sweep("--submit", "--dry-run")
        for task in range(3):
            environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_JOB_ID="1")
            subprocess.run(["bash", self.folder / "s" / "s.sbatch"], env=environment, check=True, timeout=60,
                           capture_output=True)
            self.assertEqual(len(self.results()), [2, 3, 4][task])
        self.assertIn("4 points: 4 done", self.sweep("--collect"))

    def test_the_script_is_clean(self):
        self.sweep("--submit", "--dry-run")
        try:
            done = subprocess.run(["shellcheck", self.folder / "s" / "s.sbatch"], capture_output=True, text=True,
                                  check=False)
        except FileNotFoundError:
            self.skipTest("shellcheck is not installed")
        self.assertEqual(done.returncode, 0, done.stdout)


class JobScript(Sweep):
    """cluster-scripts/weft-submit and weft.sbatch with stand-ins for weft and SLURM."""

    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        self.stand_in("srun", 'echo "MPI types are... none" >&2')
        self.scontrol("RUNNING")
        self.steps = self.write("steps.toml", "20\n")

    def stand_in(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)

    def scontrol(self, state):
        """A job in this state, whose requeueing is refused: else the script would wait for its end."""
        self.stand_in("scontrol", f'if [ "$2" = show ]; then echo "JobState={state}"; exit 0; fi\n'
                                  'echo "$*" >>scontrol.log; exit 1')

    def start(self, *arguments, **environment):
        variables = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SLURM_JOB_ID": "7", "SLURM_NTASKS": "1",
                     "SLURM_JOB_NODELIST": "here", "SLURM_SUBMIT_DIR": str(self.folder), "WEFT_LAUNCHER": "env",
                     "WEFT": str(ROOT / "tests" / "slurm" / "contract.sh"), **environment}
        return subprocess.Popen(["bash", str(ROOT / "cluster-scripts" / "weft.sbatch"), *map(str, arguments)],
                                cwd=self.folder, env={**os.environ, **variables}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)

    def finish(self, process, code):
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, out + err)
        return out

    def test_a_warning_leads_to_a_requeue_and_the_next_start_goes_on(self):
        for warning in (signal.SIGUSR1, signal.SIGTERM):
            with self.subTest(warning=warning):
                process = self.start(self.steps, "r.h5")
                process.stdout.readline()
                time.sleep(1)
                process.send_signal(warning)
                self.assertIn("requeued", self.finish(process, 75))
                self.assertIn("requeue 7", (self.folder / "scontrol.log").read_text(encoding="utf-8"))
                checkpoint = self.folder / "r.7.ckpt.h5"
                step = int(checkpoint.read_text(encoding="utf-8"))
                out = self.finish(self.start(self.steps, "r.h5", SLURM_RESTART_COUNT="1"), 0)
                self.assertIn(f"--resume {checkpoint}", out)
                self.assertEqual((self.folder / "r.h5").read_text(encoding="utf-8"), f"0-{step}\n{step}-20\n")
                self.assertFalse(checkpoint.exists())

    def test_a_run_that_is_killed_is_requeued_if_it_has_come_further(self):
        self.assertIn("requeued", self.finish(self.start(self.steps, "r.h5", CRASH_AT="3"), 137))
        self.assertEqual((self.folder / "r.7.ckpt.h5").read_text(encoding="utf-8"), "3\n")
        (self.folder / "scontrol.log").unlink()
        self.stand_in("launcher", "kill -9 $$")  # before anything is written
        self.assertNotIn("requeued", self.finish(self.start(self.steps, "r.h5", WEFT_LAUNCHER="launcher"), 137))
        self.assertFalse((self.folder / "scontrol.log").exists())

    def test_a_job_that_was_cancelled_is_not_requeued(self):
        self.scontrol("CANCELLED")
        process = self.start(self.steps, "r.h5")
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        self.assertIn("the job was cancelled", self.finish(process, 75))
        self.assertFalse((self.folder / "scontrol.log").exists())

    def test_requeueing_has_an_end(self):
        process = self.start(self.steps, "r.h5", SLURM_RESTART_COUNT="3", WEFT_MAX_RESTARTS="3")
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGUSR1)
        self.assertIn("not requeued", self.finish(process, 75))
        self.assertFalse((self.folder / "scontrol.log").exists())

    def test_the_exit_code_of_weft_is_that_of_the_job(self):
        self.assertIn("done: ", self.finish(self.start("base.toml", "r.h5", WEFT=WEFT), 0))
        self.assertTrue((self.folder / "r.h5").exists())
        self.assertIn("exit code 2", self.finish(self.start("none.toml", "r.h5", WEFT=WEFT), 2))

    def submit(self, *arguments, code=0):
        done = subprocess.run([str(ROOT / "cluster-scripts" / "weft-submit"), *map(str, arguments)], cwd=self.folder,
                              env=dict(os.environ, WEFT=WEFT), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_submission_has_strong_defaults(self):
        text = self.submit("--dry-run", "--ntasks=4", "--time", "10", "base.toml", "--set", "simulation.seed=2")
        for word in ("sbatch", "--ntasks=4", "--time=10", "--signal=B:USR1@120", "--requeue", "--open-mode=append",
                     f"{self.folder}/base.h5", "--set simulation.seed=2", "WEFT_CHECKPOINT_SECONDS=600"):
            self.assertIn(word, text)

    def test_submission_refuses_what_cannot_run(self):
        self.assertIn("queue_packetz", self.submit("--dry-run", "base.toml", "--set", "router.queue_packetz=1", code=2))
        self.assertIn("unknown option", self.submit("--tasks", "4", "base.toml", code=2))
        self.assertIn("positive", self.submit("--ntasks", "x", "base.toml", code=2))
        self.assertIn("cannot read", self.submit("--dry-run", "none.toml", code=2))
        self.assertIn("chosen by weft-submit", self.submit("--dry-run", "base.toml", "--resume", "x", code=2))


if __name__ == "__main__":
    unittest.main()
