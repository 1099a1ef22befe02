"""All messages of a table under faults: Discord fails and refuses, answers are lost, the bot is killed, calls overlap.

A seed decides what happens. At the end all faults stop and time passes; then each message must show what it should.
"""

import asyncio
import contextlib
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

import pytest

from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import PageKind, PlayerPage
from cogs.core.publishing import components_v2
from cogs.core.publishing.direct_messages import Told
from cogs.core.publishing.ephemeral_pages import IDLE_MS, EphemeralPage
from cogs.core.publishing.message_sync import SyncedMessage
from cogs.core.publishing.page_builder import PageBuilder
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.threads import header_page
from cogs.core.tables import moves
from engine.contract import Refusal, Seat
from sandbox import Channel, Refused, UserClient
from sandbox.world.events import Event, Posted
from sandbox.world.mentions import users_to_notify
from tools.harness.bot_harness import BotHarness, words_of
from tools.harness.environment import SERVING

Json = dict[str, Any]

SEEDS = range(5)
STEPS = 30

NONCE_MS = 170_000
"""A post whose answer was lost is found again within this time; a little less than Discord remembers its nonce."""

CALLS = 30
"""The most calls that one step may cost, besides one for each fault."""

PLACE, MESSAGE = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
TOKEN, CALLBACK = "/webhooks/*", "/interactions/*"

STAMP = re.compile("^cb:1:[0-9]+:")

NOT_PRESSED = {
    "leave",
    "leave-now",
    "close",
    "rules",
    "learn",
    "practise",
    "lesson",
    "notify",
    "repost",
    "play",
    "review",
}


class Gate:
    """Holds the next call of a kind of message: before it takes effect (`late`), or before its answer is received."""

    def __init__(self, *, late: bool) -> None:
        self.late = late
        self.reached, self.open = asyncio.Event(), asyncio.Event()
        self.reaching = asyncio.create_task(self.reached.wait())
        self.holds: asyncio.Task[Any] | None = None

    async def hold(self, call: Any) -> bool:
        """Make the call."""
        self.holds = asyncio.current_task()
        try:
            if self.late:
                self.reached.set()
                await self.open.wait()
            return bool(await call)
        finally:
            call.close()
            if not self.late:
                self.reached.set()
                await self.open.wait()


class Storm:
    """A game of three in a thread, with a record of all faults so far."""

    def __init__(self, harness: BotHarness, dice: random.Random) -> None:
        self.harness, self.dice = harness, dice
        self.place: Channel
        self.people: tuple[UserClient, ...]
        self.gates: dict[str, Gate] = {}
        self.gate: Gate | None = None
        self.arrived = asyncio.Event()  # whether the bot has received the last press
        self.keys: dict[tuple[str, ...], set[str]] = {}  # direct messages by their text
        self.calls = 0  # how many had been made before this step
        self.posted: list[Json] = []  # by the bot, in this step
        self.lost: set[str] = set()  # messages that the bot may not know it has posted
        self.excused: set[str] = set()  # those of them that it cannot find again
        self.present: set[str] = set()  # those that it keeps up to date
        self.gone: set[int] = set()  # users whose page was refused
        self.reminders = Counter[tuple[int, str]]()  # the number of mentions, by turn and user
        harness.sandbox.state.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Posted) and event.message.json["author"]["id"] == self.harness.sandbox.bot_id:
            self.posted.append(event.message.json)
            words = event.message.json["content"]
            if words.startswith("<@") and "wants a rematch" not in words:  # mentioned once more when it starts
                turn = self.harness.view().ui_version
                self.reminders.update((turn, user.id) for user, _ in users_to_notify(event.message))

    async def begin(self, game: str, people: Collection[UserClient], **options: Any) -> None:
        """Start a game in a thread."""
        harness = self.harness
        self.people = (harness.ann, *people)
        await harness.ann.command(harness.yard, "settings threads", use="on")
        await harness.ann.command(harness.yard, f"{game} start", clock=0, **options)
        await harness.settle()
        (self.place,) = [place for place in harness.guild.channels.values() if place.parent is harness.yard]
        for person, label in (*((person, "Join") for person in people), (harness.ann, "Start")):
            await harness.press(person, label, harness.board(self.place))
            await harness.settle()
        for person in self.people[: 1 + (game == "rope-wall")]:
            await person.command(harness.yard, "notify", how="message")
        await self.step(self.nothing)

    # What happens

    async def step(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do a random thing, wait until the bot is idle, and check what must always hold."""
        self.calls, faults = len(self.harness.sandbox.calls), self._faults()
        self.posted.clear()

        async def work() -> None:
            await self.harness.client.inbound.finder.find(1)
            await act()
            await self.harness.settle()

        working = asyncio.create_task(work())
        too_many = asyncio.create_task(self.harness.sandbox.until(lambda: self._made() > 10 * CALLS))
        await asyncio.wait({working, too_many}, return_when=asyncio.FIRST_COMPLETED)
        too_many.cancel()
        assert working.done(), f"{act.__name__} leads to calls without end"
        await working
        assert self._made() <= CALLS + max(0, faults - self._faults()), f"{act.__name__}: {self._made()} calls"
        await self.harness.client.inbound.finder.find(1)
        self._check(restarted=act in (self.kill, self.crash, self.restart))
        await self.check_beliefs()

    def _made(self) -> int:
        return len(self.harness.sandbox.calls) - self.calls

    def _faults(self) -> int:
        return sum(fault.times for fault in self.harness.sandbox._faults)

    async def nothing(self) -> None:
        """Do nothing."""

    async def move(self) -> None:
        """Make a move as any player who may act."""
        messages = await self.harness.client.inbound.finder.find(1)
        assert messages is not None
        table = messages.table
        seats = [Seat(row.seat) for row in table.snapshot.seats] if table.snapshot.playing else []
        seats = [seat for seat in seats if table.snapshot.legal(seat)]
        if seats:
            seat = self.dice.choice(seats)
            legal = table.snapshot.legal(seat)
            with contextlib.suppress(Refusal):  # a press came first
                await table.act(moves.move, seat, self.dice.choice(legal), self.harness.clock.now())

    async def press(self) -> None:
        """Use a visible control as a random person."""
        who = self.dice.choice(self.people)
        await self._press(who, [*who.messages(self.place)[-4:], *who.dms()[-2:], *who.ephemerals(self.place)[-1:]])

    async def _press(self, who: UserClient, seen: Sequence[Json]) -> None:
        """Use a control of one of these messages, once or twice, without waiting for the answer."""
        parts = [(message, part) for message in seen for part in UserClient.buttons(message) if part.get("custom_id")]
        parts = [
            (message, part)
            for message, part in parts
            if not part.get("disabled") and part["custom_id"].split(":")[3] not in NOT_PRESSED
        ]
        if parts:
            message, part = self.dice.choice(parts)
            options = [option["value"] for option in part.get("options", ())]
            values = self.dice.sample(options, max(1, part.get("min_values", 1))) if options else None
            for _ in range(self.dice.choice((1, 1, 2))):
                await self._start_press(who, message, custom_id=part["custom_id"], values=values)
            await self._served()

    async def open_page(self) -> None:
        """Open a random person's page."""
        who = self.dice.choice(self.people)
        if live := self._live():
            await self._start_press(who, live[-1], label="Play")
            await self._served()

    async def _start_press(self, who: UserClient, message: Json | str, **control: Any) -> None:
        """Press, and return when the bot knows of it."""
        self.arrived.clear()
        with contextlib.suppress(Refused):
            await who.start_press(message, **control)
            await self.arrived.wait()

    async def _served(self) -> None:
        while serving := [task for task in asyncio.all_tasks() if self._serves(task)]:
            reached = () if self.gate is None or self.gate.reached.is_set() else (self.gate.reaching,)
            await asyncio.wait({*serving, *reached}, return_when=asyncio.FIRST_COMPLETED)

    def _serves(self, task: "asyncio.Task[Any]") -> bool:
        return task.get_name().startswith(SERVING) and (self.gate is None or task is not self.gate.holds)

    async def cross(self) -> None:
        """Make a call slow, and others meanwhile."""
        gate = self.gate = Gate(late=self.dice.random() < 0.5)
        kind = self.dice.choice(("TableMessage", "TableMessage", "EphemeralPage", "DirectMessage", "ThreadHeader"))
        self.gates[kind] = gate
        await self.dice.choice((self.move, self.touch, self.touch, self.press))()
        idle = asyncio.create_task(self.harness.settle())
        await asyncio.wait({gate.reaching, idle}, return_when=asyncio.FIRST_COMPLETED)
        for who in self.people:  # a move changes what the slow call shows
            board = [message for message in who.messages(self.place) if message["id"] in self._live()[-1:]]
            seen = {"TableMessage": board, "EphemeralPage": who.ephemerals(self.place)[-1:], "DirectMessage": who.dms()}
            await self._press(who, seen.get(kind, []))
        for _ in range(self.dice.randrange(3)):
            await self.dice.choice((self.press, self.open_page, self.move, self.fault))()
        await self._release(gate, idle)

    async def overtake(self) -> None:
        """Let an edit take effect after the answers to later presses."""
        kind = self.dice.choice(("TableMessage", "TableMessage", "EphemeralPage"))
        gate = self.gate = self.gates[kind] = Gate(late=True)
        await self.touch()
        idle = asyncio.create_task(self.harness.settle())
        await asyncio.wait({gate.reaching, idle}, return_when=asyncio.FIRST_COMPLETED)
        for who in self.people:
            board = [message for message in who.messages(self.place) if message["id"] in self._live()[-1:]]
            await self._press(who, board if kind == "TableMessage" else who.ephemerals(self.place)[-1:])
        await self._release(gate, idle)

    async def _release(self, gate: Gate, idle: "asyncio.Task[None]") -> None:
        self.gates.clear()
        self.gate = None
        gate.open.set()
        gate.reaching.cancel()
        await idle

    async def touch(self) -> None:
        """Send the table message again, so that its controls are new while that call is slow."""
        session = self.harness.messages()
        session.message.invalidate()
        session.header.invalidate()
        for page in session.pages.synced():
            page.invalidate()

    async def fault(self) -> None:
        """Discord will fail once or for a while, or its answers get lost."""
        place = self.dice.choice((PLACE, MESSAGE, MESSAGE, TOKEN, TOKEN, CALLBACK))
        # The library repeats other failures of calls by token itself, after seconds.
        status = 0 if place in (TOKEN, CALLBACK) else self.dice.choice((503, 503, 0, 429))
        method = "POST" if place in (PLACE, CALLBACK) else self.dice.choice(("PATCH", "PATCH", "DELETE"))
        if method == "DELETE":
            place = f"/channels/{self.place.id}/messages/*"
        body = {"retry_after": 0.001} if status == 429 else None
        drop = status != 429 and self.dice.random() < 0.5
        times = 1 if status == 429 else self.dice.choice((1, 1, 2, 5))
        self.harness.sandbox.fault(method, place, status, times=times, body=body, drop=drop)

    async def refusal(self) -> None:
        """Let Discord refuse a call, and something happen."""
        thread = f"/channels/{self.place.id}/messages"
        method, place, status, code = self.dice.choice(
            (
                ("PATCH", f"{thread}/*", 404, 10008),
                ("PATCH", f"{thread}/*", 404, 10003),
                ("PATCH", f"{thread}/*", 403, 50013),
                ("POST", thread, 403, 50013),
                ("DELETE", f"{thread}/*", 403, 50013),
                ("PATCH", TOKEN, 404, 10015),
                ("PATCH", TOKEN, 404, 10008),
                ("PATCH", f"/channels/{self.harness.yard.id}/messages/*", 403, 50013),
            )
        )
        before = set(self.harness.messages().pages.open)
        self.harness.sandbox.fault(method, place, status, body={"code": code, "message": "refused"})
        await self.move()
        await self.harness.settle()
        self.harness.sandbox.mend()
        self.gone |= before - set(self.harness.messages().pages.open)

    async def mend(self) -> None:
        """Discord is well again."""
        self.harness.sandbox.mend()

    async def wait(self) -> None:
        """Time passes."""
        await self.harness.advance(self.dice.choice((1_000, 3_000, 10_000, 10_000, 61_000, 125_000, 840_000)))

    async def minute(self) -> None:
        """Let a minute pass."""
        await self.harness.advance(61_000)

    async def hour(self) -> None:
        """Let an hour pass."""
        await self.harness.advance(3_600_000)

    async def crash(self) -> None:
        """Kill the bot after calls whose answers it does not receive."""
        self.harness.sandbox.fault("*", "*", 0, times=1_000, drop=True)
        await self.move()
        await self.harness.settle()
        await self.kill()

    async def kill(self) -> None:
        """Kill the bot and start it again."""
        await self.harness.kill()
        await self.harness.start()

    async def restart(self) -> None:
        """Stop the bot and start it again."""
        await self.harness.restart()

    async def chat(self) -> None:
        """Let others write so much that the table message is reposted."""
        for number in range(15):
            await self.harness.cleo.say(self.place, f"chat {number}")
        await self.harness.advance(61_000)
        await self.move()

    async def repost(self) -> None:
        """Repost the table message, lose the answer, and play on: there is one message in the end."""
        thread = f"/channels/{self.place.id}/messages"
        self.harness.sandbox.mend()
        self.harness.sandbox.fault("POST", thread, self.dice.choice((0, 503)), drop=True)
        session, before = self.harness.messages(), set(self._live())
        session.message.repost()
        await self.harness.settle()
        await self.move()
        await self.harness.advance(10_000)
        await self.harness.advance(60_000)  # what could not be deleted earlier is gone, too
        assert {message for message in self._live() if message not in before} <= {str(session.message.number)}

    async def outage(self) -> None:
        """Let Discord fail while the game goes on, and recover."""
        self.harness.sandbox.fault("PATCH", MESSAGE, 503, times=3)
        self.harness.sandbox.fault("PATCH", TOKEN, 0, times=3)
        await self.move()
        await self.harness.settle()
        self.harness.sandbox.mend()

    async def delete(self) -> None:
        """Delete the table message as a moderator."""
        if live := self._live():
            await self.harness.ann.delete({"id": live[-1]})

    # What must always hold

    def _live(self) -> list[str]:
        """Return the table messages that can be played on, without those of a rematch."""
        return [
            message["id"]
            for message in self.harness.sandbox.messages(self.place)
            if message["author"]["id"] == self.harness.sandbox.bot_id
            and not message["flags"] & 64
            and any(STAMP.match(part.get("custom_id", "")) for part in UserClient.buttons(message))
        ]

    def _check(self, *, restarted: bool) -> None:
        session, now = self.harness.messages(), self.harness.clock.now()
        received = all(call.status == 200 for call in self.harness.sandbox.calls[self.calls :] if call.method == "POST")
        if restarted or not received:
            self.lost |= {message["id"] for message in self.posted}
        present = {str(session.message.number)}
        present |= {str(row.dm_message) for row in session.table.snapshot.seats}
        if self.excused & present:  # a person used a lost one, which replaced another
            self.excused |= self.present - present
        self.present = present
        old = {message for message in self.lost if now - snowflake_time(int(message)) > NONCE_MS}
        self.excused = (self.excused | (self.lost if restarted else old & self.lost)) - present
        self.lost -= present
        deleting = {str(message) for message in session.cleanup.pending}
        assert set(self._live()) <= present | deleting | self.lost
        assert all(count == 1 for count in self.reminders.values()), self.reminders

    async def check_beliefs(self) -> None:
        """Check that readers see what the bot believes each message shows."""
        session = self.harness.messages()
        if self._is_certain(session.message) and str(session.message.number) in self._live():
            assert await self.harness.shows_latest()
        await self.check_pages(self._is_certain)

    def _is_certain(self, message: SyncedMessage[Any]) -> bool:
        return message._certainly_shown is not None and not message.open and message.trouble is None

    # What must hold at the end

    async def check_end(self) -> None:
        """End all faults, let time pass, and check every message."""
        await self.step(self.mend)
        for _ in range(4):
            await self.step(self.minute)
        await self.check_pages(lambda page: True)
        await self.step(self.hour)  # retries of refused calls may come this late
        if self._live():
            await self.check_table()
        await self.check_header()
        await self.check_direct_messages()
        await self.step(self.move)  # only a call reveals that a message was deleted
        await self.step(self.minute)
        await self.check_table()
        await self.check_header()
        await self.check_direct_messages()

    async def check_table(self) -> None:
        """Check that the table message shows the newest state, and is the only one the bot can know."""
        session = self.harness.messages()
        if session.table.snapshot.ended and not self._live():
            return  # a game that was shown to its end is not posted again
        assert await self.harness.shows_latest()
        assert session.message.trouble is None
        strays = set(self._live()) - {str(session.message.number)}
        assert str(session.message.number) in self._live() and strays <= self.excused
        for stray in strays:  # a press on a control of the game reveals that it is one
            message = self.harness.sandbox.message(stray)
            assert message is not None
            controls = [part["custom_id"] for part in UserClient.buttons(message) if not part.get("disabled")]
            verbs = self.harness.client.inbound.router.verbs
            for control in [one for one in controls if one.split(":")[3] not in verbs][:1]:
                await self.people[0].press(message, control)
                await self.harness.settle()
                assert stray not in self._live()

    async def check_header(self) -> None:
        """Check that the header of the thread shows the newest state."""
        session = self.harness.messages()
        page = header_page(session.ui, session.table.snapshot)
        assert page is not None
        shown = self.harness.sandbox.message(self.place.id)
        assert shown is not None and words_of(shown["components"]) == self._words(page)

    async def check_direct_messages(self) -> None:
        """Check that each person has one direct message with the current state."""
        session, composer = self.harness.messages(), self.harness.client.publishing.page_builder
        for person in self.people:
            row = session.direct_messages.message_of(int(person.id)).row
            assert row is not None and not row.dm_closed
            secret = session.table.game.has_hidden_info
            if row.dm_message is None and not secret:
                continue  # they have had no reminder by direct message yet
            live = [message for message in person.dms() if list(UserClient.buttons(message))]
            assert {message["id"] for message in live} - self.excused == {str(row.dm_message)}
            if not secret:
                continue  # it shows the game as of the reminder
            found = await composer.player_page(session.table.snapshot, int(person.id), kind=PageKind.RESTING)
            shown = next(message for message in live if message["id"] == str(row.dm_message))
            state = Told.load(row)
            assert state.key == found.key
            if not state.reads:
                told = self.keys[tuple(words_of(shown["components"]))]
                assert found.key in told

    async def check_pages(self, which: Callable[[EphemeralPage], bool]) -> None:
        """Check that pages with a valid token show the newest state."""
        session, now = self.harness.messages(), self.harness.clock.now()
        for person in self.people if session.table.snapshot.playing else ():
            page = session.pages.message_of(int(person.id))
            if page.message is None or page.still or not which(page) or now - page.message.at >= IDLE_MS:
                continue
            shown = self.harness.sandbox.message(str(page.message.message))
            found = await self.harness.client.publishing.page_builder.player_page(
                session.table.snapshot, int(person.id), page.look, kind=PageKind.BESIDE
            )
            if shown is not None:
                assert set(self._words(found.page, found.stamp)) <= set(words_of(shown["components"]))

    def _words(self, page: Page, stamp: int = 0) -> list[str]:
        return words_of(components_v2.Layout(page, 1, stamp).to_components())


@pytest.fixture
def storm(request: pytest.FixtureRequest, harness: BotHarness, monkeypatch: pytest.MonkeyPatch) -> Storm:
    """A `Storm` whose calls can be held, and whose direct messages are recorded."""
    storm = Storm(harness, random.Random(request.node.nodeid))
    prove, headed, dispatch = SyncedMessage.prove, PageBuilder._headed, ComponentRouter.dispatch

    async def held(message: SyncedMessage[Any], call: Any, number: int, rendered: Any, **named: bool) -> None:
        gate = storm.gates.pop(type(message).__name__, None)
        await prove(message, call if gate is None else gate.hold(call), number, rendered, **named)

    def noted(builder: PageBuilder, table: Any, found: PlayerPage) -> PlayerPage:
        page = headed(builder, table, found)
        words = words_of(components_v2.Layout(page.page, table.id, page.stamp).to_components())
        storm.keys.setdefault(tuple(words), set()).add(page.key)
        return page

    async def received(router: ComponentRouter, responder: Responder) -> None:
        storm.arrived.set()
        await dispatch(router, responder)

    monkeypatch.setattr(ComponentRouter, "dispatch", received)
    monkeypatch.setattr(SyncedMessage, "prove", held)
    monkeypatch.setattr(PageBuilder, "_headed", noted)
    return storm


@pytest.mark.parametrize("game", ["rope-wall", "prison-break"])
@pytest.mark.parametrize("seed", SEEDS)
async def test_every_message_shows_its_desired_page_in_the_end_whatever_fails(storm: Storm, game: str, seed: int):
    harness = storm.harness
    if game == "rope-wall":
        await storm.begin(game, [harness.ben])
    else:
        await storm.begin(game, [harness.ben, harness.cleo], interludes="off")
    rules = {
        storm.move: 5, storm.press: 6, storm.open_page: 3, storm.cross: 7, storm.overtake: 4, storm.fault: 6,
        storm.refusal: 3, storm.repost: 2, storm.outage: 2, storm.mend: 3, storm.wait: 5, storm.kill: 1,
        storm.crash: 1, storm.restart: 1, storm.chat: 1, storm.delete: 1,
    }  # fmt: skip
    for act in storm.dice.choices(list(rules), list(rules.values()), k=STEPS):
        await storm.step(act)
    await storm.step(storm.repost)
    await storm.step(storm.outage)
    await storm.check_end()
