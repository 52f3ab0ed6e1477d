"""weft fabric what-if --each-link and --each-switch: every loss against a slow count of its own in Python, closed forms
of trees, and the same ranking on any number of ranks."""

import csv
import json
import unittest
from collections import Counter

from fabric_runs import fabric
import harness

# A ring of five switches with a chord, one behind a single link, and unequally many hosts; "switch:port" of both ends.
CABLES = [("s0:1", "s1:1"), ("s1:2", "s2:1"), ("s2:2", "s3:1"), ("s3:2", "s4:1"), ("s4:2", "s0:2"), ("s1:3", "s3:3"),
          ("s2:3", "s5:1"),
          ("s0:3", "s1:4")]
HOSTS = {"h0": "s0:8", "h1": "s0:9", "h2": "s1:8", "h3": "s2:8", "h4": "s2:9", "h5": "s4:8", "h6": "s5:8", "h7": "s5:9",
         "h8": "s3:8"}


class Twin:
    """The fabric in dictionaries, routed through the lowest port on a shortest path, counted route by route."""

    def __init__(self, cables, without=()):
        self.out = {}  # switch: {port: switch}
        for a, b in cables:
            (sa, pa), (sb, pb) = a.split(":"), b.split(":")
            if (a, b) in without or sa in without or sb in without:
                continue
            self.out.setdefault(sa, {})[int(pa)] = sb
            self.out.setdefault(sb, {})[int(pb)] = sa
        self.at = {host: end.split(":")[0] for host, end in HOSTS.items() if end.split(":")[0] not in without}
        for switch in self.at.values():
            self.out.setdefault(switch, {})

    def distances(self, target):
        found, edge = {target: 0}, [target]
        while edge:
            edge = [far for near in edge for far in self.out[near].values() if far not in found
                    and not found.update({far: found[near] + 1})]
        return found

    def pairs(self):
        return {(a, b) for b in self.at for a in self.at if a != b and self.at[a] in self.distances(self.at[b])}

    def largest(self):
        parts = {frozenset(h for h in self.at if self.at[h] in self.distances(s)) for s in self.out}
        return max(parts, key=len)

    def loads(self, hosts):
        """Routes on each channel (switch, port), and the links of the longest route."""
        loads, longest = Counter(), 0
        for b in hosts:
            hops = self.distances(self.at[b])
            for a in hosts - {b}:
                here, links = self.at[a], 2
                while here != self.at[b]:
                    port = min(p for p, far in self.out[here].items() if hops.get(far) == hops[here] - 1)
                    loads[here, port] += 1
                    here, links = self.out[here][port], links + 1
                longest = max(longest, links)
        return loads, longest

    def all_to_all(self, hosts):
        return (len(hosts) - 1) / max([len(hosts) - 1, *self.loads(hosts)[0].values()])


def toml(cables):
    names = sorted({end.split(":")[0] for pair in cables for end in pair}
                   | {end.split(":")[0] for end in HOSTS.values()})
    text = "[fabric]\nswitches = [" + ", ".join(f'{{ name = "{name}", ports = 9 }}' for name in names) + "]\n"
    text += "hosts = [" + ", ".join(f'{{ name = "{name}" }}' for name in HOSTS) + "]\n"
    links = [*cables, *((host, end) for host, end in HOSTS.items())]
    return text + "links = [" + ", ".join(f'["{a}", "{b}"]' for a, b in links) + "]\n"


class EachLoss(harness.Scratch):
    def losses(self, *words, ranks=1):
        return json.loads(fabric("what-if", *words, "--json", "-", "--top", "0", ranks=ranks).stdout)

    def check(self, loss, before, after):
        hosts = after.largest()
        lost = before.pairs() - after.pairs()
        self.assertEqual((loss["hosts_cut_off"], loss["pairs_lost"]), (len(before.largest()) - len(hosts), len(lost)),
                         loss["name"])
        loads, longest = after.loads(hosts)
        self.assertEqual(loss["longest"], longest, loss["name"])
        self.assertAlmostEqual(loss["all_to_all"]["before"], before.all_to_all(hosts), msg=loss["name"])
        self.assertAlmostEqual(loss["all_to_all"]["after"], after.all_to_all(hosts), msg=loss["name"])
        if not lost:
            self.assertEqual(loss["most_routes"], max(loads.values()), loss["name"])

    def test_of_links_is_what_a_count_of_its_own_says(self):
        found = self.losses(self.write("ring.toml", toml(CABLES)), "--each-link", "--engine", "dor", "--count", "50")
        self.assertEqual(found["count"], len(CABLES))
        by_name = {loss["name"]: loss for loss in found["losses"]}
        for a, b in CABLES:
            name = " - ".join(end.replace(":", " port ") for end in sorted((a, b)))
            self.check(by_name[name], Twin(CABLES), Twin(CABLES, without=[(a, b)]))
        self.assertEqual(found["losses"][0]["name"], "s2 port 3 - s5 port 1")
        self.assertEqual((found["losses"][0]["hosts_cut_off"], found["losses"][0]["pairs_lost"]), (2, 28))

    def test_of_switches_is_what_a_count_of_its_own_says(self):
        found = self.losses(self.write("ring.toml", toml(CABLES)), "--each-switch", "--engine", "dor", "--count", "50")
        self.assertEqual(sorted(loss["name"] for loss in found["losses"]), [f"s{k}" for k in range(6)])
        for loss in found["losses"]:
            self.check(loss, Twin(CABLES), Twin(CABLES, without=[loss["name"]]))
        self.assertEqual([loss["pairs_lost"] for loss in found["losses"]],
                         sorted((loss["pairs_lost"] for loss in found["losses"]), reverse=True))

    def test_has_the_bandwidth_of_a_fabric_that_never_had_the_link(self):
        whole = self.write("ring.toml", toml(CABLES))
        found = self.losses(whole, "--each-link", "--engine", "minhop", "--count", "100")
        by_name = {loss["name"]: loss for loss in found["losses"]}
        rest = self.write("rest.toml", toml(CABLES[1:]))
        for path, key in ((whole, "before"), (rest, "after")):
            measured = json.loads(fabric("ebb", path, "--engine", "minhop", "--count", "100", "--json", "-").stdout)
            self.assertAlmostEqual(by_name["s0 port 1 - s1 port 1"]["bandwidth"][key], measured["bandwidth"]["mean"])

    def test_of_a_spine_of_four_costs_a_quarter_of_the_all_to_all(self):
        clos = self.write("clos.toml",
                          'format = 1\n[topology]\nkind = "clos"\nleaf_down = 12\nleaf_up = 4\nleaves = 3\n')
        found = self.losses(clos, "--each-switch", "--by", "all-to-all", "--count", "20")
        leaves, spines = found["losses"][:3], found["losses"][3:]
        self.assertEqual([loss["hosts_cut_off"] for loss in leaves], [12] * 3)
        self.assertEqual(len(spines), 4)
        for loss in spines:
            # A leaf sends 12 * 24 routes up, over four links or over three; each host sends 35.
            self.assertAlmostEqual(loss["all_to_all"]["before"], 35 / (12 * 24 / 4))
            self.assertAlmostEqual(loss["all_to_all"]["after"], 35 / (12 * 24 / 3))
            self.assertAlmostEqual(loss["all_to_all"]["loss"], 1 / 4)
            self.assertEqual((loss["pairs_lost"], loss["hosts_cut_off"]), (0, 0))

    def test_is_the_same_on_any_number_of_ranks_and_in_csv(self):
        path, table = self.write("ring.toml", toml(CABLES)), self.folder / "losses.csv"
        alone = self.losses(path, "--each-link", "--count", "64", "--csv", table)
        for ranks in (2, 3):
            self.assertEqual(self.losses(path, "--each-link", "--count", "64", ranks=ranks), alone)
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["without"] for row in rows], [loss["name"] for loss in alone["losses"]])
        self.assertEqual([float(row["all_to_all_after"]) for row in rows],
                         [loss["all_to_all"]["after"] for loss in alone["losses"]])

    def test_lists_as_many_as_are_asked_for_and_tells_what_an_engine_refuses(self):
        text = fabric("what-if", self.write("ring.toml", toml(CABLES)), "--each-link", "--top", "3", "--count",
                      "10").stdout
        self.assertIn("and 5 more that cost less", text)
        torus = self.write("torus.toml", 'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n')
        self.assertIn("no fat tree", fabric("what-if", torus, "--each-link", "--engine", "dmodk", code=2).stderr)

    def test_goes_with_no_option_that_would_have_no_effect(self):
        path = self.write("ring.toml", toml(CABLES))
        self.assertIn("--without", fabric("what-if", path, code=2).stderr)
        self.assertIn("--tables has no effect", fabric("what-if", path, "--each-link", "--tables", "t", code=2).stderr)
        self.assertIn("--csv has no effect", fabric("what-if", path, "--without", "s5", "--csv", "x.csv",
                                                    code=2).stderr)
        fabric("what-if", path, "--without", "s5", "--each-link", code=2)
        one = self.write("one.toml",
                         '[fabric]\nswitches = [{ name = "s", ports = 4 }]\nhosts = [{ name = "a" }, { name = "b" }]\n'
                         'links = [["a", "s"], ["b", "s"]]\n')
        self.assertIn("no link between switches", fabric("what-if", one, "--each-link", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
