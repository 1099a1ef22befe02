"""Reminders are sent at most once, whatever fails: Discord, the network, the database or the bot."""

import contextlib
import random
from collections import Counter
from typing import Any

import pytest

from cogs.core.ops.errors import UserError
from cogs.core.publishing.mention_lines import RETRIED_FOR_MS, RETRY_MS
from cogs.core.tables import moves
from data.store import DiskFull
from engine.contract import Refusal, Seat
from sandbox import Refused, UserClient
from sandbox.world.events import Event, Posted
from sandbox.world.mentions import users_to_notify
from tests.cogs.core.held_calls import hold_calls
from tools.harness.bot_harness import BotHarness

POST = ("POST", "/channels/{channel_id}/messages")
DELETE = ("DELETE", "/channels/{channel_id}/messages/{message_id}")

SEEDS = range(6)
STEPS = 40


def mentioned(person: UserClient) -> int:
    """Return how often a person was notified of a mention."""
    return [notice["kind"] for notice in person.notices].count("mention")


async def waiting(harness: BotHarness, clock: int = 0) -> UserClient:
    """Start a game of two, and return the player to act."""
    await harness.two_at_the_wall(clock=clock)
    return harness.awaited()


@pytest.mark.parametrize("status", [0, 503])
async def test_a_line_whose_answer_was_lost_is_found_again_and_goes_when_the_turn_passes(harness: BotHarness, status):
    who = await waiting(harness)
    harness.sandbox.fault(*POST, status, drop=True)
    await harness.advance(70_000)
    assert len(harness.mentions()) == mentioned(who) == 1 and not harness.messages().cleanup.pending
    await harness.advance(RETRY_MS)
    assert len(harness.mentions()) == mentioned(who) == 1 and harness.messages().cleanup.pending
    await harness.push()
    await harness.settle()
    assert harness.mentions() == []


async def test_a_line_that_never_arrived_is_sent_again_for_a_minute(harness: BotHarness):
    who = await waiting(harness)
    harness.sandbox.fault(*POST, 503, times=100)
    await harness.advance(70_000)
    await harness.advance(20_000)
    assert harness.mentions() == [] and harness.messages().lines.due is not None
    harness.sandbox.mend()
    await harness.advance(30_000)
    assert len(harness.mentions()) == mentioned(who) == 1


async def test_a_line_that_could_not_be_sent_for_a_minute_is_left(harness: BotHarness):
    who = await waiting(harness)
    harness.sandbox.fault(*POST, 503, times=100)
    await harness.advance(70_000)
    for _ in range(5):
        await harness.advance(15_000)
    harness.sandbox.mend()
    for _ in range(5):
        await harness.advance(RETRIED_FOR_MS)
    assert harness.mentions() == [] and mentioned(who) == 0 and harness.messages().lines.due is None


@pytest.mark.parametrize("drop", [True, False])
async def test_a_reminder_resent_after_the_turn_notifies_nobody_and_is_deleted(harness: BotHarness, drop: bool):
    who = await waiting(harness)
    harness.sandbox.fault(*POST, 503, drop=drop)
    await harness.advance(70_000)
    await harness.push()
    await harness.settle()
    await harness.advance(RETRY_MS)
    assert harness.mentions() == [] and mentioned(who) == int(drop)


async def test_a_reminder_whose_turn_passes_while_it_is_queued_notifies_nobody_and_is_deleted(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    who = await waiting(harness)
    waits, go_on = hold_calls(monkeypatch)
    harness.clock.advance(70_000)
    await waits.wait()
    await who.press(harness.board(), harness.controls("push")[0])
    go_on.set()
    await harness.settle()
    await harness.advance(0)
    assert harness.mentions() == [] and mentioned(who) == 0


async def test_a_reminder_that_is_queued_until_the_next_turn_of_its_player_notifies_nobody(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    who = await waiting(harness)
    waits, go_on = hold_calls(monkeypatch)
    harness.clock.advance(70_000)
    await waits.wait()
    for _ in range(2):
        await harness.awaited().command(harness.yard, "rope-wall push", floor=1, side="left")
    assert harness.awaited() is who
    go_on.set()
    await harness.settle()
    await harness.advance(0)
    assert mentioned(who) == 0


async def test_a_turn_is_not_mentioned_again_after_a_restart_and_the_line_stays_until_it_passes(harness: BotHarness):
    who = await waiting(harness)
    await harness.advance(70_000)
    (line,) = harness.mentions()
    for stop in (harness.restart, harness.kill):
        await stop()
        if stop == harness.kill:
            await harness.start()
        await harness.client.inbound.finder.find(1)
        await harness.advance(70_000)
        await harness.advance(200_000)
        assert harness.mentions() == [line] and mentioned(who) == 1
    await who.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert harness.mentions() == []
    await harness.advance(70_000)
    assert len(harness.mentions()) == 1 and harness.awaited().mention in harness.mentions()[0]


@pytest.mark.parametrize("away_ms", [5_000, 200_000])
@pytest.mark.parametrize("drop", [True, False])
async def test_after_a_kill_while_a_line_is_sent_it_is_sent_again_by_its_nonce_or_left(
    harness: BotHarness, drop: bool, away_ms: int
):
    who = await waiting(harness)
    harness.sandbox.fault(*POST, 0, drop=drop)
    await harness.advance(70_000)
    assert mentioned(who) == int(drop)
    await harness.kill()
    harness.clock.advance(away_ms)
    await harness.start()
    await harness.client.inbound.finder.find(1)
    for _ in range(4):
        await harness.advance(30_000)
    found = away_ms < RETRIED_FOR_MS
    assert mentioned(who) == len(harness.mentions()) == int(drop or found)
    await who.press(harness.board(), harness.controls("push")[0])
    await harness.settle()
    assert len(harness.mentions()) == (drop and not found)


async def test_nobody_is_mentioned_before_that_is_stored(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    who = await waiting(harness)
    store = harness.client.store.pending_deletions
    keep, full = store.set_reminders, [True]

    async def set_reminders(*arguments: Any) -> None:
        if full[0]:
            raise DiskFull("The disk is full.")
        await keep(*arguments)

    monkeypatch.setattr(store, "set_reminders", set_reminders)
    await harness.advance(70_000)
    assert mentioned(who) == 0
    full[0] = False
    await harness.advance(61_000)
    assert mentioned(who) == len(harness.mentions()) == 1


async def until_both_are_to_move(harness: BotHarness) -> None:
    """Play Prison Break as Ann and Ben until both are to move."""
    await harness.begin("prison-break", harness.ben, interludes="off")
    await harness.advance(70_000)
    table = harness.messages().table
    for _ in range(50):
        _, awaited = harness.messages().reminder.awaited()
        if len(awaited) == 2:
            break
        seat = Seat(min(awaited))
        await table.act(moves.move, seat, random.Random(1).choice(table.snapshot.legal(seat)), harness.clock.now())
        await harness.settle()
    assert len(awaited) == 2


async def test_a_player_who_was_mentioned_is_not_mentioned_again_with_one_who_was_looking(harness: BotHarness):
    await until_both_are_to_move(harness)
    await harness.press(harness.ben, "More …")
    harness.ann.clear_notices()
    harness.ben.clear_notices()
    await harness.advance(9_000)
    assert (mentioned(harness.ann), mentioned(harness.ben)) == (1, 0)
    await harness.advance(61_000)
    assert (mentioned(harness.ann), mentioned(harness.ben)) == (1, 1) and len(harness.mentions()) == 2


async def test_of_two_players_who_were_looking_the_first_to_look_away_is_mentioned_first(harness: BotHarness):
    await until_both_are_to_move(harness)
    await harness.press(harness.ann, "More …")
    await harness.advance(5_000)
    await harness.press(harness.ben, "More …")
    harness.ann.clear_notices()
    harness.ben.clear_notices()
    for ms in (9_000, 48_000):
        await harness.advance(ms)
    assert (mentioned(harness.ann), mentioned(harness.ben)) == (1, 0)
    await harness.advance(5_000)
    assert (mentioned(harness.ann), mentioned(harness.ben)) == (1, 1)


async def test_a_person_who_plays_alone_and_without_a_clock_is_not_mentioned(harness: BotHarness):
    await harness.against_a_computer()
    while harness.view().to_act != (0,):
        await harness.advance(3_000)
    for _ in range(3):
        await harness.advance(100_000)
    assert harness.mentions() == [] and mentioned(harness.ann) == 0


class Storm:
    """A game with a record of its reminders, while things fail."""

    def __init__(self, harness: BotHarness, dice: random.Random) -> None:
        self.harness, self.dice = harness, dice
        self.told: Counter[tuple[int, str, str]] = Counter()  # how often, by turn, kind of line and user
        self.lost: set[str] = set()  # lines that the bot may not know
        self.lines: set[str] = set()
        harness.sandbox.state.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Posted) and event.message.json["content"].startswith("<@"):
            kind = "nudge" if "runs out" in event.message.json["content"] else "mention"
            turn = self.harness.snapshot().view(None).ui_version
            self.told.update((turn, kind, user.id) for user, _ in users_to_notify(event.message))
            self.lines.add(event.message.id)

    async def step(self, act: Any) -> None:
        """Do a random thing, and check that nobody was reminded twice."""
        await act()
        await self.harness.client.inbound.finder.find(1)
        await self.harness.settle()
        known = {str(message) for message in self.harness.messages().cleanup.pending}
        self.lost = {line for line in self.lines if line not in known}
        assert all(times == 1 for times in self.told.values()), f"after {act.__name__}"

    async def fault(self) -> None:
        """Discord fails once or for a while, limits the rate, refuses, or its answers get lost."""
        status = self.dice.choice((503, 503, 0, 0, 429, 403))
        body = {"retry_after": 0.001} if status == 429 else {"code": 50013, "message": "no"} if status == 403 else None
        drop = status in (0, 503) and self.dice.random() < 0.7
        times = 1 if status in (429, 403) else self.dice.choice((1, 1, 2, 5))
        self.harness.sandbox.fault(*self.dice.choice((POST, POST, DELETE)), status, times=times, body=body, drop=drop)

    async def mend(self) -> None:
        """Discord is well again."""
        self.harness.sandbox.mend()

    async def wait(self) -> None:
        """Time passes."""
        await self.harness.advance(self.dice.choice((1_000, 3_000, 9_000, 30_000, 70_000)))

    async def move(self) -> None:
        """Make a move as a player who may act."""
        table = self.harness.messages().table
        seats = [Seat(row.seat) for row in table.snapshot.seats if table.snapshot.playing]
        if seats := [seat for seat in seats if table.snapshot.legal(seat)]:
            seat = self.dice.choice(seats)
            with contextlib.suppress(Refusal, UserError):  # against the rules, or while the channel is closed to us
                await table.act(
                    moves.move, seat, self.dice.choice(table.snapshot.legal(seat)), self.harness.clock.now()
                )

    async def look(self) -> None:
        """Press a button as a player, so that they are reminded later."""
        with contextlib.suppress(Refused, AssertionError):
            await self.harness.press(self.dice.choice((self.harness.ann, self.harness.ben)), "More …")

    async def kill(self) -> None:
        """Kill the bot, perhaps right after a line whose answer it does not receive, and restart it."""
        if self.dice.random() < 0.5:
            self.harness.sandbox.fault(*POST, 0, times=1_000, drop=True)
            await self.harness.advance(70_000)
        await self.harness.kill()
        self.harness.clock.advance(self.dice.choice((0, 5_000, 100_000)))
        await self.harness.start()

    async def restart(self) -> None:
        """Stop the bot and start it again."""
        await self.harness.restart(self.dice.choice((0, 5_000, 100_000)))


@pytest.mark.parametrize("seed", SEEDS)
async def test_no_player_is_reminded_twice_of_one_turn_despite_failures(
    harness: BotHarness, request: pytest.FixtureRequest, seed: int
):
    storm = Storm(harness, random.Random(request.node.nodeid))
    await harness.begin("prison-break", harness.ben, interludes="off", clock=300)
    rules = {
        storm.move: 5, storm.wait: 10, storm.fault: 8, storm.mend: 3, storm.look: 2, storm.kill: 2, storm.restart: 2,
    }  # fmt: skip
    for act in storm.dice.choices(list(rules), list(rules.values()), k=STEPS):
        await storm.step(act)
    assert storm.told, "nobody was reminded at all"
    lost = storm.lost
    await storm.step(storm.mend)
    for _ in range(2):
        await harness.advance(30_000)  # the bot notices that it may write here again
    await storm.step(storm.move)
    for _ in range(3):
        await harness.advance(5_000)
    shown = {message["id"] for message in harness.sandbox.messages(harness.yard) if message["id"] in storm.lines}
    assert shown <= lost | {str(message) for message in harness.messages().cleanup.pending}


async def test_a_user_who_wants_direct_messages_but_blocks_them_is_informed_and_mentioned_in_the_channel(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        person.dms_open = False
        chosen = await person.command(harness.yard, "notify", how="message")
        assert "If you don't accept DMs from me" in chosen.text and "mention" in chosen.text
    await harness.push()
    await harness.settle()
    who = harness.awaited()
    for person in (harness.ann, harness.ben):
        person.clear_notices()
    await harness.advance(300_000)
    (line,) = [
        m["content"] for m in harness.sandbox.messages(harness.yard) if who.mention in m["content"] and m["content"]
    ]
    assert "your turn" in line and "couldn't send you a DM" in line
    assert len(who.notices) == 1
    await harness.advance(300_000)
    assert len(who.notices) == 1, "at most once a turn"


@pytest.mark.parametrize(("status", "code"), [(400, 0), (400, 50035), (404, 0), (404, 10003), (404, 10013)])
@pytest.mark.parametrize("opened", [True, False], ids=["message", "channel"])
async def test_a_user_who_wants_direct_messages_that_discord_refuses_is_mentioned_in_the_channel(
    harness: BotHarness, status: int, code: int, opened: bool
):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        await person.command(harness.yard, "notify", how="message")
        refused = f"/channels/{person.dm.id}/messages" if opened else "/users/@me/channels"
        harness.sandbox.fault("POST", refused, status, times=1_000, body={"code": code, "message": "refused"})
    for number in range(2):
        await harness.push(number)
        await harness.settle()
        await harness.advance(300_000)
        (line,) = harness.mentions()
        assert line.startswith(harness.awaited().mention) and "couldn't send you a DM" in line


async def test_a_user_known_to_block_direct_messages_is_mentioned_at_once_in_later_turns(harness: BotHarness):
    await harness.two_at_the_wall()
    for person in (harness.ann, harness.ben):
        person.dms_open = False
        await person.command(harness.yard, "notify", how="message")
    for number in range(4):
        await harness.push(number)
        await harness.settle()
        await harness.advance(300_000)
    closed = [call for call in harness.sandbox.calls if call.status == 403]
    assert len(closed) <= 2, "each is asked once"
    who = harness.awaited()
    assert any(who.mention in m["content"] for m in harness.sandbox.messages(harness.yard))
