"""The table as somebody meets it who cannot see it: by the names of its piles and cards.

What lives here: reading a table into the engine's `View`, and playing on it by tap, drag, finger and
keyboard. What does not: pages (people), which moves are good (bots).

    seen = await table.read()               a View, as far as names tell: waste cards beneath the top are HIDDEN
    await table.play(move, "drag", seen)    by "drag", "finger" or "keys"; "tap" where the game finds the place itself
    await table.shows(view)                 waits until the table shows this view
    table.name(view, pile), .source(view, move), .target(view, move)    names; .tap, .drag, .pick take them
"""

from __future__ import annotations

from typing import Literal

from playwright.async_api import Locator, Page

from engine.cards import HIDDEN, Card
from engine.moves import COLUMN0, FOUNDATIONS, SLOT0, STOCK, WASTE, Kind, Move
from engine.ruleset import RULESETS, Ruleset
from engine.view import View
from server.core import bots
from tests.e2e.words import SUITS, Words, words

How = Literal["tap", "drag", "finger", "keys"]
READ = """(board) => [...board.querySelectorAll('[role=button]')].map((node) => node.getAttribute('aria-label'))"""
READ_SETTLED = """async (board, unknown) => {
  const read = () => [...board.querySelectorAll('[role=button]')].map((node) => node.getAttribute('aria-label'));
  const until = performance.now() + 10000;
  for (let names = read(); performance.now() < until; names = read()) {
    if (names.length && !names.some((name) => name.includes(unknown))) return names;
    await new Promise(requestAnimationFrame);
  }
  throw new Error('the table does not settle: ' + read().join('; '));
}"""
SHOWS = """async (board, wanted) => {
  const read = () => [...board.querySelectorAll('[role=button]')].map((node) => node.getAttribute('aria-label'));
  const until = performance.now() + 10000;
  while (performance.now() < until) {
    if (JSON.stringify(read()) === JSON.stringify(wanted)) return null;
    await new Promise(requestAnimationFrame);
  }
  return read();
}"""
"""Waits until these are the names; else returns what they are instead."""
SPOTS = """(board, names) => {
  const all = [...board.querySelectorAll('[role=button]')];
  return names.map((name) => {
    const place = all.find((node) => node.getAttribute('aria-label') === name);
    if (!place) throw new Error(`nothing is called ${name}`);
    const { x, y, width, height } = place.getBoundingClientRect();
    return [x + width / 2, y + Math.min(height / 2, Math.max(3, height * 0.07))];
  });
}"""
"""The middle of the upper edge of places: what lies on them leaves that free."""
STILL = """(board) => Promise.all(board.getAnimations({ subtree: true })
  .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
  .map(({ finished }) => finished.catch(() => null)))"""


class Table:
    """The table of a page, for one game."""

    def __init__(self, page: Page, ruleset: str = "DS1-D1N", say: Words | None = None) -> None:
        self.page = page
        self.ruleset: Ruleset = RULESETS[ruleset]
        self.say = say or words()
        self.board = page.get_by_role("application", name=self.say("table.name"))
        self._memory = bots.Memory(0)

    # ------------------------------------------------------------ reading

    async def names(self) -> list[str]:
        """Of everything on the table that can be pressed, in order: stock, waste, columns, foundations."""
        return list(await self.board.evaluate(READ))

    async def read(self) -> View:
        """What stands there once no card is being turned."""
        return self.understand(list(await self.board.evaluate(READ_SETTLED, self.say("card.unknown"))))

    def understand(self, names: list[str]) -> View:
        """The view behind the names; ply, moves, score and undo are not told by them."""
        stock, waste, *others = names
        columns: list[tuple[int, list[Card]]] = [(0, []) for _ in range(self.ruleset.columns)]
        heights = bytearray(4 * self.ruleset.decks)
        for name in others:
            if not self._column(name, columns):
                self._slot(name, heights)
        left = self.ruleset.cards - self._stock(stock) - sum(heights) - sum(down + len(up) for down, up in columns)
        top = self.say.read("pile.waste", waste)
        beneath = [Card(HIDDEN)] * (left - 1) + [self.say.cards[top["card"]]] if top else []
        assert len(beneath) == left, names
        shown = tuple((down, bytes(up)) for down, up in columns)
        return View(0, 0, 0, self._stock(stock), bytes(beneath), bytes(heights), shown, 0, "")

    def _stock(self, name: str) -> int:
        found = self.say.read("pile.stock", name)
        return int(found["n"]) if found else 0

    def _column(self, name: str, columns: list[tuple[int, list[Card]]]) -> bool:
        for kind in ("pile.column.empty", "pile.column.run", "pile.column.down", "pile.column"):
            found = self.say.read(kind, name)
            if found is None or not found["column"].isdigit():
                continue
            at = int(found["column"]) - 1
            if "card" in found:
                down = int(found["n"]) if kind == "pile.column.down" else 0
                columns[at] = (down, [*columns[at][1], self.say.cards[found["card"]]])
            return True
        return False

    def _slot(self, name: str, heights: bytearray) -> None:
        single = ".single" if self.ruleset.decks == 1 else ""
        empty = self.say.read(f"pile.foundation{single}.empty", name)
        found = empty or self.say.read(f"pile.foundation{single}", name)
        assert found is not None, f"no name of a pile: {name}"
        suit = [self.say(f"suit.{suit}") for suit in SUITS].index(found["suit"])
        ranks = [self.say(f"rank.{rank}") for rank in range(1, 14)]
        at = suit * self.ruleset.decks + int(found.get("slot", 1)) - 1
        heights[at] = 0 if empty else ranks.index(found["rank"]) + 1

    async def shows(self, view: View) -> None:
        """Wait until the table shows this view."""
        instead = await self.board.evaluate(SHOWS, self.all_names(view))
        assert instead is None, f"the table shows\n{self.understand(instead)}\nand not\n{view}"

    async def dealt(self, within_s: float = 15.0) -> View:
        """Wait for the gun: the cards lie there."""
        await self.board.get_by_role("button").first.wait_for(timeout=within_s * 1000)
        return await self.read()

    async def still(self) -> None:
        """Wait until nothing moves any more."""
        await self.board.evaluate(STILL)

    # ------------------------------------------------------------ places

    def place(self, view: View, pile: int, index: int = -1) -> Locator:
        """What can be pressed at a pile; `index` of a column's open card, −1: the last one."""
        return self.board.get_by_role("button", name=self.name(view, pile, index), exact=True)

    def all_names(self, view: View) -> list[str]:
        """The names of everything that can be pressed on a table with this view, in order."""
        names = [self.name(view, STOCK), self.name(view, WASTE)]
        for pile, (_, up) in enumerate(view.columns, COLUMN0):
            names += [self.name(view, pile, index) for index in range(max(1, len(up)))]
        return names + [self.name(view, SLOT0 + slot) for slot in range(len(view.foundations))]

    def name(self, view: View, pile: int, index: int = -1) -> str:
        """How a place of this view is called."""
        say = self.say
        if pile == STOCK:
            again = "recycle" if view.waste and "V" not in self.ruleset.id else "empty"
            return say("pile.stock", n=view.stock) if view.stock else say(f"pile.stock.{again}")
        if pile == WASTE:
            return say("pile.waste", card=say.card(Card(view.waste[-1]))) if view.waste else say("pile.waste.empty")
        if pile < COLUMN0:
            return self._slot_name(view, pile - SLOT0)
        down, up = view.columns[pile - COLUMN0]
        column = pile - COLUMN0 + 1
        if not up:
            return say("pile.column.empty", column=column)
        card = say.card(Card(up[index]))
        if index != -1 and index < len(up) - 1:
            return say("pile.column.run", column=column, card=card, n=len(up) - index)
        if down:
            return say("pile.column.down", column=column, card=card, n=down)
        return say("pile.column", column=column, card=card)

    def _slot_name(self, view: View, slot: int) -> str:
        decks, height = self.ruleset.decks, view.foundations[slot]
        key = f"pile.foundation{'' if decks == 2 else '.single'}{'' if height else '.empty'}"
        rank = self.say(f"rank.{height}") if height else ""
        return self.say(key, suit=self.say(f"suit.{SUITS[slot // decks]}"), slot=slot % decks + 1, rank=rank)

    def source(self, view: View, move: Move) -> str:
        """The name of the first card of those that a move takes."""
        if move.source < COLUMN0:
            return self.name(view, move.source)
        return self.name(view, move.source, len(view.columns[move.source - COLUMN0][1]) - move.count)

    def target(self, view: View, move: Move) -> str:
        """The name of where a move leads; of the foundations a slot of its suit."""
        if move.target != FOUNDATIONS:
            return self.name(view, move.target)
        card = view.waste[-1] if move.source == WASTE else view.columns[move.source - COLUMN0][1][-1]
        return self.name(view, SLOT0 + card // 13 * self.ruleset.decks)

    def at(self, name: str) -> Locator:
        """The place of this name."""
        return self.board.get_by_role("button", name=name, exact=True)

    async def spots(self, *names: str) -> list[tuple[float, float]]:
        """Where to press places of these names."""
        return [(x, y) for x, y in await self.board.evaluate(SPOTS, list(names))]

    # ------------------------------------------------------------ playing

    async def think(self, view: View | None = None) -> Move | None:
        """What a sensible player would do, from what can be seen."""
        turn = bots.next_move(view or await self.read(), self.ruleset, 3, self._memory)
        self._memory = turn.memory
        return turn.move

    async def play(self, move: Move, how: How, view: View | None = None) -> None:
        """One move by a gesture; "tap" only where a tap means this move."""
        view = view or await self.read()
        if move.kind != Kind.TRANSFER and how == "keys":
            await self.page.keyboard.press("Space")
        elif move.kind != Kind.TRANSFER:
            await self.tap(self.name(view, STOCK), finger=how == "finger")
        elif how == "tap":
            await self.tap(self.source(view, move))
        elif how == "keys":
            await self.pick(self.source(view, move), self.target(view, move))
        else:
            await self.drag(self.source(view, move), self.target(view, move), finger=how == "finger")

    async def tap(self, name: str, *, finger: bool = False) -> None:
        """Press a place where it is not covered."""
        [(x, y)] = await self.spots(name)
        await (self.page.touchscreen.tap(x, y) if finger else self.page.mouse.click(x, y))

    async def double_tap(self, name: str) -> None:
        """Press a place twice at once."""
        [(x, y)] = await self.spots(name)
        await self.page.mouse.dblclick(x, y)

    async def pick(self, source: str, target: str) -> None:
        """Shift and Enter on the card, Enter on its target."""
        await self.at(source).focus()
        await self.page.keyboard.press("Shift+Enter")
        await self.at(target).focus()
        await self.page.keyboard.press("Enter")

    async def drag(self, source: str, target: str, *, finger: bool = False) -> None:
        """Carry a card, with all that lies on it, from its place to another."""
        start, end = await self.spots(source, target)
        if finger:
            await swipe(self.page, start, end)
            return
        mouse = self.page.mouse
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(*end, steps=2)
        await mouse.up()

    async def walk_to(self, view: View, pile: int, index: int = -1) -> None:
        """By arrow keys alone to a place; `index` of a column's open card, −1: the last one."""
        piles = [STOCK, WASTE, *range(COLUMN0, COLUMN0 + self.ruleset.columns)]
        piles += range(SLOT0, SLOT0 + 4 * self.ruleset.decks)
        await self.page.keyboard.press("Home")
        for _ in range(piles.index(pile)):
            await self.page.keyboard.press("ArrowRight")
        up = len(view.columns[pile - COLUMN0][1]) - 1 - index if pile >= COLUMN0 and index >= 0 else 0
        for _ in range(up):
            await self.page.keyboard.press("ArrowUp")


async def swipe(page: Page, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
    """A finger goes from one point to another."""
    session = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    await touch("touchStart", start)
    for step in range(1, steps + 1):
        part = step / steps
        await touch("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
    await touch("touchEnd")
    await session.detach()
