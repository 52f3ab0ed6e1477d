#!/usr/bin/env python3
"""Speed of weft on six spine cases, beside the engine's own limit and published-or-measured figures of its peers.

Every case runs once for W + M cycles and writes a checkpoint after W; the measured runs go on from there, so that
start-up, loading of the network and warm-up are left out, and the fastest counts. Rates are packet-hops per second of
user CPU time of one core. The answers are verified: one digest for the whole run and all that go on, accepted load
within the expected window, nothing lost. Exit code 1 if an answer is wrong; never for being slow, unless --least or
--most-limit says what slow is.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from running import TORUS_3D, TORUS_ROUTER, Wrong, run_json, run_weft, write_config

TREE_ROUTER = 'kind = "multistage"\nrouting = "adaptive"\nvirtual_channels = 1'
TORUS_2D = 'kind = "torus"\ndims = [64, 64]'
TREE = 'kind = "thin-tree"\ndown = 8\nup = 8\nlevels = 4'

# Packet-hops/s per core and bytes per node of the peers, all measured on 2 vCPUs of an AMD EPYC with g++ 12 -O3
# -march=native on a shared machine (+-30 %: compare by ratios). INSEE is time-driven, so a low load costs as much per
# cycle as a high one; its 64x64 torus was run at 0.3 and 1.0, both beyond saturation, its 64x32x32 torus at 0.3. CODES
# on ROSS, sequential, 512-byte packets: 16x16x16 torus (4,096 nodes), 65,536-node torus, fat tree of 8,192 terminals.
PEERS = {
    "torus-2d": {"insee": 0.046e6, "insee_bytes": 61_000, "codes": 0.24e6, "codes_bytes": 117_000},
    "torus-3d": {"insee": 0.03e6, "insee_bytes": 32_200, "codes": 0.14e6, "codes_bytes": 37_000},
    "tree-0.3": {"insee": 0.09e6, "insee_bytes": 75_000, "codes": 0.17e6, "codes_bytes": 123_000},
    "tree-1.0": {"insee": 0.08e6, "insee_bytes": 75_000, "codes": 0.17e6, "codes_bytes": 123_000},
}


class Case:
    def __init__(self, name, topology, router, load, accepted, nodes, entities, limit_dims, cycles, peers):
        self.name, self.topology, self.router, self.load = name, topology, router, load
        self.accepted = accepted  # window that the accepted load must lie in, phits/node/cycle
        self.nodes, self.entities, self.limit_dims = nodes, entities, limit_dims
        self.warmup, self.measured = cycles
        self.peers = PEERS[peers]


# Accepted load: what is offered, below saturation (three standard deviations of the Bernoulli sources are below 3 %). A
# 64-ring limits uniform traffic to 8 / 64 = 0.125; adaptive bubble routers reach 60 to 100 % of such a bound, the
# larger torus less in so few cycles, as its queues still fill. The tree: INSEE's 0.466 at one channel. The limit has as
# many entities as the network model: a tree's switches and its NICs.
CASES = [
    Case("64x64 torus 0.06", TORUS_2D, TORUS_ROUTER, 0.06, (0.058, 0.062), 4096, 4096, "64x64", (5000, 4000),
         "torus-2d"),
    Case("64x64 torus 1.0", TORUS_2D, TORUS_ROUTER, 1.0, (0.070, 0.126), 4096, 4096, "64x64", (5000, 4000),
         "torus-2d"),
    Case("64x32x32 torus 0.06", TORUS_3D, TORUS_ROUTER, 0.06, (0.058, 0.062), 65536, 65536, "64x32x32", (1000, 800),
         "torus-3d"),
    Case("64x32x32 torus 1.0", TORUS_3D, TORUS_ROUTER, 1.0, (0.040, 0.126), 65536, 65536, "64x32x32", (3000, 1000),
         "torus-3d"),
    Case("8:8,4-tree 0.3", TREE, TREE_ROUTER, 0.3, (0.29, 0.31), 4096, 6144, "96x64", (2500, 2000), "tree-0.3"),
    Case("8:8,4-tree 1.0", TREE, TREE_ROUTER, 1.0, (0.44, 0.50), 4096, 6144, "96x64", (2500, 2000), "tree-1.0"),
]


def weft_run(weft, folder, case, cycles, *arguments):
    write_config(folder, case.topology, case.router, case.load, cycles)
    summary = run_weft(weft, folder, *arguments)
    packets = summary["packets"]
    if summary["nodes"] != case.nodes:
        raise Wrong(f"{summary['nodes']} nodes, expected {case.nodes}")
    dropped_inside = packets["dropped"] - packets.get("dropped_at_source", 0)
    if packets["injected"] + packets.get("copies", 0) - packets.get("combined",
                                                                    0) != packets[
                                                                            "delivered"] + dropped_inside + packets[
                                                                                    "in_flight"]:
        raise Wrong(f"packets lost: {packets}")
    return summary


def cpu_of(summary):
    return sum(summary["engine"]["cpu_s"])


def measure(options, case, folder):
    """One row of the table."""
    warmup, measured = round(case.warmup * options.scale), round(case.measured * options.scale)
    assert measured < warmup, "a second checkpoint would replace that of the warm-up"
    checkpoint = folder / "warm.ckpt.h5"
    warm = weft_run(options.weft, folder, case, warmup)
    whole = weft_run(options.weft, folder, case, warmup + measured, "--set", f"checkpoint.every_cycles={warmup}",
                     "--set", f'checkpoint.path="{checkpoint}"')
    hops = whole["engine"]["packet_hops"] - warm["engine"]["packet_hops"]
    accepted = (whole["packets"]["delivered"] - warm["packets"]["delivered"]) * 16 / (case.nodes * measured)
    if not case.accepted[0] <= accepted <= case.accepted[1]:
        raise Wrong(f"accepted load {accepted:.4f}, expected {case.accepted[0]} to {case.accepted[1]}")

    tokens = hops / measured / case.entities
    limit = [str(options.limit), case.limit_dims, f"{tokens:.6f}", str(measured)]
    runs, limits = [], []
    for _ in range(options.repeat):  # interleaved, so that a busy machine hits both alike
        runs.append(weft_run(options.weft, folder, case, warmup + measured, "--resume", str(checkpoint)))
        limits.append(run_json(limit))
    checkpoint.unlink()
    for run in runs:
        if run["digest"] != whole["digest"] or run["engine"]["packet_hops"] != hops:
            raise Wrong(f"digest {run['digest']} and {run['engine']['packet_hops']} packet-hops of a resumed run, "
                        f"expected {whole['digest']} and {hops}")
    if len({run["digest"] for run in limits}) != 1:
        raise Wrong("repeated runs of the limit have different digests")
    cpu = min(map(cpu_of, runs))
    if cpu <= 0 or hops <= 0:
        raise Wrong(f"{hops} packet-hops in {cpu:.3f} s: too short to measure; use a larger --scale")
    best = max(run["packet_hops_per_s"] for run in limits)
    rate = hops / cpu
    return {
        "case": case.name, "packet_hops": hops, "cpu_s": cpu, "packet_hops_per_s": rate,
        "median_per_s": hops / statistics.median(map(cpu_of, runs)),
        "events_per_hop": runs[0]["engine"]["events"] / hops,
        "accepted": accepted, "limit_per_s": best, "limit_over_weft": best / rate,
        "bytes_per_node": warm["engine"]["bytes_per_node"],
        "insee_per_s": case.peers["insee"], "over_insee": rate / case.peers["insee"],
        "codes_per_s": case.peers["codes"], "over_codes": rate / case.peers["codes"],
        "insee_bytes": case.peers["insee_bytes"], "codes_bytes": case.peers["codes_bytes"], "digest": whole["digest"],
    }


HEAD = (f"{'case':20} {'accepted':>8} {'M hops/s':>9} {'median':>7} {'events/hop':>10} {'limit M/s':>9} "
        f"{'limit/weft':>10} "
        f"{'INSEE M/s':>9} {'ratio':>7} {'CODES M/s':>9} {'ratio':>7} {'B/node':>7} {'INSEE B':>8} {'CODES B':>8}")


def line(row):
    return (f"{row['case']:20} {row['accepted']:8.4f} {row['packet_hops_per_s'] / 1e6:9.3f} "
            f"{row['median_per_s'] / 1e6:7.2f} "
            f"{row['events_per_hop']:10.2f} "
            f"{row['limit_per_s'] / 1e6:9.2f} {row['limit_over_weft']:10.2f} {row['insee_per_s'] / 1e6:9.3f} "
            f"{row['over_insee']:7.1f} {row['codes_per_s'] / 1e6:9.3f} {row['over_codes']:7.1f} "
            f"{row['bytes_per_node']:7.0f} {row['insee_bytes']:8} {row['codes_bytes']:8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", type=Path, required=True, help="the program")
    parser.add_argument("--limit", type=Path, required=True, help="the bare engine (target bench_limit)")
    parser.add_argument("--repeat", type=int, default=5, help="measured runs; the fastest counts (default: 5)")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the cycles of all cases (default: 1)")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--least", type=float, default=0.0, help="fail below so many M packet-hops/s (default: 0)")
    parser.add_argument("--most-limit", type=float, default=float("inf"), help="fail if the limit is so much faster")
    options = parser.parse_args()

    rows, failed = [], False
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        for case in CASES:
            if options.only not in case.name:
                continue
            try:
                row = measure(options, case, Path(name))
            except (Wrong, KeyError, TypeError) as error:
                failed = True
                print(f"{case.name:20} WRONG OR FAILED: {type(error).__name__}: {error}", flush=True)
                continue
            rows.append(row)
            slow = row["packet_hops_per_s"] < options.least * 1e6 or row["limit_over_weft"] > options.most_limit
            failed = failed or slow
            print(line(row) + ("  TOO SLOW" if slow else ""), flush=True)
    print("Rates per user-CPU second of one core. INSEE, CODES: measured earlier on 2 vCPUs of an AMD EPYC, see PEERS "
          "in "
          "bench.py.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    if not rows:
        print("bench: no case was measured", file=sys.stderr)
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
