"""The config in a result can be run as it is, from any folder: of every example, read back; of small ones, run
again."""

import unittest

import h5py
from cases import Case, harness

EXAMPLES = harness.ROOT / "examples"
# Short enough to be run twice, one or more of each kind of workload, router and network.
RUN = ["all-to-allw", "allreduce", "circulant", "communicators", "expert-imbalance", "faults", "flows-incast",
       "full-mesh", "goal-rendezvous", "hyperx",
       "ideal", "in-network-allreduce", "indirect-cube", "jobs", "jobs-together", "nodes", "nodes-rails",
       "placement-hilbert", "planes", "source-routes",
       "sparse-matrix", "spinnaker-unicast", "switch-classes", "tasks-per-node", "timeline", "trace-ti",
       "trace-dimemas", "traffic-matrix", "wormhole-clos"]


def without_places(text):
    """What --print-config says but for its comments, which name files and lines."""
    return [line.split("  # ")[0] for line in text.split("\n") if not line.startswith("# ")]


class RunnableConfigs(Case):
    def config_of(self, result, name="again/kept.toml"):
        (self.folder / "again").mkdir(exist_ok=True)
        with h5py.File(self.folder / result) as file:
            return self.write(name, file.attrs["config_toml"])

    def examples(self):
        for path in sorted(EXAMPLES.glob("*.toml")):
            text = path.read_text()
            if "[scaling]" not in text and 'kind = "cosim"' not in text:
                yield path

    def test_what_print_config_says_can_be_read_back(self):
        (self.folder / "again").mkdir()
        for path in self.examples():
            with self.subTest(path.name):
                said = self.weft("run", path, "--print-config")
                self.write("again/said.toml", said)
                self.assertEqual(without_places(self.weft("run", "again/said.toml", "--print-config")),
                                 without_places(said))

    def test_of_every_example_a_result_keeps_a_config_that_is_accepted(self):
        for path in self.examples():
            with self.subTest(path.name):
                short = [] if path.stem in RUN else ["--set", "simulation.stop=cycles", "--set", "simulation.cycles=1"]
                self.weft("run", path, *short, "--allow-unused", "--progress", "never", "--out", "short.h5")
                self.weft("run", self.config_of("short.h5"), "--print-config")
                self.assertNotIn("has no effect", self.errors)

    def test_it_is_the_same_run_from_another_folder(self):
        for name in RUN:
            with self.subTest(name):
                first = self.run_json(EXAMPLES / f"{name}.toml", "--out", "first.h5")
                again = self.run_json(self.config_of("first.h5"), "--out", "again.h5")
                self.assertEqual((again["digest"], again["warnings"]), (first["digest"], first["warnings"]))
                with self.subTest("kept again"):
                    self.assertEqual(self.config_of("again.h5", "third.toml").read_text(),
                                     (self.folder / "again/kept.toml").read_text())


if __name__ == "__main__":
    unittest.main()
