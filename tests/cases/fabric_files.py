"""Fabrics that tests make, cables of dumps that they change, and what all commands say of them."""

import collections
import csv
import os
import re
from pathlib import Path

import cases

SHARED = Path(os.environ.get("WEFT_SHARED", cases.harness.ROOT.parent / "shared"))


def tree(leaves=6, spines=3, hosts=4, names=None):
    """Cables of a tree of two levels: {(leaf, spine): speed}, and the names of its switches."""
    names = names or {**{f"l{k}": f"leaf{k}" for k in range(leaves)}, **{f"s{k}": f"spine{k}" for k in range(spines)}}
    return {"leaves": leaves, "spines": spines, "hosts": hosts, "names": names,
            "cables": [[f"l{a}", f"s{b}", a * spines + b, "4xEDR"] for a in range(leaves) for b in range(spines)]}


def net_of(t):
    """The tree as TOML. Names may be alike: a net file tells nodes apart by their ids."""
    lines, at = [], {}
    for a, b, _, speed in t["cables"]:
        at.setdefault(a, []).append((b, speed))
        at.setdefault(b, []).append((a, speed))
    port = {}
    for node, peers in at.items():
        for k, (peer, _) in enumerate(peers):
            port.setdefault((node, peer), []).append(k + 1)
    used = {}
    for k, (node, name) in enumerate(t["names"].items()):
        lines += [f"switchguid=0x{0xA000 + k:x}", f'Switch 40 "S-{node}" # "{name}" base port 0 lid {k + 1} lmc 0']
        for k2, (peer, speed) in enumerate(at.get(node, [])):
            mine = used.get((node, peer), 0)
            used[node, peer] = mine + 1
            lines.append(f'[{k2 + 1}] "S-{peer}"[{port[peer, node][mine]}] # "x" lid 0 {speed}')
        if node.startswith("l"):
            lines += [f'[{21 + h}] "H-{node}-{h}"[1] # "h" lid 0 4xEDR' for h in range(t["hosts"])]
    for leaf in range(t["leaves"]):
        for h in range(t["hosts"]):
            k = 100 + leaf * t["hosts"] + h
            lines += [f"caguid=0x{0xB000 + k:x}", f'Ca 1 "H-l{leaf}-{h}" # "node{leaf:02}{h:02} HCA-1"',
                      f'[1] "S-l{leaf}"[{21 + h}] # lid {k} lmc 0 "x" lid 0 4xEDR']  # fmt: skip
    return "# Topology file: generated on a day\n" + "\n".join(lines) + "\n"


def three_levels(pods=3, leaves=3, middles=3, cores=2, hosts=2):
    """The same of three levels: each pod has `leaves` x `middles` cables, each middle switch one to each of its own
    `cores`."""
    names, cables = {}, []
    for pod in range(pods):
        for a in range(leaves):
            names[f"l{pod * leaves + a}"] = f"leaf{pod}-{a}"
        for b in range(middles):
            names[f"m{pod}-{b}"] = f"middle{pod}-{b}"
            cables += [[f"l{pod * leaves + a}", f"m{pod}-{b}", None, "4xEDR"] for a in range(leaves)]
            cables += [[f"m{pod}-{b}", f"c{b}-{c}", None, "4xEDR"] for c in range(cores)]
    names.update({f"c{b}-{c}": f"core{b}-{c}" for b in range(middles) for c in range(cores)})
    return {"leaves": pods * leaves, "hosts": hosts, "names": names, "cables": cables}


class FabricCase(cases.Case):
    """A test of fabrics by all commands that judge them."""

    def verdicts(self, fabric):
        """What `check` says; all others must have the same verdict and warnings."""
        check = self.json_of("fabric", "check", fabric)
        few = ("--count", "5")
        report = self.weft("fabric", "report", fabric, "--out", "page.html", "--csv", "page.csv", *few)
        with (self.folder / "page.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        ends = collections.Counter(row[0] for row in rows)  # of hosts one
        switch, port = next(row for row in rows if ends[row[0]] > 1 and ends[row[2]] > 1)[:2]
        gone = ("--each-switch",) if check["switches"] <= 64 else ("--without", f"{switch}:{port}")
        others = {"info": self.json_of("fabric", "info", fabric),
                  "what-if": self.json_of("fabric", "what-if", fabric, *gone, *few),
                  "compare": self.json_of("fabric", "compare", fabric, *few, "--engine", "minhop", "--progress",
                                          "never")}
        page = (self.folder / "page.html").read_text()
        for command, found in others.items():
            found = found.get("fabrics", [found])[0]
            self.assertEqual((found["verdict"], found["warnings"]), (check["verdict"], check["warnings"]), command)
        for warning in check["warnings"]:
            self.assertIn(warning, report)
            self.assertIn(warning.split(":")[0].split("?")[0], page)
        self.same_in_a_run(fabric, check)
        return check

    def same_in_a_run(self, fabric, check):
        self.write("run.toml", f"""format = 1
simulation = {{ stop = "cycles", cycles = 5 }}
topology = {{ kind = "file", path = "{fabric}", link_rates = "equal" }}
router = {{ virtual_channels = 1 }}
deadlock = {{ check = "off" }}
workload = {{ kind = "synthetic", pattern = "uniform", offered_load = 0.01 }}
""")  # fmt: skip
        run = self.run_json("run.toml")
        self.assertEqual(run["fabric_verdict"], check["verdict"])
        said = [warning for warning in run["warnings"] if "is the fabric sound?" in warning]
        self.assertEqual(len(said), 1 if check["warnings"] else 0)
        if said:
            self.assertIn(check["warnings"][0], said[0])


class Cables:
    """What ibnetdiscover printed, as lines that can be changed at both ends of a cable. An end is a node and its
    port."""

    LINE = re.compile(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([SH]-[\w-]+)"\[(\d+)\]')

    def __init__(self, text):
        self.lines, self.ends, self.names, self.guids, self.hosts, node = text.splitlines(), {}, {}, {}, [], ""
        guid = 0
        for k, line in enumerate(self.lines):
            if line.startswith(("switchguid=", "caguid=")):
                guid = int(re.search(r"=0x([0-9a-f]+)", line)[1], 16)
            elif line.startswith(("Switch", "Ca")):
                node, name = (part.strip() for part in re.match(r'\w+\s+\d+\s+"([SH]-[\w-]+)"\s+# "([^"]*)"',
                                                                line).groups())
                self.names[node], self.guids[node] = name, guid
                self.hosts += [name] if line.startswith("Ca") else []
            elif node.startswith("S") and (found := self.LINE.match(line)):
                self.ends[node, int(found[1])] = (k, (found[2], int(found[3])))
        self.between_switches = [(end, far) for end, (_, far) in self.ends.items() if far[0].startswith("S") and end
                                 < far]

    def name_of(self, end):
        return self.names[end[0]]

    def is_beside(self, one, other):
        """Of the same two levels, by the letters that names begin with, and of other switches."""
        ends = list(zip(one, other))
        return all(end[0] != end2[0] and self.name_of(end)[:2] == self.name_of(end2)[:2] for end, end2 in ends)

    def with_lines(self, change):
        return "\n".join(line for line in (change.get(k, line) for k, line in enumerate(self.lines))
                         if line is not None) + "\n"

    def slowed(self, cable):
        places = [self.ends[end][0] for end in cable]
        return self.with_lines({k: re.sub(r"\dx\w+$", "1xSDR", self.lines[k]) for k in places})

    def without(self, cable):
        return self.with_lines({self.ends[end][0]: None for end in cable})

    def crossed(self, one, other):
        """Their far ends exchanged."""
        change = {}
        for pair in zip(one, other):
            (k, _), (k2, _) = (self.ends[end] for end in pair)
            port, tail = self.lines[k].split("]", 1)
            port2, tail2 = self.lines[k2].split("]", 1)
            change |= {k: f"{port}]{tail2}", k2: f"{port2}]{tail}"}
        return self.with_lines(change)

    def with_one_name(self, name):
        """All switches called alike."""
        return "\n".join(re.sub(r'# "[^"]*"', f'# "{name}"', line, count=1) if line.startswith("Switch") else line
                         for line in self.lines) + "\n"
