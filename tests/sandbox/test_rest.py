"""The REST API without a library: errors with Discord's codes, permissions, commands, emoji and messages."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from sandbox.messaging.image_size import plain_png

from .conftest import Scene


async def say(scene: Scene, **body: object) -> Any:
    """Post as the bot and return the message."""
    status, message = await scene.raw.call("POST", f"/channels/{scene.yard.id}/messages", {"content": "hello", **body})
    assert status == 200, message
    return message


async def code(scene: Scene, method: str, path: str, body: object = None) -> tuple[int, int]:
    """Return status and Discord's code of a refused call."""
    status, answer = await scene.raw.call(method, path, body)
    return status, answer["code"]


async def test_unknown_routes_are_violations_and_unknown_things_are_not(scene: Scene) -> None:
    yard, guild = f"/channels/{scene.yard.id}", f"/guilds/{scene.guild.id}"
    assert await code(scene, "GET", "/channels/123") == (404, 10003)
    assert await code(scene, "GET", yard + "/messages/123") == (404, 10008)
    assert await code(scene, "GET", "/guilds/123") == (404, 10004)
    assert await code(scene, "GET", guild + "/members/123") == (404, 10007)
    assert await code(scene, "GET", "/users/123") == (404, 10013)
    assert await code(scene, "POST", "/users/@me/channels", {"recipient_id": "123"}) == (400, 50033)
    assert not scene.sandbox.violations
    assert await code(scene, "GET", "/voice/regions") == (404, 0)
    assert await code(scene, "GET", "/channels/abc") == (400, 50035)
    assert await code(scene, "POST", "/webhooks/1/token", {"content": "x"}) == (401, 50027)
    assert [violation.where for violation in scene.sandbox.violations] == ["GET /voice/regions", "GET /channels/abc"]


async def test_every_call_is_logged(scene: Scene) -> None:
    await scene.raw.call("GET", f"/guilds/{scene.guild.id}")
    call = scene.sandbox.calls[-1]
    assert (call.method, call.template, call.path, call.status) == (
        "GET",
        "/guilds/{guild_id}",
        f"/guilds/{scene.guild.id}",
        200,
    )
    assert 0 < call.milliseconds < 1000


async def test_what_is_no_json_is_refused(scene: Scene) -> None:
    url = f"{scene.sandbox.api}/channels/{scene.yard.id}/messages"
    headers = {"Authorization": f"Bot {scene.sandbox.token}", "Content-Type": "application/json"}
    async with scene.session.post(url, data=b"{", headers=headers) as response:
        assert (await response.json())["code"] == 50109
    async with scene.session.post(url, data=b"{", headers={**headers, "Content-Type": "text/plain"}) as response:
        assert (await response.json())["code"] == 50035
    assert len(scene.sandbox.violations) == 2


async def test_the_bot_needs_permissions_in_a_channel(scene: Scene) -> None:
    path = f"/channels/{scene.yard.id}/messages"
    scene.sandbox.deny(scene.yard, "ATTACH_FILES", "EMBED_LINKS")
    status, answer = await scene.raw.upload("POST", path, {}, ("a.png", plain_png((0, 0, 0))))
    assert (status, answer["code"]) == (403, 50013)
    assert await code(scene, "POST", path, {"embeds": [{"title": "x"}]}) == (403, 50013)
    scene.sandbox.allow(scene.yard, "ATTACH_FILES")
    assert (await scene.raw.upload("POST", path, {}, ("a.png", plain_png((0, 0, 0)))))[0] == 200
    scene.sandbox.deny(scene.yard, "SEND_MESSAGES")
    assert await code(scene, "POST", path, {"content": "x"}) == (403, 50013)
    assert await code(scene, "POST", f"/channels/{scene.yard.id}/typing") == (403, 50013)
    scene.sandbox.deny(scene.yard, "VIEW_CHANNEL")
    assert await code(scene, "POST", path, {"content": "x"}) == (403, 50001)
    scene.sandbox.remove_bot(scene.guild)
    assert await code(scene, "GET", f"/guilds/{scene.guild.id}") == (403, 50001)
    assert not scene.sandbox.violations


async def test_others_messages_cannot_be_edited_nor_deleted_without_permission(scene: Scene) -> None:
    said = await scene.ann.say(scene.yard, "mine")
    path = f"/channels/{scene.yard.id}/messages/{said['id']}"
    assert await code(scene, "DELETE", path) == (403, 50013)
    assert not scene.sandbox.violations
    assert await code(scene, "PATCH", path, {"content": "yours"}) == (403, 50005)
    assert "not the bot's" in scene.sandbox.violations[0].text
    scene.sandbox.allow(scene.yard, "MANAGE_MESSAGES")
    assert (await scene.raw.call("DELETE", path))[0] == 204
    whispered = await scene.ann.say(scene.ann.dm, "mine")
    assert await code(scene, "DELETE", f"/channels/{scene.ann.dm.id}/messages/{whispered['id']}") == (403, 50003)


async def test_messages_are_listed_around_a_point(scene: Scene) -> None:
    scene.sandbox.limits_on = False
    sent = [await say(scene, content=str(number)) for number in range(5)]
    path = f"/channels/{scene.yard.id}/messages"

    async def listed(query: str) -> list[str]:
        return [message["content"] for message in (await scene.raw.call("GET", f"{path}?{query}"))[1]]

    assert await listed("limit=2") == ["4", "3"]
    assert await listed(f"before={sent[3]['id']}&limit=2") == ["2", "1"]
    assert await listed(f"after={sent[1]['id']}&limit=2") == ["3", "2"]
    assert await listed(f"around={sent[2]['id']}&limit=1") == ["2"]
    assert await code(scene, "GET", path + "?limit=101") == (400, 50035)
    scene.sandbox.deny(scene.yard, "READ_MESSAGE_HISTORY")
    assert (await scene.raw.call("GET", path))[1] == []


async def test_messages_are_deleted_in_bulk(scene: Scene) -> None:
    scene.sandbox.limits_on = False
    sent = [await say(scene, content=str(number)) for number in range(3)]
    path = f"/channels/{scene.yard.id}/messages/bulk-delete"
    ids = [message["id"] for message in sent]
    assert await code(scene, "POST", path, {"messages": ids}) == (403, 50013)
    scene.sandbox.allow(scene.yard, "MANAGE_MESSAGES")
    assert (await scene.raw.call("POST", path, {"messages": ids[:2]}))[0] == 204
    assert [message["id"] for message in scene.sandbox.messages(scene.yard)] == ids[2:]


async def test_a_reply_names_a_message_of_its_channel(scene: Scene) -> None:
    first = await say(scene)
    reply = await say(scene, content="re", message_reference={"message_id": first["id"]})
    assert (reply["type"], reply["referenced_message"]["id"]) == (19, first["id"])
    path = f"/channels/{scene.yard.id}/messages"
    body: dict[str, Any] = {"content": "re", "message_reference": {"message_id": "123"}}
    assert await code(scene, "POST", path, body) == (400, 50035)
    body["message_reference"]["fail_if_not_exists"] = False
    assert "message_reference" not in (await scene.raw.call("POST", path, body))[1]
    assert not scene.sandbox.violations


async def test_an_enforced_nonce_returns_the_message_already_sent_for_three_minutes(scene: Scene) -> None:
    scene.sandbox.stop_clock()
    once = {"nonce": "n1", "enforce_nonce": True}
    first = await say(scene, content="first", **once)
    scene.sandbox.move_clock(3 * 60_000 - 1)
    assert await say(scene, content="again", **once) == first
    scene.sandbox.move_clock(1)
    second = await say(scene, content="second", **once)
    assert second["content"] == "second"
    assert (await say(scene, content="again", **once))["id"] == second["id"]
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["first", "second"]


async def test_a_resend_does_not_lengthen_the_life_of_a_nonce(scene: Scene) -> None:
    scene.sandbox.stop_clock()
    scene.sandbox.settings.nonce_life_ms = 1_000
    once = {"nonce": "n1", "enforce_nonce": True}
    first = await say(scene, **once)
    scene.sandbox.move_clock(999)
    assert (await say(scene, **once))["id"] == first["id"]
    scene.sandbox.move_clock(1)
    assert (await say(scene, **once))["id"] != first["id"]


async def test_a_nonce_counts_only_if_enforced_in_its_channel_and_while_its_message_exists(scene: Scene) -> None:
    once = {"nonce": "n1", "enforce_nonce": True}
    first = await say(scene, **once)
    unenforced = await say(scene, nonce="n1")
    assert unenforced["id"] != first["id"]
    assert (await say(scene, **once))["id"] == unenforced["id"]  # the latest message with this nonce
    mess = scene.sandbox.add_channel(scene.guild, "mess-hall")
    _, elsewhere = await scene.raw.call("POST", f"/channels/{mess.id}/messages", {"content": "hello", **once})
    assert elsewhere["channel_id"] == mess.id
    await scene.raw.call("DELETE", f"/channels/{scene.yard.id}/messages/{unenforced['id']}")
    assert (await say(scene, **once))["id"] != unenforced["id"]


async def test_reactions_are_added_and_removed(scene: Scene) -> None:
    said = await scene.ann.say(scene.yard, "hello")
    path = f"/channels/{scene.yard.id}/messages/{said['id']}/reactions/%E2%9C%85/@me"
    assert (await scene.raw.call("PUT", path))[0] == 204
    assert scene.ann.messages(scene.yard)[0]["reactions"][0]["me"]
    assert (await scene.raw.call("DELETE", path))[0] == 204
    assert "reactions" not in scene.ann.messages(scene.yard)[0]
    ghost = f"/channels/{scene.yard.id}/messages/{said['id']}/reactions/ghost:123/@me"
    scene.sandbox.limits_on = False
    assert await code(scene, "PUT", ghost) == (400, 10014)


async def test_commands_are_replaced_added_changed_and_removed(scene: Scene) -> None:
    base = f"/applications/{scene.sandbox.bot_id}/commands"
    one, two = {"name": "one", "description": "first"}, {"name": "two", "description": "second"}
    _, commands = await scene.raw.call("PUT", base, [one, two])
    _, again = await scene.raw.call("PUT", base, [{**one, "description": "changed"}])
    assert again[0]["id"] == commands[0]["id"]
    assert again[0]["version"] != commands[0]["version"]
    assert [command["name"] for command in (await scene.raw.call("GET", base))[1]] == ["one"]
    status, added = await scene.raw.call("POST", base, two)
    assert (status, (await scene.raw.call("POST", base, two))[0]) == (201, 200)
    assert (await scene.raw.call("PATCH", f"{base}/{added['id']}", {"description": "new"}))[1]["description"] == "new"
    assert (await scene.raw.call("GET", f"{base}/{added['id']}"))[1]["name"] == "two"
    assert (await scene.raw.call("DELETE", f"{base}/{added['id']}"))[0] == 204
    assert await code(scene, "GET", f"{base}/{added['id']}") == (404, 10063)
    assert not scene.sandbox.violations
    assert await code(scene, "GET", "/applications/123/commands") == (403, 20012)


async def test_a_servers_own_commands_are_offered_there_only(scene: Scene) -> None:
    other = scene.sandbox.add_guild("Sing Sing")
    cell = scene.sandbox.add_channel(other, "cell")
    scene.sandbox.join(scene.ben, other)
    base = f"/applications/{scene.sandbox.bot_id}/guilds/{scene.guild.id}/commands"
    await scene.raw.call("PUT", base, [{"name": "local", "description": "here"}])
    assert scene.ben.commands(scene.yard) == ["local"]
    assert scene.ben.commands(cell) == scene.ben.commands(scene.ben.dm) == []
    assert [command["name"] for command in scene.sandbox.commands(scene.guild)] == ["local"]
    scene.sandbox.remove_bot(scene.guild)
    assert await code(scene, "GET", base) == (403, 50001)


def picture(data: bytes) -> str:
    """Return an image as a data URI."""
    return "data:image/png;base64," + base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x", "image": picture(plain_png((0, 0, 0)))},
        {"name": "has-dash", "image": picture(plain_png((0, 0, 0)))},
        {"name": "taken", "image": picture(plain_png((0, 0, 0)))},
        {"name": "text", "image": picture(b"text")},
        {"name": "no_address", "image": "xxx"},
        {"name": "large", "image": picture(plain_png((0, 0, 0)) + bytes(256 * 1024))},
    ],
)
async def test_an_emoji_must_be_sound(scene: Scene, body: dict[str, str]) -> None:
    base = f"/applications/{scene.sandbox.bot_id}/emojis"
    status, emoji = await scene.raw.call("POST", base, {"name": "taken", "image": picture(plain_png((1, 1, 1)))})
    assert status == 201
    assert (await scene.raw.call("PATCH", f"{base}/{emoji['id']}", {"name": "taken"}))[0] == 200
    assert await code(scene, "POST", base, body) == (400, 50035)
    assert len(scene.sandbox.violations) == 1


async def test_a_file_over_ten_megabytes_is_refused(scene: Scene) -> None:
    path = f"/channels/{scene.yard.id}/messages"
    status, answer = await scene.raw.upload("POST", path, {}, ("big.bin", bytes(10 * 1024 * 1024 + 1)))
    assert (status, answer["code"]) == (413, 40005)
    assert "big.bin" in scene.sandbox.violations[0].text


async def test_an_eleventh_file_is_refused(scene: Scene) -> None:
    path = f"/channels/{scene.yard.id}/messages"
    files = [(f"{number}.txt", b"x") for number in range(11)]
    status, answer = await scene.raw.upload("POST", path, {"content": "x"}, *files)
    assert (status, list(answer["errors"])) == (400, ["attachments"])


async def test_a_plain_message_becomes_one_of_components_and_never_back(scene: Scene) -> None:
    message = await say(scene, content="old", embeds=[{"title": "t"}])
    path = f"/channels/{scene.yard.id}/messages/{message['id']}"
    text = [{"type": 10, "content": "new"}]
    status, answer = await scene.raw.call("PATCH", path, {"flags": 1 << 15, "components": text})
    assert (status, list(answer["errors"])) == (400, ["content"])
    body = {"flags": 1 << 15, "components": text, "content": None, "embeds": []}
    status, answer = await scene.raw.call("PATCH", path, body)
    assert (status, answer["content"], answer["components"][0]["content"]) == (200, "", "new")
    status, answer = await scene.raw.call("PATCH", path, {"flags": 0, "components": [], "content": "back"})
    assert (status, "flags" in answer["errors"]) == (400, True)
    status, answer = await scene.raw.call("PATCH", path, {"content": "both"})
    assert (status, list(answer["errors"])) == (400, ["content"])


async def test_a_refused_edit_leaves_the_message_as_it_was(scene: Scene) -> None:
    message = await say(scene, content="kept")
    path = f"/channels/{scene.yard.id}/messages/{message['id']}"
    assert await code(scene, "PATCH", path, {"content": ""}) == (400, 50006)
    assert scene.sandbox.message(message) == message


async def test_a_public_message_marked_ephemeral_is_a_violation(scene: Scene) -> None:
    message = await say(scene, content="secret", flags=64)
    assert message["flags"] == 0
    assert "everybody" in scene.sandbox.violations[0].text


async def test_members_are_listed_with_the_intent_and_found_without(scene: Scene) -> None:
    base = f"/guilds/{scene.guild.id}/members"
    assert await code(scene, "GET", base + "?limit=10") == (403, 50001)
    found = (await scene.raw.call("GET", base + "/search?query=be&limit=5"))[1]
    assert [member["user"]["id"] for member in found] == [scene.ben.id]
    scene.sandbox.privileged_intents = {"members"}
    assert len((await scene.raw.call("GET", base + "?limit=10"))[1]) == 3
    assert len((await scene.raw.call("GET", f"/guilds/{scene.guild.id}/roles"))[1]) == 3
    assert len((await scene.raw.call("GET", f"/guilds/{scene.guild.id}/channels"))[1]) == 1
    counted = (await scene.raw.call("GET", f"/guilds/{scene.guild.id}?with_counts=true"))[1]
    assert counted["approximate_member_count"] == 3
    assert [guild["name"] for guild in (await scene.raw.call("GET", "/users/@me/guilds"))[1]] == ["Alcatraz"]
    assert (await scene.raw.call("DELETE", f"/users/@me/guilds/{scene.guild.id}"))[0] == 204


async def test_the_gateway_comes_with_shards_and_the_starts_left_today(scene: Scene) -> None:
    scene.sandbox.settings.shards = 4
    _, answer = await scene.raw.call("GET", "/gateway/bot")
    assert (answer["url"], answer["shards"]) == (scene.sandbox.gateway, 4)
    await scene.wire(0)
    _, later = await scene.raw.call("GET", "/gateway/bot")
    assert later["session_start_limit"]["remaining"] == answer["session_start_limit"]["remaining"] - 1
