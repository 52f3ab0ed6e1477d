"""Random patterns on the routes of Ranger, Atlas and Thunderbird (destinations in the order of their LIDs, as clusters
of 2008 had them), the worked example, what applications keep, the same patterns as packets on CHiC, and a pair whose
link more and more others share."""

import math
import statistics
from pathlib import Path

from weft.study import Run, claim, exact, figure, published, tried

PUBLISHED = published(__file__)
HERE = Path(__file__).resolve().parent
FABRICS = {"Ranger": "ranger", "Atlas": "atlas", "Thunderbird": "tbird"}
ROUTES = ("--engine", "minhop", "--order", "lid")
PACKETS = 20
WHY = "how cables were plugged and in which order LIDs were given is not published: spread, and at random here"
WHY_MIMD = "the published bandwidths and shares give 96.74 as well: perhaps a misprint"
OTHERS = range(12)
SMALL, LARGE = 1, 1 << 20
NEVER_NS = 1e12


def config(fabric):
    return f"../../examples/fabrics/{FABRICS[fabric]}.toml"


def fabrics(quick):
    return ["Atlas", "Thunderbird"] if quick else list(FABRICS)


def count(pattern, quick):
    return 20 if quick else 100 if pattern == "bisect" else 40


def runs(quick):
    pairs = str(HERE / "pairs.txt")
    found = {
        "example": Run("example.toml", command="fabric ebb", words=("--engine", "dmodk", "--pattern", f"file:{pairs}")),
        "example, all patterns": Run("example.toml", command="fabric ebb", words=("--count", "1"))}
    for fabric in fabrics(quick):
        for pattern in PUBLISHED["bandwidth"]:
            words = (*ROUTES, "--pattern", pattern, "--count", str(count(pattern, quick)))
            found[f"{fabric}, {pattern}, {count(pattern, quick)}"] = Run(
                config(fabric), command="fabric ebb", words=words)
        if not quick:
            profile = str(HERE.parents[1] / "examples/fabrics/applications.toml")
            found[f"{fabric}, applications"] = Run(config(fabric), command="fabric applications",
                                                   words=(*ROUTES, "--profile", profile, "--count", "40"))
    for others in OTHERS:
        for size, messages in ((SMALL, 100), (LARGE, 2)):
            settings = {
                "job.measured.workload.message_bytes": size, "job.measured.workload.repetitions": messages,
                "job.others.workload.pairs": list(range(2 * max(others, 1)))}
            if others == 0:
                settings["job.others.start_ns"] = NEVER_NS
            found[f"{others} others, {size} bytes"] = Run("congestion.toml", settings)
    if not quick:
        found["CHiC, packets"] = Run("../../examples/fabrics/chic.toml", {"link.rate_gbps": 5.45}, command="fabric ebb",
                                     words=(*ROUTES, "--packets", "--count", str(PACKETS)))
    return found


def applications(found):
    for application, speeds in PUBLISHED["applications"].items():
        for fabric, speed in zip(FABRICS, speeds, strict=True):
            listed = found[f"{fabric}, applications"].summary.get("applications", [])
            simulated = next((100 * row["left"] for row in listed if row.get("name") == application), math.nan)
            yield figure(f"{application} on {fabric}: speed left, %", speed, simulated, within=0.5, form=".2f",
                         why=WHY_MIMD if (application, fabric) == ("MIMD", "Atlas") else WHY)


def chic(found):
    packets = found["CHiC, packets"].summary.get("packets", {})
    means = {row["congestion"]: row["mean"] * packets["link_mib_per_s"] for row in packets.get("congestion", [])}
    for congestion, bandwidth in PUBLISHED["chic"].items():
        yield figure(
            f"CHiC: pairs of congestion {congestion} as packets, MiB/s", bandwidth,
            means.get(int(congestion), math.nan), within=0.05, relative=True, form=".1f")


def time_ns(run, messages):
    return run.summary.get("jobs", [{}])[0].get("finish_ns", math.nan) / messages


def hot_spot(found):
    """A link that 1 to 12 pairs share: time of a small message, bandwidth of a large one."""
    latencies = [time_ns(found[f"{others} others, {SMALL} bytes"], 100) for others in OTHERS]
    linear = math.nan if any(map(math.isnan, latencies)) else statistics.correlation(OTHERS, latencies) ** 2
    yield claim(
        "latency with 0 to 11 others on the link", "a nearly linear increase", {"R2": linear}, linear > 0.98,
        form=".4f", tolerance="0.98")
    for others in (1, 2, 3, 11):
        mib = LARGE / (1 << 20) / (time_ns(found[f"{others} others, {LARGE} bytes"], 2) * 1e-9)
        yield figure(
            f"{others} others on the link: MiB/s of 1 MiB, the model's 630 / {others + 1}", 630 / (others + 1), mib,
            within=0.02, relative=True, form=".1f")


def rows(found, quick):
    example = found["example"].summary
    same = example.get("congestion") == PUBLISHED["example"]["congestion"]
    congestion = {f"{ix}": value for ix, value in enumerate(example.get("congestion", [math.nan]), 1)}
    table = [
        claim(
            "worked example: congestion of the 8 pairs", "3, 3, 3, 1, 1, 1, 1, 1", {"": sum(congestion.values())}, same,
            form=".0f in all", tolerance="exact")
        if math.isnan(sum(congestion.values()))
        else claim(
            "worked example: congestion of the 8 pairs", "3, 3, 3, 1, 1, 1, 1, 1",
            {f"{name}:": value for name, value in congestion.items()}, same, form=".0f", tolerance="exact"),
        exact(
            "worked example: bisect patterns", PUBLISHED["example"]["patterns_possible"],
            found["example, all patterns"]["patterns_possible"])]
    for pattern, bandwidths in PUBLISHED["bandwidth"].items():
        for fabric, bandwidth in zip(FABRICS, bandwidths, strict=True):
            if fabric in fabrics(quick):
                run = found[f"{fabric}, {pattern}, {count(pattern, quick)}"]
                simulated = 100 * run["task_avg" if pattern.startswith("neighbours") else "bandwidth.mean"]
                table.append(figure(f"{fabric}: {pattern}, %", bandwidth, simulated, within=3, form=".1f", why=WHY))
    low, high = PUBLISHED["pessimistic"]["dissemination"]
    for fabric in fabrics(quick):
        bound = 100 * found[f"{fabric}, dissemination, {count('dissemination', quick)}"]["sum_max"]
        table.append(
            claim(
                f"{fabric}: dissemination, pessimistic bound, %", f"{low} to {high}", {"": bound},
                low - 1 <= bound <= high + 1, form=".1f", tolerance="1", why=f"networks of full bisection only; {WHY}"))
    table += hot_spot(found)
    return table if quick else [*table, *applications(found), *chic(found)]


def choices(found, quick):
    table = []
    for pattern, bandwidths in PUBLISHED["bandwidth"].items():
        for fabric, bandwidth in zip(FABRICS, bandwidths, strict=True):
            if fabric not in fabrics(quick):
                continue
            run = found[f"{fabric}, {pattern}, {count(pattern, quick)}"]
            for reading, path in (
                    ("mean of 1 / congestion", "bandwidth.mean"), ("1 / mean congestion (the formula)", "sum_avg")):
                value = 100 * run[path]
                table.append(
                    tried(
                        f"{fabric}: bandwidth of {pattern} is {reading}, %", f"{bandwidth}", {"": value}, form=".1f",
                        verdict="fits" if abs(value - bandwidth) < 3 else "does not fit"))
    return table
