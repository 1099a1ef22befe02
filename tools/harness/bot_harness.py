"""The whole bot in this process, on a sandbox: the real client and store, and what tests do with them."""

import asyncio
import contextlib
import random
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import bot
from cogs.core.app.client import Cellblock
from cogs.core.app.game_package import GamePackage
from cogs.core.ops.config import Config
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import FRESH
from cogs.core.publishing import components_v2
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import moves
from cogs.core.tables.bot_workers import BotWorkers
from cogs.core.tables.bots import TableBots
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.snapshot import TableSnapshot
from cogs.registry import GAMES
from engine.contract import Seat, View
from sandbox import PATIENCE_S, ActionResult, Channel, Sandbox, UserClient, snapshot, walk
from tools.harness.environment import SERVING, ManualClock, connected, settle, shipped
from tools.harness.raw_database import Raw

Json = dict[str, Any]

BEHIND_MORE = {"What can I do?", "Text view", "Rules", "Fairness", "Leave", "I'm back"}
"""Buttons that a table message may show only after *More …*."""
BEHIND_MANAGE = {"Options", "Close the table", "Add Trainee", "Add Master"}
"""Buttons of a lobby that are behind *Manage*."""

_STAMPED = re.compile(r"^(cb:\d+:)(\d+)(?=:)")


def words_of(components: list[Json]) -> list[str]:
    """Return the texts and custom_ids of a message in order, with every select unused."""
    parts = (part for part in walk(components) if part["type"] in (2, 3, 10))
    words = (part.get("content") or part.get("custom_id") or "" for part in parts)
    return [_STAMPED.sub(lambda found: f"{found[1]}{int(found[2]) % FRESH}", text) for text in words]


def table_messages(sandbox: Sandbox, channel: Channel) -> list[Json]:
    """Return all table messages of a channel, oldest first."""
    return [
        message
        for message in sandbox.messages(channel)
        if message["author"]["id"] == sandbox.bot_id and message["components"] and not message["flags"] & 64
    ]


class BotHarness:
    """A server with a channel and three people, and the bot, which can be stopped and restarted.

    `world` is a snapshot of another sandbox to restore; without it the server is new.
    """

    def __init__(self, sandbox: Sandbox, database: Path | str, world: Json | None = None) -> None:
        self.sandbox = sandbox
        self.database = database
        self.games: tuple[GamePackage, ...] = GAMES
        self.languages = shipped()
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
        self._tasks: set[asyncio.Task[Any]] = set()
        asyncio.get_running_loop().set_task_factory(self._create_task)
        self.client: Cellblock

    async def start(self, **config: object) -> None:
        """Start the bot and return when it is ready. `config` sets fields of `Config`."""
        settings = Config(None, self.database, **{"own_emoji": False, **config})  # type: ignore[arg-type]  # callers name fields of Config
        async with contextlib.AsyncExitStack() as stack:
            running = bot.running(settings, self.clock, BotWorkers(0, steps=40), self.games, languages=self.languages)
            self.client = await stack.enter_async_context(running)
            connection = await stack.enter_async_context(connected(self.client, self.sandbox))
            here = asyncio.create_task(self.sandbox.until(self._is_here, timeout=PATIENCE_S))
            await asyncio.wait({here, connection}, return_when=asyncio.FIRST_COMPLETED)
            if connection.done():
                here.cancel()
                connection.result()
            await here
            self._open = stack.pop_all()

    def _create_task(self, loop: asyncio.AbstractEventLoop, work: Any, **details: Any) -> "asyncio.Task[Any]":
        """Create a task and note it until it is done: `asyncio.all_tasks` walks those of earlier tests, too."""
        task = asyncio.Task(work, loop=loop, **details)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _is_here(self) -> bool:
        guild = self.client.get_guild(int(self.guild.id))
        return guild is not None and not guild.unavailable

    async def stop(self) -> None:
        """Stop the bot, if it runs."""
        if self._open is not None:
            stack, self._open = self._open, None
            await stack.aclose()

    async def restart(self, away_ms: int = 0) -> None:
        """Stop the bot, let time pass, and start it again."""
        await self.stop()
        self.clock.advance(away_ms)
        await self.start()

    async def without_tokens(self, table: int = 1) -> None:
        """Restart, so that no interaction token is known and every edit uses the bot's token."""
        await self.restart()
        assert await self.client.inbound.finder.find(table) is not None
        await self.settle()

    async def kill(self) -> None:
        """End the bot like a crash: nothing more is written to disk or sent to Discord."""
        store: Any = self.client.store
        await store.database.finish()
        self.sandbox.fault("*", "*", 0, times=1_000_000)
        await self.stop()
        self.sandbox.mend()
        if isinstance(self.database, str):
            Raw(self.database)("UPDATE processes SET until = 0")  # end its lease now, so that nobody waits for it

    async def shows_latest(self, table: int = 1) -> bool:
        """Return True if a table's message shows its last committed state: text, controls and picture."""
        messages = await self.client.inbound.finder.find(table)
        assert messages is not None
        await self.settle()
        rendered = await self.client.publishing.page_builder.table_page(messages.table.snapshot)
        message = self.sandbox.message(str(messages.message.number))
        if message is None:
            return False
        pictures = [
            item["media"]["url"]
            for part in walk(message["components"])
            for item in part.get("items", (part,))
            if "media" in item
        ]
        return words_of(message["components"]) == words_of(
            components_v2.Layout(rendered.page, table, rendered.stamp).to_components()
        ) and ([self.sandbox.file(url) for url in pictures] == [picture.data for picture in rendered.page.pictures()])

    async def settle(self) -> None:
        """Wait until the bot has served every interaction and has sent every message and edit."""
        while serving := [task for task in self._tasks if task.get_name().startswith(SERVING)]:
            await asyncio.wait(serving)
        await settle(self.client)

    async def advance(self, ms: int) -> None:
        """Move the clock forward, and wait until the bot has run the jobs that are due."""
        self.clock.advance(ms)
        for _ in range(3):  # the scheduler wakes, its jobs run, and what they start is awaited
            await asyncio.sleep(0)
            await self.client.tables.scheduler.idle()
            await self.settle()

    def messages(self, table: int = 1) -> TableMessages:
        """Return the messages of the loaded table with this number."""
        return self.client.publishing.publisher.of(self.client.tables.registry.present[table])

    def snapshot(self, table: int = 1) -> TableSnapshot:
        """Return the loaded table with this number, as it is now."""
        return self.client.tables.registry.present[table].snapshot

    def computers(self, table: int = 1) -> TableBots:
        """Return the computer players of a loaded table."""
        return self.client.tables.bots.of(self.messages(table).table)

    def drafts(self, table: int = 1) -> TableDrafts:
        """Return the drafts at a loaded table."""
        return self.client.tables.drafts.of(self.messages(table).table)

    def view(self, seat: Seat | None = None, table: int = 1) -> Any:
        """Return the view of a seat, or the public view."""
        return self.snapshot(table).view(seat)

    def board(self, channel: Channel | None = None) -> Json:
        """Return the newest table message of a channel."""
        return table_messages(self.sandbox, channel or self.yard)[-1]

    def mentions(self) -> list[str]:
        """Return the messages of the channel that start with a mention."""
        texts = (message["content"] for message in self.sandbox.messages(self.yard))
        return [text for text in texts if text.startswith("<@")]

    async def events(self, table: int = 1) -> list[Any]:
        """Return the stored events of a table."""
        live = self.messages(table).table
        return [live.game.read_event(body) for body in await live.store.games.events(table)]

    def public(self) -> str:
        """Return all text of the newest table message."""
        return UserClient.visible_text(self.board())

    async def press(self, who: UserClient, label: str, message: Json | ActionResult | None = None) -> ActionResult:
        """Press the button with this label on the table message (or another one). Open *More …* first, or *Manage* in a
        lobby, if the button is behind it.
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
        """Open the next table as Ann, let `guests` join, and start the game. There is no clock unless one is set."""
        await self.ann.command(self.yard, f"{game} start", **{"clock": 0, **options})
        for guest in guests:
            await guest.press(self.board(), self.controls("join")[0])
        if begin := self.controls("begin"):  # a full table with computers starts automatically
            await self.ann.press(self.board(), begin[0])
        await self.settle()

    async def two_at_the_wall(self, clock: int = 0) -> None:
        """Start the Rope Wall for Ann and Ben at the next table."""
        await self.begin("rope-wall", self.ben, clock=clock)

    async def against_a_computer(self, clock: int = 0) -> None:
        """Start the Rope Wall for Ann against a bot, and make a move if Ann is first."""
        await self.ann.command(self.yard, "rope-wall start", computer="rookie", clock=clock)
        await self.settle()
        if self.view().turn == 0:
            await self.push()
            await self.settle()

    async def leave(self, who: UserClient) -> ActionResult:
        """Leave the game and confirm it; return the last answer."""
        asked = await self.press(who, "Leave")
        return await self.press(who, "Leave the game", asked)

    async def resign(
        self, who: UserClient, *, channel: Channel | None = None, table: int | None = None
    ) -> ActionResult:
        """Resign at the Rope Wall by the command and confirm it; return the last answer."""
        options = {} if table is None else {"table": table}
        asked = await who.command(channel or self.yard, "rope-wall resign", **options)
        sure = any(part.get("label") == "Resign the game" for part in UserClient.buttons(asked.message or {}))
        return await who.press(asked, label="Resign the game") if sure else asked

    async def restart_unseen(self) -> None:
        """Restart between two moves, and check that every view is unchanged."""
        await self.settle()
        before = self.views()
        await self.restart()
        await self.press(self.ann, "Text view")
        assert self.views() == before

    def awaited(self, table: int = 1) -> UserClient:
        """Return the person to act; between rounds, a person who is not ready."""
        live = self.snapshot(table)
        can = (Seat(row.seat) for row in live.seats if row.user is not None and live.may_act(Seat(row.seat)))
        return self.person_at(next(iter((*live.view(None).to_act, *can))), table)

    def person_at(self, seat: int | None, table: int = 1) -> UserClient:
        """Return the person in a seat."""
        assert seat is not None
        user = self.snapshot(table).seats[seat].user
        return next(person for person in (self.ann, self.ben, self.cleo) if int(person.id) == user)

    def idle(self, table: int = 1) -> UserClient:
        """Return the one of Ann and Ben who is not on turn."""
        return self.ben if self.awaited(table) is self.ann else self.ann

    def views(self, table: int = 1) -> list[View]:
        """Return the public view of a table and the view of each seat."""
        live = self.snapshot(table)
        return [live.view(None), *(live.view(Seat(row.seat)) for row in live.seats)]

    async def finish(self, *people: UserClient, table: int = 1, at_once: int = 1) -> None:
        """Play until the game is over: people at random, computer players as usual. The clock moves, and messages are
        sent, each time that people have had their turn `at_once` times.
        """
        dice = random.Random(table)
        for number in range(1_500):
            live = self.snapshot(table)
            if not live.playing:
                return
            for person in people:
                seat = live.seat_of(int(person.id))
                if seat is not None and seat in live.view(None).to_act and (legal := live.legal(seat)):
                    with contextlib.suppress(UserError):  # a window has just closed
                        await self.messages(table).table.act(moves.move, seat, dice.choice(legal), self.clock.now())
            if number % at_once == 0:
                await self.advance(5_500)
        raise AssertionError("the game does not end")

    def pushes(self, table: int = 1) -> int:
        """Return how many pushes the current round of the Rope Wall has had."""
        view: Any = self.snapshot(table).view(None)
        return 120 - int(view.pushes_left)

    def controls(self, verb: str, message: Json | ActionResult | None = None) -> list[str]:
        """Return the custom_ids of a verb's enabled controls on the table message (or another one)."""
        return [
            part["custom_id"]
            for part in UserClient.buttons(message or self.board())
            if part.get("custom_id", "").split(":")[3:4] == [verb] and not part.get("disabled")
        ]

    async def press_anything(
        self, who: UserClient, page: Json | ActionResult, dice: random.Random, *, but: Collection[str]
    ) -> ActionResult | None:
        """Use a random control of a page, except those with the verbs `but`. Return None if there is none."""
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
        """Press a button of the table message. Return the text of the answer and of every private page."""
        answer = await self.press(who, label)
        await self.settle()
        return "\n".join((answer.text, *map(UserClient.visible_text, who.ephemerals(self.yard))))

    async def push(self, number: int = 0, table: int = 1) -> ActionResult:
        """Push as the player to move, by the button with this index."""
        return await self.awaited(table).press(self.board(), self.controls("push")[number])
