#!/usr/bin/env python3
"""The documentation as a site: all its pages are made, and nothing links to what is not there."""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "packaging" / "site"))
import harness
import site_pages

SCRIPT = harness.ROOT / "tools" / "packaging" / "site" / "site_pages.py"


class Site(harness.Scratch):
    @unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed (optional)")
    def test_every_page_of_the_documentation_is_made_and_can_be_searched(self):
        done = subprocess.run([sys.executable, "-B", str(SCRIPT), str(self.folder / "site")], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        made = {file.stem for file in (self.folder / "site" / "docs").glob("*.html")}
        written = {file.stem for file in (harness.ROOT / "docs").glob("*.md")} - {"README"} | {"index"}
        self.assertEqual(made, written)
        index = json.loads((self.folder / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
        places = {entry["location"] for entry in index["docs"] if "effective bisection" in entry["text"].lower()}
        self.assertTrue(any(place.startswith("docs/fabrics-ebb.html") for place in places), places)

    def test_links_that_lead_to_nothing_are_found(self):
        self.write("a.html", '<h1 id="here">A</h1><a href="b.html#there">b</a> <a href="#here">a</a> <img src="c.png">')
        self.write("b.html",
                   '<a href="a.html#nowhere">a</a> <a href="https://example.org/x">x</a> <a href="d.html">d</a>')
        found = {(str(page), link) for page, link in site_pages.broken_links(self.folder)}
        self.assertEqual(found, {("a.html", "b.html#there"), ("a.html", "c.png"), ("b.html", "a.html#nowhere"),
                                 ("b.html", "d.html")})


if __name__ == "__main__":
    unittest.main()
