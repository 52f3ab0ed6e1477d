"""Four instances of an application that share a torus or a tree, placed by each of the text's policies.

docs/studies.md quotes the two sentences of the thesis (chapter 8, section 3.4). From its text: several instances of the
same application at once (four in Figs. 12 and 13, which share the network evenly), on "direct topologies" and
"tree-like topologies", by consecutive (row), shift, shuffle, column, quadrant and random placement. Open, and chosen
before the first run: 256 nodes (the quick form 64), messages of 3,200 bytes, and the kernels below,
which only communicate. Times are those of the slowest instance; the slow-down is that of the slowest policy of a
network beside the fastest."""

from weft.study import Run, claim, ends, evidence, figure, published, read_as, tried

PUBLISHED = published(__file__)
KERNELS = ("BT", "BU", "M2", "W2", "distribution")
POLICIES = {
    "torus": {"row": {}, "shift 2": {"policy": "shift", "shift_nodes": 2}, "column": {"policy": "column"},
              "quadrant": {"policy": "quadrant"}, "random": {"policy": "random"}},
    "tree": {"consecutive": {}, "shift 2": {"policy": "shift", "shift_nodes": 2}, "shuffle": {"policy": "shuffle"},
             "random": {"policy": "random"}}}
#: Of an application that computes for a third of its time when its tasks are placed at random. The text does not say
#: how much the applications of [32] compute.
COMPUTING = 1 / 3
WHY_FAR = (
    "which networks and applications [28] has the text does not say; a node sends as fast as one of its four links, so "
    "messages of random pairs slow a torus down by a quarter of their hops, and tens of hops need thousands of nodes")
#: Added after the table of 256 nodes was there, before these were run: the size is open, and random pairs of a torus of
#: k x k are k / 2 hops apart.
LARGER = (32, 64)
LARGE_POLICIES = ("quadrant", "random")
SLOW_DOWN = "slow-down by bad placement, at most"


def seeds(quick):
    return (1,) if quick else (1, 2, 3)


def network(name, quick):
    if name == "torus":
        return {"topology.dims": [8, 8] if quick else [16, 16]}
    return {"topology.levels": 3 if quick else 4}


def run_name(name, kernel, policy, seed, quick):
    return f"{name} of {64 if quick else 256}, {kernel}, {policy}, seed {seed}"


def keys(kernel, policy, quick):
    found = {"job.app.workload.name": kernel, "job.app.workload.tasks": 16 if quick else 64}
    return found | {f"job.app.placement.{key}": value for key, value in policy.items()}


def runs(quick):
    found = {}
    for name, policies in POLICIES.items():
        # Not the text's: it is among what is left open.
        more = {} if quick else {"mapped": {"policy": "mapped"}}
        for kernel in KERNELS:
            for policy, chosen in (policies | more).items():
                settings = {**network(name, quick), **keys(kernel, chosen, quick)}
                for seed in seeds(quick):
                    found[run_name(name, kernel, policy, seed, quick)] = Run(
                        f"{name}.toml", {**settings, "simulation.seed": seed})
    for side in () if quick else LARGER:
        for policy in LARGE_POLICIES:
            settings = keys("M2", POLICIES["torus"][policy], quick) | {"topology.dims": [side, side]}
            found[large(side, policy)] = Run("torus.toml", settings | {"job.app.workload.tasks": side * side // 4})
    return found


def large(side, policy):
    return f"torus of {side * side}, M2, {policy}"


def time(found, name, kernel, policy, quick):
    each = [found[run_name(name, kernel, policy, seed, quick)]["cycles"] for seed in seeds(quick)]
    return sum(each) / len(each)


def times(found, name, kernel, quick):
    return {policy: time(found, name, kernel, policy, quick) for policy in POLICIES[name]}


def slow_down(found, name, kernel, quick):
    least, most = ends(times(found, name, kernel, quick).values())
    return most / least


def improvement(found, name, kernel, computing, quick):
    """Share of the execution time that the best policy saves beside random placement."""
    all_times = times(found, name, kernel, quick)
    return (1 - computing) * (1 - ends(all_times.values())[0] / all_times["random"])


def rows(found, quick):
    worst = ends(slow_down(found, name, kernel, quick) for name in POLICIES for kernel in KERNELS)[1]
    table = [figure(
        SLOW_DOWN, PUBLISHED["slow_down_at_most"], worst, within=0.5, relative=True,
        form=".2f", published_as="up to 10 times", why=WHY_FAR)]
    best = ends(improvement(found, name, kernel, COMPUTING, quick) for name in POLICIES for kernel in KERNELS)[1]
    table.append(claim(
        "improvement of the execution time by a good policy", "10 to 15 % or more", {"": best},
        best >= PUBLISHED["improvement_least"], tolerance="at least 0.10", why=WHY_FAR))
    if not quick:
        ratios = {side: found[large(side, "random")]["cycles"] / found[large(side, "quadrant")]["cycles"]
                  for side in LARGER}
        table.append(read_as(f"{LARGER[-1] ** 2:,} nodes, M2", figure(
            SLOW_DOWN, PUBLISHED["slow_down_at_most"], ratios[LARGER[-1]], within=0.5, relative=True, form=".2f",
            published_as="up to 10 times")))
        of_256 = {policy: time(found, "torus", "M2", policy, quick) for policy in LARGE_POLICIES}
        ratios[16] = of_256["random"] / of_256["quadrant"]
        for side in sorted(ratios):
            table.append(evidence(f"a quarter of the mean hops, {side} x {side}", figure(
                SLOW_DOWN, side / 2 / 4, ratios[side], within=0.2, relative=True, form=".2f")))
    return table


def choices(found, quick):
    if quick:
        return []
    table = []
    for name, policies in POLICIES.items():
        for kernel in KERNELS:
            all_times = times(found, name, kernel, quick) | {"mapped": time(found, name, kernel, "mapped", quick)}
            least = min(all_times.values())
            table.append(tried(
                f"{name}, {kernel}: time over that of the best policy", "up to 10",
                {policy: each / least for policy, each in all_times.items()},
                verdict=f"{min(all_times, key=all_times.get)} is fastest"))
    return table
