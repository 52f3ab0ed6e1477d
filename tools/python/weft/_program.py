"""The weft program: where it is, how it is started, and its errors as exceptions."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ._errors import REASONS, Error
from ._signals import end_with_parent

_TREE_BUILD = Path("build/release/bin/weft")


def program() -> str:
    """Path of the program: WEFT_BINARY, else that which was installed with this package, else `weft` in PATH, else
    build/release/bin/weft of the source tree that this package is in. Throws Error."""
    named = os.environ.get("WEFT_BINARY")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(f"WEFT_BINARY = '{named}' is no program that can be started; set it to the weft program", 5)
        return os.path.abspath(found)
    beside = Path(__file__).resolve().parents[4:5]  # PREFIX/lib/python3/dist-packages/weft
    if beside and os.access(beside[0] / "bin" / "weft", os.X_OK):
        return str(beside[0] / "bin" / "weft")
    found = shutil.which("weft")
    if found is not None:
        return os.path.abspath(found)
    tree = Path(__file__).resolve().parents[3] / _TREE_BUILD
    if os.access(tree, os.X_OK):
        return str(tree)
    raise Error("the weft program is not found (not in PATH, and not built in the source tree of this package); build "
                "it with tools/quickstart of its sources, or set WEFT_BINARY", 5)


def usable_cores() -> int:
    """Cores that this process may use: its affinity, or less where a container's quota says so."""
    cores = len(os.sched_getaffinity(0))
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return cores if quota == "max" else max(1, min(cores, -(-int(quota) // int(period))))
    except (OSError, ValueError):
        return cores


def launch(ranks: int) -> list[str]:
    """The words before the program: none for one rank."""
    if ranks <= 1:
        return []
    words = os.environ.get("WEFT_LAUNCHER", "").split() or [os.environ.get("WEFT_MPIRUN") or "mpirun"]
    if shutil.which(words[0]) is None:
        raise Error(
            f"'{words[0]}' is no program that can be started (ranks = {ranks} needs it); install openmpi-bin, or set "
            "WEFT_LAUNCHER", 5)
    return [*words, "-n", str(ranks)]


def environment(ranks: int) -> dict[str, str]:
    """What tools/mpi-env.sh sets, where it is not set: root and more ranks than cores are allowed, ranks are not
    bound."""
    variables = dict(os.environ)
    if ranks <= 1:
        return variables
    usual = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
    if os.geteuid() == 0:
        usual.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if ranks > usable_cores():
        usual["OMPI_MCA_mpi_yield_when_idle"] = "1"
    for name, value in usual.items():
        variables.setdefault(name, value)
    return variables


def error_of(code: int, messages: str, hidden: dict[str, str] | None = None) -> Error:
    """The program's own words of why it ended with this code. `hidden`: paths that only we know, and what people call
    them."""
    for path, name in (hidden or {}).items():
        messages = messages.replace(path, name)
    line, detail = "", []
    for text in messages.splitlines():
        text = text.rstrip()
        if text.startswith("-----"):  # what mpirun has to say about it
            break
        before, mark, rest = text.partition("weft: error")
        if mark and not before.strip() and not line:
            line = rest.partition(": ")[2]
        elif line and text:
            detail.append(text)
    if not line:
        reason = REASONS.get(code, f"signal {-code}" if code < 0 else "unknown")
        line = f"weft ended with exit code {code} ({reason}) and said nothing of it"
        detail = messages.strip().splitlines()[-10:]
    return Error(line, code, "\n".join(detail))


def call(words: list[str], hidden: dict[str, str] | None = None) -> str:
    """Standard output of a short command of the program, such as ["describe", "--json", "-"]. Throws Error."""
    done = subprocess.run([program(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          encoding="utf-8", errors="replace", preexec_fn=end_with_parent)
    if done.returncode != 0:
        raise error_of(done.returncode, done.stderr, hidden)
    return done.stdout
