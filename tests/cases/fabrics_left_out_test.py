"""Adapters that are no computers: a tree of 4 leaves with 4 hosts each and 4 spines, in which each of the 8 switches
has an aggregation node (SHARP), counts as the same tree without them. What is right of it are counts: 16 hosts, 32
links, and all-to-all at full rate."""

import re
import unittest

import cases

NODE = "Mellanox Technologies Aggregation Node"


class LeftOut(cases.Case):
    case = "fabrics-left-out"

    def info(self, fabric, *words):
        return self.json_of("fabric", "info", fabric, *words)

    def assert_alike(self, one, other, *keys):
        for key in keys:
            self.assertEqual(one[key], other[key], key)

    def test_aggregation_nodes_are_counted_apart(self):
        with_nodes, without = self.info("tree16-an.topo"), self.info("tree16.topo")
        self.assert_alike(with_nodes, without, "hosts", "switches", "links", "levels", "lmc", "addresses")
        self.assertEqual((with_nodes["hosts"], with_nodes["levels"]), (16, [4, 4]))
        self.assertEqual(with_nodes["left_out"], {"aggregation_nodes": 8, "not_hosts": 0, "routers": 0})
        self.assertEqual(without["left_out"], {"aggregation_nodes": 0, "not_hosts": 0, "routers": 0})
        self.assertIn("left out    8 SHARP aggregation nodes\n", self.weft("fabric", "info", "tree16-an.topo"))

    def test_the_device_tells_them_whatever_they_are_called(self):
        text = (self.folder / "tree16-an.topo").read_text().replace(NODE, "sharp")
        self.write("renamed.topo", text)
        self.assertEqual(self.info("renamed.topo")["left_out"]["aggregation_nodes"], 8)
        self.write("other.topo", text.replace("devid=0xcf09", "devid=0x1017"))
        self.assertEqual(self.info("other.topo")["hosts"], 24)
        self.assertEqual(self.info("other.topo", "--not-hosts", "sharp")["hosts"], 16)

    def test_every_command_says_the_same_with_them_and_without(self):
        def both(*words):
            return self.json_of(*words[:2], "tree16-an.topo", *words[2:]), self.json_of(*words[:2], "tree16.topo",
                    *words[2:])

        one, other = both("fabric", "check")
        self.assert_alike(one, other, "minimal", "sound", "warnings", "parts")
        one, other = both("fabric", "ebb", "--engine", "dmodk", "--count", "50")
        self.assertEqual(one["bandwidth"], other["bandwidth"])
        one, other = both("fabric", "what-if", "--without", "spine-1", "--count", "50")
        for key in ("before", "after"):
            self.assertEqual(one[key], other[key], key)
        one, other = both("fabric", "compare", "--count", "20", "--engine", "dmodk", "--engine", "updn")
        for row, same in zip(one["fabrics"][0]["engines"], other["fabrics"][0]["engines"]):
            self.assertEqual(row["all_to_all"], same["all_to_all"])
            self.assertEqual(row["all_to_all"], 1.0)
        self.weft("fabric", "report", "tree16-an.topo", "--out", "page.html")
        self.assertIn("8 SHARP aggregation nodes", (self.folder / "page.html").read_text())

    def test_tables_lead_to_them_and_are_sound(self):
        self.weft("fabric", "route", "tree16-an.topo", "--engine", "minhop", "--out", "an.lfts")
        tables = (self.folder / "an.lfts").read_text()
        self.assertEqual(tables.count(NODE), 8 * 8, "each switch has an entry for each")
        leaf = re.search(r"\('leaf-2'\):\n(.*?)lids dumped", tables, re.S).group(1)
        self.assertIn("0x0076 041 # Channel Adapter portguid 0xb8599f0300000028", leaf, "its own is on its last port")
        found = self.json_of("fabric", "check", "tree16-an.topo", "--tables", "an.lfts")
        self.assertEqual((found["routes"]["routes"], found["routes"]["arrive"], found["sound"]), (240, 240, True))

    def test_iblinkinfo_with_them_is_the_same(self):
        def line(guid, lid, port, far_lid, far_port, far):
            return (f"      0x{guid:016x} {lid:6} {port:4}[  ] ==( 4X 53.125 Gbps Active/  LinkUp)==> {far_lid:6} "
                    f"{far_port:4}[  ] \"{far}\" ( )\n")

        text = ""
        for h in range(4):
            text += f"CA: node-{h} mlx5_0:\n" + line(0x100 + h, 10 + h, 1, 1, h + 1, "leaf")
        text += f"CA: {NODE}:\n" + line(0x200, 20, 1, 1, 5, "leaf")
        text += "Switch: 0x0000000000000300 leaf:\n"
        for port, name in enumerate([f"node-{h} mlx5_0" for h in range(4)] + [NODE], 1):
            text += (f"      1 {port:4}[  ] ==( 4X 53.125 Gbps Active/  LinkUp)==> {9 + port if port < 5 else 20:6} "
                     f"{1:4}[  ] \"{name}\" ( )\n")
        self.write("links.txt", text)
        found = self.info("links.txt")
        self.assertEqual((found["hosts"], found["host_links"], found["left_out"]["aggregation_nodes"]), (4, 4, 1))

    def test_users_name_other_adapters_by_pattern_guid_and_file(self):
        self.assertEqual(self.info("tree16.topo", "--not-hosts", "node-0? *")["hosts"], 7)
        self.assertEqual(self.info("tree16.topo", "--not-hosts", "node-1*", "--not-hosts",
                                   "0xec0d9a0300001000")["hosts"], 8)
        self.write("gateways.txt", "# gateways\nnode-03 HCA-1\n\nnode-04*\n")
        found = self.info("tree16.topo", "--not-hosts", "file:gateways.txt")
        self.assertEqual((found["hosts"], found["left_out"]["not_hosts"]), (14, 2))
        self.weft("fabric", "info", "tree16.topo", "--not-hosts", "nod-01 HCA-1", code=2)
        self.assertIn("names no adapter of the fabric", self.errors)
        self.assertIn("did you mean 'node-01 HCA-1'?", self.errors)
        self.write("wrong.txt", "node-03 HCA-1\nnoone\n")
        self.weft("fabric", "check", "tree16.topo", "--not-hosts", "file:wrong.txt", code=2)
        self.assertIn("wrong.txt:2: ", self.errors)

    def test_a_network_of_the_file_has_nodes_for_hosts_only(self):
        self.write("net.toml",
                   'format = 1\n[topology]\nkind = "file"\npath = "tree16-an.topo"\n[router]\nvirtual_channels = 1\n')
        self.assertEqual(self.json_of("topology", "net.toml")["nodes"], 16)
        fewer = self.json_of("topology", "net.toml", "--set", 'topology.not_hosts="node-01 HCA-1, node-1*"')
        self.assertEqual(fewer["nodes"], 8)
        self.write("list.txt", "node-02*\n")
        self.assertEqual(self.json_of("topology", "net.toml", "--set", 'topology.not_hosts_path="list.txt"')["nodes"],
                         15)
        self.weft("topology", "net.toml", "--set", 'topology.not_hosts="nobody"', code=2)
        self.assertIn("topology.not_hosts", self.errors)
        self.weft("fabric", "info", "net.toml", "--not-hosts", "node*", code=2)
        self.assertIn("topology.not_hosts", self.errors)


if __name__ == "__main__":
    unittest.main()
