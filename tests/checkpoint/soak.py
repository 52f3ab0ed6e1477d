#!/usr/bin/env python3
"""One run, interrupted again and again: asked to stop (SIGUSR1, SIGTERM) or killed (SIGKILL) at random moments, resumed
on a random number of ranks. Its final digest must be that of the run that nobody disturbed."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness

CONFIG = """format = 1
[simulation]
seed = 7
cycles = {cycles}
[topology]
kind = "torus"
dims = [8, 8, 4]
[router]
kind = "bubble"
routing = "shortest"
virtual_channels = 3
[workload]
kind = "synthetic"
offered_load = {load}
"""


class Soak:
    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.random = random.Random(options.seed)
        self.config = folder / "soak.toml"
        self.checkpoint = folder / "soak.ckpt.h5"
        self.counts = {"finished": 0, "stopped": 0, "killed": 0, "unheard": 0}

    def start(self, ranks):
        command = [harness.weft(), "run", str(self.config), "--json", "-", "--progress", "never",
                   "--set", f"checkpoint.path={self.checkpoint}", "--set", "checkpoint.every_cycles=3000"]
        if self.checkpoint.is_file():
            command += ["--resume", str(self.checkpoint)]
        return subprocess.Popen(harness.with_mpi(command, ranks, processes=True), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=harness.environment(ranks),
                                start_new_session=True)

    def finish(self, ranks):
        process = self.start(ranks)
        out, err = process.communicate(timeout=600)
        if process.returncode != 0:
            sys.exit(f"exit code {process.returncode} on {ranks} ranks:\n{err}")
        return json.loads(out)

    def interrupt(self):
        """One more part of the run; its summary if it came to its end."""
        ranks = self.random.choice([1, 2, 3, 4])
        process = self.start(ranks)
        kind = self.random.choice([signal.SIGUSR1, signal.SIGTERM, signal.SIGKILL])
        try:
            out, err = process.communicate(timeout=self.random.uniform(0.3, self.options.longest))
        except subprocess.TimeoutExpired:
            if kind == signal.SIGKILL or ranks == 1:
                os.killpg(process.pid, kind)
            else:
                # mpirun hands it on; SIGTERM would end the ranks before they are done
                process.send_signal(signal.SIGUSR1)
            try:
                out, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # mpirun was not yet ready to hand a signal on
                process.communicate(timeout=60)
                self.counts["unheard"] += 1
                return None
        if process.returncode == 0:
            self.counts["finished"] += 1
            return json.loads(out)
        if process.returncode == 75:
            self.counts["stopped"] += 1
            if not self.checkpoint.is_file():
                sys.exit("exit code 75 without a checkpoint")
        elif process.returncode < 0 or process.returncode in (128 + signal.SIGUSR1, 128 + signal.SIGTERM, 128
                                                              + signal.SIGKILL):
            self.counts["killed"] += 1  # also: the signal came before the program had begun
        else:
            sys.exit(f"exit code {process.returncode} after {kind.name} on {ranks} ranks:\n{err}")
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interruptions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=60000)
    parser.add_argument("--longest", type=float, default=1.5, help="seconds before an interruption, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-soak-") as folder:
        soak = Soak(Path(folder), options)
        done, begin = 0, time.monotonic()
        while done < options.interruptions:
            # One run after the other, each as often interrupted as it takes it to come to its end.
            soak.config.write_text(CONFIG.format(cycles=options.cycles, load=soak.random.choice([0.05, 0.3, 1.0])))
            soak.checkpoint.unlink(missing_ok=True)
            expected = soak.finish(1)["digest"]
            soak.checkpoint.unlink(missing_ok=True)
            summary, parts = None, 0
            while summary is None and done + parts < options.interruptions:
                summary = soak.interrupt()
                parts += summary is None
            done += parts
            if summary is None:
                summary = soak.finish(2)
            if summary["digest"] != expected:
                sys.exit(f"digest {summary['digest']} after {parts} interruptions, {expected} without")
            print(f"{done:4} interruptions ({soak.counts['stopped']} stopped, {soak.counts['killed']} killed, "
                  f"{soak.counts['unheard']} unheard): "
                  f"{parts} in this run, digest {expected} ok, {time.monotonic() - begin:.0f} s", flush=True)
            if parts == 0:
                options.cycles *= 2  # too short to be interrupted
        if soak.counts["unheard"] > 2 + done // 10:
            sys.exit(f"{soak.counts['unheard']} signals were not heard")
    return 0


if __name__ == "__main__":
    sys.exit(main())
