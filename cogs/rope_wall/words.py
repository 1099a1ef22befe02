"""The Rope Wall in words: openings, the picture's alt text, the wall as text, and the sentences for refusals."""

from collections.abc import Iterable, Iterator, Sequence

from cogs.core.drawing.theme import SEAT_MARKS
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import clauses, listed
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
    opening = code(Opening(floor, side))
    if side == "left":
        return _("{opening} (floor {floor}, from the left)", opening=opening, floor=floor)
    return _("{opening} (floor {floor}, from the right)", opening=opening, floor=floor)


def exit_label(columns: Sequence[int]) -> str:
    """Return an exit, or a pair of exits for two ropes, as a label."""
    if len(columns) == 1:
        return _("Exit {column}", column=columns[0])
    return _("Exits {columns}", columns=listed(map(str, columns)))


def exit_choices(choices: Iterable[Sequence[int]]) -> str:
    """Return the exits to choose from in a sentence: "1, 2, or 3"; "1 and 4, or 2 and 5"."""
    *others, last = [listed(map(str, columns)) for columns in choices] or [""]
    return _("{exits}, or {last}", exits=", ".join(others), last=last) if others else last


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
    out = f"{names[0]} {view.freed[0]}, {names[1]} {view.freed[1]}"
    yield _("Prisoners out ({goal} to win): {score}.", goal=view.goal, score=out)
    closed = [f"{column} ({_letter(guest)})" for column, guest in enumerate(view.exits, 1) if guest is not None]
    if closed:
        yield _("Exits closed by a prisoner: {exits}.", exits=", ".join(closed))
    if view.phase == "over" and view.finished:
        won = [
            _("{name} in round {number}", name=plain[one.winner], number=one.number)
            for one in view.finished
            if one.winner is not None
        ]
        yield _("Rounds won: {rounds}.", rounds=", ".join(won)) if won else _("No one won a round.")
    if view.full_turns_left is not None:
        yield ngettext(
            "The wall is full: {n} turn until round {number} is cancelled.",
            "The wall is full: {n} turns until round {number} is cancelled.",
            view.full_turns_left,
            number=view.round,
        )
    elif view.pushes_left is not None and view.pushes_left <= 10 and view.phase == "push":
        yield ngettext(
            "{n} push until round {number} is cancelled.",
            "{n} pushes until round {number} is cancelled.",
            view.pushes_left,
            number=view.round,
        )
    pushed = last_push(view)
    if view.last_wall is not None:
        yield _(
            "Round {number} starts with an empty wall; the picture still shows the previous round's wall.",
            number=view.round,
        )
    else:
        yield _("Round {number}.", number=view.round)
    if pushed is not None:
        yield _last_push(pushed, plain)
    yield from _floors(view.wall if view.last_wall is None else view.last_wall)
    for seat in (0, 1):
        if view.barred[seat]:
            yield _("Barred for {name}: {openings}.", name=plain[seat], openings=listed(map(code, view.barred[seat])))
    yield _("Knots in hand: {hands}.", hands=f"{plain[0]} {view.hands[0]}, {plain[1]} {view.hands[1]}")
    for rope in view.ropes:
        yield _("Rope (floor-column): {cells}.", cells=", ".join(f"{floor}-{column}" for floor, column in rope))


def _situation(view: RopeWallView, names: Sequence[str]) -> str:
    if view.phase == "over":
        if view.winner is None:
            return _("The game is over: a shared win.")
        return _("{name} won the game.", name=names[view.winner])
    if view.phase == "interlude":
        if view.begins is None:
            return _("Round {number} is over. The next one starts when both players are ready.", number=view.round)
        return _(
            "Round {number} is over. {name} starts the next one when both players are ready.",
            number=view.round,
            name=names[view.begins],
        )
    assert view.turn is not None
    name = names[view.turn]
    if view.phase == "push":
        return _("It's {name}'s turn to push.", name=name)
    return _("{name} won the round and chooses the exit: {exits}.", name=name, exits=exit_choices(view.choices))


def _last_push(pushed: Pushed, names: Sequence[str]) -> str:
    name, opening = names[pushed.seat], code(Opening(pushed.floor, pushed.side))
    if pushed.fell is None:
        return _("Last push: {name} into {opening}.", name=name, opening=opening)
    return _(
        "Last push: {name} into {opening}; {owner}'s knot fell out at {opposite}.",
        name=name,
        opening=opening,
        owner=names[pushed.fell],
        opposite=code(opposite_opening(pushed)),
    )


def _floors(wall: Wall) -> Iterator[str]:
    if not any(seat is not None for row in wall for seat in row):
        yield _("The wall is empty.")
        return
    floors = [_("floor {floor}: {knots}", floor=floor, knots=_row(wall, floor)) for floor in range(len(wall), 0, -1)]
    yield _("The wall, top to bottom and left to right (a dot is a gap): {floors}.", floors=clauses(floors))


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
    lines = [f"{'':7}{exits}  " + _("exits")]
    lines += [
        f"{sign(floor, 'left')} [ {_row(view.wall, floor)} ] {sign(floor, 'right')}"
        for floor in range(view.floors, 0, -1)
    ]
    lines.append("")
    # Translators: A and B are the players. The lines of this text should have at most 34 characters.
    lines.append(_("prisoners out  A {a}  B {b}  of {goal}", a=view.freed[0], b=view.freed[1], goal=view.goal))
    lines.append(_("knots in hand  A {a}  B {b}", a=view.hands[0], b=view.hands[1]))
    if view.full_turns_left is not None:
        lines.append(_("wall full, turns left: {number}", number=view.full_turns_left))
    match view.phase:
        case "push":
            lines.append(_("round {number}, {player} to push", number=view.round, player=_whose(view.turn)))
        case "choose":
            lines.append(
                _("{player} won round {number}; exits to choose:", player=_whose(view.turn), number=view.round)
            )
            lines += [f"  {listed(map(str, choice))}" for choice in view.choices]
        case "interlude":
            player = _whose(view.begins)
            lines.append(_("round {number} over, {player} starts the next", number=view.round, player=player))
        case "over":
            lines.append(_("{player} won", player=_whose(view.winner)) if view.winner is not None else _("shared win"))
    return "\n".join(lines)


def _whose(seat: Seat | None) -> str:
    return _("no one") if seat is None else _letter(seat)


def _letter(seat: int) -> str:
    return SEAT_MARKS[seat].letter


def _row(wall: Wall, floor: int) -> str:
    return " ".join("." if seat is None else _letter(seat) for seat in wall[floor - 1])


# ------------------------------------------------------------------------------------------------------------- refusals


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    who = whose(info, facts.get("turn"))
    match refusal.code:
        case "no-knot":
            return _("You have no knots left. {name} plays on until one of yours falls out.", name=who)
        case "choose-first":
            return _("The round is over: {name} chooses the exit first.", name=who)
        case "no-such-opening":
            return _("That opening doesn't exist. Floors are numbered from 1 at the bottom; sides are left and right.")
        case "barred":
            side: Side = "left" if facts.get("side") == "left" else "right"
            return _(
                "{opening} is barred for you this turn: your knot just fell out there and can't go straight back in.",
                opening=opening_name(int(str(facts.get("floor"))), side),
            )
        case "nothing-to-choose":
            return _("There's no exit to choose now. You choose one when you finish a rope.")
        case "not-a-choice":
            return _("No finished rope ends there. Choose one of the exits below the picture.")
        case _:
            return sentence(refusal, info, {})
