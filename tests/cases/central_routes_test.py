"""Routes chosen centrally (examples/routes/central_routes.py): no link has two pairs, every pair gets a whole link, and
what the knowledge costs is a gather and a scatter."""

import collections
import json
import random
import subprocess
import sys
import unittest

import harness

SCRIPT = harness.ROOT / "examples" / "routes" / "central_routes.py"


class CentralRoutes(harness.Scratch):
    def made(self, leaves, leaf, seed, *words):
        subprocess.run([sys.executable, "-B", SCRIPT, "--leaves", str(leaves), "--nodes-per-leaf", str(leaf), "--seed",
                        str(seed), "--out", self.folder / "made", *words], check=True)
        config = (self.folder / "made.toml").read_text(encoding="utf-8")
        pairs = json.loads(next(line for line in config.splitlines() if line.startswith("pairs")).partition("=")[2])
        peer = dict(zip(pairs[::2], pairs[1::2], strict=True))
        return peer | {other: one for one, other in peer.items()}

    def most_on_a_link(self, peer, leaf):
        """Pairs on the link that most of them share, of routes as they stand in the file."""
        load = collections.Counter()
        for line in (self.folder / "made.txt").read_text(encoding="utf-8").splitlines():
            ends, _, ports = line.partition(":")
            one, other = map(int, ends.split())
            if peer[one] != other or not ports.strip():
                continue
            spine, down = map(int, ports.split())
            self.assertEqual(down, other // leaf)
            load["up", one // leaf, spine] += 1
            load["down", spine, down] += 1
        return max(load.values())

    def test_no_two_pairs_share_a_link(self):
        for leaves, leaf in ((2, 1), (3, 2), (8, 4), (5, 8), (32, 16)):
            for seed in range(3):
                peer = self.made(leaves, leaf, seed)
                self.assertEqual(sorted(peer), list(range(leaves * leaf)))
                self.assertTrue(all(peer[other] == one for one, other in peer.items()))
                self.assertEqual(self.most_on_a_link(peer, leaf), 1, (leaves, leaf, seed))
        self.assertGreater(self.most_on_a_link(self.made(32, 16, 1, "--static"), 16), 1)

    def test_every_pair_gets_a_whole_link_and_pays_for_the_knowledge_before(self):
        leaf, leaves = 4, 8
        rows = {}
        for words in ((), ("--static",)):
            self.made(leaves, leaf, random.Random(5).randrange(100), *words)
            summary = self.run_json("made.toml")
            rows[words] = {job["name"]: job for job in summary["jobs"]}
        central, static = rows[()], rows["--static",]
        # 16 bytes a cycle, of which a cell in 257 is a header.
        time = {name: job["finish_cycle"] - job["start_cycle"] for name, job in central.items()}
        self.assertLess(time["pairs"], 1.01 * 1_048_576 / 16 * 257 / 256)
        self.assertGreater(static["pairs"]["finish_cycle"] - static["pairs"]["start_cycle"], 1.9 * time["pairs"])
        # Node 0 takes in, or sends, a packet of two cells from each other node.
        for name in ("gather", "scatter"):
            self.assertGreaterEqual(time[name], 2 * (leaves * leaf - 1))
        self.assertEqual(central["pairs"]["start_cycle"], central["scatter"]["finish_cycle"] + 1)


if __name__ == "__main__":
    unittest.main()
