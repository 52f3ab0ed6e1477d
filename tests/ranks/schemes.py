#!/usr/bin/env python3
"""What keeps routers free of deadlock does so at load 1 on the smallest rings and tori, for as long as one cares to
look; and without it they do deadlock. Also what congestion control promises.

  schemes.py --weft PROGRAM [--cycles N]         N: 200,000; the label long has 10,000,000"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CUBE = {"topology.nodes_per_switch": 2, "topology.parallel_links": 1}
FLY = {"topology.nodes_per_router": 2, "topology.routers_per_group": 2, "topology.global_links": 1}
FLY_PLUS = {"topology.nodes_per_router": 2, "topology.leaves": 2, "topology.spines": 2, "topology.global_links": 1}
SLIM = {"topology.q": 3, "topology.nodes_per_router": 2}


def scheme(kind, dims, router, request, channels, **more):
    keys = {"topology.kind": kind, "router.kind": router, "router.routing": request,
            "router.virtual_channels": channels}
    if dims:
        keys["topology.dims"] = dims
    return keys | {name.replace("__", "."): value for name, value in more.items()}


FREE = [scheme("torus", dims, "bubble", request, channels)
        for dims in ([3], [4], [5], [3, 3], [4, 4]) for request, channels in
        (("oblivious", 1), ("random", 2), ("shortest", 2), ("smart", 2), ("double", 2))]  # fmt: skip
FREE += [scheme("torus", dims, "dally", request, channels)
         for dims in ([3], [4], [5], [3, 3], [4, 4]) for request, channels in
         (("trc", 2), ("basic", 2), ("improved", 2), ("adaptive", 3))]  # fmt: skip
FREE += [
    scheme("torus", [3, 3, 3], "bubble", "hexa", 6),
    scheme("torus", [4], "bubble", "shortest", 2, topology__unidirectional=True),
    scheme("torus", [4], "dally", "basic", 2, topology__unidirectional=True),
    scheme("twisted-torus", [4, 2], "bubble", "oblivious", 1, topology__twist=[2]),
    scheme("twisted-torus", [4, 2], "bubble", "shortest", 2, topology__twist=[2], topology__unidirectional=True),
    scheme("circulant", None, "bubble", "oblivious", 1, topology__nodes=7, topology__steps=[1, 3],
           topology__unidirectional=True),
    scheme("midimew", None, "bubble", "random", 2, topology__nodes=7, topology__unidirectional=True),
    scheme("spinnaker", [3, 3], "bubble", "shortest", 2, topology__unidirectional=True),
    scheme("king-torus", [3, 3], "bubble", "smart", 2),
    scheme("l-network", None, "bubble", "shortest", 2, topology__vectors=[3, 1, -1, 2]),
    scheme("torus", [4, 4], "bubble", "oblivious", 2, router__channel_rule="paper"),
    scheme("torus", [4, 4], "bubble", "random", 2, router__channel_rule="paper"),
    scheme("torus", [4, 4], "dally", "trc", 2, router__channel_rule="paper"),
    scheme("torus", [5, 4], "dally", "basic", 2, router__channel_rule="paper"),
    scheme("torus", [4, 4], "dally", "improved", 2, router__channel_rule="paper"),
    scheme("torus", [4], "dally", "trc", 2, topology__unidirectional=True, router__channel_rule="paper"),
    scheme("twisted-torus", [4, 2], "dally", "improved", 2, topology__twist=[2]),
    scheme("circulant", None, "bubble", "oblivious", 1, topology__nodes=7, topology__steps=[1, 3]),
    scheme("midimew", None, "bubble", "random", 2, topology__nodes=7),
    scheme("spinnaker", [3, 3], "bubble", "shortest", 2),
    scheme("torus", [4], "bubble", "oblivious", 1, link__latency_cycles=5, packet__phits=1, router__queue_packets=6),
    scheme("torus", [5], "bubble", "oblivious", 1, link__latency_cycles=20, packet__phits=2, router__queue_packets=11),
    scheme("torus", [4, 4], "bubble", "shortest", 2, link__latency_cycles=5, packet__phits=1, router__queue_packets=6),
    scheme("indirect-cube", [3, 3], "indirect-cube", "static", 1) | CUBE,
    scheme("indirect-cube", [4], "indirect-cube", "adaptive", 2) | CUBE,
    scheme("indirect-cube", [4, 4], "indirect-cube", "1mesh", 1) | CUBE,
    scheme("dragonfly", None, "dragonfly", "minimal", 2) | FLY,
    scheme("dragonfly", None, "dragonfly", "valiant", 3) | FLY,
    scheme("full-mesh", None, "full-mesh", "valiant", 2, topology__nodes=4),
]
FREE += [scheme("dragonfly", None, "switch", "credits", channels, router__routing=routing) | FLY
         for routing, channels in (("minimal", 2), ("valiant", 3), ("ugal-l", 3), ("ugal-g", 3), ("par", 4))]
FREE += [scheme(topology, None, "slim-fly", request, channels) | SLIM for topology in ("slim-fly", "polarfly")
         for request, channels in (("minimal", 2), ("valiant", 4))]
FREE += [scheme("slim-fly", None, "switch", "credits", channels, router__routing=routing) | SLIM
         for routing, channels in (("minimal", 2), ("valiant", 4), ("ugal-l", 4), ("ugal-g", 4))]  # fmt: skip
PGFT = {"topology.m": [2, 2, 2], "topology.w": [1, 2, 1], "topology.parallel": [1, 1, 2]}
FREE += [scheme("pgft", None, "fat-tree", mode, 1) | PGFT for mode in ("d-mod-k", "s-mod-k", "random", "adaptive-up")]
FREE += [scheme("pgft", None, "switch", "credits", 1, router__routing=mode) | PGFT
         for mode in ("d-mod-k", "random", "adaptive-up")]
FREE += [scheme("dragonfly-plus", None, "dragonfly-plus", request, channels) | FLY_PLUS
         for request, channels in (("minimal", 1), ("minimal", 2), ("adaptive", 1), ("adaptive", 2), ("valiant", 2))]
FREE += [scheme("dragonfly-plus", None, "switch", "credits", channels, router__routing=routing, router__buffer_cells=8,
                workload__pattern=pattern) | FLY_PLUS
         for pattern in ("uniform", "next-group") for routing, channels in
         (("minimal", 1), ("adaptive", 1), ("valiant", 2), ("ugal-l", 2), ("ugal-g", 2), ("fpar", 2))]  # fmt: skip
GRID = {"topology.nodes_per_router": 2}
FREE += [scheme("hyperx", dims, "hyperx", request, channels) | GRID
         for dims in ([3], [2, 2], [3, 3]) for request, channels in (("minimal", 1), ("min-adaptive", len(dims)),
                                                                     ("valiant", 2))]
FREE += [scheme("hyperx", dims, "switch", "credits", channels, router__routing=routing) | GRID
         for dims in ([3], [2, 2], [3, 3]) for routing, channels in
         (("minimal", 1), ("min-adaptive", len(dims)), ("valiant", 2), ("ugal-l", 2), ("ugal-g", 2),
          ("dal", sum(min(k - 1, 2) for k in dims)))]
UNSAFE = {"deadlock.unsafe": True}
WITHOUT = UNSAFE | {"router.bubble_packets": 0}
DEADLOCKED = [scheme("torus", [9], "bubble", "oblivious", 1) | WITHOUT,
              scheme("torus", [5, 5], "bubble", "oblivious", 2) | WITHOUT,
              scheme("torus", [9], "bubble", "double", 1) | WITHOUT,
              scheme("twisted-torus", [8, 4], "bubble", "oblivious", 1, topology__twist=[4]) | WITHOUT,
              scheme("spinnaker", [6, 6], "bubble", "oblivious", 1) | WITHOUT,
              scheme("dragonfly", None, "switch", "credits", 1, router__routing="valiant", router__buffer_cells=8) | FLY
              | UNSAFE,
              scheme("dragonfly-plus", None, "switch", "credits", 1, router__routing="valiant", router__buffer_cells=8)
              | FLY_PLUS | UNSAFE,
              *(scheme("hyperx", [3, 3], "switch", "credits", 1, router__routing=routing, router__buffer_cells=8) | GRID
                | UNSAFE
                for routing in ("min-adaptive", "valiant", "dal")),
              scheme("slim-fly", None, "switch", "credits", 1, router__routing="valiant", router__buffer_cells=8) | SLIM
              | UNSAFE]


class Runs:
    def __init__(self, options, folder):
        self.options, self.config = options, folder / "base.toml"
        # What schemes share, whether it has an effect on all of them or not (--allow-unused).
        self.config.write_text("format = 1\nrouter.queue_packets = 2\npacket.phits = 8\n")

    def run(self, keys, cycles, load=1.0):
        keys = {"simulation.cycles": cycles, "workload.offered_load": load} | keys
        command = ["nice", self.options.weft, "run", str(self.config), "--allow-unused", "--json", "-", "--progress",
                   "never"]
        for name, value in keys.items():
            command += ["--set", f"{name}={json.dumps(value)}"]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    def stays_alive(self, keys):
        done = self.run(keys, self.options.cycles)
        if done.returncode != 0:
            return [f"{keys}: exit code {done.returncode}, {done.stderr[:300]}"]
        accepted = json.loads(done.stdout)["load"]["accepted"]
        return [] if accepted > 0.05 else [f"{keys}: accepted load {accepted}"]

    def deadlocks(self, keys):
        done = self.run(keys, 1_000_000)
        found = done.returncode == 4 and "deadlock" in done.stderr and "cycle of waiting queues" in done.stderr
        return [] if found else [f"{keys}: no deadlock, exit code {done.returncode}: {done.stderr[:200]}"]

    def control_limits_packets(self, _):
        """Beyond saturation, congestion control holds the packets in the network near the threshold, and load below it
        is as ever."""
        wrong = []
        keys = scheme("torus", [8, 8], "bubble", "shortest", 3)
        free, held = (json.loads(self.run(keys | more, 20_000).stdout)
                      for more in ({}, {"congestion.kind": "gcc", "congestion.gcc_packets": 40}))
        if not held["packets"]["in_flight"] < 2 * 40 < free["packets"]["in_flight"]:
            wrong.append(f"in flight: {free['packets']['in_flight']}, held: {held['packets']['in_flight']}")
        if not held["latency"]["mean"] < free["latency"]["mean"] / 2:
            wrong.append(f"latency: {free['latency']['mean']}, held: {held['latency']['mean']}")
        low = [json.loads(self.run(keys | more, 20_000, 0.1).stdout)["digest"]
               for more in ({}, {"congestion.kind": "gcc", "congestion.gcc_packets": 500})]
        return wrong + ([] if low[0] == low[1] else ["a threshold that is never reached changes the history"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--cycles", type=int, default=200_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-schemes-") as folder, ThreadPoolExecutor(2) as pool:
        runs = Runs(options, Path(folder))
        jobs = [(runs.stays_alive, keys) for keys in FREE] + [(runs.deadlocks, keys) for keys in DEADLOCKED]
        jobs.append((runs.control_limits_packets, None))
        wrong = sum(pool.map(lambda job: job[0](job[1]), jobs), [])
    print("\n".join(wrong))
    print(f"{len(jobs)} checks, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
