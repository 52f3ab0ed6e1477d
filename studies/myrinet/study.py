"""Four schemes by which NICs choose one of 16 routes: random bisections of the first nodes (Figs. 2 to 6), all nodes of
a line card with another's (Fig. 7), a pair alone, thresholds and probabilities, kernels of applications. Thresholds are
the published ones (4, and 16 with probing). What the text leaves open is read otherwise in rows of their own."""

import functools
import math
import random
import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from weft.study import Run, claim, ends, evidence, figure, published, read_as, tried

PUBLISHED = published(__file__)
SCHEMES = ("static", "random", "adaptive", "probing")
SIZES = (16, 32, 64, 128, 256, 512)
CARD = 16
MESSAGES, FEW = 50, 10
TEXT, ROW, FITTED, EVERY, FREELY, BUFFERS, HELD, SLOW_PROBES, WIDE, LONG, DRAWN, LOCAL, FOREIGN = (
    "the text", "blocked packets in a row", "a threshold of 63", "a change every time: 0, 100 %",
    "neither of a pair waits for the other", "buffers of four packets", "flow control holds a pair to 1,090 MiB/s",
    "a probe takes 4 us there and back", "groups of n = 32 nodes", "200 messages in place of 50",
    "nodes drawn among all 512", "of 5,000 patterns that with most pairs within a line card",
    "of 5,000 patterns that with fewest such pairs")
#: Settings of each reading, with what the paper says or leaves open.
READINGS = {
    TEXT: {},
    # 4.2.1: "a series of packets": "the dispersion is enabled only after the number of blocked packets exceeds a
    # specified threshold".
    ROW: {"nic.dispersion_count": "row"},
    # No reading: fitted to the published figures of probing.
    FITTED: {"nic.dispersion_threshold": 63},
    # 5.3: "the adaptive routing scheme which changes routes every time a contention is sensed".
    EVERY: {"nic.dispersion_threshold": 0, "nic.dispersion_percent": 100},
    # 5.2: "every node begins to receive and send data from/to its designated peer in a non-blocking way".
    FREELY: {"workload.message_bytes": MESSAGES << 20, "workload.repetitions": 1},
    # 4.2.1: buffers are "large enough to contain a full 4KB packet": at least one.
    BUFFERS: {"router.buffer_cells": 4 * 257 + 13},
    # 5.3: a pair alone gets 1,090 MiB/s of the 1,187 that links carry; where that is lost is not said. Here NICs are
    # stopped once a packet on free routes, too: links of nodes so long that credits come back too late.
    HELD: {"router.flow_control": "credits", "link.node.latency_cycles": 146},
    # 4.4.1: "in the order of 4 us".
    SLOW_PROBES: {"link.latency_cycles": 29, "router.buffer_cells": 320},
    # 5.4: "on a Clos of n-port crossbars, nodes [0:n-1] are paired with nodes [n:2n-1]": two line cards of 16 of the
    # 32-port crossbars with two others, pairs drawn.
    WIDE: {},
    # 4.4.2: "breaking a local optimum is costly in term of packets, and would require very large messages".
    LONG: {},
    # 5.3: "measurements from 16 to 512 nodes" of the 512: which of them is not said; other rows have the first ones.
    DRAWN: {"placement.policy": "random"},
    # 5.2: "We measured 5000 different patterns for each configuration": pairs are drawn as there, by the Mersenne
    # Twister. Pairs within a line card meet nobody.
    LOCAL: {},
    FOREIGN: {},
}
PATTERNS = 5000
THRESHOLDS, PERCENTS = (0, 4, 8, 16), (50, 100)
KERNELS = {
    "milc": {"workload.shape": [4, 4, 4, 2], "workload.repetitions": 10},
    "stencil": {"workload.shape": [8, 4, 4], "workload.repetitions": 2},
    "hacc": {"workload.shape": [8, 4, 4], "workload.repetitions": 1},
    "fft": {"workload.shape": [16, 8], "workload.repetitions": 10},
    "distribution": {"workload.tasks": 128, "workload.message_bytes": 1 << 17, "workload.repetitions": 1},
}
WHY_RANDOM = "how a NIC takes in packets and how large buffers are is left open; see the other readings"
WHY_STATIC = (
    "random is above static at all numbers of nodes, and where nobody waits for the other; of 32 nodes that is what "
    "counting says, too; packets in slots (slots.py), with one packet a buffer, have it 2 or 3 points below at 64 and "
    "128 nodes")
WHY_PROBING = "NICs look for routes the more seldom the better; what counts as a blocked packet is left open"
WHY_ADAPTIVE = "adaptive NICs find free routes here, and stay on them, as nothing stops them there"
WHY_BRIDGE = "each direction has a route of its own, and a pair waits for the slower (evidence)"
WHY_ALONE = (
    "links of 10 Gb/s carry 1,187 MiB/s of packets with their headers; what hosts and firmware take is not simulated")


@dataclass(frozen=True)
class Case:
    """Patterns with the seeds 1 to `patterns`."""

    pattern: str
    nodes: int
    scheme: str
    reading: str = TEXT
    patterns: int = 1
    messages: int = MESSAGES
    more: tuple = ()

    def names(self):
        more = "".join(f", {key.rpartition('_')[2]} {value}" for key, value in self.more)
        first = f"{self.pattern}, {self.nodes}, {self.scheme}{more}, {self.reading}, {self.messages} messages"
        return [f"{first}, seed {seed}" for seed in range(1, self.patterns + 1)]

    def settings(self, seed):
        found = {"workload.tasks": self.nodes, "nic.dispersion": self.scheme, "workload.repetitions": self.messages,
                 "simulation.seed": seed, **READINGS[self.reading], **dict(self.more)}
        if self.pattern == "bridge":
            found["workload.name"] = "bridge"
        if self.reading == WIDE:
            found |= {"workload.name": "pairs", "workload.pairs": wide_pairs(self.nodes, seed)}
        if self.reading in (LOCAL, FOREIGN):
            found |= {"workload.name": "pairs", "workload.pairs": extreme_pairs(self.nodes, self.reading == LOCAL)}
        return found


def wide_pairs(nodes, seed):
    draw, pairs = random.Random(seed), []
    for first in range(0, nodes, 4 * CARD):
        others = range(first + 2 * CARD, first + 4 * CARD)
        pairs += [node for pair in zip(range(first, first + 2 * CARD), draw.sample(others, 2 * CARD)) for node in pair]
    return pairs


@functools.cache
def extreme_pairs(nodes, is_most):
    """Of PATTERNS bisections that with most or fewest pairs within a line card."""
    chosen, best = [], None
    for seed in range(1, PATTERNS + 1):
        pairs = random.Random(seed).sample(range(nodes), nodes)
        local = sum(a // CARD == b // CARD for a, b in zip(pairs[::2], pairs[1::2], strict=True))
        if best is None or (local > best if is_most else local < best):
            chosen, best = pairs, local
    return chosen


def messages(nodes):
    """50, as published; of the largest sizes what is affordable."""
    return MESSAGES if nodes < 256 else FEW


def cases(quick):
    if quick:
        return [
            *(Case("bisect", 128, scheme, messages=20) for scheme in SCHEMES),
            Case("bisect", 128, "probing", ROW, messages=20),
            *(Case("bisect", 512, scheme, messages=3) for scheme in ("static", "random")),
            *(Case("bridge", 32, scheme) for scheme in SCHEMES),
            *(Case("bridge", 32, scheme, HELD) for scheme in ("static", "random", "adaptive"))]
    found = []
    for nodes, patterns in zip(SIZES, (2, 40, 16, 10, 4, 1), strict=True):
        found += [Case("bisect", nodes, scheme, patterns=patterns, messages=messages(nodes)) for scheme in SCHEMES]
    for nodes, patterns in zip(SIZES[1:4], (4, 3, 1), strict=True):
        found += [Case("bridge", nodes, scheme, patterns=patterns) for scheme in SCHEMES]
    for reading, schemes, bisections, bridges in (
            (ROW, ("probing",), {128: 1}, {}), (FITTED, ("probing",), {128: 1}, {}),
            (SLOW_PROBES, ("probing",), {128: 1}, {64: 2}), (EVERY, ("adaptive",), {256: 1}, {64: 2}),
            (FREELY, ("static", "random"), {32: 20, 64: 20, 128: 1}, {64: 2}), (FREELY, ("adaptive",), {}, {64: 2}),
            (FREELY, ("probing",), {128: 2}, {}), (DRAWN, SCHEMES, {128: 2, 256: 1}, {}),
            (LOCAL, ("probing",), {128: 1, 256: 1}, {}), (FOREIGN, ("probing",), {128: 1}, {}),
            (BUFFERS, ("random",), {512: 1}, {}), (HELD, ("random", "adaptive"), {256: 1}, {64: 2}),
            (HELD, ("static", "probing"), {}, {64: 2}),
            (WIDE, SCHEMES, {}, {64: 3})):
        for scheme in schemes:
            found += [Case("bisect", nodes, scheme, reading, count, messages(nodes))
                      for nodes, count in bisections.items()]
            found += [Case("bridge", nodes, scheme, reading, count) for nodes, count in bridges.items()]
    found.append(Case("bisect", 128, "probing", LONG, messages=4 * MESSAGES))
    return found + [case for cases_of_one in parameters(quick).values() for case in cases_of_one.values()]


def parameters(quick):
    """{(nodes, reading): {(threshold, percent): case}}: 5.3, "a full parameter study"."""
    if quick:
        return {}
    return {
        (nodes, reading): {
            (threshold, percent): Case("bisect", nodes, "probing", reading, patterns, MESSAGES, more=(
                ("nic.dispersion_threshold", threshold), ("nic.dispersion_percent", percent)))
            for threshold in THRESHOLDS for percent in PERCENTS}
        for nodes, reading, patterns in ((32, TEXT, 1), (64, TEXT, 1), (128, TEXT, 1), (128, DRAWN, 1))}


def alone_runs():
    settings = {"workload.name": "pairs", "workload.pairs": [0, 511], "workload.tasks": 512}
    small = {"workload.message_bytes": 16, "workload.repetitions": 1}
    found = {f"alone, {reading}": {**settings, **READINGS[reading]} for reading in (TEXT, BUFFERS, HELD, SLOW_PROBES)}
    found["alone, 3.5 us a packet"] = {**settings, "link.rate_gbps": 257 * 16 * 8 / 3500}
    found |= {f"16 bytes, {reading}": {**settings, **READINGS[reading], **small} for reading in (TEXT, SLOW_PROBES)}
    return found


def kernels(quick):
    return {"milc": KERNELS["milc"]} if quick else KERNELS


def runs(quick):
    found = {name: Run("myrinet.toml", settings) for name, settings in alone_runs().items()}
    for case in cases(quick):
        for seed, name in enumerate(case.names(), 1):
            found[name] = Run("myrinet.toml", case.settings(seed))
    for kernel, settings in kernels(quick).items():
        for scheme in SCHEMES:
            found[f"{kernel}, {scheme}"] = Run("kernels.toml",
                                               {"workload.name": kernel, "nic.dispersion": scheme, **settings})
    return found


class Shares(Mapping):
    """(pattern, nodes, scheme, reading) -> what nodes get in each pattern, per cent of what a pair alone gets."""

    def __init__(self, found, quick):
        self.alone = {reading: found[f"alone, {reading if reading in (BUFFERS, HELD, SLOW_PROBES) else TEXT}"]
                      ["exchange.mib_per_s.mean"] for reading in READINGS}
        self.found = {}
        for case in cases(quick):
            key = (case.pattern, case.nodes, case.scheme, case.reading, *case.more)
            self.found[key] = [
                100 * found[name]["exchange.mib_per_s.mean"] / self.alone[case.reading] for name in case.names()]

    def __getitem__(self, key):
        return self.found[key if len(key) > 3 else (*key, TEXT)]

    def __iter__(self):
        return iter(self.found)

    def __len__(self):
        return len(self.found)

    def has(self, *key):
        return (key if len(key) > 3 else (*key, TEXT)) in self.found

    def mean(self, *key):
        return statistics.fmean(self[key])

    def least(self, *key):
        return ends(self[key])[0]

    def most(self, *key):
        return ends(self[key])[1]


def alone(found):
    """5.3 and 4.4.1: a pair alone, a packet, a probe."""
    def mib(reading):
        return found[f"alone, {reading}"]["exchange.mib_per_s.mean"]

    def packet_us(reading):
        return 16 / 4096 * 1e6 / mib(reading)

    def probe_us(reading):
        return 2 * found[f"16 bytes, {reading}"]["cycles"] * 0.0128

    given, slow = PUBLISHED["alone"], "3.5 us a packet"
    mib_row, packet_row, probe_row = (
        "a pair alone, MiB/s of 1 MiB both ways", "a packet of 4 KB is sent in, us", "a probe there and back, us")
    rates = {"within": 0.05, "relative": True, "form": ",.0f", "why": WHY_ALONE}
    times = {"within": 0.05, "relative": True, "form": ".2f", "why": WHY_ALONE}
    return [
        figure(mib_row, given["mib_per_s"], mib(TEXT), **rates),
        read_as("4.4.1: a packet takes 3.5 us", figure(mib_row, given["mib_per_s"], mib(slow), **rates)),
        evidence("closed form: 256 packets of 257 cells at 10 Gb/s", figure(
            mib_row, 1e6 / (256 * 257 * 0.0128), mib(TEXT), within=0.002, relative=True, form=",.1f")),
        figure(packet_row, given["packet_us"], packet_us(TEXT), **times),
        evidence("closed form: 257 cells of 16 bytes at 10 Gb/s", figure(
            packet_row, 257 * 0.0128, packet_us(TEXT), within=0.002, relative=True, form=".3f")),
        figure(probe_row, given["probe_us"], probe_us(TEXT), within=1, form=".2f", why=WHY_ALONE),
        evidence("with links of 29 cycles", figure(probe_row, given["probe_us"], probe_us(SLOW_PROBES), within=1,
                                                   form=".2f"))]


def converging(found, quick):
    """4.4.1: what a NIC has sent when the last route of a bridge is settled, KiB at the rate of a link."""
    case = Case("bridge", 32, "probing", patterns=1 if quick else 4)
    kib = [found[name]["routes.last_change_cycle"] * 16 * 256 / 257 / 1024 for name in case.names()]
    least = PUBLISHED["alone"]["converge_kib"]
    return [claim("bridge, 32 nodes: sent until routes stay, KiB", f"{least} at the least", {
        "least": min(kib), "mean": statistics.fmean(kib)}, min(kib) >= least, form=",.0f", tolerance="at least")]


def compared(what, given, shares, key, readings, why, within, **more):
    """The published figure under the text's set-up, and under the readings that have run."""
    form = {"within": within, "form": ".1f", "why": why, **more}
    rows = [figure(what, given, shares.mean(*key), **form)]
    return rows + [read_as(reading, figure(what, given, shares.mean(*key, reading), **form))
                   for reading in readings if shares.has(*key, reading)]


def bisections(shares):
    readings = {
        "static": (WHY_RANDOM, (FREELY, HELD)), "random": (WHY_RANDOM, (BUFFERS, HELD, FREELY)),
        "probing": (WHY_PROBING, (ROW, SLOW_PROBES, FITTED, LONG, FREELY, DRAWN))}
    table = []
    for scheme, by_nodes in PUBLISHED["bisection"].items():
        why, others = readings[scheme]
        for nodes, given in by_nodes.items():
            key = ("bisect", int(nodes), scheme)
            if not shares.has(*key):
                continue
            what = f"{nodes} nodes, {scheme}: share of a pair alone, %"
            table += compared(what, given, shares, key, others, why, 5)
            mib = PUBLISHED["mib_per_s"].get(scheme, {}).get(nodes)
            if mib:
                table.append(read_as("in MiB/s, whatever a pair alone gets", figure(
                    what, mib, shares.mean(*key) * shares.alone[TEXT] / 100, within=0.1, relative=True, form=".1f")))
            table += slots(what, shares, key)
            if shares.has(*key, DRAWN) and scheme == "probing":
                both = {"first": shares.mean(*key), "drawn": shares.mean(*key, DRAWN)}
                table.append(evidence("which nodes are measured: the first ones, or drawn among all 512", claim(
                    what, f"{given} between both", both, both["first"] <= given <= both["drawn"], form=".1f",
                    tolerance="order", why=WHY_PROBING)))
    return table


def slots(what, shares, key):
    witness = PUBLISHED["slots"].get(key[0], {}).get(key[2], {}).get(str(key[1]))
    if witness is None:
        return []
    return [evidence("packets in slots (slots.py)", figure(what, witness, shares.mean(*key), within=5, form=".1f"))]


def said(shares, quick):
    """5.3 in words. Of the patterns: their least, mean and most."""
    sizes = [nodes for nodes in SIZES if shares.has("bisect", nodes, "probing")]
    contended = [nodes for nodes in sizes if nodes > CARD]
    return [*random_beside_static(shares, contended, quick), *adaptive_beside_random(shares, contended),
            *probing(shares, sizes, contended, quick)]


def both(statistic, nodes, a, b, reading=TEXT):
    return {scheme: statistic("bisect", nodes, scheme, reading) for scheme in (a, b)}


def random_beside_static(shares, contended, quick):
    table = []
    several = [nodes for nodes in contended if len(shares["bisect", nodes, "random"]) > 2]
    for nodes in several:
        found = both(shares.least, nodes, "random", "static")
        table.append(claim(f"{nodes} nodes, random: worst case, %", "better than static", found,
                           found["random"] > found["static"], form=".1f", tolerance="order"))
    for nodes in [nodes for nodes in several if nodes >= 128]:
        what = f"{nodes} nodes, random: from worst to best case, points"
        gap = {"": shares.most("bisect", nodes, "random") - shares.least("bisect", nodes, "random")}
        table.append(claim(what, "very narrow", gap, gap[""] <= 5, form=".1f", tolerance="5",
                           why="patterns have more or fewer pairs within a line card, which meet nobody"))
        bridge = {"": shares.most("bridge", 64, "random") - shares.least("bridge", 64, "random")}
        table.append(evidence("bridge, 64 nodes: no pair within a line card", claim(
            what, "very narrow", bridge, bridge[""] <= 5, form=".1f", tolerance="5")))
    what = "random: below static at some number of nodes, %"
    if not quick:
        gaps = {nodes: shares.mean("bisect", nodes, "random") - shares.mean("bisect", nodes, "static")
                for nodes in contended}
        lowest = min(gaps, key=gaps.get)
        found = both(shares.mean, lowest, "random", "static")
        table.append(claim(what, "yes", found, found["random"] < found["static"], form=".1f", tolerance="order",
                           why=WHY_STATIC))
        form = two_cards()
        shown = ", ".join(f"{scheme} {share:.1f}" for scheme, share in form.items())
        found = both(shares.mean, 32, "random", "static")
        near = all(abs(found[scheme] - share) <= 3 for scheme, share in form.items())
        witness = "closed form, 32 nodes: the slower of two draws of 16 routes, and Karol's crossbar"
        table.append(evidence(witness, claim(what, shown, found, near and found["random"] > found["static"],
                                             form=".1f", tolerance="3 and order")))
        for nodes in (64, 128):
            slots_of = {scheme: PUBLISHED["slots"]["bisect"][scheme][str(nodes)] for scheme in ("random", "static")}
            found = both(shares.mean, nodes, "random", "static")
            table.append(evidence(f"packets in slots (slots.py), {nodes} nodes", claim(
                what, ", ".join(f"{scheme} {share:.1f}" for scheme, share in slots_of.items()), found,
                (found["random"] < found["static"]) == (slots_of["random"] < slots_of["static"]), form=".1f",
                tolerance="order")))
        for nodes in (32, 64, 128):
            found = both(shares.mean, nodes, "random", "static", reading=FREELY)
            table.append(read_as(f"{FREELY}, {nodes} nodes", claim(
                what, "yes", found, found["random"] < found["static"], form=".1f", tolerance="order")))
    return table


def adaptive_beside_random(shares, contended):
    table = []
    for nodes in contended:
        above = nodes <= 128
        what = f"{nodes} nodes, adaptive"
        given = f"{'above' if above else 'slightly below'} random"
        found = both(shares.mean, nodes, "adaptive", "random")
        table.append(claim(what, given, found, (found["adaptive"] > found["random"]) == above, form=".1f",
                           tolerance="order", why=WHY_ADAPTIVE))
        if not above:
            table += slots_order(what, nodes, found)
            for reading in (EVERY, HELD) if shares.has("bisect", nodes, "adaptive", HELD) else ():
                count = len(shares["bisect", nodes, "adaptive", reading])
                of_random = shares["bisect", nodes, "random", TEXT if reading == EVERY else reading]
                found = {"adaptive": shares.mean("bisect", nodes, "adaptive", reading),
                         "random": statistics.fmean(of_random[:count])}
                table.append(read_as(reading, claim(
                    what, given, found, found["adaptive"] < found["random"], form=".1f", tolerance="order")))
    return table


def probing(shares, sizes, contended, quick):
    table = []
    for nodes in contended:
        found = {scheme: shares.mean("bisect", nodes, scheme) for scheme in SCHEMES}
        table.append(claim(f"{nodes} nodes, probing", "best of all", found,
                           found["probing"] >= max(found.values()) - 0.5, form=".1f", tolerance="0.5"))
    if quick:
        return table
    given = PUBLISHED["probing"]
    for nodes in [nodes for nodes in sizes if nodes <= given["full_up_to"]]:
        for reading in (TEXT, ROW, FITTED, LONG, DRAWN):
            if shares.has("bisect", nodes, "probing", reading):
                most = {"": shares.most("bisect", nodes, "probing", reading)}
                table.append(read_as(reading, claim(
                    f"{nodes} nodes, probing: best case, %", "full", most, most[""] >= 98, form=".1f", tolerance="2",
                    why=f"fewer patterns than the published 5,000; {WHY_PROBING}")))
        table += of_5000(shares, nodes)
    what = "probing: worst case of all sizes, %"
    least = {"": ends(shares.least("bisect", nodes, "probing") for nodes in sizes)[0]}
    table.append(claim(what, f"{given['least']}", least, least[""] >= given["least"] - 2, form=".1f", tolerance="2",
                       why=WHY_PROBING))
    for reading in (ROW, FITTED, FOREIGN):
        least = {"": shares.least("bisect", 128, "probing", reading)}
        table.append(read_as(f"{reading}, 128 nodes", claim(
            what, f"{given['least']}", least, least[""] >= given["least"] - 2, form=".1f", tolerance="2")))
    table.append(figure(
        "512 nodes: probing over static", given["over_static"],
        shares.mean("bisect", 512, "probing") / shares.mean("bisect", 512, "static"), within=0.3, form=".2f",
        published_as="almost 2", why=WHY_PROBING))
    return table


def deviation_of(values):
    return math.nan if any(map(math.isnan, values)) else statistics.stdev(values)


def of_5000(shares, nodes):
    """The best case of 5,000 patterns is at least that of the pattern with most pairs within line cards; the largest of
    as many figures, if they are normal, is that of the order statistic (Blom)."""
    what = f"{nodes} nodes, probing: best case, %"
    if shares.has("bisect", nodes, "probing", LOCAL):
        most = {"": shares.most("bisect", nodes, "probing", LOCAL)}
        yield evidence(LOCAL, claim(what, "full", most, most[""] >= 98, form=".1f", tolerance="2"))
    each = shares["bisect", nodes, "probing"]
    if nodes > 64 and len(each) > 3:
        deviations = statistics.NormalDist().inv_cdf((PATTERNS - 0.375) / (PATTERNS + 0.25))
        largest = {"": min(statistics.fmean(each) + deviations * deviation_of(each), 100.0)}
        yield evidence(f"expected of 5,000, from mean and deviation of {len(each)} patterns", claim(
            what, "full", largest, largest[""] >= 98, form=".1f", tolerance="2"))


def slots_order(what, nodes, found):
    """Whether the other witness has the two schemes in the order of `found`."""
    witness = {scheme: PUBLISHED["slots"].get("bisect", {}).get(scheme, {}).get(str(nodes)) for scheme in found}
    if None in witness.values():
        return []
    shown = ", ".join(f"{scheme} {share:.1f}" for scheme, share in witness.items())
    same = (witness["adaptive"] > witness["random"]) == (found["adaptive"] > found["random"])
    return [evidence("packets in slots (slots.py)", claim(what, shown, found, same, form=".1f", tolerance="order"))]


def settled(shares, quick):
    """5.3: "all results were in a range of 10% of each other for most parameters" up to 128 nodes; "the best
    combination overall is (16, 100%)". Most: more than half of the eight combinations."""
    table, overall = [], {}
    for (nodes, reading), by_parameters in parameters(quick).items():
        means = {pair: shares.mean(case.pattern, case.nodes, case.scheme, case.reading, *case.more)
                 for pair, case in by_parameters.items()}
        if any(map(math.isnan, means.values())):
            near = math.nan
        else:
            near = max(sum(0.9 * top <= mean <= top for mean in means.values()) for top in means.values())
        row = claim(
            f"{nodes} nodes, probing: of 8 thresholds and probabilities within 10 %", "most",
            {"": near, "least": min(means.values()), "most": max(means.values())}, near > len(means) / 2,
            form=".1f", tolerance="5 of 8", why=WHY_PROBING)
        table.append(read_as(reading, row))
        if reading == TEXT:
            for pair, mean in means.items():
                overall[pair] = overall.get(pair, 0) + mean / 3
    if overall:
        best = max(overall, key=overall.get)
        table.append(claim(
            f"probing: best threshold and probability, mean of 32 to 128 nodes, %", "16, 100 %",
            {"16, 100 %:": overall[16, 100], f"{best[0]}, {best[1]} %:": overall[best]},
            overall[16, 100] >= overall[best] - 1, form=".1f", tolerance="1", why=WHY_PROBING))
    return table


def static_share(is_waiting, pairs=CARD):
    """Per cent that a pair of a bridge gets of static routes: `pairs` pairs draw one of 16 routes each, in both
    directions, and 1 / the number on the route is what it carries; with waiting, of the slower direction."""
    at_most = [0.0]
    for routes in range(1, pairs + 1):
        others = routes - 1
        ways = math.comb(pairs - 1, others) * (CARD - 1) ** (pairs - 1 - others)
        at_most.append(at_most[-1] + ways / CARD ** (pairs - 1))
    power = 2 if is_waiting else 1
    return 100 * sum((at_most[ix] ** power - at_most[ix - 1] ** power) / ix for ix in range(1, pairs + 1))


def random_share(pairs):
    """Likewise if each packet draws its route: Karol's limit of a crossbar of so many inputs and 16 outputs, x of an
    output with x + x x / (2 (1 - x)) = inputs / outputs (0.586 if they are as many)."""
    inputs = pairs / CARD
    return 100 * (1 + inputs - math.sqrt(1 + inputs * inputs)) / inputs


def two_cards():
    """By those, what nodes of a bisection of two line cards get with static and with random NICs: 16 of the 31 others
    are behind the routes, so that 8 pairs share them; a pair within a card has its links for itself."""
    away = CARD / (2 * CARD - 1)
    pairs = CARD // 2
    return {"random": away * random_share(pairs) + 100 * (1 - away),
            "static": away * static_share(True, pairs) + 100 * (1 - away)}


def bridges(shares):
    table = []
    readings = {"static": (FREELY, HELD, WIDE), "random": (FREELY, HELD, WIDE), "adaptive": (EVERY, HELD, FREELY, WIDE),
                "probing": (SLOW_PROBES, HELD, WIDE)}
    for nodes in SIZES[1:4]:
        for scheme in SCHEMES:
            key = ("bridge", nodes, scheme)
            if not shares.has(*key):
                continue
            what = f"bridge, {nodes} nodes, {scheme}: share of a pair alone, %"
            close = scheme == "probing"
            table += compared(
                what, PUBLISHED["bridge"][scheme], shares, key, readings[scheme],
                {"adaptive": WHY_ADAPTIVE, "probing": WHY_PROBING}.get(scheme, WHY_BRIDGE), 2 if close else 8,
                published_as="> 98" if close else "~ 56")
            # Sizes of which the readings have not run: they are of 64 nodes; a bridge is the same at all.
            if not close and nodes != 64:
                table += [read_as(f"{reading}, 64 nodes", figure(
                    what, PUBLISHED["bridge"][scheme], shares.mean("bridge", 64, scheme, reading), within=8, form=".1f",
                    published_as="~ 56")) for reading in (HELD,) if shares.has("bridge", 64, scheme, reading)]
            if scheme == "static":
                table.append(evidence("closed form: the slower of two draws of 16 routes", figure(
                    what, static_share(True), shares.mean(*key), within=5, form=".1f")))
            table += slots(what, shares, key)
    return table


def averaged(shares, quick):
    """ "All the other methods average around 56 %", read as the mean over them."""
    if quick:
        return []
    sizes = SIZES[1:4]
    values = [shares.mean("bridge", nodes, scheme) for nodes in sizes for scheme in SCHEMES[:3]]
    held = [shares.mean("bridge", 64, scheme, HELD) for scheme in SCHEMES[:3]]
    what = "bridge: mean of all sizes, static, random and adaptive, %"
    form = {"within": 8, "form": ".1f", "why": WHY_ADAPTIVE, "published_as": "~ 56"}
    return [figure(what, 56, statistics.fmean(values), **form),
            read_as(f"{HELD}, 64 nodes", figure(what, 56, statistics.fmean(held), **form))]


def rows(found, quick):
    shares = Shares(found, quick)
    return [*alone(found), *converging(found, quick), *bisections(shares), *said(shares, quick),
            *settled(shares, quick),
            *bridges(shares), *averaged(shares, quick)]


def choices(found, quick):
    """All means of Figs. 2 to 6 with their error bars, all thresholds and probabilities, and kernels."""
    shares = Shares(found, quick)
    table = []
    for nodes in SIZES:
        for scheme in SCHEMES:
            if shares.has("bisect", nodes, scheme):
                each = shares["bisect", nodes, scheme]
                given = PUBLISHED["bisection"].get(scheme, {}).get(str(nodes))
                table.append(tried(
                    f"Fig. 6: {nodes} nodes, {scheme}, {len(each)} patterns, %",
                    "in a figure" if given is None else f"{given}",
                    {"mean": statistics.fmean(each), "least": min(each), "most": max(each)}, form=".1f"))
    for nodes in SIZES:
        drawn = {f"{scheme}:": shares.mean("bisect", nodes, scheme, DRAWN) for scheme in SCHEMES
                 if shares.has("bisect", nodes, scheme, DRAWN)}
        if drawn:
            table.append(tried(f"Fig. 6: {nodes} nodes, {DRAWN}, %", "in a figure", drawn, form=".1f"))
    for (nodes, reading), by_parameters in parameters(quick).items():
        means = {f"{threshold}, {percent} %:": shares.mean(case.pattern, case.nodes, case.scheme, case.reading,
                                                           *case.more)
                 for (threshold, percent), case in by_parameters.items()}
        named = "" if reading == TEXT else f", {reading}"
        what = f"{nodes} nodes, probing by threshold and probability{named}, %"
        table.append(tried(what, "none", means, form=".1f"))
    for kernel in kernels(quick):
        static = found[f"{kernel}, static"]["cycles"]
        times = {scheme: found[f"{kernel}, {scheme}"]["cycles"] / static for scheme in SCHEMES[1:]}
        table.append(tried(f"{kernel}, 128 tasks: run time over that with static", "future work", times, form=".3f"))
    return table
