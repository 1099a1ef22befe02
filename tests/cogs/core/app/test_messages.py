"""Other people's messages count for the table messages of their channel; the bot's own do not."""

from typing import Any

import discord
import pytest

from cogs.core.publishing.table_message import TableMessage
from cogs.core.tables.table_registry import LoadedTables
from sandbox import Channel
from tools.harness.bot_harness import BotHarness


async def opened(harness: BotHarness, channel: Channel) -> None:
    """Open a table in a channel, and wait until the bot is idle."""
    await harness.ann.command(channel, "rope-wall start", clock=0)
    await harness.settle()


async def test_only_the_tables_of_its_channel_are_notified_of_a_message(harness: BotHarness):
    other = harness.sandbox.add_channel(harness.guild, "other")
    await opened(harness, harness.yard)
    await opened(harness, other)
    present = harness.client.tables.registry.present
    assert [table.id for table in present.in_channel(int(harness.yard.id))] == [1]
    assert [table.id for table in present.in_channel(int(other.id))] == [2]
    assert isinstance(present, LoadedTables) and sorted(present) == [1, 2]
    assert present.take(1) is not None and present.take(1) is None
    assert not present.in_channel(int(harness.yard.id)) and list(present) == [2]


async def test_the_messages_of_others_are_counted_and_our_own_are_not(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await opened(harness, harness.yard)
    received, came = list[TableMessage](), list[int]()
    monkeypatch.setattr(TableMessage, "count_chatter", lambda message: received.append(message))

    async def on_message(message: discord.Message) -> None:
        came.append(message.author.id)

    harness.client.add_listener(on_message)
    channel: Any = harness.client.get_channel(int(harness.yard.id))
    await channel.send("From the bot itself.")
    await harness.ben.say(harness.yard, "Well done.")
    await harness.sandbox.until(lambda: len(came) == 2)
    assert len(received) == 1
