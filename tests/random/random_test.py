"""Random configurations over everything that is registered, and what must hold for each (invariants.py).

    tests/by-hand tests/random/random_test.py --seed 1 --count 50 Configurations

--only N,M-L runs the cases of those numbers alone, --jobs N so many at a time. What fails is shown as a config as small
as it could be made, with the command that shows it."""

import argparse
import collections
import sys
import tempfile
import time
import unittest
from pathlib import Path

import generate
from draw_accelerators import LANES
from left_out import LEFT_OUT, SET_TOGETHER  # noqa: E402
import harness
import invariants
from catalogue import Catalogue
from job_keys import job_names, of_job, setting_of
from program import Network
from trials import Trials

WEFT = harness.weft()
OPTIONS = argparse.Namespace()


def catalogue():
    if OPTIONS.catalogue:
        return Catalogue(OPTIONS.catalogue.read_text(encoding="utf-8"))
    return Catalogue.of(WEFT)


def any_network(config):
    """A ring in place of the network of a config, where only what is drawn counts."""
    links = [{"source": f"r{r}", "target": f"r{(r + 1) % 16}", "source_port": 0, "target_port": 1} for r in range(16)]
    return Network({"nodes": 16, "routers": 16, "direct": True, "uniform_load_bound": 1.0}, {"links": links})


class Generator(unittest.TestCase):
    """What is drawn, without running it."""

    @classmethod
    def setUpClass(cls):
        cls.catalogue = catalogue()
        cls.count = 16 * len(cls.catalogue.networks())
        generator = generate.Generator(cls.catalogue, 1, any_network)
        cls.cases = [generator.case(number) for number in range(cls.count)]
        cls.values = collections.defaultdict(set)
        for case in cls.cases:
            for key, value in case.keys.items():
                cls.values[setting_of(key)].add(str(value))

    def expect_all(self, names, drawn, what):
        self.assertEqual(sorted(set(names) - set(drawn)), [], f"{what} that are registered, but never drawn")

    def test_every_registered_kind_is_drawn(self):
        c, values = self.catalogue, self.values
        self.expect_all(c.topologies, values["topology.kind"], "topologies")
        drawn = {(case.keys["topology.kind"], c.router(case.keys)) for case in self.cases}
        self.assertEqual(set(c.networks()) - drawn, set(), "routers that are never drawn for a topology that they fit")
        for name, row in c.routers.items():
            modes = {case.keys.get("router.routing") for case in self.cases if c.router(case.keys) == name}
            self.expect_all([mode["name"] for mode in row["modes"]], modes, f"modes of {name}")
        kinds = {value.split(":")[0] for value in values["router.routing"]}
        self.expect_all([name for name in c.routers if not c.takes_routes(name)], kinds
                        | {"bubble", "spinnaker", "rotary", "ideal"}, "routings")
        self.expect_all(c.schedulers.keys() - {"vl-arbitration"}, values["router.scheduling"], "schedulers")
        self.expect_all(c.congestion, values["congestion.kind"], "congestion controls")
        self.expect_all(c.lengths.keys() - {"uniform"}, values["workload.packet_length"], "laws of packet lengths")
        self.expect_all(c.arrivals, values["workload.arrivals"], "laws of arrivals")
        self.expect_all(c.placements.keys() - {"consecutive"}, values["placement.policy"], "placements")
        self.expect_all(c.patterns, values["workload.pattern"], "patterns")
        names = {name.split(":")[0] for name in values["workload.name"]}
        self.expect_all([*c.kernels, *c.exchanges, "pairs"], names, "kernels and exchanges")
        collectives = {f"{case.keys['workload.name']} {case.keys['workload.algorithm']}" for case in self.cases
                       if "workload.algorithm" in case.keys}
        collectives |= {name for name, row in c.collectives.items() if row["usual"]
                        and f"{row['operation']} auto" in collectives}
        self.expect_all(c.collectives, collectives, "collectives")
        self.expect_all(["openmpi-4.1", "mpich-4.0"], values["workload.collectives"], "rules of libraries")
        self.expect_all(c.record_formats(), values["workload.trace_format"], "trace formats of records")
        self.expect_all(c.engines, values["router.engine"], "routing engines")
        self.expect_all(c.dispersions, values["nic.dispersion"], "dispersions")

    def test_jobs_of_every_kind_are_drawn(self):
        jobs = [of_job(case.keys, name) for case in self.cases for name in job_names(case.keys)]
        several = {len(job_names(case.keys)) for case in self.cases}
        self.expect_all({0, 2, 3}, several, "numbers of jobs")
        kinds = self.catalogue.workloads.keys() - {"reactive"}  # sources of jobs do not see what they receive
        self.expect_all(kinds, {job["workload.kind"] for job in jobs}, "kinds of workload of jobs")
        # By chance a few per cent more or less.
        share = sum(1 for case in self.cases if job_names(case.keys)) / self.count
        self.assertTrue(0.05 < share < 0.2, f"{share:.0%} of the cases have several jobs")

    def test_nodes_with_several_nics_are_drawn(self):
        cases = [case for case in self.cases if "node.nics" in case.keys]
        # Those that fit few topologies have their turn too seldom.
        usual = [name for name, row in self.catalogue.routers.items() if len(row["topologies"]) >= 6]
        self.expect_all(usual, {case.catalogue.router(case.keys) for case in cases}, "routers with several NICs a node")
        self.expect_all(["adjacent", "rails"], {case.effective("node.attachment") for case in cases}, "attachments")
        self.expect_all([1, 2, 3], {case.effective("topology.planes") for case in cases}, "planes")

    def test_lanes_are_drawn_with_what_programs_of_one_lane_have(self):
        lanes = [case.keys for case in self.cases if case.keys.get("workload.kind") in LANES]
        drawn = {key for keys in lanes for key in keys}
        self.expect_all(["workload.turnaround_cycles", "workload.send_gap_cycles", "workload.tasks_per_node",
                         "workload.counts_law"], drawn, "keys of lanes")

    def test_every_key_is_drawn_or_says_why_not(self):
        excused = {*LEFT_OUT, *SET_TOGETHER}
        never = [key for key in self.catalogue.settings if key not in self.values and key not in excused]
        self.assertEqual(never, [],
                         "settings that no configuration has; give them a maker in makers.py, or a reason in "
                         "left_out.py")

    def test_every_key_that_is_drawn_has_a_value(self):
        self.assertEqual([key for key, drawn in self.values.items() if "None" in drawn], [], "keys without a maker")

    def test_every_choice_is_drawn(self):
        for key, row in self.catalogue.settings.items():
            if row["type"] != "choice" or key in SET_TOGETHER or row["table"] == "parallel":
                continue
            ordinary = {row["default"], "auto"}
            self.expect_all([name for name in row["choices"] if name not in ordinary], self.values[key],
                            f"choices of {key}")

    def test_the_same_seed_draws_the_same_configurations(self):
        again = generate.Generator(self.catalogue, 1, any_network)
        other = generate.Generator(self.catalogue, 2, any_network)
        self.assertEqual([again.case(n).keys for n in range(20)], [case.keys for case in self.cases[:20]])
        self.assertNotEqual([other.case(n).keys for n in range(20)], [case.keys for case in self.cases[:20]])


class Configurations(unittest.TestCase):
    def test_every_invariant_holds_for_every_random_configuration(self):
        begin, ends, failed = time.monotonic(), collections.Counter(), []
        numbers = OPTIONS.only if OPTIONS.only else range(OPTIONS.count)
        with tempfile.TemporaryDirectory(prefix="weft-random-") as folder:
            trials = Trials(WEFT, catalogue(), OPTIONS.seed, Path(folder), OPTIONS.limit, OPTIONS.checks,
                            OPTIONS.failures)
            for report in trials.all(numbers, OPTIONS.jobs):
                ends[report.end] += 1
                if OPTIONS.verbose:
                    print(report.number, report.end, report.keys, report.last if report.end == "refused" else "",
                          flush=True)
                for failure in report.failures:
                    failed.append((report.number, *failure))
                    print(shown(OPTIONS.seed, *failed[-1]), flush=True)
        counted = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
        print(f"{len(numbers)} configurations of seed {OPTIONS.seed}: {counted}; {time.monotonic() - begin:.0f} s")
        rules = collections.Counter(rule for _, rule, *_ in failed)
        if failed:
            self.fail(f"{len(failed)} failures: {dict(rules)}")
        self.assertGreaterEqual(ends["accepted"], len(numbers) // 2,
                                "most configurations are refused: nothing is tested")


def shown(seed, number, rule, what, config, command):
    line = "-" * 100
    again = f"random_test.py --seed {seed}{' --failures' if OPTIONS.failures else ''} --only {number} Configurations"
    return (f"{line}\ncase {number} of seed {seed} breaks \"{rule}\": {what}\n(again: "
            f"{again})\n{config.shell(command)}\n{line}")


def numbers_of(text):
    ends = [part.partition("-")[::2] for part in text.split(",")]
    return [number for first, last in ends for number in range(int(first), int(last or first) + 1)]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="configurations; default: 60")
    parser.add_argument("--only", type=numbers_of, help="numbers of configurations: 3, 3,17 or 100-199")
    parser.add_argument("--failures", action="store_true", help="parts fail during the run in all of them")
    parser.add_argument("--jobs", type=int, default=1, help="configurations at a time; default: 1")
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time of a run; default: 20")
    parser.add_argument("--checks", type=lambda text: text.split(","),
                        help=f"some of {','.join(invariants.CHECKS)}; default: all")
    parser.add_argument("--catalogue", type=Path,
                        help="output of `weft describe --json -`, for programs that have no such option")
    parser.add_argument("--verbose", action="store_true", help="say what each configuration is")
    parser.add_argument("tests", nargs="*", help="classes or tests; default: all")
    parser.parse_args(arguments, OPTIONS)
    unittest.main(argv=[sys.argv[0], *OPTIONS.tests])


if __name__ == "__main__":
    main(sys.argv[1:])
