"""Sweeps, job scripts and studies as they are used on clusters, by stand-ins for SLURM: results of another version,
points that wait in the queue, time limits below the warning, the program that a job starts, and what its log says."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import cases
import harness

h5py = harness.module("h5py")
SCRIPTS = harness.ROOT / "cluster-scripts"
BASE = 'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[simulation]\ncycles = 500\n'
STUDY = ('format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\n[[sweep.axis]]\nkey = "workload.offered_load"\n'
         "values = [0.1, 0.2, 0.3]\n")


class Clusters(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("base.toml", BASE)
        self.write("study.toml", STUDY)
        (self.folder / "bin").mkdir()

    def stand_in(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)

    def call(self, *command, code=0, **variables):
        """Both outputs of a command with the stand-ins on PATH; a variable that is None is not set."""
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=environment, capture_output=True,
                              text=True,
                              stdin=subprocess.DEVNULL, timeout=100, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def sweep(self, *words, code=0, **variables):
        return self.call(cases.WEFT, "sweep", "study.toml", "--progress", "never", *words, code=code, **variables)

    def points(self):
        return json.loads((self.folder / "s" / "points.json").read_text(encoding="utf-8"))["points"]


class Versions(Clusters):
    def age(self, count):
        """Makes so many results those of an earlier version."""
        for path in sorted((self.folder / "s" / "points").glob("*.h5"))[:count]:
            with h5py.File(path, "r+") as file:
                file.attrs["version"] = "0.0.9"

    def test_results_of_another_version_are_neither_taken_nor_mixed(self):
        self.sweep()
        digests = [point["digest"] for point in self.points()]
        self.age(2)
        for words in ((), ("--submit", "--dry-run"), ("--point", "0"), ("--collect",)):
            with self.subTest(words=words):
                said = self.sweep(*words, code=3)
                self.assertIn("0.0.9", said)
                self.assertIn("--rerun, or keep them and choose another folder", said)
        self.sweep("--rerun")
        self.assertEqual([point["digest"] for point in self.points()], digests)
        self.sweep("--collect")

    def test_results_that_are_all_of_another_version_can_be_gathered_but_not_added_to(self):
        self.sweep()
        self.age(3)
        self.assertIn("3 points: 3 done", self.sweep("--collect"))
        self.assertIn("3 of 3 results in", self.sweep(code=3))


class Estimates(Clusters):
    def test_a_dry_run_says_what_the_points_will_take_or_that_it_cannot_be_told(self):
        self.assertRegex(self.sweep("--dry-run"), r"estimate +about .* of processor time for 3 points")
        self.assertFalse((self.folder / "s" / "points").exists() and [*(self.folder / "s" / "points").glob("*.h5")])
        self.sweep()
        self.assertNotIn("estimate", self.sweep("--dry-run"))
        self.write("base.toml", BASE.replace("[simulation]\ncycles = 500\n",
                                             '[workload]\nkind = "kernel"\nname = "mesh"\ntasks = 16\nmessage_bytes = '
                                             '64\n'))
        self.write("study.toml", STUDY.replace("workload.offered_load",
                                               "workload.message_bytes").replace("[0.1, 0.2, 0.3]",
                "[64, 128]").replace('"s"', '"t"'))
        self.assertRegex(self.sweep("--dry-run"), "estimate +none .no config says how long")

    def test_processor_time_is_told_with_the_points_that_it_was_of(self):
        self.write("base.toml", BASE.replace("500", "2000000"))
        job = subprocess.Popen([cases.WEFT, "sweep", "study.toml", "--jobs", "1", "--progress", "never"],
                               cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        end = time.monotonic() + 60
        while not [*self.folder.glob("s/points/*.h5")] and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.3)
        job.send_signal(signal.SIGTERM)
        said = job.communicate(timeout=60)[0]
        self.assertEqual(job.returncode, 75, said)
        self.assertRegex(said, r"took .* of processor time for [12] of 3 points, others were stopped or not begun")


class Queue(Clusters):
    def test_points_of_a_job_in_the_queue_are_not_called_missing(self):
        self.stand_in("sbatch", "echo 123")
        self.stand_in("squeue", "echo PENDING")
        self.sweep("--point", 0)
        self.sweep("--submit")
        said = self.sweep("--collect")
        self.assertIn("3 points: 1 done, 2 queued or running", said)
        self.assertIn("2 points: not finished: queued or running as job 123 of SLURM", said)
        self.assertEqual([point.get("job") for point in self.points()], [None, "123", "123"])
        # A point that no job has is missing, whatever is in the queue.
        self.write("study.toml", STUDY.replace("0.3]", "0.3, 0.4]"))
        self.assertIn("4 points: 1 done, 1 missing, 2 queued or running", self.sweep("--collect"))
        self.stand_in("squeue", "exit 0")
        self.assertIn("4 points: 1 done, 3 missing", self.sweep("--collect"))

    def test_the_log_of_a_task_says_how_far_it_is(self):
        self.sweep("--submit", "--dry-run")
        log = self.call("bash", "s/s.sbatch", SLURM_ARRAY_TASK_ID="0", SLURM_ARRAY_JOB_ID="1")
        self.assertIn("sweep: 0 of 3 points of this task ended; now point ", log)
        self.assertRegex(log, r"sweep: 2 of 3 points of this task ended; ETA \d+:\d\d:\d\d; now point ")
        self.assertRegex(log, r"sweep: 3 of 3 points of this task ended after \d+:\d\d:\d\d")


class WarnedAtOnce(Clusters):
    """A job by hand whose warning is not shorter than its time limit is not requeued for ever: it says what to give."""

    def job(self, limit):
        self.stand_in("scontrol",
                      f'if [ "$2" = show ]; then echo "JobId=7 JobState=RUNNING TimeLimit={limit} X=1"; exit 0; fi; '
                      f'echo "$*" >>requeued')
        self.write("long.toml", BASE.replace("cycles = 500", "cycles = 1000000000"))
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "WEFT": cases.WEFT,
                       "WEFT_LAUNCHER": "env",
                       "SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n1", "WEFT_CHECKPOINT_SECONDS": "1"}  # fmt: skip
        for left in self.folder.glob("weft-7*"):
            left.unlink()
        job = subprocess.Popen(["bash", SCRIPTS / "weft.sbatch", "long.toml"], cwd=self.folder, env=environment,
                               stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        end = time.monotonic() + 60
        while not [*self.folder.glob("weft-7*.ckpt.h5")] and time.monotonic() < end:
            time.sleep(0.05)
        job.send_signal(signal.SIGUSR1)
        said = ""
        try:
            for line in job.stdout:
                said += line
                if "requeued (restart" in line:
                    break  # it waits for SLURM to end it
            else:
                self.assertEqual(job.wait(30), 75, said)
        finally:
            self.wait_for_requeue(said)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)
            job.stdout.close()
            job.wait()
        return said

    def wait_for_requeue(self, said):
        end = time.monotonic() + 10
        while "requeued (restart" in said and not (self.folder / "requeued").exists() and time.monotonic() < end:
            time.sleep(0.05)

    def test_it_says_so_and_ends(self):
        said = self.job("00:01:00")
        self.assertRegex(said,
                         r"checkpoint written, but not requeued: it was warned \d+ s after its start of a time limit "
                         r"of 60 s")
        self.assertIn("--signal=B:USR1@30", said)
        self.assertIn("WEFT_CHECKPOINT=", said)
        self.assertFalse((self.folder / "requeued").exists())

    def test_without_a_limit_it_goes_on(self):
        self.assertIn("requeued (restart 0)", self.job("UNLIMITED"))
        self.assertIn("requeue 7", (self.folder / "requeued").read_text(encoding="utf-8"))

    def test_of_a_longer_job_it_is_somebodys_wish(self):
        self.assertIn("requeued (restart 0)", self.job("00:05:00"))


class Limits(Clusters):
    def submit(self, *words, code=0, **variables):
        return self.call(SCRIPTS / "weft-submit", "--dry-run", *words, "base.toml", code=code, WEFT=cases.WEFT,
                         **variables)

    def test_a_time_limit_below_the_warning_is_refused(self):
        for words in (("--time", "1"), ("--time=2:00",), ("--time", "0-0:2"), ("--sbatch=--time=1",),
                      ("--time=5", "--warning=300")):
            with self.subTest(words=words):
                said = self.submit(*words, code=2)
                self.assertRegex(said, r"a time limit of \d+ s is not longer than the warning \d+ s")
                # What it advises is accepted.
                warning, time = re.search(r"give --warning (\d+), or --time (\d+)", said).groups()
                self.submit(*words, "--warning", warning)
                self.submit(*[word for word in words if "sbatch" not in word], "--time", time)
        self.submit("--time", "1", code=2, SBATCH_TIMELIMIT="60")
        self.submit(code=2, SBATCH_TIMELIMIT="1")
        for words in (("--time", "3"), ("--time=1", "--warning=50"), ("--time", "08:09:09"), ("--time", "1-0"),
                      ("--time", "infinite"),
                      ("--time=1", "--sbatch=--signal=B:USR1@30")):
            with self.subTest(words=words):
                self.submit(*words)

    def test_so_is_that_of_a_sweep(self):
        for lines in ('time = "1"', 'time = "00:02:00"', 'time = "0-00:01"', 'extra = ["--time=1"]',
                      'time = "5"\nsignal_seconds = 300'):
            with self.subTest(lines=lines):
                self.write("study.toml", f"{STUDY}[slurm]\n{lines}\n")
                said = self.sweep("--submit", "--dry-run", code=2)
                self.assertIn("not longer than the warning", said)
                seconds = re.search(r"write signal_seconds = (\d+), or time", said).group(1)
                kept = lines.split("\nsignal")[0]
                self.write("study.toml", f"{STUDY}[slurm]\n{kept}\nsignal_seconds = {seconds}\n")
                self.sweep("--submit", "--dry-run")
        for line in ('time = "3"', 'time = "0"', 'time = "unlimited"', 'time = "1-0"', 'time = "08:00:09"'):
            with self.subTest(line=line):
                self.write("study.toml", f"{STUDY}[slurm]\n{line}\n")
                self.sweep("--submit", "--dry-run")

    def test_and_that_of_a_study(self):
        said = self.call(cases.WEFT, "study", "karol", "--quick", "--slurm", code=2, SBATCH_TIMELIMIT="1")
        self.assertIn("not longer than the warning 120 s", said)

    def test_words_that_are_refused_name_what_there_is(self):
        def said(*words):
            return self.call(SCRIPTS / "weft-submit", "--dry-run", "base.toml", *words, code=2, WEFT=cases.WEFT)

        self.assertIn("WEFT_CHECKPOINT=CHECKPOINT.h5", said("--resume", "x.h5"))
        self.assertIn("--out RESULT.h5 before the config", said("--out", "x.h5"))
        self.assertIn("--checkpoint SECONDS before the config", said("--set", "checkpoint.every_seconds=5"))
        self.assertIn("leave it out", said("--progress", "always"))


class Jobs(Clusters):
    JOB = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "1", "SLURM_JOB_NODELIST": "here", "WEFT_LAUNCHER": "env"}

    def job(self, *words, code=0, **variables):
        return self.call("bash", SCRIPTS / "weft.sbatch", "base.toml", *words, code=code,
                         **{**self.JOB, "SLURM_SUBMIT_DIR": str(self.folder), "WEFT": None, "WEFT_BINARY": None,
                            **variables})

    def named(self, name):
        return f'echo "started {name}" >&2\nexec {cases.WEFT} "$@"'

    def test_the_program_is_that_of_the_variables_then_of_the_path_then_of_the_build_folder(self):
        (self.folder / "build/release/bin").mkdir(parents=True)
        self.write("build/release/bin/weft", f"#!/bin/sh\n{self.named('build')}\n").chmod(0o755)
        self.stand_in("other", self.named("other"))
        bare = "/usr/bin:/bin"
        self.assertIn("started build", self.job(PATH=bare))
        self.stand_in("weft", self.named("path"))
        self.assertIn("started path", self.job())
        self.assertIn("started other", self.job(WEFT_BINARY=str(self.folder / "bin/other")))
        self.assertIn("started other", self.job(WEFT_BINARY="none", WEFT=str(self.folder / "bin/other")))
        shutil.rmtree(self.folder / "build")
        self.assertIn("there is no weft program", self.job(code=5, PATH=bare))

    def test_a_run_goes_on_from_the_checkpoint_that_is_named(self):
        self.write("base.toml", BASE.replace("500", "2000"))
        self.weft("run", "base.toml", "--out", "whole.h5", "--progress", "never")
        self.weft("run", "base.toml", "--set", "checkpoint.path=c.h5", "--set", "checkpoint.every_cycles=1000",
                  "--progress", "never")
        self.assertTrue((self.folder / "c.h5").exists())
        self.assertIn("--resume", self.job("r.h5", WEFT=cases.WEFT, WEFT_CHECKPOINT="c.h5"))
        with h5py.File(self.folder / "whole.h5") as whole, h5py.File(self.folder / "r.h5") as resumed:
            self.assertEqual(whole.attrs["digest"], resumed.attrs["digest"])

    def test_the_run_of_a_job_writes_progress_into_its_log(self):
        self.stand_in("weft", f'echo "words: $*" >&2\nexec {cases.WEFT} "$@"')
        log = self.job("r.h5")
        self.assertIn("words: run r.7.frozen.toml", log)
        self.assertNotIn("--progress never", log)


class Studies(Clusters):
    def json(self, *words, code=0):
        done = subprocess.run([cases.WEFT, "study", *words, "--json", "-"], cwd=self.folder, capture_output=True,
                              text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=200)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_json_holds_what_the_table_does(self):
        found = self.json("karol", "--quick")
        self.assertEqual(found["study"], "karol")
        text = self.call(cases.WEFT, "study", "karol", "--quick", "--table")
        self.assertIn(f"digest {found['digest']}", text)
        self.assertRegex(found["date"], r"^\d{4}-\d\d-\d\d")
        for row in found["rows"]:
            self.assertLessEqual({"what", "published", "simulated", "difference", "tolerance", "inside", "reading"},
                                 set(row))
            self.assertIn(row["kind"], ("figure", "count", "statement", "order", "curve", "choice"))
            line = next(line for line in text.splitlines() if line.startswith(row["what"]))
            for key in ("published", "simulated", "difference", "tolerance"):
                self.assertIn(row[key], line)
            self.assertEqual(line.rstrip().endswith("inside"), row["inside"])
        self.call(cases.WEFT, "study", "karol", "--quick", "--table", "--json", "k.json")
        self.assertEqual(json.loads((self.folder / "k.json").read_text(encoding="utf-8")), found)

    def test_several_are_a_list_and_what_has_not_run_is_null(self):
        found = self.json("karol", "ebb", "--quick", "--table")
        self.assertEqual([study["study"] for study in found["studies"]], ["karol", "ebb"])
        row = found["studies"][0]["rows"][0]
        self.assertEqual((row["simulated"], row["inside"]), (None, None))
        self.assertEqual((row["kind"], row["reading"], row["evidence"]), ("figure", "the text", False))
        kinds = {row["kind"] for study in found["studies"] for row in [*study["rows"], *study.get("choices", [])]}
        self.assertLessEqual({"figure", "choice"}, kinds)
        self.assertIn("karol", [study["study"] for study in self.json()["studies"]])

    def test_without_python_the_package_is_named(self):
        said = self.call(cases.WEFT, "study", code=5, WEFT_PYTHON="python3-that-is-not-there")
        self.assertIn("there is no 'python3-that-is-not-there'", said)
        self.assertIn("install the package python3", said)
        self.assertNotIn("env:", said)


if __name__ == "__main__":
    unittest.main()
