#!/usr/bin/env python3
"""What pages embed of others is what the lock file names, byte for byte, with its licence."""

import hashlib
import json
import re
import unittest
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[2] / "tools" / "report" / "page" / "vendor"


class PageVendor(unittest.TestCase):
    def setUp(self):
        self.lock = json.loads((VENDOR / "package-lock.json").read_text(encoding="utf-8"))
        lines = (VENDOR / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        self.sums = {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}

    def test_files_are_those_that_were_taken_out_of_the_locked_packages(self):
        files = {path.relative_to(VENDOR).as_posix() for path in (VENDOR / "uplot").iterdir()}
        self.assertEqual(set(self.sums), files | {"package-lock.json"})
        for name, digest in self.sums.items():
            with self.subTest(name):
                self.assertEqual(hashlib.sha256((VENDOR / name).read_bytes()).hexdigest(), digest)

    def test_the_lock_has_a_hash_and_no_host(self):
        package = self.lock["packages"]["node_modules/uplot"]
        self.assertRegex(package["integrity"], r"^sha512-[A-Za-z0-9+/]{86}==$")
        self.assertNotIn("resolved", package)
        wanted = json.loads((VENDOR / "package.json").read_text(encoding="utf-8"))["dependencies"]["uplot"]
        self.assertEqual(package["version"], wanted)

    def test_the_script_says_the_locked_version_and_its_licence_is_there(self):
        version = self.lock["packages"]["node_modules/uplot"]["version"]
        script = (VENDOR / "uplot" / "uPlot.iife.min.js").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"\(v([0-9.]+)\)", script[:200]).group(1), version)
        self.assertIn("MIT License", (VENDOR / "uplot" / "LICENSE").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
