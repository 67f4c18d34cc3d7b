"""Calling back whom one belongs to, without holding them.

What lives here: one function. Who is called back by a part of their own would hold the part, and the part would hold
them: a circle that stays in memory until somebody looks for circles, which happens seldom (serving).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec
from weakref import WeakMethod

Given = ParamSpec("Given")


def weakly(method: Callable[Given, None]) -> Callable[Given, None]:
    """Calls this method of an object for as long as somebody else holds the object, then does nothing."""
    found = WeakMethod(method)

    def call(*values: Given.args, **named: Given.kwargs) -> None:
        alive = found()
        if alive is not None:
            alive(*values, **named)

    return call
