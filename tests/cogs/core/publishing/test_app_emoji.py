"""Cards and tiles as the application's emoji: uploaded once, found again, and replaced by text where
Discord has none.
"""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from cogs.core.app.app_sync import EMOJI_AGAIN_MS
from cogs.core.drawing.sprites import EMOJI_SIZE
from cogs.core.pages.game_ui import GameUI
from cogs.core.publishing import app_emoji
from cogs.core.publishing.app_emoji import MARK
from cogs.core.publishing.forms import Form
from cogs.registry import GAMES
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

UIS = [ui for package in GAMES if type(ui := package.ui()).faces is not GameUI.faces]
MOST_BYTES = 256 * 1024


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_every_face_is_a_picture_that_discord_takes_as_an_emoji(ui):
    faces = ui.faces()
    assert len(faces) == {"ausbrecher": 8, "break_out": 45, "match_five": 26}[ui.game.key]
    assert len({Image.open(BytesIO(data)).convert("L").tobytes() for data in faces.values()}) == len(faces)
    for name, data in faces.items():
        image = Image.open(BytesIO(data))
        assert image.size == (EMOJI_SIZE, EMOJI_SIZE) and image.mode == "RGBA" and len(data) <= MOST_BYTES
        assert image.getpixel((0, 0))[3] == 0 and image.getpixel((EMOJI_SIZE // 2, EMOJI_SIZE // 2))[3] == 255
        assert len(f"{MARK}{name}_12345678") <= 32 and name.replace("_", "").isalnum()


def creations(harness: BotHarness) -> int:
    """Return the number of calls that created emoji."""
    return len([call for call in harness.sandbox.calls if call.method == "POST" and call.path.endswith("/emojis")])


def listings(harness: BotHarness) -> int:
    """Return how often Discord was asked for the list of emoji."""
    return len([call for call in harness.sandbox.calls if call.method == "GET" and call.path.endswith("/emojis")])


async def started(harness: BotHarness) -> list[dict[str, Any]]:
    """Ann's cockpit of Match Five on her turn, as its controls."""
    await harness.begin("match-five", harness.ben)
    who = harness.awaited()
    await harness.press(who, "Play")
    return UserClient.buttons(who.ephemerals(harness.yard)[0])


async def test_faces_are_on_controls_once_they_are_uploaded_and_are_not_made_again(harness: BotHarness, monkeypatch):
    monkeypatch.setattr(app_emoji, "PAUSE_S", 0.03)
    wanted = sum(len(ui.faces()) for ui in UIS)
    await harness.stop()
    await harness.start(own_emoji=True)
    await harness.ann.until(lambda: creations(harness) == wanted)
    await harness.settle()
    own = [
        part for part in await started(harness) if (part.get("emoji") or {}).get("name", "").startswith(f"{MARK}tile_")
    ]
    assert len(own) == 5
    await harness.stop()
    asked = listings(harness)
    await harness.start(own_emoji=True)
    await harness.ann.until(lambda: listings(harness) > asked)
    await harness.settle()
    assert creations(harness) == wanted


async def test_pages_have_words_alone_once_somebody_has_deleted_the_emoji_until_they_are_uploaded_again(
    harness: BotHarness, monkeypatch
):
    monkeypatch.setattr(app_emoji, "PAUSE_S", 0.0)
    harness.sandbox.limits_on = False  # without a pause there may be more than 50 uploads in a second
    wanted = sum(len(ui.faces()) for ui in UIS)
    await harness.stop()
    await harness.start(own_emoji=True)
    await harness.ann.until(lambda: creations(harness) == wanted)
    await harness.settle()
    await harness.begin("match-five", harness.ben)
    for one in await harness.client.fetch_application_emojis():
        await one.delete()
    who = harness.awaited()
    page = await harness.press(who, "Play")
    await harness.settle()
    parts = UserClient.buttons(page)
    assert parts and not [part for part in parts if (part.get("emoji") or {}).get("id")]
    messages = harness.messages().pages.message_of(int(who.id)), harness.messages().message
    assert all(message.form is Form.FULL and message.trouble is None for message in messages)
    assert harness.client.publishing.refusals.of(int(harness.guild.id)) == []
    harness.sandbox.violations.clear()  # the sandbox takes a button with such an emoji for a mistake
    await harness.advance(EMOJI_AGAIN_MS)
    await harness.ann.until(lambda: creations(harness) == 2 * wanted)
    await harness.settle()
    page = await harness.press(who, "Play")
    assert [part for part in UserClient.buttons(page) if (part.get("emoji") or {}).get("id")]


async def test_outdated_emoji_of_the_bot_are_deleted_and_others_stay(harness: BotHarness):
    client = harness.client
    data = UIS[0].faces()
    image = next(iter(data.values()))
    for name in (f"{MARK}card_r1_00000000", "somebodys"):
        await client.create_application_emoji(name=name, image=image)
    await client.markup.emoji.upload(client, dict(list(data.items())[:2]))
    names = [one.name for one in await client.fetch_application_emojis()]
    assert "somebodys" in names and f"{MARK}card_r1_00000000" not in names and len(names) == 3


async def test_where_none_may_be_made_controls_are_plain_and_one_line_says_so(harness: BotHarness, caplog):
    await harness.stop()
    harness.sandbox.fault("POST", "/applications/*/emojis", 403, times=500)
    await harness.start(own_emoji=True)
    await harness.ann.until(lambda: "no emoji for cards, tiles and dice" in caplog.text)
    harness.sandbox.mend()
    parts = await started(harness)
    assert not [part for part in parts if (part.get("emoji") or {}).get("id")]
    assert caplog.text.count("no emoji for cards, tiles and dice") == 1 and "Traceback" not in caplog.text


@pytest.mark.parametrize("code", [30008, 50035, 50138])
async def test_an_emoji_that_discord_refuses_keeps_none_of_the_others_from_being_used(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, code: int
):
    monkeypatch.setattr(app_emoji, "PAUSE_S", 0.0)
    harness.sandbox.limits_on = False  # without a pause there may be more than 50 uploads in a second
    client, data = harness.client, UIS[0].faces()
    old = await client.create_application_emoji(name=f"{MARK}card_r1_00000000", image=next(iter(data.values())))
    harness.sandbox.fault("POST", "/applications/*/emojis", 400, body={"code": code, "message": "refused"})
    await harness.client._app_sync._keep_emoji(data)
    assert [*client.markup.emoji.known] == [*data][1:]
    assert old.name not in [one.name for one in await client.fetch_application_emojis()]
    await harness.advance(EMOJI_AGAIN_MS)
    await harness.ann.until(lambda: client.markup.emoji.known.keys() >= data.keys())


async def test_an_outdated_emoji_that_somebody_deletes_meanwhile_is_no_failure(harness: BotHarness):
    client, data = harness.client, UIS[0].faces()
    await client.create_application_emoji(name=f"{MARK}card_r1_00000000", image=next(iter(data.values())))
    harness.sandbox.fault("DELETE", "/applications/*/emojis/*", 404, body={"code": 10014, "message": "Unknown Emoji"})
    await client.markup.emoji.upload(client, dict([*data.items()][:1]))
