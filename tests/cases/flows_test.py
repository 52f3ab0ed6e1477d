"""Flows: how many there are, what they are offered and take turns at, and how long they take next to having the network
for themselves."""

import random
import unittest

from cases import Case

CROSSBAR = {"topology__kind": "crossbar", "router__kind": "switch"}


class Numbers(Case):
    def test_all_flows_that_are_asked_for_are_run_by_the_tasks_that_send(self):
        self.write("t.toml", """
format = 1
topology = {kind = "torus", dims = [4, 4]}
link = {rate_gbps = 100.0}
workload = {kind = "flows", pattern = "transpose", flows = 1601, flow_sizes = "fixed", flow_bytes = 64}
""")
        summary = self.run_json("t.toml")
        self.assertEqual(summary["flows"][0]["flows"], 1601)
        # The diagonal sends nothing; the others differ by one flow at most.
        sent = summary["messages"]["sent"]
        self.assertEqual(sent, 1601)
        self.assertLessEqual(1601 // 12 * 64, summary["flows"][0]["bytes"])


class Order(Case):
    case = "flow-order"

    def completion(self, order, flows):
        """Completion times in cycles of flows (start in ps, source, destination, bytes) on a crossbar, shortest
        first."""
        lines = [f"{source}->{to} start {start} size {size}" for start, source, to, size in flows]
        self.write("f.cm", "\n".join(["Nodes 4", f"Connections {len(flows)}", *lines, ""]))
        self.write("f.toml", """
format = 1
topology = {kind = "crossbar", nodes = 4}
router = {kind = "switch", buffer_cells = 512}
packet = {phits = 16, phit_bytes = 4}
link = {rate_gbps = 32.0}
workload = {kind = "flows", flows_path = "f.cm"}
""")
        summary = self.run_json("f.toml", workload__flow_order=order)
        return summary["flows"]

    def test_flows_of_one_source_share_its_link_evenly_unless_they_are_to_go_in_turn(self):
        size = 64_000  # 16,000 phits, a cycle each
        flows = [(0, 0, 1, 2 * size), (0, 0, 2, size)]
        fair, in_turn = self.completion("fair", flows)[0]["fct"], self.completion("in-turn", flows)[0]["fct"]
        # Fair: the short one has half of the link and ends after twice its time, the long one when all is sent.
        self.assertAlmostEqual(fair["p50"], 2 * 16_000, delta=100)
        self.assertAlmostEqual(fair["max"], 3 * 16_000, delta=100)
        # In turn: the long one first, for it is first in the file.
        self.assertAlmostEqual(in_turn["p50"], 2 * 16_000, delta=100)
        self.assertAlmostEqual(in_turn["max"], 3 * 16_000, delta=100)
        flows.reverse()
        self.assertAlmostEqual(self.completion("in-turn", flows)[0]["fct"]["p50"], 16_000, delta=100)
        self.assertAlmostEqual(self.completion("fair", flows)[0]["fct"]["p50"], 2 * 16_000, delta=100)

    def test_a_flow_that_starts_beside_a_long_one_of_its_source_does_not_wait_for_it(self):
        flows = [(0, 0, 1, 640_000), (1_000_000, 0, 2, 640)]  # in cycle 1,000 of 160,000
        small = [row for row in self.completion("fair", flows) if row["most_bytes"] < 10_000 or row["flows"] == 1][0]
        self.assertLess(small["fct"]["max"], 3 * 160 + 100)
        small = [row for row in self.completion("in-turn", flows) if row["flows"] == 1][0]
        self.assertGreater(small["fct"]["max"], 159_000)

    def test_the_shared_link_has_one_history_on_any_number_of_ranks(self):
        digests = {self.run_json("cc.toml", ranks=ranks, workload__flows_path="\"one.cm\"")["digest"]
                   for ranks in (1, 2)}
        self.assertEqual(len(digests), 1)

    def test_a_flow_without_bytes_is_refused_with_its_line(self):
        self.weft("run", "cc.toml", "--set", "workload.flows_path=zero.cm", code=3)
        self.assertIn("zero.cm:3", self.errors)


class Load(Case):
    case = "05-flows-load"

    def test_offered_load_is_over_what_a_nic_sends_in_every_machine(self):
        cycles, nodes, asked = 2_000_000, 16, 0.4
        machines = [({}, 25), ({"ideal__byte_gap_ns": 1}, 1), (CROSSBAR, 4),
                    (CROSSBAR | {"link__phits_per_cycle": 0.5}, 2),
                    (CROSSBAR | {"packet__phits": 8, "packet__header_phits": 4}, 2),
                    ({"node__nics": 4, "node__nic_policy": '"stripe"'}, 100),
                    ({"node__nics": 4, "node__nic_policy": '"task"'}, 25)]
        for keys, rate in machines:
            summary = self.run_json("c.toml", **keys, workload__flow_cycles=cycles // 10)
            flows = summary["flows"][0]
            # 40,000 bytes a flow, by a Poisson process: within five standard deviations.
            expected = asked * rate * nodes * cycles / 10 / 40_000
            self.assertAlmostEqual(flows["flows"], expected, delta=5 * expected ** 0.5 + 1, msg=f"{keys}")

    def test_an_exchange_is_measured_by_what_a_nic_sends(self):
        self.take("06-link-share-ideal")
        share = self.run_json("c.toml")["exchange"]["link_share"]["mean"]
        # 10 bytes/ns for 100,000 ns, after 1,000 ns of latency.
        self.assertAlmostEqual(share, 100_000 / 101_000, delta=0.001)
        self.assertIsNone(self.run_json("c.toml", ideal__byte_gap_ns=0)["exchange"]["link_share"]["mean"])
        for keys in ({"node__nics": 4, "node__nic_policy": '"stripe"', "workload__message_bytes": 4_000_000},
                     {"packet__phits": 8}):
            share = self.run_json("c.toml", **keys)["exchange"]["link_share"]["mean"]
            self.assertTrue(0.98 < share <= 1, (keys, share))


MACHINES = [
    'topology = {kind = "crossbar", nodes = 8}\nrouter = {kind = "switch", switch_latency_cycles = 100}',
    'topology = {kind = "torus", dims = [4, 4]}\nrouter = {kind = "switch", routing_cycles = 7}',
    'topology = {kind = "torus", dims = [4, 4]}\nrouter = {kind = "bubble", queue_packets = 8, switch_latency_cycles = '
    '9}',
    'topology = {kind = "torus", dims = [4, 4]}\nrouter = {kind = "bubble", queue_packets = 8, consumption = '
    '"multiple", injection_queues = 3}',
    'topology = {kind = "mesh", dims = [4, 4]}\nrouter = {kind = "dally"}',
    'topology = {kind = "tree", arity = 4, levels = 2}\nrouter = {switch_latency_cycles = 3}',
    'topology = {kind = "tree", arity = 4, levels = 2}\nrouter = {kind = "wormhole", routing_cycles = 5}\nlink.node = '
    '{latency_cycles = 11}',
    'topology = {kind = "hyperx", dims = [3, 3], nodes_per_router = 2}\nrouter = {kind = "switch"}\nlink.global = '
    '{latency_cycles = 40}',
    'topology = {kind = "dragonfly", nodes_per_router = 2, routers_per_group = 4, global_links = 2}\nlink.global = '
    '{latency_cycles = 90}',
    'topology = {kind = "clos", leaf_down = 4, leaf_up = 4, leaves = 4}\nrouter = {kind = "switch", switching = '
    '"store-and-forward"}',
    'topology = {kind = "spinnaker", dims = [6, 6]}\nrouter = {queue_packets = 8, switch_latency_cycles = 4}',
    'topology = {kind = "ideal", nodes = 8}\nideal = {overhead_ns = 50, byte_overhead_ns = 0.01}',
]  # fmt: skip
NICS = ['nics = 2, nic_policy = "stripe", nic_latency_cycles = 5', 'nics = 2, nic_policy = "destination"', "tasks = 2"]


class Slowdown(Case):
    case = "10-flow-slowdown"

    def test_the_only_flow_of_a_network_is_not_slowed_down(self):
        for config in ("f.toml", "i.toml"):
            self.assertAlmostEqual(self.run_json(config)["flows"][0]["slowdown"]["mean"], 1, delta=1e-9, msg=config)

    def test_no_slowdown_is_below_one(self):
        """One flow, and some, on drawn machines: latencies, rates, NICs, sizes."""
        rng = random.Random(7)
        for number, machine in enumerate(MACHINES * 2):
            nodes = rng.choice(["", *NICS]) if "wormhole" not in machine and "spinnaker" not in machine else ""
            node = f"node = {{{nodes}}}\n" if nodes else ""
            links = (f"link.latency_cycles = {rng.randint(1, 9)}\nlink.rate_gbps = 100\n" if "ideal" not in machine
                     else "")
            self.write("m.toml", f"format = 1\n{machine}\n{node}{links}"
                                 f"packet.phits = {rng.choice([4, 16])}\nworkload = "
                                 f"{{kind = \"flows\", flows_path = \"m.txt\"}}\n")
            alone = number % 2 == 0
            flows = []
            for _ in range(1 if alone else 12):
                source, to = rng.sample(range(4), 2)
                begin, size = rng.randint(0, 300), rng.choice([1, 60, 5_000, rng.randint(1, 40_000)])
                flows.append(f"{begin} {source} {to} {size}")
            self.write("m.txt", "\n".join(flows) + "\n")
            slow = self.run_json("m.toml")["flows"][0]["slowdown"]
            least = slow["max"] if alone else slow["p50"]
            self.assertGreaterEqual(least, 1 - 1e-9, f"{machine}\n{node}{flows}")


if __name__ == "__main__":
    unittest.main()
