"""Every key and channel of the store, in one place (architecture A5, ruling 22).

What lives here: functions that build keys from *checked* parts, and the table below. What does not:
commands. A part that does not have the form of an id raises `BadKey`, so nothing a client typed can
reach a key before it matched. Parts in braces are cluster hash tags: a room and its boards share a
slot, so one script may touch them together.

| key | type | content | written by | expires |
|---|---|---|---|---|
| `kupa:{room}:log` | list | room and heat events | append and close scripts | some time after the room closed |
| `kupa:{room}:b:<heat>:<seat>` | list | a board's log | append script | 30 days after closing, or never |
| `kupa:{room}:b:<heat>:<seat>:m` | hash | epoch, node, claim, state, final | claim, close scripts | with its board |
| `kupa:{room}:deal:<heat>` | string | code, nonce, solution, for nobody else | rooms.put_deal | with its boards |
| `kupa:{room}:progress` | hash | one row a seat (ruling 8) | append script | with the room's log |
| `kupa:{room}:kept` | string | the room's log is kept for ever, as one of its heats is | rooms.keep_heat | never |
| `kupa:{room}:from` | hash | player → digest of the address they came from | rooms.note_address | with the room's log |
| `kupa:{ghost:<heat>}:answers` | hash | player → their own race | ghosts.answer | 90 days after the last |
| `kupa:heat:<heat>` | string | room id of a heat | rooms.put_deal | with its boards |
| `kupa:{room}:bell` | channel | `<number> <payload>`: look at the log | append, claim, close scripts | – |
| `kupa:code:<code>` | string | room id behind a five-letter code | rooms.new_code | with the room (renewed) |
| `kupa:seat:<player>` | string | room id this player is in | rooms.seat | renewed by presence |
| `kupa:{lobby}:rows`, `:until` | hash, zset | public rooms; when a row goes stale | lobby scripts | row by row |
| `kupa:match:<ruleset>` | zset | open quick-match rooms, by the ms they go stale | rooms.offer_match | a day |
| `kupa:turn:<ruleset>` | string | who of all looks for such a room now | rooms.take_turn | 3 seconds |
| `kupa:player:<id>` | hash | name, made_ms, `t:<token hash>` per device | players | never |
| `kupa:token:<token hash>` | string | player id | players | never (revoked: deleted) |
| `kupa:link:<code hash>` | string | player id behind a one-time code | players | 10 minutes |
| `kupa:solo:<player>` | hash | id and code of the saved game of each ruleset | solo | never |
| `kupa:daily:<date>:<ruleset>` | string | a day's deal: code, nonce, solution, for nobody else | dailies.put | never |
| `kupa:{daily:<date>:<ruleset>}:attempts` | hash | player → attempt and its gun | dailies.begin | never |
| `kupa:{daily:<date>:<ruleset>}:practice` | hash | player → practice game | dailies.practise | 3 days after the last |
| `kupa:{deals:<ruleset>}:codes`, `:solutions` | list, hash | certified deals nobody has seen | deals | when taken |
| `kupa:{lb:<board>}:z`, `:h` | zset, hash | player → packed result, its row | boards.put | never |
| `kupa:{lb:<board>}:x`, `:xl` | hash, list | why rows were taken off; the log of it | removals.note | never |
| `kupa:{lb:<board>}:xz`, `:xh` | zset, hash | the rows that were taken off | removals.note | never |
| `kupa:{history:<player>}:z`, `:n`, `:d` | zset, hash, hash | results; counts and bests; days | history | never |
| `kupa:{rating:<ruleset>}:log`, `:heats` | list, hash | rated heats; heat → its index there | rate script | never |
| `kupa:{rating:<ruleset>}:now`, `:of:<player>` | hash, list | player → rating; a player's curve | rate script | never |
| `kupa:{tournament}:log` | list | a tournament's events | append script | never |
| `kupa:{tournament}:deal:<round>` | string | a round's deal and proof, sealed | tournaments.put_deal | never |
| `kupa:{tournament}:hosts` | hash | hash of a host token → who holds it | tournaments | never |
| `kupa:{tournament}:bell` | channel | as a room's | append script | – |
| `kupa:tcode:<code>` | string | tournament id behind a five-letter code | tournaments.new_code | never |
| `kupa:{tournaments}:rows`, `:until` | hash, zset | public tournaments; until when | tournaments | row by row |
| `kupa:flags` | zset | what operators may want to look at, by time | flags.add | the newest 10,000 stay |
| `kupa:unprojected` | zset | ended attempts and heats, by when to look | append (before it), unprojected | when done |
| `kupa:due` | zset | `<room>:<ms>`, `t:<tournament>:<ms>`: look then | append (before the entry), due | when done |
| `kupa:node:<id>` | string | a server process is alive, and the schema it knows | nodes | 6 seconds |
| `kupa:ahead` | string | ms by which all processes' clocks are ahead of the store's time, if so | nodes | 6 seconds |
| `kupa:schema` | string | schema number | schema | never |
"""

from __future__ import annotations

import hashlib
import re

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""24 letters without I and O, which look like digits."""
CODE_LETTERS = 5
ID_LETTERS = 10
"""Room, heat and player ids: ten letters."""
MAX_SEAT = 999
MAX_ROUND = 100_000
"""Of an arena, where every heat is a round of its own."""

DUE = "kupa:due"
UNPROJECTED = "kupa:unprojected"
FLAGS = "kupa:flags"
SCHEMA = "kupa:schema"
AHEAD = "kupa:ahead"
NODES = "kupa:node:*"
"""Pattern of all signs of life."""
TOURNAMENT_ROWS = "kupa:{tournaments}:rows"
TOURNAMENT_UNTIL = "kupa:{tournaments}:until"
LOBBY_ROWS = "kupa:{lobby}:rows"
LOBBY_UNTIL = "kupa:{lobby}:until"

_ID = re.compile(rf"[{ALPHABET}]{{{ID_LETTERS}}}")
_OWNER = re.compile(rf"(?:t:)?{_ID.pattern}")
_CODE = re.compile(rf"[{ALPHABET}]{{{CODE_LETTERS}}}")
_RULESET = re.compile(r"[A-Z0-9]{2,4}-[A-Z0-9]{2,4}")
_DAY = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")
_BOARD_NAME = re.compile(r"[a-z]\.[A-Z0-9a-z.-]{1,40}")
_NODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}")
_BOARD = re.compile(rf"kupa:\{{({_ID.pattern})\}}:b:({_ID.pattern}):(0|[1-9][0-9]{{0,2}})")


class BadKey(ValueError):
    """A part of a key does not have the form of an id; it was not used."""


def is_id(text: str) -> bool:
    """Whether `text` has the form of a room, heat or player id."""
    return _ID.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Whether `text` has the form of a five-letter room code (upper case)."""
    return _CODE.fullmatch(text) is not None


def _checked(pattern: re.Pattern[str], text: str, what: str) -> str:
    if pattern.fullmatch(text) is None:
        raise BadKey(f"not {what}")
    return text


def _id(text: str) -> str:
    return _checked(_ID, text, "an id")


def room_log(room: str) -> str:
    """List: the events of a room and its heats."""
    return f"kupa:{{{_id(room)}}}:log"


def board_log(room: str, heat: str, seat: int) -> str:
    """List: the entries of one seat's board."""
    if not 0 <= seat <= MAX_SEAT:
        raise BadKey("not a seat")
    return f"kupa:{{{_id(room)}}}:b:{_id(heat)}:{seat}"


def board_of(log: str) -> tuple[str, str, int]:
    """(room, heat, seat) of a board's log; BadKey when it is not one."""
    found = _BOARD.fullmatch(log)
    if found is None:
        raise BadKey("not a board's log")
    return found[1], found[2], int(found[3])


def meta(board: str) -> str:
    """Hash beside a board's log: epoch, state, final length. The scripts build the same name."""
    return board + ":m"


def deal(room: str, heat: str) -> str:
    """String: code and nonce of a heat's deal."""
    return f"kupa:{{{_id(room)}}}:deal:{_id(heat)}"


def progress(room: str) -> str:
    """Hash: the latest row of every seat."""
    return f"kupa:{{{_id(room)}}}:progress"


def kept(room: str) -> str:
    """String: the room's log does not expire."""
    return f"kupa:{{{_id(room)}}}:kept"


def addresses(room: str) -> str:
    """Hash: where the people of a room came from, only to be compared with each other."""
    return f"kupa:{{{_id(room)}}}:from"


def answers(heat_id: str) -> str:
    """Hash: who has raced against the recorded boards of a heat."""
    return f"kupa:{{ghost:{_id(heat_id)}}}:answers"


def heat(heat_id: str) -> str:
    """String: the room of a heat."""
    return f"kupa:heat:{_id(heat_id)}"


def bell(room: str) -> str:
    """Channel: something of this room changed."""
    return f"kupa:{{{_id(room)}}}:bell"


def code(letters: str) -> str:
    """String: the room behind a five-letter code."""
    return f"kupa:code:{_checked(_CODE, letters, 'a room code')}"


def seat(player: str) -> str:
    """String: the room this player is in."""
    return f"kupa:seat:{_id(player)}"


def match(ruleset: str) -> str:
    """Sorted set: rooms that wait for people who want this ruleset at once."""
    return f"kupa:match:{_checked(_RULESET, ruleset, 'a ruleset')}"


def turn(ruleset: str) -> str:
    """String: who looks for such a room now; nobody else does meanwhile."""
    return f"kupa:turn:{_checked(_RULESET, ruleset, 'a ruleset')}"


def pool(ruleset: str) -> str:
    """List: codes of certified deals, the oldest first."""
    return f"kupa:{{deals:{_checked(_RULESET, ruleset, 'a ruleset')}}}:codes"


def pool_solutions(ruleset: str) -> str:
    """Hash: the solution of each deal of the pool."""
    return f"kupa:{{deals:{_checked(_RULESET, ruleset, 'a ruleset')}}}:solutions"


def player(player_id: str) -> str:
    """Hash: an identity."""
    return f"kupa:player:{_id(player_id)}"


def solo(player_id: str) -> str:
    """Hash: the saved games of a player."""
    return f"kupa:solo:{_id(player_id)}"


def token_hash(token: str) -> str:
    """Hex SHA-256 of a device's secret; the secret itself is never stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def token(token_digest: str) -> str:
    """String: the player behind a token's hash."""
    return f"kupa:token:{token_digest}"


def link(letters: str) -> str:
    """String: the player behind a one-time device code; the code is stored as its hash."""
    return f"kupa:link:{hashlib.sha256(letters.encode()).hexdigest()}"


def node(node_id: str) -> str:
    """String: a server process that lives."""
    return f"kupa:node:{_checked(_NODE, node_id, 'a node id')}"


def due_member(owner: str, at_ms: int) -> str:
    """Member of `kupa:due`: one for each owner and instant, so that no deadline replaces another. The owner is a
    room's id, or what `due_tournament` makes of a tournament's."""
    return f"{_checked(_OWNER, owner, 'a room or tournament')}:{at_ms}"


def due_tournament(tournament: str) -> str:
    """A tournament as owner of a deadline: told from a room by its first letters."""
    return f"t:{_id(tournament)}"


# ---------------------------------------------------------------- tournaments


def tournament_log(tournament: str) -> str:
    """List: the events of a tournament."""
    return f"kupa:{{{_id(tournament)}}}:log"


def tournament_bell(tournament: str) -> str:
    """Channel: something of this tournament changed."""
    return f"kupa:{{{_id(tournament)}}}:bell"


def round_deal(tournament: str, number: int) -> str:
    """String: code and nonce of the deal that all heats of a round share."""
    if not 1 <= number <= MAX_ROUND:
        raise BadKey("not a round")
    return f"kupa:{{{_id(tournament)}}}:deal:{number}"


def hosts(tournament: str) -> str:
    """Hash: who may host a tournament, by the hash of their token."""
    return f"kupa:{{{_id(tournament)}}}:hosts"


def tournament_code(letters: str) -> str:
    """String: the tournament behind a five-letter code."""
    return f"kupa:tcode:{_checked(_CODE, letters, 'a tournament code')}"


# ---------------------------------------------------------------- dailies and leaderboards


def _daily(day: str, ruleset: str) -> str:
    return f"daily:{_checked(_DAY, day, 'a day')}:{_checked(_RULESET, ruleset, 'a ruleset')}"


def daily(day: str, ruleset: str) -> str:
    """String: the deal of a day, with its secrets."""
    return f"kupa:{_daily(day, ruleset)}"


def attempts(day: str, ruleset: str) -> str:
    """Hash: who has begun the day's deal."""
    return f"kupa:{{{_daily(day, ruleset)}}}:attempts"


def practice(day: str, ruleset: str) -> str:
    """Hash: who practises on the day's deal."""
    return f"kupa:{{{_daily(day, ruleset)}}}:practice"


def ranking(board: str) -> str:
    """Sorted set: the players of a leaderboard by their packed results."""
    return f"kupa:{{lb:{_checked(_BOARD_NAME, board, 'a leaderboard')}}}:z"


def ranking_rows(board: str) -> str:
    """Hash: what the leaderboard shows of each player."""
    return f"kupa:{{lb:{_checked(_BOARD_NAME, board, 'a leaderboard')}}}:h"


def removed(board: str) -> str:
    """Hash: why a player's row was taken off a leaderboard."""
    return f"kupa:{{lb:{_checked(_BOARD_NAME, board, 'a leaderboard')}}}:x"


def shadow(board: str) -> str:
    """Sorted set: rows that were taken off, by their packed results."""
    return removed(board) + "z"


def shadow_rows(board: str) -> str:
    """Hash: what would be shown of each row that was taken off."""
    return removed(board) + "h"


def removals(board: str) -> str:
    """List: what was taken off a leaderboard and put back."""
    return removed(board) + "l"


def history(player_id: str) -> str:
    """Sorted set: a player's results by time."""
    return f"kupa:{{history:{_id(player_id)}}}:z"


def history_counts(player_id: str) -> str:
    """Hash: how many results and wins a player has, and the best ones."""
    return f"kupa:{{history:{_id(player_id)}}}:n"


def history_days(player_id: str) -> str:
    """Hash: what each day of the dailies gave a player."""
    return f"kupa:{{history:{_id(player_id)}}}:d"


def _rating(ruleset: str) -> str:
    return f"kupa:{{rating:{_checked(_RULESET, ruleset, 'a ruleset')}}}"


def rating_log(ruleset: str) -> str:
    """List: what each rated heat did."""
    return f"{_rating(ruleset)}:log"


def rated_heats(ruleset: str) -> str:
    """Hash: where in the log a heat stands."""
    return f"{_rating(ruleset)}:heats"


def ratings(ruleset: str) -> str:
    """Hash: everybody's rating."""
    return f"{_rating(ruleset)}:now"


def rating_curve(ruleset: str, player_id: str) -> str:
    """List: a player's rating after each rated heat."""
    return f"{_rating(ruleset)}:of:{_id(player_id)}"


def attempt_member(day: str, ruleset: str, player_id: str) -> str:
    """Member of `kupa:unprojected`: a player's attempt at a daily deal."""
    return f"d:{_checked(_DAY, day, 'a day')}:{_checked(_RULESET, ruleset, 'a ruleset')}:{_id(player_id)}"


def heat_member(room: str, heat: str) -> str:
    """Member of `kupa:unprojected`: a heat of a room."""
    return f"h:{_id(room)}:{_id(heat)}"
