"""Random programs of tasks on an ideal network, judged by an interpreter of docs/programs.md
(tests/reference/program_judge.py): when each task ends, which receive takes which message, what waits for ever; one
history on any number of ranks, and from a checkpoint.

    tests/by-hand tests/random/programs_test.py --seed 1 --count 50 Programs

--only N,M-L runs the programs of those numbers alone. What fails is shown with the command that shows it, and as small
as it could be made."""

import argparse
import collections
import csv
import dataclasses
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import harness
import programs
from goal_text import ANY, parse
from program import Config, Program
from program_judge import Parameters, judge
from random_test import numbers_of
from smaller import Smaller

WEFT = harness.weft()
OPTIONS = argparse.Namespace()
SHARE_RANKS, SHARE_ENDLESS, SHARE_INTERRUPTED = 5, 10, 20  # one of so many
MOST_NAMED = 20  # waiting operations that an error lists at least
WAITS = re.compile(r"task (\d+)\b[^\n]*?\boperation (\d+)\b[^\n]*?\bline (\d+)\b")


class Generator(unittest.TestCase):
    """What is drawn, and its judge, without weft."""

    def test_a_program_that_can_end_ends_and_one_that_cannot_says_what_waits(self):
        for seed in range(60):
            self.assertTrue(programs.ending(seed).result["ended"])
            case = programs.endless(seed)
            self.assertTrue(case.result["waiting"])
            tasks = parse(case.text)
            for row in case.result["waiting"]:
                self.assertEqual(tasks[row["task"]][row["operation"]].line, row["line"])

    def test_everything_is_drawn(self):
        kinds = collections.Counter()
        for seed in range(60):
            case = programs.ending(seed)
            kinds[case.kind] += 1
            p = case.parameters
            for operations in parse(case.text):
                for op in operations:
                    kinds[op.kind] += 1
                    kinds["any " + op.kind] += op.one_suffices
                    kinds["irequires"] += any(start for _, start in op.requires)
                    kinds["wildcard source"] += op.peer == ANY
                    kinds["wildcard tag"] += op.tag == ANY
                    kinds["stream"] += op.cpu > 0
                    kinds["NIC"] += op.nic > 0
                    kinds["communicator"] += op.comm > 0
                    kinds["rendezvous"] += op.kind == "send" and 0 < p.rendezvous < op.amount
                    kinds["limit of eager"] += op.kind == "send" and 0 < p.rendezvous == op.amount
                    kinds["no bytes"] += op.kind == "send" and op.amount == 0
                    kinds["no time"] += op.kind == "compute" and op.amount == 0
            kinds["self"] += any(source == destination for source, _, destination, _ in case.result["matches"])
            kinds["turnaround"] += p.turnaround > 0
            kinds["ps"] += p.ticks_per_ns > 1
            kinds["tasks of a node"] += p.tasks_per_node > 1
            kinds["NICs of a node"] += p.nics > 1
            kinds[f"NICs by {p.nic_policy}"] += p.nics > 1
            kinds["path with a rate"] += float(p.path_gbps) > 0 and p.tasks_per_node > 1
        rare = {"any receive", "any send", "any compute", "any probe", "ps"}
        self.assertEqual(sorted(name for name, count in kinds.items() if count < (1 if name in rare else 5)), [])
        self.assertGreaterEqual(len(kinds), 24, kinds)

    def test_a_program_can_be_made_small(self):
        """As if every program were wrong that sends a message of more than 20 bytes to somebody who probes first."""
        def wrong(tasks):
            return any(op.kind == "send" and op.amount > 20 and any(other.kind == "probe" for other in tasks[op.peer])
                       for operations in tasks for op in operations)  # fmt: skip

        tasks = next(tasks for seed in range(50) for tasks in [parse(programs.ending(seed).text)] if wrong(tasks))
        small = Smaller(wrong).of(tasks)
        self.assertEqual(sorted(op.kind for operations in small for op in operations), ["probe", "send"])
        self.assertTrue(wrong(parse(programs.plain(small))))

    def test_the_same_seed_draws_the_same_program(self):
        self.assertEqual(programs.ending(7), programs.ending(7))
        self.assertNotEqual(programs.ending(7).text, programs.ending(8).text)


def variant(number, nodes):
    """Ranks, protocol and partition: another for each program."""
    ranks = min(2 + number % 3, nodes)
    settings = [f"parallel.protocol={['windowed', 'null-message'][number // 3 % 2]}"]
    if number // 6 % 2:
        return ranks, [*settings, "parallel.partition=file", "parallel.partition_path=partition.txt"]
    return ranks, [*settings, "parallel.partition=block"]


def all_variants(number, nodes):
    """2, 3 and 4 ranks, with protocols and partitions in turn."""
    return [variant(3 * (number + turn) + turn, nodes) for turn in range(3)]


def config_of(case, ranks):
    """With a ragged partition of its own for so many ranks."""
    partition = "".join(f"{(node * node + node // 2) % ranks if node >= ranks else node}\n"
                        for node in range(case.nodes))
    return Config(case.keys("program.goal"), {"program.goal": case.text, "partition.txt": partition})


class Runs(unittest.TestCase):
    """Weft on cases, each in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-programs-")
        self.addCleanup(folder.cleanup)
        self.program = Program(WEFT, Path(folder.name))

    def result(self, config, outcome):
        """(summary, cycle in which each task ended, matches) of a run; a cycle is 1 ns."""
        self.assertEqual(outcome.code, 0, f"{outcome.error}\n{config.shell(outcome.command)}")
        with harness.module("h5py").File(outcome.folder / "result.h5") as file:
            finish = [float(cycle) for cycle in file["tasks/finish_cycles"][:]]
        with open(outcome.folder / "matches.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["source", "send_operation", "destination", "receive_operation"])
        return outcome.summary, finish, [tuple(map(int, row)) for row in rows[1:]]

    def run_case(self, config, ranks=1, settings=(), more=(), room=None):
        settings = ["statistics.matches=matches.csv", *settings]
        return self.program.run(config, ranks, settings, ["--out", "result.h5", *more], room)


class Judged(Runs):
    def agrees(self, case, config, outcome):
        """With the judge; the summary."""
        summary, finish, matches = self.result(config, outcome)
        shown = config.shell(outcome.command)
        self.assertEqual(finish, case.result["finish_ns"], shown)
        self.assertEqual(matches, case.result["matches"], shown)
        tasks, expected = summary["tasks"], case.result["finish_ns"]
        self.assertEqual((tasks["count"], tasks["finish_ns_min"], tasks["finish_ns_max"]),
                         (case.tasks, min(expected), max(expected)), shown)
        return summary


class Programs(Judged):
    def for_all(self, share, draw, check):
        """`check(number, case)` for the programs of this run, or for one of so many of them."""
        for number in OPTIONS.only or range(0, OPTIONS.count, 1 if OPTIONS.every else share):
            with self.subTest(again=f"--seed {OPTIONS.seed} --only {number}"):
                check(number, draw(f"{OPTIONS.seed}/{number}"))

    def test_tasks_end_when_the_judge_says_on_any_number_of_ranks(self):
        self.for_all(1, programs.ending, self.any_ranks)

    def any_ranks(self, number, case):
        ranks, settings = variant(number // SHARE_RANKS, case.nodes)
        config = config_of(case, ranks)
        try:
            alone = self.agrees(case, config, self.run_case(config))
        except AssertionError as difference:
            self.fail(f"{difference}\n{self.as_small_as_it_could_be_made(case)}")
        if number % SHARE_RANKS and not OPTIONS.every:
            return
        for ranks, settings in all_variants(number, case.nodes) if OPTIONS.every else [(ranks, settings)]:
            config = config_of(case, ranks)
            beside = self.agrees(case, config, self.run_case(config, ranks, settings))
            self.assertEqual(beside["digest"], alone["digest"], config.shell(f"{ranks} ranks, {settings}"))

    def as_small_as_it_could_be_made(self, case):
        """A program on which weft and judge still differ, on one process."""
        def matches(tasks):
            return judge(programs.plain(tasks), case.parameters)["matches"]

        tasks = Smaller(lambda tasks: self.difference(case, tasks) is not None, matches).of(parse(case.text))
        return f"{'-' * 100}\nAs small as it could be made: {self.difference(case, tasks)}"

    def difference(self, case, tasks):
        """What is wrong with another program on the network of a case, and how to see it; None if nothing is."""
        text = programs.plain(tasks)
        other = dataclasses.replace(case, text=text, result=judge(text, case.parameters))
        config = config_of(other, 1)
        outcome = self.run_case(config)
        shown = f"{json.dumps(other.result)}\n{config.shell(outcome.command)}"
        if not other.result["ended"]:
            return None if outcome.code == 4 else f"exit code {outcome.code} for the judge's {shown}"
        if outcome.code != 0:
            return f"exit code {outcome.code} for the judge's {shown}\n{outcome.error}"
        _, finish, matches = self.result(config, outcome)
        if (finish, matches) == (other.result["finish_ns"], other.result["matches"]):
            return None
        return f"tasks end at {finish} with matches {matches}, the judge's {shown}"

    def test_a_run_that_goes_on_from_a_checkpoint_has_the_same_history(self):
        self.for_all(SHARE_INTERRUPTED, programs.ending, self.interrupted)

    def interrupted(self, number, case):
        several = variant(number // SHARE_INTERRUPTED, case.nodes)
        config = config_of(case, several[0])
        whole = self.agrees(case, config, self.run_case(config))
        if whole["cycles"] < 4:
            return  # over before it can be interrupted
        before, after = [(1, []), several] if number // SHARE_INTERRUPTED % 2 else [several, (1, [])]
        writes = [f"checkpoint.every_cycles={whole['cycles'] * 2 // 5 + 1}", "checkpoint.path=run.ckpt.h5"]
        written = self.run_case(config, before[0], [*before[1], *writes])
        self.assertEqual(self.agrees(case, config, written)["digest"], whole["digest"])
        resumed = self.run_case(config, *after, ["--resume", "run.ckpt.h5"], written.folder)
        summary = self.agrees(case, config, resumed)
        self.assertEqual(summary["digest"], whole["digest"], config.shell(resumed.command))
        self.assertGreater(summary["resumed_from_cycle"], 0)

    def test_a_program_that_cannot_end_ends_with_what_waits(self):
        self.for_all(SHARE_ENDLESS, programs.endless, self.endless)

    def endless(self, number, case):
        ranks, settings = variant(number // SHARE_ENDLESS, case.nodes)
        config = config_of(case, ranks)
        waiting = {(row["task"], row["operation"], row["line"]) for row in case.result["waiting"]}
        for outcome in (self.program.run(config), self.program.run(config, ranks, settings)):
            shown = f"{outcome.error}\n{config.shell(outcome.command)}"
            self.assertEqual(outcome.code, 4, shown)
            found = [tuple(map(int, row)) for row in WAITS.findall(outcome.error)]
            named = set(found)
            self.assertLessEqual(named, waiting, shown)
            self.assertGreaterEqual(len(named), min(len(waiting), MOST_NAMED), shown)


class Samples(Judged):
    """Files of other programs."""

    def test_real_files_end_as_the_judge_says(self):
        for name in ("pair-51", "ring-chain-s17", "binary_tree_32", "testing_comp_simple4", "sweep3d-4"):
            path = Path(os.environ.get("WEFT_SHARED", harness.ROOT.parent
                                       / "shared")) / "traces" / "goal" / f"{name}.goal"
            if not path.is_file():
                self.skipTest("the trace is not there")
            text, parameters = path.read_text(encoding="utf-8"), Parameters("100", "10", "7", "3", "0", 50)
            tasks = len(parse(text))
            case = programs.Case(name, "file", text, tasks, tasks, parameters, judge(text, parameters))
            with self.subTest(name):
                config = config_of(case, 2)
                digest = self.agrees(case, config, self.run_case(config))["digest"]
                self.assertEqual(self.agrees(case, config, self.run_case(config, *variant(0, 2)))["digest"], digest)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100, help="programs that end; default: 100")
    parser.add_argument("--only", type=numbers_of, help="numbers of programs: 3, 3,17 or 100-199")
    parser.add_argument("--every", action="store_true",
                        help="ranks 2 to 4 and a checkpoint for every program, not for one of some")
    parser.add_argument("tests", nargs="*", help="classes or tests; default: all")
    parser.parse_args(arguments, OPTIONS)
    unittest.main(argv=[sys.argv[0], *OPTIONS.tests])


if __name__ == "__main__":
    main(sys.argv[1:])
