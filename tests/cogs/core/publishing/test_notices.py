"""Sentences told alone: which of them goes, and when."""

import pytest

from cogs.core.publishing.interaction_message import Landed
from cogs.core.publishing.notices import AT_MOST_MS, READ_MS, Asides
from engine.contract import Moment


def landed(message: int, at: int = 0) -> Landed:
    """A message that has answered an interaction of this moment."""
    return Landed(1, "token", message, True, Moment(at))


def test_another_sentence_takes_the_place_of_the_one_before():
    asides = Asides()
    assert asides.stands(7, landed(1), Moment(0)) is None
    assert asides.stands(8, landed(2), Moment(0)) is None
    before = asides.stands(7, landed(3), Moment(0))
    assert before is not None and before.message == 1


@pytest.mark.parametrize(("message", "goes"), [(1, False), (2, True)])
def test_a_page_takes_its_place_unless_it_is_that_very_message(message: int, goes: bool):
    asides = Asides()
    asides.stands(7, landed(1), Moment(0))
    assert asides.gives_way(8, message) is None and asides.told
    assert (asides.gives_way(7, message) is not None) is goes
    assert not asides.told


@pytest.mark.parametrize(
    ("over", "ms", "goes"),
    [
        (True, READ_MS - 1, False),
        (True, READ_MS, True),
        (False, READ_MS, False),
        (False, AT_MOST_MS - 1, False),
        (False, AT_MOST_MS, True),
    ],
)
def test_it_goes_once_it_can_be_read_and_the_game_has_gone_on_and_before_its_token_dies(
    over: bool, ms: int, goes: bool
):
    asides = Asides()
    asides.stands(7, landed(1, at=1_000), Moment(1_000))
    if over:
        asides.gone_on()
    assert bool(asides.due(Moment(1_000 + ms))) is goes
    assert list(asides.moments()) == ([] if goes else [1_000 + (READ_MS if over else AT_MOST_MS)])


def test_it_can_be_read_from_when_it_was_told_however_long_that_took():
    asides = Asides()
    asides.stands(7, landed(1), Moment(READ_MS))
    asides.gone_on()
    assert asides.due(Moment(2 * READ_MS - 1)) == [] and len(asides.due(Moment(2 * READ_MS))) == 1
