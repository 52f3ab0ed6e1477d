#!/usr/bin/env python3
"""Runs one config sequentially and on several rank counts, partitions and protocols, and demands one and the same
result: the digest of the history and every physical figure. Registered by weft_rank_matrix (rank_matrix.cmake)."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import harness

# What the simulated machine did, as opposed to how long the computation took: must not depend on the latter.
PHYSICS = ["packets", "messages", "hops", "cycles", "load.accepted", "latency"]
# Compared likewise where the summary has them.
MORE_PHYSICS = ["nodes", "routers", "stop_reason", "load.offered", "load.injected", "load.accepted_stddev",
                "load.accepted_ci95",
                "distance", "converged", "steady_state", "batches", "seeds", "over_seeds", "traffic_classes",
                "activities", "bandwidth"]
ABSENT = "(absent)"
DEFAULT_VARIANTS = ["windowed:metis", "windowed:block", "null-message:block"]


class RunFailed(Exception):
    """A run that gave no usable summary; the text says why."""


def lookup(summary, key):
    value = summary
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return ABSENT
        value = value[part]
    return value


def run_command(command, ranks, deadline):
    """Runs `command` in the environment of mpi-env.sh for so many ranks; returns its standard output."""
    process = subprocess.Popen(
        harness.with_mpi(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, WEFT_RANKS=str(ranks)),
        start_new_session=True,  # a group of its own, so that mpirun and all its ranks can be ended together
    )
    try:
        out, err = process.communicate(timeout=max(1.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise RunFailed(f"time limit reached\n{tail(err)}") from None
    if process.returncode != 0:
        raise RunFailed(f"exit code {process.returncode}\n{tail(err or out)}")
    return out


def tail(text, lines=20):
    return "\n".join("    " + line for line in text.strip().splitlines()[-lines:])


def parse_summary(out):
    """The JSON summary: with `--json -` it is all that standard output holds."""
    try:
        summary = json.loads(out)
    except ValueError as error:
        raise RunFailed(f"standard output is not one JSON document ({error}):\n{tail(out)}") from None
    missing = [key for key in ["digest", *PHYSICS] if lookup(summary, key) == ABSENT]
    if missing:
        raise RunFailed(f"keys missing in the JSON summary: {', '.join(missing)}")
    return summary


def check_protocol(summary, ranks, protocol):
    """A variant that quietly runs as another one proves nothing. One rank alone needs no protocol."""
    expected = "sequential" if ranks == 1 else protocol
    found = lookup(summary, "engine.protocol")
    if expected != "auto" and found != expected:
        raise RunFailed(f"ran with protocol {found}, expected {expected}")


def check_conservation(summary):
    """No silent loss: every packet injected or copied is delivered, dropped by a rule, or still in the network."""
    packets = summary["packets"]
    counts = {key: packets.get(key) for key in ("generated", "injected", "delivered", "dropped", "in_flight")}
    if not all(isinstance(count, int) and count >= 0 for count in counts.values()):
        raise RunFailed(f"packet counts are missing or no counts: {counts}")
    dropped_inside = counts["dropped"] - packets.get("dropped_at_source", 0)
    accounted = counts["delivered"] + dropped_inside + counts["in_flight"]
    injected = counts["injected"] + packets.get("copies", 0) - packets.get("combined", 0)
    if injected != accounted:
        raise RunFailed(f"packets lost: {injected} injected or copied, {accounted} accounted for ({counts})")
    if counts["generated"] < counts["injected"]:
        raise RunFailed(f"more packets injected than generated ({counts})")


def differences(reference, summary):
    """Lines for every figure that is not equal, bit for bit."""
    keys = ["digest", *PHYSICS, *(key for key in MORE_PHYSICS if lookup(reference, key) != ABSENT)]
    lines = []
    for key in keys:
        expected, found = lookup(reference, key), lookup(summary, key)
        if expected != found:
            lines.append(f"{key}: {json.dumps(found, sort_keys=True)}, expected {json.dumps(expected, sort_keys=True)}")
    return lines


class Run(NamedTuple):
    """One run of a matrix."""

    label: str
    weft: Path
    ranks: int
    protocol: str
    settings: list
    use_mpirun: bool = True


class Matrix:
    """All runs of one config, each compared with the first."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.deadline = time.monotonic() + options.timeout
        self.reference = None
        self.rows = []  # (label, digest or "-", problems, seconds)

    def arguments(self, run, json_file, result):
        """The command line of a run behind the name of the program."""
        words = ["run", str(self.options.config), "--json", str(json_file), "--progress", "never"]
        words += ["--out", str(result), *self.options.args]
        for setting in [f"parallel.protocol={run.protocol}", *run.settings]:
            words += ["--set", setting]
        return words

    def judge(self, run, text, result):
        """Digest and problems of a run that printed this."""
        summary = parse_summary(text)
        try:
            check_conservation(summary)
            check_protocol(summary, run.ranks, run.protocol)
            if not result.is_file():
                raise RunFailed(f"no result file was written to {result.name}")
        except RunFailed as failure:
            return str(summary["digest"]), [str(failure)]
        if self.reference is None:
            self.reference = summary
        return str(summary["digest"]), differences(self.reference, summary)

    def weft_run(self, run):
        result = self.folder / f"run{len(self.rows)}.h5"
        command = []
        if run.use_mpirun:
            # Unbound: tests run side by side, and each mpirun would bind its ranks to the same first cores.
            command = [self.options.mpirun, "-n", str(run.ranks), "--bind-to", "none"]
        command += [str(run.weft), *self.arguments(run, "-", result)]
        digest, begin = "-", time.monotonic()
        try:
            digest, problems = self.judge(run, run_command(command, run.ranks, self.deadline), result)
        except RunFailed as failure:
            problems = [str(failure)]
        self.add_row(run, digest, problems, time.monotonic() - begin, command)
        result.unlink(missing_ok=True)  # results of large networks add up

    def add_row(self, run, digest, problems, seconds, command):
        if problems:
            problems = [*problems, "command: " + " ".join(command)]
        self.rows.append((run.label, digest, problems, seconds))

    def variants_of(self, number):
        """The variants that the number-th rank count is run with: all, or one, another for each, and for each test."""
        variants = self.options.variants
        if not self.options.one_each:
            return variants
        first = zlib.crc32(" ".join([self.options.config.name, *self.options.args]).encode())
        return [variants[(first + number) % len(variants)]]

    def planned(self):
        """The runs, the reference first."""
        options = self.options
        runs = [Run("1 rank, sequential", options.weft, 1, "sequential", [], use_mpirun=False)]
        if options.compare_binary:
            runs.append(Run("1 rank, other build", options.compare_binary, 1, "sequential", [], use_mpirun=False))
        for number, ranks in enumerate(options.ranks):
            for variant in self.variants_of(number):
                protocol, _, partition = variant.partition(":")
                plural = "rank" if ranks == 1 else "ranks"
                label = f"{ranks} {plural}, {protocol}, {partition}"
                runs.append(Run(label, options.weft, ranks, protocol, [f"parallel.partition={partition}"]))
        return runs

    def is_one_result(self):
        return self.reference is not None and not any(problems for _, _, problems, _ in self.rows)

    def run(self):
        for run in self.planned():
            self.weft_run(run)
            if self.reference is None:
                return False
        return self.is_one_result()

    def print_table(self):
        width = max(len(label) for label, *_ in self.rows)
        for label, digest, problems, seconds in self.rows:
            verdict = "DIFFERS OR FAILED" if problems else "ok"
            print(f"{label:{width}}  {digest:32}  {seconds:6.2f} s  {verdict}")
        for label, _, problems, _ in self.rows:
            for problem in problems:
                print(f"{label}: {problem}")


def variant(text):
    protocol, colon, partition = text.partition(":")
    if not (protocol and colon and partition):
        raise argparse.ArgumentTypeError(f"'{text}' is not protocol:partition")
    return text


def parse_options(arguments):
    # Split by hand: what follows -- belongs to weft, and argparse would take `--set` for its own.
    own, more = arguments, []
    if "--" in arguments:
        cut = arguments.index("--")
        own, more = arguments[:cut], arguments[cut + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, epilog="what follows -- is handed to `weft run`")
    parser.add_argument("--weft", type=Path, required=True, help="the program")
    parser.add_argument("--config", type=Path, required=True, help="config to run")
    parser.add_argument("--mpirun", default="mpirun", help="default: mpirun")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4], help="default: 1 2 3 4")
    parser.add_argument("--variants", type=variant, nargs="+", default=DEFAULT_VARIANTS,
                        help=f"protocol:partition; default: {' '.join(DEFAULT_VARIANTS)}")
    parser.add_argument("--one-each", action="store_true",
                        help="run each rank count with one of the variants, chosen by the test's arguments, not with "
                             "all")
    parser.add_argument("--compare-binary", type=Path, help="another build of weft that must give the same digest")
    parser.add_argument("--timeout", type=float, default=280.0, help="seconds for all runs together; default: 280")
    options = parser.parse_args(own)
    options.args = more
    return options


def main(arguments):
    options = parse_options(arguments)
    with tempfile.TemporaryDirectory(prefix="weft-ranks-") as folder:
        matrix = Matrix(options, Path(folder))
        same = matrix.run()
    matrix.print_table()
    if not same:
        print(f"rank_matrix: {options.config.name} does not give one result", file=sys.stderr)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
