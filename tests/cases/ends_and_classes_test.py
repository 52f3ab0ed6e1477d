"""What is counted over a whole run is counted to its end, and in some row for every packet."""

import unittest

import h5py
from cases import Case


class LastPackets(Case):
    """What happens in the tick in which a run ends is in its last row."""

    def test_rows_have_every_packet(self):
        network = 'format = 1\ntopology = {kind = "dragonfly", global_links = 1, nodes_per_router = 3, routers_per_group = 3}\n'
        self.write("last.toml", network + 'workload = {kind = "burst", burst_packets = 5}\nstatistics.series_cycles = 1\n')
        for settings in ({}, {"simulation__cycles": 200}, {"statistics__series_cycles": 7}):
            found = self.run_json("last.toml", **settings)
            rows = found["statistics"]["series"]
            with self.subTest(settings):
                self.assertEqual(sum(row["delivered_packets"] for row in rows), found["packets"]["delivered"])
                self.assertEqual(rows[-1]["end"], found["cycles"])
                accepted = sum(row["accepted_load"] * (row["end"] - row["begin"]) for row in rows) / found["cycles"]
                self.assertAlmostEqual(accepted, found["load"]["accepted"], delta=1e-9 * accepted)


class SeriesAndOccupancy(Case):
    case = "09-series-end"

    def check(self, summary, period):
        rows, cycles = summary["statistics"]["series"], summary["cycles"]
        self.assertEqual([row["begin"] for row in rows], list(range(0, cycles, period)))
        self.assertEqual([row["end"] for row in rows], [row["begin"] for row in rows[1:]] + [cycles])
        accepted = sum(row["accepted_load"] * (row["end"] - row["begin"]) for row in rows) / cycles
        self.assertAlmostEqual(accepted, summary["load"]["accepted"], delta=1e-12)
        self.assertEqual(sum(row["delivered_packets"] for row in rows), summary["packets"]["delivered"])
        self.assertEqual(rows[-1]["network_packets"], summary["packets"]["in_flight"])

    def test_rows_go_to_the_end_of_a_run_of_a_stated_length(self):
        summary = self.run_json("c.toml")
        self.assertEqual(len(summary["statistics"]["series"]), 100)
        self.check(summary, 10)

    def test_rows_end_with_a_run_that_ends_with_its_workload(self):
        for name, periods in (("barrier", (3, 10, 64, 5000)), ("all-to-all", (64, 5000))):
            for period in periods:
                with self.subTest(name=name, period=period):
                    summary = self.weft_json(name, period)
                    self.check(summary, period)

    def weft_json(self, name, period):
        config = self.write("end.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n'
                            f'workload = {{kind = "collective", name = "{name}"}}\nstatistics = {{series_cycles = {period}}}\n')  # fmt: skip
        return self.run_json(config)

    def test_queues_are_looked_into_until_the_end(self):
        """Of n samples all queues of the network are in the histogram n times, those of a silent end in its row 0."""
        for period in (7, 10):
            seen = {}
            for cycles in (200, 1000):
                self.weft("run", "c.toml", "--set", f"statistics.occupancy_cycles={period}", "--set", f"simulation.cycles={cycles}",
                          "--out", "r.h5", "--quiet")  # fmt: skip
                with h5py.File(self.folder / "r.h5") as file:
                    self.assertEqual(file["occupancy/samples"][()], cycles // period)
                    transit = file["occupancy/transit_queues"][:]
                    seen[cycles] = (int(transit.sum()), int(transit[1:].sum()))
            self.assertEqual(seen[1000][0] * (200 // period), seen[200][0] * (1000 // period))
            self.assertEqual(seen[1000][1], seen[200][1])

    def test_samples_end_with_the_run(self):
        summary = self.run_json(self.write("end.toml", 'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\n'
                                'workload = {kind = "collective", name = "barrier"}\nstatistics = {occupancy_cycles = 1}\n'), "--out", "r.h5")  # fmt: skip
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual(file["occupancy/samples"][()], summary["cycles"])


class TrafficClasses(Case):
    case = "10-classes-in-network"

    def check(self, summary, classes):
        rows = summary["traffic_classes"]
        self.assertEqual([row["traffic_class"] for row in rows], list(range(classes)))
        for column in ("generated", "injected", "delivered"):
            self.assertEqual(sum(row[f"{column}_packets"] for row in rows), summary["packets"][column], column)
        self.assertAlmostEqual(sum(row["accepted_load"] for row in rows), summary["load"]["accepted"], delta=1e-12)
        latency = sum(row["latency_mean"] * row["delivered_packets"] for row in rows) / summary["packets"]["delivered"]
        self.assertAlmostEqual(latency, summary["latency"]["mean"], delta=1e-6)

    def test_in_network_reduction_has_a_row_of_its_own(self):
        summary = self.run_json("c.toml", "--out", "r.h5")
        self.check(summary, 3)
        self.assertEqual([row["generated_packets"] for row in summary["traffic_classes"][:2]], [0, 0])
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual(file["traffic_classes/delivered_packets"][:].tolist(), [0, 0, summary["packets"]["delivered"]])
        self.assertIn("class 2", self.weft("run", "c.toml", "--progress", "never"))
        tree = 'topology = {kind = "tree", arity = 4, levels = 2}'
        config = self.write("tree.toml", (self.folder / "c.toml").read_text().replace('topology = {kind = "crossbar", nodes = 8}', tree))
        one, two = (self.run_json(config, ranks=ranks) for ranks in (1, 2))
        self.check(one, 3)
        self.assertEqual(one["traffic_classes"], two["traffic_classes"])

    def test_beside_other_traffic_and_with_as_many_classes_as_there_can_be(self):
        config = self.write("j.toml", 'format = 1\ntopology = {kind = "crossbar", nodes = 8}\nrouter = {kind = "switch", traffic_classes = 8}\n'
                            '[[job]]\nname = "a"\nworkload = {kind = "nccl", name = "allreduce", algorithm = "in-network", tasks = 4, '
                            'message_bytes = 10000, chunk_bytes = 1000}\n[[job]]\nname = "b"\ntraffic_class = 3\nworkload = '
                            '{kind = "collective", name = "all-to-all", tasks = 4, message_bytes = 500}\n')  # fmt: skip
        summary = self.run_json(config)
        self.check(summary, 9)
        self.assertGreater(summary["traffic_classes"][3]["generated_packets"], 0)
        self.assertGreater(summary["traffic_classes"][8]["generated_packets"], 0)

    def test_without_it_there_are_the_classes_of_the_config(self):
        config = self.write("b.toml", 'format = 1\ntopology = {kind = "crossbar", nodes = 8}\nrouter = {kind = "switch", traffic_classes = 2}\n'
                            'workload = {kind = "burst", burst_packets = 10}\n')  # fmt: skip
        self.check(self.run_json(config), 2)


if __name__ == "__main__":
    unittest.main()
