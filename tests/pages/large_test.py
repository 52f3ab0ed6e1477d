"""Reports of 1,000,000 links and of 10,000,000 records: how large they are, and how soon they are open. A benchmark:
its times are those of a machine that does nothing else.

Environment: WEFT_BINARY is the program."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser
import harness
import made_results
from pictures_test import CONFIG, OF

WEFT = harness.weft()
MOST_BYTES, MOST_S = 60e6, 3.0


class Large(unittest.TestCase):
    def opened(self, kind, make):
        """Seconds until all figures of the page are drawn, and a value of the figure."""
        with tempfile.TemporaryDirectory(prefix="weft-large-") as name:
            folder = Path(name)
            (folder / "small.toml").write_text(CONFIG)
            run = lambda *arguments: subprocess.run([WEFT, *arguments], cwd=folder, check=True, capture_output=True,
                                                    timeout=300)
            run("run", "small.toml", "--out", "small.h5")
            make(folder / "small.h5", folder / "large.h5")
            run("report", "large.h5", "--out", "large.html")
            size = (folder / "large.html").stat().st_size
            with browser.Browser(1200, 900, 60) as page:
                seconds = page.open(folder / "large.html")
                paint = page.run(f"{OF.format(kind)}.stage.last_paint_ms")
                self.assertEqual(page.errors, [])
                count = page.run(f"{OF.format(kind)}.model.{'links' if kind == 'topology' else 'records'}")
        print(f"{kind}: {count:,} in {size / 1e6:.1f} MB, open after {seconds:.2f} s, a frame takes {paint:.0f} ms")
        self.assertLess(size, MOST_BYTES)
        self.assertLess(seconds, MOST_S)
        return count

    def test_a_million_links(self):
        directions = self.opened("topology", lambda a, b: made_results.with_links(a, b, [72, 72, 65], 2))
        self.assertGreaterEqual(directions, 2_000_000)

    def test_ten_million_records(self):
        records = self.opened("timeline", lambda a, b: made_results.with_timeline(a, b, 1024, 9766))
        self.assertGreaterEqual(records, 10_000_000)


if __name__ == "__main__":
    if browser.chromium() is None:
        print("skipped: there is no chromium (tools/packages.txt names it as optional)")
        sys.exit(77)
    unittest.main()
