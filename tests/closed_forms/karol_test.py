"""Throughput of one saturated switch with FIFOs at its inputs: M. Karol, M. Hluchyj, S. Morgan, IEEE Transactions on
Communications 35(12), 1987.

The paper's inputs send to all outputs, weft's nodes to all but themselves. So the paper's exact figures for few ports
check the Markov chain below, and the chain without the own output checks the program; for many ports both are the same.

Environment: WEFT_BINARY is the program."""

import unittest
from itertools import product

import harness

PUBLISHED = {2: 0.75, 3: 0.6825, 4: 0.6553}
MANY_PORTS = 2 - 2**0.5


def chain(ports, own):
    """Served cells of an output and slot, in the long run. A state is the output of each input's first cell; one of
    those that want an output is served, at random, and the next behind it draws its output, the own one only if
    `own`."""
    wanted = [[d for d in range(ports) if own or d != i] for i in range(ports)]
    states = list(product(*wanted))
    number = {state: ix for ix, state in enumerate(states)}
    moves = []
    for state in states:
        row = {}
        for served in product(*([i for i in range(ports) if state[i] == out] for out in set(state))):
            outcomes = 1
            for i in served:
                outcomes *= state.count(state[i]) * len(wanted[i])
            for drawn in product(*(wanted[i] for i in served)):
                after = list(state)
                for i, out in zip(served, drawn):
                    after[i] = out
                ix = number[tuple(after)]
                row[ix] = row.get(ix, 0) + 1 / outcomes
        moves.append(row.items())
    share = [1 / len(states)] * len(states)
    for _ in range(100):
        after = [0.0] * len(states)
        for was, row in zip(share, moves):
            for ix, chance in row:
                after[ix] += was * chance
        share = after
    return sum(was * len(set(state)) for was, state in zip(share, states)) / ports


def accepted(**settings):
    """Accepted load of the study's switch, cells/node/cycle, with settings changed ("router__queues")."""
    return harness.run(harness.ROOT / "studies/karol/crossbar.toml", **settings)["load"]["accepted"]


class FirstComeFirstServed(unittest.TestCase):
    def test_the_chain_has_the_published_figures(self):
        for ports, published in PUBLISHED.items():
            self.assertAlmostEqual(chain(ports, own=True), published, delta=1.5e-4)

    def test_few_ports_accept_what_the_chain_says(self):
        for ports in (3, 4):
            found = accepted(topology__nodes=ports, measure__batch_cycles=50_000)
            self.assertAlmostEqual(found, chain(ports, own=False), delta=0.005, msg=f"{ports} ports")

    def test_many_ports_accept_two_less_the_root_of_two(self):
        found = accepted(topology__nodes=256, measure__batches=2, measure__batch_cycles=2000)
        self.assertAlmostEqual(found, MANY_PORTS, delta=0.005)


class VirtualOutputQueues(unittest.TestCase):
    def test_accept_more_than_99_percent_once_they_are_filled(self):
        found = accepted(topology__nodes=64, router__queues="voq", router__scheduling="islip", router__iterations=4,
                         router__buffer_cells=4096, measure__warmup_cycles=10_000, measure__batches=2)
        self.assertGreater(found, 0.99)

    def test_accept_98_percent_without_iterations_by_diagonals_or_by_length(self):
        for scheduling in ("wavefront", "longest-queue"):
            found = accepted(topology__nodes=32, router__queues="voq", router__scheduling=scheduling,
                             router__buffer_cells=4096,
                             measure__warmup_cycles=10_000, measure__batches=2)
            self.assertGreater(found, 0.98, scheduling)


if __name__ == "__main__":
    unittest.main()
