"""Hosts by their names: in placement files of networks that fabric files describe, and on the command line of weft
fabric ebb. What is right is the same placement by numbers, and the same list in a file."""

import unittest

from fabric_files import FabricCase, net_of, tree

CONFIG = """format = 1
topology = { kind = "file", path = "t.topo" }
router = { virtual_channels = 1 }
workload = { kind = "kernel", name = "wavefront", tasks = 6, message_bytes = 512 }
placement = { policy = "file", path = "hosts.txt" }
"""
LISTS = ["node[0003,0101-0103],node0500,node0402", "node0003\nnode[0101-0103]  # three\n\nnode0500 node0402\n",
         "\"node0003 HCA-1\"\nnode[0101-0103]\n\"node0500 HCA-1\" node0402\nnode0000\n",
         "0xb067\nnode[0101-0103] node0500,node0402"]
NODES = [3, 5, 6, 7, 20, 18]


class Hosts(FabricCase):
    def setUp(self):
        super().setUp()
        self.write("t.topo", net_of(tree()))
        self.write("c.toml", CONFIG)

    def refused(self, text, *words, code=3):
        self.write("hosts.txt", text)
        self.weft("run", "c.toml", code=code)
        for word in words:
            self.assertIn(word, self.errors)

    def test_lists_place_tasks_as_numbers_do(self):
        self.write("hosts.txt", "".join(f"{node} {task}\n" for task, node in enumerate(NODES)))
        by_number = self.run_json("c.toml")["digest"]
        self.write("hosts.txt", "".join(f"{node} {task}\n" for task, node in enumerate(reversed(NODES))))
        self.assertNotEqual(self.run_json("c.toml")["digest"], by_number)
        for text in LISTS:
            self.write("hosts.txt", text)
            self.assertEqual(self.run_json("c.toml")["digest"], by_number, text)
            self.assertEqual(self.run_json("c.toml", ranks=2)["digest"], by_number, text)

    def test_hosts_fill_up_with_tasks_per_node(self):
        self.write("hosts.txt", "".join(f"{node} {task}\n" for task, node in enumerate([3, 3, 5, 5, 6, 6])))
        by_number = self.run_json("c.toml", workload__tasks_per_node=2)["digest"]
        self.write("hosts.txt", LISTS[0])
        self.assertEqual(self.run_json("c.toml", workload__tasks_per_node=2)["digest"], by_number)

    def test_patterns_are_placed_by_lists_too(self):
        keys = {"simulation__stop": '"cycles"', "simulation__cycles": 200}
        self.write("p.toml", CONFIG.replace('kind = "kernel", name = "wavefront", tasks = 6, message_bytes = 512',
                                            'kind = "synthetic", pattern = "tornado", offered_load = 0.2'))  # fmt: skip
        order = [*NODES, *(node for node in range(24) if node not in NODES)]
        self.write("hosts.txt", "".join(f"{node} {task}\n" for task, node in enumerate(order)))
        by_number = self.run_json("p.toml", **keys)["digest"]
        self.write("hosts.txt", LISTS[0])
        self.assertEqual(self.run_json("p.toml", **keys)["digest"], by_number)

    def test_jobs_have_lists_of_their_own(self):
        job = ('[[job]]\nname = "{0}"\nworkload = {{ kind = "kernel", name = "wavefront", tasks = 4, message_bytes = '
               '512 }}\nplacement = {{ policy = "file", path = "{0}.txt" }}\n')
        self.write("jobs.toml", CONFIG[: CONFIG.index("workload")] + job.format("a") + job.format("b"))
        self.write("a.txt", "node[0000-0003]\n")
        self.write("b.txt", "node[0100-0103]\n")
        self.assertEqual([each["tasks"] for each in self.run_json("jobs.toml")["jobs"]], [4, 4])
        self.write("b.txt", "node0100\nnode[0002,0101-0103]\n")
        self.weft("run", "jobs.toml", code=3)
        self.assertIn("b.txt:2", self.errors)

    def test_what_names_no_host_is_refused_with_what_would_fit(self):
        self.refused("node0003\nnode010x\n", "hosts.txt:2: 'node010x' is no host of the fabric",
                     "did you mean 'node010")
        self.refused("node[0003-\n", "hosts.txt:1: ", "bracket")
        self.refused("node0003 node0003\n", "hosts.txt:1: ", "listed once")
        self.refused("node[0003,0101]\n", "2 hosts for 6 tasks", "list more hosts or run fewer")
        self.refused('"node0003 HCA-1\n', "hosts.txt:1: ", "quotation mark")

    def test_other_networks_have_no_names(self):
        self.write("c.toml", CONFIG.replace('kind = "file", path = "t.topo"',
                                            'kind = "torus", dims = [4, 4]').replace("channels = 1", "channels = 2"))
        self.refused("# a list\nnode[0003-0010]\n", "hosts.txt:2: ", "not a whole number", 'topology.kind = "file"',
                     "node task")

    def test_a_mapping_may_stand_on_the_command_line(self):
        ring = ("fabric", "ebb", "t.topo", "--pattern", "ring", "--progress", "never", "--mapping")
        self.write("hosts.txt", "".join(f'"node{leaf:02}{host:02} HCA-1"\n' for leaf,
                                        host in ((0, 3), (1, 1), (1, 2), (5, 0))))
        by_file = self.json_of(*ring, "file:hosts.txt")
        for inline in ("node[0003,0101-0102],node0500", 'node0003 "node0101 HCA-1" node0102,node0500'):
            self.assertEqual(self.json_of(*ring, inline)["bandwidth"], by_file["bandwidth"], inline)
        for wrong, words in (("lineer", ("no host", "no mapping (random, linear or file:PATH)")),
                             ("node[0003-", ("bracket",)),
                             ("node0003", ("fewer than two",)), ("node[0003,0003]", ("listed once",))):  # fmt: skip
            self.weft(*ring, wrong, code=2)
            for word in words:
                self.assertIn(word, self.errors)


if __name__ == "__main__":
    unittest.main()
