"""Thresholds of marks that no queue can reach: the run says so, and what it advises is enough."""

import re
import unittest

from cases import Case


class MarkingThresholds(Case):
    case = "flow-order"

    def incast(self, **keys):
        """The warnings of 15 flows into one node, one channel a link, and how many packets were marked."""
        keys = {"router.virtual_channels": 1, "congestion.max_probability": 1.0} | keys
        result = self.run_json("cc.toml", **{key.replace(".", "__"): value for key, value in keys.items()})
        return " ".join(result["warnings"]), result["congestion"]["marked_packets"]

    def test_a_threshold_beyond_all_buffers_marks_nothing(self):
        most = 7 * 512 - 1  # a leaf has 4 nodes and 4 spines; a queue is what the 7 other inputs hold, without the packet that leaves
        for least in (most, 2 * most):
            said, marked = self.incast(**{"congestion.min_cells": least, "congestion.max_cells": 4 * most})
            self.assertEqual(marked, 0)
            self.assertIn(f"congestion.min_cells = {least}, but at most {most} cells can wait", said)
            lower, buffer = re.search(r"use min_cells = (\d+) or less, or router.buffer_cells = (\d+)", said).groups()
            with self.subTest(least=least, lower=lower):
                self.assertGreater(self.incast(**{"congestion.min_cells": lower, "congestion.max_cells": most})[1], 0)
            with self.subTest(least=least, buffer=buffer):
                said, marked = self.incast(**{"congestion.min_cells": least, "congestion.max_cells": least + 1, "router.buffer_cells": buffer})
                self.assertGreater(marked, 0)
                self.assertNotIn("min_cells", said)

    def test_a_second_threshold_beyond_them_is_said_with_the_probability_that_is_left(self):
        said, marked = self.incast(**{"congestion.min_cells": 383, "congestion.max_cells": 6783})
        self.assertGreater(marked, 0)
        self.assertIn("no queue reaches congestion.max_cells = 6783", said)
        self.assertIn("50.0 % of congestion.max_probability", said)  # (3583 - 383) / (6783 - 383)

    def test_thresholds_within_them_are_no_warning(self):
        said, marked = self.incast(**{"congestion.min_cells": 16, "congestion.max_cells": 64})
        self.assertGreater(marked, 0)
        self.assertNotIn("_cells", said)

    def test_one_threshold_is_looked_at_too(self):
        self.write("becn.toml", re.sub(r"kind = \"dcqcn\"[^$]*", 'kind = "infiniband"\n', (self.folder / "cc.toml").read_text()))
        for least, marks in ((4000, False), (100, True)):
            result = self.run_json("becn.toml", router__virtual_channels=1, congestion__min_cells=least)
            self.assertEqual(result["congestion"]["marked_packets"] > 0, marks)
            self.assertEqual("no packet is ever marked" in " ".join(result["warnings"]), not marks)


if __name__ == "__main__":
    unittest.main()
