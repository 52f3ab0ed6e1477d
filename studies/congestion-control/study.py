"""Time of bursts, traces and phases of LU with local buffer restriction (LBR) and in-transit priority restriction
(IPR), over that without."""

from statistics import mean

import lu
import phases
from weft.study import (
    Run, claim, curve, evidence, exact, figure, half_interval, order, published, read_as, traces, tried)

PUBLISHED = published(__file__)
INSEE = PUBLISHED["insee"]
NETWORKS = {"ring of 64": [64], "torus of 8 x 8": [8, 8]}
RING, TORUS = NETWORKS
CONTROLS = {"none": {}, "LBR": {"router.lbr_packets": 3}, "IPR": {"router.ipr_fraction": 1.0}}
RESTRICTED = ("LBR", "IPR")
PATTERNS = ("uniform", "hot-region")
#: Packets of a burst, and how many bursts follow each other.
BURSTS = {10: 10, 100: 3, 1000: 1, 10000: 1}
#: Runs of each, with seeds of their own: 10 as in the paper, 3 where a run takes seconds.
RUNS = {10: 10, 100: 10, 1000: 10, 10000: 3}
#: What else the text may mean, or leaves open: "packets moving towards the X+ axis are stored in the I+ injection port"
#: (3.1) by dimension order, or, as in the rows of the text, into the emptiest of the queues whose direction brings a
#: packet nearer; which adaptive routing.
VARIANTS = {
    "injection queue by dimension order": {"router.injection": "dor"},
    "adaptive routing smart": {"router.routing": "smart"},
}
BY_ORDER, SMART = VARIANTS
#: Of those: three seeds, and bursts up to 1,000.
VARIANT_RUNS = 3
#: As INSEE's program was run for its figures: in shot mode a node generates its burst at a load, which was 1.
PROGRAM = {"workload.burst_load": 1.0, "router.arbitration": "round-robin", "router.injection_queue_packets": 4}
#: What it was run with: pattern and variant.
PROGRAM_RUNS = (("uniform", BY_ORDER), ("hot-region", SMART), ("hot-region", BY_ORDER))
#: Fig. 15: uniform traffic, the hot region and the permutations of the thesis (8, Table 2).
MANY = ("uniform", "hot-region", "bit-complement", "bit-reversal", "butterfly", "shuffle", "transpose", "insee-tornado")
MANY_BURSTS = (10, 1000)
#: Seeds of the permutations, in which they decide little.
PERMUTATION_RUNS = 3
TRACES = traces()
#: Recorded traces of 64 tasks, and how many seeds.
RECORDED = {"is.W": 3, "is.A": 1}
#: Made out of those by derived.py: other lengths, or a part of them (25 of 416 products of CG, ten of 200 steps of BT).
#: By lu.py: phases of LU, and two steps of it.
DERIVED = {"is.S": 3, "is.T": 3, "cg.S": 3, "cg.W": 3, "cg.A": 3, "bt.W": 1, "bt.A": 1, "lu.S": 3, "lu.W": 3, "lu.A": 3}
#: "LBR extends this mechanism to the rest of the VCs. That is, a packet can only be injected into an adaptive VC if
#: such action leaves room for at least B packets" (3.2): INSEE's program restricts the escape channel too, as do the
#: rows of the text.
ESCAPES = "the adaptive channels alone are restricted"
AS_ESCAPES = {"router.lbr_packets": 3, "router.lbr_escape": False}
#: "Transit and injection queues are able to store 4 packets of 16 phits each" (3.1): in the rows of the text a queue of
#: as many has INSEE's buffer of 8 more behind it. "Each experiment has been repeated 10 times".
SHORT_QUEUES = "injection queues of 4 packets in all"
AS_SHORT_QUEUES = {"router.injection_queue_packets": 4}
SHORT_RUNS = {**dict.fromkeys(("cg.W", "cg.A", "lu.S", "lu.W", "lu.A"), 3), "cg.S": 10}
#: Programs of Fig. 3 under those.
BY_SIZE = tuple(f"{program}.{size}" for program in ("cg", "lu") for size in "SWA")
#: With the other adaptive routing too, one seed.
AS_SMART = BY_SIZE
PHASES = {"phases 1 and 2": "lu-phase-1-2", "phase 4": "lu-phase-4", "phase 6": "lu-phase-6"}
SIZES = {"is": ("S", "T", "W", "A"), "cg": ("S", "W", "A"), "lu": ("S", "W", "A")}
PHASE_RUNS = 10
WHY_HOT = (
    "the nodes of the hot region that all want are the limit of 8 x 8, whatever is injected; INSEE's own program loses "
    "with LBR there too, and gains on the ring (the rows beside)")
WHY_EQUAL = (
    "with the longest bursts the gains differ by a hundredth or two, by seed and by which injection queue takes a "
    "packet; INSEE's own program gains more on the ring than on 8 x 8")
WHY_TRACES = {
    "cg": "INSEE on the first 26 of 416 products, class W: LBR +1.9 %",
    "is": "the best case of the paper is 15 %: the trace here posts the messages of an all-to-all at once",
    "bt": "a part of a trace of class W, with its lengths and with those of class A: one of class A is not at hand"}
WHY_STEPS = (
    "phase 6 gains more than phases 1 and 2 lose, as the paper's micro-benchmarks do, and is 0.6 of a step of class A "
    "by itself; in class S most messages are one packet, and there is nothing to gain")
WHY_PHASE = (
    "the traces of the phases are written by the sizes that the text and the benchmark have; how far the paper's "
    "micro-benchmarks repeat a phase, and with what between, is not said")


def lengths(quick, variant=""):
    return [length for length in BURSTS if length <= 1000 or not (quick or variant)]


def seeds(count, quick):
    return range(1, 1 + (1 if quick else count))


def burst(network, pattern, length, control, seed, **more):
    dims = NETWORKS[network]
    return Run("torus.toml", {
        "topology.dims": dims, "router.injection_queues": 2 * len(dims), "workload.pattern": pattern,
        "workload.burst_packets": length, "workload.bursts": BURSTS[length], "simulation.seed": seed,
        **CONTROLS[control], **more})


def trace(program, control, seed, **more):
    """Of the project's own traces, beside the config, or of those that are no part of it."""
    ours = f"traces/{program}.64.trc.xz"
    path = str(TRACES / f"{program}.64.trc.xz") if program in RECORDED else ""
    settings = {"workload.path": path or ours, "workload.trace_store": "none", "simulation.seed": seed}
    return Run("trace.toml", {**settings, **CONTROLS[control], **more}, input_path=path)


def variants(quick):
    """{name: settings}, first those of the text, ""."""
    return {"": {}} if quick else {"": {}, **VARIANTS}


def runs(quick):
    found = {}
    for variant, keys in variants(quick).items():
        for network in NETWORKS:
            for pattern in PATTERNS:
                for length in lengths(quick, variant):
                    for control in CONTROLS:
                        for seed in seeds(VARIANT_RUNS if variant else RUNS[length], quick):
                            found[name(network, pattern, length, control, seed, variant)] = burst(
                                network, pattern, length, control, seed, **keys)
    for phase, file in PHASES.items():
        for control in CONTROLS:
            for seed in seeds(PHASE_RUNS, quick):
                found[f"{phase}, {control}, seed {seed}"] = trace(file, control, seed)
    return found if quick else {**found, **as_the_program(), **many_patterns(), **of_traces()}


def as_the_program():
    """Bursts of 1,000 by the rules of INSEE's program."""
    return {
        name(network, pattern, 1000, control, seed, f"{variant}, at load 1"): burst(
            network, pattern, 1000, control, seed, **VARIANTS[variant], **PROGRAM)
        for pattern, variant in PROGRAM_RUNS for network in NETWORKS for control in CONTROLS
        for seed in seeds(VARIANT_RUNS, False)}


def many_patterns():
    found = {}
    for network in NETWORKS:
        for pattern in MANY[len(PATTERNS):]:
            for length in MANY_BURSTS:
                for control in CONTROLS:
                    for seed in seeds(PERMUTATION_RUNS, False):
                        found[name(network, pattern, length, control, seed)] = burst(
                            network, pattern, length, control, seed)
    return found


def of_traces():
    found = {}
    for program, count in {**RECORDED, **DERIVED}.items():
        for control in CONTROLS:
            for seed in seeds(count, False):
                found[f"{program}, {control}, seed {seed}"] = trace(program, control, seed)
    for program in AS_SMART:
        for control in CONTROLS:
            found[f"{program} smart, {control}, seed 1"] = trace(program, control, 1, **VARIANTS[SMART])
    for program in BY_SIZE:
        for seed in seeds(DERIVED[program], False):
            found[f"{program}, {ESCAPES}, seed {seed}"] = trace(program, "none", seed, **AS_ESCAPES)
    for program, count in SHORT_RUNS.items():
        for control in ("none", "LBR"):
            for seed in seeds(count, False):
                found[f"{program}, {SHORT_QUEUES}, {control}, seed {seed}"] = trace(
                    program, control, seed, **AS_SHORT_QUEUES)
    for phase, file in PHASES.items():
        for size in SIZES["lu"]:
            for seed in seeds(DERIVED[f"lu.{size}"], False):
                found[f"{phase} of {size}, seed {seed}"] = trace(f"{file}.{size}", "none", seed)
    return found


def name(network, pattern, length, control, seed, variant=""):
    return f"{network}, {pattern}, {length}, {control}, seed {seed}" + (f", {variant}" if variant else "")


def relative(found, network, pattern, length, quick, variant=""):
    """{control: time over that without, means of all seeds}."""
    count = VARIANT_RUNS if variant else RUNS[length] if pattern in PATTERNS else PERMUTATION_RUNS
    return over_none(found, seeds(count, quick), lambda control, seed: name(
        network, pattern, length, control, seed, variant))


def repeated(found, what, count, quick=False):
    """Likewise of a trace or phase."""
    return over_none(found, seeds(count, quick), lambda control, seed: f"{what}, {control}, seed {seed}")


def over_none(found, seeds_of, name_of):
    of = {control: mean(found[name_of(control, seed)]["cycles"] for seed in seeds_of) for control in CONTROLS}
    return {control: of[control] / of["none"] for control in RESTRICTED}


def rows(found, quick):
    table = []
    for variant in variants(quick):
        table += [read_as(variant, row) for row in bursts(found, quick, variant)]
    table += insee_bursts(found, quick)
    table += micro_benchmarks(found, quick)
    if not quick:
        table += [*patterns_of_bursts(found), *class_a(found), *by_size(found), *seen_in_traces()]
    return table


def bursts(found, quick, variant):
    """Fig. 2."""
    table = []
    for pattern in PATTERNS:
        why = WHY_HOT if pattern != "uniform" else WHY_EQUAL
        longest = {}
        for network in NETWORKS:
            times = {length: relative(found, network, pattern, length, quick, variant)
                     for length in lengths(quick, variant)}
            short, long = times[10], times[lengths(quick, variant)[-1]]
            longest[network] = long
            table.append(claim(f"{network}, {pattern}, bursts of 10", "nothing gained, or a little lost", short,
                               all(0.985 <= time <= 1.05 for time in short.values()), tolerance="0.985 to 1.05"))
            for control in short:
                series = {f"{length}:": times[length][control] for length in times}
                table.append(
                    claim(
                        f"{network}, {pattern}, {control}", "the longer the burst, the larger the gain", series,
                        long[control] < short[control] - 0.02 and long[control] <= min(series.values()) + 0.02,
                        why=why))
        for control in RESTRICTED:
            both = {network: longest[network][control] for network in NETWORKS}
            table.append(
                claim(f"{pattern}, {control}, longest bursts", "more gained on two dimensions than on the ring", both,
                      both[TORUS] < both[RING], tolerance="order", why=why))
    return table


def insee_bursts(found, quick):
    """INSEE's own figures at bursts of 1,000."""
    if quick:
        return
    for pattern, variant in PROGRAM_RUNS[:2]:
        for control in RESTRICTED:
            theirs = INSEE[pattern][control]
            ours = {dimensions: relative(found, network, pattern, 1000, quick, f"{variant}, at load 1")[control]
                    for dimensions, network in ((1, RING), (2, TORUS))}
            yield evidence(
                f"INSEE, bursts of 1,000 in 1 and 2 dimensions; weft with {variant}, generated at load 1",
                curve(f"{pattern}, {control}, longest bursts", {1: theirs["ring"], 2: theirs["torus"]}, ours,
                      within=0.07))
    for variant in (SMART, BY_ORDER):
        for control in RESTRICTED:
            ours = relative(found, TORUS, "hot-region", 1000, quick, f"{variant}, at load 1")[control]
            theirs = INSEE["hot-region"][control]["torus" if variant == SMART else "torus-by-order"]
            yield evidence(f"INSEE, bursts of 1,000; weft with {variant}, generated at load 1",
                           figure(f"{TORUS}, hot-region, {control}", theirs, ours, within=0.07, form=".3f"))


def micro_benchmarks(found, quick):
    """4.3."""
    of = {phase: repeated(found, phase, PHASE_RUNS, quick) for phase in PHASES}
    published_times = PUBLISHED["lu"]
    time = of["phase 6"]["LBR"]
    what = "4.3: LU, phase 6 by itself, LBR"
    gains = f"gains over 40 %: {published_times['phase-6']} or less"
    yield claim(what, gains, {"": time}, time <= published_times["phase-6"], tolerance="0.6", why=WHY_PHASE)
    yield read_as("1.4 times as fast", claim(what, "gains over 40 %: 0.714 or less", {"": time}, time <= 1 / 1.4,
                                             tolerance="1 / 1.4"))
    yield figure("4.3: LU, phases 1 and 2 by themselves, LBR", published_times["phases-1-2"],
                 of["phases 1 and 2"]["LBR"], within=0.1, relative=True, form=".2f", why=WHY_PHASE)
    yield figure("4.3: LU, phase 4 by itself, LBR: no traffic passes by", published_times["phase-4"],
                 of["phase 4"]["LBR"], within=0.05, form=".3f", why=WHY_PHASE)


def patterns_of_bursts(found):
    """Thesis, Fig. 15."""
    for network in NETWORKS:
        for control in RESTRICTED:
            for patterns, reading in ((MANY, ""), (PATTERNS, "the patterns of PDCAT 2007 alone")):
                yield read_as(reading, burst_of_10(found, network, control, patterns))
                yield read_as(reading, burst_of_1000(found, network, control, patterns))
            yield read_as("both networks and both mechanisms together", burst_of_1000_anywhere(found, network, control))


def burst_of_1000_anywhere(found, network, control):
    """"Congestion control is beneficial for most traffic patterns": of no network or mechanism by itself."""
    times = [relative(found, any_network, pattern, 1000, False)[any_control]
             for any_network in NETWORKS for any_control in RESTRICTED for pattern in MANY]
    gaining = sum(time < 0.99 for time in times)
    return claim(f"thesis, Fig. 15: {network}, {control}, bursts of 1000", "beneficial for most patterns",
                 {"least": min(times), "mean": mean(times), "most": max(times)}, gaining > len(times) / 2,
                 tolerance="more than half below 0.99", difference=f"{gaining} of {len(times)}")


def burst_of_10(found, network, control, patterns):
    times = {pattern: relative(found, network, pattern, 10, False)[control] for pattern in patterns}
    return claim(f"thesis, Fig. 15: {network}, {control}, bursts of 10", "ineffective, or little lost", times,
                 all(0.97 <= time <= 1.05 for time in times.values()), tolerance="0.97 to 1.05",
                 why="some permutations gain or lose with bursts of 10; which patterns the figure has is not said")


def burst_of_1000(found, network, control, patterns):
    times = {pattern: relative(found, network, pattern, 1000, False)[control] for pattern in patterns}
    gaining = sum(time < 0.99 for time in times.values())
    return claim(f"thesis, Fig. 15: {network}, {control}, bursts of 1000", "beneficial for most patterns", times,
                 gaining > len(patterns) / 2, tolerance="more than half below 0.99",
                 difference=f"{gaining} of {len(patterns)}",
                 why="some permutations do not gain; which patterns the figure has is not said")


def class_a(found):
    """Thesis, Fig. 16."""
    times = {program: repeated(found, program, count) for program, count in {**RECORDED, **DERIVED}.items()}
    best = min(times["is.A"].values())
    yield figure("thesis, Fig. 16: IS.A, the best case", PUBLISHED["traces"]["is-best"], best, within=0.03, form=".3f",
                 why=WHY_TRACES["is"])
    for control in RESTRICTED:
        what = f"thesis, Fig. 16: CG.A, 25 products, {control}"
        yield figure(what, PUBLISHED["traces"]["cg"], times["cg.A"][control], within=0.025, form=".3f",
                     published_as="~ 1.03", why=WHY_TRACES["cg"])
        yield read_as(SMART, figure(what, PUBLISHED["traces"]["cg"], repeated(found, "cg.A smart", 1)[control],
                                    within=0.025, form=".3f", published_as="~ 1.03"))
        if control == "LBR":
            yield evidence("INSEE, 26 products of CG.W, smart", figure(
                what, INSEE["cg"], times["cg.W"][control], within=0.025, form=".3f"))
    for program in ("is.A", "bt.A", "bt.W"):
        part = {"bt.A": ", ten steps", "bt.W": ", ten steps of class W"}.get(program, "")
        yield claim(f"thesis, Fig. 16: {program.split('.')[0].upper()}{part}", "beneficial", times[program],
                    all(time < 0.999 for time in times[program].values()), tolerance="below 0.999",
                    why=WHY_TRACES["bt"])


def by_size(found):
    """Fig. 3, LBR."""
    counts = {**RECORDED, **DERIVED}
    lbr = {program: {size: repeated(found, f"{program}.{size}", counts[f"{program}.{size}"])["LBR"] for size in sizes}
           for program, sizes in SIZES.items()}
    sort = lbr["is"]
    smart = {program: {size: repeated(found, f"{program}.{size} smart", 1)["LBR"] for size in SIZES[program]}
             for program in ("cg", "lu")}
    yield order("Fig. 3a: IS by size of the problem: the larger, the more is gained",
                {size: -place for place, size in enumerate(sort)}, sort, same_below=0.005, form=".3f",
                why="the step between two sizes is within the differences of seeds")
    escapes = {program: {size: over_escaping(found, f"{program}.{size}") for size in SIZES[program]}
               for program in ("cg", "lu")}
    short = {program: {size: over_short(found, f"{program}.{size}") for size in SIZES[program]}
             for program in ("cg", "lu")}
    for of, reading in ((lbr, ""), (smart, SMART), (escapes, ESCAPES), (short, SHORT_QUEUES)):
        factors = of["lu"]
        made = [
            claim("Fig. 3b: CG by size of the problem", "a penalty that is small", of["cg"],
                  max(of["cg"].values()) < 1.06, tolerance="below 1.06", why=WHY_TRACES["cg"]),
            claim("Fig. 3c: LU by size of the problem", "benefits", factors, max(factors.values()) < 1,
                  tolerance="below 1", why=WHY_STEPS),
            order("Fig. 3c: LU by size of the problem: the larger, the less is gained",
                  {size: place for place, size in enumerate(factors)}, factors, same_below=0.005, form=".3f",
                  why=WHY_STEPS)]
        yield from (read_as(reading, row) for row in made)
    largest = lbr["lu"]["A"]
    yield read_as("class A, whose trace 4.3 analyses", claim(
        "Fig. 3c: LU by size of the problem", "benefits", {"A": largest}, largest < 1, tolerance="below 1"))
    yield from by_phases(found, lbr["lu"])
    best = {program.upper(): min(of.values()) for program, of in lbr.items()}
    yield claim("4.3: LU benefits most", "LU below all others", best, best["LU"] <= min(best.values()),
                tolerance="order", why=WHY_PHASE)


def over_escaping(found, program):
    times = {control: mean(found[f"{program}, {control}, seed {seed}"]["cycles"]
                           for seed in seeds(DERIVED[program], False)) for control in ("none", ESCAPES)}
    return times[ESCAPES] / times["none"]


def over_short(found, program):
    times = {control: mean(found[f"{program}, {SHORT_QUEUES}, {control}, seed {seed}"]["cycles"]
                           for seed in seeds(SHORT_RUNS[program], False)) for control in ("none", "LBR")}
    return times["LBR"] / times["none"]


def by_phases(found, simulated):
    """What LU makes of the paper's own factors of its phases (4.3): by how much of the time of a step each takes. "When
    the problem size of LU is increased, phase 6 does not experiment further acceleration": the factors are those of
    all sizes."""
    factors = dict(zip(PHASES, (PUBLISHED["lu"][key] for key in ("phases-1-2", "phase-4", "phase-6")), strict=True))
    expected = {}
    for size in simulated:
        times = {phase: mean(found[f"{phase} of {size}, seed {seed}"]["cycles"]
                             for seed in seeds(DERIVED[f"lu.{size}"], False)) for phase in PHASES}
        expected[size] = sum(factors[phase] * time for phase, time in times.items()) / sum(times.values())
    # Unknown where a phase has not run.
    known = {size: simulated[size] + 0 * value for size, value in expected.items()}
    shown = ", ".join(f"{size} {value:.3f}" for size, value in expected.items())
    witness = f"the paper's 1.2, 1, 0.6 of phases 1 and 2, 4, 6, by their shares of a step: {shown}"
    yield evidence(witness, order(
        "Fig. 3c: LU by size of the problem: the larger, the less is gained", expected, known, same_below=0.005,
        form=".3f"))


def seen_in_traces():
    """4.3, Figs. 4 and 5, in the traces themselves."""
    text = PUBLISHED["cg"]
    seen = phases.gradients(TRACES / "cg.A.64.trc.xz")
    yield exact("Fig. 4: CG.A.64, phase 1: long messages of a task", text["long"], seen["long"])
    yield figure("Fig. 4: CG.A.64, phase 1: bytes of a long one", text["long-bytes"], seen["long-bytes"], within=0.03,
                 relative=True, form=",.0f")
    yield exact("Fig. 4: CG.A.64, phases 1 and 3: short messages of a task", text["short"] + text["second"],
                seen["short"])
    yield exact("Fig. 4: CG.A.64: bytes of a short one", text["short-bytes"], seen["short-bytes"])
    far = seen["long-distances"]
    yield claim("Fig. 4: CG.A.64, phase 1: links of the long ones on the ring, one after the other",
                "two nearby, two farther", far, max(far["1st"], far["2nd"]) < min(far["3rd"], far["4th"]), form=".1f",
                tolerance="order")
    far = seen["short-distances"]
    yield claim("Fig. 4: CG.A.64, phases 1 and 3: links of the short ones", "one distant, two nearby; three nearby",
                far, far["1st"] > max(far["2nd"], far["3rd"]), form=".1f", tolerance="order")
    text = PUBLISHED["lu"]
    whole = lu.tasks(lu.POINTS["A"], 8)
    recorded = phases.steps(TRACES / "lu.S.16.trc.xz", lu.tasks(lu.POINTS["S"], 4))
    yield exact("Fig. 5: LU.S.16: time steps of four phases by the rules of lu.py (50, and one to warm up)", 51,
                recorded)
    sizes = sorted({size for of in whole for what, _, size in of if what == "s"})
    yield figure("Fig. 5: LU.A.64: bytes of a long message", text["long-bytes"], sizes[-1], within=0.03, relative=True,
                 form=",.0f")
    what = "Fig. 5: bytes of a message of a cascade"
    yield figure(what, text["short-bytes"], max(size for size in sizes if size < 1000), within=0.1, relative=True,
                 form=",.0f", why="320 bytes of LU.A.64; the text's figure is that of LU.A.16, which its Fig. 5 has")
    of_16 = {size for of in lu.tasks(lu.POINTS["A"], 4, (lu.DOWN,)) for *_, size in of}
    yield read_as("LU.A.16, the trace of Fig. 5", figure(what, text["short-bytes"], max(of_16), within=0.1,
                                                         relative=True, form=",.0f"))
    distances = {abs(other - task) for task, of in enumerate(whole) for _, other, _ in of}
    yield claim("Fig. 5: LU.A.64: distances of all messages", "1 and 8", {"": min(distances), "and": max(distances)},
                sorted(distances) == text["distances"], form=".0f", tolerance="0")
    what = "4.3: LU.A.64, phases 1 and 2: length of a chain"
    yield exact(what, text["chain-1-2"], lu.longest_chain(lu.tasks(lu.POINTS["A"], 8, (lu.DOWN,))),
                why="14 from the first node to the last, 7 along a row of tasks")
    yield read_as("along a row of 8 tasks", exact(what, text["chain-1-2"], row_of_tasks()))
    for phase in (lu.ALONG, lu.ACROSS):
        yield exact(f"4.3: LU.A.64, phase {phase}: length of a chain", text["chain-4-6"],
                    lu.longest_chain(lu.tasks(lu.POINTS["A"], 8, (phase,))))


def row_of_tasks():
    """The longest chain of a cascade without its messages to other rows."""
    kept = [[each for each in of if each[1] // 8 == task // 8]
            for task, of in enumerate(lu.tasks(lu.POINTS["A"], 8, (lu.DOWN,)))]
    return lu.longest_chain(kept)


def choices(found, quick):
    if quick:
        return []
    table = []
    for network in NETWORKS:
        for length in MANY_BURSTS:
            widths = {
                f"{control}, {pattern}": half_interval([
                    found[name(network, pattern, length, control, seed)]["cycles"]
                    for seed in seeds(RUNS[length], quick)])
                for pattern in PATTERNS for control in CONTROLS}
            table.append(tried(f"half of the 99 % interval of ten seeds, of the time: {network}, bursts of {length}",
                               "drawn in Fig. 15", widths, form=".3f"))
    return table
