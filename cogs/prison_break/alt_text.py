"""Prison Break's table in words and as text, for players who cannot see the picture.

Everything is public, except that `table_text` shows the reader's own position and markers in a seat's view.
"""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import labelled, listed
from cogs.core.pages.display_names import shortened
from cogs.core.pages.page import join_within
from cogs.prison_break import lights
from cogs.prison_break.end_picture import count_lies, lies_words
from cogs.prison_break.finish_order import position_words, win_reason
from cogs.prison_break.log_words import log_lines
from cogs.prison_break.markers_page import markers_words
from cogs.prison_break.words import (
    LEGEND,
    Who,
    at,
    claim,
    offer_name,
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


def alt_own(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the table in words for its reader alone, who reads first where they really are."""
    assert view.seat is not None
    short = [shortened(name, 24) for name in names]
    mine = _("You really are {where}.", where=at(view.positions[view.seat] or JAIL, view.spaces))
    marked = markers_words(view, short)
    return join_within([mine, *([f"{marked}."] if marked else []), *_sentences(view, short)])


def alt_open(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the picture of a move of a finished game in words: everyone's real position, then what was known."""
    short = [shortened(name, 24) for name in names]
    real = [] if view.phase == "over" else _truths(view, short)
    return join_within(iter([*real, *_sentences(view, short)]))


def _truths(view: PrisonBreakView, names: Sequence[str]) -> list[str]:
    lines = [_("Below each row is the path really taken, red where a player didn't go as said.")]
    for name, position, path in zip(names, view.positions, view.paths, strict=True):
        lied, sneaks = count_lies(path)
        where = at(position or JAIL, view.spaces)
        if sneaks:
            truth = ngettext(
                "{name} really is {where}, and has lied in {lied} of {n} sneak.",
                "{name} really is {where}, and has lied in {lied} of {n} sneaks.",
                sneaks,
                name=name,
                where=where,
                lied=lied,
            )
        else:
            truth = _("{name} really is {where}.", name=name, where=where)
        lines.append(truth)
    return lines


def _sentences(view: PrisonBreakView, names: Sequence[str]) -> Iterator[str]:
    def who(seat: Seat) -> str:
        return names[seat]

    if view.interlude is not None:
        yield from lights.sentences(view, names)
        return
    if view.phase == "over":
        yield f"{over_words(view, who)}. {win_reason(view, who)}"
        yield _("Arcs show each path: red where a player didn't go as said, pale before a return to JAIL.")
        for number, path in enumerate(view.paths):
            seat = Seat(number)
            way = ", ".join(place(step.position, view.spaces) for step in path)
            # Translators: lies is "lied in 2 of 5 sneaks".
            yield _(
                "{name} is {where}, {lies}.", name=who(seat), where=position_words(view, seat), lies=lies_words(path)
            )
            # Translators: places is "2, 4, JAIL, 1", or "none".
            yield _("{name}'s path: {places}.", name=who(seat), places=way or _("none"))
    else:
        yield f"{_awaited(view, who)}."
    yield f"{_head(view, who)}."
    check = next((entry for entry in this_round(view) if isinstance(entry, LightsThrown)), None)
    if check is not None and check.positions is None:
        yield _("Lights check: a {roll}, it stays dark.", roll=check.roll)
    elif check is not None:
        yield _("Lights check: a {roll}, all positions are shown.", roll=check.roll)
    for name, words in zip(names, public_words(view), strict=False):
        yield _("{name}: {facts}.", name=name, facts=words)
    up = [offer_name(card.kind) for card in view.row if card.up]
    down = [offer_name(card.kind) for card in view.row if not card.up]
    if up:
        yield _("Face-up offers: {offers}.", offers=listed(up))
    if down:
        yield _("Used offers: {offers}.", offers=listed(down))
    if view.phase != "over":
        yield _(LEGEND)


def _head(view: PrisonBreakView, who: Who) -> str:
    """Return which round it is, and who is the Warden."""
    return _("{round}, {warden} is the Warden", round=round_words(view), warden=who(view.warden))


def _awaited(view: PrisonBreakView, who: Who) -> str:
    """Return whom the game waits for, and for what."""
    if view.interlude is not None:
        return _("The lights showed everyone; the game pauses until everyone is ready")
    waited = listed([who(seat) for seat in view.to_act])
    if view.proposal is not None:
        return _(
            "{first} and {second} vote on {offer}; still to vote: {names}",
            first=who(view.proposal.first),
            second=who(view.proposal.second),
            offer=offer_name(view.proposal.kind),
            names=waited,
        )
    match view.phase:
        case "sneak":
            return _("{name}'s turn to sneak", name=waited)
        case "offer":
            return _("{name} may make an offer", name=waited)
        case "guard":
            return _("{name} may send the guards to a space", name=waited)
        case _:
            return waited


def table_text(view: PrisonBreakView, names: Sequence[str]) -> str:
    """Return the table as monospaced text: `#` is where a player was last seen, `?` where they would be if honest, `@`
    where the reader (at the end: everyone) really is.
    """

    plain = ["".join(sign for sign in name if sign.isprintable() and sign != "`")[:24] for name in names]

    def who(seat: Seat) -> str:
        return plain[seat]

    line = f"{over_words(view, who)}. {win_reason(view, who)}" if view.phase == "over" else _awaited(view, who)
    lines = [_head(view, who), line, ""]
    lines.append(" " * _TEXT_NAME + " J " + " ".join(str(space % 100) for space in range(1, view.spaces + 1)) + " X")
    lines += [f"{name[:_TEXT_NAME]:<{_TEXT_NAME}} {_track_text(view, Seat(seat))}" for seat, name in enumerate(plain)]
    lines += [_("# last seen  ? if honest"), _("@ really there  J JAIL  X EXIT"), ""]
    if view.interlude is not None:
        lines += [*lights.found_lines(view, who), ""]
    lines += map(labelled, plain, public_words(view))
    if marked := markers_words(view, plain):
        lines.append(marked)
    lines.append("")
    for number, card in enumerate(view.row, start=1):
        terms = terms_words(terms_of(card.kind, view.terms)) if card.up else _("used")
        lines.append(_("Offer {number}, {offer}: {terms}", number=number, offer=offer_name(card.kind), terms=terms))
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
