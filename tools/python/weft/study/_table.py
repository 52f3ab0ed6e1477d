"""The table of a study, on a terminal and in docs/studies.md."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from .._errors import Error
from ._index import Result
from ._load import Study
from ._rows import Row, counted
from ._runs import Found

HEAD = ("", "published", "simulated", "difference", "tolerance", "")
OUTSIDE = "OUTSIDE"
_LONGEST = 48
_INDEX = ("<!-- index of published results -->", "<!-- end of the index -->")


def _cells(row: Row) -> tuple[str, ...]:
    verdict = "" if row.inside is None else "inside" if row.inside else OUTSIDE if row.is_of_the_text else "outside"
    return _named(row), row.published, row.simulated, row.difference, row.tolerance, verdict


def _named(row: Row) -> str:
    if row.is_of_the_text:
        return row.what
    return f"{row.what} [{'evidence' if row.is_evidence else 'read as'}: {row.reading}]"


def _aligned(lines: Sequence[Sequence[str]], longest: int | None = None) -> list[str]:
    """Columns side by side, none wider than `longest` but by its own text."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    if longest is not None:
        widths = [min(longest, width) for width in widths]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _markdown(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def as_text(rows: Sequence[Row]) -> str:
    """Columns side by side; reasons in the line below."""
    lines = _aligned([HEAD, *(_cells(row) for row in rows)], _LONGEST)
    text = []
    for line, row in zip(lines, [None, *rows], strict=True):
        text.append(line)
        if row is not None and row.reason:
            text.append(f"      likely reason: {row.reason}")
    return "\n".join(text)


def as_markdown(rows: Sequence[Row]) -> str:
    """A table; reasons, each with the rows that it is for, in a list below."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.reason:
            reasons.setdefault(row.reason, []).append(row.what)
    head = ("what", *HEAD[1:])
    text = [_markdown(head), "|---|---|---|---|---|---|", *(_markdown(_cells(row)) for row in rows)]
    if reasons:
        text += ["", "Likely reasons of what is outside:", ""]
        text += [f"- {'; '.join(names)}: {reason}" for reason, names in reasons.items()]
    return "\n".join(text)


def index_as_text(index: Sequence[tuple[str, ...]]) -> str:
    """Every published table, figure and sentence of several studies."""
    return "\n".join(_aligned([("published", "command", "date", "digest", ""), *sorted(index)]))


def index_as_markdown(index: Sequence[tuple[str, ...]]) -> str:
    rows = [(of, f"`{command}`", *rest) for of, command, *rest in sorted(index)]
    return "\n".join(["| published | command | date | digest | |", "|---|---|---|---|---|", *map(_markdown, rows)])


def choices_as_text(rows: Sequence[Row]) -> str:
    lines = [("left open", "published", "simulated", "")]
    lines += [(row.what, row.published, row.simulated, row.difference) for row in rows]
    return "\n".join(_aligned(lines))


def choices_as_markdown(rows: Sequence[Row]) -> str:
    text = ["| left open | published | simulated | |", "|---|---|---|---|"]
    return "\n".join([*text, *(_markdown((row.what, row.published, row.simulated, row.difference)) for row in rows)])


def _or_none(y: float) -> float | None:
    """What a curve is compared with may be a run itself (evidence), that is not done."""
    return None if math.isnan(y) else y


def _row_object(row: Row) -> dict[str, Any]:
    found: dict[str, Any] = {
        "what": row.what, "published": row.published, "simulated": row.simulated if row.is_run else None,
        "difference": row.difference or None, "tolerance": row.tolerance or None, "inside": row.inside,
        "kind": row.kind, "reading": row.reading, "evidence": row.is_evidence}
    if row.points:
        found["points"] = [
            {"x": x, "published": _or_none(published), "simulated": _or_none(simulated)}
            for x, published, simulated in row.points]
    return {**found, "reason": row.reason} if row.reason else found


def as_object(
        study: Study, rows: Sequence[Row], choices: Sequence[Row], results: Sequence[Result], found: Found, version: str
) -> dict[str, Any]:
    """The table for --json: figures as the table shows them; null: not run, or nothing to compare with."""
    made: dict[str, Any] = {
        "study": study.name, "title": study.title, "source": study.published["source"], "version": version,
        "rows": [_row_object(row) for row in rows]}
    if results:
        made["results"] = [{"of": result.of, **asdict(result.count)} for result in results]
    if choices:
        made["choices"] = [_row_object(row) for row in choices]
    return {**made, "runs_done": len(found.done), "runs": len(found.kept), "digest": found.digest,
            "date": found.dates() or None}


def listed_object(study: Study) -> dict[str, Any]:
    """A study in the list of all, for --json."""
    return {
        "study": study.name, "title": study.title, "source": study.published["source"], "page": study.published["page"]}


def verdict(rows: Sequence[Row], found: Found) -> str:
    """How many published results agree, and what is missing."""
    count = counted(rows)
    others = replace(count, inside=0).words()
    text = f"{count.inside} of {count.compared} published results inside their tolerance"
    text += f", {others}" if others else ""
    return f"{text}; digest {found.digest}"


def renew(
        page: str, study: Study, quick: bool, rows: Sequence[Row], choices: Sequence[Row], found: Found, version: str
) -> None:
    """Puts the table between the two marks of the study in a page. Throws Error if it has none."""
    path = Path(page)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise Error(
            f"--markdown {page}: cannot be read ({problem}); name a page that has the marks of the study", 3) from None
    begin, end = f"<!-- study: {study.name} -->", f"<!-- end of {study.name} -->"
    if begin not in text or end not in text:
        raise Error(f"--markdown {page}: has no table of this study to renew; add the lines '{begin}' and '{end}'", 3)
    dates = found.dates() or "not run"
    body = f"`{study.command(quick)}`, {dates}, {version}: {verdict(rows, found)}.\n\n{as_markdown(rows)}\n"
    if choices:
        body += f"\n{choices_as_markdown(choices)}\n"
    path.write_text(_put(text, begin, end, body), encoding="utf-8")


def renew_index(page: str, index: Sequence[tuple[str, ...]]) -> None:
    """Puts the index between its marks, if a page has them."""
    path = Path(page)
    text = path.read_text(encoding="utf-8")
    if all(mark in text for mark in _INDEX):
        path.write_text(_put(text, *_INDEX, index_as_markdown(index) + "\n"), encoding="utf-8")


def _put(text: str, begin: str, end: str, body: str) -> str:
    """`text` with `body` between two marks."""
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{body}{end}", text, flags=re.S)
