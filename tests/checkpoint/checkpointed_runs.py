"""Runs that write checkpoints and are resumed."""

import json
import os
import subprocess
import time
from pathlib import Path

import harness

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
        # The rate of events may be beyond the end of the line, and where no end is known there is no ETA.
        while "events/s" not in seen and "ETA" not in seen:
            piece = os.read(process.stderr.fileno(), 65536)
            self.assertNotEqual(piece, b"", seen)
            seen += piece.decode(errors="replace")

    def wait_for(self, path, seconds=60):
        limit = time.monotonic() + seconds
        while not path.is_file():
            self.assertLess(time.monotonic(), limit, f"{path.name} was not written")
            time.sleep(0.02)


def ranks_of(mpirun):
    """Process ids of the ranks under an mpirun."""
    return sorted(process.pid for process in harness.running()
                  if process.parent == mpirun.pid and Path(process.words[0]).name == "weft")
