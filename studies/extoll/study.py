"""Andujar et al.: Tables II and III (extoll_tables.py), Figs. 7 to 10 (extoll_traffic.py), Figs. 12 to 14
(extoll_applications.py)."""

import math

import extoll_applications as applications
import extoll_tables as tables
import extoll_traffic as traffic
from weft.study import published

PUBLISHED = published(__file__)


def runs(quick):
    """Small networks first: what a study that is stopped has is whole up to a size."""
    found = {**tables.runs(quick, PUBLISHED), **applications.runs(quick), **traffic.runs(quick)}
    return dict(sorted(found.items(), key=lambda item: elements(item[1].settings)))


def elements(settings):
    """How many a run has, those of all its seeds together."""
    cards = math.prod(settings["topology.dims"]) * (2 if settings["topology.kind"] == "ndt-torus" else 1)
    return cards * settings.get("measure.seeds", 1)


def rows(found, quick):
    return [
        *tables.rows(found, quick, PUBLISHED), *traffic.rows(found, quick, PUBLISHED),
        *applications.rows(found, quick, PUBLISHED)]
