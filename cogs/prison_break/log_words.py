"""The text of Prison Break's public log, a sentence per line: declarations, the results of votes, revelations.

During the game the text has public facts only: it compares declarations with the truth where lights or guards revealed
it. After the game all tracks are open (D22), and each declaration is shown with the real move.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, assert_never

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import clauses, listed
from cogs.prison_break.words import Who, at, offer_name, over_words, steps_words, tokens_words
from engine.contract import Seat
from engine.games.prison_break import (
    JAIL,
    Declares,
    GameOver,
    GuardsGo,
    LightsThrown,
    LogEntry,
    NoOffer,
    OfferMade,
    Passes,
    Position,
    PrisonBreakView,
    RoundStarts,
    RowTurned,
    TimeRanOut,
    VotesShown,
    terms_of,
)

_NO_ACTIONS = (RoundStarts, LightsThrown, RowTurned, Passes, TimeRanOut)
"""Entries that are no action of their own: automatic ones, and omissions."""

_SHORT_LIVED = (Passes, RowTurned)
"""Entries that are news only until something else happens."""


def log_lines(view: PrisonBreakView, who: Who, last: int | None = None, computers: Collection[Seat] = ()) -> list[str]:
    """Return the public log, oldest first; consecutive equal actions of several players share a line.

    With `last`, return only that many last lines, without reading a long log from its beginning. The entries of
    `computers` explain why they offered what they then rejected.
    """
    begin = 0 if last is None else max(0, len(view.log) - last * len(view.prisoners))
    lines = list(_lines(view, begin, len(view.log), who, computers))
    return lines if last is None else lines[-last:]


def news_lines(view: PrisonBreakView, who: Who, least: int, computers: Collection[Seat] = ()) -> list[str]:
    """Return the end of the public log: the last action with its consequences.

    The result of a vote or a check stays until the next check or sneak; declining a check keeps it. That a round begins
    is left out if there is no more to it than its Warden, whom the status names. Return at least `least` lines if the
    log has them.
    """
    log = view.log
    done = next((n for n in reversed(range(len(log))) if not isinstance(log[n], _NO_ACTIONS)), 0)
    while done and isinstance(log[done], Declares) and isinstance(log[done - 1], Declares):
        done -= 1
    lines: list[str] = []
    begin = done
    for kind, group in groupby(log[done:], key=type):
        end = begin + len(list(group))
        if not _is_plain_start(log[begin]) and (kind not in _SHORT_LIVED or end == len(log)):
            lines += _lines(view, begin, end, who, computers)
        begin = end
    missing = least - len(lines)
    if missing <= 0:
        return lines
    earlier = list(_lines(view, max(0, done - missing * len(view.prisoners)), done, who, computers))
    return [*earlier[-missing:], *lines]


def _is_plain_start(entry: LogEntry) -> bool:
    """Return whether an entry says no more than who the Warden of a round is."""
    return isinstance(entry, RoundStarts) and entry.sneaks and not entry.sits_out


def rounds(view: PrisonBreakView, who: Who, computers: Collection[Seat] = ()) -> list[list[str]]:
    """Return the public log by round, each with its lines, for messages: a title, and a list of what happened.

    When the game is over a round ends with everyone's real position.
    """
    starts = [number for number, entry in enumerate(view.log) if isinstance(entry, RoundStarts)]
    declared = []
    for start, end in pairwise((*starts, len(view.log))):
        begins = view.log[start]
        assert isinstance(begins, RoundStarts)
        lines = list(_lines(view, start + 1, end, who, computers))
        if view.phase == "over":
            lines.insert(len(lines) - isinstance(view.log[end - 1], GameOver), _truth_words(view, begins.round, who))
        title = _("**Round {round}** · {warden}", round=begins.round, warden=_warden_words(begins, who))
        declared.append([title, *(f"- {line}" for line in lines)])
    return declared


def _lines(view: PrisonBreakView, begin: int, end: int, who: Who, computers: Collection[Seat]) -> Iterator[str]:
    """Yield the lines of a part of the log."""
    # Only timeouts come between an offer and its votes.
    last = next((n for n in reversed(range(begin)) if not isinstance(view.log[n], TimeRanOut)), None)
    before = None if last is None else view.log[last]
    warden: Seat | None = before.warden if isinstance(before, OfferMade) else None
    number = begin
    for kind, group in groupby(view.log[begin:end], key=type):
        entries = list(group)
        if kind is Declares:
            yield from _sneak_lines([entry for entry in entries if isinstance(entry, Declares)], view, number, who)
        elif kind is Passes:
            passed = [who(entry.seat) for entry in entries if isinstance(entry, Passes)]
            yield ngettext(
                "{names} made no guard check", "{names} made no guard check", len(passed), names=listed(passed)
            )
        else:
            for place, entry in enumerate(entries, start=number):
                words = entry_words(entry, view, place, who)
                yield words + _threat_words(entry, view, warden, who) if warden in computers else words
        number += len(entries)
        if isinstance(entries[-1], OfferMade):
            warden = entries[-1].warden


def entry_words(entry: LogEntry, view: PrisonBreakView, place: int, who: Who) -> str:
    """Return the public fact at this place of the log as a sentence without its full stop."""
    match entry:
        case RoundStarts():
            return _("Round {round}: {warden}", round=entry.round, warden=_warden_words(entry, who))
        case Declares():
            return _said_words(entry, who)
        case LightsThrown(positions=None):
            return _("Lights check: a {roll}, it stays dark", roll=entry.roll)
        case LightsThrown():
            shown = _shown_words(entry, view, place, who)
            return _("Lights check: a {roll}, lights on! {shown}", roll=entry.roll, shown=shown)
        case OfferMade():
            offer, first, second = offer_name(entry.kind), who(entry.first), who(entry.second)
            return _(
                "{warden} offered {offer} to {first} and {second}",
                warden=who(entry.warden),
                offer=offer,
                first=first,
                second=second,
            )
        case NoOffer():
            return _("{warden} made no offer", warden=who(entry.warden))
        case VotesShown():
            return _votes_words(entry, view, place, who)
        case RowTurned():
            return _("New offers are face up: {offers}", offers=listed([offer_name(kind) for kind in entry.row]))
        case GuardsGo():
            return _guards_words(entry, view, place, who)
        case Passes():
            return ngettext("{names} made no guard check", "{names} made no guard check", 1, names=who(entry.seat))
        case TimeRanOut():
            return _("{name} ran out of time", name=who(entry.seat))
        case GameOver():
            return over_words(view, who)
        case _:
            assert_never(entry)


def _said_words(entry: Declares, who: Who) -> str:
    # Translators: said to sneak that many spaces.
    return _("{name} said {number}", name=who(entry.seat), number=entry.spaces)


def _warden_words(entry: RoundStarts, who: Who) -> str:
    warden = who(entry.warden)
    if not entry.sneaks:
        return _("{warden} is the Warden; no Sneak phase (Lock Down)", warden=warden)
    if entry.sits_out:
        names = listed([who(seat) for seat in entry.sits_out])
        return ngettext(
            "{warden} is the Warden; {names} can't sneak (caught by guards)",
            "{warden} is the Warden; {names} can't sneak (caught by guards)",
            len(entry.sits_out),
            warden=warden,
            names=names,
        )
    return _("{warden} is the Warden", warden=warden)


# ------------------------------------------------------------------------------------------ declarations and the truth


class DeclaredPosition(NamedTuple):
    """Where a seat's declarations lead: since it was last seen, with what it has `said` and how offers have
    `moved` it.
    """

    at: Position = JAIL
    said: bool = False
    moved: bool = False


def declared_positions(view: PrisonBreakView, place: int) -> tuple[DeclaredPosition, ...]:
    """Return where everyone's declarations and the offers had led them before this entry of the log. Public.

    `words.claim` is the same at the end of the log.
    """
    found = [DeclaredPosition() for _ in view.prisoners]

    def lead(seat: int, steps: int, **how: bool) -> None:
        at = min(max(found[seat].at + steps, JAIL), view.spaces + 1)
        found[seat] = found[seat]._replace(at=at, **how)

    for entry in view.log[:place]:
        match entry:
            case Declares():
                lead(entry.seat, entry.spaces, said=True)
            case VotesShown():
                for seat, position in enumerate(entry.positions):
                    steps = 0 if seat in entry.blocked else entry.effects.steps[seat]
                    if position is not None:
                        found[seat] = DeclaredPosition(position)
                    elif steps:
                        lead(seat, steps, moved=True)
            case LightsThrown() if entry.positions is not None:
                found = [DeclaredPosition(position) for position in entry.positions]
            case GuardsGo():
                for seat in entry.caught:
                    found[seat] = DeclaredPosition()
            case _:
                pass
    return tuple(found)


def _comparison(position: Position, declared: DeclaredPosition, spaces: int) -> str:
    """Return how a position compares with where a player was last seen, or where declarations and offers led."""
    if not (declared.said or declared.moved):
        return _("as last seen")
    if position == declared.at:
        # Translators: where a player is: as they said; or as their words and an offer's steps made everyone expect.
        return _("as expected") if declared.moved else _("as said")
    # Translators: where is "in JAIL" or "on 7".
    return _("claimed to be {where}", where=at(declared.at, spaces))


def _shown_words(entry: LightsThrown, view: PrisonBreakView, place: int, who: Who) -> str:
    declared = declared_positions(view, place)
    return clauses(
        _seen_words(who(Seat(seat)), position, declared[seat], view.spaces)
        for seat, position in enumerate(entry.positions or ())
    )


def _seen_words(name: str, position: Position, declared: DeclaredPosition, spaces: int) -> str:
    """Return where a player was seen, beside what everyone expected."""
    # Translators: "Ann is on 7 (as said)", "Ann is in JAIL (claimed to be on 9)".
    return _(
        "{name} is {where} ({comparison})",
        name=name,
        where=at(position, spaces),
        comparison=_comparison(position, declared, spaces),
    )


def _guards_words(entry: GuardsGo, view: PrisonBreakView, place: int, who: Who) -> str:
    sender = who(entry.seat)
    if not entry.caught:
        return _("{name} sent the guards to {space}: no one was there", name=sender, space=entry.space)
    declared = declared_positions(view, place)
    caught = listed(
        # Translators: a caught player: "Ann (as said)", "Ann (claimed to be on 9)".
        _("{name} ({comparison})", name=who(seat), comparison=_comparison(entry.space, declared[seat], view.spaces))
        for seat in entry.caught
    )
    return _(
        "{name} sent the guards to {space} and caught {caught}: back to JAIL",
        name=sender,
        space=entry.space,
        caught=caught,
    )


def _sneak_lines(entries: Sequence[Declares], view: PrisonBreakView, place: int, who: Who) -> Iterator[str]:
    """Yield the declarations; when the game is over, a line each, with the real move."""
    if view.phase != "over":
        yield _("Sneak: {said}", said=", ".join(_said_words(entry, who) for entry in entries))
        return
    begun = (entry.round for entry in reversed(view.log[:place]) if isinstance(entry, RoundStarts))
    round_ = next(begun, view.round)
    for entry in entries:
        path = view.paths[entry.seat]
        step = next((step for step in path if step.round == round_ and step.cause == "sneak"), None)
        if step is None:
            yield _said_words(entry, who)
            continue
        facts = {"name": who(entry.seat), "said": entry.spaces, "gone": step.steps}
        where = at(step.position, view.spaces)
        if step.steps == entry.spaces:
            yield _("{name} said {said} and went {gone}: now {where}", **facts, where=where)
        else:
            yield _("{name} said {said} but went {gone}, a lie: now {where}", **facts, where=where)


def _truth_words(view: PrisonBreakView, round_: int, who: Who) -> str:
    """Return everyone's real position after a round, for finished games only."""
    truths = []
    for seat, path in enumerate(view.paths):
        position = next((step.position for step in reversed(path) if step.round <= round_), JAIL)
        # Translators: where a player really is: "Ann on 7".
        truths.append(_("{name} {where}", name=who(Seat(seat)), where=at(position, view.spaces)))
    return _("The truth after round {round}: {positions}", round=round_, positions=", ".join(truths))


def _votes_words(entry: VotesShown, view: PrisonBreakView, place: int, who: Who) -> str:
    """Return the votes and the offer's effect: its printed steps, never the real moves."""
    effects = entry.effects
    votes = listed(
        _("{name} accepted ✓", name=who(seat)) if accept else _("{name} rejected ⊘", name=who(seat))
        for seat, accept in zip((entry.first, entry.second), entry.accepts, strict=True)
    )
    done = []
    for number in range(len(effects.steps)):
        seat, parts = Seat(number), []
        if steps := effects.steps[seat]:
            void = seat in entry.blocked
            moved = steps_words(steps)
            # Translators: steps is "2 forward"; Lock Down keeps the player from moving.
            parts.append(_("{steps} (void: may not move)", steps=moved) if void else moved)
        if effects.tokens[seat]:
            parts.append(tokens_words(effects.tokens[seat]))
        position = entry.positions[seat]
        if seat in effects.shown and position is not None:
            said = declared_positions(view, place)[seat]
            where, comparison = at(position, view.spaces), _comparison(position, said, view.spaces)
            # Translators: after the name of a player: "is on 7 (as said)".
            parts.append(_("is {where} ({comparison})", where=where, comparison=comparison))
        if seat in effects.held:
            parts.append(_("may not move next round"))
        if parts:
            # Translators: effects is a list such as "2 back, +1 token, may not move next round".
            done.append(_("{name} {effects}", name=who(seat), effects=", ".join(parts)))
    if effects.no_sneak:
        done.append(_("no Sneak phase next round"))
    if effects.no_guards:
        done.append(_("no guard checks this round"))
    effect = clauses(done) or _("nothing happens")
    return _("{offer}: {votes} – {effect}", offer=offer_name(entry.kind), votes=votes, effect=effect)


def _threat_words(entry: LogEntry, view: PrisonBreakView, warden: Seat | None, who: Who) -> str:
    """Return why a computer rejected its own offer; empty if it did not, or if that sets no one back."""
    if not isinstance(entry, VotesShown) or not terms_of(entry.kind, view.terms).both_reject.steps:
        return ""
    pair = (entry.first, entry.second)
    if warden not in pair or entry.accepts[pair.index(warden)]:
        return ""
    other = entry.first if entry.second == warden else entry.second
    return ". " + _(
        "{warden} meant it as a threat: if both reject, {other} loses more", warden=who(warden), other=who(other)
    )
