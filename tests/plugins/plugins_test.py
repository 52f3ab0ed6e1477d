#!/usr/bin/env python3
"""Parts that a stranger adds, each one file of this folder: they are listed, checked, run on any number of ranks, and
drawn in random configurations as those of the program are.

Environment: WEFT_BINARY is the program that they are linked into; WEFT_MPIRUN is mpirun."""

import re
import unittest
from pathlib import Path

import harness

h5py = harness.module("h5py")

HERE = Path(__file__).resolve().parent

TORUS = """
format = 1
topology.kind = "torus"
topology.dims = [4, 4]
simulation.cycles = 2000
"""


class Plugins(harness.Scratch):
    def refusal(self, config, *arguments):
        return self.run_json(config, *arguments, code=2)

    def described(self):
        return self.json_of("describe")

    def assert_one_history(self, config):
        digests = {self.run_json(config, "--set", f"parallel.protocol={protocol}", ranks=ranks)["digest"]
                   for ranks, protocol in ((1, "auto"), (2, "windowed"), (3, "null-message"))}
        self.assertEqual(len(digests), 1, digests)


class Pattern(Plugins):
    CONFIG = TORUS + 'workload.pattern = "nearby"\nstatistics.pairs = true\n'

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("nearby", [row["name"] for row in found["patterns"]])
        keys = {row["key"]: row["kinds"] for row in found["settings"] if row["kinds"] == ["nearby"]}
        self.assertEqual(set(keys), {"workload.reach", "workload.far_percent"})

    def test_its_keys_reach_it(self):
        near = self.run_json(self.CONFIG, "--set", "workload.reach=1")
        far = self.run_json(self.CONFIG, "--set", "workload.reach=1", "--set", "workload.far_percent=100")
        # nodes 1 and 15 of 16 on a 4x4 torus: one hop, or two at the ends
        self.assertLess(near["distance"]["mean"], 1.3)
        self.assertAlmostEqual(far["distance"]["mean"], 32 / 15, delta=0.1)

    def test_its_keys_are_checked(self):
        self.assertIn("0..100", self.refusal(self.CONFIG, "--set", "workload.far_percent=101"))
        self.assertIn('use pattern = "nearby"', self.refusal(TORUS, "--set", "workload.reach=3"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Scheduler(Plugins):
    CONFIG = TORUS + """router = {kind = "switch", scheduling = "aging", buffer_cells = 32, traffic_classes = 2}
packet.phits = 8
workload.offered_load = 0.9
"""

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("aging", [row["name"] for row in found["schedulers"]])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["aging"]}
        self.assertEqual(keys, {"router.aging_ticks", "router.aging_classes"})

    def test_its_keys_reach_it(self):
        apart = self.run_json(self.CONFIG, "--set", "router.aging_classes=0")["latency"]["mean"]
        alike = self.run_json(self.CONFIG, "--set", "router.aging_ticks=1", "--set",
                              "router.aging_classes=255")["latency"]["mean"]
        self.assertNotEqual(apart, alike)

    def test_its_keys_and_what_it_fits_are_checked(self):
        self.assertIn('use scheduling = "aging"', self.refusal(self.CONFIG, "--set", "router.scheduling=islip", "--set",
                                                               "router.aging_ticks=9"))
        self.assertIn('"aging"', self.refusal(self.CONFIG, "--set", "router.scheduling=ageing"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)

    def test_serves_wormhole_switches(self):
        clos = """format = 1
topology = {kind = "clos", leaf_down = 4, leaf_up = 2, leaves = 4}
simulation.cycles = 2000
router = {kind = "wormhole", virtual_channels = 1, scheduling = "aging", buffer_cells = 8}
packet.phits = 8
workload.offered_load = 0.6
"""
        self.assert_one_history(clos)


class CongestionControl(Plugins):
    CONFIG = """format = 1
topology = {kind = "crossbar", nodes = 9}
router = {kind = "switch", virtual_channels = 1, buffer_cells = 500}
packet.phits = 8
simulation.cycles = 6000
workload = {pattern = "hot-region", offered_load = 0.6}
congestion.kind = "halved-rate"
"""

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("halved-rate", [row["name"] for row in found["congestion"]])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["halved-rate"]}
        self.assertEqual(keys, {"congestion.most_waiting_cells", "congestion.calm_cycles"})

    def test_its_keys_reach_it(self):
        with_it = self.run_json(self.CONFIG)
        without = self.run_json(self.CONFIG.replace("halved-rate", "none"))
        never = self.run_json(self.CONFIG, "--set", "congestion.most_waiting_cells=1000000")
        self.assertGreater(with_it["congestion"]["marked_packets"], 0)
        self.assertEqual(never["congestion"]["marked_packets"], 0)
        self.assertLess(with_it["latency"]["network_mean"], 0.5 * without["latency"]["network_mean"])

    def test_its_keys_are_checked(self):
        self.assertIn('use kind = "halved-rate"', self.refusal(self.CONFIG, "--set", "congestion.kind=swift", "--set",
                                                           "congestion.calm_cycles=9"))
        self.assertIn('"halved-rate"', self.refusal(self.CONFIG, "--set", "congestion.kind=halved-rat"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG.replace('"crossbar", nodes = 9',
                                                    '"torus", dims = [3, 3]').replace("channels = 1", "channels = 3"))


class LengthLaw(Plugins):
    CONFIG = TORUS + """router = {kind = "switch", buffer_cells = 32}
packet.phits = 16
workload = {packet_length = "geometric", decay_percent = 50, offered_load = 0.2}
"""

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("geometric", [row["name"] for row in found["lengths"]])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["geometric"]}
        self.assertEqual(keys, {"workload.decay_percent", "workload.least_phits"})

    def test_the_offered_load_holds_with_its_mean(self):
        for keys, mean in ((["workload.decay_percent=50"], 2.0),
                           (["workload.decay_percent=100", "workload.least_phits=13"], 14.5)):
            keys = ["simulation.cycles=40000", *keys]
            found = self.run_json(self.CONFIG, *(word for key in keys for word in ("--set", key)))
            self.assertAlmostEqual(found["load"]["accepted"], 0.2, delta=0.01)
            self.assertAlmostEqual(found["load"]["accepted"] * 40000 * 16 / found["packets"]["delivered"], mean,
                                   delta=0.1 * mean)

    def test_its_keys_are_checked(self):
        self.assertIn("is more than packet.phits", self.refusal(self.CONFIG, "--set", "workload.least_phits=17"))
        self.assertIn('use packet_length = "geometric"', self.refusal(self.CONFIG.replace('"geometric"', '"fixed"')))
        self.assertIn("does not fit", self.refusal(TORUS, "--set", "workload.packet_length=geometric"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class ArrivalLaw(Plugins):
    CONFIG = TORUS + 'workload = {arrivals = "jitter", jitter_fraction = 0.3, offered_load = 0.2}\n'

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("jitter", [row["name"] for row in found["arrivals"]])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["jitter"]}
        self.assertEqual(keys, {"workload.jitter_fraction", "workload.jitter_shape"})

    def test_the_offered_load_holds(self):
        found = self.run_json(self.CONFIG, "--set", "simulation.cycles=40000")
        self.assertAlmostEqual(found["load"]["accepted"], 0.2, delta=0.005)

    def test_its_keys_are_checked(self):
        self.assertIn("is not drawn yet", self.refusal(self.CONFIG, "--set", "workload.jitter_shape=round"))
        self.assertIn('use arrivals = "jitter"', self.refusal(TORUS, "--set", "workload.jitter_fraction=0.1"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Placement(Plugins):
    CONFIG = TORUS.replace("simulation.cycles = 2000",
                           "") + """workload = {kind = "exchange", name = "ring", tasks = 8, message_bytes = 512}
placement = {policy = "stride", stride_nodes = 2}
"""

    def test_is_listed_with_its_keys(self):
        found = self.described()
        self.assertIn("stride", [row["name"] for row in found["placements"]])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["stride"]}
        self.assertEqual(keys, {"placement.stride_nodes"})

    def test_its_keys_reach_it(self):
        hops = {stride: self.run_json(self.CONFIG, "--set", f"placement.stride_nodes={stride}")["distance"]["mean"]
                for stride in (1, 2)}
        self.assertLess(hops[1], hops[2])

    def test_its_keys_are_checked(self):
        self.assertIn("leaves no second node", self.refusal(self.CONFIG, "--set", "placement.stride_nodes=16"))
        self.assertIn('use policy = "stride"', self.refusal(self.CONFIG.replace('"stride"', '"random"')))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Matching(Plugins):
    CONFIG = TORUS.replace("simulation.cycles = 2000",
                           "") + """workload = {kind = "trace", path = "app.goal", matching = "any-communicator"}
statistics.matches = "matches.csv"
link.rate_gbps = 10
"""
    # Two communicators, received in the other order.
    GRAPH = "".join(["num_ranks 2\nrank 0 {\na: send 8b to 1 tag 5 comm 1\nb: send 8b to 1 tag 5 comm 2\nb requires "
                     "a\n}\n",
                     "rank 1 {\na: recv 8b from 0 tag 5 comm 2\nb: recv 8b from 0 tag 5 comm 1\nb irequires a\n}\n"])

    def setUp(self):
        super().setUp()
        self.write("app.goal", self.GRAPH)
        self.config = self.CONFIG.replace("matches.csv", str(self.folder / "matches.csv"))

    def test_is_listed(self):
        rows = {row["name"]: row for row in self.described()["matchings"]}
        self.assertTrue(rows["any-communicator"]["in_order"] and rows["any-communicator"]["graphs"])

    def test_receives_go_by_it(self):
        for rule, sends in (("any-communicator", ["0", "1"]), ("order", ["1", "0"])):
            self.run_json(self.config.replace("any-communicator", rule))
            rows = (self.folder / "matches.csv").read_text().splitlines()[1:]
            self.assertEqual([row.split(",")[1] for row in rows], sends)

    def test_its_name_is_checked(self):
        self.assertIn("any-communicator", self.refusal(self.config.replace("any-communicator", "any-comunicator")))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.config)


class NicPolicy(Plugins):
    CONFIG = """format = 1
topology = {kind = "torus", dims = [4, 4], planes = 3}
node = {nics = 3, nic_policy = "by-length"}
workload = {kind = "collective", name = "all-to-all", message_bytes = 256}
"""

    def test_is_listed(self):
        self.assertIn("by-length", [row["name"] for row in self.described()["nic_policies"]])

    def test_messages_go_by_it(self):
        for size, used in ((256, [1, 0, 0]), (320, [0, 0.5, 0.5])):
            self.run_json(self.CONFIG, "--out", "r.h5", workload__message_bytes=size)
            with h5py.File(self.folder / "r.h5") as file:
                injected = list(file["nodes/injected_packets"])
            shares = [sum(injected[16 * plane : 16 * plane + 16]) / sum(injected) for plane in range(3)]
            for share, expected in zip(shares, used):
                self.assertAlmostEqual(share, expected, delta=0.04)  # each node sends 15 messages

    def test_its_name_is_checked(self):
        self.assertIn("by-length", self.refusal(self.CONFIG.replace("by-length", "by-lenght")))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Operation(Plugins):
    CONFIG = """format = 1
topology = {kind = "torus", dims = [4, 4]}
workload = {kind = "collective", name = "reverse-scan", message_bytes = 256}
"""

    def test_is_listed_with_its_algorithm(self):
        found = self.described()
        self.assertIn("reverse-scan", [row["name"] for row in found["operations"]])
        self.assertIn(("reverse-scan", "linear"), [(row["operation"], row["algorithm"])
                                                   for row in found["collectives"]])

    def test_each_task_waits_for_the_one_behind(self):
        one = self.run_json(self.CONFIG, "--set", "workload.tasks=2")["cycles"]
        self.assertAlmostEqual(self.run_json(self.CONFIG)["cycles"] / one, 15, delta=5)  # some of them go two hops

    def test_its_name_is_checked(self):
        self.assertIn('did you mean "reverse-scan"', self.refusal(self.CONFIG.replace("scan", "scam")))
        self.assertIn("is not one of", self.refusal(self.CONFIG, "--set", "workload.algorithm=ring"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Command(Plugins):
    def test_runs_on_any_ranks(self):
        for ranks in (1, 2):
            self.assertEqual(self.weft("count-ranks", "--plain", ranks=ranks), f"{ranks}\n")

    def test_stands_before_help_in_the_list_of_commands(self):
        lists = self.weft("--help").split("Subcommands:")[1].split()
        self.assertLess(lists.index("study"), lists.index("count-ranks"))
        self.assertLess(lists.index("count-ranks"), lists.index("completion"))

    def test_has_help_a_manual_page_and_completion(self):
        self.assertIn("the number alone", self.weft("help", "count-ranks"))
        self.assertIn("--plain", self.weft("completion", "bash"))
        self.weft("help", "--man", self.folder)
        self.assertIn("how many ranks there are", (self.folder / "weft-count-ranks.1").read_text())

    def test_is_suggested(self):
        self.weft("count-rank", code=2)
        self.assertIn("weft count-ranks", self.errors)


class Workload(Plugins):
    CONFIG = """format = 1
topology = {kind = "torus", dims = [4, 4]}
workload = {kind = "token", token_rounds = 3}
"""

    def test_is_listed_with_its_keys(self):
        found = self.described()
        rows = {row["name"]: row for row in found["workloads"]}
        self.assertEqual(rows["token"]["keys"], ["workload.tasks", "workload.token_rounds", "workload.token_bytes"])
        self.assertTrue(rows["token"]["tasks"] and rows["token"]["ends"])
        keys = {row["key"] for row in found["settings"] if row["kinds"] == ["token"]}
        self.assertEqual(keys, {"workload.token_rounds", "workload.token_bytes"})

    def test_its_keys_reach_it(self):
        found = self.run_json(self.CONFIG)
        self.assertEqual(found["messages"], {"sent": 48, "delivered": 48})
        once = self.run_json(self.CONFIG, "--set", "workload.token_rounds=1")["cycles"]
        self.assertAlmostEqual(found["cycles"], 3 * once, delta=3)
        long = self.run_json(self.CONFIG, "--set", "workload.token_bytes=640", "--set", "workload.tasks=4")
        self.assertEqual((long["messages"]["sent"], long["packets"]["delivered"]), (12, 120))

    def test_keys_of_all_tasks_are_its_own_too(self):
        slow = self.run_json(self.CONFIG, "--set", "workload.turnaround_cycles=100", "--set", "placement.policy=random")
        self.assertGreater(slow["cycles"], 47 * 100)
        self.assertEqual(self.run_json(self.CONFIG, "--set", "workload.tasks_per_node=2")["messages"]["sent"], 96)

    def test_its_keys_are_checked(self):
        self.assertIn('use workload.kind = "token"', self.refusal(TORUS, "--set", "workload.token_rounds=3"))
        self.assertIn('has no effect with workload.kind = "token"',
                      self.refusal(self.CONFIG, "--set", "workload.offered_load=0.2"))
        self.assertIn("leaves the token nobody to go to", self.refusal(self.CONFIG, "--set", "workload.tasks=1"))
        self.assertIn("1..1000000", self.refusal(self.CONFIG, "--set", "workload.token_rounds=0"))
        self.assertIn("it ends by itself", self.refusal(self.CONFIG, "--set", "simulation.stop=steady-state"))

    def test_one_history_on_any_ranks(self):
        self.assert_one_history(self.CONFIG)


class Trial(unittest.TestCase):
    def test_no_other_file_names_a_plug_in(self):
        names = set()
        for file in HERE.glob("*.cpp"):
            names.update(re.findall(r'(?:\.add\(\s*|\.operation = )"([^"]+)"', file.read_text()))
        self.assertGreaterEqual(len(names), 1)
        for folder in ("engine", "models", "workloads", "tools"):
            for file in (harness.ROOT / folder).rglob("*.?pp"):
                for name in names:
                    self.assertNotIn(f'"{name}"', file.read_text(), file)


if __name__ == "__main__":
    unittest.main()
