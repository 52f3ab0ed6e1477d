"""The judge of programs: runs a GOAL text on an ideal network event by event, as docs/programs.md says and from nothing
else.

    program_judge.py FILE.goal --latency 100 --overhead 10 --gap 7 --byte-gap 3 --byte-overhead 0 --rendezvous 50

prints JSON: `ended`; `finish_ns` of each task (when the last of its operations was complete; 0 without operations);
`matches` [source task, number of the send there, destination task, number of the receive there]; `waiting`: operations
that have begun and are never complete, where the program cannot end, and `not_begun`, how many could not even begin.

Time is exact, in ticks as docs/ideal.md chooses them: 1 ns where L, o and g are whole, else 1 ps; 1/1024 ns where they
are whole and a message may take no time, so that it takes a tick. Terms of a byte are floor((s - 1) G) of doubles, as
LogGOPSim takes them."""

import argparse
import heapq
import json
import math
import sys
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import goal_text


@dataclass(frozen=True)
class Parameters:
    """LogGOPS in ns (numbers, or decimal text) and bytes; 0 as rendezvous: never. Local latency and turnaround in whole
    ns, latency of the path (0: not given) in ns of any length; its rate in 10^9 bit/s, 0: no limit."""

    latency: object = 0
    overhead: object = 0
    gap: object = 0
    byte_gap: object = 0
    byte_overhead: object = 0
    rendezvous: int = 0
    tasks_per_node: int = 1
    local_latency: int = 1
    nics: int = 1
    nic_policy: str = "task"
    path_latency: object = 0
    path_gbps: object = 0
    turnaround: int = 0

    @property
    def whole(self):
        """Whether terms are rounded down to whole ns, not to ps."""
        return all(Fraction(str(ns)).denominator == 1 for ns in (self.latency, self.overhead, self.gap))

    @property
    def ticks_per_ns(self):
        if not self.whole:
            return 1000
        latency, overhead, gap = (Fraction(str(ns)) for ns in (self.latency, self.overhead, self.gap))
        takes_time = latency + overhead >= 1 and (self.rendezvous == 0 or gap + overhead >= 1)
        return 1 if takes_time else 1024

    def ticks(self, ns):
        """Of a term, rounded down by itself."""
        steps_per_ns = 1 if self.whole else 1000
        return math.floor(ns * steps_per_ns) * self.ticks_per_ns // steps_per_ns

    def fixed(self, ns):
        return self.ticks(Fraction(str(ns)))

    @property
    def path_ticks(self):
        """Latency inside a node."""
        if float(self.path_latency) == 0:
            return self.local_latency * self.ticks_per_ns
        return max(1, math.floor(float(self.path_latency) * self.ticks_per_ns))

    def on_path(self, length):
        """How long a message holds the path inside a node."""
        rate = float(self.path_gbps)
        return 0 if rate == 0 else math.floor(max(length, 1) * (8 / rate * self.ticks_per_ns))

    def by_length(self, length, ns_per_byte):
        steps_per_ns = 1 if self.whole else 1000
        return math.floor((max(length, 1) - 1) * (float(ns_per_byte)
                                                  * steps_per_ns)) * self.ticks_per_ns // steps_per_ns


@dataclass
class Message:
    source: int
    send: int
    number: int  # at its source
    destination: int
    length: int
    tag: int
    comm: int
    rendezvous: bool
    through_memory: bool
    nics: list
    order: int  # among those of its source to its destination on its communicator


class Task:
    """A task and what waits there."""

    def __init__(self, number, node, operations):
        self.number, self.node, self.operations = number, node, operations
        self.place = 0  # among the tasks of the node
        self.missing = [len(op.requires) for op in operations]
        self.dependents = {False: defaultdict(list), True: defaultdict(list)}  # [start suffices][operation]
        for dependent, op in enumerate(operations):
            for required, start in op.requires:
                self.dependents[start][required].append(dependent)
        self.queued = [False] * len(operations)  # became ready
        self.nics = [[]] * len(operations)  # that sends to other nodes leave by
        self.starting = True
        self.begun = [False] * len(operations)
        self.complete = [False] * len(operations)
        self.ready = []  # (operation, its message where it is to be handled)
        self.stream_free = defaultdict(int)
        self.turned_around = 0  # from its last receive
        self.posted, self.probes = [], []  # operations, in the order in which they began
        self.unexpected = []  # messages, in the order in which they arrived
        self.sent = 0
        self.finish = 0


class Judge:
    def __init__(self, tasks, parameters):
        self.p = parameters
        self.tasks = [Task(number, number // parameters.tasks_per_node, ops) for number, ops in enumerate(tasks)]
        self.latency, self.overhead, self.gap = map(parameters.fixed,
                                                    (parameters.latency, parameters.overhead, parameters.gap))
        self.agenda = []  # heap of (tick, task)
        self.due, self.arriving = defaultdict(list), defaultdict(list)  # [tick, task]
        for task in self.tasks:
            task.place = task.number % parameters.tasks_per_node
        self.sending_free, self.receiving_free = defaultdict(int), defaultdict(int)  # [node, NIC]
        self.path_free, self.next_nic = defaultdict(int), defaultdict(int)  # [node]
        # [source, destination, communicator]: messages sent, and let in
        self.orders, self.awaited = defaultdict(int), defaultdict(int)
        self.early = {}  # [source, destination, communicator, order]: messages that wait for those before them
        self.matches = []
        self.now = 0

    def run(self):
        for task in self.tasks:
            self.wake(task, 0)
        while self.agenda:
            self.now, number = heapq.heappop(self.agenda)
            while self.agenda and self.agenda[0] == (self.now, number):
                heapq.heappop(self.agenda)
            self.take_tick(self.tasks[number])
        return self.result()

    def wake(self, task, tick):
        heapq.heappush(self.agenda, (tick, task.number))

    # The tick of a task.

    def take_tick(self, task):
        place = (self.now, task.number)
        for number, message in sorted(self.due.pop(place, []), key=lambda due: due[0]):
            if message is not None:
                self.takes_the_path(task, message)
            if message is None or not message.rendezvous:
                self.completes(task, number)
        for message in sorted(self.arriving.pop(place, []), key=lambda m: (m.source, m.number)):
            self.comes(task, message)
        if task.starting:
            task.starting = False
            for number, op in enumerate(task.operations):
                if not op.requires:
                    self.becomes_ready(task, number)
        at = 0
        while at < len(task.ready):
            number, message = task.ready[at]
            busy_until = self.busy_until(task, number, message)
            if busy_until > self.now:
                self.wake(task, busy_until)
                at += 1
                continue
            del task.ready[at]
            if message is None:
                self.begins(task, number)
            else:
                self.is_handled(task, number, message)

    def busy_until(self, task, number, message):
        """When an operation at the front of the queue has what it needs, as it looks now."""
        op = task.operations[number]
        if message is not None:
            return max(task.stream_free[op.cpu], *(self.receiving_free[task.node, nic] for nic in message.nics), 0)
        if op.kind == "compute":
            return max(task.stream_free[op.cpu], task.turned_around if op.amount else 0)
        if op.kind == "send":
            return max(task.stream_free[op.cpu], task.turned_around,
                       *(self.sending_free[task.node, nic] for nic in task.nics[number]), 0)
        return 0

    def is_local(self, task, peer):
        return self.tasks[peer].node == task.node

    def becomes_ready(self, task, number):
        if not task.queued[number]:
            task.queued[number] = True
            op = task.operations[number]
            if op.kind == "send" and not self.is_local(task, op.peer):
                task.nics[number] = self.nics_of(task, op)
            task.ready.append((number, None))

    def nics_of(self, task, op):
        """Those that a message to another node leaves by, and comes by."""
        count, policy = self.p.nics, self.p.nic_policy
        if op.nic != 0:
            return [op.nic]
        if policy == "stripe":
            return list(range(count))
        if policy == "round-robin":
            self.next_nic[task.node] += 1
            return [(self.next_nic[task.node] - 1) % count]
        return [(task.place if policy == "task" else op.peer) % count]

    def tell(self, task, number, start):
        """Those that require the start, or the completion, of an operation."""
        for dependent in task.dependents[start][number]:
            task.missing[dependent] -= 1
            if task.missing[dependent] == 0 or task.operations[dependent].one_suffices:
                self.becomes_ready(task, dependent)

    def completes(self, task, number):
        task.complete[number] = True
        task.finish = self.now
        if task.operations[number].kind == "receive":
            task.turned_around = self.now + self.p.turnaround * self.p.ticks_per_ns
        self.tell(task, number, start=False)

    def completes_at(self, task, number, tick, message=None):
        """`message`: one through memory that sets out then; of a rendezvous without completing its send."""
        if tick == self.now:
            if message is not None:
                self.takes_the_path(task, message)
            if message is None or not message.rendezvous:
                self.completes(task, number)
        else:
            self.due[tick, task.number].append((number, message))
            self.wake(task, tick)

    def takes_the_path(self, task, message):
        self.path_free[task.node] = max(self.now, self.path_free[task.node]) + self.p.on_path(message.length)
        self.arrives_at(self.path_free[task.node] + self.p.path_ticks, message)

    def arrives_at(self, tick, message):
        self.arriving[tick, message.destination].append(message)
        self.wake(self.tasks[message.destination], tick)

    # What operations do when they begin: those that require their start are looked at first.

    def begins(self, task, number):
        op = task.operations[number]
        task.begun[number] = True
        self.tell(task, number, start=True)
        if op.kind == "join":
            self.completes(task, number)
        elif op.kind == "compute":
            end = self.now + op.amount * self.p.ticks_per_ns
            task.stream_free[op.cpu] = end
            self.completes_at(task, number, end)
        elif op.kind == "send":
            self.sends(task, number, op)
        elif op.kind == "receive":
            self.is_posted(task, number, op)
        elif any(fits(op, message) for message in task.unexpected):
            self.completes(task, number)
        else:
            task.probes.append(number)

    def sends(self, task, number, op):
        local = self.is_local(task, op.peer)
        rendezvous = 0 < self.p.rendezvous < op.amount
        message = Message(task.number, number, task.sent, op.peer, op.amount, op.tag, op.comm, rendezvous, local,
                          task.nics[number],
                          self.orders[task.number, op.peer, op.comm])
        task.sent += 1
        self.orders[task.number, op.peer, op.comm] += 1
        ready = self.now + self.overhead + self.p.by_length(op.amount, self.p.byte_overhead)
        task.stream_free[op.cpu] = ready
        if local:
            self.completes_at(task, number, ready, message)
            return
        part = -(-op.amount // len(message.nics))
        for at, nic in enumerate(message.nics):
            length = min(part, op.amount - at * part)
            if at == 0 or length > 0:
                self.sending_free[task.node, nic] = self.now + self.gap + self.p.by_length(length, self.p.byte_gap)
        self.arrives_at(max(ready + self.latency + self.p.by_length(part, self.p.byte_gap), self.now + 1), message)
        if not rendezvous:
            self.completes_at(task, number, ready)

    def is_posted(self, task, number, op):
        for message in task.unexpected:
            if fits(op, message):
                task.unexpected.remove(message)
                self.takes(task, number, message)
                return
        task.posted.append(number)

    def comes(self, task, message):
        """In order: one that is early is held until those before it are there."""
        pair = (message.source, message.destination, message.comm)
        self.early[pair + (message.order,)] = message
        while pair + (self.awaited[pair],) in self.early:
            self.arrives(task, self.early.pop(pair + (self.awaited[pair],)))
            self.awaited[pair] += 1

    def arrives(self, task, message):
        for number in task.posted:
            if fits(task.operations[number], message):
                task.posted.remove(number)
                self.takes(task, number, message)
                return
        task.unexpected.append(message)
        for number in [number for number in task.probes if fits(task.operations[number], message)]:
            task.probes.remove(number)
            self.completes(task, number)

    def takes(self, task, number, message):
        self.matches.append((message.source, message.send, task.number, number))
        task.ready.append((number, message))

    def is_handled(self, task, number, message):
        op, gap = task.operations[number], 0 if message.through_memory else self.gap
        end = self.now + gap + self.overhead + self.p.by_length(message.length, self.p.byte_overhead)
        for nic in message.nics:
            self.receiving_free[task.node, nic] = self.now + gap
        task.stream_free[op.cpu] = end
        self.completes_at(task, number, end)
        if message.rendezvous:
            self.completes_at(self.tasks[message.source], message.send, max(end, self.now + 1))

    def result(self):
        waiting, not_begun = [], 0
        for task in self.tasks:
            for number, op in enumerate(task.operations):
                if task.begun[number] and not task.complete[number]:
                    waiting.append({"task": task.number, "operation": number, "line": op.line, "kind": op.kind})
                not_begun += not task.begun[number]
        per_ns = self.p.ticks_per_ns
        finish = [task.finish // per_ns if task.finish % per_ns == 0 else task.finish / per_ns for task in self.tasks]
        return {"ended": not waiting and not not_begun, "finish_ns": finish,
                "finish_ticks": [task.finish for task in self.tasks],
                "ticks_per_ns": per_ns, "matches": sorted(self.matches, key=lambda m: (m[2], m[3])), "waiting": waiting,
                "not_begun": not_begun}  # fmt: skip


def fits(op, message):
    """Whether a receive or probe fits a message."""
    return (op.peer in (goal_text.ANY, message.source) and op.tag in (goal_text.ANY, message.tag) and op.comm
            == message.comm)


def judge(text, parameters=Parameters()):
    """The result (see above) of a GOAL text."""
    return Judge(goal_text.parse(text), parameters).run()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    for name in ("latency", "overhead", "gap", "byte-gap", "byte-overhead"):
        parser.add_argument(f"--{name}", default="0", metavar="NS")
    parser.add_argument("--rendezvous", type=int, default=0, metavar="BYTES",
                        help="longer messages rendezvous; 0: never")
    parser.add_argument("--tasks-per-node", type=int, default=1)
    parser.add_argument("--local-latency", type=int, default=1, metavar="NS",
                        help="of messages between tasks of a node")
    parser.add_argument("--nics", type=int, default=1, help="of a node")
    parser.add_argument("--nic-policy", default="task", choices=["task", "round-robin", "destination", "stripe"])
    parser.add_argument("--path-latency", default="0", metavar="NS", help="in place of the local latency; 0: not given")
    parser.add_argument("--path-gbps", default="0", help="of the path between tasks of a node; 0: no limit")
    parser.add_argument("--turnaround", type=int, default=0, metavar="NS",
                        help="from a receive to what its task sends or computes next")
    options = vars(parser.parse_args(arguments))
    text = options.pop("file").read_text(encoding="utf-8")
    json.dump(judge(text, Parameters(**options)), sys.stdout)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
