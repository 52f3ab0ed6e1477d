"""Static routes of trees where each channel climbs by other switches: accepted loads of INSEE's *arith* routes."""

import unittest

from cases import Case

TREE = """format = 1
[topology]
kind = "tree"
arity = 4
levels = 3
[router]
kind = "multistage"
routing = "static-by-channel"
[packet]
phits = 16
[workload]
offered_load = 1.0
"""


class StaticByChannel(Case):
    def accepted(self, **keys):
        self.write("tree.toml", TREE)
        return self.run_json("tree.toml", **keys)["load"]["accepted"]

    def test_accepts_what_insee_does(self):
        for pattern, channels, insee in (("uniform", 2, 0.7434), ("uniform", 4, 0.8442), ("bit-reversal", 2, 0.4107), ("bit-reversal", 4, 0.5582)):
            with self.subTest(pattern=pattern, channels=channels):
                load = self.accepted(workload__pattern=f'"{pattern}"', router__virtual_channels=channels)
                self.assertAlmostEqual(load, insee, delta=0.03 * insee)

    def test_with_one_channel_it_is_static(self):
        loads = [self.accepted(router__routing=f'"{routing}"', router__virtual_channels=1, workload__pattern='"bit-reversal"')
                 for routing in ("static", "static-by-channel")]  # fmt: skip
        self.assertEqual(*loads)
        self.assertAlmostEqual(loads[0], 0.25, delta=0.002)  # four packets for each link of the first level


if __name__ == "__main__":
    unittest.main()
