"""An interlude at a live table: who is pinged, what a restart leaves of it, and that leavers keep nobody waiting."""

from engine.games.rope_wall import RopeWallView
from engine.turns import INTERLUDE_MS
from tests.cogs.conftest import House
from tests.cogs.rope_wall.test_play import choose_or_push


def shown(house: House) -> RopeWallView:
    view = house.session().table.view(None)
    assert isinstance(view, RopeWallView)
    return view


async def to_the_interlude(house: House) -> None:
    """Play until the first round is over."""
    for number in range(200):
        if shown(house).phase == "interlude":
            return
        waiting = shown(house).waiting
        if house.session().table.seats[waiting[0]].user is None:
            await house.turn(4_000)
        else:
            await choose_or_push(house, number)
            await house.settle()
    raise AssertionError("no round ends")


async def test_nobody_is_pinged_and_the_next_round_begins_when_both_are_ready_or_the_time_is_over(house: House):
    await house.two_at_the_wall()
    await to_the_interlude(house)
    assert house.session().turn_ping.awaited() == ()
    assert "when all are ready" in house.public() and "Round 1 is over" in house.public()
    await house.press(house.ben, "Ready")
    await house.settle()
    assert shown(house).phase == "interlude" and "ready: ◆ **Ben**" in house.public()
    again = await house.press(house.ben, "Ready")
    assert "You have said that you are ready." in again.text
    await house.turn(INTERLUDE_MS)
    assert (shown(house).phase, shown(house).round) == ("push", 2)
    await house.settle()
    assert not house.controls("ready") and house.controls("push")


async def test_a_restart_leaves_of_an_interlude_what_was_left_of_it(house: House):
    await house.two_at_the_wall()
    await to_the_interlude(house)
    await house.press(house.ann, "Ready")
    before = shown(house).interlude
    assert before is not None
    await house.restart(away_ms=600_000)
    await house.settle()
    after = (await house.client.tables.sessions.find(1)).table.view(None).interlude
    assert after is not None and after.ready == before.ready
    assert 0 <= after.until - before.until - 600_000 < 60_000
    await house.press(house.ben, "Ready")
    assert (shown(house).phase, shown(house).round) == ("push", 2)


async def test_the_caretaker_of_somebody_who_leaves_is_ready_at_once(house: House):
    await house.two_at_the_wall()
    await to_the_interlude(house)
    await house.press(house.ann, "Ready")
    await house.leave(house.ben)
    await house.turn(1)
    assert (shown(house).phase, shown(house).round) == ("push", 2)
