"""How many recorded moves a second the rules take on one core: check, apply, score, record for undo.

`python tests/bench/bench_rules.py [ROUNDS]` replays the accepted actions of tests/golden/rules.jsonl.gz,
undos included, and prints the median of the rounds. A calibration loop of plain Python runs beside every
round, so that a figure from a busy or another machine can be compared: moves per thousand turns of it.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from engine import notation, vectors  # noqa: E402
from engine.board import Board  # noqa: E402
from engine.cards import Card  # noqa: E402
from engine.moves import Move  # noqa: E402
from engine.ruleset import RULESETS, Ruleset  # noqa: E402

GOAL = 150_000
CALIBRATION_TURNS = 200_000

Game = tuple[Ruleset, list[Card], bool, list[Move]]


def recorded_games() -> list[Game]:
    """Ruleset, deal, scoring and accepted moves of every game of the two golden files."""
    games: list[Game] = []
    for name in ("rules.jsonl.gz", "rules-ranked.jsonl.gz"):
        for line in gzip.decompress((ROOT / "tests/golden" / name).read_bytes()).splitlines():
            game = json.loads(line)
            ruleset = RULESETS[f"{vectors.FAMILIES[game['variant']]}-D{game['draw']}{game['scoring']}"]
            deal = notation.parse_cards(game["deal"])
            ranked = bool(game.get("ranked", False))
            board, moves = Board(ruleset, deal, ranked=ranked), []
            for action, *_ in game["steps"]:
                move = vectors.move_of(board, action)
                if isinstance(move, Move) and board.check(move) is None:
                    board.apply(move, 0)
                    moves.append(move)
            games.append((ruleset, deal, ranked, moves))
    return games


def play_all(games: list[Game]) -> tuple[int, float]:
    """Moves played and seconds of CPU they took; dealing is not counted."""
    boards = [(Board(ruleset, deal, ranked=ranked), moves) for ruleset, deal, ranked, moves in games]
    start = time.process_time()
    for board, moves in boards:
        check, apply = board.check, board.apply
        for at_ms, move in enumerate(moves):
            if check(move) is None:
                apply(move, at_ms)
    seconds = time.process_time() - start
    return sum(board.ply for board, _ in boards), seconds


def calibrate() -> float:
    """Turns a second of a loop of calls, list and attribute work, the stuff the rules are made of."""
    pile: list[int] = []

    def turn(value: int) -> None:
        pile.append(value & 63)
        if len(pile) > 60:
            del pile[:]

    start = time.process_time()
    for value in range(CALIBRATION_TURNS):
        turn(value)
    return CALIBRATION_TURNS / (time.process_time() - start)


def main() -> int:
    """Print the figures; exit status 1 when the median misses the goal."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    games = recorded_games()
    rates, turns = [], []
    for _ in range(rounds):
        turns.append(calibrate())
        moves, seconds = play_all(games)
        rates.append(moves / seconds)
    rate, calibration = statistics.median(rates), statistics.median(turns)
    print(f"{rate:,.0f} moves/s, median of {rounds} rounds ({min(rates):,.0f}–{max(rates):,.0f}), {moves:,} moves each")
    print(f"calibration {calibration / 1e6:.1f} M turns/s; {1000 * rate / calibration:.1f} moves per 1,000 turns")
    print(f"goal {GOAL:,}: {'reached' if rate >= GOAL else 'missed'}")
    return 0 if rate >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
