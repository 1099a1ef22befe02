"""The pages of a lobby, and of a table that was closed."""

from collections.abc import Callable, Iterator, Mapping

from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import count, listed, noun, span
from cogs.core.pages.game_ui import MARKS, GameUI, SeatedPlayer
from cogs.core.pages.page import (
    Block,
    BoardPlaceholder,
    Button,
    Page,
    PersonSelect,
    Picture,
    Row,
    Select,
    SelectOption,
    Separator,
    Text,
)
from cogs.core.publishing import absence_pages
from cogs.core.tables.absence import EVERYBODY_LEFT
from cogs.core.tables.lobby import LEVEL_NAMES, LEVEL_WORDS, can_reopen, expected, named, reserved_seats
from cogs.core.tables.options import meaning, option_description, option_fields, options_lines
from cogs.core.tables.snapshot import TableSnapshot
from data.store import users_in
from engine.contract import Moment, Options
from engine.players import LEVELS
from engine.results import COUNTED, DRAWN, VOID

TOTALS_COUNT = "The players agreed to end it and to count the finished rounds."
AGREED_DRAW = "The players agreed on a draw."
"""How a game ended by agreement."""

LONG_CLOCK_S = 3_600
"""With a turn clock this long, a game lasts days."""


def game_length(ui: GameUI, options: Options, seats: int) -> str:
    """Return how long a game lasts, in words."""
    if options.clock >= LONG_CLOCK_S:
        return "lasts days, a move now and then"
    return f"about {max(1, round(ui.minutes(options, seats) / 5)) * 5} minutes"


def seat_line(player: SeatedPlayer) -> str:
    """Return a line about a player: the seat's mark, their name, and the level of a computer player."""
    return player.bold if player.level is None else f"{player.bold} – computer, {LEVEL_WORDS[player.level]}"


def _seats(table: TableSnapshot) -> str:
    """Return a line about each seat, and which are free."""
    players = table.seated_players
    lines = [seat_line(player) + (" – host" if player.user == table.row.opener else "") for player in players]
    for user in expected(table):
        lines.append(f"{MARKS[len(lines)]} kept for <@{user}>, who is invited")
    free = MARKS[len(lines) : table.game.player_counts[-1]]
    return "\n".join([*lines, *([f"{' '.join(free)} free"] if free else [])])


def lobby_page(ui: GameUI, table: TableSnapshot, closes: Moment | None, cover: Picture | None) -> Page:
    """Return the lobby as everybody sees it."""
    game, sitting = table.game, len(table.seats)
    least = max(sitting, game.player_counts[0])
    clock, *options = options_lines(game, table.options)
    facts = " · ".join((f"{span(game.player_counts)} players", game_length(ui, table.options, least)))
    before = table.row.rematch_of
    again = () if before is None else (f"The rematch of table {before}, open to everybody: no seat is kept.",)
    full, ready = sitting >= game.player_counts[-1], sitting in game.player_counts
    coming = (
        Button("Join", "join", style="secondary" if full else "success", disabled=full),
        Button("Leave", "leave", disabled=not others(table)),
        Button("Start", "begin", style="primary" if ready else "secondary", disabled=not ready),
    )
    more = [Button("Rules", "rules", game.key), Button("Manage", "manage")]
    if reserved_seats(table):
        more.append(Button("Decline the invitation", "decline-invite"))
    blocks: list[Block] = [
        Text(f"### {game.title}\n{ui.tagline}"),
        *(() if cover is None else (cover,)),
        Text(_seats(table)),
        Text("\n".join(f"-# {line}" for line in (facts, clock, *options, *again))),
        *(() if table.notice is None else (Text(f"-# {table.notice}"),)),
        *_asking(table),
        Text(_waiting(table)),
        Row(coming),
        Row(tuple(more)),
    ]
    closing = "" if closes is None else f" · closes <t:{closes // 1_000}:R> unless the game begins"
    blocks.append(Text(f"-# Table {table.id}{closing}"))
    return Page(tuple(blocks), ui.colour)


def others(table: TableSnapshot) -> list[SeatedPlayer]:
    """Return the people in a lobby other than its host."""
    return [player for player in table.seated_players if player.user is not None and player.user != table.row.opener]


def _waiting(table: TableSnapshot) -> str:
    """Return what a lobby waits for."""
    sitting, seats = len(table.seats), table.game.player_counts
    host = next((player.bold for player in table.seated_players if player.user == table.row.opener), "the host")
    waited = expected(table)
    if waited and sitting + len(waited) == seats[-1]:
        without = "" if sitting < seats[0] else f", or when {host} starts without them"
        return f"The game begins when {named(waited)} {noun(len(waited), 'joins', 'join')}{without}."
    if sitting < seats[0]:
        return f"Waiting for {count(seats[0] - sitting, 'more player')}."
    if sitting == seats[-1]:
        return f"All seats are taken: {host} can start."
    by_itself = any(player.level is not None for player in table.seated_players)
    return f"{host} can start, or wait for more players.{' The game begins once all seats are taken.' * by_itself}"


def _asking(table: TableSnapshot) -> Iterator[Text]:
    """Yield the line about a player who asks to become the host."""
    row = table.row
    if row.heir is not None and row.heir_due is not None:
        who, when = f"<@{row.heir}>", f"<t:{row.heir_due // 1_000}:R>"
        yield Text(f"-# {who} becomes the host {when}, unless <@{row.opener}> presses anything here.")


def closed_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page of a closed table: with the last picture of a game, and the places if they were certain."""
    board = Button("Leaderboard", "leaderboard", f"{table.game.key}.all.ranked.0.end")
    return Page(
        (
            Text(f"### {table.game.title}\n{closed_words(table)}"),
            *(() if table.state is None else (BoardPlaceholder(),)),
            *absence_pages.final_places(table),
            *((Row((board,)),) if table.results else ()),
            *((Row((Button("Open again", "reopen"),)),) if can_reopen(table) else ()),
            Text(f"-# Open another: `/{ui.command} start`, or `/play`."),
        ),
        None,
    )


def closed_words(table: TableSnapshot) -> str:
    """Return that a table is closed, and why."""
    usual = "It closed before the game began." if table.state is None else "The game was ended."
    if any(result.reason == VOID for result in table.results):
        usual = "Only the places that were certain count."
        return f"Table {table.id} is closed. {' '.join(filter(None, (table.notice, usual)))}"
    if table.results:
        usual = {COUNTED: TOTALS_COUNT, DRAWN: AGREED_DRAW}.get(table.results[0].reason, EVERYBODY_LEFT)
    return f"Table {table.id} is closed. {table.notice or usual}"


def own_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return what a player other than the host can do in a lobby."""
    words = (
        f"### Table {table.id}\nYou have a seat here. The game begins when <@{table.row.opener}>, the host, presses "
        "*Start*. If the host is away, you can ask to take over."
    )
    ways = Button("Leave", "leave", style="danger"), Button("Ask to be the host", "take-over")
    return Page((Text(words), Row(ways)), ui.colour)


def moderator_page(ui: GameUI, table: TableSnapshot, user: int) -> Page:
    """Return what a moderator who is not the host can do in a lobby."""
    words = (
        f"### Table {table.id}\n<@{table.row.opener}> is the host. As a moderator you can invite players, take over "
    )
    blocks: list[Block] = [Text(f"{words}the table, or close it.\n{_seats(table)}")]
    if len(table.seats) + reserved_seats(table) < table.game.player_counts[-1]:
        blocks.append(PersonSelect("invite", "Invite somebody …"))
    leave = () if table.seat_of(user) is None else (Button("Leave", "leave"),)
    ways = Button("Take over", "take-over"), *leave, Button("Close the table", "cancel", style="danger")
    blocks.append(Row(ways))
    return Page(tuple(blocks), ui.colour)


def manage_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page on which the host manages the table."""
    return Page(tuple(_managing(table)), ui.colour)


def _managing(table: TableSnapshot) -> Iterator[Block]:
    taken = len(table.seats) + reserved_seats(table) >= table.game.player_counts[-1]
    bots = any(player.level is not None for player in table.seated_players)
    guests = others(table)
    options = "\n".join(f"-# {line}" for line in options_lines(table.game, table.options))
    yield Text(f"### Manage table {table.id}\n{_seats(table)}\n{options}")
    if len(table.seats) in table.game.player_counts:
        yield Row((Button("Start", "begin", style="primary"),))
    adding = [Button(f"Add {LEVEL_NAMES[level]}", "add", level, disabled=taken) for level in LEVELS]
    yield Row((*adding, *([Button("Remove computer", "drop")] if bots else [])))
    if not taken:
        yield PersonSelect("invite", "Invite somebody …")
    if reserved_seats(table) > 1:
        yield PersonSelect("uninvite", "Withdraw an invitation …")
    elif reserved_seats(table):
        yield Row((Button("Withdraw the invitation", "uninvite"),))
    if guests:
        choices = tuple(SelectOption(player.label(), str(player.user)) for player in guests)
        yield Select("send-out", choices, "Send somebody out …")
        yield Select("heir", choices, "Make somebody else the host …")
    yield Row(
        (
            Button("Options", "options"),
            Button("Leave", "leave"),
            Button("Close the table", "cancel", style="danger"),
        )
    )


def options_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page on which the host sets the options."""
    blocks: list[Block] = [Text(f"### Options of table {table.id}"), Separator()]
    for entry in option_fields(table.game.options):
        now = getattr(table.options, entry.name)
        values = entry.values if now in entry.values else (now, *entry.values)
        blocks.append(Text(f"**{entry.title}** – {option_description(entry).rstrip('.')}."))
        blocks.append(
            Select(
                "option",
                tuple(
                    SelectOption(
                        entry.value_text(value), str(value), meaning(entry, value) or None, chosen=value == now
                    )
                    for value in values
                ),
                entry.title,
                entry.name,
            )
        )
    blocks.append(Row((Button("◀ Back", "manage"),)))
    return Page(tuple(blocks), ui.colour)


def closing_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the question to a host who wants to close a table with other players."""
    names = listed(player.bold for player in others(table))
    words = f"### Close table {table.id} for everybody?\n{names} {noun(len(others(table)), 'sits', 'sit')} here too."
    if not names:
        words = f"### Close table {table.id}?"
    sure = (Button("Close it", "cancel-sure", style="danger"), Button("Keep it", "manage"))
    return Page((Text(words), Row(sure)), ui.colour)


HOST_PAGES: Mapping[str, Callable[[GameUI, TableSnapshot], Page]] = {
    "manage": manage_page,
    "options": options_page,
    "cancel": closing_page,
}
"""The pages for the host, by the verb that opens them."""

MODERATE = "moderate"
"""The page for moderators who are not the host; it opens by *Manage*, too."""


def private_page(ui: GameUI, table: TableSnapshot, user: int, look: str | None) -> tuple[Page, bool]:
    """Return a person's private page of a lobby, and whether it is the host's page to which `look` led."""
    if table.row.opener == user and look is not None and look in HOST_PAGES:
        return HOST_PAGES[look](ui, table), True
    if table.row.opener == user:
        return manage_page(ui, table), False
    if look == MODERATE:
        return moderator_page(ui, table, user), True
    if table.seat_of(user) is not None:
        return own_page(ui, table), False
    words = f"You have no seat at table {table.id}. *Join* takes a free one."
    if user in users_in(table.row.kicked):
        words = f"You have no seat at table {table.id}. The host or a moderator can invite you."
    if user in expected(table):
        words = f"A seat at table {table.id} is kept for you: *Join* takes it, *Decline the invitation* gives it up."
    return Page((Text(words),), ui.colour), False


def check_can_manage(table: TableSnapshot, user: int) -> None:
    """Raise `UserError` for a person who has nothing to manage in this lobby."""
    if table.row.opener != user and table.seat_of(user) is None:
        raise UserError(f"Only <@{table.row.opener}>, the host of this table, can manage it. *Join* takes a seat.")
