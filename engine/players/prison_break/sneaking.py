"""How the master of Prison Break sneaks: unpredictably for guards, with declarations that mislead its rivals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from engine.contract import Seat
from engine.games.prison_break import JAIL, Position, Sneak
from engine.players import Budget
from engine.players.prison_break.belief import decisions
from engine.players.prison_break.hiding import ROUNDS, Stakes, mixed_moves
from engine.players.prison_break.hunting import Hunter
from engine.players.prison_break.situation import Situation

DOUBT = 0.02
"""The probability added to the pawn's real position, where the public log may not expect it at all."""
WORDS = 0.015
"""How much safer a declaration must be to be clearly preferred, in shares of a win."""
SELDOM = 0.08
"""A move less frequent than this in the plan is a leftover from learning, and dropped."""

Looks = Sequence[Mapping[Position, float]]
"""The chance of each space being checked, round by round."""


@dataclass(frozen=True)
class _Prospect:
    """What a seat expects of this round: what positions are worth, and where its rivals look after each declaration."""

    stakes: Stakes
    hunters: Sequence[Hunter]
    looks: Mapping[int, Looks]

    @property
    def trust(self) -> float:
        """How much of the rivals' checking is predictable."""
        return max(hunter.weight for hunter in self.hunters)


def sneak(situation: Situation, sneaks: Sequence[Sneak], budget: Budget) -> Sneak:
    """Return one of the sneaks."""
    prospect = _prospect(situation, sneaks)
    plan, words = _plan(situation, prospect, sneaks, budget), list(prospect.looks)
    (move,) = situation.rng.choices(list(plan), list(plan.values()))
    if not prospect.hunters:
        return _matching(sneaks, situation.rng.choice(words), move)
    stakes, place = prospect.stakes, min(situation.own + move, situation.exit)
    fear = [
        prospect.trust * prospect.looks[word][0].get(place, 0.0) * (stakes.alone[place] - stakes.caught[place])
        for word in words
    ]
    (word,) = situation.rng.choices(words, [exp((min(fear) - one) / WORDS) for one in fear])
    return _matching(sneaks, word, move)


def planned(situation: Situation, sneaks: Sequence[Sneak], budget: Budget) -> dict[int, float]:
    """Return the moves that the master mixes, with their probabilities."""
    return _plan(situation, _prospect(situation, sneaks), sneaks, budget)


def _prospect(situation: Situation, sneaks: Sequence[Sneak]) -> _Prospect:
    stakes, hunters = _stakes(situation), _hunters(situation)
    words = sorted({one.declare for one in sneaks})
    return _Prospect(stakes, hunters, {word: _looks(situation, hunters, word) for word in words})


def _plan(situation: Situation, prospect: _Prospect, sneaks: Sequence[Sneak], budget: Budget) -> dict[int, float]:
    moves = sorted({one.move for one in sneaks})
    stakes, looks = prospect.stakes, prospect.looks
    if not prospect.hunters:
        return {max(moves, key=lambda move: (stakes.alone[min(situation.own + move, situation.exit)], move)): 1.0}
    known = [
        {
            space: sum(one[turn].get(space, 0.0) for one in looks.values()) / len(looks)
            for space in range(1, situation.exit)
        }
        for turn in range(ROUNDS)
    ]
    odds = [(1 - DOUBT) * odd for odd in situation.record.beliefs[situation.me].odds()]
    odds[situation.own] += DOUBT
    plan = mixed_moves(stakes, odds, moves, known, prospect.trust, budget)[situation.own]
    return {move: share for move, share in zip(moves, plan, strict=True) if share >= SELDOM}


def worths(situation: Situation, sneaks: Sequence[Sneak]) -> list[float]:
    """Return what each sneak is worth in this round alone, if the rivals keep to their habits."""
    stakes = _stakes(situation)
    hunters = _hunters(situation)
    looks = {one.declare: _looks(situation, hunters, one.declare)[0] for one in sneaks}

    def worth(one: Sneak) -> float:
        place = min(situation.own + one.move, situation.exit)
        found = looks[one.declare].get(place, 0.0)
        dark = stakes.alone[place] - found * (stakes.alone[place] - stakes.caught[place])
        return stakes.light * stakes.lit[place] + (1 - stakes.light) * dark

    return [worth(one) for one in sneaks]


def odds_of_check(situation: Situation, sneaks: Sequence[Sneak]) -> list[float]:
    """Return how likely guards check the end of each sneak in the dark, if the rivals keep to their habits."""
    for seat in _later(situation):
        situation.record.beliefs[seat].sneaks()
    hunters = _hunters(situation)
    looks = {one.declare: _looks(situation, hunters, one.declare)[0] for one in sneaks}
    return [looks[one.declare].get(min(situation.own + one.move, situation.exit), 0.0) for one in sneaks]


def _hunters(situation: Situation) -> list[Hunter]:
    decided = decisions(situation.view)
    return [Hunter(seat, decided, situation.exit / 2) for seat in situation.rivals if situation.tokens[seat]]


def _matching(sneaks: Sequence[Sneak], word: int, move: int) -> Sneak:
    return next((one for one in sneaks if one == Sneak(word, move)), sneaks[-1])


def _stakes(situation: Situation) -> Stakes:
    """Return what each position will be worth at the end of this round, after those who sneak later."""
    for seat in _later(situation):
        situation.record.beliefs[seat].sneaks()
    worlds = situation.worlds()
    spent = list(situation.tokens)
    hunter = max(situation.rivals, key=lambda seat: situation.tokens[seat])
    spent[hunter] = max(0, spent[hunter] - 1)

    def worth(place: int, tokens: Sequence[int]) -> float:
        return situation.mean(worlds, lambda places: situation.race.shares(situation.put(places, place), tokens))[
            situation.me
        ]

    spaces = range(situation.exit + 1)
    alone = [worth(place, situation.tokens) for place in spaces]
    missed = [worth(place, spent) for place in spaces]
    jailed = worth(situation.race.behind, spent)
    caught = [jailed if JAIL < place < situation.exit else missed[place] for place in spaces]
    lit = [
        min(pair) if situation.race.worth_a_check(place) else pair[0]
        for place, pair in enumerate(zip(alone, caught, strict=True))
    ]
    return Stakes(alone, missed, caught, lit, len(situation.view.lights) / 6, 1 / len(situation.rivals))


def _later(situation: Situation) -> Iterator[Seat]:
    """Yield the seats that sneak after this one in this round."""
    order = situation.race.order
    for seat in order[order.index(situation.me) + 1 :]:
        if seat not in situation.view.sits_out and not situation.held(seat):
            yield seat


def _looks(situation: Situation, hunters: Sequence[Hunter], word: int) -> Looks:
    """Return the chance of each space being checked in the coming rounds if this seat declares `word` spaces."""
    guesses = situation.record.guesses(situation.me, word)
    rounds = []
    for turn in range(ROUNDS):  # in later rounds they will think it as far along as possible
        found: dict[Position, float] = {}
        later = {theory: guess + turn * situation.view.longest_sneak for theory, guess in guesses.items()}
        for hunter in hunters:
            for space, odds in hunter.looks(later).items():
                found[space] = min(1.0, found.get(space, 0.0) + odds / len(situation.rivals))
        rounds.append(found)
    return rounds
