"""How far a run has come: the program's progress lines, read and shown where people look."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from ._errors import Error

_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_LINE = re.compile(
    r"^(?P<what>.*?)  (?:[█▏▎▍▌▋▊▉░]*\s*(?P<percent>\d+)%  (?P<done>[\d.,]+) ?(?P<done_p>[kMGT]?)/"
    r"(?P<total>[\d.,]+) ?(?P<total_p>[kMGT]?)|(?P<count>[\d.,]+) ?(?P<count_p>[kMGT]?)) (?P<unit>[a-z]+)"
    r"(?:  ETA (?P<eta>[\d:]+))?")


@dataclass(frozen=True)
class Progress:
    """How far a run is. `text`: the program's line. `fraction`: 0..1, or None where the end is not known. `done`,
    `total` (None likewise) in `unit`, such as "cycles". `eta_s`: seconds to go, or None."""

    text: str
    fraction: float | None = None
    done: float | None = None
    total: float | None = None
    unit: str = ""
    eta_s: float | None = None


def _number(digits: str | None, prefix: str | None) -> float | None:
    return None if digits is None else float(digits.replace(",", "")) * _PREFIXES[prefix or ""]


def parse(line: str) -> Progress:
    """A progress line of the program. What cannot be read of it is None; its text is always there."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line).strip()
    found = _LINE.match(text)
    if found is None:
        return Progress(text)
    seconds = None
    if found["eta"]:
        seconds = 0.0
        for part in found["eta"].split(":"):
            seconds = seconds * 60 + float(part)
    percent = found["percent"]
    return Progress(text, None if percent is None else int(percent) / 100,
                    _number(found["done"] or found["count"], found["done_p"] or found["count_p"]),
                    _number(found["total"], found["total_p"]), found["unit"], seconds)


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class TerminalDisplay:
    """One line, drawn anew in its place."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = False

    def show(self, progress: Progress) -> None:
        self._stream.write(f"\r{progress.text[:79]}\x1b[K")
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class LineDisplay:
    """A plain line every 30 s, for logs of jobs."""

    def __init__(self, stream: TextIO, every_s: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._every_s, self._clock = stream, every_s, clock
        self._shown_s = clock()

    def show(self, progress: Progress) -> None:
        now = self._clock()
        if now - self._shown_s < self._every_s:
            return
        self._shown_s = now
        self._stream.write(progress.text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Lines of a log stay."""


class NotebookDisplay:
    """A bar below the cell, which goes when the run is over."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, progress: Progress) -> None:
        import html

        from IPython.display import HTML, display

        bar = "" if progress.fraction is None else f'<progress value="{progress.fraction:.3f}" max="1"></progress> '
        page = HTML(f'{bar}<code>{html.escape(re.sub("[█▏▎▍▌▋▊▉░]+ *", "", progress.text))}</code>')
        if self._handle is None:
            self._handle = display(page, display_id=True)
        else:
            self._handle.update(page)

    def close(self) -> None:
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
            self._handle = None


class CallDisplay:
    """A function of the user's."""

    def __init__(self, function: Callable[[Progress], object]) -> None:
        self._function = function

    def show(self, progress: Progress) -> None:
        self._function(progress)

    def close(self) -> None:
        """Nothing is left to take away."""


Display = TerminalDisplay | LineDisplay | NotebookDisplay | CallDisplay


def display_of(progress: bool | Callable[[Progress], object] | None) -> Display | None:
    """Where progress is shown. None: in a notebook, or on a terminal; True: always (standard error); False: nowhere; a
    function is called with each Progress."""
    if callable(progress):
        return CallDisplay(progress)
    if progress not in (None, True, False):
        raise Error(
            f"progress = {progress!r} says not whether progress is shown; give True, False, None, or a function")
    if progress is False:
        return None
    if in_notebook():
        return NotebookDisplay()
    return TerminalDisplay(sys.stderr) if progress or sys.stderr.isatty() else None
