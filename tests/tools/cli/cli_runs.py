"""Commands of the program that tests run, and what they say."""

import subprocess

import harness

WEFT, MPIRUN = harness.weft(), harness.mpirun()
COMMANDS = ["run", "describe", "topology", "trace", "trace info", "trace check", "trace generate",
            "trace import", "trace convert", "trace cut", "trace stats", "trace merge", "report", "plot",
            "sweep", "scaling", "fabric", "fabric info", "fabric check", "fabric paths",
            "fabric route", "fabric ebb", "fabric applications",
            "fabric report", "fabric compare", "fabric what-if", "study", "cosim", "help"]
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
