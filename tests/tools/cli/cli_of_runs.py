"""weft run, as its users and their scripts meet it."""

import json
import os
import signal
import time

import harness
from cli_runs import ENDLESS, SHORT, TORUS, TREE, UNIFORM, Cli

WEFT, MPIRUN = harness.weft(), harness.mpirun()


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
                      ["fabric", "report", tree, "--engine", "minhop", "--out", "x.h5"],
                      ["report", config, "--out", "x.pdf"],
                      ["run", config, "--json", "x.h5"], ["topology", config, "--json", "x.html"],
                      ["trace", "generate", "BU", "--tasks", 4, "--message-bytes", 8, "--out", "x.trc.xz"]):
            with self.subTest(words=words):
                self.assert_fails(2, ["is no name for what is written"], *words)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"config.toml", "tree.toml"})

    def test_a_config_and_a_study_are_not_taken_for_each_other(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        study = self.write("study.toml", 'format = 1\n[sweep]\nbase = "config.toml"\n')
        self.assert_fails(2, ["is a study, not a config of one run", "use weft sweep", 'its base "config.toml"'], "run",
                          study)
        self.assert_fails(2, ["is the config of one run, not a study", "use weft run"], "sweep", config)

    def test_keys_without_effect_are_refused_unless_allowed(self):
        config = self.config(TORUS, SHORT, "[measure]\nbatches = 3\n")
        self.assert_fails(2, ["config.toml:8: measure.batches = 3 has no effect", "remove it, or simulation.cycles"],
                          "run", config)
        self.assert_succeeds("run", config, "--allow-unused", "--progress", "never")
        self.assert_fails(2, ["--set measure.intervals=2"], "run", config, "--allow-unused", "--set",
                          "measure.intervals=2")

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
        done = json.loads(self.assert_succeeds("run", config, "--json", "-",
                                               *(word for one in settings for word in ("--set", one))))
        self.assertGreater(done["packets"]["delivered"], 500)
        return done["distance"]["mean"]

    def test_are_taken_forwards_by_every_machine_that_goes_by_tables(self):
        self.assertAlmostEqual(self.distance("router.kind=dally"), self.MEAN, delta=0.2)
        for settings in (["router.kind=forwarding-table", "router.virtual_channels=4"],
                         ["router.kind=forwarding-table", "router.virtual_channels=16", "router.engine=minhop"],
                         ["router.kind=source-route", "router.virtual_channels=4"],
                         ["router.kind=switch", "router.routing=forwarding-table", "router.virtual_channels=4"],
                         ["router.kind=infiniband", "packet.phits=4"],
                         ["router.kind=myrinet", "packet.phits=16", "router.routing=forwarding-table",
                          "router.one_layer=true",
                          "nic.dispersion=none", "deadlock.unsafe=true"]):
            with self.subTest(settings=settings):
                self.assertAlmostEqual(self.distance(*settings), self.MEAN, delta=0.2)

    def test_need_channels_that_crossbars_of_myrinet_have_not(self):
        self.assert_fails(2, ["need 4 virtual layers", "router.virtual_channels", "one channel"], "run",
                          self.config(self.TORUS),
                          "--set", "router.kind=myrinet")

    def test_are_told_of_in_fabrics(self):
        config = self.config(self.TORUS)
        checked = self.assert_succeeds("fabric", "check", config)
        self.assertNotIn("unreachable", checked)
        found = json.loads(self.assert_succeeds("fabric", "ebb", config, "--engine", "dor", "--count", "2", "--json",
                                                "-"))
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
        self.assertEqual((done.returncode, done.stderr.count("weft: error [rank 0]: cannot write")), (5, 1),
                         done.stderr)

    def test_only_one_rank_prints(self):
        self.assertEqual(self.weft("--version", ranks=2).stdout.count("weft"), 1)
        done = self.weft("run", self.config(TORUS, UNIFORM, SHORT), "--json", "-", "--progress", "never", ranks=2)
        self.assertEqual(json.loads(done.stdout)["ranks"], 2)


class Threads(Cli):
    """Ranks that are threads of one process; that they change nothing is what ranks.matrix-N are about."""

    def run_it(self, config, *arguments, code=0):
        done = self.weft("run", config, "--json", "-", "--progress", "never", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return (json.loads(done.stdout) if code == 0 else None), done.stderr

    def test_are_ranks_whose_figures_are_their_own(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        alone, _ = self.run_it(config)
        for threads in (2, 3, 5):
            several, _ = self.run_it(config, "--threads", threads)
            self.assertEqual((several["digest"], several["ranks"]), (alone["digest"], threads))
            for figure in ("cpu_s", "blocked_s", "exchange_s", "rss_bytes"):
                self.assertEqual(len(several["engine"][figure]), threads, figure)
            # Memory is the process's, shared out: not that of several processes.
            self.assertLess(sum(several["engine"]["rss_bytes"]), 2 * sum(alone["engine"]["rss_bytes"]))

    def test_more_than_cores_are_warned_of_and_more_than_routers_refused(self):
        config = self.config(TORUS, UNIFORM, SHORT)
        _, errors = self.run_it(config, "--threads", 16)
        cores = len(os.sched_getaffinity(0))
        self.assertEqual("give --threads" in errors, cores < 16, errors)
        _, errors = self.run_it(config, "--threads", 17, code=2)
        self.assertIn("17 ranks are more than the 16 routers of the network; use 16 or fewer (mpirun -n, --threads)",
                      errors)
        for threads in ("0", "-1", "two", "1.5", "1025"):
            self.assertIn("--threads", self.run_it(config, "--threads", threads, code=2)[1])

    def test_an_error_of_all_is_shown_once_and_so_is_one_of_a_single_rank(self):
        burst = self.config(TORUS, '[workload]\nkind = "burst"\nburst_packets = 20\n[simulation]\nmax_cycles = 50\n')
        _, errors = self.run_it(burst, "--threads", 2, code=4)
        self.assertEqual(errors.count("error"), 1, errors)
        self.assertNotIn("[rank", errors)
        refused = self.run_it(self.config(TORUS, UNIFORM, SHORT), "--threads", 2, "--resume", "none.h5", code=3)[1]
        self.assertEqual(refused.count("error"), 1, refused)

    def test_a_signal_ends_them_with_a_checkpoint_that_any_number_goes_on_from(self):
        config = self.config(TORUS, UNIFORM, "[simulation]\ncycles = 400000\n")
        keys = ("--quiet", "--set", "checkpoint.path=c.h5", "--set", "checkpoint.every_cycles=20000")
        run = self.start([WEFT, "run", config, *keys, "--threads", "2"])
        while not (self.folder / "c.h5").exists():
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        code, _, errors = self.finish(run)
        self.assertEqual(code, 75, errors)
        (self.folder / "c.h5").rename(self.folder / "kept.h5")
        digests = {self.run_it(config, *keys, "--threads", threads, "--resume", "kept.h5")[0]["digest"]
                   for threads in (1, 3)}
        self.assertEqual(digests, {self.run_it(config, "--quiet")[0]["digest"]})

    def test_what_checkpoints_and_results_hold_does_not_depend_on_them(self):
        config = self.config(TORUS, UNIFORM, "[simulation]\ncycles = 2000\n")
        for threads, resuming in ((3, 2), (1, 4), (4, 1)):
            self.run_it(config, "--threads", threads, "--set", "checkpoint.every_cycles=900", "--set",
                        "checkpoint.path=c.h5")
            again, _ = self.run_it(config, "--threads", resuming, "--resume", "c.h5", "--set", "checkpoint.path=c.h5",
                                   "--set",
                                   "checkpoint.every_cycles=900")
            self.assertEqual(again["resumed_from_cycle"], 1800)
            self.assertEqual(again["digest"], self.run_it(config)[0]["digest"])
