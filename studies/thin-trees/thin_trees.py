#!/usr/bin/env python3
"""Table 4 of Navaridas, Miguel-Alonso, Ridruejo, Denzel (Parallel Computing 2010): kernels on slimmed trees of 8 ports down,
published beside simulated, as Markdown.

    studies/thin-trees/thin_trees.py [--quick] [--nodes 64 512 4096] [--up 1 2 4 8] [--processes N] [--kernels]

T_w is the time of a kernel over its time on the full tree; phi = 7 / (sum of T_w over the seven kernels). --quick: 64 nodes.
--kernels: T_w of each kernel too. 2D kernels on 512 nodes form 32 x 16 tasks, all others squares and cubes. Environment:
WEFT_BINARY is the program, build/release/bin/weft if not given.
"""
import argparse

from weft_runs import all_cycles

KERNELS = {"W2": {}, "W3": {}, "M2": {}, "M3": {}, "BU": {}, "BT": {}, "WF": {"workload.message_bytes": 1024}}
LEVELS = {64: 2, 512: 3, 4096: 4}
PUBLISHED = {
    64: [0.4419, 0.6970, 0.8354, 0.9094, 0.9539, 0.9791, 0.9900, 1],
    512: [0.1410, 0.4272, 0.6746, 0.8273, 0.9088, 0.9523, 0.9695, 1],
    4096: [0.0628, 0.3157, 0.5164, 0.7243, 0.8569, 0.9276, 0.9647, 1],
}


def point(nodes, up, kernel):
    keys = {"topology.levels": LEVELS[nodes], "topology.up": up, "workload.name": kernel, **KERNELS[kernel]}
    if nodes == 512 and kernel in ("W2", "M2", "WF"):
        keys["workload.shape"] = [32, 16]
    return "tree.toml", keys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="64 nodes only")
    parser.add_argument("--nodes", type=int, nargs="+", choices=LEVELS, default=[64, 512])
    parser.add_argument("--up", type=int, nargs="+", choices=range(1, 8), default=list(range(1, 8)))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--kernels", action="store_true")
    options = parser.parse_args()
    rows = []
    print("| nodes | tree | published phi | simulated | difference |\n|---|---|---|---|---|")
    for nodes in [64] if options.quick else options.nodes:
        points = {(up, kernel): point(nodes, up, kernel) for up in [*options.up, 8] for kernel in KERNELS}
        found = all_cycles(points, options.processes)
        for up in options.up:
            slow_downs = [found[up, kernel] / found[8, kernel] for kernel in KERNELS]
            phi, published = len(KERNELS) / sum(slow_downs), PUBLISHED[nodes][up - 1]
            print(f"| {nodes} | 8:{up} | {published:.4f} | {phi:.4f} | {100 * (phi / published - 1):+.1f} % |", flush=True)
            rows.append([str(nodes), f"8:{up}", *(f"{slow_down:.2f}" for slow_down in slow_downs)])
    if options.kernels:
        print(f"\n| nodes | tree | {' | '.join(KERNELS)} |\n|{'---|' * (2 + len(KERNELS))}")
        for row in rows:
            print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
