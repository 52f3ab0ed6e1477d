"""Reads GOAL text, with what weft adds to it: probe, join, requires-any and the option comm. Written for clarity, to
judge weft's own reader and interpreter by; every statement is on a line of its own."""

import re
from dataclasses import dataclass, field

ANY = -1
LABEL = re.compile(r"([A-Za-z][A-Za-z0-9_]*):\s*(.*)")
OPTIONS = ("tag", "cpu", "nic", "comm")


@dataclass
class Operation:
    """`peer`, `tag`: ANY for any. `amount`: bytes, of a computation ns. `requires`: (number, whether its start
    suffices)."""

    kind: str
    line: int = 0
    amount: int = 0
    peer: int = 0
    tag: int = 0
    cpu: int = 0
    nic: int = 0
    comm: int = 0
    one_suffices: bool = False
    requires: list = field(default_factory=list)

    def require(self, number, start=False):
        if (number, start) not in self.requires:
            self.requires.append((number, start))


class GoalError(Exception):
    """Text that is no GOAL; says the line."""


def without_comments(text):
    """Comments become blanks; lines stay where they are."""
    text = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", text)


def parse(text):
    """[task][number]: operations."""
    tasks, labels, ranks = [], None, None
    for line, statement in enumerate(without_comments(text).split("\n"), 1):
        words = statement.split()
        try:
            if not words:
                continue
            if words[0] == "num_ranks" and ranks is None:
                ranks = int(words[1])
            elif words[0] == "rank" and words[2] == "{" and labels is None:
                expect(int(words[1]) == len(tasks), "ranks are given in order")
                tasks.append([])
                labels = {}
            elif words == ["}"] and labels is not None:
                labels = None
            else:
                expect(labels is not None, "outside of a rank")
                add_statement(tasks[-1], labels, statement.strip(), line)
        except (IndexError, KeyError, ValueError) as error:
            raise GoalError(f"line {line}: '{statement.strip()}': {error!r}") from None
    if ranks != len(tasks) or labels is not None:
        raise GoalError(f"{ranks} ranks are promised, {len(tasks)} are there (or the last is not closed)")
    return tasks


def expect(true, what):
    if not true:
        raise ValueError(what)


def add_statement(operations, labels, statement, line):
    words = statement.split()
    if len(words) >= 3 and words[1] in ("requires", "irequires", "requires-any"):
        operation = operations[labels[words[0]]]
        operation.one_suffices |= words[1] == "requires-any"
        expect(len(words) == 3 or words[1] == "requires-any", "one operation is required a line")
        for required in words[2:]:
            operation.require(labels[required], words[1] == "irequires")
        return
    labelled = LABEL.fullmatch(statement)
    if labelled:
        expect(labelled[1] not in labels, "a label twice")
        labels[labelled[1]] = len(operations)
        words = labelled[2].split()
    operations.append(operation_of(words, line))


def operation_of(words, line):
    kind, rest = {"send": "send", "recv": "receive", "probe": "probe", "calc": "compute",
                  "join": "join"}[words[0]], words[1:]
    operation = Operation(kind, line)
    if kind == "compute":
        operation.amount, rest = int(rest[0]), rest[1:]
    elif kind != "join":
        expect(rest[0].endswith("b") and rest[1] == ("to" if kind == "send" else "from"),
               "SIZEb to DST or SIZEb from SRC")
        operation.amount, operation.peer, rest = int(rest[0][:-1]), int(rest[2]), rest[3:]
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        expect(name in OPTIONS, f"options are {OPTIONS}")
        setattr(operation, name, int(value))
    return operation
