"""Rows of a study's table: what is published, what is simulated, and whether they agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

NOT_RUN = "not run"
THE_TEXT = "the text"


@dataclass(frozen=True)
class Row:
    """A line of the table, as text. `inside`: whether it is within its tolerance; None: not run, or nothing to compare
    with. `reason`: why it is outside, as far as it is known. `kind`: what is published: a figure, count, statement,
    order or curve, or a choice that is left open. `reading`: the set-up that was simulated: that of the text, or the
    name of another one. `is_evidence`: the row compares with something else than what is published, to show why that
    differs. Rows of one `what` are of one published result. `points`: of a curve, (x, published, simulated)."""

    what: str
    published: str
    simulated: str
    difference: str
    tolerance: str
    inside: bool | None
    reason: str = ""
    kind: str = "figure"
    reading: str = THE_TEXT
    is_evidence: bool = False
    points: Sequence[tuple[float, float, float]] = ()

    @property
    def is_run(self) -> bool:
        return self.simulated != NOT_RUN

    @property
    def is_of_the_text(self) -> bool:
        return self.reading == THE_TEXT


def figure(what: str, published: float, simulated: float, *, within: float, relative: bool = False, form: str = ".4f",
           why: str = "", published_as: str = "") -> Row:
    """A published figure. `within`: the tolerance, of the same unit; `relative`: a fraction of the published figure."""
    shown, tolerance = format(published, form), f"{100 * within:g} %" if relative else f"{within:g}"
    if math.isnan(simulated):
        return Row(what, published_as or shown, NOT_RUN, "", tolerance, None)
    off = simulated - published
    difference = f"{100 * off / published:+.1f} %" if relative else format(off, "+" + form)
    # What is shown decides: 0.0300 is within 0.03.
    inside = abs(off / published if relative else off) <= within + 1e-9
    return Row(
        what, published_as or shown, format(simulated, form), difference, tolerance, inside, "" if inside else why)


def exact(what: str, published: float, simulated: float, why: str = "") -> Row:
    """A count, which must be the same."""
    return replace(figure(what, published, simulated, within=0, form=",.0f", why=why), kind="count")


def claim(what: str, published: str, simulated: Mapping[str, float], holds: bool, *, form: str = ".3f",
          tolerance: str = "sign", difference: str = "", why: str = "") -> Row:
    """Something that is published in words, or as a sign. `simulated`: the figures that it is about, by name."""
    if any(math.isnan(value) for value in simulated.values()):
        return Row(what, published, NOT_RUN, "", tolerance, None, kind="statement")
    shown = ", ".join(f"{name} {value:{form}}".strip() for name, value in simulated.items())
    return Row(what, published, shown, difference or ("as published" if holds else "other"), tolerance, holds,
               "" if holds else why, "statement")


def order(what: str, published: Mapping[str, float], simulated: Mapping[str, float], *, same_below: float = 0.0,
          form: str = ".4f", why: str = "") -> Row:
    """That the simulated figures are in the published order. Those that differ by less than `same_below` in either are
    in no order."""
    wrong = [f"{a} and {b}" for a, b in itertools.permutations(published, 2)
             if published[a] - published[b] > same_below and simulated[b] - simulated[a] > same_below]
    names = sorted(published, key=lambda name: published[name])
    difference = f"changed: {'; '.join(wrong)}" if wrong else "as published"
    row = claim(
        what, " < ".join(names), {name: simulated[name] for name in names}, not wrong, form=form, tolerance="order",
        difference=difference, why=why)
    return replace(row, kind="order")


def tried(what: str, published: str, simulated: Mapping[str, float], *, form: str = ".2f", verdict: str = "") -> Row:
    """One of the choices that a published set-up leaves open, and what comes of it."""
    row = claim(what, published, simulated, True, form=form, tolerance="", difference=verdict or " ")
    return Row(row.what, row.published, row.simulated, row.difference.strip(), "", None, kind="choice")


def curve(what: str, published: Mapping[float, float], simulated: Mapping[float, float], *, within: float,
          relative: bool = False, form: str = ".3f", why: str = "") -> Row:
    """A published curve, point by point; it is inside if all its points are. `published`, `simulated`: y by x; points
    of a figure in print are read with an error, which `within` holds."""
    points = [(x, published[x], simulated[x]) for x in published]
    tolerance = f"{100 * within:g} %" if relative else f"{within:g}"
    shown = ", ".join(f"{x:g}: {y:{form}}" for x, y, _ in points)
    if any(math.isnan(found) for _, _, found in points):
        return Row(what, shown, NOT_RUN, "", tolerance, None, kind="curve", points=points)
    off = [(found - y) / (y if relative else 1) for _, y, found in points]
    most = max(off, key=abs)
    inside = abs(most) <= within + 1e-9
    difference = f"at most {100 * most:+.1f} %" if relative else f"at most {most:{'+' + form}}"
    simulated_as = ", ".join(f"{x:g}: {found:{form}}" for x, _, found in points)
    return Row(
        what, shown, simulated_as, difference, tolerance, inside, "" if inside else why, "curve", points=points)


def read_as(reading: str, row: Row) -> Row:
    """The published result of `row` (of the same `what` as that of the text's own set-up) under another reading of the
    text, or with what it leaves open set otherwise. "": `row` as it is."""
    return replace(row, reading=reading or THE_TEXT)


def evidence(what_is_shown: str, row: Row) -> Row:
    """Why a published result differs: `row` has its `what`, and beside the simulated figure not the published one but
    that of another witness of the same input (INSEE, a closed form, a run with and without)."""
    return replace(row, reading=what_is_shown, is_evidence=True)


@dataclass(frozen=True)
class Count:
    """Published results, each counted once: inside under the text's own set-up; inside under another reading alone;
    outside with evidence (a row of it that is inside); outside without; not run."""

    inside: int
    otherwise: int
    explained: int
    unexplained: int
    waiting: int

    @property
    def compared(self) -> int:
        return self.inside + self.otherwise + self.explained + self.unexplained

    def words(self) -> str:
        """In words, without what is none."""
        return ", ".join(
            f"{number} {words}" for number, words in (
                (self.inside, "inside"), (self.otherwise, "under another reading"),
                (self.explained, "outside with evidence"), (self.unexplained, "outside without"),
                (self.waiting, "not run")) if number)


def counted(rows: Sequence[Row]) -> Count:
    """Counts the results that `rows` are about."""
    results: dict[str, list[Row]] = {}
    for row in rows:
        results.setdefault(row.what, []).append(row)
    found = {"inside": 0, "otherwise": 0, "explained": 0, "unexplained": 0, "waiting": 0}
    for group in results.values():
        fits = [row for row in group if row.inside]
        if all(row.inside is None for row in group if row.is_of_the_text):
            found["waiting"] += any(not row.is_run for row in group)
        elif any(row.is_of_the_text for row in fits):
            found["inside"] += 1
        elif any(not row.is_evidence for row in fits):
            found["otherwise"] += 1
        else:
            found["explained" if fits else "unexplained"] += 1
    return Count(**found)
