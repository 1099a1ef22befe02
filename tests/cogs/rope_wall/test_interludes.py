"""A pause between rounds at a live table: who is mentioned, restarts, and that leavers keep nobody waiting."""

from typing import Literal

import msgspec

from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.phone_height import FITS, height
from cogs.core.pages.player_page import seat_page
from cogs.rope_wall import picture
from cogs.rope_wall.ui import RopeWallUI
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment
from engine.games.rope_wall import GAME, Resign, RopeWallOptions, RopeWallView
from engine.games.rope_wall.wall import other
from engine.turns import INTERLUDE_MS
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.rope_wall import choose_or_push
from tools.harness.pages import seated, text_of
from tools.harness.playouts import play

UI = RopeWallUI()


def shown(harness: BotHarness) -> RopeWallView:
    view = harness.snapshot().view(None)
    assert isinstance(view, RopeWallView)
    return view


async def to_the_interlude(harness: BotHarness) -> None:
    """Play until the first round is over."""
    for number in range(200):
        if shown(harness).phase == "interlude":
            return
        waiting = shown(harness).to_act
        if harness.snapshot().seats[waiting[0]].user is None:
            await harness.advance(4_000)
        else:
            await choose_or_push(harness, number)
            await harness.settle()
    raise AssertionError("no round ends")


async def test_nobody_is_pinged_and_the_next_round_begins_when_both_are_ready_or_the_time_is_over(harness: BotHarness):
    await harness.two_at_the_wall()
    await to_the_interlude(harness)
    assert harness.messages().reminder.awaited()[1] == {}
    assert "when everyone is ready" in harness.public() and "Round 1 is over" in harness.public()
    await harness.press(harness.ben, "Ready")
    await harness.settle()
    assert shown(harness).phase == "interlude" and "ready: ◆ **Ben**" in harness.public()
    again = await harness.press(harness.ben, "Ready")
    assert "You're already marked as ready." in again.text
    await harness.advance(INTERLUDE_MS)
    assert (shown(harness).phase, shown(harness).round) == ("push", 2)
    await harness.settle()
    assert not harness.controls("ready") and harness.controls("push")


def between(interludes: Literal["on", "off"]) -> tuple[RopeWallView, TableContext]:
    """Return the beginning of a second round, before anybody has pushed into its wall."""
    views = (GAME.view(state, None) for state in play(GAME, 1, options=RopeWallOptions(interludes=interludes)).states)
    view = next(view for view in views if view.phase == "push" and view.round == 2)
    return view, seated(RopeWallOptions(interludes=interludes), 2, ("Ann", "Ben"))


def test_after_a_pause_the_next_round_is_shown_on_its_own_empty_wall():
    view, info = between("on")
    shown = UI.picture(view, info)
    assert "The wall is empty." in shown.alt and "the previous round" not in shown.alt
    assert "Rope" not in shown.alt and "Last push" not in shown.alt
    bare = msgspec.structs.replace(view, last_wall=None, ropes=(), recent=())
    assert shown.data == picture.draw(bare, ("Ann", "Ben")) != picture.draw(view, ("Ann", "Ben"))
    assert "picture" not in UI.status(view, info)


def test_at_the_start_of_a_round_only_the_headline_says_how_the_last_one_ended_so_that_all_fits_a_phone():
    view, info = between("on")
    page = seat_page(UI, msgspec.structs.replace(view, seat=view.turn), info)
    assert "frees a prisoner!" in text_of(page) and not UI.news(view, info)
    assert height(page) <= FITS * 1.1
    view, info = between("off")
    assert "A new round starts." in UI.news(view, info), "its picture still shows the wall of the last one"


def test_the_page_says_who_begins_a_round_and_why_in_the_pause_and_at_its_start():
    """R18, R19, D10."""
    options = RopeWallOptions(interludes="on")
    info = seated(options, 2, ("Ann", "Ben"))
    seen = [GAME.view(state, None) for state in play(GAME, 1, options=options).states]
    first, pause, after = (
        seen[0],
        next(v for v in seen if v.interlude),
        next(v for v in seen if v.round == 2 and v.turn is not None),
    )
    assert first.begins is not None and pause.begins is not None and pause.begins == after.begins == after.turn
    (floor, column), *_ = pause.ropes[0]
    assert pause.wall[floor - 1][column - 1] == other(pause.begins)  # the loser starts
    assert f"{info.name(first.begins)} starts (drawn at random)" in UI.status(first, info)
    assert f"{info.name(pause.begins)} lost and starts round 2 when everyone is ready" in UI.status(pause, info)
    assert f"{info.name(after.begins)} starts after losing round 1" in UI.status(after, info)
    for reader, words in (
        (pause.begins, "You lost and start round 2"),
        (other(pause.begins), "lost and starts round 2"),
    ):
        assert words in UI.status(msgspec.structs.replace(pause, seat=reader), info)
    assert "you start because you lost round 1" in UI.status(msgspec.structs.replace(after, seat=after.begins), info)
    again = [msgspec.structs.replace(view, cancelled=1) for view in (pause, after)]
    assert f"{info.name(pause.begins)} also starts round 2 when everyone is ready" in UI.status(again[0], info)
    assert f"{info.name(after.begins)} starts again" in UI.status(again[1], info)
    pushed = seen[seen.index(after) + 1]
    assert pushed.begins is None and "starts" not in UI.status(pushed, info)


def test_resigning_before_the_first_push_of_a_round_does_not_show_the_old_wall_again():
    options = RopeWallOptions(interludes="on")
    states = play(GAME, 1, options=options).states
    before = next(at for at in states if (seen := GAME.view(at, None)).phase == "push" and seen.round == 2)
    seat = GAME.view(before, None).turn
    assert seat is not None
    events = GAME.decide(before, seat, Resign(), Moment(10**13), Chance(bytes(SEED_BYTES), "t", 0))
    alt = UI.picture(GAME.view(GAME.fold(events, before), None), seated(options, 2, ("Ann", "Ben"))).alt
    assert "the previous round" not in alt and "Rope" not in alt and "Last push" not in alt


def test_without_a_pause_the_finished_wall_is_shown_until_the_next_push_and_that_is_said():
    view, info = between("off")
    shown = UI.picture(view, info)
    assert shown.data == picture.draw(view, ("Ann", "Ben"))
    assert "the picture still shows the previous round's wall" in shown.alt
    assert "the wall is empty; the picture still shows how round 1 ended" in UI.status(view, info)


async def test_a_restart_leaves_of_an_interlude_what_was_left_of_it(harness: BotHarness):
    await harness.two_at_the_wall()
    await to_the_interlude(harness)
    await harness.press(harness.ann, "Ready")
    before = shown(harness).interlude
    assert before is not None
    await harness.restart(away_ms=600_000)
    await harness.settle()
    after = (await harness.client.inbound.finder.find(1)).table.snapshot.view(None).interlude
    assert after is not None and after.ready == before.ready
    assert 0 <= after.until - before.until - 600_000 < 60_000
    await harness.press(harness.ben, "Ready")
    assert (shown(harness).phase, shown(harness).round) == ("push", 2)


async def test_the_caretaker_of_a_player_who_leaves_is_ready_at_once(harness: BotHarness):
    await harness.two_at_the_wall()
    await to_the_interlude(harness)
    await harness.press(harness.ann, "Ready")
    await harness.leave(harness.ben)
    await harness.advance(1)
    assert (shown(harness).phase, shown(harness).round) == ("push", 2)
