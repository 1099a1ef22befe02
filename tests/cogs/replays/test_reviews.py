"""Reviews of finished games on the sandbox: who may read one, its progress, and links to each moment."""

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import msgspec
import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import OPENS, PSEUDO
from cogs.core.pages.page import Page, Text
from cogs.core.tables import moves
from cogs.core.tables.bot_workers import BotWorkers
from cogs.replays import review_page as shown_page
from cogs.replays import review_worker, reviews
from cogs.replays.chart import ticks
from cogs.replays.moment_page import ReviewedGame, moment_page
from cogs.replays.review_archive import packed, unpacked
from cogs.replays.review_page import MOST_SLIPS, review_page, slips_page
from cogs.rope_wall.review_picture import drawn
from cogs.rope_wall.ui import RopeWallUI
from engine.contract import Action, Fact, Seat, to_json
from engine.games import GAMES
from engine.games.rope_wall import GAME, Push, RopeWallOptions, RopeWallView
from engine.review import VERSION, Decision, Evaluation, JudgedDecision, Note, Point, Review
from engine.review.review_questions import Question, answer, as_questions, questions
from engine.review.rope_wall import REVIEWER
from sandbox import PATIENCE_S, ActionResult, UserClient, walk
from tests.cogs.replays.test_replays import finished_wall
from tools.harness.bot_harness import BotHarness
from tools.harness.pages import opened, same_picture, seated, text_of
from tools.harness.playouts import Playout, play

answer_once = cache(answer)


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the same games in all tests here, and answer each question about them once: an answer is a long search."""
    monkeypatch.setattr(moves, "secrets", SimpleNamespace(token_bytes=bytes))
    monkeypatch.setattr(review_worker, "answer", answer_once)


async def started(harness: BotHarness, who: UserClient) -> ActionResult:
    """Return the review of table 1 when it starts to be made."""
    page = await who.command(harness.yard, "review", table=1)
    await harness.settle()
    return page


async def reviewed(harness: BotHarness, who: UserClient) -> ActionResult:
    """Return the whole review of table 1."""
    page = await started(harness, who)
    if "Whole review" not in labels(page):
        return page
    return await harness.press(who, "Whole review", page)


def labels(answer: ActionResult) -> list[str]:
    return [part["label"] for part in UserClient.buttons(answer) if part.get("label")]


async def test_a_review_shows_everybodys_chances_and_how_well_they_decided(harness: BotHarness):
    await finished_wall(harness)
    page = await reviewed(harness, harness.cleo)
    words = page.text
    assert "Review of table 1" in words and "never luck" in words
    assert "Ann" in words and "Ben" in words and "slip" in words
    alt = pictures(page)[0]
    assert "each player's chance to win" in alt and "at the end 100%" in alt and "at the end 0%" in alt


def pictures(answer: ActionResult) -> list[str]:
    """Return the descriptions of a page's pictures."""
    assert answer.message is not None
    galleries = [part for part in walk(answer.message["components"]) if part.get("type") == 12]
    return [item["description"] for gallery in galleries for item in gallery["items"]]


def slipping(reviewer: object, batch: Sequence[Question], seconds: float) -> list[Evaluation | float]:
    """Answers by which every push but the first two was a slip, the later the worse."""
    better = Push(5, "right")

    def answered(one: Question) -> Evaluation | float:
        if one.action is None:
            return 0.5
        return Evaluation(0.6 if one.step < 3 else 0.5 - one.step / 50, 0.6, better, lot=0.4)

    return list(map(answered, batch))


async def test_a_player_is_led_from_their_worst_move_to_their_best_one(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    page = await started(harness, harness.ann)
    at, steps = UserClient.visible_text(page.message), []
    for number in (1, 2):
        assert f"Your moment {number} of 2" in at and "✗ **You:** push" in at and "✓ **Better:** push" in at
        steps.append(int(at.partition("move ")[2].split()[0]))
        page = await harness.press(harness.ann, "Next ▶", page)
        at = page.text
    assert steps[0] > steps[1], "the later, the worse"
    assert "Your best move" in at and "✓ **You:** push" in at and "Better" not in at
    assert "A random choice here would have left" in at
    back = await harness.press(harness.ann, "◀ Previous", page)
    assert "Your moment 2 of 2" in back.text


async def test_a_reader_who_did_not_play_sees_the_turning_points_of_all_players(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    page = await started(harness, harness.cleo)
    words = UserClient.visible_text(page.message)
    assert "Turning point 1 of 3" in words and "You" not in words and "My moments" not in labels(page)
    whole = await harness.press(harness.cleo, "Whole review", page)
    assert "Turning points" in labels(whole) and "My moments" not in labels(whole)
    curve = pictures(whole)[0]
    at = await harness.press(harness.cleo, "Turning points", whole)
    for number in (1, 2, 3):
        moment = int(at.text.partition("move ")[2].split()[0])
        assert f"Turning point {number}, at move {moment}: " in curve and f"Turning point {number} of 3" in at.text
        at = await harness.press(harness.cleo, "Next ▶", at)
    assert "The best move of the game" in at.text
    there = await harness.press(harness.cleo, "Open in replay", at)
    assert "Replay of table 1" in there.text
    again = await harness.press(harness.cleo, "Review", there)
    assert "Turning point 1 of 3" in again.text


async def test_players_reach_their_moments_the_turning_points_and_all_slips_from_the_whole_review(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    whole = await reviewed(harness, harness.ann)
    assert "Review of table 1" in whole.text
    ways = {"My moments": "Your moment 1", "Turning points": "Turning point 1", "Slips": "**Slips**"}
    for label, words in ways.items():
        assert words in (await harness.press(harness.ann, label, whole)).text
        whole = await harness.press(harness.ann, "Whole review", await reviewed_at(harness, harness.ann))


async def reviewed_at(harness: BotHarness, who: UserClient) -> ActionResult:
    """Return the first page of a finished review."""
    return await who.command(harness.yard, "review", table=1)


async def test_a_review_survives_a_restart_and_is_not_made_again(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    page = await started(harness, harness.cleo)
    first, see = (
        UserClient.visible_text(page.message),
        next(part["custom_id"] for part in UserClient.buttons(page) if part.get("label") == "Next ▶"),
    )
    await harness.restart()
    monkeypatch.setattr(reviews, "answer_in_time", None)  # nothing is weighed again
    assert (await harness.ann.command(harness.yard, "review", table=1)).text.count("Your moment 1") == 1
    assert (await reviewed_at(harness, harness.cleo)).text == first
    assert "Turning point 2" in (await harness.cleo.press(page, see)).text


async def test_buttons_of_earlier_versions_and_forged_ones_lead_to_a_page_of_the_review(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    page = await started(harness, harness.cleo)
    assert "Turning point 2" in (await harness.cleo.forge(page, "cb:1:0:review:see.2")).text
    assert "Review of table 1" in (await harness.cleo.forge(page, "cb:1:0:review:back")).text
    for forged in ("see.9", "my.77", "see.0"):
        assert "Review of table 1" in (await harness.cleo.forge(page, f"cb:1:0:review:{forged}")).text
    for forged in ("see.", "see.x", "see.-1", "see.99999", "see", "replay"):
        assert "Turning point 1" in (await harness.cleo.forge(page, f"cb:1:0:review:{forged}")).text


async def test_a_saved_review_of_another_version_or_a_damaged_one_is_made_again(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    for version, body in ((VERSION - 1, b""), (VERSION, b"damaged")):
        store = harness.client.store
        await store.reviews.save(1, version, body)
        assert "Turning point 1" in UserClient.visible_text((await started(harness, harness.cleo)).message)
        kept = await store.reviews.get(1, VERSION)
        assert kept is not None and len(unpacked(kept).judged) == 6
        await harness.restart()
    assert "is made again" in caplog.text
    caplog.clear()


async def test_a_review_is_deleted_with_the_data_of_one_of_its_players(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "answer_in_time", slipping)
    await finished_wall(harness)
    await started(harness, harness.cleo)
    store = harness.client.store
    await store.user_data.forget(int(harness.cleo.id), list(GAMES.values()))
    assert await store.reviews.get(1, VERSION) is not None
    await store.user_data.forget(int(harness.ben.id), list(GAMES.values()))
    assert await store.reviews.get(1, VERSION) is None


def slipped(playout: Playout, step: int, lost: float) -> Iterator[JudgedDecision]:
    """Return a decision that gave this much away, where another push was better; None if there was no push."""
    before = playout.states[step - 1]
    view = GAME.view(before, None)
    if view.phase == "push" and view.turn is not None:
        first, *_, last = GAME.legal(before, view.turn)
        yield JudgedDecision(step, view.turn, to_json(first), 0.5 - lost, 0.5, to_json(last), "links", {"pushes": 1})


def page_of(*slips: tuple[int, float]) -> tuple[str, list[JudgedDecision]]:
    """Return the page of a review with slips of this size at these moments, and the decisions."""
    playout = play(GAME, 3, options=RopeWallOptions(), lapses=0.0)
    found = [one for step, lost in slips for one in slipped(playout, step, lost)]
    review = Review((Point(0, (0.5, 0.5)), Point(len(playout.states) - 1, (1.0, 0.0))), tuple(found))
    ui, about = RopeWallUI(), seated(RopeWallOptions(), 2, ("Ann", "Ben"))
    game = ReviewedGame(ui, review, playout.states, about)
    pages = review_page(game, None), slips_page(game)
    return "\n".join(map(text_of, pages)).replace("\u00a0", " "), found


def moment_of(ui: RopeWallUI, playout: Playout, *judged: JudgedDecision, seat: Seat | None = None) -> Page | None:
    """Return the first page of the review of a game with these decisions, for the player of this seat."""
    review = Review((Point(0, (0.5, 0.5)), Point(len(playout.states) - 1, (1.0, 0.0))), judged)
    about = seated(RopeWallOptions(), 2, ("Ann", "Ben"))
    return moment_page(ReviewedGame(ui, review, playout.states, about), 1, seat, seat)


def test_a_moment_is_shown_as_it_was_with_both_moves_marked_differently():
    playout = play(GAME, 3, options=RopeWallOptions(), lapses=0.0)
    (one,) = slipped(playout, 1, 0.3)
    page = moment_of(RopeWallUI(), playout, one)
    assert page is not None and "move 0" in text_of(page)
    (seen,) = page.pictures()
    view, about = GAME.view(playout.states[0], one.seat), seated(RopeWallOptions(), 2, ("Ann", "Ben"))
    played, better = GAME.read_action(one.action), GAME.read_action(one.better or "")
    ways: list[tuple[Action, Action | None]] = [(played, better), (better, played), (played, None)]
    pictures = [drawn(view, one, other, about) for one, other in ways]
    plain_board = RopeWallUI().picture(GAME.view(playout.states[0], None), about)
    assert pictures[0] is not None and same_picture(seen.data, pictures[0].data)
    looks = {opened(one.data).tobytes() for one in (*pictures, plain_board) if one is not None}
    assert len(looks) == 4


def test_a_player_without_slips_sees_their_closest_call():
    playout = play(GAME, 3, options=RopeWallOptions(), lapses=0.0)
    (one,) = slipped(playout, 1, 0.01)
    page = moment_of(RopeWallUI(), playout, one, seat=one.seat)
    assert page is not None and "You gave nothing away. Your closest call:" in text_of(page)
    assert moment_of(RopeWallUI(), playout, one, seat=Seat(1 - one.seat)) is None


def test_a_best_move_is_praised_with_the_reasons_that_a_hint_gives_and_to_its_player_alone():
    playout = play(GAME, 3, options=RopeWallOptions(), lapses=0.0)
    (one,) = slipped(playout, 1, 0.0)
    good = msgspec.structs.replace(one, better=one.action, why="", lot=0.3)
    page = moment_of(RopeWallUI(), playout, good, seat=one.seat)
    assert page is not None
    words = text_of(page)
    assert "★ Your best move" in words and "left 30% on average" in words and "your shortest rope then needs" in words
    public = moment_of(RopeWallUI(), playout, good)
    assert public is not None and "your" not in text_of(public)


def test_a_game_that_draws_no_moves_shows_the_board_and_what_only_the_player_knew():
    playout = play(GAME, 3, options=RopeWallOptions(), lapses=0.0)
    (one,) = slipped(playout, 1, 0.3)
    about = seated(RopeWallOptions(), 2, ("Ann", "Ben"))

    class Secretive(RopeWallUI):
        review = replace(RopeWallUI.review, drawn=None)

        def secret_summary(self, view: RopeWallView) -> str:
            return "seven"

    page = moment_of(Secretive(), playout, one, seat=one.seat)
    assert page is not None and "Only you knew: seven" in text_of(page)
    board = RopeWallUI().picture(GAME.view(playout.start, None), about)
    assert [picture.data for picture in page.pictures()] == [board.data]


def test_a_review_is_read_back_as_it_was_saved():
    facts: dict[str, Fact] = {"pushes": 1, "calls": ("meld", "draw"), "cost": (1, 2), "who": "x"}
    judged = JudgedDecision(3, Seat(1), "{}", 0.25, 0.5, "[]", "links", facts, None)
    kept = Review((Point(0, (0.5, 0.5)), Point(9, (1.0, 0.0))), (judged,), (Note(2, "late", Seat(0), facts),))
    assert unpacked(packed(kept)) == kept


def test_moments_are_what_the_curve_and_the_slips_are_counted_in():
    assert [*ticks(7)] == [1, 2, 3, 4, 5, 6] and [*ticks(80)] == [10, 20, 30, 40, 50, 60, 70]
    for last in (1, 9, 44, 45, 99, 256, 1_700):
        assert len(ticks(last)) <= 8 and all(0 < moment < last for moment in ticks(last))
    words, _ = page_of((1, 0.2), (2, 0.3), (20, 0.12), (22, 0.06))
    assert "Move 21" in words and "Round" not in words


def test_every_counted_slip_is_listed_under_the_grade_that_it_counts_as():
    words, slips = page_of((1, 0.2), (2, 0.3), (20, 0.12), (22, 0.06), (23, 0.07), (24, 0.03))
    assert "· 1 blunder" in words and "1 mistake" in words
    for grade in ("blunder", "mistake", "inaccuracy"):
        told = [line for line in words.split("\n") if line.startswith("-# Move ") and f", {grade}: push into" in line]
        assert len(told) == sum(one.grade == grade for one in slips) > 0
    assert "-# Move 21, ◆ **Ben**, inaccuracy: push into **L1**, 44% to win; better: push" in words
    assert "-# Move 22, " in words and "-# Move 23, " not in words  # what is no slip is not counted either


def test_of_very_many_slips_the_worst_are_listed_and_the_rest_is_counted():
    words, slips = page_of(*((step, 0.05 + step / 1_000) for step in range(1, 40)))
    others = [line for line in words.split("\n") if line.startswith("-# Move ")]
    assert len(others) == MOST_SLIPS and others == sorted(others, key=lambda line: int(line.split()[2].strip(",")))
    assert f"-# … and {len(slips) - MOST_SLIPS} more." in words
    assert len(words) < 3_700


def told_moments(words: str) -> list[int]:
    return [int(line.split()[2].strip(",")) for line in words.split("\n") if line.startswith("-# Move ")]


@pytest.mark.parametrize(("longest", "least"), [(3_500, MOST_SLIPS), (1_200, 1)])
def test_if_not_all_slips_fit_the_worst_are_listed(monkeypatch: pytest.MonkeyPatch, longest: int, least: int):
    monkeypatch.setattr(shown_page, "LONGEST", longest)
    words, slips = page_of(*((step, 0.05 + step / 1_000) for step in range(1, 40)))
    told = told_moments(words)
    worst = sorted(slips, key=lambda one: -one.lost)[: len(told)]
    assert least <= len(told) <= MOST_SLIPS and len(words) < longest + 100
    assert told == sorted(told) and set(told) <= {one.step - 1 for one in worst}
    assert f"… and {len(slips) - len(told)} more." in words


def test_where_there_is_no_room_at_all_slips_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shown_page, "LONGEST", 0)
    words, slips = page_of(*((step, 0.05 + step / 1_000) for step in range(1, 40)))
    assert f"Slips: {len(slips)}." in words and not told_moments(words)


def test_a_review_without_slips_says_so():
    assert "No slips." in page_of((1, 0.02), (20, 0.03))[0]


async def test_the_second_time_it_is_there_at_once_and_the_same(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await finished_wall(harness)
    first = UserClient.visible_text((await started(harness, harness.cleo)).message)
    monkeypatch.setattr(reviews, "answer_in_time", None)  # nothing is weighed again
    second = await harness.cleo.command(harness.yard, "review", table=1)
    assert UserClient.visible_text(second) == first


async def test_two_who_ask_at_once_wait_for_one_review(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await finished_wall(harness)
    asked: list[int] = []

    def counting(reviewer, batch, seconds):
        asked.append(len(batch))
        return review_worker.answer_in_time(reviewer, batch, 0.0)

    monkeypatch.setattr(reviews, "answer_in_time", counting)
    pages = await asyncio.gather(*(who.command(harness.yard, "review", table=1) for who in (harness.ann, harness.ben)))
    await harness.settle()
    assert len(asked) == asked[0]  # one question at a time, each once
    for page in pages:
        assert "to win" in UserClient.visible_text(page)


async def test_two_who_wait_for_one_review_read_it_in_their_own_languages(harness: BotHarness):
    harness.languages = Languages([PSEUDO])
    await harness.restart()
    await finished_wall(harness)
    harness.ben.locale = PSEUDO.code
    pages = await asyncio.gather(*(who.command(harness.yard, "review", table=1) for who in (harness.ann, harness.ben)))
    await harness.settle()
    english, accented = map(UserClient.visible_text, pages)
    assert "to win" in english and OPENS not in english
    assert "to win" not in accented and "⟦" in accented


async def test_a_review_in_progress_shows_its_current_move(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    await finished_wall(harness)
    seen: list[str] = []
    told = reviews.Reviews._update_pages

    async def telling(self, making):
        await told(self, making)
        seen.extend(
            UserClient.visible_text(harness.sandbox.message(str(one.message.message))) for one in making.waiting
        )

    monkeypatch.setattr(reviews, "PACE_S", 0.0)
    monkeypatch.setattr(reviews, "SLICE_S", 0.0)
    monkeypatch.setattr(reviews.Reviews, "_update_pages", telling)
    page = await harness.cleo.command(harness.yard, "review", table=1)
    assert "6 moves to look at" in page.text or seen
    await harness.settle()
    assert any("Looking at move 3 of 6" in words for words in seen)
    assert "to win" in UserClient.visible_text(page)


async def test_a_game_that_cannot_be_reviewed_says_so_instead_of_waiting_for_ever(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    await finished_wall(harness)

    def broken(reviewer, batch, seconds):
        raise ArithmeticError("broken on purpose")

    monkeypatch.setattr(reviews, "answer_in_time", broken)
    page = await reviewed(harness, harness.cleo)
    assert "couldn't be reviewed" in UserClient.visible_text(page)
    assert "broken on purpose" in caplog.text
    caplog.clear()


async def test_the_end_of_a_review_is_shown_again_if_the_edit_was_not_delivered(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(reviews, "RETRY_FROM_MS", 0)
    await finished_wall(harness)
    harness.sandbox.fault("PATCH", "/webhooks/*", 0, times=2)
    page = await reviewed(harness, harness.cleo)
    assert caplog.text.count("was not brought up to date") == 2
    assert "to win" in UserClient.visible_text(page)


async def test_two_updates_of_a_deleted_page_at_once_end_its_waiting(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await finished_wall(harness)
    seen: list[tuple[reviews.Reviews, reviews.PendingReview, list[reviews.Waiting]]] = []
    told = reviews.Reviews._update_pages

    async def telling(self, making):
        seen.append((self, making, list(making.waiting)))
        await told(self, making)

    async def at_once(self, making, seat):
        return Page((Text("It is there."),))

    monkeypatch.setattr(reviews.Reviews, "_update_pages", telling)
    page = await reviewed(harness, harness.cleo)
    shown, making, waited = seen[-1]
    monkeypatch.setattr(reviews.Reviews, "_current_page", at_once)
    harness.sandbox.lose_token(page)
    making.waiting = waited
    assert len(waited) == 1
    await asyncio.gather(told(shown, making), told(shown, making))
    assert not making.waiting


@contextlib.contextmanager
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no review be finished in this context."""
    goes_on = threading.Event()

    def slowly(reviewer, batch, seconds):
        assert goes_on.wait(PATIENCE_S)
        return review_worker.answer_in_time(reviewer, batch, seconds)

    monkeypatch.setattr(reviews, "answer_in_time", slowly)
    try:
        yield
    finally:
        goes_on.set()


async def short_games(harness: BotHarness, number: int) -> None:
    """Finish this many games at the Rope Wall, of one push each."""
    for table in range(1, number + 1):
        await harness.two_at_the_wall()
        await harness.push(table=table)
        await harness.resign(harness.ben, table=table)
        await harness.settle()


async def test_nobody_keeps_more_than_two_reviews_waiting_and_others_may_still_ask(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await short_games(harness, 3)
    with held(monkeypatch):
        for table in (1, 2):
            assert "to look at" in (await harness.cleo.command(harness.yard, "review", table=table)).text
        refused = await harness.cleo.command(harness.yard, "review", table=3)
        assert "Ask again when one is done" in refused.text
        for table in (1, 3):
            assert "to look at" in (await harness.ben.command(harness.yard, "review", table=table)).text
        assert "to look at" in (await harness.cleo.command(harness.yard, "review", table=3)).text  # it is being made
    await harness.settle()
    assert "to win" in (await harness.cleo.command(harness.yard, "review", table=3)).text


async def test_with_a_long_queue_of_reviews_another_request_reads_when_to_come_back(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reviews, "MOST", 2)
    await short_games(harness, 3)
    with held(monkeypatch):
        for who, table in ((harness.ann, 1), (harness.ben, 2)):
            assert "to look at" in (await who.command(harness.yard, "review", table=table)).text
        refused = await harness.cleo.command(harness.yard, "review", table=3)
        assert "Try again in a few minutes" in refused.text
    await harness.settle()
    assert "Review of table 1" in UserClient.visible_text(await reviewed(harness, harness.cleo))


async def test_a_game_that_is_still_played_has_no_review(harness: BotHarness):
    await harness.two_at_the_wall()
    refused = await harness.ann.command(harness.yard, "review", table=1)
    assert "is still open. I can only show finished games again" in refused.text


async def test_a_user_who_cannot_see_the_channel_gets_no_review_by_command_or_forged_press(harness: BotHarness):
    await finished_wall(harness)
    cell = harness.sandbox.add_channel(harness.guild, "cell")
    harness.sandbox.deny(harness.yard, "view_channel", who=harness.cleo)
    refused = await harness.cleo.command(cell, "review", table=1)
    assert "There's no table 1 on this server" in refused.text
    shown = await harness.cleo.command(cell, "help")
    refused = await harness.cleo.forge(shown, "cb:1:0:review:end", [], 2)
    assert "There's no table 1 on this server" in refused.text


@pytest.mark.parametrize("argument", ["", "x", "replay.1", "²"])
async def test_a_forged_press_for_a_review_is_answered_and_breaks_nothing(harness: BotHarness, argument: str):
    await finished_wall(harness)
    page = await reviewed(harness, harness.cleo)
    answer = await harness.cleo.forge(page, f"cb:1:0:review:{argument}", [], 2)
    await harness.settle()
    assert answer.failed is None
    for table in (0, 77):
        refused = await harness.cleo.forge(page, f"cb:{table}:0:review:{argument}", [], 2)
        assert f"There's no table {table} on this server" in refused.text


def test_as_many_questions_are_answered_as_time_allows_and_at_least_one():
    playout = play(GAME, 3, lapses=0.0)
    deeds = [Decision(number, step.seat, step.action) for number, step in enumerate(playout.steps, 1)]
    asked = as_questions(GAME, playout.states, questions(GAME, playout.states, deeds)[:4])
    assert review_worker.answer_in_time(REVIEWER, asked, 0.0) == [answer(REVIEWER, asked[0])]
    assert review_worker.answer_in_time(REVIEWER, asked, 60.0) == [answer(REVIEWER, one) for one in asked]


async def test_reviews_are_worked_out_in_a_process_of_their_own_that_ends_with_the_work():
    playout = play(GAME, 3, lapses=0.0)
    deeds = [Decision(number, step.seat, step.action) for number, step in enumerate(playout.steps, 1)]
    asked = as_questions(GAME, playout.states, questions(GAME, playout.states, deeds)[:2])
    thinkers = BotWorkers(1, seconds=0.05)
    async with thinkers.background_worker() as pool:
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(pool, os.getpid) != os.getpid()
        found = await loop.run_in_executor(pool, review_worker.answer_in_time, REVIEWER, asked, 60.0)
    assert found == [answer(REVIEWER, one) for one in asked]
    with pytest.raises(RuntimeError):
        pool.submit(os.getpid)
    await thinkers.close()
