"""Load that is accepted when more is offered: below the bound, in equal parts."""

import math

import harness
from trial import ending
from zero_load import Times, rates, with_workload

h5py, numpy = harness.module("h5py"), harness.module("numpy")

SATURATED_CYCLES, LONG = 4000, 10
# Sources are not alike where these choose the way by their number, or once for a pair.
BY_SOURCE = {"s-mod-k", "static", "static-by-channel", "static-by-credits", "4mesh", "by-source"}


def sources_are_alike(trial):
    keys = trial.keys
    if trial.network.direct or trial.faulty:
        return False
    if str(keys.get("router.routing")).split(":")[-1] in BY_SOURCE:
        return False
    if str(keys.get("router.routing")).split(":")[0] in ("source-route",
                                                         "indirect-cube") or trial.router in ("source-route",
                                                                 "indirect-cube"):
        return False
    if keys.get("router.route_per") == "flow" or trial.effective("nic.dispersion") not in ("none", "random"):
        return False
    if "static" in str(keys.get("router.class_modes")) or "s-mod-k" in str(keys.get("router.class_modes")):
        return False
    # Myrinet's usual routes are of source-route outside of trees.
    if trial.router == "myrinet" and trial.catalogue.effective(keys, "router.routing") in ("source-route", "auto"):
        return False
    return keys.get("congestion.kind", "none") == "none"


def saturation(trial):
    """Uniform traffic of load 1: accepted below the bound of the topology, and nodes of one switch get the same."""
    keys = trial.keys
    if keys.get("router.routing") == "multicast" or trial.machine == "ideal":  # which has no links that could be full
        return
    slow = Times(trial)
    if max([*slow.links, slow.node]) > 200:
        return
    cycles = max(SATURATED_CYCLES, 60 * trial.effective("packet.phits"))
    # Congestion comes and goes slowly, and packets that have far to go are the last to arrive: only what lasts is
    # wrong.
    for length in (cycles, LONG * cycles):
        config = saturated(trial, length)
        room = trial.program.room()
        outcome = trial.program.run(config, more=["--out", "result.h5"], room=room)
        if not ending(trial, outcome, config):
            return
        found = above_bound(trial, outcome.summary) or (sources_are_alike(trial)
                                                        and unequal_shares(trial, room / "result.h5"))
        if not found:
            return
    trial.broken(*found, outcome, config)


def above_bound(trial, summary):
    """What is wrong with the accepted load; None if nothing is."""
    keys = trial.keys
    if trial.faulty or any(key.startswith("link.node.")
                           for key in keys) or keys.get("router.consumption") == "multiple":
        return None
    bound = trial.network.facts["uniform_load_bound"] * max([1.0, *rates(trial)])
    accepted, packets = summary["load"]["accepted"], summary["packets"]
    # What is still in flight has further to go than what was delivered.
    late = packets["in_flight"] * trial.effective("packet.phits") / (summary["nodes"] * summary["cycles"])
    if accepted <= bound * (1 + 4 / math.sqrt(max(1, packets["delivered"]))) + late:
        return None
    return "load bound", f"accepts {accepted} of uniform traffic, but the bound is {bound}"


def saturated(trial, cycles):
    return with_workload(trial, {"workload.kind": "synthetic", "workload.pattern": "uniform",
                                 "workload.offered_load": 1.0,
                                 "simulation.cycles": cycles})  # fmt: skip


def unequal_shares(trial, path):
    """What is wrong with what the nodes of a switch inject; None if they are alike."""
    with h5py.File(path) as result:
        column = next(name for name in ("injected_packets", "injected_cells") if len(result.get(f"nodes/{name}", ())))
        counts = numpy.array(result[f"nodes/{column}"], dtype=float)
    if column == "injected_cells":
        counts /= trial.effective("packet.phits")
    alone = trial.network.routers == 1
    for router, nodes in trial.network.nodes_of().items():
        share = counts[nodes]
        mean = share.mean()
        if len(nodes) < 2 or mean < 20:
            continue
        # One switch: chance and 5 %. Several: what comes by from other switches differs from time to time.
        allowed = (0.05 if alone else 0.25) + 4 / math.sqrt(mean)
        if max(abs(share - mean)) > allowed * mean:
            listed = ", ".join(f"{count:.0f}" for count in share)
            return ("equal shares",
                    f"nodes of router {router} inject {listed} packets, all alike within {allowed:.0%} expected")
    return None
