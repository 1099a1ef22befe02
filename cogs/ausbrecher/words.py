"""The words for Ausbrecher AG: prisoners, results, turns, refusals."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from cogs.core.ops.text_format import listed, signed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.pages.refusals import sentence, whose
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


def capitalised(colour: Colour) -> str:
    """Return a prisoner's name for the start of a sentence or a button: Red."""
    return colour.capitalize()


def destination(landing: Landing) -> str:
    """Return where a result leads."""
    match landing.fate:
        case "space":
            onto = f" on top of {landing.onto}" if landing.onto else ""
            return f"to space {landing.space}{onto}"
        case "boat":
            return f"into boat {landing.boat}"
        case "cell":
            return "back into its cell"
        case "covered" | "in-cell":
            return loss_reason(landing)


def loss_reason(landing: Landing) -> str:
    """Return why a result is lost; empty for one that leads somewhere.

    Players always read that a result that moves nobody is *lost*, and that a prisoner below another is *covered*.
    """
    return {"covered": "lost, since it is covered", "in-cell": "lost, since it is in its cell"}.get(landing.fate, "")


def result_words(result: OpenResult) -> str:
    """Return an open result with where it leads."""
    way = "back" if result.back else "forward"
    return f"{capitalised(result.colour)} {result.pips} {way}: {destination(result.landing)}"


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
    if there is None or loss_reason(there):
        return "lost" if there is None else _short(there)
    return f"back {_short(there)}"


def _short(landing: Landing) -> str:
    match landing.fate:
        case "space":
            return f"→ {landing.space}" + (f", on {landing.onto}" if landing.onto else "")
        case "boat":
            return f"→ boat {landing.boat}"
        case "cell":
            return "→ its cell"
        case "covered":
            return "lost: covered"
        case "in-cell":
            return "lost: in its cell"


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
            words += [f"{move.colour} {_sign(move)}{destination(move.landing)}" for move in group]
    return words


def _sign(move: Move) -> str:
    return "back " if move.back and move.landing.fate == "space" else ""


def _lost_words(moves: Sequence[Move]) -> str:
    whose = listed([f"{move.colour}'s {move.pips}" for move in moves])
    if len(moves) == 1:
        return f"{whose} is {loss_reason(moves[0].landing)}"
    return f"{whose} are lost, since they are {'covered' if moves[0].landing.fate == 'covered' else 'in their cells'}"


def _replacement(turn: Turn) -> list[str]:
    """Return which result the white die has replaced, if any."""
    return [f"white replaced {turn.replaced}'s {die.pips}" for die in turn.dice if die.colour == turn.replaced]


def turn_words(turn: Turn, info: TableContext) -> str:
    """Return what happened in a turn on one line."""
    return _turn_words(turn, info.seated_players[turn.seat]) if turn.dice else ""


@lru_cache(maxsize=512)  # the same at the table and on every player page, until the next moves
def _turn_words(turn: Turn, sitter: SeatedPlayer) -> str:
    dice = [faced([face_name(die.colour)], f"{die.colour} {die.pips}") for die in turn.dice]
    if turn.white is not None:
        by_it = f" for {turn.second}" if turn.second is not None else ""
        dice.append(faced([face_name(None)], f"white {turn.white}{by_it}"))
    parts = [f"{sitter.bold} rolled {listed(dice)}", *_replacement(turn), *moves_words(turn.moves)]
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


def crews(bets: Assignment) -> str:
    """Return a complete forecast on one line."""
    return " · ".join(line[0].lower() + line[1:].replace(":", "") for line in forecast_words(bets, (None,) * len(bets)))


def points_so_far(gained: Sequence[int | None]) -> int:
    """Return the points of a forecast so far."""
    return sum(points or 0 for points in gained)


def standings(view: AusbrecherView, info: TableContext) -> str:
    """Return everybody's points at the end on one line, best first."""
    order = sorted(range(len(view.points)), key=lambda seat: -points_so_far(view.points[seat]))
    return "Points: " + " · ".join(f"{info.name(Seat(seat))} {points_so_far(view.points[seat])}" for seat in order)


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


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    if refusal.code == "wrong-phase":
        if facts.get("phase") == "forecast":
            return "First everybody makes a forecast; the race begins when the last one is in."
        return _NEEDED.get(str(facts.get("needs")), "That is not what the game waits for now.")
    return sentence(refusal, _REFUSALS, whose=whose(info, facts.get("turn")))
