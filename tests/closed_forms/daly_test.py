"""Jobs that restart against the expected time of a job with failures, exact for exponential times between them (J. T.
Daly, A higher order estimate of the optimum checkpoint interval for restart dumps, Future Generation Computer Systems
22, 2006): with failures every M in the mean, checkpoints of d after each tau of work and restarts of R, a piece of work
takes M e^(R/M) (e^((tau + d)/M) - 1).

Environment: WEFT_BINARY is the program; WEFT_DALY_SEEDS how many seeds are run (60)."""

import math
import os
import statistics
import unittest

import harness

SEEDS = int(os.environ.get("WEFT_DALY_SEEDS", "60"))
MTBF, SAVING, RESTART, WORK = 3.09, 2 / 60, 0.25, 100  # hours; two nodes, each of which fails half as often
HOUR = 3600
CONFIG = f"""format = 1
topology = {{kind = "mesh", dims = [2]}}
link = {{rate_gbps = 1}}
router = {{kind = "dally", routing = "adaptive", virtual_channels = 3}}
simulation = {{stop = "workload-complete"}}
faults = {{process = "nodes mtbf {2 * MTBF}h mttr 1ms"}}
[[job]]
name = "solver"
workload = {{kind = "trace", path = "work.goal"}}
restart = "same-nodes"
checkpoint_interval_s = 1620
checkpoint_cost_s = {SAVING * HOUR}
restart_cost_s = {RESTART * HOUR}
"""
# Minutes of work between checkpoints; wall time over work by the formula, where all pieces are alike (here the last one
# is shorter and takes no checkpoint).
RATIOS = {27: 1.261, 18: 1.272, 60: 1.331}


def expected(interval):
    """Wall time over work, all in hours."""
    def takes(piece):
        return MTBF * math.exp(RESTART / MTBF) * (math.exp(piece / MTBF) - 1)
    whole = math.floor(WORK / interval + 1e-9)
    return (whole * takes(interval + SAVING) + takes(WORK - whole * interval)) / WORK


class Daly(harness.Scratch):
    def test_times_are_those_of_the_formula(self):
        self.write("work.goal", "num_ranks 2\n" + "".join(
            f"rank {rank} {{\na: calc {WORK * HOUR * 10**9}\n}}\n" for rank in range(2)))
        self.write("daly.toml", CONFIG)
        for minutes, published in RATIOS.items():
            formula = expected(minutes / 60)
            self.assertAlmostEqual(formula, published, delta=0.001)
            ratios = []
            for seed in range(1, SEEDS + 1):
                job = self.run_json("daly.toml", f"faults.seed={seed}",
                                    f"job.solver.checkpoint_interval_s={minutes * 60}")["jobs"][0]
                parts = sum(job[f"{part}_ns"] for part in ("checkpoint", "lost", "waiting", "restart"))
                self.assertAlmostEqual(job["finish_ns"], WORK * HOUR * 1e9 + parts, delta=1e6)
                ratios.append(job["finish_ns"] / (WORK * HOUR * 1e9))
            # Of three tests of this with seeds that are not chosen one in 120 would fail.
            mean, error = statistics.mean(ratios), statistics.stdev(ratios) / math.sqrt(SEEDS)
            self.assertLess(abs(mean - formula), 3 * error, (minutes, mean, error, formula))


if __name__ == "__main__":
    unittest.main()
