"""The configs of examples/, copied where a test may write beside them; steps of training with a twelfth of their batch
and of their layers."""

import re
import shutil

import harness

EXAMPLES = harness.ROOT / "examples"
STUDY = re.compile(r"^\[(scaling|sweep)\]", re.MULTILINE)  # no config of one run
# Minutes, and more records of a timeline than one may keep.
LONG = re.compile(r"^batch = 1536\b", re.MULTILINE)
LAYERS = re.compile(r"^layers = 96\b", re.MULTILINE)


def names():
    return sorted(path.stem for path in EXAMPLES.glob("*.toml") if not STUDY.search(path.read_text(encoding="utf-8")))


def copied(folder):
    """The folder of the copies."""
    place = folder / "examples"
    shutil.copytree(EXAMPLES, place, ignore=shutil.ignore_patterns("plugin", "python"))
    (folder / "tests").symlink_to(harness.ROOT / "tests")  # some have fabrics from there
    for path in place.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        if LONG.search(text):
            path.write_text(LAYERS.sub("layers = 8", LONG.sub("batch = 128", text)), encoding="utf-8")
    return place
