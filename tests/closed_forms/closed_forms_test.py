"""Whole runs against formulas: latency without load, mean distance, accepted load below saturation, a link's bound.

Environment: WEFT_BINARY is the program."""

import json
import math
import subprocess
import unittest
from itertools import product

import harness

WEFT = harness.weft()

TORUS = {"topology.kind": "torus", "topology.dims": [6, 5], "router.routing": "shortest"}
MESH = {"topology.kind": "mesh", "topology.dims": [4, 7], "router.routing": "smart"}
CUBE = {"topology.kind": "torus", "topology.dims": [4, 3, 5], "router.routing": "oblivious",
        "router.virtual_channels": 1}
TREE = {"topology.kind": "tree", "topology.arity": 3, "topology.levels": 3, "router.virtual_channels": 2}
THIN = {"topology.kind": "thin-tree", "topology.down": 4, "topology.up": 2, "topology.levels": 3,
        "router.routing": "static", "router.virtual_channels": 1}
XGFT = {"topology.kind": "xgft", "topology.m": [3, 4, 2], "topology.w": [1, 2, 3]}
CROSSBAR = {"topology.kind": "crossbar", "topology.nodes": 9}


def torus_hops(dims, wrap=True):
    """Links between two nodes of a torus or mesh, dimension 0 running fastest in the node's number."""

    def hops(a, b):
        total = 0
        for k in dims:
            apart = abs(a % k - b % k)
            total += min(apart, k - apart) if wrap else apart
            a, b = a // k, b // k
        return total

    return hops


def tree_hops(down):
    """Links between two nodes of a tree whose switches of level l have down[l] children, node links included."""

    def hops(a, b):
        levels = 0
        for k in down:
            if a == b:
                break
            a, b, levels = a // k, b // k, levels + 1
        return 2 * levels

    return hops


# Network, distance, and pairs of nodes near and far.
ZERO_LOAD = [
    ("torus", TORUS, torus_hops([6, 5]), [(0, 1), (0, 5), (2, 29), (7, 22), (3, 18)]),
    ("mesh", MESH, torus_hops([4, 7], wrap=False), [(0, 1), (0, 27), (3, 24), (13, 14), (8, 12)]),
    ("cube", CUBE, torus_hops([4, 3, 5]), [(0, 1), (0, 59), (5, 40), (33, 17)]),
    ("tree", TREE, tree_hops([3, 3, 3]), [(0, 1), (0, 3), (26, 0), (10, 17)]),
    ("thin-tree", THIN, tree_hops([4, 4, 4]), [(0, 3), (0, 4), (63, 0), (21, 26)]),
    ("xgft", XGFT, tree_hops([3, 4, 2]), [(0, 2), (0, 3), (23, 0), (13, 20)]),
    ("crossbar", CROSSBAR, lambda a, b: 2, [(0, 8), (4, 3)]),
]


class Runs(harness.Scratch):
    def weft(self, command, settings):
        """The JSON summary of a command on a config with these settings."""
        config = self.folder / "config.toml"
        config.write_text("format = 1\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in settings.items()),
                          encoding="utf-8")
        arguments = [WEFT, command, str(config), "--json", "-"]
        if command == "run":
            arguments += ["--progress", "never"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class ZeroLoad(Runs):
    """A packet of L phits over h links of latency t, each followed by a switch latency of s, is wholly received
    h (t + s) + L - 1 cycles after it was generated. Trees: node links count, the receiving NIC pays the latency too."""

    def latency(self, network, source, target, phits, link, switch):
        trace = self.folder / "one.trc"
        trace.write_text(f"s {source} {target} 1 1\nr {source} {target} 1 1\n", encoding="utf-8")
        summary = self.weft("run", {**network, "packet.phits": phits, "link.latency_cycles": link,
                                    "router.switch_latency_cycles": switch, "router.queue_packets": 60,
                                    "workload.kind": "trace",
                                    "workload.path": str(trace)})
        self.assertEqual(summary["packets"]["delivered"], 1)
        self.assertEqual(summary["latency"]["stddev"], 0)
        self.assertEqual(summary["latency"]["max"], summary["latency"]["mean"])
        return summary["latency"]["mean"], summary["distance"]["mean"]

    def test_links_of_nodes_may_have_another_latency(self):
        source, target = 0, 4
        hops = tree_hops([4, 4, 4])(source, target)
        latency, _ = self.latency({**THIN, "link.node.latency_cycles": 9}, source, target, 5, 2, 0)
        self.assertEqual(latency, 2 * 9 + (hops - 2) * 2 + 5 - 1)


def zero_load_test(network, hops_between, pairs):
    def test(self):
        # Every pair with one time scale, and every time scale with the last pair.
        scales = list(product((1, 2, 16, 33), (1, 7, 20), (0, 3)))
        cases = [(pair, (16, 1, 0)) for pair in pairs] + [(pairs[-1], scale) for scale in scales]
        for (source, target), (phits, link, switch) in cases:
            with self.subTest(source=source, target=target, phits=phits, link=link, switch=switch):
                hops = hops_between(source, target)
                latency, distance = self.latency(network, source, target, phits, link, switch)
                self.assertEqual(distance, hops)
                self.assertEqual(latency, hops * (link + switch) + phits - 1)

    return test


for zero_load_name, *zero_load_case in ZERO_LOAD:
    setattr(ZeroLoad, f"test_latency_on_a_{zero_load_name.replace('-', '_')}_is_the_formula",
            zero_load_test(*zero_load_case))


class LongRuns(Runs):
    """Averages over many packets against their expectation, within 3 standard deviations of the average."""

    def uniform(self, network, load, cycles, phits=4):
        return self.weft("run", {**network, "simulation.cycles": cycles, "simulation.seed": 5, "packet.phits": phits,
                                 "workload.pattern": "uniform", "workload.offered_load": load})

    def test_the_mean_distance_of_uniform_traffic_is_that_of_the_topology(self):
        for name, network, hops, *_ in ZERO_LOAD:
            with self.subTest(network=name):
                facts = self.weft("topology", network)
                nodes = facts["nodes"]
                ways = [hops(a, b) for a, b in product(range(nodes), repeat=2) if a != b]
                mean = sum(ways) / len(ways)
                self.assertAlmostEqual(facts["mean_distance"], mean, places=9)
                self.assertEqual(facts["diameter"], max(ways))
                spread = math.sqrt(sum((way - mean) ** 2 for way in ways) / len(ways))
                summary = self.uniform(network, 0.05, 20000)
                error = spread / math.sqrt(summary["packets"]["delivered"])
                self.assertLessEqual(abs(summary["distance"]["mean"] - mean), 3 * error + 1e-9)
                self.assertEqual(summary["distance"]["max"], max(ways))

    def test_below_saturation_the_accepted_load_is_the_offered_one(self):
        for name, network, *_ in ZERO_LOAD:
            with self.subTest(network=name):
                load, cycles, phits = 0.1, 20000, 4
                summary = self.uniform(network, load, cycles, phits)
                # Each node draws in each cycle whether a packet is made: a binomial count.
                draws, chance = summary["nodes"] * cycles, load / phits
                error = phits * math.sqrt(draws * chance * (1 - chance)) / draws
                # What is in flight at the end has not been accepted yet.
                in_flight = summary["packets"]["generated"] - summary["packets"]["delivered"]
                missing = phits * in_flight / draws
                self.assertLess(in_flight, 2 * summary["nodes"])
                self.assertLessEqual(abs(summary["load"]["accepted"] + missing - load), 3 * error)
                self.assertEqual(summary["load"]["offered"], load)

    def test_tornado_on_a_ring_never_exceeds_what_its_links_carry(self):
        # Each packet takes ceil(k/2) - 1 links, all in one direction, of which a node has one.
        for k, request, channels in product((8, 9, 16), ("oblivious", "shortest"), (1, 3)):
            if request == "shortest" and channels == 1:
                continue
            with self.subTest(k=k, request=request, channels=channels):
                bound = 1 / (math.ceil(k / 2) - 1)
                settings = {"topology.kind": "torus", "topology.dims": [k], "router.routing": request,
                            "router.virtual_channels": channels, "simulation.cycles": 20000, "packet.phits": 8,
                            "workload.pattern": "tornado"}
                saturated = self.weft("run", {**settings, "workload.offered_load": 1.0})["load"]["accepted"]
                self.assertLessEqual(saturated, bound)
                self.assertGreater(saturated, 0.5 * bound)  # and the ring does move
                light = self.weft("run", {**settings, "workload.offered_load": bound / 4})["load"]
                self.assertAlmostEqual(light["accepted"], bound / 4, delta=0.1 * bound)

    def test_slim_flies_accept_what_their_fullest_links_carry(self):
        # 3q - 2 ordered pairs of routers share a link between the halves; Valiant has twice as many ways on it.
        q, p = 5, 6
        nodes = 2 * q * q * p
        bound = (nodes - 1) / (p * p * (3 * q - 2))
        settings = {"topology.kind": "slim-fly", "topology.q": q, "topology.nodes_per_router": p, "router.kind": "switch",
                    "router.virtual_channels": 4, "router.buffer_cells": 64, "router.scheduling": "age",
                    "router.speedup": 2, "router.output_buffer_cells": 16, "simulation.tick_ps": 500, "link.rate_gbps": 128.0,
                    "packet.phit_bytes": 16, "packet.phits": 1, "simulation.cycles": 3000, "workload.offered_load": 1.0}
        self.assertAlmostEqual(self.weft("topology", settings)["uniform_load_bound"], bound, places=12)
        for routing, expected in (("minimal", bound), ("valiant", bound / 2)):
            with self.subTest(routing=routing):
                saturated = self.weft("run", {**settings, "router.routing": routing})["load"]["accepted"]
                self.assertAlmostEqual(saturated, expected, delta=0.02 * expected)

    def test_worst_cases_share_the_links_that_they_share(self):
        fast = {"router.kind": "switch", "router.routing": "minimal", "router.virtual_channels": 4, "router.buffer_cells": 64, "router.speedup": 2,
                "router.output_buffer_cells": 16, "simulation.tick_ps": 500, "link.rate_gbps": 128.0, "packet.phit_bytes": 16, "packet.phits": 1,
                "simulation.cycles": 3000, "workload.offered_load": 1.0,
                "workload.pattern": "worst-case"}  # fmt: skip
        p, a = 2, 4  # all nodes of a group share one link to the next
        dragonfly = {"topology.kind": "dragonfly", "topology.nodes_per_router": p, "topology.routers_per_group": a, "topology.global_links": 2}
        hyperx = {"topology.kind": "hyperx", "topology.dims": [6, 6], "topology.nodes_per_router": 6}  # all nodes of a router one link
        for topology, expected in ((dragonfly, 1 / (a * p)), (hyperx, 1 / 6), (hyperx | {"topology.widths": [2, 2]}, 2 / 6)):
            with self.subTest(topology=topology):
                saturated = self.weft("run", {**fast, **topology})["load"]["accepted"]
                self.assertAlmostEqual(saturated, expected, delta=0.02 * expected)


class Messages(Runs):
    def test_a_message_takes_as_many_packets_as_its_bytes_need(self):
        for size, packets in [(0, 1), (1, 1), (64, 1), (65, 2), (640, 10), (641, 11)]:
            with self.subTest(bytes=size):
                trace = self.folder / "one.trc"
                trace.write_text(f"s 0 7 1 {size}\nr 0 7 1 {size}\n", encoding="utf-8")
                summary = self.weft("run", {**TORUS, "packet.phits": 16, "packet.phit_bytes": 4,
                                            "workload.kind": "trace", "workload.path": str(trace)})
                self.assertEqual(summary["packets"]["delivered"], packets)
                self.assertEqual(summary["messages"], {"sent": 1, "delivered": 1})
                self.assertEqual(summary["hops"], packets * torus_hops([6, 5])(0, 7))


if __name__ == "__main__":
    unittest.main()
