"""Who somebody is: tokens, names, devices, limits (ruling 14, S6, S7, S11)."""

from __future__ import annotations

import pytest

from server.core.words import WORDS
from server.store.players import LINK_S
from server.wire.messages import PROTOCOL_VERSION
from tests.server.services.kit import Servers
from tests.wire_client import WireClient

MINUTE_MS = 60_000


async def turned_away(servers: Servers, *hello: object) -> int:
    """The code with which a connection that says this is closed."""
    nobody = WireClient(servers.url())
    servers.people.append(nobody)
    await nobody.open()
    await nobody.send("Hello", 1, *hello)
    return await nobody.closed()


# ------------------------------------------------------------ the door


async def test_a_new_player_gets_a_secret_and_is_known_by_it_from_then_on(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann = await servers.person("Ann")
    token, player = ann.token, ann.player
    assert len(token) == 32
    await ann.go()
    ann.url = servers.url(1)
    welcome = await ann.come()
    assert (welcome["player"], welcome["name"], welcome["token"], welcome["room"]) == (player, "Ann", "", "")
    assert ann.token == token


async def test_two_people_of_one_name_are_told_apart_by_their_tags(server: Servers) -> None:
    tags = {(await server.person("Ann")).seen["Welcome"]["tag"] for _ in range(5)}
    assert len(tags) == 5
    assert all(len(tag) == 4 for tag in tags)


async def test_a_token_that_is_none_is_turned_away(server: Servers) -> None:
    for token in ("wrong", "x" * 64, "*", "kupa:player:*"):
        assert await turned_away(server, PROTOCOL_VERSION, token, "Ann", "en") == 4401


async def test_what_comes_after_a_bad_hello_is_not_looked_at(server: Servers, caplog: pytest.LogCaptureFixture) -> None:
    nobody = WireClient(server.url())
    server.people.append(nobody)
    await nobody.open()
    await nobody.send("Hello", 1, PROTOCOL_VERSION, "wrong", "Ann", "en")
    for number in range(2, 6):
        await nobody.send("ListRooms", number)
    assert await nobody.closed() == 4401
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    assert nobody.heard == []


async def test_who_tries_many_tokens_is_told_to_go(server: Servers) -> None:
    codes = [await turned_away(server, PROTOCOL_VERSION, f"guess {number}", "", "en") for number in range(12)]
    assert codes == [4401] * 10 + [4429] * 2
    await server.pass_time(MINUTE_MS)
    assert await turned_away(server, PROTOCOL_VERSION, "guess", "", "en") == 4401
    assert (await server.person("Bob")).token, "a new player is no guess"


async def test_an_address_makes_so_many_players_and_then_has_to_wait(servers: Servers) -> None:
    await servers.start(address_identities=3)
    people = [await servers.person(f"P{number}x") for number in range(3)]
    assert await turned_away(servers, PROTOCOL_VERSION, "", "Dot", "en") == 4429
    await people[0].go()
    await people[0].come()
    await servers.pass_time(20_000)
    assert (await servers.person("Dot")).name == "Dot"


async def test_a_name_that_may_not_be_is_replaced_at_the_door(server: Servers) -> None:
    ann = await server.person("\u202eadmin")
    name = ann.seen["Welcome"]["name"]
    assert "admin" not in name
    assert 2 <= len(name) <= 24
    assert (await server.person("")).seen["Welcome"]["name"] != ""


@pytest.mark.parametrize(("lang", "like"), [("tr-TR", "tr"), ("id", "id"), ("de", "en"), ("?" * 16, "en")])
async def test_a_proposed_name_is_in_the_language_of_who_comes(server: Servers, lang: str, like: str) -> None:
    nobody = WireClient(server.url())
    server.people.append(nobody)
    await nobody.open()
    name = (await nobody.ask("Hello", PROTOCOL_VERSION, "", "", lang, answer="Welcome"))["name"]
    words = WORDS[like]
    orders = (words.animals, words.adjectives) if words.animal_first else (words.adjectives, words.animals)
    first, second, number = name.split(" ")
    assert (first in orders[0], second in orders[1], number.isdigit()) == (True, True, True), name


# ------------------------------------------------------------ names

NAMES = [
    ("Ann", "Ann"), ("  Ann   Lee ", "Ann Lee"), ("İpek", "İpek"), ("Zoë", "Zoë"), ("Zoë", "Zoë"), ("Ян", "Ян"),
    ("山田", "山田"), ("Ali 42", "Ali 42"), ("O'Hara", "O'Hara"), ("<b>Bo</b>", "<b>Bo</b>"), ("x" * 20, "x" * 20),
    ("é́", None), ("", None), ("A", None), (" ", None), ("x" * 21, None), ("\u202eAnn", None), ("An\u200bn", None),
    ("A\x00nn", None), ("Ann\n", None), ("Z̵̡̢̛̗̘̙̜̝̞̟", None), ("\u0430dmin", None), ("Admin", None), ("4dmin_1", "4dmin_1"),
    ("kupa", None), ("K u p a", None), ("Moderator 7", None), ("Ann\u0430", None), ("\u2800\u2800", None),
    ("\ud83d\ude00\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "😀😀"),
]  # fmt: skip
"""As typed, and as borne (None: refused)."""


async def test_thirty_names_and_what_becomes_of_them(server: Servers) -> None:
    assert len(NAMES) == 30
    for typed, borne in NAMES:
        ann = await server.person()
        if borne is None:
            assert (await ann.refused("Rename", typed)).startswith("name_"), ascii(typed)
        else:
            await ann.ask("Rename", typed)
        await ann.go()
        assert (await ann.come())["name"] == (borne or "Ann"), ascii(typed)
        await ann.go()


async def test_a_new_name_is_shown_in_the_room_at_once(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    await bob.ask("Rename", "Robert")
    assert (await ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Robert"))["seat"] == 1


async def test_names_are_changed_three_times_in_ten_minutes(server: Servers) -> None:
    ann = await server.person()
    for name in ("Anna", "Anne", "Anja"):
        await ann.ask("Rename", name)
    assert await ann.refused("Rename", "Annette") == "name_often"
    await server.pass_time(4 * MINUTE_MS)
    await ann.ask("Rename", "Annette")


# ------------------------------------------------------------ devices


async def test_a_one_time_code_brings_the_identity_to_another_device_once(server: Servers) -> None:
    ann, phone = await server.person("Ann"), await server.person("Phone")
    await ann.create()
    code = (await ann.ask("LinkDevice", answer="DeviceCode"))["code"]
    welcome = await phone.ask("UseDeviceCode", f" {code[:4].lower()}-{code[4:]} ", answer="Welcome")
    assert (welcome["player"], welcome["name"], welcome["room"]) == (ann.player, "Ann", ann.room)
    assert welcome["token"] not in ("", ann.token)
    eve = await server.person("Eve")
    assert await eve.refused("UseDeviceCode", code) == "code_expired"
    phone.token = welcome["token"]
    await phone.go()
    assert (await phone.come())["player"] == ann.player


async def test_a_code_expires_and_says_when(server: Servers) -> None:
    ann, phone = await server.person("Ann"), await server.person("Phone")
    offered = await ann.ask("LinkDevice", answer="DeviceCode")
    now_ms = server.apps[0].store.clock.now_ms()
    assert abs(offered["expires_ms"] - now_ms - LINK_S * 1000) < 2_000
    (key,) = await server.store.client.execute_command("KEYS", "kupa:link:*")
    assert offered["code"] not in key.decode()
    assert LINK_S - 5 < await server.store.client.execute_command("TTL", key) <= LINK_S
    await server.store.client.execute_command("DEL", key)
    assert await phone.refused("UseDeviceCode", offered["code"]) == "code_expired"


async def test_codes_can_not_be_guessed_by_trying(server: Servers) -> None:
    eve = await server.person("Eve")
    for _ in range(10):
        assert await eve.refused("UseDeviceCode", "AAAAAAAA") == "code_expired"
    assert await eve.refused("UseDeviceCode", "AAAAAAAA") == "slow"


async def test_revoking_makes_every_other_device_unknown(server: Servers) -> None:
    ann, phone = await server.person("Ann"), await server.person("Phone")
    code = (await ann.ask("LinkDevice", answer="DeviceCode"))["code"]
    phone.token = (await phone.ask("UseDeviceCode", code, answer="Welcome"))["token"]
    await ann.ask("RevokeDevices")
    assert await turned_away(server, PROTOCOL_VERSION, phone.token, "", "en") == 4401
    await ann.go()
    assert (await ann.come())["player"] == ann.player


async def test_a_device_that_changes_its_identity_steps_out_of_the_room(server: Servers) -> None:
    ann, phone = await server.person("Ann"), await server.person("Phone")
    await phone.enter(await ann.create())
    code = (await ann.ask("LinkDevice", answer="DeviceCode"))["code"]
    await phone.ask("UseDeviceCode", code, answer="Welcome")
    away = await ann.hear(lambda e: e["event"] == "SeatRow" and not e["present"])
    assert away["name"] == "Phone"
    assert (await phone.enter(ann.room))["seat"] == 0
    assert await ann.closed() == 4409
