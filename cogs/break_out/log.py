"""The news of the table, the news that concern the reader since their own last action, and the page of all notes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cogs.break_out.controls import pointing, scores
from cogs.break_out.notes import act_words, catch_words, note_words, own_words, with_evidence
from cogs.core.i18n.translation import _
from cogs.core.pages import emoji_markup
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Page, Row, Text
from engine.contract import Seat
from engine.games.break_out import BreakOut, BreakOutView, Face, Note

MOST_NEWS, MOST_NEWS_BESIDE_HAND = 3, 2
"""The most news lines on the table message, and on the page of a player who waits; on one's own turn there is one."""
MOST_ACTS = 3
"""The most acts of a turn in the news; the log page has all."""
MOST_BREAK_OUTS = 2
"""The most additional break-outs listed if others have acted since."""
MOST_READER_NOTES = 2
"""The most notes about the reader above their hand; the log page has the rest."""
MOST_LINES, MOST_CHARACTERS = 16, 1_000
"""The most lines and characters on the log page, which fits a phone."""

ACTS = ("drew", "played", "next")
"""Notes about what players do on their own turns."""

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


@dataclass
class _Line:
    """Something that happened, or what a player did in one turn: their acts, never what they did not do."""

    place: int
    words: str
    turn_of: Seat | None = None
    acts: list[str] = field(default_factory=list)
    end: str = ""  # that they said NEXT
    breaks_out: bool = False

    def __str__(self) -> str:
        return self.text(len(self.acts))

    def text(self, most: int) -> str:
        """Return it in words, of a turn only the last acts before NEXT, at `most` this many."""
        if self.turn_of is None:
            return self.words
        acts = self.acts if len(self.acts) <= most else ["…", *self.acts[-most:]]
        acts = [*acts, self.end] if self.end else acts
        # Translators: a player and what they did this turn, such as "Ann: took a card · said NEXT".
        return _("{player}: {acts}", player=self.words, acts=" · ".join(acts))


def _lines(view: BreakOutView, info: TableContext, since: int, *, own: bool) -> list[_Line]:
    """Return what happened since a note that begins a turn, a line for each turn; with what the reader alone knows if
    `own`.
    """
    found: list[_Line] = []
    running: dict[Seat, _Line] = {}
    for place, note in enumerate(view.notes[since:], since):
        if note.kind == "round":
            running.clear()
        if note.kind in ACTS:
            if note.seat not in running:
                running[note.seat] = _Line(place, info.name(note.seat), note.seat)
                found.append(running[note.seat])
            line = running[note.seat]
            line.breaks_out |= isinstance(note.play, BreakOut) and view.out[note.seat]
            if note.kind == "next":
                line.end = act_words(note)
                del running[note.seat]
            else:
                line.acts.append(act_words(note))
        words = own_words(note, view.seat, info) if own and view.seat is not None else None
        if words is None and note.kind not in ACTS:
            words = caught_words(view, note, info) if note.kind == "caught" else note_words(note, info)
        if words is not None:
            found.append(_Line(place, with_evidence(words, note)))
    return found


def news(view: BreakOutView, info: TableContext) -> list[str]:
    """Return what happened last at the table, a line for each turn: for a player without their own turns and what
    they are told in their own words, and always with the turn that they can call.

    The break-outs of the last circuit come first, so a player who looks once per turn reads of each.
    """
    own = [] if view.seat is None else [place for place, __ in _reader_notes(view, info)]
    lines = [
        line
        for line in _lines(view, info, _circuit(view), own=False)
        if (line.place not in own if line.turn_of is None else line.turn_of != view.seat)
    ]
    if view.phase == "gift":
        lines = [line for line in lines if view.notes[line.place].kind != "caught"]
    if view.seat is None:
        most, outs = MOST_NEWS, MOST_BREAK_OUTS
    else:
        most, outs = (1, 0) if view.seat == view.turn else (MOST_NEWS_BESIDE_HAND, 1)
    shown = lines[-most:]
    if view.window is not None and (called := _last_turn(lines, view.window.seat)) is not None and called not in shown:
        shown = [called, *shown[1:]]
    before = [line for line in lines if line.breaks_out and line not in shown]
    return [line.text(MOST_ACTS) for line in (*before[max(0, len(before) - outs) :], *shown)]


def _last_turn(lines: Sequence[_Line], seat: Seat) -> _Line | None:
    return next((line for line in reversed(lines) if line.turn_of == seat), None)


def _circuit(view: BreakOutView) -> int:
    """Return the index of the first note of this round that is younger than a circuit of turns."""
    begun = max((place for place, note in enumerate(view.notes) if note.kind == "round"), default=0)
    said = [place for place, note in enumerate(view.notes) if note.kind == "next"]
    seats = len(view.counts)
    return max(begun, said[-seats - 1] + 1) if len(said) > seats else begun


# ------------------------------------------------------------------------------------------------------ the whole log


def page(view: BreakOutView, info: TableContext) -> Page:
    """Return the page of the last turns for this reader: what each player did since their last NEXT and before."""
    lines = list(map(str, _lines(view, info, 0, own=True)))
    head = [_("### What happened"), _("-# Turn by turn, newest last.")]
    return Page((Text("\n".join([*head, *_newest_that_fit(lines)])), Row((*pointing(view), scores()))))


def _newest_that_fit(lines: Sequence[str]) -> list[str]:
    left, kept = MOST_CHARACTERS, list[str]()
    for words in lines[: -MOST_LINES - 1 : -1]:
        left -= len(emoji_markup.strip(words)) + 1
        if left < 0:
            break
        kept.append(words)
    return kept[::-1] or [_("Nothing yet.")]
