"""Leaving a rated game: the player takes the last place among those still in, for good, and the others play on."""

from cogs.core.publishing.finished_games import export_of, load_record
from cogs.core.tables import moves
from cogs.core.tables.changes import SLEEPS_FOR_MS
from engine.contract import Seat
from engine.games.rope_wall import Resign
from engine.results import FinishedGame
from engine.standings import Leaderboard
from sandbox import UserClient, walk
from tools.harness.bot_harness import BotHarness


async def leave(harness: BotHarness, person: UserClient, label: str = "Leave the game") -> str:
    """Leave the table as a person. Return the confirmation question."""
    asked = await harness.press(person, "Leave")
    words = asked.text
    await harness.press(person, label, asked)
    await harness.settle()
    return words


async def ranked(harness: BotHarness) -> list[FinishedGame]:
    """Return the games on the ranked boards of the server."""
    games = []
    for key in ("rope_wall", "prison_break"):
        games += await harness.client.store.records.ended(Leaderboard(int(harness.guild.id), key, "ranked"), most=9)
    return games


async def places(harness: BotHarness) -> dict[str, int]:
    """Return each player's place in the only rated game, by name."""
    (game,) = await ranked(harness)
    return {side.name: side.place for side in game.sides}


async def four(harness: BotHarness, clock: int = 0) -> list[UserClient]:
    """Start Prison Break with Ann, Ben, Cleo and Dora. Return them in the order of their seats."""
    dora = harness.sandbox.add_person("Dora", harness.guild)
    people = [harness.ann, harness.ben, harness.cleo, dora]
    await harness.ann.command(harness.yard, "prison-break start", clock=clock)
    for person in people[1:]:
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    by_id = {int(person.id): person for person in people}
    return [by_id[row.user] for row in harness.snapshot().seats]


async def sneak(harness: BotHarness, person: UserClient) -> None:
    moved = await person.command(harness.yard, "prison-break sneak", say=1, go=1)
    assert moved.failed is None
    await harness.settle()


def mark(harness: BotHarness, person: UserClient) -> str:
    """Return how a person is shown at the first table: in bold, after the shape of their seat."""
    sitters = harness.snapshot().seated_players
    return next(sitter.bold for sitter in sitters if sitter.user == int(person.id)).replace("\u00a0", " ")


async def test_the_first_of_two_players_to_leave_has_lost_and_the_other_may_end_the_game(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    assert "you get place 2 of 2, even if you come back" in await leave(harness, leaver)
    assert f"**{leaver.name}** (place 2)" in harness.public() and f"**{stays.name}** is first" in harness.public()
    assert await ranked(harness) == []
    assert "game ends with these places" in await leave(harness, stays, "End the game")
    assert f"1. {mark(harness, stays)}" in harness.public() and f"2. {mark(harness, leaver)} (left" in harness.public()
    assert await places(harness) == {stays.name: 1, leaver.name: 2}
    standing = (await stays.command(harness.yard, "leaderboard", game="rope_wall")).text
    assert standing.index(f"{stays.name} (you): ") < standing.index(f"{leaver.name}: ")
    history = (await stays.command(harness.yard, "history")).text
    assert "**won**" in history and "ended early" in history and "score" not in history


async def test_the_page_of_who_left_first_names_their_place_once_and_the_table_until_it_closes(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    page = await harness.leave(leaver)
    await harness.settle()
    assert "✓ You left." in page.text and page.text.count("place 2") == 1
    assert page.text.count("computer is playing for you") == 1
    assert any(part.get("label") == "I'm back" for part in UserClient.buttons(page))
    await leave(harness, stays, "End the game")
    shown = next(one for one in leaver.messages(harness.yard) if one["id"] == page.message["id"])
    words = UserClient.visible_text(shown)
    assert "Table 1 is closed. Everyone left, and the places were already decided." in words
    assert "1. " in words and "plays for you" not in words and not UserClient.buttons(shown)


async def test_a_game_that_ended_with_its_places_shows_its_last_picture_and_leads_to_the_leaderboard(
    harness: BotHarness,
):
    await harness.two_at_the_wall()
    await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    await leave(harness, leaver)
    await leave(harness, stays, "End the game")
    (picture,) = [part for part in walk(harness.board()["components"]) if part.get("items")]
    assert "Knots in hand" in picture["items"][0]["description"]
    board = await harness.press(harness.cleo, "Leaderboard")
    assert stays.name in board.text


async def test_a_player_who_left_late_has_lost_even_if_the_board_says_otherwise(harness: BotHarness):
    await harness.two_at_the_wall()
    for _ in range(4):
        await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    await leave(harness, leaver)
    await harness.advance(5_000)  # the caretaker moves
    await harness.press(leaver, "I'm back")
    await harness.settle()
    assert "A computer is playing for" not in harness.public()
    assert f"**{leaver.name}** (place 2). That's final, even if they come back." in harness.public()
    await harness.resign(stays)
    await harness.settle()
    text = harness.public()
    assert f"**{stays.name}** **wins!**" in text
    won = [who.name for who in (stays, leaver) for letter in "AB" if f"{who.name} ({letter}) won the game" in text]
    assert won == [stays.name]  # the picture says so
    assert text.index(f"1. {mark(harness, stays)}") < text.index(f"2. {mark(harness, leaver)} (left")
    assert await places(harness) == {stays.name: 1, leaver.name: 2}
    table = harness.messages().table
    export = export_of(table.game, await load_record(harness.client.store, table.snapshot.row))
    assert export.places == ((1, 2) if stays is harness.ann else (2, 1))
    assert export.forfeits == ((None, 1) if stays is harness.ann else (1, None))
    await harness.restart()
    assert (await harness.client.inbound.finder.find(1)).table.snapshot.results[0].place == (
        1 if stays is harness.ann else 2
    )


async def test_leaving_a_second_time_reads_that_the_result_remains(harness: BotHarness):
    await harness.two_at_the_wall()
    leaver = harness.awaited()
    await leave(harness, leaver)
    await harness.press(leaver, "I'm back")
    assert "so you keep place 2" in await leave(harness, leaver)


async def test_two_timeouts_count_as_leaving_and_one_costs_nothing(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    slow = harness.awaited()
    await harness.advance(61_000)
    stays = harness.awaited()
    assert [row.forfeit for row in harness.snapshot().seats] == [None, None]
    await harness.push()
    await harness.advance(61_000)
    assert f"**{slow.name}** missed two turns in a row: place 2" in harness.public()
    await harness.push()
    assert await leave(harness, stays, "End the game")
    assert await places(harness) == {stays.name: 1, slow.name: 2}


async def test_the_others_play_on_and_the_first_to_leave_is_last(harness: BotHarness):
    first, second, third, last = await four(harness)
    await sneak(harness, first)
    assert "place 4 of 4" in await leave(harness, first)
    own, others = [(await harness.press(who, "Play")).text for who in (first, second)]
    assert "A computer is playing for you." in own and "You left the rated game: place 4." in own
    assert f"**{first.name}** (place 4)" in others and f"A computer is playing for {mark(harness, first)}." in others
    await harness.advance(10_000)
    await sneak(harness, second)
    assert "place 3 of 4" in await leave(harness, second)
    await harness.press(first, "I'm back")  # and plays on, behind all the others
    await harness.settle()
    assert "place 2 of 4" in await leave(harness, third)
    assert f"**{last.name}** is first" in harness.public()
    away = " and ".join(
        person.bold.replace("\u00a0", " ") for person in harness.snapshot().seated_players if person.caretaker
    )
    assert f"A computer is playing for {away}." in harness.public()
    assert "You're first for good" in await leave(harness, last)  # another player is left
    assert harness.snapshot().playing
    assert "no one else is here" in await leave(harness, first, "End the game")
    (game,) = await harness.client.store.records.games_of(int(last.id), int(harness.guild.id), most=2)
    assert {side.name: side.place for side in game.sides} == {
        first.name: 4,
        second.name: 3,
        third.name: 2,
        last.name: 1,
    }


async def test_players_who_left_the_server_or_were_deleted_have_left_the_game(harness: BotHarness):
    await harness.stop()
    harness.sandbox.privileged_intents = {"members"}
    await harness.start(members_intent=True)
    first, second, third, _ = await four(harness)
    harness.sandbox.leave(first, harness.guild)
    await harness.sandbox.until(lambda: harness.snapshot().seats[0].forfeit == 1)
    asked = await second.command(harness.yard, "privacy delete")
    await harness.press(second, "Delete it all", asked)
    await harness.settle()
    assert [row.forfeit for row in harness.snapshot().seats] == [1, 2, None, None]
    await leave(harness, third)
    assert "**someone** (place 3)" in harness.public() and f"**{third.name}** (place 2)" in harness.public()
    await harness.restart()
    session = await harness.client.inbound.finder.find(1)
    assert [row.forfeit for row in session.table.snapshot.seats] == [1, 2, 3, None]


async def test_a_certain_result_is_booked_when_nobody_comes_back(harness: BotHarness):
    await harness.two_at_the_wall(clock=60)
    await harness.push()
    await harness.push()
    leaver, stays = harness.awaited(), harness.idle()
    await leave(harness, leaver)
    while not harness.snapshot().asleep:
        await harness.advance(31_000)  # the caretaker moves; the other lets two turns pass
    assert "with the places as they are" in harness.public()
    assert await ranked(harness) == []
    winner = mark(harness, stays)
    await harness.advance(SLEEPS_FOR_MS)  # then the table leaves the memory, too
    assert f"1. {winner}" in harness.public()
    assert await places(harness) == {stays.name: 1, leaver.name: 2}


async def test_leaving_a_table_with_computers_costs_no_place(harness: BotHarness):
    await harness.begin("prison-break", harness.ben, computer="rookie", computers=1)
    assert "ranked" not in await leave(harness, harness.ben)
    assert all(row.forfeit is None for row in harness.snapshot().seats)


async def test_a_game_without_a_push_limit_is_casual_and_is_booked_as_that(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start", push_limit="none")
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    table = harness.snapshot()
    assert table.row.casual and not table.ranked
    await harness.messages().table.act(moves.move, Seat(0), Resign(), harness.clock.now())
    await harness.settle()
    assert harness.snapshot().ended and await ranked(harness) == []
    store = harness.client.store
    assert len(await store.records.ended(Leaderboard(int(harness.guild.id), "rope_wall", "casual"), most=9)) == 1
