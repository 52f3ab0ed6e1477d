"""Four schemes by which NICs choose one of 16 routes: random bisections of the first nodes, and all nodes of a line
card with another's. Thresholds are the published ones (4, and 16 with probing); what probing does with a threshold that
fits better stands beside it."""

import statistics

from weft.study import Run, claim, figure, published, tried

PUBLISHED = published(__file__)
FITTED = "probing, fitted"
FITTED_THRESHOLD = 63
SCHEMES = ("static", "random", "adaptive", "probing", FITTED)
SIZES = (16, 32, 64, 128, 256, 512)
WHY_RANDOM = (
    "what a NIC takes to send or take in a packet, buffers besides the published 4 KB and how routes are drawn are "
    "left open, and move it by 3 to 4 points; none of them reaches the published figure")
WHY_PROBING = (
    "NICs need long to find free routes, the longer the more often they look for them: with a threshold of 63 they get "
    "more (\"left open\")")
WHY_ADAPTIVE = "with complete line cards adaptive NICs find free routes; the paper does not say which nodes took part"
WHY_BRIDGE = (
    "packets wait behind others less than the bound for many inputs (58.6 %) says, or more where routes are fixed: "
    "the draw decides")


def sample(quick):
    """(nodes, patterns, messages of each) of the bisections; and of the bridges."""
    if quick:
        return [(128, 1, 20), (512, 1, 3)], [(32, 1, 50)]
    return [(nodes, 50, 50) for nodes in SIZES], [(nodes, 20, 50) for nodes in SIZES[1:-1]]


def schemes(nodes, quick):
    # Probing needs long to find its routes.
    return SCHEMES if not quick or nodes < 512 else ("static", "random")


def name(pattern, nodes, scheme, messages, seed):
    return f"{pattern}, {nodes}, {scheme}, {messages} messages, seed {seed}"


def points(quick):
    bisections, bridges = sample(quick)
    for pattern, chosen in (("bisect", bisections), ("bridge", bridges)):
        for nodes, patterns, messages in chosen:
            for scheme in schemes(nodes, quick):
                if pattern == "bridge" and scheme == FITTED:
                    continue  # of the bisections alone
                yield pattern, nodes, scheme, messages, range(1, patterns + 1)


def runs(quick):
    found = {}
    for pattern, nodes, scheme, messages, seeds in points(quick):
        for seed in seeds:
            settings = {
                "workload.tasks": nodes, "nic.dispersion": scheme.split(",")[0], "workload.repetitions": messages,
                "simulation.seed": seed}
            if scheme == FITTED:
                settings["nic.dispersion_threshold"] = FITTED_THRESHOLD
            if pattern == "bridge":
                settings["workload.name"] = "bridge"
            found[name(pattern, nodes, scheme, messages, seed)] = Run("myrinet.toml", settings)
    return found


def shares_of(found, quick):
    return {
        (pattern, nodes, scheme): 100 * statistics.fmean(
            found[name(pattern, nodes, scheme, messages, seed)]["exchange.link_share.mean"] for seed in seeds)
        for pattern, nodes, scheme, messages, seeds in points(quick)}


def choices(found, quick):
    table = []
    for (pattern, nodes, scheme), value in shares_of(found, quick).items():
        given = PUBLISHED["bisection"]["probing"].get(str(nodes)) if pattern == "bisect" else None
        if scheme == FITTED and given is not None:
            table.append(
                tried(
                    f"{nodes} nodes, probing with a threshold of {FITTED_THRESHOLD} in place of 16: share of a link, %",
                    f"{given}", {"": value}, form=".1f", verdict="fits" if abs(value - given) < 5 else "does not fit"))
    return table


def rows(found, quick):
    shares = shares_of(found, quick)
    table = []
    for scheme, by_nodes in PUBLISHED["bisection"].items():
        for nodes, share in by_nodes.items():
            value = shares.get(("bisect", int(nodes), scheme))
            if value is not None:
                table.append(figure(f"{nodes} nodes, {scheme}: share of a link, %", share, value, within=5, form=".1f",
                                    why=WHY_PROBING if scheme == "probing" else WHY_RANDOM))
    for (pattern, nodes, scheme), value in shares.items():
        if pattern == "bisect" and scheme == "adaptive" and nodes in (32, 64, 128, 512):
            random = shares["bisect", nodes, "random"]
            above = nodes <= 128
            table.append(
                claim(
                    f"{nodes} nodes, adaptive", f"{'above' if above else 'slightly below'} random",
                    {"adaptive": value, "random": random}, (value > random) == above, form=".1f", tolerance="order",
                    why=WHY_ADAPTIVE))
    for (pattern, nodes, scheme), value in shares.items():
        if pattern == "bridge":
            form = {
                "within": 8 if scheme != "probing" else 2, "form": ".1f",
                "why": WHY_BRIDGE if scheme != "adaptive" else WHY_ADAPTIVE}
            table.append(
                figure(
                    f"bridge, {nodes} nodes, {scheme}: share of a link, %", PUBLISHED["bridge"][scheme], value,
                    published_as="> 98" if scheme == "probing" else "~ 56", **form))
    return table
