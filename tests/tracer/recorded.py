"""Reads what weft's tracer wrote, apart from weft: the layout of workloads/trace/format/weft/weft_records.hpp again,
so that a mistake in one of both shows.

    python3 -B tests/tracer/recorded.py FOLDER    # the records as text"""

import re
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["none", "send", "isend", "receive", "ireceive", "wait", "probe", "collective", "enter", "leave", "mark",
         "send_init", "receive_init",
         "start", "forget", "resume", "polled"]  # fmt: skip
MESSAGES = ("send", "isend", "receive", "ireceive", "probe", "send_init", "receive_init")
UNTIMED = ("collective", "enter", "leave", "mark", "forget", "resume")


def call_names():
    text = (ROOT / "workloads/trace/format/weft/weft_records.hpp").read_text(encoding="utf-8")
    return re.findall(r"CALL\((\w+)\)",
                      text.split("#define WEFT_RECORDED_COLLECTIVES")[1].split("#define WEFT_CALL_NUMBER")[0])


def collective_names():
    text = (ROOT / "workloads/trace/format/weft/weft_records.hpp").read_text(encoding="utf-8")
    return re.findall(r"CALL\((\w+)\)", text.split("#define WEFT_RECORDED_COLLECTIVES(CALL)")[1].split("//")[0])


class Fields:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 if value % 2 == 0 else -(value >> 1) - 1

    def members(self):
        ranks, following = [], 0
        for _ in range(self.number()):
            ranks.append(following + self.signed())
            following = ranks[-1] + 1
        return ranks


class Rank:
    """records: dictionaries in order; communicators: [number]: (members, others); whole: bytes of whole blocks."""

    def __init__(self, path, calls):
        data = path.read_bytes()
        (_, _, self.rank, self.ranks, self.library, self.clock, self.state, self.has_inner, self.block_bytes,
         self.error, self.threads, self.blocks,
         self.written, self.lost, self.end_ns) = struct.unpack_from("<8s8IiI4Q", data)  # fmt: skip
        assert data[:8] == b"WEFTREC1"
        self.calls, self.records, self.sizes = calls, [], []
        self.communicators = {0: (list(range(self.ranks)), []), 1: ([self.rank], [])}
        self.members_of_any = {}
        at = 152
        while at + 40 <= len(data):
            magic, kind, count, records, thread, _, begin, _ = struct.unpack_from("<6I2Q", data, at)
            if magic != 0x4B4C4257 or at + 40 + count > len(data):
                break
            fields = Fields(data[at + 40 : at + 40 + count])
            if kind == 1:
                self.define(fields)
            else:
                self.sizes.append(count)
                self.read(fields, records, thread, begin)
            at += 40 + count
        self.whole, self.rest = at, len(data) - at

    def define(self, fields):
        while fields.at < len(fields.data):
            if fields.byte() == 2:
                fields.signed()
                continue
            number, _ = fields.number(), fields.byte()
            self.communicators[number] = (fields.members(), fields.members())

    def read(self, fields, records, thread, begin):
        request, now = 0, begin
        for _ in range(records):
            head = fields.byte()
            kind = KINDS[head & 0x1F]
            record = {"kind": kind, "thread": thread, "continues": bool(head & 0x20), "special": bool(head & 0x40),
                      "inner": bool(head & 0x80)}
            if not head & 0x20:
                now += fields.number()
                record["begin"] = now
                if kind not in UNTIMED:
                    now += fields.number()
                record["end"] = now
            if kind in MESSAGES:
                code, peer, record[
                        "tag"], record["bytes"] = fields.number(), fields.signed(), fields.signed(), fields.number()
                record["comm"] = code >> 1
                members, others = self.communicators[code >> 1]
                peers = list(range(self.ranks)) if code & 1 else others or members
                record["peer"] = peers[peer] if peer >= 0 else None
            if kind == "collective":
                record["call"], record[
                        "comm"], record["root"] = self.calls[fields.number()], fields.number() >> 1, fields.signed() - 1
                record["bytes"], record["received"] = fields.number(), fields.number()
                record["lists"] = [[fields.number() for _ in range(fields.number())] for _ in range(2)]
            if kind == "enter":
                record["call"] = self.calls[fields.number()]
            if kind == "mark":
                record["mark"] = fields.signed()
            if kind in ("isend", "ireceive", "wait", "send_init", "receive_init", "start",
                        "forget") or kind == "collective" and record["special"]:
                request = (request + fields.signed()) % 2**64
                record["request"] = request
            if kind == "wait":
                record["bytes"], record["peer"], record["tag"] = fields.number() - 1, fields.signed(), fields.signed()
            self.records.append(record)
        assert fields.at == len(fields.data), "bytes behind the last record"


def read_folder(folder):
    calls = call_names()
    ranks = [Rank(path, calls) for path in Path(folder).glob("rank-*.weft")]
    return sorted(ranks, key=lambda rank: rank.rank)


def sends(rank, inner=False):
    """(call, tag, to, bytes) of messages of the program, or of the library inside of calls, those to itself left out.
    Persistent ones count for each start."""
    found, persistent, call = [], {}, None
    for record in rank.records:
        if record["kind"] in ("collective", "enter"):
            call = record["call"]
        if record["kind"] == "send_init":
            persistent[record["request"]] = record
        if record["kind"] in ("receive_init", "forget"):
            persistent.pop(record["request"], None)
        if record["kind"] == "start":
            record = persistent.get(record["request"], record)
        elif record["kind"] not in ("send", "isend"):
            continue
        if "peer" in record and record["inner"] == inner and record["peer"] != rank.rank:
            found.append((call if inner else None, record["tag"], record["peer"], record["bytes"]))
    return found


if __name__ == "__main__":
    for each in read_folder(sys.argv[1]):
        print("rank", each.rank, "state", each.state, "records", len(each.records), each.communicators)
        for one in each.records:
            print("  ", " ".join(f"{key}={value}" for key, value in one.items() if value is not False))
