"""What people read first: names in drawings keep the part that tells switches apart, links are ranked by the time that
they are taken, and the tables of losses have no rounding in place of an uncertainty."""

import csv
import json
import re
import unittest

from fabric_files import FabricCase, net_of, tree

SLOW = """format = 1
simulation = {{ stop = "cycles", cycles = 4000 }}
router = {{ kind = "switch", virtual_channels = 1 }}
workload = {{ kind = "synthetic", pattern = "uniform", offered_load = 0.3 }}
statistics = {{ ports = true }}
[topology]
kind = "file"
text = \"\"\"
[fabric]
name = "slow"
switches = [{{ name = "a", ports = 8 }}, {{ name = "b", ports = 8 }}, {{ name = "c", ports = 8 }}]
hosts = [{{ name = "h1" }}, {{ name = "h2" }}, {{ name = "h3" }}, {{ name = "h4" }}, {{ name = "h5" }}, {{ name = "h6" }}]
links = [["a", "b", "4xQDR"], ["b", "c", "{0}"], ["h1", "a", "4xQDR"], ["h2", "a", "4xQDR"], ["h3", "b", "4xQDR"],
         ["h4", "b", "4xQDR"], ["h5", "b", "4xQDR"], ["h6", "c", "4xQDR"]]
\"\"\"
"""


class Names(FabricCase):
    def drawn(self, name_of):
        """Names beside the switches of a tree whose switches have the names that name_of gives them, in the order of
        leaves and spines."""
        plain = tree()["names"]
        self.write("t.topo", net_of(tree(names={node: name_of(node, k) for k, node in enumerate(plain)})))
        self.weft("fabric", "report", "t.topo", "--out", "page.html", "--count", "2")
        drawing = re.search(r'<svg class="fabric".*?</svg>', (self.folder / "page.html").read_text(), re.S).group()
        return re.findall(r"<text[^>]*>([^<]*)</text>", drawing)

    def assert_told_apart(self, names):
        self.assertEqual(len(names), 9)
        self.assertEqual(len(set(names)), 9, names)
        self.assertLessEqual(max(map(len, names)), 18, names)

    def test_numbers_in_the_middle_are_kept_with_their_words(self):
        names = self.drawn(lambda node,
                           k: f"SwitchIB Mellanox Technologies {'leaf' if node[0] == 'l' else 'spine'}-{k:02} of the "
                              f"board")
        self.assert_told_apart(names)
        self.assertIn("leaf-03", names)
        self.assertIn("spine-07", names)

    def test_words_that_differ_are_kept(self):
        greek = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota")
        names = self.drawn(lambda node, k: f"machine hall east, rack {greek[k]}, Mellanox Technologies")
        self.assert_told_apart(names)
        for name, word in zip(sorted(names), sorted(greek)):
            self.assertIn(word, name)

    def test_one_long_word_keeps_its_end(self):
        self.assert_told_apart(self.drawn(lambda node, k: f"averylongnamewithoutanyblankinit{'abcdefghi'[k]}"))

    def test_one_name_of_all_is_told_apart_by_address(self):
        self.assert_told_apart(self.drawn(lambda node, k: "SwitchIB Mellanox Technologies"))


class Busiest(FabricCase):
    def test_a_slow_cable_comes_first_though_it_carries_fewer_packets(self):
        for speed in ("1xQDR", "4xSDR"):  # a quarter of the others, by width and by lane
            self.write("slow.toml", SLOW.format(speed))
            run = self.run_json("slow.toml", "--out", "r.h5")
            links = run["statistics"]["busiest_links"]
            self.assertEqual({link["link"].split(", ")[1] for link in links[:2]}, {"b port 2", "c port 1"}, links)
            self.assertGreater(links[1]["utilisation"], 0.85)
            self.assertGreater(max(link["packets"] for link in links), links[0]["packets"])
            self.assertEqual([link["utilisation"] for link in links],
                             sorted((link["utilisation"] for link in links), reverse=True))
            text = next(line for line in self.weft("run", "slow.toml", "--progress", "never").splitlines()
                        if line.startswith("links "))
            self.assertIn(f"busiest: {links[0]['link']}, {links[0]['packets']} packets", text)
            self.weft("report", "r.h5", "--out", "r.html")
            page = (self.folder / "r.html").read_text()
            rows = page[page.index('"Busiest links"') - 3000 : page.index('"Busiest links"') + 3000]
            places = [rows.find(f'"{link["link"]}"') for link in links[:3]]
            self.assertTrue(0 <= places[0] < places[1] < places[2], places)


class Losses(FabricCase):
    def test_equal_patterns_have_no_uncertainty(self):
        # A tree with room to spare: no loss of a link changes what any pattern gets.
        self.write("t.topo", net_of(tree(leaves=3, spines=4, hosts=1)))
        found = self.json_of("fabric", "what-if", "t.topo", "--each-link", "--count", "20", "--csv", "t.csv")
        with (self.folder / "t.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 12)
        for row in rows:
            self.assertEqual((row["bandwidth_loss"], row["ci95"]), ("0.0", "0.0"))
        for loss in found["losses"]:
            self.assertEqual((loss["bandwidth"]["loss"], loss["bandwidth"]["ci95"]), (0, 0))
        self.assertEqual(re.findall(r"[\d.]+e-1\d", json.dumps(found)), [])

    def test_no_table_has_rounding_in_place_of_nothing(self):
        self.write("t.topo", net_of(tree(leaves=4, spines=3, hosts=2)))
        for each in ("--each-link", "--each-switch"):
            found = self.json_of("fabric", "what-if", "t.topo", each, "--count", "20", "--csv", "t.csv")
            for text in (json.dumps(found), (self.folder / "t.csv").read_text()):
                self.assertEqual(re.findall(r"[\d.]+e-1\d", text), [])



if __name__ == "__main__":
    unittest.main()
