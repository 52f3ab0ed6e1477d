"""Small inputs that were refused, or accepted, without saying why."""

import json
import unittest

from cases import Case
from harness import settings

FLOWS = ('format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nlink = {rate_gbps = 100.0}\nworkload = {kind = '
         '"flows", flows_path = "one.cm"}\n')
PARAVER = """#Paraver (26/11/2026 at 10:00):100000_ns:1(2):1:2(1:1,1:1),2
c:1:1:2:1:2
c:1:2:2:1:-1
2:1:1:1:1:1000:50000001:1
2:2:1:2:1:1500:50000001:2
3:1:1:1:1:1100:1200:2:1:2:1:1600:1700:800:5
2:1:1:1:1:2000:50000001:0
2:2:1:2:1:2500:50000001:0
"""


class SmallInputs(Case):
    def test_a_flow_without_end_of_htsim_is_refused_as_such(self):
        self.write("run.toml", FLOWS)
        self.write("one.cm", "Nodes 16\nConnections 1\n0->13 start 0 size 0\n")
        self.weft("run", "run.toml", code=3)
        self.assertIn("one.cm:3: size 0 is a flow without end", self.errors)

    def test_a_communicator_of_unknown_tasks_is_refused_only_where_it_is_used(self):
        self.write("run.prv", PARAVER)
        self.assertIn("complete, 1 messages", self.weft("trace", "check", "run.prv"))
        call = "".join(f"2:{task}:1:{task}:1:3000:50000002:8:50100004:{{0}}\n2:{task}:1:{task}:1:3500:50000002:0\n"
                       for task in (1, 2))
        self.write("used.prv", PARAVER + call.format(2))
        self.weft("trace", "check", "used.prv", code=3)
        self.assertIn("a communicator with a task of unknown number (-1)", self.errors)
        self.write("other.prv", PARAVER + call.format(1))
        self.weft("trace", "check", "other.prv")

    def test_calls_of_a_trace_without_their_records_are_counted(self):
        """Lines 8 and 10 begin calls whose messages the trace does not have; those of lines 3 and 4 are there, whatever
        their order in the file."""
        calls = ("2:2:1:2:1:3000:50000001:2\n2:2:1:2:1:4000:50000001:0\n"
                 "2:1:1:1:1:5000:50000001:1\n2:1:1:1:1:6000:50000001:0\n")
        late = "".join(line for line in PARAVER.splitlines(True) if line[0] != "3")
        record = next(line for line in PARAVER.splitlines(True) if line[0] == "3")
        for name, trace, line in (("whole", PARAVER, 0), ("late", late + record, 0), ("pend", PARAVER + calls, 9),
                                  ("no_store", PARAVER + calls, 9)):
            with self.subTest(name):
                self.write(f"{name}.prv", trace)
                store = ["--no-store"] if name == "no_store" else []
                found = json.loads(self.weft("trace", "stats", f"{name}.prv", *store, "--json", "-")).get("missing", [])
                told = [self.weft("trace", "check", f"{name}.prv", *store), *found] + [
                    self.weft("trace", "convert", f"{name}.prv", *store, "--out", out) for out in ("x.goal", "x.alog")]
                for text in told:
                    self.assertEqual("2 calls that have no record of communication" in text, line > 0, text)
                    self.assertEqual(f"MPI_Recv of task 1, {name}.prv:{line})" in text, line > 0, text)
                self.assertEqual(len(told), 3 + (line > 0))
                self.assertEqual("complete" in told[0], line == 0)

    def test_jobs_are_pointed_to_their_name(self):
        self.write("jobs.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n[[jobs]]\nname = "a"\n')
        self.weft("run", "jobs.toml", code=2)
        self.assertIn("unknown table [jobs]; did you mean [[job]]", self.errors)

    def test_an_ideal_network_may_have_one_node(self):
        self.write("one.toml",
                   'format = 1\ntopology = {kind = "ideal", nodes = 1}\nworkload = {kind = "kernel", name = "mesh", '
                   'message_bytes = 64, tasks = 2}\nnode = {tasks = 2}\n')
        self.assertEqual(self.run_json("one.toml")["stop_reason"], "workload-complete")

    def test_a_mean_from_injection_above_that_from_generation_is_said_to_be_of_other_packets(self):
        """A network that fills up: what is in it has been there for long, what has been delivered was fast."""
        self.write("fill.toml",
                   'format = 1\n[topology]\nkind = "torus"\ndims = [8, 8]\n[workload]\npattern = '
                   '"uniform"\noffered_load = 0.3\n')
        for cycles, above in ((30, True), (3000, False)):
            keys = {"simulation__stop": '"cycles"', "simulation__cycles": cycles}
            latency = self.run_json("fill.toml", **keys)["latency"]
            self.assertEqual(latency["network_mean"] > latency["mean"], above)
            text = self.weft("run", "fill.toml", *settings(keys), "--progress", "never")
            self.assertEqual("of all that were in the network, not only of those delivered" in text, above)


if __name__ == "__main__":
    unittest.main()
