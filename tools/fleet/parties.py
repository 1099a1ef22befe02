"""People at tables, one party a channel: they open a table, sit down, play to the end, and open the next one, whatever
becomes of the bot meanwhile. Each remembers what they did and what they were told of it.

They move by what the database says of their table, so that every move is one that the rules allow.
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
from tools.fleet.database import Kept, Stands
from tools.harness.moves import OPTIONS, PEOPLE, chosen, command, presses

TAKEN = "✓"
"""Stands before what tells somebody that their move was made."""

CLOCK_S = 600
"""A turn's time: it runs, and nobody lets it run out."""

LOOK_AGAIN_S = 0.05
"""Who could do nothing looks again after so long at the earliest."""

PUT_OFF_S = 15
"""So long somebody waits for an answer that was put off: its process may have ended."""

BY_TOKEN = ("/interactions/", "/webhooks/")
"""How the paths of calls begin that answer somebody."""

Fate = Literal["taken", "refused", "late", "lost"]
"""What somebody was told: their move was made, or it was not; to wait, and nothing since; or nothing at all in time."""


@dataclass(frozen=True)
class Click:
    """One move that somebody tried to make at a table that stood at `version`; when, and who answered."""

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
    """A message that everybody in a channel sees was posted or changed by a process, as an answer to a click or not."""

    at_ms: int
    by: str
    guild: str
    channel: str
    answers: bool = False


@dataclass(frozen=True)
class Gain:
    """A server is served by a process from a moment on, as the leases have it."""

    at_ms: int
    by: str
    guild: str


@dataclass
class Journal:
    """All that people did, what became of the tables' messages, and who served whom."""

    sandbox: Sandbox
    clicks: list[Click] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    gains: list[Gain] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sandbox.state.listeners.append(self._hear)

    @property
    def now_ms(self) -> int:
        """The sandbox's time."""
        return self.sandbox.state.clock.now_ms()

    def lost(self, since: int) -> list[Click]:
        """What people tried in vain, later than the first `since` clicks, and were told nothing of."""
        return [click for click in self.clicks[since:] if click.fate == "lost"]

    def _hear(self, event: Event) -> None:
        caller = self.sandbox.state.caller
        if isinstance(event, (Posted, Edited)) and caller is not None:
            channel = event.message.channel
            if event.message.reader is None and channel.guild is not None:
                answers = self.sandbox.state.route.startswith(BY_TOKEN)
                self.edits.append(Edit(self.now_ms, caller, channel.guild.id, channel.id, answers))


class Party:
    """A few people who play a game in a channel of their own, again and again."""

    def __init__(self, journal: Journal, kept: Kept, guild: Guild, game: str, *, pace_s: float = 0.2) -> None:
        sandbox = journal.sandbox
        self.game = game
        self.guild = guild
        self.yard: Channel = sandbox.add_channel(guild, game.replace("_", "-"))
        number = len(sandbox.state.users)
        self.people = [sandbox.add_person(f"P{number + each}", guild) for each in range(PEOPLE.get(game, 2))]
        self.stood: Stands | None = None
        self._journal = journal
        self._kept = kept
        self._dice = random.Random(number)
        self._pace_s = pace_s

    async def play(self, until: asyncio.Event) -> None:
        """Play until told to stop."""
        while not until.is_set():
            done = await self.step()
            await asyncio.sleep(self._pace_s if done else max(self._pace_s, LOOK_AGAIN_S))

    async def step(self) -> bool:
        """Do the next thing at the table, if there is one; return whether somebody was told that it was done."""
        try:
            self.stood = stands = await self._kept.newest(self.yard.id)
        except psycopg.OperationalError:  # the server is away
            return False
        try:
            if stands is None or stands.status not in ("lobby", "playing"):
                return _said_yes(await self._open())
            if stands.status == "lobby":
                return await self._gather(stands)
            return await self._move(stands)
        except (Refused, LookupError):  # what an honest client does not let them do: the message lags behind
            return False

    async def begin(self) -> None:
        """Sit down and begin a game."""
        while self.stood is None or self.stood.status != "playing":
            if not await self.step():
                await asyncio.sleep(LOOK_AGAIN_S)

    async def open_cockpit(self) -> None:
        """Let somebody open their cockpit, where a game was under way when somebody looked last."""
        if self.stood is not None and self.stood.status == "playing":
            with contextlib.suppress(Refused, LookupError):
                await self._dice.choice(self.people).press(self.board(self.stood.number), label="Play")

    async def look(self) -> None:
        """See how the table stands."""
        self.stood = await self._kept.newest(self.yard.id)

    @property
    def shown(self) -> bool:
        """Whether the table message shows a game under way as it stood when somebody looked last."""
        stood = self.stood
        if stood is None or stood.status != "playing":
            return True
        stamp = stood.game.view(stood.state, None).ui_version
        try:
            return any(name.startswith(f"cb:{stood.number}:{stamp}:") for name in _ids(self.board(stood.number)))
        except LookupError:
            return False

    def story(self) -> str:
        """How the table stands, what was tried there last, and what is seen."""
        tried = [click for click in self._journal.clicks if click.channel == self.yard.id][-3:]
        told = [f"  {click.action} at {click.version} was {click.fate} by {click.by!r}" for click in tried]
        seen = [f"  {visible_text(message)[:300]!r}" for message in self._journal.sandbox.messages(self.yard)[-3:]]
        stood = self.stood
        how = "nothing is kept" if stood is None else f"table {stood.number}, {stood.status}, at {stood.version}"
        return "\n".join([f"{self.game} on {self.guild.name}: {how}", *told, *seen])

    # Gathering

    async def _open(self) -> ActionResult:
        options = {"clock": CLOCK_S, **OPTIONS[self.game]}
        return await self.people[0].command(self.yard, f"{self.game.replace('_', '-')} start", **options)

    async def _gather(self, stands: Stands) -> bool:
        missing = [person for person in self.people if int(person.id) not in stands.seats]
        who, label = (missing[0], "Join") if missing else (self.people[0], "Start")
        return _said_yes(await who.press(self.board(stands.number), label=label))

    def board(self, table: int) -> dict[str, Any]:
        """The newest message of a table that everybody sees. Raises LookupError where there is none yet."""
        shown = [each for each in self._journal.sandbox.messages(self.yard) if not each["flags"] & EPHEMERAL]
        return [each for each in shown if any(name.startswith(f"cb:{table}:") for name in _ids(each))][-1]

    # Moving

    async def _move(self, stands: Stands) -> bool:
        waiting = stands.game.view(stands.state, None).to_act
        users = {int(person.id): person for person in self.people}
        mine = [seat for seat in waiting if stands.seats[seat] in users]
        if not mine:
            return False
        seat = self._dice.choice(mine)
        who = users[stands.seats[seat] or 0]
        action = chosen(stands.game, stands.state, seat, self._dice)
        began = self._journal.now_ms
        answer, fate = await self.attempt(who, stands, action)
        click = Click(
            self.yard.id, stands.number, seat, action, stands.version, began, self._journal.now_ms, fate, answer.by
        )
        self._journal.clicks.append(click)
        return fate == "taken"

    async def attempt(self, who: UserClient, stands: Stands, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move: a push of the first of the party by the table message's buttons, all else by command."""
        if who is self.people[0] and isinstance(action, Push):
            ((end, _),) = presses(action)
            board = self.board(stands.number)
            answer = await who.press(board, next((each for each in _ids(board) if each.endswith(end)), end))
            return answer, _shown(answer, who, end)
        return await self.by_command(who, stands, action)

    async def by_command(self, who: UserClient, stands: Stands, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move by its command."""
        name, options = command(stands.game, action)
        answer = await who.command(self.yard, name, table=stands.number, **options)
        return answer, await self._told(answer)

    async def _told(self, answer: ActionResult) -> Fate:
        """What a command's answer says in the end: one that was put off comes later, or with its process never."""
        if answer.failed is not None:
            return "lost"
        try:
            await self._journal.sandbox.until(lambda: not (answer.message or {})["flags"] & LOADING, PUT_OFF_S)
        except TimeoutError:
            return "late"
        return "taken" if _said_yes(answer) else "refused"


def _shown(answer: ActionResult, who: UserClient, end: str) -> Fate:
    """What a press on the table message comes to: it shows the move and that others are to move, or it does not, as
    where the move ended a round, or where it was refused in private.
    """
    if answer.failed is not None or answer.type == 6:
        return "lost" if answer.failed is not None else "late"
    pushed = f"pushed {end.rpartition(':')[2]}"
    shows = answer.type == 7 and pushed in answer.text and f"**{who.name}**'s move" not in answer.text
    return "taken" if shows else "late"


def _ids(message: dict[str, Any]) -> list[str]:
    """What its controls carry."""
    return [each["custom_id"] for each in UserClient.buttons(message) if "custom_id" in each]


def _said_yes(answer: ActionResult) -> bool:
    """Whether an answer tells that something was done: a receipt, or the table message itself."""
    return answer.failed is None and (answer.type == 7 or TAKEN in answer.text)


def parties(
    journal: Journal, kept: Kept, guilds: Iterable[Guild], *, each: int = 1, pace_s: float = 0.2
) -> list[Party]:
    """Return so many parties of every game on each of these servers."""
    games = [game for game in OPTIONS for _ in range(each)]
    return [Party(journal, kept, guild, game, pace_s=pace_s) for guild in guilds for game in games]
