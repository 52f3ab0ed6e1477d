"""Means over seeds and their 95 % confidence intervals; Student's t without SciPy."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by the continued fraction of Numerical Recipes (6.4)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, 500):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + numerator * d or tiny)
            c = 1 + numerator / c or tiny
            value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * value


@functools.lru_cache(maxsize=1024)
def student_t(degrees: int, confidence: float = 0.95) -> float:
    """The two-sided quantile of Student's t: for 2 degrees of freedom at 95 % 4.303."""
    low, high = 0.0, 2000.0
    for _ in range(200):
        middle = (low + high) / 2
        outside = _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + middle * middle))
        low, high = (middle, high) if outside > 1 - confidence else (low, middle)
    return (low + high) / 2


def mean(values: Sequence[float]) -> float:
    """Mean of the values that are numbers; NaN of none."""
    kept = [value for value in values if not math.isnan(value)]
    if kept and min(kept) == max(kept):  # no rounding
        return kept[0]
    return math.fsum(kept) / len(kept) if kept else math.nan


def half_width(values: Sequence[float], confidence: float = 0.95) -> float:
    """Half of the confidence interval of the mean of independent values; NaN of fewer than two."""
    kept = [value for value in values if not math.isnan(value)]
    if len(kept) < 2:
        return math.nan
    middle = mean(kept)
    variance = sum((value - middle) ** 2 for value in kept) / (len(kept) - 1)
    return student_t(len(kept) - 1, confidence) * math.sqrt(variance / len(kept))


def ratio_half_width(value: float, width: float, reference: float, reference_width: float) -> float:
    """Half-width of value / reference, of independent figures: relative half-widths added in quadrature. A NaN
    half-width counts as unknown."""
    if not reference or not value:
        return math.nan
    return abs(value / reference) * math.hypot(width / value, reference_width / reference)
