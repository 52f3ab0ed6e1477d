"""Three kernels with the exchanges of IS, CG and BT, class A on 64 processes: in virtual machines over their own TCP,
and as processes without computing, on rings with and without restricted injection; slices of three lengths; the frames
of a slice."""

import math

from weft.study import Program, Run, claim, ends, evidence, exact, figure, published, read_as, tried

PUBLISHED = published(__file__)
KERNELS = ("bt", "cg", "is")
CONTROLS = {"base": {}, "IPR": {"router.ipr_fraction": 1.0}, "LBR": {"router.lbr_packets": 3}}
GUESTS = 16
#: Slices of 1,000 instructions cost the processor 70 us a guest: fewer guests for the three lengths.
FEW = 4
#: Instructions of guests take 4 ns, those of the text 5 (guests.toml).
GUEST_NS = 4
TEXT_OVER_GUEST = PUBLISHED["instruction_ns"] / GUEST_NS
SLOW, FAST = PUBLISHED["link_mbps"], PUBLISHED["fast_mbps"]
SLICES = tuple(map(int, PUBLISHED["slices"]))
USUAL = 10_000
COMMAND = "mpiexec -n {guests} sh -c 'echo reno >/proc/sys/net/ipv4/tcp_congestion_control; exec kernels {kernels}'"
#: Linux waits for no acknowledgement for less than this before it sends again (TCP_RTO_MIN).
LEAST_TIMER_MS = 200
FRAME_NODES = 8
#: IS alone, with so many keys that its exchange takes as long on 16 processes as the usual one on 64 (0.61 s over
#: 0.135 s).
LONG_IS, LONG = ("is:4.5",), "IS with keys for 0.6 s"
#: A kernel in guests takes what it takes without TCP and computing, and what those add, within this.
ADDED_WITHIN = 0.03
WHY_TIMERS = (
    "no frame is in flight for 200 ms, the least that Linux waits for, so TCP sends again only what came out of order")
WHY_JITTER = "on 16 nodes the deviation of the network's own latency grows under IPR and LBR; on 64 it falls"
WHY_FAST = (
    "published is the more because frames come too late for TCP's timers; here none does, and on the fast network IS "
    "mostly computes and goes through the guests' protocol stack")
WHY_FASTER = (
    "what IPR and LBR save or cost is what they do without TCP: CG, of small messages, gains nothing, as 7.1 says")


def guests(control, mbps=SLOW, slices=USUAL, number=GUESTS, kernels=KERNELS):
    settings = {
        "topology.dims": [number], "link.rate_gbps": mbps / 1000 * TEXT_OVER_GUEST, "cosim.slice_ns": slices * GUEST_NS,
        "cosim.programs": "{program}",
        "cosim.guest_command": COMMAND.format(guests=number, kernels=" ".join(kernels))}
    return Run("guests.toml", {**settings, **CONTROLS[control]}, command="cosim",
               program=Program("kernels.c", in_guests=True))


def processes(number, control):
    settings = {"topology.dims": [number], "workload.tasks": number, "cosim.program": "{program} " + " ".join(KERNELS)}
    return Run("processes.toml", {**settings, **CONTROLS[control]}, command="cosim", program=Program("kernels.c"))


def numbers_of_processes(quick):
    return (16,) if quick else (4, 16, 64)


def runs(quick):
    found = {
        f"frames, {slices}": Run(
            "frames.toml", {"cosim.slice_ns": slices * PUBLISHED["instruction_ns"]}, command="cosim")
        for slices in SLICES}
    for number in numbers_of_processes(quick):
        for control in CONTROLS if number >= 16 else ("base",):
            found[f"{number} processes, {control}"] = processes(number, control)
    if quick:
        return found
    for mbps in (SLOW, FAST):
        for control in CONTROLS:
            found[f"{mbps} Mb/s, {USUAL}, {control}"] = guests(control, mbps)
    for slices in SLICES:
        for control in ("base", "IPR"):
            found[f"{FEW} guests, {slices}, {control}"] = guests(control, slices=slices, number=FEW)
    for control in CONTROLS:
        found[f"{LONG}, {control}"] = guests(control, kernels=LONG_IS)
    return found


def said(run, kernel, name):
    """A figure of a kernel; NaN if its data came wrong."""
    return run[f"said.{kernel}.{name}"] if run[f"said.{kernel}.wrong"] == 0 else math.nan


def seconds(run):
    return {kernel.upper(): said(run, kernel, "seconds") for kernel in KERNELS}


def ratio(of, to):
    return {name: of[name] / to[name] for name in of}


def rows(found, quick):
    table = [*frames({slices: found[f"frames, {slices}"] for slices in SLICES})]
    return table if quick else [*table, *clocks(found), *controls(found), *speeds(found), *slices(found)]


def frames(run):
    longest = run[SLICES[-1]]
    yield figure("7.4: smallest frames of a node in a slice of 100,000", PUBLISHED["frames"],
                 longest["messages.sent"] / (longest["cosim.slices"] * FRAME_NODES), within=PUBLISHED["frames_within"],
                 relative=True, form=".1f", published_as="up to 70")
    yield exact("7.4: packets of the smallest frame", PUBLISHED["packets_of_a_frame"],
                longest["packets.generated"] / longest["messages.sent"])
    for slices, us in PUBLISHED["late_us"].items():
        yield figure(f"7.4: false delay in slices of {int(slices):,}, us", us,
                     run[int(slices)]["cosim.late.max_ns"] / 1000, within=PUBLISHED["late_within"], relative=True,
                     form=".1f", published_as=f"up to {us}")


def predictions(found, number):
    """7.1, of these kernels"""
    base = seconds(found[f"{number} processes, base"])
    of = {control: ratio(seconds(found[f"{number} processes, {control}"]), base) for control in ("IPR", "LBR")}
    words = {"is": "up to 15 % faster", "cg": "about 3 % slower", "bt": "faster"}
    for kernel, (low, high) in PUBLISHED["predicted"].items():
        times = {control: of[control][kernel.upper()] for control in of}
        fits = all(low <= time <= high for time in times.values())
        yield tried(f"7.1 of these kernels: {kernel.upper()}, {number} processes without computing", words[kernel],
                    times, form=".3f", verdict="fits" if fits else f"not within {low} to {high}")


def clocks(found):
    run = {slices: found[f"{FEW} guests, {slices}, base"] for slices in SLICES}
    for slices, cycles in PUBLISHED["slices"].items():
        at = run[int(slices)]
        yield exact(f"7.4: cycles of a slice of {int(slices):,} instructions", cycles,
                    at["cosim.slice_ns"] / at["cycle_ns"])


def controls(found):
    """7.2, Figs. 7 and 8a"""
    run = {control: found[f"{SLOW} Mb/s, {USUAL}, {control}"] for control in CONTROLS}
    long = {control: found[f"{LONG}, {control}"] for control in CONTROLS}
    yield from timers(run["base"], long["base"])
    for control in ("IPR", "LBR"):
        what = f"Fig. 7: MPICH under {control}, time over that without"
        times = ratio(seconds(run[control]), seconds(run["base"]))
        yield claim(what, "faster in all cases", times, all(time < 1 for time in times.values()), why=WHY_FASTER)
        yield evidence("without TCP, and what TCP and computing add", as_without_tcp(found, what, control, times))
        yield read_as(LONG, less(what, "faster", long, control, "seconds"))
        what = f"7.2: jitter under {control} over that without"
        yield less(what, "reduced", run, control, "jitter_us", KERNELS, WHY_JITTER)
        yield evidence("deviation of the network's latency without TCP", by_nodes(found, what, control))
        yield read_as(LONG, less(what, "reduced", long, control, "jitter_us"))
        again = {
            name: sum(said(run[name], kernel, "retransmitted") for kernel in KERNELS) for name in ("base", control)}
        yield claim(f"7.2: frames sent again under {control}", "reduced", again, again[control] < again["base"],
                    form=".0f")


def timers(run, long):
    what = "7.2: timers of TCP run out wrongly without control"
    counts = {kernel.upper(): said(run, kernel, "timeouts") for kernel in KERNELS}
    yield claim(what, "continuously", counts, sum(counts.values()) > 0, form=".0f", why=WHY_TIMERS)
    yield longest_frame(what, run)
    count = said(long, "is", "timeouts")
    yield read_as(LONG, claim(what, "continuously", {"IS": count}, count > 0, form=".0f"))


def longest_frame(what, run):
    """Evidence: no timer can run out, since no frame is late enough."""
    longest_ms = run["cosim.latency_ns.max"] / 1e6
    return evidence("the longest frame", claim(
        what, f"less than the least timer, {LEAST_TIMER_MS} ms", {"ms": longest_ms}, longest_ms < LEAST_TIMER_MS,
        form=".1f", tolerance="bound"))


def less(what, words, run, control, name, kernels=("is",), why=""):
    """A figure of each kernel falls under a control."""
    of = {kernel.upper(): said(run[control], kernel, name) / said(run["base"], kernel, name) for kernel in kernels}
    return claim(what, words, of, all(value < 1 for value in of.values()), why=why)


def as_without_tcp(found, what, control, times):
    """Times in guests, beside those that follow from what the control saves of the time of processes without
    computing."""
    base, with_control = (seconds(found[f"{GUESTS} processes, {name}"]) for name in ("base", control))
    whole = seconds(found[f"{SLOW} Mb/s, {USUAL}, base"])
    follows = {name: 1 - (base[name] - with_control[name]) / (whole[name] * TEXT_OVER_GUEST) for name in times}
    return claim(what, ", ".join(f"{name} {value:.3f}" for name, value in follows.items()), times,
                 all(abs(times[name] - follows[name]) <= ADDED_WITHIN for name in times), tolerance=f"{ADDED_WITHIN}")


def by_nodes(found, what, control):
    of = {}
    for number in (16, 64):
        with_control, base = (
            found[f"{number} processes, {name}"]["latency.stddev"] for name in (control, "base"))
        of[number] = with_control / base
    return claim(what, "reduced on the text's 64 nodes, not on 16",
                 {f"{number}:": value for number, value in of.items()}, of[64] < 1 < of[16])


def speeds(found):
    """7.3, Fig. 8"""
    for control in ("IPR", "LBR"):
        of = {
            mbps: ratio(*(seconds(found[f"{mbps} Mb/s, {USUAL}, {name}"]) for name in (control, "base")))
            for mbps in (SLOW, FAST)}
        shown = {f"{name} at {mbps}:": of[mbps][name] for name in ("CG", "IS") for mbps in (SLOW, FAST)}
        what = f"Fig. 8: {control} on a network of {FAST} Mb/s"
        yield claim(what, f"more beneficial than at {SLOW}", shown,
                    all(of[FAST][name] < of[SLOW][name] for name in ("CG", "IS")), why=WHY_FAST)
        yield longest_frame(what, found[f"{FAST} Mb/s, {USUAL}, base"])


def slices(found):
    """7.4, Fig. 9"""
    slower = {}
    for control in ("base", "IPR"):
        shortest = seconds(found[f"{FEW} guests, {SLICES[0]}, {control}"])
        for length in SLICES[1:]:
            times = ratio(seconds(found[f"{FEW} guests, {length}, {control}"]), shortest)
            slower[length] = slower.get(length, {}) | {f"{name} {control}": time for name, time in times.items()}
    yield figure("Fig. 9a: slices of 10,000 over those of 1,000, slowest", PUBLISHED["worst_of_10000"],
                 ends(slower[USUAL].values())[1], within=PUBLISHED["worst_within"], form=".3f")
    longest = slower[SLICES[-1]]
    slowest = max(longest.values())
    yield claim("Fig. 9a: slices of 100,000 over those of 1,000", "change in a significant way", longest,
                slowest >= PUBLISHED["significant"] and slowest > max(slower[USUAL].values()), form=".2f",
                tolerance="slowest by 10 %")
    costs = cost_of_slices(found)
    least = costs[SLICES[-1]] / costs[SLICES[0]]
    yield claim("Fig. 9b: time for a second, slices of 100,000 over those of 1,000", "up to only 20 %", {"": least},
                least <= PUBLISHED["wall_at_most"], form=".2f", tolerance="at most half")


def cost_of_slices(found):
    """Processor time of this machine for a simulated second of the text's clock: that on the wall depends on what else
    it does."""
    names = {length: f"{FEW} guests, {length}, base" for length in SLICES}
    return {length: found.cpu_s(name) / (found[name]["cosim.time_ns"] * TEXT_OVER_GUEST / 1e9)
            for length, name in names.items()}


def choices(found, quick):
    table = [row for number in numbers_of_processes(quick) if number >= 16 for row in predictions(found, number)]
    if quick:
        return table
    costs = {f"{length:,}:": cost for length, cost in cost_of_slices(found).items()}
    table.append(tried("processor time for a simulated second, by slices", "savings of 10 to 60 % by a magnitude",
                       costs, form=".0f"))
    of = {number: seconds(found[f"{number} processes, base"]) for number in numbers_of_processes(quick)}
    small, large = (
        {name: TEXT_OVER_GUEST * time for name, time in seconds(found[run]).items()}
        for run in (f"{FEW} guests, {USUAL}, base", f"{SLOW} Mb/s, {USUAL}, base"))
    for kernel in KERNELS:
        name = kernel.upper()
        # What computing and TCP add to the network's time is the same, whatever the number.
        foretold = {16: small[name] + of[16][name] - of[4][name], 64: large[name] + of[64][name] - of[16][name]}
        table.append(tried(f"{name}, an iteration in 64 guests",
                           f"{PUBLISHED['iteration_s'][kernel]} s, of how many steps is not said",
                           {"16 guests": large[name], "64, extrapolated": foretold[64],
                            "the rule's error from 4 to 16, %": 100 * (foretold[16] / large[name] - 1)}, form=".3g"))
    return table
