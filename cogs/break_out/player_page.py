"""The player page of one seat: what just happened to it, the calls it can make, its hand, its plays, and NEXT.

A control that could not be used is left out, so that the table, the hand and all controls fit a phone together.
"""

from collections.abc import Iterator, Sequence

from cogs.break_out import card_picker, picture
from cogs.break_out.board_layout import MOST_HEIGHT, lay_out
from cogs.break_out.card_picker import Draft
from cogs.break_out.controls import call_row, controls, log, pointing, turn_row
from cogs.break_out.log import new_cards, reader_news
from cogs.break_out.plays import best_sound_plays, cards_in_cell, equivalence_key
from cogs.break_out.words import face_name, face_words
from cogs.core.i18n.translation import _, cached_by_language, ngettext
from cogs.core.pages.game_ui import PRIVATE_PICTURES, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, SelectOption, Text, rows
from engine.games.break_out import BreakOutOptions, BreakOutView, Face, Play

MOST_PLAY_BUTTONS = 2
"""The most legal plays with their own button, a line each on a phone; the page behind *Pick cards* lists the rest."""
MOST_GIFT_BUTTONS = 10
"""The most different cards with their own button when one is given away; more are in a select."""


def shows_hints(info: TableContext) -> bool:
    """Return whether this table shows players which plays are legal."""
    return isinstance(info.options, BreakOutOptions) and info.options.hints == "on"


# ------------------------------------------------------------------------------------------------------ the player page


def player_blocks(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    """Yield the parts of a seat's player page below the status: only what the reader can use now."""
    hints = shows_hints(info)
    yield BoardPlaceholder()
    if view.phase == "over" or view.interlude is not None:
        yield from controls(view, info, hints)
        return
    yield from calls(view, info, hints)
    if view.phase == "gift" and view.catcher == view.seat:
        yield from _gift(view, info)
        yield Row((log(),))
    elif view.phase == "turn" and view.turn == view.seat:
        yield from _turn(view, info)
    else:
        yield from _waiting(view, info)
        yield Row((*pointing(view), log()))


def calls(view: BreakOutView, info: TableContext, hints: bool) -> Iterator[Block]:
    """Yield the calls that the reader can make, in the first round with what each is for."""
    row = call_row(view, info)
    if row is None:
        return
    if view.round == 1 and hints and lay_out(view).height <= MOST_HEIGHT:
        yield Text(_("-# **DRAW!** nothing played or taken · **MELD!** bad meld"))
    yield row


def _hand(view: BreakOutView) -> Picture:
    return _pictured(view.hand, new_cards(view))


@cached_by_language(PRIVATE_PICTURES)
def _pictured(hand: tuple[Face, ...], new: tuple[Face, ...]) -> Picture:
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
    hints = shows_hints(info)
    found = best_sound_plays(view) if hints else []
    tall = lay_out(view).height > MOST_HEIGHT
    crowded = tall or call_row(view, info) is not None
    happened = reader_news(view, info)[-1:] if crowded else reader_news(view, info)
    brief = tall or (crowded and bool(happened))
    yield Text("\n".join([*happened, *_what_to_do(view, found if hints else None, brief=brief)]))
    yield _hand(view)
    shown: dict[object, Play] = {}
    for play in found:
        shown.setdefault(equivalence_key(play), play)
    most = 1 if crowded else MOST_PLAY_BUTTONS
    yield from rows(card_picker.play_buttons(view, list(shown.values())[:most]), 1)
    yield turn_row(view, hints, *([Button(_("Pick cards"), "page", Draft().argument())] if view.hand else []))
    yield Row((*pointing(view), log()))


def _what_to_do(view: BreakOutView, found: Sequence[Play] | None, *, brief: bool) -> Iterator[str]:
    """Yield what the reader can do now, and unless `brief` where they may lay melds, in lines that fit a phone;
    `found` are the legal plays, if the table tells.
    """
    assert view.seat is not None
    need, most = view.limits
    plays, done = found is None or bool(found), view.drew or view.acted
    if done:
        yield _("**Play on, or say NEXT.**") if plays else _("You have no legal play: **say NEXT.**")
    elif view.place:
        yield (
            _("**Play cards or take one**, then say NEXT.")
            if plays
            else _("You have no legal play: **take a card**, then say NEXT.")
        )
    else:
        yield (
            _("**Play cards, or say NEXT:** there is none to take.")
            if plays
            else _("No legal play, no card to take: **say NEXT.**")
        )
    if brief:
        return
    if view.out[view.seat]:
        yield _("-# You're out: lay melds in the Yard, or add to any there")
    else:
        held = cards_in_cell(view, view.seat)
        yield _("-# Your cell: {held}/{most} · a meld worth {need} breaks you out", held=held, most=most, need=need)


def plays_page(view: BreakOutView, info: TableContext) -> Page:
    """Return the page with all legal plays."""
    blocks = (
        BoardPlaceholder(),
        *calls(view, info, hints=True),
        Text(_("**All legal plays**, best first.")),
        _hand(view),
        *card_picker.legal_plays(view),
    )
    return Page(blocks)


def _gift(view: BreakOutView, info: TableContext) -> Iterator[Block]:
    assert view.caught is not None
    asked = _("Which card do you give {player}?", player=info.name(view.caught))
    unless = _("-# If time runs out, your costliest card goes.")
    yield Text(f"{asked}\n{unless}")
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
        yield Select("give", choices[: card_picker.MOST_PLAYS], _("Which card?"))


def _costs(points: int) -> str:
    return ngettext("costs {n} point", "costs {n} points", points)
