"""Joins a simulator written in Python to weft, as an endpoint of a simulated network (``weft cosim``).

The protocol is that of ``weft_cosim.h``; docs/cosim-sockets.md has it, and an example::

    with weft.cosim.Endpoint("ping") as endpoint:
        for until_ns, messages in endpoint.slices():
            for message in messages:
                endpoint.send(message.time_ns, message.source, message.bytes)
            endpoint.idle_until(weft.cosim.NEVER)
"""

from __future__ import annotations

import builtins
import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

from ._errors import Error

NEVER = 2**64 - 1
"""As a time: nothing happens any more unless a message comes."""

_VERSION = 1
_HELLO, _WELCOME, _MESSAGE, _ADVANCE, _DONE, _END = range(1, 7)
_HEAD = struct.Struct("<IIQIIQ")  # length of the payload, kind, time_ns, from, to, bytes


class ProtocolError(Error):
    """weft has gone, or speaks another version of the protocol."""


@dataclass(frozen=True)
class Message:
    """A message that comes to the endpoint."""

    time_ns: int
    """Simulated time at which it comes."""
    source: int
    """Endpoint that sent it."""
    bytes: int
    """Length in the network."""
    payload: builtins.bytes
    """What the sender put in, at most so long."""


class Endpoint:
    """A connection to weft. ``number`` is this endpoint's, from 0, of ``endpoints``; ``slice_ns`` the length of a
    slice."""

    number: int
    endpoints: int
    slice_ns: int

    def __init__(self, name: str, path: str | None = None) -> None:
        """Joins; ``path`` is that of the socket, by default ``$WEFT_COSIM_SOCKET``."""
        path = path or os.environ.get("WEFT_COSIM_SOCKET")
        if not path:
            raise ProtocolError("there is no socket (WEFT_COSIM_SOCKET is not set); start this program by weft cosim")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise ProtocolError(
                f"cannot join weft by the socket '{path}' ({error.strerror}); start weft cosim first") from None
        self._out = bytearray()
        self._in = bytearray()
        self._idle_until_ns = 0
        self._over = False
        self._is_asked = False  # it is in a slice, and weft waits for it
        self._has_left = False
        self.now_ns = 0
        self._put(_HELLO, 0, 0, _VERSION, name.encode())
        self._flush()
        kind, self.slice_ns, self.endpoints, self.number, version, _ = self._take()
        if kind != _WELCOME or version != _VERSION:
            raise ProtocolError(f"weft speaks version {version} of the protocol, and this module {_VERSION}")

    def __enter__(self) -> Endpoint:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves the run: as after ``end``, unless an error made it leave, which ends the run for all."""
        left_well = error is None or (isinstance(error, SystemExit) and error.code in (None, 0))
        try:
            if left_well:
                self._leave()
        finally:
            self._socket.close()

    def _leave(self) -> None:
        """Says END to weft, which has it or waits for it, or will."""
        while not self._has_left:
            if not self._is_asked:
                kind = self._take()[0]
                self._is_asked = kind == _ADVANCE
                self._has_left = kind == _END
                continue
            self._put(_END, 0, 0, 0, b"")
            self._flush()
            self._has_left = True

    def slices(self) -> Iterator[tuple[int, list[Message]]]:
        """Each slice: its end in ns, and what comes before that. Ends when the run is over, or after ``end``.

        Who leaves the loop and the ``with`` around it, by ``break`` or ``return``, takes no more part, as after
        ``end``.
        """
        messages: list[Message] = []
        while True:
            kind, time_ns, source, _, length, payload = self._take()
            if kind == _MESSAGE:
                messages.append(Message(time_ns, source, length, payload))
            elif kind == _ADVANCE:
                self._idle_until_ns = 0
                self._is_asked = True
                yield time_ns, messages
                messages = []
                self.now_ns = time_ns
                self._is_asked = False
                self._put(_END if self._over else _DONE, self._idle_until_ns, 0, 0, b"")
                self._flush()
                if self._over:
                    self._has_left = True
                    return
            elif kind == _END:
                self.now_ns = time_ns
                self._has_left = True
                return
            else:
                raise ProtocolError(f"weft sends a frame of kind {kind}, which there is not")

    def send(self, at_ns: int, to: int, length: int, payload: bytes = b"") -> None:
        """Sends a message of ``length`` bytes at a time within the slice; times ascend."""
        self._put(_MESSAGE, at_ns, to, length, payload)

    def idle_until(self, time_ns: int) -> None:
        """Says in a slice that nothing happens before that time unless a message comes: slices without events are
        free."""
        self._idle_until_ns = time_ns

    def end(self) -> None:
        """Says that the endpoint takes no more part after this slice."""
        self._over = True

    def _put(self, kind: int, time_ns: int, to: int, length: int, payload: bytes) -> None:
        self._out += _HEAD.pack(len(payload), kind, time_ns, 0, to, length) + payload

    def _flush(self) -> None:
        try:
            self._socket.sendall(self._out)
        except OSError:
            raise ProtocolError("weft has gone") from None
        self._out.clear()

    def _bytes(self, count: int) -> bytes:
        while len(self._in) < count:
            try:
                part = self._socket.recv(1 << 16)
            except ConnectionError:
                part = b""
            if not part:
                raise ProtocolError("weft has gone")
            self._in += part
        taken = bytes(self._in[:count])
        del self._in[:count]
        return taken

    def _take(self) -> tuple[int, int, int, int, int, bytes]:
        length, kind, time_ns, source, to, size = _HEAD.unpack(self._bytes(_HEAD.size))
        return kind, time_ns, source, to, size, self._bytes(length)
