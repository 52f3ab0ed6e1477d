#!/usr/bin/env python3
"""By how much two jobs slow each other down on one dragonfly, by placement and routing, with 95 % confidence over
seeds, and what their links had to carry: slowdowns.py [--seeds N] [--weft WEFT]. Prints a table; 5 seeds take some
minutes on one core.

For each seed and case the jobs run together and each alone (weft run --slowdown), with statistics.ports: the busiest
link between groups and the mean of these links say whether a job waits for the other's traffic or for its own."""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

import h5py

STUDY = Path(__file__).resolve().parent / "two-jobs.toml"
GLOBAL_PORTS = range(7, 11)  # of routers with 7 ports to their group before, and 4 to nodes behind
# Student's t for 95 %, by degrees of freedom.
T95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


def run(weft, folder, seed, placement, routing):
    settings = [f"simulation.seed={seed}", f"router.routing={routing}", "statistics.ports=true"]
    settings += [f"job.{job}.placement.policy={placement}" for job in ("stencil", "all-to-all")]
    command = [weft, "run", STUDY, "--slowdown", "--json", "-", "--progress", "never", "--out", folder / "run.h5"]
    command += [word for setting in settings for word in ("--set", setting)]
    summary = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {job["name"]: job["slowdown"] for job in summary["jobs"]}, loads(folder / "run.h5", summary["cycles"])


def loads(path, cycles, links=33 * 32, phits=16):
    """Of links between groups: phits a cycle of the busiest, and of all in the mean."""
    with h5py.File(path) as file:
        packets = {}
        for router, port, count in zip(file["ports/router"][:], file["ports/port"][:], file["ports/packets"][:]):
            if port in GLOBAL_PORTS:
                packets[router, port] = packets.get((router, port), 0) + int(count)
    return max(packets.values()) * phits / cycles, sum(packets.values()) * phits / cycles / links


def interval(values):
    half = T95[len(values) - 1] * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{statistics.mean(values):.3f} +- {half:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--weft", default="weft")
    options = parser.parse_args()
    print("placement   routing   stencil          all-to-all       busiest global link   mean")
    with tempfile.TemporaryDirectory() as folder:
        for placement in ("random", "clustered"):
            for routing in ("minimal", "ugal-l"):
                slow, links = {"stencil": [], "all-to-all": []}, []
                for seed in range(1, options.seeds + 1):
                    found, load = run(options.weft, Path(folder), seed, placement, routing)
                    for job, value in found.items():
                        slow[job].append(value)
                    links.append(load)
                busiest, mean = (statistics.mean(column) for column in zip(*links))
                print(
                    f"{placement:11} {routing:9} {interval(slow['stencil']):16} {interval(slow['all-to-all']):16} "
                    f"{busiest:19.3f} {mean:6.3f}")


if __name__ == "__main__":
    main()
