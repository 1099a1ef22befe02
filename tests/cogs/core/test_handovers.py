"""After a hand-over, too, what only one person may notice causes no message or edit that others see."""

import random

import pytest

from cogs.core.tables import moves
from sandbox import UserClient
from tests.cogs.core.processes import TwoProcesses
from tests.cogs.core.publishing.test_private_acts import (
    Line,
    Watch,
    absent,
    begin,
    leftover,
    move_on,
    nothing,
    private_acts,
)

MOVES = 25
ACTS = 2


async def handed_over(two: TwoProcesses, line: Line, who: UserClient) -> Watch:
    """Hand the table over, and record from then on what others than one person see."""
    await line(two, who)
    await two.settle()
    await two.client.publishing.shown_revisions.write()
    await two.hand_over()
    assert bool(two.client.tables.registry.awake()) == (line is absent)  # otherwise the next act would load the table
    return Watch(two, who)


every_line = pytest.mark.parametrize("line", [nothing, absent, leftover], ids=lambda line: line.__name__)


@every_line
@pytest.mark.parametrize("game", ["ausbrecher", "break_out", "prison_break"])
async def test_after_a_hand_over_an_act_that_leaves_the_public_view_as_it_was_causes_no_public_call(
    two: TwoProcesses, game: str, line: Line
):
    dice, acted, acts = random.Random(game), 0, 1 if line is absent else ACTS
    await begin(two, game, line)
    for _ in range(MOVES):
        if acted == acts or not two.snapshot().playing:
            break
        if possible := private_acts(two):
            seat, action = dice.choice(possible)
            watch = await handed_over(two, line, two.person_at(seat))
            found = await two.client.inbound.finder.find(1)
            assert found is not None
            before = found.table.snapshot
            if moves.move(before, seat, action, two.clock.now()).private:
                await found.table.act(moves.move, seat, action, two.clock.now())
                acted += 1
                assert found.table.snapshot.version > before.version and found.table.snapshot.looks_like(before)
            await two.settle()
            await two.advance(0)
            assert watch.stop() == []
        await move_on(two, dice)
    assert acted


@every_line
async def test_after_a_hand_over_a_private_press_causes_no_public_call(two: TwoProcesses, line: Line):
    await begin(two, "prison_break", line)
    await two.advance(10_000)
    who = two.idle()
    watch = await handed_over(two, line, who)
    for label in ("Play", "Text view", "What can I do?", "Play"):
        await two.press(who, label)
        await two.settle()
        await two.advance(0)
    assert watch.stop() == []
