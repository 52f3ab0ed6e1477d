"""weft fabric ebb --packets: patterns as packets get what their flows are said to get where nothing but shared links
can stand between the two, they are the same on any number of ranks, and options that would say nothing are refused."""

import json
from functools import partial

import fabric_runs
from fabric_runs import CLOS
import harness

EXAMPLES = harness.ROOT / "examples" / "fabrics"
DUMPS = harness.ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2"
# Leaves of four hosts each under one core, with one link each: all that leaves a switch shares that link.
STAR = ('[fabric]\nname = "star"\nswitches = [{ name = "core", ports = 4 }, { name = "a", ports = 8 }, { name = "b", '
        'ports = 8 }]\n'
        'hosts = [' + ", ".join(f'{{ name = "{s}{h}" }}' for s in "ab" for h in range(4)) + ']\n'
        'links = [["a", "core"], ["b", "core"], ' + ", ".join(f'["{s}{h}", "{s}"]' for s in "ab" for h in range(4))
        + ']\n')
# A pair's bytes go over a link in about 8,400 cycles, and need some tens of cycles for the way.
CLOSE = 0.02
fabric = partial(fabric_runs.fabric, timeout=300)
ebb = partial(fabric_runs.ebb, timeout=300)


class Packets(harness.Scratch):
    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def pairs(self, *pairs):
        return f"file:{self.file('pairs.txt', ''.join(f'{a} {b}' + chr(10) for a, b in pairs))}"

    def assert_close(self, shares, expected):
        self.assertEqual(len(shares), len(expected))
        for share, wanted in zip(shares, expected):
            self.assertAlmostEqual(share, wanted, delta=CLOSE * wanted)


class Flows(Packets):
    def test_that_share_one_link_get_equal_parts_of_it(self):
        star = self.file("star.toml", STAR)
        for flows in (1, 2, 3, 4):
            pairs = [(f"a{h}", f"b{h}") for h in range(flows)]
            found = ebb(star, "--packets", "--pattern", self.pairs(*pairs))
            self.assertEqual(found["congestion"], [flows] * flows)
            self.assert_close(found["packets"]["shares"], [1 / flows] * flows)
            self.assertLess(found["packets"]["largest_difference"]["pair"], CLOSE)

    def test_of_one_host_share_its_link_packet_by_packet(self):
        star = self.file("star.toml", STAR)
        found = ebb(star, "--packets", "--pattern", self.pairs(("a0", "b0"), ("a0", "a1"), ("a0", "b2")))
        self.assert_close(found["packets"]["shares"], [1 / 3] * 3)

    def test_to_one_host_get_parts_by_the_links_that_they_come_by(self):
        # The last switch takes turns between its inputs: two pairs share one of them, until the pair on the other is
        # done.
        found = ebb(self.file("star.toml", STAR), "--packets", "--pattern",
                    self.pairs(("a0", "b0"), ("b1", "b0"), ("a1", "b0")))
        self.assertEqual(found["congestion"], [3, 3, 3])
        self.assert_close(found["packets"]["shares"], [1 / 3, 1 / 2, 1 / 3])

    def test_without_shared_links_get_all_of_them(self):
        found = ebb(self.file("clos.toml", CLOS), "--engine", "dmodk", "--mapping", "linear", "--pattern", "all-to-all",
                    "--packets")
        self.assertEqual((found["patterns"], found["bandwidth"]["mean"], found["packets"]["routes"]), (1, 1, "tables"))
        self.assert_close([found["packets"]["pairs"][key] for key in ("mean", "min", "max")], [1, 1, 1])
        self.assertIsNone(found["packets"]["correlation"]["mean"])

    def test_both_ways_are_counted_both_ways(self):
        star = self.file("star.toml", STAR)
        found = ebb(star, "--packets", "--both-ways", "--bytes", "524288", "--messages", "1", "--pattern",
                    self.pairs(("a0", "b0"), ("b1", "a1")))
        self.assertEqual((found["congestion"], found["both_ways"], found["packets"]["both_ways"]),
                         ([2] * 4, True, True))
        self.assert_close(found["packets"]["shares"], [1 / 2] * 4)

    def test_that_meet_in_many_places_are_correlated(self):
        found = ebb(EXAMPLES / "chic.toml", "--engine", "minhop", "--order", "lid", "--packets", "--count", "1",
                    "--messages", "2")
        packets = found["packets"]
        self.assertGreater(packets["correlation"]["mean"], 0.7)
        self.assertEqual(sum(packets["histogram"]["packets"]), found["routes"])
        self.assertEqual(packets["histogram"]["flows"][200], found["congestion_counts"][1])
        self.assertEqual([row["pairs"] for row in packets["congestion"]], [c for c in found["congestion_counts"] if c])


class Answers(Packets):
    def test_are_the_same_on_any_number_of_ranks(self):
        clos = self.file("clos.toml", CLOS)
        for more in (("--count", "5"), ("--count", "4", "--pattern", "neighbours:4"),
                     ("--count", "3", "--pattern", "bridge")):
            words = (clos, "--engine", "minhop", "--packets", "--messages", "2", *more)
            alone = ebb(*words)
            for ranks in (2, 3):
                self.assertEqual(ebb(*words, ranks=ranks), alone, (more, ranks))

    def test_keep_what_is_said_of_flows(self):
        words = (self.file("clos.toml", CLOS), "--count", "3", "--pattern", "tree")
        flows, both = ebb(*words), ebb(*words, "--packets")
        packets = both.pop("packets")
        self.assertEqual(both, flows)
        self.assertEqual(set(packets), {"config", "routes", "messages", "message_bytes", "both_ways", "bandwidth",
                                        "pairs",
                                        "largest_difference", "correlation", "congestion", "histogram",
                                        "simulated_cycles", "packets",
                                        "link_mib_per_s"})
        self.assertEqual(packets["routes"], "config")

    def test_of_real_fabrics_go_by_their_tables_with_as_many_channels_as_those_need(self):
        found = ebb(DUMPS / "ibnetdiscover.txt", "--tables", DUMPS / "dfsssp" / "opensm-lfts.dump.xz", "--count", "1",
                    "--packets",
                    "--messages", "1", "--set", "link.rate_gbps=8")
        packets = found["packets"]
        self.assertEqual(packets["routes"], "tables")
        self.assertGreater(packets["config"]["router"]["virtual_channels"], 1)
        # 64 bytes take 64 ns, and of 33 cells 32 carry something.
        self.assertAlmostEqual(packets["link_mib_per_s"], 1e9 / 2**20 * 32 / 33)

    def test_take_switches_of_the_config_and_of_the_command_line(self):
        switches = CLOS + '[router]\nkind = "switch"\nqueues = "voq"\nvirtual_channels = 2\nbuffer_cells = 128\n' \
            + '[packet]\nphits = 16\n' \
            + '[workload]\nkind = "synthetic"\npattern = "uniform"\n[simulation]\nstop = "steady-state"\n'
        words = (self.file("switches.toml", switches), "--packets", "--count", "1")
        own = ebb(*words)["packets"]
        self.assertEqual((own["routes"], own["config"]["router"]["queues"]), ("config", "voq"))
        other = ebb(*words, "--engine", "dmodk", "--set", "router.queues=fifo")["packets"]
        self.assertEqual((other["routes"], other["config"]["router"]["queues"], other["config"]["packet"]["phits"]),
                         ("tables", "fifo", 16))

    def test_are_in_hdf5_and_in_tables(self):
        h5py = harness.module("h5py")
        path = self.folder / "r.h5"
        text = fabric("ebb", self.file("star.toml", STAR), "--packets", "--count", "4", "--set", "link.rate_gbps=8",
                      "--out", path).stdout
        for word in ("as flows", "as packets", "congestion", "97.25 to 100.25 %", "MiB/s", "correlation"):
            self.assertIn(word, text)
        with h5py.File(path) as result:
            self.assertEqual(len(result["packets/by_pattern/bandwidth"]), 4)
            self.assertEqual(sum(result["packets/by_congestion/pairs"]), sum(result["packets/histogram/packets"]))
            self.assertEqual(len(result["packets/histogram/edges"]), len(result["packets/histogram/flows"]) + 1)
            self.assertEqual(json.loads(result["packets/config"][()])["router"]["kind"], "infiniband")
            self.assertEqual(result["bandwidth/by_pattern"].attrs["unit"], "fraction of link bandwidth")


class Mistakes(Packets):
    def test_are_named_with_what_to_do(self):
        clos, star = self.file("clos.toml", CLOS), self.file("star.toml", STAR)
        crowd = self.pairs(*[(f"a{k % 4}", f"b{k // 4 % 4}") for k in range(70)], *[("a0", "b0")] * 70)
        cases = [
            (clos, "--packets", "--messages", "4"),
            (clos, "--packets", "--bytes", "4096"),
            (clos, "--messages", "--packets", "--messages", "0"),
            (clos, "--precision does not fit --packets", "--packets", "--precision", "0.1"),
            (clos, "--lid best does not fit", "--packets", "--lid", "best"),
            (clos, "--both-ways does not fit --pattern neighbours:2", "--both-ways", "--pattern", "neighbours:2"),
            (clos, "workload.pattern", "--packets", "--set", "workload.pattern=uniform"),
            (clos, "--pattern, --messages", "--packets", "--set", "simulation.seed=3"),
            (star, "router.quues", "--packets", "--set", "router.quues=fifo"),
            (star, "router.buffer_cells", "--packets", "--set", "router.buffer_cells=8"),
            (star, "has no effect on", "--set", "router.queues=fifo"),
            (EXAMPLES / "chic.toml", "has no effect on", "--set", "router.queues=fifo"),
            (star, "use --engine", "--packets", "--set", "router.engine=updn"),
            (star, "of a fabric file", "--packets", "--set", "topology.kind=torus"),
            (star, "messages at the same time", "--packets", "--pattern", crowd),
            (clos, "router.kind", "--packets", "--engine", "dmodk", "--set", "router.kind=bubble"),
        ]
        for path, words, *arguments in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(words, fabric("ebb", path, *arguments, code=2).stderr)


if __name__ == "__main__":
    import unittest

    unittest.main()
