"""What ends Python ends what it has started: runs and their folders."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """While a run is on, SIGTERM and SIGHUP leave Python by SystemExit (128 + the signal), so that the run is ended and
    its folder goes, as after Ctrl-C. Handlers that somebody else has set stay as they are; only the main thread has
    any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    ours = [number for number in _ENDING if before[number] is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
_libc = ctypes.CDLL(None, use_errno=True)


def end_with_parent() -> None:
    """For a child before its program begins: it is interrupted when the thread that started it is gone, by SIGKILL,
    too."""
    _libc.prctl(_DEATH_SIGNAL, signal.SIGINT)
