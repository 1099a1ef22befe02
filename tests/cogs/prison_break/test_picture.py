"""Prison Break's pictures: size, determinism, one look for each fact, and text for those who cannot see them."""

import itertools
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas, fitted_name
from cogs.core.drawing.theme import ALARM, CHALK, INK, NIGHT, SEAT_MARKS, WIDTH, Colour, mix
from cogs.prison_break import alt_text, end_picture, offer_cards, path_sprites, picture, track_picture
from cogs.prison_break.corridor import NAME_SIZE, NAME_WIDTH, NICHE, PLATE, ROW, draw_plate, draw_row
from cogs.prison_break.path_sprites import STRIP
from cogs.prison_break.row_sprites import plate_sprites
from cogs.prison_break.words import LEGEND, OFFER_NAMES
from engine.contract import Seat
from engine.games.prison_break import GAME, Card, PrisonBreakOptions, PrisonBreakView, Prisoner, Step, Vote
from tests.cogs.prison_break.scenes import moments, readers
from tests.engine.games.prison_break_positions import A, B, after, moment, new_game, offered, offering, settled, sneaked
from tools.harness.pages import same_picture
from tools.harness.playouts import play

LARGEST = 60_000
NAMES = ("Ann", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize("seed", range(6))
def test_pictures_are_small_wide_enough_and_the_same_each_time(seed: int):
    for state in moments(seed, 15):
        for reader in readers(state):
            view = GAME.view(state, reader)
            data = picture.draw(view) if reader is None else track_picture.draw(view)
            assert len(data) <= LARGEST
            assert same_picture(data, picture.draw(view) if reader is None else track_picture.draw(view))
            size = Image.open(BytesIO(data)).size
            assert size[0] == WIDTH and 300 < size[1] < 800


def test_the_end_shows_every_step_that_was_really_taken_and_whether_it_was_a_lie():
    end = GAME.view(moments(2, 1)[-1], None)
    base = picture.draw(end)
    for seat, path in enumerate(end.paths):
        for number, step in enumerate(path):
            if step.declared is None:
                continue
            lie = msgspec.structs.replace(step, declared=step.steps + (step.declared == step.steps))
            other = (*path[:number], lie, *path[number + 1 :])
            changed = msgspec.structs.replace(end, paths=(*end.paths[:seat], other, *end.paths[seat + 1 :]))
            assert picture.draw(changed) != base
        words = alt_text.alt(end, NAMES)
    assert "lied in" in words and "'s path: " in words


def test_names_are_on_the_rows_and_are_left_out_where_the_font_lacks_them():
    view = GAME.view(new_game(3), None)
    assert picture.draw(view, NAMES) != picture.draw(view)
    assert picture.draw(view, ("\u4e2d",) * 4) == picture.draw(view)
    own = GAME.view(new_game(3), A)
    assert track_picture.draw(own, NAMES) != track_picture.draw(own)


@pytest.mark.parametrize("name", ["Ann", "Peggy (Qj)", "WWWWWWWWWWWW", "j|g", "ÅÇŐgq"])
@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("status", ["", "CAUGHT", "HELD"])
@pytest.mark.parametrize("seat", range(4))
def test_a_name_laid_over_a_plate_looks_as_if_it_were_drawn_with_it(seat: int, status: str, active: bool, name: str):
    stage = picture._table(4, 10, 4, False).stage
    shown = fitted_name(name, NAME_SIZE, NAME_WIDTH)
    whole = stage.palette.canvas(8, stage.tops[seat], PLATE, ROW)
    draw_plate(whole, stage.tops[seat], seat, 3, status, active, shown)
    laid, drawn = stage.palette.composition(), stage.palette.composition()
    laid.placed += plate_sprites(stage, seat, 3, status, active, shown)
    drawn.paste(stage.palette.bitmap(whole), (8, stage.tops[seat]))
    assert largest_difference(laid.image(), drawn.image()) <= SOFT


SOFT = 40
"""The invisible difference, of 255, between pixels of a smooth edge."""


def largest_difference(one: Image.Image, other: Image.Image) -> int:
    """Return the largest difference between the pixels of two pictures."""
    extremes: Any = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema()
    return max(most for _, most in extremes)


def test_names_of_all_plates_share_what_was_drawn_of_each_other(nothing_drawn: None):
    stage, drawn = picture._table(4, 10, 4, False).stage, []
    for status, active in itertools.product(("CAUGHT", "HELD"), (True, False)):
        drawn.append(plate_sprites(stage, 1, 2, status, active, "Ann")[1])
    assert drawn[0] is drawn[2] and drawn[1] is drawn[3] and drawn[0] is not drawn[1]
    assert plate_sprites(stage, 1, 2, "HELD", True, "Ann")[0] is plate_sprites(stage, 1, 2, "HELD", True, "Ben")[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_path_composed_of_stamps_looks_the_same_as_a_drawn_one(seed: int):
    end = GAME.view(play(GAME, seed).states[-1], None)
    stage = end_picture._stage(len(end.prisoners), end.spaces)
    for seat, path in enumerate(end.paths):
        top = stage.tops[seat] + ROW
        canvas = stage.palette.canvas(8, top - 2, WIDTH - 16, STRIP - 6)
        _draw_path(canvas, top + STRIP - 22, end.spaces, seat, path)
        laid, drawn = stage.palette.composition(), stage.palette.composition()
        laid.placed += path_sprites.path_sprites(stage, seat, path, "")
        title = laid.placed[0]
        drawn.paste(stage.palette.bitmap(canvas), (8, top - 2))
        drawn.placed.append(title)
        different = ImageChops.difference(laid.image().convert("RGB"), drawn.image().convert("RGB")).convert("L")
        assert sum(different.histogram()[SOFT:]) < 20  # where edges of several arcs cross


def _draw_path(canvas: Canvas, base: int, spaces: int, seat: int, path: Sequence[Step]) -> None:
    """Draw a path on one canvas, one arc after the other."""
    mark, here = SEAT_MARKS[seat], 0
    fresh = max((number for number, step in enumerate(path) if not step.position), default=-1)
    # Of hops between the same spaces only the last one is visible
    bows: dict[tuple[int, int], tuple[Colour, bool]] = {}
    for number, step in enumerate(path):
        lies = step.declared is not None and step.declared != step.steps
        colour = ALARM if lies else mark.colour
        if step.position != here:
            bows.pop((here, step.position), None)
            bows[here, step.position] = mix(colour, NICHE, 0.65) if number <= fresh else colour, lies
        here = step.position
    for (start, end), (shade, lies) in bows.items():
        middles = path_sprites._middle(spaces, start), path_sprites._middle(spaces, end)
        path_sprites.draw_hop(canvas, *middles, base, shade, dashed=lies)
    for step in path[fresh + 1 :]:
        canvas.disc(path_sprites._middle(spaces, step.position), base, 5, INK)
        canvas.disc(path_sprites._middle(spaces, step.position), base, 4, CHALK)
    canvas.mark(mark, path_sprites._middle(spaces, here), base - 4, 12, letter=False)


@pytest.mark.parametrize("spaces", [3, 10, 20])
@pytest.mark.parametrize("seat", range(4))
def test_the_mark_at_the_end_of_a_way_is_whole_in_cells_of_any_width(spaces: int, seat: int):
    for position in range(spaces + 2):
        stamp = path_sprites._mark_stamp(spaces, seat, position, path_sprites._OUTLINE).image
        left, top, right, _ = stamp.getbbox() or (0, 0, 0, 0)
        assert 0 < left < right < stamp.width and top > 0  # below it is the frame, of the outline's colour


@pytest.mark.parametrize("slots", [3, 4])
@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("votes", [None, (True, False)])
def test_a_ballot_covers_nothing_of_its_card_but_paper(slots: int, up: bool, votes: tuple[bool, bool] | None):
    table = picture._table(4, 10, slots, False)
    palette, (left, right), ballot = (
        table.stage.palette,
        table.card(1),
        offer_cards.Ballot((0, 2), votes, (True, False)),
    )
    for terms in GAME.view(new_game(4), None).terms:
        whole = palette.canvas(left, table.shelf, right - left, offer_cards.HEIGHT)
        offer_cards.draw_card(whole, left, right, table.shelf, terms, up, "open" if votes is None else "shown")
        bare = palette.bitmap(whole)
        offer_cards._ballot(whole, (left + right) / 2, table.shelf + offer_cards.HEIGHT - 24, ballot)
        laid, drawn = palette.composition(), palette.composition()
        laid.paste(bare, (left, table.shelf))
        laid.placed.append(picture._ballot_sprite(table, 1, up, ballot))
        drawn.paste(palette.bitmap(whole), (left, table.shelf))
        assert laid.image().tobytes() == drawn.image().tobytes()


@pytest.mark.parametrize("votes", ["none", "open"])
def test_the_terms_of_every_offer_stay_on_their_card(votes: offer_cards.Vote):
    left, right = picture._table(4, 10, 4, False).card(0)  # four cards are the narrowest
    for terms in GAME.view(new_game(4), None).terms:
        canvas = Canvas(right + 60, offer_cards.HEIGHT, NIGHT)
        offer_cards.draw_card(canvas, left, right, 0, terms, True, votes)
        beside = canvas.picture().crop((right - 3, 60, right + 60, 120)).convert("RGB")
        assert beside.getcolors() and len(beside.getcolors() or ()) <= 4  # the card's edge and the night


SEATS = tuple("ABCD")


def test_no_words_are_smaller_than_nine_pixels_on_a_phone(nothing_drawn: None, monkeypatch: pytest.MonkeyPatch):
    phone, sizes = 358, {}
    whole = Canvas.text

    def text(canvas: Canvas, x: float, y: float, words: str, size: float, *rest: Any, **more: Any) -> None:
        sizes[words] = size * phone / WIDTH
        whole(canvas, x, y, words, size, *rest, **more)

    monkeypatch.setattr(Canvas, "text", text)
    draw_row(Canvas(WIDTH, ROW, NIGHT), 0, 10)
    names = ("Ines", "Benedikta", "x" * 32, "Wilma")
    for state in moments(11, 30):
        view = GAME.view(state, A)
        view = msgspec.structs.replace(view, prisoners=tuple(_late(one) for one in view.prisoners))
        picture.draw(view, names[: len(view.prisoners)])
        if view.phase != "over":
            track_picture.draw(view, names[: len(view.prisoners)])
    assert {"Ines", "10", "EXIT", "CAUGHT", "seen R58", "you are", "really went", "lied in"} <= set(sizes)
    # The shape around a seat's letter also identifies it.
    assert {words: size for words, size in sizes.items() if size < 8.9 and words not in SEATS} == {}


def _late(prisoner: Prisoner) -> Prisoner:
    """Return a state with a prisoner who skips, and was last seen in a late round."""
    return msgspec.structs.replace(prisoner, skips=True, seen_round=58)


def test_an_offer_has_its_whole_name_on_its_card_where_there_is_room():
    left, right = picture._table(4, 10, 3, False).card(0)
    assert all(offer_cards.fitting(kind, right - left) == name for kind, name in OFFER_NAMES.items())
    left, right = picture._table(4, 10, 4, False).card(0)
    assert [kind for kind, name in OFFER_NAMES.items() if offer_cards.fitting(kind, right - left) != name] == ["bribe"]


def test_more_players_make_more_rows():
    heights = [Image.open(BytesIO(picture.draw(GAME.view(new_game(seats), None)))).size[1] for seats in (2, 3, 4)]
    assert heights == sorted(set(heights))


def test_every_public_fact_changes_the_picture():
    base = moment((0, 0, 0), row=("advance", "lights", "bribe"))
    view = GAME.view(base, None)
    one = base.prisoners[0]

    def changed(**facts: object) -> PrisonBreakView:
        return msgspec.structs.replace(view, **facts)

    def prisoner(**facts: object) -> PrisonBreakView:
        return changed(prisoners=(msgspec.structs.replace(one, **facts), *view.prisoners[1:]))

    views = [
        view,
        changed(round=2),
        changed(warden=B),
        changed(to_act=(B,)),
        changed(phase="guard"),
        changed(no_sneak_round=2),
        changed(row=(Card("advance", False), Card("lights"), Card("bribe"))),
        prisoner(tokens=2),
        prisoner(seen=4, seen_round=1),
        prisoner(declared=2),
        prisoner(printed=3),
        prisoner(skips=True),
        prisoner(held_round=2),
    ]
    assert len({picture.draw(each) for each in views}) == len(views)


def test_a_vote_shows_that_it_is_in_and_later_what_it_was():
    before = offered(offering(2, 3, 4, row=("advance", "lights", "bribe")), "advance", A, B)
    in_ = [after(before, (A, Vote(accept))) for accept in (True, False)]
    pictures = {picture.draw(GAME.view(state, None)) for state in (before, *in_)}
    assert len(pictures) == 2
    shown = {
        picture.draw(GAME.view(settled(offering(2, 3, 4, row=("advance", "lights", "bribe")), "advance", votes), None))
        for votes in ("++", "+-", "-+", "--")
    }
    assert len(shown) == 4


def test_the_lights_light_the_cells_and_the_die_shows_its_face():
    start = moment((1, 2, 3))
    lit, dark = (sneaked(start, (0, 0), (0, 0), (0, 0), roll=roll) for roll in (6, 4))
    assert picture.draw(GAME.view(lit, None)) != picture.draw(GAME.view(dark, None))
    assert "Lights check: a 6, all positions are shown." in alt_text.alt(GAME.view(lit, None), NAMES)
    assert "Lights check: a 4, it stays dark." in alt_text.alt(GAME.view(dark, None), NAMES)


def test_the_private_picture_is_about_its_owner_alone():
    one, other = moment((7, 3, 9)), moment((7, 4, 1))
    assert track_picture.draw(GAME.view(one, A)) == track_picture.draw(GAME.view(other, A))
    assert track_picture.draw(GAME.view(one, B)) != track_picture.draw(GAME.view(other, B))
    assert "You, Ann, are on 7." in track_picture.alt(GAME.view(one, A), NAMES)
    assert track_picture.alt(GAME.view(one, A), NAMES) == track_picture.alt(GAME.view(other, A), NAMES)


@pytest.mark.parametrize("seed", range(6))
def test_alt_texts_fit_and_start_with_the_most_important_fact(seed: int):
    names = ("*" * 32,) * 4
    for state in moments(seed, 15):
        for reader in readers(state):
            view = GAME.view(state, reader)
            words = alt_text.alt(view, names) if reader is None else track_picture.alt(view, names)
            assert 0 < len(words) <= 1_024
    over = GAME.view(moments(seed, 1)[-1], None)
    assert alt_text.alt(over, NAMES).startswith((NAMES[over.winners[0]], "The last round"))


def test_the_alt_text_of_the_table_says_what_the_picture_shows():
    state = sneaked(moment((0, 5, 0)), (2, 0))
    words = alt_text.alt(GAME.view(state, None), NAMES)
    assert words.startswith("Ben's turn to sneak. Round 1 of 30, Ann is the Warden.")
    assert "Ann: started in JAIL, said 2 since, so on 2 if that's true; 3 tokens." in words
    assert "Face-up offers: Advance, Lights On, Extra Patrols, Lock Down and Bribe the Guards." in words


def test_a_claim_is_held_on_the_track_like_a_pawn():
    state = sneaked(moment((0, 0, 0)), (2, 0))
    view = GAME.view(state, None)
    far = msgspec.structs.replace(view.prisoners[0], declared=40)
    stretched = msgspec.structs.replace(view, prisoners=(far, *view.prisoners[1:]))
    assert "so on EXIT if that's true" in alt_text.alt(stretched, NAMES)
    assert Image.open(BytesIO(picture.draw(stretched))).size[0] == WIDTH


def test_at_the_end_all_tracks_are_open():
    state = play(GAME, 1, options=PrisonBreakOptions(round_limit=3)).states[-1]
    view = GAME.view(state, None)
    assert view.reason == "rounds" and all(position is not None for position in view.positions)
    for seat, position in enumerate(view.positions):
        elsewhere = 3 if position != 3 else 4
        moved = msgspec.structs.replace(
            view, positions=(*view.positions[:seat], elsewhere, *view.positions[seat + 1 :])
        )
        assert picture.draw(moved) != picture.draw(view)


def test_the_rules_have_a_picture_with_words():
    data = picture.draw_rules()
    assert data == picture.draw_rules() and len(data) <= LARGEST
    assert 0 < len(picture.RULES_ALT) <= 1_024


def test_the_text_view_is_narrow_and_aligned():
    for seats in (2, 3, 4):
        view = GAME.view(new_game(seats), Seat(1))
        lines = alt_text.table_text(view, NAMES[:seats]).split("\n")
        head = next(number for number, line in enumerate(lines) if line.startswith("         J 1"))
        assert {len(line) for line in lines[head : head + seats + 1]} == {len("         J 1 2 3 4 5 6 7 8 9 10 X")}
        assert [line.split()[0] for line in lines[head + 1 : head + seats + 1]] == [name[:8] for name in NAMES[:seats]]


def test_alt_texts_say_what_the_marks_and_bows_mean():
    assert alt_text.alt(GAME.view(moment((0, 5, 0)), None), NAMES).endswith(LEGEND)
    assert "Arcs show each path: red where" in alt_text.alt(GAME.view(play(GAME, 3).states[-1], None), NAMES)
