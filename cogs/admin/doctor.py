"""`/doctor`: the problems of the bot on a server, and what to do about them, for its managers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app.conditions import DiscordConditions
from cogs.core.i18n.translation import N_, _, ngettext, public_label
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.process_stats import process_report
from cogs.core.ops.rest_errors import BANNED_AT, RestErrors
from cogs.core.ops.storage import Store
from cogs.core.ops.text_format import decimal, duration, listed
from cogs.core.ops.timers import Clock
from cogs.core.pages.page import Block, Page, Separator, Text
from cogs.core.pages.permissions import missing, permission_name, to_write
from cogs.core.publishing.forms import SHOWN_AS, Form, Refusals, why_refused
from cogs.core.publishing.publisher import Publisher
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.threads import NEEDED as THREADS_NEED
from cogs.core.tables.settings import ServerSettings, Settings
from engine.contract import Moment

HEALTHY = 0x4C9F70
PROBLEM = 0xC8553D

LATE_MS = 60_000
"""The delay after which a deadline should have been handled."""

STILL_MS = 3 * 86_400_000
"""The time without a move after which a game without a clock is waiting for somebody who has left."""

MOST_LISTED = 10

AGES = (
    (N_("{number} in the last hour"), 3_600_000),
    (N_("{number} in the last day"), 86_400_000),
    (N_("{number} in the last week"), 7 * 86_400_000),
)


class Permission(NamedTuple):
    """A permission that the bot needs: its name in the library, and its use."""

    key: str
    use: str
    needed: bool = True


PERMISSIONS = (
    Permission("view_channel", N_("to find my own messages")),
    Permission("send_messages", N_("to post tables")),
    Permission("send_messages_in_threads", N_("for tables in threads")),
    Permission("create_public_threads", N_("to give each table its own thread"), needed=False),
    Permission("attach_files", N_("for the pictures of the board")),
    Permission("embed_links", N_("for links to tables"), needed=False),
    Permission("read_message_history", N_("to edit a table after a restart")),
)


class StuckTable(NamedTuple):
    """A table that is stuck: why, and the remedy."""

    table: int
    why: str
    cure: str


CLOSED: Mapping[str, tuple[str, str]] = {
    "timeout": (
        N_("clocks stopped: a moderator timed me out on this server"),
        N_("Remove the timeout from my profile's menu here."),
    ),
    "locked": (N_("clocks stopped: {channel} is locked"), N_("Unlock it, or allow me Manage Threads.")),
    "permissions": (N_("clocks stopped: Discord refuses my messages in {channel}"), N_("Let me post there.")),
}
"""Why a table is paused whose channel is closed to the bot, and what to do."""


@dataclass(eq=False)
class Doctor(commands.Cog):
    """The command `/doctor`."""

    client: discord.Client
    store: Store
    settings: ServerSettings
    clock: Clock
    rest_errors: RestErrors
    database_status: DatabaseStatus
    publisher: Publisher
    conditions: DiscordConditions
    refusals: Refusals

    @app_commands.command(
        description="Check the bot on this server and see how to fix problems: permissions, messages, tables, backups."
    )
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Check the bot on this server."""
        assert interaction.guild is not None
        settings = await self.settings.of(interaction.guild.id)
        permissions, complaints = _permissions(interaction, settings.threads)
        refused = self._refused(interaction.guild)
        tables = await self.store.server_admin.open_tables(interaction.guild.id)
        stuck = await self._stuck(interaction.guild)
        puzzles = await self._puzzles(interaction.guild, settings)
        parts = [
            (_("### This channel"), permissions),
            (_("### Refused by Discord"), refused),
            (_("### Connection"), f"{self._intents()}\n{self._traffic()}{self._outages()}"),
            (_("### Tables on this server"), f"{self._ages([row.moved_at for row in tables])}\n{_listed(stuck)}"),
            (_("### Database"), await self._database(_is_owner(interaction))),
        ]
        together, apart = await self._processes(interaction)
        parts += [(_("### Processes"), together), (_("### Puzzles of the day"), puzzles)]
        blocks: list[Block] = []
        for heading, body in parts:
            if body:
                blocks += [*([Separator()] if blocks else ()), Text(f"{heading}\n{body}")]
        ailing = complaints or refused or stuck or apart or "✗" in puzzles
        await responder_for(interaction).show(
            Page(tuple(blocks), PROBLEM if ailing or self.database_status.complaint() else HEALTHY)
        )

    async def _processes(self, interaction: discord.Interaction) -> tuple[str, bool]:
        """Return the state of the bot's processes, if there may be several, and whether one has a problem."""
        shards, notices = self.store.shards, self.store.notices
        if shards is None or notices is None:
            return "", False
        await shards.refresh()
        return process_report(shards, _is_owner(interaction), notices.complaint)

    async def _puzzles(self, guild: discord.Guild, settings: Settings) -> str:
        """Return how the puzzles of the day are posted; empty if they are not."""
        post = await self.store.server_admin.puzzle_post(guild.id)
        channel = settings.puzzles.channel
        if channel is None:
            gone = post is not None and post.trouble == "gone"
            return _("✗ Their channel was deleted. Choose another with `/settings puzzles`.") if gone else ""
        lacking = _obstacle(guild, channel)
        if lacking is not None:
            return _("✗ They can't be posted: {problem}. Fix that; I'll try again the next day.", problem=lacking)
        place = f"<#{channel}>"
        if post is None or (post.message is None and post.trouble is None):
            return _("✓ They will be posted in {channel}.", channel=place)
        when = f"<t:{post.at // 1_000}:R>"
        if post.trouble is not None:
            return _(
                "✗ Discord refused to post them in {channel} ({when}). Check my permissions there; I'll try again the "
                "next day.",
                channel=place,
                when=when,
            )
        return _("✓ They were last posted {when} in {channel}.", when=when, channel=place)

    def _refused(self, guild: discord.Guild) -> str:
        """Return what Discord refused to show on a server lately, and how it is shown now."""
        lines = [
            _(
                "✗ In {channel} ({when}): {why} Until then, tables there are shown {how}.",
                channel=f"<#{one.channel}>",
                when=f"<t:{one.at // 1_000}:R>",
                why=why_refused(one.code),
                how=_(SHOWN_AS[one.form]),
            )
            for one in self.refusals.of(guild.id)
        ]
        until = guild.me.timed_out_until
        if until is not None and until.timestamp() * 1_000 > self.clock.now():
            end = f"<t:{int(until.timestamp())}:f>"
            lines.append(_("✗ I'm timed out until {when}, and can't post or edit before then.", when=end))
        return "\n".join(lines[:MOST_LISTED])

    def _intents(self) -> str:
        intents = self.client.intents
        words = (
            (_("typed moves"), intents.message_content, "READ_MESSAGES"),
            (_("seeing who leaves the server"), intents.members, "MEMBERS_INTENT"),
        )
        return "\n".join(
            _("✓ {feature}: on (`{variable}`)", feature=feature, variable=variable)
            if on
            else _("– {feature}: off, not needed (`{variable}=1` turns it on)", feature=feature, variable=variable)
            for feature, on, variable in words
        )

    def _traffic(self) -> str:
        traffic = self.rest_errors
        closed, refused = traffic.recent("closed"), traffic.recent("forbidden")
        limited, failed = traffic.recent("limited"), traffic.recent("failed")
        if not any((closed, refused, limited, failed)):
            lines = [_("✓ In the last ten minutes, Discord has refused nothing on any server.")]
        else:
            lines = [
                ngettext(
                    "In the last ten minutes, on all servers: {n} closed DM, {refused} × refused (403), {limited} × "
                    "too fast (429), {failed} × Discord's own fault (5xx).",
                    "In the last ten minutes, on all servers: {n} closed DMs, {refused} × refused (403), {limited} × "
                    "too fast (429), {failed} × Discord's own fault (5xx).",
                    closed,
                    refused=refused,
                    limited=limited,
                    failed=failed,
                ),
                _("-# Closed DMs don't hold up a game: *{play}* shows everything.", play=public_label("Play")),
            ]
        if refused + limited > BANNED_AT // 10:
            lines.append(
                _(
                    "✗ After {number} refusals, Discord blocks the bot. Give it the permissions it's missing.",
                    number=BANNED_AT,
                )
            )
        lines += [
            f"✗ {words}"
            for words in (traffic.duplicate_bot_warning(), traffic.session_start_warning())
            if words is not None
        ]
        return "\n".join(lines)

    def _outages(self) -> str:
        """Return a line for each outage of Discord, each after a line break."""
        lines = [
            _(
                "✗ Shard {shard} has had no connection to Discord since {when}. Its clocks are stopped.",
                shard=shard,
                when=f"<t:{since // 1_000}:f>",
            )
            for shard, since in self.conditions.connections.lost.items()
        ]
        if self.conditions.api.down_since is not None:
            when = f"<t:{self.conditions.api.down_since // 1_000}:f>"
            lines.append(_("✗ Discord's API hasn't answered since {when}. All clocks are stopped.", when=when))
        return "".join(f"\n{line}" for line in lines)

    def _ages(self, moved: Sequence[Moment]) -> str:
        if not moved:
            return _("No table is open.")
        now, left, words = self.clock.now(), list(moved), []
        for name, age_ms in AGES:
            young = [at for at in left if now - at <= age_ms]
            left = [at for at in left if now - at > age_ms]
            if young:
                words.append(_(name, number=len(young)))
        if left:
            words.append(_("{number} longer ago", number=len(left)))
        return ngettext(
            "{n} open table, last active: {ages}.",
            "{n} open tables, last active: {ages}.",
            len(moved),
            ages=", ".join(words),
        )

    async def _stuck(self, guild: discord.Guild) -> list[StuckTable]:
        now = self.clock.now()
        troubles = {
            messages.table.id: messages.message.trouble
            for messages in self.publisher.all()
            if messages.message.trouble and messages.message.form is Form.FULL  # else it is shown, in a simpler form
        }
        found = []
        for row in await self.store.server_admin.open_tables(guild.id):
            lacking = _obstacle(guild, row.channel)
            due = None if row.due is None else row.due + self.store.runs.downtime(row.run, guild.id)
            obstacle = self.conditions.obstacle(guild.id, row.channel)
            closed = None if obstacle is None else CLOSED.get(obstacle.cause)
            if closed is not None and (lacking is None or obstacle is None or obstacle.cause != "permissions"):
                why, cure = closed
                found.append(StuckTable(row.id, _(why, channel=f"<#{row.channel}>"), _(cure)))
            elif lacking is not None:
                cure = _("Fix that, then use `/admin repair {table}`.", table=row.id)
                found.append(StuckTable(row.id, lacking, cure))
            elif row.id in troubles:
                why = _("its message failed: {error}", error=troubles[row.id])
                found.append(StuckTable(row.id, why, _("Use `/admin repair {table}`.", table=row.id)))
            elif due is not None and now - due > LATE_MS and obstacle is None:
                why = _("its clock ran out {duration} ago", duration=duration(now - due))
                cure = _("Use `/admin repair {table}` or `/admin end {table}`.", table=row.id)
                found.append(StuckTable(row.id, why, cure))
            elif due is None and row.status == "playing" and now - row.moved_at > STILL_MS:
                still = duration(now - row.moved_at)
                why = _("it has no clock, and nothing has happened for {duration}", duration=still)
                found.append(StuckTable(row.id, why, _("Use `/admin end {table}`.", table=row.id)))
        return found

    async def _database(self, owner: bool) -> str:
        admin = self.store.server_admin
        size, backup = await admin.size(), await admin.last_backup()
        made = _("No backup yet: run `python bot.py backup FILE`.")
        if backup is not None:
            when, backed_up = f"<t:{backup.at // 1_000}:R>", decimal(backup.bytes / 1_000_000, 1)
            made = _("Last backup {when} ({size} MB).", when=when, size=backed_up)
        complaint = self.database_status.complaint(to_owner=owner)
        lines = [f"{_('{size} MB.', size=decimal(size / 1_000_000, 1))} {made}"]
        return "\n".join(lines if complaint is None else [*lines, f"✗ {complaint}"])


def _is_owner(interaction: discord.Interaction) -> bool:
    """Return whether a user owns the bot, alone or in a team."""
    application = interaction.client.application
    if application is None:
        return False
    team = () if application.team is None else application.team.members
    return interaction.user.id in {application.owner.id, *(member.id for member in team)}


def _permissions(interaction: discord.Interaction, threads: bool) -> tuple[str, bool]:
    """Return a line for each permission in this channel, and whether one that a table needs is missing."""
    allowed = interaction.app_permissions
    thread = isinstance(interaction.channel, discord.Thread)
    lines, complaints = [], False
    for entry in PERMISSIONS:
        needed = entry.needed and entry.key != ("send_messages" if thread else "send_messages_in_threads")
        needed |= threads and not thread and entry.key in THREADS_NEED
        if getattr(allowed, entry.key):
            lines.append(f"✓ {permission_name(entry.key)}")
        elif needed:
            complaints = True
            lines.append(
                _(
                    "✗ **{permission}** is missing ({use}): allow it for me in this channel's settings",
                    permission=permission_name(entry.key),
                    use=_(entry.use),
                )
            )
        else:
            lines.append(
                _(
                    "– {permission}: missing, but not needed here ({use})",
                    permission=permission_name(entry.key),
                    use=_(entry.use),
                )
            )
    return "\n".join(lines), complaints


def _obstacle(guild: discord.Guild, number: int) -> str | None:
    """Return what keeps a table in a channel from continuing, if anything."""
    channel = guild.get_channel_or_thread(number)
    if channel is None:
        return None  # a sleeping thread is unknown too; deleting a channel closes its tables
    if isinstance(channel, discord.Thread) and channel.locked and not channel.permissions_for(guild.me).manage_threads:
        return _("the thread {channel} is locked", channel=f"<#{number}>")
    lacking = missing(channel.permissions_for(guild.me), to_write(channel))
    if not lacking:
        return None
    return _("in {channel} I'm missing {permissions}", channel=f"<#{number}>", permissions=listed(lacking))


def _listed(stuck: Sequence[StuckTable]) -> str:
    if not stuck:
        return _("✓ No table is stuck.")
    lines = [
        _("✗ Table {table} – {problem}. {remedy}", table=entry.table, problem=entry.why, remedy=entry.cure)
        for entry in stuck[:MOST_LISTED]
    ]
    if len(stuck) > MOST_LISTED:
        lines.append(ngettext("-# and {n} more", "-# and {n} more", len(stuck) - MOST_LISTED))
    return "\n".join(lines)
