"""Figures out of several runs of a study: NaN as long as one of them is not run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from .. import _statistics


def ends(values: Iterable[float]) -> tuple[float, float]:
    """The least and the most."""
    known = list(values)
    return (math.nan, math.nan) if any(map(math.isnan, known)) else (min(known), max(known))


def half_interval(values: Sequence[float], confidence: float = 0.99) -> float:
    """Half of the confidence interval of the mean of independent runs, as a fraction of it."""
    if any(map(math.isnan, values)):
        return math.nan
    return _statistics.half_width(values, confidence) / _statistics.mean(values)
