"""Series out of what people have: a study, its table, or results by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from .._errors import Error, nearest
from .._figures import USUAL, row_of
from .._hdf5 import _pandas
from .._summary import unit_of

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[Any]


@dataclass
class Series:
    """A curve: points in ascending x; `width`: half-widths of confidence intervals (NaN: unknown); `hollow`: points
    that are saturated or did not converge."""

    label: str
    x: Array
    y: Array
    width: Array
    hollow: Array


def table_of(data: Any) -> pd.DataFrame:
    """The table of a study; a DataFrame as it is; results (label -> Result or list of them) as rows."""
    pandas = _pandas()
    if isinstance(data, pandas.DataFrame):
        return data
    if hasattr(data, "frame") and hasattr(data, "points"):
        return data.frame()
    if hasattr(data, "summary"):
        data = {data.summary.get("topology", "run"): [data]}
    if isinstance(data, Mapping):
        rows = []
        figures = {**USUAL, "cycle_ns": "cycle_ns"}
        for label, results in data.items():
            for result in results if isinstance(results, Sequence) else [results]:
                rows.append({"series": str(label)} | row_of([result.summary], figures))
        frame = pandas.DataFrame(rows)
        frame.attrs["axes"] = ["series"]
        frame.attrs["units"] = {name: unit_of(path) for name, path in figures.items()}
        return frame
    raise Error(f"a {type(data).__name__} cannot be drawn; give a Study, its table, or a dict of label -> results")


def needed(table: pd.DataFrame, *columns: str) -> None:
    for column in columns:
        if column not in table:
            raise Error(f"the table has no column '{column}'; {nearest(column, table.columns)}")


def unit_in(table: pd.DataFrame, column: str) -> str:
    return str(table.attrs.get("units", {}).get(column, ""))


def groups_of(table: pd.DataFrame, x: str, by: str | Sequence[str] | None) -> dict[str, pd.DataFrame]:
    """The rows of each series, by label: one for each choice of the columns `by`; without it, of the axes that are not
    x and take more than one value."""
    if by is None:
        by = [axis for axis in table.attrs.get("axes", []) if axis != x and table[axis].nunique() > 1]
    names = [by] if isinstance(by, str) else list(by)
    needed(table, *names)
    if not names:
        return {"": table}
    groups: dict[str, list[int]] = {}
    for place, (_, row) in enumerate(table[names].iterrows()):
        groups.setdefault(", ".join(str(value) for value in row), []).append(place)
    return {label: table.iloc[places] for label, places in groups.items()}


def hollow_of(table: pd.DataFrame) -> Array:
    """Rows that are saturated or did not converge."""
    marks = numpy.zeros(len(table), dtype=bool)
    if "saturated" in table:
        marks |= table["saturated"].astype("boolean").fillna(False).to_numpy(dtype=bool)
    if "converged" in table:
        marks |= ~table["converged"].astype("boolean").fillna(True).to_numpy(dtype=bool)
    return marks


def series_of(table: pd.DataFrame, x: str, y: str, by: str | Sequence[str] | None) -> list[Series]:
    """The curves of a table. Rows without a figure are left out. Throws Error for columns that are not there."""
    needed(table, x, y)
    found = []
    for label, rows in groups_of(table, x, by).items():
        width = rows[f"{y}_ci95"].to_numpy(dtype=float) if f"{y}_ci95" in rows else numpy.full(len(rows), numpy.nan)
        try:
            xs = rows[x].to_numpy(dtype=float)
        except (TypeError, ValueError):
            raise Error(f"column '{x}' has no numbers to draw over; name another x") from None
        ys, hollow = rows[y].to_numpy(dtype=float), hollow_of(rows)
        order = [
            place for place in numpy.argsort(xs, kind="stable")
            if numpy.isfinite(xs[place]) and numpy.isfinite(ys[place])]
        found.append(Series(label, xs[order], ys[order], width[order], hollow[order]))
    return found


def points_of(published: Mapping[str, Any] | None) -> dict[str, tuple[Array, Array]]:
    """Published points: label -> (x values, y values), a list of (x, y), or a DataFrame of two columns."""
    result = {}
    for label, points in (published or {}).items():
        if hasattr(points, "columns"):
            points = (points.iloc[:, 0], points.iloc[:, 1])
        elif not (isinstance(points, tuple) and len(points) == 2 and hasattr(points[0], "__len__")):
            points = tuple(zip(*points, strict=True))
        if len(points) != 2 or len(points[0]) != len(points[1]):
            raise Error(f"published: '{label}' has not as many x as y; give (x values, y values)")
        result[label] = (numpy.asarray(points[0], dtype=float), numpy.asarray(points[1], dtype=float))
    return result
