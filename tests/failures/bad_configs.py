"""Configs that cannot run, and networks that deadlock."""

import re

from failing_runs import ENDLESS, TORUS, TRACE, UNIFORM, Failures
from harness import IS_TRACE

# Every packet turns the same way round the ring and may fill its last place.
UNSAFE = "[router]\nrouting = \"oblivious\"\nvirtual_channels = 1\nbubble_packets = 0\n[deadlock]\nunsafe = true\n"
WAITING = re.compile(
    r"router (\d+), queue of (.+?): packet to node (\d+) waits for free space in router (\d+), queue of (.+)")
CYCLE = re.compile(r"(router \d+, .+, VC \d+): a packet from node \d+ to node \d+ waits for free space in (router \d+, "
                   r".+, VC \d+)")


def ways_round_a_ring(nodes):
    """A file of routes that all go the same way."""
    return "".join(f"{a} {b}: {' '.join(['0'] * ((b - a) % nodes))}\n" for a in range(nodes) for b in range(nodes)
                   if a != b)


class Configs(Failures):
    def test_each_kind_of_error_is_said_once_by_processes(self):
        """What else is refused: settings.cases and inputs.cases, on threads."""
        message = "s 0 1 5 100\nr 0 1 5 100\n"
        for code, config, trace, words in (
                (2, TORUS + "[router]\nvirtual_chanels = 2\n", message,
                 ["config.toml:6:", "did you mean router.virtual_channels?"]),
                (2, TRACE, "s 0 16 5 100\nr 0 16 5 100\n", ["17 tasks", "16 nodes"]),
                (3, TRACE, message + "s 0 1 5 -100\n", ["app.trc:3:", "negative"]),
                (3, TRACE, IS_TRACE.read_bytes()[:9000], ["app.trc", "truncated", "9000 bytes"]),
                (4, TRACE, message + "r 0 1 6 100\n", ["unmatched receive", "1 tasks"])):
            with self.subTest(words=words):
                self.write("app.trc", trace)
                self.assert_fails(code, words, config)

    def test_routes_that_may_deadlock_are_refused_and_the_circle_is_named(self):
        tables = ('[router]\n{}one_layer = true\nengine = "dor"\nvirtual_channels = 2\n[deadlock]\nunsafe = '
                  'true\ncheck = "full"\n')
        for key, router in (("router.kind", 'kind = "forwarding-table"\n'),
                            ("router.routing", 'kind = "switch"\nrouting = "forwarding-table"\n')):
            with self.subTest(key=key):
                words = ["config.toml:", f'{key} = "forwarding-table" may deadlock', "cycle of", "deadlock.check"]
                detail = self.assert_fails(2, words, UNIFORM + tables.format(router), "--set", "topology.dims=[5,5]")
                self.assertEqual(detail[0], f"cycle of waiting channels ({len(detail) - 1}):")
                waits = [CYCLE.fullmatch(line) for line in detail[1:]]
                self.assertNotIn(None, waits, detail)
                for this, following in zip(waits, waits[1:] + waits[:1]):
                    self.assertEqual(this.group(2), following.group(1), detail)

    def test_a_ring_without_a_date_line_is_refused_and_deadlocks_if_that_is_allowed(self):
        nodes = 5
        self.write("ways.txt", ways_round_a_ring(nodes))
        config = (f'[topology]\nkind = "torus"\ndims = [{nodes}]\n[workload]\noffered_load = 1.0\n'
                  '[router]\nkind = "source-route"\nroutes_path = "ways.txt"\nvirtual_channels = 1\n'
                  "[simulation]\ncycles = 100000000000\n")
        detail = self.assert_fails(2, ['router.kind = "source-route" may deadlock', "5 channels"], config)
        self.assertEqual(len(detail), 1 + nodes)
        self.assert_fails(4, ["deadlock in the simulated network"], config, "--set", "deadlock.check=off")


class Deadlocks(Failures):
    processes = False

    def assert_cycle(self, config, length):
        detail = self.assert_fails(4, ["deadlock", "at cycle", "packets in flight"], config)
        self.assertEqual(detail[0], f"cycle of waiting queues ({len(detail) - 1}):")
        if length:
            self.assertEqual(len(detail) - 1, length)
        waits = [WAITING.fullmatch(line) for line in detail[1:]]
        self.assertNotIn(None, waits, detail)
        for this, following in zip(waits, waits[1:] + waits[:1]):  # the last waits for the first
            self.assertEqual(this.group(4, 5), following.group(1, 2), detail)
        self.assertEqual(len({wait.group(1, 2) for wait in waits}), len(waits), "a queue is there twice")

    def test_a_full_ring_is_found_and_its_queues_are_listed_in_turn(self):
        self.processes = True
        ring = '[topology]\nkind = "torus"\ndims = [8]\n[workload]\npattern = "tornado"\noffered_load = 1.0\n'
        self.assert_cycle(ring + UNSAFE + "[simulation]\ncycles = 100000000000\n", 8)

    def test_a_full_ring_of_a_torus_is_found_and_its_queues_are_listed_in_turn(self):
        self.assert_cycle(ENDLESS + UNSAFE + '[workload]\npattern = "uniform"\noffered_load = 1.0\n', 4)

    def test_a_deadlock_on_long_links_is_found(self):
        ring = '[topology]\nkind = "torus"\ndims = [9]\n[workload]\npattern = "tornado"\noffered_load = 1.0\n'
        self.assert_cycle(ring + UNSAFE + "[simulation]\ncycles = 100000000000\n[link]\nlatency_cycles = 7\n", 9)

    def test_routes_round_a_ring_are_named_for_real_switches_too(self):
        nodes = 6
        self.write("ways.txt", ways_round_a_ring(nodes))
        for router in ('kind = "myrinet"\nroutes_path = "ways.txt"\n',
                       'kind = "infiniband"\nengine = "minhop"\nsl_shares = [1]\nvirtual_channels = 1\n'):
            with self.subTest(router=router):
                config = (f'[topology]\nkind = "torus"\ndims = [{nodes}]\n[workload]\noffered_load = 1.0\n'
                          f'[simulation]\ncycles = 100000000000\n[router]\n{router}')
                detail = self.assert_fails(2, ["may deadlock", f"{nodes} channels"], config)
                self.assertEqual(detail[0], f"cycle of waiting channels ({nodes}):")
                self.assert_cycle(config + '[deadlock]\ncheck = "off"\n', nodes)

    def test_source_routes_round_a_ring_are_named_in_networks_with_faults_too(self):
        nodes = 6
        self.write("ways.txt", ways_round_a_ring(nodes))
        config = (f'[topology]\nkind = "torus"\ndims = [{nodes}, 2]\n[faults]\nnodes = '
                  f'[{nodes + 3}]\n[workload]\noffered_load = 1.0\n'
                  '[router]\nkind = "source-route"\nroutes_path = "ways.txt"\n[simulation]\ncycles = 100000000000\n')
        detail = self.assert_fails(2, ["may deadlock", f"{nodes} channels"], config)
        self.assertEqual(detail[0], f"cycle of waiting channels ({nodes}):")
