"""What outranks every feature: acknowledged is committed, answered in time, and nobody learns what is not theirs.

Each guarantee has more tests where its parts are; these hold it for every way to act, from outside.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.publishing import responder
from cogs.core.tables import moves
from sandbox import ActionResult, Channel, UserClient
from sandbox.messaging.interaction import Interaction
from sandbox.world.events import Edited, Event, MessageDeleted, Posted
from sandbox.world.models import Message
from tests.cogs.core.test_full_disk import Disk, disk
from tools.harness.bot_harness import House, patience

__all__ = ["disk"]  # a fixture

Json = dict[str, Any]

CALMLY = 3_000


class SlowDisk(Disk):
    """A disk that takes as long for each write as a test wants."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self.asked = asyncio.Event()
        self._goes_on = asyncio.Event()

    def hold(self) -> None:
        self._writer.write = self._held

    def release(self) -> None:
        self._goes_on.set()
        self.empty()

    async def _held(self, work: object, **kind: bool) -> Any:
        self.asked.set()
        await self._goes_on.wait()
        return await self._write(work, **kind)


def shown(house: House, *, but: UserClient | None = None) -> list[Json]:
    """All messages that anybody sees, or anybody `but` one person."""
    messages = [message for place in places(house) for message in house.sandbox.messages(place)]
    if but is None:
        return messages
    own = {message["id"] for message in [*but.ephemerals(house.yard), *but.dms()]}
    return [message for message in messages if message["id"] not in own]


def places(house: House) -> list[Channel]:
    return [house.yard, house.ann.dm, house.ben.dm, house.cleo.dm]


async def a_while() -> None:
    """Let everything go on that can."""
    for _ in range(200):
        await asyncio.sleep(0)


# Acts: each leads to a press or command, and returns how to do that

Go = Callable[[], Awaitable[Interaction]]
Act = Callable[[House], Awaitable[Go]]


async def prison(house: House) -> UserClient:
    """Three begin Prison Break, a game of secrets; return who is awaited."""
    await house.begin("prison-break", house.ben, house.cleo)
    return house.awaited()


def command(who: UserClient, house: House, name: str, **options: Any) -> Go:
    async def go() -> Interaction:
        return who.start_command(house.yard, name, options)

    return go


async def push_at_the_table(house: House) -> Go:
    await house.two_at_the_wall()
    return lambda: house.awaited().start_press(house.board(), house.controls("push")[0])


async def sneak_on_the_page(house: House) -> Go:
    who = await prison(house)
    page = await house.press(who, "Play")
    return lambda: who.start_press(page, label="say 1, go 1")


async def sneak_on_the_direct_message(house: House) -> Go:
    who = await prison(house)
    return lambda: who.start_press(who.dms()[-1], label="say 1, go 1")


async def sneak_by_command(house: House) -> Go:
    return command(await prison(house), house, "prison-break sneak", say=1, go=1)


async def note_by_form(house: House) -> Go:
    who = await prison(house)
    form = await who.command(house.yard, "prison-break note")
    return lambda: who.start_submit(form.interaction, {"text": "Ben lies"})


async def join_a_lobby(house: House) -> Go:
    await house.ann.command(house.yard, "prison-break start", clock=0)
    return lambda: house.ben.start_press(house.board(), label="Join")


async def start_a_game(house: House) -> Go:
    await join_a_lobby(house)
    await house.press(house.ben, "Join")
    return lambda: house.ann.start_press(house.board(), label="Start")


async def set_an_option(house: House) -> Go:
    await join_a_lobby(house)
    options = await house.press(house.ann, "Options")
    menu = next(part for part in UserClient.buttons(options) if part["type"] == 3)
    value = next(option["value"] for option in menu["options"] if not option.get("default"))
    return lambda: house.ann.start_press(options, menu["custom_id"], values=[value])


async def leave_a_game(house: House) -> Go:
    await prison(house)
    asked = await house.press(house.ben, "Leave")
    return lambda: house.ben.start_press(asked, label="Leave the game")


async def resign(house: House) -> Go:
    await house.two_at_the_wall()
    return command(house.ben, house, "rope-wall resign")


ACTS = (
    push_at_the_table,
    sneak_on_the_page,
    sneak_on_the_direct_message,
    sneak_by_command,
    note_by_form,
    join_a_lobby,
    start_a_game,
    set_an_option,
    leave_a_game,
    resign,
)
"""Every way to move, and to come and go."""

every_act = pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)


# 1. Nothing is acknowledged before it is committed


@every_act
async def test_an_act_is_neither_answered_nor_shown_to_anybody_while_it_is_written(house: House, act: Act):
    go, slow = await act(house), SlowDisk(house)
    await house.settle()
    before = shown(house)
    slow.hold()
    interaction = await go()
    await slow.asked.wait()
    await a_while()
    assert interaction.answer is None and shown(house) == before
    slow.release()
    await interaction.answered.wait()
    await house.settle()
    assert interaction.failed is None and shown(house) != before


@every_act
async def test_an_act_that_cannot_be_written_is_told_so_in_one_sentence_and_shown_to_nobody_else(
    house: House, disk: Disk, act: Act
):
    go = await act(house)
    await house.settle()
    disk.fill()
    interaction = await go()
    before = shown(house, but=house.sandbox.person(interaction.user.id))
    await interaction.answered.wait()
    await house.settle()
    answer = ActionResult(interaction)
    assert answer.failed is None and "nothing was done" in answer.text, answer
    assert shown(house, but=house.sandbox.person(interaction.user.id)) == before
    disk.empty()


async def test_what_a_clock_does_is_not_shown_while_it_is_written(house: House):
    await house.two_at_the_wall(clock=60)
    slow, before = SlowDisk(house), house.board()
    slow.hold()
    house.hands.turn(60_000)
    await slow.asked.wait()
    await a_while()
    assert house.board() == before
    slow.release()
    await house.turn(0)
    assert house.board() != before and house.pushes() == 1


# 3. Nobody learns what is not theirs


class Journal:
    """All that anybody but one person sees: when, where, what kind of change, every word and every picture."""

    def __init__(self, house: House, but: UserClient) -> None:
        self._house = house
        self._but = but
        self.lines: list[tuple[int, str]] = []
        house.sandbox.state.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, (Posted, Edited, MessageDeleted)) and not self._is_own(event.message):
            files = [hash(file.data) for file in event.message.attachments]
            text = re.sub(r"[0-9]{15,}", "id", UserClient.visible_text(event.message.json))
            names = [part.get("custom_id") for part in UserClient.buttons(event.message.json)]
            kind, place = type(event).__name__, event.message.channel.name
            self.lines.append((self._house.hands.now(), f"{kind} in {place}: {text} {names} {files}"))

    def _is_own(self, message: Message) -> bool:
        return message.channel is self._but.dm or (message.reader is not None and message.reader.id == self._but.id)


async def kept_secret(database: Path, choose: Callable[[House], Awaitable[Any]], start: str, **options: Any) -> Any:
    """Play with one secret choice; return all that others saw of it, in whatever order within a moment."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(moves, "secrets", SimpleNamespace(token_bytes=random.Random(start).randbytes))
        async with patience(patched) as sandbox:
            house = House(sandbox, database)
            try:
                await house.start()
                await house.begin(start, house.ben, house.cleo, **options)
                for person in (house.ann, house.ben, house.cleo):
                    await house.press(person, "Play")
                await house.settle()
                journal = Journal(house, house.awaited())
                await choose(house)
                for _ in range(4):
                    await house.settle()
                    await house.turn(CALMLY)
                await house.turn(60_000)
                calls = sorted((call.method, call.template) for call in sandbox.calls)
                return sorted(journal.lines), calls
            finally:
                await house.stop()


def sneaks(go: int) -> Callable[[House], Awaitable[Any]]:
    async def choose(house: House) -> None:
        await house.awaited().command(house.yard, "prison-break sneak", say=1, go=go)

    return choose


def forecasts(boats: dict[str, str]) -> Callable[[House], Awaitable[Any]]:
    async def choose(house: House) -> None:
        await house.awaited().command(house.yard, "ausbrecher forecast", **boats)

    return choose


def notes(text: str) -> Callable[[House], Awaitable[Any]]:
    async def choose(house: House) -> None:
        who = house.awaited()
        form = await who.command(house.yard, "prison-break note")
        await who.submit(form, {"text": text})

    return choose


TWINS = {
    "how far somebody sneaks": ("prison-break", sneaks(1), sneaks(2)),
    "what somebody notes": ("prison-break", notes("Ben lies"), notes("Cleo lies, and Ben does not")),
    "what somebody forecasts": (
        "ausbrecher",
        forecasts({"boat1": "R B", "boat2": "G P", "boat3": "Y V"}),
        forecasts({"boat1": "G P", "boat2": "Y V", "boat3": "R B"}),
    ),
}


@pytest.mark.parametrize(("start", "one", "other"), TWINS.values(), ids=TWINS)
async def test_what_others_see_and_when_is_the_same_whatever_somebody_keeps_secret(
    tmp_path: Path, start: str, one: Callable[[House], Awaitable[Any]], other: Callable[[House], Awaitable[Any]]
):
    first = await kept_secret(tmp_path / "one.db", one, start)
    second = await kept_secret(tmp_path / "other.db", other, start)
    assert first == second


CANARY = "zanzibar"


async def test_what_somebody_writes_for_themselves_is_read_by_nobody_else_and_in_no_log(
    house: House, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("DEBUG", logger="cogs")
    caplog.set_level("DEBUG", logger="data")
    who = await prison(house)
    form = await who.command(house.yard, "prison-break note")
    await who.submit(form, {"text": CANARY})
    await house.press(who, "Play")
    await house.settle()
    assert CANARY in str(shown(house)) and CANARY not in str(shown(house, but=who))
    for person in (house.ann, house.ben, house.cleo):
        if person is not who:
            answers = [await person.command(house.yard, "replay", table=1)]
            answers += [await person.command(house.yard, name) for name in ("tables", "privacy export")]
            files = [file for answer in answers for file in answer.interaction.original.attachments]
            assert not any(CANARY in answer.text for answer in answers) and files
            assert not any(CANARY.encode() in file.data for file in files)
            assert CANARY not in str(person.notices)
    assert CANARY not in caplog.text


# 4. Every interaction is answered or deferred in time


async def complete(house: House) -> Go:
    who = await prison(house)

    async def go() -> Interaction:
        return who.actions.command(house.yard, "prison-break sneak", {"say": ""}, focus="say")

    return go


async def open_the_page(house: House) -> Go:
    await prison(house)
    return lambda: house.ben.start_press(house.board(), label="Play")


async def read_the_rules(house: House) -> Go:
    return command(house.ann, house, "rules", game="rope_wall")


async def see_the_leaderboard(house: House) -> Go:
    return command(house.ann, house, "leaderboard", game="rope_wall")


async def open_a_form(house: House) -> Go:
    return command(await prison(house), house, "prison-break note")


@pytest.mark.parametrize(
    "act",
    (*ACTS, complete, open_the_page, read_the_rules, see_the_leaderboard, open_a_form),
    ids=lambda act: act.__name__,
)
async def test_every_interaction_is_answered_or_deferred_although_the_disk_takes_its_time(
    house: House, monkeypatch: pytest.MonkeyPatch, act: Act
):
    go, slow = await act(house), SlowDisk(house)
    await house.settle()
    monkeypatch.setattr(responder, "HOLD_AFTER_S", 0.01)
    slow.hold()
    interaction = await go()
    await interaction.answered.wait()
    assert interaction.failed is None and interaction.answer is not None
    slow.release()
    await house.settle()
    original = interaction.original
    assert original is None or original.deleted or not original.flags & 128, "it is still thinking"


def test_what_is_not_answered_by_then_is_deferred_well_within_two_seconds():
    assert responder.HOLD_AFTER_S < 2
