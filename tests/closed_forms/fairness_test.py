"""Equal sources whose paths meet at one switch get equal shares of what it takes, with every kind of router, every
arbitration or scheduling and every mode that `weft describe` lists: a new one comes along by itself.

Nodes of one switch send to all others as much as they can, or, where each switch has one node, all neighbours of a node
to that. A mode that a machine refuses must run on another one. What several switches in a row do to far sources is not
looked at. Shares differ by chance where routes are drawn: what looks unfair is looked at again with other seeds, and
counts if the runs agree.

Each run of the check takes a sixth of the cases, with all modes, networks and arbitrations among them; WEFT_ALL_CASES=1
takes all.

Environment: WEFT_BINARY is the program."""

import json
import re
import subprocess
import tempfile
import unittest
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from threading import Lock

import harness

WEFT = harness.weft()
H5PY = harness.module("h5py")
MACHINES = ("switch", "extoll", "infiniband", "wormhole", "myrinet")  # they take routes of other kinds
SHARE = 0.05
# the cases with random draws have some 5,000 sources: one of them is 4 standard errors off by chance
SEEDS, ERRORS = 32, 5
FIFO_SHARE = 0.08  # plain routers give ties of fifo to the lowest input, as INSEE does: up to 6 % more

CLOS = {"kind": "clos", "leaf_down": 4, "leaf_up": 2, "leaves": 4}
THIN_TREE = {"kind": "thin-tree", "down": 4, "up": 2, "levels": 2}
PGFT = {"kind": "pgft", "m": [4, 3], "w": [1, 2], "parallel": [1, 1]}
PARALLEL = {"kind": "pgft", "m": [4, 3], "w": [1, 1], "parallel": [1, 2]}
DRAGONFLY = {"kind": "dragonfly", "nodes_per_router": 4, "routers_per_group": 2, "global_links": 1}
PLUS = {"kind": "dragonfly-plus", "nodes_per_router": 4, "leaves": 2, "spines": 2, "global_links": 1,
        "parallel_links": 1}
HYPERX = {"kind": "hyperx", "dims": [2, 2], "nodes_per_router": 4, "widths": [1, 2]}
SLIM_FLY = {"kind": "slim-fly", "q": 3, "nodes_per_router": 8}
CUBE = {"kind": "indirect-cube", "dims": [3, 3], "nodes_per_switch": 4, "parallel_links": 4}
MESH, MESH_3D, TORUS = ({"kind": kind, "dims": dims} for kind,
                        dims in (("mesh", [3, 3]), ("mesh", [3, 3, 3]), ("torus", [3, 3])))
TWINS, MESHED = {"kind": "ndt-torus", "dims": [3, 3]}, {"kind": "full-mesh", "nodes": 5}
CROSSBAR = {"kind": "crossbar", "nodes": 5}

# Networks for the routes of each kind.
# Where nothing is shared there is nothing to share out: no network.
NETWORKS = {"bubble": [MESH, TORUS], "dally": [MESH, TORUS], "ideal": [], "dragonfly": [DRAGONFLY],
            "dragonfly-plus": [PLUS],
            "fat-tree": [PGFT, PARALLEL], "forwarding-table": [CLOS, MESH], "full-mesh": [MESHED], "hyperx": [HYPERX],
            "immucube": [MESH, TORUS],
            # its ring comes by equal places one after the other, and who is overtaken on it gets less: docs/recovery.md
            "immunet": [],
            "destination-tag": [],  # each node has its own way into the first stage
            "indirect-cube": [CUBE], "multistage": [CLOS, CROSSBAR], "ndt": [TWINS], "slim-fly": [SLIM_FLY],
            "source-route": [CLOS, MESH],
            # its inputs meet in a tree, two by two, whatever router.arbitration says: docs/spinnaker.md
            "spinnaker": [],
            # nor do packets of rotary routers meet at outputs: docs/rotary.md
            "rotary": []}
OTHER_NETWORKS = {("bubble", "hexa"): [MESH_3D],
                  ("indirect-cube", "4mesh"): []}  # the nodes of a switch have a mesh each: they meet nowhere


def described(*words):
    return subprocess.run([WEFT, "describe", *words], capture_output=True, text=True, check=True).stdout


@cache
def kinds():
    """Modes of each kind of router."""
    found, kind = {}, None
    for line in described("routers").splitlines()[1:]:
        if begins := re.match(r"(\S+): ", line):
            kind = begins[1]
            found[kind] = []
        elif mode := re.match(r"  (\S+) {2,}\S", line):
            found[kind].append(mode[1])
    return found


def choices(key):
    listed = re.search(r"choice, ([^;]*);", described(key))[1]
    return [value.strip() for value in listed.split(",")]


def schedulers(router):
    """Those that `weft describe --json` says fit a kind of router."""
    rows = json.loads(subprocess.run([WEFT, "describe", "--json", "-"], capture_output=True, text=True,
                                     check=True).stdout)["schedulers"]
    return [row["name"] for row in rows if router in row["fits"]]


def plain_kinds():
    return {kind: modes for kind, modes in kinds().items() if kind not in MACHINES}


def some_of(cases):
    """A sixth of the cases; each value of each part of their names is in one of them."""
    places = [{} for _ in cases[0][0]]
    chosen, missing = [], []
    for case in cases:
        ranks = [place.setdefault(part, len(place)) for place, part in zip(places, case[0])]
        (chosen if sum(ranks) % 6 == 0 else missing).append(case)
    seen = [{name[part] for name, *_ in chosen} for part in range(len(places))]
    for case in missing:
        if any(word not in values for word, values in zip(case[0], seen)):
            chosen.append(case)
            for word, values in zip(case[0], seen):
                values.add(word)
    return chosen


class Networks:
    """Which sources are equal, and what they send."""

    def __init__(self, folder):
        self.folder = folder
        self.one_at_a_time = Lock()

    def of(self, text):
        with self.one_at_a_time:
            return self.made(text)

    @cache
    def made(self, text):
        keys = json.loads(text)
        config = self.folder / "network.toml"
        config.write_text("format = 1\n")
        export = self.folder / "network.json"
        command = [WEFT, "topology", str(config), "--export", str(export)]
        for name, value in keys.items():
            command += ["--set", f"topology.{name}={json.dumps(value)}"]
        subprocess.run(command, capture_output=True, check=True)
        graph = json.loads(export.read_text())
        routers = sum(node["kind"] == "router" for node in graph["nodes"])
        links = [(link["source"], link["target"]) for link in graph["links"]]
        if graph["graph"]["direct"]:
            hub = f"r{routers // 2}"
            around = sorted({int((a if b == hub else b)[1:]) for a, b in links if hub in (a, b)})
            pairs = [node for source in around for node in (source, int(hub[1:]))]
            return {"workload.kind": "exchange", "workload.name": "pairs", "workload.pairs": pairs,
                    "workload.both_ways": False,
                    "workload.message_bytes": 16, "workload.repetitions": 1_000_000_000}, [around], len(around)
        groups = defaultdict(list)
        for a, b in links:
            for router, node in ((a, b), (b, a)):
                if node.startswith("n"):
                    groups[router].append(int(node[1:]))
        return {"workload.offered_load": 1.0}, list(groups.values()), sum(map(len, groups.values()))


class Fairness(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="weft-fairness-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.config = cls.folder / "empty.toml"
        cls.config.write_text("format = 1\n")
        cls.networks = Networks(cls.folder)
        cls.numbers = iter(range(1_000_000))

    def packets_by_source(self, keys):
        """Packets delivered by source; None if the machine refuses."""
        out = self.folder / f"{next(self.numbers)}.h5"
        command = [WEFT, "run", str(self.config), "--out", str(out), "--progress", "never"]
        for name, value in keys.items():
            command += ["--set", f"{name}={json.dumps(value)}"]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode == 2:
            return None, done.stderr
        self.assertEqual(done.returncode, 0, f"{keys}: {done.stderr}")
        packets = Counter()
        with H5PY.File(out) as result:
            for source, count in zip(result["pairs/source"][:], result["pairs/packets"][:]):
                packets[int(source)] += int(count)
        out.unlink()
        return packets, ""

    def unfair(self, network, keys, cycles=0):
        """What is unfair in a run: a text, empty if nothing is; None if the machine refuses."""
        traffic, groups, nodes = self.networks.of(json.dumps(network))
        keys = {f"topology.{name}": value for name, value in network.items()} | traffic | keys
        keys |= {"simulation.cycles": cycles or max(4_000, 100_000 // nodes), "statistics.pairs": True}
        keys = {"packet.phits": 4, "packet.phit_bytes": 8} | keys
        if traffic.get("workload.kind") == "exchange":
            keys = {"packet.header_phits": 1} | keys
        for channels in (4, 6, 2, 1, 8):
            all_keys = {"router.virtual_channels": channels} | keys
            packets, refusal = self.packets_by_source(all_keys)
            if packets is not None or "virtual_channels" not in refusal:
                break
        if packets is None:
            return None
        runs, share = [packets], FIFO_SHARE if keys.get("router.arbitration") == "fifo" else SHARE
        for seed in range(2, SEEDS + 1):
            if not (found := self.what_is_unfair(runs, groups, share)):
                break
            runs.append(self.packets_by_source(all_keys | {"simulation.seed": seed})[0])
        return found

    @staticmethod
    def differ(shares, allowed):
        """Whether shares ([run][source]) differ by more than is allowed, and by more than what runs differ by
        chance."""
        for of_source in zip(*[[packets * len(run) / sum(run) for packets in run] for run in shares]):
            off = abs(mean(of_source) - 1)
            chance = 4 / (sum(map(sum, shares)) / len(shares[0])) ** 0.5
            if len(shares) > 1:
                chance = max(chance, ERRORS * stdev(of_source) / len(shares) ** 0.5)
            if off > allowed and off > chance:
                return True
        return False

    @classmethod
    def what_is_unfair(cls, runs, groups, share):
        found = []
        by_group = [[[run[node] for node in group] for run in runs] for group in groups]
        for shares in by_group:
            if min(map(sum, shares)) < 50 * len(shares[0]):
                found.append(f"only {shares} packets")
            elif cls.differ(shares, share):
                found.append(f"{[sum(of_source) for of_source in zip(*shares)]}")
        if len({len(group) for group in groups}) == 1:
            places = [[sum(of_place) for of_place in zip(*of_run)] for of_run in zip(*by_group)]
            if cls.differ(places, share):
                found.append(f"by place {[sum(of_place) for of_place in zip(*places)]}")
        return "; ".join(found)

    def all_fair(self, all_cases, more_than):
        """Runs the cases of this run. The machines take more than so many of all cases, in proportion of those that are
        run."""
        cases = all_cases if harness.ALL_CASES else some_of(all_cases)
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda case: self.unfair(case[1], case[2]), cases))
        wrong = [f"{name}: {result}" for (name, *_), result in zip(cases, results) if result]
        self.assertFalse(wrong, "\n" + "\n".join(wrong))
        taken = {name for (name, *_), result in zip(cases, results) if result is not None}
        self.assertGreater(len(taken), more_than * len(cases) / len(all_cases))


def networks_of(kind, mode):
    if kind not in NETWORKS:
        raise AssertionError(f"no network for routers of kind {kind}; add one to NETWORKS")
    return OTHER_NETWORKS.get((kind, mode), NETWORKS[kind])


def modes():
    return [(kind, mode) for kind, names in plain_kinds().items() for mode in names]


class PlainRouters(Fairness):
    def test_share_out_fairly_with_every_arbitration_in_every_mode(self):
        cases = [((kind, mode, network["kind"], arbitration), network,
                  {"router.kind": kind, "router.routing": mode, "router.arbitration": arbitration})
                 for kind, mode in modes() for network in networks_of(kind, mode)
                 for arbitration in choices("router.arbitration") if arbitration != "highest"]  # it prefers channels
        self.all_fair(cases, 150)


class Switches(Fairness):
    def cases(self, **more):
        return [((kind, mode, network["kind"], scheduling), network,
                 {"router.kind": "switch", "router.routing": f"{kind}:{mode}", "router.scheduling": scheduling} | more)
                for kind, mode in modes() for network in networks_of(kind, mode)
                for scheduling in schedulers("switch")]  # fmt: skip

    def test_share_out_fairly_with_every_scheduling_and_all_routes(self):
        self.all_fair(self.cases(), 90)

    def test_do_so_with_fifos_and_short_buffers(self):
        self.all_fair(self.cases(**{"router.queues": "fifo", "router.buffer_cells": 8}), 90)

    def test_all_modes_run_on_plain_routers_or_on_switches(self):
        for kind, mode in modes():
            if not NETWORKS[kind] or mode in ("ts-dor-up", "ts-dor-down"):  # they are of traffic classes
                continue
            network = NETWORKS[kind][0] if (kind, mode) != ("bubble", "hexa") else MESH_3D
            tried = [self.unfair(network, {"router.kind": kind, "router.routing": mode}),
                     self.unfair(network, {"router.kind": "switch", "router.routing": f"{kind}:{mode}"})]  # fmt: skip
            self.assertNotEqual(tried, [None, None], f"{kind} {mode}")

    def test_the_nodes_of_a_leaf_get_equal_shares_of_its_links_up(self):
        for mode in ("adaptive", "static"):
            found = self.unfair(CLOS, {"router.kind": "switch", "router.routing": f"auto:{mode}",
                                       "router.virtual_channels": 1,
                                       "router.buffer_cells": 64, "packet.phits": 16}, cycles=20_000)  # fmt: skip
            self.assertEqual(found, "", mode)


class OtherMachines(Fairness):
    def test_wormholes_share_out_fairly(self):
        cases = [((kind, mode, network["kind"], scheduling, flow), network,
                  {"router.kind": "wormhole", "router.routing": f"{kind}:{mode}", "router.virtual_channels": 1,
                   "router.scheduling": scheduling, "router.flow_control": flow})
                 for kind, mode in modes() for network in networks_of(kind, mode)
                 for scheduling in schedulers("wormhole") for flow in choices("router.flow_control")]  # fmt: skip
        self.all_fair(cases, 40)

    def test_so_do_those_with_several_virtual_channels(self):
        cases = [((kind, mode, network["kind"], scheduling, release, channels), network,
                  {"router.kind": "wormhole", "router.routing": f"{kind}:{mode}", "router.virtual_channels": channels,
                   "router.scheduling": scheduling, "router.vc_release": release, "deadlock.check": "off"})
                 for kind, mode in modes() for network in networks_of(kind, mode)
                 for scheduling in ("islip", "age", "random") for release in choices("router.vc_release")
                 for channels in (2, 6)]  # fmt: skip
        self.all_fair(cases, 60)

    def test_so_do_the_switches_of_real_machines_as_they_are(self):
        cases = [((kind, network["kind"]), network, {"router.kind": kind})
                 for kind in MACHINES for network in (CLOS, CROSSBAR, PGFT, MESH)]  # fmt: skip
        self.all_fair(cases, 12)


if __name__ == "__main__":
    unittest.main()
