"""The pages of a lobby, and of a table that was closed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cogs.core.i18n.translation import N_, _, ngettext, public_label
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import labelled, listed, span
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
    Text,
)
from cogs.core.publishing import absence_pages
from cogs.core.tables.absence import EVERYBODY_LEFT
from cogs.core.tables.lobby import (
    LEVEL_NAMES,
    LEVEL_WORDS,
    begins_when_full,
    can_reopen,
    expected,
    free_seats,
    is_full,
    named,
)
from cogs.core.tables.options import OptionField, meaning, option_description, option_fields, options_lines
from cogs.core.tables.snapshot import TableSnapshot
from data.store import users_in
from engine.contract import Moment, Options
from engine.players import LEVELS, Level
from engine.results import COUNTED, DRAWN, VOID

TOTALS_COUNT = N_("The players agreed to end the game and count the finished rounds.")
AGREED_DRAW = N_("The players agreed on a draw.")
"""How a game ended by agreement."""

LONG_CLOCK_S = 3_600
"""With a turn clock this long, a game lasts days."""


def game_length(ui: GameUI, options: Options, seats: int) -> str:
    """Return how long a game lasts, in words."""
    if options.clock >= LONG_CLOCK_S:
        return _("played over several days")
    minutes = max(1, round(ui.minutes(options, seats) / 5)) * 5
    return ngettext("about {n} minute", "about {n} minutes", minutes)


def players_text(numbers: range) -> str:
    """Return how many players a game takes, in words: "2 players", or "2–6 players"."""
    return ngettext("{n} player", "{n} players", numbers[-1], n=span(numbers))


def seat_line(player: SeatedPlayer) -> str:
    """Return a line about a player: the seat's mark, their name, and the level of a computer player."""
    if player.level is None:
        return player.bold
    # Translators: {level} is for example "plays for fun and makes mistakes".
    return _("{name} – computer, {level}", name=player.bold, level=_(LEVEL_WORDS[player.level]))


def _seats(table: TableSnapshot) -> str:
    """Return a line about each seat, and which are free. What a level means is said once."""
    lines, levels = list[str](), set[Level]()
    for player in table.seated_players:
        if player.user == table.row.opener:
            lines.append(_("{name} – host", name=player.bold))
        else:
            lines.append(player.bold if player.level in levels else seat_line(player))
        if player.level is not None:
            levels.add(player.level)
    for user in expected(table):
        lines.append(f"{MARKS[len(lines)]} {_('reserved for {player}', player=f'<@{user}>')}")
    free = " ".join(MARKS[len(lines) : table.game.player_counts[-1]])
    if free:
        # Translators: {seats} are signs such as ● and ◆.
        lines.append(_("{seats} free", seats=free))
    return "\n".join(lines)


def lobby_page(ui: GameUI, table: TableSnapshot, closes: Moment | None, cover: Picture | None) -> Page:
    """Return the lobby as everybody sees it."""
    game, sitting = table.game, len(table.seats)
    least = max(sitting, game.player_counts[0])
    clock, *options = options_lines(game, table.options)
    facts = " · ".join((players_text(game.player_counts), game_length(ui, table.options, least)))
    before = table.row.rematch_of
    again = (
        () if before is None else (_("Rematch of table {table}, open to everyone: no seats reserved.", table=before),)
    )
    full, ready = is_full(table), sitting in game.player_counts
    coming = (
        Button(_("Join"), "join", style="secondary" if full else "success", disabled=full),
        Button(_("Leave"), "leave", disabled=not others(table)),
        Button(_("Start"), "begin", style="primary" if ready else "secondary", disabled=not ready),
    )
    more = [Button(_("Rules"), "rules", game.key), Button(_("Manage"), "manage")]
    if expected(table):
        more.append(Button(_("Decline the invite"), "decline-invite"))
    blocks: list[Block] = [
        Text(f"### {ui.title}\n{_(ui.tagline)}"),
        *(() if cover is None else (cover,)),
        Text(_seats(table)),
        Text("\n".join(f"-# {line}" for line in (facts, clock, *options, *again))),
        *(() if table.notice is None else (Text(f"-# {table.notice}"),)),
        *_asking(table),
        Text(_waiting(table)),
        Row(coming),
        Row(tuple(more)),
    ]
    if closes is None:
        foot = _("Table {table}", table=table.id)
    else:
        when = f"<t:{closes // 1_000}:R>"
        foot = _("Table {table} · closes {when} unless the game starts", table=table.id, when=when)
    blocks.append(Text(f"-# {foot}"))
    return Page(tuple(blocks), ui.colour)


def others(table: TableSnapshot) -> list[SeatedPlayer]:
    """Return the people in a lobby other than its host."""
    return [player for player in table.seated_players if player.user is not None and player.user != table.row.opener]


def _waiting(table: TableSnapshot) -> str:
    """Return what a lobby waits for."""
    sitting, seats = len(table.seats), table.game.player_counts
    host = next((player.bold for player in table.seated_players if player.user == table.row.opener), _("the host"))
    waited = expected(table)
    begins = (_("The game starts once all seats are taken."),) if begins_when_full(table) else ()
    if waited and sitting + len(waited) == seats[-1]:
        if sitting < seats[0]:
            return ngettext(
                "The game starts when {names} joins.",
                "The game starts when {names} join.",
                len(waited),
                names=named(waited),
            )
        return ngettext(
            "The game starts when {names} joins, or when {host} starts it without them.",
            "The game starts when {names} join, or when {host} starts it without them.",
            len(waited),
            names=named(waited),
            host=host,
        )
    if sitting < seats[0]:
        more = ngettext("Waiting for {n} more player.", "Waiting for {n} more players.", seats[0] - sitting)
        if seats[0] == seats[-1]:
            more = " ".join((more, *begins))
        return f"{more}\n-# {_('{host} can add a computer or invite someone with *Manage*.', host=host)}"
    if sitting == seats[-1]:
        return _("All seats are taken: {host} can start.", host=host)
    return " ".join((_("Enough players: {host} can start, or wait for more.", host=host), *begins))


def _asking(table: TableSnapshot) -> Iterator[Text]:
    """Yield the line about a player who asks to become the host."""
    row = table.row
    if row.heir is not None and row.heir_due is not None:
        words = _(
            "{player} becomes the host {when}, unless {host} presses something here.",
            player=f"<@{row.heir}>",
            when=f"<t:{row.heir_due // 1_000}:R>",
            host=f"<@{row.opener}>",
        )
        yield Text(f"-# {words}")


def closed_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page of a closed table: with the last picture of a game, and the places if they were certain."""
    board = Button(_("Leaderboard"), "leaderboard", f"{table.game.key}.all.ranked.0.end")
    return Page(
        (
            Text(f"### {ui.title}\n{closed_words(table)}"),
            *(() if table.state is None else (BoardPlaceholder(),)),
            *absence_pages.final_places(table),
            *((Row((board,)),) if table.results else ()),
            *((Row((Button(_("Open again"), "reopen"),)),) if can_reopen(table) else ()),
            Text(f"-# {_('Open another with {command} or `/play`.', command=f'`/{ui.command} start`')}"),
        ),
        None,
    )


def closed_words(table: TableSnapshot) -> str:
    """Return that a table is closed, and why."""
    closed = _("Table {table} is closed.", table=table.id)
    if any(result.reason == VOID for result in table.results):
        return " ".join(filter(None, (closed, table.notice, _("Only the places already decided remain."))))
    if table.results:
        usual = _({COUNTED: TOTALS_COUNT, DRAWN: AGREED_DRAW}.get(table.results[0].reason, EVERYBODY_LEFT))
    elif table.state is None:
        usual = _("It closed before the game started.")
    else:
        usual = _("The game was ended.")
    return f"{closed} {table.notice or usual}"


def own_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return what a player other than the host can do in a lobby."""
    words = _(
        "You have a seat here. The game starts when {host}, the host, presses *{start}*. If the host is away, you "
        "can ask to take over.",
        start=public_label("Start"),
        host=f"<@{table.row.opener}>",
    )
    ways = Button(_("Leave"), "leave", style="danger"), Button(_("Ask to be the host"), "take-over")
    return Page((Text(f"### {_('Table {table}', table=table.id)}\n{words}"), Row(ways)), ui.colour)


def moderator_page(ui: GameUI, table: TableSnapshot, user: int) -> Page:
    """Return what a moderator who is not the host can do in a lobby."""
    words = _(
        "{host} is the host. As a moderator, you can invite players, take over the table, or close it.",
        host=f"<@{table.row.opener}>",
    )
    head = f"### {_('Table {table}', table=table.id)}\n{words}\n{_seats(table)}"
    blocks: list[Block] = [Text(head)]
    if free_seats(table):
        blocks.append(PersonSelect("invite", _("Invite a player …")))
    leave = () if table.seat_of(user) is None else (Button(_("Leave"), "leave"),)
    ways = Button(_("Take over"), "take-over"), *leave, Button(_("Close the table"), "cancel", style="danger")
    blocks.append(Row(ways))
    return Page(tuple(blocks), ui.colour)


def manage_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page on which the host manages the table."""
    return Page(tuple(_managing(table)), ui.colour)


def _managing(table: TableSnapshot) -> Iterator[Block]:
    free, waited = free_seats(table), expected(table)
    bots = any(player.level is not None for player in table.seated_players)
    guests = others(table)
    options = "\n".join(f"-# {line}" for line in options_lines(table.game, table.options))
    yield Text(f"### {_('Manage table {table}', table=table.id)}\n{_seats(table)}\n{options}")
    if len(table.seats) in table.game.player_counts:
        yield Row((Button(_("Start"), "begin", style="primary"),))
    adding = [
        Button(_("Add {computer}", computer=_(LEVEL_NAMES[level])), "add", level, disabled=not free) for level in LEVELS
    ]
    yield Row((*adding, *([Button(_("Remove computer"), "drop")] if bots else [])))
    if free:
        yield PersonSelect("invite", _("Invite a player …"))
    if len(waited) > 1:
        yield PersonSelect("uninvite", _("Withdraw an invite …"))
    elif waited:
        yield Row((Button(_("Withdraw the invite"), "uninvite"),))
    if guests:
        choices = tuple(SelectOption(player.label(), str(player.user)) for player in guests)
        yield Select("send-out", choices, _("Kick a player …"))
        yield Select("heir", choices, _("Make someone else host …"))
    yield Row(
        (
            Button(_("Options"), "options"),
            Button(_("Leave"), "leave"),
            Button(_("Close the table"), "cancel", style="danger"),
        )
    )


def options_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page on which the host sets the options: one line for each, so that a phone shows all of them."""
    words = _("Press an option to change it: each choice says what it does.")
    blocks: list[Block] = [Text(f"### {_('Options of table {table}', table=table.id)}\n-# {words}")]
    for entry in option_fields(table.game.options):
        now = getattr(table.options, entry.name)
        values = entry.values if now in entry.values else (now, *entry.values)
        choices = tuple(
            SelectOption(
                labelled(entry.title, entry.value_text(value)) if value == now else entry.value_text(value),
                str(value),
                _choice_words(entry, value, chosen=value == now) or None,
                chosen=value == now,
            )
            for value in values
        )
        blocks.append(Select("option", choices, entry.title, entry.name))
    blocks.append(Row((Button(_("◀ Back"), "manage"),)))
    return Page(tuple(blocks), ui.colour)


def _choice_words(entry: OptionField, value: Any, *, chosen: bool) -> str:
    """Return what a value of an option means; if no value of it has such words, what the option decides, once."""
    words = meaning(entry, value)
    if words or not chosen or any(meaning(entry, one) for one in entry.values):
        return words
    return option_description(entry)


def closing_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the question to a host who wants to close a table with other players."""
    people = others(table)
    if people:
        words = ngettext(
            "### Close table {table} for everyone?\n{names} is here too.",
            "### Close table {table} for everyone?\n{names} are here too.",
            len(people),
            table=table.id,
            names=listed(player.bold for player in people),
        )
    else:
        words = f"### {_('Close table {table}?', table=table.id)}"
    sure = (Button(_("Close it"), "cancel-sure", style="danger"), Button(_("Keep it"), "manage"))
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
    if user in expected(table):
        words = _(
            "A seat at table {table} is reserved for you. *{join}* takes it, *{decline}* gives it up.",
            join=public_label("Join"),
            decline=public_label("Decline the invite"),
            table=table.id,
        )
    elif user in users_in(table.row.kicked):
        words = _("You have no seat at table {table}. The host or a moderator can invite you.", table=table.id)
    else:
        join = public_label("Join")
        words = _("You have no seat at table {table}. Press *{join}* to take a free one.", table=table.id, join=join)
    return Page((Text(words),), ui.colour), False


def check_can_manage(table: TableSnapshot, user: int) -> None:
    """Raise `UserError` for a person who has nothing to manage in this lobby."""
    if table.row.opener != user and table.seat_of(user) is None:
        host, join = f"<@{table.row.opener}>", public_label("Join")
        raise UserError(
            _("Only {host}, the host, can manage this table. Press *{join}* to take a seat.", host=host, join=join)
        )
