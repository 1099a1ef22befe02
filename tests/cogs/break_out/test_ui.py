"""Break-Out's UI: cards as text, what Wilds represent, the offers of the private page, and secrets."""

import dataclasses
import random
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.break_out import picture
from cogs.break_out.card_picker import MOST_PICKED, Draft, declarations, picked, picker_page, play_options, read_draft
from cogs.break_out.controls import call_row
from cogs.break_out.play_labels import LABEL_LENGTH, label_of, labels_of, name_of, points_of
from cogs.break_out.plays import best_sound_plays, code, equivalence_key, read_play
from cogs.break_out.rules import EXAMPLES
from cogs.break_out.ui import BreakOutUI
from cogs.break_out.words import cards_words, read_cards, refusal_words, seconds
from cogs.core.drawing.canvas import text_width
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import figure
from cogs.core.pages.custom_ids import ComponentPress, custom_id
from cogs.core.pages.emoji_markup import strip
from cogs.core.pages.game_ui import SeatedPlayer, TableContext, available_moves_text
from cogs.core.pages.page import Button, Page, Picture, Row, Select
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing.lobby_pages import game_length
from cogs.core.tables.options import option_fields
from engine.chance import SEED_BYTES, Chance
from engine.contract import ClockAction, Expire, Moment, Refusal, Seat
from engine.games.break_out import (
    FACES,
    GAME,
    KINDS,
    ROUND_MINUTES,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutOptions,
    BreakOutView,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Lay,
    Move,
    Next,
    PlayDraw,
    Point,
    State,
    fault,
    in_order,
    pointable,
)
from engine.games.break_out.types import BreakOutAction
from engine.players import Level
from tools.harness.pages import same_picture, seated, text_of
from tools.harness.playouts import begin, play

UI = BreakOutUI()
INFO = seated(BreakOutOptions(), 3)
STANDS = st.sampled_from(["5", "r5", "b1", "v7"])
CARDS = st.sampled_from(FACES).flatmap(
    lambda face: st.builds(Card, st.just(face), STANDS | st.none() if face in (WILD, SUPER) else st.none())
)
HONOUR = BreakOutOptions(rounds=1, clock=60)


def seen(state: State, seat: int | None) -> BreakOutView:
    return GAME.view(state, None if seat is None else Seat(seat))


def dealt(hand: str, **changed: object) -> State:
    """Return a round in which seat 0 has this hand and is to act."""
    state = begin(GAME, 3, seats=3, options=HONOUR)
    hands = (tuple(hand.split()), *state.hands[1:])
    return msgspec.structs.replace(state, turn=Seat(0), hands=hands, **changed)


def after(state: State, *plays: BreakOutAction | ClockAction, seat: int = 0) -> State:
    for action in plays:
        events = GAME.decide(state, Seat(seat), action, Moment(state.began + 1), Chance(bytes(SEED_BYTES), "t", 0))
        state = GAME.fold(events, state)
    return state


def labels(state: State, words: str) -> list[str]:
    view = seen(state, 0)
    return [name_of(view, offer.play) for offer in play_options(view, read_cards(words) or ())]


def buttons(page: Page, verb: str) -> list[Button]:
    rows = [block for block in page.blocks if isinstance(block, Row)]
    return [one for row in rows for one in row.buttons if isinstance(one, Button) and one.verb == verb]


def silent(seats: int) -> TableContext:
    """Return a table without hints."""
    about = seated(HONOUR, seats)
    return dataclasses.replace(about, options=msgspec.structs.replace(HONOUR, hints="off"))


# ---------------------------------------------------------------------------------------------------------------- words


@given(st.lists(CARDS, max_size=12))
def test_cards_are_read_back_from_what_is_written_with_and_without_spaces(cards: list[Card]):
    words = cards_words(cards)
    assert read_cards(words) == tuple(cards)
    assert read_cards(words.upper()) == tuple(cards)
    assert read_cards(words.replace(" ", "")) == tuple(cards)


@pytest.mark.parametrize("words", ["r8", "x5", "r", "5", "w=", "w=x5", "r5=3", "w=8", "r5;", "²"])
def test_other_words_are_no_cards(words: str):
    assert read_cards(words) is None


@pytest.mark.parametrize(("ms", "words"), [(0, "0.0 s"), (1, "0.1 s"), (200, "0.2 s"), (5_000, "5.0 s")])
def test_durations_are_shown_in_seconds(ms: int, words: str):
    assert seconds(ms) == words


def test_a_late_call_is_refused_with_by_how_much():
    assert "by 0.3 s" in refusal_words(Refusal("late-call", by_ms=300), seated(HONOUR, 3))
    assert "any more" in refusal_words(Refusal("late-call", by_ms=-1), seated(HONOUR, 3))


# ------------------------------------------------------------------------------------------------------------ the panel


@pytest.mark.parametrize(
    ("words", "ways"),
    [
        ("b5 g5 w", {"b5 g5 w=5"}),
        ("r3 w r5", {"r3 w=r4 r5"}),
        ("r5 r6 w", {"r5 r6 w=r4", "r5 r6 w=r7"}),
        ("r1 r2 w", {"r1 r2 w=r3"}),
        ("w=r5 r6 r7", {"w=r5 r6 r7"}),
        ("r1 b4 w", {"r1 b4 w=1"}),  # a bluff is possible, too
    ],
)
def test_what_a_wild_represents_is_inferred_where_it_is_unambiguous(words: str, ways: set[str]):
    found = declarations(read_cards(words) or ())
    assert {cards_words(one) for one in found} == ways


def test_a_reading_with_a_meld_fits_that_meld():
    base = read_cards("r3 r4 r5") or ()
    assert {cards_words(one) for one in declarations((Card(WILD),), base)} == {"w=r2", "w=r6"}


def test_in_the_cell_one_lays_small_melds_and_breaks_out_with_large_ones():
    state = dealt("r3 b3 g3 r5 b5 g5 s")
    assert labels(state, "r3b3g3")[0] == "Meld red 3, blue 3, green 3"
    assert labels(state, "r5b5g5")[0] == "Break out: red 5, blue 5, green 5"
    assert labels(state, "s")[0] == "Break out: Super Wild"


def test_with_hints_bluffs_are_separate_from_sound_plays_and_nothing_is_called_bad():
    state = dealt("r3 b4 g5 r5 b5 g5 s")
    cards = read_cards("r3b4g5") or ()
    page = picker_page(seen(state, 0), INFO, Draft(cards), True)
    assert "No legal play with these. But who would notice?" in text_of(page)
    assert [button.label for button in buttons(page, "lay")] == [
        f"Bluff: {label}"
        for label in labels_of(seen(state, 0), [one.play for one in play_options(seen(state, 0), cards)])
    ]
    assert "BAD" not in repr(page) and repr(page).count("a run") == 0
    sound_page = picker_page(seen(state, 0), INFO, Draft(read_cards("r5b5g5") or ()), True)
    sound, bluff = buttons(sound_page, "lay")
    assert (sound.label, sound.style) == ("Break out: red 5 blue 5 green 5", "primary")
    assert bluff.label.startswith("Bluff: Meld red 5 blue 5 green 5") and bluff.style == "secondary"
    strict = msgspec.structs.replace(state, options=msgspec.structs.replace(HONOUR, referee="strict"))
    assert play_options(seen(strict, 0), read_cards("r3b4g5") or ()) == []


def test_without_hints_nothing_distinguishes_sound_plays_from_others():
    state = dealt("r3 b4 g5 r5 b5 g5 s")
    view = seen(state, 0)
    assert buttons(seat_page(UI, view, silent(3)), "lay") == []
    assert buttons(seat_page(UI, view, silent(3)), "plays") == []
    assert "red 5, blue 5" not in available_moves_text(UI, view, silent(3), ())
    for words in ("r3b4g5", "r5b5g5"):
        page = picker_page(view, INFO, Draft(read_cards(words) or ()), False)
        offered = buttons(page, "lay")
        assert [one.label.split(" ")[0] for one in offered] == ["Meld", "Break"]
        assert {one.style for one in offered} == {"secondary"}


@pytest.mark.parametrize("hints", [True, False])
def test_where_the_bot_is_the_referee_nothing_is_offered_that_it_refuses(hints: bool):
    options = msgspec.structs.replace(HONOUR, referee="strict")
    view = seen(msgspec.structs.replace(dealt("y1 y5 r5 b5 g5 o1"), options=options), 0)
    page = picker_page(view, INFO, Draft(read_cards("y1y5") or ()), hints)
    assert not [block for block in page.blocks if isinstance(block, Select) and block.verb == "do"]
    assert "You can't do anything with these cards now: pick other cards" in text_of(page)
    offered = [one.play for one in play_options(view, read_cards("r5b5g5") or (), hints)]
    assert [type(one) for one in offered] == [BreakOut]


def test_the_cockpit_opens_with_sound_plays_a_tap_each_and_the_best_first():
    state = dealt("r3 b3 g3 r5 b5 g5 o1")
    view = seen(state, 0)
    offered = buttons(seat_page(UI, view, seated(HONOUR, 3)), "lay")
    assert [one.label for one in offered] == ["Break out: blue 5 green 5 red 5", "Meld blue 3 green 3 red 3"]
    play_at = UI.press(view, seated(HONOUR, 3), ComponentPress(3, view.ui_version, "lay", offered[0].argument))
    assert isinstance(play_at, BreakOut) and {one.face for one in play_at.cards} == {"r5", "b5", "g5"}
    assert after(state, play_at).out[0]


def test_no_two_plays_shown_together_have_the_same_label():
    state = dealt("b7 y2 o7 v1 w w")
    first = buttons(seat_page(UI, seen(state, 0), seated(HONOUR, 3)), "lay")
    assert len({one.label for one in first}) == len(first)
    ways = {equivalence_key(play): play for play in reversed(best_sound_plays(seen(state, 0)))}
    labels = labels_of(seen(state, 0), list(ways.values()))
    assert len(set(labels)) == len(labels)
    assert {"Break out: blue 5–7 with 2 Wilds", "Break out: orange 5–7 with 2 Wilds"} <= set(labels)


def test_plays_that_differ_only_in_what_a_wild_represents_have_different_labels():
    view = seen(dealt("r5 r6 w"), 0)
    ways = [offer.play for offer in play_options(view, read_cards("r5 r6 w") or ())]
    assert len(set(labels_of(view, ways))) == len(ways) > 1


def test_every_sound_play_has_a_short_label_and_is_read_back_from_its_control():
    tried = 0
    for seed in range(6):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::3]:
            view = GAME.view(state, state.turn)
            if view.phase != "turn":
                continue
            for one in best_sound_plays(view):
                assert read_play(code(one)) == one
                assert 0 < len(label_of(view, one)) <= LABEL_LENGTH and name_of(view, one)
                assert not label_of(view, one).endswith("…")
                assert len(custom_id(10**12, 10**6, "lay", code(one))) <= 100
                tried += 1
    assert tried > 300


@pytest.mark.parametrize("words", ["", "l", "l.r9", "e.x.r3.", "b.5.r3..", "b.2.r3.x.", "x.1.r3r4.", "d.q", "m.1-x"])
def test_a_forged_play_is_none(words: str):
    assert read_play(words) is None


def test_a_hand_full_of_wilds_offers_each_way_to_use_its_cards_once():
    offered = buttons(seat_page(UI, seen(dealt("y4 o2 o6 v5 w w s"), 0), seated(HONOUR, 3)), "lay")
    laid = [tuple(sorted(one.face for one in getattr(read_play(button.argument), "cards", ()))) for button in offered]
    assert len(laid) == len(set(laid)) > 1


def test_every_offer_is_accepted_by_the_rules():
    rng = random.Random(4)
    tried = 0
    for seed in range(6):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::5]:
            view = GAME.view(state, state.turn)
            if view.phase != "turn" or not view.hand:
                continue
            for _ in range(4):
                cards = tuple(Card(face) for face in rng.sample(view.hand, min(len(view.hand), rng.randint(1, 4))))
                for offer in play_options(view, cards):
                    if view.fresh is not None and any(one.face == view.fresh for one in cards):
                        continue  # a drawn DRAW card is refused by its own rule
                    (event, *_) = GAME.decide(
                        state, state.turn, offer.play, Moment(state.began), Chance(bytes(SEED_BYTES), "t", 0)
                    )
                    assert (event.fault is None) == (offer.wrong is None), (offer, event.fault)
                    tried += 1
    assert tried > 300


def cards_to_press(page: Page) -> list[Button]:
    """Return the buttons of a hand's cards."""
    return [one for one in buttons(page, "page") if one.face is not None]


def pressed(state: State, button: Button) -> Page:
    shown = UI.press(seen(state, 0), INFO, ComponentPress(3, 0, button.verb, button.argument))
    assert isinstance(shown, Page)
    return shown


def test_equal_cards_of_a_hand_are_picked_one_by_one():
    state = dealt("r5 r5 r5 b5 w w d")
    page = picker_page(seen(state, 0), INFO, Draft(), True)
    shown = cards_to_press(page)
    assert len({one.argument for one in shown}) == 7
    page = pressed(state, shown[0])
    page = pressed(state, next(one for one in cards_to_press(page) if one.style == "secondary"))
    assert strip(text_of(page)).startswith("**Picked:** red 5 5")
    assert [one.style for one in cards_to_press(page)] == ["primary"] * 2 + ["secondary"] * 5


def test_a_hand_of_more_than_a_page_has_pages_and_keeps_what_is_picked_on_the_others():
    hand = [*FACES[:35]]
    state = dealt(" ".join(hand))
    page = picker_page(seen(state, 0), INFO, Draft((Card(hand[27]),)), True)
    found: list[str] = []
    for _ in range(4):
        found += [one.label for one in cards_to_press(page)]
        (turn,) = (one for one in buttons(page, "page") if one.label == "More cards")
        page = pressed(state, turn)
        assert "**Picked:** " in text_of(page)
    assert len(found) == len(set(found)) == 35
    assert [one.label for one in cards_to_press(page)] == found[: len(cards_to_press(page))], "the first one again"


def test_only_the_picked_one_of_equal_cards_on_two_pages_is_lit():
    state = dealt("r1 r2 r3 r4 b1 b2 b3 b4 g1 w w s")
    page = pressed(state, cards_to_press(picker_page(seen(state, 0), INFO, Draft(), True))[9])
    assert [one.label for one in cards_to_press(page) if one.style == "primary"] == ["Wild"]
    (turn,) = (one for one in buttons(page, "page") if one.label == "More cards")
    assert {one.style for one in cards_to_press(pressed(state, turn))} == {"secondary"}


def test_cards_picked_on_a_page_of_an_earlier_version_are_read():
    draft = picked(";c0", ["r5.0", "r5.1"])
    assert draft is not None and cards_words(draft.cards) == "r5 r5"
    shown = UI.press(seen(dealt("r5 r5 b5"), 0), INFO, ComponentPress(3, 0, "pick", ";c0", ("r5.0", "r5.1")))
    assert isinstance(shown, Page) and strip(text_of(shown)).startswith("**Picked:** red 5 5")


def test_no_list_has_a_single_entry():
    rng = random.Random(5)
    lists = 0
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::7]:
            view = GAME.view(state, state.turn)
            if view.phase != "turn" or not view.hand:
                continue
            cards = tuple(Card(face) for face in rng.sample(view.hand, min(len(view.hand), 3)))
            for hints in (True, False):
                for block in picker_page(view, INFO, Draft(cards), hints).blocks:
                    if isinstance(block, Select):
                        lists += 1
                        assert len(block.choices) > 1
    assert lists


@given(st.lists(CARDS, max_size=MOST_PICKED), st.sampled_from("cn"), st.integers(0, 9))
def test_a_draft_is_read_back_and_fits_into_a_control(cards: list[Card], order: str, page: int):
    cards = [Card(one.face) for one in cards]  # what is selected has not been declared yet
    draft = Draft(tuple(cards), order, page)
    assert read_draft(draft.argument()) == draft
    assert len(custom_id(10**12, 10**6, "page", draft.argument() + "x")) <= 100


@pytest.mark.parametrize("argument", ["", ";", "r5", "r5;", "r5;x0", "r5;c", "r9;c0", "r5;c0;c0", "r5;c²"])
def test_a_forged_draft_is_none(argument: str):
    assert read_draft(argument) is None


# -------------------------------------------------------------------------------------------------------------- secrecy


def rendered(state: State, reader: int | None, seats: int) -> list[str]:
    """Return everything that is ever rendered for a reader."""
    view, about = seen(state, reader), seated(HONOUR, seats)
    asked = [UI.press(view, about, ComponentPress(3, 0, verb)) for verb in ("scores", "happened")]
    pages = [table_page(UI, view, about), *asked]
    if reader is None:
        return [*(page.digest() for page in pages), UI.text(view, about)]
    pages += [seat_page(UI, view, about), seat_page(UI, view, silent(seats))]
    if pointable(view):
        pages.append(UI.press(view, about, ComponentPress(3, view.ui_version, "point")))
    if view.turn == reader and view.phase == "turn":
        pages.append(UI.press(view, about, ComponentPress(3, view.ui_version, "plays")))
    return [*(page.digest() for page in pages), UI.text(view, about), available_moves_text(UI, view, about, ())]


def test_nothing_rendered_reveals_other_hands_or_the_pile():
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::17]:
            for reader in (None, 0, 1, 2):
                one, two = [seat for seat in range(3) if seat != reader][:2]
                hands = list(map(list, state.hands))
                cards = [*hands[one], *state.pile, *([state.place] if state.place else [])]
                random.Random(seed).shuffle(cards)
                hands[one], rest = cards[: len(hands[one])], cards[len(hands[one]) :]
                place = rest.pop() if state.place else None
                if state.gift is None:
                    assert two != reader
                changed = msgspec.structs.replace(state, hands=tuple(map(tuple, hands)), pile=tuple(rest), place=place)
                assert rendered(state, reader, 3) == rendered(changed, reader, 3)


def test_a_bad_meld_looks_like_a_sound_one_with_the_same_cards_to_everybody_else():
    """A run that is bad only for its place, or by how it came there, looks like any other."""
    state = dealt("r4 r5 r6 b1 g1 v2 d")
    rich = after(state, Lay(read_cards("r4 r5 r6") or ()))  # 15 points: too much for a cell
    assert rich.acts[0].bad
    innocent = msgspec.structs.replace(
        rich,
        acts=tuple(msgspec.structs.replace(act, fault=None) for act in rich.acts),
    )
    for one, other in ((rich, innocent), (after(rich, Next()), after(innocent, Next()))):
        for reader in (None, 0, 1, 2):
            assert rendered(one, reader, 3) == rendered(other, reader, 3)
            legal = [] if reader is None else list(GAME.legal(one, Seat(reader)))
            assert legal == ([] if reader is None else list(GAME.legal(other, Seat(reader))))


def test_while_a_tie_is_waited_for_the_table_looks_as_before():
    state = after(dealt("r4 r5 r6 b1 g1 v2 d"), Next())
    struck = GAME.fold(
        GAME.decide(
            state,
            None,
            GAME.read_action(f'{{"do":"expire","deadline":"{GAME.deadlines(state)[0].id}"}}'),
            GAME.deadlines(state)[0].due,
            Chance(bytes(SEED_BYTES), "t", 0),
        ),
        state,
    )
    assert struck.window is not None
    called = after(struck, GAME.read_action('{"do":"call","kind":"draw"}'), seat=2)
    assert called.called is not None
    for reader in (None, 0, 1):
        assert rendered(struck, reader, 3) == rendered(called, reader, 3)


# ------------------------------------------------------------------------------------------------------- table and rest


def test_next_and_the_calls_stay_at_their_place_on_the_table_message():
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::11]:
            view = seen(state, None)
            page = table_page(UI, view, seated(HONOUR, 3))
            row = next(block for block in page.blocks if isinstance(block, Row))
            named = "" if view.window is None else " " + seated(HONOUR, 3).label(view.window.seat, 11)
            assert [one.label for one in row.buttons] == ["NEXT", f"DRAW!{named}", f"MELD!{named}", "Take a card"]


def test_a_players_page_has_only_controls_that_they_can_use():
    pages = 0
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::5]:
            for reader in (0, 1, 2):
                view = seen(state, reader)
                page = seat_page(UI, view, seated(HONOUR, 3))
                rows = [block for block in page.blocks if isinstance(block, Row)]
                shown = [one for row in rows for one in row.buttons if isinstance(one, Button)]
                pages += 1
                if view.interlude is None:
                    assert not [one.label for one in shown if one.disabled]
                    assert bool(buttons(page, "next")) == (view.phase == "turn" and view.turn == reader)
                    assert len(shown) <= 10 or view.phase == "gift"
    assert pages > 100


def test_the_calls_name_which_turn_they_are_about_and_the_status_says_whose_that_is():
    playout = play(GAME, 5, seats=3, options=HONOUR)
    for state in playout.running[::7]:
        view = seen(state, None)
        if view.window is None:
            continue
        page = table_page(UI, view, seated(HONOUR, 3))
        assert [one.argument for one in buttons(page, "call")] == [f"{kind}.{view.window.turn}" for kind in KINDS]
        assert f"**Player {view.window.seat}** can be challenged" in text_of(page) or view.phase == "gift"


def test_an_event_within_seconds_is_never_shown_as_a_time_that_may_have_passed():
    told = 0
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running:
            view = seen(state, None)
            if view.phase not in ("next", "last") or view.window is None:
                continue
            told += 1
            words = UI.status(view, seated(HONOUR, 3))
            assert "in a few seconds" in words and "<t:" not in words
            replayed = UI.status(view, dataclasses.replace(seated(HONOUR, 3), still=True))
            assert "in a few seconds" not in replayed
    assert told


def test_a_call_has_a_receipt_until_its_outcome_is_public():
    state = after(dealt("r4 r5 r6 b1 g1 v2 d"), Draw(), Next())
    clock = GAME.deadlines(state)[0]
    shut = GAME.decide(state, None, Expire(clock.id), clock.due, Chance(bytes(SEED_BYTES), "t", 0))
    state = GAME.fold(shut, state)
    assert state.window is not None
    wrong = Call("draw", state.window.turn)
    called = GAME.decide(state, Seat(1), wrong, Moment(clock.due + 1), Chance(bytes(SEED_BYTES), "t", 1))
    state = GAME.fold(called, state)
    assert "was wrong" in text_of(seat_page(UI, seen(state, 1), seated(HONOUR, 3)))
    assert UI.receipt(wrong, lambda: seen(state, 1)) is None
    assert UI.receipt(wrong, lambda: seen(state, 2)) is not None  # another player's was wrong
    other = Call("meld", state.window.turn)
    assert UI.receipt(other, lambda: seen(state, 1)) == "Got your **MELD!** – you'll see the result in a moment."


def test_one_calls_nobody_by_ones_own_turn_and_no_kind_twice():
    state = after(dealt("r4 r5 r6 b1 g1 v2 d"), Next())
    clock = GAME.deadlines(state)[0]
    shut = GAME.decide(state, None, Expire(clock.id), clock.due, Chance(bytes(SEED_BYTES), "t", 0))
    state = GAME.fold(shut, state)
    assert state.window is not None
    for reader, calls in ((0, 0), (1, 2)):
        assert len(buttons(seat_page(UI, seen(state, reader), seated(HONOUR, 3)), "call")) == calls
    called = after(state, Call("meld", state.window.turn), seat=1)
    shown = buttons(seat_page(UI, seen(called, 1), seated(HONOUR, 3)), "call")
    assert [one.label for one in shown] == ["DRAW! ● Player 0"]


@pytest.mark.parametrize("name", ["Al", "Bartholomew the Second", "W" * 32])
def test_D62_the_buttons_of_the_calls_name_whom_they_accuse_and_fit_a_phone(name: str):
    state = after(dealt("r4 r5 r6 b1 g1 v2 d"), Next())
    clock = GAME.deadlines(state)[0]
    shut = GAME.decide(state, None, Expire(clock.id), clock.due, Chance(bytes(SEED_BYTES), "t", 0))
    state = GAME.fold(shut, state)
    info = seated(HONOUR, 3, (name, "Ben", "Cleo"))
    for reader in (1, 2):
        for one in buttons(seat_page(UI, seen(state, reader), info), "call"):
            assert one.label.startswith((f"DRAW! ● {name[:8]}", f"MELD! ● {name[:8]}")) and len(one.label) <= 17
            assert (name in one.label) is (len(name) <= 9)


def test_D62_the_buttons_of_the_calls_name_computer_players_with_their_number():
    state = after(dealt("r4 r5 r6 b1 g1 v2 d"), Next())
    clock = GAME.deadlines(state)[0]
    shut = GAME.decide(state, None, Expire(clock.id), clock.due, Chance(bytes(SEED_BYTES), "t", 0))
    state = GAME.fold(shut, state)
    people = seated(HONOUR, 3, ("Trainee 3", "Ben", "Cleo"))
    computer = dataclasses.replace(people.seated_players[0], user=None, level=Level.TRAINEE)
    info = dataclasses.replace(people, seated_players=(computer, *people.seated_players[1:]))
    calls = buttons(seat_page(UI, seen(state, 1), info), "call")
    assert {one.label for one in calls} == {"DRAW! ● Trainee 3", "MELD! ● Trainee 3"}


def test_the_end_names_the_winner_and_all_points():
    playout = play(GAME, 4, seats=3, options=HONOUR)
    text = text_of(table_page(UI, seen(playout.states[-1], None), seated(HONOUR, 3)))
    assert "★" in text, "points before a name would read as its rank"
    assert all(f"**Player {seat}**: **{figure(score)}**" in text for seat, score in enumerate(playout.outcome.scores))


def test_pictures_are_small_deterministic_and_have_an_alt_text():
    for seed in range(4):
        for state in play(GAME, seed, options=HONOUR).states[::29]:
            view = seen(state, None)
            data = picture.draw(view)
            assert same_picture(data, picture.draw(view)) and len(data) <= 60_000
            assert 0 < len(picture.alt(view, [f"Player {seat}" for seat in range(len(view.counts))])) <= 1_024


def test_a_fuller_table_still_makes_a_small_picture():
    """Twenty melds of six cards and six full cells: more than any game has had."""
    state = begin(GAME, 1, seats=6, options=HONOUR)
    cards = list(enumerate(read_cards("r1 b2 w=5 y3 g4 s=r6") or ()))
    meld = state.melds[0]
    slot = meld.slots[0]
    melds = tuple(
        msgspec.structs.replace(
            meld,
            id=number,
            cell=None if number < 20 else Seat(number - 20),
            slots=tuple(msgspec.structs.replace(slot, id=10 * number + place, card=one) for place, one in cards),
        )
        for number in range(26)
    )
    view = seen(msgspec.structs.replace(state, melds=melds), None)
    assert len(picture.draw(view)) <= 100_000
    page = table_page(UI, view, seated(HONOUR, 6))
    assert [block for block in page.blocks if isinstance(block, Picture)]


def test_a_hand_is_sorted_by_colour_or_by_number():
    hand = ("w", "r5", "b2", "d", "g5", "r1")
    assert picture.sorted_hand(hand, "c") == in_order(hand) == ("r1", "r5", "b2", "g5", "w", "d")
    assert picture.sorted_hand(hand, "n")[:4] == ("r1", "b2", "g5", "r5")


def test_examples_in_the_rules_are_what_they_say():
    for lessons in EXAMPLES.values():
        assert all(384 + text_width(caption, 25) <= 790 for _, _, caption in lessons)
    for words, right, _ in EXAMPLES["melds"]:
        assert (fault(read_cards(words) or ()) is None) == right


def about(seats: int, **changed: object) -> TableContext:
    return dataclasses.replace(seated(HONOUR, seats), **changed)  # type: ignore[arg-type]  # a test names its fields


def test_the_time_left_is_shown_for_people_with_a_clock_only():
    state = dealt("r3 b3 g3 r5 b5 g5 s")
    due = Moment(state.began + 60_000)
    told = UI.status(seen(state, None), about(3, due=due))
    assert told.splitlines()[0] == f"▶ ●\u00a0**Player 0**'s move · time runs out <t:{due // 1_000}:R>"
    assert UI.status(seen(state, 0), about(3, due=due)).startswith("▶ **Your move** · time runs out")
    machine = (SeatedPlayer(Seat(0), "Rookie", None, Level.TRAINEE), *seated(HONOUR, 3).seated_players[1:])
    for shown in (about(3, due=due, seated_players=machine), about(3)):
        assert "<t:" not in UI.status(seen(state, None), shown)


def test_with_hints_every_sound_play_is_listed_and_without_only_the_kinds():
    view = seen(dealt("r3 b3 g3 r5 b5 g5 s"), 0)
    told = available_moves_text(UI, view, seated(HONOUR, 3), ()).splitlines()
    assert told[2] == "- Break out: blue 5, green 5, red 5 (worth 15)"
    assert any(line == "- Meld blue 3, green 3, red 3 (worth 9 · −9 in hand)" for line in told)
    assert "- lay melds worth less than 15 there; it holds up to 9 cards" in available_moves_text(
        UI, view, silent(3), ()
    )


def test_the_end_of_a_round_shows_why_it_ended_the_points_and_how_to_continue():
    playout = play(GAME, 4, seats=3, options=BreakOutOptions(rounds=2, clock=60))
    state = next(state for state in playout.states if state.interlude is not None)
    page = table_page(UI, seen(state, None), seated(HONOUR, 3))
    finished = state.finished[-1]
    assert "Round 1 is over: " in text_of(page)
    assert all(f"{abs(points)}" in text_of(page) for points in finished.points)
    assert [one.label for one in buttons(page, "ready")] == ["Ready"]
    assert buttons(seat_page(UI, seen(state, 0), seated(HONOUR, 3)), "ready")


def test_nothing_that_people_read_writes_cards_in_codes():
    for state in play(GAME, 6, seats=3, options=HONOUR).running[::13]:
        for reader in (None, 0):
            view = seen(state, reader)
            page = (table_page if reader is None else seat_page)(UI, view, seated(HONOUR, 3))
            words = [
                text_of(page),
                *(button.label for button in buttons(page, "lay")),
                UI.text(view, seated(HONOUR, 3)),
            ]
            assert not re.search(r"\b[rbygov][1-7]\b|w=|s=", " ".join(words))


def test_the_text_view_names_everybody_and_fits_into_a_message():
    for state in play(GAME, 3, seats=6, options=HONOUR).states[::31]:
        told = UI.text(seen(state, 1), seated(HONOUR, 6))
        assert len(told) <= 1_900 and told.startswith("Your hand: ")
        assert all(f"Player {seat}: " in told for seat in range(6))


def test_asking_for_plays_too_late_is_explained_and_without_hints_there_is_no_list():
    state = dealt("r3 b3 g3 r5 b5 g5 s")
    asked = ComponentPress(3, 0, "plays")
    assert isinstance(UI.press(seen(state, 0), seated(HONOUR, 3), asked), Page)
    assert UI.press(seen(state, 0), silent(3), asked) is None
    with pytest.raises(UserError, match="'s turn, not yours"):
        UI.press(seen(state, 1), seated(HONOUR, 3), asked)
    with pytest.raises(UserError, match="You've said NEXT"):
        UI.press(seen(after(state, Next()), 0), seated(HONOUR, 3), asked)


def styled(page: Page, verb: str) -> list[str]:
    return [one.style for one in buttons(page, verb)]


@pytest.mark.parametrize("reader", [0, None])
def test_next_is_green_once_it_is_no_offence_and_always_where_hints_are_off(reader: int | None):
    state = dealt("r3 b3 g3 o1 v4 y6 o2")
    drawn, laid = after(state, Draw()), after(state, Lay(read_cards("r3b3g3") or ()))
    nothing_left = msgspec.structs.replace(state, place=None)

    def style(at: State, options: BreakOutOptions) -> list[str]:
        if reader != 0:
            return styled(table_page(UI, seen(at, None), seated(options, 3)), "next")
        return styled(seat_page(UI, seen(at, reader), seated(options, 3)), "next")

    assert style(state, HONOUR) == ["secondary"]
    assert style(drawn, HONOUR) == style(laid, HONOUR) == style(nothing_left, HONOUR) == ["success"]
    assert style(state, BreakOutOptions(rounds=1, clock=60, hints="off")) == ["success"]


def test_in_the_first_round_the_page_explains_each_call():
    state = ended(after(dealt("r3 b3 g3 r5 b5 g5 o1"), Draw()))
    told = text_of(seat_page(UI, seen(state, 1), seated(HONOUR, 3)))
    assert "**DRAW!** nothing played or taken · **MELD!** bad meld" in told
    assert "**DRAW!**" not in text_of(seat_page(UI, seen(state, 0), seated(HONOUR, 3))), "it was their own turn"


def test_one_button_is_primary_even_if_next_is_allowed_and_several_routes_lead_out():
    state = after(dealt("r5 b5 g5 r6 b6 g6 o1"), Draw())
    page = seat_page(UI, seen(state, 0), seated(HONOUR, 3))
    shown = [one for row in page.blocks if isinstance(row, Row) for one in row.buttons if isinstance(one, Button)]
    bright = [one.label for one in shown if one.style in ("primary", "success")]
    assert len(bright) == 1 and bright[0].startswith("Break out: ")
    assert styled(page, "lay") == ["primary", "secondary"]
    broken_out = seat_page(UI, seen(msgspec.structs.replace(state, out=(True, False, False)), 0), seated(HONOUR, 3))
    assert (styled(broken_out, "next"), set(styled(broken_out, "lay"))) == (["success"], {"secondary"})
    assert styled(table_page(UI, seen(state, None), seated(HONOUR, 3)), "next") == ["success"], "no hand is told"


@pytest.mark.parametrize("hand", ["b4 w r6 r1 s o2", " ".join(FACES[:12])])
def test_cards_to_give_away_are_in_the_order_of_the_hand(hand: str):
    state = after(ended(dealt("r4 b2 o1")), Call("draw"), seat=1)
    state = struck(msgspec.structs.replace(state, hands=(state.hands[0], tuple(hand.split()), state.hands[2])))
    page = seat_page(UI, seen(state, 1), seated(HONOUR, 3))
    menu = [choice.value for block in page.blocks if isinstance(block, Select) for choice in block.choices]
    assert ([one.argument for one in buttons(page, "give")] or menu) == list(seen(state, 1).hand)


def test_what_the_hint_names_is_green_on_the_page_that_says_so():
    state = dealt("r3 b4 g6 o1 y2 v7 g1")
    page = seat_page(UI, seen(state, 0), seated(HONOUR, 3))
    assert "You have no legal play: **take a card**" in text_of(page)
    assert (styled(page, "draw"), styled(page, "next")) == (["success"], ["secondary"])
    drawn = seat_page(UI, seen(after(state, Draw()), 0), seated(HONOUR, 3))
    assert (styled(drawn, "draw"), styled(drawn, "next")) == ([], ["success"])
    shown = table_page(UI, seen(state, None), seated(HONOUR, 3))
    assert styled(shown, "draw") == ["secondary"], "nothing is told of the hand"
    without = seat_page(UI, seen(state, 0), seated(BreakOutOptions(rounds=1, clock=60, hints="off"), 3))
    assert styled(without, "draw") == ["secondary"]
    meld = seat_page(UI, seen(dealt("r3 b3 g3 r5 b5 g5 o1"), 0), seated(HONOUR, 3))
    assert styled(meld, "draw") == ["secondary"]


def test_pointing_is_offered_beside_the_log_as_long_as_it_is_possible():
    def live(at: State, reader: int) -> bool:
        page = UI.press(seen(at, reader), seated(HONOUR, 3), ComponentPress(3, 0, "happened"))
        assert isinstance(page, Page)
        return bool(buttons(page, "point"))

    state = dealt("r3 b3 g3 r5 b5 g5 o1")
    laid = after(state, Lay(read_cards("r3b3g3") or ()))
    fresh = ended(laid)
    old = ended(after(fresh, Draw(), seat=1))
    for at, possible in ((state, False), (laid, False), (fresh, False), (old, True)):
        assert [live(at, reader) for reader in (0, 1, 2)] == [possible] * 3
    pointed = after(old, Point(seen(old, 2).melds[-1].id), seat=2)
    assert [live(pointed, reader) for reader in (0, 1, 2)] == [True, True, False]
    for at, reader, words in (
        (state, 0, "There's no meld on the table yet."),
        (laid, 1, "All melds on the table were changed this turn or the turn before: call **MELD!**"),
        (pointed, 2, "You've already pointed. You can point again from your next turn on."),
    ):
        with pytest.raises(UserError) as told:
            UI.press(seen(at, reader), seated(HONOUR, 3), ComponentPress(3, 0, "point"))
        assert told.value.sentence.startswith(words)


DRAWING = re.compile(r"\bDRAW(?!!| card)|\b(?:draw|draws|drew|drawn|drawing)\b")
"""The word for taking a card and for the card to be taken, rather than for the call or the card face."""

CODES = (
    *("drew-already", "played-already", "no-draw-card", "must-play", "fresh-draw", "fresh-super"),
    *("draw-first", "draw-once", "not-a-draw", "no-kind", "too-fresh"),
)
"""Refusals about it."""


@pytest.mark.parametrize("seed", range(4))
def test_draw_is_the_call_and_the_card_and_nothing_else(seed: int):
    told = [*map(text_of, UI.rules()), *(UI.refusal(Refusal(code), seated(HONOUR, 3)) for code in CODES)]
    for state in play(GAME, seed, seats=3).states[::7]:
        for reader in (0, 1, None):
            view, about = seen(state, reader), seated(HONOUR, 3)
            page = (table_page if reader is None else seat_page)(UI, view, about)
            told += [text_of(page), *(one.alt for one in page.pictures())]
            for block in page.blocks:
                told += [str(one.label) for one in block.buttons] if isinstance(block, Row) else []
                told += [choice.label for choice in block.choices] if isinstance(block, Select) else []
            told += [UI.text(view, about)] + ([] if reader is None else [available_moves_text(UI, view, about, ())])
    told = [words.replace("what the printed rules call drawing", "") for words in told]
    assert [found for words in told for found in DRAWING.findall(words)] == []
    assert any("DRAW!" in words for words in told) and any("Take a card" in words for words in told)


def ended(state: State) -> State:
    """Return the table after the NEXT of the player on turn has taken effect."""
    state = after(state, Next(), seat=state.turn)
    while state.said is not None:
        state = struck(state)
    return state


def struck(state: State) -> State:
    """Return the table after its next clock has run out."""
    clock = min(GAME.deadlines(state), key=lambda one: one.due)
    return GAME.fold(GAME.decide(state, None, Expire(clock.id), clock.due, Chance(bytes(SEED_BYTES), "t", 0)), state)


def told_of(state: State, reader: int | None) -> list[str]:
    return UI.news(seen(state, reader), seated(HONOUR, 3)).splitlines()


@pytest.mark.parametrize("reader", [None, 2])
def test_a_break_out_is_shown_for_a_circuit_above_all_later_events(reader: int | None):
    state = dealt("r3 b3 g3 r5 b5 g5 o1 o2")
    state = after(state, BreakOut(1, read_cards("r5b5g5") or ()), Lay(read_cards("r3b3g3") or ()))
    assert "broke out" in told_of(state, reader)[-1]
    state = ended(state)
    state = ended(after(state, Draw(), seat=1))
    assert any("broke out" in line for line in told_of(state, None))
    state = ended(after(state, Draw(), seat=2))
    for _ in range(2):
        state = ended(after(state, Draw(), seat=state.turn))
    assert not any("broke out" in line for line in told_of(state, reader)), "it is older than a circuit"


def test_a_turn_is_summarised_in_one_line_before_its_next():
    """Otherwise a player who took a card would seem to have said NEXT alone, and would be called for nothing."""
    state = ended(after(dealt("r3 b3 g3 r5 b5 g5 o1 o2"), BreakOut(1, read_cards("r5b5g5") or ())))
    state = ended(after(state, Draw(), seat=1))
    for reader in (None, 2):
        assert told_of(state, reader)[-1].endswith("**Player 1**: took a card · said NEXT")


def test_on_ones_own_turn_one_line_has_what_the_player_did_who_can_be_called():
    state = after(dealt("r3 b3 g3 r5 b5 g5 o1 o2"), Draw(), Lay(read_cards("r3b3g3") or ()))
    state = ended(state)
    (line,) = told_of(state, 1)
    assert "**Player 0**: took a card · laid " in line and line.endswith(" · said NEXT")
    assert told_of(state, 0) == ["-# Round 1 begins: ▲\xa0**Player 2** plays first"], "not one's own acts"


def test_an_undone_break_out_is_shown_no_longer_than_other_events():
    state = dealt("r3 b3 g3 r5 b5 g1 o1 o2")
    state = ended(after(state, BreakOut(1, read_cards("r5b5g1") or ()), Lay(read_cards("r3b3g3") or ())))
    assert any("broke out" in line for line in told_of(state, None)) and state.window is not None
    state = after(state, Call("meld", state.window.turn), seat=1)
    state = struck(state)
    for _ in range(2):
        state = ended(after(state, Draw(), seat=state.turn)) if state.gift is None else struck(state)
    assert not state.out[0] and not any("broke out" in line for line in told_of(state, None))


@pytest.mark.parametrize("words", ["r1r2r3r4r5r6 w", "w w w w w w", "s s s b1 o2 v3 g4 y5 r6"])
def test_a_label_too_long_for_a_button_is_shortened_and_never_cut(words: str):
    cards = read_cards(words.replace(" ", "")) or ()
    view = seen(dealt("r1 r2 r3"), 0)
    for one in (
        Lay(cards),
        BreakOut(1, cards),
        BreakOut(2, cards, 12, ()),
        BreakOut(4, cards[:1]),
        Extend(12, cards, (1, 2, 3)),
        Extend(START, cards),
        Extract(3, cards[0], 2),
        PlayDraw("s"),
        PlayDraw("d"),
        Move((1, 2)),
    ):
        label = label_of(view, one)
        assert 0 < len(label) <= LABEL_LENGTH and not label.endswith("…"), label


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("r4r5r6", "Break out: red 4 5 6 · worth 15"),
        ("w=b3b4b5b6", "Break out: blue 4 5 6, Wild as 3"),
        ("r2r3w=r4w=r5r6", "Break out: red 2–6 with 2 Wilds"),
        ("y5w=y6s=y7", "Break out: yellow 5–7 with 2 Wilds"),
        ("b7r7w=7", "Break out: blue 7 red 7 Wild"),
        ("b7r7w=7w=7", "Break out: blue 7 red 7 Wild Wild"),
        ("g7r7b7w=7", "Break out: green red blue 7 + Wild"),
        ("o7v7y7g7r7w=7", "Break out: 7 7 7 7 7 Wild"),
    ],
)
def test_a_break_out_button_names_its_cards_before_their_points(words: str, label: str):
    assert label_of(seen(dealt("r1 r2 r3"), 0), BreakOut(1, read_cards(words) or ())) == label


@pytest.mark.parametrize(
    ("words", "label", "told"),
    [
        ("b4s=b5b6", "Meld blue 4 6, Super as 5", "worth 15 · −20 in hand"),
        ("o3w=o4s=o5", "Meld orange 3–5 with Wild, Super", "worth 12 · −21 in hand"),
        ("g1r1w=1", "Meld green 1 red 1 Wild", "worth 3 · −10 in hand"),
        ("r1r2r3", "Meld red 1 2 3 · −6 in hand", "worth 6 · −6 in hand"),
    ],
)
def test_a_meld_button_names_what_leaves_the_hand_if_it_fits(words: str, label: str, told: str):
    view, lay = seen(dealt("r1 r2 r3"), 0), Lay(read_cards(words) or ())
    assert (label_of(view, lay), points_of(view, lay)) == (label, told)
    broken_out = msgspec.structs.replace(view, out=(True, False, False))
    assert points_of(broken_out, lay) == told.split(" · ")[1], "in the Yard its worth decides nothing"


def test_an_addition_is_labelled_by_what_leaves_the_hand_and_what_a_wild_represents():
    view = seen(after(dealt("r5 b5 g5 r6 w v1 v2"), BreakOut(1, read_cards("r5b5g5") or ())), 0)
    labels = [label_of(view, Extend(1, read_cards(words) or ())) for words in ("w=5", "w=b3", "v5", "b3")]
    assert labels == [
        "Add Wild to meld 1 · −8 in hand",
        "Add Wild as blue 3 to meld 1",
        "Add violet 5 to meld 1",
        "Add blue 3 to meld 1 · −3 in hand",
    ]


@pytest.mark.parametrize("rounds", [1, 3, 6])
def test_the_lobby_says_as_many_minutes_a_round_as_the_option_however_many_play(rounds: int):
    told = next(field.description for field in option_fields(BreakOutOptions) if field.name == "rounds")
    assert f"A round takes about {ROUND_MINUTES} minutes." in told
    for seats in GAME.player_counts:
        assert game_length(UI, BreakOutOptions(rounds=rounds), seats) == f"about {rounds * ROUND_MINUTES} minutes"


def test_pointing_has_one_name_on_every_page():
    pointing = 0
    for seed in range(4):
        for state in play(GAME, seed, seats=3, options=HONOUR).running[::11]:
            for reader in (0, 1, 2):
                view = seen(state, reader)
                page = seat_page(UI, view, seated(HONOUR, 3))
                assert {one.label for one in buttons(page, "point")} <= {"Point at a meld"}
                if pointable(view):
                    shown = UI.press(view, seated(HONOUR, 3), ComponentPress(3, view.ui_version, "point"))
                    assert isinstance(shown, Page) and text_of(shown).startswith("### Point at a meld\n")
                    pointing += 1
    assert pointing


@pytest.mark.parametrize("hand", ["y6 w w s", "r5 r6 w s"])
def test_what_wilds_represent_is_labelled_as_far_as_a_button_has_space(hand: str):
    view = seen(dealt(hand), 0)
    ways = [offer.play for offer in play_options(view, read_cards(hand) or ()) if offer.wrong is None]
    told = labels_of(view, ways)
    assert len(set(told)) == len(told) > 1 and all(len(label) <= LABEL_LENGTH for label in told), told


def test_a_swap_is_offered_once_for_each_kind_of_wild_in_a_meld_with_different_labels():
    state = after(dealt("b5 g5 w w s v5 o1 o2"), BreakOut(1, read_cards("b5 g5 w=5 w=5 s=5") or ()))
    view = seen(state, 0)
    swaps = [one.play for one in play_options(view, read_cards("v5") or ()) if isinstance(one.play, Extract)]
    assert sorted(labels_of(view, swaps)) == ["Swap violet 5 for Super in meld 1", "Swap violet 5 for Wild in meld 1"]


@pytest.mark.parametrize("reader", [0, None])
@pytest.mark.parametrize("hints", ["on", "off"])
def test_where_the_bot_is_the_referee_next_waits_until_it_is_not_refused(reader: int | None, hints: str):
    options = BreakOutOptions(rounds=1, clock=60, referee="strict", hints=hints)  # type: ignore[arg-type]  # a word
    state = msgspec.structs.replace(dealt("r3 b3 g3 r5 b5 g5 o1"), options=options)

    def shut(at: State) -> list[bool]:
        page = (table_page if reader is None else seat_page)(UI, seen(at, reader), seated(options, 3))
        return [one.disabled for one in buttons(page, "next")]

    with pytest.raises(Refusal, match="must-play"):
        after(state, Next())
    assert shut(state) == [True] and shut(after(state, Draw())) == [False]
    assert shut(msgspec.structs.replace(state, place=None)) == [False]


def test_nobody_calls_while_a_catcher_chooses_a_gift():
    state = dealt("r3 b3 g3 r5 b5 g1 o1 o2")
    state = ended(after(state, Draw()))
    view = msgspec.structs.replace(seen(state, 2), seat=Seat(2))
    assert view.window is not None and view.window.seat != 2
    about = seated(GAME.options(), 3)
    assert call_row(view, about) is not None
    assert call_row(msgspec.structs.replace(view, phase="gift"), about) is None
