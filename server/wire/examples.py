"""One telling example of each message: PROTOCOL.md shows it with its bytes.

What lives here: values, nothing else. Values at the limits are the business of tests/golden.
"""

from __future__ import annotations

from server.wire import messages as m

_GUN_MS = 1_785_153_600_000
_HEAT = "KMPQRTVWXY"
_TOKEN = "r3mA9x-2Qe0fJb6Yw1cZt8uKh5sLd4vNoPg7iTjXyWk"
_COMMITMENT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_OPTIONS = m.RoomOptions(minutes=10, seats=2, public=True)
_VIEW = m.BoardView(
    ply=3,
    score=10,
    moves=3,
    stock=58,
    waste=bytes((17,)),
    foundations=bytes((1, 0, 0, 0, 0, 0, 0, 0)),
    columns=[(index, bytes((card,))) for index, card in enumerate((12, 24, 3, 40, 51, 8, 30, 19, 45))],
    undoable=3,
    ended="",
)

COMMAND_EXAMPLES: tuple[m.Command, ...] = (
    m.Hello(n=1, proto=1, token="", name="Ada", lang="en"),
    m.Ping(sent_ms=_GUN_MS),
    m.Play(ply=3, kind=3, source=20, target=28, count=2),
    m.Rename(n=2, name="Grace"),
    m.LinkDevice(n=3),
    m.UseDeviceCode(n=4, code="K7QM-4XRT"),
    m.RevokeDevices(n=5),
    m.CreateRoom(n=6, options=_OPTIONS, bots=[1, 3], ready=True),
    m.EnterRoom(n=7, code="KMPQR", watch=False),
    m.LeaveRoom(n=8),
    m.Ready(n=9, ready=True),
    m.StartHeat(n=10),
    m.AddBot(n=11, level=2),
    m.RemoveSeat(n=12, seat=1),
    m.LockRoom(n=13, locked=True),
    m.HandOver(n=14, seat=1),
    m.SetOptions(n=15, options=_OPTIONS),
    m.React(n=16, reaction=4),
    m.SitDown(n=17),
    m.StandUp(n=18),
    m.ListRooms(n=19),
    m.QuickMatch(n=20, ruleset="DS1-D1N"),
    m.Resync(n=21),
    m.OpenSolo(n=22, ruleset="SS1-D3N", code="", fresh=False),
    m.ListSolo(n=23),
    m.OpenDaily(n=24, ruleset="DS1-D1N", date="", practice=False, fresh=False),
)

EVENT_EXAMPLES: tuple[m.Event, ...] = (
    m.Welcome(n=1, player="p7Qm4Xr", tag="4F2A", name="Ada", token=_TOKEN, server_ms=_GUN_MS, room=""),
    m.Pong(sent_ms=_GUN_MS, server_ms=_GUN_MS + 21),
    m.Done(n=2),
    m.Refused(n=7, code="noroom"),
    m.Moved(ply=3, score=15, turned=bytes((38,))),
    m.Denied(ply=4, code="no_fit"),
    m.Restored(ply=4, view=_VIEW),
    m.Dealt(heat=_HEAT, seat=0, view=_VIEW),
    m.Progress(rows=[0, 12, 145, 40, 0, 1, 9, 110, 38, 0]),
    m.Entered(n=7, code="KMPQR", seat=1),
    m.RoomInfo(
        code="KMPQR",
        options=_OPTIONS,
        phase="open",
        host=0,
        locked=False,
        watchers=2,
        deal=1,
        decided=False,
        startable_ms=0,
    ),
    m.SeatRow(seat=1, player="p9Lk2Wz", name="Grace", tag="07C1", bot=0, ready=True, present=True, you=False, wins=1),
    m.SeatFreed(seat=1),
    m.HeatInfo(
        heat=_HEAT,
        number=1,
        commitment=_COMMITMENT,
        gun_ms=_GUN_MS,
        deadline_ms=_GUN_MS + 600_000,
        seats=[0, 1],
    ),
    m.BoardEnded(seat=0, ended="won", elapsed_ms=187_450, place=1),
    m.HeatResult(
        heat=_HEAT,
        number=1,
        rows=[
            m.ResultRow(0, 1, "won", 104, 830, 211, 187_450, "first", 1, "Ada", 5, 2),
            m.ResultRow(1, 2, "time_up", 77, 610, 240, 598_020, "out", 0, "Grace"),
        ],
        code="DS1-D1N-KMPQRTVWXYABCD",
        nonce="00112233445566778899aabbccddeeff",
        commitment=_COMMITMENT,
    ),
    m.Reacted(seat=1, reaction=4),
    m.Superseded(),
    m.Rooms(n=19, rows=[m.RoomRow("KMPQR", "Ada", "DS1-D1N", "first", 10, 2, 1, 1, False)]),
    m.DeviceCode(n=3, code="K7QM-4XRT", expires_ms=_GUN_MS + 300_000),
    m.LeftRoom(reason="left"),
    m.Goodbye(retry_ms=2500),
    m.SoloGame(n=22, ruleset="DS1-D1N", code="DS1-D1N-AAAAAAB", elapsed_ms=61_000, view=_VIEW),
    m.SoloGames(n=23, rows=[m.SoloRow("DS1-D1N", "DS1-D1N-AAAAAAB", 12, 140, 61, "")]),
    m.DailyGame(
        n=24,
        date="2026-07-27",
        ruleset="DS1-D1N",
        practice=False,
        id=_HEAT,
        commitment=_COMMITMENT,
        certified=True,
        gun_ms=_GUN_MS,
        elapsed_ms=0,
        final_ms=_GUN_MS + 50_400_000,
        view=_VIEW,
    ),
    m.DailyResult(
        date="2026-07-27",
        ruleset="DS1-D1N",
        ended="won",
        out=104,
        score=1385,
        moves=268,
        elapsed_ms=412_730,
        at_ms=412_730,
        score_place=12,
        score_players=340,
        time_place=31,
        time_players=322,
        percentile=96,
        streak=7,
        best_streak=23,
    ),
    m.RatingChanged(
        heat=_HEAT,
        rows=[m.RatingRow(0, 1581, 81, 354, 2), m.RatingRow(1, 1419, -81, 354, 2)],
    ),
)
