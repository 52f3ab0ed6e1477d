"""Figures 12 to 14: what applications send, on 3D and 5D twin tori. None of the paper's traces is here (those of its
web site are no part of weft): Graph500's collective operations as the paper tells them (graph500.py), RandomAccess as
waves of random messages of the length that hpcc's buckets have (and as recorded from hpcc on 64 tasks), and for NAMD
the exchanges of another program of molecular dynamics, LAMMPS, in a grid of tasks (and of NAMD's patches, extoll_namd).
A reading is what it sets otherwise, with "; " between."""

import math
from dataclasses import replace

import extoll_networks as networks
import extoll_traffic as traffic
from extoll_namd import trace
from weft.study import Run, claim, ends, evidence, figure, read_as

CASES = ((256, 256), (512, 256), (1024, 256), (512, 512), (1024, 512), (1024, 1024))  # tasks, processing elements
MEASURES = {
    "network latency": "latency.cell_network_mean", "end-to-end latency": "latency.cell_mean",
    "router utilisation": "router_utilisation.cycles"}
UTILISATION = "router utilisation"
APPLICATIONS = ("Graph500", "RandomAccess", "NAMD")
CELL_BYTES = 16
#: The largest of P - 1 buckets of 1,024 updates of 8 bytes together, in the mean, where hpcc sends one (worked out
#: bucket by bucket: of 64 tasks 6,284 messages of 164 bytes; recorded 5,627 of 182, and of the LCG form 6,259 of 165).
BUCKET_BYTES = {256: 72, 512: 40, 1024: 24}
WAVE = 64  # messages of a task
#: Atoms of a task: STMV has 1,066,628. Halos of 12 Angstrom are 6 atoms deep.
BLOCKS = {256: [16, 16, 16], 512: [16, 16, 8], 1024: [16, 8, 8]}
RECORDED, EDGES = "hpcc recorded on 64 tasks, at random places", "edges sent to their owners (kernel bfs)"
EDGES_OF_ALL = 2**24
ALLREDUCES = "its allreduces alone, 8 bytes"
SCATTERED = "tasks at random places"
#: The messages of the program itself, not those of LAMMPS: "the tasks communicate mainly with the neighbour tasks".
PATCHES = "NAMD's patches, dealt out by recursive bisection"
#: "The network throughput is increased" (RandomAccess, adaptive torus): more messages than fill the network.
LONG, LONG_WAVE = "1,024 messages of a processing element", 1024
#: More than twice what the buffers of an element hold, so that they fill.
FULL, FULL_CELLS = "10,240 cells of a processing element", 10_240
#: End-to-end latency counts "from the moment the cell is generated in the EXTOLL NIC": what waits there, and not in the
#: network, which holds less.
IN_NICS, NIC_PACKETS, BUFFERS = "255 packets wait in a NIC, a quarter of the buffers", 255, 0.25
#: What Tables II and III fit: which way packets take round half a ring and which classes are used is not published.
TIES_UP, ONE_CLASS = traffic.TIES_UP, traffic.ONE_CLASS
AS_IN_TABLES = f"{TIES_UP}; {ONE_CLASS}"
#: Readings of all applications together.
OF_ALL = {
    "": dict.fromkeys(APPLICATIONS, ""), PATCHES: {**dict.fromkeys(APPLICATIONS, ""), "NAMD": PATCHES},
    f"{PATCHES}; {AS_IN_TABLES}": {
        **dict.fromkeys(APPLICATIONS, AS_IN_TABLES), "NAMD": f"{PATCHES}; {AS_IN_TABLES}"}}
#: "It shows how much time the resources are used to perform the same workload", "the network requires a lower time for
#: performing the same work".
TIME, TIME_KEY = "time to the last message", "tasks.finish_cycles_max"
WHY = {
    "Graph500": "sizes of messages, and what is computed between them, are not published; routers are busy for as many "
        "links as the broadcasts of Table II take, which are no fewer on the 5DT of 256 elements",
    "RandomAccess": "gains are those of uniform traffic, which the text says these messages are very close to; how "
        "many follow one another, which is not published, moves them from 4 to 62 %",
    "NAMD": "this is not NAMD: LAMMPS' exchanges have no load balancing, and its grid of tasks is that of the torus; "
        "the patches of NAMD itself are near to each other in an order that is not the torus'"}
WHY_ADAPTIVE = {
    "Graph500": "the port of task 0 limits these gathers, and what comes on more paths waits longer for it; edges that "
        "all send to all gain in all three",
    "RandomAccess": "an adaptive channel takes packets out of each other's way: ties, classes and more messages were "
        "tried, and network latency is higher (0.3 %, 256 tasks) only with 1,024 messages of an element, 255 packets "
        "in a NIC and a quarter of the buffers"}


def workload(application, tasks):
    if application == "Graph500":
        return {"workload.kind": "trace", "workload.path": f"graph500-{tasks}.trc.xz"}
    if application == "RandomAccess":
        return {"workload.kind": "kernel", "workload.name": "random-exchange", "workload.exchange": "waves",
                "workload.wave_messages": WAVE * tasks, "workload.repetitions": 1,
                "workload.message_bytes": BUCKET_BYTES[tasks]}
    return {"workload.kind": "kernel", "workload.name": "lammps", "workload.block": BLOCKS[tasks], "workload.width": 6,
            "workload.reduction_steps": 1, "workload.repetitions": 1}


def readings(application, tasks, pes):
    """Other readings of an application."""
    first = (tasks, pes) == (256, 256)
    if application == "Graph500":
        return [ALLREDUCES, EDGES, TIES_UP, AS_IN_TABLES]
    if application == "RandomAccess":
        many = [LONG, f"{LONG}; {ONE_CLASS}", f"{LONG}; {AS_IN_TABLES}", f"{LONG}; {IN_NICS}"] if tasks < 1024 else []
        full = [f"{FULL}; {IN_NICS}"] if tasks < 1024 and pes == 256 else []
        return [*([RECORDED] if first else []), TIES_UP, AS_IN_TABLES, *many, *full]
    return [*([SCATTERED] if first else []), PATCHES, f"{PATCHES}; {AS_IN_TABLES}"]


def setup(application, tasks, pes, kind, reading):
    """The settings of a run, and the file that it needs beside those of the study."""
    own = reading.split("; ")
    keys = {**networks.network(kind, pes, "up" if TIES_UP in own else "random"),
            **(networks.one_class if ONE_CLASS in own else networks.classes)(kind),
            "workload.tasks_per_node": tasks // pes}
    if PATCHES in own:
        return {**keys, "workload.kind": "trace", "workload.path": trace(tasks)}, trace(tasks)
    if ALLREDUCES in own:
        keys |= {"workload.kind": "collective", "workload.name": "allreduce", "workload.message_bytes": 8,
                 "workload.algorithm": "reduce-broadcast"}
    elif EDGES in own:
        keys |= {"workload.kind": "kernel", "workload.name": "bfs", "workload.edges": EDGES_OF_ALL // tasks}
    elif RECORDED in own:
        keys |= {"workload.kind": "trace", "workload.path": "random-access-64.trc.xz", "placement.policy": "random"}
    else:
        keys |= workload(application, tasks)
    if LONG in own:
        keys["workload.wave_messages"] = LONG_WAVE * pes
    if FULL in own:
        keys["workload.wave_messages"] = FULL_CELLS // math.ceil(BUCKET_BYTES[tasks] / CELL_BYTES) * pes
    if IN_NICS in own:
        keys["router.injection_queue_packets"] = NIC_PACKETS
        keys["router.buffer_cells"] = round(BUFFERS * keys["router.buffer_cells"])
    if SCATTERED in own:
        keys["placement.policy"] = "random"
    return keys, ""


def cases(quick):
    return () if quick else CASES


def name(application, tasks, pes, kind, reading=""):
    """Of a run: the 5DT has rules of its own for ties."""
    own = [each for each in reading.split("; ") if each and (kind, each) != ("5DT", TIES_UP)]
    return f"{application}, {tasks} tasks, {kind}, {pes}" + "".join(f", {each}" for each in own)


def runs(quick):
    found = {}
    for application in APPLICATIONS:
        for tasks, pes in cases(quick):
            for kind in networks.NETWORKS:
                for reading in ("", *readings(application, tasks, pes)):
                    settings, path = setup(application, tasks, pes, kind, reading)
                    found.setdefault(name(application, tasks, pes, kind, reading), Run(
                        "applications.toml", settings, input_path=path))
    return found


def lower(found, application, tasks, pes, measure, kind="5DT", than="3D", reading="", by_time=False):
    """By how many per cent a measure is lower on one network than on another."""
    key = TIME_KEY if by_time and measure == UTILISATION else MEASURES[measure]
    value = {each: found[name(application, tasks, pes, each, reading)][key] for each in (kind, than)}
    return 100 * (1 - value[kind] / value[than])


def rows(found, quick, published):
    gains = {}
    for application in APPLICATIONS:
        for tasks, pes in cases(quick):
            for measure in MEASURES:
                yield from measured(found, published, gains, application, tasks, pes, measure)
            for by_time in (False, True):
                for reading in ("", *readings(application, tasks, pes)):
                    for row in adaptive(found, application, tasks, pes, reading, by_time):
                        yield read_as(*words(reading, by_time, row))
    if gains:
        yield from beside_each_other(gains, cases(quick))
        # "up to [...] 50%"
        for reading, of in OF_ALL.items():
            most = ends(gains[application, *each, measure, of[application]] for application in APPLICATIONS
                        for each in cases(quick) for measure in MEASURES)[1]
            yield read_as(reading, figure(
                "traces: most that 5DT gains, %", published["traffic"]["up_to"]["traces"], most, within=5, form=".1f",
                why="" if reading else WHY["NAMD"]))


def words(reading, by_time, row):
    """The arguments of read_as; of other readings there is no why."""
    reading = "; ".join([each for each in (reading, TIME if by_time else "") if each])
    return reading, replace(row, reason="") if reading else row


def measured(found, published, gains, application, tasks, pes, measure):
    """How much a measure is lower on the 5DT, by reading."""
    least, most = published["applications"]["lower"]
    for by_time in (False, True) if measure == UTILISATION else (False,):
        for reading in ("", *readings(application, tasks, pes)):
            gain = lower(found, application, tasks, pes, measure, reading=reading, by_time=by_time)
            if not by_time:
                gains[application, tasks, pes, measure, reading] = gain
            sign = application == "NAMD"
            row = claim(
                f"{application}, {tasks} tasks, {pes}: {measure} on 5DT, % lower than 3D",
                "lower" if sign else f"{least} to {most} % lower", {"": gain},
                gain > 0 if sign else least <= gain <= most, form=".1f", tolerance="sign" if sign else "range",
                why=WHY[application])
            yield read_as(*words(reading, by_time, row))
            if not reading and not by_time and row.inside is False:
                yield from witnesses(found, published, application, pes, measure, row.what, gain)


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


def adaptive(found, application, tasks, pes, reading, by_time):
    """What the text says of the adaptive 3D torus: of Graph500 "The adaptive routing also increases the 3D torus
    performance [...] Nevertheless, the deterministic 5DT torus obtains a greater performance"; of RandomAccess "(both
    average end-to-end latency and router utilization metrics are reduced), although the network latency is increased
    [...] However, the deterministic 5DT torus improves again"."""
    if application == "NAMD":
        return
    where = f"{application}, {tasks} tasks, {pes}"
    to_3d, over = (
        {measure: lower(found, application, tasks, pes, measure, *pair, reading, by_time) for measure in MEASURES}
        for pair in ((networks.ADAPTIVE, "3D"), ("5DT", networks.ADAPTIVE)))
    network, end, use = to_3d.values()
    if application == "Graph500":
        said, holds = "lower in all three", min(to_3d.values()) > 0
    else:
        said, holds = "network latency higher, the others lower", network < 0 < min(end, use)
    yield claim(f"{where}: adaptive 3D, % lower than 3D", said, to_3d, holds, form=".1f", why=WHY_ADAPTIVE[application])
    yield claim(f"{where}: 5DT, % lower than adaptive 3D", "lower in all three", over, min(over.values()) > 0,
                form=".1f", why=WHY_ADAPTIVE[application])


def beside_each_other(gains, where):
    """"Using the NAMD traces, the performance is also improved, although the differences are less significant"."""
    for tasks, pes in where:
        for reading, of in OF_ALL.items():
            means = {application: sum(gains[application, tasks, pes, measure, of[application]] for measure in MEASURES)
                     / len(MEASURES) for application in APPLICATIONS}
            yield read_as(reading, claim(
                f"{tasks} tasks, {pes}: mean of the three measures on 5DT, % lower than 3D",
                "NAMD less than the others", means, means["NAMD"] < min(means["Graph500"], means["RandomAccess"]),
                form=".1f", tolerance="order", why="" if reading else WHY["NAMD"]))
