#!/usr/bin/env python3
"""The table of docs/myrinet.md from a sweep of this folder: what tasks get, as a fraction of a link, mean over the patterns with the least and
the most, and the share of packets out of order.

  /usr/bin/python3 studies/myrinet/table.py results/myrinet-schemes/myrinet-schemes.h5"""

import argparse
import json

import h5py


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", help="NAME.h5 of a sweep")
    options = parser.parse_args()
    with h5py.File(options.sweep) as file:
        swept = [name for name in file["settings"] if name != "simulation.seed"]
        columns = {name: [value.decode() if isinstance(value, bytes) else value for value in file["settings"][name][:]] for name in swept}
        points = {name: file["points"][name][:] for name in ("status", "exchange_share", "out_of_order_share")}
    rows = {}
    for ix, status in enumerate(points["status"]):
        if (status.decode() if isinstance(status, bytes) else status) == "done":
            key = tuple(json.dumps(columns[name][ix], default=str).strip('"') for name in swept)
            rows.setdefault(key, []).append((float(points["exchange_share"][ix]), float(points["out_of_order_share"][ix])))
    print("| " + " | ".join(swept) + " | patterns | mean | least | most | out of order |")
    print("|" + "---|" * (len(swept) + 5))
    for key, found in rows.items():
        shares = [100 * share for share, _ in found]
        disorder = 100 * sum(out for _, out in found) / len(found)
        print(f"| {' | '.join(key)} | {len(found)} | {sum(shares) / len(shares):.1f} % | {min(shares):.1f} | {max(shares):.1f} | {disorder:.2f} % |")


if __name__ == "__main__":
    main()
