"""What the client says, looked up by key, and understood again.

What lives here: texts of `lang/*.json` with their places filled, as patterns, and the names of cards. What
does not: where a text stands on a page.
"""

from __future__ import annotations

import json
import re
from functools import cache

from engine.cards import Card
from tests.e2e.servers import ROOT

SUITS = "SHDC"
HOLE = re.compile(r"\\\{(\w+)\\\}")


class Words:
    """The words of one language."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        path = ROOT / "client_web" / "lang" / f"{tag}.json"
        self._entries: dict[str, str | dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
        self.cards = {self._card(card): Card(card) for card in range(52)}
        """Every card by its name."""

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key`; of plurals that of `other`, or of `one` when n=1 is given."""
        entry = self._entries[key]
        if not isinstance(entry, str):
            entry = entry.get("one", entry["other"]) if values.get("n") == 1 else entry["other"]
        for name, value in values.items():
            entry = entry.replace(f"{{{name}}}", str(value))
        return entry

    def _card(self, card: int) -> str:
        suit, rank = divmod(card, 13)
        return self("card.name", rank=self(f"rankof.{rank + 1}"), suit=self(f"suit.{SUITS[suit]}"))

    def card(self, card: Card) -> str:
        """The name of a card."""
        return self._card(int(card))

    @cache  # noqa: B019 - there is one of each language, for as long as the tests run
    def pattern(self, key: str) -> re.Pattern[str]:
        """What a text of `key` looks like, its places as groups."""
        entry = self._entries[key]
        forms = [entry] if isinstance(entry, str) else list(dict.fromkeys(entry.values()))
        parts = []
        for number, form in enumerate(forms):
            suffix = f"_{number}" if number else ""
            parts.append(HOLE.sub(lambda hole, suffix=suffix: f"(?P<{hole[1]}{suffix}>.+?)", re.escape(form)))  # type: ignore[misc]
        return re.compile("|".join(f"(?:{part})" for part in parts))

    def read(self, key: str, text: str) -> dict[str, str] | None:
        """What stands in the places of `key` in this text; None when it is not such a text."""
        found = self.pattern(key).fullmatch(text)
        if found is None:
            return None
        return {name.split("_")[0]: value for name, value in found.groupdict().items() if value is not None}


@cache
def words(tag: str = "en") -> Words:
    """The words of a language."""
    return Words(tag)
