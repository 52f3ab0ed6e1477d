#!/usr/bin/env python3
"""Several jobs through the real program: what each is told to have done, by how much it is slower than alone, and that neither
ranks nor checkpoints change anything.

Environment: WEFT_BINARY, WEFT_MPIRUN."""

import json
import subprocess
import unittest

import harness

h5py = harness.module("h5py")
WEFT = harness.weft()

# Two jobs that share a ring of 16 nodes: each sends through the nodes of the other.
RING = """format = 1
topology = {kind = "torus", dims = [16]}
link.rate_gbps = 10
[[job]]
name = "a"
workload = {kind = "kernel", name = "butterfly", tasks = 8, message_bytes = 4096, repetitions = 4}
placement = {policy = "file", path = "nodes.txt"}
[[job]]
name = "b"
workload = {kind = "kernel", name = "butterfly", tasks = 8, message_bytes = 4096, repetitions = 4}
placement = {policy = "file", path = "nodes.txt"}
"""
SHARED = "\n".join(f"{2 * task} {task} a\n{2 * task + 1} {task} b" for task in range(8)) + "\n"
APART = "\n".join(f"{task} {task} a\n{8 + task} {task} b" for task in range(8)) + "\n"
NOISE = """[[job]]
name = "noise"
repeat = "until-others-end"
nodes = 8
workload = {pattern = "uniform", offered_load = 0.5}
"""
TORUS = """format = 1
topology = {kind = "torus", dims = [8, 8]}
[[job]]
name = "a"
workload = {kind = "kernel", name = "mesh", tasks = 16, message_bytes = 1000, repetitions = 5}
placement = {policy = "random"}
[[job]]
name = "b"
workload = {kind = "collective", name = "all-to-all", tasks = 8, message_bytes = 200}
"""


class Jobs(harness.Scratch):
    def result(self, config, *arguments, ranks=1):
        path = self.write("config.toml", config)
        command = harness.with_mpi([WEFT, "run", path, "--json", "-", "--out", self.folder / "r.h5", "--progress", "never", *arguments], ranks)
        return subprocess.run(command, capture_output=True, text=True, env=harness.environment(ranks), check=False)

    def run_of(self, config, *arguments, ranks=1):
        done = self.result(config, *arguments, ranks=ranks)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def jobs_of(self, config, *arguments):
        return {row["name"]: row for row in self.run_of(config, *arguments)["jobs"]}

    def test_each_has_a_row_that_says_what_it_did(self):
        found = self.run_of(TORUS + NOISE)
        a, b, noise = found["jobs"]
        self.assertEqual([a["name"], b["name"], noise["name"]], ["a", "b", "noise"])
        self.assertEqual([a["tasks"], b["tasks"], noise["tasks"]], [16, 8, 8])
        self.assertEqual(a["messages"], 5 * 48)  # a 4x4 mesh has 24 pairs of neighbours, each both ways
        self.assertEqual(b["messages"], 8 * 7)
        self.assertEqual(a["bytes"], 5 * 48 * 1000)
        self.assertEqual(a["latency"]["count"], 5 * 48 * 16)  # packets of 64 bytes
        self.assertEqual(found["packets"]["delivered"], sum(row["latency"]["count"] for row in found["jobs"]))
        self.assertEqual(found["latency"]["max"], max(row["latency"]["max"] for row in found["jobs"]))
        self.assertEqual([row["background"] for row in found["jobs"]], [False, False, True])
        self.assertIsNone(noise["finish_cycle"])
        self.assertTrue(all(row["slowdown"] is None for row in found["jobs"]))
        self.assertAlmostEqual(a["bytes_per_cycle"], a["bytes"] / (a["finish_cycle"] - a["start_cycle"]))
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual([name.decode() for name in file["/jobs/name"][()]], ["a", "b", "noise"])
            self.assertEqual(file["/jobs/finish_cycle"][0], a["finish_cycle"])

    def test_a_burst_ends_when_its_last_packet_is_there(self):
        burst = '[[job]]\nname = "burst"\nnodes = 8\nworkload = {kind = "burst", burst_packets = 10}\n'
        summary = self.run_of('format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n' + burst)
        # The network is empty a few cycles later: what is behind the last packet is told to the routers before.
        self.assertLessEqual(summary["jobs"][0]["finish_cycle"], summary["cycles"])
        self.assertGreater(summary["jobs"][0]["finish_cycle"], summary["cycles"] - 20)

    def test_sources_on_failed_nodes_are_refused_with_the_name_of_the_job(self):
        burst = '[[job]]\nname = "burst"\nnodes = 8\nworkload = {kind = "burst", burst_packets = 10}\n'
        done = self.result('format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nfaults.nodes = [2]\n' + burst)
        self.assertEqual(done.returncode, 2)
        self.assertIn('job "burst": task 2 is placed on node 2, which has failed', done.stderr)

    def test_they_begin_when_they_are_told_to(self):
        usual = self.jobs_of(TORUS)
        late = self.jobs_of(TORUS, "--set", "job.b.start_cycles=10000")
        self.assertEqual(late["b"]["start_cycle"], 10000)
        self.assertLess(usual["a"]["finish_cycle"], 10000)
        # It does not meet a there: as long as alone, but for arbitration, whose draws are of other cycles.
        alone = self.jobs_of(TORUS, "--set", "job.b.start_cycles=10000", "--slowdown")
        self.assertAlmostEqual(alone["b"]["slowdown"], 1, delta=0.1)
        after = self.jobs_of(TORUS, "--set", "job.b.after=a")
        self.assertGreaterEqual(after["b"]["start_cycle"], after["a"]["finish_cycle"])

    def test_jobs_that_share_links_slow_each_other_down_and_others_do_not(self):
        self.write("nodes.txt", SHARED)
        shared = self.jobs_of(RING, "--slowdown")
        self.assertGreater(shared["a"]["slowdown"], 1.2)
        self.assertGreater(shared["b"]["slowdown"], 1.2)
        self.write("nodes.txt", APART)
        apart = self.jobs_of(RING, "--slowdown")
        self.assertEqual([apart["a"]["slowdown"], apart["b"]["slowdown"]], [1.0, 1.0])
        self.assertAlmostEqual(apart["a"]["finish_ns"], apart["a"]["finish_cycle"] * 3.2)

    def test_pauses_of_a_job_are_the_same_alone(self):
        # Without contention nobody is slowed down by others, pauses of the system or not.
        pauses = "noise = \"exponential\", noise_ns = 300, noise_interval_ns = 2000"
        jobs = "".join(f'[[job]]\nname = "{name}"\nworkload = {{kind = "kernel", name = "butterfly", tasks = 8, message_bytes = 4096, '
                       f'repetitions = 9, {pauses}}}\n' for name in "ab")  # fmt: skip
        summary = self.run_of('format = 1\ntopology = {kind = "ideal", nodes = 16}\nideal.overhead_ns = 200\n' + jobs, "--slowdown")
        rows = summary["jobs"]
        self.assertEqual([row["slowdown"] for row in rows], [1.0, 1.0])
        self.assertNotEqual(rows[0]["finish_cycle"], rows[1]["finish_cycle"])  # each has pauses of its own

    def test_several_seeds_have_means_over_them(self):
        runs = [self.run_of(TORUS, "--slowdown", "--set", f"simulation.seed={seed}")["jobs"] for seed in (1, 2, 3)]
        rows = self.run_of(TORUS, "--slowdown", "--set", "measure.seeds=3")["jobs"]
        for job, row in enumerate(rows):
            for figure in ("start_cycle", "finish_cycle"):
                self.assertAlmostEqual(row[figure], sum(run[job][figure] for run in runs) / 3)
            self.assertAlmostEqual(row["latency"]["mean"], sum(run[job]["latency"]["mean"] for run in runs) / 3)
            self.assertEqual(row["latency"]["count"], sum(run[job]["latency"]["count"] for run in runs))
            self.assertAlmostEqual(row["slowdown"], sum(run[job]["slowdown"] for run in runs) / 3)

    def test_background_goes_on_until_the_others_are_over(self):
        quiet = self.jobs_of(TORUS, "--slowdown")
        loud = self.jobs_of(TORUS + NOISE.replace("nodes = 8", "nodes = 40"), "--slowdown")
        self.assertGreater(loud["a"]["slowdown"], quiet["a"]["slowdown"])
        self.assertIsNone(loud["noise"]["slowdown"])
        again = TORUS + '[[job]]\nname = "ring"\nrepeat = "until-others-end"\nworkload = {kind = "collective", name = "allgather", tasks = 4, message_bytes = 8}\n'
        self.assertGreater(self.jobs_of(again)["ring"]["repetitions"], 1)

    def test_what_nobody_receives_is_delivered_before_the_run_is_over(self):
        burst = '[[job]]\nname = "c"\nnodes = 11\nafter = "b"\nworkload = {kind = "burst", burst_packets = 10}\n'
        found = self.run_of(TORUS + burst)
        self.assertEqual(found["packets"]["in_flight"], 0)
        self.assertEqual((found["messages"]["delivered"], found["jobs"][2]["messages"]), (found["messages"]["sent"], 110))

    def test_one_history_on_any_ranks_and_from_a_checkpoint(self):
        config = TORUS + NOISE
        one = self.run_of(config)
        for ranks, protocol in ((2, "windowed"), (3, "null-message")):
            several = self.run_of(config, "--set", f"parallel.protocol={protocol}", ranks=ranks)
            self.assertEqual((several["digest"], several["jobs"]), (one["digest"], one["jobs"]))
        checkpoint = self.folder / "c.h5"
        self.run_of(config, "--set", "checkpoint.every_cycles=1000", "--set", f"checkpoint.path={checkpoint}")
        resumed = self.run_of(config, "--resume", checkpoint, ranks=2)
        self.assertEqual((resumed["digest"], resumed["jobs"]), (one["digest"], one["jobs"]))

    def test_a_run_of_some_cycles_tells_which_jobs_are_over(self):
        found = self.jobs_of(TORUS, "--set", "simulation.cycles=200")
        self.assertIsNone(found["a"]["finish_cycle"])
        self.assertEqual(found["a"]["start_cycle"], 0)

    def test_tasks_that_the_end_cuts_off_are_not_said_to_be_over(self):
        found = self.run_of(TORUS + NOISE)
        self.assertEqual((found["tasks"]["count"], found["tasks"]["finished"]), (32, 24))
        self.assertEqual(found["tasks"]["finish_cycles_max"], found["jobs"][0]["finish_cycle"])
        self.assertEqual(found["task_finish_cycles"][24:], [None] * 8)

    def test_what_needs_jobs_is_refused_without(self):
        done = self.result('format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n', "--slowdown")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the config has no [[job]]", done.stderr)

    def test_packets_of_headers_alone_are_refused_for_sources_too(self):
        config = 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nrouter.kind = "myrinet"\nsimulation.cycles = 100\n' + NOISE
        done = self.result(config, "--set", "packet.phits=1")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("packet.header_phits = 1 leaves nothing of packet.phits = 1", done.stderr)

    def test_too_many_nodes_are_refused_with_the_name_of_the_job(self):
        done = self.result(TORUS + NOISE.replace("nodes = 8", "nodes = 41"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("noise", done.stderr)

    def test_a_sweep_varies_a_job(self):
        self.write("base.toml", TORUS)
        study = self.write("study.toml", 'format = 1\n[sweep]\nbase = "base.toml"\nout = "results"\n[[sweep.axis]]\n'
                                         'key = "job.a.workload.message_bytes"\nvalues = [100, 2000]\n')  # fmt: skip
        done = subprocess.run([WEFT, "sweep", study], capture_output=True, text=True, env=harness.environment(1), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        [table] = (self.folder / "results").glob("*.csv")
        header, *rows = table.read_text().splitlines()
        self.assertIn("job.a.workload.message_bytes", header)
        self.assertEqual(len(rows), 2)


if __name__ == "__main__":
    unittest.main()
