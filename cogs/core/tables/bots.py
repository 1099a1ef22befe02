"""The computer players of one table, including those that play for absent people.

A planned move is kept with the event and the view that it is based on, and played after the pause that a person would
take, unless the game or the seat has changed since (`moves.play` checks under the table's lock). A change that the
player cannot see does not delay it, since a delay would reveal the change.
"""

import asyncio
import logging
import random
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock, Timer
from cogs.core.tables import moves, seat_rules
from cogs.core.tables.bot_workers import BotWorkers
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

QUICK_MS = 300
"""The longest pause of a computer player at a table with quick ones."""


@dataclass(frozen=True)
class PlannedMove:
    """A planned move, based on a view that still holds at event `version`, and when it is `due`."""

    action: Action
    view: View
    version: int
    due: Moment


@dataclass(frozen=True)
class Hint:
    """What a strong player would do on a seat and why, for this view; `action` None: nothing at the moment."""

    view: View
    action: Action | None
    reasons: tuple[Reason, ...] = ()

    @property
    def mark(self) -> str:
        """A short name of the action, by which a button says which one it means."""
        return "" if self.action is None else f"{zlib.crc32(to_json(self.action).encode()):08x}"


class TableBots:
    """Those of one table. `players` are the game's, and `explain` says why they do what they do."""

    def __init__(
        self,
        table: Table,
        players: Mapping[Level, Player],
        bot_workers: BotWorkers,
        clock: Clock,
        timer: Timer,
        explain: Explain | None = None,
    ) -> None:
        self._table = table
        self._players = players
        self._explain = explain
        self._bot_workers = bot_workers
        self._clock = clock
        self._timer = timer
        self._planned: dict[Seat, PlannedMove] = {}
        self._thinking: dict[Seat, asyncio.Task[None]] = {}
        self._hints: dict[Seat, Hint] = {}
        self._hinting: dict[Seat, tuple[View, asyncio.Task[Hint]]] = {}

    @property
    def busy(self) -> bool:
        """Whether one of them is thinking or about to move."""
        return bool(self._thinking or self._planned)

    def schedule_moves(self) -> None:
        """Ask those who have something to do. Returns at once."""
        table = self._table.snapshot
        if not table.playing or table.asleep:
            self._planned.clear()
            self._timer.set(table.id, None)
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
        planned, table = self._planned.get(seat), self._table.snapshot
        if planned is None:
            return False
        if planned.version != table.version and table.playing and table.view(seat) == planned.view:
            planned = self._planned[seat] = replace(planned, version=table.version)
        return planned.version == table.version

    async def _think(self, seat: Seat, level: Level) -> None:
        table, since = self._table, self._clock.now()
        view = table.snapshot.view(seat)
        asked = False

        def look() -> tuple[View, Iterable[Action] | None] | None:
            nonlocal view, since, asked
            if not table.snapshot.playing:
                return None
            if table.snapshot.view(seat) != view:  # others have moved while it waited for its turn to think
                view, since = table.snapshot.view(seat), self._clock.now()
            asked = self._played_by_bot(seat)
            return table.snapshot.question(seat) if asked else None

        try:
            intent = await self._bot_workers.ask(table.id, table.game, self._players[level], look)
        except Exception:
            log.exception(
                "table %s at event %s: the computer player of seat %s failed", table.id, table.snapshot.version, seat
            )
            # It must not hold anybody up: any sound move will do.
            asked = True
            awaited = table.snapshot.playing and seat in table.snapshot.view(None).to_act
            legal = await asyncio.to_thread(table.snapshot.legal, seat) if awaited else []
            intent = Intent(random.choice(legal)) if legal else None
        finally:
            del self._thinking[seat]
        if not asked or not table.snapshot.playing or table.snapshot.view(seat) != view:
            self.schedule_moves()  # what it thought of has passed, or the seat was a person's for a while
        elif intent is not None and self._played_by_bot(seat):
            due = Moment(max(since + self._pause(seat, intent), intent.earliest or since))
            self._planned[seat] = PlannedMove(intent.action, view, table.snapshot.version, due)
            self._timer.set(table.id, min(planned.due for planned in self._planned.values()))

    def _pause(self, seat: Seat, intent: Intent) -> int:
        """Return a player's pause before a move in milliseconds. In a race with people who may call at the same time,
        it ignores the table's pace.
        """
        hurries = self._table.snapshot.options.pace == "quick" and seat in self._table.snapshot.view(None).to_act
        return min(intent.after_ms, QUICK_MS) if hurries else intent.after_ms

    def _played_by_bot(self, seat: Seat) -> bool:
        table = self._table.snapshot
        return table.playing and not table.asleep and seat_rules.played_by_bot(table.seats[seat])

    async def play(self) -> None:
        """Make the moves whose time has come. Raises `StoreError`: then the move is still meant, to be tried again."""
        now = self._clock.now()
        for seat, planned in sorted(self._planned.items(), key=lambda item: item[1].due):
            if planned.due > now:
                self._timer.set(self._table.id, planned.due)
                return
            if self._plan_is_current(seat):
                planned = self._planned[seat]
            try:
                await self._table.act(moves.play, seat, planned.action, planned.version, now)
            except StaleControl:
                if self._played_by_bot(seat) and self._plan_is_current(
                    seat
                ):  # what has just happened changes nothing for it
                    self._timer.set(self._table.id, now)
                    return
                self._drop(seat, planned)
                self.schedule_moves()
            except (Refusal, UserError) as error:
                log.warning("table %s: the move of the computer on seat %s failed: %r", self._table.id, seat, error)
                self._drop(seat, planned)
                self.schedule_moves()
            else:
                self._drop(seat, planned)
                self.schedule_moves()

    # Hints

    def known_hint(self, seat: Seat) -> Hint | None:
        """Return the hint for a seat in the present view, if it was asked for."""
        hint = self._hints.get(seat)
        return (
            hint
            if hint is not None and self._table.snapshot.playing and self._table.snapshot.view(seat) == hint.view
            else None
        )

    async def hint(self, seat: Seat) -> Hint:
        """Return what a strong player would do on this seat, by the seat's own view; thought of once for each view.

        Raises what the player raised.
        """
        if (known := self.known_hint(seat)) is not None:
            return known
        view = self._table.snapshot.view(seat)
        asked = self._hinting.get(seat)
        if asked is None or asked[0] != view:
            asked = self._hinting[seat] = view, asyncio.create_task(self._hint(seat, view), name=f"hint-{seat}")
        hint = self._hints[seat] = await asyncio.shield(asked[1])
        return hint

    async def _hint(self, seat: Seat, view: View) -> Hint:
        table = self._table

        def look() -> tuple[View, Iterable[Action] | None] | None:
            return (
                table.snapshot.question(seat) if table.snapshot.playing and table.snapshot.view(seat) == view else None
            )

        try:
            found = await self._bot_workers.hint(table.id, table.game, self._players[ADVISER], self._explain, look)
        finally:
            if (asked := self._hinting.get(seat)) is not None and asked[0] is view:
                del self._hinting[seat]
        return Hint(view, None) if found is None else Hint(view, *found)

    def _drop(self, seat: Seat, planned: PlannedMove) -> None:
        if self._planned.get(seat) is planned:
            del self._planned[seat]

    def forget(self) -> None:
        """Drop planned moves; the players are asked again."""
        self._planned.clear()

    async def settle(self) -> None:
        """Return when nobody is thinking."""
        while thinking := [*self._thinking.values(), *(task for _, task in self._hinting.values())]:
            await asyncio.wait(thinking)

    async def close(self) -> None:
        """Stop thinking."""
        thinking = [*self._thinking.values(), *(task for _, task in self._hinting.values())]
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, return_exceptions=True)


class Bots(TableComponent):
    """The computer players of all loaded tables."""

    def __init__(
        self,
        players: Mapping[str, Mapping[Level, Player]],
        reasons: Mapping[str, Explain],
        bot_workers: BotWorkers,
        clock: Clock,
        registry: TableRegistry,
    ) -> None:
        self._players = players
        self._reasons = reasons
        self._bot_workers = bot_workers
        self._clock = clock
        self.timer = registry.timer("computer", self._play)
        self._table_bots = PerTable[TableBots]()

    def of(self, table: Table) -> TableBots:
        """Return the computer players of a loaded table."""
        return self._table_bots[table]

    async def _play(self, table: Table) -> None:
        await self._table_bots[table].play()

    def known_hint(self, table: int, seat: Seat) -> Hint | None:
        """Return the hint for a seat as the game is now, if it was asked for."""
        bots = self._table_bots.find(table)
        return None if bots is None else bots.known_hint(seat)

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        players, explain = self._players[table.game.key], self._reasons.get(table.game.key)
        self._table_bots[table] = TableBots(table, players, self._bot_workers, self._clock, self.timer, explain)

    def changed(self, table: Table, visible: bool) -> None:
        """Ask those who have something to do."""
        if not table.silent:
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
