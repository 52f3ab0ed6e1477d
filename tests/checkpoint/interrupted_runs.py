"""Runs that end early, by a signal or a kill, and go on; on other ranks too, with weights of their own."""

import os
import signal
import subprocess
import time
from pathlib import Path

import harness
from harness import ROOT
from checkpointed_runs import HEAD, LONG, RANKS, SHORT, Checkpoints, ranks_of

WEFT, MPIRUN = harness.weft(), harness.mpirun()


class Signals(Checkpoints):
    processes = True

    def stopped_by(self, number, ranks, to_child=False):
        for name in ("run.ckpt.h5", "second.h5"):
            (self.folder / name).unlink(missing_ok=True)
        process = self.start(LONG, "--set", "checkpoint.every_cycles=2000", ranks=ranks)
        self.wait_for(self.folder / "run.ckpt.h5")  # it is running
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, err)
        self.assertEqual(out, "", "a run that is not over has no summary")
        self.assertIn("stopped at cycle", err)
        self.assertIn("--resume run.ckpt.h5", err)
        # Where it stopped is where it goes on.
        cycle = int(err.split("stopped at cycle ")[1].split()[0])
        again = self.start(LONG, "--resume", "run.ckpt.h5", "--set", "checkpoint.path=second.h5",
                           "--set", "checkpoint.every_seconds=1")
        self.wait_for(self.folder / "second.h5")
        again.send_signal(signal.SIGUSR1)
        _, err = again.communicate(timeout=60)
        self.assertEqual(again.returncode, 75, err)
        self.assertGreater(int(err.split("stopped at cycle ")[1].split()[0]), cycle)

    def test_usr1(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.stopped_by(signal.SIGUSR1, ranks)

    def test_term(self):
        self.stopped_by(signal.SIGTERM, 1)

    def test_a_signal_to_one_rank_stops_all(self):
        process = self.start(LONG, "--set", "checkpoint.every_cycles=2000", ranks=3)
        self.wait_for(self.folder / "run.ckpt.h5")
        os.kill(ranks_of(process)[-1], signal.SIGUSR1)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, err)

    def test_a_signal_before_the_program_has_begun_is_not_lost(self):
        config = self.write("config.toml", LONG)
        library = self.shim("early_signal_shim.c")
        done = subprocess.run([WEFT, "run", config, "--progress", "never"], cwd=self.folder, capture_output=True,
                              text=True,
                              env=harness.environment(LD_PRELOAD=str(library)), timeout=60, check=False)
        self.assertEqual(done.returncode, 75, done.stderr)
        self.assertTrue((self.folder / "run.ckpt.h5").exists())

    def test_a_signal_during_the_set_up_of_a_large_network_ends_it_there(self):
        config = self.write("config.toml", LONG.replace("[8, 8]", "[400, 400]"))
        library = self.shim("early_signal_shim.c")
        for more in ("", "router.kind=switch"):
            words = ["--set", more] if more else []
            done = subprocess.run([WEFT, "run", config, "--out", "run.h5", "--progress", "never", *words],
                                  cwd=self.folder, capture_output=True,
                                  text=True, env=harness.environment(LD_PRELOAD=str(library)), timeout=60, check=False)
            self.assertEqual(done.returncode, 75, done.stderr)
            self.assertIn("stopped before the first cycle as asked by a signal", done.stderr)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["config.toml", library.name])

    def test_a_signal_to_a_rank_during_the_set_up_ends_all(self):
        process = self.start(LONG.replace("[8, 8]", "[1200, 1200]"), ranks=2)
        limit = time.monotonic() + 30
        while len(ranks := ranks_of(process)) < 2 or not self.takes_signals(ranks[1]):
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.01)
        os.kill(ranks[1], signal.SIGUSR1)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, err)
        self.assertIn("stopped before the first cycle as asked by a signal", err)

    @staticmethod
    def takes_signals(process):
        """Whether a process has a handler for SIGUSR1: a moment after it has begun."""
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
        caught = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), 16)
        return caught >> (signal.SIGUSR1 - 1) & 1 == 1

    def test_the_second_term_ends_at_once(self):
        process = self.start(LONG, "--set", "checkpoint.every_cycles=2000")
        self.wait_for(self.folder / "run.ckpt.h5")
        for _ in range(200):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGTERM)
            time.sleep(0.001)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (-signal.SIGTERM, 75))


class Kills(Checkpoints):
    processes = True

    def test_a_killed_rank_ends_the_job_and_leaves_the_checkpoint(self):
        reference = self.run_weft(SHORT)
        config = SHORT.replace("cycles = 4000", "cycles = 400000")
        process = self.start(config, "--set", "checkpoint.every_cycles=2000", ranks=3)
        self.wait_for(self.folder / "run.ckpt.h5")
        victims = ranks_of(process)
        self.assertEqual(len(victims), 3)
        os.kill(victims[1], signal.SIGKILL)
        begin = time.monotonic()
        _, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 30, "the job outlived its rank")
        self.assertNotEqual(process.returncode, 0)
        self.assertNotEqual(process.returncode, 75)
        self.assertIn("signal 9", err)
        # The checkpoint is whole: the run goes on from it, and from a checkpoint of the short run likewise.
        went_on = self.start(config, "--resume", "run.ckpt.h5", "--set", "checkpoint.path=next.h5",
                             "--set", "checkpoint.every_cycles=2000")
        self.wait_for(self.folder / "next.h5")
        went_on.send_signal(signal.SIGUSR1)
        _, err = went_on.communicate(timeout=60)
        self.assertEqual(went_on.returncode, 75, err)
        self.checkpoint(ranks=2)
        self.assertEqual(self.run_weft(SHORT, "--resume", "run.ckpt.h5")["digest"], reference["digest"])

    def test_a_kill_while_writing_leaves_the_old_checkpoint(self):
        self.checkpoint()
        whole = (self.folder / "run.ckpt.h5").read_bytes()
        gone = subprocess.Popen(["true"])
        gone.wait()
        part = f"run.ckpt.h5.part-{os.uname().nodename}-{gone.pid}"  # what such a kill leaves behind
        (self.folder / part).write_bytes(whole[: len(whole) // 2])
        reference = self.run_weft(SHORT)
        self.assertEqual(self.run_weft(SHORT, "--resume", "run.ckpt.h5")["digest"], reference["digest"])
        self.assertIn("not a usable checkpoint", self.run_weft(SHORT, "--resume", part, expect=3))
        self.checkpoint()
        self.assertFalse((self.folder / part).exists(), "the next checkpoint clears it away")


class Weights(Checkpoints):
    """The partition follows the work that a checkpoint has seen."""

    def imbalance(self, config, *arguments):
        summary = self.run_weft(config, *arguments, ranks=3)
        events = summary["engine"]["rank_events"]
        return max(events) * len(events) / sum(events), summary["digest"]

    def test_a_profile_balances_a_trace_that_uses_a_part_of_the_network(self):
        trace = ROOT / "examples" / "traces" / "is.S.16.trc.xz"
        config = HEAD + f'[topology]\nkind = "torus"\ndims = [16, 16]\n[workload]\nkind = "trace"\npath = "{trace}"\n'
        reference = self.checkpoint(config=config, every=100000)
        before, digest = self.imbalance(config)
        after, weighted = self.imbalance(config, "--set", "parallel.weights=run.ckpt.h5")
        self.assertEqual({digest, weighted}, {reference["digest"]})
        self.assertLess(after, before - 0.2)
        _, resumed = self.imbalance(config, "--resume", "run.ckpt.h5")
        self.assertEqual(resumed, reference["digest"])

    def test_auto_takes_metis_where_boxes_would_share_the_work_out_unevenly(self):
        trace = ROOT / "examples" / "traces" / "is.S.16.trc.xz"
        # 16 tasks in one half of a row, which is one of the two boxes.
        corner = HEAD + f'[topology]\nkind = "torus"\ndims = [32, 8]\n[workload]\nkind = "trace"\npath = "{trace}"\n'
        for config, every, partition in ((SHORT, 1500, "boxes"), (corner, 100000, "metis")):
            reference = self.checkpoint(config=config, every=every)
            for arguments in (("--resume", "run.ckpt.h5"), ("--set", "parallel.weights=run.ckpt.h5")):
                again = self.run_weft(config, *arguments, ranks=2)
                self.assertEqual(again["digest"], reference["digest"])
                self.assertEqual(again["engine"]["partition"], partition, arguments)

    def test_weights_of_another_network(self):
        self.checkpoint()
        err = self.run_weft(SHORT.replace("[8, 8]", "[4, 4]"), "--set", "parallel.weights=run.ckpt.h5", expect=3,
                            ranks=RANKS[-1])
        self.assertIn("another network", err)


class Rebalancing(Checkpoints):
    """A run that shares its routers out anew at a checkpoint has the history of one that does not."""

    PROTOCOLS = ("windowed", "null-message")
    # All tasks in one row of routers, which is the first block's: boxes would share it out well from the start.
    TRACE = (HEAD + '[topology]\nkind = "torus"\ndims = [16, 16]\n[parallel]\npartition = "block"\n'
             f'[workload]\nkind = "trace"\npath = "{ROOT / "examples" / "traces" / "is.S.16.trc.xz"}"\n')
    KERNEL = (HEAD + '[topology]\nkind = "thin-tree"\ndown = 4\nup = 4\nlevels = 4\n'
              '[workload]\nkind = "kernel"\nname = "M2"\ntasks = 64\nmessage_bytes = 20000\n')
    INTERVALS = (HEAD + '[simulation]\nstop = "steady-state"\n[topology]\nkind = "torus"\ndims = [9, 7]\n'
                 '[workload]\nkind = "synthetic"\npattern = "hot-region"\noffered_load = 0.2\n')

    def moved(self, reference, config, ranks, every, above, *arguments):
        """The engine counters of a run on so many ranks that has rebalanced."""
        summary = self.run_weft(config, "--set", f"checkpoint.every_cycles={every}",
                                "--set", f"parallel.rebalance_above={above}", *arguments, ranks=ranks)
        for key in ("digest", "packets", "latency", "load", "cycles"):
            self.assertEqual(summary[key], reference[key], (key, ranks))
        self.assertEqual(summary["resumed_from_cycle"], 0)
        engine = summary["engine"]
        self.assertEqual(engine["packet_hops"], reference["engine"]["packet_hops"])
        self.assertEqual(sum(engine["rank_events"]), engine["events"])
        self.assertGreaterEqual(engine["rebalances"], 1, ranks)
        self.assertGreaterEqual(engine["checkpoints"], engine["rebalances"])
        return engine

    def check(self, config, every, first):
        """Every number of ranks, in turn with one protocol and the other, or with WEFT_ALL_CASES=1 with both; the load
        is better spread than without."""
        reference = self.run_weft(config)
        for ranks in (2, 3, 4):
            still = self.run_weft(config, ranks=ranks)["engine"]["rank_events"]
            for protocol in self.PROTOCOLS if harness.ALL_CASES else [self.PROTOCOLS[(first + ranks) % 2]]:
                engine = self.moved(reference, config, ranks, every, 1.2, "--set", f"parallel.protocol={protocol}")
                moved = engine["rank_events"]
                self.assertLess(max(moved) / sum(moved), max(still) / sum(still) - 0.2 / ranks, (ranks, protocol))

    def test_a_trace_that_uses_a_part_of_the_network(self):
        self.check(self.TRACE, 100000, first=0)

    def test_a_kernel_in_a_corner_of_a_tree(self):
        self.check(self.KERNEL, 500, first=1)

    def test_a_few_routers_that_do_all_the_work_leave_standard_output_to_the_summary(self):
        # METIS, given these weights as they are, writes complaints to standard output (run_weft parses that).
        config = (HEAD + '[topology]\nkind = "xgft"\nm = [5, 4]\nw = [1, 2]\n[workload]\nkind = "kernel"\n'
                  'name = "inverse-binary-tree"\ntasks = 4\n')
        reference = self.checkpoint(config=config, every=1000)
        self.assertEqual(self.run_weft(config, "--resume", "run.ckpt.h5", ranks=4)["digest"], reference["digest"])
        looked = self.run_weft(config, "--set", "checkpoint.every_cycles=100", "--set", "parallel.rebalance_above=1.2",
                               ranks=4)
        self.assertEqual(looked["digest"], reference["digest"])

    def test_measured_intervals_go_on_across_it(self):
        self.moved(self.run_weft(self.INTERVALS), self.INTERVALS, 3, 700, 1.0)

    def test_a_run_that_resumes_may_rebalance(self):
        reference = self.checkpoint(config=self.TRACE, every=90000)
        (self.folder / "run.ckpt.h5").rename(self.folder / "old.h5")
        again = self.run_weft(self.TRACE, "--resume", "old.h5", "--set", "checkpoint.every_cycles=10000",
                              "--set", "parallel.rebalance_above=1.05", ranks=3)
        self.assertEqual(again["digest"], reference["digest"])
        self.assertEqual(again["resumed_from_cycle"], 180000)
        self.assertLess(again["engine"]["packet_hops"], reference["engine"]["packet_hops"])

    def test_balanced_load_is_left_alone(self):
        summary = self.run_weft(SHORT, "--set", "checkpoint.every_cycles=1000", "--set", "parallel.rebalance_above=1.2",
                                ranks=2)
        self.assertEqual((summary["engine"]["rebalances"], summary["engine"]["checkpoints"]), (0, 4))
