"""Whether the leaderboards say what the logs say: all logs are replayed, every row of every board is compared.

Lives here: what the boards (and the days that sums are added up from) should hold, where they differ, and mending
it. Lives elsewhere: what is printed (server.auditing).

The server may run meanwhile: what is waiting to be projected is no difference, and a difference must be seen
twice. Flags are not compared: what counts as too quick may be judged otherwise one day, a result may not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from engine.board import ReplayError
from server.clock import Clock
from server.core import boards
from server.core import events as log
from server.core.boards import SUMS, DayResult, Period, Row, Tab
from server.core.closed_heat import closed_heat
from server.core.daily import Day
from server.core.ids import HeatId
from server.core.tournament import events as tournament_log
from server.services import attempts
from server.services.attempts import Entry
from server.services.daily_deals import DailyDeals
from server.services.judge import replayed
from server.services.projector import race_row, sealed
from server.store import keys, listing
from server.store.boards import Placed, Rule
from server.store.connect import Store

PAGE = 1_000

Step = Callable[[int], None]
"""Called after each log with how many there were."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not what the logs say."""

    board: str
    """Name of the leaderboard; `h.<day>.<ruleset>.days` for a day in the player's history."""
    player: str
    expected: Row | DayResult | None
    """None: it should not be there."""
    found: Row | DayResult | None
    """None: it is not there."""
    number: int = 0
    """The packed number of the expected row."""


@dataclass(slots=True)
class Report:
    """What an audit found."""

    boards: int = 0
    rows: int = 0
    logs: int = 0
    pending: int = 0
    """Results that are not on the boards yet, and will be."""
    differences: list[Difference] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """Logs that no play could have written, or whose deal is gone: name, why."""
    ratings: list[str] = field(default_factory=list)
    """Where ratings are not the fold of their logs: see `rating_audit`."""

    @property
    def clean(self) -> bool:
        """Nothing differs and everything can be read."""
        return not self.differences and not self.unreadable and not self.ratings


@dataclass(slots=True)
class _Expected:
    """What all boards should hold."""

    rows: dict[str, dict[str, tuple[int, Row]]] = field(default_factory=dict)
    ties: dict[tuple[str, str], list[Row]] = field(default_factory=dict)
    """By board and player: rows of races that are as good as the expected one, any of which may stand."""
    days: dict[str, dict[str, dict[Day, DayResult]]] = field(default_factory=dict)
    """By player and ruleset."""
    pending: set[tuple[str, str]] = field(default_factory=set)
    """Players and rulesets of which something waits."""

    def put(self, period: Period, day: Day, ruleset: str, tab: Tab, player: str, row: Row) -> None:
        name = boards.name(period, day, ruleset, tab)
        self.rows.setdefault(name, {})[player] = (boards.packed(period, tab, row), row)


async def audit(store: Store, deals: DailyDeals, clock: Clock, step: Step = lambda _: None) -> Report:
    """Compare everything. A difference is reported when it is seen twice. Raises StoreAway."""
    first = await _Audit(store, deals, clock, step).run()
    if not first.differences:
        return first
    again = await _Audit(store, deals, clock, step).run()
    seen = {(each.board, each.player) for each in first.differences}
    again.differences = [each for each in again.differences if (each.board, each.player) in seen]
    return again


class _Audit:
    """One look at everything."""

    def __init__(self, store: Store, deals: DailyDeals, clock: Clock, step: Step) -> None:
        self._store = store
        self._deals = deals
        self._clock = clock
        self._step = step
        self._report = Report()
        self._expected = _Expected()

    async def run(self) -> Report:
        """Replay, add up, compare."""
        for day, ruleset in await listing.days(self._store.client):
            await self._day(Day(day), ruleset)
        for player, rulesets in self._expected.days.items():
            for ruleset, days in rulesets.items():
                self._add_up(player, ruleset, days)
            await self._compare_days(player, rulesets)
        for room in await listing.logs(self._store.client):
            await self._room(room)
        names = {*self._expected.rows, *await listing.leaderboards(self._store.client)}
        for name in sorted(names):
            await self._compare(name)
        self._report.boards = len(names)
        return self._report

    def _read(self) -> None:
        self._report.logs += 1
        self._step(self._report.logs)

    def _cannot_read(self, name: str, error: Exception) -> None:
        self._report.unreadable.append((name, f"{type(error).__name__}: {error}"))

    # ------------------------------------------------------------ dailies

    async def _day(self, day: Day, ruleset: str) -> None:
        deal = await self._deals.of(day, ruleset)
        if deal is None:
            self._cannot_read(keys.daily(day, ruleset), LookupError("the deal is gone"))
            return
        async for begun in self._store.dailies.attempts(day, ruleset):
            entry = Entry(day, ruleset, begun.player)
            try:
                found, _ = await attempts.read(self._store, deal.deal, entry, begun.attempt, self._clock.now_ms())
            except ReplayError as error:
                self._cannot_read(begun.attempt.log, error)
                continue
            self._read()
            if found is not None:
                await self._attempt(entry, found)

    async def _attempt(self, entry: Entry, found: boards.Result) -> None:
        for tab in Tab:
            row = boards.result_row(tab, found)
            if row is not None:
                self._expected.put(Period.DAY, entry.day, entry.ruleset, tab, entry.player, row)
        self._expected.days.setdefault(entry.player, {}).setdefault(entry.ruleset, {})[entry.day] = found.of_day
        if await self._store.unprojected.waiting(keys.attempt_member(entry.day, entry.ruleset, entry.player)):
            self._expected.pending.add((entry.player, entry.ruleset))
            self._report.pending += 1

    def _add_up(self, player: str, ruleset: str, days: dict[Day, DayResult]) -> None:
        for period in SUMS:
            for day in {boards.span(period, day): day for day in days}.values():
                for tab in Tab:
                    row = boards.sum_row(tab, days, boards.span(period, day))
                    if row is not None:
                        self._expected.put(period, day, ruleset, tab, player, row)

    # ------------------------------------------------------------ races

    async def _room(self, room: str) -> None:
        """A room's log, or that of a tournament, whose heats are rooms of their own."""
        name = keys.room_log(room)
        entries = await self._store.logs.load(name)
        try:
            if tournament_log.is_tournament(entries):
                tournament_log.decode_log(entries)
                self._read()
                return
            events = log.decode_log(entries)
        except log.LogError as error:
            self._cannot_read(name, error)
            return
        self._read()
        for event in events:
            if isinstance(event, log.HeatJudged):
                await self._heat(room, event.heat, events)

    async def _heat(self, room: str, heat_id: HeatId, events: list[log.RoomEvent]) -> None:
        heat = closed_heat(events, heat_id)
        stored = await self._store.rooms.get_deal(room, heat_id)
        if heat is None or not heat.ranks or stored is None or not any(one.player for one in heat.seats):
            return
        try:
            summaries = await replayed(self._store.logs, sealed(heat, stored))
        except (ReplayError, ValueError) as error:
            self._cannot_read(f"heat {heat_id}", error)
            return
        self._read()
        waits = await self._store.unprojected.waiting(keys.heat_member(room, heat_id))
        for found in summaries:
            player = heat.taken(found.seat).player
            if player and found.ended == "won":
                self._race(player, heat.ruleset, race_row(heat, found, ()))
                if waits is not None:
                    self._expected.pending.add((player, heat.ruleset))
                    self._report.pending += 1

    def _race(self, player: str, ruleset: str, row: Row) -> None:
        name = boards.name(Period.RACE, Day(""), ruleset, Tab.TIME)
        board = self._expected.rows.setdefault(name, {})
        number = boards.packed(Period.RACE, Tab.TIME, row)
        if player not in board or number > board[player][0]:
            board[player] = (number, row)
            self._expected.ties[name, player] = []
        elif number == board[player][0]:
            self._expected.ties[name, player].append(row)

    # ------------------------------------------------------------ comparing

    async def _compare_days(self, player: str, expected: dict[str, dict[Day, DayResult]]) -> None:
        found = await self._store.history.days(player)
        for ruleset in {*expected, *found}:
            should, are = expected.get(ruleset, {}), found.get(ruleset, {})
            for day in sorted({*should, *are}):
                if should.get(day) != are.get(day):
                    self._differs(Difference(f"h.{day}.{ruleset}.days", player, should.get(day), are.get(day)))

    async def _compare(self, name: str) -> None:
        missing = dict(self._expected.rows.get(name, {}))
        for player, (number, row) in (await self._store.boards.removed(name)).items():
            self._compare_row(name, Placed(0, player, number, row), missing)
        first = 0
        while True:
            page = await self._store.boards.page(name, first, PAGE)
            for placed in page.rows:
                self._compare_row(name, placed, missing)
            first += PAGE
            if first >= page.players:
                break
        for player, (number, row) in missing.items():
            self._differs(Difference(name, player, row, None, number))

    def _compare_row(self, name: str, placed: Placed, missing: dict[str, tuple[int, Row]]) -> None:
        number, row = missing.pop(placed.player, (0, None))
        self._report.rows += 1
        may = [] if row is None else [row, *self._expected.ties.get((name, placed.player), [])]
        if number != placed.number or not any(_same(each, placed.row) for each in may):
            self._differs(Difference(name, placed.player, row, placed.row, number))

    def _differs(self, difference: Difference) -> None:
        if (difference.player, _ruleset(difference.board)) not in self._expected.pending:
            self._report.differences.append(difference)


def _ruleset(board: str) -> str:
    """The ruleset in the name of a board."""
    return board.split(".")[-2]


def _same(expected: Row, found: Row) -> bool:
    return msgspec.structs.replace(expected, flags=()) == msgspec.structs.replace(found, flags=())


async def repair(store: Store, differences: list[Difference]) -> None:
    """Make it what the logs say. Raises StoreAway."""
    for each in differences:
        day = Day(each.board.split(".")[1])
        match each.expected:
            case DayResult() as result:
                await store.history.add_day(each.player, _ruleset(each.board), day, result)
            case Row() as row:
                await store.boards.put(each.board, each.player, each.number, row, Rule.SET)
            case None if isinstance(each.found, DayResult):
                await store.history.remove_day(each.player, _ruleset(each.board), day)
            case None:
                await store.boards.remove(each.board, each.player)
