"""The HDF5 files of weft: checked when they are opened, read as columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._errors import Error, needs
from ._summary import Summary, from_file

if TYPE_CHECKING:
    import h5py
    import pandas as pd

_FORMAT, _SWEEP, _VERSION = "weft-result", "weft-sweep", 1
#: Columns that say what a row is of come first.
_FIRST = (
    "name", "job", "task", "lane", "activity", "source", "destination", "router", "node", "port", "channel", "link",
    "traffic_class", "begin", "end", "low", "high", "links", "index")
_MAGIC = b"\x89HDF\r\n\x1a\n"
_EXPECTED = "expected an HDF5 file that 'weft run --out' wrote"


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise needs("h5py", "python3-h5py", "reading results") from None
    return h5py


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise needs("pandas", "python3-pandas", "a DataFrame") from None
    return pandas


@contextmanager
def opened(path: str, check: bool = True) -> Iterator[h5py.File]:
    """The file, read only. Throws Error (code 3) for one that is no readable result."""
    h5py = _h5py()
    try:
        with open(path, "rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as problem:
        raise Error(f"'{path}' cannot be read ({problem.strerror}); {_EXPECTED}", 3) from None
    if magic != _MAGIC:
        kind = "is empty" if not magic else "is no HDF5 file"
        raise Error(f"'{path}' {kind}; {_EXPECTED}", 3)
    try:
        file = h5py.File(path, "r")
    except OSError as problem:
        raise Error(f"'{path}' is damaged or cut short (HDF5 says: {problem}); {_EXPECTED}", 3) from None
    with file:
        if check:
            _check(file, path)
        try:
            yield file
        except (OSError, RuntimeError) as problem:
            raise Error(f"'{path}' is damaged or cut short (HDF5 says: {problem}); {_EXPECTED}", 3) from None


def _check(file: h5py.File, path: str) -> None:
    name, version = file.attrs.get("format"), file.attrs.get("format_version")
    if name != _FORMAT:
        what = "has no attribute 'format'" if name is None else f"its format is '{name}'"
        raise Error(f"'{path}' is HDF5, but no result of weft ({what}); {_EXPECTED}", 3)
    if version is None or int(version) != _VERSION:
        age = "an older" if version is None or int(version) < _VERSION else "a newer"
        raise Error(f"'{path}' is of {age} format version ({version}; this package reads {_VERSION}); run its config "
                    "again, or use the package of that version of weft", 3)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.item() if hasattr(value, "item") else value


def _is_column(item: Any) -> bool:
    return hasattr(item, "shape") and len(item.shape) == 1


def _tables_of(file: h5py.File) -> list[str]:
    found: list[str] = []

    def visit(name: str, item: Any) -> None:
        if hasattr(item, "keys"):
            columns = [one for one in item.values() if _is_column(one)]
            if columns and len({len(one) for one in columns}) == 1:
                found.append(name)

    file.visititems(visit)
    return sorted(found)


def tables(path: str) -> list[str]:
    """Names of the groups whose data sets are columns of equal length, at any depth, sorted."""
    with opened(path) as file:
        return _tables_of(file)


def _columns(group: Any) -> dict[str, Any]:
    h5py = _h5py()
    columns = {}
    first = [name for name in _FIRST if name in group]
    for name in [*first, *(name for name in group if name not in first)]:
        item = group[name]
        if _is_column(item):
            columns[name] = item.asstr()[:] if h5py.check_string_dtype(item.dtype) else item[:]
    return columns


def frame(path: str, table: str) -> pd.DataFrame:
    """A table as DataFrame; attrs: "units" and "help" by column, "table"."""
    pandas = _pandas()
    with opened(path) as file:
        group = file[table]
        data = pandas.DataFrame(_columns(group), copy=False)
        data.attrs["units"] = {name: str(group[name].attrs.get("unit", "")) for name in data.columns}
        data.attrs["help"] = {
            name: str(group[name].attrs["help"]) for name in data.columns if "help" in group[name].attrs}
        data.attrs["table"] = table
        return data


def summary(path: str) -> Summary:
    """The figures of a result file."""
    with opened(path) as file:
        texts = {name: _plain(value) for name, value in file.attrs.items()}
        scalars = {name: _plain(item[()]) for name, item in file["summary"].items()}
        scalars |= {f"steady_state.{name}": _plain(item[()]) for name, item in file.get("steady_state", {}).items()}
        engine = {name: _plain(item[()]) for name, item in file["engine"].items() if not hasattr(item, "keys")}
        for name, item in file["engine/ranks"].items() if "engine/ranks" in file else ():
            engine["rank_events" if name == "events" else name] = item[:].tolist()
        rows = {}
        for name in ("batches", "jobs", "activities", "traffic_classes"):
            if name in file:
                columns = {key: column.tolist() for key, column in _columns(file[name]).items()}
                rows[name] = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        lists = {group: file[name][:].tolist() for group, name in
                 (("bursts", "bursts/duration_cycles"), ("tasks", "tasks/finish_cycles")) if name in file}
        warnings = [_plain(text) for text in file["warnings"][:]] if "warnings" in file else []
        config = json.loads(texts.get("config_json") or "{}")
    return from_file(texts, scalars, engine, rows, lists, warnings, config)


def is_sweep(path: str) -> bool:
    """Whether it is the table of a sweep. Throws Error for what is no HDF5 file."""
    with opened(path, check=False) as file:
        return file.attrs.get("format") == _SWEEP


def sweep_frame(path: str) -> pd.DataFrame:
    """The table of `weft sweep`: a row for each point, settings under their keys, figures under their names."""
    pandas = _pandas()
    with opened(path, check=False) as file:
        columns: dict[str, Any] = {}
        units: dict[str, str] = {}
        settings = list(file["settings"])
        for group in ("settings", "points"):
            for name, values in _columns(file[group]).items():
                columns[name] = values
                units[name] = str(file[group][name].attrs.get("unit", ""))
        data = pandas.DataFrame(columns, copy=False)
        data.attrs["units"] = units
        data.attrs["settings"] = settings
        return data
