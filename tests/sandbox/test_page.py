"""The web page's socket: what a browser gets and what it may do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from sandbox import PATIENCE_S, Sandbox, UserClient, default_world

from .conftest import Bot, Scene, discord, slash


class Browser:
    """The page's end of the socket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, op: str, **frame: object) -> None:
        """Send a frame."""
        await self.socket.send_json({"op": op, **frame})

    async def next(self, *ops: str) -> Any:
        """Return the next frame with one of these ops."""
        while True:
            frame = await self.socket.receive_json(timeout=PATIENCE_S)
            if frame["op"] in ops:
                return frame

    async def hello(self, person: UserClient) -> Any:
        """Act as a user and return the state."""
        await self.send("hello", user=person.id)
        return await self.next("state")


@pytest.fixture
async def browser(scene: Scene) -> AsyncIterator[Browser]:
    """An open page."""
    async with scene.session.ws_connect(scene.sandbox.url.replace("http", "ws") + "/socket") as socket:
        yield Browser(socket)


def add_all(bot: Bot) -> None:
    """Add a command for every kind of response."""

    class Form(discord.ui.Modal, title="Form"):
        why: Any = discord.ui.Label(text="Why", component=discord.ui.TextInput(custom_id="why"))

        async def on_submit(self, interaction: Any) -> None:
            await interaction.response.send_message(f"because {self.why.component.value}", ephemeral=True)

    class Door(discord.ui.View):
        @discord.ui.button(label="Open", custom_id="open")
        async def open(self, interaction: Any, _: Any) -> None:
            await interaction.response.edit_message(content="open")

    @slash(bot, "door")
    async def door(interaction: discord.Interaction, side: str = "") -> None:
        await interaction.response.send_message(f"shut {side}", view=Door())

    @door.autocomplete("side")
    async def sides(interaction: discord.Interaction, current: str) -> list[Any]:
        return [discord.app_commands.Choice(name=current + "left", value="l")]

    @slash(bot, "ask")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())

    @slash(bot, "sleep")
    async def sleep(interaction: discord.Interaction) -> None:
        await interaction.channel.typing()


async def test_the_state_has_everything_that_a_user_may_see(scene: Scene, browser: Browser) -> None:
    await scene.run(add_all)
    await scene.ann.say(scene.yard, "hello")
    await scene.ann.say(scene.ann.dm, "private")
    scene.sandbox.deny(scene.sandbox.add_channel(scene.guild, "office"), "VIEW_CHANNEL", who=scene.ben)
    state = await browser.hello(scene.ben)
    assert (await browser.next("presence"))["bot"] == "online"
    assert state["me"] == scene.ben.id
    assert [user["global_name"] for user in state["users"]] == ["Ann", "Ben"]
    assert [channel["name"] for channel in state["channels"]] == ["yard"]
    assert state["dm"] == scene.ben.dm.id
    assert {command["name"] for command in state["commands"]} == {"door", "ask", "sleep"}
    assert [message["content"] for message in state["messages"][scene.yard.id]] == ["hello"]
    assert state["messages"][scene.ben.dm.id] == []
    assert state["guild"]["name"] == "Alcatraz"
    async with scene.session.get(state["bot"]["avatar_url"]) as response:
        assert response.content_type == "image/svg+xml"


async def test_a_user_plays_through_the_page(scene: Scene, browser: Browser) -> None:
    await scene.run(add_all)
    state = await browser.hello(scene.ann)
    ids = {command["name"]: command["id"] for command in state["commands"]}
    yard = scene.yard.id
    options = [{"name": "side", "type": 3, "value": "x", "focused": True}]
    await browser.send("autocomplete", n=1, channel=yard, id=ids["door"], options=options)
    assert (await browser.next("choices"))["choices"] == [{"name": "xleft", "value": "l"}]
    await browser.send(
        "command", n=2, channel=yard, id=ids["door"], options=[{"name": "side", "type": 3, "value": "l"}]
    )
    assert (await browser.next("pending"))["n"] == 2
    message = (await browser.next("message"))["message"]
    assert message["content"] == "shut l"
    assert (await browser.next("answered"))["type"] == 4
    await browser.send("press", n=3, message=message["id"], custom_id="open")
    assert (await browser.next("message"))["message"]["content"] == "open"
    await browser.send("command", n=4, channel=yard, id=ids["ask"], options=[])
    opened = await browser.next("modal")
    assert (opened["n"], opened["modal"]["title"]) == (4, "Form")
    field = opened["modal"]["components"][0]["component"]
    filled = [{"type": 18, "id": 1, "component": {"type": 4, "id": field["id"], "custom_id": "why", "value": "so"}}]
    await browser.send("submit", n=5, modal=opened["interaction"], components=filled)
    private = (await browser.next("message"))["message"]
    assert (private["content"], private["flags"]) == ("because so", 64)
    await browser.send("dismiss", message=private["id"])
    assert (await browser.next("gone"))["id"] == private["id"]
    await browser.send("say", n=6, channel=yard, content="done")
    assert (await browser.next("message"))["message"]["content"] == "done"


async def test_a_page_that_is_reloaded_or_jumps_to_the_present_loses_ephemeral_messages(
    scene: Scene, browser: Browser
) -> None:
    await scene.run(add_all)
    await browser.hello(scene.ann)
    for op, frame in (("reload", {}), ("present", {"channel": scene.yard.id})):
        asked = await scene.ann.command(scene.yard, "ask")
        private = await scene.ann.submit(asked, {"Why": "so"})
        await browser.send(op, **frame)
        assert (await browser.next("gone"))["id"] == private.message["id"]  # the message exists
        assert scene.ann.ephemerals(scene.yard) == []


async def test_threads_are_listed_below_their_channel(scene: Scene, browser: Browser) -> None:
    scene.sandbox.add_channel(scene.guild, "mess-hall")
    thread = scene.sandbox.add_thread(scene.yard, "night", scene.ann)
    scene.sandbox.archive(thread)
    await scene.ben.say(thread, "hello")
    state = await browser.hello(scene.ben)
    assert [channel["name"] for channel in state["channels"]] == ["yard", "night", "mess-hall"]
    assert state["channels"][1] == {"id": thread.id, "name": "night", "parent": scene.yard.id, "archived": False}
    assert [message["content"] for message in state["messages"][thread.id]] == ["hello"]
    scene.sandbox.archive(thread)
    assert (await browser.next("state"))["channels"][1]["archived"]


async def test_what_fails_says_why(scene: Scene, browser: Browser) -> None:
    await scene.run(add_all)
    await browser.send("say", n=1, channel=scene.yard.id, content="x")
    assert (await browser.next("failed"))["reason"] == "say hello first"
    state = await browser.hello(scene.ann)
    ids = {command["name"]: command["id"] for command in state["commands"]}
    await browser.send("press", n=2, message="1", custom_id="open")
    assert (await browser.next("failed"))["reason"] == "the message is gone"
    await browser.send("command", n=3, channel=scene.yard.id, id="1", options=[])
    assert "not offered" in (await browser.next("failed"))["reason"]
    await browser.send("jump", n=4)
    assert "jump" in (await browser.next("failed"))["reason"]
    await browser.send("say", n=5)
    assert "did not understand" in (await browser.next("failed"))["reason"]
    scene.patience(0.5)
    await browser.send("command", n=6, channel=scene.yard.id, id=ids["sleep"], options=[])
    assert (await browser.next("typing"))["channel"] == scene.yard.id
    frames = [await browser.next("failed", "violation") for _ in range(2)]
    assert {frame["op"] for frame in frames} == {"failed", "violation"}
    assert next(frame for frame in frames if frame["op"] == "failed")["reason"] == "This interaction failed"


async def test_direct_messages_buzz_and_the_state_follows_changes(scene: Scene, browser: Browser) -> None:
    bot = await scene.run(add_all)
    await browser.hello(scene.ben)
    user = await bot.fetch_user(int(scene.ben.id))
    message = await user.send("psst")
    assert (await browser.next("message"))["channel"] == scene.ben.dm.id
    notice = await browser.next("notice")
    assert (notice["kind"], notice["message"]) == ("dm", str(message.id))
    await message.edit(content="pssst")
    await user.send("silent", silent=True)
    hall = scene.sandbox.add_channel(scene.guild, "hall")
    state = await browser.next("state")
    assert hall.id in [channel["id"] for channel in state["channels"]]
    assert state["unread"] == {scene.ben.dm.id: 1}
    await browser.send("clear_notices")
    await browser.send("dms", user=scene.ben.id, open=False)
    state = await browser.next("state")
    assert state["unread"] == {}
    assert [user["dms_open"] for user in state["users"]] == [True, False]
    await browser.send("locale", user=scene.ben.id, locale="de")
    state = await browser.next("state")
    assert [user["locale"] for user in state["users"]] == ["en-US", "de"] and "de" in state["locales"]
    await browser.send("locale", user=scene.ben.id, locale="klingon")
    assert (await browser.next("failed"))["reason"] == "Discord has no language 'klingon'"
    await bot.close()
    assert (await browser.next("presence"))["bot"] == "offline"


async def test_another_users_private_messages_are_not_sent(scene: Scene, browser: Browser) -> None:
    await scene.run(add_all)
    await browser.hello(scene.ben)
    await scene.ann.submit(await scene.ann.command(scene.yard, "ask"), {"why": "x"})
    await scene.ann.say(scene.ann.dm, "private")
    await scene.ann.say(scene.yard, "public")
    assert (await browser.next("message", "notice"))["message"]["content"] == "public"


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}])
@pytest.mark.parametrize("path", ["/", "/socket", "/page/app.js"])
async def test_other_web_sites_are_turned_away(scene: Scene, headers: dict[str, str], path: str) -> None:
    async with scene.session.get(scene.sandbox.url + path, headers=headers) as response:
        assert response.status == 403


async def test_no_file_outside_the_page_is_served(scene: Scene) -> None:
    for name in ("../server.py", "..%2fserver.py", "missing.js"):
        async with scene.session.get(f"{scene.sandbox.url}/page/{name}") as response:
            assert response.status == 404


async def test_default_pictures_are_served(scene: Scene) -> None:
    async with scene.session.get(f"{scene.sandbox.cdn}/embed/avatars/3.png") as response:
        assert (await response.read()).startswith(b"\x89PNG")
    for path in ("/attachments/1/2/x.png", "/avatars/1.svg", "/emojis/1.png"):
        async with scene.session.get(scene.sandbox.cdn + path) as response:
            assert response.status == 404


async def test_the_default_world_has_the_same_ids_every_time() -> None:
    ids = []
    for _ in range(2):
        async with Sandbox() as sandbox:
            default_world(sandbox)
            ids.append((list(sandbox.state.guilds), list(sandbox.state.channels), list(sandbox.state.users)))
            guild = next(iter(sandbox.state.guilds.values()))
            assert [channel.name for channel in guild.channels.values()] == ["yard", "mess-hall"]
    assert ids[0] == ids[1]


def test_only_the_loopback_interface_is_served() -> None:
    with pytest.raises(ValueError, match="loopback"):
        Sandbox(host="0.0.0.0")
