"""Accepted load on k:k',n-trees with 1, 2 and 4 virtual channels, beside (k'/k)^(n-1).

000 5.1: "there is a fixed warm-up period of 30K cycles. [...] we measure the average load every 1K cycles. When four
consecutive measurements are within a range of 5%, we consider that the convergence phase is finished [...] 10 batches
of 5K cycles each are captured." Fig. 4 plots accepted over offered load for four trees of 4,096 nodes, "with 1, 2 or 4
VC and the upper boundary of the throughput"; its points are not in the text, its boundary is a formula."""

import math

from weft.study import Run, claim, curve, evidence, figure, published, read_as

PUBLISHED = published(__file__)
QUICK = ["8:1,2", "8:2,2", "8:4,2", "8:6,2", "8:8,2", "8:4,3"]
WHOLE = [*QUICK, "8:1,3", "8:2,3", "8:6,3", "8:8,3", "8:2,4", "8:4,4", "8:6,4", "8:8,4"]
CHANNELS = (1, 2, 4)
FULL = "8:8,"
#: Fig. 4: its trees, and offered loads over the ideal throughput ("note the difference in the axis ranges").
CURVES = ("8:2,4", "8:4,4", "8:6,4", "8:8,4")
OFFERED = (0.5, 0.75, 1.0, 1.5)
#: As tree.toml has them.
BATCHES, BATCH_CYCLES, PACKET_PHITS = 10, 5000, 16


def numbers(tree):
    down, rest = tree.split(":")
    up, levels = rest.split(",")
    return int(down), int(up), int(levels)


def bound(tree):
    down, up, levels = numbers(tree)
    return (up / down) ** (levels - 1)


def runs(quick):
    found = {}
    for tree in QUICK if quick else WHOLE:
        down, up, levels = numbers(tree)
        network = {"topology.down": down, "topology.up": up, "topology.levels": levels}
        found[f"{tree} ideal"] = Run("tree.toml", network, command="topology")
        for channels in CHANNELS:
            found[f"{tree} {channels} channels"] = Run("tree.toml", {**network, "router.virtual_channels": channels})
            for offered in () if quick or tree not in CURVES else loads(tree):
                found[at(tree, channels, offered)] = Run(
                    "tree.toml",
                    {**network, "router.virtual_channels": channels, "workload.offered_load": offered})
    return found


def loads(tree):
    """Offered loads of a curve, phits/node/cycle, up to 1 (which is run by itself)."""
    return [round(share * bound(tree), 4) for share in OFFERED if share * bound(tree) < 1]


def at(tree, channels, offered):
    return f"{tree} {channels} channels, offered {offered:g}"


def rows(found, quick):
    trees = QUICK if quick else WHOLE
    accepted = {
        (tree, channels): found[f"{tree} {channels} channels"]["load.accepted"] for tree in trees
        for channels in CHANNELS}
    table = []
    for tree in trees:
        rounded = PUBLISHED["ideal"].get(tree)
        ideal = found[f"{tree} ideal"]["facts.ideal uniform throughput, phits/node/cycle"]
        if rounded:
            table.append(
                figure(
                    f"{tree}: ideal throughput", rounded, ideal, within=0.005, form=".3f", published_as=f"~ {rounded}"))
        if tree.startswith(FULL):
            of = {f"{channels}:": accepted[tree, channels] for channels in CHANNELS}
            table.append(claim(f"{tree}: over channels", "below 1 even with 4", of, max(of.values()) < 1))
        else:
            table.append(
                figure(
                    f"{tree}: accepted with 4 channels", bound(tree), accepted[tree, 4], within=0.03, relative=True,
                    why="below capacity a packet that turns back in a lower level takes no link of the top one, so "
                        "that the exact bound is 1 to 1.14 times the published one"))
            rising = [accepted[tree, channels] for channels in CHANNELS]
            table.append(
                claim(
                    f"{tree}: over channels", "rises",
                    {f"{channels}:": accepted[tree, channels] for channels in CHANNELS}, rising == sorted(rising),
                    form=".4f"))
    if not quick:
        for tree in CURVES:
            table += curves(found, tree)
        table += spread(found)
    return table


def curves(found, tree):
    """Fig. 4 of one tree: the "computed ideal throughput curve" is the offered load up to the ideal throughput."""
    accepted = {
        channels: {offered: found[at(tree, channels, offered)]["load.accepted"] for offered in loads(tree)}
        for channels in CHANNELS}
    ideal = {offered: min(offered, bound(tree)) for offered in loads(tree)}
    if not tree.startswith(FULL):
        yield curve(
            f"Fig. 4: {tree}, 4 channels, accepted over offered", ideal, accepted[4], within=0.05, relative=True,
            form=".4f", why="at the ideal throughput itself queues of the top level are not always full")
    for channels in CHANNELS:
        most = max(accepted[channels][offered] / ideal[offered] for offered in loads(tree))
        yield claim(
            f"Fig. 4: {tree}, channels: {channels}, most of the ideal curve", "at most 1", {"": most}, most <= 1.03,
            tolerance="3 %",
            why="below capacity a packet that turns back in a lower level takes no link of the top one")


def spread(found):
    """5.1: "the standard deviation of the average accepted load of the batches in all experiments is lower than the
    0.5% of the average value": of the batches, or of their average, "the result shown"."""
    what = "5.1: standard deviation of the batches, largest of 12"
    saturated = [found[f"{tree} {channels} channels"] for tree in CURVES for channels in CHANNELS]
    most = max(map(deviation, saturated))
    why = (
        "at full load packets of each source still go where they will; sources that are independent of each other make "
        "batches of 5,000 cycles differ by 1 % at half the ideal load of 8:2,4, whatever the network")
    yield claim(what, "below 0.5 %", {"": most}, most < 0.5, tolerance="bound", form=".2f", why=why)
    mean = most / math.sqrt(BATCHES)
    yield read_as("of the average of the ten batches", claim(
        what, "below 0.5 %", {"": mean}, mean < 0.5, tolerance="bound", form=".2f"))
    tree = CURVES[0]
    offered = loads(tree)[0]
    counted = sum(deviation(found[at(tree, channels, offered)]) for channels in CHANNELS) / len(CHANNELS)
    # A deviation of ten batches is known to a quarter of itself: half of it holds 19 of 20.
    yield evidence(f"closed form: batches of independent sources, {tree} at a load of {offered:g}", figure(
        what, of_sources(tree, offered), counted, within=0.5, relative=True, form=".2f"))


def deviation(run):
    """Of the batches, per cent of their mean."""
    return 100 * run["load.accepted_stddev"] / run["load.accepted"]


def of_sources(tree, offered):
    """Likewise of what the nodes generate in a batch, a packet in a cycle with a probability of its own."""
    down, _, levels = numbers(tree)
    likely = offered / PACKET_PHITS
    return 100 * math.sqrt((1 - likely) / (down ** levels * BATCH_CYCLES * likely))
