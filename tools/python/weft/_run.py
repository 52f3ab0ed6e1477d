"""weft.run: one simulation, as a child process that can be watched and cancelled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

from . import _config, _program
from ._errors import Error
from ._progress import Display, Progress, display_of, parse
from ._result import Result
from ._signals import end_with_parent, ended_in_order
from ._summary import Summary
from ._temporary import TemporaryFolder

_GRACE_S = 5.0


def run(config: _config.ConfigLike, ranks: int = 1, set: _config.Settings = None,  # noqa: A002
        out: str | os.PathLike[str] | None = None, progress: bool | Callable[[Progress], object] | None = None, *,
        threads: int = 1, seed: int | None = None, resume: str | os.PathLike[str] | None = None, slowdown: bool = False,
        allow_unused: bool = False) -> Result:
    """Simulates what a config says, and returns the result.

    config    path of a config file, TOML as text, or a dict: nested tables or dotted keys, values of Python. Relative
              paths of input files begin at the config file's folder, in a text or dict at the working directory.
    ranks     MPI processes. The result is the same for every number of them.
    threads   of each process: the first way to use several cores of one machine, without MPI. The result is the same.
    set       settings that win over those of the config: {"workload.offered_load": 0.4}, or ["key=value", ...].
    out       HDF5 file to keep; None: a temporary one, which goes when the Result does.
    progress  None: shown in notebooks and on terminals; True, False; or a function that is called with each
              weft.Progress, in this thread, about five times a second.
    seed      short for set={"simulation.seed": ...}.
    resume    a checkpoint of the same config to go on from.
    slowdown  of several jobs: runs each of them alone, too.
    allow_unused  keys of the config without effect are not refused.

    Throws weft.Error with the program's own message; its `code` is the exit code. On KeyboardInterrupt the run is
    cancelled, nothing of it is left, and KeyboardInterrupt goes on."""
    check_ranks(ranks, threads)
    display = display_of(progress)
    with ended_in_order():
        return _run(config, (ranks, threads), set, out, display, seed, resume, slowdown, allow_unused)


def check_ranks(ranks: object, threads: object) -> None:
    for name, value, what in (("ranks", ranks, "processes"), ("threads", threads, "threads")):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Error(f"{name} = {value!r} is no number of {what}; give 1 or more")


def check_size(file: _config.ConfigFile, ranks: int, words: list[str]) -> None:
    """More processes than the machine has cores are not started before it is known that the network has a router for
    each of them. Throws Error."""
    if ranks <= _program.usable_cores():
        return
    routers = json.loads(_program.call(["topology", file.path, *words, "--json", "-"], file.hidden))["routers"]
    if ranks > routers:
        raise Error(
            f"ranks = {ranks} is more than the {routers} routers of the network (each process has one or more); use "
            f"ranks = {min(routers, _program.usable_cores())}")


def thread_words(threads: int) -> list[str]:
    return ["--threads", str(threads)] if threads > 1 else []


def _run(config: _config.ConfigLike, cores: tuple[int, int], settings: _config.Settings,
         out: str | os.PathLike[str] | None, display: Display | None, seed: int | None,
         resume: str | os.PathLike[str] | None, slowdown: bool, allow_unused: bool) -> Result:
    ranks, threads = cores
    folder = TemporaryFolder("weft-run-")
    try:
        file = _config.as_file(config, folder.name)
        check_size(file, ranks, _config.set_words(settings))
        result_path = os.fspath(out) if out is not None else os.path.join(folder.name, "result.h5")
        summary_path = os.path.join(folder.name, "summary.json")
        words = [*_program.launch(ranks), _program.program(), "run", file.path, *_config.set_words(settings),
                 "--out", result_path, "--json", summary_path, *thread_words(threads)]
        words += ["--seed", str(seed)] if seed is not None else []
        words += ["--resume", os.fspath(resume)] if resume is not None else []
        words += ["--slowdown"] if slowdown else []
        words += ["--allow-unused"] if allow_unused else []
        words += ["--progress", "always" if display is not None else "never"]
        text = finished(words, ranks, os.path.join(folder.name, "text"), display, file.hidden)
        summary = Summary(read_json(summary_path))
    except BaseException:
        folder.cleanup()
        raise
    return Result(summary, path=result_path, text=text, folder=None if out is not None else folder)


def read_json(path: str) -> dict[str, Any]:
    """A summary as the program writes it. Throws Error."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as problem:
        raise Error(f"the run ended well but its summary cannot be read ({problem}); set TMPDIR to a directory that "
                    "all ranks share", 5) from None


def finished(words: list[str], ranks: int, text_path: str, display: Display | None,
             hidden: dict[str, str] | None = None) -> str:
    """What a command prints when it has ended; its progress lines go to the display. Throws Error; ends it on
    KeyboardInterrupt."""
    with open(text_path, "w+", encoding="utf-8", errors="replace") as output:
        # A session of its own: Ctrl-C on a terminal reaches Python alone, which then ends all ranks.
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                                 env=_program.environment(ranks), start_new_session=True, preexec_fn=end_with_parent)
        try:
            messages = watch(child, display)
            child.wait()
        except BaseException:
            end(child)
            raise
        finally:
            if child.stderr is not None:
                child.stderr.close()
            if display is not None:
                display.close()
        if child.returncode != 0:
            raise _program.error_of(child.returncode, messages, hidden)
        output.seek(0)
        return output.read()


def watch(child: subprocess.Popen[bytes], display: Display | None) -> str:
    """Reads standard error to its end: progress lines are shown, the rest is returned."""
    assert child.stderr is not None
    messages, begun = "", ""
    descriptor = child.stderr.fileno()
    while chunk := os.read(descriptor, 65536):
        begun += chunk.decode("utf-8", "replace")
        # A progress line begins with a carriage return and ends with the code that clears the rest of the line.
        while (at := begun.find("\x1b[K")) >= 0:
            before, line = begun[:at].rsplit("\r", 1) if "\r" in begun[:at] else (begun[:at], "")
            messages += before
            if line.strip() and display is not None:
                display.show(parse(line))
            begun = begun[at + 3:]
        if "\r" not in begun and "\n" in begun:
            complete, _, begun = begun.rpartition("\n")
            messages += complete + "\n"
    return messages + begun


def end(child: subprocess.Popen[bytes], number: int = signal.SIGINT) -> None:
    """Ends a run with all its ranks; what does not end within a few seconds is killed."""
    for each in (number, signal.SIGKILL):
        if child.poll() is not None:
            return
        try:
            os.killpg(child.pid, each)
            child.wait(_GRACE_S)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
