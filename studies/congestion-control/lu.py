"""Traces of LU of 64 tasks as PDCAT 2007, 4.3 and the NAS Parallel Benchmarks have its messages: no trace of that size
is at hand. What the rules give for 16 tasks and class S is what each task of the recorded lu.S.16.trc.xz does in each
of its time steps.

    python3 lu.py        # writes traces/lu*.trc.xz anew"""

import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "traces"
#: Points of the grid in each dimension.
POINTS = {"S": 12, "W": 33, "A": 64}
DOWN, UP, ALONG, ACROSS = "1", "2", "4", "6"
WHOLE = (DOWN, UP, ALONG, ACROSS)
STEPS = 2
#: Bytes of a message of a cascade, and of a long one, where phases are run by themselves: "short, chained messages
#: (600 B)", "a long message (~40 KB)".
SHORT, LONG = 600, 40960
FIVE_DOUBLES = 40


class Grid:
    """side x side tasks, task x + side y at (x, y), and what each has of a cube of `points` points a side."""

    def __init__(self, points: int, side: int) -> None:
        self.points, self.side = points, side

    def extent(self, place: int) -> int:
        """Points of the task in that place of a row."""
        return self.points // self.side + (place < self.points % self.side)

    def inner(self, place: int) -> int:
        """Likewise without those of the border."""
        return self.extent(place) - (place == 0) - (place == self.side - 1)

    def neighbour(self, x: int, y: int, dx: int, dy: int) -> int | None:
        inside = 0 <= x + dx < self.side and 0 <= y + dy < self.side
        return x + dx + self.side * (y + dy) if inside else None


def cascade(grid: Grid, x: int, y: int, direction: int, short: int) -> Iterator[tuple[str, int, int]]:
    """(s or r, other task, bytes): a plane after the other comes from two sides and goes on to the other two."""
    along, across = short or FIVE_DOUBLES * grid.inner(y), short or FIVE_DOUBLES * grid.inner(x)
    for _ in range(grid.points - 2):
        for what, sign in (("r", -direction), ("s", direction)):
            for other, size in ((grid.neighbour(x, y, sign, 0), along), (grid.neighbour(x, y, 0, sign), across)):
                if other is not None:
                    yield what, other, size


def interchange(grid: Grid, x: int, y: int, phase: str, long: int) -> Iterator[tuple[str, int, int]]:
    """Two planes of five doubles to the next task of one direction, which has received by then, then to the other."""
    dx, dy = (1, 0) if phase == ALONG else (0, 1)
    size = long or 2 * FIVE_DOUBLES * grid.extent(y if phase == ALONG else x) * grid.points
    for sign in (1, -1):
        for what, to in (("s", sign), ("r", -sign)):
            other = grid.neighbour(x, y, to * dx, to * dy)
            if other is not None:
                yield what, other, size


def tasks(points: int, side: int, phases: Iterable[str] = WHOLE, steps: int = 1, short: int = 0, long: int = 0
          ) -> list[list[tuple[str, int, int]]]:
    """Operations of each task. `short`, `long`: bytes of messages, 0 for those of the program."""
    grid = Grid(points, side)
    found: list[list[tuple[str, int, int]]] = []
    for task in range(side * side):
        x, y = task % side, task // side
        found.append([])
        for _ in range(steps):
            for phase in phases:
                found[-1] += (
                    cascade(grid, x, y, 1 if phase == DOWN else -1, short) if phase in (DOWN, UP) else
                    interchange(grid, x, y, phase, long))
    return found


def longest_chain(of: list[list[tuple[str, int, int]]]) -> int:
    """Messages of which each is sent by the task that received the one before, first to last, at most."""
    places, depth = [0] * len(of), [0] * len(of)
    waiting: dict[tuple[int, int], list[int]] = {}
    moved = True
    while moved:
        moved = False
        for task, operations in enumerate(of):
            while places[task] < len(operations):
                what, other, _ = operations[places[task]]
                if what == "s":
                    waiting.setdefault((task, other), []).append(depth[task] + 1)
                elif waiting.get((other, task)):
                    depth[task] = max(depth[task], waiting[other, task].pop(0))
                else:
                    break
                places[task] += 1
                moved = True
    return max(depth)


def text(of: list[list[tuple[str, int, int]]]) -> str:
    """A .trc file of operations."""
    lines = []
    for task, operations in enumerate(of):
        for what, other, size in operations:
            ends = (task, other) if what == "s" else (other, task)
            lines.append(f"{what} {ends[0]} {ends[1]} 1 {size}\n")
    return "".join(lines)


def write(name: str, of: list[list[tuple[str, int, int]]]) -> None:
    (FOLDER / f"{name}.trc.xz").write_bytes(lzma.compress(text(of).encode(), preset=9))


if __name__ == "__main__":
    for size, points in POINTS.items():
        write(f"lu.{size}.64", tasks(points, 8, steps=STEPS))
    for phase in ((DOWN, UP), (ALONG,), (ACROSS,)):
        write(f"lu-phase-{'-'.join(phase)}.64", tasks(POINTS["A"], 8, phase, short=SHORT, long=LONG))
        for size, points in POINTS.items():
            write(f"lu-phase-{'-'.join(phase)}.{size}.64", tasks(points, 8, phase))
