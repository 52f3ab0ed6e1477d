#!/usr/bin/env python3
"""Configs that have a test of the label `ranks`: a run that writes checkpoints has the history of one that does not,
and so has a run that goes on from the last of them on another number of ranks and with another protocol."""

import argparse
import sys
import tempfile
from pathlib import Path

import harness

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ranks"))
import builds
import rank_matrix
import shared_processes

RANKS = [1, 2, 3, 4]
PROTOCOLS = ["null-message", "windowed"]


class Case:
    def __init__(self, name, options, folder, number):
        self.name, self.options, self.number = name, options, number
        self.folder = folder / str(number)
        self.folder.mkdir()
        self.most = 1 if "crossbar" in name else max(options.ranks)  # the network may have no more routers
        self.writing = min(self.most, RANKS[number % 4])  # every pair of rank counts comes up
        self.resuming = min(self.most, RANKS[(number // 4 + number + 1) % 4])
        self.checkpoint = self.folder / "run.ckpt.h5"

    def command(self, ranks, *arguments):
        """A run that leaves its summary in the file named first of `arguments`."""
        words = ["run", self.options.config, "--quiet", "--progress", "never", *self.settings(ranks)]
        return words + ["--set", f"checkpoint.path={self.checkpoint}", "--json", self.folder / arguments[0],
                        *arguments[1:]]

    def settings(self, ranks):
        """The test's arguments, without a partition that is for other numbers of ranks."""
        args = self.options.args
        if "parallel.partition=file" not in args or ranks in self.options.ranks:
            return args
        return [word for key in args[1::2] if not key.startswith("parallel.partition") for word in ("--set", key)]

    # The three runs of a case, each after what it needs of the one before.

    def alone(self):
        return 1, self.command(1, "alone.json")

    def with_checkpoints(self):
        every = max(1, self.summary("alone.json")["cycles"] * 2 // 5)
        return self.writing, self.command(self.writing, "written.json", "--set", f"checkpoint.every_cycles={every}")

    def resumed(self):
        protocol = [] if self.resuming == 1 else ["--set", f"parallel.protocol={PROTOCOLS[self.number % 2]}"]
        return self.resuming, self.command(self.resuming, "resumed.json", "--resume", self.checkpoint, *protocol)

    def summary(self, name):
        return rank_matrix.parse_summary((self.folder / name).read_text(encoding="utf-8"))

    def problems(self):
        """Lines about what is wrong; none if nothing is."""
        reference, resumed = self.summary("alone.json"), self.summary("resumed.json")
        written = rank_matrix.differences(reference, self.summary("written.json"))
        problems = [f"with checkpoints: {line}" for line in written]
        if not 0 < resumed["resumed_from_cycle"] <= reference["cycles"] + 1:
            problems.append(f"went on from cycle {resumed['resumed_from_cycle']} of {reference['cycles']}")
        return problems + [f"resumed: {line}" for line in rank_matrix.differences(reference, resumed)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the tests")
    parser.add_argument("--only", default="", help="only the tests whose names contain this")
    parser.add_argument("--every", type=int, default=1, help="only every second, third ... of them")
    parser.add_argument("--processes", action="store_true", help="ranks are processes of mpirun, not threads")
    options = parser.parse_args()
    # Several seeds are several runs, which no checkpoint holds.
    chosen = [case for case in builds.cases(options.build)
              if options.only in case[0] and not any("measure.seeds" in str(word)
                                                     for word in case[1])][:: options.every]
    if not chosen:
        sys.exit(f"no tests of the label ranks in {options.build}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="weft-resume-") as folder:
        cases = [Case(name, rank_matrix.parse_options(arguments), Path(folder), number)
                 for number, (name, arguments) in enumerate(chosen)]
        shared = shared_processes.Shared(options.build / "bin" / "shared_runs", harness.mpirun() if options.processes
                                         else "", Path(folder))
        for runs in (Case.alone, Case.with_checkpoints, Case.resumed):
            if not shared_processes.make(shared, [runs(case) for case in cases]):
                return 1
        for case in cases:
            problems = case.problems()
            verdict = "DIFFERS" if problems else "ok"
            print(f"{case.name}: {case.writing} -> {case.resuming} ranks {verdict}", flush=True)
            for line in problems:
                print("  " + line)
            failed += bool(problems)
    print(f"{len(chosen) - failed} of {len(chosen)} configs have one history with and without an interruption")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
