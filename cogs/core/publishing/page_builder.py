"""Builds the pages of a table: its table message, each player's page, and their direct message.

The game's UI draws its part outside the event loop; the table's picture is drawn once for each state.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord
import msgspec

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.timers import Clock
from cogs.core.pages import display_names
from cogs.core.pages.achievements import Badge, earned_blocks
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_ui import GameUI, TableContext, interpret, is_draft
from cogs.core.pages.page import Block, Button, Page, Picture, RenderedPage, Row, Text
from cogs.core.pages.player_page import (
    DIRECT,
    DISCARD_DRAFT,
    REFUSED,
    PageKind,
    PlayerPage,
    away_page,
    back_row,
    go_on_button,
    more_button,
    seat_page,
    table_page,
    with_line,
    with_more,
)
from cogs.core.publishing import absence_pages, agreement_pages, message_links
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.end_of_game import EndOfGame, after_practice, ended_page, rating_blocks, with_ending
from cogs.core.publishing.forms import Form, private_sentence, table_sentence, without_pictures
from cogs.core.publishing.hint_page import HINT, hint_button, hint_page, why_no_hints
from cogs.core.publishing.lobby_pages import closed_page, closed_words, lobby_page, private_page
from cogs.core.publishing.table_pictures import TablePictures
from cogs.core.tables.bots import Hint
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import Seat, View

SAME_DAY_S = 3_600
"""A game with a turn clock up to this is played on one day, so its times are shown without a date."""


@dataclass(eq=False)
class PageBuilder:
    """Builds the pages of all tables. `messages` finds those of a loaded table by its number, and `hint` the hint that
    was asked for on a seat.
    """

    client: discord.Client
    game_uis: Mapping[str, GameUI]
    messages: Callable[[int], EndOfGame | None]
    hint: Callable[[int, Seat], Hint | None]
    covers: Covers
    clock: Clock
    markup: EmojiMarkup
    drawing: DrawingThreads
    pictures: TablePictures
    language_choice: LanguageChoice

    # The table message

    async def table_page(self, table: TableSnapshot, form: Form = Form.FULL) -> RenderedPage:
        """Return what the table message shows, in this form and in the language of the server."""
        with await self.language_choice.for_all(table.row.guild):
            if form >= Form.MARKS:
                table = table.nameless()
            ui, stamp, revision = self.game_uis[table.game.key], 0, table.row.revision
            if table.in_lobby:
                closes = None if table.paused else table.row.due
                messages = self.messages(table.id)
                drawn = None if messages is None else messages.picture_drawn
                page = lobby_page(ui, table, closes, await self.covers.of(table.game.key, drawn))
                page = Page((*page.blocks, *absence_pages.pause_blocks(table)), page.colour)
            elif table.row.status == "closed":
                page = closed_page(ui, table)
                page = Page((*page.blocks, *rating_blocks(table, self.messages(table.id))), page.colour)
                if table.state is not None:
                    page = page.with_board(await self.drawing.run(self.pictures.board(table, table.info()).picture))
            else:
                view, info = table.view(None), table.info()
                stamp, board = view.ui_version, self.pictures.board(table, info)
                finale = self._finale(table) if table.ended else None
                page = await self.drawing.run(lambda: table_page(ui, view, info, finale or board.picture()))
                if table.playing:
                    play = Row((Button(_("Play"), "hand", style="primary"), more_button()))
                    page = Page((*page.blocks, play, *absence_pages.absence_blocks(table)), page.colour)
                else:
                    page = with_ending(page, table, ui, self.messages(table.id))
            if form:
                text = None if table.state is None else lambda: ui.text(table.view(None), table.info())
                page = table_sentence(table) if form is Form.SENTENCE else without_pictures(page, text)
            return RenderedPage(self.markup.page(page), stamp, revision)

    def _finale(self, table: TableSnapshot) -> Picture | None:
        """Return the animated end of a game, once it is over and that is drawn."""
        messages = self.messages(table.id) if table.row.status == "over" else None
        return None if messages is None else self.pictures.finale(table, messages.picture_drawn)

    # Private pages

    async def player_page(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        form: Form = Form.FULL,
        kind: PageKind = PageKind.ANSWER,
    ) -> PlayerPage:
        """Return a player's page in their language: the game, or the page that `look` opened as far as it is still
        valid (`shown`, if that is known), with a line about what they just did.
        """
        with await self.language_choice.for_reader(user, None if table.practice else table.row.guild):
            if form >= Form.MARKS:
                table, shown = table.nameless(), None
            ui, seat = self.game_uis[table.game.key], table.seat_of(user)
            direct = kind in DIRECT
            over = table.row.status == "over" and not (table.practice or direct) and look is None and shown is None
            if over or table.state is None or seat is None or table.row.status == "closed":
                found = self._page_outside_game(table, ui, user, look, line, kind)
            else:
                achieved = self._achieved(table, user, kind) if direct else ()
                found = await self._page_at_game(table, ui, seat, look, line, shown, kind, achieved)
            page = found.page
            if form:
                text = None if seat is None or table.state is None else partial(ui.text, table.view(seat), table.info())
                page = private_sentence(found.line) if form is Form.SENTENCE else without_pictures(page, text)
            found = replace(found, page=self.markup.page(page), tells=found.tells and not form)
            return self._headed(table, found) if direct else found

    async def _page_at_game(
        self,
        table: TableSnapshot,
        ui: GameUI,
        seat: Seat,
        look: ComponentPress | None,
        line: str,
        shown: Page | None,
        kind: PageKind,
        achieved: tuple[Badge, ...],
    ) -> PlayerPage:
        """Return the page of a player at a game that has begun."""
        # All of it is taken before the game goes on meanwhile.
        view, public, info = table.view(seat), table.view(None), table.info()
        away = table.playing and table.seats[seat].caretaker and not table.asleep  # a computer plays on
        awaited = kind in DIRECT and table.awaits(seat) and not away
        rests = kind is PageKind.RESTING and table.playing and not table.practice and not awaited
        if rests:
            info = replace(info, due=None, still=True)
        board, finale = self.pictures.board(table, info), None
        if table.practice and table.ended:
            finale = self._finale(table)
        hint = self.hint(table.id, seat) if look is not None and look.verb == HINT else None

        def work() -> tuple[Page, Page | None, str, str]:
            page, missed, key = shown, "", ""
            if look is not None and shown is None:
                page = _opened_page(ui, view, info, look) if hint is None else hint_page(ui, view, info, hint)
                missed = _lost_draft_line(ui, view, look) if page is None else ""
            if kind in DIRECT:
                key = _key(table, public if away else view, public, awaited, _asked(table, seat, achieved, finale))
            if away and page is None:
                return away_page(ui, public, info, board.picture), page, key, missed
            back = back_row(DISCARD_DRAFT) if is_draft(ui, look) else back_row()
            return seat_page(ui, view, info, finale or board.picture, page, back), page, key, missed

        page, shown, key, missed = await self.drawing.run(work)
        line = "\n".join(filter(None, (line, missed)))
        notes: list[Block] = []
        if shown is None:
            # Who is asked something finds the button to everything else behind the question: so the page is no taller.
            asked = table.row.agreements is not None and agreement_pages.asked(table, seat)
            more = agreement_pages.answer_button() if asked else more_button()
            look, page = None, _with_ways_on(page, table, ui, info, None if away else view, more, rests=rests)
            # A direct message has no channel to share an achievement in.
            notes = absence_pages.absence_blocks(table, seat) if table.playing else earned_blocks(achieved, share=False)
        page = Page((*with_line(page.blocks, line, first=kind is PageKind.BESIDE), *notes), ui.colour)
        tells = bool(achieved and notes)
        return PlayerPage(page, view.ui_version, look, key, rests=rests, line=line, tells=tells)

    def _page_outside_game(
        self, table: TableSnapshot, ui: GameUI, user: int, look: ComponentPress | None, line: str, kind: PageKind
    ) -> PlayerPage:
        """Return what a person sees of a table without playing: in the lobby, after the end, or without a seat."""
        seat, blocks, leads = table.seat_of(user), list[Block](), False
        achieved = self._achieved(table, user, PageKind.ANSWER)
        if table.in_lobby and (table.row.opener == user or seat is not None or not line):
            page, leads = private_page(ui, table, user, None if look is None else look.verb)
            blocks += page.blocks
        elif table.row.status == "closed":
            blocks += (Text(closed_words(table)), *absence_pages.final_places(table))
        elif table.row.status == "over" and seat is not None and table.state is not None:
            blocks += ended_page(table, ui, seat, earned_blocks(achieved, share=True)).blocks
        elif not line:
            words = _(
                "The game at table {table} has started without you. `/play` finds or opens another.", table=table.id
            )
            blocks.append(Text(words))
        page = Page(with_line(blocks, line, first=kind is PageKind.BESIDE), ui.colour)
        return PlayerPage(page, 0, look if leads else None, line=line, tells=bool(achieved))

    def _achieved(self, table: TableSnapshot, user: int, kind: PageKind) -> tuple[Badge, ...]:
        """Return what such a page tells a user of what they have newly achieved in a finished game."""
        messages = self.messages(table.id) if table.row.status == "over" else None
        return () if messages is None else messages.news.of(user, "message" if kind in DIRECT else "page")

    def _headed(self, table: TableSnapshot, found: PlayerPage) -> PlayerPage:
        """Return a direct message under the heading that names the table, and how old it is if it rests."""
        return found.with_page(Page((self._head(table, found.rests), *found.page.blocks), found.page.colour))

    def _head(self, table: TableSnapshot, rests: bool) -> Text:
        if table.practice:
            return Text(f"### {game_title(table.game)}\n-# {_('Practice, unrated · table {table}', table=table.id)}")
        messages = self.messages(table.id)
        link = message_links.address(table.row, table.row.message) if messages is None else messages.link()
        where = message_links.table_link(table.id, link)
        guild = self.client.get_guild(table.row.guild)
        server = _("the server")
        if guild is not None:
            server = display_names.escape(guild.name, display_names.MAX_SERVER_LENGTH)
        clock, now = table.options.clock, self.clock.now() // 1_000
        when = f"<t:{now}:t>" if 0 < clock <= SAME_DAY_S else f"<t:{now}:f>"
        updated = f" · {_('last updated {when}', when=when)}" if rests else ""
        return Text(f"### {game_title(table.game)}\n-# {server} · {where}{updated}")


def _key(table: TableSnapshot, view: View, public: View, awaited: bool, asked: str) -> str:
    """Return a key of what the reader of a view must be told: that it is their move, that they are asked whether they
    are ready, their secrets, and what else they are `asked`; in practice everything, since there is no table message.
    """
    own = msgspec.structs.asdict(view)
    secret = {name: value for name, value in own.items() if value != getattr(public, name)}
    moment = table.version if table.practice else view.ui_version if awaited else None
    facts: tuple[object, ...] = (table.row.status, moment, secret)
    return hashlib.sha256(msgspec.json.encode((*facts, asked) if asked else facts)).hexdigest()[:16]


def _asked(table: TableSnapshot, seat: Seat, achieved: tuple[Badge, ...], finale: Picture | None) -> str:
    """Return what names all that a player is asked or told besides the game."""
    warned = "w" if agreement_pages.warning_note(table, seat) else ""
    asked = ".".join(filter(None, (warned, agreement_pages.asked(table, seat))))
    if achieved:
        asked = "+".join([asked, *(one.achievement.name for one in achieved)])
    return asked if finale is None else f"{asked}+finale"


def _lost_draft_line(ui: GameUI, view: Any, look: ComponentPress) -> str:
    """Return the line for somebody who had begun something on a page that leads nowhere any more."""
    words = ui.lost_draft_text(view, look) if is_draft(ui, look) else ""
    return words and f"{REFUSED} {words}"


def _with_ways_on(
    page: Page, table: TableSnapshot, ui: GameUI, info: TableContext, view: View | None, more: Button, *, rests: bool
) -> Page:
    """Return a seat's page with the buttons below it that lead elsewhere, `more` as the last; no `view`: a computer
    plays for them.
    """
    if table.practice and not table.playing:
        return Page((*page.blocks, *after_practice(table, reviewed=ui.review is not None)), page.colour)
    if rests:  # what could be pressed there may mean nothing any more
        return Page((*page.without_controls().blocks, Row((go_on_button(), more))), page.colour)
    if view and view.seat in view.to_act and ui.hint_at_hand(view, info) and not why_no_hints(info):
        page = with_more(page, hint_button())
    return with_more(page, more)


def _opened_page(ui: GameUI, view: Any, info: TableContext, look: ComponentPress) -> Page | None:
    """Return the page to which a control led, as it is now; None where it leads nowhere any more."""
    try:
        shown = interpret(ui, view, info, look)
    except (StaleControl, UserError):
        return None
    return shown if isinstance(shown, Page) else None
