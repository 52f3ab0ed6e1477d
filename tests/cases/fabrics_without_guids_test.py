"""Net files, TOML and GraphML that say no GUIDs. two-ports.topo and two-ports.lfts are what ibnetdiscover and OpenSM
3.3.23 printed of ibsim 0.10 with two-ports.net, two.topo what ibnetdiscover printed with blog.net: the numbers of nodes
must be those."""

import re
import unittest

import cases


def guids_of(discovered):
    """Name: GUIDs of the switch, or of the adapter's ports in the order of ports, as ibnetdiscover says them."""
    found = {}
    for block in re.split(r"\n\s*\n", discovered):
        node = re.search(r'^(Switch|Ca)\s+\d+\s+"[SH]-0*([0-9a-f]+)"\s+#\s+"(.*?)"', block, re.M)
        if node and node.group(1) == "Switch":
            found[node.group(3)] = [int(node.group(2), 16)]
        elif node:
            found[node.group(3)] = [int(guid, 16) for guid in re.findall(r"^\[\d+\]\(([0-9a-f]+)\)", block, re.M)]
    return found


def guids_in(tables):
    found = {}
    for guid, name in sorted(set(re.findall(r"portguid 0x([0-9a-f]+): '(.*?)'", tables))):
        found.setdefault(name, []).append(int(guid, 16))
    return found


class WithoutGuids(cases.Case):
    case = "fabrics-without-guids"

    def route(self, fabric, *words):
        self.weft("fabric", "route", fabric, "--engine", "minhop", "--out", "made.lfts", *words)
        return (self.folder / "made.lfts").read_text()

    def test_nodes_are_numbered_as_ibsim_numbers_them(self):
        for net, discovered in (("blog.net", "two.topo"), ("two-ports.net", "two-ports.topo")):
            with self.subTest(net=net):
                self.assertEqual(guids_in(self.route(net)), guids_of((self.folder / discovered).read_text()))
        self.assertEqual(self.json_of("fabric", "info", "two-ports.net")["nodes_without_guid"], 5)
        self.assertEqual(self.json_of("fabric", "info", "two-ports.topo")["nodes_without_guid"], 0)

    def test_its_own_tables_are_read_back(self):
        graph = self.write("ring.toml", 'format = 1\n[topology]\nkind = "torus"\ndims = [3]\n')
        self.weft("topology", graph, "--export", "ring.graphml")
        for fabric, pairs in (("blog.net", 2), ("no-guids.toml", 2), ("ring.graphml", 6), ("two-ports.net", 20)):
            with self.subTest(fabric=fabric):
                self.assertNotIn("guid 0x0000000000000000", self.route(fabric))
                found = self.json_of("fabric", "check", fabric, "--tables", "made.lfts")
                self.assertEqual((found["routes"]["arrive"], found["sound"]), (pairs, True))

    def test_tables_of_a_subnet_manager_are_taken(self):
        found = self.json_of("fabric", "check", "two-ports.net", "--tables", "two-ports.lfts")
        self.assertEqual((found["routes"]["routes"], found["routes"]["arrive"]), (20, 20))

    def test_tables_with_other_guids_go_by_names(self):
        text = (self.folder / "two-ports.lfts").read_text()
        names = {"SwitchA": "200000", "SwitchB": "200001"}
        for name, digits in names.items():  # and swapped, so that numbers alone would mislead
            text = re.sub(f"guid 0x0000000000{digits}(: '| \\('){name}", f"guid 0xb8599f03000{digits}X\\g<1>{name}",
                          text)
        text = text.replace("200000X", "200001").replace("200001X", "200000")
        text = text.replace("b8599f03000200001", "b8599f0300200001").replace("b8599f03000200000", "b8599f0300200000")
        self.write("real.lfts", text)
        found = self.json_of("fabric", "check", "two-ports.net", "--tables", "real.lfts")
        self.assertEqual(found["routes"]["arrive"], 20)
        self.write("other.lfts", text.replace("'SwitchB'", "'SwitchX'"))
        self.weft("fabric", "check", "two-ports.net", "--tables", "other.lfts", code=3)
        self.assertIn("whose LID 4 is", self.errors)

    def test_ports_of_an_adapter_are_named_by_number(self):
        words = ("--tables", "two-ports.lfts")
        first = self.weft("fabric", "paths", "two-ports.net", "HostA:1", "HostC", *words)
        second = self.weft("fabric", "paths", "two-ports.net", "HostA:2", "HostC:1", *words)
        self.assertIn("SwitchA port 3 -> SwitchB port 4", first)
        self.assertIn("HostA:2 -> SwitchB port 2", second)
        self.weft("fabric", "paths", "two-ports.net", "HostA", "HostC", code=2)
        self.assertIn("use 'HostA:PORT'", self.errors)
        self.weft("fabric", "paths", "two-ports.net", "HostA:3", "HostC", code=2)
        self.weft("fabric", "what-if", "two-ports.net", "--without", "HostA:2", "--count", "10", code=4)
        self.assertIn("1 host would be cut off", self.errors)


if __name__ == "__main__":
    unittest.main()
