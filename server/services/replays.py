"""Closed heats as everybody may see them: GET /api/heat/<heat>, and whole for `kupa export` (product P8).

Lives here: finding a heat by its id, its boards from their logs, the reply. Lives elsewhere: what is in a replay
(core.replay). A heat is told only when its deal is open (ruling 9); before that there is no such heat, and nothing
tells it from one that never was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec

from engine import solver
from server.core import rating
from server.core import replay as files
from server.core.closed_heat import ClosedHeat
from server.core.replay import Replay
from server.net.pages import JSON, PageRequest, Pages, Reply
from server.services.api import BadRequest, NotThere, query, route
from server.services.recordings import Recordings
from server.store import keys
from server.store.connect import Store
from server.wire.messages import ResultRow

PATH: Final = "/api/heat/"
PAGE: Final = 32
"""Boards in one reply."""


def program() -> str:
    """The version of the program that writes replays; of a checkout that is not installed: `checkout`."""
    try:
        return version("kupa")
    except PackageNotFoundError:
        return "checkout"


class Replays:
    """Closed heats of rooms. Methods raise StoreAway."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recordings = Recordings(store)

    async def heat(self, heat: str) -> ClosedHeat | None:
        """The closed heat of this id; None when there is none, or its deal is not open yet."""
        found = await self._recordings.found(heat)
        found = None if found is None else await self._recordings.opened(found)
        return None if found is None or found.sealed else found

    async def whole(self, heat: str) -> Replay | None:
        """A heat with all its boards."""
        found = await self.heat(heat)
        return None if found is None else await self._built(found, found.rows)

    async def page(self, heat: str, number: int) -> Replay | None:
        """A heat with `PAGE` of its boards, in order of places; None also for a page that there is not."""
        found = await self.heat(heat)
        if found is None:
            return None
        pages = max(1, -(-len(found.rows) // PAGE))
        if not 1 <= number <= pages:
            return None
        rows = found.rows[(number - 1) * PAGE : number * PAGE]
        built = await self._built(found, rows)
        return None if built is None else msgspec.structs.replace(built, page=number, pages=pages)

    async def _built(self, heat: ClosedHeat, rows: Iterable[ResultRow]) -> Replay | None:
        rows = tuple(rows)
        lengths = {one.seat: length for one, length in zip(heat.seats, heat.lengths, strict=True)}
        logs: dict[int, list[bytes]] = {}
        for row in rows:
            entries = await self._store.logs.load(keys.board_log(heat.room, heat.heat, row.seat))
            if len(entries) < lengths[row.seat]:
                return None  # its boards were kept for as long as they were to be
            logs[row.seat] = entries[: lengths[row.seat]]
        stored = await self._store.rooms.get_deal(heat.room, heat.heat)
        solution = solver.unpack(stored.solution) if stored is not None else ()
        return files.build(
            replace(heat, rows=rows), logs, kupa=program(), rated=bool(rating.racers(heat)), solution=solution
        )

    # ------------------------------------------------------------ HTTP

    def add_to(self, pages: Pages) -> None:
        """Answer GET /api/heat/<heat>[?page=n]."""
        pages.route(PATH, route(self._answer))

    async def _answer(self, request: PageRequest) -> Reply:
        number = query(request, "page").get("page", "1")
        if not (number.isascii() and number.isdigit() and len(number) <= 4):
            raise BadRequest("bad_page")
        found = await self.page(request.path.removeprefix(PATH), int(number))
        if found is None:
            raise NotThere
        # A closed heat never changes any more.
        return Reply(200, files.write(found), JSON, (("Cache-Control", "public, max-age=86400"),))
