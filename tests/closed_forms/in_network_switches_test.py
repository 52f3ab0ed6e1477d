"""Reductions by trees of switches of cells against the closed forms and counts of docs/in-network-reduction.md.

Environment: WEFT_BINARY is the program."""

import collections
import json
import unittest
from pathlib import Path

import harness

h5py = harness.module("h5py")
WEFT = harness.weft()
JOBS = Path(__file__).resolve().parents[1] / "data" / "in-network-jobs.toml"
LINK, SWITCH, CELL_BYTES, CELLS = 10, 3, 64, 16
PACKET = CELL_BYTES * CELLS
NETWORK = f"""format = 1
router = {{kind = "switch", buffer_cells = 64, switch_latency_cycles = {SWITCH}}}
packet = {{phits = {CELLS}, phit_bytes = {CELL_BYTES}}}
link = {{latency_cycles = {LINK}}}
workload = {{kind = "nccl", name = "allreduce", algorithm = "in-network", message_bytes = {PACKET}, chunk_bytes = {PACKET}}}
"""
CLOS = NETWORK + 'topology = {kind = "clos", leaf_down = 4, leaf_up = 4, leaves = 4}\n'
FAT_TREE = NETWORK + 'topology = {kind = "pgft", m = [4, 4, 3], w = [1, 2, 2], parallel = [1, 2, 2]}\n'
TORUS = NETWORK.replace("{kind", "{virtual_channels = 3, kind", 1) + 'topology = {kind = "torus", dims = [4, 4]}\n'
CROSSBAR = NETWORK + 'topology = {kind = "crossbar", nodes = 6}\n'


def there_and_back(links, cells=CELLS, unit=1):
    """Of a packet that goes over so many links to the root, and as many back: it is whole at each switch, which takes `unit`
    cycles for it and sends it through its output."""
    switches = 2 * links - 1
    return 2 * links * (LINK + cells - 1) + switches * (unit + SWITCH)


class InNetworkSwitches(harness.Scratch):
    def run_weft(self, *settings, config=CLOS, more=()):
        self.write("config.toml", config)
        options = [word for setting in settings for word in ("--set", setting)]
        return self.finish(self.start([WEFT, "run", "config.toml", "--json", "-", "--progress", "never", *options, *more]))

    def summary(self, *settings, **how):
        code, out, err = self.run_weft(*settings, **how)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def cycles(self, *settings, **how):
        return self.summary(*settings, **how)["tasks"]["finish_cycles_max"]

    def refusal(self, *settings, **how):
        code, _, err = self.run_weft(*settings, **how)
        self.assertNotEqual(code, 0)
        return err

    def packets_of_ports(self, *settings, config=CLOS):
        """{(router, port): packets}, and {node: packets} of what nodes send."""
        self.summary("statistics.ports=true", *settings, config=config, more=("--out", "result.h5"))
        with h5py.File(self.folder / "result.h5") as file:
            ports, nics = file["ports"], file["nic_ports"]
            of_ports = collections.Counter()
            for router, port, count in zip(ports["router"], ports["port"], ports["packets"]):
                of_ports[int(router), int(port)] += int(count)
            return of_ports, {int(node): int(count) for node, count in zip(nics["node"], nics["packets"])}

    def test_a_packet_is_whole_at_each_switch_up_and_down(self):
        for name in ("allreduce", "broadcast"):
            for config, links in ((CROSSBAR, 1), (CLOS, 2), (FAT_TREE, 3)):
                for unit in (0, 1, 7):
                    with self.subTest(name=name, links=links, unit=unit):
                        found = self.cycles(f"workload.name={name}", f"router.reduction_cycles={unit}", config=config)
                        self.assertEqual(found, there_and_back(links, unit=unit))
            self.assertEqual(self.cycles("workload.message_bytes=100"), there_and_back(2, cells=2))

    def test_the_root_is_no_higher_than_it_has_to_be(self):
        # Nodes 0 to 3 are on one leaf, 0 to 15 below the middle switches of a pod.
        for tasks, links in ((4, 1), (5, 2), (16, 2), (17, 3)):
            self.assertEqual(self.cycles(f"workload.tasks={tasks}", config=FAT_TREE), there_and_back(links))

    def test_packets_follow_each_other_as_fast_as_links_take_them(self):
        for packets in (2, 10, 64):
            for chunk in (1, 5):
                found = self.cycles(f"workload.message_bytes={packets * PACKET}", f"workload.chunk_bytes={chunk * PACKET}")
                self.assertEqual(found, (packets - 1) * CELLS + there_and_back(2))

    def test_a_limit_makes_chunks_wait_for_those_before(self):
        trip, chunks = there_and_back(2), 13
        for limit in (1, 2, 5):
            whole, rest = divmod(chunks - 1, limit)
            found = self.cycles(f"workload.message_bytes={chunks * PACKET}", f"workload.reductions_in_flight={limit}")
            self.assertEqual(found, whole * max(trip, limit * CELLS) + rest * CELLS + trip)

    def test_each_link_of_the_tree_carries_each_packet_once(self):
        packets, leaves, nodes = 20, 4, 16
        settings = (f"workload.message_bytes={packets * PACKET}",)
        ports, nics = self.packets_of_ports(*settings)
        self.assertEqual(nics, dict.fromkeys(range(nodes), packets))
        self.assertEqual(set(ports.values()), {packets})
        # One link up and one down of each leaf, and those down to the nodes.
        self.assertEqual(len(ports), 2 * leaves + nodes)
        self.assertEqual(sum(router >= leaves for router, _ in ports), leaves)
        self.assertEqual(len({router for router, _ in ports if router >= leaves}), 1)
        # Only the leaf of the one that gives sends up.
        ports, nics = self.packets_of_ports("workload.name=broadcast", *settings)
        self.assertEqual(nics, {0: packets})
        self.assertEqual(set(ports.values()), {packets})
        self.assertEqual(len(ports), 1 + leaves + nodes)

    def test_channels_have_roots_of_their_own(self):
        ports, _ = self.packets_of_ports("workload.channels=4", f"workload.message_bytes={8 * PACKET}")
        of_spines = collections.Counter()
        for (router, _), count in ports.items():
            if router >= 4:
                of_spines[router] += count
        self.assertEqual(set(of_spines.values()), {4 * 2})
        self.assertEqual(len(of_spines), 4)

    def test_what_is_given_is_combined_or_copied_and_comes_back(self):
        for config, nodes in ((CLOS, 16), (FAT_TREE, 48), (TORUS, 16), (CROSSBAR, 6)):
            for each in (1, 3):
                with self.subTest(nodes=nodes, each=each):
                    settings = (f"node.tasks={each}", f"workload.message_bytes={7 * PACKET}", "workload.channels=2")
                    tasks, of_task = nodes * each, 8  # two channels of 3.5 packets
                    found = self.summary(*settings, config=config)
                    expected = {"injected": tasks * of_task, "combined": (tasks - 1) * of_task, "copies": (tasks - 1) * of_task, "delivered": tasks * of_task, "in_flight": 0}  # fmt: skip
                    self.assertEqual({key: found["packets"][key] for key in expected}, expected)
                    self.assertEqual(found["messages"], {"sent": tasks * of_task, "delivered": tasks * of_task})
                    found = self.summary("workload.name=broadcast", *settings, config=config)
                    expected = {"injected": of_task, "combined": 0, "copies": (tasks - 1) * of_task, "delivered": tasks * of_task, "in_flight": 0}  # fmt: skip
                    self.assertEqual({key: found["packets"][key] for key in expected}, expected)
                    self.assertEqual(found["messages"], {"sent": of_task, "delivered": of_task})

    def test_packets_are_accounted_for_at_any_time(self):
        for name in ("allreduce", "broadcast"):
            for cycle in range(1, 180, 7):
                p = self.summary(f"workload.name={name}", f"workload.message_bytes={5 * PACKET}", f"simulation.cycles={cycle}")["packets"]  # fmt: skip
                self.assertEqual(p["injected"] + p["copies"] - p["combined"], p["delivered"] + p["in_flight"])

    def test_the_bus_is_nearly_twice_as_fast_as_with_a_ring(self):
        data, nodes = 1 << 22, 16
        settings = (f"workload.message_bytes={data}", f"workload.chunk_bytes={8 * PACKET}", "router.buffer_cells=256", "router.iterations=3")
        bus = lambda *more: self.summary(*settings, *more)["bandwidth"]["bus_bytes_per_cycle"]  # noqa: E731
        factor = 2 * (nodes - 1) / nodes
        for channels in (1, 4):
            found = bus(f"workload.channels={channels}", "workload.reductions_in_flight=16")
            self.assertAlmostEqual(found / CELL_BYTES, factor, delta=0.01 * factor)
        # A ring has all of its links in use at once with two channels.
        ring = bus("workload.algorithm=ring", "workload.channels=2")
        self.assertLess(ring, CELL_BYTES)
        self.assertAlmostEqual(found / ring, factor, delta=0.02 * factor)
        self.assertAlmostEqual(bus("workload.name=broadcast") / CELL_BYTES, 1, delta=0.01)

    def test_others_share_the_links(self):
        jobs = JOBS.read_text()
        both = self.summary(config=jobs)
        p = both["packets"]
        self.assertEqual(p["dropped"], 0)
        self.assertEqual(p["injected"] + p["copies"] - p["combined"], p["delivered"] + p["in_flight"])
        by_name = {job["name"]: job for job in both["jobs"]}
        quiet = self.summary("job.noise.workload.offered_load=0.001", config=jobs)
        by_name_quiet = {job["name"]: job for job in quiet["jobs"]}
        for name in ("sums", "copies"):
            self.assertGreater(by_name[name]["finish_cycle"], by_name_quiet[name]["finish_cycle"])
            self.assertEqual(by_name[name]["bytes"], by_name_quiet[name]["bytes"])
        self.assertGreater(by_name["noise"]["latency"]["count"], 1000)

    def test_what_switches_cannot_do_is_refused(self):
        long = ("workload.message_bytes=1000000", "router.reduction_packets=64")
        self.assertIn("use workload.reductions_in_flight = 64, or router.reduction_packets = 977", self.refusal(*long))
        self.assertIn("use workload.chunk_bytes = 32768", self.refusal(*long, "workload.chunk_bytes=500000"))
        self.summary(*long, "workload.reductions_in_flight=64")
        self.summary(*long, "workload.name=broadcast")
        self.assertIn("use router.kind", self.refusal(config=CLOS.replace('"switch", buffer_cells = 64', '"multistage"')))
        self.assertIn("node.nics", self.refusal("node.nics=2"))
        self.assertIn("router.reduction_cycles", self.refusal("workload.switch_latency_ns=5"))
        self.assertIn("router.reduction_cycles", self.refusal("workload.algorithm=ring", "router.reduction_cycles=3"))
        self.assertIn("both ways", self.refusal("topology.unidirectional=true", config=TORUS))


if __name__ == "__main__":
    unittest.main()
