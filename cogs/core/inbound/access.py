"""Checks that a reader may see a table's channel, by the permissions that Discord sent with the interaction."""

from collections.abc import Iterable
from dataclasses import dataclass

import discord

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from data.store import NO_SERVER, Store, TableRow


@dataclass(frozen=True)
class VisibleChannels:
    """The channels of a server that a person can see (`open`) and cannot see (`shut`).

    The others are unknown: the channel was deleted, is an archived thread, or a private one whose members Discord did
    not send.
    """

    open: frozenset[int]
    shut: frozenset[int]


def off_server(interaction: discord.Interaction) -> bool:
    """Return True if an interaction came from where the bot holds no tables: outside of servers, or from a server that
    it is not on.
    """
    return interaction.guild_id is None or not interaction.is_guild_integration()


def is_moderator(interaction: discord.Interaction) -> bool:
    """Return True if the person who asks moderates the server, or manages it."""
    allowed = interaction.permissions
    return interaction.guild_id is not None and (allowed.manage_messages or allowed.manage_guild)


def visible_channels(interaction: discord.Interaction, channels: Iterable[int]) -> VisibleChannels:
    """Return which of these channels of the server the reader sees, as far as is known without asking Discord."""
    known = {number: _sees(interaction, number) for number in set(channels)}
    return VisibleChannels(
        frozenset(number for number, seen in known.items() if seen),
        frozenset(number for number, seen in known.items() if seen is False),
    )


async def find_readable(store: Store, number: int, interaction: discord.Interaction) -> TableRow:
    """Return a table of this server whose channel the reader may see, or one of their practice games from anywhere.

    If the channel was deleted, former players and managers of the server may still read it. Raises `UserError`, in the
    same words for a hidden table and a missing one.
    """
    row = await store.tables.get(number)
    if row is not None and row.guild == NO_SERVER and await _sat(store, number, interaction):
        return row
    if row is not None and interaction.guild_id is not None and row.guild == interaction.guild_id:
        seen = _sees(interaction, row.channel)
        if seen is None:
            seen = await _sees_channel(interaction.client, interaction.guild, interaction.user, row.channel)
        if seen is None:
            seen = await _sat(store, number, interaction) or interaction.permissions.manage_guild
        if seen:
            return row
    if interaction.guild_id is None:
        raise UserError(
            _("You have no practice game {table}. Games of a server are shown on that server.", table=number)
        )
    raise UserError(no_table_here(number))


def no_table_here(number: int) -> str:
    """Return the sentence about the number of a table that is not on this server, or hidden from the reader."""
    return _("There's no table {table} on this server.", table=number)


async def _sat(store: Store, number: int, interaction: discord.Interaction) -> bool:
    """Return True if the reader sat at a table."""
    return any(seat.user == interaction.user.id for seat in await store.seats.of(number))


def _sees(interaction: discord.Interaction, number: int) -> bool | None:
    if number == interaction.channel_id:
        return True
    channel = interaction.guild.get_channel_or_thread(number) if interaction.guild is not None else None
    return None if channel is None else _may_view(interaction.user, channel)


async def may_see(client: discord.Client, guild: int, channel: int, user: int) -> bool:
    """Return whether a member of a server sees a channel now, by the roles that Discord is asked for. Raises
    `API_ERRORS`.
    """
    server = client.get_guild(guild)
    if server is None:
        return False
    try:
        member = await server.fetch_member(user)
    except discord.NotFound:
        return False
    return bool(await _sees_channel(client, server, member, channel))


async def _sees_channel(
    client: discord.Client, guild: discord.Guild | None, reader: discord.User | discord.Member, number: int
) -> bool | None:
    """Return whether somebody sees a channel; Discord is asked for one, or for the members of a thread, that we do not
    know. None where it is gone.
    """
    channel = guild.get_channel_or_thread(number) if guild is not None else None
    try:
        found = await client.fetch_channel(number) if channel is None else channel
    except discord.NotFound:
        return None
    except discord.DiscordException:
        return False  # it is there, and not even we see it
    seen = _may_view(reader, found) if isinstance(found, discord.abc.GuildChannel | discord.Thread) else False
    if seen is None and isinstance(found, discord.Thread):
        try:
            await found.fetch_member(reader.id)
        except discord.DiscordException:
            return False
        return True
    return seen


def _may_view(reader: discord.User | discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool | None:
    """Return whether the reader sees a channel; None if only their membership in a private thread decides, and Discord
    did not send it: without the members intent it sends the bot's own alone.
    """
    if not isinstance(reader, discord.Member) or (isinstance(channel, discord.Thread) and channel.parent is None):
        return False
    allowed = channel.permissions_for(reader)
    if not isinstance(channel, discord.Thread) or not channel.is_private() or allowed.manage_threads:
        return allowed.view_channel
    if not allowed.view_channel:
        return False
    return True if any(member.id == reader.id for member in channel.members) else None
