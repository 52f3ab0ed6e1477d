"""Accelerators, and collective operations: messages and bytes are those of the definitions."""

import re
import unittest

from cases import Case

TO_EXPERTS = re.compile(r"send (\d+)b to (\d+) tag 3\b")  # the tag of messages to experts and back


class ChakraGroups(Case):
    """Two groups of two, each with an allreduce of 1 MiB: a ring of two sends half of the data twice."""

    case = "chakra-comm_group"

    def test_comm_group_names_the_group_of_an_operation(self):
        found = self.json_of("trace", "info", "step.*.et")
        self.assertEqual(found["operations"]["send"], 2 * 2 * 2)
        self.assertEqual(found["bytes"], 2 * 2 * 2**20)


class HierarchicalBarrier(Case):
    case = "01-barrier-hierarchical"

    def test_it_sends_a_message_for_each_edge_up_and_down_and_for_each_step_between_nodes(self):
        self.weft("trace", "generate", "--config", "barrier.toml", "--out", "b.trc")
        sends = [line for line in (self.folder / "b.trc").read_text(encoding="utf-8").splitlines()
                 if line.startswith("s")]
        up_and_down, among_nodes = 2 * 2 * 2, 2
        self.assertEqual(len(sends), up_and_down + among_nodes)


class TrainingWithExperts(Case):
    case = "11-training-experts"

    def bytes_of(self, activity, **keys):
        return next(row["bytes"] for row in self.run_json("t.toml", **keys)["activities"] if row["name"] == activity)

    def test_what_tensors_send_with_experts_is_what_they_send_without(self):
        activations = 8 * 64 * 2  # tokens of a micro-batch, elements, bytes
        passes = 4 * 2 * 2  # sequences, forward and backward, tensors of each: 2 of data with half of the sequences
        halves = 4  # an allreduce around attention, one around the feed-forward part
        self.assertEqual(self.bytes_of("tensor"), passes * halves * activations // 2)
        self.assertEqual(self.bytes_of("tensor", workload__sequence_parallel=False), passes * halves * activations // 2)

    def test_experts_elsewhere_have_the_copies_of_tokens_gathered_among_tensors(self):
        for sequence_parallel in (True, False):
            keys = {"workload__experts": 4, "workload__expert": 2, "workload__sequence_parallel": sequence_parallel}
            one = self.bytes_of("tensor", workload__top_k=1, **keys)
            self.assertEqual(one, self.bytes_of("tensor"))
            # Attention as before, each copy of a token as much again.
            self.assertEqual(self.bytes_of("tensor", workload__top_k=3, **keys), one // 2 * 4)


class UnequalExperts(Case):
    """Four accelerators with two experts each; one micro-batch of 8 sequences of 64 tokens, of 2 x 64 bytes."""

    case = "training-popularity"
    TOKENS, TOKEN_BYTES, COPIES = 8 * 64, 2 * 64, 2

    def activities(self, **keys):
        found = self.run_json("t.toml", **keys)
        return found, {row["name"]: row for row in found["activities"]}

    def test_each_exchange_has_all_copies_of_all_tokens_whatever_the_popularity(self):
        passes = 2 * 3  # forward and backward, of each layer
        whole = passes * 2 * self.TOKENS * self.COPIES * self.TOKEN_BYTES
        for keys in ({}, {"law": '"zipf"'}, {"law": '"zipf"', "exponent": 4}, {"law": '"uniform"'}):
            _, of = self.activities(**{f"workload__counts_{key}": value for key, value in keys.items()})
            self.assertEqual(of["expert"]["bytes"], 4 * whole * 3 // 4, keys)
        _, equal = self.activities()
        for schedule in ("1f1b", "zero-bubble"):
            _, of = self.activities(workload__counts_law='"uniform"', workload__schedule=f'"{schedule}"')
            self.assertEqual(of["gradients"]["bytes"], equal["gradients"]["bytes"])

    def test_tokens_come_back_from_where_they_went(self):
        self.weft("trace", "generate", "--config", "t.toml", "--set", "workload.counts_law=zipf", "--out", "t.goal")
        between, task = {}, None
        for line in (self.folder / "t.goal").read_text(encoding="utf-8").splitlines():
            task = int(line.split()[1]) if line.startswith("rank ") else task
            if sent := TO_EXPERTS.search(line):
                between.setdefault((task, int(sent[2])), []).append(int(sent[1]))
        self.assertEqual(len(between), 12)
        for (a, b), sizes in between.items():
            # There and back, in each pass of a layer: what goes one way comes the other way next.
            other = between[b, a]
            self.assertEqual((sizes[0::2], sizes[1::2]), (other[1::2], other[0::2]))
            self.assertFalse(any(size % self.TOKEN_BYTES for size in sizes))
            # Forward through the layers, then backward.
            pairs = list(zip(sizes[0::2], sizes[1::2], strict=True))
            self.assertEqual(pairs, pairs[::-1])

    def test_computing_follows_the_tokens_that_come(self):
        """Measured times, so that an expert's forward time is in proportion to its tokens: all together they are as
        long as equal ones."""
        self.write("times.txt", "attention * 0 0 0\nfeed-forward * 100000 0 0\nlogits 0 0 0\noptimizer * 0\n")
        times = {"workload__times": '"times.txt"'}
        ends, shares = [], []
        for law in ("equal", "zipf"):
            self.weft("trace", "generate", "--config", "t.toml", "--set", "workload.times=times.txt", "--set",
                      f"workload.counts_law={law}", "--out", "t.goal")
            computed, task = {}, None
            for line in (self.folder / "t.goal").read_text(encoding="utf-8").splitlines():
                task = int(line.split()[1]) if line.startswith("rank ") else task
                if " calc " in line and not line.endswith(" 0"):
                    computed.setdefault(task, []).append(int(line.split()[2]))
            shares.append(computed)
            ends.append(self.activities(workload__counts_law=f'"{law}"', **times)[0]["tasks"]["finish_ns_max"])
        equal, unequal = shares
        self.assertEqual(set(map(tuple, equal.values())), {(100_000,) * 3})
        self.assertAlmostEqual(sum(map(sum, unequal.values())), sum(map(sum, equal.values())), delta=12)
        self.assertGreater(max(map(sum, unequal.values())), 1.2 * 300_000)
        self.assertGreater(ends[1], ends[0])

    def test_one_history_on_any_number_of_ranks_and_as_a_trace(self):
        for law in ("zipf", "uniform"):
            one = self.run_json("t.toml", workload__counts_law=f'"{law}"')
            for ranks in (2, 3, 4):
                self.assertEqual(self.run_json("t.toml", ranks=ranks, workload__counts_law=f'"{law}"')["digest"],
                                 one["digest"])
            self.weft("trace", "generate", "--config", "t.toml", "--set", f"workload.counts_law={law}", "--out",
                      "t.goal")
            self.write("goal.toml",
                       'format = 1\ninclude = "network.toml"\nworkload = {kind = "trace", path = "t.goal"}\n')
            self.assertEqual(self.run_json("goal.toml")["task_finish_cycles"], one["task_finish_cycles"])

    def test_seeds_layers_and_exponents_draw_anew(self):
        ends = [self.run_json("t.toml", workload__counts_law='"zipf"', **keys)["digest"]
                for keys in ({}, {"simulation__seed": 2}, {"workload__counts_exponent": 2})]  # fmt: skip
        self.assertEqual(len(set(ends)), 3)
        # Equally popular by another word.
        alike = self.run_json("t.toml", workload__counts_law='"zipf"', workload__counts_exponent=0)
        self.assertEqual(alike["task_finish_cycles"], self.run_json("t.toml")["task_finish_cycles"])

    def test_a_law_without_effect_is_refused_with_what_to_do(self):
        for keys, why in (({"workload.expert": 1}, "give workload.expert = 2 or more"),
                          ({"workload.top_k": 8}, "use a smaller top_k"),
                          ({"workload.counts_law": "zip"}, 'did you mean "zipf"'),
                          ({"workload.experts": 1 << 20, "workload.layers": 512}, "use fewer layers or experts")):
            words = [word for key, value in {"workload.counts_law": "zipf", **keys}.items()
                     for word in ("--set", f"{key}={value}")]
            self.weft("run", "t.toml", *words, code=2)
            self.assertIn(why, self.errors)


if __name__ == "__main__":
    unittest.main()
