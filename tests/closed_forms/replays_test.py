#!/usr/bin/env python3
"""Replays of traces with non-blocking calls: by formulas, and by the judge of programs
(tests/reference/program_judge.py), which reads the same program as GOAL. What is stuck names its record.

Environment: WEFT_BINARY is the program."""

import random
import unittest

import harness
from program_judge import Parameters, judge

IDEAL = """format = 1
topology = {kind = "ideal", nodes = 16}
ideal = {latency_ns = 100, overhead_ns = %d, gap_ns = %d, byte_gap_ns = 3, rendezvous_bytes = 50}
workload = {kind = "trace", path = "trace.ti", trace_store = "none", cpu_scale = 1}
"""
# Where messages may take no time a tick is 1/1024 ns, and a sender hears of its receive no less than a tick later.
TICK = 1 / 1024
# A phit of 4 bytes in 10 ns at 3.2 Gbit/s.
TORUS = """format = 1
topology = {kind = "torus", dims = [4]}
link.rate_gbps = 3.2
workload = {kind = "trace", path = "trace.ti", trace_store = "none", cpu_scale = 1, rendezvous_bytes = 64}
"""


class Replays(harness.Scratch):
    def replay(self, config, trace, *settings):
        """The summary of a run, and when each task ended in ns."""
        self.write("trace.ti", trace)
        found = self.run_json(config, *settings)
        return found, found["task_finish_cycles"]


class Rendezvous(Replays):
    def trace(self, size, compute, early):
        """Task 0 sends, task 1 computes before it waits; `early`: it has posted the receive."""
        receive = (f"1 irecv 0 7 {size} 6\n1 compute {compute}\n1 wait 0 1 7\n" if early
                   else f"1 compute {compute}\n1 recv 0 7 {size} 6\n")
        return f"0 init\n1 init\n0 isend 1 7 {size} 6\n0 wait 0 1 7\n{receive}"

    def test_a_receive_posted_early_takes_its_message_while_the_task_waits_for_another(self):
        other = "2 init\n2 compute 5000\n2 send 1 8 1 6\n"
        for size in (51, 1000):
            flight = 100 + 3 * (size - 1)
            begin = f"0 init\n1 init\n0 isend 1 7 {size} 6\n0 wait 0 1 7\n"
            early = begin + f"1 irecv 0 7 {size} 6\n1 recv 2 8 1 6\n1 wait 0 1 7\n" + other
            late = begin + f"1 recv 2 8 1 6\n1 recv 0 7 {size} 6\n" + other
            self.assertEqual(self.replay(IDEAL % (0, 0), early)[1], [flight + TICK, 5100, 5000])
            self.assertEqual(self.replay(IDEAL % (0, 0), late)[1], [5100 + TICK, 5100, 5000])

    def test_a_processor_that_computes_takes_no_message(self):
        for compute in (10, 5000):
            for early in (True, False):
                _, finish = self.replay(IDEAL % (0, 0), self.trace(1000, compute, early))
                taken = max(100 + 3 * 999, compute)
                self.assertEqual(finish, [taken + TICK, taken])

    def test_the_wait_of_a_send_is_where_the_task_waits_for_the_receiver(self):
        trace = ("0 init\n1 init\n0 isend 1 7 1000 6\n0 compute 400\n0 wait 0 1 7\n0 compute 10\n1 compute 9000\n1 "
                 "recv 0 7 1000 6\n")
        _, finish = self.replay(IDEAL % (0, 0), trace)
        self.assertEqual(finish, [9010 + TICK, 9000])
        # An eager one is over when it has left.
        _, finish = self.replay(IDEAL % (0, 0), trace.replace("1000", "50"))
        self.assertEqual(finish, [410, 9000])

    def test_on_a_network_of_packets_data_come_while_the_task_computes(self):
        packet = self.replay(TORUS, "0 init\n1 init\n0 send 1 7 64 6\n1 recv 0 7 64 6\n")[1][1]
        whole = self.replay(TORUS, "0 init\n1 init\n0 send 1 7 6400 6\n1 recv 0 7 6400 6\n",
                            "workload.rendezvous_bytes=0")[1][1]
        for compute_ns in (10_000, 500_000):
            compute = compute_ns // 10  # cycles
            early = self.replay(TORUS, self.trace(6400, compute_ns, True))[1]
            late = self.replay(TORUS, self.trace(6400, compute_ns, False))[1]
            # there, that there is a message, and back, that it may come: from the receive on if that is late
            asks = 2 * packet
            self.assertEqual(early[1], max(compute, asks + whole))
            self.assertEqual(late[1], max(compute, packet) + packet + whole)

    def test_requests_are_waited_for_in_any_order(self):
        trace = "0 init\n1 init\n" + "".join(f"0 isend 1 {tag} {size} 6\n" for tag,
                                             size in ((1, 20), (2, 2000), (3, 30)))
        trace += "0 waitall\n" + "".join(f"1 irecv 0 {tag} {size} 6\n" for tag, size in ((3, 30), (2, 2000), (1, 20)))
        trace += "1 wait 0 1 1\n1 compute 500\n1 wait 0 1 2\n1 compute 700\n1 wait 0 1 3\n"
        _, finish = self.replay(IDEAL % (0, 0), trace)
        arrival = 3 * 19 + 100 + 3 * 1999  # the second leaves when the first has
        self.assertEqual(finish, [arrival + TICK, arrival + 700])


class Judged(Replays):
    def random_trace(self, seed):
        """Phases in which tasks start sends and receives in any order, compute, and wait for some now and for the rest
        at its end."""
        draw = random.Random(seed)
        tasks = draw.randrange(2, 6)
        lines = [f"{task} init" for task in range(tasks)]
        tag = 0
        for _ in range(draw.randrange(1, 5)):
            own = [[] for _ in range(tasks)]
            last = [[] for _ in range(tasks)]  # blocking receives come when all is started
            for _ in range(draw.randrange(1, 12)):
                source, to = draw.sample(range(tasks), 2)
                tag += 1
                size = draw.choice([0, 1, 17, 50, 51, 400])
                name = (source, to, tag)
                # Blocking sends that wait for their receives go upwards, so that no two tasks wait for each other.
                own[source].append((f"isend {to} {tag} {size} 6", name) if (size > 50 and source > to) or draw.random()
                                   < 0.5
                                   else (f"send {to} {tag} {size} 6", None))
                if draw.random() < 0.8:
                    own[to].append((f"irecv {source} {tag} {size} 6", name))
                else:
                    last[to].append(f"recv {source} {tag} {size} 6")
            for task in range(tasks):
                draw.shuffle(own[task])
                waits = []
                for text, name in own[task]:
                    lines.append(f"{task} {text}")
                    if name is not None:
                        waits.append(name)
                    if draw.random() < 0.4:
                        lines.append(f"{task} compute {draw.choice([1, 30, 700])}")
                lines += [f"{task} {text}" for text in last[task]]
                draw.shuffle(waits)
                for name in waits[: draw.randrange(0, len(waits) + 1)]:
                    lines.append(f"{task} wait {name[0]} {name[1]} {name[2]}")
                    if draw.random() < 0.4:
                        lines.append(f"{task} compute {draw.choice([1, 30, 700])}")
                lines.append(f"{task} waitall")
        return "\n".join(lines) + "\n"

    def test_random_programs_end_when_the_judge_says(self):
        for seed in range(24):
            draw = random.Random(seed)
            overhead, gap = draw.choice([(0, 0), (10, 7), (25, 0), (0, 40)])
            trace = self.random_trace(seed)
            summary, finish = self.replay(IDEAL % (overhead, gap), trace, "statistics.matches=matches.csv")
            self.weft("trace", "convert", "trace.ti", "--out", "trace.goal")
            expected = judge((self.folder / "trace.goal").read_text(),
                             Parameters(latency=100, overhead=overhead, gap=gap, byte_gap=3, rendezvous=50))
            self.assertTrue(expected["ended"], seed)
            self.assertEqual(finish, expected["finish_ns"], f"seed {seed}\n{trace}")
            self.assertEqual(summary["messages"]["delivered"], len(expected["matches"]), seed)

    def test_goal_text_and_binary_run_alike(self):
        trace = self.random_trace(3)
        self.write("trace.ti", trace)
        digests = set()
        for name in ("trace.goal", "trace.goal.bin"):
            self.weft("trace", "convert", "trace.ti", "--out", name)
            summary, _ = self.replay(IDEAL % (10, 7), trace, f"workload.path={name}")
            digests.add(summary["digest"])
        self.assertEqual(len(digests), 1)
        self.weft("trace", "convert", "trace.goal.bin", "--out", "again.goal")
        self.assertEqual((self.folder / "again.goal").read_text(), (self.folder / "trace.goal").read_text())


class Resumed(Replays):
    def test_a_checkpoint_keeps_requests(self):
        trace = "0 init\n1 init\n"
        for tag in range(40):
            trace += f"0 isend 1 {tag} 900 6\n0 compute 90\n1 irecv 0 {tag} 900 6\n1 compute 300\n"
        trace += "0 waitall\n1 waitall\n"
        whole, finish = self.replay(IDEAL % (10, 7), trace)
        self.replay(IDEAL % (10, 7), trace, "checkpoint.every_cycles=2500", "checkpoint.path=c.h5")
        self.assertTrue((self.folder / "c.h5").exists())
        resumed = self.run_json("config.toml", "--resume", "c.h5")
        self.assertEqual(resumed["digest"], whole["digest"])
        self.assertEqual(max(finish), resumed["tasks"]["finish_ns_max"])


class Stuck(Replays):
    def stuck(self, config, trace, name="trace.ti"):
        self.write(name, trace)
        return self.run_json(config, code=4)

    def test_a_request_that_waits_for_ever_names_its_record(self):
        err = self.stuck(IDEAL % (0, 0), "0 init\n1 init\n0 compute 5\n1 irecv 0 9 8 6\n1 compute 7\n1 wait 0 1 9\n")
        self.assertIn("task 1, operation 1 (record 1, trace.ti:4): waits for a message from task 0 with tag 9 of 8 "
                      "bytes", err)

    def test_a_receive_names_its_line_on_networks_of_packets_too(self):
        err = self.stuck(TORUS.replace("trace.ti", "t.trc").replace(", rendezvous_bytes = 64", ""),
                         "s 0 1 5 8\nc 1 20\nr 0 1 5 8\n\nr 0 1 6 8\n", "t.trc")
        self.assertIn("task 1, operation 3 (record 3, t.trc:5): waits for a message from task 0 with tag 6 of 8 bytes",
                      err)


if __name__ == "__main__":
    unittest.main()
