"""Random sequences of MPI calls, as graphs (tests/reference/call_sequence.py)."""

from call_sequence import Sequence
from goal_text import ANY, Operation


class Calls:
    """Draws the calls of tasks along one line of time: what a call waits for lies before it, so none waits for ever
    where messages are matched as they were drawn."""

    def __init__(self, rng, tasks, rendezvous, amounts):
        self.rng, self.rendezvous, self.amounts = rng, rendezvous, amounts
        self.planned = [[] for _ in range(tasks)]  # [task]: (time, what, ...)
        self.tags, self.comms = rng.choice([1, 3, 1000, 1000]), rng.choice([1, 1, 2])
        self.wild = rng.choice([0, 0.1, 0.4])
        self.blocking = rng.choice([0, 0.3, 0.8])

    def graphs(self, count):
        rng = self.rng
        for now in range(1, count + 1):
            self.message(now)
            if rng.random() < 0.5:
                time = rng.choice(self.amounts.times)
                self.planned[rng.randrange(len(self.planned))].append((now + 0.5, "compute",
                                                                       Operation("compute", amount=time), None))
        return [self.task(sorted(planned, key=lambda p: p[0])) for planned in self.planned]

    def message(self, now):
        rng, tasks = self.rng, len(self.planned)
        source = rng.randrange(tasks)
        destination = rng.choice([t for t in range(tasks) if t != source])
        size = rng.choice(self.amounts.sizes)
        tag = now if self.tags == 1000 else rng.randrange(self.tags)
        comm = rng.randrange(self.comms)
        send = Operation("send", amount=size, peer=destination, tag=tag, comm=comm)
        envelope = {"peer": ANY if rng.random() < self.wild else source, "tag": ANY if rng.random() < self.wild / 2
                    else tag}
        receive = Operation("receive", amount=size, comm=comm, **envelope)
        self.planned[source].append((now, "blocking" if rng.random() < self.blocking else "immediate", send, now))
        if rng.random() < self.blocking:
            if rng.random() < 0.3:
                self.planned[destination].append((now + 0.05, "blocking",
                                                  Operation("probe", amount=size, comm=comm, **envelope), now))
            self.planned[destination].append((now + 0.1, "blocking", receive, now))
        else:
            self.planned[destination].append((now - rng.choice([0, 0.1, rng.uniform(0, 3), rng.uniform(0, 12)]),
                                              "immediate", receive, now))

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
