"""The record that random_calls.c leaves, as programs of graphs: replayed as recorded, or to be matched anew."""

from call_sequence import Sequence
from goal_text import Operation


class Record:
    """`lines`: [rank]: (words before the colon, words behind it), numbers as such."""

    def __init__(self, texts):
        self.lines = [[tuple(map(words_of, (line + " :").split(":")[:2])) for line in text.splitlines()]
                      for text in texts]

    @classmethod
    def of(cls, folder, ranks):
        return cls([(folder / f"calls.{rank}").read_text(encoding="utf-8") for rank in range(ranks)])

    def as_recorded(self):
        """[task]: operations, with sources and tags of what came, and joins of what Waitany returned."""
        return [Task(lines, filled_in=True).operations for lines in self.lines]

    def anew(self):
        """[task]: operations, with the wildcards of the calls and joins of any."""
        return [Task(lines, filled_in=False).operations for lines in self.lines]

    def matches(self):
        """(source, operation of the send, destination, operation of the receive), sorted by destination and receive.
        The numbers of both ways to make programs are the same."""
        tasks = [Task(lines, filled_in=True) for lines in self.lines]
        return sorted(((source, tasks[source].sends[seq], rank, number) for rank, task in enumerate(tasks)
                       for number, (source, seq) in task.came.items()), key=lambda match: match[2:])  # fmt: skip


def words_of(text):
    return [int(word) if word.lstrip("-").isdigit() else word for word in text.split()]


class Task:
    def __init__(self, lines, filled_in):
        self.filled_in = filled_in
        self.arrived = {words[1]: words[2:] for words, _ in lines if words[0] == "got"}
        self.calls, self.requests = Sequence(), {}
        self.sends, self.came = [], {}  # operations of sends in their order; [receive]: (source, which of its sends)
        for at, (words, more) in enumerate(lines):
            if words[0] == "probe":
                more = lines[at + 1][1]  # the receive behind it
            getattr(self, words[0])(words[1:], more)

    @property
    def operations(self):
        return self.calls.operations

    def send(self, words, _):
        self.sends.append(self.calls.blocking(self.message("send", *words)))

    def isend(self, words, _):
        self.sends.append(self.calls.immediate(self.message("send", *words[1:])))
        self.requests[words[0]] = self.sends[-1]

    def recv(self, words, more):
        number = self.calls.blocking(self.message("receive", *words, came=more))
        self.came[number] = (more[0], more[2])

    def irecv(self, words, _):
        came = self.arrived[words[0]]
        number = self.requests[words[0]] = self.calls.immediate(self.message("receive", *words[1:], came=came))
        self.came[number] = (came[0], came[2])

    def probe(self, words, more):
        self.calls.blocking(self.message("probe", *words, 0, came=more))

    def message(self, kind, peer, tag, comm, length, came=None):
        if came and self.filled_in:
            peer, tag = came[:2]
        return Operation(kind, amount=length, peer=peer, tag=tag, comm=comm)

    def got(self, words, _):
        pass

    def compute(self, words, _):
        self.calls.blocking(Operation("compute", amount=words[0]))

    def wait(self, words, _):
        self.calls.wait(*(self.requests[request] for request in words))

    waitall = wait

    def waitany(self, words, offered):
        if self.filled_in:
            self.wait(words, None)
        else:
            self.calls.wait_any(*(self.requests[request] for request in offered))

    waitsome = waitany
