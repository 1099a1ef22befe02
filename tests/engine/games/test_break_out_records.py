"""Games stored under the first rules of Break-Out: they replay to the same table, and can continue.

`records/break_out_1.jsonl` was written by the code of that time: for each game its events, and after each event the
`checksum` of the state, including cards that vanished in an undo.
"""

import json
import random
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.contract import Expire, Moment, Refusal, to_json
from engine.games.break_out import GAME, BreakOutEvent, Caught, GameBegun, State
from tools.harness.playouts import BEGIN, earliest, moves, played, seed_bytes

LINES = (Path(__file__).parent / "records" / "break_out_1.jsonl").read_text(encoding="utf-8").splitlines()
STORED: dict[str, dict[str, Any]] = {game["name"]: game for game in map(json.loads, LINES)}
EACH_GAME = pytest.mark.parametrize("name", list(STORED))


def events_of(name: str) -> list[GameBegun | BreakOutEvent]:
    return [GAME.read_event(json.dumps(event)) for event in STORED[name]["events"]]


def checksum(state: State) -> str:
    """Return a number for the positions of all cards, the player on turn, and what is pending."""
    melds = [
        [meld.id, meld.cell, [[slot.id, slot.card.face, slot.card.stands, slot.by] for slot in meld.slots]]
        for meld in state.melds
    ]
    said = None if state.said is None else state.said.moment
    gift = None if state.gift is None else [state.gift.catcher, state.gift.caught, state.gift.due]
    cards = [state.hands, state.out, state.pile, state.place, state.aside, melds, state.drew]
    told = [state.round, state.serial, state.turn, *cards, said, gift, state.scores, state.over]
    return f"{zlib.crc32(msgspec.json.encode(told)):08x}"


@EACH_GAME
def test_each_stored_event_leads_to_the_state_that_it_led_to_when_it_was_stored(name: str):
    state: State | None = None
    caught = 0
    for number, (event, expected) in enumerate(zip(events_of(name), STORED[name]["digests"], strict=True)):
        caught += isinstance(event, Caught)
        state = GAME.fold([event], state)
        assert checksum(state) == expected, (number, event)
    assert caught


@EACH_GAME
def test_a_game_that_was_stored_in_the_middle_of_anything_plays_on(name: str):
    """From many points of the record: in windows, tie periods, catchers' choices, with pending NEXTs."""
    events, phases = events_of(name), set()
    state: State = GAME.fold(events[:2])
    for number, event in enumerate(events[2:], start=3):
        state = GAME.fold([event], state)
        if number % 7 == 0 or state.called is not None or state.gift is not None:
            phases.add("tie" if state.called is not None else GAME.view(state, None).phase)
            play_on(state, number)
    assert {"turn", "next", "gift", "tie"} <= phases


def play_on(state: State, seed: int, steps: int = 25) -> None:
    rng, at = random.Random(seed), Moment(state.began)
    for step in range(steps):
        if state.over:
            return
        at = Moment(at + rng.randrange(2_000))
        deadline, possible = earliest(GAME, state), moves(GAME, state, state.seats)
        if deadline is not None and (not possible or at >= deadline.due):
            at = max(at, deadline.due)
            happened = GAME.decide(state, None, Expire(deadline.id), at, Chance(seed_bytes(seed), "t", step))
        else:
            seat, action = rng.choice(possible)
            try:
                happened = GAME.decide(state, seat, action, at, Chance(seed_bytes(seed), "t", step))
            except Refusal as refusal:
                assert refusal.code in ("not-open", "late-call", "overtaken"), action  # its time is not the record's
                continue
        state = GAME.fold(happened, state)


def test_the_record_holds_the_undoing_that_lost_cards():
    """The undo stays as it was: the stored events say only that a player was caught."""
    (name,) = (name for name in STORED if "lies in the Yard" in name)
    counts = []
    state: State | None = None
    for event in events_of(name):
        state = GAME.fold([event], state)
        if state.hands and GAME.piece_counts is not None:
            counts.append(GAME.piece_counts(state).total())
    assert max(counts) == 56 and min(counts) == 53
    assert state is not None and state.began >= BEGIN


def test_a_face_is_kept_once_however_many_cards_of_a_game_that_is_read_have_it():
    events = played(GAME.key, 1).events
    read = GAME.fold([GAME.read_event(to_json(event)) for event in events])
    assert read == GAME.fold(events)
    faces = [face for over in read.finished for hand in over.hands for face in hand]
    faces += [card.face for meld in read.melds for card in meld.cards]
    assert len(faces) > len(set(faces)) == len({id(face) for face in faces})
