#!/usr/bin/env python3
"""Timelines are the same file, byte by byte, on any number of ranks, and in a run that goes on from a checkpoint; and
so is the digest, which is that of a run without one.

  timelines.py --weft PROGRAM"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

# Jobs with lanes, graphs and lists of operations; on switches.
JOBS = """format = 1
topology = {kind = "tree", arity = 4, levels = 2}
router = {kind = "switch", routing = "auto"}
link = {rate_gbps = 100}
[[job]]
name = "train"
workload = {kind = "training", tasks = 4, layers = 2, hidden = 16, sequence = 8, batch = 4, pipeline = 2}
placement = {policy = "random"}
[[job]]
name = "halo"
workload = {kind = "kernel", name = "mesh", tasks = 4, message_bytes = 500, rendezvous_bytes = 100, overhead_ns = 100}
placement = {policy = "random"}
"""
# A linear program by the rules of a torus of plain routers.
TORUS = """format = 1
topology = {kind = "torus", dims = [4, 4]}
workload = {kind = "collective", name = "allreduce", message_bytes = 256, tasks_per_node = 2}
"""
LINKS = "router 1, port 0; router 2, port 1"
# name, config, settings, cycle of a checkpoint
CASES = [("collective on a torus", "torus.toml", [f"statistics.timeline_links={LINKS}",
                                                  "statistics.timeline_links_cycles=130"], 250),
         ("jobs", "jobs.toml", ["statistics.timeline_tasks=0-2,4-7", "statistics.timeline_links=node 3",
                                "statistics.timeline_links_cycles=3000"], 4000)]


class Checks:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.failed = 0

    def run(self, config, ranks, settings, *arguments):
        """Digest, and the bytes of the timeline."""
        command = [self.options.weft, "run", config, "--json", "-", "--quiet", "--progress", "never", *arguments]
        for setting in [*settings, "checkpoint.path=run.ckpt.h5"]:
            command += ["--set", setting]
        done = subprocess.run(harness.with_mpi(command, ranks),
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                              env=harness.environment(ranks),
                              cwd=self.folder, check=False)  # fmt: skip
        if done.returncode != 0:
            sys.exit(f"{config} on {ranks} ranks, {settings}: exit code {done.returncode}\n{done.stderr}")
        timeline = self.folder / "t.pftrace"
        found = timeline.read_bytes() if timeline.exists() else b""
        timeline.unlink(missing_ok=True)
        return json.loads(done.stdout)["digest"], found

    def expect(self, what, fine):
        print(f"{'ok    ' if fine else 'FAILED'} {what}")
        self.failed += not fine

    def check(self, name, config, settings, cycle):
        plain, nothing = self.run(config, 1, [])
        self.expect(f"{name}, none without being asked for", nothing == b"")
        asked = ["statistics.timeline=t.pftrace", *settings]
        digest, timeline = self.run(config, 1, asked)
        self.expect(f"{name}, digest with a timeline of {len(timeline)} bytes", digest == plain and len(timeline)
                    > 1000)
        for ranks in (2, 3, 4):
            self.expect(f"{name}, {ranks} ranks", self.run(config, ranks, asked) == (digest, timeline))
        saving = [*asked, f"checkpoint.every_cycles={cycle}"]
        _, saved = self.run(config, 2, saving)
        checkpoint = self.folder / "run.ckpt.h5"
        self.expect(f"{name}, with checkpoints", saved == timeline and checkpoint.exists())
        self.expect(f"{name}, from a checkpoint", self.run(config, 1, saving, "--resume", checkpoint)
                    == (digest, timeline))
        checkpoint.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-timelines-") as folder:
        (Path(folder) / "jobs.toml").write_text(JOBS)
        (Path(folder) / "torus.toml").write_text(TORUS)
        checks = Checks(options, Path(folder))
        for case in CASES:
            checks.check(*case)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
