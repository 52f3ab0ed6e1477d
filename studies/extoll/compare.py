#!/usr/bin/env python3
"""Tables II and III of Andujar et al. (CPE 2018) beside the results of collectives.toml, as Markdown.

    studies/extoll/compare.py results/extoll-collectives/extoll-collectives.csv

The time of a collective is that of its last task, in cycles; latencies are means from injection, in cycles. Missing points
are left out.
"""
import argparse
import csv

PES = {"[8, 8, 4]": 256, "[8, 8, 8]": 512, "[16, 8, 8]": 1024,
       "[4, 4, 2, 2, 2]": 256, "[4, 4, 2, 4, 2]": 512, "[4, 4, 2, 4, 4]": 1024}
# (operation, bytes): ((3D torus), (5D twin torus)) of 256, 512, 1024 processing elements. Table III, cycles.
TIMES = {
    ("reduce", 16): ((734, 886, 1166), (670, 822, 974)),
    ("reduce", 512): ((961, 1141, 1449), (897, 1077, 1257)),
    ("broadcast", 16): ((754, 914, 1194), (850, 938, 1026)),
    ("broadcast", 512): ((989, 1189, 1525), (1025, 1185, 1321)),
    ("allgather", 16): ((2621, 5261, 11761), (2505, 4917, 9497)),
    ("allgather", 512): ((160033, 393377, 1037137), (120517, 294009, 697957)),
    ("all-to-all", 16): ((2126, 5834, 26318), (1778, 3334, 9522)),
    ("all-to-all", 512): ((25829, 73517, 231909), (11285, 33309, 97845)),
}
# Table II, mean network latency of cells, cycles.
LATENCIES = {
    ("reduce", 16): ((76.7, 76.9, 89.4), (60.3, 60.5, 60.6)),
    ("broadcast", 16): ((89.7, 121.9, 123.2), (92.2, 99.1, 110.6)),
    ("allgather", 512): ((1190, 2004, 2123), (567, 965, 1518)),
    ("all-to-all", 512): ((2744, 4483, 5546), (1420, 2517, 3207)),
}


def results(path):
    """{(operation, published bytes, network 0 or 1, PEs): (completion, latency)} of the points that are done."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["status"] != "done":
                continue
            size = int(float(row["workload.message_bytes"]))
            key = (row["workload.name"], 16 if size < 512 else 512, int(row["topology.kind"] == "ndt-torus"),
                   PES[row["topology.dims"]])
            found[key] = float(row["completion_cycles"]), float(row["latency_network_mean"])
    return found


def table(published, measured, figure, form):
    print("| operation | bytes | PEs | 3D published | weft | difference % | 5DT published | weft | difference % "
          "| 3D -> 5DT published % | weft |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (operation, size), networks in published.items():
        for place, pes in enumerate((256, 512, 1024)):
            keys = [(operation, size, network, pes) for network in (0, 1)]
            if not all(key in measured for key in keys):
                continue
            cells = [operation, str(size), str(pes)]
            mine = [measured[key][figure] for key in keys]
            theirs = [network[place] for network in networks]
            for a, b in zip(theirs, mine):
                cells += [form(a), form(b), f"{100 * (b / a - 1):+.1f}"]
            cells += [f"{100 * (pair[1] / pair[0] - 1):+.1f}" for pair in (theirs, mine)]
            print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", help="table of the sweep collectives.toml")
    measured = results(parser.parse_args().csv)
    print("Execution time, cycles:\n")
    table(TIMES, measured, 0, lambda value: f"{value:,.0f}")
    print("\nMean network latency, cycles:\n")
    table(LATENCIES, measured, 1, lambda value: f"{value:,.1f}")


if __name__ == "__main__":
    main()
