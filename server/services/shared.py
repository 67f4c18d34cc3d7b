"""What the rooms and tournaments of a process share."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.clock import Clock
from server.core.ids import NodeId
from server.net.handover import Place
from server.services.certifier import Certifier
from server.services.wheel import Wheel
from server.store.connect import Store
from server.store.schema import AS_DRAWN


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
    place: Place | None = None
    """Which of several workers this is."""
    wheel: Wheel = field(default_factory=Wheel)
    """Calls back who has something to say a little later."""

    @property
    def as_drawn(self) -> bool:
        """See `events.HeatDrawn`: whether all processes on the store know of it."""
        return self.store.schema >= AS_DRAWN

    def prefers(self, code: str) -> bool:
        """Whether the people of a room with this code will come to this process, as far as it may choose."""
        return self.place is None or self.place.has(code)
