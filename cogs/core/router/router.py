"""The router: where every control and every form comes in.

Each gets a `Reply` whose clock runs, its values are checked at the border, its verb is looked up in one table, and what
is raised on the way is answered by the one handler. Controls are read from the interaction itself, so they work after a
restart and on old messages, and nothing hangs on the order of the library's tasks. Commands and completions come in by
`cogs.core.router.tree`. May import discord, `engine.contract` and its neighbours in `cogs.core`.
"""

import logging
from collections.abc import Awaitable, Callable

import discord

from cogs.core.errors import UserError
from cogs.core.router.border import read_control
from cogs.core.router.custom_ids import Control
from cogs.core.router.errors import answer_error, make_sure
from cogs.core.router.reply import reply_to
from cogs.core.router.verbs import GeneralVerb, ServesGeneral, ServesTable, TableVerb, Verb
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables
from engine.contract import Seat

log = logging.getLogger(__name__)

Tells = Callable[[discord.Interaction, TableSession, str], Awaitable[None]]
"""Tells the presser of a control why nothing was done at a table."""

GONE = "This table is gone. Open a new one with its game's start command."


class Router:
    """All verbs, and the way to them. `game` serves the controls of the games' own screens, and `tell` tells somebody
    at a table why nothing was done.
    """

    def __init__(self, tables: Tables, game: ServesTable, tell: Tells) -> None:
        self._tables = tables
        self._game = game
        self._tell = tell
        self._verbs: dict[str, Verb] = {}
        self.lessons: dict[str, ServesGeneral] = {}  # who serves the games' controls there, by name; else ""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The names of all verbs."""
        return tuple(self._verbs)

    def add(self, *verbs: Verb) -> None:
        """Serve these verbs from now on. Raises ValueError for one that is served already."""
        for verb in verbs:
            if verb.name in self._verbs:
                raise ValueError(f"{verb.name!r} is served already")
            self._verbs[verb.name] = verb

    async def receive(self, interaction: discord.Interaction) -> None:
        """Serve a control or a form, and answer in any case. Commands are passed over."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        reply_to(interaction)
        try:
            await self._press(interaction, read_control(interaction))
        except Exception as error:
            await answer_error(interaction, error)
        await make_sure(interaction)

    async def _press(self, interaction: discord.Interaction, control: Control) -> None:
        verb = self._verbs.get(control.verb)
        if isinstance(verb, GeneralVerb):
            await verb.serve(interaction, control)
            return
        if control.lesson:
            serve = self.lessons.get(control.lesson.partition(".")[0]) or self.lessons.get("")
            if serve is None:
                raise UserError(GONE)
            await serve(interaction, control)
            return
        session = await self._tables.session(control.table)
        if session is None and await self._tables.store.tables.get(control.table) is None:
            self._tables.traffic.note("unknown")  # Discord sends controls of our own messages only
        if session is None or not _here(interaction, session):
            raise UserError(GONE)
        await self._tables.visit(session, interaction.user.id)
        with session.cockpits(interaction).serving(interaction.user.id):
            await self._serve(interaction, session, verb, control)

    async def _serve(
        self, interaction: discord.Interaction, session: TableSession, verb: TableVerb | None, control: Control
    ) -> None:
        try:
            if verb is None:
                await self._game(interaction, session, control)
                return
            if verb.seated:
                seat_at(session, interaction.user.id)
            await verb.serve(interaction, session, control)
        except UserError as error:
            # Not what they were told: a refusal may name what they hold.
            log.info("interaction %s: told what is wrong", interaction.id)
            await self._tell(interaction, session, error.sentence)


def _here(interaction: discord.Interaction, session: TableSession) -> bool:
    """Say whether a table may be asked from where this was pressed: its server, or the direct messages of somebody who
    sits there; practice from wherever whoever practises is.
    """
    if interaction.guild_id is None or session.table.practice:
        return session.table.seat_of(interaction.user.id) is not None
    return session.table.row.guild == interaction.guild_id


def seat_at(session: TableSession, user: int) -> Seat:
    """Return the seat of a user at a table. Raises `UserError` if they have none."""
    seat = session.table.seat_of(user)
    if seat is None:
        raise UserError(
            f"You do not sit at table {session.table.id}, so its buttons are not yours. "
            f"Open a table of your own with `/{session.screen.command} start`."
        )
    return seat
