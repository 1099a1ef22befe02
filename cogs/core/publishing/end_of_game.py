"""Pages of finished games: what comes below the result, the rematch, what a player reads of it, and what they have
achieved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from cogs.core.i18n.translation import _, public_label
from cogs.core.ops.text_format import listed, signed
from cogs.core.pages.achievements import Badge
from cogs.core.pages.game_ui import GameUI, marked
from cogs.core.pages.page import Block, Button, Link, Page, Row, Text
from cogs.core.pages.player_page import with_more
from cogs.core.publishing import absence_pages, message_links
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.snapshot import TableSnapshot
from data.store import SeatRow, Store
from data.store.progress import ToldBy
from engine.contract import Seat


@dataclass(frozen=True)
class Rematch:
    """A rematch as the finished game shows it: the names of players who have pressed, and of those who have not.

    It is a table of its own from the first press, and `gathers` until it begins. It has a message, and so a `link`,
    once it begins or is opened to others; until then, only the end of the finished game shows it.
    """

    table: int
    gathers: bool
    ready: tuple[str, ...]
    missing: tuple[str, ...]
    link: str | None

    @property
    def hidden(self) -> bool:
        """Whether only the previous players can see it."""
        return self.gathers and self.link is None

    def line(self) -> str:
        """Return what the end of the game before says of it."""
        if not self.gathers:
            return f"-# {_('The rematch is {table}.', table=self._where())}"
        joined, missing = listed(self.ready), listed(self.missing)
        if self.link is not None:
            words = _(
                "Rematch: {names} joined. Anyone can join {table}; no seats are reserved.",
                names=joined,
                table=self._where(),
            )
            return f"-# {words}"
        if self.missing:
            words = _("Rematch: {names} joined; waiting for {missing}.", names=joined, missing=missing)
        else:
            words = _("Rematch: {names} joined.", names=joined)
        return f"-# {words} {_('*Let others join* opens it to everyone; then no seats are reserved.')}"

    def _where(self) -> str:
        return message_links.table_link(self.table, self.link)


async def rematch_of(store: Store, table: int, before: Sequence[SeatRow]) -> Rematch | None:
    """Return the newest rematch of a table, by those who played there; None if there is none, or it has lapsed."""
    row = await store.tables.rematch_of(table)
    if row is None or row.status == "closed":
        return None
    users = {seat.user for seat in await store.seats.of(row.id)}
    people = [seat for seat in before if seat.user is not None]
    return Rematch(
        row.id,
        row.status == "lobby",
        tuple(marked(seat.seat, seat.name) for seat in people if seat.user in users),
        tuple(marked(seat.seat, seat.name) for seat in people if seat.user not in users),
        message_links.address(row, row.message),
    )


def only_for_players(before: int) -> str:
    """Return why a rematch is not for everybody yet: it gathers those who played at the table `before`."""
    return _(
        "Only those who played at table {table} can join this rematch so far. *{others}* opens it to everyone.",
        table=before,
        others=public_label("Let others join"),
    )


@dataclass(frozen=True)
class RatingChange:
    """By how many points a game has changed the best guess of a player's strength."""

    seat: Seat
    change: int

    @property
    def words(self) -> str:
        """The change with its sign."""
        return signed(self.change) if self.change else "±0"


class AchievementNews:
    """What users have newly achieved in the game of a table, which each is told once: on one message, where it stays
    while they read it. That is their page in the channel, until they press again, or their direct message.
    """

    def __init__(self, services: PublishingServices, table: int) -> None:
        self._services = services
        self._table = table
        self._badges: dict[int, tuple[Badge, ...]] = {}
        self._told: dict[int, ToldBy] = {}
        self._shown: set[int] = set()  # who has certainly seen it on their page

    def bring(self, badges: Mapping[int, tuple[Badge, ...]], told: Mapping[int, ToldBy]) -> None:
        """Take what users have achieved, and by what they were or will be told of it."""
        self._told.update(told)
        self._badges.update(badges)

    def of(self, user: int, by: ToldBy) -> tuple[Badge, ...]:
        """Return what a message of this kind tells a user."""
        return self._badges.get(user, ()) if self._told.get(user, by) == by else ()

    def note_told(self, user: int, by: ToldBy) -> None:
        """Note that a message of a user certainly tells them. Does not block."""
        if user in self._badges and user not in self._shown:
            self._told[user] = by
            self._shown.add(user)
            saved = self._services.store.progress.note_told(self._table, user, by)
            self._services.tasks.spawn(saved, f"told-{self._table}")

    def pressed(self, user: int) -> None:
        """Note that a user has pressed: what their page in the channel told them, they have read."""
        if user in self._shown and self._told[user] == "page":
            self._badges.pop(user, None)


class EndOfGame(Protocol):
    """What the end of a game shows besides its result."""

    rematch: Rematch | None
    ratings: tuple[RatingChange, ...]
    news: AchievementNews

    def link(self) -> str | None:
        """Return the address of the table message."""

    def picture_drawn(self) -> None:
        """Show a picture that was not drawn in time, now that it is."""


def with_ending(page: Page, table: TableSnapshot, ui: GameUI, messages: EndOfGame | None) -> Page:
    """Add what comes below every finished game, first of all the way to another one."""
    blocks: list[Block] = list(page.blocks)
    last = blocks.pop() if isinstance(page.blocks[-1], Row) else None
    own = last.buttons if isinstance(last, Row) else ()
    rematch = None if messages is None else messages.rematch
    blocks += absence_pages.final_places(table)
    key = table.game.key
    board = Button(_("Leaderboard"), "leaderboard", f"{key}.all.{'ranked' if table.ranked else 'casual'}.0.end")
    on = None if rematch is None or rematch.gathers else rematch.link
    onward: list[Button | Link] = [Button(_("Rematch"), "rematch", style="primary")]
    if on is not None:  # it is played: there is one way, which leads there
        onward = [Link(_("To the rematch"), on)]
    if ui.review is not None:
        onward.append(Button(_("Review"), "review", "end"))
    blocks.append(Row((*onward, Button(_("Replay"), "replay", "0.all.end"))))  # a fourth one wraps on a phone
    if rematch is not None:
        blocks.append(Text(rematch.line()))
    if rematch is not None and rematch.hidden:
        own = (Button(_("Let others join"), "rematch-open"), *own)
    below = with_more(with_more(Page((Row(own),) if own else ()), board))
    blocks += below.blocks
    blocks += rating_blocks(table, messages)
    people = " ".join(f"<@{row.user}>" for row in table.seats if row.user is not None)
    if people:
        blocks.append(Text(f"-# {people}"))
    return Page(tuple(blocks), page.colour)


def rating_blocks(table: TableSnapshot, messages: EndOfGame | None) -> list[Block]:
    """Return how the ratings have changed, once that is known and unless somebody there is in placement."""
    ratings = () if messages is None else messages.ratings
    rated = [one for one in ratings if table.seats[one.seat].user is not None]  # else they were forgotten
    if not rated:
        return []
    players = table.seated_players
    changed = sorted(rated, key=lambda one: -one.change)
    changes = " · ".join(f"{players[one.seat].bold} {one.words}" for one in changed)
    if table.ranked:
        return [Text(f"-# {_('Ratings: {changes}', changes=changes)}")]
    # These have a leaderboard of their own.
    return [Text(f"-# {_('Ratings with computers: {changes}', changes=changes)}")]


def ended_page(table: TableSnapshot, ui: GameUI, seat: Seat, achieved: Sequence[Block]) -> Page:
    """Return a player's page after the end of the game, in short, with what they have achieved: the whole end is in the
    channel for everybody.
    """
    words = _(
        "The result of table {table} is in {channel}, with rematch, replay and review.",
        channel=f"<#{table.row.channel}>",
        table=table.id,
    )
    status = Text(ui.status(table.view(seat), table.info()))
    return with_more(Page((status, *achieved, Text(f"-# {words}")), ui.colour))


def after_practice(table: TableSnapshot, *, reviewed: bool) -> tuple[Row, ...]:
    """Return what somebody can do whose practice game has ended; to look at it again only if it came to its end."""
    level = next(row.level for row in table.seats if row.level is not None)
    on = Row(
        (
            Button(_("Play again"), "practise", f"{table.game.key}.{level}", style="primary"),
            Button(_("Other games"), "play"),
        )
    )
    if table.row.status != "over":
        return (on,)
    review = (Button(_("Review"), "review", "end"),) if reviewed else ()
    return on, Row((*review, Button(_("Replay"), "replay", "0.all.end"), Button(_("Verify"), "verify")))
