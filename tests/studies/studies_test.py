"""weft study: the quick form of every study through the program, and results that are half there, of another version or
damaged.

    tests/by-hand tests/studies/studies_test.py Quick"""

import json
import lzma
import os
import signal
import subprocess
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

import harness

sys.path.insert(0, str(harness.ROOT / "tools" / "python"))
from weft import study  # noqa: E402
from weft.study import _rows as study_rows  # noqa: E402
from weft.study import _table as study_table  # noqa: E402

WEFT = harness.weft()
STUDIES = harness.ROOT / "studies"
TRACES = study.traces()
NAN = float("nan")

#: Rows that are known to be outside in the quick forms; docs/studies.md has the reasons.
OUTSIDE = {
    "thin-trees-kernels": {"Tables 2, 3: 7:5,5, switches", "Tables 2, 3: 7:5,5, links",
                           "Tables 2, 3: 6:6,5, switches", "Tables 2, 3: 6:6,5, links"},
    "kernels-on-topologies": {"torus, BU, 64,000 bytes", "fat tree, W2, 64,000 bytes", "fat tree, W3, 64,000 bytes",
                              "Fig. 9b: fat tree, 3W", "Fig. 9b: torus, 3W", "Fig. 9d: fat tree, 2M",
                              "thesis, 3.2: BU: time on the torus"},
    "congestion-control": {"uniform, LBR, longest bursts", "torus of 8 x 8, hot-region, LBR",
                           "torus of 8 x 8, hot-region, IPR",
                           "hot-region, LBR, longest bursts", "hot-region, IPR, longest bursts"},
    "extoll": {"Table III: broadcast, 16 bytes, 5DT, 256, cycles",
               "Table III: broadcast, 16 bytes, 5DT, 512, cycles",
               "Table III: broadcast, 512 bytes, 3D, 512, cycles",
               "Table III: allgather, 16 bytes, 3D, 256, cycles",
               "Table III: allgather, 16 bytes, 5DT, 256, cycles",
               "Table III: broadcast, 16 bytes, 512: faster",
               "Table III: broadcast, 512 bytes, 256: faster",
               "Table II: broadcast, 512 bytes, 3D, 256, latency of cells, cycles",
               "Table II: broadcast, 512 bytes, 3D, 512, latency of cells, cycles",
               "Table II: allgather, 16 bytes, 3D, 256, latency of cells, cycles",
               "Table II: all-to-all, 16 bytes, 3D, 256, latency of cells, cycles",
               "Table II: all-to-all, 16 bytes, 5DT, 256, latency of cells, cycles"},
    "ebb": {"Fig. 5: Atlas, bins of 50 with more than 1 % of the patterns", "Fig. 7: Atlas, dissemination, %",
            "Fig. 7: Thunderbird, dissemination, %", "Fig. 8: Atlas, tree, %", "Fig. 8: Thunderbird, tree, %",
            "Fig. 7: Atlas, dissemination, lower bound, %", "Fig. 7: Atlas, dissemination, upper bound, %",
            "Fig. 7: Thunderbird, dissemination, upper bound, %", "Fig. 9: Thunderbird, upper and lower, %",
            "Fig. 2, 3.1: MiB/s by size with 3 others, LogGP of G times 4"},
    "myrinet": {"a pair alone, MiB/s of 1 MiB both ways", "a packet of 4 KB is sent in, us",
                "a probe there and back, us",
                "512 nodes, random: share of a pair alone, %", "128 nodes, probing: share of a pair alone, %",
                "bridge, 32 nodes, static: share of a pair alone, %",
                "bridge, 32 nodes, adaptive: share of a pair alone, %"},
    "placement": {"slow-down by bad placement, at most"},
    "resources": {"Fig. 14a: tori, memory by nodes", "Fig. 14b: 2-ary trees, memory by switches",
                  "Fig. 14c: topology of least memory"},
}
NAMES = ["congestion-control", "cosim", "dragonfly", "ebb", "extoll", "karol", "kernels-on-topologies", "myrinet",
         "placement", "resources", "thin-trees-kernels", "thin-trees-throughput", "trace-routing"]

#: A ring on which a message of one packet takes what its distance says: a study whose answer is known.
RING = """format = 1
[topology]
kind = "torus"
dims = [8]
[packet]
phits = 4
[workload]
kind = "exchange"
name = "pairs"
pairs = [0, 1]
both_ways = false
message_bytes = 16
repetitions = 1
"""
SCRIPT = """from weft.study import Run, exact, published
PUBLISHED = published(__file__)
TO = (1, 2, 3, 4)

def runs(quick):
    return {f"to {to}": Run("ring.toml", {"workload.pairs": [0, to]}) for to in TO[:2 if quick else 4]}

def rows(found, quick):
    return [exact(f"links to {to}", PUBLISHED["links"][to - 1], found[f"to {to}"]["hops"], why="a detour") for to in TO[:2 if quick else 4]]
"""
PUBLISHED = 'title = "Distances on a ring"\nsource = "geometry"\npage = "docs/studies.md"\nlinks = [1, 2, 3, 4]\n'
#: A program that says how long a message to its neighbour takes, and the study that starts it.
HELLO = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, got = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Send(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) printf("not a figure\\nfigure told %d\\nfigure message.us %.9g\\n", got, (MPI_Wtime() - begin) * 1e6);
  MPI_Finalize();
  return argc - 2;
}
"""
HELLO_MACHINE = """format = 1
topology = {kind = "torus", dims = [2]}
link = {rate_gbps = 0.032}
packet = {phits = 4}
workload = {tasks = 2}
cosim = {endpoints = "processes", compute = "none"}
"""
HELLO_SCRIPT = """from weft.study import Program, Run, claim, exact, figure

def runs(quick):
    return {"hello": Run("machine.toml", {"cosim.program": "{program} word"}, command="cosim", program=Program("hello.c"))}

def rows(found, quick):
    run = found["hello"]
    return [exact("told", 7, run["said.told"]),
            claim("its processes' time", "more than none", {"s": found.cpu_s("hello")}, found.cpu_s("hello") > 0),
            figure("message, us", run["latency.mean"] * run["cycle_ns"] / 1000, run["said.message.us"], within=0.5, relative=True)]
"""
LONG = '[simulation]\ncycles = 600000\n[topology]\nkind = "torus"\ndims = [16, 16]\n[workload]\noffered_load = 0.1\n'


def open_mpi():
    """Whether weft cosim can start processes."""
    component = Path(WEFT).parents[1] / "lib" / "weft" / "openmpi" / "mca_pml_weft.so"
    return not study.Program("hello.c").lacking() and component.exists()


def call(*words, folder, studies=None, seconds=600, **variables):
    """Exit code, standard output and standard error of weft study."""
    environment = dict(os.environ, **variables)
    environment.pop("WEFT_STUDIES", None)
    if studies:
        environment["WEFT_STUDIES"] = str(studies)
    done = subprocess.run([WEFT, "study", *map(str, words)], cwd=folder, env=environment, capture_output=True,
                          text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=seconds)
    return done.returncode, done.stdout, done.stderr


class Rows(unittest.TestCase):
    def test_a_figure_is_inside_up_to_its_tolerance(self):
        for simulated, inside in ((0.53, True), (0.47, True), (0.5301, False), (0.46, False)):
            row = study.figure("phi", 0.5, simulated, within=0.03, why="ties")
            self.assertEqual((row.inside, row.reason), (inside, "" if inside else "ties"))
        row = study.figure("time", 200, 219, within=0.1, relative=True, form=".0f")
        self.assertEqual((row.published, row.simulated, row.difference, row.tolerance, row.inside),
                         ("200", "219", "+9.5 %", "10 %", True))
        self.assertFalse(study.figure("time", 200, 221, within=0.1, relative=True).inside)
        self.assertFalse(study.exact("switches", 16, 17).inside)

    def test_what_is_not_run_is_neither_inside_nor_outside(self):
        rows = [study.figure("x", 1, NAN, within=1), study.claim("x", "up", {"a": NAN, "b": 1.0}, True),
                study.exact("x", 1, NAN),
                study.order("x", {"a": 1, "b": 2}, {"a": 1, "b": NAN})]
        self.assertEqual([(row.simulated, row.inside, row.is_run) for row in rows], [("not run", None, False)] * 4)

    def test_an_order_is_that_of_all_pairs(self):
        published = {"a": 1, "b": 2, "c": 3}
        self.assertTrue(study.order("x", published, {"a": 0.1, "b": 0.5, "c": 0.6}).inside)
        row = study.order("x", published, {"a": 0.1, "b": 0.7, "c": 0.6}, why="noise")
        self.assertEqual((row.inside, row.difference, row.reason), (False, "changed: c and b", "noise"))
        self.assertTrue(study.order("x", published, {"a": 0.1, "b": 0.7, "c": 0.6}, same_below=0.2).inside)

    def test_a_curve_is_inside_if_all_its_points_are(self):
        row = study.curve("load", {0.1: 0.1, 0.5: 0.4}, {0.1: 0.1, 0.5: 0.42}, within=0.05, relative=True)
        self.assertEqual((row.inside, row.difference, row.kind), (True, "at most +5.0 %", "curve"))
        row = study.curve("load", {0.1: 0.1, 0.5: 0.4}, {0.1: 0.1, 0.5: 0.37}, within=0.02, why="buffers")
        self.assertEqual((row.inside, row.difference, row.reason), (False, "at most -0.030", "buffers"))
        self.assertIsNone(study.curve("load", {0.1: 0.1}, {0.1: NAN}, within=1).inside)

    def test_a_moved_seed_is_that_of_every_command_that_draws(self):
        for command, words, moved in (
                ("fabric ebb", ("--count", "2"), ("--count", "2", "--seed", "6")),
                ("fabric ebb", ("--seed", "3", "--count", "1"), ("--seed", "8", "--count", "1")),
                ("fabric applications", (), ("--seed", "6")), ("topology", (), ())):
            self.assertEqual(study.Run("x.toml", command=command, words=words).with_seed_moved(5).words, moved)
        run = study.Run("x.toml", {"simulation.seed": 2}).with_seed_moved(5)
        self.assertEqual(run.settings, {"simulation.seed": 7})

    def test_a_curve_beside_runs_that_are_not_done_is_null_in_json(self):
        made = study_table._row_object(study.curve("load", {0.1: NAN, 0.5: 0.4}, {0.1: 0.1, 0.5: NAN}, within=1))
        self.assertEqual(made["points"], [{"x": 0.1, "published": None, "simulated": 0.1},
                                          {"x": 0.5, "published": 0.4, "simulated": None}])

    def test_a_result_counts_once_under_all_its_readings(self):
        text = [study.figure(name, 1, value, within=0.1) for name, value in
                (("fits", 1.0), ("read", 2.0), ("shown", 2.0), ("open", 2.0), ("to run", NAN))]
        others = [study.read_as("static", study.figure("read", 1, 1.05, within=0.1)),
                  study.evidence("INSEE", study.figure("shown", 2.02, 2.0, within=0.1)),
                  study.evidence("INSEE", study.figure("open", 3, 2.0, within=0.1))]
        count = study_rows.counted([*text, *others])
        self.assertEqual(count, study_rows.Count(1, 1, 1, 1, 1))
        self.assertEqual(count.compared, 4)


class Traces(unittest.TestCase):
    """Traces of studies/congestion-control that are written by rules."""

    def setUp(self):
        self.folder = STUDIES / "congestion-control"
        self.lu = harness.script(self.folder / "lu.py")

    def test_a_time_step_of_lu_has_the_messages_of_the_recorded_program(self):
        sends = [(task, other, size) for task, of in enumerate(self.lu.tasks(12, 4)) for what, other, size in of
                 if what == "s"]
        # lu.S.16: 12,252 of 80 bytes and 12,240 of 120 in 51 steps, 12 of the former behind them; 24 pairs of
        # neighbours, both ways.
        self.assertEqual(Counter(size for *_, size in sends), {80: 240, 120: 240, 2880: 48})
        self.assertEqual({abs(task - other) for task, other, _ in sends}, {1, 4})

    def test_chains_are_as_long_as_the_grid(self):
        lengths = [self.lu.longest_chain(self.lu.tasks(64, 8, phase)) for phase in "1246"]
        self.assertEqual(lengths, [7 + 7, 7 + 7, 2, 2])

    def test_files_are_what_the_rules_write(self):
        for size, points in self.lu.POINTS.items():
            with lzma.open(self.folder / "traces" / f"lu.{size}.64.trc.xz", "rt") as file:
                self.assertEqual(file.read(), self.lu.text(self.lu.tasks(points, 8, steps=2)))
            for phase in ("12", "4", "6"):
                with lzma.open(self.folder / "traces" / f"lu-phase-{'-'.join(phase)}.{size}.64.trc.xz", "rt") as file:
                    self.assertEqual(file.read(), self.lu.text(self.lu.tasks(points, 8, phase)))


class Witness(unittest.TestCase):
    """studies/myrinet/slots.py, beside which the study is held."""

    def share(self, *words):
        done = subprocess.run([sys.executable, STUDIES / "myrinet" / "slots.py", *words], check=True, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=100)
        return float(done.stdout.split()[0])

    def test_nobody_is_stopped_on_one_line_card(self):
        self.assertGreater(self.share("bisect", "16", "static"), 99)

    def test_the_study_has_what_it_prints(self):
        kept = study.load("myrinet").published["slots"]["bridge"]
        for scheme in ("static", "random"):
            for nodes, share in kept[scheme].items():
                self.assertEqual(self.share("bridge", nodes, scheme, "--patterns", "3"), share)

    def test_random_routes_get_what_karol_says_of_sixteen_inputs(self):
        # 58.6 % of any number of inputs, 61.8 % of 8.
        self.assertTrue(58 < self.share("bridge", "32", "random", "--messages", "10") < 61.8)


class QuickForms(harness.Scratch):
    def check(self, name):
        code, out, err = call(name, "--quick", "--jobs", "2", folder=self.folder, WEFT_TRACES=str(TRACES))
        self.assertEqual(code, 0, err)
        self.assertNotIn("not run", out)
        self.assertRegex(
            out, r"\d+ of \d+ published results inside their tolerance(, \d+ [a-z ]+)*; digest [0-9a-f]{16}")
        lines = out.splitlines()
        outside = {line.split("  ")[0].strip() for line in lines if line.endswith("OUTSIDE")}
        known = OUTSIDE.get(name, set())
        self.assertTrue(all(any(row.startswith(each) for each in known) for row in outside),
                        f"{outside} beside {known}")
        self.assertEqual(len(outside), len(known), f"{outside} beside {known}")
        for place, line in enumerate(lines):
            if line.endswith("OUTSIDE"):
                self.assertIn("likely reason: ", lines[place + 1])
        path = self.folder / "table.json"
        again = call(name, "--quick", "--table", "--strict", "--json", path, folder=self.folder,
                     WEFT_TRACES=str(TRACES))
        self.assertEqual(again[:2], (1 if known else 0, out))
        self.check_index(name, json.loads(path.read_text(encoding="utf-8")))

    def check_index(self, name, found):
        """Every row is of a published table, figure or sentence that the study names."""
        loaded = study.load(name)
        rows = [study.Row(row["what"], "", "", "", "", None) for row in found["rows"]]
        # Results of the whole form alone have no row here.
        every = {entry["of"] for entry in loaded.published["results"]}
        self.assertEqual([each for each in study.unlisted(loaded, rows) if each not in every], [])


class Some(QuickForms):
    def test_studies_of_seconds_are_compared_and_only_what_is_known_is_outside(self):
        for name in ("karol", "dragonfly", "ebb"):
            with self.subTest(study=name):
                self.check(name)


class Quick(QuickForms):
    def test_every_study_is_compared_and_only_what_is_known_is_outside(self):
        self.assertEqual(sorted(path.parent.name for path in STUDIES.glob("*/study.py")), NAMES)
        for name in NAMES:
            with self.subTest(study=name):
                if name == "trace-routing" and not (TRACES / "is.W.64.trc.xz").is_file():
                    self.skipTest(f"this trace is not there: {TRACES}")
                if name == "cosim" and not open_mpi():
                    self.skipTest("Open MPI is not installed with its headers")
                self.check(name)


class Whole(harness.Scratch):
    def check(self, name):
        code, out, err = call(name, folder=self.folder, seconds=3000, WEFT_TRACES=str(TRACES))
        self.assertEqual(code, 0, err)
        self.assertNotIn("not run", out)
        lines = out.splitlines()
        for place, line in enumerate(lines):
            if line.endswith("OUTSIDE"):
                self.assertIn("likely reason: ", lines[place + 1])
        return [line for line in lines if line.endswith("inside")]

    def test_what_has_no_traces(self):
        for name, least in (("karol", 9), ("ebb", 28), ("kernels-on-topologies", 10), ("thin-trees-throughput", 20)):
            with self.subTest(study=name):
                self.assertGreaterEqual(len(self.check(name)), least)

    def test_what_has_traces(self):
        if not (TRACES / "cg.W.64.trc.xz").is_file():
            self.skipTest(f"this trace is not there: {TRACES}")
        self.assertGreaterEqual(len(self.check("trace-routing")), 12)


class Results(harness.Scratch):
    def setUp(self):
        super().setUp()
        self.studies = self.folder / "studies"
        (self.studies / "ring").mkdir(parents=True)
        for name, text in (("ring.toml", RING), ("study.py", SCRIPT), ("published.toml", PUBLISHED)):
            (self.studies / "ring" / name).write_text(text, encoding="utf-8")

    def study(self, *words, name="ring"):
        return call(name, *words, folder=self.folder, studies=self.studies)

    def results(self):
        return sorted((self.folder / "results" / "studies" / "ring").glob("*.json"))

    def change(self, path, **keys):
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | keys), encoding="utf-8")

    def assert_refused(self, code, words, *arguments, **more):
        found, _, err = self.study(*arguments, **more)
        self.assertEqual(found, code, err)
        for word in words:
            self.assertIn(word, err)
        self.assertNotIn("Traceback", err)

    def test_a_study_compares_and_keeps_what_it_has_run(self):
        code, out, err = self.study()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("4 of 4 published results inside their tolerance", out)
        self.assertEqual([path.name for path in self.results()], [f"to-{to}.json" for to in (1, 2, 3, 4)])
        before = [path.stat().st_mtime_ns for path in self.results()]
        self.assertEqual(self.study()[:2], (0, out))
        self.assertEqual(self.study("--table")[:2], (0, out))
        self.assertEqual([path.stat().st_mtime_ns for path in self.results()], before)
        self.study("--again")
        self.assertTrue(all(path.stat().st_mtime_ns > time for path, time in zip(self.results(), before)))

    def test_another_seed_is_kept_apart(self):
        script = SCRIPT.replace('{"workload.pairs": [0, to]}', '{"workload.pairs": [0, to], "simulation.seed": to}')
        (self.studies / "ring" / "study.py").write_text(script, encoding="utf-8")
        self.assertEqual(self.study("--reseed", "5")[0], 0)
        folder = self.folder / "results" / "studies-reseed-5" / "ring"
        kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
        seeds = [each["summary"]["seed"] for each in kept]
        self.assertEqual((seeds, self.results()), ([6, 7, 8, 9], []))
        self.assert_refused(2, ["--markdown goes not with --reseed"], "--reseed", "5", "--markdown", "page.md")

    def test_half_a_study_says_what_is_missing_and_goes_on(self):
        code, out, _ = self.study("--quick")
        self.assertEqual((code, len(self.results())), (0, 2))
        code, out, _ = self.study("--table")
        self.assertEqual(code, 0)
        self.assertIn("2 of 4 runs have no result ('to 3' for one): weft study ring goes on", out)
        self.assertEqual(out.count("not run"), 3)  # two rows, and their number
        self.assertIn("4 of 4 published results inside", self.study()[1])

    def test_shares_of_a_study_are_all_of_it(self):
        for part in range(3):
            code, out, _ = self.study("--part", f"{part}/3")
            self.assertEqual((code, out), (0, ""))
        self.assertEqual(len(self.results()), 4)
        self.assert_refused(2, ["--part 3/3", "give I/N"], "--part", "3/3")
        self.study("--again", "--only", "to 2")
        self.assert_refused(2, ["--only to 9 is none of the study's 4 runs"], "--only", "to 9")

    def test_a_row_outside_has_its_reason_and_a_code_if_asked(self):
        path = self.studies / "ring" / "published.toml"
        path.write_text(PUBLISHED.replace("[1, 2, 3, 4]", "[1, 2, 3, 5]"), encoding="utf-8")
        code, out, _ = self.study()
        self.assertEqual(code, 0)
        self.assertRegex(out, r"links to 4 +5 +4 +-1 +0 +OUTSIDE\n +likely reason: a detour")
        self.assertEqual(self.study("--strict")[0], 1)

    def test_results_of_another_version_are_not_mixed(self):
        self.study()
        self.change(self.results()[1], weft="weft 0.0.9")
        self.assert_refused(3, ["1 of 4 results", "another version (weft 0.0.9; this is weft ", "--again", "--out"])
        self.assert_refused(3, ["another version"], "--table")
        self.assertEqual(self.study("--again")[0], 0)
        self.assertEqual(self.study()[0], 0)

    def test_results_of_other_settings_are_not_mixed(self):
        self.study()
        config = self.studies / "ring" / "ring.toml"
        config.write_text(RING.replace("phits = 4", "phits = 8"), encoding="utf-8")
        self.assert_refused(3, ["4 of 4 results", "of other settings than the study has now ('to-1' for one)",
                                "--again"])

    def test_damaged_results_are_named(self):
        self.study()
        for content in ("", "{", "[]", '{"form": "weft study run"}', "\udcff", json.dumps({"weft": "0.1.0"})):
            self.results()[0].write_bytes(content.encode("utf-8", "surrogateescape"))
            self.assert_refused(3, ["to-1.json' holds no figures of a run",
                                    "remove it, or give another folder with --out"])
        path = self.results()[0]
        path.unlink()
        path.mkdir()
        self.assert_refused(3, ["to-1.json' holds no figures of a run"])

    def test_a_folder_that_cannot_be_written_is_named(self):
        self.write("file", "")
        for out in ("file", "file/below", "/proc/no"):
            self.assert_refused(5, ["give another folder with --out"], "--out", out)

    def test_a_device_is_not_replaced_by_a_table(self):
        os.mkfifo(self.folder / "pipe")
        reader = subprocess.Popen(["cat", self.folder / "pipe"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(self.study("--json", self.folder / "pipe")[0], 0)
        self.assertEqual(json.loads(reader.communicate(timeout=60)[0])["study"], "ring")
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_unknown_studies_and_studies_that_are_not_whole_are_refused(self):
        self.assert_refused(2, ["there is no study 'rng'; did you mean 'ring'?"], name="rng")
        self.assert_refused(2, ["there is no study '../ring'"], name="../ring")
        (self.studies / "ring" / "published.toml").write_text('title = "x"\n', encoding="utf-8")
        self.assert_refused(3, ["published.toml: 'source' is missing"])
        self.assertEqual(call("ring", folder=self.folder, studies=self.folder / "none")[0], 5)

    def test_the_list_has_every_study_of_the_project(self):
        code, out, _ = call(folder=self.folder)
        self.assertEqual(code, 0)
        self.assertEqual([line.split()[0] for line in out.splitlines() if not line.startswith((" ", "weft"))], NAMES)

    def test_failed_runs_leave_the_others_and_say_why(self):
        (self.studies / "ring" / "study.py").write_text(SCRIPT.replace("[0, to]", "[0, to if to != 2 else 99]"),
                                                        encoding="utf-8")
        code, out, err = self.study()
        self.assertEqual((code, len(self.results())), (2, 3 + 1))  # and to-2.failed.json
        self.assertIn("1 of 4 runs of study 'ring' failed, the first 'to 2'", err)
        self.assertIn("3 of 3 published results inside their tolerance, 1 not run", out)

    def test_an_input_that_is_not_there_is_asked_for(self):
        script = SCRIPT.replace('[0, to]})', '[0, to]}, input_path="/no/trace" if to == 1 else "")')
        (self.studies / "ring" / "study.py").write_text(script, encoding="utf-8")
        self.assert_refused(3, ["1 of 4 runs need '/no/trace'", "--traces or WEFT_TRACES"])
        self.assertEqual(len(self.results()), 3)

    def hello(self, script=HELLO_SCRIPT, source=HELLO):
        for name, text in (("machine.toml", HELLO_MACHINE), ("study.py", script), ("hello.c", source)):
            (self.studies / "ring" / name).write_text(text, encoding="utf-8")

    def test_programs_are_compiled_and_their_figures_are_those_of_the_run(self):
        if not open_mpi():
            self.skipTest("Open MPI is not installed with its headers")
        self.hello()
        code, out, err = self.study()
        self.assertEqual(code, 0, err)
        self.assertIn("3 of 3 published results inside their tolerance", out)
        self.hello(source=HELLO.replace("got = 7", "got = 8"))
        self.assert_refused(3, ["1 of 1 results", "of other settings than the study has now"])
        self.assertRegex(self.study("--again")[1], r"told +7 +8 +\+1 +0 +OUTSIDE")
        self.hello(source="int main( {")
        self.assert_refused(3, ["hello.c: mpicc.openmpi does not compile it", "mend it"], "--again")

    def test_a_program_that_needs_what_is_not_installed_is_named(self):
        self.hello(HELLO_SCRIPT.replace("def runs", "class Lacks(Program):\n    def lacking(self):\n        return "
                                        "'no-qemu'\n\ndef runs").replace('program=Program("', 'program=Lacks("'))
        self.assert_refused(3, ["1 of 1 runs need 'no-qemu'", "tools/install-packages --guests"])
        self.assertIn("told", self.study("--table")[1])

    def test_an_interrupted_study_goes_on_from_its_checkpoints(self):
        (self.studies / "ring" / "ring.toml").write_text("format = 1\n" + LONG, encoding="utf-8")
        script = SCRIPT.replace('{"workload.pairs": [0, to]}',
                                '{"simulation.seed": to, "simulation.cycles": 500 if to < 4 else 2_000_000, '
                                '"checkpoint.every_seconds": 1}')
        (self.studies / "ring" / "study.py").write_text(script.replace('why="a detour"', 'why="links of others"'),
                                                        encoding="utf-8")
        process = self.start([WEFT, "study", "ring", "--jobs", "2"], variables={"WEFT_STUDIES": str(self.studies)})
        until = time.monotonic() + 60
        while not list(self.folder.glob("results/studies/ring/*.ckpt.h5")) and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGTERM)
        code, _, err = self.finish(process)
        self.assertEqual(code, 75, err)
        self.assertIn("3 of 4 runs of study 'ring' have a result; the same command goes on with the others", err)
        self.assertEqual(self.study("--jobs", "2")[0], 0)
        self.assertFalse(list((self.folder / "results/studies/ring").glob("*.ckpt.h5")))
        resumed = [json.loads(path.read_text(encoding="utf-8"))["summary"]["resumed_from_cycle"]
                   for path in self.results()]
        self.assertGreater(max(cycle or 0 for cycle in resumed), 0)

    def test_job_scripts_are_valid_and_have_all_runs(self):
        code, out, err = self.study("--slurm")
        self.assertEqual(code, 0, err)
        scripts = [Path(line.removeprefix("wrote ")) for line in out.splitlines()]
        self.assertEqual([path.name for path in scripts], ["array.sbatch", "table.sbatch"])
        text = scripts[0].read_text(encoding="utf-8")
        self.assertIn("#SBATCH --array=0-3\n", text)
        self.assertRegex(text, r'study ring .*--part "\$SLURM_ARRAY_TASK_ID/4"')
        for script in scripts:
            subprocess.run(["bash", "-n", script], check=True)
        self.assert_refused(2, ["--submit is of --slurm alone"], "--submit")
        self.assert_refused(2, ["--slurm goes with none of"], "--slurm", "--table")

    def test_a_page_gets_the_table_between_its_marks(self):
        page = self.write("page.md", "before\n<!-- study: ring -->\nold\n<!-- end of ring -->\nafter\n")
        self.assertEqual(self.study("--markdown", page)[0], 0)
        text = page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n<!-- study: ring -->\n`weft study ring`, 20")
                        and text.endswith("<!-- end of ring -->\nafter\n"))
        self.assertIn("| links to 4 | 4 | 4 | +0 | 0 | inside |", text)
        self.assertNotIn("old", text)
        self.assert_refused(3, ["has no table of this study to renew"], "--markdown", self.write("other.md", "nothing"))


if __name__ == "__main__":
    unittest.main()
