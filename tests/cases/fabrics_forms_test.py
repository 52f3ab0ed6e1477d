"""Lists of ports and cables that fabric tools write beside their graphs: `ibnetdiscover -p` and OpenSM's
opensm-subnet.lst. The same fabric in these forms and as ibnetdiscover prints it is one fabric."""

import lzma
import unittest

from fabric_files import SHARED, FabricCase, net_of, tree

# Two switches, an adapter with both ports in use, one whose name has quotation marks, and a port without a cable.
PORTS = """SW     2 24 0x0002c902004b0918 4x SDR                                    'leaf 1'
SW     2 20 0x0002c902004b0918 4x QDR - SW     3  1 0x0002c902004b0920 ( 'leaf 1' - 'leaf's {2}' )
SW     2 19 0x0002c902004b0918 4x QDR - CA    15  1 0x0002c903000e0b73 ( 'leaf 1' - 'node1 HCA-1' )
SW     2 18 0x0002c902004b0918 1x QDR - CA    16  2 0x0002c903000e0b74 ( 'leaf 1' - 'node1 HCA-1' )
SW     3  1 0x0002c902004b0920 4x QDR - SW     2 20 0x0002c902004b0918 ( 'leaf's {2}' - 'leaf 1' )
SW     3  2 0x0002c902004b0920 4x ??? - CA    17  1 0x0002c903000e0b83 ( 'leaf's {2}' - 'node2 - HCA-1' )
CA    16  2 0x0002c903000e0b74 1x QDR - SW     2 18 0x0002c902004b0918 ( 'node1 HCA-1' - 'leaf 1' )
CA    15  1 0x0002c903000e0b73 4x QDR - SW     2 19 0x0002c902004b0918 ( 'node1 HCA-1' - 'leaf 1' )
CA    17  1 0x0002c903000e0b83 4x ??? - SW     3  2 0x0002c902004b0920 ( 'node2 - HCA-1' - 'leaf's {2}' )
"""


def end(kind, ports, guid, port_guid, name, lid, port):
    return (f"{{ {kind} Ports:{ports:02X} SystemGUID:{guid:016x} NodeGUID:{guid:016x} PortGUID:{port_guid:016x} "
            f"VenID:0002C9 DevID:BD36 Rev:000000A1 {{{name}}} LID:{lid:04X} PN:{port:02X} }}")  # fmt: skip


LEAF, OTHER, NODE = 0x2C902004B0918, 0x2C902004B0920, 0x2C903000E0B72
CABLES = [
    (("SW", 24, LEAF, LEAF, "leaf 1", 2, 20), ("SW", 36, OTHER, OTHER, "leaf's {2}", 3, 1), "4x", "10"),
    (("SW", 24, LEAF, LEAF, "leaf 1", 2, 19), ("CA-SM", 2, NODE, NODE + 1, "node1 HCA-1", 15, 1), "4x", "10"),
    (("SW", 24, LEAF, LEAF, "leaf 1", 2, 18), ("CA", 2, NODE, NODE + 2, "node1 HCA-1", 16, 2), "1x", "10"),
    (("SW", 36, OTHER, OTHER, "leaf's {2}", 3, 2), ("CA", 1, NODE + 16, NODE + 17, "node2 - HCA-1", 17, 1), "4x", "??"),
]


def subnet_list(cables=CABLES):
    lines = []
    for one, other, width, speed in cables:
        lines += [f"{end(*a)} {end(*b)} PHY={width} LOG=ACT SPD={speed}" for a, b in ((one, other), (other, one))]
    return "\n".join(sorted(lines)) + "\n"


class Forms(FabricCase):
    def info(self, text, name="fabric.txt"):
        self.write(name, text)
        return self.json_of("fabric", "info", name)

    def test_ports_of_ibnetdiscover_are_a_fabric(self):
        info = self.info(PORTS)
        self.assertEqual(info["form"], "output of ibnetdiscover -p")
        self.assertEqual((info["hosts"], info["switches"], info["switch_links"], info["host_links"]), (3, 2, 1, 3))
        self.assertEqual(info["radices"], [{"ports": 2, "cabled": 2, "switches": 1},
                                           {"ports": 24, "cabled": 3, "switches": 1}])
        self.assertEqual(info["speeds"], {"4xQDR": 2, "1xQDR": 1})
        path = self.weft("fabric", "paths", "fabric.txt", "15", "node2 - HCA-1")
        self.assertIn("leaf 1 port 20 -> leaf's {2} port 1", path)

    def test_the_subnet_list_of_opensm_is_the_same_fabric(self):
        info, ports = self.info(subnet_list()), self.info(PORTS, "ports.txt")
        self.assertEqual(info["form"], "subnet list of OpenSM")
        for key in ("hosts", "switches", "links", "speeds", "addresses", "levels"):
            self.assertEqual(info[key], ports[key], key)
        self.assertEqual(info["radices"], [{"ports": 24, "cabled": 3, "switches": 1},
                                           {"ports": 36, "cabled": 2, "switches": 1}])
        self.assertIn("leaf 1 port 20 -> leaf's {2} port 1", self.weft("fabric", "paths", "fabric.txt", "15", "17"))
        self.assertEqual(self.verdicts("fabric.txt")["verdict"], self.verdicts("ports.txt")["verdict"])

    def test_speeds_are_those_of_opensm(self):
        names = {"2.5": "SDR", "5": "DDR", "10": "QDR", "FDR10": "FDR10", "14": "FDR", "25": "EDR"}
        for word, lane in names.items():
            text = subnet_list([(*CABLES[0][:2], "4x", word), *CABLES[1:]])
            self.assertEqual(self.info(text)["speeds"].get(f"4x{lane}", 0), 2 if lane == "QDR" else 1, word)

    def test_what_is_cut_off_is_refused_with_its_line(self):
        for text, cut in ((PORTS, PORTS[: PORTS.rindex("CA ")]),
                          (subnet_list(), subnet_list()[: subnet_list().rindex("{ SW Ports:24 ")])):
            self.write("cut.txt", cut.rstrip("\n") + "\n")
            self.weft("fabric", "info", "cut.txt", code=3)
            self.assertRegex(self.errors, r"cut.txt:\d+: .*(no line of its own|may be cut off)")
            self.write("cut.txt", text[: len(text) // 2])
            self.weft("fabric", "info", "cut.txt", code=3)
            self.assertRegex(self.errors, r"cut.txt:\d+: ")

    def test_what_contradicts_itself_is_refused(self):
        for wrong, words in ((PORTS.replace("SW     3  2", "SW     4  2", 1), "LID"),
                             (PORTS.replace("CA    17  1", "SW    17  1", 1), "two kinds"),
                             (PORTS.replace(" 0x0002c902004b0918 4x QDR - CA    15  1",
                                            " 0x0002c902004b0918 4x QDR - CA    15  0", 1), "port 0"),
                             (PORTS.replace("- SW     2 18", "- SW     2 19", 1), "cable")):  # fmt: skip
            self.write("wrong.txt", wrong)
            self.weft("fabric", "info", "wrong.txt", code=3)
            self.assertIn(words, self.errors)

    def test_a_tree_is_the_same_in_all_forms(self):
        t = tree()
        net = net_of(t)
        same = self.info(net, "t.topo")
        ports, listed = forms_of(net)
        for text in (ports, listed):
            info = self.info(text)
            for key in ("hosts", "switches", "links", "levels", "speeds", "addresses", "verdict", "warnings"):
                self.assertEqual(info[key], same[key], key)
        self.weft("fabric", "route", "t.topo", "--engine", "updn", "--out", "t.lfts")
        routes = self.json_of("fabric", "check", "t.topo", "--tables", "t.lfts")["routes"]
        self.assertEqual(self.json_of("fabric", "check", "fabric.txt", "--tables", "t.lfts")["routes"], routes)

    def test_lists_of_public_dumps_are_their_fabrics(self):
        for name in ("kt-4-3", "torus-4-4-4-1", "dfly-4-2-2", "l2-18-18-36-18"):
            folder = SHARED / "fabrics" / name
            if not (folder / "minhop" / "opensm-subnet.lst.xz").is_file():
                self.skipTest(f"a trace is not there: {SHARED} with its dumps")
            info, same = (self.json_of("fabric", "info", folder / file)
                          for file in ("minhop/opensm-subnet.lst.xz", "ibnetdiscover.txt"))
            for key in ("hosts", "switches", "links", "levels", "speeds", "addresses", "verdict", "warnings",
                        "radices"):
                self.assertEqual(info[key], same[key], (name, key))
            tables = folder / "minhop" / "opensm-lfts.dump.xz"
            one, other = (self.json_of("fabric", "compare", folder / file, "--tables", tables, "--count", "3",
                                       "--engine", "minhop", "--progress", "never")
                          for file in ("minhop/opensm-subnet.lst.xz", "ibnetdiscover.txt"))  # fmt: skip
            for row, row2 in zip(one["fabrics"][0]["engines"], other["fabrics"][0]["engines"]):
                self.assertEqual(row["routes"], row2["routes"])
            self.assertIn("{ ", lzma.open(folder / "minhop" / "opensm-subnet.lst.xz", "rt").readline())


def forms_of(net):
    """A fabric as ibnetdiscover prints it, as its list of ports and as OpenSM's list."""
    nodes, ids, lids = {}, {}, {}
    for line in net.splitlines():
        words = line.split()
        if line.startswith(("switchguid", "caguid")):
            guid = int(line.split("=")[1], 16)
        elif line.startswith(("Switch", "Ca")):
            node = words[2].strip('"')
            ids[node], nodes[node] = guid, (line.split('"')[3], "SW" if line.startswith("Switch") else "CA",
                                            int(words[1]), [])
            if line.startswith("Switch"):
                lids[node] = int(line.split(" lid ")[1].split()[0])
        elif line.startswith("["):
            far = line.split('"')[1]
            nodes[node][3].append((int(line[1 : line.index("]")]), far, int(line.split('"[')[1].split("]")[0])))
            if node.startswith("H-"):
                lids[node] = int(line.split("# lid ")[1].split()[0])
    ports, listed = [], []
    for node, (name, kind, count, cables) in nodes.items():
        for port, far, far_port in cables:
            far_name, far_kind, far_count, _ = nodes[far]
            ports.append(f"{kind} {lids[node]:5} {port:2} 0x{ids[node]:016x} 4x EDR - {far_kind} {lids[far]:5} "
                         f"{far_port:2} "
                         f"0x{ids[far]:016x} ( '{name}' - '{far_name}' )")  # fmt: skip
            one = (kind, count, ids[node], ids[node] + (kind == "CA") * 0x1000, name, lids[node], port)
            other = (far_kind, far_count, ids[far], ids[far] + (far_kind == "CA") * 0x1000, far_name, lids[far],
                     far_port)
            listed.append(f"{end(*one)} {end(*other)} PHY=4x LOG=ACT SPD=25")
    return "\n".join(ports) + "\n", "\n".join(listed) + "\n"


if __name__ == "__main__":
    unittest.main()
