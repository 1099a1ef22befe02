"""The controls of Prison Break: public ones on the table message, the others on the player page."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import clauses, cut, listed
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Row, Select, SelectOption, Text
from cogs.prison_break.offer_page import offers
from cogs.prison_break.words import claim, is_held, vote_words
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView

HINT_LENGTH = 100
"""Discord's limit for the description of an option, in characters. Facts that do not fit are left out."""


def _log() -> Button:
    return Button(_("Log"), "log")


def _no_check() -> Button:
    # Translators: make no guard check.
    return Button(_("No check"), "pass")


def _notes() -> tuple[Button, Button]:
    """Return the buttons of the notepad and the markers."""
    return Button(_("Write a note"), "note"), Button(_("Markers"), "markers")


def controls(view: PrisonBreakView, info: TableContext) -> tuple[Row | Select, ...]:
    """Return the controls of the table message; secret actions are on the player page."""
    log = _log()
    match view.phase:
        case "sneak":
            return (Row((Button(_("Sneak"), "hand", "sneak", style="success"), log)),)
        case "offer":
            offer = Button(_("Make an offer"), "hand", "offer", style="success")
            return (Row((offer, Button(_("No offer"), "decline"), log)),)
        case "vote":
            return (Row((Button(_("Vote"), "hand", "vote", style="success"), log)),)
        case "guard":
            return (guard_select(view, info), Row((_no_check(), log)))
        case "interlude":
            return (Row((interludes.button(view.interlude, view.seat), log)),)
        case "over":
            return (Row((log,)),)
        case _:
            assert_never(view.phase)


def own_controls(view: PrisonBreakView, seat: Seat, info: TableContext) -> Iterator[Row | Select | Text]:
    """Yield the controls of a seat that can act, and the buttons of its notepad and its markers."""
    if seat in view.to_act:
        match view.phase:
            case "sneak":
                yield from _sneaks(view, seat)
            case "offer":
                yield from offers(view)
            case "vote":
                yield Row(
                    (
                        Button(vote_words(accept=True), "vote", "accept", style="success"),
                        Button(vote_words(accept=False), "vote", "reject", style="danger"),
                    )
                )
            case "guard":
                yield guard_select(view, info)
                yield Row((_no_check(), *_notes()))
                return
            case "interlude" | "over":
                pass  # no seat can act
            case _:
                assert_never(view.phase)
    own = _notes()
    yield Row(own if view.interlude is None else (interludes.button(view.interlude, view.seat), *own))


def _sneaks(view: PrisonBreakView, seat: Seat) -> Iterator[Row]:
    """Yield one button for each pair of a declaration and a real move: the sneak is a single press."""
    spaces = range(view.longest_sneak + 1)
    moves = (0,) if is_held(view, seat) else spaces
    for declared in spaces:
        buttons = (
            Button(
                _("say {said}, go {gone}", said=declared, gone=moved),
                "sneak",
                f"{declared}.{moved}",
                style="primary" if declared == moved else "secondary",
            )
            for moved in moves
        )
        yield Row(tuple(buttons))


def guard_select(view: PrisonBreakView, info: TableContext) -> Select:
    """Return the numbered spaces, with public statements about them; a reader's view leaves their own out."""
    # Translators: the reader, in a list of names: "last seen here: you and Ann".
    named = [_("you") if seat == view.seat else name for seat, name in enumerate(info.distinct_names)]
    own = None if view.seat is None else view.positions[view.seat]
    choices, claims = [], _claims(view)
    for space in range(1, view.spaces + 1):
        facts = [_("you are here")] * (space == own) + _facts(view, space, named, claims)
        while len(facts) > 1 and len(clauses(facts)) > HINT_LENGTH:
            facts.pop()
        label = _("Space {space}", space=space)
        choices.append(SelectOption(label, str(space), cut(clauses(facts), HINT_LENGTH) or None))
    return Select("guard", tuple(choices), _("Send the guards to …"))


def space_hint(view: PrisonBreakView, space: Position, names: Sequence[str]) -> str:
    """Return what everyone knows about a space: players last seen there, and players who would be there if honest."""
    return clauses(_facts(view, space, names, _claims(view)))


def _claims(view: PrisonBreakView) -> list[Position]:
    """Return where each seat would be if honest."""
    return [claim(view, Seat(seat)) for seat in range(len(view.prisoners))]


def _facts(view: PrisonBreakView, space: Position, names: Sequence[str], claims: Sequence[Position]) -> list[str]:
    seen = [names[seat] for seat, prisoner in enumerate(view.prisoners) if prisoner.seen == space]
    parts = []
    if seen:
        parts.append(_("last seen here: {names}", names=listed(seen)))
    if space in claims:
        led = [seat for seat, position in enumerate(claims) if position == space]
        if claimed := [names[seat] for seat in led if seat != view.seat]:
            parts.append(_("here if honest: {names}", names=listed(claimed)))
        if view.seat in led:  # a reader who knows their own position would see "you" in two places
            parts.append(_("where they think you are"))
    return parts
