"""Records programs with weft's tracer under a real MPI library, for the tests beside this file."""

import collections
import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import harness
from recorded import read_folder, sends

HERE = Path(__file__).resolve().parent

WEFT = harness.weft()
LIBRARIES = {"openmpi": ("mpicc.openmpi", "mpif90.openmpi", "mpirun.openmpi", ["--oversubscribe", "--bind-to", "none"]),
             "mpich": ("mpicc.mpich", "mpif90.mpich", "mpirun.mpich", [])}  # fmt: skip
ENVIRONMENT = harness.environment(4, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                  OMPI_MCA_btl_vader_single_copy_mechanism="none",
                                  OMPI_MCA_rmaps_base_oversubscribe="1")
# What Open MPI's layer of messages counts, into files counted.RANK.prof.
MONITORING = ["--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3", "--mca",
              "pml_monitoring_filename", "counted",
              "--mca", "coll", "tuned,basic,libnbc,inter,self,monitoring", "--mca", "pml", "ob1,monitoring"]


def counted_by_open_mpi(folder, ranks, kinds):
    """Counter of (from, to, "messages" or "bytes"); kinds: E, what programs send, and collective calls by persistent
    requests; I, the rest."""
    counted = collections.Counter()
    for rank in range(ranks):
        for line in (folder / f"counted.{rank}.prof").read_text(encoding="utf-8").splitlines():
            if found := re.match(rf"[{kinds}]\s+(\d+)\s+(\d+)\s+(\d+) bytes\s+(\d+) msgs sent", line):
                source, to, size, count = map(int, found.groups())
                counted.update({(source, to, "messages"): count, (source, to, "bytes"): size})
    return counted


def seen_by_the_tracer(trace, inner):
    """The same of messages of the program, or of those inside of calls."""
    seen = collections.Counter()
    for rank in trace:
        for _, _, to, size in sends(rank, inner=inner):
            seen.update({(rank.rank, to, "messages"): 1, (rank.rank, to, "bytes"): size})
    return seen


class Recording:
    """With `library` and `programs`, names of C files here. What is recorded lies in self.folder."""

    programs = ()

    @classmethod
    def setUpClass(cls):
        compiler, _, launcher, _ = LIBRARIES[cls.library]
        tracer = Path(WEFT).parents[1] / "lib" / "weft" / cls.library / "libweft-trace.so"
        if not shutil.which(compiler) or not shutil.which(launcher) or not tracer.exists():
            raise unittest.SkipTest(f"{cls.library} is not installed with its headers")
        cls.scratch = tempfile.TemporaryDirectory(prefix="weft-tracer-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = Path(cls.scratch.name)
        for name in cls.programs:
            cls.compile(HERE / f"{name}.c")

    @classmethod
    def compile(cls, source):
        subprocess.run([LIBRARIES[cls.library][0], "-O1", "-w", "-o", cls.folder / source.stem, source, "-lpthread",
                        "-lm"], check=True)

    def record(self, name, ranks, command, *options, fails=False, launch=(), timeout=300):
        """What weft trace record printed."""
        _, _, launcher, usual = LIBRARIES[self.library]
        shutil.rmtree(self.folder / name, ignore_errors=True)
        words = [WEFT, "trace", "record", "--out", self.folder / name, *options, "--", launcher, *usual, *launch, "-n",
                 str(ranks), *command]
        ran = subprocess.run(list(map(str, words)), env=ENVIRONMENT, capture_output=True, text=True, timeout=timeout,
                             check=False, cwd=self.folder)
        if fails:
            self.assertEqual(ran.returncode, 5, ran.stdout + ran.stderr)
        else:
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def weft(self, command, name, *options, code=0):
        words = [WEFT, "trace", command, self.folder / name, "--no-store", *options]
        ran = subprocess.run(list(map(str, words)), env=ENVIRONMENT, capture_output=True, text=True, timeout=100,
                             check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def info(self, name, *options):
        return json.loads(self.weft("info", name, "--json", "-", *options))

    def expect_whole(self, name):
        """Each message is sent and received, as messages and as calls."""
        for form in ("weft", "weft-calls"):
            self.assertIn("every task ends", self.weft("check", name, "--format", form))
