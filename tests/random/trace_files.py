"""Traces of random configurations: the same actions of tasks in each format."""

import struct

BLOCK_BYTES, TABLE_UNIT = 1024, 1073741824
SEND, RECEIVE, COLLECTIVES = 80, 77, {5: "MPI_Barrier", 6: "MPI_Bcast", 2: "MPI_Allreduce"}  # numbers of MPE's states
STATE_OF = {"barrier": 5, "broadcast": 6, "allreduce": 2}


def calls(actions, tasks):
    """(begin, end, task, number of the state, message) of each call: calls take a microsecond, computing goes by."""
    now = [0] * tasks
    for action, task, *rest in actions:
        if action == "compute":
            now[task] += rest[0]
            continue
        message = None if action == "collective" else (-101 if action == "send" else -102, *rest)
        state = STATE_OF[rest[0]] if action == "collective" else SEND if action == "send" else RECEIVE
        yield now[task], now[task] + 1000, task, state, message
        now[task] += 1000


def as_alog(actions, tasks):
    names = {SEND: "MPI_Send", RECEIVE: "MPI_Recv", **COLLECTIVES}
    lines = [f"-3 0 0 {tasks} 0 0", "-9 0 0 700 0 0 start", *(f"-13 0 {2 * state + 1} {2 * state + 2} 0 0 red {name}"
                                                              for state, name in names.items())]
    lines += [f"700 {task} 0 0 0 0" for task in range(tasks)]
    for begin, end, task, state, message in calls(actions, tasks):
        lines.append(f"{2 * state + 1} {task} 0 0 0 {begin // 1000}")
        if message:
            kind, peer, tag, size = message
            lines.append(f"{kind} {task} 0 {peer} 0 {end // 1000} {tag} {size}")
        lines.append(f"{2 * state + 2} {task} 0 0 0 {end // 1000}")
    return "\n".join(lines)


def as_clog1(actions, tasks):
    def record(seconds, kind, words, task, numbers, text=b""):
        return (struct.pack(f">diiii{len(numbers)}i", seconds, kind, words, task, 0, *numbers) + text).ljust(8 * words,
                b"\0")

    event = lambda ns, task, number, data=0, text=b"": record(ns / 1e9, 1, 7, task, [number, data, 900, 0],
                                                              text)  # noqa: E731
    records = [event(0, task, 700) for task in range(tasks)]
    for begin, end, task, state, message in calls(actions, tasks):
        records.append(event(begin, task, 2 * state + 1))
        if message:
            kind, peer, tag, size = message
            records.append(event(end, task, kind, peer, f"{tag} {size}".encode()))
        records.append(event(end, task, 2 * state + 2))
    return blocks(records, lambda kind: record(0, -1 if kind == "block" else -2, 3, 0, []))


def blocks(records, end):
    """Records in blocks of 1 KiB, each with a record at its end."""
    whole, block = b"", b""
    for record in records:
        if len(block) + len(record) + len(end("block")) > BLOCK_BYTES:
            whole, block = whole + (block + end("block")).ljust(BLOCK_BYTES, b"\0"), b""
        block += record
    return whole + (block + end("log")).ljust(BLOCK_BYTES, b"\0")


def as_clog2(actions, tasks):
    def record(seconds, task, kind, *numbers):
        return struct.pack(f">diiii{len(numbers)}i", seconds, 0, task, 0, kind, *numbers)

    records = [record(0, task, 9, 0, 0, task, task) + bytes(32) for task in range(tasks)]
    for begin, end, task, state, message in calls(actions, tasks):
        records.append(record(begin / 1e9, task, 5, 2 * state, 0))
        if message:
            kind, peer, tag, size = message
            records.append(record(end / 1e9, task, 7, kind, 0, peer, tag, size, 0))
        records.append(record(end / 1e9, task, 5, 2 * state + 1, 0))
    log = blocks(records, lambda kind: record(0, 0, 1 if kind == "block" else 0))
    fields = {"is_big_endian=": "TRUE ", "is_finalzed=": "TRUE ", "block_size=": BLOCK_BYTES,
              "max_comm_world_size=": tasks}
    texts = ["CLOG-02.44", *(str(text) for field in fields.items() for text in field), "commtable_fptr=", "0",
             str(TABLE_UNIT), str(BLOCK_BYTES + len(log))]
    return "".join(text + "\0" for text in texts).encode().ljust(1024, b"\0") + log + struct.pack(">i", 1) + bytes(40)


VEF_OPERATIONS = {"barrier": 6, "broadcast": 0, "allreduce": 2}
VEF_BYTES = 72


def as_vef(actions, tasks):
    """Each record says what it depends on, and how long after it comes; a wait that nothing follows is a local
    record."""
    after, elapsed = [(0, "-1")] * tasks, [0] * tasks
    lines, messages, calls = [], 0, 0

    def record(text, task, blocking=0):
        dep, on = after[task]
        lines.append(f"{text} {dep + blocking} {elapsed[task]} {on}")
        elapsed[task] = 0

    def message(task, to, size):
        nonlocal messages
        record(f"{messages} {task} {to} {size}", task, 4 if task != to else 0)
        after[task] = 1, messages
        messages += 1
        return messages - 1

    sent = {}
    collectives = {}
    for action, task, *rest in actions:
        if action == "compute":
            elapsed[task] += rest[0]
        elif action == "send":
            peer, tag, size = rest
            sent.setdefault((task, peer, tag), []).append(message(task, peer, size))
        elif action == "receive":
            peer, tag, _ = rest
            if elapsed[task] or after[task][0] != 1:
                message(task, task, 0)
            after[task] = 2, sent[peer, task, tag].pop(0)
        else:
            number, left = collectives.get(rest[0], (calls, tasks))
            calls += left == tasks
            collectives[rest[0]] = number, left - 1
            if left == 1:
                del collectives[rest[0]]
            operation = VEF_OPERATIONS[rest[0]]
            gives = VEF_BYTES if operation == 2 or operation == 0 and task == 0 else 0
            gets = VEF_BYTES if operation == 2 or operation == 0 and task != 0 else 0
            record(f"G{number} C0 {operation} {task} {gives} {gets}", task)
            after[task] = 3, f"G{number}"
    for task in range(tasks):
        if elapsed[task] or after[task][0] == 2:
            message(task, task, 0)
    first = f"VEF3 {tasks} {messages} 1 {calls} {calls * tasks} 0 1000"
    return "\n".join([first, " ".join(["C0", *map(str, range(tasks))]), *lines])


DIMEMAS_OPERATIONS = {"barrier": 0, "broadcast": 1, "allreduce": 11}


def as_dimemas(actions, tasks):
    """Tasks one behind the other, in the newer form."""
    lines = [[] for _ in range(tasks)]
    for action, task, *rest in actions:
        if action == "compute":
            lines[task].append(f"1:{task}:0:{rest[0] / 1e9:.9f}")
        elif action == "collective":
            gives = VEF_BYTES if rest[0] == "allreduce" or rest[0] == "broadcast" and task == 0 else 0
            gets = VEF_BYTES if rest[0] == "allreduce" or rest[0] == "broadcast" and task != 0 else 0
            lines[task].append(f"10:{task}:0:{DIMEMAS_OPERATIONS[rest[0]]}:1:{int(task == 0)}:0:{gives}:{gets}:1")
        else:
            peer, tag, size = rest
            lines[task].append(f"{2 if action == 'send' else 3}:{task}:0:{peer}:0:{size}:{tag}:1:0")
    first = f'#DIMEMAS:"random":1,0:{tasks}({",".join(["1"] * tasks)}),1,0'
    return "\n".join([first, ":".join(["d:1:1", str(tasks), *map(str, range(tasks))]),
                      *(line for of_task in lines for line in of_task)])


PARAVER_SEND, PARAVER_RECEIVE, PARAVER_OPERATIONS = 1, 2, {"barrier": 8, "broadcast": 7, "allreduce": 10}


def as_paraver(actions, tasks):
    """Calls take a microsecond; a message arrives when its receive ends. Lines are in the order of their times."""
    now, lines, sent = [0] * tasks, [], {}

    def event(ns, task, text):
        lines.append((ns, len(lines), f"2:{task + 1}:1:{task + 1}:1:{ns}:{text}"))

    for action, task, *rest in actions:
        begin = now[task]
        if action == "compute":
            now[task] += rest[0]
            continue
        if action == "collective":
            gives = VEF_BYTES if rest[0] == "allreduce" or rest[0] == "broadcast" and task == 0 else 0
            gets = VEF_BYTES if rest[0] == "allreduce" or rest[0] == "broadcast" and task != 0 else 0
            now[task] = end = begin + 1000
            event(begin, task,
                  f"50000002:{PARAVER_OPERATIONS[rest[0]]}:50100001:{gives}:50100002:{gets}:"
                  f"50100003:{int(task == 0)}:50100004:1")
            event(end, task, "50000002:0")
            continue
        peer, tag, size = rest
        if action == "send":
            now[task] = end = begin + 1000
            sent.setdefault((task, peer, tag), []).append(begin + 500)
        else:
            at = sent[peer, task, tag].pop(0)
            now[task] = end = max(begin, at) + 1000
            line = f"3:{peer + 1}:1:{peer + 1}:1:{at}:{at}:{task + 1}:1:{task + 1}:1:{begin}:{end}:{size}:{tag}"
            lines.append((at, len(lines), line))
        event(begin, task, f"50000001:{PARAVER_SEND if action == 'send' else PARAVER_RECEIVE}")
        event(end, task, "50000001:0")
    first = f"#Paraver (01/01/26 at 00:00):{max(now)}_ns:1({tasks}):1:{tasks}({','.join(['1:1'] * tasks)}),1"
    groups = ":".join(["c:1:1", str(tasks), *(str(task + 1) for task in range(tasks))])
    return "\n".join([first, groups, *(line for *_, line in sorted(lines))])


WITH_TIMES = ("alog", "clog1", "clog2", "paraver", "pcap")
WITHOUT_SIZES = ("alog", "clog1", "clog2")  # have collective calls, but not their sizes
def as_pcap(actions, tasks):
    """The messages with data as packets of UDP, in either byte order; a capture knows nothing else."""
    sent = [action[1:] for action in actions if action[0] == "send" and action[3 + 1] > 0] or [(0, 1, 0, 64)]
    order, ns = (">", True) if len(sent) % 2 else ("<", False)
    capture = struct.pack(order + "IHHiIII", 0xa1b23c4d if ns else 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101)
    for number, (task, peer, tag, size) in enumerate(sent):
        addresses = [struct.pack(">I", (10 << 24) + host) for host in (task, peer)]
        udp = struct.pack(">HHHH", 9, tag, 8 + size, 0) + bytes(size)
        packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + b"".join(addresses) + udp
        capture += struct.pack(order + "IIII", 7, number * (1000 if ns else 1), len(packet), len(packet)) + packet
    return capture


FORMATS = {"alog": as_alog, "clog1": as_clog1, "clog2": as_clog2, "vef": as_vef, "dimemas": as_dimemas, "pcap": as_pcap,
           "paraver": as_paraver}
