"""Games alone: saved, found on every process, taken over at once, and dealt from certified deals when asked."""

from __future__ import annotations

import msgpack
import pytest

from engine.deal_code import DealCode
from server.services.daily_deals import Drawn
from server.store import keys
from tests.server.services.kit import Servers
from tests.wire_client import DRAW, Frame, Unexpected, WireClient

GAME = "DS1-D1N"
SECRET = "DS1-D1N-ABCDEFG-HIJKLMN"


async def opened(person: WireClient, code: str = "", *, fresh: bool = False, certified: bool = False) -> Frame:
    """Sit down to the game of this ruleset."""
    return await person.ask("OpenSolo", GAME, code, fresh, certified, answer="SoloGame")


async def elsewhere(servers: Servers, person: WireClient, at: int) -> WireClient:
    """Another device of the person, connected to the server of this number."""
    device = WireClient(servers.url(at), person.name, person.token)
    servers.people.append(device)
    await device.come()
    return device


@pytest.mark.parametrize("at", [0, 1], ids=["the same process", "another process"])
async def test_a_newer_window_takes_the_game_over_and_the_older_one_is_told_at_once(servers: Servers, at: int) -> None:
    for _ in range(2):
        await servers.start()
    ann = await servers.person()
    await opened(ann)
    await ann.play(0, DRAW)
    phone = await elsewhere(servers, ann, at)
    assert (await opened(phone))["view"][0] == 1
    assert await ann.closed(1) == 4409, "within a second, without a move (F14)"
    assert "Superseded" in ann.seen
    await phone.play(1, DRAW)
    assert (await opened(phone))["view"][0] == 2


@pytest.mark.parametrize("at", [0, 1], ids=["the same process", "another process"])
async def test_who_deals_anew_elsewhere_ends_the_old_game_where_it_lies_open(servers: Servers, at: int) -> None:
    for _ in range(2):
        await servers.start()
    ann = await servers.person()
    old = await opened(ann)
    await ann.play(0, DRAW)
    phone = await elsewhere(servers, ann, at)
    new = await opened(phone, fresh=True)
    assert new["code"] != old["code"]
    assert await ann.closed(1) == 4409
    await ann.come()
    assert (await opened(ann))["code"] == new["code"]


async def test_opening_ones_own_game_again_closes_nothing(servers: Servers) -> None:
    await servers.start()
    ann = await servers.person()
    for ply in range(3):
        assert (await opened(ann))["view"][0] == ply
        await ann.play(ply, DRAW)
    await opened(ann, fresh=True)
    assert ann.codes == []
    assert "Superseded" not in ann.seen


async def test_boards_that_nobody_plays_any_more_are_let_go(servers: Servers) -> None:
    app = await servers.start()
    ann = await servers.person()
    for _ in range(20):
        await opened(ann, fresh=True)
    assert len(app.services.solo._takeovers._live) <= 1 + 16


async def test_a_certified_deal_is_dealt_when_one_asks_and_stays_one_when_it_is_dealt_again(servers: Servers) -> None:
    app = await servers.start()

    async def source(ruleset: str) -> Drawn | None:
        assert ruleset == GAME
        return Drawn(DealCode.parse(SECRET), certified=True)

    app.services.daily.deals.source = source
    ann = await servers.person()
    assert not (await opened(ann))["certified"]
    game = await opened(ann, fresh=True, certified=True)
    assert (game["code"], game["certified"]) == (SECRET, True)
    await ann.play(0, DRAW)
    assert (await opened(ann))["certified"]
    again = await opened(ann, SECRET, fresh=True)
    assert (again["certified"], again["view"][0]) == (True, 0)
    assert not (await opened(ann, "DS1-D1N-AAAAAAB", fresh=True))["certified"]


async def test_without_a_certified_deal_at_hand_the_saved_game_stays(servers: Servers) -> None:
    app = await servers.start()

    async def nothing(ruleset: str) -> Drawn | None:
        return None

    app.services.daily.deals.source = nothing
    ann = await servers.person()
    saved = await opened(ann)
    with pytest.raises(Unexpected, match="no_deal"):
        await opened(ann, fresh=True, certified=True)
    assert (await opened(ann))["code"] == saved["code"]


async def test_a_ruleset_whose_deals_are_not_certified_is_refused(servers: Servers) -> None:
    await servers.start()
    ann = await servers.person()
    with pytest.raises(Unexpected, match="bad_options"):
        await ann.ask("OpenSolo", "DS1-D3V", "", True, True, answer="SoloGame")


async def test_a_game_saved_before_there_were_certified_ones_is_found(servers: Servers) -> None:
    await servers.start()
    ann = await servers.person()
    game = await opened(ann)
    stored = (await servers.store.solo.saved(ann.player))[GAME]
    old = msgpack.packb((stored.game, stored.code))
    await servers.store.solo._client.execute_command("HSET", keys.solo(ann.player), GAME, old)
    assert (await opened(ann))["code"] == game["code"]
