"""`kupa tournament`: a host without a browser, and a reader of exported tournaments.

What lives here: one short connection per action, fetching pages, and what is printed of a tournament. What does
not: arguments (cli_tournament), what an archive is and how it is checked (core.tournament.archive).
"""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import msgpack
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidURI, WebSocketException

from server.cli_boards import clock
from server.core.tiebreaks import TIEBREAKS
from server.core.tournament import archive, projection
from server.core.tournament.archive import Archive, BadArchive
from server.core.tournament.hosting import ACTIONS
from server.core.tournament.state import Status, TournamentState
from server.core.tournament.table import standings
from server.reaching import place_of, refusal, unreached
from server.reading import MOST_BYTES
from server.unusable import Unusable, no_server
from server.wire.errors import RefusalCode
from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION, TournamentOptions

_TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
_EVENTS = {kind.__struct_config__.tag: kind for kind in EVENTS}
OPEN_S = 5.0
ANSWER_S = 15.0


class Refused(Unusable):
    """The server has refused a command."""

    def __init__(self, command: str, code: str) -> None:
        super().__init__(f"the server refuses {command}: {refusal(code, command)}")
        self.code = code


class Line:
    """A connection that has said hello."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._n = 0

    async def ask(self, command: str, *values: object) -> dict[str, Any]:
        """Send a command and wait for its answer. Raises Refused."""
        self._n += 1
        await self._socket.send(msgpack.packb([_TAGS[command], self._n, *values]))
        async with asyncio.timeout(ANSWER_S):
            while True:
                tag, *fields = msgpack.unpackb(await self._socket.recv())
                kind = _EVENTS.get(tag)
                event = {} if kind is None else dict(zip(kind.__struct_fields__, fields, strict=False))
                if event.get("n") != self._n:
                    continue
                if kind is not None and kind.__name__ == "Refused":
                    raise Refused(command, event["code"])
                return event


@asynccontextmanager
async def line(address: str, name: str) -> AsyncIterator[Line]:
    """Connect and say hello. Raises Unusable."""
    place = place_of(address)
    try:
        async with connect(place.socket, origin=place.origin, compression=None, open_timeout=OPEN_S) as socket:  # type: ignore[arg-type]
            made = Line(socket)
            await made.ask("Hello", PROTOCOL_VERSION, "", name, "en")
            yield made
    except (OSError, TimeoutError, InvalidURI, InvalidHandshake, WebSocketException) as error:
        raise Unusable(unreached(address, error)) from error


async def create(address: str, name: str, options: TournamentOptions) -> tuple[str, str]:
    """Make a tournament; its code and host token. Raises Unusable."""
    async with line(address, name) as made:
        answer = await made.ask("CreateTournament", msgspec.structs.astuple(options))
        return answer["code"], answer["token"]


async def act(address: str, code: str, token: str, action: str, key: str, value: int) -> None:
    """Carry out a host's action. Raises Unusable."""
    async with line(address, "") as made:
        try:
            await made.ask("HostTournament", code, token, action, key, value)
        except Refused as refused:
            raise Unusable(_mended(refused, code, action, key, value)) from refused


def _mended(refused: Refused, code: str, action: str, key: str, value: int) -> str:
    """What a refused action is told as: by the option that is to be mended."""
    why = refusal(refused.code)
    match refused.code:
        case RefusalCode.NOROOM:
            return f"{code!r} is no tournament there: {why}"
        case RefusalCode.HOST_ONLY:
            return f"--token is not good for {code}: {why}"
        case RefusalCode.NO_SEAT:
            return f"--key {key!r} is no entrant of {code}: {why}; `kupa tournament show --json` has their ids"
        case RefusalCode.BAD_OPTIONS:
            what = " ".join((getattr(ACTIONS.get(action), "__doc__", None) or "").split()).replace("`", "")
            taken = f"{action} does not take --key {key!r} with --value {value}"
            return f"{taken}; what it does: {what}" if what else taken
    return f"{action} is refused: {why}"


def fetch(address: str, code: str, rest: str = "") -> bytes:
    """The body of a page about a tournament: the summary, or what `rest` names behind it. Raises Unusable."""
    place, path = place_of(address), f"/api/tournament/{quote(code, safe='')}{rest}"
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    connection = kind(place.host, timeout=ANSWER_S)
    try:
        connection.request("GET", place.path + path)
        reply = connection.getresponse()
        body = reply.read(MOST_BYTES + 1)
    except (OSError, http.client.HTTPException) as error:
        raise Unusable(no_server(address, error)) from error
    finally:
        connection.close()
    if len(body) > MOST_BYTES:
        raise Unusable(f"what {address} has at {path} is larger than {MOST_BYTES // 1024**2} MiB")
    if reply.status == 404:
        raise Unusable(f"{code!r} is no tournament at {address}; look at the code, or whether Kupa runs there")
    if reply.status != 200:
        raise Unusable(f"{address} has nothing at {path} (status {reply.status})")
    return body


def export(address: str, code: str, progress: Callable[[int, int], object]) -> Archive:
    """The tournament with all boards of its closed rounds; `progress(done, of)`. Raises Unusable."""
    pages: list[Archive] = []
    total = 1
    while len(pages) < total:
        try:
            page = archive.read(fetch(address, code, f".archive?page={len(pages) + 1}"))
        except BadArchive as error:
            raise Unusable(str(error)) from error
        pages.append(page)
        total = page.pages
        progress(len(pages), total)
    return archive.joined(pages)


def read(tie_break: str, value: int) -> str:
    """A value of a tie-break as people read it; what is better the less it is, is kept as a negative number."""
    if tie_break == "total_time":
        return clock(-value).partition(".")[0]  # whole seconds: the table is wide as it is
    return f"{value / 2:g}" if tie_break == "sonneborn_berger" else str(abs(value))


def place(number: int) -> str:
    """A place as people read it; nobody has one before anything has counted."""
    return str(number) if number else "–"


def taking_part(address: str, code: str) -> int:
    """How many people and bots take part in a tournament. Raises Unusable."""
    return sum(one["status"] == Status.IN for one in json.loads(fetch(address, code))["entrants"])


def table_of(state: TournamentState) -> tuple[list[str], list[list[str]]]:
    """The standings as text: names of columns, and rows."""
    ties = state.format.tie_breaks
    names = ["place", "name", "points", *(TIEBREAKS[one].name for one in ties), "status"]
    rows = []
    for row in projection.rows(state, standings(state)):
        values = [read(tie, value) for tie, value in zip(ties, row.values, strict=False)]
        values += ["–"] * (len(ties) - len(values))
        rows.append([place(row.place), f"{row.name} #{row.tag}" if row.tag else row.name, str(row.points), *values])
        rows[-1].append(row.status)
    return names, rows
