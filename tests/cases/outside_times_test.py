"""Times of the outside world, at which requests arrive and sources send, are no computing: no key about processors changes them."""

import unittest

from cases import Case


class Arrivals(Case):
    case = "02-inference-arrivals"

    def ends(self, **keys):
        """ns at which the last task is over, and what lane 0 did but wait for requests."""
        found = self.run_json("i.toml", **keys)
        busy = sum(row["ns"] for row in found["activities"] if row["name"] != "arrivals")
        return found["tasks"]["finish_ns_max"], busy

    def test_they_are_the_same_whatever_processors_do(self):
        # Without computing the last request ends when it arrives, but for its messages.
        last, messages = self.ends(workload__cpu_scale=0)
        self.write("factors.txt", "0 3\n1 3\n")
        for keys in ({}, {"cpu_scale": 0.1}, {"cpu_scale": 10}, {"cpu_factors": '"factors.txt"'},
                     {"noise": '"fixed"', "noise_ns": 1000, "noise_interval_ns": 2000}):  # fmt: skip
            with self.subTest(keys=keys):
                end, busy = self.ends(**{f"workload__{key}": value for key, value in keys.items()})
                self.assertGreaterEqual(end, last - messages)
                self.assertLessEqual(end, last + busy)

    def test_twice_the_rate_is_half_the_time(self):
        last, messages = self.ends(workload__cpu_scale=0)
        twice, _ = self.ends(workload__cpu_scale=0, workload__requests_per_s=2000.0)
        self.assertAlmostEqual(twice, last / 2, delta=messages)

    def test_a_program_written_as_goal_keeps_them(self):
        self.weft("trace", "generate", "--config", "i.toml", "--out", "i.goal")
        self.assertIn("until ", (self.folder / "i.goal").read_text(encoding="utf-8"))
        self.write("goal.toml", 'format = 1\ntopology = {kind = "ideal", nodes = 2}\nworkload = {kind = "trace", path = "i.goal"}\n')
        for scale in (1, 0, 10):
            # The same iterations: they are those of cpu_scale = 1.
            end = self.run_json("goal.toml", workload__cpu_scale=scale)["tasks"]["finish_ns_max"]
            self.assertGreaterEqual(end, self.ends(workload__cpu_scale=0)[0] * 0.99)
        self.assertEqual(self.run_json("goal.toml")["tasks"]["finish_ns_max"], self.ends()[0])

    def test_explain_and_activities_tell_them_from_computing(self):
        found = self.run_json("i.toml")
        share = {row["name"]: row["share"] for row in found["activities"]}
        self.assertEqual([row["name"] for row in found["activities"] if row["outside"]], ["arrivals"])
        run = self.json_of("explain", "i.toml", "--progress", "never")["runs"][0]
        self.assertAlmostEqual(run["shares"]["compute"], share["prefill"] + share["decode"], delta=0.01)
        self.assertAlmostEqual(sum(run["shares"].values()), 1)
        self.assertGreater(run["shares"]["idle"], 0.8)
        self.assertLess(run["efficiencies"]["parallel"], 0.1)
        self.assertGreater(run["critical_path"]["idle"], 0.5 * run["time"])

    def test_a_request_needs_the_length_of_a_cycle(self):
        self.write("packets.toml", (self.folder / "i.toml").read_text(encoding="utf-8").replace('kind = "ideal"', 'kind = "full-mesh"', 1))
        self.weft("run", "packets.toml", "--set", "workload.cpu_scale=0", code=2)
        self.assertIn("give link.rate_gbps", self.errors)


class Sources(Case):
    CONFIG = """format = 1
[topology]
kind = "torus"
dims = [4, 4]
[link]
rate_gbps = 100
[simulation]
cycles = 3000
[[job]]
name = "load"
nodes = 16
workload = {kind = "synthetic", pattern = "uniform", offered_load = 0.1}
"""

    def test_sources_of_a_job_compute_nothing(self):
        self.write("s.toml", self.CONFIG)
        for run in self.json_of("explain", "s.toml", "--progress", "never")["runs"]:
            self.assertEqual(run["shares"]["compute"], 0)
            self.assertAlmostEqual(sum(run["shares"].values()), 1)


if __name__ == "__main__":
    unittest.main()
