#!/usr/bin/env python3
"""Windowed against null-message protocol on the same ranks: the table in docs/engine.md, from which `auto` follows.

Each case is run --repeat times with each protocol in turn, and the median wall clock of the event loop counts. The
answers are verified: one digest for all runs of a case, that of one rank. Exit code 1 if an answer is wrong; never for
being slow.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from running import TORUS_ROUTER, Wrong, run_weft, write_config

PROTOCOLS = ["windowed", "null-message"]

CASES = [
    {"side": side, "latency": latency, "pattern": pattern, "load": load}
    for side in (32, 64) for latency in (1, 10, 100) for pattern in ("uniform", "hot-spot") for load in (0.02, 1.0)
]


def run(options, folder, ranks, protocol, cycles):
    # Queues of 8 packets: those on the wire of a long link need free space.
    summary = run_weft(options.weft, folder, "--set", f"parallel.protocol={protocol}", "--set",
                       f"simulation.cycles={cycles}", "--set", "router.queue_packets=8", ranks=ranks,
                       mpirun=options.mpirun)
    if ranks > 1 and summary["engine"]["protocol"] != protocol:
        raise Wrong(f"ran as {summary['engine']['protocol']}, not as {protocol}")
    return summary


def measure(options, case, folder):
    """One row of the table."""
    write_config(folder, f'kind = "torus"\ndims = [{case["side"]}, {case["side"]}]', TORUS_ROUTER, case["load"],
                 latency=case["latency"], pattern=case["pattern"])
    # As many cycles as take one rank about the time asked for: it waits for nobody, so a busy machine matters less.
    trial = run(options, folder, 1, "sequential", 2000)
    cycles = max(1000, min(10_000_000, round(2000 * options.seconds / max(trial["engine"]["wall_s"], 1e-3))))
    alone = run(options, folder, 1, "sequential", cycles)
    runs = {protocol: [] for protocol in PROTOCOLS}
    for _ in range(options.repeat):  # interleaved, so that a busy machine hits both alike
        for protocol in PROTOCOLS:
            runs[protocol].append(run(options, folder, options.ranks, protocol, cycles))
    for protocol in PROTOCOLS:
        for summary in runs[protocol]:
            if summary["digest"] != alone["digest"]:
                raise Wrong(f"{protocol}: digest {summary['digest']}, on one rank {alone['digest']}")
    row = dict(case, ranks=options.ranks, cycles=cycles, digest=alone["digest"], events=alone["engine"]["events"],
               sequential_s=alone["engine"]["wall_s"])
    for protocol in PROTOCOLS:
        engine = [summary["engine"] for summary in runs[protocol]]
        row[protocol] = {
            "wall_s": [e["wall_s"] for e in engine], "median_s": statistics.median(e["wall_s"] for e in engine),
            "blocked": statistics.median(sum(e["blocked_s"]) / (options.ranks * e["wall_s"]) for e in engine),
            "windows": engine[0]["windows"], "exchanges": engine[0]["exchanges"],
            "null_messages": engine[0]["null_messages"], "remote_messages": engine[0]["remote_messages"],
        }
    row["ratio"] = row["windowed"]["median_s"] / row["null-message"]["median_s"]
    return row


def line(row):
    windowed, null = row["windowed"], row["null-message"]
    return (f"| {row['side']}x{row['side']} | {row['latency']} | {row['pattern']} | {row['load']:g} | "
            f"{row['cycles']:,} | "
            f"{row['events'] / row['cycles']:.0f} | {row['sequential_s']:.2f} | "
            f"{windowed['median_s']:.2f} ({min(windowed['wall_s']):.2f}-{max(windowed['wall_s']):.2f}) | "
            f"{null['median_s']:.2f} ({min(null['wall_s']):.2f}-{max(null['wall_s']):.2f}) | {row['ratio']:.2f} | "
            f"{windowed['exchanges']:,} | {null['exchanges']:,} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", type=Path, required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a run on one rank, roughly; default: 1")
    parser.add_argument("--only", default="", help="cases whose text contains this, e.g. '\"latency\": 1,'")
    parser.add_argument("--json", type=Path, help="file to keep the rows in")
    options = parser.parse_args()
    print(f"| torus | lookahead | pattern | load | cycles | events/cycle | 1 rank, s | windowed, {options.ranks} "
          f"ranks, s | "
          f"null-message, {options.ranks} ranks, s | windowed/null-message | agreements, windowed | null-message |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    rows, wrong = [], False
    with tempfile.TemporaryDirectory(prefix="weft-protocols-") as folder:
        for case in CASES:
            if options.only not in json.dumps(case):
                continue
            try:
                rows.append(measure(options, case, Path(folder)))
                print(line(rows[-1]), flush=True)
            except Wrong as error:
                wrong = True
                print(f"wrong: {case}: {error}", file=sys.stderr)
    if not rows:
        print("no case was run", file=sys.stderr)
        return 1
    print(f"geometric mean of windowed/null-message: {statistics.geometric_mean(row['ratio'] for row in rows):.3f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
