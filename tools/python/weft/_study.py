"""weft.Study: many runs of one config with different settings, as one table."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _config, _figures, _points, _program, _saturation, _statistics, _topology
from ._errors import Error, nearest
from ._estimate import Estimate
from ._hdf5 import _pandas
from ._pool import Pool
from ._progress import Display, Progress, display_of
from ._result import Result
from ._run import check_ranks, read_json
from ._signals import ended_in_order
from ._summary import Summary
from ._temporary import TemporaryFolder

if TYPE_CHECKING:
    import pandas as pd

ProgressLike = bool | Callable[[Progress], object] | None
LOAD = "workload.offered_load"


def _seeds(seeds: int | Iterable[int], first: int) -> list[int]:
    """The seeds of each point: so many from the first, or those of a list. Throws Error."""
    listed: list[Any] = []
    if isinstance(seeds, int) and not isinstance(seeds, bool):
        listed = list(range(first, first + seeds))
    elif isinstance(seeds, Iterable) and not isinstance(seeds, str):
        listed = [*seeds]
    wrong = [one for one in listed if not hasattr(one, "__index__") or isinstance(one, bool)]
    if wrong or (not listed and seeds not in (0, []) and not isinstance(seeds, int)):
        raise Error(f"seeds = {seeds!r} is no number of runs; give a whole number, or a list of seeds")
    return [int(one) for one in listed]


class Study:
    """Points, each run with several seeds.

    base    the config of all points: a path, TOML as text, or a dict.
    grid    axes whose product the points are; the last one changes fastest. An axis is a key with its values,
            {"router.virtual_channels": [2, 4]}; labels with values, {"topology.dims": {"small": [8, 8]}}; or labels
            with settings, under any name, {"network": {"torus": {"topology.kind": "torus", ...}, "Slim Fly": {...}}}. A
            setting None leaves a key of the base out.
    zip     axes that go in step, likewise: a row of values for each step.
    labels  what people call the values of a key: {"router.routing": {"ugal-l": "UGAL"}}.
    seeds   runs of each point: simulation.seed of the base and those after it; or a list of seeds.
    set     settings for all points, that win over the base.
    ranks   MPI processes of each run.
    threads of each process, as in weft.run.
    jobs    runs at once; None: as many as keep the processors busy.
    out     folder of the results. What is there is not run again, so that a study that was stopped, or has grown, goes
            on; None: a temporary folder, which goes with this object.
    figures more columns: name -> dotted path in the summary, or a function of the Summary.
    allow_unused  keys without effect at a point are not refused.

    A study is the runs of its points: `run` does them, `frame` is their table, `saturation` searches, `estimate` says
    what they will take, and `spent_s` how many CPU seconds they have taken since this object was made. Throws
    weft.Error."""

    def __init__(self, base: _config.ConfigLike, grid: Mapping[str, _points.Axis] | None = None,
                 zip: Mapping[str, _points.Axis] | None = None,  # noqa: A002
                 labels: Mapping[str, Mapping[Any, str]] | None = None, seeds: int | Iterable[int] = 1,
                 set: Mapping[str, Any] | None = None,  # noqa: A002
                 ranks: int = 1, jobs: int | None = None, out: str | os.PathLike[str] | None = None,
                 figures: Mapping[str, _figures.Figure] | None = None, allow_unused: bool = False,
                 threads: int = 1) -> None:
        self._base = _config.merged(_config.as_dict(base), set or {})
        self.points = _points.points_of(grid or {}, zip or {}, labels or {})
        first = self._base.get("simulation", {}).get("seed", 1)
        self.seeds: list[int] = _seeds(seeds, first)
        if not self.seeds:
            raise Error("seeds = 0 leaves nothing to run; give 1 or more")
        check_ranks(ranks, threads)
        self.ranks = ranks
        self.threads = threads
        self.jobs = jobs or max(1, _program.usable_cores() // (ranks * threads))
        self.figures: dict[str, _figures.Figure] = {**_figures.USUAL, **(figures or {})}
        self.errors: dict[str, Error] = {}
        self.spent_s = 0.0
        self._allow_unused = allow_unused
        self._temporary = TemporaryFolder("weft-study-") if out is None else None
        self.folder = Path(self._temporary.name if self._temporary else os.fspath(out or ""))
        (self.folder / "points").mkdir(parents=True, exist_ok=True)
        self._places = _points.Places(self._base, (self.folder / "points").absolute(), _program.call(["--version"]))
        self._summaries: dict[str, Summary] = {}
        (self.folder / "study.json").write_text(self.describe() + "\n", encoding="utf-8")

    @property
    def axes(self) -> list[str]:
        """Names of the axes, which are columns of the table."""
        return list(self.points[0].labels)

    def place(self, point: _points.Point, seed: int, more: Mapping[str, Any] | None = None) -> _points.RunPlace:
        """Config and files of a run, with settings that win over the point's."""
        return self._places.place(point, seed, more)

    def places(self, point: _points.Point) -> list[_points.RunPlace]:
        """The runs of a point, one for each seed."""
        return [self.place(point, seed) for seed in self.seeds]

    def estimate(self) -> Estimate:
        """What the runs that are still to be done will take, from short pilots of each network (about a tenth of one
        run at the lowest and at the highest load each). `print(study.estimate())` says it in a line; `cpu_s` and
        `wall_s` are seconds. Runs of tasks, whose length no config says, are counted as `unknown`."""
        from ._estimate import estimate

        with ended_in_order():
            self._check()
            return estimate(self)

    def run(self, progress: ProgressLike = None, rerun: bool = False) -> pd.DataFrame:
        """Runs what has no result yet, and returns the table (see `frame`). Points that fail do not keep the others
        from running: a warning counts them, `errors` has their reasons. All configs are checked before the first one
        runs. On KeyboardInterrupt the runs write checkpoints, and the next `run` goes on from there.

        progress  as in weft.run, of all runs together. rerun: gives up the results that are there."""
        places = [place for point in self.points for place in self.places(point)]
        if rerun:
            for place in places:
                for ending in ("json", "h5", "ckpt.h5"):
                    place.file(ending).unlink(missing_ok=True)
            self._summaries.clear()
        display = display_of(progress)
        with ended_in_order():
            self._check()
            self.run_places(places, display)
        if self.errors:
            name, error = next(iter(self.errors.items()))
            warnings.warn(f"{len(self.errors)} of {len(places)} runs failed, the first '{name}': {error}", stacklevel=2)
        table = self.frame()
        table.to_csv(self.folder / "table.csv", index=False)
        return table

    def run_places(self, places: Sequence[_points.RunPlace], display: Display | None) -> dict[str, Error]:
        """Runs those that have no result; errors by name, which `errors` has, too."""
        pool = Pool(self.jobs, self.ranks, self._allow_unused, self.threads)
        try:
            errors = pool.run(places, display)
        finally:
            self.spent_s += sum(pool.cpu_s.values())
        for place in places:
            self.errors.pop(place.name, None)
        self.errors.update(errors)
        return errors

    def _check(self) -> None:
        """Loads one config of each kind of point that is still to be run; throws the first Error."""
        seen: dict[str, str] = {}
        for point in self.points:
            place = self.place(point, self.seeds[0])
            kind = repr(sorted(item for item in point.settings.items() if item[0] != LOAD))
            if place.is_done or kind in seen:
                continue
            seen[kind] = point.name
            words = ["--allow-unused"] if self._allow_unused else []
            with tempfile.TemporaryDirectory(prefix="weft-check-") as folder:
                file = _config.as_file(place.config, folder)
                try:
                    _program.call(["run", file.path, "--print-config", *words], {file.path: "config"})
                except Error as error:
                    raise Error(
                        f"{error.message} (point '{point.name}' of the study)", error.code, error.detail) from None

    def summary(self, place: _points.RunPlace) -> Summary:
        """Figures of a run that is done."""
        if place.name not in self._summaries:
            self._summaries[place.name] = Summary(read_json(str(place.file("json"))))
        return self._summaries[place.name]

    def result(self, index: int, seed: int | None = None) -> Result:
        """The result of a point (its row in the table) with a seed, the first one unless given, tables and all. Throws
        Error where there is none."""
        if not isinstance(index, int) or not -len(self.points) <= index < len(self.points):
            raise Error(
                f"there is no point {index!r} (the study has {len(self.points)}); give 0 to {len(self.points) - 1}")
        if seed is not None and seed not in self.seeds:
            raise Error(f"seed = {seed!r} is none of the study's; {nearest(str(seed), map(str, self.seeds))}")
        place = self.place(self.points[index], self.seeds[0] if seed is None else seed)
        if not place.is_done:
            raise Error(f"point {index} ('{self.points[index].name}') has no result; run the study first")
        return Result(self.summary(place), str(place.file("h5")))

    def runs(self) -> pd.DataFrame:
        """A row for each run: the axes, `seed`, `state`, and the figures, without means."""
        rows = []
        for point in self.points:
            for seed, place in zip(self.seeds, self.places(point), strict=True):
                row: dict[str, Any] = {**point.labels, "seed": seed, "state": self._state(place)}
                if place.is_done:
                    summary = self.summary(place)
                    row |= {"saturated": summary.get("saturated"), "converged": summary.get("converged")}
                    row |= {name: _figures.value_of(summary, figure) for name, figure in self.figures.items()}
                    row["digest"] = summary.get("digest")
                rows.append(row)
        return self._framed(rows)

    def frame(self, confidence_percent: float = 95) -> pd.DataFrame:
        """The table: a row for each point, in order. Columns: the axes; `seeds` (that are done); `state` (done, failed
        or missing); `saturated` (any seed is) and `converged` (all are), missing where runs do not say; then each
        figure as mean over seeds and its `_ci95`, half the 95 % confidence interval by Student's t (with one seed: over
        the run's batches, of accepted load and latency alone). With `confidence_percent=99` it is `_ci99` and of that
        confidence (with one seed: if the run was measured so, measure.confidence_percent). Figures that no point has
        are left out.
        `frame.attrs["units"]` has the units, `attrs["axes"]` the axes."""
        if not 0 < confidence_percent < 100:
            raise Error(f"confidence_percent = {confidence_percent:g} is none (above 0 and below 100); "
                        "use for example 99")
        self._check_figures()
        rows = []
        for point in self.points:
            places = self.places(point)
            done = [self.summary(place) for place in places if place.is_done]
            states = {self._state(place) for place in places}
            row: dict[str, Any] = {**point.labels, "seeds": len(done)}
            row["state"] = next(state for state in ("failed", "missing", "done") if state in states)
            rows.append(row | (_figures.row_of(done, self.figures, confidence_percent) if done else {}))
        return self._framed(rows, _figures.interval_suffix(confidence_percent))

    def _check_figures(self) -> None:
        """A figure that was asked for by a path, and that no run has, is a slip of the pen. Throws Error."""
        done = [self.summary(place) for point in self.points for place in self.places(point) if place.is_done]
        for name, figure in self.figures.items():
            if not isinstance(figure, str) or name in _figures.USUAL:
                continue
            if done and not any(_figures.has(one, figure) for one in done):
                raise Error(f"figures: '{name}' = '{figure}' is in no summary of these runs; "
                            f"{nearest(figure, _figures.paths_of(done[0]))}")

    def _state(self, place: _points.RunPlace) -> str:
        if place.is_done:
            return "done"
        return "failed" if place.name in self.errors or place.file("failed.json").exists() else "missing"

    def _framed(self, rows: list[dict[str, Any]], interval: str = "_ci95") -> pd.DataFrame:
        frame = _pandas().DataFrame(rows)
        empty = [column for column in frame.columns if column.removesuffix(interval) in self.figures
                 and frame[column.removesuffix(interval)].isna().all()]
        frame = frame.drop(columns=empty)
        for column in ("saturated", "converged"):
            if column in frame:
                frame[column] = frame[column].astype("boolean")
        units = {name: _figures.unit_of_column(name, figure) for name, figure in self.figures.items()}
        frame.attrs["units"] = {column: units.get(column.removesuffix(interval), self._unit_of_axis(column))
                                for column in frame.columns}
        frame.attrs["axes"] = self.axes
        return frame

    @staticmethod
    def _unit_of_axis(column: str) -> str:
        from ._registry import described

        if "." not in column:
            return ""
        return next((row["unit"] for row in described()["settings"] if row["key"] == column), "")

    def saturation(self, precision: float = 0.01, criterion: str = "saturated", *, untaken: float = 0.05,
                   times_zero_load: float = 3.0, low: float | None = None, high: float = 1.0, key: str = LOAD,
                   progress: ProgressLike = None) -> pd.DataFrame:
        """The load at which each point saturates, by bisection of `key` with each seed; an axis of it is left out.

        A load is beyond saturation where its run says so (`saturated` of the summary, as in pages and sweeps). Other
        criteria: "untaken": at least the fraction `untaken` of what was offered was not taken (sources stood still, or
        their queues grew, or buffers filled: load.untaken_fraction, load.growth); "latency": the mean latency from
        generation is above `times_zero_load` that of the lowest load; "either" of these two.
        precision  the widest bracket that is left, phits/node/cycle.
        low, high  loads between which it is searched; low: the precision unless given, is also where the zero-load
                   latency is taken.

        Returns a row for each point: the axes; `saturation_load` (the middle of the bracket; `high` where that is not
        saturated), `accepted_at_saturation` (at the highest load below it), `accepted_beyond` (at the lowest above),
        phits/node/cycle; `zero_load_latency`, cycles; each with `_ci95` over seeds; `bracket`, `reason`, `runs`,
        `error`. The runs are kept in the folder: asked again, nothing is run twice."""
        rule = _saturation.Rule(criterion, untaken, times_zero_load)
        with ended_in_order():
            return _saturation.saturation(self, precision, rule, low, high, key, display_of(progress))

    def networks(self, cost: str | os.PathLike[str] | None = None) -> pd.DataFrame:
        """What the study's networks are made of: a row for each, with the axes that set keys of [topology]; `nodes`,
        `routers`, `ports` (of all routers), `most_ports` (of one), `router_links`, `node_links`, `diameter` and
        `mean_distance` (links), `uniform_load_bound` (phits/node/cycle); with `cost`, a table of prices
        (docs/topologies.md#cost), `price`, `price_per_node`, `watts`, `racks` and `cable_m`."""
        currency = ""
        rows: dict[str, dict[str, Any]] = {}
        for point in self.points:
            config = self.place(point, self.seeds[0]).config
            network = {table: config[table] for table in ("topology", "faults") if table in config}
            key = json.dumps(network, sort_keys=True)
            if key in rows:
                rows[key] = {axis: label for axis, label in rows[key].items()
                             if axis not in point.labels or point.labels[axis] == label}
            else:
                facts = _topology.facts_of({"format": 1, **network}, cost)
                currency = facts["cost"]["currency"] if "cost" in facts else ""
                rows[key] = {**point.labels, **_topology.row_of(facts)}
        frame = _pandas().DataFrame([*rows.values()])
        frame = frame.drop(columns=[axis for axis in self.axes if axis in frame and frame[axis].isna().any()])
        known = {**_topology.FACTS, **_topology.COST}
        units = {column: known[column][1] if column in known else "" for column in frame.columns}
        frame.attrs["units"] = {column: currency if unit == "currency" else unit for column, unit in units.items()}
        return frame

    def normalised(self, column: str, to: Mapping[str, Any]) -> pd.DataFrame:
        """The table with `COLUMN_relative`: each figure over that of the row with the same labels but for those of
        `to`, {"network": "Fat tree"}; and its `_ci95`, relative half-widths added in quadrature."""
        frame = self.frame()
        if column not in frame:
            raise Error(f"the table has no column '{column}'; {nearest(column, frame.columns)}")
        for axis, label in to.items():
            if axis not in self.axes:
                raise Error(f"to: '{axis}' is no axis of the study; {nearest(axis, self.axes)}")
            if label not in set(frame[axis]):
                raise Error(f"to: '{axis}' has no '{label}'; {nearest(str(label), sorted(set(map(str, frame[axis]))))}")
        rest = [axis for axis in self.axes if axis not in to]
        chosen = frame
        for axis, label in to.items():
            chosen = chosen[chosen[axis] == label]
        references = {tuple(row[axis] for axis in rest): row for _, row in chosen.iterrows()}
        ratios, widths = [], []
        for _, row in frame.iterrows():
            one = references[tuple(row[axis] for axis in rest)]
            ratios.append(row[column] / one[column] if one[column] else float("nan"))
            itself = all(row[axis] == label for axis, label in to.items())
            widths.append(0.0 if itself else _statistics.ratio_half_width(
                row[column], row[f"{column}_ci95"], one[column], one[f"{column}_ci95"]))
        attributes = dict(frame.attrs)
        frame = frame.assign(**{f"{column}_relative": ratios, f"{column}_relative_ci95": widths})
        frame.attrs = attributes | {
            "units": attributes["units"] | {f"{column}_relative": "", f"{column}_relative_ci95": ""}}
        return frame

    def describe(self) -> str:
        """What is run, as JSON text: base, points, seeds; study.json of the folder."""
        return json.dumps({"base": self._base, "seeds": self.seeds, "ranks": self.ranks,
                           "points": [{"labels": point.labels, "settings": point.settings} for point in self.points]},
                          indent=1)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<weft.Study of {len(self.points)} points, {len(self.seeds)} seeds each, in {self.folder}>"
