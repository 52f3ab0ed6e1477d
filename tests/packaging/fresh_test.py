#!/usr/bin/env python3
"""The two quickstarts as a user's first commands: in a Debian of its own where nothing was installed by hand, from the
files that git tracks. Prints how long they take. Needs root and mmdebstrap; compiles the program, which takes some
minutes."""

import json
import sys
import time
import unittest

import debian
import harness


class Fresh(harness.Scratch):
    def setUp(self):
        debian.skip_without("git")
        super().setUp()
        self.system = debian.System(self.folder / "root")
        self.weft = debian.checkout_into(self.system.root / "root" / "weft")

    def timed(self, command):
        begin = time.monotonic()
        said = self.system.inside(command)
        print(f"{command}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
        return said

    def test_both_quickstarts_do_what_they_say(self):
        # What a user has who has fetched the sources.
        self.system.inside("apt-get -q update")
        said = self.timed("weft/tools/quickstart-cosim")
        self.assertIn("bytes from", said)
        for door in ("ring", "heat", "guests"):
            summary = json.loads((self.weft / f"results/cosim-{door}.json").read_text(encoding="utf-8"))
            self.assertGreater(summary["messages"]["delivered"], 0, door)
        self.timed("weft/tools/quickstart")
        self.assertIn("<html", (self.weft / "results/quickstart.html").read_text(encoding="utf-8")[:1000])


if __name__ == "__main__":
    unittest.main()
