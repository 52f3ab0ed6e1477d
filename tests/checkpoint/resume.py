#!/usr/bin/env python3
"""Configs that have a test of the label `ranks`: a run that writes checkpoints has the history of one that does not,
and so has a run that goes on from the last of them on another number of ranks and with another protocol."""

import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "ranks"))

import builds  # noqa: E402
import rank_matrix  # noqa: E402

RANKS = [1, 2, 3, 4]
PROTOCOLS = ["null-message", "windowed"]


class Case:
    def __init__(self, name, options, folder, number):
        self.name, self.options, self.number = name, options, number
        self.folder = folder / str(number)
        self.folder.mkdir()
        self.most = 1 if "crossbar" in name else 4
        self.writing = min(self.most, RANKS[number % 4])  # every pair of rank counts comes up
        self.resuming = min(self.most, RANKS[(number // 4 + number + 1) % 4])

    def run(self, ranks, *arguments):
        command = [self.options.mpirun, "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
        command += [str(self.options.weft), "run", str(self.options.config), "--json", "-", "--progress", "never"]
        command += [*self.settings(ranks), "--set", f"checkpoint.path={self.folder / 'run.ckpt.h5'}", *arguments]
        return rank_matrix.parse_summary(rank_matrix.run_command(command, ranks, time.monotonic() + 120))

    def settings(self, ranks):
        """The test's arguments, without a partition that is for other numbers of ranks."""
        args = self.options.args
        if "parallel.partition=file" not in args or ranks in self.options.ranks:
            return args
        return [word for key in args[1::2] if not key.startswith("parallel.partition") for word in ("--set", key)]

    def check(self):
        """Lines about what is wrong; none if nothing is."""
        checkpoint = self.folder / "run.ckpt.h5"
        reference = self.run(1)
        every = max(1, reference["cycles"] * 2 // 5)
        written = self.run(self.writing, "--set", f"checkpoint.every_cycles={every}")
        problems = [f"with checkpoints: {line}" for line in rank_matrix.differences(reference, written)]
        if not checkpoint.is_file():
            return problems + ["no checkpoint was written"]
        protocol = [] if self.resuming == 1 else ["--set", f"parallel.protocol={PROTOCOLS[self.number % 2]}"]
        resumed = self.run(self.resuming, "--resume", str(checkpoint), *protocol)
        if not 0 < resumed["resumed_from_cycle"] <= reference["cycles"] + 1:
            problems.append(f"went on from cycle {resumed['resumed_from_cycle']} of {reference['cycles']}")
        return problems + [f"resumed: {line}" for line in rank_matrix.differences(reference, resumed)]

    def problems(self):
        """check(), where a run that fails is such a line too; the checkpoint goes."""
        try:
            return self.check()
        except rank_matrix.RunFailed as failure:
            return [str(failure)]
        finally:
            shutil.rmtree(self.folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the tests")
    parser.add_argument("--only", default="", help="only the tests whose names contain this")
    parser.add_argument("--every", type=int, default=1, help="only every second, third ... of them")
    options = parser.parse_args()
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    # Several seeds are several runs, which no checkpoint holds.
    chosen = [case for case in builds.cases(options.build)
              if options.only in case[0] and not any("measure.seeds" in str(word) for word in case[1])][:: options.every]
    if not chosen:
        sys.exit(f"no tests of the label ranks in {options.build}")
    failed = 0
    # Two at a time: ctest reserves two processors, and much of a case is starting ranks, which is waiting.
    with tempfile.TemporaryDirectory(prefix="weft-resume-") as folder, ThreadPoolExecutor(2) as pool:
        cases = [Case(name, rank_matrix.parse_options(arguments), Path(folder), number)
                 for number, (name, arguments) in enumerate(chosen)]
        for case, problems in zip(cases, pool.map(Case.problems, cases)):
            verdict = "DIFFERS OR FAILED" if problems else "ok"
            print(f"{case.name}: {case.writing} -> {case.resuming} ranks {verdict}", flush=True)
            for line in problems:
                print("  " + line)
            failed += bool(problems)
    print(f"{len(chosen) - failed} of {len(chosen)} configs have one history with and without an interruption")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
