"""Handlers for private pages: the player's page at a table, hints and everything else about a table."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from cogs.core.i18n.translation import _
from cogs.core.inbound.command_validation import number
from cogs.core.inbound.request import GlobalHandler, Handler, Request, TableHandler, TableRequest
from cogs.core.inbound.spectators import Spectators
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.achievements import TELL
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import available_moves_text, interpret
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.pages.player_page import DISCARD_DRAFT, back_row
from cogs.core.publishing.agreement_pages import by_agreement_button
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.end_of_game import only_for_players
from cogs.core.publishing.hint_page import DO, HINT, RANKED, hint_button, hint_page, why_no_hints
from cogs.core.tables import endings
from cogs.core.tables.bots import Bots, Hint
from cogs.core.tables.moves import check_playing
from cogs.core.tables.options import options_lines
from cogs.core.tables.settings import NOTIFY_LABELS, Notify, Preferences, notify_text
from engine.contract import Seat


def notify_page(now: Notify, colour: int, verb: str = "notify") -> Page:
    """Return the page on which a user chooses how to be notified of their turn. `verb` serves its buttons."""
    buttons = tuple(
        Button(_(label), verb, how, style="success" if how == now else "secondary")
        for how, label in NOTIFY_LABELS.items()
    )
    heading = _("### When it's your turn")
    achievements = Row((Button(_("Achievements …"), TELL),))
    return Page((Text(f"{heading}\n{notify_text(now)}"), Row(buttons), achievements), colour)


@dataclass(eq=False)
class PlayerPageHandlers:
    """Shows pages privately."""

    finder: TableFinder
    preferences: Preferences
    bots: Bots
    drawing: DrawingThreads
    spectators: Spectators

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (
            GlobalHandler("repost", self._repost),
            TableHandler("hand", self._open_page),
            TableHandler("more", self._more),
            TableHandler("what", self._what, seated=True),
            TableHandler("text", show_text),
            TableHandler("fair", self._fairness),
            TableHandler("notify", self._notify, seated=True),
            TableHandler(HINT, self._hint, seated=True, slow=True),
            TableHandler(DO, self._follow_hint, seated=True),
        )

    # Of a table

    async def _open_page(self, request: TableRequest) -> None:
        if request.seat is None and request.snapshot.playing:
            await self.spectators.show(request)
            return
        table, named = request.table, bool(request.control.argument)
        on_table, seat = request.responder.on_table, request.require_seat()
        if named and on_table and table.snapshot.playing and not table.snapshot.may_act(seat):
            raise UserError(table.snapshot.info().not_yours(table.snapshot.view(None).to_act))
        discards = request.control.argument.partition(".")[0] == DISCARD_DRAFT
        await request.pages.resume(request.responder, discard_draft=discards)

    async def _more(self, request: TableRequest) -> None:
        await request.show(Page(tuple(_more_blocks(request)), request.ui.colour))

    async def _what(self, request: TableRequest) -> None:
        seat = request.require_seat()
        check_playing(request.snapshot)
        view, info = request.snapshot.view(seat), request.snapshot.info()
        legal = request.snapshot.legal
        words = await asyncio.to_thread(lambda: available_moves_text(request.ui, view, info, legal(seat)))
        words += f"\n-# {_(RANKED)}" if info.ranked else ""
        await _show_words(request, words)

    async def _fairness(self, request: TableRequest) -> None:
        info = request.snapshot.info()
        if request.snapshot.state is None:
            raise UserError(_("The game hasn't started."))
        if info.seed is not None:
            words = _(
                "The secret seed was `{seed}`; its SHA-256 is `{hash}`. `/verify` proves that the game was fair.",
                seed=info.seed,
                hash=info.commitment,
            )
        else:
            words = _(
                "Everything random in this game comes from one secret seed. Its SHA-256 is `{hash}`. The seed is shown "
                "after the game; then `/verify` proves every shuffle, deal and roll.",
                hash=info.commitment,
            )
        heading = _("### Fairness")
        await _show_words(request, f"{heading}\n{words}")

    async def _notify(self, request: TableRequest) -> None:
        user = request.user.id
        chosen = next((how for how in get_args(Notify) if how == request.control.argument), None)
        if chosen is not None:
            await self.preferences.change(user, chosen)
        page = notify_page(await self.preferences.of(user), request.ui.colour)
        await request.show(Page((*page.blocks, back_row()), page.colour))

    # Hints: what a strong player would do in somebody's place, and doing it

    async def _hint(self, request: TableRequest) -> None:
        """Show a hint. Raises `StaleControl` where the game goes on faster than it is thought of."""
        seat = request.require_seat()
        hint = await self._find_hint(request, seat)
        if request.snapshot.view(seat) != hint.view:  # somebody has moved meanwhile
            hint = await self._find_hint(request, seat)
        view, info = request.snapshot.view(seat), request.snapshot.info()
        if view != hint.view:
            raise StaleControl
        page = await self.drawing.run(hint_page, request.ui, view, info, hint)
        await request.show_player_page(request.control, shown=page)

    async def _follow_hint(self, request: TableRequest) -> None:
        """Do what a hint says. Raises `StaleControl` unless it is still the hint for what the asker sees."""
        seat = request.require_seat()
        hint = await self._find_hint(request, seat)
        if hint.action is None or hint.mark != request.control.argument:
            raise StaleControl
        await request.answer(await request.move(seat, hint.action, lambda view: view == hint.view))

    async def _find_hint(self, request: TableRequest, seat: Seat) -> Hint:
        """Return the hint for a seat. Raises `UserError` where none are given."""
        check_playing(request.snapshot)
        if why_not := why_no_hints(request.snapshot.info()):
            raise UserError(why_not)
        if not request.snapshot.may_act(seat):
            raise UserError(_("You have nothing to do right now, so there's no hint."))
        return await self.bots.of(request.table).hint(seat)

    # Without a table at hand

    async def _repost(self, request: Request) -> None:
        table = number(request.control.argument)
        messages = None if table is None else await self.finder.find(table)
        if messages is None or messages.table.snapshot.row.guild != request.interaction.guild_id:
            raise UserError(_("That table is gone."))
        request.at_table(messages).require_seat()
        await self.finder.visit(messages, request.user.id)
        if messages.table.snapshot.row.status == "closed":
            raise UserError(_("Table {table} has already ended.", table=messages.table.id))
        if (before := messages.hidden_rematch_of) is not None:
            raise UserError(only_for_players(before))
        messages.message.repost()
        words = _("Table {table} is posted again below.", table=messages.table.id)
        await request.responder.show(Page((Text(words),), messages.ui.colour))


def _more_blocks(request: TableRequest) -> Iterator[Block]:
    """Yield the page behind *More …*."""
    table, seat = request.table, request.seat
    options = "\n".join(f"-# {line}" for line in options_lines(table.game, table.snapshot.options))
    heading = _("### Table {table}: {game}", table=table.id, game=request.ui.title)
    yield Text(f"{heading}\n{options}")
    asking = [Button(_("Rules"), "rules", request.ui.game.key)]
    if table.snapshot.state is not None:
        asking.append(Button(_("Text view"), "text"))
    if table.snapshot.state is not None and not table.snapshot.practice:
        asking.append(Button(_("Fairness"), "fair"))
    if seat is not None and table.snapshot.playing:
        what = (Button(_("What can I do?"), "what"),)
        hint = hint_button(urgent=table.snapshot.may_act(seat))
        yield Row(what if why_no_hints(table.snapshot.info()) else (hint, *what))
    if seat is not None and not table.snapshot.practice:
        asking.append(Button(_("Notify me …"), "notify"))
    yield Row(tuple(asking))
    if seat is None:
        if table.snapshot.playing:
            yield Row((Button(_("Watch …"), "hand", style="primary"),))
        return
    going = []
    if table.snapshot.state is not None:
        going.append(Button(_("◀ Back to the game"), "hand", "back", style="primary"))
    if table.snapshot.playing and table.snapshot.seats[seat].caretaker:
        going.append(Button(_("I'm back"), "back", style="success"))
    elif table.snapshot.playing:
        leave = _("End the game") if table.snapshot.practice else _("Leave")
        going.append(Button(leave, "leave", style="danger"))
        if request.ui.resign is not None and not table.snapshot.practice:
            going.append(request.ui.resign)
        if not table.snapshot.alone and seat in endings.voters(table.snapshot.seats):
            going.append(by_agreement_button())
    if going:
        yield Row(tuple(going))


async def _show_words(request: TableRequest, words: str) -> None:
    """Show words in place of the asker's page, with the way back to it."""
    blocks: tuple[Block, ...] = (Text(words), back_row()) if request.seat is not None else (Text(words),)
    await request.show(Page(blocks, request.ui.colour))


async def show_text(request: TableRequest) -> None:
    """Show the board as text to the one who asked: their own view if they sit here, else the public one. Raises
    `UserError` before the game has begun.
    """
    if request.snapshot.state is None:
        raise UserError(_("The game hasn't started."))
    view = request.snapshot.view(request.seat)
    body = await asyncio.to_thread(request.ui.text, view, request.snapshot.info())
    await _show_words(request, f"```\n{body}\n```")


async def show_public_page(request: TableRequest, control: ComponentPress) -> None:
    """Show what anybody may ask to see: the page to which one of the game's `public_actions` leads."""
    view = request.snapshot.view(request.seat)
    shown = await asyncio.to_thread(interpret, request.ui, view, request.snapshot.info(), control)
    assert isinstance(shown, Page), f"{control.verb} is open to all and may only show something"
    if view.seat is not None:
        shown = Page((*shown.blocks, back_row()), shown.colour)
    await request.show(shown)
