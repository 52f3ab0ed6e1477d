"""Latency of a lone packet, against the sum of what its path takes."""

import math
from fractions import Fraction

from attachment import Attachment
from trial import ending

MOST_CYCLES = 100_000_000


def rates(trial):
    """All given rates of links, phits a cycle."""
    return [value for key, value in trial.keys.items() if key.startswith("link.") and key.endswith("phits_per_cycle")]


NETWORK_TABLES = ("topology", "router", "nic", "deadlock", "ideal", "congestion", "link", "packet", "faults")


def with_workload(trial, workload, without=()):
    keep = {key for key in trial.keys if key.split(".")[0] in NETWORK_TABLES
            or key in ("simulation.tick_ps", "simulation.seed", "deadlock.unsafe")}
    drop = [key for key in trial.keys if key not in keep or key in without or key == "topology.planes"]
    return trial.config.but(workload, without=drop)


class Times:
    """Latencies and rates of a network, in cycles."""

    def __init__(self, trial):
        get = trial.effective
        keys = trial.keys
        tick_ns = keys.get("simulation.tick_ps", 0) / 1000
        self.cycle_ns = 8 * get("packet.phit_bytes") / keys["link.rate_gbps"] if "link.rate_gbps" in keys else tick_ns
        link = keys["link.latency_ns"] / self.cycle_ns if "link.latency_ns" in keys else get("link.latency_cycles")
        own = {key: get(key) for key in trial.catalogue.keys("link") if key.count(".") == 2}
        of_this = trial.catalogue.topologies[keys["topology.kind"]]["keys"]
        classes = {key: value for key, value in own.items() if value is not None
                   and (key.startswith("link.node.") or key in of_this)}
        self.link, self.node = link, classes.get("link.node.latency_cycles", link)
        self.links = [link] + [v for k, v in classes.items() if k.endswith("latency_cycles")
                               and not k.startswith("link.node.")]
        rate = get("link.phits_per_cycle")
        self.rates = [rate] + [v for k, v in classes.items() if k.endswith("phits_per_cycle")]
        self.switch = get("router.switch_latency_cycles")
        self.routing = get("router.routing_cycles")


def one_packet_bytes(trial):
    payload = (trial.effective("packet.phits")
               - trial.effective("packet.header_phits")) * trial.effective("packet.phit_bytes")
    return payload


def ideal_latency(trial, size):
    """L + 2 o + g + floor((s - 1) G) + 2 floor((s - 1) O), in ns: docs/ideal.md."""
    term = {key: Fraction(str(trial.effective(f"ideal.{key}")))
            for key in ("latency_ns", "overhead_ns", "gap_ns", "byte_gap_ns", "byte_overhead_ns")}
    unit = 1 if all(term[key].denominator == 1 for key in ("latency_ns", "overhead_ns", "gap_ns")) else 1000
    down = lambda ns: Fraction(math.floor(ns * unit), unit)  # noqa: E731
    processor = down(term["overhead_ns"]) + down((size - 1) * term["byte_overhead_ns"])
    whole = down(term["latency_ns"]) + 2 * processor + down(term["gap_ns"]) + down((size - 1) * term["byte_gap_ns"])
    return float(max(whole, Fraction(1, 1024)))


def expected_latency(trial, summary, phits, direct):
    """Least and most cycles that a packet alone may take over the links that it took."""
    t, h = Times(trial), int(summary["hops"])
    cell = [1 / rate for rate in t.rates]
    near, far = min(t.links), max(t.links)
    if trial.machine == "spinnaker":
        return [h * (x + t.switch + phits - 1) + phits - 1 for x in (near, far)]
    if trial.machine == "rotary":  # through one buffer a router at least, and never more than once round
        once, places = trial.effective("router.buffer_cycles"), 2 * 16 + 1
        return [h * (x + t.switch) + (h + 1) * buffers * once + phits - 1 for x, buffers in ((near, 1), (far, places))]
    if trial.machine not in ("switch", "wormhole"):
        over = h + (0 if direct else 2)
        return [h * x + (0 if direct else 2 * t.node) + over * t.switch + phits - 1 for x in (near, far)]
    ways = [2 * t.node + (h + 1) * (t.routing + t.switch) + h * x + (phits - 1) * c for x,
            c in ((near, min(cell)), (far, max(cell)))]
    if trial.machine == "wormhole":
        buffer = trial.effective("router.buffer_cells")
        round_trip = 2 * max(far, t.node) + t.switch + 2 + trial.effective("router.credit_cycles")
        if trial.effective("router.virtual_channels") > 1:
            allocation = trial.effective("router.vc_allocation_cycles")
            ways = [way + (h + 1) * (1 if allocation is None else allocation) for way in ways]
        most_stop = buffer - (round_trip - 2) / min(cell) - 1  # router.stop_cells = 0 stands for
        waiting = t.routing / min(cell) + 1  # cells that come in while a header is routed
        held_up = trial.effective("router.flow_control") == "stop-go" and (trial.effective("router.stop_cells") > 0
                                                                           or most_stop <= waiting)
        slow = math.inf if held_up or buffer < phits and buffer * min(cell) < round_trip else 0
        return [ways[0], ways[1] + slow]
    whole = trial.effective("router.switching") == "store-and-forward"
    if whole:  # routing may go on while the rest of the packet comes in
        return [ways[0] + (h + 1) * max(0, (phits - 1) * min(cell) - t.routing), ways[1] + (h + 1) * (phits - 1)
                * max(cell)]
    speedup = trial.effective("router.speedup")
    waits = [(h + 1) * (phits - 1) * (c - c / speedup) for c in (min(cell), max(cell))]
    if len(set(t.rates)) > 1:  # a packet waits where it goes on faster
        waits = [0, (h + 1) * (phits - 1) * max(cell)]
    return [ways[0] + waits[0], ways[1] + waits[1]]


def between_nodes(trial, rng, size):
    """One message between two nodes of the network: its config, and the nodes."""
    source, target = rng.sample(range(trial.network.nodes), 2)
    workload = {"workload.kind": "exchange", "workload.name": "pairs", "workload.pairs": [source, target],
                "workload.both_ways": False,
                "workload.message_bytes": size, "simulation.max_cycles": MOST_CYCLES}  # fmt: skip
    return with_workload(trial, workload), source, target


def nic_of_message(trial):
    """By which NIC the lone message goes, of task 0 to task 1."""
    return 1 if trial.effective("node.nic_policy") == "destination" else 0


def between_nics(trial, rng, size):
    """The same between two compute nodes; their NICs are nodes of the network, numbered as in a plane."""
    attachment, nic = Attachment.of(trial), nic_of_message(trial)
    source, target = rng.sample(range(attachment.nodes), 2)
    nodes = {key: value for key, value in trial.keys.items() if key.startswith("node.") or key == "topology.planes"}
    workload = {"workload.kind": "trace", "workload.path": "one.trc", "placement.policy": "file",
                "placement.path": "two.txt", **nodes,
                "simulation.max_cycles": MOST_CYCLES}  # fmt: skip
    config = with_workload(trial, workload)
    config.files = {**config.files, "one.trc": f"s 0 1 0 {size}\nr 0 1 0 {size}", "two.txt": f"{source} 0\n{target} 1"}
    return config, attachment.endpoint(source, nic), attachment.endpoint(target, nic)


def zero_load(trial):
    """One message of one packet between two nodes: latency to the cycle, distance no less than the graph says."""
    payload = one_packet_bytes(trial)
    if payload < 1 or trial.keys.get("router.routing") == "multicast":
        return
    rng = trial.rng("zero load")
    size = rng.choice([1, payload, rng.randint(1, payload)])
    config, source, target = between_nics(trial, rng, size) if trial.has_nics else between_nodes(trial, rng, size)
    outcome = trial.program.run(config)
    if not ending(trial, outcome, config):
        return
    summary = outcome.summary
    if summary["packets"]["delivered"] != 1:
        if not trial.faulty:
            trial.broken("zero load", f"one message of one packet, but {summary['packets']}", outcome, config)
        return
    fail = lambda what: trial.broken("zero load", f"node {source} to node {target}: {what}", outcome,
                                     config)  # noqa: E731
    network = trial.network
    row = trial.catalogue.routers[trial.router]
    phits = trial.effective("packet.phits")
    if row["any_length"]:
        phits = trial.effective("packet.header_phits") + -(-size // trial.effective("packet.phit_bytes"))
    links, least = summary["distance"]["mean"], 1 if trial.machine == "ideal" else network.distance(source, target)
    if links < least:
        fail(f"over {links} links, but they are {least} apart")
    if one_way := one_way_distance(trial, source, target):
        if links < one_way:
            fail(f"over {links} links, but {one_way} lead there, as links carry one way only")
    if trial.faulty or trial.effective("nic.dispersion") == "probing":
        return
    low, high, took = *expected_latency(trial, summary, phits, network.direct), summary["latency"]["mean"]
    if trial.keys.get("nic.routes_held"):  # docs/myrinet.md: the memory for routes is empty at first
        fetch = trial.keys.get("nic.route_fetch_cycles", 80)
        low, high = low + fetch, high + fetch
    if trial.machine == "ideal":  # messages go whole, and the formula ends when they have been taken in
        low = high = ideal_latency(trial, size)
        took = summary["task_finish_cycles"][target]
    if not low - 1e-6 <= took <= high + 1e-6:
        fail(f"{took} cycles over {summary['hops']} links between routers, expected {low}"
             + (f" to {high}" if high != low else ""))  # fmt: skip
    if trial.has_nics:
        # Its task has it in the cycle after its tail, having been told by another NIC than the first.
        path = 2 * trial.effective("node.nic_latency_cycles") if nic_of_message(trial) != 0 else 0
        finish = summary["latency"]["mean"] + 1 + path
        if abs(summary["task_finish_cycles"][1] - finish) > 1:
            fail(f"received in cycle {summary['task_finish_cycles'][1]}, expected {finish}: {path} of it between NICs")


def one_way_distance(trial, source, target):
    keys = trial.keys
    if not keys.get("topology.unidirectional") or keys["topology.kind"] != "torus" or "topology.open_dims" in keys:
        return None
    links = 0
    for size in keys["topology.dims"]:
        links += (target - source) % size  # of this dimension's coordinates
        source, target = source // size, target // size
    return links
