"""Builds the pages of a table: its table message, each player's page, and their direct message.

The game's UI draws its part outside the event loop; the table's picture is drawn once for each state.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
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
    DISCARD_DRAFT,
    RESTING,
    PlayerPage,
    away_page,
    back_row,
    more_button,
    seat_page,
    table_page,
    with_line,
    with_more,
)
from cogs.core.publishing import absence_pages, agreement_pages, message_links
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.board_pictures import BoardPictures
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.end_of_game import EndOfGame, after_practice, ended_page, rating_blocks, with_ending
from cogs.core.publishing.finales import Finales
from cogs.core.publishing.forms import Form, private_sentence, table_sentence, without_pictures
from cogs.core.publishing.hint_page import HINT, hint_button, hint_page, why_no_hints
from cogs.core.publishing.lobby_pages import closed_page, closed_words, lobby_page, private_page
from cogs.core.publishing.player_page_host import REFUSED
from cogs.core.tables.bots import Hint
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.snapshot import TableSnapshot
from data.store.progress import ToldBy
from engine.contract import Seat, View

SAME_DAY_S = 3_600
"""A game with a turn clock up to this is played on one day, so its times are shown without a date."""


class PageBuilder:
    """Builds the pages of all tables. `messages` finds those of a loaded table by its number, and `hint` the hint that
    was asked for on a seat.
    """

    def __init__(
        self,
        client: discord.Client,
        game_uis: Mapping[str, GameUI],
        messages: Callable[[int], EndOfGame | None],
        hint: Callable[[int, Seat], Hint | None],
        covers: Covers,
        clock: Clock,
        markup: EmojiMarkup,
        drawing: DrawingThreads,
        finales: Finales,
        language_choice: LanguageChoice,
    ) -> None:
        self._client = client
        self._clock = clock
        self._game_uis = game_uis
        self._messages = messages
        self._known_hint = hint
        self._covers = covers
        self._markup = markup
        self._draw = drawing.run
        self._finales = finales
        self._languages = language_choice
        self.boards = BoardPictures(game_uis)

    def _finale(self, table: TableSnapshot) -> Picture | None:
        """Return the animated end of a game, once it is over and that is drawn."""
        messages = self._messages(table.id) if table.row.status == "over" else None
        return None if messages is None else self._finales.of(table, messages.finale_drawn)

    # The table message

    async def table_page(self, table: TableSnapshot, form: Form = Form.FULL) -> RenderedPage:
        """Return what the table message shows, in this form and in the language of the server."""
        with await self._languages.for_all(table.row.guild):
            return await self._table_page(table, form)

    async def _table_page(self, table: TableSnapshot, form: Form) -> RenderedPage:
        if form >= Form.MARKS:
            table = table.nameless()
        ui, stamp, revision = self._game_uis[table.game.key], 0, table.row.revision
        if table.in_lobby:
            closes = None if table.paused else table.row.due
            page = lobby_page(ui, table, closes, await self._covers.of(table.game.key))
            page = Page((*page.blocks, *absence_pages.pause_blocks(table)), page.colour)
        elif table.row.status == "closed":
            page = closed_page(ui, table)
            page = Page((*page.blocks, *rating_blocks(table, self._messages(table.id))), page.colour)
            if table.state is not None:
                page = page.with_board(await self._draw(self.boards.of(table, table.info()).picture))
        else:
            view, info = table.view(None), table.info()
            stamp, board, finale = view.ui_version, self.boards.of(table, info), self._finale(table)
            page = await self._draw(lambda: table_page(ui, view, info, finale or board.picture()))
            if table.row.status == "over":
                page = with_ending(page, table, ui, self._messages(table.id))
            else:
                play = Row((Button(_("Play"), "hand", style="primary"), more_button()))
                notice = () if table.notice is None else (Text(f"-# {table.notice}"),)
                page = Page((*page.blocks, play, *absence_pages.absence_blocks(table), *notice), page.colour)
        if form:
            text = None if table.state is None else lambda: ui.text(table.view(None), table.info())
            page = table_sentence(table) if form is Form.SENTENCE else without_pictures(page, text)
        return RenderedPage(self._markup.page(page), stamp, revision)

    # Private pages

    async def player_page(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        form: Form = Form.FULL,
        *,
        from_table: bool = False,
    ) -> PlayerPage:
        """Return a player's page in their language: the game, or the page that `look` opened as far as it is still
        valid (`shown`, if that is known), with a line about what they just did. The line comes above the controls, or
        first of all if they pressed on the table message above.
        """
        with await self._languages.for_reader(user):
            return await self._player_page(table, user, look, line, shown, form, from_table=from_table)

    async def _player_page(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None,
        line: str,
        shown: Page | None,
        form: Form,
        *,
        from_table: bool = False,
        keyed: bool = False,
        rests: bool = False,
    ) -> PlayerPage:
        """See `player_page`. `keyed`: with a key of what the reader must be told. `rests`: without a clock, unless it
        is their move.
        """
        if form >= Form.MARKS:
            table, shown = table.nameless(), None
        seat, ui = table.seat_of(user), self._game_uis[table.game.key]
        ended = table.row.status == "over" and not table.practice and not keyed and look is None and shown is None
        if ended or table.state is None or seat is None or table.row.status == "closed":
            achieved = self._achieved(table, user, "page")
            body, look = self._page_outside_game(table, ui, user, look, bool(line), achieved)
            page = Page(with_line(body.blocks, line, first=from_table), ui.colour)
            if form:
                page = private_sentence(line) if form is Form.SENTENCE else without_pictures(page)
            return PlayerPage(self._markup.page(page), 0, look, line=line, tells=bool(achieved) and not form)
        # All of it is taken before the game goes on meanwhile.
        view, public, info, status = table.view(seat), table.view(None), table.info(), table.row.status
        at = table.version if table.practice else None  # there is no table message beside it
        away_from = table.playing and table.seats[seat].caretaker and not table.asleep  # a computer plays on
        awaited = keyed and table.awaits(seat) and not away_from
        rests = rests and table.playing and not table.practice and not awaited
        board, finale = self.boards.of(table, info), self._finale(table) if table.practice else None
        if rests:
            info = replace(info, due=None, still=True)
        told = keyed and (table.row.agreements is not None or bool(table.lapsed))
        asked = agreement_pages.asked(table, seat) if told else ""
        achieved = self._achieved(table, user, "message") if keyed else ()
        if achieved:
            asked = "+".join([asked, *(one.achievement.name for one in achieved)])
        if finale is not None:
            asked += "+finale"
        hint = self._known_hint(table.id, seat) if look is not None and look.verb == HINT else None

        def work() -> tuple[Page, Page | None, str, str]:
            page, missed = shown, ""
            if look is not None and shown is None:
                page = _opened_page(ui, view, info, look) if hint is None else hint_page(ui, view, info, hint)
                missed = _lost_draft_line(ui, view, look) if page is None else ""
            key = _key(status, public if away_from else view, public, awaited, at, asked) if keyed else ""
            back = back_row(DISCARD_DRAFT) if is_draft(ui, look) else back_row()
            if away_from and page is None:
                return away_page(ui, public, info, board.picture), page, key, missed
            return seat_page(ui, view, info, finale or board.picture, page, back), page, key, missed

        page, shown, key, missed = await self._draw(work)
        line = "\n".join(filter(None, (line, missed)))
        if shown is None:
            page = _with_ways_on(page, table, ui, info, None if away_from else view, rests=rests)
            look = None
        notes: tuple[Block, ...] = ()
        if shown is None and table.playing:
            notes = tuple(absence_pages.absence_blocks(table, seat))
        elif shown is None:
            notes = tuple(earned_blocks(achieved, share=False))  # a direct message has no channel to share it in
        blocks = with_line(page.blocks, line, first=from_table) if line else page.blocks
        page = Page((*blocks, *notes), ui.colour)
        if form:
            text = partial(ui.text, view, info)
            page = private_sentence(line) if form is Form.SENTENCE else without_pictures(page, text)
        key = RESTING + key if rests else key
        tells = bool(achieved) and bool(notes) and not form
        return PlayerPage(self._markup.page(page), view.ui_version, look, key, rests=rests, line=line, tells=tells)

    def _page_outside_game(
        self,
        table: TableSnapshot,
        ui: GameUI,
        user: int,
        look: ComponentPress | None,
        has_line: bool,
        achieved: tuple[Badge, ...],
    ) -> tuple[Page, ComponentPress | None]:
        """Return what a person sees of a table without playing: in the lobby, after the end, or without a seat."""
        seat = table.seat_of(user)
        at_home = table.row.opener == user or seat is not None
        if table.in_lobby and (at_home or not has_line):
            page, looks = private_page(ui, table, user, None if look is None else look.verb)
            return page, look if looks else None
        if table.row.status == "closed":
            return Page((Text(closed_words(table)), *absence_pages.final_places(table))), None
        if table.row.status == "over" and seat is not None and table.state is not None:
            return ended_page(table, ui, seat, earned_blocks(achieved, share=True)), None
        if has_line:
            return Page(()), None
        words = _("The game at table {table} has started without you. `/play` finds or opens another.", table=table.id)
        return Page((Text(words),)), None

    def _achieved(self, table: TableSnapshot, user: int, by: ToldBy) -> tuple[Badge, ...]:
        """Return what such a message tells a user of what they have newly achieved in a finished game."""
        messages = self._messages(table.id) if table.row.status == "over" else None
        return () if messages is None else messages.news.of(user, by)

    async def direct_message(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        form: Form = Form.FULL,
    ) -> PlayerPage:
        """Return a direct message: the player's page under a heading that names the table."""
        with await self._languages.for_reader(user):
            found = await self._player_page(table, user, look, line, shown, form, keyed=True)
            return self._headed(table, found)

    async def resting_message(
        self,
        table: TableSnapshot,
        user: int,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        form: Form = Form.FULL,
    ) -> PlayerPage:
        """Return a direct message that is not updated before its reader must be told something: if it is not their
        move, it says how old it is, and shows no clock.
        """
        with await self._languages.for_reader(user):
            found = await self._player_page(table, user, look, line, shown, form, keyed=True, rests=True)
            return self._headed(table, found)

    def _headed(self, table: TableSnapshot, found: PlayerPage) -> PlayerPage:
        return replace(found, page=Page((self._head(table, found.rests), *found.page.blocks), found.page.colour))

    def _head(self, table: TableSnapshot, rests: bool) -> Text:
        if table.practice:
            return Text(f"### {game_title(table.game)}\n-# {_('Practice, unrated · table {table}', table=table.id)}")
        messages = self._messages(table.id)
        link = message_links.address(table.row, table.row.message) if messages is None else messages.link()
        name = _("table {table}", table=table.id)
        where = f"[{name}]({link})" if link else name
        guild = self._client.get_guild(table.row.guild)
        server = _("the server")
        if guild is not None:
            server = display_names.escape(guild.name, display_names.MAX_SERVER_LENGTH)
        clock, now = table.options.clock, self._clock.now() // 1_000
        when = f"<t:{now}:t>" if 0 < clock <= SAME_DAY_S else f"<t:{now}:f>"
        updated = f" · {_('last updated {when}', when=when)}" if rests else ""
        return Text(f"### {game_title(table.game)}\n-# {server} · {where}{updated}")


def go_on_button() -> Button:
    """Return the button that brings a page up to date that rests."""
    return Button(_("Go on"), "hand", style="primary")


def _key(status: str, view: View, public: View, awaited: bool, at: int | None = None, asked: str = "") -> str:
    """Return a key of what the reader of a view must be told: that it is their move, that they are asked whether they
    are ready, their secrets, and what else they are `asked`; or everything, if `at` names the moment.
    """
    own = msgspec.structs.asdict(view)
    secret = {name: value for name, value in own.items() if value != getattr(public, name)}
    facts: tuple[object, ...] = (status, (view.ui_version if awaited else None) if at is None else at, secret)
    return hashlib.sha256(msgspec.json.encode((*facts, asked) if asked else facts)).hexdigest()[:16]


def _lost_draft_line(ui: GameUI, view: Any, look: ComponentPress) -> str:
    """Return the line for somebody who had begun something on a page that leads nowhere any more."""
    words = ui.lost_draft_text(view, look) if is_draft(ui, look) else ""
    return words and f"{REFUSED} {words}"


def _with_ways_on(
    page: Page, table: TableSnapshot, ui: GameUI, info: TableContext, view: View | None, *, rests: bool
) -> Page:
    """Return a seat's page with the buttons below it that lead elsewhere; no `view`: a computer plays for them."""
    if table.practice and not table.playing:
        return Page((*page.blocks, *after_practice(table, reviewed=ui.review is not None)), page.colour)
    if rests:  # what could be pressed there may mean nothing any more
        return Page((*page.without_controls().blocks, Row((go_on_button(), more_button()))), page.colour)
    if view and view.seat in view.to_act and ui.hint_at_hand(view, info) and not why_no_hints(info):
        page = with_more(page, hint_button())
    return with_more(page)


def _opened_page(ui: GameUI, view: Any, info: TableContext, look: ComponentPress) -> Page | None:
    """Return the page to which a control led, as it is now; None where it leads nowhere any more."""
    try:
        shown = interpret(ui, view, info, look)
    except (StaleControl, UserError):
        return None
    return shown if isinstance(shown, Page) else None
