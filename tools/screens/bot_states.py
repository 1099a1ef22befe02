"""The messages of the whole bot on its sandbox: from the lobby to the end of a game and the pages after it."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import ENGLISH, N_, Language, _, speaking
from cogs.core.ops.errors import UserError
from cogs.core.tables import endings, moves
from sandbox.client.user_client import UserClient
from sandbox.messaging.message_json import walk
from sandbox.world.models import Json
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import open_sandbox, overridden, seeded
from tools.harness.moves import OPTIONS, PEOPLE
from tools.screens.states import State

MOVES = 1_500
"""More moves than any game has."""

LEAVES_AFTER = 9
"""The moves after which a player leaves, so that everybody has something on the table."""

PAGES = (N_("Replay"), N_("Leaderboard"), N_("More …"))
"""Buttons of a finished table whose pages are measured."""

COMMANDS = ("play", "help", "learn", "puzzle", "tables", "stats", "history", "achievements")
"""Commands whose pages are read from the top."""

MOST_PAGES = 40
"""More pages than anything to read has."""


def bot_states(package: GamePackage, most: int, language: Language = ENGLISH) -> Iterator[State]:
    """Play a game among people, and yield what Ann sees: the lobby, the table message and her page at the first `most`
    moments and some later ones, the end, and the pages after it.
    """
    yield from _run(_collected(lambda harness: _game(harness, package, most), package.game.key, language))


def parted_states(package: GamePackage, language: Language = ENGLISH) -> Iterator[State]:
    """Play a game at a full table which a player leaves, and yield Ann's page when she is asked whether it should end,
    and the end.
    """
    yield from _run(_collected(lambda harness: _parted(harness, package), f"parted {package.game.key}", language))


def page_states(language: Language = ENGLISH) -> Iterator[State]:
    """Yield the pages for reading: those of commands, and the rules of each game. They must open with their beginning
    visible.
    """
    yield from _run(_collected(_pages, "pages", language))


def _run(work: Coroutine[Any, Any, list[State]]) -> list[State]:
    """Run it in its own thread, since Playwright has an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _collected(seen: Callable[[BotHarness], AsyncIterator[State]], seed: str, language: Language) -> list[State]:
    """Return what is seen on a server and by people of this language, whose labels of buttons it has, too."""
    with TemporaryDirectory() as folder, overridden(), seeded(f"screens of {seed}"), speaking(language):
        async with open_sandbox() as sandbox:
            harness = BotHarness(sandbox, Path(folder) / "screens.db")
            harness.guild.locale = language.code
            for person in (harness.ann, harness.ben, harness.cleo):
                person.locale = language.code
            await harness.start()
            try:
                return [state async for state in seen(harness)]
            finally:
                await harness.settle()
                await harness.stop()


async def _pages(harness: BotHarness) -> AsyncIterator[State]:
    for command, options in (
        *((name, dict[str, str]()) for name in COMMANDS),
        *((name, {"game": package.game.key}) for name in ("rules", "leaderboard") for package in harness.games),
    ):
        answer = await harness.ann.command(harness.yard, command, **options)
        name = "-".join((command, *options.values()))
        for number in range(1, MOST_PAGES):
            await harness.settle()
            yield _message(harness, f"{name}-{number}", answer.message, asks_above=True)
            buttons = UserClient.buttons(answer.message or {})
            if not any(part.get("label") == _("Next ▶") and not part.get("disabled") for part in buttons):
                break
            answer = await harness.ann.press(answer, label=_("Next ▶"))
    owner = harness.sandbox.add_person("Mona")
    owner.locale = harness.ann.locale
    harness.sandbox.join(owner, harness.guild, harness.sandbox.add_role(harness.guild, "Owners", "MANAGE_GUILD"))
    answer = await owner.command(harness.yard, "settings show")
    yield _message(harness, "settings", answer.message, asks_above=True)


async def _game(harness: BotHarness, package: GamePackage, most: int) -> AsyncIterator[State]:
    key, ann = package.game.key, harness.ann
    people = (ann, harness.ben, harness.cleo)[: PEOPLE.get(key, 2)]
    await ann.command(harness.yard, f"{key.replace('_', '-')} start", clock=0, **OPTIONS[key])
    await harness.settle()
    yield _message(harness, "lobby", harness.board())
    for guest in people[1:]:
        await harness.press(guest, _("Join"))
    yield _message(harness, "lobby-full", harness.board())
    await harness.press(ann, _("Start"))
    await harness.settle()
    dice = random.Random(key)
    for number in range(MOVES):
        table = harness.snapshot()
        if not table.playing:
            break
        seat = table.seat_of(int(ann.id))
        if seat is not None and table.may_act(seat) and (number < most or number % most == 0):
            yield _message(harness, f"{number}-table", harness.board())
            answer = await harness.press(ann, _("Play"))
            yield _message(harness, f"{number}-own", answer.message)
        for person in people:
            await _moved(harness, person, dice)
        await harness.advance(5_500)
    yield _message(harness, "end", harness.board())
    for label in PAGES:
        answer = await harness.press(ann, _(label))
        await harness.settle()
        yield _message(harness, f"end-{label.split()[0]}", answer.message)


async def _parted(harness: BotHarness, package: GamePackage) -> AsyncIterator[State]:
    key, ann = package.game.key, harness.ann
    dov = harness.sandbox.add_person("Dov")
    dov.locale = ann.locale
    harness.sandbox.join(dov, harness.guild)
    people = (ann, dov, harness.ben, harness.cleo)[: package.game.player_counts[-1]]
    await ann.command(harness.yard, f"{key.replace('_', '-')} start", clock=0, **OPTIONS[key])
    for guest in people[1:]:
        await harness.press(guest, _("Join"))
    if harness.snapshot().in_lobby:
        await harness.press(ann, _("Start"))
    dice = random.Random(key)
    for number in range(MOVES):
        table = harness.snapshot()
        if not table.playing:
            break
        if number == LEAVES_AFTER:
            seat = table.seat_of(int(dov.id))
            assert seat is not None
            await harness.messages().table.act(endings.propose, seat, "none", (), harness.clock.now())
            yield _message(harness, "asked-table", harness.board())
            yield _message(harness, "asked-own", (await harness.press(ann, _("Play"))).message)
            asked = await dov.press(await harness.press(dov, _("More …")), label=_("Leave"))
            await dov.press(asked, label=next(part["label"] for part in UserClient.buttons(asked.message or {})))
        for person in people:
            await _moved(harness, person, dice)
        await harness.advance(5_500)
    await harness.settle()
    yield _message(harness, "left-end", harness.board())


async def _moved(harness: BotHarness, person: UserClient, dice: random.Random) -> None:
    """Make a random move for a person, if it is their turn."""
    table = harness.snapshot()
    seat = table.seat_of(int(person.id))
    if table.playing and seat is not None and (legal := table.legal(seat)):
        with contextlib.suppress(UserError):  # a window has just closed
            await harness.messages().table.act(moves.move, seat, dice.choice(legal), harness.clock.now())


def _message(harness: BotHarness, name: str, message: Json | None, *, asks_above: bool = False) -> State:
    """Return a message as a state, with the files of its pictures."""
    assert message is not None, f"nothing is shown at {name}"
    addresses = {
        item["media"]["url"]
        for part in walk(message["components"])
        for item in part.get("items", (part,))
        if "media" in item
    }
    files = {address: harness.sandbox.file(address) for address in addresses}
    return State(name, message["components"], files, asks_above)
