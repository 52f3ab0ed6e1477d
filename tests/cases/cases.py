"""What the tests of cases share: a case is a folder of inputs beside this file, copied into a scratch folder for each test."""

import json
import shutil
import sys
from pathlib import Path

CASES = Path(__file__).resolve().parent
sys.path.insert(0, str(CASES.parent))
import harness  # noqa: E402

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

    def weft(self, *words, ranks=1, code=0, seconds=120):
        """Standard output of the program, and its standard error as `self.errors`; the exit code must be `code`."""
        done, out, self.errors = self.finish(self.start([WEFT, *words], ranks), seconds)
        self.assertEqual(done, code, f"weft {' '.join(map(str, words))}\n{out}\n{self.errors}")
        return out

    def run_json(self, config, *words, ranks=1, seconds=120, **keys):
        """The JSON of a run. Keys of the config with __ for the dot: simulation__seed=2."""
        return self.json_of("run", config, *settings(keys), "--progress", "never", *words, ranks=ranks, seconds=seconds)

    def json_of(self, *words, ranks=1, seconds=120):
        """What a command prints with --json -."""
        return json.loads(self.weft(*words, "--json", "-", ranks=ranks, seconds=seconds))


def settings(keys):
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={toml(value)}")]


def toml(value):
    if isinstance(value, (bool, dict, list)):
        return json.dumps(value)
    return str(value)
