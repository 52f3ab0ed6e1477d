"""Results that are kept are those of the files that the run reads, whether the config names them or what they are
behind."""

import json
import re
import sys
import unittest

from cases import CASES, Case

TRACE = CASES.parents[1] / "examples/traces/dumpi/testtrace.meta"
sys.path.insert(0, str(CASES.parents[1] / "tools/python"))


class FilesBehindATrace(Case):
    def setUp(self):
        super().setUp()
        self.weft("trace", "convert", TRACE, "--out", "ti", "--to", "ti")
        self.write("s.toml", 'format = 1\n[sweep]\nbase = "c.toml"\nname = "s"\nout = "out"\n[[sweep.axis]]\n'
                   'key = "simulation.seed"\nvalues = [1]\n')  # fmt: skip

    def config(self, path):
        return self.write("c.toml", 'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[link]\nrate_gbps = 100.0\n'
                          f'[workload]\nkind = "trace"\ncpu_scale = 1\npath = "{path}"\n')  # fmt: skip

    def compute_longer(self, file="ti/rank-0.txt"):
        path = self.folder / file
        path.write_text(re.sub(r"compute (\d+)", r"compute 9\1", path.read_text(), count=1))

    def digest_of_point(self):
        self.weft("sweep", "s.toml")
        return json.loads((self.folder / "out/points.json").read_text())["points"][0]["digest"]

    def test_a_point_of_a_sweep_is_run_again_when_one_of_them_has_changed(self):
        for path in ("ti", "ti/index.txt", "ti/rank-*.txt"):
            with self.subTest(path):
                config = self.config(path)
                before = self.digest_of_point()
                self.assertEqual(before, self.run_json(config)["digest"])
                self.compute_longer()
                now = self.run_json(config)["digest"]
                self.assertNotEqual(now, before)
                self.assertEqual(self.digest_of_point(), now)

    def test_a_point_is_run_again_when_a_file_more_fits_the_pattern(self):
        """One of a task with which the others' barriers do not count, so that the run does not end."""
        ranks = len(list((self.folder / "ti").glob("rank-*.txt")))
        self.config("ti/rank-*.txt")
        self.digest_of_point()
        self.write(f"ti/rank-{ranks}.txt", f"{ranks} init\n{ranks} compute 12345\n{ranks} finalize\n")
        self.weft("sweep", "s.toml", code=4)
        self.assertIn("unmatched receive", self.errors)

    def test_a_point_is_kept_while_nothing_has_changed(self):
        self.config("ti")
        self.digest_of_point()
        results = {path: path.stat().st_mtime_ns for path in (self.folder / "out/points").glob("*.h5")}
        self.digest_of_point()
        self.assertEqual(results, {path: path.stat().st_mtime_ns for path in (self.folder / "out/points").glob("*.h5")})

    def test_a_frozen_sweep_does_not_go_on_with_other_files(self):
        self.config("ti/rank-*.txt")
        self.digest_of_point()
        frozen = next((self.folder / "out/frozen").glob("*/sweep.json"))
        for file in (self.folder / "out/points").glob("*.h5"):
            file.unlink()
        self.compute_longer()
        self.weft("sweep", frozen, code=3)
        self.assertIn("has changed since the sweep was frozen", self.errors)

    def test_files_of_noise_and_processors_count_too(self):
        self.write("noise.txt", "0 10\n100 10\n")
        self.write("slow.txt", "0 1.5\n")
        self.write("c.toml",
                   'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[link]\nrate_gbps = 100.0\n[workload]\n'
                   'kind = "kernel"\nname = "mesh"\ncompute_ns = 500\nnoise_file = "noise.txt"\ncpu_factors = '
                   '"slow.txt"\n')
        seen = [self.digest_of_point()]
        self.write("noise.txt", "0 30\n100 10\n")
        seen.append(self.digest_of_point())
        self.write("slow.txt", "0 2.5\n")
        seen.append(self.digest_of_point())
        self.assertEqual(len(set(seen)), 3)

    def test_a_study_in_python_runs_again_too(self):
        import weft

        for path in ("ti", "ti/index.txt", "ti/rank-*.txt"):
            with self.subTest(path):
                config = str(self.config(path))
                first = weft.Study(config, seeds=[1], out=str(self.folder / "study"))
                first.run()
                self.compute_longer()
                again = weft.Study(config, seeds=[1], out=str(self.folder / "study"))
                again.run()
                self.assertEqual(again.result(0).summary["digest"], self.run_json(config)["digest"])
                self.assertNotEqual(again.result(0).summary["digest"], first.result(0).summary["digest"])


if __name__ == "__main__":
    unittest.main()
