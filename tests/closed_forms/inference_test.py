"""Inference and files of accelerators on the ideal network against closed forms (docs/inference.md, docs/accelerator-traces.md).

Environment: WEFT_BINARY is the program."""

import json
import shutil
import unittest

import harness
from on_ideal import IDEAL, WEFT, OnTheIdealNetwork, activity, flight_ns

ALGORITHM = harness.ROOT / "examples" / "traces" / "msccl" / "ring-allreduce-4.xml"


class Inference(OnTheIdealNetwork):
    SHAPE = {"layers": 8, "hidden": 1024, "vocabulary": 1000, "requests": 16, "prompt_tokens": 64, "output_tokens": 9, "max_batch": 16,
             "device_tflops": 100.0, "device_efficiency": 1.0, "memory_gbytes_per_s": 1000.0}  # fmt: skip

    def workload(self, **shape):
        rows = ", ".join(f"{key} = {json.dumps(value)}" for key, value in (self.SHAPE | shape).items())
        return f'workload = {{kind = "inference", {rows}}}\n'

    def inference(self, *settings, **shape):
        return self.summary(self.workload(**shape), *settings)

    def test_decoding_takes_the_time_in_which_the_weights_are_read(self):
        # One task, one request: 8 iterations, each of all weights, keys and values of the context, and the logits' weights.
        found = self.inference(tasks=1, requests=1)
        weights = 8 * 12 * 1024**2 + 1000 * 1024
        caches = sum(8 * 2 * 1024 * (context + 1) for context in range(65, 73))
        self.assertAlmostEqual(activity(found, "decode")["ns"] * 1000 / (2 * (8 * weights + caches)), 1, places=3)
        # 16 together take as long but for their caches: one reading serves them all.
        many = self.inference(tasks=1)
        self.assertAlmostEqual(activity(many, "decode")["ns"] * 1000 / (2 * (8 * weights + 16 * caches)), 1, places=3)

    def test_prompts_take_the_time_of_their_operations(self):
        found = self.inference(tasks=1, requests=4, prompt_tokens=2048, output_tokens=1, prefill_batch_tokens=8192)
        operations = 8 * (2 * 4 * 2048 * 12 * 1024**2 + 4 * 4 * 2048**2 * 1024) + 2 * 4 * 1000 * 1024
        self.assertAlmostEqual(activity(found, "prefill")["ns"] * 1e5 / operations, 1, places=3)
        self.assertEqual(activity(found, "decode")["ns"], 0)

    def test_tensors_are_reduced_twice_a_layer(self):
        for tensor in (2, 4):
            with self.subTest(tensor=tensor):
                found = self.inference(tasks=tensor, tensor=tensor, requests=1)
                tokens = 64 + 8
                self.assertEqual(activity(found, "tensor")["bytes"], tensor * 2 * 2 * (tensor - 1) * 8 * tokens * 1024 * 2 // tensor)
                # Rings of blocks: 2 (t - 1) steps, of prompts and of single tokens.
                ns = 2 * 8 * 2 * (tensor - 1) * (flight_ns(64 * 2048 // tensor) + 8 * flight_ns(2048 // tensor))
                self.assertAlmostEqual(activity(found, "tensor")["ns"] / ns, 1, places=3)

    def test_caches_that_are_sent_layer_by_layer_hide_behind_the_prefill(self):
        shape = {"tasks": 2, "prefill_tasks": 1, "prompt_tokens": 2048, "kv_hidden": 512, "requests": 1, "output_tokens": 5}
        whole, layers = (self.inference(kv_transfer=way, **shape) for way in ("whole", "layers"))
        caches = 2 * 8 * 512 * 2048 * 2
        for found in (whole, layers):
            self.assertEqual(activity(found, "kv")["bytes"], caches)
        self.assertEqual((activity(whole, "kv")["messages"], activity(layers, "kv")["messages"]), (1, 8))
        # Whole: it leaves when all layers are done. By layers: the last part leaves before the feed-forward part of the last layer.
        feed_forward = 2 * 2 * 2048 * 4 * 1024**2 / 1e5
        later = flight_ns(caches) - flight_ns(caches // 8) + feed_forward
        self.assertAlmostEqual((whole["tasks"]["finish_ns_max"] - layers["tasks"]["finish_ns_max"]) / later, 1, places=3)

    def test_stages_are_all_busy_with_as_many_slots(self):
        fast = ("ideal.latency_ns=0", "ideal.byte_gap_ns=0.0")
        shape = {"requests": 16, "max_batch": 16, "vocabulary": 1, "output_tokens": 65, "prompt_tokens": 1, "kv_hidden": 1}
        alone = self.inference(*fast, tasks=1, **shape)["tasks"]["finish_ns_max"]
        # Each slot has a fourth of the requests, and weights are read once for each slot: a stage reads its fourth of them 4 times.
        stages = self.inference(*fast, tasks=4, pipeline=4, **shape)["tasks"]["finish_ns_max"]
        self.assertAlmostEqual(stages / alone, 1, delta=0.02)

    def test_requests_come_when_they_arrive(self):
        found = self.inference(tasks=1, requests=200, requests_per_s=100.0, output_tokens=1)
        # The last of 200 arrives after 2 s in the mean, with a deviation of 7 %.
        self.assertAlmostEqual(found["tasks"]["finish_ns_max"] / 2e9, 1, delta=0.25)
        self.assertGreater(activity(found, "arrivals")["ns"], 0.9 * found["tasks"]["finish_ns_max"])

    def test_what_lanes_do_is_what_the_graph_of_it_does(self):
        for shape in ({"tasks": 16, "tensor": 2, "pipeline": 2, "requests_per_s": 1e4}, {"tasks": 16, "tensor": 2, "pipeline": 2, "prefill_tasks": 8},
                      {"tasks": 8, "expert": 4, "experts": 8, "tensor": 2}):  # fmt: skip
            self.same_as_its_graph(self.workload(**shape))

    def test_what_does_not_fit_is_refused_with_what_would(self):
        for shape, expected in (
            ({"tasks": 6, "tensor": 4}, "the number of tasks = 6 cannot be shared out evenly among workload.tensor x workload.pipeline = 4; use 4 or 8"),
            ({"tasks": 4, "pipeline": 3}, "workload.layers = 8 cannot be shared out evenly among workload.pipeline = 3; use 6 or 9"),
            ({"tasks": 4, "prefill_tasks": 4}, "use 3 or less"),
            ({"tasks": 4, "kv_transfer": "whole"}, "give prefill_tasks"),
            ({"tasks": 4, "expert": 2}, "give workload.experts"),
            ({"tasks": 4, "most_output_tokens": 4}, "is less than workload.output_tokens = 9"),
            ({"tasks": 4, "pipeline": 4, "max_batch": 3}, "use as many as stages"),
        ):
            with self.subTest(shape=shape):
                self.write("config.toml", IDEAL + self.workload(**shape))
                code, _, err = self.finish(self.start([WEFT, "run", "config.toml", "--progress", "never"]))
                self.assertEqual(code, 2, err)
                self.assertIn(expected, err)


class Files(OnTheIdealNetwork):
    def test_an_algorithm_takes_the_time_of_its_steps(self):
        shutil.copy(ALGORITHM, self.folder / "ring.xml")
        for chunk in (1 << 20, 16 << 20):
            with self.subTest(chunk=chunk):
                found = self.summary(f'workload = {{kind = "msccl", path = "ring.xml", message_bytes = {4 * chunk}, chunk_bytes = {chunk}}}\n')
                self.assertEqual(found["tasks"]["finish_ns_max"], 6 * flight_ns(chunk))
                self.assertEqual(activity(found, "allreduce")["bytes"], 4 * 6 * chunk)
                # Bytes a ns are 10^9 bytes/s; 2 (n - 1) / n of the data goes over the bus.
                self.assertAlmostEqual(found["bandwidth"]["algorithm_gbytes_per_s"], 4 * chunk / (6 * flight_ns(chunk)))
                self.assertAlmostEqual(found["bandwidth"]["bus_gbytes_per_s"], chunk / flight_ns(chunk))
        self.same_as_its_graph('workload = {kind = "msccl", path = "ring.xml", message_bytes = 4000000, chunk_bytes = 100000, hop_ns = 50}\n')

    def test_what_is_no_operation_of_nccl_has_no_bandwidth_of_the_bus(self):
        self.write("own.xml", ALGORITHM.read_text().replace('coll="allreduce"', 'coll="custom"'))
        self.assertNotIn("bandwidth", self.summary('workload = {kind = "msccl", path = "own.xml", message_bytes = 4000}\n'))

    def test_a_step_takes_the_time_of_its_lines(self):
        # Two lines on 4 x 4 accelerators: an allgather of 1 MB forward, and gradients of 16 MB that come last and are waited for.
        self.write("step.txt", "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 16 checkpoints: 0 checkpoint_initiates: 0\n"
                   "2\na -1 5000 ALLGATHER 1000000 7000 NONE 0 9000 ALLREDUCE 16000000 300\nb -1 1000 NONE 0 2000 NONE 0 4000 NONE 0 0\n")  # fmt: skip
        workload = 'workload = {kind = "aicb", path = "step.txt"}\n'
        computing, gather, reduce = 5000 + 1000 + 2000 + 4000 + 7000 + 9000, 3 * flight_ns(250_000), 6 * flight_ns(4_000_000)
        self.assertEqual(self.summary(workload)["tasks"]["finish_ns_max"], computing + gather + reduce + 300)
        twice = self.summary(workload, "workload.repetitions=2")
        self.assertEqual(twice["tasks"]["finish_ns_max"], 2 * (computing + gather + reduce + 300))
        self.assertEqual(activity(twice, "data")["bytes"], 2 * 16 * 2 * 3 * 4_000_000)
        self.same_as_its_graph(workload)


if __name__ == "__main__":
    unittest.main()
