"""`kupa migrate`: where the store's schema stands, and raising it once all servers are updated.

What lives here: opening the store for it, and its words. What does not: what a schema is (store.schema).
"""

from __future__ import annotations

from server.app import store_of
from server.config import Config
from server.plural import number_of
from server.store import schema
from server.store.schema import State


async def migrate(config: Config, *, finish: bool) -> State:
    """The state, after finishing if asked. Raises CannotStart, StoreUnusable, StoreAway."""
    async with store_of(config) as store:
        return await (schema.finish(store.client) if finish else schema.state(store.client))


def as_text(found: State) -> list[str]:
    """For people."""
    lines = [f"the store has schema {found.stored}, this server knows {found.known}"]
    lines.append(number_of(len(found.nodes), "server process lives", "server processes live"))
    if found.finished:
        lines.append("nothing is to be done")
    elif found.behind:
        lines.append(f"update these first: {', '.join(found.behind)}")
    else:
        lines.append("`kupa migrate --finish` raises it; servers of the older version then start no more")
    return lines
