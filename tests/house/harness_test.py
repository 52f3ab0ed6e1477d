"""One way to run weft from Python: tests call tests/harness.py. Helpers of their own would each treat ranks, folders,
exit codes and keys in a way of their own. Modules that tests share are found by PYTHONPATH (tests/python.cmake,
tests/by-hand)."""

import ast
import re
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
NAME = re.compile(r"(run|weft)(_|$)|summary$")
STARTS = re.compile(r"\bWEFT\b|harness\.weft\(\)|with_mpi\(|options\.weft|subprocess\.(run|Popen)\(")
# Folders whose helpers are about more than a run: files of a study or of a cluster, tasks beside weft, builds of other
# programs.
ALLOWED = {
    "bench": "measures programs that are given by name",
    "checkpoint": "interrupts what it starts",
    "cosim": "starts guests and processes beside weft",
    "crossvalidation": "by hand, with other programs beside it",
    "engine": "a program of its own",
    "house": "programs that stand in for weft",
    "mpi": "with programs of MPI beside it",
    "packaging": "installed programs, in places of their own",
    "pages": "before any test, for the browser",
    "random": "each run in a folder of its own, shown as a shell command",
    "ranks": "a program that is given by name",
    "scaling": "a study",
    "slurm": "in the environment of a cluster",
    "sweep": "tasks of a batch system",
    "tools": "the command line itself",
    "tracer": "programs of MPI that are traced",
}
PATHS = {"bench", "crossvalidation"}  # by hand: no PYTHONPATH
PACKAGE = re.compile(r"tools|PACKAGE|argv|ranks")  # the package of tools/python, or what a subprocess is told


def helpers(text):
    """Names of functions that start weft by themselves, though they are called as the harness's are."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and NAME.match(node.name) and STARTS.search(ast.get_source_segment(text,
                node)):
            yield node.name


class Harness(unittest.TestCase):
    def test_no_test_has_a_helper_of_its_own_that_runs_weft(self):
        for path in sorted(TESTS.glob("*/**/*.py")):
            if path.relative_to(TESTS).parts[0] not in ALLOWED:
                self.assertEqual(list(helpers(path.read_text(encoding="utf-8"))), [],
                                 f"{path}: use harness.run_json() or weft()")

    def test_no_test_changes_where_modules_are_found(self):
        for path in sorted(TESTS.rglob("*.py")):
            if path.relative_to(TESTS).parts[0] not in PATHS and path != Path(__file__).resolve():
                for line in path.read_text(encoding="utf-8").splitlines():
                    if re.match(r"\s*sys\.path(\.insert|\[)", line):
                        self.assertRegex(line, PACKAGE, path)

    def test_what_is_allowed_is_there(self):
        self.assertEqual([folder for folder in ALLOWED if not any((TESTS / folder).rglob("*.py"))], [])

    def test_the_test_sees_what_it_is_there_for(self):
        self.assertEqual(list(helpers("def run_it(x):\n    return subprocess.run([WEFT, x])\ndef runs(x):\n    return "
                                      "WEFT\n")), ["run_it"])
        self.assertEqual(list(helpers("class A:\n    def summary(self):\n        return self.run_json('x')\n")), [])


if __name__ == "__main__":
    unittest.main()
