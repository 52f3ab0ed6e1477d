"""Dragonflies+ in their worst case, in which all nodes of a group send to the next one: what arrives at load 1 against closed forms.

Environment: WEFT_BINARY is the program."""

import json
import subprocess
import unittest

import harness

WEFT = harness.weft()
EXAMPLE = harness.ROOT / "examples" / "dragonfly-plus.toml"
# Crossbars that cost nothing: twice as fast as the links.
FAST = {"router.speedup": 2, "router.output_buffer_cells": 64, "simulation.tick_ps": 500, "link.rate_gbps": 8.0}
NODES, GROUPS = 16, 17  # nodes of a group; groups, any two of which have one link: 16 of a group, one for each node


def accepted(routing, more):
    command = [WEFT, "run", str(EXAMPLE), "--json", "-", "--progress", "never"]
    for key, value in ({"workload.offered_load": 1.0, "router.routing": routing} | more).items():
        command += ["--set", f"{key}={json.dumps(value)}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)["load"]["accepted"]


class WorstCase(unittest.TestCase):
    def test_shortest_ways_carry_what_the_links_between_two_groups_do(self):
        names = ("nodes_per_router", "leaves", "spines", "global_links", "parallel_links", "groups")
        for p, leaves, spines, h, q, groups in [(4, 4, 4, 4, 1, 17), (4, 4, 4, 4, 1, 5), (2, 4, 2, 4, 2, 9), (1, 3, 2, 3, 1, 4)]:
            for routing in ("minimal", "adaptive"):
                with self.subTest(shape=(p, leaves, spines, h, q, groups), routing=routing):
                    shape = {f"topology.{name}": value for name, value in zip(names, (p, leaves, spines, h, q, groups))}
                    bound = spines * h // (groups - 1) / (p * leaves)
                    self.assertAlmostEqual(accepted(routing, shape) / bound, 1, delta=0.02)

    def test_two_links_a_packet_carry_half_of_what_one_does(self):
        self.assertAlmostEqual(accepted("valiant", {}) / 0.5, 1, delta=0.1)
        # The draw falls on the two groups themselves for 2 packets of 17, which take the direct link; others take two.
        self.assertAlmostEqual(accepted("valiant", FAST) / (GROUPS / (2 * NODES)), 1, delta=0.02)

    def test_adaptive_ways_are_between_the_two(self):
        ugal_l, ugal_g, fpar = (accepted(routing, FAST) for routing in ("ugal-l", "ugal-g", "fpar"))
        self.assertGreater(ugal_l, 4 / NODES)  # four times what shortest paths carry
        self.assertGreater(min(ugal_g, fpar), 0.9 * 0.5)  # nearly what Valiant's do
        self.assertLess(max(ugal_l, ugal_g, fpar), GROUPS / (2 * NODES) + 0.01)


if __name__ == "__main__":
    unittest.main()
