"""A command that makes several runs: each has files of its own, and none writes over what a user or another run
wrote."""

import json
import shutil
import sys
import unittest
from pathlib import Path

import h5py
from cases import CASES, Case

EXAMPLES = CASES.parents[1] / "examples"
sys.path.insert(0, str(CASES.parents[1] / "tools/python"))


def lines_of(path):
    """Packet events of a file, which must be whole and in the order of time."""
    rows = [line.split() for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    ticks = [int(row[0]) for row in rows]
    assert all(len(row) == 7 for row in rows) and ticks == sorted(ticks), path
    return len(rows)


class PointsOfASweep(Case):
    case = "17-sweep-shared-files"

    def test_each_point_has_its_own_packet_events(self):
        self.weft("sweep", "s.toml", "--jobs", "2")
        results = sorted((self.folder / "out/points").glob("*.h5"))
        self.assertEqual(len(results), 4)
        paths = set()
        for result in results:
            with h5py.File(result) as file:
                path, lines = file["events/path"][()].decode(), int(file["events/lines"][()])
            paths.add(path)
            self.assertEqual(lines_of(path), lines)
            self.assertEqual(Path(path).parent.resolve(), result.parent.resolve())
        self.assertEqual(len(paths), 4)
        self.assertFalse((self.folder / "e.txt").exists())

    def test_a_point_and_its_seeds_too(self):
        text = (self.folder / "base.toml").read_text() + "measure = {seeds = 2}\n"
        self.write("base.toml", text.replace("[0.1, 0.2, 0.3, 0.4]", "[0.1, 0.2]"))
        self.weft("sweep", "s.toml", "--jobs", "2")
        self.assertEqual(len(list((self.folder / "out/points").glob("*.events-seed-?.txt"))), 8)

    def test_runs_of_a_scaling_study_have_their_own(self):
        self.write("scaling.toml",
                   'format = 1\n[scaling]\nname = "s"\nbase = "base.toml"\nout = "times"\nranks = [1, 2]\nrepeat = 2\n'
                   '[[scaling.size]]\nname = "small"\nset = ["simulation.cycles=200"]\n')  # fmt: skip
        self.weft("scaling", "scaling.toml")
        files = sorted((self.folder / "times").glob("*.events.txt"))
        self.assertEqual(len(files), 4)
        self.assertEqual(len({lines_of(file) for file in files}), 1)
        self.assertFalse((self.folder / "e.txt").exists())

    def test_runs_of_a_study_in_python_have_their_own(self):
        import weft

        study = weft.Study(str(self.folder / "base.toml"), {"workload.offered_load": [0.1, 0.3]}, seeds=2,
                           out=str(self.folder / "study"))
        study.run()
        files = sorted((self.folder / "study/points").glob("*.events.txt"))
        self.assertEqual(len(files), 4)
        for file in files:
            summary = json.loads(Path(str(file).replace(".events.txt", ".json")).read_text())
            self.assertEqual(summary["statistics"]["events"], {"path": str(file), "lines": lines_of(file)})
        self.assertFalse(Path("e.txt").exists())


class LoneRunsOfJobs(Case):
    def test_write_none(self):
        self.take("07-slowdown-draws")
        config = self.write("c.toml", (self.folder / "c.toml").read_text() +
                            '[statistics]\nevents = "e.txt"\nmatches = "m.txt"\ntimeline = "t.json"\n')  # fmt: skip
        self.weft("run", config, "--quiet")
        kept = {name: (self.folder / name).read_bytes() for name in ("e.txt", "m.txt", "t.json")}
        self.weft("run", config, "--quiet", "--slowdown")
        for name, content in kept.items():
            self.assertEqual((self.folder / name).read_bytes(), content, name)


class Explain(Case):
    def test_leaves_the_files_of_a_run_as_they_are(self):
        self.take("16-explain-overwrites-events")
        self.weft("run", "c.toml", "--quiet")
        kept = {name: (self.folder / name).read_bytes() for name in ("e.txt", "m.txt")}
        self.weft("explain", "c.toml", "--set", "checkpoint.path=here.ckpt.h5", "--set", "checkpoint.every_cycles=50")
        self.assertNotIn("cannot write the checkpoint", self.errors)
        for name, content in kept.items():
            self.assertEqual((self.folder / name).read_bytes(), content, name)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["c.toml", "e.txt", "m.txt"])

    def test_takes_configs_that_ask_for_a_timeline_and_writes_none(self):
        self.take("08-explain-timeline")
        without = self.write("without.toml",
                             (self.folder / "c.toml").read_text().replace('statistics = {timeline = "t.json"}\n', ""))
        for ending in ("json", "pftrace", "h5", "otf2"):
            found = self.json_of("explain", "c.toml", "--set", f"statistics.timeline=t.{ending}")
            plain = self.json_of("explain", without)
            self.assertEqual(json.dumps(found).replace('"c"', '"x"'), json.dumps(plain).replace('"without"', '"x"'))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["c.toml", "without.toml"])

    def test_takes_the_example_and_one_seed_of_several(self):
        shutil.copytree(EXAMPLES, self.folder / "examples", ignore=shutil.ignore_patterns("studies", "python",
                "plugin"))
        one = self.json_of("explain", "examples/timeline.toml")
        two = self.json_of("explain", "examples/timeline.toml", "--set", "measure.seeds=2")
        self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main()
