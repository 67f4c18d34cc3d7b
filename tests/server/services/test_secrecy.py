"""What reaches whom during a race: every frame of every socket is looked at (A6, ruling 10, finding G1)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import view
from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.ruleset import RULESETS
from server.services.played_board import board_view
from tests.server.services.kit import Servers
from tests.wire_client import ANSWERS, DRAW, UNDO, Frame, WireClient, parsed

CARDS = ("Dealt", "Moved", "Restored")
"""The only events that may carry cards, and only to the seat that they lie before."""


def before_the_result(person: WireClient) -> list[bytes]:
    """All that the person received before the first `HeatResult`."""
    names = [parsed(data)["event"] for data in person.raw]
    return person.raw[: names.index("HeatResult")]


def holds_bytes(value: object) -> bool:
    """Cards travel as bytes, and nothing else does."""
    if isinstance(value, dict):
        return any(map(holds_bytes, value.values()))
    return isinstance(value, bytes) or (isinstance(value, list) and any(map(holds_bytes, value)))


def check_secrets(person: WireClient, result: Frame) -> None:
    """Neither the code nor the nonce was in any frame, not even in part."""
    everything = b"".join(before_the_result(person))
    letters = result["code"].split("-", 2)[2].replace("-", "")
    assert len(letters) == 14
    pieces = [letters[at : at + 5] for at in range(10)] + [result["nonce"][at : at + 8] for at in range(0, 57, 8)]
    assert [piece for piece in pieces if piece.encode() in everything] == []
    assert bytes.fromhex(result["nonce"])[:8] not in everything


def check_own_cards(person: WireClient, result: Frame) -> None:
    """What the person was shown of the deal is exactly what the rules show of a board with these moves."""
    code = DealCode.parse(result["code"])
    board = Board(code.ruleset, deal(code), ranked=True)
    moves = {ply: move for ply, move, name in person.played if name != "Denied"}
    for data in before_the_result(person):
        event = parsed(data)
        if event["event"] in ("Moved", "Restored"):
            assert event["ply"] == board.ply
            turned = board.apply(moves[board.ply], 0)
            if event["event"] == "Moved":
                assert event["turned"] == turned
        if event["event"] in ("Dealt", "Restored"):
            assert as_values(event["view"]) == own_view(board)


def own_view(board: Board) -> list[Any]:
    """The view as it crosses the wire."""
    shown = board_view(board)
    assert shown.waste == bytes(view.own(board).waste)
    return as_values([getattr(shown, name) for name in shown.__struct_fields__])


def as_values(fields: list[Any]) -> list[Any]:
    """Lists and tuples alike."""
    return [[list(one) for one in value] if isinstance(value, list) else value for value in fields]


@pytest.mark.parametrize("ruleset", list(RULESETS))
async def test_rivals_and_watchers_get_counts_and_no_card(server: Servers, ruleset: str) -> None:
    ann, bob, wil = [await server.person(name) for name in ("Ann", "Bob", "Wil")]
    await server.race(ann, bob, watching=(wil,), ruleset=ruleset, public=True)
    for _ in range(3):
        await ann.think(4)
        await bob.think(3)
        await wil.hear("Progress")
    assert ann.board is not None
    await ann.play(ann.board.ply, UNDO)
    await ann.think(1)
    await ann.ask("Resync")
    await bob.ask("ListRooms", answer="Rooms")
    result = await server.result(ann, bob)
    assert await wil.latest("HeatResult") == result
    for person in (ann, bob, wil):
        check_secrets(person, result)
        for event in map(parsed, before_the_result(person)):
            assert event["event"] in CARDS or not holds_bytes(event), event
    assert {parsed(data)["event"] for data in before_the_result(wil)}.isdisjoint({*CARDS, *ANSWERS})


async def test_a_player_is_shown_what_the_rules_show_and_nothing_else(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await ann.think(12)
    assert ann.board is not None
    await ann.play(ann.board.ply, UNDO)
    await ann.think(4)
    await bob.play(0, DRAW)
    result = await server.result(ann, bob)
    check_own_cards(ann, result)
    check_own_cards(bob, result)
    assert ann.seen["Dealt"]["seat"] != bob.seen["Dealt"]["seat"]


async def test_no_card_leaves_before_the_gun(server: Servers) -> None:
    """Ruling 15: what is sent ahead is only the time of the gun."""
    ann = await server.person()
    await server.drawn(ann)
    for ply, kind in ((0, DRAW), (0, UNDO), (3, DRAW)):
        assert (await ann.play(ply, kind))["code"] == "early"
    await ann.ask("Resync")
    await ann.enter()
    assert not any(holds_bytes(parsed(data)) for data in ann.raw)
    await server.gun(ann)
    assert holds_bytes(ann.seen["Dealt"])


async def test_progress_of_others_is_five_counts_a_seat(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await ann.play(0, DRAW)
    await ann.play(1, DRAW)
    rows = (await bob.hear(lambda e: e["event"] == "Progress" and 2 in e["rows"]))["rows"]
    assert len(rows) % 5 == 0
    assert rows[:5] == [ann.seen["Dealt"]["seat"], 0, 0, 2, 0]


async def test_after_the_result_the_deal_is_open(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.play(0, DRAW)
    result = await server.result(ann)
    code = DealCode.parse(result["code"])
    assert code.is_secret
    dealt = Board(code.ruleset, deal(code), ranked=True)
    assert as_values(ann.all("Dealt")[0]["view"]) == own_view(dealt)


async def test_an_open_deal_is_named_from_the_start_and_bound_to_nothing(server: Servers) -> None:
    ann = await server.person()
    heat = await server.race(ann, code="ds1 d1n aaaaaab")
    assert heat["commitment"] == ""
    assert ann.seen["RoomInfo"]["options"][8] == "DS1-D1N-AAAAAAB"
    result = await server.result(ann)
    assert (result["code"], result["nonce"]) == ("DS1-D1N-AAAAAAB", "")
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    assert as_values(ann.all("Dealt")[0]["view"]) == own_view(Board(code.ruleset, deal(code), ranked=True))
