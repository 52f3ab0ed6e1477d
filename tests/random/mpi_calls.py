"""Sequences of MPI calls as graphs, as docs/programs.md maps them; and random ones.

A blocking call is an operation that the next requires; of Isend and Irecv the next requires the start; Wait and Waitall are joins
that require their requests; Waitany is a join that requires any of them. What comes after a Waitany requires it and what the
Waitany would have required of the calls before."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reference"))
from goal_text import ANY, Operation  # noqa: E402


class Sequence:
    """The calls of one task, one after the other. Requests are numbers of operations."""

    def __init__(self):
        self.operations = []
        self.before = []  # (operation, whether its start suffices): what the next call requires

    def add(self, op, start_suffices):
        for required, start in self.before:
            op.require(required, start)
        self.operations.append(op)
        self.before = [(len(self.operations) - 1, start_suffices)]
        return len(self.operations) - 1

    def blocking(self, op):
        return self.add(op, False)

    def immediate(self, op):
        return self.add(op, True)

    def wait(self, *requests):
        """Wait, or Waitall; also of a Waitany or Waitsome of which is known what it returned."""
        if not requests:
            return
        op = Operation("join")
        for request in requests:
            op.require(request)
        self.add(op, False)

    def wait_any(self, *requests):
        op = Operation("join", one_suffices=len(requests) > 1)
        for request in requests:
            op.require(request)
        self.operations.append(op)
        self.before.append((len(self.operations) - 1, False))


class Calls:
    """Draws the calls of tasks along one line of time: what a call waits for lies before it, so none waits for ever where messages
    are matched as they were drawn."""

    def __init__(self, rng, tasks, rendezvous):
        self.rng, self.rendezvous = rng, rendezvous
        self.planned = [[] for _ in range(tasks)]  # [task]: (time, what, ...)
        self.tags, self.comms = rng.choice([1, 3, 1000, 1000]), rng.choice([1, 1, 2])
        self.wild = rng.choice([0, 0.1, 0.4])
        self.blocking = rng.choice([0, 0.3, 0.8])

    def graphs(self, count):
        rng = self.rng
        for now in range(1, count + 1):
            self.message(now)
            if rng.random() < 0.5:
                time = rng.choice([0, 1, rng.randint(0, 500)])
                self.planned[rng.randrange(len(self.planned))].append((now + 0.5, "compute", Operation("compute", amount=time), None))
        return [self.task(sorted(planned, key=lambda p: p[0])) for planned in self.planned]

    def message(self, now):
        rng, tasks = self.rng, len(self.planned)
        source = rng.randrange(tasks)
        destination = rng.choice([t for t in range(tasks) if t != source])
        s = self.rendezvous or 60
        size = rng.choice([0, 1, s, s + 1, rng.randint(0, 3 * s)])
        tag = now if self.tags == 1000 else rng.randrange(self.tags)
        comm = rng.randrange(self.comms)
        send = Operation("send", amount=size, peer=destination, tag=tag, comm=comm)
        envelope = {"peer": ANY if rng.random() < self.wild else source, "tag": ANY if rng.random() < self.wild / 2 else tag}
        receive = Operation("receive", amount=size, comm=comm, **envelope)
        self.planned[source].append((now, "blocking" if rng.random() < self.blocking else "immediate", send, now))
        if rng.random() < self.blocking:
            if rng.random() < 0.3:
                self.planned[destination].append((now + 0.05, "blocking", Operation("probe", amount=size, comm=comm, **envelope), now))
            self.planned[destination].append((now + 0.1, "blocking", receive, now))
        else:
            self.planned[destination].append((now - rng.choice([0, 0.1, rng.uniform(0, 3), rng.uniform(0, 12)]), "immediate", receive, now))

    def task(self, planned):
        """Puts waits between the calls: for requests whose message lies before now on the line of time."""
        rng, calls, open_requests = self.rng, Sequence(), {}  # request: when its message is sent
        for time, how, op, sent in planned:
            if how != "immediate":
                calls.blocking(op)
            else:
                open_requests[calls.immediate(op)] = sent
            over = [request for request, when in open_requests.items() if when + 0.2 < time]
            if over and rng.random() < 0.4:
                self.some_wait(calls, over, open_requests)
        if rng.random() < 0.9:
            calls.wait(*open_requests)
        return calls.operations

    def some_wait(self, calls, over, open_requests):
        rng = self.rng
        if rng.random() < 0.4:
            alternatives = list({rng.choice(over), *rng.sample(list(open_requests), min(len(open_requests), 3))})
            calls.wait_any(*alternatives)  # all of them stay open, since nobody knows which it was
            return
        chosen = rng.sample(over, rng.randint(1, len(over)))
        calls.wait(*chosen)
        for request in chosen:
            del open_requests[request]
