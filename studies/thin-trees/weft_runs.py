"""Runs of weft for the studies of this folder."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEFT = os.environ.get("WEFT_BINARY", HERE.parents[1] / "build" / "release" / "bin" / "weft")


def cycles(config, keys):
    """How long a run takes."""
    settings = [word for key, value in keys.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    command = [WEFT, "run", HERE / config, "--json", "-", "--progress", "never", *settings]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{run.stderr}")
    return json.loads(run.stdout)["cycles"]


def all_cycles(points, processes):
    """{name: cycles} of {name: (config, keys)}."""
    with ThreadPoolExecutor(processes) as pool:
        return dict(zip(points, pool.map(lambda point: cycles(*point), points.values())))
