"""What the suites of the Python package share: the package of the source tree, small configs, and its optional
modules."""

import importlib.util
import os
import sys

import harness

PACKAGE = harness.ROOT / "tools" / "python"
sys.path.insert(0, str(PACKAGE))

#: A torus of 16 nodes whose runs take milliseconds.
SMALL = {"topology": {"kind": "torus", "dims": [4, 4]},
         "measure": {"warmup_cycles": 200, "interval_cycles": 200, "batches": 3, "batch_cycles": 200}}


def has(module):
    """Whether an optional module is installed."""
    return importlib.util.find_spec(module) is not None


def with_package(**more):
    """The environment of a Python process that imports the package."""
    return dict(os.environ, PYTHONPATH=str(PACKAGE), PYTHONDONTWRITEBYTECODE="1", **more)
