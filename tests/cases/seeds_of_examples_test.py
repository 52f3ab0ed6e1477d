"""Every example with several seeds: each figure is merged from those of runs of one seed by its rule (merging.py).

    tests/by-hand tests/cases/seeds_of_examples_test.py [NAME...]"""

import sys
import unittest

import cases  # noqa: F401  # finds the two below
import example_configs
import harness
from merging import MergedSeeds

CHOSEN = []
LONGEST = 900  # s of one run


class SeedsOfExamples(MergedSeeds):
    def test_every_figure_of_every_example_is_merged_by_its_rule(self):
        place = example_configs.copied(self.folder)
        merged, refused = 0, []
        for name in CHOSEN or example_configs.names():
            with self.subTest(name):
                config = place / f"{name}.toml"
                code, _, errors = self.finish(self.start([cases.WEFT, "run", config, "--set", "measure.seeds=2",
                                                          "--print-config"]))
                if code == 2:
                    self.assertIn("seeds", errors)
                    refused.append(name)
                    continue
                self.check(config, seeds=(5, 6), seconds=LONGEST)
                merged += 1
        if not CHOSEN:
            self.assertGreater(merged, 80, f"refused: {refused}")


if __name__ == "__main__":
    CHOSEN[:] = [word for word in sys.argv[1:] if (harness.ROOT / "examples" / f"{word}.toml").exists()]
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[1:] if word not in CHOSEN)])
