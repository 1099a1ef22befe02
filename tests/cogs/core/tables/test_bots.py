"""The computer players of a table: asked once, cancelled when not needed, retried when the disk is full."""

import asyncio
from collections.abc import Awaitable
from typing import Any, cast

import msgspec
import pytest

from cogs.core.ops.errors import StaleControl
from cogs.core.ops.timers import Scheduler
from cogs.core.tables import absence, moves, seat_rules
from cogs.core.tables.bot_workers import BotWorkers, GetSituation
from cogs.core.tables.bots import QUICK_MS, TableBots
from cogs.core.tables.changes import Seated
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import DiskFull, Store, TableRow
from engine.contract import Action, AnyGame, ClockShift, Moment, Seat
from engine.games.break_out import Draw
from engine.games.prison_break import Note
from engine.players import Intent, Player
from engine.players.registry import BOTS
from tests.cogs.core.tables.live_tables import after_next, mover, start_game
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

PAUSE_MS = 1_500


class ManualClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = NOON

    def now(self) -> Moment:
        return self.at

    def received(self, at: Moment) -> None:
        """Ignore the time; the test sets this clock."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        raise AssertionError("nobody waits here")


class Decided:
    """A player that picks the first legal action when allowed; `asked` counts its turns, `seen` whether it had any
    action.

    `pauses` are the times of its next answers, `earliest` is when a move may be made; `accident` is the error it
    raises, `nonsense` an invalid answer, `call` its answer while nobody waits for it.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.pauses: list[int] = []
        self.earliest: Moment | None = None
        self.accident: Exception | None = None
        self.nonsense: Action | None = None
        self.call: Action | None = None
        self.seen: list[bool] = []
        self.free = asyncio.Event()
        self.free.set()
        self.leaving: Awaitable[object] | None = None

    async def ask(self, table: int, game: AnyGame, player: Player, look: GetSituation) -> Intent | None:
        self.asked += 1
        await self.free.wait()
        seen = look()
        self.seen.append(seen is not None)
        if self.leaving is not None:
            leaving, self.leaving = self.leaving, None
            await leaving
        if self.accident is not None:
            raise self.accident
        if self.call is not None:
            return Intent(self.call, PAUSE_MS)
        if seen is None or seen[1] is None:
            return None
        pause = self.pauses.pop(0) if self.pauses else PAUSE_MS
        return Intent(self.nonsense or next(iter(seen[1])), pause, self.earliest)


class Corner:
    """A table with its computers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clock = ManualClock()
        self.thinkers = Decided()
        self.moves = 0
        self.timer = Scheduler(self.clock).timer("computer", self._wake)
        self.computers = TableBots(
            table, BOTS[table.game.key].levels, cast(BotWorkers, self.thinkers), self.clock, self.timer
        )
        table.listeners = [self._moved]

    async def _wake(self, table: int) -> None:
        raise AssertionError("the test wakes")

    def _moved(self, table: Table, visible: bool) -> None:
        self.moves += 1
        self.computers.schedule_moves()

    async def prompt(self) -> None:
        self.computers.schedule_moves()
        await self.computers.settle()

    def due(self) -> Moment | None:
        return self.timer.due(self.table.id)

    async def play(self) -> None:
        """Let time pass until the computers have moved."""
        due = self.due()
        assert due is not None
        self.clock.at = due
        await self.computers.play()
        await self.computers.settle()


async def corner(store: Store) -> Corner:
    """A person has left the Rope Wall on their turn."""
    table = await start_game(store, "rope_wall")
    await table.act(absence.leave, Seat(table.snapshot.view(None).to_act[0]), NOON)
    return Corner(table)


async def test_a_move_is_made_at_its_very_moment(store: Store):
    made = await corner(store)
    await made.prompt()
    assert made.due() == NOON + PAUSE_MS
    before = made.table.snapshot.version
    made.clock.at = Moment(NOON + PAUSE_MS - 1)
    await made.computers.play()
    assert made.table.snapshot.version == before and made.due() == NOON + PAUSE_MS
    await made.play()
    assert made.table.snapshot.version > before and made.moves == 1


async def test_where_computers_are_quick_a_move_is_made_almost_at_once(store: Store):
    made = await corner(store)
    before = made.table.snapshot
    quick = msgspec.structs.replace(before.options, pace="quick")
    made.table.snapshot = TableSnapshot(before.game, before.row, before.seats, before.position, quick)
    await made.prompt()
    assert made.due() == NOON + QUICK_MS


async def test_a_computer_that_nobody_waits_for_keeps_its_own_time_at_a_quick_table(store: Store):
    """In the race for a call, people get as much time as at any other table."""
    table, turn = await after_next(store)
    caller = next(
        Seat(row.seat) for row in table.snapshot.seats if row.seat not in (turn, *table.snapshot.view(None).to_act)
    )
    await table.act(absence.leave, caller, NOON)
    before = table.snapshot
    quick = msgspec.structs.replace(before.options, pace="quick")
    table.snapshot = TableSnapshot(before.game, before.row, before.seats, before.position, quick)
    assert table.snapshot.may_act(caller) and table.snapshot.bots == (caller,)
    made = Corner(table)
    made.thinkers.call = Draw()
    await made.prompt()
    assert made.due() == NOON + PAUSE_MS


async def test_nobody_is_asked_twice_about_the_same_moment(store: Store):
    made = await corner(store)
    for _ in range(3):
        await made.prompt()
    assert made.thinkers.asked == 1


async def test_a_move_that_the_disk_had_no_room_for_is_still_meant_and_made_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    made = await corner(store)
    await made.prompt()
    before = made.table.snapshot.version

    async def full(*_: Any, **__: Any) -> TableRow:
        raise DiskFull("full")

    with monkeypatch.context() as patch:
        patch.setattr(store.games, "append", full)
        for _ in range(3):
            made.clock.at = Moment(made.clock.at + PAUSE_MS)
            with pytest.raises(DiskFull):
                await made.computers.play()
    assert made.table.snapshot.version == before and made.computers.busy
    await made.computers.play()
    assert made.table.snapshot.version > before and made.thinkers.asked == 1


async def test_a_player_who_returns_while_the_computer_thinks_is_not_played_for(store: Store):
    made = await corner(store)
    made.thinkers.free.clear()
    made.computers.schedule_moves()
    seat = Seat(made.table.snapshot.view(None).to_act[0])
    await made.table.act(absence.back, seat, NOON)
    made.thinkers.free.set()
    await made.computers.settle()
    assert made.thinkers.seen == [False] and not made.computers.busy and made.due() is None


async def test_a_player_who_leaves_again_before_the_computers_answer_is_played_for(store: Store):
    made = await corner(store)
    made.thinkers.free.clear()
    made.computers.schedule_moves()
    seat = Seat(made.table.snapshot.view(None).to_act[0])
    await made.table.act(absence.back, seat, NOON)
    # Right after it has seen that there is nothing to do
    made.thinkers.leaving = made.table.act(absence.leave, seat, NOON)
    made.thinkers.free.set()
    await made.computers.settle()
    assert made.computers.busy and made.due() is not None


async def test_an_intended_move_is_dropped_when_its_position_has_passed(store: Store):
    made = await corner(store)
    await made.prompt()
    seat = Seat(made.table.snapshot.view(None).to_act[0])
    await made.table.act(moves.move, seat, made.table.snapshot.legal(seat)[-1], NOON)
    before = made.table.snapshot.version
    await made.play()
    assert made.table.snapshot.version == before and not made.computers.busy


async def test_nobody_is_asked_at_a_paused_table(store: Store):
    made = await corner(store)
    await made.prompt()
    assert made.computers.busy
    seats = seat_rules.leave(seat_rules.leave(made.table.snapshot.seats, Seat(0)), Seat(1))
    await made.table.act(lambda _: Seated(seats))
    assert made.table.snapshot.asleep
    await made.prompt()
    assert not made.computers.busy and made.due() is None and made.thinkers.asked == 1


@pytest.mark.parametrize(("earliest", "due"), [(None, PAUSE_MS), (500, PAUSE_MS), (9_000, 9_000)])
async def test_a_move_waits_for_a_humane_pause_and_for_the_moment_before_which_it_says_nothing(
    store: Store, earliest: int | None, due: int
):
    made = await corner(store)
    made.thinkers.earliest = None if earliest is None else Moment(NOON + earliest)
    await made.prompt()
    assert made.due() == NOON + due


async def test_a_seat_that_is_a_persons_again_means_nothing_any_more(store: Store):
    made = await corner(store)
    await made.prompt()
    await made.table.act(absence.back, Seat(made.table.snapshot.view(None).to_act[0]), NOON)
    await made.prompt()
    assert not made.computers.busy and made.thinkers.asked == 1


async def test_a_move_planned_for_a_player_who_returned_meanwhile_is_dropped(store: Store):
    made = await corner(store)
    made.thinkers.leaving = made.table.act(absence.back, Seat(made.table.snapshot.view(None).to_act[0]), NOON)
    await made.prompt()
    assert made.thinkers.seen == [True] and not made.computers.busy and made.due() is None


async def bets(store: Store, computers: int = 1) -> Corner:
    """Ausbrecher, where all make forecasts at the same time: people on the first two seats, and computers."""
    return Corner(await start_game(store, "ausbrecher", people=2, computers=computers))


async def bet(made: Corner, seat: int) -> None:
    await made.table.act(moves.move, Seat(seat), made.table.snapshot.legal(Seat(seat))[0], made.clock.now())


async def test_the_pause_starts_again_with_what_others_did_before_its_turn_to_think_had_come(store: Store):
    made = await bets(store)
    made.thinkers.free.clear()
    made.computers.schedule_moves()
    await asyncio.sleep(0)
    made.clock.at = Moment(NOON + 5_000)
    await bet(made, 0)
    made.thinkers.free.set()
    await made.computers.settle()
    assert (made.thinkers.asked, made.due()) == (1, NOON + 5_000 + PAUSE_MS)


async def test_a_move_that_was_thought_of_by_another_view_is_thought_of_again(store: Store):
    made = await bets(store)
    await made.prompt()
    await bet(made, 0)
    await made.prompt()
    assert made.thinkers.asked == 2


async def test_a_move_whose_moment_has_passed_unnoticed_is_thought_of_again(store: Store):
    made = await bets(store)
    await made.prompt()
    await bet(made, 0)
    before = made.table.snapshot.version
    await made.play()
    assert made.table.snapshot.version == before and made.thinkers.asked == 2 and made.computers.busy


async def test_the_first_of_several_moves_is_waited_for(store: Store):
    made = await bets(store, computers=2)
    made.thinkers.pauses = [1_000, 3_000]
    await made.prompt()
    assert made.due() == NOON + 1_000
    await made.play()
    assert made.moves == 1


async def test_a_refused_bot_move_is_dropped_and_the_bot_is_asked_again(store: Store):
    made = await corner(store)
    made.thinkers.nonsense = ClockShift(5)
    await made.prompt()
    made.thinkers.nonsense = None
    await made.play()
    assert made.moves == 0 and made.thinkers.asked == 2
    before = made.table.snapshot.version
    await made.play()
    assert made.table.snapshot.version > before


async def test_what_happens_meanwhile_and_changes_nothing_for_a_computer_neither_stops_nor_delays_its_move(
    store: Store,
):
    table = await start_game(store, "prison_break", people=1, computers=1)
    while mover(table)[0] == 0:
        await table.act(moves.move, *mover(table), NOON)
    made = Corner(table)
    await made.prompt()
    due = made.due()
    assert due is not None
    made.clock.at = due
    noted = asyncio.create_task(table.act(moves.move, Seat(0), Note("a secret"), due))
    await asyncio.sleep(0)
    await made.computers.play()  # it waits until the note is stored
    await noted
    assert (made.thinkers.asked, made.due()) == (1, due)
    changes = made.moves  # the note is one
    await made.computers.play()
    assert made.moves == changes + 1


@pytest.mark.parametrize(("awaited", "moves"), [(True, True), (False, False)])
async def test_after_an_error_a_bot_makes_any_legal_move_only_if_the_game_waits_for_it(
    store: Store, awaited: bool, moves: bool
):
    """In Break-Out one may also call while it is others' turn."""
    table, turn = await after_next(store)
    await table.act(absence.leave, Seat((turn + (1 if awaited else 2)) % 3), NOON)
    made = Corner(table)
    made.thinkers.accident = RuntimeError("the player is broken")
    await made.prompt()
    assert made.thinkers.asked == 1 and made.computers.busy == moves


async def test_a_computer_does_not_move_at_a_table_that_was_paused_since_it_was_asked(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    seat = Seat(1)
    if seat not in table.snapshot.view(None).to_act:
        await table.act(moves.move, Seat(0), table.snapshot.legal(Seat(0))[0], NOON)
    action, version = table.snapshot.legal(seat)[0], table.snapshot.version
    await table.act(moves.pause, NOON, "api", NOON)
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, action, version, NOON)
    await table.act(moves.unpause, 0)
    assert await table.act(moves.play, seat, action, version, NOON)


async def test_a_move_by_a_view_that_changed_unheard_is_dropped_and_thought_of_again(store: Store):
    made = await bets(store)
    await made.prompt()
    made.table.listeners = []
    await bet(made, 0)
    assert made.thinkers.asked == 1
    await made.play()
    assert made.thinkers.asked == 2 and made.due() is not None
