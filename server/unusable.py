"""How every command says that it cannot use what it was given.

What lives here: the exception, and what several commands say alike. What does not: printing it (cli).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from server.shown import redacted

if TYPE_CHECKING:
    import typer


class Unusable(Exception):
    """Input that cannot be used; the text is one line that says how to mend it."""


def no_address(address: str) -> str:
    """What is said of a server's address that is none."""
    return f"{redacted(address)!r} is not an address; one looks like http://localhost:8000"


def no_server(address: str, why: object) -> str:
    """What is said when nothing answers at an address, as the system or the library puts it."""
    return f"cannot reach {address} ({why}); is the server running there?"


def no_store(error: Exception) -> Unusable:
    """What is said by a command that would make a store where there is none; `error` says where."""
    return Unusable(f"{error}; --new makes a store there")


def given(context: typer.Context, name: str) -> bool:
    """Whether the option of the parameter `name` was typed; it may have been its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse_none(option: str, value: object, choices: Iterable[object]) -> None:
    """Raise Unusable for a value of `option` that is none of its choices."""
    *others, last = map(str, choices)
    if str(value) not in (*others, last):
        raise Unusable(f"{option} {value} is none; choose {', '.join(others)} or {last}")


def refuse_unused(context: typer.Context, choice: str, chosen: str, uses: Mapping[str, Sequence[str]]) -> None:
    """Raise Unusable for an option that was typed though nothing uses it with what was chosen by the option `choice`.

    `uses`: of each option that not every choice uses, those that do.
    """
    for name, those in uses.items():
        if chosen not in those and given(context, name):
            option = f"--{name.replace('_', '-')}"
            raise Unusable(f"{option} is for {choice} {' or '.join(those)} only, not for {choice} {chosen}")
