"""What runs at the endpoints of a co-simulation: whoever leaves early harms nobody, whoever fails is named, the history
knows no slices, and an example runs from any folder.

    tests/by-hand tests/cases/cosim_programs_test.py"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from cases import WEFT, Case

import harness

PACKAGE = harness.ROOT / "tools" / "python"
MACHINE = """format = 1
topology = {kind = "torus", dims = [2, 2]}
router = {kind = "switch"}
link = {rate_gbps = 100, latency_cycles = 30}
[cosim]
endpoints = "sockets"
nic_latency_ns = 500
patience_s = 20
"""
# Endpoint 0 sends a message to each other one, which answer it; who has answered leaves.
PROGRAM = """import os, sys
sys.path.insert(0, sys.argv[2])
from weft import cosim

behaviour, own = sys.argv[1], int(os.environ["WEFT_COSIM_ENDPOINT"])
got = 0
with cosim.Endpoint("test") as me:
    for until_ns, messages in me.slices():
        if own == 0 and me.now_ns == 0:
            for other in range(1, 4):
                me.send(0, other, 100 * other)
        for message in messages:
            got += 1
            if own > 0:
                me.send(message.time_ns, 0, 50)
        me.idle_until(cosim.NEVER)
        if got == (3 if own == 0 else 1):
            if behaviour == "ends":
                me.end()
            if behaviour == "leaves":
                break
            if behaviour == "raises" and own == 2:
                raise SystemExit(7)
            if behaviour == "fails":
                me.end()
if behaviour == "fails" and own == 2:
    sys.exit(3)
"""


class Programs(Case):
    def cosim(self, behaviour, *words, code=0):
        self.write("machine.toml", MACHINE)
        self.write("program.py", PROGRAM)
        command = f"exec {sys.executable} -B program.py {behaviour} {PACKAGE}"
        words = ["--set", f"cosim.command={command!r}", *words]
        found, out, err = self.finish(self.start([WEFT, "cosim", "machine.toml", "--quiet", "--json", "-", *words]))
        self.assertEqual(found, code, err)
        return json.loads(out) if out else {}, err

    def test_who_leaves_without_a_word_has_ended(self):
        ended, left = (self.cosim(behaviour)[0] for behaviour in ("ends", "leaves"))
        self.assertEqual([row["ended"] for row in left["cosim"]["endpoints"]], [True] * 4)
        self.assertEqual(left["cosim"]["messages"], 6)
        self.assertEqual(left["cosim"]["payload_digest"], ended["cosim"]["payload_digest"])
        self.assertEqual(left["digest"], ended["digest"])

    def test_who_leaves_by_an_error_ends_the_run_for_all(self):
        err = self.cosim("raises", code=5)[1]
        self.assertIn("endpoint 2", err)

    def test_who_fails_after_its_part_fails_the_run(self):
        result, err = self.cosim("fails", code=4)
        self.assertEqual(result["stop_reason"], "endpoint-failed")
        self.assertEqual(result["cosim"]["messages"], 6)
        self.assertIn("the program of endpoint 2", err)
        self.assertIn("exit code 3", err)

    def test_the_history_knows_no_slices(self):
        runs = [self.cosim("ends", "--set", f"cosim.slice_ns={ns}")[0] for ns in (1000, 777, 250)]
        self.assertEqual(len({run["cosim"]["payload_digest"] for run in runs}), 1)
        self.assertEqual(len({run["digest"] for run in runs}), 1)

    def test_the_example_runs_from_any_folder(self):
        example = harness.ROOT / "examples" / "cosim" / "ring.toml"
        code, out, err = self.finish(self.start([WEFT, "cosim", str(example), "--quiet"]))
        self.assertEqual(code, 0, err)
        self.assertIn("round 3", out + err)


class Advice(Case):
    def test_a_build_without_the_part_for_processes_says_what_would_have_it(self):
        """A program without its libraries beside it, and an mpirun that says what it is."""
        shutil.copy(WEFT, self.folder / "weft")
        self.write("machine.toml",
                   'format = 1\ntopology = {kind = "torus", dims = [2, 2]}\nrouter = {kind = "switch"}\nlink = '
                   '{rate_gbps = 100}\n'
                   '[workload]\ntasks = 2\n[cosim]\nendpoints = "processes"\nprogram = "./none"\n')  # fmt: skip
        path = os.pathsep.join([str(self.folder), os.environ["PATH"]])
        for version, words in (("5.0.3", ["Open MPI 5.0.3, which is installed here", "with Open MPI 4",
                                          "weft trace record"]),
                               ("4.1.4", ["install the headers of Open MPI 4", "libopenmpi-dev"])):  # fmt: skip
            launcher = self.write("mpirun.openmpi", f'#!/bin/sh\necho "mpirun (Open MPI) {version}"\n')
            launcher.chmod(0o755)
            done = subprocess.run([self.folder / "weft", "cosim", "machine.toml"], cwd=self.folder, env=os.environ
                                  | {"PATH": path},
                                  capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
            self.assertEqual(done.returncode, 2, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
            self.assertEqual("libopenmpi-dev" in done.stderr, version < "5")

    def test_an_unmatched_receive_names_what_the_user_has(self):
        graph = "num_ranks 2\nrank 0 {\nl1: recv 8b from 1 tag 0\n}\nrank 1 {\nl1: calc 5\n}\n"
        self.write("lone.goal", graph)
        network = "format = 1\n[topology]\nkind = \"ideal\"\nnodes = 2\n"
        self.write("trace.toml", network + '[workload]\nkind = "trace"\npath = "lone.goal"\n')
        code, _, err = self.finish(self.start([WEFT, "run", "trace.toml", "--quiet"]))
        self.assertEqual(code, 4, err)
        self.assertIn("weft trace check", err)


if __name__ == "__main__":
    unittest.main()
