"""Traffic between two routers of one group of a dragonfly: one link, or two more by way of the other routers."""

import unittest

from cases import Case

FLOWS = 8  # from the nodes of one router to those of another, of a group of 4
PHIT_BYTES = 4096


class InsideAGroup(Case):
    case = "dragonfly-inside"

    def share(self, routing, **keys):
        """What each flow got, as a share of its node's link."""
        messages = {"workload__message_bytes": 4 << 20}
        result = self.run_json("x.toml", router__routing=f'"{routing}"', **messages, **keys)
        return (4 << 20) / PHIT_BYTES / result["cycles"]

    def test_all_share_the_link_between_the_two_unless_they_may_go_by_a_third(self):
        for routing, channels in (("minimal", 3), ("valiant", 3), ("ugal-l", 3), ("ugal-g", 3), ("par", 4)):
            with self.subTest(routing):
                share = self.share(routing, router__virtual_channels=channels)
                self.assertLessEqual(share, 1 / FLOWS)
                self.assertGreater(share, 0.95 / FLOWS)

    def test_misrouting_takes_the_ways_by_the_other_routers_too(self):
        for routing, channels, ways, fraction in (("valiant", 3, 2, 0.85), ("ugal-l", 3, 3, 0.75), ("ugal-g", 3, 3, 0.75), ("par", 4, 3, 0.75)):
            with self.subTest(routing):
                share = self.share(routing, router__virtual_channels=channels, router__local_misrouting=True)
                self.assertLessEqual(share, ways / FLOWS)
                self.assertGreater(share, fraction * ways / FLOWS)

    def test_shortest_paths_refuse_the_key(self):
        out = self.weft("run", "x.toml", "--set", "router.routing=minimal", "--set", "router.local_misrouting=true", code=2)
        self.assertIn("router.local_misrouting", out + self.errors)


if __name__ == "__main__":
    unittest.main()
