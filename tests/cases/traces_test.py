"""Traces that weft writes: what a config runs and what is written of it, what is converted, cut and counted.

Environment: WEFT_BINARY is the program."""

import json
import random
import shutil
import struct
import unittest

import cases
import harness

ROUTED = ('format = 1\ntopology = {kind = "ideal", nodes = 16}\nideal = {latency_ns = 300, overhead_ns = 7, gap_ns = '
          '3, byte_gap_ns = 0.5, byte_overhead_ns = 0.25}\n')
HEAT = harness.ROOT / "examples" / "traces" / "heat-8"


class Written(cases.Case):
    def ends(self, config, **keys):
        """[task]: when it ended, and how many messages went."""
        config = [config, *harness.settings(keys)]
        self.weft("run", *config, "--progress", "never", "--out", "run.h5")
        with harness.module("h5py").File(self.folder / "run.h5") as file:
            return [float(cycle) for cycle in file["tasks/finish_cycles"][:]]

    def ends_as_trace(self, config, name, **keys):
        self.weft("trace", "generate", "--config", config, *harness.settings(keys), "--out", name)
        self.write("replay.toml", ROUTED
                   + f'workload = '
                     f'{{kind = "trace", path = "{name}", cpu_scale = 1, trace_store = "none", matching = "order"}}\n')
        return self.ends("replay.toml")


class Lanes(Written):
    case = "04-lanes-as-goal"

    def test_lanes_end_when_the_graph_that_is_written_of_them_does(self):
        self.weft("trace", "generate", "--config", "tree.toml", "--out", "tree.goal")
        self.assertEqual(self.ends("tree.toml"), self.ends("goal.toml"))

    def test_any_program_ends_when_what_is_written_of_it_does(self):
        """Equal times at a task are frequent: lengths and times are multiples of few numbers."""
        draw = random.Random(11)
        rings = ["ring", "tree"]
        for number in range(14):
            size, tasks = draw.choice((100, 1000, 4000)), draw.choice((4, 8, 16))
            nccl = (f'kind = "nccl"\nname = "allreduce"\nalgorithm = "{draw.choice(rings)}"\ntasks = '
                    f'{tasks}\nmessage_bytes = {size}\n'
                    f'channels = {draw.choice((1, 2, 3))}\nchunk_bytes = {draw.choice((100, 500))}\nhop_ns = '
                    f'{draw.choice((0, 100))}\n')
            kernel = (f'kind = "kernel"\nname = "{draw.choice(("stencil", "mesh"))}"\ntasks = 16\nmessage_bytes = '
                      f'{size}\ncompute_ns = 250\n')
            with self.subTest(number=number):
                self.write("drawn.toml", ROUTED + "[workload]\n"
                           + (kernel + 'matching = "order"\n' if number % 4 == 3 else nccl))
                for name in ("drawn.goal", "drawn.goal.bin"):
                    self.assertEqual(self.ends("drawn.toml"), self.ends_as_trace("drawn.toml", name))


class Matched(Written):
    def test_what_is_written_of_a_program_that_matches_by_length_says_so_and_ends_as_it_does_then(self):
        """In cycles of multigrid a message of the way up overtakes one of the way down, on another path."""
        text = (harness.ROOT / "examples" / "multigrid.toml").read_text(encoding="utf-8")
        self.write("multigrid.toml", text)
        self.write("replay.toml", text[: text.index("[workload]")]
                   + '[workload]\nkind = "trace"\npath = "multigrid.goal"\n')
        self.assertIn('workload.matching = "length"', self.weft("trace", "generate", "--config", "multigrid.toml",
                                                                "--out", "multigrid.goal"))
        self.assertEqual(self.ends("replay.toml", workload__matching='"length"'), self.ends("multigrid.toml"))
        order = {"workload__matching": '"order"'}
        self.assertEqual(self.ends("replay.toml"), self.ends("multigrid.toml", **order))
        self.assertNotEqual(self.ends("replay.toml"), self.ends("multigrid.toml"))
        for words in (["multigrid.trc"], ["multigrid.goal", "--set", "workload.matching=order"]):
            self.assertNotIn("matching", self.weft("trace", "generate", "--config", "multigrid.toml", "--out", *words))


class Scaled(Written):
    case = "05-generate-cpu-scale"

    def test_computing_is_written_as_long_as_it_takes(self):
        times = {}
        for scale in (0, 1, 2.5):
            self.weft("trace", "generate", "--config", "inf.toml", "--set", f"workload.cpu_scale={scale}", "--out",
                      "x.goal")
            lines = (self.folder / "x.goal").read_text().splitlines()
            times[scale] = [int(line.split()[2]) for line in lines if " calc " in line]
        self.assertGreater(sum(times[1]), 0)
        self.assertEqual(times[0], [0] * len(times[1]))
        self.assertEqual(times[2.5], [5 * ns // 2 for ns in times[1]])

    def test_of_jobs_that_of_the_job(self):
        work = ('kind = "inference", layers = 4, hidden = 64, requests = 3, prompt_tokens = 5, output_tokens = 3, '
                'tasks = 2')
        self.write("jobs.toml", 'format = 1\ntopology = {kind = "ideal", nodes = 8}\n' + "".join(
            f'[[job]]\nname = "{name}"\nworkload = {{{work}, cpu_scale = {scale}}}\n' for name,
            scale in (("a", 2), ("b", 6))))
        computed = {}
        for name in "ab":
            self.weft("trace", "generate", "--config", "jobs.toml", "--job", name, "--out", "job.goal")
            lines = (self.folder / "job.goal").read_text().splitlines()
            computed[name] = [int(line.split()[2]) for line in lines if " calc " in line]
        self.assertGreater(sum(computed["a"]), 0)
        self.assertEqual(computed["b"], [3 * ns for ns in computed["a"]])


class Binary(Written):
    case = "03-goal-bin-forward"

    def test_what_an_operation_requires_may_come_later(self):
        self.weft("trace", "convert", "forward.goal", "--out", "forward.goal.bin")
        self.weft("trace", "convert", "forward.goal.bin", "--out", "back.goal")
        words = [line.split(maxsplit=1)[1] for line in (self.folder / "back.goal").read_text().splitlines()
                 if line.startswith("l")]
        self.assertEqual(words, ["calc 1", "requires l1", "calc 2"])

    def test_generate_writes_it_and_no_other_name_that_ends_so(self):
        self.weft("trace", "generate", "butterfly", "--tasks", 4, "--message-bytes", 10, "--out", "b.goal.bin")
        self.weft("trace", "generate", "butterfly", "--tasks", 4, "--message-bytes", 10, "--out", "b.goal")
        self.weft("trace", "convert", "b.goal", "--out", "c.goal.bin")
        self.assertEqual((self.folder / "b.goal.bin").read_bytes(), (self.folder / "c.goal.bin").read_bytes())
        self.weft("trace", "generate", "butterfly", "--tasks", 4, "--message-bytes", 10, "--out", "b.bin", code=2)
        self.assertIn("b.trc", self.errors)


class Idle(cases.Case):
    case = "11-alog-own-output"

    def test_a_task_without_events_is_read_from_every_format_that_it_is_written_in(self):
        for ending in ("alog", "clog2", "ti", "otf2", "goal", "goal.bin", "trc"):
            with self.subTest(ending):
                self.weft("trace", "convert", "x.trc", "--out", f"y.{ending}", "--no-store")
                info = self.weft("trace", "info", f"y.{ending}", "--no-store")
                self.assertIn("108 bytes in all", info)
                self.assertRegex(info, r"tasks +4\b")

    def test_a_log_that_does_not_say_how_many_tasks_it_has_has_events_of_each(self):
        self.write("gap.alog", "-101 0 0 2 0 25 7 1024\n-102 2 0 0 0 30 7 1024\n")
        self.weft("trace", "info", "gap.alog", "--no-store", code=3)
        self.assertIn("ranks are missing", self.errors)


class Communicators(cases.Case):
    def test_those_of_the_program_are_counted_not_those_of_messages_inside_of_calls(self):
        """heat.c uses MPI_COMM_WORLD alone."""
        for words in (["--no-store"], []):
            shutil.copytree(HEAT, self.folder / "heat", dirs_exist_ok=True)
            self.assertEqual(self.json_of("trace", "info", "heat", *words)["communicators"], 1)
        self.weft("trace", "cut", "heat", "--tasks", "0-3", "--out", "part.otf2")
        self.assertGreater(self.json_of("trace", "info", "part.otf2")["communicators"], 0)


class Statistics(cases.Case):
    def test_json_and_hdf5_have_the_same_names_and_values(self):
        self.weft("trace", "stats", HEAT, "--no-store", "--out", "x.json", "--out", "x.h5")
        self.compare("x")
        self.weft("trace", "stats", harness.ROOT / "examples" / "traces" / "liballprof", "--no-store", "--out",
                  "y.json", "--out", "y.h5")
        self.assertGreater(len(self.compare("y")["collectives"]), 0)

    def compare(self, name):
        told = json.loads((self.folder / f"{name}.json").read_text())
        with harness.module("h5py").File(self.folder / f"{name}.h5") as file:
            found = tree(file)
        del told["weft"]
        for operation in told["collectives"].values():
            rows = operation["sizes"]
            operation["sizes"] = {key: [row[key] for row in rows]
                                  for key in ("least_bytes", "most_bytes", "calls", "bytes")}
        found.setdefault("collectives", {})
        self.assertEqual(found, told)
        return told


def tree(group):
    found = {}
    for name, value in group.items():
        if hasattr(value, "items"):
            found[name] = tree(value)
        elif value.shape == ():
            found[name] = value.asstr()[()] if value.dtype.kind == "O" else value[()].item()
        else:
            found[name] = [one.decode() if isinstance(one, bytes) else one for one in value[:].tolist()]
    return found


class Parts(cases.Case):
    def test_tasks_whose_clocks_have_no_common_zero_begin_a_part_together(self):
        """Recorded by processor time: how far each rank was says nothing of when it came to the call. Inside of it
        nothing is computed."""
        out = self.weft("trace", "cut", HEAT, "--region", "MPI_Allreduce", "--out", "part.goal", "--no-store")
        self.assertIn("begin at once", out)
        text = (self.folder / "part.goal").read_text()
        self.assertIn("send", text)
        self.assertNotIn("calc", text)

    def test_tasks_with_one_clock_begin_as_far_apart_as_they_were(self):
        self.write("x.alog", "-3 0 0 2 0 0\n-11 0 0 0 0 0\n-13 0 5 6 0 0 white phase\n"
                             "5 0 0 0 0 100\n-101 0 0 1 0 110 7 8\n6 0 0 0 0 120\n"
                             "5 1 0 0 0 400\n-102 1 0 0 0 410 7 8\n6 1 0 0 0 420\n")  # fmt: skip
        out = self.weft("trace", "cut", "x.alog", "--region", "phase", "--out", "part.goal", "--no-store")
        self.assertNotIn("begin at once", out)
        self.assertIn("l0: calc 300000", (self.folder / "part.goal").read_text())


class Short(cases.Case):
    """Traces of some bytes that say they have 2^24 tasks take no more than those that say nothing."""

    def test_tasks_without_events_take_no_time(self):
        tasks = 1 << 24
        self.write("a.dim", f'#DIMEMAS:"x":1,0:{tasks}(1),0\n')
        self.write("b.prv", f"#Paraver (01/01/2020 at 10:00):100_ns:1(1):1:{tasks}(1:1),0\n")
        self.write("c.trc", f"s 0 {tasks - 1} 1 1\n")
        self.write("d.alog", f"-3 0 0 {tasks} 0 0\n-101 0 0 1 0 25 7 1024\n")
        self.write("e.vef", f"VEF3 {tasks} 1 1 0 0 FALSE 1\nC0 0 1\n0 0 1 8 0 1 -1\n")
        self.write("f.goal.bin", struct.pack("<QIBB", 4223, tasks, 0, 0))
        for name, codes in (("a.dim", (0, 0)), ("b.prv", (0, 0)), ("c.trc", (0, 4)), ("d.alog", (0, 4)),
                            ("e.vef", (0, 0)), ("f.goal.bin", (3, 3))):
            for command, code in zip(("info", "check"), codes, strict=True):
                with self.subTest(name, command=command):
                    limited = ["bash", "-c", 'ulimit -t 4; exec "$0" "$@"', cases.WEFT, "trace", command, name,
                               "--no-store"]
                    done, _, err = self.finish(self.start(limited), 120)
                    self.assertEqual(done, code, err)


if __name__ == "__main__":
    unittest.main()
