"""Tests of the default set that reserve processors (PROCESSORS), which keeps others waiting, say why here. Environment:
WEFT_BINARY, which lies in the build folder."""

import json
import re
import subprocess
import unittest
from pathlib import Path

import harness

BUILD = Path(harness.weft()).parents[1]
# By the name of the test. Ranks that are threads sleep while they wait, and need no reservation for that.
REASONS = {
    r"ranks\.processes|ranks\.phold_.*|checkpoint\.(signals|kills|disks|short-soak)|failures\.deadlocks|scaling\.studies|closed_forms\.explain_ranks":
        "processes of mpirun wait for each other without sleeping",
    r"mpi\..*|tracer\..*|cosim\..*|packaging\.plugins": "programs of real MPI libraries",
    r"slurm\..*": "a cluster of daemons with jobs of several ranks",
    r"ranks\.(matrix-\d+|plain)|checkpoint\.resume|traces\..*|random\.short": "runs of up to four threads, one after "
                                                                              "the other",
    r"ranks\.schemes|crossvalidation\..*|closed_forms\.fairness_.*|sweep\..*": "runs two or more programs at once",
    r"pages|pages\.pictures": "a browser, which has threads of its own",
}


def reserved():
    """Names of the default set's tests that reserve more than a processor."""
    done = subprocess.run(["ctest", "--show-only=json-v1", "--label-exclude", "^(docs|long|bench)$"], cwd=BUILD,
                          capture_output=True,
                          text=True, check=True)
    for test in json.loads(done.stdout)["tests"]:
        processors = next((one["value"] for one in test.get("properties", []) if one["name"] == "PROCESSORS"), 1)
        if processors > 1:
            yield test["name"]


class Reservations(unittest.TestCase):
    def test_have_reasons(self):
        without = [name for name in reserved() if not any(re.fullmatch(pattern, name) for pattern in REASONS)]
        self.assertEqual(without, [])

    def test_no_reason_is_left_over(self):
        names = list(reserved())
        for pattern in REASONS:
            for alternative in re.split(r"\|(?![^()]*\))", pattern):
                self.assertTrue(any(re.fullmatch(alternative, name) for name in names), alternative)


if __name__ == "__main__":
    unittest.main()
