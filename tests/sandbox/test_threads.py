"""Threads: started by a real bot, written in, archived and unarchived, and the events that sessions get."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox import Refused

from .conftest import Bot, Raw, Scene, discord

EVERYTHING = 1 | 1 << 1 | 1 << 9


async def at_work(scene: Scene) -> tuple[Bot, Any]:
    """Start a bot and return it with the yard as it knows it."""
    bot = await scene.run(lambda bot: None)
    return bot, bot.get_channel(int(scene.yard.id))


def named(scene: Scene, name: str) -> Any:
    """Return the sandbox's thread of this name."""
    return next(channel for channel in scene.guild.channels.values() if channel.name == name)


async def test_a_thread_started_from_a_message_has_its_id_and_is_attached_to_it(scene: Scene) -> None:
    _, yard = await at_work(scene)
    message = await yard.send("table 1")
    thread = await message.create_thread(name="Table 1", auto_archive_duration=60)
    assert thread.id == message.id
    assert thread.owner_id == int(scene.sandbox.bot_id)
    await thread.send("inside")
    shown = scene.ann.messages(scene.yard)[0]
    assert shown["flags"] & 32
    assert shown["thread"]["name"] == "Table 1"
    assert [said["content"] for said in scene.ann.messages(named(scene, "Table 1"))] == ["inside"]
    with pytest.raises(discord.HTTPException) as twice:
        await message.create_thread(name="again")
    assert twice.value.code == 160004
    assert not scene.sandbox.violations


async def test_a_thread_started_without_a_message_is_announced_in_its_channel(scene: Scene) -> None:
    bot, yard = await at_work(scene)
    started: list[str] = []

    @bot.event
    async def on_thread_create(thread: discord.Thread) -> None:
        started.append(thread.name)

    thread = await yard.create_thread(name="night shift", type=discord.ChannelType.public_thread)
    await scene.ann.until(lambda: started == ["night shift"])
    line = scene.ann.messages(scene.yard)[0]
    assert (line["type"], line["content"]) == (18, "night shift")
    assert line["message_reference"]["channel_id"] == str(thread.id)
    assert not scene.sandbox.violations


async def test_what_people_do_inside_reaches_the_bot(scene: Scene) -> None:
    bot, yard = await at_work(scene)
    thread = await yard.create_thread(name="night", type=discord.ChannelType.public_thread)
    view = discord.ui.View()
    pressed: list[tuple[int, bool]] = []

    class Go(discord.ui.Button[Any]):
        async def callback(self, interaction: Any) -> None:
            pressed.append((interaction.channel.id, isinstance(interaction.channel, discord.Thread)))
            await interaction.response.send_message("here", ephemeral=True)

    view.add_item(Go(label="Go"))
    await thread.send("press", view=view)
    inside = named(scene, "night")
    used = await scene.ben.press(scene.ben.messages(inside)[0], label="Go")
    assert pressed == [(thread.id, True)]
    assert scene.ben.ephemerals(inside) == [used.message]
    await scene.ben.say(inside, "hello")
    assert bot.get_channel(thread.id).parent_id == int(scene.yard.id)  # the thread exists


async def test_a_message_brings_a_thread_out_of_the_archive(scene: Scene) -> None:
    bot, yard = await at_work(scene)
    thread = await yard.create_thread(name="night", type=discord.ChannelType.public_thread)
    await thread.edit(archived=True)
    inside = named(scene, "night")
    await scene.ann.until(lambda: inside.archived and yard.guild.get_thread(thread.id) is None)
    assert [each.id async for each in yard.archived_threads()] == [thread.id]
    await scene.ann.say(inside, "still awake?")
    assert not inside.archived
    await scene.ann.until(lambda: bot.get_channel(thread.id) is not None)
    assert [each.id for each in await yard.guild.active_threads()] == [thread.id]


async def test_a_locked_thread_takes_messages_only_of_who_manages_threads(scene: Scene) -> None:
    _, yard = await at_work(scene)
    thread = await yard.create_thread(name="night", type=discord.ChannelType.public_thread)
    with pytest.raises(discord.Forbidden):
        await thread.edit(locked=True)
    scene.sandbox.allow(scene.yard, "MANAGE_THREADS")
    await thread.edit(locked=True, archived=True)
    scene.sandbox.deny(scene.yard, "MANAGE_THREADS")
    with pytest.raises(Refused, match="Ben may not write"):
        await scene.ben.say(named(scene, "night"), "let me in")
    with pytest.raises(discord.HTTPException) as locked:
        await thread.send("knock")
    assert locked.value.code == 160005


async def test_threads_need_a_permission_and_a_text_channel(scene: Scene) -> None:
    raw: Raw = scene.raw
    body = {"name": "night", "type": 11}
    scene.sandbox.deny(scene.yard, "CREATE_PUBLIC_THREADS")
    assert (await raw.call("POST", f"/channels/{scene.yard.id}/threads", body))[1]["code"] == 50013
    assert not scene.sandbox.violations
    status, _ = await raw.call("POST", f"/channels/{scene.ann.dm.id}/threads", body)
    assert status == 400
    scene.sandbox.allow(scene.yard, "CREATE_PUBLIC_THREADS")
    assert (await raw.call("POST", f"/channels/{scene.yard.id}/threads", {"name": "", "type": 11}))[0] == 400
    assert (await raw.call("POST", f"/channels/{scene.yard.id}/threads", {**body, "auto_archive_duration": 5}))[
        0
    ] == 400
    assert (await raw.call("POST", f"/channels/{scene.yard.id}/threads", {"name": "private"}))[0] == 400
    status, thread = await raw.call("POST", f"/channels/{scene.yard.id}/threads", body)
    assert status == 201
    assert thread["member"]["user_id"] == scene.sandbox.bot_id
    status, answer = await raw.call("POST", f"/channels/{thread['id']}/threads", body)
    assert (status, answer["code"]) == (400, 50024)


async def test_a_deleted_thread_takes_its_messages_along(scene: Scene) -> None:
    bot, yard = await at_work(scene)
    thread = await yard.create_thread(name="night", type=discord.ChannelType.public_thread)
    message = await thread.send("soon gone")
    with pytest.raises(discord.Forbidden):
        await thread.delete()
    scene.sandbox.allow(scene.yard, "MANAGE_THREADS")
    await thread.delete()
    await scene.ann.until(lambda: bot.get_channel(thread.id) is None)
    assert scene.sandbox.message(str(message.id)) is None


async def test_threads_of_a_channel_come_into_sight_with_it(scene: Scene) -> None:
    thread = scene.sandbox.add_thread(scene.yard, "night", scene.ann)
    scene.sandbox.deny(scene.yard, "VIEW_CHANNEL")
    wire = await scene.wire(EVERYTHING & ~2)
    scene.sandbox.add_thread(scene.yard, "unseen")
    scene.sandbox.allow(scene.yard, "VIEW_CHANNEL")
    sync = await wire.next("THREAD_LIST_SYNC", "THREAD_CREATE")
    assert sync["channel_ids"] == [scene.yard.id]
    assert [each["name"] for each in sync["threads"]] == ["night", "unseen"]
    assert (await scene.raw.call("PUT", f"/channels/{thread.id}/thread-members/@me"))[0] == 204
    joined = await wire.next("THREAD_MEMBERS_UPDATE")
    assert (joined["id"], joined["member_count"]) == (thread.id, 2)
    assert joined["added_members"][0]["user_id"] == scene.sandbox.bot_id
    path = f"/channels/{thread.id}/thread-members/"
    assert (await scene.raw.call("GET", path + scene.ann.id))[0] == 200
    assert (await scene.raw.call("GET", path + scene.ben.id))[1]["code"] == 10007


async def test_a_channel_that_was_in_sight_all_along_brings_no_list_of_threads(scene: Scene) -> None:
    scene.sandbox.add_thread(scene.yard, "night", scene.ann)
    wire = await scene.wire(EVERYTHING & ~2)
    scene.sandbox.allow(scene.yard, "MANAGE_MESSAGES")
    scene.sandbox.add_channel(scene.guild, "mess-hall")
    received = await wire.next("THREAD_LIST_SYNC", "CHANNEL_CREATE")
    assert received["name"] == "mess-hall"


async def test_writing_in_a_thread_joins_it(scene: Scene) -> None:
    thread = scene.sandbox.add_thread(scene.yard, "night", scene.ann)
    await scene.ben.say(thread, "me too")
    await scene.ben.say(thread, "and again")
    path = f"/channels/{thread.id}/thread-members/{scene.ben.id}"
    assert (await scene.raw.call("GET", path))[1]["user_id"] == scene.ben.id
    assert (await scene.raw.call("GET", f"/channels/{thread.id}"))[1]["member_count"] == 2


async def test_a_channel_takes_its_threads_along(scene: Scene) -> None:
    thread = scene.sandbox.add_thread(scene.yard, "night", scene.ann)
    await scene.ann.say(thread, "hello")
    scene.sandbox.remove_channel(scene.yard)
    assert thread.id not in scene.guild.channels
    assert scene.ann.messages(thread) == []
