"""Bars: kernels or collectives by network, absolute or relative to one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy
from matplotlib.axes import Axes

from .._errors import Error, nearest
from . import _data
from ._data import Array
from ._style import add_legend, figure_for, hatches, looks, quantity, styled


@styled
def bars(
        data: Any, y: str, group: str, by: str | Sequence[str] | None = None, *, relative_to: str | None = None,
        published: Mapping[str, Mapping[str, float]] | None = None,
        styles: Mapping[str, Mapping[str, str]] | None = None, ylabel: str | None = None, log: bool = False,
        legend: Any = "best", width: Union[str, float] = "single", ratio: float = 0.62, ax: Axes | None = None) -> Any:
    """Bars of column y, a group for each value of column `group` (kernels), in it one for each choice of `by`
    (networks); error bars are 95 % confidence intervals. Bars that are saturated or did not converge are hollow.

    relative_to  label of the series that the bars of each group are divided by (its own are 1).
    published    series -> {group: value}: drawn as crosses on the bars."""
    if not isinstance(log, bool):
        raise Error(f"log = {log!r} says not whether the y axis is logarithmic; give True or False")
    table = _data.table_of(data)
    _data.needed(table, y, group)
    groups = [str(value) for value in dict.fromkeys(table[group])]
    series = _data.groups_of(table, group, by)
    values = {label: _by_group(rows, group, groups, y) for label, rows in series.items()}
    if relative_to is not None:
        if relative_to not in values:
            raise Error(f"relative_to: there is no series '{relative_to}'; {nearest(relative_to, values)}")
        reference = values[relative_to][0]
        values = {label: (one / reference, wide / reference, hollow) for label, (one, wide, hollow) in values.items()}
    figure, ax = figure_for(ax, width, ratio)
    look = looks(values, styles)
    step = 0.82 / max(1, len(values))
    places = numpy.arange(len(groups), dtype=float)
    for number, ((label, (one, wide, hollow)), hatch) in enumerate(zip(values.items(), hatches(), strict=False)):
        at = places + (number - (len(values) - 1) / 2) * step
        faces = ["white" if empty else look[label].colour for empty in hollow]
        ax.bar(at, one, step * 0.94, color=faces, edgecolor=look[label].colour, hatch=hatch, linewidth=0.7,
               label=label or None)
        known = numpy.isfinite(wide)
        ax.errorbar(at[known], one[known], wide[known], linestyle="none", ecolor="black", elinewidth=0.7, capsize=1.5)
        points = (published or {}).get(label, {})
        crosses = [(place, points[name]) for place, name in zip(at, groups, strict=True) if name in points]
        if crosses:
            ax.plot(*zip(*crosses, strict=True), linestyle="none", marker="x", color="black", markersize=4, zorder=4)
    ax.set_xticks(places, groups, rotation=0 if max(map(len, groups), default=0) * len(groups) < 50 else 30,
                  ha="center" if max(map(len, groups), default=0) * len(groups) < 50 else "right")
    ax.grid(visible=False, axis="x")
    if log:
        ax.set_yscale("log")
    text = quantity(y, _data.unit_in(table, y) if relative_to is None else "")
    ax.set_ylabel(ylabel or (f"{text}, relative to {relative_to}" if relative_to is not None else text))
    add_legend(ax, len([label for label in values if label]), legend)
    return figure


def _by_group(rows: Any, group: str, groups: list[str], y: str) -> tuple[Array, Array, Array]:
    """Values, half-widths and marks of a series, one for each group; NaN where there is none."""
    value = dict(zip(rows[group].astype(str), rows[y], strict=True))
    if len(value) < len(rows):
        raise Error(f"several rows have the same {group} in one series; name in `by` what tells them apart")
    wide = dict(zip(rows[group].astype(str), rows[f"{y}_ci95"], strict=True)) if f"{y}_ci95" in rows else {}
    hollow = dict(zip(rows[group].astype(str), _data.hollow_of(rows), strict=True))
    nan = float("nan")
    return (numpy.array([value.get(name, nan) for name in groups], dtype=float),
            numpy.array([wide.get(name, nan) for name in groups], dtype=float),
            numpy.array([bool(hollow.get(name, False)) for name in groups]))
