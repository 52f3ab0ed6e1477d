"""weft explain: shares add up to one, efficiencies are one at most and multiply, whatever is explained.

Environment: WEFT_BINARY is the program."""

import math
import random
import unittest

import cases
import harness

TORUS = 'format = 1\ntopology = {{kind = "torus", dims = [4, 4]}}\nlink = {{rate_gbps = {}}}\n'


class Explained(cases.Case):
    def explained(self, config, **keys):
        runs = self.json_of("explain", config, *harness.settings(keys), "--progress", "never", "--quiet")["runs"]
        for run in runs:
            self.assertAlmostEqual(sum(run["shares"].values()), 1, places=9)
            e = run["efficiencies"]
            known = {name: value for name, value in e.items() if value is not None and name != "ideal_time"}
            for name, value in known.items():
                self.assertTrue(0 <= value <= 1 + 1e-12, (config, name, e))
            if "parallel" in known:
                self.assertTrue(math.isclose(e["parallel"], e["load_balance"] * e["communication"], rel_tol=1e-9), e)
            if "transfer" in known:
                self.assertTrue(math.isclose(e["communication"], e["serialisation"] * e["transfer"], rel_tol=1e-9), e)
        return runs[0]


class Flows(Explained):
    case = "06-explain-flows"

    def test_waiting_for_a_time_is_no_computing_that_a_network_could_serialise(self):
        run = self.explained("f.toml")
        self.assertEqual({name: run["efficiencies"][name] for name in ("parallel", "serialisation", "transfer")},
                         {"parallel": None, "serialisation": None, "transfer": None})  # fmt: skip


class Cycles(Explained):
    case = "13-explain-cycles"

    def test_turnaround_is_as_long_where_messages_cost_nothing(self):
        """Both tasks compute and turn around alike, so that nothing is serialised: what is lost is the network's."""
        e = self.explained("t2.toml")["efficiencies"]
        self.assertGreater(e["serialisation"], 0.99)
        self.assertAlmostEqual(e["transfer"], e["communication"], delta=0.01)

    def test_what_does_not_compute_has_no_efficiencies(self):
        self.assertIsNone(self.explained("t.toml")["efficiencies"]["parallel"])

    def test_limits_of_the_run_are_none_of_the_network_that_costs_nothing(self):
        limited = self.explained("m.toml")["efficiencies"]
        self.assertIsNotNone(limited["transfer"])
        self.assertEqual(limited, self.explained("m.toml", simulation__max_cycles=0)["efficiencies"])


class Lanes(Explained):
    case = "12-efficiency-above-1"

    def test_computing_of_lanes_that_overlap_counts_once(self):
        """Two channels whose hops lie side by side where messages take no time."""
        e = self.explained("c.toml")["efficiencies"]
        self.assertLessEqual(e["serialisation"], 1)
        one = self.explained("c.toml", workload__channels=1)["efficiencies"]
        self.assertAlmostEqual(e["serialisation"], one["serialisation"], delta=0.05)


class Several(cases.Case):
    def test_a_complaint_about_one_of_several_configs_names_it(self):
        tasks = '[workload]\nkind = "kernel"\nname = "mesh"\ntasks = 16\nmessage_bytes = 64\n'
        self.write("large.toml", TORUS.format(100) + tasks)
        self.write("small.toml", TORUS.format(100).replace("[4, 4]", "[2, 2]") + tasks)
        self.weft("explain", "large.toml", "small.toml", code=2)
        self.assertIn("small.toml: cannot place 16 tasks on 4 nodes", self.errors)
        self.weft("explain", "small.toml", code=2)
        self.assertIn("cannot place 16 tasks on 4 nodes", self.errors)
        self.assertNotIn("small.toml", self.errors)
        self.weft("explain", "large.toml", "small.toml", "--set", "workload.tasks=4")


class Drawn(Explained):
    def test_any_program_keeps_the_laws(self):
        draw = random.Random(5)
        workloads = [
            'kind = "nccl"\nname = "allreduce"\ntasks = 8\nmessage_bytes = 20000\nhop_ns = 100\nchannels = {}',
            'kind = "kernel"\nname = "stencil"\ntasks = 16\nmessage_bytes = 64\nturnaround_cycles = {}\ncompute_ns = '
            '100',
            'kind = "kernel"\nname = "mesh"\ntasks = 16\nmessage_bytes = 100\nsend_gap_cycles = {}\ncompute_ns = 900',
            'kind = "inference"\nlayers = 4\nhidden = 64\nrequests = 3\nprompt_tokens = 5\noutput_tokens = {}\ntasks = '
            '4\npipeline = 2',
            'kind = "kernel"\nname = "stencil"\ntasks = 16\nmessage_bytes = 32\ncompute_ns = 5000\nnoise = '
            '"fixed"\nnoise_ns = 100\nnoise_interval_ns = {}000',
            'kind = "flows"\nflow_sizes = "fixed"\nflow_bytes = 1000\nflows = 20\noffered_load = 0.{}']  # fmt: skip
        for number in range(12):
            with self.subTest(number=number):
                self.write("drawn.toml", TORUS.format(draw.choice((1, 100))) + "[workload]\n"
                           + workloads[number % 6].format(draw.randint(1, 4)) + "\n")
                self.explained("drawn.toml")


if __name__ == "__main__":
    unittest.main()
