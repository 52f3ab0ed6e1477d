"""What is generated does not depend on the network or on congestion control."""

from job_keys import split
from trial import ending

CONTROL_KEYS = ("router.ipr_fraction", "router.lbr_packets")
BY_NETWORK = ("tornado", "insee-tornado", "semi", "next-group", "worst-case", "bridge", "local",
              "distance-histogram", "population")


def plain_crossbar(trial):
    """The same workload on one plain switch; None where it asks the network, or where a message is one packet."""
    keys = trial.keys
    if trial.machine == "ideal" or trial.faulty or trial.keys.get("router.routing") == "multicast":
        return None
    of = [(split(key)[1], value) for key, value in keys.items()]
    if any(trial.catalogue.placements[value]["of_network"] for key, value in of if key == "placement.policy"):
        return None
    if any(key in ("workload.pattern", "workload.name") and value in BY_NETWORK for key, value in of):
        return None
    kept = {key: value for key, value in keys.items() if key.split(".")[0] in ("workload", "placement", "simulation",
                                                                               "packet", "job")}
    kept = {key: value for key, value in kept.items() if split(key)[1] != "traffic_class"}
    if trial.has_nics:
        kept |= {key: keys[key] for key in ("node.nics", "node.nic_policy", "node.nic_latency_cycles") if key in keys}
    kept.pop("simulation.watchdog_cycles", None)
    kept["measure.seeds"] = keys.get("measure.seeds", 1)
    for key in ("packet.phits", "packet.phit_bytes", "packet.header_phits"):
        kept[key] = trial.effective(key)
    if not kept["packet.header_phits"]:
        del kept["packet.header_phits"]
    kept |= {key: keys[key] for key in ("link.rate_gbps",) if key in keys}
    kept |= {"topology.kind": "crossbar", "topology.nodes": trial.base["nodes"]}
    if any(key in ("workload.packet_cells", "workload.packet_length") for key, _ in of):
        kept |= {"router.kind": "switch", "router.buffer_cells": max(64, kept["packet.phits"])}
    return trial.config.but(kept, without=[key for key in keys if key not in kept])


def uncontrolled(trial):
    controls = [key for key in trial.keys if key in CONTROL_KEYS or key.startswith("congestion.")]
    return trial.config.but(without=controls) if controls else None


def generated(trial):
    if not trial.complete or trial.background:
        return
    base = trial.base
    for what, config in (("one plain switch", plain_crossbar(trial)),
                         ("the same network without control of congestion", uncontrolled(trial))):
        if config is None:
            continue
        outcome = trial.program.run(config)
        if outcome.code != 0:
            if outcome.code not in (2, 4):
                ending(trial, outcome, config)
            continue
        other = outcome.summary
        if (base["packets"]["generated"], base["messages"]) != (other["packets"]["generated"], other["messages"]):
            trial.broken("generated",
                         f"{base['packets']['generated']} packets and {base['messages']} messages are generated, but "
                         f"on {what} "
                         f"{other['packets']['generated']} and {other['messages']}", outcome)  # fmt: skip
        return
