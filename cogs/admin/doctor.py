"""`/doctor`: the problems of the bot on a server, and what to do about them, for its managers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.ops.api_status import ApiStatus
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.process_stats import process_report
from cogs.core.ops.rest_errors import BANNED_AT, RestErrors
from cogs.core.ops.storage import Store
from cogs.core.ops.text_format import duration
from cogs.core.ops.timers import Clock
from cogs.core.pages.page import Block, Page, Separator, Text
from cogs.core.publishing.forms import Form
from cogs.core.publishing.refusals import SHOWN_AS, Refusals
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import Publisher
from cogs.core.tables.playable import Playable
from cogs.core.tables.settings import ServerSettings, Settings
from engine.contract import Moment

HEALTHY = 0x4C9F70
PROBLEM = 0xC8553D

LATE_MS = 60_000
"""The delay after which a deadline should have been handled."""

STILL_MS = 3 * 86_400_000
"""The time without a move after which a game without a clock is waiting for somebody who has left."""

MOST_LISTED = 10

AGES = (("the last hour", 3_600_000), ("the last day", 86_400_000), ("the last week", 7 * 86_400_000))


class Permission(NamedTuple):
    """A permission that the bot needs: its name in the library, its name for people, and its use."""

    key: str
    name: str
    use: str
    needed: bool = True


PERMISSIONS = (
    Permission("view_channel", "View Channel", "to find its own messages"),
    Permission("send_messages", "Send Messages", "to post tables"),
    Permission("send_messages_in_threads", "Send Messages in Threads", "for tables in threads"),
    Permission("create_public_threads", "Create Public Threads", "to give each table a thread", needed=False),
    Permission("attach_files", "Attach Files", "for the pictures of the boards"),
    Permission("embed_links", "Embed Links", "for links to tables", needed=False),
    Permission("read_message_history", "Read Message History", "to edit a table after a restart"),
)


THREADS_NEED = ("create_public_threads", "send_messages_in_threads")
"""The additional permissions if each table gets its own thread."""


class StuckTable(NamedTuple):
    """A table that is stuck: why, and the remedy."""

    table: int
    why: str
    cure: str


CLOSED: Mapping[str, tuple[str, str]] = {
    "timeout": ("paused: a moderator has timed me out on this server", "end the timeout, in my profile's menu here"),
    "locked": ("paused: <#{channel}> is locked", "unlock it, or allow me Manage Threads"),
    "permissions": ("paused: Discord refuses my messages in <#{channel}>", "let me post there"),
}
"""Why a table is paused whose channel is closed to the bot, and what to do."""


class Doctor(commands.Cog):
    """The command `/doctor`."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        settings: ServerSettings,
        clock: Clock,
        rest_errors: RestErrors,
        database_status: DatabaseStatus,
        publisher: Publisher,
        playable: Playable,
        api: ApiStatus,
        lost: Callable[[], Mapping[int, Moment]],
        refusals: Refusals,
    ) -> None:
        self._client = client
        self._store = store
        self._settings = settings
        self._clock = clock
        self._rest_errors = rest_errors
        self._database_status = database_status
        self._publisher = publisher
        self._playable = playable
        self._api = api
        self._lost = lost
        self._refusals = refusals

    @app_commands.command(
        description="What is wrong with the bot here, and what to do: permissions, messages, tables, backups."
    )
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Check the bot on this server."""
        assert interaction.guild is not None
        settings = await self._settings.of(interaction.guild.id)
        permissions, complaints = _permissions(interaction, settings.threads)
        refused = self._refused(interaction.guild)
        tables = await self._store.server_admin.open_tables(interaction.guild.id)
        stuck = await self._stuck(interaction.guild)
        puzzles = await self._puzzles(interaction.guild, settings)
        blocks: list[Block] = [
            Text(f"### This channel\n{permissions}"),
            *([Separator(), Text(f"### Refused by Discord\n{refused}")] if refused else ()),
            Separator(),
            Text(f"### Connection\n{self._intents()}\n{self._traffic()}{self._outages()}"),
            Separator(),
            Text(f"### Tables on this server\n{self._ages([row.moved_at for row in tables])}\n{_listed(stuck)}"),
            Separator(),
            Text(f"### Database\n{await self._database(_is_owner(interaction))}"),
        ]
        together, apart = await self._processes(interaction)
        if together:
            blocks += [Separator(), Text(f"### Processes\n{together}")]
        if puzzles:
            blocks += [Separator(), Text(f"### Puzzles of the day\n{puzzles}")]
        ailing = complaints or refused or stuck or apart or puzzles.startswith("✗")
        await responder_for(interaction).show(
            Page(tuple(blocks), PROBLEM if ailing or self._database_status.complaint() else HEALTHY)
        )

    async def _processes(self, interaction: discord.Interaction) -> tuple[str, bool]:
        """Return the state of the bot's processes, if there may be several, and whether one has a problem."""
        shards, notices = self._store.shards, self._store.notices
        if shards is None or notices is None:
            return "", False
        await shards.refresh()
        return process_report(shards, _is_owner(interaction), notices.complaint)

    async def _puzzles(self, guild: discord.Guild, settings: Settings) -> str:
        """Return how the puzzles of the day are posted; empty if they are not."""
        post = await self._store.server_admin.puzzle_post(guild.id)
        channel = settings.puzzles.channel
        if channel is None:
            gone = post is not None and post.trouble == "gone"
            return "✗ Their channel was deleted: choose another with `/settings puzzles`." if gone else ""
        lacking = _obstacle(guild, channel)
        if lacking is not None:
            return f"✗ They cannot be posted: {lacking}. Put that right; the next try is the next day."
        if post is not None and post.trouble is not None:
            return (
                f"✗ They could not be posted in <#{channel}> (<t:{post.at // 1_000}:R>): Discord "
                "refused. See what I may do there; the next try is the next day."
            )
        if post is None or post.message is None:
            return f"✓ They will be posted in <#{channel}>."
        return f"✓ They were last posted <t:{post.at // 1_000}:R> in <#{channel}>."

    def _refused(self, guild: discord.Guild) -> str:
        """Return what Discord refused to show on a server lately, and how it is shown now."""
        lines = [
            f"✗ In <#{one.channel}> (<t:{one.at // 1_000}:R>): {one.why} "
            f"Until then, tables there are shown {SHOWN_AS[one.form]}."
            for one in self._refusals.of(guild.id)
        ]
        until = guild.me.timed_out_until
        if until is not None and until.timestamp() * 1_000 > self._clock.now():
            lines.append(f"✗ I am timed out until <t:{int(until.timestamp())}:f>: I cannot post or edit before.")
        return "\n".join(lines[:MOST_LISTED])

    def _intents(self) -> str:
        intents = self._client.intents
        words = (
            ("typed moves", intents.message_content, "READ_MESSAGES"),
            ("seeing who leaves the server", intents.members, "MEMBERS_INTENT"),
        )
        return "\n".join(
            f"✓ {what}: on (`{variable}`)" if on else f"– {what}: off; not needed (`{variable}=1` turns it on)"
            for what, on, variable in words
        )

    def _traffic(self) -> str:
        traffic = self._rest_errors
        closed, refused = traffic.recent("closed"), traffic.recent("forbidden")
        limited, failed = traffic.recent("limited"), traffic.recent("failed")
        if not any((closed, refused, limited, failed)):
            lines = ["✓ In the last ten minutes Discord has refused nothing, on any server."]
        else:
            lines = [
                f"In the last ten minutes, on all servers: {closed} closed direct message{'s' * (closed != 1)}, "
                f"{refused} × refused (403), {limited} × too fast (429), {failed} × Discord's own fault (5xx).",
                "-# Closed direct messages hold nobody up: *Play* shows everything.",
            ]
        if refused + limited > BANNED_AT // 10:
            lines.append(f"✗ After {BANNED_AT} refusals Discord shuts the bot out: give it the permissions it lacks.")
        lines += [
            f"✗ {words}"
            for words in (traffic.duplicate_bot_warning(), traffic.session_start_warning())
            if words is not None
        ]
        return "\n".join(lines)

    def _outages(self) -> str:
        """Return a line for each outage of Discord, each after a line break."""
        lines = [
            f"✗ Shard {shard} has had no connection to Discord since <t:{since // 1_000}:R>. Its clocks have stopped."
            for shard, since in self._lost().items()
        ]
        if self._api.down_since is not None:
            since = self._api.down_since
            lines.append(f"✗ Discord's API has not answered since <t:{since // 1_000}:R>. All clocks have stopped.")
        return "".join(f"\n{line}" for line in lines)

    def _ages(self, moved: Sequence[Moment]) -> str:
        if not moved:
            return "None is open."
        now, left, words = self._clock.now(), list(moved), []
        for name, age_ms in AGES:
            young = [at for at in left if now - at <= age_ms]
            left = [at for at in left if now - at > age_ms]
            if young:
                words.append(f"{len(young)} in {name}")
        if left:
            words.append(f"{len(left)} longer ago")
        return f"{len(moved)} open; last active: " + ", ".join(words) + "."

    async def _stuck(self, guild: discord.Guild) -> list[StuckTable]:
        now = self._clock.now()
        troubles = {
            messages.table.id: messages.message.trouble
            for messages in self._publisher.all()
            if messages.message.trouble and messages.message.form is Form.FULL  # else it is shown, in a simpler form
        }
        found = []
        for row in await self._store.server_admin.open_tables(guild.id):
            lacking = _obstacle(guild, row.channel)
            due = None if row.due is None else row.due + self._store.downtime(row.run, guild.id)
            obstacle = self._playable.obstacle_in(guild.id, row.channel)
            closed = None if obstacle is None else CLOSED.get(obstacle.cause)
            if closed is not None and (lacking is None or obstacle is None or obstacle.cause != "permissions"):
                why, cure = closed
                found.append(StuckTable(row.id, why.format(channel=row.channel), cure))
            elif lacking is not None:
                found.append(StuckTable(row.id, lacking, f"put that right, then `/admin repair {row.id}`"))
            elif row.id in troubles:
                found.append(StuckTable(row.id, f"its message: {troubles[row.id]}", f"`/admin repair {row.id}`"))
            elif due is not None and now - due > LATE_MS and obstacle is None:
                why = f"its clock ran out {duration(now - due)} ago"
                found.append(StuckTable(row.id, why, f"`/admin repair {row.id}`, or `/admin end {row.id}`"))
            elif due is None and row.status == "playing" and now - row.moved_at > STILL_MS:
                why = f"no clock, and nothing has happened for {duration(now - row.moved_at)}"
                found.append(StuckTable(row.id, why, f"`/admin end {row.id}`"))
        return found

    async def _database(self, owner: bool) -> str:
        office = self._store.server_admin
        size, backup = await office.size(), await office.last_backup()
        made = "No backup was made yet: `python bot.py backup FILE`."
        if backup is not None:
            made = f"Last backup <t:{backup.at // 1_000}:R> ({backup.bytes / 1_000_000:.1f} MB)."
        complaint = self._database_status.complaint(to_owner=owner)
        lines = [f"{size / 1_000_000:.1f} MB. {made}"]
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
            lines.append(f"✓ {entry.name}")
        elif needed:
            complaints = True
            lines.append(f"✗ **{entry.name}** is missing, {entry.use}: allow it to me in this channel's settings")
        else:
            lines.append(f"– {entry.name}: missing, but not needed here ({entry.use})")
    return "\n".join(lines), complaints


def _obstacle(guild: discord.Guild, number: int) -> str | None:
    """Return what keeps a table in a channel from continuing, if anything."""
    channel = guild.get_channel_or_thread(number)
    if channel is None:
        return None  # a sleeping thread is unknown too; deleting a channel closes its tables
    if isinstance(channel, discord.Thread) and channel.locked and not channel.permissions_for(guild.me).manage_threads:
        return f"the thread <#{number}> is locked"
    allowed = channel.permissions_for(guild.me)
    sending = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    missing = [
        entry.name
        for entry in PERMISSIONS
        if entry.key in ("view_channel", sending) and not getattr(allowed, entry.key)
    ]
    return f"in <#{number}> I lack {', '.join(missing)}" if missing else None


def _listed(stuck: Sequence[StuckTable]) -> str:
    if not stuck:
        return "✓ None is stuck."
    lines = [f"✗ Table {entry.table} – {entry.why}: {entry.cure}" for entry in stuck[:MOST_LISTED]]
    if len(stuck) > MOST_LISTED:
        lines.append(f"-# and {len(stuck) - MOST_LISTED} more")
    return "\n".join(lines)
