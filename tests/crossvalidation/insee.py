#!/usr/bin/env python3
"""Runs weft on the cases that were measured with INSEE and compares: see README.md beside this file. Exit code 0 if
every judged figure agrees, 1 if one does not, 2 if weft cannot be run."""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from insee_rows import BIAS, all_rows

ROOT = Path(__file__).resolve().parents[2]

TITLES = {
    "R1": "Tori, bubble and Dally routers, uniform traffic",
    "R2": "Trees, adaptive, uniform traffic",
    "R5": "8:8,4-tree, adaptive, uniform traffic; INSEE: one seed",
    "R3": "Kernels on trees, time to completion in cycles",
    "R4": "Bursts on tori, time to consume one in cycles",
    "R6": "Other topologies, routers and policies",
    "R7": "Static routes by channel, wave-fronts, bursts at a load",
}
FORMATS = {"accepted": "{:.4f}", "latency": "{:.2f}", "cycles": "{:.0f}", "burst": "{:.0f}"}


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


def sections(rows, seeds):
    """The text below the heading of each table of rows, by its group."""
    said = f"{datetime.date.today()}, {seeds} seed{'s' if seeds > 1 else ''}."
    return {group: f"{said}\n\n{table([row for row in rows if row.group == group])}"
            for group in TITLES if any(row.group == group for row in rows)}


def sections_of(page):
    """The same of a page that was written before."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    text = text[:text.index("\n## Sum")] if "\n## Sum" in text else text
    found = re.split(r"^## (R\d)\..*\n", text, flags=re.M)[1:]
    return {group: body.strip() for group, body in zip(found[::2], found[1::2])}


def report(found):
    """Tables in their order, and what they come to."""
    verdicts = re.findall(r"\| *([^|]*?) *\|$", "\n".join(found.values()), re.M)
    failed, reported, biased = (sum(verdict.startswith(word) for verdict in verdicts)
                                for word in ("FAILED", "reported", "ok (tie bias)"))
    passed = sum(verdict.startswith("ok") for verdict in verdicts)
    parts = [f"## {group}. {title}\n\n{found[group]}" for group, title in TITLES.items() if group in found]
    closing = f"{passed} passed, {biased} of them with the tie bias only; {reported} reported, not judged; "
    closing += f"{failed} failed."
    return "\n\n".join([*parts, "## Sum", closing]) + "\n"


def preamble():
    return f"""# Cross-validation with INSEE

For whoever knows INSEE, or asks whether weft's plain routers can be trusted: figures of INSEE beside weft's, with every
parameter alike. A few of them anew, in seconds:

<!-- not run: ctest does, crossvalidation.quick -->
```sh
tests/crossvalidation/insee.py --smallest
```

This page was written by the first of these; the second writes one of its tables anew:

<!-- not run: a quarter of an hour, and they write this page -->
```sh
tests/crossvalidation/insee.py --seeds 3 --markdown docs/crossvalidation.md
tests/crossvalidation/insee.py --seeds 3 --markdown docs/crossvalidation.md --rows R4
```

The letter R and a number name a table of rows, here and in the script (`--rows R2`):

| rows | what | a figure fails beyond |
|---|---|---|
| R1 | tori with bubble and Dally routers: accepted load and latency under uniform traffic \
| 3 % and 3 standard deviations of INSEE |
| R2 | full and thin trees with adaptive routes: accepted load; latency up to load 0.4 | likewise |
| R3 | kernels on trees: cycles to their end; `BT` to the cycle | likewise |
| R4 | bursts on tori: cycles to consume one | likewise |
| R5 | one larger tree over the load; INSEE ran one seed | 3 % |
| R6 | other topologies, routers and policies | as R1 |
| R7 | static routes that keep a channel, kernels of 64,000 bytes, bursts generated at a load; INSEE ran one seed \
| 3 % and 3 standard deviations of weft's seeds |

| verdict | meaning |
|---|---|
| ok; ok, exact | within that; equal to the cycle, but for two cycles that INSEE's clock counts more |
| ok (tie bias) | only with `router.credit_ties = "{BIAS}"`, INSEE's draw among equal ports: the second figure of weft |
| reported | not judged: the latency of a saturated network is how long its queues have become, so it depends on when \
one looks, and INSEE looks earlier (in the slowest case, 8:2,4, at half the latency: + 92 %). The accepted load of the \
same run is judged. Nor are loads of R6 at which INSEE's own runs did not agree with each other, and bursts of 1,000 \
packets with IPR in R4 and R7, those of R7 with *shortest* or that enter by dimension order into a hot region, for \
reasons that the page named below has |
| FAILED | none of these; the script then ends with 1 |

Mean ± standard deviation over seeds; loads in phits/node/cycle, latencies and times in cycles. R6 calls bubble routers b,
Dally routers d, twisted tori tw. Why figures differ is in
[tests/crossvalidation/README.md](../tests/crossvalidation/README.md).
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
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables that are run into this page")
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
            Runner(options, Path(folder)).run_all(rows)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"insee.py: error: {error}", file=sys.stderr)
        return 2
    failed = sum(row.verdict.startswith("FAILED") for row in rows)
    found = sections(rows, options.seeds)
    if options.markdown:
        options.markdown.write_text(preamble() + "\n" + report(sections_of(options.markdown) | found), encoding="utf-8")
    if options.json:
        keys = ("group", "case", "figure", "mean", "deviation", "values", "verdict", "config")
        options.json.write_text(json.dumps([{key: getattr(row, key) for key in keys} for row in rows], indent=1) + "\n")
    print(report(found), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
