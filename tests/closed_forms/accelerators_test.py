"""Collectives of accelerators and training on the ideal network against closed forms: bandwidths of nccl-tests, floating-point
operations of Narayanan et al. (SC 2021), lengths of pipelines (docs/accelerators.md).

Environment: WEFT_BINARY is the program."""

import json
import unittest

from on_ideal import BYTE_NS, WEFT, OnTheIdealNetwork, activity, flight_ns

MIB = 1 << 20


class Accelerators(OnTheIdealNetwork):
    def nccl(self, name, *settings):
        return self.summary(f'workload = {{kind = "nccl", name = "{name}", message_bytes = {64 * MIB}}}\n', *settings)

    def bus(self, found):
        return found["bandwidth"]["bus_gbytes_per_s"]

    def test_rings_have_the_bandwidth_of_their_steps(self):
        for nodes in (2, 4, 16):
            for chunk in (64 * MIB // nodes, MIB):
                steps = 64 * MIB // (nodes * chunk) * (nodes - 1)
                for name, rounds, factor in (("allreduce", 2, 2), ("allgather", 1, 1), ("reduce-scatter", 1, 1)):
                    with self.subTest(nodes=nodes, chunk=chunk, name=name):
                        found = self.nccl(name, f"topology.nodes={nodes}", f"workload.chunk_bytes={chunk}")
                        ns = rounds * steps * flight_ns(chunk)
                        self.assertAlmostEqual(self.bus(found), factor * (nodes - 1) / nodes * 64 * MIB / ns, delta=1e-3 * self.bus(found))
                        self.assertLess(self.bus(found), 1 / BYTE_NS)

    def test_a_broadcast_fills_its_ring_once(self):
        for nodes in (2, 16):
            found = self.nccl("broadcast", f"topology.nodes={nodes}", f"workload.chunk_bytes={MIB}")
            # 64 chunks one behind the other, each as long as a link carries it; the last goes over all links. What a link waits
            # for is the larger of its own time and that of what comes: here both are the same but for rounding.
            ns = 63 * (MIB * BYTE_NS) + (nodes - 1) * flight_ns(MIB)
            self.assertAlmostEqual(self.bus(found), 64 * MIB / ns, delta=2e-3 * self.bus(found))

    def test_trees_send_all_data_up_and_down_once(self):
        # Each task is inside one tree only: it sends its half up in both, and two copies down in one.
        for nodes in (4, 8, 16):
            with self.subTest(nodes=nodes):
                found = self.nccl("allreduce", f"topology.nodes={nodes}", "workload.algorithm=tree", "workload.channels=2",
                                  f"workload.message_bytes={4096 * MIB}", f"workload.chunk_bytes={MIB // 8}", "ideal.latency_ns=100")  # fmt: skip
                ns = 2 * 4096 * MIB * BYTE_NS
                self.assertAlmostEqual(self.bus(found), 2 * (nodes - 1) / nodes * 4096 * MIB / ns, delta=1e-3 * self.bus(found))

    def test_a_protocol_takes_its_share_of_the_bandwidth(self):
        simple = self.bus(self.nccl("allreduce", "ideal.latency_ns=0"))
        self.assertAlmostEqual(self.bus(self.nccl("allreduce", "ideal.latency_ns=0", "workload.protocol=ll128")) / simple, 15 / 16, places=3)
        self.assertAlmostEqual(self.bus(self.nccl("allreduce", "ideal.latency_ns=0", "workload.protocol=ll")) / simple, 1 / 2, places=3)
        # Synchronisation before each message is as good as latency.
        slow = self.nccl("allreduce", "workload.hop_ns=700", f"workload.chunk_bytes={MIB}")
        self.assertAlmostEqual(self.bus(slow), 2 * 15 / 16 * 64 * MIB / (2 * 4 * 15 * (flight_ns(MIB) + 700)), delta=1e-3 * self.bus(slow))

    def training(self, *settings, **shape):
        keys = {"layers": 16, "hidden": 1024, "sequence": 1024, "vocabulary": 32000, "batch": 32, "device_tflops": 100.0,
                "device_efficiency": 1.0, "memory_gbytes_per_s": 1e9} | shape  # fmt: skip
        rows = ", ".join(f"{key} = {json.dumps(value)}" for key, value in keys.items())
        return self.summary(f'workload = {{kind = "training", {rows}}}\n', *settings)

    def computed_ns(self, found):
        return sum(row["ns"] for row in found["activities"] if not row["communicates"])

    def test_operations_are_those_of_the_paper(self):
        # 96 B s l h^2 (1 + s / 6h + V / 16 l h), forward passes done again; without, a quarter less but for the logits.
        batch, sequence, layers, hidden, vocabulary = 32, 1024, 16, 1024, 32000
        dense = 96 * batch * sequence * layers * hidden**2 * (1 + sequence / (6 * hidden))
        logits = 6 * batch * sequence * hidden * vocabulary
        for tensor, pipeline, context in ((1, 1, 1), (4, 1, 1), (2, 4, 1), (1, 2, 2)):
            for recompute in (True, False):
                with self.subTest(tensor=tensor, pipeline=pipeline, recompute=recompute):
                    found = self.training(tensor=tensor, pipeline=pipeline, context=context, recompute=recompute)
                    flop = dense * (1 if recompute else 3 / 4) + logits
                    self.assertAlmostEqual(self.computed_ns(found) * 16 * 1e5 / flop, 1, places=3)

    def test_pipelines_have_the_bubbles_of_the_papers(self):
        fast = ("ideal.latency_ns=0", "ideal.byte_gap_ns=0.0")
        work = self.computed_ns(self.training(*fast, pipeline=1, batch=256, vocabulary=1, zero_stage=0)) / 256 * 16  # of a micro-batch
        for stages in (2, 4, 8):
            data = 16 // stages
            for micro in (stages, 4 * stages):
                for schedule, chunks, bubble in (("1f1b", 1, 1.0), ("interleaved", 2, 1 / 2), ("interleaved", 4 if stages < 8 else 2, 1 / 4 if stages < 8 else 1 / 2),
                                                 ("zero-bubble", 1, 1 / 3)):  # fmt: skip
                    shape = {"chunks": chunks} if chunks > 1 else {}
                    with self.subTest(stages=stages, micro=micro, schedule=schedule, chunks=chunks):
                        found = self.training(*fast, pipeline=stages, batch=micro * data, schedule=schedule, vocabulary=1, zero_stage=0, **shape)
                        expected = (micro + (stages - 1) * bubble) * work / stages
                        self.assertAlmostEqual(found["tasks"]["finish_ns_max"] / expected, 1, places=3)

    def test_measured_times_take_the_place_of_the_roofline(self):
        self.write("times.csv", "attention,*,1000,1100,1200\nfeed-forward,*,2000,2100,2200\nfeed-forward,3,5000,5000,5000\nlogits,300,400,500\noptimizer,*,77\n")
        found = self.summary('workload = {kind = "training", times = "times.csv", layers = 4, hidden = 64, sequence = 64, batch = 48}\n')
        self.assertEqual(activity(found, "forward")["ns"], 3 * (4 * 1000 + 3 * 2000 + 5000 + 300))
        self.assertEqual(activity(found, "backward")["ns"], 3 * (4 * 2300 + 3 * 4300 + 10000 + 900))
        self.assertEqual(activity(found, "optimizer")["ns"], 77)
        code, _, err = self.finish(self.start([WEFT, "run", "config.toml", "--set", "workload.device_tflops=1.0"]))
        self.assertEqual(code, 2)
        self.assertIn("workload.times", err)

    def test_gradients_hide_behind_the_backward_passes(self):
        late = self.training(zero_stage=0, overlap_gradients=False)
        early = self.training(zero_stage=0)
        self.assertEqual(activity(late, "gradients")["bytes"], activity(early, "gradients")["bytes"])
        self.assertLess(activity(early, "gradients")["ns"], activity(late, "gradients")["ns"])
        # What is not hidden: all layers one after the other, 30 steps of a ring of 16 each.
        block = 12 * 1024**2 * 2 // 16
        self.assertAlmostEqual(activity(late, "gradients")["ns"] / (16 * 30 * flight_ns(block)), 1, places=3)

    def activities_of(self, task):
        """Regions of a task in a timeline, by lane."""
        rows = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        return [(row["name"], row["tid"], row["ts"], row["dur"]) for row in rows if row["pid"] == task and "region" in row.get("args", {})]

    def test_jobs_have_their_own_activities_and_timelines(self):
        alone = self.summary('workload = {kind = "nccl", name = "allreduce", tasks = 4, message_bytes = 100000}\n', "statistics.timeline_tasks=[2]", "statistics.timeline=\"t.json\"")
        line = self.activities_of(2)
        jobs = ('[[job]]\nname = "train"\nworkload = {kind = "training", tasks = 4, layers = 2, hidden = 64, sequence = 64, batch = 4, pipeline = 2}\n'
                '[[job]]\nname = "halo"\nworkload = {kind = "kernel", name = "mesh", tasks = 4, message_bytes = 1000}\n'
                '[[job]]\nname = "ring"\nworkload = {kind = "nccl", name = "allreduce", tasks = 4, message_bytes = 100000}\n')  # fmt: skip
        found = self.summary(jobs, "statistics.timeline_tasks=[1,10]", "statistics.timeline=\"t.json\"")
        self.assertNotIn("activities", found)
        train, halo, ring = found["jobs"]
        self.assertNotIn("activities", halo)
        # On the ideal network a job is not disturbed: the same as alone, and its third task's timeline as that of task 4 + 4 + 2.
        self.assertEqual(ring["activities"], alone["activities"])
        self.assertEqual(ring["exposed_communication"], alone["exposed_communication"])
        self.assertEqual(self.activities_of(10), line)
        names = {row["name"] for row in train["activities"]}
        self.assertIn("forward", names)
        own = self.activities_of(1)
        self.assertTrue(own)
        self.assertLessEqual({name for name, *_ in own}, names)
        self.assertTrue(0 < train["exposed_communication"] < 1)

    def test_what_lanes_do_is_what_the_graph_of_it_does(self):
        for workload in (
            'workload = {kind = "nccl", name = "allreduce", algorithm = "tree", message_bytes = 5000000, channels = 3}\n',
            'workload = {kind = "training", layers = 8, hidden = 512, sequence = 256, batch = 16, tensor = 2, pipeline = 4}\n',
            'workload = {kind = "training", layers = 8, hidden = 512, sequence = 256, batch = 16, pipeline = 2, zero_stage = 3}\n',
        ):
            self.same_as_its_graph(workload)


if __name__ == "__main__":
    unittest.main()
