"""The component router: where every control and every form comes in, and the one way that each takes to its answer.

    dispatch     what was pressed is read and checked, and its verb looked up in one table
    _at_table    the table is found, the visit noted; whatever is raised from here on is told on the presser's cockpit
    _play        a control of a game's own screen: may they, is it fresh, what does it ask for? That is done or shown

Each gets a `Reply` whose clock runs; what nobody expected is answered by the one handler. Controls are read from the
interaction itself, so they work after a restart and on old messages, and nothing hangs on the order of the library's
tasks. Commands and completions come in by `cogs.core.inbound.command_tree`.
"""

import asyncio
import logging
from contextlib import nullcontext

import discord

from cogs.core.inbound.error_handler import answer_error
from cogs.core.inbound.handlers import GlobalCallback, GlobalHandler, Handler, TableHandler
from cogs.core.inbound.player_actions import make_move, not_seated_error, seat_at
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.custom_ids import ComponentPress, parse_press
from cogs.core.pages.game_ui import interpret
from cogs.core.pages.page import Modal, Page
from cogs.core.pages.player_page import BACK
from cogs.core.publishing.player_page_host import TAKEN
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages

log = logging.getLogger(__name__)

GONE = "This table is gone. Open another one with `/play`."

EARLIER = "That button belongs to an earlier moment of the game; nothing was done."


class ComponentRouter:
    """All verbs, and the way to them."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._verbs: dict[str, Handler] = {}
        self.lessons: dict[str, GlobalCallback] = {}  # who serves the games' controls there, by name; else ""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The names of all verbs."""
        return tuple(self._verbs)

    def add(self, *verbs: Handler) -> None:
        """Serve these verbs from now on. Raises ValueError for one that is served already."""
        for verb in verbs:
            if verb.name in self._verbs:
                raise ValueError(f"{verb.name!r} is served already")
            self._verbs[verb.name] = verb

    async def dispatch(self, interaction: discord.Interaction) -> None:
        """Serve a control or a form, and answer in any case. Commands are passed over."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        responder = responder_for(interaction)
        try:
            control = parse_press(interaction.data or {})
            verb = self._verbs.get(control.verb)
            if isinstance(verb, GlobalHandler):
                await verb.serve(interaction, control)
            elif control.lesson:
                await self._lesson(interaction, control)
            else:
                await self._at_table(interaction, verb, control)
        except Exception as error:
            await answer_error(interaction, error)
        await responder.finish()

    async def _lesson(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        """Serve a control of a lesson or a puzzle."""
        serve = self.lessons.get(control.lesson.partition(".")[0]) or self.lessons.get("")
        if serve is None:
            raise UserError(GONE)
        await serve(interaction, control)

    async def _at_table(
        self, interaction: discord.Interaction, verb: TableHandler | None, control: ComponentPress
    ) -> None:
        """Serve a control of a table: by its verb, or by the game's own screen."""
        messages = await self._tables.find(control.table)
        if messages is None:
            if await self._tables.store.tables.get(control.table) is None:
                self._tables.rest_errors.note("unknown")  # Discord sends controls of our own messages only
            raise UserError(GONE)
        user, guild, table = interaction.user.id, interaction.guild_id, messages.table
        # A table is its server's; in direct messages, and where it is practice, it is theirs who sit there.
        private = guild is None or table.snapshot.practice
        if (table.snapshot.seat_of(user) is None) if private else (table.snapshot.row.guild != guild):
            raise UserError(GONE)
        await self._tables.visit(messages, user)
        pages = messages.player_pages(interaction)
        on_table = responder_for(interaction).on_table and (verb is None or not verb.slow)
        answering = messages.message.answering() if on_table else nullcontext()
        with pages.answering(user), answering:
            try:
                if verb is None:
                    await self._play(interaction, messages, control)
                else:
                    if verb.seated:
                        seat_at(messages, user)
                    await verb.serve(interaction, messages, control)
            except StaleControl:
                messages.message.mark_stale()
                await messages.refuse_stale(interaction, EARLIER)
            except UserError as error:
                # Not what they were told: a refusal may name what they hold.
                log.info("interaction %s: told what is wrong", interaction.id)
                await messages.refuse(interaction, error.sentence)

    async def _play(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        """Serve a control of a game's own screen. Raises `StaleControl` for one that means something else by now."""
        table, ui = messages.table, messages.ui
        if control.verb in ui.public_actions and table.snapshot.state is not None:
            await self._public_page(interaction, messages, control)
            return
        seat = table.snapshot.seat_of(interaction.user.id)
        if seat is None:
            raise not_seated_error(messages)
        if table.snapshot.in_lobby:
            raise UserError("The game has not begun.")
        if table.snapshot.row.status == "closed":
            raise UserError(f"This table is closed. Open another one with `/{ui.command} start`.")
        if not table.snapshot.playing:
            raise UserError("This game is over. Press Rematch to play again.")
        view = table.snapshot.view(seat)
        wanted = await asyncio.to_thread(interpret, ui, view, table.snapshot.info(), control)
        if isinstance(wanted, Page):
            await messages.player_pages(interaction).answer(interaction, control, shown=wanted)
        elif isinstance(wanted, Modal):
            await responder_for(interaction).open_modal(wanted, table.id, view.ui_version)
        else:
            # The game may have gone on since: then it is asked once more whether the control is fresh.
            at, fresh = (
                snowflake_time(interaction.id),
                lambda present: present is view or ui.fresh(present, control),
            )
            await make_move(messages, seat, wanted, at, fresh)
            receipt = ui.receipt(wanted, lambda: table.snapshot.view(seat))
            await messages.answer(interaction, "" if receipt is None else f"{TAKEN} {receipt}")

    async def _public_page(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        """Show what anybody may ask to see."""
        table = messages.table
        view = table.snapshot.view(table.snapshot.seat_of(interaction.user.id))
        shown = await asyncio.to_thread(interpret, messages.ui, view, table.snapshot.info(), control)
        assert isinstance(shown, Page), f"{control.verb} is open to all and may only show something"
        if view.seat is not None:
            shown = Page((*shown.blocks, BACK), shown.colour)
        await messages.show(interaction, shown)
