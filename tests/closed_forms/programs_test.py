#!/usr/bin/env python3
"""Programs on networks of routers: what overheads, rendezvous and jobs cost, by formulas and by each other.

Environment: WEFT_BINARY is the program."""

import json
import subprocess
import unittest

import harness

WEFT = harness.weft()
# A phit of 4 bytes in 10 ns at 3.2 Gbit/s.
TORUS = 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nlink.rate_gbps = 3.2\n'
PAIR = TORUS + ('workload = {kind = "exchange", name = "pairs", pairs = [0, 5], both_ways = false, message_bytes = %d}\n')
KERNEL = '{kind = "kernel", name = "mesh", tasks = 16, message_bytes = 500, repetitions = 3}'


class Programs(harness.Scratch):
    def result(self, config, *settings):
        path = self.write("config.toml", config)
        command = [WEFT, "run", path, "--json", "-", "--out", self.folder / "r.h5", "--progress", "never"]
        command += [word for setting in settings for word in ("--set", setting)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def run_of(self, config, *settings):
        done = self.result(config, *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def last_ns(self, config, *settings):
        return self.run_of(config, *settings)["tasks"]["finish_ns_max"]


class Messages(Programs):
    def test_matching_in_order_takes_no_time(self):
        for size in (1, 64, 1000):
            self.assertEqual(self.last_ns(PAIR % size, "workload.matching=order"), self.last_ns(PAIR % size))

    def test_overheads_add_to_both_ends_and_the_gap_to_the_receiver(self):
        for size in (1, 65, 1000):
            plain = self.last_ns(PAIR % size)
            costs = self.last_ns(PAIR % size, "workload.overhead_ns=200", "workload.byte_overhead_ns=0.5", "workload.gap_ns=70")
            byte_ticks = int((size - 1) * 0.05)  # rounded down to ticks of 10 ns
            self.assertEqual(costs, plain + 2 * (200 + 10 * byte_ticks) + 70)

    def test_a_rendezvous_waits_for_a_packet_there_and_a_packet_back(self):
        packet = self.last_ns(PAIR % 64)
        for size in (65, 640, 5000):
            self.assertEqual(self.last_ns(PAIR % size, "workload.rendezvous_bytes=64"), self.last_ns(PAIR % size) + 2 * packet)
        self.assertEqual(self.last_ns(PAIR % 64, "workload.rendezvous_bytes=64"), packet)

    def test_everybody_sends_first_and_a_rendezvous_is_no_deadlock(self):
        kernel = TORUS + f"workload = {KERNEL}\n"
        self.assertGreater(self.last_ns(kernel, "workload.rendezvous_bytes=100"), self.last_ns(kernel))


class Jobs(Programs):
    def job(self, name, keys="", workload=KERNEL):
        return f'[[job]]\nname = "{name}"\nworkload = {workload}\n{keys}\n'

    def jobs(self, config, *settings):
        summary = self.run_of(config, *settings)
        return {job["name"]: job for job in summary["jobs"]}, summary

    def test_a_job_alone_takes_what_the_workload_does(self):
        jobs, summary = self.jobs(TORUS + self.job("only"))
        alone = self.run_of(TORUS + f"workload = {KERNEL}\n")
        self.assertEqual(jobs["only"]["finish_cycle"], alone["cycles"])
        for key in ("packets", "messages", "hops", "latency"):
            self.assertEqual(summary[key], alone[key], key)

    def test_a_job_that_follows_begins_at_the_next_launch(self):
        network = TORUS.replace("[4, 4]", "[8, 8]")
        config = network + "simulation.launch_cycles = 700\n" + self.job("first") + self.job("second", 'after = "first"')
        jobs, _ = self.jobs(config)
        end = jobs["first"]["finish_cycle"]
        self.assertEqual(jobs["second"]["start_cycle"], (end // 700 + 1) * 700)
        # Nothing is left of the first, and the second has other nodes of the same shape.
        duration = jobs["second"]["finish_cycle"] - jobs["second"]["start_cycle"]
        self.assertAlmostEqual(duration / end, 1, delta=0.1)

    def test_background_repeats_until_the_others_end(self):
        network = TORUS.replace("[4, 4]", "[8, 8]")
        short = KERNEL.replace("repetitions = 3", "repetitions = 1")
        jobs, summary = self.jobs(network + self.job("front") + self.job("back", 'repeat = "until-others-end"', short))
        self.assertGreaterEqual(jobs["back"]["repetitions"], 2)
        self.assertIsNone(jobs["back"]["finish_cycle"])
        self.assertEqual(summary["cycles"] % 1000, 0)
        self.assertLess(summary["cycles"] - jobs["front"]["finish_cycle"], 1001)

    def test_jobs_far_from_each_other_are_not_slower_together(self):
        # Each in a group of its own of a dragonfly, whose minimal routes stay inside.
        network = ('format = 1\ntopology = {kind = "dragonfly", nodes_per_router = 2, routers_per_group = 4, global_links = 2}\n'
                   'router = {kind = "switch", routing = "minimal"}\n')  # fmt: skip
        one = KERNEL.replace("tasks = 16", "tasks = 4")
        both = self.job("a", workload=one) + self.job("b", 'placement = {policy = "shift", shift_nodes = 16}', one)
        path = self.write("config.toml", network + both)
        done = subprocess.run([WEFT, "run", path, "--slowdown", "--json", "-", "--out", self.folder / "r.h5", "--progress", "never"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        for job in json.loads(done.stdout)["jobs"]:
            self.assertAlmostEqual(job["slowdown"], 1, delta=0.02)

    def test_jobs_without_room_are_refused_by_name(self):
        done = self.result(TORUS + self.job("first") + self.job("second"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("second", done.stderr)


if __name__ == "__main__":
    unittest.main()
