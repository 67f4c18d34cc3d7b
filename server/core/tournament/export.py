"""A tournament as others read it: one JSON object, and tables for a spreadsheet.

What lives here: plain values from a `TournamentState`. Deals are among them only when they are open. What does
not: boards (`archive`), addresses and files.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from server.core.ids import EntrantId
from server.core.tiebreaks import TIEBREAKS
from server.core.tournament import projection
from server.core.tournament.record import Round, TournamentHeat
from server.core.tournament.results import percentiles
from server.core.tournament.state import TournamentState, deadline_ms
from server.core.tournament.table import seeding, standings


def summary(state: TournamentState, at_ms: int) -> dict[str, Any]:
    """Everything but the boards: what pages, screens and programs show."""
    return {
        "info": overview(state, at_ms),
        "tie_breaks": [
            {"id": one.id, "name": one.name, "rule": one.rule, "link": one.link}
            for one in (TIEBREAKS[name] for name in state.format.tie_breaks)
        ],
        "entrants": _entrants(state),
        "rounds": [_round(number, state.options.goal) for number in state.rounds],
        "standings": [_plain(row) for row in projection.rows(state, standings(state))],
        "edits": [
            {
                "number": number, "at_ms": edit.at_ms, "by": edit.by, "what": edit.what, "key": edit.key,
                "before": edit.before, "after": edit.after, "undoes": edit.undoes, "undone": number in state.undone,
            }
            for number, edit in enumerate(state.edits, start=1)
        ],
    }  # fmt: skip


def overview(state: TournamentState, at_ms: int) -> dict[str, Any]:
    """The tournament as a whole: phase, times and counts."""
    return _plain(projection.info(state, at_ms))


def _plain(value: msgspec.Struct) -> dict[str, Any]:
    """A struct of the wire, which is an array there, as an object with names."""
    return {
        name: _plain(field) if isinstance(field, msgspec.Struct) else field
        for name, field in msgspec.structs.asdict(value).items()
    }


def _entrants(state: TournamentState) -> list[dict[str, Any]]:
    seeds = {entrant: seed for seed, entrant in enumerate(seeding(state), start=1)}
    return [
        {
            "entrant": one.id, "name": one.name, "tag": one.tag, "bot": one.bot, "number": one.number,
            "status": one.status.value, "checked": one.checked, "seed": seeds[one.id], "given": one.points,
        }
        for one in state.entrants.values()
    ]  # fmt: skip


def _round(number: Round, goal: str) -> dict[str, Any]:
    field = percentiles(number, goal)
    return {
        "round": number.number, "drawn_ms": number.drawn_ms, "gun_ms": number.gun_ms,
        "deadline_ms": deadline_ms(number), "open": number.open, "byes": list(number.byes),
        "code": number.code, "nonce": number.nonce, "heats": [_heat(heat, field) for heat in number.heats],
    }  # fmt: skip


def _heat(heat: TournamentHeat, field: dict[EntrantId, int]) -> dict[str, Any]:
    return {
        "room": heat.code, "heat": heat.heat, "entrants": list(heat.entrants), "open": heat.open,
        "rows": [{**_plain(row), "percentile": field.get(row.entrant)} for row in heat.rows or ()],
    }  # fmt: skip


def _table(names: list[str], rows: list[list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """A name that a spreadsheet would take for a formula is only text."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell


def standings_csv(state: TournamentState) -> str:
    """The standings, one entrant a line."""
    names = ["place", "name", "tag", "entrant", "bot", "points", *state.format.tie_breaks, "status", "heats"]
    width = len(state.format.tie_breaks)
    rows: list[list[Any]] = []
    for row in projection.rows(state, standings(state)):
        values = [*row.values, *[""] * (width - len(row.values))]
        rows.append(
            [row.place or "", row.name, row.tag, row.entrant, row.bot, row.points, *values, row.status, row.played]
        )
    return _table(names, rows)


def heats_csv(state: TournamentState) -> str:
    """Every board's result, one a line; byes have no heat."""
    names = ["round", "heat", "name", "tag", "entrant", "place", "ended", "out", "score", "moves", "at_ms", "deal"]
    names.append("percentile")
    rows: list[list[Any]] = []
    for number in state.rounds:
        field = percentiles(number, state.options.goal)
        for heat in number.heats:
            for row in heat.rows or ():
                one = state.entrants[row.entrant]
                rows.append(
                    [number.number, heat.heat, one.name, one.tag, one.id, row.place, row.ended, row.out, row.score,
                     row.moves, row.at_ms, number.code, field.get(row.entrant, "")]
                )  # fmt: skip
        for entrant in number.byes:
            one = state.entrants[entrant]
            rows.append([number.number, "", one.name, one.tag, one.id, "", "bye", "", "", "", "", "", ""])
    return _table(names, rows)
