"""What the tests of cases share: a case is a folder of inputs beside this file, copied into a scratch folder for each
test."""

import shutil
from pathlib import Path

import harness

CASES = Path(__file__).resolve().parent

WEFT = harness.weft()


class Case(harness.Scratch):
    """A test in a folder that holds the inputs of its case, named by the class: `case = "flow-slowdown"`."""

    case = ""

    def setUp(self):
        super().setUp()
        if self.case:
            self.take(self.case)

    def take(self, name):
        """Inputs of a case, or of one file of a case, copied into the test's folder."""
        source = CASES / name
        if source.is_dir():
            shutil.copytree(source, self.folder, dirs_exist_ok=True)
        else:
            shutil.copy(source, self.folder)
