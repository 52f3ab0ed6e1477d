#!/usr/bin/env python3
"""docs/seeds.md, what the published documents describe and where weft has it: every row of them is there once, with a
state, and the keys, kinds, options, commands, pages, tests and studies that it names exist. Prints how many rows have
each state. Environment: WEFT_BINARY, which lies in the build folder.

    tests/by-hand tests/house/seeds_test.py"""

import json
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

import harness
import names_test as names

from harness import ROOT

PAGE = ROOT / "docs" / "seeds.md"
BUILD = Path(harness.weft()).parents[1]
#: Rows of each document; those that were found later (J, K) are as many as there are.
ROWS = {"A": 32, "B": 82, "C": 13, "D": 13, "E": 13, "F": 11, "G": 29, "H": 19, "I": 13}
LATER = "JK"
STATES = ("done", "partly", "missing", "differs", "answered")
COLUMNS = ["id", "section", "what", "state", "in weft", "page", "test", "study"]
NONE = ("", "-")


def parsed(text):
    """(id of the row, {column: cell}) of each row of the tables of a page; ValueError: a row of another shape."""
    columns = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if columns is None:
            columns = cells
        elif columns == COLUMNS and not set(line) <= set("|- "):
            if len(cells) != len(columns):
                raise ValueError(f"line {number}: {len(cells)} cells in place of {len(columns)}")
            yield cells[0], dict(zip(columns, cells, strict=True))


def state_of(cell):
    """The word of a state; ValueError: none of them, or one that says nothing where it must, or something where not."""
    word, colon, more = cell.partition(":")
    if word not in STATES or (word == "done") == bool(colon) or (colon and not more.strip()):
        raise ValueError(f"state {cell!r}; use done, or one of {', '.join(STATES[1:])} with a colon and what it is")
    return word


def wrong_ids(found):
    """What is wrong with the ids of a page: missing, doubled, unknown."""
    counts = Counter(found)
    last = dict(ROWS)
    for letter in LATER:
        last[letter] = max((int(name[1:]) for name in counts if re.fullmatch(rf"{letter}\d+", name)), default=0)
    wanted = [f"{letter}{number}" for letter, count in last.items() for number in range(1, count + 1)]
    return [*(f"{name} is missing" for name in wanted if name not in counts),
            *(f"{name} is there {count} times" for name, count in counts.items() if count > 1),
            *(f"{name} is none of the rows" for name in counts if name not in wanted)]


def registered():
    """Names of kinds of every registry, of modes of routers and of algorithms."""
    found = set()
    for rows in names.DESCRIBED.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                found |= {row.get("name"), row.get("operation"), row.get("algorithm")}
                found |= {mode["name"] for mode in row.get("modes", ())}
    return found - {None}


class Known:
    """What a row may name in code."""

    def __init__(self):
        self.kinds, self.commands = registered(), names.commands()
        self.options = set().union(*self.commands.values())

    def says(self, text):
        """What is wrong with a piece of code of a row; nothing if it is known."""
        if text.startswith("weft "):
            return self.says_command(text)
        if text.startswith("--"):
            return "" if text in self.options else "no option"
        if table := re.fullmatch(r"\[+([a-z.]+)\]+", text):
            return "" if table[1] in names.TABLES else "no table"
        key, equals, value = (part.strip() for part in text.partition("="))
        if equals:
            values = names.values_of(key) if key in names.KEYS else None
            if key not in names.KEYS:
                return "no key"
            return "" if values is None or value.strip('"') in values else f"no value of {key}"
        if text in names.KEYS or text in names.FIGURES or text in self.kinds or (ROOT / text).exists():
            return ""
        return "no key, kind, figure, option, command or file"

    def says_command(self, text):
        words = text.split()
        options = [word for word in words if word.startswith("-")]
        command = " ".join(word for word in words if not word.startswith("-"))
        if command not in self.commands:
            return "no command"
        wrong = [option for option in options if option not in self.commands[command]]
        return f"no option of {command}: {wrong[0]}" if wrong else ""


def tests_of_ctest():
    done = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, capture_output=True, text=True, check=True)
    return {test["name"] for test in json.loads(done.stdout)["tests"]}


def listed(cell):
    return [] if cell in NONE else [part.strip() for part in cell.split(",")]


class Seeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = PAGE.read_text(encoding="utf-8")
        cls.rows = list(parsed(cls.text))

    def assertNone(self, problems):
        self.assertEqual(list(problems), [])

    def test_every_row_is_there_once(self):
        self.assertNone(wrong_ids([name for name, _ in self.rows]))

    def test_rows_stand_in_their_section_in_order(self):
        section, before = "", 0
        for line in self.text.splitlines():
            if head := re.match(r"## ([A-Z])\.", line):
                section, before = head[1], 0
            elif row := re.match(r"\| ([A-Z])(\d+) \|", line):
                self.assertEqual((row[1], int(row[2])), (section, before + 1), line[:60])
                before = int(row[2])

    def test_states_are_of_the_five_and_say_what_they_are(self):
        problems, counts = [], {letter: Counter() for letter in [*ROWS, *LATER]}
        for name, row in self.rows:
            try:
                counts[name[0]][state_of(row["state"])] += 1
            except ValueError as error:
                problems.append(f"{name}: {error}")
        self.assertNone(problems)
        print("\n     " + "".join(f"{state:>10}" for state in STATES))
        for letter, of in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
            print(f"{letter:5}" + "".join(f"{of[state]:10}" for state in STATES))
        bare = [name for name, row in self.rows if row["state"] == "done" and not listed(row["test"])]
        print("done, without a test: " + (", ".join(bare) or "none"))

    def test_what_rows_name_in_code_is_of_the_program(self):
        known = Known()
        self.assertNone(f"{name}: {code}: {wrong}" for name, row in self.rows
                        for code in re.findall(r"`([^`]+)`", row["what"] + row["state"] + row["in weft"])
                        if (wrong := known.says(code)))

    def test_what_is_done_says_where_it_is(self):
        self.assertNone(name for name, row in self.rows if row["state"] == "done" and
                        not (re.search(r"`[^`]+`", row["in weft"]) and "](" in row["page"]))

    def test_pages_are_there_with_their_headings(self):
        problems = []
        for name, row in self.rows:
            for page, heading in re.findall(r"\]\(([^)#]+)(?:#([^)]*))?\)", row["page"]):
                path = PAGE.parent / page
                if not path.is_file():
                    problems.append(f"{name}: no page {page}")
                elif heading and heading not in anchors(path):
                    problems.append(f"{name}: no heading #{heading} in {page}")
        self.assertNone(problems)

    def test_tests_are_there(self):
        there = tests_of_ctest()
        self.assertNone(f"{name}: no test {test}" for name, row in self.rows for test in listed(row["test"])
                        if test not in there and not (test.startswith("tests/") and (ROOT / test).is_file()))

    def test_studies_are_there(self):
        self.assertNone(f"{name}: no study {study}" for name, row in self.rows for study in listed(row["study"])
                        if not (ROOT / "studies" / study).is_dir())


def anchors(path):
    """Headings of a page as links name them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).lower()).replace(" ", "-")
            for head in heads}


class TheTestItself(unittest.TestCase):
    HEAD = "| " + " | ".join(COLUMNS) + " |\n|---|---|---|---|---|---|---|---|\n"

    def test_rows_are_read_and_other_tables_are_not(self):
        other = "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        text = other + self.HEAD + "| A1 | 000 1 | x | done | `k` | [p](p.md) | t, u | |\n"
        self.assertEqual([(name, row["test"], row["study"]) for name, row in parsed(text)], [("A1", "t, u", "")])
        with self.assertRaisesRegex(ValueError, "7 cells in place of 8"):
            list(parsed(self.HEAD + "| A1 | 000 1 | x | done | `k` | p | |\n"))

    def test_ids_that_are_missing_doubled_or_unknown_are_told(self):
        every = [f"{letter}{number}" for letter, count in ROWS.items() for number in range(1, count + 1)]
        self.assertEqual(len(every), 225)
        self.assertEqual(wrong_ids([*every, "J1", "J2", "K1"]), [])
        self.assertEqual(wrong_ids([*every[:-1], "A1", "A33", "J2"]),
                         ["I13 is missing", "J1 is missing", "A1 is there 2 times", "A33 is none of the rows"])

    def test_states_are_read(self):
        self.assertEqual([state_of(cell) for cell in ("done", "partly: half", "answered: why")],
                         ["done", "partly", "answered"])
        for cell in ("", "Done", "done: yes", "partly", "missing:", "differs: ", "open: x"):
            with self.assertRaises(ValueError, msg=cell):
                state_of(cell)

    def test_code_is_known_or_told(self):
        known = Known()
        for text in ("topology.kind", 'topology.kind = "torus"', "weft topology", "weft topology --cost", "--set", "W2",
                     "ts-dor", "[[job]]", "latency.mean", "examples/torus-uniform.toml", "bisect", "gatherv"):
            self.assertEqual(known.says(text), "", text)
        for text in ("topology.kid", 'topology.kind = "torsu"', "weft topologies", "weft topology --mode", "--sett",
                     "W9", "[[jobs]]", "latency.meen", "examples/nothing.toml"):
            self.assertNotEqual(known.says(text), "", text)

    def test_anchors_are_those_of_headings(self):
        self.assertIn("bubble-router-meshes-tori-and-other-lattices", anchors(ROOT / "docs" / "routers.md"))


if __name__ == "__main__":
    unittest.main()
