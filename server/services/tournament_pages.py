"""Tournaments as everybody may see them: GET /api/tournament/<code>, tables, and the file with all boards.

Lives here: from a request to a reply. Lives elsewhere: what is in them (core.tournament.export, archive).

| path | reply |
|---|---|
| `/api/tournaments` | the public tournaments of the last day |
| `/api/tournament/<code>` | everything but the boards, as JSON |
| `/api/tournament/<code>.there` | whether there is one of this code; always an answer, never an error |
| `/api/tournament/<code>.live` | the time, the tournament as a whole, the running heats: counts and who is there |
| `/api/tournament/<code>.csv`, `.heats.csv` | the standings; every board's result |
| `/api/tournament/<code>.archive?page=<n>` | one closed round with its boards a page; n from 1 |
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Final
from urllib.parse import parse_qs

import msgspec

from server.core import events as room_log
from server.core import replay
from server.core.closed_heat import closed_heat
from server.core.replay import Replay
from server.core.tournament import archive, export
from server.core.tournament.archive import Archive
from server.core.tournament.record import TournamentHeat
from server.net.pages import PageRequest, Pages, Reply
from server.services.api import NotThere, route
from server.services.tournament_host import TournamentHost
from server.services.tournaments import Tournaments
from server.store import keys
from server.store.connect import Store

LIST: Final = "/api/tournaments"
PATH: Final = "/api/tournament/"
JSON: Final = "application/json"
CSV: Final = "text/csv; charset=utf-8"
KUPA: Final = version("kupa")
_FRESH = (("Cache-Control", "no-store"),)


class TournamentPages:
    """The replies about tournaments."""

    def __init__(self, tournaments: Tournaments, store: Store) -> None:
        self._tournaments = tournaments
        self._store = store

    def add_to(self, pages: Pages) -> None:
        """Answer from now on."""
        pages.route(LIST, route(self._list))
        pages.route(PATH, route(self._one))

    async def _list(self, _: PageRequest) -> Reply:
        return _json(await self._tournaments.listed())

    async def _one(self, request: PageRequest) -> Reply:
        code, _, kind = request.path.removeprefix(PATH).partition(".")
        host = await self._tournaments.by_code(code)
        if kind == "there":
            return _json({"there": host is not None})
        if host is None:
            raise NotThere
        match kind:
            case "archive":
                return await self._archive(host, request)
            case "live":
                now_ms = host.now_ms()
                told = {"now_ms": now_ms, "info": export.overview(host.state, now_ms)}
                return _json(told | await self._tournaments.live.of(host.state))
            case "":
                return _json(export.summary(host.state, host.now_ms()))
            case "csv":
                return _file(export.standings_csv(host.state), f"{host.state.code}.csv")
            case "heats.csv":
                return _file(export.heats_csv(host.state), f"{host.state.code}.heats.csv")
        raise NotThere

    async def _archive(self, host: TournamentHost, request: PageRequest) -> Reply:
        asked = parse_qs(request.query).get("page", ["1"])[0]
        closed = [number for number in host.state.rounds if not number.open]
        pages = max(1, len(closed))
        if not asked.isascii() or not asked.isdigit() or not 1 <= int(asked) <= pages:
            raise NotThere
        page = int(asked)
        heats: list[Replay] = []
        for heat in closed[page - 1].heats if closed else ():
            if heat.rows:
                heats.append(await self._replay(heat))
        log = tuple(await self._store.logs.load(keys.tournament_log(host.tournament)))
        built = Archive(archive.FORMAT, archive.VERSION, KUPA, log, tuple(heats), page, pages)
        return Reply(200, archive.write(built), JSON, _FRESH)

    async def _replay(self, heat: TournamentHeat) -> Replay:
        """A heat of a closed round with its boards. LookupError when its log is gone."""
        logs = self._store.logs
        found = closed_heat(room_log.decode_log(await logs.load(keys.room_log(heat.room))), heat.heat)
        if found is None:
            raise LookupError(f"heat {heat.heat} is not in the store")
        boards = {
            one.seat: (await logs.load(keys.board_log(heat.room, heat.heat, one.seat)))[:length]
            for one, length in zip(found.seats, found.lengths, strict=True)
        }
        return replay.build(found, boards, kupa=KUPA, rated=False)


def _json(value: object) -> Reply:
    return Reply(200, msgspec.json.encode(value), JSON, _FRESH)


def _file(body: str, name: str) -> Reply:
    disposition = ("Content-Disposition", f'attachment; filename="{name}"')
    return Reply(200, body.encode(), CSV, (*_FRESH, disposition))
