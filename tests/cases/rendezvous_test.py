"""Sends that wait for their receives, and messages that may overtake each other, by closed forms on the ideal network.

Environment: WEFT_BINARY is the program."""

import unittest

import cases
import harness

LATENCY, OVERHEAD, BYTE = 1000, 10, 0.5
IDEAL = ('format = 1\ntopology = {{kind = "ideal", nodes = {nodes}}}\nideal = {{latency_ns = %d, overhead_ns = %d, byte_gap_ns = %s, rendezvous_bytes = {limit}}}\n'
         'workload = {{kind = "trace", path = "{path}", cpu_scale = 1, trace_store = "none"}}\n' % (LATENCY, OVERHEAD, BYTE))  # fmt: skip
ROUTED = ('format = 1\ntopology = {kind = "torus", dims = [4]}\nlink = {rate_gbps = 64}\npacket = {phits = 32, phit_bytes = 8}\n'  # a cycle is 1 ns
          'workload = {kind = "trace", path = "x.txt", cpu_scale = 1, trace_store = "none", rendezvous_bytes = 1000, overhead_ns = 10}\n')  # fmt: skip


class Sends(cases.Case):
    def ends(self, config, *settings, ranks=1):
        words = [word for setting in settings for word in ("--set", setting)]
        self.weft("run", config, *words, "--progress", "never", "--out", "run.h5", ranks=ranks)
        with harness.module("h5py").File(self.folder / "run.h5") as file:
            return [float(cycle) for cycle in file["tasks/finish_cycles"][:]]

    def on_ideal(self, lines, *settings, name="x.txt", limit=1000, nodes=2):
        self.write(name, "\n".join(lines) + "\n")
        self.write("ideal.toml", IDEAL.format(nodes=nodes, limit=limit, path=name))
        return self.ends("ideal.toml", *settings)


class Blocking(Sends):
    LATE = ["0 init", "1 init", "0 send 1 7 2000", "0 compute 5000", "1 compute 30000", "1 recv 0 7 2000", "0 finalize", "1 finalize"]
    POSTED = 30000

    def test_a_task_computes_when_the_late_receiver_has_its_message(self):
        self.assertEqual(self.on_ideal(self.LATE), [self.POSTED + OVERHEAD + 5000, self.POSTED + OVERHEAD])

    def test_with_requests_elsewhere_too(self):
        asked = [*self.LATE[:6], "1 isend 0 8 8", "0 irecv 1 8 8", "0 wait 1 0 8", "1 wait 1 0 8", *self.LATE[6:]]
        self.assertGreaterEqual(self.on_ideal(asked)[0], self.POSTED + OVERHEAD + 5000)

    def test_what_is_asked_to_go_on_does(self):
        self.assertEqual(self.on_ideal(self.LATE, "workload.blocking_sends=go-on"), [self.POSTED + OVERHEAD, self.POSTED + OVERHEAD])

    def test_a_short_message_is_not_waited_for(self):
        self.assertEqual(self.on_ideal(self.LATE, limit=2000)[0], OVERHEAD + 5000)

    def test_its_graph_waits_as_long(self):
        ends = self.on_ideal(self.LATE)
        self.weft("trace", "convert", "x.txt", "--out", "x.goal", "--no-store")
        self.write("goal.toml", IDEAL.format(nodes=2, limit=1000, path="x.goal"))
        self.assertEqual(self.ends("goal.toml"), ends)

    def test_formats_that_do_not_tell_blocking_sends_go_on_unless_asked(self):
        lines = ["s 0 1 7 2000", "c 0 5000", "c 1 30000", "r 0 1 7 2000"]
        self.assertEqual(self.on_ideal(lines, name="x.trc")[0], self.POSTED + OVERHEAD)
        self.assertEqual(self.on_ideal(lines, "workload.blocking_sends=wait", name="x.trc")[0], self.POSTED + OVERHEAD + 5000)

    def test_both_sides_of_an_exchange_send_at_once(self):
        lines = [f"{r} {word}" for r in range(4) for word in ("init", f"sendRecv 2000 {(r + 1) % 4} 2000 {(r + 3) % 4}", "finalize")]
        flight = OVERHEAD + LATENCY + int(1999 * BYTE) + OVERHEAD
        self.assertEqual(self.on_ideal(lines, nodes=4), [flight] * 4)

    def test_collective_calls_end(self):
        for call in ("allreduce 200000 0", "alltoall 50000 50000", "bcast 100000"):
            lines = [f"{r} {word}" for r in range(4) for word in ("init", call, "finalize")]
            self.assertGreater(min(self.on_ideal(lines, nodes=4)), LATENCY)

    def test_two_blocking_sends_that_wait_for_each_other_are_stuck(self):
        lines = [f"{r} {word}" for r in range(2) for word in ("init", f"send {1 - r} 7 2000", f"recv {1 - r} 7 2000", "finalize")]
        self.write("x.txt", "\n".join(lines) + "\n")
        self.write("ideal.toml", IDEAL.format(nodes=2, limit=1000, path="x.txt"))
        self.weft("run", "ideal.toml", "--progress", "never", code=4)
        self.assertEqual(self.on_ideal(lines, limit=2000), [OVERHEAD + LATENCY + int(1999 * BYTE) + OVERHEAD] * 2)

    def test_in_packets_and_on_any_number_of_ranks(self):
        self.write("x.txt", "\n".join(self.LATE) + "\n")
        self.write("routed.toml", ROUTED)
        alone = self.ends("routed.toml")
        self.assertGreater(alone[0], self.POSTED + 5000)
        self.assertEqual(self.ends("routed.toml", ranks=2), alone)
        waits = self.json_of("explain", "routed.toml", "--no-ideal", "--quiet")["runs"][0]["tasks"][0]
        self.assertGreater(waits["late_receiver"], 0.9 * self.POSTED)


class Overtaking(Sends):
    """The second message, short, begins while the first is in flight and would be there before it."""

    LONG, SHORT, BYTES = 1001, 11, 1  # O = G = 1 ns a byte

    def two(self, first, second, *settings):
        graph = [
            "num_ranks 2", "rank 0 {", f"a: send {self.LONG}b to 1 {first}", f"b: send {self.SHORT}b to 1 {second}", "b requires a", "}",
            "rank 1 {", f"r: recv {self.LONG}b from 0 {first} cpu 1", f"s: recv {self.SHORT}b from 0 {second}", "c: calc 50000", "c requires s", "}"]  # fmt: skip
        self.write("x.goal", "\n".join(graph) + "\n")
        self.write("ideal.toml", IDEAL.format(nodes=2, limit=0, path="x.goal"))
        return self.ends("ideal.toml", "ideal.overhead_ns=0", "ideal.byte_gap_ns=1", "ideal.byte_overhead_ns=1", *settings)[1]

    @property
    def in_turn(self):
        return 2 * (self.LONG - 1) + LATENCY + (self.SHORT - 1) + 50000

    @property
    def before(self):
        return (self.LONG - 1) + (self.SHORT - 1) + LATENCY + 2 * (self.SHORT - 1) + 50000

    def test_of_one_communicator_they_are_kept_in_order(self):
        self.assertEqual(self.two("tag 1", "tag 2"), self.in_turn)

    def test_of_other_communicators_they_are_not(self):
        self.assertEqual(self.two("tag 1 comm 1", "tag 1 comm 2"), self.before)

    def test_of_other_tags_they_are_not_where_tags_are_told_apart(self):
        self.assertEqual(self.two("tag 1", "tag 2", "workload.matching=tag-order"), self.before)
        self.assertEqual(self.two("tag 1", "tag 1", "workload.matching=tag-order"), self.in_turn)


if __name__ == "__main__":
    unittest.main()
