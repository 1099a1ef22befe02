"""The pages of a review: the chart, everybody's accuracy, the turning points, and each of them at its move."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import cut, percent
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import GameReview, GameUI, TableContext
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.replays import chart
from cogs.replays.chart import Chart, chance
from cogs.replays.replay_position import ReplayPosition, revealed_picture
from engine.review import Grade, JudgedDecision, Review, Tally, tallies, turning_points

MOST_NOTES = 8
"""The most lines that a game may add."""

MOST_SLIPS = 10
"""The most slips listed in addition to the turning points, the worst ones."""

LONGEST = 3_500
"""The characters of all texts together; a message may have 4,000."""

HEAD = N_(
    "-# This judges decisions, never luck, by what each player could know at the time. Accuracy 100% means always the "
    "best choice, 0% no better than random. Choices that were all equally good don't count."
)

GRADED = N_("-# A slip costs chance to win: 5% or more is an inaccuracy, 10% a mistake, 15% a blunder.")

FLAWLESS = N_("No one gave anything away: no decision cost even 2% of the chance to win.")

TURNED = N_("**Turning points** – the decisions that cost the most, slips or not")

GRADES: dict[Grade, str] = {"blunder": N_("blunder"), "mistake": N_("mistake"), "inaccuracy": N_("inaccuracy")}


def working_page(screen: GameUI, table: int, done: int, moves: int) -> Page:
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
    return Page((Text(words),), screen.colour)


def review_page(
    screen: GameUI,
    words: GameReview,
    review: Review,
    states: Sequence[Any],
    info: TableContext,
) -> Page:
    """Return the review of a finished game. Draws: never on the event loop."""
    table, turns, counts = info.id, turning_points(review), tallies(review)
    blocks: list[Block] = [
        Text(f"{_review_title(table)}\n-# {screen.game.title}\n{_(HEAD)}"),
        chart.draw(_chart(review, turns, counts, info), f"review-{table}.png"),
        Text(
            "\n".join(
                [
                    *(_accuracy_text(one, info) for one in counts),
                    *([_(GRADED)] if any(map(_slip_count, counts)) else []),
                ]
            )
        ),
        *_turning_points(screen, words, turns, states, info),
    ]
    notes = [] if words.noted is None else [words.noted(note, info) for note in review.notes[:MOST_NOTES]]
    if notes:
        blocks.append(Text("\n".join(notes)))
    length = LONGEST - sum(len(emoji_markup.strip(block.body)) for block in blocks if isinstance(block, Text))
    if slips := _slips(screen, words, review, turns, states, info, length):
        blocks.append(Text(slips))
    ways = [
        Button(_("See {number}", number=number), "review", f"see.{number}", style="primary")
        for number in range(1, len(turns) + 1)
    ]
    blocks.append(Row((*ways, Button(_("Replay"), "replay", ReplayPosition(0, None).argument("r")))))
    return Page(tuple(blocks), screen.colour)


def moment_page(
    screen: GameUI, words: GameReview, review: Review, states: Sequence[Any], info: TableContext, number: int
) -> Page | None:
    """Return one turning point at its move, or None if there is no such one.

    It has the board and the hand as they were, the action, the better one, and the board after the action. Draws: never
    on the event loop.
    """
    turns = turning_points(review)
    if not 0 < number <= len(turns):
        return None
    one = turns[number - 1]
    before, after, game = states[one.step - 1], states[one.step], screen.game
    head = _(
        "### Turning point {number} of {last}\n-# {game}, table {table} · move {move}",
        number=number,
        last=len(turns),
        game=game.title,
        table=info.id,
        move=one.step - 1,
    )
    as_it_was = screen.picture(game.view(before, None), info)
    blocks: list[Block | None] = [Text(head), as_it_was]
    if kept := screen.secret_summary(game.view(before, one.seat)):
        knew = _("-# What only {player} knew: {secret}", player=info.name(one.seat), secret=kept)
        blocks.append(Text(cut(knew, LONGEST // 3)))
    blocks.append(Text("\n".join(_decision_text(screen, words, one, states, info))))
    came_of_it = revealed_picture(screen, after, info)
    if as_it_was is not None and came_of_it is not None and came_of_it.data != as_it_was.data:
        if screen.reveals_at_end:
            what = _("**What happened, and the truth** · move {move}", move=one.step)
        else:
            what = _("**What happened** · move {move}", move=one.step)
        blocks += [Text(what), replace(came_of_it, name=f"after-{came_of_it.name}")]
    ways = [
        Button(label, "review", argument, disabled=not 0 < to <= len(turns))
        for label, to, argument in (("◀", number - 1, f"see.{number - 1}"), ("▶", number + 1, f"see.{number + 1}"))
    ]
    there = Button(_("Open in replay"), "replay", ReplayPosition(one.step - 1, one.seat).argument(f"r{number}"))
    blocks.append(
        Row((*(ways if len(turns) > 1 else ()), Button(_("Back to review"), "review", "back", style="primary"), there))
    )
    return Page(tuple(block for block in blocks if block is not None), screen.colour)


def _accuracy_text(tally: Tally, info: TableContext) -> str:
    """The accuracy of a seat in words."""
    name, total = info.name(tally.seat), _slip_count(tally)
    if tally.accuracy is None:
        how_well = _("{player}: no accuracy, since hardly anything depended on their choices", player=name)
    else:
        how_well = _("{player}: accuracy **{accuracy}**", player=name, accuracy=percent(round(tally.accuracy)))
    if not total:
        return f"{how_well} · {_('no slips')}"
    kinds = [
        *([ngettext("{n} blunder", "{n} blunders", tally.blunders)] if tally.blunders else ()),
        *([ngettext("{n} mistake", "{n} mistakes", tally.mistakes)] if tally.mistakes else ()),
        *([ngettext("{n} inaccuracy", "{n} inaccuracies", tally.inaccuracies)] if tally.inaccuracies else ()),
    ]
    slips = ngettext("{n} slip: {kinds}", "{n} slips: {kinds}", total, kinds=", ".join(kinds))
    return f"{how_well} · {slips}"


def _slip_count(tally: Tally) -> int:
    """The number of a seat's slips."""
    return tally.blunders + tally.mistakes + tally.inaccuracies


def _turning_points(
    screen: GameUI, words: GameReview, turns: Sequence[JudgedDecision], states: Sequence[Any], info: TableContext
) -> Iterator[Text]:
    """The action at each turning point, the better one, the difference, and why."""
    if not turns:
        yield Text(_(FLAWLESS))
    for number, one in enumerate(turns, 1):
        first, *more = _decision_text(screen, words, one, states, info)
        head = [_(TURNED)] if number == 1 else []
        yield Text("\n".join([*head, f"**{number}** {first}", *more]))


def _decision_text(
    screen: GameUI, words: GameReview, one: JudgedDecision, states: Sequence[Any], info: TableContext
) -> Iterator[str]:
    """The action, the better one, the difference, and why, line by line."""
    view = screen.game.view(states[one.step - 1], one.seat)
    played = words.action_text(view, screen.game.read_action(one.action), info)
    facts = {"player": info.name(one.seat), "move": played, "chance": chance(one.played)}
    if one.grade is None:
        yield _("{player}: {move} · {chance} to win", **facts)
    else:
        yield _("{player}, {grade}: {move} · {chance} to win", **facts, grade=_(GRADES[one.grade]))
    if one.better is not None:
        better = words.action_text(view, screen.game.read_action(one.better), info)
        gain = round(100 * one.best) - round(100 * one.played)
        yield _("Better: {move} · {chance} (+{gain})", move=better, chance=chance(one.best), gain=percent(gain))
    if because := words.because(view, one, info):
        yield f"-# {because}"


def _slips(
    screen: GameUI,
    words: GameReview,
    review: Review,
    turns: Sequence[JudgedDecision],
    states: Sequence[Any],
    info: TableContext,
    length: int,
) -> str:
    """The counted slips that are no turning points, the worst of them a line each within this many characters, and the
    number of the rest; empty if there are none.
    """
    slips = [one for one in review.judged if one.grade is not None and one not in turns]
    if not slips:
        return ""
    lines: dict[int, str] = {}  # by step
    for one in sorted(slips, key=lambda one: -one.lost)[:MOST_SLIPS]:
        line = _slip_line(screen, words, one, states, info)
        length -= len(emoji_markup.strip(line))
        if length < 0:
            break
        lines[one.step] = line
    if not lines:
        return _("-# Other slips: {number}.", number=len(slips))
    left = len(slips) - len(lines)
    more = [ngettext("-# … and {n} more.", "-# … and {n} more.", left)] if left else []
    return "\n".join([_("**Other slips**"), *(lines[step] for step in sorted(lines)), *more])


def _slip_line(
    screen: GameUI, words: GameReview, one: JudgedDecision, states: Sequence[Any], info: TableContext
) -> str:
    assert one.grade is not None
    view = screen.game.view(states[one.step - 1], one.seat)
    facts = {
        "number": one.step - 1,
        "player": info.name(one.seat),
        "grade": _(GRADES[one.grade]),
        "move": words.action_text(view, screen.game.read_action(one.action), info),
        "chance": chance(one.played),
    }
    if one.better is None:
        return _("-# Move {number}, {player}, {grade}: {move}, {chance} to win", **facts)
    better = words.action_text(view, screen.game.read_action(one.better), info)
    return _(
        "-# Move {number}, {player}, {grade}: {move}, {chance} to win; better: {better}, {best}",
        **facts,
        better=better,
        best=chance(one.best),
    )


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
