"""The Rope Wall in words: openings, the picture's alt text, the wall as text, and the sentences for refusals."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cogs.core.drawing.theme import SEAT_MARKS
from cogs.core.pages.display_names import shortened
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import join_within
from cogs.core.pages.refusals import sentence, whose
from engine.contract import Refusal, Seat
from engine.games.rope_wall import Opening, Pushed, RopeWallView, Side, Wall

NAME_LIMIT = 24
"""The most characters of a name in an alt text."""


def code(opening: Opening) -> str:
    """Return an opening as its sign names it: L3, R5."""
    return f"{opening.side[0].upper()}{opening.floor}"


def opening_name(floor: int, side: Side) -> str:
    """Return an opening in words."""
    return f"{side[0].upper()}{floor} (floor {floor}, from the {side})"


def read_opening(argument: str) -> Opening | None:
    """Return the opening of a button's argument, or None."""
    if len(argument) == 2 and argument[0] in "LR" and argument[1].isdecimal():
        return Opening(int(argument[1]), "left" if argument[0] == "L" else "right")
    return None


def last_push(view: RopeWallView) -> Pushed | None:
    """Return the push that led to the position shown, or None on a new wall.

    At the beginning of a round this is the push that ended the previous one, whose wall is still shown.
    """
    return view.recent[-1] if view.recent and (view.last_push is not None or view.last_wall is not None) else None


def opposite_opening(pushed: Pushed) -> Opening:
    """Return the opposite opening, where a push into a full floor drops a knot."""
    return Opening(pushed.floor, "right" if pushed.side == "left" else "left")


# ------------------------------------------------------------------------------------------------------------- alt text


def alt(view: RopeWallView, names: Sequence[str]) -> str:
    """Return the picture in words, at most 1024 characters, the most important first. `names` are the players', by
    seat.
    """
    plain = [shortened(name, NAME_LIMIT) for name in names]
    return join_within(_sentences(view, [f"{name} ({_letter(seat)})" for seat, name in enumerate(plain)], plain))


def _sentences(view: RopeWallView, names: Sequence[str], plain: Sequence[str]) -> Iterator[str]:
    yield _situation(view, names)
    yield f"Prisoners out, of {view.goal}: {names[0]} {view.freed[0]}, {names[1]} {view.freed[1]}."
    closed = [f"{column} ({_letter(guest)})" for column, guest in enumerate(view.exits, 1) if guest is not None]
    if closed:
        yield f"Exits closed by a prisoner: {', '.join(closed)}."
    if view.phase == "over" and view.finished:
        won = [f"{plain[one.winner]} in round {one.number}" for one in view.finished if one.winner is not None]
        yield f"Rounds won: {', '.join(won) or 'none'}."
    if view.full_turns_left is not None:
        yield f"The wall is full; turns until round {view.round} is cancelled: {view.full_turns_left}."
    elif view.pushes_left is not None and view.pushes_left <= 10 and view.phase == "push":
        yield f"Pushes until round {view.round} is cancelled: {view.pushes_left}."
    pushed = last_push(view)
    if view.last_wall is not None:
        yield f"Round {view.round} begins with an empty wall; the picture still shows the wall of the round before."
    else:
        yield f"Round {view.round}."
    if pushed is not None:
        fell = (
            ""
            if pushed.fell is None
            else f"; a knot of {plain[pushed.fell]} fell out at {code(opposite_opening(pushed))}"
        )
        yield f"Last push: {plain[pushed.seat]} into {code(Opening(pushed.floor, pushed.side))}{fell}."
    yield from _floors(view.wall if view.last_wall is None else view.last_wall)
    for seat in (0, 1):
        if view.barred[seat]:
            yield f"Barred for {plain[seat]}: {' and '.join(map(code, view.barred[seat]))}."
    yield f"Knots in hand: {plain[0]} {view.hands[0]}, {plain[1]} {view.hands[1]}."
    for rope in view.ropes:
        yield f"Rope, as floor-column: {', '.join(f'{floor}-{column}' for floor, column in rope)}."


def _situation(view: RopeWallView, names: Sequence[str]) -> str:
    if view.phase == "over":
        return "The game is over and shared." if view.winner is None else f"{names[view.winner]} has won the game."
    if view.phase == "interlude":
        begins = "" if view.begins is None else f", and {names[view.begins]} begins it"
        return f"Round {view.round} is over; the next one begins when both are ready{begins}."
    assert view.turn is not None
    if view.phase == "push":
        return f"{names[view.turn]} is to push."
    choices = ", or ".join(" and ".join(map(str, choice)) for choice in view.choices)
    return f"{names[view.turn]} has won the round and is to choose the exit: {choices}."


def _floors(wall: Wall) -> Iterator[str]:
    if not any(seat is not None for row in wall for seat in row):
        yield "The wall is empty."
        return
    floors = [f"floor {floor}: {_row(wall, floor)}" for floor in range(len(wall), 0, -1)]
    yield f"The wall from the top, a dot for a gap: {'; '.join(floors)} (left to right)."


# ----------------------------------------------------------------------------------------------------------------- text


def table_text(view: RopeWallView) -> str:
    """Return the wall as monospaced text, at most 34 columns wide.

    A and B are knots and, on top, prisoners; a dot is a gap; x bars an opening for the player to push; > and < mark the
    last push.
    """
    barred = view.barred[view.turn] if view.turn is not None and view.phase == "push" else ()

    def sign(floor: int, side: Side) -> str:
        opening = Opening(floor, side)
        mark = "x" if opening in barred else (">" if side == "left" else "<") if opening == view.last_push else " "
        return f"{code(opening)} {mark}" if side == "left" else f"{mark} {code(opening)}"

    exits = " ".join(_letter(guest) if guest is not None else str(c) for c, guest in enumerate(view.exits, 1))
    lines = [f"exits  {exits}"]
    lines += [
        f"{sign(floor, 'left')} [ {_row(view.wall, floor)} ] {sign(floor, 'right')}"
        for floor in range(view.floors, 0, -1)
    ]
    lines.append("")
    lines.append(f"prisoners out  A {view.freed[0]}  B {view.freed[1]}  of {view.goal}")
    lines.append(f"knots in hand  A {view.hands[0]}  B {view.hands[1]}")
    if view.full_turns_left is not None:
        lines.append(f"wall full, turns left: {view.full_turns_left}")
    match view.phase:
        case "push":
            lines.append(f"round {view.round}, to push: {_whose(view.turn)}")
        case "choose":
            lines.append(f"round {view.round} won by {_whose(view.turn)}, exits to choose:")
            lines += [f"  {' and '.join(map(str, choice))}" for choice in view.choices]
        case "interlude":
            lines.append(f"round {view.round} is over, {_whose(view.begins)} begins the next")
        case "over":
            lines.append(f"won by {_whose(view.winner)}" if view.winner is not None else "shared: nobody has won")
    return "\n".join(lines)


def _whose(seat: Seat | None) -> str:
    return "nobody" if seat is None else _letter(seat)


def _letter(seat: int) -> str:
    return SEAT_MARKS[seat].letter


def _row(wall: Wall, floor: int) -> str:
    return _row_words(wall[floor - 1])


@lru_cache(maxsize=1024)
def _row_words(row: tuple[Seat | None, ...]) -> str:
    return " ".join("." if seat is None else _letter(seat) for seat in row)


# ------------------------------------------------------------------------------------------------------------- refusals


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    who = whose(info, facts.get("turn"))
    match refusal.code:
        case "not-your-turn":
            return f"It is {who}'s turn, not yours."
        case "no-knot":
            return f"You have no knot left: you wait until one of yours falls out of the wall. {who} plays on."
        case "choose-first":
            return f"The round is over; first {who} chooses the exit."
        case "no-such-opening":
            return "There is no such opening: floors are numbered from 1 at the bottom, sides are left and right."
        case "barred":
            side: Side = "left" if facts.get("side") == "left" else "right"
            name = opening_name(int(str(facts.get("floor"))), side)
            return (
                f"{name} is barred for you this turn: a knot of yours has just fallen out there, "
                "and it may not go straight back in."
            )
        case "nothing-to-choose":
            return "There is no exit to choose now: that comes after a rope is finished."
        case "not-a-choice":
            return "No finished rope ends there. *What can I do?* lists the exits you can choose."
        case _:
            return sentence(refusal, {})
