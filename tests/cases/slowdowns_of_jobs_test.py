"""A job that shares nothing with the others is as fast in their company as alone, whenever it begins."""

import unittest

from cases import Case


class JobsOnTheirOwnHalves(Case):
    case = "07-slowdown-draws"

    def slowdowns(self, *words, **keys):
        return {job["name"]: job["slowdown"] for job in self.run_json("c.toml", "--slowdown", *words, **keys)["jobs"]}

    def test_have_a_slow_down_of_one_with_every_routing_and_start(self):
        for start in (0, 1, 500, 4096):
            for routing in ("oblivious", "shortest", "smart"):
                with self.subTest(start=start, routing=routing):
                    found = self.slowdowns(router__routing=routing, job__b__start_cycles=start)
                    self.assertEqual(found, {"a": 1, "b": 1})

    def test_and_when_one_follows_the_other(self):
        text = (self.folder / "c.toml").read_text().replace("start_cycles = 4096", 'after = "a"')
        self.write("c.toml", text)
        self.assertEqual(self.slowdowns(), {"a": 1, "b": 1})

    def test_with_several_seeds_and_ranks(self):
        self.assertEqual(self.slowdowns(measure__seeds=3), {"a": 1, "b": 1})
        self.assertEqual(self.slowdowns(ranks=2), {"a": 1, "b": 1})

    def test_a_job_that_is_not_over_has_none(self):
        found = self.slowdowns(simulation__stop="cycles", simulation__cycles=4200)
        self.assertEqual(found, {"a": 1, "b": None})


if __name__ == "__main__":
    unittest.main()
