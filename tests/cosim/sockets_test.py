"""weft cosim with simulators joined by sockets: when messages come is judged by closed forms and by weft's own flows;
the same history with any slice that is exact, on any number of ranks; what goes wrong is named, and nothing is left
running.

    tests/by-hand tests/cosim/sockets_test.py [CLASS]"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import harness

HERE = Path(__file__).resolve().parent

WEFT = harness.weft()
NIC = 500
IDEAL = 'topology = {kind = "ideal", nodes = 4}\nideal = {latency_ns = 1000, overhead_ns = 0, byte_gap_ns = 0.5}\n'
TORUS = """topology = {kind = "torus", dims = [4, 4]}
router = {kind = "switch", routing = "auto"}
link = {rate_gbps = 64, latency_cycles = 100}
packet = {phits = 32, phit_bytes = 8}
"""  # a cycle is 1 ns


class Sockets(harness.Scratch):
    def prepare(self, network, plan, flaw="", **cosim):
        self.write("plan.json", json.dumps(plan))
        keys = {"command": f"exec {sys.executable} -B {HERE / 'node.py'} {self.folder / 'plan.json'} {self.folder} "
                           f"'{flaw}'",
                "nic_latency_ns": NIC, **cosim}  # fmt: skip
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        return self.write("machine.toml", f"format = 1\n{network}\n[cosim]\n{lines}")

    def cosim(self, config, *words, ranks=1, code=0):
        found, out, err = self.finish(self.start([WEFT, "cosim", config, "--json", "-", "--quiet", *words],
                                                 ranks=ranks), seconds=100)
        self.assertEqual(found, code, err)
        return json.loads(out) if code == 0 else err

    def got(self, number):
        lines = (self.folder / f"{number}.got").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def all_got(self, count):
        return [self.got(number) for number in range(count)]


def random_plan(nodes, messages, most_bytes=2000, span_ns=50_000):
    draw = random.Random(7)
    sends = {}
    for node in range(nodes):
        times = sorted(draw.randrange(span_ns) for _ in range(messages))
        others = [other for other in range(nodes) if other != node]
        sends[str(node)] = [[at, draw.choice(others), draw.randrange(20, most_bytes)] for at in times]
    return {"end_ns": span_ns * 3, "answers": None, "sends": sends}


class Times(Sockets):
    def test_on_the_ideal_network_a_message_takes_two_nics_the_latency_and_its_gaps(self):
        sends = {"0": [[0, 1, 1], [10, 2, 1001], [20_000, 3, 1]], "2": [[777, 0, 101]]}
        summary = self.cosim(self.prepare(IDEAL, {"end_ns": 60_000, "answers": None, "sends": sends}))
        flight = lambda at, size: at + 2 * NIC + 1000 + (size - 1) // 2  # noqa: E731
        self.assertEqual(self.got(1), [[flight(0, 1), 0, 1, "0"]])
        self.assertEqual(self.got(2), [[flight(10, 1001), 0, 1001, "0 at 10"]])
        self.assertEqual(self.got(3), [[flight(20_000, 1), 0, 1, "0"]])
        self.assertEqual(self.got(0), [[flight(777, 101), 2, 101, "2 at 777"]])
        cosim = summary["cosim"]
        self.assertEqual((cosim["messages"], cosim["lost_messages"], cosim["late"]["messages"]), (4, 0, 0))
        self.assertEqual(cosim["latency_ns"]["max"], 2 * NIC + 1000 + 500)
        self.assertTrue(all(row["ended"] and row["time_ns"] >= 60_000 for row in cosim["endpoints"]))

    def test_answers_go_back_and_forth(self):
        plan = {"end_ns": 100_000, "answers": 250, "sends": {"0": [[0, 1, 21], [30_000, 1, 21]]}}
        self.cosim(self.prepare(IDEAL, plan))
        there = 2 * NIC + 1000 + 10
        self.assertEqual([row[0] for row in self.got(1)], [there, 30_000 + there])
        self.assertEqual([row[0] for row in self.got(0)], [2 * there + 250, 30_000 + 2 * there + 250])

    def test_messages_come_when_flows_of_the_same_times_are_complete(self):
        plan = random_plan(16, 12)
        self.cosim(self.prepare(TORUS, plan))
        came = sorted((row[0], to, row[1], row[2]) for to in range(16) for row in self.got(to))
        flows = sorted((at + NIC, int(node), to, size) for node, sends in plan["sends"].items() for at, to,
                       size in sends)
        self.write("flows.txt", "".join(f"{at} {node} {to} {size}\n" for at, node, to, size in flows))
        config = self.write("flows.toml",
                            f'format = 1\n{TORUS}\nworkload = {{kind = "flows", flows_path = "flows.txt"}}\n')
        found, out, err = self.finish(self.start([WEFT, "run", config, "--json", "-", "--quiet"]))
        self.assertEqual(found, 0, err)
        everything = json.loads(out)["flows"][0]
        times = [at - NIC - sent for at, sent in self.pairs(plan, came)]
        self.assertEqual(len(times), everything["flows"])
        self.assertAlmostEqual(sum(times) / len(times), everything["fct"]["mean"] + NIC, delta=1)
        self.assertAlmostEqual(max(times), everything["fct"]["max"] + NIC, delta=1)

    def test_a_timeline_has_when_endpoints_ran_and_when_messages_came(self):
        sends = {"0": [[0, 1, 1], [40_000, 3, 1]], "2": [[777, 0, 101]]}
        config = self.prepare(IDEAL, {"end_ns": 60_000, "answers": None, "sends": sends})
        for ranks in (1, 2):
            summary = self.cosim(config, "--set", "statistics.timeline=timeline.json", ranks=ranks)
            events = json.loads((self.folder / "timeline.json").read_text(encoding="utf-8"))["traceEvents"]
            ns = lambda us: round(us * 1000)  # noqa: E731
            came = sorted((ns(event["ts"]) + NIC, event["pid"]) for event in events
                          if event["name"].startswith("message from"))
            self.assertEqual(came, sorted((row[0], to) for to in range(4) for row in self.got(to)))
            self.assertFalse([event for event in events if event["name"] == "compute"])
            for row in summary["cosim"]["endpoints"]:
                number = row["endpoint"]
                spans = [event for event in events if event["pid"] == number and event["name"] in ("idle", "runs")]
                # One behind the other, in turn, from the start to the end; idle as long as the result says.
                self.assertEqual(spans[0]["ts"], 0)
                for one, next_one in zip(spans, spans[1:], strict=False):
                    self.assertAlmostEqual(one["ts"] + one["dur"], next_one["ts"], places=3)
                    self.assertNotEqual(one["name"], next_one["name"])
                idle_ns = sum(ns(event["dur"]) for event in spans if event["name"] == "idle")
                self.assertAlmostEqual(idle_ns, row["idle_ns"] + NIC, delta=2 * len(spans))
                self.assertLess(len(spans), 10)

    def pairs(self, plan, came):
        """(when it came, when it was sent): by the text of the message, which says when that was."""
        result = []
        for to in range(16):
            for at, source, size, text in self.got(to):
                sent = [send[0] for send in plan["sends"][str(source)] if send[1] == to and send[2] == size]
                result.append((at, sent[0]))
                self.assertTrue(f"{source} at {sent[0]}".startswith(text[:size]))
        return result


class Slices(Sockets):
    def run_once(self, *words, ranks=1, answers=100, **cosim):
        summary = self.cosim(self.prepare(TORUS, {**random_plan(16, 8), "answers": answers}, **cosim), *words,
                             ranks=ranks)
        return summary, self.all_got(16)

    def test_any_exact_slice_gives_one_history(self):
        first, got = self.run_once()
        self.assertEqual(sum(map(len, got)), first["cosim"]["messages"])
        self.assertEqual(first["cosim"]["messages"], 2 * 16 * 8)
        for slice_ns in (999, 333, 50):
            summary, other = self.run_once(slice_ns=slice_ns)
            self.assertEqual(other, got)
            self.assertEqual(summary["cosim"]["payload_digest"], first["cosim"]["payload_digest"])
            self.assertEqual(summary["cosim"]["late"]["messages"], 0)

    def test_any_number_of_ranks_and_protocol_gives_one_digest(self):
        first, got = self.run_once()
        for ranks, protocol in ((2, "windowed"), (3, "null-message"), (4, "windowed")):
            summary, other = self.run_once("--set", f"parallel.protocol={protocol}", ranks=ranks)
            self.assertEqual(other, got)
            self.assertEqual(summary["digest"], first["digest"])
            self.assertEqual(summary["cosim"], first["cosim"])

    def test_longer_slices_are_late_by_no_more_than_is_said(self):
        exact = self.run_once(answers=None)[1]
        summary, got = self.run_once(answers=None, slice_ns=10_000)
        late = summary["cosim"]["late"]
        self.assertEqual(late["bound_ns"], 10_000 - 2 * NIC)
        self.assertLessEqual(late["max_ns"], late["bound_ns"])
        # Without answers the network does the same, so each message is late by itself, to the begin of a slice.
        lates = []
        for to in range(16):
            when = {(source, text): at for at, source, _, text in exact[to]}
            for at, source, _, text in got[to]:
                self.assertIn(at, (when[source, text], -(-when[source, text] // 10_000) * 10_000))
                lates.append(at - when[source, text])
        self.assertEqual(late["messages"], sum(1 for value in lates if value))
        self.assertGreater(late["messages"], 0)
        self.assertEqual(late["max_ns"], max(lates))
        self.assertAlmostEqual(late["mean_ns"], sum(lates) / len(lates))

    def test_slices_in_which_nothing_happens_are_left_out(self):
        plan = {"end_ns": None, "answers": None, "sends": {"0": [[0, 1, 1], [10**12, 1, 1]]}}
        summary = self.cosim(self.prepare(IDEAL, plan, end_ns=2 * 10**12))["cosim"]
        self.assertLess(summary["slices"], 40)
        self.assertGreater(summary["skipped_slices"], 10**8)
        self.assertEqual([row[0] for row in self.got(1)], [2000, 10**12 + 2000])
        # All but slices of 1,000 ns: 0 runs in two, 1 in three, the others in the first.
        idle = [row["idle_ns"] for row in summary["endpoints"]]
        for row, slices in zip(summary["endpoints"], (2, 3, 1, 1)):
            self.assertEqual(row["slices"], slices)
            self.assertEqual(row["time_ns"], 2 * 10**12)
            self.assertTrue(2 * 10**12 - 1000 * slices <= row["idle_ns"] < 2 * 10**12, idle)


class Programs(Sockets):
    def test_a_client_in_c(self):
        client = self.folder / "client"
        subprocess.run(["cc", "-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I", harness.ROOT, HERE
                        / "client.c", "-o", client],
                       check=True)
        config = self.prepare(IDEAL, {}, command=f"exec {client} >> {self.folder}/said.$WEFT_COSIM_ENDPOINT")
        summary = self.cosim(config)
        there = 2 * NIC + 1000 + 499
        said = (self.folder / "said.0").read_text(encoding="utf-8").splitlines()
        self.assertEqual(said, [f"{other} answered hello after {2 * there} ns" for other in (1, 2, 3)])
        self.assertTrue(all(row["ended"] for row in summary["cosim"]["endpoints"]))

    def test_the_example_goes_round(self):
        found, out, err = self.finish(self.start([WEFT, "cosim", harness.ROOT / "examples/cosim/ring.toml"],
                                                 cwd=harness.ROOT))
        self.assertEqual(found, 0, err)
        self.assertIn("round 3:", err)
        self.assertIn("no message came late", out)

    def test_programs_may_be_started_by_somebody_else(self):
        plan = {"end_ns": 10_000, "answers": None, "sends": {"0": [[0, 1, 1]]}}
        sockets = self.folder / "sockets"
        config = self.prepare(IDEAL, plan, command="", sockets=str(sockets))
        run = self.start([WEFT, "cosim", config, "--json", "-", "--quiet"])
        others = []
        for number in range(4):
            path = sockets / f"{number}.sock"
            while not path.exists():
                time.sleep(0.01)
            others.append(subprocess.Popen([sys.executable, "-B", HERE / "node.py", self.folder / "plan.json",
                                            self.folder],
                                           env=dict(os.environ, WEFT_COSIM_SOCKET=str(path),
                                                    WEFT_COSIM_ENDPOINT=str(number),
                                                    WEFT_COSIM_ENDPOINTS="4")))  # fmt: skip
        found, out, err = self.finish(run)
        self.assertEqual(found, 0, err)
        self.assertEqual([other.wait(10) for other in others], [0] * 4)
        self.assertEqual(self.got(1)[0][0], 2 * NIC + 1000)


class Failures(Sockets):
    FLAWS = {
        "leaves early": "endpoint 1 ended with exit code 3 before it joined",
        "ends": "endpoint 1 (node 1) ended with exit code 7 without saying that it is over",
        "is killed": "endpoint 1 (node 1) ended with signal 9 (Killed) without saying that it is over",
        "hangs": "endpoint 1 (node 1) has not answered for 0.8 s",
        "sends to nobody": "endpoint 1 (node 1) sends to endpoint 99, of 4 (0 to 3)",
        "sends nothing": "endpoint 1 (node 1) sends a message of 0 bytes",
        "sends late": "endpoint 1 (node 1) sends at ",
        "sends early": "endpoint 1 (node 1) sends at 0 ns in the slice from ",
        "sends more than it says": "endpoint 1 (node 1) sends a payload of 4 bytes in a message of 3",
        "makes noise": "endpoint 1 (node 1) sends a frame of kind 4294967295, which there is not",
        "announces too much": "endpoint 1 (node 1) sends a payload of 2147483648 bytes (at most 16777216)",
    }

    def gone(self):
        """All programs of the endpoints have ended."""
        for path in self.folder.glob("*.pid"):
            pid = int(path.read_text(encoding="utf-8"))
            end = time.monotonic() + 10
            while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")",
                    1)[1][:3]:
                self.assertLess(time.monotonic(), end, f"{path} still runs")
                time.sleep(0.02)

    def test_what_goes_wrong_is_named_and_ends_everything(self):
        plan = {"end_ns": 100_000, "answers": 100, "flaw_ns": 10_000,
                "sends": {"0": [[at, 1, 50] for at in range(0, 50_000, 500)]}}
        for flaw, line in self.FLAWS.items():
            with self.subTest(flaw=flaw):
                patience = 0.8 if flaw == "hangs" else 30
                err = self.cosim(self.prepare(IDEAL, plan, flaw, patience_s=patience), code=5)
                self.assertIn(line, err)
                self.gone()

    def test_endpoints_that_all_wait_are_a_deadlock(self):
        plan = {"end_ns": None, "answers": None, "sends": {"0": [[0, 1, 1]]}}
        err = self.cosim(self.prepare(IDEAL, plan), code=4)
        self.assertIn("all 4 endpoints wait for messages at ", err)
        self.gone()

    @staticmethod
    def is_there(path):
        """Whether a file is there and has been written."""
        return path.exists() and path.stat().st_size > 0

    def test_signals_leave_nothing_running(self):
        plan = {"end_ns": None, "answers": None, "flaw_ns": 0, "sends": {"0": [[0, 1, 1]]}}
        for sent in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT):
            config = self.prepare(IDEAL, plan, "hangs", patience_s=100)
            run = self.start([WEFT, "cosim", config, "--quiet"])
            while not all(self.is_there(self.folder / f"{number}.pid") for number in range(4)):
                time.sleep(0.01)
            os.killpg(run.pid, sent)
            self.finish(run)
            self.gone()
            for path in self.folder.glob("*.pid"):
                path.unlink()

    def test_configs_that_make_no_sense_are_refused(self):
        plan = {"end_ns": 1, "answers": None, "sends": {}}
        config = self.prepare(IDEAL, plan)
        for words, line in (
            (["cosim.nic_latency_ns=0"], "cosim.slice_ns = 0 stands for twice cosim.nic_latency_ns, which is 0"),
            (["cosim.command=''"], "no endpoint could find its socket"),
            (["measure.seeds=2"], "measure.seeds > 1 would start all endpoints again"),
            (["checkpoint.every_cycles=100"], "what runs outside of weft cannot be gone on with later"),
        ):
            self.assertIn(line, self.cosim(config, *(word for key in words for word in ("--set", key)), code=2))
        found, _, err = self.finish(self.start([WEFT, "run", config, "--set", "workload.kind=cosim"]))
        self.assertEqual(found, 2)
        self.assertIn("start it with `weft cosim MACHINE.toml`", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
