"""Speeds of cables and verdicts of weft fabric check: a slow cable is named, and counts for flows, for packets, in
pages and in what-if; uneven tables and crossed cables are told; names of any bytes stay on their line; bombs in place
of tables are stopped."""

import json
import lzma
import re
import subprocess
import unittest

from fabric_runs import ebb, fabric
import harness

DUMPS = harness.ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2"
NET, TABLES = DUMPS / "ibnetdiscover.txt", DUMPS / "minhop" / "opensm-lfts.dump.xz"
# Two leaves of four hosts under one spine, a link each.
STAR = ('[fabric]\nname = "star"\nswitches = [{ name = "core", ports = 4 }, { name = "a", ports = 8 }, { name = "b", '
        'ports = 8 }]\n'
        'hosts = [' + ", ".join(f'{{ name = "{s}{h}" }}' for s in "ab" for h in range(4)) + ']\n'
        'links = [["a", "core"@up], ["b", "core", "4xQDR"], '
        + ", ".join(f'["{s}{h}", "{s}", "4xQDR"]' for s in "ab" for h in range(4)) + ']\n')
TREE = 'format = 1\n[topology]\nkind = "tree"\narity = 4\nlevels = 3\n'


def weft(*words, code=0, ranks=1):
    done = subprocess.run(harness.with_mpi([harness.weft(), *map(str, words)], ranks), env=harness.environment(ranks),
                          capture_output=True, text=True, errors="replace", check=False, timeout=120)
    assert done.returncode == code, f"{words}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
    return done


class Speeds(harness.Scratch):
    def star(self, up="4xQDR"):
        return self.write(f"star-{up}.toml", STAR.replace("@up", f', "{up}"'))

    def slow_net(self):
        """The dump with the cable between ports 3 of D-000-00 and D-000-01 slow, as both of its ends say."""
        text = NET.read_text()
        for name in ("D-000-00", "D-000-01"):
            head, block = re.split(rf'(?=\nSwitch\t\d+ "[^"]+"\t\t# "{name}")', text, maxsplit=1)
            text = head + re.sub(r"(\n\[3\].*) 4xQDR", r"\1 1xSDR", block, count=1)
        self.assertEqual(text.count("1xSDR"), 2)
        return self.write("slow.txt", text)


class SlowCables(Speeds):
    def test_are_named_by_check_with_both_ends_and_both_speeds(self):
        done = fabric("check", self.slow_net())
        self.assertRegex(done.stdout,
                         r"slow cable: D-000-0[01] port 3 -> D-000-0[01] port 3 is 1xSDR \(2 Gb/s\), where 89 of its "
                         r"like "
                                      r"are 4xQDR \(32 Gb/s\)")
        self.assertRegex(done.stdout, r"sound +it works, but see 1 warning")
        found = json.loads(fabric("check", self.slow_net(), "--json", "-").stdout)
        self.assertEqual([(link["speed"], link["usual"], link["share"]) for link in found["slow_links"]],
                         [("1xSDR", "4xQDR", 1 / 16)])
        self.assertEqual((found["speeds"], found["sound"], len(found["warnings"])),
                         ({"1xSDR": 1, "4xQDR": 161}, True, 1))
        self.assertEqual(json.loads(fabric("check", NET, "--json", "-").stdout)["warnings"], [])

    def test_count_for_flows(self):
        whole, slow = ebb(NET, "--tables", TABLES, "--count", "64"), ebb(self.slow_net(), "--tables", TABLES, "--count",
                                                                         "64")
        self.assertLess(slow["bandwidth"]["mean"], whole["bandwidth"]["mean"])
        self.assertLess(slow["sum_max"], whole["sum_max"])
        self.assertEqual((slow["link"], slow["speeds"]["1xSDR"]), ({"speed": "4xQDR", "rate_gbps": 32}, 1))
        self.assertNotIn("speeds", whole)
        self.assertEqual(sum(slow["congestion_counts"]), slow["routes"])
        pairs = self.write("pairs.txt", "a0 b0\na1 b1\nb2 b3\n")
        words = ("--pattern", f"file:{pairs}")
        self.assertEqual(ebb(self.star(), *words)["congestion"], [2, 2, 1])
        self.assertEqual(ebb(self.star("1xQDR"), *words)["congestion"], [8, 8, 1])
        self.assertEqual(ebb(self.star("12xQDR"), *words)["congestion"], [2, 2, 1],
                         "the other leaf's link is as slow as before")
        self.assertIn("fractions are of 4xQDR (32 Gb/s)", fabric("ebb", self.star("1xQDR")).stdout)

    def test_count_on_any_number_of_ranks_alike(self):
        words = (self.star("4xFDR"), "--count", "20")
        self.assertEqual(ebb(*words, ranks=2), ebb(*words))

    def test_count_for_packets(self):
        pairs = self.write("pairs.txt", "a0 b0\nb2 b3\n")
        words = ("--pattern", f"file:{pairs}", "--packets")
        for up, share in (("4xQDR", 1), ("1xQDR", 1 / 4), ("4xFDR", 1)):
            found = ebb(self.star(up), *words)
            for got, wanted in zip(found["packets"]["shares"], (share, 1)):
                self.assertAlmostEqual(got, wanted, delta=0.02 * wanted, msg=up)

    def test_count_in_runs_of_switches_and_are_refused_by_routers_of_one_rate(self):
        def run(path, *more, code=0, ranks=1):
            text = (f'format = 1\n[simulation]\ncycles = 3000\n[topology]\nkind = "file"\npath = "{path}"\n'
                    '[workload]\nkind = "synthetic"\npattern = "uniform"\noffered_load = 0.3\n')
            words = [word for one in more for word in ("--set", one)]
            return weft("run", self.write("run.toml", text), "--json", "-", *words, code=code, ranks=ranks)

        whole, slow = self.star(), self.star("1xQDR")
        switch = "router.kind=infiniband"
        digests = [json.loads(run(net, switch).stdout)["digest"] for net in (whole, slow)]
        self.assertNotEqual(*digests)
        self.assertEqual(json.loads(run(slow, switch, ranks=2).stdout)["digest"], digests[1])
        equal = json.loads(run(slow, switch, "topology.link_rates=equal").stdout)["digest"]
        self.assertEqual(equal, digests[0])
        refused = run(slow, code=2).stderr
        self.assertIn('router.kind = "forwarding-table" knows links of one rate only', refused)
        self.assertIn('"infiniband"', refused)
        self.assertIn("are not equally fast", run(slow, "router.kind=myrinet", code=2).stderr)
        run(slow, "topology.link_rates=equal")

    def test_are_in_pages_and_in_what_if(self):
        page = self.folder / "page.html"
        fabric("report", self.slow_net(), "--tables", TABLES, "--out", page)
        text = page.read_text()
        self.assertIn("1 warning about what works, but not as well as it could", text)
        self.assertRegex(text, r"slow cable: D-000-0\d port 3[^<]* is 1xSDR \(2 Gb/s\)")
        whole, slow = (json.loads(fabric("what-if", net, "--without", "D-008-03:4", "--count", "64", "--json",
                                         "-").stdout)
                       for net in (NET, self.slow_net()))
        for state in ("before", "after"):
            self.assertLess(slow[state]["bandwidth"]["mean"], whole[state]["bandwidth"]["mean"])

    def test_of_configs_are_the_rates_of_their_classes(self):
        text = ('format = 1\n[topology]\nkind = "dragonfly"\nnodes_per_router = 2\nrouters_per_group = 4\nglobal_links '
                '= 2\n'
                '[router]\nkind = "switch"\n')
        config = self.write("dragonfly.toml", text)
        slow = self.write("slow.toml", text + "[link.global]\nphits_per_cycle = 0.25\n")
        self.assertLess(ebb(slow, "--count", "16")["bandwidth"]["mean"], 0.7
                        * ebb(config, "--count", "16")["bandwidth"]["mean"])

    def test_are_kept_in_exported_graphs(self):
        config = self.write("star.toml", f'format = 1\n[topology]\nkind = "file"\npath = "{self.star("1xQDR")}"\n')
        graph = self.folder / "star.graphml"
        weft("topology", config, "--export", graph)
        self.assertEqual(json.loads(fabric("check", graph, "--json", "-").stdout)["speeds"], {"1xQDR": 1, "4xQDR": 9})


class Verdicts(Speeds):
    def test_tables_that_leave_links_idle_are_not_just_sound(self):
        tree = self.write("tree.toml", TREE)
        tables = {}
        for engine in ("dor", "dmodk"):
            tables[engine] = self.folder / f"{engine}.lfts"
            fabric("route", tree, "--engine", engine, "--out", tables[engine])
        good = fabric("check", tree, "--tables", tables["dmodk"])
        self.assertRegex(good.stdout, r"sound +yes\n")
        poor = fabric("check", tree, "--tables", tables["dor"])
        self.assertRegex(poor.stdout, r"warnings +\d+ of 64 ports from level 0 to 1 are idle \(no route uses them\)\n")
        self.assertRegex(poor.stdout,
                         r"uneven load from level 0 to 1: the busiest link has 4 times the routes of the mean.*gets 25 "
                         r"%")
        self.assertRegex(poor.stdout, r"sound +it works, but see \d warnings")
        found = json.loads(fabric("check", tree, "--tables", tables["dor"], "--json", "-").stdout)
        self.assertTrue(found["sound"])
        self.assertEqual(found["routes_per_link"][0]["idle"], 48)

    def test_crossed_cables_are_suspected(self):
        leaves = [[f"s{spine}" for spine in range(3)] for _ in range(4)]
        leaves[1][2], leaves[2][0] = "s0", "s2"  # ends of two cables exchanged
        text = ('[fabric]\nswitches = [' + ", ".join(f'{{ name = "{s}", ports = 8 }}' for s in
                                                     [f"s{k}" for k in range(3)] + [f"l{k}" for k in range(4)]) + ']\n'
                'hosts = [' + ", ".join(f'{{ name = "h{k}" }}' for k in range(8)) + ']\nlinks = ['
                + ", ".join([f'["l{k}", "{up}"]' for k, ups in enumerate(leaves) for up in ups]
                            + [f'["h{k}", "l{k // 2}"]' for k in range(8)]) + ']\n')
        net = self.write("crossed.toml", text)
        done = fabric("check", net)
        self.assertRegex(done.stdout,
                         r"crossed cables\? l1 port 3 -> s0 port \d and l2 port 1 -> s2 port \d seem to have their far "
                         r"ends "
                                      r"exchanged")
        self.assertEqual(len(json.loads(fabric("check", net, "--json", "-").stdout)["crossed_cables"]), 1)

    def test_readings_of_bandwidth_are_in_words(self):
        done = fabric("ebb", self.star(), "--count", "10")
        self.assertRegex(done.stdout, r"by tasks +\S+ %, mean over tasks.*\(task_avg\)")
        self.assertRegex(done.stdout, r"pessimistic +\S+ %, if all wait for the slowest.*\(sum_max\)")
        self.assertRegex(done.stdout, r"bandwidth +\S+ % ± \S+ \(95 % confidence\) of a link's")

    def test_a_fabric_in_many_parts_is_checked_part_by_part(self):
        count = 200_000
        net = self.write("parts.net", "".join(f'Switch 1 "s{k}"\n[1] "h{k}"[1]\nHca 1 "h{k}"\n' for k in range(count)))
        done = fabric("check", net, "--json", "-", code=4, timeout=60)
        found = json.loads(done.stdout)
        self.assertEqual((found["parts"], found["minimal"]["unreachable"]), (count, count * (count - 1)))


class Names(Speeds):
    FORGED = "h\nhosts       9,999"

    def test_that_are_no_utf8_are_shown_in_json_and_graphs(self):
        net = self.folder / "names.net"
        net.write_bytes(b'Switch 4 "s\xff"\n[1] "h\xfe"[1]\n[2] "k"[1]\nHca 1 "h\xfe"\nHca 1 "k"\n')
        config = self.write("names.toml", f'format = 1\n[topology]\nkind = "file"\npath = "{net}"\n')
        self.assertEqual(json.loads(weft("topology", config, "--json", "-").stdout)["nodes"], 2)
        for form in ("json", "dot", "graphml"):
            weft("topology", config, "--export", self.folder / f"graph.{form}")
        json.loads((self.folder / "graph.json").read_bytes())
        slow = self.folder / "slow.net"
        slow.write_bytes(b'Switch 9 "s\xff"\n' + b"".join(b'[%d] "h%d"[1] # "h%d" lid 0 4xQDR\n' % (k, k, k)
                                                          for k in range(2, 9))
                         + b'[1] "h\xfe"[1] # "x" lid 0 1xSDR\nHca 1 "h\xfe"\n'
                         + b"".join(b'Hca 1 "h%d"\n' % k for k in range(2, 9)))
        config = self.write("slow.toml", f'format = 1\n[topology]\nkind = "file"\npath = "{slow}"\n')
        facts = json.loads(weft("topology", config, "--json", "-").stdout)["facts"]
        self.assertIn("with 1xSDR", facts["links slower than their like"])

    def test_with_line_breaks_stay_on_their_line(self):
        forged = self.FORGED.replace("\n", "\\n")
        net = self.write("names.toml",
                         f'[fabric]\nname = "{forged}"\nswitches = [{{ name = "{forged}", ports = 4, guid = "0x9" }}]\n'
                                       f'hosts = [{{ name = "a{forged}", port_guid = "0x1" }}, '
                                       f'{{ name = "b{forged}", port_guid = "0x2" }}]\n'
                                       f'links = [["a{forged}", "{forged}"], ["b{forged}", "{forged}"]]\n')
        tables = self.folder / "t.lfts"
        outputs = [fabric("info", net).stdout, fabric("check", net).stdout, fabric("ebb", net, "--count", "2").stdout,
                   fabric("route", net, "--engine", "minhop", "--out", tables).stdout, tables.read_text(),
                   fabric("check", net, "--tables", tables).stdout, fabric("paths", net, "0x1", "0x2").stdout]
        for text in outputs:
            self.assertNotIn("\nhosts       9,999", text)
            self.assertIn("9,999", text)


class Bombs(Speeds):
    def test_in_place_of_tables_are_stopped_when_no_tables_are_so_large(self):
        bomb = self.folder / "bomb.xz"
        head = lzma.open(TABLES).read()
        with lzma.open(bomb, "wb", preset=0) as out:
            out.write(head)
            for _ in range(64):
                out.write(b"\n" * (1 << 20))
        done = fabric("check", NET, "--tables", bomb, code=3)
        self.assertRegex(done.stderr, r"bomb.xz' has more than \d+ MiB \(more than tables of 36 switches")


if __name__ == "__main__":
    unittest.main()
