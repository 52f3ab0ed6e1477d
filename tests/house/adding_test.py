#!/usr/bin/env python3
"""The pages on adding a router, a topology, a pattern and a scheduler show the code of files that are built: each block
behind a marker <!-- from FILE --> stands in that file, word for word."""

import re
import unittest

from harness import ROOT

BLOCK = re.compile(r"<!-- from (?P<file>\S+) -->\n```cpp\n(?P<code>.*?)```\n", re.S)
PAGES = sorted((ROOT / "docs").glob("adding-a*-*.md"))


class Adding(unittest.TestCase):
    def test_the_code_on_the_pages_is_that_of_the_files(self):
        for page in PAGES:
            blocks = list(BLOCK.finditer(page.read_text()))
            self.assertGreaterEqual(len(blocks), 3, page)
            for block in blocks:
                with self.subTest(page=page.name, code=block["code"].splitlines()[0]):
                    self.assertIn(block["code"], (ROOT / block["file"]).read_text())

    def test_no_code_on_the_pages_is_from_nowhere(self):
        for page in PAGES:
            text = page.read_text()
            self.assertEqual(text.count("```cpp"), len(BLOCK.findall(text)), page)


if __name__ == "__main__":
    unittest.main()
