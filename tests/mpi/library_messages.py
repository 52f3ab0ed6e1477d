"""Records which messages MPI libraries send for collective operations (collective_messages.c), for
tests/data/collectives, by which tests/workloads/generator/collective/libraries_test.cpp judges `workload.collectives`.

    python3 -B tests/mpi/library_messages.py tests/data/collectives [mpich-4.0]

All points, of both libraries or of one."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
REDUCTIONS = ["reduce", "allreduce", "reduce-scatter", "reduce-scatter-block"]
OPERATIONS = ["broadcast", *REDUCTIONS, "gather", "scatter", "allgather", "all-to-all", "scan", "exscan", "all-to-allw"]
LENGTHS = ["gatherv", "scatterv", "allgatherv", "all-to-allv"]  # forms with a length for each task; also "+uneven"
RANKS = [2, 3, 4, 6, 7, 8, 16]
SIZES = [1, 5, 8, 20, 100, 300, 700, 1000, 3000, 5000, 10000, 20000, 50000, 100001, 300000]
LONG = [600000, 1048576]
# The components and settings that a library needs to send messages between all ranks as between nodes.
OPENMPI = {"OMPI_MCA_coll": "tuned,basic,libnbc,self", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
           "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_ALLOW_RUN_AS_ROOT": "1",
           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPICH = {"MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_DEVICE_COLLECTIVES": "none"}
LIBRARIES = {"openmpi-4.1": ("mpicc.openmpi", "mpirun.openmpi", OPENMPI),
             "mpich-4.0": ("mpicc.mpich", "mpiexec.mpich", MPICH)}


def missing(library):
    """The programs of a library that are not installed."""
    return [name for name in LIBRARIES[library][:2] if not shutil.which(name)]


def is_known_version(library):
    """Whether it is the version whose rules weft has: a library's rules change from one to the next."""
    shown = subprocess.run([LIBRARIES[library][1], "--version"], capture_output=True, text=True, check=False).stdout
    return f" {library.split('-')[1]}." in shown


def points_of(ranks):
    """(operation, bytes, whether it commutes) of all points for a number of ranks."""
    points = [("barrier", 0, 1)]
    for operation in OPERATIONS:
        points += [(operation, size, 1) for size in SIZES]
        if operation in ("broadcast", "gather", "reduce-scatter", "reduce-scatter-block",
                         "reduce") and ranks <= 8 or operation == "broadcast":
            points += [(operation, size, 1) for size in LONG]
        if operation in REDUCTIONS:
            points += [(operation, size, 0) for size in SIZES if size in (1, 20, 1000, 20000, 300000)]
    for operation in LENGTHS:
        points += [(operation + law, size, 1) for law in ("", "+uneven") for size in SIZES]
    return points


def record(library, ranks, points, folder, timeout=300):
    """[point]: Counter of (from, to, bytes), of one run of the library."""
    compiler, launcher, settings = LIBRARIES[library]
    binary, file = Path(folder) / "collective_messages", Path(folder) / "points"
    if not binary.exists():
        subprocess.run([compiler, "-O1", "-rdynamic", "-o", binary, HERE / "collective_messages.c", "-ldl"], check=True)
    file.write_text("".join(f"{operation} {size} {commutes}\n" for operation, size, commutes in points),
                    encoding="utf-8")
    command = [launcher, "-n", str(ranks), binary, file, Path(folder) / "sent"]
    ran = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, timeout=timeout,
                         check=False)
    if ran.returncode:
        raise RuntimeError(f"{library}, {ranks} ranks: exit {ran.returncode}\n{ran.stderr[-2000:]}")
    messages = [collections.Counter() for _ in points]
    for rank in range(ranks):
        for line in (Path(folder) / f"sent.{rank}").read_text(encoding="utf-8").splitlines():
            number, to, size = map(int, line.split())
            messages[number][rank, to, size] += 1
    return messages


def text_of(messages, ranks):
    """Messages in a line: "DISTANCE BYTES TIMES SENDERS" for each that several senders send; senders as "0-3,5". Bytes
    are -1 where the data was not in one piece, so that MPICH did not say how long it is."""
    groups = collections.defaultdict(list)
    for (source, to, size), times in sorted(messages.items()):
        groups[(to - source) % ranks, size, times].append(source)
    return "; ".join(f"{distance} {size} {times} {ranges(senders)}" for (distance, size, times),
                     senders in sorted(groups.items()))


def ranges(numbers):
    spans = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in spans)


def main(folder, *libraries):
    for library in libraries or LIBRARIES:
        settings = LIBRARIES[library][2]
        with tempfile.TemporaryDirectory() as scratch, open(Path(folder) / f"{library}.txt", "w",
                                                            encoding="utf-8") as file:
            own = " ".join(f"{key}={value}" for key, value in settings.items() if "ROOT" not in key)
            print(f"# Messages of {library}, by tests/mpi/library_messages.py; {own}", file=file)
            print("# OPERATION BYTES COMMUTES RANKS: DISTANCE BYTES TIMES SENDERS; ...", file=file)
            for ranks in RANKS:
                points = points_of(ranks)
                for (operation, size, commutes), messages in zip(points, record(library, ranks, points, scratch)):
                    print(f"{operation} {size} {commutes} {ranks}: {text_of(messages, ranks)}", file=file)
                print(f"{library}: {ranks} ranks, {len(points)} points", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
