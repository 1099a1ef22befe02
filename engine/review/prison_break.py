"""How decisions of Prison Break are evaluated: as shares of the win, given what everybody can infer from the public
log.

This is how the Master evaluates them. A player who always does what looks best is predictable and gets caught. So a
sneak counts as a slip only if another one is much better, and nothing that the Master itself may do counts as one:
nobody who follows its hints is accused of a slip. The final notes say who lied, and who believed them.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action, Fact, Seat
from engine.games.prison_break import (
    GAME,
    JAIL,
    Decline,
    Guard,
    Offer,
    Pass,
    PrisonBreakView,
    Sneak,
    State,
    Vote,
)
from engine.players import Steps
from engine.players.prison_break import offering, sneaking
from engine.players.prison_break.evaluation import guard_worths
from engine.players.prison_break.hiding import LOOKS
from engine.players.prison_break.situation import Situation
from engine.review import Decision, Evaluation, Note, Reviewer

DRAWS = 5
"""How many sets of samples of everyone's positions are drawn, where there are too many to enumerate."""

FORESEEN = 0.04
"""The value of being unpredictable, in shares of a win: another sneak may have been better by this much."""

DOUBT = {2: 0.2}
DOUBT_OF_MORE = 0.5
"""How far a share of the win is drawn towards an even one, for two players and for more. Shares are read from a race
with open positions, and are too certain by this much; see docs/review.md.
"""

VOTES = (Vote(True), Vote(False))
"""In the order in which an offer's results are listed."""

Worths = dict[Action, float]
"""What each action is worth, as a share of the win."""


def chance(view: PrisonBreakView, rng: Random) -> float:
    """Return the reader's share of the win, given what everybody can infer and where the reader is."""
    return _within(view, sum(map(_share, _situations(view))) / _draws(view))


def weigh(view: PrisonBreakView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of an action; None if there was no choice."""
    found: Worths = {}
    for situation in _situations(view):
        for one, worth in _worths(situation, action).items():
            found[one] = found.get(one, 0.0) + worth / _draws(view)
    made = next((one for one in found if _same(one, action)), None)
    if made is None or len(found) < 2:
        return None
    best = max(found, key=found.__getitem__)
    if best != made and (equals := _meant(view, made, found)):
        best = max(equals, key=found.__getitem__)
    played, top = found[made], found[best]
    if isinstance(action, Sneak):
        top = max(played, top - FORESEEN)
    lot = _within(view, sum(min(top, worth) for worth in found.values()) / len(found))
    if top <= played:
        return Evaluation(_within(view, played), _within(view, played), action, lot=lot)
    why, facts = _because(view, action, best)
    return Evaluation(_within(view, played), _within(view, top), best, why, facts, lot)


def _draws(view: PrisonBreakView) -> int:
    return 1 if len(view.prisoners) == 2 else DRAWS


def _situations(view: PrisonBreakView) -> Iterator[Situation]:
    """Yield what the reader knows, once per sample of everyone's positions, always with the same random numbers."""
    assert view.seat is not None
    for draw in range(_draws(view)):
        yield Situation(view, view.seat, Random(draw))


def _share(situation: Situation) -> float:
    return situation.mean(
        situation.worlds(), lambda places: situation.race.guarded(places, situation.tokens, situation.seen)
    )[situation.me]


def _within(view: PrisonBreakView, share: float) -> float:
    """Return a share of the win as a chance."""
    seats = len(view.prisoners)
    doubt = DOUBT.get(seats, DOUBT_OF_MORE)
    return (1 - doubt) * min(1.0, max(0.0, share)) + doubt / seats


def _worths(situation: Situation, action: Action) -> Worths:
    """Return what each alternative of this kind of action is worth."""
    view = situation.view
    match action:
        case Sneak():
            most = 0 if situation.held(situation.me) else view.longest_sneak
            sneaks = [Sneak(word, move) for word in range(view.longest_sneak + 1) for move in range(most + 1)]
            return dict(zip(sneaks, sneaking.worths(situation, sneaks), strict=True))
        case Vote() if view.proposal is not None:
            mine, odds = offering.vote_values(situation, view.proposal)
            return {vote: odds * both + (1 - odds) * alone for vote, (both, alone) in zip(VOTES, mine, strict=True)}
        case Offer() | Decline():
            cards = [number for number, card in enumerate(view.row) if card.up]
            pairs = [(one, other) for one in situation.seats for other in situation.seats if one < other]
            offers = [Offer(card, one, other) for card in cards for one, other in pairs]
            return offering.worths(situation, offers)
        case Guard() | Pass():
            return guard_worths(situation, [Guard(space) for space in range(1, view.spaces + 1)])
        case _:
            return {}


def _meant(view: PrisonBreakView, made: Action, found: Worths) -> Sequence[Action]:
    """Return the actions to compare with, if the Master itself might have made this one, even if it is worth little in
    this round alone.

    That is a move by which it hides, with any declaration, and the vote for which it made an offer. Otherwise return
    nothing.
    """
    match made:
        case Sneak():
            sneaks = [one for one in found if isinstance(one, Sneak)]
            plans = [sneaking.planned(situation, sneaks, Steps(LOOKS)) for situation in _situations(view)]
            hides = sum(plan.get(made.move, 0.0) for plan in plans) >= sneaking.SELDOM * len(plans)
            return [one for one in sneaks if one.move == made.move] if hides else ()
        case Vote() if view.proposal is not None and view.warden == view.seat:
            keeps = any(offering.vote(situation, view.proposal) == made for situation in _situations(view))
            return [made] if keeps else ()
        case _:
            return ()


def _same(one: Action, other: Action) -> bool:
    if isinstance(one, Offer) and isinstance(other, Offer):
        return one.card == other.card and {one.first, one.second} == {other.first, other.second}
    return one == other


def _because(view: PrisonBreakView, made: Action, better: Action) -> tuple[str, dict[str, Fact]]:
    """Return why the better action is better.

    `stands`: a rival (`rival`) was on `space` with `odds` per cent. `unlikely`: on the `space` that was checked
    a pawn was with no more than `odds` per cent. `votes`: the `other` voter would accept with `odds` per cent.
    `told`: the declaration revealed where the pawn really went.
    """
    match made, better:
        case _, Guard(space=space):
            odds, rival = max((odds, -seat) for seat, odds in _there(view, space))
            return "stands", {"space": space, "odds": round(100 * odds), "rival": -rival}
        case Guard(space=space), _:
            odds = max(odds for _, odds in _there(view, space))
            return "unlikely", {"space": space, "odds": round(100 * odds)}
        case Vote(), _ if view.proposal is not None and view.seat is not None:
            first, second = view.proposal.first, view.proposal.second
            _, odds = offering.vote_values(Situation(view, view.seat, Random(0)), view.proposal)
            return "votes", {"other": second if first == view.seat else first, "odds": round(100 * odds)}
        case Sneak(), Sneak() if _leads_where_claimed(view, made) and not _leads_where_claimed(view, better):
            return "told", {}
        case _:
            return "", {}


def _there(view: PrisonBreakView, space: int) -> Iterator[tuple[Seat, float]]:
    """Yield how likely each rival is on a space, given what everybody can infer."""
    assert view.seat is not None
    situation = Situation(view, view.seat, Random(0))
    for seat in situation.rivals:
        yield seat, situation.record.beliefs[seat].odds()[space]


def _leads_where_claimed(view: PrisonBreakView, sneak: Sneak) -> bool:
    """Return whether a sneak leads to where the seat's declarations put it."""
    assert view.seat is not None
    own = view.positions[view.seat] or JAIL
    end = view.spaces + 1
    return min(own + sneak.move, end) == _claim(view, view.seat, sneak.declare)


def _claim(view: PrisonBreakView | State, seat: Seat, more: int = 0) -> int:
    """Return where a seat is if everything it declared since it was last seen is true."""
    spaces = view.material.spaces if isinstance(view, State) else view.spaces
    return min(view.prisoners[seat].led + more, spaces + 1)


def noted(states: Sequence[State], decisions: Sequence[Decision]) -> Iterator[Note]:
    """Yield how often each seat lied, who believed a lie, and who saw through one.

    `lies`: in this many of the `sneaks`. `believed`: this seat sent guards to `space`, where the declarations of `liar`
    put them; they were on `real`. `seen-through`: it found them on `space`, and their declarations had put them on
    `told`.
    """
    for seat, path in enumerate(states[-1].paths):
        sneaks = [step for step in path if step.declared is not None]
        lies = sum(step.declared != step.steps for step in sneaks)
        yield Note(0, "lies", Seat(seat), {"lies": lies, "sneaks": len(sneaks)})
    for decision in decisions:
        if decision.seat is not None and isinstance(decision.action, Guard):
            yield from _looked(states[decision.step - 1], decision.step, decision.seat, decision.action.space)


def _looked(state: State, step: int, seat: Seat, space: int) -> Iterator[Note]:
    """Yield what a check on a space shows about who believes whom."""
    for other, real in enumerate(state.positions):
        claimed = _claim(state, Seat(other))
        if other == seat or claimed == real or state.prisoners[other].seen_round == state.round:
            continue
        facts: dict[str, Fact] = {
            "round": state.round,
            "liar": other,
            "space": space,
            "spaces": state.material.spaces,
        }
        if claimed == space:
            yield Note(step, "believed", seat, {**facts, "real": real})
        elif real == space:
            yield Note(step, "seen-through", seat, {**facts, "told": claimed})


REVIEWER = Reviewer(PrisonBreakView, GAME.actions, chance, weigh, noted)
