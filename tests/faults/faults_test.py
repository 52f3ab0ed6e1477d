"""Failed links, routers and nodes: routing goes round them where it can, and what cannot arrive is counted and reported.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import json
import unittest

import harness

WEFT = harness.weft()

TORUS = {"topology.kind": "torus", "topology.dims": [5, 5]}
EVEN_TORUS = {"topology.kind": "torus", "topology.dims": [4, 4]}
# Switch 0 holds nodes 0 to 3; its ports 0 to 3 lead up, 4 to 7 to the nodes.
TREE = {"topology.kind": "tree", "topology.arity": 4, "topology.levels": 2}
BURST = {"workload.kind": "burst", "workload.burst_packets": 3}


def all_to_all(tasks):
    """Every task sends one packet to every other; nobody waits for one."""
    return "".join(f"s {a} {b} 0 16\n" for a in range(tasks) for b in range(tasks) if a != b)


class Faults(harness.Scratch):
    def weft(self, settings, *arguments, ranks=1, seconds=60):
        command = [WEFT, "run", self.write("config.toml", "format = 1\n"), "--progress", "never", *arguments]
        for key, value in settings.items():
            command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
        return self.finish(self.start(command, ranks), seconds)

    def simulate(self, settings, *arguments, ranks=1):
        code, out, err = self.weft(settings, "--json", "-", *arguments, ranks=ranks)
        self.assertEqual(code, 0, err)
        summary = json.loads(out)
        packets = summary["packets"]
        inside = packets["dropped"] - packets["dropped_at_source"]
        self.assertEqual(packets["injected"], packets["delivered"] + inside + packets["in_flight"], packets)
        return summary

    def every_pair(self, tasks, settings, **more):
        """One packet between every two nodes: how many were dropped, and the summary."""
        self.write("pairs.trc", all_to_all(tasks))
        trace = {"workload.kind": "trace", "workload.path": str(self.folder / "pairs.trc"), "workload.mode": "at-will"}
        summary = self.simulate({**settings, **trace}, **more)
        packets = summary["packets"]
        self.assertEqual(packets["generated"], tasks * (tasks - 1))
        self.assertEqual(packets["delivered"] + packets["dropped"], packets["generated"])
        return packets["dropped"], summary


class Lattices(Faults):
    def test_adaptive_packets_find_every_minimal_detour_and_only_pairs_without_one_are_dropped(self):
        # The link between routers 0 and 1. Of row 0, those pairs need it whose shorter way leads over it; all that also have to
        # go up or down can do so in another row.
        cut_off = [(a, b) for a in range(5) for b in range(5) if {0, 1} <= {(a + s * d) % 5 for s in range(3)
                   for d in [1 if (b - a) % 5 <= 2 else -1] if s <= min((b - a) % 5, (a - b) % 5)} and a != b]
        self.assertEqual(len(cut_off), 6)
        for router in ({"router.routing": "shortest"}, {"router.routing": "random"}, {"router.routing": "smart"},
                       {"router.kind": "dally", "router.routing": "adaptive"}):
            with self.subTest(router=router):
                dropped, summary = self.every_pair(25, {**TORUS, **router, "faults.links": [0, 0]})
                self.assertEqual(dropped, len(cut_off))
                self.assertEqual(summary["packets"]["dropped_at_source"], dropped)
                self.assertIn(f"{dropped} packets were dropped: {dropped} found no path past failed links (the first: from node",
                              summary["warnings"][-1])

    def test_packets_in_fixed_order_of_dimensions_lose_all_pairs_whose_only_route_is_cut(self):
        # Dimension 0 comes first, in the row of the source: 6 pairs of columns as above, to any of 5 rows.
        dropped, _ = self.every_pair(25, {**TORUS, "router.routing": "oblivious", "faults.links": [0, 0]})
        self.assertEqual(dropped, 6 * 5)

    def test_where_both_ways_round_a_ring_are_equally_long_the_one_without_the_fault_is_taken(self):
        for mode in ("shortest", "oblivious"):
            with self.subTest(mode=mode):
                dropped, _ = self.every_pair(16, {**EVEN_TORUS, "router.routing": mode, "faults.links": [1, 1]})
                self.assertEqual(dropped, 2 if mode == "shortest" else 2 * 4)

    def test_with_one_node_failed_the_rest_accept_what_they_would_without(self):
        settings = {**EVEN_TORUS, "simulation.cycles": 1000, "workload.offered_load": 0.5}
        whole = self.simulate(settings)
        # Node 15 takes part in nothing but for the packets to it, so the histories differ; the load is as good as the same.
        faulty = self.simulate({**settings, "faults.nodes": [15]})
        self.assertNotEqual(whole["digest"], faulty["digest"])
        expected = whole["load"]["accepted"] * 15 / 16 * 14 / 15
        self.assertAlmostEqual(faulty["load"]["accepted"], expected, delta=0.05 * expected)


class Trees(Faults):
    def test_adaptive_packets_go_round_failed_links_and_static_ones_lose_their_routes(self):
        # The first up link of switch 0, and one down link of the last root to switch 3.
        fault = {"faults.links": [0, 0, 3, 3]}
        dropped, summary = self.every_pair(16, {**TREE, **fault})
        self.assertEqual(dropped, 0)
        self.assertEqual(summary["warnings"], [])
        # Static: what node 0 sends up and what nodes 4, 8 and 12 send down to switch 0, 12 each; likewise root 3 and switch 3.
        dropped, _ = self.every_pair(16, {**TREE, **fault, "router.routing": "static"})
        self.assertEqual(dropped, 4 * 12)

    def test_plain_switches_accept_as_much_as_the_fast_ones(self):
        tree = {**TREE, "topology.levels": 3, "workload.offered_load": 1.0, "simulation.cycles": 4000}
        for request in ("adaptive", "static"):
            with self.subTest(request=request):
                whole = self.simulate({**tree, "router.routing": request})["load"]["accepted"]
                faulty = self.simulate({**tree, "router.routing": request, "faults.nodes": [63]})["load"]["accepted"]
                self.assertAlmostEqual(faulty / whole, 63 / 64, delta=0.04)


class Chips(Faults):
    CHIPS = {"topology.kind": "spinnaker", "topology.dims": [5, 5], "router.kind": "spinnaker", "router.virtual_channels": 1,
             "faults.links": [0, 0]}

    def test_emergency_routing_takes_packets_round_and_without_it_those_that_need_the_link_are_dropped_with_a_warning(self):
        traffic = {"workload.offered_load": 0.02, "simulation.cycles": 5000}
        summary = self.simulate({**self.CHIPS, **traffic})
        self.assertEqual((summary["packets"]["dropped"], summary["warnings"]), (0, []))
        summary = self.simulate({**self.CHIPS, **traffic, "router.emergency_routing": False})
        dropped = summary["packets"]["dropped"]
        self.assertGreater(dropped, 1)
        self.assertIn(f"{dropped} packets were dropped: {dropped} waited too long for blocked outputs (the first: from node",
                      summary["warnings"][-1])

    def test_multicast_counts_each_copy_and_refuses_tasks_and_bad_files_of_targets(self):
        multicast = {**self.CHIPS, "router.routing": "multicast"}
        traffic = {"workload.offered_load": 0.02, "simulation.cycles": 2000}
        code, out, err = self.weft({**multicast, **traffic}, "--json", "-")
        self.assertEqual(code, 0, err)
        packets = json.loads(out)["packets"]
        self.assertEqual(packets["injected"] + packets["copies"],
                         packets["delivered"] + packets["dropped"] + packets["in_flight"])
        self.assertGreater(packets["copies"], 2 * packets["injected"])
        code, _, err = self.weft({**multicast, "workload.kind": "kernel", "workload.name": "W2", "workload.tasks": 25})
        self.assertEqual(code, 2)
        self.assertIn('router.routing = "multicast" sends each packet to all targets of its source', err)
        targets = self.write("targets.txt", "0 1 2\n1 25\n")
        code, _, err = self.weft({**multicast, **traffic, "router.multicast_file": str(targets)})
        self.assertEqual(code, 3)
        self.assertIn("targets.txt:2: line names node 25", err)


class Nodes(Faults):
    def test_a_failed_node_sends_nothing_and_packets_to_it_are_dropped_at_their_source(self):
        for network, nodes in ((TORUS, 25), (TREE, 16)):
            with self.subTest(network=network):
                settings = {**network, **BURST, "workload.pattern": "tornado" if nodes == 25 else "bit-complement"}
                summary = self.simulate({**settings, "faults.nodes": [3]})
                packets = summary["packets"]
                self.assertEqual(packets["generated"], 3 * (nodes - 1))
                self.assertEqual((packets["dropped"], packets["dropped_at_source"]), (3, 3))
                self.assertEqual(packets["delivered"], packets["generated"] - 3)
                self.assertEqual(summary["warnings"], ["3 packets were dropped: 3 to failed nodes"])
                self.assertEqual(len(summary["burst_cycles"]), 1)

    def test_a_failed_router_takes_its_links_and_nodes_with_it(self):
        summary = self.simulate({**TREE, **BURST, "workload.pattern": "uniform", "faults.routers": [1]})
        self.assertEqual(summary["packets"]["generated"], 3 * 12)
        self.assertIn("with 4 failed links, 1 failed router, 4 failed nodes", summary["topology"])
        self.assertIn("to failed nodes", summary["warnings"][-1])
        self.assertNotIn("no path", summary["warnings"][-1])

    def test_bursts_of_which_nothing_arrives_are_over_all_the_same(self):
        summary = self.simulate({"topology.kind": "torus", "topology.dims": [2], **BURST, "workload.bursts": 2,
                                 "workload.pattern": "uniform", "faults.nodes": [1]})
        self.assertEqual(summary["packets"]["dropped"], 6)
        self.assertEqual(len(summary["burst_cycles"]), 2)
        self.assertLessEqual(max(summary["burst_cycles"]), 1.0)


class Fabrics(Faults):
    """InfiniBand switches, whose tables lead past what has failed."""

    CROSSBAR = {"topology.kind": "crossbar", "topology.nodes": 4, "router.kind": "infiniband"}

    def test_packets_to_a_failed_node_are_dropped_at_their_source(self):
        for network in (self.CROSSBAR, {**TREE, "router.kind": "infiniband"}):
            with self.subTest(network=network):
                settings = {**network, **BURST, "workload.burst_packets": 50, "faults.nodes": [0]}
                summary = self.simulate(settings)
                packets = summary["packets"]
                self.assertEqual(packets["generated"], 50 * (3 if network is self.CROSSBAR else 15))
                self.assertGreater(packets["dropped"], 0)
                self.assertEqual(packets["dropped_at_source"], packets["dropped"])
                self.assertEqual(packets["delivered"] + packets["dropped"], packets["generated"])
                self.assertIn(f"{packets['dropped']} packets were dropped: {packets['dropped']} to failed nodes",
                              summary["warnings"][-1])
                if network is not self.CROSSBAR:
                    self.assertEqual(self.simulate(settings, ranks=3)["digest"], summary["digest"])

    def test_what_nothing_leads_to_any_more_is_dropped_and_the_rest_goes_round(self):
        # Switch 3 is cut off from the four above it, which leaves its nodes each other; then but one link of it is.
        links = [number for port in range(4) for number in (3, port)]
        tree = {**TREE, "router.kind": "infiniband"}
        dropped, summary = self.every_pair(16, {**tree, "faults.links": links})
        self.assertEqual(dropped, 2 * 4 * 12)
        self.assertIn("found no path past failed links", summary["warnings"][-1])
        dropped, _ = self.every_pair(16, {**tree, "faults.links": links[:2]})
        self.assertEqual(dropped, 0)

    def test_switches_with_routes_of_other_routers_refuse_faults(self):
        code, _, err = self.weft({**TREE, "router.kind": "switch", "faults.nodes": [0]})
        self.assertEqual(code, 2)
        self.assertIn("switches of cells do not know how to go round what has failed", err)


class Runs(Faults):
    RANDOM = {**TORUS, "faults.random_links": 6, "faults.random_nodes": 2, "faults.seed": 7, "simulation.cycles": 1500,
              "workload.offered_load": 0.5}

    def test_a_run_with_faults_goes_on_from_a_checkpoint_and_reports_the_same(self):
        whole = self.simulate(self.RANDOM, ranks=2)
        path = str(self.folder / "run.ckpt.h5")
        self.simulate({**self.RANDOM, "checkpoint.every_cycles": 900, "checkpoint.path": path}, ranks=3)
        resumed = self.simulate({**self.RANDOM, "checkpoint.path": path}, "--resume", path)
        self.assertEqual(resumed["resumed_from_cycle"], 900)
        for key in ("digest", "packets", "warnings", "load"):
            self.assertEqual(resumed[key], whole[key])
        self.assertIn("to failed nodes", whole["warnings"][-1])
        self.assertIn("no path", whole["warnings"][-1])

    def test_topology_says_what_has_failed_and_whether_the_rest_hangs_together(self):
        def shown(*settings):
            command = [WEFT, "topology", self.write("config.toml", "format = 1\n[topology]\nkind = 'mesh'\ndims = [4, 2]\n")]
            for setting in settings:
                command += ["--set", setting]
            code, out, err = self.finish(self.start(command))
            self.assertEqual(code, 0, err)
            return out

        out = shown("faults.links=[0, 0]", "faults.nodes=[5]")
        self.assertIn("4x2 mesh with 1 failed link, 1 failed node", out)
        self.assertIn("failed: 1 of 10 links between routers, 0 of 8 routers, 1 of 8 nodes", out)
        self.assertIn("connected: yes: links lead from each of the 7 nodes left to every other", out)
        out = shown("faults.routers=[1, 5]")
        self.assertIn("connected: no: the routers fall into 2 groups; the largest has 4 of the 6 nodes left", out)


class Mistakes(Faults):
    def assert_fails(self, code, words, settings):
        got, _, err = self.weft({**TORUS, "simulation.cycles": 10, **settings})
        self.assertEqual(got, code, err)
        self.assertIn(words, err)

    def test_faults_that_the_network_cannot_have_are_refused_with_the_nearest_valid_value(self):
        self.assert_fails(2, "faults.links: 3 numbers are no pairs", {"faults.links": [0, 1, 2]})
        self.assert_fails(2, "router 3 has no port 9 (it has 4, from 0); the nearest valid value is 3", {"faults.links": [3, 9]})
        self.assert_fails(2, "faults.nodes: there is no node 25 (the network has 25, from 0)", {"faults.nodes": [25]})
        self.assert_fails(2, "faults.random_links = 51 is more than the 50 links", {"faults.random_links": 51})
        self.assert_fails(2, "has no link that could fail", {"topology.kind": "mesh", "faults.links": [0, 1]})

    def test_tasks_on_failed_nodes_and_tasks_that_wait_for_dropped_packets_are_named(self):
        kernel = {"workload.kind": "kernel", "workload.name": "wavefront"}
        self.assert_fails(2, "task 3 is placed on node 3, which has failed", {**kernel, "simulation.cycles": 0, "faults.nodes": [3]})
        self.write("app.trc", "s 0 1 5 16\nr 0 1 5 16\n")
        got, _, err = self.weft({**TORUS, "workload.kind": "trace", "workload.path": str(self.folder / "app.trc"),
                                 "faults.links": [0, 0]})
        self.assertEqual(got, 4, err)
        self.assertIn("1 tasks wait for messages of which packets were lost (1 packet was dropped: 1 found no path past failed "
                      "links (the first: from node 0 to node 1 at router 0))", err)


if __name__ == "__main__":
    unittest.main()
