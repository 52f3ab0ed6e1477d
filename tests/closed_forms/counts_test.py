"""Collective operations whose pieces differ in length, and those of neighbours, on the ideal network: messages that are empty
are not sent, the longest piece sets the time; and what is wrong with lengths is said.

Environment: WEFT_BINARY is the program."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from ideal_test import WEFT

CONFIG = """
format = 1
topology = { kind = "ideal", nodes = 5 }
ideal = { latency_ns = 1000, byte_gap_ns = 1 }
packet = { phits = 1024, phit_bytes = 16 }
workload = { kind = "collective" }
"""
COUNTS = [700, 300, 0, 5000, 41]


def ran(*settings):
    """Exit status, summary if it is 0, and errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.toml"
        path.write_text(CONFIG)
        words = [word for setting in settings for word in ("--set", setting)]
        result = subprocess.run([WEFT, "run", path, "--json", "-", "--progress", "never", *words], capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout) if result.returncode == 0 else {}, result.stderr


def summary(name, counts):
    code, found, errors = ran(f'workload.name="{name}"', f"workload.counts={counts}")
    assert code == 0, errors
    return found


class Counts(unittest.TestCase):
    def test_messages_are_those_that_are_not_empty(self):
        for name, messages in (("gatherv", 3), ("scatterv", 3), ("allgatherv", 4 * 4), ("all-to-allv", 4 * 4), ("all-to-allw", 4 * 4)):
            with self.subTest(name):
                self.assertEqual(summary(name, COUNTS)["messages"]["delivered"], messages)

    def test_the_longest_piece_sets_the_time(self):
        # Messages of s bytes take L + (s - 1) G; a ring takes each piece P - 1 hops.
        self.assertEqual(max(summary("gatherv", [0, 0, 0, 5000, 0])["task_finish_cycles"]), 1000 + 4999)
        self.assertEqual(max(summary("allgatherv", [0, 0, 0, 5000, 0])["task_finish_cycles"]), 4 * (1000 + 4999))

    def test_neighbours_exchange_in_one_flight(self):
        code, found, errors = ran('workload.name="neighbour-alltoall"', "topology.nodes=12", "workload.shape=[4,3]", "workload.message_bytes=500")
        self.assertEqual(code, 0, errors)
        self.assertEqual(found["messages"]["delivered"], 2 * (3 * 3 + 2 * 4))
        code, _, text = ran('workload.name="gather"', "workload.shape=[5]")
        self.assertEqual(code, 2)
        self.assertIn("workload.shape", text)
        self.assertIn('name = "neighbour-allgather"', text)

    def test_lengths_that_do_not_fit_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "counts.txt"
            path.write_text("1 2\n3 four\n")
            for settings, texts in (
                (['workload.name="gatherv"', "workload.counts=[1,2,3]"], ["workload.counts has 3 numbers for 5 tasks", "give 5"]),
                (['workload.name="gather"', "workload.counts=[1,2,3,4,5]"], ["has no effect with gather", 'name = "gatherv"']),
                (['workload.name="gatherv"', "workload.counts=[1,2,3,4,5]", "workload.message_bytes=9"], ["workload.message_bytes", "with workload.counts"]),
                (['workload.name="gatherv"', f'workload.counts_file="{path}"'], ["counts.txt:2: no number of bytes", "four"]),
            ):
                with self.subTest(settings):
                    code, _, text = ran(*settings)
                    self.assertNotEqual(code, 0)
                    for part in texts:
                        self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
