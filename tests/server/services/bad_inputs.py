"""The sixty bad inputs of reliability 6.6, by number, each as bytes on a socket and the answer that is documented.

Lives here: the table. Lives elsewhere: the server they are sent to, and that it lives on (test_bad_inputs). Variants of
what the shell alone decides are in `tests/server/net/test_bad_input.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from server.net.settings import FRAGMENTS
from server.wire.codec import encode
from server.wire.messages import (
    Command,
    CreateRoom,
    EnterRoom,
    Event,
    Hello,
    LinkDevice,
    OpenSolo,
    Play,
    Rename,
    RevokeDevices,
    RoomOptions,
    SitDown,
    UseDeviceCode,
    Welcome,
)
from tests.server.net.raw import HELLO, Raw, client_frame, handshake

Answer = Callable[["Scene"], Awaitable[str]]
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
UP = ("Upgrade: websocket", "Connection: Upgrade")
V13 = "Sec-WebSocket-Version: 13"
MOVE = encode(Play(0, 1, 0, 0, 0))


@dataclass
class Scene:
    """A server that runs."""

    port: int
    later: Callable[[int], Awaitable[None]]
    """So many milliseconds go by."""

    raws: list[Raw] = field(default_factory=list)

    async def raw(self) -> Raw:
        self.raws.append(await Raw.connect(self.port))
        return self.raws[-1]

    async def leave(self) -> None:
        """All connections are reset."""
        for raw in self.raws:
            await raw.leave()

    async def greeted(self, hello: Hello = HELLO) -> tuple[Raw, Welcome]:
        """A socket that has said hello."""
        raw = await self.raw()
        await raw.upgrade(self.port)
        raw.say(hello)
        event = await raw.event()
        assert isinstance(event, Welcome), event
        return raw, event

    async def solo(self) -> Raw:
        """A socket that plays alone, and has made one move."""
        raw, _ = await self.greeted()
        raw.say(OpenSolo(2, "SS1-D1N", "", True))
        await until(raw, "SoloGame")
        raw.write(client_frame(MOVE))
        await until(raw, "Moved")
        return raw


@dataclass(frozen=True, slots=True)
class Row:
    """One bad input."""

    number: int
    what: str
    play: Answer
    answer: str


async def until(raw: Raw, *names: str) -> Event:
    """The next event of one of these kinds."""
    while True:
        event = await raw.event()
        if type(event).__name__ in names:
            return event


def said(event: Event) -> str:
    """An answer as the table has it."""
    return f"{type(event).__name__} {getattr(event, 'code', '')}".strip()


def http(*lines: str, body: bytes = b"") -> Answer:
    """A request, answered by a status, or by the end."""
    return raw_http(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)


def raw_http(sent: bytes, later_ms: int = 0) -> Answer:
    async def play(scene: Scene) -> str:
        raw = await scene.raw()
        raw.write(sent.replace(b"PORT", str(scene.port).encode()))
        if later_ms:
            await asyncio.sleep(0.05)
            await scene.later(later_ms)
        head = await raw.head()
        return head.split(" ")[1] if head else "closed"

    return play


def origin(*lines: str) -> Answer:
    """An opening handshake with these lines for its origin."""

    async def play(scene: Scene) -> str:
        raw = await scene.raw()
        text = "".join(f"Origin: {line}\r\n" for line in lines).replace("PORT", str(scene.port))
        raw.write(handshake(scene.port, origin=text))
        head = await raw.head()
        return head.split(" ")[1] if head else "closed"

    return play


def frames(*sent: bytes, later_ms: int = 0) -> Answer:
    """Frames after hello, answered by a close code."""

    async def play(scene: Scene) -> str:
        raw, _ = await scene.greeted()
        raw.write(b"".join(sent))
        if later_ms:
            await asyncio.sleep(0.05)
            await scene.later(later_ms)
            await scene.later(later_ms)
        code = await raw.close_code()
        return f"close {code}"

    return play


def payload(*payloads: bytes) -> Answer:
    """Each as one binary frame on a socket of its own; all must be answered alike."""

    async def play(scene: Scene) -> str:
        answers = {await frames(client_frame(one))(scene) for one in payloads}
        return " or ".join(sorted(answers))

    return play


def asked(*commands: Command, first: Command | None = None, kinds: tuple[str, ...] = ("Refused",)) -> Answer:
    """Commands of somebody in no room (or after `first`), answered by an event each."""

    async def play(scene: Scene) -> str:
        raw, _ = await scene.greeted()
        if first is not None:
            raw.say(first)
            await until(raw, "Entered", "Refused")
        answers = set()
        for one in commands:
            raw.say(one)
            answers.add(said(await until(raw, *kinds)))
        return " or ".join(sorted(answers))

    return play


def moves(*sent: Play) -> Answer:
    """Moves on the board of a game alone that has one entry, answered alike."""

    async def play(scene: Scene) -> str:
        raw = await scene.solo()
        answers = []
        for one in sent:
            raw.say(one)
            answers.append(said(await until(raw, "Moved", "Denied", "Restored")))
        raw.say(Play(1, 1, 0, 0, 0))
        after = said(await until(raw, "Moved", "Denied", "Restored"))
        return ", ".join([*dict.fromkeys(answers), f"then {after}"])

    return play


async def first_thing(scene: Scene) -> str:
    """A command before hello."""
    raw = await scene.raw()
    await raw.upgrade(scene.port)
    raw.write(client_frame(MOVE))
    code = await raw.close_code()
    second = await asked(Hello(9, 1, "", "", "en"))(scene)
    return f"close {code}, {second}"


async def tokens(scene: Scene) -> str:
    """One that never was, one that was revoked."""
    raw, mine = await scene.greeted()
    raw.say(LinkDevice(2))
    code = await until(raw, "DeviceCode")
    other, _ = await scene.greeted()
    other.say(UseDeviceCode(2, getattr(code, "code", "")))
    await until(other, "Welcome")
    other.say(RevokeDevices(3))
    await until(other, "Done")
    answers = []
    for token in ("x" * 43, "not a token", mine.token + "x", mine.token):
        stranger = await scene.raw()
        await stranger.upgrade(scene.port)
        stranger.say(Hello(1, 1, token, "", "en"))
        answers.append(await stranger.close_code())
    return " or ".join(sorted({f"close {code}" for code in answers}))


async def proto(scene: Scene) -> str:
    raw = await scene.raw()
    await raw.upgrade(scene.port)
    raw.say(Hello(1, 99, "", "", "en"))
    return f"close {await raw.close_code()}"


async def untimely(scene: Scene) -> str:
    """A move in no room, before the gun, after the end."""
    raw, _ = await scene.greeted()
    raw.write(client_frame(MOVE))
    answers = [said(await until(raw, "Denied"))]
    raw.say(CreateRoom(2, RoomOptions(), [1], True))
    await until(raw, "HeatInfo")
    raw.write(client_frame(MOVE))
    answers.append(said(await until(raw, "Denied")))
    raw.say(OpenSolo(3, "SS1-D1N", "", True))
    await until(raw, "SoloGame", "Refused")
    raw = await scene.solo()
    raw.say(Play(1, 6, 0, 0, 0))
    await until(raw, "Moved")
    raw.say(Play(2, 1, 0, 0, 0))
    answers.append(said(await until(raw, "Denied")))
    return ", ".join(answers)


async def rooms(scene: Scene) -> str:
    """No seat left; the own room again; one room too many in an hour (the server allows five)."""
    raw, _ = await scene.greeted()
    raw.say(CreateRoom(2, RoomOptions(seats=1), [], False))
    entered = await until(raw, "Entered")
    guest, _ = await scene.greeted()
    guest.say(EnterRoom(2, getattr(entered, "code", ""), False))
    answers = ["watches" if getattr(await until(guest, "Entered"), "seat", 0) == -1 else "sits"]
    guest.say(SitDown(3))
    answers.append(said(await until(guest, "Refused")))
    raw.say(EnterRoom(4, getattr(entered, "code", ""), False))
    again = await until(raw, "Entered", "Refused")
    answers.append("same" if getattr(again, "seat", -1) == getattr(entered, "seat", -2) else said(again))
    for number in range(5):
        raw.say(CreateRoom(5 + number, RoomOptions(), [], False))
        last = await until(raw, "Entered", "Refused")
    answers.append(said(last))
    return ", ".join(answers)


async def floods(scene: Scene) -> str:
    """Two hundred moves at once, a hundred reactions at once."""
    answers = []
    for sent in (MOVE, bytes((0x93, 18, 9, 1))):
        raw, _ = await scene.greeted()
        raw.write(client_frame(sent) * 200)
        heard = set()
        while True:
            opcode, data = await raw.frame()
            if opcode in (8, -1):
                break
            heard.add(b"slow" in data)
        answers.append(f"{'slow' if True in heard else 'nothing'} then close {int.from_bytes(data[:2], 'big')}")
    return " or ".join(sorted(set(answers)))


async def paths(scene: Scene) -> str:
    answers = set()
    for path in ("/../../etc/passwd", "/%2e%2e", "//", "/%2e%2e/%2e%2e/etc/passwd", "/js/../../server/app.py"):
        answers.add(await http(f"GET {path} HTTP/1.1", "Host: x")(scene))
    exact = await http("GET /js/main.js?x HTTP/1.1", "Host: x")(scene)
    raw = await scene.raw()
    raw.write(handshake(scene.port, path=f"http://127.0.0.1:{scene.port}/ws"))
    absolute = (await raw.head()).split(" ")[1]
    return f"{' or '.join(sorted(answers))}, {exact}, {absolute}"


def close(code: bytes) -> bytes:
    return client_frame(code, 8)


NAMELESS = "Refused name_chars or Refused name_long or Refused name_reserved or Refused name_short"
NAMES = ("", "x" * 21, "a\u202eb", "a\u200bb", "Z\u0351\u036b\u0343alg\u0324o", "\u0430dmin")
CODES = ("*", "{}", "ABCD", "ABCDEF", "' OR 1=1", "KMPQ1", "kupa:*", "\x00" * 5)
ROWS = (
    Row(1, "another origin", origin("https://evil.example"), "403"),
    Row(2, "origin null", origin("null"), "403"),
    Row(3, "no origin", origin(), "403"),
    Row(4, "an origin that begins like ours", origin("http://127.0.0.1:PORT.evil.example"), "403"),
    Row(5, "two origins", origin("http://127.0.0.1:PORT", "http://127.0.0.1:PORT"), "400"),
    Row(6, "POST", http("POST / HTTP/1.1", "Host: x"), "405"),
    Row(7, "HEAD of what is not there (of what is: 200)", http("HEAD /nothing HTTP/1.1", "Host: x"), "404"),
    Row(8, "OPTIONS", http("OPTIONS / HTTP/1.1", "Host: x"), "405"),
    Row(9, "PUT", http("PUT / HTTP/1.1", "Host: x"), "405"),
    Row(10, "HTTP/1.0", http("GET / HTTP/1.0", "Host: x"), "505"),
    Row(11, "version 12", http("GET /ws HTTP/1.1", "Host: x", *UP, KEY, "Sec-WebSocket-Version: 12"), "400"),
    Row(12, "no key", http("GET /ws HTTP/1.1", "Host: x", *UP, V13), "400"),
    Row(13, "short key", http("GET /ws HTTP/1.1", "Host: x", *UP, "Sec-WebSocket-Key: c2hvcnQ=", V13), "400"),
    Row(14, "two keys", http("GET /ws HTTP/1.1", "Host: x", *UP, KEY, KEY, V13), "400"),
    Row(15, "no upgrade", http("GET /ws HTTP/1.1", "Host: x", KEY, V13), "426"),
    Row(16, "9000-byte request line", http(f"GET /{'a' * 9000} HTTP/1.1", "Host: x"), "414"),
    Row(17, "9000-byte header", http("GET / HTTP/1.1", f"X: {'a' * 9000}"), "431"),
    Row(18, "200 headers", http("GET / HTTP/1.1", *(f"X-{n}: 1" for n in range(200))), "431"),
    Row(19, "NUL in a header", raw_http(b"GET / HTTP/1.1\r\nX: a\x00b\r\n\r\n"), "400"),
    Row(20, "GET with a body", http("GET / HTTP/1.1", "Content-Length: 5", body=b"hello"), "400"),
    Row(21, "GET and nothing else", raw_http(b"GET\r\n"), "400"),
    Row(22, "TLS on the plain port", raw_http(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 5_500), "closed"),
    Row(23, "half a header, then silence", raw_http(b"GET / HTTP/1.1\r\nHost: x\r\n", 5_500), "closed"),
    Row(24, "unmasked frame", frames(client_frame(MOVE, mask=None)), "close 1002"),
    Row(25, "RSV1", frames(client_frame(MOVE, rsv=4)), "close 1002"),
    Row(26, "opcode 3", frames(client_frame(b"", 3)), "close 1002"),
    Row(27, "opcode 11", frames(client_frame(b"", 11)), "close 1002"),
    Row(28, "close code 1005", frames(close((1005).to_bytes(2, "big"))), "close 1002"),
    Row(29, "text that is no UTF-8", frames(client_frame(b"\xff\xfe", 1)), "close 1007"),
    Row(30, "close reason that is no UTF-8", frames(close((1000).to_bytes(2, "big") + b"\xff")), "close 1007"),
    Row(31, "text frame", frames(client_frame(b"hello", 1)), "close 1003"),
    Row(32, "4097 bytes", frames(client_frame(b"x" * 4097)), "close 1009"),
    Row(33, "2^62 declared", frames(client_frame(b"", length=b"\x7f" + (2**62).to_bytes(8, "big"))), "close 1009"),
    Row(
        34, "fragments of 5000 bytes",
        frames(client_frame(b"x" * 2500, fin=False), client_frame(b"x" * 2500, 0)), "close 1009",
    ),
    Row(
        35, "too many empty fragments",
        frames(client_frame(b"", fin=False), client_frame(b"", 0, fin=False) * FRAGMENTS), "close 1009",
    ),
    Row(36, "continuation without a start", frames(client_frame(b"", 0)), "close 1002"),
    Row(37, "a message inside fragments", frames(client_frame(b"x", fin=False), client_frame(MOVE)), "close 1002"),
    Row(38, "a ping of 126 bytes", frames(client_frame(b"x" * 126, 9)), "close 1002"),
    Row(
        39, "a longer length than needed is harmless",
        frames(client_frame(MOVE, length=b"\x7e" + len(MOVE).to_bytes(2, "big")), close((1000).to_bytes(2, "big"))),
        "close 1000",
    ),
    Row(40, "no pong", frames(later_ms=11_000), "close 1011"),
    Row(41, "half a frame, then silence", frames(client_frame(MOVE)[:5], later_ms=11_000), "close 1011"),
    Row(42, "empty frame", payload(b""), "close 4400"),
    Row(43, "0xc1", payload(b"\xc1"), "close 4400"),
    Row(44, "array32 bomb", payload(b"\xdd\xff\xff\xff\xff"), "close 4400"),
    Row(45, "depth 4000", payload(b"\x91" * 4000), "close 4400"),
    Row(46, "map, ext", payload(b"\x81\x01\x02", b"\xd4\x01\x00"), "close 4400"),
    Row(47, "trailing bytes, truncated", payload(MOVE + b"\x00", MOVE[:-1]), "close 4400"),
    Row(
        48, "depth 1000, NaN, float, true, 2^64-1, -1",
        payload(
            b"\x91" * 1000 + b"\x00", b"\x96\x03\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00",
            b"\x96\x03\xca\x3f\x80\x00\x00\x01\x00\x00\x00", b"\x96\x03\xc3\x01\x00\x00\x00",
            b"\x96\x03\xcf" + b"\xff" * 8 + b"\x01\x00\x00\x00", b"\x96\x03\xff\x01\x00\x00\x00",
        ),
        "close 4400",
    ),
    Row(49, "unknown command, three times", frames(client_frame(b"\x92\x3f\x07") * 3), "close 4400"),
    Row(50, "before hello; a second hello", first_thing, "close 4401, Refused state"),
    Row(51, "bad and revoked tokens", tokens, "close 4401"),
    Row(52, "protocol 99", proto, "close 4426"),
    Row(53, "in no room, before the gun, after the end", untimely, "Denied noroom, Denied early, Denied ended"),
    Row(
        54, "pile 99, count 0, count 53, source = target",
        moves(Play(1, 3, 99, 2, 1), Play(1, 3, 20, 21, 0), Play(1, 3, 20, 21, 53), Play(1, 3, 20, 20, 1)),
        "Denied bad_action, Denied too_many, Denied same_column, then Moved",
    ),
    Row(
        55, "a ply again, with other bytes, beyond the log",
        moves(Play(0, 1, 0, 0, 0), Play(0, 4, 0, 0, 0), Play(6, 1, 0, 0, 0)),
        "Moved, Restored, Denied seq, then Moved",
    ),
    Row(56, "full room, own room twice, sixth room", rooms, "watches, Refused no_seat, same, Refused quota"),
    Row(57, "codes of no room", asked(*(EnterRoom(5, code, False) for code in CODES)), "Refused noroom"),
    Row(58, "names", asked(*(Rename(5, name) for name in NAMES), kinds=("Refused", "Done")), NAMELESS),
    Row(59, "200 moves, 200 reactions", floods, "slow then close 4429"),
    Row(60, "paths", paths, "404, 200, 404"),
)  # fmt: skip
