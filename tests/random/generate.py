"""Random configurations over everything that is registered. The kinds come from the catalogue in decks, so that new
ones come along; values come from the ranges of settings; what a range cannot say has a maker here."""

import random

from draw_conditions import CONTROLS, DURING_THE_RUN, ENDINGS, FAULTS, further, links, packets, statistics
from draw_jobs import several_jobs
from draw_nodes import parts_of_nodes
from draw_workloads import WORKLOADS, workloads
from left_out import LEFT_OUT
from makers import MAKERS
from program import Config
from values import Deck, value, whole

MOST_NODES, MOST_ROUTERS = 64, 96


class Case:
    """A configuration while it is drawn."""

    def __init__(self, catalogue, number, random_of):
        self.catalogue, self.number, self.random_of = catalogue, number, random_of
        self.config, self.network, self.compute_nodes = Config({}), None, None
        # What a refusal does not throw out: without it, it would be another case, or a long one.
        self.kept = {"topology.kind", "workload.kind", "workload.name", "simulation.cycles", "simulation.stop",
                     "workload.path",
                     "workload.message_bytes", "simulation.max_cycles"}  # fmt: skip

    @property
    def keys(self):
        return self.config.keys

    @property
    def nodes(self):
        """Nodes that tasks are on: those of the network, unless they have several NICs."""
        return self.compute_nodes or self.network.nodes

    def rng(self, use):
        """Random numbers of a part of the case: what one part draws leaves the others as they are."""
        return self.random_of(use, self.number)

    def effective(self, key):
        return self.catalogue.effective(self.keys, key)

    def add_file(self, name, content):
        self.config.files[name] = content
        return name


class Generator:
    """`ask`: facts of the network of a config, None if it is refused. `failures`: parts fail during each run."""

    def __init__(self, catalogue, seed, ask, failures=False):
        self.catalogue, self.seed, self.ask = catalogue, seed, ask
        self.random_of = lambda use, number: random.Random(f"{seed}/{use}/{number}")
        self.networks = self.deck("networks", catalogue.networks())
        self.workloads = self.deck("workloads", workloads(catalogue))
        self.ways = {pair: self.deck(f"ways of {pair}", ways(catalogue, *pair)) for pair in catalogue.networks()}
        self.controls = self.deck("controls", CONTROLS)
        self.faults = self.deck("faults", DURING_THE_RUN if failures else FAULTS)
        self.endings = self.deck("endings", ENDINGS)

    def deck(self, name, items):
        return Deck(name, items, self.random_of)

    def case(self, number):
        case = Case(self.catalogue, number, self.random_of)
        topology, router = self.networks[number]
        self.shape(case, topology)
        turn, offset = number // len(self.networks.items), self.random_of(f"turns of {topology} {router}",
                                                                          0).randrange(1000)
        self.router(case, router, self.ways[topology, router][turn + offset])
        packets(case, case.rng("packets"))
        links(case, case.rng("links"))
        self.controls[number](case, case.rng("control"))
        self.workload(case, *self.workloads[number])
        self.endings[number](case, case.rng("ending"))
        if "topology.planes" not in case.keys:
            self.faults[number](case, case.rng("faults"))
        statistics(case, case.rng("statistics"))
        further(case)
        case.keys["simulation.seed"] = case.rng("seed").randrange(1, 1000)
        return case

    def workload(self, case, kind, *names):
        several = case.rng("several jobs")
        wanted = several.random() < 0.15  # one in three networks is too small
        if wanted or self.catalogue.workloads.get(kind, {"tasks": False})["tasks"]:
            parts_of_nodes(case, case.rng("nodes"), names)
        if wanted and several_jobs(case, several, (kind, *names)):
            return
        if kind in ("synthetic", "burst", "reactive", "jobs"):
            case.config.keys = {key: value for key, value in case.keys.items() if not key.startswith("node.")
                                and key != "topology.planes"}
            case.compute_nodes = None
        WORKLOADS[kind](case, case.rng("workload"), *names)

    def shape(self, case, topology):
        """A small network of the kind: its example, changed here and there as long as it stays small."""
        rng = case.rng("shape")
        row = self.catalogue.topologies[topology]
        case.keys["topology.kind"] = topology
        example = dict(row["example"])
        for _ in range(8):
            keys = {**case.keys, **changed(self.catalogue, row, example, rng)}
            if self.fits(case, keys):
                break
        else:
            if not self.fits(case, {**case.keys, **example}):
                raise AssertionError(f"the example of topology.kind = {topology} makes no small network")
        case.kept |= set(example)
        if topology == "file" and rng.random() < 0.5:
            case.keys["topology.path"] = case.add_file("fabric.toml", case.keys.pop("topology.text"))
            case.kept.add("topology.path")

    def fits(self, case, keys):
        network = self.ask(Config(keys))
        if network is None or not 2 <= network.nodes <= MOST_NODES or network.routers > MOST_ROUTERS:
            return False
        case.config.keys, case.network = dict(keys), network
        return True

    def router(self, case, kind, way):
        rng, keys = case.rng("router"), case.keys
        owners = [kind, way.get("router.routing", "").split(":")[0]]
        if kind != self.catalogue.topologies[keys["topology.kind"]]["router"] or rng.random() < 0.5:
            keys["router.kind"] = kind
            case.kept.add("router.kind")
        keys.update(way)
        if rng.random() < 0.5:
            keys["router.virtual_channels"] = rng.choice([1, 2, 3, 4, 4, 6, 8])
        # what fits few networks is seldom there
        rare = 0.5 if len(self.catalogue.routers[kind]["topologies"]) < 4 else 0.2
        for key in [key for table in ("router", "nic", "deadlock", "ideal") for key in self.catalogue.keys(table)]:
            of = self.catalogue.settings[key]["kinds"]
            if key in keys or key in LEFT_OUT or (of and not set(of) & set(owners)) or rng.random() > (rare if of
                    else 0.07):
                continue
            drawn = MAKERS[key](case, rng) if key in MAKERS else value(self.catalogue.settings[key], rng)
            if drawn is not None:
                keys[key] = drawn


def ways(catalogue, topology, router):
    """How a router may route in a topology, each as keys."""
    known = [{}]
    if not catalogue.takes_routes(router):
        return known + [{"router.routing": mode["name"]} for mode in catalogue.routers[router]["modes"]]
    for routing in catalogue.routings_for(topology):
        known.append({"router.routing": routing})
        known += [{"router.routing": f"{routing}:{mode['name']}"} for mode in catalogue.routers[routing]["modes"]]
    return known


def changed(catalogue, row, example, rng):
    keys = dict(example)
    for key in row["keys"]:
        setting = catalogue.settings[key]
        if setting["table"] != "topology" or rng.random() < 0.4:
            continue
        least = max(1, setting["least"] or 0)
        if key in example and setting["type"] == "integer":
            keys[key] = max(least, rng.choice([example[key] - 1, example[key] + 1, 2 * example[key],
                                               2 ** rng.randint(1, 4)]))
        elif key in example and setting["type"] == "integers":
            keys[key] = changed_list(example[key], rng)
        elif setting["type"] in ("choice", "boolean") and rng.random() < 0.7:
            keys[key] = value(setting, rng)
        elif setting["type"] == "integer" and rng.random() < 0.3:
            keys[key] = whole({**setting, "unit": "links"}, rng)
        elif setting["type"] == "list of integers" and rng.random() < 0.4:
            keys[key] = changed_list([1, 1], rng) if key not in example else changed_list(example[key], rng)
    return keys


def changed_list(numbers, rng):
    """One number another, or all of them powers of two, or one more or less of them."""
    numbers = list(numbers)
    place = rng.randrange(len(numbers))
    way = rng.random()
    if way < 0.4:
        numbers[place] = max(0, numbers[place] + rng.choice([-1, 1, 2]))
    elif way < 0.7:
        numbers = [rng.choice([1, 2, 2, 4, 4, 8]) for _ in numbers]
    elif way < 0.85 and len(numbers) > 1:
        numbers.pop()
    else:
        numbers.append(rng.choice([1, 2, 3]))
    return numbers
