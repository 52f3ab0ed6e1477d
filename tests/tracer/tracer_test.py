"""The tracer under real MPI libraries: programs of tests/tracer recorded as they are. What was recorded is read by
recorded.py, apart from weft, and by weft; it is compared with what the programs say, with Open MPI's own counters, and
with tests/data/collectives.

    tests/by-hand tests/tracer/tracer_test.py OpenMpi"""

import collections
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import harness
from recorded import read_folder, sends
from recording import ENVIRONMENT, LIBRARIES, MONITORING, WEFT, Recording, counted_by_open_mpi, seen_by_the_tracer

HERE = Path(__file__).resolve().parent

DATA = {"openmpi": "openmpi-4.1.txt", "mpich": "mpich-4.0.txt"}
RECORDING, COMPLETE, EXITED, ABORTED, CANNOT_WRITE = range(5)


class Tracer(Recording):
    """What holds for all libraries."""

    programs = ("calls", "endings", "points")

    def test_all_calls(self):
        ranks = 4
        out = self.record("all", ranks, [self.folder / "calls"])
        said = {int(rank): (int(sent), int(got)) for rank, sent,
                got in re.findall(r"rank (\d+): sent (\d+) received (\d+)", out)}
        self.assertEqual(len(said), ranks)
        trace = read_folder(self.folder / "all")
        self.assertEqual([rank.rank for rank in trace], list(range(ranks)))
        self.assertTrue(all(rank.state == COMPLETE and rank.has_inner for rank in trace))
        for rank in trace:
            self.assertEqual(len(sends(rank)), said[rank.rank][0])
        # Messages of the program: 40 a rank; the others are the library's, each as often received as sent.
        calls = self.info("all", "--format", "weft-calls")
        self.assertEqual(calls["messages"], sum(sent for sent, _ in said.values()))
        self.assertEqual(calls["operations"]["receive"], sum(got for _, got in said.values()))
        own = sum(len(sends(rank, inner=True)) for rank in trace)
        messages = self.info("all")
        self.assertEqual(messages["messages"], calls["messages"] + own)
        self.assertEqual(messages["operations"]["receive"], messages["messages"])
        # Twice on all ranks, once on halves, once on rows of 2; of broadcasts 3 more inside of messages(), of those
        # that start a request one of each.
        counted = {operation: count["calls"] for operation, count in calls["collectives"].items()}
        usual = 4 * ranks
        self.assertEqual(counted, {**dict.fromkeys(counted, usual), "barrier": usual + ranks, "broadcast": usual + 4
                                   * ranks, "allreduce": usual + ranks})
        self.assertEqual(len(counted), 17)
        self.assertEqual(set(messages["collectives"]), {"barrier", "broadcast", "allreduce"})
        self.expect_whole("all")

    def test_fortran(self):
        compiler = LIBRARIES[self.library][1]
        if not shutil.which(compiler) or not shutil.which("gfortran"):
            self.skipTest(f"{self.library} is not installed with Fortran")
        seen = []
        for module in ("F08", "MODULE", "MPIF"):
            program = self.folder / f"fortran-{module}"
            command = [compiler, "-w", "-cpp", f"-D{module}", "-fallow-argument-mismatch", "-o", program, HERE
                       / "calls.f90"]
            subprocess.run(command, check=True, cwd=self.folder)
            self.record(module, 2, [program])
            trace = read_folder(self.folder / module)
            seen.append([(sends(rank), sends(rank, inner=True)) for rank in trace])
            self.assertEqual([[size for *_, size in sends(rank)] for rank in trace], [[80, 160, 240, 40]] * 2)
            names = [record["call"] for record in trace[0].records if record["kind"] == "collective"]
            self.assertEqual(names, ["Allreduce", "Bcast", "Allreduce", "Barrier"])
            self.expect_whole(module)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[0], seen[2])

    def test_messages_of_collective_calls_are_those_that_the_library_is_known_to_send(self):
        lines = (HERE.parent / "data" / "collectives" / DATA[self.library]).read_text(encoding="utf-8").splitlines()
        known = dict(line.split(":", 1) for line in lines if not line.startswith("#"))
        # MPICH's ranks spin where there are more of them than cores.
        for ranks in (2, 4) if self.library == "mpich" else (2, 4, 7):
            sizes = ("0", "1000", "20000") if self.library == "mpich" else ("0", "20", "1000", "20000", "300000")
            cases = [case.split() for case in known if case.endswith(f" 1 {ranks}") and case.split()[1] in sizes
                     and not case.startswith("all-to-allw") and "+uneven" not in case]  # fmt: skip
            self.assertGreater(len(cases), 20)
            (self.folder / "cases").write_text("".join(f"{case[0]} {case[1]}\n" for case in cases), encoding="utf-8")
            self.record("known", ranks, [self.folder / "points", self.folder / "cases"])
            sent = self.sent_after_marks(read_folder(self.folder / "known"), len(cases))
            for number, case in enumerate(cases):
                with self.subTest(case=" ".join(case)):
                    self.assertEqual(*without_unknown(sent[number], expected(known[" ".join(case)], ranks)))
            self.expect_whole("known")

    def sent_after_marks(self, trace, count):
        """[number of the case]: Counter of (from, to, bytes) in the first collective call after its mark."""
        sent = [collections.Counter() for _ in range(count)]
        for rank in trace:
            number, inside = None, False
            for record in rank.records:
                if record["kind"] == "mark":
                    number = record["mark"] - 100
                elif record["kind"] == "collective":
                    inside = number is not None
                elif record["kind"] == "leave" and inside:
                    number, inside = None, False
                elif record["kind"] == "send" and inside and record["peer"] != rank.rank:
                    sent[number][rank.rank, record["peer"], record["bytes"]] += 1
        return sent

    def test_a_program_that_is_killed_leaves_whole_blocks(self):
        self.record("killed", 2, [self.folder / "endings", "kill", 3000], "--block", 4096, fails=True)
        killed = read_folder(self.folder / "killed")[1]
        self.assertEqual(killed.state, RECORDING)
        # 3 calls for each of 3000 messages, less than a block of which is lost.
        least = min(killed.sizes)
        self.assertGreaterEqual(len(killed.records), 9000 - 4096 // 5)
        self.assertGreater(least, 3800)
        told = self.info("killed")["missing"]
        self.assertIn(f"rank 1: ended from outside after {len(killed.sizes)} blocks", told[-1])
        self.assertIn("missing     rank 1", self.weft("info", "killed").replace("missing     rank 0",
                                                                                "missing     rank 1"))

    def test_a_full_disk_is_told_and_counted(self):
        self.record("full", 2, [self.folder / "endings", "full", 3000], "--block", 4096)
        for rank in read_folder(self.folder / "full"):
            self.assertEqual(rank.state, CANNOT_WRITE)
            self.assertLessEqual(rank.whole + rank.rest, 40000)
            self.assertEqual(rank.written, len(rank.records))
            # 3 calls a message; a barrier (its messages aside) and MPI_Finalize.
            inner = 0 if not rank.has_inner else 2 + (self.library == "openmpi")
            self.assertIn(rank.written + rank.lost, range(9004, 9005 + inner + 2))
            self.assertIn(f"rank {rank.rank}: recorded until", self.weft("info", "full"))
            self.assertIn(f"the {rank.lost} records after that are missing (File too large)", self.weft("info", "full"))

    def test_ends_without_mpi_finalize(self):
        self.record("exit", 2, [self.folder / "endings", "exit", 50], fails=self.library == "openmpi")
        self.assertEqual({rank.state for rank in read_folder(self.folder / "exit")}, {EXITED})
        self.assertEqual(self.info("exit", "--format", "weft-calls")["messages"], 100)
        self.record("abort", 2, [self.folder / "endings", "abort", 50], fails=True)
        self.assertEqual(read_folder(self.folder / "abort")[0].state, ABORTED)
        self.assertIn("MPI_Abort", self.weft("info", "abort"))

    def test_receives_that_are_cancelled_take_nothing(self):
        self.record("cancel", 2, [self.folder / "endings", "cancel", 5])
        for rank in read_folder(self.folder / "cancel"):
            self.assertEqual([record["peer"] for record in rank.records if record["kind"] == "wait"
                              and not record["inner"]].count(-1), 6)
        self.expect_whole("cancel")
        self.assertIn("complete, 16 messages sent and received", self.weft("check", "cancel", "--format", "weft-calls"))

    def test_parts_of_a_run(self):
        for kind, options in (("off", ()), ("toggle", ("--toggle-signal", "USR2"))):
            self.record(kind, 2, [self.folder / "endings", kind, 20], *options)
            for rank in read_folder(self.folder / kind):
                self.assertEqual({tag for _, tag, *_ in sends(rank)}, {5})
                self.assertEqual(len(sends(rank)), 20)
                self.assertEqual([record["kind"] for record in rank.records].count("resume"), 1)
            self.expect_whole(kind)
        # Calls 1 to 60 are 20 messages.
        self.record("window", 2, [self.folder / "endings", "usual", 100], "--from-call", 31, "--to-call", 60)
        self.assertEqual([len(sends(rank)) for rank in read_folder(self.folder / "window")], [10, 10])
        self.expect_whole("window")
        self.record("later", 2, [self.folder / "endings", "usual", 100], "--from-seconds", 1000)
        self.assertEqual([len(rank.records) for rank in read_folder(self.folder / "later")], [0, 0])

    def test_threads(self):
        self.record("threads", 2, [self.folder / "endings", "threads", 300], "--block", 4096)
        for rank in read_folder(self.folder / "threads"):
            self.assertEqual({record["thread"] for record in rank.records if record["kind"] == "send"
                              and not record["inner"]}, {1, 2, 3, 4})
            self.assertEqual(len(sends(rank)), 1200)
            self.assertEqual(rank.clock, 0)
        self.expect_whole("threads")
        self.assertEqual(self.info("threads", "--format", "weft-calls")["messages"], 2400)

    def test_the_cost_of_a_call(self):
        """The least of many measurements, since the machine does other things as well: docs/tracing.md has figures."""
        command = [self.folder / "endings", "cost", 2000]
        plain = subprocess.run([LIBRARIES[self.library][2], "-n", "1", *map(str, command)], env=ENVIRONMENT,
                               capture_output=True, text=True, check=True)
        least = [float(re.search(r"least ([\d.]+)", text)[1])
                 for text in (plain.stdout, self.record("cost", 1, command))]
        print(f"{self.library}: a call takes {least[0]} ns, recorded {least[1]} ns")
        self.assertLess(least[1] - least[0], 300)
        rank = read_folder(self.folder / "cost")[0]
        self.assertLess(sum(rank.sizes) / len(rank.records), 24)


def expected(text, ranks):
    """Counter of (from, to, bytes) of a line of tests/data/collectives behind its colon."""
    messages = collections.Counter()
    for group in filter(None, map(str.strip, text.split(";"))):
        distance, size, times, senders = group.split()
        for span in senders.split(","):
            first, _, last = span.partition("-")
            for sender in range(int(first), int(last or first) + 1):
                messages[sender, (sender + int(distance)) % ranks, int(size)] += int(times)
    return messages


def without_unknown(sent, known):
    """Both without the bytes of messages whose length the data does not say."""
    unknown = {(source, to) for source, to, size in known if size == -1}
    return [collections.Counter({(source, to, 0 if (source, to) in unknown else size): times for (source, to, size),
                                 times in messages.items()})
            for messages in (sent, known)]  # fmt: skip


class OpenMpi(Tracer, unittest.TestCase):
    library = "openmpi"

    def test_the_librarys_own_counters(self):
        """Of messages of the program, and of the library's inside of calls."""
        (self.folder
         / "cases").write_text("broadcast 50000\nallreduce 700\nall-to-all 33\nall-to-all 70000\nscan 9\nbarrier 0\n",
                               encoding="utf-8")
        # What collective calls send by persistent requests counts as external there.
        for kind, command in (("E", ["./endings", "usual", 70]), ("EI", ["./points", "cases"])):
            self.record("counted-trace", 4, command, launch=MONITORING)
            counted = counted_by_open_mpi(self.folder, 4, kind)
            seen = seen_by_the_tracer(read_folder(self.folder / "counted-trace"), inner=kind != "E")
            self.assertGreater(len(seen), 6)
            # A barrier of the tracer itself, before the begin.
            more = counted - seen
            self.assertEqual(seen - counted, collections.Counter())
            self.assertLessEqual({(key[2], count) for key, count in more.items()}, {("messages", 1)} if kind != "E"
                                 else set())


class Mpich(Tracer, unittest.TestCase):
    library = "mpich"


class Refusals(harness.Scratch):
    """What is no recording says so before anything runs."""

    def refused(self, *words):
        ran = subprocess.run([WEFT, "trace", "record", *words], cwd=self.folder, env=ENVIRONMENT, capture_output=True,
                             text=True, timeout=60, check=False)
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)
        return ran.stderr

    def test_words_that_make_no_recording(self):
        (self.folder / "used").mkdir()
        (self.folder / "used" / "something").write_text("", encoding="utf-8")
        usual = ("--library", "openmpi")
        self.assertIn("'nonesuch' is no program", self.refused("--", "nonesuch"))
        self.assertIn("say it with --library openmpi or --library mpich", self.refused("--", "true"))
        self.assertIn("--to-call is before --from-call", self.refused("--from-call", "9", "--to-call", "3", "--",
                                                                      "true"))
        self.assertIn("--to-seconds is not after --from-seconds",
                      self.refused("--from-seconds", "9", "--to-seconds", "3", "--", "true"))
        self.assertIn("'KILL' is no signal that can be caught",
                      self.refused(*usual, "--toggle-signal", "KILL", "--", "true"))
        self.assertIn("this folder is not empty", self.refused(*usual, "--out", "used", "--", "true"))

    def test_a_program_without_mpi_records_nothing(self):
        words = [WEFT, "trace", "record", "--library", "openmpi", "--out", "none", "--", "true"]
        ran = subprocess.run(words, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60,
                             check=False)
        self.assertEqual(ran.returncode, 5)
        self.assertIn("nothing was recorded in", ran.stderr)


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    unittest.main()
