#!/usr/bin/env python3
"""Two builds of weft beside each other: `compare.py BEFORE AFTER` runs both in turn on switches of cells (dragonflies
of 16,512 and 1,056 nodes), wormhole switches (a saturated Clos of 512), a torus and a tree of plain routers, and prints
packet-hops per CPU second and the ratio of the two, of the fastest runs and as median of the pairs. Both must tell the
same digest (`--other-history` lets them differ). Exit code 1 if an answer is wrong; never for being slow."""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from running import Wrong, run_weft

DRAGONFLY = """
topology = {{kind = "dragonfly", nodes_per_router = {p}, routers_per_group = {a}, global_links = {p}}}
router = {{kind = "switch", virtual_channels = 2, buffer_cells = 64}}
packet.phits = 4
workload.offered_load = 0.5
simulation.cycles = {cycles}
"""
CASES = {
    "cells-16512": DRAGONFLY.format(p=8, a=16, cycles=600),
    "cells-1056": DRAGONFLY.format(p=4, a=8, cycles=10000),
    "worms-512": """
topology = {kind = "clos", leaf_down = 16, leaf_up = 16, leaves = 32}
router = {kind = "wormhole", virtual_channels = 1, buffer_cells = 32}
packet.phits = 64
workload.offered_load = 1.0
simulation.cycles = 200000
""",
    "torus-4096": """
topology = {kind = "torus", dims = [64, 64]}
workload.offered_load = 0.06
simulation.cycles = 30000
""",
    "tree-512": """
topology = {kind = "tree", arity = 8, levels = 3}
workload.offered_load = 0.5
simulation.cycles = 80000
""",
    "butterfly-4096": """
topology = {kind = "torus", dims = [16, 16, 16]}
workload = {kind = "kernel", name = "butterfly", message_bytes = 512}
""",
    "programs-4096": """
topology = {kind = "torus", dims = [16, 16, 16]}
link.rate_gbps = 100
node.path_latency_ns = 100
workload = {kind = "kernel", name = "butterfly", message_bytes = 512}
""",
    "ideal-1024": """
topology = {kind = "ideal", nodes = 1024}
ideal = {latency_ns = 1200, overhead_ns = 300, gap_ns = 50, byte_gap_ns = 0.08}
packet = {phits = 1024, phit_bytes = 4}
workload = {kind = "collective", name = "all-to-all", algorithm = "pairwise", message_bytes = 64}
""",
    "mesh-4096": """
topology = {kind = "torus", dims = [16, 16, 16]}
workload = {kind = "kernel", name = "mesh", dimensions = 3, wrap = true, message_bytes = 512, repetitions = 8}
""",
}
TRACES = Path(__file__).resolve().parents[3] / "shared" / "traces" / "npb-extended"
for trace in ("cg.A.64", "is.A.64"):
    if (path := TRACES / f"{trace}.trc.xz").is_file():  # not everywhere
        CASES[trace] = f'''
topology = {{kind = "torus", dims = [8, 8]}}
workload = {{kind = "trace", path = "{path}"}}
'''


def run(weft, folder):
    summary = run_weft(weft, folder)
    return summary["digest"], summary["engine"]["packet_hops"], sum(summary["engine"]["cpu_s"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--only", default="", help="cases with this text in their names")
    parser.add_argument("--other-history", action="store_true")
    options = parser.parse_args()
    wrong = False
    print("| case | before, M hops/s | after | ratio: fastest | median of pairs |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="weft-compare-") as name:
        folder = Path(name)
        for case, text in CASES.items():
            if options.only not in case:
                continue
            (folder / "case.toml").write_text("format = 1\n" + text, encoding="utf-8")
            times, digests, hops = {options.before: [], options.after: []}, set(), 0
            for pair in range(options.pairs):
                for weft in (options.before, options.after) if pair % 2 else (options.after, options.before):
                    digest, hops, cpu_s = run(weft, folder)
                    digests.add(digest)
                    times[weft].append(cpu_s)
            before, after = times[options.before], times[options.after]
            median = statistics.median(a / b for a, b in zip(before, after, strict=True))
            print(f"| {case} | {hops / min(before) / 1e6:.2f} | {hops / min(after) / 1e6:.2f} | "
                  f"{min(before) / min(after):.3f} | {median:.3f} |", flush=True)
            if len(digests) != 1 and not options.other_history:
                wrong = True
                print(f"compare.py: error: {case} has {len(digests)} digests", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        sys.exit(f"compare.py: error: {error}")
