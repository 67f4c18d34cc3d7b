"""Races on deals that are certified to be winnable, with the proof beside them when they are open (P2, ruling 24)."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import pytest

from engine import solver
from engine.deal_code import DealCode
from engine.moves import Kind, Move
from server import app
from server.core import replay
from server.services import fresh_deals
from server.services.certifier import Certifier
from server.services.replays import Replays
from server.store.deals import PooledDeal
from server.store.rooms import StoredDeal
from tests.server.services.evening import Evening, give_up
from tests.server.services.kit import Servers, eventually
from tests.server.services.test_replays import get
from tests.server.services.won import CODES, won
from tests.wire_client import WireClient

SILENT = (sys.executable, "-c", "import sys; sys.stdin.read()")
"""A process that never finds anything."""
SLOW_S = 30.0
"""For what takes a second on a machine with nothing else to do."""


@pytest.fixture
async def slow(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Servers:
    """One server that finds no deal by itself: it has those that a test has put into the pool."""
    monkeypatch.setattr(app, "Certifier", partial(Certifier, command=SILENT))
    monkeypatch.setattr(fresh_deals, "ROOM_WAIT_S", 0.05)
    monkeypatch.setattr("server.services.heat_chores.ROOM_WAIT_S", 0.05)
    monkeypatch.setattr("server.services.tournament_rounds.ROUND_WAIT_S", 0.05)
    await servers.start(moves=1000)
    return servers


def proved(ruleset: str = "DS1-D1N", letters: str = "") -> PooledDeal:
    """A deal with its proof; under other letters it is another deal, whose proof nobody here looks at."""
    game = won(ruleset)
    moves = [*game.moves, Move(Kind.AUTO)] if game.auto else list(game.moves)
    return PooledDeal(f"{ruleset}-{letters}" if letters else game.code, solver.pack(moves), "medium")


async def pooled(servers: Servers, *deals: PooledDeal) -> None:
    for deal in deals:
        assert await servers.store.deals.put(deal.code[:7], deal, 10)


async def left(servers: Servers, ruleset: str = "DS1-D1N") -> int:
    return await servers.store.deals.count(ruleset)


async def result_of(servers: Servers, *people: WireClient) -> tuple[str, str, str]:
    """Heat, code and difficulty of the race that is on, once all have resigned."""
    result = await servers.result(*people)
    return result["heat"], result["code"], result["difficulty"]


@pytest.mark.parametrize("ruleset", sorted(CODES))
async def test_a_room_that_wants_certified_deals_races_on_one_and_shows_the_proof_afterwards(
    slow: Servers, ruleset: str
) -> None:
    await pooled(slow, proved(ruleset))
    ann, bob = await slow.person("Ann"), await slow.person("Bob")
    drawn = await slow.race(ann, bob, ruleset=ruleset, certified=True)
    assert drawn["certified"] is True
    assert await left(slow, ruleset) == 0, "nobody else gets it"
    assert (await get(slow.apps[0], f"/api/heat/{drawn['heat']}"))[0] == 404, "no proof before the end"
    heat, code, difficulty = await result_of(slow, ann, bob)
    assert (code, difficulty) == (str(DealCode.parse(CODES[ruleset])), "medium")
    _, told, _ = await get(slow.apps[0], f"/api/heat/{heat}")
    assert (told["difficulty"], len(told["solution"])) == ("medium", len(proved(ruleset).solution) // 4)
    whole = await Replays(slow.store).whole(heat)
    assert whole is not None
    assert replay.faults(whole) == [], "the referee accepts the proof, and the file tells of it"


async def test_neither_the_proof_nor_how_hard_it_is_reaches_anybody_before_the_end(slow: Servers) -> None:
    await pooled(slow, proved())
    ann, eve = await slow.person("Ann"), await slow.person("Eve")
    await slow.race(ann, watching=(eve,), certified=True)
    solution = proved().solution
    pieces = [solution[at : at + 12] for at in range(0, len(solution) - 12, 4)]
    for person in (ann, eve):
        await person.settle()
        everything = b"".join(person.raw)
        assert b"medium" not in everything
        assert [piece for piece in pieces if piece in everything] == []


async def test_the_next_deal_of_a_match_and_a_rematch_are_certified_as_well(slow: Servers) -> None:
    await pooled(slow, *(proved(letters=f"AAAAAAA-AAAAAA{last}") for last in "BCD"))
    ann, bob = await slow.person("Ann"), await slow.person("Bob")
    await slow.race(ann, bob, certified=True, best_of=3)
    raced = {await result_of(slow, ann, bob)}
    for _ in range(2):
        assert (await slow.again(ann, bob))["certified"] is True
        await slow.gun(ann, bob)
        raced.add(await result_of(slow, ann, bob))
    assert {code[-1] for _, code, _ in raced} == set("BCD")
    assert {difficulty for _, _, difficulty in raced} == {"medium"}


async def test_no_gun_waits_for_a_proof_and_what_is_not_certified_says_so(slow: Servers) -> None:
    ann, bob = await slow.person("Ann"), await slow.person("Bob")
    drawn = await slow.race(ann, bob, certified=True)
    assert drawn["certified"] is False
    heat, _, difficulty = await result_of(slow, ann, bob)
    assert difficulty == ""
    _, told, _ = await get(slow.apps[0], f"/api/heat/{heat}")
    assert (told["difficulty"], told["solution"]) == ("", [])


@pytest.mark.parametrize(
    "options",
    [{"certified": False}, {"certified": True, "code": "DS1-D1N-ABCDEFG"}, {"certified": True, "ruleset": "DS1-D3V"}],
    ids=["not wanted", "a given code", "a game without certified deals"],
)
async def test_a_room_that_has_no_certified_deals_says_so_and_takes_none(
    slow: Servers, options: dict[str, Any]
) -> None:
    await pooled(slow, proved())
    ann = await slow.person("Ann")
    drawn = await slow.race(ann, **options)
    assert drawn["certified"] is False
    assert ann.seen["RoomInfo"]["options"][-1] is False
    assert await left(slow) == 1


async def test_a_quick_match_is_certified(slow: Servers) -> None:
    ann = await slow.person("Ann")
    await ann.ask("QuickMatch", "SS1-D3N", answer="Entered")
    assert (await ann.latest("RoomInfo"))["options"][-1] is True


async def test_who_makes_a_room_has_deals_made_ahead(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "Certifier", partial(Certifier, target=2, refill=1))
    await servers.start()
    ann = await servers.person("Ann")
    await ann.create(ruleset="SS1-D1N", certified=True)

    async def filled() -> bool:
        return await left(servers, "SS1-D1N") == 2

    await eventually(filled, SLOW_S)


async def test_a_rounds_deal_is_certified_for_all_its_heats_and_proved_when_the_last_is_closed(slow: Servers) -> None:
    await pooled(slow, proved())
    evening = Evening(slow)
    await evening.create(format="swiss", rounds=1)
    people = await evening.people(4)
    await evening.act("start")
    await evening.race(*people)
    assert len({person.room for person in people}) == 2
    heats = [await person.latest("HeatInfo") for person in people]
    assert [heat["certified"] for heat in heats] == [True] * 4
    for person in people:
        await give_up(person, 1)
    for person in people:
        opened = await person.hear(lambda e: e["event"] == "HeatResult" and e["code"] != "", SLOW_S)
        assert (opened["code"], opened["difficulty"]) == (str(DealCode.parse(CODES["DS1-D1N"])), "medium")
        _, told, _ = await get(slow.apps[0], f"/api/heat/{opened['heat']}")
        assert len(told["solution"]) == len(proved().solution) // 4


def test_deals_stored_before_there_were_proofs_can_be_read() -> None:
    assert StoredDeal.unpacked(b"\x92\xa1x\xa277") == StoredDeal("x", "77")
    assert StoredDeal.unpacked(StoredDeal("x", "77", b"\1\0\0\0", "hard").packed).difficulty == "hard"
