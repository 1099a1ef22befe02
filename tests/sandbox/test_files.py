"""Files of messages: which an edit keeps, what happens to the others, and how components refer to them."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from sandbox.messaging.image_size import plain_png

from .conftest import Scene

V2 = 1 << 15
RED, BLUE = plain_png((255, 0, 0)), plain_png((0, 0, 255))
GONE = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"


def gallery(*names: str) -> list[dict[str, Any]]:
    """Return the components of a message that shows these files."""
    return [{"type": 12, "items": [{"media": {"url": f"attachment://{name}"}} for name in names]}]


class Shown:
    """A message of Components V2 in the yard that shows two images."""

    def __init__(self, scene: Scene, message: dict[str, Any]) -> None:
        self.scene = scene
        self.path = f"/channels/{scene.yard.id}/messages/{message['id']}"
        self.first, self.second = media(message)

    async def edit(self, body: dict[str, Any], *files: tuple[str, bytes]) -> tuple[int, Any]:
        """Edit the message."""
        if not files:
            return await self.scene.raw.call("PATCH", self.path, body)
        return await self.scene.raw.upload("PATCH", self.path, body, *files)

    async def served(self, picture: dict[str, Any]) -> int:
        """Return the status of an image's address."""
        async with aiohttp.ClientSession() as session, session.get(picture["url"]) as response:
            return response.status


def media(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the media that a message's galleries show."""
    return [item["media"] for part in message["components"] for item in part["items"]]


@pytest.fixture
async def shown(scene: Scene) -> Shown:
    body = {"flags": V2, "components": gallery("red.png", "blue.png")}
    path = f"/channels/{scene.yard.id}/messages"
    status, message = await scene.raw.upload("POST", path, body, ("red.png", RED), ("blue.png", BLUE))
    assert status == 200
    assert message["attachments"] == []
    return Shown(scene, message)


async def test_a_component_has_the_id_of_its_file_and_listing_it_keeps_the_file(shown: Shown) -> None:
    kept = {"id": shown.first["attachment_id"]}
    body = {"attachments": [kept, {"id": 0}], "components": gallery("red.png", "green.png")}
    status, message = await shown.edit(body, ("green.png", BLUE))
    assert status == 200
    assert message["attachments"] == []
    assert [each["attachment_id"] == kept["id"] for each in media(message)] == [True, False]
    assert await shown.served(shown.first) == 200
    assert await shown.served(shown.second) == 404


async def test_an_edit_that_names_no_attachments_keeps_the_files(shown: Shown) -> None:
    status, message = await shown.edit({"flags": V2})
    assert status == 200
    assert media(message) == [shown.first, shown.second]
    assert await shown.served(shown.second) == 200


async def test_a_component_cannot_show_a_file_that_the_edit_drops(shown: Shown) -> None:
    body = {"attachments": [{"id": shown.first["attachment_id"]}], "components": gallery("red.png", "blue.png")}
    status, answer = await shown.edit(body)
    assert (status, answer["code"]) == (400, 50035)
    errors = answer["errors"]["components"]["0"]["items"]["1"]["media"]["url"]["_errors"]
    assert errors[0]["code"] == GONE
    assert await shown.served(shown.second) == 200


async def test_a_component_cannot_show_a_kept_file_by_name_unless_the_edit_lists_it(shown: Shown) -> None:
    status, answer = await shown.edit({"components": gallery("red.png")})
    assert (status, answer["code"]) == (400, 50035)


async def test_an_edit_cannot_drop_only_files_that_are_still_shown(shown: Shown) -> None:
    status, answer = await shown.edit({"attachments": [{"id": shown.first["attachment_id"]}]})
    assert (status, answer["errors"]["attachments"]["_errors"][0]["code"]) == (400, GONE)


async def test_a_file_that_is_not_the_messages_cannot_be_listed(shown: Shown) -> None:
    status, answer = await shown.edit({"attachments": [{"id": "1234"}], "components": gallery("red.png")})
    assert status == 400
    assert answer["errors"]["attachments"]["0"]["id"]["_errors"][0]["code"] == "ATTACHMENT_NOT_FOUND"


async def test_an_edit_that_another_has_overtaken_is_refused_without_a_violation(shown: Shown) -> None:
    stale = {"attachments": [{"id": shown.first["attachment_id"]}], "components": gallery("red.png")}
    await shown.edit({"attachments": [{"id": 0}], "components": gallery("new.png")}, ("new.png", BLUE))
    status, answer = await shown.edit(stale)
    assert (status, answer["code"]) == (400, 50035)
    assert not shown.scene.sandbox.violations
    message = shown.scene.sandbox.state.messages[shown.path.rpartition("/")[2]]
    message.dropped = {name: at - 1 for name, at in message.dropped.items()}
    assert (await shown.edit(stale))[0] == 400
    assert "ATTACHMENT_NOT_FOUND" in shown.scene.sandbox.violations[0].text


async def test_the_files_of_a_deleted_message_are_deleted(shown: Shown) -> None:
    await shown.scene.raw.call("DELETE", shown.path)
    assert await shown.served(shown.first) == 404


async def test_an_address_shows_a_file_but_does_not_keep_it(shown: Shown) -> None:
    linked = [{"type": 12, "items": [{"media": {"url": shown.first["url"]}}]}]
    status, message = await shown.edit({"components": linked})
    assert (status, media(message)[0]["width"]) == (200, 64)
    assert "attachment_id" not in media(message)[0]
    status, message = await shown.edit({"attachments": [], "components": linked})
    assert status == 200
    assert "attachment_id" not in media(message)[0]
    assert await shown.served(shown.first) == 404
