"""An endpoint that does what it should not: endpoint.py BEHAVIOUR. Bare frames of weft_cosim.h, so that nothing stands
in its way."""

import os
import socket
import struct
import sys
import time

HEAD = struct.Struct("<IIQIIQ")  # length, kind, time_ns, from, to, bytes
HELLO, MESSAGE, ADVANCE, DONE, END = 1, 3, 4, 5, 6
NEVER = 2**64 - 1
behaviour, number = sys.argv[1], int(os.environ["WEFT_COSIM_ENDPOINT"])
line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
line.connect(os.environ["WEFT_COSIM_SOCKET"])


def put(kind, time_ns=0, to=0, length=0, payload=b""):
    line.sendall(HEAD.pack(len(payload), kind, time_ns, 0, to, length) + payload)


def need(count):
    got = b""
    while len(got) < count:
        part = line.recv(min(count - len(got), 1 << 20))
        if not part:
            sys.exit(0)
        got += part
    return got


def next_slice():
    """(where it begins, where it ends): messages that come before are thrown away."""
    global until
    begin = until
    while True:
        length, kind, until, *_ = HEAD.unpack(need(HEAD.size))
        need(length)
        if kind == END:
            sys.exit(0)
        if kind == ADVANCE:
            return begin


until = 0
put(HELLO, length=1, payload=b"odd")
begin = next_slice()
if behaviour.startswith("sends ") and number == 0:
    put(MESSAGE, begin, 1, int(behaviour.split()[1]))
if behaviour == "does not read" and number == 0:
    for _ in range(4):
        put(MESSAGE, begin, 1, 4 << 20, b"z" * (4 << 20))
if behaviour == "does not read" and number == 1:
    put(DONE, NEVER)
    time.sleep(1000)
if behaviour == "hangs":
    time.sleep(1000)
put(DONE, NEVER)
while True:
    next_slice()
    put(DONE, NEVER)
