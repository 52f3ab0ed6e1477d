"""weft fabric what-if --during: rates of flows over time against a slow count of its own in Python, by hand on a tree,
and what is refused."""

import json
import unittest
from collections import Counter

from fabric_losses_test import CABLES, HOSTS, Twin, toml
from fabric_runs import fabric
import harness

TREE = 'format = 1\n[topology]\nkind = "thin-tree"\ndown = 4\nup = 2\nlevels = 2\n'


def route(twin, a, b):
    """The channels from one host to another, hosts' own included; none if there is no path."""
    hops = twin.distances(twin.at[b])
    if twin.at[a] not in hops:
        return None
    here, channels = twin.at[a], [("from", a), ("to", b)]
    while here != twin.at[b]:
        port = min(p for p, far in twin.out[here].items() if hops.get(far) == hops[here] - 1)
        channels.append((here, port))
        here = twin.out[here][port]
    return channels


def rates(twin, flows):
    """What each of the flows of a round gets: 1 / the most flows on a channel of its route."""
    routes = [route(twin, a, b) if a in twin.at and b in twin.at else None for a, b in flows]
    loads = Counter(channel for one in routes for channel in one or ())
    return [1 / max(loads[channel] for channel in one) if one else 0 for one in routes]


def summary(rounds):
    flat = [rate for one in rounds for rate in one]
    return {"total": sum(flat) / len(rounds), "mean": sum(flat) / len(flat), "worst": min(flat),
            "stopped": sum(rate == 0 for rate in flat)}


class During(harness.Scratch):
    def during(self, *words, code=0):
        return json.loads(fabric("what-if", *words, "--during", "--json", "-", code=code).stdout)

    def assert_rates(self, found, expected, message):
        for key, value in expected.items():
            self.assertAlmostEqual(found[key], value, msg=f"{message}: {key}")

    def test_flows_get_what_a_count_of_its_own_says(self):
        path, hosts = self.write("ring.toml", toml(CABLES)), list(HOSTS)
        whole = Twin(CABLES)
        shifts = [[(hosts[k], hosts[(k + by) % len(hosts)]) for k in range(len(hosts))] for by in range(1, len(hosts))]
        # A link on which many routes are, one that cuts two hosts off, and a switch with its host.
        for words, gone in ((["s1:3"], CABLES[5]), (["s2:3"], CABLES[6]), (["s4"], "s4")):
            left = Twin(CABLES, without=[gone])
            switches = {gone} if isinstance(gone, str) else set()
            ends = {(end.split(":")[0], int(end.split(":")[1])) for end in gone} if not switches else set()

            def crosses(a, b):
                return {whole.at[a], whole.at[b]} & switches or any(
                    (s, p) in ends or s in switches or whole.out.get(s, {}).get(p) in switches
                    for s, p in route(whole, a, b))

            before = [rates(whole, flows) for flows in shifts]
            old = [[0 if crosses(a, b) else rate for (a, b), rate in zip(flows, one, strict=True)]
                   for flows, one in zip(shifts, before, strict=True)]
            new = [rates(left, [(a, b) if {a, b} <= left.largest() else ("h", "h") for a, b in flows])
                   for flows in shifts]
            found = self.during(path, "--without", *words, "--engine", "dor", "--pattern", "all-to-all",
                                "--detection-us", 10, "--sweep-us", 90, "--repair-us", 250)
            self.assertEqual((found["patterns"], found["flows"]), (1, 72))
            self.assert_rates(found["before"], summary(before), words)
            steps = [(one["from_us"], one["until_us"], one["works"], one["tables"]) for one in found["during"]]
            self.assertEqual(steps,
                             [(0, 100, False, "old"), (100, 250, False, "new"), (250, 350, True, "new"),
                              (350, None, True, "old")])
            for one, expected in zip(found["during"], (old, new, new, before), strict=True):
                self.assert_rates(one, summary(expected), (words, one["from_us"]))
            self.assertGreater(found["during"][0]["stopped"], 0)
            totals = [summary(each)["total"] for each in (before, old, new)]
            for one, place, us in zip(found["during"], (1, 2, 2), (100, 150, 100), strict=False):
                self.assertAlmostEqual(one["lost_link_us"], (totals[0] - totals[place]) * us)

    def test_a_ring_on_a_tree_is_counted_by_hand(self):
        tree = self.write("tree.toml", TREE)
        # Of 16 flows 3 stay in leaf 0, one leaves it and one comes in: 5 stop with it.
        leaf = self.during(tree, "--without", "r0", "--pattern", "ring", "--sweep-us", 200)
        self.assertEqual([(one["total"], one["stopped"], one["until_us"]) for one in leaf["during"]],
                         [(11, 5, 200), (11, 5, None)])
        # The four flows between leaves go to the first host of one, which all have one top: the other has none.
        tops = [self.during(tree, "--without", top, "--pattern", "ring", "--sweep-us", 200) for top in ("r4", "r5")]
        self.assertEqual(sorted(one["during"][0]["stopped"] for one in tops), [0, 4])
        self.assertEqual([one["during"][1]["total"] for one in tops], [16, 16])
        self.assertEqual(sorted(one["during"][0]["lost_link_us"] for one in tops), [0, 4 * 200])
        # A host's cable: what it sends and what is sent to it.
        host = self.during(tree, "--without", "n5", "--pattern", "ring", "--detection-us", 1)
        self.assertEqual([one["stopped"] for one in host["during"]], [2, 2])

    def test_what_works_again_before_it_is_known_gets_no_new_tables(self):
        tree = self.write("tree.toml", TREE)

        def phases(detection, sweep, repair):
            found = self.during(tree, "--without", "r4", "--count", 5, "--detection-us", detection, "--sweep-us", sweep,
                                "--repair-us", repair)
            return [(one["from_us"], one["works"], one["tables"]) for one in found["during"]]

        self.assertEqual(phases(100, 10, 100), [(0, False, "old"), (100, True, "old")])
        self.assertEqual(phases(10, 100, 100), [(0, False, "old"), (100, True, "old")])
        # Known when the tables are made, though it works when they come.
        self.assertEqual(phases(20, 100, 110),
                         [(0, False, "old"), (110, True, "old"), (120, True, "new"), (230, True, "old")])

    def test_the_patterns_are_those_of_what_if(self):
        tree = self.write("tree.toml", TREE)
        sides = json.loads(fabric("what-if", tree, "--without", "r4", "--count", 50, "--json", "-").stdout)
        found = self.during(tree, "--without", "r4", "--count", 50)
        self.assertAlmostEqual(found["before"]["mean"], sides["before"]["bandwidth"]["mean"])
        self.assertAlmostEqual(found["during"][-1]["mean"], sides["after"]["bandwidth"]["mean"])
        text = fabric("what-if", tree, "--without", "r4", "--count", 50, "--during", "--sweep-us", 5).stdout
        self.assertRegex(text, r"0 us +5 us +down, old tables")

    def test_what_makes_no_sense_is_refused(self):
        tree = self.write("tree.toml", TREE)
        for words, why in ((["--during"], "say --without"),
                           (["--without", "r4", "--sweep-us", "1"], "without --during"),
                           (["--without", "r4", "--pattern", "ring"], "without --during"),
                           (["--during", "--each-link"], "leave --each-link"),
                           (["--during", "--without", "r4", "--out", "x.html"], "no page"),
                           (["--during", "--without", "r9"], "did you mean"),
                           (["--during", "--without", "r4", "--pattern", "rng"], "there is no pattern"),
                           (["--during", "--without", "r4", "--repair-us", "-1"], "no time after the failure")):
            with self.subTest(words):
                self.assertIn(why, fabric("what-if", tree, *words, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
