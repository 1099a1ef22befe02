"""The judge of the fleet finds every kind of fault; otherwise its approval would mean nothing."""

import asyncio
import signal
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from data.material import load_material
from engine.chance import Chance
from engine.contract import ClockShift, Moment, Seat, to_json
from engine.games.rope_wall import GAME, Push, RopeWallOptions
from sandbox import Violation
from tools.fleet import judge
from tools.fleet.database import Decided
from tools.fleet.parties import Click, Edit, Gain
from tools.fleet.processes import Process

PUSH = Push(3, "left")
ANN, BEN = Seat(0), Seat(1)
CLICK = Click("2", 1, ANN, PUSH, 5, 1_000, 1_100, "taken", "bot-1")
KEPT = Decided(5, ANN, 1_050, PUSH)


def process(name: str, ended_ms: int | None = None, log: Path = Path("/dev/null"), code: int | None = None) -> Process:
    """Return a fake process with a name, an end, a log and an exit code."""
    made = Process.__new__(Process)
    made._running = cast(asyncio.subprocess.Process, SimpleNamespace(returncode=code))
    made.name, made.ended_ms, made.woke_ms, made.log = name, ended_ms, None, log
    return made


@pytest.mark.parametrize(
    ("clicks", "decided", "wrong"),
    [
        ([CLICK], [KEPT], ""),
        ([CLICK], [], "is not kept"),
        ([CLICK], [KEPT, replace(KEPT, number=7)], "nobody was told so"),
        ([CLICK], [replace(KEPT, number=4)], "is not kept"),
        ([CLICK], [replace(KEPT, seat=BEN)], "is not kept"),
        ([CLICK], [replace(KEPT, action=Push(3, "right"))], "is not kept"),
        ([replace(CLICK, fate="lost")], [], ""),
        ([replace(CLICK, fate="lost")], [KEPT], ""),
        ([replace(CLICK, fate="lost")], [KEPT, replace(KEPT, number=7)], "nobody was told so"),
        ([replace(CLICK, fate="late")], [KEPT], ""),
        ([replace(CLICK, fate="late")], [], ""),
        ([replace(CLICK, fate="refused")], [KEPT], "nobody was told so"),
        ([replace(CLICK, fate="lost"), CLICK], [KEPT], ""),
        ([CLICK, replace(CLICK, version=7)], [KEPT, replace(KEPT, number=7)], ""),
        ([CLICK, replace(CLICK, version=7)], [KEPT], "is not kept"),
    ],
)
def test_what_people_saw_is_compared_with_what_is_stored(
    clicks: list[Click], decided: list[Decided], wrong: str
) -> None:
    found = list(judge.unmatched(clicks, decided, 1))
    assert bool(found) == bool(wrong)
    assert wrong in "".join(found[:1])


@pytest.mark.parametrize(
    ("names", "ended", "wrong"),
    [
        ("aabb", {}, False),
        ("abab", {}, True),
        ("aba", {"b": 2}, False),
        ("aba", {"b": 4}, True),
        ("abca", {"b": 2, "c": 3}, False),
        ("abca", {"b": 2}, True),
    ],
)
def test_two_processes_that_change_a_table_by_turns_are_seen(names: str, ended: dict[str, int], wrong: bool) -> None:
    edits = [Edit(1_000 * at, name, "Alcatraz", "yard") for at, name in enumerate(names, 1)]
    others = [Edit(9_000, "z", "Alcatraz", "hall"), Edit(10_000, "a", "Alcatraz", "hall")]
    those = [process(name, ended.get(name, 99) * 1_000) for name in sorted(set(names))]
    assert bool([*judge.wrong_with_edits([*edits, *others], [], those)]) is wrong


@pytest.mark.parametrize(
    ("gain", "wrong"),
    [
        (Gain(2_900, "a", "Alcatraz"), False),
        (Gain(3_500, "a", "Alcatraz"), False),
        (Gain(3_501, "a", "Alcatraz"), True),
        (Gain(1_500, "a", "Alcatraz"), False),
        (Gain(1_499, "a", "Alcatraz"), True),
        (Gain(2_900, "b", "Alcatraz"), True),
        (Gain(2_900, "a", "Rikers"), True),
    ],
)
def test_a_process_to_which_a_server_came_back_may_change_its_tables_again(gain: Gain, wrong: bool) -> None:
    edits = [Edit(1_000 * at, name, "Alcatraz", "yard") for at, name in enumerate("aba", 1)]
    assert bool([*judge.wrong_with_edits(edits, [gain], [process("a"), process("b")])]) is wrong


@pytest.mark.parametrize(
    ("later_ms", "answers", "wrong"), [(0, True, False), (10_000, True, False), (10_001, True, True), (0, False, True)]
)
def test_what_came_in_before_a_server_went_to_another_process_may_still_be_answered(
    later_ms: int, answers: bool, wrong: bool
) -> None:
    edits = [
        Edit(1_000, "a", "Alcatraz", "yard"),
        Edit(2_000, "b", "Alcatraz", "yard"),
        Edit(2_000 + later_ms, "a", "Alcatraz", "yard", answers),
    ]
    gains = [Gain(2_000, "b", "Alcatraz"), Gain(500, "a", "Alcatraz"), Gain(1_900, "a", "Rikers")]
    assert bool([*judge.wrong_with_edits(edits, gains, [process("a"), process("b")])]) is wrong


@pytest.mark.parametrize(
    ("woke_ms", "wrong"), [(None, True), (2_500, False), (3_000, False), (3_001, True), (-2_501, True)]
)
def test_a_process_that_was_suspended_may_send_what_was_under_way(woke_ms: int | None, wrong: bool) -> None:
    edits = [Edit(1_000 * at, name, "Alcatraz", "yard") for at, name in enumerate("aba", 1)]
    sleeper = process("a")
    sleeper.woke_ms = woke_ms
    assert bool([*judge.wrong_with_edits(edits, [], [sleeper, process("b")])]) is wrong


def test_a_rule_that_was_broken_is_seen_and_lateness_is_not() -> None:
    late = (
        Violation("/tables", "interaction not acknowledged within 3 s"),
        Violation("/tables", "was answered after 4 s"),
    )
    assert judge.wrong_with_rules(late, []) == []
    assert judge.wrong_with_rules([*late, Violation("/tables", "was answered a second time")], []) == [
        "/tables: was answered a second time"
    ]


def test_only_a_killed_process_may_leave_somebody_without_an_answer() -> None:
    processes = [process("bot-1", code=-signal.SIGKILL), process("bot-2", code=0), process("bot-11")]
    left = [Violation("/tables", f"left thinking by bot-{n} until its token was too old") for n in (1, 2, 11)]
    assert judge.wrong_with_rules(left, processes) == [str(one) for one in left[1:]]


def test_a_traceback_in_a_log_is_seen(tmp_path: Path) -> None:
    quiet, loud = tmp_path / "quiet", tmp_path / "loud"
    quiet.write_text("connected\n")
    loud.write_text("connected\nTraceback (most recent call last):\nKeyError: 1\n")
    assert judge.wrong_with_logs([process("a", log=quiet)]) == []
    (found,) = judge.wrong_with_logs([process("a", log=quiet), process("b", log=loud)])
    assert found.startswith("b: Traceback") and "KeyError" in found


@pytest.mark.parametrize(
    ("delays", "wrong"),
    [
        ([], "not extended"),
        ([Decided(4, None, 13_000, ClockShift(8_000))], "not extended"),
        ([Decided(5, None, 13_000, ClockShift(8_000))], ""),
        ([Decided(5, None, 13_000, ClockShift(5_000))], ""),
        ([Decided(5, None, 13_000, ClockShift(4_999))], "by 4999 ms after 8000 ms"),
        ([Decided(6, None, 13_000, ClockShift(8_000)), Decided(9, None, 99_000, ClockShift(1))], ""),
    ],
)
def test_a_clock_that_went_on_while_nobody_served_its_table_is_seen(delays: list[Decided], wrong: str) -> None:
    """The table was at event 5 when its process ended, and had another one 8 s later."""
    found = list(judge.wrong_with_clocks(1, 5, [KEPT, *delays], away_ms=8_000))
    assert bool(found) == bool(wrong)
    assert wrong in "".join(found)


def test_events_that_are_missing_or_cannot_be_played_back_are_seen() -> None:
    dice, material = Chance(bytes(32), "1", 0), load_material(GAME)
    assert isinstance(material, GAME.material)
    events = GAME.setup(2, RopeWallOptions(), material, Moment(0), dice)
    events += GAME.decide(GAME.fold(events), GAME.view(GAME.fold(events), None).to_act[0], PUSH, Moment(1), dice)
    bodies = list(enumerate(to_json(event) for event in events))
    assert list(judge.wrong_with_events(GAME, 1, len(events), bodies)) == []
    assert "is at event" in next(judge.wrong_with_events(GAME, 1, len(events), bodies[:-1]))
    assert "is at event" in next(judge.wrong_with_events(GAME, 1, len(events), [bodies[0], *bodies]))
    assert "played back" in next(judge.wrong_with_events(GAME, 1, len(events), [(n, "{}") for n, _ in bodies]))
