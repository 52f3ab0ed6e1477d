"""Random configurations over everything that is registered. The kinds come from the catalogue in decks, so that new ones come
along; values come from the ranges of settings; what a range cannot say has a maker here."""

import random

from program import Config
from values import Deck, value, whole

MOST_NODES, MOST_ROUTERS = 64, 96

# Texts and lists that are not drawn, and why.
LEFT_OUT = {
    "topology.tables": "tables of real fabrics: tests/fabrics",
    "topology.sl2vl": "dumps of real fabrics: tests/fabrics",
    "parallel.weights": "needs a checkpoint: drawn for the variations of a run",
    "parallel.partition_path": "drawn for the variations of a run",
    "checkpoint.path": "given for the variations of a run",
    "format": "always 1",
    "workload.trace_format": "drawn with workload.path",
    "workload.name": "drawn from the registries",
    "workload.pattern": "drawn from the registry",
    "workload.algorithm": "drawn from the registry",
    "topology.kind": "drawn from the registry",
    "router.kind": "drawn from the registry",
    "router.routing": "drawn from the registry",
}
# Numbers that are not drawn one by one.
SET_TOGETHER = {
    "simulation.tick_ps": "with link.rate_gbps, so that a phit takes a whole number of ticks",
    "simulation.max_cycles": "a safety limit of every run that ends by itself",
    "link.rate_gbps": "with simulation.tick_ps",
    "link.latency_ns": "with simulation.tick_ps",
    "parallel.check_memory": "changes nothing in small networks",
    "parallel.rebalance_above": "drawn for the variations of a run",
    "parallel.protocol": "drawn for the variations of a run",
    "parallel.partition": "drawn for the variations of a run",
    "checkpoint.every_seconds": "time of the clock: tests/checkpoint",
    "checkpoint.every_cycles": "given for the variations of a run",
}
CLOSED_SETS = ("simulation", "measure", "workload", "placement", "faults", "statistics", "packet", "topology")


class Case:
    """A configuration while it is drawn."""

    def __init__(self, catalogue, number, random_of):
        self.catalogue, self.number, self.random_of = catalogue, number, random_of
        self.config, self.network = Config({}), None
        # What a refusal does not throw out: without it, it would be another case.
        self.kept = {"topology.kind", "workload.kind", "workload.name", "simulation.cycles", "simulation.stop", "workload.path"}

    @property
    def keys(self):
        return self.config.keys

    def rng(self, use):
        """Random numbers of a part of the case: what one part draws leaves the others as they are."""
        return self.random_of(use, self.number)

    def effective(self, key):
        return self.catalogue.effective(self.keys, key)

    def add_file(self, name, content):
        self.config.files[name] = content
        return name


class Generator:
    """`ask`: facts of the network of a config, None if it is refused."""

    def __init__(self, catalogue, seed, ask):
        self.catalogue, self.seed, self.ask = catalogue, seed, ask
        self.random_of = lambda use, number: random.Random(f"{seed}/{use}/{number}")
        self.networks = self.deck("networks", catalogue.networks())
        self.workloads = self.deck("workloads", workloads(catalogue))
        self.ways = {pair: self.deck(f"ways of {pair}", ways(catalogue, *pair)) for pair in catalogue.networks()}
        self.controls = self.deck("controls", CONTROLS)
        self.faults = self.deck("faults", FAULTS)
        self.endings = self.deck("endings", ENDINGS)

    def deck(self, name, items):
        return Deck(name, items, self.random_of)

    def case(self, number):
        case = Case(self.catalogue, number, self.random_of)
        topology, router = self.networks[number]
        self.shape(case, topology)
        turn, offset = number // len(self.networks.items), self.random_of(f"turns of {topology} {router}", 0).randrange(1000)
        self.router(case, router, self.ways[topology, router][turn + offset])
        packets(case, case.rng("packets"))
        links(case, case.rng("links"))
        self.controls[number](case, case.rng("control"))
        kind, *names = self.workloads[number]
        WORKLOADS[kind](case, case.rng("workload"), *names)
        self.endings[number](case, case.rng("ending"))
        self.faults[number](case, case.rng("faults"))
        statistics(case, case.rng("statistics"))
        case.keys["simulation.seed"] = case.rng("seed").randrange(1, 1000)
        return case

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
        rare = 0.5 if len(self.catalogue.routers[kind]["topologies"]) < 4 else 0.2  # what fits few networks is seldom there
        for key in [key for table in ("router", "nic", "deadlock") for key in self.catalogue.keys(table)]:
            of = self.catalogue.settings[key]["kinds"]
            if key in keys or key in LEFT_OUT or (of and not set(of) & set(owners)) or rng.random() > (rare if of else 0.07):
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
            keys[key] = max(least, rng.choice([example[key] - 1, example[key] + 1, 2 * example[key], 2 ** rng.randint(1, 4)]))
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


# Texts and lists of routers.


def weights(case, rng, most=8):
    return [rng.choice([1, 1, 2, 3, 0]) for _ in range(rng.randint(1, most))]


def class_shares(case, rng):
    return [rng.randint(1, 5) for _ in range(case.keys.get("router.traffic_classes", 1))]


def scheduling(case, rng):
    router = case.catalogue.router(case.keys)
    return rng.choice(case.catalogue.schedulers_for(router))


def class_modes(case, rng):
    routing = case.keys.get("router.routing")
    if routing not in case.catalogue.routers:
        return None
    modes = [mode["name"] for mode in case.catalogue.routers[routing]["modes"]]
    return ", ".join(rng.choice(modes) for _ in range(case.keys.get("router.traffic_classes", 1)))


def lanes_table(case, rng):
    lanes = min(15, case.effective("router.virtual_channels"))
    return ", ".join(f"{lane}:{rng.choice([0, 1, 16, 64, 255])}" for lane in rng.sample(range(lanes), rng.randint(1, lanes)))


def routes_file(case, rng):
    """Shortest paths between all pairs of nodes, some with a second line."""
    network, lines = case.network, []
    for source in range(network.nodes):
        ways = network.ways_from(network.router_of[source])
        for target in range(network.nodes):
            way = ways.get(network.router_of[target])
            if target != source and way is not None:
                lines.append(f"{source} {target}: " + " ".join(map(str, way)))
    return case.add_file("routes.txt", "\n".join(lines))


def targets_file(case, rng):
    nodes = range(case.network.nodes)
    lines = [f"{node} " + " ".join(map(str, rng.sample([n for n in nodes if n != node], min(3, len(nodes) - 1)))) for node in nodes]
    return case.add_file("targets.txt", "\n".join(lines))


MAKERS = {
    "router.engine": lambda case, rng: rng.choice(["auto", *case.catalogue.engines]),
    "nic.dispersion": lambda case, rng: rng.choice(["none", *case.catalogue.dispersions]),
    "router.class_shares": class_shares,
    "router.class_modes": class_modes,
    "router.scheduling": scheduling,
    "router.sl_shares": weights,
    "router.sl2vl": lambda case, rng: [rng.randrange(min(15, case.effective("router.virtual_channels"))) for _ in range(rng.randint(1, 16))],
    "congestion.cct_percent": lambda case, rng: sorted(rng.randint(0, 400) for _ in range(rng.randint(1, 128))),
    "router.vl_high": lanes_table,
    "router.vl_low": lanes_table,
    "router.routes_path": routes_file,
    "router.multicast_file": targets_file,
    "router.buffer_cells": lambda case, rng: rng.choice([16, 32, 33, 64, 65, 128, 300, 512]),
    "deadlock.unsafe": lambda case, rng: True if rng.random() < 0.3 else None,
    "deadlock.check": lambda case, rng: rng.choice(["auto", "full", "full", "off"]),
    "router.switch_latency_cycles": lambda case, rng: rng.choice([0, 1, 2, 3, 7, 20]),
}


# Packets and links.


def packets(case, rng):
    keys = case.keys
    if rng.random() < 0.75:
        keys["packet.phits"] = rng.choice([1, 1, 2, 3, 4, 5, 8, 8, 16, 16, 32, 33, 64])
    if rng.random() < 0.3:
        keys["packet.phit_bytes"] = rng.choice([1, 2, 4, 8, 16, 64])
    if rng.random() < 0.15:
        keys["packet.header_phits"] = rng.choice([0, 1, 1, 2])


def links(case, rng):
    keys, settings = case.keys, case.catalogue.settings
    topology, row = keys["topology.kind"], case.catalogue.routers[case.catalogue.router(keys)]
    ticks = 1
    if rng.random() < 0.2:  # a cycle of several ticks, of a stated length
        ticks = rng.choice([1, 2, 4, 10])
        keys["packet.phit_bytes"] = case.effective("packet.phit_bytes")
        keys["simulation.tick_ps"] = rng.choice([1, 10, 1000])
        keys["link.rate_gbps"] = 8000.0 * keys["packet.phit_bytes"] / (ticks * keys["simulation.tick_ps"])
        if rng.random() < 0.2:
            keys["link.latency_ns"] = keys["simulation.tick_ps"] * rng.randint(1, 30) / 1000
        case.kept |= {"simulation.tick_ps", "link.rate_gbps"} & set(keys)
    for key in case.catalogue.keys("link"):
        of = settings[key]["kinds"]
        if key in keys or key in SET_TOGETHER or (of and topology not in of):
            continue
        if key.endswith("latency_cycles"):
            if "link.latency_ns" not in keys and rng.random() < (0.5 if key == "link.latency_cycles" else 0.2):
                keys[key] = whole({**settings[key], "unit": "cycles"}, rng)
        elif row["any_rate"] and rng.random() < 0.15:
            keys[key] = rng.choice([0.25, 0.5, 1.0] + ([2.0, 4.0] if ticks % 4 == 0 else [2.0] if ticks % 2 == 0 else []))


# Congestion control and other restrictions on sources.


def no_control(case, rng):
    pass


def gcc(case, rng):
    case.keys.setdefault("congestion.kind", "gcc")
    case.keys["congestion.gcc_packets"] = rng.choice([1, 2, 5, 20, 50])
    if is_far(case) or rng.random() < 0.8:
        case.keys["congestion.gcc_period_cycles"] = rng.choice([100, 300] if is_far(case) else [2, 5, 20, 100, 300])


def switches_of_cells(case, rng):
    return case.catalogue.routers[case.catalogue.router(case.keys)]["controls_congestion"]


def window(case, rng):
    if switches_of_cells(case, rng):
        case.keys["congestion.kind"] = "windows"
        case.keys["congestion.window_cells"] = case.effective("packet.phits") * rng.choice([1, 2, 5])


def congestion(case, rng):
    if not switches_of_cells(case, rng):
        return
    kind = rng.choice([name for name in case.catalogue.congestion if name != "gcc"])
    case.keys["congestion.kind"] = kind
    if case.catalogue.congestion[kind]["needs_window"] or rng.random() < 0.2:
        case.keys["congestion.window_cells"] = case.effective("packet.phits") * rng.choice([1, 2, 5])
    if rng.random() < 0.1:
        gcc(case, rng)
    often = {"congestion.min_cells": [0, 4, 15], "congestion.max_cells": [16, 20, 64], "congestion.target_cycles": [10, 60, 300, 2000]}
    for key in case.catalogue.keys("congestion"):
        row = case.catalogue.settings[key]
        if kind not in row["kinds"] or (key not in often and rng.random() > 0.3):
            continue
        maker = MAKERS.get(key, lambda case, rng, row=row: value(row, rng))
        case.keys[key] = rng.choice(often[key]) if key in often else maker(case, rng)


def restrictions(case, rng):
    if not switches_of_cells(case, rng):
        case.keys[rng.choice(["router.ipr_fraction", "router.lbr_packets"])] = 1


CONTROLS = [no_control, no_control, no_control, gcc, gcc, window, congestion, congestion, restrictions]


# Workloads.


def workloads(catalogue):
    """Every kind of workload with every name that it knows."""
    known = [(kind, pattern) for kind in ("synthetic", "burst") for pattern in catalogue.patterns]
    known += [("kernel", name) for name in catalogue.kernels]
    known += [("collective", row["operation"], row["algorithm"]) for row in catalogue.collectives.values()]
    known += [("exchange", name) for name in [*catalogue.exchanges, "pairs"]]
    known += [("trace", name) for name in catalogue.formats]
    return known + [("jobs", "synthetic"), ("jobs", "burst")] * 2


def nodes(case):
    return case.network.nodes


# Keys of patterns that not any value fits.
PATTERN_MAKERS = {
    "workload.zipf_exponent": lambda case, rng: rng.choice([0.0, 0.5, 2.0, 10.0]),
    "workload.group_shift": lambda case, rng: rng.randint(1, 3),
    "workload.grid": lambda case, rng: [nodes(case)] if rng.random() < 0.5 or nodes(case) % 2 else [2, nodes(case) // 2],
}


def pattern_keys(case, rng):
    for key in case.catalogue.keys("workload"):
        setting = case.catalogue.settings[key]
        if case.keys.get("workload.pattern") in setting["kinds"] and rng.random() < 0.5:
            drawn = PATTERN_MAKERS[key](case, rng) if key in PATTERN_MAKERS else value(setting, rng)
            if drawn is not None:
                case.keys[key] = drawn


def lengths(case, rng):
    if not case.catalogue.routers[case.catalogue.router(case.keys)]["any_length"] or rng.random() > 0.3:
        return
    law, longest = rng.choice(list(case.catalogue.lengths)), case.effective("packet.phits")
    if law != "uniform" or rng.random() < 0.5:
        case.keys["workload.packet_length"] = law
    some = sorted(rng.randint(1, longest) for _ in range(2))
    drawn = {"workload.packet_cells": some, "workload.short_phits": some[0], "workload.long_phits": some[1], "workload.lengths_phits": some,
             "workload.length_weights": [rng.randint(0, 9), rng.randint(1, 9)], "workload.short_fraction": rng.random()}
    for key in case.catalogue.keys("workload"):
        if law in case.catalogue.settings[key]["kinds"]:
            case.keys[key] = drawn[key]


def synthetic(case, rng, pattern):
    case.keys["workload.kind"] = "synthetic"
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    lengths(case, rng)
    case.keys["workload.offered_load"] = rng.choice([0.05, 0.2, 0.2, 0.5, 1.0])
    if rng.random() < 0.15:
        case.keys["workload.source_queue"] = "unbounded"


def burst(case, rng, pattern):
    case.keys["workload.kind"] = "burst"
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    lengths(case, rng)
    case.keys["workload.burst_packets"] = rng.choice([1, 2, 5, 10, 40])
    if rng.random() < 0.3:
        case.keys["workload.bursts"] = rng.randint(1, 3)


def jobs(case, rng, kind):
    """Several jobs side by side."""
    {"synthetic": synthetic, "burst": burst}[kind](case, rng, "uniform")
    for key in ("workload.pattern", "workload.grid"):
        case.keys.pop(key, None)
    left, sizes = nodes(case), []
    while left >= 2 and len(sizes) < 3:
        sizes.append(rng.randint(2, left))
        left -= sizes[-1]
    case.keys["workload.job_nodes"] = sizes
    case.keys["workload.job_patterns"] = ", ".join(rng.choice(["uniform", "hot-spot", "zipf", "stencil"]) for _ in sizes)
    if rng.random() < 0.5:
        case.keys["workload.job_load_percent"] = [rng.choice([0, 50, 100]) for _ in sizes]
    placement(case, rng)


def placement(case, rng, tasks=None):
    keys, choice = case.keys, rng.choice(["consecutive"] * 3 + case.catalogue.settings["placement.policy"]["choices"])
    if choice == "consecutive":
        return
    keys["placement.policy"] = choice
    if choice == "file":
        places = [node for node in range(nodes(case)) for _ in range(keys.get("workload.tasks_per_node", 1))]
        rng.shuffle(places)
        count = tasks if tasks else len(places)
        lines = [f"{node} {task}" for task, node in enumerate(places[:count])]
        keys["placement.path"] = case.add_file("nodes.txt", "\n".join(lines))


def messages(case, rng):
    """What all workloads of tasks have."""
    keys = case.keys
    packet = case.effective("packet.phits") * case.effective("packet.phit_bytes")
    keys["workload.message_bytes"] = rng.choice([1, 1, max(1, packet // 2), packet, packet + 1, 3 * packet, 1000])
    if rng.random() < 0.25:
        keys["workload.tasks_per_node"] = rng.choice([2, 3, 4])
        if rng.random() < 0.5:
            keys["workload.local_latency_cycles"] = rng.choice([1, 10, 1000])
    for key in ("workload.turnaround_cycles", "workload.send_gap_cycles"):
        if rng.random() < 0.15:
            keys[key] = rng.choice([1, 5, 100])


def tasks_of(case, rng, counts):
    places = nodes(case) * case.keys.get("workload.tasks_per_node", 1)
    fitting = [count for count in counts if count <= places]
    count = rng.choice(fitting) if fitting and rng.random() < 0.8 else 0
    if count:
        case.keys["workload.tasks"] = count
    placement(case, rng, count)


def kernel(case, rng, name):
    keys, row = case.keys, case.catalogue.kernels[name]
    keys["workload.kind"], keys["workload.name"] = "kernel", name
    messages(case, rng)
    for switch in ("return_sweep", "wrap", "diagonals"):
        if row[switch] and rng.random() < 0.4:
            keys[f"workload.{switch}"] = True
    if row["dimensions"] and rng.random() < 0.5:
        keys["workload.dimensions"] = rng.choice(row["dimensions"])
    if rng.random() < 0.5:
        keys["workload.repetitions"] = rng.choice([1, 2, 3])
    tasks_of(case, rng, [4, 8, 9, 16, 27, 64])


def collective(case, rng, operation, algorithm):
    case.keys.update({"workload.kind": "collective", "workload.name": operation, "workload.algorithm": algorithm})
    messages(case, rng)
    if rng.random() < 0.3:
        case.keys["workload.repetitions"] = rng.choice([1, 2, 3])
    tasks_of(case, rng, [2, 4, 8, 16, *([] if rng.random() < 0.5 else [3, 5, 7, 12])])


def exchange(case, rng, name):
    keys = case.keys
    argument = case.catalogue.exchanges.get(name, {}).get("argument")
    keys["workload.kind"] = "exchange"
    keys["workload.name"] = f"{name}:{rng.choice([2, 4, 6])}" if argument else name
    messages(case, rng)
    if rng.random() < 0.3:
        keys["workload.both_ways"] = False
    if rng.random() < 0.3:
        keys["workload.repetitions"] = rng.choice([1, 2, 3])
    if name == "pairs":
        keys["workload.pairs"] = [node for _ in range(rng.randint(1, 4)) for node in rng.sample(range(nodes(case)), 2)]
        case.kept.add("workload.pairs")
        return
    tasks_of(case, rng, [2, 4, 6, 8, 16])


def trace(case, rng, trace_format):
    """Tasks that send to each other, receive and compute in an order in which nobody waits for himself."""
    keys = case.keys
    keys["workload.kind"] = "trace"
    messages(case, rng)
    keys.pop("workload.message_bytes")
    keys.pop("workload.repetitions", None)
    tasks = rng.randint(2, nodes(case) * keys.get("workload.tasks_per_node", 1))
    lines = []
    for number in range(rng.randint(1, 40)):
        sender, receiver = rng.sample(range(tasks), 2)
        size = rng.choice([0, 1, 64, 1000])
        lines += [f"s {sender} {receiver} {number % 3} {size}", f"r {sender} {receiver} {number % 3} {size}"]
        if rng.random() < 0.2:
            lines.append(f"c {rng.randrange(tasks)} {rng.choice([0, 1, 1000, 20000])}")
    keys["workload.path"] = case.add_file("trace.trc", "\n".join(lines))
    if rng.random() < 0.3:
        keys["workload.trace_format"] = trace_format
    if rng.random() < 0.4:
        keys["workload.mode"] = "at-will"
    if "simulation.tick_ps" not in keys and rng.random() < 0.5:
        keys["link.rate_gbps"] = 10.0
    if "link.rate_gbps" in keys and rng.random() < 0.7:
        keys["workload.cpu_scale"] = rng.choice([0.1, 1.0, 3.0])
    if rng.random() < 0.5:
        placement(case, rng)


WORKLOADS = {"synthetic": synthetic, "burst": burst, "kernel": kernel, "collective": collective, "exchange": exchange, "trace": trace,
             "jobs": jobs}  # fmt: skip


# How runs end. Those that end by themselves have a limit of simulated time: far rates and latencies make long runs.
FAR = 400_000


def is_synthetic(case):
    return case.keys["workload.kind"] == "synthetic"


def by_itself(case, rng):
    """After some cycles, or when the workload is done."""
    if is_synthetic(case):
        case.keys["simulation.cycles"] = rng.choice([100, 300, 800, 1500])
        if rng.random() < 0.2:
            case.keys["simulation.stop"] = "cycles"
    else:
        case.keys["simulation.max_cycles"] = FAR
        if rng.random() < 0.2:
            case.keys["simulation.stop"] = "workload-complete"
    if rng.random() < 0.05:
        case.keys["simulation.watchdog_cycles"] = rng.choice([1000, 100_000])


def cut_off(case, rng):
    """After some cycles, in the middle of whatever there is."""
    case.keys["simulation.cycles"] = rng.choice([1, 50, 200, 700])


def steady(case, rng):
    if not is_synthetic(case):
        return by_itself(case, rng)
    case.keys.update({"measure.warmup_cycles": rng.choice([0, 100, 300]), "measure.interval_cycles": rng.choice([50, 100]),
                      "measure.max_warmup_cycles": 800, "measure.batches": rng.choice([1, 2, 5]),
                      "measure.batch_cycles": rng.choice([50, 100, 200]), "simulation.max_cycles": FAR})  # fmt: skip
    if rng.random() < 0.2:
        case.keys["simulation.stop"] = "steady-state"
    if rng.random() < 0.3:
        case.keys["measure.tolerance_fraction"] = rng.choice([0.0, 0.2, 1.0])
        case.keys["measure.intervals"] = rng.choice([1, 2, 3])


def mser(case, rng):
    if not is_synthetic(case):
        return by_itself(case, rng)
    case.keys.update({"measure.method": "mser", "measure.interval_cycles": rng.choice([10, 20]), "measure.batches": rng.choice([2, 5]),
                      "measure.max_cycles": 1500, "measure.precision_fraction": rng.choice([0.02, 0.2])})  # fmt: skip


def several_seeds(case, rng):
    steady(case, rng)
    case.keys["measure.seeds"] = rng.choice([2, 3])


ENDINGS = [by_itself] * 6 + [cut_off, steady, mser, several_seeds]


# Faults.


def whole_network(case, rng):
    pass


def failed_links(case, rng):
    network = case.network
    joined = [router for router, links in network.links.items() if links]
    drawn = [rng.choice(joined) for _ in range(rng.randint(1, 2))] if joined else []
    if drawn:
        case.keys["faults.links"] = [number for router in drawn for number in (router, rng.choice(network.links[router])[0])]


def failed_routers(case, rng):
    case.keys["faults.routers"] = [rng.randrange(case.network.routers)]


def failed_nodes(case, rng):
    case.keys["faults.nodes"] = rng.sample(range(nodes(case)), rng.randint(1, max(1, nodes(case) // 4)))


def random_faults(case, rng):
    case.keys[rng.choice(["faults.random_links", "faults.random_nodes"])] = rng.randint(1, 2)
    if rng.random() < 0.5:
        case.keys["faults.seed"] = rng.randint(0, 9)


FAULTS = [whole_network] * 8 + [failed_links, failed_nodes, random_faults, failed_routers]


def is_far(case):
    """Whether something takes so long that a look at each cycle is no small matter."""
    settings = case.catalogue.settings
    return any(settings[key]["unit"] == "cycles" and value > 500 for key, value in case.keys.items() if key.startswith(("link.", "router.")))


def statistics(case, rng):
    keys = case.keys
    for key, row in case.catalogue.settings.items():
        if row["table"] != "statistics" or rng.random() < 0.6:
            continue
        if key == "statistics.events":
            keys[key] = "events.txt"
        elif key == "statistics.event_nodes":
            if "statistics.events" in keys:
                keys[key] = rng.sample(range(nodes(case)), rng.randint(1, 2))
        elif row["unit"] == "cycles":
            keys[key] = rng.choice([500, 1000, 5000]) if is_far(case) else rng.choice([1, 7, 50, 200, 1000])
        elif row["type"] == "integer":
            keys[key] = rng.choice([1, 20, 1000])
        else:
            keys[key] = value(row, rng)
