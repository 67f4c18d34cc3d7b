"""`kupa bot`: programs that play over the network, as clients like everybody else.

What lives here: a client without a screen, its copy of the own board as far as it was shown, its pace. What
does not: the policy (core.bots). Frames are read with `msgpack`, independently of the server's codec.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI, WebSocketException

from engine import view
from engine.board import Board
from engine.cards import Card
from engine.moves import COLUMN0, Kind, Move
from engine.ruleset import RULESETS
from server.core import bots
from server.plural import number_of
from server.reaching import place_of, refusal, refuse_unfit, unreached
from server.unusable import Unusable
from server.wire.errors import CloseCode, RefusalCode
from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION, EnterRoom, OpenTournament

_TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
_EVENTS = {kind.__struct_config__.tag: (kind.__name__, kind.__struct_fields__) for kind in EVENTS}
RESIGN = Move(Kind.RESIGN, 0, 0, 0)
FOR_NOW = ("busy", "slow", "early")
"""Refusals of moves that pass: the same move is made again."""
OVER = ("ended", "game_won")
"""The board has ended: the result will come. After any other refusal the bot asks for its board."""


AWAY_S = 120.0
"""In a tournament a server that is gone is looked for again for so long,"""
AGAIN_S = 1.0
"""about so often."""
TURNED_AWAY = (
    CloseCode.MALFORMED, CloseCode.UNAUTHENTICATED, CloseCode.FORBIDDEN, CloseCode.ELSEWHERE, CloseCode.OLD_PROTOCOL,
)  # fmt: skip
"""Who was closed with these does not come again."""


class CannotPlay(Unusable):
    """Why a bot cannot play; the text is one line."""


class Refused(CannotPlay):
    """The server has refused a command."""

    def __init__(self, command: str, code: str, option: str) -> None:
        """`option`: as typed, where it is what the command was about; else empty."""
        super().__init__(f"{option or f'the server refuses {command}'}: {refusal(code, command)}")
        self.code = code


class OwnBoard:
    """The own board as it was shown: unseen cards are blanks that fill as they turn up."""

    def __init__(self, ruleset: str, shown: list[Any]) -> None:
        """`shown`: the fields of a `BoardView` as they came over the wire."""
        ply, score, moves, stock, waste, heights, columns, undoable, ended, *_ = shown
        self.ply: int = ply
        self.ended = bool(ended)
        own = view.View(
            ply, score, moves, stock, waste, heights, tuple((down, up) for down, up in columns), undoable, ended
        )
        self._board = Board.at(view.table(own, RULESETS[ruleset]), ranked=True)

    def seen(self) -> view.View:
        """What a person would see now; its ply is that of the log."""
        own = view.own(self._board)
        return view.View(
            self.ply, own.score, own.moves, own.stock, own.waste, own.foundations, own.columns, 0, own.ended
        )

    def moved(self, move: Move, turned: bytes, *, auto: bool) -> None:
        """The server has confirmed `move`, which showed `turned`."""
        board = self._board
        board.apply(move, 0)
        self.ply += 1 + auto
        self.ended = auto or board.ended is not None
        cards = [Card(card) for card in turned]
        if not cards:
            return
        if move.kind == Kind.TRANSFER:
            board.columns[move.source - COLUMN0][-1] = cards[-1]
        else:
            board.waste[-len(cards) :] = cards


class BotClient:
    """One bot over one socket."""

    def __init__(self, socket: ClientConnection, level: int, speed: float) -> None:
        self._socket = socket
        self._level = level
        self._speed = speed
        self._n = 0
        self.token = ""
        """The bot's identity, once the server has welcomed it."""
        self._board: OwnBoard | None = None
        self._ruleset = ""
        self._memory = bots.Memory(0)
        self._sent: bots.Turn | None = None
        self._mover: asyncio.Task[None] | None = None
        """Thinks of the next move, or asks for the board."""
        self._phase = ""
        """Of the tournament."""
        self._you: dict[str, Any] = {}
        """How the bot stands to the tournament."""

    async def enter(self, name: str, room: str, ruleset: str) -> str:
        """Say hello and go into the room, or a quick match; returns the room's code."""
        await self._ask("Hello", PROTOCOL_VERSION, "", name, "en")
        if room:
            found = await self._ask("EnterRoom", room, False, option=f"--room {room}")
        else:
            found = await self._ask("QuickMatch", ruleset)
        return str(found["code"])

    async def race(self) -> dict[str, Any]:
        """Be ready, play one heat to its result, and return the `HeatResult`."""
        await self._ask("Ready", True)
        try:
            while True:
                name, event = await self._next()
                if name == "HeatResult":
                    return event
                self._follow(name, event)
        finally:
            await self._rest()

    async def evening(self, name: str, tournament: str, token: str = "") -> dict[str, Any]:
        """Take part in a tournament to its end, racing whenever a heat is on; returns the last `TournamentYou`.
        `token`: of the same bot over an earlier socket."""
        welcome = await self._ask("Hello", PROTOCOL_VERSION, token, name, "en")
        self.token = welcome["token"] or token
        option = f"--tournament {tournament}"
        try:
            await self._ask("OpenTournament", tournament, True, option=option)
        except Refused as refused:
            if not token or refused.code != RefusalCode.LOCKED:
                raise
            # it ended meanwhile, or a host took the bot out
            await self._ask("OpenTournament", tournament, False, option=option)
        entered = ""
        try:
            while self._phase != "ended":
                if self._you["room"] not in ("", entered):
                    entered = self._you["room"]
                    await self._ask("EnterRoom", entered, False)
                self._follow(*await self._next())
            # the own place comes behind the news that it is over
            await self._ask("OpenTournament", tournament, False, option=option)
        finally:
            await self._rest()
        return self._you

    def _follow(self, name: str, event: dict[str, Any]) -> None:
        """Take an event in."""
        if name == "RoomInfo":
            self._ruleset = event["options"][0]
        elif name == "TournamentInfo":
            self._phase = event["phase"]
        elif name == "TournamentYou":
            self._you = event
        elif name in ("Dealt", "Restored"):
            self._board = OwnBoard(self._ruleset, event["view"])
            self._memory = bots.Memory(secrets.randbelow(2**53))
            self._think()
        elif name == "Moved" and self._board is not None and self._sent is not None:
            if event["ply"] == self._board.ply:
                self._board.moved(self._sent.move or RESIGN, event["turned"], auto=event["auto"])
                self._memory = self._sent.memory
                self._think()
        elif name == "Denied" and event["code"] in FOR_NOW:
            self._think()
        elif name == "Denied" and event["code"] not in OVER:
            self._plan(self._send("Resync", 0))

    def _think(self) -> None:
        if self._board is not None and not self._board.ended:
            self._plan(self._move())

    def _plan(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this next, instead of what was planned before."""
        if self._mover is not None:
            self._mover.cancel()
        self._mover = asyncio.create_task(work)

    async def _rest(self) -> None:
        if self._mover is not None:
            self._mover.cancel()
            await asyncio.gather(self._mover, return_exceptions=True)
            self._mover = None

    async def _move(self) -> None:
        assert self._board is not None
        turn = bots.next_move(self._board.seen(), RULESETS[self._ruleset], self._level, self._memory)
        await asyncio.sleep(turn.delay_ms / 1000 / self._speed)
        self._sent = turn
        await self._send("Play", self._board.ply, *(turn.move or RESIGN))

    async def _send(self, command: str, *values: object) -> None:
        await self._socket.send(msgpack.packb([_TAGS[command], *values]))

    async def _ask(self, command: str, *values: object, option: str = "") -> dict[str, Any]:
        self._n += 1
        await self._send(command, self._n, *values)
        while True:
            name, event = await self._next()
            self._follow(name, event)
            if event.get("n") == self._n:
                if name == "Refused":
                    raise Refused(command, event["code"], option)
                return event

    async def _next(self) -> tuple[str, dict[str, Any]]:
        tag, *values = msgpack.unpackb(await self._socket.recv())
        name, names = _EVENTS.get(tag, ("", ()))
        return name, dict(zip(names, values, strict=False))


class Evening:
    """One bot's way through a tournament, over as many sockets as it takes."""

    def __init__(self, url: str, origin: str, level: int, speed: float) -> None:
        self._url, self._origin, self._level, self._speed = url, origin, level, speed
        self._token = ""
        self._lost_s: float | None = None
        """Since when there is no server."""

    async def run(self, name: str, tournament: str) -> dict[str, Any]:
        """To the end; returns the last `TournamentYou`. Once the bot was let in, a server that is gone or busy is
        asked again for `AWAY_S`. Raises CannotPlay, OSError, WebSocketException."""
        while True:
            try:
                return await self._once(name, tournament)
            except (OSError, WebSocketException, Refused) as error:
                if not self._comes_again(error):
                    raise
                await asyncio.sleep(AGAIN_S * (0.5 + secrets.randbelow(1000) / 1000))

    async def _once(self, name: str, tournament: str) -> dict[str, Any]:
        async with connect(self._url, origin=self._origin, compression=None, open_timeout=5) as socket:  # type: ignore[arg-type]
            client = BotClient(socket, self._level, self._speed)
            try:
                return await client.evening(name, tournament, self._token)
            finally:
                if client.token:
                    self._token, self._lost_s = client.token, None

    def _comes_again(self, error: Exception) -> bool:
        now_s = asyncio.get_running_loop().time()
        self._lost_s = now_s if self._lost_s is None else self._lost_s
        if not self._token or now_s - self._lost_s >= AWAY_S:
            return False
        if isinstance(error, Refused):
            return error.code in FOR_NOW
        closed = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd is not None else 0
        return closed not in TURNED_AWAY


async def play(
    address: str, *, room: str, level: int, count: int, heats: int, speed: float, say: Callable[[str], object],
    tournament: str = "",
) -> None:  # fmt: skip
    """`count` bots of `level` enter `room` (empty: quick match), play `heats` heats at `speed` times human
    pace, and leave; or take part in `tournament` to its end, also when its server ends and comes again. Raises
    Unusable."""
    place = place_of(address)
    url, origin = place.socket, place.origin
    refuse_unfit(EnterRoom, {"code": ("--room", room)})
    refuse_unfit(OpenTournament, {"code": ("--tournament", tournament)})

    async def one(number: int) -> None:
        name = f"Program {secrets.token_hex(2)}"
        if tournament:
            you = await Evening(url, origin, level, speed).run(name, tournament)
            say(f"{name}: place {you['place']} with {number_of(you['points'], 'point')}")
            return
        async with connect(url, origin=origin, compression=None, open_timeout=5) as socket:  # type: ignore[arg-type]
            client = BotClient(socket, level, speed)
            code = await client.enter(name, room, "DS1-D1N")
            say(f"{name} is in room {code}")
            for _ in range(heats):
                result = await client.race()
                place = next((row[1] for row in result["rows"] if row[9] == name), None)
                say(f"{name}: place {place} of {len(result['rows'])}")

    try:
        await asyncio.gather(*(one(number) for number in range(count)))
    except (OSError, InvalidURI, InvalidHandshake, WebSocketException) as error:
        raise CannotPlay(unreached(address, error)) from error
