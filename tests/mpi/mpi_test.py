"""Random calls under real MPI libraries (random_calls.c), and weft on what was recorded: replayed as recorded, every
receive takes the message that it took there; matched anew, every receive takes one that MPI allows.

    tests/by-hand tests/mpi/mpi_test.py OpenMpi"""

import csv
import os
import random
import shutil
import subprocess
import unittest
from pathlib import Path

import harness
from goal_text import ANY, parse
from legal import faults
from program import Config, Program
from program_judge import Parameters, judge
from programs import plain, written
from recorded import Record

HERE = Path(__file__).resolve().parent

WEFT = harness.weft()
SEED = int(os.environ.get("WEFT_MPI_SEED", "1"))
NETWORK = Parameters(1000, 200, 10, 0.25, 0, 4096)
IDEAL = {"topology.kind": "ideal", "workload.cpu_scale": 1.0, "ideal.latency_ns": 1000.0, "ideal.overhead_ns": 200.0,
         "ideal.gap_ns": 10.0, "ideal.byte_gap_ns": 0.25, "ideal.rendezvous_bytes": 4096}  # fmt: skip
TORUS = {"topology.kind": "torus", "topology.dims": [2, 2], "link.rate_gbps": 10.0}


class Checker(unittest.TestCase):
    """What legal.py says of small matchings; tasks 0 and 1 send to task 2."""

    def check(self, receives, matches, legal, sends=("send 1b to 2; send 1b to 2 tag 1", "send 1b to 2"),
              by_arrival=False):
        bodies = [body.replace("; ", "\n") for body in (*sends, receives)]
        tasks = parse("num_ranks 3\n" + "".join(f"rank {rank} {{\n{body}\n}}\n" for rank, body in enumerate(bodies)))
        found = faults(tasks, [(source, send, 2, receive) for source, send, receive in matches], by_arrival=by_arrival)
        self.assertEqual(found == [], legal, found)

    def test_sources_and_tags_must_fit(self):
        three = "recv 1b from 0; recv 1b from 0 tag 1; recv 1b from 1"
        self.check(three, [(0, 0, 0), (0, 1, 1), (1, 0, 2)], True)
        self.check(three, [(0, 1, 0), (0, 0, 1), (1, 0, 2)], False)
        self.check(three, [(0, 0, 0), (0, 1, 1), (0, 0, 2)], False)
        self.check(three, [(0, 0, 0), (0, 1, 1)], False)
        self.check("recv 1b from 0 comm 1", [(0, 0, 0)], False)

    def test_messages_of_a_source_do_not_overtake(self):
        both = "recv 1b from 0 tag -1; recv 1b from -1 tag -1"
        self.check(both, [(0, 0, 0), (0, 1, 1)], True)
        self.check(both, [(0, 1, 0), (0, 0, 1)], False)
        self.check(both, [(0, 0, 0), (1, 0, 1)], True)
        self.check(both, [(0, 1, 0), (1, 0, 1)], False)
        self.check("recv 1b from -1 tag 1; recv 1b from -1 tag -1", [(0, 1, 0), (0, 0, 1)], True)

    def test_receives_are_taken_as_they_were_posted(self):
        # The first receive fits both; the second took the earlier message of 0, so the first must have taken another
        # before it.
        self.check("recv 1b from -1 tag -1; recv 1b from 0 tag 0", [(1, 0, 0), (0, 0, 1)], True)
        self.check("recv 1b from -1 tag -1; recv 1b from 0 tag 0", [(0, 1, 0), (0, 0, 1)], False)

    def test_orders_of_several_sources_must_agree(self):
        # Receive 0 took b1 although receive 1 has a0, which fits it: b1 before a0. Receive 2 (of tag 1) has b0 or a1,
        # receive 3 the other one.
        sends = ("send 1b to 2; send 1b to 2 tag 1", "send 1b to 2 tag 1; send 1b to 2")
        four = "recv 1b from -1; recv 1b from -1; recv 1b from -1 tag 1; recv 1b from -1 tag 1"
        self.check(four, [(1, 1, 0), (0, 0, 1), (1, 0, 2), (0, 1, 3)], True, sends, by_arrival=True)
        # b1 before a0, a0 before a1, a1 before b0, b0 before b1: no order of arrival; but no receive fits both messages
        # of a source, and MPI lets each source be asked on its own.
        self.check(four, [(1, 1, 0), (0, 0, 1), (0, 1, 2), (1, 0, 3)], True, sends)
        self.check(four, [(1, 1, 0), (0, 0, 1), (0, 1, 2), (1, 0, 3)], False, sends, by_arrival=True)
        # Receive 0 fits all, receive 1 those of task 0: b0 before a1 and a0 before a1, but a0 before b0 or not decides.
        sends = ("send 1b to 2; send 1b to 2 tag 1", "send 1b to 2")
        three = "recv 1b from -1; recv 1b from 0 tag -1; recv 1b from -1"
        self.check(three, [(0, 0, 0), (0, 1, 1), (1, 0, 2)], True, sends)
        self.check(three, [(1, 0, 0), (0, 1, 1), (0, 0, 2)], False, sends)


class Library:
    """The tests for a library: its compiler and launcher, and numbers of ranks."""

    @classmethod
    def setUpClass(cls):
        missing = [name for name in (cls.compiler(), cls.launcher()) if not shutil.which(name)]
        if missing and cls.optional:
            raise unittest.SkipTest(f"mpich is not installed ({', '.join(missing)})")
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.binary = self.folder / "random_calls"
        subprocess.run([self.compiler(), "-O1", "-o", self.binary, HERE / "random_calls.c"], check=True)

    def records(self):
        """(which, ranks, record) of runs of the library."""
        for ranks in self.ranks:
            for seed in range(SEED, SEED + self.seeds):
                place = self.folder / f"record-{ranks}-{seed}"
                place.mkdir()
                command = [self.binary, seed, self.epochs, place]
                code, _, error = self.finish(self.start(command, ranks, (self.launcher(), "-n", ranks, *self.options)))
                self.assertEqual(code, 0, error)
                yield f"{ranks} ranks, seed {seed}", ranks, Record.of(place, ranks)

    def weft(self, tasks, keys, ranks=1):
        """Matches of weft, and the config that shows them."""
        keys = {**keys, "workload.kind": "trace", "workload.path": "program.goal", "statistics.matches": "matches.csv"}
        if keys["topology.kind"] == "ideal":
            keys["topology.nodes"] = max(2, len(tasks))
        config = Config(keys, {"program.goal": plain(tasks)})
        outcome = Program(WEFT, self.folder / f"weft{len(list(self.folder.iterdir()))}").run(config, ranks)
        shown = config.shell(outcome.command)
        self.assertEqual(outcome.code, 0, f"{outcome.error}\n{shown}")
        with open(outcome.folder / "matches.csv", newline="", encoding="utf-8") as file:
            return [tuple(map(int, row)) for row in list(csv.reader(file))[1:]], shown

    def test_what_the_library_did_is_legal_and_the_judge_can_repeat_it(self):
        wild = 0
        for which, _, record in self.records():
            recorded, anew = record.as_recorded(), record.anew()
            self.assertEqual(faults(anew, record.matches()), [], which)
            result = judge(written(recorded, random.Random(which)), NETWORK)
            self.assertEqual(result["waiting"], [], which)
            self.assertEqual(result["matches"], record.matches(), which)
            result = judge(written(anew, random.Random(which)), NETWORK)
            self.assertEqual(result["waiting"], [], which)
            self.assertEqual(faults(anew, result["matches"], by_arrival=True), [], which)
            wild += sum(op.peer == ANY or op.one_suffices for operations in anew for op in operations)
        self.assertGreater(wild, 10, "nothing was left to chance")

    def test_weft_replays_it_as_recorded(self):
        for which, ranks, record in self.records():
            for keys in (IDEAL, TORUS):
                matches, shown = self.weft(record.as_recorded(), keys, min(2, ranks))
                self.assertEqual(matches, record.matches(), f"{which}\n{shown}")

    def test_weft_matches_it_anew_as_mpi_allows(self):
        for which, ranks, record in self.records():
            tasks = record.anew()
            for keys in (IDEAL, TORUS):
                matches, shown = self.weft(tasks, keys, min(2, ranks))
                self.assertEqual(faults(tasks, matches, by_arrival=True), [], f"{which}\n{shown}")
                if keys is IDEAL:
                    self.assertEqual(matches, judge(plain(tasks), NETWORK)["matches"], shown)


class OpenMpi(Library, harness.Scratch):
    optional, ranks, seeds, epochs, options = False, (1, 2, 3, 4), 2, 8, ("--bind-to", "none")

    @staticmethod
    def compiler():
        return shutil.which("mpicc.openmpi") or "mpicc"

    @staticmethod
    def launcher():
        return harness.mpirun()


class Mpich(Library, harness.Scratch):
    """Beside Open MPI; 2 ranks, since those that outnumber the cores are slow."""

    optional, ranks, seeds, epochs, options = True, (2,), 4, 8, ()

    @staticmethod
    def compiler():
        return "mpicc.mpich"

    @staticmethod
    def launcher():
        return "mpirun.mpich"


if __name__ == "__main__":
    unittest.main()
