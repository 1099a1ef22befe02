"""The controls of Prison Break: public ones on the table message, the others on the player page."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from cogs.core.ops.text_format import cut, listed
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Row, Select, SelectOption, Text
from cogs.prison_break.offer_page import offers
from cogs.prison_break.words import ACCEPT, REJECT, claim, is_held
from engine.contract import Seat
from engine.games.prison_break import Position, PrisonBreakView

LOG = Button("Log", "log")
NO_CHECK = Button("No check", "pass")
NOTE = Button("Write a note", "note")
MARKERS = Button("Markers", "markers")


def controls(view: PrisonBreakView, info: TableContext) -> tuple[Row | Select, ...]:
    """Return the controls of the table message; secret actions are on the player page."""
    match view.phase:
        case "sneak":
            return (Row((Button("Sneak", "hand", "sneak", style="success"), LOG)),)
        case "offer":
            offer = Button("Make an offer", "hand", "offer", style="success")
            return (Row((offer, Button("No offer", "decline"), LOG)),)
        case "vote":
            return (Row((Button("Vote", "hand", "vote", style="success"), LOG)),)
        case "guard":
            return (guard_select(view, info), Row((NO_CHECK, LOG)))
        case "interlude":
            return (Row((interludes.button(view.interlude, view.seat), LOG)),)
        case "over":
            return (Row((LOG,)),)
        case _:
            assert_never(view.phase)


def own_controls(view: PrisonBreakView, seat: Seat, info: TableContext) -> Iterator[Row | Select | Text]:
    """Yield the controls of a seat that is to act, and the buttons of its notepad and its markers."""
    if seat in view.to_act:
        match view.phase:
            case "sneak":
                yield from _sneaks(view, seat)
            case "offer":
                yield from offers(view)
            case "vote":
                yield Row(
                    (
                        Button(f"{ACCEPT} Accept", "vote", "accept", style="success"),
                        Button(f"{REJECT} Reject", "vote", "reject", style="danger"),
                    )
                )
            case "guard":
                yield guard_select(view, info)
                yield Row((NO_CHECK, NOTE, MARKERS))
                return
            case "interlude" | "over":
                pass  # nobody is to act
            case _:
                assert_never(view.phase)
    own = (NOTE, MARKERS)
    yield Row(own if view.interlude is None else (interludes.button(view.interlude, view.seat), *own))


def _sneaks(view: PrisonBreakView, seat: Seat) -> Iterator[Row]:
    """Yield one button for each pair of a declaration and a real move: the sneak is a single press."""
    spaces = range(view.longest_sneak + 1)
    moves = (0,) if is_held(view, seat) else spaces
    for declared in spaces:
        buttons = (
            Button(
                f"say {declared}, go {moved}",
                "sneak",
                f"{declared}.{moved}",
                style="primary" if declared == moved else "secondary",
            )
            for moved in moves
        )
        yield Row(tuple(buttons))


def guard_select(view: PrisonBreakView, info: TableContext) -> Select:
    """Return the numbered spaces, with public statements about them; a reader's view leaves their own out."""
    named = ["you" if seat == view.seat else name for seat, name in enumerate(info.distinct_names)]
    own = None if view.seat is None else view.positions[view.seat]
    choices, claims = [], _claims(view)
    for space in range(1, view.spaces + 1):
        hint = "; ".join(filter(None, ("you are here" if space == own else "", _hint(view, space, named, claims))))
        choices.append(SelectOption(f"Space {space}", str(space), cut(hint, 100) or None))
    return Select("guard", tuple(choices), "Send the guards to …")


def space_hint(view: PrisonBreakView, space: Position, names: Sequence[str]) -> str:
    """Return what everybody knows about a space: players last seen there, and players who would be there if honest."""
    return _hint(view, space, names, _claims(view))


def _claims(view: PrisonBreakView) -> list[Position]:
    """Return where each seat would be if honest."""
    return [claim(view, Seat(seat)) for seat in range(len(view.prisoners))]


def _hint(view: PrisonBreakView, space: Position, names: Sequence[str], claims: Sequence[Position]) -> str:
    seen = [names[seat] for seat, prisoner in enumerate(view.prisoners) if prisoner.seen == space]
    parts = []
    if seen:
        parts.append(f"{listed(seen)} last seen here")
    if space in claims:
        led = [seat for seat, position in enumerate(claims) if position == space]
        if claimed := [names[seat] for seat in led if seat != view.seat]:
            parts.append(f"{listed(claimed)} here if all they said is true")
        if view.seat in led:  # a reader who knows their own position reads of two other places
            parts.append("where your words have led the others")
    return "; ".join(parts)
