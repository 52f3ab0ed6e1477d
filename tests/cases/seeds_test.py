"""Results of several seeds: each figure is merged by a rule of its own, which merging.py has by hand; each seed has its
own files."""

import unittest
from pathlib import Path

import h5py
from cases import Case
from merging import MergedSeeds

NETWORK = 'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[link]\nrate_gbps = 100.0\n'
STATISTICS = "[statistics]\nseries_cycles = 100\nports = true\ndistances = true\npairs = true\noccupancy_cycles = 50\n"
WORKLOADS = {
    "traffic": '[workload]\noffered_load = 0.3\n[simulation]\nstop = "cycles"\ncycles = 1500\n',
    "beyond saturation": '[workload]\noffered_load = 1.0\n[simulation]\nstop = "cycles"\ncycles = 1500\n',
    "bursts": '[workload]\nkind = "burst"\nburst_packets = 5\nbursts = 3\n',
    "an exchange": '[workload]\nkind = "exchange"\nname = "bisect"\n[placement]\npolicy = "random"\n',
    "a collective of accelerators": '[workload]\nkind = "nccl"\nname = "allreduce"\nalgorithm = "ring"\nmessage_bytes '
                                    '= 65536\n'
    '[placement]\npolicy = "random"\n',
    "flows": '[workload]\nkind = "flows"\nflows = 64\nflow_sizes = "web-search"\noffered_load = 0.3\n',
    "a kernel": '[workload]\nkind = "kernel"\nname = "random-exchange"\n',
    "jobs": '[[job]]\nname = "a"\nplacement = {policy = "random"}\nworkload = {kind = "collective", name = '
            '"all-to-all", '
    'tasks = 4, message_bytes = 800}\n[[job]]\nname = "b"\nafter = "a"\nplacement = {policy = "random"}\nworkload = '
    '{kind = "collective", name = "all-to-all", tasks = 8, message_bytes = 300}\n[[job]]\nname = "noise"\nnodes = 2\n'
    'placement = {policy = "random"}\nrepeat = "until-others-end"\nworkload = {offered_load = 0.2}\n',
}  # fmt: skip
CLASSES = 'format = 1\ntopology = {kind = "crossbar", nodes = 8}\nrouter = {kind = "switch", traffic_classes = 3}\n' \
    'workload = {offered_load = 0.5}\nsimulation = {stop = "cycles", cycles = 1000}\n'  # fmt: skip


class SeedsByHand(MergedSeeds):
    def test_every_figure_of_every_sort_of_workload_is_merged_by_its_rule(self):
        for name, workload in WORKLOADS.items():
            words = ["--slowdown"] if name == "jobs" else []
            with self.subTest(name):
                self.check(self.write("c.toml", NETWORK + STATISTICS + workload), *words)

    def test_figures_of_traffic_classes_are_merged_by_their_rules(self):
        self.check(self.write("c.toml", CLASSES))

    def test_tables_of_the_result_are_sums_over_the_seeds(self):
        config = self.write("c.toml", NETWORK + STATISTICS + WORKLOADS["traffic"])
        tables = []
        for seed, more in ((5, ("--set", "measure.seeds=2")), (5, ()), (6, ())):
            self.weft("run", config, "--seed", seed, *more, "--out", "r.h5", "--quiet")
            with h5py.File(self.folder / "r.h5") as file:
                rows = lambda table, *keys: dict(zip(zip(*(file[f"{table}/{key}"][:].tolist() for key in keys)),
                                                     file[f"{table}/packets"][:].tolist()))  # noqa: B905, E731
                links = {}
                for (router, port, _), packets in rows("ports", "router", "port", "channel").items():
                    links[router, port] = links.get((router, port), 0) + packets
                tables.append({
                    "ports": rows("ports", "router", "port", "channel"),
                    "pairs": rows("pairs", "source", "destination"),
                    "histogram": rows("latency_histogram", "low"),
                    "nodes": dict(enumerate(file["nodes/delivered_packets"][:].tolist())),
                    "busiest": dict(enumerate(file["busiest_links/packets"][:].tolist())),
                    "most": dict(enumerate(sorted(links.values(), reverse=True)[:20])),
                })  # fmt: skip
        both, one, other = tables
        for name in ("ports", "pairs", "histogram", "nodes"):
            with self.subTest(name):
                self.assertEqual(both[name], {key: one[name].get(key, 0) + other[name].get(key, 0) for key in one[name]
                                              | other[name]})
        self.assertEqual(both["busiest"], both["most"])

    def test_the_page_and_the_summary_say_what_the_json_says(self):
        self.take("04-seeds-first-only")
        merged = self.run_json("c.toml", "--out", "r.h5", measure__seeds=3)
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual(file["bandwidth/bus_bytes_per_cycle"][()], merged["bandwidth"]["bus_bytes_per_cycle"])
            for figure in ("min", "mean", "max"):
                self.assertEqual(file[f"tasks/finish_cycles_{figure}"][()], merged["tasks"][f"finish_cycles_{figure}"])
        text = self.weft("run", "c.toml", "--set", "measure.seeds=3", "--progress", "never")
        self.assertIn(f"last at {round(merged['tasks']['finish_ns_max']):,} ns", text)
        self.assertIn(f"bus {merged['bandwidth']['bus_gbytes_per_s']:.5g} GB/s", text)


class BandwidthOfAJob(Case):
    case = "01-seeds-job-bandwidth"

    def test_is_at_most_that_of_its_link_however_many_seeds_there_are(self):
        once = self.run_json("c.toml")["jobs"][0]
        self.assertLessEqual(once["bytes_per_cycle"], 4)
        for seeds in (2, 5):
            job = self.run_json("c.toml", "--out", "r.h5", measure__seeds=seeds)["jobs"][0]
            self.assertEqual(job["bytes"], seeds * once["bytes"])
            for figure in ("bytes_per_cycle", "mib_per_s"):
                self.assertAlmostEqual(job[figure], once[figure])
            with h5py.File(self.folder / "r.h5") as file:
                self.assertAlmostEqual(file["jobs/bytes_per_cycle"][0], once["bytes_per_cycle"])
        text = self.weft("run", "c.toml", "--set", "measure.seeds=5", "--progress", "never")
        self.assertIn(f"{once['bytes_per_cycle']:.4g} bytes/cycle", text)


class FilesOfSeeds(Case):
    case = "13-seeds-files"

    def test_each_seed_has_files_of_its_own_and_they_are_those_of_a_run_with_it(self):
        merged = self.run_json("c.toml", measure__seeds=3)
        kept = {}
        for file in self.folder.glob("*-seed-*"):
            kept[file.name] = file.read_bytes()
            file.unlink()
        self.assertEqual(len(kept), 9)
        self.assertFalse(Path(self.folder / "e.txt").exists())
        lines = 0
        for seed in (1, 2, 3):
            lines += self.run_json("c.toml", simulation__seed=seed)["statistics"]["events"]["lines"]
            for name in ("e.txt", "m.txt", "t.json"):
                stem, ending = name.split(".")
                self.assertEqual(kept[f"{stem}-seed-{seed}.{ending}"], (self.folder / name).read_bytes(), name)
        self.assertEqual(merged["statistics"]["events"], {"path": "e-seed-*.txt", "lines": lines})

    def test_a_file_of_a_seed_that_cannot_be_written_is_told_before_the_run(self):
        (self.folder / "e-seed-2.txt").mkdir()
        self.weft("run", "c.toml", "--set", "measure.seeds=3", code=5)
        self.assertIn("e-seed-2.txt", self.errors)


if __name__ == "__main__":
    unittest.main()
