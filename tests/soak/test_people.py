"""One fault of a soak is told once."""

from __future__ import annotations

import asyncio

import pytest

from tests.soak.people import together


async def test_when_one_of_a_table_fails_the_others_do_not_play_on() -> None:
    left: list[str] = []

    async def plays_on() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.append("the table")

    async def fails() -> None:
        await asyncio.sleep(0)
        raise TimeoutError("no result")

    with pytest.raises(TimeoutError, match="no result"):
        await together(plays_on(), fails(), plays_on())
    assert left == ["the table"] * 2
