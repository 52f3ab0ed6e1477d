"""Systems of SST's merlin as `sst --output-json` would write them: components with parameters and subcomponents, and
the links between their ports. Shapes and names of ports are those of merlin's own builders."""

import itertools
import json
from math import prod


class System:
    """A network of routers of merlin; `topology` are parameters of the topology, `router` of the routers."""

    def __init__(self, kind, topology, **router):
        self.topology = {name: str(value) for name, value in topology.items()}
        self.kind = kind
        self.router = {"link_bw": "4GB/s", "flit_size": "8B", "xbar_bw": "4GB/s", "input_latency": "20ns",
                       "output_latency": "20ns", "input_buf_size": "4kB", "output_buf_size": "4kB",
                       "xbar_arb": "merlin.xbar_arb_lru"} | router  # fmt: skip
        self.latency = "20ns"
        self.routers, self.links, self.endpoints, self.sets = [], {}, [], {}

    def add_router(self, ports):
        """Its id. A port is ("link", name) or ("node", number)."""
        number = len(self.routers)
        params = self.router | {"id": str(number), "num_ports": str(len(ports))}
        self.routers.append({"name": f"rtr_{number}", "type": "merlin.hr_router", "params": params, "subcomponents": [
            {"slot_name": "topology", "slot_number": 0, "type": f"merlin.{self.kind}", "params": self.topology}]})
        for port, end in enumerate(ports):
            if end is not None:
                name = f"nic_{end[1]}" if end[0] == "node" else end[1]
                self.links.setdefault(name, []).append((f"rtr_{number}", f"port{port}"))
        return number

    def add_endpoint(self, node, kind, params, interface, sets=(), part="merlin.linkcontrol"):
        name = f"{kind.rsplit('.', 1)[-1]}.{node}"
        self.endpoints.append({"name": name, "type": kind, "params": params, "subcomponents": [
            {"slot_name": "networkIF", "slot_number": 0, "type": part, "params": interface,
             "params_global_sets": list(sets)}]})  # fmt: skip
        self.links.setdefault(f"nic_{node}", []).append((f"{name}:networkIF", "rtr_port"))
        return name

    def test_nics(self, job, nodes, old=False, **params):
        """NICs that send to all others of their job; `old`: those of merlin before jobs, numbered as their nodes."""
        nodes = list(nodes)
        self.sets[f"params_{job}"] = {"link_bw": "4GB/s", "input_buf_size": "1kB", "output_buf_size": "1kB",
                                      "job_id": str(job), "job_size": str(len(nodes)),
                                      "vn_remap": f"[{job}]"}  # fmt: skip
        for rank, node in enumerate(nodes):
            self.add_endpoint(node, "merlin.test_nic", {"id": str(rank), "num_peers": str(len(nodes))} | params,
                              {} if old else {"logical_nid": str(rank)}, () if old else (f"params_{job}",))

    def ember(self, job, nodes, motifs, **nic):
        """firefly's NICs with an engine of ember each; motifs are command lines."""
        nodes = list(nodes)
        params = {"motif_count": str(len(motifs)), "jobId": str(job), "api.0.module": "firefly.hadesMP"}
        for number, line in enumerate(motifs):
            name, *arguments = line.split()
            params[f"motif{number}.name"] = f"ember.{name}Motif"
            for argument in arguments:
                key, value = argument.split("=")
                params[f"motif{number}.arg.{key}"] = value
        self.sets[f"ember_{job}"] = params
        self.sets[f"ctrl_{job}"] = {"shortMsgLength": "12000", "matchDelay_ns": "150", "regRegionBaseDelay_ns": "3000",
                                    "regRegionPerPageDelay_ns": "100", "txSetupModParams.base": "130ns",
                                    "rxSetupModParams.base": "100ns", "txMemcpyModParams.op": "Mult",
                                    "txMemcpyModParams.base": "344ps",
                                    "rxMemcpyModParams.base": "344ps"}  # fmt: skip
        for rank, node in enumerate(nodes):
            name = self.add_endpoint(node, "firefly.nic",
                                     {"nid": str(node), "packetSize": "2048B", "nic2host_lat": "150ns",
                                      "rxMatchDelay_ns": "100", "txDelay_ns": "50"} | nic,
                                     {"link_bw": "4GB/s", "job_id": str(job), "logical_nid": str(rank)},
                                     part="merlin.reorderlinkcontrol")  # fmt: skip
            engine = f"nic{node}core0_EmberEP"
            self.endpoints.append({"name": engine, "type": "ember.EmberEngine", "params": {},
                                   "params_global_sets": [f"ember_{job}"], "subcomponents": [
                {"slot_name": "OS", "slot_number": 0, "type": "firefly.hades",
                 "params": {"functionSM.defaultEnterLatency": "30000", "functionSM.defaultReturnLatency": "30000",
                            "netId": str(node), "netMapId": str(rank)},
                 "subcomponents": [{"slot_name": "proto", "slot_number": 0, "type": "firefly.CtrlMsgProto",
                                    "params": {}, "params_global_sets": [f"ctrl_{job}"]}]}]})  # fmt: skip
            self.links[f"nic{node}core0_Link"] = [(name, "core0"), (f"{engine}:OS:virtNic", "nic")]

    def json(self):
        used = [(name, ends) for name, ends in self.links.items() if len(ends) == 2]
        return json.dumps({
            "program_options": {"timebase": "1 ps"}, "global_params": self.sets,
            "components": self.routers + self.endpoints,
            "links": [{"name": name, "left": {"component": a[0], "port": a[1], "latency": self.latency},
                       "right": {"component": b[0], "port": b[1], "latency": self.latency}}
                      for name, (a, b) in used]}, indent=1)  # fmt: skip


def coordinates(number, shape):
    place = []
    for side in shape:
        place.append(number % side)
        number //= side
    return place


def grid(kind, shape, local=1, **router):
    """A torus or mesh with `local` nodes a router."""
    system = System(kind, {"shape": "x".join(map(str, shape)), "width": "x".join("1" for _ in shape),
                           "local_ports": local}, **router)  # fmt: skip
    for number in range(prod(shape)):
        place, ports = coordinates(number, shape), []
        for dim, side in enumerate(shape):
            up, down = place.copy(), place.copy()
            up[dim], down[dim] = (place[dim] + 1) % side, (place[dim] - 1) % side
            wraps = kind == "torus"
            ports.append(("link", f"{place}{dim}+") if wraps or place[dim] + 1 < side else None)
            ports.append(("link", f"{down}{dim}+") if wraps or place[dim] > 0 else None)
        system.add_router(ports + [("node", number * local + n) for n in range(local)])
    return system


def hyperx(shape, width, local, algorithm, **router):
    system = System("hyperx", {"shape": "x".join(map(str, shape)), "width": "x".join(map(str, width)),
                               "local_ports": local, "algorithm": algorithm}, **router)  # fmt: skip
    for number in range(prod(shape)):
        place, ports = coordinates(number, shape), []
        for dim, side in enumerate(shape):
            for to in range(side):
                if to != place[dim]:
                    other = place.copy()
                    other[dim] = to
                    ports += [("link", f"{min(place, other)}{max(place, other)}{n}") for n in range(width[dim])]
        system.add_router(ports + [("node", number * local + n) for n in range(local)])
    return system


def dragonfly(hosts, routers, groups, between, algorithm, **router):
    """`between`: links of any two groups."""
    each = -(-(groups - 1) * between // routers)
    system = System("dragonfly", {"hosts_per_router": hosts, "routers_per_group": routers, "num_groups": groups,
                                  "intergroup_per_router": each, "intergroup_links": between, "algorithm": algorithm,
                                  "global_routes": "absolute"}, **router)  # fmt: skip
    for group in range(groups):
        for number in range(routers):
            ports = [("node", (group * routers + number) * hosts + n) for n in range(hosts)]
            ports += [("link", f"g{group}r{min(number, to)}r{max(number, to)}") for to in range(routers)
                      if to != number]  # fmt: skip
            for port in range(each):
                link, to = divmod(number * each + port, groups - 1)
                to += to >= group
                ports.append(("link", f"g{min(group, to)}g{max(group, to)}l{link}") if link < between else None)
            system.add_router(ports)
    return system


def fat_tree(down, up, **router):
    """Levels from below: ports down of each, and up of all but the last."""
    shape = ":".join(f"{d},{u}" for d, u in itertools.zip_longest(down, up)).replace(",None", "")
    system = System("fattree", {"shape": shape, "routing_alg": "deterministic"}, **router)
    below = prod(down)
    for level, width in enumerate(down):
        # Routers of a level: which subtree, and which of those that are alike within it.
        alike, subtrees = prod(up[:level]), prod(down[level + 1:])
        for subtree in range(subtrees):
            for copy in range(alike):
                ports = []
                for child in range(width):
                    below = subtree * width + child
                    ports.append(("node", below) if level == 0 else
                                 ("link", f"{level - 1} {below} {copy // up[level - 1]} {copy % up[level - 1]}"))
                if level < len(up):
                    ports += [("link", f"{level} {subtree} {copy} {port}") for port in range(up[level])]
                system.add_router(ports)
    return system


def of_graph(kind, neighbours, hosts, topology, **router):
    """Any graph: neighbours of each router; `hosts` nodes each."""
    system = System(kind, topology, **router)
    for number, others in enumerate(neighbours):
        system.add_router([("node", number * hosts + n) for n in range(hosts)] +
                          [("link", f"{min(number, to)} {max(number, to)}") for to in others])
    return system


def field(q):
    """Addition and multiplication of a field of q = p or p^2 elements."""
    if q in (2, 3, 5, 7, 11, 13):
        return lambda a, b: (a + b) % q, lambda a, b: a * b % q
    p = {4: 2, 9: 3, 25: 5, 49: 7}[q]
    # Modulo x^2 = s x + t, of which no root is in the field of p.
    s, t = next((s, t) for s in range(p) for t in range(p) if all((x * x - s * x - t) % p for x in range(p)))

    def times(a, b):
        (a1, a0), (b1, b0) = divmod(a, p), divmod(b, p)
        high = a1 * b1
        return (a1 * b0 + a0 * b1 + s * high) % p * p + (a0 * b0 + t * high) % p

    return lambda a, b: (a // p + b // p) % p * p + (a % p + b % p) % p, times


def projective_plane(q):
    """Points of a projective plane, and their product."""
    plus, times = field(q)
    points = [(a, b, 1) for a in range(q) for b in range(q)] + [(a, 1, 0) for a in range(q)] + [(1, 0, 0)]

    def product(a, b):
        total = 0
        for x, y in zip(a, b):
            total = plus(total, times(x, y))
        return total

    return points, product


def polarfly(q):
    """The graph of points of a projective plane, linked where their product is 0 (Erdos and Renyi)."""
    points, product = projective_plane(q)
    return [[j for j, b in enumerate(points) if j != i and product(a, b) == 0] for i, a in enumerate(points)]


def polarstar():
    """The star product of the polarity graph of q = 4 and the inductive quad of degree 3, of 168 vertices and degree 8:
    a copy of the quad for each point, and each vertex of it linked to its image in the copies of adjacent points."""
    image = [4, 5, 6, 7, 0, 1, 2, 3]
    quad = [(a, b) for a in (0, 4) for b in (1, 2, 3)]
    for y in (1, 2, 3):
        quad += [(y, image[y % 3 + 1]), (image[y], image[y % 3 + 1])]
    points, product = projective_plane(4)
    edges = [(point * 8 + a, point * 8 + b) for point in range(len(points)) for a, b in quad]
    for u, a in enumerate(points):
        edges += [(u * 8 + x, v * 8 + image[x]) for v, b in enumerate(points) if u < v and product(a, b) == 0
                  for x in range(8)]
        if product(a, a) == 0:
            edges += [(u * 8 + x, u * 8 + image[x]) for x in range(4)]
    neighbours = [[] for _ in range(8 * len(points))]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def ten():
    """The systems of merlin's own ten tests (sst-elements, src/sst/elements/merlin/tests), written anew."""
    two_jobs = {"xbar_bw": "6GB/s", "num_vns": "2"}
    systems = {
        "torus_64": (grid("torus", [4, 4, 4]), [64]),
        "torus_128": (grid("torus", [4, 4, 4], 2), [128]),
        "dragon_72": (dragonfly(2, 4, 9, 1, "minimal"), [72]),
        "dragon_128": (dragonfly(4, 8, 5, 4, "[minimal, ugal]", **two_jobs), [64, 64]),
        "hyperx_128": (hyperx([4, 4], [2, 2], 8, "[DOR, MIN-A]", **two_jobs), [64, 64]),
        "fattree_128": (fat_tree([4, 4, 8], [4, 4]), [128]),
        "fattree_256": (fat_tree([8, 8, 4], [8, 8]), [256]),
        "polarfly_455": (of_graph("polarfly", polarfly(9), 5, {"q": 9, "hosts_per_router": 5, "algorithm": "UGAL_PF",
                                                               "total_routers": 91}, xbar_bw="6GB/s"), [455]),
        "polarstar_504": (of_graph("polarstar", polarstar(), 3, {"d": 8, "sn_type": "iq", "hosts_per_router": 3,
                                                                 "algorithm": "UGAL"}, xbar_bw="6GB/s"), [504]),
    }  # fmt: skip
    for system, jobs in systems.values():
        first = 0
        for number, size in enumerate(jobs):
            system.test_nics(number, range(first, first + size), old=len(jobs) == 1 and size < 300)
            first += size
    # Of merlin before its pymerlin: names with a colon, and generators of packets in place of NICs.
    old = grid("torus", [5], flit_size="16B", input_latency="0.0ns", output_latency="0.0ns", input_buf_size="16.0KB",
               output_buf_size="16.0KB", link_bw="4.0GB/s", xbar_bw="4.0GB/s")  # fmt: skip
    old.latency = "5000ns"
    for router in old.routers:
        router["params"] |= {"topology": "merlin.torus", "torus:shape": "5", "torus:width": "1",
                             "torus:local_ports": "1"}  # fmt: skip
        router["subcomponents"] = []
    for node in range(5):
        old.add_endpoint(node, "merlin.trafficgen", {
            "id": str(node), "num_peers": "5", "link_bw": "4.0GB/s", "topology": "merlin.torus",
            "packets_to_send": "10", "packet_size": "0KB", "message_rate": "1GHz",
            "PacketDest:pattern": "Uniform", "PacketDest:RangeMin": "1.0",
            "PacketDest:RangeMax": "2.0", "PacketSize:pattern": "Uniform", "PacketSize:RangeMin": "1.0B",
            "PacketSize:RangeMax": "10.0B", "PacketDelay:pattern": "Uniform", "PacketDelay:RangeMin": "5.0ns",
            "PacketDelay:RangeMax": "10.0ns"}, {"link_bw": "4.0GB/s"})  # fmt: skip
    return {name: system for name, (system, _) in systems.items()} | {"torus_5_trafficgen": old}
