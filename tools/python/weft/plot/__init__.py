"""Figures in the quality of a paper: vector PDF, sizes of one and two columns, colours that the colour-blind can tell
apart, error bars and bands, points that are saturated or did not converge drawn hollow, published points beside.

    figure = weft.plot.load_latency(study.frame())
    figure.save("latency.pdf")

Every function returns a Figure, which notebooks show and `save` writes (.pdf, .svg, .png...), and takes `ax`, the axes
of a figure of your own to draw into. Nothing here needs a display."""

from ._curves import accepted_load, curves, load_latency
from ._maps import link_load
from ._results import histogram, percentiles, timeline
from ._bars import bars
from ._style import Figure, new_figure, size

__all__ = ["Figure", "accepted_load", "bars", "curves", "histogram", "link_load", "load_latency", "new_figure",
           "percentiles", "size", "timeline"]
