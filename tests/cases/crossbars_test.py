"""What a crossbar's scheduler may not lose: every one finds partners for all inputs and outputs that could have one, so
that a switch takes what its links take, whatever the number of outputs that packets may choose from; more channels,
buffers or iterations never lose more than noise; and packets in transit get the part of an output that
router.ipr_fraction gives them.

Environment: WEFT_BINARY is the program."""

import json
import random
import unittest
from collections import Counter

from cases import Case, harness

H5PY = harness.module("h5py")
NOISE = 0.01


class Crossbars(Case):
    case = "crossbars"

    def accepted(self, config, **keys):
        return self.run_json(config, **keys)["load"]["accepted"]

    def schedulers(self):
        rows = json.loads(self.weft("describe", "--json", "-"))["schedulers"]
        return [row["name"] for row in rows if "switch" in row["fits"]]


class MaximalMatching(Crossbars):
    def test_every_scheduler_takes_nearly_all_that_a_full_tree_with_adaptive_routes_is_offered(self):
        # As many links up as nodes: nothing but the matching limits the load. A matching of one round loses a fifth and
        # more.
        for scheduler in self.schedulers():
            with self.subTest(scheduler):
                self.assertGreater(self.accepted("adaptive-tree.toml", router__scheduling=json.dumps(scheduler)), 0.93)

    def test_random_networks_with_a_choice_of_outputs_take_what_their_links_take(self):
        # Crossbars twice as fast as the links lose nothing to a maximal matching (Dai, Prabhakar: The throughput of
        # data switches with and without speedup, 2000).
        draw = random.Random(5)
        trees = [("tree", {"arity": 4, "levels": 2}, "adaptive-up"), ("tree", {"arity": 2, "levels": 3}, "adaptive-up"),
                 ("hyperx", {"dims": [3, 3], "nodes_per_router": 3}, "min-adaptive")]  # fmt: skip
        for scheduler in self.schedulers():
            kind, shape, routing = draw.choice(trees)
            phits, channels = draw.choice([1, 2, 5]), draw.choice([2, 3, 4])
            keys = {"topology__kind": json.dumps(kind),
                    "router__routing": json.dumps(routing)} | {f"topology__{key}": value for key,
                                                               value in shape.items()}
            with self.subTest(scheduler=scheduler, phits=phits, channels=channels, **keys):
                self.write("drawn.toml",
                           "format = 1\n[simulation]\ncycles = 3000\ntick_ps = 500\n[link]\nrate_gbps = "
                           "64.0\n[packet]\nphit_bytes = 8\n"
                          '[router]\nkind = "switch"\nspeedup = 2\noutput_buffer_cells = 64\nbuffer_cells = 64\n')
                found = self.run_json("drawn.toml", router__scheduling=json.dumps(scheduler), packet__phits=phits,
                                      router__virtual_channels=channels,
                                      workload__offered_load=0.85, **keys)["load"]  # fmt: skip
                self.assertGreater(found["accepted"], 0.97 * 0.85)

    def test_more_channels_buffers_or_iterations_never_lose_load(self):
        draw = random.Random(11)
        self.write("tree.toml",
                   "format = 1\n[simulation]\ncycles = 4000\n[topology]\nkind = \"tree\"\narity = 4\nlevels = 2\n"
                  '[router]\nkind = "switch"\nrouting = "fat-tree:adaptive-up"\n[packet]\nphits = 1\n')  # fmt: skip
        for _ in range(3):
            scheduler, load = draw.choice(["islip", "random"]), draw.choice([0.6, 1.0])
            few = {"router__scheduling": json.dumps(scheduler), "router__virtual_channels": draw.choice([1, 2]),
                   "router__buffer_cells": draw.choice([8, 16]),
                   "workload__offered_load": load}  # fmt: skip
            least = self.accepted("tree.toml", router__iterations=1, **few)
            usual = self.accepted("tree.toml", **few)
            for more in ({}, {"router__virtual_channels": 4}, {"router__buffer_cells": 64}):
                with self.subTest(few=few, more=more):
                    many = self.accepted("tree.toml", **few | more)
                    self.assertGreater(many, usual - NOISE)
                    self.assertGreater(many, least - NOISE)


class PacketsInTransit(Crossbars):
    """A row of three: nodes 0 and 1 send to node 2 as much as they can, and meet at the middle switch's link."""

    def share_of_the_node_on_the_way(self, **keys):
        self.write("row.toml", "format = 1\n[simulation]\ncycles = 20000\n[topology]\nkind = \"mesh\"\ndims = [3]\n"
                  '[router]\nkind = "switch"\nrouting = "forwarding-table"\nengine = "dor"\nvirtual_channels = '
                  '1\nbuffer_cells = 32\n[packet]\nphits = 2\nphit_bytes = 8\nheader_phits = 1\n'
                  '[workload]\nkind = "exchange"\nname = "pairs"\npairs = [0, 2, 1, 2]\nboth_ways = '
                  'false\nmessage_bytes = 8\nrepetitions = 1000000000\n'
                  "[statistics]\npairs = true\n")  # fmt: skip
        self.run_json("row.toml", "--out", "row.h5", **keys)
        packets = Counter()
        with H5PY.File(self.folder / "row.h5") as result:
            for source, count in zip(result["pairs/source"][:], result["pairs/packets"][:]):
                packets[int(source)] += int(count)
        (self.folder / "row.h5").unlink()
        return packets[1] / packets.total()

    def test_get_the_turns_that_the_restriction_leaves_them(self):
        # After a packet in transit the node's turn comes if it may take part, with probability 1 - P; after one of the
        # node's it is the other's. By random draw the node has half of the ticks in which it takes part.
        for fraction in (0.0, 0.5, 0.75, 1.0):
            with self.subTest(fraction):
                share = self.share_of_the_node_on_the_way(router__ipr_fraction=fraction)
                self.assertAlmostEqual(share, (1 - fraction) / (2 - fraction), delta=0.015)
                share = self.share_of_the_node_on_the_way(router__ipr_fraction=fraction, router__scheduling='"random"')
                self.assertAlmostEqual(share, (1 - fraction) / 2, delta=0.015)

    def test_reach_the_bound_of_a_mesh_that_equal_turns_miss_beyond_saturation(self):
        bound = self.json_of("topology", "mesh.toml")["uniform_load_bound"]
        short = {"measure__warmup_cycles": 3000, "measure__max_warmup_cycles": 7000, "measure__batches": 2}
        self.assertLess(self.accepted("mesh.toml", **short), 0.93 * bound)
        self.assertGreater(self.accepted("mesh.toml", router__ipr_fraction=0.5, **short), 0.98 * bound)
        self.assertGreater(self.accepted("mesh.toml", router__scheduling='"age"', **short), 0.98 * bound)


if __name__ == "__main__":
    unittest.main()
