"""The picture of the end of a Break-Out game: who escaped, who stays, and the score sheet; and its story, in which the
rounds are counted and the winner runs.
"""

from collections.abc import Sequence

from cogs.break_out import scenery, sprites
from cogs.break_out.scenery import YARD
from cogs.break_out.score_sheet import LINE, paste_table, sheet_alt
from cogs.core.drawing.animation import Frame, story_of
from cogs.core.drawing.canvas import Canvas, fitted_name, text_width
from cogs.core.drawing.composition import Bitmap, Composition
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn, mark_bitmap
from cogs.core.drawing.theme import INK, LAMP, WIDTH
from cogs.core.i18n.translation import ngettext
from cogs.core.ops.text_format import count, listed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from engine.games.break_out import RoundScore
from engine.turns import places

_SCENE = 330  # the height of the scene
_ROUND_MS = 600
"""How long the story shows each round."""


def draw_end(
    sheet: Sequence[RoundScore], scores: Sequence[int], rounds: int, names: Sequence[str], final: Sequence[int] = ()
) -> bytes:
    """Return the end of a game as a PNG: who escaped, who stays, and the score sheet by places.

    `final` has the places if some players had left. The same facts give the same bytes. Thread-safe.
    """
    return encode(_end_sheet(sheet, scores, rounds, names, final, None))


def draw_story(
    sheet: Sequence[RoundScore], scores: Sequence[int], rounds: int, names: Sequence[str], final: Sequence[int] = ()
) -> bytes | None:
    """Return the end as an animated GIF: all are behind bars while the rounds are counted, and then the winner runs.

    The same facts give the same bytes. Thread-safe.
    """
    facts = sheet, scores, rounds, names, final
    frames = [Frame(_end_sheet(*facts, counted), _ROUND_MS) for counted in range(len(sheet) + 1)]
    frames.append(Frame(_end_sheet(*facts, len(sheet), leaving=True), _ROUND_MS))
    return story_of(_end_sheet(*facts), frames)


def _end_sheet(
    sheet: Sequence[RoundScore],
    scores: Sequence[int],
    rounds: int,
    names: Sequence[str],
    final: Sequence[int],
    counted: int | None = None,
    *,
    leaving: bool = False,
) -> Composition:
    """Return the end, or its story when so many rounds are counted, and perhaps the winners are `leaving`."""
    ranks = final or places(scores)
    order = sorted(range(len(scores)), key=lambda seat: (ranks[seat], seat))
    winners = tuple(seat for seat in order if ranks[seat] == 1)
    losers = tuple(seat for seat in order if ranks[seat] > 1)
    shown = sprites.blank(_SCENE + LINE * (len(scores) + 1) + 14, YARD)
    if counted is None:
        shown.paste(_winners_scene(winners, losers, False), (0, 0))
        _title(shown, [fitted_name(names[seat], 44, 430 / len(winners)) for seat in winners], winners)
    else:
        scene = _winners_scene(winners, losers, True) if leaving else _winners_scene((), (*losers, *winners), False)
        shown.paste(scene, (0, 0))
        sheet, ranks = sheet[:counted], (0,) * len(scores)
        scores = [sum(row.points[seat] for row in sheet) for seat in range(len(scores))]
    paste_table(shown, _SCENE, sheet, scores, rounds, names, order, ranks)
    return shown


@drawn
def _winners_scene(winners: tuple[int, ...], losers: tuple[int, ...], leaving: bool) -> Bitmap:
    canvas = Canvas(WIDTH, _SCENE, INK)
    scenery.draw_escape(canvas, _SCENE, winners, losers, leaving=leaving)
    return sprites.palette().bitmap(canvas)


def _title(sheet: Composition, names: Sequence[str], winners: Sequence[int]) -> None:
    """The winners, in the sky; without names if some cannot be drawn."""
    if all(names):
        words = ngettext("{players} WINS", "{players} SHARE THE WIN", len(names), players=" & ".join(names))
    else:
        words = ngettext("WINS", "SHARE THE WIN", len(names))
    left, size = 22, 42
    for seat in winners:
        mark = mark_bitmap(sprites.palette(), seat, scenery.TITLE)
        sheet.paste(mark, (left, 42 - mark.height // 2))
        left += 40
    while size > 24 and text_width(words, size) > 640 - left:
        size -= 2
    sprites.set_text(sheet, left + 4, 42, words, size, LAMP, scenery.TITLE, "l")


def end_alt(sheet: Sequence[RoundScore], scores: Sequence[int], names: Sequence[str], final: Sequence[int] = ()) -> str:
    """Return the end of a game in words: the winners first, then the score sheet."""
    first = [seat for seat, rank in enumerate(final or places(scores)) if rank == 1]
    won = ngettext(
        "{players} wins with {points}.",
        "{players} share the win with {points}.",
        len(first),
        players=listed(shortened(names[seat], 30) for seat in first),
        points=listed(count(score, "point") for score in sorted({scores[seat] for seat in first})),
    )
    return join_within([won, sheet_alt(sheet, scores, names)])
