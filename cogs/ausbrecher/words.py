"""The words for Ausbrecher AG: prisoners, results, turns, refusals. Views and facts in, sentences out.

May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence

from cogs.core.games.refusals import sentence, whose
from cogs.core.messages.faces import faced
from cogs.core.phrases import listed, signed
from cogs.core.screen import TableInfo
from engine.contract import Refusal, Seat
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Colour, Landing, Move, OpenResult, Turn

LETTERS: dict[Colour, str] = {colour: colour[0].upper() for colour in COLOURS}
"""By these letters prisoners are told apart without their colours: R O Y G B V P."""


def face_name(colour: Colour | None) -> str:
    """Return what the emoji of a prisoner's die is called, or that of the white one."""
    return f"die_{colour or 'white'}"


def called(colour: Colour) -> str:
    """Return a prisoner at the beginning of a sentence or on a button: Red."""
    return colour.capitalize()


def whither(landing: Landing) -> str:
    """Return where a result leads."""
    match landing.fate:
        case "space":
            onto = f" on top of {landing.onto}" if landing.onto else ""
            return f"to space {landing.space}{onto}"
        case "boat":
            return f"into boat {landing.boat}"
        case "cell":
            return "back into its cell"
        case "covered":
            return "stays where it is: it is covered"
        case "in-cell":
            return "stays in its cell"


def lost(landing: Landing) -> str:
    """Return why a result is lost; empty for one that leads somewhere."""
    return {"covered": "lost, since it is covered", "in-cell": "lost, since it is in its cell"}.get(landing.fate, "")


def result_words(result: OpenResult) -> str:
    """Return an open result with where it leads."""
    way = "back" if result.back else "forward"
    return f"{called(result.colour)} {result.pips} {way}: {lost(result.landing) or whither(result.landing)}"


def steps(result: OpenResult) -> str:
    """Return how far an open result leads, and which way: +3, −2."""
    return signed(-result.pips if result.back else result.pips)


def button(result: OpenResult) -> str:
    """Return what the button of an open result says beside its die: how far, and what becomes of it; short enough for a
    phone.
    """
    return f"{steps(result)} {_short(result.landing)}"


def replaced_button(result: OpenResult) -> str:
    """Return what the button of a result that the white die may replace says beside its die."""
    return f"back {'(lost)' if result.replaced is None else _short(result.replaced)}"


def _short(landing: Landing) -> str:
    match landing.fate:
        case "space":
            return f"→ {landing.space}" + (f", on {landing.onto}" if landing.onto else "")
        case "boat":
            return f"→ boat {landing.boat}"
        case "cell":
            return "→ its cell"
        case "covered":
            return "(stuck)"
        case "in-cell":
            return "(stays in its cell)"


def moved(move: Move) -> str:
    """Return a move that was carried out."""
    sign = "back " if move.back and move.landing.fate in ("space", "boat") else ""
    return f"{move.colour} {sign}{whither(move.landing)}"


def turn_words(turn: Turn, info: TableInfo) -> str:
    """Return what happened in a turn on one line."""
    if not turn.dice:
        return ""
    dice = [faced([face_name(die.colour)], f"{die.colour} {die.pips}") for die in turn.dice]
    if turn.white is not None:
        dice.append(faced([face_name(None)], f"white {turn.white}"))
    parts = [f"{info.name(turn.seat)} rolled {listed(dice)}", *map(moved, turn.moves)]
    late = " (the clock ran out)" if turn.lapses else ""
    return "; ".join(parts) + late


def forecast_words(bets: Assignment, gained: Sequence[int | None]) -> list[str]:
    """Return a forecast boat by boat, with what came true so far."""
    lines = []
    for boat in sorted(set(bets)):
        crew = []
        for colour, bet, points in zip(COLOURS, bets, gained, strict=True):
            if bet == boat:
                sign = "" if points is None else " ✓" if points else " ✗"
                crew.append(f"{colour}{sign}")
        lines.append(f"Boat {boat}: {', '.join(crew)}")
    return lines


def score(gained: Sequence[int | None]) -> int:
    """Return the points of a forecast so far."""
    return sum(points or 0 for points in gained)


def standings(view: AusbrecherView, info: TableInfo) -> str:
    """Return everybody's points at the end on one line, the best first."""
    order = sorted(range(len(view.points)), key=lambda seat: -score(view.points[seat]))
    return " · ".join(f"{info.name(Seat(seat))} {score(view.points[seat])}" for seat in order)


_NEEDED = {
    "forecast": "Forecasts are closed: the last one came in, and the race has begun.",
    "roll": "You cannot roll now: the dice of this turn are still on the table.",
    "replace": "There is no result to replace now: that comes right after a roll with the white die.",
    "resolve": "There is no result to carry out now: roll first, and if the white die was rolled, say what it "
    "replaces.",
}
"""Why something cannot be done now, by the phase that it needs."""

_REFUSALS = {
    "not-your-turn": "It is {whose}'s turn, not yours.",
    "bets": "A forecast names a boat for each of the {needed} prisoners; yours names {given}.",
    "no-boat": "There is no boat {boat}: they are numbered 1 to {boats}.",
    "boat-load": "Boat {boat} takes exactly {holds}; your forecast puts {given} into it.",
    "no-colour": f"There is no such prisoner. They are {', '.join(COLOURS)}.",
    "twice": "There is one {colour} die: it cannot be rolled twice.",
    "aboard": "The {colour} prisoner is aboard boat {boat}: its die is out of the game.",
    "too-early": "The white die may be rolled from the game's turn {from_turn} on; this is {turn}.",
    "dice": "Choose exactly {needed} coloured dice for this roll; you chose {given}.",
    "no-second": "No second prisoner is named for this roll: the white die replaces a result.",
    "needs-second": "Name the second prisoner as well: it goes back by the white die.",
    "same-second": "The second prisoner must be another one than the one that goes forward.",
    "not-rolled": "The {colour} die is not among the open results of this turn.",
    "resolved": "The {colour} result was carried out already.",
}


def refusal_words(refusal: Refusal, info: TableInfo) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    if refusal.code == "wrong-phase":
        if facts.get("phase") == "forecast":
            return "First everybody makes a forecast; the race begins when the last one is in."
        return _NEEDED.get(str(facts.get("needs")), "That is not what the game waits for now.")
    return sentence(refusal, _REFUSALS, whose=whose(info, facts.get("turn")))
