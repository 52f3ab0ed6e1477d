"""Checkpoints through the real program: signals, killed ranks, damaged and foreign files, disks that are full or not to be
written to. Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from checkpoint_files import Disks, Files  # noqa: E402, F401
from interrupted_runs import Kills, Rebalancing, Signals, Weights  # noqa: E402, F401


if __name__ == "__main__":
    unittest.main(verbosity=2)
