"""How decisions of Prison Break are weighed: as shares of the win, with what everybody can infer from the public log.

That is how the Master weighs them. Who always does what looks best can be foreseen and is caught, so a sneak is held
only against one that is better by a good deal, and nothing is held against what the Master itself may do: nobody who
follows its hints is told of a slip. When all is known, the lies are told, and who believed them. May import `engine`
only.
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
from engine.players.prison_break.hiding import LOOKS
from engine.players.prison_break.table import Table
from engine.players.prison_break.weighing import guard_worths
from engine.review import Deed, Note, Reviewer, Weighed

DRAWS = 5
"""So often it is guessed where everyone stands, a handful of guesses each time, where there are too many to weigh."""

FORESEEN = 0.04
"""What it is worth not to be foreseen, in shares of a win: so much better another sneak may have been."""

DOUBT = {2: 0.2}
DOUBT_OF_MORE = 0.5
"""How far a share of the win is drawn towards an even one, at tables for two and for more: shares are read from a race
with open positions, and so much surer than the game is (docs/review.md).
"""

VOTES = (Vote(True), Vote(False))
"""In the order in which an offer's results are told."""

Worths = dict[Action, float]
"""What each action is worth, as a share of the win."""


def chance(view: PrisonBreakView, rng: Random) -> float:
    """Return the reader's share of the win, by what everybody can infer and where it stands itself."""
    return _within(view, sum(map(_share, _tables(view))) / _draws(view))


def weigh(view: PrisonBreakView, action: Action, rng: Random) -> Weighed | None:
    """Return what an action came to; None where there was no choice."""
    found: Worths = {}
    for table in _tables(view):
        for one, worth in _worths(table, action).items():
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
        return Weighed(_within(view, played), _within(view, played), action, lot=lot)
    why, facts = _because(view, action, best)
    return Weighed(_within(view, played), _within(view, top), best, why, facts, lot)


def _draws(view: PrisonBreakView) -> int:
    return 1 if len(view.prisoners) == 2 else DRAWS


def _tables(view: PrisonBreakView) -> Iterator[Table]:
    """Yield what the reader knows, as often as it is guessed where everyone stands: always by the same draws."""
    assert view.seat is not None
    for draw in range(_draws(view)):
        yield Table(view, view.seat, Random(draw))


def _share(table: Table) -> float:
    return table.mean(table.worlds(), lambda places: table.race.guarded(places, table.tokens, table.seen))[table.me]


def _within(view: PrisonBreakView, share: float) -> float:
    """Return a share of the win as a chance."""
    seats = len(view.prisoners)
    doubt = DOUBT.get(seats, DOUBT_OF_MORE)
    return (1 - doubt) * min(1.0, max(0.0, share)) + doubt / seats


def _worths(table: Table, action: Action) -> Worths:
    """Return what each action of the kind is worth that there was to choose from."""
    view = table.view
    match action:
        case Sneak():
            most = 0 if table.held(table.me) else view.longest_sneak
            sneaks = [Sneak(word, move) for word in range(view.longest_sneak + 1) for move in range(most + 1)]
            return dict(zip(sneaks, sneaking.worths(table, sneaks), strict=True))
        case Vote() if view.proposal is not None:
            mine, odds = offering.weighed(table, view.proposal)
            return {vote: odds * both + (1 - odds) * alone for vote, (both, alone) in zip(VOTES, mine, strict=True)}
        case Offer() | Decline():
            cards = [number for number, card in enumerate(view.row) if card.up]
            pairs = [(one, other) for one in table.seats for other in table.seats if one < other]
            offers = [Offer(card, one, other) for card in cards for one, other in pairs]
            return offering.worths(table, offers)
        case Guard() | Pass():
            return guard_worths(table, [Guard(space) for space in range(1, view.spaces + 1)])
        case _:
            return {}


def _meant(view: PrisonBreakView, made: Action, found: Worths) -> Sequence[Action]:
    """Return what an action is to be held against that the Master itself may mean, however little it is worth in this
    round alone: a move by which it hides, whatever is said of it, and the vote for which it has made an offer. Nothing
    where it would not.
    """
    match made:
        case Sneak():
            sneaks = [one for one in found if isinstance(one, Sneak)]
            plans = [sneaking.planned(table, sneaks, Steps(LOOKS)) for table in _tables(view)]
            hides = sum(plan.get(made.move, 0.0) for plan in plans) >= sneaking.SELDOM * len(plans)
            return [one for one in sneaks if one.move == made.move] if hides else ()
        case Vote() if view.proposal is not None and view.warden == view.seat:
            keeps = any(offering.vote(table, view.proposal) == made for table in _tables(view))
            return [made] if keeps else ()
        case _:
            return ()


def _same(one: Action, other: Action) -> bool:
    if isinstance(one, Offer) and isinstance(other, Offer):
        return one.card == other.card and {one.first, one.second} == {other.first, other.second}
    return one == other


def _because(view: PrisonBreakView, made: Action, better: Action) -> tuple[str, dict[str, Fact]]:
    """Return why the better action is better.

    `stands`: a rival (`rival`) stood on `space` with `odds` per cent. `unlikely`: on the `space` that was checked
    somebody stood with no more than `odds` per cent. `votes`: the `other` voter was to accept with `odds` per cent.
    `told`: the declaration said where the pawn really went.
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
            _, odds = offering.weighed(Table(view, view.seat, Random(0)), view.proposal)
            return "votes", {"other": second if first == view.seat else first, "odds": round(100 * odds)}
        case Sneak(), Sneak() if _told(view, made) and not _told(view, better):
            return "told", {}
        case _:
            return "", {}


def _there(view: PrisonBreakView, space: int) -> Iterator[tuple[Seat, float]]:
    """Yield how likely each rival stands on a space, by what everybody can infer."""
    assert view.seat is not None
    table = Table(view, view.seat, Random(0))
    for seat in table.rivals:
        yield seat, table.record.beliefs[seat].odds()[space]


def _told(view: PrisonBreakView, sneak: Sneak) -> bool:
    """Say whether a sneak leads to where the seat's words put it."""
    assert view.seat is not None
    own = view.positions[view.seat] or JAIL
    end = view.spaces + 1
    return min(own + sneak.move, end) == _claim(view, view.seat, sneak.declare)


def _claim(view: PrisonBreakView | State, seat: Seat, more: int = 0) -> int:
    """Return where a seat is if all that it declared since it was last seen is true."""
    spaces = view.material.spaces if isinstance(view, State) else view.spaces
    return min(view.prisoners[seat].led + more, spaces + 1)


def noted(states: Sequence[State], deeds: Sequence[Deed]) -> Iterator[Note]:
    """Yield how often each seat lied, who believed a lie, and who saw through one.

    `lies`: in so many of the `sneaks`. `believed`: this seat sent guards to `space`, where the words of `liar` put
    them; they stood on `real`. `seen-through`: it found them on `space`, and their words had put them on `told`.
    """
    for seat, path in enumerate(states[-1].paths):
        sneaks = [step for step in path if step.declared is not None]
        lies = sum(step.declared != step.steps for step in sneaks)
        yield Note(0, "lies", Seat(seat), {"lies": lies, "sneaks": len(sneaks)})
    for deed in deeds:
        if deed.seat is not None and isinstance(deed.action, Guard):
            yield from _looked(states[deed.step - 1], deed.step, deed.seat, deed.action.space)


def _looked(state: State, step: int, seat: Seat, space: int) -> Iterator[Note]:
    """Yield what a check on a space says of who believes whom."""
    for other, real in enumerate(state.positions):
        told = _claim(state, Seat(other))
        if other == seat or told == real or state.prisoners[other].seen_round == state.round:
            continue
        facts: dict[str, Fact] = {
            "round": state.round,
            "liar": other,
            "space": space,
            "spaces": state.material.spaces,
        }
        if told == space:
            yield Note(step, "believed", seat, {**facts, "real": real})
        elif real == space:
            yield Note(step, "seen-through", seat, {**facts, "told": told})


REVIEWER = Reviewer(PrisonBreakView, GAME.actions, chance, weigh, noted)
