"""Where must they be: what everybody has seen and heard leaves one rival a single space.

Proved by following all possible spaces of each rival through the public log.
"""

from collections.abc import Sequence
from random import Random

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Seat
from engine.games.prison_break import (
    GAME,
    JAIL,
    Declares,
    Decline,
    Guard,
    Guarding,
    GuardsGo,
    LightsThrown,
    LogEntry,
    Material,
    Offer,
    Offering,
    Over,
    Pass,
    Position,
    PrisonBreakAction,
    PrisonBreakOptions,
    RoundStarts,
    Sneak,
    Sneaking,
    State,
    Vote,
    VotesShown,
    Voting,
)
from engine.puzzles import EASIEST, HARDEST, SOLVER, Answer, Proof, PuzzleKind

SEATS = 3
SEED_BITS = 48
"""The size of a puzzle's seed, which is not secret."""

LAST_ROUND = 7
"""The last round in which a puzzle is looked for."""

FEWEST_CLUES = 3
"""The least number of facts that narrow it down since the rival was last seen."""

EASY_CLUES = 3
"""With this number of facts it is easy; each additional one makes it harder."""


class Whereabouts(msgspec.Struct, frozen=True):
    """A game up to a guard check of the solver's: the seed of its chance, and a short form of the moves.

    s21 declares 2 and moves 1; o012 offers the first card to seats 1 and 2; d declines; y and n vote; g4 sends guards
    to space 4; p passes.
    """

    seed: int
    moves: str


class Clue(msgspec.Struct, frozen=True):
    """A fact about one rival, and the spaces on which they may be after it."""

    round: int
    entry: LogEntry
    spaces: tuple[Position, ...]


def state(position: Whereabouts, material: Material) -> State:
    """Return the game after these moves."""
    made = _begun(position.seed, material)
    for word in position.moves.split():
        made = _done(made, _action(word), position.seed)
    return made


def _begun(seed: int, material: Material) -> State:
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "puzzle", 0)
    options = PrisonBreakOptions(clock=0, interludes="off")
    made: State = GAME.fold(GAME.setup(SEATS, options, material, Moment(0), chance))
    return made


def _done(made: State, action: PrisonBreakAction, seed: int) -> State:
    seat = GAME.view(made, None).to_act[0]
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "puzzle", made.ui_version + 1)
    after: State = GAME.fold(GAME.decide(made, seat, action, Moment(0), chance), made)
    return after


def _action(word: str) -> PrisonBreakAction:
    numbers = [int(digit) for digit in word[1:]] if word[0] in "so" else []
    match word[0]:
        case "s":
            return Sneak(numbers[0], numbers[1])
        case "o":
            return Offer(numbers[0], numbers[1], numbers[2])
        case "d":
            return Decline()
        case "y" | "n":
            return Vote(word == "y")
        case "g":
            return Guard(int(word[1:]))
        case _:
            return Pass()


def propose(rng: Random, material: Material) -> Whereabouts | None:
    """Return a random game, with checks that just miss, up to the first check for which the solver need not guess."""
    seed = rng.getrandbits(SEED_BITS)
    made = _begun(seed, material)
    words: list[str] = []
    while not isinstance(made.phase, Over) and made.round <= LAST_ROUND:
        if _solver_checks(made) and certain(made.log, material.spaces):
            return Whereabouts(seed, " ".join(words))
        words.append(_by_chance(made, rng))
        made = _done(made, _action(words[-1]), seed)
    return None


def _solver_checks(made: State) -> bool:
    return isinstance(made.phase, Guarding) and made.phase.seats[0] == SOLVER


def _by_chance(made: State, rng: Random) -> str:
    """Return a random move of the awaited seat."""
    match made.phase:
        case Sneaking(seats=(seat, *_)):
            held = made.prisoners[seat].held_round == made.round
            return f"s{rng.randrange(3)}{0 if held else rng.randrange(3)}"
        case Offering() if rng.random() < 0.6:
            first, second = rng.sample(range(SEATS), 2)
            up = [place for place, card in enumerate(made.row) if card.up]
            return f"o{rng.choice(up)}{first}{second}"
        case Offering():
            return "d"
        case Voting():
            return rng.choice("yn")
        case Guarding(seats=(seat, *_)):
            missing = [
                space
                for rival in range(SEATS)
                if rival != seat
                for space in _spaces(made, Seat(rival))
                if 1 <= space <= made.material.spaces and space not in made.positions
            ]
            return f"g{rng.choice(missing)}" if missing and rng.random() < 0.9 else "p"
        case _:
            return "p"


def clues(log: Sequence[LogEntry], rival: Seat, exit_: Position) -> list[Clue]:
    """Return what the log says about a rival since they were last seen, with the spaces on which they may be."""
    found: list[Clue] = []
    spaces, number = {JAIL}, 1
    held = 0  # the round in which the rival may not move
    for entry in log:
        before = set(spaces)
        match entry:
            case RoundStarts(round=number):
                spaces -= {exit_} if number > 1 else set()  # on EXIT they would have won
            case Declares(seat=seat) if seat == rival and held != number:
                spaces = {min(space + steps, exit_) for space in spaces for steps in range(3)}
            case LightsThrown(positions=positions) if positions is not None:
                spaces, found = {positions[rival]}, []
                before = spaces
            case VotesShown(effects=effects, blocked=blocked, positions=positions):
                if rival not in blocked:
                    spaces = {min(max(space + effects.steps[rival], JAIL), exit_) for space in spaces}
                held = number + 1 if rival in effects.held else held
                shown = positions[rival]
                if shown is not None:
                    spaces, found = {shown}, []
                    before = spaces
            case GuardsGo(space=space, caught=caught):
                spaces = {JAIL} if rival in caught else spaces - {space}
                if rival in caught:
                    found, before = [], spaces
            case _:
                pass
        if spaces != before:
            found.append(Clue(number, entry, tuple(sorted(spaces))))
    return found


def _spaces(made: State, rival: Seat) -> tuple[Position, ...]:
    found = clues(made.log, rival, made.material.spaces + 1)
    return found[-1].spaces if found else (made.prisoners[rival].seen,)


def certain(log: Sequence[LogEntry], spaces: int) -> list[tuple[Seat, list[Clue]]]:
    """Return the rivals whose numbered space is certain, each with the clues to it."""
    every = ((Seat(rival), clues(log, Seat(rival), spaces + 1)) for rival in range(1, SEATS))
    return [
        (rival, found)
        for rival, found in every
        if len(found) >= FEWEST_CLUES and len(found[-1].spaces) == 1 and 1 <= found[-1].spaces[0] <= spaces
    ]


def prove(position: Whereabouts, material: Material) -> Proof | None:
    """Return the proof that one rival must be on one space, and that this is true of no other rival."""
    made = state(position, material)
    found_out = certain(made.log, material.spaces)
    if len(found_out) != 1 or any(
        len(_spaces(made, Seat(rival))) == 1 for rival in range(1, SEATS) if rival != found_out[0][0]
    ):
        return None
    ((_, found),) = found_out
    legal = sum(1 for _ in GAME.legal(made, SOLVER))
    difficulty = min(HARDEST, EASIEST + max(0, len(found) - EASY_CLUES))
    return Proof((Guard(found[-1].spaces[0]),), 1, 0, legal, difficulty)


def judge(position: Whereabouts, proof: Proof, material: Material, played: tuple[Action, ...]) -> Answer:
    """Evaluate a check. Facts: the `rival` whose space is certain, and the `space`."""
    ((rival, found),) = certain(state(position, material).log, material.spaces)
    facts: dict[str, int | str] = {"rival": rival, "space": found[-1].spaces[0]}
    return Answer("right" if played == proof.line else "wrong", facts=facts)


KIND: PuzzleKind[Whereabouts] = PuzzleKind(
    key="whereabouts",
    game=GAME,
    position=Whereabouts,
    propose=propose,
    prove=prove,
    state=state,
    judge=judge,
    answers=(Guard,),
    seats=SEATS,
)
