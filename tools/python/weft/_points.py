"""The points of a study: which there are, what each runs, and where its results lie."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from . import _config, _program
from ._errors import Error, nearest
from ._toml import config_text, plain, value_text

#: Values of an axis: a list of values of the key; or label -> value; or label -> settings (a dict).
Axis = Union[Sequence[Any], Mapping[str, Any]]


def slug(text: str) -> str:
    """Words as part of a file's name: "8:4, 64 nodes, W2" is 8-4-64-nodes-W2."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")


@dataclass(frozen=True)
class Step:
    """One step of an axis: what people call it, and the settings that it stands for."""

    label: Any
    settings: dict[str, Any]


@dataclass
class Point:
    """A point of a study. `labels`: axis -> what people call its step (a number where it is one); `settings`: dotted
    keys; `index`: its row."""

    index: int
    labels: dict[str, Any]
    settings: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        return ", ".join(str(label) for label in self.labels.values()) or "the base"


def steps_of(axis: str, values: Axis, labels: Mapping[Any, str]) -> list[Step]:
    """The steps of an axis. Throws Error for one without values."""
    values = values if isinstance(values, Mapping) else plain(values)
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise Error(f"grid: '{axis}' = {values!r} is no list of values; write a list, or a dict of labels")
    steps = []
    if isinstance(values, Mapping):
        for label, value in values.items():
            settings = dict(_config.nested_keys(value)) if isinstance(value, Mapping) else {axis: plain(value)}
            steps.append(Step(label, settings))
    else:
        for value in values:
            if isinstance(value, dict):
                raise Error(
                    f"grid: a step of '{axis}' is a dict without a label; write {{'{axis}': {{'label': settings}}}}")
            known = labels.get(tuple(value) if isinstance(value, list) else value)
            shown = value if known is None and not isinstance(value, list) else known or "x".join(map(str, value))
            steps.append(Step(shown, {axis: value}))
    if not steps:
        raise Error(f"grid: '{axis}' has no values; give one or more")
    return steps


def points_of(grid: Mapping[str, Axis], zipped: Mapping[str, Axis], labels: Mapping[str, Mapping[Any, str]]) -> list[
        Point]:
    """The product of the axes of `grid` and of the rows of `zipped`, whose axes go in step; the last axis changes
    fastest. Throws Error for axes of different length in `zipped`, and for points that are there twice."""
    for axis in labels:
        if axis not in grid and axis not in zipped:
            raise Error(f"labels: '{axis}' is no axis of the study; {nearest(axis, [*grid, *zipped])}")
    rows: list[list[tuple[str, Step]]] = [[]]
    if zipped:
        columns = {axis: steps_of(axis, values, labels.get(axis, {})) for axis, values in zipped.items()}
        if len({len(steps) for steps in columns.values()}) > 1:
            sizes = ", ".join(f"'{axis}' {len(steps)}" for axis, steps in columns.items())
            raise Error(f"zip: axes that go in step differ in length ({sizes}); give them as many values each")
        rows = [list(zip(columns, steps, strict=True)) for steps in zip(*columns.values(), strict=True)]
    axes = [[(axis, step) for step in steps_of(axis, values, labels.get(axis, {}))] for axis, values in grid.items()]
    points: list[Point] = []
    seen: dict[str, Point] = {}
    for choice in itertools.product(rows, *axes):
        steps = [*choice[0], *choice[1:]]
        settings: dict[str, Any] = {}
        for _, step in steps:
            settings.update(step.settings)
        point = Point(len(points), {axis: step.label for axis, step in steps}, settings)
        first = seen.setdefault(repr(sorted(settings.items())), point)
        if first is not point:
            raise Error(f"grid: the points '{first.name}' and '{point.name}' have the same settings; leave one out")
        points.append(point)
    return points


@dataclass(frozen=True)
class RunPlace:
    """A run of a point with a seed: its whole config, and its files in the folder of the study."""

    config: dict[str, Any] = field(repr=False)
    name: str
    folder: Path

    def file(self, ending: str) -> Path:
        return self.folder / f"{self.name}.{ending}"

    @property
    def is_done(self) -> bool:
        # The summary is written last.
        return self.file("json").is_file() and self.file("h5").is_file()

    def prepare(self) -> list[str]:
        """Writes what the run reads. Returns the words that start it, without a launcher and what a pool adds."""
        self.file("toml").write_text(config_text(self.config), encoding="utf-8")
        return [_program.program(), "run", str(self.file("toml")), "--progress", "never", "--out", str(self.file("h5")),
                "--json", str(self.file("part.json"))]

    def keep(self, cpu_s: float) -> None:
        """The run has ended well. `cpu_s`: processor time of it and of what it started."""
        os.replace(self.file("part.json"), self.file("json"))


#: Keys of [statistics] for files that a run writes besides its result.
RECORDS = ("events", "matches", "timeline")
_INPUT = "# input: "


def with_own_records(config: dict[str, Any], stem: Path) -> dict[str, Any]:
    """The config with these files beside the run's others, STEM.events.txt: all runs would write those that the base
    names. A device or pipe stays what it is."""
    own = {}
    for name in RECORDS:
        path = config.get("statistics", {}).get(name)
        if isinstance(path, str) and path and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)):
            own[f"statistics.{name}"] = f"{stem}.{name}{Path(path).suffix}"
    return _config.merged(config, own) if own else config


class Places:
    """Names of runs: what people call the point, and a hash of everything that decides the result (the whole config,
    the files that it names, the version of the program), so that results are found again when a study grows."""

    def __init__(self, base: dict[str, Any], folder: Path, version: str) -> None:
        self._base = base
        self._folder = folder
        self._version = version
        self._hashes: dict[tuple[str, int, int], str] = {}
        self._known: dict[str, RunPlace] = {}
        self._lists: dict[str, list[str]] = {}

    def place(self, point: Point, seed: int, more: Mapping[str, Any] | None = None) -> RunPlace:
        settings = {**point.settings, **(more or {}), "simulation.seed": seed}
        key = repr(sorted(settings.items()))
        if key not in self._known:
            config = _config.merged(self._base, settings)
            text = json.dumps(config, sort_keys=True)  # in whatever order it was written
            digest = hashlib.sha256(f"{self._version}\n{text}\n{self._inputs(config)}".encode()).hexdigest()[:16]
            words = [value_text(label).strip('"') for label in point.labels.values()]
            words += [value_text(value).strip('"') for value in (more or {}).values()]
            told = slug("-".join(words))[:60]
            name = "-".join(part for part in (told, f"s{seed}", digest) if part)
            self._known[key] = RunPlace(with_own_records(config, self._folder / name), name, self._folder)
        return self._known[key]

    def _inputs(self, config: Mapping[str, Any]) -> str:
        """Hashes of the files that the config names; of folders the names, sizes and times of what is in them."""
        found = []
        for value in _texts(config):
            if value.startswith("/") and os.path.exists(value):
                found.append(f"{value} {self._hash(Path(value))}")
        named = set(_texts(config))
        found += [f"{path} {self._hash(Path(path))}" for path in self._behind(config) if path not in named]
        return "\n".join(found)

    def _behind(self, config: Mapping[str, Any]) -> list[str]:
        """The files that a trace is made of, where the config names their folder, a pattern or the file that lists
        them."""
        tables = json.dumps({table: config.get(table) for table in ("workload", "job")}, sort_keys=True)
        if '"kind": "trace"' not in tables:
            return []
        if tables not in self._lists:
            with tempfile.TemporaryDirectory(prefix="weft-inputs-") as folder:
                file = _config.as_file(config, folder)
                try:
                    frozen = _program.call(
                        ["run", file.path, "--print-config", "--allow-unused"], {file.path: "config"})
                except Error:
                    frozen = ""  # the run will say what is wrong
            paths = [line.removeprefix(_INPUT) for line in frozen.splitlines() if line.startswith(_INPUT)]
            self._lists[tables] = [path for path in paths if os.path.isfile(path)]
        return self._lists[tables]

    def _hash(self, path: Path) -> str:
        if path.is_dir():
            rows = sorted(f"{one.name} {one.stat().st_size} {one.stat().st_mtime_ns}" for one in path.iterdir())
            return hashlib.sha256("\n".join(rows).encode()).hexdigest()
        status = path.stat()
        key = (str(path), status.st_size, status.st_mtime_ns)
        if key not in self._hashes:
            with path.open("rb") as file:
                self._hashes[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return self._hashes[key]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else []
    return [text for item in items for text in _texts(item)]
