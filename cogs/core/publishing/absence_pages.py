"""Texts about players who are absent, leave or have left."""

from collections import Counter
from collections.abc import Mapping

from cogs.core.ops.text_format import duration
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
    "connection": "The bot has lost its connection to Discord.",
    "api": "Discord is not answering the bot.",
    "timeout": "A moderator has timed the bot out on this server, so nobody can move.",
    "locked": "This thread is locked, so nobody can move.",
    "permissions": "The bot may not post in this channel any more, so nobody can move.",
}
"""Why a table is paused."""


def pause_blocks(table: TableSnapshot) -> list[Block]:
    """Return what the pages of an open table say while it cannot be played."""
    why = PAUSED.get(table.row.paused_by) if table.paused else None
    if why is None:
        return []
    until = "" if table.pause_ends is None else f" They run again <t:{table.pause_ends // 1_000}:R> at the latest."
    return [Text(f"-# ⏸ {why} All clocks have stopped.{until}")]


def absence_blocks(table: TableSnapshot, reader: Seat | None = None) -> list[Block]:
    """Return what the table message, or the page of `reader`, says about players who are absent from a running game."""
    players = table.seated_players
    away = [player for player in players if player.caretaker]
    blocks = pause_blocks(table) if table.paused else []
    if table.asleep:
        blocks.append(Text(f"-# {_sleeping(table, [player for player in away if player.user is not None])}"))
    elif away:
        blocks.append(Text(f"-# A computer plays for {_names(away)}."))
    if any(player.user is not None and reader in (None, player.seat) for player in away):
        blocks.append(Row((Button("I am back", "back", style="success"),)))
    open_pardons = {one.seat for one in endings.pardonable(table)} if table.row.agreements is not None else set()
    if any(row.forfeit is not None and row.seat not in open_pardons for row in table.seats):
        places = seat_rules.certain_places(table.seats).items()
        final_places = sorted((seat, place) for seat, place in places if seat not in open_pardons)
        already_away_text = ", ".join(f"{players[seat].bold} (place {place})" for seat, place in final_places)
        words = f"Left the ranked game: {already_away_text}. That is final, also for those who come back."
        blocks.append(Text(f"-# {words}{'' if open_pardons else _certain(table, players)}"))
    if table.row.agreements is not None:
        blocks += agreement_pages.notes(table, reader)
    if reader is not None and table.lapsed:
        blocks += agreement_pages.warning_note(table, reader)
    return blocks


def _sleeping(table: TableSnapshot, away: list[SeatedPlayer]) -> str:
    how = "with the places as they are" if _certain(table, table.seated_players) else "without a result"
    ends = "" if table.row.due is None else f" Otherwise the table closes <t:{table.row.due // 1_000}:R>, {how}."
    return (
        "Nobody plays here now, so this table sleeps: no clock runs, and no computer plays. It goes on as soon as "
        f"{_names(away, 'or')} presses *I am back*, or moves.{ends}"
    )


def _certain(table: TableSnapshot, players: tuple[SeatedPlayer, ...]) -> str:
    if not (table.ranked and seat_rules.decided(table.seats)):
        return ""
    (first,) = seat_rules.still_in(table.seats)
    return f" So every place is certain: {players[first].bold} is first, and may play on or leave."


def _names(players: list[SeatedPlayer], conjunction: str = "and") -> str:
    *most, last = [player.bold for player in players] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def warning(table: TableSnapshot) -> str:
    """Return the end of a nudge if its players' clock is about to replace some of them."""
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
    who = "you" if you else _names([table.seated_players[row.seat] for row in last])
    then = f"a computer takes over for {who}"
    if any(after[row.seat].forfeit != row.forfeit for row in last):
        then += f", and {who} {'take' if you or len(last) > 1 else 'takes'} the last place"
    elif seat_rules.deserted(after):
        then = f"the table sleeps until {'you are' if you and len(last) == 1 else 'somebody is'} back"
    return f". If that happens a second time in a row, {then}"


def final_places(table: TableSnapshot) -> list[Block]:
    """Return the final places of a game that some players left; nothing if the game's own text says it all."""
    results = [result for result in table.results if result.reason != VOID]
    counted = any(result.reason == COUNTED for result in results)
    if not results or not (counted or any(row.forfeit is not None for row in table.seats)):
        return []
    players = table.seated_players
    taken = Counter(result.place for result in results)
    lines = [
        f"{result.place}. {players[result.seat].bold}"
        + (f" · {result.score}" if counted else "")
        + (" – shared" if taken[result.place] > 1 else "")
        + (" – left" if table.seats[result.seat].forfeit else "")
        for result in sorted(results, key=lambda result: (result.place, result.seat))
    ]
    if any(row.forfeit is not None for row in table.seats):
        lines.append(
            "-# Whoever leaves a ranked game takes the last place among those still in, whatever the board says."
        )
    return [Text("\n".join(lines))]


END_GAME = "end"
"""The argument of the control that ends a game which a person plays alone."""


def leave_page(ui: GameUI, table: TableSnapshot, seat: Seat) -> Page:
    """Return the question to a player who wants to leave, with what follows from it."""
    if table.practice:
        words = "### End the game?\nNothing of it counts, and it cannot be taken up again."
        return Page((Text(words), Row((Button("End it", "leave-sure", style="danger"),))), ui.colour)
    after = table.with_forfeits(seat_rules.leave(table.seats, seat))
    ends = table.ranked and seat_rules.decided(after) and seat_rules.deserted(after)
    head, label = ("End the game?", "End the game") if ends else ("Leave the game?", "Leave the game")
    ways = [Button(label, "leave-sure", style="danger")]
    follows = _follows(table, seat, after, ends)
    if not ends and table.alone:
        follows.append("*End the game* closes it at once.")
        ways.append(Button("End the game", "leave-sure", END_GAME, style="danger"))
    return Page((Text(f"### {head}\n{' '.join(follows)}"), Row(tuple(ways))), ui.colour)


def _follows(table: TableSnapshot, seat: Seat, after: Seats, ends: bool) -> list[str]:
    place = seat_rules.certain_places(after).get(seat)
    words = []
    if ends:
        words.append("Every place is certain, and nobody else is here to play on. The game ends with these places.")
    elif table.seats[seat].forfeit is not None:
        words.append(f"You have left this ranked game before, and place {place} stays yours.")
    elif place is not None:
        words.append(
            f"This game is ranked, and leaving counts as giving up: you take place {place} of {len(after)}, for good, "
            "also if you come back."
        )
    elif table.ranked and seat_rules.decided(after):
        words.append("You are first, for good: everybody else has left the ranked game.")
    if not ends and seat_rules.deserted(after):
        words.append(
            "Nobody else is here, so the table sleeps until somebody is back; after "
            f"{duration(SLEEPS_FOR_MS)} it closes without a result."
        )
    elif not ends:
        words.append("A computer plays on for you, so nobody is held up. You can come back with one button.")
    return words


def already_away_text(table: TableSnapshot) -> str:
    """Return the sentence for a player who wants to leave, and has left already."""
    if table.asleep:
        return "You are away already, and the table sleeps. With *I am back* it goes on."
    return "You are away already, and a computer plays for you. *I am back* takes over again."


def left_text(table: TableSnapshot, seat: Seat) -> str:
    """Return the line for a player who has left, if their updated page does not say it all."""
    place = seat_rules.certain_places(table.seats).get(seat)
    final = "" if place is None else f" You take place {place} of {len(table.seats)}."
    if not table.playing:
        return ""
    if table.asleep:
        return f"You have left, and the table sleeps now. With *I am back* it goes on.{final}"
    return f"You have left, and a computer plays for you now. *I am back* takes over again.{final}"
