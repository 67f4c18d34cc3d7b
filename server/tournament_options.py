"""What `kupa tournament` refuses by itself, in words of the options that were typed, before a server is asked.

What lives here: choices, and which options go together; the server checks the same (core.tournament). What does not:
bounds of numbers (wire.bounds, from the command line's own check), and what only the server knows (tournament_client).
"""

from __future__ import annotations

from engine.ruleset import RULESETS
from server.core.formats import FORMATS
from server.core.names import name_fault
from server.core.options import GOALS, MINUTES
from server.core.tournament.hosting import ACTIONS
from server.core.tournament.options import NAME_LETTERS, POINTS
from server.reaching import refusal, refuse_unfit
from server.unusable import Unusable, refuse_none
from server.wire.messages import Hello, HostTournament, TournamentOptions


def refuse_unknown(format: str, ruleset: str, goal: str, minutes: int, points: str) -> None:
    """Raise Unusable for what is none of an option's choices."""
    refuse_none("--format", format, FORMATS)
    refuse_none("--ruleset", ruleset, RULESETS)
    refuse_none("--goal", goal, GOALS)
    refuse_none("--minutes", minutes, MINUTES)
    refuse_none("--points", points, POINTS)


def refuse_unsound(options: TournamentOptions, by: str) -> None:
    """Raise Unusable for options that do not go together, and for names that may not be."""
    refuse_unfit(TournamentOptions, {"name": ("--name", options.name)})
    refuse_unfit(Hello, {"name": ("--by", by)})
    fault = name_fault(options.name, NAME_LETTERS)
    if fault is not None:
        raise Unusable(f"--name {options.name!r} may not be: {refusal(fault)}")
    if options.format == "cup" and options.advance >= options.heat:
        raise Unusable(f"--advance {options.advance} of --heat {options.heat}: fewer have to go on than have raced")
    if options.format == "arena" and not (options.minutes and options.arena_minutes):
        raise Unusable("--format arena has an end: it needs --minutes and --arena-minutes above 0")


def refuse_unfit_action(code: str, token: str, action: str, key: str, value: int) -> None:
    """Raise Unusable for an action that a host does not have, and for what it cannot be asked with."""
    refuse_none("action", action, ACTIONS)
    if not token:
        raise Unusable("hosting needs the token that `kupa tournament create` printed; give it with --token")
    refuse_unfit(
        HostTournament,
        {"code": ("code", code), "token": ("--token", token), "key": ("--key", key), "value": ("--value", value)},
    )
