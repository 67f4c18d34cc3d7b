"""A board as it is rarely dealt: the frames from the server pass through here on their way to the page.

What lives here: putting another position into `Dealt`. Everything else is what the server said; moves that
do not fit its own board are its to refuse.
"""

from __future__ import annotations

from typing import Any

import msgpack
from playwright.async_api import Page, WebSocketRoute

from server.wire.messages import EVENTS

DEALT = next(event.__struct_config__.tag for event in EVENTS if event.__name__ == "Dealt")
VIEW = 3
"""Where the board stands in a `Dealt`."""
STOCK, COLUMNS = 3, 6
"""Where the stock and the columns stand in a board."""
KING_TO_TWO = bytes(13 * (number % 2) + 12 - number for number in range(12))
"""A run of twelve: black king to red two."""


def with_long_column(view: list[Any]) -> list[Any]:
    """The same board with twenty cards in the last column, the missing ones taken from the stock."""
    changed = list(view)
    down, up = view[COLUMNS][-1]
    changed[COLUMNS] = [*view[COLUMNS][:-1], [down, KING_TO_TWO]]
    changed[STOCK] = view[STOCK] - len(KING_TO_TWO) + len(up)
    return changed


async def deal_a_long_column(page: Page) -> None:
    """From now on boards that are dealt to this page have twenty cards in the last column."""

    def come(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def say(message: str | bytes) -> None:
            assert isinstance(message, bytes)
            frame = msgpack.unpackb(message)
            if frame[0] == DEALT:
                frame[VIEW] = with_long_column(frame[VIEW])
                message = msgpack.packb(frame)
            socket.send(message)

        server.on_message(say)

    await page.route_web_socket("**/ws", come)
