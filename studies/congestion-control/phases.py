"""What PDCAT 2007, 4.3 says of the traces of CG and LU, counted in traces that were recorded here. NaN where a trace is
not there."""

import math
from pathlib import Path
from statistics import mean
from typing import Any

from derived import records

LONG_BYTES = 1000
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
TASKS = 64


def sends_and_receives(path: Path) -> dict[int, list[tuple[str, int, int, int]]]:
    """(s or r, other task, tag, bytes) of each task, without those of collective operations."""
    return {task: [(what, target if what == "s" else source, tag, size)
                   for what, source, target, tag, size in of if tag < 30000] for task, of in records(path).items()}


def on_the_ring(task: int, other: int) -> int:
    return min((task - other) % TASKS, (other - task) % TASKS)


def gradients(path: Path) -> dict[str, Any]:
    """Of tasks whose block is not on the diagonal, in their second product, from one first long message to the next:
    how many long and short messages they send, bytes of the longest and the shortest; `long-distances`,
    `short-distances`: links on the ring of the n-th."""
    if not path.is_file():
        return {"long": math.nan, "long-bytes": math.nan, "short": math.nan, "short-bytes": math.nan,
                "long-distances": dict.fromkeys(ORDINALS[:4], math.nan),
                "short-distances": dict.fromkeys(ORDINALS, math.nan)}
    long, short, sizes = [], [], []
    for task, of in sends_and_receives(path).items():
        sends = [(other, size) for what, other, _, size in of if what == "s"]
        first = [place for place, (_, size) in enumerate(sends)
                 if size >= LONG_BYTES and (place == 0 or sends[place - 1][1] < LONG_BYTES)]
        product = sends[first[1]:first[2]]
        distances = [[on_the_ring(task, other) for other, size in product if (size >= LONG_BYTES) == is_long]
                     for is_long in (True, False)]
        # Without the interchange with the transposed block there are three.
        if len(distances[0]) > 3:
            long.append(distances[0])
            short.append(distances[1])
            sizes += [size for _, size in product]
    return {
        "long": mean(map(len, long)), "long-bytes": max(sizes), "short": mean(map(len, short)),
        "short-bytes": min(sizes),
        "long-distances": {name: mean(of[place] for of in long) for place, name in enumerate(ORDINALS[:4])},
        "short-distances": {name: mean(of[place] for of in short) for place, name in enumerate(ORDINALS)}}


def steps(path: Path, of_a_step: list[list[tuple[str, int, int]]]) -> float:
    """How often each task does what `of_a_step` has for it, the fewest of all tasks."""
    if not path.is_file():
        return math.nan
    counts = []
    for task, of in sends_and_receives(path).items():
        done = [(what, other, size) for what, other, _, size in of]
        wanted, place, count = of_a_step[task], 0, 0
        while place + len(wanted) <= len(done):
            same = done[place:place + len(wanted)] == wanted
            count += same
            place += len(wanted) if same else 1
        counts.append(count)
    return min(counts)
