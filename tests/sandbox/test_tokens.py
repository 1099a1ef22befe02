"""Messages reached by an interaction's token: its lifetime, its rate limit, and ephemeral messages that are gone."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox import ActionResult, Channel, UserClient
from sandbox.messaging.interaction import Interaction

from .conftest import Scene, Wire

MINUTE_MS = 60_000
EPHEMERAL = 64


class Panel:
    """An ephemeral panel with a button, opened by Ann's command, and the token that reaches it."""

    def __init__(self, scene: Scene, wire: Wire, place: Channel, asked: Interaction) -> None:
        self.scene = scene
        self.wire = wire
        self.place = place
        self.asked = asked
        self.used = ActionResult(asked)
        self.hook = f"/webhooks/{scene.sandbox.bot_id}/{asked.token}"

    @property
    def original(self) -> str:
        """The address of the message."""
        return self.hook + "/messages/@original"

    async def edit(self, content: str = "edited") -> tuple[int, Any]:
        """Edit the message by its token."""
        return await self.scene.raw.call("PATCH", self.original, {"content": content})

    async def answer(self, kind: int, data: object = None) -> None:
        """Answer the bot's next interaction."""
        asked = await self.wire.next("INTERACTION_CREATE")
        path = f"/interactions/{asked['id']}/{asked['token']}/callback"
        assert (await self.scene.raw.call("POST", path, {"type": kind, "data": data}))[0] == 204


def body(content: str = "panel") -> dict[str, Any]:
    """Return an ephemeral message with a button."""
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
    return {"content": content, "flags": EPHEMERAL, "components": [row]}


async def opened(scene: Scene, place: Channel | None = None, who: UserClient | None = None) -> Panel:
    """Open a panel for Ann (or another person) in the yard (or another channel)."""
    place = place or scene.yard
    await scene.raw.call("PUT", f"/applications/{scene.sandbox.bot_id}/commands", [{"name": "x", "description": "x"}])
    wire = await scene.wire(1)
    panel = Panel(scene, wire, place, (who or scene.ann).start_command(place, "x", {}))
    await panel.answer(4, body())
    return panel


async def test_a_token_edits_for_fifteen_minutes_by_the_worlds_clock_and_not_a_moment_longer(scene: Scene) -> None:
    scene.sandbox.stop_clock()
    panel = await opened(scene)
    scene.sandbox.move_clock(15 * MINUTE_MS - 1)
    assert (await panel.edit("late"))[0] == 200
    assert scene.ann.ephemerals(scene.yard)[0]["content"] == "late"
    scene.sandbox.move_clock(1)
    status, answer = await panel.edit("too late")
    assert (status, answer["code"], answer["message"]) == (401, 50027, "Invalid Webhook Token")
    assert (await scene.raw.call("DELETE", panel.original))[0] == 401
    assert scene.ann.ephemerals(scene.yard)[0]["content"] == "late"
    assert not scene.sandbox.violations


async def test_a_token_grows_old_also_behind_an_older_act_that_is_still_unanswered(scene: Scene) -> None:
    await scene.raw.call("PUT", f"/applications/{scene.sandbox.bot_id}/commands", [{"name": "x", "description": "x"}])
    await scene.wire(1)
    scene.ben.start_command(scene.yard, "x", {})
    panel = await opened(scene)
    scene.sandbox.move_clock(15 * MINUTE_MS)
    assert (await panel.edit())[0] == 401


async def test_a_press_on_a_panel_brings_a_new_token_that_edits_the_same_message(scene: Scene) -> None:
    panel = await opened(scene)
    scene.sandbox.move_clock(14 * MINUTE_MS)
    pressed = await scene.ann.start_press(scene.ann.ephemerals(scene.yard)[0], label="Go")
    await panel.answer(6)
    scene.sandbox.move_clock(2 * MINUTE_MS)
    assert (await panel.edit())[0] == 401
    fresh = f"/webhooks/{scene.sandbox.bot_id}/{pressed.token}/messages/@original"
    status, message = await scene.raw.call("PATCH", fresh, {"content": "by the younger token"})
    assert (status, message["id"]) == (200, panel.used.message["id"])  # the message exists
    assert scene.ann.ephemerals(scene.yard)[0]["content"] == "by the younger token"


async def test_no_two_tokens_are_equal_even_without_randomness(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: "AAAA")
    first, second = await opened(scene), await opened(scene, who=scene.ben)
    assert (await first.edit("for Ann"))[0] == 200
    assert [message["content"] for message in scene.ann.ephemerals(scene.yard)] == ["for Ann"]
    assert [message["content"] for message in scene.ben.ephemerals(scene.yard)] == ["panel"]
    assert first.asked.token != second.asked.token


async def test_a_token_can_be_lost_before_its_time(scene: Scene) -> None:
    panel = await opened(scene)
    scene.sandbox.lose_token(panel.used)
    status, answer = await panel.edit()
    assert (status, answer["code"]) == (404, 10015)
    assert scene.ann.ephemerals(scene.yard)[0]["content"] == "panel"
    assert not scene.sandbox.violations


async def test_edits_by_token_are_limited_to_five_in_two_seconds_and_count_nowhere_else(scene: Scene) -> None:
    scene.sandbox.settings.window_scale = 1
    panel = await opened(scene)
    left = []
    for number in range(5):
        assert (await panel.edit(str(number)))[0] == 200
        left.append(scene.raw.headers["X-RateLimit-Remaining"])
    assert left == ["4", "3", "2", "1", "0"]
    status, answer = await panel.edit()
    assert (status, answer["global"]) == (429, False)
    assert 0 < answer["retry_after"] <= 2
    assert scene.raw.headers["X-RateLimit-Scope"] == "user"
    assert scene.raw.headers["X-RateLimit-Bucket"]
    assert int(scene.raw.headers["Retry-After"]) in (1, 2)
    again = await opened(scene)
    assert (await again.edit())[0] == 200


async def test_follow_ups_share_thirty_a_minute_in_a_channel(scene: Scene) -> None:
    scene.sandbox.settings.window_scale = 1
    for _ in range(6):
        panel = await opened(scene)
        for _ in range(5):
            assert (await scene.raw.call("POST", panel.hook, body("more")))[0] == 200
    last = await opened(scene)
    status, answer = await scene.raw.call("POST", last.hook, body("one too many"))
    assert status == 429
    assert 2 < answer["retry_after"] <= 60
    assert scene.raw.headers["X-RateLimit-Scope"] == "shared"
    assert (await last.edit())[0] == 200
    elsewhere = await opened(scene, scene.sandbox.add_channel(scene.guild, "mess-hall"))
    assert (await scene.raw.call("POST", elsewhere.hook, body("here")))[0] == 200


async def test_ephemerals_vanish_when_their_reader_reloads_and_edits_then_reach_nobody(scene: Scene) -> None:
    panel = await opened(scene)
    kept = await opened(scene, who=scene.ben)
    await scene.ann.reload()
    assert scene.ann.messages(scene.yard) == []
    assert scene.ben.ephemerals(scene.yard) == [kept.used.message]
    status, message = await panel.edit("unseen")
    assert (status, message["content"]) == (200, "unseen")
    assert scene.ann.messages(scene.yard) == []
    scene.sandbox.settings.vanished_is_unknown = True
    status, answer = await panel.edit()
    assert (status, answer["code"]) == (404, 10008)
    assert not scene.sandbox.violations


async def test_a_jump_to_the_present_drops_what_was_ephemeral_in_that_channel_alone(scene: Scene) -> None:
    await opened(scene)
    mess = scene.sandbox.add_channel(scene.guild, "mess-hall")
    await opened(scene, mess)
    await scene.ann.say(scene.yard, "still here")
    await scene.ann.jump_to_present(scene.yard)
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["still here"]
    assert len(scene.ann.ephemerals(mess)) == 1


async def test_a_panel_deleted_by_its_token_disappears_for_its_reader(scene: Scene) -> None:
    panel = await opened(scene)
    assert (await scene.raw.call("DELETE", panel.original))[0] == 204
    assert scene.ann.ephemerals(scene.yard) == []
    status, answer = await panel.edit()
    assert (status, answer["code"]) == (404, 10008)


async def test_a_click_in_a_direct_message_comes_without_a_server_and_its_message_is_edited_by_token(
    scene: Scene,
) -> None:
    wire = await scene.wire(1)
    sent = {**body("direct"), "flags": 0}
    status, _ = await scene.raw.call("POST", f"/channels/{scene.ann.dm.id}/messages", sent)
    assert status == 200
    pressed = await scene.ann.start_press(scene.ann.dms()[0]["id"], label="Go")
    received = await wire.next("INTERACTION_CREATE")
    assert "guild_id" not in received and "member" not in received and "guild" not in received
    assert (received["user"]["id"], received["context"]) == (scene.ann.id, 1)
    assert (received["channel"]["id"], received["channel"]["type"]) == (scene.ann.dm.id, 1)
    assert received["message"]["content"] == "direct"
    callback = f"/interactions/{received['id']}/{received['token']}/callback"
    assert (await scene.raw.call("POST", callback, {"type": 6}))[0] == 204
    original = f"/webhooks/{scene.sandbox.bot_id}/{pressed.token}/messages/@original"
    assert (await scene.raw.call("PATCH", original, {"content": "moved"}))[0] == 200
    assert [message["content"] for message in scene.ann.dms()] == ["moved"]


async def test_a_form_opens_in_direct_messages_and_is_submitted_there(scene: Scene) -> None:
    panel = await opened(scene, scene.ann.dm)
    pressed = await scene.ann.start_press(scene.ann.ephemerals(scene.ann.dm)[0], label="Go")
    text = {"type": 18, "label": "Why", "component": {"type": 4, "style": 1, "custom_id": "why"}}
    await panel.answer(9, {"custom_id": "form", "title": "Form", "components": [text]})
    await scene.ann.start_submit(pressed, {"Why": "because"})
    received = await panel.wire.next("INTERACTION_CREATE")
    assert received["type"] == 5 and "guild_id" not in received and received["user"]["id"] == scene.ann.id
    assert received["data"]["components"][0]["component"]["value"] == "because"
    assert received["message"]["id"] == panel.used.message["id"]  # the message exists


async def test_a_person_lists_what_nobody_else_sees(scene: Scene) -> None:
    panel = await opened(scene)
    await scene.raw.call("POST", f"/channels/{scene.ann.dm.id}/messages", {"content": "direct"})
    await scene.raw.call("POST", f"/channels/{scene.yard.id}/messages", {"content": "for everybody"})
    assert [message["content"] for message in scene.ann.private()] == ["panel", "direct"]
    assert scene.ben.private() == []
    assert panel.used.message == scene.ann.private()[0]
