#!/usr/bin/env python3
"""Traces of BT, IS and CG on a torus by three ways of routing, and the run time of CG at three link rates (Miguel-Alonso,
Navaridas, Ridruejo, International Journal of Parallel Programming 2009), published beside simulated, as Markdown.

    studies/trace-routing/trace_routing.py TRACES [--quick] [--seeds N] [--part routing time] [--processes N]

TRACES is a folder with bt.W.64.trc.xz, is.W.64.trc.xz and cg.W.64.trc.xz: the NAS Parallel Benchmarks on 64 tasks, messages of collective
calls included, with computing in ns of processor time. Times of communication are those without computing. --quick: IS only.
Environment: WEFT_BINARY is the program, build/release/bin/weft if not given.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEFT = os.environ.get("WEFT_BINARY", HERE.parents[1] / "build" / "release" / "bin" / "weft")
PROGRAMS = ["BT", "IS", "CG"]
ROUTINGS = {"oblivious, 1 channel": ("oblivious", 1), "oblivious, 3 channels": ("oblivious", 3),
            "adaptive (smart), 3 channels": ("smart", 3), "adaptive (shortest), 3 channels": ("shortest", 3)}  # fmt: skip
BASE, CHANNELS, SMART, SHORTEST = ROUTINGS
# CG with computing: Gbit/s -> seconds.
PUBLISHED_SECONDS = {0.1: 3.49, 1: 0.55, 10: 0.25}
FITTED_RATE = 10
PHIT_BITS = 32


def cycles(traces, program, routing, seed=1, **keys):
    """How long a run takes."""
    mode, channels = ROUTINGS[routing]
    keys |= {"workload__path": str(Path(traces).resolve() / f"{program.lower()}.W.64.trc.xz"), "router__routing": mode,
             "router__virtual_channels": channels, "simulation__seed": seed}  # fmt: skip
    command = [WEFT, "run", HERE / "torus.toml", "--json", "-", "--progress", "never"]
    command += [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={json.dumps(value)}")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{run.stderr}")
    return json.loads(run.stdout)["cycles"]


def communication(pool, traces, programs, seeds):
    """{program: {routing: time over that of oblivious routing with 1 channel, mean over seeds}}."""
    points = [(program, routing, seed) for program in programs for routing in ROUTINGS for seed in range(1, seeds + 1)]
    found = dict(zip(points, pool.map(lambda point: cycles(traces, *point), points)))
    mean = {(program, routing): statistics.fmean(found[program, routing, seed] for seed in range(1, seeds + 1)) for program, routing, _ in points}
    return {program: {routing: mean[program, routing] / mean[program, BASE] for routing in ROUTINGS} for program in programs}


def verdicts(found):
    """{(program, routing): (what is published, what differs)}: the text of the paper has signs and order, not figures."""
    said = {}
    for program, times in found.items():
        for routing in (CHANNELS, SMART, SHORTEST):
            time = times[routing]
            gain = f"{100 * (1 - time / times[CHANNELS]):.0f} % less than with oblivious routing"
            if program == "BT":
                said[program, routing] = "~ 1", f"{100 * (time - 1):+.1f} %"
            elif program == "IS" and routing == CHANNELS:
                said[program, routing] = "clearly below 1", "as published" if time < 0.9 else "no gain"
            elif program == "IS":
                said[program, routing] = "as with oblivious routing", gain
            elif routing == CHANNELS:
                gains_less = time < 1 and ("IS" not in found or time > found["IS"][CHANNELS])
                said[program, routing] = "below 1, by less than IS", "as published" if gains_less else "other order"
            else:
                said[program, routing] = "clearly less than with oblivious routing", gain
    return said


def fitted_scale(traces, routing):
    """cpu_scale with which CG takes at FITTED_RATE what is published there, and the time that it takes then."""
    wanted = PUBLISHED_SECONDS[FITTED_RATE]
    tried = {scale: seconds(traces, routing, FITTED_RATE, scale) for scale in (1.0, 4.0)}
    for _ in range(4):
        # Run times are nearly linear in it.
        (low, at_low), (high, at_high) = sorted(tried.items(), key=lambda each: abs(each[1] - wanted))[:2]
        scale = low + (wanted - at_low) * (high - low) / (at_high - at_low)
        tried[scale] = seconds(traces, routing, FITTED_RATE, scale)
        if abs(tried[scale] / wanted - 1) < 0.002:
            break
    return min(tried.items(), key=lambda each: abs(each[1] - wanted))


def seconds(traces, routing, rate, scale):
    found = cycles(traces, "CG", routing, link__rate_gbps=rate, workload__cpu_scale=scale)
    return found * PHIT_BITS / rate * 1e-9


def print_routing(found):
    print("| program | routing | published | simulated | difference |\n|---|---|---|---|---|")
    said = verdicts(found)
    for program, times in found.items():
        for routing in (CHANNELS, SMART, SHORTEST):
            published, difference = said[program, routing]
            print(f"| {program} | {routing} | {published} | {times[routing]:.3f} | {difference} |")


def print_run_times(pool, traces):
    print("| routing | `cpu_scale` | | published | simulated | difference |\n|---|---|---|---|---|---|")
    routings = (BASE, SMART)
    scales = dict(zip(routings, pool.map(lambda routing: fitted_scale(traces, routing), routings)))
    rates = [rate for rate in PUBLISHED_SECONDS if rate != FITTED_RATE]
    points = [(routing, rate) for routing in routings for rate in rates]
    times = dict(zip(points, pool.map(lambda point: seconds(traces, *point, scales[point[0]][0]), points)))
    for routing in routings:
        scale, times[routing, FITTED_RATE] = scales[routing]
        names = {0.1: "100 Mb/s", 1: "1 Gb/s", 10: "10 Gb/s"}
        for rate, published in PUBLISHED_SECONDS.items():
            found = times[routing, rate]
            difference = "fitted" if rate == FITTED_RATE else f"{100 * (found / published - 1):+.0f} %"
            print(f"| {routing} | {scale:.2f} | {names[rate]} | {published:.2f} s | {found:.2f} s | {difference} |")
        for slow, fast in ((0.1, 1), (1, 10)):
            published = {(0.1, 1): 6.35, (1, 10): 2.20}[slow, fast]
            found = times[routing, slow] / times[routing, fast]
            words = f"speed-up, {names[slow]} to {names[fast]}"
            print(f"| {routing} | {scale:.2f} | {words} | {published:.2f} | {found:.2f} | {100 * (found / published - 1):+.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path)
    parser.add_argument("--quick", action="store_true", help="routing of IS only")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--part", nargs="+", choices=["routing", "time"], default=["routing", "time"])
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    with ThreadPoolExecutor(options.processes) as pool:
        if options.quick or "routing" in options.part:
            print_routing(communication(pool, options.traces, ["IS"] if options.quick else PROGRAMS, options.seeds))
        if not options.quick and "time" in options.part:
            print("", flush=True)
            print_run_times(pool, options.traces)


if __name__ == "__main__":
    main()
