#!/usr/bin/env python3
"""weft.run and its results: configs in every form, units, errors, progress, cancelling. Environment: WEFT_BINARY,
WEFT_MPIRUN."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import package
import harness

harness.module("h5py")
harness.module("pandas")

import weft
from weft import _config, _progress, _toml

WEFT = harness.weft()


class Runs(harness.Scratch):
    def program(self, *words):
        done = subprocess.run([WEFT, *map(str, words)], capture_output=True, text=True, check=True, cwd=self.folder)
        return done.stdout

    def test_a_config_gives_the_same_run_as_path_text_and_dict(self):
        text = _toml.config_text({"format": 1, **package.SMALL})
        path = self.write("small.toml", text)
        expected = json.loads(self.program("run", path, "--json", "-"))
        for config in (path, str(path), text, package.SMALL, {"topology.kind": "torus", "topology.dims": (4, 4),
                                                              **{f"measure.{k}": v for k,
                                                                 v in package.SMALL["measure"].items()}}):
            with self.subTest(config=type(config).__name__):
                result = weft.run(config)
                self.assertEqual(result.summary["digest"], expected["digest"])
                self.assertEqual(result["load.accepted"], expected["load"]["accepted"])
                self.assertIn("16 nodes", result.text)

    def test_settings_win_and_ranks_change_nothing(self):
        one = weft.run(package.SMALL, set={"workload.offered_load": 0.2, "simulation.stop": "cycles",
                                           "simulation.cycles": 100}, allow_unused=True)
        two = weft.run(package.SMALL, ranks=2, set=["workload.offered_load=0.2", "simulation.stop=cycles",
                                                    "simulation.cycles=100"],
                       allow_unused=True, progress=False)
        self.assertEqual(one.config["workload"]["offered_load"], 0.2)
        self.assertEqual((one["digest"], one["ranks"]), (two["digest"], 1))
        self.assertEqual(two["ranks"], 2)
        for ranks, threads in ((1, 3), (2, 2)):
            several = weft.run(package.SMALL, ranks, one_settings := {"workload.offered_load": 0.2,
                                                                      "simulation.stop": "cycles",
                                                                      "simulation.cycles": 100}, threads=threads,
                               allow_unused=True)
            self.assertEqual((several["digest"], several["ranks"]), (one["digest"], ranks * threads))
        study = weft.Study(package.SMALL, {"workload.offered_load": [0.2]}, set={**one_settings, "measure": None},
                           threads=2, allow_unused=True)
        study.run(progress=False)
        self.assertEqual((study.result(0, 1)["digest"], study.result(0, 1)["ranks"]), (one["digest"], 2))
        self.assertNotEqual(weft.run(package.SMALL, seed=2)["digest"], weft.run(package.SMALL)["digest"])

    def test_paths_in_a_dict_begin_at_the_working_directory(self):
        (self.folder / "data").mkdir()
        self.write("data/matrix.txt", "\n".join(f"{a} {(a + 1) % 16} 1" for a in range(16)) + "\n")
        config = {**package.SMALL, "workload": {"pattern": "matrix", "matrix_path": "data/matrix.txt"}}
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            merged = _config.as_dict(config)
        finally:
            os.chdir(here)
        self.assertEqual(merged["workload"]["matrix_path"], str(self.folder / "data/matrix.txt"))
        self.assertEqual(merged["workload"]["pattern"], "matrix")

    def test_a_temporary_result_goes_with_its_object_and_one_that_is_kept_stays(self):
        result = weft.run(package.SMALL)
        folder = Path(result.path).parent
        self.assertTrue(folder.exists())
        kept = result.save(self.folder / "kept.h5")
        del result
        self.assertFalse(folder.exists())
        self.assertEqual(len(weft.load(kept).frame("batches")), 3)
        out = self.folder / "out.h5"
        self.assertEqual(weft.run(package.SMALL, out=out).path, str(out))
        self.assertTrue(out.exists())

    def test_errors_are_the_programs_own_with_its_exit_code(self):
        cases = [({"topology": {"kind": "torus", "dims": [4, 4]}, "router": {"knd": "bubble"}}, 2,
                  "did you mean router.kind?"),
                 ("format = 1\n[topology]\nkind = 'torsu'\n", 2, 'did you mean "torus"?'),
                 (self.folder / "none.toml", 2, "cannot read the config file"),
                 ({"topology": {"kind": "torus", "dims": [4, 4]},
                   "workload": {"kind": "trace", "path": str(self.folder / "no.trc")}},
                  None, "no.trc")]
        for config, code, words in cases:
            with self.subTest(words=words), self.assertRaises(weft.Error) as caught:
                weft.run(config)
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("/weft-run-", str(caught.exception))
            if code is not None:
                self.assertEqual(caught.exception.code, code)
        self.write("bad.trc", "p 0 1 send\n")
        with self.assertRaises(weft.Error) as caught:
            weft.run({"topology": {"kind": "torus", "dims": [4, 4]},
                      "workload": {"kind": "trace", "path": str(self.folder / "bad.trc")}})
        self.assertEqual(caught.exception.code, 3)
        for config in ({"topology.dims": object()}, {"workload.offered_load": float("nan")}):
            with self.assertRaises(weft.Error):
                weft.run(config)
        with self.assertRaisesRegex(weft.Error, "ranks = 0"):
            weft.run(package.SMALL, ranks=0)

    def test_a_program_that_is_not_there_is_said(self):
        script = "import weft\ntry:\n    weft.run({})\nexcept weft.Error as error:\n    print(error.code, error)"
        done = subprocess.run([sys.executable, "-c", script], env=package.with_package(WEFT_BINARY="/no/weft"),
                              text=True,
                              capture_output=True, check=True)
        self.assertIn("5 WEFT_BINARY = '/no/weft' is no program", done.stdout)

    def test_an_interrupt_ends_the_run_and_leaves_nothing(self):
        script = ("import weft\ntry:\n    weft.run({'topology.kind': 'torus', 'topology.dims': [32, 32], "
                  "'simulation.stop': 'cycles', "
                  "'simulation.cycles': 10**9}, progress=lambda p: print('going', flush=True))\n"
                  "except KeyboardInterrupt:\n    print('interrupted', flush=True)")
        process = subprocess.Popen([sys.executable, "-c", script], env=package.with_package(TMPDIR=str(self.folder)),
                                   stdout=subprocess.PIPE, text=True, cwd=self.folder)
        self.assertEqual(process.stdout.readline(), "going\n")
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True,
                                  check=True)
        child = int(children.stdout.split()[0])
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        self.assertIn("interrupted", out)
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertFalse(Path(f"/proc/{child}").exists())

    def test_it_adds_at_most_three_tenths_of_a_second(self):
        path = self.write("small.toml", _toml.config_text({"format": 1, **package.SMALL}))
        alone, with_python = [], []
        for _ in range(3):
            begin = time.monotonic()
            self.program("run", path, "--out", self.folder / "a.h5", "--json", self.folder / "a.json")
            middle = time.monotonic()
            weft.run(path)
            alone.append(middle - begin)
            with_python.append(time.monotonic() - middle)
        self.assertLess(min(with_python) - min(alone), 0.3)
        begin = subprocess.run([sys.executable, "-X", "importtime", "-c", "import weft"], env=package.with_package(),
                               capture_output=True, text=True, check=True)
        for module in ("pandas", "h5py", "numpy", "matplotlib", "networkx"):
            self.assertNotRegex(begin.stderr, rf"\| +{module}\n")


class ProgressLines(unittest.TestCase):
    def test_lines_of_the_program_are_read(self):
        known = _progress.parse("16x16 torus  ███▋░░░░ 37%  1.11 k/3 k cycles  ETA 1:02:07  2.30 M events/s  870 "
                                "packets delivered")
        self.assertEqual((known.fraction, known.done, known.total, known.unit, known.eta_s),
                         (0.37, 1110, 3000, "cycles", 3727))
        unknown = _progress.parse("\r4x4 torus  256 cycles  0:07  60 packets delivered\x1b[K")
        self.assertEqual((unknown.fraction, unknown.done, unknown.total, unknown.unit), (None, 256, None, "cycles"))
        self.assertEqual(_progress.parse("words of others").text, "words of others")

    def test_a_function_sees_the_run_go_on(self):
        seen = []
        weft.run({"topology": {"kind": "torus", "dims": [16, 16]}, "simulation": {"stop": "cycles", "cycles": 60000},
                  "workload.offered_load": 0.4}, progress=seen.append)
        self.assertGreaterEqual(len(seen), 1)
        self.assertTrue(all(one.total == 60000 and one.unit == "cycles" for one in seen), seen[:3])
        fractions = [one.fraction for one in seen]
        self.assertEqual(fractions, sorted(fractions))


class Toml(unittest.TestCase):
    def test_what_is_written_reads_back(self):
        import tomllib

        config = {"a": 1, "b": {"c": [1, 2], "d": {"e": 0.5}, "f": "quote \" and \\ and ü\n\x7f"},
                  "job": [{"name": "x", "w": {"k": True}}],
                  "b.g": -3}
        self.assertEqual(tomllib.loads(_toml.config_text(config)),
                         {"a": 1, "b": {"c": [1, 2], "d": {"e": 0.5}, "f": "quote \" and \\ and ü\n\x7f", "g": -3},
                          "job": [{"name": "x", "w": {"k": True}}]})

    def test_arrays_of_numpy_are_lists(self):
        numpy = harness.module("numpy")
        self.assertEqual(_toml.value_text(numpy.array([4, 8])), "[4, 8]")
        self.assertEqual(_toml.value_text(numpy.float64(0.1)), "0.1")

    def test_none_leaves_a_key_out(self):
        self.assertEqual(_config.merged({"a": {"b": 1, "c": 2}}, {"a.b": None, "d": {"e": 3}}),
                         {"a": {"c": 2}, "d": {"e": 3}})


class Slips(harness.Scratch):
    """What is no config, number or choice is refused in one line, before anything is started."""

    def refused(self, call, *words):
        with self.assertRaises(weft.Error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertIn("; ", caught.exception.message)

    def test_of_arguments(self):
        self.refused(lambda: weft.run(None), "config = None", "dict")
        self.refused(lambda: weft.run(package.SMALL, progress="yes"), "progress = 'yes'")
        self.refused(lambda: weft.run(package.SMALL, ranks=True), "ranks = True")
        self.refused(lambda: weft.Study(package.SMALL, seeds=1.5), "seeds = 1.5")
        self.refused(lambda: weft.Study(package.SMALL, seeds=[1, 2.5]), "seeds = [1, 2.5]")
        self.refused(lambda: weft.Study(package.SMALL, ranks=0), "ranks = 0")
        self.refused(lambda: weft.Study(package.SMALL, threads="2"), "threads = '2'")
        self.refused(lambda: weft.run(package.SMALL, threads=0), "threads = 0")

    def test_two_values_of_one_key(self):
        for config in ({"topology.kind": "torus", "topology": {"kind": "mesh", "dims": [4, 4]}},
                       {"topology": {"kind": "mesh", "dims": [4, 4]}, "topology.kind": "torus"},
                       {"topology.kind": "torus", "link": {"node": {"latency_cycles": 2}},
                        "link.node.latency_cycles": 3},
                       {"link.node": {"latency_cycles": 2}, "link": {"node": {"latency_cycles": 3}}}):
            self.refused(lambda config=config: weft.run(config), "is given twice", "remove one of them")
        self.assertEqual(_toml.nested({"a.b": 1, "a": {"b": 1, "c": 2}}), {"a": {"b": 1, "c": 2}})

    def test_more_ranks_than_routers_start_no_process(self):
        before = time.monotonic()
        self.refused(lambda: weft.run({"topology.kind": "torus", "topology.dims": [4, 4]}, ranks=1000), "ranks = 1000",
                     "16 routers")
        self.assertLess(time.monotonic() - before, 20)

    def test_figures_and_results_of_a_study(self):
        study = weft.Study(package.SMALL, {"workload.offered_load": [0.1]}, figures={"p50": "latency.p51"})
        self.refused(lambda: study.result(9, 1), "no point 9")
        self.refused(lambda: study.result(0, 7), "seed = 7")
        self.refused(study.run, "latency.p51", "latency.p50")


class Signals(harness.Scratch):
    """A signal that ends Python ends the run, and its folder goes."""

    def test_nothing_is_left(self):
        config = {"topology": {"kind": "torus", "dims": [16, 16]}, "workload": {"offered_load": 0.5},
                  "simulation": {"cycles": 100_000_000}}  # fmt: skip
        for number, ranks in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGINT, 1), (signal.SIGTERM, 2),
                              (signal.SIGKILL, 1),
                              (signal.SIGKILL, 2)):
            with self.subTest(signal=number.name, ranks=ranks):
                code = f"import weft; weft.run({config!r}, ranks={ranks}, progress=False)"
                environment = {**os.environ, "TMPDIR": str(self.folder), "PYTHONPATH": os.pathsep.join(sys.path)}
                child = subprocess.Popen([sys.executable, "-B", "-c", code], env=environment, stderr=subprocess.DEVNULL)
                self.wait_for(lambda: [*self.folder.glob("weft-run-*/text")])
                time.sleep(1)
                child.send_signal(number)
                child.wait(30)
                if number != signal.SIGKILL:  # after which nobody is there to remove it
                    self.assertEqual([*self.folder.glob("weft-run-*")], [])
                self.wait_for(lambda: not self.programs_of(self.folder))
                self.assertEqual(self.programs_of(self.folder), [])

    def test_nothing_is_left_of_studies_and_networks(self):
        """Where Python is when the signal comes: in a bisection, in pilots, in the facts of a network."""
        study = ("s = weft.Study({'topology.kind': 'torus', 'topology.dims': %s, 'simulation.stop': 'cycles', "
                 "'simulation.cycles': 10**8}, seeds=1); ")
        network = "{'topology.kind': 'torus', 'topology.dims': [1200, 1200]}"
        for code, number in ((study % "[16, 16]" + "s.saturation()", signal.SIGTERM),
                             (study % "[16, 16]" + "s.saturation()", signal.SIGKILL),
                             (study % "[200, 200]" + "s.estimate()", signal.SIGTERM),
                             (study % "[200, 200]" + "s.estimate()", signal.SIGHUP),
                             (f"weft.topology({network})", signal.SIGTERM)):
            with self.subTest(code=code, signal=number.name):
                environment = {**os.environ, "TMPDIR": str(self.folder), "PYTHONPATH": os.pathsep.join(sys.path)}
                child = subprocess.Popen([sys.executable, "-B", "-c", f"import weft; {code}"], env=environment,
                                         stderr=subprocess.DEVNULL)
                self.wait_for(lambda: any(word in text for text in self.programs_of(self.folder)
                                          for word in ("--out", "--export")))
                child.send_signal(number)
                child.wait(30)
                if number != signal.SIGKILL:
                    self.assertEqual([*self.folder.glob("weft-*")], [])
                self.wait_for(lambda: not self.programs_of(self.folder))
                for left in self.folder.glob("weft-*"):
                    shutil.rmtree(left)

    def wait_for(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(condition())

    @staticmethod
    def programs_of(folder):
        """Processes that name the folder in their words."""
        found = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = process.read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if str(folder) in words:
                found.append(words)
        return found



if __name__ == "__main__":
    unittest.main()
