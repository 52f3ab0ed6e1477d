"""studies/trace-routing: signs and order of what is published of BT, IS and CG, and CG's run times. Needs ../shared/traces.

    WEFT_BINARY=build/release/bin/weft python3 -B tests/traces/routing_test.py Quick"""

import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "studies" / "trace-routing")]
import harness  # noqa: E402
import trace_routing as study  # noqa: E402

TRACES = ROOT.parent / "shared" / "traces" / "npb-extended"
study.WEFT = harness.weft()


def setUpModule():
    for program in study.PROGRAMS:
        path = TRACES / f"{program.lower()}.W.64.trc.xz"
        if not path.is_file():
            raise unittest.SkipTest(f"this trace is not there: {path}")


class Quick(unittest.TestCase):
    def test_integer_sort_gains_from_channels(self):
        with ThreadPoolExecutor(1) as pool:
            times = study.communication(pool, TRACES, ["IS"], seeds=1)["IS"]
        self.assertLess(times[study.CHANNELS], 0.75)
        # Of all that three adaptive channels gain, most is the channels'.
        for routing in (study.SMART, study.SHORTEST):
            self.assertGreater((1 - times[study.CHANNELS]) / (1 - times[routing]), 0.75)


class Whole(unittest.TestCase):
    def test_programs_differ_as_published(self):
        with ThreadPoolExecutor(2) as pool:
            times = study.communication(pool, TRACES, study.PROGRAMS, seeds=1)
        for routing in (study.CHANNELS, study.SMART, study.SHORTEST):
            self.assertAlmostEqual(times["BT"][routing], 1, delta=0.08)
        self.assertLess(times["IS"][study.CHANNELS], times["CG"][study.CHANNELS])
        self.assertLess(times["CG"][study.CHANNELS], 0.95)
        for routing in (study.SMART, study.SHORTEST):
            self.assertLess(times["CG"][routing], 0.95 * times["CG"][study.CHANNELS])

    def test_conjugate_gradients_gain_from_faster_links_as_published(self):
        scale, fitted = study.fitted_scale(TRACES, study.BASE)
        self.assertAlmostEqual(fitted, study.PUBLISHED_SECONDS[study.FITTED_RATE], delta=0.001)
        slow, fast = (study.seconds(TRACES, study.BASE, rate, scale) for rate in (0.1, 1))
        self.assertAlmostEqual(slow / fast, 6.35, delta=0.5)
        self.assertAlmostEqual(fast / fitted, 2.20, delta=0.4)


if __name__ == "__main__":
    unittest.main()
