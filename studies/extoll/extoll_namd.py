"""One step of NAMD's STMV, as the sources of the program divide it (PatchMap, RecBisection, WorkDistrib): patches of 16
Angstrom (lists of pairs 13.5, hydrogen groups 2.5), of which 13 go into each side of the box (220 Angstrom at the
density of water, 0.1 atoms a cubic Angstrom), are dealt out to the tasks by recursive bisection; the forces of two
neighbouring patches are computed where the patch at the lower corner of both is at home. So a patch sends the positions
of its atoms to the tasks of up to seven lower corners, and gets forces back from them. No load is balanced later, and
there is no PME."""

import itertools
import tempfile
from pathlib import Path

ATOMS, SIDE = 1_066_628, 13
PATCHES = SIDE**3
#: Three coordinates, or the parts of a force, of each atom.
PATCH_BYTES = ATOMS // PATCHES * 3 * 8
FORCES = PATCHES  # of tags: above those of the positions


def bisected(corner, sides, tasks):
    """The boxes of patches of tasks 0, 1, ...: (corner, sides) each. A box is divided across x while it or the number
    of its tasks is large, else where the halves fit the tasks best, z before y before x."""
    if tasks == 1:
        yield corner, sides
        return
    patches = sides[0] * sides[1] * sides[2]
    wanted = (tasks - tasks // 2) / tasks * patches
    cut, off = {}, {}
    for each in range(3):
        if sides[each] > 1:
            layer = patches // sides[each]
            cut[each] = min(range(1, sides[each]), key=lambda at: (abs(at * layer - wanted), at))
            off[each] = abs(cut[each] * layer - wanted)
    large = tasks >= 2 * sides[0] or sides[0] >= 2 * tasks or max(tasks, sides[0]) > 10
    along = 0 if large and 0 in cut else min(cut, key=lambda each: (off[each], -each))
    layer = patches // sides[along]
    first, second = cut[along] * layer, patches - cut[along] * layer
    # As many tasks as the share of a half says, none without a patch.
    upper = min(max(int(tasks * second / patches + 0.5), 1, tasks - first), tasks - 1, second)
    low, high = list(sides), list(sides)
    low[along], high[along] = cut[along], sides[along] - cut[along]
    beyond = list(corner)
    beyond[along] += cut[along]
    yield from bisected(corner, tuple(low), tasks - upper)
    yield from bisected(tuple(beyond), tuple(high), upper)


def homes(tasks):
    """The task of each patch, by its place."""
    found = {}
    for task, (corner, sides) in enumerate(bisected((0, 0, 0), (SIDE, SIDE, SIDE), tasks)):
        for place in itertools.product(*(range(at, at + side) for at, side in zip(corner, sides, strict=True))):
            found[place] = task
    return found


def copies(tasks):
    """(patch, its task, a task that needs its positions), in the order of patches and tasks."""
    home = homes(tasks)
    for number, place in enumerate(sorted(home)):
        others = {
            home[tuple((at - step) % SIDE for at, step in zip(place, steps, strict=True))]
            for steps in itertools.product((0, 1), repeat=3)}
        for other in sorted(others - {home[place]}):
            yield number, home[place], other


def lines(tasks):
    needed = list(copies(tasks))
    yield from (f"s {task} {other} {patch} {PATCH_BYTES}" for patch, task, other in needed)
    yield from (f"r {task} {other} {patch} {PATCH_BYTES}" for patch, task, other in needed)
    yield from (f"s {other} {task} {FORCES + patch} {PATCH_BYTES}" for patch, task, other in needed)
    yield from (f"r {other} {task} {FORCES + patch} {PATCH_BYTES}" for patch, task, other in needed)


def trace(tasks):
    """The path of the file; written if it is not there."""
    path = Path(tempfile.gettempdir()) / f"weft-namd-stmv-{tasks}.trc"
    if not path.is_file():
        partial = path.with_suffix(".part")
        partial.write_text("\n".join(lines(tasks)) + "\n", encoding="utf-8")
        partial.replace(path)
    return str(path)
