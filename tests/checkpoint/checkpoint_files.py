"""Checkpoints that are damaged, foreign or of other runs, and disks that are full or not to be written to."""

import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time

import harness
from harness import ROOT
from checkpointed_runs import HEAD, LONG, RANKS, SHORT, Checkpoints

WEFT, MPIRUN = harness.weft(), harness.mpirun()


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
                self.refused(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :], "bad.h5", config=config,
                             ranks=ranks)
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
            self.refused(content, "simulation.seed", expect=2, config=SHORT.replace("cycles", "seed = 5\ncycles"),
                         ranks=ranks)

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


    def test_another_recording_of_noise_or_other_factors(self):
        noise, factors = self.folder / "noise.txt", self.folder / "factors.txt"
        noise.write_text("0 100\n# period_ns = 1000\n")
        factors.write_text("3 0.5\n")
        config = HEAD + ('[topology]\nkind = "ideal"\nnodes = 16\n[ideal]\noverhead_ns = 10\n'
                         '[workload]\nkind = "collective"\nname = "all-to-all"\nmessage_bytes = 64\nrepetitions = 100\n'
                         'noise_file = "noise.txt"\ncpu_factors = "factors.txt"\n')
        reference = self.checkpoint(config=config, every=20000)
        self.assertEqual(self.run_weft(config, "--resume", "run.ckpt.h5")["digest"], reference["digest"])
        for path in (noise, factors):
            before = path.read_text()
            path.write_text("# another\n" + before)
            self.assertIn("has changed since", self.run_weft(config, "--resume", "run.ckpt.h5", expect=3))
            path.write_text(before)

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


class Disks(Checkpoints):
    processes = True

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
        self.assertRegex(err,
                         r"stopped at cycle \d+ as asked by a signal, but cannot write the checkpoint 'run.ckpt.h5'")

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
        return self.start(LONG if "--stop" in arguments else SHORT, "--set", "checkpoint.every_cycles=1500",
                          ranks=ranks,
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
