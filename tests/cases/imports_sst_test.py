"""SST's merlin, ember and firefly through `weft import`, from JSON as `sst --output-json` writes it: the ten systems of
merlin's own tests and motifs of ember run, have the nodes and messages that they say, and take as long as SST's own
reference outputs say, within what docs/coming-from-sst.md tells.

Environment: WEFT_BINARY is the program."""

import re
import unittest

from cases import Case
from sst_json import dragonfly, grid, hyperx, of_graph, System, ten

# Of sst-elements, src/sst/elements/merlin/tests/refFiles (us), and how far from it the imported config may end.
MERLIN = {
    "torus_64": (64, 1.936, 0.06), "torus_128": (128, 6.096, 0.06), "dragon_72": (72, 3.198, 0.14),
    "dragon_128": (160, 5.400, 0.05), "fattree_128": (128, 3.668, 0.14), "fattree_256": (256, 8.078, 0.10),
}  # fmt: skip
# Of refFiles/test_EmberSweep.out: ten iterations between Init and Fini (us).
EMBER = {
    2: {"PingPong messageSize=1": 26.26, "PingPong messageSize=10000": 134.278, "PingPong messageSize=20000": 279.62,
        "AllPingPong messageSize=1": 36.26, "AllPingPong messageSize=20000": 289.62, "Ring messagesize=10000": 134.278,
        "Allreduce count=1": 26.66, "Barrier": 26.58, "Reduce count=1": 115.684},
    64: {"PingPong messageSize=1": 36.208, "PingPong messageSize=20000": 290.65, "AllPingPong messageSize=1": 52.418,
         "AllPingPong messageSize=10000": 201.672, "AllPingPong messageSize=20000": 403.668,
         "Ring messagesize=1": 830.094, "Ring messagesize=20000": 8994.35, "Allreduce count=1": 174.226,
         "Barrier": 173.75, "Reduce count=1": 134.968},
}  # fmt: skip


class Import(Case):
    def imported(self, system, name="net"):
        """The text of the config."""
        self.write(f"{name}.json", system.json())
        self.weft("import", self.folder / f"{name}.json", "--from", "sst", "--out", self.folder / f"{name}.toml")
        return (self.folder / f"{name}.toml").read_text()

    def took_us(self, result):
        return result["cycles"] * result["cycle_ns"] / 1000


class Merlin(Import):
    def test_systems_of_merlins_own_tests_take_as_long_as_there(self):
        systems = ten()
        for name, (nodes, reference, tolerance) in MERLIN.items():
            with self.subTest(name):
                self.imported(systems[name], name)
                result = self.run_json(f"{name}.toml")
                self.assertEqual(result["nodes"], nodes)
                # Each NIC sends 10 to each of its job, itself included.
                jobs = [64, 64] if name == "dragon_128" else [nodes]
                self.assertEqual(result["packets"]["delivered"], sum(10 * job * job for job in jobs))
                self.assertEqual(result["packets"]["in_flight"], 0)
                self.assertAlmostEqual(self.took_us(result), reference, delta=tolerance * reference)

    def test_most_options_mean_the_same_here(self):
        for name, system in ten().items():
            with self.subTest(name):
                text = self.imported(system, name)
                total, same, near, left = map(int, re.search(
                    r"(\d+) options: (\d+) same, (\d+) nearest, (\d+) left out", text).groups())  # fmt: skip
                self.assertEqual(total, same + near + left)
                self.assertGreaterEqual(same + near, 0.9 * total)
                self.assertNotIn("is not known here", text)

    def test_parallel_links_of_a_hyperx_carry_more_than_the_first_of_them(self):
        # merlin's DOR takes the first of parallel links: its time is that of single links.
        text = self.imported(ten()["hyperx_128"])
        self.assertIn("takes the first of parallel links alone", text)
        both = self.took_us(self.run_json("net.toml"))
        first = self.took_us(self.run_json("net.toml", "topology.widths=[1, 1]"))
        self.assertAlmostEqual(first, 5.392, delta=0.08 * 5.392)
        self.assertAlmostEqual(both, first / 2, delta=0.1 * first)

    def test_graphs_without_a_kind_become_fabrics_with_their_links(self):
        for name, nodes, routers, links in (("polarfly_455", 455, 91, 450), ("polarstar_504", 504, 168, 672)):
            with self.subTest(name):
                text = self.imported(ten()[name], name)
                self.assertIn('kind = "file"', text)
                fabric = (self.folder / f"{name}.fabric.toml").read_text()
                self.assertEqual(len(re.findall(r'\["r\d+", "r\d+"', fabric)), links)
                result = self.run_json(f"{name}.toml", f"workload.burst_packets={nodes - 1}")
                self.assertEqual((result["nodes"], result["routers"]), (nodes, routers))
                self.assertEqual(result["packets"]["delivered"], nodes * (nodes - 1))

    def test_generators_of_packets_of_the_old_names(self):
        text = self.imported(ten()["torus_5_trafficgen"])
        self.assertIn('kind = "torus"', text)
        result = self.run_json("net.toml")
        self.assertEqual((result["nodes"], result["packets"]["delivered"]), (5, 50))

    def test_jobs_are_where_their_endpoints_hang(self):
        system = grid("mesh", [4, 2], num_vns="2")
        system.test_nics(0, [6, 1, 3], num_messages="2")
        system.test_nics(1, [0, 2])
        text = self.imported(system)
        self.assertEqual(text.count("\n[[job]]"), 2)
        result = self.run_json("net.toml")
        self.assertEqual((result["nodes"], result["packets"]["delivered"]), (8, 3 * 3 * 2 + 2 * 2 * 10))

    def test_one_router_is_a_crossbar(self):
        system = System("singlerouter", {})
        system.add_router([("node", n) for n in range(6)])
        system.test_nics(0, range(6))
        self.assertIn('kind = "crossbar"', self.imported(system))
        self.assertEqual(self.run_json("net.toml")["packets"]["delivered"], 6 * 6 * 10)

    def test_offered_load(self):
        system = dragonfly(2, 4, 9, 1, "ugal")
        for node in range(72):
            system.add_endpoint(node, "merlin.offered_load", {
                "offered_load": "[0.3, 0.6]", "packet_size": "32B", "num_peers": "72",
                "pattern": "merlin.targetgen.uniform", "warmup_time": "2us", "collect_time": "10us",
                "drain_time": "50us"}, {"link_bw": "4GB/s"})  # fmt: skip
        text = self.imported(system)
        self.assertIn("of several the first", text)
        result = self.run_json("net.toml")
        self.assertAlmostEqual(result["load"]["accepted"], 0.3, delta=0.02)


class Ember(Import):
    def motif(self, system, line, ranks):
        system.ember(0, range(ranks), ["Init", line, "Fini"])
        text = self.imported(system)
        return text, self.run_json("net.toml")

    def test_motifs_take_as_long_as_in_emberload(self):
        for ranks, motifs in EMBER.items():
            for line, reference in motifs.items():
                with self.subTest(f"{line} on {ranks} ranks"):
                    system = grid("torus", [2] if ranks == 2 else [4, 4, 4], input_latency="50ns",
                                  output_latency="50ns", input_buf_size="14KB", output_buf_size="14KB")  # fmt: skip
                    system.latency = "40ns"
                    name, *arguments = line.split()
                    _, result = self.motif(system, " ".join([name, "iterations=10", *arguments]), ranks)
                    self.assertAlmostEqual(self.took_us(result), reference, delta=0.1 * reference)

    def test_sweep3d(self):
        system = grid("torus", [4, 4, 4], input_buf_size="14kB", output_buf_size="14kB")
        _, result = self.motif(system, "Sweep3D nx=30 ny=30 nz=30 computetime=140 pex=4 pey=16 pez=0 kba=10", 64)
        # 8 sweeps of 3 blocks over 3 * 16 + 15 * 4 borders, each message with its acknowledgement; and a barrier.
        self.assertEqual(result["messages"]["delivered"], 2 * 8 * 3 * (3 * 16 + 15 * 4) + 2 * 63)
        self.assertAlmostEqual(self.took_us(result), 4088, delta=0.05 * 4088)

    def test_other_motifs_run(self):
        for line, name in (("Halo3D nx=20 ny=20 nz=20 pex=4 pey=2 pez=2 iterations=3", "stencil"),
                           ("Halo2D sizex=4 sizey=4 iterations=2 messagesizex=512 messagesizey=512", "mesh"),
                           ("FFT3D nx=32 ny=32 nz=32 npRow=4", "fft"), ("Bcast iterations=2 count=100", "broadcast"),
                           ("Alltoall bytes=64", "all-to-all"), ("Allgather count=4", "allgather"),
                           ("Incast messageSize=4096 iterations=2", "incast")):  # fmt: skip
            with self.subTest(line):
                text, result = self.motif(grid("torus", [4, 4]), line, 16)
                self.assertIn(f'name = "{name}"', text)
                self.assertGreater(result["messages"]["delivered"], 0)
                self.assertEqual(result["packets"]["in_flight"], 0)

    def test_delays_in_ranges_are_those_of_the_size(self):
        for size, overhead in ((64, 1100), (300, 1850), (5000, 2100)):
            with self.subTest(size):
                system = grid("torus", [4])
                system.ember(0, range(4), [f"Ring messagesize={size}"])
                system.sets["ctrl_0"] |= {"shortMsgLength": "12000", "matchDelay_ns": "0",
                                          "txSetupModParams.range.0": "0-127:1100ns",
                                          "txSetupModParams.range.1": "128-511:1850ns",
                                          "txSetupModParams.range.2": "512-:2100ns",
                                          "rxSetupModParams.range.0": "0-:0ns", "txMemcpyMod": "firefly.ScaleLatMod",
                                          "txMemcpyModParams.range.0": "0-50000:450ps-80ps"}  # fmt: skip
                text = self.imported(system)
                # Half of what is at either side: 60 ns of calls and 150 of the way to the NIC, 50 and 100 within it.
                self.assertIn(f"overhead_ns = {(overhead + 2 * 60 + 2 * 150 + 50 + 100) / 2}", text)
                self.assertIn("byte_overhead_ns = 0.225", text)


if __name__ == "__main__":
    unittest.main()
