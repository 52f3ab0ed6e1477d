"""Collective operations on the cards of examples/extoll-torus.toml, and the latency of uniform traffic."""

from weft.study import Run, claim, figure, published

PUBLISHED = published(__file__)
PES = (256, 512, 1024)
TORI = {256: [8, 8, 4], 512: [8, 8, 8], 1024: [16, 8, 8], 2048: [16, 16, 8]}
TWINS = {256: [4, 4, 2, 2, 2], 512: [4, 4, 2, 4, 2], 1024: [4, 4, 2, 4, 4], 2048: [4, 4, 4, 4, 4]}
ALGORITHMS = {
    "reduce": "binomial", "broadcast": "binomial", "allgather": "linear-gather-broadcast", "all-to-all": "exclusive-or"}
LOAD = 0.1
WHY = {
    "reduce": "a message counts as arrived when its last phit begins to arrive",
    "broadcast": "no order of sends, mode of channels or number of iSLIP iterations that was tried explains it",
    "allgather": "with 512 bytes three more cells a packet (framing) would bring 256 and 512 elements to within 3 %, "
        "but make broadcasts slow; the row of 16 bytes is one of 4 bytes a rank here, since the published 9,497 "
        "cycles are less than what rank 0 takes to send 16 each",
    "all-to-all": "the order of sends, buffers and the division of the 32 cycles of a hop are not published"}
WHY_LATENCY = "latencies of saturated networks depend on buffers and traffic classes, of which nothing is published"


def network(kind, pes, ties):
    if kind == "3D":
        return {
            "topology.kind": "torus", "topology.dims": TORI[pes], "router.routing": "dally:basic", "router.ties": ties,
            "router.virtual_channels": 2}
    return {
        "topology.kind": "ndt-torus", "topology.dims": TWINS[pes], "router.routing": "ts-dor", "router.ties": "card",
        "router.virtual_channels": 4}


def cells(quick):
    """(operation, bytes, network, elements) of Table III that are run."""
    for key in PUBLISHED["times"]:
        operation, size = key.split(", ")
        for kind in ("3D", "5DT"):
            for pes in PES:
                if not quick or (
                        pes < 1024 and (operation in ("reduce", "broadcast") or (size == "16" and pes == 256))):
                    yield operation, int(size), kind, pes


def sizes(quick):
    return [256, 512] if quick else [*PES, 2048]


def name(operation, size, kind, pes):
    return f"{operation}, {size} bytes, {kind}, {pes}"


def runs(quick):
    found = {}
    for operation, size, kind, pes in cells(quick):
        # The cells that are published for 16 bytes: docs/extoll.md.
        given = 4 if operation == "allgather" and size == 16 else size
        found[name(operation, size, kind, pes)] = Run("../../examples/extoll-torus.toml", {
            **network(kind, pes, "up"), "workload.name": operation, "workload.algorithm": ALGORITHMS[operation],
            "workload.message_bytes": given})
    for pes in sizes(quick):
        for kind in ("3D", "5DT"):
            found[f"uniform, {kind}, {pes}"] = Run(
                "traffic.toml", {**network(kind, pes, "random"), "workload.offered_load": LOAD})
    return found


def tolerance(operation):
    return {"reduce": 0.005, "broadcast": 0.07}.get(operation, 0.15)


def rows(found, quick):
    table, times = [], {}
    for operation, size, kind, pes in cells(quick):
        given = PUBLISHED["times"][f"{operation}, {size}"][kind == "5DT"][PES.index(pes)]
        time = times[operation, size, kind, pes] = found[name(operation, size, kind, pes)]["tasks.finish_cycles_max"]
        table.append(
            figure(
                f"Table III: {name(operation, size, kind, pes)}, cycles", given, time, within=tolerance(operation),
                relative=True, form=",.0f", why=WHY[operation]))
    for operation, size, kind, pes in cells(quick):
        if kind == "3D":
            table.append(faster(operation, size, pes, times))
    for operation, size, kind, pes in cells(quick):
        latencies = PUBLISHED["latencies"].get(f"{operation}, {size}")
        if latencies:
            latency = found[name(operation, size, kind, pes)]["latency.cell_network_mean"]
            alone = operation in ("reduce", "broadcast")
            table.append(
                figure(
                    f"Table II: {name(operation, size, kind, pes)}, latency of cells, cycles",
                    latencies[kind == "5DT"][PES.index(pes)], latency, within=0.05 if alone else 0.15,
                    relative=True, form=",.1f", why=WHY_LATENCY))
    for pes, lower in zip(sizes(quick), PUBLISHED["traffic"]["lower"]):
        latency = {kind: found[f"uniform, {kind}, {pes}"]["latency.mean"] for kind in ("3D", "5DT")}
        table.append(
            figure(
                f"uniform, load {LOAD}, {pes}: latency lower on 5DT, %", lower,
                100 * (1 - latency["5DT"] / latency["3D"]), within=3, form=".1f"))
    return table


def faster(operation, size, pes, times):
    """Which of the two networks is the faster one."""
    torus, twin = (PUBLISHED["times"][f"{operation}, {size}"][place][PES.index(pes)] for place in (0, 1))
    simulated = {kind: times[operation, size, kind, pes] for kind in ("3D", "5DT")}
    same = (twin < torus and simulated["5DT"] < simulated["3D"]) or (
        twin > torus and simulated["5DT"] > simulated["3D"])
    return claim(
        f"Table III: {operation}, {size} bytes, {pes}: faster", "5DT" if twin < torus else "3D", simulated, same,
        form=",.0f", tolerance="order", why="published 914 and 938 cycles, equal here")
