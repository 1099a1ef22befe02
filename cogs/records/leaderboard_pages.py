"""The pages of leaderboards and histories, and the arguments of their buttons."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import figure
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import (
    Block,
    Button,
    Page,
    Picture,
    Row,
    Select,
    SelectOption,
    Separator,
    Text,
    page_buttons,
    pages_of,
)
from cogs.records import words
from cogs.records.seasons import Period
from engine.results import Board, FinishedGame, PlayerResult
from engine.standings import PLACEMENT_GAMES, Listing, Place

PLACES_PER_PAGE = 10
GAMES_PER_PAGE = 6

MINE = "me"
"""Replaces a page number: the page with the reader's own place."""


@dataclass(frozen=True)
class LeaderboardQuery:
    """A page of a leaderboard. `page` counts from 0; None is the page with the reader."""

    game: str
    period: Period = "all"
    board: Board = "ranked"
    page: int | None = 0

    def argument(self, slot: str) -> str:
        """Return the argument of a button for this page. `slot` makes two buttons of one message distinct."""
        page = MINE if self.page is None else str(self.page)
        return f"{self.game}.{self.period}.{self.board}.{page}.{slot}"


def read_leaderboard_query(control: ComponentPress, games: Collection[str]) -> LeaderboardQuery:
    """Return the page that a button requests. It is untrusted: raises `UserError`."""
    parts = control.argument.split(".")
    if len(parts) == 5:
        game, period, board, page, _slot = parts
        game = control.values[0] if control.values else game
        for known in get_args(Period):
            for wide in get_args(Board):
                if game in games and (known, wide) == (period, board) and (page == MINE or is_number(page)):
                    return LeaderboardQuery(game, known, wide, None if page == MINE else int(page))
    raise UserError(_("That leaderboard doesn't exist. Use `/leaderboard`."))


@dataclass(frozen=True)
class Reader:
    """The reader of a leaderboard, and their server."""

    user: int
    server: str


def leaderboard(
    query: LeaderboardQuery,
    listing: Listing,
    reader: Reader,
    games: Mapping[str, GameUI],
    periods: Mapping[Period, str],
    picture: Picture | None = None,
) -> Page:
    """Return a page of a leaderboard: `games` are all that have one, `periods` the names of the periods. The `picture`
    replaces the list of people if there is one.
    """
    ui = games[query.game]
    head = _("### Leaderboard · {game}", game=ui.title)
    below = f"-# {words.bold(reader.server)} · {_(words.BOARD_WORDS[query.board])} · {periods[query.period]}"
    blocks: list[Block] = [Text(f"{head}\n{below}")]
    if picture is not None:
        blocks.append(picture)
    elif listing.places:
        blocks.append(Text("\n".join(_entry(place, reader, scored=ui.game.scored) for place in listing.places)))
    elif listing.whole:
        blocks.append(Text(_("No rated players yet.")))
    if not listing.whole:
        blocks.append(Text(_(words.UPDATING)))
    blocks += [Separator(), Text(_own(listing)), *_controls(query, listing, games, periods)]
    foot = [_(_COUNTS[query.board]), words.placement()]
    shown = [*listing.places, *([] if listing.mine is None else [listing.mine])]
    if any(not place.standing.placing for place in shown):  # otherwise no ± is visible
        foot.append(_(words.UNSURE))
    blocks.append(Text("\n".join(f"-# {line}" for line in foot)))
    return Page(tuple(blocks), ui.colour)


_COUNTS: Mapping[Board, str] = {
    "ranked": N_(
        "A game is rated here if only people joined and everyone who stayed has moved. A player who leaves takes the "
        "last place among those still in."
    ),
    "casual": N_("A game is rated here if computers joined."),
}


def _entry(place: Place, reader: Reader, *, scored: bool) -> str:
    standing = place.standing
    rank = "–" if place.rank is None else f"**{place.rank}.**"
    name = words.bold(standing.name)
    if standing.player == reader.user:
        name = _("{player} (you)", player=name)
    parts = [name, words.rating(standing), words.trend(standing)]
    return f"{rank} {' · '.join(part for part in parts if part)}\n-# {words.record_words(standing, scored=scored)}"


def _own(listing: Listing) -> str:
    if listing.mine is None:
        return _("**You** have no games here yet.")
    standing = listing.mine.standing
    rating = words.rating(standing)
    if listing.number is None:
        return _("**You're hidden from leaderboards.** Only you see this: {rating}", rating=rating)
    if listing.mine.rank is None:
        return ngettext(
            "**You:** {rating} · {n} more game until you get a place",
            "**You:** {rating} · {n} more games until you get a place",
            PLACEMENT_GAMES - standing.games,
            rating=rating,
        )
    own = _("**You: {rank}**", rank=words.rank(listing.mine.rank, listing.ranked))
    return f"{own} · {rating} · {words.trend(standing)}"


def _controls(
    query: LeaderboardQuery, listing: Listing, games: Mapping[str, GameUI], periods: Mapping[Period, str]
) -> list[Block]:
    pages, number = pages_of(listing.ranked + listing.placing, PLACES_PER_PAGE), listing.first // PLACES_PER_PAGE
    mine = listing.number
    blocks: list[Block] = []
    turning = page_buttons("leaderboard", number, pages, lambda page, slot: replace(query, page=page).argument(slot))
    if turning:
        here = mine is not None and mine // PLACES_PER_PAGE == number
        me = replace(query, page=None).argument("me")
        blocks.append(Row((*turning, Button(_("My rank"), "leaderboard", me, disabled=mine is None or here))))
    blocks.append(
        Row(
            tuple(
                _toggle(name, replace(query, period=period, page=0), period, period == query.period)
                for period, name in periods.items()
            )
        )
    )
    boards = words.BOARD_WORDS.items()
    blocks.append(
        Row(tuple(_toggle(_(name), replace(query, board=key, page=0), key, key == query.board) for key, name in boards))
    )
    if len(games) > 1:
        choices = tuple(SelectOption(ui.title, game, chosen=game == query.game) for game, ui in games.items())
        blocks.append(Select("leaderboard", choices, _("Another game"), replace(query, page=0).argument("game")))
    return blocks


def _toggle(label: str, query: LeaderboardQuery, slot: str, on: bool) -> Button:
    return Button(label, "leaderboard", query.argument(slot), "primary" if on else "secondary", disabled=on)


def history(
    user: int,
    name: str,
    games: Sequence[FinishedGame],
    links: Mapping[int, str | None],
    titles: Mapping[str, str],
    number: int,
    total: int,
    *,
    own: bool = False,
) -> Page:
    """Return a page of a user's finished games: `games` are those of this page, newest first. From their `own` page, a
    button leads to their practice games.
    """
    lines = [game_line(user, game, links.get(game.table), titles) for game in games]
    head = _("### Games of {player}", player=words.bold(name))
    number_of = ngettext(
        "-# {n} finished game on this server", "-# {n} finished games on this server, newest first", total
    )
    blocks: list[Block] = [Text(f"{head}\n{number_of}"), Text("\n".join(lines) or _("No finished games yet."))]
    turning = page_buttons(
        "history", number, pages_of(total, GAMES_PER_PAGE), lambda page, slot: f"{user}.{page}.{slot}"
    )
    if turning:
        blocks.append(Row(turning))
    if own:
        blocks.append(Row((Button(_("Practice games"), "practice-history", "0.open"),)))
    return Page(tuple(blocks), EDGE)


def practice_line(user: int, game: FinishedGame, title: str) -> str:
    """Return two lines on a practice game, as `game_line`."""
    return _lines(user, game, None, title, _("practice"))


def game_line(user: int, game: FinishedGame, link: str | None, titles: Mapping[str, str]) -> str:
    """Return two lines on a finished game as this user sees it: the result, and the players."""
    return _lines(user, game, link, titles.get(game.game, game.game), _(_COUNTED[game.board]))


def _lines(user: int, game: FinishedGame, link: str | None, title: str, counted: str) -> str:
    side = game.side_of(user)
    assert side is not None
    where = _("table {number}", number=game.table)
    rest = [other for other in sorted(game.sides, key=lambda s: s.place) if other != side]
    if side.score is None:
        others = ", ".join(words.marked(other) for other in rest)
        score = _("against {players} · ended early", players=others)
    else:
        others = ", ".join(f"{words.marked(other)} {figure(other.score or 0)}" for other in rest)
        score = _("score {score} against {players}", score=figure(side.score), players=others)
    head = [_how(game, side), title, f"[{where}]({link})" if link else where]
    return f"{' · '.join(head)} · <t:{game.at // 1_000}:d>\n-# {score} · {counted}"


_COUNTED: Mapping[Board | None, str] = {
    "ranked": N_("rated"),
    "casual": N_("with computers"),
    None: N_("unrated"),
}


_ORDINAL = re.compile(r"^(\d+)\.")
"""A German place, such as "3. von 4". Discord would take it for an item of a list, and number the lines itself."""


def _how(game: FinishedGame, side: PlayerResult) -> str:
    """Return how a game ended for one of its players."""
    if side.void:
        return _("no result")
    if game.drawn:
        return _("**drawn**")
    if len(game.sides) == 2:
        return _("**won**") if game.won(side) else _("**lost**")
    if not game.won(side):
        return _ORDINAL.sub(r"\1\.", words.place(game, side))
    if game.shared(side):
        return ngettext("**shared the win** ({n} player)", "**shared the win** ({n} players)", len(game.sides))
    return ngettext("**won** ({n} player)", "**won** ({n} players)", len(game.sides))
