"""The whole bot on the sandbox: the real client, the real store, a clock whose hands the tests turn."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Collection, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

import bot
from cogs.core.app import client, healthcheck, rate_limit
from cogs.core.app.client import Cellblock
from cogs.core.app.game_package import GamePackage
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.config import Config, point_at
from cogs.core.ops.errors import UserError
from cogs.core.publishing import components_v2, covers, responder
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import moves
from cogs.core.tables.bot_workers import BotWorkers
from cogs.core.tables.bots import TableBots
from cogs.core.tables.draft_store import TableDrafts
from cogs.records import upkeep
from cogs.registry import GAMES
from engine.contract import Moment, Seat, View
from sandbox import PATIENCE_S, ActionResult, Channel, Sandbox, UserClient, snapshot, walk
from tools.harness.raw_database import Raw

Json = dict[str, Any]


BEGINNING = 1_795_608_000_000
"""When tests begin: a Wednesday at noon, late in November 2026, whose puzzles are those of that day."""


AT_ONCE = 1_000_000
"""So many calls that nobody asked for go out while the clock stands: no test waits for the pace of others."""


SERVING = ("CommandTree-", "discord-ui-", "discord.py: on_")
"""How the client names its tasks that serve an interaction or hear of an event."""


BEHIND_MORE = {"What can I do?", "Text view", "Rules", "Fair chance", "Leave", "I am back"}


BEHIND_MANAGE = {"Options", "Close the table", "Add Trainee", "Add Master"}


class ManualClock:
    """The sandbox's clock, as the bot reads it. It stands still, at the same moment in every test: no time passes but
    what `advance` lets, so that a busy machine misses no window, and what falls due waits until they are moved past it.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._advanced = asyncio.Event()
        sandbox.stop_clock()
        sandbox.move_clock(BEGINNING - self.now())

    def now(self) -> Moment:
        return Moment(self._sandbox.state.clock.now_ms())

    def received(self, at: Moment) -> None:
        """The clock is Discord's own; there is nothing to set."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        ringing = asyncio.create_task(bell.wait())
        try:
            while not bell.is_set() and self.now() < until:
                advanced = asyncio.create_task(self._advanced.wait())
                await asyncio.wait({ringing, advanced}, return_when=asyncio.FIRST_COMPLETED)
                advanced.cancel()
        finally:
            ringing.cancel()

    def advance(self, ms: int) -> None:
        self._sandbox.move_clock(ms)
        self._advanced.set()
        self._advanced = asyncio.Event()


def words_of(components: list[Json]) -> list[str]:
    """The texts and controls of a message, in order."""
    return [
        part.get("content") or part.get("custom_id") or "" for part in walk(components) if part["type"] in (2, 3, 10)
    ]


@contextlib.asynccontextmanager
async def connected(client: Cellblock, sandbox: Sandbox) -> AsyncIterator["asyncio.Task[None]"]:
    """Connect a client with the sandbox, and close it in the end; the task ends by itself where it cannot connect."""
    connection = asyncio.create_task(client.start(sandbox.token))
    try:
        yield connection
    finally:
        await client.close()
        connection.cancel()  # the library may be waiting to try again
        await asyncio.wait({connection}, timeout=PATIENCE_S)


def table_messages(sandbox: Sandbox, channel: Channel) -> list[Json]:
    """All table messages that stand in a channel, oldest first."""
    return [
        message
        for message in sandbox.messages(channel)
        if message["author"]["id"] == sandbox.bot_id and message["components"] and not message["flags"] & 64
    ]


class BotHarness:
    """A server with a channel, three people, and the bot, which can be stopped and started again; they are new unless
    a `world` that was kept of another sandbox is given.
    """

    def __init__(self, sandbox: Sandbox, database: Path | str, world: Json | None = None) -> None:
        self.sandbox = sandbox
        self.database = database
        self.games: tuple[GamePackage, ...] = GAMES
        self.clock = ManualClock(sandbox)
        if world is None:
            guild = sandbox.add_guild("Alcatraz")
            sandbox.add_channel(guild, "yard")
            for name in ("Ann", "Ben", "Cleo"):
                sandbox.add_person(name, guild, administrator=name == "Ann")
        else:
            snapshot.load(sandbox.state, world)
        (self.guild,) = sandbox.state.guilds.values()
        self.yard: Channel = next(channel for channel in self.guild.channels.values() if channel.name == "yard")
        people: Iterator[UserClient] = (
            sandbox.person(user.id) for user in sandbox.state.users.values() if not user.bot
        )
        self.ann, self.ben, self.cleo = people
        self._open: contextlib.AsyncExitStack | None = None
        self.client: Cellblock

    async def start(self, **config: object) -> None:
        """Start the bot, and return when it is ready."""
        settings = Config(None, self.database, **{"own_emoji": False, **config})  # type: ignore[arg-type]  # a test names fields of Config
        async with contextlib.AsyncExitStack() as stack:
            running = bot.running(settings, self.clock, BotWorkers(0, steps=40), self.games)
            self.client = await stack.enter_async_context(running)
            connection = await stack.enter_async_context(connected(self.client, self.sandbox))
            here = asyncio.create_task(self.sandbox.until(self._is_here, timeout=PATIENCE_S))
            await asyncio.wait({here, connection}, return_when=asyncio.FIRST_COMPLETED)
            if connection.done():
                here.cancel()
                connection.result()
            await here
            self._open = stack.pop_all()

    def _is_here(self) -> bool:
        guild = self.client.get_guild(int(self.guild.id))
        return guild is not None and not guild.unavailable

    async def stop(self) -> None:
        if self._open is not None:
            stack, self._open = self._open, None
            await stack.aclose()

    async def restart(self, away_ms: int = 0) -> None:
        """Stop the bot, let time pass, and start it again."""
        await self.stop()
        self.clock.advance(away_ms)
        await self.start()

    async def without_tokens(self, table: int = 1) -> None:
        """Let every interaction's token be forgotten, so that edits count as the bot's own."""
        await self.restart()
        assert await self.client.tables.find(table) is not None
        await self.settle()

    async def kill(self) -> None:
        """End the bot as a crash would: from now on nothing goes to disk, and nothing to Discord."""
        store: Any = self.client.tables.store
        await store.database.finish()
        self.sandbox.fault("*", "*", 0, times=1_000_000)
        await self.stop()
        self.sandbox.mend()
        if isinstance(self.database, str):
            Raw(self.database)("UPDATE processes SET until = 0")  # nobody waits until its lease has run out

    async def shows_latest(self, table: int = 1) -> bool:
        """Whether the message of a table shows how it stood when it was last committed: words, controls, picture."""
        tables = self.client.tables
        session = await tables.find(table)
        assert session is not None
        await self.settle()
        rendered = await tables.composer.table_page(session.table.snapshot)
        message = self.sandbox.message(str(session.message.message))
        if message is None:
            return False
        pictures = [item["media"]["url"] for part in walk(message["components"]) for item in part.get("items", ())]
        return words_of(message["components"]) == words_of(
            components_v2.Layout(rendered.page, table, rendered.stamp).to_components()
        ) and ([self.sandbox.file(url) for url in pictures] == [picture.data for picture in rendered.page.pictures()])

    async def settle(self) -> None:
        """Wait until the bot has served what it was asked, and shown and sent all that it means to."""
        while serving := [task for task in asyncio.all_tasks() if task.get_name().startswith(SERVING)]:
            await asyncio.wait(serving)
        await self.client.tables.settle()

    async def advance(self, ms: int) -> None:
        """Let time pass, and the bot do what falls due."""
        self.clock.advance(ms)
        for _ in range(3):  # the scheduler wakes, its calls run, what they set going is waited for
            await asyncio.sleep(0)
            await self.client.tables.scheduler.idle()
            await self.settle()

    def session(self, table: int = 1) -> TableMessages:
        """The live table with this number."""
        return self.client.tables.publisher.of(self.client.tables.registry.present[table])

    def computers(self, table: int = 1) -> TableBots:
        """The computer players at a live table."""
        return self.client.tables.bots.of(self.session(table).table)

    def drafts(self, table: int = 1) -> TableDrafts:
        """What people have begun at a live table."""
        return self.client.tables.drafts.of(self.session(table).table)

    def view(self, seat: Seat | None = None, table: int = 1) -> Any:
        """What a seat, or the public, may know of the game at a table, whichever it is."""
        return self.session(table).table.snapshot.view(seat)

    def board(self, channel: Channel | None = None) -> Json:
        """The newest table message of a channel."""
        return table_messages(self.sandbox, channel or self.yard)[-1]

    def mentions(self) -> list[str]:
        """The lines of the channel that mention somebody, or invite them."""
        texts = (message["content"] for message in self.sandbox.messages(self.yard))
        return [text for text in texts if text.startswith("<@")]

    async def events(self, table: int = 1) -> list[Any]:
        """The events of a table, as they are on the disk."""
        live = self.session(table).table
        return [live.game.read_event(body) for body in await live.store.games.events(table)]

    def public(self) -> str:
        """All text on the newest table message."""
        return UserClient.visible_text(self.board())

    async def press(self, who: UserClient, label: str, message: Json | ActionResult | None = None) -> ActionResult:
        """Press the button with this label on the table message (or another one); what stands behind *More …* there
        is found by two presses, and so is what stands behind *Manage* in a lobby.
        """
        message = message or self.board()
        shown = message.message if isinstance(message, ActionResult) else message
        labels = {part.get("label") for part in UserClient.buttons(shown or {})}
        if label in BEHIND_MORE and label not in labels and "More …" in labels:
            message = await who.press(message, label="More …")
        elif label in BEHIND_MANAGE and label not in labels and "Manage" in labels:
            message = await who.press(message, label="Manage")
        return await who.press(message, label=label)

    async def begin(self, game: str, *guests: UserClient, **options: Any) -> None:
        """Let Ann open the next table, these people join her, and the game begin; without a clock if none is named."""
        await self.ann.command(self.yard, f"{game} start", **{"clock": 0, **options})
        for guest in guests:
            await self.press(guest, "Join")
        await self.press(self.ann, "Start")
        await self.settle()

    async def two_at_the_wall(self, clock: int = 0) -> None:
        """Let Ann and Ben begin the Rope Wall at the next table."""
        await self.begin("rope-wall", self.ben, clock=clock)

    async def against_a_computer(self, clock: int = 0) -> None:
        """Let Ann play the Rope Wall against a computer, which is to move."""
        await self.ann.command(self.yard, "rope-wall start", computer="rookie", clock=clock)
        await self.settle()
        if self.view().turn == 0:
            await self.push()
            await self.settle()

    async def leave(self, who: UserClient) -> ActionResult:
        """Let somebody leave the game, who is asked whether they mean it; return what they see then."""
        asked = await self.press(who, "Leave")
        return await self.press(who, "Leave the game", asked)

    async def restart_unseen(self) -> None:
        """Restart between two moves: everybody knows what they knew."""
        await self.settle()
        before = self.views()
        await self.restart()
        await self.press(self.ann, "Text view")
        assert self.views() == before

    def awaited(self, table: int = 1) -> UserClient:
        """The person whose turn it is; in an interlude somebody who is not ready."""
        live = self.session(table).table
        can = (
            Seat(row.seat)
            for row in live.snapshot.seats
            if row.user is not None and live.snapshot.may_act(Seat(row.seat))
        )
        seat = next(iter((*live.snapshot.view(None).to_act, *can)))
        user = live.snapshot.seats[seat].user
        return next(person for person in (self.ann, self.ben, self.cleo) if int(person.id) == user)

    def idle(self, table: int = 1) -> UserClient:
        """Ann or Ben, whoever is not to move."""
        return self.ben if self.awaited(table) is self.ann else self.ann

    def views(self, table: int = 1) -> list[View]:
        """What the public and each seat may know of a table."""
        live = self.session(table).table
        return [live.snapshot.view(None), *(live.snapshot.view(Seat(row.seat)) for row in live.snapshot.seats)]

    async def finish(self, *people: UserClient, table: int = 1) -> None:
        """Let these people play at random, and the computers as they do, until the game is over."""
        dice = random.Random(table)
        for _ in range(1_500):
            live = self.session(table).table
            if not live.snapshot.playing:
                return
            for person in people:
                seat = live.snapshot.seat_of(int(person.id))
                if (
                    seat is not None
                    and seat in live.snapshot.view(None).to_act
                    and (legal := live.snapshot.legal(seat))
                ):
                    with contextlib.suppress(UserError):  # a window has just closed
                        await self.session(table).table.act(moves.move, seat, dice.choice(legal), self.clock.now())
            await self.advance(5_500)
        raise AssertionError("the game does not end")

    def pushes(self, table: int = 1) -> int:
        """How many pushes the present round of the Rope Wall has seen."""
        view: Any = self.session(table).table.snapshot.view(None)
        return 80 - int(view.pushes_left)

    def controls(self, verb: str, message: Json | ActionResult | None = None) -> list[str]:
        """The custom_ids of a verb that can be pressed on the table message (or another one)."""
        return [
            part["custom_id"]
            for part in UserClient.buttons(message or self.board())
            if part.get("custom_id", "").split(":")[3:4] == [verb] and not part.get("disabled")
        ]

    async def press_anything(
        self, who: UserClient, page: Json | ActionResult, dice: random.Random, *, but: Collection[str]
    ) -> ActionResult | None:
        """Let somebody press any control of a page `but` those of these verbs, and pick what it asks for; None if there
        is no other.
        """
        parts = [part for part in UserClient.buttons(page) if part.get("custom_id") and not part.get("disabled")]
        parts = [part for part in parts if part["custom_id"].split(":")[3] not in but]
        if not parts:
            return None
        part = dice.choice(parts)
        options = [option["value"] for option in part.get("options", ())]
        chosen = dice.sample(options, max(1, part.get("min_values", 1))) if options else []
        answer = await who.press(page, part["custom_id"], values=chosen or None)
        await self.settle()
        return answer

    async def press_and_read(self, who: UserClient, label: str) -> str:
        """Let somebody press the button with this label on the table message; return what they are told: by an answer,
        or on the page that they have open.
        """
        answer = await self.press(who, label)
        await self.settle()
        return "\n".join((answer.text, *map(UserClient.visible_text, who.ephemerals(self.yard))))

    async def push(self, number: int = 0, table: int = 1) -> ActionResult:
        """Let whose turn it is press one of the open openings."""
        return await self.awaited(table).press(self.board(), self.controls("push")[number])


async def cold(tables: TableService) -> None:
    """Draw nothing in advance: most of what a start costs would be pictures that the test does not look at."""


@contextlib.asynccontextmanager
async def patience(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """Open a sandbox for bots on a busy machine, to which the library is pointed; in the end nothing may have broken
    Discord's rules.
    """
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    monkeypatch.setattr(responder, "HOLD_AFTER_S", PATIENCE_S)  # the first answer is the whole one
    monkeypatch.setattr(covers, "WAIT_S", PATIENCE_S)  # the first lobby shows the cover
    monkeypatch.setattr(upkeep, "PATIENCE_S", PATIENCE_S)  # a leaderboard has the game that has just ended
    monkeypatch.setattr(healthcheck, "ANSWER_WITHIN_S", PATIENCE_S)
    monkeypatch.setattr(rate_limit, "AT_ONCE", AT_ONCE)
    monkeypatch.setattr(client, "warm", cold)
    async with Sandbox(answer_within_ms=PATIENCE_S * 1_000, window_scale=0.02, reaction_ms=0) as sandbox:
        point_at(sandbox.api, sandbox.gateway)
        yield sandbox
        assert sandbox.violations == []
