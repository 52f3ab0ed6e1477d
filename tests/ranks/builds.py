#!/usr/bin/env python3
"""Two builds of weft, one optimised and one with assertions and sanitizers, must give the same digest and figures for
every config that has a test of the label `ranks`. The other build is WEFT_OTHER_BINARY, or that of the debug preset,
which is built first. The configs are those of the tests, so that none is listed twice."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

import harness
import rank_matrix


def other_binary():
    """The build to compare with; (re)builds the debug preset unless WEFT_OTHER_BINARY names another."""
    if "WEFT_OTHER_BINARY" in os.environ:
        return Path(os.environ["WEFT_OTHER_BINARY"])
    for command in (["cmake", "--preset", "debug"], ["cmake", "--build", "--preset", "debug", "--target", "weft"]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
    return ROOT / "build" / "debug" / "bin" / "weft"


def cases(build):
    """(name, arguments of rank_matrix.py) of each case of the tests that compare rank counts."""
    common = ["--weft", str(build / "bin" / "weft"), "--mpirun", harness.mpirun()]
    for file in sorted((build / "tests" / "ranks").glob("*.cases")):
        for line in file.read_text(encoding="utf-8").splitlines():
            name, *words = line.split("\t")
            yield name, common + words


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the tests and the first build")
    parser.add_argument("--only", default="", help="only the tests whose names contain this")
    options = parser.parse_args()
    # Open MPI keeps some memory to the end on purpose.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    other = other_binary()
    chosen = [case for case in cases(options.build) if options.only in case[0]]
    if not chosen:
        sys.exit(f"no tests of the label ranks in {options.build}")
    failed = []
    with tempfile.TemporaryDirectory(prefix="weft-builds-") as folder:
        for name, arguments in chosen:
            matrix_options = rank_matrix.parse_options(arguments)
            matrix_options.compare_binary, matrix_options.ranks = other, []
            matrix = rank_matrix.Matrix(matrix_options, Path(folder))
            same = matrix.run()
            print(f"{name}: {matrix.rows[0][1]} {'ok' if same else 'DIFFERS OR FAILED'}", flush=True)
            if not same:
                failed.append(name)
                matrix.print_table()
    print(f"{len(chosen) - len(failed)} of {len(chosen)} configs give the same digest in both builds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
