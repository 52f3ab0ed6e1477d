"""Cutting, merging and counting traces, as their users meet it."""

import json

import harness
from harness import IS_TRACE, ROOT
from cli_runs import Cli

MG_TRACE = ROOT / "examples" / "traces" / "mg.S.16.trc.xz"
GOAL = ROOT / "examples" / "traces" / "goal" / "binary_tree_32.goal"
# Task 0 sends to both others, task 1 answers, task 2 sends what nobody receives.
SMALL = "c 0 5\ns 0 1 7 100\ns 0 2 7 1000\nr 0 1 7 100\ns 1 0 8 64\nr 1 0 8 64\nr 0 2 7 1000\ns 2 1 9 3\n"


class TraceFiles(Cli):
    """The store of a bundled trace would lie beside it."""

    def trace(self, command, *arguments):
        return self.assert_succeeds("trace", command, *arguments, "--no-store")

    def counts(self, trace):
        return json.loads(self.trace("info", trace, "--json", "-"))


class CutTraces(TraceFiles):
    def test_some_tasks_of_a_trace_are_a_trace_that_completes(self):
        text = self.trace("cut", IS_TRACE, "--tasks", "0-3,8", "--out", "part.trc")
        self.assertIn("5 tasks", text)
        self.assertIn("sends to tasks that are left out", text)
        self.assertRegex(text, r"task \d+, event \d+: to \d+, tag \d+, \d+ bytes")
        self.assertIn("complete", self.trace("check", "part.trc"))
        whole, part = self.counts(IS_TRACE), self.counts("part.trc")
        self.assertLess(part["messages"], whole["messages"])
        self.assertEqual(part["operations"]["send"], part["operations"]["receive"])

    def test_kept_and_left_out_are_all(self):
        small = self.write("small.trc", SMALL)
        text = self.trace("cut", small, "--tasks", "0,1", "--out", "part.trc")
        self.assertIn("kept 5 events: 2 sends, 2 receives", text)
        self.assertIn("left out, sends to tasks that are left out: 1 (1,000 bytes)\n    task 0, event 3: to 2, tag 7, "
                      "1000 bytes\n", text)
        self.assertEqual((self.folder / "part.trc").read_text(),
                         "c 0 5\ns 0 1 7 100\nr 1 0 8 64\nr 0 1 7 100\ns 1 0 8 64\n")
        # The message that nobody receives: left out, or received at the end.
        self.assertIn("left out, sends whose receive lies outside: 1 (3 bytes)",
                      self.trace("cut", small, "--out", "all.trc"))
        text = self.trace("cut", small, "--crossing", "complete", "--out", "all.trc")
        self.assertIn("completed, sends whose receive lies outside: 1 (3 bytes)", text)
        self.assertIn("added, receives for sends whose receive lies outside: 1", text)
        self.assertIn("r 2 1 9 3\n", (self.folder / "all.trc").read_text())
        self.assertIn("complete, 4 messages", self.trace("check", "all.trc"))

    def test_a_cut_by_everything_is_the_trace(self):
        self.trace("cut", IS_TRACE, "--out", "all.trc")
        self.assertEqual({**self.counts("all.trc")}, self.counts(IS_TRACE))
        self.trace("cut", IS_TRACE, "--tasks", "0-15", "--to", "goal", "--out", "all.txt")
        self.trace("convert", IS_TRACE, "--out", "is.goal")
        self.assertEqual((self.folder / "all.txt").read_text(), (self.folder / "is.goal").read_text())

    def test_parts_that_are_not_there_are_refused(self):
        cut = ["trace", "cut", IS_TRACE, "--no-store", "--out", "a.trc"]
        self.assert_fails(2, ["has no times", "cut it by tasks"], *cut, "--from", "1")
        self.assert_fails(2, ["has no times"], *cut, "--to", "2.5")
        self.assert_fails(2, ["one of them"], *cut, "--to", "2.5", "--region", "x")
        self.assert_fails(2, ["--region", "no marks or regions"], *cut, "--region", "x")
        self.assert_fails(2, ["task 16", "0..15"], *cut, "--tasks", "3-16")
        self.assert_fails(2, ["--tasks", "'7-3'"], *cut, "--tasks", "1,7-3")
        self.assert_fails(2, ["--to nix", "goal (.goal)", "trc (.trc)"], *cut, "--to", "nix")
        self.assert_fails(2, ["after another time"], *cut, "--to", "1", "--to", "2")
        self.assert_fails(2, ["--out", "it is FILE, which is read"], "trace", "cut", self.write("b.trc", SMALL),
                          "--no-store", "--out", "b.trc")
        self.assert_fails(3, ["graphs"], "trace", "cut", GOAL, "--no-store", "--out", "a.trc")
        self.assertFalse((self.folder / "a.trc").exists())


class MergedTraces(TraceFiles):
    def test_traces_side_by_side_have_the_sums_of_both(self):
        text = self.trace("merge", IS_TRACE, MG_TRACE, "--out", "both.trc")
        self.assertIn("tasks 16 to 31", text)
        both, one, other = self.counts("both.trc"), self.counts(IS_TRACE), self.counts(MG_TRACE)
        for count in ("tasks", "messages", "bytes"):
            self.assertEqual(both[count], one[count] + other[count])
        self.assertIn("complete", self.trace("check", "both.trc"))

    def test_they_run_as_jobs_too(self):
        small = self.write("small.trc", SMALL.replace("s 2 1 9 3\n", ""))
        text = self.trace("merge", small, small, "--jobs")
        self.assertEqual(text.count("[[job]]  # 3 tasks"), 2)
        config = self.config('[topology]\nkind = "ideal"\nnodes = 6\n', text.replace(str(self.folder) + "/", ""))
        jobs = json.loads(self.assert_succeeds("run", config, "--json", "-", "--progress", "never"))["jobs"]
        self.assertEqual([job["name"] for job in jobs], ["small", "small-2"])
        self.assert_fails(2, ["--out", "--jobs"], "trace", "merge", small)
        self.assert_fails(3, ["graphs"], "trace", "merge", small, GOAL, "--out", "a.trc")


class TraceStatistics(TraceFiles):
    def test_counts_are_those_of_the_trace(self):
        small = self.write("small.trc", SMALL)
        stats = json.loads(self.trace("stats", small, "--json", "-"))
        self.assertEqual((stats["tasks"], stats["messages"], stats["bytes"]), (3, 4, 1167))
        self.assertEqual(stats["sizes"], {"least_bytes": [2, 64, 512], "most_bytes": [3, 127, 1023],
                                          "messages": [1, 2, 1], "bytes": [3, 164, 1000]})
        self.assertEqual(stats["pairs"], {"from": [0, 0, 1, 2], "to": [1, 2, 0, 1], "messages": [1, 1, 1, 1],
                                          "bytes": [100, 1000, 64, 3]})
        self.assertEqual(stats["partners"], {"sends_to": [2, 1, 1], "receives_from": [1, 2, 1]})
        self.assertEqual(stats["times"], {"computing_ns": [5, 0, 0]})
        text = self.trace("stats", small)
        self.assertIn("4 with messages, 66.7 % of all", text)
        self.assertIn("64 to 127", text)

    def test_files_hold_the_same_and_the_page_has_pictures(self):
        outputs = [part for ending in ("h5", "csv", "html", "json") for part in ("--out", f"is.{ending}")]
        self.trace("stats", IS_TRACE, *outputs)
        stats = json.loads((self.folder / "is.json").read_text())
        self.assertEqual((stats["messages"], stats["bytes"]), (4842, 3426152))
        rows = [line.split(",") for line in (self.folder / "is.csv").read_text().splitlines()]
        self.assertEqual(rows[0], ["from", "to", "messages", "bytes"])
        self.assertEqual(sum(int(row[3]) for row in rows[1:]), 3426152)
        figures = harness.page_figures(self.folder / "is.html")
        self.assertEqual(sum(figures["Messages"]["series"][0]["y"]), 4842)
        self.assertEqual(sum(figures["Sent"]["series"][0]["y"]), 3426152)
        self.assertIn("matrix", [figure["kind"] for figure in figures.values()])
        # 16 tasks, each of which sends to all others.
        self.assertEqual(len(rows) - 1, 240)
        self.assertIn("240 pairs of tasks", (self.folder / "is.html").read_text(encoding="utf-8"))

    def test_programs_of_graphs_have_messages_too(self):
        self.assertIn("31 with messages", self.trace("stats", GOAL))

    def test_what_cannot_be_written_is_refused(self):
        self.assert_fails(
            2, ["'a.pdf'", ".h5, .csv, .html, .json or .toml"], "trace", "stats", IS_TRACE, "--out", "a.pdf")
