#!/usr/bin/env python3
"""Plain routers on the topologies that only they run on, what goes with them (congestion control, links of a class,
failed links), and SpiNNaker's machine: one digest on 1 to 4 ranks, with every protocol and partition, and in a run that
goes on from a checkpoint on another number of ranks.

  plain.py --program SHARED_RUNS [--all]

Each case goes one of the ways that are there, another one from case to case; with --all each goes all of them."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import shared_processes

# What cases share, whether it has an effect on all of them or not (--allow-unused).
BASE = """format = 1
simulation = {cycles = 700, seed = 5}
workload.offered_load = 0.7
router.queue_packets = 3
"""


def case(kind, request=None, channels=3, **more):
    keys = {"topology.kind": kind, "router.virtual_channels": channels}
    if request:
        keys["router.routing"] = request
    return keys | {name.replace("__", "."): value for name, value in more.items()}


def shape(**keys):
    return {f"topology__{name}": value for name, value in keys.items()}


TORUS = shape(dims=[5, 4])
DALLY = {"router__kind": "dally"}
CUBE = shape(dims=[3, 3], nodes_per_switch=2, parallel_links=2)
CHIPS = {"router__kind": "spinnaker"} | shape(dims=[5, 6])
INFINIBAND = {"router__kind": "infiniband", "router__buffer_cells": 40, "workload__packet_cells": [1, 16],
              "packet__phits": 16}
DATA = Path(__file__).resolve().parents[1] / "data/fabrics/dfly-4-2-2"
KEYS = Path(__file__).resolve().parents[2] / "examples/routes/spinnaker-keys.txt"
FABRIC = shape(path=str(DATA / "ibnetdiscover.txt"), tables=str(DATA / "dfsssp/opensm-lfts.dump.xz"),
               sl2vl=str(DATA / "dfsssp/opensm-sl2vl.dump.xz"))
CLOS_5 = shape(stages=5, leaf_down=3, leaf_up=2, leaves=6, leaves_per_pod=2, spine_up=2)
SWITCH = {"router__kind": "switch", "router__buffer_cells": 24, "workload__packet_cells": [1, 16]}
WORM = {"router__kind": "wormhole", "router__buffer_cells": 6, "workload__packet_cells": [1, 16],
        "workload__offered_load": 0.4}
VCS = {"router__kind": "wormhole", "router__buffer_cells": 4, "workload__packet_cells": [1, 16],
       "workload__offered_load": 0.4}
NICS = {"router__kind": "myrinet", "router__buffer_cells": 24, "packet__phits": 17, "packet__phit_bytes": 8,
        "workload__packet_cells": [1, 16], "workload__offered_load": 0.6, "workload__pattern": "worst-case"}
CLOS = shape(leaf_down=4, leaf_up=3, leaves=5)
PGFT = shape(m=[4, 3, 2], w=[1, 2, 2], parallel=[1, 2, 1])
DRAGONFLY = shape(nodes_per_router=2, routers_per_group=3, global_links=1)
HYPERX = shape(dims=[3, 4], nodes_per_router=2, widths=[1, 2])
FLY_PLUS = shape(nodes_per_router=2, leaves=2, spines=3, global_links=2, groups=4)
SLIM_FLY = shape(q=4, nodes_per_router=2)
BURSTS = {"simulation__cycles": 0, "workload__kind": "burst", "workload__burst_packets": 12, "workload__bursts": 3}
CASES = [
    case("torus", "trc", 2, **TORUS, **DALLY),
    case("torus", "basic", 2, **TORUS, **DALLY),
    case("torus", "improved", 2, **TORUS, **DALLY),
    case("torus", "adaptive", 4, **TORUS, **DALLY),
    case("torus", "trc", 2, router__channel_rule="paper", **TORUS, **DALLY),
    case("torus", "adaptive", 4, router__channel_rule="paper", **TORUS, **DALLY),
    case("torus", "oblivious", 3, router__channel_rule="paper", **TORUS),
    case("torus", "random", 3, router__channel_rule="paper", **TORUS),
    case("torus", "shortest", 3, router__channel_rule="paper", router__lbr_packets=2, router__lbr_escape=False,
         **TORUS),
    case("torus", "shortest", 3, router__arbitration="age-in-network", **TORUS),
    case("torus", "double", 2, **TORUS),
    case("torus", "hexa", 6, **shape(dims=[3, 4, 3])),
    case("torus", "shortest", **shape(dims=[5, 4], unidirectional=True)),
    case("torus", "smart", congestion__kind="gcc", congestion__gcc_packets=12, congestion__gcc_period_cycles=7,
         **TORUS),
    case("torus", "smart", congestion__kind="gcc", congestion__gcc_packets=6, congestion__gcc_period_cycles=50, **TORUS,
         **BURSTS),
    case("clos", None, 1, congestion__kind="gcc", congestion__gcc_packets=30, congestion__gcc_period_cycles=35, **CLOS,
         **BURSTS, **SWITCH),
    case("pgft", None, 4, faults__nodes=[3], faults__links=[0, 4, 1, 5], congestion__kind="gcc",
         congestion__gcc_packets=40, **PGFT, **INFINIBAND),
    case("torus", "smart", congestion__kind="gcc", congestion__gcc_fraction=0.05, congestion__gcc_period_cycles=7,
         **TORUS),
    case("twisted-torus", "smart", **shape(dims=[8, 4], twist=[4])),
    case("twisted-torus", "smart", **shape(dims=[8, 4], twist=[4], unidirectional=True)),
    case("circulant", "random", **shape(nodes=30, steps=[1, 7], unidirectional=True)),
    case("midimew", "shortest", **shape(nodes=25, unidirectional=True)),
    case("spinnaker", "oblivious", 1, **shape(dims=[5, 5], unidirectional=True)),
    case("king-torus", "smart", 2, **shape(dims=[5, 4])),
    case("king-mesh", "shortest", 2, **shape(dims=[5, 4])),
    case("l-network", "random", **shape(vectors=[5, 2, -1, 4])),
    case("l-network", "oblivious", 1, **shape(vectors=[5, 2, -1, 4], unidirectional=True)),
    case("unidirectional-min", None, 2, **shape(arity=3, levels=2)),
    case("unidirectional-min", None, 1, **shape(arity=2, levels=4, wiring="butterfly"), **SWITCH),
    case("twisted-torus", "improved", 2, **DALLY, **shape(dims=[8, 4], twist=[4])),
    case("circulant", "random", **shape(nodes=30, steps=[1, 7])),
    case("midimew", "shortest", **shape(nodes=25)),
    case("spinnaker", "oblivious", 1, **shape(dims=[5, 5])),
    case("indirect-cube", "adaptive", 2, **CUBE),
    case("indirect-cube", "static", 1, **CUBE),
    case("indirect-cube", "1mesh", 1, **CUBE),
    case("indirect-cube", "4mesh", 1, **shape(dims=[4, 4], nodes_per_switch=4, parallel_links=4)),
    case("dragonfly", "minimal", 2, **DRAGONFLY),
    case("dragonfly", "valiant", 3, link__global__latency_cycles=25, **DRAGONFLY),
    case("dragonfly-plus", "minimal", 1, **FLY_PLUS),
    case("dragonfly-plus", "adaptive", 2, **FLY_PLUS | shape(arrangement="palm-tree", parallel_links=2)),
    case("dragonfly-plus", "valiant", 2, link__global__latency_cycles=25, **FLY_PLUS),
    case("full-mesh", "valiant", 2, **shape(nodes=9)),
    case("hyperx", "minimal", 1, **HYPERX),
    case("hyperx", "min-adaptive", 2, link__global__latency_cycles=6, **HYPERX),
    case("hyperx", "valiant", 2, **HYPERX),
    case("torus", None, workload__kind="reactive", workload__trigger_to="source", workload__trigger_fraction=0.8,
         workload__trigger_most=3, workload__offered_load=0.15, router__consumption="multiple", **TORUS),
    case("slim-fly", "minimal", 2, **SLIM_FLY),
    case("slim-fly", "valiant", 4, link__latency_cycles=3, **SLIM_FLY),
    case("polarfly", "valiant", 4, **SLIM_FLY),
    case("jellyfish", None, 4, **shape(routers=11, degree=4, nodes_per_router=2, seed=5)),
    case("spinnaker", "unicast", 1, **CHIPS),
    case("spinnaker", "unicast", 1, congestion__kind="gcc", congestion__gcc_packets=30, faults__random_links=5,
         faults__nodes=[7], **CHIPS),
    case("spinnaker", "multicast", 1, router__multicast_targets=6, router__wait_cycles=20, **CHIPS),
    case("spinnaker", "multicast", 1, router__multicast_radius=2, link__latency_cycles=5, faults__random_links=4,
         **CHIPS),
    case("spinnaker", "multicast", 1, router__table_file=str(KEYS), router__reinjection=True,
         router__reinjection_packets=3, router__reinjection_cycles=11, router__wait_cycles=2,
         router__emergency_wait_cycles=3, **CHIPS | shape(dims=[4, 4])),
    case("spinnaker", "unicast", 1, router__reinjection=True, router__reinjection_cycles=40, router__wait_cycles=3,
         router__emergency_wait_cycles=3, faults__random_links=5, **CHIPS),
    case("torus", None, 1, router__kind="rotary", **TORUS),
    case("mesh", None, 1, router__kind="rotary", router__ring_packets=2, router__output_packets=1,
         router__injection_packets=1, router__misroute_rounds=1, link__latency_cycles=3, **shape(dims=[3, 3, 2])),
    case("torus", None, 1, router__kind="rotary", router__buffer_cycles=2, faults__random_links=4, faults__nodes=[7],
         congestion__kind="gcc", congestion__gcc_packets=30, **TORUS),
    case("clos", "adaptive", 2, link__node__latency_cycles=9, **shape(leaf_down=4, leaf_up=3, leaves=5)),
    case("clos", "adaptive", 2, link__node__latency_cycles=9, **CLOS_5),
    case("clos", "d-mod-k", 1, router__kind="fat-tree", **CLOS_5),
    case("clos", None, 2, router__iterations=2, **CLOS_5, **SWITCH),
    case("clos", None, 1, **CLOS_5, **WORM),
    case("thin-tree", "static", 3, **shape(down=4, up=2, levels=3)),
    case("thin-tree", "static-by-credits", 3, **shape(down=4, up=2, levels=3)),
    case("thin-tree", "adaptive", 2, router__arbitration="age-in-network", **shape(down=4, up=2, levels=3)),
    case("thin-tree", "d-mod-k", 1, router__kind="fat-tree", **shape(down=4, up=2, levels=3)),
    case("pgft", "adaptive-up", 2, **PGFT),
    case("pgft", "random", 1, **PGFT),
    case("pgft", None, 1, router__routing="adaptive-up", link__latency_cycles=3, **PGFT, **SWITCH),
    case("pgft", None, 1, router__routing="s-mod-k", **PGFT, **SWITCH),
    case("torus", None, 3, **TORUS, **SWITCH),
    case("torus", None, 3, link__latency_cycles=4, router__queues="fifo", router__scheduling="random", **TORUS,
         **SWITCH),
    case("thin-tree", None, 1, router__scheduling="age", **shape(down=4, up=2, levels=3), **SWITCH),
    case("clos", None, 2, router__iterations=2, **shape(leaf_down=4, leaf_up=3, leaves=5), **SWITCH),
    case("dragonfly", None, 2, link__global__latency_cycles=25, link__global__phits_per_cycle=0.5,
         router__switching="store-and-forward", **DRAGONFLY, **SWITCH),
    case("dragonfly", None, 3, router__routing="ugal-l", link__global__latency_cycles=25,
         workload__pattern="next-group",
         **DRAGONFLY, **SWITCH),
    case("dragonfly", None, 3, router__routing="ugal-g", router__notice_cells=4, link__latency_cycles=3,
         router__route_per="flow",
         workload__pattern="next-group", **DRAGONFLY, **SWITCH),
    case("dragonfly", None, 4, router__routing="par", router__buffers="shared", workload__pattern="next-group",
         **DRAGONFLY,
         **SWITCH | {"router__buffer_cells": 100}),
    case("hyperx", None, 2, router__routing="min-adaptive", link__global__phits_per_cycle=0.5, **HYPERX, **SWITCH),
    case("hyperx", None, 2, router__routing="ugal-l", router__ugal_bias_cells=6, workload__pattern="next-group",
         **HYPERX, **SWITCH),
    case("hyperx", None, 2, router__routing="ugal-g", router__notice_cells=4, link__latency_cycles=3,
         workload__pattern="next-group",
         **HYPERX, **SWITCH),
    case("hyperx", None, 4, router__routing="dal", link__global__latency_cycles=25, workload__pattern="next-group",
         **HYPERX, **SWITCH),
    case("dragonfly-plus", None, 2, router__routing="ugal-l", link__global__latency_cycles=25,
         workload__pattern="next-group",
         **FLY_PLUS, **SWITCH),
    case("dragonfly-plus", None, 2, router__routing="ugal-g", router__notice_cells=4, link__latency_cycles=3,
         workload__pattern="next-group", **FLY_PLUS, **SWITCH),
    case("dragonfly-plus", None, 2, router__routing="fpar", workload__pattern="next-group", **FLY_PLUS
         | shape(parallel_links=2),
         **SWITCH),
    case("slim-fly", None, 4, router__routing="ugal-l", router__ugal_candidates=4, workload__pattern="next-group",
         **SLIM_FLY, **SWITCH),
    case("slim-fly", None, 4, router__routing="ugal-g", router__notice_cells=4, link__latency_cycles=3,
         workload__pattern="next-group",
         **SLIM_FLY, **SWITCH),
    case("torus", None, 2, router__routing="improved", router__speedup=2, router__output_buffer_cells=40,
         simulation__tick_ps=1000, link__rate_gbps=16.0, **TORUS, **SWITCH),
    case("torus", None, 3, router__traffic_classes=3, router__class_modes="adaptive, basic, adaptive",
         router__buffers="shared",
         router__class_shares=[1, 2, 1], router__class_priority="strict", **TORUS, **SWITCH
         | {"router__buffer_cells": 200}),
    case("torus", None, 3, congestion__window_cells=40, congestion__kind="dcqcn", congestion__min_cells=10,
         congestion__max_cells=60,
         congestion__max_probability=0.5, congestion__cnp_cycles=40, congestion__rate_timer_cycles=50,
         workload__pattern="hot-region", **TORUS,
         **SWITCH),
    case("torus", None, 3, congestion__kind="infiniband", congestion__min_cells=10, congestion__marking_rate=1,
         congestion__least_cells=3,
         congestion__cct_percent=[0, 30, 100, 400], congestion__cct_timer_cycles=60, workload__pattern="hot-region",
         **TORUS, **SWITCH),
    case("torus", None, 3, congestion__kind="swift", congestion__target_cycles=80, congestion__scaling_cycles=50,
         congestion__first_packets=2.5, congestion__forget_cycles=300, workload__pattern="hot-region", **TORUS,
         **SWITCH),
    case("dragonfly", None, 3, router__routing="ugal-l", congestion__kind="dcqcn", congestion__max_probability=0.5,
         congestion__cnp_cycles=30,
         congestion__rate_counter_cells=100, link__global__latency_cycles=25, workload__pattern="hot-spot", **DRAGONFLY,
         **SWITCH),
    case("clos", None, 1, **shape(leaf_down=4, leaf_up=3, leaves=5), **WORM),
    case("thin-tree", None, 1, link__latency_cycles=4, router__scheduling="age", router__routing_cycles=3,
         **shape(down=4, up=2, levels=3), **WORM),
    case("full-mesh", None, 1, router__flow_control="stop-go", router__scheduling="random", link__phits_per_cycle=0.5,
         link__node__latency_cycles=2, **shape(nodes=9), **WORM | {"router__buffer_cells": 12}),
    case("mesh", "dor", 3, router__iterations=1, **shape(dims=[5, 4]), **VCS),
    case("torus", "basic", 4, router__vc_release="credit", router__input_speedup=2, router__credit_cycles=2,
         link__latency_cycles=2, **TORUS, **VCS),
    case("torus", "adaptive", 4, router__vc_release="credit", router__scheduling="random",
         router__vc_allocation_cycles=0, **TORUS, **VCS),
    case("thin-tree", None, 2, router__scheduling="age", router__routing_cycles=0, router__vc_allocation_cycles=3,
         link__node__latency_cycles=3, **shape(down=4, up=2, levels=3), **VCS),
    case("dragonfly", "valiant", 6, link__global__latency_cycles=9, router__iterations=2,
         workload__pattern="next-group", **DRAGONFLY, **VCS),
    case("dragonfly", None, 6, router__routing="ugal-l", workload__pattern="next-group", **DRAGONFLY, **VCS),
    case("hyperx", "valiant", 4, simulation__tick_ps=500, link__rate_gbps=64.0, packet__phit_bytes=8,
         router__speedup=2, router__output_buffer_cells=5, **HYPERX, **VCS),
    case("clos", None, 1, nic__dispersion="adaptive", nic__dispersion_threshold=2, **CLOS, **NICS),
    case("clos", None, 1, nic__dispersion="probing", nic__dispersion_threshold=2, nic__probe_tries=2,
         nic__probe_cells=3, nic__dispersion_percent=60, nic__threshold_factor=1.5, link__node__latency_cycles=2,
         **CLOS, **NICS),
    case("clos", None, 1, nic__dispersion="probing", nic__dispersion_threshold=0, nic__probe_rounds=1,
         nic__routes_known=2, **CLOS, **NICS),
    case("clos", None, 1, nic__dispersion="random", nic__routes_held=3, nic__route_fetch_cycles=7, **CLOS, **NICS),
    case("mesh", "by-source", 2, router__kind="source-route", link__latency_cycles=2, **shape(dims=[4, 4])),
    case("torus", None, 3, router__kind="extoll", router__virtual_channels=3, workload__packet_cells=[1, 16], **TORUS),
    case("torus", None, 4, router__sl_shares=[2, 1, 1], router__vl_high="3:9, 1:20", router__vl_low="0:20, 2:5",
         router__vl_high_limit=1,
         router__engine="updn", **TORUS, **INFINIBAND),
    case("torus", None, 5, router__engine="minhop", router__queues="voq", link__latency_cycles=3,
         workload__pattern="hot-region",
         **TORUS, **INFINIBAND),
    case("pgft", None, 2, router__sl_shares=[1, 1], router__route_per="flow", router__vl_low="0:99, 1:33",
         workload__pattern="hot-spot",
         congestion__kind="windows", congestion__window_cells=66, **shape(m=[4, 4], w=[1, 2]), **INFINIBAND),
    case("file", None, 8, link__latency_cycles=2, **FABRIC, **INFINIBAND),
    case("torus", "shortest", workload__pattern="worst-case", placement__policy="random", **TORUS),
    case("thin-tree", "adaptive", 1, workload__pattern="worst-case", **shape(down=4, up=2, levels=3)),
    case("full-mesh", "minimal", 1, workload__pattern="worst-case", faults__random_links=2, **shape(nodes=9)),
    case("dragonfly", "valiant", 3, workload__pattern="next-group", workload__group_shift=2, **DRAGONFLY),
    case("dragonfly", "minimal", 2, workload__pattern="stencil", workload__grid=[4, 3, 2], placement__policy="random",
         **DRAGONFLY),
    case("ndt-torus", "dort", 4, link__internal__latency_cycles=3, **shape(dims=[3, 2, 4])),
    case("ndt-torus", None, 4, router__routing="ts-dor", **shape(dims=[2, 3, 2, 2]), **SWITCH),
    case("ndt-torus", "dort-cases", 4, **shape(dims=[2, 3, 2, 2])),
    case("ndt-torus", None, 2, router__kind="extoll", workload__packet_cells=[1, 16], **shape(dims=[2, 3, 2])),
    case("torus", None, 4, router__kind="extoll", router__adaptive_choice="round-robin",
         workload__packet_cells=[1, 16], **TORUS),
]  # fmt: skip
# ranks, settings: how a run may be computed. The last goes on from a checkpoint of the one before.
WAYS = [(2, ["parallel.protocol=windowed", "parallel.partition=metis"]), (3, ["parallel.protocol=null-message"]),
        (4, ["parallel.protocol=windowed", "parallel.partition=round-robin", "checkpoint.every_cycles=300"])]


class Case:
    """A case of CASES: its reference, its runs in other ways, and one that goes on from a checkpoint of the last."""

    def __init__(self, number, every_way, folder):
        self.number, self.folder = number, folder
        self.ways = WAYS if every_way else [WAYS[number % len(WAYS)]]
        self.checkpoint = folder / f"{number}.ckpt.h5"

    def command(self, name, settings, *arguments):
        command = ["run", self.folder / "base.toml", "--allow-unused", "--quiet", "--progress", "never", *arguments]
        command += ["--json", self.folder / f"{self.number}-{name}.json"]
        settings = [*(f"{key}={json.dumps(value)}" for key, value in CASES[self.number].items()), *settings]
        return command + [word for setting in settings for word in ("--set", setting)]

    def runs(self):
        kept = f"checkpoint.path={self.checkpoint}"
        yield 1, self.command("alone", [])
        for ranks, settings in self.ways:
            yield ranks, self.command(f"{ranks}-ranks", [*settings, kept])

    def resumed(self):
        if WAYS[-1] in self.ways:
            yield 2, self.command("resumed", [f"checkpoint.path={self.checkpoint}"], "--resume", self.checkpoint)

    def wrong(self):
        digests = {file.stem: json.loads(file.read_text(encoding="utf-8"))["digest"]
                   for file in sorted(self.folder.glob(f"{self.number}-*.json"))}
        expected = digests[f"{self.number}-alone"]
        wrong = [] if len(expected) == 32 else [f"digest '{expected}'"]
        wrong += [f"{name}: {found} instead of {expected}" for name, found in digests.items() if found != expected]
        return [f"{CASES[self.number]}: {text}" for text in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="shared_runs")
    parser.add_argument("--all", action="store_true", help="all ways for each case")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-plain-") as name:
        folder = Path(name)
        (folder / "base.toml").write_text(BASE)
        shared = shared_processes.Shared(options.program, "", folder)
        cases = [Case(number, options.all, folder) for number in range(len(CASES))]
        for runs in (Case.runs, Case.resumed):
            if not shared_processes.make(shared, [run for case in cases for run in runs(case)]):
                return 1
        wrong = [text for case in cases for text in case.wrong()]
    print("\n".join(wrong))
    print(f"{len(CASES)} cases, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
