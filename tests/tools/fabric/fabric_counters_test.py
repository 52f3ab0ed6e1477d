"""What infiniband-diags print of a fabric that ibsim simulates: iblinkinfo in both forms is the fabric of
ibnetdiscover, and counters that were set to known values are the loads and errors of the page."""

import csv
import json
import os
import re
import unittest
from pathlib import Path

from fabric_runs import fabric
import harness

LEAVES = harness.ROOT / "tests" / "data" / "fabrics" / "leaves-4-2"
SHARED = Path(os.environ.get("WEFT_SHARED", harness.ROOT.parent / "shared")) / "fabrics"
QDR = 32e9 / 8  # octets a second


class Diags(harness.Scratch):
    def channels(self, *words):
        table = self.folder / "channels.csv"
        fabric("report", *words, "--count", "1", "--out", self.folder / "page.html", "--csv", table)
        with table.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        return header, rows

    def test_of_both_forms_of_iblinkinfo_are_the_fabric_of_ibnetdiscover(self):
        known = json.loads(fabric("info", LEAVES / "ibnetdiscover.txt", "--json", "-").stdout)
        self.assertEqual(known["speeds"], {"1xQDR": 1, "4xDDR": 1, "4xQDR": 22})
        cables = {tuple(row[:4]) for row in self.channels(LEAVES / "ibnetdiscover.txt")[1]}
        for name in ("iblinkinfo.txt", "iblinkinfo-line.txt"):
            with self.subTest(name):
                info = json.loads(fabric("info", LEAVES / name, "--json", "-").stdout)
                self.assertEqual(info["form"], "output of iblinkinfo")
                for key in ("hosts", "switches", "links", "switch_links", "speeds", "addresses", "levels", "ports"):
                    self.assertEqual(info[key], known[key], key)
                self.assertEqual({tuple(row[:4]) for row in self.channels(LEAVES / name)[1]}, cables)

    def test_of_large_fabrics_too(self):
        found = sorted(SHARED.glob("*/iblinkinfo.txt")) if SHARED.is_dir() else []
        if not found:
            self.skipTest(f"no dumps of iblinkinfo in {SHARED} (WEFT_SHARED)")
        for path in found:
            with self.subTest(path.parent.name):
                info, known = (json.loads(fabric("info", file, "--json", "-").stdout)
                               for file in (path, path.parent / "ibnetdiscover.txt"))
                for key in ("hosts", "switches", "switch_links", "host_links", "addresses", "radices", "speeds"):
                    self.assertEqual(info[key], known[key], key)

    def test_of_two_readings_are_loads_of_links(self):
        header, rows = self.channels(LEAVES / "iblinkinfo.txt", "--counters", LEAVES / "perfquery-after.txt.xz",
                                     "--counters-before",
                                     LEAVES / "perfquery-before.txt.xz", "--seconds", "10")
        self.assertEqual(header, ["from", "port", "to", "port", "targets", "routes", "octets", "load", "waited"])
        loads = {(row[0], row[1]): float(row[7]) for row in rows}
        waited = {(row[0], row[1]): int(row[8]) for row in rows}
        # As they were set: counts of four octets more than ten seconds before, of 32, 16 and 8 Gb/s.
        self.assertAlmostEqual(loads["leaf1", "5"], 5e9 * 4 / 10 / QDR, places=5)
        self.assertAlmostEqual(loads["leaf1", "6"], 2.5e9 * 4 / 10 / QDR, places=5)
        self.assertAlmostEqual(loads["leaf3", "6"], 4e9 * 4 / 10 / (QDR / 2), places=5)
        self.assertAlmostEqual(loads["spine2", "3"], 2e9 * 4 / 10 / (QDR / 2), places=5)
        self.assertAlmostEqual(loads["leaf1", "2"], 1e9 * 4 / 10 / (QDR / 4), places=4)
        self.assertLess(loads["leaf4", "6"], 1e-5)
        self.assertEqual((waited["leaf3", "6"], waited["spine2", "3"], waited["leaf1", "5"]), (987654, 4321, 0))
        # Nobody read the hosts; what their switches received counts.
        self.assertTrue(all((f"node{n}", "1") in loads for n in range(1, 17)))
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        for row in ('["leaf4",5,"spine1",4,"SymbolErrorCounter",120]', '["spine1",4,"leaf4",5,"PortRcvErrors",11]'):
            self.assertIn(row, page)
        self.assertNotIn("LinkDownedCounter", page, "it was the same in both readings")

    def test_of_one_reading_are_octets_since_it_was_cleared(self):
        page = self.folder / "page.html"
        done = fabric("report", LEAVES / "ibnetdiscover.txt", "--count", "1", "--counters", LEAVES
                      / "ibqueryerrors.txt", "--out", page)
        self.assertIn("counters of 4 ports: 5 error counters above 0", done.stdout)
        text = page.read_text(encoding="utf-8")
        self.assertIn('["leaf4",5,"spine1",4,"LinkDownedCounter",2]', text)
        self.assertIn("no duration was given", text)
        _, rows = self.channels(LEAVES / "iblinkinfo-line.txt", "--counters", LEAVES / "ibqueryerrors-counters.txt.xz",
                                "--seconds", "100")
        octets = {(row[0], row[1]): float(row[6]) for row in rows if row[6]}
        self.assertEqual(len(octets), 48)
        self.assertAlmostEqual(octets["leaf1", "5"] / (4 * 6e9), 1, places=4)

    def test_that_are_damaged_are_refused_with_their_line(self):
        text = (LEAVES / "iblinkinfo.txt").read_text(encoding="utf-8")
        cut = self.write("cut.txt", text[:text.index("LinkUp") + 3])
        self.assertRegex(fabric("info", cut, code=3).stderr, r"cut\.txt:2: .*may be cut off")
        hosts = self.write("hosts.txt", text[:text.index("Switch:")])
        self.assertRegex(fabric("info", hosts, code=3).stderr,
                         r"hosts\.txt:2: the cable leads to 'leaf4' \(LID 6\), which is not in the file")
        counters = "# Port counters: Lid 6 port 5 (CapMask: 0x1300)\nPortXmitData:....................7\n"
        cases = {r"t:2: 'PortXmitData:\.+x' is no line": counters.replace("..7", "x"),
                 r"t:3: the counters of port 5 of 'leaf4' are there twice \(the first time in line 1\)": counters * 2,
                 r"t:1: LID 99 belongs to no port": counters.replace("Lid 6", "Lid 99"),
                 r"t:1: 'leaf4' has no port 77": counters.replace("port 5", "port 77"),
                 r"t:1: 'GUID 0x200003 port 5: \[Symb' is no line": "GUID 0x200003 port 5: [Symb\n",
                 r"t:1: a counter without a port": "PortXmitData:....7\n",
                 r"no counter in it": "## Summary\n"}
        for words, broken in cases.items():
            with self.subTest(words):
                done = fabric("report", LEAVES / "iblinkinfo.txt", "--counters", self.write("t", broken), "--out",
                              self.folder / "p.html", code=3)
                self.assertRegex(re.sub(r"\S*/t\b", "t", done.stderr), words)
        nothing = fabric("report", LEAVES / "iblinkinfo.txt", "--seconds", "5", "--out", self.folder / "p.html", code=2)
        self.assertIn("no effect without --counters", nothing.stderr)


if __name__ == "__main__":
    unittest.main()
