"""What Discord has refused to show lately, for the managers of the servers."""

import logging
from dataclasses import dataclass
from typing import NamedTuple

import discord

from cogs.core.i18n.translation import N_, _
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from cogs.core.publishing.forms import Form
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

REMEMBERED_MS = 86_400_000
"""How long a refusal is remembered; its managers are told of the same one once in that time."""

SHOWN_AS = {
    Form.FULL: N_("as usual"),
    Form.TEXT: N_("without pictures"),
    Form.MARKS: N_("without names"),
    Form.SENTENCE: N_("as one sentence"),
}


class Refusal(NamedTuple):
    """A refusal: where, Discord's code or else the status, how the table is shown now, and when."""

    channel: int
    code: int
    form: Form
    at: Moment

    @property
    def why(self) -> str:
        """What Discord refused and what helps, for a server's managers."""
        return why_refused(self.code)


def why_refused(code: int) -> str:
    """Return what Discord refused with a code and what helps, for a server's managers."""
    if code in discord_errors.BLOCKED_WORDS:
        return _("AutoMod blocked a word, probably in a player's name. Exempt this channel or my role from that rule.")
    if code == discord_errors.MISSING_PERMISSIONS:
        return _("I lack a permission, probably *Attach Files*. Allow it in this channel's settings.")
    return _("Discord refused a message (code {code}).", code=code)


@dataclass
class Refusals:
    """The refusals of the last day, by server and reason. The first of each is told once in the table's channel."""

    client: discord.Client
    clock: Clock
    tasks: BackgroundTasks
    language_choice: LanguageChoice

    def __post_init__(self) -> None:
        self._found: dict[tuple[int, int], Refusal] = {}

    def of(self, guild: int) -> list[Refusal]:
        """Return what was refused on a server lately."""
        since = self.clock.now() - REMEMBERED_MS
        self._found = {key: one for key, one in self._found.items() if one.at > since}
        return [one for (place, _code), one in self._found.items() if place == guild]

    def note(self, table: Table, error: Exception, form: Form) -> None:
        """Note that a page of a table was refused and is shown in a simpler form. Does not block."""
        row = table.snapshot.row
        if table.snapshot.practice:
            return
        code, now = discord_errors.code_of(error) or getattr(error, "status", 0), self.clock.now()
        key = row.guild, code
        before = self._found.get(key)
        self._found[key] = Refusal(row.channel, code, form, now)
        if before is None or now - before.at > REMEMBERED_MS:
            self.tasks.spawn(self._tell(table, code), f"refusal-{table.id}")

    async def _tell(self, table: Table, code: int) -> None:
        row = table.snapshot.row
        channel = self.client.get_partial_messageable(row.channel, guild_id=row.guild)
        try:
            with await self.language_choice.for_all(row.guild):
                words = _(
                    "Managers of this server: {why} Until then, tables here look simpler than usual; see `/doctor`.",
                    why=why_refused(code),
                )
            async with table.unasked_call():
                await channel.send(f"-# {words}", silent=True, allowed_mentions=discord.AllowedMentions.none())
        except (*discord_errors.API_ERRORS, StoreError) as error:
            log.warning("table %s: its managers could not be told what Discord refused: %s", table.id, error)
