"""What must hold whatever the configuration. Each check takes a case that ran, and raises Broken with what it found."""

import math
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

h5py, numpy = harness.module("h5py"), harness.module("numpy")


class Broken(Exception):
    """`rule`: which one; `command`: the run that shows it."""

    def __init__(self, rule, what, config, command):
        super().__init__(what)
        self.rule, self.config, self.command = rule, config, command


def runs_tasks(keys):
    return keys.get("workload.kind", "synthetic") not in ("synthetic", "burst")


class Trial:
    """A config that is looked at: its first run, and the means to make others."""

    def __init__(self, program, catalogue, config, seed=0):
        self.program, self.catalogue, self.config, self.seed = program, catalogue, config, seed
        self.network = self.base = None

    @property
    def keys(self):
        return self.config.keys

    def effective(self, key):
        return self.catalogue.effective(self.keys, key)

    def rng(self, use):
        return random.Random(f"{self.seed}/{use}")

    def broken(self, rule, what, outcome, config=None):
        raise Broken(rule, what, config or self.config, outcome.command)

    @property
    def router(self):
        return self.catalogue.router(self.keys)

    @property
    def machine(self):
        return self.catalogue.routers[self.router]["machine"]

    @property
    def faulty(self):
        return any(key.startswith("faults.") for key in self.keys)

    @property
    def runs_tasks(self):
        return runs_tasks(self.keys)

    @property
    def complete(self):
        return self.base is not None and self.base["stop_reason"] == "workload-complete"


# How a run may end.


def refusal(trial, outcome, config=None):
    """Exit code 2, one line "problem (why); suggestion"."""
    line = outcome.first_line
    if not re.fullmatch(r"weft: error( \[rank \d+\])?: [^\n]+", line) or not line.isprintable():
        trial.broken("refusal", f"a refusal without a line that says why: {outcome.error[:300]!r}", outcome, config)
    if "; " not in line:
        trial.broken("refusal", f"a refusal without a suggestion: {line}", outcome, config)
    if len(line) > 900:
        trial.broken("refusal", f"a refusal of {len(line)} characters: {line[:300]}...", outcome, config)


FAR = 100_000  # cycles: whoever sets the watchdog shorter gets what he asked for


def may_be_stuck(trial, error, config):
    """Exit code 4 is right where the config says that it may be so, or where what tasks wait for has been dropped."""
    keys = config.keys
    if keys.get("deadlock.unsafe") or keys.get("deadlock.check") == "off" or keys.get("simulation.watchdog_cycles", FAR) < FAR:
        return True
    lost = trial.faulty or trial.machine == "spinnaker"
    if lost and runs_tasks(keys) and "task" in error:
        return True
    # docs/faults.md: adaptive packets without an escape may wait for each other.
    return trial.faulty and trial.router not in ("infiniband", "forwarding-table", "source-route")


def ending(trial, outcome, config=None):
    """True if the run came to its end; false if it was refused or stuck by right."""
    if outcome.code == 0:
        return True
    if outcome.refused:
        refusal(trial, outcome, config)
        return False
    if outcome.endless:
        return False
    if outcome.code == 4 and may_be_stuck(trial, outcome.error, config or trial.config):
        return False
    names = {-24: "took too long", -11: "crashed (SIGSEGV)", -8: "crashed (SIGFPE)", -6: "was aborted", 4: "is stuck"}
    what = names.get(outcome.code, f"ended with exit code {outcome.code}")
    # The first word tells a deadlock from tasks that wait: what is made smaller stays the same failure.
    kind = re.sub(r"weft: error( \[rank \d+\])?: |[^a-z].*", "", outcome.first_line) if outcome.code == 4 else ""
    return trial.broken(f"ending: {what} {kind}".strip(), f"{what}: {outcome.error.strip()[:700]}", outcome, config)


# The same result however it was computed.


def physics(summary):
    """What depends on config and seed alone."""
    kept = {key: value for key, value in summary.items() if key not in ("engine", "ranks", "host", "started_at", "resumed_from_cycle")}
    kept["config"] = {table: keys for table, keys in summary["config"].items() if table not in ("parallel", "checkpoint")}
    return kept


def difference(a, b, path=""):
    """The first place at which two summaries differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            if a.get(key) != b.get(key):
                return difference(a.get(key), b.get(key), f"{path}.{key}" if path else key)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, (x, y) in enumerate(zip(a, b, strict=True)):
            if x != y:
                return difference(x, y, f"{path}[{place}]")
    return f"{path}: {str(b)[:120]} instead of {str(a)[:120]}"


def events_of(outcome):
    path = outcome.folder / "events.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def same(trial, outcome, what):
    if not ending(trial, outcome):
        trial.broken("same result", f"{what}: {outcome.first_line}", outcome)
    summary = outcome.summary
    if physics(summary) != physics(trial.base):
        # The digest tells a different history from figures that were gathered differently.
        rule = "same digest" if summary["digest"] != trial.base["digest"] else "same result"
        trial.broken(rule, f"{what}: {difference(physics(trial.base), physics(summary))}", outcome)
    if events_of(outcome) != trial.events:
        trial.broken("same result", f"{what}: another file of packet events", outcome)


def repetition(trial):
    """Another run of the same config: nothing may come from memory that was never written."""
    same(trial, trial.program.run(trial.config), "again")


def partitions(trial, rng, config_files, ranks):
    own = trial.catalogue.topologies[trial.keys["topology.kind"]]["partition"]
    choice = rng.choice(["auto", "metis", "block", "round-robin", "file", *([own] if own else [])])
    settings = [f"parallel.partition={choice}"]
    if choice == "file":
        parts = [*range(ranks), *(rng.randrange(ranks) for _ in range(trial.base["routers"] - ranks))]
        rng.shuffle(parts)
        config_files["ranks.txt"] = "\n".join(map(str, parts[: trial.base["routers"]]))
        settings.append("parallel.partition_path=ranks.txt")
    return settings


def several_ranks(trial):
    rng = trial.rng("ranks")
    ranks = rng.choice([2, 2, 3, 4])
    files = {}
    settings = [f"parallel.protocol={rng.choice(['windowed', 'null-message', 'auto'])}", *partitions(trial, rng, files, ranks)]
    config = trial.config.but()
    config.files = {**trial.config.files, **files}
    outcome = trial.program.run(config, ranks, settings)
    if outcome.code in (2, 3) and "rank" in outcome.first_line:  # more ranks than routers, a partition that has no such parts
        return refusal(trial, outcome, config) if outcome.refused else None
    return same(trial, outcome, f"{ranks} ranks, {', '.join(settings)}")


def resumed(trial):
    """A checkpoint in the middle, and on from there, now and then on other ranks."""
    if trial.keys.get("measure.seeds", 1) > 1 or trial.base["cycles"] < 2:
        return
    rng = trial.rng("resume")
    every = max(1, int(trial.base["cycles"] * rng.uniform(0.2, 0.9)))
    settings = ["checkpoint.path=run.ckpt.h5", f"checkpoint.every_cycles={every}"]
    first = trial.program.run(trial.config, settings=settings)
    same(trial, first, f"with a checkpoint each {every} cycles")
    if not (first.folder / "run.ckpt.h5").is_file():
        return
    ranks = 2 if rng.random() < 0.1 and trial.base["routers"] > 1 else 1
    more = [] if ranks == 1 else ["parallel.partition=metis", *(["parallel.rebalance_above=1.0"] if rng.random() < 0.5 else [])]
    second = trial.program.run(trial.config, ranks, [*settings, *more], ["--resume", "run.ckpt.h5"], room=first.folder)
    second.command = f"{first.command} && {second.command}"
    same(trial, second, f"resumed from a checkpoint, one each {every} cycles, on {ranks} ranks")


# Nothing is lost.


def conservation(trial, outcome):
    s, p = trial.base, trial.base["packets"]
    fail = lambda what: trial.broken("conservation", f"{what}: {p}", outcome)  # noqa: E731
    waiting = p["generated"] - p["injected"] - p["dropped_at_source"]
    if min(p.values()) < 0 or waiting < 0:
        fail("a count below zero")
    if p["injected"] + p["copies"] != p["delivered"] + p["dropped"] - p["dropped_at_source"] + p["in_flight"]:
        fail("injected packets are neither delivered nor dropped nor in flight")
    if not trial.faulty and p["dropped_at_source"]:
        fail("packets dropped at their source in a whole network")
    if not trial.faulty and p["dropped"] and trial.machine != "spinnaker":
        fail("packets dropped in a whole network")
    if trial.complete:
        if waiting or p["in_flight"]:
            fail("the workload is complete, but packets are left")
        if not p["dropped"] and s["messages"]["sent"] != s["messages"]["delivered"]:
            fail(f"the workload is complete, but messages are left: {s['messages']}")
    statistics = s.get("statistics", {})
    for rows, column, total in (("distances", "packets", p["delivered"]), ("series", "delivered_packets", p["delivered"]),
                                ("series", "dropped_packets", p["dropped"])):  # fmt: skip
        if trial.keys.get("measure.seeds", 1) == 1 and statistics.get(rows) and sum(r[column] for r in statistics[rows]) != total:
            fail(f"statistics.{rows}: {sum(r[column] for r in statistics[rows])} {column}")
    for column in ("generated", "injected", "delivered"):
        if s.get("traffic_classes") and sum(row[f"{column}_packets"] for row in s["traffic_classes"]) != p[column]:
            fail(f"traffic_classes do not add up: {column}")


def figures(trial, outcome):
    """Quantiles in order, shares between 0 and 1, means below maxima, names that can be read."""
    s = trial.base
    fail = lambda what: trial.broken("figures", what, outcome)  # noqa: E731
    latency = s["latency"]
    if s["packets"]["delivered"] and not s["measured"]:
        quantiles = [latency[key] for key in ("p50", "p90", "p99", "p999")]
        if quantiles != sorted(quantiles) or quantiles[-1] > latency["max"] * (1 + 1 / 32) + 1 or latency["mean"] > latency["max"]:
            fail(f"latency: {latency}")
        if s["distance"]["mean"] > s["distance"]["max"]:
            fail(f"distance: {s['distance']}")
    if s["load"]["accepted"] > bound_of_nodes(trial) * (1 + 1e-9) + slack_of_ends(trial):
        fail(f"accepts more than nodes can take: {s['load']}")
    dims = s["config"]["topology"].get("dims", [])
    for row in s.get("statistics", {}).get("busiest_links", []):
        name = row["link"]
        if not name.isprintable() or not re.search("[A-Za-z]", name):
            fail(f"a link with a name that nobody wrote: {name!r}")
        if dims and (found := re.search(r"dimension (\d+)", name)) and int(found[1]) >= len(dims):
            fail(f"a link that does not exist: {name} of dims = {dims}")
        if not 0 <= row["utilisation"] <= 1 + slack_of_ends(trial):  # a packet counts whole when it begins
            fail(f"a link is taken {row['utilisation']} of the time: {name}")


def rates(trial):
    """All given rates of links, phits a cycle."""
    return [value for key, value in trial.keys.items() if key.startswith("link.") and key.endswith("phits_per_cycle")]


def bound_of_nodes(trial):
    fast = max([1.0, *rates(trial)])
    if trial.keys.get("router.consumption") == "multiple":
        return math.inf
    return fast


def slack_of_ends(trial):
    """A packet that was in flight when counting began is accepted whole: one a node."""
    longest = trial.effective("packet.phits")
    cycles = trial.base["cycles"]
    if trial.base["measured"]:
        batches = trial.base["batches"]
        cycles = sum(row["end"] - row["begin"] for row in batches) if batches else cycles
    return longest / max(1, cycles)


# What is generated is the workload's affair.

CONTROL_KEYS = ("router.ipr_fraction", "router.lbr_packets")
BY_NETWORK = ("tornado", "next-group", "worst-case", "bridge")


def plain_crossbar(trial):
    """The same workload on one plain switch; None where it asks the network."""
    keys = trial.keys
    if trial.faulty or keys.get("placement.policy") == "round-robin" or trial.keys.get("router.routing") == "multicast":
        return None
    if keys.get("workload.pattern") in BY_NETWORK or keys.get("workload.name") in BY_NETWORK:
        return None
    kept = {key: value for key, value in keys.items() if key.split(".")[0] in ("workload", "placement", "simulation", "packet")}
    kept.pop("simulation.watchdog_cycles", None)
    kept["measure.seeds"] = keys.get("measure.seeds", 1)
    for key in ("packet.phits", "packet.phit_bytes", "packet.header_phits"):
        kept[key] = trial.effective(key)
    if not kept["packet.header_phits"]:
        del kept["packet.header_phits"]
    kept |= {key: keys[key] for key in ("link.rate_gbps",) if key in keys}
    kept |= {"topology.kind": "crossbar", "topology.nodes": trial.base["nodes"]}
    if "workload.packet_cells" in keys or "workload.packet_length" in keys:
        kept |= {"router.kind": "switch", "router.buffer_cells": max(64, kept["packet.phits"])}
    return trial.config.but(kept, without=[key for key in keys if key not in kept])


def uncontrolled(trial):
    controls = [key for key in trial.keys if key in CONTROL_KEYS or key.startswith("congestion.")]
    return trial.config.but(without=controls) if controls else None


def generated(trial):
    if not trial.complete:
        return
    base = trial.base
    for what, config in (("one plain switch", plain_crossbar(trial)), ("the same network without control of congestion", uncontrolled(trial))):
        if config is None:
            continue
        outcome = trial.program.run(config)
        if outcome.code != 0:
            if outcome.code not in (2, 4):
                ending(trial, outcome, config)
            continue
        other = outcome.summary
        if (base["packets"]["generated"], base["messages"]) != (other["packets"]["generated"], other["messages"]):
            trial.broken("generated", f"{base['packets']['generated']} packets and {base['messages']} messages are generated, but on {what} "
                         f"{other['packets']['generated']} and {other['messages']}", outcome)  # fmt: skip
        return


# A packet alone.

NETWORK_TABLES = ("topology", "router", "nic", "deadlock", "congestion", "link", "packet", "faults")


def with_workload(trial, workload, without=()):
    keep = {key for key in trial.keys if key.split(".")[0] in NETWORK_TABLES or key in ("simulation.tick_ps", "simulation.seed", "deadlock.unsafe")}
    drop = [key for key in trial.keys if key not in keep or key in without]
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
        classes = {key: value for key, value in own.items() if value is not None and (key.startswith("link.node.") or key in of_this)}
        self.link, self.node = link, classes.get("link.node.latency_cycles", link)
        self.links = [link] + [v for k, v in classes.items() if k.endswith("latency_cycles") and not k.startswith("link.node.")]
        rate = get("link.phits_per_cycle")
        self.rates = [rate] + [v for k, v in classes.items() if k.endswith("phits_per_cycle")]
        self.switch = get("router.switch_latency_cycles")
        self.routing = get("router.routing_cycles")


def one_packet_bytes(trial):
    payload = (trial.effective("packet.phits") - trial.effective("packet.header_phits")) * trial.effective("packet.phit_bytes")
    return payload


def expected_latency(trial, summary, phits, direct):
    """Least and most cycles that a packet alone may take over the links that it took."""
    t, h = Times(trial), int(summary["hops"])
    cell = [1 / rate for rate in t.rates]
    near, far = min(t.links), max(t.links)
    if trial.machine == "spinnaker":
        return [h * (x + t.switch + phits - 1) + phits - 1 for x in (near, far)]
    if trial.machine not in ("switch", "wormhole"):
        over = h + (0 if direct else 2)
        return [h * x + (0 if direct else 2 * t.node) + over * t.switch + phits - 1 for x in (near, far)]
    ways = [2 * t.node + (h + 1) * (t.routing + t.switch) + h * x + (phits - 1) * c for x, c in ((near, min(cell)), (far, max(cell)))]
    if trial.machine == "wormhole":
        buffer = trial.effective("router.buffer_cells")
        round_trip = 2 * max(far, t.node) + t.switch + 2
        most_stop = buffer - (round_trip - 2) / min(cell) - 1  # router.stop_cells = 0 stands for
        waiting = t.routing / min(cell) + 1  # cells that come in while a header is routed
        held_up = trial.effective("router.flow_control") == "stop-go" and (trial.effective("router.stop_cells") > 0 or most_stop <= waiting)
        slow = math.inf if held_up or buffer < phits and buffer * min(cell) < round_trip else 0
        return [ways[0], ways[1] + slow]
    whole = trial.effective("router.switching") == "store-and-forward"
    if whole:  # routing may go on while the rest of the packet comes in
        return [ways[0] + (h + 1) * max(0, (phits - 1) * min(cell) - t.routing), ways[1] + (h + 1) * (phits - 1) * max(cell)]
    speedup = trial.effective("router.speedup")
    waits = [(h + 1) * (phits - 1) * (c - c / speedup) for c in (min(cell), max(cell))]
    if len(set(t.rates)) > 1:  # a packet waits where it goes on faster
        waits = [0, (h + 1) * (phits - 1) * max(cell)]
    return [ways[0] + waits[0], ways[1] + waits[1]]


def zero_load(trial):
    """One message of one packet between two nodes: latency to the cycle, distance no less than the graph says."""
    payload = one_packet_bytes(trial)
    nodes = [node for node in range(trial.base["nodes"])]
    if payload < 1 or trial.keys.get("router.routing") == "multicast":
        return
    rng = trial.rng("zero load")
    source, target = rng.sample(nodes, 2)
    size = rng.choice([1, payload, rng.randint(1, payload)])
    config = with_workload(trial, {"workload.kind": "exchange", "workload.name": "pairs", "workload.pairs": [source, target],
                                   "workload.both_ways": False, "workload.message_bytes": size, "simulation.max_cycles": 100_000_000})  # fmt: skip
    outcome = trial.program.run(config)
    if not ending(trial, outcome, config):
        return
    summary = outcome.summary
    if summary["packets"]["delivered"] != 1:
        if not trial.faulty:
            trial.broken("zero load", f"one message of one packet, but {summary['packets']}", outcome, config)
        return
    fail = lambda what: trial.broken("zero load", f"node {source} to node {target}: {what}", outcome, config)  # noqa: E731
    network = trial.network
    row = trial.catalogue.routers[trial.router]
    phits = trial.effective("packet.phits")
    if row["any_length"]:
        phits = trial.effective("packet.header_phits") + -(-size // trial.effective("packet.phit_bytes"))
    links, least = summary["distance"]["mean"], network.distance(source, target)
    if links < least:
        fail(f"over {links} links, but they are {least} apart")
    if one_way := one_way_distance(trial, source, target):
        if links < one_way:
            fail(f"over {links} links, but {one_way} lead there, as links carry one way only")
    if trial.faulty or trial.effective("nic.dispersion") == "probing":
        return
    low, high = expected_latency(trial, summary, phits, network.direct)
    if not low - 1e-6 <= summary["latency"]["mean"] <= high + 1e-6:
        fail(f"{summary['latency']['mean']} cycles over {summary['hops']} links between routers, expected {low}"
             + (f" to {high}" if high != low else ""))  # fmt: skip


def one_way_distance(trial, source, target):
    keys = trial.keys
    if not keys.get("topology.unidirectional") or keys["topology.kind"] != "torus" or "topology.open_dims" in keys:
        return None
    links = 0
    for size in keys["topology.dims"]:
        links += (target - source) % size  # of this dimension's coordinates
        source, target = source // size, target // size
    return links


# Beyond saturation.

SATURATED_CYCLES, LONG = 4000, 10
# Sources are not alike where these choose the way by their number, or once for a pair.
BY_SOURCE = {"s-mod-k", "static", "4mesh", "by-source"}


def sources_are_alike(trial):
    keys = trial.keys
    if trial.network.direct or trial.faulty:
        return False
    if str(keys.get("router.routing")).split(":")[-1] in BY_SOURCE:
        return False
    if str(keys.get("router.routing")).split(":")[0] in ("source-route", "indirect-cube") or trial.router in ("source-route", "indirect-cube"):
        return False
    if keys.get("router.route_per") == "flow" or trial.effective("nic.dispersion") not in ("none", "random"):
        return False
    if "static" in str(keys.get("router.class_modes")) or "s-mod-k" in str(keys.get("router.class_modes")):
        return False
    # Myrinet's usual routes are of source-route outside of trees.
    if trial.router == "myrinet" and trial.catalogue.effective(keys, "router.routing") in ("source-route", "auto"):
        return False
    return keys.get("congestion.kind", "none") == "none"


def saturation(trial):
    """Uniform traffic of load 1: accepted below the bound of the topology, and nodes of one switch get the same."""
    keys = trial.keys
    if keys.get("router.routing") == "multicast":
        return
    slow = Times(trial)
    if max([*slow.links, slow.node]) > 200:
        return
    cycles = max(SATURATED_CYCLES, 60 * trial.effective("packet.phits"))
    # Congestion comes and goes slowly, and packets that have far to go are the last to arrive: only what lasts is wrong.
    for length in (cycles, LONG * cycles):
        config = saturated(trial, length)
        room = trial.program.room()
        outcome = trial.program.run(config, more=["--out", "result.h5"], room=room)
        if not ending(trial, outcome, config):
            return
        found = above_bound(trial, outcome.summary) or (sources_are_alike(trial) and unequal_shares(trial, room / "result.h5"))
        if not found:
            return
    trial.broken(*found, outcome, config)


def above_bound(trial, summary):
    """What is wrong with the accepted load; None if nothing is."""
    keys = trial.keys
    if trial.faulty or any(key.startswith("link.node.") for key in keys) or keys.get("router.consumption") == "multiple":
        return None
    bound = trial.network.facts["uniform_load_bound"] * max([1.0, *rates(trial)])
    accepted, packets = summary["load"]["accepted"], summary["packets"]
    # What is still in flight has further to go than what was delivered.
    late = packets["in_flight"] * trial.effective("packet.phits") / (summary["nodes"] * summary["cycles"])
    if accepted <= bound * (1 + 4 / math.sqrt(max(1, packets["delivered"]))) + late:
        return None
    return "load bound", f"accepts {accepted} of uniform traffic, but the bound is {bound}"


def saturated(trial, cycles):
    return with_workload(trial, {"workload.kind": "synthetic", "workload.pattern": "uniform", "workload.offered_load": 1.0,
                                 "simulation.cycles": cycles})  # fmt: skip


def unequal_shares(trial, path):
    """What is wrong with what the nodes of a switch inject; None if they are alike."""
    with h5py.File(path) as result:
        column = next(name for name in ("injected_packets", "injected_cells") if len(result.get(f"nodes/{name}", ())))
        counts = numpy.array(result[f"nodes/{column}"], dtype=float)
    if column == "injected_cells":
        counts /= trial.effective("packet.phits")
    alone = trial.network.routers == 1
    for router, nodes in trial.network.nodes_of().items():
        share = counts[nodes]
        mean = share.mean()
        if len(nodes) < 2 or mean < 20:
            continue
        # One switch: chance and 5 %. Several: what comes by from other switches differs from time to time.
        allowed = (0.05 if alone else 0.25) + 4 / math.sqrt(mean)
        if max(abs(share - mean)) > allowed * mean:
            listed = ", ".join(f"{count:.0f}" for count in share)
            return "equal shares", f"nodes of router {router} inject {listed} packets, all alike within {allowed:.0%} expected"
    return None


CHECKS = {"repetition": repetition, "several ranks": several_ranks, "resumed": resumed, "generated": generated, "zero load": zero_load,
          "saturation": saturation}  # fmt: skip
