"""The gateway: who may connect, which events a session gets, and how a broken connection is resumed."""

from __future__ import annotations

import json
import zlib

import aiohttp
import pytest

from sandbox import PATIENCE_S

from .conftest import Bot, Scene, discord, slash

GUILDS, MEMBERS, GUILD_MESSAGES, DIRECT_MESSAGES, CONTENT = 1 << 0, 1 << 1, 1 << 9, 1 << 12, 1 << 15


async def test_a_wrong_token_is_refused_by_both_doors(scene: Scene) -> None:
    assert (await scene.raw.call("GET", "/users/@me", token="wrong"))[0] == 401
    wire = await scene.wire()
    await wire.send(2, {"token": "wrong", "intents": 0, "properties": {}})
    assert await wire.closed() == 4004
    scene.sandbox.token = "another"
    async with Bot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("wrong")


@pytest.mark.parametrize(
    ("identity", "code"),
    [
        ({"intents": "all"}, 4013),
        ({"intents": 1 << 40}, 4013),
        ({"intents": MEMBERS}, 4014),
        ({"intents": CONTENT}, 4014),
        ({"intents": 0, "shard": [3, 2]}, 4010),
    ],
)
async def test_an_identity_that_discord_refuses_closes_the_connection(
    scene: Scene, identity: dict[str, object], code: int
) -> None:
    wire = await scene.wire()
    await wire.send(2, {"token": scene.sandbox.token, "properties": {}, **identity})
    assert await wire.closed() == code
    assert bool(scene.sandbox.violations) == (code == 4014)


async def test_a_gateway_that_refuses_sessions_closes_on_identify_and_resume(scene: Scene) -> None:
    scene.sandbox.refuse_sessions(4012)
    for operation in (2, 6):
        wire = await scene.wire()
        await wire.send(operation, {"token": scene.sandbox.token})
        assert await wire.closed() == 4012
    assert scene.sandbox.sessions == []


async def test_frames_before_identifying_and_unknown_ones_close_the_connection(scene: Scene) -> None:
    for operation, code in ((8, 4003), (99, 4001)):
        wire = await scene.wire()
        await wire.send(operation, {})
        assert await wire.closed() == code
    wire = await scene.wire()
    await wire.socket.send_str("no json")
    assert await wire.closed() == 4002


async def test_granted_privileged_intents_are_accepted_and_shown_in_the_flags(scene: Scene) -> None:
    scene.sandbox.privileged_intents = {"members", "message_content"}
    wire = await scene.wire(MEMBERS | CONTENT)
    assert wire.session
    _, application = await scene.raw.call("GET", "/oauth2/applications/@me")
    assert application["flags"] == 1 << 15 | 1 << 19
    with pytest.raises(ValueError, match="no such"):
        scene.sandbox.privileged_intents = {"all"}


async def test_a_server_comes_after_ready_with_only_the_bot_as_a_member(scene: Scene) -> None:
    wire = await scene.wire(GUILDS)
    guild = await wire.next("GUILD_CREATE")
    assert guild["member_count"] == 3
    assert [member["user"]["id"] for member in guild["members"]] == [scene.sandbox.bot_id]
    assert [channel["name"] for channel in guild["channels"]] == ["yard"]
    scene.sandbox.privileged_intents = {"members"}
    curious = await scene.wire(GUILDS | MEMBERS)
    assert len((await curious.next("GUILD_CREATE"))["members"]) == 3


async def test_heartbeats_are_acknowledged(scene: Scene) -> None:
    wire = await scene.wire(0)
    await wire.send(1, wire.sequence)
    assert (await wire.operation())["op"] == 11


async def test_a_heartbeats_answer_takes_a_while_as_on_a_network(scene: Scene) -> None:
    """discord.py notes a heartbeat only after sending it, so it measures an immediate answer wrongly."""
    wire = await scene.wire(GUILDS)
    await wire.next("GUILD_CREATE")
    await wire.send(1, wire.sequence)
    await wire.send(8, {"guild_id": scene.guild.id, "user_ids": [scene.ann.id]})
    assert (await wire.socket.receive_json(timeout=PATIENCE_S))["t"] == "GUILD_MEMBERS_CHUNK"
    assert (await wire.socket.receive_json(timeout=PATIENCE_S))["op"] == 11


async def test_frames_can_be_compressed_as_one_stream(scene: Scene) -> None:
    inflate = zlib.decompressobj()
    socket = await scene.session.ws_connect(scene.sandbox.gateway + "?v=10&encoding=json&compress=zlib-stream")
    frames = []
    await socket.send_json({"op": 2, "d": {"token": scene.sandbox.token, "intents": GUILDS, "properties": {}}})
    for _ in range(3):
        packed = await socket.receive_bytes()
        assert packed.endswith(b"\x00\x00\xff\xff")
        frames.append(json.loads(inflate.decompress(packed)))
    assert [frame.get("t") for frame in frames] == [None, "READY", "GUILD_CREATE"]
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await scene.session.ws_connect(scene.sandbox.gateway + "?v=10&compress=zstd-stream")


async def test_a_web_page_cannot_open_the_gateway(scene: Scene) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await scene.session.ws_connect(scene.sandbox.gateway, headers={"Origin": scene.sandbox.url})


async def test_messages_come_without_content_unless_the_bot_may_read_it(scene: Scene) -> None:
    wire = await scene.wire(GUILD_MESSAGES | DIRECT_MESSAGES)
    await scene.ann.say(scene.yard, "secret plan")
    received = await wire.next("MESSAGE_CREATE")
    assert (received["content"], received["author"]["username"], received["guild_id"]) == ("", "ann", scene.guild.id)
    assert "user" not in received["member"]
    await scene.ann.say(scene.yard, f"<@{scene.sandbox.bot_id}> secret plan")
    assert "secret plan" in (await wire.next("MESSAGE_CREATE"))["content"]
    await scene.ann.say(scene.ann.dm, "whispered")
    direct = await wire.next("MESSAGE_CREATE")
    assert direct["content"] == "whispered"
    assert "guild_id" not in direct
    _, listed = await scene.raw.call("GET", f"/channels/{scene.yard.id}/messages")
    assert [message["content"] for message in listed][1] == ""
    scene.sandbox.privileged_intents = {"message_content"}
    _, listed = await scene.raw.call("GET", f"/channels/{scene.yard.id}/messages")
    assert listed[1]["content"] == "secret plan"


async def test_changes_are_sent_to_sessions_with_the_right_intents(scene: Scene) -> None:
    scene.sandbox.privileged_intents = {"members"}
    curious = await scene.wire(GUILDS | MEMBERS | GUILD_MESSAGES)
    plain = await scene.wire(GUILDS)
    scene.sandbox.leave(scene.ben, scene.guild)
    assert (await curious.next("GUILD_MEMBER_REMOVE"))["user"]["id"] == scene.ben.id
    scene.sandbox.join(scene.ben, scene.guild)
    assert (await curious.next("GUILD_MEMBER_ADD"))["user"]["id"] == scene.ben.id
    said = await scene.ann.say(scene.yard, "hello")
    await scene.ann.delete(said)
    assert (await curious.next("MESSAGE_DELETE"))["id"] == said["id"]
    hall = scene.sandbox.add_channel(scene.guild, "hall")
    scene.sandbox.deny(hall, "SEND_MESSAGES")
    scene.sandbox.remove_channel(hall)
    scene.sandbox.remove_bot(scene.guild)
    names = ("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE", "GUILD_DELETE", "GUILD_MEMBER_ADD")
    assert [(await plain.next(*names))["id"] for _ in range(4)] == [hall.id, hall.id, hall.id, scene.guild.id]
    scene.sandbox.invite_bot(scene.guild)
    assert (await plain.next(*names, "GUILD_CREATE"))["name"] == "Alcatraz"


async def test_members_can_be_asked_for(scene: Scene) -> None:
    wire = await scene.wire(GUILDS)
    await wire.send(8, {"guild_id": scene.guild.id, "user_ids": [scene.ann.id, "1"], "limit": 0, "nonce": "n"})
    chunk = await wire.next("GUILD_MEMBERS_CHUNK")
    assert ([member["user"]["id"] for member in chunk["members"]], chunk["not_found"]) == ([scene.ann.id], ["1"])
    assert chunk["nonce"] == "n"
    await wire.send(8, {"guild_id": scene.guild.id, "query": "be", "limit": 5})
    assert [each["user"]["id"] for each in (await wire.next("GUILD_MEMBERS_CHUNK"))["members"]] == [scene.ben.id]
    await wire.send(8, {"guild_id": scene.guild.id, "query": "", "limit": 0})
    assert await wire.closed() == 4014


async def test_every_shard_gets_its_own_servers_and_the_first_gets_direct_messages(scene: Scene) -> None:
    shard = scene.guild.shard(2)
    own = await scene.wire(GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES, shard=(shard, 2))
    other = await scene.wire(GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES, shard=(1 - shard, 2))
    await scene.ann.say(scene.yard, "here")
    await scene.ann.say(scene.ann.dm, "there")
    assert (await own.next("MESSAGE_CREATE"))["channel_id"] == scene.yard.id
    direct = await (own if shard == 0 else other).next("MESSAGE_CREATE")
    assert direct["channel_id"] == scene.ann.dm.id


async def test_a_resumed_session_gets_the_events_it_missed(scene: Scene) -> None:
    wire = await scene.wire(GUILD_MESSAGES)
    await scene.ann.say(scene.yard, "one")
    await wire.next("MESSAGE_CREATE")
    await scene.sandbox.disconnect()
    assert await wire.closed() == 4000
    missed = await scene.ann.say(scene.yard, "two")
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": wire.session, "seq": wire.sequence})
    assert (await back.next())["id"] == missed["id"]
    await back.next("RESUMED")
    assert back.sequence == wire.sequence + 2
    assert scene.sandbox.online


async def test_a_dropped_session_must_identify_again(scene: Scene) -> None:
    wire = await scene.wire(0)
    await scene.sandbox.disconnect(resumable=False)
    back = await scene.wire()
    await back.send(6, {"token": scene.sandbox.token, "session_id": wire.session, "seq": wire.sequence})
    assert await back.operation() == {"op": 9, "d": False}
    await back.send(2, {"token": scene.sandbox.token, "intents": 0, "properties": {}})
    await back.next("READY")
    ahead = await scene.wire()
    await ahead.send(6, {"token": scene.sandbox.token, "session_id": back.session, "seq": 99})
    assert await ahead.closed() == 4007


async def test_a_real_bot_resumes_and_its_views_still_work(scene: Scene) -> None:
    def add(bot: Bot) -> None:
        class Door(discord.ui.View):
            @discord.ui.button(label="Open", custom_id="open")
            async def open(self, interaction: discord.Interaction, _: object) -> None:
                await interaction.response.send_message("opened")

        @slash(bot, "door")
        async def door(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("a door", view=Door())

    await scene.run(add)
    used = await scene.ann.command(scene.yard, "door")
    await scene.sandbox.disconnect()
    assert (await scene.ann.press(used, label="Open")).message["content"] == "opened"  # sent while it was disconnected
    assert scene.sandbox.online
    assert not scene.sandbox.violations


async def test_an_action_while_the_bot_is_offline_fails_without_a_violation(scene: Scene) -> None:
    def add(bot: Bot) -> None:
        @slash(bot, "hello")
        async def hello(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("hello")

    bot = await scene.run(add)
    await bot.close()
    await scene.sandbox.disconnect(resumable=False)
    used = await scene.ann.command(scene.yard, "hello")
    assert "offline" in str(used.failed)
    assert not scene.sandbox.violations
