"""Sweeps on this machine: what runs, what is kept, what happens to points that fail or are interrupted, and the scripts
for SLURM as far as they can be tried without it.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import unittest

from local_sweeps import Interrupted, Local, Parallel  # noqa: F401
from submitted_sweeps import JobScript, Submission  # noqa: F401


if __name__ == "__main__":
    unittest.main()
