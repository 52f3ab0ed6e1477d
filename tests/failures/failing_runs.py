"""Runs that must fail: with which exit code, line and files, alone and on several ranks."""

import subprocess

import harness

WEFT, MPIRUN = harness.weft(), harness.mpirun()
RANKS = (1, 3)
LIMIT_S = 60
TORUS = '[topology]\nkind = "torus"\ndims = [4, 4]\n'
UNIFORM = TORUS + "[simulation]\ncycles = 500\n"
# So long that only an end before the simulation, or a kill, keeps the test within its limit.
ENDLESS = TORUS + "[simulation]\ncycles = 100000000000\n"
TRACE = TORUS + '[workload]\nkind = "trace"\npath = "app.trc"\n'


class Failures(harness.Scratch):
    processes = True

    def command(self, config, *arguments, ranks=1, program=WEFT):
        self.write("config.toml", "format = 1\n" + config)
        return harness.with_mpi([program, "run", "config.toml", "--progress", "never", *arguments], ranks,
                                processes=self.processes)

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
