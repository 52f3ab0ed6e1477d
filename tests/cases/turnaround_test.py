"""workload.turnaround_cycles is the same whoever runs the tasks: plain, as the only job, on the rules of docs/programs.md, and as a trace.

Environment: WEFT_BINARY is the program."""

import unittest
import unittest.mock

import cases

NETWORK = {"topology": '{kind = "torus", dims = [4, 4]}', "link": "{rate_gbps = 10}"}  # a cycle is 3.2 ns
KERNELS = {"M3": 30, "stencil": 16, "wavefront": 16, "mesh": 16, "waterfall": 16}


class Runs(cases.Case):
    def ends(self, workload, job=False, **keys):
        """Of each task, in cycles."""
        words = ", ".join(f"{key} = {value}" for key, value in {"turnaround_cycles": 100, **workload, **keys}.items())
        lines = ["format = 1", *(f"{table} = {keys}" for table, keys in NETWORK.items())]
        lines.append(f'[[job]]\nname = "only"\nworkload = {{{words}}}' if job else f"workload = {{{words}}}")
        self.write("t.toml", "\n".join(lines) + "\n")
        return self.run_json("t.toml", "--out", "t.h5")["task_finish_cycles"]


class Whoever(Runs):
    def plain(self, name, **keys):
        return {"kind": '"kernel"', "name": f'"{name}"', "tasks": min(16, KERNELS[name]), "message_bytes": 65, **keys}

    def as_traces(self, workload):
        """The same workload written out."""
        self.ends(workload)
        for form in ("trc", "goal"):
            self.weft("trace", "generate", "--config", "t.toml", "--out", f"t.{form}")
            yield form, {"kind": '"trace"', "path": f'"t.{form}"', "cpu_scale": 1}

    def test_the_same_end_whoever_runs_the_tasks(self):
        for name in KERNELS:
            for compute_ns in (0, 1, 50):  # nothing; less than a tick, which is nothing; more
                workload = self.plain(name, compute_ns=compute_ns)
                expected = self.ends(workload)
                if compute_ns == 50:
                    self.assertNotEqual(expected, self.ends(workload, turnaround_cycles=0), name)
                with self.subTest(kernel=name, compute_ns=compute_ns):
                    self.assertEqual(self.ends(workload, job=True), expected, "as the only job")
                    self.assertEqual(self.ends(workload, gap_ns=0.01), expected, "with a gap of no tick")
                    for form, trace in self.as_traces(workload):
                        self.assertEqual(self.ends(trace), expected, form)


class Overlapping(Runs):
    """Receives that a task has started, and lanes, turn it around as well; a cycle is 1 ns on the ideal network."""

    IDEAL = {"topology": '{kind = "ideal", nodes = 2}', "ideal": "{latency_ns = 100, overhead_ns = 0, gap_ns = 0}"}

    def ended(self, name, lines):
        self.write(name, "\n".join(lines) + "\n")
        with unittest.mock.patch.dict(NETWORK, self.IDEAL, clear=True):
            return self.ends({"kind": '"trace"', "path": f'"{name}"', "cpu_scale": 1, "trace_store": '"none"'})

    def test_from_when_the_message_was_taken(self):
        calls = ["0 init", "1 init", "0 send 1 7 8", "1 irecv 0 7 8", "1 compute 150", "1 wait 0 1 7", "1 compute 30", "0 finalize", "1 finalize"]
        # There at 100, taken at 150, when the task has computed: it goes on at 250.
        self.assertEqual(self.ended("x.txt", calls), [0, 280])
        self.weft("trace", "convert", "x.txt", "--out", "x.goal", "--no-store")
        self.assertEqual(self.ended("x.goal", (self.folder / "x.goal").read_text(encoding="utf-8").splitlines()), [0, 280])

    def test_of_all_streams_of_a_task(self):
        graph = ["num_ranks 2", "rank 0 {", "send 8b to 1", "}", "rank 1 {", "r: recv 8b from 0", "a: calc 110 cpu 3", "b: calc 5 cpu 1", "b requires a",
                 "n: calc 0 cpu 2", "n requires r", "}"]  # fmt: skip
        self.assertEqual(self.ended("x.goal", graph), [0, 205])


if __name__ == "__main__":
    unittest.main()
