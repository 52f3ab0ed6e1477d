#!/usr/bin/env python3
"""Cases of weft_rank_matrix (../rank_matrix.cmake) in one process, or in processes that mpirun starts once: each config
gives one result on any number of ranks, with any partition and protocol.

  shared.py --weft PROGRAM --program SHARED_RUNS --cases FILE... [--mpirun MPIRUN] [--only WORDS] [--every N] [--apart]

Without --mpirun ranks are threads. --only takes the cases whose name has these words in it, --every one of so many,
--apart starts mpirun for each run."""

import argparse
import sys
import tempfile
from pathlib import Path

import rank_matrix
import shared_processes


class Case:
    """A case and what its runs left: a matrix whose runs are made elsewhere."""

    def __init__(self, name, matrix):
        self.name, self.matrix = name, matrix
        self.runs = matrix.planned()

    def files(self, number):
        stem = self.matrix.folder / f"{self.name}-{number}"
        return stem.with_name(stem.name + ".json"), stem.with_name(stem.name + ".h5")

    def command(self, number):
        return self.matrix.arguments(self.runs[number], *self.files(number)) + ["--quiet"]

    def judge(self):
        for number, run in enumerate(self.runs):
            summary, result = self.files(number)
            digest, problems = "-", ["the run left no summary"]
            if summary.is_file():
                try:
                    digest, problems = self.matrix.judge(run, summary.read_text(encoding="utf-8"), result)
                except rank_matrix.RunFailed as failure:
                    problems = [str(failure)]
            self.matrix.add_row(run, digest, problems, 0.0, self.command(number))
        return self.matrix.is_one_result()


def cases_of(options, folder):
    """The cases of the file, each with the arguments that rank_matrix.py would get."""
    common = ["--weft", str(options.weft), "--mpirun", options.mpirun]
    for file in options.cases:
        for line in file.read_text(encoding="utf-8").splitlines():
            name, *words = line.split("\t")
            if options.only in name:
                yield Case(name, rank_matrix.Matrix(rank_matrix.parse_options(common + words), folder))


def share(options, cases, folder):
    """All runs of the cases, in a shared process or several."""
    shared = shared_processes.Shared(options.program, options.mpirun, folder, options.timeout)
    runs = [(run.ranks, case.command(number)) for case in cases for number, run in enumerate(case.runs)]
    ended = shared_processes.make(shared, runs)
    good = [case.judge() for case in cases]
    return ended and all(good)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weft", "program"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--timeout", type=float, default=560.0, help="seconds for all runs; default: 560")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-ranks-") as name:
        cases = list(cases_of(options, Path(name)))[:: options.every]
        if not cases:
            sys.exit(f"no case of {', '.join(map(str, options.cases))} has '{options.only}' in its name")
        good = all([case.matrix.run() for case in cases]) if options.apart else share(options, cases, Path(name))
    for case in cases:
        print(f"\n{case.name}")
        case.matrix.print_table()
    print(f"\n{len(cases)} cases: {'one result each' if good else 'FAILED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
