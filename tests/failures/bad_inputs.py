"""Traces and placements that cannot be read or do not fit."""

import json

import harness
from harness import IS_TRACE
from failing_runs import TORUS, TRACE, Failures

WEFT, MPIRUN = harness.weft(), harness.mpirun()


class Traces(Failures):
    def test_a_receive_that_nobody_sends_to_names_task_source_and_tag(self):
        self.write("app.trc", "s 0 1 5 100\nr 0 1 5 100\nr 0 1 6 100\n")
        detail = self.assert_fails(4, ["unmatched receive", "1 tasks"], TRACE)
        self.assertRegex(detail[0], r"task 1, .*task 0 with tag 6")

    def test_two_tasks_that_wait_for_each_other_are_both_named(self):
        self.write("app.trc", "r 1 0 3 64\ns 0 1 4 64\nr 0 1 4 64\ns 1 0 3 64\n")
        detail = self.assert_fails(4, ["unmatched receive", "2 tasks"], TRACE)
        self.assertRegex("\n".join(detail), r"(?s)task 0, .*task 1 with tag 3.*task 1, .*task 0 with tag 4")

    def test_a_compressed_trace_that_ends_in_the_middle_is_refused(self):
        self.write("app.trc", IS_TRACE.read_bytes()[:9000])
        self.assert_fails(3, ["app.trc", "truncated", "9000 bytes"], TRACE)

    def test_damage_inside_a_compressed_trace_is_noticed(self):
        content = bytearray(IS_TRACE.read_bytes())
        content[len(content) // 2] ^= 0x55
        self.write("app.trc", bytes(content))
        self.assert_fails(3, ["app.trc"], TRACE)

    def test_garbage_is_no_trace(self):
        self.write("app.trc", bytes(range(128, 256)) * 8)
        self.assert_fails(3, ["app.trc", "not a trace of a known format"], TRACE)

    def test_an_empty_file_is_no_trace(self):
        self.write("app.trc", "")
        self.assert_fails(3, ["app.trc", "no records"], TRACE)

    def test_a_missing_file_is_named(self):
        self.assert_fails(3, ["app.trc", "No such file"], TRACE)

    def test_a_bad_record_is_named_by_file_and_line(self):
        for record, words in [("s 0 -1 5 100", "negative"), ("s 0 99999999999 5 100", "too large"),
                              ("s 0 1 5 -100", "negative"), ("s 0 1 5", "BYTES"), ("q 0 1 5 100", "q"),
                              ("s 0 1 5 1e3", "1e3"), ("c 0 99999999999999999999999", "too large")]:
            with self.subTest(record=record):
                self.write("app.trc", f"s 0 1 5 100\nr 0 1 5 100\n{record}\n")
                self.assert_fails(3, ["app.trc:3:", words], TRACE)

    def test_a_computation_or_a_message_beyond_what_can_be_counted_is_named_by_file_and_line(self):
        exact = TRACE + "cpu_scale = 1\n[link]\nrate_gbps = 10\n[simulation]\ntick_ps = 100\n[packet]\nphit_bytes = 4\n"
        for record, words in [(f"c 0 {2**60}", ["1152921504606846976 ns", "at most 2^62", "workload.cpu_scale"]),
                              (f"s 0 1 5 {2**40}", ["1099511627776 bytes", "17179869184 packets", "at most 4294967294"])]:
            self.write("app.trc", f"s 0 1 5 100\nr 0 1 5 100\n{record}\n")
            self.assert_fails(3, ["app.trc:3:", *words], exact)
        # Each is possible, but not all one after the other: only the run can know.
        self.write("app.trc", f"c 1 {2**58}\n" * 2 + "s 0 1 5 100\nr 0 1 5 100\n")
        self.assert_fails(3, ["app.trc: task 1, operation 2", "beyond tick 2^62"], exact)

    def test_a_kernel_with_messages_of_too_many_packets_is_refused(self):
        kernel = TORUS + '[workload]\nkind = "kernel"\nname = "binary-tree"\ntasks = 4\nmessage_bytes = 1000000000000\n'
        self.assert_fails(2, ["workload.message_bytes", "15625000000 packets"], kernel)

    def test_a_message_that_nobody_receives_is_a_warning_in_the_summary(self):
        self.write("app.trc", "s 0 1 5 100\ns 0 1 6 100\nr 0 1 5 100\n")
        for ranks in self.ranks():
            code, out, err = self.finish(self.start(TRACE, "--json", "-", ranks=ranks))
            self.assertEqual(code, 0, err)
            summary = json.loads(out)
            self.assertEqual(summary["messages"], {"sent": 2, "delivered": 2})
            self.assertRegex(" ".join(summary["warnings"]), r"(?i)\b1 message")


class Placements(Failures):
    def assert_refused(self, content, words):
        self.write("app.trc", "s 0 1 5 100\nr 0 1 5 100\n")
        if content is not None:
            self.write("nodes.txt", content)
        self.assert_fails(3, ["nodes.txt", *words], TRACE + '[placement]\npolicy = "file"\npath = "nodes.txt"\n')

    def test_a_missing_file_is_named(self):
        self.assert_refused(None, [])

    def test_a_node_outside_the_network_is_refused(self):
        self.assert_refused("3 0\n16 1\n", [":2:", "node 16", "16 nodes"])

    def test_a_task_outside_the_application_is_refused(self):
        self.assert_refused("3 0\n4 2\n", [":2:", "task 2", "2 tasks"])

    def test_two_tasks_on_one_node_are_refused(self):
        self.assert_refused("3 0\n3 1\n", [":2:", "node 3"])

    def test_more_tasks_on_a_node_than_it_has_places_are_refused(self):
        self.write("app.trc", "s 0 2 5 100\nr 0 2 5 100\n")
        self.write("nodes.txt", "3 0\n3 1\n3 2\n")
        self.assert_fails(3, ["nodes.txt", ":3:", "node 3", "tasks_per_node"],
                          TRACE + 'tasks_per_node = 2\n[placement]\npolicy = "file"\npath = "nodes.txt"\n')

    def test_a_task_without_a_node_is_named(self):
        self.assert_refused("3 0\n", ["task 1"])
