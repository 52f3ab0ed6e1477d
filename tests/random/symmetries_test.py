"""Laws of networks whose routes are known beforehand: what each link carries is an own count of dimension-order routes,
no load is more than such counts allow, and a program whose tasks are all moved by a translation of the torus ends as
before.

    tests/by-hand tests/random/symmetries_test.py [--seed 1] [--count 12]"""

import argparse
import collections
import itertools
import math
import random
import sys
import unittest

import harness
from cases import Case
from program import toml

h5py = harness.module("h5py")
OPTIONS = argparse.Namespace(seed=1, count=12)
PATTERNS = ("uniform", "tornado", "random-permutation")


def place(node, dims):
    at = []
    for side in dims:
        at.append(node % side)
        node //= side
    return at


def node_at(at, dims):
    return sum(x * math.prod(dims[:d]) for d, x in enumerate(at))


def links_of(source, target, dims, wraps):
    """(router, dimension, direction) of the route from one node to another, the first dimension first."""
    at, to, links = place(source, dims), place(target, dims), []
    for d, side in enumerate(dims):
        onwards = (to[d] - at[d]) % side if wraps else to[d] - at[d]
        steps = onwards - side if wraps and 2 * onwards > side else onwards
        for _ in range(abs(steps)):
            links.append((node_at(at, dims), d, steps > 0))
            at[d] = (at[d] + (1 if steps > 0 else -1)) % side
    return links


def drawn(number, torus=False):
    """A torus, of odd sides (one way is always shorter), or a mesh, and links and packets."""
    rng = random.Random(f"{OPTIONS.seed}/{number}")
    wraps = torus or rng.random() < 0.5
    sides = [3, 5, 7] if wraps else [2, 3, 4, 5]
    dims = [rng.choice(sides) for _ in range(rng.choice([1, 2, 2, 3]))]
    if math.prod(dims) < 4:
        dims = [5, *dims]
    keys = {"topology.kind": "torus" if wraps else "mesh", "topology.dims": dims, "router.kind": "bubble",
            "router.routing": "oblivious",
            "router.queue_packets": rng.choice([4, 8]), "router.virtual_channels": rng.choice([1, 2, 3]),
            "packet.phits": rng.choice([1, 4, 16]),
            "link.latency_cycles": rng.choice([1, 3]), "router.arbitration": rng.choice(["round-robin", "fifo"])}
    return rng, dims, wraps, keys


class Laws(Case):
    def figures(self, keys, *words):
        return self.run_json(toml(keys), "--quiet", *words)


class LinkCounts(Laws):
    def counted(self, dims, wraps):
        """Packets of each router's links by an own count of the pairs that were delivered, those that the program
        counts, and own hops."""
        with h5py.File(self.folder / "r.h5") as file:
            pairs = list(zip(*(file[f"pairs/{name}"][:].tolist() for name in ("source", "destination", "packets")),
                             strict=True))
            ports = list(zip(*(file[f"ports/{name}"][:].tolist() for name in ("router", "port", "packets")),
                             strict=True))
        own, found, hops = collections.Counter(), collections.Counter(), 0
        for source, target, packets in pairs:
            for link in links_of(source, target, dims, wraps):
                own[link] += packets
                hops += packets
        for router, port, packets in ports:
            found[router, port] += packets
        loads = lambda counts: sorted((key[0], packets) for key, packets in counts.items() if packets)  # noqa: E731
        return loads(own), loads(found), hops

    def test_links_carry_what_an_own_count_of_routes_says(self):
        for number in range(OPTIONS.count):
            rng, dims, wraps, keys = drawn(number)
            keys |= {"workload.kind": "burst", "workload.burst_packets": rng.choice([1, 5, 20]),
                     "workload.pattern": rng.choice(PATTERNS),
                     "statistics.pairs": True, "statistics.ports": True, "simulation.seed": number + 1}  # fmt: skip
            with self.subTest(number=number, dims=dims):
                summary = self.figures(keys, "--out", self.folder / "r.h5")
                own, found, hops = self.counted(dims, wraps)
                self.assertEqual(found, own, toml(keys))
                self.assertEqual(summary["hops"], hops, toml(keys))

    def test_no_load_is_more_than_the_links_of_such_routes_bear(self):
        for number in range(OPTIONS.count):
            rng, dims, wraps, keys = drawn(number)
            cycles = 3000
            keys |= {"workload.offered_load": rng.choice([0.3, 0.6, 1.0]), "simulation.stop": "cycles",
                     "simulation.cycles": cycles,
                     "statistics.pairs": True, "statistics.ports": True, "simulation.seed": number + 1}  # fmt: skip
            with self.subTest(number=number, dims=dims):
                summary = self.figures(keys, "--out", self.folder / "r.h5")
                nodes, phits = math.prod(dims), keys["packet.phits"]
                own, _, _ = self.counted(dims, wraps)
                self.assertLessEqual(max(packets for _, packets in own) * phits, cycles + phits, toml(keys))
                accepted = summary["load"]["accepted"]
                # Uniform traffic takes all pairs alike; the most that its fullest link lets it take, and 5 deviations
                # of a count of packets.
                loads = collections.Counter(link for pair in itertools.permutations(range(nodes), 2)
                                            for link in links_of(*pair, dims, wraps))
                all_links = sum(loads.values()) / (nodes - 1) / nodes
                noise = 5 * math.sqrt(phits / (cycles * nodes)) + phits / cycles
                self.assertLessEqual(accepted, keys["workload.offered_load"] + noise, toml(keys))
                self.assertLessEqual(accepted * all_links, len(loads) / nodes * (1 + noise) + noise, toml(keys))


class Translations(Laws):
    NAMES = ("allreduce", "all-to-all", "broadcast", "barrier", "reduce-scatter", "allgather")

    def test_tasks_that_are_all_moved_alike_end_as_before(self):
        for number in range(OPTIONS.count):
            rng, dims, _, keys = drawn(number, torus=True)
            keys["router.virtual_channels"] = 1  # of several, packets draw theirs, by numbers of nodes
            nodes = math.prod(dims)
            move = [rng.randrange(side) for side in dims]
            where = rng.sample(range(nodes), rng.randint(2, nodes))
            keys |= {"workload.kind": "collective", "workload.name": rng.choice(self.NAMES),
                     "workload.tasks": len(where),
                     "workload.repetitions": rng.choice([1, 3]), "placement.policy": "file", "placement.path": "p.txt"}
            if keys["workload.name"] != "barrier":
                keys["workload.message_bytes"] = rng.choice([1, 700, 5000])
            there = [node_at([(x + by) % side for x, by, side in zip(place(node, dims), move, dims, strict=True)], dims)
                     for node in where]
            ends = []
            for nodes_of_tasks in (where, there):
                self.write("p.txt", "".join(f"{node} {task} 0\n" for task, node in enumerate(nodes_of_tasks)))
                summary = self.figures(keys)
                ends.append({name: summary[name] for name in ("task_finish_cycles", "messages", "packets", "hops",
                                                              "cycles", "latency", "distance")})
            with self.subTest(number=number, dims=dims):
                self.assertEqual(*ends, f"{toml(keys)}\nnodes {where}\nmoved by {move}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12, help="configurations of each law")
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=OPTIONS)
    unittest.main(argv=[sys.argv[0], *OPTIONS.tests])
