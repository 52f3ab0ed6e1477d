"""The links of meshes and tori as a map: each link a line between its routers, coloured by how busy it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Union

import numpy
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator

from .._errors import Error
from ._style import figure_for, styled

KINDS = ("torus", "mesh")


def _grid(result: Any) -> list[int]:
    topology = result.config.get("topology", {})
    dims = topology.get("dims")
    if topology.get("kind") not in KINDS or not dims:
        raise Error(
            f"a link-load map is of tori and meshes (topology.kind is '{topology.get('kind')}'); draw the table "
            "'ports' by port instead")
    if "ports" not in result.tables:
        raise Error("the result has no loads of links; run it with statistics.ports = true")
    return [int(dim) for dim in dims]


def link_loads(result: Any) -> Any:
    """A row for each direction of each link of a torus or mesh: `router`, `to`, `dimension`, `step` (+1 or -1), `load`
    (fraction of the time that the link was busy: its channels together). Needs statistics.ports."""
    from .._hdf5 import _pandas
    from .._topology import topology

    _grid(result)
    network = topology(
        {
            "topology": {
                key: value for key, value in result.config["topology"].items()
                if value is not None and key in ("kind", "dims", "unidirectional", "open_dims") and value not in (
                    [], False)}})
    dims = _grid(result)
    ports = result.frame("ports").groupby(["router", "port"])["utilisation"].sum()
    far: dict[tuple[int, int], int] = {}
    for edge in network.edges().itertuples():
        ends = (int(edge.source[1:]), edge.source_port), (int(edge.target[1:]), edge.target_port)
        far[ends[0]] = ends[1][0]
        far.setdefault(ends[1], ends[0][0])
    # Two routers may be joined twice, in a ring of two: the lower port then leads up.
    rows = []
    strides = [math.prod(dims[:dimension]) for dimension in range(len(dims))]
    for (router, port), to in sorted(far.items()):
        here = [router // stride % dim for stride, dim in zip(strides, dims, strict=True)]
        there = [to // stride % dim for stride, dim in zip(strides, dims, strict=True)]
        dimension = next((d for d in range(len(dims)) if here[d] != there[d]), None)
        if dimension is None:
            continue
        up = (there[dimension] - here[dimension]) % dims[dimension] == 1
        if dims[dimension] == 2:
            up = port == min(each for each, other in ((key[1], value) for key, value in far.items() if key[0] == router)
                             if other == to)
        rows.append((router, to, dimension, 1 if up else -1, float(ports.get((router, port), 0.0))))
    return _pandas().DataFrame(rows, columns=["router", "to", "dimension", "step", "load"])


@styled
def link_load(
        result: Any, *, dimensions: tuple[int, int] = (0, 1), plane: Sequence[int] | None = None,
        most: float | None = None, width: Union[str, float] = "single", ratio: float = 0.9, ax: Axes | None = None
) -> Any:
    """Map of the loads of links: routers on a plane of two `dimensions`, at coordinates `plane` of the others (0 unless
    given); both directions of a link side by side, the one to the right and the one upwards below and right; links that
    wrap around leave the plane as stubs. Colour: fraction of the time that the link was busy, up to `most`."""
    dims = _grid(result)
    if len(dims) == 1:
        dims = [*dims, 1]
    across, up = dimensions
    rest = [dimension for dimension in range(len(dims)) if dimension not in dimensions]
    at = list(plane or [0] * len(rest))
    if across == up or max(across, up) >= len(dims) or len(at) != len(rest):
        raise Error(
            f"dimensions = {dimensions}, plane = {plane} is no plane of a {'x'.join(map(str, dims))} network; give "
            f"two dimensions below {len(dims)} and {len(dims) - 2} coordinates")
    loads = link_loads(result)
    strides = [math.prod(dims[:dimension]) for dimension in range(len(dims))]
    lines, values = [], []
    for row in loads.itertuples():
        place = [row.router // stride % dim for stride, dim in zip(strides, dims, strict=True)]
        if row.dimension not in dimensions or [place[dimension] for dimension in rest] != at:
            continue
        lines.append(_line(place[across], place[up], row.dimension == across, row.step, dims[row.dimension]))
        values.append(row.load)
    figure, ax = figure_for(ax, width, ratio)
    drawn = LineCollection(lines, array=numpy.array(values), cmap="viridis_r",
                           linewidths=min(2.5, 0.1 * _spacing(ax, dims[across], dims[up])))
    drawn.set_clim(0, most if most is not None else max([*values, 1e-9]))
    ax.add_collection(drawn)
    xs, ys = numpy.meshgrid(range(dims[across]), range(dims[up]))
    ax.plot(xs.ravel(), ys.ravel(), linestyle="none", marker="s", color="0.35", markersize=2.5)
    ax.set_aspect("equal")
    ax.grid(visible=False)
    ax.set_xlim(-0.7, dims[across] - 0.3)
    ax.set_ylim(-0.7, dims[up] - 0.3)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(f"Dimension {across}")
    ax.set_ylabel(f"Dimension {up}")
    figure.colorbar(drawn, ax=ax, label="Busy fraction of the time", shrink=0.85)
    return figure


def _spacing(ax: Axes, columns: int, rows: int) -> float:
    """Points (1/72 inch) between two routers."""
    width, height = ax.figure.get_size_inches()
    return float(72 * 0.75 * min(width / (columns + 0.4), height / (rows + 0.4)))


def _line(x: int, y: int, is_across: bool, step: int, size: int) -> list[tuple[float, float]]:
    """A link from its router to the next one, or out of the plane where it wraps; beside the one that comes back."""
    aside = 0.08 * step
    here = x if is_across else y
    length = step if 0 <= here + step < size else 0.45 * step
    if is_across:
        return [(x, y - aside), (x + length, y - aside)]
    return [(x + aside, y), (x + aside, y + length)]
