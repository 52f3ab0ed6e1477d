"""Figures of single results: how latencies are distributed, and what happened over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from .._errors import Error, nearest
from ._data import Array
from ._faults import mark_faults
from ._faults import mark_faults
from ._style import COLOURS, add_legend, figure_for, log_axes, looks, quantity, styled


def _by_label(results: Any) -> dict[str, Any]:
    if isinstance(results, Mapping):
        return {str(label): result for label, result in results.items()}
    if isinstance(results, Sequence):
        return {f"{number}: {result.summary.get('topology')}": result for number, result in enumerate(results)}
    return {"": results}


def _latencies(result: Any) -> tuple[Array, Array, Array]:
    if "latency_histogram" not in result.tables:
        raise Error("the result has no latencies of packets (it has none on the ideal network); take another result")
    bins = result.frame("latency_histogram")
    return (
        bins["low"].to_numpy(dtype=float), bins["high"].to_numpy(dtype=float), bins["packets"].to_numpy(dtype=float))


@styled
def histogram(results: Any, *, log: str = "x", marks: Sequence[str] = ("p50", "p99"), legend: Any = "best",
              width: Union[str, float] = "single", ratio: float = 0.62, ax: Axes | None = None) -> Any:
    """The distribution of packet latencies (cycles from generation): share of the packets per cycle of latency, so that
    areas are comparable; of a result, or several by label. `marks`: percentiles of the summary drawn as lines."""
    log_axes(log)
    figure, ax = figure_for(ax, width, ratio)
    named = _by_label(results)
    look = looks(named)
    for label, result in named.items():
        low, high, packets = _latencies(result)
        if packets.sum() == 0:
            continue
        density = packets / packets.sum() / (high - low)
        edges, heights = _steps(low, high, density)
        ax.stairs(heights, edges, fill=True, color=look[label].colour, alpha=0.25)
        ax.stairs(heights, edges, color=look[label].colour, linewidth=1.0, label=label or None)
        for mark in marks:
            at = result.summary.figure(f"latency.{mark}")
            ax.axvline(at, color=look[label].colour, linewidth=0.8, linestyle="--")
            ax.annotate(
                mark, (at, 1), xycoords=("data", "axes fraction"), rotation=90, fontsize=6, ha="right", va="top",
                color=look[label].colour)
    for axis in log:
        getattr(ax, f"set_{axis}scale")("log")
    ax.set_xlabel(quantity("latency", "cycles"))
    ax.set_ylabel("Share of packets (per cycle)")
    add_legend(ax, len([label for label in named if label]), legend)
    return figure


def _steps(low: Array, high: Array, values: Array) -> tuple[Array, Array]:
    """Edges and heights of a step function; bins that the file leaves out are 0."""
    edges, heights = [low[0]], []
    for begin, end, value in zip(low, high, values, strict=True):
        if begin > edges[-1]:
            edges.append(begin)
            heights.append(0.0)
        edges.append(end)
        heights.append(value)
    return numpy.array(edges), numpy.array(heights)


@styled
def percentiles(results: Any, *, least: float = 1e-4, legend: Any = "best", width: Union[str, float] = "single",
                ratio: float = 0.62, ax: Axes | None = None) -> Any:
    """The tail of packet latencies: share of the packets that took longer, on a logarithmic axis down to `least`; of a
    result, or several by label. Exact at the edges of the histogram's bins, which are at most 1/16 wide."""
    figure, ax = figure_for(ax, width, ratio)
    named = _by_label(results)
    look = looks(named)
    for label, result in named.items():
        low, high, packets = _latencies(result)
        longer = 1 - numpy.cumsum(packets) / packets.sum()
        xs, ys = numpy.concatenate([[low[0]], high]), numpy.concatenate([[1.0], longer])
        kept = ys >= least / 10
        ax.plot(xs[kept], ys[kept], look[label].line, color=look[label].colour, label=label or None)
    ax.set_yscale("log")
    ax.set_ylim(least, 1.2)
    for level, name in ((0.5, "p50"), (0.1, "p90"), (0.01, "p99"), (0.001, "p999")):
        if level >= least:
            ax.axhline(level, color="0.6", linewidth=0.5)
            ax.annotate(
                name, (1, level), xycoords=("axes fraction", "data"), fontsize=6, ha="right", va="bottom", color="0.4")
    ax.set_xlabel(quantity("latency", "cycles"))
    ax.set_ylabel("Share of packets above")
    add_legend(ax, len([label for label in named if label]), legend)
    return figure


@styled
def timeline(
        result: Any, *, y: str | Sequence[str] = ("injected_load", "accepted_load"), tasks: Sequence[int] | None = None,
        faults: bool = True, legend: Any = "best", width: Union[str, float] = "single", ratio: float = 0.55,
        ax: Axes | None = None) -> Any:
    """What happened over time (cycles). Of a run with statistics.timeline_tasks: a row for each task, coloured by
    activity (`tasks`: some of them). Of others: columns `y` of the series (statistics.series_cycles), or of the
    intervals and batches of a steady state. `faults`: shaded while a part of the network did not work, with lines
    where one failed, came back or got another error rate."""
    figure, ax = figure_for(ax, width, ratio)
    if "timeline" in result.tables:
        _activities(result, tasks, ax, legend)
    else:
        _series(result, [y] if isinstance(y, str) else list(y), ax, legend)
    if faults:
        mark_faults(result, ax)
    ax.set_xlabel("Time (cycles)")
    return figure


def _series(result: Any, columns: list[str], ax: Axes, legend: Any) -> None:
    names = ["series"] if "series" in result.tables else [
        name for name in ("intervals", "batches") if name in result.tables]
    frames = [frame for name in names if len(frame := result.frame(name))]
    if not frames:
        raise Error("the result has nothing over time; set statistics.series_cycles (or statistics.timeline_tasks)")
    look = looks(columns)
    units = frames[0].attrs["units"]
    for column in columns:
        if column not in frames[0]:
            raise Error(f"the table has no column '{column}'; {nearest(column, frames[0].columns)}")
        for number, frame in enumerate(frames):
            edges = numpy.append(frame["begin"].to_numpy(dtype=float), float(frame["end"].iloc[-1]))
            ax.stairs(frame[column].to_numpy(dtype=float), edges, color=look[column].colour, baseline=None,
                      label=column.replace("_", " ") if number == 0 else None)
    ax.set_ylabel(quantity(columns[0] if len(columns) == 1 else "load" if "load" in columns[0] else columns[0],
                           units.get(columns[0], "")))
    ax.set_ylim(bottom=0)
    add_legend(ax, len(columns) if len(columns) > 1 else 0, legend)


def _activities(result: Any, tasks: Sequence[int] | None, ax: Axes, legend: Any) -> None:
    rows = result.frame("timeline")
    if tasks is not None:
        rows = rows[rows["task"].isin(list(tasks))]
        if not len(rows):
            known = sorted(set(result.frame("timeline")["task"]))[:8]
            raise Error(f"none of the tasks {list(tasks)} is in the timeline; it has {', '.join(map(str, known))}")
    names = result.frame("activities")["name"].tolist()
    lanes = sorted(set(zip(rows["task"], rows["lane"], strict=True)))
    place = {lane: number for number, lane in enumerate(lanes)}
    for number, name in enumerate(names):
        own = rows[rows["activity"] == number]
        if not len(own):
            continue
        top = numpy.array([place[lane] for lane in zip(own["task"], own["lane"], strict=True)]) - 0.4
        begin, end = own["begin"].to_numpy(dtype=float), own["end"].to_numpy(dtype=float)
        boxes = numpy.stack([numpy.stack([begin, top], 1), numpy.stack([end, top], 1), numpy.stack([end, top + 0.8], 1),
                             numpy.stack([begin, top + 0.8], 1)], 1)
        # As one picture inside a vector figure: ten thousands of boxes would make a file that no viewer likes.
        ax.add_collection(PolyCollection(boxes, facecolors=COLOURS[number % len(COLOURS)], linewidths=0, label=name,
                                         rasterized=len(boxes) > 5000))
    ax.set_xlim(float(rows["begin"].min()), float(rows["end"].max()))
    ax.set_ylim(len(lanes) - 0.5, -0.5)
    several = len({lane for _, lane in lanes}) > 1
    step = max(1, len(lanes) // 16)
    ax.set_yticks(
        range(0, len(lanes), step), [f"{task}.{lane}" if several else str(task) for task, lane in lanes[::step]])
    ax.set_ylabel("Task and lane" if several else "Task")
    ax.grid(visible=False)
    add_legend(ax, len(names), legend)
