"""No test is skipped for want of the program or of mpirun, which every build has: a skipped test looks like one that
passed. What may be missing are optional packages, data beside the repository, and what the machine decides."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

SKIP = re.compile(r"skipTest\(|skipIf\(|skipUnless\(|SkipTest\(|GTEST_SKIP\(|exit\(77|SKIPPED = 77")
# Words of the line (or the one before it, which says why) that make a skip legitimate.
ALLOWED = re.compile(r"the module \w+ is not installed|shellcheck|opensm|libfaketime|/dev/full|WEFT_SHARED|root "
                     r"may|cluster\.missing|no checkpoints"
                     r"|skipped: \{reason\}|trace is not there|mpich is not installed|chromium"
                     r"|\{(self|cls)\.library\} is (not )?installed|hpcc is not installed|LAMMPS is not installed"
                     r"|QEMU or the guests' kernel is not there|Debian has no hpcc for MPICH|mkdocs is not installed"
                     r"|needs root|not installed: qemu-user|apt is not installed|unreachable|Open MPI is not installed "
                     r"with its headers")


def sources():
    for path in sorted(TESTS.rglob("*")):
        if path.suffix in (".py", ".cpp", ".hpp") and path != Path(__file__).resolve():
            yield path, path.read_text(encoding="utf-8").splitlines()


class Skips(unittest.TestCase):
    def test_every_skip_is_for_something_that_may_be_missing(self):
        for path, lines in sources():
            for number, line in enumerate(lines, 1):
                if SKIP.search(line):
                    around = " ".join(lines[max(0, number - 3):number])
                    place = f"{path.relative_to(TESTS)}:{number}: {line.strip()}"
                    if path.name == "replay.py":
                        around += " ".join(lines[:8])
                    self.assertRegex(around, ALLOWED, place)

    def test_the_program_is_found_in_one_place(self):
        for path, lines in sources():
            if path.suffix == ".py" and path.name != "harness.py":
                for line in lines:
                    self.assertNotRegex(line, r"environ(\.get)?[\[(]\s*[\"']WEFT_(BINARY|MPIRUN)\b",
                                        f"{path}: use harness.weft()")

    def test_suites_without_the_program_fail(self):
        suites = [path for path, lines in sources() if path.suffix == ".py" and path.name != "harness.py"
                  and any("= harness.weft()" in line for line in lines)]
        self.assertGreaterEqual(len(suites), 7)
        environment = {key: value for key, value in os.environ.items() if key != "WEFT_BINARY"}
        cases = [(suite, environment) for suite in suites]
        cases.append((suites[0], dict(environment, WEFT_BINARY="/no/such/weft")))
        for suite, variables in cases:
            with self.subTest(suite=suite.name):
                done = subprocess.run([sys.executable, "-B", str(suite)], env=variables, capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("WEFT_BINARY", done.stderr)


if __name__ == "__main__":
    unittest.main()
