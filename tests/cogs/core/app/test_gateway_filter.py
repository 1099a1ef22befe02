"""What becomes of events that a bot on many servers hears and does not need: nothing, and it costs nothing."""

from typing import Any

import discord
import pytest

from cogs.core.tables.table_registry import LoadedTables
from sandbox import Channel
from tools.harness.bot_harness import BotHarness


class Heard(list[tuple[int, int]]):
    """The messages that the library has told of: each by its channel and its author."""

    def __init__(self, harness: BotHarness) -> None:
        super().__init__()

        async def on_message(message: discord.Message) -> None:
            self.append((message.channel.id, message.author.id))

        harness.client.add_listener(on_message)


async def opened(harness: BotHarness, channel: Channel) -> None:
    """Let a table open in a channel, and the bot come to rest."""
    await harness.ann.command(channel, "rope-wall start", clock=0)
    await harness.settle()


async def test_a_message_where_no_table_is_becomes_no_message_at_all(harness: BotHarness):
    foreign = harness.sandbox.add_channel(harness.guild, "foreign")
    await opened(harness, harness.yard)
    heard = Heard(harness)
    await harness.ben.say(foreign, "Nobody plays here.")
    await harness.ben.say(harness.yard, "But here.")
    await harness.sandbox.until(lambda: heard)
    assert heard == [(int(harness.yard.id), int(harness.ben.id))]


async def test_our_own_messages_and_their_edits_are_not_heard(harness: BotHarness):
    heard = Heard(harness)
    edited: list[object] = []

    async def on_raw_message_edit(payload: discord.RawMessageUpdateEvent) -> None:
        edited.append(payload)

    harness.client.add_listener(on_raw_message_edit)
    await harness.two_at_the_wall()
    await harness.push()
    channel = harness.client.get_channel(int(harness.yard.id))
    assert isinstance(channel, discord.TextChannel)
    await channel.send("From the bot itself.")
    await harness.ben.say(harness.yard, "Well done.")
    await harness.sandbox.until(lambda: heard)
    assert heard == [(int(harness.yard.id), int(harness.ben.id))] and edited == []


async def test_a_channel_is_listened_to_from_the_start_where_its_table_sleeps(harness: BotHarness):
    await opened(harness, harness.yard)
    await harness.restart()
    assert 1 not in harness.client.tables.registry.present
    heard = Heard(harness)
    await harness.ben.say(harness.yard, "Is anybody there?")
    await harness.sandbox.until(lambda: heard)
    assert heard == [(int(harness.yard.id), int(harness.ben.id))]


async def test_until_it_is_known_where_tables_are_every_message_is_heard(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(harness.client, "_listed", set())
    heard = Heard(harness)
    await harness.ben.say(harness.yard, "Early.")
    await harness.sandbox.until(lambda: heard)
    assert heard == [(int(harness.yard.id), int(harness.ben.id))]


async def test_only_the_tables_of_its_channel_hear_of_a_message(harness: BotHarness):
    other = harness.sandbox.add_channel(harness.guild, "other")
    await opened(harness, harness.yard)
    await opened(harness, other)
    present = harness.client.tables.registry.present
    assert [table.id for table in present.in_channel(int(harness.yard.id))] == [1]
    assert [table.id for table in present.in_channel(int(other.id))] == [2]
    assert isinstance(present, LoadedTables) and sorted(present) == [1, 2]
    assert present.take(1) is not None and present.take(1) is None
    assert not present.in_channel(int(harness.yard.id)) and list(present) == [2]


async def test_of_a_server_stays_what_permissions_need_and_nothing_else(harness: BotHarness):
    guild = harness.client.get_guild(int(harness.guild.id))
    assert guild is not None and guild.me is not None and guild.default_role is not None
    assert [member.id for member in guild.members] == [guild.me.id]
    channel = guild.get_channel(int(harness.yard.id))
    assert isinstance(channel, discord.TextChannel) and channel.permissions_for(guild.me).send_messages
    told: dict[str, Any] = {
        "id": "77",
        "name": "Sing Sing",
        "roles": [{"id": "77", "name": "@everyone", "permissions": "0", "color": 0, "hoist": False, "position": 0,
                   "mentionable": False, "managed": False, "flags": 0, "colors": {"primary_color": 0}}],
        "channels": [{"id": "78", "type": 0, "name": "yard", "position": 0, "permission_overwrites": [],
                      "topic": "t" * 1_000}],
        "members": [
            {"user": {"id": number, "username": "x", "discriminator": "0", "avatar": None}, "roles": [], "flags": 0,
             "joined_at": None, "deaf": False, "mute": False}
            for number in ("5", str(harness.client.user.id))
        ],
        "voice_states": [{"user_id": "5", "channel_id": "78"}],
        "member_count": 2,
        "unavailable": False,
    }  # fmt: skip
    harness.client._connection.parsers["GUILD_CREATE"](told)
    found = harness.client.get_guild(77)
    assert found is not None and [member.id for member in found.members] == [harness.client.user.id]
    assert isinstance(yard := found.get_channel(78), discord.TextChannel) and yard.topic is None
    assert not found._voice_states and len(told["members"]) == 1


async def test_of_a_message_that_was_pressed_nothing_is_made_but_which_one_it_is(harness: BotHarness):
    pressed: list[discord.Message | None] = []

    async def on_interaction(interaction: discord.Interaction) -> None:
        pressed.append(interaction.message)

    harness.client.add_listener(on_interaction)
    await harness.two_at_the_wall()
    board = harness.board()
    await harness.push()
    message = pressed[-1]
    assert message is not None and message.id == int(board["id"]) and not message.flags.ephemeral
    assert board["components"] and not message.components
    assert board["author"] and not hasattr(message, "author")
