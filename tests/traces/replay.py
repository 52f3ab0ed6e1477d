#!/usr/bin/env python3
"""Replays one recorded application on one network with 1, 2, 3 ... ranks: every message and packet that is sent must
arrive, and digest and figures must be the same for every number of ranks. Registered by CMakeLists.txt.

Exit code 77: the trace is not there (the larger ones are no part of the repository), so the test is skipped."""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

import rank_matrix

SKIPPED = 77

# Name: config, settings. torus-* are the three router designs of Miguel-Alonso, Navaridas, Ridruejo (IJPP 2009).
NETWORKS = {
    "torus-oblivious1": ("torus.toml", ["router.routing=oblivious", "router.virtual_channels=1"]),
    "torus-oblivious3": ("torus.toml", ["router.routing=oblivious", "router.virtual_channels=3"]),
    "torus-shortest3": ("torus.toml", ["router.routing=shortest", "router.virtual_channels=3"]),
    "tree-8-4-2": ("thin-tree.toml", ["topology.down=8", "topology.up=4", "topology.levels=2"]),
    "tree-4-4-3": ("thin-tree.toml", ["topology.down=4", "topology.up=4", "topology.levels=3"]),
}


def find_trace(name):
    """The file of a trace such as is.S.16, or None."""
    shared = Path(os.environ.get("WEFT_SHARED", ROOT.parent / "shared"))
    for folder in (ROOT / "examples" / "traces", shared / "traces" / "npb-extended"):
        path = folder / f"{name}.trc.xz"
        if path.is_file():
            return path
    return None


def check_everything_arrived(summary):
    packets, messages = summary["packets"], summary["messages"]
    if not packets["generated"] == packets["injected"] == packets["delivered"] > 0:
        raise rank_matrix.RunFailed(f"packets lost: {packets}")
    if packets["dropped"] != 0 or packets["in_flight"] != 0:
        raise rank_matrix.RunFailed(f"packets left over: {packets}")
    if not messages["sent"] == messages["delivered"] > 0:
        raise rank_matrix.RunFailed(f"messages lost: {messages}")
    if summary["stop_reason"] != "workload-complete":
        raise rank_matrix.RunFailed(f"ended by {summary['stop_reason']}")


def settings_of(options, trace):
    config, settings = NETWORKS[options.network]
    settings = [f"workload.path={trace}", *settings]
    if config == "torus.toml":
        side = {"16": 4, "64": 8}[options.trace.rsplit(".", 1)[1]]
        settings.append(f"topology.dims=[{side},{side}]")
    return HERE / config, settings


def replay(options, trace, ranks, folder, deadline):
    """The summary of one run."""
    config, settings = settings_of(options, trace)
    command = [str(options.weft), "run", str(config), "--json", "-", "--progress", "never", "--threads", str(ranks)]
    command += ["--out", str(folder / "replay.h5")]
    for setting in settings:
        command += ["--set", setting]
    summary = rank_matrix.parse_summary(rank_matrix.run_command(command, ranks, deadline))
    rank_matrix.check_conservation(summary)
    check_everything_arrived(summary)
    if summary["ranks"] != ranks:
        raise rank_matrix.RunFailed(f"{summary['ranks']} ranks took part, {ranks} were asked for")
    return summary


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", type=Path, required=True, help="the program")
    parser.add_argument("--trace", required=True, help="such as is.S.16")
    parser.add_argument("--network", required=True, choices=NETWORKS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4], help="default: 1 2 3 4")
    parser.add_argument("--timeout", type=float, default=280.0, help="seconds for all runs together; default: 280")
    options = parser.parse_args(arguments)

    trace = find_trace(options.trace)
    if trace is None:
        print(f"skipped: no trace {options.trace} (WEFT_SHARED names the folder that has traces/npb-extended)")
        return SKIPPED
    deadline = time.monotonic() + options.timeout
    reference, failed = None, False
    with tempfile.TemporaryDirectory(prefix="weft-traces-") as folder:
        for ranks in options.ranks:
            begin, problems = time.monotonic(), []
            label = f"{options.trace} {options.network} {ranks} rank{'s' if ranks > 1 else ''}"
            try:
                summary = replay(options, trace, ranks, Path(folder), deadline)
            except rank_matrix.RunFailed as failure:
                print(f"{label}: FAILED: {failure}", flush=True)
                failed = True
                continue
            reference = reference or summary
            problems = rank_matrix.differences(reference, summary)
            failed = failed or bool(problems)
            figures = {key: rank_matrix.lookup(summary, key) for key in ("cycles", "hops", "messages.sent")}
            print(f"{label}: {summary['digest']} {json.dumps(figures)} loop {summary['engine']['wall_s']:.2f} s, "
                  f"all {time.monotonic() - begin:.2f} s {'DIFFERS' if problems else 'ok'}", flush=True)
            for problem in problems:
                print(f"    {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
