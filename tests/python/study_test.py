#!/usr/bin/env python3
"""weft.Study: points, seeds, what is kept, what goes wrong, saturation, estimates. Environment: WEFT_BINARY."""

import json
import math
import signal
import subprocess
import sys
import unittest
import warnings

import package
import harness

harness.module("h5py")
pandas = harness.module("pandas")

import weft
from weft import _points, _pool, _saturation, _statistics
from weft._summary import Summary

WEFT = harness.weft()

LOAD = "workload.offered_load"


class Statistics(unittest.TestCase):
    def test_quantiles_are_those_of_published_tables(self):
        # Two-sided 95 % and 99 % points of Student's t, as in any statistical table.
        for degrees, expected in ((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045),
                                  (120, 1.980), (10000, 1.960)):
            self.assertAlmostEqual(_statistics.student_t(degrees), expected, delta=6e-4)
        self.assertAlmostEqual(_statistics.student_t(5, 0.99), 4.032, delta=6e-4)

    def test_half_widths_are_those_of_a_worked_example(self):
        # 2, 4, 6: deviation 2, so 4.303 * 2 / sqrt(3).
        self.assertAlmostEqual(_statistics.half_width([2, 4, 6]), 4.9686, delta=1e-3)
        self.assertEqual(_statistics.half_width([0.1] * 3), 0)
        self.assertTrue(math.isnan(_statistics.half_width([1])))
        self.assertAlmostEqual(_statistics.ratio_half_width(2, 0.1, 4, 0.4), 0.5 * math.hypot(0.05, 0.1))


class Points(unittest.TestCase):
    def labels(self, grid, zipped=None, names=None):
        return [tuple(point.labels.values()) for point in _points.points_of(grid, zipped or {}, names or {})]

    def test_grids_are_products_and_zips_go_in_step(self):
        self.assertEqual(self.labels({"a.x": [1, 2], "b.y": ["p", "q"]}), [(1, "p"), (1, "q"), (2, "p"), (2, "q")])
        self.assertEqual(self.labels({"c.z": [7]}, {"a.x": [1, 2], "b.y": [3, 4]}), [(1, 3, 7), (2, 4, 7)])
        points = _points.points_of({"net": {"T": {"topology": {"kind": "torus"}}, "M": {"topology.kind": "mesh"}},
                                    "t.d": {"s": [4, 4]}}, {}, {})
        self.assertEqual([point.settings for point in points],
                         [{"topology.kind": "torus", "t.d": [4, 4]}, {"topology.kind": "mesh", "t.d": [4, 4]}])
        self.assertEqual(self.labels({"r.r": ["a", "b"], "t.d": [[4, 4]]}, None, {"r.r": {"a": "A"}}),
                         [("A", "4x4"), ("b", "4x4")])

    def test_mistakes_are_refused(self):
        for grid, zipped, names, words in (({"a.x": []}, {}, {}, "no values"), ({"a.x": "no"}, {}, {}, "no list"),
                                           ({}, {"a.x": [1], "b.y": [1, 2]}, {}, "differ in length"),
                                           ({"a.x": [1, 1]}, {}, {}, "same settings"),
                                           ({"a.x": [1]}, {}, {"a.z": {}}, "did you mean 'a.x'"),
                                           ({"a.x": [{"b": 1}]}, {}, {}, "without a label")):
            with self.subTest(words=words), self.assertRaisesRegex(weft.Error, words):
                _points.points_of(grid, zipped, names)


class Searches(unittest.TestCase):
    """Bisection and its rule, on summaries whose saturation is known."""

    def search(self, untaken_above, latency_above, precision=0.01, criterion="either"):
        search, rule = _saturation.Search(None, 1, precision, 1.0), _saturation.Rule(criterion)
        while (load := search.next_load(precision)) is not None:
            search.take(load, Summary(load={"untaken_fraction": 0.06 if load > untaken_above else 0.0,
                                            "accepted": min(load, untaken_above)},
                                      latency={"mean": 31.0 if load > latency_above else 10.0}, workload="x"), rule)
        return search

    def test_the_bracket_holds_the_threshold_and_is_as_narrow_as_asked(self):
        for threshold in (0.0125, 0.2, 0.41, 0.9999):
            found = self.search(threshold, 2)
            self.assertLess(found.low, threshold + 1e-9)
            self.assertGreaterEqual(found.high, threshold)
            self.assertLessEqual(found.high - found.low, 0.01 + 1e-9)
            self.assertLessEqual(len(found.loads), 9)

    def test_the_criterion_says_which_comes_first(self):
        self.assertEqual(self.search(0.5, 0.3).reason, "latency")
        self.assertAlmostEqual(self.search(0.5, 0.3).load, 0.3, delta=0.005)
        self.assertAlmostEqual(self.search(0.5, 0.3, criterion="untaken").load, 0.5, delta=0.005)

    def test_unless_another_criterion_is_asked_for_the_run_says_whether_it_is_saturated(self):
        said = Summary(load={"untaken_fraction": 0.0, "accepted": 0.5, "growth": 0.1}, latency={"mean": 1},
                       saturated=True)
        self.assertEqual(_saturation.Rule().reason(said, 1), "saturated")
        self.assertEqual(_saturation.Rule().reason(Summary(said, saturated=False), 1), "")
        # A sixth of what was offered filled buffers.
        self.assertEqual(_saturation.Rule("untaken", untaken=0.16).reason(said, 1), "untaken")
        self.assertEqual(_saturation.Rule("untaken", untaken=0.17).reason(said, 1), "")

    def test_ends_of_the_range(self):
        self.assertEqual((self.search(2, 2).load, self.search(2, 2).reason, len(self.search(2, 2).loads)), (1.0, "", 2))
        self.assertEqual((self.search(0, 2).high, len(self.search(0, 2).loads)), (0.01, 1))

    def test_what_has_no_offered_load_is_refused(self):
        with self.assertRaisesRegex(weft.Error, "no offered load"):
            _saturation.Rule().reason(Summary(load={"untaken_fraction": None}, latency={"mean": 1}), 1)


class Studies(harness.Scratch):
    def study(self, grid=None, **more):
        return weft.Study(package.SMALL, grid if grid is not None
                          else {"router.routing": ["oblivious", "shortest"], LOAD: [0.1, 1.0]},
                          out=self.folder / "out", **more)

    def test_the_table_has_means_and_intervals_over_seeds(self):
        study = self.study({LOAD: [0.1, 1.0]}, seeds=3, figures={"twice": lambda s: 2 * s["load.accepted"]})
        table, runs = study.run(), study.runs()
        self.assertEqual((len(table), len(runs)), (2, 6))
        for row, (_, own) in zip(table.itertuples(), runs.groupby(LOAD), strict=True):
            self.assertAlmostEqual(row.load_accepted, own["load_accepted"].mean())
            self.assertAlmostEqual(row.load_accepted_ci95, 4.30265 * own["load_accepted"].std() / math.sqrt(3),
                                   places=6)
            self.assertAlmostEqual(row.twice, 2 * row.load_accepted)
        surer = study.frame(confidence_percent=99)  # 9.92484: Student's t of 2 degrees of freedom
        self.assertEqual(list(surer["load_accepted"]), list(table["load_accepted"]))
        for narrow, wide in zip(table["load_accepted_ci95"], surer["load_accepted_ci99"], strict=True):
            self.assertAlmostEqual(wide / narrow, 9.92484 / 4.30265, places=5)
        self.assertNotIn("load_accepted_ci95", surer)
        self.assertEqual(surer.attrs["units"]["latency_mean_ci99"], "cycles")
        with self.assertRaisesRegex(weft.Error, "confidence_percent = 100 is none"):
            study.frame(confidence_percent=100)
        self.assertEqual(list(table["saturated"]), [False, True])
        self.assertEqual(list(table["state"]), ["done", "done"])
        self.assertEqual(table.attrs["units"]["latency_mean"], "cycles")
        self.assertEqual(table.attrs["units"][LOAD], "phits/node/cycle")
        self.assertNotIn("completion_cycles", table)
        self.assertEqual(len(study.result(0, seed=2).frame("batches")), 3)
        self.assertEqual(weft.run(package.SMALL, set={LOAD: 0.1}, seed=2)["digest"], runs["digest"][1])

    def test_what_is_there_is_not_run_again_and_a_study_may_grow(self):
        first = self.study({LOAD: [0.1]})
        first.run()
        result = first.places(first.points[0])[0].file("h5")
        made = result.stat().st_mtime_ns
        grown = self.study({LOAD: [0.1, 0.2]})
        self.assertEqual(list(grown.frame()["state"]), ["done", "missing"])
        grown.run()
        self.assertEqual(result.stat().st_mtime_ns, made)
        grown.run(rerun=True)
        self.assertNotEqual(result.stat().st_mtime_ns, made)
        # The order in which settings are written is no matter; another base is another result.
        turned = weft.Study({"measure": package.SMALL["measure"], "topology.dims": [4, 4], "topology.kind": "torus"},
                            {LOAD: [0.1]},
                            out=self.folder / "out")
        self.assertEqual(list(turned.frame()["state"]), ["done"])
        other = weft.Study({**package.SMALL, "packet.phits": 8}, {LOAD: [0.1]}, out=self.folder / "out")
        self.assertEqual(list(other.frame()["state"]), ["missing"])

    def test_a_checkpoint_that_cannot_be_used_is_given_up(self):
        study = self.study({LOAD: [0.1]})
        study.places(study.points[0])[0].file("ckpt.h5").write_bytes(b"no checkpoint")
        self.assertEqual(list(study.run()["state"]), ["done"])

    def test_mistakes_are_refused_before_anything_runs(self):
        with self.assertRaisesRegex(weft.Error, "did you mean router.routing.*point '0.1, adaptiv"):
            self.study({LOAD: [0.1], "router.routng": ["adaptive"]}).run()
        self.assertEqual([path.name for path in (self.folder / "out" / "points").iterdir()], [])

    def test_points_that_fail_are_counted_and_the_others_run(self):
        # A pattern that needs a power of two nodes is known to be wrong with the network built.
        study = self.study({"topology.dims": [[4, 4], [5, 5]], "workload.pattern": ["bit-reversal"]})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            table = study.run()
        self.assertEqual(list(table["state"]), ["done", "failed"])
        self.assertIn("1 of 2 runs failed", str(caught[0].message))
        self.assertEqual([error.code for error in study.errors.values()], [2])
        self.assertTrue(math.isnan(table["load_accepted"][1]))

    def test_normalised_to_a_reference(self):
        study = self.study(seeds=2)
        study.run()
        table = study.normalised("latency_mean", {"router.routing": "oblivious"})
        half = len(table) // 2
        self.assertEqual(list(table["latency_mean_relative"][:half]), [1.0] * half)
        self.assertEqual(list(table["latency_mean_relative_ci95"][:half]), [0.0] * half)
        self.assertAlmostEqual(table["latency_mean_relative"][half], table["latency_mean"][half]
                               / table["latency_mean"][0])
        with self.assertRaisesRegex(weft.Error, "did you mean 'oblivious'"):
            study.normalised("latency_mean", {"router.routing": "oblivous"})

    def test_saturation_of_a_dragonfly_is_its_closed_form(self):
        # Minimal paths in the worst case: all a p nodes of a group share one link, which is full at 1 / (a p) = 1/8.
        base = {"topology": {"kind": "dragonfly", "nodes_per_router": 2, "routers_per_group": 4, "global_links": 2},
                "router": {"kind": "dragonfly", "virtual_channels": 2}, "workload.pattern": "worst-case",
                # Excess traffic takes this long to fill the injection queues.
                "measure": {"warmup_cycles": 12000, "interval_cycles": 500, "batches": 4, "batch_cycles": 500}}
        study = weft.Study(base, out=self.folder / "out")
        table = study.saturation(0.02, "untaken", low=0.04, high=0.3)
        self.assertAlmostEqual(table["accepted_beyond"][0], 0.125, delta=0.01)
        self.assertAlmostEqual(table["saturation_load"][0], 0.125 / 0.95, delta=0.02)
        before = len(list((self.folder / "out" / "points").glob("*.h5")))
        study.saturation(0.02, "untaken", low=0.04, high=0.3)
        self.assertEqual(len(list((self.folder / "out" / "points").glob("*.h5"))), before)
        self.assertEqual(table["runs"][0], before)

    def test_an_estimate_is_near_what_the_runs_take(self):
        study = self.study({"topology.dims": [[8, 8]], LOAD: [0.2, 0.5, 0.8]},
                           set={"measure.batches": 40, "measure.batch_cycles": 1000})
        estimate = study.estimate()
        self.assertEqual((estimate.runs, estimate.unknown), (3, 0))
        study.run()
        self.assertLess(estimate.cpu_s / study.spent_s, 1.5)
        self.assertGreater(estimate.cpu_s / study.spent_s, 1 / 1.5)
        self.assertEqual(study.estimate().runs, 0)
        self.assertIn("3 runs: about", str(estimate))
        kernel = weft.Study({"topology": {"kind": "torus", "dims": [4, 4]},
                             "workload": {"kind": "kernel", "name": "butterfly"}})
        self.assertEqual((kernel.estimate().unknown, kernel.estimate().cpu_s), (1, 0))

    def test_an_interrupted_study_goes_on(self):
        script = (f"import weft\nstudy = weft.Study({package.SMALL!r}, {{'workload.offered_load': [0.1, 0.2]}}, "
                  f"out='out', jobs=1, "
                  "set={'topology.dims': [16, 16], 'measure.batches': 1000, 'measure.batch_cycles': 1000})\n"
                  "try:\n    study.run(progress=lambda p: print(p.text, flush=True))\nexcept KeyboardInterrupt:\n    "
                  "print('interrupted')")
        process = subprocess.Popen([sys.executable, "-c", script], env=package.with_package(), stdout=subprocess.PIPE,
                                   text=True,
                                   cwd=self.folder)
        process.stdout.readline()
        points = self.folder / "out" / "points"
        while not list(points.glob("*.toml")):
            pass
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertIn("interrupted", out)
        self.assertEqual(list(points.glob("*.json")), [])
        self.assertEqual(len(list(points.glob("*.ckpt.h5"))), 1, list(points.iterdir()))

    def test_networks_are_counted_once_each(self):
        study = self.study({"net": {"ring": {"topology.dims": [6]}, "grid": {"topology.dims": [3, 3]}},
                            LOAD: [0.1, 0.2]})
        table = study.networks()
        self.assertEqual(list(table["net"]), ["ring", "grid"])
        self.assertEqual((list(table["nodes"]), list(table["router_links"]), list(table["diameter"])),
                         ([6, 9], [6, 18], [3, 2]))
        self.assertNotIn(LOAD, table)
        prices = self.write("prices.toml",
                            'currency = "EUR"\n[floor]\nswitches_per_rack = 9\nracks_per_row = 1\nrack_pitch_m = 1\n'
                            'row_pitch_m = 1\nin_rack_m = 1\n[[switch]]\nname = "any"\nprice = 10\n[[cable]]\nname = '
                            '"any"\n'
                            "price = 1\n")
        priced = study.networks(cost=prices)
        self.assertEqual(list(priced["price"]), [6 * 10 + 6, 9 * 10 + 18])
        self.assertEqual(priced.attrs["units"]["price"], "EUR")

    def test_the_folder_says_what_was_run(self):
        self.study().run()
        said = json.loads((self.folder / "out" / "study.json").read_text())
        self.assertEqual([point["labels"][LOAD] for point in said["points"]], [0.1, 1.0, 0.1, 1.0])
        self.assertEqual(len(pandas.read_csv(self.folder / "out" / "table.csv")), 4)
        config = next((self.folder / "out" / "points").glob("*.toml"))
        code, _, err = self.finish(self.start([WEFT, "run", config, "--quiet"]))
        self.assertEqual(code, 0, err)


class Counts(unittest.TestCase):
    def test_the_time_to_go_follows_the_shares_of_the_work(self):
        now = [0.0]
        count = _pool.Count(2, [9.0, 1.0], None, lambda: now[0])
        self.assertIsNone(count.progress().eta_s)
        now[0] = 90.0
        count.add(9.0, False)
        self.assertAlmostEqual(count.progress().eta_s, 10.0)
        count.add(1.0, True)
        self.assertIn("2/2 runs, 1 failed", count.progress().text)


if __name__ == "__main__":
    unittest.main()
