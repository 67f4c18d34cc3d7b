"""PROTOCOL.md: the messages, codes and examples as a page for people who write a client.

What lives here: the text of that page. What the messages mean is taken from their docstrings.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from enum import Enum

import msgspec
from msgspec.inspect import BoolType, BytesType, IntType, ListType, StrType, StructType, TupleType, Type

from engine.errors import ErrorCode
from server.wire import messages
from server.wire.codec import MAX_FRAME, encode
from server.wire.described import Described, Message, commands, events, members, parts
from server.wire.errors import CloseCode, RefusalCode
from server.wire.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES
from server.wire.messages import PROTOCOL_VERSION

_HEAD = f"""\
# The protocol

Generated from `server/wire/messages.py` by `python -m server.wire.generate`; do not edit.
Version {PROTOCOL_VERSION}. Golden frames to test a client with: `tests/golden/frames.json`.

## Connection

One WebSocket at `/ws`, binary frames, no compression, at most {MAX_FRAME} bytes a frame towards the server.
Who comes for a room may say so, `/ws?room=CODE`: a server of several processes then brings its people together in
one of them, which is cheaper; nothing else depends on it.
Browsers send an `Origin`, which must be the site itself or one the operator listed.
The first frame is `Hello`, within 5 s. Between frames the server pings after 10 s of silence and closes after
10 s more. A client that hears nothing for 9 s connects again.

"""


def _type(kind: Type) -> str:
    match kind:
        case IntType(ge=low, le=high):
            return "int" if low is None and high is None else f"int {_number(low)} … {_number(high)}"
        case StrType(max_length=most):
            return "str" if most is None else f"str, at most {most} characters"
        case BytesType():
            return "bytes"
        case BoolType():
            return "bool"
        case StructType(cls=cls):
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case ListType(item_type=item, max_length=most):
            return f"array of {_type(item)}" + ("" if most is None else f", at most {most}")
        case TupleType(item_types=items):
            return "array of two: " + ", ".join(_type(item) for item in items)
    raise TypeError(f"no wire type: {kind}")


def _number(value: float | None) -> str:
    """Large bounds read as powers of two."""
    assert isinstance(value, int)
    power = (value + 1).bit_length() - 1
    return f"2^{power}−1" if value > 100_000 and value + 1 == 1 << power else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table(rows: Iterable[tuple[str, ...]], *heads: str) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def _field(field: Described) -> tuple[str, str, str]:
    text = _cell(field.text)
    if field.default:
        text = f"{text} If left out: `{field.default[0]!r}`.".strip()
    return f"`{field.name}`", _type(field.type), text


def _message(message: Message, example: msgspec.Struct | None = None) -> str:
    title = f"### {message.name}" + (f" · {message.tag}" if message.tag else "")
    chunks = [f"{title}\n", f"{message.text}\n"]
    if message.fields:
        chunks.append(_table(map(_field, message.fields), "field", "type", "meaning"))
    if isinstance(example, messages.Command | messages.Event):
        chunks.append(f"```\n{example!r}\n{encode(example).hex()}\n```\n")
    return "\n".join(chunks)


def _codes(enum: type[Enum]) -> str:
    rows = [(f"`{value}`", _cell(text)) for _, value, text in members(enum)]
    return _table(rows, "code", "meaning")


def render() -> str:
    """The whole page."""
    described = inspect.getdoc(messages) or ""
    grammar = described[described.index("A frame is") :]
    closes = [(str(value), f"`{name}`", _cell(text)) for name, value, text in members(CloseCode)]
    examples: dict[str, msgspec.Struct] = {type(e).__name__: e for e in (*COMMAND_EXAMPLES, *EVENT_EXAMPLES)}
    chunks = [
        _HEAD + grammar + "\n",
        "## Commands: client to server\n",
        *(_message(m, examples[m.name]) for m in commands()),
        "## Events: server to client\n",
        *(_message(m, examples[m.name]) for m in events()),
        "## Parts\n\nArrays without a tag, inside messages.\n",
        *(_message(m) for m in parts()),
        "## Refusals of moves\n\nValues of `Denied.code`.\n",
        _codes(ErrorCode),
        "## Refusals of other commands\n\nValues of `Refused.code`.\n",
        _codes(RefusalCode),
        "## Close codes\n",
        _table(closes, "code", "name", "meaning"),
    ]
    return "\n".join(chunks)
