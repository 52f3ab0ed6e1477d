"""Every example says the same wherever its figures come out: a run, the config that the run prints and the one that is
in its result, a sweep of one point, Python, `weft explain`, and its program written as a trace.

    tests/by-hand tests/random/examples_test.py [--all] [NAME...]"""

import csv
import json
import os
import re
import sys
import tomllib
import unittest
from pathlib import Path

import example_configs
import harness

sys.path.insert(0, str(harness.ROOT / "tools" / "python"))
os.environ["WEFT"] = os.path.abspath(harness.weft())
import weft

from catalogue import Catalogue
from program import toml

h5py = harness.module("h5py")

WEFT = os.path.abspath(harness.weft())
# Some kinds of machines and workloads; all examples with --all.
SHORT = ("allreduce", "flows-incast", "ideal", "inference", "jobs", "nodes-rails", "torus-uniform", "wormhole-clos")
OF_THE_RUN = ("engine", "ranks", "host", "started_at", "resumed_from_cycle", "config", "warnings")
# What a trace cannot say: times of the outside world, computing that waits for nothing; and what is one.
NO_TRACE = ("flows", "inference", "storage", "trace")
CHOSEN = list(SHORT)
# By which rule receives of a written program find their messages, if by another than is usual.
MATCHING = re.compile(r'workload.matching = "(.*?)"')


def physics(summary):
    return {key: value for key, value in summary.items() if key not in OF_THE_RUN}


def difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            if a.get(key) != b.get(key):
                return difference(a.get(key), b.get(key), f"{path}.{key}")
    return f"{path.lstrip('.')}: {str(b)[:150]} instead of {str(a)[:150]}"


class Examples(harness.Scratch):
    def setUp(self):
        super().setUp()
        self.place = example_configs.copied(self.folder)

    def call(self, *words):
        return self.finish(self.start([WEFT, *words], cwd=self.place), seconds=600)

    def figures(self, config, *words):
        path = self.folder / "summary.json"
        code, _, err = self.call("run", config, "--json", path, "--quiet", *words)
        self.assertEqual(code, 0, f"{config}: {err}")
        return read(path)

    def same(self, name, summary, what):
        """Names of files may be seen from elsewhere."""
        found = json.loads(json.dumps(physics(summary)).replace(f"{self.place}/", "").replace(f"{self.folder}/", "../"))
        if found != physics(self.base):
            self.fail(f"{name}.toml, {what}: {difference(physics(self.base), found)}")

    def test_figures_are_the_same_everywhere(self):
        for name in CHOSEN:
            with self.subTest(example=name):
                self.example(name)

    def example(self, name):
        config, result = f"{name}.toml", self.folder / "result.h5"
        self.base = self.figures(config, "--out", result)
        self.printed(name)
        self.kept(name, result)
        self.swept(name)
        self.from_python(name, result)
        self.reported(name, result)
        if not self.base.get("tasks") or self.base["config"].get("measure", {}).get("seeds", 1) > 1:
            return
        self.explained(name)
        self.as_trace(name)

    def printed(self, name):
        """The config that --print-config writes is that of the run."""
        code, out, err = self.call("run", f"{name}.toml", "--print-config")
        self.assertEqual(code, 0, err)
        (self.place / "printed.toml").write_text(out, encoding="utf-8")
        self.same(name, self.figures("printed.toml"), "the config that it prints")

    def kept(self, name, result):
        """The one in the result has every key with its value, as TOML and as JSON, and so has the summary."""
        with h5py.File(result) as file:
            kept = {form: file.attrs[f"config_{form}"] for form in ("toml", "json")}
            self.assertEqual(file.attrs["digest"], self.base["digest"])
        self.assertEqual(json.loads(kept["json"]), self.base["config"])
        again = tomllib.loads(kept["toml"])
        for table, keys in self.base["config"].items():
            for key, value in keys.items() if isinstance(keys, dict) else ():
                if value is not None and not isinstance(value, dict):
                    kept = again[table].get(key, value)
                    # kept with its folder
                    is_file = isinstance(kept, str) and os.path.isabs(kept) and kept.endswith(f"/{value}")
                    self.assertEqual(value if is_file else kept, value, f"{name}.toml: {table}.{key}")

    def swept(self, name):
        """A sweep of one point has the figures of the run, in its result and in its table."""
        seed = self.base["seed"]
        (self.place
         / "one.toml").write_text(f'format = 1\n[sweep]\nname = "one"\nbase = "{name}.toml"\nout = "swept-{name}"\n\n'
                                             f'[[sweep.axis]]\nkey = "simulation.seed"\nvalues = [{seed}]\n',
                                  encoding="utf-8")
        code, _, err = self.call("sweep", "one.toml", "--progress", "never")
        self.assertEqual(code, 0, f"{name}: {err}")
        points = list((self.place / f"swept-{name}").rglob("points/*.h5"))
        self.assertEqual(len(points), 1, points)
        with h5py.File(points[0]) as file:
            self.assertEqual(file.attrs["digest"], self.base["digest"], f"{name}.toml as a point of a sweep")
        with open(self.place / f"swept-{name}" / "one.csv", encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
        self.assertEqual([row["digest"] for row in rows if "digest" in row], [self.base["digest"]]
                         * ("digest" in rows[0]))

    def from_python(self, name, result):
        summary = weft.run(str(self.place / f"{name}.toml"), progress=False).summary
        self.same(name, summary, "from Python")
        loaded = weft.load(result).summary
        for path in loaded.paths():
            if path.split(".")[0] in OF_THE_RUN:
                continue
            try:
                value, expected = loaded[path], self.base[path]
            except KeyError:
                continue
            if value is not None and expected is not None and value == value:  # noqa: PLR0124 - not a number
                self.assertEqual(value, expected, f"{name}.toml: {path} as it is loaded")

    def reported(self, name, result):
        """The page names the history that it shows."""
        code, _, err = self.call("report", result, "--out", self.folder / "page.html")
        self.assertEqual(code, 0, err)
        self.assertIn(self.base["digest"], (self.folder / "page.html").read_text(encoding="utf-8"), name)

    def explained(self, name):
        """The time that is explained is the time of the run."""
        path = self.folder / "explained.json"
        code, _, err = self.call("explain", f"{name}.toml", "--json", path, "--quiet", "--no-ideal")
        self.assertEqual(code, 0, f"{name}: {err}")
        took = {row["name"]: row["finish_cycle"] - row["start_cycle"] for row in self.base.get("jobs", [])
                if row["finish_cycle"] is not None}
        took = took or {"": self.base["tasks.finish_cycles_max"]}
        # too many records for the memory that it may have: explained is what came before, as the warning says
        if "the timeline ends at cycle" in err:
            return
        for run in read(path)["runs"]:
            if run["job"] in took:
                self.assertEqual(run["cycles"], took[run["job"]],
                                 f"{name}.toml: {run['job'] or 'the run'} as it is explained")

    def as_trace(self, name):
        """The program written as a trace, or that of each job, ends at the same tick, but for traffic classes, which
        packets draw."""
        if self.base.get("traffic_classes"):
            return
        config = tomllib.loads((self.place / "printed.toml").read_text(encoding="utf-8"))
        jobs = config.pop("job", [])
        written = [self.written(name, row["workload"], f"{row['name']}.goal", "--job", row["name"]) for row in jobs]
        if not jobs:
            workload = self.written(name, config.get("workload", {}), "written.goal")
            written.append(workload)
            config["workload"] = workload
        if not any(written):
            return
        keys = flat(config)
        del keys["format"]
        for row, workload in zip(jobs, written, strict=bool(jobs)):
            job = flat({**row, "workload": workload or row["workload"]}, f"job.{row['name']}.")
            keys |= {key: value for key, value in job.items() if not key.endswith(".name")
                     or key.endswith(".workload.name")}
        (self.place / "trace.toml").write_text(toml(keys), encoding="utf-8")
        again = self.figures("trace.toml")
        for figure in ("task_finish_cycles", "messages", "packets"):
            self.assertEqual(again[figure], self.base[figure], f"{name}.toml, its program as a trace: {figure}")
        ends = [[(row["name"], row["start_cycle"], row["finish_cycle"]) for row in of.get("jobs", [])]
                for of in (self.base, again)]
        self.assertEqual(*ends, f"{name}.toml, its jobs as traces")

    def written(self, name, workload, path, *words):
        """The table of a workload that is the trace written of one; None where it cannot be written."""
        kinds = Catalogue.of(WEFT).workloads
        kind = workload.get("kind", "synthetic")
        if kind in NO_TRACE or not kinds[kind]["tasks"]:
            return None
        code, out, err = self.call("trace", "generate", "--config", f"{name}.toml", *words, "--out", path)
        if code == 2:
            self.assertIn("; ", err)
            return None
        self.assertEqual(code, 0, f"{name}: {err}")
        settings = Catalogue.of(WEFT).settings
        of_all = {key: value for key, value in workload.items() if key != "tasks"
                  and "trace" in (settings[f"workload.{key}"]["kinds"] or ["trace"])}
        if not self.base["cycle_ns"]:
            of_all["cpu_scale"] = 0  # no times in ns, of which there are none then
        if told := MATCHING.search(out):
            of_all["matching"] = told[1]
        return {**of_all, "kind": "trace", "path": path}


def flat(table, path=""):
    keys = {}
    for key, value in table.items():
        keys |= flat(value, f"{path}{key}.") if isinstance(value, dict) else {f"{path}{key}": value}
    return keys


def read(path):
    return weft.Summary(json.loads(Path(path).read_text(encoding="utf-8")))


if __name__ == "__main__":
    words = sys.argv[1:]
    if "--all" in words:
        CHOSEN[:] = example_configs.names()
        words.remove("--all")
    names = [word for word in words if (example_configs.EXAMPLES / f"{word}.toml").exists()]
    if names:
        CHOSEN[:] = names
    unittest.main(argv=[sys.argv[0], *(word for word in words if word not in names)], verbosity=2)
