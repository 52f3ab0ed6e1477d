"""Defaults that depend on kinds are printed with them, and are what a run without the key does; of random configs by
the check `defaults` of tests/random."""

import unittest

from cases import Case

import harness

RING = 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nlink = {rate_gbps = 100.0}\n'
AICB = RING + f'[workload]\nkind = "aicb"\npath = "{harness.ROOT}/examples/traces/aicb/moe-16.txt"\n'
INFERENCE = (RING
             + '[workload]\nkind = "inference"\nrequests = 2\nprompt_tokens = 16\noutput_tokens = 2\nlayers = '
               '2\nhidden = 64\ntensor = 4\n')
GRAPH = RING + '[workload]\nkind = "trace"\npath = "x.goal"\n'
RECORDS = RING + '[workload]\nkind = "trace"\npath = "x.trc"\n'


class CpuScale(Case):
    def digests(self, config, scales=(0, 1)):
        """Of a run without workload.cpu_scale, and of runs with it; and the value that the first has in its result."""
        self.write("run.toml", config)
        without = self.run_json("run.toml")
        return without["digest"], [self.run_json("run.toml", workload__cpu_scale=scale)["digest"]
                                   for scale in scales], without["config"]["workload"]["cpu_scale"]

    def test_of_accelerators_is_1_on_networks_of_packets(self):
        described = {row["name"]: row["defaults"] for row in self.json_of("describe")["workloads"]}
        for kind, config in (("aicb", AICB), ("inference", INFERENCE)):
            with self.subTest(kind=kind):
                without, (none, one), said = self.digests(config)
                self.assertNotEqual(none, one)
                self.assertEqual(without, one)
                self.assertEqual(said, 1.0)
                self.assertEqual(described[kind]["workload.cpu_scale"], 1.0)

    def test_of_graphs_is_1(self):
        self.write("x.goal",
                   "num_ranks 16\nrank 0 {\na: calc 100000\nb: send 64b to 1\nb requires a\n}\nrank 1 {\nc: recv 64b "
                   "from 0\n}\n" +
                   "".join(f"rank {task} {{\n}}\n" for task in range(2, 16)))  # fmt: skip
        without, (none, one), said = self.digests(GRAPH)
        self.assertNotEqual(none, one)
        self.assertEqual(without, one)
        self.assertIsNone(said)  # the file says what it is

    def test_of_a_job_is_that_of_its_kind(self):
        self.write("jobs.toml", RING + '[[job]]\nname = "a"\n[job.workload]\n' + INFERENCE.partition("[workload]\n")[2])
        without = self.run_json("jobs.toml")
        self.assertEqual(without["digest"], self.run_json("jobs.toml", job__a__workload__cpu_scale=1.0)["digest"])
        self.assertNotEqual(without["digest"], self.run_json("jobs.toml", job__a__workload__cpu_scale=0.0)["digest"])

    def test_is_described_with_the_kinds(self):
        said = " ".join(self.weft("describe", "workload.cpu_scale").split())
        self.assertIn('default none; 1.0 with router.kind = "ideal"; 1.0 with workload.kind = "inference", "aicb"',
                      said)
        self.assertIn("1 for graphs", said)
        self.write("run.toml", INFERENCE)
        self.assertIn("workload.cpu_scale = 1.0 real, 0.0..1e+09; default 1.0",
                      " ".join(self.weft("describe", "--for", "run.toml").split()))

    def test_router_defaults_are_described_with_the_keys(self):
        text = " ".join(self.weft("describe", "packet.phits").split())
        self.assertIn("default 16; ", text)
        self.assertIn('32 with router.kind = "extoll"', text)


class Fields(Case):
    def test_queues_of_cells_are_called_buffers(self):
        base = ('format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nsimulation = {cycles = 100}\nworkload = '
                '{offered_load = 0.1, pattern = "transpose"}\n')
        self.write("packets.toml", base)
        self.assertIn("4-packet queues", self.weft("run", "packets.toml", "--progress", "never"))
        self.write("cells.toml", base + 'router = {kind = "switch", virtual_channels = 4}\n')
        said = self.weft("run", "cells.toml", "--progress", "never")
        self.assertIn("-cell buffers", said)
        self.assertNotIn("-packet queues", said)
        self.assertIn("12 of 16 nodes send", said)

    def test_a_file_of_factors_may_be_of_more_tasks(self):
        self.write("factors.txt", "".join(f"{task} 2\n" for task in range(64)))
        self.write("run.toml", INFERENCE)
        self.assertNotEqual(self.run_json("run.toml", workload__cpu_factors='"factors.txt"')["digest"],
                            self.run_json("run.toml")["digest"])

    def test_jobs_without_room_are_told_to_share(self):
        job = '[[job]]\nname = "{0}"\nworkload = {{kind = "kernel", name = "mesh", message_bytes = 64, tasks = 16}}\n'
        self.write("jobs.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n' + job.format("a")
                   + job.format("b"))
        self.weft("run", "jobs.toml", code=2)
        self.assertIn("share the nodes", self.errors)


if __name__ == "__main__":
    unittest.main()
