"""The words for Ausbrecher AG: prisoners, results, turns, refusals."""

from collections.abc import Sequence
from itertools import groupby

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import clauses, listed, signed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence
from engine.contract import Refusal, Seat
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Colour, Landing, Move, OpenResult, Turn, held

LETTERS: dict[Colour, str] = {colour: colour[0].upper() for colour in COLOURS}
"""The letters that mark prisoners in addition to their colours: R O Y G B V P."""


_SIGNS: dict[Colour, str] = {
    "red": "🟥",
    "orange": "🟧",
    "yellow": "🟨",
    "green": "🟩",
    "blue": "🟦",
    "violet": "🟪",
    "pink": "🌸",
}


def sign(colour: Colour | None) -> str:
    """Return a prisoner's colour as a standard emoji, for a button without its die. None is the white die."""
    return "⬜" if colour is None else _SIGNS[colour]


def face_name(colour: Colour | None) -> str:
    """Return the name of the emoji of a prisoner's die, or of the white one."""
    return f"die_{colour or 'white'}"


# Translators: the seven prisoners, who are known by their colours.
_PRISONERS: dict[str, str] = {
    "red": N_("red"),
    "orange": N_("orange"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "violet": N_("violet"),
    "pink": N_("pink"),
}
_CAPITALISED: dict[str, str] = {
    "red": N_("Red"),
    "orange": N_("Orange"),
    "yellow": N_("Yellow"),
    "green": N_("Green"),
    "blue": N_("Blue"),
    "violet": N_("Violet"),
    "pink": N_("Pink"),
}


def prisoner_name(colour: str) -> str:
    """Return a prisoner's name in a sentence: red. An unknown one is returned as it is."""
    return _(_PRISONERS[colour]) if colour in _PRISONERS else colour


def prisoner_names() -> str:
    """Return the names of all prisoners, separated by commas."""
    return ", ".join(map(prisoner_name, COLOURS))


def capitalised(colour: str) -> str:
    """Return a prisoner's name for the start of a sentence or a button: Red."""
    return _(_CAPITALISED[colour])


def destination(landing: Landing) -> str:
    """Return where a result leads."""
    match landing.fate:
        case "space" if landing.onto:
            return _("to space {space} on top of {other}", space=landing.space, other=prisoner_name(landing.onto))
        case "space":
            return _("to space {space}", space=landing.space)
        case "boat":
            return _("into boat {boat}", boat=landing.boat)
        case "cell":
            return _("back into its cell")
        case "covered" | "in-cell":
            return loss_reason(landing)


def loss_reason(landing: Landing) -> str:
    """Return why a result is lost; empty for one that leads somewhere.

    Players always read that a result that moves no one is *lost*, and that a prisoner below another is *covered*.
    """
    match landing.fate:
        case "covered":
            return _("lost (covered)")
        case "in-cell":
            return _("lost (in its cell)")
        case _:
            return ""


def result_words(result: OpenResult, name: str | None = None) -> str:
    """Return an open result with where it leads, with this name of its prisoner (default: capitalised)."""
    return _(
        "{prisoner} {steps}: {destination}",
        prisoner=name or capitalised(result.colour),
        steps=steps(result),
        destination=destination(result.landing),
    )


def steps(result: OpenResult) -> str:
    """Return how far an open result leads, and which way: +3, −2."""
    return signed(-result.pips if result.back else result.pips)


def button(result: OpenResult) -> str:
    """Return the text of an open result's button, beside its die: how far, and the outcome; short enough for a
    phone.
    """
    return f"{steps(result)} {_short(result.landing)}"


def replaced_button(result: OpenResult) -> str:
    """Return the text of the button, beside its die, of a result that the white die may replace."""
    there = result.replaced
    if there is None:
        # Translators: a die that moves no one.
        return _("lost")
    return _short(there) if loss_reason(there) else _("back {destination}", destination=_short(there))


def _short(landing: Landing) -> str:
    match landing.fate:
        case "space" if landing.onto:
            return _("→ {space}, on {other}", space=landing.space, other=prisoner_name(landing.onto))
        case "space":
            return f"→ {landing.space}"
        case "boat":
            return _("→ boat {boat}", boat=landing.boat)
        case "cell":
            return _("→ its cell")
        case "covered":
            return _("lost: covered")
        case "in-cell":
            return _("lost: in its cell")


def same_by_white(view: AusbrecherView) -> tuple[Colour, ...]:
    """Return the prisoners whose result is lost whether the white die replaces it or not, if there are several."""
    rolled = [result.colour for result in view.results]
    still = held(view.race, rolled)
    same = tuple(colour for colour in rolled if colour in still)
    return same if len(same) > 1 else ()


def coverers(view: AusbrecherView) -> list[tuple[Colour, Colour]]:
    """Return the prisoners whose open result is lost as long as they are covered, each with those above."""
    found = []
    for result in view.results:
        if not result.resolved and result.landing.fate == "covered":
            stack = view.race.spaces[(result.landing.space or 0) - 1]
            found.append((result.colour, stack[stack.index(result.colour) + 1]))
    return found


def moves_words(moves: Sequence[Move]) -> list[str]:
    """Return the moves carried out, in order; consecutive moves lost for one reason are joined."""
    words = []
    for fate, run in groupby(moves, key=lambda move: move.landing.fate):
        group = list(run)
        if fate in ("covered", "in-cell"):
            words.append(_lost_words(group))
        else:
            words += map(_move_words, group)
    return words


def boarded_words(colour: Colour, boat: int | None) -> str:
    """Return that a prisoner boarded."""
    return _("{prisoner} into boat {boat}", prisoner=prisoner_name(colour), boat=boat)


def _move_words(move: Move) -> str:
    landing, prisoner = move.landing, prisoner_name(move.colour)
    if landing.fate == "boat":
        return boarded_words(move.colour, landing.boat)
    if landing.fate == "cell":
        return _("{prisoner} back into its cell", prisoner=prisoner)
    if landing.onto:
        other = prisoner_name(landing.onto)
        if move.back:
            return _(
                "{prisoner} back to space {space} on top of {other}",
                prisoner=prisoner,
                space=landing.space,
                other=other,
            )
        return _("{prisoner} to space {space} on top of {other}", prisoner=prisoner, space=landing.space, other=other)
    if move.back:
        return _("{prisoner} back to space {space}", prisoner=prisoner, space=landing.space)
    return _("{prisoner} to space {space}", prisoner=prisoner, space=landing.space)


def _lost_words(moves: Sequence[Move]) -> str:
    # Translators: a prisoner's die, for example "green's 2".
    dice = listed([_("{prisoner}'s {pips}", prisoner=prisoner_name(move.colour), pips=move.pips) for move in moves])
    if moves[0].landing.fate == "covered":
        return ngettext("{dice} is lost (covered)", "{dice} are lost (covered)", len(moves), dice=dice)
    return ngettext("{dice} is lost (in its cell)", "{dice} are lost (in their cells)", len(moves), dice=dice)


def _replacement(turn: Turn) -> list[str]:
    """Return which result the white die has replaced, if any."""
    return [
        _("white replaced {prisoner}'s {pips}", prisoner=prisoner_name(die.colour), pips=die.pips)
        for die in turn.dice
        if die.colour == turn.replaced
    ]


def turn_words(turn: Turn, info: TableContext) -> str:
    """Return what happened in a turn on one line."""
    if not turn.dice:
        return ""
    dice = [faced([face_name(die.colour)], f"{prisoner_name(die.colour)} {die.pips}") for die in turn.dice]
    if turn.white is not None:
        dice.append(faced([face_name(None)], _white_die(turn.white, turn.second)))
    rolled = _("{player} rolled {dice}", player=info.seated_players[turn.seat].bold, dice=listed(dice))
    late = [_("time ran out")] if turn.lapses else []
    return clauses([rolled, *_replacement(turn), *moves_words(turn.moves), *late])


def _white_die(pips: int, second: Colour | None) -> str:
    if second is None:
        return _("white {pips}", pips=pips)
    return _("white {pips} for {prisoner}", pips=pips, prisoner=prisoner_name(second))


def forecast_words(bets: Assignment, gained: Sequence[int | None]) -> list[str]:
    """Return a forecast boat by boat, with what came true so far; nothing for prisoners without a boat."""
    lines = []
    for boat in sorted(set(bets) - {0}):
        crew = []
        for colour, bet, points in zip(COLOURS, bets, gained, strict=True):
            if bet == boat:
                sign = "" if points is None else " ✓" if points else " ✗"
                crew.append(f"{prisoner_name(colour)}{sign}")
        lines.append(_("Boat {boat}: {prisoners}", boat=boat, prisoners=", ".join(crew)))
    return lines


def crews(bets: Assignment) -> str:
    """Return a complete forecast on one line."""
    return " · ".join(forecast_words(bets, (None,) * len(bets)))


def boat_lettering(boat: int) -> str:
    """Return what is painted on a boat."""
    return _("BOAT {boat}", boat=boat)


def die_lettering(colour: Colour | None, *, lost: bool) -> str:
    """Return the label below a die: its prisoner (None: the white die), and whether it is lost."""
    if colour is None:
        return _("white")
    return _("{letter} lost", letter=LETTERS[colour]) if lost else LETTERS[colour]


def points_so_far(gained: Sequence[int | None]) -> int:
    """Return the points of a forecast so far."""
    return sum(points or 0 for points in gained)


def standings(view: AusbrecherView, info: TableContext) -> str:
    """Return everybody's points at the end on one line, best first."""
    order = sorted(range(len(view.points)), key=lambda seat: -points_so_far(view.points[seat]))
    scores = " · ".join(f"{info.name(Seat(seat))} {points_so_far(view.points[seat])}" for seat in order)
    return _("Points: {scores}", scores=scores)


_NEEDED = {
    "forecast": N_("Forecasts are closed: the race has started."),
    "roll": N_("You've already rolled. First move with this turn's dice."),
    "replace": N_("There's nothing to replace now. That comes right after you roll the white die."),
    "resolve": N_("There's nothing to move yet. Roll first; if you rolled the white die, choose what it replaces."),
}
"""Why something cannot be done now, by the phase that it needs."""

_REFUSALS = {
    "bets": N_("A forecast needs a boat for each of the {needed} prisoners; yours has {given}."),
    "no-boat": N_("There's no boat {boat}. Choose 1 to {boats}."),
    "boat-load": N_("Boat {boat} takes exactly {holds}; your forecast puts {given} in it."),
    "no-colour": N_("There's no such prisoner. Choose from {colours}."),
    "twice": N_("There's only one {colour} die: you can't roll it twice."),
    "aboard": N_("The {colour} prisoner is already in boat {boat}, so that die is out of the game."),
    "too-early": N_("You can roll the white die from turn {from_turn} on; this is turn {turn}."),
    "dice": N_("Choose exactly {needed} coloured dice for this roll; you chose {given}."),
    "no-second": N_("Don't name a second prisoner for this roll: the white die replaces another one."),
    "needs-second": N_("Also name a second prisoner, who goes back by the white die."),
    "same-second": N_("The second prisoner can't be the one who goes forward."),
    "not-rolled": N_("The {colour} die isn't one of this turn's dice."),
    "resolved": N_("The {colour} die has already been used."),
}


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    if refusal.code == "wrong-phase":
        if facts.get("phase") == "forecast":
            return _("First everyone makes a forecast. The race starts once the last one is in.")
        return _(_NEEDED.get(str(facts.get("needs")), N_("The game isn't waiting for that now.")))
    words = {"colours": prisoner_names()}
    if (colour := facts.get("colour")) in _PRISONERS:
        words["colour"] = prisoner_name(str(colour))
    return sentence(refusal, info, _REFUSALS, **words)
