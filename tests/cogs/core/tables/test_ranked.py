"""Leaving a ranked game: who leaves takes the last place among those still in, for good, and the others play on."""

from cogs.core.publishing.finished_games import export_of, recorded
from cogs.core.tables.table import SLEEPS_FOR_MS
from engine.results import FinishedGame
from engine.standings import Leaderboard
from sandbox import UserClient, walk
from tools.harness.bot_harness import House


async def leave(house: House, person: UserClient, label: str = "Leave the game") -> str:
    """Let somebody leave the table; return what they are asked first."""
    asked = await house.press(person, "Leave")
    words = asked.text
    await house.press(person, label, asked)
    await house.settle()
    return words


async def ranked(house: House) -> list[FinishedGame]:
    """The games on the ranked boards of the server."""
    games = []
    for key in ("rope_wall", "prison_break"):
        games += await house.client.tables.store.records.ended(Leaderboard(int(house.guild.id), key, "ranked"), most=9)
    return games


async def places(house: House) -> dict[str, int]:
    """The place of everybody in the only game on the ranked board, by name."""
    (game,) = await ranked(house)
    return {side.name: side.place for side in game.sides}


async def four(house: House, clock: int = 0) -> list[UserClient]:
    """Let Ann, Ben, Cleo and Dora begin Prison Break; return them in the order of their seats."""
    dora = house.sandbox.add_person("Dora", house.guild)
    people = [house.ann, house.ben, house.cleo, dora]
    await house.ann.command(house.yard, "prison-break start", clock=clock)
    for person in people[1:]:
        await house.press(person, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    by_id = {int(person.id): person for person in people}
    return [by_id[row.user] for row in house.session().table.snapshot.seats]


async def sneak(house: House, person: UserClient) -> None:
    moved = await person.command(house.yard, "prison-break sneak", say=1, go=1)
    assert moved.failed is None
    await house.settle()


def mark(house: House, person: UserClient) -> str:
    """What somebody is called at the first table: in bold, after the shape of their seat."""
    sitters = house.session().table.snapshot.sitters
    return next(sitter.bold for sitter in sitters if sitter.user == int(person.id)).replace("\u00a0", " ")


async def test_of_two_who_leaves_early_has_lost_and_the_other_may_end_it(house: House):
    await house.two_at_the_wall()
    await house.push()
    leaver, stays = house.awaited(), house.idle()
    assert "you take place 2 of 2, for good" in await leave(house, leaver)
    assert f"**{leaver.name}** (place 2)" in house.public() and f"**{stays.name}** is first" in house.public()
    assert await ranked(house) == []
    assert "game ends with these places" in await leave(house, stays, "End the game")
    assert f"1. {mark(house, stays)}" in house.public() and f"2. {mark(house, leaver)} – left" in house.public()
    assert await places(house) == {stays.name: 1, leaver.name: 2}
    standing = (await stays.command(house.yard, "leaderboard", game="rope_wall")).text
    assert standing.index(f"{stays.name} (you): ") < standing.index(f"{leaver.name}: ")
    history = (await stays.command(house.yard, "history")).text
    assert "**won**" in history and "ended as it stood" in history and "score" not in history


async def test_the_page_of_who_left_first_tells_how_the_table_stands_until_it_closes(house: House):
    await house.two_at_the_wall()
    await house.push()
    leaver, stays = house.awaited(), house.idle()
    page = await house.leave(leaver)
    await house.settle()
    assert "✓ You have left, and a computer plays for you now." in page.text and "place 2 of 2" in page.text
    assert any(part.get("label") == "I am back" for part in UserClient.buttons(page))
    await leave(house, stays, "End the game")
    shown = next(one for one in leaver.messages(house.yard) if one["id"] == page.message["id"])
    words = UserClient.visible_text(shown)
    assert "Table 1 is closed. Everybody has left, and the places were certain." in words
    assert "1. " in words and "plays for you" not in words and not UserClient.buttons(shown)


async def test_a_game_that_ended_with_its_places_shows_its_last_picture_and_leads_to_the_leaderboard(house: House):
    await house.two_at_the_wall()
    await house.push()
    leaver, stays = house.awaited(), house.idle()
    await leave(house, leaver)
    await leave(house, stays, "End the game")
    (picture,) = [part for part in walk(house.board()["components"]) if part.get("items")]
    assert "Knots in hand" in picture["items"][0]["description"]
    board = await house.press(house.cleo, "Leaderboard")
    assert stays.name in board.text


async def test_of_two_who_left_late_and_won_on_the_board_has_lost_all_the_same(house: House):
    await house.two_at_the_wall()
    for _ in range(4):
        await house.push()
    leaver, stays = house.awaited(), house.idle()
    await leave(house, leaver)
    await house.turn(5_000)  # the caretaker moves
    await house.press(leaver, "I am back")
    await house.settle()
    assert "A computer plays for" not in house.public()
    assert f"**{leaver.name}** (place 2). That is final, also for those who come back." in house.public()
    await stays.command(house.yard, "rope-wall resign")
    await house.settle()
    text = house.public()
    assert f"**{stays.name}** **wins!**" in text and f"{leaver.name} has won" not in text  # nor does its picture
    assert f"{stays.name} (" in text and "has won the game" in text
    assert text.index(f"1. {mark(house, stays)}") < text.index(f"2. {mark(house, leaver)} – left")
    assert await places(house) == {stays.name: 1, leaver.name: 2}
    table = house.session().table
    export = export_of(table.game, await recorded(house.client.tables.store, table.snapshot.row))
    assert export.places == ((1, 2) if stays is house.ann else (2, 1))
    assert export.forfeits == ((None, 1) if stays is house.ann else (1, None))
    await house.restart()
    assert (await house.client.tables.find(1)).table.snapshot.results[0].place == (1 if stays is house.ann else 2)


async def test_who_leaves_again_is_told_that_the_place_stands(house: House):
    await house.two_at_the_wall()
    leaver = house.awaited()
    await leave(house, leaver)
    await house.press(leaver, "I am back")
    assert "place 2 stays yours" in await leave(house, leaver)


async def test_who_lets_the_clock_run_out_twice_has_left_and_one_lapse_costs_nothing(house: House):
    await house.two_at_the_wall(clock=60)
    slow = house.awaited()
    await house.turn(61_000)
    stays = house.awaited()
    assert [row.forfeit for row in house.session().table.snapshot.seats] == [None, None]
    await house.push()
    await house.turn(61_000)
    assert f"**{slow.name}** (place 2)" in house.public()
    await house.push()
    assert await leave(house, stays, "End the game")
    assert await places(house) == {stays.name: 1, slow.name: 2}


async def test_the_others_play_on_and_whoever_leaves_first_is_last(house: House):
    first, second, third, last = await four(house)
    await sneak(house, first)
    assert "place 4 of 4" in await leave(house, first)
    await house.turn(10_000)
    await sneak(house, second)
    assert "place 3 of 4" in await leave(house, second)
    await house.press(first, "I am back")  # and plays on, behind all the others
    await house.settle()
    assert "place 2 of 4" in await leave(house, third)
    assert f"**{last.name}** is first" in house.public()
    away = " and ".join(
        person.bold.replace("\u00a0", " ") for person in house.session().table.snapshot.sitters if person.caretaker
    )
    assert f"A computer plays for {away}." in house.public()
    assert "You are first, for good" in await leave(house, last)  # there is somebody left to play with
    assert house.session().table.snapshot.playing
    assert "nobody else is here" in await leave(house, first, "End the game")
    (game,) = await house.client.tables.store.records.games_of(int(last.id), int(house.guild.id), most=2)
    assert {side.name: side.place for side in game.sides} == {
        first.name: 4,
        second.name: 3,
        third.name: 2,
        last.name: 1,
    }


async def test_somebody_who_left_the_server_and_somebody_who_was_forgotten_have_left_the_game(house: House):
    await house.stop()
    house.sandbox.privileged_intents = {"members"}
    await house.start(members_intent=True)
    first, second, third, _ = await four(house)
    house.sandbox.leave(first, house.guild)
    await house.sandbox.until(lambda: house.session().table.snapshot.seats[0].forfeit == 1)
    asked = await second.command(house.yard, "privacy delete")
    await house.press(second, "Delete it all", asked)
    await house.settle()
    assert [row.forfeit for row in house.session().table.snapshot.seats] == [1, 2, None, None]
    await leave(house, third)
    assert "**somebody** (place 3)" in house.public() and f"**{third.name}** (place 2)" in house.public()
    await house.restart()
    session = await house.client.tables.find(1)
    assert [row.forfeit for row in session.table.snapshot.seats] == [1, 2, 3, None]


async def test_what_an_admin_ends_counts_for_nobody(house: House):
    await house.two_at_the_wall()
    await house.push()
    await house.push()
    await leave(house, house.awaited())
    await house.ann.command(house.yard, "admin end", table=1)
    await house.settle()
    assert "ended it" in house.public() and "takes the last place" not in house.public()
    assert await ranked(house) == [] and await house.client.tables.store.games.results(1) == []


async def test_a_certain_result_is_booked_when_nobody_comes_back(house: House):
    await house.two_at_the_wall(clock=60)
    await house.push()
    await house.push()
    leaver, stays = house.awaited(), house.idle()
    await leave(house, leaver)
    while not house.session().table.snapshot.asleep:
        await house.turn(31_000)  # the caretaker moves; the other lets two turns pass
    assert "with the places as they are" in house.public()
    assert await ranked(house) == []
    await house.turn(SLEEPS_FOR_MS)
    assert f"1. {mark(house, stays)}" in house.public()
    assert await places(house) == {stays.name: 1, leaver.name: 2}


async def test_leaving_a_table_with_computers_costs_no_place(house: House):
    await house.begin("prison-break", house.ben, computer="rookie", computers=1)
    assert "ranked" not in await leave(house, house.ben)
    assert all(row.forfeit is None for row in house.session().table.snapshot.seats)
