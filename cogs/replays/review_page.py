"""The pages of a review: the chart, everybody's accuracy, the turning points, and each of them at its moment."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cogs.core.ops.text_format import count, cut
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import GameReview, GameUI, TableContext
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.replays import chart
from cogs.replays.chart import Chart, percent
from cogs.replays.replay_position import ReplayPosition, revealed_picture
from engine.review import JudgedDecision, Review, Tally, tallies, turning_points

MOST_NOTES = 8
"""The most lines that a game may add."""

MOST_SLIPS = 10
"""The most slips listed in addition to the turning points, the worst ones."""

LONGEST = 3_500
"""The characters of all texts together; a message may have 4,000."""

HARD_SPACE = "\u00a0"

HEAD = (
    "-# Judged by what each seat could know then: decisions, never luck. Accuracy 100% is always the best choice, 0% "
    "no better than drawing lots; where every choice was as good, nothing counts."
)

GRADED = "-# A slip gives chances to win away: 5 of a hundred are an inaccuracy, 10 a mistake, 15 a blunder."

NOTHING = "accuracy open, since hardly anything depended on their choices"

FLAWLESS = "Nobody gave anything away: no decision cost even two points of the chance to win."

TURNED = "**Turning points** – what gave most of the chance away, a slip or less"


def working_page(screen: GameUI, table: int, done: int, moves: int) -> Page:
    """Return the page shown while a review is being made, with its progress in moves; 0 is none yet."""
    ahead = f"There are {moves} moves to look at, perhaps after those of another game …"
    how_far = f"Looking at move {done} of {moves} …" if done else ahead
    words = f"### Review of table {table}\n{how_far}\n-# Every decision is weighed anew, which may take half a minute."
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
        Text(f"### Review of table {table}\n-# {screen.game.title}\n{HEAD}"),
        chart.draw(_chart(review, turns, counts, info), f"review-{table}.png"),
        Text(
            "\n".join(
                [*(_accuracy_text(one, info) for one in counts), *([GRADED] if any(map(_slip_count, counts)) else [])]
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
    ways = [Button(f"See {number}", "review", f"see.{number}", style="primary") for number in range(1, len(turns) + 1)]
    blocks.append(Row((*ways, Button("Replay", "replay", ReplayPosition(0, None).argument("r")))))
    return Page(tuple(blocks), screen.colour)


def moment_page(
    screen: GameUI, words: GameReview, review: Review, states: Sequence[Any], info: TableContext, number: int
) -> Page | None:
    """Return one turning point at its moment, or None if there is no such one.

    It has the board and the hand as they were, the action, the better one, and the board after the action. Draws: never
    on the event loop.
    """
    turns = turning_points(review)
    if not 0 < number <= len(turns):
        return None
    one = turns[number - 1]
    before, after, game = states[one.step - 1], states[one.step], screen.game
    head = f"### Turning point {number} of {len(turns)}\n-# {game.title}, table {info.id} · moment {one.step - 1}"
    as_it_was = screen.picture(game.view(before, None), info)
    blocks: list[Block | None] = [Text(head), as_it_was]
    if kept := screen.secret_summary(game.view(before, one.seat)):
        blocks.append(Text(cut(f"-# What {info.name(one.seat)} alone knew: {kept}", LONGEST // 3)))
    blocks.append(Text("\n".join(_decision_text(screen, words, one, states, info))))
    came_of_it = revealed_picture(screen, after, info)
    if as_it_was is not None and came_of_it is not None and came_of_it.data != as_it_was.data:
        what = "What was done, and the truth" if screen.reveals_at_end else "What was done"
        blocks += [Text(f"**{what}** · moment {one.step}"), replace(came_of_it, name=f"after-{came_of_it.name}")]
    ways = [
        Button(label, "review", argument, disabled=not 0 < to <= len(turns))
        for label, to, argument in (("◀", number - 1, f"see.{number - 1}"), ("▶", number + 1, f"see.{number + 1}"))
    ]
    there = Button("In the replay", "replay", ReplayPosition(one.step - 1, one.seat).argument(f"r{number}"))
    blocks.append(Row((*(ways if len(turns) > 1 else ()), Button("Review", "review", "back", style="primary"), there)))
    return Page(tuple(block for block in blocks if block is not None), screen.colour)


def _accuracy_text(tally: Tally, info: TableContext) -> str:
    """The accuracy of a seat in words."""
    name = info.name(tally.seat)
    how_well = NOTHING if tally.accuracy is None else f"accuracy **{round(tally.accuracy)}%**"
    slips = [
        count(number, one, many)
        for number, one, many in (
            (tally.blunders, "blunder", "blunders"),
            (tally.mistakes, "mistake", "mistakes"),
            (tally.inaccuracies, "inaccuracy", "inaccuracies"),
        )
        if number
    ]
    many = f"{count(_slip_count(tally), 'slip')}: {', '.join(slips)}" if slips else "no slip"
    return f"{name}: {how_well} · {many}"


def _slip_count(tally: Tally) -> int:
    """The number of a seat's slips."""
    return tally.blunders + tally.mistakes + tally.inaccuracies


def _turning_points(
    screen: GameUI, words: GameReview, turns: Sequence[JudgedDecision], states: Sequence[Any], info: TableContext
) -> Iterator[Text]:
    """The action at each turning point, the better one, the difference, and why."""
    if not turns:
        yield Text(FLAWLESS)
    for number, one in enumerate(turns, 1):
        first, *more = _decision_text(screen, words, one, states, info)
        head = [TURNED] if number == 1 else []
        yield Text("\n".join([*head, f"**{number}** {first}", *more]))


def _decision_text(
    screen: GameUI, words: GameReview, one: JudgedDecision, states: Sequence[Any], info: TableContext
) -> Iterator[str]:
    """The action, the better one, the difference, and why, line by line."""
    view = screen.game.view(states[one.step - 1], one.seat)
    played = words.action_text(view, screen.game.read_action(one.action), info)
    yield f"{_decision_name(one, info)}: {played} · {_unbroken(one.played)} to win"
    if one.better is not None:
        better = words.action_text(view, screen.game.read_action(one.better), info)
        gain = round(100 * one.best) - round(100 * one.played)
        yield f"Better: {better} · {_unbroken(one.best)}, {gain}{HARD_SPACE}more"
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
        view = screen.game.view(states[one.step - 1], one.seat)
        played = words.action_text(view, screen.game.read_action(one.action), info)
        line = f"-# Moment {one.step - 1}, {_decision_name(one, info)}: {played}, {_unbroken(one.played)} to win"
        if one.better is not None:
            line += (
                f"; better {words.action_text(view, screen.game.read_action(one.better), info)}, {_unbroken(one.best)}"
            )
        length -= len(emoji_markup.strip(line))
        if length < 0:
            break
        lines[one.step] = line
    if not lines:
        return f"-# Other slips: {len(slips)}."
    left = len(slips) - len(lines)
    more = [f"-# … and {left} more."] if left else []
    return "\n".join(["**Other slips**", *(lines[step] for step in sorted(lines)), *more])


def _decision_name(one: JudgedDecision, info: TableContext) -> str:
    """Return whose decision it was, and its grade if it was a slip."""
    return info.name(one.seat) + (f", {one.grade}" if one.grade is not None else "")


def _unbroken(chance: float) -> str:
    """Return a chance without a line break in it."""
    return percent(chance).replace(" ", HARD_SPACE)


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
        f"Review of table {info.id}",
        review.points[-1].step,
        tuple(course(seat) for seat in seats),
        info.distinct_names,
        counts,
        tuple(turns),
    )
