"""weft fabric compare: engines side by side, against closed forms and what other commands say of the same routes."""

import csv
import json
import unittest

from fabric_runs import CLOS, ebb, fabric
import harness

DUMPS = harness.ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2"
NET, TABLES = DUMPS / "ibnetdiscover.txt", DUMPS / "minhop" / "opensm-lfts.dump.xz"
TORUS = 'format = 1\n[topology]\nkind = "torus"\ndims = [5, 5]\n'
ENGINES = {"minhop", "updn", "dmodk", "dor", "sssp"}


class Comparisons(harness.Scratch):
    def compare(self, *words, ranks=1):
        found = json.loads(fabric("compare", *words, "--json", "-", "--count", "40", ranks=ranks).stdout)
        return [{row["engine"]: row for row in block["engines"]} for block in found["fabrics"]], found

    def test_know_what_a_full_tree_gives(self):
        (rows,), found = self.compare(self.write("clos.toml", CLOS + "[link]\nrate_gbps = 32\n"))
        self.assertEqual(set(rows), ENGINES)
        row = rows["dmodk"]
        self.assertEqual((row["all_to_all"], row["shift"], row["all_to_all_mb_per_s"]), (1, 1, 4000))
        self.assertEqual((row["deadlock_free"], row["virtual_lanes"], row["lost_routes"], row["longest"]),
                         (True, 1, 0, 4))
        self.assertEqual(found["fabrics"][0]["link_mb_per_s"], 4000)
        # 12 of the 15 others are behind the spines, 3 at the same switch.
        for row in rows.values():
            self.assertAlmostEqual(row["mean_links"], (12 * 4 + 3 * 2) / 15)

    def test_say_who_needs_virtual_lanes_and_who_does_not_route(self):
        torus = self.write("torus.toml", TORUS)
        (rows,), _ = self.compare(torus)
        self.assertFalse(rows["dmodk"]["routed"])
        self.assertIn("tree", rows["dmodk"]["refusal"])
        self.assertEqual((rows["updn"]["deadlock_free"], rows["updn"]["virtual_lanes"]), (True, 1))
        self.assertFalse(rows["dor"]["deadlock_free"])
        self.assertIn(rows["dor"]["virtual_lanes"], (2, 3), "two are enough; they are sought greedily")
        # Rings of five: 600 routes of 60 links in all between switches, 25 switches with 4 channels, 24 others for
        # each.
        self.assertAlmostEqual(rows["dor"]["mean_routes"], 25 * 60 / 100)
        self.assertEqual((rows["dor"]["most_routes"], rows["dor"]["all_to_all"]), (15, 1))
        text = fabric("compare", torus, "--engine", "dor", "--engine", "dmodk", "--count", "10").stdout
        self.assertRegex(text, r"dor +all +[23] VLs")
        self.assertRegex(text, r"dmodk +refused +n/a")
        mesh = self.write("mesh.toml", TORUS.replace("torus", "mesh"))
        (rows,), _ = self.compare(mesh, "--engine", "dor")
        self.assertTrue(rows["dor"]["deadlock_free"])

    def test_have_recorded_tables_beside_the_engines(self):
        (rows,), _ = self.compare(NET, "--tables", TABLES)
        self.assertEqual(set(rows), ENGINES | {"recorded tables"})
        row = rows["recorded tables"]
        self.assertEqual((row["most_routes"], row["deadlock_free"], row["seconds"]), (110, False, None))
        self.assertGreater(row["virtual_lanes"], 1)
        self.assertEqual(row["bandwidth"]["mean"], ebb(NET, "--tables", TABLES, "--count", "40")["bandwidth"]["mean"])
        self.assertEqual(rows["sssp"]["bandwidth"]["mean"], ebb(NET, "--engine", "sssp", "--count",
                                                                "40")["bandwidth"]["mean"])
        # 4xQDR: 32 Gb/s.
        self.assertAlmostEqual(row["all_to_all_mb_per_s"], 4000 * row["all_to_all"])
        self.assertAlmostEqual(row["all_to_all"], 71 / 110)

    def test_of_several_fabrics_are_a_block_each_and_the_same_on_any_number_of_ranks(self):
        words = (self.write("clos.toml", CLOS), self.write("torus.toml", TORUS))
        table = self.folder / "rows.csv"
        blocks, alone = self.compare(*words, "--csv", table)
        self.assertEqual(len(blocks), 2)
        _, shared = self.compare(*words, ranks=2)
        for found in (alone, shared):
            for block in found["fabrics"]:
                for row in block["engines"]:
                    row.pop("seconds", None)
        self.assertEqual(alone, shared)
        with table.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 10)
        for row in rows:
            block = next(b for b in alone["fabrics"] if b["fabric"] == row["fabric"])
            same = next(e for e in block["engines"] if e["engine"] == row["engine"])
            self.assertEqual(row["shift"], "" if not same["routed"] else row["shift"])
            if same["routed"]:
                self.assertAlmostEqual(float(row["shift"]), same["shift"])
                self.assertEqual(float(row["most_routes"]), same["most_routes"])

    def test_refuse_tables_that_no_fabric_goes_with(self):
        torus = self.write("torus.toml", TORUS)
        self.assertIn("leave some out", fabric("compare", torus, "--tables", "a", "--tables", "b", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
