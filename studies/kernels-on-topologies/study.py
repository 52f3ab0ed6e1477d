"""Six kernels on a switch of 64 ports, a 2-ary 6-tree and a torus of 8 x 8, times over those of the crossbar, and the
load consumed over time."""

import itertools
import math
from dataclasses import replace
from statistics import median

from weft.study import Run, claim, curve, evidence, exact, figure, published, read_as, tried

PUBLISHED = published(__file__)
FIGURE_9, INSEE = PUBLISHED["figure-9"], PUBLISHED["insee"]
KERNELS = ("BT", "BU", "M2", "M3", "W2", "W3")
TREE = "../thin-trees-kernels/tree.toml"
COMMON = {"router.virtual_channels": 4, "packet.phit_bytes": 4}
CROSSBAR = {**COMMON, "topology.down": 64, "topology.up": 1, "topology.levels": 1}
FAT_TREE = {**COMMON, "topology.down": 2, "topology.up": 2, "topology.levels": 6}
NETWORKS = {"crossbar": (TREE, CROSSBAR), "fat tree": (TREE, FAT_TREE), "torus": ("torus.toml", {})}
SIZES = (640, 3200, 64000)
LONG = 64000
STAGES = 6
#: Fractions of a run by which loads over time are compared.
PARTS = 60
#: Chapter 11 of the thesis ends wave-fronts "with the finalization of the sweep at the last node" (3.2.1); Parallel
#: Computing 2010 lets them return.
RETURN = "workload.return_sweep"
TIES = {"router.credit_ties": "first-counts-twice"}
#: More runs of the wave-fronts on the fat tree: another reading of the text, and INSEE's rule of ties.
WAVES = {"the sweep returns (Parallel Computing 2010)": {RETURN: True}, "INSEE's ties": TIES}
RETURNS, AS_INSEE = WAVES
#: Periods of the series of Fig. 9 in cycles, by bytes of a message and kernel. The paper has periods of 10 cycles of
#: messages of LONG bytes, more than a result has in one file (4,096): wider ones, and 10 with shorter messages.
PERIODS = {LONG: {"BT": 30, "BU": 50, "M2": 40, "W3": 140}, 3200: {"BT": 10, "BU": 10, "M2": 10, "W3": 10}}
SHORTER = "messages of 3,200 bytes, periods of 10 cycles"
OTHER_SEED = "over time: crossbar, W3, seed 2"
#: Messages of LONG bytes and queues, both as many times longer than those of 3,200 bytes and of the paper.
DEEP_TIMES = LONG // 3200
DEEP = {"router.queue_packets": 4 * DEEP_TIMES, "router.injection_queue_packets": 8 * DEEP_TIMES}
AS_DEEP = f"{LONG:,} bytes with queues {DEEP_TIMES} times as long"
#: What the paper leaves open of the fat tree, with messages of LONG bytes.
CHOICES = {
    "as in the table": {},
    "ties of credits: the first counts twice": TIES,
    "static routes up": {"router.routing": "static"},
    "static routes up, channels by credits": {"router.routing": "static-by-credits"},
    "static routes up, queues of 16 packets": {"router.routing": "static", "router.queue_packets": 16},
    "arbitration round robin": {"router.arbitration": "round-robin"},
    "arbitration by age": {"router.arbitration": "age"},
    "no virtual channels": {"router.virtual_channels": 1},
    "8 virtual channels": {"router.virtual_channels": 8},
    "queues of 16 packets": {"router.queue_packets": 16},
    "queues of 64 packets": {"router.queue_packets": 64},
    "queues of 16 packets, 8 virtual channels": {"router.queue_packets": 16, "router.virtual_channels": 8},
    "packets of 64 phits": {"packet.phits": 64},
    "tasks placed by shuffle": {"placement.policy": "shuffle"},
}
CHOSEN_KERNELS = ("W2", "W3", "M2", "M3")
WHY_WAVE = (
    "two messages meet at each task and share its link, so that both back up into the tree; adaptive routes up spread "
    "each over all paths, and its packets stand in the queues of all; INSEE takes as long on the same input, and where "
    "the sweep returns, as the group's later paper has it, both are at 1")
WHY_TIES = "M2 depends on which ties between equal credits are drawn: seeds give 1.16 to 1.24"
WHY_HALF = (
    "the published figure is a word, 'about twice', 'one half': stages at distance 2 and 4 share each link in two, the "
    "two at distance 1 do not, which makes 10 / 6 of the time where nothing is lost besides")
WHY_SIZES = (
    "short messages do not fill queues: BU has other time lost on the fat tree (with static routes, which share no "
    "link in it, only the longer paths count); all of M2 with 3,200 bytes, 11,200 packets, fits into the queues of the "
    "tree, which hold 11,264; what decides is a message's length beside a queue's (the row beside)")
WHY_AVERAGED = (
    f"averages over a {PARTS}th of a run hide what the figure draws, each period; beside each other those are apart")
WHY_RATE = "a time 25 % longer is a rate 20 % smaller: the two texts give the one picture two figures"


def runs(quick):
    found = {}
    for network, (config, keys) in NETWORKS.items():
        found[f"{network}: bounds"] = Run(config, keys, command="topology")
        for kernel in KERNELS:
            for size in (LONG,) if quick else SIZES:
                for seed in seeds(quick):
                    found[name(network, kernel, size, seed)] = kernel_run(network, kernel, size, seed)
        for size in (LONG,) if quick else PERIODS:
            for kernel, cycles in PERIODS[size].items():
                found[over_time(network, kernel, size)] = kernel_run(
                    network, kernel, size, 1, **{"statistics.series_cycles": cycles})
    found[OTHER_SEED] = kernel_run(
        "crossbar", "W3", LONG, 2, **{"statistics.series_cycles": PERIODS[LONG]["W3"]})
    for seed in seeds(quick):
        for what, more in WAVES.items():
            for network in ("crossbar", "fat tree"):
                for kernel in ("W2", "W3"):
                    found[f"{what}: {name(network, kernel, LONG, seed)}"] = kernel_run(
                        network, kernel, LONG, seed, **more)
    if not quick:
        for network in ("crossbar", "fat tree"):
            for kernel in KERNELS:
                found[f"{AS_DEEP}: {name(network, kernel, LONG, 1)}"] = kernel_run(network, kernel, LONG, 1, **DEEP)
        found["crossbar with queues of 16 packets, M3, 3200 bytes"] = kernel_run(
            "crossbar", "M3", 3200, 1, **{"router.queue_packets": 16})
        found["static: fat tree, BU, 640 bytes"] = kernel_run(
            "fat tree", "BU", 640, 1, **{"router.routing": "static"})
        for choice, more in CHOICES.items():
            for network in ("crossbar", "fat tree"):
                # A crossbar has no way up.
                known = {
                    key: value for key, value in more.items() if network != "crossbar" or key != "router.routing"}
                for kernel in CHOSEN_KERNELS:
                    found[f"{choice}: {network}, {kernel}"] = kernel_run(network, kernel, LONG, 1, **known)
    return found


def kernel_run(network, kernel, size, seed, **more):
    config, keys = NETWORKS[network]
    return Run(config, {**keys, "workload.name": kernel, "workload.message_bytes": size, "simulation.seed": seed,
                        **more})


def seeds(quick):
    return (1,) if quick else (1, 2, 3)


def name(network, kernel, size, seed):
    return f"{network}, {kernel}, {size} bytes, seed {seed}"


def over_time(network, kernel, size):
    return f"over time: {network}, {kernel}, {size} bytes"


def ratio(found, network, kernel, size, quick, over="crossbar", before=""):
    times = {
        each: sum(found[before + name(each, kernel, size, seed)]["cycles"] for seed in seeds(quick))
        for each in (network, over)}
    return times[network] / times[over]


def rows(found, quick):
    table = [*bounds(found), *counts(found)]
    for network in ("fat tree", "torus"):
        for kernel in KERNELS:
            table += times(found, network, kernel, quick)
    table += loads(found, LONG)
    table += twice(found, quick)
    if quick:
        return table
    return [*table, *(read_as(SHORTER, row) for row in loads(found, 3200)), *other_sizes(found)]


def bounds(found):
    throughput, hops = PUBLISHED["networks"]["throughput"], PUBLISHED["networks"]["crossbar-hops"]
    for network in NETWORKS:
        yield figure(f"4.1: {network}: maximum throughput, phits/cycle/node", throughput,
                     found[f"{network}: bounds"]["uniform_load_bound"], within=0.02)
    yield exact("4.1: crossbar: links from any node to any other", hops, found["crossbar: bounds"]["diameter"])


def counts(found):
    for kernel, messages in PUBLISHED["messages"].items():
        yield exact(f"3: {kernel}: messages of 64 tasks", messages,
                    found[name("crossbar", kernel, LONG, 1)]["messages.sent"])


def times(found, network, kernel, quick):
    value = ratio(found, network, kernel, LONG, quick)
    published_time = PUBLISHED[network].get(kernel)
    what = f"{network}, {kernel}, {LONG:,} bytes"
    if published_time is None:
        return [claim(what, "clearly above 1", {"": value}, value > 1.1, tolerance="above 1.1")]
    why = WHY_WAVE if kernel.startswith("W") else WHY_TIES if network == "fat tree" else WHY_HALF
    row = figure(what, published_time, value, within=0.1, relative=True, form=".2f",
                 published_as=f"~ {published_time:g}", why=why)
    found_rows = [row]
    if network == "fat tree" and kernel in ("W2", "W3"):
        returning = ratio(found, network, kernel, LONG, quick, before=f"{RETURNS}: ")
        found_rows.append(
            read_as(RETURNS, figure(what, published_time, returning, within=0.1, relative=True, form=".2f",
                                    published_as=row.published)))
        as_insee = ratio(found, network, kernel, LONG, quick, before=f"{AS_INSEE}: ")
        found_rows.append(
            evidence(f"INSEE, same input; weft with {AS_INSEE}",
                     figure(what, INSEE[kernel], as_insee, within=0.03, relative=True, form=".3f")))
    if (network, kernel) == ("torus", "BU"):
        found_rows.append(half_of_the_links(row, value))
    return found_rows


def half_of_the_links(row, value):
    """Stages of BU at distances 1, 2, 4 in both dimensions: 1, 2 and 2 messages a link."""
    return evidence(
        "closed form: 10 / 6, messages that share each link",
        figure(row.what, 2 * (1 + 2 + 2) / STAGES, value, within=0.1, relative=True, form=".2f", why=WHY_HALF))


def loads(found, size):
    """Fig. 9."""
    of = {(network, kernel): loads_of(found[over_time(network, kernel, size)])
          for network in NETWORKS for kernel in PERIODS[size]}
    for network in NETWORKS:
        yield curve(f"Fig. 9a: {network}, BT: load in each of its periods", stages(FIGURE_9["BT"]),
                    stages(levels(of[network, "BT"])), within=0.05, relative=True, form=".3f")
    for network in ("fat tree", "torus"):
        apart = apart_by(of[network, "BT"], of["crossbar", "BT"])
        yield claim(f"Fig. 9a: {network}, BT: beside the crossbar over time", "the same way", {"apart": apart},
                    apart < 0.1, tolerance="apart by less than 0.1 of the load")
        yield from differently(found, network, of[network, "W3"], of["crossbar", "W3"], size)
    yield curve("Fig. 9c: crossbar, BU: load in each of its stages", stages(FIGURE_9["BU"]),
                stages(levels(of["crossbar", "BU"])), within=0.05, relative=True, form=".3f")
    torus = median(load for *_, load in of["torus", "BU"]) if of["torus", "BU"] else math.nan
    yield figure("Fig. 9c: torus, BU: load for most of the time", FIGURE_9["torus-BU"], torus, within=0.05, form=".3f")
    what = "Fig. 9d: fat tree, 2M: rate over that of the torus"
    rate = mean_load(of["fat tree", "M2"]) / mean_load(of["torus", "M2"])
    yield figure(what, FIGURE_9["fat-tree-M2"], rate, within=0.1, relative=True, form=".2f", why=WHY_RATE)
    if size == LONG:
        yield read_as("a time 25 % longer (PDSEC 2008)", figure(
            what, 1 / PUBLISHED["fat tree"]["M2"], rate, within=0.1, relative=True, form=".2f"))
    highest = {network: max((load for kernel in PERIODS[size] for *_, load in of[network, kernel]), default=math.nan)
               for network in NETWORKS}
    yield claim("Fig. 9: highest load of a period", "at most 1, what the links of nodes carry", highest,
                all(load <= 1 + 1e-9 for load in highest.values()), tolerance="1")


def differently(found, network, of, crossbar, size):
    """Fig. 9b: "their temporal evolutions are completely different"."""
    what, tolerance = f"Fig. 9b: {network}, 3W: beside the crossbar over time", "apart by more than 0.25 of the load"
    apart = apart_by(of, crossbar)
    yield claim(what, "completely different", {"apart": apart}, apart > 0.25, tolerance=tolerance, why=WHY_AVERAGED)
    if size != LONG:
        return
    apart = apart_by_period(of, crossbar)
    yield read_as("period by period, as drawn", claim(what, "completely different", {"apart": apart}, apart > 0.25,
                                                      tolerance=tolerance))
    seeds_apart = apart_by_period(loads_of(found[OTHER_SEED]), crossbar)
    yield evidence("two seeds of the crossbar", claim(
        what, "networks more than three times as far apart", {"networks": apart, "seeds": seeds_apart},
        apart > 3 * seeds_apart, tolerance="3 times"))


def twice(found, quick):
    what = "thesis, 3.2: BU: time on the torus over that on the fat tree"
    value = ratio(found, "torus", "BU", LONG, quick, over="fat tree")
    row = figure(what, FIGURE_9["torus-over-fat-tree-BU"], value, within=0.1, relative=True, form=".2f", why=WHY_HALF)
    return [row, half_of_the_links(row, value)]


def stages(of):
    return dict(enumerate(of, 1))


def loads_of(figures):
    """(begin, end, load accepted) of each period; none where the run is not done."""
    periods = figures.summary.get("statistics", {}).get("series", [])
    return [(row["begin"], row["end"], row["accepted_load"]) for row in periods]


def mean_load(of, begin=0.0, end=math.inf):
    """Over the cycles [begin, end), each period for its part of them."""
    shares = [(min(last, end) - max(first, begin), load) for first, last, load in of if first < end and last > begin]
    cycles = sum(share for share, _ in shares)
    return sum(share * load for share, load in shares) / cycles if cycles else math.nan


def levels(of):
    """In the middle half of each of STAGES equal parts of the run."""
    part = of[-1][1] / STAGES if of else math.nan
    return [mean_load(of, (stage + 0.25) * part, (stage + 0.75) * part) for stage in range(STAGES)]


def apart_by(of, others):
    """Mean distance of two loads over the same fractions of both runs, of the mean load of the second."""
    if not of or not others:
        return math.nan
    parts = [[mean_load(each, each[-1][1] * part / PARTS, each[-1][1] * (part + 1) / PARTS) for part in range(PARTS)]
             for each in (of, others)]
    return sum(abs(a - b) for a, b in zip(*parts, strict=True)) / sum(parts[1])


def apart_by_period(of, others):
    """Likewise of each period from the begin of both, until the longer ends."""
    pairs = itertools.zip_longest((load for *_, load in of), (load for *_, load in others), fillvalue=0.0)
    both = sum(load for *_, load in others)
    return sum(abs(a - b) for a, b in pairs) / both if both and of else math.nan


def other_sizes(found):
    """"Results for the other message lengths are similar" (4.4)."""
    for network in ("fat tree", "torus"):
        long = [ratio(found, network, kernel, LONG, False) for kernel in KERNELS]
        for size in SIZES[:-1]:
            short = [ratio(found, network, kernel, size, False) for kernel in KERNELS]
            what = f"4.4: {network}, {size:,} bytes: as with {LONG:,} ({', '.join(KERNELS)})"
            row = curve(what, stages(long), stages(short), within=0.15, relative=True, form=".2f", why=WHY_SIZES)
            yield replace(row, published="similar: " + row.published)
            if (network, size) == ("fat tree", 640):
                # 10 packets of 16 phits a stage; stage n crosses 2 n links more than on the crossbar, of a cycle each.
                stage = found[name("crossbar", "BU", size, 1)]["cycles"] / STAGES
                static = found["static: fat tree, BU, 640 bytes"]["cycles"] / STAGES / stage
                yield evidence("BU with static routes: closed form of the longer paths",
                               figure(what, 1 + sum(2 * n for n in range(STAGES)) / STAGES / stage, static, within=0.03,
                                      relative=True, form=".3f"))
            if (network, size) == ("fat tree", 3200):
                deep = [found[f"{AS_DEEP}: {name(network, kernel, LONG, 1)}"]["cycles"]
                        / found[f"{AS_DEEP}: {name('crossbar', kernel, LONG, 1)}"]["cycles"] for kernel in KERNELS]
                yield evidence(AS_DEEP, curve(what, stages(deep), stages(short), within=0.15, relative=True,
                                              form=".2f"))
                # The fat tree has the queues of eleven switches on a way, the crossbar those of one.
                stored = found["crossbar with queues of 16 packets, M3, 3200 bytes"]["cycles"]
                yield evidence(
                    "M3 over a crossbar with queues of 16 packets, as with long messages",
                    figure(what, long[KERNELS.index("M3")], found[name("fat tree", "M3", size, 1)]["cycles"] / stored,
                           within=0.1, relative=True, form=".2f"))


def choices(found, quick):
    if quick:
        return []
    table = []
    for choice in CHOICES:
        times = {
            kernel: found[f"{choice}: fat tree, {kernel}"]["cycles"] / found[f"{choice}: crossbar, {kernel}"]["cycles"]
            for kernel in CHOSEN_KERNELS}
        fits = [kernel for kernel, time in times.items() if abs(time / PUBLISHED["fat tree"][kernel] - 1) <= 0.1]
        table.append(tried(f"fat tree: {choice}", "W2, W3, M3 ~ 1, M2 ~ 1.25", times,
                           verdict=f"{', '.join(fits)} within 10 %" if fits else "none within 10 %"))
    return table
