"""The great moments of Break-Out: a break-out, a catch, a wrong call, a won round, the escape at the end."""

from functools import lru_cache
from typing import Literal, assert_never

from cogs.break_out import scenery, sprites
from cogs.break_out.cards import CARD, draw_back
from cogs.break_out.scenery import SKY, YARD
from cogs.core.drawing.canvas import Canvas, outline
from cogs.core.drawing.people import draw_arms_up, draw_body, draw_head
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, SEAT_MARKS, STONE, mix
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_ui import Highlight, TableContext
from cogs.core.pages.page import Picture
from engine.contract import Seat
from engine.games.break_out import BreakOut, BreakOutView

Scene = Literal["out", "caught", "wrong", "won", "locked"]

SIZE = 144
"""The width and height of a small picture, twice what a phone shows."""


def highlight(view: BreakOutView, info: TableContext) -> Highlight | None:
    """Return the great moment that has just been, for the reader of this view. It tells what everybody saw."""
    if view.phase == "over":
        return _escape(view, info)
    if view.finished is not None:
        return _round(view, info)
    last = next((note for note in reversed(view.notes) if not note.private), None)
    if last is not None and isinstance(last.play, BreakOut) and view.out[last.seat]:
        mine = last.seat == view.seat
        words = _("You broke out!") if mine else _("{player} broke out!", player=info.name(last.seat))
        return Highlight(words, _picture("out", last.seat, _("A prisoner climbs out under the moon.")))
    if view.catch is not None:
        return _catch(view, view.catch.catcher, view.catch.caught, info)
    if last is None:
        return None
    if last.kind == "wrong" and last.other is not None:
        call = f"{(last.call or '').upper()}!"
        if last.seat == view.seat:
            words = _("Your {call} was wrong", call=call)
        else:
            words = _("{player}'s {call} was wrong", player=info.name(last.seat), call=call)
        return Highlight(words, _picture("wrong", last.seat, _("A player takes a card.")) if last.count else None)
    return None


def _catch(view: BreakOutView, catcher: Seat, caught: Seat, info: TableContext) -> Highlight:
    if catcher == view.seat:
        words = _("You caught {player}!", player=info.name(caught))
    elif caught == view.seat:
        words = _("{player} caught you!", player=info.name(catcher))
    else:
        words = _("{player} caught {other}!", player=info.name(catcher), other=info.name(caught))
    return Highlight(words, _picture("caught", caught, _("A prisoner in the searchlight.")))


def _round(view: BreakOutView, info: TableContext) -> Highlight | None:
    finished = view.finished
    if finished is None:
        return None
    if finished.winner is None:
        words = _("No one won round {number}", number=finished.number)
        return Highlight(words, _picture("locked", Seat(0), _("A cell's door, locked.")))
    if finished.winner == view.seat:
        words = _("You won round {number}!", number=finished.number)
    else:
        words = _("{player} won round {number}!", player=info.name(finished.winner), number=finished.number)
    return Highlight(words, _picture("won", finished.winner, _("A prisoner with arms up, and a star.")))


def _escape(view: BreakOutView, info: TableContext) -> Highlight:
    winners = info.best(view.scores, fewest=True)
    names = listed([info.name(seat) for seat in winners])
    words = ngettext("{names} has escaped!", "{names} have escaped!", len(winners), names=names)
    if winners == [view.seat]:
        words = _("You have escaped!")
    return Highlight(words, _picture("won", winners[0], _("A prisoner with arms up, and a star.")))


# ------------------------------------------------------------------------------------------------------ small pictures


def _picture(scene: Scene, seat: Seat, alt: str) -> Picture:
    return Picture(_drawn(scene, seat), f"{scene}-{seat}.png", alt)


@lru_cache(maxsize=32)
def _drawn(scene: Scene, seat: Seat) -> bytes:
    """Return a small picture without words. Thread-safe."""
    canvas, colour = Canvas(SIZE, SIZE, INK), SEAT_MARKS[seat].colour
    middle = SIZE / 2
    match scene:
        case "out":
            _night(canvas)
            canvas.box(0, 96, SIZE, SIZE, mix(STONE, INK, 0.35))
            for brick in range(0, SIZE, 48):
                canvas.box(brick + 2, 98, brick + 46, 118, mix(STONE, INK, 0.15))
                canvas.box(brick - 22, 122, brick + 22, SIZE, mix(STONE, INK, 0.15))
            draw_arms_up(canvas, middle, 74, 54, colour)
            draw_body(canvas, middle, 66, 54, 98)
            draw_head(canvas, middle, 42, 24, colour, "glad")
        case "caught":
            canvas.area([(middle - 12, 0), (middle + 12, 0), (SIZE, SIZE), (0, SIZE)], mix(LAMP, ALARM, 0.25))
            draw_body(canvas, middle, 92, 74, SIZE)
            draw_head(canvas, middle, 64, 34, colour, "shocked")
            for x in (14, 40, SIZE - 40, SIZE - 14):
                canvas.box(x - 5, 0, x + 5, SIZE, INK)
                canvas.box(x - 3, 0, x + 2, SIZE, mix(STONE, ASH, 0.5))
        case "wrong":
            canvas.box(0, 0, SIZE, SIZE, mix(ALARM, INK, 0.6))
            draw_body(canvas, 46, 98, 66, SIZE)
            draw_head(canvas, 46, 70, 30, colour, "grim")
            draw_back(canvas, SIZE - CARD[0] - 6, 10, CARD)
            canvas.text(SIZE - CARD[0] / 2 - 6, 10 + CARD[1] / 2, "+1", 40, CHALK, halo=INK)
        case "won":
            _night(canvas)
            canvas.box(0, 118, SIZE, SIZE, YARD)
            draw_arms_up(canvas, middle, 90, 56, colour)
            draw_body(canvas, middle, 82, 56, 136)
            draw_head(canvas, middle, 58, 24, colour, "glad")
            canvas.area(outline("star", 26, 26, 20), LAMP)
        case "locked":
            canvas.box(10, 10, SIZE - 10, SIZE, mix(STONE, INK, 0.5), 6)
            canvas.box(22, 22, SIZE - 22, SIZE, INK, 4)
            for x in range(34, SIZE - 22, 19):
                canvas.box(x - 4, 22, x + 4, SIZE, mix(STONE, ASH, 0.5))
            canvas.box(middle - 26, 66, middle + 26, 112, INK, 8)
            canvas.box(middle - 22, 70, middle + 22, 108, LAMP, 6)
            canvas.disc(middle, 86, 7, INK)
            canvas.box(middle - 3, 86, middle + 3, 100, INK)
        case _:
            assert_never(scene)
    if scene == "locked":
        return encode_image(sprites.palette().fitted(canvas.picture()))
    canvas.mark(SEAT_MARKS[seat], SIZE - 18, SIZE - 18, 13, letter=False)
    return encode_image(sprites.palette().fitted(canvas.picture()))


def _night(canvas: Canvas) -> None:
    canvas.box(0, 0, SIZE, SIZE, mix(INK, scenery.TITLE, 0.4))
    canvas.disc(SIZE - 32, 34, 22, CHALK)
    canvas.disc(SIZE - 40, 28, 18, mix(INK, scenery.TITLE, 0.4))
    for x, y in ((16, 60), (54, 14), (96, 70), (SKY % SIZE, 96)):
        canvas.disc(x, y, 1.6, ASH)
