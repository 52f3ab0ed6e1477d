"""A key given with its default value says no more than one that is not given: it is never an error, whatever else is
given, and the run is the same. The same of random configs: the check `defaults` of tests/random."""

import tomllib
import unittest

import harness
from cases import Case
from harness import toml

EXAMPLES = harness.ROOT / "examples"
TORUS = """format = 1
simulation = {tick_ps = 1000}
topology = {kind = "torus", dims = [4, 4]}
link = {rate_gbps = 32.0}
workload = {kind = "kernel", name = "mesh", message_bytes = 256, tasks = 16}
"""
JOBS = 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nlink = {rate_gbps = 32.0}\n[[job]]\nname = "a"\n'
TASKS = 'workload = {kind = "kernel", name = "mesh", message_bytes = 256, tasks = 8}\n'

# What is given, and keys with their defaults beside it, that say the same thing or depend on it.
BESIDE = [
    ({"workload.tasks_per_node": 4}, {"node.tasks": 1}),
    ({"link.latency_ns": 7.0}, {"link.latency_cycles": 1}),
    ({"link.latency_cycles": 7}, {"link.latency_ns": 0.0}),
    ({"node.path_latency_ns": 8.0, "node.tasks": 2}, {"workload.local_latency_cycles": 1}),
    ({"topology.planes": 2, "node.nics": 2}, {"faults.random_links": 0, "faults.random_nodes": 0, "faults.seed": 1}),
    ({"topology.planes": 1}, {"faults.random_links": 0}),
    ({"router.kind": "bubble"}, {"router.buffer_cells": 64, "router.lbr_packets": 0}),
    ({"simulation.cycles": 500, "simulation.stop": "cycles"}, {"measure.batches": 10, "measure.method": "batches"}),
]


class GivenDefaults(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.catalogue = None

    def described(self, config=None):
        """Defaults by key, those of the kinds that a config uses before those of all."""
        if self.catalogue is None:
            type(self).catalogue = self.json_of("describe")
        named = lambda table, name: next(row for row in self.catalogue[table] if row["name"] == name)  # noqa: E731
        rows = {row["key"]: row["default"] for row in self.catalogue["settings"] if row["default"] is not None}
        if config is None:
            return rows
        topology = config["topology"]["kind"]
        router = config.get("router", {}).get("kind", "auto")
        router = named("topologies", topology)["router"] if router == "auto" else router
        of_workload = named("workloads", config.get("workload", {}).get("kind", rows["workload.kind"]))["defaults"]
        return rows | of_workload | named("routers", router)["defaults"].get(topology, {})

    def words(self, keys):
        return [word for key, value in keys.items() for word in ("--set", f"{key}={toml_of(value)}")]

    def test_all_of_them_are_accepted_beside_what_examples_give(self):
        for path in sorted(EXAMPLES.glob("*.toml")):
            if "[scaling]" in path.read_text():
                continue
            with self.subTest(path.name):
                given = tomllib.loads(self.weft("run", path, "--print-config"))
                of_jobs = ["job", *(["workload", "placement"] if "job" in given else [])]
                defaults = {key: value for key, value in self.described(given).items() if not has(given, key)
                            and key.split(".")[0] not in of_jobs}
                self.weft("run", path, *self.words(defaults), "--print-config")

    def test_the_run_is_the_same(self):
        self.write("run.toml", TORUS)
        known = self.described()
        for given, beside in BESIDE:
            with self.subTest(given=given, beside=beside):
                keys = {key: known.get(key, value) for key, value in beside.items()}
                first = self.json_of("run", "run.toml", *self.words(given), "--progress", "never")
                again = self.json_of("run", "run.toml", *self.words(given | keys), "--progress", "never")
                self.assertEqual(again["digest"], first["digest"])

    def test_of_jobs_too(self):
        self.write("jobs.toml", JOBS + "start_ns = 500.0\nstart_cycles = 0\nnodes = 0\n" + TASKS)
        self.write("plain.toml", JOBS + "start_ns = 500.0\n" + TASKS)
        self.assertEqual(self.run_json("jobs.toml")["digest"], self.run_json("plain.toml")["digest"])
        self.write("after.toml", JOBS + TASKS + '[[job]]\nname = "b"\nafter = "a"\nstart_ns = 0.0\nstart_cycles = 0\n'
                   + TASKS)
        self.run_json("after.toml")

    def test_two_values_for_one_thing_are_still_refused(self):
        self.write("run.toml", TORUS)
        for keys in ({"workload.tasks_per_node": 4, "node.tasks": 2}, {"workload.tasks_per_node": 1, "node.tasks": 2},
                     {"link.latency_ns": 7.0, "link.latency_cycles": 2},
                     {"node.path_latency_ns": 8.0, "workload.local_latency_cycles": 3},
                     {"topology.planes": 2, "node.nics": 2, "faults.random_links": 1},
                     {"router.kind": "bubble", "router.buffer_cells": 65}):  # fmt: skip
            with self.subTest(keys):
                self.weft("run", "run.toml", *self.words(keys), code=2)

    def test_one_without_effect_is_warned_of(self):
        self.write("run.toml", TORUS + "router = {buffer_cells = 64}\n")
        self.weft("run", "run.toml", "--progress", "never")
        self.assertIn("router.buffer_cells = 64 has no effect", self.errors)


def has(config, key):
    for name in key.split("."):
        if not isinstance(config, dict) or name not in config:
            return False
        config = config[name]
    return True


def toml_of(value):
    return f'"{value}"' if isinstance(value, str) else toml(value)


if __name__ == "__main__":
    unittest.main()
