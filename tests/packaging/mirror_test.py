#!/usr/bin/env python3
"""Suites that make a Debian of their own are skipped without network, with a reason, and do not end with apt's words in
the middle."""

import unittest
from pathlib import Path
from unittest import mock

import debian
import harness

NOBODY = "http://127.0.0.1:9/debian"  # the port of discard, on which nothing listens


@unittest.skipUnless(Path(debian.HELPER).exists(), "apt is not installed")
class Mirror(harness.Scratch):
    def test_an_archive_that_answers_is_reachable(self):
        (self.folder / "debian/dists/any").mkdir(parents=True)
        self.write("debian/dists/any/InRelease", "Origin: Debian\n")
        self.assertEqual(debian.why_unreachable(f"file:{self.folder}/debian", "any"), "")

    def test_one_that_does_not_is_named_with_the_reason(self):
        why = debian.why_unreachable(NOBODY, "any")
        self.assertRegex(why, rf"^no network: Debian's archive {NOBODY} cannot be reached \(.+\)$")

    def test_suites_are_skipped_without_it(self):
        with mock.patch("debian.mirror", lambda: (NOBODY, "any")), mock.patch("shutil.which",
                                                                              lambda name: name), mock.patch(
                                                                                      "os.geteuid", lambda: 0):
            with self.assertRaisesRegex(unittest.SkipTest, "^no network: "):
                debian.skip_without()


if __name__ == "__main__":
    unittest.main()
