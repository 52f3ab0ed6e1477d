"""The cost of combining (workload.combine_ns_per_byte) on the ideal network: with latency alone, a reduction takes as much longer as its
longest chain of sums says.

Environment: WEFT_BINARY is the program."""

import math
import unittest

from ideal_test import FREE, run

LATENCY = {**FREE, "latency_ns": 1000}


def time_of(algorithm, tasks, size, cost, **more):
    keys = {"topology.nodes": tasks, "workload.name": "allreduce", "workload.algorithm": algorithm, "workload.message_bytes": size,
            **{f"workload.{key}": value for key, value in more.items()}}  # fmt: skip
    if cost:
        keys["workload.combine_ns_per_byte"] = cost
    return max(run(LATENCY, keys)["task_finish_cycles"])


class Combining(unittest.TestCase):
    def more(self, algorithm, tasks, size, cost, **keys):
        return time_of(algorithm, tasks, size, cost, **keys) - time_of(algorithm, tasks, size, 0, **keys)

    def test_recursive_doubling_adds_up_all_in_each_step(self):
        for tasks in (2, 8, 64):
            for size, cost in ((100, 1.0), (4096, 0.25), (3, 0.5)):
                self.assertEqual(self.more("recursive-doubling", tasks, size, cost), int(math.log2(tasks)) * math.floor(size * cost + 0.5))

    def test_halving_adds_up_all_but_a_share_in_all(self):
        for tasks in (4, 16):
            self.assertEqual(self.more("rabenseifner", tasks, 64 * tasks, 1.0), 64 * (tasks - 1))

    def test_a_ring_adds_up_each_block_once(self):
        self.assertEqual(self.more("ring", 8, 800, 2.0), 7 * 100 * 2)

    def test_parts_count_what_is_added_up_only(self):
        self.assertEqual(self.more("reduce-broadcast", 8, 100, 1.0), 3 * 100)
        self.assertEqual(self.more("hierarchical", 16, 100, 1.0, node_tasks=4), (2 + 2) * 100)


if __name__ == "__main__":
    unittest.main()
