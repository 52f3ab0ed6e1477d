"""Figures 12 to 14: what applications send, on 3D and 5D twin tori. None of the paper's traces is here (those of its
web site are no part of weft): Graph500's collective operations as the paper tells them (graph500.py), RandomAccess as
waves of random messages of the length that hpcc's buckets have (and as recorded from hpcc on 64 tasks), and for NAMD
the exchanges of another program of molecular dynamics, LAMMPS, in a grid of tasks."""

import extoll_networks as networks
import extoll_traffic as traffic
from weft.study import Run, claim, ends, evidence, figure, read_as

CASES = ((256, 256), (512, 256), (1024, 256), (512, 512), (1024, 512), (1024, 1024))  # tasks, processing elements
MEASURES = {
    "network latency": "latency.cell_network_mean", "end-to-end latency": "latency.cell_mean",
    "router utilisation": "router_utilisation.cycles"}
APPLICATIONS = ("Graph500", "RandomAccess", "NAMD")
#: The largest of P - 1 buckets of 1,024 updates of 8 bytes together, in the mean, where hpcc sends one (worked out
#: bucket by bucket: of 64 tasks 6,284 messages of 164 bytes; recorded 5,627 of 182, and of the LCG form 6,259 of 165).
BUCKET_BYTES = {256: 72, 512: 40, 1024: 24}
WAVE = 64  # messages of a task
#: Atoms of a task: STMV has 1,066,628. Halos of 12 Angstrom are 6 atoms deep.
BLOCKS = {256: [16, 16, 16], 512: [16, 16, 8], 1024: [16, 8, 8]}
RECORDED, EDGES = "hpcc recorded on 64 tasks, at random places", "edges sent to their owners (kernel bfs)"
ALLREDUCES = "its allreduces alone, 8 bytes"
SCATTERED = "tasks at random places"
WHY = {
    "Graph500": "sizes of messages, and what is computed between them, are not published; routers are busy for as many "
        "links as the broadcasts of Table II take, which are no fewer on the 5DT of 256 elements",
    "RandomAccess": "gains are those of uniform traffic, which the text says these messages are very close to",
    "NAMD": "this is not NAMD: LAMMPS' exchanges have no load balancing, and its grid of tasks is that of the torus"}


def workload(application, tasks):
    if application == "Graph500":
        return {"workload.kind": "trace", "workload.path": f"graph500-{tasks}.trc.xz"}
    if application == "RandomAccess":
        return {"workload.kind": "kernel", "workload.name": "random-exchange", "workload.exchange": "waves",
                "workload.wave_messages": WAVE * tasks, "workload.repetitions": 1,
                "workload.message_bytes": BUCKET_BYTES[tasks]}
    return {"workload.kind": "kernel", "workload.name": "lammps", "workload.block": BLOCKS[tasks], "workload.width": 6,
            "workload.reduction_steps": 1, "workload.repetitions": 1}


def others(application, tasks, pes):
    """Other readings of an application."""
    if application == "Graph500":
        reduction = {"workload.kind": "collective", "workload.name": "allreduce", "workload.message_bytes": 8,
                     "workload.algorithm": "reduce-broadcast"}
        edges = {"workload.kind": "kernel", "workload.name": "bfs", "workload.edges": 2**16}
        return {ALLREDUCES: reduction, **({EDGES: edges} if tasks == pes == 256 else {})}
    if (tasks, pes) != (256, 256):
        return {}
    if application == "RandomAccess":
        return {RECORDED: {"workload.kind": "trace", "workload.path": "random-access-64.trc.xz",
                           "placement.policy": "random"}}
    return {SCATTERED: {**workload(application, tasks), "placement.policy": "random"}}


def cases(quick):
    return () if quick else CASES


def name(application, tasks, pes, kind, reading=""):
    return f"{application}, {tasks} tasks, {kind}, {pes}" + (f", {reading}" if reading else "")


def runs(quick):
    found = {}
    for application in APPLICATIONS:
        for tasks, pes in cases(quick):
            for kind in networks.NETWORKS:
                keys = {
                    **networks.network(kind, pes), **networks.classes(kind), "workload.tasks_per_node": tasks // pes}
                found[name(application, tasks, pes, kind)] = Run("applications.toml", {
                    **keys, **workload(application, tasks)})
                for reading, settings in others(application, tasks, pes).items():
                    found[name(application, tasks, pes, kind, reading)] = Run(
                        "applications.toml", {**keys, **settings})
    return found


def lower(found, application, tasks, pes, measure, kind="5DT", than="3D", reading=""):
    """By how many per cent a measure is lower on one network than on another."""
    value = {each: found[name(application, tasks, pes, each, reading)][MEASURES[measure]] for each in (kind, than)}
    return 100 * (1 - value[kind] / value[than])


def rows(found, quick, published):
    least, most = published["applications"]["lower"]
    gains = {}
    for application in APPLICATIONS:
        for tasks, pes in cases(quick):
            where = f"{application}, {tasks} tasks, {pes}"
            for measure in MEASURES:
                for reading in ("", *others(application, tasks, pes)):
                    gain = lower(found, application, tasks, pes, measure, reading=reading)
                    if not reading:
                        gains[application, tasks, pes, measure] = gain
                    if application == "NAMD":
                        holds, words = gain > 0, "lower"
                    else:
                        holds, words = least <= gain <= most, f"{least} to {most} % lower"
                    row = claim(f"{where}: {measure} on 5DT, % lower than 3D", words, {"": gain}, holds, form=".1f",
                                tolerance="sign" if application == "NAMD" else "range", why=WHY[application])
                    yield read_as(reading, row)
                    if not reading and row.inside is False:
                        yield from witnesses(found, published, application, pes, measure, row.what, gain)
            for reading in ("", *others(application, tasks, pes)):
                for row in adaptive(found, application, tasks, pes, where, reading):
                    yield read_as(reading, row)
    if gains:
        yield from beside_each_other(gains, cases(quick))
        # "up to [...] 50%"
        yield figure(
            "traces: most that 5DT gains, %", published["traffic"]["up_to"]["traces"],
            ends(gains.values())[1], within=5, form=".1f", why=WHY["Graph500"])


def witnesses(found, published, application, pes, measure, what, gain):
    """What else says how much a measure is lower on the 5DT."""
    if application == "RandomAccess" and measure != "router utilisation":
        yield evidence("uniform traffic before saturation, as published", figure(
            what, published["traffic"]["lower"][networks.PES.index(pes)], gain, within=5, form=".1f"))
    elif application == "RandomAccess":
        passed = {kind: 1 + found[traffic.name("uniform", kind, pes, traffic.LOAD)]["distance.mean"]
                  for kind in ("3D", "5DT")}
        yield evidence("routers that a packet of uniform traffic passes", figure(
            what, 100 * (1 - passed["5DT"] / passed["3D"]), gain, within=5, form=".1f"))
    elif application == "Graph500" and measure == "router utilisation":
        # Table II: 22 cycles and 32 for each link; a router more than links.
        latencies = [each[networks.PES.index(pes)] for each in published["latencies"]["broadcast, 16"]]
        torus, twin = (1 + (latency - 22) / 32 for latency in latencies)
        yield evidence("routers that a message of the published broadcasts passes (Table II)", figure(
            what, 100 * (1 - twin / torus), gain, within=10, form=".1f"))


def adaptive(found, application, tasks, pes, where, reading):
    """What the text says of the adaptive 3D torus: of Graph500 "The adaptive routing also increases the 3D torus
    performance [...] Nevertheless, the deterministic 5DT torus obtains a greater performance"; of RandomAccess "(both
    average end-to-end latency and router utilization metrics are reduced), although the network latency is increased
    [...] However, the deterministic 5DT torus improves again"."""
    if application == "NAMD":
        return
    to_3d, over = (
        {measure: lower(found, application, tasks, pes, measure, *pair, reading) for measure in MEASURES}
        for pair in ((networks.ADAPTIVE, "3D"), ("5DT", networks.ADAPTIVE)))
    network, end, use = to_3d.values()
    if application == "Graph500":
        words, holds = "lower in all three", min(to_3d.values()) > 0
    else:
        words, holds = "network latency higher, the others lower", network < 0 < min(end, use)
    yield claim(f"{where}: adaptive 3D, % lower than 3D", words, to_3d, holds, form=".1f", why=WHY[application])
    yield claim(f"{where}: 5DT, % lower than adaptive 3D", "lower in all three", over, min(over.values()) > 0,
                form=".1f", why=WHY[application])


def beside_each_other(gains, where):
    """"Using the NAMD traces, the performance is also improved, although the differences are less significant"."""
    for tasks, pes in where:
        means = {application: sum(gains[application, tasks, pes, measure] for measure in MEASURES) / len(MEASURES)
                 for application in APPLICATIONS}
        yield claim(
            f"{tasks} tasks, {pes}: mean of the three measures on 5DT, % lower than 3D", "NAMD less than the others",
            means, means["NAMD"] < min(means["Graph500"], means["RandomAccess"]), form=".1f", tolerance="order",
            why=WHY["NAMD"])
