#!/usr/bin/env python3
"""Runs that are ended by simulation.max_cycles or by the watchdog end at the same simulated tick, with the same words,
however they are computed: ranks, protocols, checkpoints in between.

  limits.py --weft PROGRAM"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

BURST = """format = 1
[topology]
kind = "torus"
dims = [4, 4]
[workload]
kind = "burst"
burst_packets = 300
[simulation]
"""
# Every packet turns the same way round the ring and may fill its last place.
RING = """format = 1
[topology]
kind = "torus"
dims = [9]
[router]
routing = "oblivious"
virtual_channels = 1
bubble_packets = 0
# Sources go on for a while after the network stands still: it is the watchdog that ends the run.
injection_queue_packets = 200
[deadlock]
unsafe = true
[workload]
offered_load = 0.9
[simulation]
cycles = 10000000
watchdog_cycles = 700
"""
# (ranks, more settings): how a run may be computed.
WAYS = [(1, []), (1, ["checkpoint.every_cycles=97"]), (2, ["parallel.protocol=\"windowed\""]),
        (3, ["parallel.protocol=\"null-message\""]), (4, ["checkpoint.every_cycles=350"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-limits-") as folder:
        checks = Checks(options, Path(folder))
        checks.burst()
        checks.deadlock()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


class Checks:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.passed = self.failed = 0

    def run(self, config, ranks, settings):
        """Exit code, what it said of the end, and how long the run was."""
        path = self.folder / "config.toml"
        path.write_text(config)
        command = [self.options.weft, "run", str(path), "--progress", "never"]
        for setting in [*settings, f"checkpoint.path={self.folder / 'run.ckpt.h5'}"]:
            command += ["--set", setting]
        done = subprocess.run(harness.with_mpi(command, ranks), capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, env=harness.environment(ranks), check=False)
        error = re.search(r"weft: error(?: \[rank \d+\])?: (.*)", done.stderr)
        simulated = re.search(r"^simulated +([\d,]+) cycles", done.stdout, re.MULTILINE)
        return (done.returncode, error.group(1) if error else "",
                int(simulated.group(1).replace(",", "")) if simulated else None)

    def expect(self, what, holds):
        print(f"{'ok    ' if holds else 'FAILED'} {what}")
        self.passed += holds
        self.failed += not holds

    def burst(self):
        """A burst with a limit before its end always fails, with one at its end never."""
        code, error, cycles = self.run(BURST, 1, [])
        self.expect(f"the burst takes {cycles} cycles without a limit ({error})", code == 0 and cycles > 1000)
        for ranks, settings in WAYS:
            how = f"{ranks} ranks {' '.join(settings)}"
            short = self.run(BURST, ranks, [*settings, f"simulation.max_cycles={cycles - 1}"])
            self.expect(f"limit a cycle before the end, {how}: {short}", short[0] == 4 and "max_cycles" in short[1])
            long = self.run(BURST, ranks, [*settings, f"simulation.max_cycles={cycles}"])
            self.expect(f"limit at the end, {how}: {long}", long == (0, "", cycles))

    def deadlock(self):
        """The cycle of the deadlock, the packets in flight and how long there was no delivery."""
        found = {way: self.run(RING, ranks, settings) for way, (ranks, settings) in enumerate(WAYS)}
        code, words, _ = found[0]
        match = re.match(r"deadlock in the simulated network at cycle (\d+) with (\d+) packets in flight "
                         r"\(no packet was delivered for (\d+) cycles, longer than simulation.watchdog_cycles = "
                         r"\d+[^)]*\)", words)
        self.expect(f"the ring deadlocks: {words}", code == 4 and match is not None and int(match.group(3)) <= 701)
        for way, (ranks, settings) in enumerate(WAYS):
            self.expect(f"same words, {ranks} ranks {' '.join(settings)}: {found[way]}", found[way] == found[0])


if __name__ == "__main__":
    sys.exit(main())
