"""What the program does when it cannot do what it was asked: exit code, one line that names the cause, no result file.

Every failure is provoked through the real program, alone and on 3 ranks. Environment: WEFT_BINARY is the program;
WEFT_MPIRUN is mpirun."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bad_configs import Configs, Deadlocks  # noqa: E402, F401
from bad_inputs import Placements, Traces  # noqa: E402, F401
from bad_machines import Machines, Outputs  # noqa: E402, F401


if __name__ == "__main__":
    unittest.main()
