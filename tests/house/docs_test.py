#!/usr/bin/env python3
"""What README.md and docs/ print as output is what the program prints. Environment: WEFT_BINARY, WEFT_MPIRUN.

A marker, an HTML comment in front of a code block or table, says where the text comes from:

    <!-- verified -->                     output of the code block before it
    <!-- verified: COMMAND -->            output of this shell command (may be several lines)
    <!-- verified, varies: REGEX -->      likewise; in lines that match, numbers are not compared (times, memory, host)
    <!-- prepared by: COMMAND -->         only runs it, for the blocks after it
    <!-- file: NAME -->                   not output: the block is kept as this file

A block whose lines begin with "$ " holds commands and, below each, its output. A line "..." stands for any number of
lines. The commands of a document run in its order in one scratch folder with copies of examples/ and tools/, with weft,
mpirun and a python3 with h5py in PATH, and the package of tools/python. A block without a language and without a marker
must consist of commands.

    tests/by-hand tests/house/docs_test.py --update [FILE...]     writes what is printed now"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import harness

from harness import ROOT

WEFT, MPIRUN = harness.weft(), harness.mpirun()
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

MARKER = re.compile(r"<!-- (verified|prepared by|file)(?:, varies: (?P<varies>.*?))?(?::\s(?P<command>.*?)| )?\s?-->",
                    re.S)
COMMAND = re.compile(r"(weft|mpirun|build/|\./|tools/|tests/|cat |python3|/usr/bin/python3|\. |WEFT_[A-Z_]+=)")
# A digest, cycles of a run, an error: nobody writes these by hand, and nowhere but in code.
PLAIN = ("", "text", "console")
LOOKS_PRINTED = re.compile(r"\b[0-9a-f]{32}\b|\b\d[\d,]* cycles|^weft: |^digest ", re.M)
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


class Block:
    """A code block, or a table, of a document: lines[begin:end] is what is between its fences."""

    def __init__(self, language, begin, end):
        self.language, self.begin, self.end = language, begin, end
        self.marker = None  # a match of MARKER
        self.source = None  # the code block before it


def blocks_of(lines):
    """All code blocks, all marked tables, and markers that only prepare, in order."""
    found, marker, at, code = [], None, 0, None
    while at < len(lines):
        line = lines[at]
        if line.startswith(("<!-- verified", "<!-- prepared by", "<!-- file")):
            end = next(i for i in range(at, len(lines)) if lines[i].endswith("-->"))
            marker = MARKER.fullmatch("\n".join(lines[at:end + 1]))
            if marker is None:
                raise ValueError(f"line {at + 1}: not a marker of docs_test.py")
            if marker.group(1) == "prepared by":
                found.append(Block("prepared", at, at))
                found[-1].marker, marker = marker, None
            at = end + 1
            continue
        if line.startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i] == "```")
            block = Block(line[3:].strip(), at + 1, end)
        elif marker is not None and line.startswith("|"):
            end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
            block = Block("table", at + 2, end)  # without its two lines of heading
        else:
            if marker is not None and line.strip():
                raise ValueError(f"line {at + 1}: a marker without a code block or table")
            at += 1
            continue
        block.marker, block.source, marker = marker, code, None
        found.append(block)
        code = block if block.language != "table" else code
        at = end + 1
    return found


def commands_of(lines, block):
    """(command, first line, last line) for each part of a marked block that one command prints."""
    command = block.marker.group("command")
    if command is not None or block.language == "prepared":
        return [(command.strip(), block.begin, block.end)]
    starts = [i for i in range(block.begin, block.end) if lines[i].startswith("$ ")]
    if starts:
        ends = [*starts[1:], block.end]
        return [(lines[start][2:], start + 1, end) for start, end in zip(starts, ends)]
    if block.source is None:
        raise ValueError(f"line {block.begin}: no code block before that prints this")
    command = "\n".join(lines[block.source.begin:block.source.end])
    if block.source.language == "python":
        command = f"python3 - <<'END'\n{command}\nEND"
    return [(command, block.begin, block.end)]


class Place:
    """The scratch folder of a document."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / "tools").symlink_to(ROOT / "tools")
        for name, text in (("build/release/bin/weft", f'exec {WEFT} "$@"'), ("bin/weft", f'exec {WEFT} "$@"'),
                           ("bin/mpirun", f'exec {MPIRUN} --bind-to none "$@"'),
                           ("bin/python3", f'exec {sys.executable} "$@"')):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            path.chmod(0o755)

    def run(self, command):
        """What a shell command prints on both streams, as lines, without blanks at their ends."""
        command = command.replace("/usr/bin/python3", "python3")  # the one with h5py that the build has found
        environment = harness.environment(2, PATH=f"{self.folder}/bin:{os.environ['PATH']}",
                                          PYTHONDONTWRITEBYTECODE="1",
                                          PYTHONPATH=str(ROOT / "tools" / "python"))
        done = subprocess.run(harness.with_mpi(["bash", "-c", f"exec 2>&1\n{command}"]), cwd=self.folder,
                              env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        if done.returncode != 0 and not any(line.startswith("weft: error") for line in lines):
            raise AssertionError(f"exit code {done.returncode} of: {command}\n" + "\n".join(lines[-20:]))
        return lines


def same(shown, printed, varies):
    if varies and re.search(varies, shown) and re.search(varies, printed):
        return NUMBER.sub("N", shown) == NUMBER.sub("N", printed)
    return shown == printed


def same_kind(shown, printed):
    """Whether one line may have become the other: they begin alike."""
    return re.match(r"\s*\S*", shown).group() == re.match(r"\s*\S*", printed).group()


def segments_of(shown):
    """The shown lines between the lines "...": lists of (index, line)."""
    segments = [[]]
    for index, line in enumerate(shown):
        if line.strip() == "...":
            segments.append([])
        else:
            segments[-1].append((index, line))
    return segments


def aligned(shown, printed, alike):
    """For each index of `shown` that is not "...", the printed line that it stands for. None if they cannot be brought
    together: a segment that `alike` nothing in its place, or lines left over at either end."""
    pairs, at = {}, 0
    segments = segments_of(shown)
    for number, segment in enumerate(segments):
        places = range(at, len(printed) - len(segment) + 1)
        if number == 0:
            places = places[:1]
        if number == len(segments) - 1:
            places = [place for place in places if place == len(printed) - len(segment)]
        for place in places:
            if all(alike(line, printed[place + i]) for i, (_, line) in enumerate(segment)):
                pairs.update({index: printed[place + i] for i, (index, _) in enumerate(segment)})
                at = place + len(segment)
                break
        else:
            return None
    return pairs


def renewed(shown, printed, varies):
    """The shown lines with what is printed now; lines that vary stay as they are. None where it is not clear which line
    has become which."""
    def alike(a, b):
        return same(a, b, varies) or same_kind(a, b)

    pairs = aligned(shown, printed, alike)
    if pairs is None:
        return None
    return [line if index not in pairs or same(line, pairs[index], varies) else pairs[index]
            for index, line in enumerate(shown)]


def check(path, update):
    """Problems of a document as texts; with `update` blocks that only have other figures are written anew instead."""
    lines = path.read_text(encoding="utf-8").splitlines()
    problems, replaced = [], []
    with tempfile.TemporaryDirectory(prefix="weft-docs-") as folder:
        place = None
        for block in blocks_of(lines):
            text = "\n".join(lines[block.begin:block.end])
            if block.marker is None:
                if not block.language and not COMMAND.match(text) or \
                        block.language in PLAIN and LOOKS_PRINTED.search(text):
                    problems.append(f"{path.name}:{block.begin}: looks like output, but has no marker")
                continue
            place = place or Place(Path(folder))
            if block.marker.group(1) == "file":
                (place.folder / block.marker.group("command").strip()).write_text(text + "\n", encoding="utf-8")
                continue
            for command, begin, end in commands_of(lines, block):
                printed = place.run(command)
                shown = [line.rstrip() for line in lines[begin:end]]
                varies = block.marker.group("varies")
                if block.language == "prepared" or aligned(shown, printed, lambda a, b: same(a, b, varies)) is not None:
                    continue
                text = renewed(shown, printed, varies) if update else None
                if text is not None:
                    replaced.append((begin, end, text))
                    continue
                problems.append(f"{path.name}:{begin + 1}: not what is printed by: {command}\nshown:\n  " +
                                "\n  ".join(shown) + "\nprinted:\n  " + "\n  ".join(printed[:60]))
    for begin, end, text in reversed(replaced):
        lines[begin:end] = text
    if replaced:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(replaced)} blocks renewed")
    return problems


class Documents(unittest.TestCase):
    def test_every_output_that_is_shown_is_what_is_printed(self):
        for path in DOCUMENTS:
            with self.subTest(document=path.name):
                problems = check(path, update=False)
                if problems:
                    self.fail("\n\n".join(problems) + "\n\nto renew them: tests/house/docs_test.py --update")

    def test_links_between_documents_lead_somewhere(self):
        for path in DOCUMENTS:
            text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)  # code may look like a link
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")


class Comparison(unittest.TestCase):
    """The test itself."""

    PRINTED = ["network  torus", "load     0.5", "engine   3.4 s, 2 ranks", "digest   0a1b"]

    def holds(self, *shown, varies=None):
        return aligned(list(shown), self.PRINTED, lambda a, b: same(a, b, varies)) is not None

    def test_dots_stand_for_any_lines_and_nothing_else_may_be_missing(self):
        self.assertTrue(self.holds(*self.PRINTED))
        self.assertTrue(self.holds("network  torus", "...", "digest   0a1b"))
        self.assertTrue(self.holds("...", "load     0.5", "..."))
        self.assertFalse(self.holds("network  torus", "load     0.5"))
        self.assertFalse(self.holds("load     0.5", "..."))
        self.assertFalse(self.holds("network  torus", "...", "load     0.5"))
        self.assertFalse(self.holds("network  torus", "...", "digest   0a1c"))
        self.assertFalse(self.holds(*self.PRINTED, "result   x"))

    def test_numbers_of_lines_that_vary_are_not_compared(self):
        shown = ["network  torus", "load     0.5", "engine   12 s, 2 ranks", "digest   0a1b"]
        self.assertFalse(self.holds(*shown))
        self.assertTrue(self.holds(*shown, varies="^engine"))
        self.assertFalse(self.holds(*shown[:2], "engine   12 ms, 2 ranks", shown[3], varies="^engine"))

    def test_an_update_keeps_dots_and_lines_that_vary(self):
        self.assertEqual(renewed(["network  mesh", "...", "engine   12 s, 2 ranks", "digest   ffff"], self.PRINTED,
                                 "^engine"),
                         ["network  torus", "...", "engine   12 s, 2 ranks", "digest   0a1b"])
        self.assertIsNone(renewed(["network  torus", "digest   0a1b"], self.PRINTED, None))

    def test_blocks_and_their_markers_are_found(self):
        lines = ["```", "weft a", "```", "<!-- verified -->", "```", "x", "```", "<!-- verified:", "one", "two -->",
                 "| h |", "|---|", "| 1 |", "", "<!-- verified, varies: s$ -->", "```", "$ weft b", "1 s", "$ weft c",
                 "```",
                 "<!-- prepared by: touch a -->"]
        blocks = [block for block in blocks_of(lines) if block.marker]
        self.assertEqual([commands_of(lines, block) for block in blocks],
                         [[("weft a", 5, 6)], [("one\ntwo", 12, 13)], [("weft b", 17, 18), ("weft c", 19, 19)],
                          [("touch a", 20, 20)]])
        self.assertEqual(blocks[2].marker.group("varies"), "s$")


def main(arguments):
    if arguments[:1] != ["--update"]:
        unittest.main()
    paths = [Path(name) for name in arguments[1:]] or DOCUMENTS
    problems = [problem for path in paths for problem in check(path, update=True)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
