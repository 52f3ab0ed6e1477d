"""What the Python suites share: where the program and mpirun are, the environment they need, a scratch folder, and the
one call that runs a config.

ctest sets WEFT_BINARY (the program) and WEFT_MPIRUN. A suite that lacks what it is there to test fails: a test that was
skipped looks like one that passed. By hand: tests/by-hand tests/.../x_test.py"""

import collections
import importlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALL_CASES = bool(os.environ.get("WEFT_ALL_CASES"))  # long tests take all cases of what each check takes some of
MPI_ENV = ROOT / "tools" / "mpi-env.sh"
IS_TRACE = ROOT / "examples" / "traces" / "is.S.16.trc.xz"

# What Open MPI chooses on one machine anyway. Not looking for fast networks halves the start of a run, which is most of
# what many tests do.
os.environ.setdefault("OMPI_MCA_pml", "ob1")


def needed(variable, default=""):
    """Absolute path of the program that an environment variable names; ends the suite, as failed, if there is none."""
    name = os.environ.get(variable) or default
    if not name:
        sys.exit(f"{variable} is not set: the suite has nothing to test (ctest sets it)")
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{variable} = '{name}' is no program that can be started")
    return os.path.abspath(found)


def weft():
    return needed("WEFT_BINARY")


def mpirun():
    return needed("WEFT_MPIRUN", "mpirun")


def module(name):
    """A Python module that tools/packages.txt lists; ends the suite, as failed, if this interpreter has it not."""
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.exit(f"{sys.executable} has no module {name} (tools/packages.txt: python3-{name}, of /usr/bin/python3)")


def script(path):
    """A Python file beside what it belongs to, as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def with_mpi(command, ranks=1, launcher=(), processes=False):
    """The command on so many ranks, in the environment of mpi-env.sh: of `weft run` the threads of one process, unless
    they are to be processes; of other commands processes. Unbound: tests run side by side, and each mpirun would bind
    its ranks to the same first cores."""
    if ranks > 1 and not launcher:
        if list(command)[1:2] == ["run"] and not processes:
            command = [*command, "--threads", str(ranks)]
        else:
            launcher = (mpirun(), "-n", str(ranks), "--bind-to", "none")
    return ["bash", "-c", '. "$0"; exec "$@"', str(MPI_ENV), *map(str, launcher), *map(str, command)]


Process = collections.namedtuple("Process", "pid parent executable words")


def running():
    """Processes of this machine: pid, the parent's pid, executable ("" where that is not ours to see), words of the
    command. One that ends while it is looked at is left out: a pattern over /proc would fail there."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        folder = Path("/proc", name)
        try:
            parent = int((folder / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[1])
            words = (folder / "cmdline").read_text(encoding="utf-8", errors="replace").split("\0")
            executable = os.readlink(folder / "exe")
        except PermissionError:
            executable = ""
        except OSError:
            continue
        found.append(Process(int(name), parent, executable, words))
    return found


def environment(ranks=1, **more):
    """For with_mpi(): ranks that wait give way, since they share their cores with other tests."""
    return dict(os.environ, WEFT_RANKS=str(ranks), OMPI_MCA_mpi_yield_when_idle="1", **more)


def toml(value):
    """A value as --set takes it; texts as they are."""
    return json.dumps(value) if isinstance(value, (bool, dict, list, tuple)) or value is None else str(value)


def settings(keys):
    """Words that give keys of the config another value: {"simulation.seed": 2} or {"simulation__seed": 2}."""
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={toml(value)}")]


def config_path(config, folder):
    """The file of a config: a path (in the folder, if it is not absolute), a text, which becomes config.toml in the
    folder (`format = 1` is put before it if it says none), or the name of an example."""
    if isinstance(config, Path) or str(config).endswith(".toml"):
        return config
    if re.fullmatch(r"[\w-]+", config):
        return ROOT / "examples" / f"{config}.toml"
    text = config if "format = 1" in config else "format = 1\n" + config
    (Path(folder) / "config.toml").write_text(text, encoding="utf-8")
    return "config.toml"


def run(config, *words, folder=None, **how):
    """Scratch.run_json() outside of a Scratch; in a folder of its own unless one is given."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="weft-run-") as own:
            return run(config, *words, folder=own, **how)
    test = Scratch()
    test.folder = Path(folder)
    return test.run_json(config, *words, **how)


def page_spec(path):
    """What a page of weft shows: the JSON in it."""
    text = Path(path).read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="page">(.*?)</script>', text, re.DOTALL).group(1))


def page_figures(path):
    """Figures of a page by their titles; of equal titles the first."""
    figures = [figure for section in page_spec(path)["sections"] for figure in section["figures"]]
    return {figure.get("title", ""): figure for figure in reversed(figures)}


class Scratch(unittest.TestCase):
    """A test with a folder of its own, self.folder."""

    # whether ranks of `weft run` are processes: of tests that are about MPI, in which ranks are killed, say
    processes = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix=f"weft-{type(self).__name__.lower()}-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        """A file in the folder from text or bytes; its path."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def weft(self, *words, ranks=1, code=0, seconds=120):
        """Standard output of the program, and its standard error as `self.errors`; the exit code must be `code`, or any
        other than 0 if that is None."""
        done, out, self.errors = self.finish(self.start([weft(), *words], ranks), seconds)
        said = f"weft {' '.join(map(str, words))}\n{out}\n{self.errors}"
        if code is None:
            self.assertNotEqual(done, 0, said)
        else:
            self.assertEqual(done, code, said)
        return out

    def json_of(self, *words, ranks=1, seconds=120):
        """What a command prints with --json -."""
        return json.loads(self.weft(*words, "--json", "-", ranks=ranks, seconds=seconds))

    def run_json(self, config, *words, ranks=1, code=0, seconds=120, **keys):
        """What `weft run` prints as JSON, or what it says on standard error if the exit code is to be another than 0.
        `config`: see config_path(). Words: options, "key=value" and dictionaries of keys; keys as names with __ for the
        dot."""
        options = []
        for word in words:
            is_setting = isinstance(word, str) and re.match(r"[a-z][\w-]*(\.[\w-]+)+=",
                                                            word) and options[-1:] != ["--set"]
            options += settings(word) if isinstance(word, dict) else ["--set", word] if is_setting else [word]
        command = ["run", config_path(config, self.folder), *options, *settings(keys), "--progress", "never"]
        if code == 0:
            return self.json_of(*command, ranks=ranks, seconds=seconds)
        self.weft(*command, ranks=ranks, code=code, seconds=seconds)
        return self.errors

    def refused(self, words, config, *more, code=2, **how):
        """The run ends with this exit code, and each of the words is in what it says."""
        said = self.run_json(config, *more, code=code, **how)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, said)

    def start(self, command, ranks=1, launcher=(), cwd=None, stdout=subprocess.PIPE, variables=None, **more):
        """Starts a command in the folder, in a process group of its own so that all its ranks can be ended together."""
        return subprocess.Popen(with_mpi(command, ranks, launcher, self.processes), cwd=cwd or self.folder,
                                env=environment(ranks, **(variables or {})), stdin=subprocess.DEVNULL, stdout=stdout,
                                stderr=subprocess.PIPE, text=True, start_new_session=True, **more)

    def finish(self, process, seconds=60):
        """Exit code, standard output and standard error; ends the group where it takes too long."""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.fail(f"did not end within {seconds} s")
        return process.returncode, out, err
