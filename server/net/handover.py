"""Sockets handed to the worker whose rooms they are for (`kupa serve --workers N`).

What lives here: which worker a room code leads to, giving a fresh connection to it with the request it began
with, and taking those that others give. What does not: serving them (listener). Nothing rests on it: whatever
cannot be handed over is served where it came in, and the rooms are the same everywhere. But a room whose people
are all at one process rings no bell for every move.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import zlib
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger("kupa.net")

LONGEST = 16 * 1024
"""Bytes of a request that is handed over; browsers send less than two thousand."""
PER_TURN = 64
"""Sockets taken in one turn of the loop."""
AGAIN_S = 0.005
"""A door that is full (the system lets ten wait there) is tried again after so long,"""
PATIENCE = 200
"""and so often; then the connection is served where it came in."""
_FOR_ROOM = re.compile(rb"GET (?:/[^ ?]*)?/ws\?room=([A-Za-z]{5}) HTTP/1\.1\r\n")


@dataclass(frozen=True, slots=True)
class Place:
    """Which of how many workers this is, and the folder in which they find each other."""

    number: int
    count: int
    folder: str

    @classmethod
    def parse(cls, text: str) -> Place:
        """`NUMBER/COUNT/FOLDER`, as `str` gives it. Raises ValueError."""
        number, count, folder = text.split("/", 2)
        return cls(int(number), int(count), folder)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}/{self.folder}"

    def home(self, code: str) -> int:
        """Number of the worker where the people of the room with this code come together."""
        return zlib.crc32(code.upper().encode()) % self.count

    def has(self, code: str) -> bool:
        """Whether that is this one."""
        return self.home(code) == self.number

    def door(self, number: int) -> str:
        """Where a worker takes what it is given."""
        return str(Path(self.folder) / str(number))


class Handover:
    """Gives and takes; inside the event loop."""

    def __init__(self, place: Place, take: Callable[[socket.socket, bytes], None]) -> None:
        """`take(socket, request)`: a connection is served here from now on; `request` is what it began with."""
        self._place = place
        self._take = take
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._later: list[tuple[int, int, bytes]] = []
        """Number of the worker, descriptor of our own and request of each that found its door full."""
        self._shut: set[int] = set()
        """Doors at which somebody waited in vain, until one gets through."""
        self._tries = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Take what others give from now on. OSError when the folder is not there."""
        door = self._place.door(self._place.number)
        Path(door).unlink(missing_ok=True)  # of a worker before this one, which died
        self._socket.bind(door)
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._come)

    def stop(self) -> None:
        """Take nothing more, and give nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        for _, descriptor, _ in self._later:
            os.close(descriptor)
        self._later.clear()
        asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._socket.close()

    def give(self, descriptor: int, data: bytes) -> bool:
        """Whether the connection with this descriptor was handed over; then the caller lets go of it, unclosed.

        `data` is all that came of it so far: only a whole request for the socket of a room goes anywhere.
        """
        asked = _FOR_ROOM.match(data)
        if asked is None or len(data) > LONGEST or not data.endswith(b"\r\n\r\n"):
            return False
        home = self._place.home(asked[1].decode())
        if home == self._place.number:
            return False
        try:
            self._send(home, descriptor, data)
            self._shut.discard(home)
        except BlockingIOError:
            if home in self._shut:
                return False
            self._later.append((home, os.dup(descriptor), data))
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self._again)
        except OSError as error:  # nobody is there: then it is served here
            log.debug("worker %d takes no socket: %s", home, error)
            return False
        return True

    def _send(self, number: int, descriptor: int, data: bytes) -> None:
        # Not `socket.send_fds`: it forgets the address.
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [descriptor]))
        self._socket.sendmsg([data], [rights], 0, self._place.door(number))

    def _again(self) -> None:
        """Those who found a door full, in the order in which they came."""
        later, self._later, self._timer = self._later, [], None
        self._tries += 1
        for number, descriptor, data in later:
            try:
                self._send(number, descriptor, data)
            except OSError as error:
                if isinstance(error, BlockingIOError) and self._tries < PATIENCE:
                    self._later.append((number, descriptor, data))
                    continue
                log.debug("worker %d takes no socket: %s", number, error)
                self._shut.add(number)
                self._take(socket.socket(fileno=descriptor), data)
            else:
                os.close(descriptor)
        if self._later:
            self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self._again)
        else:
            self._tries = 0

    def _come(self) -> None:
        for _ in range(PER_TURN):
            try:
                data, descriptors, _flags, _from = socket.recv_fds(self._socket, LONGEST, 1)
            except BlockingIOError:
                return
            for descriptor in descriptors[1:]:
                os.close(descriptor)
            if descriptors:
                self._take(socket.socket(fileno=descriptors[0]), data)
