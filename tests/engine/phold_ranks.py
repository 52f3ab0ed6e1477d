#!/usr/bin/env python3
"""Runs phold_ranks alone and on several rank counts, partitions and protocols, and demands one digest. Registered by
ranks.cmake."""

import argparse
import os
import signal
import subprocess
import sys
import time

import harness


def run(command, ranks, seconds, **environment):
    """Output of `command` in the environment of mpi-env.sh, or None with the reason printed."""
    process = subprocess.Popen(
        harness.with_mpi(command),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, WEFT_RANKS=str(ranks), **environment), start_new_session=True)
    try:
        out, err = process.communicate(timeout=max(1.0, seconds))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        print("time limit reached: " + " ".join(command))
        return None
    if process.returncode != 0:
        print(f"exit code {process.returncode}: {' '.join(command)}\n{err or out}")
        return None
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--entities", type=int, required=True)
    parser.add_argument("--latency", type=int, required=True)
    parser.add_argument("--ticks", type=int, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--timeout", type=float, default=100.0, help="seconds for all runs together")
    options = parser.parse_args()
    deadline = time.monotonic() + options.timeout
    size = [str(options.entities), str(options.latency), str(options.ticks)]

    cells = [("alone", 1, [options.program, *size, "block", "windowed"], {})]
    for ranks in options.ranks:
        for variant in (("block", "windowed"), ("round-robin", "windowed"), ("block", "null-message"),
                        ("round-robin", "null-message")):
            launch = [options.mpirun, "-n", str(ranks), "--oversubscribe", "--bind-to", "none"]
            command = [*launch, options.program, *size, *variant]
            cells.append((f"{ranks} ranks, {', '.join(variant)}", ranks, command, {}))
            if ranks > 2 and variant[0] == "block":
                cells.append((f"  as if on {(ranks + 1) // 2} machines", ranks, command,
                              {"WEFT_RANKS_PER_MACHINE": "2"}))

    expected, same = None, True
    for label, ranks, command, environment in cells:
        begin = time.monotonic()
        out = run(command, ranks, deadline - begin, **environment)
        words = (out or "").split()
        history = words[:2]
        whole = len(words) == 3 and words[2] == str(ranks)
        expected = expected or history
        ok = whole and history == expected
        same = same and ok
        print(f"{label:36} {' '.join(words) or '-':50} {time.monotonic() - begin:6.2f} s  "
              f"{'ok' if ok else 'DIFFERS OR FAILED'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
