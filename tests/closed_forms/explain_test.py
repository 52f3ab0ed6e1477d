"""weft explain (docs/where-time-goes.md) against closed forms on the ideal network, and against sums, waits and a
critical path that are found anew from the same run's timeline for Chrome, by code that shares nothing with it.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN starts ranks."""

import csv
import json
import random
import re
import unittest
from collections import defaultdict

import harness

EXAMPLES = harness.ROOT / "examples"
LATENCY, OVERHEAD, BYTE = 1000, 10, 0.5
IDEAL = ('format = 1\ntopology = {{kind = "ideal", nodes = 4}}\nideal = {{latency_ns = {}, overhead_ns = {}, '
         'byte_gap_ns = {}}}\n'
         'workload = {{kind = "trace", path = "x.trc", trace_format = "auto"}}\n').format(LATENCY, OVERHEAD, BYTE)
# A cycle is 1 ns, so that times of the timeline for Chrome are exact.
TORUS = """format = 1
topology = {kind = "torus", dims = [4, 4]}
router = {kind = "switch", routing = "auto"}
link = {rate_gbps = 64, latency_cycles = 10}
packet = {phits = 32, phit_bytes = 8}
workload = {kind = "trace", path = "x.trc", cpu_scale = 0.02, overhead_ns = 30}
"""
PARTS = ["compute", "send", "receive", "late_sender", "transfer", "late_receiver", "other_waits", "idle"]
WAITS = ["late_sender", "transfer", "late_receiver", "other_waits"]
OPERATION = re.compile(r"(compute|send to \d+|wait for \w+|wait for send to \d+|receive from \d+)$")


def flight(data):
    return LATENCY + int((data - 1) * BYTE)


class Explains(harness.Scratch):
    def explain(self, *words, ranks=1, code=0):
        return self.weft("explain", *words, "--quiet", ranks=ranks, code=code), self.errors

    def explained(self, *words, ranks=1):
        found = self.json_of("explain", *words, "--quiet", ranks=ranks)["runs"]
        for run in found:
            self.conserved(run)
        return found

    def conserved(self, run):
        """Each task's parts add up to the run time, and so does the critical path, without gaps."""
        for task in run["tasks"]:
            self.assertAlmostEqual(sum(task[part] for part in PARTS), run["time"], delta=1e-6 * run["time"], msg=task)
        path = run["critical_path"]
        self.assertAlmostEqual(sum(path[part] for part in PARTS), run["time"], delta=1e-6 * run["time"])
        now = run["begin"]
        for segment in path["segments"]:
            self.assertAlmostEqual(segment["begin"], now, delta=1e-6 * run["time"])
            now = segment["end"]
        self.assertAlmostEqual(now, run["begin"] + run["time"], delta=1e-6 * run["time"])
        waits = defaultdict(float)
        for pair in run["waits"]:
            waits[pair["task"]] += sum(pair[part] for part in WAITS)
        for task in run["tasks"]:
            self.assertLessEqual(waits[task["task"]], sum(task[part] for part in WAITS) * (1 + 1e-9) + 1e-6)

    def on_ideal(self, trace, *settings, name="x.trc"):
        self.write(name, trace)
        self.write("ideal.toml", IDEAL.replace("x.trc", name))
        options = [word for setting in settings for word in ("--set", setting)]
        return self.explained("ideal.toml", *options)[0]

    def parts(self, where, **expected):
        self.assertEqual({part: where[part] for part in PARTS if where[part]}, expected)


class ClosedForms(Explains):
    def test_ping_pong(self):
        run = self.on_ideal("s 0 1 7 100\nc 1 500\nr 0 1 7 100\ns 1 0 8 64\nr 1 0 8 64\n")
        there, back = OVERHEAD + flight(100), OVERHEAD + flight(64)
        answered = there + OVERHEAD
        end = answered + back + OVERHEAD
        self.assertEqual((run["unit"], run["time"]), ("ns", end))
        # The answer is begun when the message has been handled; until then its sender is late.
        self.parts(run["tasks"][0], send=OVERHEAD, late_sender=answered - OVERHEAD, transfer=back, receive=OVERHEAD)
        self.parts(run["tasks"][1], compute=500, transfer=there - 500, receive=OVERHEAD, send=OVERHEAD,
                   idle=end - answered - OVERHEAD)  # fmt: skip
        self.parts(run["critical_path"], transfer=there + back, receive=2 * OVERHEAD)
        steps = [(s["part"], s["from"], s["task"], s["end"]) for s in run["critical_path"]["segments"]]
        self.assertEqual(steps, [("transfer", 0, 1, there), ("receive", 1, 1, answered),
                                 ("transfer", 1, 0, end - OVERHEAD),
                                 ("receive", 0, 0, end)])  # fmt: skip
        self.assertEqual([(pair["task"], pair["for"]) for pair in run["waits"]], [(0, 1), (1, 0)])

    def test_late_sender(self):
        run = self.on_ideal("c 0 5000\ns 0 1 7 100\nr 0 1 7 100\n")
        self.parts(run["tasks"][1], late_sender=5000, transfer=OVERHEAD + flight(100), receive=OVERHEAD)
        self.parts(run["critical_path"], compute=5000, transfer=OVERHEAD + flight(100), receive=OVERHEAD)

    def test_path_of_a_chain(self):
        """Task 0, then 1, then 2; task 3 computes long, but not as long, and task 1 has computed before its message
        comes."""
        run = self.on_ideal("c 0 3000\ns 0 1 1 8\nc 1 200\nr 0 1 1 8\nc 1 700\ns 1 2 1 8\nr 1 2 1 8\nc 2 400\nc 3 "
                            "6000\n")
        hop = OVERHEAD + flight(8)
        self.assertEqual(run["time"], 3000 + 700 + 400 + 2 * hop + 2 * OVERHEAD)
        self.parts(run["critical_path"], compute=3000 + 700 + 400, transfer=2 * hop, receive=2 * OVERHEAD)
        self.assertEqual([(s["part"], s["task"]) for s in run["critical_path"]["segments"]],
                         [("compute", 0), ("transfer", 1), ("receive", 1), ("compute", 1), ("transfer", 2),
                          ("receive", 2), ("compute", 2)])
        tasks = {one["task"]: one["time"] for one in run["critical_path"]["tasks"]}
        self.assertEqual(tasks, {0: 3000, 1: 700 + OVERHEAD, 2: 400 + OVERHEAD})

    def test_imbalance_before_a_barrier(self):
        """Load balance is mean over most; all of what the network costs is transfer, and the program itself serialises
        nothing."""
        computed = [1000, 2000, 3000, 4000]
        lines = [f"c {task} {ns}" for task, ns in enumerate(computed)]
        lines += [f"s {task} 0 1 4\nr {task} 0 1 4" for task in (1, 2, 3)]
        lines += [f"s 0 {task} 2 4" for task in (1, 2, 3)] + [f"r 0 {task} 2 4" for task in (1, 2, 3)]
        run = self.on_ideal("\n".join(lines) + "\n")
        found = run["efficiencies"]
        self.assertAlmostEqual(found["load_balance"], 2500 / 4000)
        self.assertAlmostEqual(found["communication"], 4000 / run["time"])
        self.assertAlmostEqual(found["parallel"], 2500 / run["time"])
        self.assertAlmostEqual(found["ideal_time"], 4000, delta=1)
        self.assertAlmostEqual(found["serialisation"], 1, delta=1e-3)
        self.assertAlmostEqual(found["transfer"], found["ideal_time"] / run["time"])
        self.assertAlmostEqual(found["serialisation"] * found["transfer"], found["communication"])
        self.assertEqual(run["critical_path"]["compute"], 4000)

    def test_program_that_serialises(self):
        """One task computes after the other: even a network that costs nothing leaves half of the time to nobody."""
        run = self.on_ideal("c 0 5000\ns 0 1 1 4\nr 0 1 1 4\nc 1 5000\n")
        self.assertAlmostEqual(run["efficiencies"]["load_balance"], 1)
        self.assertAlmostEqual(run["efficiencies"]["serialisation"], 0.5, delta=1e-3)

    def test_late_receiver_of_a_rendezvous(self):
        graph = ("num_ranks 2\nrank 0 {\na: send 2000b to 1 tag 7\n}\nrank 1 {\nc: calc 50000\nr: recv 2000b from 0 "
                 "tag 7\nr requires c\n}\n")
        run = self.on_ideal(graph, "ideal.rendezvous_bytes=1000", name="x.goal")
        self.parts(run["tasks"][0], late_receiver=50000, transfer=OVERHEAD)
        self.parts(run["tasks"][1], compute=50000, receive=OVERHEAD)
        self.assertEqual([(p["task"], p["for"], p["late_receiver"]) for p in run["waits"]], [(0, 1, 50000)])
        self.assertEqual(run["critical_path"]["compute"], 50000)

    def test_send_that_a_program_drains(self):
        """Lists go on after a rendezvous has begun, and wait at their end."""
        run = self.on_ideal("s 0 1 7 2000\nc 1 60000\nr 0 1 7 2000\n", "ideal.rendezvous_bytes=1000")
        self.parts(run["tasks"][0], send=OVERHEAD, late_receiver=60000 - OVERHEAD, transfer=OVERHEAD)
        self.assertEqual(run["critical_path"]["compute"], 60000)

    def test_request_posted_before_it_is_waited_for(self):
        """The receiver is late until it posts the receive, not until it waits for it."""
        self.write("x.txt", "\n".join([
            "0 init", "1 init", "0 isend 1 7 2000", "0 wait 0 1 7", "1 compute 30000", "1 irecv 0 7 2000",
            "1 compute 5000",
            "1 wait 0 1 7", "0 finalize", "1 finalize"]) + "\n")  # fmt: skip
        self.write("ideal.toml", IDEAL.replace("x.trc", "x.txt"))
        run = self.explained("ideal.toml", "--set", "ideal.rendezvous_bytes=1000")[0]
        # The receive is there from 30000 on; it takes the message when its task has computed.
        self.parts(run["tasks"][0], late_receiver=30000, transfer=5000 + OVERHEAD)
        self.parts(run["tasks"][1], compute=35000, receive=OVERHEAD)


class Outputs(Explains):
    def setUp(self):
        super().setUp()
        self.write("x.trc", "c 0 5000\ns 0 1 7 100\nr 0 1 7 100\n")
        self.write("a.toml", IDEAL)
        self.write("b.toml", IDEAL.replace("latency_ns = 1000", "latency_ns = 9000"))

    def test_networks_side_by_side(self):
        out, _ = self.explain("a.toml", "b.toml", "--out", "x.html", "--out", "x.csv", "--out", "x.json")
        self.assertRegex(out, r"run time\s+6,069 ns\s+14,069 ns")
        self.assertRegex(out, r"late sender\s+41\.2 %\s+17\.8 %")
        self.assertIn("task 1  task 0", out)
        rows = list(csv.DictReader((self.folder / "x.csv").read_text().splitlines()))
        self.assertEqual([(row["run"], row["task"], float(row["late_sender"])) for row in rows],
                         [("a", "0", 0), ("a", "1", 5000), ("b", "0", 0), ("b", "1", 5000)])  # fmt: skip
        self.assertEqual([run["name"] for run in json.loads((self.folder / "x.json").read_text())["runs"]], ["a", "b"])
        figures = harness.page_figures(self.folder / "x.html")
        shares = figures["Time of an average task"]
        self.assertEqual(shares["x"]["names"], ["a", "b"])
        late = next(one for one in shares["series"] if one["label"] == "late sender")
        self.assertAlmostEqual(late["y"][0], 100 * 2500 / 6069)
        self.assertIn("Who waits for whom", figures)
        self.assertIn("path", figures["What tasks did, and the critical path"])

    def test_timeline_of_a_run(self):
        """What weft run wrote is explained as well, without the ideal network."""
        self.run_json("a.toml", "statistics.timeline=t.h5")
        direct, read = self.explained("a.toml")[0], self.explained("t.h5")[0]
        self.assertIsNone(read["efficiencies"]["transfer"])
        for key in ("time", "tasks", "waits", "critical_path"):
            self.assertEqual(read[key], direct[key])

    def test_what_cannot_be_explained(self):
        self.write("plain.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n'
                                 'workload = {kind = "synthetic", pattern = "uniform", offered_load = 0.1}\n')
        self.assertIn("has no tasks", self.explain("plain.toml", code=2)[1])
        self.assertIn("end it with .html", self.explain("a.toml", "--out", "x.pdf", code=2)[1])
        self.write("broken.h5", b"no file of this kind")
        self.assertIn("broken.h5", self.explain("broken.h5", code=3)[1])


class Anew(Explains):
    """The same figures from the timeline for Chrome."""

    def rows(self, path):
        """[task]: operations as they follow each other, each with the message that it begins or ends."""
        tasks, last = defaultdict(list), None
        for event in json.loads(path.read_text())["traceEvents"]:
            if event["ph"] == "X" and OPERATION.match(event["name"]) and "region" not in event.get("args", {}):
                begin = round(1000 * event["ts"])
                last = {"name": event["name"], "begin": begin, "end": begin + round(1000 * event["dur"]),
                        **event.get("args", {})}
                tasks[event["pid"]].append(last)
            elif event["ph"] in "sf":
                last["message"] = event["id"]
        return tasks

    def judged(self, tasks):
        """[task]: (begin, end, part, peer, when and where what ended it began)."""
        sent = {row["message"]: (task, row["begin"]) for task, rows in tasks.items() for row in rows
                if row["name"].startswith("send to") and "message" in row}  # fmt: skip
        steps = defaultdict(list)
        for task, rows in tasks.items():
            for place, row in enumerate(rows):
                begin, end, name = row["begin"], row["end"], row["name"]
                if begin == end:
                    continue
                if name.startswith("wait for") and "send" not in name:
                    message = rows[place + 1]
                    sender, when = sent[message["message"]]
                    if round(1000 * message["arrived"]) <= begin:
                        steps[task].append((begin, end, "receive", None, begin, task))
                        continue
                    split = min(max(when, begin), end)
                    steps[task].append((begin, split, "late_sender", sender, when, sender))
                    steps[task].append((split, end, "transfer", sender, when, sender))
                else:
                    steps[task].append((begin, end, name.split()[0], None, begin, task))
        return steps

    def walk(self, steps):
        task = max(sorted(steps), key=lambda one: steps[one][-1][1])
        now, parts = steps[task][-1][1], defaultdict(int)
        ending = {(one, step[1]): step for one, list_of in steps.items() for step in list_of if step[1] > step[0]}
        while now > 0:
            _, end, part, _, when, sender = ending[(task, now)]
            parts[part] += end - when
            task, now = sender, when
        return parts

    def compare(self, config, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        self.run_json(config, "statistics.timeline=t.json", *options)
        run = self.explained(config, "--no-ideal", *options)[0]
        steps = self.judged(self.rows(self.folder / "t.json"))
        self.assertEqual(run["time"], max(list_of[-1][1] for list_of in steps.values()))
        pairs = defaultdict(int)
        for task, list_of in steps.items():
            parts = defaultdict(int)
            for begin, end, part, peer, _, _ in list_of:
                parts[part] += end - begin
                if peer is not None:
                    pairs[task, peer] += end - begin
            for part in ("compute", "send", "receive", "late_sender", "transfer"):
                self.assertEqual(run["tasks"][task][part], parts[part], (task, part))
        self.assertEqual({(p["task"], p["for"]): sum(p[part] for part in WAITS) for p in run["waits"]},
                         {pair: time for pair, time in pairs.items() if time})  # fmt: skip
        path = self.walk(steps)
        self.assertEqual({part: run["critical_path"][part] for part in PARTS if run["critical_path"][part]}, dict(path))
        return run

    def test_real_trace_on_a_torus(self):
        self.write("torus.toml", TORUS.replace("x.trc", str(EXAMPLES / "traces" / "mg.S.16.trc.xz")))
        run = self.compare("torus.toml")
        self.assertGreater(len(run["critical_path"]["segments"]), 100)
        self.assertGreater(len(run["waits"]), 50)

    def test_real_trace_on_plain_routers(self):
        """Which have a machine, and rules of matching, of their own."""
        self.write("plain.toml", TORUS.replace("x.trc", str(EXAMPLES / "traces" / "is.S.16.trc.xz"))
                   .replace('router = {kind = "switch", routing = "auto"}\n', "").replace(", overhead_ns = 30", ""))
        self.compare("plain.toml")


class Ranks(Explains):
    def test_any_number_of_ranks(self):
        lines, draw = [], random.Random(7)
        for tag in range(6):
            tasks = draw.sample(range(16), 16)
            for one, other in zip(tasks[::2], tasks[1::2], strict=True):
                size = draw.choice((8, 300, 2000))
                lines += [f"c {task} {draw.randrange(100000)}" for task in (one, other)]
                lines += [f"s {one} {other} {tag} {size}", f"r {one} {other} {tag} {size}"]
        self.write("x.trc", "\n".join(lines) + "\n")
        self.write("torus.toml", TORUS)
        settings = ["--set", "workload.rendezvous_bytes=500"]
        alone = self.explained("torus.toml", *settings)
        self.assertGreater(sum(task["late_receiver"] for task in alone[0]["tasks"]), 0)
        for ranks in (2, 3, 4):
            self.assertEqual(self.explained("torus.toml", *settings, ranks=ranks), alone, f"{ranks} ranks")


if __name__ == "__main__":
    unittest.main()
