#!/usr/bin/env python3
"""Predicts the run time of tests/tracer/predicted.c on 2 ranks: recorded by weft's tracer and replayed with cpu_scale =
1 on the ideal network, with the latency, overhead and bandwidth that the program measures itself before. Prints a row
of Markdown for each library that is installed; fails where the median of the runs is more than 20 % off.

    tests/by-hand tests/tracer/prediction.py [--runs 5] [--sections 200] [--library openmpi]

Times are medians of processor time (predicted.c says why), so that other programs on the machine disturb little. A run
is measured without the tracer, then recorded."""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from recording import ENVIRONMENT, LIBRARIES, WEFT

HERE = Path(__file__).resolve().parent

IDEAL = """format = 1
[simulation]
stop = "workload-complete"
[topology]
kind = "ideal"
nodes = 2
[ideal]
latency_ns = {latency}
overhead_ns = {overhead}
gap_ns = 0.0
byte_gap_ns = {byte}
[workload]
kind = "trace"
path = "{trace}"
cpu_scale = 1
trace_store = "none"
"""
MOST = 0.2
SMALL, LARGE = 8, 4000
SPINNING = dict(ENVIRONMENT, OMPI_MCA_mpi_yield_when_idle="0")


def output(*words):
    ran = subprocess.run(list(map(str, words)), env=SPINNING, capture_output=True, text=True, timeout=600, check=False)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def predict(library, folder, run, sections):
    """One run: (latency, ns for a byte, overhead, time of a section: measured, predicted, of its messages alone), in
    ns."""
    _, _, launcher, usual = LIBRARIES[library]
    launch = [launcher, *usual, "-n", "2", folder / "predicted", sections]
    lines = (line.split() for line in output(*launch).splitlines())
    medians = {words[0]: statistics.median(map(float, words[1:])) for words in lines}
    byte = (medians["one_way_large"] - medians["one_way_small"]) / (LARGE - SMALL)
    overhead = medians["overhead"]
    latency = max(medians["one_way_small"] - 2 * overhead - byte * (SMALL - 1), 0)
    trace = folder / f"trace-{run}"
    output(WEFT, "trace", "record", "--out", trace, "--off", "--", *launch)
    config = folder / f"run-{run}.toml"
    config.write_text(IDEAL.format(latency=latency, overhead=overhead, byte=byte, trace=trace), encoding="utf-8")
    found = []
    for scale in (1, 0):
        result = json.loads(output(WEFT, "run", config, "--set", f"workload.cpu_scale={scale}", "--json", "-",
                                   "--progress", "never"))
        found.append(result["tasks"]["finish_ns_max"] / sections)
    return latency, byte, overhead, medians["section"], *found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sections", type=int, default=200)
    parser.add_argument("--library", choices=LIBRARIES)
    options = parser.parse_args()
    tracers = Path(WEFT).parents[1] / "lib" / "weft"
    libraries = [each for each in LIBRARIES if shutil.which(LIBRARIES[each][0])
                 and (tracers / each / "libweft-trace.so").exists()]
    libraries = [each for each in libraries if options.library in (None, each)]
    if not libraries:
        print("no MPI library is installed with its headers (libopenmpi-dev, libmpich-dev)")
        return 77
    print("| library | latency | overhead | bandwidth | a section, measured | predicted | difference | of each run | "
          "messages alone |\n|---|---|---|---|---|---|---|---|---|")
    worst = 0
    for library in libraries:
        with tempfile.TemporaryDirectory(prefix="weft-prediction-") as scratch:
            folder = Path(scratch)
            subprocess.run([LIBRARIES[library][0], "-O1", "-w", "-o", folder / "predicted", HERE / "predicted.c"],
                           check=True)
            runs = [predict(library, folder, run, options.sections) for run in range(options.runs)]
        latency, byte, overhead, measured, predicted, messages = (statistics.median(values) for values in zip(*runs))
        each = sorted(found / real - 1 for *_, real, found, _ in runs)
        difference = statistics.median(each)
        worst = max(worst, abs(difference))
        spread = " ".join(f"{100 * value:+.1f}" for value in each)
        print(f"| {library} | {latency:.0f} ns | {overhead:.0f} ns | {1 / byte:.2f} GB/s | {measured * 1e-3:.1f} us | "
              f"{predicted * 1e-3:.1f} us "
              f"| {100 * difference:+.1f} % | {spread} | {messages * 1e-3:.1f} us |", flush=True)  # fmt: skip
    return worst > MOST


if __name__ == "__main__":
    sys.exit(main())
