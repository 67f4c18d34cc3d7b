"""What the rooms and tournaments of a process share."""

from __future__ import annotations

from dataclasses import dataclass

from server.clock import Clock
from server.core.ids import NodeId
from server.services.certifier import Certifier
from server.store.connect import Store


@dataclass(frozen=True, slots=True)
class Shared:
    """The store, the time, and who this process is."""

    store: Store
    clock: Clock
    node: NodeId
    keep_s: int
    """How long boards and deals of unranked heats are kept; 0: for ever."""
    certifier: Certifier
    """Who has certified deals."""
