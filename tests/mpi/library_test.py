"""What MPI libraries send for collective operations, recorded anew at some points (library_messages.py), against what
weft sends with `workload.collectives`; all points that were recorded before:
tests/workloads/generator/collective/libraries_test.cpp.

    tests/by-hand tests/mpi/library_test.py OpenMpi"""

import collections
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import harness
from library_messages import is_known_version, missing, record

WEFT = harness.weft()
CONFIG = """format = 1
[topology]
kind = "ideal"
nodes = {nodes}
[workload]
kind = "collective"
"""
POINTS = [("barrier", 0, 1), ("broadcast", 900, 1), ("broadcast", 70000, 1), ("allreduce", 12, 1),
          ("allreduce", 9000, 1), ("reduce", 5000, 1),
          ("scatter", 3000, 1), ("allgather", 77, 1), ("all-to-all", 600, 1), ("all-to-allw", 600, 1),
          ("reduce-scatter", 2500, 1), ("scan", 44, 1),
          ("allgatherv", 100, 1), ("allgatherv", 7874, 1), ("allgatherv", 50000, 1), ("all-to-allv", 600, 1),
          ("gatherv", 900, 1), ("scatterv", 900, 1)]


def of_weft(library, point, ranks, folder):
    """Counter of (from, to, bytes) of the program that weft writes."""
    operation, size, commutes = point
    config, program = Path(folder) / "config.toml", Path(folder) / "program.goal"
    config.write_text(CONFIG.format(nodes=ranks), encoding="utf-8")
    keys = {"name": operation, "collectives": library, "commutative": bool(commutes), "tasks": ranks}
    if size:
        keys["message_bytes"] = size
    settings = [word for key, value in keys.items() for word in ("--set", f"workload.{key}={json.dumps(value)}")]
    subprocess.run([WEFT, "trace", "generate", "--config", config, "--out", program, *settings], check=True,
                   capture_output=True)
    messages, rank = collections.Counter(), None
    for line in program.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"rank (\d+)", line):
            rank = int(found[1])
        elif found := re.search(r"send (\d+)b to (\d+)", line):
            messages[rank, int(found[2]), int(found[1])] += 1
    return messages


class Library:
    def test_weft_sends_what_the_library_sends(self):
        if absent := missing(self.library):
            self.skipTest(f"{self.library} is not installed ({', '.join(absent)})")
        if not is_known_version(self.library):
            self.skipTest(f"another version than {self.library} is installed")
        with tempfile.TemporaryDirectory() as folder:
            for ranks in (4, 5):
                for point, messages in zip(POINTS, record(self.library, ranks, POINTS, folder)):
                    with self.subTest(point=point, ranks=ranks):
                        self.assertGreater(sum(messages.values()), 0)
                        self.assertEqual(of_weft(self.library, point, ranks, folder), messages)


class OpenMpi(Library, unittest.TestCase):
    library = "openmpi-4.1"


class Mpich(Library, unittest.TestCase):
    library = "mpich-4.0"


if __name__ == "__main__":
    unittest.main()
