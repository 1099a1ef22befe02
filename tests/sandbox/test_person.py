"""What a person can do and see, and how the sandbox waits."""

from __future__ import annotations

import asyncio
import struct
from email.utils import parsedate_to_datetime

import pytest

from sandbox import PATIENCE_S, Refused, Sandbox, snowflake_ms, visible_text
from sandbox.messaging.image_size import content_type, picture_size, plain_png, safe_name
from sandbox.world import wait_until
from sandbox.world.permissions import ALL, EVERYONE, Permission, in_channel

from .conftest import Scene


async def test_until_asks_again_only_after_a_change(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wait_until, "_ECHO_S", PATIENCE_S)  # and not because time has passed
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return len(scene.ann.messages(scene.yard)) == 3

    seeing = asyncio.create_task(scene.ann.until(enough))
    for number in range(3):
        await asyncio.sleep(0)
        await scene.ben.say(scene.yard, str(number))
    assert await seeing
    assert asked <= 4


async def test_until_also_notices_changes_that_are_no_events(scene: Scene) -> None:
    seen: list[str] = []
    asyncio.get_running_loop().call_later(0.2, seen.append, "the bot's own state")
    assert await scene.ann.until(lambda: seen) == ["the bot's own state"]


async def test_until_times_out_with_what_was_last_seen(scene: Scene) -> None:
    await scene.ben.say(scene.yard, "the last word")
    with pytest.raises(TimeoutError, match="the last word"):
        await scene.ann.until(lambda: False, timeout=0.05)
    with pytest.raises(TimeoutError, match="IndexError"):
        await scene.ann.until(lambda: scene.ann.dms()[-1], timeout=0.05)


async def test_people_see_only_their_channels(scene: Scene) -> None:
    office = scene.sandbox.add_channel(scene.guild, "office")
    scene.sandbox.deny(office, "VIEW_CHANNEL", who=scene.ben)
    await scene.ann.say(office, "secret")
    assert scene.ben.messages(office) == []
    with pytest.raises(Refused, match="does not see"):
        await scene.ben.say(office, "hello")
    assert len(scene.ann.messages(office)) == 1  # administrators see everything
    scene.sandbox.deny(scene.yard, "SEND_MESSAGES", who=scene.ben)
    with pytest.raises(Refused, match="may not write"):
        await scene.ben.say(scene.yard, "hello")
    with pytest.raises(Refused, match="1 to 2000"):
        await scene.ann.say(scene.yard, "")
    with pytest.raises(Refused, match="does not see"):
        await scene.ben.say(scene.ann.dm, "hello")


async def test_only_managers_delete_what_others_said(scene: Scene) -> None:
    said = await scene.ann.say(scene.yard, "mine")
    with pytest.raises(Refused, match="may not delete"):
        await scene.ben.delete(said)
    own = await scene.ben.say(scene.yard, "his")
    await scene.ann.delete(own)
    with pytest.raises(Refused, match="is gone"):
        await scene.ben.delete(own)


async def test_a_person_who_left_is_no_longer_in_the_server(scene: Scene) -> None:
    scene.sandbox.leave(scene.ben, scene.guild)
    assert scene.ben.messages(scene.yard) == []
    with pytest.raises(ValueError, match="not in"):
        scene.sandbox.leave(scene.ben, scene.guild)


async def test_ids_and_answers_carry_the_clock(scene: Scene) -> None:
    scene.sandbox.stop_clock()
    now = scene.sandbox.state.clock.now_ms()
    scene.sandbox.move_clock(86_400_000)
    said = await scene.ann.say(scene.yard, "tomorrow")
    assert snowflake_ms(said["id"]) - now == 86_400_000
    await scene.raw.call("GET", "/gateway")
    assert parsedate_to_datetime(scene.raw.headers["Date"]).timestamp() == (now + 86_400_000) // 1_000


async def test_roles_give_permissions_and_can_be_mentioned(scene: Scene) -> None:
    guards = scene.sandbox.add_role(scene.guild, "Guards", "MANAGE_GUILD")
    cleo = scene.sandbox.add_person("Cleo")
    scene.sandbox.join(cleo, scene.guild, guards)
    assert scene.yard.may(cleo.id, Permission.MANAGE_GUILD)
    await scene.ann.say(scene.yard, f"<@&{guards.id}> come")
    assert [notice["kind"] for notice in cleo.notices] == ["mention"]
    cleo.clear_notices()
    assert cleo.notices == []
    assert scene.sandbox.person(cleo.id).name == "Cleo"


async def test_a_second_sandbox_runs_beside_the_first(scene: Scene) -> None:
    async with Sandbox() as other:
        assert other.port != scene.sandbox.port
        assert other.token != scene.sandbox.token


def test_overwrites_apply_in_discords_order() -> None:
    send, view = int(Permission.SEND_MESSAGES), int(Permission.VIEW_CHANNEL)
    assert not in_channel(EVERYONE, (0, send), [], None) & send
    assert in_channel(EVERYONE, (0, send), [(send, 0)], None) & send
    assert not in_channel(EVERYONE, None, [(send, 0)], (0, send)) & send
    assert in_channel(EVERYONE, (0, view), [], None) == 0
    assert not in_channel(EVERYONE, (0, send), [], None) & Permission.ATTACH_FILES
    assert in_channel(int(Permission.ADMINISTRATOR), (0, view), [], (0, view)) == ALL


def test_attachments_contain_the_size_of_pictures() -> None:
    jpeg = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 40) + bytes(10)
    assert picture_size(plain_png((0, 0, 0), side=7)) == (7, 7)
    assert picture_size(b"GIF89a" + struct.pack("<HH", 5, 6)) == (5, 6)
    assert picture_size(jpeg) == (40, 30)
    assert picture_size(b"RIFF....WEBPVP8X" + bytes(8) + b"\x09\x00\x00\x13\x00\x00") == (10, 20)
    assert picture_size(b"RIFF....WEBPVP8L" + bytes(5) + ((19 << 14) | 9).to_bytes(4, "little")) == (10, 20)
    assert picture_size(b"RIFF....WEBPVP8 " + bytes(10) + struct.pack("<HH", 10, 20)) == (10, 20)
    assert picture_size(b"text") is picture_size(b"\x89PNG\r\n\x1a\n") is None
    assert content_type("a.txt", b"text") == "text/plain"
    assert content_type("a.txt", plain_png((0, 0, 0))) == "image/png"
    assert safe_name("my board (1).png") == "my_board_1_.png"


def test_all_visible_text_is_found() -> None:
    message = {
        "content": "content",
        "embeds": [
            {"title": "title", "fields": [{"name": "field", "value": "value"}], "footer": {"text": "footer"}},
        ],
        "attachments": [{"filename": "file.png", "description": "alt"}],
        "components": [
            {"type": 17, "components": [{"type": 10, "content": "text"}]},
            {
                "type": 9,
                "components": [],
                "accessory": {"type": 11, "media": {"url": "x/thumb.png"}, "description": "t"},
            },
            {"type": 1, "components": [{"type": 2, "emoji": {"name": "🔪"}}]},
        ],
    }
    lines = visible_text(message).splitlines()
    assert lines == ["content", "title", "field", "value", "footer", "text", "t", "thumb.png", "🔪", "file.png", "alt"]
