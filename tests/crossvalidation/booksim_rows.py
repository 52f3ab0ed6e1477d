"""The networks of booksim_figures.py as configs of weft, and which figures differ for a known reason."""

from booksim_figures import BOOKSIM

BELOW, BEYOND = 0.02, 0.05  # how much accepted loads may differ, below saturation and beyond
SATURATED = 0.97  # of the offered load: where one of the two simulators accepts less, the figures are beyond saturation

COMMON = {
    "format": 1, "simulation.stop": "steady-state", "simulation.tick_ps": 500, "link.rate_gbps": 64.0,
    "packet.phits": 1, "packet.phit_bytes": 8,
    "router.kind": "switch", "router.speedup": 2, "router.output_buffer_cells": 64, "router.routing_cycles": 1,
    "router.switch_latency_cycles": 1,
    "measure.warmup_cycles": 4000, "measure.max_warmup_cycles": 9000, "measure.batches": 10,
    "measure.batch_cycles": 1000,
}  # fmt: skip
SCHEDULERS = ("islip", "age")


def channels(count, cells):
    return {"router.virtual_channels": count, "router.buffer_cells": cells}


TWO, ONE = channels(2, 128), channels(1, 256)  # as much buffer at each input as BookSim has
GRID = {"topology.dims": [8, 8], "router.routing": "dor"} | TWO
TREE = {"topology.kind": "tree", "topology.arity": 4, "topology.levels": 3} | ONE
HYPERX = {"topology.kind": "hyperx", "topology.dims": [4, 4], "topology.nodes_per_router": 4}
DRAGONFLY = {"topology.kind": "dragonfly", "topology.routers_per_group": 4, "topology.nodes_per_router": 2,
             "topology.global_links": 2,
             "packet.phits": 10}  # fmt: skip
FAR = {"link.latency_cycles": 10, "link.global.latency_cycles": 100, "link.node.latency_cycles": 1}
MINIMAL, UGAL = {"router.routing": "minimal"} | TWO, {"router.routing": "ugal-l"} | channels(3, 128)

NETWORKS = {
    "mesh 8x8 DOR": {"topology.kind": "mesh"} | GRID,
    "torus 8x8 DOR": {"topology.kind": "torus"} | GRID,
    "fattree 4-ary 3 nca": {"router.routing": "fat-tree:random"} | TREE,
    "fattree 4-ary 3 anca": {"router.routing": "fat-tree:adaptive-up"} | TREE,
    "flatfly 4x4x4 ran_min": {"router.routing": "minimal"} | HYPERX | ONE,
    "flatfly 4x4x4 valiant": {"router.routing": "valiant"} | HYPERX | TWO,
    "flatfly 4x4x4 ugal": {"router.routing": "ugal-l"} | HYPERX | TWO,
    "dragonfly min": DRAGONFLY | FAR | MINIMAL,
    "dragonfly ugal": DRAGONFLY | FAR | UGAL,
    "dragonfly p2 min": DRAGONFLY | MINIMAL,
    "dragonfly p2 ugal": DRAGONFLY | UGAL,
}


def split(name):
    """Network and pattern of a name in BOOKSIM."""
    network = max((network for network in NETWORKS if name.startswith(network + " ")), key=len)
    return network, name.removeprefix(network + " ").split()[0]


def config_of(name, offered, scheduler):
    network, pattern = split(name)
    load = {"workload.pattern": pattern, "workload.offered_load": float(offered), "router.scheduling": scheduler}
    return COMMON | NETWORKS[network] | load


def rows():
    """(name, offered, accepted and latency of BookSim)."""
    return [(name, *figures) for name, of_name in BOOKSIM.items() for figures in of_name]
