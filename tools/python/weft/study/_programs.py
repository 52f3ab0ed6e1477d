"""MPI programs that runs of `weft cosim` start: compiled beforehand; and what they said, as figures."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._errors import Error

#: In settings of a run it stands for the path of the compiled program.
PLACE = "{program}"
_FIGURE = "figure "


@dataclass(frozen=True)
class Program:
    """A source in C beside the config. `in_guests`: for virtual machines, which have MPICH; else for processes of Open
    MPI. Its figures are the lines "figure NAME VALUE" that it writes."""

    source: str
    in_guests: bool = False

    def lacking(self) -> str:
        """The first of what is not installed here; empty: all is there."""
        needs = ("qemu-system-x86_64", "mpicc.mpich") if self.in_guests else ("mpicc.openmpi", "mpirun.openmpi")
        return next((name for name in needs if shutil.which(name) is None), "")

    def compiled(self, source: Path, folder: Path) -> Path:
        """Compiles `source` into `folder`, where it is found the next time. Throws Error."""
        path = folder / ("guests" if self.in_guests else "processes") / source.stem
        path.parent.mkdir(exist_ok=True)
        if path.exists() and path.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            return path
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        compiler = "mpicc.mpich" if self.in_guests else "mpicc.openmpi"
        words = [compiler, "-O2", "-w", "-o", str(partial), str(source), "-lm"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Error(f"{source}: {words[0]} does not compile it ({done.stderr.strip()}); mend it", 3)
        os.replace(partial, path)
        return path

    def output_words(self, stem: Path) -> list[str]:
        """Options of a run that keep what the program writes, in files that begin with `stem`."""
        key = "consoles" if self.in_guests else "program_output"
        return ["--set", f"cosim.{key}={stem}.said"]

    def figures(self, stem: Path) -> dict[str, Any]:
        """What it said: {"is": {"seconds": 0.1}} of "figure is.seconds 0.1"."""
        path = Path(f"{stem}.said")
        text = (path / "guest0.console.log" if self.in_guests else path).read_text(encoding="utf-8", errors="replace")
        found: dict[str, Any] = {}
        for line in text.splitlines():
            if not line.startswith(_FIGURE):
                continue
            name, value = line.removeprefix(_FIGURE).split()
            at = found
            *groups, last = name.split(".")
            for group in groups:
                at = at.setdefault(group, {})
            at[last] = float(value)
        return found
