"""Congestion control delays, it never loses: what bursts and tasks generate does not depend on it, in every machine.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import json
import unittest
from concurrent.futures import ThreadPoolExecutor

import harness



def keys(table, **values):
    return {f"{table}.{name}": value for name, value in values.items()}


def network(kind, router="auto", **shape):
    return keys("topology", kind=kind, **shape) | keys("router", kind=router)


NETWORKS = {
    "bubble": network("torus", dims=[4, 4]),
    "smart": network("torus", dims=[4, 4]) | keys("router", routing="smart", virtual_channels=3),
    "dally": network("torus", "dally", dims=[4, 4]) | keys("router", virtual_channels=3),
    "multistage": network("tree", arity=4, levels=2),
    "full mesh": network("full-mesh", nodes=16) | keys("router", virtual_channels=2),
    "dragonfly": network("dragonfly", nodes_per_router=2, routers_per_group=2, global_links=1) | keys("router", virtual_channels=3),
    "table": network("hyperx", "forwarding-table", dims=[3, 3], nodes_per_router=2) | keys("router", virtual_channels=4),
    "switch": network("clos", "switch", leaf_down=4, leaf_up=3, leaves=4),
    "fifo": network("torus", "switch", dims=[4, 4]) | keys("router", queues="fifo", virtual_channels=3),
    "extoll": network("torus", "extoll", dims=[4, 4]),
    "infiniband": network("tree", "infiniband", arity=4, levels=2),
    "wormhole": network("tree", "wormhole", arity=4, levels=2) | keys("router", virtual_channels=1, buffer_cells=12),
    "myrinet": network("torus", "myrinet", dims=[4, 4]),
    "spinnaker": network("spinnaker", "spinnaker", dims=[4, 4]) | keys("router", virtual_channels=1, emergency_routing=False,
                                                                       wait_cycles=100_000),
}
NODES = {"dragonfly": 12, "table": 18}  # others have 16
CELLS = {"switch", "fifo", "extoll", "infiniband"}

# Thresholds below what networks hold, periods shorter and longer than a packet, one that all is over within.
GLOBAL = [keys("congestion", kind="gcc", gcc_packets=packets, gcc_period_cycles=period)
          for packets, period in ((1, 1), (5, 100), (50, 100), (3, 5000))]
RESTRICTIONS = [keys("router", ipr_fraction=1.0), keys("router", lbr_packets=1), keys("router", ipr_fraction=0.5, lbr_packets=1)]
WINDOWS = [keys("congestion", kind="windows", window_cells=66)]
MARKS = [keys("congestion", kind="dcqcn", min_cells=8, max_cells=24, rate_least=0.05),
         keys("congestion", kind="infiniband", min_cells=8)]
DELAYS = [keys("congestion", kind="swift", target_cycles=60, hop_cycles=5),
          keys("congestion", kind="swift", target_cycles=20, max_decrease=0.9, window_cells=66)]


def controls(name):
    """Those that a network knows."""
    found = list(GLOBAL)
    if name in ("bubble", "smart"):
        found += [*RESTRICTIONS, GLOBAL[1] | RESTRICTIONS[2]]
    if name in CELLS:
        found += WINDOWS + MARKS + DELAYS + [GLOBAL[1] | WINDOWS[0] | MARKS[0]]
    return found


BURSTS = keys("workload", kind="burst", burst_packets=40)
WORKLOADS = {
    "burst": BURSTS,
    "bursts": BURSTS | keys("workload", burst_packets=6, bursts=4),
    "wavefront": keys("workload", kind="kernel", name="W2", tasks=9, message_bytes=64),
    "all-to-all": keys("workload", kind="exchange", name="all-to-all", tasks=12, message_bytes=100),
}


class Counting(harness.Scratch):
    def setUp(self):
        super().setUp()
        self.config = self.write("config.toml", "format = 1\n")

    def simulate(self, keys):
        return self.finish(self.start([harness.weft(), "run", self.config, "--progress", "never", "--json", "-", *harness.settings(keys)]))

    def counts(self, settings):
        """Packets and messages; what went wrong, if something did."""
        code, out, err = self.simulate(settings)
        if code != 0:
            return f"exit code {code}: {err.splitlines()[0]}"
        summary = json.loads(out)
        packets = summary["packets"]
        if packets["delivered"] + packets["dropped"] != packets["generated"]:
            return str(packets)
        return packets["generated"], summary["messages"]

    def check(self, workload, networks=tuple(NETWORKS)):
        """Counts of each network without control, when those with all controls are the same."""
        cases = [(name, control) for name in networks for control in [{}, *controls(name)]]
        with ThreadPoolExecutor(2) as pool:
            counts = list(pool.map(lambda case: self.counts(NETWORKS[case[0]] | WORKLOADS[workload] | case[1]), cases))
        free = {name: counted for (name, control), counted in zip(cases, counts) if not control}
        wrong = [f"{name} {control}: {counted}, without control {free[name]}" for (name, control), counted in zip(cases, counts)
                 if counted != free[name] or isinstance(counted, str)]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))
        return free


class Bursts(Counting):
    def test_a_burst_is_generated_whole_under_every_control(self):
        for name, (generated, _) in self.check("burst").items():
            self.assertGreater(generated, 0.9 * 40 * NODES.get(name, 16), name)  # but what nodes would send to themselves

    def test_so_are_several_in_a_row(self):
        self.check("bursts")


class Tasks(Counting):
    def test_a_wavefront_sends_all_its_messages_under_every_control(self):
        self.check("wavefront")

    def test_so_does_an_exchange_of_all_with_all(self):
        self.check("all-to-all", ("bubble", "switch", "wormhole"))


if __name__ == "__main__":
    unittest.main()
