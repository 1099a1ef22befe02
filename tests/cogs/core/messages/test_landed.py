"""Which pictures an edit by token keeps, and which it sends again."""

from discord import ComponentType

from cogs.core.messages.landed import Landed
from cogs.core.messages.layout import written
from cogs.core.messages.page import Page, Picture
from cogs.core.messages.wire import Sent
from engine.contract import Moment


def test_a_picture_is_kept_under_its_own_name_only():
    """A page asks for its pictures by name, and a file that is kept keeps the name that it has."""
    shown = Picture(b"the board", "table-1-4.png", "A board.")
    landed = Landed(1, "token", 7, original=True, at=Moment(0))
    gallery = {"type": ComponentType.media_gallery.value, "items": [{"media": {"attachment_id": "70"}}]}
    landed.shows(Page((shown,)), Sent(7, {"components": [{"components": [gallery]}]}))
    for page, kept in (
        (Page((shown,)), True),
        (Page((Picture(shown.data, "table-1-5.png", "A board."),)), False),
        (Page((Picture(b"another", shown.name, "A board."),)), False),
    ):
        (file,) = landed._files(written(page, 1, 0).pictures)
        assert (file == 70) is kept
