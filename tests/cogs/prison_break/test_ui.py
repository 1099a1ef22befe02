"""Prison Break's UI: nothing that its reader may not know, within Discord's limits, in clear words."""

import dataclasses
import random
import re
from pathlib import Path

import msgspec
import pytest

from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import SeatedPlayer, available_moves_text, interpret
from cogs.core.pages.page import Button, Modal, Page, Picture, Row, Select, Text
from cogs.core.pages.player_page import seat_page, table_page
from cogs.prison_break.advice import BEST_FIRST
from cogs.prison_break.controls import space_hint
from cogs.prison_break.log import recent
from cogs.prison_break.log_words import declared_positions, log_lines
from cogs.prison_break.offer_page import face_up, offer_page
from cogs.prison_break.rules import OFFERS
from cogs.prison_break.words import OFFER_NAMES, REJECT, claim, declarations, terms_words
from engine import turns
from engine.contract import Expire, Seat
from engine.games.prison_break import (
    GAME,
    Card,
    Decline,
    Guard,
    Mark,
    Note,
    Offer,
    Pass,
    PrisonBreakOptions,
    Prisoner,
    RoundStarts,
    RowTurned,
    Sneak,
    State,
    TimeRanOut,
    Vote,
    markers_text,
    note_digest,
    rules,
)
from engine.players import Level
from engine.turns import INTERLUDE_MS, Ready
from tests.cogs.prison_break.scenes import (
    UI,
    check_form,
    check_sendable,
    everything,
    info,
    moments,
    pages,
    pressed,
    readers,
    refusal,
)
from tests.engine.games.prison_break_positions import (
    DARK,
    LIT,
    MATERIAL,
    A,
    B,
    C,
    after,
    guarding,
    moment,
    new_game,
    offered,
    offering,
    rolling,
    settled,
    sneaked,
)
from tests.engine.games.test_prison_break_secrets import exchanged, other_lives
from tools.harness.pages import text_of
from tools.harness.playouts import folded, play


def buttons(page: Page) -> dict[str, Button]:
    """Return the page's buttons by label."""
    found = [button for block in page.blocks if isinstance(block, Row) for button in block.buttons]
    return {button.label: button for button in found if isinstance(button, Button)}


def selects(page: Page) -> dict[str, Select]:
    """Return the page's selects by verb."""
    return {block.verb: block for block in page.blocks if isinstance(block, Select)}


def table(state: State) -> Page:
    return table_page(UI, GAME.view(state, None), info(len(state.prisoners)))


def private(state: State, seat: Seat) -> Page:
    page = seat_page(UI, GAME.view(state, seat), info(len(state.prisoners)))
    assert page is not None
    return page


def press(state: State, seat: Seat, verb: str, argument: str = "", *values: str) -> object:
    view = GAME.view(state, seat)
    control = ComponentPress(7, view.ui_version, verb, argument, values)
    return interpret(UI, view, info(len(state.prisoners)), control)


# -------------------------------------------------------------------------------------------------------------- secrecy


@pytest.mark.parametrize("seed", range(8))
def test_exchanging_what_a_seat_may_not_know_changes_no_byte_that_it_is_shown(seed: int):
    rng = random.Random(seed)
    for state in moments(seed, 8)[:-1]:
        for reader in readers(state):
            assert everything(state, reader) == everything(exchanged(state, reader, rng), reader)


@pytest.mark.parametrize("seed", range(4))
def test_sneaks_and_notes_of_others_leave_no_trace_on_any_page(seed: int):
    playout = play(GAME, seed, options=PrisonBreakOptions(round_limit=6))
    reader = Seat(seed % playout.seats)
    for real, other in other_lives(playout, reader, random.Random(seed))[::3]:
        for eyes in (reader, None):
            assert everything(real, eyes) == everything(other, eyes)


def test_a_cast_vote_looks_the_same_whether_it_accepts_or_rejects():
    before = offered(offering(2, 3, 4), "advance", A, B)
    accepts, rejects = after(before, (A, Vote(True))), after(before, (A, Vote(False)))
    for reader in (None, B, C):
        assert everything(accepts, reader) == everything(rejects, reader)
    assert "(voted)" in text_of(table(accepts))
    assert everything(accepts, A) != everything(rejects, A)


def test_a_guards_completion_knows_only_what_is_public():
    at_five, elsewhere = guarding(5, 2, 0), guarding(9, 8, 7)
    for space in range(1, 11):
        hints = {space_hint(GAME.view(state, A), space, ("Ann", "Ben", "Cleo")) for state in (at_five, elsewhere)}
        assert len(hints) == 1


# --------------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("seed", range(12))
def test_every_page_of_random_games_fits_discord(seed: int):
    for state in moments(seed, 25):
        for reader in readers(state):
            for page in pages(state, reader):
                check_sendable(page, spare=14)  # the core's footer, a line and button for a caretaker, a notice
            text = UI.text(GAME.view(state, reader), info(len(state.prisoners)))
            assert len(text) <= 1_800 and "```" not in text
            if reader is not None:
                for outcome in pressed(GAME.view(state, reader), info(len(state.prisoners))):
                    if isinstance(outcome, Modal):
                        check_form(outcome)


def test_names_full_of_markup_and_a_full_notepad_still_fit():
    names = ("*_" * 16, "`" * 32, "||" * 16, "\n#" * 16)
    for seed in range(6):
        playout = play(GAME, seed, seats=4)
        state = max(playout.running, key=lambda state: len(state.log))
        state = msgspec.structs.replace(state, notes=("\n" * 500,) * 4)
        for reader in readers(state):
            view, about = GAME.view(state, reader), info(4, names)
            check_sendable(table_page(UI, view, about), spare=14)
            if reader is not None:
                page = seat_page(UI, view, about)
                assert page is not None
                check_sendable(page, spare=14)
            text = UI.text(view, about)
            assert len(text) <= 1_800 and "`" not in text


def test_the_rules_fit_and_say_of_the_offers_what_the_material_says():
    for page in UI.rules():
        check_sendable(page, spare=4)
    assert {terms.kind: terms_words(terms) for terms in MATERIAL.offers} == OFFERS
    lines = text_of(UI.rules()[2])
    assert all(line in lines for line in OFFERS.values())


# ------------------------------------------------------------------------------------------------------------- controls


def test_a_sneak_is_one_press_for_each_pair_of_word_and_deed():
    state = new_game(3)
    seat = GAME.view(state, None).to_act[0]
    labels = buttons(private(state, seat))
    for declared in range(3):
        for moved in range(3):
            button = labels[f"say {declared}, go {moved}"]
            assert press(state, seat, button.verb, button.argument) == Sneak(declared, moved)


def test_a_held_player_is_offered_no_move():
    state = moment((3, 3, 3), prisoners=(Prisoner(3, held_round=1), Prisoner(3), Prisoner(3)))
    labels = buttons(private(state, A))
    assert [label for label in labels if label.startswith("say")] == [f"say {n}, go 0" for n in range(3)]
    assert "Lock Down" in text_of(private(state, A))


def test_only_those_who_are_awaited_get_the_controls_of_the_moment():
    for seed in range(4):
        for state in moments(seed, 20):
            for seat in readers(state)[1:]:
                assert seat is not None
                page = private(state, seat)
                verbs = {button.verb for button in buttons(page).values()} | set(selects(page))
                acting = verbs - {"note", "markers", "hand"}
                view = GAME.view(state, None)
                assert acting == {"ready"} if view.interlude is not None else bool(acting) == (seat in view.to_act)


def test_every_sound_action_can_be_pressed():
    for seed in range(6):
        for state in moments(seed, 15)[:-1]:
            for seat in range(len(state.prisoners)):
                for action in GAME.legal(state, Seat(seat)):
                    assert alike(state, press_of(state, Seat(seat), action), action)


def alike(state: State, pressed: object, action: object) -> bool:
    """Return True if this action was pressed; of two offers of one kind it may be either."""
    if not (isinstance(pressed, Offer) and isinstance(action, Offer)):
        return pressed == action
    row = GAME.view(state, None).row
    assert row[pressed.card].up and row[action.card].up
    return row[pressed.card].kind == row[action.card].kind and (pressed.first, pressed.second) == (
        action.first,
        action.second,
    )


def press_of(state: State, seat: Seat, action: object) -> object:
    """Return the result of an action's controls, pressed in order as its seat finds them."""
    page = private(state, seat)
    match action:
        case Sneak():
            button = buttons(page)[f"say {action.declare}, go {action.move}"]
        case Offer():
            kind = GAME.view(state, None).row[action.card].kind
            button = buttons(page)[OFFER_NAMES[kind]]
            if len(state.prisoners) > 2:
                panel = press(state, seat, button.verb, button.argument)
                assert isinstance(panel, Page)
                ends = f".{action.first}{action.second}"
                button = next(one for one in buttons(panel).values() if one.argument.endswith(ends))
        case Decline():
            button = buttons(page)["No offer"]
        case Vote():
            button = buttons(page)["✓ Accept" if action.accept else "⊘ Reject"]
        case Guard():
            select = selects(page)["guard"]
            assert str(action.space) in [choice.value for choice in select.choices]
            assert "guard" in selects(table(state))
            return press(state, seat, select.verb, select.argument, str(action.space))
        case Pass():
            button = buttons(page)["No check"]
        case Ready():
            button = buttons(page)["Ready"]
        case _:
            raise AssertionError(action)
    return press(state, seat, button.verb, button.argument)


def test_an_offer_takes_two_presses_and_its_terms_are_shown_before_the_last_one():
    state = offering(0, 0, 0)
    page = private(state, A)
    panel = press(state, A, "offer", buttons(page)["Lock Down"].argument)
    assert isinstance(panel, Page) and "no Sneak phase next round" in text_of(panel)
    pairs = {label: button.argument for label, button in buttons(panel).items() if button.verb == "offer-make"}
    assert sorted(pairs.values()) == ["3.01", "3.02", "3.12"]
    assert all(label.startswith(("● ", "◆ ")) and " + " in label and len(label) <= 34 for label in pairs)


def test_between_a_players_picture_and_the_controls_is_nothing_but_what_is_asked():
    asked: dict[str, list[int]] = {}
    for seed in range(3):
        for state in play(GAME, seed, seats=4).running:
            view = GAME.view(state, GAME.view(state, None).turn)
            if view.seat is None or view.interlude is not None:
                continue
            blocks = private(state, view.seat).blocks
            place = next(place for place, block in enumerate(blocks) if isinstance(block, Picture))
            told = "\n".join(block.body for block in blocks[:place] if isinstance(block, Text))
            assert "They think you're" in told and (not view.log or UI.news(GAME.view(state, None), info(4)) in told)
            rest = [block for block in blocks[place + 1 :] if isinstance(block, Text)]
            asked.setdefault(view.phase, []).append(sum(len(block.body) for block in rest))
    assert set(asked) == {"sneak", "offer", "guard"} and all(max(one) <= 130 for one in asked.values()), asked


def test_a_warden_sees_the_own_square_while_an_offer_and_its_players_are_chosen_and_nobody_else_does():
    here, there = offering(4, 0, 0), offering(5, 0, 0)
    for state, where in ((here, 4), (there, 5)):
        page = private(state, A)
        panel = press(state, A, "offer", buttons(page)["Advance"].argument)
        assert isinstance(panel, Page)
        shown = [next(one.pictures()) for one in (page, panel)]
        assert shown[0] == shown[1] and shown[0].alt.startswith(f"You really are on {where}. ")
    own = [next(private(state, A).pictures()).data for state in (here, there)]
    public = [next(table(state).pictures()).data for state in (here, there)]
    others = [everything(state, B) for state in (here, there)]
    assert own[0] != own[1] and public[0] == public[1] and others[0] == others[1]


def test_the_markers_of_a_warden_are_on_the_table_on_which_an_offer_is_chosen():
    bare = offering(0, 0, 0)
    marked = after(bare, (A, Mark(markers_text(B, (3,)))))
    plain, own = (next(private(state, A).pictures()) for state in (bare, marked))
    assert plain.data != own.data and "Your markers:" in own.alt


def test_with_two_players_the_only_pair_need_not_be_chosen():
    assert "**Advance** ✓✓ both accept: both 2 forward · one rejects: ✓ nothing, ⊘ 3 forward" in text_of(
        private(offering(0, 0), A)
    )
    button = buttons(private(offering(0, 0), A))["Advance"]
    assert press(offering(0, 0), A, button.verb, button.argument) == Offer(0, 0, 1)


def test_only_the_warden_opens_the_panel_and_only_in_its_phase():
    with pytest.raises(UserError, match="Only the Warden"):
        press(offering(0, 0, 0), B, "offer", "0")
    with pytest.raises(UserError, match="after the lights check"):
        press(new_game(3), GAME.view(new_game(3), None).warden, "offer", "0")


@pytest.mark.parametrize(
    ("verb", "argument", "values"),
    [
        ("sneak", "", ()),
        ("sneak", "1", ()),
        ("sneak", "1.x", ()),
        ("sneak", "-1.2", ()),
        ("sneak", "²." + "1", ()),
        ("sneak", "1" * 30 + ".1", ()),
        ("vote", "", ()),
        ("vote", "perhaps", ()),
        ("guard", "", ()),
        ("guard", "", ("seven",)),
        ("offer-make", "", ()),
        ("offer-make", "0.00", ()),
        ("offer-make", "0.09", ()),
        ("offer-make", "0.012", ()),
        ("offer", "", ()),
        ("offer", "9", ()),
        ("offer", "-1", ()),
        ("elsewhere", "", ()),
    ],
)
def test_a_forged_control_is_refused_in_a_sentence(verb: str, argument: str, values: tuple[str, ...]):
    with pytest.raises(UserError):
        press(offering(0, 0, 0), A, verb, argument, *values)


def test_a_used_offer_cannot_be_chosen():
    state = settled(offering(0, 0, 0), "advance", "--")
    view = msgspec.structs.replace(GAME.view(state, A), phase="offer")
    with pytest.raises(UserError, match="face up"):
        UI.press(view, info(3), ComponentPress(7, view.ui_version, "offer", "0"))


def test_controls_of_an_earlier_moment_are_stale_but_the_notepad_never_is_and_the_log_is_open_to_all():
    before = new_game(3)
    then = sneaked(before, (1, 1))
    view, old = GAME.view(then, A), GAME.view(before, A).ui_version
    for verb in ("sneak", "vote", "offer", "offer-make", "guard", "pass", "decline"):
        assert not UI.fresh(view, ComponentPress(7, old, verb))
        assert UI.fresh(view, ComponentPress(7, view.ui_version, verb))
    for verb in ("note", "note-write", "markers", "marker-set"):
        assert UI.fresh(view, ComponentPress(7, old, verb))
    assert UI.public_actions == {"log"}


def test_a_first_vote_does_not_spoil_the_others_panel():
    before = offered(offering(0, 0, 0), "advance", A, B)
    then = after(before, (A, Vote(True)))
    assert UI.fresh(GAME.view(then, B), ComponentPress(7, GAME.view(before, B).ui_version, "vote", "accept"))


def test_the_notepad_is_written_in_a_form_that_begins_with_what_it_says():
    state = after(new_game(3), (B, Note("Ann lies")))
    form = press(state, B, "note")
    assert isinstance(form, Modal) and form.fields[0].value == "Ann lies"
    control = ComponentPress(7, 0, form.verb, form.argument, fields=((form.fields[0].name, " Ann never lies\n"),))
    note = UI.press(GAME.view(state, B), info(3), control)
    assert note == Note("Ann never lies", note_digest("Ann lies"))
    assert "> Ann lies" in text_of(private(state, B))
    rewritten = after(state, (B, note))
    again = press(rewritten, B, "note")
    assert isinstance(again, Modal) and again.argument != form.argument, "its custom_id changes with what it says"
    old = ComponentPress(7, 0, form.verb, fields=((form.fields[0].name, "Ben lies"),))
    assert UI.press(GAME.view(rewritten, B), info(3), old) == Note("Ben lies"), "a form of an earlier version"


def test_a_note_written_while_the_notepad_changed_keeps_both_and_says_so():
    state = after(new_game(3), (B, Note("one")))
    form = press(state, B, "note")
    assert isinstance(form, Modal)
    state = after(state, (B, Note("two")))
    control = ComponentPress(7, 0, form.verb, form.argument, fields=((form.fields[0].name, "one and three"),))
    note = UI.press(GAME.view(state, B), info(3), control)
    assert isinstance(note, Note)
    then = after(state, (B, note))
    assert GAME.view(then, B).note == "two\none and three"
    assert "keeps both" in (UI.receipt(note, lambda: GAME.view(then, B)) or "")
    plain = Note("two", note_digest("two\none and three"))
    assert UI.receipt(plain, lambda: GAME.view(after(then, (B, plain)), B)) is None


# ---------------------------------------------------------------------------------------------------------------- words


def test_a_declaration_has_the_same_name_on_every_page():
    docs = Path(__file__).parents[3] / "docs"
    parts = (docs / "words.txt").read_text(encoding="utf-8").split("\n== ")
    ours = [part for part in parts if re.match(r"Prison Break|The lesson of Prison Break|cogs/prison_break/", part)]
    (listed,) = (part for part in parts if part.startswith("Commands\n"))
    commands = [line for line in listed.splitlines() if line.startswith("/prison-break")]
    book = (docs / "rules" / "prison_break.md").read_text(encoding="utf-8")
    assert len(ours) > 10 and "/prison-break sneak say: What you tell everyone" in commands
    assert not re.search("declar|announc", "\n".join([*ours, *commands, book]), re.IGNORECASE)


def test_the_table_shows_declarations_and_never_how_far_a_pawn_went():
    state = sneaked(moment((0, 0, 0)), (2, 0), (1, 1), (0, 2))
    page = text_of(table(state))
    assert "●\u00a0**Ann** said 2" in page and "went" not in page
    assert "●\u00a0**Ann** started in JAIL" not in page  # the picture shows it
    seen = sneaked(moment((4, 0, 0)), (2, 0), (1, 1), (0, 2), roll=6)
    assert "lights on!" in text_of(table(seen))


def test_a_status_is_one_line_and_one_small_one_and_the_news_are_few_while_the_game_runs():
    for seed in range(4):
        for state in moments(seed, 12)[:-1]:
            view, about = GAME.view(state, None), info(len(state.prisoners))
            first, *small = UI.status(view, about).split("\n")
            assert len(small) == 1 and small[0].startswith("-# ")
            assert ("Lights on!" if view.interlude is not None else "'s move") in first
            waits = sum(isinstance(entry, TimeRanOut) for entry in view.log[-2 * len(state.prisoners) :])
            assert len(news(state)) <= 3 + waits


def news(state: State) -> list[str]:
    """Return the latest news, as shown at the table and on every page."""
    told = UI.news(GAME.view(state, None), info(len(state.prisoners)))
    for seat in map(Seat, range(len(state.prisoners))):
        assert told in text_of(private(state, seat)) and told in text_of(table(state))
    return told.split("\n")


@pytest.mark.parametrize(("roll", "interlude_ms"), [(DARK, 0), (LIT, 0), (LIT, INTERLUDE_MS)])
def test_a_catch_of_all_players_is_shown_although_the_round_continues_at_once(roll: int, interlude_ms: int):
    caught = after(guarding(4, 4, 4, interlude_ms=interlude_ms), (A, Pass()), (B, Guard(4)), (C, Pass()), roll=roll)
    view = GAME.view(caught, None)
    assert view.phase == ("interlude" if interlude_ms else "offer") and view.round == 2
    told = news(caught)
    assert "sent the guards to 4 and caught" in told[0] and told[0].endswith("back to JAIL")
    assert "can't sneak (caught by guards)" in told[1] and len(told) == 3
    shown = "everyone is where they claimed to be" if interlude_ms else "is in JAIL (as last seen)"
    assert (shown if roll == LIT else "it stays dark") in told[-1]
    no_offer = after(after(caught, *((s, Ready()) for s in (A, B, C) if interlude_ms), roll=roll), (B, Decline()))
    assert not any("caught" in line for line in news(no_offer))


def test_the_news_of_a_round_that_begins_repeat_the_status_only_for_those_who_cannot_sneak():
    def told(state: State) -> str:
        return text_of(table_page(UI, GAME.view(state, None), info(len(state.prisoners))))

    begun = told(play(GAME, 1).start)
    assert begun.count("is the Warden") == 1 and "Sneak phase" in begun
    caught = told(after(guarding(0, 4, 2), (A, Pass()), (B, Pass()), (C, Guard(4))))
    assert caught.count("is the Warden") == 2 and "can't sneak" in caught


def test_the_result_of_a_vote_is_shown_until_the_next_check_or_sneak():
    row = (Card("bribe"), Card("lights", up=False), Card("advance", up=False))
    voted = settled(msgspec.structs.replace(offering(2, 3, 4), row=row), "bribe", "+-")
    assert voted.log[-1] == RowTurned(tuple(card.kind for card in voted.row))
    result = next(line for line in news(voted) if "Bribe the Guards: " in line)
    for moves in ([], [(A, Pass())], [(A, Pass()), (B, Pass())], [(A, Pass()), (B, Pass()), (C, Pass())]):
        assert result in news(after(voted, *moves))
    assert news(voted)[-1].startswith("-# New offers are face up:")
    passed = news(after(voted, (A, Pass()), (B, Pass())))
    assert passed[-1].endswith("made no guard check") and not any("New offers" in line for line in passed)
    checked = after(voted, (A, Guard(9)))
    assert result not in news(checked) and any("to 9: no one was there" in line for line in news(checked))
    next_round = after(voted, (A, Pass()), (B, Pass()), (C, Pass()), (B, Sneak(1, 1)))
    assert result not in news(next_round) and "said 1" in news(next_round)[-1]


def test_the_result_of_a_vote_is_shown_if_the_next_round_has_neither_checks_nor_sneaks():
    skipping = tuple(Prisoner(3, skips=True) for _ in range(3))
    voted = settled(offering(0, 0, 0, prisoners=skipping), "bribe", "++")
    assert GAME.view(voted, None).phase == "offer" and voted.round == 2
    assert "Bribe the Guards: " in news(voted)[0] and "stays dark" in news(voted)[-1]


def test_a_page_names_those_who_are_waited_for_once():
    for state in moments(1, 12)[:-1]:
        for seat in map(Seat, range(len(state.prisoners))):
            view, about = GAME.view(state, seat), info(len(state.prisoners))
            if view.interlude is not None or seat in view.to_act:
                continue
            page = seat_page(UI, view, about)
            texts = [block.body for block in page.blocks if isinstance(block, Text)]
            assert all(texts) and not any("Waiting for" in body for body in texts)
            assert sum("'s move" in body for body in texts) == 1


def test_no_clock_is_shown_for_computers_or_in_a_replay():
    view = GAME.view(new_game(3), None)
    about = info(3)
    assert "time runs out <t:1700000000:R>" in UI.status(view, about)
    machines = tuple(SeatedPlayer(Seat(seat), f"Computer {seat}", None, Level.TRAINEE) for seat in range(3))
    for other in (dataclasses.replace(about, due=None), dataclasses.replace(about, seated_players=machines)):
        assert "time" not in UI.status(view, other)


def test_the_tables_quick_controls_lead_to_the_cockpit_for_what_is_secret():
    for state, label in ((new_game(3), "Sneak"), (offered(offering(0, 0, 0), "advance", A, B), "Vote")):
        assert buttons(table(state))[label].verb == "hand"


def test_the_guards_menu_calls_its_reader_you_throughout():
    state = guarding(4, 2, 0, prisoners=(Prisoner(3, seen=4, seen_round=1), Prisoner(3), Prisoner(3)))
    page = private(state, A)
    (four,) = (choice for choice in selects(page)["guard"].choices if choice.value == "4")
    assert four.description is not None and four.description.startswith("you are here; last seen here: you")
    (public,) = (choice for choice in selects(table(state))["guard"].choices if choice.value == "4")
    assert public.description is not None and public.description.startswith("last seen here: Ann")


def test_where_the_guards_may_go_says_names():
    select = selects(table(guarding(0, 0, 0)))["guard"]
    assert all(choice.label == f"Space {choice.value}" for choice in select.choices)
    seen = moment((4, 0, 0), prisoners=(Prisoner(3, seen=4, seen_round=1), Prisoner(3), Prisoner(3)))
    assert space_hint(GAME.view(seen, None), 4, ("Ann", "Ben", "Cleo")).startswith("last seen here: Ann")


def test_the_guards_menu_does_not_put_its_reader_into_two_places():
    declarations = (Prisoner(3, declared=2), Prisoner(3, declared=2), Prisoner(3))
    state = guarding(1, 2, 0, prisoners=declarations)
    told = {choice.value: choice.description or "" for choice in selects(private(state, A))["guard"].choices}
    assert told["1"] == "you are here"
    assert told["2"] == "here if honest: _Ben_*; where they think you are"
    public = {choice.value: choice.description or "" for choice in selects(table(state))["guard"].choices}
    assert public["2"] == "here if honest: Ann and _Ben_*"


def test_the_guards_menu_says_where_its_reader_is_and_to_nobody_else():
    state = guarding(5, 2, 0)
    told = {choice.value: choice.description or "" for choice in selects(private(state, A))["guard"].choices}
    assert [space for space, words in told.items() if "you are here" in words] == ["5"]
    assert not any("you are here" in (choice.description or "") for choice in selects(table(state))["guard"].choices)


def test_the_private_page_shows_the_real_position_beside_the_declared_one():
    state = sneaked(moment((3, 0, 0)), (2, 0))
    page = text_of(private(state, A))
    assert "You are on 3" in page and "said 2, went 0 → " in page and "They think you're on 2" in page


def test_declarations_are_summed_as_the_engine_sums_them():
    for seed in range(8):
        for state in moments(seed, 30):
            view = GAME.view(state, None)
            assert [sum(past) for past in declarations(view)] == [prisoner.declared for prisoner in view.prisoners]


def test_news_uses_the_names_of_its_own_table_and_is_the_same_for_every_seat():
    state = sneaked(moment((0, 5, 0)), (2, 0))
    views = [GAME.view(state, reader) for reader in (None, Seat(0), Seat(1))]
    for names in (("Ann", "Ben", "Cleo"), ("Dan", "Eve", "Fay")):
        told = {recent(view, info(3, names)) for view in views}
        assert len(told) == 1 and f"**{names[0]}** said 2" in told.pop()
        assert [bool(UI.news(view, info(3, names))) for view in views] == [True, False, False]


def test_an_offers_outcome_is_shown_as_printed_and_never_as_walked():
    for positions in ((0, 0, 0), (5, 9, 1)):
        state = settled(offering(*positions), "advance", "--")
        assert f"●\u00a0**Ann** rejected {REJECT}" in text_of(table(state))
        assert "●\u00a0**Ann** 2 back; ◆\u00a0**\\_Ben\\_\\*** 2 back" in text_of(table(state))


def test_a_vote_panel_says_what_follows_from_both_votes():
    page = text_of(private(offered(offering(0, 0, 0), "lockdown", A, B), B))
    assert "you accept, they reject – you: may not move next round; they: 3 forward" in page
    assert "Your vote is final" in page
    page = text_of(private(offered(offering(0, 0, 0), "lights", A, B), B))
    assert "you reject, they accept – you: position hidden; they: position shown to all" in page


def test_the_end_shows_who_lied_how_often_and_nothing_of_what_was_believed():
    playout = play(GAME, 3)
    end = playout.states[-1]
    page = text_of(table(end))
    assert "What really happened" in page and page.count("lied in") == playout.seats
    assert "said" not in page and "seen" not in page
    for seat in range(playout.seats):
        assert list(private(end, Seat(seat)).pictures()) == list(table(end).pictures())


def test_the_log_leafs_through_the_whole_game():
    state = max(play(GAME, 2, seats=4).running, key=lambda state: len(state.log))
    view = GAME.view(state, A)
    lines, number = [], 0
    while True:
        page = press(state, A, "log", str(number))
        assert isinstance(page, Page)
        lines += text_of(page).split("\n")[1:]
        if "Next ▶" not in buttons(page) or buttons(page)["Next ▶"].disabled:
            break
        number += 1
    assert number > 0 and len(lines) == len(log_lines(view, str))
    newest = press(state, A, "log")
    assert isinstance(newest, Page) and text_of(newest).split("\n")[-1] == lines[-1]


def test_the_log_counts_words_as_the_table_does():
    for seed in range(8):
        for state in moments(seed, 30):
            view = GAME.view(state, None)
            claims = [claim(view, Seat(seat)) for seat in range(len(view.prisoners))]
            assert [one.at for one in declared_positions(view, len(view.log))] == claims


def test_while_the_game_goes_on_the_log_holds_words_against_what_the_lights_show():
    begun_round = msgspec.structs.replace(moment((0, 0)), log=(RoundStarts(1, A, True, ()),))
    state = sneaked(begun_round, (2, 0), (1, 1), roll=LIT)
    page = press(state, A, "log")
    assert isinstance(page, Page)
    log = text_of(page)
    assert "- Sneak: ●\u00a0**Ann** said 2, ◆\u00a0**\\_Ben\\_\\*** said 1" in log
    assert "**Ann** is in JAIL (claimed to be on 2); ◆\u00a0**\\_Ben\\_\\*** is on 1 (as said)" in log
    assert "went" not in log and "truth" not in log


def test_after_the_game_the_log_starts_at_the_first_round_and_marks_lies():
    end = play(GAME, 3).states[-1]
    page = press(end, A, "log")
    assert isinstance(page, Page)
    log = text_of(page)
    step = end.paths[A][0]
    assert step.declared == 1 and step.steps == 2
    assert "**Round 1**" in log and "**Ann** said 1 but went 2, a lie: now on 2" in log
    assert "- The truth after round 1: ●\u00a0**Ann** on 4" in log


@pytest.mark.parametrize(("own", "others"), [(False, False), (False, True), (True, False)])
def test_a_computer_says_why_it_rejects_its_own_offer_and_nobody_else_does(own: bool, others: bool):
    voted = GAME.view(after(offered(offering(1, 2, 3), "lights", A, C), (A, Vote(own)), (C, Vote(others))), None)
    by_people = info(3)
    by_computer = dataclasses.replace(
        by_people, seated_players=(SeatedPlayer(A, "Max", None, Level.MASTER), *by_people.seated_players[1:])
    )
    said_why = "**Max** meant it as a threat: if both reject, ▲\u00a0**Cleo** loses more"
    assert (said_why in UI.news(voted, by_computer)) == (not own)
    assert "threat" not in UI.news(voted, by_people)
    bribed = GAME.view(after(offered(offering(1, 2, 3), "bribe", A, C), (A, Vote(own)), (C, Vote(others))), None)
    assert "threat" not in UI.news(bribed, by_computer)  # both would lose equally


def test_a_computer_says_why_it_rejects_its_own_offer_also_where_the_clock_of_the_other_ran_out():
    open_ = after(offered(offering(1, 2, 3), "lights", A, C), (A, Vote(False)))
    (deadline,) = GAME.deadlines(open_)
    lapses = GAME.decide(open_, None, Expire(deadline.id), deadline.due, rolling(DARK))
    voted = GAME.view(folded(GAME, lapses, open_), None)
    by_computer = dataclasses.replace(
        info(3), seated_players=(SeatedPlayer(A, "Max", None, Level.MASTER), *info(3).seated_players[1:])
    )
    told = UI.news(voted, by_computer)
    assert "rejected" in told and "**Max** meant it as a threat" in told


def test_advice_names_a_command_for_every_phase():
    cases = {
        "/prison-break sneak": moment((0, 0, 0)),
        "/prison-break decline": offering(0, 0, 0),
        "/prison-break vote": offered(offering(0, 0, 0), "bribe"),
        "/prison-break pass": guarding(0, 0, 0),
    }
    for command, state in cases.items():
        assert command in available_moves_text(UI, GAME.view(state, A), info(3), list(GAME.legal(state, A)))
        assert "Wait for" in available_moves_text(UI, GAME.view(state, C), info(3), list(GAME.legal(state, C)))


CODES = sorted(
    {
        code
        for module in (rules, turns)
        for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', Path(module.__file__ or "").read_text("utf-8"))
    }
)


def test_every_refusal_of_the_rules_has_a_sentence_of_its_own():
    facts = {"turn": 1, "warden": 1, "first": 0, "second": 1, "player": 1, "spaces": 3, "most": 2, "length": 600}
    unknown = refusal("no-such-code")
    assert len(CODES) >= 20
    for code in CODES:
        sentence = refusal(code, phase="sneak", needs="vote", **facts)
        assert sentence != unknown and sentence.endswith((".", "!")), code


@pytest.mark.parametrize(
    ("code", "facts", "rule"),
    [
        ("wrong-phase", {"phase": "guard", "needs": "sneak"}, "at the beginning of a round"),
        ("not-your-turn", {"turn": 2}, "Cleo"),
        ("sits-out", {}, "skips the next one"),
        ("no-declaration", {"spaces": 7, "most": 2}, "0 to 2"),
        ("held", {"spaces": 1}, "go 0"),
        ("not-warden", {"warden": 0}, "Ann"),
        ("not-asked", {"first": 0, "second": 2}, "only they vote"),
        ("voted", {}, "final"),
        ("no-token", {}, "costs one"),
        ("no-space", {"space": 11, "spaces": 10}, "EXIT can't be checked"),
        ("note-too-long", {"length": 501, "most": 500}, "500 characters"),
    ],
)
def test_a_refusal_names_its_rule(code: str, facts: dict[str, int | str], rule: str):
    assert rule in refusal(code, **facts)


def test_the_text_view_marks_the_readers_own_place_and_nobody_elses():
    state = moment((7, 3, 9))
    rows = {
        reader: [line for line in UI.text(GAME.view(state, reader), info(3)).split("\n") if "@ really" not in line]
        for reader in readers(state)
    }
    assert not any("@" in line for line in rows[None])
    own = [line for line in rows[A] if "@" in line]
    assert len(own) == 1 and own[0].startswith(info(3).seated_players[A].name[:8])


def lines_of_advice(state: State, ranked: bool = False) -> list[str]:
    """Return the lines of advice for A."""
    about = dataclasses.replace(info(len(state.positions)), ranked=ranked)
    return available_moves_text(UI, GAME.view(state, A), about, list(GAME.legal(state, A))).split("\n")


def test_advice_lists_the_plays_themselves_the_best_first():
    lit = after(sneaked(moment((2, 8)), (0, 0), (0, 1), roll=LIT), (A, Decline()))
    told = lines_of_advice(lit)
    assert (
        told[told.index(BEST_FIRST) + 1].startswith("- **space 9** (")
        and "last seen here" in told[told.index(BEST_FIRST) + 1]
    )
    out = lines_of_advice(moment((9, 3)))
    assert "go 2**: you're then on EXIT" in out[out.index(BEST_FIRST) + 1]
    voting = lines_of_advice(offered(offering(9, 0, 0), "advance"))
    assert voting[voting.index(BEST_FIRST) + 1] in ("- **✓ Accept**", "- **⊘ Reject**")
    offers = lines_of_advice(offering(0, 0, 0))
    assert any(" for " in line for line in offers[offers.index(BEST_FIRST) :])


def test_at_a_ranked_table_advice_names_the_kinds_of_plays_alone():
    for state in (moment((0, 0, 0)), offering(0, 0, 0), offered(offering(0, 0, 0), "bribe"), guarding(0, 0, 0)):
        assert BEST_FIRST in lines_of_advice(state) and BEST_FIRST not in lines_of_advice(state, ranked=True)
        assert not [line for line in lines_of_advice(state, ranked=True) if line.startswith("- ")]


def test_a_long_name_from_right_to_left_turns_nothing_else_on_the_buttons_of_an_offer():
    states = (state for seed in range(9) for state in moments(seed, 20) if len(state.prisoners) > 2)
    state = next(state for state in states if GAME.view(state, None).phase == "offer")
    view = GAME.view(state, GAME.view(state, None).to_act[0])
    page = offer_page(view, info(len(view.prisoners), ("א" * 32,) * 4), str(next(iter(face_up(view).values()))))
    labels = list(buttons(page))
    assert labels and all(label.count("\u2068") == label.count("\u2069") == 2 for label in labels)
