#!/usr/bin/env python3
"""Runs weft on the cases that were measured with BookSim 2 and compares: docs/crosschecks.md. Exit code 0 if every
accepted load agrees or differs for a reason that booksim_reasons.py names, 1 if one does not."""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402
from booksim_reasons import REASONS, is_beyond, reason_of
from booksim_rows import BELOW, BEYOND, SCHEDULERS, STEPS, WORMS, config_of, rows

# Of the quick form: below saturation and beyond, all topologies, with a reason and without.
QUICK = [("mesh 8x8 DOR uniform", 0.3), ("mesh 8x8 DOR uniform", 1), ("torus 8x8 DOR transpose", 0.45),
         ("fattree 4-ary 3 anca transpose", 1),
         ("flatfly 4x4x4 valiant uniform", 1), ("flatfly 4x4x4 ran_min uniform", 0.6),
         ("dragonfly p2 min next-group D=1", 1),
         ("dragonfly min uniform", 0.3)]  # fmt: skip
BEGIN, END = "<!-- the table of booksim.py -->\n", "<!-- end of the table -->\n"


def run(binary, name, offered, scheduler, folder):
    """Accepted load and mean latency."""
    tables = {}
    for key, value in config_of(name, offered, scheduler).items():
        table, _, own = key.rpartition(".")
        tables.setdefault(table, []).append(f"{own} = {json.dumps(value)}\n")
    text = "".join(tables.pop("")) + "".join(f"[{table}]\n{''.join(lines)}" for table, lines in tables.items())
    steps = STEPS if scheduler == WORMS else 1
    path = folder / f"{name} {offered} {scheduler}.toml"
    path.write_text(text)
    done = subprocess.run([binary, "run", path, "--json", "-", "--progress", "never"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{path.stem}: {done.stderr}")
    summary = json.loads(done.stdout)
    return summary["load"]["accepted"] * steps, summary["latency"]["mean"] / steps


def judged(name, offered, accepted, of_weft, scheduler):
    """("", the letter of a reason or "differs", difference)."""
    difference = of_weft / accepted - 1
    if abs(difference) <= (BEYOND if is_beyond(name, offered, accepted, of_weft) else BELOW):
        return "", difference
    return reason_of(name, offered, accepted, of_weft, scheduler) or "differs", difference


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", help="the program; WEFT_BINARY unless given")
    options.add_argument("--quick", action="store_true", help="a few cases, with iSLIP alone")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--markdown", type=Path, help="write the table into this page")
    given = options.parse_args()
    binary = given.binary or harness.weft()
    cases = [row for row in rows() if not given.quick or row[:2] in QUICK]
    schedulers = (SCHEDULERS[:1] if given.quick else SCHEDULERS) + (WORMS,)
    with tempfile.TemporaryDirectory(prefix="weft-booksim-") as folder, ThreadPoolExecutor(given.jobs) as pool:
        tasks = {(name, offered, scheduler): pool.submit(run, binary, name, offered, scheduler, Path(folder))
                 for name, offered, *_ in cases for scheduler in schedulers}  # fmt: skip
        found = {key: task.result() for key, task in tasks.items()}
    lines = ["| network, routing, pattern | offered | BookSim | "
             + " | ".join(f"weft, {scheduler}" for scheduler in schedulers) + " |",
             "|---|---|---|" + "---|" * len(schedulers)]  # fmt: skip
    wrong, seen = [], set()
    for name, offered, accepted, latency in cases:
        cells = []
        for scheduler in schedulers:
            of_weft, its_latency = found[name, offered, scheduler]
            verdict, difference = judged(name, offered, accepted, of_weft, scheduler)
            seen.add(verdict)
            cells.append(f"{of_weft:.4f} / {its_latency:.4g}"
                         + (f" **{difference:+.1%}** {verdict}" if verdict else ""))
            if verdict == "differs":
                wrong.append(f"{name}, offered {offered}, {scheduler}: {of_weft:.4f} where BookSim has {accepted} "
                             f"({difference:+.1%})")
        lines.append(f"| {name} | {offered:.2f} | {accepted:.4f} / {latency:g} | " + " | ".join(cells) + " |")
    table = "\n".join(lines) + "\n"
    if given.markdown:
        page = given.markdown.read_text()
        given.markdown.write_text(page[: page.index(BEGIN) + len(BEGIN)] + table + page[page.index(END) :])
    else:
        print(table)
    if not given.quick:
        wrong += [f"reason {letter} is needed by no figure" for letter in REASONS if letter not in seen]
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
