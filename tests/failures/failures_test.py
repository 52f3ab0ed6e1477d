"""What the program does when it cannot do what it was asked: exit code, one line that names the cause, no result file.

Every failure is provoked through the real program, alone and on 3 ranks. Environment: WEFT_BINARY is the program;
WEFT_MPIRUN is mpirun."""

import unittest

from bad_configs import Configs, Deadlocks  # noqa: F401
from bad_machines import Machines, Outputs  # noqa: F401


if __name__ == "__main__":
    unittest.main()
