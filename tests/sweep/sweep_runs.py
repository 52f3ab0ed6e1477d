"""Sweeps that tests run: a base config, a study, and what weft sweep says of them."""

import json
import os
import subprocess

import harness

WEFT, MPIRUN = harness.weft(), harness.mpirun()
BASE = 'format = 1\n[topology]\nkind = "torus"\ndims = [6, 6]\n[simulation]\ncycles = 1500\n'
BASE_OF_TRACE = ('format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[simulation]\nstop = "workload-complete"\n'
                 '[workload]\nkind = "trace"\npath = "t.trc"\n')
STUDY = """format = 1
[sweep]
base = "base.toml"
name = "s"
ranks = {ranks}
{more}
[[sweep.axis]]
key = "workload.pattern"
values = ["uniform", "{pattern}"]
[[sweep.axis]]
key = "workload.offered_load"
values = [0.1, 0.4]
"""


class Sweep(harness.Scratch):
    def setUp(self):
        super().setUp()
        self.write("base.toml", BASE)
        self.study = self.make_study()

    def make_study(self, pattern="tornado", ranks=1, more=""):
        return self.write("study.toml", STUDY.format(pattern=pattern, ranks=ranks, more=more))

    def make_trace(self):
        subprocess.run([WEFT, "trace", "generate", "wavefront", "--tasks", "4", "--message-bytes", "64", "--out",
                        str(self.folder / "t.trc")], check=True, capture_output=True)

    def make_study_of_trace(self, slurm=""):
        self.write("base.toml", BASE_OF_TRACE)
        self.make_trace()
        self.study.write_text('format = 1\n[sweep]\nbase = "base.toml"\nname = "s"\n[[sweep.axis]]\n'
                              f'key = "packet.phits"\nvalues = [4, 8]\n{slurm}', encoding="utf-8")

    def command(self, *arguments):
        return harness.with_mpi([WEFT, "sweep", self.study, "--progress", "never", *arguments])

    def sweep(self, *arguments, code=0, **environment):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, WEFT_RANKS="4", **environment), stdin=subprocess.DEVNULL,
                              timeout=100,
                              check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def points(self):
        return json.loads((self.folder / "s" / "points.json").read_text(encoding="utf-8"))["points"]

    def results(self):
        return sorted((self.folder / "s" / "points").glob("*.h5"))

    def result_times(self):
        return {path.name: path.stat().st_mtime_ns for path in self.results()}
