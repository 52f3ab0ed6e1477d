"""Accelerators, and collective operations: messages and bytes are those of the definitions."""

import unittest

from cases import Case


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
        sends = [line for line in (self.folder / "b.trc").read_text(encoding="utf-8").splitlines() if line.startswith("s")]
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


if __name__ == "__main__":
    unittest.main()
