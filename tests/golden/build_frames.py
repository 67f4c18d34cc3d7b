"""Adds frames to frames.json for messages that have none yet: `python tests/golden/build_frames.py`.

What is in the file stays as it is, for ever: clients in the field speak it. A message gets three frames:
`typical` (as in PROTOCOL.md), `least` and `most` (every field at the end of its range), and more of them under
the name of the last new field when fields were appended, to it or to a part of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec.inspect import BoolType, BytesType, IntType, ListType, StrType, StructType, TupleType, Type

FILE = Path(__file__).with_name("frames.json")
SAFE = 2**53 - 1
UNBOUND = 17


def extreme(kind: Type, most: bool) -> Any:
    """The least or the most a field of this type can hold; sizes without a bound are taken as UNBOUND."""
    match kind:
        case IntType(ge=low, le=high):
            return (high if high is not None else SAFE) if most else (low if low is not None else -SAFE)
        case StrType(max_length=length):
            return "\U0001f0a1" * (length if length is not None else UNBOUND) if most else ""
        case BytesType():
            return bytes(i % 256 for i in range(200)) if most else b""
        case BoolType():
            return most
        case StructType(cls=cls):
            return filled(cls, most)
        case ListType(item_type=item, max_length=length):
            return [extreme(item, most)] * (length if length is not None else UNBOUND) if most else []
        case TupleType(item_types=items):
            return tuple(extreme(item, most) for item in items)
    raise TypeError(f"no wire type: {kind}")


def filled(cls: type[msgspec.Struct], most: bool) -> msgspec.Struct:
    """A message with every field at one end of its range."""
    info = msgspec.inspect.type_info(cls)
    assert isinstance(info, StructType)
    return cls(**{field.name: extreme(field.type, most) for field in info.fields})


def as_json(value: Any) -> Any:
    """A field as JSON: bytes as {"bytes": hex}, a part as an object."""
    match value:
        case bytes():
            return {"bytes": value.hex()}
        case msgspec.Struct():
            return {field: as_json(getattr(value, field)) for field in value.__struct_fields__}
        case list() | tuple():
            return [as_json(item) for item in value]
    return value


def names(fields: Any) -> list[str]:
    """The names of all fields, those of parts as well."""
    match fields:
        case dict():
            return [found for name, value in fields.items() for found in (name, *names(value))]
        case list():
            return [name for item in fields[:1] for name in names(item)]
    return []


def row(name: str, message: Any) -> dict[str, Any]:
    """One line of the file."""
    from server.wire.codec import TAG_OF, encode

    cls = type(message)
    return {
        "message": cls.__name__,
        "name": name,
        "tag": TAG_OF[cls],
        "fields": as_json(message),
        "hex": encode(message).hex(),
    }


def main() -> None:
    """Write the file anew, old frames first and unchanged."""
    from server.wire.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES

    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    present = {(old["message"], old["name"]) for old in rows}
    known: dict[str, set[str]] = {}
    for old in rows:
        known.setdefault(old["message"], set()).update(names(old["fields"]))
    for example in (*COMMAND_EXAMPLES, *EVENT_EXAMPLES):
        named = [
            ("typical", example),
            ("least", filled(type(example), False)),
            ("most", filled(type(example), True)),
        ]
        cls = type(example)
        appended = [name for name in names(as_json(example)) if name not in known.get(cls.__name__, ())]
        if (cls.__name__, "typical") in present and appended:
            named = [(f"{name}, with {appended[-1]}", message) for name, message in named]
        rows += [row(name, message) for name, message in named if (cls.__name__, name) not in present]
    text = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(", ", ": ")) for each in rows)
    FILE.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
