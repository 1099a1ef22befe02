"""What only one person may notice causes no message or edit that others see, not even an identical one."""

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cogs.core.publishing.responder import SORRY
from cogs.core.tables import absence, moves
from engine.contract import Action, Refusal, Seat
from engine.games import GAMES
from engine.games.break_out.types import Call
from engine.games.prison_break.types import Note
from sandbox import UserClient
from sandbox.world.events import Edited, Event, MessageDeleted, Posted
from tests.cogs.break_out.test_play import catch_button, others
from tests.cogs.core.publishing.test_showing import STARTS
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.break_out import say_next, view

MINUTE_MS = 60_000
EDIT = ("PATCH", "*/messages/*")
DELETE = ("DELETE", "/channels/{channel_id}/messages/{message_id}")
POST = ("POST", "/channels/{channel_id}/messages")
MOVES = 25
ACTS = 2
"""How many acts of each kind are tried: more of a kind would go the same way."""

SECRETIVE = ("ausbrecher", "break_out", "prison_break")
"""The games in which there is something that only one person may notice."""


class Watch:
    """Records what others than one person see."""

    def __init__(self, harness: BotHarness, but: UserClient) -> None:
        self.seen: list[str] = []
        self._but = but
        self._listeners = harness.sandbox.state.listeners
        self._listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, (Posted, Edited, MessageDeleted)):
            message = event.message
            own = message.channel is self._but.dm or (message.reader is not None and message.reader.id == self._but.id)
            if not own:
                text = UserClient.visible_text(message.json)
                self.seen.append(f"{type(event).__name__} in {message.channel.name}: {text}")

    def stop(self) -> list[str]:
        self._listeners.remove(self._hear)
        return self.seen


# The possible states of a table message, or of the channel, before the act


async def nothing(harness: BotHarness, who: UserClient) -> None:
    """Change nothing."""


async def restarted(harness: BotHarness, who: UserClient) -> None:
    """Restart the bot: the act loads the table."""
    await harness.settle()
    await harness.restart()
    await harness.settle()
    await harness.advance(2_000)


async def unloaded(harness: BotHarness, who: UserClient) -> None:
    """Unload the table."""
    await harness.advance(20 * MINUTE_MS)
    await harness.advance(24 * 60 * MINUTE_MS)
    await harness.client.tables.registry.unload_timer.run(1)
    assert 1 not in harness.client.tables.registry.present


async def away(harness: BotHarness, who: UserClient) -> None:
    """Stop the bot for a while, so that clocks are extended."""
    await harness.settle()
    await harness.restart(away_ms=5 * MINUTE_MS)
    await harness.advance(2_000)
    if harness.snapshot().deadlines:
        assert "I was offline" in harness.public()


async def absent(harness: BotHarness, who: UserClient) -> None:
    """A computer plays for the person who acts."""
    table = harness.messages().table
    seat = table.snapshot.seat_of(int(who.id))
    assert seat is not None
    await table.act(absence.leave, seat, harness.clock.now())
    await harness.settle()
    assert "A computer is playing for" in harness.public()


async def failing(harness: BotHarness, who: UserClient) -> None:
    """Let an edit of the message fail, which is retried later."""
    await harness.without_tokens()
    harness.sandbox.fault(*EDIT, 503, times=1_000)
    harness.messages().message.invalidate()
    await harness.settle()
    harness.sandbox.mend()


async def refused(harness: BotHarness, who: UserClient) -> None:
    """Discord has refused an edit of the message."""
    await harness.without_tokens()
    harness.sandbox.fault(*EDIT, 403, times=1_000)
    harness.messages().message.invalidate()
    await harness.settle()
    harness.sandbox.mend()


async def direct_messages_lost(harness: BotHarness, who: UserClient, status: int, **body: object) -> None:
    await harness.without_tokens()
    for call in (EDIT, POST):
        harness.sandbox.fault(*call, status, times=1_000, body=body or None)
    for other in {harness.ann, harness.ben, harness.cleo} - {who}:
        harness.messages().direct_messages.renew(int(other.id))
    await harness.settle()
    harness.sandbox.mend()
    harness.client.tables.api.answered()


async def direct_messages_failing(harness: BotHarness, who: UserClient) -> None:
    """Direct messages to the others have failed, and are tried again later."""
    await direct_messages_lost(harness, who, 503)


async def direct_messages_refused(harness: BotHarness, who: UserClient) -> None:
    """Discord has refused direct messages to the others, which follow with the next change that all may notice."""
    await direct_messages_lost(harness, who, 400, code=50035, message="Invalid Form Body")


async def leftover(harness: BotHarness, who: UserClient) -> None:
    """An invitation of the lobby could not be deleted, and is tried again later."""
    channel = harness.client.get_partial_messageable(int(harness.yard.id))
    message = await channel.send(f"{harness.ben.mention} there is a game")
    harness.sandbox.fault(*DELETE, 503, times=1_000)
    await harness.messages().cleanup.add(message.id)
    harness.messages().cleanup.delete((message.id,))
    await harness.settle()
    harness.sandbox.mend()


async def left_over_by_a_restart(harness: BotHarness, who: UserClient) -> None:
    """An invitation of the lobby could not be deleted before the bot was started again."""
    await leftover(harness, who)
    await restarted(harness, who)


async def invited_again(harness: BotHarness, who: UserClient) -> None:
    """The bot was removed from the server, and added again."""
    await harness.settle()
    harness.sandbox.remove_bot(harness.guild)
    await harness.sandbox.until(lambda: int(harness.guild.id) in harness.client.tables.registry.out_of_reach)
    await harness.advance(MINUTE_MS)
    harness.sandbox.invite_bot(harness.guild)
    await harness.sandbox.until(lambda: int(harness.guild.id) not in harness.client.tables.registry.out_of_reach)
    await harness.settle()
    await harness.advance(2_000)
    await harness.advance(2_000)


LINES = (
    nothing,
    restarted,
    unloaded,
    away,
    absent,
    failing,
    refused,
    direct_messages_failing,
    direct_messages_refused,
    leftover,
    left_over_by_a_restart,
    invited_again,
)

every_line = pytest.mark.parametrize("line", LINES, ids=lambda line: line.__name__)

Line = Callable[[BotHarness, UserClient], Awaitable[None]]


def private_acts(harness: BotHarness) -> list[tuple[Seat, Action]]:
    """Yield what a person could do now without changing the public view."""
    table, found = harness.snapshot(), []
    for row in table.seats:
        seat = Seat(row.seat)
        acts = [*table.legal(seat)[:40], Note("Ben lies"), Call("draw"), Call("meld")]
        for action in acts:
            with contextlib.suppress(Refusal):
                if isinstance(action, table.game.actions) and is_private(harness, seat, action):
                    found.append((seat, action))
    return found


def is_private(harness: BotHarness, seat: Seat, action: Action) -> bool:
    return moves.move(harness.snapshot(), seat, action, harness.clock.now()).private


def kind(harness: BotHarness, seat: Seat, action: Action) -> tuple[object, ...]:
    """Return what an act is: its type, in which phase, and whether its seat is awaited."""
    view = harness.view()
    return type(action), getattr(view, "phase", None), seat in view.to_act


@pytest.mark.parametrize(
    ("game", "line"),
    [*itertools.product(SECRETIVE, LINES), *((game, nothing) for game in sorted(set(GAMES) - set(SECRETIVE)))],
    ids=lambda case: getattr(case, "__name__", case),
)
async def test_an_act_that_leaves_the_public_view_as_it_was_causes_no_public_call(
    harness: BotHarness, game: str, line: Line
):
    dice = random.Random(f"{game} {line.__name__}")
    await begin(harness, game, line)
    acted, tried = 0, Counter[tuple[object, ...]]()
    for _ in range(MOVES):
        table = harness.messages().table
        if not table.snapshot.playing:
            break
        if possible := [act for act in private_acts(harness) if tried[kind(harness, *act)] < ACTS]:
            seat, action = dice.choice(possible)
            tried[kind(harness, seat, action)] += 1
            who = harness.person_at(seat)
            await line(harness, who)
            watch = Watch(harness, who)
            messages = await harness.client.inbound.finder.find(1)
            assert messages is not None
            before = messages.table.snapshot
            if is_private(harness, seat, action):
                await messages.table.act(moves.move, seat, action, harness.clock.now())
                acted += 1
                assert messages.table.snapshot.version > before.version
                assert messages.table.snapshot.looks_like(before)
            await harness.settle()
            await harness.advance(0)
            assert watch.stop() == []
            if acted and line is absent:
                break
        await move_on(harness, dice)
    assert (acted > 0) == (game in SECRETIVE)


async def begin(harness: BotHarness, game: str, line: Line) -> None:
    await harness.ann.command(harness.yard, STARTS[game], clock=300 if line is away else 0)
    for guest in (harness.ben, harness.cleo)[: GAMES[game].player_counts[-1] - 1]:
        await harness.press(guest, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()


async def move_on(harness: BotHarness, dice: random.Random) -> None:
    table = harness.messages().table
    for seat in table.snapshot.view(None).to_act:
        if legal := table.snapshot.legal(seat):
            with contextlib.suppress(Refusal):
                await table.act(moves.move, seat, dice.choice(legal), harness.clock.now())
                break
    await harness.advance(5_500)


@every_line
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_private_press_causes_no_public_call(harness: BotHarness, game: str, line: Line):
    await begin(harness, game, line)
    await harness.advance(10_000)
    who = harness.idle()
    await line(harness, who)
    watch = Watch(harness, who)
    for label in ("Play", "Text view", "What can I do?", "Play"):
        answer = await harness.press(who, label)
        assert SORRY not in answer.text
        await harness.settle()
        await harness.advance(0)
    assert watch.stop() == []


@every_line
async def test_a_private_press_at_a_table_in_a_thread_of_its_own_causes_no_public_call(harness: BotHarness, line: Line):
    yard = harness.yard
    await harness.ann.command(yard, "settings threads", use="on")
    await harness.ann.command(yard, "prison-break start", clock=300 if line is away else 0)
    await harness.settle()
    (harness.yard,) = [place for place in harness.guild.channels.values() if place.parent is yard]
    for guest, label in ((harness.ben, "Join"), (harness.ann, "Start")):
        await harness.press(guest, label)
        await harness.settle()
    await harness.advance(10_000)
    who = harness.idle()
    await line(harness, who)
    watch = Watch(harness, who)
    for label in ("Play", "Text view", "Play"):
        await harness.press(who, label)
        await harness.settle()
        await harness.advance(0)
    assert watch.stop() == []


@pytest.mark.parametrize("line", [nothing, restarted, away, failing, refused, leftover], ids=lambda line: line.__name__)
async def test_a_right_call_on_the_table_message_causes_no_public_call(harness: BotHarness, line: Line):
    await harness.begin("break-out", harness.ben, harness.cleo, clock=300 if line is away else 0)
    await say_next(harness)
    catcher = others(harness)[1]
    await line(harness, catcher)
    await harness.client.inbound.finder.find(1)
    assert view(harness).window is not None
    watch = Watch(harness, catcher)
    await catch_button(harness, catcher, "DRAW!")
    await harness.settle()
    await harness.advance(1_500)
    assert watch.stop() == [] or line in (failing, refused, leftover)  # they have clocks of their own
    assert harness.snapshot().state.window.right


async def test_writing_a_note_does_not_end_the_caretakers_turn_before_the_player_returns(
    harness: BotHarness,
):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    writer = harness.idle()
    await absent(harness, writer)
    before = harness.public()
    form = await writer.command(harness.yard, "prison-break note")
    await writer.submit(form, {"text": "Ben lies"})
    await harness.settle()
    assert harness.public() == before and "A computer is playing for" in before
    await harness.press(writer, "I'm back")
    await harness.settle()
    assert "A computer is playing for" not in harness.public()


async def test_a_note_at_a_paused_table_does_not_resume_it(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", computer="rookie", computers=3, clock=300)
    await harness.settle()
    table = harness.messages().table
    await table.act(absence.leave, Seat(0), harness.clock.now())
    await harness.settle()
    assert table.snapshot.asleep
    await harness.advance(MINUTE_MS)
    before, slept_at = harness.public(), table.snapshot.row.slept_at
    watch = Watch(harness, harness.ann)
    form = await harness.ann.command(harness.yard, "prison-break note")
    await harness.ann.submit(form, {"text": "Rookie lies"})
    await harness.settle()
    assert watch.stop() == [] and harness.public() == before
    assert table.snapshot.asleep and table.snapshot.row.slept_at == slept_at
    view: Any = table.snapshot.view(Seat(0))
    assert view.note == "Rookie lies"


async def test_what_is_shown_is_known_on_disk_also_after_an_act_that_nobody_may_notice(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    await harness.settle()
    await harness.client.publishing.shown_revisions.write()
    await harness.messages().table.act(moves.move, Seat(0), Note("Ben lies"), harness.clock.now())
    await harness.kill()
    await harness.start()
    assert await harness.client.store.tables.unshown() == []


async def test_a_table_unloaded_after_an_act_that_nobody_may_notice_is_loaded_without_a_public_call(
    harness: BotHarness,
):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    await harness.settle()
    await harness.messages().table.act(moves.move, Seat(0), Note("Ben lies"), harness.clock.now())
    await unloaded(harness, harness.ann)
    watch = Watch(harness, harness.ann)
    await harness.press(harness.ann, "Play")
    await harness.settle()
    assert watch.stop() == []
