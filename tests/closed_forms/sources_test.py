#!/usr/bin/env python3
"""Sources against formulas: flows alone, flows that queue at their NIC, packets that trigger others, loads under each law of arrivals.

Environment: WEFT_BINARY is the program."""

import json
import subprocess
import unittest

import harness

WEFT = harness.weft()
TORUS = """
format = 1
topology = {kind = "torus", dims = [8, 8]}
packet.phits = 8
"""
IDEAL = """
format = 1
topology = {kind = "ideal", nodes = 64}
ideal = {latency_ns = 1000, overhead_ns = 0, gap_ns = 0, byte_gap_ns = 1}
"""


class Runs(harness.Scratch):
    def run_of(self, config, expect=0, **keys):
        path = self.write("config.toml", config)
        command = [WEFT, "run", path, "--json", "-", "--progress", "never"]
        for key, value in keys.items():
            command += ["--set", f"{key.replace('__', '.')}={value}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, expect, done.stderr)
        return json.loads(done.stdout) if expect == 0 else done.stderr


class Flows(Runs):
    def test_a_flow_alone_has_no_slowdown(self):
        # 64 bytes at 8 phits of 4 bytes a packet: 2 packets; so many links; the last phit one cycle before the end.
        networks = {'torus", dims = [8, 8]': {0: 0, 1: 1, 9: 2, 36: 8}, 'tree", arity = 4, levels = 3': {1: 2, 4: 4, 16: 6},
                    'dragonfly", nodes_per_router = 2, routers_per_group = 4, global_links = 2': {1: 2}}  # fmt: skip
        for network, links in networks.items():
            config = TORUS.replace('torus", dims = [8, 8]', network) + 'workload = {kind = "flows", flows_path = "one.txt"}\nlink.rate_gbps = 32\n'
            for to, count in links.items():
                for size, phits in ((1, 8), (32, 8), (33, 16), (1000, 256)):
                    if to == 0:
                        continue
                    self.write("one.txt", f"7 0 {to} {size}\n")
                    (flow,) = self.run_of(config, link__latency_cycles=3)["flows"][:1]
                    with self.subTest(network=network, to=to, size=size):
                        self.assertEqual(flow["fct"]["max"], count * (3 + self.switch(network)) + phits - 1)
                        self.assertEqual(flow["slowdown"]["max"], 1.0)

    def switch(self, network):
        return 0

    def test_flows_of_one_task_in_turn_wait_for_each_other(self):
        self.write("two.txt", "0 0 1 1000\n0 0 8 1000\n")
        config = TORUS + 'workload = {kind = "flows", flows_path = "two.txt", flow_order = "in-turn"}\nlink.rate_gbps = 32\n'
        flows = self.run_of(config)["flows"][0]
        self.assertEqual(flows["flows"], 2)
        self.assertGreater(flows["fct"]["max"], 1.9 * flows["fct"]["p50"])

    def test_flows_on_the_ideal_network_wait_as_in_an_m_d_1_queue(self):
        # Each NIC is busy for 1 ns a byte but the first: 1000 ns. Mean wait of M/D/1: rho / (2 (1 - rho)) services.
        for rho in (0.3, 0.6):
            found = self.run_of(IDEAL + 'workload = {kind = "flows", flow_sizes = "fixed", flow_bytes = 1001, flows = 64000}\n',
                                workload__flow_interval_ns=1000 / rho)  # fmt: skip
            ns = found["flows"][0]["fct"]["mean"] * found["cycle_ns"] if "cycle_ns" in found else found["flows"][0]["fct"]["mean"]
            self.assertAlmostEqual(ns, 2000 + 1000 * rho / (2 * (1 - rho)), delta=0.03 * ns)
            self.assertEqual(found["flows"][0]["flows"], 64000)

    def test_the_load_is_that_which_is_offered(self):
        found = self.run_of(TORUS + 'workload = {kind = "flows", flow_sizes = "hadoop", flow_scale = 0.01, flows = 20000, offered_load = 0.2}\n')
        self.assertAlmostEqual(found["load"]["accepted"], 0.2, delta=0.03)
        self.assertEqual(sum(row["flows"] for row in found["flows"][1:]), 20000)
        self.assertGreaterEqual(found["flows"][0]["slowdown"]["p50"], 1.0)

    def test_what_does_not_fit_is_refused(self):
        flows = TORUS + 'workload.kind = "flows"\n'
        self.assertIn("without workload.flow_cycles", self.run_of(flows, 2, workload__flows=0))
        self.assertIn("needs the length of a cycle", self.run_of(flows, 2, workload__flow_interval_ns=5))
        self.write("one.txt", "0 0 1 64\n")
        self.assertIn("needs the length of a cycle", self.run_of(flows, 2, workload__flows_path="one.txt"))
        self.assertIn("beside workload.flows_path", self.run_of(flows, 2, workload__flows_path="one.txt", workload__flows=5))
        self.write("one.txt", "0 0 64 64\n")
        self.assertIn("one.txt:1: node 64", self.run_of(flows, 3, workload__flows_path="one.txt", link__rate_gbps=32))


class Reactive(Runs):
    def test_each_packet_makes_so_many_others(self):
        # All packets are 1 / (1 - m) times the first ones, where a packet makes m others in the mean.
        for fraction, least, most in ((0.5, 1, 1), (0.25, 1, 3), (0.1, 4, 4), (0.0, 1, 1)):
            mean = fraction * (least + most) / 2
            found = self.run_of(TORUS + 'workload = {kind = "reactive", offered_load = 0.1}\nsimulation.cycles = 60000\n',
                                workload__trigger_fraction=fraction, workload__trigger_least=least, workload__trigger_most=most)  # fmt: skip
            self.assertAlmostEqual(found["load"]["accepted"], 0.1 / (1 - mean), delta=0.012 / (1 - mean) ** 1.5)

    def test_what_grows_without_end_is_refused(self):
        config = TORUS + 'workload.kind = "reactive"\n'
        self.assertIn("grows without end", self.run_of(config, 2, workload__trigger_fraction=0.5, workload__trigger_most=4))
        self.assertIn("is more than workload.trigger_most", self.run_of(config, 2, workload__trigger_least=2))


class Loads(Runs):
    def test_hold_under_each_law_of_arrivals_bounded_and_not(self):
        for law in ("bernoulli", "on-off", "periodic", "back-to-back", "self-similar"):
            for queue in ("bounded", "unbounded"):
                found = self.run_of(TORUS + "simulation.cycles = 40000\n", workload__arrivals=law, workload__offered_load=0.2,
                                    workload__source_queue=queue)  # fmt: skip
                with self.subTest(law=law, queue=queue):
                    self.assertAlmostEqual(found["load"]["accepted"], 0.2, delta=0.001 if law == "periodic" else 0.02)


if __name__ == "__main__":
    unittest.main()
