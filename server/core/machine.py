"""What a machine is: the verbs that every pure machine of the core has, and how it says no.

What lives here: the protocol of decide, apply and due, and `Refusal` (the wire has its codes). Not: any
machine, and anything that waits, reads a clock, draws a number or knows a store.

A machine's truth is its log, a list of events whose length is the version. The shell's loop is always
the same: fold the log, ask `decide` (or `decide_due`), append the events if the log still has the length
that was folded, then `apply` them. When somebody else was first, it folds what is new and asks again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from server.core.ids import PlayerId
from server.wire.errors import RefusalCode

__all__ = ["Machine", "Refusal", "RefusalCode"]

State = TypeVar("State")
Input = TypeVar("Input", contravariant=True)
Happening = TypeVar("Happening")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule's no: nothing happened and nothing is logged."""

    code: RefusalCode


class Machine(Protocol[State, Input, Happening]):
    """The verbs of a machine; a module with these functions is one.

    All take times as integer milliseconds of the store's clock and none of them raises for any state that
    `fold` returns and any input of its type.
    """

    def fold(self, events: list[Happening], /) -> State:
        """The state after these events, from the first one of the log on."""

    def apply(self, state: State, event: Happening, /) -> None:
        """Change the state by one event that is in the log. Asks no rule: what is logged has happened."""

    def decide(self, state: State, at_ms: int, actor: PlayerId, command: Input, /) -> list[Happening] | Refusal:
        """What this input makes happen, changing nothing.

        An empty list is a yes: it is already so (a retry). Events of one answer are appended together or
        not at all. Their time is `at_ms`, or that of the last event where that is later.
        """

    def due(self, state: State, /) -> int | None:
        """From when on time alone gives the shell something to do; None: never.

        Exact: for every instant from the last event on, there is something to do if and only if
        `at_ms >= due(state)`: events from `decide_due`, or one of the machine's `wants_…` is true.
        """

    def decide_due(self, state: State, at_ms: int, /) -> list[Happening]:
        """What time alone makes happen at this instant; ask again after it was applied, until it is empty."""
