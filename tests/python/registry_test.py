#!/usr/bin/env python3
"""weft.keys, weft.kinds, weft.topology, and the JSON schema of configs. Environment: WEFT_BINARY."""

import json
import subprocess
import tomllib
import unittest
from pathlib import Path

import package
import harness

harness.module("pandas")

import weft

WEFT = harness.weft()

EXAMPLES = sorted([*(harness.ROOT / "examples").glob("*.toml"), *(harness.ROOT / "examples" / "studies").glob("*.toml"),
                   *(harness.ROOT / "studies").glob("*/*.toml")])


class Registries(unittest.TestCase):
    def test_keys_are_texts_that_know_what_they_are(self):
        key = weft.keys().router.queue_packets
        self.assertEqual((key, key.unit, key.least, key.most, key.default),
                         ("router.queue_packets", "packets", 1, 255, 4))
        self.assertEqual(weft.keys("topology").dims.kinds[-1] in weft.kinds("topologies"), True)
        self.assertIn("queue_packets", dir(weft.keys("router")))
        self.assertIn("1..255 packets", key.explained())
        self.assertEqual(weft.run(package.SMALL, set={key: 2}).config["router"]["queue_packets"], 2)
        frame = weft.keys().frame()
        self.assertEqual(len(frame), len(json.loads(subprocess.run([WEFT, "describe", "--json", "-"],
                                                                   capture_output=True,
                                                                   check=True).stdout)["settings"]))

    def test_kinds_are_completed(self):
        self.assertIn("slim_fly", dir(weft.kinds().topologies))
        self.assertEqual(weft.kinds("topologies").slim_fly.name, "slim-fly")
        self.assertEqual(weft.kinds("topologies")["torus"]["keys"], weft.kinds().topologies.torus["keys"])
        self.assertIn("Study", dir(weft))

    def test_mistakes_name_the_nearest(self):
        with self.assertRaisesRegex(weft.Error, r"did you mean 'router'"):
            weft.keys("ruoter")
        with self.assertRaisesRegex(weft.Error, r"did you mean 'patterns'"):
            weft.kinds("pattern")
        with self.assertRaisesRegex(AttributeError, r"did you mean 'queue_packets'"):
            weft.keys("router").queue_packet
        with self.assertRaises(AttributeError):
            weft.nothing


class Topologies(unittest.TestCase):
    DRAGONFLY = {"topology": {"kind": "dragonfly", "nodes_per_router": 2, "routers_per_group": 4, "global_links": 2}}

    def test_the_edge_list_of_a_dragonfly_is_as_counted(self):
        network = weft.topology(self.DRAGONFLY)
        edges = network.edges()
        # 9 groups of 4 routers, all joined; a link between any two groups; 2 nodes a router.
        self.assertEqual((edges["kind"] == "router").sum(), 9 * 6 + 9 * 8 // 2)
        self.assertEqual((edges["kind"] == "node").sum(), 72)
        ports = [*zip(edges["source"], edges["source_port"], strict=True),
                 *zip(edges["target"], edges["target_port"], strict=True)]
        self.assertEqual(len(set(ports)), len(ports))
        self.assertEqual((network["nodes"], network["routers"]), (72, 36))

    def test_distances_of_the_graph_are_those_of_the_program(self):
        if not package.has("networkx"):
            self.skipTest("the module networkx is not installed")
        import networkx

        dragonfly = weft.topology(self.DRAGONFLY)
        self.assertEqual(networkx.diameter(dragonfly.graph()), dragonfly["diameter"])
        network = weft.topology({"topology": {"kind": "hyperx", "dims": [3, 4], "nodes_per_router": 2}})
        graph = network.graph()
        nodes = [vertex for vertex, kind in graph.nodes(data="kind") if kind == "node"]
        lengths = dict(networkx.all_pairs_shortest_path_length(graph))
        mean = sum(lengths[a][b] for a in nodes for b in nodes if a != b) / (24 * 23)
        self.assertAlmostEqual(mean, network["mean_distance"], places=3)
        ring = weft.topology({"topology": {"kind": "torus", "dims": [5], "unidirectional": True}}).graph()
        self.assertTrue(ring.is_directed())
        self.assertEqual(networkx.shortest_path_length(ring, "r0", "r4"), 4)

    def test_mistakes_are_the_programs(self):
        with self.assertRaisesRegex(weft.Error, "did you mean \"dragonfly\""):
            weft.topology({"topology": {"kind": "dragonfl"}})


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not package.has("jsonschema"):
            raise unittest.SkipTest("the module jsonschema is not installed")
        import jsonschema

        cls.schema = weft.schema()
        jsonschema.Draft7Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def problems(self, config):
        return [error.message for error in self.validator.iter_errors(config)]

    def test_every_example_is_valid(self):
        seen = 0
        for path in EXAMPLES:
            config = tomllib.loads(path.read_text(encoding="utf-8"))
            if {"sweep", "scaling", "leaf_core"} & config.keys() or path.name == "published.toml":
                continue
            seen += 1
            with self.subTest(example=path.name):
                self.assertEqual(self.problems(config), [])
        self.assertGreater(seen, 90)

    def test_mistakes_are_found(self):
        good = {"format": 1, "topology": {"kind": "torus", "dims": [4, 4]}}
        self.assertEqual(self.problems(good), [])
        self.assertEqual(self.problems({"include": "base.toml"}), [])
        for change in ({"router": {"knd": "bubble"}}, {"router": {"queue_packets": "4"}},
                       {"router": {"queue_packets": 0}},
                       {"router": {"queue_packets": 2.5}}, {"workload": {"offered_load": 1.5}},
                       {"workload": {"kind": "synthetc"}},
                       {"topology": {"kind": "torsu", "dims": [4]}}, {"topology": {"kind": "torus", "dims": [4, "4"]}},
                       {"topology": {"kind": "torus", "nodes_per_router": 2}},
                       {"router": {"kind": "bubble", "ugal_bias_cells": 1}},
                       {"router": {"routing": "shortst"}}, {"workload": {"pattern": "unifrom"}},
                       {"placement": {"policy": "rondom"}},
                       {"tolopogy": {}}, {"format": 2}, {"measure": {"batches": True}},
                       {"link": {"global": {"latency": 3}}},
                       {"job": [{"workload": {"kind": "kernel"}}]}, {"job": [{"name": "a", "workload": {"tsks": 3}}]},
                       {"parallel": {"protocol": "opti"}}, {"include": []}):
            with self.subTest(change=change):
                self.assertNotEqual(self.problems(good | change), [])
        self.assertNotEqual(self.problems({"topology": {"kind": "torus"}}), [])

    def test_mistakes_of_the_schema_are_mistakes_of_the_program(self):
        # What the schema refuses by itself, the program refuses as well: it is no stricter than what it describes.
        for change in ({"router.knd": "bubble"}, {"router.queue_packets": 0}, {"topology.nodes_per_router": 2},
                       {"workload.pattern": "unifrom"},
                       {"router.kind": "bubble", "router.ugal_bias_cells": 1}, {"router.routing": "shortst"}):
            with self.subTest(change=change), self.assertRaises(weft.Error):
                weft.run({**package.SMALL, **change})

    def test_every_key_and_kind_is_in_it_with_its_help(self):
        described = json.loads(subprocess.run([WEFT, "describe", "--json", "-"], capture_output=True,
                                              check=True).stdout)
        for row in described["settings"]:
            if row["table"] in ("", "job"):
                continue
            at = self.schema["definitions"][row["key"].split(".")[0]]
            for part in row["key"].split(".")[1:]:
                at = at["properties"][part]
            self.assertIn(row["help"], at["description"])
            self.assertEqual(at.get("default"), row["default"])
        self.assertEqual(self.schema["definitions"]["topology"]["properties"]["kind"]["enum"],
                         [kind["name"] for kind in described["topologies"]])

    def test_it_is_written_to_files_too(self):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weft.schema.json"
            subprocess.run([WEFT, "describe", "--schema", str(path)], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(json.loads(path.read_text()), self.schema)
        done = subprocess.run([WEFT, "describe", "--schema", "-", "router"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--schema and the word 'router' are both given", done.stderr)


if __name__ == "__main__":
    unittest.main()
