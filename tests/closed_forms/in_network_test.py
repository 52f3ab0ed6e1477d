"""Reductions by a switch on the ideal network against the closed forms of docs/in-network-reduction.md.

Environment: WEFT_BINARY is the program."""

import json
import unittest

import harness

WEFT = harness.weft()
LATENCY, OVERHEAD, GAP, BYTE_GAP, BYTE_OVERHEAD = 700, 30, 11, 0.05, 0.003
IDEAL = f"""format = 1
topology = {{kind = "ideal", nodes = 12}}
ideal = {{latency_ns = {LATENCY}, overhead_ns = {OVERHEAD}, gap_ns = {GAP}, byte_gap_ns = {BYTE_GAP}, byte_overhead_ns = {BYTE_OVERHEAD}}}
workload = {{kind = "nccl", name = "allreduce", algorithm = "in-network", message_bytes = 1000000, chunk_bytes = 50000}}
"""


def cpu(data):
    return OVERHEAD + int((data - 1) * BYTE_OVERHEAD)


def gap(data):
    return GAP + int((data - 1) * BYTE_GAP)


def flight(data, latency=LATENCY):
    return latency + int((data - 1) * BYTE_GAP)


def there_and_back(data, latency=LATENCY):
    """From the beginning of the send of a chunk until its sum has been handled."""
    return cpu(data) + 2 * flight(data, latency) + GAP + cpu(data)


class InNetwork(harness.Scratch):
    def run_weft(self, *settings, config=IDEAL):
        self.write("config.toml", config)
        options = [word for setting in settings for word in ("--set", setting)]
        return self.finish(self.start([WEFT, "run", "config.toml", "--json", "-", "--progress", "never", *options]))

    def summary(self, *settings, config=IDEAL):
        code, out, err = self.run_weft(*settings, config=config)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def ns(self, *settings):
        return self.summary(*settings)["tasks"]["finish_ns_max"]

    def refusal(self, *settings, config=IDEAL):
        code, _, err = self.run_weft(*settings, config=config)
        self.assertNotEqual(code, 0)
        return err

    def test_a_chunk_goes_to_the_switch_and_back(self):
        for data in (1, 2, 333, 50000):
            for nodes in (2, 3, 12):
                for name in ("allreduce", "broadcast"):
                    with self.subTest(data=data, nodes=nodes, name=name):
                        found = self.ns(f"topology.nodes={nodes}", f"workload.message_bytes={data}", f"workload.name={name}")
                        self.assertEqual(found, there_and_back(data))

    def test_a_switch_may_be_nearer_than_nodes_are(self):
        for latency in (1, 35, 350, 5000):
            self.assertEqual(self.ns("workload.message_bytes=1000", f"workload.switch_latency_ns={latency}"), there_and_back(1000, latency))

    def test_chunks_follow_each_other_as_fast_as_nics_send(self):
        for chunk in (50000, 10000, 100):
            for name in ("allreduce", "broadcast"):
                with self.subTest(chunk=chunk, name=name):
                    chunks = 100000 // chunk
                    found = self.ns("workload.message_bytes=100000", f"workload.chunk_bytes={chunk}", f"workload.name={name}")
                    # NIC and processor work side by side; what comes needs the processor as long as what goes, and its NIC for g.
                    self.assertEqual(found, (chunks - 1) * max(gap(chunk), cpu(chunk), GAP + cpu(chunk)) + there_and_back(chunk))

    def test_the_last_chunk_may_be_short(self):
        found = self.ns("workload.message_bytes=100100", "workload.chunk_bytes=50000")
        # It may be there before the one before it, which is handled first.
        self.assertEqual(found, max(2 * gap(50000) + there_and_back(100), gap(50000) + there_and_back(50000) + GAP + cpu(100)))

    def test_a_limit_makes_chunks_wait_for_those_before(self):
        chunks, data, trip = 20, 50000, there_and_back(50000)
        for limit in (1, 2, 3, 7):
            with self.subTest(limit=limit):
                whole, rest = divmod(chunks - 1, limit)
                each = max(trip, limit * gap(data))
                found = self.ns(f"workload.reductions_in_flight={limit}")
                self.assertEqual(found, whole * each + rest * gap(data) + trip)
        enough = -(-trip // gap(data))
        self.assertEqual(self.ns(f"workload.reductions_in_flight={enough}"), self.ns())

    def test_repetitions_come_one_after_the_other(self):
        for limit in (0, 2):
            once = self.ns(f"workload.reductions_in_flight={limit}")
            self.assertEqual(self.ns(f"workload.reductions_in_flight={limit}", "workload.repetitions=4"), 4 * once)

    def test_the_bus_is_nearly_twice_as_fast_as_with_a_ring(self):
        data = 1 << 28
        for nodes in (2, 4, 12):
            settings = (f"topology.nodes={nodes}", f"workload.message_bytes={data}", "ideal.overhead_ns=0", "ideal.byte_overhead_ns=0.0", "ideal.gap_ns=0")  # fmt: skip
            bus = lambda *more: self.summary(*settings, *more)["bandwidth"]["bus_gbytes_per_s"]  # noqa: E731
            factor = 2 * (nodes - 1) / nodes
            self.assertAlmostEqual(bus() * BYTE_GAP, factor, delta=2e-3 * factor)
            ring = bus("workload.algorithm=ring", f"workload.chunk_bytes={1 << 24}")
            self.assertAlmostEqual(bus() / ring, factor, delta=5e-3 * factor)
            self.assertAlmostEqual(bus("workload.name=broadcast") * BYTE_GAP, 1, delta=2e-3)

    def test_every_message_is_taken_in_by_the_switch(self):
        found = self.summary("workload.channels=2")
        self.assertEqual(found["messages"], {"sent": 12 * 20, "delivered": 12 * 20})
        self.assertEqual(found["activities"][0]["bytes"], 12 * 1000000)
        found = self.summary("workload.name=broadcast")
        self.assertEqual(found["messages"], {"sent": 20, "delivered": 20})

    def test_channels_share_the_nics(self):
        # As many chunks of the same length in all; g, o and O would be of other lanes at the same time.
        settings = ("ideal.overhead_ns=0", "ideal.byte_overhead_ns=0.0", "ideal.gap_ns=0")
        for channels in (2, 5, 20):
            self.assertEqual(self.ns(f"workload.channels={channels}", *settings), self.ns(*settings))

    def test_tasks_of_a_node_share_its_nics(self):
        settings = ("ideal.overhead_ns=0", "ideal.byte_overhead_ns=0.0", "ideal.gap_ns=0", "topology.nodes=3", "node.tasks=4")
        wire = int(49999 * BYTE_GAP)
        self.assertEqual(self.ns(*settings), (4 * 20 - 1) * wire + 2 * (LATENCY + wire))
        self.assertEqual(self.ns(*settings, "node.nics=4"), 19 * wire + 2 * (LATENCY + wire))
        # A stripe is a quarter of each chunk, on all NICs, of each task in turn.
        quarter = int((50000 / 4 - 1) * BYTE_GAP)
        self.assertEqual(self.ns(*settings, "node.nics=4", "node.nic_policy=stripe"), (4 * 20 - 1) * quarter + 2 * (LATENCY + quarter))

    def test_jobs_have_switches_of_their_own(self):
        alone = self.ns("topology.nodes=6")
        network, workload = IDEAL.split("workload =")
        workload = workload.replace("{", "{tasks = 6, ").strip()
        jobs = "".join(f'[[job]]\nname = "{name}"\nworkload = {workload}\n' for name in ("a", "b"))
        found = self.summary(config=network + jobs)["jobs"]
        self.assertEqual([job["finish_ns"] for job in found], [alone, alone])

    def test_other_networks_are_refused(self):
        mesh = IDEAL.replace('"ideal"', '"full-mesh"')
        refused = self.refusal("link.rate_gbps=100", config="\n".join(line for line in mesh.split("\n") if not line.startswith("ideal")))
        self.assertIn("in-network reduction runs on the ideal network and on switches of cells", refused)
        self.assertIn("it needs no switch", self.refusal("workload.algorithm=ring", "workload.reductions_in_flight=3"))

    def test_goal_has_no_word_for_it(self):
        self.write("config.toml", IDEAL)
        code, _, err = self.finish(self.start([WEFT, "trace", "generate", "--config", "config.toml", "--out", "program.goal"]))
        self.assertNotEqual(code, 0)
        self.assertIn("combined by switches", err)


if __name__ == "__main__":
    unittest.main()
