"""Memory (growth of the resident set) and processor time of runs by size, topology and length of messages."""

import math

from weft.study import Run, claim, ends, evidence, figure, order, published, read_as, tried

PUBLISHED = published(__file__)
SIDES = {True: (8, 16, 32, 64), False: (4, 8, 16, 32, 64)}
LEVELS = {True: (6, 10, 12), False: tuple(range(4, 13))}
#: Fat trees of 4,096 nodes: arity, levels.
TREES = {"2-ary 12-tree": (2, 12), "4-ary 6-tree": (4, 6), "8-ary 4-tree": (8, 4), "16-ary 3-tree": (16, 3)}
MORE = {"64-ary 2-tree": (64, 2)}
PACKETS = {True: (1, 4, 16), False: (1, 2, 4, 8, 16, 32, 64)}
PACKET_BYTES = 256
#: Smaller networks have more of what does not grow (tables of the program, room of the allocator) than of nodes.
SMALLEST = 64
SHORT = {"simulation.cycles": 3000}
PORTS_OF_A_TORUS_NODE = 5
#: Resident sets that differ by less are equal: pages, and what the allocator holds back.
SAME_MB = 1.0
WHY_FIXED = "some 0.7 MB of each run do not grow with the network, and are most of a small one's"
WHY_SWEET = (
    "memory and time follow the ports and what goes through them, as the paper concludes too (5), and the 8-ary and "
    "the 16-ary tree have fewer ports than the 4-ary one; which four trees are in the plot is not said")


def runs(quick):
    short = SHORT if quick else {}
    found = {f"torus {side}": Run("torus.toml", {"topology.dims": [side, side], **short}) for side in SIDES[quick]}
    for levels in LEVELS[quick]:
        found[f"tree 2 {levels}"] = tree(2, levels, short)
    for arity, levels in (*TREES.values(), *(() if quick else MORE.values())):
        found[f"tree {arity} {levels}"] = tree(arity, levels, short)
    for packets in PACKETS[quick]:
        found[f"butterfly {packets}"] = Run("butterfly.toml", {"workload.message_bytes": packets * PACKET_BYTES})
    return found


def tree(arity, levels, short):
    return Run("tree.toml", {"topology.arity": arity, "topology.levels": levels, **short})


def memory(run):
    """MB"""
    return run["engine.bytes_per_node"] * run["nodes"] / 1e6


def seconds(run):
    return sum(run.summary["engine.cpu_s"]) if run.summary else math.nan


def exponent(by_size):
    """Of y ~ x^e, from the smallest x to the largest."""
    (x, first), *_, (to_x, last) = sorted(by_size.items())
    return math.log(last / first) / math.log(to_x / x)


def grows(what, words, by_size, unit, from_size=0, why=""):
    """Rows: y by x is a straight line through the origin, roughly; if not, a straight line."""
    shown = {f"{x:,}:": y for x, y in by_size.items()}
    found = exponent({x: y for x, y in by_size.items() if x >= from_size})
    through_origin = claim(what, words, shown, abs(found - PUBLISHED["exponent"]) <= PUBLISHED["exponent_within"],
                           form=".3g", tolerance=f"exponent 1 +- {PUBLISHED['exponent_within']}",
                           difference=f"exponent {found:.2f}, {unit}", why=why)
    yield through_origin
    if through_origin.inside is False:
        sizes = sorted(by_size)[-3:]
        slopes = {f"{a:,} to {b:,}:": 1e6 * (by_size[b] - by_size[a]) / (b - a)
                  for a, b in zip(sizes, sizes[1:], strict=False)}
        flattest, steepest = ends(slopes.values())
        yield read_as("a line with an offset", claim(
            what, words, slopes, steepest <= PUBLISHED["slopes_within"] * flattest, form=".0f",
            tolerance=f"slopes within {PUBLISHED['slopes_within']:g} times", difference=f"{unit} per million"))


def rows(found, quick):
    table = memory_rows(found, quick)
    # The quick form is a test, and times depend on what else the machine does: there they are among the choices.
    return table if quick else [*table, *time_rows(found, quick)]


def tori(found, quick):
    return {side * side: found[f"torus {side}"] for side in SIDES[quick]}


def binary_trees(found, quick):
    """By switches."""
    return {levels * 2 ** (levels - 1): found[f"tree 2 {levels}"] for levels in LEVELS[quick]}


def trees_of_4096(found):
    return {name: found[f"tree {arity} {levels}"] for name, (arity, levels) in TREES.items()}


def messages(found, quick):
    return {packets: found[f"butterfly {packets}"] for packets in PACKETS[quick]}


def of_each(value, runs_of):
    return {x: value(run) for x, run in runs_of.items()}


def by_size(found, quick, name, unit, value, why=""):
    """Rows of Fig. 14a and b."""
    smallest_tree = SMALLEST // 2 * int(math.log2(SMALLEST))
    yield from grows(f"Fig. 14a: tori, {name} by nodes", "roughly linear", of_each(value, tori(found, quick)), unit,
                     SMALLEST, why)
    yield from grows(f"Fig. 14b: 2-ary trees, {name} by switches", "as switches, O(n log n)",
                     of_each(value, binary_trees(found, quick)), unit, smallest_tree, why)


def memory_rows(found, quick):
    of_4096 = of_each(memory, trees_of_4096(found))
    by_length = of_each(memory, messages(found, quick))
    what = "Fig. 14c: topology of least memory"
    everything = [*tori(found, quick).values(), *binary_trees(found, quick).values(), *trees_of_4096(found).values(),
                  *messages(found, quick).values()]
    hours, megabytes = ends(map(seconds, everything))[1] / 3600, ends(map(memory, everything))[1]
    return [
        *by_size(found, quick, "memory", "MB", memory, WHY_FIXED), by_tree("memory", of_4096),
        least(what, of_4096, "MB"),
        evidence("number of ports", order(
            what, {name: ports(*TREES[name]) for name in TREES}, of_4096, same_below=SAME_MB, form=".3g")),
        unchanged({f"{x}:": value for x, value in by_length.items()}),
        by_port(tori(found, quick)[4096], trees_of_4096(found)),
        claim("5: all of these runs", "a few hours, a few hundred MB", {"hours": hours, "MB": megabytes},
              hours < PUBLISHED["hours"] and megabytes < PUBLISHED["megabytes"], form=".2g",
              tolerance=f"{PUBLISHED['hours']:g} hours, {PUBLISHED['megabytes']:g} MB")]


def time_rows(found, quick):
    of_4096 = of_each(seconds, trees_of_4096(found))
    what, (a, b) = "Fig. 14c: topology of least time", (PUBLISHED["sweet"], "8-ary 4-tree")
    hops = of_each(lambda run: run["engine.packet_hops"], trees_of_4096(found))
    return [
        *by_size(found, quick, "time", "s", seconds), by_tree("time", of_4096), least(what, of_4096, "s"),
        evidence(f"packet-hops of the {a} over the {b}", figure(
            what, hops[a] / hops[b], of_4096[a] / of_4096[b], within=0.33, relative=True, form=".2f")),
        *grows("Fig. 14d: butterfly, time by packets of a message", "linear", of_each(seconds, messages(found, quick)),
               "s")]


def by_tree(name, by_topology):
    smallest, largest = ends(by_topology.values())
    ratio = largest / smallest
    return claim(f"Fig. 14c: four trees of 4,096 nodes, {name}", "up to 4 times by topology",
                 {"largest over smallest": ratio}, PUBLISHED["factor"] / 2 <= ratio <= PUBLISHED["factor"] * 1.5,
                 form=".2f", tolerance="2 to 6")


def least(what, by_topology, unit):
    return claim(what, PUBLISHED["sweet"], by_topology, by_topology[PUBLISHED["sweet"]] == min(by_topology.values()),
                 form=".3g", tolerance="order", difference=unit, why=WHY_SWEET)


def ports(arity, levels):
    return 2 * arity * levels * arity ** (levels - 1)


def unchanged(by_length):
    smallest, largest = ends(by_length.values())
    return claim("Fig. 14d: butterfly, memory by packets of a message", "does not change", by_length,
                 largest / smallest <= PUBLISHED["unchanged"], form=".3g", tolerance=f"{PUBLISHED['unchanged']} times",
                 difference=f"{largest / smallest:.2f} times, MB")


def by_port(torus, trees):
    """Bytes of a port, in the largest torus and in trees of as many nodes."""
    found = {"torus": memory(torus) * 1e6 / (4096 * PORTS_OF_A_TORUS_NODE)}
    found |= {name: memory(run) * 1e6 / ports(*TREES[name]) for name, run in trees.items()}
    smallest, largest = ends(found.values())
    return claim("5: memory by ports", "roughly linear", found, largest <= PUBLISHED["ports_within"] * smallest,
                 form=".0f", tolerance=f"{PUBLISHED['ports_within']:g} times", difference="bytes a port")


def choices(found, quick):
    if quick:
        return [
            tried(f"seconds, {words}", published, {f"{x}:": seconds(run) for x, run in runs_of.items()}, form=".2g")
            for words, published, runs_of in (
                ("tori by nodes", "roughly linear", tori(found, quick)),
                ("2-ary trees by switches", "as switches", binary_trees(found, quick)),
                ("four trees of 4,096 nodes", "up to 4 times by topology", trees_of_4096(found)),
                ("butterfly by packets of a message", "linear", messages(found, quick)))]
    table = []
    for name, (arity, levels) in {**TREES, **MORE}.items():
        run = found[f"tree {arity} {levels}"]
        table.append(tried(
            f"which four trees: {name}", "the 4-ary 6-tree needs least",
            {"MB": memory(run), "s": seconds(run), "ports": ports(arity, levels)}, form=".4g"))
    return table
