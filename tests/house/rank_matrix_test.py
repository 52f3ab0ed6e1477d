"""Tests of tests/rank_matrix.py with stand-ins for weft and mpirun: a comparison that never fails proves nothing."""

import json
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "rank_matrix.py"
SHARED = SCRIPT.parent / "ranks" / "shared.py"

# Answers like weft; FLAW names what goes wrong, and where: on the runs whose arguments contain WHERE.
FAKE_WEFT = """\
    #!/usr/bin/python3 -IS
    # Stand-in for weft: writes the summary of a made-up run.
    import json, os, sys, time
    arguments = sys.argv[1:]
    assert arguments[:1] == ["run"], arguments
    with open({log!r}, "a") as log:
        log.write(json.dumps([os.environ.get("FAKE_RANKS", "singleton"), *arguments]) + "\\n")
    summary = {{
        "digest": "0" * 31 + "1", "nodes": 64, "cycles": 1000, "hops": 4096, "stop_reason": "cycles",
        "packets": {{"generated": 101, "injected": 100, "delivered": 90, "dropped": 2, "in_flight": 8}},
        "messages": {{"sent": 10, "delivered": 9}}, "load": {{"accepted": 0.3}},
        "latency": {{"mean": 20.5, "unit": "cycles"}},
        "engine": {{"wall_s": time.monotonic(), "protocol": "sequential"}},
    }}
    for argument in arguments:
        if argument.startswith("parallel.protocol=") and os.environ.get("FAKE_RANKS", "ranks=1") != "ranks=1":
            summary["engine"]["protocol"] = argument.split("=")[1]
    flaw, where = {flaw!r}, {where!r}
    if where in " ".join([os.environ.get("FAKE_RANKS", "singleton"), *arguments]):
        if flaw == "digest": summary["digest"] = "f" * 32
        if flaw == "latency": summary["latency"]["mean"] = 20.500000000000004
        if flaw == "loss": summary["packets"]["in_flight"] = 7
        if flaw == "missing": del summary["hops"]
        if flaw == "protocol": summary["engine"]["protocol"] = "sequential"
        if flaw == "exit": print("error: no such key", file=sys.stderr); sys.exit(2)
        if flaw == "chatter": print("hello")
        if flaw == "hang": time.sleep(60)
        if flaw == "no file": arguments[arguments.index("--out") + 1] = os.devnull
    open(arguments[arguments.index("--out") + 1], "w").close()
    print(json.dumps(summary))
"""

FAKE_MPIRUN = """\
    #!/usr/bin/python3 -IS
    # Stand-in for mpirun -n R --bind-to none COMMAND: starts the command once.
    import os, sys
    assert sys.argv[1] == "-n" and sys.argv[3:5] == ["--bind-to", "none"], sys.argv
    assert os.environ["OMPI_MCA_rmaps_base_oversubscribe"] == "1"
    os.environ["FAKE_RANKS"] = "ranks=" + sys.argv[2]
    os.execv(sys.argv[5], sys.argv[5:])
"""


FAKE_SHARED_RUNS = """\
    #!/usr/bin/python3 -IS
    # Stand-in for shared_runs: each run by the stand-in for weft beside it. A step of more runs than processes is a mistake.
    import json, os, subprocess, sys
    weft = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "weft")
    for step in json.load(open(sys.argv[1])):
        assert sum(run["processes"] + run["idle"] for run in step) <= int(os.environ.get("FAKE_RANKS", "ranks=1").split("=")[1]), step
        for run in step:
            command, threads = run["command"], 1
            if "--threads" in command:
                at = command.index("--threads")
                threads = int(command[at + 1])
                del command[at:at + 2]
            sequential = "parallel.protocol=sequential" in command
            ranks = "singleton" if sequential else "ranks=" + str(run["processes"] * threads)
            with open(command[command.index("--json") + 1], "w") as out:
                code = subprocess.run([weft, *command], stdout=out, env=dict(os.environ, FAKE_RANKS=ranks)).returncode
            if code != 0:
                sys.exit(code)
"""


class RankMatrix(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "calls"
        self.script("mpirun", FAKE_MPIRUN)
        (self.folder / "config.toml").touch()

    def script(self, name, text):
        file = self.folder / name
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        file.chmod(0o755)
        return file

    def weft(self, name="weft", flaw="", where=""):
        return self.script(name, textwrap.dedent(FAKE_WEFT).format(log=str(self.log), flaw=flaw, where=where))

    def run_matrix(self, weft, *more):
        command = [sys.executable, "-B", str(SCRIPT), "--weft", str(weft), "--mpirun", str(self.folder / "mpirun")]
        command += ["--config", str(self.folder / "config.toml"), *more]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout + done.stderr

    def run_shared(self, weft, cases, *more):
        program = self.script("shared_runs", FAKE_SHARED_RUNS)
        lines = ["\t".join([name, "--config", str(self.folder / "config.toml"), *words]) for name, *words in cases]
        (self.folder / "some.cases").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [sys.executable, "-B", str(SHARED), "--weft", str(weft), "--mpirun", str(self.folder / "mpirun")]
        command += ["--program", str(program), "--cases", str(self.folder / "some.cases"), *more]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout + done.stderr

    def calls(self):
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def test_equal_runs_pass_and_all_of_the_matrix_is_run(self):
        code, text = self.run_matrix(self.weft(), "--", "--set", "simulation.seed=7")
        self.assertEqual(code, 0, text)
        runs = [(call[0], call[-3], call[-1]) for call in self.calls()]
        self.assertEqual(runs[0][0], "singleton")
        self.assertEqual(self.calls()[0][-1], "parallel.protocol=sequential")
        expected = [
            (f"ranks={ranks}", f"parallel.protocol={protocol}", f"parallel.partition={partition}")
            for ranks in (1, 2, 3, 4)
            for protocol, partition in (("windowed", "metis"), ("windowed", "block"), ("null-message", "block"))
        ]
        self.assertEqual(runs[1:], expected)
        for call in self.calls():
            self.assertIn("simulation.seed=7", call)
            self.assertEqual(call[call.index("--json") + 1], "-")

    def test_one_of_the_variants_for_each_rank_count_still_tries_them_all(self):
        first = set()
        for seed in range(4):
            self.log.unlink(missing_ok=True)
            code, text = self.run_matrix(self.weft(), "--ranks", "2", "3", "4", "--one-each", "--", "--set",
                                         f"simulation.seed={seed}")
            self.assertEqual(code, 0, text)
            runs = [(call[0], (call[-3], call[-1])) for call in self.calls()[1:]]
            self.assertEqual([ranks for ranks, _ in runs], ["ranks=2", "ranks=3", "ranks=4"])
            self.assertEqual(len({variant for _, variant in runs}), 3)
            first.add(runs[0][1])
        self.assertGreater(len(first), 1)

    def test_ranks_and_variants_can_be_chosen(self):
        code, text = self.run_matrix(self.weft(), "--ranks", "3", "--variants", "null-message:block")
        self.assertEqual(code, 0, text)
        self.assertEqual(len(self.calls()), 2)
        self.assertIn("parallel.protocol=null-message", self.calls()[1])

    def test_another_digest_on_one_run_fails_and_the_table_names_it(self):
        code, text = self.run_matrix(self.weft(flaw="digest", where="ranks=3"), "--variants", "windowed:metis")
        self.assertEqual(code, 1)
        bad = [line for line in text.splitlines() if "DIFFERS" in line]
        self.assertEqual(len(bad), 1, text)
        self.assertTrue(bad[0].startswith("3 ranks, windowed, metis"), text)
        self.assertIn("f" * 32, bad[0])

    def test_a_figure_that_differs_in_its_last_bit_fails(self):
        code, text = self.run_matrix(self.weft(flaw="latency", where="partition=block"), "--ranks", "2")
        self.assertEqual(code, 1)
        self.assertIn("20.500000000000004", text)

    def test_a_lost_packet_fails_even_if_all_runs_lose_it(self):
        code, text = self.run_matrix(self.weft(flaw="loss"))
        self.assertEqual(code, 1)
        self.assertIn("packets lost", text)

    def test_a_run_with_another_protocol_than_asked_for_fails(self):
        code, text = self.run_matrix(self.weft(flaw="protocol", where="ranks=2 run"), "--ranks", "2", "--variants",
                                     "null-message:block")
        self.assertEqual(code, 1)
        self.assertIn("ran with protocol sequential, expected null-message", text)

    def test_a_missing_key_fails(self):
        code, text = self.run_matrix(self.weft(flaw="missing"))
        self.assertEqual(code, 1)
        self.assertIn("hops", text)

    def test_a_nonzero_exit_code_fails_and_its_message_is_shown(self):
        code, text = self.run_matrix(self.weft(flaw="exit", where="ranks=2"))
        self.assertEqual(code, 1)
        self.assertIn("exit code 2", text)
        self.assertIn("no such key", text)

    def test_text_beside_the_summary_on_standard_output_fails(self):
        code, text = self.run_matrix(self.weft(flaw="chatter", where="ranks=4"))
        self.assertEqual(code, 1)
        self.assertIn("not one JSON document", text)

    def test_a_run_without_a_result_file_fails(self):
        code, text = self.run_matrix(self.weft(flaw="no file", where="ranks=1"))
        self.assertEqual(code, 1)
        self.assertIn("no result file", text)

    def test_a_run_that_hangs_is_ended(self):
        code, text = self.run_matrix(self.weft(flaw="hang", where="ranks=2"), "--ranks", "2", "--variants",
                                     "windowed:metis", "--timeout", "2")
        self.assertEqual(code, 1)
        self.assertIn("time limit", text)

    def test_another_build_is_compared_by_its_digest(self):
        other = self.weft("other", flaw="digest", where="singleton")
        code, text = self.run_matrix(self.weft(), "--compare-binary", str(other), "--ranks", "1")
        self.assertEqual(code, 1)
        self.assertIn("1 rank, other build", text)
        code, text = self.run_matrix(self.weft(), "--compare-binary", str(self.weft("same")), "--ranks", "1")
        self.assertEqual(code, 0, text)

    def test_cases_that_share_processes_are_run_as_often_as_each_alone(self):
        cases = [("a", "--ranks", "2", "3", "4", "--one-each"), ("b", "--ranks", "9"),
                 ("c", "--", "--set", "simulation.seed=7")]
        code, text = self.run_shared(self.weft(), cases)
        self.assertEqual(code, 0, text)
        self.assertIn("3 cases: one result each", text)
        ranks = [call[0] for call in self.calls()]
        self.assertEqual(ranks.count("singleton"), 3)
        self.assertEqual({n: ranks.count(f"ranks={n}") for n in (1, 2, 3, 4, 9)}, {1: 3, 2: 4, 3: 4, 4: 4, 9: 3})
        code, text = self.run_shared(self.weft(), cases, "--only", "b")
        self.assertIn("1 cases", text)

    def test_a_case_that_differs_among_those_that_share_processes_is_named(self):
        cases = [("good", "--ranks", "2"), ("bad", "--ranks", "2", "--", "--set", "simulation.seed=7")]
        for flaw in ("latency", "loss", "no file"):
            with self.subTest(flaw):
                code, text = self.run_shared(self.weft(flaw=flaw, where="ranks=2 run"), cases)
                self.assertEqual(code, 1, text)
        code, text = self.run_shared(self.weft(flaw="digest",
                                               where="simulation.seed=7 --set parallel.protocol=windowed"), cases)
        self.assertEqual(code, 1, text)
        self.assertNotIn("DIFFERS", text[: text.index("\nbad\n")])
        self.assertIn("f" * 32, text[text.index("\nbad\n") :])

    def test_a_run_that_fails_among_those_that_share_processes_fails_all(self):
        code, text = self.run_shared(self.weft(flaw="exit", where="ranks=2"), [("a", "--ranks", "2"), ("b",)])
        self.assertEqual(code, 1)
        self.assertIn("no such key", text)
        self.assertIn("FAILED", text)


if __name__ == "__main__":
    unittest.main()
