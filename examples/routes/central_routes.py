#!/usr/bin/env python3
"""Routes that a central place chooses for pairs of nodes of a Clos network, knowing all pairs: no two share a link.

    python3 central_routes.py --leaves 32 --nodes-per-leaf 16 --seed 1 --out central

draws who sends to whom (a random bisection: pairs that send each other messages) and writes OUT.txt, a file for
router.routes_path, and OUT.toml, a config of three jobs one after the other: all nodes tell node 0 their peer (gather),
it tells each its route (scatter), then the pairs exchange. What the choice itself takes is not in there.

In a Clos network with as many spines as nodes of a leaf any permutation has routes without a shared link: each spine
gets messages of which no two begin or end at one leaf. That is a colour of the edges of a bipartite multigraph (sending
leaves, receiving leaves), and as many colours as a vertex has edges suffice (Koenig 1916)."""

import argparse
import random
from pathlib import Path


def bisection(nodes, seed):
    """[node]: its peer."""
    order = list(range(nodes))
    random.Random(seed).shuffle(order)
    peer = [0] * nodes
    for one, other in zip(order[::2], order[1::2], strict=True):
        peer[one], peer[other] = other, one
    return peer


def colours(edges, count):
    """[edge]: a colour below `count`, of edges (from, to) of a bipartite multigraph; none twice at a vertex. `count` is
    at least the edges of any vertex."""
    at = {}  # (side, vertex, colour): edge
    colour = [None] * len(edges)

    def free(side, vertex):
        return next(c for c in range(count) if (side, vertex, c) not in at)

    def put(edge, new):
        colour[edge] = new
        for side in (0, 1):
            at[side, edges[edge][side], new] = edge

    for edge, ends in enumerate(edges):
        one, other = free(0, ends[0]), free(1, ends[1])
        if one != other:
            # Exchange both colours along the path from the end that lacks `one` where it is taken; it ends elsewhere.
            swapped = {one: other, other: one}
            path, side, vertex, wanted = [], 1, ends[1], one
            while (side, vertex, wanted) in at:
                next_edge = at[side, vertex, wanted]
                path.append(next_edge)
                side = 1 - side
                vertex = edges[next_edge][side]
                wanted = swapped[wanted]
            for each in path:
                for side in (0, 1):
                    del at[side, edges[each][side], colour[each]]
            for each in path:
                put(each, swapped[colour[each]])
        put(edge, one)
    return colour


def routes(peer, leaf, central):
    """[node]: the spine by which its messages go, or None inside a leaf; not `central`: as node modulo spines says."""
    between = [node for node, other in enumerate(peer) if node // leaf != other // leaf]
    if not central:
        return {node: peer[node] % leaf for node in between}
    return dict(zip(between, colours([(node // leaf, peer[node] // leaf) for node in between], leaf), strict=True))


def line(one, other, leaf, spine):
    """From router to router: up ports of a leaf switch come first, and a spine has a port for each leaf."""
    return f"{one} {other}:" if one // leaf == other // leaf else f"{one} {other}: {spine} {other // leaf}"


CONFIG = """# Written by central_routes.py: pairs of nodes exchange messages over routes that were chosen centrally.
format = 1

[simulation]
seed = 1
stop = "workload-complete"
launch_cycles = 1

[topology]
kind = "clos"
leaf_down = {leaf}
leaf_up = {leaf}
leaves = {leaves}

[router]
kind = "myrinet"
routing = "source-route"
routes_path = "{routes}"

[nic]
dispersion = "none"
"""
JOB = """
[[job]]
name = "{name}"
{after}placement = {{policy = "file", path = "{places}"}}

[job.workload]
name = "{name}"
{keys}
tasks = {nodes}
tasks_per_node = 3             # one of each job
"""
COLLECTIVE = 'kind = "collective"\nalgorithm = "linear"\nmessage_bytes = 4'
PAIRS = 'kind = "exchange"\npairs = {}\nmessage_bytes = 1_048_576'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leaves", type=int, default=32)
    parser.add_argument("--nodes-per-leaf", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--static", action="store_true", help="routes by the number of the destination, to compare")
    parser.add_argument("--out", type=Path, default=Path("central"))
    given = parser.parse_args()
    leaf, nodes = given.nodes_per_leaf, given.leaves * given.nodes_per_leaf
    peer = bisection(nodes, given.seed)
    spine = routes(peer, leaf, not given.static)
    lines = [line(node, other, leaf, spine.get(node)) for node, other in enumerate(peer)]
    for node in range(1, nodes):
        for one, other in ((node, 0), (0, node)):
            if peer[one] != other:
                lines.append(line(one, other, leaf, other % leaf))
    given.out.with_suffix(".txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pairs = [node for one, other in enumerate(peer) if one < other for node in (one, other)]
    places = given.out.with_suffix(".places")
    places.write_text("".join(f"{node} {node} {job}\n" for job in range(3) for node in range(nodes)), encoding="utf-8")
    text, after = CONFIG.format(leaf=leaf, leaves=given.leaves, routes=given.out.with_suffix(".txt").name), ""
    for name, keys in (("gather", COLLECTIVE), ("scatter", COLLECTIVE), ("pairs", PAIRS.format(pairs))):
        text += JOB.format(name=name, after=after, places=places.name, keys=keys, nodes=nodes)
        after = f'after = "{name}"\n'
    given.out.with_suffix(".toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
