"""People at tables, one party per channel: they open a table, join, play to the end and open the next one, even while
the bot fails. Each act and its answer is recorded.

They choose moves by the state in the database, so every move is legal.
"""

import asyncio
import contextlib
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import psycopg

from engine.contract import Action, Seat
from engine.games.rope_wall import Push
from sandbox import ActionResult, Channel, Guild, Refused, Sandbox, UserClient, visible_text
from sandbox.world.events import Edited, Event, Posted
from sandbox.world.models import EPHEMERAL, LOADING
from tools.fleet.database import DatabaseReader, StoredTable
from tools.harness.moves import OPTIONS, PEOPLE, chosen, command, presses

TAKEN = "✓"
"""Marks the confirmation of a move."""

CLOCK_S = 600
"""Turn clock in seconds; it never runs out."""

LOOK_AGAIN_S = 0.05
"""Pause before a person who could not act looks again."""

PUT_OFF_S = 15
"""The wait for a deferred answer; its process may have ended."""

BY_TOKEN = ("/interactions/", "/webhooks/")
"""Paths of calls that answer an interaction."""

Fate = Literal["taken", "refused", "late", "lost"]
"""What a person saw: the move was made, or refused; to wait, and nothing since; or nothing in time."""


@dataclass(frozen=True)
class Click:
    """One attempted move at a table at `version`; when, and which process answered."""

    channel: str
    table: int
    seat: Seat
    action: Action
    version: int
    began_ms: int
    ended_ms: int
    fate: Fate
    by: str


@dataclass(frozen=True)
class Edit:
    """A public message of a channel that a process posted or edited, as an answer to a click or not."""

    at_ms: int
    by: str
    guild: str
    channel: str
    answers: bool = False


@dataclass(frozen=True)
class Gain:
    """The moment from which a process serves a server, according to the leases."""

    at_ms: int
    by: str
    guild: str


@dataclass
class Journal:
    """Everything people did, all edits of table messages, and which process served which server."""

    sandbox: Sandbox
    clicks: list[Click] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    gains: list[Gain] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sandbox.state.listeners.append(self._hear)

    @property
    def now_ms(self) -> int:
        """Return the sandbox's time."""
        return self.sandbox.state.clock.now_ms()

    def lost(self, since: int) -> list[Click]:
        """Return the attempts after the first `since` clicks that were never answered."""
        return [click for click in self.clicks[since:] if click.fate == "lost"]

    def _hear(self, event: Event) -> None:
        caller = self.sandbox.state.caller
        if isinstance(event, (Posted, Edited)) and caller is not None:
            channel = event.message.channel
            if event.message.reader is None and channel.guild is not None:
                answers = self.sandbox.state.route.startswith(BY_TOKEN)
                self.edits.append(Edit(self.now_ms, caller, channel.guild.id, channel.id, answers))


class Party:
    """A few people who play one game after another in their own channel."""

    def __init__(
        self, journal: Journal, reader: DatabaseReader, guild: Guild, game: str, *, pace_s: float = 0.2
    ) -> None:
        sandbox = journal.sandbox
        self.game = game
        self.guild = guild
        self.yard: Channel = sandbox.add_channel(guild, game.replace("_", "-"))
        number = len(sandbox.state.users)
        self.people = [sandbox.add_person(f"P{number + each}", guild) for each in range(PEOPLE.get(game, 2))]
        self.stored: StoredTable | None = None
        self._journal = journal
        self._reader = reader
        self._dice = random.Random(number)
        self._pace_s = pace_s

    async def play(self, until: asyncio.Event) -> None:
        """Play until the event is set."""
        while not until.is_set():
            done = await self.step()
            await asyncio.sleep(self._pace_s if done else max(self._pace_s, LOOK_AGAIN_S))

    async def step(self) -> bool:
        """Do the next thing at the table. Return True if it was confirmed."""
        try:
            self.stored = stored = await self._reader.newest(self.yard.id)
        except psycopg.OperationalError:  # the server is away
            return False
        try:
            if stored is None or stored.status not in ("lobby", "playing"):
                return _said_yes(await self._open())
            if stored.status == "lobby":
                return await self._gather(stored)
            return await self._move(stored)
        except (Refused, LookupError):  # an honest client does not allow it: the message is behind
            return False

    async def begin(self) -> None:
        """Start a game."""
        while self.stored is None or self.stored.status != "playing":
            if not await self.step():
                await asyncio.sleep(LOOK_AGAIN_S)

    async def open_private_page(self) -> None:
        """Open a person's private page, if a game was running at the last look."""
        if self.stored is not None and self.stored.status == "playing":
            with contextlib.suppress(Refused, LookupError):
                await self._dice.choice(self.people).press(self.board(self.stored.number), label="Play")

    async def look(self) -> None:
        """Read the table from the database."""
        self.stored = await self._reader.newest(self.yard.id)

    @property
    def shown(self) -> bool:
        """Return True if the table message shows the game as of the last look, or no game is running."""
        stored = self.stored
        if stored is None or stored.status != "playing":
            return True
        stamp = stored.game.view(stored.state, None).ui_version
        try:
            return any(name.startswith(f"cb:{stored.number}:{stamp}:") for name in _ids(self.board(stored.number)))
        except LookupError:
            return False

    def story(self) -> str:
        """Describe the table, the last attempts there, and what is visible."""
        tried = [click for click in self._journal.clicks if click.channel == self.yard.id][-3:]
        told = [f"  {click.action} at {click.version} was {click.fate} by {click.by!r}" for click in tried]
        seen = [f"  {visible_text(message)[:300]!r}" for message in self._journal.sandbox.messages(self.yard)[-3:]]
        stored = self.stored
        how = "nothing is kept" if stored is None else f"table {stored.number}, {stored.status}, at {stored.version}"
        return "\n".join([f"{self.game} on {self.guild.name}: {how}", *told, *seen])

    # Lobby

    async def _open(self) -> ActionResult:
        options = {"clock": CLOCK_S, **OPTIONS[self.game]}
        return await self.people[0].command(self.yard, f"{self.game.replace('_', '-')} start", **options)

    async def _gather(self, stored: StoredTable) -> bool:
        missing = [person for person in self.people if int(person.id) not in stored.seats]
        who, label = (missing[0], "Join") if missing else (self.people[0], "Start")
        return _said_yes(await who.press(self.board(stored.number), label=label))

    def board(self, table: int) -> dict[str, Any]:
        """Return the newest public message of a table. Raises LookupError if there is none yet."""
        shown = [each for each in self._journal.sandbox.messages(self.yard) if not each["flags"] & EPHEMERAL]
        return [each for each in shown if any(name.startswith(f"cb:{table}:") for name in _ids(each))][-1]

    # Moving

    async def _move(self, stored: StoredTable) -> bool:
        waiting = stored.game.view(stored.state, None).to_act
        users = {int(person.id): person for person in self.people}
        mine = [seat for seat in waiting if stored.seats[seat] in users]
        if not mine:
            return False
        seat = self._dice.choice(mine)
        who = users[stored.seats[seat] or 0]
        action = chosen(stored.game, stored.state, seat, self._dice)
        began = self._journal.now_ms
        answer, fate = await self.attempt(who, stored, action)
        click = Click(
            self.yard.id, stored.number, seat, action, stored.version, began, self._journal.now_ms, fate, answer.by
        )
        self._journal.clicks.append(click)
        return fate == "taken"

    async def attempt(self, who: UserClient, stored: StoredTable, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move: the first person pushes by buttons of the table message, everything else is a command."""
        if who is self.people[0] and isinstance(action, Push):
            ((end, _),) = presses(action)
            board = self.board(stored.number)
            answer = await who.press(board, next((each for each in _ids(board) if each.endswith(end)), end))
            return answer, _shown(answer, who, end)
        return await self.by_command(who, stored, action)

    async def by_command(self, who: UserClient, stored: StoredTable, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move by its slash command."""
        name, options = command(stored.game, action)
        answer = await who.command(self.yard, name, table=stored.number, **options)
        return answer, await self._told(answer)

    async def _told(self, answer: ActionResult) -> Fate:
        """Return the result of a command: a deferred answer comes later, or never if its process has ended."""
        if answer.failed is not None:
            return "lost"
        try:
            await self._journal.sandbox.until(lambda: not (answer.message or {})["flags"] & LOADING, PUT_OFF_S)
        except TimeoutError:
            return "late"
        return "taken" if _said_yes(answer) else "refused"


def _shown(answer: ActionResult, who: UserClient, end: str) -> Fate:
    """Return the result of a press on the table message: taken if it shows the move and another player to act.

    A refusal or the end of a round looks different and counts as late.
    """
    if answer.failed is not None or answer.type == 6:
        return "lost" if answer.failed is not None else "late"
    pushed = f"pushed {end.rpartition(':')[2]}"
    shows = answer.type == 7 and pushed in answer.text and f"**{who.name}**'s move" not in answer.text
    return "taken" if shows else "late"


def _ids(message: dict[str, Any]) -> list[str]:
    """Return the custom_ids of a message's controls."""
    return [each["custom_id"] for each in UserClient.buttons(message) if "custom_id" in each]


def _said_yes(answer: ActionResult) -> bool:
    """Return True if an answer confirms an act: a receipt, or the table message itself."""
    return answer.failed is None and (answer.type == 7 or TAKEN in answer.text)


def parties(
    journal: Journal, reader: DatabaseReader, guilds: Iterable[Guild], *, each: int = 1, pace_s: float = 0.2
) -> list[Party]:
    """Return `each` parties per game and server."""
    games = [game for game in OPTIONS for _ in range(each)]
    return [Party(journal, reader, guild, game, pace_s=pace_s) for guild in guilds for game in games]
