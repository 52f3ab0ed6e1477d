#!/usr/bin/env python3
"""Everything that [statistics] asks for is the same on any number of ranks, with every protocol and partition, and in a
run that goes on from a checkpoint: all numbers of the result file, and the file of packet events byte by byte.

  statistics.py --weft PROGRAM"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

h5py = harness.module("h5py")
HERE = Path(__file__).resolve().parent
ASKED = ["statistics.series_cycles=130", "statistics.ports=true", "statistics.distances=true", "statistics.pairs=true",
         "statistics.occupancy_cycles=170", "statistics.events=events.txt", "statistics.queues=true",
         "statistics.departures=true", "statistics.injection_latency=true"]
GROUPS = {"series", "ports", "busiest_links", "distances", "pairs", "occupancy", "events"}
TREE = ["topology.kind=tree", "topology.arity=4", "topology.levels=2"]
BURST = ["simulation.cycles=0", "workload.kind=burst", "workload.burst_packets=5", "workload.bursts=3"]
# name, config, settings, groups that must be there
CASES = [("torus", "direct.toml", [], GROUPS), ("bursts on a tree", "indirect.toml", TREE + BURST, GROUPS
                                                | {"nic_ports"}),
         ("steady state", "steady.toml", [], GROUPS)]
# ranks, settings: how a run may be computed.
WAYS = [(2, ["parallel.protocol=windowed", "parallel.partition=metis"]),
        (3, ["parallel.protocol=null-message", "parallel.partition=block"]),
        (4, ["parallel.protocol=windowed", "parallel.partition=round-robin"])]


def known(values):
    if isinstance(values, list):
        return [known(value) for value in values]
    return "none" if values != values else values


def numbers(path):
    """All data sets but those of the engine."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("engine/"):
            values = item[()]
            values = values.tolist() if hasattr(values, "tolist") else values
            # A figure that a run does not have is not a number, and not equal to itself.
            found[name] = (known(values), item.attrs.get("unit"))

    with h5py.File(path) as file:
        file.visititems(visit)
        found["digest"] = file.attrs["digest"]
    found.pop("summary/resumed_from_cycle")  # says how the run was carried out
    return found


class Checks:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.passed = self.failed = 0

    def run(self, config, ranks, settings, *arguments):
        """What the result file and the file of events say."""
        command = [self.options.weft, "run", HERE / config, "--out", "result.h5", "--progress", "never", *arguments]
        for setting in [*ASKED, *settings, "checkpoint.path=run.ckpt.h5"]:
            command += ["--set", setting]
        done = subprocess.run(harness.with_mpi(command, ranks), capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, env=harness.environment(ranks), cwd=self.folder, check=False)
        if done.returncode != 0:
            sys.exit(f"{config} on {ranks} ranks, {settings}: exit code {done.returncode}\n{done.stderr}")
        found = numbers(self.folder / "result.h5")
        found["events"] = (self.folder / "events.txt").read_text()
        return found

    def expect(self, what, problems):
        print(f"{'FAILED' if problems else 'ok    '} {what} {problems}")
        self.failed += bool(problems)
        self.passed += not problems

    def compare(self, what, reference, found):
        names = sorted(name for name in {*reference, *found} if reference.get(name) != found.get(name))
        self.expect(what, "differs in " + ", ".join(names) if names else "")

    def check(self, name, config, settings, groups):
        reference = self.run(config, 1, settings)
        missing = groups - {key.split("/")[0] for key in reference}
        self.expect(f"{name}: all that was asked for is there", ", ".join(missing))
        for ranks, way in WAYS:
            self.compare(f"{name}: {ranks} ranks, {' '.join(way)}", reference, self.run(config, ranks, settings + way))
        within = reference["series/end"][0][-1] * 2 // 5
        for at, writing, resuming in ((within, 3, 2), (130, 1, 3)):  # within an interval of the series; where one ends
            self.compare(f"{name}: checkpoints each {at} cycles, {writing} ranks", reference,
                         self.run(config, writing, [*settings, f"checkpoint.every_cycles={at}"]))
            self.compare(f"{name}: and from there on {resuming}", reference,
                         self.run(config, resuming, settings, "--resume", "run.ckpt.h5"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-statistics-") as folder:
        checks = Checks(options, Path(folder))
        for case in CASES:
            checks.check(*case)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
