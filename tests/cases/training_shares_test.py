"""Where the time of a training goes: the bubble of its pipeline, communication that nothing hides, and what is hidden, apart."""

import unittest

from cases import Case

FAST = {"workload__memory_gbytes_per_s": 1e9, "workload__vocabulary": 1}  # passes alone take time
STAGES, MICRO_BATCHES, FORWARD, BACKWARD = 4, 4, 1, 2


class Shares(Case):
    case = "users/zero.toml"

    def shares(self, **keys):
        found = self.run_json("zero.toml", **keys)
        return found["pipeline_bubble"], found["exposed_communication"], found["hidden_communication"], found

    def test_on_a_network_that_costs_nothing_all_waiting_is_the_bubble(self):
        work = MICRO_BATCHES * (FORWARD + BACKWARD)
        idle = (STAGES - 1) * (FORWARD + BACKWARD)
        for keys, expected in (({}, idle), ({"workload__schedule": '"interleaved"', "workload__chunks": 2}, idle / 2)):
            with self.subTest(keys=keys):
                bubble, exposed, _, found = self.shares(**FAST, **keys)
                self.assertAlmostEqual(bubble, expected / (work + expected), delta=0.002)
                self.assertLess(exposed, 0.002)
                computes = sum(row["share"] for row in found["activities"] if not row["communicates"])
                self.assertAlmostEqual(bubble + exposed + computes, 1)

    def test_it_is_so_for_all_schedules_and_settings(self):
        for keys in ({"schedule": '"zero-bubble"'}, {"recompute": True}, {"embeddings": '"tied"'}, {"batch": 96, "zero_stage": 2},
                     {"repetitions": 3, "embeddings": '"tied"'}):  # fmt: skip
            with self.subTest(keys=keys):
                bubble, exposed, *_ = self.shares(**{f"workload__{key}": value for key, value in keys.items()})
                self.assertGreater(bubble, 0.01)
                self.assertLess(exposed, 0.001)

    def test_the_bubble_of_unequal_experts_is_that_of_the_slowest_and_waiting_for_these_is_exposed(self):
        for schedule in ("1f1b", "interleaved"):
            keys = {"experts": 8, "expert": 8, "schedule": f'"{schedule}"'}
            bubbles = []
            for law in ("equal", "zipf"):
                bubble, exposed, _, found = self.shares(**{f"workload__{key}": value for key, value in (keys | {"counts_law": f'"{law}"'}).items()})
                rows = {row["name"]: row for row in found["activities"]}
                bubbles.append(rows["pipeline"]["bubble_ns"])
                self.assertAlmostEqual(rows["pipeline"]["ns"], bubbles[-1], delta=1e-6 * bubbles[-1])
                self.assertAlmostEqual(exposed, rows["expert"]["share"] + rows["gradients"]["share"], delta=1e-5)
                self.assertEqual(rows["expert"]["share"] > 0.05, law == "zipf")
            self.assertGreater(bubbles[1], 1.2 * bubbles[0])

    def test_a_network_that_costs_adds_what_is_exposed_and_leaves_the_bubble(self):
        free, _, _, of_free = self.shares()
        slow = {"ideal__latency_ns": 1000, "ideal__byte_gap_ns": 0.01}
        bubble, exposed, hidden, found = self.shares(**slow)
        pipeline = [next(row for row in of["activities"] if row["name"] == "pipeline") for of in (of_free, found)]
        self.assertAlmostEqual(pipeline[0]["bubble_ns"], pipeline[1]["bubble_ns"], delta=1e-6 * pipeline[0]["bubble_ns"])
        self.assertLess(bubble, free)
        self.assertGreater(exposed, 0.05)
        self.assertGreater(hidden, 0)
        for row in found["activities"]:
            self.assertLessEqual(row["hidden_ns"], row["side_ns"])
            self.assertLessEqual(row["bubble_ns"], row["ns"])
        # Gradients that are reduced after all have nothing to hide behind.
        late = self.shares(**slow, workload__overlap_gradients=False)[3]
        gradients = [next(row for row in of["activities"] if row["name"] == "gradients") for of in (found, late)]
        self.assertGreater(gradients[0]["hidden_ns"], 0)
        self.assertEqual(gradients[1]["hidden_ns"], 0)

    def test_without_a_pipeline_there_is_no_bubble(self):
        self.assertEqual(self.shares(workload__pipeline=1)[0], 0)


if __name__ == "__main__":
    unittest.main()
