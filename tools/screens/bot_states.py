"""The messages of the whole bot on its sandbox: from the lobby to the end of a game and what leads on from there."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from cogs.core.app.game_package import GamePackage
from cogs.core.ops.errors import UserError
from cogs.core.tables import moves
from sandbox.client.user_client import UserClient
from sandbox.messaging.message_json import walk
from sandbox.world.models import Json
from tools.harness.bot_harness import BotHarness, open_sandbox, overridden, seeded
from tools.harness.moves import OPTIONS, PEOPLE
from tools.screens.states import State

MOVES = 1_500
"""More moves than a game has."""

PAGES = ("Replay", "Leaderboard", "More …")
"""Buttons of a finished table whose pages are looked at."""


def bot_states(package: GamePackage, most: int) -> Iterator[State]:
    """Play a game among people, and yield what Ann sees: the lobby, the table message and her page at the first `most`
    moments and some later ones, the end, and the pages that lead on from there.
    """
    yield from asyncio.run(_collected(package, most))


async def _collected(package: GamePackage, most: int) -> list[State]:
    with TemporaryDirectory() as folder, overridden(), seeded(f"screens of {package.game.key}"):
        async with open_sandbox() as sandbox:
            harness = BotHarness(sandbox, Path(folder) / "screens.db")
            await harness.start()
            try:
                return [state async for state in _game(harness, package, most)]
            finally:
                await harness.settle()
                await harness.stop()


async def _game(harness: BotHarness, package: GamePackage, most: int) -> AsyncIterator[State]:
    key, ann = package.game.key, harness.ann
    people = (ann, harness.ben, harness.cleo)[: PEOPLE.get(key, 2)]
    await ann.command(harness.yard, f"{key.replace('_', '-')} start", clock=0, **OPTIONS[key])
    await harness.settle()
    yield _message(harness, "lobby", harness.board())
    for guest in people[1:]:
        await harness.press(guest, "Join")
    yield _message(harness, "lobby-full", harness.board())
    await harness.press(ann, "Start")
    await harness.settle()
    dice = random.Random(key)
    for number in range(MOVES):
        table = harness.session().table.snapshot
        if not table.playing:
            break
        seat = table.seat_of(int(ann.id))
        if seat is not None and table.may_act(seat) and (number < most or number % most == 0):
            yield _message(harness, f"{number}-table", harness.board())
            answer = await harness.press(ann, "Play")
            yield _message(harness, f"{number}-own", answer.message)
        for person in people:
            await _moved(harness, person, dice)
        await harness.advance(5_500)
    yield _message(harness, "end", harness.board())
    for label in PAGES:
        answer = await harness.press(ann, label)
        await harness.settle()
        yield _message(harness, f"end-{label.split()[0]}", answer.message)


async def _moved(harness: BotHarness, person: UserClient, dice: random.Random) -> None:
    """Make a random move for a person, if it is their turn."""
    table = harness.session().table.snapshot
    seat = table.seat_of(int(person.id))
    if table.playing and seat is not None and (legal := table.legal(seat)):
        with contextlib.suppress(UserError):  # a window has just closed
            await harness.session().table.act(moves.move, seat, dice.choice(legal), harness.clock.now())


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
