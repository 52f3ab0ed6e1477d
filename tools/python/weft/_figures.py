"""The figures of a study's table: names, where they are in a summary, and how those of several seeds become one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from . import _statistics
from ._summary import Summary, unit_of

#: A figure of a run: its path in the summary, or a function of the summary.
Figure = Union[str, Callable[[Summary], float]]

#: Column -> path in the summary; the names are those of the tables of `weft sweep`.
USUAL: dict[str, str] = {
    "load_offered": "load.offered", "load_injected": "load.injected", "load_accepted": "load.accepted",
    "load_untaken_fraction": "load.untaken_fraction", "latency_mean": "latency.mean", "latency_p50": "latency.p50",
    "latency_p99": "latency.p99", "latency_max": "latency.max", "latency_network_mean": "latency.network_mean",
    "distance_mean": "distance.mean", "completion_cycles": "tasks.finish_cycles_max",
    "completion_ns": "tasks.finish_ns_max", "bus_bandwidth": "bandwidth.bus_bytes_per_cycle",
    "exchange_share": "exchange.link_share.mean", "packets_delivered": "packets.delivered",
    "packets_dropped": "packets.dropped", "cycles": "cycles", "wall_s": "engine.wall_s", "cpu_s": "engine.cpu_s",
}
#: Half-widths that a single run has of its own, from its batches.
_OF_BATCHES = {"load_accepted": "load.accepted_ci95", "latency_mean": "latency.mean_ci95"}


def value_of(summary: Summary, figure: Figure) -> float:
    """A figure of a run; NaN where it does not have it. A list (CPU seconds of each rank) counts as its sum."""
    if callable(figure):
        value = figure(summary)
        return math.nan if value is None else float(value)
    found: Any = summary
    for part in figure.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if isinstance(found, list):
        return float(sum(found))
    return math.nan if found is None or isinstance(found, (str, dict)) else float(found)


def has(summary: Summary, path: str) -> bool:
    """Whether a summary has something, perhaps null, under a dotted path."""
    found: Any = summary
    for part in path.split("."):
        if not isinstance(found, dict) or part not in found:
            return False
        found = found[part]
    return True


def paths_of(table: Mapping[str, Any], prefix: str = "") -> list[str]:
    """The dotted paths of all numbers in a summary."""
    paths = []
    for name, value in table.items():
        if isinstance(value, Mapping):
            paths += paths_of(value, f"{prefix}{name}.") if name != "config" else []
        elif isinstance(value, (int, float)):
            paths.append(prefix + name)
    return paths


def unit_of_column(column: str, figure: Figure) -> str:
    if isinstance(figure, str):
        return unit_of(figure)
    return unit_of(USUAL[column]) if column in USUAL else ""


def interval_suffix(percent: float) -> str:
    """What the name of a figure ends in for half its confidence interval: "_ci95", "_ci99.9"."""
    return f"_ci{percent:g}"


def _of_batches(summary: Summary, column: str, percent: float) -> float:
    """Half the interval that a run has of its own; NaN where it has none of that confidence."""
    path = _OF_BATCHES.get(column)
    if path is None:
        return math.nan
    if percent != 95 and summary.get("confidence_percent") != percent:
        return math.nan
    return summary.figure(path if percent == 95 else path.removesuffix("95"))


def row_of(summaries: Sequence[Summary], figures: Mapping[str, Figure], percent: float = 95) -> dict[str, Any]:
    """The figures of a point: means over its seeds, each with `_ci95`, half its 95 % confidence interval (of another
    `percent`: `_ci99`). With one seed that is the half-width over the run's batches where there is one, else NaN.
    `saturated` where any seed is, `converged` where all are; None where the runs do not say."""
    row: dict[str, Any] = {"saturated": all_or_any([one.get("saturated") for one in summaries], any),
                           "converged": all_or_any([one.get("converged") for one in summaries], all)}
    for column, figure in figures.items():
        values = [value_of(one, figure) for one in summaries]
        of_batches = _of_batches(summaries[0], column, percent) if len(values) == 1 else math.nan
        add_mean(row, column, values, of_batches, percent)
    return row


def add_mean(row: dict[str, Any], column: str, values: Sequence[float], of_batches: float,
             percent: float = 95) -> None:
    """The mean over seeds, and with `_ci95` half its 95 % confidence interval; with one seed that is `of_batches`."""
    row[column] = _statistics.mean(values)
    width = of_batches if len(values) == 1 else _statistics.half_width(values, percent / 100)
    row[column + interval_suffix(percent)] = width


def all_or_any(values: Sequence[Any], rule: Callable[[Sequence[bool]], bool]) -> bool | None:
    known = [bool(value) for value in values if value is not None]
    return rule(known) if known else None
