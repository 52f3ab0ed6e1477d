"""What the result has of a timeline (/timeline, /activities) against closed forms on the ideal network, and against run
times.

Environment: WEFT_BINARY is the program."""

import unittest

import harness
from timelines_test import EXAMPLES, IDEAL, OVERHEAD, flight

h5py, np = harness.module("h5py"), harness.module("numpy")


class Rows(harness.Scratch):
    def result(self, config, *settings, ranks=1):
        """Rows as (task, activity, begin, end), the names of activities with their mean cycles, ends of tasks."""
        self.run_json(config, "--out", "r.h5", *settings, ranks=ranks)
        with h5py.File(self.folder / "r.h5") as file:
            names = [name.decode() for name in file["activities/name"][:]]
            table = [file[f"timeline/{column}"][:] for column in ("task", "activity", "begin", "end")]
            cycles = dict(zip(names, file["activities/cycles"][:]))
            sent = dict(zip(names, zip(file["activities/messages"][:], file["activities/bytes"][:])))
            finish = file["tasks/finish_cycles"][:] if "tasks/finish_cycles" in file else None
        return [(int(t), names[int(a)], b, e) for t, a, b, e in zip(*table)], cycles, sent, finish

    def test_ping_pong(self):
        self.write("x.trc", "s 0 1 7 100\nc 1 500\nr 0 1 7 100\ns 1 0 8 64\nr 1 0 8 64\n")
        self.write("ideal.toml", IDEAL)
        rows, cycles, sent, _ = self.result("ideal.toml", "statistics.timeline_tasks=all")
        there = OVERHEAD + flight(100)
        handled = there + OVERHEAD
        back = handled + OVERHEAD + flight(64)
        self.assertEqual(rows, [(0, "send", 0, OVERHEAD), (0, "wait", OVERHEAD, back),
                                (0, "receive", back, back + OVERHEAD),
                                (1, "compute", 0, 500), (1, "wait", 500, there), (1, "receive", there, handled),
                                (1, "send", handled, handled + OVERHEAD)])  # fmt: skip
        self.assertEqual(cycles, {"send": OVERHEAD, "wait": (back - OVERHEAD + there - 500) / 2, "receive": OVERHEAD,
                                  "compute": 250})
        self.assertEqual(sent["send"], (2, 164))
        # Tasks that are not asked for are not there; means are over those that are.
        rows, cycles, _, _ = self.result("ideal.toml", "statistics.timeline_tasks=1")
        self.assertEqual({row[0] for row in rows}, {1})
        self.assertEqual(cycles["compute"], 500)

    def test_streams_of_a_graph_that_overlap_are_lanes(self):
        self.write("x.trc",
                   "num_ranks 2\nrank 0 {\n  a: calc 300\n  b: calc 200 cpu 1\n  c: send 10b to 1\n  c requires a\n  c "
                   "requires b\n}\n"
                            "rank 1 {\n  a: recv 10b from 0\n}\n")  # fmt: skip
        self.write("ideal.toml", IDEAL)
        rows, _, _, _ = self.result("ideal.toml", "statistics.timeline_tasks=all")
        self.assertLessEqual({(0, "compute", 0, 300), (0, "compute", 0, 200), (0, "send", 300, 300 + OVERHEAD)},
                             set(rows))
        with h5py.File(self.folder / "r.h5") as file:
            task, lane, begin, end = (file[f"timeline/{column}"][:] for column in ("task", "lane", "begin", "end"))
        order = np.lexsort((begin, lane, task))
        same = (task[order][1:] == task[order][:-1]) & (lane[order][1:] == lane[order][:-1])
        self.assertTrue((begin[order][1:] >= end[order][:-1])[same].all())

    def test_intervals_of_a_replay_lie_behind_each_other_and_add_up_to_its_run_time(self):
        rows, cycles, _, finish = self.result(EXAMPLES / "trace-is-on-torus.toml", "statistics.timeline_tasks=all")
        self.assertEqual(len(finish), 16)
        for task, end in enumerate(finish):
            mine = [row for row in rows if row[0] == task]
            self.assertAlmostEqual(sum(row[3] - row[2] for row in mine), end, places=6)
            self.assertTrue(all(before[3] <= after[2] for before, after in zip(mine, mine[1:])))
        self.assertAlmostEqual(sum(cycles.values()), finish.mean(), places=6)

    def test_rows_are_the_same_on_any_number_of_ranks(self):
        self.write("x.trc",
                   "".join(f"c {t} {700 * t + 100}\ns {t} {(t + 1) % 4} 3 {90 * t + 5}\nr {t} {(t + 1) % 4} 3 "
                           f"{90 * t + 5}\n" for t in range(4)))
        self.write("ideal.toml", IDEAL)
        alone = self.result("ideal.toml", "statistics.timeline_tasks=1-3")
        self.assertEqual({row[0] for row in alone[0]}, {1, 2, 3})
        for ranks in (2, 3):
            rows, cycles, sent, finish = self.result("ideal.toml", "statistics.timeline_tasks=1-3", ranks=ranks)
            self.assertEqual((rows, cycles, sent), alone[:3])
            self.assertEqual(finish.tolist(), alone[3].tolist())


if __name__ == "__main__":
    unittest.main()
