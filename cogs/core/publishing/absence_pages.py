"""Texts about players who are absent, leave or have left."""

from collections import Counter
from collections.abc import Mapping, Sequence

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import duration, either, figure, listed
from cogs.core.pages.game_ui import GameUI, SeatedPlayer
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.publishing import agreement_pages
from cogs.core.tables import endings, seat_rules
from cogs.core.tables.changes import SLEEPS_FOR_MS
from cogs.core.tables.seat_rules import Seats
from cogs.core.tables.snapshot import TableSnapshot
from data.store.rows import Cause
from engine.contract import Seat
from engine.results import COUNTED, VOID

PAUSED: Mapping[Cause | None, str] = {
    "connection": N_("I've lost my connection to Discord."),
    "api": N_("Discord isn't answering me."),
    "timeout": N_("A moderator timed me out on this server, so no one can move."),
    "locked": N_("This thread is locked, so no one can move."),
    "permissions": N_("I can no longer post in this channel, so no one can move."),
}
"""Why a table is paused."""


def pause_blocks(table: TableSnapshot) -> list[Block]:
    """Return what the pages of an open table say while it cannot be played."""
    why = PAUSED.get(table.row.paused_by) if table.paused else None
    if why is None:
        return []
    if table.pause_ends is None:
        clocks = _("All clocks are stopped.")
    else:
        clocks = _("All clocks are stopped. They restart {when} or sooner.", when=f"<t:{table.pause_ends // 1_000}:R>")
    return [Text(f"-# ⏸ {_(why)} {clocks}")]


def absence_blocks(table: TableSnapshot, reader: Seat | None = None) -> list[Block]:
    """Return what the table message, or the page of `reader`, says about a running game beside the game itself: who is
    absent, what players propose, and the table's notice.
    """
    players = table.seated_players
    away = [player for player in players if player.caretaker]
    blocks = pause_blocks(table) if table.paused else []
    if table.asleep:
        blocks.append(Text(f"-# {_sleeping(table, [player for player in away if player.user is not None], reader)}"))
    elif away:
        blocks.append(Text(f"-# {_replaced(away, reader)}"))
    if any(player.user is not None and reader in (None, player.seat) for player in away):
        blocks.append(Row((Button(_("I'm back"), "back", style="success"),)))
    open_pardons = {one.seat for one in endings.pardonable(table)} if table.row.agreements is not None else set()
    if any(row.forfeit is not None and row.seat not in open_pardons for row in table.seats):
        places = seat_rules.certain_places(table.seats).items()
        words = _left(players, {seat: place for seat, place in places if seat not in open_pardons}, reader)
        if not open_pardons and _certain(table):
            (first,) = seat_rules.still_in(table.seats)
            decided = _("All places are decided: {name} is first, and can play on or leave.", name=players[first].bold)
            words.append(decided)
        blocks.append(Text(f"-# {' '.join(words)}"))
    if table.row.agreements is not None:
        blocks += agreement_pages.notes(table, reader)
    if reader is not None and table.lapsed:
        blocks += agreement_pages.warning_note(table, reader)
    if (notice := table.notice) is not None:
        blocks.append(Text(f"-# {notice}"))
    return blocks


def _replaced(away: Sequence[SeatedPlayer], reader: Seat | None) -> str:
    """Return for whom a computer plays."""
    others = [player for player in away if player.seat != reader]
    words = [_("A computer is playing for you.")] if len(others) < len(away) else []
    if others:
        words.append(_("A computer is playing for {names}.", names=_names(others)))
    return " ".join(words)


def _left(players: Sequence[SeatedPlayer], places: Mapping[Seat, int], reader: Seat | None) -> list[str]:
    """Return who left a rated game, and their places; on the page of a `reader` in short."""
    words = []
    own = None if reader is None else places.get(reader)
    if own is not None:
        words.append(_("You left the rated game: place {place}. That's final, even if you come back.", place=own))
    others = [
        _("{name} (place {place})", name=players[seat].bold, place=place)
        for seat, place in sorted(places.items())
        if seat != reader
    ]
    if others:
        left = ", ".join(others)
        if reader is None:
            words.append(_("Left the rated game: {names}. That's final, even if they come back.", names=left))
        else:
            words.append(_("Left the rated game: {names}.", names=left))
    return words


def _sleeping(table: TableSnapshot, away: Sequence[SeatedPlayer], reader: Seat | None) -> str:
    if [player.seat for player in away] == [reader]:
        words = _(
            "No one is here, so this table is on hold: no clock runs, no computer plays. It goes on when you press "
            "*I'm back* or move."
        )
    else:
        words = _(
            "No one is here, so this table is on hold: no clock runs, no computer plays. It goes on when {names} "
            "presses *I'm back* or moves.",
            names=either(player.bold for player in away),
        )
    if table.row.due is None:
        return words
    when = f"<t:{table.row.due // 1_000}:R>"
    if _certain(table):
        return f"{words} {_('Otherwise the table closes {when}, with the places as they are.', when=when)}"
    return f"{words} {_('Otherwise the table closes {when} without a result.', when=when)}"


def _certain(table: TableSnapshot) -> bool:
    return table.ranked and seat_rules.decided(table.seats)


def _names(players: Sequence[SeatedPlayer]) -> str:
    return listed(player.bold for player in players)


def warning(table: TableSnapshot) -> str:
    """Return the sentence with which a nudge ends if its players' clock is about to replace some of them."""
    waiting = table.view(None).to_act if table.playing else ()
    awaited = [row for row in table.seats if row.seat in waiting and seat_rules.is_present(row)]
    last = [row for row in awaited if seat_rules.next_timeout_replaces(row)]
    if not last:
        return ""
    after: Seats = table.seats
    for row in last:
        after = seat_rules.leave(after, Seat(row.seat))
    after = table.with_forfeits(after)
    you = len(last) == len(awaited)
    names = _names([table.seated_players[row.seat] for row in last])
    if any(after[row.seat].forfeit != row.forfeit for row in last):
        if you:
            return _("If that happens twice in a row, a computer takes over for you and you finish last")
        return ngettext(
            "If that happens twice in a row, a computer takes over for {names}, who finishes last",
            "If that happens twice in a row, a computer takes over for {names}, who finish last",
            len(last),
            names=names,
        )
    if seat_rules.deserted(after):
        if you and len(last) == 1:
            return _("If that happens twice in a row, the table is on hold until you're back")
        return _("If that happens twice in a row, the table is on hold until someone is back")
    if you:
        return _("If that happens twice in a row, a computer takes over for you")
    return _("If that happens twice in a row, a computer takes over for {names}", names=names)


def final_places(table: TableSnapshot) -> list[Block]:
    """Return the final places of a game that some players left; nothing if the game's own text says it all."""
    results = [result for result in table.results if result.reason != VOID]
    counted = any(result.reason == COUNTED for result in results)
    if not results or not (counted or any(row.forfeit is not None for row in table.seats)):
        return []
    players = table.seated_players
    taken = Counter(result.place for result in results)
    # Translators: follows a place that several players have.
    shared = _("shared")
    # Translators: follows the name of a player who left the game.
    left = _("left the game")
    places = " · ".join(
        f"{result.place}. {players[result.seat].bold}"
        + (f": {figure(result.score or 0)}" if counted else "")
        + (f" ({shared})" if taken[result.place] > 1 else "")
        + (f" ({left})" if table.seats[result.seat].forfeit else "")
        for result in sorted(results, key=lambda result: (result.place, result.seat))
    )
    if all(row.forfeit is None for row in table.seats):
        return [Text(places)]
    rule = _("Players who leave a rated game finish last.")
    return [Text(f"{places}\n-# {rule}")]


END_GAME = "end"
"""The argument of the control that ends a game which a person plays alone."""


def leave_page(ui: GameUI, table: TableSnapshot, seat: Seat) -> Page:
    """Return the question to a player who wants to leave, with what follows from it."""
    if table.practice:
        words = _("This is practice, so it's never rated. You can't resume it later.")
        end = Button(_("End it"), "leave-sure", style="danger")
        return Page((Text(f"### {_('End the game?')}\n{words}"), Row((end,))), ui.colour)
    after = table.with_forfeits(seat_rules.leave(table.seats, seat))
    ends = table.ranked and seat_rules.decided(after) and seat_rules.deserted(after)
    head = _("End the game?") if ends else _("Leave the game?")
    label = _("End the game") if ends else _("Leave the game")
    ways = [Button(label, "leave-sure", style="danger")]
    follows = _follows(table, seat, after, ends)
    if table.alone:
        follows.append(_("*End the game* closes it right away."))
        ways.append(Button(_("End the game"), "leave-sure", END_GAME, style="danger"))
    return Page((Text(f"### {head}\n{' '.join(follows)}"), Row(tuple(ways))), ui.colour)


def _follows(table: TableSnapshot, seat: Seat, after: Seats, ends: bool) -> list[str]:
    place = seat_rules.certain_places(after).get(seat)
    words = []
    if ends:
        words.append(_("All places are decided and no one else is here, so the game ends with these places."))
    elif table.seats[seat].forfeit is not None:
        words.append(_("You already left this rated game once, so you keep place {place}.", place=place))
    elif place is not None:
        words.append(
            _(
                "This game is rated, and leaving means giving up: you get place {place} of {players}, even if you "
                "come back.",
                place=place,
                players=len(after),
            )
        )
    elif table.ranked and seat_rules.decided(after):
        words.append(_("You're first for good: everyone else has left the rated game."))
    if not ends and seat_rules.deserted(after):
        words.append(
            _(
                "No one else is here: if you leave, the table is on hold until someone is back. After {time} it closes "
                "without a result.",
                time=duration(SLEEPS_FOR_MS),
            )
        )
    elif not ends:
        words.append(_("A computer plays on for you, so no one has to wait. One button brings you back."))
    return words


ALREADY_AWAY = N_("You've already left. Press *I'm back* to return.")
"""What a player reads who wants to leave, and has left already. Their page says who plays for them."""


def left_text(table: TableSnapshot) -> str:
    """Return the line for a player who has left, above what their page says of the table and of their place."""
    return _("You left.") if table.playing else ""
