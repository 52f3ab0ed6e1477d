"""What the program does when it cannot do what it was asked: exit code, one line that names the cause, no result file.

Every failure is provoked through the real program, alone and on 3 ranks. Environment: WEFT_BINARY is the program;
WEFT_MPIRUN is mpirun."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

from harness import IS_TRACE, ROOT  # noqa: E402

WEFT, MPIRUN = harness.weft(), harness.mpirun()
RANKS = (1, 3)
LIMIT_S = 60

TORUS = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
UNIFORM = TORUS + "[simulation]\ncycles = 500\n"
# So long that only an end before the simulation, or a kill, keeps the test within its limit.
ENDLESS = TORUS + "[simulation]\ncycles = 100000000000\n"
TRACE = TORUS + '[workload]\nkind = "trace"\npath = "app.trc"\n'
# Every packet turns the same way round the ring and may fill its last place.
UNSAFE = "[router]\nrouting = \"oblivious\"\nvirtual_channels = 1\nbubble_packets = 0\n[deadlock]\nunsafe = true\n"
WAITING = re.compile(
    r"router (\d+), queue of (.+?): packet to node (\d+) waits for free space in router (\d+), queue of (.+)")

CYCLE = re.compile(r"(router \d+, .+, VC \d+): a packet from node \d+ to node \d+ waits for free space in (router \d+, .+, VC \d+)")


def ways_round_a_ring(nodes):
    """A file of routes that all go the same way."""
    return "".join(f"{a} {b}: {' '.join(['0'] * ((b - a) % nodes))}\n" for a in range(nodes) for b in range(nodes) if a != b)


class Failures(harness.Scratch):
    def command(self, config, *arguments, ranks=1, program=WEFT):
        self.write("config.toml", "format = 1\n" + config)
        return harness.with_mpi([program, "run", "config.toml", "--progress", "never", *arguments], ranks)

    def start(self, *arguments, stdout=subprocess.PIPE, **more):
        return subprocess.Popen(
            self.command(*arguments, **more),
            cwd=self.folder,
            env=harness.environment(more.get("ranks", 1)),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process, seconds=LIMIT_S):
        return super().finish(process, seconds)

    def ranks(self):
        """Each rank count as a subtest."""
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                yield ranks

    def assert_fails(self, code, words, config, *arguments):
        """The error, and no more than one, on every rank count; returns its detail lines of the last."""
        detail = []
        for ranks in self.ranks():
            got, out, err = self.finish(self.start(config, *arguments, ranks=ranks))
            self.assertEqual(got, code, err)
            self.assertEqual(out, "")
            lines = err.splitlines()
            errors = [line for line in lines if line.startswith("weft: error")]
            self.assertEqual(len(errors), 1, err)
            if ranks == 1:
                self.assertTrue(errors[0].startswith("weft: error: "), err)
            for word in words:
                self.assertIn(word, errors[0])
            begin = lines.index(errors[0]) + 1
            detail = []
            for line in lines[begin:]:
                if not line.startswith("  "):  # mpirun's own words follow
                    break
                detail.append(line.strip())
        return detail


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
                self.assertEqual((done.returncode, done.stderr), (0, ""))

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


class Traces(Failures):
    def test_a_receive_that_nobody_sends_to_names_task_source_and_tag(self):
        self.write("app.trc", "s 0 1 5 100\nr 0 1 5 100\nr 0 1 6 100\n")
        detail = self.assert_fails(4, ["unmatched receive", "1 tasks"], TRACE)
        self.assertRegex(detail[0], r"task 1, .*task 0 with tag 6")

    def test_two_tasks_that_wait_for_each_other_are_both_named(self):
        self.write("app.trc", "r 1 0 3 64\ns 0 1 4 64\nr 0 1 4 64\ns 1 0 3 64\n")
        detail = self.assert_fails(4, ["unmatched receive", "2 tasks"], TRACE)
        self.assertRegex("\n".join(detail), r"(?s)task 0, .*task 1 with tag 3.*task 1, .*task 0 with tag 4")

    def test_a_compressed_trace_that_ends_in_the_middle_is_refused(self):
        self.write("app.trc", IS_TRACE.read_bytes()[:9000])
        self.assert_fails(3, ["app.trc", "truncated", "9000 bytes"], TRACE)

    def test_damage_inside_a_compressed_trace_is_noticed(self):
        content = bytearray(IS_TRACE.read_bytes())
        content[len(content) // 2] ^= 0x55
        self.write("app.trc", bytes(content))
        self.assert_fails(3, ["app.trc"], TRACE)

    def test_garbage_is_no_trace(self):
        self.write("app.trc", bytes(range(128, 256)) * 8)
        self.assert_fails(3, ["app.trc", "not a trace of a known format"], TRACE)

    def test_an_empty_file_is_no_trace(self):
        self.write("app.trc", "")
        self.assert_fails(3, ["app.trc", "no records"], TRACE)

    def test_a_missing_file_is_named(self):
        self.assert_fails(3, ["app.trc", "No such file"], TRACE)

    def test_a_bad_record_is_named_by_file_and_line(self):
        for record, words in [("s 0 -1 5 100", "negative"), ("s 0 99999999999 5 100", "too large"),
                              ("s 0 1 5 -100", "negative"), ("s 0 1 5", "BYTES"), ("q 0 1 5 100", "q"),
                              ("s 0 1 5 1e3", "1e3"), ("c 0 99999999999999999999999", "too large")]:
            with self.subTest(record=record):
                self.write("app.trc", f"s 0 1 5 100\nr 0 1 5 100\n{record}\n")
                self.assert_fails(3, ["app.trc:3:", words], TRACE)

    def test_a_computation_or_a_message_beyond_what_can_be_counted_is_named_by_file_and_line(self):
        exact = TRACE + "cpu_scale = 1\n[link]\nrate_gbps = 10\n[simulation]\ntick_ps = 100\n[packet]\nphit_bytes = 4\n"
        for record, words in [(f"c 0 {2**60}", ["1152921504606846976 ns", "at most 2^62", "workload.cpu_scale"]),
                              (f"s 0 1 5 {2**40}", ["1099511627776 bytes", "17179869184 packets", "at most 4294967294"])]:
            self.write("app.trc", f"s 0 1 5 100\nr 0 1 5 100\n{record}\n")
            self.assert_fails(3, ["app.trc:3:", *words], exact)
        # Each is possible, but not all one after the other: only the run can know.
        self.write("app.trc", f"c 1 {2**58}\n" * 2 + "s 0 1 5 100\nr 0 1 5 100\n")
        self.assert_fails(3, ["app.trc: task 1, operation 2", "beyond tick 2^62"], exact)

    def test_a_kernel_with_messages_of_too_many_packets_is_refused(self):
        kernel = TORUS + '[workload]\nkind = "kernel"\nname = "binary-tree"\ntasks = 4\nmessage_bytes = 1000000000000\n'
        self.assert_fails(2, ["workload.message_bytes", "15625000000 packets"], kernel)

    def test_a_message_that_nobody_receives_is_a_warning_in_the_summary(self):
        self.write("app.trc", "s 0 1 5 100\ns 0 1 6 100\nr 0 1 5 100\n")
        for ranks in self.ranks():
            code, out, err = self.finish(self.start(TRACE, "--json", "-", ranks=ranks))
            self.assertEqual(code, 0, err)
            summary = json.loads(out)
            self.assertEqual(summary["messages"], {"sent": 2, "delivered": 2})
            self.assertRegex(" ".join(summary["warnings"]), r"(?i)\b1 message")


class Placements(Failures):
    def assert_refused(self, content, words):
        self.write("app.trc", "s 0 1 5 100\nr 0 1 5 100\n")
        if content is not None:
            self.write("nodes.txt", content)
        self.assert_fails(3, ["nodes.txt", *words], TRACE + '[placement]\npolicy = "file"\npath = "nodes.txt"\n')

    def test_a_missing_file_is_named(self):
        self.assert_refused(None, [])

    def test_a_node_outside_the_network_is_refused(self):
        self.assert_refused("3 0\n16 1\n", [":2:", "node 16", "16 nodes"])

    def test_a_task_outside_the_application_is_refused(self):
        self.assert_refused("3 0\n4 2\n", [":2:", "task 2", "2 tasks"])

    def test_two_tasks_on_one_node_are_refused(self):
        self.assert_refused("3 0\n3 1\n", [":2:", "node 3"])

    def test_more_tasks_on_a_node_than_it_has_places_are_refused(self):
        self.write("app.trc", "s 0 2 5 100\nr 0 2 5 100\n")
        self.write("nodes.txt", "3 0\n3 1\n3 2\n")
        self.assert_fails(3, ["nodes.txt", ":3:", "node 3", "tasks_per_node"],
                          TRACE + 'tasks_per_node = 2\n[placement]\npolicy = "file"\npath = "nodes.txt"\n')

    def test_a_task_without_a_node_is_named(self):
        self.assert_refused("3 0\n", ["task 1"])


class Machines(Failures):
    """What is wrong with the machine, or with how the program was started on it."""

    def together(self, *parts):
        """One mpirun with a rank for each list of words."""
        words = []
        for part in parts:
            words += [":"] if words else []
            words += ["-n", "1", "--bind-to", "none", *map(str, part)] if not words else ["-n", "1", *map(str, part)]
        return subprocess.run(harness.with_mpi(words, 2, [MPIRUN]), cwd=self.folder, env=harness.environment(2),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def test_ranks_with_different_configs_do_not_run(self):
        config = self.write("config.toml", "format = 1\n" + UNIFORM)
        done = self.together([WEFT, "run", config], [WEFT, "run", config, "--set", "simulation.seed=2"])
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("ranks 0 and 1 have different configs", done.stderr)

    def test_ranks_with_different_builds_do_not_run(self):
        config = self.write("config.toml", "format = 1\n" + UNIFORM)
        other = self.write("weft", Path(WEFT).read_bytes() + b"\n")
        other.chmod(0o755)
        done = self.together([WEFT, "run", config], [other, "run", config])
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("different builds of weft", done.stderr)

    def test_networks_that_do_not_fit_are_refused_before_they_are_built(self):
        config = self.write("config.toml", "format = 1\n" + UNIFORM)

        def run(dims, *more, ranks=1):
            command = [WEFT, "run", config, "--set", f"topology.dims={dims}", "--progress", "never", *more]
            return self.finish(harness.Scratch.start(self, command, ranks, variables={"SLURM_MEM_PER_NODE": "100"}))

        code, _, error = run("[1000,1000,1000]")
        self.assertEqual(code, 2, error)
        self.assertIn("topology.dims", error)
        for ranks in (1, 2):
            code, _, error = run("[64,64,16]", ranks=ranks)
            self.assertEqual(code, 5, error)
            self.assertRegex(error, r"needs about 1\d\d MiB on .* where 100 MiB are available \(SLURM_MEM_PER_NODE\)")
        code, _, error = run("[64,64,16]", "--set", "parallel.check_memory=false", "--set", "simulation.cycles=1")
        self.assertEqual(code, 0, error)
        code, _, error = run("[32,32,16]", "--set", "simulation.cycles=1")
        self.assertEqual(code, 0, error)

    def test_processes_that_mpi_does_not_know_of_do_not_run(self):
        """As srun without PMIx starts them: each would be the whole run."""
        config = self.write("config.toml", "format = 1\n" + UNIFORM)
        step = {"SLURM_JOB_ID": "1", "SLURM_STEP_ID": "0", "SLURM_NTASKS": "2", "SLURM_STEP_NUM_TASKS": "2",
                "SLURM_TASKS_PER_NODE": "2", "SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_PROCID": "1"}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        for more, code in (({}, 2), ({"WEFT_SEPARATE_RUNS": "1"}, 0), ({"SLURM_NTASKS": "1"}, 0)):
            done = subprocess.run([WEFT, "run", config, "--out", "result.h5"], cwd=self.folder, env={**clean, **step, **more},
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual((self.folder / "result.h5").exists(), code == 0)
            if code != 0:
                self.assertRegex(done.stderr, "one of 2 processes.*srun --mpi=pmix.*WEFT_SEPARATE_RUNS")

    def test_a_clock_that_jumps_changes_nothing(self):
        """The wall clock is set an hour back and then two days on while the run takes a checkpoint every second."""
        library = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
        if library is None:
            self.skipTest("libfaketime is not there; tools/install-packages --optional installs it")
        config = "[topology]\nkind = \"torus\"\ndims = [16, 16]\n[simulation]\ncycles = 60000\n"
        config += "[checkpoint]\nevery_seconds = 1\n"
        arguments = ["--json", "-", "--out", "run.h5"]
        for ranks in self.ranks():
            code, out, err = self.finish(self.start(config, *arguments, ranks=ranks))
            self.assertEqual(code, 0, err)
            steady = json.loads(out)
            clock = self.write("clock", "+0\n")
            jumping = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_CACHE_DURATION": 1,
                       "FAKETIME_DONT_FAKE_MONOTONIC": 1}
            # For the program alone: not for the mpirun around it.
            wrapper = self.write("jumping", "#!/bin/sh\n" + "".join(f"export {k}={v}\n" for k, v in jumping.items()) +
                                 f"exec {WEFT} \"$@\"\n")
            wrapper.chmod(0o755)
            begin = time.monotonic()
            process = self.start(config, *arguments, ranks=ranks, program=wrapper)
            for jump in ("-3600", "+172800", "+0"):
                time.sleep(0.4)
                clock.write_text(jump + "\n")
            code, out, err = self.finish(process)
            elapsed = time.monotonic() - begin
            self.assertEqual(code, 0, err)
            jumped = json.loads(out)
            self.assertEqual(jumped["digest"], steady["digest"])
            self.assertGreater(jumped["engine"]["wall_s"], 0)
            self.assertLess(jumped["engine"]["wall_s"], elapsed)

    def test_a_network_that_does_not_fit_into_memory_is_a_system_error(self):
        big = UNIFORM.replace("[4, 4]", "[512, 512]")
        self.write("config.toml", "format = 1\n" + big)
        limit = 300 << 20
        done = subprocess.run([WEFT, "run", "config.toml", "--progress", "never"], cwd=self.folder, capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("memory", done.stderr)


class Outputs(Failures):
    def test_an_out_that_cannot_be_written_is_refused_before_the_simulation(self):
        self.write("plain", "")
        for path in ("missing/result.h5", "plain/result.h5", "."):
            with self.subTest(path=path):
                self.assert_fails(5, [path], ENDLESS, "--out", path)

    def test_a_json_that_cannot_be_written_is_refused_before_the_simulation(self):
        self.assert_fails(5, ["missing/summary.json"], ENDLESS, "--json", "missing/summary.json")

    def refuse_alone(self, code, words, config, *arguments):
        got, out, err = self.finish(self.start(config, *arguments))
        self.assertEqual((got, out), (code, ""), err)
        for word in words:
            self.assertIn(word, err)

    def test_no_output_takes_the_place_of_a_file_that_the_run_reads(self):
        names = {"app.trc": "s 0 1 5 100\nr 0 1 5 100\n", "nodes.txt": "0 0 0\n1 1 0\n",
                 "parts.txt": "0\n" * 16, "old.h5": "a checkpoint", "weights.h5": "another"}
        for name, content in names.items():
            self.write(name, content)
        (self.folder / "link").symlink_to("app.trc")
        os.link(self.folder / "nodes.txt", self.folder / "same")
        config = (TRACE + '[placement]\npolicy = "file"\npath = "nodes.txt"\n'
                  '[parallel]\npartition = "file"\npartition_path = "parts.txt"\n')
        for arguments, what in [(("--out", "link"), "it is workload.path"),
                                (("--json", "same"), "it is placement.path"),
                                (("--out", "./parts.txt"), "it is parallel.partition_path"),
                                (("--out", "config.toml"), "it is the config"),
                                (("--resume", "old.h5", "--out", "old.h5"), "goes on from"),
                                (("--set", "checkpoint.path=link"), "it is workload.path"),
                                (("--out", "a.h5", "--set", "checkpoint.path=./a.h5"), "both name")]:
            with self.subTest(arguments=arguments):
                self.refuse_alone(2, [arguments[-1].split("=")[-1], what], config, *arguments)
        weights = ("--set", "parallel.weights=weights.h5", "--set", "checkpoint.path=weights.h5")
        self.refuse_alone(2, ["parallel.weights, which is read"], UNIFORM, *weights)
        for name, content in names.items():
            self.assertEqual((self.folder / name).read_text(encoding="utf-8"), content)

    def test_no_output_takes_the_place_of_a_file_that_a_network_is_made_of(self):
        fabric = {"path": "star.net", "tables": "star.fdb", "sl2vl": "star.sl2vl"}
        cases = [('[topology]\nkind = "file"\n' + "".join(f'{key} = "{name}"\n' for key, name in fabric.items()) +
                  '[router]\nkind = "infiniband"\n', {f"topology.{key}": name for key, name in fabric.items()}),
                 (TORUS + '[router]\nkind = "source-route"\nroutes_path = "ways.txt"\n', {"router.routes_path": "ways.txt"}),
                 ('[topology]\nkind = "spinnaker"\ndims = [4, 4]\n[router]\nkind = "spinnaker"\nvirtual_channels = 1\nrouting = "multicast"\n'
                  'multicast_file = "keys.txt"\n', {"router.multicast_file": "keys.txt"})]
        outputs = [("--out",), ("--json",), ("--log",), ("--set", "checkpoint.path="), ("--set", "statistics.events=")]
        for config, inputs in cases:
            for number, (key, name) in enumerate(inputs.items()):
                self.write(name, "what is read\n")
                for option in outputs if number == 0 else outputs[:1]:
                    with self.subTest(key=key, option=option):
                        words = (*option, name) if len(option) == 1 else (option[0], option[1] + name)
                        self.refuse_alone(2, [f"it is {key}, which is read", name], config, *words)
                        self.assertEqual((self.folder / name).read_text(encoding="utf-8"), "what is read\n")

    def test_events_are_an_output_like_the_others(self):
        self.write("base.toml", "format = 1\n")
        events = lambda path: ("--set", f"statistics.events={path}")  # noqa: E731
        self.refuse_alone(2, ["statistics.events = 'config.toml'", "it is the config"], UNIFORM, *events("config.toml"))
        self.refuse_alone(2, ["it is the config"], 'include = "base.toml"\n' + UNIFORM, *events("base.toml"))
        self.refuse_alone(2, ["both name"], UNIFORM, "--out", "r.h5", *events("./r.h5"))
        self.refuse_alone(5, ["directory 'missing' does not exist"], ENDLESS, *events("missing/events.txt"))

    def test_a_log_does_not_make_the_trace_that_is_missing(self):
        self.refuse_alone(2, ["it is workload.path"], TRACE, "--log", "app.trc")
        self.assertFalse((self.folder / "app.trc").exists())

    def test_no_command_writes_over_what_it_reads(self):
        star = ('[fabric]\nname = "star"\nswitches = [{ name = "s", ports = 4 }]\n'
                'hosts = [{ name = "a" }, { name = "b" }]\nlinks = [["a", "s"], ["b", "s"]]\n')
        files = {"star.toml": star, "base.toml": "format = 1\n", "star.json": star, "study.csv": "app",
                 "config.toml": 'format = 1\ninclude = "base.toml"\n[topology]\nkind = "file"\npath = "star.json"\n',
                 "study.toml": 'format = 1\n[sweep]\nbase = "trace.toml"\nout = "."\n'
                               '[[sweep.axis]]\nkey = "packet.phits"\nvalues = [4, 8]\n',
                 "trace.toml": "format = 1\n" + TRACE.replace("app.trc", "study.csv"),
                 "scaling.toml": 'format = 1\n[scaling]\nkind = "strong"\nbase = "trace.toml"\nout = "."\nranks = [1]\n'
                                 '[[scaling.size]]\nname = "scaling.csv"\nset = ["workload.path=scaling.csv"]\n',
                 "scaling.csv": "app"}
        for name, content in files.items():
            self.write(name, content)
        for command in (["topology", "config.toml", "--export", "star.json"], ["topology", "config.toml", "--json", "base.toml"],
                        ["fabric", "route", "config.toml", "--engine", "minhop", "--out", "star.json"],
                        ["fabric", "route", "star.toml", "--engine", "minhop", "--out", "./star.toml"],
                        ["fabric", "info", "config.toml", "--json", "base.toml"],
                        ["fabric", "report", "config.toml", "--out", "page.html", "--csv", "star.json"],
                        ["fabric", "ebb", "star.toml", "--packets", "--set", "router.routes_path=base.toml", "--json", "base.toml"],
                        ["sweep", "study.toml"], ["sweep", "study.toml", "--collect"], ["scaling", "scaling.toml"]):
            with self.subTest(command=command):
                code, out, err = self.finish(harness.Scratch.start(self, [WEFT, *command]))
                self.assertEqual((code, out), (2, ""), err)
                self.assertIn("would be overwritten", err)
        for name, content in files.items():
            self.assertEqual((self.folder / name).read_text(encoding="utf-8"), content)

    def limited(self, bytes_, config, *arguments):
        """A run that may write files of so many bytes."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))  # noqa: E731
        process = harness.Scratch.start(self, self.command(config, *arguments), preexec_fn=limit)
        return self.finish(process)

    def test_a_limit_of_file_sizes_is_an_error_that_names_it(self):
        for arguments, words in ((("--out", "r.h5"), ["cannot write 'r.h5'", "File too large", "ulimit -f"]),
                                 (("--json", "r.json"), ["cannot write 'r.json'", "ulimit -f"]),
                                 (("--set", "statistics.events=events.txt"), ["events.txt", "File too large"])):
            with self.subTest(arguments=arguments):
                code, _, err = self.limited(1000, UNIFORM, *arguments)
                self.assertEqual(code, 5, err)
                for word in words:
                    self.assertIn(word, err)

    def test_a_log_that_cannot_hold_its_messages_fails_the_run_that_has_ended(self):
        code, out, err = self.limited(20, UNIFORM, "--log", "log")
        self.assertEqual(code, 5, err)
        self.assertIn("digest", out)
        self.assertIn("weft: error: cannot write the log 'log' (File too large)", err)

    def test_a_pipe_that_nobody_writes_to_is_no_wait_for_ever(self):
        for name in ("config.fifo", "app.fifo", "nodes.fifo", "star.fifo", "result.fifo"):
            os.mkfifo(self.folder / name)
        trace = self.write("trace.toml", "format = 1\n" + TRACE.replace("app.trc", "app.fifo"))
        place = ("--set", "placement.policy=file", "--set", "placement.path=nodes.fifo")
        self.write("config.toml", "format = 1\n" + UNIFORM)
        cases = [(2, ["run", "config.fifo"]), (3, ["run", trace]), (3, ["trace", "info", "app.fifo"]),
                 (3, ["run", "config.toml", *place]), (3, ["fabric", "info", "star.fifo"]),
                 (3, ["report", "result.fifo", "--out", "r.html"]), (3, ["run", "config.toml", "--resume", "result.fifo"])]
        started = [(code, command, harness.Scratch.start(self, [WEFT, *command])) for code, command in cases]
        for expected, command, process in started:
            with self.subTest(command=command):
                code, out, err = self.finish(process, 30)
                self.assertEqual((code, out), (expected, ""), err)
                self.assertRegex(err, "a pipe that nobody writes to|no regular file")

    def test_a_result_or_checkpoint_is_never_a_device_or_pipe(self):
        os.mkfifo(self.folder / "pipe")  # a failing test must not take the machine's devices
        for arguments in (("--out", "pipe"), ("--set", "checkpoint.path=pipe"),
                          ("--set", "checkpoint.path=pipe", "--set", "checkpoint.every_cycles=100")):
            with self.subTest(arguments=arguments):
                self.refuse_alone(2, ["no regular file"], UNIFORM, *arguments)
        self.assertTrue((self.folder / "pipe").is_fifo())

    def test_a_json_summary_may_go_to_a_device(self):
        code, _, err = self.finish(self.start(UNIFORM, "--json", "/dev/null"))
        self.assertEqual(code, 0, err)
        self.assertTrue(Path("/dev/null").is_char_device())

    def test_a_full_disk_under_the_json_summary_is_a_system_error(self):
        for arguments, stdout in [(("--json", "/dev/full"), os.devnull), (("--json", "-"), "/dev/full")]:
            with self.subTest(arguments=arguments):
                with open(stdout, "w", encoding="utf-8") as sink:
                    code, _, err = self.finish(self.start(UNIFORM, *arguments, stdout=sink))
                self.assertEqual(code, 5, err)
                self.assertIn("weft: error: cannot write", err)

    def test_when_one_rank_is_killed_the_others_end_and_no_result_is_left(self):
        mpirun = self.start(ENDLESS, "--out", "result.h5", "--json", "summary.json", ranks=2)
        ranks = self.wait_for_ranks(mpirun.pid, 2)
        time.sleep(0.5)
        os.kill(ranks[1], signal.SIGKILL)
        code, _, _ = self.finish(mpirun)
        self.assertNotEqual(code, 0)
        deadline = time.monotonic() + LIMIT_S
        while any(self.runs_weft(pid) for pid in ranks):
            self.assertLess(time.monotonic(), deadline, "a rank lives on")
            time.sleep(0.05)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["config.toml"])

    def test_whenever_a_rank_or_mpirun_is_killed_no_rank_lives_on(self):
        checkpoints = ENDLESS + "[checkpoint]\nevery_cycles = 50\n"
        for config, wait_s, of_mpirun in ((ENDLESS, 0, False), (checkpoints, 0.5, False), (ENDLESS, 0.5, True)):
            with self.subTest(wait_s=wait_s, of_mpirun=of_mpirun):
                mpirun = self.start(config, ranks=3)
                ranks = self.wait_for_ranks(mpirun.pid, 3)
                time.sleep(wait_s)
                os.kill(mpirun.pid if of_mpirun else ranks[1], signal.SIGKILL)
                deadline = time.monotonic() + LIMIT_S
                while any(self.runs_weft(pid) for pid in ranks):
                    self.assertLess(time.monotonic(), deadline, "a rank lives on")
                    time.sleep(0.05)
                # A kill during MPI_Init may leave mpirun hanging in its own end (docs/checkpoints.md): not weft's doing.
                if mpirun.poll() is None and wait_s == 0:
                    time.sleep(1)
                    mpirun.kill()
                self.finish(mpirun)

    def wait_for_ranks(self, parent, count):
        """Process ids of mpirun's children that run the program."""
        deadline = time.monotonic() + LIMIT_S / 2
        while time.monotonic() < deadline:
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
            found = [int(pid) for pid in children if self.runs_weft(pid)]
            if len(found) == count:
                return found
            time.sleep(0.05)
        os.killpg(parent, signal.SIGKILL)
        self.fail(f"mpirun did not start {count} ranks")

    @staticmethod
    def runs_weft(pid):
        """False for a process that has ended, also while nobody has asked for its exit code yet."""
        try:
            return os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(WEFT)
        except OSError:
            return False


if __name__ == "__main__":
    unittest.main()
