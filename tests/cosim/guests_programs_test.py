"""MPI programs in virtual machines, by their own clock: a ping-pong follows latency and bandwidth of the network, an
allreduce the distances of its topology, and a solver takes the time of exact slices but for what longer ones add
(Ridruejo, Miguel-Alonso and Navaridas 2009: TARGETS.md, T8).

    tests/by-hand tests/cosim/guests_programs_test.py [CLASS]"""

import re
import shutil
import subprocess
import time
import unittest

import guests_test
import harness

THERE = guests_test.THERE and shutil.which("mpicc.mpich")


@unittest.skipUnless(THERE, "QEMU or the guests' kernel is not there, or mpicc.mpich")
class Programs(guests_test.Guests):
    def compiled(self, name):
        program = self.folder / name
        source = harness.ROOT / "examples" / "cosim" / f"{name}.c"
        subprocess.run(["mpicc.mpich", "-O2", "-w", "-o", str(program), str(source)], check=True)
        return program

    def run_mpi(self, guests, network, program, *words, **cosim):
        """(result, what the program wrote)"""
        command = f"mpiexec -n {guests} {program.name} {' '.join(words)}"
        config = self.prepare(command, network, programs=str(program), **{"memory_mib": 192, **cosim})
        begin = time.monotonic()
        result = self.cosim(config, seconds=1500)
        self.assertEqual(result["cosim"]["endpoints"][0]["said"], "status 0", self.console())
        result["wall_s"] = time.monotonic() - begin
        return result, self.console()


class Law(Programs):
    def test_a_ping_pong_follows_latency_and_bandwidth(self):
        """On a network of 100 Mbit/s, slower than the guests' TCP, whose frames are 70 bytes longer than what they
        carry."""
        bytes_ns, one_way_us = 80, 15
        network = f"""topology = {{kind = "ideal", nodes = 2}}
ideal = {{latency_ns = 5000, byte_gap_ns = {bytes_ns}}}
"""
        result, said = self.run_mpi(2, network, self.compiled("pingpong"), nic_latency_ns=5000)
        self.assertEqual(result["cosim"]["late"]["messages"], 0)
        times = {int(size): float(us) for size, us in re.findall(r"(\d+) bytes +([0-9.]+) us", said)}
        self.assertEqual(sorted(times), [4**k for k in range(11)])

        def on_the_wire(size):
            frames = -(-size // 1448)
            return size + 70 * frames

        guests_own_us = times[1] - one_way_us - on_the_wire(1) * bytes_ns / 1000
        self.assertLess(guests_own_us, 30)
        print(f"guests' own {guests_own_us:.1f} us; {result['wall_s']:.0f} s")
        for size, us in sorted(times.items()):
            law = one_way_us + guests_own_us + on_the_wire(size) * bytes_ns / 1000
            print(f"{size:8} bytes {us:10.1f} us, law {law:10.1f} us, {100 * (us / law - 1):+.1f} %")
            self.assertAlmostEqual(us / law, 1, delta=0.05, msg=size)


class Networks(Programs):
    HOP_CYCLES = 20_000  # of 1 ns

    def allreduce_us(self, topology):
        network = f"""topology = {topology}
router = {{kind = "switch"}}
link = {{rate_gbps = 64, latency_cycles = {self.HOP_CYCLES}}}
packet = {{phits = 64, phit_bytes = 8}}
"""
        result, said = self.run_mpi(4, network, self.program, "0", nic_latency_ns=5000)
        self.assertEqual(result["cosim"]["late"]["messages"], 0)
        print(f"{topology}: {re.search(r'allreduce.*', said)[0]}; {result['wall_s']:.0f} s")
        return float(re.search(r"allreduce of 4 ranks ([0-9.]+) us", said)[1])

    def test_an_allreduce_differs_as_the_network_says(self):
        """Recursive doubling: an exchange with task ^ 1, then one with task ^ 2. On a ring of four tasks these are one
        and two hops away, on a torus of 2 x 2 one and one."""
        self.program = self.compiled("pingpong")
        ring = self.allreduce_us('{kind = "torus", dims = [4]}')
        torus = self.allreduce_us('{kind = "torus", dims = [2, 2]}')
        crossbar = self.allreduce_us('{kind = "crossbar", nodes = 4}')
        # What a guest has to do meanwhile hides some of it.
        hop_us = self.HOP_CYCLES / 1000
        self.assertAlmostEqual(ring - torus, hop_us, delta=0.3 * hop_us)
        self.assertLess(crossbar, torus - hop_us)


class Slices(Programs):
    """T8: slices of 100000:2000, 10000:200 and 1000:20 instructions to cycles, 50 instructions of 1 ns in a cycle of 50
    ns."""

    STEPS = 10
    NETWORK = """topology = {kind = "torus", dims = [8]}
router = {kind = "switch"}
link = {rate_gbps = 0.64}
packet = {phits = 16, phit_bytes = 4}
"""

    def solve(self, program, slice_ns, nic_latency_ns):
        """(microseconds by MPI's clock, result)"""
        result, said = self.run_mpi(8, self.NETWORK, program, "128", str(self.STEPS), "time",
                                    nic_latency_ns=nic_latency_ns, slice_ns=slice_ns)
        took = float(re.search(r"steps in ([0-9.]+) us", said)[1])
        late = result["cosim"]["late"]
        print(f"slices of {slice_ns} ns, NICs of {nic_latency_ns} ns: {took:.1f} us; {result['cosim']['slices']} "
              f"slices, {late['messages']} of "
              f"{result['cosim']['messages']} messages late, by {late['mean_ns']:.0f} ns, at most {late['max_ns']} of "
              f"{late['bound_ns']}; "
              f"{result['wall_s']:.0f} s", flush=True)  # fmt: skip
        self.assertLessEqual(late["max_ns"], late["bound_ns"])
        return took, result

    def test_what_slices_that_are_too_long_add(self):
        program = self.compiled("solver")
        short, exact = self.solve(program, 1_000, 5_000)
        middle, also_exact = self.solve(program, 10_000, 5_000)
        self.assertEqual((short, exact["cosim"]["payload_digest"]), (middle, also_exact["cosim"]["payload_digest"]))
        longest, inexact = self.solve(program, 100_000, 5_000)
        # Each message is late by no more than the bound: those to the neighbours, and three rounds of each of two sums
        # in a step (one before).
        one_after_the_other = self.STEPS * (1 + 2 * 3) + 3
        self.assertGreater(longest, middle)
        self.assertLess(longest - middle, one_after_the_other * inexact["cosim"]["late"]["bound_ns"] / 1000)


if __name__ == "__main__":
    unittest.main()
