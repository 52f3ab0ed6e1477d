"""Checkpoints through the real program: signals, killed ranks, damaged and foreign files, disks that are full or not to
be written to. Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import unittest

from checkpoint_files import Disks, Files  # noqa: F401
from interrupted_runs import Kills, Rebalancing, Signals, Weights  # noqa: F401


if __name__ == "__main__":
    unittest.main(verbosity=2)
