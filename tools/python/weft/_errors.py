"""What goes wrong: one exception, with the words of the program and the exit code that says whose matter it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Exit codes of the program.
REASONS = {2: "usage or config", 3: "bad input file", 4: "the simulated system cannot proceed",
           5: "system (MPI, disk, memory)", 75: "stopped early with a checkpoint written"}


class Error(Exception):
    """A run, a file or a request that was refused.

    `str(error)` is one line: problem (why); what to do. `detail`: the lines that the program printed after it, or "".
    `code`: 2 usage or config, 3 bad input file, 4 the simulated system cannot proceed (deadlock, unmatched receive),
    5 system (MPI, disk, memory, no program), 75 stopped early with a checkpoint; negative: ended by that signal."""

    def __init__(self, message: str, code: int = 2, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return self.message if not self.detail else f"{self.message}\n{self.detail}"

    def __reduce__(self) -> tuple[type, tuple[str, int, str]]:
        return type(self), (self.message, self.code, self.detail)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like this one, as the end of a message: "; did you mean 'x'?", or what there is."""
    names = [str(name) for name in known]
    found = difflib.get_close_matches(str(word), names, 1, 0.5)
    if found:
        return f"did you mean '{found[0]}'?"
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"there is {shown}" if names else "there is none"


def needs(module: str, package: str, what: str) -> Error:
    """For a module that is not installed."""
    return Error(f"{what} needs the Python module {module} (it is not installed here); install {package}, "
                 "which belongs to /usr/bin/python3", 5)
