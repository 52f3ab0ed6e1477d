"""Fabrics through all commands that judge them: the dumps of shared/ and generated trees, whole and with faults put in
at random. All commands have one verdict, and a cable that was removed, slowed down or plugged in elsewhere is named,
whatever the switches are called.

    tests/by-hand tests/random/fabrics_test.py [--seed N] [--count N] [--all]"""

import argparse
import random
import sys
import unittest

from fabric_files import SHARED, Cables, FabricCase, net_of, three_levels, tree

CHOSEN = argparse.Namespace(seed=1, count=4, all=False)
SMALL = ("kt-4-3", "torus-4-4-4-1")
SAME_NAME = "SwitchIB Mellanox Technologies"


def dumps(ending="ibnetdiscover.txt"):
    """Files of shared/fabrics, or nothing where that is not there."""
    return [file for file in sorted((SHARED / "fabrics").glob(f"*/{ending}*")) if CHOSEN.all
            or file.relative_to(SHARED / "fabrics").parts[0] in SMALL]


class Dumps(FabricCase):
    case = "fabrics-tasks"  # two small ones that are always there

    def judged(self, file, whole):
        with self.subTest(file=str(file)):
            found = self.verdicts(file)
            if whole:
                self.assertEqual(found["verdict"], "sound")
            return found

    def test_small_ones_have_one_verdict(self):
        self.assertEqual(self.judged("tree16.topo", True)["hosts"], 16)
        self.judged("ends.toml", False)

    def test_public_ones_are_sound_in_every_form(self):
        if not dumps():
            self.skipTest(f"a trace is not there: {SHARED} with its dumps")
        for file in dumps():
            self.judged(file, True)
            if CHOSEN.all:
                for form in ("iblinkinfo.txt*", "*/opensm-subnet.lst.xz", "*.net"):
                    for other in sorted(file.parent.glob(form))[:1]:
                        self.judged(other, True)

    def test_those_of_cases_have_one_verdict(self):
        files = sorted((SHARED / "cases" / "fabrics").glob("*"))
        if not files:
            self.skipTest(f"a trace is not there: {SHARED} with its cases")
        for file in files if CHOSEN.all else files[:1]:
            self.judged(file, False)


class Faults(FabricCase):
    def fabrics(self):
        """Names and texts, one after the other without end."""
        draw = random.Random(f"fabrics {CHOSEN.seed}")
        public = [(file.parent.name, file.read_text()) for file in dumps() if file.suffix == ".txt"
                  and file.stat().st_size < 300_000]
        while True:
            yield "tree", net_of(tree(leaves=draw.randint(12, 15), spines=draw.randint(3, 6)))
            yield "three levels", net_of(three_levels(pods=draw.randint(3, 5), leaves=draw.randint(3, 4),
                                                      cores=draw.randint(2, 3)))
            yield from public

    def test_are_named(self):
        source = self.fabrics()
        for number in range(CHOSEN.count):
            name, text = next(source)
            draw = random.Random(f"fault {CHOSEN.seed} {number}")
            faults = [draw.choice(("removed", "slowed", "crossed")) for _ in range(draw.choice((1, 1, 2)))]
            if number < 3:  # a short run has each of them
                faults = [("crossed", "crossed", "removed")[number]]
            with self.subTest(number=number, fabric=name, faults=faults):
                self.judge(draw, text, faults)

    def judge(self, draw, text, faults):
        whole, put = Cables(text), []
        if "crossed" in faults and not self.has_levels(text):
            faults = [fault for fault in faults if fault != "crossed"]  # nothing says how it was meant
        for fault in faults:
            taken = {end[0] for _, cables in put for cable in cables for end in cable}
            free = [cable for cable in whole.between_switches if not {end[0] for end in cable} & taken]
            one = draw.choice(free)
            others = [cable for cable in free if not {end[0] for end in cable} & {end[0] for end in one}]
            now = Cables(text)
            if fault == "crossed" and others:
                put.append((fault, (one, draw.choice(others))))
                text = now.crossed(*put[-1][1])
            else:
                fault = "slowed" if fault == "crossed" else fault
                put.append((fault, (one,)))
                text = now.without(one) if fault == "removed" else now.slowed(one)
        if not put:
            return
        renamed = draw.random() < 0.5
        self.write("faulty.txt", Cables(text).with_one_name(SAME_NAME) if renamed else text)
        found = self.verdicts("faulty.txt")
        self.assertEqual(found["verdict"], "works")
        for fault, cables in put:
            words = {"removed": "missing cable?", "slowed": "slow cable:", "crossed": ""}[fault]
            said = "\n".join(line for line in found["warnings"] if line.startswith(words))
            for cable in cables:
                names = [f"[0x{whole.guids[end[0]]:x}, LID " if renamed else whole.name_of(end) for end in cable]
                self.assertTrue(any(name in said for name in names),
                                f"{fault} {cable}: none of {names} in\n{said}\nof {found['warnings']}")

    def has_levels(self, text):
        self.write("whole.txt", text)
        return bool(self.json_of("fabric", "info", "whole.txt")["levels"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4, help="faults; default: 4")
    parser.add_argument("--all", action="store_true", help="all dumps, in all of their forms")
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=CHOSEN)
    unittest.main(argv=[sys.argv[0], *CHOSEN.tests])
