"""Small inputs that were refused, or accepted, without saying why."""

import unittest

from cases import Case

FLOWS = 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nlink = {rate_gbps = 100.0}\nworkload = {kind = "flows", flows_path = "one.cm"}\n'
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
        call = "".join(f"2:{task}:1:{task}:1:3000:50000002:8:50100004:{{0}}\n2:{task}:1:{task}:1:3500:50000002:0\n" for task in (1, 2))
        self.write("used.prv", PARAVER + call.format(2))
        self.weft("trace", "check", "used.prv", code=3)
        self.assertIn("a communicator with a task of unknown number (-1)", self.errors)
        self.write("other.prv", PARAVER + call.format(1))
        self.weft("trace", "check", "other.prv")

    def test_an_ideal_network_may_have_one_node(self):
        self.write("one.toml", 'format = 1\ntopology = {kind = "ideal", nodes = 1}\nworkload = {kind = "kernel", name = "mesh", message_bytes = 64, tasks = 2}\nnode = {tasks = 2}\n')
        self.assertEqual(self.run_json("one.toml")["stop_reason"], "workload-complete")


if __name__ == "__main__":
    unittest.main()
