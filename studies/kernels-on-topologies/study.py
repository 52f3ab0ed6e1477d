"""Six kernels on a switch of 64 ports, a 2-ary 6-tree and a torus of 8 x 8, times over those of the crossbar."""

from weft.study import Run, claim, figure, published, tried

PUBLISHED = published(__file__)
KERNELS = ("BT", "BU", "M2", "M3", "W2", "W3")
TREE = "../thin-trees-kernels/tree.toml"
COMMON = {"router.virtual_channels": 4, "packet.phit_bytes": 4}
CROSSBAR = {**COMMON, "topology.down": 64, "topology.up": 1, "topology.levels": 1}
FAT_TREE = {**COMMON, "topology.down": 2, "topology.up": 2, "topology.levels": 6}
NETWORKS = {"crossbar": (TREE, CROSSBAR), "fat tree": (TREE, FAT_TREE), "torus": ("torus.toml", {})}
SIZES = (640, 3200, 64000)
LONG = 64000
#: Chapter 11 of the thesis ends wave-fronts "with the finalization of the sweep at the last node"; Parallel Computing
#: 2010 lets them return.
RETURN = "workload.return_sweep"
#: What the paper leaves open of the fat tree, with messages of LONG bytes.
CHOICES = {
    "as in the table": {},
    "ties of credits: the first counts twice": {"router.credit_ties": "first-counts-twice"},
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
    "wave-fronts that return to the first node": {RETURN: True},
}
CHOSEN_KERNELS = ("W2", "W3", "M2", "M3")
WHY_WAVE = (
    "two messages meet at each task and share its link, so that both back up into the tree; adaptive routes up spread "
    "each over all paths, and its packets stand in the queues of all (longer queues or static routes bring W3 to 1, "
    "see below); the published routes may not have spread so")
WHY_TIES = "M2 depends on which ties between equal credits are drawn: seeds give 1.16 to 1.24"


def runs(quick):
    found = {}
    for network, (config, keys) in NETWORKS.items():
        for kernel in KERNELS:
            for size in (LONG,) if quick else SIZES:
                for seed in seeds(quick):
                    found[name(network, kernel, size, seed)] = Run(config, {
                        **keys, "workload.name": kernel, "workload.message_bytes": size, "simulation.seed": seed})
    if not quick:
        for choice, keys in CHOICES.items():
            for network in ("crossbar", "fat tree"):
                config, base = NETWORKS[network]
                # A crossbar has no way up.
                known = {
                    key: value for key, value in keys.items() if network != "crossbar" or key not in ("router.routing",)
                }
                for kernel in CHOSEN_KERNELS:
                    applied = {key: value for key, value in known.items() if key != RETURN or kernel.startswith("W")}
                    found[f"{choice}: {network}, {kernel}"] = Run(config, {
                        **base, "workload.name": kernel, "workload.message_bytes": LONG, **applied})
    return found


def seeds(quick):
    return (1,) if quick else (1, 2, 3)


def name(network, kernel, size, seed):
    return f"{network}, {kernel}, {size} bytes, seed {seed}"


def ratio(found, network, kernel, size, quick):
    times = {
        each: sum(found[name(each, kernel, size, seed)]["cycles"] for seed in seeds(quick))
        for each in (network, "crossbar")}
    return times[network] / times["crossbar"]


def rows(found, quick):
    table = []
    for network in ("fat tree", "torus"):
        for kernel in KERNELS:
            value = ratio(found, network, kernel, LONG, quick)
            published_time = PUBLISHED[network].get(kernel)
            what = f"{network}, {kernel}, {LONG:,} bytes"
            if published_time is None:
                table.append(claim(what, "clearly above 1", {"": value}, value > 1.1, tolerance="above 1.1"))
            else:
                table.append(
                    figure(
                        what, published_time, value, within=0.1, relative=True, form=".2f",
                        published_as=f"~ {published_time:g}",
                        why=WHY_WAVE if kernel.startswith("W") else WHY_TIES if network == "fat tree"
                        else "the published figure is a word, 'about twice': half of the peak rate, where pairs half "
                            "a ring apart get a little more here"))
    return table


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
