"""The kernels of two dimensions on a rectangle of tasks, as .trc traces. INSEE made its 512 tasks a mesh of 32x16,
while weft's own kernels take squares only; insee.py checks that on a square both give the same traces."""


class Rectangle:
    """Operations of all tasks of `columns` x `rows`, numbered along x, as the lines of a .trc file."""

    def __init__(self, columns, rows, message_bytes):
        self.columns, self.rows, self.message_bytes = columns, rows, message_bytes
        self.lines = []

    def neighbour(self, task, dimension, step):
        x, y = task % self.columns, task // self.columns
        if dimension == 0:
            x += step
        else:
            y += step
        return y * self.columns + x if 0 <= x < self.columns and 0 <= y < self.rows else None

    def send(self, task, dimension, step, tag=0):
        peer = self.neighbour(task, dimension, step)
        if peer is not None:
            self.lines.append(f"s {task} {peer} {tag} {self.message_bytes}")

    def receive(self, task, dimension, step, tag=0):
        peer = self.neighbour(task, dimension, step)
        if peer is not None:
            self.lines.append(f"r {peer} {task} {tag} {self.message_bytes}")


def mesh(r, task):
    for operation in (r.send, r.receive):
        for dimension in (0, 1):
            for step in (1, -1):
                operation(task, dimension, step)


def wavefront(r, task):
    r.receive(task, 1, -1)
    r.receive(task, 0, -1)
    r.send(task, 0, 1)
    r.send(task, 1, 1)


def wavefront_with_return(r, task):
    wavefront(r, task)
    r.receive(task, 0, 1)
    r.receive(task, 1, 1)
    r.send(task, 1, -1)
    r.send(task, 0, -1)


def waterfall(r, task, repetitions=40):
    for tag in range(repetitions):
        r.receive(task, 0, -1, tag)
        r.receive(task, 1, -1, tag)
        r.send(task, 0, 1, tag)
        r.send(task, 1, 1, tag)


KERNELS = {"M2": mesh, "W2": wavefront, "W2r": wavefront_with_return, "WF": waterfall}


def trace(kernel, columns, rows, message_bytes):
    """The text of the trace of `kernel` (a key of KERNELS)."""
    rectangle = Rectangle(columns, rows, message_bytes)
    for task in range(columns * rows):
        KERNELS[kernel](rectangle, task)
    return "\n".join(rectangle.lines) + "\n"
