"""Nodes with several NICs on networks of packets: side by side, on rails and on planes, against closed forms (docs/nodes.md).

Environment: WEFT_BINARY is the program."""

import json
import unittest

import harness

h5py = harness.module("h5py")
WEFT = harness.weft()
# 16 leaf switches of 8 NICs; a packet is 16 phits of 4 bytes, a cycle 1 ns.
CLOS = '[topology]\nkind = "clos"\nleaf_down = 8\nleaf_up = 8\nleaves = 16\n[router]\nkind = "switch"\nbuffer_cells = 64\n[link]\nrate_gbps = 32\n'
CROSSBAR = '[topology]\nkind = "crossbar"\nnodes = 16\n'
TORUS = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
ALL_TO_ALL = '[workload]\nkind = "collective"\nname = "all-to-all"\nalgorithm = "pairwise"\nmessage_bytes = 64\n'
ONE = '[workload]\nkind = "exchange"\nname = "pairs"\npairs = [0, 5]\nboth_ways = false\n'


class Nics(harness.Scratch):
    def weft(self, config, *settings):
        self.write("config.toml", "format = 1\n" + config)
        options = [word for setting in settings for word in ("--set", setting)]
        return self.finish(self.start([WEFT, "run", "config.toml", "--json", "-", "--out", "result.h5", "--progress", "never", *options]))

    def summary(self, config, *settings):
        code, out, err = self.weft(config, *settings)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def injected(self, config, *settings):
        """Packets of each NIC, by its number among the nodes of the topology; each has 16 phits."""
        self.summary(config, *settings)
        with h5py.File(self.folder / "result.h5") as file:
            return [phits // 16 for phits in file["nodes/injected_cells"]]

    def last_task(self, config, *settings):
        self.summary(config, *settings)
        with h5py.File(self.folder / "result.h5") as file:
            return max(file["tasks/finish_cycles"])

    def test_rails_shorten_the_paths_between_nics_of_one_number(self):
        # A message arrives by the NIC of the number by which it left: over one switch if both are on it.
        for nics in (2, 4, 8):
            nodes = 128 // nics
            for attachment, on_a_leaf in (("adjacent", 8 // nics), ("rails", 8)):
                with self.subTest(nics=nics, attachment=attachment):
                    found = self.summary(CLOS + ALL_TO_ALL, f"node.nics={nics}", f"node.attachment={attachment}", "node.nic_policy=destination")
                    near = on_a_leaf - 1
                    self.assertEqual(found["messages"]["delivered"], nodes * (nodes - 1))
                    self.assertAlmostEqual(found["distance"]["mean"], (2 * near + 4 * (nodes - 1 - near)) / (nodes - 1))

    def test_a_message_in_stripes_takes_as_long_as_its_longest_stripe(self):
        for network in (CLOS, TORUS):
            for packets, planes, latency in [(48, 2, 1), (48, 4, 25), (47, 3, 2), (7, 4, 1)]:
                with self.subTest(network=network, packets=packets, planes=planes):
                    part = -(-packets // planes)
                    whole = self.last_task(network + ONE, f"workload.message_bytes={64 * part}", "workload.matching=order")
                    striped = self.last_task(network + ONE, f"workload.message_bytes={64 * packets}", f"topology.planes={planes}",
                                           f"node.nics={planes}", "node.nic_policy=stripe", f"node.nic_latency_cycles={latency}")  # fmt: skip
                    # There and back between the first NIC and another one whose stripe is as long.
                    self.assertEqual(striped, whole + 2 * latency)

    def test_all_nics_together_have_their_bandwidth(self):
        # Four tasks a node that send all the time, to tasks of other nodes but for 3 of 63: the links to nodes are full.
        busy = ALL_TO_ALL + "tasks_per_node = 4\n"
        one = self.summary(CROSSBAR + busy, "workload.message_bytes=2048")["cycles"]
        for nics in (2, 4):
            with self.subTest(nics=nics):
                several = self.summary(CROSSBAR + busy, "workload.message_bytes=2048", f"topology.planes={nics}", f"node.nics={nics}")["cycles"]
                self.assertLess(abs(several / (one / nics) - 1), 0.05)

    def test_policies_choose_the_nics_that_they_say(self):
        # 8 tasks on 4 nodes with 4 NICs, side by side; every task sends a packet to each of 6 that are elsewhere.
        config = CLOS + ALL_TO_ALL + "tasks = 8\ntasks_per_node = 2\n"
        expected = {
            "task": [6, 6, 0, 0] * 4,
            "round-robin": [3, 3, 3, 3] * 4,
            "stripe": [12, 0, 0, 0] * 4,  # the first packet of every message is its only one
        }
        for policy, counts in expected.items():
            with self.subTest(policy):
                self.assertEqual(self.injected(config, "node.nics=4", f"node.nic_policy={policy}")[:16], counts)
        by_destination = [[2 * sum(task % 4 == nic and task // 2 != node for task in range(8)) for nic in range(4)] for node in range(4)]
        self.assertEqual(self.injected(config, "node.nics=4", "node.nic_policy=destination")[:16], sum(by_destination, []))
        striped = self.injected(config, "node.nics=4", "node.nic_policy=stripe", "workload.message_bytes=640")  # 3, 3, 3 and 1 packets
        self.assertEqual(striped[:16], [36, 36, 36, 12] * 4)

    def test_nics_are_where_the_attachment_says(self):
        # One message from node 1 to node 9: on rails NIC 2 of nodes 0 to 7 is on leaf 2, of nodes 8 to 15 on leaf 6.
        text = "num_ranks 10\n" + "".join(f"rank {task} {{\n{what}}}\n" for task, what in enumerate(
            ["", "send 64b to 9 nic 3\n", *[""] * 7, "recv 64b from 1\n"]))  # fmt: skip
        self.write("program.goal", text.replace("nic 3", "nic 2"))
        goal = '[workload]\nkind = "trace"\npath = "program.goal"\n'
        for settings, place in [(["node.attachment=rails"], 2 * 8 + 1), ([], 1 * 4 + 2), (["topology.planes=4"], 2 * 128 + 1),
                                (["topology.planes=2"], 0 * 128 + 1 * 2 + 1), (["topology.planes=2", "node.attachment=rails"], 1 * 8 + 1)]:  # fmt: skip
            with self.subTest(settings=settings):
                injected = self.injected(CLOS + goal, "node.nics=4", *settings)
                self.assertEqual([nic for nic, packets in enumerate(injected) if packets], [place])

    def test_commands_that_look_at_networks_know_planes(self):
        def answer(command, planes):
            self.write("config.toml", "format = 1\n" + CLOS.replace("leaves = 16", f"leaves = 16\nplanes = {planes}"))
            code, out, err = self.finish(self.start([WEFT, *command, "config.toml", "--json", "-"]))
            self.assertEqual(code, 0, err)
            return json.loads(out)

        one, three = (answer(["topology"], planes) for planes in (1, 3))
        for count in ("nodes", "routers", "router_links"):
            self.assertEqual(three[count], 3 * one[count])
        for figure in ("diameter", "mean_distance", "uniform_load_bound"):
            self.assertEqual(three[figure], one[figure])
        one, three = (answer(["fabric", "ebb"], planes) for planes in (1, 3))
        self.assertEqual((three["hosts"], three["bandwidth"]["mean"]), (one["hosts"], one["bandwidth"]["mean"]))

    def test_what_does_not_fit_is_refused(self):
        kernel = '[workload]\nkind = "kernel"\nname = "M2"\n'
        uniform = "[simulation]\ncycles = 100\n"
        for words, config, settings in [
            (["node.nics = 3", "divide", "16"], TORUS + kernel, ["node.nics=3"]),
            (["topology.planes = 2", "node.nics", "node.nics = 2"], TORUS + kernel, ["topology.planes=2"]),
            (["topology.planes = 4", "node.nics = 6", "node.nics = 8"], TORUS + kernel, ["topology.planes=4", "node.nics=6"]),
            (["topology.planes", "workload.kind"], TORUS + uniform, ["topology.planes=2", "node.nics=2"]),
            (["topology.planes", "topology.kind"], '[topology]\nkind = "ideal"\nnodes = 4\n' + kernel, ["topology.planes=2", "node.nics=2"]),
            (["topology.planes", "faults.random_links"], TORUS + kernel, ["topology.planes=2", "node.nics=2", "faults.random_links=1"]),
            (["rails", "leaf"], TORUS + kernel, ["node.nics=2", "node.attachment=rails"]),
            (["node.attachment", "node.nics"], CLOS + kernel, ["node.attachment=rails"]),
            (["spinnaker"], TORUS + kernel, ["topology.planes=2", "node.nics=2", "router.kind=spinnaker"]),
            (["bridge", "node.nics"], CLOS + '[workload]\nkind = "exchange"\nname = "bridge"\nmessage_bytes = 8\n', ["node.nics=2"]),
            (["100 tasks", "64"], CLOS + kernel, ["node.nics=2", "workload.tasks=100"]),
            (["grid"], '[topology]\nkind = "mesh"\ndims = [4, 4]\n' + kernel, ["node.nics=2", "placement.policy=row"]),
        ]:
            with self.subTest(settings=settings):
                code, _, err = self.weft(config, *settings)
                self.assertEqual(code, 2, err)
                for word in words:
                    self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main()
