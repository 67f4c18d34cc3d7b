"""A load run: rooms of people on one known deal, who then play as fast, or as often, as asked.

What lives here: setting up, the two loops, and adding up. Closed loop: each player sends the next move when
the last is answered, which finds the peak. Open loop: moves are due at random times that do not wait for the
server, and latency counts from when a move was due, so a server that stalls cannot hide it.

A game's moves are not alike: at first nearly every one changes what rivals are told, later one in three, and
the passes through the stock none. Runs whose players make different numbers of moves therefore compare only
when they are spread over the same stretch of the game (`Plan.places`).
"""

from __future__ import annotations

import asyncio
import os
import random
from array import array
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from engine import deal_code, view
from engine.board import Board
from engine.deal_code import DealCode
from engine.moves import Kind, Move
from server.core import bots
from server.load.player import LoadError, LoadPlayer, move_frame
from server.load.report import Report, cpu_s, memory_kib, summarised
from server.reaching import Place, place_of
from server.unusable import no_server
from server.wire.messages import PROTOCOL_VERSION

CODE = "DS1-D1N-AAAAAAB"
LONGEST = 15_000
"""Moves a script has at most; a board takes 20,000 entries."""
AT_ONCE = 50
PLACE_S = 30.0
"""A player who does not come to its place within so long never will."""
MINUTES = 60
CLOSE_RATE, TICK_S = 5_000.0, 0.001
"""Open loop: above this rate what is due is sent once a millisecond, as a wait shorter than that is none: the generator
would never sleep, and take the core that the store may need. What is sent late so counts as late."""


Figure = TypeVar("Figure", int, float)
Note = Callable[[LoadPlayer, float, float], None]
"""Called for each answer: whose move, when it was due, and when the answer came."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do to the server at `address` (http://host:port)."""

    address: str
    players: int = 64
    seats: int = 4
    mode: str = "closed"
    """closed, open or idle."""
    rate: float = 1_000.0
    """Open loop: moves a second of all players together."""
    warm_s: float = 2.0
    places: tuple[int, int] = (0, 0)
    """Before that, each player plays as fast as answers come up to a place of its own, so many moves into the game:
    see `places_of`."""
    seconds: float = 10.0
    pids: tuple[int, ...] = ()
    """Processes of the server, for CPU and memory."""
    seed: int = 1


Loop = Callable[[Plan, list[LoadPlayer], Note, asyncio.Event], Coroutine[Any, Any, None]]


def game(code: str = CODE) -> list[Move]:
    """A game as a good bot plays it, cut half-way to its end."""
    return _game(code)[0]


def script(code: str = CODE, length: int = LONGEST) -> list[Move]:
    """That game, and then passes through the stock: always legal, and never over."""
    moves, board = _game(code)
    draw, recycle = Move(Kind.DRAW, 0, 0, 0), Move(Kind.RECYCLE, 0, 0, 0)
    stock, waste = len(board.stock), len(board.waste)
    while len(moves) < length:
        moves.append(draw if stock else recycle)
        stock, waste = (stock - 1, waste + 1) if stock else (waste, 0)
    return moves


def _game(code: str) -> tuple[list[Move], Board]:
    parsed = DealCode.parse(code)
    board, memory = Board(parsed.ruleset, deal_code.deal(parsed), ranked=True), bots.Memory(1)
    moves: list[Move] = []
    while board.out < parsed.ruleset.cards // 2:
        turn = bots.next_move(view.own(board), parsed.ruleset, 2, memory)
        if turn.move is None:
            break
        memory = turn.memory
        moves.append(turn.move)
        board.apply(turn.move, 0)
    return moves, board


async def run(plan: Plan) -> Report:
    """Carry the plan out. Raises LoadError, Unusable."""
    place = place_of(plan.address)
    if place.scheme != "http":
        raise LoadError(f"{plan.address} is no address for a load: it goes over http:// only, past what encrypts")
    began, cpu = asyncio.get_running_loop().time(), _cpu(plan.pids)
    rooms = await _rooms(plan, place)
    arrived_s, arrived_cpu = asyncio.get_running_loop().time() - began, _cpu(plan.pids) - cpu
    players = [player for room in rooms for player in room]
    try:
        if plan.mode != "idle":
            await _to_places(places_of(plan, len(players)), players)
        loop = {"idle": _idle, "closed": _closed, "open": _open}[plan.mode]
        report = await _measure(plan, players, len(rooms), loop)
        if report.lost == len(players):
            raise LoadError("the server went away while it was measured: every connection was closed")
        report.processes = len(plan.pids)
        report.arrivals_per_s = len(players) / arrived_s
        report.arrival_cpu_us = arrived_cpu / len(players) * 1e6
        return report
    finally:
        for player in players:
            player.close()


async def _rooms(plan: Plan, place: Place) -> list[list[LoadPlayer]]:
    moves = [move_frame(ply, move) for ply, move in enumerate(script())]
    parts = urlsplit(place.origin)
    host, port = parts.hostname or "", parts.port or 80
    gate, doors = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(AT_ONCE)

    async def person(number: int, room: str = "") -> LoadPlayer:
        async with gate:
            loop = asyncio.get_running_loop()
            try:
                _, player = await loop.create_connection(
                    lambda: LoadPlayer(place.host, moves, room, place.path), host, port
                )
            except OSError as error:
                raise LoadError(no_server(plan.address, error.strerror)) from error
            await player.hear("open")
            await player.ask("Hello", PROTOCOL_VERSION, "", f"Load {number}", "en")
            return player

    async def room(first: int) -> list[LoadPlayer]:
        maker = await person(first)
        options = ["DS1-D1N", "first", MINUTES, plan.seats, "all", False, False, 1, CODE, False]
        async with doors:
            code = (await maker.ask("CreateRoom", options, [], False))["code"]
        people = [maker, *await asyncio.gather(*(person(first + seat, code) for seat in range(1, plan.seats)))]
        async with doors:
            for guest in people[1:]:
                await guest.ask("EnterRoom", code, False)
        if plan.mode != "idle":
            await asyncio.gather(*(one.ask("Ready", True) for one in people))
            await asyncio.gather(*(one.hear("Dealt") for one in people))
        return people

    return list(await asyncio.gather(*(room(first) for first in range(0, plan.players, plan.seats))))


async def _measure(plan: Plan, players: list[LoadPlayer], rooms: int, loop_of: Loop) -> Report:
    latencies: array[float] = array("d")
    clock = asyncio.get_running_loop()
    measured = [False]

    def note(_: LoadPlayer, due: float, now: float) -> None:
        if measured[0]:
            latencies.append((now - due) * 1000)

    stop = asyncio.Event()
    work = asyncio.create_task(loop_of(plan, players, note, stop))
    await asyncio.sleep(plan.warm_s)
    heard = _heard(players)
    before = sum(player.bytes_in for player in players), _cpu(plan.pids), cpu_s(os.getpid()), clock.time()
    measured[0] = True
    await asyncio.sleep(plan.seconds)
    measured[0] = False
    server, own, seconds = _cpu(plan.pids) - before[1], cpu_s(os.getpid()) - before[2], clock.time() - before[3]
    received = sum(player.bytes_in for player in players) - before[0]
    each = _bytes_each(plan, heard, _heard(players), len(latencies))
    stop.set()
    await work
    return Report(
        mode=plan.mode,
        players=len(players),
        rooms=rooms,
        seconds=seconds,
        moves=len(latencies),
        denied=sum(player.denied for player in players),
        lost=sum(player.closed is not None for player in players),
        offered_per_s=plan.rate if plan.mode == "open" else 0.0,
        bytes_per_move=received / len(latencies) if latencies else 0.0,
        latency_ms=summarised(latencies) if latencies else {},
        server_cpu_us_per_move=server / len(latencies) * 1e6 if latencies else 0.0,
        server_cpu_share=server / seconds,
        generator_cpu_share=own / seconds,
        server_memory_kib=sum(_of_process(memory_kib, pid) for pid in plan.pids),
        own_bytes_per_move=each[0],
        rival_bytes_per_move=each[1],
    )


def _bytes_each(plan: Plan, before: tuple[int, int], after: tuple[int, int], moves: int) -> tuple[float, float]:
    """Bytes to a client for an own move, and for a move of one rival."""
    own, rival = after[0] - before[0], after[1] - before[1]
    return own / moves if moves else 0.0, rival / (moves * (plan.seats - 1)) if moves and plan.seats > 1 else 0.0


def _heard(players: list[LoadPlayer]) -> tuple[int, int]:
    """Bytes of answers and of progress so far."""
    return sum(player.own_bytes for player in players), sum(player.progress_bytes for player in players)


def _cpu(pids: tuple[int, ...]) -> float:
    return sum(_of_process(cpu_s, pid) for pid in pids)


def _of_process(figure: Callable[[int], Figure], pid: int) -> Figure:
    try:
        return figure(pid)
    except (FileNotFoundError, ProcessLookupError) as error:
        raise LoadError(f"there is no process {pid}; --pid takes those of the server, on this machine") from error


def places_of(plan: Plan, players: int) -> list[int]:
    """Where each player begins: the places of the rooms lie evenly from the first to the second of `plan.places`, and
    people of a room are as far apart as who came there with moves at random times (the root of how far)."""
    first, last = plan.places
    chance = random.Random(plan.seed)
    middles = [first + (last - first) * at / players for at in range(players)]
    return [max(0, round(chance.gauss(middle, middle**0.5))) for middle in middles]


async def _to_places(places: list[int], players: list[LoadPlayer]) -> None:
    """Each player plays up to its own place, a few at a time. Raises LoadError when one does not get there."""
    doors = asyncio.Semaphore(AT_ONCE)

    async def go(player: LoadPlayer, place: int) -> None:
        there = asyncio.Event()

        def answered(_: LoadPlayer, due: float, now: float) -> None:
            if player.ply < place:
                player.play(now)
            else:
                there.set()

        async with doors:
            player.on_answer, player.on_refusal = answered, LoadPlayer.play
            player.play(asyncio.get_running_loop().time())
            try:
                async with asyncio.timeout(PLACE_S):
                    await there.wait()
            except TimeoutError:
                raise LoadError(f"a player came to move {player.ply} of {place} in {PLACE_S:.0f} s") from None

    await asyncio.gather(*(go(player, place) for player, place in zip(players, places, strict=True) if place))


async def _idle(_: Plan, players: list[LoadPlayer], note: Note, stop: asyncio.Event) -> None:
    await stop.wait()


async def _closed(_: Plan, players: list[LoadPlayer], note: Note, stop: asyncio.Event) -> None:
    def answered(player: LoadPlayer, due: float, now: float) -> None:
        note(player, due, now)
        if not stop.is_set() and not player.exhausted:
            player.play(now)

    def again(player: LoadPlayer, now: float) -> None:
        if not stop.is_set():
            player.play(now)

    now = asyncio.get_running_loop().time()
    for player in players:
        player.on_answer, player.on_refusal = answered, again
        player.play(now)
    await stop.wait()


async def _open(plan: Plan, players: list[LoadPlayer], note: Note, stop: asyncio.Event) -> None:
    for player in players:
        player.on_answer = note
    chance, clock = random.Random(plan.seed), asyncio.get_running_loop()
    least_s = TICK_S if plan.rate > CLOSE_RATE else 0.0
    due = clock.time()
    while not stop.is_set():
        now = clock.time()
        while due <= now:
            player = players[int(chance.random() * len(players))]
            if not player.exhausted:
                player.play(due)
            elif all(one.exhausted for one in players):
                return
            due += chance.expovariate(plan.rate)
        await asyncio.sleep(max(due - clock.time(), least_s))
