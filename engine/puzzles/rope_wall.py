"""Link in two: the one push after which every answer of the rival allows a link.

Proved by playing every push, every answer, and every push after it.
"""

from random import Random

import msgspec

from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Moment, Seat
from engine.games.rope_wall import GAME, GameBegun, Material, Push, RopeWallOptions, State
from engine.players.rope_wall.board import Finish, Place, Position, Round, place_of, push_into
from engine.puzzles import EASIEST, HARDEST, SOLVER, Answer, Proof, PuzzleKind

FEWEST_KNOTS, MOST_KNOTS = 9, 20
"""The number of knots on the wall: fewer make no battle yet, more leave too little choice."""

NEAR = 70
"""A push after which at least this percentage of answers allow a link looks right: each one makes the puzzle harder."""

RIVAL = Seat(1 - SOLVER)


class LinkInTwo(msgspec.Struct, frozen=True):
    """The pushes of a first round so far, alternating, each a floor and "l" or "r"; `starter` began."""

    starter: Seat
    pushes: str


def state(position: LinkInTwo, material: Material) -> State:
    """Return the game after these pushes."""
    chance, at = Chance(bytes(SEED_BYTES), "puzzle", 0), Moment(0)
    begun = GameBegun(material, RopeWallOptions(clock=0, interludes="off"), position.starter, at)
    made: State = GAME.fold([begun])
    for push in _pushes(position):
        (seat,) = GAME.view(made, None).to_act
        made = GAME.fold(GAME.decide(made, seat, push, at, chance), made)
    return made


def _pushes(position: LinkInTwo) -> list[Push]:
    steps = position.pushes.split()
    return [Push(int(step[0]), "left" if step[1] == "l" else "right") for step in steps]


def propose(rng: Random, material: Material) -> LinkInTwo | None:
    """Return a wall after random pushes that give no link away and take none."""
    starter = Seat(rng.randrange(2))
    game, at = _begun(LinkInTwo(starter, ""), material)
    steps: list[str] = []
    wanted = rng.randrange(FEWEST_KNOTS, MOST_KNOTS + 1)
    while True:
        if at[0].bit_count() >= wanted and at[1] == SOLVER:
            return LinkInTwo(starter, " ".join(steps))
        quiet = [(place, after) for place in game.places(at) if not isinstance(after := game.play(at, place), Finish)]
        if not quiet:
            return None
        place, at = rng.choice(quiet)
        steps.append(f"{place // 2 + 1}{'r' if place % 2 else 'l'}")


def _begun(position: LinkInTwo, material: Material) -> tuple[Round, Position]:
    view = GAME.view(state(position, material), None)
    game = Round(view)
    return game, game.position(view)


def prove(position: LinkInTwo, material: Material) -> Proof | None:
    """Return the proof that one push forces a link; None if none does, several do, or a link is there already."""
    game, at = _begun(position, material)
    places = game.places(at)
    held: dict[Place, tuple[int, int]] = {}
    for place in places:
        after = game.play(at, place)
        if isinstance(after, Finish):
            if after.winner == SOLVER:
                return None
            continue
        held[place] = _answered(game, after)
    forcing = [place for place, (answers, linked) in held.items() if linked == answers]
    if len(forcing) != 1 or len(places) < 2:
        return None
    others = [round(100 * linked / answers) for place, (answers, linked) in held.items() if place not in forcing]
    second = max(others, default=0)
    if second > 95:
        return None
    (first,) = forcing
    after = game.play(at, first)
    assert not isinstance(after, Finish)
    reply = _reply(game, after)
    follows = game.play(after, reply)
    line: list[Action] = [push_into(first)]
    if not isinstance(follows, Finish):
        line.append(push_into(_links(game, follows)[0]))
    near = sum(share >= NEAR for share in others)
    return Proof(tuple(line), 100, second, len(places), min(HARDEST, EASIEST + near))


def _answered(game: Round, after: Position) -> tuple[int, int]:
    """Return how many answers the rival has, and after how many of them the solver has a link."""
    if after[1] != RIVAL:  # the rival has no knot in hand, which no puzzle should depend on
        return 1, 0
    answers = game.places(after)
    return len(answers), sum(_linked(game, game.play(after, answer)) for answer in answers)


def _linked(game: Round, follows: Position | Finish) -> bool:
    """Return whether the solver has won, or wins by the next push."""
    if isinstance(follows, Finish):
        return follows.winner == SOLVER
    return follows[1] == SOLVER and bool(_links(game, follows))


def _links(game: Round, at: Position) -> list[Place]:
    return [
        place
        for place in game.places(at)
        if isinstance(after := game.play(at, place), Finish) and after.winner == SOLVER
    ]


def _reply(game: Round, after: Position) -> Place:
    """Return the rival's best answer, after which the fewest pushes link; the first of them."""

    def left(answer: Place) -> int:
        follows = game.play(after, answer)
        if isinstance(follows, Finish):
            return -1 if follows.winner != SOLVER else 99
        return len(_links(game, follows))

    return min(game.places(after), key=left)


def judge(position: LinkInTwo, proof: Proof, material: Material, played: tuple[Action, ...]) -> Answer:
    """Evaluate one or two pushes. A wrong one is answered by the push that shows why."""
    game, at = _begun(position, material)
    follows: Position | Finish = at
    for number, push in enumerate(played):
        assert isinstance(push, Push) and not isinstance(follows, Finish)
        follows = game.play(follows, place_of(push))
        if isinstance(follows, Finish):
            return Answer("right" if follows.winner == SOLVER else "wrong")
        if number or follows[1] != RIVAL:
            return Answer("wrong")
        answers, linked = _answered(game, follows)
        reply = _reply(game, follows)
        replies: tuple[tuple[Seat, Action], ...] = ((RIVAL, push_into(reply)),)
        after = game.play(follows, reply)
        if linked < answers:
            return Answer("wrong", replies, {"answers": answers, "linked": linked})
        if isinstance(after, Finish):
            return Answer("right", replies)
        if len(played) == 1:
            return Answer("go-on", replies)
        follows = after
    return Answer("go-on")


KIND: PuzzleKind[LinkInTwo] = PuzzleKind(
    key="link-in-two",
    game=GAME,
    position=LinkInTwo,
    propose=propose,
    prove=prove,
    state=state,
    judge=judge,
    answers=(Push,),
)
