"""Many runs of weft in processes that mpirun starts once, by the program shared_runs (ranks/shared_runs.cpp): most of
what a short run on several ranks takes is mpirun's start and end."""

import json
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import harness

MOST_RANKS = 4  # of the processes that most runs share; runs on more have others


class Shared(NamedTuple):
    """Where the programs are, and where lists of runs may lie."""

    program: Path
    mpirun: str
    folder: Path
    seconds: float = 560.0


def steps_of(runs, ranks):
    """[(ranks, command)] as steps: runs that have room side by side on so many ranks, large ones first."""
    waiting = defaultdict(list)
    for run_ranks, command in runs:
        waiting[run_ranks].append({"ranks": run_ranks, "command": [str(word) for word in command]})
    while any(waiting.values()):
        step, free = [], ranks
        while fitting := [count for count, left in waiting.items() if left and count <= free]:
            step.append(waiting[max(fitting)].pop(0))
            free -= step[-1]["ranks"]
        yield step


def _make(shared, runs, ranks):
    steps = list(steps_of(runs, ranks))
    listing = shared.folder / f"steps-{ranks}.json"
    listing.write_text(json.dumps(steps), encoding="utf-8")
    launcher = [str(shared.mpirun), "-n", str(ranks), "--bind-to", "none"]
    begin = time.monotonic()
    done = subprocess.run(harness.with_mpi([Path(shared.program).resolve(), listing], ranks, launcher), cwd=shared.folder, text=True,
                          env=harness.environment(ranks), capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=shared.seconds, check=False)
    print(f"{len(runs)} runs on {ranks} processes: {len(steps)} steps in {time.monotonic() - begin:.1f} s", flush=True)
    if done.returncode != 0:
        print(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.returncode == 0


def make(shared, runs):
    """Makes the runs, [(ranks, arguments of weft)]; False if one failed, which ends all others and is printed."""
    groups = defaultdict(list)
    for ranks, command in runs:
        groups[max(ranks, MOST_RANKS)].append((ranks, command))
    return all([_make(shared, group, ranks) for ranks, group in groups.items()])
