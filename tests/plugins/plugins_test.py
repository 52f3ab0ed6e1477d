#!/usr/bin/env python3
"""Parts that a stranger adds, each one file of this folder: they are listed, checked, run on any number of ranks, and drawn
in random configurations as those of the program are.

Environment: WEFT_BINARY is the program that they are linked into; WEFT_MPIRUN is mpirun."""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

WEFT = harness.weft()
HERE = Path(__file__).resolve().parent

TORUS = """
format = 1
topology.kind = "torus"
topology.dims = [4, 4]
simulation.cycles = 2000
"""


class Plugins(harness.Scratch):
    def result(self, config, *arguments, ranks=1):
        path = self.write("config.toml", config)
        command = harness.with_mpi([WEFT, "run", path, "--json", "-", "--out", self.folder / "r.h5", "--progress", "never", *arguments], ranks)
        done = subprocess.run(command, capture_output=True, text=True, env=harness.environment(ranks), check=False)
        return done.returncode, done.stdout, done.stderr

    def run_of(self, config, *arguments, ranks=1):
        code, out, err = self.result(config, *arguments, ranks=ranks)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def refusal(self, config, *arguments):
        code, _, err = self.result(config, *arguments)
        self.assertEqual(code, 2, err)
        return err

    def described(self):
        done = subprocess.run([WEFT, "describe", "--json", "-"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def assert_one_history(self, config):
        digests = {self.run_of(config, "--set", f"parallel.protocol={protocol}", ranks=ranks)["digest"]
                   for ranks, protocol in ((1, "auto"), (2, "windowed"), (3, "null-message"))}
        self.assertEqual(len(digests), 1, digests)


class Pattern(Plugins):
    CONFIG = TORUS + 'workload.pattern = "nearby"\nstatistics.pairs = true\n'

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("nearby", [row["name"] for row in found["patterns"]])
        keys = {row["key"]: row["kinds"] for row in found["settings"] if row["kinds"] == ["nearby"]}
        self.assertEqual(set(keys), {"workload.reach", "workload.far_percent"})

    def test_its_keys_reach_it(self):
        near = self.run_of(self.CONFIG, "--set", "workload.reach=1")
        far = self.run_of(self.CONFIG, "--set", "workload.reach=1", "--set", "workload.far_percent=100")
        self.assertLess(near["distance"]["mean"], 1.3)  # nodes 1 and 15 of 16 on a 4x4 torus: one hop, or two at the ends
        self.assertAlmostEqual(far["distance"]["mean"], 32 / 15, delta=0.1)

    def test_its_keys_are_checked(self):
        self.assertIn("0..100", self.refusal(self.CONFIG, "--set", "workload.far_percent=101"))
        self.assertIn('use pattern = "nearby"', self.refusal(TORUS, "--set", "workload.reach=3"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Trial(unittest.TestCase):
    def test_no_other_file_names_a_plug_in(self):
        names = set()
        for file in HERE.glob("*.cpp"):
            names.update(re.findall(r'\.add\(\s*"([^"]+)"', file.read_text()))
        self.assertGreaterEqual(len(names), 1)
        for folder in ("engine", "models", "workloads", "tools"):
            for file in (harness.ROOT / folder).rglob("*.?pp"):
                for name in names:
                    self.assertNotIn(f'"{name}"', file.read_text(), file)


if __name__ == "__main__":
    unittest.main()
