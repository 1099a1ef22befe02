"""Replays of finished games: every picture shows the real paths, while no picture of a running game does."""

import random
from io import BytesIO

import msgspec
import pytest
from PIL import Image

from cogs.prison_break import picture
from cogs.replays.replay_position import revealed_picture
from engine.games.prison_break import GAME, State, Step
from tests.cogs.prison_break.scenes import UI, info, moments
from tests.cogs.prison_break.test_interludes import lit
from tests.cogs.prison_break.test_play import begin_prison_break
from tests.engine.games.prison_break_positions import moment
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.prison_break import take_turn


def shown(state: State) -> bytes:
    found = revealed_picture(UI, state, info(len(state.prisoners)))
    assert found is not None and 0 < len(found.alt) <= 1_024
    return found.data


def with_way(state: State, seat: int, *way: Step) -> State:
    """Return the state with another real path of a seat."""
    here = way[-1].position if way else 0
    return msgspec.structs.replace(
        state,
        paths=(*state.paths[:seat], way, *state.paths[seat + 1 :]),
        positions=(*state.positions[:seat], here, *state.positions[seat + 1 :]),
    )


def test_a_way_is_drawn_below_each_row_and_a_lie_is_another_bow_than_the_truth():
    state = moment((0, 0, 0))
    lied, honest = (with_way(state, 1, Step(1, "sneak", declared, 2, 2)) for declared in (0, 2))
    assert len({shown(each) for each in (state, lied, honest)}) == 3
    public = {picture.draw(GAME.view(each, None)) for each in (state, lied, honest)}
    assert len(public) == 1  # nothing of it is visible at the table


def test_the_ways_are_there_in_a_pause_beside_what_could_be_believed_until_then():
    state = lit()
    assert state.interlude is not None
    other = with_way(state, 0, Step(1, "sneak", 1, 2, 2), Step(1, "sneak", 1, 2, 4))
    assert shown(state) != shown(other)
    believed = (msgspec.structs.replace(state.believed[0], declared=0), *state.believed[1:])
    assert shown(state) != shown(msgspec.structs.replace(state, believed=believed))


@pytest.mark.parametrize("seed", range(4))
def test_every_moment_has_such_a_picture_which_says_where_everybody_really_is(seed: int):
    for state in moments(seed, 12):
        found = revealed_picture(UI, state, info(len(state.prisoners)))
        assert found is not None
        assert Image.open(BytesIO(found.data)).width == 800
        assert found.alt.count(" really is ") == (0 if GAME.outcome(state) else len(state.prisoners))


async def test_the_replay_shows_them_and_a_running_table_does_not(harness: BotHarness):
    await begin_prison_break(harness, round_limit=5, interludes="off")
    dice = random.Random(3)
    while harness.snapshot().playing:
        assert "really is" not in str(harness.board())
        await take_turn(harness, dice)
        await harness.settle()
    page = await harness.cleo.command(harness.yard, "replay", table=1)
    page = await harness.press(harness.cleo, "10 ▶", page)
    assert str(page.message).count("really is") == 3
