"""Second solvers of the puzzles, written from the rule books using only the games' rules: slow and simple.

Each finds all best answers of a position without `engine.puzzles`.
"""

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Refusal, Seat
from engine.games import ausbrecher, break_out, match_five, prison_break, rope_wall
from engine.games.match_five.board import Board
from engine.puzzles import SOLVER
from engine.puzzles.ausbrecher import BestDice

RIVAL = Seat(1)
CHANCE = Chance(bytes(SEED_BYTES), "solver", 0)


def _after(game: Any, state: Any, seat: Seat, action: Action) -> Any:
    return game.fold(game.decide(state, seat, action, Moment(0), CHANCE), state)


# ------------------------------------------------------------------------------------------------------- link in two


def links_in_two(state: rope_wall.State) -> list[Action]:
    """Return the pushes with which the solver wins the round at once, or by the next push whatever the answer is."""
    game = rope_wall.GAME

    def won(after: rope_wall.State) -> bool:
        return game.view(after, None).freed[SOLVER] > 0 or (
            game.view(after, None).phase == "choose" and game.view(after, None).turn == SOLVER
        )

    def over(after: rope_wall.State) -> bool:
        seen = game.view(after, None)
        return sum(seen.freed) > 0 or seen.phase != "push" or seen.round > 1

    def wins_next(after: rope_wall.State) -> bool:
        if over(after):
            return won(after)
        return any(won(_after(game, after, SOLVER, push)) for push in game.legal(after, SOLVER))

    found: list[Action] = []
    for push in game.legal(state, SOLVER):
        after = _after(game, state, SOLVER, push)
        if over(after):
            continue
        if all(wins_next(_after(game, after, RIVAL, answer)) for answer in game.legal(after, RIVAL)):
            found.append(push)
    return found


# --------------------------------------------------------------------------------------------------------- best play


def best_play(state: match_five.State) -> tuple[int, int, int]:
    """Return the most points of any play, how many plays score them, and the most points of any other."""
    hand, bonus = state.hands[SOLVER], state.material.bonus
    scored: dict[frozenset[match_five.Stone], int] = {}

    def go_on(board: Board, laid: tuple[match_five.Stone, ...], left: tuple[str, ...], points: int) -> None:
        spots = _around([*state.stones, *laid])
        for tile in sorted(set(left)):
            for x, y, level in spots:
                stone = match_five.Stone(x, y, level, tile)
                key = frozenset((*laid, stone))
                try:
                    board.check(stone)
                except Exception:
                    continue
                if key in scored:
                    continue
                other = board.copy()
                gained = points + other.lay(stone, bonus)
                scored[key] = gained
                rest = list(left)
                rest.remove(tile)
                go_on(other, (*laid, stone), tuple(rest), gained)

    go_on(Board(state.stones), (), hand, 0)
    best = max(scored.values())
    return best, sum(points == best for points in scored.values()), max(p for p in scored.values() if p < best)


def _around(stones: list[match_five.Stone]) -> list[tuple[int, int, int]]:
    spots = {(stone.x, stone.y, stone.level + 1) for stone in stones}
    for stone in stones:
        for step_x, step_y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            spots |= {(stone.x + step_x, stone.y + step_y, level) for level in (stone.level, 1)}
    return sorted(spots)


# --------------------------------------------------------------------------------------------------------- best dice


def best_dice(state: ausbrecher.State, position: BestDice) -> dict[Action, int]:
    """Return in how many of 1,296 throws each choice of dice succeeds (with fewer dice each throw counts more)."""
    game = ausbrecher.GAME
    found: dict[Action, int] = {}
    for roll in game.legal(state, SOLVER):
        assert isinstance(roll, ausbrecher.Roll)
        dice = len(roll.colours) + roll.white
        wins = 0
        for pips in product(range(1, state.material.faces + 1), repeat=dice):
            wins += _succeeds(state.race, position, list(zip(roll.colours, pips, strict=False)), pips[-1], roll.white)
        found[roll] = wins * state.material.faces ** (4 - dice)
    return found


def _succeeds(
    race: ausbrecher.Race, position: BestDice, dice: list[tuple[str, int]], white: int, with_white: bool
) -> bool:
    ways = [[(colour, pips, False) for colour, pips in dice]]
    if with_white:
        ways = [
            [(colour, white, True) if colour == back else (colour, pips, False) for colour, pips in dice]
            for back, _ in dice
        ]
    return any(_ends_well(race, position, order) for way in ways for order in permutations(way))


def _ends_well(race: ausbrecher.Race, position: BestDice, order: tuple[tuple[str, int, bool], ...]) -> bool:
    for name, pips, back in order:
        colour = next(one for one in ausbrecher.COLOURS if one == name)
        if ausbrecher.prisoner(race, colour).boat is None:
            race = ausbrecher.moved(race, colour, ausbrecher.landing(race, colour, pips, back))
    return position.colour in race.boats[position.boat - 1]


# ------------------------------------------------------------------------------------------------------- whereabouts


def where_they_may_be(state: prison_break.State, rival: Seat) -> set[int]:
    """Return every space on which a rival may be, by walking each possible path from the start."""
    end = state.material.spaces + 1
    paths: set[tuple[int, int]] = {(0, 0)}  # the space, and the round in which the rival may not move
    number = 1
    for entry in state.log:
        walked: set[tuple[int, int]] = set()
        for space, held in paths:
            match entry:
                case prison_break.RoundStarts():
                    if entry.round == 1 or space != end:
                        walked.add((space, held))
                case prison_break.Declares(seat=seat) if seat == rival:
                    walked |= {(min(end, space + (0 if held == number else steps)), held) for steps in (0, 1, 2)}
                case prison_break.LightsThrown(positions=positions) if positions is not None:
                    walked |= {(space, held)} if positions[rival] == space else set()
                case prison_break.VotesShown():
                    steps = entry.effects.steps[rival]
                    stands = space if rival in entry.blocked else max(0, min(end, space + steps))
                    if entry.positions[rival] in (None, stands):
                        walked.add((stands, number + 1 if rival in entry.effects.held else held))
                case prison_break.GuardsGo(caught=caught):
                    if (rival in caught) == (space == entry.space):
                        walked.add((0 if rival in caught else space, held))
                case _:
                    walked.add((space, held))
        if isinstance(entry, prison_break.RoundStarts):
            number = entry.round
        paths = walked
    return {space for space, _ in paths}


# ------------------------------------------------------------------------------------------------------------ go out


def ways_out(state: break_out.State) -> set[tuple[tuple[int | None, tuple[str, ...]], ...]]:
    """Return the final tables on which the solver's hand is empty, by any plays of this turn: melds, each with its
    faces.
    """
    game = break_out.GAME
    found: set[tuple[tuple[int | None, tuple[str, ...]], ...]] = set()
    seen: set[tuple[Any, ...]] = set()

    def melds(made: break_out.State) -> tuple[tuple[int | None, tuple[str, ...]], ...]:
        cards = ((meld.cell, tuple(f"{card.face}{card.stands or ''}" for card in meld.cards)) for meld in made.melds)
        return tuple(sorted(((cell, tuple(sorted(faces))) for cell, faces in cards), key=repr))

    def go_on(made: break_out.State) -> None:
        table = (melds(made), tuple(sorted(made.hands[SOLVER])), made.out)
        if table in seen:
            return
        seen.add(table)
        if not made.hands[SOLVER]:
            found.add(table[0])
            return
        for action in game.legal(made, SOLVER):
            if isinstance(action, break_out.Lay | break_out.Extend | break_out.BreakOut | break_out.Extract):
                try:
                    go_on(_after(game, made, SOLVER, action))
                except Refusal:
                    continue

    go_on(state)
    return found


Solver = Callable[..., Any]
