#!/usr/bin/env python3
"""docs/inventory.md is what `weft describe --json -` says there is. Environment: WEFT_BINARY.

    tests/by-hand tests/house/inventory_test.py --update     writes the page anew"""

import json
import subprocess
import sys
import unittest

import harness

from harness import ROOT

PAGE = ROOT / "docs" / "inventory.md"
HEAD = """# Inventory: what there is to choose from

For whoever wants to know, before reading on, whether weft has the network, the router, the traffic or the format of
traces that is needed. Written by `tests/by-hand tests/house/inventory_test.py --update` from `weft describe --json -`;
a test says when it is not current. One of them with its keys:

```sh
weft describe torus
weft describe --for examples/torus-uniform.toml router     # the keys that a config can make use of
```

"""
#: Registry, heading, key of the config that names one, page that explains them.
SECTIONS = [
    ("topologies", "Topologies", "topology.kind", "topologies.md"),
    ("routers", "Routers", "router.kind", "routers.md"),
    ("schedulers", "Schedulers of crossbars", "router.scheduling", "switch.md"),
    ("engines", "Routing engines", "router.engine", "fabrics-ebb.md"),
    ("congestion", "Congestion control", "congestion.kind", "congestion.md"),
    ("dispersions", "Choice of routes by NICs", "nic.dispersion", "myrinet.md"),
    ("nic_policies", "Which NIC a message takes", "node.nic_policy", "nodes.md"),
    ("workloads", "Workloads", "workload.kind", "workloads.md"),
    ("patterns", "Patterns of synthetic traffic", "workload.pattern", "workloads.md"),
    ("arrivals", "Laws of arrivals", "workload.arrivals", "sources.md"),
    ("lengths", "Laws of packet lengths", "workload.packet_length", "switch.md"),
    ("kernels", "Kernels", "workload.name", "kernels.md"),
    ("operations", "Collective operations", "workload.name", "collectives.md"),
    ("accelerators", "Operations of accelerators", "workload.name, workload.algorithm", "accelerators.md"),
    ("exchanges", "Exchanges", "workload.name", "workloads.md"),
    ("matchings", "Matching of messages", "workload.matching", "programs.md"),
    ("placements", "Placement of tasks", "placement.policy", "workloads.md"),
    ("formats", "Formats of traces", "workload.trace_format", "trace-formats.md"),
]  # fmt: skip


def first_sentence(text):
    """Of a help, without a full stop, fit for a table."""
    text = " ".join(text.split()).replace("|", "\\|")
    return text.split(". ")[0].rstrip(".")


def more(registry, row, described):
    """What a row says behind its help."""
    if registry == "routers":
        if row["takes_routes"]:
            return "routes of any other kind, or `router.engine`"
        return ", ".join(f"`{mode['name']}`" for mode in row["modes"])
    if registry == "operations":
        return ", ".join(f"`{one['algorithm']}`" for one in described["collectives"]
                         if one["operation"] == row["name"])
    return ""


def table(registry, described):
    behind = {"routers": "routing", "operations": "algorithms"}.get(registry)
    lines = [f"| name | what |{f' {behind} |' if behind else ''}", f"|---|---|{'---|' if behind else ''}"]
    for row in described[registry]:
        line = f"| `{row['name']}` | {first_sentence(row['help'])} |"
        lines.append(line + (f" {more(registry, row, described)} |" if behind else ""))
    return lines


def page(described):
    lines = [HEAD.rstrip(), "", "| | | |", "|---|---|---|"]
    for registry, heading, key, link in SECTIONS:
        name = heading.lower().replace(" ", "-")
        lines.append(f"| [{heading}](#{name}) | {len(described[registry])} | `{key}`, [{link}]({link}) |")
    operations = {one["operation"] for one in described["collectives"]}
    lines += ["", f"{len(described['collectives'])} algorithms carry out the {len(operations)} collective operations; "
              f"configs have {len(described['settings'])} keys, results {len(described['figures'])} figures."]
    for registry, heading, key, link in SECTIONS:
        lines += ["", f"## {heading}", "", f"`{key.replace(', ', '`, `')}`: [{link}]({link}).", ""]
        lines += table(registry, described)
    return "\n".join(lines) + "\n"


def current():
    done = subprocess.run([harness.weft(), "describe", "--json", "-"], capture_output=True, text=True, check=True)
    return page(json.loads(done.stdout))


class Inventory(unittest.TestCase):
    maxDiff = 4000

    def test_the_page_is_what_the_program_says(self):
        self.assertEqual(PAGE.read_text(encoding="utf-8"), current(),
                         "to renew it: tests/by-hand tests/house/inventory_test.py --update")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        PAGE.write_text(current(), encoding="utf-8")
    else:
        unittest.main()
