"""Many runs of weft in processes that are started once, by the program shared_runs (ranks/shared_runs.cpp): most of
what a short run on several ranks takes is the start and the end. Ranks are threads of one process, or processes that
mpirun starts, of which every second run has half, with two threads each."""

import json
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import harness

MOST_RANKS = 4  # of the processes that most runs share; runs on more have others


class Shared(NamedTuple):
    """Where the programs are, and where lists of runs may lie. `mpirun`: empty if ranks are to be threads."""

    program: Path
    mpirun: str
    folder: Path
    seconds: float = 560.0


def with_threads(command, threads):
    return [*map(str, command), *(["--threads", str(threads)] if threads > 1 else [])]


def on_threads(runs):
    """[(ranks, command)] as steps of one process."""
    for ranks, command in runs:
        yield [{"processes": 1, "idle": 0, "command": with_threads(command, ranks)}]


def on_processes(runs, processes):
    """[(ranks, command)] as steps: runs that have room side by side on so many processes, large ones first."""
    waiting = defaultdict(list)
    for number, (ranks, command) in enumerate(runs):
        threads = 2 if number % 2 == 1 and ranks % 2 == 0 else 1
        waiting[ranks].append({"processes": ranks // threads, "idle": ranks - ranks // threads,
                               "command": with_threads(command, threads)})
    while any(waiting.values()):
        step, free = [], processes
        while fitting := [count for count, left in waiting.items() if left and count <= free]:
            step.append(waiting[max(fitting)].pop(0))
            free -= max(fitting)
        yield step


def _make(shared, runs, processes):
    steps = list(on_processes(runs, processes) if processes > 1 else on_threads(runs))
    listing = shared.folder / f"steps-{processes}.json"
    listing.write_text(json.dumps(steps), encoding="utf-8")
    launcher = [str(shared.mpirun), "-n", str(processes), "--bind-to", "none"] if processes > 1 else []
    begin = time.monotonic()
    done = subprocess.run(harness.with_mpi([Path(shared.program).resolve(), listing], processes, launcher),
                          cwd=shared.folder,
                          text=True, env=harness.environment(processes), capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=shared.seconds, check=False)
    print(f"{len(runs)} runs on {processes} processes: {len(steps)} steps in {time.monotonic() - begin:.1f} s",
          flush=True)
    if done.returncode != 0:
        print(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.returncode == 0


def make(shared, runs):
    """Makes the runs, [(ranks, arguments of weft)]; False if one failed, which ends all others and is printed."""
    groups = defaultdict(list)
    for ranks, command in runs:
        groups[max(ranks, MOST_RANKS) if shared.mpirun else 1].append((ranks, command))
    return all([_make(shared, group, processes) for processes, group in groups.items()])
