"""The NAS Parallel Benchmarks, class W, 64 tasks, on a torus of 8 x 8. The traces (bt, is, cg.W.64.trc.xz, recorded
with MPE, messages of collective calls included, computing in ns of processor time) are no part of the project:
WEFT_TRACES is their folder."""

import os
from pathlib import Path

from weft.study import Run, claim, figure, published, tried

PUBLISHED = published(__file__)
TRACES = Path(os.environ.get("WEFT_TRACES") or Path(__file__).resolve().parents[3] / "shared/traces/npb-extended")
ROUTINGS = {"oblivious, 1 channel": ("oblivious", 1), "oblivious, 3 channels": ("oblivious", 3),
            "adaptive (smart), 3 channels": ("smart", 3), "adaptive (shortest), 3 channels": ("shortest", 3)}
BASE, CHANNELS, SMART, SHORTEST = ROUTINGS
PHIT_BITS = 32
FITTED_RATE = "10"
#: Computing of the trace, in ns of a core of today with the cost of logging, to that of the paper's cluster: with these
#: factors CG takes at FITTED_RATE what is published there. Fitted by secants on 2026-11-25; the row of FITTED_RATE says
#: how well.
CPU_SCALE = {BASE: 4.32, SMART: 4.35}
MULTIPLE = {"router.consumption": "multiple", "router.arbitration": "round-robin"}
WHY_IS = (
    "the traces are not the same (the messages of an all-to-all are all posted at once here), nor, perhaps, "
    "consumption and arbitration")
WHY_SLOW = (
    "the published times are 0.22 s of computing and 10.2 million cycles of communication; communication alone is 7.9 "
    "million cycles here with oblivious routing and 1 channel, 5.4 million with adaptive routing: headers in packets, "
    "or another network behind the published times, would explain it")


def programs(quick):
    return ["IS"] if quick else ["BT", "IS", "CG"]


def run(program, routing, **keys):
    path = str(TRACES / f"{program.lower()}.W.64.trc.xz")
    mode, channels = ROUTINGS[routing]
    return Run(
        "torus.toml", {"workload.path": path, "router.routing": mode, "router.virtual_channels": channels, **keys},
        input_path=path)


def runs(quick):
    found = {}
    for program in programs(quick):
        for routing in ROUTINGS:
            found[f"{program}, {routing}"] = run(program, routing)
    if not quick:
        for routing in ROUTINGS:
            found[f"IS, {routing}, multiple consumption"] = run("IS", routing, **MULTIPLE)
        for routing, scale in CPU_SCALE.items():
            for rate in PUBLISHED["seconds"]:
                found[f"CG, {routing}, {rate} Gb/s"] = run(
                    "CG", routing, **{"link.rate_gbps": float(rate), "workload.cpu_scale": scale})
    return found


def times(found, program, more=""):
    """{routing: time over that of BASE}."""
    base = found[f"{program}, {BASE}{more}"]["cycles"]
    return {routing: found[f"{program}, {routing}{more}"]["cycles"] / base for routing in (CHANNELS, SMART, SHORTEST)}


def rows(found, quick):
    of = {program: times(found, program) for program in programs(quick)}
    sort = of["IS"]
    table = [
        claim(f"IS, {CHANNELS}", "clearly below 1", {"": sort[CHANNELS]}, sort[CHANNELS] < 0.9, tolerance="below 0.9")]
    for routing in (SMART, SHORTEST):
        gain = (1 - sort[CHANNELS]) / (1 - sort[routing])
        table.append(claim(f"IS, {routing}", "as oblivious with 3", {"": sort[routing], "oblivious": sort[CHANNELS]},
                           abs(sort[routing] / sort[CHANNELS] - 1) < 0.05, tolerance="5 %",
                           difference=f"{100 * (sort[routing] / sort[CHANNELS] - 1):+.1f} %", why=WHY_IS))
        table.append(
            claim(
                f"IS, {routing}: what channels bring of all that is gained", "most", {"": gain}, gain > 0.75,
                tolerance="above 0.75", form=".2f"))
    return table if quick else [*table, *others(of), *run_times(found)]


def others(of):
    for routing, time in of["BT"].items():
        yield figure(f"BT, {routing}", 1, time, within=0.08, relative=True, form=".3f", published_as="~ 1")
    gradients = of["CG"]
    yield claim(f"CG, {CHANNELS}", "below 1, by less than IS", {"CG": gradients[CHANNELS], "IS": of["IS"][CHANNELS]},
                of["IS"][CHANNELS] < gradients[CHANNELS] < 1, tolerance="order")
    for routing in (SMART, SHORTEST):
        yield claim(
            f"CG, {routing}", "clearly less than oblivious with 3",
            {"": gradients[routing], "oblivious": gradients[CHANNELS]}, gradients[routing] < 0.95 * gradients[CHANNELS],
            tolerance="5 %")


def run_times(found):
    for routing, scale in CPU_SCALE.items():
        seconds = {
            rate: found[f"CG, {routing}, {rate} Gb/s"]["cycles"] * PHIT_BITS / float(rate) * 1e-9
            for rate in PUBLISHED["seconds"]}
        for rate, value in PUBLISHED["seconds"].items():
            fitted = f", fitted by cpu_scale {scale}" if rate == FITTED_RATE else ""
            yield figure(
                f"CG, {routing}: run time at {rate} Gb/s{fitted}, s", value, seconds[rate],
                within=0.01 if fitted else 0.15, relative=True, form=".2f", why=WHY_SLOW)
        rates = list(seconds)
        for (rate, value), faster in zip(PUBLISHED["speed_up"].items(), rates[1:], strict=True):
            yield figure(
                f"CG, {routing}: speed-up from {rate} to {faster} Gb/s", value, seconds[rate] / seconds[faster],
                within=0.15, relative=True, form=".2f", why=WHY_SLOW)


def choices(found, quick):
    if quick:
        return []
    table = []
    for what, more in (("as in the table", ""), ("multiple consumption, round robin", ", multiple consumption")):
        of = times(found, "IS", more)
        table.append(
            tried(
                f"IS: {what}", "adaptive as oblivious with 3", of,
                verdict="fits" if max(
                    abs(of[routing] / of[CHANNELS] - 1) for routing in (SMART, SHORTEST)) < 0.05 else "does not fit"))
    return table
