"""Endpoints of co-simulations that do what they should not are named, and nothing is left of a run that is killed:
neither programs, nor what these have started in sessions of their own, nor folders.

    tests/by-hand tests/cases/cosim_test.py"""

import os
import shutil
import signal
import sys
import time
import unittest
from pathlib import Path

from cases import WEFT, Case

KILLED_BY = (signal.SIGKILL, signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
MARK = "WEFT_TEST_OF_COSIM"


class Endings(Case):
    case = "cosim"

    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.launcher = None

    def cosim(self, behaviour, *words, **more):
        command = f"exec {sys.executable} -B endpoint.py '{behaviour}'"
        return self.start([WEFT, "cosim", "machine.toml", "--quiet", "--set", f"cosim.command={command!r}", *words],
                          **more)

    def programs(self):
        """Process ids of all that has been started with the mark of this test."""
        mark, found = f"{MARK}={self.folder}".encode(), []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if mark in Path("/proc", process, "environ").read_bytes().split(b"\0"):
                    found.append(int(process))
            except OSError:
                continue  # gone, or somebody else's
        return found

    def wait(self, what, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, what() if callable(what) else what)
            time.sleep(0.02)

    def folders(self):
        """But for those of a launcher that the test has killed."""
        return [path for path in self.temporary.iterdir() if path != self.launcher]

    def expect_nothing_left(self):
        self.wait(lambda: f"still run: {self.programs()}", lambda: not self.programs())
        self.wait(lambda: f"left: {self.folders()}", lambda: not self.folders())

    def variables(self):
        return {MARK: str(self.folder), "TMPDIR": str(self.temporary)}

    def kill_when(self, run, begun, number, everybody=False):
        """Once `begun`, by a signal that comes to the program alone, or to its ranks too."""
        self.wait("never began", lambda: begun() or run.poll() is not None)
        self.assertIsNone(run.poll(), "it has ended before")
        if everybody:
            os.killpg(run.pid, number)
        else:
            run.send_signal(number)
        self.finish(run)
        self.expect_nothing_left()


class Messages(Endings):
    def test_a_message_of_more_packets_than_are_counted_is_refused_by_name(self):
        for length in (2**40, 2**63, 2**64 - 1):
            code, _, err = self.finish(self.cosim(f"sends {length}"))
            self.assertEqual(code, 5, err)
            self.assertIn("endpoint 0 (odd) sends a message that is too long", err)
            self.assertIn(f"{length} bytes are {-(-length // 64)} packets of 64 bytes", err)
            self.assertNotIn("internal error", err)

    def test_an_endpoint_that_does_not_read_is_waited_for_as_long_as_one_that_says_nothing(self):
        code, _, err = self.finish(self.cosim("does not read"), seconds=40)
        self.assertEqual(code, 5, err)
        self.assertIn("endpoint 1 (odd) has not read what comes to it for 1 s", err)


class Killed(Endings):
    # One in the group of the endpoint, one in a session of its own.
    COMMAND = "sleep 1000 & setsid sleep 1001 & touch begun.$WEFT_COSIM_ENDPOINT; exec {python} -B endpoint.py hangs"

    def sockets(self, *words, ranks=1):
        for number in range(4):
            (self.folder / f"begun.{number}").unlink(missing_ok=True)
        run = self.start([WEFT, "cosim", "machine.toml", "--quiet", "--set", "cosim.patience_s=100", "--set",
                          f"cosim.command={self.COMMAND.format(python=sys.executable)!r}", *words],
                         ranks, variables=self.variables())  # fmt: skip
        return run, lambda: all((self.folder / f"begun.{number}").exists()
                                for number in range(4)) and len(self.programs()) >= 13

    def test_endpoints_and_what_they_started_end_with_the_program(self):
        for number in KILLED_BY:
            with self.subTest(signal=number.name):
                self.kill_when(*self.sockets(), number)

    def test_so_they_do_on_several_ranks(self):
        run, begun = self.sockets(ranks=2)
        self.launcher = self.temporary / f"ompi.{os.uname().nodename}.{os.getuid()}"
        self.kill_when(run, begun, signal.SIGKILL, everybody=True)

    def test_sockets_in_a_folder_of_the_user_go_and_the_folder_stays(self):
        run, begun = self.sockets("--set", "cosim.sockets=sockets")
        self.kill_when(run, begun, signal.SIGKILL)
        self.wait("sockets are left", lambda: not any((self.folder / "sockets").iterdir()))

    def test_what_left_its_group_ends_with_a_run_that_ends_by_itself(self):
        command = f"setsid sleep 1001 & exec {sys.executable} -B endpoint.py 'sends {2**40}'"
        code, _, err = self.finish(self.start([WEFT, "cosim", "machine.toml", "--quiet", "--set",
                                               f"cosim.command={command!r}"],
                                              variables=self.variables()))  # fmt: skip
        self.assertEqual(code, 5, err)
        self.assertEqual(self.programs(), [])
        self.expect_nothing_left()

    def test_processes_of_an_mpi_program_and_the_folder_of_their_launcher(self):
        if not shutil.which("mpirun.openmpi") or not (Path(WEFT).parents[1]
                                                      / "lib/weft/openmpi/mca_pml_weft.so").exists():
            self.skipTest("Open MPI is not installed with its headers")
        program = "sh -c 'setsid sleep 1001 & touch begun.$OMPI_COMM_WORLD_RANK; sleep 1000; true'"
        config = self.write("processes.toml",
                            'format = 1\ntopology = {kind = "torus", dims = [2, 2]}\nlink = {rate_gbps = 100}\n'
                            f'workload = {{tasks = 2}}\ncosim = {{endpoints = "processes", program = "{program}"}}\n')
        for number in (signal.SIGKILL, signal.SIGHUP):
            for path in self.folder.glob("begun.*"):
                path.unlink()
            run = self.start([WEFT, "cosim", config, "--quiet"], variables=self.variables())
            self.kill_when(run, lambda: len(list(self.folder.glob("begun.*"))) == 2, number)

    def test_folders_of_explain(self):
        config = self.write("long.toml",
                            'format = 1\ntopology = {kind = "torus", dims = [16, 16]}\nworkload = {kind = '
                            '"collective", '
                                         'name = "all-to-all", message_bytes = 100000}\n')  # fmt: skip
        run = self.start([WEFT, "explain", config], variables=self.variables())
        self.kill_when(run, lambda: any(self.temporary.iterdir()), signal.SIGKILL)


if __name__ == "__main__":
    unittest.main(verbosity=2)
