"""Speeds of tasks and pauses of the system, in whole runs: single tasks and messages whose times are known.

Environment: WEFT_BINARY is the program."""

import json
import math
import statistics
import subprocess
import unittest

import harness

WEFT = harness.weft()
IDEAL = '[topology]\nkind = "ideal"\nnodes = {nodes}\n[ideal]\nlatency_ns = 100\noverhead_ns = 10\ngap_ns = 7\nbyte_gap_ns = 0\n'
TORUS = '[topology]\nkind = "torus"\ndims = [{nodes}]\n[link]\nrate_gbps = 32\n'  # a cycle is a ns


class Noise(harness.Scratch):
    def run_weft(self, ranks, workload, network=IDEAL, expect=0, head=""):
        """A trace of the operations of each task; `head` stands before the tables of the config."""
        text = "\n".join(f"rank {number} {{\n{body}\n}}" for number, body in enumerate(ranks))
        self.write("app.goal", f"num_ranks {len(ranks)}\n{text}\n")
        self.write("config.toml", "format = 1\n" + network.format(nodes=max(2, len(ranks)))
                   + '[workload]\nkind = "trace"\npath = "app.goal"\n' + workload + head)  # fmt: skip
        result = subprocess.run([WEFT, "run", "config.toml", "--json", "-", "--progress", "never"], cwd=self.folder,
                                capture_output=True, text=True)  # fmt: skip
        self.assertEqual(result.returncode, expect, result.stderr)
        return json.loads(result.stdout) if expect == 0 else result.stderr

    def finish(self, *arguments, **more):
        """Least, most and mean of the cycles at which tasks finish, each a ns."""
        cycles = self.run_weft(*arguments, **more)["task_finish_cycles"]
        return {"min": min(cycles), "max": max(cycles), "mean": statistics.mean(cycles)}

    def test_a_factor_is_that_of_computations_and_of_overheads(self):
        self.write("f.txt", "0 2\n1 0.5 # a fast one\n2 0\n")
        ranks = ["calc 1001", "calc 1001", "calc 1001", "calc 1001"]
        finish = self.finish(ranks, 'cpu_factors = "f.txt"\n')
        self.assertEqual([finish["min"], finish["max"]], [0, 2002])
        # 2 o, L, g, o / 2: the sender is slow, the receiver fast.
        message = ["send 8b to 1", "recv 8b from 0", ""]
        self.assertEqual(self.finish(message, 'cpu_factors = "f.txt"\n')["max"], 20 + 100 + 7 + 5)
        self.write("f.txt", "0 0\n1 0\n")
        self.assertEqual(self.finish(message, 'cpu_factors = "f.txt"\n')["max"], 100 + 7)

    def test_recorded_pauses_are_added_one_each_period(self):
        # 10 ns in each 100: whatever the phase, 900 periods' work takes as many periods, or less by a part of the
        # pause that the task begins in.
        self.write("n.txt", "# period_ns = 100\n20 5\n25 5\n")
        for network in (IDEAL, TORUS):
            finish = self.finish(["calc 81000"] * 40, 'noise_file = "n.txt"\n', network=network)
            self.assertLessEqual(finish["max"], 90000)
            self.assertGreaterEqual(finish["min"], 90000 - 10)
        # A pause longer than the period's rest is waited for: 1 ns of work each 100.
        self.write("n.txt", "0 99\n# period_ns = 100\n")
        finish = self.finish(["calc 50"] * 40, 'noise_file = "n.txt"\n')
        self.assertGreater(finish["min"], 4900)
        self.assertLessEqual(finish["max"], 5000)

    def test_random_pauses_leave_so_much_of_the_time(self):
        tasks, work, interval = 64, 10_000_000, 10_000
        for law, spread in (("fixed", 1), ("exponential", 2)):
            for length in (100, 2000):
                finish = self.finish([f"calc {work}"] * tasks,
                                     f'noise = "{law}"\nnoise_ns = {length}\nnoise_interval_ns = {interval}\n')  # fmt: skip
                expected = work * math.exp(length / interval)
                sigma = math.sqrt(spread * expected / interval / tasks) * length * math.exp(length / interval)
                self.assertAlmostEqual(finish["mean"], expected, delta=5 * sigma)
                self.assertNotEqual(finish["min"], finish["max"])

    def test_all_streams_of_a_task_pause_together(self):
        self.write("n.txt", "# period_ns = 1000\n0 500\n")
        one = self.run_weft(["calc 20000"], 'noise_file = "n.txt"\n')
        four = self.run_weft(["\n".join(f"calc 20000 cpu {cpu}" for cpu in range(4))], 'noise_file = "n.txt"\n')
        self.assertEqual(one["task_finish_cycles"], four["task_finish_cycles"])

    def test_seeds_draw_other_pauses(self):
        keys = 'noise = "exponential"\nnoise_ns = 100\nnoise_interval_ns = 1000\n'
        first, again, other = (self.run_weft(["calc 100000"] * 4, keys, head=f"[simulation]\nseed = {seed}\n") for seed in (1, 1, 2))
        self.assertEqual(first["digest"], again["digest"])
        self.assertNotEqual(first["digest"], other["digest"])

    def test_what_cannot_be_or_has_no_effect_is_refused(self):
        self.write("f.txt", "0 1\n7 2\n")
        self.write("n.txt", "0 5\n")
        self.write("down.txt", "9 1\n5 1\n")
        send = ["send 8b to 1", "recv 8b from 0"]
        random = 'noise = "fixed"\nnoise_ns = 100\nnoise_interval_ns = 1000\n'
        slow = TORUS.replace("32", "0.001")
        no_rate = TORUS.replace("[link]\nrate_gbps = 32\n", "")
        no_time = "cpu_scale = 0\n"
        for code, keys, network, words in (
            (3, 'cpu_factors = "absent.txt"\n', IDEAL, ["absent.txt", "No such file"]),
            (3, 'noise_file = "down.txt"\n', IDEAL, ["down.txt:2:", "in ascending order"]),
            (2, 'noise_file = "n.txt"\n', IDEAL, ["n.txt", "no time to work", "period_ns"]),
            (2, 'noise_file = "n.txt"\n' + random, IDEAL, ["workload.noise = ", "contradicts workload.noise_file"]),
            (2, "noise_ns = 10\n", IDEAL, ["workload.noise_ns = ", "has no effect with workload.noise"]),
            (2, "noise_interval_ns = 10\n", IDEAL, ["workload.noise_interval_ns = ", "has no effect with workload.noise"]),
            (2, 'noise = "fixed"\n', IDEAL, ["does not say how long", "noise_ns = 2000"]),
            (2, 'noise = "fixed"\nnoise_ns = 10\n', IDEAL, ["does not say how often", "noise_interval_ns = "]),
            (2, 'noise = "fixed"\nnoise_ns = 10\nnoise_interval_ns = 9\n', IDEAL, ["workload.noise_ns", "9 or less"]),
            (2, 'noise = "fixd"\n', IDEAL, ["workload.noise", "fixed"]),
            (2, random, no_rate, ["length of a cycle", "link.rate_gbps"]),
            (2, random, slow, ["is less than a tick"]),
            (2, random + no_time, TORUS, ["workload.noise has no effect", "workload.cpu_scale"]),
        ):
            with self.subTest(keys=keys, network=network):
                error = self.run_weft(send, keys, network=network, expect=code)
                for word in words:
                    self.assertIn(word, error)

    def test_independent_sources_have_no_processors(self):
        result = subprocess.run([WEFT, "run", harness.ROOT / "examples" / "torus-uniform.toml", "--set", "workload.noise=fixed"],
                                capture_output=True, text=True)  # fmt: skip
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no effect with workload.kind", result.stderr)


if __name__ == "__main__":
    unittest.main()
