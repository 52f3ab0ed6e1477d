"""`weft cosim` with MPI processes: programs of this folder, compiled by Open MPI's mpicc, run under a simulated network
and by themselves.

    tests/by-hand tests/cosim/processes_test.py Results"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import harness

HERE = Path(__file__).resolve().parent

WEFT = harness.weft()
PROGRAMS = [*(HERE / f"processes_{name}.c" for name in ("calls", "workers", "endings", "times", "nodes")), harness.ROOT
            / "examples/cosim/solver.c"]
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Collective calls by the same rules as weft has processes use them.
NATIVE = {**ROOT, "OMPI_MCA_coll": "tuned,basic,libnbc,inter,self", "OMPI_MCA_rmaps_base_oversubscribe": "1",
          "OMPI_MCA_mpi_yield_when_idle": "1",
          "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}  # fmt: skip
MACHINE = """
format = 1
topology = {kind = "torus", dims = [4, 4]}
link = {rate_gbps = 100}
"""


class Processes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = "openmpi"
        component = Path(WEFT).parents[1] / "lib" / "weft" / cls.library / "mca_pml_weft.so"
        if not shutil.which("mpicc.openmpi") or not shutil.which("mpirun.openmpi") or not component.exists():
            raise unittest.SkipTest(f"{cls.library} is not installed with its headers")
        cls.scratch = tempfile.TemporaryDirectory(prefix="weft-processes-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = Path(cls.scratch.name)
        (cls.folder / "machine.toml").write_text(MACHINE, encoding="utf-8")
        for source in PROGRAMS:
            cls.compile(source)

    @classmethod
    def compile(cls, source):
        program = cls.folder / source.stem.removeprefix("processes_")
        command = ["mpicc.openmpi", "-O1", "-w", "-o", str(program), str(source), "-lm"]
        subprocess.run(command, check=True)

    def words(self, program, tasks, settings, out=None):
        words = [WEFT, "cosim", str(self.folder / "machine.toml"), "--json", "-", *(["--out", str(out)] if out else [])]
        for setting in [f"workload.tasks={tasks}", "cosim.endpoints=processes",
                        f"cosim.program={self.folder / program}",
                        f"cosim.program_output={self.folder / 'output'}", *settings]:  # fmt: skip
            words += ["--set", setting]
        return words

    def run_cosim(self, program, *settings, tasks=4, ranks=1, code=0, out=None):
        """(result, what the program wrote); or what weft wrote, if it is to fail."""
        (self.folder / "output").unlink(missing_ok=True)
        ran = subprocess.run(harness.with_mpi(self.words(program, tasks, settings, out), ranks),
                             env=harness.environment(ranks, **ROOT),
                             capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
        output = (self.folder / "output").read_text(encoding="utf-8") if (self.folder / "output").exists() else ""
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr + output)
        self.expect_nothing_left()
        return ran.stderr if code else (json.loads(ran.stdout), output)

    def run_native(self, program, tasks=4):
        words = ["mpirun.openmpi", "--bind-to", "none", "-n", str(tasks), "sh", "-c", f"exec {self.folder / program}"]
        ran = subprocess.run(words, env=dict(os.environ, **NATIVE), capture_output=True, text=True, timeout=120,
                             check=True)
        return ran.stdout

    def expect_nothing_left(self):
        """No process of this test's programs runs."""
        for _ in range(100):
            left = self.programs()
            if not left:
                return
            time.sleep(0.05)
        self.fail(f"still running: {left}")

    def programs(self):
        return [process for process in harness.running() if process.executable.startswith(str(self.folder))]


class Nodes(Processes):
    def test_nodes_are_those_of_the_network(self):
        self.assertEqual(self.said("node.tasks=2"), [f"task {rank}: {1 - rank % 2} of 2 on node{rank // 2}"
                                                     for rank in range(6)])
        self.assertEqual(self.said(), [f"task {rank}: 0 of 1 on node{rank}" for rank in range(6)])

    def said(self, *settings):
        _, output = self.run_cosim("nodes", *settings, tasks=6)
        return sorted(line for line in output.splitlines() if line.startswith("task"))


class Results(Processes):
    def test_all_calls_do_what_mpi_promises(self):
        result, output = self.run_cosim("calls")
        self.assertEqual(output, "4 of 4 ranks found nothing wrong\n")
        self.assertEqual(result["cosim"]["endpoints"][0]["ended"], True)

    def test_with_rendezvous_and_overheads(self):
        _, output = self.run_cosim("calls", "workload.rendezvous_bytes=4096", "workload.overhead_ns=200", tasks=3)
        self.assertEqual(output, "3 of 3 ranks found nothing wrong\n")

    def test_results_are_those_of_a_native_run_bit_for_bit(self):
        _, output = self.run_cosim("solver 64 20")
        self.assertEqual(output, self.run_native("solver 64 20"))
        self.assertRegex(output, r"^residual 0x1\.[0-9a-f]+p[-+]\d+, solution [0-9a-f]{16}\n$")

    def test_time_and_order_repeat(self):
        """Also on two ranks of weft. Who gets which task follows from simulated time."""
        runs = [self.run_cosim("workers 60", tasks=6, ranks=ranks) for ranks in (1, 1, 2)]
        self.assertEqual(len({output for _, output in runs}), 1)
        self.assertEqual(len({result["digest"] for result, _ in runs}), 1)
        order, took = runs[0][1].splitlines()
        self.assertEqual(sorted(set(order)), list("12345"))
        # The sum, but for the order of its terms.
        native = self.run_native("workers 60", tasks=6).split()[2]
        self.assertAlmostEqual(float.fromhex(took.split()[1]), float.fromhex(native), places=12)

    def test_order_follows_the_network(self):
        near = self.run_cosim("workers 60", tasks=6)[1]
        far = self.run_cosim("workers 60", "link.latency_cycles=20", "router.queue_packets=30", tasks=6)[1]
        self.assertNotEqual(near, far)


class Messages(Processes):
    def test_messages_are_those_of_a_recorded_run_and_a_replay_of_it_has_the_same_history(self):
        """Nothing in the solver depends on time: its trace, recorded as it runs by itself, takes the same cycles on the
        network, pair by pair. (Digests differ: they hold numbers of operations, and a trace has operations that a
        process has not.)"""
        h5py = harness.module("h5py")
        trace = self.folder / "trace"
        words = [WEFT, "trace", "record", "--out", trace, "--", "mpirun.openmpi", "--bind-to", "none", "-n", "4",
                 self.folder / "solver", "64", "20"]
        subprocess.run(list(map(str, words)), env=dict(os.environ, **NATIVE), capture_output=True, timeout=120,
                       check=True)
        mine, replay = self.folder / "mine.h5", self.folder / "replay.h5"
        live, _ = self.run_cosim("solver 64 20", "cosim.compute=none", "statistics.pairs=true", out=mine)
        words = [WEFT, "run", self.folder / "machine.toml", "--json", "-", "--out", replay]
        for setting in ("workload.kind=trace", f"workload.path={trace}", "workload.matching=order",
                        "workload.cpu_scale=0.0", "statistics.pairs=true"):
            words += ["--set", setting]
        ran = subprocess.run(list(map(str, words)), env=harness.environment(), capture_output=True, text=True,
                             timeout=120, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        again = json.loads(ran.stdout)
        for key in ("cycles", "hops", "latency", "distance", "messages", "packets", "task_finish_cycles"):
            self.assertEqual(live[key], again[key], key)
        self.assertEqual(live["engine"]["events"], again["engine"]["events"])
        with h5py.File(mine) as one, h5py.File(replay) as other:
            self.assertGreater(len(one["pairs"]["packets"]), 4)
            for column in one["pairs"]:
                self.assertEqual(list(one["pairs"][column]), list(other["pairs"][column]), column)


class Times(Processes):
    def test_clocks_are_those_of_the_simulation(self):
        """A ping-pong of two neighbours, 100 rounds, and clocks that go by nothing but calls."""
        result, output = self.run_cosim("times", "cosim.compute=none", tasks=2)
        said = dict(re.findall(r"(\w+) ([-0-9.]+)", output))
        # All messages are alike: one packet to the neighbour, one after the other, taken in the cycle after it has
        # come.
        self.assertEqual(result["latency"]["max"], result["latency"]["p50"])
        one_way = (result["latency"]["mean"] + 1) * result["cycle_ns"]
        self.assertAlmostEqual(float(said["round_ns"]), 2 * one_way, delta=result["cycle_ns"])
        self.assertEqual(float(said["idle_ns"]), 0)
        self.assertAlmostEqual(float(said["monotonic_ns"]), float(said["mpi_ns"]), delta=2)
        self.assertAlmostEqual(float(said["day_us"]) * 1000, float(said["mpi_ns"]), delta=1000)

    def test_computing_takes_its_time_between_calls(self):
        """A call each for the two ends of a ping-pong, one after the other."""
        said = [dict(re.findall(r"(\w+) ([-0-9.]+)", self.run_cosim("times", f"cosim.compute_ns={ns}", tasks=2)[1]))
                for ns in (1000, 3000)]
        rounds = [float(entry["round_ns"]) for entry in said]
        # and that of the clock at the end
        self.assertAlmostEqual(rounds[1] - rounds[0], 2 * 2000 + 2000 / 100, delta=1)

    def test_a_recorded_table_repeats_the_run_it_was_recorded_in(self):
        table = self.folder / "costs"
        first, _ = self.run_cosim("solver 64 10", "cosim.compute=measured", f"cosim.record_costs={table}")
        again, _ = self.run_cosim("solver 64 10", "cosim.compute=table", f"cosim.costs={table}")
        self.assertEqual(first["digest"], again["digest"])
        self.assertEqual(first["cosim"]["time_ns"], again["cosim"]["time_ns"])


class Endings(Processes):
    def expect(self, how, *words, code=4, settings=()):
        said = self.run_cosim(f"endings {how}", *settings, code=code)
        for word in words:
            self.assertIn(word, said)

    def test_what_is_not_supported_is_named(self):
        self.expect("window", "task ", "MPI_Win_create")
        self.expect("file", "MPI_File_open")
        self.expect("spawn", "MPI_Comm_spawn")
        self.expect("threads", "MPI_THREAD_MULTIPLE")

    def test_a_process_that_dies(self):
        self.expect("killed", "has died")
        self.expect("exit", "task 3", "without MPI_Finalize")
        self.expect("abort", "task 3", "ended with code 9 (MPI_Abort")
        self.expect("early", "exit code 3")

    def test_one_that_hangs_is_given_up(self):
        self.expect("hang", "task 3", "has called nothing of MPI", settings=["cosim.patience_s=1"])

    def test_a_deadlock_names_rank_and_message(self):
        self.expect("deadlock", "task 3", "waits for a message from task 0 with tag 5")

    def test_sigterm_ends_all(self):
        weft = subprocess.Popen(self.words("endings endless", 4, []), env=harness.environment(1, **ROOT),
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)  # fmt: skip
        for _ in range(400):
            if self.programs():
                break
            time.sleep(0.05)
        else:
            self.fail("no process was started")
        time.sleep(0.5)
        weft.send_signal(signal.SIGTERM)
        self.assertNotEqual(weft.wait(timeout=20), 0)
        self.expect_nothing_left()


if __name__ == "__main__":
    unittest.main()
