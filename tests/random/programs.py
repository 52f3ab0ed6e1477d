"""Random programs of tasks as GOAL text, from a seed: graphs with everything that docs/programs.md knows, and sequences
of MPI calls (mpi_calls.py). `ending(seed)` draws until the judge says that the program ends, `endless(seed)` until it
does not.

Graphs are drawn as an execution that could be: every operation has a moment of start and one of completion on one line
of time, and requires only what the line allows. With tags of their own messages go where they were drawn; with few tags
and wildcards others may be matched, which can end in a deadlock."""

import dataclasses
import random
import sys
from dataclasses import dataclass, field

from goal_text import ANY, Operation
from program_judge import Parameters, judge

NEVER = float("inf")
MOST_TRIES = 200

# L, o, g, G, O in ns.
NETWORKS = [("100", "10", "7", "3", "0"), ("100", "10", "7", "3", "2"), ("0", "0", "0", "0", "0"),
            ("1", "0", "0", "0", "0"),
            ("100", "0", "0", "0", "0"), ("0", "3", "0", "0.5", "0"), ("0", "0", "5", "0", "0.25"),
            ("1000", "1", "40", "0.125", "8"),
            ("3", "2", "1", "0", "1"), ("1.5", "0.25", "0", "0.125", "0"), ("20", "0.5", "2.5", "0.0625", "0.5"),
            ("100", "10", "7", "0.29", "0.02"), ("1000", "300", "50", "0.08", "0"), ("0", "0", "0", "0.02", "0"),
            ("1.001", "0", "0.29", "0.07", "0")]


# Where much happens in the same tick: every term, and every computation, is a multiple of 10 ns.
GRIDS = [("10", "0", "0", "10", "0"), ("10", "0", "0", "0", "0"), ("10", "10", "0", "10", "0"),
         ("10", "0", "10", "0", "10"),
         ("20", "10", "10", "10", "10"), ("0", "10", "10", "20", "0")]  # fmt: skip


@dataclass
class Amounts:
    """Lengths of messages and times of computations to draw from."""

    sizes: list
    times: list
    crowded: bool = False

    @classmethod
    def around(cls, rendezvous, rng):
        s, long = rendezvous or 60, rng.choice([20, 200, 100_000])
        sizes = [0, 1, 2, s - 1, s, s + 1, 2 * s, *(rng.randint(0, most * s) for most in (3, 3, 40))]
        return cls(sizes, [0, 0, 1, 2, *(rng.randint(0, most) for most in (20, 20, long, long))])


@dataclass
class Case:
    seed: str
    kind: str  # graph or calls
    text: str
    tasks: int
    nodes: int
    parameters: Parameters
    result: dict = field(default_factory=dict)  # of the judge

    def keys(self, path):
        """Settings of weft."""
        p = self.parameters
        keys = {"topology.kind": "ideal", "topology.nodes": self.nodes, "workload.kind": "trace", "workload.path": path,
                "workload.cpu_scale": 1.0,
                "ideal.rendezvous_bytes": p.rendezvous}  # fmt: skip
        for name in ("latency", "overhead", "gap", "byte_gap", "byte_overhead"):
            keys[f"ideal.{name}_ns"] = float(getattr(p, name))
        if p.tasks_per_node > 1:
            keys["workload.tasks_per_node"] = p.tasks_per_node
        if p.nics > 1:
            keys["node.nics"] = p.nics
            keys["node.nic_policy"] = p.nic_policy
        for name in ("path_latency_ns", "path_gbps"):
            value = float(getattr(p, name.removesuffix("_ns")))
            if value > 0:
                keys[f"node.{name}"] = value
        if p.local_latency > 1 and float(p.path_latency) == 0:
            keys["workload.local_latency_cycles"] = p.local_latency
        if p.turnaround > 0:
            keys["workload.turnaround_cycles"] = p.turnaround
        return keys


def plain(tasks):
    """GOAL text without anything for fun."""
    return written(tasks, Always())


class Always:
    """In place of a random source, for `written`: nothing is drawn."""

    def random(self):
        return 1.0

    def randint(self, _, last):
        return last


def written(tasks, rng):
    """GOAL text. Labels only where they are needed, or for fun; requirements as early or as late as they may stand."""
    lines = [f"num_ranks {len(tasks)}"]
    for number, operations in enumerate(tasks):
        lines += [f"rank {number} {{", *body(operations, rng), "}"]
        lines += [""] * (rng.random() < 0.2)
    return "\n".join(lines) + "\n"


def body(operations, rng):
    named = {at for op in operations if op.requires for at, _ in op.requires} | {at for at, op in enumerate(operations)
            if op.requires}
    lines, late = [], []
    for at, op in enumerate(operations):
        label = f"l{at}: " if at in named or rng.random() < 0.2 else ""
        lines.append(label + statement(op, rng))
        early = not rng.random() < 0.2 and all(required < at for required, _ in op.requires)
        (lines if early else late).extend(requirements(at, op, rng))
        if rng.random() < 0.03:
            lines.append(rng.choice(["", "  \t", "// l1: calc 5", "/* calc 7 */", "/* two\n lines */",
                                     "/* one */ // and another"]))
    return lines + late


def statement(op, rng):
    if op.kind == "join":
        return "join"
    if op.kind == "compute":
        return f"calc {op.amount}" + option("cpu", op.cpu, rng)
    text = {"send": f"send {op.amount}b to {op.peer}", "receive": f"recv {op.amount}b from {op.peer}",
            "probe": f"probe {op.amount}b from {op.peer}"}[op.kind] + option("tag", op.tag, rng)  # fmt: skip
    return text + ("" if op.kind == "probe" else option("cpu", op.cpu, rng)
                   + option("nic", op.nic, rng)) + option("comm", op.comm, rng)


def option(name, value, rng):
    return f" {name} {value}" if value or rng.random() < 0.2 else ""


def requirements(at, op, rng):
    starts = [f"l{at} irequires l{required}" for required, start in op.requires if start]
    whole = [f"l{required}" for required, start in op.requires if not start]
    if not op.one_suffices:
        return starts + [f"l{at} requires {label}" for label in whole]
    assert whole, "one line must say any"
    cut = rng.randint(1, len(whole))
    return starts + [f"l{at} requires-any {' '.join(whole[:cut])}"] + [f"l{at} requires {label}"
                                                                       for label in whole[cut:]]


class Drawn:
    """An operation on the line of time."""

    def __init__(self, op, start, end):
        self.op, self.start, self.end = op, start, end
        self.needs = []  # others that it must require


class Graphs:
    """Draws a program of graphs."""

    def __init__(self, rng, tasks, rendezvous, amounts):
        self.rng, self.rendezvous, self.amounts = rng, rendezvous, amounts
        self.tasks = [[] for _ in range(tasks)]
        self.streams = rng.choice([1, 1, 2, 3, 5])
        self.tags, self.comms = rng.choice([1, 2, 4, 1000, 1000]), rng.choice([1, 1, 2, 3])
        self.wild = rng.choice([0, 0, 0.05, 0.2, 0.5])
        self.edges = rng.choice([1, 2, 3])
        self.hot = rng.choice([0, 0, 0.6])  # share of the messages that go to one task
        if amounts.crowded:
            self.hot, self.streams = rng.choice([0.5, 0.8]), rng.choice([2, 4])
            self.wild, self.tags, self.comms = rng.choice([0.2, 0.8]), rng.choice([1, 2, 1000]), 1
        self.new_tag = 0

    def add(self, task, op, start, end):
        drawn = Drawn(op, start, end)
        self.tasks[task].append(drawn)
        return drawn

    def stream(self):
        return self.rng.randrange(self.streams)

    def message(self, now):
        rng, tasks = self.rng, len(self.tasks)
        source, destination = rng.randrange(tasks), rng.randrange(tasks)
        if rng.random() < self.hot:
            destination = 0
        if source == destination and rng.random() < 0.7:
            destination = (source + 1) % tasks
        tag, comm, size = rng.randrange(self.tags), rng.randrange(self.comms), rng.choice(self.amounts.sizes)
        if self.tags == 1000:
            tag = self.new_tag = self.new_tag + 1
        posted = now + rng.uniform(-8, 6)
        taken = max(now, posted) + rng.uniform(0.1, 2)
        rendezvous = 0 < self.rendezvous < size
        self.add(source, Operation("send", 0, size, destination, tag, self.stream(), 0, comm), now, taken + 0.1
                 if rendezvous else now + 0.1)
        envelope = [ANY if rng.random() < self.wild else source, ANY if rng.random() < self.wild / 2 else tag]
        stream = self.stream()
        receive = self.add(destination, Operation("receive", 0, rng.choice([size, size, 0, 5]), *envelope, stream, 0,
                                                  comm), posted, taken)
        if posted > now and rng.random() < 0.3:
            probe = Operation("probe", 0, size, rng.choice([envelope[0], ANY]), rng.choice([envelope[1], ANY]), 0, 0,
                              comm)
            receive.needs.append(self.add(destination, probe, now - rng.uniform(-0.05, 4), now + 0.05))
            receive.needs[-1].start = min(receive.needs[-1].start, posted - 0.05)

    def computation(self, now):
        rng = self.rng
        time = rng.choice(self.amounts.times)
        self.add(rng.randrange(len(self.tasks)), Operation("compute", 0, time, cpu=self.stream()), now, now
                 + rng.uniform(0.1, 4))

    def join(self, now):
        self.add(self.rng.randrange(len(self.tasks)), Operation("join"), now, now)

    def graphs(self, count):
        """[task]: operations in the order of the file."""
        for number in range(count):
            self.rng.choices([self.message, self.computation, self.join], [5, 3, 1])[0](number
                    + self.rng.uniform(-0.4, 0.4))
        return [self.graph(drawn) for drawn in self.tasks]

    def graph(self, drawn):
        rng = self.rng
        order = sorted(drawn, key=lambda d: d.start)
        disorder = rng.choice([0, 0, 2, len(order)])
        order.sort(key=lambda d: d.start + rng.uniform(0, disorder))
        number = {id(d): at for at, d in enumerate(order)}
        for d in order:
            for needed in d.needs:
                d.op.require(number[id(needed)])
            before = sorted((other for other in drawn if other is not d and other.start < d.start), key=lambda o:
                            -o.start)[:6]
            chosen = rng.sample(before, min(len(before), rng.randint(0, self.edges)))
            for other in chosen:
                if other.end < d.start:
                    d.op.require(number[id(other)], rng.random() < 0.25)
                else:
                    d.op.require(number[id(other)], True)
            self.perhaps_any(d, before, number)
        return [d.op for d in order]

    def perhaps_any(self, d, before, number):
        """One of what it requires suffices, if one completion is among them that the line of time has before its start;
        more alternatives, of any time of completion, are added then."""
        over = {number[id(other)] for other in before if other.end < d.start}
        if d.needs or not any(required in over and not start for required, start in d.op.requires):
            return
        if self.rng.random() < (0.6 if d.op.kind == "join" else 0.1):
            d.op.one_suffices = True
            for other in self.rng.sample(before, min(len(before), 2)):
                d.op.require(number[id(other)], self.rng.random() < 0.1)


def draw(seed):
    """A program that may end or not, with its network; the judge has run it."""
    import mpi_calls  # which needs this file

    rng = random.Random(f"program {seed}")
    tasks = rng.choice([2, 2, 3, 4, rng.randint(2, 24)])
    per_node = rng.choice([1, 1, 1, 2, 3])
    if rng.random() < 0.4:
        rendezvous, local = rng.choice([0, 1, 2]), 10
        network, amounts = rng.choice(GRIDS), Amounts([1, 1, 2, 3], [0, 10, 10, 20], crowded=True)
        tasks = min(tasks, 6)
    else:
        rendezvous, local = rng.choice([0, 1, 50, 50, 4096]), rng.choice([1, 1, 5, 300])
        network, amounts = rng.choice(NETWORKS), Amounts.around(rendezvous, rng)
    nodes = max(2, -(-tasks // per_node)) + rng.choice([0, 0, 0, 3])
    nics, policy = rng.choice([1, 1, 2, 3, 4]), rng.choice(["task", "round-robin", "destination", "stripe"])
    path = rng.choice([("0", "0"), ("0", "0"), ("2", "0"), ("0.5", "3"), ("0", "16"), ("10", "8")])
    parameters = Parameters(*network, rendezvous, per_node, local, nics, policy, *path)
    kind, count = rng.choice(["graph", "graph", "calls"]), rng.choice([3, 20, 60, 60, 150])
    drawn = (Graphs if kind == "graph" else mpi_calls.Calls)(rng, tasks, rendezvous, amounts)
    operations = drawn.graphs(count)
    for op in (op for of_task in operations for op in of_task):
        if op.kind in ("send", "receive") and rng.random() < 0.2:
            op.nic = rng.randrange(nics)
    if rng.random() < 0.15:
        spoil(operations, rng)
    text = written(operations, rng)
    parameters = dataclasses.replace(parameters, turnaround=rng.choice([0, 0, 0, 1, 10, 300]))
    case = Case(seed, kind, text, tasks, nodes, parameters)
    case.result = judge(case.text, parameters)
    return case


def spoil(tasks, rng):
    """Changes the tag of a receive or of a send: somebody waits in vain, mostly."""
    chosen = [op for operations in tasks for op in operations if op.kind in ("send", "receive")]
    if chosen:
        rng.choice(chosen).tag = 999_999


def first(seed, ended):
    return next(case for attempt in range(MOST_TRIES) for case in [draw(f"{seed}/{attempt}")] if case.result["ended"]
                == ended)


def ending(seed):
    return first(seed, True)


def endless(seed):
    return first(seed, False)


if __name__ == "__main__":
    print((endless if "--endless" in sys.argv else ending)(sys.argv[1]).text, end="")
