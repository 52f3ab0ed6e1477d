"""The table of `weft sweep` as a study's: means over seeds, curves of a search, published points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _figures, _hdf5

if TYPE_CHECKING:
    import pandas as pd

SEED = "simulation.seed"
_KEPT = ("index", "name", "status", "digest")


def axes_of(frame: pd.DataFrame) -> list[str]:
    """The columns that tell points apart: names of axes with labels, and the settings that do not follow from those."""
    settings = [name for name in frame.attrs["settings"] if name != SEED]
    labels = [name for name in settings if "." not in name]
    axes = []
    for name in settings:
        follows = name not in labels and labels and (
            frame.groupby(labels, sort=False)[name].nunique(dropna=False) <= 1).all()
        if not follows:
            axes.append(name)
    return axes


def means(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each point, in order: the axes, `seeds`, `saturated` (any seed is), `converged` (all are), each figure
    as mean over seeds with its `_ci95`, half the 95 % confidence interval; with one seed, over the run's batches."""
    pandas = _hdf5._pandas()
    axes = axes_of(frame)
    done = frame[frame["status"] == "done"]
    figures = [name for name in frame.columns if name not in frame.attrs["settings"] and name not in _KEPT
               and not name.endswith(("_ci95", "_ci")) and name not in ("saturated", "converged")]
    rows: list[dict[str, Any]] = []
    groups = done.groupby(axes, sort=False, dropna=False) if axes else [((), done)]
    for values, group in groups:
        row: dict[str, Any] = dict(zip(axes, values if isinstance(values, tuple) else (values,), strict=True))
        row["seeds"] = len(group)
        for name, rule in (("saturated", any), ("converged", all)):
            row[name] = _figures.all_or_any(
                [value == 1 for value in group[name].dropna()] if name in group else [], rule)
        for name in figures:
            of_batches = float(group[f"{name}_ci95"].iloc[0]) if f"{name}_ci95" in group else math.nan
            _figures.add_mean(row, name, [float(value) for value in group[name]], of_batches)
        rows.append(row)
    table = pandas.DataFrame(rows)
    for name in ("saturated", "converged"):
        if name in table:
            table[name] = table[name].astype("boolean")
    table.attrs["axes"] = axes
    table.attrs["units"] = dict(frame.attrs["units"])
    return table


def curves(path: str) -> pd.DataFrame | None:
    """The table of a search's curves (/saturation); None without a search."""
    with _hdf5.opened(path, check=False) as file:
        if "saturation" not in file:
            return None
        group = file["saturation"]
        table = _hdf5._pandas().DataFrame(_hdf5._columns(group))
        names = [name for name in group if _hdf5._h5py().check_string_dtype(group[name].dtype)]
        table.attrs["axes"] = names
        table.attrs["units"] = {name: str(group[name].attrs.get("unit", "")) for name in group}
        return table


def published(path: str, figure: str, over: str) -> dict[str, tuple[list[float], list[float]]]:
    """What the study says that others have published of a figure over a key: label -> (x, y)."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    with _hdf5.opened(path, check=False) as file:
        if "published" not in file:
            return found
        columns = _hdf5._columns(file["published"])
    for name, label, key, x, y in zip(
            *(columns[one] for one in ("figure", "label", "over", "x", "published")), strict=True):
        if name == figure and key == over:
            xs, ys = found.setdefault(str(label), ([], []))
            xs.append(float(x))
            ys.append(float(y))
    return found
