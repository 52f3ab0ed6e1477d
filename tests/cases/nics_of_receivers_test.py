"""Accelerators in nodes: by which NIC messages come, and how many NICs the trees of NCCL use."""

import unittest

from cases import Case

TASKS = 4  # and NICs of each of two nodes
MESSAGE = 1 << 20
NETWORK = """format = 1
[topology]
kind = "clos"
leaf_down = 4
leaf_up = 4
leaves = 2
[router]
kind = "switch"
[packet]
phits = 16
phit_bytes = 64
[link]
rate_gbps = 100
[node]
tasks = 4
nics = 4
[workload]
kind = "trace"
path = "sends.goal"
"""


class Arrivals(Case):
    def time(self, receiver_of, **keys):
        """ns of a message of each task of node 0 to a task of node 1."""
        sends = [f"rank {task} {{\nsend {MESSAGE}b to {receiver_of(task)} tag {task}\n}}\n" for task in range(TASKS)]
        gets = [f"recv {MESSAGE}b from {task} tag {task}\n" for task in range(TASKS)]
        receives = [f"rank {to} {{\n{''.join(get for task, get in enumerate(gets) if receiver_of(task) == to)}}}\n" for to in range(TASKS, 2 * TASKS)]
        self.write("sends.goal", f"num_ranks {2 * TASKS}\n{''.join(sends)}{''.join(receives)}")
        self.write("n.toml", NETWORK)
        return self.run_json("n.toml", **keys)["tasks"]["finish_ns_max"]

    def test_who_is_in_demand_has_one_nic_where_messages_come_by_that_of_their_task(self):
        one = self.time(lambda task: TASKS + task)
        hot = self.time(lambda task: TASKS)
        self.assertAlmostEqual(hot / one, 1, delta=0.1)
        hot = self.time(lambda task: TASKS, node__nic_arrival='"task"')
        self.assertAlmostEqual(hot / one, TASKS, delta=0.1 * TASKS)

    def test_messages_across_rails_do_not_wait_for_each_other(self):
        one = self.time(lambda task: TASKS + task)
        across = self.time(lambda task: TASKS + (task + 1) % TASKS, node__nic_arrival='"task"')
        self.assertAlmostEqual(across / one, 1, delta=0.1)

    def test_it_is_the_same_on_two_ranks_and_for_rendezvous(self):
        keys = {"node__nic_arrival": '"task"', "workload__rendezvous_bytes": 1000}
        self.time(lambda task: TASKS, **keys)
        digests = {self.run_json("n.toml", ranks=ranks, **keys)["digest"] for ranks in (1, 2)}
        self.assertEqual(len(digests), 1)


class Trees(Case):
    NIC, PATH = 50, 450  # GB/s of each NIC, and of each task's side of the path in its node
    # Of S / channels bytes: sends of a NIC of a node inside the tree, and of a task on the path (up and down in all chains, the ends
    # of which send one way only).
    SENDS = {8: 3, 16: 4}
    PATH_SENDS = 2 * 7 / 8

    def bandwidth(self, channels, **keys):
        self.take("users/nccl.toml")
        text = (self.folder / "nccl.toml").read_text(encoding="utf-8")
        keep = text[text.index("[node]"):].replace('attachment = "rails"\n', "")
        self.write("ideal.toml", 'format = 1\n[topology]\nkind = "ideal"\nnodes = 4\n[ideal]\nbyte_gap_ns = 0.02\nlatency_ns = 1000\n' + keep)
        keys |= {"workload__algorithm": '"tree"', "workload__message_bytes": 1 << 26, "workload__hop_ns": 0, "workload__channels": channels}
        return self.run_json("ideal.toml", **keys)["bandwidth"]["algorithm_gbytes_per_s"]

    def test_as_many_channels_as_nics_use_them_all(self):
        # A NIC sends up once and down twice where its node is inside the tree; with both trees at each place up twice and down twice.
        for channels, sends in self.SENDS.items():
            bound = self.NIC * channels / sends
            found = self.bandwidth(channels, node__path_gbps=8000 * self.PATH, node__path_latency_ns=0, ideal__latency_ns=0, workload__chunk_bytes=1 << 16)
            self.assertGreater(found, 0.97 * bound)
            self.assertLess(found, 1.001 * bound)  # a message of s bytes holds its NIC for s - 1 gaps

    def test_they_take_no_longer_than_their_nics_and_the_path_one_after_the_other(self):
        # Ends of chains do not wait for anybody, so that what they send at once may keep a path from what a NIC waits for.
        for channels, sends in self.SENDS.items():
            found = self.bandwidth(channels)
            self.assertGreater(found, 1 / (sends / channels / self.NIC + self.PATH_SENDS / self.PATH))
            self.assertLess(found, 1.001 * self.NIC * channels / sends)


if __name__ == "__main__":
    unittest.main()
