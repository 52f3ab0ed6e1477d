"""Nodes with several NICs on the ideal network, and the path inside them, against closed forms (docs/nodes.md).

Environment: WEFT_BINARY is the program."""

import json
import unittest

import harness

WEFT = harness.weft()
IDEAL = '[topology]\nkind = "ideal"\n'
LOGGOPS = "[ideal]\nlatency_ns = 100\noverhead_ns = 10\ngap_ns = 5\nbyte_gap_ns = 1.0\nbyte_overhead_ns = 0\n"


class Nodes(harness.Scratch):
    def weft(self, config, *settings):
        self.write("config.toml", "format = 1\n" + config)
        options = [word for setting in settings for word in ("--set", setting)]
        return self.finish(self.start([WEFT, "run", "config.toml", "--json", "-", "--progress", "never", *options]))

    def cycles(self, config, *settings):
        code, out, err = self.weft(config, *settings)
        self.assertEqual(code, 0, err)
        return json.loads(out)["cycles"]  # of 1 ns

    def goal(self, text, nodes, *settings):
        self.write("program.goal", text)
        trace = f'nodes = {nodes}\n{LOGGOPS}[workload]\nkind = "trace"\npath = "program.goal"\n'
        return self.cycles(IDEAL + trace, *settings)

    def test_all_to_all_has_the_bandwidth_of_all_nics(self):
        # Every task sends 7 messages of 5000 bytes at once; those of a NIC leave one after the other.
        nodes, size = 8, 5000
        ranks = []
        for me in range(nodes):
            others = [(me + step) % nodes for step in range(1, nodes)]
            sends = [f"send {size}b to {other}" for other in others]
            ranks.append("\n".join([f"rank {me} {{", *sends, *(f"recv {size}b from {other}" for other in others), "}"]))
        text = f"num_ranks {nodes}\n" + "\n".join(ranks) + "\n"
        last = size - 1 + 100 + 10 + 5 + 10  # of a message that leaves: G, L, o, g, o
        for nics in (1, 2, 4):
            most = -(-(nodes - 1) // nics)  # messages of the NIC that has most
            first = 10 * (nics - 1) if nics > 1 else 0  # the last NIC begins when the stream is free
            with self.subTest(nics=nics):
                took = self.goal(text, nodes, f"node.nics={nics}", *(["node.nic_policy=round-robin"] if nics > 1 else []))
                sent = (most - 1) * (5 + size - 1)
                self.assertGreaterEqual(took, sent + last)
                self.assertLessEqual(took, sent + last + first + 15 * nodes)

    def test_a_long_message_in_stripes_takes_a_part_of_the_time(self):
        size = 100_000
        text = f"num_ranks 2\nrank 0 {{\nsend {size}b to 1\n}}\nrank 1 {{\nrecv {size}b from 0\n}}\n"
        for nics in (1, 2, 3, 8):
            with self.subTest(nics=nics):
                stripes = ["node.nic_policy=stripe"] if nics > 1 else []
                took = self.goal(text, 2, f"node.nics={nics}", *stripes)
                self.assertEqual(took, 100 + 2 * 10 + 5 + -(-size // nics) - 1)

    def test_policies_choose_the_nics_that_they_say(self):
        # Two tasks on node 0, each sends two messages of 1000 bytes to tasks 2 and 4, of a node each.
        sends = "send 1000b to 2\nsend 1000b to 4\n"
        receives = "recv 1000b from 0\nrecv 1000b from 1\n"
        text = f"num_ranks 6\nrank 0 {{\n{sends}}}\nrank 1 {{\n{sends}}}\nrank 2 {{\n{receives}}}\nrank 3 {{\n}}\nrank 4 {{\n{receives}}}\nrank 5 {{\n}}\n"
        wire, gap = 999, 5
        one = 10 + 100 + wire + gap + 10  # a message alone, from its send to the end of its receive
        after = gap + wire  # what the second of a NIC waits for
        # task: both of a destination come together, and it handles one (g + o) after the other; both destinations are even.
        for policy, expected in [("task", after + one + 15), ("destination", 3 * after + one), ("round-robin", after + one)]:
            with self.subTest(policy):
                self.assertEqual(self.goal(text, 3, "node.nics=2", "workload.tasks_per_node=2", f"node.nic_policy={policy}"), expected)
        self.assertEqual(self.goal(text, 3, "workload.tasks_per_node=2"), 3 * after + one)
        # Named NICs: all by NIC 1.
        named = text.replace("send 1000b to 2", "send 1000b to 2 nic 1").replace("send 1000b to 4", "send 1000b to 4 nic 1")
        self.assertEqual(self.goal(named, 3, "node.nics=2", "workload.tasks_per_node=2"), 3 * after + one)

    def test_messages_go_through_the_path_of_a_node_one_after_the_other(self):
        text = "num_ranks 2\nrank 0 {\nsend 1000b to 1\nsend 3000b to 1\n}\nrank 1 {\nrecv 1000b from 0\nrecv 3000b from 0\n}\n"
        for rate, latency in [(8, 50), (80, 7), (1, 1000)]:
            with self.subTest(rate=rate, latency=latency):
                took = self.goal(text, 2, "workload.tasks_per_node=2", f"node.path_gbps={rate}", f"node.path_latency_ns={latency}")
                self.assertEqual(took, 10 + 8 * 4000 // rate + latency + 10)

    def test_the_path_has_its_latency_and_rate_on_other_networks_too(self):
        torus = '[topology]\nkind = "torus"\ndims = [4, 4]\n[link]\nrate_gbps = 32\n[workload]\nkind = "exchange"\nname = "pairs"\n' \
                'pairs = [0, 1]\nboth_ways = false\nmessage_bytes = 4000\ntasks = 2\ntasks_per_node = 2\n'  # fmt: skip
        self.assertEqual(self.cycles(torus, "node.path_gbps=16", "node.path_latency_ns=30"), 2000 + 30)

    def test_tasks_of_nodes_are_those_of_jobs_that_say_nothing_else(self):
        torus = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
        kernel = torus + '[workload]\nkind = "kernel"\nname = "butterfly"\n'
        self.assertEqual(self.cycles(kernel, "node.tasks=2"), self.cycles(kernel, "workload.tasks_per_node=2"))
        self.assertNotEqual(self.cycles(kernel, "node.tasks=2"), self.cycles(kernel))
        jobs = torus + "".join(f'[[job]]\nname = "{name}"\nworkload = {{kind = "kernel", name = "butterfly", tasks = 8{more}}}\n'
                               for name, more in (("a", ""), ("b", ", tasks_per_node = 1")))  # fmt: skip
        # Of 16 nodes a takes half as many as it has tasks, b 8.
        self.assertGreater(self.cycles(jobs, "node.tasks=2", "job.a.workload.tasks=16"), 0)
        code, _, err = self.weft(jobs, "node.tasks=2", "job.a.workload.tasks=32")
        self.assertEqual(code, 2)
        self.assertIn('"b"', err)

    def test_what_does_not_fit_is_refused(self):
        torus = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
        kernel = '[workload]\nkind = "kernel"\nname = "M2"\n'
        uniform = "[simulation]\ncycles = 100\n"
        for words, config, settings in [
            (["node.nics = 2 has no effect", "workload.kind"], IDEAL + uniform, ["node.nics=2"]),
            (["node.nic_policy", "no effect", "node.nics"], IDEAL + kernel, ["node.nic_policy=stripe"]),
            (["node.nics", "1..64"], IDEAL + kernel, ["node.nics=65"]),
            (["link.rate_gbps"], torus + kernel, ["node.path_gbps=100"]),
            (["workload.tasks_per_node", "node.tasks"], torus + kernel, ["node.tasks=2", "workload.tasks_per_node=2"]),
            (["local_latency_cycles", "node.path_latency_ns"], IDEAL + kernel, ["node.path_latency_ns=5", "workload.local_latency_cycles=3"]),
        ]:
            with self.subTest(settings=settings):
                code, _, err = self.weft(config, *settings)
                self.assertEqual(code, 2, err)
                for word in words:
                    self.assertIn(word, err)

    def test_a_nic_that_nodes_have_not_is_named_with_its_line(self):
        self.write("program.goal", "num_ranks 2\nrank 0 {\ncalc 5\nsend 5b to 1 nic 2\n}\nrank 1 {\nrecv 5b from 0\n}\n")
        trace = '[workload]\nkind = "trace"\npath = "program.goal"\n'
        for topology, settings in [(IDEAL + "nodes = 2\n", ["node.nics=2"]), (IDEAL + "nodes = 2\n", []), ('[topology]\nkind = "torus"\ndims = [2, 2]\n[link]\nrate_gbps = 10\n', [])]:
            with self.subTest(topology=topology, settings=settings):
                code, _, err = self.weft(topology + trace, *settings)
                self.assertEqual(code, 3, err)
                for word in ("program.goal:4", "task 0, operation 1", "NIC 2", "node.nics"):
                    self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main()
