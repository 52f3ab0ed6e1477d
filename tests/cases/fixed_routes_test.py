"""The load at which the most loaded link of fixed routes is full, counted here over exported cables and tables, and
which engine router.engine = "auto" takes."""

import collections
import json
import re
import unittest

import cases

ENGINES = ("dor", "minhop", "sssp", "updn")


def engine(name):
    return ("--set", f'router.engine="{name}"')


class FixedRoutes(cases.Case):
    case = "fixed-routes"

    def bound(self, config, *words):
        return self.json_of("topology", config, *words)["fixed_routes"]

    def count(self, config, name):
        """(nodes - 1) / routes on the most loaded link between routers, walking the tables that weft writes."""
        self.weft("topology", config, "--export", "net.json")
        self.weft("fabric", "route", config, "--engine", name, "--out", "net.lfts")
        links = json.loads((self.folder / "net.json").read_text())["links"]
        far, home = {}, {}
        for link in links:
            for one, other in (("source", "target"), ("target", "source")):
                far[link[one], link.get(f"{one}_port")] = link[other]
            for one, other in ((link["source"], link["target"]), (link["target"], link["source"])):
                if one.startswith("n"):
                    home[one] = other
        tables = collections.defaultdict(dict)
        for line in (self.folder / "net.lfts").read_text().splitlines():
            if heading := re.match(r"Unicast .*\('(r\d+)'\)", line):
                at = tables[heading.group(1)]
            elif entry := re.match(r"0x[0-9a-f]+ (\d+) # Channel .*'(n\d+)'", line):
                at[entry.group(2)] = int(entry.group(1)) - 1
        load = collections.Counter()
        for to in home:
            for source in home:
                router = home[source]
                while router != home[to]:
                    port = tables[router][to]
                    load[router, port] += 1
                    router = far[router, port]
        return (len(home) - 1) / max(load.values())

    def test_of_an_engine_is_what_a_count_over_its_tables_says(self):
        for name in ("updn", "minhop"):
            with self.subTest(engine=name):
                found = self.bound("slim-fly.toml", *engine(name))
                self.assertTrue(found["exact"])
                self.assertAlmostEqual(found["load_bound"], self.count("slim-fly.toml", name), places=9)

    def test_of_a_large_network_is_what_fabric_compare_says(self):
        large = ("--set", "topology.q=13", "--set", "topology.nodes_per_router=12")
        found = self.bound("slim-fly.toml", *large, *engine("updn"))
        rows = self.json_of("fabric", "compare", "slim-fly.toml", *large, "--engine", "updn", "--count",
                            "1")["fabrics"][0]["engines"]
        self.assertTrue(found["exact"])
        self.assertLess(found["load_bound"], 0.07)
        self.assertAlmostEqual(found["load_bound"], rows[0]["all_to_all"], places=6)

    def test_is_told_with_faults_too_and_said_why_if_there_is_none(self):
        whole = self.bound("slim-fly.toml", *engine("minhop"))
        broken = self.bound("slim-fly.toml", *engine("minhop"), "--set", "faults.random_links=20")
        self.assertTrue(broken["exact"])
        self.assertEqual(broken["lost_pairs"], 0)
        self.assertLess(broken["load_bound"], whole["load_bound"])
        valiant = self.bound("slim-fly.toml", "--set", 'router.kind="switch"', "--set", 'router.routing="valiant"')
        self.assertIn("choice", valiant["why_not"])

    def test_auto_takes_the_engine_whose_routes_carry_most(self):
        for config in ("slim-fly.toml", "tree.toml"):
            bounds = {name: self.bound(config, *engine(name)) for name in ENGINES}
            best = max(found["load_bound"] for found in bounds.values() if "load_bound" in found)
            self.assertGreater(self.bound(config)["load_bound"], 0.99 * best, config)
        self.assertLess(bounds["dor"]["load_bound"], 0.5 * best)

    def test_auto_accepts_what_is_offered_where_up_and_down_does_not(self):
        auto = self.run_json("slim-fly.toml")
        updn = self.run_json("slim-fly.toml", router__engine="updn")
        self.assertGreater(auto["load"]["accepted"], 0.29)
        self.assertLess(updn["load"]["accepted"], auto["load"]["accepted"])
        self.assertEqual(auto["digest"], self.run_json("slim-fly.toml", ranks=2)["digest"])

    def test_auto_needs_no_more_layers_than_there_are_channels(self):
        one = self.run_json("slim-fly.toml", router__virtual_channels=1, workload__offered_load=0.01)
        self.assertAlmostEqual(one["load"]["accepted"], 0.01, delta=0.002)


if __name__ == "__main__":
    unittest.main()
