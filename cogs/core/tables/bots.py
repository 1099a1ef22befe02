"""The computer players of tables, including those that play for absent people.

A move is planned, and made after the pause that a person would take, unless the game or the seat has changed since
(`moves.play` checks under the table's lock). A change that the player cannot see does not delay it, since a delay would
reveal the change.
"""

import asyncio
import logging
import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock, Timer
from cogs.core.tables import moves
from cogs.core.tables.bot_workers import BotWorkers, Situation
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from engine.contract import Action, Moment, Refusal, Seat, View, to_json
from engine.players import Explain, Intent, Level, Player, Reason

log = logging.getLogger(__name__)

CARETAKER = Level.MASTER
"""The level that plays for absent people."""

ADVISER = Level.MASTER
"""The level that gives hints."""

LOOK_AGAIN_MS = 1_000
"""A computer whose move is due while nobody else can play looks again after this long."""

QUICK_MS = 300
"""The longest pause of a computer player at a table with quick ones."""


@dataclass(frozen=True)
class PlannedMove:
    """A planned move, when it is `due`, and its seat's view, which is still the same at event `version`."""

    action: Action
    view: View
    version: int
    due: Moment


@dataclass(frozen=True)
class Hint:
    """What a strong player would do on a seat with this view, and why. `action` is None if they would wait."""

    view: View
    action: Action | None
    reasons: tuple[Reason, ...] = ()

    @property
    def mark(self) -> str:
        """A short name of the action, by which a button says which one it means."""
        return "" if self.action is None else f"{zlib.crc32(to_json(self.action).encode()):08x}"


@dataclass(eq=False)
class TableBots:
    """The computer players of one table. `explain` gives reasons for their moves, and `timer` calls `play`."""

    table: Table
    players: Mapping[Level, Player]
    bot_workers: BotWorkers
    clock: Clock
    timer: Timer
    explain: Explain | None = None
    _planned: dict[Seat, PlannedMove] = field(default_factory=dict, init=False)
    _thinking: dict[Seat, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _hints: dict[Seat, tuple[View, asyncio.Task[Hint]]] = field(default_factory=dict, init=False)  # each seat's last

    @property
    def busy(self) -> bool:
        """Whether one of them is thinking or about to move."""
        return bool(self._thinking or self._planned)

    def schedule_moves(self) -> None:
        """Start thinking for the computers that can act and have no plan. Does not block."""
        table = self.table.snapshot
        if not table.playing or table.asleep or table.paused:
            self._planned.clear()
            self.timer.set(table.id, None)
            return
        for seat in [seat for seat in self._planned if seat not in table.bots]:
            del self._planned[seat]
        for seat in table.bots:
            if seat not in self._thinking and not self._plan_is_current(seat) and table.may_act(seat):
                level = table.seats[seat].level or CARETAKER
                thinking = asyncio.create_task(self._think(seat, level), name=f"think-{table.id}-{seat}")
                self._thinking[seat] = thinking

    def _plan_is_current(self, seat: Seat) -> bool:
        """Return True if a seat has a planned move that still fits what it sees."""
        planned, table = self._planned.get(seat), self.table.snapshot
        if planned is None:
            return False
        if planned.version != table.version and table.playing and table.view(seat) == planned.view:
            planned = self._planned[seat] = replace(planned, version=table.version)
        return planned.version == table.version

    async def _think(self, seat: Seat, level: Level) -> None:
        """Plan a move for a seat."""
        table, since = self.table, self.clock.now()
        view = table.snapshot.view(seat)
        asked = False

        def look() -> Situation | None:
            nonlocal view, since, asked
            if not table.snapshot.playing:
                return None
            if table.snapshot.view(seat) != view:  # others have moved while it waited for its turn to think
                view, since = table.snapshot.view(seat), self.clock.now()
            asked = self._played_by_bot(seat)
            return table.snapshot.question(seat) if asked else None

        try:
            intent = await self.bot_workers.ask(table.id, table.game, self.players[level], look)
        except Exception:
            log.exception(
                "table %s at event %s: the computer player of seat %s failed", table.id, table.snapshot.version, seat
            )
            # It must not hold anybody up: any legal move will do.
            asked = True
            awaited = table.snapshot.playing and seat in table.snapshot.view(None).to_act
            legal = await asyncio.to_thread(table.snapshot.legal, seat) if awaited else []
            intent = Intent(random.choice(legal)) if legal else None
        finally:
            del self._thinking[seat]
        if not asked or not table.snapshot.playing or table.snapshot.view(seat) != view:
            self.schedule_moves()  # the game has moved on meanwhile, or the seat was a person's for a while
        elif intent is not None and self._played_by_bot(seat):
            due = Moment(max(since + self._pause(seat, intent), intent.earliest or since))
            self._planned[seat] = PlannedMove(intent.action, view, table.snapshot.version, due)
            self.timer.set(table.id, min(planned.due for planned in self._planned.values()))

    def _pause(self, seat: Seat, intent: Intent) -> int:
        """Return a player's pause in milliseconds. In a race with people for a call it ignores the table's pace."""
        hurries = self.table.snapshot.options.pace == "quick" and seat in self.table.snapshot.view(None).to_act
        return min(intent.after_ms, QUICK_MS) if hurries else intent.after_ms

    def _played_by_bot(self, seat: Seat) -> bool:
        table = self.table.snapshot
        return table.playing and not table.asleep and not table.paused and seat in table.bots

    async def play(self) -> None:
        """Make the moves that are due. Raises `StoreError`; then the move is still planned."""
        now = self.clock.now()
        for seat, planned in sorted(self._planned.items(), key=lambda item: item[1].due):
            if planned.due > now:
                self.timer.set(self.table.id, planned.due)
                return
            if self._plan_is_current(seat):
                planned = self._planned[seat]
            try:
                await self.table.act(moves.play, seat, planned.action, planned.version, now)
            except StaleControl:
                if self._played_by_bot(seat) and self._plan_is_current(seat):  # what happened changes nothing for it
                    self.timer.set(self.table.id, now)
                    return
            except (Refusal, UserError) as error:
                log.warning("table %s: the move of the computer on seat %s failed: %r", self.table.id, seat, error)
            if self._planned.get(seat) is planned:
                del self._planned[seat]
            self.schedule_moves()

    def forget(self) -> None:
        """Drop all plans; the players are asked again."""
        self._planned.clear()

    # Hints

    def known_hint(self, seat: Seat) -> Hint | None:
        """Return the hint for a seat's present view, if one was asked for and found."""
        asked = self._hint_for_present_view(seat)
        return asked.result() if asked is not None and asked.done() else None

    async def hint(self, seat: Seat) -> Hint:
        """Return the hint for a seat's present view; it is thought of once. Raises what the player raised."""
        asked = self._hint_for_present_view(seat)
        if asked is None:
            view = self.table.snapshot.view(seat)
            asked = asyncio.create_task(self._find_hint(seat, view), name=f"hint-{seat}")
            self._hints[seat] = view, asked
        return await asyncio.shield(asked)

    def _hint_for_present_view(self, seat: Seat) -> asyncio.Task[Hint] | None:
        """Return the task that finds the hint for a seat's present view; None if there is none, or if it failed."""
        if seat not in self._hints or not self.table.snapshot.playing:
            return None
        view, asked = self._hints[seat]
        failed = asked.done() and (asked.cancelled() or asked.exception() is not None)
        return None if failed or self.table.snapshot.view(seat) != view else asked

    async def _find_hint(self, seat: Seat, view: View) -> Hint:
        def look() -> Situation | None:
            table = self.table.snapshot
            return table.question(seat) if table.playing and table.view(seat) == view else None

        # Left out before anybody thinks: a hint that is withheld would say that there was something to accuse.
        game, others = self.table.game, (row for row in self.table.snapshot.seats if row.seat != seat)
        left_out = game.accusations if any(row.level is None for row in others) else frozenset[type[Action]]()
        adviser = self.players[ADVISER]
        found = await self.bot_workers.hint(self.table.id, game, adviser, self.explain, look, left_out)
        return Hint(view, None) if found is None else Hint(view, *found)

    # The end

    def _running(self) -> list[asyncio.Task[Any]]:
        hinting = [asked for _, asked in self._hints.values() if not asked.done()]
        return [*self._thinking.values(), *hinting]

    async def settle(self) -> None:
        """Return when nobody is thinking."""
        while running := self._running():
            await asyncio.wait(running)

    async def close(self) -> None:
        """Stop thinking."""
        running = self._running()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@dataclass(eq=False)
class Bots(TableComponent):
    """The computer players of all loaded tables: `players`, and what gives `reasons` for their moves, by game."""

    players: Mapping[str, Mapping[Level, Player]]
    reasons: Mapping[str, Explain]
    bot_workers: BotWorkers
    clock: Clock
    registry: TableRegistry
    _table_bots: PerTable[TableBots] = field(default_factory=PerTable, init=False)

    def __post_init__(self) -> None:
        self.timer = self.registry.timer("computer", self._play)

    def of(self, table: Table) -> TableBots:
        """Return the computer players of a loaded table."""
        return self._table_bots[table]

    async def _play(self, table: Table) -> None:
        if not self.registry.playable.can_go_on(table.snapshot):
            self.timer.set_in(table.id, LOOK_AGAIN_MS)
            return
        await self._table_bots[table].play()

    def known_hint(self, table: int, seat: Seat) -> Hint | None:
        """Return the hint for a seat as the game is now, if it was asked for."""
        bots = self._table_bots.find(table)
        return None if bots is None else bots.known_hint(seat)

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        players, explain = self.players[table.game.key], self.reasons.get(table.game.key)
        self._table_bots[table] = TableBots(table, players, self.bot_workers, self.clock, self.timer, explain)

    def changed(self, table: Table, visible: bool) -> None:
        """Start thinking for the computers that can act."""
        self._table_bots[table].schedule_moves()

    def busy(self, table: Table) -> bool:
        """Return True while one of them is thinking or about to move."""
        return self._table_bots[table].busy

    async def settle(self, table: Table) -> None:
        """Return when nobody is thinking."""
        await self._table_bots[table].settle()

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._table_bots.remove(table)

    async def close(self, table: Table) -> None:
        """Stop thinking."""
        if (bots := self._table_bots.remove(table)) is not None:
            await bots.close()
