"""The workloads of random configurations."""

from left_out import SET_TOGETHER
from values import value


def workloads(catalogue):
    """Every kind of workload with every name that it knows."""
    known = [(kind, pattern) for kind in ("synthetic", "burst") for pattern in catalogue.patterns]
    known += [("kernel", name) for name in catalogue.kernels]
    known += [("collective", row["operation"], row["algorithm"]) for row in catalogue.collectives.values()]
    known += [("exchange", name) for name in [*catalogue.exchanges, "pairs"]]
    known += [("trace", name) for name in catalogue.record_formats()]
    known += [("by_rows", kind) for kind in catalogue.workloads if kind not in WORKLOADS]
    return known + [("jobs", "synthetic"), ("jobs", "burst")] * 2


def nodes(case):
    """Those that tasks and sources are on."""
    return case.nodes


# Keys of patterns that not any value fits.
PATTERN_MAKERS = {
    "workload.zipf_exponent": lambda case, rng: rng.choice([0.0, 0.5, 2.0, 10.0]),
    "workload.group_shift": lambda case, rng: rng.randint(1, 3),
    "workload.grid": lambda case, rng: [nodes(case)] if rng.random() < 0.5 or nodes(case) % 2 else [2, nodes(case) // 2],
}


def pattern_keys(case, rng):
    for key in case.catalogue.keys("workload"):
        setting = case.catalogue.settings[key]
        if key in case.catalogue.patterns[case.keys["workload.pattern"]]["keys"] and rng.random() < 0.5:
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
    for key in case.catalogue.keys("placement"):
        setting = case.catalogue.settings[key]
        if choice in setting["kinds"] and not setting["path"]:
            keys[key] = rng.randint(0, 2 * nodes(case)) if key == "placement.shift_nodes" else value(setting, rng)
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
        if rng.random() < 0.5 and "node.path_latency_ns" not in keys:
            keys["workload.local_latency_cycles"] = rng.choice([1, 10, 1000])
    for key in ("workload.turnaround_cycles", "workload.send_gap_cycles"):
        if rng.random() < 0.15:
            keys[key] = rng.choice([1, 5, 100])
    if rng.random() < 0.15:
        keys["workload.matching"] = rng.choice(["auto", "order", "length"])
    if rng.random() < 0.15 and case.effective("topology.kind") != "ideal":
        keys["workload.rendezvous_bytes"] = rng.choice([1, packet, 500])


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
    tasks_of(case, rng, [4, 6, 8, 9, 12, 16, 27, 30, 64])
    kernel_keys(case, rng, row)


def kernel_keys(case, rng, row):
    """The kernel's own keys, and its shape where there are so many tasks."""
    keys, own = case.keys, {}
    dimensions = keys.get("workload.dimensions", row["dimensions"][0] if row["dimensions"] else 0)
    tasks = keys.get("workload.tasks", nodes(case) * keys.get("workload.tasks_per_node", 1))
    sides = shape(tasks, dimensions, rng) if dimensions else []
    if sides and "workload.tasks" in keys and rng.random() < 0.5:
        keys["workload.shape"] = sides
    elif dimensions == 2:
        least = max(side for side in range(1, tasks + 1) if tasks % side == 0 and side * side <= tasks)
        sides = [tasks // least, least]
    timed = keys["topology.kind"] == "ideal"
    if "workload.compute_ns" in row["keys"] and not timed and "simulation.tick_ps" not in keys and rng.random() < 0.6:
        keys["link.rate_gbps"] = 10.0
    for key in row["keys"]:
        if rng.random() < 0.5 or row["own_sizes"] and key in ("workload.block", "workload.points"):
            own[key] = KERNEL_MAKERS[key](sides, rng) if key in KERNEL_MAKERS else value(case.catalogue.settings[key], rng)
    if row["name"] == "sweep3d":
        own["workload.block"].append(rng.randint(1, 12))
    if not timed and "link.rate_gbps" not in keys:
        own.pop("workload.compute_ns", None)
    elif {"workload.overlap", "workload.service"} & set(own):
        own.setdefault("workload.compute_ns", 500)
    if "workload.compute_ns" not in own:
        for key in ("workload.overlap", "workload.service"):
            own.pop(key, None)
    if "workload.block" not in own and not row["own_sizes"]:
        for key in ("workload.width", "workload.element_bytes"):
            own.pop(key, None)
    keys.update(own)
    if row["own_sizes"] or "workload.block" in own:
        keys.pop("workload.message_bytes", None)


def shape(tasks, dimensions, rng):
    """Factors of a number of tasks, one for each dimension."""
    sides = []
    for _ in range(dimensions - 1):
        sides.append(rng.choice([side for side in range(1, tasks + 1) if tasks % side == 0]))
        tasks //= sides[-1]
    return [*sides, tasks]


def points(sides, rng):
    """Of an FFT of tasks in rows and columns: as many as tasks in each dimension, or a few more."""
    return [max(4, side) * rng.choice([1, 1, 2]) + rng.choice([0, 1]) for side in (sides[0], max(sides), sides[1])]


# Own keys of kernels that not any value fits, or of which large ones take long; by the shape of the tasks.
KERNEL_MAKERS = {
    "workload.block": lambda sides, rng: [rng.randint(2, 12) for _ in sides],
    "workload.points": points,
    "workload.width": lambda sides, rng: rng.randint(1, 2),
    "workload.compute_ns": lambda sides, rng: rng.choice([1, 100, 5000]),
    "workload.levels": lambda sides, rng: rng.randint(0, 2),
    "workload.k_block": lambda sides, rng: rng.randint(1, 12),
    "workload.element_bytes": lambda sides, rng: rng.choice([1, 8, 13]),
    "workload.result_bytes": lambda sides, rng: rng.choice([1, 64, 1000]),
    "workload.smoothing": lambda sides, rng: rng.randint(1, 2),
}


def collective(case, rng, operation, algorithm):
    case.keys.update({"workload.kind": "collective", "workload.name": operation, "workload.algorithm": algorithm})
    messages(case, rng)
    row = case.catalogue.collectives[f"{operation} {algorithm}"]
    if not row["data"]:
        case.keys.pop("workload.message_bytes")
    if row["segments"] and rng.random() < 0.7:
        case.keys["workload.segment_bytes"] = rng.choice([10, 16, 100, 300])
    if row["radix"] and rng.random() < 0.7:
        case.keys["workload.radix"] = rng.choice([2, 3, 5, 100])
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


def by_rows(case, rng, kind):
    """A kind that nothing here knows: its keys as their rows say."""
    case.keys["workload.kind"] = kind
    for key in case.catalogue.workloads[kind]["keys"]:
        drawn = value(case.catalogue.settings[key], rng) if key not in SET_TOGETHER and rng.random() < 0.5 else None
        if drawn is not None:
            case.keys[key] = drawn
    placement(case, rng, case.keys.get("workload.tasks"))


WORKLOADS = {"synthetic": synthetic, "burst": burst, "kernel": kernel, "collective": collective, "exchange": exchange, "trace": trace,
             "jobs": jobs, "by_rows": by_rows}  # fmt: skip


def is_synthetic(case):
    return case.keys.get("workload.kind") == "synthetic"
