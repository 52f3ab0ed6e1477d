"""What the nodes of random configurations are made of: NICs, in planes or not, and the path through memory."""

from attachment import nodes_of_leaf

POLICIES = ["task", "round-robin", "destination", "stripe"]
MOST_NICS_IN_ALL = 128
NODES_OF_NETWORK = ("pairs", "bridge")  # exchanges that say which nodes of the network send


def parts_of_nodes(case, rng, names=()):
    if set(names) & set(NODES_OF_NETWORK):
        return
    if case.effective("topology.kind") == "ideal":
        if rng.random() < 0.8:
            case.keys["node.nics"], case.keys["node.nic_policy"] = rng.choice([2, 3]), rng.choice(POLICIES)
        path(case, rng, 0.7)
        return
    if rng.random() < 0.2:
        nics(case, rng)
    if {"link.rate_gbps", "simulation.tick_ps"} & set(case.keys):
        path(case, rng, 0.15)


def path(case, rng, how_often):
    if rng.random() < how_often:
        case.keys["node.path_latency_ns"] = rng.choice([3, 250])
        case.keys["node.path_gbps"] = rng.choice([8, 100])


def nics(case, rng):
    keys, network = case.keys, case.network
    planes = rng.choice([1, 1, 2, 2, 3])
    leaf = nodes_of_leaf(network)
    rails = rng.random() < (0.5 if leaf > 1 else 0.1)
    row = leaf if rails and leaf > 0 else 1
    fitting = [each for each in (1, 1, 2, 2, 3, 4) if each * planes > 1 and network.nodes % (each * row) == 0
               and network.nodes >= 2 * each]
    if not fitting or network.nodes * planes > MOST_NICS_IN_ALL:
        return
    each = rng.choice(fitting)
    keys["node.nics"], case.compute_nodes = each * planes, network.nodes // each
    if planes > 1:
        keys["topology.planes"] = planes
    if rng.random() < 0.8:
        keys["node.nic_policy"] = rng.choice(POLICIES)
    if rails:
        keys["node.attachment"] = "rails"
    if rng.random() < 0.6:
        keys["node.nic_latency_cycles"] = rng.choice([1, 2, 10, 200])
