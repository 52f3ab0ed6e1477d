"""The other commands, as their users and their scripts meet them."""

import json
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import harness
from harness import IS_TRACE, ROOT
from cli_runs import COMMANDS, GRAPHML, SHORT, TORUS, TREE, UNIFORM, Cli

WEFT, MPIRUN = harness.weft(), harness.mpirun()


class CommandLine(Cli):
    def test_version_is_one_line(self):
        self.assertRegex(self.assert_succeeds("--version"), r"\Aweft \d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.assert_succeeds("-v"), self.assert_succeeds("--version"))

    def test_help_of_the_program_lists_every_command(self):
        text = self.assert_succeeds("--help")
        for command in COMMANDS:
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

    def test_an_unknown_command_gets_the_nearest_one_suggested(self):
        self.assert_fails(2, ["'tpology'", "did you mean weft topology?"], "tpology", "config.toml")
        self.assert_fails(2, ["'chek'", "did you mean weft trace check?"], "trace", "chek", "a.trc")

    def test_an_unknown_option_gets_the_nearest_one_suggested(self):
        self.assert_fails(2, ["'--jsn'", "did you mean --json -?"], "run", "config.toml", "--jsn", "-")
        self.assert_fails(2, ["'--seed'", "did you mean --set simulation.seed=3"], "topology", "c.toml", "--seed", "3")
        self.assert_fails(2, ["weft run --threads 4"], "run", "-n", "4", "config.toml")

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
        for words in (["x" * 100000], ["run", "c.toml", "--" + "x" * 100000], ["run", "a", "b\n\x1b[31m"],
                      ["a\nb.toml"],
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
        self.assertIn("router.queue_packets", [row["key"] for row in json.loads(self.assert_succeeds("describe",
                "--json", "-"))["settings"]])
        self.assert_fails(2, ["--json", "'torus'", "leave one"], "describe", "torus", "--json", "-")

    def test_output_that_cannot_be_written_is_an_error(self):
        if not Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([WEFT, "describe"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn("standard output", done.stderr)


class Topology(Cli):
    def test_counts_of_a_torus_and_a_tree(self):
        torus = json.loads(self.assert_succeeds("topology", self.config(TORUS), "--json", "-"))
        self.assertEqual((torus["nodes"], torus["routers"], torus["router_links"], torus["node_links"]),
                         (16, 16, 32, 0))
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

    def test_cost_is_that_of_the_users_table(self):
        prices = self.write("prices.toml", "[floor]\nnodes_per_rack = 16\nracks_per_row = 2\nrack_pitch_m = 1\n"
                            'row_pitch_m = 2\nin_rack_m = 0.5\n[[switch]]\nname = "any"\nprice = 100\nwatts = '
                            '5\n[nic]\n'
                            'price = 3\n[[cable]]\nname = "any"\nprice_per_m = 10\n')
        # The 4-ary 2-tree: 8 switches and 16 nodes in one rack, 16 + 16 cables of half a metre.
        config = self.config('[topology]\nkind = "tree"\narity = 4\nlevels = 2\n')
        found = json.loads(self.assert_succeeds("topology", config, "--cost", prices, "--json", "-"))
        cost = found["cost"]
        self.assertEqual((cost["price"], cost["watts"], cost["racks"], cost["cable_m"], cost["currency"]),
                         (8 * 100 + 16 * 3 + 32 * 0.5 * 10, 40, 1, 16, "USD"))
        self.assertEqual(found["switching"], {"switches": 8, "radix": 8, "ports": 64, "crosspoints": 512})
        self.assertIn("1,008", self.assert_succeeds("topology", config, "--cost", prices))
        self.assertNotIn("cost", json.loads(self.assert_succeeds("topology", config, "--json", "-")))
        self.write("prices.toml", "[floor]\nnodes_per_rak = 16\n")
        self.assert_fails(2, ["prices.toml:2", "did you mean nodes_per_rack?"], "topology", config, "--cost", prices)
        self.assert_fails(2, ["none.toml"], "topology", config, "--cost", "none.toml")

    def test_networks_of_a_size_are_listed_with_settings_that_make_them(self):
        found = json.loads(self.assert_succeeds("topology", "--find", "1056", "--radix", "64", "--json", "-"))
        self.assertGreater(len({one["kind"] for one in found}), 8)
        for one in found:
            self.assertLessEqual(one["radix"], 64)
            settings = [f"topology.kind={one['kind']}", *one["settings"].split()]
            made = json.loads(self.assert_succeeds("topology", self.config(), "--json", "-",
                                                   *(word for setting in settings for word in ("--set", setting))))
            self.assertEqual((made["name"], made["nodes"], made["diameter"]),
                             (one["name"], one["nodes"], one["diameter"]))
        self.assert_fails(2, ["no kind of network has a shape", "more ports"], "topology", "--find", "7", "--radix",
                          "2")

    def test_networks_of_a_size_with_their_cost(self):
        prices = str(ROOT / "examples" / "costs" / "machine-room.toml")
        found = json.loads(self.assert_succeeds("topology", "--find", "4096", "--radix", "64", "--cost", prices,
                                                "--json", "-"))
        trees = [one for one in found if one["kind"] == "pgft"]
        full = next(one for one in trees if one["uniform_load_bound"] >= 0.99)
        thin = next(one for one in trees if one["uniform_load_bound"] < 0.99)
        self.assertEqual(full["routers"], 320)
        self.assertLess(thin["cost"]["price"], full["cost"]["price"])
        settings = ["topology.kind=pgft", *full["settings"].split()]
        alone = json.loads(self.assert_succeeds("topology", self.config(), "--cost", prices, "--json", "-",
                                                *(word for setting in settings for word in ("--set", setting))))
        self.assertEqual(alone["cost"]["price"], full["cost"]["price"])
        self.assert_fails(2, ["CONFIG"], "topology")

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
        for word in ("task 0", "stuck.trc:3", "from 1", "tag 8", "50 bytes"):
            self.assertIn(word, detail[0])

    def test_check_lists_messages_that_nobody_receives(self):
        path = self.write("left.trc", "s 0 1 7 100\n" * 3 + "r 0 1 7 100\n")
        detail = self.assert_fails(4, ["2 messages are never received"], "trace", "check", path)
        self.assertEqual(detail, ["  task 1 never receives 2 messages from 0, tag 7, 100 bytes"])

    def test_graphs_are_counted_and_checked_too(self):
        graphs = ROOT / "examples" / "traces" / "goal"
        for name, trace_format in (("testing_comp_simple4.goal", "goal"), ("testing_comp_simple4.bin", "goal-binary")):
            counts = json.loads(self.assert_succeeds("trace", "info", graphs / name, "--json", "-"))
            self.assertEqual((counts["format"], counts["tasks"], counts["idle_tasks"]), (trace_format, 16, 14))
            self.assertEqual(counts["operations"], {"send": 1, "receive": 1, "compute": 1, "probe": 0, "join": 0,
                                                    "time": 0})
            self.assertEqual((counts["messages"], counts["bytes"], counts["requirements"]), (1, 8000000, 1))
        self.assertIn("complete, 31 messages", self.assert_succeeds("trace", "check", graphs / "binary_tree_32.goal"))
        path = self.write("stuck.goal",
                          "num_ranks 2\nrank 0 {\nrecv 9b from -1 tag 4 comm 2\n}\nrank 1 {\nsend 9b to 0 tag 4\n}\n")
        detail = self.assert_fails(4, ["1 task waits for ever"], "trace", "check", path)
        self.assertEqual(len(detail), 2)
        for word in ("task 0", "line 3", "from any", "tag 4", "communicator 2", "9 bytes"):
            self.assertIn(word, detail[0])
        self.assertIn("task 0 never receives a message from 1, tag 4, 9 bytes", detail[1])

    def test_counts_of_records_as_json(self):
        counts = json.loads(self.assert_succeeds("trace", "info", IS_TRACE, "--json", "-"))
        self.assertEqual((counts["format"], counts["tasks"], counts["messages"], counts["bytes"]),
                         ("trc", 16, 4842, 3426152))
        self.assertEqual(counts["operations"], {"send": 4842, "receive": 4842, "compute": 697})

    def test_graphs_compute_where_a_cycle_has_a_length(self):
        config = self.config(TORUS, '[workload]\nkind = "trace"\npath = "a.goal"\n')
        self.write("a.goal", "num_ranks 1\nrank 0 {\ncalc 1\n}\n")
        self.assert_fails(2, ["workload.cpu_scale = 1", "the length of a cycle", "link.rate_gbps"], "run", config)

    def test_files_that_are_no_traces_are_input_errors(self):
        self.assert_fails(3, ["none.trc"], "trace", "info", "none.trc")
        self.assert_fails(3, ["bad.trc:1"], "trace", "check", self.write("bad.trc", "s 0 1\n"))

    def test_a_generated_kernel_is_a_trace_that_completes(self):
        arguments = ["mesh", "--tasks", 16, "--message-bytes", 512, "--wrap", "--repetitions", 2, "--out", "mesh.trc"]
        self.assertIn("16 tasks", self.assert_succeeds("trace", "generate", *arguments))
        self.assertIn("128 messages", self.assert_succeeds("trace", "check", "mesh.trc"))

    def test_the_workload_of_a_config_is_written_as_trc_or_goal_and_takes_as_long(self):
        ideal = 'format = 1\n[topology]\nkind = "ideal"\nnodes = 12\n[ideal]\noverhead_ns = 30\ngap_ns = 10\n'
        workload = ('[workload]\nkind = "collective"\nname = "all-to-all"\nalgorithm = "bruck"\nmessage_bytes = '
                    '100\nmatching = "order"\n')
        config = self.write("own.toml", ideal + workload)
        cycles = json.loads(self.assert_succeeds("run", config, "--json", "-", "--progress", "never"))["cycles"]
        for trace in ("bruck.goal", "bruck.trc"):
            self.assertIn("12 tasks", self.assert_succeeds("trace", "generate", "--config", config, "--out", trace))
            self.assertIn("complete", self.assert_succeeds("trace", "check", trace))
            replay = self.write("replay.toml", ideal
                                + f'[workload]\nkind = "trace"\npath = "{trace}"\nmatching = "order"\n')
            self.assertEqual(json.loads(self.assert_succeeds("run", replay, "--json", "-", "--progress",
                                                             "never"))["cycles"], cycles)
        # A graph stays one.
        self.assert_succeeds("trace", "generate", "--config", replay, "--set", "workload.path=bruck.goal", "--out",
                             "again.goal")
        self.assertEqual((self.folder / "again.goal").read_text(), (self.folder / "bruck.goal").read_text())
        self.assert_fails(2, ["graph", ".goal"], "trace", "generate", "--config", replay, "--set",
                          "workload.path=bruck.goal", "--out", "b.trc")
        self.assert_fails(2, ["no tasks"], "trace", "generate", "--config", self.config(TORUS, UNIFORM, SHORT), "--out",
                          "b.trc")
        self.assert_fails(2, ["KERNEL", "--config"], "trace", "generate", "--out", "b.trc")
        jobs = self.write("jobs.toml", ideal
                          + '[[job]]\nname = "a"\nworkload = {kind = "kernel", name = "mesh", tasks = 9}\n')
        self.assertIn("9 tasks", self.assert_succeeds("trace", "generate", "--config", jobs, "--job", "a", "--out",
                                                      "a.trc"))
        self.assert_fails(2, ["--job", "one of a"], "trace", "generate", "--config", jobs, "--out", "b.trc")

    def test_kernels_that_do_not_exist_or_fit_are_refused_and_leave_no_file(self):
        some = ["--tasks", 16, "--message-bytes", 8, "--out", "a.trc"]
        self.assert_fails(2, ["wavefrunt", "wavefront"], "trace", "generate", "wavefrunt", *some)
        self.assert_fails(2, ["return_sweep"], "trace", "generate", "mesh", *some, "--return-sweep")
        self.assert_fails(2, ["--tasks"], "trace", "generate", "mesh", *some[2:])
        self.assert_fails(5, ["cannot write"], "trace", "generate", "mesh", *some[:5], "no/such/a.trc")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_kernels_have_shapes_and_some_have_sizes_of_their_own(self):
        sweep = ["trace", "generate", "sweep3d", "--tasks", 32, "--shape", "8,4", "--out", "sweep.trc"]
        self.assertIn("sweep3d 8x4, 32 tasks", self.assert_succeeds(*sweep))
        # 8 octants of 5 blocks of planes and 2 of angles, over 28 links in x and 24 in y.
        self.assertIn("4,160 messages", self.assert_succeeds("trace", "check", "sweep.trc"))
        self.assert_fails(2, ["--message-bytes", "leave it out"], *sweep, "--message-bytes", 8)
        mesh = ["trace", "generate", "mesh", "--tasks", 32, "--message-bytes", 8, "--out", "a.trc"]
        self.assert_fails(2, ["[8, 3]", "of 24 tasks", "shape = [8, 4]"], *mesh, "--shape", "8,3")

    def test_kernels_of_configs_have_as_many_tasks_as_their_shape_and_know_their_own_keys_alone(self):
        config = self.config(TORUS, '[workload]\nkind = "kernel"\nname = "mesh"\nshape = [5, 2]\n')
        generate = ["trace", "generate", "--config", config, "--out", "a.trc"]
        self.assertIn("mesh 5x2, 10 tasks", self.assert_succeeds(*generate))
        self.assert_fails(2, ["workload.corners", 'name = "stencil"'], *generate, "--set", "workload.corners=true")
        stencil = [*generate, "--set", "workload.name=stencil"]
        self.assertIn("stencil 5x2", self.assert_succeeds(*stencil, "--set", "workload.corners=true"))
        self.assert_fails(2, ["workload.overlap", "workload.compute_ns"], *stencil, "--set", "workload.overlap=true")
        block = [*stencil, "--set", "workload.block=[8,8]"]
        self.assert_fails(2, ["workload.message_bytes", "sizes of messages follow"], *block, "--set",
                          "workload.message_bytes=8")
        self.assert_fails(2, ["2^24 tasks", "shape = "], *generate, "--set", "workload.shape=[16777216,2]")
        self.assert_fails(2, ["workload.compute_ns = 7", "link.rate_gbps"], "run", config, "--set",
                          "workload.compute_ns=7")

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
