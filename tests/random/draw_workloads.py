"""The workloads of random configurations."""

import call_traces
import trace_files
from draw_accelerators import ACCELERATORS
from left_out import SET_TOGETHER
from values import value


def workloads(catalogue):
    """Every kind of workload with every name that it knows; kernels, which have most keys, twice."""
    known = [(kind, pattern) for kind in ("synthetic", "burst", "flows") for pattern in catalogue.patterns]
    known += [("reactive", pattern) for pattern in ("uniform", "local", "stencil", "hot-spot")]
    known += [("kernel", name) for name in catalogue.kernels] * 2
    known += [("collective", row["operation"], row["algorithm"]) for row in catalogue.collectives.values()]
    known += [("nccl", name) for name in catalogue.accelerators]
    known += [("training",)] * 4
    known += [("exchange", name) for name in [*catalogue.exchanges, "pairs"]]
    known += [("trace", name) for name in catalogue.record_formats()]
    known += [(kind,) for kind in ACCELERATORS]
    known += [("sparse-matrix",), ("storage",)] * 2
    known += [("by_rows", kind) for kind in catalogue.workloads if kind not in WORKLOADS]
    return known + [("jobs", "synthetic"), ("jobs", "burst")] * 2


def nodes(case):
    """Those that tasks and sources are on."""
    return case.nodes


def traffic_matrix(case, rng):
    """Whole or sparse, with some sources that send nothing."""
    count = nodes(case)
    weights = [[rng.choice([0, 0, 1, 0.25, 1e-6]) for _ in range(count)] for _ in range(count)]
    weights[0][count - 1] = 1
    rows = [" ".join(map(str, row)) for row in weights]
    if rng.random() < 0.5 and count != 3:
        rows = [f"{a} {b} {weight}" for a, row in enumerate(weights) for b, weight in enumerate(row)]
        rng.shuffle(rows)
    return case.add_file("traffic.txt", "\n".join(rows))


def region(case, rng):
    first = rng.randrange(nodes(case))
    return f"{first}:{rng.randint(1, nodes(case) - first)}:{rng.choice([0, 0.1, 0.25, 0.5])}"


# Keys of patterns that not any value fits.
PATTERN_MAKERS = {
    "workload.hot_node": lambda case, rng: rng.randrange(nodes(case)),
    "workload.matrix_path": traffic_matrix,
    "workload.distances_path": lambda case, rng: case.add_file("distances.txt", "1 1\n2 0.5\n3 4\n4 1\n900 1"),
    "workload.population_path": lambda case, rng: case.add_file("population.txt",
                                                                "\n".join(str(rng.randint(0, 9)) for _ in range(9))
                                                                + "\n2\n3"),
    "workload.regions": lambda case, rng: ", ".join(region(case, rng) for _ in range(rng.randint(1, 2))),
    "workload.zipf_exponent": lambda case, rng: rng.choice([0.0, 0.5, 2.0, 10.0]),
    "workload.group_shift": lambda case, rng: rng.randint(1, 3),
    "workload.shift_nodes": lambda case, rng: rng.randint(1, 7),
    "workload.phase_patterns": lambda case, rng: ", ".join(rng.choice(["uniform", "distribution", "zipf", "hot-spot"])
                                                           for _ in range(rng.randint(1, 3))),
    "workload.grid": lambda case, rng: [nodes(case)] if rng.random() < 0.5 or nodes(case) % 2
    else [2, nodes(case) // 2],
}


def pattern_keys(case, rng):
    for key in case.catalogue.keys("workload"):
        setting = case.catalogue.settings[key]
        needed = setting["path"] or key == "workload.regions"
        if key in case.catalogue.patterns[case.keys["workload.pattern"]]["keys"] and (needed or rng.random() < 0.5):
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
    drawn = {"workload.packet_cells": some, "workload.short_phits": some[0], "workload.long_phits": some[1],
             "workload.lengths_phits": some,
             "workload.lengths_path": lambda: case.add_file("lengths.txt", f"{some[0]} 2.5\n{some[1]} 1"),
             "workload.length_weights": [rng.randint(0, 9), rng.randint(1, 9)], "workload.short_fraction": rng.random()}
    for key in case.catalogue.keys("workload"):
        if law in case.catalogue.settings[key]["kinds"] and key in drawn:
            case.keys[key] = drawn[key]() if callable(drawn[key]) else drawn[key]


def synthetic(case, rng, pattern):
    case.keys["workload.kind"] = "synthetic"
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    lengths(case, rng)
    case.keys["workload.offered_load"] = rng.choice([0.05, 0.2, 0.2, 0.5, 1.0])
    arrivals(case, rng, case.keys["workload.offered_load"])
    if rng.random() < 0.25:
        case.keys["workload.source_queue"] = rng.choice(["unbounded", "lossy"])


def arrivals(case, rng, load):
    """A law of arrivals with its keys; of on periods that leave time for the load."""
    phased = case.keys.get("workload.pattern") == "phases"
    if rng.random() < 0.6 and not phased:
        return
    law = case.keys["workload.arrivals"] = "phases" if phased else rng.choice(list(case.catalogue.arrivals))
    on = rng.choice([1.0, 7.5, 50.0, 300.0])
    drawn = {"workload.on_cycles": on, "workload.off_cycles": float(int(on * (1 / load - 1)
                                                                        * rng.choice([0, 0.3, 0.9]))),
             "workload.hurst": rng.choice([0.55, 0.8, 0.95]), "workload.train_packets": rng.choice([1, 3, 20]),
             "workload.phase_cycles": [rng.choice([1, 50, 400]) for _ in range(2)],
             "workload.phase_levels": [1, 1] if load > 0.5 else rng.choice([[1, 0], [2, 1], [1, 1]]),
             "workload.gaps_path": lambda: case.add_file("gaps.txt", "1 3\n20 1\n300 0.25")}
    for key in case.catalogue.arrivals[law]["keys"]:
        case.keys[key] = drawn[key]() if callable(drawn[key]) else drawn[key]


def reactive(case, rng, pattern):
    case.keys["workload.kind"] = "reactive"
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    lengths(case, rng)
    case.keys["workload.offered_load"] = rng.choice([0.05, 0.2, 0.5])
    arrivals(case, rng, case.keys["workload.offered_load"])
    case.keys.update(rng.choice([{"workload.trigger_fraction": 0.0}, {"workload.trigger_fraction": 0.9}, {},
                                 {"workload.trigger_fraction": 0.3, "workload.trigger_least": 2,
                                  "workload.trigger_most": 4},
                                 {"workload.trigger_to": "source", "workload.trigger_fraction": 1.0}]))


def flows(case, rng, pattern):
    case.keys["workload.kind"] = "flows"
    packet = case.effective("packet.phits") * case.effective("packet.phit_bytes")
    if rng.random() < 0.3:
        case.keys["workload.tasks_per_node"] = 2
        pattern = "uniform" if pattern not in ("hot-spot", "zipf") else pattern
    if rng.random() < 0.2 and "link.rate_gbps" in case.keys and not several_of_a_node(case):
        pairs = [rng.sample(range(nodes(case)), 2) for _ in range(rng.randint(1, 20))]
        lines = [f"{rng.randint(0, 3000)} {a} {b} {rng.choice([1, packet, 5 * packet])}" for a, b in pairs]
        if rng.random() < 0.5:
            lines = [f"Nodes {nodes(case)}",
                     f"Connections {len(pairs)}"] + [f"{a}->{b} id {k + 1} start {1000 * k} size {packet}"
                                                                            for k, (a, b) in enumerate(pairs)]
        case.keys["workload.flows_path"] = case.add_file("flows.txt", "\n".join(lines))
        return
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    case.keys["workload.offered_load"] = rng.choice([0.1, 0.5, 1.0])
    case.keys["workload.flows"] = rng.choice([1, 10, 60])
    if rng.random() < 0.3:
        case.keys["workload.flow_order"] = "in-turn"
    if rng.random() < 0.3:
        case.keys["workload.flow_cycles"] = rng.choice([500, 3000])
    sizes = case.keys["workload.flow_sizes"] = rng.choice(case.catalogue.settings["workload.flow_sizes"]["choices"])
    if sizes == "fixed":
        case.keys["workload.flow_bytes"] = rng.choice([1, packet, 3 * packet + 1])
    elif sizes == "file":
        case.keys["workload.flow_sizes_path"] = case.add_file("sizes.txt", f"1 0.2\n{packet} 0.5\n{4 * packet} 1")
    else:
        case.keys["workload.flow_scale"] = {"web-search": 1e-4, "hadoop": 1e-3, "data-mining": 5e-6}[sizes]
    if "link.rate_gbps" in case.keys and rng.random() < 0.2:
        del case.keys["workload.offered_load"]
        case.keys["workload.flow_interval_ns"] = rng.choice([100.0, 2000.0])
    placement(case, rng)


def several_of_a_node(case):
    """Also of a job, whose tasks are fewer than its nodes."""
    return case.keys.get("workload.tasks_per_node", 1) > 1 or getattr(case, "compute_nodes", True)


def burst(case, rng, pattern):
    case.keys["workload.kind"] = "burst"
    case.keys["workload.pattern"] = pattern
    pattern_keys(case, rng)
    lengths(case, rng)
    case.keys["workload.burst_packets"] = rng.choice([1, 2, 5, 10, 40])
    case.keys["workload.burst_load"] = rng.choice([0.0, 0.0, 0.3, 1.0, 4.0])
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
    case.keys["workload.job_patterns"] = ", ".join(rng.choice(["uniform", "hot-spot", "zipf", "stencil"])
                                                   for _ in sizes)
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
    if choice == "mapped":
        keys["placement.map_effort"] = rng.choice([0, 1, 3])
        if keys.get("workload.kind", "synthetic") in ("synthetic", "burst", "reactive") or rng.random() < 0.2:
            keys["placement.matrix_path"] = case.add_file("tasks.csv", "from,to,bytes\n0,1,8\n1,0,1000")
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
        keys["workload.matching"] = rng.choice(["auto", "order", "length", "size", "tag-order"])
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
        likely = 0.9 if case.catalogue.settings[key].get("choices") else 0.5
        if rng.random() < likely or row["own_sizes"] and key in ("workload.block", "workload.points"):
            own[key] = KERNEL_MAKERS[key](sides, rng) if key in KERNEL_MAKERS else value(case.catalogue.settings[key],
                    rng)
    if row["name"] == "sweep3d":
        own["workload.block"].append(rng.randint(1, 12))
    if not timed and "link.rate_gbps" not in keys:
        own.pop("workload.compute_ns", None)
    elif {"workload.overlap", "workload.service"} & set(own):
        own.setdefault("workload.compute_ns", 500)
    if own.get("workload.ring") == "half":
        own.pop("workload.overlap", None)
    else:
        own.pop("workload.force_bytes", None)
    if "workload.compute_ns" not in own:
        for key in ("workload.overlap", "workload.service"):
            own.pop(key, None)
    if not keys.get("workload.diagonals"):
        own.pop("workload.diagonal_neighbours", None)
    if own.get("workload.exchange") != "waves":
        own.pop("workload.wave_messages", None)
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
    "workload.order": lambda sides, rng: rng.randint(1, 5),
    "workload.backward": lambda sides, rng: rng.randint(0, 2),
    "workload.reduction": lambda sides, rng: rng.choice(["auto", "recursive-doubling", "ring", "rabenseifner",
                                                         "reduce-broadcast"]),
    "workload.reduction_steps": lambda sides, rng: rng.randint(1, 3),
    "workload.bodies": lambda sides, rng: rng.randint(1, 20),
    "workload.body_bytes": lambda sides, rng: rng.choice([1, 32, 56]),
    "workload.force_bytes": lambda sides, rng: rng.choice([1, 24]),
    "workload.matrix_order": lambda sides, rng: rng.choice([64, 100, 130]),
    "workload.panel": lambda sides, rng: rng.choice([8, 16, 50]),
    "workload.mappers": lambda sides, rng: rng.choice([0, 1, 3]),
    "workload.degree": lambda sides, rng: rng.choice([1, 3, 6]),
    "workload.edges": lambda sides, rng: rng.choice([1, 1000, 9999]),
    "workload.edge_bytes": lambda sides, rng: rng.choice([1, 8]),
    "workload.levels_percent": lambda sides, rng: rng.choice([[100], [2, 0, 98], [10, 20, 70]]),
    "workload.wave_messages": lambda sides, rng: rng.choice([1, 5, 30]),
    "workload.request_bytes": lambda sides, rng: rng.choice([0, 1, 64, 1000]),
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
    if row["nodes"] and rng.random() < 0.8:
        case.keys["workload.node_tasks"] = rng.choice([1, 2])
    if row["switches"] and rng.random() < 0.8:
        case.keys["workload.switch_tasks"] = rng.choice([1, 2, 3, 4, 100])
    if row["combines"] and "link.rate_gbps" in case.keys and rng.random() < 0.3:
        case.keys["workload.combine_ns_per_byte"] = rng.choice([0.1, 1.0, 3.7])
    if row["usual"] and rng.random() < 0.4:
        case.keys["workload.algorithm"] = "auto"
        case.keys["workload.collectives"] = rng.choice(["openmpi-4.1", "mpich-4.0"])
        case.keys.pop("workload.radix", None)
        case.keys.pop("workload.segment_bytes", None)
        if rng.random() < 0.3:
            case.keys["workload.commutative"] = False
    if rng.random() < 0.3:
        case.keys["workload.repetitions"] = rng.choice([1, 2, 3])
    tasks_of(case, rng, [2, 4, 8, 16, *([] if rng.random() < 0.5 else [3, 5, 7, 12])])
    communicators(case, rng, case.keys.get("workload.tasks"))
    if row["grid"] and rng.random() < 0.5:
        case.keys["workload.wrap"] = True
    if row["grid"] and "workload.tasks" in case.keys and rng.random() < 0.6:
        tasks = case.keys.get("workload.group_tasks", case.keys["workload.tasks"])
        side = rng.choice([n for n in range(1, tasks + 1) if tasks % n == 0])
        case.keys["workload.shape"] = [side, tasks // side, *([1] if rng.random() < 0.2 else [])]
        case.kept |= {"workload.shape", "workload.tasks", "workload.group_tasks"}
    if row["counts"]:
        lengths_of_pieces(case, rng, row["counts"] == "by pair")


def lengths_of_pieces(case, rng, pairs):
    """Of operations whose pieces differ: by a law, as a list, or in a file."""
    keys = case.keys
    tasks = keys.get("workload.group_tasks", keys.get("workload.tasks"))
    how = rng.choice(["equal", "uniform", "zipf", *(["counts", "counts_file"] * 2 if tasks else [])])
    if how in ("uniform", "zipf"):
        keys["workload.counts_law"] = how
        if how == "zipf" and rng.random() < 0.6:
            keys["workload.counts_exponent"] = rng.choice([0.0, 0.5, 1.5, 3.0])
    if how not in ("counts", "counts_file"):
        return
    keys.pop("workload.message_bytes")
    case.kept |= {f"workload.{key}" for key in (how, "tasks", "group_tasks")}
    number = tasks * tasks if pairs and how == "counts_file" and rng.random() < 0.7 else tasks
    counts = [rng.choice([0, 1, 64, 333, 1000]) for _ in range(number)]
    keys[f"workload.{how}"] = counts if how == "counts" else case.add_file("counts.txt",
                                                                           "\n".join(str(count) for count in counts))


def communicators(case, rng, tasks):
    """All tasks in groups: sizes and strides that fit, a power of two where the number of tasks is one."""
    if tasks is None or rng.random() < 0.6:
        return
    size = rng.choice([n for n in range(1, tasks + 1) if tasks % n == 0])
    case.keys["workload.group_tasks"] = size
    if rng.random() < 0.5:
        case.keys["workload.group_stride"] = rng.choice([n for n in range(1, tasks // size + 1) if tasks // size % n
                                                         == 0])


def has_times(case):
    """Whether times in ns can be asked for."""
    return case.keys["topology.kind"] == "ideal" or bool({"link.rate_gbps", "simulation.tick_ps"} & set(case.keys))


def lanes(case, rng):
    """What workloads of accelerators share."""
    keys = case.keys
    for key in ("workload.message_bytes", "workload.matching"):
        keys.pop(key, None)
    if "node.path_gbps" in keys and rng.random() < 0.6:
        keys["node.path_shape"] = "non-blocking"
    places = nodes(case) * keys.get("workload.tasks_per_node", 1)
    if "statistics.matches" not in keys and not hasattr(case, "case") and rng.random() < 0.4:
        keys["statistics.timeline_tasks"] = rng.sample(range(places), rng.randint(1, 2))


def switches_reduce(case, machine):
    """Those of cells do, where links go both ways and nodes have one NIC; a shared buffer has room for their
    channels."""
    keys = case.keys
    if machine == "ideal":
        return True
    return machine == "switch" and not keys.get("topology.unidirectional") and keys.get("node.nics",
            1) == 1 and keys.get("router.buffers") != "shared"


def nccl(case, rng, name):
    row, keys = case.catalogue.accelerators[name], case.keys
    messages(case, rng)
    lanes(case, rng)
    keys["workload.message_bytes"] = rng.choice([64, 1000, 20_000])
    keys["workload.channels"] = rng.choice([1, 2, 3, 8])
    machine = case.catalogue.routers[case.catalogue.router(keys)]["machine"]
    if row["algorithm"] == "in-network" and not switches_reduce(case, machine):
        row = case.catalogue.accelerators[f"{row['operation']} ring"]
    keys.update({"workload.kind": "nccl", "workload.name": row["operation"], "workload.algorithm": row["algorithm"]})
    if row["algorithm"] == "in-network" and machine == "ideal":
        keys["workload.switch_latency_ns"], keys["workload.reductions_in_flight"] = rng.choice([0, 5,
                400]), rng.choice([0, 1, 3])
    elif row["algorithm"] == "in-network":
        keys["workload.reductions_in_flight"] = rng.choice([1, 3, 20])
        keys["router.reduction_cycles"], keys["router.reduction_packets"] = rng.choice([0, 1, 7]), 1 << 20
    by_nodes = row["algorithm"] not in ("pairwise", "in-network") and row["operation"] != "broadcast"
    if row["algorithm"] != "pairwise":
        keys["workload.chunk_bytes"] = rng.choice([100, 1000, 1 << 19])
    if rng.random() < 0.4:
        keys["workload.protocol"] = rng.choice(["simple", "ll", "ll128"])
    if has_times(case) and rng.random() < 0.3:
        keys["workload.hop_ns"] = rng.choice([1, 300])
    if rng.random() < 0.3:
        keys["workload.repetitions"] = 2
    tasks_of(case, rng, [2, 4, 6, 8, 16])
    each = rng.choice([1, 2, 2, 4])
    relays = row["relays"] and each > 1 and rng.random() < 0.6
    if "workload.tasks" in keys and keys["workload.tasks"] % each == 0 and (by_nodes or relays):
        keys["workload.node_tasks"] = each
        if relays:
            keys["workload.pxn"] = True


def training(case, rng):
    keys = case.keys
    messages(case, rng)
    lanes(case, rng)
    places = nodes(case) * keys.get("workload.tasks_per_node", 1)
    if not has_times(case):
        keys["link.rate_gbps"] = 10.0
    shapes = [(t, c, p, d) for t in (1, 2, 4) for c in (1, 2) for p in (1, 2, 4) for d in (1, 2, 4) if 2 <= t * c * p
              * d <= min(places, 16)]
    tensor, context, stages, data = rng.choice(shapes)
    schedule = rng.choice(["1f1b", "zero-bubble", *(["interleaved"] if stages > 1 else [])])
    keys.update({
        "workload.kind": "training", "workload.tasks": tensor * context * stages * data, "workload.tensor": tensor,
        "workload.context": context,
        "workload.pipeline": stages, "workload.schedule": schedule, "workload.layers": stages
        * (2 if schedule == "interleaved" else 1), "workload.hidden": 8,
        "workload.sequence": 2 * tensor * context, "workload.vocabulary": 100, "workload.batch": data * stages,
        "workload.zero_stage": rng.randint(0, 3), "workload.recompute": rng.random() < 0.3,
        "workload.overlap_gradients": rng.random() < 0.6,
        "workload.device_tflops": rng.choice([0.01, 1.0]),
    })  # fmt: skip
    embeddings = rng.choice(["none", "none", "tied", "untied"])
    if embeddings != "none" and keys["workload.zero_stage"] < 3:
        keys["workload.embeddings"] = embeddings
    if rng.random() < 0.3:
        del keys["workload.device_tflops"]
        if "workload.embeddings" not in keys:
            del keys["workload.vocabulary"]
        parts = [f"{part} {which} {' '.join(str(rng.choice([0, 1, 700])) for _ in range(3))}"
                 for part in ("attention", "feed-forward") for which in ("*", "0")]
        parts += [f"embedding {rng.choice([0, 5])} 0 7", "logits 10 20 30", f"optimizer * {rng.choice([0, 40])}"]
        keys["workload.times"] = case.add_file("times.txt", "\n".join(parts))
    if tensor > 1 and rng.random() < 0.4:
        keys["workload.sequence_parallel"] = False
    if schedule == "interleaved":
        keys["workload.chunks"] = 2
    if rng.random() < 0.4:
        keys["workload.micro_batch"], keys["workload.gradient_bytes"] = 2, rng.choice([2, 4])
        keys["workload.batch"] *= 2
    if rng.random() < 0.5:
        keys["workload.experts"], keys["workload.expert"] = 4, rng.choice([degree for degree in (1, 2, 2, 4, 4)
                                                                           if data % degree == 0])
        if rng.random() < 0.5:
            keys["workload.top_k"] = 1
        if keys["workload.expert"] > 1 and rng.random() < 0.7:
            keys["workload.counts_law"] = rng.choice(["uniform", "zipf"])
            if keys["workload.counts_law"] == "zipf" and rng.random() < 0.5:
                keys["workload.counts_exponent"] = rng.choice([0.5, 3.0])
    if rng.random() < 0.3:
        keys["workload.parallel_order"] = rng.choice(["tensor-context-pipeline-data", "data-tensor-pipeline-context"])
    placement(case, rng, keys["workload.tasks"])


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
    actions = []
    for number in range(rng.randint(1, 40)):
        sender, receiver = rng.sample(range(tasks), 2)
        size = rng.choice([0, 1, 64, 1000])
        actions += [("send", sender, receiver, number % 3, size), ("receive", receiver, sender, number % 3, size)]
        if rng.random() < 0.2:
            actions.append(("compute", rng.randrange(tasks), rng.choice([0, 1, 1000, 20000])))
        if rng.random() < 0.1:
            action = ("collective", rng.choice(list(call_traces.COLLECTIVES)), rng.choice([8, 1000]))
            actions += [(action[0], task, *action[1:]) for task in range(tasks)]
    written = trace_format if trace_format in (*trace_files.FORMATS, *call_traces.FORMATS) else "trc"
    if written in trace_files.WITHOUT_SIZES:
        keys["workload.collective_bytes"] = rng.choice([0, 8, 1000])
    if rng.random() < 0.3:
        keys["workload.trace_store"] = "none"
    if written in trace_files.FORMATS:
        keys["workload.path"] = case.add_file(f"trace.{written}", trace_files.FORMATS[written](actions, tasks))
    else:
        keys["workload.path"] = call_traces.FORMATS[written](actions, tasks, case.add_file)
    if rng.random() < 0.3:
        keys["workload.trace_format"] = written
    if rng.random() < 0.4:
        keys["workload.mode"] = "at-will"
    if "simulation.tick_ps" not in keys and rng.random() < 0.5:
        keys["link.rate_gbps"] = 10.0
    if "link.rate_gbps" in keys and rng.random() < 0.7:
        keys["workload.cpu_scale"] = rng.choice([0.1, 1.0, 3.0])
    if written in call_traces.FORMATS and rng.random() < 0.5:
        cost_model(case, rng)
    if "link.rate_gbps" in keys and written in trace_files.WITH_TIMES and rng.random() < 0.3:
        keys["workload.mode"] = "recorded"
    if rng.random() < 0.1:
        keys["workload.leave_out"] = "output"
    if rng.random() < 0.5:
        placement(case, rng)


def cost_model(case, rng):
    """Collective calls of a trace by a closed form, in place of messages."""
    keys = case.keys
    keys["workload.collectives"] = "cost-model"
    if "simulation.tick_ps" not in keys:
        keys["link.rate_gbps"] = 10.0
    keys["workload.mode"] = "causal"
    keys["workload.collective_latency_ns"] = rng.choice([0.0, 3.0, 500.0, 20000.0])
    keys["workload.collective_gbps"] = rng.choice([0.0, 1.0, 40.0])
    keys["workload.collective_model"] = rng.choice(["null", "constant", "linear", "logarithmic"])
    if rng.random() < 0.5:
        calls = rng.sample(["MPI_Barrier", "MPI_Bcast", "MPI_Allreduce", "MPI_Alltoall", "MPI_Reduce", "2", "6"], 3)
        case.keys["workload.collective_costs"] = case.add_file("costs.txt", "\n".join(
            f"{call} {rng.choice(['0', 'CTE', 'LIN', 'LOG'])} {rng.choice(['MIN', 'MAX', 'MEAN', '2MAX', 'S+R'])} "
            f"{rng.choice(['0', 'CTE', 'LIN', 'LOG'])} {rng.choice(['MIN', 'MAX', 'MEAN', '2MAX', 'S+R'])}"
            for call in calls))


def sparse_matrix(case, rng):
    """A matrix of random places, of as many rows as tasks or more, and at times who has which column."""
    keys = case.keys
    keys["workload.kind"] = "sparse-matrix"
    messages(case, rng)
    keys.pop("workload.message_bytes")
    tasks = rng.randint(2, nodes(case) * keys.get("workload.tasks_per_node", 1))
    keys["workload.tasks"] = tasks
    rows = tasks * rng.choice([1, 2, 5]) + rng.choice([0, 1, 3])
    symmetric = rng.random() < 0.5
    columns = rows if symmetric or rng.random() < 0.5 else rows + rng.randint(0, 9)
    places = {(rng.randint(1, rows), rng.randint(1, columns)) for _ in range(rng.randint(1, 5 * rows))}
    places = sorted({(max(place), min(place)) for place in places} if symmetric else places)
    lines = [f"%%MatrixMarket matrix coordinate pattern {'symmetric' if symmetric else 'general'}",
             f"{rows} {columns} {len(places)}",
             *(f"{row} {column}" for row, column in places)]  # fmt: skip
    keys["workload.matrix"] = case.add_file("matrix.mtx", "\n".join(lines))
    case.kept |= {"workload.matrix", "workload.tasks"}
    if rng.random() < 0.4:
        keys["workload.matrix_partition"] = case.add_file("parts.txt",
                                                          "\n".join(str(rng.randrange(tasks)) for _ in range(columns)))
    if rng.random() < 0.5:
        keys["workload.entry_bytes"] = rng.choice([1, 8, 16])
    if rng.random() < 0.5:
        keys["workload.repetitions"] = rng.choice([1, 2, 3])
    if timed(case, rng) and rng.random() < 0.7:
        keys["workload.nonzero_ps"] = rng.choice([1, 800, 20_000])
    placement(case, rng, tasks)


def timed(case, rng):
    """Whether a cycle has a length, which it gets at times."""
    keys = case.keys
    if keys["topology.kind"] == "ideal":
        return True
    if "simulation.tick_ps" not in keys and rng.random() < 0.6:
        keys["link.rate_gbps"] = 10.0
    return "link.rate_gbps" in keys


def storage(case, rng):
    keys = case.keys
    keys["workload.kind"] = "storage"
    messages(case, rng)
    places = nodes(case) * keys.get("workload.tasks_per_node", 1)
    tasks = rng.randint(2, places)
    servers = rng.randint(1, min(tasks - 1, 6))
    keys["workload.tasks"], keys["workload.io_tasks"] = tasks, servers
    case.kept |= {"workload.tasks"}
    keys["workload.file_mode"] = rng.choice(["n-1", "n-n", "n-m"])
    if keys["workload.file_mode"] == "n-m" and rng.random() < 0.7:
        keys["workload.aggregators"] = rng.randint(1, tasks - servers)
    keys["workload.access"] = rng.choice(["write", "read"])
    if keys["workload.access"] == "write" and rng.random() < 0.4:
        keys["workload.permission"] = True
    some = keys["workload.message_bytes"]
    drawn = {"workload.stripe_bytes": max(1, some // rng.choice([1, 2, 3, 5])),
             "workload.stripe_count": rng.randint(1, servers),
             "workload.window": rng.randint(1, 4), "workload.control_bytes": rng.choice([1, 64, 300]),
             "workload.repetitions": rng.randint(1, 3)}
    if timed(case, rng):
        drawn |= {"workload.phase_ns": rng.choice([1, 100, 5000]), "workload.service_ns": rng.choice([1, 100, 5000]),
                  "workload.storage_gbps": rng.choice([0.5, 10.0, 400.0])}  # fmt: skip
    keys.update({key: number for key, number in drawn.items() if rng.random() < 0.6})
    placement(case, rng, tasks)


def by_rows(case, rng, kind):
    """A kind that nothing here knows: its keys as their rows say."""
    case.keys["workload.kind"] = kind
    for key in case.catalogue.workloads[kind]["keys"]:
        drawn = value(case.catalogue.settings[key], rng) if key not in SET_TOGETHER and rng.random() < 0.5 else None
        if drawn is not None:
            case.keys[key] = drawn
    placement(case, rng, case.keys.get("workload.tasks"))


WORKLOADS = {"synthetic": synthetic, "burst": burst, "reactive": reactive, "flows": flows, "kernel": kernel,
             "collective": collective, "exchange": exchange, "trace": trace, "nccl": nccl, "training": training,
             "sparse-matrix": sparse_matrix, "storage": storage, "jobs": jobs, "by_rows": by_rows, **ACCELERATORS}


def is_synthetic(case):
    return case.keys.get("workload.kind") in ("synthetic", "reactive")
