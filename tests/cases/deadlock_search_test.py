"""How far routes were searched for deadlock at set-up is said in every result."""

import re
import unittest

import cases

HYPERX = """format = 1
[topology]
kind = "hyperx"
dims = [4, 4]
nodes_per_router = 4
[router]
kind = "switch"
routing = "dal"
virtual_channels = 4
[workload]
kind = "synthetic"
offered_load = 0.1
[measure]
warmup_cycles = 100
interval_cycles = 100
batches = 2
batch_cycles = 100
"""


class DeadlockSearch(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("hyperx.toml", HYPERX)

    def test_says_how_much_of_a_network_it_came_to(self):
        found = self.run_json("hyperx.toml")["deadlock_search"]
        tried = re.match(r"not all routes: those to (\d+) of 64 nodes were tried", found)
        self.assertTrue(tried, found)
        self.assertGreater(int(tried.group(1)), 0)
        self.assertLess(int(tried.group(1)), 64)
        self.assertIn("deadlock    not all routes: those to ", self.weft("run", "hyperx.toml", "--progress", "never"))
        large = self.run_json("hyperx.toml", topology__dims=[8, 8], topology__nodes_per_router=16)["deadlock_search"]
        self.assertIn("too large", large)

    def test_says_that_it_tried_all_and_when_it_was_not_wanted(self):
        self.assertEqual(self.run_json("hyperx.toml", router__routing='"minimal"')["deadlock_search"], "all routes")
        self.assertNotIn("deadlock ", self.weft("run", "hyperx.toml", "--progress", "never", "--set", "router.routing=minimal"))
        self.assertEqual(self.run_json("hyperx.toml", deadlock__check='"off"')["deadlock_search"], "off")

    def test_of_all_routes_shows_how_far_it_has_come(self):
        self.weft("run", "hyperx.toml", "--progress", "always", "--set", 'deadlock.check="full"', "--set", "router.routing=minimal")
        self.assertIn("deadlock search", self.errors)


if __name__ == "__main__":
    unittest.main()
