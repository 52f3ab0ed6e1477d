#!/usr/bin/env python3
"""Runs weft on the cases that were measured with INSEE and compares: see README.md beside this file. Exit code 0 if
every judged figure agrees, 1 if one does not, 2 if weft cannot be run."""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import insee_figures as figures
import insee_more_figures as more
import rectangle_traces

ROOT = Path(__file__).resolve().parents[2]
TOLERANCE = 0.03  # of INSEE's mean
DEVIATIONS = 3  # of INSEE's spread, if that is more
INSEE_CLOCK_EXTRA = 2  # cycles that INSEE's completion times have more: measured, see README.md
BIAS = "first-counts-twice"
RECTANGLE = (32, 16)  # INSEE's mesh of 512 tasks

TITLES = {
    "R1": "Tori, bubble and Dally routers, uniform traffic",
    "R2": "Trees, adaptive, uniform traffic",
    "R5": "8:8,4-tree, adaptive, uniform traffic; INSEE: one seed",
    "R3": "Kernels on trees, time to completion in cycles",
    "R4": "Bursts on tori, time to consume one in cycles",
    "R6": "Other topologies, routers and policies",
}
FORMATS = {"accepted": "{:.4f}", "latency": "{:.2f}", "cycles": "{:.0f}", "burst": "{:.0f}"}


@dataclass
class Row:
    """One figure of INSEE and what is needed to get weft's."""

    group: str
    case: str
    figure: str  # a key of FORMATS
    mean: float
    deviation: float  # None: not known
    config: dict  # key -> value, all but the seed
    judged: bool = True
    exact: bool = False
    seed_factor: int = 1  # more seeds where they spread widely
    trace: tuple = ()  # arguments of rectangle_traces.trace
    labels: frozenset = frozenset()  # subsets that it belongs to
    values: dict = field(default_factory=dict)  # credit_ties -> values of the seeds
    error: str = ""
    verdict: str = ""

    def variants(self):
        return ["uniform", BIAS] if self.config["router.kind"] == "multistage" else ["uniform"]

    def weft_mean(self, ties):
        return statistics.fmean(self.values[ties])

    def difference(self, ties):
        return self.weft_mean(ties) / self.mean - 1

    def agrees(self, ties):
        if self.exact:
            return all(value + INSEE_CLOCK_EXTRA == self.mean for value in self.values[ties])
        allowed = max(TOLERANCE * self.mean, DEVIATIONS * (self.deviation or 0))
        return abs(self.weft_mean(ties) - self.mean) <= allowed

    def judge(self):
        if self.error:
            self.verdict = "FAILED: " + self.error
        elif not self.judged:
            self.verdict = "reported"
        elif self.agrees("uniform"):
            self.verdict = "ok, exact" if self.exact else "ok"
        elif BIAS in self.values and self.agrees(BIAS):
            self.verdict = "ok (tie bias)"
        else:
            self.verdict = "FAILED"


COMMON = {
    "format": 1,
    "router.queue_packets": 4,
    "router.injection_queues": 1,
    "router.injection_queue_packets": 8,
    "packet.phits": 16,
}
STEADY = {"simulation.stop": "steady-state", "workload.kind": "synthetic", "workload.pattern": "uniform"}


def torus_rows():
    table = [("bubble", *row) for row in figures.TORI] + [("dally", *row) for row in more.DALLY]
    for kind, dims, request, channels, full, low, middle, middle_latency in table:
        name = "x".join(map(str, dims))

        def row(offered, figure, value):
            config = COMMON | STEADY | {
                "topology.kind": "torus",
                "topology.dims": list(dims),
                "router.kind": kind,
                "router.routing": request,
                "router.virtual_channels": channels,
                "router.arbitration": "round-robin",
                "router.consumption": "multiple",
                "workload.offered_load": offered,
                "measure.warmup_cycles": 3000,
                "measure.batches": 5,
                "measure.batch_cycles": 1000,
            }
            labels = {"quick"} if len(dims) == 2 else set()
            if labels and request in ("shortest", "random", "improved"):
                labels.add("smallest")
            case = f"{name} {kind} {request}, {channels} VC, offered {offered}"
            return Row("R1", case, figure, *value, config, labels=frozenset(labels))

        yield row(1.0, "accepted", full)
        yield row(0.1, "latency", low)
        yield row(0.3, "accepted", middle)
        yield row(0.3, "latency", middle_latency)


def tree_config(shape, channels):
    down, up, levels = shape
    return COMMON | {
        "topology.kind": "thin-tree",
        "topology.down": down,
        "topology.up": up,
        "topology.levels": levels,
        "router.kind": "multistage",
        "router.routing": "adaptive",
        "router.virtual_channels": channels,
        "router.arbitration": "random",
    }


def tree_name(shape):
    return "{}:{},{}".format(*shape)


def tree_rows(group, table):
    for shape, channels, offered, accepted, latency in table:
        # Filling the queues of a saturated network takes as long as its nodes need to send 20 packets.
        warmup = max(3000, 1000 * math.ceil(20 * 16 / accepted[0] / 1000))
        config = tree_config(shape, channels) | STEADY | {
            "workload.offered_load": offered,
            "measure.warmup_cycles": warmup,
            "measure.batches": 10,
            "measure.batch_cycles": 1000,
        }
        case = f"{tree_name(shape)} {channels} VC, offered {offered}"
        labels = {"quick"} if shape == (8, 8, 3) else set()
        if labels and channels == 1 and offered in (0.3, 1.0):
            labels.add("smallest")
        # 0.5 is just where these trees saturate: how far the queues have filled is chance.
        below_saturation = offered <= 0.4
        yield Row(group, case, "accepted", *accepted, config, labels=frozenset(labels))
        yield Row(group, case, "latency", *latency, config, judged=below_saturation, labels=frozenset(labels))


def kernel_rows():
    for (kernel, tasks), values in figures.KERNELS.items():
        for up, value in zip((8, 4, 2), values):
            shape = (8, up, 2 if tasks == 64 else 3)
            message_bytes = 1024 if kernel == "WF" else 40960
            config = tree_config(shape, 1) | {"simulation.stop": "workload-complete", "packet.phit_bytes": 16}
            trace = ()
            if tasks == 512 and kernel in rectangle_traces.KERNELS:
                trace = (kernel, *RECTANGLE, message_bytes)
                config |= {"workload.kind": "trace", "workload.path": f"{kernel}.trc", "workload.mode": "causal"}
            else:
                config |= {"workload.kind": "kernel", "workload.name": kernel.rstrip("r"), "workload.tasks": tasks,
                           "workload.message_bytes": message_bytes}  # fmt: skip
                if kernel == "WF":
                    config["workload.repetitions"] = 40
                if kernel.endswith("r"):
                    config["workload.return_sweep"] = True
            labels = {"quick"} if tasks == 64 else set()
            if labels and kernel in ("BT", "M2"):
                labels.add("smallest")
            yield Row("R3", f"{kernel}_{tasks} on {tree_name(shape)}", "cycles", *value, config,
                      exact=kernel == "BT", seed_factor=4 if (kernel, up) == ("BU", 8) else 1, trace=trace,
                      labels=frozenset(labels))  # fmt: skip


def burst_rows():
    for dims, packets, request, lbr, ipr, cycles in more.BURSTS:
        bursts = {10: 20, 100: 5, 1000: 1}[packets]
        config = COMMON | {
            "simulation.stop": "workload-complete",
            "topology.kind": "torus",
            "topology.dims": list(dims),
            "router.kind": "bubble",
            "router.routing": request,
            "router.virtual_channels": 3,
            "router.arbitration": "round-robin",
            "router.consumption": "multiple",
            "router.injection_queues": 2 * len(dims),
            "router.injection": "dor",
            "router.lbr_packets": lbr,
            "router.ipr_fraction": ipr,
            "workload.kind": "burst",
            "workload.pattern": "uniform",
            "workload.burst_packets": packets,
            "workload.bursts": bursts,
        }
        case = f"{'x'.join(map(str, dims))}, {packets} packets, {request}, LBR {lbr}, IPR {ipr}"
        # INSEE's dor takes the last dimension, weft's the first: alike on square tori and rings.
        yield Row("R4", case, "burst", *cycles, config, judged=packets < 1000 or ipr == 0,
                  labels=frozenset({"quick"} if packets == 10 else set()))  # fmt: skip


def other_rows():
    for case, keys, low, accepted, latency, unsettled in more.OTHERS:
        config = COMMON | STEADY | {"router.arbitration": "round-robin"}
        if keys["topology.kind"] not in ("indirect-cube", "dragonfly"):
            config["router.consumption"] = "multiple"
        config |= {"measure.warmup_cycles": 3000, "measure.batches": 5, "measure.batch_cycles": 1000} | keys
        labels = {"quick"}
        if case.startswith(("tw. 8x8", "icube c2 m1", "unidir. 8x8", "dragonfly rel 2,4,2, minimal")):
            labels.add("smallest")
        labels = frozenset(labels)
        if low:
            yield Row("R6", f"{case}, offered {low[0]}", "latency", *low[1], config | {"workload.offered_load": low[0]},
                      labels=labels)  # fmt: skip
        full = config | {"workload.offered_load": 1.0}
        yield Row("R6", f"{case}, offered 1.0", "accepted", *accepted, full, judged=not unsettled, labels=labels)
        yield Row("R6", f"{case}, offered 1.0", "latency", *latency, full, judged=False, labels=labels)


def all_rows():
    yield from torus_rows()
    yield from tree_rows("R2", figures.TREES)
    yield from tree_rows("R5", figures.BIG_TREE)
    yield from kernel_rows()
    yield from burst_rows()
    yield from other_rows()


def to_toml(config):
    tables = {}
    for key, value in config.items():
        table, _, name = key.rpartition(".")
        tables.setdefault(table, []).append(f"{name} = {json.dumps(value)}")
    parts = ["\n".join(tables.pop(""))]
    parts += [f"[{table}]\n" + "\n".join(lines) for table, lines in tables.items()]
    return "\n".join(parts) + "\n"


class Runner:
    """Runs every needed config and seed once, some at a time."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.done = 0
        self.lock = threading.Lock()

    def run(self, config, name, total):
        path = self.folder / f"{name}.toml"
        path.write_text(to_toml(config))
        command = ["nice", "-n", "10", str(self.options.binary), "run", str(path), "--json", "-", "--progress", "never"]
        try:
            process = subprocess.run(command, capture_output=True, text=True, timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            return f"no result after {self.options.timeout} s"
        if process.returncode != 0:
            return f"exit code {process.returncode}: {process.stderr.strip().splitlines()[:1]}"
        summary = json.loads(process.stdout)
        if summary["stop_reason"] != config["simulation.stop"]:
            return f"stopped for {summary['stop_reason']}"
        with self.lock:
            self.done += 1
            if not self.options.quiet:
                print(f"\r{self.done} of {total} runs", end="", file=sys.stderr, flush=True)
            for warning in summary.get("warnings", []):
                print(f"\n{name}: {warning}", file=sys.stderr)
        return summary

    def run_all(self, rows):
        jobs = {}  # text of the config -> config, shared by rows that read several figures from one run
        for row in rows:
            if row.trace:
                (self.folder / row.config["workload.path"]).write_text(rectangle_traces.trace(*row.trace))
            for config in self.configs(row):
                jobs.setdefault(to_toml(config[2]), config[2])
        with ThreadPoolExecutor(self.options.jobs) as pool:
            tasks = {key: pool.submit(self.run, config, f"case{number}", len(jobs))
                     for number, (key, config) in enumerate(jobs.items())}  # fmt: skip
            results = {key: task.result() for key, task in tasks.items()}
        if not self.options.quiet:
            print(file=sys.stderr)
        for row in rows:
            self.collect(row, results)

    def configs(self, row):
        """(credit_ties, seed, config) of all runs of a row."""
        for ties in row.variants():
            for seed in range(1, self.options.seeds * row.seed_factor + 1):
                config = row.config | {"simulation.seed": seed}
                if row.config["router.kind"] == "multistage":
                    config["router.credit_ties"] = ties
                yield ties, seed, config

    def collect(self, row, results):
        for ties, _, config in self.configs(row):
            result = results[to_toml(config)]
            if isinstance(result, str):
                row.error = result
                continue
            value = {
                "accepted": lambda s: s["load"]["accepted"],
                "latency": lambda s: s["latency"]["mean"],
                "cycles": lambda s: s["cycles"],
                "burst": lambda s: statistics.fmean(s["burst_cycles"]),
            }[row.figure](result)
            row.values.setdefault(ties, []).append(value)
        row.judge()


def check_traces(binary, folder):
    """The traces of rectangle_traces must be those of weft where both can be had."""
    for kernel in rectangle_traces.KERNELS:
        path = folder / "square.trc"
        command = [str(binary), "trace", "generate", kernel.rstrip("r"), "--tasks", "64", "--message-bytes", "1024",
                   "--out", str(path)] + (["--return-sweep"] if kernel.endswith("r") else [])  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if path.read_text() != rectangle_traces.trace(kernel, 8, 8, 1024):
            raise ValueError(f"rectangle_traces.py and weft trace generate give different traces of {kernel}")


def with_deviation(figure, values):
    text = FORMATS[figure].format(statistics.fmean(values))
    return text + (" ± " + FORMATS[figure].format(statistics.stdev(values)) if len(values) > 1 else "")


def cells(row):
    reference = FORMATS[row.figure].format(row.mean)
    if row.deviation is not None:
        reference += " ± " + FORMATS[row.figure].format(row.deviation)
    if row.error:
        return [row.case, row.figure, "–", "–", reference, "–", row.verdict]
    weft = [with_deviation(row.figure, row.values[ties]) for ties in row.variants()]
    difference = " / ".join(f"{100 * row.difference(ties):+.1f}" for ties in row.variants())
    return [row.case, row.figure, *weft, *["–"] * (2 - len(weft)), reference, difference, row.verdict]


HEADINGS = ["case", "figure", "weft", "weft, " + BIAS, "INSEE", "difference %", "verdict"]


def table(rows):
    lines = [HEADINGS, ["---"] * len(HEADINGS)] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]

    def pad(text, width):
        return "-" * width if text == "---" else text.ljust(width)

    return "\n".join("| " + " | ".join(map(pad, line, widths)) + " |" for line in lines)


def report(rows, closing):
    parts = []
    for group, title in TITLES.items():
        selected = [row for row in rows if row.group == group]
        if selected:
            parts.append(f"## {group}. {title}\n\n{table(selected)}")
    return "\n\n".join([*parts, closing]) + "\n"


def preamble(options):
    command = ["tests/crossvalidation/insee.py"]
    command += [name for name, given in (("--quick", options.quick), ("--smallest", options.smallest)) if given]
    command += ["--rows " + " ".join(options.rows)] if options.rows else []
    command += [f"--seeds {options.seeds}", "--markdown docs/crossvalidation.md"]
    return f"""# Cross-validation with INSEE

Written by

    {" ".join(command)}

What the tables are, and why figures differ, is in
[tests/crossvalidation/README.md](../tests/crossvalidation/README.md). Mean ± standard deviation over seeds; loads in
phits/node/cycle, latencies and times in cycles. The second figure of weft and the second difference are those with
`router.credit_ties = "{BIAS}"`.
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description="compare weft with figures measured with INSEE")
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/bin/weft", help="the program")
    parser.add_argument("--rows", nargs="+", choices=list(TITLES), help="only these tables")
    parser.add_argument("--quick", action="store_true", help="a subset that takes less than two minutes; 2 seeds")
    parser.add_argument("--smallest", action="store_true", help="a few cases of each table, 1 seed")
    parser.add_argument("--seeds", type=int, help="seeds 1..N of every case (3)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="runs at a time (2)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run (600)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows with the values of each seed")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    options = parser.parse_args()
    options.seeds = options.seeds or (1 if options.smallest else 2 if options.quick else 3)
    return options


def main():
    options = parse_arguments()
    subset = "smallest" if options.smallest else "quick" if options.quick else None
    rows = [row for row in all_rows()
            if (not subset or subset in row.labels) and (not options.rows or row.group in options.rows)]  # fmt: skip
    try:
        with tempfile.TemporaryDirectory() as folder:
            check_traces(options.binary, Path(folder))
            Runner(options, Path(folder)).run_all(rows)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"insee.py: error: {error}", file=sys.stderr)
        return 2
    failed = sum(row.verdict.startswith("FAILED") for row in rows)
    reported = sum(row.verdict == "reported" for row in rows)
    biased = sum(row.verdict == "ok (tie bias)" for row in rows)
    passed = len(rows) - failed - reported
    text = report(rows, f"{biased} of the passed agree with the tie bias only; {reported} reported, not judged.\n\n"
                        f"{passed} passed, {failed} failed")  # fmt: skip
    if options.markdown:
        options.markdown.write_text(preamble(options) + "\n" + text)
    if options.json:
        keys = ("group", "case", "figure", "mean", "deviation", "values", "verdict", "config")
        options.json.write_text(json.dumps([{key: getattr(row, key) for key in keys} for row in rows], indent=1) + "\n")
    print(text, end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
