"""The offers in Prison Break's picture: cards face up with their terms, face down when used, with the two who vote.

All of it is public: votes appear on a card only once both are revealed.
"""

from dataclasses import dataclass
from typing import Literal

from cogs.core.drawing.canvas import Canvas, scaled_size, text_width
from cogs.core.drawing.theme import ASH, CHALK, INK, LAMP, SEAT_MARKS, SLATE, Colour, mix
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import signed
from cogs.prison_break.corridor import draw_token
from cogs.prison_break.words import OFFER_NAMES
from engine.games.prison_break import Effect, JointEffect, Kind, Terms

HEIGHT = 174
PAPER: Colour = (232, 220, 188)
YES: Colour = (28, 120, 76)
NO: Colour = (188, 44, 48)

_SHORT_NAMES: dict[Kind, str] = {**OFFER_NAMES, "bribe": N_("Bribe")}
_SIZE = 23  # of the text of the terms
_NAME_SIZE = 26


@dataclass(frozen=True)
class Ballot:
    """What a card shows of a vote on it: the two seats, each with its vote once revealed, before that whether
    it is in.
    """

    seats: tuple[int, int]
    votes: tuple[bool, bool] | None
    voted: tuple[bool, bool]


Vote = Literal["none", "open", "shown"]
"""The state of a card: not voted on, waiting for votes, or votes revealed."""


def draw_card(canvas: Canvas, left: int, right: int, top: int, terms: Terms, up: bool, vote: Vote) -> None:
    """Draw an offer: face up with its terms, face down with its name. Its lower end is left for a ballot."""
    _paper(canvas, left, right, top, up, vote == "open")
    middle, name = (left + right) / 2, fitting(terms.kind, right - left)
    size = scaled_size(name, _NAME_SIZE, right - left - 16)
    if up:
        canvas.text(middle, top + 26, name, size, INK)
        canvas.line([(left + 14, top + 44), (right - 14, top + 44)], 2, mix(PAPER, INK, 0.5), caps=False)
        first, pitch = (top + 70, 37) if vote == "none" else (top + 62, 27)
        _terms(canvas, left + 8, right, first, pitch, terms)
    else:
        canvas.text(middle, top + 26, name, size, ASH)
        canvas.box(middle - 46, top + 62, middle + 46, top + 98, INK, 8)
        # Translators: on an offer that was used and is face down.
        used = _("USED")
        canvas.text(middle, top + 80, used, scaled_size(used, 25, 84), ASH)


def fitting(kind: Kind, width: float) -> str:
    """Return an offer's name for a card of this width, shortened if there are many cards."""
    name = _(OFFER_NAMES[kind])
    return name if text_width(name, _NAME_SIZE) <= width - 24 else _(_SHORT_NAMES[kind])


def _paper(canvas: Canvas, left: int, right: int, top: int, up: bool, waiting: bool) -> None:
    """An empty card, framed while votes are awaited."""
    bottom = top + HEIGHT
    canvas.box(left, top, right, bottom, LAMP if waiting else INK, 12)
    if up:
        canvas.box(left + 4, top + 4, right - 4, bottom - 4, PAPER, 9)
        return
    canvas.box(left + 3, top + 3, right - 3, bottom - 3, mix(SLATE, INK, 0.35), 10)
    for y in range(top + 54, bottom - 18, 14):
        canvas.line([(left + 14, y), (right - 14, y - 12)], 2, mix(SLATE, INK, 0.1), caps=False)


def draw_ballot(canvas: Canvas, left: int, right: int, top: int, up: bool, ballot: Ballot) -> None:
    """Draw the lower end of a card with its voters, within `ballot_box`."""
    _paper(canvas, left, right, top, up, ballot.votes is None)
    _ballot(canvas, (left + right) / 2, top + HEIGHT - 24, ballot)


def ballot_box(left: int, right: int, top: int) -> tuple[int, int, int, int]:
    """Return the left and upper edge, the width and the height of a ballot on a card."""
    return (left + right) // 2 - 87, top + HEIGHT - 43, 175, 38


def draw_vote(canvas: Canvas, x: float, y: float, accept: bool, radius: float = 11) -> None:
    """Draw ✓ on a green disc, or a barred red circle, which differ without their colour too."""
    if accept:
        canvas.disc(x, y, radius, YES)
        hook = [(x - radius * 0.5, y + radius * 0.05), (x - radius * 0.1, y + radius * 0.45)]
        canvas.line([*hook, (x + radius * 0.52, y - radius * 0.4)], 3.2, CHALK)
    else:
        canvas.disc(x, y, radius, NO)
        canvas.disc(x, y, radius * 0.68, PAPER)
        slash = [(x - radius * 0.5, y + radius * 0.5), (x + radius * 0.5, y - radius * 0.5)]
        canvas.line(slash, 3.4, NO, caps=False)


def _terms(canvas: Canvas, left: float, right: float, y: float, pitch: int, terms: Terms) -> None:
    """The three lines: both accept, a split, both reject."""
    for number, (accept, joint) in enumerate(((True, terms.both_accept), (False, terms.both_reject))):
        line = y + 2 * pitch * number
        draw_vote(canvas, left + 12, line, accept)
        draw_vote(canvas, left + 32, line, accept)
        _effect(canvas, left + 50, right, line, *_joint(joint))
    draw_vote(canvas, left + 12, y + pitch, True)
    end = _effect(canvas, left + 28, (left + right) / 2 + 10, y + pitch, *_single(terms.accept, terms))
    middle = max((left + right) / 2, end + 16)
    draw_vote(canvas, middle, y + pitch, False)
    _effect(canvas, middle + 16, right, y + pitch, *_single(terms.reject, terms))


def _effect(canvas: Canvas, x: float, right: float, y: float, words: str, badge: bool) -> float:
    """Draw an effect's few words, with a badge for tokens, left of `right`, and return where they end."""
    size = max(_SIZE * 0.6, scaled_size(words, _SIZE, right - 4 - x - (26 if badge else 0)))
    canvas.text(x, y, words, size, INK, anchor="lm")
    x += text_width(words, size)
    if badge:
        draw_token(canvas, x + 15, y, 9)
        x += 26
    return x


def _ballot(canvas: Canvas, middle: float, y: float, ballot: Ballot) -> None:
    """The two voters, each with its vote, with a closed envelope if it is in, or with dots if not."""
    canvas.box(middle - 85, y - 18, middle + 85, y + 18, INK, 9)
    for number, seat in enumerate(ballot.seats):
        x = middle - 62 + 82 * number
        canvas.mark(SEAT_MARKS[seat], x, y, 15, letter=False)
        if ballot.votes is not None:
            draw_vote(canvas, x + 33, y, ballot.votes[number], 13)
        elif ballot.voted[number]:
            canvas.box(x + 18, y - 11, x + 48, y + 11, CHALK, 3)
            canvas.line([(x + 20, y - 9), (x + 33, y + 3), (x + 46, y - 9)], 2.5, INK)
        else:
            for dot in range(3):
                canvas.disc(x + 23 + 10 * dot, y, 3.2, ASH)


def _joint(joint: JointEffect) -> tuple[str, bool]:
    """Return a joint effect in the fewest words, and whether it concerns guard tokens."""
    # Translators: the words on the offers' cards, as short as can be.
    if joint.all_shown:
        # Translators: all positions are shown.
        return _("show all"), False
    if joint.no_sneak:
        return _("no sneak"), False
    if joint.no_guards:
        return _("no guards"), False
    if joint.others:
        # Translators: everyone else moves this many spaces: "others −1".
        return _("others {steps}", steps=signed(joint.others)), False
    # Translators: both voters: "both +2".
    return _("both {change}", change=signed(joint.tokens or joint.steps)), bool(joint.tokens)


def _single(effect: Effect, terms: Terms) -> tuple[str, bool]:
    """Return one side of a split in the fewest words, and whether it concerns guard tokens."""
    if effect.held:
        # Translators: may not move next round.
        return _("held"), False
    if effect.shown:
        # Translators: this player's position is shown.
        return _("show"), False
    if effect.tokens:
        return signed(effect.tokens), True
    if not effect.steps and (terms.accept.shown or terms.reject.shown):
        # Translators: this player's position is hidden.
        return _("hide"), False
    return signed(effect.steps), False
