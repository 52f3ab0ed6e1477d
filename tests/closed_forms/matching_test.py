"""Which message a receive takes, by each matching rule: messages that rules match otherwise.

Environment: WEFT_BINARY is the program."""

import csv
import subprocess
import unittest

import harness

WEFT = harness.weft()
# The long message is sent first and is the second that is received.
LINEAR = "s 0 1 5 1000\ns 0 1 5 100\nr 0 1 5 100\nr 0 1 5 1000\n"
# Two communicators, received in the other order.
GRAPH = """num_ranks 2
rank 0 {
  a: send 8b to 1 tag 5 comm 1
  b: send 8b to 1 tag 5 comm 2
  b requires a
}
rank 1 {
  a: recv 8b from 0 tag 5 comm 2
  b: recv 8b from 0 tag 5 comm 1
  b irequires a
}
"""


class Matching(harness.Scratch):
    def matches(self, program, rule, expect=0):
        """{receive: send} of task 1."""
        self.write("app", program)
        self.write("config.toml", 'format = 1\nworkload = {kind = "trace", path = "app"}\nstatistics.matches = "matches.csv"\n'
                   'topology = {kind = "ideal", nodes = 2}\n')  # fmt: skip
        done = subprocess.run([WEFT, "run", "config.toml", "--progress", "never", "--set", f"workload.matching={rule}"], cwd=self.folder,
                              capture_output=True, text=True)  # fmt: skip
        self.assertEqual(done.returncode, expect, done.stderr)
        if expect != 0:
            return done.stderr
        with open(self.folder / "matches.csv", newline="") as file:
            return {int(row["receive_operation"]): int(row["send_operation"]) for row in csv.DictReader(file)}

    def test_by_length_or_in_order(self):
        self.assertEqual(self.matches(LINEAR, "length"), {0: 1, 1: 0})
        self.assertEqual(self.matches(LINEAR, "order"), {0: 0, 1: 1})
        self.assertEqual(self.matches(LINEAR, "auto"), {0: 1, 1: 0})

    def test_communicators_are_told_apart(self):
        self.assertEqual(self.matches(GRAPH, "order"), {0: 1, 1: 0})
        self.assertEqual(self.matches(GRAPH, "auto"), {0: 1, 1: 0})

    def test_graphs_whose_receives_say_source_and_tag_go_by_length_too(self):
        # Of two messages of one tag the second fits the first receive by its length.
        graph = GRAPH.replace(" comm 1", "").replace(" comm 2", "").replace("a: send 8b", "a: send 8000b").replace("b: recv 8b", "b: recv 8000b")
        self.assertEqual(self.matches(graph, "order"), {0: 0, 1: 1})
        self.assertEqual(self.matches(graph, "length"), {0: 1, 1: 0})

    def test_what_does_not_fit_is_refused(self):
        for any_message in ("from 0 tag -1", "from -1 tag 5"):
            error = self.matches(GRAPH.replace("from 0 tag 5", any_message, 1), "length", expect=2)
            self.assertIn('workload.matching = "length" does not fit a program whose receives may take messages of any source or tag', error)
        self.assertIn('use "order"', error)
        self.assertIn("workload.matching", self.matches(GRAPH, "ordr", expect=2))


if __name__ == "__main__":
    unittest.main()
