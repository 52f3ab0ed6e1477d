"""Debian's hpcc, as it is, on a simulated torus: its residuals are those of a run by itself, two runs have one history,
and what it measures of the network is what the network is.

    tests/by-hand tests/cosim/processes_hpcc_test.py"""

import json
import shutil
import unittest

import harness
import hpcc

WEFT = harness.weft()
TASKS = 4
GBPS = 100
MACHINE = f"""format = 1
topology = {{kind = "torus", dims = [2, 2]}}
link = {{rate_gbps = {GBPS}}}
packet = {{phits = 16, phit_bytes = 256}}
workload = {{tasks = {TASKS}}}
cosim = {{endpoints = "processes", program = "hpcc", program_output = "output", patience_s = 300}}
"""
# Of what does not depend on which processes hpcc draws by the time of day.
SAME = ("HPL_N", "HPL_Anorm1", "HPL_AnormI", "HPL_Xnorm1", "HPL_XnormI", "HPL_BnormI", "HPL_RnormI", "PTRANS_residual",
        "MPIRandomAccess_N", "MPIFFT_N")


class Hpcc(harness.Scratch):
    def hpcc(self, *command):
        """The output of a command, and the figures of hpcc."""
        (self.folder / "hpccoutf.txt").unlink(missing_ok=True)
        code, out, err = self.finish(self.start(command), seconds=600)
        self.assertEqual(code, 0, err)
        return out, hpcc.summary(self.folder)

    def test_on_a_torus(self):
        if not shutil.which("hpcc") or not shutil.which("mpirun.openmpi"):
            self.skipTest("hpcc is not installed: apt-get install hpcc")
        hpcc.write_input(self.folder, 2)
        config = self.write("machine.toml", MACHINE)
        (first, figures), (second, again) = (self.hpcc(WEFT, "cosim", config, "--json", "-", "--quiet")
                                             for _ in range(2))
        _, native = self.hpcc("mpirun.openmpi", "--bind-to", "none", "-n", TASKS, "hpcc")
        results = [{key: json.loads(text)[key] for key in ("digest", "cycles", "packets", "messages", "latency",
                                                           "tasks")} for text in (first, second)]
        self.assertEqual(results[0], results[1])
        self.assertEqual({key: figures[key] for key in SAME}, {key: native[key] for key in SAME})
        # Simulated times are those of both runs; processor time is this machine's.
        self.assertEqual(figures, again)
        print(f"{results[0]['messages']['delivered']:,} messages, {results[0]['digest']}")
        for key in ("MaxPingPongLatency_usec", "MaxPingPongBandwidth_GBytes", "RandomlyOrderedRingBandwidth_GBytes"):
            print(f"{key} {figures[key]}, by itself {native[key]}")
        self.assertTrue(0.95 < float(figures["MaxPingPongBandwidth_GBytes"]) / (GBPS / 8) < 1.0)


if __name__ == "__main__":
    unittest.main()
