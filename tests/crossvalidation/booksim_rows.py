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
WORMS = "worms"  # in place of a scheduler: wormhole switches with the channels, buffers and stages of BookSim
STEPS = 2  # of BookSim's routers in a cycle (internal_speedup): cycles of weft where worms are compared


# Beyond saturation what is accepted falls for some 10,000 cycles: BookSim samples from the first thousand on. (In
# dragonflies, where it does not, few packets are generated.)
EARLY = {"warmup_cycles": 1000, "max_warmup_cycles": 3000, "batch_cycles": 500}


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


def as_worms(keys):
    """Each stage takes a step of half a cycle, as in BookSim, so that links take two steps for a flit and all latencies
    of links are twice as many. What BookSim's channels take longer is the second step of crossing; its credits count a
    cycle (credit_delay) after a step in which they are sent off and one in which they are read."""
    own = {key: STEPS * value if key.endswith("latency_cycles") else value for key, value in keys.items()}
    early = {} if keys["topology.kind"] == "dragonfly" else EARLY
    for key in ("warmup_cycles", "max_warmup_cycles", "batch_cycles"):
        own[f"measure.{key}"] = STEPS * early.get(key, keys[f"measure.{key}"])
    own.setdefault("link.latency_cycles", STEPS)
    del own["simulation.tick_ps"], own["link.rate_gbps"]
    if keys["topology.kind"] == "torus":  # packets that cross a date line keep their channels in that ring
        own["router.channel_rule"] = "paper"
    return own | {"link.phits_per_cycle": 1 / STEPS, "workload.offered_load": keys["workload.offered_load"] / STEPS,
                  "router.kind": "wormhole", "router.scheduling": "islip", "router.iterations": 1,
                  "router.virtual_channels": 8, "router.buffer_cells": 32, "router.routing_cycles": 1,
                  "router.vc_allocation_cycles": 1, "router.switch_latency_cycles": STEPS,
                  "router.credit_cycles": 2 * STEPS,
                  "workload.source_queue": "unbounded"}  # fmt: skip


def config_of(name, offered, scheduler):
    if scheduler == WORMS:
        return as_worms(config_of(name, offered, "islip"))
    network, pattern = split(name)
    load = {"workload.pattern": pattern, "workload.offered_load": float(offered), "router.scheduling": scheduler}
    return COMMON | NETWORKS[network] | load


def rows():
    """(name, offered, accepted and latency of BookSim)."""
    return [(name, *figures) for name, of_name in BOOKSIM.items() for figures in of_name]
