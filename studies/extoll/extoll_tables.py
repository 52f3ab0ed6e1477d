"""Tables II and III: 48 times and 48 latencies of cells."""

import math

import extoll_networks as networks
from weft.study import Run, claim, evidence, figure, read_as

PES = (256, 512, 1024)
KINDS = ("3D", "5DT")
ALGORITHMS = {
    "reduce": "binomial", "broadcast": "binomial", "allgather": "linear-gather-broadcast", "all-to-all": "exclusive-or"}
TEXT = "the text"
ONE_CLASS = "one class, 4 KiB for each channel"
CELLS = "cells of 16 bytes, one a cycle"
FRAMED = "cells of 16 bytes, one a cycle, three more in each packet"
FOUR_BYTES = "4 bytes a rank"
WORD_BYTES, CELL_BYTES, FRAME_CELLS = 64, 16, 3
WHY = {
    "reduce": "a message counts as arrived when its last phit begins to arrive",
    "broadcast": "no order of sends, mode of channels or number of iSLIP iterations that was tried explains it",
    "allgather": "what a packet costs besides its data is not published (framing: rows of other readings)",
    "all-to-all": "the order of sends, buffers and the division of the 32 cycles of a hop are not published"}
WHY_16 = "rank 0 takes longer to send 16 bytes of each rank so often than is published; 4 bytes a rank fit"
WHY_LATENCY = "latencies of saturated networks depend on buffers, of which nothing is published"


def cells_of(quick, published):
    """(operation, bytes, network, elements) that are run."""
    for key in published["times"]:
        operation, size = key.split(", ")
        for kind in KINDS:
            for pes in PES:
                if not quick or (
                        pes < 1024 and (operation in ("reduce", "broadcast") or (size == "16" and pes == 256))):
                    yield operation, int(size), kind, pes


def readings(operation, size, quick):
    """Set-ups in which a cell is run; the text's first. Reductions fit in all of them."""
    if quick or operation == "reduce":
        return [TEXT, FOUR_BYTES] if operation == "allgather" and size == 16 else [TEXT]
    return [TEXT, ONE_CLASS, CELLS, FRAMED, *([FOUR_BYTES] if operation == "allgather" and size == 16 else [])]


def setup(reading, kind):
    """The text's: classes as in 3.1, and the words of 64 bytes in 4 cycles of examples/extoll-torus.toml (fitted)."""
    if reading not in (CELLS, FRAMED):
        return (networks.one_class if reading == ONE_CLASS else networks.classes)(kind, WORD_BYTES)
    framing = FRAME_CELLS if reading == FRAMED else 0
    return {
        **networks.classes(kind, CELL_BYTES), "packet.phit_bytes": CELL_BYTES, "packet.phits": 32 + framing,
        "packet.header_phits": framing, "link.phits_per_cycle": 1.0, "link.node.phits_per_cycle": 1.0}


def name(cell, reading=TEXT):
    operation, size, kind, pes = cell
    return f"{operation}, {size} bytes, {kind}, {pes}" + ("" if reading == TEXT else f", {reading}")


def runs(quick, published):
    found = {}
    for cell in cells_of(quick, published):
        operation, size, kind, pes = cell
        for reading in readings(operation, size, quick):
            found[name(cell, reading)] = Run("../../examples/extoll-torus.toml", {
                **networks.network(kind, pes, "up"), **setup(reading, kind), "workload.name": operation,
                "workload.algorithm": ALGORITHMS[operation],
                "workload.message_bytes": 4 if reading == FOUR_BYTES else size})
    return found


def tolerance(operation):
    return {"reduce": 0.005, "broadcast": 0.05}.get(operation, 0.15)


def latency_tolerance(operation):
    return 0.05 if operation in ("reduce", "broadcast") else 0.15


def table(found, quick, published, title, given, value, within, form, why):
    """Rows of one of the two tables: the text's, and those of other readings where it is outside."""
    for cell in cells_of(quick, published):
        operation, size, kind, pes = cell
        number = given[f"{operation}, {size}"][kind == "5DT"][PES.index(pes)]
        text = figure(f"{title.format(name(cell))}", number, found[name(cell)][value], within=within(operation),
                      relative=True, form=form, why=why(operation, size))
        yield text
        if text.inside is False:
            for reading in readings(operation, size, quick)[1:]:
                yield read_as(reading, figure(text.what, number, found[name(cell, reading)][value],
                                              within=within(operation), relative=True, form=form))
            if value == "tasks.finish_cycles_max" and operation == "allgather" and size == 16:
                yield from port_of_the_root(text, number, found[name(cell)][value], pes)


def port_of_the_root(row, given, time, pes):
    """log2 P messages of P cells leave rank 0 one after the other."""
    bound = pes * int(math.log2(pes))
    if given < bound:
        yield evidence("rank 0 sends log2 P times P cells", claim(
            row.what, f"{given:,} is less than {bound:,}", {"": time}, given < bound <= time, form=",.0f",
            tolerance="bound"))


def rows(found, quick, published):
    yield from table(
        found, quick, published, "Table III: {}, cycles", published["times"], "tasks.finish_cycles_max", tolerance,
        ",.0f", lambda operation, size: WHY_16 if (operation, size) == ("allgather", 16) else WHY[operation])
    for operation, size, kind, pes in cells_of(quick, published):
        if kind == "3D":
            yield faster(found, published, operation, size, pes)
    yield from table(
        found, quick, published, "Table II: {}, latency of cells, cycles", published["latencies"],
        "latency.cell_network_mean", latency_tolerance, ",.1f", lambda operation, size: WHY_LATENCY)


def faster(found, published, operation, size, pes):
    """Which of the two networks is the faster one."""
    torus, twin = (published["times"][f"{operation}, {size}"][place][PES.index(pes)] for place in (0, 1))
    simulated = {kind: found[name((operation, size, kind, pes))]["tasks.finish_cycles_max"] for kind in KINDS}
    same = (twin < torus and simulated["5DT"] < simulated["3D"]) or (
        twin > torus and simulated["5DT"] > simulated["3D"])
    return claim(
        f"Table III: {operation}, {size} bytes, {pes}: faster", "5DT" if twin < torus else "3D", simulated, same,
        form=",.0f", tolerance="order", why="published 914 and 938 cycles, equal here")
