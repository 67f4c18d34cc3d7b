"""How fast one connection may speak (ruling 27): moves wait, other commands are refused."""

from __future__ import annotations

from server.core.limits import Rate
from server.net.settings import ConnectionLimits
from server.net.throttle import Throttle, Verdict
from server.wire.messages import Ping, Play, React, Ready

AT = 1_700_000_000_000
MOVE = Play(0, 1, 0, 0, 0)


def test_thirty_moves_pass_at_once_and_then_one_every_tenth_of_a_second() -> None:
    throttle = Throttle(ConnectionLimits())
    assert [throttle.judge(MOVE, AT) for _ in range(31)] == [Verdict.PASS] * 30 + [Verdict.WAIT]
    assert throttle.wait_ms(AT) == 100
    assert throttle.judge(MOVE, AT + 99) is Verdict.WAIT
    assert throttle.judge(MOVE, AT + 100) is Verdict.PASS


def test_a_move_that_waits_costs_nothing() -> None:
    throttle = Throttle(ConnectionLimits())
    for _ in range(1000):
        throttle.judge(MOVE, AT)
    assert throttle.judge(MOVE, AT + 100) is Verdict.PASS


def test_sixty_commands_pass_at_once_and_the_next_is_refused() -> None:
    throttle = Throttle(ConnectionLimits())
    verdicts = [throttle.judge(Ready(n, True), AT) for n in range(61)]
    assert verdicts == [Verdict.PASS] * 60 + [Verdict.SLOW]
    assert throttle.judge(Ping(1), AT + 49) is Verdict.SLOW
    assert throttle.judge(Ping(1), AT + 50) is Verdict.PASS


def test_moves_wait_for_the_rate_of_all_commands_too() -> None:
    throttle = Throttle(ConnectionLimits())
    for n in range(60):
        throttle.judge(Ready(n, True), AT)
    assert throttle.judge(MOVE, AT) is Verdict.WAIT
    assert throttle.wait_ms(AT) == 50
    assert throttle.judge(MOVE, AT + 50) is Verdict.PASS


def test_three_reactions_pass_and_then_one_in_two_seconds() -> None:
    throttle = Throttle(ConnectionLimits())
    assert [throttle.judge(React(n, 1), AT) for n in range(4)] == [Verdict.PASS] * 3 + [Verdict.SLOW]
    assert throttle.judge(React(5, 1), AT + 1999) is Verdict.SLOW
    assert throttle.judge(React(5, 1), AT + 2000) is Verdict.PASS


def test_bytes_and_refusals_have_rates_of_their_own() -> None:
    throttle = Throttle(ConnectionLimits(bytes=Rate(1000, 2000), refusals=Rate(1, 2)))
    assert throttle.bytes.take(AT, 2000)
    assert not throttle.bytes.take(AT, 1)
    assert throttle.bytes.take(AT + 1000, 1000)
    assert [throttle.may_refuse(AT) for _ in range(3)] == [True, True, False]
