"""Configs that cannot run, and networks that deadlock."""

import json
import re
import subprocess

import harness
from failing_runs import ENDLESS, LIMIT_S, TORUS, TRACE, UNIFORM, Failures

WEFT, MPIRUN = harness.weft(), harness.mpirun()
# Every packet turns the same way round the ring and may fill its last place.
UNSAFE = "[router]\nrouting = \"oblivious\"\nvirtual_channels = 1\nbubble_packets = 0\n[deadlock]\nunsafe = true\n"
WAITING = re.compile(
    r"router (\d+), queue of (.+?): packet to node (\d+) waits for free space in router (\d+), queue of (.+)")
CYCLE = re.compile(r"(router \d+, .+, VC \d+): a packet from node \d+ to node \d+ waits for free space in (router \d+, .+, VC \d+)")


def ways_round_a_ring(nodes):
    """A file of routes that all go the same way."""
    return "".join(f"{a} {b}: {' '.join(['0'] * ((b - a) % nodes))}\n" for a in range(nodes) for b in range(nodes) if a != b)


class Configs(Failures):
    def test_an_unknown_key_names_file_line_and_the_nearest_key(self):
        config = TORUS + "[router]\nvirtual_chanels = 2\n"
        words = ["config.toml:6:", "router.virtual_chanels", "did you mean router.virtual_channels?"]
        self.assert_fails(2, words, config)

    def test_a_value_with_the_wrong_unit_says_which_unit_is_wanted(self):
        self.assert_fails(2, ["config.toml:6:", "link.latency_cycles", '"3 ns"', "cycles"],
                          TORUS + '[link]\nlatency_cycles = "3 ns"\n')

    def test_impossible_dimensions_are_refused(self):
        for dims, words in [("[0, 4]", ["topology.dims", "out of range"]), ("[-4, 4]", ["out of range"]),
                            ("[100000, 100000]", ["not possible", "2147483648 nodes"]), ("[]", ["topology.dims"])]:
            with self.subTest(dims=dims):
                self.assert_fails(2, words, f'[topology]\nkind = "torus"\ndims = {dims}\n')

    def test_a_link_without_latency_is_refused(self):
        self.assert_fails(2, ["link.latency_cycles = 0", "lookahead"], UNIFORM, "--set", "link.latency_cycles=0")

    def test_too_few_virtual_channels_for_the_request_mode_are_refused(self):
        self.assert_fails(2, ["router.virtual_channels = 1", "shortest", "escape"],
                          UNIFORM + '[router]\nkind = "bubble"\nrouting = "shortest"\nvirtual_channels = 1\n')

    def test_routes_that_may_deadlock_are_refused_and_the_circle_is_named(self):
        tables = '[router]\n{}one_layer = true\nengine = "dor"\nvirtual_channels = 2\n[deadlock]\nunsafe = true\ncheck = "full"\n'
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

    def test_one_route_of_many_that_closes_a_ring_is_found_by_a_full_search_whatever_machine_takes_it(self):
        # Routes of 2 links go down (1), but for nearly all from node 1 to node 3.
        nodes = 4
        lines = [f"{s} {(s + 1) % nodes}: 0\n{s} {(s - 1) % nodes}: 1\n" for s in range(nodes)]
        self.write("ways.txt", "".join(lines) + "0 2: 1 1\n1 3: 1 1\n" + "1 3: 0 0\n" * 20 + "2 0: 1 1\n3 1: 1 1\n")
        for router, key in (('kind = "source-route"\n', "router.kind"),
                            ('kind = "switch"\nrouting = "source-route"\n', "router.routing"),
                            ('kind = "myrinet"\nrouting = "source-route"\n', "router.routing")):
            with self.subTest(router=router):
                config = (f'[topology]\nkind = "torus"\ndims = [{nodes}]\n[workload]\noffered_load = 1.0\n'
                          f'[router]\n{router}routes_path = "ways.txt"\nvirtual_channels = 1\n[deadlock]\ncheck = "full"\n'
                          "[simulation]\ncycles = 2000\n")
                self.assert_fails(2, [f'{key} = "source-route" may deadlock'], config)

    def test_a_full_search_that_could_not_try_everything_says_so_and_why(self):
        full = "[simulation]\ncycles = 200\n[deadlock]\ncheck = \"full\"\n"
        for network, words in (
            ('[topology]\nkind = "torus"\ndims = [4, 4]\n', "has looked for nothing (routing = \"shortest\" keeps free space in rings"),
            ('[topology]\nkind = "slim-fly"\nq = 5\nnodes_per_router = 1\n', "not tried all routes: 64 random draws for each of "),
            ('[topology]\nkind = "full-mesh"\nnodes = 6\n', "")):
            with self.subTest(network=network):
                code, out, err = self.finish(self.start(network + "[workload]\noffered_load = 0.1\n" + full))
                self.assertEqual(code, 0, err)
                self.assertEqual("deadlock.check" in out + err, bool(words), out + err)
                self.assertIn(words, out + err)

    def test_rings_without_a_bubble_need_the_word_unsafe(self):
        self.assert_fails(2, ["router.bubble_packets = 0", "unsafe = true"], UNIFORM + "[router]\nbubble_packets = 0\n")

    def test_more_tasks_than_nodes_are_refused(self):
        self.write("app.trc", "s 0 16 5 100\nr 0 16 5 100\n")
        self.assert_fails(2, ["17 tasks", "16 nodes"], TRACE)

    def test_boxes_and_subtrees_are_for_networks_that_can_be_cut(self):
        tree = '[topology]\nkind = "tree"\narity = 2\nlevels = 3\n[simulation]\ncycles = 500\n'
        pairs = '[topology]\nkind = "torus"\ndims = [2, 2]\n[simulation]\ncycles = 500\n'
        for method, config, words, ranks in (
            ("boxes", tree, ["its regular parts are subtrees", '"subtrees"', '"metis"'], 3),
            ("boxes", pairs, ["5 ranks", "4 routers"], 5),
            ("subtrees", pairs, ["its regular parts are boxes", '"boxes"', '"metis"'], 3),
            ("subtrees", tree, ["5 ranks", "fewer leaf switches", '"metis"'], 5)):
            with self.subTest(method=method, ranks=ranks):
                code, _, err = self.finish(self.start(config, "--set", f"parallel.partition={method}", ranks=ranks))
                self.assertEqual(code, 2, err)
                for word in words:
                    self.assertIn(word, err)

    def test_a_partition_file_must_be_of_this_network_and_for_so_many_ranks(self):
        file = ("--set", "parallel.partition=file", "--set", "parallel.partition_path=ranks.txt")
        for content, words in (("0\n1\n2\n", ["ranks.txt:3:", "3 of 16 routers"]), ("0\n3\n", ["ranks.txt:2:", "part 3", "3 ranks"]),
                               ("0\n1\n" * 8, ["part 2 has no router"]), ("none\n", ["ranks.txt:1:", "not the number"])):
            with self.subTest(content=content):
                self.write("ranks.txt", content)
                code, _, err = self.finish(self.start(UNIFORM, *file, ranks=3))
                self.assertEqual(code, 3, err)
                for word in words:
                    self.assertIn(word, err)


class Deadlocks(Failures):
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
        config = (f'[topology]\nkind = "torus"\ndims = [{nodes}, 2]\n[faults]\nnodes = [{nodes + 3}]\n[workload]\noffered_load = 1.0\n'
                  '[router]\nkind = "source-route"\nroutes_path = "ways.txt"\n[simulation]\ncycles = 100000000000\n')
        detail = self.assert_fails(2, ["may deadlock", f"{nodes} channels"], config)
        self.assertEqual(detail[0], f"cycle of waiting channels ({nodes}):")

    def test_the_watchdog_is_no_alarm_for_a_network_that_is_only_slow(self):
        config = UNIFORM + "watchdog_cycles = 300\n[router]\nqueue_packets = 8\n[link]\nlatency_cycles = 100\n"
        for ranks in self.ranks():
            code, _, err = self.finish(self.start(config, ranks=ranks))
            self.assertEqual((code, err), (0, ""))

    def test_nor_for_whatever_else_takes_long(self):
        crossbar, burst = {"topology.kind": "crossbar", "topology.nodes": 2}, {"workload.kind": "burst", "workload.burst_packets": 1}
        incast = {"topology.nodes": 9, "workload.pattern": "hot-spot", "congestion.min_cells": 0}
        slow = {
            "a link class": {"link.node.latency_cycles": 60_000},
            "routing": {"router.kind": "switch", "router.routing_cycles": 1_000_000},
            "slow links": {"router.kind": "switch", "router.buffer_cells": 200, "packet.phits": 200, "link.phits_per_cycle": 0.001},
            "rates": {**incast, "router.kind": "switch", "congestion.kind": "dcqcn", "congestion.max_cells": 1, "congestion.cnp_cycles": 1,
                      "congestion.rate_gain": 1.0, "congestion.rate_least": 1e-5, "congestion.rate_timer_cycles": 1_000_000_000,
                      "workload.pattern": "hot-region", "workload.burst_packets": 100, "simulation.watchdog_cycles": 1000},
            "delays": {**incast, "router.kind": "switch", "congestion.kind": "infiniband", "congestion.cct_percent": [0, 1_000_000],
                       "congestion.cct_timer_cycles": 1_000_000_000, "workload.burst_packets": 10},
            "chips": {"topology.kind": "spinnaker", "topology.dims": [3, 3], "router.kind": "spinnaker", "router.virtual_channels": 1,
                      "router.wait_cycles": 1_000_000, "faults.links": [0, 2], "workload.burst_packets": 4},
            "a few cells of a worm at a time": {"router.kind": "wormhole", "router.virtual_channels": 1, "router.buffer_cells": 1,
                                                "packet.phits": 64, "link.latency_cycles": 10_000},
        }
        self.write("empty.toml", "format = 1\n")
        for name, keys in slow.items():
            settings = [f"{key}={json.dumps(value)}" for key, value in {**({} if "topology.kind" in keys else crossbar), **burst,
                                                                      **keys}.items()]
            command = [WEFT, "run", "empty.toml", "--progress", "never", *(word for one in settings for word in ("--set", one))]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S, check=False)
            with self.subTest(name):
                lines = [line for line in done.stderr.splitlines() if "buffers are shorter than the round trip" not in line]
                self.assertEqual((done.returncode, lines), (0, []))

    def test_a_run_may_use_all_of_max_cycles_and_no_more(self):
        burst = '[workload]\nkind = "burst"\nburst_packets = 5\n'
        for network in (TORUS, TORUS + '[router]\nkind = "switch"\nvirtual_channels = 3\n',
                        '[topology]\nkind = "tree"\narity = 4\nlevels = 2\n'):
            with self.subTest(network):
                code, out, err = self.finish(self.start(network + burst, "--json", "-"))
                self.assertEqual(code, 0, err)
                whole = json.loads(out)
                limit = f"[simulation]\nmax_cycles = {whole['cycles']}\n"
                code, out, err = self.finish(self.start(network + burst + limit, "--json", "-"))
                self.assertEqual(code, 0, err)
                self.assertEqual(json.loads(out)["digest"], whole["digest"])
                self.assert_fails(4, ["simulation.max_cycles", "is over before the run is done"],
                                  network + burst + f"[simulation]\nmax_cycles = {whole['cycles'] - 1}\n")
