"""What a command has started ends with it, whatever ends it: processes, on ranks too, and temporary files and folders.

    tests/by-hand tests/cases/signals_test.py"""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import cases
import harness

LONG = ('format = 1\n[topology]\nkind = "torus"\ndims = [16, 16]\n[workload]\noffered_load = 0.5\n[simulation]\ncycles '
        '= 1000000000\n')
TASKS = ('format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[link]\nrate_gbps = 100\n[workload]\nkind = '
         '"kernel"\nname = "mesh"\ntasks = 16\n'
         "message_bytes = 4096\nrepetitions = 1000000\n")  # fmt: skip
SWEEP = 'format = 1\n[sweep]\nbase = "long.toml"\n[[sweep.axis]]\nkey = "workload.offered_load"\nvalues = [0.1, 0.2]\n'
SCALING = ('format = 1\n[scaling]\nname = "s"\nbase = "long.toml"\nkind = "strong"\nranks = [2]\nrepeat = 1\nout = '
           '"out"\n'
           '[[scaling.size]]\nname = "a"\nset = ["topology.dims=[16, 16]"]\n')  # fmt: skip
MACHINE = ('format = 1\ntopology = {kind = "torus", dims = [2, 2]}\nrouter = {kind = "switch"}\nlink = {rate_gbps = '
           '100, latency_cycles = 30}\n'
           f'[cosim]\nendpoints = "sockets"\nnic_latency_ns = 500\ncommand = "exec {sys.executable} -B idle.py"\n')
IDLE = """import sys, time
sys.path.insert(0, PACKAGE)
from weft import cosim
with cosim.Endpoint("test") as me:
    for until_ns, messages in me.slices():
        time.sleep(0.01)
"""


class Signals(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("long.toml", LONG)
        self.write("tasks.toml", TASKS)
        self.write("sweep.toml", SWEEP)
        self.write("scaling.toml", SCALING)
        self.write("machine.toml", MACHINE)
        self.write("idle.py", IDLE.replace("PACKAGE", repr(str(harness.ROOT / "tools" / "python"))))

    def commands(self):
        """What is started, and how many processes it has when all of it is there: itself, who clears up after it, and
        what it starts."""
        weft, mpirun = cases.WEFT, harness.mpirun()
        return {
            "run": ([weft, "run", "long.toml", "--out", "a.h5"], 1),
            "ranks": ([mpirun, "-n", "2", weft, "run", "long.toml", "--out", "b.h5"], 3),
            "sweep": ([weft, "sweep", "sweep.toml", "--jobs", "2"], 4),
            "scaling": ([weft, "scaling", "scaling.toml"], 5),
            "explain": ([weft, "explain", "tasks.toml"], 2),
            "cosim": ([weft, "cosim", "machine.toml"], 6),
            "record": ([weft, "trace", "record", "--library", "openmpi", "--out", "recorded", "--", mpirun, "-n", "2",
                        "sleep", "1000"], 5),
            "study": ([weft, "study", "thin-trees-throughput", "--out", "studies", "--jobs", "1"], 4),
        }

    def start(self, name, command):
        """In a folder of its own, which tells its processes; temporary files have a folder in it."""
        place = self.folder / name
        (place / "tmp").mkdir(parents=True)
        for file in self.folder.iterdir():
            if file.is_file():
                (place / file.name).write_bytes(file.read_bytes())
        environment = harness.environment(2, TMPDIR=str(place / "tmp"), WEFT_PYTHON=sys.executable)
        return subprocess.Popen(command, cwd=place, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def processes(self, name):
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if Path(os.readlink(process / "cwd")).is_relative_to(self.folder / name):
                    found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
        return found

    def wait(self, condition, what, seconds=40):
        end = time.monotonic() + seconds
        while not (held := condition()) and time.monotonic() < end:  # it may hold for a moment: between runs of a study
            time.sleep(0.05)
        self.assertTrue(held, what())

    def test_nothing_is_left(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            started = {}
            try:
                for name, (command, _) in self.commands().items():
                    started[name] = self.start(name, command)
                for name, (_, count) in self.commands().items():
                    self.wait(lambda name=name, count=count: len(self.processes(name)) >= count,
                              lambda name=name: f"{name}: {self.processes(name)}")
                time.sleep(0.3)
                for process in started.values():
                    # A terminal sends its own to all of the group.
                    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
                for name, process in started.items():
                    with self.subTest(command=name, signal=number.name):
                        self.assertNotEqual(process.wait(40), 0)
                        self.wait(lambda name=name: not self.processes(name),
                                  lambda name=name: str(self.processes(name)), 15)
                        left = [path.name for path in (self.folder / name / "tmp").iterdir()]
                        # What a launcher that is killed leaves is its own.
                        self.assertEqual([path for path in left if number != signal.SIGKILL or path.startswith("weft")],
                                         [])
            finally:
                for process in started.values():
                    if process.poll() is None:
                        os.killpg(process.pid, signal.SIGKILL)
                        process.wait()
            for name in started:
                subprocess.run(["rm", "-rf", self.folder / name], check=True)


class Stores(cases.Case):
    def test_the_next_import_removes_what_one_that_was_killed_has_left(self):
        self.write("x.trc", "s 0 1 1 1\nr 0 1 1 1\n")
        gone = subprocess.Popen(["true"])
        gone.wait()
        left = [self.folder / f"x.trc.weft-store.new-{os.uname().nodename}-{process}-abcdef"
                for process in (gone.pid, os.getpid())]
        other = self.folder / f"x.trc.weft-store.new-elsewhere-{gone.pid}-abcdef"
        for folder in (*left, other):
            folder.mkdir()
        self.weft("trace", "info", "x.trc")
        self.assertEqual([folder.exists() for folder in (*left, other)], [False, True, True])
        self.assertTrue((self.folder / "x.trc.weft-store").is_dir())


if __name__ == "__main__":
    unittest.main()
