"""What a random configuration has besides its network and its workload: packets, links, congestion control, ends,
faults, statistics."""

from draw_workloads import is_synthetic
from draw_accelerators import LANES
from left_out import SET_TOGETHER
from makers import MAKERS
from trial import runs_tasks
from values import value, whole


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
            keys[key] = rng.choice([0.25, 0.5, 1.0] + ([2.0, 4.0] if ticks % 4 == 0 else [2.0] if ticks % 2 == 0
                                                       else []))


def no_control(case, rng):
    pass


def gcc(case, rng):
    case.keys.setdefault("congestion.kind", "gcc")
    if not switches_of_cells(case, rng) and case.keys["topology.kind"] != "ideal" and rng.random() < 0.3:
        case.keys["congestion.gcc_fraction"] = rng.choice([0.02, 0.1, 0.5])
    else:
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
    often = {"congestion.min_cells": [0, 4, 15], "congestion.max_cells": [16, 20, 64],
             "congestion.target_cycles": [10, 60, 300, 2000]}
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
# How runs end. Those that end by themselves have a limit of simulated time: far rates and latencies make long runs.
FAR = 400_000


def further(case):
    """Trainings go through hundreds of messages one after the other, and compute between them: more time, unless
    samples of each few cycles are kept."""
    keys = case.keys
    trains = any(key.endswith("workload.kind") and value == "training" for key, value in keys.items())
    if trains and "simulation.max_cycles" in keys and all(keys.get(f"statistics.{name}_cycles", FAR) >= 100
                                                          for name in ("series", "occupancy")):
        keys["simulation.max_cycles"] = 10 * FAR


def by_itself(case, rng):
    """After some cycles, or when the workload is done."""
    if "simulation.cycles" in case.keys:  # jobs that never end
        return
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
    case.keys.update({"measure.warmup_cycles": rng.choice([0, 100, 300]),
                      "measure.interval_cycles": rng.choice([50, 100]),
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
    case.keys.update({"measure.method": "mser", "measure.interval_cycles": rng.choice([10, 20]),
                      "measure.batches": rng.choice([2, 5]),
                      "measure.max_cycles": 1500, "measure.precision_fraction": rng.choice([0.02, 0.2])})  # fmt: skip
    if rng.random() < 0.3:
        case.keys["measure.confidence_percent"] = rng.choice([90.0, 99.0])


def several_seeds(case, rng):
    steady(case, rng)
    case.keys["measure.seeds"] = rng.choice([2, 3])
    if rng.random() < 0.5:
        case.keys["measure.confidence_percent"] = rng.choice([90.0, 99.0, 99.9])


ENDINGS = [by_itself] * 6 + [cut_off, steady, mser, several_seeds]


def whole_network(case, rng):
    pass


def failed_links(case, rng):
    network = case.network
    joined = [router for router, links in network.links.items() if links]
    drawn = [rng.choice(joined) for _ in range(rng.randint(1, 2))] if joined else []
    if drawn:
        case.keys["faults.links"] = [number for router in drawn
                                     for number in (router, rng.choice(network.links[router])[0])]


def failed_routers(case, rng):
    case.keys["faults.routers"] = [rng.randrange(case.network.routers)]


def failed_nodes(case, rng):
    case.keys["faults.nodes"] = rng.sample(range(case.network.nodes), rng.randint(1, max(1, case.network.nodes // 4)))


def random_faults(case, rng):
    case.keys[rng.choice(["faults.random_links", "faults.random_nodes"])] = rng.randint(1, 2)
    if rng.random() < 0.5:
        case.keys["faults.seed"] = rng.randint(0, 9)


def failures_during_the_run(case, rng):
    """Parts go down, and most come up again."""
    network, keys, events = case.network, case.keys, []
    part_of = drawn_node if network_is_ideal(case) else drawn_part
    for part in {part_of(network, rng) for _ in range(rng.randint(1, 3))}:
        begin = rng.randrange(1, 1500)
        events.append(f"{begin}cycles {part} down")
        if rng.random() < 0.8:
            events.append(f"{begin + rng.randrange(1, 1500)}cycles {part} up")
    slow = rng.choice([0, 0, 1, 2]) if links_change_rates(case) else 0
    keys["faults.event"] = "; ".join(events + changes_of_rate(network, rng, slow))
    if case.catalogue.router(case.keys) != "spinnaker":  # whatever waits too long is dropped
        keys["faults.cut_off"] = rng.choice(["drop", "drop", "wait", "wait", "stop"])
    if network_is_ideal(case) and keys["faults.cut_off"] == "wait":
        keys["faults.cut_off"] = "drop"


def network_is_ideal(case):
    return case.keys["topology.kind"] == "ideal"


def links_change_rates(case):
    return not network_is_ideal(case) and case.catalogue.router(case.keys) not in ("spinnaker", "rotary")


def drawn_node(network, rng):
    return f"node {rng.randrange(network.nodes)}"


def drawn_part(network, rng):
    joined = [router for router, links in network.links.items() if links]
    if joined and rng.random() < 0.6:
        router = rng.choice(joined)
        return f"link r{router}:{rng.choice(network.links[router])[0]}"
    return f"node {rng.randrange(network.nodes)}" if rng.random() < 0.5 else f"router {rng.randrange(network.routers)}"


def changes_of_rate(network, rng, links):
    """Of so many links, most of which get back what they had."""
    joined, events = [router for router, found in network.links.items() if found], {}
    for _ in range(links if joined else 0):
        router = rng.choice(joined)
        link = f"link r{router}:{rng.choice(network.links[router])[0]}"
        one_way = rng.choice(["", " one-way"])
        begin = rng.choice([0, rng.randrange(1, 1500)])
        events[begin] = f"{begin}cycles {link} rate {rng.choice([0.1, 0.3, 0.5, 0.75, 0.97])}{one_way}"
        if rng.random() < 0.7:
            end = begin + rng.randrange(1, 1500)
            events[end] = f"{end}cycles {link} rate {rng.choice([1, 1, 0.6])}{one_way}"
    return list(events.values())  # one at a time


def slow_links(case, rng):
    """Nothing fails."""
    events = changes_of_rate(case.network, rng, rng.randint(1, 4)) if links_change_rates(case) else []
    if events:
        case.keys["faults.event"] = "; ".join(events)


def drawn_failures(case, rng):
    """Of all parts of a class, and their repairs."""
    part = "nodes" if network_is_ideal(case) else rng.choice(["links", "routers", "nodes"])
    case.keys["faults.process"] = f"{part} mtbf {rng.randrange(500, 20000)}cycles mttr {rng.randrange(1, 500)}cycles"
    if rng.random() < 0.5:
        case.keys["faults.seed"] = rng.randint(0, 9)


DURING_THE_RUN = [failures_during_the_run, drawn_failures, slow_links]
FAULTS = [whole_network] * 8 + [failed_links, failed_nodes, random_faults, failed_routers, *DURING_THE_RUN]


def is_far(case):
    """Whether something takes so long that a look at each cycle is no small matter."""
    settings = case.catalogue.settings
    return any(settings[key]["unit"] == "cycles" and value > 500 for key, value in case.keys.items()
               if key.startswith(("link.", "router.")))


def statistics(case, rng):
    keys = case.keys
    for key, row in case.catalogue.settings.items():
        if row["table"] != "statistics" or rng.random() < 0.6:
            continue
        if key == "statistics.events":
            keys[key] = "events.txt"
        elif key == "statistics.matches":
            if runs_tasks(keys) and rng.random() < 0.3:
                keys[key] = "matches.txt"
        elif key == "statistics.departures":
            if "statistics.events" in keys:
                keys[key] = rng.choice([True, False])
        elif key == "statistics.queues":
            if keys.get("statistics.occupancy_cycles"):
                keys[key] = True
        elif key == "statistics.event_nodes":
            if "statistics.events" in keys:
                keys[key] = rng.sample(range(case.network.nodes), rng.randint(1, 2))
        elif key == "statistics.timeline":
            if runs_tasks(keys):
                keys[key] = rng.choice(["timeline.json", "timeline.pftrace"])
                if rng.random() < 0.5:
                    keys["statistics.timeline_tasks"] = rng.choice(["0", "all", [0]])
        elif key == "statistics.timeline_tasks":
            if keys.get("workload.kind") in LANES:
                keys[key] = [0]
        elif key.startswith("statistics.timeline") or key == "statistics.most_timeline":
            pass  # with a file
        elif row["unit"] == "cycles":
            keys[key] = rng.choice([500, 1000, 5000]) if is_far(case) else rng.choice([1, 7, 50, 200, 1000])
        elif row["type"] == "integer":
            keys[key] = rng.choice([1, 20, 1000])
        else:
            keys[key] = value(row, rng)
