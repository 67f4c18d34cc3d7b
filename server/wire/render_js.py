"""client_web/js/wire.gen.js: the messages as an ES module that `tsc --checkJs --strict` accepts.

What lives here: the text of that module. Each message becomes a typedef; commands get a builder that
returns the array to send, events a reader that turns the array that came into a named object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum

from msgspec.inspect import BoolType, BytesType, IntType, ListType, StrType, StructType, TupleType, Type

from engine.errors import ErrorCode
from engine.solver import CERTIFIABLE
from server.wire.described import Described, Message, commands, events, members, parts
from server.wire.errors import CloseCode, RefusalCode
from server.wire.messages import PROTOCOL_VERSION

_HEAD = """\
// Generated from server/wire/messages.py by `python -m server.wire.generate`; do not edit.
// PROTOCOL.md says what each message means.

/** @typedef {number | string | boolean | null | Uint8Array | WireArray} Wire */
/** @typedef {Wire[]} WireArray A frame or a part, as MessagePack carries it. */
"""

_READERS = """\
/** What came is not what the protocol says. */
export class WireError extends Error {}

/** @param {unknown} value @returns {number} */
function int(value) {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError('expected an integer');
}

/** @param {unknown} value @returns {string} */
function str(value) {
  if (typeof value === 'string') return value;
  throw new WireError('expected a string');
}

/** @param {unknown} value @returns {boolean} */
function bool(value) {
  if (typeof value === 'boolean') return value;
  throw new WireError('expected a boolean');
}

/** @param {unknown} value @returns {Uint8Array} */
function bytes(value) {
  if (value instanceof Uint8Array) return value;
  throw new WireError('expected bytes');
}

/** @param {unknown} value @returns {unknown[]} */
function array(value) {
  if (Array.isArray(value)) return value;
  throw new WireError('expected an array');
}

/** @template T @param {unknown} value @param {(item: unknown) => T} read @returns {T[]} */
function list(value, read) {
  return array(value).map((item) => read(item));
}
"""


def camel(name: str) -> str:
    """`CreateRoom` → `createRoom`."""
    return name[0].lower() + name[1:]


def js_type(kind: Type) -> str:
    """The type of a field in JSDoc."""
    match kind:
        case IntType():
            return "number"
        case StrType():
            return "string"
        case BytesType():
            return "Uint8Array"
        case BoolType():
            return "boolean"
        case StructType(cls=cls):
            return cls.__name__
        case ListType(item_type=item):
            inner = js_type(item)
            return f"Array<{inner}>"
        case TupleType(item_types=items):
            return "[" + ", ".join(js_type(item) for item in items) + "]"
    raise TypeError(f"no wire type: {kind}")


def _reader(kind: Type) -> str | None:
    """The function that reads a field of this type, where one does."""
    match kind:
        case IntType():
            return "int"
        case StrType():
            return "str"
        case BytesType():
            return "bytes"
        case BoolType():
            return "bool"
        case StructType(cls=cls):
            return f"read{cls.__name__}"
    return None


def _read(kind: Type, value: str) -> str:
    """An expression that reads a field of this type out of the expression `value`."""
    reader = _reader(kind)
    if reader is not None:
        return f"{reader}({value})"
    match kind:
        case ListType(item_type=TupleType() as item):
            inner = ", ".join(_read(part, f"pair[{i}]") for i, part in enumerate(item.item_types))
            cast = f"/** @type {{{js_type(item)}}} */ ([{inner}])"
            return f"list({value}, (item) => {{ const pair = array(item); return {cast}; }})"
        case ListType(item_type=item) if _reader(item):
            return f"list({value}, {_reader(item)})"
    raise TypeError(f"no wire type: {kind}")


def _write(field: Described, value: str) -> str:
    """An expression that makes the wire form of a field."""
    if isinstance(field.type, StructType):
        return f"write{field.type.cls.__name__}({value})"
    return value


def _pairs(message: Message, first: int) -> Iterable[str]:
    for i, field in enumerate(message.fields, first):
        read = _read(field.type, f"f[{i}]")
        if field.default:
            read = f"f.length > {i} ? {read} : {_literal(field.default[0])}"
        yield f"{field.name}: {read}"


def _literal(value: object) -> str:
    """A default as JavaScript writes it."""
    return f"Uint8Array.from({json.dumps(list(value))})" if isinstance(value, bytes) else json.dumps(value)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def _typedef(message: Message) -> str:
    lines = [f"/**\n * {_one_line(message.text)}\n * @typedef {{object}} {message.name}"]
    if message.tag:
        lines.append(f" * @property {{'{message.name}'}} type")
    for field in message.fields:
        lines.append(f" * @property {{{js_type(field.type)}}} {field.name} {_one_line(field.text)}".rstrip())
    return "\n".join([*lines, " */\n"])


def _part_code(part: Message, sent: bool) -> str:
    body = "".join(f"    {pair},\n" for pair in _pairs(part, 0))
    code = (
        f"/** @param {{unknown}} value @returns {{{part.name}}} */\nfunction read{part.name}(value) {{\n"
        f"  const f = array(value);\n  return {{\n{body}  }};\n}}\n"
    )
    if not sent:
        return code
    values = ", ".join(f"part.{field.name}" for field in part.fields)
    defaults = ", ".join(f"{field.name}: {_literal(field.default[0])}" for field in part.fields if field.default)
    required = " | ".join(f"'{field.name}'" for field in part.fields if not field.default)
    held = f"Omit<{part.name}, {required}>" if required else part.name
    return code + (
        f"\n/** @param {{{part.name}}} part @returns {{WireArray}} */\nfunction write{part.name}(part) {{\n"
        f"  return [{values}];\n}}\n\n"
        f"/** What {part.name} holds where nothing else is said.\n * @type {{Readonly<{held}>}} */\n"
        f"export const {part.name}Defaults = Object.freeze({{ {defaults} }});\n"
    )


def _builder(command: Message) -> str:
    doc = "".join(
        f"\n   * @param {{{js_type(field.type)}}} {field.name} {_one_line(field.text)}".rstrip()
        for field in command.fields
    )
    names = ", ".join(field.name for field in command.fields)
    values = ", ".join([str(command.tag), *(_write(field, field.name) for field in command.fields)])
    return (
        f"  /**\n   * {_one_line(command.text)}{doc}\n   * @returns {{WireArray}}\n   */\n"
        f"  {camel(command.name)}: ({names}) => [{values}],\n"
    )


def _case(event: Message) -> str:
    pairs = "".join(f"        {pair},\n" for pair in _pairs(event, 1))
    return f"    case {event.tag}:\n      return {{\n        type: '{event.name}',\n{pairs}      }};\n"


def _constants(name: str, text: str, pairs: Iterable[tuple[str, object]]) -> str:
    body = "".join(f"  {key}: {json.dumps(value)},\n" for key, value in pairs)
    return f"/** {text} */\nexport const {name} = Object.freeze(/** @type {{const}} */ ({{\n{body}}}));\n"


def _values(*enums: type[Enum]) -> Iterable[tuple[str, object]]:
    """Each value once, under itself: `E.no_fit === 'no_fit'`."""
    return {str(value): (str(value), value) for enum in enums for _, value, _ in members(enum)}.values()


def render() -> str:
    """The whole module."""
    asked, told, inside = commands(), events(), parts()
    sent = {field.type.cls.__name__ for m in asked for field in m.fields if isinstance(field.type, StructType)}
    fields = "".join(f"  {m.name}: {json.dumps([field.name for field in m.fields])},\n" for m in [*asked, *told])
    chunks = [
        _HEAD,
        f"export const PROTOCOL_VERSION = {PROTOCOL_VERSION};\n",
        _constants("C", "Tags of commands.", ((m.name, m.tag) for m in asked)),
        _constants("V", "Tags of events.", ((m.name, m.tag) for m in told)),
        _constants("E", "Codes of refusals, of moves and of other commands.", _values(ErrorCode, RefusalCode)),
        "/** The rulesets of which there are certified deals.\n * @type {readonly string[]} */\n"
        f"export const CERTIFIABLE = Object.freeze({json.dumps(sorted(CERTIFIABLE))});\n",
        _constants("CLOSE", "Close codes.", ((name, value) for name, value, _ in members(CloseCode))),
        f"/** Names of the fields after the tag, in order.\n * @type {{Readonly<Record<string, readonly string[]>>}} */"
        f"\nexport const FIELDS = Object.freeze({{\n{fields}}});\n",
        *(_typedef(m) for m in [*inside, *told]),
        "/** @typedef {" + " | ".join(m.name for m in told) + "} WireEvent */\n",
        _READERS,
        *(_part_code(part, part.name in sent) for part in inside),
        "/** What a client asks: each returns the array to send. */\nexport const cmd = Object.freeze({\n"
        + "\n".join(_builder(m) for m in asked)
        + "});\n",
        "/**\n * The event in an array that came; null for a tag this client does not know (it is to be ignored).\n"
        " * @param {unknown} frame\n * @returns {WireEvent | null}\n * @throws {WireError} where a field is not what"
        " the protocol says\n */\nexport function decodeEvent(frame) {\n  const f = array(frame);\n"
        "  switch (int(f[0])) {\n" + "".join(_case(m) for m in told) + "    default:\n      return null;\n  }\n}\n",
    ]
    return "\n".join(chunks)
