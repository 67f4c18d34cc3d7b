"""The number of the store's schema: who may use it, and how it is raised (reliability 2.9).

What lives here: settling it when a store is opened, and finishing a migration. What does not: the steps' contents
(`STEPS`: what each raise changes in the store) and printing (server.migrating).

A server that knows schema N + 1 reads N and N + 1. It goes on writing what the store says, N, so that servers of the
older kind may still share the store, until an operator finishes the migration; from then on the older ones refuse
to start. Each process says with its sign of life what it knows (nodes), so that nobody is locked out who still runs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from server.store import keys
from server.store.errors import StoreUnusable
from server.store.guard import guarded
from server.store.topology import Client

KNOWN = 2
"""The newest schema that this server knows; it reads KNOWN − 1 as well."""
AS_DRAWN = 2
"""From this one on, times of entries count from the gun as it was drawn (`events.HeatDrawn.as_drawn`)."""
STEPS: Mapping[int, Callable[[Client], Awaitable[None]]] = {}
"""What is done to the store to raise it to a number; safe to repeat. None: nothing but the number changes."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a store stands."""

    stored: int
    known: int
    nodes: dict[str, int]
    """Server processes that live, and the newest schema each of them knows."""

    @property
    def finished(self) -> bool:
        """The store has the newest schema that this server knows."""
        return self.stored == self.known

    @property
    def behind(self) -> list[str]:
        """Living processes that do not know the newest schema."""
        return sorted(node for node, known in self.nodes.items() if known < self.known)


async def settle(client: Client, known: int = KNOWN) -> int:
    """The number that is written from now on. An empty store gets the newest. StoreUnusable when it is not ours."""
    found = await client.execute_command("SET", keys.SCHEMA, known, "NX", "GET", get=True)
    number = int(found) if found is not None else known
    if number > known:
        raise StoreUnusable(
            f"the store was written by a newer server (schema {number}, this one knows {known}); update this server"
        )
    if number < known - 1:
        raise StoreUnusable(f"the store has schema {number}; update step by step: this server reads {known - 1}")
    return number


@guarded
async def state(client: Client, known: int = KNOWN) -> State:
    """Where the store stands. Raises StoreAway."""
    nodes = {}
    async for key in client.scan_iter(match=keys.NODES, count=1_000):
        value = await client.execute_command("GET", key)
        if value is not None:
            nodes[key.decode().rpartition(":")[2]] = int(value)
    return State(int(await client.execute_command("GET", keys.SCHEMA) or known), known, nodes)


@guarded
async def finish(client: Client, known: int = KNOWN) -> State:
    """Raise the store to the newest schema. StoreUnusable while a process lives that does not know it; StoreAway."""
    found = await state(client, known)
    if found.behind:
        raise StoreUnusable(
            f"{len(found.behind)} server processes know only an older schema ({', '.join(found.behind)}); update them"
        )
    for number in range(found.stored + 1, known + 1):
        if number in STEPS:
            await STEPS[number](client)
        await client.execute_command("SET", keys.SCHEMA, number)
    return await state(client, known)
