"""Calls that nobody has asked for go out at a pace, which processes share, and hold up none that somebody waits for."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.core.cluster import rate_limit
from cogs.core.cluster.ownership import SharedOwnership
from cogs.core.cluster.rate_limit import RateLimiter
from engine.contract import Moment
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

START, SECOND_MS = Moment(5_000), 1_000


class Passing:
    """A clock on which time passes while somebody waits, and no more."""

    def __init__(self) -> None:
        self.at = START
        self.woken_early = False

    def now(self) -> Moment:
        return self.at

    def received(self, at: Moment) -> None:
        """Nothing to set."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        self.at = Moment(self.at + 1) if self.woken_early else until


def limiter(clock: Passing, held: int, count: int) -> RateLimiter:
    """The rate limiter of a process that holds so many of so many shards."""
    shards: Any = SimpleNamespace(held=range(held), count=count)
    notices: Any = None
    return SharedOwnership(shards, notices, clock).limiter


async def turns(calls: int, held: int, count: int, clock: Passing) -> list[int]:
    """When each of so many calls goes out that all want to go out at once, of a process that holds so many shards."""
    pace, gone = limiter(clock, held, count), list[int]()
    for _ in range(calls):
        await pace.turn()
        gone.append(clock.now() - START)
    return gone


def busiest(gone: list[int]) -> int:
    """How many calls went out in the second in which most did."""
    return max(sum(begin <= at < begin + SECOND_MS for at in gone) for begin in gone)


async def test_a_few_go_out_at_once_and_the_others_one_after_the_other():
    gone = await turns(50, 1, 1, Passing())
    assert gone[:5] == [0] * 5 and gone[5:9] == [22, 44, 67, 89] and gone[-1] == SECOND_MS


@pytest.mark.parametrize("shares", [(1,), (4,), (2, 2), (1, 3), (1,) * 4, (7, 1, 1), (2,) * 12])
async def test_all_processes_together_keep_below_discords_limit_and_use_most_of_it(shares: tuple[int, ...]):
    gone = [at for held in shares for at in await turns(200, held, sum(shares), Passing()) if at < 5 * SECOND_MS]
    assert busiest(gone) <= 45 + max(5, len(shares))
    assert sum(at < 4 * SECOND_MS for at in gone) >= 4 * 45


async def test_who_is_woken_before_their_turn_waits_on():
    clock = Passing()
    clock.woken_early = True
    assert (await turns(7, 1, 1, clock))[-2:] == [22, 44]


async def test_after_a_while_without_calls_a_few_go_out_at_once_again():
    clock = Passing()
    pace = limiter(clock, 1, 1)
    for _ in range(40):
        await pace.turn()
    clock.at = before = Moment(clock.at + SECOND_MS)
    for _ in range(5):
        await pace.turn()
    assert clock.at == before
    await pace.turn()
    assert clock.at == before + 22


async def test_what_somebody_waits_for_takes_a_turn_and_waits_for_none():
    clock = Passing()
    pace = limiter(clock, 1, 1)
    for _ in range(45):
        pace.take()
    assert clock.at == START
    await pace.turn()
    assert clock.at == START + 911  # after the forty-one that were not among the first


async def test_who_asks_first_has_the_first_turn(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "AT_ONCE", 1)
    pace, gone = RateLimiter(harness.clock, lambda: 1.0), list[int]()

    async def call(number: int) -> None:
        await pace.turn()
        gone.append(number)

    calls = [asyncio.create_task(call(number)) for number in range(4)]
    for want in ([0], [0, 1], [0, 1, 2], [0, 1, 2, 3]):
        for _ in range(5):
            await asyncio.sleep(0)
        assert gone == want
        harness.clock.advance(23)
    await asyncio.gather(*calls)


async def test_what_nobody_has_asked_for_waits_and_what_somebody_waits_for_does_not(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    go_on, waits = asyncio.Event(), asyncio.Event()

    async def turn(pace: RateLimiter) -> None:
        waits.set()
        await go_on.wait()

    monkeypatch.setattr(RateLimiter, "turn", turn)
    table = harness.session().table
    table.snapshot = replace(table.snapshot, notice="Something new.")
    harness.session().message.invalidate()
    await waits.wait()
    await harness.cleo.command(harness.yard, "rope-wall start", invite=harness.ben)  # mentions him in the same channel
    await harness.sandbox.until(lambda: [said for said in harness.sandbox.messages(harness.yard) if said["content"]])
    first = harness.sandbox.message(str(harness.session().message.number))
    assert "Something new." not in UserClient.visible_text(first)
    go_on.set()
    await harness.settle()
    assert "Something new." in UserClient.visible_text(harness.sandbox.message(str(harness.session().message.number)))


async def test_the_calls_of_the_bot_are_counted_but_not_those_by_a_token(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.two_at_the_wall()
    await harness.without_tokens()
    taken, take = list[int](), RateLimiter.take

    def counted(limiter: RateLimiter) -> Moment:
        taken.append(1)
        return take(limiter)

    monkeypatch.setattr(RateLimiter, "take", counted)
    before = len(harness.sandbox.calls)
    table = harness.session().table
    table.snapshot = replace(table.snapshot, notice="Something new.")
    harness.session().message.invalidate()  # an edit that nobody has asked for
    await harness.settle()
    await harness.client.fetch_channel(int(harness.yard.id))
    await harness.push()
    await harness.settle()
    calls = [call.path for call in harness.sandbox.calls[before:]]
    by_token = [path for path in calls if "/webhooks/" in path or "/interactions/" in path]
    assert by_token and len(taken) == len(calls) - len(by_token) >= 2
