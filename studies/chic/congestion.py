#!/usr/bin/env python3
"""Random bisect patterns on CHiC as packets, beside what congestion says of their flows, as Markdown.

    studies/chic/congestion.py --count 100

Hoefler, Schneider, Lumsdaine (Multistage switches are not crossbars, Cluster 2008) measured 630 MiB/s between two hosts
of CHiC; their model says 315, 210 and 157.5 MiB/s for pairs whose routes have congestion 2, 3 and 4, and what they
measured of those is "slightly lower". A link of 5.45 Gb/s
carries 630 MiB/s in packets of 2,048 bytes with a cell of 64 bytes of header. How full the four bars of their histogram
are is counted within 5 % of each bandwidth.
"""
import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = {1: 630.0, 2: 315.0, 3: 210.0, 4: 157.5}
VARIANTS = {
    "FIFO": [],
    "FIFO, buffers of 16 packets": ["router.buffer_cells=528"],
    "virtual output queues": ["router.queues=voq"],
    "FIFO, 4 channels a link": ["router.virtual_channels=4"],
}


def ebb(weft, count, settings):
    words = [
        weft, "fabric", "ebb", ROOT / "examples/fabrics/chic.toml", "--engine", "minhop", "--order", "lid", "--packets",
        "--count", str(count), "--set", "link.rate_gbps=5.45", "--json", "-"]
    for setting in settings:
        words += ["--set", setting]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


def near(packets, mib):
    """Fraction of pairs within 5 % of a bandwidth."""
    histogram, link = packets["histogram"], packets["link_mib_per_s"]
    inside = [count for low, high, count in zip(histogram["edges"], histogram["edges"][1:], histogram["packets"])
              if 0.95 * mib <= (low + high) / 2 * link <= 1.05 * mib]
    return 100 * sum(inside) / sum(histogram["packets"])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weft", default=ROOT / "build/release/bin/weft", help="the program")
    options.add_argument("--count", type=int, default=100, help="patterns (default: 100)")
    chosen = options.parse_args()
    congestion = " | ".join(f"congestion {c}" for c in EXPECTED)
    bars = " | ".join(f"at {mib:g}" for mib in EXPECTED.values())
    print(f"| switches | mean | {congestion} | {bars} | correlation |\n|{'---|' * (3 + 2 * len(EXPECTED))}")
    flows = None
    for name, settings in VARIANTS.items():
        found = ebb(chosen.weft, chosen.count, settings)
        packets = found["packets"]
        if flows is None:
            flows = found["congestion_counts"]
            cells = [f"{630 * found['bandwidth']['mean']:.1f}", *(f"{mib:.1f}" for mib in EXPECTED.values()),
                     *(f"{100 * flows[c] / found['routes']:.1f} %" for c in EXPECTED), ""]
            print(f"| as flows | {' | '.join(cells)} |")
        means = {row["congestion"]: row["mean"] * packets["link_mib_per_s"] for row in packets["congestion"]}
        cells = [
            f"{packets['bandwidth']['mean'] * packets['link_mib_per_s']:.1f}", *(f"{means[c]:.1f}" for c in EXPECTED),
            *(f"{near(packets, mib):.1f} %" for mib in EXPECTED.values()), f"{packets['correlation']['mean']:.3f}"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
