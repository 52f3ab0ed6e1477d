"""weft fabric report and what-if as users meet them: a page whose figures and links hold, its table of channels, and
fabrics that lose switches and links."""

import csv
import json
import subprocess
import unittest
from html.parser import HTMLParser

from fabric_runs import fabric
import harness

DRAGONFLY = harness.ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2"
TABLES = next((DRAGONFLY / "minhop").glob("opensm-lfts.dump*"))
TREE = 'format = 1\n[topology]\nkind = "thin-tree"\ndown = 4\nup = 2\nlevels = 2\n'


class Page(HTMLParser):
    """Ids, links, elements that were not closed, and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open, self.words, self.tags = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append((tag, named))
        if tag != "meta":
            self.open.append(tag)
        if "id" in named:
            self.ids.append(named["id"])
        self.links += [named[name] for name in ("href", "src") if name in named]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag != "meta":
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.words.append(data)

    def count(self, tag, css_class):
        return sum(1 for name, named in self.tags if name == tag and css_class in named.get("class", "").split())


class Reports(harness.Scratch):
    def page(self, *words):
        path = self.folder / "page.html"
        fabric("report", *words, "--out", path)
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for link in page.links:
            self.assertIn(link.removeprefix("#"), page.ids)
        for word in ("<link", " src=", "@import", "url(http"):
            self.assertNotIn(word, text, "a page loads nothing")
        return page

    def test_have_figures_drawing_worst_links_and_what_check_finds(self):
        page = self.page(DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--count", "64")
        text = " ".join(" ".join(page.words).split())
        measured = json.loads(fabric("ebb", DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--count", "64",
                                     "--json", "-").stdout)
        self.assertIn(f"{100 * measured['bandwidth']['mean']:.2f} %", text)
        self.assertIn("5,112 of 5,112", text)
        self.assertEqual((page.count("rect", "switch"), page.count("circle", "hosts"), page.count("path", "link")),
                         (36, 36, 90))
        checked = json.loads(fabric("check", DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--json", "-",
                                    code=4).stdout)
        for step in checked["credit_loops"]["cycle"]:
            self.assertIn(step["link"], text)
        for busy in checked["busiest"]:
            self.assertIn(f"{busy['link']}: {busy['routes']} routes", text)  # the tooltip of its line
            sender, receiver = (end.replace(" port ", " ") for end in busy["link"].split(" -> "))
            self.assertIn(f"{sender} {receiver} {busy['routes']} ", text)  # its row of the table
        self.assertGreater(sum(1 for link in page.links if link.startswith("#link-")), 0)

    def test_have_a_row_for_every_channel(self):
        rows_path = self.folder / "links.csv"
        self.page(DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--count", "1", "--csv", rows_path)
        with rows_path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header, ["from", "port", "to", "port", "targets", "routes"])
        info = json.loads(fabric("info", DRAGONFLY / "ibnetdiscover.txt", "--json", "-").stdout)
        self.assertEqual(len(rows), 2 * info["links"])
        ends = {(row[0], row[1], row[2], row[3]) for row in rows}
        self.assertEqual(len(ends), len(rows))
        self.assertEqual({(c, d, a, b) for a, b, c, d in ends}, ends)
        of_hosts = [row for row in rows if row[0].startswith("H-")]
        self.assertEqual({(row[4], row[5]) for row in of_hosts}, {("71", "71")})
        checked = json.loads(fabric("check", DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--json", "-",
                                    code=4).stdout)
        between = [int(row[5]) for row in rows if not row[0].startswith("H-") and not row[2].startswith("H-")]
        self.assertEqual(max(between), checked["busiest"][0]["routes"])
        links = {int(n): count for n, count in checked["routes"]["links"].items()}
        self.assertEqual(sum(between), sum((n - 2) * count for n, count in links.items()))

    def test_draw_a_tree_by_levels(self):
        page = self.page(self.write("tree.toml", TREE), "--count", "10")
        heights = sorted({named["y"] for tag, named in page.tags if tag == "rect" and named.get("class") == "switch"},
                         key=float)
        self.assertEqual(len(heights), 2)
        self.assertIn("Everything is connected", " ".join(page.words))

    def test_of_broken_tables_name_what_does_not_arrive(self):
        text = subprocess.run(["xzcat", TABLES], capture_output=True,
                              check=True).stdout.decode() if TABLES.suffix == ".xz" \
            else TABLES.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        entry = next(k for k, line in enumerate(lines) if "H-000-00-00" in line and not line.startswith("Unicast"))
        del lines[entry]
        page = self.page(DRAGONFLY / "ibnetdiscover.txt", "--tables", self.write("cut.lfts", "".join(lines)), "--count",
                         "1")
        words = " ".join(page.words)
        self.assertRegex(words, r"\d of 5,112 routes do not arrive")
        self.assertIn("end at a switch without an entry", words)
        self.assertIn("Bandwidth is not measured", words)

    def test_of_large_fabrics_stay_small_and_say_what_they_leave_out(self):
        config = self.write("large.toml", TREE.replace("down = 4", "down = 16").replace("up = 2", "up = 16")
                            .replace("levels = 2", "levels = 3"))
        page = self.page(config, "--count", "1")
        self.assertLess((self.folder / "page.html").stat().st_size, 2_000_000)
        self.assertRegex(" ".join(page.words), r"Drawn are [\d,]+ of 768 switches")
        self.assertLessEqual(page.count("rect", "switch"), 512)

    def test_show_names_as_they_are_whatever_characters_they_have(self):
        page = self.page(self.write("odd.toml",
                                    '[fabric]\nname = "a <b>"\nswitches = [{ name = "s<i>&\'", ports = 4 }]\n'
                                    'hosts = [{ name = "h1" }, { name = "h2" }]\nlinks = [["h1", "s<i>&\'"]]\n'))
        words = " ".join(page.words)
        self.assertIn("a <b>", words)
        self.assertIn("s<i>&'", words)
        self.assertIn("a host has no cable to a switch", words)

    def test_take_routes_from_one_place_and_go_to_a_file(self):
        config = self.write("tree.toml", TREE)
        both = fabric("report", config, "--tables", "t", "--engine", "updn", "--out", self.folder / "p.html", code=2)
        self.assertIn("leave one out", both.stderr)
        self.assertIn("name a file", fabric("report", config, "--out", "-", code=2).stderr)
        self.assertIn("tree.toml", fabric("report", config, "--out", config, code=2).stderr)


class WhatIf(harness.Scratch):
    def what_if(self, *without, code=0, more=()):
        words = [word for name in without for word in ("--without", name)]
        return fabric("what-if", self.write("tree.toml", TREE), *words, "--count", "200", *more, code=code)

    def test_a_spine_is_lost_all_routes_stay_and_bandwidth_falls(self):
        found = json.loads(self.what_if("r4", more=("--json", "-")).stdout)
        before, after = found["before"], found["after"]
        self.assertEqual((found["cut_off"], found["cables"], found["engine"]), ([], 4, "updn"))
        self.assertEqual((before["routes"], after["routes"], after["lost_routes"]), (240, 240, 0))
        self.assertEqual((before["switch_links"], after["switch_links"]), (8, 4))
        self.assertLess(after["bandwidth"]["mean"] + after["bandwidth"]["ci95"],
                        before["bandwidth"]["mean"] - before["bandwidth"]["ci95"])
        measured = json.loads(fabric("ebb", self.folder / "tree.toml", "--engine", "updn", "--count", "200", "--json",
                                     "-").stdout)
        self.assertEqual(before["bandwidth"]["mean"], measured["bandwidth"]["mean"])
        text = self.what_if("r4").stdout
        self.assertRegex(text, r"before +after")
        self.assertIn("switch r4 with 4 cables", text)

    def test_a_leaf_is_lost_its_hosts_are_named_and_the_exit_code_is_4(self):
        done = self.what_if("r0", more=("--json", "-"), code=4)
        found = json.loads(done.stdout)
        self.assertEqual(found["cut_off"], ["n0", "n1", "n2", "n3"])
        self.assertEqual((found["hosts_left"], found["after"]["routes"], found["after"]["lost_routes"]), (12, 132, 0))
        self.assertRegex(done.stderr, r"4 hosts would be cut off")

    def test_a_link_is_named_by_its_port_and_a_host_by_its_lid(self):
        found = json.loads(self.what_if("r0:1", more=("--json", "-")).stdout)
        self.assertEqual((found["cables"], found["after"]["switch_links"]), (1, 7))
        twice = json.loads(self.what_if("r0:1", "r0:1", "r4:1", more=("--json", "-")).stdout)
        self.assertEqual((twice["without"], twice["after"]), (found["without"], found["after"]))
        # The other leaves still use both spines.
        spine = json.loads(self.what_if("r4", more=("--json", "-")).stdout)
        self.assertGreater(found["after"]["bandwidth"]["mean"], spine["after"]["bandwidth"]["mean"] + 0.03)
        self.assertEqual(found["cut_off"], [])
        alone = json.loads(self.what_if("6", more=("--json", "-"), code=4).stdout)
        self.assertEqual(alone["cut_off"], ["n5"])

    def test_a_switch_that_loses_all_cables_one_by_one_is_as_gone_as_one_removed(self):
        by_link = json.loads(self.what_if("r4:1", "r4:2", "r0:1", "r3:1", "r2:1", more=("--json", "-")).stdout)
        whole = json.loads(self.what_if("r4", more=("--json", "-")).stdout)
        self.assertEqual((by_link["cables"], by_link["after"]), (4, whole["after"]))

    def test_tables_are_shown_beside_the_routes_of_the_engine(self):
        found = fabric("what-if", DRAGONFLY / "ibnetdiscover.txt", "--tables", TABLES, "--without", "D-000-00:3",
                       "--count", "64",
                       "--json", "-")
        found = json.loads(found.stdout)
        self.assertEqual((found["engine"], found["tables"]["most_routes"]), ("minhop", 110))
        self.assertEqual(found["after"]["switch_links"], found["tables"]["switch_links"] - 1)

    def test_an_unknown_name_gets_the_nearest_and_a_free_port_those_with_a_cable(self):
        self.assertIn("did you mean 'r4'", self.what_if("rr4", code=2).stderr)
        self.assertIn("did you mean 'n15'", self.what_if("n155", code=2).stderr)
        self.assertIn("did you mean 'r4'", self.what_if("rr4:2", code=2).stderr)
        self.assertRegex(self.what_if("r0:77", code=2).stderr, r"port 77 of 'r0' has no cable; ports with one are 1, 2")


if __name__ == "__main__":
    unittest.main()
