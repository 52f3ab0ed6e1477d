"""Traces of random configurations: the same actions of tasks in each format. A function takes actions, tasks and what
adds a file, and returns the path of the trace."""

import struct

COLLECTIVES = ("barrier", "broadcast", "allreduce")
CALL_NS = 1000  # of each call, in formats with times


def by_task(actions, tasks):
    lists = [[] for _ in range(tasks)]
    for action, task, *rest in actions:
        lists[task].append((action, *rest))
    return lists


def as_trc(actions, _tasks, add_file):
    lines = []
    for action, task, *rest in actions:
        if action == "compute":
            lines.append(f"c {task} {rest[0]}")
        elif action != "collective":  # these have none
            peer, tag, size = rest
            lines.append(f"s {task} {peer} {tag} {size}" if action == "send" else f"r {peer} {task} {tag} {size}")
    return add_file("trace.trc", "\n".join(lines))


def as_ti(actions, tasks, add_file):
    """All tasks in one file; receives are waited for."""
    lines = [f"{task} init" for task in range(tasks)]
    words = {"barrier": lambda size: "barrier", "broadcast": lambda size: f"bcast {size} 0 6",
             "allreduce": lambda size: f"allreduce {size} 0 6"}
    for action, task, *rest in actions:
        if action == "compute":
            lines.append(f"{task} compute {rest[0]}")
        elif action == "collective":
            lines.append(f"{task} {words[rest[0]](rest[1])}")
        elif action == "send":
            lines.append(f"{task} send {rest[0]} {rest[1]} {rest[2]} 6")
        else:
            lines += [f"{task} irecv {rest[0]} {rest[1]} {rest[2]} 6", f"{task} wait {rest[0]} {task} {rest[1]}"]
    return add_file("trace.ti", "\n".join(lines))


def timed(actions):
    """(begin, what) of each call of a task."""
    now = 0
    for action, *rest in actions:
        if action == "compute":
            now += rest[0]
            continue
        yield now, action, rest
        now += CALL_NS


def as_liballprof(actions, tasks, add_file):
    for task, mine in enumerate(by_task(actions, tasks)):
        world = f"0,{task},{tasks}"
        lines = [f"MPI_Init:-:1:2:{5000 * task}", f"MPI_Comm_rank:{5000 * task}:{world}:1:{5000 * task}",
                 f"MPI_Barrier:{5000 * task}:{world}:{5000 * task}"]
        for begin, action, rest in timed(mine):
            if action == "collective":
                call, arguments = {"barrier": ("Barrier", world),
                                   "broadcast": ("Bcast", f"1:{rest[1]}:2,1,1:0:{world}"),
                                   "allreduce": ("Allreduce", f"1:2:{rest[1]}:2,1,1:3:{world}")}[rest[0]]  # fmt: skip
            else:
                peer, tag, size = rest
                call = "Send" if action == "send" else "Recv"
                arguments = f"9:{size}:2,1,1:{peer}:{tag}:{world}" + ("" if action == "send" else ":7")
            begin += 1000 * 5000 * task  # clocks differ
            lines.append(f"MPI_{call}:{begin / 1000:.3f}:{arguments}:{(begin + CALL_NS) / 1000:.3f}")
        path = add_file(f"trace-{task}.txt", "\n".join(lines))
    return path.replace(f"-{tasks - 1}.txt", "-*.txt")


def as_dumpi(actions, tasks, add_file):
    """Bytes are of type 5; receives are waited for, with statuses."""

    def call(number, begin, form, *values):
        times = b"".join(struct.pack(">Hi", at // 10**9, at % 10**9) for at in (begin, begin + CALL_NS))
        return struct.pack(">HB", number, 0x0B) + times + struct.pack(">" + form, *values)

    magic = b"\xff\xaa\xddDUMPI"
    sizes = struct.pack(">7i", 6, 0, 0, 1, 1, 1, 1)
    for task, mine in enumerate(by_task(actions, tasks)):
        body = magic + bytes(8)
        for begin, action, rest in timed(mine):
            if action == "collective":
                name, size = rest
                body += {"barrier": call(52, begin, "H", 2), "broadcast": call(53, begin, "iHiH", size, 5, 0, 2),
                         "allreduce": call(65, begin, "iHBH", size, 5, 3, 2)}[name]  # fmt: skip
            elif action == "send":
                peer, tag, size = rest
                body += call(0, begin, "iHiiH", size, 5, peer, tag, 2)
            else:
                peer, tag, size = rest
                body += call(12, begin, "iHiiHi", size, 5, -1, tag, 2, 2)
                body += call(13, begin, "iiiiBBi", 2, 1, size, peer, 0, 0, tag)
        body += struct.pack(">H", 293)
        header = struct.pack(">3BqHHii", 1, 1, 0, 0, 0, 0, 0, 0)
        ends = [len(body) + len(header), 0, 0, len(body), 8, 0, 0]
        whole = body + header + sizes + magic + struct.pack(">7q", *ends)
        path = add_file(f"trace-{task:04}.bin", whole)
    return path.replace(f"-{tasks - 1:04}.bin", "-*.bin")


FORMATS = {"trc": as_trc, "ti": as_ti, "liballprof": as_liballprof, "dumpi": as_dumpi}
