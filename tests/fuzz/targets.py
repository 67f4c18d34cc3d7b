"""What is fuzzed: everything that reads bytes of strangers, each with the errors it may raise and no others.

Lives here: the targets and where they begin. Lives elsewhere: who feeds them (run, with coverage for as long as one
likes; test_targets, a few hundred of each in the gate).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from websockets.datastructures import Headers

from engine.deal_code import DealCode, DealCodeError
from server.config import CLIENT_DIR
from server.core import codes, names
from server.net.pages import PageRequest, Pages, Reply
from server.wire.codec import Malformed, UnknownCommand, decode, encode
from server.wire.examples import COMMAND_EXAMPLES

Target = Callable[[bytes], None]
PAGES = Pages.load(CLIENT_DIR)


def command(data: bytes) -> None:
    """A frame is a command, an unknown one, or malformed; what was understood is written the same way again."""
    try:
        found = decode(data)
    except (Malformed, UnknownCommand):
        return
    assert decode(encode(found)) == found


def name(data: bytes) -> None:
    """A name is refused, or stands as it is when it is checked again; marks on letters do not count as visible."""
    checked = names.checked_name(data.decode(errors="replace"))
    if checked is not None:
        assert names.checked_name(checked) == checked
        visible = sum(not unicodedata.category(char).startswith("M") for char in checked)
        assert 2 <= visible <= names.MAX_VISIBLE
        assert len(checked) <= visible * (1 + names.MAX_MARKS)
        names.skeleton(checked)


def path(data: bytes) -> None:
    """A path leads to a page or to nothing, never to an error, and to no file that is not the client's."""
    where, _, query = data.decode("latin-1").partition("?")
    reply = PAGES.answer(PageRequest("GET", where, query, Headers(), "203.0.113.9"))
    assert isinstance(reply, Reply)
    assert reply.status in (200, 304, 400, 404, 503)
    assert b"root:" not in reply.body[:200]


def code(data: bytes) -> None:
    """A deal code is read, or says what is wrong with it; a room's code likewise."""
    text = data.decode(errors="replace")
    found = codes.parse_room_code(text)
    assert found is None or len(found) == 5
    try:
        parsed = DealCode.parse(text)
    except DealCodeError:
        return
    assert DealCode.parse(str(parsed)) == parsed


TARGETS: dict[str, Target] = {each.__name__: each for each in (command, name, path, code)}
SEEDS: dict[str, list[bytes]] = {
    "command": [encode(example) for example in COMMAND_EXAMPLES],
    "name": [
        text.encode()
        for text in ("Ann", "\u0430dmin", "a\u202eb", "Zoë", "o\u0301\u0301\u0301", "<script>", "x" * 19 + "q\u0301")
    ],
    "path": [b"/", b"/js/main.js?x", b"/r/KMPQR", b"/%2e%2e/etc/passwd", b"//", b"/qr/r/KMPQR.svg", b"/v/abc/x"],
    "code": [b"DS1-D1N-ABCDEFG-HIJKLMA", b"SS1-D1N-W6SWQ46", b"kmpqr", b"DS1"],
}
