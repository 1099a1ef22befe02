"""`/settings channel`: the channels in which new tables are allowed, as one of two lists: *everywhere except* these, or
*only in* these.
"""

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands

from cogs.core.i18n.translation import _, ngettext
from cogs.core.inbound.command_options import completion, suggestions
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import listed
from cogs.core.tables.settings import (
    CHANNELS_EXCEPT,
    CHANNELS_ONLY,
    MAX_CHANNELS,
    ChannelMode,
    ServerSettings,
    Settings,
)

Place = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel | discord.Thread

Show = Callable[[discord.Interaction, Settings, str], Awaitable[None]]
"""Answers with all settings, under a title."""

LISTS: dict[ChannelMode, str] = {"only": CHANNELS_ONLY, "except": CHANNELS_EXCEPT}
"""The name of each list in the store."""


def check_manager(interaction: discord.Interaction) -> bool:
    """Return True for a member who manages the server. Raises `MissingPermissions`, which the command tree reports."""
    if not interaction.permissions.manage_guild:
        raise app_commands.MissingPermissions(["manage_guild"])
    return True


def allowed_line(settings: Settings) -> str:
    """Return where new tables are allowed, in words."""
    channels = listed(f"<#{channel}>" for channel in settings.channels)
    if settings.channel_mode == "only":
        if channels:
            return _("**New tables are allowed** only in {channels}.", channels=channels)
        return _("**New tables are allowed** nowhere.")
    if channels:
        return _("**New tables are allowed** everywhere except in {channels}.", channels=channels)
    return _("**New tables are allowed** everywhere.")


class ChannelCommands(app_commands.Group):
    """The commands that change the list. A list of the other kind is replaced, and the answer says what is allowed."""

    def __init__(self, settings: ServerSettings, show: Show) -> None:
        super().__init__(name="channel", description="Choose where new tables are allowed.")
        self._settings = settings
        self._show = show

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Check that the member manages the server. Raises `MissingPermissions`."""
        return check_manager(interaction)

    @app_commands.command(description="Allow new tables only in this channel and others that you add.")
    @app_commands.describe(channel="The channel; its threads are included")
    async def add(self, interaction: discord.Interaction, channel: Place) -> None:
        """Add a channel to those in which alone tables are allowed."""
        await self._list(interaction, "only", channel)

    @app_commands.command(name="except", description="Allow new tables everywhere except in channels on this list.")
    @app_commands.describe(channel="The channel; its threads are included")
    async def except_(self, interaction: discord.Interaction, channel: Place) -> None:
        """Add a channel to those in which no tables are allowed."""
        await self._list(interaction, "except", channel)

    @app_commands.command(description="Remove a channel from the list.")
    @app_commands.describe(channel="A channel on the list")
    async def remove(self, interaction: discord.Interaction, channel: str) -> None:
        """Take a channel off the list, which remains one of its kind, even if it is empty."""
        now = await self._now(interaction)
        if channel not in map(str, now.channels):
            raise UserError(_("That channel isn't on the list. `/settings show` has the list."))
        await self._save(interaction, now.channel_mode, [known for known in now.channels if str(known) != channel])

    @app_commands.command(name="all", description="Allow new tables everywhere.")
    async def all_(self, interaction: discord.Interaction) -> None:
        """Allow all channels."""
        await self._save(interaction, "except", [])

    @remove.autocomplete("channel")
    @completion
    async def _listed(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if not interaction.permissions.manage_guild:  # the library does not check before completions
            return []
        guild = interaction.guild
        named = []
        for number in (await self._now(interaction)).channels:
            found = guild.get_channel_or_thread(number) if guild is not None else None
            deleted = _("deleted channel ({id})", id=number)
            named.append((f"#{found.name}" if found is not None else deleted, str(number)))
        return suggestions(named, typed)

    async def _now(self, interaction: discord.Interaction) -> Settings:
        assert interaction.guild_id is not None
        return await self._settings.of(interaction.guild_id)

    async def _list(self, interaction: discord.Interaction, mode: ChannelMode, channel: Place) -> None:
        now = await self._now(interaction)
        present = now.channels if now.channel_mode == mode else ()
        if channel.id in present:
            raise UserError(_("{channel} is already on the list.", channel=channel.mention))
        if len(present) >= MAX_CHANNELS:
            raise UserError(
                ngettext(
                    "The list holds only {n} channel. `/settings channel all` clears it.",
                    "The list holds only {n} channels. `/settings channel all` clears it.",
                    MAX_CHANNELS,
                )
            )
        await self._save(interaction, mode, [*present, channel.id])

    async def _save(self, interaction: discord.Interaction, mode: ChannelMode, channels: Sequence[int]) -> None:
        assert interaction.guild_id is not None
        kept = " ".join(map(str, channels))
        other: ChannelMode = "only" if mode == "except" else "except"
        await self._settings.change(interaction.guild_id, LISTS[mode], kept if mode == "only" else kept or None)
        settings = await self._settings.change(interaction.guild_id, LISTS[other], None)
        await self._show(interaction, settings, _("Settings changed"))
