"""Random games of Match Five against a second implementation, written from the rule book alone.

The referee has tiles instead of the engine's board: it finds every line by walking along it and every lock by looking
for lines of five. It gets the requests and the draws, and derives everything else itself.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import Expire, Moment, Seat, TimedOut
from engine.games.match_five import (
    COLOURS,
    GAME,
    GameBegun,
    GameEnded,
    LastRoundBegun,
    Laying,
    MatchFiveAction,
    MatchFiveEvent,
    MatchFiveOptions,
    MatchFiveView,
    Material,
    Pass,
    Passed,
    Play,
    Played,
    State,
    Swap,
    Swapped,
)
from tests.engine.games.forbidden import Forbidden, require
from tools.harness.playouts import BEGIN, TABLE, accepted, material, seed_bytes

COPIES: tuple[Literal[5, 4, 3], ...] = (3, 4, 5)
PLACEMENTS: tuple[Literal["free", "one_line"], ...] = ("free", "one_line")
MATERIAL: Material = msgspec.convert(material(GAME), Material)
NOW = Moment(BEGIN + 5_000)

At = tuple[int, int, int]
SIX_PLAYS = (
    "r3@0,0,1 r2@1,0,1 r1@2,0,1",
    "r5@3,0,1 r4@4,0,1",
    "b4@4,0,2 y4@4,0,3",
    "o4@4,0,4 g4@4,0,5",
    "b5@3,0,2 y5@3,0,3",
    "o2@1,1,1 y2@1,2,1 g2@1,3,1 wb2@1,4,1",
)
X, Y, UP = (1, 0, 0), (0, 1, 0), (0, 0, 1)
FACES = {f"{colour[0]}{number}": (colour, number) for colour in COLOURS for number in range(1, 6)}
ASTRAY = "the tiles of a turn lie in one common line"


# -------------------------------------------------------------------------------------------------------- the rule page


@dataclass(frozen=True)
class Laid:
    """A tile on the board."""

    colour: str
    number: int
    wild: bool


Tiles = dict[At, Laid]


def step(at: At, way: At, times: int = 1) -> At:
    return (at[0] + way[0] * times, at[1] + way[1] * times, at[2] + way[2] * times)


def beside(at: At) -> list[At]:
    """Return the four positions beside this one, at its level."""
    return [step(at, X), step(at, X, -1), step(at, Y), step(at, Y, -1)]


def line(tiles: Tiles, at: At, way: At) -> tuple[At, ...]:
    """Return the maximal straight run through a tile, from one end to the other."""
    while step(at, way, -1) in tiles:
        at = step(at, way, -1)
    found = [at]
    while step(found[-1], way) in tiles:
        found.append(step(found[-1], way))
    return tuple(found)


def series(tiles: list[Laid]) -> bool:
    colours, numbers = {tile.colour for tile in tiles}, {tile.number for tile in tiles}
    return (
        len(tiles) <= 5
        and sum(tile.wild for tile in tiles) <= 1
        and ((len(colours), len(numbers)) in {(1, len(tiles)), (len(tiles), 1)})
    )


def locked(tiles: Tiles, at: At) -> bool:
    """Return whether this tile is the first or the last of a horizontal line of five."""
    return any(len(run := line(tiles, at, way)) == 5 and at in (run[0], run[-1]) for way in (X, Y))


def lay(tiles: Tiles, at: At, tile: Laid) -> None:
    """Lay one tile, or refuse it and leave the board as it is."""
    require(at not in tiles, "there is a tile already")
    require(1 <= at[2] <= 5, "there are five levels")
    below = step(at, UP, -1)
    require(at[2] == 1 or below in tiles, "a tile above level 1 needs one directly below it")
    neighbours = [near for near in beside(at) if near in tiles]
    require(not tiles or bool(neighbours) or below in tiles, "every tile must be attached when it is laid")
    beside_a_lock = any(locked(tiles, near) for near in neighbours)
    tiles[at] = tile
    for way in (X, Y, UP):
        run = line(tiles, at, way)
        if len(run) > 1 and not series([tiles[one] for one in run]):
            del tiles[at]
            raise Forbidden("every line must be one series")
    if beside_a_lock:
        del tiles[at]
        raise Forbidden("nothing may be laid beside a locked tile")


def scored(tiles: Tiles, new: list[At]) -> dict[tuple[At, ...], int]:
    """Return every line of two or more with a tile of this turn, and its points."""
    points = {}
    for at in new:
        for way in (X, Y, UP):
            run = line(tiles, at, way)
            if len(run) > 1:
                points[run] = sum(0 if tiles[one].wild else tiles[one].number for one in run)
                points[run] += 10 if len(run) == 5 else 0
    return points


@dataclass
class Referee:
    """The second implementation."""

    hands: list[Counter[str]]
    bag: Counter[str]
    turn: int
    one_line: bool
    tiles: Tiles = field(default_factory=dict)
    totals: list[int] = field(default_factory=list)
    passes: int = 0
    without_play: int = 0
    last: int | None = None
    turns_left: int | None = None
    reason: str | None = None
    lines: dict[tuple[At, ...], int] = field(default_factory=dict)

    def laid(self, seat: int, layings: tuple[Laying, ...]) -> tuple[Tiles, list[At]]:
        """Return the board after a play, and where its tiles are. Raises `Forbidden`."""
        require(1 <= len(layings) <= 5, "one to five tiles")
        asked = Counter(one.tile for one in layings)
        require(asked <= self.hands[seat], "only tiles in hand")
        require(asked["w"] <= 1, "one Wild a turn")
        tiles, new = dict(self.tiles), []
        for one in layings:
            require((one.wild_as is not None) == (one.tile == "w"), "a Wild is declared, and nothing else is")
            face = one.tile if one.wild_as is None else one.wild_as
            require(face in FACES, "a colour and a number")
            lay(tiles, (one.x, one.y, one.level), Laid(*FACES[face], one.wild_as is not None))
            new.append((one.x, one.y, one.level))
        if self.one_line:
            common = any(set(new) <= set(line(tiles, new[0], way)) for way in (X, Y, UP))
            require(common, ASTRAY)
        return tiles, new

    def objection(self, seat: int | None, action: MatchFiveAction) -> str:
        """Return why the rule book does not allow it; empty if it does."""
        try:
            require(not self.reason and seat == self.turn, "only the player whose turn it is")
            if isinstance(action, Play):
                self.laid(self.turn, action.layings)
            elif isinstance(action, Swap):
                require(1 <= len(action.tiles) <= 5, "one to five tiles")
                require(Counter(action.tiles) <= self.hands[self.turn], "only tiles in hand")
                require(len(action.tiles) <= self.bag.total(), "no more than the bag holds")
            else:
                require(isinstance(action, Pass) and not self.bag.total(), "a pass only with an empty bag")
        except Forbidden as why:
            return str(why)
        return ""

    def draw(self, drawn: tuple[str, ...], count: int) -> None:
        assert len(drawn) == count and Counter(drawn) <= self.bag
        self.hands[self.turn].update(drawn)
        self.bag = self.bag - Counter(drawn)

    def follow(self, action: MatchFiveAction, events: list[MatchFiveEvent]) -> None:
        """Record an allowed action; of the events only the drawn tiles are trusted."""
        hand = self.hands[self.turn]
        self.lines = {}
        if self.turns_left is not None:
            self.turns_left -= 1
        if isinstance(action, Play):
            alone = not self.tiles and len(action.layings) == 1
            self.tiles, new = self.laid(self.turn, action.layings)
            self.lines = scored(self.tiles, new)
            self.totals[self.turn] += sum(self.lines.values())
            if alone and not self.tiles[new[0]].wild:
                self.totals[self.turn] += self.tiles[new[0]].number
            hand.subtract(one.tile for one in action.layings)
            (drawn,) = (event.drawn for event in events if isinstance(event, Played))
            self.draw(drawn, min(5 - hand.total(), self.bag.total()))
            self.passes = self.without_play = 0
            if not hand.total() and self.last is None:
                self.last, self.turns_left = self.turn, len(self.hands) - 1
        elif isinstance(action, Swap):
            (drawn,) = (event.drawn for event in events if isinstance(event, Swapped))
            self.draw(drawn, len(action.tiles))
            hand.subtract(action.tiles)
            self.bag.update(action.tiles)
            self.passes, self.without_play = 0, self.without_play + 1
        else:
            self.passes, self.without_play = self.passes + 1, self.without_play + 1
        if self.turns_left == 0:
            self.reason = "last-tile"
        elif self.passes == len(self.hands):
            self.reason = "passes"
        elif self.without_play == 2 * len(self.hands):
            self.reason = "idle"
        if self.reason:
            for seat, left in enumerate(self.hands):
                self.totals[seat] -= sum(self.cost(tile) * many for tile, many in left.items())
        else:
            self.turn = (self.turn + 1) % len(self.hands)

    @staticmethod
    def cost(tile: str) -> int:
        return 25 if tile == "w" else int(tile[1])

    # ------------------------------------------------------------------------------------------ what may be asked for

    def spots(self, tiles: Tiles) -> list[At]:
        """Yield the spots next to the group, whether the tile fits there or not."""
        return [near for at in tiles for near in (*beside(at), step(at, UP))] or [(0, 0, 1)]

    def single(self) -> set[tuple[str, int, int, int]]:
        """Yield every play of one plain tile: which, and where."""
        found = set()
        for tile in +self.hands[self.turn]:
            for at in set(self.spots(self.tiles)):
                if tile != "w" and not self.objection(self.turn, Play((Laying(tile, *at),))):
                    found.add((tile, *at))
        return found

    def sensible(self, rng: random.Random, tries: int) -> Play | None:
        """Return a play that the rule book allows, grown tile by tile, if one is found within `tries`."""
        tiles, held = dict(self.tiles), list(self.hands[self.turn].elements())
        spots = self.spots(tiles)
        grown: list[Laying] = []
        for _ in range(tries):
            at = rng.choice(spots)
            if grown and rng.random() < 0.8:  # continue in one direction, so that there are long lines
                at = step((grown[-1].x, grown[-1].y, grown[-1].level), rng.choice((X, Y, UP)), rng.choice((1, -1)))
            tile = rng.choice(held)
            face = rng.choice(list(FACES)) if tile == "w" else tile
            more = Laying(tile, *at, face if tile == "w" else None)
            try:
                require(tile != "w" or all(one.tile != "w" for one in grown), "one Wild a turn")
                lay(tiles, at, Laid(*FACES[face], tile == "w"))
            except Forbidden:
                continue
            grown.append(more)
            held.remove(tile)
            spots = self.spots(tiles)
            if not held or rng.random() < 0.15:
                break
        while grown and self.objection(self.turn, Play(tuple(grown))):
            grown.pop()  # no common line
        return Play(tuple(grown)) if grown else None


def reckless(journal: Referee, rng: random.Random) -> MatchFiveAction:
    """Return an action close enough to the rules that some of them are allowed."""
    held = list(journal.hands[journal.turn].elements())
    everything = [*FACES, "w"]
    kind = rng.random()
    if kind < 0.05:
        return Pass()
    if kind < 0.15:
        wanted = rng.sample(held, rng.randint(0, len(held)))
        return Swap((*wanted, *rng.choices(everything, k=rng.choice((0, 0, 0, 1, 3)))))
    rng.shuffle(held)
    ends = [at for at in journal.tiles if locked(journal.tiles, at)]
    if ends and kind < 0.35:
        asked = [Play((Laying(tile, *at),)) for at in beside(rng.choice(ends)) for tile in held if tile != "w"]
        return max(asked, key=lambda action: "lock" in journal.objection(journal.turn, action), default=Pass())
    tiles, layings = dict(journal.tiles), []
    for tile in [*held, *everything][: rng.choice((1, 1, 1, 2, 2, 3, 4, 6))]:
        at = rng.choice(journal.spots(tiles))
        stands_for = rng.choice([*FACES, "w", "r6", "", None]) if tile == "w" else None
        layings.append(Laying(tile, *at, stands_for))
        tiles[at] = Laid("", 0, False)
    return Play(tuple(layings))


def bent(played: Play, journal: Referee, rng: random.Random) -> Play:
    """Return an allowed play with one thing changed."""
    layings = list(played.layings)
    place = rng.randrange(len(layings))
    one = layings[place]
    match rng.randrange(7):
        case 0:
            way, by = rng.choice((X, Y, UP)), rng.choice((1, -1, 2, -2))
            at = step((one.x, one.y, one.level), way, by)
            layings[place] = Laying(one.tile, *at, one.wild_as)
        case 1:
            other = rng.choice([*journal.hands[journal.turn].elements(), rng.choice(list(FACES))])
            layings[place] = Laying(other, one.x, one.y, one.level, rng.choice(list(FACES)) if other == "w" else None)
        case 2:
            rng.shuffle(layings)
        case 3:
            layings.append(one)
        case 4:
            del layings[place]
        case 5:
            layings[place] = msgspec.structs.replace(one, wild_as=rng.choice([None, "", "w", "r6", "x3", one.tile]))
        case _:  # one more tile, anywhere it fits
            grown, _ = journal.laid(journal.turn, played.layings)
            left = list((journal.hands[journal.turn] - Counter(two.tile for two in layings)).elements())
            spots = journal.spots(grown)
            for tile in rng.choices(left, k=20 if left else 0):
                face = rng.choice(list(FACES)) if tile == "w" else tile
                more = Laying(tile, *rng.choice(spots), face if tile == "w" else None)
                layings[len(played.layings) :] = [more]
                if journal.objection(journal.turn, Play(tuple(layings))) in ("", ASTRAY):
                    break
    return Play(tuple(layings))


# ---------------------------------------------------------------------------------------------------------- the engine


@dataclass
class Tally:
    """Counts events, so that tests can require that each occurred."""

    tried: Counter[str] = field(default_factory=Counter)
    fives: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)


def opened(events: Sequence[GameBegun | MatchFiveEvent], options: MatchFiveOptions) -> Referee:
    """Return the referee of a new game."""
    (started,) = events
    assert isinstance(started, GameBegun)
    box = Counter(dict.fromkeys(FACES, options.copies)) + Counter({"w": 5})
    for deal in started.deals:
        worth = [sum(0 if tile == "w" else int(tile[1]) for tile in hand) for hand in deal]
        assert [len(hand) for hand in deal] == [5] * len(deal)
        assert Counter(tile for hand in deal for tile in hand) <= box
        assert (worth.count(max(worth)) == 1) == (deal is started.deals[-1])
    hands = [Counter(hand) for hand in started.deals[-1]]
    bag = box - sum(hands, Counter())
    starter = worth.index(max(worth))
    assert starter == started.starter
    return Referee(hands, bag, starter, options.placement == "one_line", totals=[0] * len(hands))


def agree(journal: Referee, state: State) -> None:
    view = GAME.view(state, None)
    assert isinstance(view, MatchFiveView)
    assert (view.phase, view.turn) == (("over", None) if journal.reason else ("play", journal.turn))
    stones = {(one.x, one.y, one.level): Laid(*FACES[one.tile], one.wild) for one in view.stones}
    assert stones == journal.tiles and len(view.stones) == len(stones)
    assert set(view.locked) == {at for at in journal.tiles if locked(journal.tiles, at)}
    assert list(view.scores) == journal.totals
    assert list(view.counts) == [hand.total() for hand in journal.hands]
    assert view.bag == journal.bag.total() and Counter(state.bag) == journal.bag
    assert [Counter(hand) for hand in state.hands] == [+hand for hand in journal.hands]
    assert view.last == journal.last
    outcome = GAME.outcome(state)
    assert (outcome.reason if outcome else None) == journal.reason == view.reason
    if outcome is not None:
        assert list(outcome.scores) == journal.totals
        assert list(outcome.places) == [1 + sum(other > mine for other in journal.totals) for mine in journal.totals]


def lone(actions: list[MatchFiveAction]) -> Iterator[Laying]:
    """Yield the plays of one plain tile."""
    for action in actions:
        if isinstance(action, Play) and len(action.layings) == 1 and action.layings[0].tile != "w":
            yield action.layings[0]


def done(events: list[MatchFiveEvent]) -> MatchFiveAction:
    """Return the clock's action for a seat that ran out of time."""
    lapse, event = events[:2]
    assert isinstance(lapse, TimedOut)
    match event:
        case Played(stones=stones):
            return Play(
                tuple(
                    Laying("w" if one.wild else one.tile, one.x, one.y, one.level, one.tile if one.wild else None)
                    for one in stones
                )
            )
        case Swapped(back=back):
            return Swap(back)
        case _:
            assert isinstance(event, Passed)
            return Pass()


def refereed(seed: int, seats: int, options: MatchFiveOptions, lazy: float = 0, odd: int = 3) -> Tally:
    """Play a game checked by the referee.

    In every state `odd` odd actions are tried as well; `lazy` is how often a player swaps or passes for no reason.
    """
    tally = Tally()
    rng = random.Random(f"referee/{seed}")
    secret = seed_bytes(seed)
    started = GAME.setup(seats, options, MATERIAL, BEGIN, Chance(secret, TABLE, 0))
    state, count = GAME.fold(started), len(started)
    journal = opened(started, options)
    agree(journal, state)
    while not journal.reason:
        sensible = None if rng.random() < lazy else journal.sensible(rng, 80)
        for _ in range(odd):
            other = bent(sensible, journal, rng) if sensible and rng.random() < 0.5 else reckless(journal, rng)
            owner: int | None = journal.turn if rng.random() < 0.95 else rng.choice((None, *range(seats)))
            why = journal.objection(owner, other)
            assert accepted(GAME, state, owner, other, NOW) == (not why), (owner, other, why)
            tally.tried[why or f"allowed {type(other).__name__}"] += 1
        legal = list(GAME.legal(state, Seat(journal.turn))) if sensible is None or rng.random() < 0.01 else []
        assert not any(journal.objection(journal.turn, action) for action in rng.sample(legal, min(len(legal), 20)))
        if legal and rng.random() < 0.2:
            single = {(one.tile, one.x, one.y, one.level) for one in lone(legal)}
            assert journal.tiles == {} or single == journal.single()
        waits = [action for action in legal if not isinstance(action, Play)]
        action: MatchFiveAction = sensible or rng.choice(waits or legal)
        deadlines = GAME.deadlines(state)
        if deadlines and rng.random() < 0.03:
            assert deadlines[0].seats == (journal.turn,)
            expire, due = Expire(deadlines[0].id), deadlines[0].due
            events = GAME.decide(state, None, expire, due, Chance(secret, TABLE, count))
            action = done(events)
        else:
            events = GAME.decide(state, Seat(journal.turn), action, NOW, Chance(secret, TABLE, count))
        assert not journal.objection(journal.turn, action)
        count += len(events)
        state = GAME.fold(events, state)
        first = journal.last is None
        journal.follow(action, events)
        for event in events:
            if isinstance(event, Played):
                assert len(event.lines) == len(journal.lines)
                assert {frozenset(one.spots): one.points for one in event.lines} == {
                    frozenset(run): points for run, points in journal.lines.items()
                }
        assert any(isinstance(event, LastRoundBegun) for event in events) == (first and journal.last is not None)
        agree(journal, state)
        tally.fives.update("stack" if run[0][2] != run[-1][2] else "row" for run in journal.lines if len(run) == 5)
    (end,) = (event for event in events if isinstance(event, GameEnded))
    tally.ends[end.reason] += 1
    assert not any(accepted(GAME, state, seat, Pass(), NOW) for seat in range(seats))
    return tally


@cache
def game(seats: int, placement: Literal["free", "one_line"]) -> Tally:
    """Return the counts of one game with this number of seats."""
    copies = COPIES[(seats + PLACEMENTS.index(placement)) % len(COPIES)]
    lazy = 0.9 if (seats, placement) == (6, "free") else 0.05
    return refereed(seats, seats, MatchFiveOptions(copies=copies, placement=placement), lazy)


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("seats", GAME.player_counts)
def test_the_referee_agrees_with_every_answer_in_a_random_game(seats: int, placement: Literal["free", "one_line"]):
    assert game(seats, placement).ends.total() == 1


def test_every_rule_that_forbids_something_and_every_end_comes_up_in_the_games_that_the_referee_follows():
    tallies = [game(seats, placement) for seats in GAME.player_counts for placement in PLACEMENTS]
    assert set().union(*(tally.tried for tally in tallies)) == {
        "allowed Play",
        "allowed Swap",
        "allowed Pass",
        "only the player whose turn it is",
        "one to five tiles",
        "only tiles in hand",
        "one Wild a turn",
        "a Wild is declared, and nothing else is",
        "a colour and a number",
        "there is a tile already",
        "there are five levels",
        "a tile above level 1 needs one directly below it",
        "every tile must be attached when it is laid",
        "every line must be one series",
        "nothing may be laid beside a locked tile",
        ASTRAY,
        "no more than the bag holds",
        "a pass only with an empty bag",
    }
    assert set().union(*(tally.fives for tally in tallies)) == {"row", "stack"}
    assert set().union(*(tally.ends for tally in tallies)) == {"last-tile", "passes", "idle"}


def test_the_referee_counts_the_six_plays_of_the_example_as_the_rule_page_does():
    tiles: Tiles = {}
    points = []
    for play in SIX_PLAYS:
        laid = []
        for word in play.split():
            face, place = word.removeprefix("w").split("@")
            x, y, level = map(int, place.split(","))
            lay(tiles, (x, y, level), Laid(*FACES[face], word.startswith("w")))
            laid.append((x, y, level))
        points.append(sum(scored(tiles, laid).values()))
    assert points == [6, 25, 12, 30, 33, 18]
    assert {at for at in tiles if locked(tiles, at)} >= {(0, 0, 1), (4, 0, 1), (1, 4, 1)}
