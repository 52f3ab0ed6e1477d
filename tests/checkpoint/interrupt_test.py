"""Checkpoints through the real program: signals, killed ranks, damaged and foreign files, disks that are full or not to be
written to. Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

from harness import ROOT  # noqa: E402

WEFT, MPIRUN = harness.weft(), harness.mpirun()
RANKS = (1, 3)

HEAD = "format = 1\n"
TORUS = '[topology]\nkind = "torus"\ndims = [8, 8]\n[workload]\nkind = "synthetic"\noffered_load = 0.5\n'
SHORT = HEAD + "[simulation]\ncycles = 4000\n" + TORUS
LONG = HEAD + "[simulation]\ncycles = 100000000\n" + TORUS


class Checkpoints(harness.Scratch):
    def start(self, config, *arguments, ranks=1, progress="never", environment=None, **more):
        path = self.write("config.toml", config)
        return super().start([WEFT, "run", path, "--json", "-", "--progress", progress, *arguments], ranks,
                             variables=environment, **more)

    def shim(self, source):
        """A library to be preloaded, from a C file beside this one."""
        library = (self.folder / source).with_suffix(".so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, Path(__file__).with_name(source),
                        "-ldl"], check=True)
        return library

    def run_weft(self, config, *arguments, expect=0, **more):
        process = self.start(config, *arguments, **more)
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, expect, err)
        return json.loads(out) if expect == 0 else err

    def checkpoint(self, ranks=1, config=SHORT, every=1500):
        """A whole run that leaves a checkpoint; its summary."""
        return self.run_weft(config, "--set", f"checkpoint.every_cycles={every}", ranks=ranks)

    def wait_until_simulating(self, process):
        """Of a run with progress="always": until its set-up is over."""
        seen = ""
        while "events/s" not in seen:
            piece = os.read(process.stderr.fileno(), 65536)
            self.assertNotEqual(piece, b"", seen)
            seen += piece.decode(errors="replace")

    def wait_for(self, path, seconds=60):
        limit = time.monotonic() + seconds
        while not path.is_file():
            self.assertLess(time.monotonic(), limit, f"{path.name} was not written")
            time.sleep(0.02)


class Signals(Checkpoints):
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
        done = subprocess.run([WEFT, "run", config, "--progress", "never"], cwd=self.folder, capture_output=True, text=True,
                              env=harness.environment(LD_PRELOAD=str(library)), timeout=60, check=False)
        self.assertEqual(done.returncode, 75, done.stderr)
        self.assertTrue((self.folder / "run.ckpt.h5").exists())

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


def ranks_of(mpirun):
    """Process ids of the ranks under an mpirun."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            name = (entry / "comm").read_text().strip()
        except (OSError, ValueError, IndexError):
            continue
        if parent == mpirun.pid and name == "weft":
            found.append(int(entry.name))
    return sorted(found)


class Kills(Checkpoints):
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


class Files(Checkpoints):
    def refused(self, content, *words, expect=3, config=SHORT, ranks=1):
        (self.folder / "bad.h5").write_bytes(content)
        err = self.run_weft(config, "--resume", "bad.h5", expect=expect, ranks=ranks)
        for word in words:
            self.assertIn(word, err)
        self.assertIn("weft: error", err)

    def test_damaged_files(self):
        self.checkpoint()
        whole = (self.folder / "run.ckpt.h5").read_bytes()
        self.refused(b"", "empty")
        self.refused(b"what is this", "not a usable checkpoint")
        for part in (0.3, 0.7, 0.999):
            self.refused(whole[: int(len(whole) * part)], "bad.h5")
        for place in (0.2, 0.5, 0.8):
            at = int(len(whole) * place)
            damaged = whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :]
            for ranks in (1, 2):  # of two, only one keeps the record
                self.refused(damaged, "bad.h5", ranks=ranks)
        err = self.run_weft(SHORT, "--resume", "missing.h5", expect=3)
        self.assertIn("no such file", err)
        err = self.run_weft(SHORT, "--resume", ".", expect=3)
        self.assertIn("directory", err)

    def test_a_checkpoint_that_is_refused_leaves_the_events_as_they_are(self):
        config = SHORT.replace("[simulation]", '[statistics]\nevents = "events.txt"\n[simulation]', 1)
        self.checkpoint(config=config)
        whole, events = (self.folder / "run.ckpt.h5").read_bytes(), (self.folder / "events.txt").read_bytes()
        for place in (0.2, 0.5, 0.8):
            at = int(len(whole) * place)
            for ranks in (1, 2):
                self.refused(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :], "bad.h5", config=config, ranks=ranks)
                self.assertEqual((self.folder / "events.txt").read_bytes(), events)
        self.run_weft(config, "--resume", "run.ckpt.h5")
        self.assertEqual((self.folder / "events.txt").read_bytes(), events, "cut, and written once more")

    def test_a_file_that_is_replaced_while_the_ranks_open_it(self):
        digest = self.checkpoint()["digest"]  # the last is of cycle 3000
        shutil.copy(self.folder / "run.ckpt.h5", self.folder / "late.h5")
        self.checkpoint(every=2500)
        shutil.copy(self.folder / "run.ckpt.h5", self.folder / "early.h5")
        over = threading.Event()

        def replace():
            while not over.is_set():
                for name in ("late.h5", "early.h5"):
                    os.link(self.folder / name, self.folder / "next.h5")
                    os.rename(self.folder / "next.h5", self.folder / "run.ckpt.h5")

        replacing = threading.Thread(target=replace)
        replacing.start()
        try:
            for _ in range(3):
                summary = self.run_weft(SHORT, "--resume", "run.ckpt.h5", ranks=2)
                self.assertEqual(summary["digest"], digest)
                self.assertIn(summary["resumed_from_cycle"], (2500, 3000))
        finally:
            over.set()
            replacing.join()

    def test_a_result_is_no_checkpoint(self):
        self.run_weft(SHORT, "--out", "result.h5")
        self.refused((self.folder / "result.h5").read_bytes(), "weft_checkpoint_layout")

    def test_another_config(self):
        self.checkpoint()
        content = (self.folder / "run.ckpt.h5").read_bytes()
        self.refused(content, "workload.offered_load = 0.5", "workload.offered_load = 0.25", expect=2,
                     config=SHORT.replace("= 0.5", "= 0.25"))
        for ranks in RANKS:
            self.refused(content, "simulation.seed", expect=2, config=SHORT.replace("cycles", "seed = 5\ncycles"), ranks=ranks)

    def test_settings_of_the_computation_may_change(self):
        reference = self.checkpoint()
        for more in (["parallel.partition=block"], ["checkpoint.every_seconds=100"], ["checkpoint.path=other.h5"]):
            summary = self.run_weft(SHORT, "--resume", "run.ckpt.h5", "--set", *more, ranks=RANKS[-1])
            self.assertEqual(summary["digest"], reference["digest"])

    def test_another_trace(self):
        trace = ROOT / "examples" / "traces" / "is.S.16.trc.xz"
        shutil.copy(trace, self.folder / "app.trc.xz")
        config = HEAD + '[topology]\nkind = "torus"\ndims = [4, 4]\n[workload]\nkind = "trace"\npath = "app.trc.xz"\n'
        reference = self.checkpoint(config=config, every=20000)
        self.assertEqual(self.run_weft(config, "--resume", "run.ckpt.h5")["digest"], reference["digest"])
        others = sorted((ROOT / "examples" / "traces").glob("*.trc*"))
        other = next((path for path in others if path != trace), None)
        if other is None:
            text = subprocess.run(["xz", "-dc", trace], stdout=subprocess.PIPE, check=True).stdout
            content = subprocess.run(["xz", "-c"], input=text + b"\n", stdout=subprocess.PIPE, check=True).stdout
        else:
            content = other.read_bytes()
        (self.folder / "app.trc.xz").write_bytes(content)
        self.assertIn("has changed since", self.run_weft(config, "--resume", "run.ckpt.h5", expect=3))


    def test_the_inputs_that_count_are_those_of_the_start(self):
        config = HEAD + ('[topology]\nkind = "torus"\ndims = [4, 4]\n'
                         '[workload]\nkind = "kernel"\nname = "mesh"\ntasks = 4\nmessage_bytes = 64\n'
                         'repetitions = 100000000\n[placement]\npolicy = "file"\npath = "nodes.txt"\n')
        placed, moved = "".join(f"{n} {n} 0\n" for n in range(4)), "".join(f"{n + 4} {n} 0\n" for n in range(4))
        nodes = self.folder / "nodes.txt"
        nodes.write_text(placed)
        process = self.start(config, progress="always")
        self.wait_until_simulating(process)
        nodes.unlink()  # read by now: nobody needs it until the run is resumed
        process.send_signal(signal.SIGUSR1)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, err)
        nodes.write_text(moved)
        self.assertIn("has changed since", self.run_weft(config, "--resume", "run.ckpt.h5", expect=3))
        nodes.write_text(placed)
        again = self.start(config, "--resume", "run.ckpt.h5", progress="always")
        self.wait_until_simulating(again)
        again.kill()
        again.communicate(timeout=60)


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

    def check(self, config, every):
        """Every number of ranks and protocol; the load is better spread than without."""
        reference = self.run_weft(config)
        for ranks in (2, 3, 4):
            still = self.run_weft(config, ranks=ranks)["engine"]["rank_events"]
            for protocol in ("windowed", "null-message"):
                engine = self.moved(reference, config, ranks, every, 1.2, "--set", f"parallel.protocol={protocol}")
                moved = engine["rank_events"]
                self.assertLess(max(moved) / sum(moved), max(still) / sum(still) - 0.2 / ranks, (ranks, protocol))

    def test_a_trace_that_uses_a_part_of_the_network(self):
        self.check(self.TRACE, 100000)

    def test_a_kernel_in_a_corner_of_a_tree(self):
        self.check(self.KERNEL, 500)

    def test_a_few_routers_that_do_all_the_work_leave_standard_output_to_the_summary(self):
        # METIS, given these weights as they are, writes complaints to standard output (run_weft parses that).
        config = (HEAD + '[topology]\nkind = "xgft"\nm = [5, 4]\nw = [1, 2]\n[workload]\nkind = "kernel"\n'
                  'name = "inverse-binary-tree"\ntasks = 4\n')
        reference = self.checkpoint(config=config, every=1000)
        self.assertEqual(self.run_weft(config, "--resume", "run.ckpt.h5", ranks=4)["digest"], reference["digest"])
        looked = self.run_weft(config, "--set", "checkpoint.every_cycles=100", "--set", "parallel.rebalance_above=1.2", ranks=4)
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


class Disks(Checkpoints):
    def test_a_place_that_cannot_be_written_is_said_before_the_run(self):
        for path in ("no-such-folder/run.h5", "."):
            err = self.run_weft(LONG, "--set", f"checkpoint.path={path}", expect=5)
            self.assertIn("cannot write", err)

    def test_the_checkpoint_lies_beside_the_result(self):
        (self.folder / "results").mkdir()
        self.run_weft(SHORT, "--out", "results/a.h5", "--set", "checkpoint.every_cycles=1500")
        self.assertEqual(sorted(path.name for path in (self.folder / "results").iterdir()), ["a.ckpt.h5", "a.h5"])
        self.assertFalse((self.folder / "run.ckpt.h5").exists())

    def test_a_run_without_checkpoints_needs_no_place_for_them(self):
        # Nothing can be created in /proc, not even by root.
        process = self.start(SHORT, cwd="/proc")
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("would lose its state", out + err)
        err = self.start(SHORT, "--set", "checkpoint.every_cycles=1500", cwd="/proc").communicate(timeout=60)[1]
        self.assertIn("cannot write 'run.ckpt.h5'", err)
        process = self.start(LONG, cwd="/proc", progress="always")
        self.wait_until_simulating(process)
        process.send_signal(signal.SIGUSR1)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, err)
        self.assertRegex(err, r"stopped at cycle \d+ as asked by a signal, but cannot write the checkpoint 'run.ckpt.h5'")

    def test_every_rank_puts_its_part_on_the_disk_before_the_rename(self):
        self.checkpoint(every=1000)
        old = (self.folder / "run.ckpt.h5").read_bytes()
        library = self.shim("fsync_shim.c")
        log = self.folder / "fsync.log"
        process = self.start(SHORT, "--set", "checkpoint.every_cycles=3000", ranks=3, environment={
            "LD_PRELOAD": str(library), "WEFT_FSYNC_LOG": str(log), "WEFT_FSYNC_FAILS": "2"})
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err)
        self.assertRegex(err, "cannot write the checkpoint .*rank 2 on .*fsync failed: Input/output error")
        self.assertEqual(json.loads(out)["engine"]["checkpoints"], 0)
        self.assertEqual(sorted(log.read_text(encoding="ascii").split()), ["0", "1", "2"])
        self.assertEqual((self.folder / "run.ckpt.h5").read_bytes(), old)
        self.assertEqual(list(self.folder.glob("*.part*")), [])

    def limited(self, ranks, *arguments):
        """A run whose files may not grow beyond some KiB, as on a full disk."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        return self.start(LONG if "--stop" in arguments else SHORT, "--set", "checkpoint.every_cycles=1500", ranks=ranks,
                          preexec_fn=limit)

    def test_a_full_disk_keeps_the_old_checkpoint_and_the_run(self):
        reference = self.checkpoint(every=1000)
        old = (self.folder / "run.ckpt.h5").read_bytes()
        process = self.limited(1)
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("cannot write the checkpoint", err)
        summary = json.loads(out)
        self.assertEqual(summary["digest"], reference["digest"])
        self.assertTrue(any("checkpoint" in text for text in summary["warnings"]))
        self.assertEqual((self.folder / "run.ckpt.h5").read_bytes(), old)
        self.assertEqual(list(self.folder.glob("*.part*")), [])

    def test_a_full_disk_at_the_stop_is_an_error(self):
        process = self.limited(1, "--stop")
        time.sleep(1.0)
        process.send_signal(signal.SIGUSR1)
        _, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("cannot write the checkpoint", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
