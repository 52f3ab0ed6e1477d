#!/usr/bin/env python3
"""Makes the pictures of README.md anew: screenshots of pages of real runs, by the commands that docs/gallery.md shows.
Needs Chromium (tests/pages/browser.py) and half a minute of two cores.

    docs/pictures/draw.py [NAME...]        default: all of PICTURES; the program of build/release, or of WEFT_BINARY"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "pages"))
from browser import Browser  # noqa: E402

WEFT = os.environ.get("WEFT_BINARY", str(ROOT / "build" / "release" / "bin" / "weft"))
MOST_BYTES = 200_000

#: File: commands that write page.html, heading at which the picture begins, width and height, whether it is dark.
PICTURES = {
    "report-run.png": (
        ["weft run examples/torus-uniform.toml --set statistics.series_cycles=100 --set statistics.ports=true"
         " --set link.rate_gbps=100 --out torus.h5",
         "weft report torus.h5 --out page.html"], "Latency", (1180, 1050), True),
    "report-curves.png": (
        ["weft sweep examples/studies/torus-load.toml",
         "weft report results/torus-load/points/*.h5 --out page.html"], "Curves", (1180, 1010), False),
}  # fmt: skip


def draw(name, folder):
    """Runs the commands of a picture in the folder and writes it beside this file."""
    commands, heading, size, dark = PICTURES[name]
    shutil.copytree(ROOT / "examples", folder / "examples")
    for command in commands:
        print(f"$ {command}", flush=True)
        subprocess.run(["bash", "-c", command.replace("weft", f"'{WEFT}'", 1)], cwd=folder, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    target = ROOT / "docs" / "pictures" / name
    with Browser(*size) as browser:
        browser.size(*size)
        browser.dark(dark)
        browser.open(folder / "page.html")
        found = f"[...document.querySelectorAll('h2')].find(h => h.textContent.trim() === {heading!r})"
        browser.run(f"({found}).closest('section').scrollIntoView({{behavior: 'instant'}})")
        browser.run("new Promise(done => setTimeout(done, 500))")
        browser.screenshot(target, whole=False)
    if target.stat().st_size > MOST_BYTES:
        sys.exit(f"{name}: {target.stat().st_size} bytes (at most {MOST_BYTES}); make it smaller")
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes")


def main(names):
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory(prefix="weft-picture-") as folder:
            draw(name, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
