"""The guarantees above all features: acknowledged means committed, answers come in time, secrets stay secret.

Each guarantee has more tests next to its code; these check it from outside for every way to act.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cogs.core.publishing import responder
from sandbox import ActionResult, Channel, UserClient
from sandbox.messaging.interaction import Interaction
from sandbox.world.events import Edited, Event, MessageDeleted, Posted
from sandbox.world.models import Message
from tests.cogs.core.test_full_disk import Disk, disk
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import patient_sandbox, seeded

__all__ = ["disk"]  # a fixture

Json = dict[str, Any]

CALMLY = 3_000


class SlowDisk(Disk):
    """A disk that takes as long for each write as a test wants."""

    def __init__(self, harness: BotHarness) -> None:
        super().__init__(harness)
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


def shown(harness: BotHarness, *, but: UserClient | None = None) -> list[Json]:
    """Return all messages that anybody sees, or anybody `but` one person."""
    messages = [message for place in places(harness) for message in harness.sandbox.messages(place)]
    if but is None:
        return messages
    own = {message["id"] for message in [*but.ephemerals(harness.yard), *but.dms()]}
    return [message for message in messages if message["id"] not in own]


def places(harness: BotHarness) -> list[Channel]:
    return [harness.yard, harness.ann.dm, harness.ben.dm, harness.cleo.dm]


async def a_while() -> None:
    """Let everything run that can."""
    for _ in range(200):
        await asyncio.sleep(0)


# Acts: each leads to a press or command, and returns how to do that

Go = Callable[[], Awaitable[Interaction]]
Act = Callable[[BotHarness], Awaitable[Go]]


async def prison(harness: BotHarness) -> UserClient:
    """Start Prison Break, a game of secrets, with three players. Return the player to act."""
    await harness.begin("prison-break", harness.ben, harness.cleo)
    return harness.awaited()


def command(who: UserClient, harness: BotHarness, name: str, **options: Any) -> Go:
    async def go() -> Interaction:
        return who.start_command(harness.yard, name, options)

    return go


async def push_at_the_table(harness: BotHarness) -> Go:
    await harness.two_at_the_wall()
    return lambda: harness.awaited().start_press(harness.board(), harness.controls("push")[0])


async def sneak_on_the_page(harness: BotHarness) -> Go:
    who = await prison(harness)
    page = await harness.press(who, "Play")
    return lambda: who.start_press(page, label="say 1, go 1")


async def sneak_on_the_direct_message(harness: BotHarness) -> Go:
    who = await prison(harness)
    return lambda: who.start_press(who.dms()[-1], label="say 1, go 1")


async def sneak_by_command(harness: BotHarness) -> Go:
    return command(await prison(harness), harness, "prison-break sneak", say=1, go=1)


async def note_by_form(harness: BotHarness) -> Go:
    who = await prison(harness)
    form = await who.command(harness.yard, "prison-break note")
    return lambda: who.start_submit(form.interaction, {"text": "Ben lies"})


async def join_a_lobby(harness: BotHarness) -> Go:
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    return lambda: harness.ben.start_press(harness.board(), label="Join")


async def start_a_game(harness: BotHarness) -> Go:
    await join_a_lobby(harness)
    await harness.press(harness.ben, "Join")
    return lambda: harness.ann.start_press(harness.board(), label="Start")


async def set_an_option(harness: BotHarness) -> Go:
    await join_a_lobby(harness)
    options = await harness.press(harness.ann, "Options")
    menu = next(part for part in UserClient.buttons(options) if part["type"] == 3)
    value = next(option["value"] for option in menu["options"] if not option.get("default"))
    return lambda: harness.ann.start_press(options, menu["custom_id"], values=[value])


async def leave_a_game(harness: BotHarness) -> Go:
    await prison(harness)
    asked = await harness.press(harness.ben, "Leave")
    return lambda: harness.ben.start_press(asked, label="Leave the game")


async def resign(harness: BotHarness) -> Go:
    await harness.two_at_the_wall()
    asked = await harness.ben.command(harness.yard, "rope-wall resign")
    return lambda: harness.ben.start_press(asked, label="Resign the game")


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
"""All ways to move, join and leave."""

every_act = pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)


# 1. Nothing is acknowledged before it is committed


@every_act
async def test_an_action_is_neither_answered_nor_shown_before_it_is_committed(harness: BotHarness, act: Act):
    go, slow = await act(harness), SlowDisk(harness)
    await harness.settle()
    before = shown(harness)
    slow.hold()
    interaction = await go()
    await slow.asked.wait()
    await a_while()
    assert interaction.answer is None and shown(harness) == before
    slow.release()
    await interaction.answered.wait()
    await harness.settle()
    assert interaction.failed is None and shown(harness) != before


@every_act
async def test_an_action_that_cannot_be_stored_is_refused_in_one_sentence_and_shown_to_nobody_else(
    harness: BotHarness, disk: Disk, act: Act
):
    go = await act(harness)
    await harness.settle()
    disk.fill()
    interaction = await go()
    before = shown(harness, but=harness.sandbox.person(interaction.user.id))
    await interaction.answered.wait()
    await harness.settle()
    answer = ActionResult(interaction)
    assert answer.failed is None and "nothing was done" in answer.text, answer
    assert shown(harness, but=harness.sandbox.person(interaction.user.id)) == before
    disk.empty()


async def test_what_a_clock_does_is_not_shown_while_it_is_written(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow, before = SlowDisk(harness), harness.board()
    slow.hold()
    harness.clock.advance(60_000)
    await slow.asked.wait()
    await a_while()
    assert harness.board() == before
    slow.release()
    await harness.advance(0)
    assert harness.board() != before and harness.pushes() == 1


# 3. Secrets stay secret


class Journal:
    """Everything that others than one person see: when, where, the kind of change, all text and pictures."""

    def __init__(self, harness: BotHarness, but: UserClient) -> None:
        self._house = harness
        self._but = but
        self.lines: list[tuple[int, str]] = []
        harness.sandbox.state.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, (Posted, Edited, MessageDeleted)) and not self._is_own(event.message):
            files = [hash(file.data) for file in event.message.attachments]
            text = re.sub(r"[0-9]{15,}", "id", UserClient.visible_text(event.message.json))
            names = [part.get("custom_id") for part in UserClient.buttons(event.message.json)]
            kind, place = type(event).__name__, event.message.channel.name
            self.lines.append((self._house.clock.now(), f"{kind} in {place}: {text} {names} {files}"))

    def _is_own(self, message: Message) -> bool:
        return message.channel is self._but.dm or (message.reader is not None and message.reader.id == self._but.id)


async def kept_secret(
    database: Path, choose: Callable[[BotHarness], Awaitable[Any]], start: str, **options: Any
) -> Any:
    """Play with one secret choice. Return all that others saw of it; the order within a moment does not matter."""
    with seeded(start):
        async with patient_sandbox() as sandbox:
            harness = BotHarness(sandbox, database)
            try:
                await harness.start()
                await harness.begin(start, harness.ben, harness.cleo, **options)
                for person in (harness.ann, harness.ben, harness.cleo):
                    await harness.press(person, "Play")
                await harness.settle()
                journal = Journal(harness, harness.awaited())
                await choose(harness)
                for _ in range(4):
                    await harness.settle()
                    await harness.advance(CALMLY)
                await harness.advance(60_000)
                calls = sorted((call.method, call.template) for call in sandbox.calls)
                return sorted(journal.lines), calls
            finally:
                await harness.stop()


def sneaks(go: int) -> Callable[[BotHarness], Awaitable[Any]]:
    async def choose(harness: BotHarness) -> None:
        await harness.awaited().command(harness.yard, "prison-break sneak", say=1, go=go)

    return choose


def forecasts(boats: dict[str, str]) -> Callable[[BotHarness], Awaitable[Any]]:
    async def choose(harness: BotHarness) -> None:
        await harness.awaited().command(harness.yard, "ausbrecher forecast", **boats)

    return choose


def notes(text: str) -> Callable[[BotHarness], Awaitable[Any]]:
    async def choose(harness: BotHarness) -> None:
        who = harness.awaited()
        form = await who.command(harness.yard, "prison-break note")
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
async def test_what_others_see_and_when_does_not_depend_on_a_players_secrets(
    tmp_path: Path,
    start: str,
    one: Callable[[BotHarness], Awaitable[Any]],
    other: Callable[[BotHarness], Awaitable[Any]],
):
    first = await kept_secret(tmp_path / "one.db", one, start)
    second = await kept_secret(tmp_path / "other.db", other, start)
    assert first == second


CANARY = "zanzibar"


async def test_private_notes_are_shown_to_nobody_else_and_are_in_no_log(
    harness: BotHarness, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("DEBUG", logger="cogs")
    caplog.set_level("DEBUG", logger="data")
    who = await prison(harness)
    form = await who.command(harness.yard, "prison-break note")
    await who.submit(form, {"text": CANARY})
    await harness.press(who, "Play")
    await harness.settle()
    assert CANARY in str(shown(harness)) and CANARY not in str(shown(harness, but=who))
    for person in (harness.ann, harness.ben, harness.cleo):
        if person is not who:
            answers = [await person.command(harness.yard, "replay", table=1)]
            answers += [await person.command(harness.yard, name) for name in ("tables", "privacy export")]
            files = [file for answer in answers for file in answer.interaction.original.attachments]
            assert not any(CANARY in answer.text for answer in answers) and files
            assert not any(CANARY.encode() in file.data for file in files)
            assert CANARY not in str(person.notices)
    assert CANARY not in caplog.text


# 4. Every interaction is answered or deferred in time


async def complete(harness: BotHarness) -> Go:
    who = await prison(harness)

    async def go() -> Interaction:
        return who.actions.command(harness.yard, "prison-break sneak", {"say": ""}, focus="say")

    return go


async def open_the_page(harness: BotHarness) -> Go:
    await prison(harness)
    return lambda: harness.ben.start_press(harness.board(), label="Play")


async def read_the_rules(harness: BotHarness) -> Go:
    return command(harness.ann, harness, "rules", game="rope_wall")


async def see_the_leaderboard(harness: BotHarness) -> Go:
    return command(harness.ann, harness, "leaderboard", game="rope_wall")


async def open_a_form(harness: BotHarness) -> Go:
    return command(await prison(harness), harness, "prison-break note")


@pytest.mark.parametrize(
    "act",
    (*ACTS, complete, open_the_page, read_the_rules, see_the_leaderboard, open_a_form),
    ids=lambda act: act.__name__,
)
async def test_every_interaction_is_answered_or_deferred_although_the_disk_takes_its_time(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, act: Act
):
    go, slow = await act(harness), SlowDisk(harness)
    await harness.settle()
    monkeypatch.setattr(responder, "DEFER_AFTER_S", 0.01)
    slow.hold()
    interaction = await go()
    await interaction.answered.wait()
    assert interaction.failed is None and interaction.answer is not None
    slow.release()
    await harness.settle()
    original = interaction.original
    assert original is None or original.deleted or not original.flags & 128, "it is still thinking"


def test_what_is_not_answered_by_then_is_deferred_well_within_two_seconds():
    assert responder.DEFER_AFTER_S < 2
