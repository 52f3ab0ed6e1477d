#!/usr/bin/env python3
"""Two ranks, and four on two cores, against one: the 65,536-node torus at link latencies of 1 and 20 cycles.

The network is warmed up once on one rank, which writes a checkpoint; each measured run goes on from it, on the ranks in
turn. The wall clock of the event loop counts: the table has the fastest of each number of ranks, the ratio of the
fastest, and the ratios round by round. The answers are verified: one digest for the whole run and all that go on. Exit
code 1 if an answer is wrong; never for being slow.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from running import TORUS_3D, TORUS_ROUTER, Wrong, run_weft, write_config


def measure(options, latency, load, folder):
    """Wall seconds of each run, by number of ranks."""
    warmup, measured = options.warmup, options.measured
    assert measured < warmup, "a second checkpoint would replace that of the warm-up"
    checkpoint = folder / "warm.ckpt.h5"
    write_config(folder, TORUS_3D, TORUS_ROUTER, load, warmup + measured, latency)
    digest = run_weft(options.weft, folder, "--set", f"checkpoint.every_cycles={warmup}", "--set",
                      f'checkpoint.path="{checkpoint}"')["digest"]
    seconds = {ranks: [] for ranks in options.ranks}
    for _ in range(options.repeat):  # interleaved, so that a busy machine hits all alike
        for ranks in options.ranks:
            summary = run_weft(options.weft, folder, "--resume", str(checkpoint), ranks=ranks, mpirun=options.mpirun)
            if summary["digest"] != digest:
                raise Wrong(f"{ranks} ranks: digest {summary['digest']}, expected {digest}")
            seconds[ranks].append(summary["engine"]["wall_s"])
    checkpoint.unlink()
    return seconds


def lines(latency, load, seconds):
    base = min(seconds)
    for ranks, times in seconds.items():
        rounds = [f"{a / b:.2f}" for a, b in zip(seconds[base], times)]
        yield (f"| {latency} | {load:g} | {ranks} | {min(times):.3f} | {statistics.median(times):.3f} | "
               f"{min(seconds[base]) / min(times):.2f} | "
               f"{statistics.median(seconds[base]) / statistics.median(times):.2f} | "
               f"{', '.join(rounds)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", type=Path, required=True, help="the program")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4], help="default: 1 2 4")
    parser.add_argument("--latency", type=int, nargs="+", default=[1, 20],
                        help="link latencies in cycles; default: 1 20")
    parser.add_argument("--load", type=float, default=0.06, help="offered load in phits/node/cycle; default: 0.06")
    parser.add_argument("--warmup", type=int, default=1000, help="cycles before the measured ones; default: 1000")
    parser.add_argument("--measured", type=int, default=900, help="cycles measured, fewer than --warmup; default: 900")
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default: 5")
    parser.add_argument("--json", type=Path, help="file to keep the times in")
    options = parser.parse_args()
    print("| link latency, cycles | load | ranks | fastest, s | median, s | faster than 1 rank: fastest | medians | "
          "rounds |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    rows, wrong = [], False
    with tempfile.TemporaryDirectory(prefix="weft-ranks-") as folder:
        for latency in options.latency:
            try:
                seconds = measure(options, latency, options.load, Path(folder))
            except Wrong as error:
                wrong = True
                print(f"wrong: latency {latency}: {error}", file=sys.stderr)
                continue
            rows.append({"latency_cycles": latency, "load": options.load, "wall_s": seconds})
            print("\n".join(lines(latency, options.load, seconds)), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
