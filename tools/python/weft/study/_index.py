"""Which tables, figures and sentences of a document the rows of a study are of: [[results]] of its published.toml."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass

from .._errors import Error
from ._load import Study
from ._rows import Count, Row, counted
from ._runs import Found


@dataclass(frozen=True)
class Result:
    """A published table, figure or sentence: where it stands, and how its rows compare."""

    of: str
    count: Count

    @property
    def verdict(self) -> str:
        """In words: "12 inside, 1 under another reading"."""
        return self.count.words() or "shown beside, nothing to compare"


def _entries(study: Study) -> list[dict[str, object]]:
    entries = study.published.get("results", [])
    for entry in entries:
        if not isinstance(entry.get("of"), str) or not isinstance(entry.get("rows"), list):
            raise Error(f"{study.folder / 'published.toml'}: [[results]] needs 'of' (a table, figure or section of a "
                        "document) and 'rows' (names of rows, with *); give both", 3)
    return list(entries)


def _is_of(entry: dict[str, object], row: Row) -> bool:
    patterns = entry["rows"]
    assert isinstance(patterns, list)
    return any(fnmatch.fnmatchcase(row.what, str(pattern)) for pattern in patterns)


def results(study: Study, rows: Sequence[Row]) -> list[Result]:
    """Throws Error for entries that are not whole."""
    return [
        Result(str(entry["of"]), counted([row for row in rows if _is_of(entry, row)])) for entry in _entries(study)]


def unlisted(study: Study, rows: Sequence[Row]) -> list[str]:
    """Rows that are of no entry, and entries without a row."""
    entries = _entries(study)
    found = [row.what for row in rows if not any(_is_of(entry, row) for entry in entries)]
    return found + [str(entry["of"]) for entry in entries if not any(_is_of(entry, row) for row in rows)]


def lines(command: str, of: Sequence[Result], found: Found) -> list[tuple[str, ...]]:
    """Published result, command, date, digest, and how it compares."""
    return [(result.of, command, found.dates() or "not run", found.digest, result.verdict) for result in of]
