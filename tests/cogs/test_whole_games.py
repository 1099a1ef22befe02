"""A whole game of every game, and of the sixth: by what the screen offers, and by slash commands.

How one turn is taken is a game's own and stands in a table; most of it is what the game's own tests have. That the
game begins, ends, is shown, is kept and replays to the same state is asked of each in the same words.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.match_five.words import written
from cogs.registry import GAMES
from engine.contract import Action
from engine.games import ausbrecher, match_five, rope_wall
from engine.turns import Ready
from sandbox import UserClient
from tests.cogs import test_sixth_game as sixth
from tests.cogs.ausbrecher import test_play as boats
from tests.cogs.break_out import test_play as riot
from tests.cogs.conftest import House
from tests.cogs.match_five import test_play as tiles
from tests.cogs.prison_break import test_play as prison
from tests.cogs.rope_wall import test_play as wall
from tests.sixth import PACKAGE as NIM

ALL = (*GAMES, NIM)
EACH_GAME = pytest.mark.parametrize("package", ALL, ids=lambda package: package.game.key)
MOST_TURNS = 600

Turn = Callable[[House, random.Random], Awaitable[Any]]


@dataclass(frozen=True)
class Way:
    """How a game is played here: how many sit down, on which terms, and one turn by either way.

    `luck` seeds what people choose at random: where a game can be long, a number that keeps it short.
    """

    controls: Turn
    commands: Turn
    people: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    luck: int = 3


def chosen(house: House, dice: random.Random) -> tuple[UserClient, Action]:
    """Whoever is awaited, and one of their legal actions."""
    who = house.awaited()
    live = house.session().table
    seat = live.snapshot.seat_of(int(who.id))
    assert seat is not None
    return who, dice.choice(live.snapshot.legal(seat))


async def rope_by_controls(house: House, dice: random.Random) -> None:
    await wall.choose_or_push(house, dice.randrange(1_000))


async def rope_by_command(house: House, dice: random.Random) -> None:
    match chosen(house, dice):
        case who, rope_wall.Push(floor, side):
            await who.command(house.yard, "rope-wall push", floor=floor, side=side)
        case who, rope_wall.ChooseExits(columns):
            await who.command(house.yard, "rope-wall exit", exits=" ".join(map(str, columns)))
        case who, Ready():
            await who.command(house.yard, "rope-wall ready")


async def boats_by_controls(house: House, dice: random.Random) -> None:
    if house.view().phase == "forecast":
        await boats.bet(house, house.awaited())
    else:
        await boats.decide(house, dice.randrange(1_000))


async def boats_by_command(house: House, dice: random.Random) -> None:
    match chosen(house, dice):
        case who, ausbrecher.Forecast(crews):
            named = {
                f"boat{boat}": " ".join(c for c, own in zip(ausbrecher.COLOURS, crews, strict=True) if own == boat)
                for boat in (1, 2, 3)
            }
            await who.command(house.yard, "ausbrecher forecast", **named)
        case who, ausbrecher.Roll(colours, white):
            await who.command(house.yard, "ausbrecher roll", dice=" ".join(colours), white=white)
        case who, ausbrecher.Resolve(colour):
            await who.command(house.yard, "ausbrecher move", prisoner=colour)
        case who, ausbrecher.Replace(colour):
            await who.command(house.yard, "ausbrecher back", prisoner=colour)


async def tiles_by_controls(house: House, dice: random.Random) -> None:
    await tiles.turn(house)


async def tiles_by_command(house: House, dice: random.Random) -> None:
    live = house.session().table
    who, legal = house.awaited(), live.snapshot.legal(live.snapshot.view(None).to_act[0])
    plays = [action for action in legal if isinstance(action, match_five.Play)]
    if plays:
        longest = max(plays, key=lambda play: len(play.layings))
        await who.command(house.yard, "match-five play", tiles=" ".join(map(written, longest.layings)))
    elif swaps := [action for action in legal if isinstance(action, match_five.Swap)]:
        await who.command(house.yard, "match-five swap", tiles=" ".join(dice.choice(swaps).tiles))
    else:
        await who.command(house.yard, "match-five pass")


async def riot_by_controls(house: House, dice: random.Random) -> None:
    await riot.play_on(house, 1)


async def riot_by_command(house: House, dice: random.Random) -> None:
    who = house.awaited()
    await who.command(house.yard, "break-out draw")
    await who.command(house.yard, "break-out next")


async def nim_by_controls(house: House, dice: random.Random) -> None:
    await sixth.by_button(house)


async def nim_by_command(house: House, dice: random.Random) -> None:
    await sixth.by_command(house)


WAYS = {
    "ausbrecher": Way(boats_by_controls, boats_by_command, luck=5),
    "break_out": Way(riot_by_controls, riot_by_command, options={"rounds": 1, "referee": "strict"}),
    "match_five": Way(tiles_by_controls, tiles_by_command, options={"copies": 3}),
    "prison_break": Way(prison.move, prison.command, people=3, options={"round_limit": 5}),
    "rope_wall": Way(rope_by_controls, rope_by_command, luck=0),
    "nim": Way(nim_by_controls, nim_by_command),
}


def test_every_game_has_its_way():
    assert set(WAYS) == {package.game.key for package in ALL}


@pytest.fixture
async def everything(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """The house with all games, in which every table draws the same."""
    await house.stop()
    house.games = ALL
    await house.start()
    monkeypatch.setattr("cogs.core.tables.moves.secrets.token_bytes", bytes)
    return house


@pytest.mark.parametrize("by", ["controls", "commands"])
@EACH_GAME
async def test_a_whole_game_is_played_to_its_end_and_kept_as_it_was(everything: House, package: GamePackage, by: str):
    house, way = everything, WAYS[package.game.key]
    await begin(house, package, way)
    await play(house, getattr(way, by), random.Random(way.luck), MOST_TURNS)
    await kept(house, package)


@EACH_GAME
async def test_restarts_between_moves_change_nothing_about_a_game(everything: House, package: GamePackage):
    """The same clicks with restarts between them lead to the state that the kept events lead to."""
    house, way, dice = everything, WAYS[package.game.key], random.Random(2)
    pauses = (
        {"interludes": "off"} if "interludes" in package.game.options.__struct_fields__ else {}
    )  # a restart moves their clock
    await begin(house, package, way, **pauses)
    for _ in range(6):
        await play(house, way.controls, dice, 4)
        if house.session().table.snapshot.playing:
            await house.restart_unseen()
    assert package.game.fold(await house.events()) == house.session().table.snapshot.state


@pytest.mark.parametrize(
    "package", [one for one in ALL if max(one.game.player_counts) > 2], ids=lambda package: package.game.key
)
async def test_who_leaves_in_the_middle_is_played_for_until_the_game_is_over(everything: House, package: GamePackage):
    house, way = everything, WAYS[package.game.key]
    await begin(house, package, way, computer="rookie", computers=1)
    await house.leave(house.ann)
    await house.finish(house.ben, house.cleo)
    assert house.session().table.snapshot.row.status == "over"


async def begin(house: House, package: GamePackage, way: Way, **options: Any) -> None:
    """Let as many people as the way needs sit down to a game, with these options too."""
    guests = (house.ben, house.cleo)[: way.people - 1]
    await house.begin(package.screen().command, *guests, **way.options, **options)


async def play(house: House, turn: Turn, dice: random.Random, most: int) -> None:
    """Take so many turns, or as many as there are to the end."""
    for _ in range(most):
        if not house.session().table.snapshot.playing:
            break
        await turn(house, dice)
        await house.settle()


async def kept(house: House, package: GamePackage) -> None:
    """The game is over, is kept as it was played, and is shown."""
    live, game = house.session().table, package.game
    assert live.snapshot.row.status == "over"
    assert game.fold(await house.events()) == live.snapshot.state
    outcome = game.outcome(live.snapshot.state)
    assert outcome is not None
    results = await live.store.games.results(1)
    assert {row.seat: row.place for row in results} == dict(enumerate(outcome.places))
    assert await house.shows()
    assert house.controls("rematch")
