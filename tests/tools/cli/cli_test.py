"""Tests of the program as its users and their scripts meet it: exit codes, what is said on which stream, and files.

Environment: WEFT_BINARY is the program; WEFT_MPIRUN is mpirun."""

import unittest

from cli_of_runs import OneWayLinks, Run, SeveralRanks, Threads  # noqa: F401
from cli_of_tools import CommandLine, Report, Topology, Trace  # noqa: F401
from cli_of_traces import CutTraces, MergedTraces, TraceStatistics  # noqa: F401


if __name__ == "__main__":
    unittest.main()
