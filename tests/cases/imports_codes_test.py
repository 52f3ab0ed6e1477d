"""CODES' binary files of connections through `weft import`: the network has the links that they have, as a kind of weft
where one has them, else as a fabric file; and files that are cut off or of another network are refused with their
offset.

Environment: WEFT_BINARY is the program."""

import re
import struct
import unittest
from collections import Counter

from cases import Case

CONFIG = """LPGROUPS {{ MODELNET_GRP {{ repetitions="{repetitions}"; nw-lp="{nodes}"; modelnet_{model}="{nodes}";
modelnet_{model}_router="1"; }} }}
PARAMS {{ packet_size="1024"; chunk_size="1024"; modelnet_scheduler="fcfs"; message_size="736"; {shape}
num_groups="{groups}"; num_cns_per_router="{nodes}"; local_vc_size="8192"; global_vc_size="8192"; cn_vc_size="8192";
local_bandwidth="5.25"; global_bandwidth="4.7"; cn_bandwidth="5.25"; intra-group-connections="../conf/some-intra"
inter-group-connections="../conf/some-inter"; routing="{routing}"; }}
"""


def pairs(links):
    """Links in both directions, as CODES' generators write them."""
    return [both for a, b in links for both in ((a, b), (b, a))]


def relative(groups, routers, links):
    """Port k of a group leads to the group k + 1 further on."""
    found = []
    for group in range(groups):
        for port in range(groups - 1):
            other, back = (group + port + 1) % groups, groups - 2 - port
            found.append((group * routers + port // links, other * routers + back // links))
    return found


class Connections(Case):
    def write_links(self, intra, inter, colour=True):
        (self.folder / "some-intra").write_bytes(
            b"".join(struct.pack("<3i" if colour else "<2i", *link, *([0] if colour else [])) for link in intra))
        (self.folder / "some-inter").write_bytes(b"".join(struct.pack("<2i", *link) for link in inter))

    def imported(self, model, **keys):
        self.write("net.conf", CONFIG.format(model=model, **keys))
        self.weft("import", *(self.folder / name for name in ("net.conf", "some-intra", "some-inter")), "--out",
                  self.folder / "net.toml")  # fmt: skip
        return (self.folder / "net.toml").read_text()

    def failed_import(self, said, *files):
        paths = [self.folder / name for name in ("net.conf", *files)]
        self.weft("import", *paths, "--out", self.folder / "n.toml", code=2)
        self.assertIn(said, self.errors)

    def dally(self, routing="adaptive"):
        return self.imported("dragonfly_dally", repetitions=20, nodes=2, groups=5,
                             shape='num_routers="4"; num_global_channels="1";', routing=routing)  # fmt: skip

    def test_links_as_the_generator_writes_them_are_those_of_the_kind(self):
        for colour in (True, False):
            with self.subTest(colour=colour):
                self.write_links(pairs([(a, b) for a in range(4) for b in range(a)]), relative(5, 4, 1), colour)
                text = self.dally()
                self.assertIn('kind = "dragonfly"', text)
                self.assertIn("inter-group-connections=\"../conf/some-inter\": same", text)
                self.assertEqual(self.run_json("net.toml")["nodes"], 40)

    def test_other_even_links_come_near(self):
        # The routers of each group the other way round.
        turned = [(a // 4 * 4 + 3 - a % 4, b // 4 * 4 + b % 4) for a, b in relative(5, 4, 1)]
        self.write_links(pairs([(a, b) for a in range(4) for b in range(a)]), turned)
        text = self.dally()
        self.assertIn('kind = "dragonfly"', text)
        self.assertIn("inter-group-connections=\"../conf/some-inter\": nearest: topology.arrangement", text)

    def test_others_become_a_fabric_with_the_same_links(self):
        # A ring within a group, one link of it double; two links between groups 0 and 1.
        ring = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 0)]
        between = [(0, 4), (1, 5), (4, 8), (8, 12), (12, 16), (16, 0)]
        self.write_links(pairs(ring), pairs(between))
        text = self.dally()
        self.assertIn('kind = "file"', text)
        fabric = (self.folder / "net.fabric.toml").read_text()
        found = Counter()
        for a, b, count in re.findall(r'\["r(\d+)", "r(\d+)", (\d+),', fabric):
            found[tuple(sorted((int(a), int(b))))] += int(count)
        wanted = Counter(tuple(sorted((group * 4 + a, group * 4 + b))) for group in range(5) for a, b in ring)
        wanted.update(tuple(sorted(link)) for link in between)
        self.assertEqual(found, wanted)
        result = self.run_json("net.toml")
        self.assertEqual((result["nodes"], result["packets"]["delivered"]), (40, 2 * 20 * 40))

    def test_groups_of_two_dimensions_have_rows_columns_and_links_between_places(self):
        # Without files: 2 rows of 4, three cables in a column, as Cray's XC; two routers of a row lead to a group.
        self.write("net.conf", CONFIG.format(
            model="dragonfly_custom", repetitions=24, nodes=4, groups=3,
            shape='num_router_rows="2"; num_router_cols="4"; num_global_channels="10";',
            routing="minimal"))  # fmt: skip
        self.weft("import", self.folder / "net.conf", "--out", self.folder / "net.toml")
        fabric = (self.folder / "net.fabric.toml").read_text()
        found = Counter()
        for a, b, count in re.findall(r'\["r(\d+)", "r(\d+)", (\d+),', fabric):
            a, b = int(a), int(b)
            found["global" if a // 8 != b // 8 else "row" if a // 4 == b // 4 else "column"] += int(count)
        # Each pair of groups: 2 rows of 2 routers with 2 cables.
        self.assertEqual(found, {"row": 3 * 2 * 6, "column": 3 * 4 * 3, "global": 3 * 2 * 2 * 2})
        self.assertEqual(self.run_json("net.toml")["nodes"], 96)

    def test_files_that_are_wrong_are_refused_with_their_offset(self):
        good = pairs([(a, b) for a in range(4) for b in range(a)])
        self.write_links(good, relative(5, 4, 1))
        text = CONFIG.format(model="dragonfly_dally", repetitions=20, nodes=2, groups=5,
                             shape='num_routers="4"; num_global_channels="1";', routing="minimal")  # fmt: skip
        self.write("net.conf", text)
        whole = (self.folder / "some-inter").read_bytes()
        for content, said in ((whole[:-3], "offset 152: the file ends within a link"), (b"", "offset 0"),
                              (struct.pack("<2i", 0, 20), "offset 0: router 20 is none of the 20"),
                              (whole[:8] + struct.pack("<2i", 3, 3), "offset 8: router 3 is linked to itself"),
                              (struct.pack("<2i", 0, 1), "routers 0 and 1 are of one group"),
                              (struct.pack("<2i", 0, 4), "do not join all routers")):  # fmt: skip
            with self.subTest(said):
                (self.folder / "some-inter").write_bytes(content)
                self.failed_import(said, "some-intra", "some-inter")
        self.failed_import("give both, or neither", "some-intra")


if __name__ == "__main__":
    unittest.main()
