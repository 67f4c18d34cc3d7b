"""What the messages say about themselves: names, tags, fields, types, bounds and texts as plain values.

What lives here: reading `messages` and `errors` by introspection. What does not: how it is written
down (`render_js`, `render_md`).
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import ModuleType
from typing import Any

import msgspec
from msgspec.inspect import Type

from server.wire import messages
from server.wire.codec import TAG_OF


@dataclass(frozen=True, slots=True)
class Described:
    """A field of a message: `text` is its docstring, `default` a one-element tuple or empty."""

    name: str
    type: Type
    text: str
    default: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message or a part (`tag` 0)."""

    name: str
    tag: int
    text: str
    fields: tuple[Described, ...]


@lru_cache
def _texts(module: ModuleType) -> dict[tuple[str, str], str]:
    """The docstring under each attribute of each class: (class, attribute) → text."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for above, below in zip(node.body, node.body[1:], strict=False):
            target = above.targets[0] if isinstance(above, ast.Assign) else getattr(above, "target", None)
            is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if isinstance(target, ast.Name) and is_text:
                text = below.value.value  # type: ignore[attr-defined]
                found[node.name, target.id] = inspect.cleandoc(text)
    return found


def describe(cls: type[msgspec.Struct]) -> Message:
    """Everything about one message or part."""
    module = inspect.getmodule(cls)
    assert module is not None
    texts = _texts(module)
    info = msgspec.inspect.type_info(cls)
    assert isinstance(info, msgspec.inspect.StructType)
    fields = tuple(
        Described(
            field.name,
            field.type,
            texts.get((cls.__name__, field.name), "The running number." if field.name == "n" else ""),
            () if field.required else (_default(field),),
        )
        for field in info.fields
    )
    return Message(cls.__name__, TAG_OF.get(cls, 0), inspect.cleandoc(cls.__doc__ or ""), fields)


def parts() -> list[Message]:
    """The values inside messages, in the order of the source."""
    return [describe(part) for part in messages.Part.__subclasses__() if part.__module__.startswith("server.wire.")]


def commands() -> list[Message]:
    """What a client asks, in the order of tags."""
    return [describe(command) for command in messages.COMMANDS]


def events() -> list[Message]:
    """What a client is told, in the order of tags."""
    return [describe(event) for event in messages.EVENTS]


def members(enum: type[Enum]) -> list[tuple[str, Any, str]]:
    """Name, value and text of each member of an enum whose members have docstrings."""
    module = inspect.getmodule(enum)
    assert module is not None
    texts = _texts(module)
    return [(member.name, member.value, texts.get((enum.__name__, member.name), "")) for member in enum]


def _default(field: msgspec.inspect.Field) -> object:
    """What stands for a field that is left out; a list is made anew each time."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
