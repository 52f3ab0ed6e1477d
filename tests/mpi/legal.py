"""Whether a matching of messages and receives is one that MPI allows: sources, tags and communicators fit, and messages
do not overtake each other. For programs whose tasks send and post receives in the order of their operations."""

from collections import defaultdict
from itertools import combinations

from program_judge import Message, fits


def faults(tasks, matches, complete=True, by_arrival=False):
    """Lines about what is wrong with matches (source, send, destination, receive); `complete`: every receive must have
    one; `by_arrival`: receives take messages in the order in which they arrive, which MPI does not ask for."""
    found, taken, given = [], {}, {}  # [destination, receive]: (source, send), and the other way round
    for source, send, destination, receive in matches:
        sent, posted = tasks[source][send], tasks[destination][receive]
        if sent.kind != "send" or posted.kind != "receive" or sent.peer != destination or not fits(posted,
                message(source, send, sent)):
            found.append(f"message {source}.{send} does not fit receive {destination}.{receive}")
        if (source, send) in given or (destination, receive) in taken:
            found.append(f"message {source}.{send} or receive {destination}.{receive} is matched twice")
        taken[destination, receive], given[source, send] = (source, send), (destination, receive)
    for task, operations in enumerate(tasks):
        alone = [at for at, op in enumerate(operations) if op.kind == "receive" and (task, at) not in taken]
        if complete and alone:
            found.append(f"receives {alone} of task {task} have no message")
        if not found:
            found += overtaken(tasks, task, taken, given, by_arrival)
    return found


def message(source, number, op):
    return Message(source, number, 0, op.peer, op.amount, op.tag, op.comm, False, False, [], 0)


def overtaken(tasks, destination, taken, given, by_arrival):
    """A matching of a task is explained by an order of its messages in which, for a receive and a later one whose
    message would have fitted, the message of the earlier one comes first. MPI asks of the messages of a source that
    an earlier one comes first if it fits the receive that took the later one (MPI 4.0, 3.5: messages are
    non-overtaking); in an order of arrival all messages of a source keep theirs. Open MPI asks one source after the
    other for a message that came before its receive, and so may take b1 before a0 and a1 before b0."""
    receives = [at for at, op in enumerate(tasks[destination]) if op.kind == "receive"]
    after = defaultdict(set)  # [message]: messages that come later
    for source, operations in enumerate(tasks):
        sent = [at for at, op in enumerate(operations) if op.kind == "send" and op.peer == destination]
        for earlier, later in combinations(sent, 2):
            taker = given.get((source, later))
            first = message(source, earlier, operations[earlier])
            if by_arrival or taker and fits(tasks[destination][taker[1]], first):
                after[source, earlier].add((source, later))
    for at, receive in enumerate(receives):
        for later in receives[at + 1:]:
            other = taken.get((destination, later))
            if other and fits(tasks[destination][receive], message(*other, tasks[other[0]][other[1]])):
                mine = taken.get((destination, receive))
                if mine is None:
                    return [f"receive {destination}.{later} took message {other}, which fits {receive}, posted before "
                            f"it"]
                after[mine].add(other)
    lost = unexplained_sends(tasks, destination, given, receives)
    return lost or ([f"no order of messages to task {destination} explains its matches"] if has_cycle(after) else [])


def unexplained_sends(tasks, destination, given, receives):
    """A message without a receive, although one of the same source that was sent later was taken by a receive that fits
    it."""
    found = []
    for source, operations in enumerate(tasks):
        left = [at for at, op in enumerate(operations) if op.kind == "send" and op.peer == destination
                and (source, at) not in given]
        for send in left:
            later = [given[source, at][1] for at in range(send + 1, len(operations))
                     if given.get((source, at), (None,))[0] == destination]
            found += [f"message {source}.{send} was overtaken at receive {destination}.{receive}" for receive in later
                      if fits(tasks[destination][receive], message(source, send, operations[send]))]  # fmt: skip
    return found


def has_cycle(after):
    """Takes out what nothing comes before until nothing or a cycle is left."""
    before = defaultdict(int)
    for later in after.values():
        for item in later:
            before[item] += 1
    free = [item for item in after if before[item] == 0]
    while free:
        for item in after.get(free.pop(), ()):
            before[item] -= 1
            if before[item] == 0:
                free.append(item)
    return any(before.values())
