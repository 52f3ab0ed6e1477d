"""Figures 7 to 10: accepted traffic and latency over the offered load, uniform and Zipf destinations. Of their curves
the document has what its text says; the pictures are not in it."""

from dataclasses import replace

import extoll_networks as networks
from extoll_zipf import matrix
from weft.study import Run, claim, ends, evidence, figure, read_as

LOAD = 0.1
UNIFORM = {256: (0.3, 0.5, 0.7, 0.9, 1.0), 512: (0.5, 0.7, 1.0), 1024: (0.5, 1.0), 2048: ()}
ZIPF = {256: (0.1, 0.5, 1.0), 512: (0.5, 1.0), 1024: (1.0,), 2048: ()}
#: Below what the most wanted element takes, H / N.
ZIPF_LOW = {256: 0.01, 512: 0.005, 1024: 0.0025, 2048: 0.00125}
OWN_ORDER_LOADS = (0.7, 1.0)
ONE_CLASS_LAST = 2  # of the loads
#: Of loads above LOAD.
SHORTER = {"measure.max_warmup_cycles": 8000, "measure.batches": 2}
SEEDS, SEEDS_LOAD, SEEDS_PES = 30, 0.5, 256
TEXT, ONE_CLASS, OWN_ORDER = "", "one class, 4 KiB for each channel", "each sender has an order of its own"
BY_PATTERN = "20 % with uniform, 12 % with Zipf traffic"
AT_FULL = "at an offered load of 1, not the most of any load"
TIES_UP, TIES_UP_LOADS = "ties up", (0.5, 1.0)
#: With one order for all the port of the most wanted element alone limits what a network accepts, once queues are full.
FULL_QUEUES = "one order, measured after 60,000 cycles"
LONG_RUN = {"measure.warmup_cycles": 60_000, "measure.max_warmup_cycles": 64_000, "measure.batches": 2}
LEFT_OPEN = "from the least to the most of what is left open (classes, buffers, ties, load)"
ORDER_OPEN = "from the least to the most of what is left open (the order of destinations, load, cycles)"
PACKETS = "latency of packets, from their generation"
RELATIVE = "in per cent of the 3D torus"
NETWORK, WHOLE = "latency.cell_network_mean", "latency.mean"
WHY_GAIN = "the 3D torus accepts more here: buffers, ties and the division of a hop's cycles are not published"
WHY_LATENCY = "the text says which latency by \"average cell latency\" alone"
WHY_ZIPF = "one element is wanted by all here, and its port is what limits the traffic; the order is not published"


def sizes(quick):
    return [256, 512] if quick else list(networks.PES)


def low(pattern, pes):
    return LOAD if pattern == "uniform" else ZIPF_LOW[pes]


def loads(pattern, pes):
    """Above the low one."""
    return (UNIFORM if pattern == "uniform" else ZIPF)[pes]


def name(pattern, kind, pes, load, reading=TEXT):
    return f"{pattern}, {kind}, {pes}, {load}" + (f", {reading}" if reading else "")


def run(pattern, kind, pes, load, reading=TEXT, **more):
    classes = (networks.one_class if reading == ONE_CLASS else networks.classes)(kind)
    ties = "up" if reading == TIES_UP else "random"
    keys = {
        **networks.network(kind, pes, ties), **classes, "workload.offered_load": load,
        **(LONG_RUN if reading == FULL_QUEUES else SHORTER if load > LOAD else {})}
    if reading == OWN_ORDER:
        path = matrix(pes)
        keys |= {"workload.pattern": "matrix", "workload.matrix_path": path}
        return Run("traffic.toml", keys, input_path=path)
    return Run("traffic.toml", {**keys, "workload.pattern": pattern, **more})


def runs(quick):
    found = {}

    def add(*words, **more):
        found[name(*words)] = run(*words, **more)

    for pes in sizes(quick):
        for kind in ("3D", "5DT") if quick else networks.NETWORKS:
            for pattern in ("uniform",) if quick else ("uniform", "zipf"):
                for load in (low(pattern, pes), *(() if quick else loads(pattern, pes))):
                    add(pattern, kind, pes, load)
    if not quick:
        for kind in networks.NETWORKS:
            for pes in (256, 512, 1024):
                for load in loads("uniform", pes)[-ONE_CLASS_LAST:]:
                    add("uniform", kind, pes, load, ONE_CLASS)
                for load in TIES_UP_LOADS if kind != "5DT" else ():  # which has rules of its own for ties
                    add("uniform", kind, pes, load, TIES_UP)
                for load in OWN_ORDER_LOADS:
                    add("zipf", kind, pes, load, OWN_ORDER)
                add("zipf", kind, pes, 1.0, FULL_QUEUES)
            found[seeds_name(kind)] = run("uniform", kind, SEEDS_PES, SEEDS_LOAD, **{"measure.seeds": SEEDS})
    return found


def seeds_name(kind):
    return f"uniform, {kind}, {SEEDS_PES}, {SEEDS_LOAD}, {SEEDS} seeds"


def accepted(found, pattern, kind, pes, reading=TEXT):
    """By offered load."""
    chosen = loads(pattern, pes)
    if reading == TIES_UP and kind == "5DT":
        reading = TEXT
    if reading:
        some = {OWN_ORDER: OWN_ORDER_LOADS, TIES_UP: TIES_UP_LOADS, FULL_QUEUES: (1.0,)}
        chosen = some.get(reading, chosen[-ONE_CLASS_LAST:])
    else:
        chosen = (low(pattern, pes), *chosen)
    return {load: found[name(pattern, kind, pes, load, reading)]["load.accepted"] for load in chosen}


def most(found, pattern, kind, pes, reading=TEXT):
    return ends(accepted(found, pattern, kind, pes, reading).values())[1]


def rows(found, quick, published):
    yield from latencies(found, quick, published)
    if quick:
        return
    for pattern in ("uniform", "zipf"):
        for pes in networks.PES:
            if loads(pattern, pes):
                yield from curves(found, pattern, pes)
    yield from gains(found, published["traffic"])
    yield from maxima(found, published["traffic"])
    yield from adaptive(found)
    yield from intervals(found)


def latencies(found, quick, published):
    """Before saturation, "regardless the traffic pattern used"."""
    for pattern in ("uniform",) if quick else ("uniform", "zipf"):
        for pes, lower in zip(sizes(quick), published["traffic"]["lower"]):
            load = low(pattern, pes)

            def row(measure):
                value = {kind: found[name(pattern, kind, pes, load)][measure] for kind in ("3D", "5DT")}
                return figure(
                    f"{pattern}, load {load}, {pes}: latency lower on 5DT, %", lower,
                    100 * (1 - value["5DT"] / value["3D"]), within=3, form=".1f", why=WHY_LATENCY)

            text = row(NETWORK)
            yield text
            if text.inside is False:
                yield read_as(PACKETS, row(WHOLE))


def curves(found, pattern, pes):
    """The text: "the 5DT torus obtains a better performance", it "saturates later"; "the accepted traffic decreases
    significantly after the network saturates" where rings are long, and "the 5DT torus is not affected by this"."""
    curve = {kind: accepted(found, pattern, kind, pes) for kind in networks.NETWORKS}
    why = WHY_ZIPF if pattern == "zipf" else WHY_GAIN
    at = {f"{kind} {load:g}": value for kind in ("3D", "5DT") for load, value in curve[kind].items()}
    better = all(curve["5DT"][load] > 0.99 * curve["3D"][load] for load in curve["3D"]) and (
        max(curve["5DT"].values()) > max(curve["3D"].values()))
    yield claim(f"{pattern}, {pes}: accepted over load", "5DT more than 3D, beyond saturation", at, better, why=why)
    if pattern == "uniform":
        for kind in ("3D", "5DT"):
            falls = kind == "3D" and pes == 1024
            share = curve[kind][1.0] / max(curve[kind].values())
            yield claim(f"{pattern}, {pes}, {kind}: beyond saturation", "falls" if falls else "stays",
                        {"at 1, of the most": share}, (share < 0.9) == falls, why=why)


def gains(found, given):
    for pattern in ("uniform", "zipf"):
        for place, pes in enumerate((256, 512)):
            what = f"{pattern}, {pes}: more throughput on 5DT, %"

            def row(reading=TEXT, at=None, share=given["gain"][place]):
                torus, twin = (
                    accepted(found, pattern, kind, pes, reading)[at] if at else most(found, pattern, kind, pes, reading)
                    for kind in ("3D", "5DT"))
                return figure(what, share, 100 * (twin / torus - 1), within=5, form=".1f",
                              why=WHY_ZIPF if pattern == "zipf" else WHY_GAIN)

            yield row()
            if row().inside is False:
                yield read_as(BY_PATTERN, row(share=given["gain"][pattern == "zipf"]))
                yield read_as(AT_FULL, row(at=1.0))
                other = ONE_CLASS if pattern == "uniform" else OWN_ORDER
                more = [row(other), row(other, at=1.0)]
                yield from map(read_as, (other, f"{other}; {AT_FULL}"), more)
                if pattern == "uniform":
                    up = row(TIES_UP)
                    yield read_as(TIES_UP, up)
                    yield among(what, given["gain"][place], [row(), *more, up])


def among(what, given, lines):
    shown = [float(line.simulated) for line in lines if line.is_run]
    return networks.among(LEFT_OPEN, what, f"{given}", given, shown, ".1f")


def maxima(found, given):
    for kind, share in given["maximum"].items():
        what = f"uniform, 1024, {kind}: accepted, % of the maximum"
        row = figure(what, share, 100 * most(found, "uniform", kind, 1024), within=5, form=".1f", why=WHY_GAIN)
        yield row
        if row.inside is False:
            lines = [row]
            for reading, value in (
                    (AT_FULL, accepted(found, "uniform", kind, 1024)[1.0]),
                    (ONE_CLASS, most(found, "uniform", kind, 1024, ONE_CLASS)),
                    (f"{ONE_CLASS}; {AT_FULL}", accepted(found, "uniform", kind, 1024, ONE_CLASS)[1.0]),
                    (TIES_UP, most(found, "uniform", kind, 1024, TIES_UP))):
                lines.append(figure(what, share, 100 * value, within=5, form=".1f"))
                yield read_as(reading, lines[-1])
            if not any(line.inside for line in lines):
                yield among(what, share, lines)
    pairs = {(pattern, pes): [most(found, pattern, kind, pes) for kind in ("3D", "5DT")]
             for pattern in ("uniform", "zipf") for pes in networks.PES if loads(pattern, pes)}
    what = "traffic: most that 5DT gains, % of the maximum"
    gain = ends(twin - torus for torus, twin in pairs.values())[1]
    row = figure(what, given["up_to"]["synthetic"], 100 * gain, within=5, form=".1f", why=WHY_GAIN)
    yield row
    if row.inside is False:
        gain = ends(twin / torus - 1 for torus, twin in pairs.values())[1]
        yield read_as(RELATIVE, figure(what, given["up_to"]["synthetic"], 100 * gain, within=5, form=".1f"))


def adaptive(found):
    """The text: "the 3D torus performance is improved using an adaptive routing, but the 3D torus only obtains a
    similar throughput than the 5DT torus under Zipf traffic pattern. In any case, the 3D torus network latency is still
    higher when the network is not saturated"."""
    for pattern in ("uniform", "zipf"):
        for pes in networks.PES:
            latency = {kind: found[name(pattern, kind, pes, low(pattern, pes))][NETWORK]
                       for kind in (networks.ADAPTIVE, "5DT")}
            yield claim(f"{pattern}, load {low(pattern, pes)}, {pes}: latency of adaptive 3D", "above 5DT", latency,
                        latency[networks.ADAPTIVE] > latency["5DT"], form=".1f", why=WHY_LATENCY)
            if not loads(pattern, pes):
                continue
            yield from adaptive_accepts(found, pattern, pes)


def adaptive_accepts(found, pattern, pes):
    """The most of any load, and where it is not as published under other readings."""
    why = WHY_ZIPF if pattern == "zipf" else WHY_GAIN

    def value_of(kind, reading):
        return accepted(found, pattern, kind, pes)[1.0] if reading == AT_FULL else most(
            found, pattern, kind, pes, reading)

    def ratio(reading):
        return value_of(networks.ADAPTIVE, reading) / value_of("5DT", reading)

    def lines(reading=TEXT):
        value = {kind: value_of(kind, reading) for kind in networks.NETWORKS}
        adaptive_3d, torus, twin = (value[kind] for kind in (networks.ADAPTIVE, "3D", "5DT"))
        similar = abs(adaptive_3d / twin - 1) < 0.1
        return (
            claim(f"{pattern}, {pes}: accepted by adaptive 3D", "more than 3D", value, adaptive_3d > torus, why=why),
            claim(f"{pattern}, {pes}: adaptive 3D and 5DT", "similar" if pattern == "zipf" else "5DT more", value,
                  similar if pattern == "zipf" else twin > adaptive_3d and not similar, tolerance="10 %", why=why))

    others = (AT_FULL, OWN_ORDER, FULL_QUEUES) if pattern == "zipf" else (TIES_UP, ONE_CLASS)
    for place, row in enumerate(lines()):
        yield row
        if row.inside is not False:
            continue
        more = [read_as(reading, replace(lines(reading)[place], reason="")) for reading in others]
        yield from more
        if pattern == "zipf" and place and not any(line.inside for line in more):
            shares = [ratio(reading) for reading in ("", *others)]
            yield networks.among(ORDER_OPEN, row.what, "similar: 1, adaptive 3D of 5DT", 1.0, shares, ".2f")


def intervals(found):
    """The text: "Each test consists of 30 different experiments", "We have also computed the confidence interval at
    95%, but these intervals are imperceptible in the charts"."""
    for kind in networks.NETWORKS:
        over = found[seeds_name(kind)]
        half = {what: 100 * over[f"over_seeds.{key}.ci95"] / over[f"over_seeds.{key}.mean"]
                for what, key in (("accepted", "accepted_load"), ("latency", "latency_mean"))}
        yield claim(f"{seeds_name(kind)}: half the interval of 95 %, % of the mean", "imperceptible", half,
                    max(half.values()) < 1, form=".2f", tolerance="1 %",
                    why="a run measures 4,000 cycles; how long the paper's are is not published")
