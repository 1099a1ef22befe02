"""The picture of a leaderboard: a line per player, the reader's own highlighted, and the same as text."""

import io

import msgspec
import pytest
from PIL import Image

from cogs.records import leaderboard_picture
from cogs.records.words import told_apart
from engine.standings import Listing, Place, Standing


def places(count: int = 10, name: str = "Ann", placing: int = 0) -> list[Place]:
    """Return the first places of a board; the last of these players are not ranked yet."""
    found = []
    for number in range(count):
        ranked = number < count - placing
        standing = Standing(
            number, f"{name} {number}", 25.0, 4.0, rating=2_000 - number, games=30 if ranked else 3, wins=9, streak=4,
            best=77, trace=tuple(1_900 - number + 9 * game for game in range(11)),
        )  # fmt: skip
        found.append(Place(standing, number + 1 if ranked else None))
    return found


@pytest.mark.parametrize("count", [1, 3, 10])
def test_a_page_of_the_board_is_small_and_grows_with_its_people(count: int):
    shown = leaderboard_picture.draw(places(count), 0, scored=True)
    assert len(shown.data) < 80_000 and shown.data == leaderboard_picture.draw(places(count), 0, scored=True).data
    with Image.open(io.BytesIO(shown.data)) as image:
        assert image.size == (800, 14 + 90 * count)


def test_the_readers_own_line_is_lit():
    pictures = {leaderboard_picture.draw(places(3), reader, scored=True).data for reader in range(4)}
    assert len(pictures) == 4


def test_the_words_beside_it_have_ranks_names_ratings_and_scores():
    words = leaderboard_picture.draw(places(3, placing=1), 0, scored=True).alt
    assert words.startswith(
        "1. Ann 0 (you): 2000 ± 100, ▲ up 55 in 5 games, 30 games, 9 wins, 4 in a row, best score 77."
    )
    assert words.endswith("Ann 2: 3 of 5 placement games, 3 games, 9 wins, 4 in a row, best score 77.")


def test_where_the_font_lacks_the_letters_of_a_name_the_board_is_in_words():
    assert leaderboard_picture.drawable(places()) and not leaderboard_picture.drawable([])
    assert not leaderboard_picture.drawable([*places(2), *places(1, name="安")])


def test_people_with_one_name_are_distinguished_in_every_form_of_the_leaderboard():
    alike = [
        msgspec.structs.replace(one, standing=msgspec.structs.replace(one.standing, name="Alex")) for one in places(3)
    ]
    other = Place(msgspec.structs.replace(places(1)[0].standing, player=70_004, name="Ben"), 4)
    listing = told_apart(Listing((*alike[:2], other), 0, 3, 0, None, None, True))
    assert [one.standing.name for one in listing.places] == ["Alex (…0)", "Alex (…1)", "Ben"]
    assert "1. Alex (…0):" in leaderboard_picture.alt(listing.places, 9, scored=True)
    before, after = (
        leaderboard_picture.draw(board, 9, scored=True).data for board in ([*alike[:2], other], listing.places)
    )
    assert before != after, "the picture has them too"
