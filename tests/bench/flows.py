#!/usr/bin/env python3
"""Speed of weft fabric ebb: bisect patterns a minute on a 4,096-host tree, one core. Start-up and routing are left out
by running twice with different counts; the answer is verified: the first patterns are the same, and the mean lies where
it must. Exit code 1 for a wrong answer; never for being slow, unless --least says what slow is."""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = 'format = 1\n[topology]\nkind = "tree"\narity = 16\nlevels = 3\n'


def run(weft, config, count):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run([weft, "fabric", "ebb", config, "--engine", "dmodk", "--count", str(count), "--json", "-"],
                         check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--least", type=float, default=0, help="patterns a minute that are fast enough")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "tree.toml"
        config.write_text(TREE, encoding="utf-8")
        rates = []
        for _ in range(3):
            few, few_s = run(options.weft, config, 64)
            many, many_s = run(options.weft, config, 5064)
            rates.append(5000 * 60 / (many_s - few_s))
    if few["hosts"] != 4096 or many["routes"] != 5064 * 2048:
        sys.exit(f"wrong counts: {few['hosts']} hosts, {many['routes']} routes")
    if abs(few["bandwidth"]["mean"] - many["bandwidth"]["mean"]) > 4 * few["bandwidth"]["ci95"]:
        sys.exit("the means of 64 and of 5,064 patterns differ")
    print(f"16-ary 3-tree, 4,096 hosts: {max(rates):,.0f} bisect patterns a minute and core, mean "
          f"{many['bandwidth']['mean']:.4f}")
    return 1 if max(rates) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
