"""The player page of one seat: what just happened to it, its hand, its plays, and every control it needs.

NEXT and the calls are always below the table's picture, as on the table message.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cogs.break_out import card_picker, picture
from cogs.break_out.card_picker import Draft
from cogs.break_out.controls import controls, other_controls, quick_controls
from cogs.break_out.log import new_cards, reader_news
from cogs.break_out.play_labels import name_of, points_of
from cogs.break_out.plays import best_sound_plays, cards_in_cell, code, equivalence_key
from cogs.break_out.words import face_name, face_words
from cogs.core.i18n.translation import Language, _, ngettext, present
from cogs.core.ops.text_format import cut
from cogs.core.pages.game_ui import PRIVATE_PICTURES, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, SelectOption, Text, rows
from engine.games.break_out import BreakOutOptions, BreakOutView, Face, Play

MOST_PLAY_BUTTONS = 2
"""The most legal plays with their own button, a line each on a phone; *All plays* lists the rest."""
MOST_GIFT_BUTTONS = 10
"""The most different cards with their own button when one is given away; more are in a select."""


def shows_hints(info: TableContext) -> bool:
    """Return whether this table shows players which plays are legal."""
    return isinstance(info.options, BreakOutOptions) and info.options.hints == "on"


# ------------------------------------------------------------------------------------------------------ the player page


def player_blocks(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    """Yield the parts of a seat's player page below the status."""
    yield BoardPlaceholder()
    if view.phase == "over" or view.interlude is not None:
        yield from controls(view, info, shows_hints(info))
        return
    yield quick_controls(view, info, shows_hints(info))
    if view.round == 1 and view.referee != "strict" and shows_hints(info):
        yield Text(
            _(
                "-# The red buttons challenge the player they name: **DRAW!** for neither playing nor taking a card, "
                "**MELD!** for a bad meld."
            )
        )
    if view.phase == "gift" and view.catcher == view.seat:
        yield from _gift(view, info)
        yield other_controls(view)
    elif view.phase == "turn" and view.turn == view.seat:
        yield from _turn(view, info)
    else:
        yield from _waiting(view, info)
        yield other_controls(view)


def _hand(view: BreakOutView) -> Picture:
    return _pictured(view.hand, new_cards(view), present())


@lru_cache(maxsize=PRIVATE_PICTURES)
def _pictured(hand: tuple[Face, ...], new: tuple[Face, ...], language: Language) -> Picture:
    return Picture(picture.draw_hand(hand, (), new), "hand.png", picture.hand_alt(hand))


def _waiting(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    news = [*reader_news(view, info), *_kept(view)]
    if news:
        yield Text("\n".join(news))
    yield _hand(view)


def _kept(view: BreakOutView) -> Iterator[str]:
    """Yield what becomes of the reader's calls that were about no turn so far."""
    for kind in dict.fromkeys(view.kept):
        yield _("-# Your **{call}** counts if NEXT was said just before it.", call=f"{kind.upper()}!")


def _turn(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    yield Text("\n".join([*reader_news(view, info), _requirement(view)]))
    yield _hand(view)
    found = best_sound_plays(view) if shows_hints(info) else []
    shown: dict[object, Play] = {}
    for play in found:
        shown.setdefault(equivalence_key(play), play)
    best = card_picker.play_buttons(view, list(shown.values())[:MOST_PLAY_BUTTONS])
    if best:
        others = (Button(_("All plays"), "plays"),) if len(best) < len(found) else ()
        yield Row((*best, *others))
    elif shows_hints(info):
        # A card was played or taken, or none can be taken: only NEXT is left.
        done = view.drew or view.acted or not view.place
        yield Text(_("-# You have no legal play: say NEXT.") if done else _("-# You have no legal play: take a card."))
    if view.hand:
        yield card_picker.picker(view, Draft())
    yield other_controls(view)


def _requirement(view: BreakOutView) -> str:
    """Return the reader's meld requirement in one line that fits a phone."""
    assert view.seat is not None
    need, most = view.limits
    if view.out[view.seat]:
        return _("-# You're out: lay melds in the Yard, or add to any meld there")
    return _(
        "-# Your cell: {held}/{most} cards · a meld worth {need} or more breaks you out",
        held=cards_in_cell(view, view.seat),
        most=most,
        need=need,
    )


def plays_page(view: BreakOutView, info: TableContext, colour: int) -> Page:
    """Return the page with all legal plays."""
    found = best_sound_plays(view)
    blocks: list[Block] = [
        BoardPlaceholder(),
        quick_controls(view, info, hints=True),
        Text(_("**All legal plays**, best first.")),
        _hand(view),
    ]
    for first in range(0, min(len(found), 3 * card_picker.PAGE_SIZE), card_picker.PAGE_SIZE):
        part = found[first : first + card_picker.PAGE_SIZE]
        blocks.append(
            Select(
                "do",
                _play_options(view, part),
                _("Plays {first} to {last} …", first=first + 1, last=first + len(part)),
                str(first),
            )
        )
    if not found:
        blocks.append(Text(_("-# There are none now.")))
    return Page(tuple(blocks), colour)


def _play_options(view: BreakOutView, found: Sequence[Play]) -> tuple[SelectOption, ...]:
    return tuple(SelectOption(cut(name_of(view, play), 100), code(play), points_of(view, play)) for play in found)


def _gift(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    assert view.caught is not None
    caught = _("### You caught {player}!", player=info.name(view.caught))
    asked = _("Which card do you give away?")
    unless = _("-# If time runs out, your costliest card goes.")
    yield Text(f"{caught}\n{asked}\n{unless}")
    yield _hand(view)
    values = dict(zip("wds", view.values, strict=True))
    faces = list(dict.fromkeys(view.hand))
    if len(faces) <= MOST_GIFT_BUTTONS:
        yield from rows(
            [Button(face_words(face), "give", face, style="primary", face=face_name(face)) for face in faces]
        )
    else:
        choices = tuple(
            SelectOption(
                face_words(face),
                face,
                _costs(values[face] if face in values else int(face[-1])),
                face=face_name(face),
            )
            for face in faces
        )
        yield Select("give", choices[: card_picker.PAGE_SIZE], _("Which card?"))


def _costs(points: int) -> str:
    return ngettext("costs {n} point", "costs {n} points", points)
