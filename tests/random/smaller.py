"""Makes a program on which weft and its judge differ as small as it can: without operations, without requirements,
shorter."""

import copy
import time


class Smaller:
    """`differs(tasks)`: whether a program still shows the fault; it is asked so often at most, for so many seconds.
    `matches(tasks)`: (source, send, destination, receive) of messages, which go together."""

    def __init__(self, differs, matches=lambda tasks: [], most_asked=400, seconds=60):
        self.differs, self.matches, self.left = differs, matches, most_asked
        self.end = time.monotonic() + seconds

    def of(self, tasks):
        tasks = self.fewer_operations(tasks)
        tasks = self.fewer_requirements(tasks)
        tasks = self.plainer(tasks)
        return self.fewer_operations(tasks)

    def still(self, tasks):
        self.left -= 1
        return self.left >= 0 and time.monotonic() < self.end and self.differs(tasks)

    def units(self, tasks):
        """What may go together: (task, operation) of the two ends of a message, or of anything alone."""
        pairs = [{(source, send), (destination, receive)} for source, send, destination, receive in self.matches(tasks)]
        alone = {(task, at) for task, operations in enumerate(tasks)
                 for at in range(len(operations))}.difference(*pairs)
        return pairs + [{place} for place in sorted(alone)]

    def fewer_operations(self, tasks):
        """Without so many units at once, then half as many, until no single one can go."""
        units = self.units(tasks)
        size = len(units) // 2
        while size > 0 and self.left > 0:
            begin, gone = 0, False
            while begin < len(units):
                less = without(tasks, set().union(*units[begin:begin + size]))
                if self.still(less):
                    tasks, units, gone = less, self.units(less), True
                else:
                    begin += size
            size = size if gone and size == 1 else size // 2
        return tasks

    def fewer_requirements(self, tasks):
        for task, operations in enumerate(tasks):
            for at, op in enumerate(operations):
                for requirement in list(op.requires):
                    changed = copy.deepcopy(tasks)
                    drop(changed[task][at], requirement)
                    if self.still(changed):
                        tasks = changed
        return tasks

    def plainer(self, tasks):
        """Numbers that are 0 or smaller."""
        for task, operations in enumerate(tasks):
            for at, op in enumerate(operations):
                for name in ("amount", "cpu", "tag", "comm"):
                    for value in {0, 1, getattr(op, name) // 2}:
                        if value < getattr(tasks[task][at], name):
                            changed = copy.deepcopy(tasks)
                            setattr(changed[task][at], name, value)
                            if self.still(changed):
                                tasks = changed
        return tasks


def drop(op, requirement):
    op.requires.remove(requirement)
    # Text says "any" with a requirement of a completion only.
    op.one_suffices = op.one_suffices and any(not start for _, start in op.requires)


def without(tasks, gone):
    """A program without the operations (task, number); what required them requires what is left."""
    less = []
    for task, operations in enumerate(tasks):
        kept = [at for at in range(len(operations)) if (task, at) not in gone]
        number = {at: new for new, at in enumerate(kept)}
        less.append([copy.deepcopy(operations[at]) for at in kept])
        for op in less[-1]:
            for requirement in list(op.requires):
                if requirement[0] not in number:
                    drop(op, requirement)
            op.requires = [(number[required], start) for required, start in op.requires]
    return less
