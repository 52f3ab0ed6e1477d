"""Memory (growth of the resident set) and processor time of runs by size, topology and length of messages."""

import math

from weft.study import Run, claim, evidence, order, published, tried

PUBLISHED = published(__file__)
SIDES = {True: (8, 16, 32, 64), False: (4, 8, 16, 32, 64)}
LEVELS = {True: (6, 8, 10, 12), False: tuple(range(4, 13))}
#: Fat trees of 4,096 nodes: arity, levels.
TREES = {"2-ary 12-tree": (2, 12), "4-ary 6-tree": (4, 6), "8-ary 4-tree": (8, 4), "16-ary 3-tree": (16, 3)}
MORE = {"64-ary 2-tree": (64, 2)}
PACKETS = {True: (1, 4, 16), False: (1, 2, 4, 8, 16, 32, 64)}
PACKET_BYTES = 256
#: Smaller networks have more of what does not grow (tables of the program, room of the allocator) than of nodes.
SMALLEST = 64
SHORT = {"simulation.cycles": 1000}
PORTS_OF_A_TORUS_NODE = 5
WHY_SWEET = (
    "memory and time follow the ports, as the paper concludes, and of these the 16-ary 3-tree has the fewest; a time-driven arbiter "
    "that looks from each output at each input costs their square")


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


def grows(what, words, by_size, unit, form=".3g", from_size=0):
    """A row: y by x is a straight line through the origin, roughly."""
    found = exponent({x: y for x, y in by_size.items() if x >= from_size})
    return claim(
        what, words, {f"{x:,}:": y for x, y in by_size.items()},
        abs(found - PUBLISHED["exponent"]) <= PUBLISHED["exponent_within"], form=form,
        tolerance=f"exponent 1 +- {PUBLISHED['exponent_within']}", difference=f"exponent {found:.2f}, {unit}")


def rows(found, quick):
    tori = {side * side: found[f"torus {side}"] for side in SIDES[quick]}
    trees = {levels: found[f"tree 2 {levels}"] for levels in LEVELS[quick]}
    switches = {levels * 2**(levels - 1): run for levels, run in trees.items()}
    smallest = SMALLEST // 2 * int(math.log2(SMALLEST))
    of_4096 = {name: found[f"tree {arity} {levels}"] for name, (arity, levels) in TREES.items()}
    messages = {packets: found[f"butterfly {packets}"] for packets in PACKETS[quick]}
    table = []
    for name, unit, value in (("memory", "MB", memory), ("time", "s", seconds)):
        table.append(
            grows(f"Fig. 14a: tori, {name} by nodes", "roughly linear", {x: value(run) for x, run in tori.items()}, unit,
                  from_size=SMALLEST))
        table.append(
            grows(f"Fig. 14b: 2-ary trees, {name} by switches", "as switches, O(n log n)",
                  {x: value(run) for x, run in switches.items()}, unit, from_size=smallest))
        table += by_tree(name, unit, {name: value(run) for name, run in of_4096.items()})
    table.append(
        grows("Fig. 14d: butterfly, time by packets of a message", "linear", {x: seconds(run) for x, run in messages.items()},
              "s"))
    table.append(unchanged({f"{x}:": memory(run) for x, run in messages.items()}))
    everything = [*tori.values(), *trees.values(), *of_4096.values(), *messages.values()]
    table.append(by_port(tori, of_4096))
    table.append(
        claim("5: all of these runs", "a few hours, a few hundred MB",
              {"hours": max(map(seconds, everything)) / 3600, "MB": max(map(memory, everything))},
              max(map(seconds, everything)) < 3600 * PUBLISHED["hours"]
              and max(map(memory, everything)) < PUBLISHED["megabytes"], form=".2g",
              tolerance=f"{PUBLISHED['hours']:g} hours, {PUBLISHED['megabytes']:g} MB"))
    return table


def by_tree(name, unit, by_topology):
    """Rows of Fig. 14c."""
    largest, least = max(by_topology.values()), min(by_topology.values())
    yield claim(
        f"Fig. 14c: four trees of 4,096 nodes, {name}", "up to 4 times by topology",
        {"largest over smallest": largest / least}, PUBLISHED["factor"] / 2 <= largest / least <= PUBLISHED["factor"] * 1.5,
        form=".2f", tolerance="2 to 6")
    what = f"Fig. 14c: topology of least {name}"
    yield claim(
        what, PUBLISHED["sweet"], by_topology, by_topology[PUBLISHED["sweet"]] == least, form=".3g", tolerance="order",
        difference=unit, why=WHY_SWEET)
    if name == "memory":
        yield evidence(
            "number of ports", order(what, {name: ports(*TREES[name]) for name in TREES}, by_topology, form=".3g"))


def ports(arity, levels):
    return 2 * arity * levels * arity**(levels - 1)


def unchanged(by_length):
    largest, least = max(by_length.values()), min(by_length.values())
    return claim(
        "Fig. 14d: butterfly, memory by packets of a message", "does not change", by_length,
        largest / least <= PUBLISHED["unchanged"], form=".3g", tolerance=f"{PUBLISHED['unchanged']} times",
        difference=f"{largest / least:.2f} times, MB")


def by_port(tori, of_4096):
    """Bytes of a port, in the largest torus and in trees of as many nodes."""
    found = {"torus": memory(tori[4096]) * 1e6 / (4096 * PORTS_OF_A_TORUS_NODE)}
    found |= {name: memory(run) * 1e6 / ports(*TREES[name]) for name, run in of_4096.items()}
    return claim(
        "5: memory by ports", "roughly linear", found, max(found.values()) <= PUBLISHED["ports_within"] * min(found.values()),
        form=".0f", tolerance=f"{PUBLISHED['ports_within']:g} times", difference="bytes a port")


def choices(found, quick):
    if quick:
        return []
    known = {name: found[f"tree {arity} {levels}"] for name, (arity, levels) in {**TREES, **MORE}.items()}
    return [
        tried(f"which four trees: {name}", "2 to 6 times the least, 4-ary 6-tree the least",
              {"MB": memory(run), "s": seconds(run), "ports": ports(*{**TREES, **MORE}[name])}, form=".4g")
        for name, run in known.items()]
