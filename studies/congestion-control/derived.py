"""Traces of sizes that nobody recorded, out of recorded ones: a part of them, with the lengths of messages that the
NAS Parallel Benchmarks have in that size; partners, number and order of messages do not depend on it.

    python3 derived.py FOLDER        # with is, cg, bt.W.64.trc.xz; writes traces/{is,cg,bt}*.trc.xz anew"""

import lzma
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "traces"
ALLREDUCE, ALLTOALL = 30004, 30006
Record = tuple[str, int, int, int, int]
#: IS: its eleven rankings, each an allreduce of buckets, an all-to-all of counts and one of keys; records of a task.
RANKING, RANKINGS = 24 + 138, 11
COUNTS = 128
#: BT: ten time steps of 48 messages of a task: faces of cells (7 of them, 2 planes of 3 x 3 points in W, of 8 x 8 in
#: A), and for lines of (3 + 1)^2 points in W, (8 + 1)^2 in A.
STEP, STEPS = 96, 10
BT_A = {5040: 5040 * 64 // 9, 3840: 3840 * 81 // 16, 640: 640 * 81 // 16}
#: CG: 25 of 416 products; short messages of a task before them and in each, bytes of the long ones.
BEFORE, PRODUCT, PRODUCTS = 3, 6, 25
CG_BYTES = {"S": 1400, "W": 7000, "A": 14000}


def records(path: Path) -> dict[int, list[Record]]:
    """Sends and receives of each task."""
    found: dict[int, list[Record]] = defaultdict(list)
    with lzma.open(path, "rt") as lines:
        for line in lines:
            what, *numbers = line.split()
            if what != "c":
                source, target, tag, size = map(int, numbers)
                found[source if what == "s" else target].append((what, source, target, tag, size))
    return found


def write(name: str, of: dict[int, list[Record]], length: Callable[[int, int], int]) -> None:
    """`length`: bytes for those of a tag and bytes."""
    text = "".join(f"{what} {source} {target} {tag} {length(tag, size)}\n"
                   for task in sorted(of) for what, source, target, tag, size in of[task])
    (FOLDER / f"{name}.trc.xz").write_bytes(lzma.compress(text.encode(), preset=9))


def sorting(of: list[Record]) -> list[Record]:
    return [record for record in of if record[3] in (ALLREDUCE, ALLTOALL)][:RANKING * RANKINGS]


def keys(parts: int, buckets: int) -> Callable[[int, int], int]:
    """Keys are so many times fewer, and buckets."""
    return lambda tag, size: size // buckets if tag == ALLREDUCE else size if size <= COUNTS else size // parts // 4 * 4


def products(of: list[Record]) -> Iterator[Record]:
    short = 0
    for record in of:
        if record[3] in (1, 2, 3) and short < 2 * (BEFORE + PRODUCT * PRODUCTS):
            short += record[4] == 8
            yield record


def main(folder: Path) -> None:
    sort = {task: sorting(of) for task, of in records(folder / "is.W.64.trc.xz").items()}
    write("is.S.64", sort, keys(16, 2))
    write("is.T.64", sort, keys(4, 1))
    solve = {task: [record for record in of if record[3] < ALLREDUCE - 10][:STEP * STEPS]
             for task, of in records(folder / "bt.W.64.trc.xz").items()}
    write("bt.W.64", solve, lambda _, size: size)
    write("bt.A.64", solve, lambda _, size: BT_A[size])
    gradients = {task: list(products(of)) for task, of in records(folder / "cg.W.64.trc.xz").items()}
    for name, long in CG_BYTES.items():
        write(f"cg.{name}.64", gradients, lambda _, size, long=long: long if size == CG_BYTES["W"] else size)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
