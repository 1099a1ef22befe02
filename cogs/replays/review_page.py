"""The whole review of a game: everybody's chance to win and accuracy, and on a second page all slips and notes."""

from collections.abc import Sequence

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import percent
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.replays import chart
from cogs.replays.chart import Chart, chance
from cogs.replays.moment_page import EVERYBODY, GRADES, MINE, ReviewedGame, stops
from cogs.replays.replay_position import ReplayPosition
from engine.contract import Seat
from engine.review import JudgedDecision, Review, Tally, tallies
from engine.review.calibration import MEASURED
from engine.review.moments import turning_points

MOST_NOTES = 6
"""The most lines that a game may add."""

MOST_SLIPS = 6
"""The most slips listed, the worst ones."""

LONGEST = 3_500
"""The characters of all texts together; a message may have 4,000."""

HEAD = N_("-# Decisions are judged, never luck, by what each player could know. Random play gets about 25%.")

HEAD_WITHOUT = N_("-# Decisions are judged, never luck, by what each player could know.")

GRADED = N_("-# A slip costs chance to win: 5% or more is an inaccuracy, 10% a mistake, 15% a blunder.")

FLAWLESS = N_("No one gave anything away: no decision cost even 2% of the chance to win.")


def working_page(ui: GameUI, table: int, done: int, moves: int) -> Page:
    """Return the page shown while a review is being made, with its progress in moves; 0 is none yet."""
    if done:
        how_far = _("Looking at move {move} of {last} …", move=done, last=moves)
    else:
        how_far = ngettext(
            "{n} move to look at. Other reviews may come first …",
            "{n} moves to look at. Other reviews may come first …",
            moves,
        )
    note = _("-# Each decision is evaluated again, which can take half a minute.")
    words = f"{_review_title(table)}\n{how_far}\n{note}"
    return Page((Text(words),), ui.colour)


def review_page(game: ReviewedGame, reader: Seat | None) -> Page:
    """Return the chances and accuracies of a finished game for a reader. Draws: never on the event loop."""
    review, info = game.review, game.info
    turns, counts = turning_points(review), tallies(review, MEASURED.get(game.ui.game.key))
    measured = any(one.accuracy is not None for one in counts)
    title = f"{_head(game)}\n{_(HEAD if measured else HEAD_WITHOUT)}"
    lines = [_accuracy_text(one, info) for one in counts]
    if any(one.slips for one in counts):
        lines.append(_(GRADED))
    if not turns:
        lines.append(_(FLAWLESS))
    picture = chart.draw(_chart(review, turns, counts, info), f"review-{info.id}.png")
    return Page((Text(title), picture, Text("\n".join(lines)), *_ways(game, reader)), game.ui.colour)


def _ways(game: ReviewedGame, reader: Seat | None) -> tuple[Row, ...]:
    """Return the buttons that lead on."""
    ways: list[Button] = []
    if reader is not None and stops(game.review, reader):
        ways.append(Button(_("My moments"), "review", f"{MINE}.1", style="primary"))
    if stops(game.review, None):
        ways.append(Button(_("Turning points"), "review", f"{EVERYBODY}.1"))
    more = [Button(_("Slips"), "review", "slips")]
    if game.texts.noted is not None and game.review.notes:
        more.append(Button(_("Notes"), "review", "notes"))
    more.append(Button(_("Replay"), "replay", ReplayPosition(0, None).argument("r")))
    return (*([Row(tuple(ways))] if ways else ()), Row(tuple(more)))


def slips_page(game: ReviewedGame) -> Page:
    """Return the slips of everybody, as many as fit."""
    head = _head(game)
    slips = _slips(game, LONGEST - len(head)) or _("No slips.")
    return Page((Text(head), Text(slips), _back()), game.ui.colour)


def notes_page(game: ReviewedGame) -> Page:
    """Return what the game notes once everything is known."""
    noted = game.texts.noted
    notes = [] if noted is None else [noted(note, game.info) for note in game.review.notes[:MOST_NOTES]]
    return Page((Text(_head(game)), *([Text("\n".join(notes))] if notes else []), _back()), game.ui.colour)


def _back() -> Row:
    return Row((Button(_("Whole review"), "review", "all"),))


def _accuracy_text(tally: Tally, info: TableContext) -> str:
    """Return the accuracy of a seat in words."""
    name = info.name(tally.seat)
    if tally.accuracy is not None:
        name = _("{player}: accuracy **{accuracy}**", player=name, accuracy=percent(round(tally.accuracy)))
    if not tally.slips:
        return f"{name} · {_('no slips')}"
    kinds = [
        *([ngettext("{n} blunder", "{n} blunders", tally.blunders)] if tally.blunders else ()),
        *([ngettext("{n} mistake", "{n} mistakes", tally.mistakes)] if tally.mistakes else ()),
        *([ngettext("{n} inaccuracy", "{n} inaccuracies", tally.inaccuracies)] if tally.inaccuracies else ()),
    ]
    return f"{name} · {', '.join(kinds)}"


def _slips(game: ReviewedGame, length: int) -> str:
    """Return the counted slips, the worst of them a line each within this many characters, and the number of the rest;
    empty if there are none.
    """
    slips = [one for one in game.review.judged if one.grade is not None]
    if not slips:
        return ""
    lines: dict[int, str] = {}  # by step
    for one in sorted(slips, key=lambda one: -one.lost)[:MOST_SLIPS]:
        line = _slip_line(game, one)
        length -= len(emoji_markup.strip(line))
        if length < 0:
            break
        lines[one.step] = line
    if not lines:
        return _("-# Slips: {number}.", number=len(slips))
    left = len(slips) - len(lines)
    more = [ngettext("-# … and {n} more.", "-# … and {n} more.", left)] if left else []
    return "\n".join([_("**Slips**"), *(lines[step] for step in sorted(lines)), *more])


def _slip_line(game: ReviewedGame, one: JudgedDecision) -> str:
    assert one.grade is not None
    facts = {
        "number": one.step - 1,
        "player": game.info.name(one.seat),
        "grade": _(GRADES[one.grade]),
        "move": game.action_text(one, one.action),
        "chance": chance(one.played),
    }
    if one.better is None:
        return _("-# Move {number}, {player}, {grade}: {move}, {chance} to win", **facts)
    better = game.action_text(one, one.better)
    return _(
        "-# Move {number}, {player}, {grade}: {move}, {chance} to win; better: {better}, {best}",
        **facts,
        better=better,
        best=chance(one.best),
    )


def _head(game: ReviewedGame) -> str:
    return f"{_review_title(game.info.id)}\n-# {game.ui.title}"


def _review_title(table: int) -> str:
    return _("### Review of table {table}", table=table)


def _chart(review: Review, turns: Sequence[JudgedDecision], counts: tuple[Tally, ...], info: TableContext) -> Chart:
    seats = range(len(info.seated_players))
    first = info.places.count(1)
    ends = [(place == 1) / first for place in info.places] or review.points[-1].chances

    def course(seat: int) -> tuple[tuple[int, float], ...]:
        chances = {point.step: point.chances[seat] for point in review.points[:-1]}
        for one in turns:
            if one.seat == seat:
                chances |= {one.step - 1: one.best, one.step: one.played}
        return (*sorted(chances.items()), (review.points[-1].step, ends[seat]))

    return Chart(
        _("Review of table {table}", table=info.id),
        review.points[-1].step,
        tuple(course(seat) for seat in seats),
        info.distinct_names,
        counts,
        tuple(turns),
    )
