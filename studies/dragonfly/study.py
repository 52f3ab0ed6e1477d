"""Accepted load at offered load 1, uniform traffic and the worst case (all nodes of a group to the next), buffers of 16
and 256 flits."""

from weft.study import Run, claim, figure, published

PUBLISHED = published(__file__)
CHANNELS = {"minimal": 3, "valiant": 3, "ugal-l": 3, "ugal-g": 3, "par": 4}
#: What the quick form measures: earlier, and for a shorter time.
SHORT = {"measure.warmup_cycles": 1000, "measure.intervals": 1, "measure.batches": 2, "measure.batch_cycles": 250}
WHY_VALIANT = (
    "a packet of Valiant's that comes by its destination stays there, which saves some of the second half of the way")


def points(quick):
    for routing in CHANNELS:
        for pattern in ("worst-case", "uniform"):
            for buffer in (16, 256):
                if not quick or (pattern == "worst-case" and buffer == 16 and routing != "par"):
                    yield routing, pattern, buffer


def name(quick, routing, pattern, buffer):
    return f"{routing}, {pattern}, {buffer} flits{', short' if quick else ''}"


def runs(quick):
    return {
        name(quick, *point): Run(
            "dragonfly.toml",
            {
                "workload.offered_load": 1.0, "router.routing": point[0], "router.virtual_channels": CHANNELS[point[0]],
                "workload.pattern": point[1], "router.buffer_cells": point[2], **(SHORT if quick else {})})
        for point in points(quick)}


def rows(found, quick):
    accepted = {point: found[name(quick, *point)]["load.accepted"] for point in points(quick)}
    table = []
    for pattern in ("worst-case", "uniform"):
        for buffer in (16, 256):
            of = {
                routing: accepted[routing, pattern, buffer] for routing in CHANNELS
                if (routing, pattern, buffer) in accepted}
            if of:
                table += (worst_case if pattern == "worst-case" else uniform)(of, f"{pattern}, {buffer} flits")
    return table


def worst_case(of, where):
    figures = PUBLISHED["accepted"]
    yield figure(
        f"{where}: minimal, 1/(a p)", figures["minimal_worst_case"], of["minimal"], within=0.01, relative=True,
        form=".5f")
    yield figure(
        f"{where}: valiant", figures["valiant"], of["valiant"], within=0.05, form=".3f", published_as="~ 0.5",
        why=WHY_VALIANT)
    yield claim(f"{where}: ugal-g", "about as valiant", {"ugal-g": of["ugal-g"], "valiant": of["valiant"]},
                abs(of["ugal-g"] / of["valiant"] - 1) < 0.1, tolerance="10 %")
    yield claim(
        f"{where}: ugal-l", "less than ugal-g", {"ugal-l": of["ugal-l"], "ugal-g": of["ugal-g"]},
        of["ugal-l"] < of["ugal-g"], tolerance="order")


def uniform(of, where):
    yield figure(
        f"{where}: valiant", PUBLISHED["accepted"]["valiant"], of["valiant"], within=0.05, form=".3f",
        published_as="~ 0.5", why=WHY_VALIANT)
    for routing in ("ugal-l", "ugal-g"):
        yield claim(f"{where}: {routing}", "as minimal", {routing: of[routing], "minimal": of["minimal"]},
                    abs(of[routing] / of["minimal"] - 1) < 0.05, tolerance="5 %")
