"""Where networks saturate: the offered load beyond which they no longer take what they are given, by bisection."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _statistics
from ._errors import Error
from ._points import Point, RunPlace
from ._summary import Summary

if TYPE_CHECKING:
    import pandas as pd

    from ._progress import Display
    from ._study import Study

CRITERIA = ("saturated", "either", "untaken", "latency")


@dataclass
class Search:
    """The bisection of one point with one seed. `low`: the highest load that was not saturated, `high`: the lowest that
    was, or the bounds of the search."""

    point: Point
    seed: int
    low: float
    high: float
    loads: list[float] = field(default_factory=list)  #: that were run
    zero_latency: float = math.nan  #: cycles, at the lowest load
    accepted: float = math.nan  #: at `low`
    accepted_beyond: float = math.nan  #: at `high`
    reason: str = ""  #: why `high` is saturated
    failed: str = ""

    def next_load(self, precision: float) -> float | None:
        """The load to run next: the lowest, then the highest, then the middle; None when it is found."""
        if self.failed:
            return None
        for end in (self.low, self.high):
            if end not in self.loads and len(self.loads) < 2 and not self.reason:
                return end
        if not self.reason or self.high - self.low <= precision * (1 + 1e-9) or self.high <= self.loads[0]:
            return None
        return round((self.low + self.high) / 2, 12)

    def take(self, load: float, summary: Summary, rule: Rule) -> None:
        """What a run at a load says."""
        self.loads.append(load)
        if math.isnan(self.zero_latency):
            self.zero_latency = summary.figure("latency.mean")
        reason = rule.reason(summary, self.zero_latency)
        if reason:
            self.high, self.reason, self.accepted_beyond = load, reason, summary.figure("load.accepted")
            self.low = min(self.low, load)
        else:
            self.low, self.accepted = load, summary.figure("load.accepted")

    @property
    def load(self) -> float:
        """The saturation load: the middle of the bracket; the highest load where that was not saturated."""
        return math.nan if self.failed else (self.low + self.high) / 2 if self.reason else self.high


@dataclass(frozen=True)
class Rule:
    """When a load is beyond saturation: "saturated": where the run says so, by the rule of summaries, pages and sweeps;
    "untaken": at least `untaken` of the offered load was not taken by the sources' NICs, or stayed in buffers that
    filled; "latency": the mean latency from generation is above `times_zero_load` that of the lowest load; "either" of
    these two."""

    criterion: str = "saturated"
    untaken: float = 0.05
    times_zero_load: float = 3.0

    def reason(self, summary: Summary, zero_latency: float) -> str:
        untaken = summary.figure("load.untaken_fraction")
        if math.isnan(untaken):
            raise Error(
                f"{summary.get('workload')}: has no offered load (saturation is that of synthetic traffic); give "
                'workload.kind = "synthetic"')
        if self.criterion == "saturated":
            return "saturated" if summary["saturated"] else ""
        if self.criterion != "latency" and _untaken_share(summary, untaken) >= self.untaken:
            return "untaken"
        if self.criterion != "untaken" and summary.figure("latency.mean") > self.times_zero_load * zero_latency:
            return "latency"
        return ""


def _untaken_share(summary: Summary, untaken: float) -> float:
    """Of the offered load, what the sources kept and what filled buffers."""
    growth, accepted = summary["load"].get("growth"), summary.figure("load.accepted")
    filled = growth / (accepted + growth) if growth is not None and growth > 0 else 0.0
    return 1 - (1 - untaken) * (1 - filled)


def saturation(study: Study, precision: float, rule: Rule, low: float | None, high: float, key: str,
               display: Display | None) -> pd.DataFrame:
    """See Study.saturation."""
    if not 0 < precision < 1:
        raise Error(f"precision = {precision} is no width of a bracket (phits/node/cycle, between 0 and 1); give for "
                    "example 0.01")
    if rule.criterion not in CRITERIA:
        raise Error(f"criterion = '{rule.criterion}' is not known; use one of {', '.join(CRITERIA)}")
    low = precision if low is None else low
    if not 0 < low < high <= 1:
        raise Error(f"loads from {low} to {high} are no range to search (0 < low < high <= 1); change them")
    points = _without_load(study.points, key)
    searches = [Search(point, seed, low, high) for point in points for seed in study.seeds]
    while True:
        wanted: list[tuple[Search, float, RunPlace]] = []
        for search in searches:
            load = search.next_load(precision)
            if load is not None:
                wanted.append((search, load, study.place(search.point, search.seed, {key: load})))
        if not wanted:
            break
        errors = study.run_places([place for _, _, place in wanted], display)
        for search, load, place in wanted:
            if place.name in errors:
                search.failed = errors[place.name].message
            else:
                search.take(load, study.summary(place), rule)
    return _table(points, searches, rule)


def _without_load(points: list[Point], key: str) -> list[Point]:
    """The points but for their load, each once."""
    kept: dict[str, Point] = {}
    for point in points:
        settings = {name: value for name, value in point.settings.items() if name != key}
        labels = {axis: label for axis, label in point.labels.items() if axis != key}
        kept.setdefault(repr(sorted(settings.items())), Point(len(kept), labels, settings))
    return list(kept.values())


def _table(points: list[Point], searches: list[Search], rule: Rule) -> pd.DataFrame:
    from ._hdf5 import _pandas

    rows: list[Mapping[str, Any]] = []
    for point in points:
        own = [search for search in searches if search.point is point]
        row: dict[str, Any] = dict(point.labels)
        for column, values in (("saturation_load", [one.load for one in own]),
                               ("accepted_at_saturation", [one.accepted for one in own]),
                               ("accepted_beyond", [one.accepted_beyond for one in own]),
                               ("zero_load_latency", [one.zero_latency for one in own])):
            row[column] = _statistics.mean(values)
            row[f"{column}_ci95"] = _statistics.half_width(values)
        row["bracket"] = max(one.high - one.low for one in own)
        row["reason"] = ", ".join(sorted({one.reason or "not saturated" for one in own if not one.failed}))
        row["runs"] = sum(len(one.loads) for one in own)
        row["error"] = "; ".join(sorted({one.failed for one in own if one.failed}))
        rows.append(row)
    frame = _pandas().DataFrame(rows)
    load = "phits/node/cycle"
    frame.attrs["units"] = {name: load if name.startswith(("saturation_load", "accepted", "bracket")) else
                            "cycles" if name.startswith("zero_load") else "" for name in frame.columns}
    frame.attrs["axes"] = list(points[0].labels)
    frame.attrs["criterion"] = rule
    return frame
