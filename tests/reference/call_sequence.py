"""Sequences of MPI calls as graphs, as docs/programs.md maps them.

A blocking call is an operation that the next requires; of Isend and Irecv the next requires the start; Wait and Waitall
are joins that require their requests; Waitany is a join that requires any of them. What comes after a Waitany requires
it and what the Waitany would have required of the calls before."""

from goal_text import Operation


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
