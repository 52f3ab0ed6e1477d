"""Whole programs on 16 ranks under weft's tracer: hpcc and LAMMPS as Debian has them (Open MPI), and examples/heat.c
and calls.c, which has every collective operation, with both libraries. What came in is what went out, is what Open MPI
counted, and is what networks deliver.

    tests/by-hand tests/tracer/programs_test.py OpenMpi

WEFT_HPCC_MPICH names an hpcc that is linked to MPICH (Debian has none; docs/tracing.md says how to make one), with its
number of ranks behind a colon, a square: /tmp/hpcc:16."""

import collections
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import hpcc
from recorded import collective_names, read_folder, sends
from recording import ENVIRONMENT, MONITORING, WEFT, Recording, counted_by_open_mpi, seen_by_the_tracer

HERE = Path(__file__).resolve().parent

RANKS = 16
NETWORKS = {
    "torus": '[topology]\nkind = "torus"\ndims = [4, 4]\n[router]\nkind = "bubble"\n',
    "fat-tree": '[topology]\nkind = "tree"\narity = 4\nlevels = 2\n[router]\nkind = "multistage"\n',
    "dragonfly": '[topology]\nkind = "dragonfly"\nnodes_per_router = 2\nrouters_per_group = 4\nglobal_links = '
                 '1\n[router]\nkind = "dragonfly"\nvirtual_channels = 2\n',
}
REPLAY = """format = 1
[simulation]
stop = "workload-complete"
[packet]
phits = 16
phit_bytes = 256
[link]
rate_gbps = 100
[workload]
kind = "trace"
trace_store = "none"
cpu_scale = 1
"""
# Open MPI agrees on a communicator's number by three reductions of 4 bytes over a binomial tree, up and down, whose
# messages are not recorded.
UNSEEN_OF_A_COMMUNICATOR = 3 * 2 * (RANKS - 1)
# The barrier of the tracer itself: recursive doubling.
UNSEEN_BARRIER = RANKS * 4


class Programs(Recording):
    programs = ("calls",)

    def record_whole(self, name, command, *options, ranks=RANKS, launch=()):
        """Messages of the trace: (of the program alone, with those of the library)."""
        self.record(name, ranks, command, "--yield", *options, launch=launch, timeout=2400)
        found = []
        for form in ("weft-calls", "weft"):
            said = re.search(r"complete, ([\d,]+) messages sent and received, every task ends",
                             self.weft("check", name, "--format", form))
            found.append(int(said[1].replace(",", "")))
        info = self.info(name)
        # Those of calls that start a request are not in the trace: the check carries them out.
        self.assertEqual(info["operations"]["send"], info["messages"])
        if not info.get("collectives"):
            self.assertEqual(found[1], info["messages"])
        print(f"{name}, {self.library}: {found[1]:,} messages, {info['bytes']:,} bytes")
        return found

    def expect_replays(self, name, messages, ranks=RANKS, is_short=False):
        """On each network all messages arrive and all tasks come to their ends; short ones on the torus with one digest
        by 1 and 2 ranks."""
        for network, text in NETWORKS.items():
            config = self.folder / f"{name}-{network}.toml"
            config.write_text(f'{REPLAY}path = "{name}"\n{text}', encoding="utf-8")
            found = self.replay(config)
            print(f"{name}, {self.library}, {network}: {found['tasks']['finish_ns_max'] * 1e-6:.2f} ms")
            self.assertEqual(found["messages"], {"sent": messages, "delivered": messages})
            self.assertEqual(found["tasks"]["finished"], ranks)
            if network == "torus" and is_short:
                self.assertEqual(found["digest"], self.replay(config, "mpirun", "--bind-to", "none", "-n",
                                                              "2")["digest"])

    def expect_hpcc_expanded(self, rules, ranks):
        """Calls alone, carried out by the rules of the library, are the messages that it sent: as often, from, to and
        as long; but for five allreduces of PTRANS, of one element of 16 bytes, which libraries leave whole (recursive
        doubling) and weft divides."""
        name = "hpcc"
        self.weft("convert", name, "--format", "weft-calls", "--collectives", rules, "--out", self.folder
                  / f"{name}.trc")
        lines = map(str.split, (self.folder / f"{name}.trc").read_text(encoding="utf-8").splitlines())
        expanded = collections.Counter((int(words[1]), int(words[2]), int(words[4])) for words in lines if words[:1]
                                       == ["s"])
        sent, names = collections.Counter(), collective_names()
        for rank in read_folder(self.folder / name):
            sent.update((rank.rank, to, size) for _, _, to, size in sends(rank))
            sent.update((rank.rank, to, size) for call, _, to, size in sends(rank, inner=True) if call in names)
        print(f"{name}, {self.library}: {sum(sent.values()):,} messages, {sum((sent & expanded).values()):,} of them "
              f"by the rules")
        whole = sent - expanded
        self.assertEqual({size for _, _, size in whole}, {16})
        of_each = collections.Counter()
        for (source, _, _), count in whole.items():
            of_each[source] += count
        self.assertEqual(of_each, dict.fromkeys(range(ranks), 5 * (ranks.bit_length() - 1)))
        self.assertLess(max(size for _, _, size in expanded - sent), 16)

    def replay(self, config, *launch):
        words = [*launch, WEFT, "run", str(config), "--json", "-", "--progress", "never"]
        ran = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, timeout=1200, check=False,
                             cwd=self.folder)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def test_every_collective(self):
        _, messages = self.record_whole("all-calls", [self.folder / "calls"])
        self.expect_replays("all-calls", messages, is_short=True)

    def test_heat(self):
        self.compile(HERE.parents[1] / "examples" / "heat.c")
        _, messages = self.record_whole("heat-16", [self.folder / "heat"])
        self.expect_replays("heat-16", messages, is_short=True)


class OpenMpi(Programs, unittest.TestCase):
    library = "openmpi"

    def expect_counted(self, name, communicators):
        """Open MPI's counters hold what was recorded, to the byte, and besides only what is known to be left out."""
        trace = read_folder(self.folder / name)
        self.assertEqual(sum(record["kind"] == "enter" and record["call"] in ("Comm_split", "Comm_dup", "Cart_create")
                             for record in trace[0].records), communicators)
        seen = seen_by_the_tracer(trace, inner=False) + seen_by_the_tracer(trace, inner=True)
        counted = counted_by_open_mpi(self.folder, RANKS, "EI")
        self.assertEqual(seen - counted, collections.Counter())
        more = collections.Counter()
        for (_, _, what), count in (counted - seen).items():
            more[what] += count
        self.assertEqual(more["messages"], UNSEEN_BARRIER + UNSEEN_OF_A_COMMUNICATOR * communicators)
        self.assertEqual(more["bytes"], 4 * UNSEEN_OF_A_COMMUNICATOR * communicators)

    def test_hpcc(self):
        if not shutil.which("hpcc"):
            self.skipTest("hpcc is not installed: apt-get install hpcc")
        hpcc.write_input(self.folder, 4)
        _, messages = self.record_whole("hpcc", ["hpcc"], launch=MONITORING)
        hpcc.summary(self.folder)  # it came to its end
        # the grid of HPL and five of PTRANS, each split into rows and columns
        self.expect_counted("hpcc", communicators=18)
        self.expect_hpcc_expanded("openmpi-4.1", RANKS)
        self.expect_replays("hpcc", messages)

    def test_lammps(self):
        if not shutil.which("lmp"):
            self.skipTest("LAMMPS is not installed: apt-get install lammps")
        _, messages = self.record_whole("lammps", ["lmp", "-in", HERE / "melt.lammps"], launch=MONITORING)
        # All that the program sends by itself is counted as that, all else apart.
        own = seen_by_the_tracer(read_folder(self.folder / "lammps"), inner=False)
        self.assertEqual(own, counted_by_open_mpi(self.folder, RANKS, "E"))
        self.expect_counted("lammps", communicators=1)
        self.expect_replays("lammps", messages)


class Mpich(Programs, unittest.TestCase):
    library = "mpich"

    def test_hpcc(self):
        program, _, ranks = os.environ.get("WEFT_HPCC_MPICH", "").rpartition(":")
        if not program:
            self.skipTest("Debian has no hpcc for MPICH: build one (docs/tracing.md) and set WEFT_HPCC_MPICH")
        hpcc.write_input(self.folder, round(int(ranks) ** 0.5))
        _, messages = self.record_whole("hpcc", [program], ranks=int(ranks))
        hpcc.summary(self.folder)  # it came to its end
        self.expect_hpcc_expanded("mpich-4.0", int(ranks))
        self.expect_replays("hpcc", messages, ranks=int(ranks))


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    unittest.main()
