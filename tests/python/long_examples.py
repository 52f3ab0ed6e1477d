#!/usr/bin/env python3
"""Examples that take longer, one for each word: architect_quick, architect (the whole task), notebook, types.
Environment: WEFT_BINARY."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import package
import harness

WEFT = harness.weft()
EXAMPLES = harness.ROOT / "examples" / "python"


def architect(*words):
    """Runs the architect's task, and looks at its figure, its table and its estimate."""
    with tempfile.TemporaryDirectory(prefix="weft-architect-") as folder:
        script = (EXAMPLES / "architect.py").read_text(encoding="utf-8")
        # What it took is compared with what was said before.
        script += "\nestimate = float(study._said.cpu_s)\nprint(f'RATIO {estimate / study._took:.3f}')\n"
        script = script.replace("print(study.estimate())", "study._said = study.estimate(); print(study._said)")
        script = script.replace("print(study.saturation", "study._took = study.spent_s\nprint(study.saturation")
        done = subprocess.run([sys.executable, "-B", "-c", script, *words, folder], env=package.with_package(),
                              cwd=harness.ROOT, capture_output=True, text=True, check=False)
        print(done.stdout, done.stderr)
        assert done.returncode == 0
        ratio = float(re.search(r"RATIO ([\d.]+)", done.stdout).group(1))
        assert 1 / 1.5 < ratio < 1.5, ratio
        assert (Path(folder) / "latency.pdf").read_bytes().startswith(b"%PDF")
        assert all(done.stdout.count(name) == 3 for name in ("Dragonfly", "HyperX", "Slim Fly", "Fat tree"))


def notebook():
    """Executes the notebook as nbconvert does."""
    for module in ("nbconvert", "nbclient", "ipykernel"):
        if not package.has(module):
            print(f"the module {module} is not installed")
            sys.exit(77)  # the module nbconvert is not installed
    with tempfile.TemporaryDirectory(prefix="weft-notebook-") as folder:
        done = subprocess.run([sys.executable, "-B", "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir",
                               folder,
                               str(EXAMPLES / "tour.ipynb")], env=package.with_package(JUPYTER_PLATFORM_DIRS="1"),
                              capture_output=True, text=True, check=False)
        print(done.stderr)
        assert done.returncode == 0
        text = (Path(folder) / "tour.ipynb").read_text(encoding="utf-8")
        assert '"image/png"' in text and "phits/node/cycle" in text


def types():
    """The annotations of the package, by mypy."""
    if shutil.which("mypy") is None:
        print("the module mypy is not installed")
        sys.exit(77)  # the module mypy is not installed
    done = subprocess.run(["mypy", "--cache-dir", "/dev/null", "-p", "weft"], cwd=package.PACKAGE, capture_output=True,
                          text=True,
                          check=False)
    print(done.stdout)
    assert done.returncode == 0


if __name__ == "__main__":
    {"types": types, "architect_quick": lambda: architect("--quick"), "architect": architect,
     "notebook": notebook}[sys.argv[1]]()
