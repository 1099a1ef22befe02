"""Test every game's UI: Discord's limits, its own verbs, and a sentence for every refusal."""

import operator
import random
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext, available_moves_text, interpret
from cogs.core.pages.page import RESERVED, TEXT_LIMIT, BoardPlaceholder, Button, Modal, Page, Picture, Row, Select, Text
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing import components_v2
from cogs.core.tables.options import option_fields
from cogs.registry import GAMES
from cogs.replays.moment_page import ReviewedGame, moment_page
from engine.chance import SEED_BYTES, Chance
from engine.contract import Moment, Refusal, Seat, to_json
from engine.games import GAMES as RULES
from engine.review import Decision, JudgedDecision, Point, Review
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules
from tools.harness.bot_harness import BotHarness
from tools.harness.pages import PLAYERS, inverted_bold, same_picture, seated, text_of
from tools.harness.playouts import Playout, play

UIS: list[GameUI] = [package.ui() for package in GAMES]
SHARED = {"hand", "more"}
"""Verbs of the core that a game may put on its own page."""

FALLBACK = "The rules don't allow that now."
SEEDS = range(3)
STATES = 9


@cache
def playouts(key: str) -> list[Playout]:
    return [play(RULES[key], seed) for seed in SEEDS]


def moments(ui: GameUI) -> Iterator[tuple[Playout, object]]:
    """Yield states of random games, always including the first and the last."""
    for number, playout in enumerate(playouts(ui.game.key)):
        states = playout.states
        picked = random.Random(number).sample(states, min(STATES, len(states)))
        yield from ((playout, state) for state in (states[0], *picked, states[-1]))


def info(playout: Playout) -> TableContext:
    names = ("Ann", "_Ben_*", "Cleo `x`", "x" * 32, "@everyone", "Finn")
    return seated(playout.options, playout.seats, names, due=Moment(1_900_000_000_000))


def pages(ui: GameUI, playout: Playout, state: object) -> Iterator[Page]:
    """Yield the table message and every seat's private page."""
    yield table_page(ui, ui.game.view(state, None), info(playout))
    for seat in range(playout.seats):
        yield seat_page(ui, ui.game.view(state, Seat(seat)), info(playout))


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_private_page_draws_the_table_once_if_it_shows_it_and_else_not_at_all(ui: GameUI):
    table = Picture(b"ink", "table.png", "the table")
    for playout, state in moments(ui):
        for seat in range(playout.seats):
            drawn: list[Picture] = []

            def draw(drawn: list[Picture] = drawn) -> Picture:
                drawn.append(table)
                return table

            page = seat_page(ui, ui.game.view(state, Seat(seat)), info(playout), draw)
            assert [block for block in page.blocks if block is table] == drawn
            assert not any(isinstance(block, BoardPlaceholder) for block in page.blocks)


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_no_name_in_bold_stands_in_a_bold_sentence_where_it_would_not_be_bold(ui: GameUI):
    wrong = {
        line
        for playout, state in moments(ui)
        for page in pages(ui, playout, state)
        for line in inverted_bold(text_of(page))
    }
    assert wrong == set()


def controls(page: Page) -> Iterator[Button | Select]:
    for block in page.blocks:
        match block:
            case Row():
                yield from (button for button in block.buttons if isinstance(button, Button))
            case Select():
                yield block


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_every_page_is_a_message_that_discord_takes_with_room_for_the_controls_of_the_core(ui: GameUI):
    harness = (
        Row(tuple(Button(f"Button {number}", f"what-{'abcde'[number]}") for number in range(5))),
        Text("-# A computer is playing for **" + "x" * 150 + "**."),
        Row((Button("I'm back", "back-again"),)),
        Text("-# " + "x" * 200),
    )
    for playout, state in moments(ui):
        for page in pages(ui, playout, state):
            full = Page((*page.blocks, *harness), page.colour)
            body = {"components": components_v2.Layout(full, 10**15, 10**6).to_components(), "flags": 1 << 15}
            problems = Problems()
            names = [picture.name for picture in page.pictures()]
            check_message(problems, body, MessageRules(lambda _: True, uploads=names))
            assert not problems, problems.tree()
            assert all(len(picture.data) <= 60_000 for picture in page.pictures())
            assert all(len(button.label) <= 34 for button in controls(page) if isinstance(button, Button))


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_moment_of_a_review_of_every_game_fits_a_message_and_draws_both_moves(ui: GameUI):
    assert ui.review is not None and ui.review.drawn is not None
    compared = 0
    for playout in playouts(ui.game.key):
        states = playout.states
        steps = [(n, one) for n, one in enumerate(playout.steps, 1) if Decision(n, one.seat, one.action).decides]
        for step, one in [*steps[:: max(1, len(steps) // 4)], steps[-1]]:
            assert one.seat is not None
            kind = type(one.action)
            better = [a for a in ui.game.legal(states[step - 1], one.seat) if type(a) is kind and a != one.action]
            judged = JudgedDecision(
                step, one.seat, to_json(one.action), 0.1, 0.6, to_json(better[-1] if better else one.action)
            )
            review = Review((Point(0, ()), Point(len(playout.steps), ())), (judged,))
            page = moment_page(ReviewedGame(ui, review, states, info(playout)), 1, None, one.seat)
            assert page is not None and "to win" in text_of(page)
            (picture,) = page.pictures()
            view = ui.game.view(states[step - 1], one.seat)
            alone = ui.review.drawn(view, one.action, None, info(playout))
            if better and alone is not None:
                compared += 1
                assert not same_picture(picture.data, alone.data)
            body = {"components": components_v2.Layout(page, 10**15, 10**6).to_components(), "flags": 1 << 15}
            problems = Problems()
            check_message(problems, body, MessageRules(lambda _: True, uploads=[picture.name]))
            assert not problems, problems.tree()
            assert len(picture.data) <= 60_000
    assert compared > 1


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
async def test_no_control_of_a_game_means_something_to_the_core_or_to_another_cog(harness: BotHarness, ui: GameUI):
    verbs = set(harness.client.inbound.router.verbs)
    assert {"join", "rules", "hand", "play", "replay"} <= verbs
    taken = verbs - SHARED
    for playout, state in moments(ui):
        for page in pages(ui, playout, state):
            assert not {control.verb for control in controls(page)} & taken


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_names_that_people_chose_are_never_read_as_markup_or_mentions(ui: GameUI):
    for playout, state in moments(ui):
        page = table_page(ui, ui.game.view(state, None), info(playout))
        text = text_of(page)
        assert "_Ben_" not in text.replace("\\_Ben\\_", "") and "Cleo `x`" not in text


HOSTILE = (
    "<@&1>",
    "<#1> <t:0:R>",
    "@everyone \u202eevil",
    "a:joy:b https://x.y",
    "z\u200b\u2066er\u2069o",
    "`]](x)*_~|",
)
"""Names with a role, channel, time, emoji, address, bidirectional and invisible characters, and markup."""


def words_of(page: Page) -> Iterator[str]:
    """Yield all text on a page."""
    for block in page.blocks:
        match block:
            case Text():
                yield block.body
            case Picture():
                yield block.alt
            case Row():
                yield from (button.label for button in block.buttons)
            case Select():
                yield from (choice.label for choice in block.choices)


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_the_player_to_move_reads_that_it_is_their_move_and_the_others_read_who_it_is(ui: GameUI):
    told = 0
    for playout, state in moments(ui):
        about = info(playout)
        public = ui.status(ui.game.view(state, None), about).splitlines()[0]
        assert "Your move" not in public
        if "'s move" not in public:
            continue
        for seat in map(Seat, range(playout.seats)):
            own = ui.status(ui.game.view(state, seat), about).splitlines()[0]
            mine = about.name(seat) in public
            assert own.startswith("▶ **Your move**") == mine
            assert about.name(seat) not in own
            assert mine or own == public
            told += mine
    assert told


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_names_with_bidi_and_hidden_characters_or_mentions_are_harmless_in_texts_labels_and_the_words_of_pictures(
    ui: GameUI,
):
    for playout, state in moments(ui):
        about = seated(playout.options, playout.seats, HOSTILE)
        views = [ui.game.view(state, None), *(ui.game.view(state, Seat(n)) for n in range(playout.seats))]
        found = [table_page(ui, views[0], about), *(seat_page(ui, view, about) for view in views[1:])]
        for page in filter(None, found):
            for words in words_of(page):
                assert not any(unicodedata.category(sign) == "Cf" for sign in words), words
            for text in (block.body for block in page.blocks if isinstance(block, Text)):
                for mark in ("<@&", "<#1>", "<t:0:R>", "@everyone", ":joy:", "https://x", "`]]", "*_~|"):
                    assert mark not in text
        for view in views:
            assert not any(unicodedata.category(sign) == "Cf" for sign in ui.text(view, about))


EQUAL = ("Alex", "Alex", "\u05d0" * 32, "Master", "Alex", "\u0634" * 32)
"""Names of which some are equal, and some are long and written from right to left."""

MARKED = re.compile("[●◆▲■⬢★AB][ \u00a0:]+(?:\\*\\*)?(?=Alex)")
"""What tells equal names apart: the shape of the seat, or the letter of its knots."""


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_equal_names_are_told_apart_and_no_name_turns_what_follows_it_on_pages_and_in_the_text_view(ui: GameUI):
    for playout, state in moments(ui):
        about = seated(playout.options, playout.seats, EQUAL)
        views = [ui.game.view(state, None), *(ui.game.view(state, Seat(n)) for n in range(playout.seats))]
        found = [table_page(ui, views[0], about), *(seat_page(ui, view, about) for view in views[1:])]
        for words in (*(one for page in found for one in words_of(page)), *(ui.text(view, about) for view in views)):
            assert words.count("Alex") == len(MARKED.findall(words)), words
            for line in words.splitlines():
                assert line.count("\u2068") == line.count("\u2069"), line


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_words_and_picture_of_an_end_name_the_first_by_places(ui: GameUI):
    for playout in playouts(ui.game.key):
        view = ui.game.view(playout.states[-1], None)
        shown = set()
        for first in range(playout.seats):
            places = [2] * playout.seats
            places[first] = 1
            about = seated(playout.options, playout.seats, places=tuple(places))
            headline = ui.status(view, about).partition("\n")[0]
            picture = ui.picture(view, about)
            assert picture is not None
            told = picture.alt.partition(".")[0]
            for words in (headline, told):
                assert [seat for seat in range(playout.seats) if PLAYERS[seat] in words] == [first], words
            shown.add(picture.data)
        assert len(shown) == playout.seats


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_advice_and_the_text_view_fit_into_a_message(ui: GameUI):
    for playout, state in moments(ui):
        about = info(playout)
        for seat in map(Seat, range(playout.seats)):
            view = ui.game.view(state, seat)
            advice = available_moves_text(ui, view, about, list(ui.game.legal(state, seat)))
            assert 20 < len(advice) <= 2_000
            text = ui.text(view, about)
            assert 0 < len(text) <= TEXT_LIMIT - RESERVED and "```" not in text


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_every_refusal_that_people_can_meet_has_a_sentence_of_its_own(ui: GameUI):
    game, rng = ui.game, random.Random(5)
    seen: set[str] = set()
    for playout, state in moments(ui):
        others = [step.action for step in rng.sample(playout.steps, min(40, len(playout.steps)))]
        for seat in map(Seat, range(playout.seats)):
            for action in others:
                try:
                    game.decide(state, seat, action, Moment(1), Chance(bytes(SEED_BYTES), "t", 0))
                except Refusal as refusal:
                    if refusal.code in ("clock-only", "no-delay"):
                        continue
                    seen.add(refusal.code)
                    sentence = ui.refusal(refusal, info(playout))
                    assert not sentence.startswith(FALLBACK), refusal.code
                    assert len(sentence) > 15 and sentence[-1] in ".*!", sentence
    assert len(seen) >= 3


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_forged_controls_of_a_game_come_to_a_sentence_an_action_or_a_page(ui: GameUI):
    rng = random.Random(11)
    for playout, state in moments(ui):
        verbs = {control.verb for page in pages(ui, playout, state) for control in controls(page)} | {"no-such"}
        for seat in map(Seat, range(playout.seats)):
            view = ui.game.view(state, seat)
            for verb in verbs:
                argument = rng.choice(("", "0", "9" * 30, "x.y", "..", "-1", "²", "red", "1.2.3", "\u202e"))
                values = rng.choice(((), ("x",), ("9" * 40,), ("0", "1", "2", "3")))
                try:
                    press = ComponentPress(7, view.ui_version, verb, argument, values)
                    outcome = interpret(ui, view, info(playout), press)
                except UserError as told:
                    assert len(told.sentence) > 10
                    continue
                if isinstance(outcome, Page | Modal):
                    continue
                try:
                    ui.game.decide(state, seat, outcome, Moment(1), Chance(bytes(SEED_BYTES), "t", 0))
                except Refusal as refusal:
                    assert ui.refusal(refusal, info(playout))


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_rules_and_options_can_be_shown(ui: GameUI):
    for page in ui.rules():
        body = {"components": components_v2.Layout(page, 0, 0).to_components(), "flags": 1 << 15}
        problems = Problems()
        check_message(
            problems, body, MessageRules(lambda _: True, uploads=[picture.name for picture in page.pictures()])
        )
        assert not problems, problems.tree()
    for entry in option_fields(ui.game.options):
        assert 1 <= len(entry.values) <= 25 and len(entry.title) <= 100
    assert len(ui.tagline) <= 150


@pytest.mark.parametrize("key", ["ausbrecher", "break_out", "match_five"])
def test_what_one_seat_alone_sees_is_drawn_once_as_long_as_it_stays(key: str):
    """Another player's move redraws a private page; the reader's own hand or forecast must come from the cache."""
    (ui,) = (ui for ui in UIS if ui.game.key == key)
    playout, drawn = playouts(key)[0], 0
    for state in playout.states[:: len(playout.states) // STATES]:
        for seat in map(Seat, range(playout.seats)):
            view = ui.game.view(state, seat)
            if seat in view.to_act:
                continue
            one, other = (
                [block for block in ui.player_blocks(view, info(playout)) if isinstance(block, Picture)]
                for _ in range(2)
            )
            assert len(one) == len(other) and all(map(operator.is_, one, other))
            drawn += len(one)
    assert drawn
