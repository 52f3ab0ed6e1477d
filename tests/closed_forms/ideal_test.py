"""The ideal network against the formula of LogGOPS: L + 2 o + g + floor((s - 1) G) + 2 floor((s - 1) O) for s bytes.

Environment: WEFT_BINARY is the program."""

import json
import math
import subprocess
import unittest
from fractions import Fraction

import harness

WEFT = harness.weft()
EXAMPLE = harness.ROOT / "examples" / "ideal.toml"
FREE = {"latency_ns": 0, "overhead_ns": 0, "gap_ns": 0, "byte_gap_ns": 0, "byte_overhead_ns": 0}
PARAMETERS = [
    {"latency_ns": 1000, "byte_gap_ns": 0.04},
    {"latency_ns": 100, "overhead_ns": 10, "gap_ns": 7, "byte_gap_ns": 0.5, "byte_overhead_ns": 0.25},
    {"latency_ns": 2.5, "overhead_ns": 0.125, "gap_ns": 3, "byte_gap_ns": 0.37},
    {"byte_gap_ns": 0.02},
    {},
]
LOW = {"workload.kind": "synthetic", "workload.pattern": "uniform", "workload.offered_load": 0.0005, "simulation.cycles": 100_000,
       "topology.nodes": 16, "packet.phits": 16, "statistics.distances": True}  # fmt: skip


def run(ideal, keys):
    keys = {**{f"ideal.{name}": value for name, value in ideal.items()}, **keys}
    settings = [word for key, value in keys.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    # The example's workload is of tasks: its keys have no effect on synthetic traffic.
    command = [WEFT, "run", EXAMPLE, "--json", "-", "--progress", "never", *settings]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def rounded_down(p, *terms):
    unit = 1 if all(p[key] == int(p[key]) for key in ("latency_ns", "overhead_ns", "gap_ns")) else 1000
    return sum(Fraction(math.floor(Fraction(str(term)) * unit), unit) for term in terms)


def alone(p, size):
    """ns that a message of `size` bytes takes."""
    more, at_both_ends = size - 1, lambda term: [term, term]
    exact = lambda key: Fraction(str(p[key]))  # noqa: E731
    return rounded_down(p, exact("latency_ns"), *at_both_ends(exact("overhead_ns")), exact("gap_ns"), more * exact("byte_gap_ns"),
                        *at_both_ends(more * exact("byte_overhead_ns")))  # fmt: skip


def in_flight(p, size):
    """The same without what the receiver does with it."""
    more, exact = size - 1, lambda key: Fraction(str(p[key]))
    return rounded_down(p, exact("latency_ns"), exact("overhead_ns"), more * exact("byte_gap_ns"), more * exact("byte_overhead_ns"))


class Ideal(unittest.TestCase):
    def test_uniform_traffic_at_low_load_takes_what_one_message_does(self):
        for given in PARAMETERS:
            parameters = {**FREE, **given}
            with self.subTest(given):
                summary = run(parameters, LOW)
                expected = alone(parameters, 16 * 4)
                if expected == 0:
                    expected = Fraction(1, 1024)  # a tick
                self.assertGreater(summary["packets"]["delivered"], 30)
                self.assertAlmostEqual(summary["latency"]["mean"], float(expected), 9)
                self.assertAlmostEqual(summary["latency"]["max"], float(expected), 9)
                self.assertAlmostEqual(summary["latency"]["network_mean"], float(expected), 9)
                self.assertEqual(summary["distance"], {"mean": 1, "max": 1})
                self.assertEqual(summary["hops"], summary["packets"]["delivered"])

    def test_any_number_of_packets_arrive_together(self):
        # All send to one at the same time, and nobody waits for another.
        parameters = {**FREE, **PARAMETERS[1]}
        summary = run(parameters, {"workload.name": "reduce", "workload.algorithm": "linear", "workload.message_bytes": 64,
                                   "topology.nodes": 16, "packet.phits": 16})  # fmt: skip
        self.assertEqual(summary["packets"]["delivered"], 15)
        self.assertAlmostEqual(summary["latency"]["max"], float(in_flight(parameters, 64)), 9)

    def test_packets_leave_a_node_a_gap_apart(self):
        parameters = {**FREE, **PARAMETERS[1]}
        summary = run(parameters, {"workload.kind": "burst", "workload.pattern": "transpose", "workload.burst_packets": 8, "workload.bursts": 1,
                                   "topology.nodes": 16, "packet.phits": 16})  # fmt: skip
        gap = rounded_down(parameters, 7, Fraction(63, 2))
        # One is offered a cycle: the k-th is generated in cycle k, and leaves k gaps after the first.
        mean = alone(parameters, 64) + Fraction(sum(k * gap - k for k in range(8)), 8)
        self.assertAlmostEqual(summary["latency"]["mean"], float(mean), 9)

    def test_a_cycle_is_a_nanosecond_and_a_message_takes_what_the_formula_says(self):
        for given in PARAMETERS[:4]:
            parameters = {**FREE, **given}
            with self.subTest(given):
                summary = run(parameters, {"workload.kind": "exchange", "workload.name": "pairs", "workload.pairs": [0, 1],
                                           "workload.both_ways": False, "workload.message_bytes": 1000, "topology.nodes": 2})  # fmt: skip
                self.assertAlmostEqual(summary["tasks"]["finish_ns_max"], float(alone(parameters, 1000)), 9)

    def test_what_is_in_flight_for_long_is_not_lost(self):
        parameters = {**FREE, "latency_ns": 5e7}
        summary = run(parameters, {"workload.name": "broadcast", "workload.message_bytes": 64, "topology.nodes": 4, "packet.phits": 16})
        self.assertEqual(summary["stop_reason"], "workload-complete")
        self.assertEqual(summary["cycles"], 100_000_001)  # two rounds, and the cycle of the last packet

    def test_keys_of_links_and_of_other_networks_have_no_effect(self):
        for key in ("link.rate_gbps=10", "link.latency_cycles=3", "link.latency_ns=2", "simulation.tick_ps=10", "router.queue_packets=3",
                    "faults.nodes=[1]", "deadlock.check=full", "simulation.watchdog_cycles=1000"):  # fmt: skip
            result = subprocess.run([WEFT, "run", EXAMPLE, "--set", key], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, key)
            self.assertIn(f"{key.split('=')[0]} = ", result.stderr)
            self.assertIn("has no effect on ideal routers", result.stderr)
        torus = harness.ROOT / "examples" / "torus-uniform.toml"
        result = subprocess.run([WEFT, "run", torus, "--set", "ideal.gap_ns=3"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("ideal.gap_ns = 3.0 has no effect", result.stderr)
        self.assertIn("it is a key of ideal", result.stderr)


if __name__ == "__main__":
    unittest.main()
