"""The computers of a table: asked once, dropped when they are not wanted, tried again when the disk is full."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from cogs.core.session import attendance, presence
from cogs.core.session.computers import Computers
from cogs.core.session.live import LiveTable
from cogs.core.session.thinking import Look
from cogs.core.session.timers import Scheduler, What
from data.store import DiskFull, Store, TableRow
from engine.contract import AnyGame, Moment, Seat
from engine.players import Intent, Player
from engine.players.registry import PLAYERS
from tests.cogs.core.sittings import begun
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

PAUSE_MS = 1_500


class Hands:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = NOON

    def now(self) -> Moment:
        return self.at

    def received(self, at: Moment) -> None:
        """Nothing to set."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        raise AssertionError("nobody waits here")


class Decided:
    """Thinks of the first legal action, when it is let; `asked` counts how often, `seen` whether there was anything."""

    def __init__(self) -> None:
        self.asked = 0
        self.seen: list[bool] = []
        self.free = asyncio.Event()
        self.free.set()
        self.leaving: Awaitable[None] | None = None

    async def ask(self, table: int, game: AnyGame, player: Player, look: Look) -> Intent | None:
        self.asked += 1
        await self.free.wait()
        seen = look()
        self.seen.append(seen is not None)
        if self.leaving is not None:
            leaving, self.leaving = self.leaving, None
            await leaving
        return None if seen is None or seen[1] is None else Intent(seen[1][0], PAUSE_MS)


class Corner:
    """A table with its computers."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.clock = Hands()
        self.thinkers = Decided()
        self.moves = 0
        self.scheduler = Scheduler(self.clock, self._wake)
        self.computers = Computers(
            table, PLAYERS[table.game.key], self.thinkers, self.clock, self.scheduler, self._moved
        )  # type: ignore[arg-type]  # a stand-in that thinks at once

    async def _wake(self, table: int, what: What) -> None:
        raise AssertionError("the test wakes")

    def _moved(self) -> None:
        self.moves += 1
        self.computers.prompt()

    async def prompt(self) -> None:
        self.computers.prompt()
        await self.computers.settle()

    def due(self) -> Moment | None:
        return self.scheduler.due(self.table.id, "computer")

    async def play(self) -> None:
        """Let the time come, and the computers play."""
        due = self.due()
        assert due is not None
        self.clock.at = due
        await self.computers.play()
        await self.computers.settle()


async def corner(store: Store) -> Corner:
    """A person has left the Rope Wall on their turn."""
    table = await begun(store, "rope_wall")
    await presence.leave(table, Seat(table.view(None).waiting[0]), NOON)
    return Corner(table)


async def test_a_move_is_made_at_its_very_moment(store: Store):
    made = await corner(store)
    await made.prompt()
    assert made.due() == NOON + PAUSE_MS
    before = made.table.version
    made.clock.at = Moment(NOON + PAUSE_MS - 1)
    await made.computers.play()
    assert made.table.version == before and made.due() == NOON + PAUSE_MS
    await made.play()
    assert made.table.version > before and made.moves == 1


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
    before = made.table.version

    async def full(*_: Any, **__: Any) -> TableRow:
        raise DiskFull("full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        for _ in range(3):
            made.clock.at = Moment(made.clock.at + PAUSE_MS)
            with pytest.raises(DiskFull):
                await made.computers.play()
    assert made.table.version == before and made.computers.busy
    await made.computers.play()
    assert made.table.version > before and made.thinkers.asked == 1


async def test_who_is_back_while_the_computer_thinks_is_not_thought_for(store: Store):
    made = await corner(store)
    made.thinkers.free.clear()
    made.computers.prompt()
    seat = Seat(made.table.view(None).waiting[0])
    await presence.back(made.table, seat, NOON)
    made.thinkers.free.set()
    await made.computers.settle()
    assert made.thinkers.seen == [False] and not made.computers.busy and made.due() is None


async def test_who_leaves_again_before_the_computer_has_answered_is_thought_for(store: Store):
    made = await corner(store)
    made.thinkers.free.clear()
    made.computers.prompt()
    seat = Seat(made.table.view(None).waiting[0])
    await presence.back(made.table, seat, NOON)
    made.thinkers.leaving = presence.leave(made.table, seat, NOON)  # right after it has seen that nothing is asked
    made.thinkers.free.set()
    await made.computers.settle()
    assert made.computers.busy and made.due() is not None


async def test_a_move_that_was_meant_is_let_go_with_its_moment(store: Store):
    made = await corner(store)
    await made.prompt()
    seat = Seat(made.table.view(None).waiting[0])
    await made.table.act(seat, made.table.legal(seat)[-1], NOON)
    before = made.table.version
    await made.play()
    assert made.table.version == before and not made.computers.busy


async def test_nobody_is_asked_at_a_table_that_sleeps(store: Store):
    made = await corner(store)
    await made.prompt()
    assert made.computers.busy
    async with made.table.lock:
        await made.table.keep(attendance.left(attendance.left(made.table.seats, Seat(0)), Seat(1)))
    assert made.table.asleep
    await made.prompt()
    assert not made.computers.busy and made.due() is None and made.thinkers.asked == 1
