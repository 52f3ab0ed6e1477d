"""Cables that do not lead from a level to the next, in a tree of three levels: they are named as the exception, the
levels are those of all other cables, and every command that judges the fabric says the same, a run of its network
included."""

import sys
import unittest

import cases
from fabric_files import FabricCase, net_of, three_levels

sys.path.insert(0, str(cases.harness.ROOT / "tools" / "python"))
import weft


def cable(t, one, other):
    return next(c for c in t["cables"] if {c[0], c[1]} == {one, other})


class Levels(FabricCase):
    def judged(self, t):
        self.write("t.topo", net_of(t))
        found = self.verdicts("t.topo")
        self.assertEqual(self.json_of("fabric", "info", "t.topo")["levels"], [9, 9, 6])
        return found

    def test_a_sound_tree_of_three_levels_is_sound(self):
        self.assertEqual(self.judged(three_levels())["verdict"], "sound")
        self.assertRegex(self.weft("fabric", "info", "t.topo").splitlines()[1], "^sound +yes, as far as cables go$")

    def test_a_cable_from_a_leaf_to_the_top_is_the_exception(self):
        t = three_levels()
        t["cables"].append(["l0", "c1-0", None, "4xEDR"])
        found = self.judged(t)
        self.assertEqual(found["verdict"], "works")
        self.assertEqual(len(found["warnings"]), 1)
        self.assertRegex(found["warnings"][0], r"^wrong cable\? leaf0-0 .*core1-0.* leads from level 0 to level 2, ")
        self.assertEqual((len(found["cables_across_levels"]), found["cables_within_levels"]), (1, []))

    def test_a_cable_that_was_moved_to_the_top_leaves_one_missing(self):
        t = three_levels()
        cable(t, "l0", "m0-1")[1] = "c1-0"
        found = self.judged(t)
        said = " ".join(found["warnings"])
        self.assertRegex(said, r"wrong cable\? leaf0-0 .*core1-0")
        self.assertEqual([each["switch"] for each in found["missing_cables"]], ["middle0-1"],
                         "that of the leaf is the wrong one")

    def test_cables_of_a_leaf_and_of_the_top_that_are_crossed_are_named_as_a_pair(self):
        t = three_levels()
        low, high = cable(t, "l0", "m0-1"), cable(t, "m1-2", "c2-0")
        low[1], high[1] = high[1], low[1]  # leaf with top, and two of the middle
        found = self.judged(t)
        self.assertEqual(found["verdict"], "works")
        self.assertEqual(len(found["warnings"]), 1, found["warnings"])
        self.assertRegex(found["warnings"][0],
                         r"^crossed cables\? .*leaf0-0.*core2-0|^crossed cables\? .*core2-0.*leaf0-0")
        for name in ("middle0-1", "middle1-2"):
            self.assertIn(name, found["warnings"][0])
        self.assertEqual((len(found["cables_across_levels"]), len(found["cables_within_levels"])), (1, 1))

    def test_two_cables_to_the_top_are_both_wrong(self):
        t = three_levels(pods=4)
        t["cables"] += [["l0", "c1-0", None, "4xEDR"], ["l5", "c0-1", None, "4xEDR"]]
        self.write("t.topo", net_of(t))
        found = self.verdicts("t.topo")
        self.assertEqual(len([line for line in found["warnings"] if line.startswith("wrong cable?")]), 2,
                         found["warnings"])

    def test_a_part_that_is_cut_off_is_broken_for_all_that_can_say_so(self):
        t = three_levels()
        t["cables"] = [c for c in t["cables"] if c[0] != "l0"]
        self.write("t.topo", net_of(t))
        info = self.json_of("fabric", "info", "t.topo")
        self.weft("fabric", "check", "t.topo", code=4)
        self.assertEqual(info["verdict"], "broken")
        self.assertRegex(self.weft("fabric", "info", "t.topo"), r"\nsound +no: the hosts are in 2 parts")


class Runs(FabricCase):
    def test_a_run_with_tables_has_the_verdict_of_check_with_tables(self):
        self.write("t.topo", net_of(three_levels()))
        self.weft("fabric", "route", "t.topo", "--engine", "updn", "--out", "t.lfts")
        check = self.json_of("fabric", "check", "t.topo", "--tables", "t.lfts")
        self.write("run.toml", """format = 1
simulation = { stop = "cycles", cycles = 5 }
topology = { kind = "file", path = "t.topo", tables = "t.lfts" }
router = { virtual_channels = 1 }
workload = { kind = "synthetic", pattern = "uniform", offered_load = 0.01 }
""")  # fmt: skip
        run = self.run_json("run.toml", "--out", self.folder / "r.h5")
        self.assertEqual(run["fabric_verdict"], check["verdict"])
        self.assertEqual(weft.load(self.folder / "r.h5").summary["fabric_verdict"], check["verdict"])
        self.assertRegex(self.weft("topology", "run.toml"), r"sound: (yes|it works)")
        self.assertEqual(self.json_of("fabric", "info", "t.topo", "--tables", "t.lfts")["verdict"], check["verdict"])

    def test_other_networks_have_no_verdict(self):
        self.write("run.toml",
                   'format = 1\nsimulation = { stop = "cycles", cycles = 5 }\ntopology = { kind = "torus", dims = [4, '
                   '4] }\n')
        self.assertNotIn("fabric_verdict", self.run_json("run.toml"))


if __name__ == "__main__":
    unittest.main()
