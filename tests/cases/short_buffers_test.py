"""Buffers shorter than the round trip of their links: the run says what links can carry, and that is what a stream gets."""

import re
import unittest

from cases import Case

STREAM = """format = 1
[topology]
kind = "full-mesh"
nodes = 2
[router]
virtual_channels = 1
[workload]
kind = "exchange"
name = "pairs"
pairs = [0, 1]
both_ways = false
"""


class ShortBuffers(Case):
    case = "short-buffers"

    def stream(self, config, phits, **keys):
        """The share of a link's time that a stream of so many phits got, and what the warning says of it, or None."""
        keys["workload__message_bytes"] = phits * keys.get("packet__phit_bytes", 4)
        result = self.run_json(config, **keys)
        said = [float(found[1]) for found in re.finditer(r"can use ([0-9.]+) % of their time", " ".join(result["warnings"]))]
        return 100 * phits / result["cycles"], said[0] if said else None

    def test_channels_of_a_link_share_its_round_trip(self):
        share, said = self.stream("bdp.toml", 40_960, packet__phit_bytes=32)
        self.assertIsNone(said)
        self.assertGreater(share, 97)
        share, said = self.stream("bdp.toml", 40_960, packet__phit_bytes=32, router__virtual_channels=1)
        self.assertAlmostEqual(share, 100 * 64 / 144, delta=0.7)  # a packet of 64 cells a round trip of 2 x 40 and its length
        self.assertAlmostEqual(said, share, delta=0.7)

    def test_a_stream_gets_what_the_warning_says(self):
        self.write("stream.toml", STREAM)
        switch = {"router__kind": '"switch"', "router__iterations": 2}
        for latency, phits, cells, channels, more in [
            (40, 16, 64, 1, switch),
            (100, 16, 72, 1, switch | {"router__routing_cycles": 3}),
            (100, 16, 72, 1, switch | {"router__switch_latency_cycles": 7}),
            (100, 16, 64, 2, switch),
            (60, 8, 20, 1, switch | {"router__switching": '"store-and-forward"'}),
            (100, 16, 64, 1, {}),
            (100, 16, 96, 2, {"router__switch_latency_cycles": 5}),
        ]:
            buffer = {"router__buffer_cells": cells} if more.get("router__kind") else {"router__queue_packets": cells // phits}
            keys = {"link__latency_cycles": latency, "packet__phits": phits, "router__virtual_channels": channels} | buffer | more
            with self.subTest(keys):
                share, said = self.stream("stream.toml", 32_000, **keys)
                self.assertIsNotNone(said)
                self.assertAlmostEqual(said, share, delta=0.015 * share)

    def test_the_advice_is_enough_and_a_little_less_is_not(self):
        self.write("stream.toml", STREAM)
        for kind, key, unit in (("switch", "buffer_cells", 1), ("full-mesh", "queue_packets", 16)):
            keys = {"router__kind": f'"{kind}"', "link__latency_cycles": 75}
            warnings = " ".join(self.run_json("stream.toml", workload__message_bytes=64, **keys)["warnings"])
            enough = int(re.search(rf"use router.{key} = (\d+)", warnings)[1])
            with self.subTest(kind):
                share, said = self.stream("stream.toml", 32_000, **keys, **{f"router__{key}": enough})
                self.assertIsNone(said)
                self.assertGreater(share, 98)
                share, _ = self.stream("stream.toml", 32_000, **keys, **{f"router__{key}": enough - 32 // unit})
                self.assertLess(share, 94)


if __name__ == "__main__":
    unittest.main()
