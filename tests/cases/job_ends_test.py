"""When jobs end, and what is counted of each: all it sent is delivered or dropped, however many others share the network."""

import unittest

from cases import Case

SPINNAKER = """
format = 1
topology = {kind = "spinnaker", dims = [6, 6]}
router = {kind = "spinnaker", virtual_channels = 1}
simulation = {launch_cycles = 100}
[[job]]
name = "first"
nodes = 12
workload = {kind = "burst", burst_packets = 40, pattern = "hot-spot", hot_spot_fraction = 1.0}
[[job]]
name = "next"
nodes = 4
after = "first"
workload = {kind = "burst", burst_packets = 2}
[[job]]
name = "beside"
nodes = 12
repeat = "until-others-end"
workload = {kind = "burst", burst_packets = 5}
"""


class Ends(Case):
    case = "14-job-burst-lost"

    def run_jobs(self, config, ranks=1, **keys):
        """The summary and its rows by name, which add up."""
        summary = self.run_json(config, ranks=ranks, **keys)
        rows = {row["name"]: row for row in summary["jobs"]}
        for count in ("generated", "delivered", "dropped"):
            self.assertEqual(sum(row["packets"][count] for row in rows.values()), summary["packets"][count], count)
        self.assertEqual(sum(row["messages_sent"] for row in rows.values()), summary["messages"]["sent"])
        self.assertEqual(sum(row["messages"] for row in rows.values()), summary["messages"]["delivered"])
        for row in rows.values():
            if row["finish_cycle"] is not None:
                packets = row["packets"]
                self.assertEqual(packets["generated"], packets["delivered"] + packets["dropped"], row)
                if packets["dropped"] == 0:
                    self.assertEqual(row["messages_sent"], row["messages"], row)
        return summary, rows

    def test_a_burst_takes_as_long_beside_background_that_it_shares_nothing_with(self):
        _, alone = self.run_jobs("j2.toml")
        for config in ("j.toml", "j3.toml"):
            summary, beside = self.run_jobs(config)
            self.assertEqual(beside["b"]["finish_cycle"], alone["b"]["finish_cycle"], config)
            self.assertEqual(beside["b"]["packets"], {"generated": 40, "delivered": 40, "dropped": 0})
            self.assertGreaterEqual(summary["cycles"], beside["b"]["finish_cycle"])

    def test_messages_that_nobody_receives_and_flows_are_delivered_before_the_run_ends(self):
        self.run_jobs("ex.toml")
        self.run_jobs("j4.toml")
        _, rows = self.run_jobs("fl.toml")
        self.assertEqual((rows["b"]["messages_sent"], rows["b"]["messages"]), (20, 20))
        summary, rows = self.run_jobs("torus.toml")
        self.assertEqual((rows["f"]["messages_sent"], rows["f"]["messages"], summary["flows"][0]["flows"]), (40, 40, 40))

    def test_who_follows_a_job_of_sources_begins_when_its_last_packet_is_delivered(self):
        text = (self.folder / "j3.toml").read_text(encoding="utf-8").replace("nodes = 6", "nodes = 8")
        self.write("chain.toml", text + '[[job]]\nname = "d"\nnodes = 2\nafter = "b"\nworkload = {kind = "burst", burst_packets = 1}\n')
        _, rows = self.run_jobs("chain.toml")
        self.assertGreaterEqual(rows["d"]["start_cycle"], rows["b"]["finish_cycle"])
        self.assertLessEqual(rows["d"]["start_cycle"], rows["b"]["finish_cycle"] + 1000)

    def test_dropped_packets_are_counted_for_their_job_and_do_not_keep_it_from_ending(self):
        self.write("drops.toml", SPINNAKER)
        summary, rows = self.run_jobs("drops.toml")
        self.assertGreater(rows["first"]["packets"]["dropped"], 0)
        self.assertIsNotNone(rows["next"]["finish_cycle"])
        self.assertEqual(self.run_jobs("drops.toml", ranks=2)[0]["digest"], summary["digest"])

    def test_the_end_of_a_job_is_the_same_on_any_number_of_ranks(self):
        for config, keys in (("j4.toml", {}), ("torus.toml", {"job__f__workload__flows": 5})):  # each cycle of the torus is a window
            one, rows = self.run_jobs(config, **keys)
            for ranks in (2, 3):
                other, more = self.run_jobs(config, ranks=ranks, **keys)
                self.assertEqual((other["digest"], more), (one["digest"], rows), config)


if __name__ == "__main__":
    unittest.main()
