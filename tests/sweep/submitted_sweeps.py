"""Sweeps for SLURM, as far as they can be tried without it: what is submitted, and the script of the job."""

import json
import os
import shutil
import signal
import subprocess
import time

import harness
from harness import ROOT
from sweep_runs import BASE, BASE_OF_TRACE, Sweep

WEFT, MPIRUN = harness.weft(), harness.mpirun()


class Submission(Sweep):
    def sbatch(self, text, squeue="exit 0"):
        """Stand-ins for sbatch and squeue on PATH."""
        (self.folder / "bin").mkdir(exist_ok=True)
        self.write("bin/sbatch", f"#!/bin/sh\n{text}\n").chmod(0o755)
        self.write("bin/squeue", f"#!/bin/sh\n{squeue}\n").chmod(0o755)
        return {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def run_task(self, task, code=0):
        """What SLURM starts for a task of the array."""
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_JOB_ID="1")
        done = subprocess.run(["bash", self.folder / "s" / "s.sbatch"], env=environment, timeout=60, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def script(self):
        return (self.folder / "s" / "s.sbatch").read_text(encoding="utf-8")

    def test_the_script_has_the_points_without_result_and_the_options(self):
        self.study.write_text(self.study.read_text(encoding="utf-8") +
                              '[slurm]\npartition = "p"\ntime = "1:00:00"\naccount = "a"\nnodes = 2\nntasks = 4\n'
                              'array_max = 2\ntask_seconds = 0\nat_once = 1\nextra = ["--mem=1G"]\n', encoding="utf-8")
        self.sweep("--point", 1)
        self.assertIn("3 of 4 points in 2 array tasks; not submitted", self.sweep("--submit", "--dry-run"))
        script = self.script()
        hashes = [self.points()[ix]["name"][-16:] for ix in (0, 2, 3)]
        self.assertIn(f"\npoints=({' '.join(hashes)})\n", script)
        for option in ("--array=0-1%1", "--nodes=2", "--ntasks=4", "--partition=p", "--account=a", "--time=1:00:00",
                       "--signal=B:USR1@120", "--requeue", "--open-mode=append", "--mem=1G"):
            self.assertIn(f"\n#SBATCH {option}\n", script)

    def test_the_job_number_and_the_refusals_of_sbatch_are_handed_on(self):
        environment = self.sbatch("echo '123;cluster'")
        self.assertIn("job         123; when", self.sweep("--submit", **environment))
        self.write("bin/sbatch", "#!/bin/sh\necho 'invalid partition' >&2; exit 1\n")
        self.assertIn("invalid partition", self.sweep("--submit", code=5, **environment))

    def test_the_tasks_of_an_array_share_the_points(self):
        self.study.write_text(self.study.read_text(encoding="utf-8") + "[slurm]\narray_max = 3\ntask_seconds = 0\n",
                              encoding="utf-8")
        self.sweep("--submit", "--dry-run")
        for task in range(3):
            self.run_task(task)
            self.assertEqual(len(self.results()), [2, 3, 4][task])
        self.assertIn("4 points: 4 done", self.sweep("--collect"))

    def test_points_that_are_over_soon_share_a_task(self):
        self.assertIn("4 of 4 points in 1 array task; not submitted", self.sweep("--submit", "--dry-run"))
        self.assertIn("\n#SBATCH --array=0-0\n", self.script())
        self.run_task(0)
        self.assertIn("4 points: 4 done", self.sweep("--collect"))
        self.write("base.toml", BASE.replace("cycles = 1500", "cycles = 2000000000"))
        self.sweep("--submit", "--dry-run")
        self.assertIn("\n#SBATCH --array=0-3\n", self.script())

    def test_a_refused_submission_leaves_the_results_that_it_would_make_anew(self):
        self.sweep()
        before, points = self.result_times(), self.points()
        environment = self.sbatch("ls s/points >seen; echo 'invalid partition' >&2; exit 1")
        self.assertIn("invalid partition", self.sweep("--submit", "--rerun", code=5, **environment))
        self.assertEqual((self.result_times(), self.points()), (before, points))
        self.assertFalse([name for name in (self.folder / "seen").read_text().split() if name.endswith(".h5")],
                         "a job that starts at once must not find them")
        self.sweep("--submit", "--rerun", **self.sbatch("echo 123"))
        self.assertEqual(list((self.folder / "s" / "points").iterdir()), [])
        self.assertEqual({point["status"] for point in self.points()}, {"missing"})

    def test_the_script_is_clean(self):
        self.sweep("--submit", "--dry-run")
        try:
            done = subprocess.run(["shellcheck", self.folder / "s" / "s.sbatch"], capture_output=True, text=True,
                                  check=False)
        except FileNotFoundError:
            self.skipTest("shellcheck is not installed")
        self.assertEqual(done.returncode, 0, done.stdout)


    def test_what_was_submitted_is_run_whatever_is_edited_then(self):
        self.study.write_text(self.study.read_text(encoding="utf-8") + "[slurm]\ntask_seconds = 0\n", encoding="utf-8")
        self.sweep("--submit", "--dry-run")
        submitted = self.points()
        study = self.study.read_text(encoding="utf-8")
        self.study.write_text(study.replace("[0.1, 0.4]", "[0.9, 0.1, 0.4]"), encoding="utf-8")
        self.write("base.toml", BASE.replace("[6, 6]", "[4, 4]"))
        for task in range(4):
            self.run_task(task)
        self.write("base.toml", BASE)
        self.study.write_text(study, encoding="utf-8")
        self.assertIn("4 points: 4 done", self.sweep("--collect"))
        names = [point["name"] for point in submitted]
        self.assertEqual([path.stem for path in self.results()], sorted(names))
        digests = [point["digest"] for point in self.points()]
        self.sweep("--rerun")
        self.assertEqual(digests, [point["digest"] for point in self.points()])

    def test_a_trace_that_was_changed_since_fails_the_task(self):
        self.make_study_of_trace("[slurm]\ntask_seconds = 0\n")
        self.sweep("--submit", "--dry-run")
        self.run_task(0)
        with open(self.folder / "t.trc", "ab") as trace:
            trace.write(b"\n")
        self.assertIn("t.trc' has changed since the sweep was frozen", self.run_task(1, code=3))
        self.assertIn("2 points: 0 done, 1 failed, 1 missing", self.sweep("--collect"))
        (frozen,) = (self.folder / "s" / "frozen").glob("*/sweep.json")
        self.assertIn("2 points: 1 done, 1 failed", subprocess.run(
            [WEFT, "sweep", frozen, "--collect"], capture_output=True, text=True, check=True).stdout)
        (self.folder / "t.trc").unlink()
        self.assertIn("t.trc', which the config names, cannot be read", self.sweep("--submit", "--dry-run", code=3))

    def test_a_second_submission_says_that_the_first_lives(self):
        environment = self.sbatch("echo 123", squeue='[ "$2" = --jobs=123 ] && echo PENDING')
        self.sweep("--submit", **environment)
        self.assertIn("job 123 of this sweep is still in the queue", self.sweep("--submit", code=2, **environment))
        self.assertIn("job         123;", self.sweep("--submit", "--force", **environment))
        for answer in ("exit 0", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
                       "echo 'Unable to contact slurm controller' >&2; exit 1"):
            with self.subTest(squeue=answer):
                self.assertIn("job         123;", self.sweep("--submit", **self.sbatch("echo 123", squeue=answer)))

    def test_nothing_in_a_study_becomes_a_command_of_the_script(self):
        out = "o'u $(touch bad) `touch bad` \"t\" %A #"
        study = self.study.read_text(encoding="utf-8").replace('name = "s"', f'name = "s"\nout = {json.dumps(out)}')
        for name, line in (("partition", r'partition = "p\ntouch bad"'), ("time", r'time = "1\ntouch bad"'),
                           ("account", 'account = "a touch"'), ("extra", r'extra = ["--x=1\ntouch bad"]')):
            self.study.write_text(f"{study}[slurm]\n{line}\n", encoding="utf-8")
            self.assertIn(f"[slurm] {name} ", self.sweep("--submit", "--dry-run", code=2))
        comment = json.dumps('--comment=it\'s $(touch bad) # "x"')
        self.study.write_text(f"{study}[slurm]\nextra = [{comment}]\n", encoding="utf-8")
        self.sweep("--submit", "--dry-run")
        script = self.folder / out / "s.sbatch"
        for command in (["bash", "-n"], ["shellcheck"] if shutil.which("shellcheck") else ["test", "-s"]):
            subprocess.run([*command, script], check=True)
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID="0", SLURM_ARRAY_JOB_ID="1")
        subprocess.run(["bash", script], env=environment, check=True, timeout=60, capture_output=True, cwd=self.folder)
        self.assertFalse((self.folder / "bad").exists())
        self.assertEqual(len(list((self.folder / out / "points").glob("*.h5"))), 4)


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

    def test_an_edit_before_a_requeue_changes_nothing(self):
        config = self.write("base.toml", BASE.replace("cycles = 1500", "cycles = 1000000000000"))
        process = self.start("base.toml", "r.h5", "--set", "topology.dims=[4, 4]", WEFT=WEFT)
        process.stdout.readline()
        time.sleep(1)
        config.write_text("format = 2\n", encoding="utf-8")
        process.send_signal(signal.SIGUSR1)
        self.assertIn("requeued", self.finish(process, 75))
        kept = self.folder / "r.7.frozen.toml"
        kept.write_text(kept.read_text(encoding="utf-8").replace("1000000000000", "1500"), encoding="utf-8")
        # Not the run of the checkpoint any more: it says so, and has not looked at the edited config.
        out, err = self.start("base.toml", "r.h5", WEFT=WEFT, SLURM_RESTART_COUNT="1").communicate(timeout=60)
        self.assertIn("--resume", out)
        self.assertIn("it has simulation.cycles = 1000000000000, this config has simulation.cycles = 1500", err)

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
        for words in (("--resume", "x"), ("--resume=x",), ("--out", "x"), ("--out=x",), ("-o", "x"), ("-ox",),
                      ("--set", "checkpoint.path=x"), ("--set=checkpoint.path=x",), ("--set", " checkpoint.path=x"),
                      ("--progress=never",)):
            with self.subTest(words=words):
                self.assertIn("chosen by weft-submit", self.submit("--dry-run", "base.toml", *words, code=2))
        self.assertIn("'--jsn'", self.submit("--dry-run", "base.toml", "--jsn", "-", code=2))
        self.assertIn("37 ranks are more than the 36 routers of the network; give --ntasks 36 or fewer",
                      self.submit("--dry-run", "--ntasks=37", "base.toml", code=2))
        self.assertIn("control character", self.submit("--dry-run", "--out", "a\nb.h5", "base.toml", code=2))
        self.assertIn("no name for", self.submit("--dry-run", "--partition", "p; id", "base.toml", code=2))
        self.assertIn("no time for", self.submit("--dry-run", "--time=1\nid", "base.toml", code=2))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["base.toml", "bin", "steps.toml", "study.toml"])

    def test_a_submitted_config_is_kept_with_what_it_names(self):
        config = self.write("base.toml", BASE_OF_TRACE)
        self.make_trace()
        self.stand_in("sbatch", 'while [ "$1" != --frozen ]; do shift; done\nprintf "%s\\n" "$@"')
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", WEFT=WEFT)
        done = subprocess.run([str(ROOT / "cluster-scripts" / "weft-submit"), "base.toml", "--set", "packet.phits=8",
                               "--json", "r.json"], cwd=self.folder, env=environment, capture_output=True, text=True,
                              check=True)
        arguments = done.stdout.splitlines()
        config.write_text("format = 2\n", encoding="utf-8")
        self.finish(self.start(*arguments, WEFT=WEFT), 0)
        self.assertEqual(json.loads((self.folder / "r.json").read_text(encoding="utf-8"))["config"]["packet"]["phits"],
                         8)
        with open(self.folder / "t.trc", "ab") as trace:
            trace.write(b"\n")
        self.assertIn("an input has changed since", self.finish(self.start(*arguments, WEFT=WEFT), 3))
