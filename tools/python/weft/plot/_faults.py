"""Failures and repairs in pictures over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: More events than that have no labels, and more marks no meaning.
MOST_LABELS = 12
MOST_MARKS = 200
LABEL_ROWS = 4


def mark_faults(result: Any, ax: Axes) -> None:
    """Shades the time in which a part of the network did not work, and draws a line at each event of a result."""
    if "faults" not in result.tables:
        return
    rows = list(result.frame("faults").itertuples())
    down: dict[str, float] = {}
    for number, row in enumerate(rows[:MOST_MARKS]):
        ax.axvline(row.cycle, color="0.35", linewidth=0.6, linestyle=":", zorder=1.5)
        if len(rows) <= MOST_LABELS:
            ax.annotate(f"{row.part} {row.state}", (row.cycle, 1 - 0.07 * (number % LABEL_ROWS)),
                        xycoords=("data", "axes fraction"), xytext=(2, -2), textcoords="offset points", fontsize=5,
                        ha="left", va="top", color="0.25", annotation_clip=True)
        if row.state == "down":
            down.setdefault(row.part, row.cycle)
        elif row.state == "up" and row.part in down:
            _shade(ax, down.pop(row.part), row.cycle)
    end = float(result.summary["cycles"])
    for since in down.values():
        _shade(ax, since, end)


def _shade(ax: Axes, since: float, until: float) -> None:
    ax.axvspan(since, until, color="0.5", alpha=0.12, linewidth=0, zorder=0)
