"""The judge of programs against published LogGOPSim results and times derived by hand. It runs without weft."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import harness
from goal_text import GoalError, parse
from program_judge import Parameters, judge

HERE = Path(__file__).resolve().parent

PUBLISHED = {"latency": 100, "overhead": 10, "gap": 7, "byte_gap": 3, "byte_overhead": 0, "rendezvous": 50}
SIMPLE = {"latency": 100, "overhead": 10, "gap": 5, "byte_gap": 1}
FREE = {"latency": 100}  # nothing but time of flight
SAMPLES = Path(os.environ.get("WEFT_SHARED", harness.ROOT.parent / "shared")) / "traces" / "goal"


def goal(*tasks):
    """Text of tasks, each of which is given as its statements, separated by semicolons or lines."""
    bodies = [f"rank {number} {{\n" + "\n".join(body.replace(";", "\n").split("\n")) + "\n}\n" for number,
              body in enumerate(tasks)]
    return f"num_ranks {len(tasks)}\n" + "".join(bodies)


class Cases(unittest.TestCase):
    def finish(self, tasks, expected, **parameters):
        """Runs it, demands that it ends, and its times; the matches as (source, send, destination, receive)."""
        result = judge(goal(*tasks), Parameters(**parameters))
        self.assertEqual(result["waiting"], [])
        self.assertTrue(result["ended"])
        self.assertEqual(result["finish_ns"], expected)
        return result["matches"]


class Published(Cases):
    """LogGOPSim: L + 2 o + g + floor((s - 1) G) + 2 (s - 1) O, eager up to S."""

    def pair(self, size, expected, **changes):
        self.finish([f"send {size}b to 1", f"recv {size}b from 0"], expected, **{**PUBLISHED, **changes})

    def test_one_eager_message_takes_what_loggopsim_says(self):
        for changes, host0, host1 in (({}, 10, 175), ({"latency": 130}, 10, 205), ({"overhead": 13}, 13, 181),
                                      ({"gap": 11}, 10, 179),
                                      ({"byte_gap": 5}, 10, 207), ({"byte_overhead": 2}, 10 + 32, 239)):  # fmt: skip
            with self.subTest(**changes):
                self.pair(17, [host0, host1], **changes)

    def test_rendezvous_holds_the_sender_as_loggopsim_says(self):
        self.pair(51, [277, 277])
        self.pair(51, [10, 277], rendezvous=51)
        self.pair(51, [10, 277], rendezvous=0)

    def test_fractions_of_a_gap_are_rounded_down(self):
        for size, expected in ((50, 0), (51, 1), (101, 2), (4096, 81), (1048576, 20971)):
            with self.subTest(size=size):
                result = judge(goal(f"send {size}b to 1", f"recv {size}b from 0"), Parameters(byte_gap="0.02"))
                self.assertEqual([int(ns) for ns in result["finish_ns"]], [0, expected])
                self.assertEqual(result["ticks_per_ns"], 1024)  # a message takes a tick

    def test_products_are_those_of_doubles(self):
        self.pair(101, [10, 155], byte_gap="0.29", rendezvous=0)  # 100 + 20 + 7 + 28: 100 * 0.29 < 29 in doubles

    def test_samples_of_real_files(self):
        for name, expected in (("pair-51", [277, 277]), ("ring-chain-s17", [700, 185, 360, 535])):
            path = SAMPLES / f"{name}.goal"
            if not path.is_file():
                self.skipTest("the trace is not there")  # ../shared is optional
            self.assertEqual(judge(path.read_text(encoding="utf-8"), Parameters(**PUBLISHED))["finish_ns"], expected)

    def test_the_command_prints_json(self):
        text = goal("send 51b to 1", "recv 51b from 0")
        command = [sys.executable, "-B", HERE / "program_judge.py", "/dev/stdin", "--latency", "100", "--overhead",
                   "10", "--gap", "7",
                   "--byte-gap", "3", "--byte-overhead", "0", "--rendezvous", "50"]  # fmt: skip
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout)["finish_ns"], [277, 277])


class Graphs(Cases):
    def test_streams_are_serial_and_independent(self):
        # a and b share stream 0 (10 + 20), c has its own; d begins when c has: at 0, on stream 2.
        self.finish(["a: calc 10; b: calc 20; c: calc 25 cpu 1; d: calc 31 cpu 2; d irequires c"], [31])
        self.finish(["a: calc 10; b: calc 20; c: calc 25 cpu 1"], [30])

    def test_an_operation_that_waits_does_not_hold_up_those_behind_it(self):
        # a holds stream 0 until 10. b waits for it, c behind b has stream 1 at 0, d requires c: 0 + 3 + 4 on stream 1 =
        # 7. b then runs 10..15.
        self.finish(["a: calc 10; b: calc 5; c: calc 3 cpu 1; d: calc 4 cpu 1; d requires c"], [15])

    def test_any_one_of_several_lets_a_join_begin(self):
        # j is complete at 7 (b), then d runs 7..10 on stream 2; a ends last, at 30.
        self.finish(["a: calc 30; b: calc 7 cpu 1; j: join; j requires-any a b; d: calc 3 cpu 2; d requires j"], [30])
        # With all of them d would run 30..33.
        self.finish(["a: calc 30; b: calc 7 cpu 1; j: join; j requires a; j requires b; d: calc 3 cpu 2; d requires j"],
                    [33])
        # A start is an alternative, too: j is complete at 0, d runs 0..50, b 30..37. With requires alone d would run
        # 37..87.
        self.finish(["a: calc 30; b: calc 7 cpu 1; b requires a; j: join; j requires-any b; j irequires a; "
                     "d: calc 50 cpu 2; d requires j"], [50])  # fmt: skip

    def test_ready_operations_begin_in_the_order_in_which_they_became_ready(self):
        # x (stream 1) ends at 5 and makes number 4 ready, y (stream 2) at 6 makes 3 ready; a holds stream 0 until 10.
        # Then 4 first (10..20), 3 after it (20..21); z requires 3, so it ends at 21 + 100.
        self.finish(["a: calc 10; x: calc 5 cpu 1; y: calc 6 cpu 2; p: calc 1; q: calc 10; z: calc 100 cpu 3; "
                     "q requires x; p requires y; z requires p"], [121])  # fmt: skip
        # Both at 5: ascending number: p 10..11, q 11..21, z 11..111.
        self.finish(["a: calc 10; x: calc 5 cpu 1; y: calc 5 cpu 2; p: calc 1; q: calc 10; z: calc 100 cpu 3; "
                     "q requires x; p requires x; z requires p"], [111])  # fmt: skip


class Messages(Cases):
    def test_the_nic_spaces_sends_and_receives(self):
        # L 100, o 10, g 5, G 1, two messages of 11 bytes. Send 0: stream 0..10, NIC 0..15, arrives 10 + 100 + 10 = 120.
        # Send 1 begins at 15: stream ..25, arrives 135. Receive 0: handling 120..135 (g + o), receive 1: from 135, to
        # 150.
        self.finish(["send 11b to 1; send 11b to 1", "recv 11b from 0; recv 11b from 0"], [25, 150], **SIMPLE)
        # Receives on one stream each: the NIC takes the second message at 135 anyway.
        self.finish(["send 11b to 1; send 11b to 1", "recv 11b from 0; recv 11b from 0 cpu 1"], [25, 150], **SIMPLE)

    def test_the_receiving_side_is_held_for_the_gap_and_the_stream_for_gap_and_overhead(self):
        # One-byte messages of tasks 0 and 1 arrive at 110. Source 0 first: handling 110..125 on stream 0, NIC until
        # 115. The other: on stream 0 at 125..140; on stream 1 at 115..130.
        sources = ["send 1b to 2", "send 1b to 2"]
        self.finish([*sources, "recv 1b from 0; recv 1b from 1"], [10, 10, 140], **SIMPLE)
        self.finish([*sources, "recv 1b from 0; recv 1b from 1 cpu 1"], [10, 10, 130], **SIMPLE)

    def test_receives_are_taken_in_the_order_in_which_they_were_posted(self):
        # Both arrive at 100, 0 before 1; the first receive takes any, the second only those of 1.
        self.assertEqual(self.finish(["send 1b to 2", "send 1b to 2", "recv 1b from -1; recv 1b from 1"], [0, 0, 100],
                                     **FREE),
                         [(0, 0, 2, 0), (1, 0, 2, 1)])  # fmt: skip
        # Tags: a receive of any tag takes the first message, the one of tag 1 the second.
        self.assertEqual(self.finish(["a: send 1b to 1 tag 1; b: send 1b to 1 tag 1",
                                      "recv 1b from 0 tag -1; recv 1b from 0 tag 1"],
                                     [0, 100], **FREE), [(0, 0, 1, 0), (0, 1, 1, 1)])  # fmt: skip

    def test_unexpected_messages_are_taken_in_the_order_in_which_they_arrived(self):
        # Task 1 sends at 0, task 0 at 50; receives are posted at 500: the one from any gets what arrived first (100, of
        # 1).
        self.assertEqual(self.finish(["a: calc 50; b: send 1b to 2; b requires a", "send 1b to 2",
                                      "a: calc 500; b: recv 1b from -1; c: recv 1b from -1; "
                                      "b requires a; c requires b"],
                                     [50, 0, 500], **FREE), [(1, 0, 2, 1), (0, 1, 2, 2)])  # fmt: skip

    def test_communicators_are_apart(self):
        self.assertEqual(self.finish(["send 1b to 1 comm 1; send 1b to 1",
                                      "recv 1b from -1 tag -1; recv 1b from -1 tag -1 comm 1"],
                                     [0, 100], **FREE), [(0, 1, 1, 0), (0, 0, 1, 1)])  # fmt: skip

    def test_messages_arrive_in_the_order_in_which_they_were_sent(self):
        # O 10: send 0 of 101 bytes is ready at 1000, arrives 1100 (L 100); send 1 on another stream, NIC free at 0 (g =
        # G = 0): ready at 0, early at 100, held until 1100. Handling of send 0 takes another 1000 on stream 0, of send
        # 1 none on stream 1.
        tasks = ["send 101b to 1; send 1b to 1 cpu 1",
                 "recv 101b from 0 tag -1; recv 1b from 0 tag -1 cpu 1; a: calc 5 cpu 2"]
        matches = self.finish(tasks, [1000, 2100], latency=100, byte_overhead=10)
        self.assertEqual(matches, [(0, 0, 1, 0), (0, 1, 1, 1)])
        # The other receive waits for 1100, too: its task goes on at 1100 + 3000.
        tasks[1] = "recv 101b from 0; r: recv 1b from 0 cpu 1; a: calc 3000 cpu 2; a requires r"
        self.finish(tasks, [1000, 4100], latency=100, byte_overhead=10)

    def test_a_probe_sees_a_message_that_no_receive_has_taken(self):
        # Arrival at 100 completes the probe; the receive it allows handles at once.
        self.finish(["send 1b to 1", "p: probe 1b from -1; r: recv 1b from 0; r requires p"], [0, 100], **FREE)
        # The receive posted first takes the message of 0; the probe waits for that of 1, at 150.
        self.finish(["send 1b to 2", "a: calc 50; b: send 1b to 2; b requires a",
                     "r: recv 1b from 0; p: probe 1b from -1; q: recv 1b from 1; q requires p; "
                     "c: calc 7; c requires q"],
                    [0, 50, 157], **FREE)  # fmt: skip

    def test_rendezvous_ends_with_the_receive_and_at_least_a_tick_after_its_begin(self):
        # 51 bytes, S 50, L 100: arrives at 100, posted at 300, handled in no time at 300; the send is complete a tick
        # later.
        self.finish(["send 51b to 1", "a: calc 300; r: recv 51b from 0; r requires a"], [300 + 1 / 1024, 300],
                    latency=100, rendezvous=50)  # fmt: skip
        # With o 10: send's stream is free at 10 (calc 10..15), arrives 110, handled 300..310: both at 310.
        self.finish(["s: send 51b to 1; c: calc 5; c irequires s", "a: calc 300; r: recv 51b from 0; r requires a"],
                    [310, 310],
                    latency=100, overhead=10, rendezvous=50)  # fmt: skip

    def test_messages_of_a_node_go_through_memory(self):
        # o 10: ready at 10, local latency 4: arrives 14, handled 14..24 (no gap). The NIC is free for the other send:
        # stream 1 at 0.
        tasks = ["send 11b to 1; send 11b to 2 cpu 1", "recv 11b from 0", "recv 11b from 0", ""]
        self.finish(tasks, [10, 24, 120 + 15, 0], **SIMPLE, tasks_per_node=2, local_latency=4)
        # To itself likewise, in a run of one task a node.
        self.finish(["send 11b to 0; recv 11b from 0"], [10 + 1 + 10], **SIMPLE)

    def test_tasks_of_a_node_share_its_nic_in_the_order_of_their_places(self):
        # g 5, G 1, 11 bytes: the NIC is held 15 ns a message. Task 0: 0..15, task 1: 15.., complete at 25, arrives 15 +
        # 120 = 135.
        self.finish(["send 11b to 2", "send 11b to 2", "recv 11b from 1; recv 11b from 0", ""], [10, 25, 150, 0],
                    **SIMPLE,
                    tasks_per_node=2)  # fmt: skip

    def test_what_a_task_sends_or_computes_next_waits_for_its_turnaround(self):
        # Taken at 110 + 10: the send, and the computation of another stream that was ready at 110, wait until 120 + 30;
        # what is nothing does not.
        tasks = ["send 1b to 1",
                 "r: recv 1b from 0; s: send 1b to 0; s requires r; a: calc 110; c: calc 5 cpu 1; c requires a", "", ""]
        self.finish(tasks, [10, 160, 0, 0], latency=100, overhead=10, turnaround=30)
        # Receives in a row do not wait for each other: taken at 100 and 200, the last counts.
        self.finish(["send 1b to 2", "a: calc 100; s: send 1b to 2; s requires a",
                     "r: recv 1b from 0; q: recv 1b from 1; q requires r; n: calc 0; n requires q; c: calc 7; c "
                     "requires n"],
                    [0, 100, 237], latency=100, turnaround=30)  # fmt: skip
        self.finish(["send 1b to 1", "r: recv 1b from 0; n: calc 0; n requires r"], [0, 100], latency=100,
                    turnaround=30)

    def test_a_message_takes_at_least_a_tick(self):
        self.finish(["send 0b to 1", "r: recv 0b from 0; s: send 0b to 0; s requires r"], [0, 1 / 1024])
        self.finish(["send 0b to 1", "r: recv 0b from 0"], [0, 0.001], latency="0.0001")

    def test_times_are_in_ps_where_a_parameter_is_no_whole_ns(self):
        # L 0.5, o 0.25, G 0.125, 4 bytes: 500 + 250 + 375 + 250 ps.
        self.finish(["send 4b to 1", "recv 4b from 0"], [0.25, 1.375], latency="0.5", overhead="0.25", byte_gap="0.125")


class Endless(unittest.TestCase):
    def test_what_waits_is_listed(self):
        text = goal("a: calc 10; r: recv 1b from 1 tag 3; s: send 1b to 1; s requires r",
                    "r: recv 1b from 0; s: send 1b to 0 tag 3; s requires r")  # fmt: skip
        result = judge(text)
        self.assertFalse(result["ended"])
        self.assertEqual(result["finish_ns"], [10, 0])
        self.assertEqual(result["not_begun"], 2)
        self.assertEqual([(w["task"], w["operation"], w["line"], w["kind"]) for w in result["waiting"]],
                         [(0, 1, 4, "receive"), (1, 0, 9, "receive")])  # fmt: skip

    def test_rendezvous_without_a_receive_waits_and_an_eager_send_does_not(self):
        text = goal("send 9b to 1", "calc 5")
        self.assertTrue(judge(text, Parameters(rendezvous=9))["ended"])
        self.assertEqual(judge(text, Parameters(rendezvous=8))["waiting"],
                         [{"task": 0, "operation": 0, "line": 3, "kind": "send"}])


class Text(unittest.TestCase):
    def test_comments_and_blanks_keep_the_lines(self):
        tasks = parse("/* a\n b */ num_ranks 1 // c\n\nrank 0 {\n  a:  calc 5  cpu 2\n// d\n\tsend 3b to 0 tag 7 cpu 1 "
                      "nic 0 comm 4\n}")
        self.assertEqual([(op.kind, op.line, op.amount, op.cpu, op.tag, op.comm) for op in tasks[0]],
                         [("compute", 5, 5, 2, 0, 0), ("send", 7, 3, 1, 7, 4)])  # fmt: skip

    def test_what_is_no_goal_is_refused(self):
        for body in ("send 3 to 0", "recv 3b to 0", "calc", "a requires b", "a: calc 1; a: calc 2", "calc 1 cpu",
                     "fly 1"):
            with self.subTest(body=body), self.assertRaises(GoalError):
                parse(goal(body))


if __name__ == "__main__":
    unittest.main()
