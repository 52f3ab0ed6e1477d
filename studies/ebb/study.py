"""Random patterns on the routes of Ranger, Atlas and Thunderbird (destinations in the order of their LIDs, as clusters
of 2008 had them), the worked example, what applications keep, bisect patterns as packets on CHiC, and a pair whose link
more and more others share."""

import math
import statistics
from pathlib import Path

from weft.study import Run, claim, curve, ends, evidence, exact, figure, published, read_as, tried

PUBLISHED = published(__file__)
HERE = Path(__file__).resolve().parent
FABRICS = {"Ranger": "ranger", "Atlas": "atlas", "Thunderbird": "tbird"}
FULL = ("Ranger", "Atlas")
ROUTES = ("--engine", "minhop", "--order", "lid")
#: Of the text: 10^6 and 10^5.
PATTERNS, MAPPINGS, LEAST_OF = 20_000, 500, 60
MEAN, FORMULA, TASKS = "mean of 1 / congestion", "1 / mean congestion (the formula)", "mean over tasks"
#: 5.1 defines pi_sum_avg, 3.2.4 "average bandwidth"; the figures of a run that they are.
PATHS = {MEAN: "bandwidth.mean", FORMULA: "sum_avg", TASKS: "task_avg"}
#: What the paper leaves open of the three fabrics.
VARIANTS = {"cables side by side": "packed", "LIDs in the order of the leaves": "ordered"}
SWITCHES = "tables made switch by switch"
FULL_TBIRD = "Thunderbird of full bisection, neighbours:6"
#: Hosts of a leaf and its links up (examples/fabrics).
LEAVES = {"Ranger": (12, 12), "Atlas": (12, 12), "Thunderbird": (16, 8)}
DRAWN = "closed form: the busiest link if routes were drawn"
PACKETS = 8
QUEUES = {
    "FIFO": {}, "FIFO, buffers of 16 packets": {"router.buffer_cells": 528},
    "virtual output queues": {"router.queues": "voq"},
    "FIFO, 4 channels a link": {"router.virtual_channels": 4}}
OTHERS = range(12)
CURVES, QUICK_CURVES = (0, 1, 2, 3, 5, 11), (0, 3)
SIZES = (1, 1 << 10, 1 << 14, 1 << 17, 1 << 20, 1 << 23)
SMALL, LARGE = SIZES[0], 1 << 20
NEVER_NS = 1e12
RATE_GBPS = 5.45
#: A full packet with its header on a link.
PACKET_NS = 33 * 64 * 8 / RATE_GBPS
PING_PONG, STREAMS = "ping-pong", "others send all the time"

WHY = "how cables were plugged and in which order LIDs were given is not published: spread, and at random here"
WHY_FORMULA = "the published means are not those of the formula: other readings fit"
WHY_BINS = (
    "bins are filled as by a normal law of this mean and deviation (evidence); how many bins Fig. 5 has is not said")
WHY_LOWER = "networks of full bisection; the text has the least of 100,000 mappings in its histogram"
WHY_PACKETS = "pairs that share a link are blocked elsewhere, so that others get more than their share; flows fill four"
WHY_STEP = "others that wait for their answers leave the link free; a few of them are in or out of step with the pair"
WHY_LOGGP = "what one byte waits for packets of others is in L(pi) and, for long messages, in G times pi again"
WHY_MIMD = "the published bandwidths and shares give 96.74 as well: perhaps a misprint"


def config(fabric, variant=""):
    return f"{FABRICS[fabric]}-{variant}.toml" if variant else f"../../examples/fabrics/{FABRICS[fabric]}.toml"


def fabrics(quick):
    return ["Atlas", "Thunderbird"] if quick else list(FABRICS)


def count(pattern, quick):
    return {True: 200 if pattern == "bisect" else 20, False: PATTERNS if pattern == "bisect" else MAPPINGS}[quick]


def pattern_words(pattern, patterns, routes=ROUTES):
    return (*routes, "--pattern", pattern, "--count", str(patterns))


def flow_runs(quick):
    found = {}
    for fabric in fabrics(quick):
        for pattern in ("bisect", *PUBLISHED["bandwidth"]):
            found[f"{fabric}, {pattern}"] = Run(
                config(fabric), command="fabric ebb", words=pattern_words(pattern, count(pattern, quick)))
        if quick:
            continue
        profile = ("--profile", str(HERE.parents[1] / "examples/fabrics/applications.toml"), "--count", str(MAPPINGS))
        rated = ("--rated", str(PUBLISHED["gains"]["rated"])) if fabric == "Thunderbird" else ()
        found[f"{fabric}, applications"] = Run(config(fabric), command="fabric applications",
                                               words=(*ROUTES, *profile, *rated))
        for reading, variant in VARIANTS.items():
            found[f"{fabric}, bisect, {reading}"] = Run(
                config(fabric, variant), command="fabric ebb", words=pattern_words("bisect", MAPPINGS))
            found[f"{fabric}, applications, {reading}"] = Run(
                config(fabric, variant), command="fabric applications", words=(*ROUTES, *profile))
        found[f"{fabric}, bisect, {SWITCHES}"] = Run(
            config(fabric), command="fabric ebb", words=pattern_words("bisect", MAPPINGS, ("--engine", "minhop")))
        for seed in range(1, LEAST_OF + 1):
            found[f"{fabric}, dissemination, mapping {seed}"] = Run(
                config(fabric), command="fabric ebb", words=(*pattern_words("dissemination", 1), "--seed", str(seed)))
    return found


def repetitions(others_do, size):
    """Messages of the measured pair each way. While others play ping-pong, for many of their turns, which take up to
    twelve times 13 ms."""
    if others_do == STREAMS:
        return 100 if size < LARGE else 2
    return next(times for least, times in ((1 << 23, 40), (LARGE, 200), (1 << 17, 2000), (0, 20_000)) if size >= least)


def full_tbird_run(quick):
    words = pattern_words("neighbours:6", count("neighbours:6", quick))
    return Run("tbird-full.toml", command="fabric ebb", words=words)


def hot_spot_runs(quick):
    found = {"hot spot, flows": Run("congestion.toml", command="fabric ebb",
                                    words=("--engine", "minhop", "--pattern", f"file:{HERE / 'hot.txt'}"))}
    for others in OTHERS:
        for size in SIZES if others in CURVES else (SMALL, LARGE):
            if not quick:
                found[f"{PING_PONG}, {others} others, {size} bytes"] = Run("congestion.toml", {
                    "job.measured.workload.message_bytes": size, "job.measured.workload.result_bytes": size,
                    "job.measured.workload.repetitions": repetitions(PING_PONG, size),
                    **{f"job.others-{unwanted}.start_ns": NEVER_NS for unwanted in range(others + 1, 12)}})
            if quick and size not in (SMALL, LARGE) and others not in QUICK_CURVES:
                continue
            settings = {
                "job.measured.workload.message_bytes": size,
                "job.measured.workload.repetitions": repetitions(STREAMS, size),
                "job.others.workload.pairs": list(range(2 * max(others, 1)))}
            if others == 0:
                settings["job.others.start_ns"] = NEVER_NS
            found[f"{STREAMS}, {others} others, {size} bytes"] = Run("streams.toml", settings)
    return found


def runs(quick):
    found = {
        "example": Run("example.toml", command="fabric ebb",
                       words=("--engine", "dmodk", "--pattern", f"file:{HERE / 'pairs.txt'}")),
        "example, all patterns": Run("example.toml", command="fabric ebb", words=("--count", "1")),
        "CHiC, flows": Run("../../examples/fabrics/chic.toml", command="fabric ebb",
                           words=pattern_words("bisect", count("bisect", quick))),
        FULL_TBIRD: full_tbird_run(quick), **flow_runs(quick), **hot_spot_runs(quick)}
    for name, settings in QUEUES.items() if not quick else ():
        found[f"CHiC, packets, {name}"] = Run(
            "chic-512.toml", {"link.rate_gbps": RATE_GBPS, **settings}, command="fabric ebb",
            words=(*ROUTES, "--packets", "--count", str(PACKETS), "--messages", "1", "--bytes", str(LARGE)))
    return found


def example(found):
    """Fig. 1."""
    given = PUBLISHED["example"]["congestion"]
    congestion = found["example"].summary.get("congestion", [math.nan] * len(given))
    return [
        claim("Fig. 1: congestion of the 8 pairs", ", ".join(map(str, given)),
              {f"{ix}:": value for ix, value in enumerate(congestion, 1)}, congestion == given, form=".0f",
              tolerance="exact"),
        exact("Fig. 1: bisect patterns", PUBLISHED["example"]["patterns_possible"],
              found["example, all patterns"]["patterns_possible"])]


def time_ns(found, others_do, others, size):
    """From the begin of a message to its arrival."""
    run = found[f"{others_do}, {others} others, {size} bytes"]
    finish = run.summary.get("jobs", [{}])[0].get("finish_ns", math.nan)
    return finish / repetitions(others_do, size) / (2 if others_do == PING_PONG else 1)


def mib_per_s(found, others_do, others, size):
    return rate_of(size, time_ns(found, others_do, others, size))


def hot_spot(found, quick):
    """Figs. 2 and 3: a link that 1 to 12 pairs share. 2.2.2: "adding sending 8MB ping-pong MPI messages between the
    other node pairs"."""
    table = [exact("Figs. 2, 3: congestion of the 12 pairs by their routes", 12,
                   found["hot spot, flows"]["mean_congestion.max"])]
    for others_do in (PING_PONG, STREAMS) if not quick else (STREAMS,):
        reading = "" if others_do == PING_PONG else STREAMS
        latencies = [time_ns(found, others_do, others, SMALL) / 1000 for others in OTHERS]
        bandwidths = [mib_per_s(found, others_do, others, LARGE) for others in OTHERS]
        linear = math.nan if any(map(math.isnan, latencies)) else statistics.correlation(OTHERS, latencies) ** 2
        table.append(read_as(reading, claim(
            "Fig. 3: latency with 0 to 11 others, us", "a nearly linear increase",
            {"alone": latencies[0], "1 other": latencies[1], "11 others": latencies[11], "R2": linear}, linear > 0.98,
            form=".4g", tolerance="R2 0.98", why=WHY_STEP)))
        falls = all(more < less for less, more in zip(bandwidths, bandwidths[1:]))
        table.append(read_as(reading, claim(
            "Fig. 3: MiB/s of 1 MiB with 0 to 11 others", "a significant reduction",
            {"alone": bandwidths[0], "1 other": bandwidths[1], "11 others": bandwidths[11]},
            falls and bandwidths[11] < bandwidths[0] / 2, form=".1f", tolerance="below a half")))
        if quick:
            continue
        at = {others: [mib_per_s(found, others_do, others, size) for size in SIZES] for others in CURVES}
        ordered = all(b < a for less, more in zip(CURVES, CURVES[1:]) for a, b in zip(at[less], at[more], strict=True))
        table.append(read_as(reading, claim(
            "Fig. 2: 1 byte to 8 MiB, MiB/s by others", "less with each further one, at all sizes",
            {f"{others} others, 8 MiB": at[others][-1] for others in CURVES}, ordered, form=".0f", tolerance="order",
            why=WHY_STEP)))
    for others in CURVES if not quick else QUICK_CURVES:
        table += loggp(found, others)
    for others in (1, 2, 3, 11):
        table.append(figure(
            f"3.1: {others} others, MiB/s of 1 MiB, the model's 630 / {others + 1}", 630 / (others + 1),
            mib_per_s(found, STREAMS, others, LARGE), within=0.02, relative=True, form=".1f"))
    return table


def loggp(found, others):
    """Fig. 2 beside 3.1: "G is multiplied with pi. The latency can be modeled as a linear function L(pi)": L as with
    one byte."""
    latency = time_ns(found, STREAMS, others, SMALL)
    simulated = {size: mib_per_s(found, STREAMS, others, size) for size in SIZES[1:]}
    if any(map(math.isnan, (latency, *simulated.values()))):
        return []
    model = {size: rate_of(size, latency + (size - 1) * (others + 1) / 630 / (1 << 20) * 1e9) for size in SIZES[1:]}
    what = f"Fig. 2, 3.1: MiB/s by size with {others} others, LogGP of G times {others + 1}"
    form = {"within": 0.1, "relative": True, "form": ".1f", "why": WHY_LOGGP}
    waits = {size: rate_of(size, max(
        packets(size) * others * PACKET_NS + (size + 64 * packets(size)) * 8 / RATE_GBPS,
        time_ns(found, STREAMS, 0, size) + PACKET_NS / 2 * (others > 0))) for size in SIZES[1:]}
    return [curve(what, model, simulated, **form),
            evidence("closed form: each packet waits for one of each other", curve(what, waits, simulated, **form))]


def packets(size):
    return -(-size // 2048)


def rate_of(size, ns):
    """MiB/s."""
    return size / (1 << 20) / (ns * 1e-9)


def filled(counts):
    """Fractions of the bins, of 50, that hold more than 1 %."""
    whole = sum(counts)
    return [count / whole for count in counts if count > 0.01 * whole] if whole else []


def packets_of(found, queues="FIFO"):
    return found[f"CHiC, packets, {queues}"].summary.get("packets", {})


def mib_by_congestion(packets):
    link = packets.get("link_mib_per_s", math.nan)
    return {row["congestion"]: row["mean"] * link for row in packets.get("congestion", [])}


def fifty(packets):
    """Pairs in 50 bins, from bins around k / 200 of a link."""
    histogram = packets.get("histogram", {"edges": [], "packets": []})
    bins = [0] * 50
    for low, high, pairs in zip(histogram["edges"], histogram["edges"][1:], histogram["packets"]):
        bins[min(49, int((low + high) / 2 * 50))] += pairs
    return bins


def chic(found):
    """Fig. 4."""
    packets, given = packets_of(found), PUBLISHED["chic"]
    means = mib_by_congestion(packets)
    table = [
        figure(f"Fig. 4: CHiC, congestion {congestion} as packets, MiB/s{'' if congestion == '1' else ', the model'}",
               bandwidth, means.get(int(congestion), math.nan), within=0.05, relative=True, form=".1f")
        for congestion, bandwidth in given["bandwidth"].items()]
    shared = {congestion: means.get(int(congestion), math.nan) for congestion in ("2", "3", "4")}
    what = "Fig. 4: CHiC, MiB/s of congestion 2 to 4 beside the model's"
    table.append(claim(
        what, "slightly lower", {f"{congestion}:": mean for congestion, mean in shared.items()},
        all(0.95 <= mean / given["bandwidth"][congestion] < 1 for congestion, mean in shared.items()),
        form=".1f", tolerance="5 % below", why=WHY_PACKETS))
    alone = {str(others + 1): mib_per_s(found, STREAMS, others, LARGE) for others in (1, 2, 3)}
    table.append(evidence("2 to 4 pairs on a link of which nothing else is blocked", claim(
        what, "the model's", {f"{congestion}:": mean for congestion, mean in alone.items()},
        all(abs(mean / given["bandwidth"][congestion] - 1) < 0.005 for congestion, mean in alone.items()), form=".1f",
        tolerance="0.5 %")))
    what = "Fig. 4: CHiC, bins of 50 with more than 1 %"
    flows = found["CHiC, flows"].summary.get("route_histogram", {}).get("counts", [])
    form = {"within": 0, "form": ".0f", "why": WHY_PACKETS}
    table.append(figure(what, given["bins"], len(filled(fifty(packets))) or math.nan, **form))
    for queues in list(QUEUES)[1:]:
        bins = len(filled(fifty(packets_of(found, queues)))) or math.nan
        table.append(read_as(f"packets, {queues}", figure(what, given["bins"], bins, **form)))
    table.append(read_as("flows: the figure's simulation", figure(
        what, given["bins"], len(filled(flows)) or math.nan, **form)))
    return table


def value(found, run, reading):
    """Per cent."""
    return 100 * found[run][PATHS[reading]]


def normal_bins(mean, deviation):
    """How many of 50 bins a normal law fills with more than 1 %."""
    def below(x):
        return 0.5 * (1 + math.erf((x - mean) / deviation / math.sqrt(2)))
    return sum(below((ix + 1) / 50) - below(ix / 50) > 0.01 for ix in range(50))


def busiest(links, routes, chance):
    """Mean of the most routes on any of `links` that each get a binomial number of them."""
    at_most, mean = 0.0, 0.0
    for number in range(routes):
        at_most += math.comb(routes, number) * chance ** number * (1 - chance) ** (routes - number)
        mean += 1 - at_most ** links
    return mean


def drawn_bound(summary):
    """Per cent, lower bound of a round in which each host sends once, if the routes of a leaf's hosts drew its links
    up, those to it its links down, and those inside the cores likewise."""
    hosts, up = LEAVES.get(summary.get("fabric"), (0, 1))
    return 100 / busiest(2 * int(summary["switch_links"]), hosts, 1 / up) if hosts else math.nan


def bisect(found, quick):
    """Fig. 5."""
    given, table = dict(zip(FABRICS, PUBLISHED["bisect"]["bandwidth"], strict=True)), []
    for fabric in fabrics(quick):
        what, run = f"Fig. 5: {fabric}, bisect, %", f"{fabric}, bisect"
        form = {"within": 3, "form": ".1f", "why": WHY}
        table.append(figure(what, given[fabric], value(found, run, MEAN), **form))
        table.append(read_as(FORMULA, figure(what, given[fabric], value(found, run, FORMULA), **form)))
    if not quick:
        what = "Fig. 5: order of the three, %"
        readings = {"": "", **{reading: f", {reading}" for reading in (*VARIANTS, SWITCHES)}}
        for reading, suffix in readings.items():
            means = {fabric: value(found, f"{fabric}, bisect{suffix}", MEAN) for fabric in FABRICS}
            names = sorted(given, key=lambda fabric: given[fabric])
            row = claim(what, " < ".join(names), {name: means[name] for name in names},
                        means["Ranger"] > means["Atlas"] > means["Thunderbird"], form=".1f", tolerance="order", why=WHY)
            table.append(read_as(reading, row))
    for fabric in fabrics(quick):
        summary = found[f"{fabric}, bisect"].summary
        what = f"Fig. 5: {fabric}, bins of 50 with more than 1 % of the patterns"
        form = {"within": 0, "form": ".0f", "why": WHY_BINS}
        counts = {name: filled(summary.get(key, {}).get("counts", [])) for name, key in (
            (FORMULA, "sum_avg_histogram"), (MEAN, "histogram"))}
        number = {name: len(fractions) or math.nan for name, fractions in counts.items()}
        published_bins = PUBLISHED["bisect"]["bins"]
        table.append(figure(what, published_bins, number[FORMULA], **form))
        table.append(read_as(MEAN, figure(what, published_bins, number[MEAN], **form)))
        run = found[f"{fabric}, bisect"]
        mean, deviation = run["bandwidth.mean"], run["bandwidth.stddev"]
        law = math.nan if math.isnan(mean) else normal_bins(mean, deviation)
        table.append(evidence(f"a normal law of deviation {100 * deviation:.2f} %, {MEAN}", figure(
            what, law, number[MEAN], within=0, form=".0f")))
    ratio = value(found, "Thunderbird, bisect", MEAN) / value(found, "Atlas, bisect", MEAN)
    table.append(figure("Fig. 5: Thunderbird over Atlas, of half the bisection", given["Thunderbird"] / given["Atlas"],
                        ratio, within=0.05, form=".3f", published_as="0.730, not significantly worse", why=WHY))
    low, high = PUBLISHED["bisect"]["full"]
    for fabric in (*(name for name in FULL if name in fabrics(quick)), "CHiC"):
        share = value(found, "CHiC, flows" if fabric == "CHiC" else f"{fabric}, bisect", MEAN)
        table.append(claim(f"abstract: {fabric}, full bisection, %", f"{low} to {high}", {"": share},
                           low - 3 <= share <= high + 3, form=".1f", tolerance="3", why=WHY))
    shares = {"CHiC": 100 * found["CHiC, flows"]["bandwidth.mean"],
              **{fabric: value(found, f"{fabric}, bisect", MEAN) for fabric in ("Atlas", "Thunderbird")}}
    most = PUBLISHED["bisect"]["most"]
    table.append(claim("conclusions: CHiC, Atlas, Thunderbird, %", f"none above {most}", shares,
                       max(shares.values()) <= most + 0.5, form=".1f", tolerance="0.5", why=WHY))
    return table


def collectives(found, quick):
    """Figs. 7 to 9."""
    table = []
    for number, (pattern, bandwidths) in zip((7, 8, 9), PUBLISHED["bandwidth"].items(), strict=True):
        for fabric, bandwidth in zip(FABRICS, bandwidths, strict=True):
            if fabric not in fabrics(quick):
                continue
            run, what = f"{fabric}, {pattern}", f"Fig. {number}: {fabric}, {pattern}, %"
            for reading in (FORMULA, MEAN, *([TASKS] if pattern.startswith("neighbours") else [])):
                row = figure(what, bandwidth, value(found, run, reading), within=3, form=".1f", why=WHY_FORMULA)
                table.append(row if reading == FORMULA else read_as(reading, row))
    for fabric in fabrics(quick):
        table += bounds(found, fabric, quick)
    for fabric in fabrics(quick):
        means = {pattern: value(found, f"{fabric}, {pattern}", MEAN) for pattern in PUBLISHED["bandwidth"]}
        table.append(claim(f"5.1: {fabric}, the tree pattern", "the best results", means,
                           max(means, key=means.get) == "tree", form=".1f", tolerance="order", why=WHY))
        run = f"{fabric}, neighbours:6"
        gap = {"upper": value(found, run, FORMULA), "lower": 100 * found[run]["sum_max"]}
        table.append(claim(f"Fig. 9: {fabric}, upper and lower, %", "a huge gap", gap,
                           gap["upper"] >= 2 * gap["lower"], form=".1f",
                           tolerance="twice", why="half the bisection: links have more routes, and differ less"))
        if fabric == "Thunderbird":
            gap = {"upper": value(found, FULL_TBIRD, FORMULA), "lower": 100 * found[FULL_TBIRD]["sum_max"]}
            table.append(evidence("with 16 links up: full bisection", claim(
                f"Fig. 9: {fabric}, upper and lower, %", "a huge gap", gap, gap["upper"] >= 2 * gap["lower"],
                form=".1f", tolerance="twice")))
    return table


def bounds(found, fabric, quick):
    """Fig. 7: lower and upper."""
    run, given = f"{fabric}, dissemination", PUBLISHED["dissemination"]
    low, high = given["lower"]
    what = f"Fig. 7: {fabric}, dissemination, lower bound, %"

    def lower(share):
        return claim(what, f"{low} to {high}", {"": share}, low - 1 <= share <= high + 1, form=".1f", tolerance="1",
                     why=WHY_LOWER)

    table = [lower(100 * found[run]["sum_max"])]
    if not quick:
        least = min(100 * found[f"{run}, mapping {seed}"]["sum_max"] for seed in range(1, LEAST_OF + 1))
        table.append(read_as(f"\"as small as\": the least of {LEAST_OF} mappings", lower(least)))
    table.append(evidence(DRAWN, figure(what, drawn_bound(found[run].summary), 100 * found[run]["sum_max"], within=2,
                                        form=".1f")))
    low_up, high_up = given["upper"]
    what_up = f"Fig. 7: {fabric}, dissemination, upper bound, %"
    for reading in (FORMULA, MEAN):
        share = value(found, run, reading)
        row = claim(what_up, f"{low_up} to {high_up}", {"": share}, low_up - 1 <= share <= high_up + 1, form=".1f",
                    tolerance="1", why="the text's own mean of Thunderbird is 27.4; for the others see the readings")
        table.append(row if reading == FORMULA else read_as(reading, row))
    own = PUBLISHED["bandwidth"]["dissemination"][list(FABRICS).index(fabric)]
    table.append(evidence("the text's own mean", figure(what_up, own, value(found, run, MEAN), within=3, form=".1f")))
    return table


def left(found, run, application, path=("left",)):
    """Per cent."""
    row = next((row for row in found[run].summary.get("applications", []) if row.get("name") == application), {})
    for key in path:
        row = row.get(key, {})
    return 100 * row if isinstance(row, float) else math.nan


#: examples/fabrics/applications.toml, fractions of run time: neighbours, tree.
FRACTIONS = {"MPQC": (0, 0.092), "MIMD": (0.08084, 0.003008), "POP": (0.274, 0.046), "Octopus": (0.022995, 0.064995)}


def left_of(application, neighbours, tree):
    """5.2 by hand: what is left, per cent, of fractions of a link's bandwidth."""
    of_neighbours, of_tree = FRACTIONS[application]
    return 100 * (1 - of_neighbours * (1 - neighbours) - of_tree * (1 - tree))


def from_published(application, fabric):
    place = list(FABRICS).index(fabric)
    return left_of(application, *(PUBLISHED["bandwidth"][name][place] / 100 for name in ("neighbours:6", "tree")))


def applications(found):
    """5.2."""
    table = []
    for application, speeds in PUBLISHED["applications"].items():
        for fabric, speed in zip(FABRICS, speeds, strict=True):
            what, run = f"5.2: {application} on {fabric}, speed left, %", f"{fabric}, applications"
            is_misprint = (application, fabric) == ("MIMD", "Atlas")
            form = {"within": 0.5, "form": ".2f", "why": WHY_MIMD if is_misprint else WHY}
            table.append(figure(what, speed, left(found, run, application), **form))
            if is_misprint:
                table.append(evidence("5.2 by hand from the published bandwidths", figure(
                    what, from_published(application, fabric), left(found, run, application), within=0.5, form=".2f")))
            if (application, fabric) == ("POP", "Atlas"):
                simulated = found[run].summary.get("bandwidth", {})
                by_hand = left_of(application, *(simulated.get(name, math.nan) for name in ("neighbours:6", "tree")))
                table.append(evidence("5.2 by hand from the bandwidths simulated here, which are inside", figure(
                    what, by_hand, left(found, run, application), within=0.05, form=".2f")))
            if fabric == "Atlas":
                table += [read_as(reading, figure(what, speed, left(found, f"{run}, {reading}", application), **form))
                          for reading in VARIANTS]
    gain = ends(100 - left(found, f"{fabric}, applications", application)
                for application in PUBLISHED["applications"] for fabric in FULL)[1]
    table.append(figure("abstract: largest gain of an application, full bisection, %", PUBLISHED["gains"]["full"],
                        gain, within=0.5, form=".2f", published_as="up to 12", why=WHY))
    for application, speeds in PUBLISHED["applications"].items():
        what = f"5.2: {application} on Thunderbird, rated bandwidth a strict limit, %"
        half = 100 - PUBLISHED["gains"]["rated"] * (100 - speeds[2])
        for reading, key in (("", "gain"), ("each pattern beside the rated bandwidth", "over_rated")):
            row = figure(what, half, left(found, "Thunderbird, applications", application, ("left_rated", key)),
                         within=0.5, form=".2f", published_as=f"{half:.2f}, half the gain", why=WHY)
            table.append(read_as(reading, row))
    return table


def rows(found, quick):
    table = [*example(found), *hot_spot(found, quick), *bisect(found, quick), *collectives(found, quick)]
    return table if quick else [*table, *chic(found), *applications(found)]


def shown_bins(counts, most=6):
    """{bin, per cent: fraction} of the fullest."""
    whole = sum(counts)
    fullest = sorted(sorted(range(len(counts)), key=lambda ix: -counts[ix])[:most])
    shown = {f"{2 * ix}-{2 * ix + 2}:": 100 * counts[ix] / whole for ix in fullest if counts[ix] > 0.005 * whole}
    return shown or {"": math.nan}


def choices(found, quick):
    """Histograms of Figs. 4 and 5, both readings; CHiC's switches; curves of Fig. 2; other tables."""
    table = []
    for fabric in fabrics(quick):
        summary = found[f"{fabric}, bisect"].summary
        for reading, key in ((FORMULA, "sum_avg_histogram"), (MEAN, "histogram")):
            what = f"Fig. 5: {fabric}, per cent of {count('bisect', quick):,} patterns in bins of 2 %, {reading}"
            table.append(tried(what, "in a figure", shown_bins(summary.get(key, {}).get("counts", [])), form=".1f"))
    if quick:
        return table
    for fabric, bandwidth in zip(FABRICS, PUBLISHED["bisect"]["bandwidth"], strict=True):
        for reading in (*VARIANTS, SWITCHES):
            table.append(tried(f"{fabric}: bisect, {reading}, %", f"{bandwidth}",
                               {"": value(found, f"{fabric}, bisect, {reading}", MEAN)}, form=".1f"))
    bars = PUBLISHED["chic"]["bandwidth"]
    flows = found["CHiC, flows"].summary.get("route_histogram", {}).get("counts", [])
    table.append(tried("Fig. 4: CHiC, per cent of the pairs in bins of 2 % of a link, flows", "in a figure",
                       shown_bins(flows), form=".1f"))
    for queues in QUEUES:
        packets = packets_of(found, queues)
        table.append(tried(f"Fig. 4: CHiC, per cent of the pairs in bins of 2 % of a link, packets, {queues}",
                           "in a figure", shown_bins(fifty(packets)), form=".1f"))
        means = mib_by_congestion(packets)
        table.append(tried(f"Fig. 4: CHiC, MiB/s by congestion, packets, {queues}",
                           ", ".join(f"{bar:g}" for bar in bars.values()),
                           {f"{congestion}:": means.get(int(congestion), math.nan) for congestion in bars}, form=".1f"))
    for others_do in (PING_PONG, STREAMS):
        for others in CURVES:
            table.append(tried(f"Fig. 2: {others} others, {others_do}, MiB/s by bytes", "in a figure",
                               {f"{size}:": mib_per_s(found, others_do, others, size) for size in SIZES}, form=".4g"))
        table.append(tried(f"Fig. 3: us of 1 byte by others, {others_do}", "in a figure",
                           {f"{others}:": time_ns(found, others_do, others, SMALL) / 1000
                            for others in OTHERS}, form=".1f"))
        table.append(tried(f"Fig. 3: MiB/s of 1 MiB by others, {others_do}", "in a figure",
                           {f"{others}:": mib_per_s(found, others_do, others, LARGE) for others in OTHERS}, form=".1f"))
    return table
