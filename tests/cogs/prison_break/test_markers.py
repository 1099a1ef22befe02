"""The private markers on the page: a select for each opponent, the marked cells in the picture, and the command."""

import json

from cogs.core.pages.game_ui import available_moves_text
from cogs.core.pages.page import Page, Select
from cogs.prison_break import alt_text, picture, track_picture
from cogs.prison_break.ui import PrisonBreakUI
from engine.games.prison_break import GAME, Mark
from sandbox import UserClient
from tests.cogs.prison_break.scenes import info
from tests.cogs.prison_break.test_ui import buttons, press, private, table
from tests.engine.games.prison_break_positions import EXIT, A, B, C, after, guarding, new_game, offering
from tools.harness.bot_harness import BotHarness
from tools.harness.pages import text_of

UI = PrisonBreakUI()
NAMES = ["Ann", "Ben", "Cleo"]


def selects(page: object) -> list[Select]:
    assert isinstance(page, Page)
    return [block for block in page.blocks if isinstance(block, Select)]


def test_each_opponent_has_one_select_of_all_spaces_with_what_is_marked_chosen():
    state = after(new_game(3), (B, Mark("0:3 11")))
    found = selects(press(state, B, "markers"))
    assert [one.argument for one in found] == ["0", "2"]
    assert [[choice.value for choice in one.choices if choice.chosen] for one in found] == [["3", "11"], []]
    for one in found:
        assert [choice.value for choice in one.choices] == [str(space) for space in range(EXIT + 1)]
        assert (one.verb, one.least, one.most) == ("marker-set", 0, EXIT + 1)


def test_a_choice_sets_the_markers_for_its_opponent():
    assert press(new_game(3), A, "marker-set", "1", "3", "4") == Mark("1:3 4")
    assert press(new_game(3), A, "marker-set", "2") == Mark("2:")


def test_markers_are_available_in_every_phase():
    for state in (new_game(3), offering(1, 2, 3), guarding(1, 2, 3)):
        for seat in (A, B, C):
            assert "Markers" in buttons(private(state, seat))
        assert "Markers" not in buttons(table(state))
    assert "markers" in available_moves_text(UI, GAME.view(new_game(3), A), info(3), [])


def test_markers_appear_in_picture_and_text_of_their_owners_page_only():
    plain = guarding(1, 2, 3)
    state = after(plain, (B, Mark("0:3 11")), (B, Mark("2:0")))
    mine, before = GAME.view(state, B), GAME.view(plain, B)
    told = "Your markers: Ann 3 and EXIT · Cleo JAIL"
    assert track_picture.draw(mine, NAMES) != track_picture.draw(before, NAMES)
    assert told in track_picture.alt(mine, NAMES) and told in alt_text.table_text(mine, NAMES)
    assert "Your markers: " in text_of(private(state, B))
    for reader in (None, A, C):
        view, same = GAME.view(state, reader), GAME.view(plain, reader)
        assert alt_text.table_text(view, NAMES) == alt_text.table_text(same, NAMES)
        assert picture.draw(view, NAMES) == picture.draw(same, NAMES)
    assert text_of(private(state, A)) == text_of(private(plain, A))


def test_each_marked_cell_looks_different_from_the_cell_without_its_marker():
    drawn = {track_picture.draw(GAME.view(guarding(1, 2, 3), B), NAMES)}
    for space in range(EXIT + 1):
        drawn.add(track_picture.draw(GAME.view(after(guarding(1, 2, 3), (B, Mark(f"0:{space}"))), B), NAMES))
    assert len(drawn) == EXIT + 2


async def test_markers_are_set_by_the_page_or_by_command_and_forgotten_with_their_owner(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo, interludes="off")
    hand = await harness.press(harness.ben, "Play")
    public = harness.public()
    page = await harness.press(harness.ben, "Markers", hand)
    done = await harness.ben.press(page, harness.controls("marker-set", page)[0], values=["3", "4"])
    await harness.settle()
    assert "Your markers: ● **Ann** 3 and 4" in done.text
    answer = await harness.ben.command(harness.yard, "prison-break mark", player=2, spaces="exit, 7")
    assert "markers are set" in answer.text
    assert harness.view(B).markers == ((3, 4), (), (7, 11))
    assert (
        "from JAIL to EXIT" in (await harness.ben.command(harness.yard, "prison-break mark", player=2, spaces="x")).text
    )
    assert (
        "another player's track"
        in (await harness.ben.command(harness.yard, "prison-break mark", player=1, spaces="3")).text
    )
    await harness.ben.command(harness.yard, "prison-break mark", player=2)
    assert harness.view(B).markers == ((3, 4), (), ())
    for person in (harness.ann, harness.cleo):
        assert "Your markers" not in UserClient.visible_text(person.dms()[0])
    assert harness.public() == public
    asked = await harness.ben.command(harness.yard, "privacy delete")
    await harness.press(harness.ben, "Delete it all", asked)
    await harness.settle()
    store = harness.client.store
    bodies = [json.loads(one.action) for one in await store.games.decisions(1) if one.action is not None]
    bodies += [json.loads(body) for body in await store.games.events(1)]
    marks = [body["markers"] for body in bodies if "markers" in body]
    assert len(marks) == 6 and not any(marks)


async def test_a_game_without_a_round_limit_is_casual_and_says_no_last_round(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, round_limit=0)
    table_now = harness.snapshot()
    assert table_now.row.casual and not table_now.ranked
    assert "Round 1 ·" in harness.public() and "of 0" not in harness.public()
