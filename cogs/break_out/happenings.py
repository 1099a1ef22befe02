"""What happened: to the reader since they last did something themselves, at the table, and all of it as a page."""

from collections.abc import Sequence

from cogs.break_out.words import catch_words, note_words, own_words
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Page, Text
from engine.games.break_out import BreakOut, BreakOutView, Face, Note

NEWS, NEWS_BESIDE_HAND = 3, 2
"""So many happenings are told of the table: on the table message, and in a cockpit, where there is less room."""
BREAK_OUTS = 2
"""So many break-outs are told besides, where others have done something since."""
TOLD = 2
"""So many things that happened to the reader are told above their hand; the others stand on the page of all."""
LONGEST = 3_000
"""Characters on the page of all that happened."""

DEEDS = ("drew", "played", "next", "wrong", "caught", "given", "pointed")
"""What somebody does themselves, unless the clock does it for them."""


# ---------------------------------------------------------------------------------------------------------- the reader


def happened(view: BreakOutView, info: TableContext) -> list[str]:
    """Return what happened to the reader since they last did something, the newest only; first of all what came of
    that.
    """
    return [words for _, words in _own(view, info)]


def arrived(view: BreakOutView) -> tuple[Face, ...]:
    """Return the cards that came to the reader's hand since they last did something, or by that."""
    assert view.seat is not None
    found: list[Face] = []
    for note in view.notes[_since(view) :]:
        if note.face is not None and (note.kind != "given" or note.other == view.seat):
            found.append(note.face)
        found += [face for seat, face in note.dealt if seat == view.seat]
    return tuple(found)


def _own(view: BreakOutView, info: TableContext) -> list[tuple[int, str]]:
    """What is told as what happened to the reader: which note, and in which words."""
    since = _since(view)
    told = ((place, _told(view, note, info)) for place, note in enumerate(view.notes[since:], since))
    return [(place, words) for place, words in told if words is not None][-TOLD:]


def _since(view: BreakOutView) -> int:
    """Return the note of what the reader did last in this round, or of the round's beginning. What the clock did in
    their place, from its note to that of the NEXT, they did not do.
    """
    since, clock = 0, False
    for place, note in enumerate(view.notes):
        if note.kind == "round":
            since, clock = place, False
        elif note.seat == view.seat and note.kind == "lapsed":
            clock = True
        elif note.seat == view.seat and note.kind in DEEDS and not note.lapsed:
            since = since if clock else place
            clock = clock and note.kind != "next"
    return since


def _told(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    """A note for the reader; None if it is not about them, or if the status says it."""
    assert view.seat is not None
    if note.kind != "caught":
        return own_words(note, view.seat, info)
    if view.phase == "gift" or view.seat not in (note.seat, note.other):
        return None
    return caught_words(view, note, info)


def caught_words(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    """Return a catch in words: with the reason while it is the last one, else who caught whom."""
    catch = view.catch
    if catch is not None and (catch.catcher, catch.caught) == (note.seat, note.other):
        return catch_words(catch, info, view.seat)
    return note_words(note, info)


# ----------------------------------------------------------------------------------------------------------- the table


def news(view: BreakOutView, info: TableContext) -> list[str]:
    """Return what happened last at the table; without what the reader is told as what happened to them. Before it stand
    the break-outs of the last circuit: whoever looks at the table once a turn of theirs is told of each.
    """
    told: list[str] = []
    out: list[int] = []  # which of them are break-outs that still stand
    since = _circuit(view)
    own = [] if view.seat is None else [place for place, _ in _own(view, info)]
    start = max(0, min(since, len(view.notes) - NEWS - TOLD))
    for place, note in enumerate(view.notes[start:], start):
        if place in own:
            continue
        words = caught_words(view, note, info) if note.kind == "caught" else note_words(note, info)
        if words is not None and not (note.kind == "caught" and view.phase == "gift"):
            if place >= since and isinstance(note.play, BreakOut) and view.out[note.seat]:
                out.append(len(told))
            told.append(words)
    first = max(0, len(told) - (NEWS if view.seat is None else NEWS_BESIDE_HAND))
    return [*[told[place] for place in out if place < first][-BREAK_OUTS:], *told[first:]]


def _circuit(view: BreakOutView) -> int:
    """Return the first note of this round that is younger than a circuit of turns."""
    begun = max((place for place, note in enumerate(view.notes) if note.kind == "round"), default=0)
    said = [place for place, note in enumerate(view.notes) if note.kind == "next"]
    seats = len(view.counts)
    return max(begun, said[-seats] + 1) if len(said) >= seats else begun


# ---------------------------------------------------------------------------------------------------------- all of it


def page(view: BreakOutView, info: TableContext, colour: int) -> Page:
    """Return the page of what happened lately, for this reader: as much as there is room for."""
    told = [words for note in view.notes if (words := _line(view, note, info)) is not None]
    return Page((Text("\n".join(["### What happened\n-# The newest stands last.", *_newest(told)])),), colour)


def _line(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    own = None if view.seat is None else own_words(note, view.seat, info)
    return own or note_words(note, info)


def _newest(told: Sequence[str]) -> list[str]:
    room, kept = LONGEST, list[str]()
    for words in reversed(told):
        room -= len(emoji_markup.plain(words)) + 1
        if room < 0:
            break
        kept.append(words)
    return kept[::-1] or ["Nothing yet."]
