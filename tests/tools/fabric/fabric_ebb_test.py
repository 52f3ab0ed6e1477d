"""weft fabric route, ebb and applications as scripts meet them: one answer on any number of ranks, figures that were
published, tables that go round through files, mistakes, and tables that OpenSM takes."""

import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import time
import tomllib
import unittest
from pathlib import Path

from fabric_runs import CLOS, ebb, fabric
import harness

EXAMPLES = harness.ROOT / "examples" / "fabrics"
SHARED = Path(os.environ.get("WEFT_SHARED", harness.ROOT.parent / "shared")) / "fabrics"
SIMULATED_UMAD = sorted(Path("/usr/lib").glob("**/umad2sim/libumad2sim.so"))


class Answers(harness.Scratch):
    def clos(self):
        path = self.folder / "clos.toml"
        path.write_text(CLOS, encoding="utf-8")
        return path

    def test_are_the_same_on_any_number_of_ranks(self):
        words = (EXAMPLES / "chic.toml", "--count", "150")
        for more in ((), ("--pattern", "tree"), ("--precision", "0.002")):
            alone = ebb(*words, *more)
            for ranks in (2, 3, 4):
                self.assertEqual(ebb(*words, *more, ranks=ranks), alone, (more, ranks))

    def test_of_the_worked_example_are_those_of_the_paper(self):
        pairs = self.folder / "pairs.txt"
        pairs.write_text("# numbers are LIDs\n1 5\n2 9\n3 13\n4 6\nn6 n7\n10 11\n12 14\n15 \"n15\"\n", encoding="utf-8")
        found = ebb(self.clos(), "--engine", "dmodk", "--pattern", f"file:{pairs}")
        self.assertEqual(found["congestion"], [3, 3, 3, 1, 1, 1, 1, 1])
        self.assertEqual((found["hosts"], found["patterns"], found["sum_max"]), (16, 1, 1 / 3))
        self.assertAlmostEqual(found["sum_avg"], 1 / 1.75)  # (3 + 3 + 3 + 5) 2 / 16
        self.assertEqual((found["bandwidth"]["mean"], found["mean_congestion"]), (0.75, {"avg": 1.75, "max": 3}))
        self.assertEqual(ebb(self.clos(), "--count", "1")["patterns_possible"], 518_918_400)

    def test_follow_from_the_congestion_of_each_pair(self):
        """Every reading computed anew from the table of pairs, as the paper's formulas have it."""
        for pattern, scale in (("bisect", 1), ("recursive-doubling", 1), ("gather", 1), ("neighbours:4", 4)):
            table = self.folder / "pairs.csv"
            words = (EXAMPLES / "chic.toml", "--count", "12", "--pattern", pattern, "--bins", "25",
                     "--pairs-out", table)
            found = ebb(*words)
            self.assertEqual(ebb(*words, ranks=2), found)
            with open(table, encoding="utf-8", newline="") as file:
                pairs = list(csv.DictReader(file))
            self.assertEqual(len(pairs), found["routes"])
            shares, averages, largest = [], [], []
            for number in range(12):
                rounds = {}
                for row in pairs:
                    if row["pattern"] == str(number):
                        rounds.setdefault(row["round"], []).append(float(row["congestion"]))
                all_of_it = [c for congestions in rounds.values() for c in congestions]
                shares.append(scale * statistics.fmean(1 / c for c in all_of_it))
                averages.append(statistics.fmean(map(statistics.fmean, rounds.values())))
                largest.append(statistics.fmean(map(max, rounds.values())))
            expected = {"sum_avg": statistics.fmean(scale / pi for pi in averages),
                        "sum_max": statistics.fmean(scale / pi for pi in largest)}
            for key, value in expected.items():
                self.assertAlmostEqual(found[key], value, places=12, msg=(pattern, key))
            self.assertAlmostEqual(found["bandwidth"]["mean"], statistics.fmean(shares), places=12)
            self.assertAlmostEqual(found["mean_congestion"]["avg"], statistics.fmean(averages), places=12)
            self.assertAlmostEqual(found["mean_congestion"]["max"], statistics.fmean(largest), places=12)
            for key, values in (("histogram", shares), ("sum_avg_histogram", [scale / pi for pi in averages])):
                edges, counts = found[key]["edges"], found[key]["counts"]
                self.assertEqual((len(counts), len(edges), sum(counts)), (25, 26, 12))
                for low, high, count in zip(edges, edges[1:], counts):
                    inside = sum(low <= value < high or value == high == edges[-1] for value in values)
                    self.assertLessEqual(abs(inside - count), sum(abs(value - low) < 1e-9 for value in values))
            by_pair = [25 * 1 // float(row["congestion"]) for row in pairs]
            self.assertEqual(found["route_histogram"]["counts"],
                             [sum(min(24, place) == bin_ for place in by_pair) for bin_ in range(25)])

    def test_of_the_published_benchmark_fill_four_of_fifty_bins(self):
        """CHiC, random halves: "very clean results with only 4 of the 50 possible bins filled"."""
        found = ebb(EXAMPLES / "chic.toml", "--engine", "minhop", "--order", "lid", "--count", "40")
        counts = found["route_histogram"]["counts"]
        self.assertEqual(len(counts), 50)
        filled = [place for place, count in enumerate(counts) if count > 0.001 * sum(counts)]
        self.assertEqual(filled[-4:], [12, 16, 25, 49])  # 1/4, 1/3, 1/2, 1 of a link

    def test_stop_at_the_precision_asked_for(self):
        found = ebb(EXAMPLES / "chic.toml", "--precision", "0.003")
        self.assertTrue(found["precise"])
        self.assertLessEqual(found["bandwidth"]["ci95"], 0.003)
        self.assertEqual(sum(found["histogram"]["counts"]), found["patterns"])
        self.assertEqual(found["patterns"] % 64, 0)

    def test_are_in_hdf5_with_units(self):
        h5py = harness.module("h5py")
        path = self.folder / "r.h5"
        found = ebb(self.clos(), "--count", "10", "--out", path)
        with h5py.File(path) as result:
            self.assertEqual(len(result["bandwidth/by_pattern"]), 10)
            self.assertAlmostEqual(result["bandwidth/mean"][()], found["bandwidth"]["mean"])
            self.assertEqual(result["congestion/routes"].attrs["unit"], "routes")

    def test_come_from_tables_as_from_the_engine_that_wrote_them(self):
        tables = self.folder / "t.lfts"
        fabric("route", self.clos(), "--engine", "updn", "--out", tables)
        read, made = ebb(self.clos(), "--tables", tables, "--count", "20"), ebb(self.clos(), "--engine", "updn",
                                                                                "--count", "20")
        self.assertEqual(read["bandwidth"], made["bandwidth"])

    def test_of_a_mapping_file_are_those_of_its_hosts(self):
        hosts = self.folder / "hosts.txt"
        hosts.write_text("\n".join(f"n{n}" for n in (0, 4, 8, 12)), encoding="utf-8")
        found = ebb(self.clos(), "--mapping", f"file:{hosts}", "--pattern", "ring", "--engine", "dmodk")
        self.assertEqual((found["patterns"], found["routes"], found["bandwidth"]["mean"]), (1, 4, 1))
        linear = ebb(self.clos(), "--mapping", "linear", "--pattern", "all-to-all", "--engine", "dmodk")
        self.assertEqual((linear["patterns"], linear["bandwidth"]["min"], linear["sum_max"]), (1, 1, 1))

    def test_of_layers_say_how_many_and_whose(self):
        config = self.folder / "torus.toml"
        config.write_text('format = 1\n[topology]\nkind = "torus"\ndims = [5, 5]\n', encoding="utf-8")
        layers = self.folder / "layers.txt"
        done = json.loads(fabric("route", config, "--engine", "sssp", "--out", self.folder / "t", "--layers-out",
                                 layers, "--json",
                                 "-").stdout)
        self.assertGreater(done["layers"], 1)
        self.assertEqual(sum(done["layer_routes"]), 25 * 25)
        self.assertEqual(len(layers.read_text(encoding="utf-8").splitlines()), sum(done["layer_routes"][1:]))


class Mistakes(harness.Scratch):
    def test_are_named_with_what_to_do(self):
        clos = self.folder / "clos.toml"
        clos.write_text(CLOS, encoding="utf-8")
        pairs = self.folder / "pairs.txt"
        pairs.write_text("1 2\n3\n", encoding="utf-8")
        selfish = self.folder / "self.txt"
        selfish.write_text("1 n0\n", encoding="utf-8")
        twice = self.folder / "twice.txt"
        twice.write_text("n1\nn1\n", encoding="utf-8")
        cases = [
            (2, "no pattern 'bisection'", "--pattern", "bisection"),
            (2, "2, 4 or 6", "--pattern", "neighbours:5"),
            (2, "no mapping", "--mapping", "diagonal"),
            (2, "--engine", "--engine", "best"),
            (2, "--precision", "--precision", "2"),
            (2, "--count", "--count", "0"),
            (2, "--pairs-out does not fit --lid best", "--lid", "best", "--pairs-out", self.folder / "x.csv"),
            (2, "--loggp", "--loggp", "1,2,3"),
            (2, "--bins", "--bins", "0"),
            (2, "both given", "--tables", "x", "--engine", "updn"),
            (3, "pairs.txt:2", "--pattern", f"file:{pairs}"),
            (3, "itself", "--pattern", f"file:{selfish}"),
            (3, "twice.txt:2", "--mapping", f"file:{twice}"),
        ]
        for code, words, *arguments in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(words, fabric("ebb", clos, *arguments, code=code).stderr)
        torus = self.folder / "torus.toml"
        torus.write_text('format = 1\n[topology]\nkind = "torus"\ndims = [5, 5]\n', encoding="utf-8")
        self.assertIn("no fat tree", fabric("route", torus, "--engine", "dmodk", "--out", self.folder / "o",
                                            code=2).stderr)
        self.assertIn("--layers", fabric("route", torus, "--engine", "sssp", "--layers", "1", "--out", self.folder
                                         / "o", code=2).stderr)
        self.assertFalse((self.folder / "o").exists())
        cores = self.folder / "cores.toml"
        cores.write_text("[leaf_core]\nhosts = 10\nleafs = 2\n", encoding="utf-8")
        self.assertIn("leafs", fabric("ebb", cores, code=2).stderr)

    def test_hosts_that_cannot_reach_each_other_end_with_4(self):
        parts = self.folder / "parts.net"
        parts.write_text("".join(f'switchguid=0x20000{s}\nSwitch 4 "S{s}"\n[1] "H{s}0"[1]\n[2] "H{s}1"[1]\n\n'
                                 + "".join(f'caguid=0x1000{s}{h}\nHca 1 "H{s}{h}"\n[1] "S{s}"[{h + 1}]\n\n'
                                           for h in range(2))
                                 for s in range(2)), encoding="utf-8")
        tables = self.folder / "t"
        self.assertIn("8 pairs", fabric("route", parts, "--engine", "minhop", "--out", tables, code=4).stderr)
        self.assertTrue(tables.exists())
        self.assertIn("no route from", fabric("ebb", parts, code=4).stderr)


class Published(unittest.TestCase):
    """Hoefler, Schneider, Lumsdaine 2008: tables balanced by LID as OpenSM did; docs/fabrics-ebb.md has what is
    measured."""

    BISECT = {"ranger": 57.6, "atlas": 55.6, "tbird": 40.6}
    DISSEMINATION = {"ranger": 41.9, "atlas": 40.2, "tbird": 27.4}
    TREE = {"ranger": 69.9, "atlas": 71.3, "tbird": 57.4}
    NEIGHBOURS = {"ranger": 62.4, "atlas": 60.7, "tbird": 37.4}
    APPLICATIONS = {"MPQC": (97.23, 97.36, 96.08), "MIMD": (96.87, 97.73, 94.81), "POP": (88.32, 87.91, 80.89),
                    "Octopus": (97.18, 97.23, 95.79)}

    def test_bandwidths_and_applications_are_reproduced(self):
        for place, name in enumerate(("ranger", "atlas", "tbird")):
            with self.subTest(fabric=name):
                words = (EXAMPLES / f"{name}.toml", "--engine", "minhop", "--order", "lid")
                bisect = ebb(*words, "--count", "64")["bandwidth"]["mean"]
                self.assertAlmostEqual(100 * bisect, self.BISECT[name], delta=3)
                rounds = ebb(*words, "--count", "4", "--pattern", "dissemination")
                self.assertAlmostEqual(100 * rounds["bandwidth"]["mean"], self.DISSEMINATION[name], delta=5)
                rated = json.loads(fabric("applications", *words, "--count", "8", "--profile", EXAMPLES
                                          / "applications.toml",
                                          "--json", "-").stdout)
                self.assertAlmostEqual(100 * rated["bandwidth"]["tree"], self.TREE[name], delta=5)
                self.assertAlmostEqual(100 * rated["bandwidth"]["neighbours:6"], self.NEIGHBOURS[name], delta=5)
                for application in rated["applications"]:
                    self.assertAlmostEqual(100 * application["left"], self.APPLICATIONS[application["name"]][place],
                                           delta=1)

    def test_applications_follow_from_the_shares_of_the_text(self):
        with open(EXAMPLES / "applications.toml", "rb") as file:
            profiles = {one["name"]: one["shares"] for one in tomllib.load(file)["application"]}
        for place, name in enumerate(("ranger", "atlas", "tbird")):
            bandwidth = {"tree": self.TREE[name] / 100, "neighbours:6": self.NEIGHBOURS[name] / 100}
            for application, speeds in self.APPLICATIONS.items():
                lost = sum(share * (1 - bandwidth[pattern]) for pattern, share in profiles[application].items())
                with self.subTest(fabric=name, application=application):
                    # 97.73 of MIMD on Atlas follows from no shares that give its two others. Those published give
                    # 96.74: of 9.4 % overhead 86 % with neighbours and 3.2 % in trees, at the bandwidths of Atlas.
                    by_shares = 100 - 9.4 * (0.86 * (1 - 0.607) + 0.032 * (1 - 0.713))
                    wanted = by_shares if (application, name) == ("MIMD", "atlas") else speeds[place]
                    self.assertAlmostEqual(100 * (1 - lost), wanted, delta=0.011)

    def test_a_rated_bandwidth_as_limit_halves_the_gain(self):
        """Thunderbird is built for half: "the gain in application performance ... halves"."""
        words = ("applications", EXAMPLES / "tbird.toml", "--engine", "minhop", "--order", "lid", "--count", "4",
                 "--profile", EXAMPLES / "applications.toml", "--json", "-")
        plain, rated = (json.loads(fabric(*words, *more).stdout) for more in ((), ("--rated", "0.5")))
        self.assertNotIn("left_rated", plain["applications"][0])
        with open(EXAMPLES / "applications.toml", "rb") as file:
            profiles = {one["name"]: one["shares"] for one in tomllib.load(file)["application"]}
        for one, whole in zip(rated["applications"], plain["applications"]):
            self.assertEqual(one["left"], whole["left"])
            self.assertAlmostEqual(1 - one["left_rated"]["gain"], (1 - whole["left"]) / 2)
            kept = 1 - sum(share * max(0, 1 - 2 * rated["bandwidth"][pattern])
                           for pattern, share in profiles[one["name"]].items())
            self.assertAlmostEqual(one["left_rated"]["over_rated"], kept)


class Profiles(harness.Scratch):
    def test_come_from_the_times_of_a_trace(self):
        """Four tasks in a ring, in liballprof's text: of 100 us each 20 in messages, 10 in an allreduce, 5 in an
        all-to-all; the last, of 200 us, in none."""
        for task in range(5):
            ring = [(task + 1) % 4, (task - 1) % 4]
            lines = ["# collprof 0.9 output file", "# host: nowhere", "# Init clockdiff: 0.000000", "",
                     "MPI_Init:-:1:2:0.000000",
                     f"MPI_Comm_rank:0.000000:0,0,5:{task}:0.000000", "MPI_Comm_size:0.000000:0,0,5:5:0.000000"]
            if task < 4:
                lines += [f"MPI_Irecv:10.000000:21:8:11,8,8:{ring[1]}:1:0,0,5:900:12.000000",
                          f"MPI_Isend:12.000000:23:8:11,8,8:{ring[0]}:1:0,0,5:916:15.000000",
                          "MPI_Waitall:20.000000:2:900:1:35.000000",
                          "MPI_Allreduce:40.000000:31:32:1:11,8,8:1:0,0,5:50.000000",
                          "MPI_Barrier:60.000000:0,0,5:65.000000"]
                at = 100
            else:
                lines += ["MPI_Allreduce:140.000000:31:32:1:11,8,8:1:0,0,5:140.000000",
                          "MPI_Barrier:160.000000:0,0,5:160.000000"]
                at = 200
            lines.append(f"MPI_Finalize:{at:.6f}:-:{at:.6f}")
            (self.folder / f"ring-{task}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        profile = self.folder / "profile.toml"
        subprocess.run([harness.weft(), "trace", "stats", str(self.folder), "--no-store", "--out", str(profile)],
                       check=True, capture_output=True, env=harness.environment(1))
        with open(profile, "rb") as file:
            (application,) = tomllib.load(file)["application"]
        self.assertEqual(set(application["shares"]), {"neighbours:2", "tree"})
        self.assertAlmostEqual(application["shares"]["neighbours:2"], 4 * 20 / 600, places=6)
        self.assertAlmostEqual(application["shares"]["tree"], 4 * 15 / 600, places=6)
        rated = json.loads(fabric("applications", EXAMPLES / "chic.toml", "--count", "2", "--profile", profile,
                                  "--json", "-").stdout)
        self.assertEqual(len(rated["applications"]), 1)

    def test_need_times(self):
        done = subprocess.run([harness.weft(), "trace", "stats", str(harness.ROOT / "examples/traces/is.S.16.trc.xz"),
                               "--no-store", "--out", str(self.folder / "p.toml")], check=False, capture_output=True,
                              text=True, env=harness.environment(1))
        self.assertEqual(done.returncode, 3)
        self.assertIn("no times of its calls", done.stderr)
        self.assertFalse((self.folder / "p.toml").exists())


class OpenSm(harness.Scratch):
    def test_tables_of_our_own_are_no_worse_than_its(self):
        if not SHARED.is_dir():
            self.skipTest(f"no fabrics in {SHARED} (WEFT_SHARED)")
        compared = 0
        for name, theirs, ours in (("kt-4-3", "minhop", "minhop"), ("kt-4-3", "updn", "updn"),
                                   ("kt-4-3", "ftree", "dmodk"),
                                   ("kt-8-3", "minhop", "minhop"), ("kt-8-3", "updn", "updn"),
                                   ("kt-8-3", "ftree", "dmodk"),
                                   ("l2-18-18-36-18", "minhop", "minhop"), ("l2-18-18-36-18", "updn", "updn"),
                                   ("l2-18-18-36-18", "ftree", "dmodk"), ("dfly-4-2-2", "minhop", "minhop"),
                                   ("dfly-4-2-2", "updn", "updn"), ("torus-4-4-4-1", "minhop", "minhop"),
                                   ("torus-4-4-4-1", "updn", "updn"), ("torus-5-4-3-2", "minhop", "minhop"),
                                   ("torus-5-4-3-2", "updn", "updn")):
            cables, tables = SHARED / name / "ibnetdiscover.txt", SHARED / name / theirs / "opensm-lfts.dump.xz"
            if not tables.exists():
                continue
            with self.subTest(fabric=name, engine=theirs):
                theirs_get = ebb(cables, "--tables", tables, "--count", "400")["bandwidth"]
                ours_get = ebb(cables, "--engine", ours, "--count", "400")["bandwidth"]
                self.assertGreaterEqual(ours_get["mean"] + ours_get["ci95"] + theirs_get["ci95"], theirs_get["mean"])
                compared += 1
        self.assertGreaterEqual(compared, 10)

    def test_loads_tables_of_our_own(self):
        if not SIMULATED_UMAD or not shutil.which("opensm") or not shutil.which("ibsim"):
            self.skipTest("opensm and ibsim are not installed (packages opensm, ibsim-utils)")
        net = self.folder / "two.net"
        cable = [f'switchguid=0x20000{s}\nSwitch 8 "S{s}"\n' + (
            "".join(f'[{h + 1}] "H{s}{h}"[1]\n' for h in range(3)) + f'[4] "S2"[{s + 1}]\n[5] "S3"[{s + 1}]\n' if s < 2
            else
            "".join(f'[{leaf + 1}] "S{leaf}"[{s + 2}]\n' for leaf in range(2))) for s in range(4)]
        cable += [f'caguid=0x1000{s}{h}0\nHca 1 "H{s}{h}"\n[1] "S{s}"[{h + 1}]\n' for s in range(2) for h in range(3)]
        net.write_text("\n".join(cable), encoding="utf-8")
        tables = self.folder / "own.lfts"
        fabric("route", net, "--engine", "dmodk", "--out", tables)
        socket = f"weft{os.getpid()}"
        environment = dict(os.environ, IBSIM_SOCKNAME=socket, SIM_HOST="H00", OSM_TMP_DIR=str(self.folder),
                           OSM_CACHE_DIR=str(self.folder))
        simulator = subprocess.Popen(["ibsim", "-s", str(net)], env=environment, stdin=subprocess.PIPE,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 20
            while socket not in Path("/proc/net/unix").read_text(encoding="utf-8") and time.monotonic() < end:
                time.sleep(0.05)
            log = self.folder / "osm.log"
            subprocess.run(["opensm", "-R", "file", "-U", str(tables), "-o", "-f", str(log), "-D", "0x43", "-g",
                            "0x1000001"],
                           env=dict(environment, LD_PRELOAD=str(SIMULATED_UMAD[0])), capture_output=True, timeout=60,
                           check=False)
            said = log.read_text(encoding="utf-8", errors="replace")
        finally:
            simulator.kill()
            simulator.wait()
            simulator.stdin.close()
        self.assertIn("file tables configured on all switches", said)
        self.assertNotRegex(said, r"ERR [0-9A-F]{4}")
        # What it then has in its switches is what we wrote, by names: it hands out LIDs of its own.
        self.assertEqual(self.ports(self.folder / "opensm-lfts.dump"), self.ports(tables))

    @staticmethod
    def ports(path):
        ports, at = {}, None
        for line in path.read_text(encoding="utf-8").splitlines():
            header, row = re.match(r"Unicast lids .* \('(.*)'\)",
                                   line), re.match(r"0x\w+ (\d+) # (Channel|Switch).*'(.*)'", line)
            at = header[1] if header else at
            if row:
                ports[at, row[3]] = int(row[1])
        return ports


if __name__ == "__main__":
    unittest.main()
