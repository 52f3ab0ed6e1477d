"""Curves over the offered load, or over any other column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy
from matplotlib.axes import Axes

from .._errors import Error
from . import _data
from ._style import Look, add_legend, figure_for, fit_label, log_axes, looks, quantity, styled

ERRORS = ("band", "bars", None)


@styled
def curves(
        data: Any, x: str, y: str, by: str | Sequence[str] | None = None, *, errors: str | None = "band", log: str = "",
        published: Mapping[str, Any] | None = None, styles: Mapping[str, Mapping[str, str]] | None = None,
        labels: Mapping[str, str] | None = None, xlabel: str | None = None, ylabel: str | None = None,
        ylim: tuple[float | None, float | None] | None = None, legend: Any = "best", note: bool = True,
        width: Union[str, float] = "single", ratio: float = 0.68, ax: Axes | None = None) -> Any:
    """Any number of curves of column y over column x, and the Figure.

    data       a Study, its table, or a dict of label -> results.
    by         columns that tell the curves apart; None: the axes of the study.
    errors     95 % confidence intervals (column Y_ci95) as "band", as "bars", or None.
    log        axes on a logarithmic scale: "x", "y", "xy".
    published  points of others, label -> (x, y): drawn as crosses, in the colour of the curve of that label.
    styles     label -> {"colour", "marker", "line"}; labels: label -> what the legend says.
    note       says below the figure what hollow points are, where there are some.

    Points that are saturated or did not converge are hollow. Throws Error for columns that are not there."""
    if errors not in ERRORS:
        raise Error(f"errors = {errors!r} is not known; use 'band', 'bars' or None")
    log_axes(log)
    table = _data.table_of(data)
    series = _data.series_of(table, x, y, by)
    others = _data.points_of(published)
    figure, ax = figure_for(ax, width, ratio)
    look = looks([*(one.label for one in series), *others], styles)
    names = labels or {}
    for one in series:
        _draw(ax, one, look[one.label], names.get(one.label, one.label), errors)
    for label, (xs, ys) in others.items():
        shared = any(one.label == label for one in series)
        text = None if label == "" else f"{names.get(label, label)}, published" if shared else names.get(label, label)
        ax.plot(
            xs, ys, linestyle="none", marker="x", markersize=5, markeredgewidth=1.2, color=look[label].colour,
            label=text, zorder=4)
    for axis in log:
        getattr(ax, f"set_{axis}scale")("log")
    ax.set_xlabel(xlabel or quantity(x, _data.unit_in(table, x)))
    ax.set_ylabel(ylabel or quantity(y, _data.unit_in(table, y)))
    fit_label(ax)
    if ylim is not None:
        ax.set_ylim(*ylim)
    elif "y" not in log:
        ax.set_ylim(bottom=0)
    if note and any(one.hollow.any() for one in series):
        ax.annotate("hollow: saturated or not converged", (1, 1.01), xycoords="axes fraction", ha="right", va="bottom",
                    fontsize=6, color="0.35")
    add_legend(ax, len([label for label in [*(one.label for one in series), *others] if label]), legend)
    return figure


def _draw(ax: Axes, one: _data.Series, look: Look, label: str, errors: str | None) -> None:
    known = numpy.isfinite(one.width)
    if errors == "band" and known.any():
        ax.fill_between(one.x, one.y - numpy.where(known, one.width, 0), one.y + numpy.where(known, one.width, 0),
                        color=look.colour, alpha=0.2, linewidth=0)
    elif errors == "bars" and known.any():
        ax.errorbar(one.x[known], one.y[known], one.width[known], linestyle="none", ecolor=look.colour, elinewidth=0.8,
                    capsize=2)
    ax.plot(one.x, one.y, look.line, color=look.colour, label=label or None, marker=look.marker, markevery=~one.hollow
            if not one.hollow.all() else [], zorder=3)
    if one.hollow.any():
        ax.plot(one.x[one.hollow], one.y[one.hollow], linestyle="none", marker=look.marker, color=look.colour,
                markerfacecolor="white", zorder=3)


def _load_column(data: Any) -> tuple[Any, str]:
    """The table and its column of offered loads; where those of the axis have labels, the figure of the runs."""
    table = _data.table_of(data)
    axis = "workload.offered_load"
    return table, axis if axis in table and table[axis].dtype.kind in "fi" else "load_offered"


@styled
def load_latency(
        data: Any, by: str | Sequence[str] | None = None, *, y: str = "latency_mean", ymax: float | None = None,
        **more: Any) -> Any:
    """Latency over offered load. Without `ymax` the axis ends at four times the largest latency that is not saturated,
    or at ten times the largest of the curves' first points, whichever is less: beyond, latencies are as long as queues,
    or as the run. `more`: as for `curves`."""
    table, x = _load_column(data)
    _data.needed(table, y)
    if "y" not in more.get("log", "") and "ylim" not in more:
        more["ylim"] = (0, _top_of(table, x, y, by) if ymax is None else ymax)
    return curves(table, x, y, by, **more)


def _top_of(table: Any, x: str, y: str, by: str | Sequence[str] | None) -> float | None:
    """Where the axis of latencies ends; None where all of them are below."""
    series = [one for one in _data.series_of(table, x, y, by) if len(one.y)]
    below = [float(one.y[~one.hollow].max()) for one in series if not one.hollow.all()]
    if not below:
        return None
    top = min(4 * max(below), 10 * max(float(one.y[0]) for one in series))
    return top if top < max(float(one.y.max()) for one in series) else None


@styled
def accepted_load(data: Any, by: str | Sequence[str] | None = None, *, diagonal: bool = True, **more: Any) -> Any:
    """Accepted over offered load, with the line where all that is offered is accepted. `more`: as for `curves`."""
    table, x = _load_column(data)
    figure = curves(table, x, "load_accepted", by, **more)
    ax = more.get("ax") or figure.axes[0]
    if diagonal:
        top = float(table[x].max())
        ax.plot([0, top], [0, top], color="0.6", linewidth=0.7, zorder=1)
    return figure
