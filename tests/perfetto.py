"""Reads Perfetto's format as far as timelines need it: the wire format of protocol buffers by hand, and from packets
slices, flows and counters by track, as trace_processor makes them."""

import struct


def fields(message):
    """(number, value) of each field: whole numbers, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == 0:
            yield number, varint()
        elif wire == 1:
            yield number, message[at : at + 8]
            at += 8
        elif wire == 2:
            length = varint()
            if at + length > len(message):
                raise ValueError("a message is cut off")
            yield number, message[at : at + length]
            at += length
        else:
            raise ValueError(f"wire type {wire}")


def only(message, number, default=None):
    return next((value for found, value in fields(message) if found == number), default)


class Trace:
    def __init__(self, data):
        self.names, self.parents, self.ranks = {}, {}, {}
        self.slices = []  # dictionaries: track, name, category, begin, end, depth, args, out, into
        self.instants = []
        self.counters = {}  # track: [(time, value)]
        self.open = {}
        for number, packet in fields(data):
            if number != 1:
                raise ValueError(f"field {number} of a trace")
            self.packet(packet)
        if any(self.open.values()):
            raise ValueError("slices that do not end")

    def packet(self, packet):
        if only(packet, 10) != 1:
            raise ValueError("a packet without its sequence")
        if (track := only(packet, 60)) is not None:
            uuid = only(track, 1)
            self.names[uuid] = only(track, 2).decode()
            self.parents[uuid] = only(track, 5, 0)
            self.ranks[uuid] = only(track, 12)
        if (event := only(packet, 11)) is not None:
            self.event(only(packet, 8), event)

    def event(self, time, event):
        kind, track = only(event, 9), only(event, 11)
        if track not in self.names:
            raise ValueError("an event on a track that is not there")
        stack = self.open.setdefault(track, [])
        if kind == 2:
            stack.pop()["end"] = time
            return
        if kind == 4:
            self.counters.setdefault(track, []).append((time, struct.unpack("<d", only(event, 44))[0]))
            return
        row = {"track": track, "name": only(event, 23).decode(), "category": only(event, 22).decode(), "begin": time,
               "depth": len(stack),
               "args": {only(a, 10).decode(): only(a, 3) for number, a in fields(event) if number == 4},
               "out": [struct.unpack("<Q", v)[0] for number, v in fields(event) if number == 47],
               "into": [struct.unpack("<Q", v)[0] for number, v in fields(event) if number == 48]}  # fmt: skip
        if stack and time < stack[-1]["begin"]:
            raise ValueError("time goes back")
        if kind == 3:
            self.instants.append(row)
            return
        self.slices.append(row)
        stack.append(row)

    def of(self, name):
        """Slices of the track of that name, and of those below it."""
        tracks = {uuid for uuid, found in self.names.items() if found == name}
        tracks |= {uuid for uuid, parent in self.parents.items() if parent in tracks}
        return [row for row in self.slices if row["track"] in tracks]

    def arrows(self):
        """(slice that sends, slice that receives) of each message."""
        begins = {flow: row for row in self.slices for flow in row["out"]}
        return [(begins.get(flow), row) for row in self.slices + self.instants for flow in row["into"]]
