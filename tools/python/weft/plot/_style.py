"""What all figures share: sizes, fonts, colours, and how a series looks."""

from __future__ import annotations

import functools
import io
import itertools
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, Union, cast

from .._errors import Error, needs

try:
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as _Figure
except ImportError:
    raise needs("matplotlib", "python3-matplotlib", "weft.plot") from None

#: Of Okabe and Ito, "Color Universal Design" (2008); yellow last, since it is pale on paper.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "^", "D", "v", "<", ">", "p", "h", "P", "*")
LINES = ("-", "--", "-.", ":")
#: Widths of columns in inches: of IEEE and ACM proceedings.
WIDTHS = {"single": 3.5, "double": 7.16}
#: Inches that a panel beside others is high at least, so that a label fits beside it.
LEAST_HEIGHT = 2.1
#: Series that the axes of a small figure have room to name.
_MOST_INSIDE = 14
#: Type 42 fonts (TrueType) are what publishers take, and texts of an SVG stay texts.
STYLE = {"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8,
         "axes.labelsize": 8, "axes.titlesize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7,
         "axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6, "lines.linewidth": 1.1,
         "lines.markersize": 4, "axes.grid": True, "grid.linewidth": 0.4, "grid.alpha": 0.35, "legend.frameon": False,
         "axes.axisbelow": True, "savefig.dpi": 300, "figure.dpi": 150}


class Figure(_Figure):
    """A figure of matplotlib that notebooks show by themselves and that saves in the style of this package."""

    def save(self, path: str | os.PathLike[str]) -> str:
        """Writes the figure; the format is that of the name (.pdf, .svg, .png, .eps). Returns the path."""
        name = os.fspath(path)
        with matplotlib.rc_context(STYLE):
            try:
                # No date: the same figure is the same file.
                dated = {"CreationDate": None} if name.endswith(".pdf") else {"Date": None} if name.endswith(
                    ".svg") else None
                self.savefig(name, bbox_inches="tight", pad_inches=0.02, metadata=dated)
            except (OSError, ValueError) as problem:
                raise Error(
                    f"{name}: cannot be written ({problem}); name a .pdf, .svg or .png in a folder that is there", 5
                ) from None
        return name

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        with matplotlib.rc_context(STYLE):
            self.savefig(data, format="png", bbox_inches="tight")
        return data.getvalue()


def size(width: Union[str, float] = "single", ratio: float = 0.68) -> tuple[float, float]:
    """(width, height) in inches: "single" or "double" columns, or inches; height is `ratio` times the width."""
    if isinstance(width, str):
        if width not in WIDTHS:
            raise Error(f"width = '{width}' is not known; use 'single', 'double', or inches")
        width = WIDTHS[width]
    return width, width * ratio


def new_figure(width: Union[str, float] = "single", ratio: float = 0.68, columns: int = 1) -> tuple[Figure, Any]:
    """A figure in the style of the package and its axes: one, or, for several columns, a list."""
    with matplotlib.rc_context(STYLE):
        wide, high = size(width, ratio / columns)
        figure = Figure(figsize=(wide, max(high, LEAST_HEIGHT) if columns > 1 else high), layout="constrained")
        axes = figure.subplots(1, columns)
    return figure, axes if columns == 1 else list(axes)


def log_axes(log: str) -> None:
    """Throws Error unless this names axes: "", "x", "y" or "xy"."""
    if not isinstance(log, str) or set(log) - set("xy"):
        raise Error(f"log = {log!r} names no axes; give '', 'x', 'y' or 'xy'")


def figure_for(ax: Axes | None, width: Union[str, float], ratio: float = 0.68) -> tuple[Any, Axes]:
    """The axes to draw into, and their figure."""
    if ax is not None:
        return ax.figure, ax
    return new_figure(width, ratio)


@dataclass(frozen=True)
class Look:
    """How a series is drawn, the same in every figure."""

    colour: str
    marker: str
    line: str


def looks(labels: Iterable[str], chosen: Mapping[str, Mapping[str, str]] | None = None) -> dict[str, Look]:
    """Colours, markers and lines for any number of series, in their order: first all colours with a full line, each
    with a marker of its own, then the same colours with other lines and markers. `chosen`: label -> {"colour",
    "marker", "line"} wins."""
    result: dict[str, Look] = {}
    for number, label in enumerate(dict.fromkeys(labels)):
        wanted = (chosen or {}).get(label, {})
        result[label] = Look(wanted.get("colour", COLOURS[number % len(COLOURS)]),
                             wanted.get("marker", MARKERS[number % len(MARKERS)]),
                             wanted.get("line", LINES[number // len(COLOURS) % len(LINES)]))
    return result


def quantity(name: str, unit: str) -> str:
    """The text of an axis: "Accepted load (phits/node/cycle)"."""
    words = {"workload.offered_load": "Offered load", "load_offered": "Offered load", "load_accepted": "Accepted load",
             "latency_mean": "Mean latency", "latency_p99": "99th percentile of latency",
             "completion_cycles": "Completion time", "completion_ns": "Completion time"}
    text = words.get(name) or words.get(name.removesuffix("_ns")) or name.rpartition(".")[2].replace(
        "_", " ").capitalize()
    return f"{text} ({unit})" if unit else text


_F = TypeVar("_F", bound=Callable[..., Any])


def styled(function: _F) -> _F:
    """Draws in the style of the package, whatever the user's own is; that is as it was afterwards."""

    @functools.wraps(function)
    def inner(*positional: Any, **named: Any) -> Any:
        with matplotlib.rc_context(STYLE):
            return function(*positional, **named)

    return cast(_F, inner)


def add_legend(ax: Axes, entries: int, where: Any = "best") -> None:
    """A legend, in more columns where it is long; none for where=None. For "best" it goes below the panels where no
    place in the axes is free: one for all of them that have the same series."""
    if where is None or entries <= 0:
        return
    look = {"handlelength": 1.8, "columnspacing": 1.0, "labelspacing": 0.3}
    handles, labels = ax.get_legend_handles_labels()
    if where == "best" and any(_labels_of(legend) == labels for legend in ax.figure.legends):
        return
    below = where == "best" and isinstance(ax.figure, Figure)
    if not below or entries <= _MOST_INSIDE:
        legend = ax.legend(loc=where, ncols=1 if entries < 7 else 2, **look)
        if not below or not _covers(ax, legend):
            return
    for other in ax.figure.axes:
        if other.get_legend() is not None and _labels_of(other.get_legend()) == labels:
            other.get_legend().remove()
    narrow = ax.figure.legend(handles, labels, ncols=1, **look)
    ax.figure.draw_without_rendering()
    columns = max(1, min(entries, int(ax.figure.bbox.width // narrow.get_window_extent().width)))
    narrow.remove()
    _make_room(ax.figure, ax.figure.legend(handles, labels, loc="lower center", ncols=columns, borderaxespad=0, **look))


def _make_room(figure: Figure, legend: Any) -> None:
    """The figure grows by the legend at its foot; the axes are as high as before."""
    figure.draw_without_rendering()
    room = legend.get_window_extent().height / figure.dpi + 0.06
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + room)
    share = room / (height + room)
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))


def _labels_of(legend: Any) -> list[str]:
    return [text.get_text() for text in legend.get_texts()]


def _covers(ax: Axes, legend: Any) -> bool:
    """Whether a legend lies on a curve."""
    ax.figure.draw_without_rendering()
    place = legend.get_window_extent()
    for line in ax.get_lines():
        path = line.get_path().transformed(line.get_transform())
        joined = line.get_linestyle() not in ("None", "none", " ", "") and len(path.vertices) > 1
        if (joined and path.intersects_bbox(place, filled=False)) or any(
                place.contains(x, y) for x, y in path.vertices):
            return True
    return False


def fit_label(ax: Axes) -> None:
    """Breaks the label of the y axis before its unit where it is longer than the axes are high."""
    text = ax.get_ylabel()
    ax.figure.draw_without_rendering()
    if " (" in text and ax.yaxis.label.get_window_extent().height > ax.get_window_extent().height:
        ax.set_ylabel(text.replace(" (", "\n(", 1))


def hatches() -> Iterable[str]:
    """Hatches for bars, so that they are told apart in black and white."""
    return itertools.cycle(("", "///", "...", "\\\\\\", "xx", "---", "ooo"))

