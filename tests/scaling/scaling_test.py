"""Scaling studies through the real program: the matrix, resuming, the check of digests, predictions, refusals.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import csv
import json
import os
import signal
import subprocess
import time
import unittest

import harness

WEFT, MPIRUN = harness.weft(), harness.mpirun()
h5py = harness.module("h5py")

BASE = """format = 1
[simulation]
cycles = 300
[topology]
kind = "torus"
dims = [4, 4]
[workload]
kind = "synthetic"
offered_load = 0.1
"""
SIZES = """
[[scaling.size]]
name = "small"
set = ["topology.dims=[4, 4]"]
[[scaling.size]]
name = "large"
set = ["topology.dims=[8, 8]"]
"""


class Scaling(harness.Scratch):
    def setUp(self):
        super().setUp()
        (self.folder / "base.toml").write_text(BASE, encoding="utf-8")

    def study(self, keys, sizes=SIZES):
        text = f'format = 1\n[scaling]\nbase = "base.toml"\nout = "out"\n{keys}\n{sizes}'
        (self.folder / "study.toml").write_text(text, encoding="utf-8")

    def weft(self, *arguments):
        # Tests may share their cores with others: ranks that wait shall give way.
        return subprocess.run(
            harness.with_mpi([WEFT, "scaling", "study.toml", *arguments]),
            cwd=self.folder,
            env=harness.environment(),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )

    def succeed(self, *arguments):
        done = self.weft(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def fail_with(self, code, *words):
        done = self.weft()
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        for word in words:
            self.assertIn(word, done.stderr)

    def runs(self):
        return json.loads((self.folder / "out" / "runs.json").read_text(encoding="utf-8"))

    def write_runs(self, log):
        (self.folder / "out" / "runs.json").write_text(json.dumps(log), encoding="utf-8")

    def points(self):
        with open(self.folder / "out" / "scaling.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_study_runs_its_matrix_and_writes_all_of_its_files(self):
        self.study('ranks = [1, 2]\nrepeat = 2\npartitions = ["metis", "block"]')
        done = self.succeed()
        self.assertEqual(done.stderr.count("repeat"), 2 * 2 * 3)
        order = [line.split("] ")[1].split(":")[0].rsplit(", ", 1)[1] for line in done.stderr.splitlines()]
        self.assertEqual(order, ["repeat 1"] * 6 + ["repeat 2"] * 6)
        points = self.points()
        self.assertEqual([(p["size"], p["ranks"], p["partition"]) for p in points],
                         [(size, *rest) for size in ("small", "large")
                          for rest in (("1", "none"), ("2", "metis"), ("2", "block"))])
        for point in points:
            self.assertEqual(point["repeats"], "2")
            self.assertGreater(float(point["wall_s"]), 0)
            shares = [float(point[key]) for key in ("compute_share", "exchange_share", "waiting_share")]
            self.assertAlmostEqual(sum(shares), 1, places=6)
            if point["ranks"] == "1":
                self.assertEqual((point["speed_up"], point["serial_fraction"], point["remote_fraction"]),
                                 ("1", "", "0"))
            else:
                self.assertGreater(shares[1], 0, "handing over batches takes time")
                self.assertGreater(float(point["remote_fraction"]), 0)
        self.assertEqual(len({(p["size"], p["digest"]) for p in points}), 2)
        figures = harness.page_figures(self.folder / "out" / "scaling.html")
        measured = [float(p["speed_up"]) for p in points if p["size"] == "small" and p["partition"] != "block"]
        shown = next(one for one in figures["Speed-up"]["series"] if one["label"] == "small, metis")
        self.assertEqual(shown["x"], [1, 2])
        for drawn, written in zip(shown["y"], measured, strict=True):
            self.assertAlmostEqual(drawn, written, places=9)
        self.assertEqual([len(part["y"]) for part in figures["Where the time goes"]["series"]], [4, 4, 4])
        subprocess.run([harness.weft(), "report", "out/scaling.h5", "--out", "again.html"], cwd=self.folder, check=True,
                       capture_output=True)
        again = harness.page_figures(self.folder / "again.html")
        self.assertEqual(again["Efficiency"]["series"], figures["Efficiency"]["series"])
        page = (self.folder / "out" / "scaling.html").read_text(encoding="utf-8")
        for word in ("Speed-up", "Where the time goes", "Performance model", "error of leave-one-out"):
            self.assertIn(word, page)

    def test_the_hdf5_file_has_the_points_and_runs_as_tables(self):
        self.study("ranks = [1, 2]\nrepeat = 1")
        self.succeed()
        with h5py.File(self.folder / "out" / "scaling.h5") as file:
            self.assertEqual(file.attrs["format"], "weft-scaling")
            self.assertEqual(list(file["points/ranks"]), [1, 2, 1, 2])
            self.assertEqual(file["points/wall_s"].attrs["unit"], "s")
            self.assertEqual(len(file["runs/digest"]), 4)
            model = file["models/windowed"]
            self.assertEqual(int(model["leave_one_out/points"][()]), 4)
            self.assertGreaterEqual(model["leave_one_out/error_worst"][()], model["leave_one_out/error_mean"][()])
            self.assertNotEqual(model["message_s"][()], model["message_s"][()], "four points tell two terms at most")

    def test_a_study_goes_on_where_it_stopped(self):
        self.study("ranks = [1, 2]\nrepeat = 2", "")
        self.succeed()
        log = self.runs()
        self.assertEqual(len(log["runs"]), 4)
        dropped = log["runs"].pop(2)
        self.write_runs(log)
        done = self.succeed()
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("[4/4]", done.stderr)
        again = self.runs()["runs"]
        self.assertEqual(again[:3], log["runs"], "what was there is kept as it was")
        self.assertEqual((again[3]["repeat"], again[3]["ranks"], again[3]["digest"]),
                         (dropped["repeat"], dropped["ranks"], dropped["digest"]))
        self.assertEqual(self.succeed().stderr, "", "nothing is left to do")

    def test_runs_of_another_config_are_made_anew(self):
        self.study("ranks = [1]\nrepeat = 1", "")
        self.succeed()
        (self.folder / "base.toml").write_text(BASE.replace("300", "200"), encoding="utf-8")
        self.assertIn("[1/1]", self.succeed().stderr)
        self.assertEqual([run["cycles"] for run in self.runs()["runs"]], [300, 200])

    def test_different_digests_are_an_error(self):
        self.study("ranks = [1, 2]\nrepeat = 1", "")
        self.succeed()
        log = self.runs()
        log["runs"][1]["digest"] = "0" * 32
        self.write_runs(log)
        self.fail_with(5, "size 'base'", "different digests", "0" * 32)

    def test_runs_of_another_machine_or_program_are_not_mixed_with_new_ones(self):
        self.study("ranks = [1]\nrepeat = 1", "")
        self.succeed()
        for key, word in (("host", "on host elsewhere"), ("program", "another build")):
            log = self.runs()
            log[key] = "elsewhere"
            self.write_runs(log)
            self.assertEqual(self.succeed().stderr, "", "a complete study is only read")
            log["runs"] = log["runs"] * 2
            self.study("ranks = [1]\nrepeat = 2", "")
            self.fail_with(2, word)
            (self.folder / "out" / "runs.json").unlink()
            self.study("ranks = [1]\nrepeat = 1", "")
            self.succeed()

    def test_a_damaged_log_is_named(self):
        self.study("ranks = [1]\nrepeat = 1", "")
        (self.folder / "out").mkdir()
        (self.folder / "out" / "runs.json").write_text("{", encoding="utf-8")
        self.fail_with(3, "runs.json", "not a log of runs")

    def test_a_run_that_fails_is_named_with_its_own_words_and_exit_code(self):
        self.study("ranks = [1]\nrepeat = 1",
                   '[[scaling.size]]\nname = "cut short"\nset = ["simulation.max_cycles=10"]\n')
        self.fail_with(4, "cut short, 1 rank", "max_cycles = 10")

    def test_more_ranks_than_cores_are_marked(self):
        self.study("ranks = [1, 2]\nrepeat = 1\ncores = 1", "")
        text = self.succeed().stdout
        self.assertRegex(text, r"(?m)^ +2\*  ")
        self.assertIn("more ranks than the 1 cores", text)
        self.assertEqual([point["oversubscribed"] for point in self.points()], ["0", "1"])

    def test_weak_scaling_has_a_size_for_each_rank_count(self):
        self.study('kind = "weak"\nranks = [1, 2]\nrepeat = 1')
        self.assertIn("weak scaling", self.succeed().stdout)
        self.assertEqual([(p["size"], p["ranks"]) for p in self.points()], [("small", "1"), ("large", "2")])

    def test_predictions_say_what_is_extrapolated_and_recommend_nothing_that_was_not_tried(self):
        self.study("ranks = [1, 2, 3]\nrepeat = 1\ncores = 3")
        text = self.succeed("--predict", "topology.dims=[16,16]", "--ranks", "1,2,4,8").stdout
        self.assertIn("prediction: 16x16 torus", text)
        self.assertIn("more than 3 ranks with a core each were never measured", text)
        self.assertIn("this one has 256", text)
        self.assertIn("no number of ranks is recommended", text)
        self.assertIn("2 others are too few", text)
        figures = harness.page_figures(self.folder / "out" / "scaling.html")
        self.assertEqual(figures["Predicted efficiency"]["series"][0]["x"], [1, 2, 4, 8])
        self.assertIn("Predictions", (self.folder / "out" / "scaling.html").read_text(encoding="utf-8"))

    def test_predictions_from_too_little_are_refused_before_anything_runs(self):
        self.study("ranks = [1, 2]")
        for arguments, words in (
            (["--ranks", "1,2,4"], "cannot predict from 4 points on the rank counts 1, 2"),
            (["--predict", "workload.offered_load=0.5"], "no setting of the topology"),
            (["--ranks", "1,65"], "cannot predict 65 ranks"),
        ):
            with self.subTest(arguments=arguments):
                done = self.weft(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)
                self.assertFalse((self.folder / "out").exists())

    def stopped_by(self, number):
        """A study whose run of two ranks hangs, ended by a signal; what it said."""
        launcher = self.folder / "hanging-mpirun"
        launcher.write_text("#!/bin/bash\ntrap 'exit 143' USR1\necho $$ > hanging.tmp\nmv hanging.tmp hanging\n"
                            "while :; do sleep 0.05; done\n", encoding="utf-8")
        launcher.chmod(0o755)
        (self.folder / "hanging").unlink(missing_ok=True)
        with subprocess.Popen(
            [WEFT, "scaling", "study.toml"],
            cwd=self.folder,
            env=harness.environment(WEFT_MPIRUN=str(launcher)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=subprocess.DEVNULL,
            # Whoever starts the tests may ignore it.
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
        ) as study:
            deadline = time.monotonic() + 60
            while not (self.folder / "hanging").exists() and study.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            study.send_signal(number)
            _, error = study.communicate(timeout=60)
        with self.assertRaises(ProcessLookupError, msg="mpirun is left running"):
            os.kill(int((self.folder / "hanging").read_text(encoding="utf-8")), 0)
        self.assertEqual(study.returncode, 75, error)
        return error

    def test_a_signal_ends_the_run_in_progress_and_the_study_goes_on_later(self):
        self.study("ranks = [1, 2]\nrepeat = 1", "")
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            error = self.stopped_by(number)
            self.assertIn("stopped by a signal (1 of 2 runs are kept in out/runs.json); run the same command", error)
        self.assertEqual([run["ranks"] for run in self.runs()["runs"]], [1])
        self.assertIn("[2/2]", self.succeed().stderr)
        self.assertEqual(sorted(path.name for path in self.folder.glob("**/*.ckpt*")), [])

    def test_a_run_that_is_stopped_leaves_no_checkpoint(self):
        (self.folder / "base.toml").write_text(BASE.replace("300", "1000000000"), encoding="utf-8")
        self.study("ranks = [1]\nrepeat = 1", "")
        with subprocess.Popen([WEFT, "scaling", "study.toml"], cwd=self.folder, stderr=subprocess.PIPE,
                              text=True) as study:
            self.assertEqual(study.stderr.read(5), "[1/1]")  # signals are held by then
            study.terminate()
            _, error = study.communicate(timeout=60)
        self.assertEqual(study.returncode, 75, error)
        self.assertIn("0 of 1 runs are kept", error)
        self.assertEqual(sorted(path.name for path in self.folder.glob("**/*.h5")), [])

    def test_bad_studies_are_refused_before_anything_runs(self):
        for keys, words in (
            ("ranks = [1, 2]\nrepeats = 2", ("study.toml:6", "did you mean scaling.repeat?")),
            ('ranks = [1]\nprotocols = ["sequential"]', ("study.toml:6", "leave it out")),
            ('kind = "weak"\nranks = [1]', ("2 sizes and 1 rank counts",)),
        ):
            with self.subTest(keys=keys):
                self.study(keys)
                self.fail_with(2, *words)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
