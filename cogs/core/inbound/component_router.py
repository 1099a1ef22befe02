"""The component router: where every control and every form comes in, and the one way that each takes to its answer.
Controls are read from the interaction itself, so they work after a restart and on old messages.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import nullcontext

from cogs.core.i18n.translation import N_, _, public_label
from cogs.core.inbound.command_tree import client_of
from cogs.core.inbound.error_handler import ErrorHandler
from cogs.core.inbound.player_page_handlers import show_public_page
from cogs.core.inbound.request import GlobalCallback, GlobalHandler, Handler, Request, TableHandler, TableRequest
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.pages.custom_ids import ComponentPress, parse_press
from cogs.core.pages.game_ui import interpret
from cogs.core.pages.page import Modal, Page
from cogs.core.publishing.responder import Responder
from data.store import Store

log = logging.getLogger(__name__)

GONE = N_("This table is gone. `/play` opens a new one.")

EARLIER = N_("The game has moved on, so nothing was done.")
COUNTED = N_("That's already done: your move was made.")
"""What a press of an earlier moment is told, and one that Discord delivered again after it was done."""


class ComponentRouter:
    """All verbs, and the way to them."""

    def __init__(self, store: Store, finder: TableFinder, errors: ErrorHandler, rest_errors: RestErrors) -> None:
        self._store = store
        self._finder = finder
        self._errors = errors
        self._rest_errors = rest_errors
        self._handlers: dict[str, Handler] = {}
        self._lessons: dict[str, GlobalCallback] = {}  # who serves the games' controls there, by name; else ""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The names of all verbs."""
        return tuple(self._handlers)

    def add(self, *handlers: Handler) -> None:
        """Serve the verbs of these handlers from now on. Raises ValueError for one that is served already."""
        for handler in handlers:
            if handler.name in self._handlers:
                raise ValueError(f"{handler.name!r} is served already")
            self._handlers[handler.name] = handler

    def add_handler(self, verb: str, serve: GlobalCallback) -> None:
        """Register a cog's handler of a verb, at any table and outside of tables."""
        self.add(GlobalHandler(verb, serve))

    def add_lesson_handler(self, serve: GlobalCallback, names: Iterable[str] = ("",)) -> None:
        """Register a cog's handler of all controls in lessons or puzzles of these names; by default in all others."""
        self._lessons |= dict.fromkeys(names, serve)

    async def dispatch(self, responder: Responder) -> None:
        """Serve a control or a form, and answer in any case."""
        try:
            control = parse_press(responder.interaction.data or {})
            handler = self._handlers.get(control.verb)
            if isinstance(handler, GlobalHandler):
                await handler.serve(Request(responder, control))
                await self._finder.note_presence(control.table, responder.user)
            elif control.lesson:
                await self._lesson(Request(responder, control))
            else:
                await self._at_table(responder, control, handler)
        except Exception as error:
            await self._errors.answer(responder, error)
        await responder.finish()

    async def _lesson(self, request: Request) -> None:
        """Serve a control of a lesson or a puzzle."""
        serve = self._lessons.get(request.control.lesson.partition(".")[0]) or self._lessons.get("")
        if serve is None:
            raise UserError(_(GONE))
        await serve(request)

    async def _at_table(self, responder: Responder, control: ComponentPress, handler: TableHandler | None) -> None:
        """Serve a control of a table: by its handler, or by the game's UI."""
        messages = await self._finder.find(control.table)
        if messages is None:
            if await self._store.tables.get(control.table) is None:
                self._rest_errors.count_unknown(responder.user)  # Discord sends controls of our own messages only
            raise UserError(_(GONE))
        request = TableRequest(responder, messages, control)
        user, guild, table = request.user.id, request.interaction.guild_id, messages.table
        # A table is its server's; in direct messages, and where it is practice, it is theirs who sit there.
        private = guild is None or table.snapshot.practice
        if (table.snapshot.seat_of(user) is None) if private else (table.snapshot.row.guild != guild):
            raise UserError(_(GONE))
        await self._finder.visit(messages, user)
        on_table = responder.on_table and (handler is None or not handler.slow)
        answering = messages.message.answering() if on_table else nullcontext()
        with request.pages.answering(user), answering:
            try:
                if handler is None:
                    await self._play(request)
                else:
                    if handler.seated:
                        request.require_seat()
                    await handler.serve(request)
            except StaleControl:
                if responder.on_table:
                    messages.message.mark_stale()
                await request.refuse_stale(_(COUNTED if await self._is_done(request) else EARLIER))
            except UserError as error:
                # Not what they were told: a refusal may name what they hold.
                log.info("interaction %s: told what is wrong", request.interaction.id)
                await request.refuse(error.sentence)

    async def _is_done(self, request: TableRequest) -> bool:
        """Return True if what was pressed has been done already: by the same press, before a restart of the bot. It is
        known by its moment, so that must not be the moment of another press since the restart.
        """
        seat, this = request.seat, request.interaction.id
        if any(other >> 22 == this >> 22 for other in client_of(request.interaction).received if other != this):
            return False
        done = await self._store.games.decisions(request.table.id)
        return seat is not None and any(one.seat == seat and one.at == request.at for one in done)

    async def _play(self, request: TableRequest) -> None:
        """Serve a control of a game's UI. Raises `StaleControl` for one that means something else by now."""
        table, ui, control = request.table, request.ui, request.control
        if control.verb in ui.public_actions and table.snapshot.state is not None:
            await show_public_page(request, control)
            return
        seat = request.require_seat()
        if table.snapshot.in_lobby:
            raise UserError(_("The game hasn't started."))
        if table.snapshot.row.status == "closed":
            raise UserError(_("This table is closed. `/{command} start` opens a new one.", command=ui.command))
        if not table.snapshot.playing:
            raise UserError(_("This game is over. Press *{rematch}* to play again.", rematch=public_label("Rematch")))
        view = table.snapshot.view(seat)
        info = table.snapshot.info()
        if control.verb in ui.draft_actions:  # a page with pictures; everything else takes microseconds
            wanted = await asyncio.to_thread(interpret, ui, view, info, control)
        else:
            wanted = interpret(ui, view, info, control)
        if isinstance(wanted, Page):
            await request.show_player_page(control, shown=wanted)
        elif isinstance(wanted, Modal):
            await request.responder.open_modal(wanted, table.id, view.ui_version)
        else:
            # The game may have gone on since: then it is asked once more whether the control is fresh.
            line = await request.move(seat, wanted, lambda present: present is view or ui.fresh(present, control))
            await request.answer(line)
