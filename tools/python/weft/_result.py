"""Results: the figures of a run, and its tables as DataFrames with units."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from . import _hdf5
from ._errors import Error
from ._summary import Summary, problem_with
from ._temporary import TemporaryFolder

if TYPE_CHECKING:
    import pandas as pd


class Result:
    """What a run left.

    summary   weft.Summary: the JSON summary, a dict whose figures have units.
    text      what the program printed for people; "" for a loaded file.
    path      the HDF5 file. That of a run without `out` is temporary: it goes with this object.
    config    all settings of the run, nested by table, defaults included."""

    def __init__(self, summary: Summary, path: str, text: str = "",
                 folder: TemporaryFolder | None = None) -> None:
        self.summary = summary
        self.path = path
        self.text = text
        self._folder = folder
        self._tables: list[str] | None = None

    @property
    def config(self) -> dict[str, Any]:
        return self.summary["config"]

    @property
    def tables(self) -> list[str]:
        """Names of the tables: those of the groups in the file, such as "batches" or "engine/ranks"."""
        if self._tables is None:
            self._tables = _hdf5.tables(self.path)
        return list(self._tables)

    def frame(self, table: str) -> pd.DataFrame:
        """A table as DataFrame: one row for each batch, node, channel... (docs/results.md has tables, columns and
        shapes). `frame.attrs["units"]` has the unit of each column, "" where it has none. Throws Error for a table
        that the result does not have, naming the nearest."""
        if table not in self.tables:
            raise problem_with(table, self.tables)
        return _hdf5.frame(self.path, table)

    def save(self, path: str | os.PathLike[str]) -> str:
        """Copies the HDF5 file; a temporary result is kept so. Returns the path."""
        try:
            shutil.copyfile(self.path, path)
        except OSError as problem:
            raise Error(f"{os.fspath(path)}: cannot be written ({problem.strerror}); name another file", 5) from None
        return os.fspath(path)

    def __getitem__(self, path: str) -> Any:
        """A figure of the summary by its dotted path: result["load.accepted"]."""
        return self.summary[path]

    def __repr__(self) -> str:
        s = self.summary
        return (f"<weft.Result {s.get('topology')}, {s.get('workload')}: {s.get('cycles'):,} cycles, "
                f"digest {str(s.get('digest'))[:8]}>")

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text)}</pre>" if self.text else self.summary._repr_html_()


def load(path: str | os.PathLike[str]) -> Any:
    """A result that `weft run --out`, weft.run or a sweep wrote, as Result; the table of `weft sweep` (SWEEP.h5) as
    DataFrame, a row for each point, with units. The summary has what the file has: the same keys as JSON but for
    those of tasks, exchanges and bandwidths that are put together from tables, which `frame` has.

    Throws weft.Error (code 3) for a file that is truncated or damaged, is no result of weft, or is of another version
    of the format."""
    name = os.fspath(path)
    if _hdf5.is_sweep(name):
        return _hdf5.sweep_frame(name)
    return Result(_hdf5.summary(name), name)
