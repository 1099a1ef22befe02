"""The computer players of one table, those that play for people who are away included: asked, waited for, and moved.

What a player means to do is kept with the event and the view at which it thought of it. It is played when a person
would have done it, and only if the table stands there still and the seat is still a computer's: that is asked under the
table's lock (`moves.play`). What changes nothing that the player may know does not delay it either, or its delay
would tell others of it.
"""

import asyncio
import logging
import random
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.tables import moves, seat_rules
from cogs.core.tables.bot_workers import BotWorkers
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.table import Table
from engine.contract import Action, Moment, Refusal, Seat, View, to_json
from engine.players import Explain, Intent, Level, Player, Reason

log = logging.getLogger(__name__)

CARETAKER = Level.MASTER
"""How well a computer plays for somebody who is away."""

ADVISER = Level.MASTER
"""Whose hints people get."""

QUICK_MS = 300
"""So long at most a computer takes for a move at a table whose computers are quick."""


@dataclass(frozen=True)
class PlannedMove:
    """What a computer means to do: thought of by this view, which still is so at event `version`; done when `due`."""

    action: Action
    view: View
    version: int
    due: Moment


@dataclass(frozen=True)
class Hint:
    """What a strong player would do on a seat and why, by this view of it; `action` None: nothing at present."""

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
        thinkers: BotWorkers,
        clock: Clock,
        scheduler: Scheduler,
        explain: Explain | None = None,
    ) -> None:
        self._table = table
        self._players = players
        self._explain = explain
        self._thinkers = thinkers
        self._clock = clock
        self._scheduler = scheduler
        self._meant: dict[Seat, PlannedMove] = {}
        self._thinking: dict[Seat, asyncio.Task[None]] = {}
        self._hints: dict[Seat, Hint] = {}
        self._hinting: dict[Seat, tuple[View, asyncio.Task[Hint]]] = {}

    @property
    def busy(self) -> bool:
        """Whether one of them is thinking or about to move."""
        return bool(self._thinking or self._meant)

    def schedule_moves(self) -> None:
        """Ask those who have something to do. Returns at once."""
        table = self._table.snapshot
        if not table.playing or table.asleep:
            self._meant.clear()
            self._scheduler.set(table.id, "computer", None)
            return
        for seat in [seat for seat in self._meant if seat not in table.computers]:
            del self._meant[seat]
        for seat in table.computers:
            if seat not in self._thinking and not self._ready(seat) and table.may_act(seat):
                level = table.seats[seat].level or CARETAKER
                thinking = asyncio.create_task(self._think(seat, level), name=f"think-{table.id}-{seat}")
                self._thinking[seat] = thinking

    def _ready(self, seat: Seat) -> bool:
        """Say whether a seat means to do something that it would think of again by what it sees now."""
        meant, table = self._meant.get(seat), self._table.snapshot
        if meant is None:
            return False
        if meant.version != table.version and table.playing and table.view(seat) == meant.view:
            meant = self._meant[seat] = replace(meant, version=table.version)
        return meant.version == table.version

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
            asked = self._plays(seat)
            return table.snapshot.question(seat) if asked else None

        try:
            intent = await self._thinkers.ask(table.id, table.game, self._players[level], look)
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
        elif intent is not None and self._plays(seat):
            due = Moment(max(since + self._pause(seat, intent), intent.earliest or since))
            self._meant[seat] = PlannedMove(intent.action, view, table.snapshot.version, due)
            self._scheduler.set(table.id, "computer", min(meant.due for meant in self._meant.values()))

    def _pause(self, seat: Seat, intent: Intent) -> int:
        """Return how long a player lets pass before it moves, in milliseconds. Where it is fast against people who may
        call at the same time, it keeps its own time at any pace.
        """
        hurries = self._table.snapshot.options.pace == "quick" and seat in self._table.snapshot.view(None).to_act
        return min(intent.after_ms, QUICK_MS) if hurries else intent.after_ms

    def _plays(self, seat: Seat) -> bool:
        table = self._table.snapshot
        return table.playing and not table.asleep and seat_rules.computers(table.seats[seat])

    async def play(self) -> None:
        """Make the moves whose time has come. Raises `StoreError`: then the move is still meant, to be tried again."""
        now = self._clock.now()
        for seat, meant in sorted(self._meant.items(), key=lambda item: item[1].due):
            if meant.due > now:
                self._scheduler.set(self._table.id, "computer", meant.due)
                return
            if self._ready(seat):
                meant = self._meant[seat]
            try:
                await self._table.act(moves.play, seat, meant.action, meant.version, now)
            except StaleControl:
                if self._plays(seat) and self._ready(seat):  # what has just happened changes nothing for it
                    self._scheduler.set(self._table.id, "computer", now)
                    return
                self._drop(seat, meant)
                self.schedule_moves()
            except (Refusal, UserError) as error:
                log.warning("table %s: the move of the computer on seat %s failed: %r", self._table.id, seat, error)
                self._drop(seat, meant)
                self.schedule_moves()
            else:
                self._drop(seat, meant)
                self.schedule_moves()

    # What a strong one would do in somebody's place

    def known_hint(self, seat: Seat) -> Hint | None:
        """Return the hint for a seat as it stands now, if it was asked for."""
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
            found = await self._thinkers.hint(table.id, table.game, self._players[ADVISER], self._explain, look)
        finally:
            if (asked := self._hinting.get(seat)) is not None and asked[0] is view:
                del self._hinting[seat]
        return Hint(view, None) if found is None else Hint(view, *found)

    def _drop(self, seat: Seat, meant: PlannedMove) -> None:
        if self._meant.get(seat) is meant:
            del self._meant[seat]

    def forget(self) -> None:
        """Let go of what they mean to do; they are asked again."""
        self._meant.clear()

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
        thinkers: BotWorkers,
        clock: Clock,
        scheduler: Scheduler,
    ) -> None:
        self._players = players
        self._reasons = reasons
        self._thinkers = thinkers
        self._clock = clock
        self._scheduler = scheduler
        self._computers = PerTable[TableBots]()

    def of(self, table: Table) -> TableBots:
        """Return the computer players of a loaded table."""
        return self._computers[table]

    async def play(self, table: Table) -> None:
        """Make the moves at a table whose time has come. Raises `StoreError`."""
        await self._computers[table].play()

    def known_hint(self, table: int, seat: Seat) -> Hint | None:
        """Return the hint for a seat as the game is now, if it was asked for."""
        computers = self._computers.find(table)
        return None if computers is None else computers.known_hint(seat)

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded."""
        players, explain = self._players[table.game.key], self._reasons.get(table.game.key)
        self._computers[table] = TableBots(table, players, self._thinkers, self._clock, self._scheduler, explain)

    def changed(self, table: Table, visible: bool) -> None:
        """Ask those who have something to do."""
        if not table.silent:
            self._computers[table].schedule_moves()

    def busy(self, table: Table) -> bool:
        """Return True while one of them is thinking or about to move."""
        return self._computers[table].busy

    async def settle(self, table: Table) -> None:
        """Return when nobody is thinking."""
        await self._computers[table].settle()

    def unload(self, table: Table) -> None:
        """Let go of a table."""
        self._computers.remove(table)

    async def close(self, table: Table) -> None:
        """Stop thinking."""
        if (computers := self._computers.remove(table)) is not None:
            await computers.close()
