#!/usr/bin/env python3
"""Two programs on the same runs, in turns: how fast one is beside the other, and that both give one digest.

  pair.py --weft build/release/bin/weft --other build/portable/bin/weft [--repeat 5] [--least 0.9] [--only TEXT]

Figures are seconds of processor time, the least of each; the ratio is that of --weft by that of --other. Exit code 1 if
digests differ, or a ratio is below --least."""

import argparse
import resource
import sys
import tempfile
from pathlib import Path

from running import Wrong, run_json

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CASES = {
    "torus 16x16x16, saturated": '[topology]\nkind = "torus"\ndims = [16, 16, 16]\n[simulation]\ncycles = '
                                 '12000\n[workload]\noffered_load = 0.6\n',
    "torus 64x64, load 0.06": '[topology]\nkind = "torus"\ndims = [64, 64]\n[simulation]\ncycles = '
                              '40000\n[workload]\noffered_load = 0.06\n',
    "thin tree 8:4, 512": '[topology]\nkind = "thin-tree"\ndown = 8\nup = 4\nlevels = 3\n[simulation]\ncycles = '
                          '200000\n[workload]\noffered_load = 0.3\n',
    "Clos of 512, switches of cells": '[topology]\nkind = "clos"\nleaf_down = 16\nleaf_up = 16\nleaves = '
                                      '32\n[router]\nkind = "switch"\n[simulation]\n'
                                      'cycles = 60000\n[workload]\noffered_load = 0.7\n',
    "Clos of 512, wormholes": '[topology]\nkind = "clos"\nleaf_down = 16\nleaf_up = 16\nleaves = 32\n[router]\nkind = '
                              '"wormhole"\n[simulation]\n'
                              'cycles = 100000\n[workload]\noffered_load = 0.3\n',
    "MILC on a torus": (EXAMPLES / "milc.toml").read_text(encoding="utf-8").replace("format = 1\n",
        "").replace("repetitions = 5", "repetitions = 20"),
    "tasks on the ideal network": (EXAMPLES / "msccl.toml").read_text(encoding="utf-8").replace("format = 1\n", "")
                                  .replace('"traces/', f'"{EXAMPLES}/traces/') + "repetitions = 8000\n",
}


def timed(program, config):
    """(processor time in seconds, digest) of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = run_json([program, "run", str(config), "--json", "-", "--progress", "never"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, summary["digest"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    good = True
    print("| case | weft, s | other, s | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in CASES.items():
            if options.only not in name:
                continue
            config = Path(folder) / "case.toml"
            config.write_text("format = 1\n" + text, encoding="utf-8")
            times, digests = {options.weft: [], options.other: []}, set()
            for _ in range(options.repeat):
                for program, found in times.items():
                    seconds, digest = timed(program, config)
                    found.append(seconds)
                    digests.add(digest)
            mine, others = min(times[options.weft]), min(times[options.other])
            print(f"| {name} | {mine:.2f} | {others:.2f} | {mine / others:.2f} |", flush=True)
            if len(digests) != 1:
                print(f"digests differ: {sorted(digests)}", file=sys.stderr)
            good = good and len(digests) == 1 and mine / others >= options.least
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        sys.exit(f"pair.py: {wrong}")
