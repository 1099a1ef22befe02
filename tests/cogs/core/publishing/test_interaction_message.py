"""Which pictures an edit by token keeps, and which it sends again."""

from discord import ComponentType

from cogs.core.pages.page import Page, Picture
from cogs.core.publishing.components_v2 import Layout
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.token_calls import SentMessage
from engine.contract import Moment
from sandbox import walk
from tests.cogs.core.publishing.test_fast_discord import only_fast
from tools.harness.bot_harness import BotHarness


def test_a_picture_is_kept_under_its_own_name_only():
    """A page refers to its pictures by name, and a kept file keeps its name."""
    shown = Picture(b"the board", "table-1-4.png", "A board.")
    landed = InteractionMessage(1, "token", 7, original=True, at=Moment(0))
    gallery = {"type": ComponentType.media_gallery.value, "items": [{"media": {"attachment_id": "70"}}]}
    landed.note_pictures([shown], SentMessage(7, {"components": [{"components": [gallery]}]}))
    for page, kept in (
        (Page((shown,)), True),
        (Page((Picture(shown.data, "table-1-5.png", "A board."),)), False),
        (Page((Picture(b"another", shown.name, "A board."),)), False),
    ):
        (file,) = landed._files(Layout(page, 1, 0).pictures)
        assert (file == 70) is kept


@only_fast
async def test_an_edit_that_would_keep_a_picture_which_is_gone_sends_it_by_the_same_token(harness: BotHarness):
    await harness.two_at_the_wall()
    session = harness.messages()
    items = (item for part in walk(harness.board()["components"]) for item in part.get("items", ()))
    (gone,) = (item["media"]["attachment_id"] for item in items)
    await harness.push()
    await harness.settle()
    landed, channel = session.message._message.token, session.message._services.channel(session.table)
    assert landed is not None and landed.message == session.message.number
    rendered = await harness.client.publishing.page_builder.table_page(session.table.snapshot)
    landed.files = {picture.digest: int(gone) for picture in rendered.page.pictures()}
    before = len(harness.sandbox.calls)
    assert await session.message._message.edit(channel, rendered)
    assert [call.status for call in harness.sandbox.calls[before:]] == [400, 200]
    assert await harness.shows_latest()


async def test_an_edit_that_keeps_no_picture_and_is_refused_is_not_made_again(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    session = harness.messages()
    landed = session.message._message.token
    assert landed is not None
    landed.files = {}
    rendered = await harness.client.publishing.page_builder.table_page(session.table.snapshot)
    body = {"code": 50035, "message": "Invalid Form Body"}
    harness.sandbox.fault("PATCH", "/webhooks/*", 400, times=2, body=body)
    before = len(harness.sandbox.calls)
    assert not await landed.try_edit(harness.client, harness.clock.now(), rendered.page, 1, rendered.stamp)
    assert [call.status for call in harness.sandbox.calls[before:]] == [400]
    harness.sandbox.mend()
