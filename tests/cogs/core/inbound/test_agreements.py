"""Ending a game by agreement, warnings and pardons, as people see them on their pages and in the channel."""

import pytest

from cogs.core.tables import endings, moves
from cogs.core.tables.changes import closed
from engine.contract import Seat
from engine.games.prison_break import Note
from sandbox import ActionResult, UserClient
from tests.cogs.core.tables.test_ranked import four, mark, ranked
from tools.harness.bot_harness import BotHarness
from tools.harness.pages import inverted_bold

DAY_MS = 86_400_000


async def asked_by(harness: BotHarness, who: UserClient) -> ActionResult:
    """Propose to end a game by agreement, behind *More …*. Return the page."""
    more = await who.press(harness.board(), label="More …")
    return await who.press(more, label="End by agreement …")


async def propose(harness: BotHarness, who: UserClient, label: str = "End without a result") -> ActionResult:
    answer = await who.press(await asked_by(harness, who), label=label)
    await harness.settle()
    return answer


async def own_page(harness: BotHarness, who: UserClient) -> ActionResult:
    return await who.press(harness.board(), label="Play")


async def answer(harness: BotHarness, who: UserClient, label: str) -> None:
    question = await who.press(await own_page(harness, who), label="Answer …")
    await who.press(question, label=label)
    await harness.settle()


async def two_missed_turns(harness: BotHarness) -> tuple[UserClient, UserClient]:
    """Let Ann or Ben miss two turns in a row at the Rope Wall; return that player, and the other."""
    await harness.two_at_the_wall(clock=60)
    slow, quick = harness.awaited(), harness.idle()
    await harness.advance(61_000)
    await harness.push()
    await harness.advance(61_000)
    assert harness.snapshot().seats[seat(harness, slow)].forfeit == 1
    return slow, quick


def seat(harness: BotHarness, who: UserClient) -> int:
    found = harness.snapshot().seat_of(int(who.id))
    assert found is not None
    return found


async def test_a_game_ends_without_a_result_once_the_other_agrees(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    await harness.push()
    proposed = await propose(harness, harness.ann)
    assert "Proposed." in proposed.text and "You propose to end the game" in proposed.text
    assert f"{mark(harness, harness.ann)} proposes to end the game without a result" in harness.public()
    await harness.restart()
    page = await own_page(harness, harness.ben)
    assert "proposes to end the game" in page.text and inverted_bold(page.text) == []
    page = await harness.ben.press(page, label="Answer …")
    assert "proposes to end the game without a result" in page.text and inverted_bold(page.text) == []
    await answer(harness, harness.ben, "Agree")
    assert harness.snapshot().row.status == "closed"
    assert "The players agreed to end the game." in harness.public() and await ranked(harness) == []


async def test_the_command_shows_the_same_page_and_says_where_it_means_nothing(harness: BotHarness):
    assert "no game in progress" in (await harness.ann.command(harness.yard, "table end")).text
    await harness.two_at_the_wall()
    by_command = await harness.ann.command(harness.yard, "table end")
    words = by_command.text
    assert words == (await asked_by(harness, harness.ann)).text and "End without a result" in words
    assert "have no seat" in (await harness.cleo.command(harness.yard, "table pardon", table=1)).text
    await harness.two_at_the_wall()
    assert "You could mean several tables" in (await harness.ben.command(harness.yard, "table end")).text
    assert "End table 2" in (await harness.ben.command(harness.yard, "table end", table=2)).text
    assert [choice["value"] for choice in await harness.ben.choices(harness.yard, "table end", focus="table")] == [1, 2]


async def test_in_a_game_of_secrets_the_question_comes_by_direct_message_too(harness: BotHarness):
    await harness.begin("prison-break", harness.ben)
    await propose(harness, harness.ann)
    await harness.advance(10_000)
    message = harness.ben.dms()[-1]
    assert "proposes to end the game." in UserClient.visible_text(message)
    question = await harness.ben.press(message, label="Answer …")
    await harness.ben.press(question, label="Agree")
    await harness.settle()
    assert harness.snapshot().row.status == "closed"


async def test_it_is_said_that_a_proposal_was_not_accepted_and_not_by_whom(harness: BotHarness):
    public = []
    for number in (1, 2):
        await harness.begin("prison-break", harness.ben, harness.cleo)
        await propose(harness, harness.ann)
        refuses, other = (harness.ben, harness.cleo) if number == 1 else (harness.cleo, harness.ben)
        await answer(harness, other, "Agree")
        await answer(harness, refuses, "Decline")
        assert endings.NOT_ACCEPTED in harness.public()
        public.append(harness.snapshot(number).row.agreements)
        await harness.ann.press(
            await harness.ann.command(harness.yard, "table end", table=number), label="◀ Back to the game"
        )
        await harness.messages(number).table.act(closed, lambda: "", harness.clock.now())
    assert public[0] == public[1]


async def test_between_two_the_one_who_is_asked_is_named(harness: BotHarness):
    await harness.two_at_the_wall()
    ben = mark(harness, harness.ben)
    proposed = await propose(harness, harness.ann)
    assert "Proposed." in proposed.text and f"{ben} hasn't answered yet." in proposed.text
    assert f"{ben} hasn't answered yet." in (await asked_by(harness, harness.ann)).text
    assert f"{ben} answers in their private view." in harness.public()


async def test_the_player_who_proposed_reads_on_their_own_page_that_it_was_declined(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.press(harness.ann, "Play")
    await propose(harness, harness.ann)
    await answer(harness, harness.ben, "Decline")
    await harness.settle()
    assert endings.NOT_ACCEPTED in UserClient.visible_text(harness.ann.ephemerals(harness.yard)[-1])


async def test_a_proposal_that_is_withdrawn_is_not_said_to_be_declined(harness: BotHarness):
    await harness.two_at_the_wall()
    await propose(harness, harness.ann)
    await harness.ann.press(await asked_by(harness, harness.ann), label="Withdraw it")
    await harness.settle()
    assert "withdrew the proposal to end the game" in harness.public() and endings.NOT_ACCEPTED not in harness.public()


async def test_a_question_takes_one_small_line_of_the_page_and_the_place_of_a_button(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, harness.cleo)
    labels = [part["label"] for part in UserClient.buttons(await own_page(harness, harness.ben))]
    await propose(harness, harness.ann)
    page = await own_page(harness, harness.ben)
    assert [part["label"] for part in UserClient.buttons(page)] == [*labels[:-1], "Answer …"]
    assert f"{mark(harness, harness.ann)} proposes to end the game." in page.text
    question = await harness.ben.press(page, label="Answer …")
    assert labels[-1] == "More …" == UserClient.buttons(question)[-1]["label"]
    await harness.ben.press(question, label="Agree")
    page = await own_page(harness, harness.ben)
    assert [part["label"] for part in UserClient.buttons(page)] == labels
    assert "Not everyone has answered yet." in page.text


def enabled(page: ActionResult) -> list[str]:
    """Return the labels of a page's buttons that can be pressed."""
    return [part["label"] for part in UserClient.buttons(page) if not part.get("disabled")]


async def forged_draw(harness: BotHarness) -> ActionResult:
    """Offer a draw by the button of an earlier page of Ann's."""
    return await harness.ann.forge(harness.board(), f"cb:{harness.snapshot().id}:0:ending-propose:draw")


async def test_an_offer_of_a_draw_cannot_be_pressed_before_ten_moves_each_and_the_page_says_why(harness: BotHarness):
    await harness.two_at_the_wall()
    for pushed in range(20):
        page = await asked_by(harness, harness.ann)
        assert enabled(page)[0] == "End without a result" and "Offer a draw" not in enabled(page)
        assert "You can offer a draw once you've each made 10 moves." in page.text
        await harness.push(pushed % 10)
    page = await asked_by(harness, harness.ann)
    assert "Offer a draw" in enabled(page) and "once a day between the two of you" in page.text


async def test_notes_are_no_moves_after_which_a_draw_can_be_offered(harness: BotHarness):
    await harness.begin("prison-break", harness.ben)
    table = harness.messages().table
    for number in range(endings.MOVES_BEFORE_DRAW):
        for row in table.snapshot.seats:
            await table.act(moves.move, Seat(row.seat), Note(f"note {number}"), harness.clock.now())
    assert "Offer a draw" not in enabled(await asked_by(harness, harness.ann))
    assert "10 moves" in (await forged_draw(harness)).text


async def test_a_draw_takes_ten_moves_each_and_one_a_day_counts(harness: BotHarness):
    for number in (1, 2, 3):
        await harness.two_at_the_wall()
        for pushed in range(20):
            if number == 1 and pushed == 19:
                assert "10 moves" in (await forged_draw(harness)).text
            if not harness.snapshot(number).playing:
                break
            await harness.push(pushed % 10, number)
        if number == 2:
            page = await asked_by(harness, harness.ann)
            assert "only agree on one draw a day" in page.text and "Offer a draw" not in enabled(page)
            assert "only agree on one draw a day" in (await forged_draw(harness)).text
            assert harness.snapshot(number).playing
            await harness.advance(DAY_MS)
        else:
            await propose(harness, harness.ann, "Offer a draw")
            await answer(harness, harness.ben, "Agree")
            assert "agreed on a draw" in harness.public()
    games = await ranked(harness)
    assert [game.drawn for game in games] == [True, True]


async def test_a_player_who_misses_a_turn_is_warned_privately_and_again_after_a_return(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow, quick = harness.awaited(), harness.idle()
    await harness.advance(61_000)
    assert len(slow.dms()) == 1 and not quick.dms() and "missed" not in harness.public()
    assert "You missed a turn" in UserClient.visible_text(slow.dms()[0])
    assert "and you finish last" in UserClient.visible_text(slow.dms()[0])
    page = await own_page(harness, slow)  # they are there, so the next miss is a first one
    assert "You missed a turn" not in page.text
    await harness.push()
    await harness.advance(61_000)
    assert harness.snapshot().seats[seat(harness, slow)].forfeit is None
    assert "You missed a turn" in UserClient.visible_text(slow.dms()[-1])
    assert "You missed a turn" not in (await own_page(harness, quick)).text


async def test_with_notifications_off_a_warning_is_only_on_the_private_page(harness: BotHarness):
    await harness.ann.command(harness.yard, "notify", how="nothing")
    await harness.ben.command(harness.yard, "notify", how="nothing")
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.press(slow, "Play")
    await harness.advance(61_000)
    await harness.advance(5_000)
    assert not slow.dms()
    assert "You missed a turn" in "".join(UserClient.visible_text(page) for page in slow.ephemerals(harness.yard))


async def test_a_pardon_is_granted_when_the_clock_takes_the_last_opponent_who_has_not_answered(harness: BotHarness):
    await harness.begin("match-five", harness.ben, harness.cleo, clock=60)
    slow, forgives = harness.view().to_act[0], harness.person_at((harness.view().to_act[0] + 1) % 3)
    away = (slow + 2) % 3
    while harness.snapshot().seats[away].forfeit is None:
        if harness.awaited() is forgives:
            mover, table = harness.view().to_act[0], harness.messages().table
            await table.act(moves.move, mover, table.snapshot.legal(mover)[0], harness.clock.now())
        else:
            await harness.advance(61_000)
        row = harness.snapshot().seats[slow]
        if row.forfeit is not None and not harness.snapshot().agreements.pardons[0].agreed:
            await answer(harness, forgives, "Pardon")
    assert harness.snapshot().seats[slow].forfeit is None
    assert f"{mark(harness, harness.person_at(slow))} was pardoned." in harness.public()


async def test_the_opponent_pardons_before_the_computers_second_move(harness: BotHarness):
    slow, quick = await two_missed_turns(harness)
    assert f"{mark(harness, slow)} missed two turns in a row: place 2, unless the opponents pardon" in harness.public()
    assert "for good" not in harness.public() and "That's final" not in harness.public()
    await answer(harness, quick, "Pardon")
    row = harness.snapshot().seats[seat(harness, slow)]
    assert row.forfeit is None and not row.caretaker
    assert f"{mark(harness, slow)} was pardoned." in harness.public() and "place 2" not in harness.public()


@pytest.mark.parametrize("refuses", [0, 1, 2])
async def test_the_channel_does_not_show_which_opponent_would_not_pardon(harness: BotHarness, refuses: int):
    people = await four(harness, clock=60)
    _, *others = people
    for _ in range(40):
        if harness.snapshot().seats[0].forfeit is not None:
            break
        for person in others:
            await person.command(harness.yard, "prison-break sneak", say=1, go=1)
            await person.command(harness.yard, "prison-break decline")
        await harness.advance(61_000)
    before = harness.public()
    if "unless the opponents pardon" not in before:
        pytest.skip("the computer has moved twice by then")
    await answer(harness, others[refuses], "Don't pardon")
    after = harness.public()
    assert "Left the rated game" in after and not any(f"{mark(harness, one)} would" in after for one in others)


async def test_the_game_ends_when_the_only_one_who_has_not_answered_is_away(harness: BotHarness):
    await harness.begin("match-five", harness.ben, harness.cleo, clock=60)
    slow = harness.awaited()
    first, second = (one for one in (harness.ann, harness.ben, harness.cleo) if one is not slow)
    await propose(harness, first)
    await answer(harness, second, "Agree")
    for _ in range(8):
        if not harness.snapshot().playing:
            break
        if harness.awaited() is slow:
            await harness.advance(61_000)
        else:
            await harness.awaited().command(harness.yard, "match-five pass")
            await harness.settle()
            if harness.snapshot().playing and harness.awaited() is not slow:
                await harness.advance(61_000)
    results = await harness.client.store.games.results(1)
    assert [result.reason for result in results].count("void") == 2 and max(one.place for one in results) == 3


async def test_players_alone_with_computers_have_no_button_and_read_that_the_game_ends_at_once(
    harness: BotHarness,
):
    await harness.against_a_computer()
    more = await harness.ann.press(harness.board(), label="More …")
    assert "End by agreement …" not in [part["label"] for part in UserClient.buttons(more)]
    assert "only player left" in (await harness.ann.command(harness.yard, "table end")).text


async def test_after_somebody_has_left_a_rated_game_an_end_without_a_result_keeps_the_places_decided(
    harness: BotHarness,
):
    leaver, stays, *_ = await four(harness)
    assert "**End without a result:** no places, no rating change." in (await asked_by(harness, stays)).text
    await harness.leave(leaver)
    await harness.settle()
    page = await asked_by(harness, stays)
    assert "only the places already decided remain." in page.text and "no places" not in page.text


async def test_a_single_opponent_who_may_pardon_is_told_of_no_other_opponents(harness: BotHarness):
    _slow, quick = await two_missed_turns(harness)
    question = await quick.press(await own_page(harness, quick), label="Answer …")
    assert "You can pardon them once" in question.text and "All opponents" not in question.text


async def test_a_player_whose_last_place_is_final_is_not_warned_of_losing_it(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.leave(slow)
    await harness.press(slow, "I'm back")
    while harness.awaited() is not slow:
        await harness.push()
    await harness.advance(61_000)
    warning = UserClient.visible_text(slow.dms()[-1])
    assert "Miss the next one too, and a computer takes over." in warning and "finish last" not in warning


async def test_of_two_draws_offered_on_one_day_only_the_first_can_be_agreed_on(harness: BotHarness):
    for number in (1, 2):
        await harness.two_at_the_wall()
        for pushed in range(20):
            await harness.push(pushed % 10, number)
        await propose(harness, harness.ann, "Offer a draw")
    for number, ends in ((1, True), (2, False)):
        proposal = harness.snapshot(number).agreements.proposal
        assert proposal is not None
        told = await harness.ben.forge(harness.board(), f"cb:{number}:0:ending-agree:{proposal.number}")
        await harness.settle()
        assert harness.snapshot(number).playing != ends and ("only agree on one draw a day" in told.text) != ends
