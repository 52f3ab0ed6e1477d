"""A key of [router] either changes the history of a busy network, or is refused, or a warning names it: drawn over
routings, virtual channels, injection and the other keys. Networks in which packets never wait between routers are left
out, as their switches make no use of buffers and iterations."""

import json
import random
import unittest

from cases import WEFT, Case, harness

CASES = 4000 if harness.ALL_CASES else 60

# Networks with their routers: topology keys, router kinds, and modes of those.
NETWORKS = [
    ({"kind": "torus", "dims": [4, 4]}, {"bubble": ["shortest", "smart", "random", "oblivious"],
                                         "dally": ["basic", "improved", "trc", "adaptive"],
                                        "switch": ["dally:basic", "dally:adaptive", "forwarding-table"],
                                         "forwarding-table": ["auto"]}),
    ({"kind": "mesh", "dims": [4, 4]}, {"bubble": ["smart"], "dally": ["basic", "improved"],
                                        "switch": ["dally:basic", "dally:improved"]}),
    ({"kind": "hyperx", "dims": [3, 3], "nodes_per_router": 2},
     {"hyperx": ["minimal", "min-adaptive", "valiant"], "switch": [f"hyperx:{mode}"
                                                                   for mode in ("minimal", "min-adaptive", "valiant",
                                                                                "ugal-l", "dal")]}),
    ({"kind": "dragonfly", "nodes_per_router": 2, "routers_per_group": 4, "global_links": 2},
     {"dragonfly": ["minimal", "valiant"], "switch": [f"dragonfly:{mode}"
                                                      for mode in ("minimal", "valiant", "ugal-l", "par")]}),
    ({"kind": "thin-tree", "down": 4, "up": 2, "levels": 2},
     {"multistage": ["adaptive", "static"], "switch": ["multistage:adaptive", "multistage:static"]}),
    ({"kind": "full-mesh", "nodes": 8}, {"full-mesh": ["minimal", "valiant"], "switch": ["full-mesh:valiant"]}),
]

# Values that a busy network cannot but notice.
KEYS = {
    "router.virtual_channels": [5, 7],
    "router.queue_packets": [2],
    "router.arbitration": ["age", "longest", "round-robin"],
    "router.switch_latency_cycles": [3],
    "router.injection_queues": [3],
    "router.injection": ["dor", "longest-path", "shortest-profitable"],
    "router.injection_queue_packets": [1],
    "router.consumption": ["multiple"],
    "router.ipr_fraction": [1.0],
    "router.lbr_packets": [3],
    "router.ties": ["up", "inside"],
    "router.bubble_packets": [3],
    "router.buffer_cells": [16],
    "router.queues": ["fifo"],
    "router.scheduling": ["age", "random", "longest-queue"],
    "router.iterations": [3],
    "router.switching": ["store-and-forward"],
    "router.routing_cycles": [4],
    "router.ugal_bias_cells": [1000],
    "router.ugal_threshold_cells": [1000],
    "router.local_misrouting": [True],
    "router.notice_cells": [16],
    "router.route_per": ["flow"],
    "router.credit_ties": ["first-counts-twice"],
    "link.latency_cycles": [3],
    "link.node.latency_cycles": [4],
}


class SettingsWithoutEffect(Case):
    def digest(self, topology, router, more):
        """Of a run under load, with the warnings, or the message that refuses it."""
        keys = {f"topology.{key}": value for key, value in topology.items()} | router | {
            "packet.phits": 8, "workload.offered_load": 1.0, "workload.pattern": "uniform", "simulation.stop": "cycles",
            "simulation.cycles": 500} | more
        tables = {}
        for key, value in keys.items():
            table, name = key.split(".", 1)
            tables.setdefault(table, []).append(f"{name} = {toml(value)}")
        self.write("case.toml", "format = 1\n" + "".join(f"[{table}]\n" + "\n".join(rows) + "\n" for table,
                                                         rows in tables.items()))
        code, out, errors = self.finish(self.start([WEFT, "run", "case.toml", "--progress", "never", "--json", "-"]))
        if code == 2:
            return None, errors
        self.assertEqual(code, 0, errors)
        result = json.loads(out)
        return result["digest"], " ".join(result["warnings"])

    def test_every_key_changes_something_or_is_named(self):
        draw = random.Random(20261127)
        known, silent = {}, []
        for _ in range(CASES):
            topology, kinds = draw.choice(NETWORKS)
            kind = draw.choice(sorted(kinds))
            routing = draw.choice(kinds[kind])
            router = {"router.kind": kind, "router.routing": routing, "router.virtual_channels": 4}
            queues = kind in ("bubble", "dally") and draw.random() < 0.5
            if kind == "switch":
                router["router.buffer_cells"] = 8
            if queues:
                router["router.injection_queues"] = 4
            key = draw.choice(sorted(KEYS))
            if queues and key == "router.injection_queue_packets":
                continue  # four queues of a node do not fill
            value = draw.choice(KEYS[key])
            base = (str(topology), kind, routing, queues)
            if base not in known:
                known[base] = self.digest(topology, router, {})
            before, said = known[base]
            self.assertIsNotNone(before, f"{base}: {said}")
            after, said = self.digest(topology, router, {key: value})
            if after == before and key not in said:
                silent.append(f"{base}: {key} = {value} changes nothing and nothing is said ({said})")
            if after is None and key.split(".", 1)[1] not in said:
                silent.append(f"{base}: {key} = {value} is refused for something else: {said}")
        self.assertEqual(silent, [], "\n".join(silent))

    def test_rules_of_channels_change_something_or_are_refused(self):
        modes = {"bubble": ["shortest", "smart", "random", "oblivious"],
                 "dally": ["basic", "improved", "trc", "adaptive"], "switch": ["dally:basic", "dally:trc"]}  # fmt: skip
        for shape in ({"kind": "torus", "dims": [9, 6]}, {"kind": "mesh", "dims": [4, 4]}):
            for kind, routings in modes.items():
                for routing in routings:
                    for channels in (1, 3) if routing == "oblivious" else (3,):
                        router = {"router.kind": kind, "router.routing": routing, "router.virtual_channels": channels}
                        if kind == "switch":
                            router["router.buffer_cells"] = 8
                        before, said = self.digest(shape, router, {})
                        self.assertIsNotNone(before, said)
                        after, said = self.digest(shape, router, {"router.channel_rule": "paper"})
                        case = f"{shape} {kind} {routing} {channels}: {said}"
                        if after is None:
                            self.assertIn("router.channel_rule", said, case)
                        else:
                            self.assertNotEqual(after, before, case)


def toml(value):
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    unittest.main()
