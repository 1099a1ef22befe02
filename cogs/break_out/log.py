"""The news of the table, the news that concern the reader since their own last action, and the page of all notes."""

from collections.abc import Sequence

from cogs.break_out.notes import catch_words, note_words, own_words, with_evidence
from cogs.core.i18n.translation import _
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Page, Text
from engine.games.break_out import BreakOut, BreakOutView, Face, Note

MOST_NEWS, MOST_NEWS_BESIDE_HAND = 3, 2
"""The most news lines on the table message, and on a player page, which has less space."""
MOST_BREAK_OUTS = 2
"""The most additional break-outs listed if others have acted since."""
MOST_READER_NOTES = 2
"""The most notes about the reader above their hand; the log page has the rest."""
MOST_CHARACTERS = 3_000
"""The most characters on the log page."""

OWN_ACTIONS = ("drew", "played", "next", "wrong", "late", "caught", "nearer", "given", "pointed")
"""Notes about a player's own actions, unless the clock acted for them."""


# ---------------------------------------------------------------------------------------------------------- the reader


def reader_news(view: BreakOutView, info: TableContext) -> list[str]:
    """Return what happened to the reader since their own last action, the newest only, starting with its result."""
    return [words for __, words in _reader_notes(view, info)]


def new_cards(view: BreakOutView) -> tuple[Face, ...]:
    """Return the cards that came to the reader's hand since, or by, their last action."""
    assert view.seat is not None
    found: list[Face] = []
    for note in view.notes[_last_action(view) :]:
        if note.face is not None and (note.kind != "given" or note.other == view.seat):
            found.append(note.face)
        found += [face for seat, face in note.dealt if seat == view.seat]
    return tuple(found)


def _reader_notes(view: BreakOutView, info: TableContext) -> list[tuple[int, str]]:
    """Return the notes that concern the reader, with their texts."""
    since = _last_action(view)
    lines = ((place, _reader_words(view, note, info)) for place, note in enumerate(view.notes[since:], since))
    return [(place, words) for place, words in lines if words is not None][-MOST_READER_NOTES:]


def _last_action(view: BreakOutView) -> int:
    """Return the index of the reader's last action in this round, or of the round's beginning.

    Actions that the clock took for them, up to its NEXT, do not count.
    """
    since, clock = 0, False
    for place, note in enumerate(view.notes):
        if note.kind == "round":
            since, clock = place, False
        elif note.seat == view.seat and note.kind == "lapsed":
            clock = True
        elif note.seat == view.seat and note.kind in OWN_ACTIONS and not note.lapsed:
            since = since if clock else place
            clock = clock and note.kind != "next"
    return since


def _reader_words(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    """Return a note in words for the reader; None if it is not about them or if the status covers it."""
    assert view.seat is not None
    if note.kind != "caught":
        return own_words(note, view.seat, info)
    if view.phase == "gift" or view.seat not in (note.seat, note.other):
        return None
    return caught_words(view, note, info)


def caught_words(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    """Return a catch in words: with the reason if it is the latest, otherwise only who caught whom."""
    catch = view.catch
    if catch is not None and (catch.catcher, catch.caught) == (note.seat, note.other):
        return catch_words(catch, info, view.seat)
    return note_words(note, info)


# ----------------------------------------------------------------------------------------------------------- the table


def news(view: BreakOutView, info: TableContext) -> list[str]:
    """Return what happened last at the table, without the notes that concern the reader.

    The break-outs of the last circuit come first, so a player who looks once per turn reads of each.
    """
    lines: list[str] = []
    out: list[int] = []  # indices of break-outs that still count
    since = _circuit(view)
    own = [] if view.seat is None else [place for place, __ in _reader_notes(view, info)]
    start = max(0, min(since, len(view.notes) - MOST_NEWS - MOST_READER_NOTES))
    for place, note in enumerate(view.notes[start:], start):
        if place in own:
            continue
        words = caught_words(view, note, info) if note.kind == "caught" else note_words(note, info)
        if words is not None and not (note.kind == "caught" and view.phase == "gift"):
            if place >= since and isinstance(note.play, BreakOut) and view.out[note.seat]:
                out.append(len(lines))
            lines.append(words)
    first = max(0, len(lines) - (MOST_NEWS if view.seat is None else MOST_NEWS_BESIDE_HAND))
    return [*[lines[place] for place in out if place < first][-MOST_BREAK_OUTS:], *lines[first:]]


def _circuit(view: BreakOutView) -> int:
    """Return the index of the first note of this round that is younger than a circuit of turns."""
    begun = max((place for place, note in enumerate(view.notes) if note.kind == "round"), default=0)
    said = [place for place, note in enumerate(view.notes) if note.kind == "next"]
    seats = len(view.counts)
    return max(begun, said[-seats] + 1) if len(said) >= seats else begun


# ------------------------------------------------------------------------------------------------------ the whole log


def page(view: BreakOutView, info: TableContext, colour: int) -> Page:
    """Return the page of recent notes for this reader, as many as fit."""
    lines = [words for note in view.notes if (words := _line(view, note, info)) is not None]
    head = [_("### What happened"), _("-# Newest last.")]
    return Page((Text("\n".join([*head, *_newest_that_fit(lines)])),), colour)


def _line(view: BreakOutView, note: Note, info: TableContext) -> str | None:
    own = None if view.seat is None else own_words(note, view.seat, info)
    words = own or note_words(note, info)
    return None if words is None else with_evidence(words, note)


def _newest_that_fit(lines: Sequence[str]) -> list[str]:
    left, kept = MOST_CHARACTERS, list[str]()
    for words in reversed(lines):
        left -= len(emoji_markup.strip(words)) + 1
        if left < 0:
            break
        kept.append(words)
    return kept[::-1] or [_("Nothing yet.")]
