"""Which nodes of a network the NICs of a node are, reckoned from docs/nodes.md: of plane number i % planes, side by
side or on rails."""


def nodes_of_leaf(network):
    """Nodes of each router that has any, where all have equally many, with consecutive numbers; else 0."""
    each = len(network.nodes_of()[network.router_of[0]])
    leaves = network.nodes_of().values()
    alike = all(nodes == list(range(nodes[0], nodes[0] + each)) and nodes[0] % each == 0
                for nodes in map(sorted, leaves))
    return each if alike else 0


class Attachment:
    """`network`: a plane."""

    def __init__(self, network, planes, nics, rails):
        self.network, self.planes, self.nics = network, planes, nics
        self.row = nodes_of_leaf(network) if rails else 1
        self.in_plane = nics // planes
        self.nodes = network.nodes // self.in_plane

    @staticmethod
    def of(trial):
        return Attachment(trial.network, trial.effective("topology.planes"), trial.effective("node.nics"),
                          trial.effective("node.attachment") == "rails")

    def endpoint(self, node, nic):
        """The node of the network that a NIC is, numbered as in its plane."""
        group, place = divmod(node, self.row)
        return group * self.in_plane * self.row + place + nic // self.planes * self.row

    def routers_of(self, node):
        """Routers on which a node has NICs, counted through all planes."""
        in_plane = [self.network.router_of[self.endpoint(node, nic * self.planes)] for nic in range(self.in_plane)]
        return {router + plane * self.network.routers for router in in_plane for plane in range(self.planes)}

    def groups(self):
        """Sets of routers which one process simulates."""
        group_of = {router: {router} for router in range(self.network.routers * self.planes)}
        for node in range(self.nodes):
            joined = set().union(*(group_of[router] for router in self.routers_of(node)))
            group_of.update(dict.fromkeys(joined, joined))
        return [group for router, group in sorted(group_of.items()) if router == min(group)]
