"""Sentences sent as separate messages: which one disappears, and when."""

import pytest

from cogs.core.publishing.ephemeral_pages import AT_MOST_MS, READ_MS, Notices
from cogs.core.publishing.interaction_message import InteractionMessage
from engine.contract import Moment


def landed(message: int, at: int = 0) -> InteractionMessage:
    """Return a message that has answered an interaction of this moment."""
    return InteractionMessage(1, "token", message, True, Moment(at))


def test_another_sentence_takes_the_place_of_the_one_before():
    notices = Notices()
    assert notices.add(7, landed(1), Moment(0)) is None
    assert notices.add(8, landed(2), Moment(0)) is None
    before = notices.add(7, landed(3), Moment(0))
    assert before is not None and before.message == 1


@pytest.mark.parametrize(("message", "goes"), [(1, False), (2, True)])
def test_a_page_takes_its_place_unless_it_is_that_very_message(message: int, goes: bool):
    notices = Notices()
    notices.add(7, landed(1), Moment(0))
    assert notices.replace(8, message) is None and notices.shown
    assert (notices.replace(7, message) is not None) is goes
    assert not notices.shown


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
    notices = Notices()
    notices.add(7, landed(1, at=1_000), Moment(1_000))
    if over:
        notices.game_went_on()
    assert bool(notices.pop_due(Moment(1_000 + ms))) is goes
    assert notices.due == (None if goes else 1_000 + (READ_MS if over else AT_MOST_MS))


def test_a_notice_can_be_read_from_its_delivery_on_however_long_that_took():
    notices = Notices()
    notices.add(7, landed(1), Moment(READ_MS))
    notices.game_went_on()
    assert notices.pop_due(Moment(2 * READ_MS - 1)) == [] and len(notices.pop_due(Moment(2 * READ_MS))) == 1
