"""What an administrator asks of a fabric: which cable is slow, missing or crossed, and which is meant where names are
not unique. Faults that are put into a generated tree at random are found by check, report, what-if and compare alike;
so are they in public dumps."""

import random
import unittest

from fabric_files import SHARED, Cables, FabricCase, net_of, tree


class Tasks(FabricCase):
    case = "fabrics-tasks"

    def test_one_of_parallel_cables_is_slow(self):
        found = self.verdicts("ends.toml")
        self.assertEqual(found["verdict"], "works")
        self.assertEqual([each["speed"] for each in found["slow_links"]], ["1xHDR"])
        text = self.weft("fabric", "check", "ends.toml").splitlines()
        self.assertRegex(text[1], "sound +it works, but see 1 warning")
        self.assertIn("slow cable", text[2])

    def test_a_sound_tree_is_sound(self):
        self.write("t.topo", net_of(tree()))
        self.assertEqual(self.verdicts("t.topo")["verdict"], "sound")

    def test_random_faults_are_found_by_all(self):
        for seed in range(6):
            draw = random.Random(seed)
            t = tree(leaves=draw.randint(5, 9), spines=draw.randint(3, 5))
            fault = ("removed", "slowed", "crossed")[seed % 3]
            one = draw.choice(t["cables"])
            if fault == "removed":
                t["cables"].remove(one)
            elif fault == "slowed":
                one[3] = "1xEDR"
            else:
                other = draw.choice([c for c in t["cables"] if c[0] != one[0] and c[1] != one[1]])
                one[1], other[1] = other[1], one[1]
            if seed >= 3:  # renamed: all switches have one description
                t["names"] = dict.fromkeys(t["names"], "SwitchIB Mellanox Technologies")
            self.write("t.topo", net_of(t))
            found = self.verdicts("t.topo")
            self.assertEqual(found["verdict"], "works", (seed, fault))
            key = {"removed": "missing_cables", "slowed": "slow_links", "crossed": "crossed_cables"}[fault]
            self.assertTrue(found[key], (seed, fault))
            if seed >= 3:
                guids = {node: 0xA000 + k for k, node in enumerate(t["names"])}
                self.assertIn(f"[0x{guids[one[0]]:x}, LID ", " ".join(found["warnings"]), (seed, fault))

    def test_who_is_named_can_be_found(self):
        t = tree()
        t["names"] = dict.fromkeys(t["names"], "SwitchIB Mellanox Technologies")
        self.write("t.topo", net_of(t))
        losses = self.json_of("fabric", "what-if", "t.topo", "--each-link", "--count", "5")["losses"]
        self.assertEqual(len({loss["name"] for loss in losses}), 18)
        first = losses[0]["from"]
        gone = self.json_of("fabric", "what-if", "t.topo", "--without", f"{first['switch']}:{first['port']}", "--count",
                            "5")
        self.assertEqual(gone["cables"], 1)
        self.weft("fabric", "report", "t.topo", "--out", "p.html", "--csv", "p.csv", "--count", "5")
        rows = (self.folder / "p.csv").read_text().splitlines()[1:]
        self.assertEqual(len({tuple(row.rsplit(",", 2)[0].split("\n")) for row in rows}), len(rows))

    def test_a_slow_cable_whose_loss_is_a_gain_is_named_first(self):
        t = tree()
        t["cables"][4][3] = "1xSDR"
        self.write("t.topo", net_of(t))
        found = self.json_of("fabric", "what-if", "t.topo", "--each-link", "--count", "20")
        self.assertIn("leaf1 ", found["gains"][0]["name"])
        self.assertIn("spine1 ", found["gains"][0]["name"])

    def test_levels_are_those_of_most_switches(self):
        text = net_of(tree()).replace('Switch 40 "S-s0" # "spine0" base port 0 lid 7 lmc 0',
                                      'Switch 40 "S-s0" # "spine0" base port 0 lid 7 lmc 0\n[30] "H-own"[1] # "h" lid '
                                      '0 4xEDR')
        text += 'caguid=0xc001\nCa 1 "H-own" # "service"\n[1] "S-s0"[30] # lid 900 lmc 0 "x" lid 0 4xEDR\n'
        self.write("t.topo", text)
        found = self.json_of("fabric", "info", "t.topo")
        self.assertEqual((found["levels"], found["hosts_above_leaves"]), ([6, 3], ["spine0"]))

    def test_tables_that_are_cut_short_say_so(self):
        self.weft("fabric", "route", "tree16.topo", "--engine", "updn", "--out", "t.lfts")
        text = (self.folder / "t.lfts").read_text()
        second = text.index("Unicast lids", 10)
        self.write("cut.lfts", text[:second])
        out = self.weft("fabric", "check", "tree16.topo", "--tables", "cut.lfts", code=4)
        self.assertRegex(out + self.errors, r"\d+ of \d+ switches have no table")

    def test_hosts_as_slurm_lists_them(self):
        self.write("t.topo", net_of(tree()))
        self.write("hosts.txt", "node[0000-0003,0100],node0101\n\"node0102 HCA-1\" node0103\n")
        found = self.json_of("fabric", "ebb", "t.topo", "--pattern", "ring", "--mapping", "file:hosts.txt",
                             "--progress", "never")
        self.write("plain.txt", "".join(f"node{a:02}{b:02} HCA-1\n".replace("node", '"node').replace("1\n", '1"\n')
                                        for a in (0, 1) for b in range(4)))
        same = self.json_of("fabric", "ebb", "t.topo", "--pattern", "ring", "--mapping", "file:plain.txt", "--progress",
                            "never")
        self.assertEqual(found["bandwidth"], same["bandwidth"])
        self.write("hosts.txt", "node[0000-\n")
        self.weft("fabric", "ebb", "t.topo", "--mapping", "file:hosts.txt", code=3)
        self.assertIn("hosts.txt:1: ", self.errors)

    def test_a_refused_engine_keeps_its_row(self):
        lines = self.weft("fabric", "compare", "ends.toml", "--count", "3", "--progress", "never").splitlines()
        row = next(line for line in lines if line.lstrip().startswith("dmodk"))
        self.assertIn("refused", row)
        self.assertGreater(row.count("n/a"), 8)
        self.assertFalse([line for line in lines if "e-1" in line])

    def test_an_administrator_sees_it_on_the_first_screen(self):
        for name in ("kt-4-3", "l2-18-18-36-18", "torus-5-4-3-2"):
            dump = SHARED / "fabrics" / name / "ibnetdiscover.txt"
            if not dump.is_file():
                self.skipTest(f"a trace is not there: {SHARED} with its dumps")
            whole = Cables(dump.read_text())
            one = whole.between_switches[len(whole.between_switches) // 2]
            other = next(cable for cable in whole.between_switches if whole.is_beside(one, cable))
            for fault, words in ((whole.slowed(one), "slow cable: "), (whole.without(one), "missing cable")):
                with self.subTest(dump=name, fault=words):
                    self.write("faulty.txt", fault)
                    screen = self.weft("fabric", "check", "faulty.txt").splitlines()[:24]
                    self.assertRegex(screen[1], "sound +it works, but see")
                    said = " ".join(line for line in screen if words in line)
                    self.assertTrue(any(whole.name_of(end) in said for end in one), said)
            if name != "torus-5-4-3-2":  # no levels, in which a cable could be wrong
                with self.subTest(dump=name, fault="crossed"):
                    self.write("faulty.txt", whole.crossed(one, other))
                    screen = " ".join(self.weft("fabric", "check", "faulty.txt").splitlines()[:24])
                    self.assertRegex(screen, "crossed cables|wrong cable")
            losses = self.weft("fabric", "what-if", dump, "--each-switch", "--top", "3", "--count",
                               "4").splitlines()[:24]
            self.assertTrue(any(line.lstrip().startswith("1 ") for line in losses), losses)
            hosts = whole.hosts[:8]
            self.write("hosts.txt", "\n".join(hosts) + "\n")
            where = self.weft("fabric", "ebb", dump, "--pattern", "ring", "--mapping", "file:hosts.txt", "--count",
                              "1").splitlines()[:24]
            self.assertTrue(any("%" in line for line in where), where)


if __name__ == "__main__":
    unittest.main()
