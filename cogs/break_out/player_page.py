"""The player page of one seat: what just happened to it, its hand, its plays, and every control it needs.

NEXT and the calls are always below the table's picture, as on the table message.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cogs.break_out import card_picker, picture
from cogs.break_out.card_picker import Draft
from cogs.break_out.controls import controls, quick, rest
from cogs.break_out.log import arrived, happened
from cogs.break_out.play_labels import name_of, worth_of
from cogs.break_out.plays import alike, code, held_in, sound
from cogs.break_out.words import face_name, face_words
from cogs.core.pages.game_ui import PRIVATE_PICTURES, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, SelectOption, Text, rows
from engine.games.break_out import BreakOutOptions, BreakOutView, Face, Play

BUTTONS = 2
"""The most sound plays with their own button, a line each on a phone; *All plays* lists the rest."""
GIFTS = 10
"""The most different cards with their own button when one is given away; more are in a select."""


CALLS = Text(
    "-# The red buttons accuse whoever said NEXT last: "
    "**DRAW!** of neither playing nor taking, **MELD!** of a bad meld."
)
"""Shown below the calls in the first round at tables with hints, to explain what each call claims."""


def hints(info: TableContext) -> bool:
    """Return whether this table tells players which plays are sound."""
    return isinstance(info.options, BreakOutOptions) and info.options.hints == "on"


# ------------------------------------------------------------------------------------------------------ the player page


def own(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    """Yield the parts of a seat's player page below the status."""
    yield BoardPlaceholder()
    if view.phase == "over" or view.interlude is not None:
        yield from controls(view, hints(info))
        return
    yield quick(view, hints(info))
    if view.round == 1 and view.referee != "strict" and hints(info):
        yield CALLS
    if view.phase == "gift" and view.catcher == view.seat:
        yield from _gift(view, info)
        yield rest(view)
    elif view.phase == "turn" and view.turn == view.seat:
        yield from _turn(view, info)
    else:
        yield from _waiting(view, info)
        yield rest(view)


def _hand(view: BreakOutView) -> Picture:
    return _pictured(view.hand, arrived(view))


@lru_cache(maxsize=PRIVATE_PICTURES)
def _pictured(hand: tuple[Face, ...], new: tuple[Face, ...]) -> Picture:
    return Picture(picture.draw_hand(hand, (), new), "hand.png", picture.hand_alt(hand))


def _waiting(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    told = happened(view, info)
    if told:
        yield Text("\n".join(told))
    yield _hand(view)


def _turn(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    yield Text("\n".join([*happened(view, info), _place(view)]))
    yield _hand(view)
    found = sound(view) if hints(info) else []
    shown: dict[object, Play] = {}
    for play in found:
        shown.setdefault(alike(play), play)
    best = card_picker.play_buttons(view, list(shown.values())[:BUTTONS])
    if best:
        others = (Button("All plays", "plays"),) if len(best) < len(found) else ()
        yield Row((*best, *others))
    elif hints(info):
        # A card was played or taken, or none can be taken: only NEXT is left.
        done = view.drew or view.acted or not view.place
        yield Text(f"-# There is nothing sound to play now: {'say NEXT' if done else 'take a card'}.")
    if view.hand:
        yield card_picker.picker(view, Draft())
    yield rest(view)


def _place(view: BreakOutView) -> str:
    """Return the reader's meld requirement in one line that fits a phone."""
    assert view.seat is not None
    need, most = view.limits
    if view.out[view.seat]:
        return "-# You are out: lay in the Yard, add to any meld there"
    return f"-# Cell {held_in(view, view.seat)} of {most} · a meld of {need} or more breaks you out"


def plays_page(view: BreakOutView, colour: int) -> Page:
    """Return the page with all sound plays."""
    found = sound(view)
    blocks: list[Block] = [
        BoardPlaceholder(),
        quick(view, hints=True),
        Text("**All sound plays**, the best first."),
        _hand(view),
    ]
    for first in range(0, min(len(found), 3 * card_picker.PAGE), card_picker.PAGE):
        part = found[first : first + card_picker.PAGE]
        blocks.append(Select("do", _choices(view, part), f"Plays {first + 1} to {first + len(part)} …", str(first)))
    if not found:
        blocks.append(Text("-# There are none now."))
    return Page(tuple(blocks), colour)


def _choices(view: BreakOutView, found: Sequence[Play]) -> tuple[SelectOption, ...]:
    return tuple(SelectOption(name_of(view, play)[:100], code(play), worth_of(view, play)) for play in found)


def _gift(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    assert view.caught is not None
    unless = "-# When your time is over, the card that counts most goes."
    yield Text(f"### You caught {info.name(view.caught)}!\nWhich card do you give away?\n{unless}")
    yield _hand(view)
    values = dict(zip("wds", view.values, strict=True))
    faces = list(dict.fromkeys(view.hand))
    if len(faces) <= GIFTS:
        yield from rows(
            [Button(face_words(face), "give", face, style="primary", face=face_name(face)) for face in faces]
        )
    else:
        choices = tuple(
            SelectOption(face_words(face), face, f"counts {values.get(face) or face[-1]}", face=face_name(face))
            for face in faces
        )
        yield Select("give", choices[: card_picker.PAGE], "Which card?")
