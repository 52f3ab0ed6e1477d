"""Sweeps on this machine: in turn, interrupted, several at a time."""

import csv
import json
import signal
import subprocess
import time

import harness

h5py = harness.module("h5py")
from sweep_runs import BASE, Sweep

WEFT, MPIRUN = harness.weft(), harness.mpirun()


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

    def test_a_job_is_varied(self):
        jobs = "".join(f'[[job]]\nname = "{name}"\nworkload = {{kind = "kernel", name = "mesh", tasks = 4}}\n'
                       for name in "ab")
        self.write("base.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n' + jobs)
        self.study.write_text('format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\n[[sweep.axis]]\n'
                              'key = "job.a.workload.message_bytes"\nvalues = [100, 2000]\n', encoding="utf-8")
        self.sweep()
        self.assertEqual([point["settings"] for point in self.points()],
                         [{"job.a.workload.message_bytes": size} for size in (100, 2000)])
        with open(self.folder / "s" / "s.csv", encoding="utf-8", newline="") as file:
            self.assertEqual([int(row["job.a.workload.message_bytes"]) for row in csv.DictReader(file)], [100, 2000])

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
        figures = harness.page_figures(self.folder / "s" / "s.html")
        for title in ("Accepted load", "Mean latency", "Latency of the slowest 1 %"):
            curves = [one for one in figures[title]["series"] if not one.get("reference")]
            self.assertEqual([one["x"] for one in curves], [[0.1, 0.4]] * 2, title)

    def test_columns_prices_and_published_points_are_in_all_outputs(self):
        self.write("prices.toml",
                   "[floor]\nswitches_per_rack = 99\nracks_per_row = 1\nrack_pitch_m = 1\nrow_pitch_m = 1\n"
                   'in_rack_m = 1\n[[switch]]\nname = "any"\nprice = 10\n[[cable]]\nname = "any"\nprice = 1\n')
        more = ('cost = "prices.toml"\n[[sweep.column]]\nname = "relative"\nrelative = "latency_mean"\n'
                'to = {workload.pattern = "uniform"}\n[[sweep.published]]\nfigure = "relative"\n'
                'at = {workload.pattern = "tornado"}\nx = [0.1, 0.4]\ny = [1, 2]\nlabel = "of others"\nsource = "A '
                'paper"\n')
        self.make_study(more=more)
        text = self.sweep()
        self.assertRegex(text, r"estimate .*\ntook        .* of processor time for 4 points\n")
        self.assertRegex(text, r"relative +of others +0.4 +2 +[0-9.]+ +[-+][0-9.]+ %")
        with open(self.folder / "s" / "s.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        latency = [float(row["latency_mean"]) for row in rows]
        for row, value, reference in zip(rows, latency, latency[:2] * 2, strict=True):
            self.assertAlmostEqual(float(row["relative"]), value / reference)
            self.assertEqual(float(row["price"]), 36 * 10 + 72)  # a 6x6 torus
        figure = harness.page_figures(self.folder / "s" / "s.html")["relative"]
        crosses = [one for one in figure["series"] if one.get("draw") == "crosses"]
        self.assertEqual([(one["label"], one["like"], one["y"]) for one in crosses],
                         [("of others, published", "tornado", [1, 2])])
        listed = subprocess.run(["h5dump", "-d", "/published/source", "-d", "/points/relative",
                                 str(self.folder / "s" / "s.h5")],
                                capture_output=True, text=True, check=True).stdout
        self.assertIn("A paper", listed)
        # Prices change no run.
        self.write("prices.toml", (self.folder / "prices.toml").read_text(encoding="utf-8").replace("price = 10",
                "price = 20"))
        self.assertIn("4 of 4 points have a result already", self.sweep())
        with open(self.folder / "s" / "s.csv", encoding="utf-8", newline="") as file:
            self.assertEqual({float(row["price"]) for row in csv.DictReader(file)}, {36 * 20 + 72})

    def test_units_of_a_page_are_those_of_its_points(self):
        self.write("base.toml", BASE + "tick_ps = 500\n[packet]\nphit_bytes = 16\n")
        self.sweep()
        page = harness.page_spec(self.folder / "s" / "s.html")
        self.assertEqual(page["clocks"], [{"cycle_ns": 0.5, "phit_bytes": 16}])

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

    def test_results_of_a_trace_that_has_changed_are_made_again(self):
        self.make_study_of_trace()
        self.sweep()
        before = self.result_times()
        self.assertIn("2 of 2 points have a result already", self.sweep())
        trace = (self.folder / "t.trc").read_bytes()
        for content in (trace + b"c 0 5\n", trace):  # and back again
            (self.folder / "t.trc").write_bytes(content)
            self.assertRegex(self.sweep("--collect"),
                             r"(?s)2 points: 0 done, 2 missing.*t.trc' has changed since its result")
            self.assertEqual(self.result_times(), before, "nothing is lost by looking")
            self.assertIn("again       2 points of results that are there; the first: '", self.sweep())
            self.assertFalse(set(self.result_times().values()) & set(before.values()))
            before = self.result_times()

    def test_results_without_a_note_go_by_the_sweeps_that_were_frozen_before(self):
        self.make_study_of_trace()
        self.sweep()
        for note in (self.folder / "s" / "points").glob("*.inputs.json"):  # as older versions left them
            note.unlink()
        self.assertIn("2 of 2 points have a result already", self.sweep())
        with open(self.folder / "t.trc", "ab") as trace:
            trace.write(b"c 0 5\n")
        self.assertIn("2 points: 0 done, 2 missing", self.sweep("--collect"))
        self.assertIn("2 points: 2 done", self.sweep())

    def test_more_ranks_than_routers_are_found_before_anything_runs(self):
        self.make_study(ranks=37)
        for arguments in ((), ("--submit", "--dry-run"), ("--submit",)):
            error = self.sweep(*arguments, code=2)
            self.assertIn("point 0 (", error)
            self.assertIn("ranks = 37 are more than the 36 routers of its network; give the sweep 36 ranks or fewer",
                          error)
        self.assertEqual(list((self.folder / "s" / "points").iterdir()), [])

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
        self.assertRegex(error, r"2 points: failed with exit code 2: .*power of two.*\n  +points 2, 3; all with "
                                r"workload.pattern=\"butterfly\"")
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

    def test_a_search_finds_the_saturation_that_a_scan_of_all_loads_finds(self):
        head = 'format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\nset = ["topology.dims=[8]", "packet.phits=4"]\n'
        self.study.write_text(head
                              + '[[sweep.axis]]\nkey = "workload.offered_load"\nfrom = 0.1\nto = 1.0\nstep = 0.05\n',
                              encoding="utf-8")
        self.sweep()
        scanned = {p["settings"]["workload.offered_load"]: p["saturated"] for p in self.points()}
        high = min(load for load, saturated in scanned.items() if saturated)
        self.study.write_text(head + "[sweep.search]\nfrom = 0.1\nto = 1.0\nprecision = 0.05\npoints = 7\n",
                              encoding="utf-8")
        text = self.sweep()
        self.assertIn(f"{high - 0.05:.2g} to {high:.2g}", text)
        self.assertLess(len(self.points()), len(scanned) // 2 + 1)
        for point in self.points():
            self.assertEqual(point["saturated"], scanned[point["settings"]["workload.offered_load"]])
        with open(self.folder / "s" / "s-saturation.csv", encoding="utf-8", newline="") as file:
            self.assertAlmostEqual(float(list(csv.DictReader(file))[0]["high"]), high)
        self.assertEqual(self.sweep("--collect").splitlines()[-4:-2], text.splitlines()[-4:-2], "as many points")

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
        self.assertEqual(len(text.splitlines()), 6)
        self.assertRegex(text.splitlines()[-1], "^estimate +about .* of processor time for 4 points")
        self.assertFalse((self.folder / "s").exists())


    def test_a_frozen_sweep_is_a_study_too(self):
        self.sweep()
        (frozen,) = (self.folder / "s" / "frozen").glob("*/sweep.json")
        self.study = frozen
        self.assertIn("4 points: 4 done", self.sweep("--collect"))


class Interrupted(Sweep):
    def test_whole_results_stay_and_the_next_start_goes_on(self):
        # One short point, then those that outlast the test.
        self.write("base.toml", BASE.replace("cycles = 1500", ""))
        axis = '[[sweep.axis]]\nkey = "simulation.cycles"\nvalues = [500, 100000000000, 200000000000]\n'
        self.study.write_text(f'format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\n{axis}', encoding="utf-8")
        # In the background of a script the signal would be ignored, by this process and so by its children.
        process = subprocess.Popen(self.command("--jobs", 1), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
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
        return [process for process in harness.running() if str(self.folder) in " ".join(process.words)]


class Parallel(Sweep):
    def test_several_ranks_give_the_same_digests(self):
        self.sweep()
        alone = [point["digest"] for point in self.points()]
        self.make_study(ranks=2)
        self.sweep("--rerun", "--jobs", 2)
        self.assertEqual([point["digest"] for point in self.points()], alone)

    def test_several_threads_give_the_same_digests(self):
        self.sweep()
        alone = [point["digest"] for point in self.points()]
        self.make_study(ranks="1\nthreads = 2")
        out = self.sweep("--rerun", WEFT_LAUNCHER="/no/such/mpirun")
        self.assertEqual([point["digest"] for point in self.points()], alone)
        self.assertEqual(len(self.results()), 4)
        for result in self.results():
            with h5py.File(result) as file:
                self.assertEqual(len(file["engine/ranks/cpu_s"]), 2, out)
        self.make_study(ranks="2\nthreads = 19")
        self.assertIn("ranks = 38 are more than the 36 routers", self.sweep(code=2))

    def test_another_launcher_gets_the_number_of_ranks(self):
        launcher = self.write("launch", '#!/bin/sh\necho "$1 $2" >>"$0.log"\nshift 2\nexec "$@"\n')
        launcher.chmod(0o755)
        self.make_study(ranks=7)
        self.sweep(WEFT_LAUNCHER=str(launcher))
        self.assertEqual((self.folder / "launch.log").read_text(encoding="utf-8"), "-n 7\n" * 4)

    def test_a_launcher_that_does_not_exist_is_a_system_error(self):
        self.make_study(ranks=2)
        self.assertIn("there is no '/no/such/mpirun' to start 2 ranks with",
                      self.sweep(code=5, WEFT_LAUNCHER="/no/such/mpirun"))
