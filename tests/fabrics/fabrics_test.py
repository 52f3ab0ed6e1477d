"""Fabrics that OpenSM routed, as its tools dumped them: `weft fabric` reads, checks and counts them as ibdmchk does,
whose output lies beside them (scanned paths, histograms of hops and of destinations a port, credit loops or none). One
of them is in tests/data; those of ../shared/fabrics (or of the folder that WEFT_SHARED names) are checked where they
are there.

Environment: WEFT_BINARY is the program."""

import gzip
import json
import lzma
import os
import re
import subprocess
import unittest
from pathlib import Path

import harness

from harness import ROOT

WEFT = harness.weft()
SMALL = ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2"
SHARED = Path(os.environ.get("WEFT_SHARED", ROOT.parent / "shared")) / "fabrics"
FORMS = ("opensm-lfts.dump.xz", "dump_lfts.txt.xz", "opensm.fdbs.xz")


def histogram(text, title):
    rows = re.search(title + r".*?\n((?: +\d+ +\d+\n)+)", text, re.S).group(1)
    return {key: int(count) for key, count in re.findall(r" +(\d+) +(\d+)\n", rows)}


def oracle(text):
    """What ibdmchk says."""
    return {
        "paths": int(re.search(r"Scanned:(\d+) CA to CA paths", text).group(1)),
        "shortest": histogram(text, "MIN HOP HISTOGRAM"),
        "alternatives": histogram(text, "NUM ALTERNATE PORTS TO CA HISTOGRAM"),
        "routes": histogram(text, "LFT ROUTE HOP HISTOGRAM"),
        "destinations": histogram(text, "NUM DLIDS HISTOGRAM"),
        "credit loops": "credit loops in routing" in text,
    }


def same_figures(summary):
    """The same from `weft fabric check --json -`."""
    return {
        "paths": summary["routes"]["routes"],
        "shortest": summary["minimal"]["links"],
        "alternatives": summary["minimal"]["alternatives"],
        "routes": summary["routes"]["links"],
        "destinations": summary["destinations_per_port"],
        "credit loops": summary["credit_loops"]["found"],
    }


class Fabrics(harness.Scratch):
    def fabric(self, *words):
        return subprocess.run(harness.with_mpi([WEFT, "fabric", *map(str, words)]), cwd=self.folder, text=True,
                              env=harness.environment(), capture_output=True, timeout=60, check=False)

    def figures(self, *words):
        done = self.fabric(*words, "--json", "-")
        self.assertIn(done.returncode, (0, 4), done.stderr)
        return json.loads(done.stdout)

    def assert_fails(self, code, words, *arguments):
        done = self.fabric(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_as_ibdmchk(self, folder, net):
        want = oracle((folder / "ibdmchk.txt").read_text())
        for name in FORMS:
            if (folder / name).exists():
                with self.subTest(folder=folder, tables=name):
                    done = self.fabric("check", net, "--tables", folder / name, "--json", "-")
                    if "leaves out the highest LID" in done.stderr:  # of which there are two: 128 and 704
                        self.assertEqual(name, "dump_lfts.txt.xz")
                        self.assertEqual(json.loads(done.stdout)["minimal"]["links"], want["shortest"])
                        continue
                    self.assertEqual(done.returncode, 4 if want["credit loops"] else 0, done.stderr)
                    self.assertEqual(same_figures(json.loads(done.stdout)), want)


class OneOfOurs(Fabrics):
    NET, LFTS = SMALL / "ibnetdiscover.txt", SMALL / "minhop" / "opensm-lfts.dump.xz"

    def test_counts_as_ibdmchk_whatever_the_form_of_the_tables(self):
        self.assert_as_ibdmchk(SMALL / "minhop", self.NET)

    def test_the_net_file_of_the_same_fabric_gets_its_lids_from_the_tables(self):
        self.assert_as_ibdmchk(SMALL / "dfsssp", SMALL / "dfly-4-2-2.net")

    def test_info_counts(self):
        info = self.figures("info", self.NET, "--tables", self.LFTS)
        self.assertEqual((info["hosts"], info["switches"], info["switch_links"], info["host_links"]), (72, 36, 90, 72))
        self.assertEqual(info["speeds"], {"4xQDR": 162})
        self.assertEqual(info["radices"], [{"ports": 7, "cabled": 7, "switches": 36}])
        self.assertEqual(info["levels"], [])
        self.assertEqual(info["switches_with_table"], 36)
        self.assertIn("hosts       72\n", self.fabric("info", self.NET).stdout)

    def test_a_credit_loop_is_named_and_fails_with_4(self):
        self.assert_fails(4,
                          ["there are credit loops",
                           "\n  a credit loop, in which each channel waits for the next:\n    D-"],
                          "check", self.NET, "--tables", self.LFTS)

    def test_lanes_of_service_levels_are_read(self):
        tables = SMALL / "dfsssp" / "opensm-lfts.dump.xz"
        found = self.figures("check", self.NET, "--tables", tables, "--sl2vl", SMALL / "dfsssp"
                             / "opensm-sl2vl.dump.xz",
                             "--sl", "3")["credit_loops"]
        self.assertEqual((found["lanes"], found["service_level"], found["found"]), (8, 3, True))
        self.assertEqual({hop["lane"] for hop in found["cycle"]}, {3})

    def test_paths_are_told_hop_by_hop_whatever_names_the_hosts(self):
        words = [("H-000-00-00", "H-001-00-01"), ("1", "0x1002d0"), ("0x100001", "97")]
        outputs = {self.fabric("paths", self.NET, *names, "--tables", self.LFTS).stdout for names in words}
        self.assertEqual(len(outputs), 1, outputs)
        lines = outputs.pop().splitlines()
        self.assertRegex(lines[0], r"^H-000-00-00 \(LID 1\) -> H-001-00-01 \(LID \d+\):$")
        self.assertRegex(lines[1], r"^   1  H-000-00-00 -> D-000-00 port 1$")
        self.assertRegex(lines[-1], r"-> H-001-00-01$")
        self.assertIn("shortest paths", self.fabric("paths", self.NET, *words[0]).stdout)
        self.assert_fails(2, ["did you mean 'H-000-00-00'?"], "paths", self.NET, "H-000-00-000", "1")

    def test_cut_and_foreign_files_are_refused_with_their_line(self):
        text = lzma.open(self.LFTS, "rt").read()
        lines = text.splitlines(keepends=True)
        table = self.write("cut.dump", "".join(lines[:-40]))
        self.assert_fails(3, ["cut.dump:", "cut off"], "check", self.NET, "--tables", table)
        table = self.write("lid.dump", text.replace("0x0003 ", "0x0f03 ", 1))
        self.assert_fails(3, ["lid.dump:", "LID 3843 belongs to no port"], "check", self.NET, "--tables", table)
        net = self.write("cut.net", "".join(self.NET.read_text().splitlines(keepends=True)[:60]))
        self.assert_fails(3, ["cut.net:", "which is not in the file"], "check", net)
        self.assert_fails(3, ["has forwarding tables, no fabric"], "info", self.LFTS)
        self.assert_fails(3, ["no_such_file"], "info", "no_such_file")
        self.assert_fails(3, ["is no text"], "info", self.write("noise", bytes(range(256)) * 4))

    def test_broken_tables_are_told_from_broken_files(self):
        text = lzma.open(self.LFTS, "rt").read()
        head, _, rest = text.partition("0x0001 001 #")
        table = self.write("loop.dump", f"{head}0x0001 003 #{rest}")  # the switch of LID 1 sends it away
        done = self.fabric("check", self.NET, "--tables", table)
        self.assertEqual(done.returncode, 4)
        self.assertIn("71 of 5,112 routes do not arrive", done.stderr)
        self.assertIn("to H-000-00-00 (LID 1) loop: D-000-0", done.stderr)

    def test_compressed_files_are_read_as_they_are(self):
        packed = self.write("net.txt.gz", gzip.compress(self.NET.read_bytes()))
        self.assertEqual(self.figures("info", packed)["hosts"], 72)

    def test_a_config_is_a_fabric_and_a_fabric_a_topology(self):
        tree = self.write("tree.toml", 'format = 1\n[topology]\nkind = "tree"\narity = 4\nlevels = 3\n')
        found = self.figures("check", tree)
        self.assertTrue(found["sound"])
        self.assertEqual(found["minimal"]["links"], {"2": 192, "4": 768, "6": 3072})
        (self.folder / "elsewhere").mkdir()
        self.write("elsewhere/net.txt", self.NET.read_bytes())
        config = self.write("elsewhere/file.toml", 'format = 1\n[topology]\nkind = "file"\npath = "net.txt"\n')

        facts = self.json_of("topology", config)
        self.assertEqual((facts["nodes"], facts["routers"], facts["router_links"], facts["diameter"]), (72, 36, 90, 5))
        graph = self.folder / "graph.graphml"
        self.weft("topology", config, "--export", graph)
        again, first = self.figures("check", graph), self.figures("check", self.NET)
        self.assertEqual(again["minimal"], first["minimal"])
        self.assertIn("router forwarding-table", self.weft("run", config))


class AllOfTheShared(Fabrics):
    @unittest.skipUnless(SHARED.is_dir(), "no fabrics (WEFT_SHARED names the folder that has them)")
    def test_every_one_counts_as_ibdmchk(self):
        checked = 0
        for verdict in sorted(SHARED.glob("*/*/ibdmchk.txt")):
            self.assert_as_ibdmchk(verdict.parent, verdict.parents[1] / "ibnetdiscover.txt")
            checked += 1
        self.assertGreater(checked, 50)

    @unittest.skipUnless(SHARED.is_dir(), "no fabrics (WEFT_SHARED names the folder that has them)")
    def test_the_largest_one_is_sound(self):
        found = self.figures("check", SHARED / "kt-16-3" / "ibnetdiscover.txt.xz", "--tables",
                             SHARED / "kt-16-3" / "ftree" / "opensm-lfts.dump.xz")
        self.assertEqual((found["hosts"], found["routes"]["arrive"], found["sound"]), (4096, 4096 * 4095, True))


if __name__ == "__main__":
    unittest.main()
