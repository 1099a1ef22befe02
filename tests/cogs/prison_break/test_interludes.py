"""The pause after the lights: its picture and texts, which are the same for everyone, and how it ends."""

import random
from io import BytesIO

import msgspec
import pytest
from PIL import Image

from cogs.core.pages.game_ui import available_moves_text
from cogs.prison_break import alt_text, picture
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Seat
from engine.games.prison_break import GAME, Note, Offering, PrisonBreakView, Prisoner, Sneak, State
from engine.turns import INTERLUDE_MS, Ready
from tests.cogs.prison_break.scenes import UI, everything, info, readers
from tests.cogs.prison_break.test_play import begin_prison_break
from tests.cogs.prison_break.test_ui import buttons, private, table
from tests.engine.games.prison_break_positions import LIT, A, B, C, after, moment, settled
from tests.engine.games.test_prison_break_secrets import exchanged
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.prison_break import view
from tools.harness.pages import text_of
from tools.harness.playouts import play

NAMES = ("Ann", "Ben", "Cleo")
BELIEVED = (Prisoner(3, seen=2, seen_round=1, declared=5), Prisoner(3, declared=1, printed=3), Prisoner(2))


def lit(roll: int = LIT) -> State:
    """A said 5 from 2 and is on 4; B said 1, was moved 3 and is on 4; C said 1 and is on 2. The die has just been
    rolled.
    """
    before = moment((4, 4, 0), prisoners=BELIEVED, interlude_ms=INTERLUDE_MS)
    return after(before, (A, Sneak(0, 0)), (B, Sneak(0, 0)), (C, Sneak(1, 2)), roll=roll)


def public(state: State) -> PrisonBreakView:
    return GAME.view(state, None)


# ------------------------------------------------------------------------------------------------- what is told, to all


def test_the_text_says_where_everybody_is_and_where_their_declarations_led():
    page = text_of(table(lit()))
    assert "**Lights on!** The die lit the yard: all positions are shown" in page
    assert "on 4, 3 behind their claim" in page and "on 4, as said" in page and "on 2, 1 ahead" in page
    alt = alt_text.alt(public(lit()), NAMES)
    assert alt.startswith("Lights on: the die shows 6") and "Ann is on 4, 3 behind: claimed to be on 7." in alt
    assert "Before that, Ben: started in JAIL, said 0 since, moved 3 forward by offers; 3 tokens." in alt
    assert "Cleo is on 2, 1 ahead: claimed to be on 1" in UI.text(public(lit()), info(3, NAMES))


def test_where_nobody_is_elsewhere_that_is_said_first():
    assert "Nothing new" not in text_of(table(lit()))
    before = moment((7, 4, 1), prisoners=BELIEVED, interlude_ms=INTERLUDE_MS)
    state = after(before, (A, Sneak(0, 0)), (B, Sneak(0, 0)), (C, Sneak(1, 0)), roll=LIT)
    assert "Nothing new: everyone is where they claimed to be. ● **Ann** on 7" in text_of(table(state)).replace(
        "\xa0", " "
    )
    assert alt_text.alt(public(state), NAMES).startswith("Nothing new: everyone is where they claimed to be.")


def test_where_an_offer_lit_the_yard_the_offer_is_named():
    before = moment((4, 4, 1), Offering(), prisoners=BELIEVED, interlude_ms=INTERLUDE_MS)
    state = settled(before, "lights", "++")
    assert "Both accepted the offer: all positions are shown" in text_of(table(state))
    assert alt_text.alt(public(state), NAMES).startswith("Lights on: both accepted the offer")
    assert "on 1, 1 ahead" in text_of(table(state))  # nothing was known of C


@pytest.mark.parametrize("seed", range(8))
def test_the_picture_and_text_of_the_lights_do_not_depend_on_secrets(seed: int):
    rng = random.Random(seed)
    paused = [state for state in play(GAME, seed).running if state.interlude is not None]
    for state in [lit(), *paused]:
        for reader in readers(state):
            twin = exchanged(state, reader, rng)
            assert everything(state, reader) == everything(twin, reader)
            assert picture.draw(GAME.view(state, reader)) == picture.draw(public(state))


def test_every_fact_of_the_lights_changes_their_picture():
    state = lit()
    shown, base = public(state), picture.draw(public(state), NAMES)
    assert picture.draw(public(lit(5)), NAMES) != base
    for seat in range(3):
        for one in ("seen", "declared", "printed"):
            owner = shown.believed[seat]
            other = msgspec.structs.replace(owner, **{one: getattr(owner, one) + 1})
            believed = (*shown.believed[:seat], other, *shown.believed[seat + 1 :])
            assert picture.draw(msgspec.structs.replace(shown, believed=believed), NAMES) != base
        stands = msgspec.structs.replace(shown.prisoners[seat], seen=9)
        prisoners = (*shown.prisoners[:seat], stands, *shown.prisoners[seat + 1 :])
        assert picture.draw(msgspec.structs.replace(shown, prisoners=prisoners), NAMES) != base
    assert len(base) < 60_000 and Image.open(BytesIO(base)).size[0] == 800


def test_being_ready_changes_the_text_and_not_the_picture():
    state = lit()
    ready = after(state, (B, Ready()))
    assert picture.draw(public(ready), NAMES) == picture.draw(public(state), NAMES)
    assert "ready: ◆" in text_of(table(ready)) and "ready: ◆" not in text_of(table(state))


def test_everybody_has_ready_and_the_notepad_at_hand():
    state = lit()
    assert set(buttons(table(state))) == {"Ready", "Log"}
    for seat in map(Seat, range(3)):
        assert set(buttons(private(state, seat))) == {"Ready", "Write a note", "Markers"}
    noted = GAME.fold(GAME.decide(state, B, Note("A lies"), Moment(1), Chance(bytes(SEED_BYTES), "t", 0)), state)
    assert "A lies" in text_of(private(noted, B)) and "A lies" not in text_of(private(noted, A))
    assert "Press *Ready*" in available_moves_text(UI, GAME.view(state, A), info(3), [Ready()])


# ------------------------------------------------------------------------------------------------------ at a live table


async def to_the_lights(harness: BotHarness) -> None:
    """Let all players stay where they are until the lights show them, so that nobody escapes before."""
    still = {"sneak": ("Sneak", "say 0, go 0"), "offer": ("No offer",), "guard": ("No check",)}
    for _ in range(200):
        await harness.settle()
        if view(harness).phase == "interlude":
            return
        who, shown = harness.awaited(), None
        for label in still[view(harness).phase]:
            shown = await harness.press(who, label, shown)
    raise AssertionError("it stays dark")


async def test_at_a_table_the_game_goes_on_when_all_are_ready(harness: BotHarness):
    await begin_prison_break(harness)
    await to_the_lights(harness)
    assert harness.messages().reminder.awaited()[1] == {}
    assert "Lights on!" in harness.public() and "when everyone is ready" in harness.public()
    for person in (harness.ben, harness.ann):
        await harness.press(person, "Ready")
    assert view(harness).phase == "interlude"
    assert "You're already marked as ready." in await harness.press_and_read(harness.ben, "Ready")
    await harness.press(harness.cleo, "Ready")
    await harness.settle()
    assert view(harness).phase in ("offer", "guard") and not harness.controls("ready")


async def test_at_a_table_the_game_goes_on_when_the_time_is_over(harness: BotHarness):
    await begin_prison_break(harness)
    await to_the_lights(harness)
    await harness.advance(INTERLUDE_MS)
    assert view(harness).phase in ("offer", "guard")


async def test_a_restart_leaves_of_the_pause_what_was_left_of_it(harness: BotHarness):
    await begin_prison_break(harness)
    await to_the_lights(harness)
    await harness.press(harness.ann, "Ready")
    before = view(harness).interlude
    assert before is not None
    await harness.restart(away_ms=600_000)
    await harness.settle()
    after_ = (await harness.client.inbound.finder.find(1)).table.snapshot.view(None).interlude
    assert after_ is not None and after_.ready == before.ready
    assert 0 <= after_.until - before.until - 600_000 < 60_000
