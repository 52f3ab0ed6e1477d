"""Accepted load at offered load 1 on k:k',n-trees with 1, 2 and 4 virtual channels, beside (k'/k)^(n-1)."""

from weft.study import Run, claim, figure, published

PUBLISHED = published(__file__)
QUICK = ["8:1,2", "8:2,2", "8:4,2", "8:6,2", "8:8,2", "8:4,3"]
WHOLE = [*QUICK, "8:1,3", "8:2,3", "8:6,3", "8:8,3", "8:2,4", "8:4,4", "8:6,4"]
CHANNELS = (1, 2, 4)
FULL = "8:8,"


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
    return found


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
    return table
