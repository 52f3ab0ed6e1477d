"""What the benchmarks share: configs, running programs of the build, alone or under mpirun, and reading their JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402

CONFIG = """format = 1
[simulation]
seed = 1
stop = "cycles"
cycles = {cycles}
[topology]
{topology}
[link]
latency_cycles = {latency}
[router]
{router}
queue_packets = 4
[packet]
phits = 16
[workload]
kind = "synthetic"
pattern = "{pattern}"
offered_load = {load}
"""

TORUS_ROUTER = 'kind = "bubble"\nrouting = "shortest"\nvirtual_channels = 3'
TORUS_3D = 'kind = "torus"\ndims = [64, 32, 32]'


class Wrong(Exception):
    """An answer that cannot be right, or a program that failed."""


def run_json(command, ranks=1, mpirun="mpirun"):
    """Standard output of a command as JSON; more ranks than cores are fine."""
    launcher = (mpirun, "-n", ranks, "--bind-to", "none") if ranks > 1 else ()
    done = subprocess.run(harness.with_mpi(command, ranks, launcher), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False,
                          env=dict(os.environ, WEFT_RANKS=str(ranks)))
    if done.returncode != 0:
        raise Wrong(f"exit code {done.returncode} of {' '.join(command)}\n{done.stderr.strip()}")
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise Wrong(f"no JSON from {' '.join(command)} ({error})") from None


def write_config(folder, topology, router, load, cycles=1, latency=1, pattern="uniform"):
    """case.toml in a folder; `topology` and `router` are the keys of these tables."""
    text = CONFIG.format(topology=topology, router=router, load=load, cycles=cycles, latency=latency, pattern=pattern)
    (folder / "case.toml").write_text(text, encoding="utf-8")


def run_weft(weft, folder, *arguments, ranks=1, mpirun="mpirun"):
    """Summary of `weft run case.toml` in a folder."""
    result = folder / "result.h5"
    summary = run_json([str(weft), "run", str(folder / "case.toml"), "--json", "-", "--progress", "never", "--out",
                        str(result), *arguments], ranks, mpirun)
    result.unlink(missing_ok=True)
    return summary
