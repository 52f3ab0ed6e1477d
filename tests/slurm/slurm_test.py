"""Sweeps and single runs through a real SLURM, started here on the loopback interface: arrays, the warning before the
time limit, requeueing, and a node that fails.

    python3 -B tests/slurm/slurm_test.py [CLASS ...]

Environment: WEFT_BINARY is the program. Ends with 77 where SLURM is not installed or this is not root."""

import json
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import cluster
import harness

ROOT = Path(__file__).resolve().parents[2]
WEFT = harness.weft()
SUBMIT = ROOT / "cluster-scripts" / "weft-submit"
STAND_IN = ROOT / "tests" / "slurm" / "contract.sh"

TORUS = 'format = 1\n[topology]\nkind = "torus"\ndims = [6, 6]\n'
LONG = """format = 1
[simulation]
cycles = {cycles}
[topology]
kind = "torus"
dims = [24, 24]
[link]
latency_cycles = 20
[workload]
offered_load = 0.1
"""
SWEEP = """format = 1
[sweep]
base = "base.toml"
out = "{out}"
ranks = {ranks}
repeat = 2
set = ["simulation.cycles=2000"]
[[sweep.axis]]
key = "workload.pattern"
values = ["uniform", "{pattern}"]
[[sweep.axis]]
key = "workload.offered_load"
values = [0.1, 0.4]
[slurm]
partition = "main"
time = "00:05:00"
array_max = 3
task_seconds = 0
"""

CLUSTER = None
LONG_RUN = {}  # cycles and digest of the run that the tests interrupt: made once


def setUpModule():
    global CLUSTER
    CLUSTER = cluster.Cluster(nodes=2).__enter__()


def tearDownModule():
    CLUSTER.close()


class Slurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-jobs-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(self.cancel_all)
        self.folder = Path(folder.name)
        self.numbers = []

    def cancel_all(self):
        for number in self.numbers:
            CLUSTER.said("scancel", number)
        for number in self.numbers:
            CLUSTER.wait_for_end(number, 60)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def weft(self, *arguments, code=0):
        done = subprocess.run([WEFT, *map(str, arguments)], cwd=self.folder, env=CLUSTER.environment, timeout=120,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def points(self, out):
        return json.loads((self.folder / out / "points.json").read_text(encoding="utf-8"))["points"]

    def submit(self, config, *options, weft=WEFT, arguments=()):
        environment = dict(CLUSTER.environment, WEFT=str(weft))
        done = subprocess.run([str(SUBMIT), *map(str, options), str(config), *map(str, arguments)], env=environment,
                              cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.numbers.append(done.stdout.strip())
        return self.numbers[-1]

    def log(self, number):
        return "".join(path.read_text(encoding="utf-8") for path in self.folder.rglob(f"*{number}*.log"))

    def wait_for_log(self, number, words, limit_s=60):
        CLUSTER.wait_until(lambda: words in self.log(number), limit_s, f"'{words}' in the log of job {number}")

    def assert_done(self, number, limit_s, restarts=None):
        CLUSTER.wait_for_end(number, limit_s)
        job = CLUSTER.job(number)
        self.assertEqual((job["JobState"], job["ExitCode"]), ("COMPLETED", "0:0"), self.log(number))
        if restarts is not None:
            self.assertEqual(int(job["Restarts"]), restarts, self.log(number))
        return job

    def long_config(self, seconds=12):
        """A config whose run takes about so long on one rank, and its digest run here without interruption."""
        # Large enough, and with links long enough, that two ranks are not much slower than one.
        tried = 20_000
        config = self.write("long.toml", LONG.format(cycles=LONG_RUN.get("cycles", tried)))
        if not LONG_RUN:
            # The fastest of some: other tests may run at the same time.
            fastest = min(json.loads(self.weft("run", config, "--json", "-"))["engine"]["wall_s"] for _ in range(4))
            LONG_RUN["cycles"] = int(tried * seconds / fastest)
            config.write_text(LONG.format(cycles=LONG_RUN["cycles"]), encoding="utf-8")
            LONG_RUN["digest"] = json.loads(self.weft("run", config, "--json", "-"))["digest"]
        return config, LONG_RUN["digest"]

    def result_digest(self, path):
        # h5dump belongs to the packages of the project; h5py may be another python's.
        shown = subprocess.run(["h5dump", "-a", "/digest", str(path)], capture_output=True, text=True, check=True)
        return re.search(r'"([0-9a-f]{32})"', shown.stdout).group(1)


class Sweeps(Slurm):
    def sweep(self, out, ranks, pattern="hot-region"):
        self.write("base.toml", TORUS)
        return self.write(f"{out}.toml", SWEEP.format(out=out, ranks=ranks, pattern=pattern))

    def submit_sweep(self, study):
        number = re.search(r"^job +(\d+);", self.weft("sweep", study, "--submit"), re.MULTILINE).group(1)
        self.numbers.append(number)
        CLUSTER.wait_for_end(number, 120)
        return number

    def test_an_array_of_parallel_runs_gives_the_digests_of_runs_here(self):
        study = self.sweep("array", ranks=2)
        self.weft("sweep", study, "--point", "2")  # an array leaves out what is there
        number = self.submit_sweep(study)
        tasks = CLUSTER.jobs(number)
        self.assertEqual([task["JobState"] for task in tasks], ["COMPLETED"] * 3, self.log(number))
        text = self.weft("sweep", study, "--collect")
        self.assertIn("8 points: 8 done", text)
        self.weft("sweep", self.sweep("here", ranks=1))
        self.assertEqual([(p["settings"], p["digest"]) for p in self.points("array")],
                         [(p["settings"], p["digest"]) for p in self.points("here")])
        self.assertEqual(len({p["digest"] for p in self.points("array")}), 8)
        for name in ("array.h5", "array.csv", "array.html"):
            self.assertTrue((self.folder / "array" / name).stat().st_size > 0, name)
        self.assertIn("all 8 points", self.weft("sweep", study, "--submit"))

    def test_what_is_edited_while_the_array_waits_changes_no_point(self):
        study = self.sweep("edited", ranks=1)
        text = study.read_text(encoding="utf-8") + 'extra = ["--hold", "--comment=it\'s # held"]\n'
        study.write_text(text, encoding="utf-8")
        number = re.search(r"^job +(\d+);", self.weft("sweep", study, "--submit"), re.MULTILINE).group(1)
        self.numbers.append(number)
        self.assertEqual(CLUSTER.job(number)["Comment"], "it's")  # scontrol's words end at blanks
        self.weft("sweep", study, "--submit", code=2)
        study.write_text(text.replace("[0.1, 0.4]", "[0.8, 0.1, 0.4]"), encoding="utf-8")
        self.write("base.toml", TORUS.replace("6, 6", "4, 4"))
        CLUSTER.said("scontrol", "release", number, check=True)
        CLUSTER.wait_for_end(number, 120)
        self.assertEqual([task["JobState"] for task in CLUSTER.jobs(number)], ["COMPLETED"] * 3, self.log(number))
        study.write_text(text, encoding="utf-8")
        self.write("base.toml", TORUS)
        self.assertIn("8 points: 8 done", self.weft("sweep", study, "--collect"))
        self.weft("sweep", self.sweep("here", ranks=1))
        self.assertEqual([p["digest"] for p in self.points("edited")], [p["digest"] for p in self.points("here")])

    def test_points_that_fail_are_named_and_the_others_are_collected(self):
        # Butterfly traffic wants a power of two nodes, which no check of single settings can know.
        study = self.sweep("partial", ranks=1, pattern="butterfly")
        number = self.submit_sweep(study)
        self.assertIn("FAILED", [task["JobState"] for task in CLUSTER.jobs(number)])
        text = self.weft("sweep", study, "--collect")
        self.assertIn("8 points: 4 done, 4 failed", text)
        self.assertRegex(text,
                         r"4 points: failed with exit code 2: .*power of two.*\n  points 4 to 7; all with .*butterfly")


class Studies(Slurm):
    def test_a_study_as_an_array_leaves_the_table_of_all_its_runs(self):
        said = self.weft("study", "karol", "--quick", "--out", "results", "--slurm", "--submit")
        array, table = re.search(r"submitted job array (\d+), and job (\d+) for the table", said).groups()
        self.numbers += [array, table]
        CLUSTER.wait_for_end(table, 180)
        self.assertEqual({job["JobState"] for job in CLUSTER.jobs(array)}, {"COMPLETED"}, self.log(array))
        text = (self.folder / "results" / "karol" / "table.txt").read_text(encoding="utf-8")
        self.assertIn("6 of 6 runs", text)
        self.assertIn("6 of 6 published results inside their tolerance", text)


class Launches(Slurm):
    def test_tasks_of_srun_that_mpi_does_not_know_of_are_refused_and_other_starts_are_not(self):
        self.write("torus.toml", TORUS + "[simulation]\ncycles = 100\n")
        run = f"timeout 30 {WEFT} run torus.toml --progress never"
        # The two nodes make mpirun start a daemon by srun on each, so its one rank has the variables of a step of two.
        script = self.write("starts.sh", f"""#!/bin/bash
srun -n 2 -N 1 {run} --out step.h5; echo "step of two: $?"
srun -n 1 -N 1 {run} >/dev/null; echo "step of one: $?"
srun --mpi=pmix -n 2 -N 1 {run} --json - | grep '"ranks"'; echo "with pmix: ${{PIPESTATUS[0]}}"
mpirun -n 1 {run} >/dev/null; echo "mpirun: $?"
{run} >/dev/null; echo "script: $?"
""")
        number = CLUSTER.said("sbatch", "--parsable", "-n", 4, "-N", 2, "-o", self.folder / "starts-%j.log", script,
                              cwd=self.folder, check=True).strip()
        self.numbers.append(number)
        CLUSTER.wait_for_end(number, 120)
        CLUSTER.wait_until(lambda: "script:" in self.log(number), 10, "the log")
        log = self.log(number)
        self.assertIn("use srun --mpi=pmix", log)
        self.assertFalse((self.folder / "step.h5").exists())
        for words in ("step of two: 2", "step of one: 0", '"ranks": 2', "with pmix: 0", "mpirun: 0", "script: 0"):
            self.assertIn(words, log)


class Requeue(Slurm):
    def test_a_run_whose_node_fails_runs_on_the_other_node_and_ends_with_the_same_digest(self):
        config, digest = self.long_config()
        number = self.submit(config, "--time", 5, "--checkpoint", 2)
        self.wait_for_log(number, "restart 0")
        time.sleep(4)  # into the run; long enough for a checkpoint
        job = CLUSTER.job(number)
        self.assertEqual(job["JobState"], "RUNNING", self.log(number))
        node = job["NodeList"]
        CLUSTER.kill_node(node)
        try:
            ended = self.assert_done(number, 120, restarts=1)
        finally:
            CLUSTER.start_node(node)
            CLUSTER.wait_until(lambda: "down" not in CLUSTER.said("sinfo", "-h", "-N", "-o", "%T"), 40, "the node")
        self.assertNotEqual(ended["NodeList"], node)
        self.assertEqual(self.result_digest(self.folder / "long.h5"), digest)
        self.assertIn("--resume", self.log(number))

    def test_a_run_that_is_warned_is_requeued_and_ends_with_the_same_digest(self):
        config, digest = self.long_config()
        number = self.submit(config, "--ntasks", 2, "--nodes", 1, "--time", 5)
        self.wait_for_log(number, "restart 0")
        time.sleep(4)
        config.write_text("format = 2\n", encoding="utf-8")  # what was submitted is what runs
        CLUSTER.said("scancel", "--batch", "--signal=USR1", number, check=True)
        self.wait_for_log(number, "checkpoint written; requeued")
        self.assert_done(number, 120, restarts=1)
        self.assertIn("--resume", self.log(number))
        self.assertEqual(self.result_digest(self.folder / "long.h5"), digest)


class LongRequeue(Slurm):
    def test_the_warning_before_the_time_limit_leads_to_a_checkpoint_and_a_restart(self):
        # By the stand-in, whose length does not depend on the machine: 38 s. A limit of a minute with a warning 50 s
        # before its end gives each start 10 to 30 s.
        steps = self.write("steps.toml", "190\n")
        number = self.submit(steps, "--ntasks", 2, "--nodes", 2, "--time", 1, "--warning", 50, weft=STAND_IN)
        self.assert_done(number, 180)
        job = CLUSTER.job(number)
        self.assertGreaterEqual(int(job["Restarts"]), 1, self.log(number))
        starts = [tuple(map(int, line.split("-"))) for line in (self.folder / "steps.h5").read_text().split()]
        self.assertEqual(len(starts), int(job["Restarts"]) + 1)
        self.assertEqual((starts[0][0], starts[-1][1]), (0, 190))
        for before, after in zip(starts, starts[1:]):
            self.assertEqual(after[0], before[1], "each start goes on where the one before stopped")
        self.assertEqual(list(self.folder.glob("*.ckpt.h5")), [], "the checkpoint of a run that is done goes")

    def test_a_run_that_is_preempted_goes_on_and_ends_with_the_same_digest(self):
        config, digest = self.long_config()
        number = self.submit(config, "--time", 5, "--checkpoint", 2)
        self.wait_for_log(number, "restart 0")
        time.sleep(4)
        CLUSTER.said("scontrol", "requeue", number, check=True)
        self.assert_done(number, 120, restarts=1)
        self.assertIn("--resume", self.log(number))
        self.assertEqual(self.result_digest(self.folder / "long.h5"), digest)


if __name__ == "__main__":
    reason = cluster.missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main(verbosity=2)
