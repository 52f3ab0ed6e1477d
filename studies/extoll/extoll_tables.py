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
RANDOM_TIES = "ties at random"
#: "the host bandwidth is 10.4 GBytes/s", a cell a cycle: messages of 16 bytes come faster than links take them.
HOST = "16 bytes a cycle from the host"
HOST_ONE_CLASS = f"{HOST}; {ONE_CLASS}"
SMALL, LARGE = "a quarter of the buffers", "four times the buffers"
BUFFERS = {SMALL: 0.25, LARGE: 4}
FOUR_BYTES = "4 bytes a rank"
FOUR_BYTES_ONE_CLASS, FOUR_BYTES_TIES = f"{FOUR_BYTES}; {ONE_CLASS}", f"{FOUR_BYTES}; {RANDOM_TIES}"
LINEAR = "messages in order r + 1, r + 2 ..."
#: OpenMPI's order of these messages, and what fits the times of the allgathers.
LINEAR_FRAMED = f"{LINEAR}; {FRAMED}"
LEFT_OPEN = "from the least to the most of what is left open"
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


def readings(cell, quick):
    """Set-ups in which a cell is run; the text's first. Reductions fit without others; 1,024 elements have few."""
    operation, size, kind, pes = cell
    four = [FOUR_BYTES, FOUR_BYTES_ONE_CLASS] if (operation, size) == ("allgather", 16) else []
    if four and kind == "3D":
        four.append(FOUR_BYTES_TIES)
    host = [HOST, HOST_ONE_CLASS] if size == 16 and operation in ("broadcast", "all-to-all") else []
    if operation == "all-to-all" and pes == 1024:
        host = host[1:]
    if operation == "reduce":
        return [TEXT]
    if quick:  # those that fit
        fits = {("broadcast", 16, "5DT"): [FRAMED], ("broadcast", 512, "3D"): [RANDOM_TIES]}
        return [TEXT, *four, *fits.get((operation, size, kind), host if operation == "all-to-all" else [])]
    if operation == "broadcast":
        return [TEXT, ONE_CLASS, CELLS, FRAMED, *([RANDOM_TIES] if kind == "3D" else []), *host]
    more = [FRAMED, SMALL, LARGE] if pes < 1024 or operation == "allgather" else [SMALL]
    if operation == "all-to-all":
        more += [LINEAR, LINEAR_FRAMED] if pes < 1024 else []
        more += [RANDOM_TIES] if kind == "3D" else []
    return [TEXT, ONE_CLASS, *more, *four, *host]


def setup(reading, kind):
    """The text's: classes as in 3.1, and the words of 64 bytes in 4 cycles of examples/extoll-torus.toml (fitted)."""
    if reading not in (CELLS, FRAMED, LINEAR_FRAMED):
        one = reading in (ONE_CLASS, FOUR_BYTES_ONE_CLASS, HOST_ONE_CLASS)
        keys = (networks.one_class if one else networks.classes)(kind, WORD_BYTES)
        if reading in (HOST, HOST_ONE_CLASS):
            keys["link.node.phits_per_cycle"] = 1.0
        return {**keys, "router.buffer_cells": round(BUFFERS.get(reading, 1) * keys["router.buffer_cells"])}
    framing = 0 if reading == CELLS else FRAME_CELLS
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
        for reading in readings(cell, quick):
            found[name(cell, reading)] = Run("../../examples/extoll-torus.toml", {
                **networks.network(kind, pes, "random" if reading.endswith(RANDOM_TIES) else "up"),
                **setup(reading, kind),
                "workload.name": operation,
                "workload.algorithm": "linear" if reading in (LINEAR, LINEAR_FRAMED) else ALGORITHMS[operation],
                "workload.message_bytes": 4 if reading.startswith(FOUR_BYTES) else size})
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
        what = title.format(name(cell))
        values = {reading: found[name(cell, reading)][value] for reading in readings(cell, quick)}
        lines = [
            figure(what, number, each, within=within(operation), relative=True, form=form,
                   why=why(operation, size) if reading == TEXT else "") for reading, each in values.items()]
        yield lines[0]
        if lines[0].inside is False:
            yield from (read_as(reading, line) for reading, line in zip(list(values)[1:], lines[1:], strict=True))
            if value == "tasks.finish_cycles_max" and (operation, size) == ("allgather", 16):
                yield from port_of_the_root(what, number, values[TEXT], pes)
            if not any(line.inside for line in lines):
                yield networks.among(LEFT_OPEN, what, format(number, form), number, values.values(), form)


def port_of_the_root(what, given, time, pes):
    """log2 P messages of P cells leave rank 0 one after the other."""
    bound = pes * int(math.log2(pes))
    if given < bound:
        yield evidence("rank 0 sends log2 P times P cells", claim(
            what, f"{given:,} is less than {bound:,}", {"": time}, given < bound <= time, form=",.0f",
            tolerance="bound"))


def rows(found, quick, published):
    yield from table(
        found, quick, published, "Table III: {}, cycles", published["times"], "tasks.finish_cycles_max", tolerance,
        ",.0f", lambda operation, size: WHY_16 if (operation, size) == ("allgather", 16) else WHY[operation])
    for operation, size, kind, pes in cells_of(quick, published):
        if kind == "3D":
            yield from faster(found, published, operation, size, pes, quick)
    yield from table(
        found, quick, published, "Table II: {}, latency of cells, cycles", published["latencies"],
        "latency.cell_network_mean", latency_tolerance, ",.1f", lambda operation, size: WHY_LATENCY)


def faster(found, published, operation, size, pes, quick):
    """Which of the two networks is the faster one."""
    torus, twin = (published["times"][f"{operation}, {size}"][place][PES.index(pes)] for place in (0, 1))
    both = set(readings((operation, size, "5DT", pes), quick))
    for reading in [each for each in readings((operation, size, "3D", pes), quick) if each in both]:
        simulated = {
            kind: found[name((operation, size, kind, pes), reading)]["tasks.finish_cycles_max"] for kind in KINDS}
        same = (twin < torus and simulated["5DT"] < simulated["3D"]) or (
            twin > torus and simulated["5DT"] > simulated["3D"])
        row = claim(
            f"Table III: {operation}, {size} bytes, {pes}: faster", "5DT" if twin < torus else "3D", simulated, same,
            form=",.0f", tolerance="order", why=f"{torus} and {twin} cycles, {100 * abs(twin / torus - 1):.1f} % "
            "apart, which is less than what is left open moves them by")
        yield read_as(reading, row)
        if row.inside is not False and reading == TEXT:
            return
    if operation == "broadcast" and size == 16:
        time = found[name((operation, size, "3D", pes))]["tasks.finish_cycles_max"]
        yield evidence("3D without any waits: links x 32, messages x 24, less 2 of the last turnaround", figure(
            row.what, longest_path(pes), time, within=0, form=",.0f"))


def longest_path(pes):
    """Cycles of the messages 0, 1, 3, 7 ... P - 1: 1 + 2 + ... + k / 2 links in each ring of k, log2 P messages."""
    links = sum(each - 1 for each in networks.DIMENSIONS["3D"][pes])
    return 32 * links + 24 * int(math.log2(pes)) - 2
