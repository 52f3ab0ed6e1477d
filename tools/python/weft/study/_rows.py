"""Rows of a study's table: what is published, what is simulated, and whether they agree."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

NOT_RUN = "not run"


@dataclass(frozen=True)
class Row:
    """A line of the table, as text. `inside`: whether it is within its tolerance; None: not run, or nothing to compare
    with. `reason`: why it is outside, as far as it is known. `reading`: as what the published result is read: figure,
    count, statement, order, or a choice that it leaves open."""

    what: str
    published: str
    simulated: str
    difference: str
    tolerance: str
    inside: bool | None
    reason: str = ""
    reading: str = "figure"

    @property
    def is_run(self) -> bool:
        return self.simulated != NOT_RUN


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
    return replace(figure(what, published, simulated, within=0, form=",.0f", why=why), reading="count")


def claim(what: str, published: str, simulated: Mapping[str, float], holds: bool, *, form: str = ".3f",
          tolerance: str = "sign", difference: str = "", why: str = "") -> Row:
    """Something that is published in words, or as a sign. `simulated`: the figures that it is about, by name."""
    if any(math.isnan(value) for value in simulated.values()):
        return Row(what, published, NOT_RUN, "", tolerance, None, reading="statement")
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
    return replace(row, reading="order")


def tried(what: str, published: str, simulated: Mapping[str, float], *, form: str = ".2f", verdict: str = "") -> Row:
    """One of the choices that a published set-up leaves open, and what comes of it."""
    row = claim(what, published, simulated, True, form=form, tolerance="", difference=verdict or " ")
    return Row(row.what, row.published, row.simulated, row.difference.strip(), "", None, reading="choice")
