"""What has ended and waits to be projected: attempts and heats as their logs would be, without anybody playing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from server.clock import ManualClock
from server.core import daily
from server.core import events as log
from server.core.daily import Day
from server.core.events import SeatTaken
from server.core.ids import HeatId, NodeId, PlayerId, RoomCode, RoomId
from server.services.daily_deals import DailyDeals
from server.services.projector import Effect, Projector
from server.store import keys
from server.store.connect import Store
from server.store.dailies import Attempt, StoredDaily
from server.store.ids import new_id
from server.store.rooms import StoredDeal
from server.wire.messages import ResultRow, RoomOptions
from tests.server.services.won import won

DAY = Day("2026-07-29")
NOON_MS = daily.start_ms(DAY) + daily.DAY_MS // 2
GAME = "DS1-D1N"
ANN, BOB = PlayerId("AAAAAAAAAA"), PlayerId("BBBBBBBBBB")
RACES = "r.DS1-D1N.time"


def projector(store: Store, now_ms: int = NOON_MS, effects: Sequence[Effect] = ()) -> Projector:
    clock = ManualClock(now_ms)
    return Projector(store, clock, DailyDeals(store.dailies, clock), effects)


async def attempt(
    store: Store, player: str, entries: list[bytes], day: Day = DAY, gun_ms: int = NOON_MS - 3_600_000
) -> Attempt:
    """An attempt whose log holds these entries, noted as one that may have ended."""
    deal = StoredDaily(new_id(), won().code, "ab" * 32, 1_000, True)
    await store.dailies.put(day, GAME, deal)
    begun = await store.dailies.begin(day, GAME, player, Attempt(new_id(), gun_ms))
    claim = await store.logs.claim(begun.log, "n1")
    if entries:
        await store.logs.append(begun.log, 0, entries, epoch=claim.epoch)
    await store.unprojected.put(keys.attempt_member(day, GAME, player), 1)
    return begun


MINUTES = RoomOptions(minutes=10)


@dataclass
class Race:
    """A closed heat in the store: Ann on seat 0, a bot on seat 1, both with the won game."""

    room: RoomId
    heat: HeatId
    options: RoomOptions = MINUTES
    judged: bool = True
    keep_s: int = 600

    @property
    def member(self) -> str:
        return keys.heat_member(self.room, self.heat)

    async def played(self, store: Store, pace_ms: int = 400, bot_ms: int = 300) -> None:
        await store.rooms.put_deal(self.room, self.heat, StoredDeal(won().code, "77"), keep_s=self.keep_s)
        seats = [SeatTaken(0, ANN, "Ann", 0, 0), SeatTaken(1, PlayerId(""), "", 3, 5)]
        lengths = []
        for taken, pace in zip(seats, (pace_ms, bot_ms), strict=True):
            name = keys.board_log(self.room, self.heat, taken.seat)
            await store.logs.append(name, 0, won().entries(pace))
            await store.client.execute_command("EXPIRE", name, self.keep_s)
            lengths.append(len(won().entries(pace)))
        events: list[log.RoomEvent] = [
            log.RoomCreated(1_000, self.room, RoomCode("ABCDE"), self.options, ANN, ""),
            log.Joined(1_000, ANN, "Ann", "0000", NodeId("n1")),
            log.HeatDrawn(
                2_000, self.heat, 1, GAME, "" if self.options.code else "c0", 5_000, 605_000, seats,
                bool(self.options.code),
            ),
            log.HeatClosed(200_000, self.heat, lengths),
        ]  # fmt: skip
        if self.judged:
            events.append(log.HeatJudged(200_001, self.heat, self.rows(pace_ms, bot_ms), won().code, "77"))
        await store.logs.append(keys.room_log(self.room), 0, [log.encode(event) for event in events])
        await store.unprojected.put(self.member, 1)

    def rows(self, pace_ms: int, bot_ms: int) -> list[ResultRow]:
        game = won()
        times = {0: game.takes_ms(pace_ms), 1: game.takes_ms(bot_ms)}
        order = sorted(times, key=lambda seat: times[seat])
        return [
            ResultRow(seat, place, "won", 104, game.score, game.counted, times[seat], "first", 1, "")
            for place, seat in enumerate(order, 1)
        ]


def race(**how: object) -> Race:
    return replace(Race(RoomId(new_id()), HeatId(new_id())), **how)  # type: ignore[arg-type]
