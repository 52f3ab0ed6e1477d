"""Values of settings that a range cannot say: lists, texts, files."""


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


def class_bytes(case, rng):
    return sorted(rng.choice([0, 8, 64, 512, 4096]) for _ in range(case.keys.get("router.traffic_classes", 1) - 1))


def lanes_table(case, rng):
    lanes = min(15, case.effective("router.virtual_channels"))
    return ", ".join(f"{lane}:{rng.choice([0, 1, 16, 64, 255])}"
                     for lane in rng.sample(range(lanes), rng.randint(1, lanes)))


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
    lines = [f"{node} " + " ".join(map(str, rng.sample([n for n in nodes if n != node], min(3, len(nodes) - 1))))
             for node in nodes]
    return case.add_file("targets.txt", "\n".join(lines))


def keys_file(case, rng):
    """Tables of SpiNNaker chips: each packet to the own node and to the one to the east, by its key or by all but the
    last bits of it."""
    side, nodes = case.keys["topology.dims"][0], case.network.nodes
    first = rng.choice([0, 0x1000, 0xabc00000])
    lines = [f"key {node} {first + 16 * node + rng.randrange(16):#x}" for node in range(nodes)]
    for node in range(nodes):
        east = node // side * side + (node % side + 1) % side
        pattern = f"{first + 16 * node:#x} 0xfffffff0"
        lines += [f"entry {node} {pattern} {'e node' if side > 1 else 'node'}"]
        lines += [f"entry {east} {pattern} node"] if side > 1 else []
    return case.add_file("tables.txt", "\n".join(lines))


MAKERS = {
    "router.engine": lambda case, rng: rng.choice(["auto", *case.catalogue.engines]),
    "nic.dispersion": lambda case, rng: rng.choice(["none", *case.catalogue.dispersions]),
    "router.class_shares": class_shares,
    "router.class_modes": class_modes,
    "router.class_bytes": class_bytes,
    "router.scheduling": scheduling,
    "router.sl_shares": weights,
    "router.sl2vl": lambda case, rng: [rng.randrange(min(15, case.effective("router.virtual_channels")))
                                       for _ in range(rng.randint(1, 16))],
    "congestion.cct_percent": lambda case, rng: sorted(rng.randint(0, 400) for _ in range(rng.randint(1, 128))),
    "router.vl_high": lanes_table,
    "router.vl_low": lanes_table,
    "router.routes_path": routes_file,
    "router.multicast_file": targets_file,
    "router.table_file": keys_file,
    "router.buffer_cells": lambda case, rng: rng.choice([16, 32, 33, 64, 65, 128, 300, 512]),
    "deadlock.unsafe": lambda case, rng: True if rng.random() < 0.3 else None,
    "deadlock.check": lambda case, rng: rng.choice(["auto", "full", "full", "off"]),
    "router.switch_latency_cycles": lambda case, rng: rng.choice([0, 1, 2, 3, 7, 20]),
}
