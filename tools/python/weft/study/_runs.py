"""Runs of a study: what is started, where its figures are kept, and whether those that are there are still good."""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import _config, _program
from .._errors import Error, nearest
from .._points import RunPlace
from .._summary import Summary
from ._programs import PLACE, Program

#: What a file of figures says of itself.
FORM = "weft study run"


@dataclass(frozen=True)
class Run:
    """One start of the program. `config`: relative to the folder of the study; `settings`: dotted keys; `command`:
    "run", "topology", "fabric ebb", "fabric applications" or "cosim"; `words`: more options of that command;
    `input_path`: a file that is no part of the project; `program`: what a run of cosim starts, "{program}" in its
    settings. What it says is the object `said` of the summary."""

    config: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    command: str = "run"
    words: tuple[str, ...] = ()
    input_path: str = ""
    program: Program | None = None

    def with_seed_moved(self, by: int) -> Run:
        """With other random draws: `by` is added to its seed, 1 if it names none."""
        if by == 0 or self.command in ("topology", "cosim"):
            return self
        if self.command == "run":
            seed = int(self.settings.get("simulation.seed", 1)) + by
            return replace(self, settings={**self.settings, "simulation.seed": seed})
        words = self.words if "--seed" in self.words else (*self.words, "--seed", "1")
        at = words.index("--seed") + 1
        return replace(self, words=(*words[:at], str(int(words[at]) + by), *words[at + 1:]))


@functools.cache
def _text_of(path: Path, depth: int = 0) -> str:
    """The settings of a config and of what it includes, without comments."""
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Error(f"{path}: cannot be read ({problem}); mend the study's config") from None
    includes = config.get("include", [])
    names = [includes] if isinstance(includes, str) else includes
    return json.dumps(config, sort_keys=True) + "".join(
        _text_of(path.parent / name, depth + 1) for name in names if depth < 8)


@dataclass(frozen=True)
class Place(RunPlace):
    """A run with the file of its figures, NAME.json: the program's summary with the version, a stamp of all that
    decides the result, the date and the processor time."""

    run: Run = field(default_factory=lambda: Run(""))
    source: Path = Path()
    version: str = ""

    @functools.cached_property
    def stamp(self) -> str:
        """Of the config, with what it includes, the settings and the size of the input."""
        size = Path(self.run.input_path).stat().st_size if self.has_input and self.run.input_path else 0
        # Folders do not count: results may be carried from one machine to another.
        settings = {
            key: Path(value).name if value == self.run.input_path else value for key, value in self.run.settings.items()
        }
        words = [self.run.command, _text_of(self.source / self.run.config), json.dumps(settings, sort_keys=True),
                 *self.run.words, str(size)]
        if self.run.program:
            words.append((self.source / self.run.program.source).read_text(encoding="utf-8"))
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]

    @property
    def lacking(self) -> str:
        """A file or program that it needs and that is not there; empty: none."""
        if self.run.input_path and not os.path.isfile(self.run.input_path):
            return self.run.input_path
        return self.run.program.lacking() if self.run.program else ""

    @property
    def has_input(self) -> bool:
        return not self.lacking

    @property
    def is_done(self) -> bool:
        return self.state() == "done"

    def kept(self) -> dict[str, Any] | None:
        """What the file says; None if there is none. Throws Error if it is no such file."""
        path = self.file("json")
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (IsADirectoryError, UnicodeDecodeError) as problem:
            raise _damaged(path, "a folder" if isinstance(problem, OSError) else "no text") from None
        try:
            found = json.loads(text)
        except ValueError as problem:
            raise _damaged(path, f"no JSON: {problem}") from None
        if not isinstance(found, dict) or found.get("form") != FORM or not isinstance(found.get("summary"), dict):
            raise _damaged(path, "not written by weft study")
        return found

    def state(self) -> str:
        """done; missing; version: of another version of weft; settings: of another config. Throws Error for a damaged
        file."""
        return self._state_of(self.kept())

    def result(self) -> dict[str, Any] | None:
        """What is kept, where it is good: the run is done."""
        kept = self.kept()
        return kept if self._state_of(kept) == "done" else None

    def _state_of(self, kept: dict[str, Any] | None) -> str:
        if kept is None:
            return "missing"
        if kept.get("weft") != self.version:
            return "version"
        return "done" if kept.get("stamp") == self.stamp else "settings"

    def prepare(self) -> list[str]:
        settings, more = self.run.settings, list(self.run.words)
        if self.run.program:
            path = str(self.run.program.compiled(self.source / self.run.program.source, self.folder))
            settings = {
                key: value.replace(PLACE, path) if isinstance(value, str) else value for key, value in settings.items()}
            more += self.run.program.output_words(self.folder / self.name)
        words = [_program.program(), *self.run.command.split(), str(self.source / self.run.config),
                 *_config.set_words(settings), *more, "--json", str(self.file("part.json"))]
        if self.run.command == "run":
            words += ["--progress", "never", "--set", f"checkpoint.path={json.dumps(str(self.file('ckpt.h5')))}"]
        return words

    def keep(self, cpu_s: float) -> None:
        partial = self.file("part.json")
        summary = json.loads(partial.read_text(encoding="utf-8"))
        if self.run.program:
            summary["said"] = self.run.program.figures(self.folder / self.name)
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        whole = {"form": FORM, "weft": self.version, "stamp": self.stamp, "date": now, "cpu_s": cpu_s,
                 "summary": summary}
        partial.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        os.replace(partial, self.file("json"))


def _damaged(path: Path, why: str) -> Error:
    return Error(f"'{path}' holds no figures of a run ({why}); remove it, or give another folder with --out", 3)


class Figures:
    """The figures of a run, by dotted path; NaN where the run is not done."""

    def __init__(self, summary: Mapping[str, Any] | None) -> None:
        self._summary = None if summary is None else Summary(summary)

    def __getitem__(self, path: str) -> float:
        if self._summary is None:
            return math.nan
        value = self._summary[path]
        return math.nan if value is None or isinstance(value, (list, dict)) else float(value)

    @property
    def summary(self) -> Summary:
        """All of it; empty where the run is not done."""
        return self._summary or Summary()


class Found:
    """Run -> its figures."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.kept = {name: place.result() for name, place in places.items()}

    def __getitem__(self, name: str) -> Figures:
        if name not in self.kept:
            raise KeyError(f"the study has no run '{name}'; {nearest(name, self.kept)}")
        kept = self.kept[name]
        return Figures(None if kept is None else kept["summary"])

    def cpu_s(self, name: str) -> float:
        """Processor time of a run and of what it started (guests, processes); NaN where it is not done."""
        kept = self.kept[name]
        return float("nan" if kept is None else kept.get("cpu_s", "nan"))

    @property
    def done(self) -> list[str]:
        return [name for name, kept in self.kept.items() if kept is not None]

    @functools.cached_property
    def digest(self) -> str:
        """Of all results that are done: equal if they are, on any machine."""
        parts = []
        for name in sorted(self.done):
            kept = self.kept[name]
            assert kept is not None
            summary = kept["summary"]
            known = summary.get("digest") or hashlib.sha256(json.dumps(summary, sort_keys=True).encode()).hexdigest()
            parts.append(f"{name} {known}")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def dates(self) -> str:
        days = sorted({str(kept["date"]) for kept in self.kept.values() if kept is not None})
        return "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
