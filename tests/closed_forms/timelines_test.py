"""Timelines (docs/timelines.md) against closed forms: times of intervals on the ideal network, by a decoder of its own;
sums of intervals against run times, messages against the trace and otf2-print, links against counted packets.

Environment: WEFT_BINARY is the program."""

import json
import lzma
import re
import shutil
import subprocess
import unittest
from collections import Counter

import harness
import perfetto

EXAMPLES = harness.ROOT / "examples"
LATENCY, OVERHEAD, BYTE = 1000, 10, 0.5
IDEAL = ('format = 1\ntopology = {{kind = "ideal", nodes = 4}}\nideal = {{latency_ns = {}, overhead_ns = {}, '
         'byte_gap_ns = {}}}\n'
         'workload = {{kind = "trace", path = "x.trc", trace_format = "auto"}}\n').format(LATENCY, OVERHEAD, BYTE)
OPERATION = re.compile(r"(compute|send to \d+|wait for \w+|receive from \d+)$")
MESSAGE_ROWS = re.compile(r"^MPI_(I?SEND|I?RECV)\s", re.MULTILINE)


def flight(data):
    return LATENCY + int((data - 1) * BYTE)


class Timelines(harness.Scratch):
    def on_ideal(self, trace, *settings, name="x.trc"):
        self.write("x.trc", trace)
        self.write("ideal.toml", IDEAL)
        return self.run_json("ideal.toml", "statistics.timeline=t.pftrace", *settings)

    def perfetto(self, name="t.pftrace"):
        return perfetto.Trace((self.folder / name).read_bytes())

    def operations(self, trace, task):
        """(name, begin, end) of what a task did, regions left out."""
        return [(row["name"], row["begin"], row["end"]) for row in trace.of(f"task {task}")
                if OPERATION.match(row["name"])]

    def test_ping_pong(self):
        self.on_ideal("s 0 1 7 100\nc 1 500\nr 0 1 7 100\ns 1 0 8 64\nr 1 0 8 64\n")
        trace = self.perfetto()
        # Task 1 computes 500 ns while the message is on its way.
        there = OVERHEAD + flight(100)
        handled = there + OVERHEAD
        back = handled + OVERHEAD + flight(64)
        self.assertEqual(self.operations(trace, 0), [("send to 1", 0, OVERHEAD), ("wait for 1", OVERHEAD, back),
                                                     ("receive from 1", back, back + OVERHEAD)])  # fmt: skip
        self.assertEqual(self.operations(trace, 1), [("compute", 0, 500), ("wait for 0", 500, there),
                                                     ("receive from 0", there, handled),
                                                     ("send to 0", handled, handled + OVERHEAD)])  # fmt: skip
        arrows = sorted((a["name"], b["name"], b["args"]["arrived"], a["args"], b["begin"]) for a, b in trace.arrows())
        self.assertEqual(arrows, [("send to 0", "receive from 1", back, {"to": 0, "tag": 8, "bytes": 64}, back),
                                  ("send to 1", "receive from 0", there, {"to": 1, "tag": 7, "bytes": 100}, there)])

    def test_chain_of_waits(self):
        compute = 12345
        self.on_ideal(f"c 0 {compute}\ns 0 1 1 9\nr 0 1 1 9\ns 1 2 2 1\nr 1 2 2 1\n")
        trace = self.perfetto()
        first = compute + OVERHEAD + flight(9)
        second = first + 2 * OVERHEAD + flight(1)
        self.assertEqual(self.operations(trace, 1)[0], ("wait for 0", 0, first))
        self.assertEqual(self.operations(trace, 2), [("wait for 1", 0, second),
                                                     ("receive from 1", second, second + OVERHEAD)])
        waits = {row["name"] for row in trace.slices if row["category"] == "wait"}
        self.assertEqual(waits, {"wait for 0", "wait for 1"})
        # The window leaves out what ended before it; a task that is not asked for is not there.
        self.on_ideal(f"c 0 {compute}\ns 0 1 1 9\nr 0 1 1 9\ns 1 2 2 1\nr 1 2 2 1\n", "statistics.timeline_tasks=0,2",
                      f"statistics.timeline_from_cycles={compute + 1}")  # fmt: skip
        trace = self.perfetto()
        self.assertEqual({row["name"] for row in trace.of("task 0")}, {"send to 1"})
        self.assertFalse(trace.of("task 1"))
        self.assertTrue(trace.of("task 2"))

    def test_operations_of_a_graph_lie_in_rows_beside_each_other(self):
        self.write("x.trc",
                   "num_ranks 2\nrank 0 {\n  a: calc 300\n  b: calc 200 cpu 1\n  c: send 10b to 1\n  c requires a\n  c "
                   "requires b\n}\n"
                            "rank 1 {\n  a: recv 10b from 0\n  b: calc 5000\n}\n")  # fmt: skip
        self.write("ideal.toml", IDEAL)
        self.run_json("ideal.toml", "statistics.timeline=t.pftrace")
        trace = self.perfetto()
        there = 300 + OVERHEAD + flight(10)
        rows = {(trace.names[row["track"]], row["name"], row["begin"], row["end"]) for row in trace.slices}
        self.assertLessEqual({("stream 0", "compute", 0, 300), ("stream 1", "compute", 0, 200),
                              ("stream 0", "send to 1", 300, 310)}, rows)
        # Task 1 computes while it waits; it handles the message when its stream is free.
        self.assertTrue(there < 5000)
        waits = [row for row in rows if row[1] == "wait for 0"]
        self.assertEqual([(row[2], row[3]) for row in waits], [(0, 5000)])
        own = [row for row in rows if row[1] == "compute" and row[3] == 5000]
        self.assertEqual(len(own), 1)
        self.assertNotEqual(own[0][0], waits[0][0])

    def test_intervals_of_a_replay_add_up_to_its_run_time_and_links_to_its_packets(self):
        config = EXAMPLES / "trace-is-on-torus.toml"
        plain = self.run_json(config, "statistics.ports=true")
        link = plain["statistics"]["busiest_links"][0]["link"]
        found = self.run_json(config, "statistics.timeline=t.pftrace", "statistics.ports=true",
                              f"statistics.timeline_links={link}; router 3, port 2",
                             "statistics.timeline_links_cycles=1000")  # fmt: skip
        self.assertEqual(found["digest"], plain["digest"])
        trace = self.perfetto()
        self.assertIn("1 ns is 1 cycle", next(iter(trace.names.values())))
        for task, finish in enumerate(found["task_finish_cycles"]):
            rows = sorted(self.operations(trace, task), key=lambda row: row[1:])
            self.assertEqual(rows[0][1], 0)
            self.assertEqual(rows[-1][2], finish)
            self.assertEqual(sum(end - begin for _, begin, end in rows), finish)
        # Each message of the trace is an arrow, with its tag and bytes.
        records = [line.split() for line in lzma.open(EXAMPLES / "traces" / "is.S.16.trc.xz", "rt")]
        sent = Counter((int(f[1]), int(f[2]), int(f[3]), int(f[4])) for f in records if f and f[0] == "s")
        arrows = trace.arrows()
        shown = Counter((b["args"]["from"], a["args"]["to"], a["args"]["tag"], a["args"]["bytes"]) for a, b in arrows)
        self.assertEqual(shown, sent)
        self.assertTrue(all(a["begin"] <= b["args"]["arrived"] <= b["begin"] for a, b in arrows))
        # What the windows of the link have is what was put on it.
        busy = {row["link"]: row["packets"] for row in found["statistics"]["busiest_links"]}
        values = trace.counters[next(uuid for uuid, name in trace.names.items() if name == link)]
        taken = sum(value * (after - begin) for (begin, value), (after, _) in zip(values, values[1:], strict=False))
        self.assertAlmostEqual(taken, busy[link] * 16, places=3)
        self.assertEqual({begin % 1000 for begin, _ in values[:-1]}, {0})

    def test_an_archive_is_a_trace_of_the_same_messages(self):
        config = EXAMPLES / "trace-is-on-torus.toml"
        self.run_json(config, "statistics.timeline=is.otf2")
        found = self.run_json(config, "statistics.timeline=is.otf2")  # in place of the first
        out = self.weft("trace", "info", "is.otf2")
        self.assertIn("otf2", out)
        out = self.weft("trace", "check", "is.otf2")
        records = [line.split() for line in lzma.open(EXAMPLES / "traces" / "is.S.16.trc.xz", "rt")]
        sends = sum(fields[:1] == ["s"] for fields in records)
        again = self.run_json(config, f"workload.path={self.folder}/is.otf2")
        self.assertEqual(again["messages"], found["messages"])
        self.assertEqual(found["messages"]["sent"], sends)
        if printer := shutil.which("otf2-print"):
            printed = subprocess.run([printer, self.folder / "is.otf2" / "traces.otf2"], capture_output=True, text=True,
                                     check=True).stdout
            self.assertEqual(Counter(MESSAGE_ROWS.findall(printed)), {"SEND": sends, "RECV": sends})

    def test_what_overlaps_is_a_trace_that_can_be_replayed(self):
        config = EXAMPLES / "goal-rendezvous.toml"
        found = self.run_json(config, "statistics.timeline=graph.otf2")
        self.weft("trace", "check", "graph.otf2")
        again = self.run_json(config, f"workload.path={self.folder}/graph.otf2")
        self.assertEqual(again["messages"]["sent"], found["messages"]["sent"])

    def test_regions_and_collective_calls(self):
        self.run_json(EXAMPLES / "timeline.toml")
        trace = self.perfetto("heat.pftrace")
        names = Counter(row["name"] for row in trace.of("task 3"))
        self.assertTrue(names["allreduce"])
        allreduce = next(row for row in trace.of("task 3") if row["name"] == "allreduce")
        inside = [row for row in trace.of("task 3") if row["depth"] > allreduce["depth"] and
                  allreduce["begin"] <= row["begin"] and row["end"] <= allreduce["end"]]  # fmt: skip
        self.assertTrue(any(row["name"].startswith("send") for row in inside))
        self.assertIn("node 0", trace.names.values())
        # As JSON: the same slices, in microseconds.
        self.run_json(EXAMPLES / "timeline.toml", "statistics.timeline=heat.json")
        rows = json.loads((self.folder / "heat.json").read_text())
        self.assertEqual(rows["otherData"]["ts"], "microseconds")
        slices = Counter((row["pid"], row["name"]) for row in rows["traceEvents"] if row["ph"] == "X")
        self.assertEqual({name: count for (task, name), count in slices.items() if task == 3}, names)
        ends = Counter(row["ph"] for row in rows["traceEvents"])
        self.assertEqual(ends["s"], ends["f"])
        self.assertTrue(ends["C"])

    def test_what_is_more_than_fits_is_said(self):
        self.write("x.trc", "".join(f"c 0 {10 + k}\ns 0 1 1 9\nr 0 1 1 9\n" for k in range(100)))
        self.write("ideal.toml", IDEAL)
        found = self.run_json("ideal.toml", "statistics.timeline=t.json", "statistics.most_timeline=60")
        warning = next(text for text in found["warnings"] if "timeline" in text)
        for word in ("t ends at cycle", "60 records", ".pftrace", ".otf2"):
            self.assertIn(word.removeprefix("t "), warning)
        end = float(re.search(r"cycle (\d+)", warning)[1]) / 1e3
        rows = [row for row in json.loads((self.folder / "t.json").read_text())["traceEvents"] if row["ph"] == "X"]
        self.assertTrue(20 < len(rows) <= 130)
        self.assertTrue(all(row["ts"] + row["dur"] <= end + 1e-9 for row in rows))
        self.assertTrue({row["pid"] for row in rows} == {0, 1})

    def test_bad_input_is_refused_with_what_fits(self):
        self.write("x.trc", "s 0 1 1 9\nr 0 1 1 9\n")
        self.write("ideal.toml", IDEAL)
        self.write("folder.otf2", "")
        torus = EXAMPLES / "trace-is-on-torus.toml"
        for config, settings, words in (
            ("ideal.toml", ["statistics.timeline=t.png"], ["t.png", ".pftrace", ".otf2", ".json"]),
            ("ideal.toml", ["statistics.timeline=folder.otf2"], ["folder.otf2", "is a file"]),
            ("ideal.toml", ["statistics.timeline=none/t.otf2"], ["none"]),
            ("ideal.toml", ["statistics.timeline=t.json", "statistics.timeline_tasks=0-5"], ["has 5", "0 to 1"]),
            ("ideal.toml", ["statistics.timeline=t.json", "statistics.timeline_tasks=5-3"],
             ["timeline_tasks", "0-15,20"]),
            ("ideal.toml", ["statistics.timeline=t.json", "statistics.timeline_links=node 0"], ["no links"]),
            ("ideal.toml", ["statistics.timeline=t.json", "statistics.timeline_from_cycles=9",
                            "statistics.timeline_to_cycles=3"], ["use 10"]),
            (torus, ["statistics.timeline=t.json", "statistics.timeline_links=router 99, port 0"], ["0 to 15"]),
            (torus, ["statistics.timeline=t.json", "statistics.timeline_links=router 0, dimension 0*"],
             ["dimension 0"]),
            (torus, ["statistics.timeline=t.json", "statistics.timeline_links=link 7"], ["router 0, port 1"]),
            (torus, ["statistics.timeline=t.otf2", "statistics.timeline_links=router 0, port 0"], [".pftrace"]),
        ):
            self.refused(words, config, *settings, code=None)


if __name__ == "__main__":
    unittest.main()
