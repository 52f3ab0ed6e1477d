"""Many runs side by side: each a process of the program; what was stopped goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any

from . import _program
from ._errors import Error
from ._points import RunPlace
from ._progress import Display, Progress
from ._run import end, thread_words
from ._signals import end_with_parent

_STOPPED = 75


class Pool:
    """Runs places, `jobs` at once, each on so many processes of so many threads. Ctrl-C stops all of them: runs that
    can write checkpoints do, and go on from there the next time."""

    def __init__(self, jobs: int, ranks: int, allow_unused: bool = False, threads: int = 1) -> None:
        #: CPU seconds of the processes of each run, by name.
        self.cpu_s: dict[str, float] = {}
        self._jobs = jobs
        self._ranks = ranks
        self._threads = threads
        self._allow_unused = allow_unused
        self._children: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, places: Sequence[RunPlace], display: Display | None = None,
            weights: Sequence[float] | None = None) -> dict[str, Error]:
        """Runs those of the places that have no result. Returns the errors of those that failed, by name.
        `weights`: what each is estimated to take, for the time to go."""
        share = {place.name: weight for place, weight in zip(places, weights or [1.0] * len(places), strict=True)}
        todo = {place.name: place for place in places if not place.is_done}
        errors: dict[str, Error] = {}
        if not todo:
            return errors
        count = Count(len(todo), [share[name] for name in todo], display)
        with ThreadPoolExecutor(self._jobs) as threads:
            futures = {threads.submit(self._one, place): name for name, place in todo.items()}
            try:
                self._gather(futures, errors, share, count)
            except BaseException:
                self.stop()
                for future in futures:
                    future.cancel()
                raise
            finally:
                count.close()
        return errors

    def _gather(self, futures: dict[Future[Error | None], str], errors: dict[str, Error], share: dict[str, float],
                count: Count) -> None:
        # A signal's exception may come while this thread waits: a SimpleQueue takes that, conditions of Python do not.
        finished: SimpleQueue[Future[Error | None]] = SimpleQueue()
        for future in futures:
            future.add_done_callback(finished.put)
        waiting = len(futures)
        while waiting > 0:
            count.show()
            try:
                future = finished.get(timeout=0.5)
            except Empty:
                continue
            waiting -= 1
            error = future.result()
            if error is not None:
                errors[futures[future]] = error
            count.add(share[futures[future]], error is not None)

    def stop(self) -> None:
        """Asks all runs to write checkpoints and end."""
        with self._lock:
            self._stopping = True
            children = list(self._children)
        for child in children:
            try:
                os.killpg(child.pid, signal.SIGUSR1 if self._ranks > 1 else signal.SIGTERM)
            except ProcessLookupError:
                continue

    def _one(self, place: RunPlace) -> Error | None:
        checkpoint, failed = place.file("ckpt.h5"), place.file("failed.json")
        words = [*_program.launch(self._ranks), *place.prepare(), *thread_words(self._threads)]
        words += ["--allow-unused"] if self._allow_unused else []
        words += ["--resume", str(checkpoint)] if checkpoint.exists() else []
        with self._lock:
            if self._stopping:
                return None
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                     env=_program.environment(self._ranks), start_new_session=True,
                                     preexec_fn=end_with_parent)
            self._children.add(child)
        assert child.stderr is not None
        try:
            messages = child.stderr.read().decode("utf-8", "replace")
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.cpu_s[place.name] = usage.ru_utime + usage.ru_stime
        finally:
            end(child)
            child.stderr.close()
            with self._lock:
                self._children.discard(child)
        if child.returncode == 0:
            place.keep(self.cpu_s[place.name])
            for file in (failed, checkpoint):
                file.unlink(missing_ok=True)
            return None
        if self._stopping or child.returncode == _STOPPED:
            return None
        if "--resume" in words:  # a checkpoint that cannot be used: from the beginning, then
            checkpoint.unlink(missing_ok=True)
            return self._one(place)
        error = _program.error_of(child.returncode, messages, {str(place.file("toml")): place.name})
        failed.write_text(json.dumps({"code": error.code, "message": error.message, "detail": error.detail}),
                          encoding="utf-8")
        return error


class Count:
    """How many runs are done, and when the rest will be: by their estimated shares of the work."""

    def __init__(self, total: int, weights: Sequence[float], display: Display | None,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._weight, self._display, self._clock = total, sum(weights) or 1.0, display, clock
        self._done, self._failed, self._work, self._begun = 0, 0, 0.0, clock()

    def add(self, weight: float, failed: bool) -> None:
        self._done += 1
        self._failed += failed
        self._work += weight

    def progress(self) -> Progress:
        spent = self._clock() - self._begun
        share = min(self._work / self._weight, 1.0)
        eta: Any = spent * (1 - share) / share if share > 0 else None
        text = f"study  {int(100 * share):3d}%  {self._done}/{self._total} runs"
        text += f", {self._failed} failed" if self._failed else ""
        text += f"  ETA {int(eta) // 60}:{int(eta) % 60:02d}" if eta is not None and self._done < self._total else ""
        return Progress(text, share, self._done, self._total, "runs", eta)

    def show(self) -> None:
        if self._display is not None:
            self._display.show(self.progress())

    def close(self) -> None:
        if self._display is not None:
            self._display.close()
