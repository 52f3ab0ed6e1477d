#!/usr/bin/env python3
"""Kernels on a crossbar, a fat tree and a torus of 64 nodes (Navaridas et al., PDSEC 2008), published beside simulated, as
Markdown.

    studies/thin-trees/micro_kernels.py [--quick] [--processes N]

Times of messages of 640, 3,200 and 64,000 bytes, relative to the crossbar, a switch of 64 ports; published figures are those of
64,000 bytes that the text of the paper has. --quick: messages of 640 bytes only. Environment: WEFT_BINARY is the program,
build/release/bin/weft if not given.
"""
import argparse

from weft_runs import all_cycles

KERNELS = ["BT", "BU", "M2", "M3", "W2", "W3"]
COMMON = {"router.virtual_channels": 4, "packet.phit_bytes": 4}
NETWORKS = {
    "crossbar": ("tree.toml", {**COMMON, "topology.down": 64, "topology.up": 1, "topology.levels": 1}),
    "fat tree": ("tree.toml", {**COMMON, "topology.down": 2, "topology.up": 2, "topology.levels": 6}),
    "torus": ("torus.toml", {}),
}
PUBLISHED = {
    "fat tree": {"M2": "~ 1.25"} | {kernel: "~ 1" for kernel in ("BT", "BU", "M3", "W2", "W3")},
    "torus": {"BU": "~ 2", "M3": "> 1"} | {kernel: "~ 1" for kernel in ("BT", "M2", "W2", "W3")},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="messages of 640 bytes only")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    sizes = [640] if options.quick else [640, 3200, 64000]
    points = {}
    for network, (config, keys) in NETWORKS.items():
        for kernel in KERNELS:
            for size in sizes:
                points[network, kernel, size] = config, {**keys, "workload.name": kernel, "workload.message_bytes": size}
    found = all_cycles(points, options.processes)
    print(f"| kernel | network | published, 64,000 bytes | {' | '.join(f'{size:,} bytes' for size in sizes)} |")
    print(f"|---|---|---|{'---|' * len(sizes)}")
    for kernel in KERNELS:
        for network, published in PUBLISHED.items():
            ratios = [found[network, kernel, size] / found["crossbar", kernel, size] for size in sizes]
            print(f"| {kernel} | {network} | {published[kernel]} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")


if __name__ == "__main__":
    main()
