"""Runs of workloads of accelerators on an ideal network of 16 nodes, for closed forms.

Environment: WEFT_BINARY is the program."""

import json

import harness

WEFT = harness.weft()
LATENCY_NS, BYTE_NS = 1000, 0.02
IDEAL = f'format = 1\ntopology = {{kind = "ideal", nodes = 16}}\nideal = {{latency_ns = {LATENCY_NS}, byte_gap_ns = {BYTE_NS}}}\n'


def flight_ns(data):
    """Of a message, by LogGOPS."""
    return LATENCY_NS + int((data - 1) * BYTE_NS)


def activity(found, name):
    return next(row for row in found["activities"] if row["name"] == name)


class OnTheIdealNetwork(harness.Scratch):
    def summary(self, workload, *settings):
        self.write("config.toml", IDEAL + workload)
        options = [word for setting in settings for word in ("--set", setting)]
        code, out, err = self.finish(self.start([WEFT, "run", "config.toml", "--json", "-", "--progress", "never", *options]))
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def same_as_its_graph(self, workload):
        """What lanes do takes as long as the graph of it."""
        lanes = self.summary(workload)
        code, _, err = self.finish(self.start([WEFT, "trace", "generate", "--config", "config.toml", "--out", "program.goal"]))
        self.assertEqual(code, 0, err)
        graph = self.summary('workload = {kind = "trace", path = "program.goal"}\n')
        self.assertEqual(graph["tasks"]["finish_ns_max"], lanes["tasks"]["finish_ns_max"], workload)
        self.assertEqual(graph["messages"], lanes["messages"])
