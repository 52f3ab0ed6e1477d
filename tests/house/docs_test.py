#!/usr/bin/env python3
"""What README.md and docs/ print as output is what the program prints; markers say where it comes from
(tests/documents.py). All other commands and configs of the pages run in tests/docs. Environment: WEFT_BINARY,
WEFT_MPIRUN.

    tests/by-hand tests/house/docs_test.py --update [FILE...]     writes what is printed now"""

import re
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness

from document_runs import Page, aligned, renewed, same
from documents import DOCUMENTS, blocks_of, commands_of, faults_of, figures_in, limits_of

WEFT, MPIRUN = harness.weft(), harness.mpirun()
HISTORY = re.compile(r"changelog-")  # pages of what was


class Documents(unittest.TestCase):
    def test_every_output_that_is_shown_is_what_is_printed(self):
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda path: Page(path, WEFT, MPIRUN).check(whole=False), DOCUMENTS))
        for path, problems in zip(DOCUMENTS, found):
            with self.subTest(document=path.name):
                if problems:
                    self.fail("\n\n".join(problems) + "\n\nto renew them: tests/house/docs_test.py --update")

    def test_links_between_documents_lead_somewhere(self):
        for path in DOCUMENTS:
            text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)  # code may look like a link
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")


#: Sentences with "refused" or "at most" and a figure that no command can show: why.
NOT_SHOWN = {
    "coming-from-insee.md: at most 1": "what import does with an option; cases.imports",
    "development.md: Classes have at most": "tools/check-layering",
    "development.md: what `weft explain` says adds up": "random.short",
    "congestion.md: With *w* below 1": "no limit of the figure that it names",
    "cosim-guests.md: 5,063 us": "measured",
    "cosim-guests.md: 9,554.1 us": "measured",
    "cosim-guests.md: 8,901 us": "measured",
    "crosschecks.md: next-group, at most": "a bound, of that table",
    "extoll.md: There the 5DT accepts": "measured, by the study of the page",
    "inventory.md: 2 q^2 routers": "a help text; slim-fly.md shows it",
    "inventory.md: q^2 + q + 1 routers": "a help text; models.PolarFly",
    "performance-tuning.md: About 43 cache lines": "measured",
    "routers.md: at most one if link": "no limit of the figure that it names",
    "spinnaker.md: * `router.multicast_targets`": "no limit of the figure that it names",
    "studies.md: With seeds 4 to 6": "measured",
    "where-time-goes.md: So all factors": "random.short",
}  # fmt: skip


class Limits(unittest.TestCase):
    def test_limits_that_pages_name_are_shown_to_hold(self):
        problems, used = [], set()
        for path in DOCUMENTS:
            if HISTORY.match(path.name):
                continue
            for line, sentence, figures, markers in limits_of(path.read_text(encoding="utf-8").splitlines()):
                known = [key for key in NOT_SHOWN if f"{path.name}: {sentence}".startswith(key)]
                used.update(known)
                if not known and not figures & figures_in(markers):
                    problems.append(f"{path.name}:{line}: no command of its section shows that {sentence}")
        self.assertEqual(problems, [])
        self.assertEqual(set(NOT_SHOWN) - used, set())

    def test_limits_are_found(self):
        lines = ["# a", "Text. It has at most 1,024 of them.", "", "<!-- holds: weft a | grep 1024 -->", "# b",
                 "3 are refused.", "fine"]
        found = list(limits_of(lines))
        self.assertEqual([(line, figures) for line, _, figures, _ in found], [(2, {"1024"}), (6, {"3"})])
        self.assertIn("1024", figures_in(found[0][3]))
        self.assertEqual(found[1][3], "")


#: Words of this house for what the field calls otherwise.
HOUSE_WORDS = {
    r"by lot|lots are": "random draw", r"how full": "occupancy",
    r"on (?:its|their) way\b(?! (?:to|back|through))": "in flight",
    r"(?:has|have|is|no) room": "free space, credits", r"under way": "in flight, in progress", r"taken up": "resumed",
    r"circles? of (?:waiting|packets|channels|includes)": "cycle",
}  # fmt: skip


class Words(unittest.TestCase):
    def test_pages_use_the_words_of_the_field(self):
        found = [f"{path.name}:{line}: {match.group()} ({better})" for path in DOCUMENTS if not HISTORY.match(path.name)
                 for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                 for word, better in HOUSE_WORDS.items() for match in re.finditer(rf"\b(?:{word})\b", text)]
        self.assertEqual(found, [])


class Faults(unittest.TestCase):
    """What is found without a run."""

    def faults(self, *lines):
        return [problem for _, problem in faults_of(lines, blocks_of(lines))]

    def test_a_block_that_shows_nothing_is_not_verified(self):
        for shown in ((), ("...",), ("$ weft a",), ("...", "$ weft a", "...")):
            self.assertIn("shows nothing", self.faults("<!-- verified: weft a -->", "```", *shown, "```")[0])
        self.assertEqual(self.faults("<!-- verified: weft a -->", "```", "...", "1", "```"), [])

    def test_what_is_not_run_says_why(self):
        self.assertEqual(self.faults("<!-- not run: needs SLURM -->", "```sh", "sbatch a", "```"), [])
        self.assertIn("does not say why", self.faults("<!-- not run -->", "```sh", "sbatch a", "```")[0])

    def test_configs_and_files_are_read_by_something(self):
        self.assertIn("nothing reads", self.faults("```toml", "[topology]", "```")[0])
        self.assertEqual(self.faults("<!-- part of: examples/a.toml -->", "```toml", "[topology]", "```"), [])
        lines = ["<!-- file: a.toml -->", "```toml", "[topology]", "```"]
        self.assertIn("no command reads", self.faults(*lines)[0])
        self.assertEqual(self.faults(*lines, "```sh", "weft run a.toml", "```"), [])

    def test_brackets_are_quoted(self):
        for command, found in (("weft run a --set b=[8,8]", 1), ("weft run a --set 'b=[8,8]'", 0),
                               ('weft run a --set "b=[8,8]"  # [8]', 0), ("weft run a --set b='[8]'", 0)):
            self.assertEqual(len(self.faults("```sh", command, "```")), found, command)
            shown = self.faults("<!-- verified -->", "```", f"$ {command}", "8 [8]", "```")
            self.assertEqual(len(shown), found, command)

    def test_output_has_a_marker(self):
        self.assertIn("no marker", self.faults("```", "digest  0123", "```")[0])


class Runs(unittest.TestCase):
    """What is found by running."""

    def problems(self, *lines, whole=True):
        with tempfile.TemporaryDirectory(prefix="weft-page-") as folder:
            path = Path(folder, "page.md")
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return Page(path, WEFT, MPIRUN).check(whole)

    def test_a_command_that_fails_is_found_wherever_it_stands(self):
        for block in (("```sh", "weft describe nonesuch", "true", "```"), ("```sh", "weft run none.toml | cat", "```"),
                      ("<!-- prepared by: weft run none.toml -->",), ("<!-- holds: echo 3 | grep 4 -->",),
                      ("```python", "raise SystemExit(3)", "```"), ("```toml", "format = 1", "[topologie]", "```"),
                      ("<!-- part of: examples/ideal.toml -->", "```toml", "[ideal]", "latency_ms = 1", "```"),
                      ("```sh", "weft run none.toml", "echo 3", "```", "<!-- verified -->", "```", "...", "3", "```"),
                      ("<!-- verified: echo 3 -->", "```", "4", "```")):
            self.assertEqual(len(self.problems(*block)), 1, block)

    def test_what_runs_is_no_problem_and_runs_in_order(self):
        self.assertEqual(self.problems(
            "<!-- file: a.txt -->", "```text", "three", "```", "```sh", "cat a.txt >b.txt", "```",
            "<!-- not run, lines: sbatch: needs SLURM -->", "```sh", "sbatch a.txt", "mv b.txt c.txt", "```",
            "<!-- holds: grep three c.txt -->", "<!-- verified -->", "```", "$ cat c.txt", "three", "```"), [])

    def test_only_outputs_are_run_in_the_default_check(self):
        self.assertEqual(self.problems("```sh", "weft describe nonesuch", "```", whole=False), [])
        self.assertEqual(self.problems("<!-- verified, slow: echo 3 -->", "```", "4", "```", whole=False), [])


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
        self.assertEqual(blocks[2].marker.group("pattern"), "s$")


def main(arguments):
    if arguments[:1] != ["--update"]:
        unittest.main()
    paths = [Path(name) for name in arguments[1:]] or DOCUMENTS
    problems = [problem for path in paths for problem in Page(path, WEFT, MPIRUN).check(whole=False, update=True)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
