"""Newcomers come in a few at a time and in order; those who are in do not wait for them."""

from __future__ import annotations

import asyncio

from server.net.connection import Connection
from server.net.gate import Phase
from server.net.pacer import PER_TURN, Pacer
from server.wire.messages import Ready
from tests.server.net.fakes import OpenGate, Transport, connected, turn
from tests.server.net.raw import command, handshake


class Someone:
    def __init__(self, order: list[int], number: int) -> None:
        self.order, self.number = order, number

    def admitted(self) -> None:
        self.order.append(self.number)


async def test_so_many_in_a_turn_and_the_others_in_order_after_them() -> None:
    pacer, order = Pacer(asyncio.get_running_loop()), list[int]()
    for number in range(3 * PER_TURN):
        if pacer.admits(Someone(order, number)):
            order.append(number)
    assert order == list(range(PER_TURN))
    assert not pacer.admits(Someone(order, 3 * PER_TURN))  # nobody overtakes who waits
    for _ in range(3):
        await turn()
    assert order == list(range(3 * PER_TURN + 1))


async def test_a_new_turn_has_time_again() -> None:
    pacer = Pacer(asyncio.get_running_loop())
    for _ in range(3):
        assert all(pacer.admits(Someone([], 0)) for _ in range(PER_TURN))
        await turn()
        await turn()


async def test_requests_that_wait_are_answered_later_and_frames_meanwhile_at_once() -> None:
    gate = OpenGate()
    inside, _ = connected(gate)
    await turn()
    await turn()
    newcomers = []
    for _ in range(PER_TURN + 5):
        connection, transport = Connection(gate), Transport()
        connection.connection_made(transport)
        connection.data_received(handshake(1)[:40])
        newcomers.append((connection, transport))
    assert [transport.reading for _, transport in newcomers] == [True] * PER_TURN + [False] * 5
    inside.data_received(command(Ready(2, True)))
    assert gate.service.sessions[0].commands[-1][0] == Ready(2, True)
    await turn()
    assert all(transport.reading for _, transport in newcomers)
    for connection, _ in newcomers:
        connection.data_received(handshake(1)[40:])
    for _ in range(3):
        await turn()
    assert [connection.phase for connection, _ in newcomers] == [Phase.OPEN] * len(newcomers)


async def test_who_leaves_while_it_waits_is_forgotten() -> None:
    gate = OpenGate()
    for _ in range(PER_TURN):
        connected(gate, greet=False)
    connection, transport = Connection(gate), Transport()
    connection.connection_made(transport)
    connection.data_received(handshake(1))
    connection.connection_lost(None)
    await turn()
    await turn()
    assert connection.phase is Phase.GONE
    assert transport.writes == []
