#!/usr/bin/env python3
"""A figure of results is one row: its name stands in one, and what writes, reads or merges results knows no names.
Environment: WEFT_BINARY."""

import json
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

from harness import ROOT, weft

ROWS = [ROOT / "tools/result" / name for name in ("run_figures.cpp", "table_figures.cpp")]
ROW = re.compile(r'\bf(?:\.worked_out|\.in_summary)?\("([\w.]+)",')
OWNER = re.compile(r"^(?:void add_\w+|std::vector<Figure<\w+>> \w+_rows)\(.*\{$", re.M)
#: What goes by the rows.
VISITORS = ["tools/result/figures.cpp", "tools/result/json_summary.cpp", "tools/result/hdf5_result.cpp",
            "tools/run/collect/seeds.cpp", "tools/run/collect/collect.cpp"]  # fmt: skip


def described():
    done = subprocess.run([weft(), "describe", "--json", "-"], capture_output=True, check=True)
    return json.loads(done.stdout)["figures"]


class Figures(unittest.TestCase):
    def test_each_name_stands_in_one_row_of_its_owner(self):
        for path in ROWS:
            text = path.read_text()
            for part in OWNER.split(text)[1:]:
                twice = [name for name, count in Counter(ROW.findall(part)).items() if count > 1]
                self.assertEqual(twice, [], path.name)

    def test_every_figure_of_the_program_has_a_row_there(self):
        owners = {"router", "node"}  # of ports
        names = {name for path in ROWS for name in ROW.findall(path.read_text())} | owners
        for figure in described():
            words = figure["name"].split(".")
            self.assertTrue(any(".".join(words[at:]) in names for at in range(len(words))), figure["name"])
            self.assertTrue(figure["help"], figure["name"])
        self.assertGreater(len(described()), 200)

    def test_what_goes_by_the_rows_names_none(self):
        names = {figure["name"] for figure in described()}
        for path in VISITORS:
            found = set(re.findall(r'"([\w.]+)"', (ROOT / path).read_text())) & names
            self.assertEqual(found, set(), path)


if __name__ == "__main__":
    unittest.main()
