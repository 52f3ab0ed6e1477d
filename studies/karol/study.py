"""A switch of N inputs and as many outputs is a crossbar of 2 N nodes here of which N send and N receive: an input of
the paper sends to all outputs. With no end of ports that makes no difference, and all nodes send and receive."""

from pathlib import Path

from weft.study import Run, claim, figure, published, tried

PUBLISHED = published(__file__)
HERE = Path(__file__).resolve().parent
SMALL = {int(ports): throughput for ports, throughput in PUBLISHED["throughput"].items()}
MANY = PUBLISHED["limit"]["ports"]
QUEUES = {"router.queues": "voq", "router.scheduling": "islip", "router.iterations": 4, "router.buffer_cells": 4096}


def ports(quick):
    return [2, 3, 4, 8] if quick else list(SMALL)


def runs(quick):
    found = {}
    cycles = 20_000 if quick else 100_000
    for count in ports(quick):
        path = str(HERE / f"matrix-{count}.txt")
        settings = {
            "topology.nodes": 2 * count, "workload.pattern": "matrix", "workload.matrix_path": path,
            "measure.batch_cycles": cycles}
        found[f"{count} ports, {cycles} cycles a batch"] = Run("crossbar.toml", settings, input_path=path)
    batches = {"measure.batches": 2, "measure.batch_cycles": 2000} if quick else {}
    found[f"{MANY} ports{', short' if quick else ''}"] = Run("crossbar.toml", {"topology.nodes": MANY, **batches})
    found["32 ports, virtual output queues"] = Run(
        "crossbar.toml", {"topology.nodes": 32, **QUEUES, "measure.warmup_cycles": 10_000})
    if not quick:
        for scheduling in ("islip", "age"):
            found[f"{MANY} ports, {scheduling}"] = Run(
                "crossbar.toml", {"topology.nodes": MANY, "router.scheduling": scheduling})
    return found


def rows(found, quick):
    cycles = 20_000 if quick else 100_000
    table = []
    for count in ports(quick):
        # Half of the nodes send.
        accepted = 2 * found[f"{count} ports, {cycles} cycles a batch"]["load.accepted"]
        table.append(figure(f"{count} ports: accepted, cells/input/cycle", SMALL[count], accepted, within=0.005))
    limit = PUBLISHED["limit"]["throughput"]
    many = found[f"{MANY} ports{', short' if quick else ''}"]["load.accepted"]
    table.append(figure(f"{MANY} ports (no end of ports): accepted", limit, many, within=0.005))
    queued = found["32 ports, virtual output queues"]["load.accepted"]
    table.append(
        claim(
            "32 ports, virtual output queues: accepted", "no head-of-line blocking", {"": queued}, queued > 0.97,
            tolerance="above 0.97", form=".4f"))
    return table


def choices(found, quick):
    if quick:
        return []
    return [
        tried(
            f"{MANY} ports, ties of first packets: {scheduling}", "random",
            {"": found[f"{MANY} ports{f', {scheduling}' if scheduling != 'random' else ''}"]["load.accepted"]},
            form=".4f", verdict="no visible difference")
        for scheduling in ("random", "islip", "age")]
