"""Prison Break's table in words and as text, for players who cannot see the picture.

Everything is public, except that `table_text` shows the reader's own position and markers in a seat's view.
"""

from collections.abc import Iterator, Sequence

from cogs.core.ops.text_format import count, listed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from cogs.prison_break import lights
from cogs.prison_break.end_picture import count_lies, lies_words
from cogs.prison_break.finish_order import position_words, win_reason
from cogs.prison_break.log_words import log_lines
from cogs.prison_break.markers_page import markers_words
from cogs.prison_break.words import (
    LEGEND,
    OFFER_NAMES,
    Who,
    at,
    claim,
    over_words,
    place,
    public_words,
    round_words,
    terms_words,
)
from engine.contract import Seat
from engine.games.prison_break import JAIL, LightsThrown, PrisonBreakView, RoundStarts, terms_of

_TEXT_NAME = 8  # columns of a name before a track of the text view
_TEXT_LINES = 5


def alt(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the picture in words, the most important first, as long as an alt text may be."""
    return join_within(_sentences(view, [shortened(name, 24) for name in names]))


def alt_open(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the picture of a moment of a finished game in words: everybody's real position, then what was known."""
    short = [shortened(name, 24) for name in names]
    real = [] if view.phase == "over" else _truths(view, short)
    return join_within(iter([*real, *_sentences(view, short)]))


def _truths(view: PrisonBreakView, names: Sequence[str]) -> list[str]:
    lines = ["Below each row the way really gone, red where somebody did not go as said."]
    for name, position, path in zip(names, view.positions, view.paths, strict=True):
        lied, sneaks = count_lies(path)
        so_far = f", has lied in {lied} of {count(sneaks, 'sneak')}" if sneaks else ""
        lines.append(f"{name} really is {at(position or JAIL, view.spaces)}{so_far}.")
    return lines


def _sentences(view: PrisonBreakView, names: Sequence[str]) -> Iterator[str]:
    def who(seat: Seat) -> str:
        return names[seat]

    if view.interlude is not None:
        yield from lights.sentences(view, names)
        return
    if view.phase == "over":
        yield f"{over_words(view, who)}. {win_reason(view, who)}"
        yield "Bows show each way: red where somebody did not go as said, pale before a return to JAIL."
        for number, path in enumerate(view.paths):
            seat = Seat(number)
            way = ", ".join(place(step.position, view.spaces) for step in path)
            yield f"{who(seat)} stands {position_words(view, seat)}, {lies_words(path)}."
            yield f"The way of {who(seat)}: {way or 'none'}."
    else:
        yield f"{_awaited(view, who)}."
    yield f"{round_words(view)}, the Warden is {who(view.warden)}."
    check = next((entry for entry in this_round(view) if isinstance(entry, LightsThrown)), None)
    if check is not None:
        yield f"The lights check threw {check.roll}: {'dark' if check.positions is None else 'all positions shown'}."
    for name, words in zip(names, public_words(view), strict=False):
        yield f"{name}: {words}."
    up = [OFFER_NAMES[card.kind] for card in view.row if card.up]
    down = [OFFER_NAMES[card.kind] for card in view.row if not card.up]
    if up:
        yield f"Offers face up: {listed(up)}."
    if down:
        yield f"Used: {listed(down)}."
    if view.phase != "over":
        yield LEGEND


def _awaited(view: PrisonBreakView, who: Who) -> str:
    """Return whom the game waits for, and for what."""
    if view.interlude is not None:
        return "The lights showed everybody; the game pauses until all are ready"
    waited = listed([who(seat) for seat in view.to_act])
    if view.proposal is not None:
        pair = listed([who(view.proposal.first), who(view.proposal.second)])
        return f"{pair} vote on {OFFER_NAMES[view.proposal.kind]}; still to vote: {waited}"
    what = {"sneak": "is to sneak", "offer": "may make an offer", "guard": "may send the guards to a space"}
    return f"{waited} {what.get(view.phase, '')}"


def table_text(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the table as monospaced text: `#` is where somebody was last seen, `?` where they would be if honest, `@`
    where the reader (at the end: everybody) really is.
    """

    plain = ["".join(sign for sign in name if sign.isprintable() and sign != "`")[:24] for name in names]

    def who(seat: Seat) -> str:
        return plain[seat]

    head = f"{round_words(view)}, the Warden is {who(view.warden)}"
    line = f"{over_words(view, who)}. {win_reason(view, who)}" if view.phase == "over" else _awaited(view, who)
    lines = [head, line, ""]
    lines.append(" " * _TEXT_NAME + " J " + " ".join(str(space % 100) for space in range(1, view.spaces + 1)) + " X")
    lines += [f"{name[:_TEXT_NAME]:<{_TEXT_NAME}} {_track_text(view, Seat(seat))}" for seat, name in enumerate(plain)]
    lines += ["# last seen  ? if all is true", "@ really there  J JAIL  X EXIT", ""]
    if view.interlude is not None:
        lines += [*lights.found_lines(view, who), ""]
    lines += [f"{name}: {words}" for name, words in zip(plain, public_words(view), strict=False)]
    if marked := markers_words(view, plain):
        lines.append(marked)
    lines.append("")
    for number, card in enumerate(view.row, start=1):
        terms = terms_words(terms_of(card.kind, view.terms)) if card.up else "used"
        lines.append(f"Offer {number} {OFFER_NAMES[card.kind]}: {terms}")
    recent = log_lines(view, who, _TEXT_LINES)
    return "\n".join([*lines, "", *recent])


def _track_text(view: PrisonBreakView, seat: Seat) -> str:
    position = view.positions[seat]
    signs = []
    for space in range(view.spaces + 2):
        sign = "@" if space == position else "#" if space == view.prisoners[seat].seen else "."
        if sign == "." and space == claim(view, seat):
            sign = "?"
        signs.append(sign.rjust(len(str(space)) if 0 < space <= view.spaces else 1))
    return " ".join(signs)


def this_round(view: PrisonBreakView) -> Sequence[object]:
    """Return the log entries of the present round."""
    log = view.log
    start = next((number for number in reversed(range(len(log))) if isinstance(log[number], RoundStarts)), 0)
    return log[start:]
