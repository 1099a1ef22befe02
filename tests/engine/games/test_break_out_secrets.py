"""Break-Out's secrets: others' hands, the pile, the draw card, and whether a meld is bad."""

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import ClockAction, Expire, Moment, Refusal, Seat
from engine.games.break_out import (
    GAME,
    BreakOutAction,
    BreakOutEvent,
    Call,
    Draw,
    Give,
    Kind,
    Lay,
    Next,
    PlayDraw,
    State,
)
from engine.games.break_out.state import Act, Window
from tests.engine.games.break_out_positions import ScriptedRound, cards, play_randomly
from tests.engine.games.break_out_random_play import RandomPlay, random_request
from tools.harness.playouts import seed_bytes


def states(seed: int) -> list[State]:
    """Return states of a game with bad plays of every kind, while a round runs; its cards are shown when it is over."""
    found: list[State] = []
    play_randomly(seed, 900, found.append)
    return [state for state in found if state.interlude is None and not state.over][::23]


def told(state: State, reader: int | None) -> object:
    """Return everything that a reader learns."""
    legal = [] if reader is None else list(GAME.legal(state, Seat(reader)))
    return GAME.view(state, None if reader is None else Seat(reader)), legal, GAME.deadlines(state)


@pytest.mark.parametrize("seed", range(6))
def test_other_hands_the_pile_and_the_face_down_draw_card_change_nothing_for_a_reader(seed: int):
    for state in states(seed):
        for reader in (None, *range(state.seats)):
            cards = [*state.pile, *((state.place and [state.place]) or [])]
            hidden = [seat for seat in range(state.seats) if seat != reader]
            for seat in hidden:
                cards += state.hands[seat]
            random.Random(seed).shuffle(cards)
            hands = list(state.hands)
            for seat in hidden:
                size = len(state.hands[seat])
                hands[seat], cards = tuple(cards[:size]), cards[size:]
            place = state.place
            if place is not None and state.options.draw_card == "face_down":
                place = cards.pop()
            elif place is not None:
                cards = cards[1:]
            changed = msgspec.structs.replace(state, hands=tuple(hands), pile=tuple(cards), place=place)
            if state.drew is not None and state.turn != reader:
                changed = msgspec.structs.replace(changed, drew="v7" if state.drew != "v7" else "r1")
            assert told(state, reader) == told(changed, reader)


@pytest.mark.parametrize("seed", range(6))
def test_D21_whether_a_meld_is_bad_changes_no_view(seed: int):
    """The same cards in the same places, with and without an offence; for every reader, including the player who laid
    them.
    """
    guilty = 0
    for state in states(seed):
        windows = [window for window in (state.window, state.closing) if window is not None]
        guilty += any(act.bad for acts in (state.acts, *(window.acts for window in windows)) for act in acts)
        innocent = msgspec.structs.replace(
            state,
            acts=acquitted(state.acts),
            window=excused(state.window),
            closing=excused(state.closing),
            bluffs=(),
            finished=(),
        )
        for reader in (None, *range(state.seats)):
            assert told(state, reader) == told(innocent, reader)
    assert guilty or seed != 1  # the game with an offence


def acquitted(acts: tuple[Act, ...]) -> tuple[Act, ...]:
    return tuple(msgspec.structs.replace(act, fault=None) for act in acts)


def excused(window: Window | None) -> Window | None:
    return None if window is None else msgspec.structs.replace(window, acts=acquitted(window.acts))


def test_a_card_that_was_given_is_known_to_giver_and_receiver_alone():
    known = 0
    for seed in range(3):
        for state in states(seed):
            for reader in (None, *range(state.seats)):
                seen = GAME.view(state, None if reader is None else Seat(reader)).notes
                for note, here in zip(state.notes, seen, strict=True):
                    if note.face is not None:
                        assert here.face == (note.face if reader in note.knows else None)
                        known += here.face is not None
    assert known


def faces_told(table: ScriptedRound, kind: str) -> list[str | None]:
    """Return the card of the last note of a kind, as shown to the public and then to each seat."""
    readers = (None, *map(Seat, range(table.state.seats)))
    told = [[note for note in GAME.view(table.state, reader).notes if note.kind == kind][-1] for reader in readers]
    assert all(note.knows == () for note in told)
    return [note.face for note in told]


def test_R29_the_card_of_a_forced_draw_is_known_to_who_drew_it_and_a_gift_to_two():
    table = ScriptedRound("r1 r2 b4 g6 v7", "o1", "o2", "o3", place="y1")
    table.do(0, Next(), 1_000)
    table.expire("next")
    table.do(2, Call("draw"), 1_500)
    table.expire("tie")
    assert faces_told(table, "forced") == [None, "y1", None, None, None]
    table.do(2, Give("o2"), 4_000)
    assert faces_told(table, "given") == [None, "o2", None, "o2", None]


def test_R10_O3_a_card_that_was_drawn_by_oneself_or_as_a_fine_is_known_to_nobody_else():
    table = ScriptedRound("r1 r2 b4 g6 v7", "o1", "o2", place="y1", pile="v1 v2 v3", wrong_call="draw")
    table.do(0, Draw(), 500)
    assert faces_told(table, "drew") == [None, "y1", None, None]
    table.do(0, Next(), 1_000)
    table.expire("next")
    table.do(2, Call("draw"), 1_500)
    assert faces_told(table, "wrong") == [None, None, None, "v2"]


def dealt_told(table: ScriptedRound, kind: str) -> list[tuple[tuple[int, str], ...]]:
    """Return the cards dealt to hands by the last note of a kind, as shown to the public and then to each seat."""
    readers = (None, *map(Seat, range(table.state.seats)))
    return [
        [note for note in GAME.view(table.state, reader).notes if note.kind == kind][-1].dealt for reader in readers
    ]


def test_R23_the_cards_of_a_draw_card_are_known_to_those_who_took_them():
    table = ScriptedRound("d r1", "o1", "o2", "o3", out=(0,), pile="v1 v2")
    table.do(0, PlayDraw("d"))
    assert table.state.hands[1:] == (("o1", "v1"), ("o2", "v2"), ("o3",))
    assert dealt_told(table, "played") == [(), (), ((1, "v1"),), ((2, "v2"),), ()]


def test_R30_the_cards_of_an_undone_meld_are_shown_to_their_owners():
    table = ScriptedRound("r1 b4 g6 v7", "o1", "o2")
    table.do(0, Lay(cards("r1 b4 g6")), 500)
    table.do(0, Next(), 1_000)
    table.expire("next")
    table.do(1, Call("meld"), 1_500)
    table.expire("tie")
    assert dealt_told(table, "undone") == [(), ((0, "r1"), (0, "b4"), (0, "g6")), (), ()]


# ----------------------------------------------------------------------------------------- that somebody has called


class GamePair:
    """Two copies of a game: in one a player has just made a right call, in the other not."""

    def __init__(self, wild: RandomPlay, caller: Seat, call: Call, at: Moment) -> None:
        self.quiet, self.caller, self.seed = wild.state, caller, wild.seed
        self.told = GAME.fold(GAME.decide(wild.state, caller, call, at, chance(wild.seed)), wild.state)
        self.rng, self.at = wild.rng, at

    def alike(self) -> None:
        """Assert that both look the same to everyone but the caller."""
        for seat in (None, *map(Seat, range(self.quiet.seats))):
            if seat is None or seat != self.caller:
                assert GAME.view(self.quiet, seat) == GAME.view(self.told, seat)
            if seat is not None and seat != self.caller:
                assert list(GAME.legal(self.quiet, seat)) == list(GAME.legal(self.told, seat))
        turns = [[one for one in GAME.deadlines(state) if one.kind == "turn"] for state in (self.quiet, self.told)]
        assert turns[0] == turns[1]

    def play_on(self) -> Iterator[str]:
        """Make the same requests in both, from anybody but the caller, until the tie period is settled."""
        while True:
            clocks = sorted(GAME.deadlines(self.told), key=lambda one: (one.due, not one.id.startswith("tie-")))
            self.at = Moment(self.at + self.rng.choice((1, 60, 250)))
            if self.at >= clocks[0].due:
                self.at = clocks[0].due
                if clocks[0].id.startswith("tie-"):
                    return
                seat: Seat | None = None
                action: BreakOutAction | ClockAction = Expire(clocks[0].id)
            else:
                seat, action = random_request(self.quiet, self.rng)
            if seat == self.caller:
                continue
            said = self.both(seat, action)
            if self.told.called is None:
                return  # a NEXT of the same millisecond as the call: it was too late
            yield said

    def both(self, seat: Seat | None, action: BreakOutAction | ClockAction) -> str:
        """Make the request in both. Return both answers."""
        said: list[list[BreakOutEvent] | str] = []
        for state in (self.quiet, self.told):
            try:
                said.append(GAME.decide(state, seat, action, self.at, chance(self.seed)))
            except Refusal as refusal:
                said.append(f"{refusal.code} {sorted(refusal.facts.items())}")
        quiet, told = said
        if isinstance(quiet, str) or isinstance(told, str):
            assert quiet == told, (seat, action)
            return "refused"
        self.quiet, self.told = GAME.fold(quiet, self.quiet), GAME.fold(told, self.told)
        return type(action).__name__


def chance(seed: int) -> Chance:
    return Chance(seed_bytes(seed), "twins", 0)


def right_call(wild: RandomPlay) -> tuple[Seat, Call] | None:
    """Return a right call that is possible now on a turn that nobody has called yet."""
    state = wild.state
    window = None if state.gift is not None or state.called is not None else state.window
    if window is None or (state.said is not None and state.said.open):
        return None
    kinds: list[Kind] = ["draw"] * window.nothing + ["meld"] * any(act.bad for act in window.acts)  # type: ignore[assignment]  # both are kinds
    end = window.closes if state.said is None else state.said.moment
    callers = [seat for seat in range(state.seats) if seat != window.seat]
    caller = Seat(wild.rng.choice(callers))
    used = [(one.seat, one.kind) for one in window.calls]
    if not kinds or (caller, kinds[0]) in used or (end is not None and wild.at >= end):
        return None
    return caller, Call(kinds[0], wild.rng.choice((None, window.turn)))


def test_D41_during_a_tie_period_only_the_caller_knows_that_there_was_a_right_call():
    """Views of every seat, seats to act, versions, clocks, legal actions, answers and refusals."""
    seen: Counter[str] = Counter()
    for seed in range(16):
        wild = RandomPlay(seed)
        for (seat, action, at), _ in zip(wild.asked(), range(90), strict=False):
            found = right_call(wild)
            if found is not None and wild.rng.random() < 0.5:
                twins = GamePair(wild, *found, wild.at)
                seen["calls"] += 1
                twins.alike()
                for what in twins.play_on():
                    seen[what] += 1
                    twins.alike()
            wild.decide(seat, action, at)
    assert seen["calls"] > 60
    assert min(seen[name] for name in ("Next", "Expire", "Call", "Extend", "refused")) > 3, seen


def test_only_the_caller_sees_that_they_have_called():
    table = ScriptedRound("r1 r2 b4 g6 v7", "o1", "o2", "o3")
    table.do(0, Next(), 1_000)
    table.expire("next")
    table.do(2, Call("draw"), 1_500)
    mine = [GAME.view(table.state, None if seat is None else Seat(seat)).window for seat in (None, 0, 1, 2, 3)]
    assert [window.mine for window in mine if window is not None] == [(), (), (), ("draw",), ()]
