"""Virtual channels that nobody takes: packets take all that there are, or a warning says which are idle."""

import unittest

from cases import Case, harness

h5py = harness.module("h5py")

HYPERX = """format = 1
[topology]
kind = "hyperx"
dims = [3, 3]
nodes_per_router = 2
[router]
kind = "switch"
routing = "hyperx:minimal"
virtual_channels = 8
[packet]
phits = 1
[simulation]
cycles = 1500
[workload]
offered_load = 1.0
"""
INFINIBAND = """format = 1
[topology]
kind = "tree"
arity = 2
levels = 2
[router]
kind = "infiniband"
virtual_channels = 4
[simulation]
cycles = 400
[workload]
offered_load = 0.3
"""


class IdleChannels(Case):
    case = "idle-channels"

    def channels(self, config, **keys):
        """Packets by channel, of all links between routers; and the result."""
        result = self.run_json(config, "--out", "run.h5", statistics__ports=True, **keys)
        counts = {}
        with h5py.File(self.folder / "run.h5") as file:
            ports = file["ports"]
            for channel, packets in zip(ports["channel"][:], ports["packets"][:]):
                counts[int(channel)] = counts.get(int(channel), 0) + int(packets)
        return counts, result

    def test_dimension_order_on_a_mesh_takes_all_of_sixteen_and_its_latency_is_that_of_booksim(self):
        counts, result = self.channels("meshu.toml", workload__offered_load=0.4, simulation__cycles=6000)
        self.assertEqual(set(counts), set(range(16)))
        self.assertLess(max(counts.values()), 40 * min(counts.values()))
        booksim = 37.4
        self.assertAlmostEqual(result["latency"]["mean"], booksim, delta=0.07 * booksim)

    def test_routings_of_switches_take_every_channel_between_routers(self):
        self.write("hyperx.toml", HYPERX)
        for mode in ("minimal", "min-adaptive", "valiant", "ugal-l"):
            with self.subTest(mode):
                counts, _ = self.channels("hyperx.toml", router__routing=f"hyperx:{mode}")
                self.assertEqual(set(counts), set(range(8)))

    def test_lanes_without_a_service_level_are_named_where_they_were_asked_for(self):
        self.write("infiniband.toml", INFINIBAND)
        warnings = " ".join(self.run_json("infiniband.toml")["warnings"])
        self.assertIn("3 of router.virtual_channels = 4 are idle: no packet takes VC 1, 2, 3", warnings)
        for keys in ({"router__virtual_channels": 1}, {"router__sl_shares": [1, 1, 1, 1]}):
            self.assertNotIn("idle", " ".join(self.run_json("infiniband.toml", **keys)["warnings"]))


if __name__ == "__main__":
    unittest.main()
