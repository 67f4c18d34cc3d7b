"""The formats of tournaments, by id. To add one: a file beside this one and a line in the table."""

from __future__ import annotations

from server.core.formats.arena import ARENA
from server.core.formats.base import Draw, Field, Format, Runner
from server.core.formats.cup import CUP
from server.core.formats.league import LEAGUE
from server.core.formats.swiss import SWISS

FORMATS: dict[str, Format] = {one.id: one for one in (LEAGUE, CUP, SWISS, ARENA)}

__all__ = ["FORMATS", "Draw", "Field", "Format", "Runner"]
