"""A network that takes less than it is offered is saturated, also while its buffers still fill; one rule says so
everywhere."""

import csv
import sys
import unittest

from cases import CASES, Case

ROOT = CASES.parents[1]


class Filling(Case):
    def setUp(self):
        super().setUp()
        self.take_example("hyperx.toml")

    def take_example(self, name):
        self.write(name, (ROOT / "examples" / name).read_text(encoding="utf-8"))

    def test_buffers_that_fill_are_no_steady_state_and_the_run_is_saturated(self):
        # Beyond 1/2 phit/node/cycle, the closed form of docs/hyperx.md, packets in flight grow by what is offered above
        # it.
        summary = self.run_json("hyperx.toml", workload__offered_load=0.6)
        self.assertTrue(summary["saturated"])
        self.assertFalse(summary["converged"])
        self.assertAlmostEqual(summary["load"]["growth"], 0.6 - 0.5, delta=0.005)
        self.assertIn("saturated", " ".join(summary["warnings"]))
        self.assertIn("not steady", " ".join(summary["warnings"]))
        text = self.weft("run", "hyperx.toml", "--set", "workload.offered_load=0.6", "--out", "r.h5", "--progress",
                         "never")
        self.assertRegex(text, "saturated +buffers fill")
        self.assertRegex(text, "steady +no")
        self.weft("report", "r.h5", "--out", "r.html")
        self.assertIn("saturated: buffers filled", (self.folder / "r.html").read_text(encoding="utf-8"))

    def test_below_the_bound_the_same_network_is_steady(self):
        summary = self.run_json("hyperx.toml", workload__offered_load=0.4)
        self.assertEqual((summary["saturated"], summary["converged"]), (False, True))
        self.assertAlmostEqual(summary["load"]["growth"], 0, delta=0.004)

    def test_the_search_of_sweeps_and_that_of_python_end_at_the_bound(self):
        self.write("s.toml", """
format = 1
[sweep]
base = "hyperx.toml"
out = "points"
[sweep.search]
from = 0.4
to = 0.8
precision = 0.05
points = 5
""")
        self.weft("sweep", "s.toml")
        with open(next(self.folder.rglob("*-saturation.csv")), encoding="utf-8") as file:
            row = next(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertTrue(float(row["low"]) <= 0.5 <= float(row["high"]), row)
        sys.path.insert(0, str(ROOT / "tools" / "python"))
        from weft._saturation import Rule
        from weft._summary import Summary

        for load, reason in ((0.4, ""), (0.6, "saturated")):
            summary = Summary(self.run_json("hyperx.toml", workload__offered_load=load))
            self.assertEqual(Rule().reason(summary, 10.0), reason)
        self.assertEqual(Rule("untaken").reason(summary, 10.0), "untaken")


class Networks(Case):
    """Others whose load is above what their links bear: (config, most that the links bear)."""

    def test_every_network_above_its_bound_is_saturated_and_below_it_is_not(self):
        torus = 'topology = {kind = "torus", dims = [8, 8]}\nworkload = {pattern = "tornado", offered_load = %s}'
        # Tornado on a ring of 8 takes 3 links one way: 1/3 phit/node/cycle fits.
        for load, saturated in ((0.9, True), (0.1, False)):
            self.write("n.toml",
                       f"format = 1\n{torus % load}\nmeasure = "
                       f"{{warmup_cycles = 2000, batch_cycles = 1000, batches = 5}}\n")
            self.assertEqual(self.run_json("n.toml")["saturated"], saturated, load)


if __name__ == "__main__":
    unittest.main()
