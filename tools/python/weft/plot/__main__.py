"""What `weft plot` starts: a figure of result files, with the words of its command line."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from .._errors import Error, nearest

#: What people call the figures that they draw most.
SHORT = {"load": "load_offered", "accepted": "load_accepted", "latency": "latency_mean", "p99": "latency_p99",
         "time": "completion_cycles"}
LOAD = "workload.offered_load"


def _parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="weft plot", add_help=False)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--x", default="load")
    parser.add_argument("--y", default="latency")
    parser.add_argument("--by", action="append")
    parser.add_argument("--errors", default="band")
    parser.add_argument("--log", default="")
    parser.add_argument("--width", default="single")
    parser.add_argument("--out", required=True)
    return parser.parse_args(words)


def _data(paths: list[str]) -> tuple[Any, Any]:
    """The table of points, and that of a search's curves or None."""
    from .. import _hdf5, _result, _sweep
    from . import _data as data

    sweeps = [path for path in paths if _hdf5.is_sweep(path)]
    if sweeps and len(paths) > 1:
        raise Error(f"'{sweeps[0]}' is the table of a sweep, which is drawn alone; give it alone, or results of runs")
    if sweeps:
        return _sweep.means(_hdf5.sweep_frame(sweeps[0])), _sweep.curves(sweeps[0])
    results: dict[str, list[Any]] = {}
    for path in paths:
        result = _result.load(path)
        results.setdefault(str(result.summary.get("topology") or os.path.basename(path)), []).append(result)
    return data.table_of(results), None


def _column(table: Any, word: str) -> str:
    """The column that a word of the command line means."""
    if word == "load" and LOAD in table and table[LOAD].dtype.kind in "fi":
        return LOAD
    ends = [name for name in table.columns if name.rpartition(".")[2] == word]
    name = word if word in table.columns else SHORT.get(word) or (ends[0] if len(ends) == 1 else word)
    if name not in table.columns and word.endswith("_ns"):
        return _in_ns(table, _column(table, word.removesuffix("_ns")))
    if name not in table.columns:
        raise Error(f"there is no column '{word}' in the table; {nearest(word, [*SHORT, *table.columns])}")
    return str(name)


def _in_ns(table: Any, column: str) -> str:
    """A new column of one in cycles, in nanoseconds by the length of each row's cycle."""
    units = table.attrs.setdefault("units", {})
    if units.get(column) != "cycles":
        raise Error(
            f"column '{column}' has no cycles to be shown in ns (its unit is '{units.get(column, '')}'); leave out _ns")
    if "cycle_ns" not in table.columns or not table["cycle_ns"].notna().all():
        raise Error(
            f"'{column}_ns' is not known (the cycles of a run have no length); give link.rate_gbps to the runs, or "
            "leave out _ns")
    name = f"{column}_ns"
    table[name] = table[column] * table["cycle_ns"]
    if f"{column}_ci95" in table.columns:
        table[f"{name}_ci95"] = table[f"{column}_ci95"] * table["cycle_ns"]
    units[name] = "ns"
    return name


def draw(words: list[str]) -> str:
    """Draws what the words say, and returns the path of the figure."""
    from .. import _sweep
    from . import _bars, _curves
    from ._data import needed

    options = _parsed(words)
    table, curves = _data(options.results)
    errors = None if options.errors == "none" else options.errors
    look = {"width": options.width}
    if curves is not None and options.y in curves.columns and options.y not in table.columns:
        names = list(curves.attrs["axes"])
        group = options.by[0] if options.by else names[-1]
        needed(curves, group)
        figure = _bars.bars(
            curves, options.y, group, [name for name in names if name != group], log="y" in options.log, **look)
        return str(figure.save(options.out))
    x, y = _column(table, options.x), _column(table, options.y)
    by = [_column(table, word) for word in options.by] if options.by else None
    more: dict[str, Any] = {
        "errors": errors, "log": options.log, **look, "published": _sweep.published(options.results[0], y, x)}
    over_load = x in (LOAD, "load_offered")
    if over_load and y.startswith("latency_"):
        figure = _curves.load_latency(table, by, y=y, **more)
    elif over_load and y == "load_accepted":
        figure = _curves.accepted_load(table, by, **more)
    else:
        figure = _curves.curves(table, x, y, by, **more)
    return str(figure.save(options.out))


def main() -> int:
    try:
        print(f"wrote {draw(sys.argv[1:])}")
    except Error as error:
        print(f"weft: error: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
