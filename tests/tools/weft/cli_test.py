"""Tests of the program as its users and their scripts meet it: exit codes, what is said on which stream, and files.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import json
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import harness  # noqa: E402

from harness import IS_TRACE, ROOT  # noqa: E402

WEFT, MPIRUN = harness.weft(), harness.mpirun()

COMMANDS = ["run", "describe", "topology", "trace", "trace info", "trace check", "trace generate", "report",
            "sweep", "scaling", "fabric", "fabric info", "fabric check", "fabric paths",
            "fabric route", "fabric ebb", "fabric applications",
            "fabric report", "fabric what-if", "help"]
UNAVAILABLE = ["study", "trace convert", "trace cut"]

TORUS = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
TREE = '[topology]\nkind = "thin-tree"\ndown = 4\nup = 2\nlevels = 2\n'
SHORT = "[simulation]\ncycles = 500\n"
ENDLESS = "[simulation]\ncycles = 100000000000\n"
UNIFORM = '[workload]\nkind = "synthetic"\noffered_load = 0.1\n'
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


class Cli(harness.Scratch):
    def weft(self, *arguments, ranks=0):
        command = [WEFT, *map(str, arguments)]
        if ranks:
            command = harness.with_mpi(command, ranks, (MPIRUN, "-n", ranks))
        return subprocess.run(
            command,
            cwd=self.folder,
            env=harness.environment(ranks or 1),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    def config(self, *texts):
        return self.write("config.toml", "".join(["format = 1\n", *texts]))

    def assert_succeeds(self, *arguments, **more):
        done = self.weft(*arguments, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def assert_fails(self, code, words, *arguments):
        """Nothing on standard output; on standard error one line that has all these words, then indented detail."""
        done = self.weft(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        line, *detail = done.stderr.splitlines()
        self.assertTrue(line.startswith("weft: error: "), line)
        for word in words:
            self.assertIn(word, line)
        for more in detail:
            self.assertTrue(more.startswith("  "), more)
        return detail


class CommandLine(Cli):
    def test_version_is_one_line(self):
        self.assertRegex(self.assert_succeeds("--version"), r"\Aweft \d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.assert_succeeds("-v"), self.assert_succeeds("--version"))

    def test_help_of_the_program_lists_every_command(self):
        text = self.assert_succeeds("--help")
        for command in COMMANDS + UNAVAILABLE:
            self.assertIn(f"  {command.split()[0]} ", text)
        self.assertIn("Exit codes", text)

    def test_help_of_every_command_ends_with_two_or_three_examples(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                _, _, examples = self.assert_succeeds(*command.split(), "--help").partition("Examples:\n")
                lines = examples.splitlines()
                self.assertIn(len(lines), (2, 3), examples)
                for line in lines:
                    self.assertRegex(line, r"^  (mpirun -n 2 )?weft ")

    def test_help_is_a_command_too(self):
        for command in ("", "run", "trace", "trace generate", "study"):
            with self.subTest(command=command):
                self.assertEqual(self.assert_succeeds("help", *command.split()),
                                 self.assert_succeeds(*command.split(), "--help"))
        self.assert_fails(2, ["'rn'", "did you mean weft run?"], "help", "rn")
        self.assert_fails(2, ["'x'", "weft run"], "help", "run", "x")

    def test_help_of_a_planned_command_says_what_works_now(self):
        for command in UNAVAILABLE:
            with self.subTest(command=command):
                self.assertIn("What works now:\n  ", self.assert_succeeds(*command.split(), "--help"))

    def test_planned_commands_are_refused_whatever_their_arguments_are(self):
        for command in UNAVAILABLE:
            with self.subTest(command=command):
                self.assert_fails(2, [f"weft {command}", "not available in this version"], *command.split(), "a", "--b", "c")

    def test_an_unknown_command_gets_the_nearest_one_suggested(self):
        self.assert_fails(2, ["'tpology'", "did you mean weft topology?"], "tpology", "config.toml")
        self.assert_fails(2, ["'chek'", "did you mean weft trace check?"], "trace", "chek", "a.trc")

    def test_an_unknown_option_gets_the_nearest_one_suggested(self):
        self.assert_fails(2, ["'--jsn'", "did you mean --json -?"], "run", "config.toml", "--jsn", "-")
        self.assert_fails(2, ["'--seed'", "did you mean --set simulation.seed=3"], "topology", "c.toml", "--seed", "3")
        self.assert_fails(2, ["mpirun -n 4 weft run"], "run", "-n", "4", "config.toml")

    def test_a_file_without_a_command_gets_the_command_that_reads_it(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        done = self.weft("config.toml")
        self.assertEqual(done.returncode, 2)
        suggestion = done.stderr.rstrip("?\n").partition("did you mean weft ")[2]
        self.assertEqual(suggestion, "run config.toml")
        self.assert_succeeds(*suggestion.split())
        self.assert_fails(2, ["weft report a.h5 --out report.html"], "a.h5")
        self.assertTrue(config.exists())

    def test_words_of_any_length_and_content_are_shown_on_one_line(self):
        for words in (["x" * 100000], ["run", "c.toml", "--" + "x" * 100000], ["run", "a", "b\n\x1b[31m"], ["a\nb.toml"],
                      ["run", "c.toml", "--progress", "y\n" * 40000], ["run", "c.toml", "--seed", "1\n2"]):
            with self.subTest(words=[word[:20] for word in words]):
                self.assertEqual(self.assert_fails(2, [], *words), [])
                done = self.weft(*words)
                self.assertLess(len(done.stderr), 1000)
                self.assertNotIn("\x1b", done.stderr)

    def test_missing_and_superfluous_words_are_named(self):
        self.assert_fails(2, ["no command"])
        self.assert_fails(2, ["no command", "weft trace"], "trace")
        self.assert_fails(2, ["CONFIG", "required"], "run")
        self.assert_fails(2, ["--out", "required"], "report", "a.h5")
        self.assert_fails(2, ["'two.toml'"], "run", "one.toml", "two.toml")
        self.assert_fails(2, ["--progress", "often"], "run", "one.toml", "--progress", "often")
        self.assert_fails(2, ["--out"], "run", "one.toml", "--out", "a.h5", "--out", "b.h5")

    def test_describe_explains_keys_and_refuses_unknown_ones(self):
        self.assertIn("router.queue_packets", self.assert_succeeds("describe"))
        self.assertIn("torus", self.assert_succeeds("describe", "topologies", "patterns"))
        self.assert_fails(2, ["routrs", "routers"], "describe", "routrs")
        self.assertIn("router.queue_packets", [row["key"] for row in json.loads(self.assert_succeeds("describe", "--json", "-"))["settings"]])
        self.assert_fails(2, ["--json", "'torus'", "leave one"], "describe", "torus", "--json", "-")

    def test_output_that_cannot_be_written_is_an_error(self):
        if not Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([WEFT, "describe"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn("standard output", done.stderr)


class Run(Cli):
    def test_a_wrong_config_is_refused_with_its_place(self):
        config = self.config(TORUS, UNIFORM, "[router]\nqueue_packetz = 4\n")
        self.assert_fails(2, ["config.toml", "queue_packetz", "queue_packets"], "run", config)
        self.assert_fails(2, ["none.toml"], "run", "none.toml")
        self.assert_fails(2, ["--set router.kin"], "run", self.config(TORUS), "--set", "router.kin=bubble")

    def test_names_and_values_are_shown_short_on_one_line_that_no_terminal_obeys(self):
        endless = "x" * 100_000
        for code, words in (
            (2, ["run", "a\n\x1b[31m.toml"]),
            (2, ["run", self.config(TORUS), "--set", "router.kind=a\n\x1b[31m"]),
            (2, ["run", endless]),
            (3, ["run", self.config(TORUS), "--resume", endless]),
            (3, ["trace", "info", "a\n\x1b[31m.trc"]),
            (2, ["describe", "a\n\x1b[31m"]),
        ):
            with self.subTest(words=[str(word)[:40] for word in words]):
                done = self.weft(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertNotIn("\x1b", done.stderr)
                self.assertLess(len(done.stderr), 2100)

    def test_contradicting_settings_are_refused(self):
        config = self.config(TORUS, UNIFORM)
        self.assert_fails(2, ["virtual_channels"], "run", config, "--set", "router.virtual_channels=1")

    def test_resume_names_a_file_that_is_not_there(self):
        self.assert_fails(3, ["no.ckpt.h5", "no such file"], "run", self.config(TORUS), "--resume", "no.ckpt.h5")

    def test_an_output_that_cannot_be_written_stops_the_run_before_it_starts(self):
        config = self.config(TORUS, UNIFORM, ENDLESS)
        for option in ("--out", "--json"):
            for path in ("no/such/folder/a.h5", self.folder):
                with self.subTest(option=option, path=path):
                    begin = time.monotonic()
                    self.assert_fails(5, ["cannot write"], "run", config, option, path)
                    self.assertLess(time.monotonic() - begin, 10)

    def test_outputs_that_would_replace_one_another_or_the_config_are_refused(self):
        config = self.config(TORUS, UNIFORM, ENDLESS)
        self.assert_fails(2, ["it is the config"], "run", config, "--out", config)
        self.assert_fails(2, ["--out and --json"], "run", config, "--out", "a", "--json", "a")
        self.assert_fails(2, ["--out -"], "run", config, "--out", "-")
        self.assertIn("torus", config.read_text(encoding="utf-8"))

    def test_names_of_other_formats_and_standard_output_are_no_results(self):
        config, tree = self.config(TORUS, UNIFORM, ENDLESS), self.write("tree.toml", "format = 1\n" + TREE)
        self.assert_fails(2, ["is no name for what is written (HDF5, not \".pdf\"); use 'x.h5'"],
                          "run", config, "--out", "x.pdf")
        self.assert_fails(2, ["--out - is not possible"], "fabric", "ebb", tree, "--count", 2, "--out", "-")
        for words in (["fabric", "ebb", tree, "--count", 2, "--out", "x.html"],
                      ["fabric", "report", tree, "--engine", "minhop", "--out", "x.h5"], ["report", config, "--out", "x.pdf"],
                      ["run", config, "--json", "x.h5"], ["topology", config, "--json", "x.html"],
                      ["trace", "generate", "BU", "--tasks", 4, "--message-bytes", 8, "--out", "x.trc.xz"]):
            with self.subTest(words=words):
                self.assert_fails(2, ["is no name for what is written"], *words)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"config.toml", "tree.toml"})

    def test_a_config_and_a_study_are_not_taken_for_each_other(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        study = self.write("study.toml", 'format = 1\n[sweep]\nbase = "config.toml"\n')
        self.assert_fails(2, ["is a study, not a config of one run", "use weft sweep", 'its base "config.toml"'], "run", study)
        self.assert_fails(2, ["is the config of one run, not a study", "use weft run"], "sweep", config)

    def test_keys_without_effect_are_refused_unless_allowed(self):
        config = self.config(TORUS, SHORT, "[measure]\nbatches = 3\n")
        self.assert_fails(2, ["config.toml:8: measure.batches = 3 has no effect", "remove it, or simulation.cycles"],
                          "run", config)
        self.assert_succeeds("run", config, "--allow-unused", "--progress", "never")
        self.assert_fails(2, ["--set measure.intervals=2"], "run", config, "--allow-unused", "--set", "measure.intervals=2")

    def test_the_summary_says_how_to_keep_the_result(self):
        text = self.assert_succeeds("run", self.config(TORUS, UNIFORM, SHORT), "--progress", "never")
        self.assertIn("--out RESULT.h5", text)
        self.assertRegex(text, r"digest +[0-9a-f]{32}\n")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["config.toml"])

    def test_json_on_standard_output_is_all_that_is_there(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        summary = json.loads(self.assert_succeeds("run", config, "--json", "-", "--out", "a.h5", "--progress", "never"))
        self.assertEqual((summary["nodes"], summary["cycles"], summary["stop_reason"]), (16, 500, "cycles"))
        self.assertEqual(summary["config"]["topology"]["dims"], [4, 4])
        self.assertTrue((self.folder / "a.h5").stat().st_size > 0)

    def test_json_in_a_file_leaves_the_summary_on_standard_output(self):
        text = self.assert_succeeds("run", self.config(TREE, UNIFORM, SHORT), "--json", "a.json", "--out", "a.h5")
        self.assertIn("a.h5", text)
        digest = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["digest"]
        self.assertIn(digest, text)

    def test_overrides_come_after_the_file_and_may_be_repeated(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        more = ["--set", "simulation.cycles=300", "--set", "topology.dims=[2, 4]", config, "--set", "simulation.seed=7"]
        summary = json.loads(self.assert_succeeds("run", *more, "--json", "-"))
        self.assertEqual((summary["cycles"], summary["nodes"], summary["seed"]), (300, 8, 7))

    def test_a_seed_may_be_given_once_and_outputs_by_a_letter(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        summary = json.loads(self.assert_succeeds("run", config, "--seed", 7, "-o", "a.h5", "--json", "-"))
        same = json.loads(self.assert_succeeds("run", config, "--set", "simulation.seed=7", "--json", "-"))
        self.assertEqual((summary["seed"], summary["digest"]), (7, same["digest"]))
        self.assert_succeeds("report", "a.h5", "-o", "a.html")
        self.assertTrue((self.folder / "a.html").exists())
        self.assert_fails(2, ["--seed 7", "simulation.seed=8", "both"], "run", config, "--seed", 7, "--set",
                          "simulation.seed=8")
        for seed in ("x", "-1", ""):
            self.assert_fails(2, ["--seed", "whole number"], "run", config, "--seed", seed)

    def test_messages_are_told_in_full_or_not_at_all(self):
        path = self.config(TORUS, SHORT, UNIFORM, "[checkpoint]\nevery_cycles = 300\n")
        self.assertEqual(self.assert_succeeds("run", path, "--quiet", "-o", "a.h5"), "")
        verbose = self.weft("run", path, "--verbose", "--progress", "never")
        self.assertEqual(verbose.returncode, 0)
        self.assertRegex(verbose.stderr, r"^weft: info: .*16 nodes.*\nweft: info: checkpoint at cycle 300: \d+ bytes")
        self.assert_fails(2, ["--quiet", "--verbose"], "run", path, "--quiet", "--verbose")
        for _ in range(2):
            self.assert_succeeds("run", path, "--log", "run.log", "--progress", "never")
        log = (self.folder / "run.log").read_text().splitlines()
        self.assertEqual(len(log), 4, "the second run adds to the file")
        for line in log:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} weft: info: ")
        self.assert_fails(2, ["would be overwritten"], "run", path, "--log", path)

    def test_a_damaged_trace_is_an_input_error_with_its_line(self):
        self.write("bad.trc", "s 0 1 7 100\nr 0 1 x 100\n")
        config = self.config(TORUS, '[workload]\nkind = "trace"\npath = "bad.trc"\n')
        self.assert_fails(3, ["bad.trc:2"], "run", config)

    def test_a_trace_that_cannot_go_on_ends_with_its_own_exit_code(self):
        self.write("stuck.trc", "s 0 1 7 100\nr 0 1 7 100\nr 0 1 8 100\n")
        config = self.config(TORUS, '[workload]\nkind = "trace"\npath = "stuck.trc"\n')
        self.assert_fails(4, [], "run", config, "--progress", "never")


class OneWayLinks(Cli):
    TORUS = ('[topology]\nkind = "torus"\ndims = [8, 8]\nunidirectional = true\n[workload]\noffered_load = 0.04\n'
             "[simulation]\ncycles = 6000\n")
    MEAN = 7 * 64 / 63  # 3.5 in each dimension, over pairs of different nodes

    def distance(self, *settings):
        config = self.config(self.TORUS)
        done = json.loads(self.assert_succeeds("run", config, "--json", "-", *(word for one in settings for word in ("--set", one))))
        self.assertGreater(done["packets"]["delivered"], 500)
        return done["distance"]["mean"]

    def test_are_taken_forwards_by_every_machine_that_goes_by_tables(self):
        self.assertAlmostEqual(self.distance("router.kind=dally"), self.MEAN, delta=0.2)
        for settings in (["router.kind=forwarding-table", "router.virtual_channels=4"],
                         ["router.kind=forwarding-table", "router.virtual_channels=16", "router.engine=minhop"],
                         ["router.kind=source-route", "router.virtual_channels=4"],
                         ["router.kind=switch", "router.routing=forwarding-table", "router.virtual_channels=4"],
                         ["router.kind=infiniband", "packet.phits=4"],
                         ["router.kind=myrinet", "packet.phits=16", "router.routing=forwarding-table", "router.one_layer=true",
                          "nic.dispersion=none", "deadlock.unsafe=true"]):
            with self.subTest(settings=settings):
                self.assertAlmostEqual(self.distance(*settings), self.MEAN, delta=0.2)

    def test_need_channels_that_crossbars_of_myrinet_have_not(self):
        self.assert_fails(2, ["need 4 virtual layers", "router.virtual_channels", "one channel"], "run", self.config(self.TORUS),
                          "--set", "router.kind=myrinet")

    def test_are_told_of_in_fabrics(self):
        config = self.config(self.TORUS)
        checked = self.assert_succeeds("fabric", "check", config)
        self.assertNotIn("unreachable", checked)
        found = json.loads(self.assert_succeeds("fabric", "ebb", config, "--engine", "dor", "--count", "2", "--json", "-"))
        self.assertEqual(found["switches"], 64)
        self.assert_fails(2, ["one way only", "dor, minhop or sssp"], "fabric", "ebb", config, "--engine", "updn")


class SeveralRanks(Cli):
    def test_an_error_that_all_ranks_see_is_shown_once_and_ends_all_with_its_code(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                done = self.weft("run", "none.toml", ranks=ranks)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("weft: error"), 1)
                self.assertIn("none.toml", done.stderr.splitlines()[0])

    def test_an_error_of_the_first_rank_alone_ends_the_others_too(self):
        config = self.config(TORUS, UNIFORM, ENDLESS)
        done = self.weft("run", config, "--out", "no/such/folder/a.h5", ranks=2)
        self.assertEqual((done.returncode, done.stderr.count("weft: error [rank 0]: cannot write")), (5, 1), done.stderr)

    def test_only_one_rank_prints(self):
        self.assertEqual(self.weft("--version", ranks=2).stdout.count("weft"), 1)
        done = self.weft("run", self.config(TORUS, UNIFORM, SHORT), "--json", "-", "--progress", "never", ranks=2)
        self.assertEqual(json.loads(done.stdout)["ranks"], 2)


class Topology(Cli):
    def test_counts_of_a_torus_and_a_tree(self):
        torus = json.loads(self.assert_succeeds("topology", self.config(TORUS), "--json", "-"))
        self.assertEqual((torus["nodes"], torus["routers"], torus["router_links"], torus["node_links"]), (16, 16, 32, 0))
        self.assertEqual((torus["diameter"], torus["ports"]["total"]), (4, 64))
        self.assertEqual(torus["checked"], {"routers": 16, "ports": 64, "nodes": 16, "all": True})
        tree = json.loads(self.assert_succeeds("topology", self.config(TREE), "--json", "-"))
        self.assertEqual((tree["nodes"], tree["routers"], tree["router_links"], tree["node_links"]), (16, 6, 8, 16))

    def test_text_says_what_was_checked(self):
        text = self.assert_succeeds("topology", self.config(TREE))
        self.assertRegex(text, r"(?m)^wiring +correct; checked all: 6 routers .* 16 nodes$")
        large = self.assert_succeeds("topology", self.config(TORUS), "--set", "topology.dims=[512, 512]")
        self.assertIn("sample: 65,536 of 262,144 routers with 262,144 ports and 65,536 of 262,144 nodes", large)

    def test_ports_of_a_network_of_a_billion_nodes_are_counted_without_asking_each(self):
        text = self.assert_succeeds("topology", self.config(TORUS), "--set", "topology.dims=[1024, 1024, 1024]")
        self.assertRegex(text, r"(?m)^ports +6 a router, 6,442,450,944 in all$")
        self.assertIn("checked a spread sample: 65,536 of 1,073,741,824 routers", text)

    def test_wrong_networks_and_formats_are_refused(self):
        self.assert_fails(2, ["topology.kind"], "topology", self.config())
        self.assert_fails(2, ["graph.xyz", ".graphml"], "topology", self.config(TORUS), "--export", "graph.xyz")
        self.assert_fails(5, ["cannot write"], "topology", self.config(TORUS), "--export", "no/such/graph.dot")

    def exported(self, name, *texts):
        self.assertIn(name, self.assert_succeeds("topology", self.config(*texts), "--export", name))
        return (self.folder / name).read_text(encoding="utf-8")

    def test_graphml_is_xml_with_all_vertices_and_links(self):
        graph = xml.fromstring(self.exported("graph.graphml", TREE)).find(f"{GRAPHML}graph")
        ids = {node.get("id") for node in graph.iter(f"{GRAPHML}node")}
        edges = list(graph.iter(f"{GRAPHML}edge"))
        self.assertEqual((len(ids), len(edges)), (6 + 16, 8 + 16))
        self.assertEqual(len({edge.get("id") for edge in edges}), len(edges))
        for edge in edges:
            self.assertLessEqual({edge.get("source"), edge.get("target")}, ids)

    def test_json_is_a_node_link_graph_and_keeps_parallel_links(self):
        graph = json.loads(self.exported("graph.json", '[topology]\nkind = "torus"\ndims = [2, 4]\n'))
        self.assertEqual((len(graph["nodes"]), len(graph["links"])), (8, 16))
        ends = {
            end
            for link in graph["links"]
            for end in ((link["source"], link["source_port"]), (link["target"], link["target_port"]))
        }
        self.assertEqual(len(ends), 32)

    def test_graphs_of_one_way_links_are_directed_and_read_back_as_they_were(self):
        ring = '[topology]\nkind = "torus"\ndims = [4, 3]\nunidirectional = true\n'
        graph = json.loads(self.exported("graph.json", ring))
        self.assertTrue(graph["directed"])
        self.assertEqual(len(graph["links"]), 24)
        self.assertTrue(all(link["source_port"] % 2 == 0 and link["target_port"] % 2 == 1 for link in graph["links"]))
        self.assertIn("  r0 -> r1 [source_port=0, target_port=1];", self.exported("graph.dot", ring))
        self.exported("graph.graphml", ring)
        facts = json.loads(self.assert_succeeds("topology", self.config(ring), "--json", "-"))
        self.assertTrue(facts["one_way"])
        fabric = '[topology]\nkind = "file"\npath = "graph.graphml"\n'
        again = json.loads(self.assert_succeeds("topology", self.config(fabric), "--json", "-"))
        self.assertTrue(again["one_way"])
        # The links to nodes count in fabrics.
        self.assertEqual(again["diameter"], facts["diameter"] + 2)
        self.assertAlmostEqual(again["mean_distance"], facts["mean_distance"] + 2, places=12)
        info = json.loads(self.assert_succeeds("fabric", "info", "graph.graphml", "--json", "-"))
        self.assertTrue(info["one_way"])
        self.assertEqual(info["switch_links"], 24)

    def test_a_fabric_and_a_text_of_one_are_two_networks(self):
        for text in ("", "x"):
            self.assert_fails(2, ["topology.text and topology.path are both given"], "topology",
                              self.config(f'[topology]\nkind = "file"\npath = "graph.graphml"\ntext = "{text}"\n'))

    def test_dot_has_a_line_for_every_link(self):
        lines = self.exported("graph.dot", TREE).splitlines()
        self.assertEqual((lines[0].startswith('graph "'), lines[-1]), (True, "}"))
        self.assertEqual(sum(" -- " in line for line in lines), 8 + 16)


class Trace(Cli):
    def test_info_counts_the_bundled_trace(self):
        text = self.assert_succeeds("trace", "info", IS_TRACE)
        self.assertRegex(text, r"(?m)^tasks +16$")
        self.assertIn("4,842 sends, 4,842 receives", text)

    def test_check_accepts_the_bundled_trace(self):
        self.assertIn("complete", self.assert_succeeds("trace", "check", IS_TRACE))

    def test_check_lists_the_receives_that_never_end(self):
        path = self.write("stuck.trc", "s 0 1 7 100\nr 0 1 7 100\nr 1 0 8 50\n")
        detail = self.assert_fails(4, ["1 task waits for ever"], "trace", "check", path)
        self.assertEqual(len(detail), 1)
        for word in ("task 0", "line 3", "from 1", "tag 8", "50 bytes"):
            self.assertIn(word, detail[0])

    def test_check_lists_messages_that_nobody_receives(self):
        path = self.write("left.trc", "s 0 1 7 100\n" * 3 + "r 0 1 7 100\n")
        detail = self.assert_fails(4, ["2 messages are never received"], "trace", "check", path)
        self.assertEqual(detail, ["  task 1 never receives 2 messages from 0, tag 7, 100 bytes"])

    def test_files_that_are_no_traces_are_input_errors(self):
        self.assert_fails(3, ["none.trc"], "trace", "info", "none.trc")
        self.assert_fails(3, ["bad.trc:1"], "trace", "check", self.write("bad.trc", "s 0 1\n"))

    def test_a_generated_kernel_is_a_trace_that_completes(self):
        arguments = ["mesh", "--tasks", 16, "--message-bytes", 512, "--wrap", "--repetitions", 2, "--out", "mesh.trc"]
        self.assertIn("16 tasks", self.assert_succeeds("trace", "generate", *arguments))
        self.assertIn("128 messages", self.assert_succeeds("trace", "check", "mesh.trc"))

    def test_kernels_that_do_not_exist_or_fit_are_refused_and_leave_no_file(self):
        some = ["--tasks", 16, "--message-bytes", 8, "--out", "a.trc"]
        self.assert_fails(2, ["wavefrunt", "wavefront"], "trace", "generate", "wavefrunt", *some)
        self.assert_fails(2, ["return_sweep"], "trace", "generate", "mesh", *some, "--return-sweep")
        self.assert_fails(2, ["--tasks"], "trace", "generate", "mesh", *some[2:])
        self.assert_fails(5, ["cannot write"], "trace", "generate", "mesh", *some[:5], "no/such/a.trc")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_device_is_not_replaced_by_a_trace(self):
        some = ["--tasks", 16, "--message-bytes", 8, "--out", "/dev/null"]
        self.assert_fails(2, ["no regular file"], "trace", "generate", "mesh", *some)
        self.assertTrue(Path("/dev/null").is_char_device())


class Report(Cli):
    def test_a_report_of_a_run_is_written(self):
        self.assert_succeeds("run", self.config(TORUS, UNIFORM, SHORT), "--out", "a.h5", "--progress", "never")
        self.assertIn("1 run", self.assert_succeeds("report", "a.h5", "--out", "a.html"))
        self.assertIn("<html", (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_missing_and_foreign_results_are_input_errors(self):
        self.assert_fails(3, ["none.h5"], "report", "none.h5", "--out", "a.html")
        self.assert_fails(3, ["foreign.h5"], "report", self.write("foreign.h5", "text"), "--out", "a.html")
        self.assertFalse((self.folder / "a.html").exists())

    def test_a_page_that_cannot_be_written_is_a_system_error(self):
        result = self.write("a.h5", "text")
        self.assert_fails(5, ["cannot write"], "report", result, "--out", "no/such/a.html")
        self.assert_fails(2, ["it is a result"], "report", result, "--out", result)


if __name__ == "__main__":
    unittest.main()
